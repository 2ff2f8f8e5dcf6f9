/* The linear program of shares.
 *   columns   each way of each pair, with what of its messages crosses which link; links in use are numbered
 *   program   rows of pairs, of links' loads and of loads against the level L (split_program.h)
 *   names     of rows and columns, for a program written into a file */
#include "analysis/policy/split_program.h"
#include "analysis/load/flows_spread.h"

void split_program_close(struct split_program *p)
{
    lp_close(p->lp);
    FREE(p->demand, p->injection, p->first, p->link, p->value, p->pair, p->part, p->number, p->used, p->capacity,
         p->fixed, p->bound, p->weight);
}

void split_demands(double *demand, const struct latency_study *s)
{
    flows_offered(demand, &s->flows, (struct traffic_pace){ s->o.collide.time, s->o.collide.time });
}

int split_check_intervals(const struct flows *f, struct err *err)
{
    return traffic_own(f->traffic) != OWN_SOME ? 0 :
        err_set(err, ERR_DOMAIN, "some channels have intervals of their own and others have none: what each adds to a "
                "link's load is not known; give all of them one, or none");
}

/* ---- ways as columns ---- */

static bool allowed(const struct latency_study *s, size_t injection)
{
    return s->flows.injection_option[injection] == s->option[s->flows.injection_source[injection]];
}

static int split_add_entry(struct split_program *p, int link, double value, struct err *err)
{
    /* a folded way may take links of a kind again and again */
    for (size_t i = p->first[p->n]; i < p->nentry; i++)
        if (p->link[i] == link) {
            p->value[i] += value;
            return 0;
        }
    if (GROW(&p->room, p->nentry + 1, "a linear program of shares", err, GROWN(p->link), GROWN(p->value)) < 0)
        return -1;
    p->link[p->nentry] = link;
    p->value[p->nentry++] = value;
    return 0;
}

static int split_add_links(struct split_program *p, size_t injection, struct flows_spread *w, struct err *err)
{
    const struct flows *f = p->f;
    double mass = p->demand[f->injection_source[injection]];
    int s = f->injection_state[injection], ret = split_add_entry(p, f->port_link[f->injection_port[injection]], mass,
                                                                 err);

    flows_spread_add(w, s, mass);
    while (flows_spread_next(w, &s, &mass))
        for (uint32_t e = f->edge_first[s]; ret == 0 && e < f->edge_first[s + 1]; e++)
            ret = split_add_entry(p, f->port_link[f->edge_port[e]], mass * f->edge_share[e], err);
    return ret;
}

/* Columns, pairs and entries; ways that the routing gives no messages are ways nevertheless. */
static int split_add_columns(struct split_program *p, struct err *err)
{
    const struct flows *f = p->f;
    struct flows_spread w = { 0 };
    int last = -1, ret = flows_spread_open(&w, f, err);

    for (size_t i = 0; ret == 0 && i < f->ninjection; i++) {
        if (!allowed(p->s, i))
            continue;
        if (f->injection_pair[i] != last) {
            p->pair[p->npair] = p->n;
            p->part[p->npair++] = 0;
            last = f->injection_pair[i];
        }
        p->part[p->npair - 1] += f->injection_given[i];
        p->injection[p->n] = i;
        p->first[p->n] = p->nentry;
        ret = split_add_links(p, i, &w, err);
        p->n++;
        if (ret == 0 && (double)p->nentry > SPLIT_ENTRIES)
            ret = err_set(err, ERR_DOMAIN,
                          "the ways of these messages cross links more than %g times: too much for a linear program; "
                          "offer fewer ways or messages", SPLIT_ENTRIES);
    }
    p->pair[p->npair] = p->n;
    p->first[p->n] = p->nentry;
    flows_spread_close(&w);
    return ret;
}

static int split_number_links(struct split_program *p, const double *capacity, struct err *err)
{
    for (size_t l = 0; l < p->f->nlink; l++)
        p->number[l] = -1;
    for (size_t i = 0; i < p->nentry; i++) {
        const int l = p->link[i];

        if (p->number[l] < 0) {
            p->capacity[p->nused] = capacity ? capacity[l] : flows_bandwidth(p->f, (size_t)l);
            if (!(p->capacity[p->nused] > 0 && isfinite(p->capacity[p->nused])))
                return err_set(err, ERR_DOMAIN, "a link's capacity is %g; it must be positive", p->capacity[p->nused]);
            p->used[p->nused] = l;
            p->number[l] = (int)p->nused++;
        }
        p->link[i] = p->number[l];
    }
    return 0;
}

