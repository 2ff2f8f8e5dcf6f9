/* Spreading over given ways: shares by the routing, by bandwidth, by a policy, beside the shares that are best. */
#include "cli/bound/bound.h"
#include "cli/request/latency_lines.h"
#include "cli/request/link_panels.h"
#include "cli/request/look.h"
#include "cli/bound/split_scene.h"
#include "texts/bound.h"

static const struct option_field split_own_options[] = {
    { .help = "Question:", .group = 0 },
    { BOUND_SPLIT_SUPERNODE, 0, INTO_OF(struct split_request, supernode) },
    { BOUND_SPLIT_TABLE, 0, INTO_OF(struct split_request, table) },
    { BOUND_SPLIT_ROUTING, 0, INTO_OF(struct split_request, load.routing) },
    { BOUND_SPLIT_POLICY, 0, INTO_OF(struct split_request, policy) },
    { BOUND_SPLIT_FIRST_ROUND, 0, INTO_OF(struct split_request, first) },
    { BOUND_SPLIT_WRITE_LP, 0, INTO_OF(struct split_request, write), .writes = true }, { 0 }
};

/* ---- the whole ---- */

static int split_metapath(struct split_scene *s, const struct tick *whole, struct err *err)
{
    const struct tick opening = tick_part(whole, 0, 0.6), solving = tick_part(whole, 0.6, 1);
    const size_t n = s->npoint ? s->npoint : 1;
    int ret;

    if (load_options(&s->o, &s->q->load, &s->traffic, &s->q->common, NULL, err) < 0)
        return -1;
    if (s->npoint)
        if (load_say(s->j, &s->o, err) < 0)
        return -1;
    ret = split_schemes_open(s, &opening, err);
    for (size_t i = 0; ret == 0 && i < n; i++) {
        const struct tick part = tick_step(&solving, i, n);
        const struct load load = s->npoint ? load_at(&s->point[i], NAN) : (struct load){ 0 };

        ret = split_schemes_solve(s, s->npoint ? &load : NULL, &part, err);
        if (ret == 0)
            ret = split_rows(s, s->npoint ? &load : NULL, err);
    }
    if (ret == 0)
        split_notes(s);
    split_schemes_close(s);
    return ret;
}

static int split_read_points(struct split_scene *s, struct err *err)
{
    if (load_points(&s->point, &s->npoint, &s->q->load, s->net, &s->traffic, &s->j->tick, err) < 0)
        return -1;
    if (s->npoint && !isnan(s->point[0].part))
        return err_set(err, ERR_USAGE, "shares are compared at the same load; a percentage would be a different load "
            "for each");
    return 0;
}

static int split_traffic(struct job *j, const char *text, const struct tick *whole, struct err *err)
{
    const struct split_request *q = j->request;
    const size_t n = q->table ? 1 : q->supernode.n;
    char base[300];
    struct split_scene s = { .j = j, .q = q, .net = j->net, .base = base };
    const struct worst_options worst = { .jobs = q->common.jobs, .tick = whole };
    int ret = -1;

    if (load_base_keys(base, sizeof base, &q->load, "bound split", err) == 0 &&
        load_traffic(&s.traffic, s.net, text, NULL, &worst, err) == 0 &&
        load_suits(&q->load, &s.traffic, err) == 0 && split_read_points(&s, err) == 0) {
        table_request(j->t, "traffic", s.traffic.spec);
        if (s.npoint > 0)
            load_note_caution(j->t, &s.traffic);
        ret = 0;
        if (q->table && s.traffic.matrix)
            ret = err_set(err, ERR_USAGE, "--table needs a traffic of channels; %s is a matrix", s.traffic.spec);
    }
    for (size_t i = 0; ret == 0 && i < n; i++) {
        const struct tick part = tick_step(whole, i, n);

        s.label = q->table ? "table" : q->supernode.item[i];
        ret = split_metapath(&s, &part, err);
    }
    free(s.point);
    traffic_release(&s.traffic);
    return ret;
}

