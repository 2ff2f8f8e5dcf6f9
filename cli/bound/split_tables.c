#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/bound/split_scene.h"

static const struct column main_columns[] = {
    { "topology", NULL, NULL, 0 },
    { "traffic", NULL, NULL, 0 },
    { "metapath", NULL, NULL, 0 },
    { "shares", NULL, NULL, 0 },
    { "routing", NULL, NULL, COLUMN_ASIDE },
    { "largest_load", "Largest load", NULL, 4 },
    { "load_ratio", "To optimal", NULL, 3 },
    { "capacity_interval_cycles", "Capacity", "cycles", -1 },
    { "capacity_scale", NULL, NULL, COLUMN_ASIDE },
    { "mean_hops", "Mean length", "hops", 3 },
    { "interval_cycles", "Interval", "cycles", -1 },
    { "load", NULL, NULL, COLUMN_ASIDE },
    { "mean_latency_cycles", "Mean latency", "cycles", 2 },
    { "max_latency_cycles", "Max", "cycles", 2 },
    { "rounds", NULL, NULL, COLUMN_ASIDE },
    { "gap", NULL, NULL, COLUMN_ASIDE },
    { "validity", NULL, NULL, 0 },
    { "valid", NULL, NULL, COLUMN_ASIDE },
    { "quality", NULL, NULL, COLUMN_ASIDE }
};
static const struct column share_columns[] = {
    { "topology", NULL, NULL, 0 },
    { "traffic", NULL, NULL, 0 },
    { "metapath", NULL, NULL, 0 },
    { "interval_cycles", "Interval", "cycles", -1 },
    { "channel", NULL, NULL, 0 },
    { "source", NULL, NULL, 0 },
    { "target", NULL, NULL, 0 },
    { "path", "Way", NULL, 0 },
    { "share_static", "Static", NULL, 4 },
    { "share_uniform", "Uniform", NULL, 4 },
    { "share_bandwidth", "Bandwidth", NULL, 4 },
    { "share_policy", "Policy", NULL, 4 },
    { "share_optimal", "Optimal", NULL, 4 }
};
static const struct column link_columns[] = {
    { "topology", NULL, NULL, 0 },
    { "traffic", NULL, NULL, 0 },
    { "metapath", NULL, NULL, 0 },
    { "interval_cycles", "Interval", "cycles", -1 },
    { "from", NULL, NULL, 0 },
    { "to", NULL, NULL, 0 },
    { "load_static", "Static", NULL, 4 },
    { "load_uniform", "Uniform", NULL, 4 },
    { "load_bandwidth", "Bandwidth", NULL, 4 },
    { "load_policy", "Policy", NULL, 4 },
    { "load_optimal", "Optimal", NULL, 4 },
    { "price", "Price", NULL, 4 }
};
#define COUNT(a) (sizeof(a) / sizeof *(a))

void split_table_init(struct table *t, enum split_table which)
{
    static const struct {
        const char *title;
        const struct column *column;
        size_t n;
    } tables[] = { { "Splitting over a metapath", main_columns, COUNT(main_columns) }, { "Shares of ways", share_columns, COUNT(share_columns) },
                   { "Loads of links", link_columns, COUNT(link_columns) } };

    table_init(t, tables[which].title, tables[which].column, tables[which].n);
}

static bool solved(const struct split_scheme *c)
{
    return c->study && c->why.code == ERR_NONE;
}

/* Whether its shares are known. */
static bool known(const struct split_scheme *c)
{
    return c->study && !isnan(c->largest);
}

static void add_request(const struct split_scene *s)
{
    table_text(s->t, s->net->spec);
    table_text(s->t, s->traffic.spec);
    table_text(s->t, s->label);
}

static const char *spec_of(const struct split_scheme *c, enum split_kind kind)
{
    return kind == POLICY ? c->policy.spec : c->routing.spec;
}

