#include "analysis/collective/cost.h"
#include "analysis/broadcast/cycles_ways.h"
#include "graph/base/quantity.h"

#include "registry/cost.inc"

const struct spec_key cost_keys[] = {
    { "errors", "RATE", "probability that a byte is wrong: messages are sent until they are whole (default: 0)" },
    { "combining", "yes|no", "no: a message for each piece, as of gathers over trees (default: yes)" },
    { NULL, NULL, NULL }
};

KIND(cost, cost, struct cost_kind, .name = "cost", .what = "model of cost", .rank = 12, .keys = cost_keys)

static int cost_common(struct cost *c, const struct spec *spec, struct err *err)
{
    static const char *const combining[] = { "yes", "no", NULL };
    const char *errors = spec_get(spec, "errors");
    int which;

    if (spec_choice(&which, spec, "combining", combining, err) < 0 ||
        (errors && num_real(&c->errors, errors, "errors", err) < 0))
        return -1;
    c->pieces = which == 1;
    if (!(c->errors >= 0 && c->errors < 1))
        return err_set(err, ERR_USAGE, "errors of %s is %s; it is a probability, as in errors=1e-9", c->kind->name,
                       errors);
    return c->errors > 0 && c->kind->steps ? err_set(err, ERR_USAGE, "%s counts steps, whatever the size of messages: "
                                                     "leave errors away", c->kind->name) : 0;
}

/* Keys of these names, but for what is given. */
static int network_said(struct cost_network *w, const struct cost_kind *kind, const struct spec *spec, struct err *err)
{
    const struct cost c = { .kind = kind };
    double byte = NAN;

    if (!w || !kind->says)
        return 0;
    if ((!w->overhead_given && cost_time(&w->overhead, &c, spec, "overhead", w->overhead, err) < 0) ||
        (!w->cable_given && cost_time(&w->cable, &c, spec, "cable-time", w->cable, err) < 0) ||
        (!w->rate_given && spec_get(spec, "rate") && cost_rate(&byte, &c, spec, "rate", NAN, err) < 0))
        return -1;
    w->rate = !w->rate_given && spec_get(spec, "rate") ? 1 / byte : w->rate;
    return 0;
}

int cost_open(struct cost *out, const char *text, int n, struct cost_network *w, struct err *err)
{
    struct spec spec;
    const struct cost_kind *kind = (const struct cost_kind *)(const void *)kind_spec(&spec, &kind_cost, text, err);
    struct cost c = { .kind = kind, .n = n, .limit = INFINITY };
    int ret = -1;

    if (!kind)
        return -1;
    if (kind->network && !w)
        err_set(err, ERR_DOMAIN, "%s costs what a network's links take, and there is none", kind->name);
    else
        ret = spec_no_params(&spec, err) < 0 || cost_common(&c, &spec, err) < 0 ? -1 :
            !(c.spec = strdup(text)) || (kind->room && !(c.state = calloc(1, kind->room))) ? err_memory(err) :
            network_said(w, kind, &spec, err) < 0 ? -1 : kind->open(&c, &spec, w, err);
    spec_release(&spec);
    if (ret < 0)
        cost_close(&c);
    else
        *out = c;
    return ret;
}

int cost_begin(struct cost *c, int root, struct err *err)
{
    for (size_t i = 0; i < c->nfree; i++)
        c->free[i] = 0;
    for (size_t i = 0; i < c->ncarried; i++)
        c->carried[i] = 0;
    c->hops = c->kind->network ? 0 : NAN;
    c->root = root;
    return c->kind->begin ? c->kind->begin(c, err) : 0;
}

void cost_close(struct cost *c)
{
    if (c->state && c->kind->close)
        c->kind->close(c);
    FREE(c->spec, c->free, c->carried, c->state);
    *c = (struct cost){ 0 };
}

/* The bytes of a message with headers. */
static double cost_wire(const struct cost *c, double bytes)
{
    return c->frame > 0 ? bytes + c->header * fmax(1, ceil(bytes / c->frame)) : bytes + c->header;
}

double cost_sent(const struct cost *c, double bytes, struct err *err)
{
    const double wire = cost_wire(c, bytes), times = c->errors > 0 ? exp(-wire * log1p(-c->errors)) : 1;

    if (times <= 1e6)
        return wire * times;
    err_set(err, ERR_DOMAIN, "%s: a message of %.0f bytes would be sent more than a million times; cut it into "
            "segments, or let there be fewer errors", c->spec, wire);
    return NAN;
}

static int cost_quantity(double *out, const struct cost *c, const struct spec *spec, const char *key,
                         enum quantity kind, double missing, struct err *err)
{
    const char *text = spec_get(spec, key);
    char what[60];
    bool unit;

