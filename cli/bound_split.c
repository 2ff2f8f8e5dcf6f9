/* Spreading over given ways: shares by the routing, by bandwidth, by a policy, beside the shares that are best. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/policy.h"
#include "analysis/split.h"
#include "cli/bound.h"
#include "cli/load.h"

enum kind { STATIC, UNIFORM, BANDWIDTH, POLICY, OPTIMAL, KINDS };
static const char *const kind_name[] = { "static", "uniform", "bandwidth", "policy", "optimal" };
enum which { MAIN, SHARES, LINKS };

struct request {
    struct options common;
    struct load_request load;
    struct strings spec, supernode;
    const char *table, *policy, *write;
    bool first;
};
enum { KEY_SUPERNODE = 's', KEY_TABLE = 0x100, KEY_POLICY, KEY_WRITE, KEY_FIRST };

static const struct argp_option option[] = {
    LOAD_TRAFFIC_OPTIONS,
    { "supernode", KEY_SUPERNODE, "LIST", 0, "metapaths, as in sga:1,row:4 (`metapath list supernode`)", 0 },
    { "table", KEY_TABLE, "FILE", 0, "or the paths of each channel in FILE (`metapath help table`)", 0 },
    { "routing", KEY_ROUTING, "ROUTING", 0, "what leads from stop to stop: dor or minimal, with keys as in dor,order=1+2", 1 },
    { "policy", KEY_POLICY, "POLICY", 0, "what chooses between the first way and all: its name, with keys as in drb,threshold=20 "
      "(default: drb; `metapath list policy`)", 1 },
    { "first-round", KEY_FIRST, NULL, 0, "only the largest load is made as small as can be: sooner, for large problems", 1 },
    { "write-lp", KEY_WRITE, "FILE", 0, "write the program of the largest load, for other solvers: .lp (CPLEX LP) or .mps", 1 },
    LOAD_MODEL_OPTIONS,
    { 0 }
};

static int parse(int key, char *arg, void *own, struct err *err)
{
    struct request *q = own;

    switch (key) {
    case OPTION_ARGUMENT: return strings_add_list(&q->spec, arg, err);
    case KEY_SUPERNODE: return strings_add_list(&q->supernode, arg, err);
    case KEY_TABLE: q->table = arg; return 0;
    case KEY_POLICY: q->policy = arg; return 0;
    case KEY_WRITE: q->write = arg; return 0;
    case KEY_FIRST: q->first = true; return 0;
    default: return load_option(&q->load, key, arg, err);
    }
}

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

/* A kind of shares for one metapath. */
struct scheme {
    struct routing routing;
    struct policy policy;
    struct latency_study own, *study;   /* the policy's or its own; NULL: none, or refused */
    struct err why;                     /* it could not be opened, or not be solved at the load at hand; ERR_NONE: it was */
    bool asked;
    double *load, largest, hops;        /* by link of the study */
    struct latency_summary summary;
};
/* One metapath and traffic. */
struct scene {
    const struct request *q;
    enum which which;
    struct table *t;
    struct refused *refused;
    struct net *net;
    struct traffic traffic;
    struct latency_options o;
    const char *label, *base;           /* base: keys of the routing from stop to stop */
    struct load_point *point;
    size_t npoint;
    struct scheme scheme[KINDS];
    struct split split;
};

/* ---- opening -------------------------------------------------------------------------------------------------- */

#define SPEC 1400