static int split_network(struct job *j, struct err *err)
{
    const struct load_request *q = &((const struct split_request *)j->request)->load;

    if (load_each_traffic(j, q, split_traffic, err) < 0)
        return -1;
    load_note_base(j->t, j->net, q);
    return 0;
}

/* ---- figures ---- */

/* Lines of latency against the interval; bars at one; of loads where there is none. */
static int split_figure_main(struct picture *f, const struct table *t, struct err *err)
{
    static const char *const latency[] = { "mean_latency_cycles" }, *const load[] = { "largest_load" };
    static const char *const by_shares[] = { "shares", "metapath", "traffic" },
        *const by_metapath[] = { "metapath", "traffic" };
    const struct split_request *q = f->request;
    const size_t traffics = look_varies(t, "traffic"), metapaths = look_varies(t, "metapath") || traffics;
    struct natural figure = { .kind = "bar", .x = "shares", .y = load, .ny = 1, .group = by_metapath,
                              .ngroup = metapaths + traffics, .y_scale = SCALE_LINEAR };

    for (size_t r = 0; r < table_rows(t); r++)
        if (!isnan(look_real(t, r, "interval_cycles")))
            figure.y = latency;
    if (look_varies(t, "interval_cycles"))
        return latency_figure_lines(f, t, &(struct natural){ .kind = "line", .x = load_axis(q ? &q->load : NULL, t),
                                    .y = latency, .ny = 1, .group = by_shares, .ngroup = 1 + metapaths + traffics,
                                    .valid = "valid" }, err);
    return options_figure(f, t, &figure, err);
}

/* A panel for each kind of shares that is known. */
static int split_figure_links(struct picture *f, const struct table *t, struct err *err)
{
    static const struct panel_column panel[] = { { "metapath", NULL, false }, { "traffic", NULL, false },
                                                 { "interval_cycles", "every %.4g %s", false } };
    static const char *const all[] = { "load_static", "load_uniform", "load_bandwidth", "load_policy", "load_optimal" };
    const char *value[5];
    struct link_panels links = { panel, 3, value, 0, "Load", NULL, false };

    for (size_t k = 0; k < 5; k++)
        for (size_t r = 0; r < table_rows(t); r++)
            if (!isnan(look_real(t, r, all[k]))) {
                value[links.nvalue++] = all[k];
                break;
            }
    return link_panels_figure(f, t, &links, err);
}

static int split_check(struct job *j, struct err *err)
{
    const struct split_request *q = j->request;

    if (q->common.spec.n != 1)
        return err_set(err, ERR_USAGE, "bound split needs one topology, as in `metapath bound split torus:8x8 "
                       "--traffic transpose --supernode sga:1`");
    if (!q->table == !q->supernode.n)
        return err_set(err, ERR_USAGE, "bound split needs paths to spread messages over: give --supernode, as in "
            "sga:1, or --table");
    if (q->write && (q->supernode.n > 1 || q->load.traffic.n > 1))
        return err_set(err, ERR_USAGE, "--write-lp is for one program: give one traffic and one metapath");
    if (j->which == SPLIT_SHARES && j->o->plot)
        return err_set(err, ERR_USAGE, "there is no figure of shares: leave out --plot or --show shares");
    return 0;
}

static int split_figure(struct picture *f, const struct table *t, int which, struct err *err)
{
    return which == SPLIT_SHARES ? 0 : which == SPLIT_LINKS ? split_figure_links(f, t, err) :
        split_figure_main(f, t, err);
}

static const struct frame split_frame = {
    BOUND_SPLIT_FRAME, .option = split_own_options,
    .shared = (const struct option_part[]){ LOAD_OPTIONS(struct split_request, equal),
        LOAD_ROUTER_OPTIONS(struct split_request), { 0 } },
    FRAME_REQUEST(struct split_request, .load = LOAD_USUAL), .table = split_tables, .plots = true,
    .check = split_check, .network = split_network, .fact = load_fact, .figure = split_figure
};

const struct cmd bound_split = { BOUND_SPLIT_ENTRY, .frame = &split_frame };
