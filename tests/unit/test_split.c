/* Shares that split load best: published and closed answers; every grid of shares tried on streams of few ways; the
 * order of loads against a twin that asks of each link singly, by programs of its own, whether it could carry less;
 * the prices held to the duality theorem on matrices of links and ways made from node sequences. SEED=n repeats a
 * run. */
#include <glpk.h>
#include <string.h>
#include <unistd.h>

#include "analysis/policy/split.h"
#include "tests/support/check.h"
#include "tests/support/nets.h"
#include "tests/support/scene.h"

#define TD 25.0
#define CHANNELS 6
#define WAYS 3

static struct err err;
static struct rng rng;

/* ---- scenes of a few ways over a stop ------------------------------------------------------------------------- */

/* Up to WAYS ways of a stream, of which the first is straight, over stops drawn by its ends. */
static int few_ways(struct ways *w, struct routing *r, const char *stream, int source, int target, struct err *e)
{
    struct rng own;
    int count = 0;

    (void)stream;
    rng_seed(&own, *(uint64_t *)r->state + 1000 * (uint64_t)source + (uint64_t)target);
    count = 1 + (int)rng_below(&own, WAYS);
    if (ways_add(w, &target, 1, 1.0 / count, e) < 0)
        return -1;
    for (int k = 1, tried = 0; k < count; tried++) {
        const int stop[] = { (int)rng_below(&own, (uint64_t)r->net->n), target };

        if (tried > 100 || (stop[0] != source && stop[0] != target)) {
            if (ways_add(w, tried > 100 ? &target : stop, tried > 100 ? 1 : 2, 1.0 / count, e) < 0)
                return -1;
            k++;
        }
    }
    return 0;
}

static const struct route few = { .name = "few", .ways = few_ways };

struct bench {
    struct scene scene;
    struct routing base, routing;
    uint64_t state;
    struct latency_study study;
};

static const struct latency_options *options(void)
{
    static struct latency_options o = { .collide = { .time = TD, .jobs = 1 } };

    o.collide.switching = switching_find("wormhole", &err);
    return &o;
}

static void study_open(struct latency_study *s, struct scene *scene, struct routing *routing, bool unfolded)
{
    struct latency_options o = *options();

    o.unfolded = unfolded;
    o.terminals = scene->terminals;
    if (latency_open(s, &scene->traffic, routing, 1, &o, &err) < 0)
        fail_msg("%s: %s", scene->name, err.msg);
}

/* The scene's own routing leads from stop to stop. */
static void bench_wrap(struct bench *b, uint64_t state)
{
    b->state = state;
    b->routing = (struct routing){ .route = &few, .spec = b->scene.routing.spec, .net = b->scene.net,
                                   .state = &b->state, .base = &b->scene.routing, .most = 1 };
    study_open(&b->study, &b->scene, &b->routing, false);
}

static void bench_random(struct bench *b, size_t n)
{
    const int nodes = 4 + (int)rng_below(&rng, 6);
    struct net *net = nets_random(&rng, nodes, 2 * nodes, rng_below(&rng, 4) == 0);
    int stream[CHANNELS][2];

    for (size_t i = 0; i < n; i++)
        do
            for (int k = 0; k < 2; k++)
                stream[i][k] = (int)rng_below(&rng, (uint64_t)nodes);
        while (stream[i][0] == stream[i][1]);
    scene_list(&b->scene, net, "minimal", (const int (*)[2])stream, n);
    bench_wrap(b, rng_next(&rng));
}

static void bench_close(struct bench *b)
{
    latency_close(&b->study);
    scene_release(&b->scene);
}

static struct split solve(const struct latency_study *s, const struct split_options *o)
{
    struct split y;

    if (split_open(&y, s, o, &err) < 0)
        fail_msg("%s", err.msg);
    assert_true(y.gap <= 1e-7);
    return y;
}

static const struct split_options plain = { NULL, false, NULL, NULL };

/* ---- the same from node sequences ----------------------------------------------------------------------------- */

/* crosses[link][way]: how often; ways in the order of roots, which are those of `few_ways` pair by pair. */
struct matrix {
    size_t nlink, nway;
    double *crosses, *hops;
    int *source;                /* by way */
};

static size_t link_of(const struct flows *f, int from, int to)
{
    for (size_t l = 0; l < f->nlink; l++)
        if (f->link_from[l] == from && f->link_to[l] == to)
            return l;
    fail_msg("no link from %d to %d", from, to);
    return 0;
}