static void main_row(struct split_scene *s, enum split_kind kind, double interval, bool latency)
{
    const struct split_scheme *c = &s->scheme[kind];
    const struct latency_summary *y = &c->summary;
    const bool own = traffic_own(&s->traffic) != OWN_NONE, has = latency && solved(c);

    add_request(s);
    table_text(s->t, split_kind_name[kind]);
    table_text(s->t, spec_of(c, kind));
    table_real(s->t, known(c) ? c->largest : NAN);
    table_real(s->t, known(c) ? c->largest / s->scheme[OPTIMAL].largest : NAN);
    table_real(s->t, known(c) ? latency_capacity_interval(c->study) : NAN);
    table_real(s->t, known(c) && own ? c->study->capacity_factor : NAN);
    table_real(s->t, known(c) ? c->hops : NAN);
    table_real(s->t, has ? y->interval : interval);
    table_real(s->t, has ? y->load : NAN);
    table_real(s->t, has ? y->mean : NAN);
    table_real(s->t, has ? y->most : NAN);
    if (kind == OPTIMAL)
        table_int(s->t, (int64_t)s->split.rounds);
    else
        table_none(s->t);
    table_real(s->t, kind == OPTIMAL ? s->split.gap : NAN);
    table_text(s->t, has ? validity_name[y->validity] : latency ? "refused" : NULL);
    table_text(s->t, has ? y->validity == VALIDITY_GOOD ? "yes" : "no" : NULL);
    table_text(s->t, has ? y->validity == VALIDITY_GOOD ? "model" : "outside the model's validity" : latency ? "refused" : "exact");
    if (latency && !solved(c))
        table_note(s->t, "%s, %s: %s.", s->label, split_kind_name[kind], c->why.msg);
}

struct way {
    char *path;
    int source;
    size_t first;                       /* the order in which ways were met */
    double share[KINDS];
    int from, to;
};

static int by_path(const void *a, const void *b)
{
    const struct way *x = a, *y = b;
    const int order = x->source != y->source ? (x->source > y->source) - (x->source < y->source) : strcmp(x->path, y->path);

    return order ? order : (x->first > y->first) - (x->first < y->first);
}

static int by_source(const void *a, const void *b)
{
    const struct way *x = a, *y = b;

    return x->source != y->source ? (x->source > y->source) - (x->source < y->source) : (x->first > y->first) - (x->first < y->first);
}

static char *path_text(const struct net *net, const struct route_path *path)
{
    char *text = NULL, label[96];
    size_t size;
    FILE *out = open_memstream(&text, &size);

    if (!out)
        return NULL;
    for (size_t i = 0; i < path->n; i++)
        fprintf(out, "%s%s", i ? ">" : "", net_label(net, path->node[i], label));
    if (fclose(out) != 0) {
        free(text);
        return NULL;
    }
    return text;
}

/* Those of one kind with a share, of the optimal shares all; `*n` grows. */
static int add_ways(struct way *way, size_t *n, const struct split_scene *s, enum split_kind kind, struct route_path *path, struct err *err)
{
    const struct latency_study *study = s->scheme[kind].study;
    const struct flows *f = &study->flows;

    for (size_t i = 0; i < f->ninjection; i++) {
        struct way *w = &way[*n];

        if (kind != OPTIMAL && !(f->injection_share[i] > 0))
            continue;
        if (flows_way(path, f, i, err) < 0)
            return -1;
        *w = (struct way){ .path = path_text(s->net, path), .source = f->injection_source[i], .first = *n,
                           .from = path->node[0],
                           .to = path->node[path->n - 1] };
        if (!w->path)
            return err_memory(err);
        w->share[kind] = f->injection_share[i];
        ++*n;
    }
    return 0;
}

