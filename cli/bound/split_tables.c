#include "cli/bound/split_scene.h"
#include "graph/base/order.h"

static const struct column main_columns[] = {
    PLAIN("topology"), PLAIN("traffic"), PLAIN("metapath"), PLAIN("shares"), ASIDE("routing"), ASIDE("loop"),
    { "largest_load", "Largest load", NULL, 4, LOOSE },
    { "load_ratio", "To optimal", NULL, YIELDS(3), LOOSE },
    { "capacity_interval_cycles", "Capacity", "cycles", -1, LOOSE },
    ASIDE("capacity_scale"),
    { "mean_hops", "Mean length", "hops", YIELDS(3), LOOSE },
    { "interval_cycles", "Interval", "cycles", COLUMN_ASIDE, LOOSE },
    { "load", "Load", NULL, COLUMN_ASIDE, LOOSE },
    { "mean_latency_cycles", "Mean latency", "cycles", 2, LOOSE },
    { "max_latency_cycles", "Max", "cycles", YIELDS(2), LOOSE },
    { "saturation_interval_cycles", "Saturation", "cycles", COLUMN_ASIDE, LOOSE },
    { "saturation_load", "Saturation", NULL, COLUMN_ASIDE, LOOSE },
    ASIDE("rounds"), ASIDE("gap"), PLAIN("validity"), ASIDE("valid"), ASIDE("quality")
};
static const struct column share_columns[] = {
    PLAIN("topology"), PLAIN("traffic"), PLAIN("metapath"),
    { "interval_cycles", "Interval", "cycles", -1, LOOSE },
    PLAIN("channel"), PLAIN("source"), PLAIN("target"),
    { "path", "Way", NULL, 0, LOOSE },
    { "share_static", "Static", NULL, 4, LOOSE },
    { "share_uniform", "Uniform", NULL, 4, LOOSE },
    { "share_bandwidth", "Bandwidth", NULL, 4, LOOSE },
    { "share_policy", "Policy", NULL, 4, LOOSE },
    { "share_optimal", "Optimal", NULL, 4, LOOSE }
};
static const struct column link_columns[] = {
    PLAIN("topology"), PLAIN("traffic"), PLAIN("metapath"),
    { "interval_cycles", "Interval", "cycles", -1, LOOSE },
    PLAIN("from"), PLAIN("to"),
    { "load_static", "Static", NULL, 4, LOOSE },
    { "load_uniform", "Uniform", NULL, 4, LOOSE },
    { "load_bandwidth", "Bandwidth", NULL, 4, LOOSE },
    { "load_policy", "Policy", NULL, 4, LOOSE },
    { "load_optimal", "Optimal", NULL, 4, LOOSE },
    { "price", "Price", NULL, 4, LOOSE }
};
const struct frame_table split_tables[] = {
    [SPLIT_MAIN] = { NULL, "Splitting over a metapath", COLUMNS(main_columns) },
    [SPLIT_SHARES] = { "shares", "Shares of ways", COLUMNS(share_columns) },
    [SPLIT_LINKS] = { "links", "Loads of links", COLUMNS(link_columns), .words = "from,to" }, { 0 }
};

static bool solved(const struct split_scheme *c)
{
    return c->study && c->why.code == ERR_NONE;
}

/* Whether its shares are known. */
static bool known(const struct split_scheme *c)
{
    return c->study && !isnan(c->largest);
}

/* What every row begins with. */
#define SPLIT_REQUEST(s) \
    cell_text("topology", (s)->net->spec), cell_text("traffic", (s)->traffic.spec), cell_text("metapath", (s)->label)

static const char *spec_of(const struct split_scheme *c, enum split_kind kind)
{
    return kind == POLICY ? c->policy.spec : c->routing.spec;
}

static void split_main_row(struct split_scene *s, enum split_kind kind, double interval, bool latency)
{
    const struct split_scheme *c = &s->scheme[kind];
    const bool own = traffic_own(&s->traffic) != OWN_NONE;
    const struct latency_summary *y = latency && solved(c) ? &c->summary : NULL;
    const double capacity = known(c) ? c->study->capacity_factor : NAN;

    table_add(s->j->t, ROW(
        SPLIT_REQUEST(s), cell_text("shares", split_kind_name[kind]), cell_text("routing", spec_of(c, kind)),
        cell_text("loop", y ? s->o.open ? "open" : "closed" : NULL),
        cell_real("largest_load", known(c) ? c->largest : NAN),
        cell_real("load_ratio", known(c) ? c->largest / s->scheme[OPTIMAL].largest : NAN),
        cell_real("capacity_interval_cycles", known(c) ? latency_capacity_interval(c->study) : NAN),
        cell_real("capacity_scale", own ? capacity : NAN), cell_real("mean_hops", known(c) ? c->hops : NAN),
        cell_real("interval_cycles", y ? y->interval : interval), cell_real("load", y ? y->load : NAN),
        cell_real("mean_latency_cycles", y ? y->mean : NAN), cell_real("max_latency_cycles", y ? y->most : NAN),
        cell_real("saturation_interval_cycles", y && s->o.open ? y->saturation_interval : NAN),
        cell_real("saturation_load", y && s->o.open ? y->saturation_load : NAN),
        cell_count("rounds", kind == OPTIMAL ? (double)s->split.rounds : NAN),
        cell_real("gap", kind == OPTIMAL ? s->split.gap : NAN),
        cell_text("validity", y ? validity_name[y->validity] : latency ? "refused" : NULL),
        cell_text("valid", y ? y->validity == VALIDITY_GOOD ? "yes" : "no" : NULL),
        cell_text("quality", y ? y->validity == VALIDITY_GOOD ? "model" : "outside the model's validity" : latency ?
                  "refused" : "exact")));
    if (latency && !y)
        table_note(s->j->t, "%s, %s: %s.", s->label, split_kind_name[kind], c->why.msg);
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
    const int order = x->source != y->source ? (x->source > y->source) - (x->source < y->source) :
        strcmp(x->path, y->path);

    return order ? order : (x->first > y->first) - (x->first < y->first);
}