/* Rows are one per pair and two per link, columns the shares, a load per link and L: before anything is built. */
static int split_check_size(const struct split_program *p, struct err *err)
{
    const struct flows *f = p->f;
    size_t columns = 0, pairs = 0;
    int last = -1;
    double rows;

    for (size_t i = 0; i < f->ninjection; i++)
        if (allowed(p->s, i)) {
            columns++;
            pairs += f->injection_pair[i] != last;
            last = f->injection_pair[i];
        }
    rows = (double)pairs + 2 * (double)f->nlink;
    if (rows <= SPLIT_ROWS && columns <= SPLIT_COLUMNS)
        return 0;
    return err_set(err, ERR_DOMAIN,
                   "a linear program of %.0f rows (pairs, links) and %zu columns (ways) is too large here; %d and %d "
                   "are taken: fewer ways or messages, or a smaller network", rows, columns, SPLIT_ROWS, SPLIT_COLUMNS);
}

static int split_program_fill(struct split_program *p, const double *capacity, struct err *err)
{
    const struct flows *f = p->f;
    const size_t ways = f->ninjection + 1;

    if (split_check_intervals(f, err) < 0 || split_check_size(p, err) < 0)
        return -1;
    if (TAKE("a linear program of shares", err, ARRAY(p->demand, f->nsource), ZEROS(p->fixed, f->nlink),
             ZEROS(p->bound, f->nlink), ZEROS(p->weight, f->nlink), ARRAY(p->injection, ways), ARRAY(p->first, ways),
             ARRAY(p->pair, ways), ARRAY(p->part, ways), ARRAY(p->number, f->nlink), ARRAY(p->used, f->nlink),
             ARRAY(p->capacity, f->nlink)) < 0)
        return -1;
    split_demands(p->demand, p->s);
    for (size_t i = 0; i < f->nsource; i++)
        p->scale = fmax(p->scale, p->demand[i]);
    for (size_t i = 0; i < f->nsource; i++)
        p->demand[i] /= p->scale;
    return split_add_columns(p, err) < 0 ? -1 : split_number_links(p, capacity, err);
}

/* ---- the program ---- */

/* What both file formats take as a name; where something had to go, or others may be called the same, a number makes it
 * one of its own. */
static const char *split_plain(char *name, size_t size, size_t number, bool changed)
{
    for (char *c = name; *c; c++)
        if (!((*c >= '0' && *c <= '9') || (*c >= 'A' && *c <= 'Z') || (*c >= 'a' && *c <= 'z') ||
              strchr("()/,._", *c))) {
            changed = changed || *c != '-';
            *c = *c == '-' ? '/' : '_';
        }
    if (changed) {
        const size_t len = strlen(name);

        snprintf(name + len, size - len, "#%zu", number);
    }
    return name;
}

#define NAME 256                /* no more is taken */
#define CUT 230                 /* of labels, before a number that makes up for what is lost */

/* However it branches, a way ends at its target. */
static int split_target_of(const struct flows *f, size_t injection)
{
    int state = f->injection_state[injection], port = f->injection_port[injection];
    int node = f->injection_node ? f->injection_node[injection] : 0;

    for (;;) {
        const int to = f->link_to[f->port_link[port]];
        const uint32_t e = f->edge_first[state];

        if (to >= 0)            /* not out of the network */
            node = f->copies > 1 ? group_add(f->net->group, node, to) : to;
        if (f->edge_first[state + 1] == e)
            return node;
        port = f->edge_port[e];
        state = f->edge_child[e];
    }
}