/* Ways that take the same nodes are one. */
static size_t merge_ways(struct way *way, size_t n)
{
    size_t m = 0;

    qsort(way, n, sizeof *way, by_path);
    for (size_t i = 0; i < n; i++)
        if (m && way[m - 1].source == way[i].source && strcmp(way[m - 1].path, way[i].path) == 0) {
            for (int k = 0; k < KINDS; k++)
                way[m - 1].share[k] += way[i].share[k];
            free(way[i].path);
        } else
            way[m++] = way[i];
    qsort(way, m, sizeof *way, by_source);
    return m;
}

static void way_row(const struct split_scene *s, const struct way *w, double interval)
{
    const int channel = s->scheme[OPTIMAL].study->flows.source[w->source].channel;
    char name[NET_LABEL];

    add_request(s);
    table_real(s->t, interval);
    if (channel >= 0)
        table_take(s->t, traffic_channel_label(&s->traffic, (size_t)channel));
    else
        table_none(s->t);
    table_text(s->t, net_label(s->net, w->from, name));
    table_text(s->t, net_label(s->net, w->to, name));
    table_text(s->t, w->path);
    for (int k = 0; k < KINDS; k++)
        table_real(s->t, known(&s->scheme[k]) ? w->share[k] : NAN);
}

static int share_rows(const struct split_scene *s, double interval, struct err *err)
{
    struct route_path path = { 0 };
    size_t room = 1, n = 0, m;
    struct way *way;
    int ret = 0;

    for (int k = 0; k < KINDS; k++)
        room += s->scheme[k].study ? s->scheme[k].study->flows.ninjection : 0;
    way = calloc(room, sizeof *way);
    if (!way)
        return err_memory(err);
    ret = add_ways(way, &n, s, OPTIMAL, &path, err);
    for (int k = 0; ret == 0 && k < OPTIMAL; k++)
        if (known(&s->scheme[k]))
            ret = add_ways(way, &n, s, (enum split_kind)k, &path, err);
    m = ret == 0 ? merge_ways(way, n) : n;
    for (size_t i = 0; i < m; i++) {
        if (ret == 0)
            way_row(s, &way[i], interval);
        free(way[i].path);
    }
    free(way);
    route_path_release(&path);
    return ret;
}

static void link_rows(const struct split_scene *s, double interval)
{
    const struct flows *f = &s->scheme[OPTIMAL].study->flows;
    char name[96];

    for (int v = 0; v < (int)f->copies; v++)
        for (size_t l = 0; l < f->nlink; l++) {
            const bool fold = f->copies > 1;
            const int from = fold ? v : f->link_from[l],
                      to = f->link_to[l] < 0 ? -1 : fold ? group_add(s->net->group, v, f->link_to[l]) : f->link_to[l];

            add_request(s);
            table_real(s->t, interval);
            table_text(s->t, net_label(s->net, from, name));
            table_text(s->t, to < 0 ? NULL : net_label(s->net, to, name));
            for (int k = 0; k < KINDS; k++)
                table_real(s->t, known(&s->scheme[k]) ? s->scheme[k].load[l] : NAN);
            table_real(s->t, s->split.price[l] / f->copies);
        }
}

int split_rows(struct split_scene *s, const struct load *load, struct err *err)
{
    const double interval = load ? load_interval(load, &s->traffic) : NAN;

    if (s->which == SPLIT_SHARES)
        return share_rows(s, interval, err);
    if (s->which == SPLIT_LINKS)
        link_rows(s, interval);
    else
        for (int k = 0; k < KINDS; k++)
            if (s->scheme[k].asked)
                main_row(s, (enum split_kind)k, interval, load);
    return 0;
}

void split_notes(struct split_scene *s)
{
    const struct flows *f = &s->scheme[OPTIMAL].study->flows;

    if (s->which == SPLIT_SHARES && f->copies > 1)
        table_note(s->t, "%s, %s: shares are the same from every node; the ways are those to one.", s->traffic.spec, s->label);
    if (s->scheme[POLICY].study && s->scheme[POLICY].policy.note[0])
        table_note(s->t, "%s: %s.", s->scheme[POLICY].policy.spec, s->scheme[POLICY].policy.note);
}