ORDER(by_source, struct way, UP(source) UP(first))

/* Those of one kind with a share, of the optimal shares all; `*n` grows. */
static int add_ways(struct way *way, size_t *n, const struct split_scene *s, enum split_kind kind,
                    struct route_path *path, struct err *err)
{
    const struct latency_study *study = s->scheme[kind].study;
    const struct flows *f = &study->flows;

    for (size_t i = 0; i < f->ninjection; i++) {
        struct way *w = &way[*n];

        if (kind != OPTIMAL && !(f->injection_share[i] > 0))
            continue;
        if (flows_way(path, f, i, err) < 0)
            return -1;
        *w = (struct way){ .path = route_path_text(path, s->net, ">"), .source = f->injection_source[i], .first = *n,
                           .from = path->node[0], .to = path->node[path->n - 1] };
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

static void split_way_row(const struct split_scene *s, const struct way *w, double interval)
{
    char from[NET_LABEL], to[NET_LABEL];
    double share[KINDS];

    for (int k = 0; k < KINDS; k++)
        share[k] = known(&s->scheme[k]) ? w->share[k] : NAN;
    table_add(s->j->t, ROW(
        SPLIT_REQUEST(s), cell_real("interval_cycles", interval),
        s->traffic.matrix ? cell_none("channel") :
            cell_take("channel", traffic_source_label(&s->traffic, (size_t)w->source)),
        cell_text("source", net_label(s->net, w->from, from)), cell_text("target", net_label(s->net, w->to, to)),
        cell_text("path", w->path), cell_real("share_static", share[STATIC]),
        cell_real("share_uniform", share[UNIFORM]), cell_real("share_bandwidth", share[BANDWIDTH]),
        cell_real("share_policy", share[POLICY]), cell_real("share_optimal", share[OPTIMAL])));
}

static int split_share_rows(const struct split_scene *s, double interval, struct err *err)
{
    struct route_path path = { 0 };
    size_t room = 1, n = 0, m;
    struct way *way;
    int ret = 0;

    for (int k = 0; k < KINDS; k++)
        room += s->scheme[k].study ? s->scheme[k].study->flows.ninjection : 0;
    if (TAKE("the table", err, ZEROS(way, room)) < 0)
        return -1;
    ret = add_ways(way, &n, s, OPTIMAL, &path, err);
    for (int k = 0; ret == 0 && k < OPTIMAL; k++)
        if (known(&s->scheme[k]))
            ret = add_ways(way, &n, s, (enum split_kind)k, &path, err);
    m = ret == 0 ? merge_ways(way, n) : n;
    for (size_t i = 0; i < m; i++) {
        if (ret == 0)
            split_way_row(s, &way[i], interval);
        free(way[i].path);
    }
    free(way);
    route_path_release(&path);
    return ret;
}

static void split_link_rows(const struct split_scene *s, double interval)
{
    const struct flows *f = &s->scheme[OPTIMAL].study->flows;
    const bool fold = f->copies > 1;
    char tail[NET_LABEL], head[NET_LABEL];
    double load[KINDS];

    for (int v = 0; v < (int)f->copies; v++)
        for (size_t l = 0; l < f->nlink; l++) {
            const int from = fold && f->link_from[l] >= 0 ? v : f->link_from[l],
                      to = f->link_to[l] < 0 ? -1 : fold ? group_add(s->net->group, v, f->link_to[l]) : f->link_to[l];

            if ((from < 0 || to < 0) && f->port_first[l] == f->port_first[l + 1])
                continue;               /* no message enters or leaves there */
            for (int k = 0; k < KINDS; k++)
                load[k] = known(&s->scheme[k]) ? s->scheme[k].load[l] : NAN;
            table_add(s->j->t, ROW(
                SPLIT_REQUEST(s), cell_real("interval_cycles", interval),
                cell_text("from", from < 0 ? NULL : net_label(s->net, from, tail)),
                load_link_end("to", f, l, to, head), cell_real("load_static", load[STATIC]),
                cell_real("load_uniform", load[UNIFORM]), cell_real("load_bandwidth", load[BANDWIDTH]),
                cell_real("load_policy", load[POLICY]), cell_real("load_optimal", load[OPTIMAL]),
                cell_real("price", s->split.price[l] / f->copies)));
        }
}

int split_rows(struct split_scene *s, const struct load *load, struct err *err)
{
    const double interval = load ? load_interval(load, &s->traffic) : NAN;

    if (s->j->which == SPLIT_SHARES)
        return split_share_rows(s, interval, err);
    if (s->j->which == SPLIT_LINKS)
        split_link_rows(s, interval);
    else
        for (int k = 0; k < KINDS; k++)
            if (s->scheme[k].asked)
                split_main_row(s, (enum split_kind)k, interval, load);
    return 0;
}

void split_notes(struct split_scene *s)
{
    const struct flows *f = &s->scheme[OPTIMAL].study->flows;

    if (s->j->which == SPLIT_SHARES && f->copies > 1)
        table_note(s->j->t, "%s, %s: shares are the same from every node; the table lists the paths of one.",
            s->traffic.spec,
                   s->label);
    if (s->scheme[POLICY].study && s->scheme[POLICY].policy.note[0])
        table_note(s->j->t, "%s: %s.", s->scheme[POLICY].policy.spec, s->scheme[POLICY].policy.note);
}