/* "drb,threshold=20" -> "drb:static+sga:1,threshold=20". */
static int policy_text(char out[SPEC], const struct scene *s, struct err *err)
{
    const char *given = s->q->policy ? s->q->policy : "drb", *keys = given + strcspn(given, ",");

    if (memchr(given, ':', (size_t)(keys - given)))
        return err_set(err, ERR_USAGE, "--policy takes a policy without configurations, as in drb,threshold=20: they are those of the "
                       "metapath; '%.80s' names some", given);
    if (s->q->table)
        snprintf(out, SPEC, "%.*s%.300s,table=%.600s%s", (int)(keys - given), given, keys, s->q->table, s->base);
    else if (strchr(s->label, ','))
        return err_set(err, ERR_DOMAIN, "policies take supernodes without keys, and %.80s has some", s->label);
    else
        snprintf(out, SPEC, "%.*s:%s%.600s%.300s%s", (int)(keys - given), given, strcmp(s->label, "static") == 0 ? "" : "static+",
                 s->label, keys, s->base);
    return 0;
}

static void routing_text(char out[SPEC], const struct scene *s, enum kind kind)
{
    const char *shares = kind == BANDWIDTH ? ",shares=bandwidth" : "";

    if (s->q->table)
        snprintf(out, SPEC, "table:%.600s%s%s%s", s->q->table, kind == STATIC ? ",first=1" : "", shares, s->base);
    else
        snprintf(out, SPEC, "metapath:%.600s%s%s", kind == STATIC ? "static" : s->label, shares, s->base);
}

static int scheme_open(struct scheme *c, struct scene *s, enum kind kind, struct err *err)
{
    char text[SPEC];

    if (kind == POLICY) {
        if (policy_text(text, s, err) < 0 || policy_open(&c->policy, text, s->net, &s->traffic, &s->o, err) < 0)
            return -1;
        c->study = &c->policy.study;
    } else {
        routing_text(text, s, kind);
        if (routing_open(&c->routing, s->net, text, err) < 0 ||
            latency_open(&c->own, &s->traffic, &c->routing, 1, &s->o, err) < 0)
            return -1;
        c->study = &c->own;
    }
    c->load = calloc(c->study->flows.nlink + 1, sizeof *c->load);
    return c->load ? 0 : err_memory(err);
}

static int split(struct scene *s, const struct tick *tick, struct err *err)
{
    struct latency_study *study = s->scheme[OPTIMAL].study;
    const struct split_options o = { NULL, s->q->first, s->q->write, tick };

    return split_open(&s->split, study, &o, err) < 0 ? -1 : split_apply(study, &s->split, err);
}

/* The policy is told all loads, the others find their saturation. */
static int prepare(struct scene *s, struct scheme *c, enum kind kind, struct err *err)
{
    struct load *load;
    int ret;

    if (kind != POLICY)
        return s->npoint ? latency_saturation(c->study, err) : 0;
    load = malloc((s->npoint + 1) * sizeof *load);
    if (!load)
        return err_memory(err);
    for (size_t k = 0; k < s->npoint; k++)
        load[k] = load_at(&s->point[k], NAN);
    ret = policy_plan(&c->policy, load, s->npoint, err);
    free(load);
    return ret;
}

/* All alike folded or not, so that links can be told one by one: as the metapath itself, which comes first. */
static int open_schemes(struct scene *s, const struct tick *whole, struct err *err)
{
    static const enum kind order[] = { OPTIMAL, STATIC, UNIFORM, BANDWIDTH, POLICY };

    for (size_t i = 0; i < COUNT(order); i++) {
        const struct tick part = tick_part(whole, i ? 0.5 + 0.1 * (double)i : 0, i ? 0.6 + 0.1 * (double)i : 0.5);
        const enum kind kind = order[i];
        struct scheme *c = &s->scheme[kind];

        c->asked = s->npoint || (kind != BANDWIDTH && kind != POLICY);
        if (!c->asked)
            continue;
        s->o.collide.tick = &part;
        if (scheme_open(c, s, kind, err) < 0 || (kind == OPTIMAL && split(s, &part, err) < 0) || prepare(s, c, kind, err) < 0) {
            if (kind == OPTIMAL || !refused_take(s->refused, true, err))
                return -1;
            c->why = *err;
            c->study = NULL;
            *err = (struct err){ 0 };
        } else
            c->study->o.collide.tick = c->study->collide.o.tick = NULL;
        if (kind == OPTIMAL)
            s->o.unfolded = !(c->study->flows.copies > 1);
    }
    return 0;
}