static const char *split_way_name(char out[NAME], const struct split_program *p, size_t column, size_t pair,
                                  bool numbered)
{
    const struct flows *f = p->f;
    const size_t injection = p->injection[column];
    const size_t source = (size_t)f->injection_source[injection];
    const struct stream *only = traffic_only(f->traffic, source);
    char *label = NULL, number[30] = "";
    int len;

    if (numbered)
        snprintf(number, sizeof number, ",%zu", column - p->pair[pair] + 1);
    if (only)
        label = traffic_stream_label(f->traffic, traffic_first(f->traffic, source));
    else
        label = net_label_pair(f->net, f->injection_node ? f->injection_node[injection] : f->source[source].node, ",",
                               split_target_of(f, injection));
    len = snprintf(out, CUT, "%s(%s%s)", numbered ? "share" : "pair", label ? label : "", number);
    free(label);
    return split_plain(out, NAME, numbered ? column : pair,
                 len >= CUT || (!f->traffic->matrix && !(only && only->name)));
}

static const char *split_link_name(char out[NAME], const struct split_program *p, size_t k, const char *what)
{
    const struct flows *f = p->f;
    const int l = p->used[k];
    char label[2][NET_LABEL], number[24];
    const char *port = flows_cable_name(f, (size_t)l, number);
    const int len = snprintf(out, CUT, "%s(%s,%s%s%s)", what,
                             f->link_from[l] < 0 ? "in" : net_label(f->net, f->link_from[l], label[0]),
                             f->link_to[l] < 0 ? "out" : net_label(f->net, f->link_to[l], label[1]), *port ? "," : "",
                             port);

    return split_plain(out, NAME, k, len >= CUT);
}

static int split_build_rows(struct split_program *p, struct err *err)
{
    char name[NAME];
    bool ok = true;

    for (size_t i = 0; ok && i < p->npair; i++)
        ok = lp_row(p->lp, p->part[i], p->part[i], split_way_name(name, p, p->pair[i], i, false), err) >= 0;
    for (size_t k = 0; ok && k < p->nused; k++)
        ok = lp_row(p->lp, 0, 0, split_link_name(name, p, k, "sum"), err) >= 0;
    for (size_t k = 0; ok && k < p->nused; k++)
        ok = lp_row(p->lp, -INFINITY, 0, split_link_name(name, p, k, "level"), err) >= 0;
    return ok ? 0 : -1;
}

static int split_build_columns(struct split_program *p, struct err *err)
{
    int *row;
    double *value;
    bool ok = TAKE("a linear program of shares", err, ARRAY(row, p->nused + 2), ARRAY(value, p->nused + 2)) == 0;
    char name[NAME];

    for (size_t i = 0, pair = 0; ok && i < p->n; i++) {
        size_t n = 1;

        while (i >= p->pair[pair + 1])
            pair++;
        row[0] = (int)pair;
        value[0] = 1;
        for (size_t e = p->first[i]; e < p->first[i + 1]; e++, n++) {
            row[n] = split_load_row(p, (size_t)p->link[e]);
            value[n] = p->value[e];
        }
        ok = lp_column(p->lp, &(struct lp_column){ .up = INFINITY, .name = split_way_name(name, p, i, pair, true),
                       .n = n, .row = row, .value = value }, err) >= 0;
    }
    for (size_t k = 0; ok && k < p->nused; k++)
        ok = lp_column(p->lp, &(struct lp_column){ .up = INFINITY, .name = split_link_name(name, p, k, "load"), .n = 2,
                       .row = (const int[]){ split_load_row(p, k), split_level_row(p, k) },
                       .value = (const double[]){ -1, 1 } }, err) >= 0;
    for (size_t k = 0; ok && k < p->nused; k++) {
        row[k] = split_level_row(p, k);
        value[k] = -p->capacity[k];
    }
    ok = ok && lp_column(p->lp, &(struct lp_column){ .up = INFINITY, .cost = 1, .name = "largest", .n = p->nused,
                         .row = row, .value = value }, err) >= 0;
    FREE(row, value);
    return ok ? 0 : -1;
}

int split_program_open(struct split_program *p, const struct latency_study *s, const double *capacity, struct err *err)
{
    *p = (struct split_program){ .s = s, .f = &s->flows };
    return split_program_fill(p, capacity, err) < 0 || lp_open(&p->lp, "split", false, err) < 0 ||
        split_build_rows(p, err) < 0 ? -1 : split_build_columns(p, err);
}
