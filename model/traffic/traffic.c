#include "model/traffic/traffic.h"

#include "registry/traffic.inc"

KIND(traffic, traffic, struct traffic_kind, .name = "traffic", .rank = 8)

static bool is_path(const char *text)
{
    size_t len = strlen(text);

    return text[strcspn(text, ":,")] == '\0' && len > 4 && strcmp(text + len - 4, ".csv") == 0;
}

static int traffic_open_spec(struct traffic *t, struct net *net, const char *text, struct err *err)
{
    struct spec spec = { 0 };
    int ret;

    t->kind = (const struct traffic_kind *)kind_spec(&spec, &kind_traffic, text, err);
    if (!t->kind)
        return -1;
    ret = t->kind->open ? t->kind->open(t, &spec, net, err) :
        err_set(err, ERR_INTERNAL, "traffic '%.80s' on %.200s was opened without the analysis that finds it", text,
                net->spec);
    spec_release(&spec);
    return ret;
}

int traffic_open(struct traffic *out, struct net *net, const char *text, struct err *err)
{
    struct traffic t = { .net = net };
    char *with_file = NULL;
    int ret;

    if (is_path(text) && asprintf(&with_file, "file:%s", text) < 0)
        return err_memory(err);
    ret = traffic_open_spec(&t, net, with_file ? with_file : text, err);
    free(with_file);
    if (ret < 0) {
        traffic_release(&t);
        return -1;
    }
    *out = t;
    return 0;
}

void traffic_release(struct traffic *t)
{
    if (t->kind && t->kind->close)
        t->kind->close(t);
    else
        free(t->state);
    for (size_t i = 0; i < t->nstream; i++)
        FREE(t->stream[i].name, t->stream[i].group);
    FREE(t->stream, t->first, t->spec);
    *t = (struct traffic){ 0 };
}

char *traffic_stream_label(const struct traffic *t, size_t stream)
{
    const struct stream *c = &t->stream[stream];

    return c->name ? strdup(c->name) : net_label_pair(t->net, c->source, "-", c->target);
}

char *traffic_source_label(const struct traffic *t, size_t i)
{
    const struct stream *c = t->matrix ? NULL : &t->stream[traffic_first(t, i)];
    char label[NET_LABEL];

    if (c && c->group)
        return strdup(c->group);
    return c && traffic_only(t, i) ? traffic_stream_label(t, traffic_first(t, i)) :
        strdup(net_label(t->net, c ? c->source : net_terminal(t->net, (int)i), label));
}

struct traffic_pace traffic_pace(const struct traffic *t, int stream, struct traffic_pace request)
{
    const struct stream *c = stream < 0 ? NULL : &t->stream[stream];
    const double time = c && !isnan(c->time) ? c->time : request.time;

    if (!c || isnan(c->interval))
        return (struct traffic_pace){ request.interval, time };
    return (struct traffic_pace){ c->interval * (t->offered && isnan(c->time) ? time : 1), time };
}

enum traffic_own traffic_own(const struct traffic *t)
{
    size_t own = 0;

    for (size_t i = 0; i < t->nstream; i++)
        own += isnan(t->stream[i].interval) ? 0 : 1;
    return own == 0 ? OWN_NONE : own < t->nstream ? OWN_SOME : OWN_ALL;
}

bool traffic_own_times(const struct traffic *t)
{
    for (size_t i = 0; i < t->nstream; i++)
        if (!isnan(t->stream[i].time))
            return true;
    return false;
}

/* ---- for the kinds ---------------------------------------------------------------------------------------- */

int traffic_room(struct traffic *t, size_t most, struct err *err)
{
    if (mem_need((double)most * (sizeof *t->stream + sizeof *t->first), "the traffic's channels", err) < 0)
        return -1;
    return TAKE("the traffic's channels", err, ZEROS(t->stream, most));
}

void traffic_add(struct traffic *t, int source, int target)
{
    t->stream[t->nstream++] = (struct stream){ .source = source, .target = target, .interval = NAN, .time = NAN,
                                               .share = 1 };
}

int traffic_group_nodes(struct traffic *t, struct err *err)
{
    if (TAKE("the traffic", err, ARRAY(t->first, t->nstream + 1)) < 0)
        return -1;
    for (size_t k = 0; k < t->nstream; k++)
        if (k == 0 || t->stream[k].source != t->stream[k - 1].source)
            t->first[t->nsource++] = k;
    t->first[t->nsource] = t->nstream;
    return 0;
}

int traffic_need_two(const struct traffic *t, struct err *err)
{
    if (t->net->nterminal < 2)
        return err_set(err, ERR_DOMAIN, "%s needs at least 2 terminals; %.200s has %d", t->kind->name, t->net->spec,
                       t->net->nterminal);
    return 0;
}

int traffic_need_bits(const struct traffic *t, struct err *err)
{
    int n = t->net->nterminal;

    if (n < 1 || (n & (n - 1)) != 0)
        return err_set(err, ERR_DOMAIN, "%s permutes binary digits and needs a power of two of terminals; %.200s has "
                       "%d", t->kind->name, t->net->spec, n);
    return 0;
}

int traffic_need_dimensions(const struct traffic *t, struct err *err)
{
    if (t->net->ndim == 0 || t->net->nterminal != t->net->n)
        return err_set(err, ERR_DOMAIN, "%s needs coordinates (torus, mesh, hypercube, ring); %.200s has none",
                       t->kind->name, t->net->spec);
    return 0;
}

void traffic_see_invariant(struct traffic *t)
{
    const struct group *g = t->net->group;
    const size_t n = (size_t)t->net->n, each = t->nstream / n;
    bool same = g && traffic_sources(t) == n && t->nstream == n * each;

    for (size_t k = 0; same && k < t->nstream; k++) {
        const struct stream *c = &t->stream[k], *model = &t->stream[k % each];
        const int step = group_add(g, model->target, group_negative(g, model->source));

        same = traffic_first(t, k / each) == k / each * each && c->source == (int)(k / each) &&
            c->share == model->share && group_add(g, c->source, step) == c->target;
    }
    t->invariant = same;
}

int traffic_permutation(struct traffic *t, const int *to, struct err *err)
{
    const struct net *net = t->net;

    if (traffic_room(t, (size_t)net->nterminal, err) < 0)
        return -1;
    for (int i = 0; i < net->nterminal; i++)
        if (i == to[i])
            t->silent++;
        else
            traffic_add(t, net_terminal(net, i), net_terminal(net, to[i]));
    if (t->nstream == 0)
        return err_set(err, ERR_DOMAIN, "%s needs a larger network than %.200s, where every terminal would send "
                       "to itself", t->kind->name, net->spec);
    traffic_see_invariant(t);
    return 0;
}

int traffic_permute(struct traffic *t, const struct spec *spec, struct net *net, struct err *err)
{
    int *index, ret;

    if ((t->kind->needs && t->kind->needs(t, err) < 0) || spec_no_params(spec, err) < 0 ||
        traffic_need_two(t, err) < 0 || spec_append(&t->spec, err, "%s", t->kind->name) < 0)
        return -1;
    if (TAKE("the traffic", err, ARRAY(index, net->nterminal)) < 0)
        return -1;
    for (int i = 0; i < net->nterminal; i++)
        index[i] = t->kind->to(net, i);
    ret = traffic_permutation(t, index, err);
    free(index);
    return ret;
}