static void matrix_open(struct matrix *m, struct bench *b)
{
    const struct flows *f = &b->study.flows;
    struct route_path path = { 0 };
    struct ways w = { 0 };

    *m = (struct matrix){ f->nlink, f->ninjection, scene_reals(f->nlink * f->ninjection), scene_reals(f->ninjection),
                          calloc(f->ninjection + 1, sizeof(int)) };
    assert_non_null(m->source);
    for (size_t i = 0, k = 0; i < f->ninjection; i++, k++) {
        const int c = f->injection_source[i];
        const struct stream *stream = &b->scene.traffic.stream[c];

        if (i == 0 || f->injection_pair[i] != f->injection_pair[i - 1])
            k = 0;
        ways_clear(&w);
        assert_int_equal(few_ways(&w, &b->routing, NULL, stream->source, stream->target, &err), 0);
        assert_int_equal(route_way(&path, &b->routing, &w, k, stream->source, &err), 0);
        for (size_t j = 0; j + 1 < path.n; j++)
            m->crosses[link_of(f, path.node[j], path.node[j + 1]) * m->nway + i]++;
        m->hops[i] = (double)path.n - 1;
        m->source[i] = c;
    }
    route_path_release(&path);
    ways_release(&w);
}

static void matrix_release(struct matrix *m)
{
    free(m->crosses);
    free(m->hops);
    free(m->source);
}

static double matrix_load(const struct matrix *m, size_t link, const double *share)
{
    double sum = 0;

    for (size_t i = 0; i < m->nway; i++)
        sum += m->crosses[link * m->nway + i] * share[i];
    return sum;
}

/* ---- the twin: each link singly ------------------------------------------------------------------------------- */

/* The least of: the largest load where link < 0 (a last column, L); the load of a link; the sum of lengths where
 * link is nlink. At most bound[l] on each link, or L where that is NAN. */
static double least(const struct matrix *m, int nsource, const double *bound, int link)
{
    glp_prob *p = glp_create_prob();
    const int ways = (int)m->nway, level = ways + 1;
    int at[1000];
    double value[1000], y;

    glp_term_out(GLP_OFF);
    glp_add_cols(p, level);
    for (int j = 1; j <= level; j++) {
        glp_set_col_bnds(p, j, GLP_LO, 0, 0);
        glp_set_obj_coef(p, j, link < 0 ? j == level : j == level ? 0 : (size_t)link == m->nlink ? m->hops[j - 1] :
                               m->crosses[(size_t)link * m->nway + (size_t)j - 1]);
    }
    for (int c = 0; c < nsource; c++) {
        const int row = glp_add_rows(p, 1);
        int n = 0;

        for (int j = 1; j <= ways; j++)
            if (m->source[j - 1] == c) {
                at[++n] = j;
                value[n] = 1;
            }
        glp_set_mat_row(p, row, n, at, value);
        glp_set_row_bnds(p, row, GLP_FX, 1, 1);
    }
    for (size_t l = 0; l < m->nlink; l++) {
        const int row = glp_add_rows(p, 1);
        int n = 0;

        for (int j = 1; j <= ways; j++)
            if (m->crosses[l * m->nway + (size_t)j - 1] > 0) {
                at[++n] = j;
                value[n] = m->crosses[l * m->nway + (size_t)j - 1];
            }
        if (isnan(bound[l])) {
            at[++n] = level;
            value[n] = -1;
        }
        glp_set_mat_row(p, row, n, at, value);
        glp_set_row_bnds(p, row, GLP_UP, 0, isnan(bound[l]) ? 0 : bound[l]);
    }
    assert_int_equal(glp_simplex(p, NULL), 0);
    assert_int_equal(glp_get_status(p), GLP_OPT);
    y = glp_get_obj_val(p);
    glp_delete_prob(p);
    return y;
}

#define ROOM 1e-9               /* bounds give way by so much, that the twin's programs have solutions */

/* Loads, the largest least, and so on: of the links not decided, those that cannot carry less than the largest load
 * while no other exceeds it are. */
static void twin(double *bound, const struct matrix *m, int nsource)
{
    size_t left = m->nlink;

    for (size_t l = 0; l < m->nlink; l++)
        bound[l] = NAN;
    while (left) {
        const double most = least(m, nsource, bound, -1);
        double *under = scene_reals(m->nlink);
        bool *full = calloc(m->nlink, sizeof *full);
        size_t before = left;

        assert_non_null(full);
        for (size_t l = 0; l < m->nlink; l++)
            under[l] = isnan(bound[l]) ? most + ROOM : bound[l];
        for (size_t l = 0; l < m->nlink; l++)
            full[l] = isnan(bound[l]) && least(m, nsource, under, (int)l) > most - 1e-5;
        for (size_t l = 0; l < m->nlink; l++)
            if (full[l]) {
                bound[l] = most + ROOM;
                left--;
            }
        free(under);
        free(full);
        assert_true(left < before);
    }
}