static void close_schemes(struct scene *s)
{
    for (int k = 0; k < KINDS; k++) {
        struct scheme *c = &s->scheme[k];

        policy_close(&c->policy);
        latency_close(&c->own);
        routing_close(&c->routing);
        free(c->load);
        *c = (struct scheme){ 0 };
    }
    split_release(&s->split);
}

/* ---- solving -------------------------------------------------------------------------------------------------- */

static int measure(struct scheme *c, struct err *err)
{
    const struct flows *f = &c->study->flows;

    if (latency_capacity(c->study, err) < 0 || split_loads(c->load, c->study, err) < 0)
        return -1;
    c->largest = c->hops = 0;
    for (size_t l = 0; l < f->nlink; l++)
        c->largest = fmax(c->largest, c->load[l]);
    for (size_t i = 0; i < f->nroot; i++)
        c->hops += f->root_share[i] * f->root_hops[i] / (double)f->nsource;
    return 0;
}

static int solve(struct scheme *c, enum kind kind, const struct load *load, const struct tick *tick, struct err *err)
{
    struct policy_outcome outcome;
    int ret;

    c->study->o.collide.tick = c->study->collide.o.tick = tick;
    ret = kind == POLICY ? policy_solve(&c->policy, load, &outcome, err) : latency_solve(c->study, load, err);
    c->study->o.collide.tick = c->study->collide.o.tick = NULL;
    return ret < 0 ? -1 : latency_summary(&c->summary, c->study, load, err);
}

/* At a load (NULL: none); what has no solution there is marked. */
static int solve_all(struct scene *s, const struct load *load, const struct tick *whole, struct err *err)
{
    for (int k = 0; k < KINDS; k++) {
        const struct tick part = tick_part(whole, (double)k / KINDS, (double)(k + 1) / KINDS);
        struct scheme *c = &s->scheme[k];
        const bool moves = k == BANDWIDTH || k == POLICY;       /* shares are part of the solution */

        if (!c->study)
            continue;
        if (tick(&part, 0))
            return err_stopped(err);
        c->why = (struct err){ 0 };
        if (load && solve(c, (enum kind)k, load, &part, err) < 0) {
            if (!refused_take(s->refused, true, err))
                return -1;
            c->why = *err;
            *err = (struct err){ 0 };
        }
        c->largest = c->hops = NAN;
        if (!(moves && c->why.code != ERR_NONE) && measure(c, err) < 0)
            return -1;
    }
    return 0;
}

/* ---- tables --------------------------------------------------------------------------------------------------- */

static bool solved(const struct scheme *c)
{
    return c->study && c->why.code == ERR_NONE;
}

/* Whether its shares are known. */
static bool known(const struct scheme *c)
{
    return c->study && !isnan(c->largest);
}

static void add_request(const struct scene *s)
{
    table_text(s->t, s->net->spec);
    table_text(s->t, s->traffic.spec);
    table_text(s->t, s->label);
}

static const char *spec_of(const struct scheme *c, enum kind kind)
{
    return kind == POLICY ? c->policy.spec : c->routing.spec;
}