    *out = missing;
    snprintf(what, sizeof what, "%s of %s", key, c->kind->name);
    if (!text && isnan(missing))
        return err_set(err, ERR_USAGE, "'%.80s' says no %s: write it, as in %s", spec->text, key, c->kind->example);
    if (!text)
        return 0;
    if (quantity_parse(out, &unit, text, kind, what, err) < 0)
        return -1;
    if (!unit && *out != 0)
        return err_set(err, ERR_USAGE, "%s is %s; it needs a unit, as in %s", what, text, c->kind->example);
    if (*out < 0)
        return err_set(err, ERR_USAGE, "%s is %s; it must not be negative", what, text);
    return *out == 0 ? 0 : quantity_limit(*out, text, kind, what, err);
}

int cost_time(double *out, const struct cost *c, const struct spec *spec, const char *key, double missing,
              struct err *err)
{
    return cost_quantity(out, c, spec, key, QUANTITY_TIME, missing, err);
}

int cost_rate(double *out, const struct cost *c, const struct spec *spec, const char *key, double missing,
              struct err *err)
{
    double rate;

    if (cost_quantity(&rate, c, spec, key, QUANTITY_RATE, missing, err) < 0)
        return -1;
    if (!(rate > 0))
        return err_set(err, ERR_USAGE, "%s of %s must be positive", key, c->kind->name);
    *out = 8 / rate;                    /* rates are in bits */
    return 0;
}

int cost_copies(struct cost *c, const struct spec *spec, struct err *err)
{
    static const char *const ways[] = { "no", "yes", NULL };
    int which;

    if (spec_choice(&which, spec, "multicast", ways, err) < 0)
        return -1;
    c->copies = which == 1;
    return 0;
}

int cost_wired(struct cost *c, const struct spec *spec, struct err *err)
{
    static const char *const latency[] = { "beside", "serial", NULL };
    int64_t frame, header;
    int which;

    if (cost_time(&c->a, c, spec, "a", NAN, err) < 0 || cost_rate(&c->b, c, spec, "rate", NAN, err) < 0 ||
        spec_key_int(&frame, spec, "frame", 1, 1 << 30, 0, err) < 0 ||
        spec_key_int(&header, spec, "header", 0, 1 << 20, 0, err) < 0 ||
        spec_choice(&which, spec, "latency", latency, err) < 0)
        return -1;
    c->frame = (double)frame;
    c->header = (double)header;
    c->serial = which == 1;
    return cost_copies(c, spec, err);
}

double cost_alone(const struct cost *c, double bytes)
{
    return c->a + c->b * cost_wire(c, bytes) / fmax(c->ports, 1);
}

double cost_gap(const struct cost *c, double bytes)
{
    return c->ports > 1 ? 0 : c->b * cost_wire(c, bytes) + (c->serial ? c->a : 0);
}

double cost_work(const struct cost *c, double)
{
    return c->o;
}

int cost_ports(struct cost *c, const struct spec *spec, struct err *err)
{
    int64_t ports;

    if (spec_key_int(&ports, spec, "ports", 1, 1 << 10, 1, err) < 0)
        return -1;
    c->ports = (int)ports;
    return cost_room(c, 2 * (size_t)c->n * (size_t)ports, 0, err);
}

int cost_how(struct cost *c, const struct spec *spec, struct err *err)
{
    static const char *const blocking[] = { "", "yes", "no", NULL };
    const char *ports = spec_get(spec, "ports");
    const bool all = ports && strcmp(ports, "all") == 0;
    int64_t some = 0;
    int which;

    if ((!all && spec_key_int(&some, spec, "ports", 1, 1 << 30, 1, err) < 0) ||
        spec_choice(&which, spec, "blocking", blocking, err) < 0)
        return -1;
    c->ports = (int)some;
    c->serial = which ? which == 1 : c->ports == 1;
    return 0;
}

double *cost_port(struct cost *c, int side, int p)
{
    double *port = c->free + ((size_t)side * (size_t)c->n + (size_t)p) * (size_t)c->ports, *best = port;

    for (int k = 1; k < c->ports; k++)
        best = port[k] < *best ? port + k : best;
    return best;
}

double cost_width(const struct cycles_links *l, const struct placement *where, struct err *err)
{
    const struct trunks *t = &l->trunks;
    const size_t n = (size_t)t->csr->n;
    double *sum, most = 0;

    if (TAKE("links of nodes", err, ZEROS(sum, 2 * n)) < 0)
        return NAN;
    for (size_t k = 0; k < t->csr->m; k++) {
        sum[l->from[k]] += trunks_bandwidth(t, k);
        sum[n + (size_t)t->csr->to[k]] += trunks_bandwidth(t, k);
    }
    for (int p = 0; p < where->n; p++)
        most = fmax(most, fmax(sum[where->node[p]], sum[n + (size_t)where->node[p]]));
    free(sum);
    return most;
}

void cost_lengths(struct cycles_links *l, double unit)
{
    if (unit == 0)
        FREE(l->length);
    l->length = unit == 0 ? NULL : l->length;
    for (size_t k = 0; l->length && k < l->trunks.nlink; k++)
        l->length[k] *= unit;
}

int cost_room(struct cost *c, size_t n, size_t links, struct err *err)
{
    c->nfree = n;
    c->ncarried = links;
    return TAKE("what is held", err, ZEROS(c->free, n), ZEROS_IF(links, c->carried, links));
}