/* A vertex of these programs has coordinates of small denominators, so that loads that differ do so by more than the
 * twin allows; what both bounds' room can move is that times the prices, of which few exceed the number of links. */
static void lexicographic(void **state)
{
    (void)state;
    for (int trial = 0; trial < 25; trial++) {
        struct bench b = { 0 };
        struct matrix m;
        struct split y;
        double *bound;

        bench_random(&b, 2 + rng_below(&rng, CHANNELS - 1));
        matrix_open(&m, &b);
        y = solve(&b.study, &plain);
        bound = scene_reals(m.nlink);
        twin(bound, &m, (int)b.study.flows.nsource);
        for (size_t l = 0; l < m.nlink; l++) {
            if (fabs(y.load[l] - bound[l]) > 1e-6)
                fail_msg("%s, trial %d, link %zu: %.9g, the twin has %.9g", b.scene.name, trial, l, y.load[l],
                         bound[l]);
            assert_true(fabs(y.load[l] - matrix_load(&m, l, y.share)) < 1e-9);
        }
        assert_true(fabs(y.hops * (double)b.study.flows.nsource - least(&m, (int)b.study.flows.nsource, bound,
            (int)m.nlink)) < 1e-5);
        free(bound);
        matrix_release(&m);
        split_release(&y);
        bench_close(&b);
    }
}

/* ---- every grid of shares ------------------------------------------------------------------------------------- */

static double worst(const struct matrix *m, const double *share)
{
    double most = 0;

    for (size_t l = 0; l < m->nlink; l++)
        most = fmax(most, matrix_load(m, l, share));
    return most;
}

/* Two streams, shares in steps of 1/STEPS: none is better than the optimum; rounding the optimum to the grid moves
 * no share by more than a step, hence no load by more than a step per way and crossing of it. */
#define STEPS 12

static void grid(struct matrix *m, double *share, size_t way, int left, double *best)
{
    if (way == m->nway) {
        *best = fmin(*best, worst(m, share));
        return;
    }
    if (way + 1 == m->nway || m->source[way + 1] != m->source[way]) {
        share[way] = (double)left / STEPS;
        grid(m, share, way + 1, STEPS, best);
        return;
    }
    for (int k = 0; k <= left; k++) {
        share[way] = (double)k / STEPS;
        grid(m, share, way + 1, left - k, best);
    }
}

static void brute_force(void **state)
{
    (void)state;
    for (int trial = 0; trial < 40; trial++) {
        double best = INFINITY, crossings = 0, *share;
        struct bench b = { 0 };
        struct matrix m;
        struct split y;

        bench_random(&b, 2);
        matrix_open(&m, &b);
        share = scene_reals(m.nway);
        y = solve(&b.study, &plain);
        grid(&m, share, 0, STEPS, &best);
        for (size_t k = 0; k < m.nlink * m.nway; k++)
            crossings = fmax(crossings, m.crosses[k]);
        assert_true(y.largest <= best + 1e-9);
        assert_true(y.largest >= best - crossings * (double)m.nway / STEPS - 1e-9);
        free(share);
        matrix_release(&m);
        split_release(&y);
        bench_close(&b);
    }
}

/* ---- prices --------------------------------------------------------------------------------------------------- */