static void main_row(struct scene *s, enum kind kind, double interval, bool latency)
{
    const struct scheme *c = &s->scheme[kind];
    const struct latency_summary *y = &c->summary;
    const bool own = load_own(&s->traffic) != OWN_NONE, has = latency && solved(c);

    add_request(s);
    table_text(s->t, kind_name[kind]);
    table_text(s->t, spec_of(c, kind));
    table_real(s->t, known(c) ? c->largest : NAN);
    table_real(s->t, known(c) ? c->largest / s->scheme[OPTIMAL].largest : NAN);
    table_real(s->t, known(c) && !own ? 1 / c->study->capacity_factor : NAN);
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
        table_note(s->t, "%s, %s: %s.", s->label, kind_name[kind], c->why.msg);
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
static int add_ways(struct way *way, size_t *n, const struct scene *s, enum kind kind, struct route_path *path, struct err *err)
{
    const struct latency_study *study = s->scheme[kind].study;
    const struct flows *f = &study->flows;

    for (size_t i = 0; i < f->nroot; i++) {
        struct way *w = &way[*n];

        if (kind != OPTIMAL && !(f->root_share[i] > 0))
            continue;
        if (flows_way(path, f, i, err) < 0)
            return -1;
        *w = (struct way){ .path = path_text(s->net, path), .source = f->root_source[i], .first = *n, .from = path->node[0],
                           .to = path->node[path->n - 1] };
        if (!w->path)
            return err_memory(err);
        w->share[kind] = f->root_share[i];
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

static void way_row(const struct scene *s, const struct way *w, double interval)
{
    const int channel = s->scheme[OPTIMAL].study->flows.source[w->source].channel;
    char name[TRAFFIC_LABEL];

    add_request(s);
    table_real(s->t, interval);
    table_text(s->t, channel < 0 ? NULL : traffic_channel_label(&s->traffic, (size_t)channel, name));
    table_text(s->t, net_label(s->net, w->from, name));
    table_text(s->t, net_label(s->net, w->to, name));
    table_text(s->t, w->path);
    for (int k = 0; k < KINDS; k++)
        table_real(s->t, known(&s->scheme[k]) ? w->share[k] : NAN);
}

static int share_rows(const struct scene *s, double interval, struct err *err)
{
    struct route_path path = { 0 };
    size_t room = 1, n = 0, m;
    struct way *way;
    int ret = 0;

    for (int k = 0; k < KINDS; k++)
        room += s->scheme[k].study ? s->scheme[k].study->flows.nroot : 0;
    way = calloc(room, sizeof *way);
    if (!way)
        return err_memory(err);
    ret = add_ways(way, &n, s, OPTIMAL, &path, err);
    for (int k = 0; ret == 0 && k < OPTIMAL; k++)
        if (known(&s->scheme[k]))
            ret = add_ways(way, &n, s, (enum kind)k, &path, err);
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

static void link_rows(const struct scene *s, double interval)
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

static int add_rows(struct scene *s, const struct load *load, struct err *err)
{
    const double interval = load && load_own(&s->traffic) == OWN_NONE ? load->interval / load->factor : NAN;

    if (s->which == SHARES)
        return share_rows(s, interval, err);
    if (s->which == LINKS)
        link_rows(s, interval);
    else
        for (int k = 0; k < KINDS; k++)
            if (s->scheme[k].asked)
                main_row(s, (enum kind)k, interval, load);
    return 0;
}

static void add_notes(struct scene *s)
{
    const struct flows *f = &s->scheme[OPTIMAL].study->flows;

    if (s->which == SHARES && f->copies > 1)
        table_note(s->t, "%s, %s: shares are the same from every node; the ways are those to one.", s->traffic.spec, s->label);
    if (s->scheme[POLICY].study && s->scheme[POLICY].policy.note[0])
        table_note(s->t, "%s: %s.", s->scheme[POLICY].policy.spec, s->scheme[POLICY].policy.note);
}

/* ---- the whole ------------------------------------------------------------------------------------------------ */

static int one_metapath(struct scene *s, const struct tick *whole, struct err *err)
{
    const struct tick opening = tick_part(whole, 0, 0.6), solving = tick_part(whole, 0.6, 1);
    const size_t n = s->npoint ? s->npoint : 1;
    int ret;

    load_options(&s->o, &s->q->load, &s->q->common, NULL);
    ret = open_schemes(s, &opening, err);
    for (size_t i = 0; ret == 0 && i < n; i++) {
        const struct tick part = tick_part(&solving, (double)i / (double)n, (double)(i + 1) / (double)n);
        const struct load load = s->npoint ? load_at(&s->point[i], NAN) : (struct load){ 0 };

        ret = solve_all(s, s->npoint ? &load : NULL, &part, err);
        if (ret == 0)
            ret = add_rows(s, s->npoint ? &load : NULL, err);
    }
    if (ret == 0)
        add_notes(s);
    close_schemes(s);
    return ret;
}

static int read_points(struct scene *s, struct err *err)
{
    if (load_points(&s->point, &s->npoint, &s->q->load, err) < 0)
        return -1;
    if (s->npoint && !isnan(s->point[0].part))
        return err_set(err, ERR_USAGE, "shares are compared at equal loads; a percentage would be another for each");
    if (s->npoint == 0 && load_own(&s->traffic) == OWN_ALL) {   /* as they are */
        s->point = malloc(sizeof *s->point);
        if (!s->point)
            return err_memory(err);
        s->point[s->npoint++] = (struct load_point){ NAN, 1, NAN };
    }
    return 0;
}

static int one_traffic(struct scene *s, const char *text, const struct tick *whole, struct err *err)
{
    const struct request *q = s->q;
    const size_t n = q->table ? 1 : q->supernode.n;
    int ret = -1;

    if (traffic_open(&s->traffic, s->net, text, err) == 0 && load_suits(&q->load, &s->traffic, err) == 0 && read_points(s, err) == 0) {
        table_request(s->t, "traffic", s->traffic.spec);
        ret = q->table && s->traffic.matrix ? err_set(err, ERR_USAGE, "--table needs a traffic of channels; %s is a matrix", s->traffic.spec) : 0;
    }
    for (size_t i = 0; ret == 0 && i < n; i++) {
        const struct tick part = tick_part(whole, (double)i / (double)n, (double)(i + 1) / (double)n);

        s->label = q->table ? "table" : q->supernode.item[i];
        ret = one_metapath(s, &part, err);
    }
    free(s->point);
    s->point = NULL;
    traffic_release(&s->traffic);
    return ret;
}

static int compute(const struct request *q, enum which which, struct table *t, struct refused *refused, struct err *err)
{
    const size_t n = q->load.traffic.n ? q->load.traffic.n : 1;
    char base[300];
    struct scene s = { .q = q, .which = which, .t = t, .refused = refused, .base = base };
    struct progress p;
    int ret = load_base_keys(base, sizeof base, &q->load, "bound split", err);

    progress_begin(&p, q->common.progress);
    if (ret == 0)
        ret = net_open(&s.net, q->spec.item[0], err);
    if (ret == 0)
        table_request(t, "topology", s.net->spec);
    for (size_t i = 0; ret == 0 && i < n; i++) {
        const struct tick whole = progress_tick(&p), part = tick_part(&whole, (double)i / (double)n, (double)(i + 1) / (double)n);

        ret = one_traffic(&s, q->load.traffic.n ? q->load.traffic.item[i] : "uniform", &part, err);
    }
    progress_end(&p);
    net_close(s.net);
    return ret;
}

/* Lines of latency against the interval; bars at one; of loads where there is none. */
static int plot(const struct request *q, const struct table *t, struct err *err)
{
    static const char *const latency[] = { "mean_latency_cycles" }, *const load[] = { "largest_load" };
    static const char *const by_shares[] = { "shares", "metapath", "traffic" }, *const by_metapath[] = { "metapath", "traffic" };
    const int interval = table_find(t, "interval_cycles");
    const size_t traffics = q->load.traffic.n > 1, metapaths = q->supernode.n > 1 || traffics;
    struct natural figure = { .kind = "bar", .x = "shares", .y = latency, .ny = 1, .group = by_metapath, .ngroup = metapaths + traffics,
                              .y_scale = SCALE_LINEAR };
    bool any = false, several = false;

    for (size_t r = 0; r < table_rows(t); r++) {
        const struct cell *c = table_at(t, r, (size_t)interval), *first = table_at(t, 0, (size_t)interval);

        any = any || (c->type == CELL_REAL && !isnan(c->u.real));
        several = several || !cell_same(c, first);
    }
    if (!any)
        figure.y = load;
    if (several)
        figure = (struct natural){ .kind = "line", .x = "interval_cycles", .y = latency, .ny = 1, .group = by_shares,
                                   .ngroup = 1 + metapaths + traffics, .valid = "valid" };
    return options_plot(&q->common, t, &figure, err);
}

static int check(const struct request *q, struct err *err)
{
    if (q->spec.n != 1)
        return err_set(err, ERR_USAGE, "bound split needs one topology, as in `metapath bound split torus:8x8 --traffic transpose "
                       "--supernode sga:1`");
    if (!q->table == !q->supernode.n)
        return err_set(err, ERR_USAGE, "bound split needs ways to spread over: either --supernode, as in sga:1, or --table");
    if (q->write && (q->supernode.n > 1 || q->load.traffic.n > 1))
        return err_set(err, ERR_USAGE, "--write-lp is for one program: give one traffic and one metapath");
    return 0;
}

static int run(int argc, char **argv, struct err *err)
{
    static const char *const shows[] = { "shares", "links", NULL };
    static const struct {
        const char *title;
        const struct column *column;
        size_t n;
    } tables[] = { { "Splitting over a metapath", main_columns, COUNT(main_columns) }, { "Shares of ways", share_columns, COUNT(share_columns) },
                   { "Loads of links", link_columns, COUNT(link_columns) } };
    struct request q = { .common = { .shows = shows, .plots = true } };
    const struct option_run r = { option, parse, "SPEC",
        "How far shares of messages are from the best for the same ways.\vA row for each way to share: static (all over the first way, "
        "of supernodes the straight one), uniform (as metapath: and table: give them), bandwidth (in proportion to 1/latency, at the "
        "interval), policy (where it settles), optimal (the least largest link load, then the least next largest, and so on, then the "
        "least mean length; by linear programs whose answers are proved by their prices). Loads are in transmission times per "
        "interval, so that the fullest link transmits all the time at an interval of that many: the capacity; of channels with intervals of "
        "their own, in parts of the time. Latencies are those of the collision model. The price of a link (--show links) is what "
        "the largest load falls by per cable more there, at the margin.", &q };
    struct refused refused = { 0 };
    struct table t = { 0 };
    enum which which = MAIN;
    int ret = -1;

    load_init(&q.load);
    if (options_parse(&q.common, &r, argc, argv, err) < 0 || check(&q, err) < 0)
        goto done;
    for (int i = 0; q.common.show && shows[i]; i++)
        if (strcmp(shows[i], q.common.show) == 0)
            which = (enum which)(i + 1);
    if (which != MAIN && q.common.plot) {
        err_set(err, ERR_USAGE, "--plot draws the table of latencies and loads, not --show %s", q.common.show);
        goto done;
    }
    table_init(&t, tables[which].title, tables[which].column, tables[which].n);
    ret = compute(&q, which, &t, &refused, err);
    if (ret == 0 && which == MAIN)
        ret = plot(&q, &t, err);
    if (ret == 0)
        ret = options_sweep(&q.common, &t, &refused, err);
done:
    table_release(&t);
    strings_free(&q.spec);
    strings_free(&q.supernode);
    load_release(&q.load);
    return ret;
}

const struct bound bound_split = {
    .name = "split",
    .synopsis = "metapath bound split SPEC --supernode LIST [--traffic LIST] [--interval LIST]",
    .summary = "shares of messages over the ways of a metapath, beside the best there are",
    .source = "for the ways and their use: Franco, Garces and Luque 1999 (Distributed Routing Balancing)",
    .run = run
};