/* price = w L with sum w capacity = 1: sum over pairs of their cheapest way by w is L, with capacities of all kinds. */
static void duality(void **state)
{
    (void)state;
    for (int trial = 0; trial < 40; trial++) {
        double sum = 0, bound = 0, *capacity;
        struct bench b = { 0 };
        struct matrix m;
        struct split y;

        bench_random(&b, 2 + rng_below(&rng, CHANNELS - 1));
        matrix_open(&m, &b);
        capacity = scene_reals(m.nlink);
        for (size_t l = 0; l < m.nlink; l++)
            capacity[l] = 1 + (double)rng_below(&rng, 3);
        y = solve(&b.study, &(struct split_options){ .capacity = capacity });
        for (size_t l = 0; l < m.nlink; l++) {
            assert_true(y.price[l] >= 0);
            sum += capacity[l] * y.price[l];
            assert_true(y.load[l] <= y.largest * capacity[l] * (1 + 1e-9));
            assert_true(y.price[l] < 1e-6 || y.load[l] >= (y.largest - 1e-7) * capacity[l]);
        }
        for (size_t c = 0; c < b.study.flows.nsource; c++) {
            double cheapest = INFINITY;

            for (size_t i = 0; i < m.nway; i++) {
                double cost = 0;

                for (size_t l = 0; m.source[i] == (int)c && l < m.nlink; l++)
                    cost += m.crosses[l * m.nway + i] * y.price[l];
                if (m.source[i] == (int)c)
                    cheapest = fmin(cheapest, cost);
            }
            bound += cheapest;
        }
        scene_near("sum of prices", sum, y.largest, 1e-7);
        scene_near("what they prove", bound / y.largest, y.largest, 1e-7);
        free(capacity);
        matrix_release(&m);
        split_release(&y);
        bench_close(&b);
    }
}

/* ---- closed forms --------------------------------------------------------------------------------------------- */

/* From 0 to 1 over k nodes beside each other, whose links have capacity 1, 2, ..., k: shares in proportion. */
static int over_each(struct ways *w, struct routing *r, const char *stream, int source, int target, struct err *e)
{
    (void)stream;
    (void)source;
    for (int v = 2; v < r->net->n; v++)
        if (ways_add(w, (const int[]){ v, target }, 2, 1.0 / (r->net->n - 2), e) < 0)
            return -1;
    return 0;
}

static void disjoint_ways(void **state)
{
    static const struct route each = { .name = "each", .ways = over_each };
    static const int stream[][2] = { { 0, 1 } };

    (void)state;
    for (int k = 1; k <= 7; k++)
        for (int equal = 0; equal < 2; equal++) {
            struct latency_study study;
            double capacity[64];
            struct scene scene;
            struct routing r;
            struct split y;
            int end[28];

            for (int i = 0; i < k; i++) {
                end[4 * i] = 0;
                end[4 * i + 1] = end[4 * i + 2] = 2 + i;
                end[4 * i + 3] = 1;
            }
            scene_list(&scene, nets_from_edges(k + 2, end, 2 * k, true), "minimal", stream, 1);
            r = (struct routing){ .route = &each, .spec = scene.routing.spec, .net = scene.net, .base = &scene.routing,
                .most = 1 };
            study_open(&study, &scene, &r, false);
            for (size_t l = 0; l < study.flows.nlink; l++) {
                const int from = study.flows.link_from[l], to = study.flows.link_to[l];

                capacity[l] = equal ? 1 : (from > to ? from : to) - 1;
            }
            y = solve(&study, &(struct split_options){ .capacity = capacity });
            for (int i = 0; i < k; i++)
                scene_near("share", y.share[i], equal ? 1.0 / k : 2.0 * (i + 1) / (k * (k + 1)), 1e-9);
            scene_near("largest", y.largest, equal ? 1.0 / k : 2.0 / (k * (k + 1)), 1e-9);
            scene_near("hops", y.hops, 2, 1e-9);
            split_release(&y);
            latency_close(&study);
            scene_release(&scene);
        }
}

/* Table 4-6 of the thesis: four channels over one link, two that cannot go elsewhere. */
static void six_streams(void **state)
{
    static const struct {
        const char *routing;
        double given, best;
    } cases[] = {
        { "table:examples/traffic/six_channels_paths.csv,first=1,order=1+2", 4, 4 },
        { "table:examples/traffic/six_channels_paths.csv,order=1+2", 4.0 / 3, 1 },
    };

    (void)state;
    EACH_ROW(i, cases) {
        struct latency_study study;
        struct scene s;
        struct split y;

        scene_open(&s, "torus:8x8", "examples/traffic/six_channels.csv", cases[i].routing);
        study_open(&study, &s, &s.routing, false);
        scene_near("given", 1 / study.capacity_factor, cases[i].given * TD, 1e-12);
        y = solve(&study, &plain);
        scene_near("best", y.largest, cases[i].best, 1e-9);
        assert_int_equal(split_apply(&study, &y, &err), 0);
        scene_near("capacity", 1 / study.capacity_factor, cases[i].best * TD, 1e-9);
        assert_int_equal(latency_solve(&study, &(struct load){ 100, 1 }, &err), 0);
        split_release(&y);
        latency_close(&study);
        scene_release(&s);
    }
}

/* ---- what must be the same ------------------------------------------------------------------------------------ */

/* The streams in another order, on a copy of the network: the same loads. */
static void order_of_streams(void **state)
{
    (void)state;
    for (int trial = 0; trial < 20; trial++) {
        const uint64_t ways = rng_next(&rng), n = 3 + rng_below(&rng, CHANNELS - 2);
        struct bench b[2] = { 0 };
        struct split y[2];

        scene_streams(&b[0].scene, &rng, "mesh:3x4", "dor", n);
        scene_open(&b[1].scene, "mesh:3x4", "uniform", "dor");
        traffic_release(&b[1].scene.traffic);
        b[1].scene.traffic = (struct traffic){ .net = b[1].scene.net };
        assert_int_equal(traffic_room(&b[1].scene.traffic, n, &err), 0);
        for (size_t i = 0; i < n; i++) {
            const struct stream *c = &b[0].scene.traffic.stream[(i * (n - 1) + 1) % n];

            traffic_add(&b[1].scene.traffic, c->source, c->target);
        }
        for (int k = 0; k < 2; k++) {
            bench_wrap(&b[k], ways);
            y[k] = solve(&b[k].study, &plain);
        }
        for (size_t l = 0; l < b[0].study.flows.nlink; l++)
            assert_true(fabs(y[0].load[l] - y[1].load[l]) < 1e-7);
        assert_true(fabs(y[0].hops - y[1].hops) < 1e-7);
        for (int k = 0; k < 2; k++) {
            split_release(&y[k]);
            bench_close(&b[k]);
        }
    }
}

/* All nodes alike: one source's program against that of all. Every link of a kind has the kind's load. */
static void folded(void **state)
{
    static const char *const all[][3] = {
        { "torus:4x3", "uniform", "metapath:sga:1" }, { "ring:7", "uniform", "metapath:dga:1" }, { "torus:5x3",
          "tornado", "metapath:sga:2" },
        { "hypercube:3", "complement", "metapath:sga:1" }, { "circulant:9,jumps=1+4", "uniform", "metapath:sga:1" },
    };

    (void)state;
    EACH_ROW(i, all) {
        struct latency_study study[2];
        struct split y[2];
        struct scene s;

        scene_open(&s, all[i][0], all[i][1], all[i][2]);
        for (int k = 0; k < 2; k++) {
            study_open(&study[k], &s, &s.routing, k);
            y[k] = solve(&study[k], &plain);
        }
        assert_true(study[0].flows.copies > 1 && study[1].flows.copies == 1);
        scene_near(s.name, y[0].largest, y[1].largest, 1e-7);
        scene_near(s.name, y[0].hops, y[1].hops, 1e-7);
        for (size_t l = 0; l < study[1].flows.nlink; l++) {
            const struct group *g = s.net->group;
            const int step = group_add(g, study[1].flows.link_to[l], group_negative(g, study[1].flows.link_from[l]));

            assert_true(fabs(y[1].load[l] - y[0].load[link_of(&study[0].flows, 0, step)]) < 1e-6);
        }
        for (int k = 0; k < 2; k++) {
            split_release(&y[k]);
            latency_close(&study[k]);
        }
        scene_release(&s);
    }
}

/* Any network, traffic and routing, hop by hop and with ways that branch after the first hop: never more than the
 * largest load that the routing itself has, the loads those of the shares, pairs whole; one round finds the same
 * largest load. */
static void any_network(void **state)
{
    (void)state;
    for (int trial = 0; trial < 25; trial++) {
        double given = 0, *load, *part;
        struct latency_study study;
        struct split y, first;
        struct scene s;

        scene_random(&s, &rng, 20);
        study_open(&study, &s, &s.routing, rng_below(&rng, 2));
        load = scene_reals(study.flows.nlink);
        part = scene_reals(2 * study.flows.ninjection);
        assert_int_equal(split_loads(load, &study, &err), 0);
        for (size_t l = 0; l < study.flows.nlink; l++)
            given = fmax(given, load[l]);
        for (size_t i = 0; i < study.flows.ninjection; i++)
            part[2 * study.flows.injection_pair[i]] += study.flows.injection_share[i];
        y = solve(&study, &plain);
        first = solve(&study, &(struct split_options){ .first = true });
        assert_true(y.largest <= given * (1 + 1e-9));
        scene_near(s.name, first.largest, y.largest, 1e-7);
        assert_int_equal(first.rounds, 1);
        assert_int_equal(split_apply(&study, &y, &err), 0);
        assert_int_equal(split_loads(load, &study, &err), 0);
        for (size_t l = 0; l < study.flows.nlink; l++)
            assert_true(fabs(load[l] - y.load[l]) <= 1e-9 * given);
        for (size_t i = 0; i < study.flows.ninjection; i++) {
            assert_true(y.share[i] >= 0);
            part[2 * study.flows.injection_pair[i] + 1] += y.share[i];
        }
        for (size_t i = 0; i < study.flows.ninjection; i++)
            assert_true(fabs(part[2 * i] - part[2 * i + 1]) < 1e-12);
        scene_near(s.name, 1 / study.capacity_factor, y.largest * TD, 1e-9);
        free(load);
        free(part);
        split_release(&y);
        split_release(&first);
        latency_close(&study);
        scene_release(&s);
    }
}

/* Intervals and times of their own: parts of the time, so that all rates may grow by the inverse of the largest. */
static void own_intervals(void **state)
{
    struct latency_study study;
    struct scene s;
    struct split y;

    (void)state;
    scene_open(&s, "torus:8x8", "examples/traffic/six_channels.csv",
               "table:examples/traffic/six_channels_paths.csv,order=1+2");
    for (size_t i = 0; i < s.traffic.nstream; i++) {
        s.traffic.stream[i].interval = scene_between(&rng, 100, 1000);
        s.traffic.stream[i].time = scene_between(&rng, 10, 40);
    }
    study_open(&study, &s, &s.routing, false);
    y = solve(&study, &plain);
    assert_int_equal(split_apply(&study, &y, &err), 0);
    scene_near("factor", study.capacity_factor, 1 / y.largest, 1e-9);
    /* has one way */
    assert_true(y.largest >= s.traffic.stream[4].time / s.traffic.stream[4].interval * (1 - 1e-9));
    split_release(&y);
    latency_close(&study);

    s.traffic.stream[2].interval = NAN;
    study_open(&study, &s, &s.routing, false);
    assert_int_equal(split_open(&y, &study, &plain, &err), -1);
    assert_int_equal(err.code, ERR_DOMAIN);
    latency_close(&study);
    scene_release(&s);
}

/* Said before it is built. */
static void too_large(void **state)
{
    struct latency_study study;
    struct scene s;
    struct split y;

    (void)state;
    scene_open(&s, "torus:24x24", "uniform", "dor");
    study_open(&study, &s, &s.routing, true);
    assert_int_equal(split_open(&y, &study, &plain, &err), -1);
    assert_int_equal(err.code, ERR_DOMAIN);
    assert_non_null(strstr(err.msg, "rows"));
    print_message("%s\n", err.msg);
    latency_close(&study);
    scene_release(&s);
}

/* What is written, another program solves to the same. */
static void written(void **state)
{
    char path[100];

    (void)state;
    for (int k = 0; k < 2; k++) {
        glp_prob *p = glp_create_prob();
        struct latency_study study;
        struct scene s;
        struct split y;

        snprintf(path, sizeof path, "/tmp/metapath_test_split.%ld%s", (long)getpid(), k ? ".mps" : ".lp");
        scene_streams(&s, &rng, "torus:4x5", "metapath:sga:1", 12);
        study_open(&study, &s, &s.routing, false);
        y = solve(&study, &(struct split_options){ .write = path });
        glp_term_out(GLP_OFF);
        assert_int_equal(k ? glp_read_mps(p, GLP_MPS_FILE, NULL, path) : glp_read_lp(p, NULL, path), 0);
        assert_int_equal(glp_simplex(p, NULL), 0);
        scene_near("another's", glp_get_obj_val(p), y.largest, 1e-7);
        glp_create_index(p);
        assert_true(glp_find_col(p, "largest") > 0);
        glp_term_out(GLP_ON);
        glp_delete_prob(p);
        assert_int_equal(remove(path), 0);
        split_release(&y);
        latency_close(&study);
        scene_release(&s);
    }
}

static int setup(void **state)
{
    (void)state;
    net_setup();
    rng_seed(&rng, check_seed());
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    net_teardown();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(six_streams), cmocka_unit_test(disjoint_ways), cmocka_unit_test(brute_force),
            cmocka_unit_test(lexicographic),
        cmocka_unit_test(duality), cmocka_unit_test(order_of_streams), cmocka_unit_test(folded),
        cmocka_unit_test(any_network), cmocka_unit_test(own_intervals), cmocka_unit_test(too_large),
        cmocka_unit_test(written),
    };

    return cmocka_run_group_tests_name("split", tests, setup, teardown);
}
