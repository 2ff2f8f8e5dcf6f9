#include "tests/support/scene.h"

#include <string.h>

#include "tests/support/check.h"
#include "tests/support/nets.h"

static struct err err;

/* ---- small things ---- */

double scene_between(struct rng *rng, double lo, double hi)
{
    return lo * pow(hi / lo, check_uniform(rng));
}

void scene_near(const char *what, double got, double want, double relative)
{
    if (got != want && !(fabs(got - want) <= relative * fabs(want)))     /* both may be infinite */
        fail_msg("%s: %.17g, wanted %.17g (%.3g off)", what, got, want, got / want - 1);
}

/* ---- matrices that no kind of traffic gives: a number for every pair, some of them 0 ---- */

static double crooked_weight(const struct traffic *t, int source, int target)
{
    const uint64_t pair = (uint64_t)source * 8191 + (uint64_t)target + *(const uint64_t *)t->state * 131;
    struct rng rng;

    rng_seed(&rng, pair);
    return rng_below(&rng, 3) ? 0.1 + check_uniform(&rng) : 0;
}

static double crooked_share(const struct traffic *t, int source, int target)
{
    const int n = t->net->n;
    double sum = 0;

    for (int v = 0; v < n; v++)
        if (v != source)
            sum += crooked_weight(t, source, v);
    if (sum == 0)
        return target == (source + 1) % n;
    return source == target ? 0 : crooked_weight(t, source, target) / sum;
}

static const struct traffic_kind crooked = { .name = "crooked", .share = crooked_share };

/* ---- scenes ---- */

static void open_routing(struct scene *s, const char *routing)
{
    if (routing_open(&s->routing, s->net, routing, &err) < 0)
        fail_msg("%s on %s: %s", routing, s->net->spec, err.msg);
}

static void name_scene(struct scene *s)
{
    snprintf(s->name, sizeof s->name, "%.60s (%d nodes), %.40s of %zu channels, %.40s%s", s->net->spec, s->net->n,
             s->traffic.spec ? s->traffic.spec : s->traffic.kind ? s->traffic.kind->name : "a list",
             s->traffic.nstream, s->routing.spec, s->terminals ? ", links of terminals" : "");
}

void scene_open(struct scene *s, const char *net, const char *traffic, const char *routing)
{
    *s = (struct scene){ 0 };
    if (net_open(&s->net, net, &err) < 0 || traffic_open(&s->traffic, s->net, traffic, &err) < 0)
        fail_msg("%s, %s: %s", net, traffic, err.msg);
    open_routing(s, routing);
    name_scene(s);
}

void scene_list(struct scene *s, struct net *net, const char *routing, const int (*stream)[2], size_t n)
{
    *s = (struct scene){ .net = net, .traffic.net = net };
    assert_int_equal(traffic_room(&s->traffic, n, &err), 0);
    for (size_t i = 0; i < n; i++)
        traffic_add(&s->traffic, stream[i][0], stream[i][1]);
    open_routing(s, routing);
    name_scene(s);
}

static void add_streams(struct scene *s, struct rng *rng, size_t n)
{
    assert_int_equal(traffic_room(&s->traffic, n, &err), 0);
    while (s->traffic.nstream < n) {
        const int from = (int)rng_below(rng, (uint64_t)s->net->n), to = (int)rng_below(rng, (uint64_t)s->net->n);

        if (from != to)
            traffic_add(&s->traffic, from, to);
    }
}

void scene_streams(struct scene *s, struct rng *rng, const char *net, const char *routing, size_t n)
{
    *s = (struct scene){ 0 };
    if (net_open(&s->net, net, &err) < 0)
        fail_msg("%s: %s", net, err.msg);
    s->traffic.net = s->net;
    add_streams(s, rng, n);
    open_routing(s, routing);
    name_scene(s);
}

static int by_source(const void *a, const void *b)
{
    const struct stream *x = a, *y = b;

    return (x->source > y->source) - (x->source < y->source);
}

void scene_groups(struct scene *s, struct rng *rng)
{
    struct traffic *t = &s->traffic;

    qsort(t->stream, t->nstream, sizeof *t->stream, by_source);
    t->first = calloc(t->nstream + 1, sizeof *t->first);
    assert_non_null(t->first);
    for (size_t k = 0; k < t->nstream; k++) {
        if (k == 0 || t->stream[k].source != t->stream[k - 1].source || rng_below(rng, 4) == 0)
            t->first[t->nsource++] = k;
        t->stream[k].share = scene_between(rng, 0.1, 10);
    }
    t->first[t->nsource] = t->nstream;
    for (size_t i = 0; i < t->nsource; i++) {
        double sum = 0;

        for (size_t k = t->first[i]; k < t->first[i + 1]; k++)
            sum += t->stream[k].share;
        for (size_t k = t->first[i]; k < t->first[i + 1]; k++)
            t->stream[k].share /= sum;
    }
}

static void random_traffic(struct scene *s, struct rng *rng)
{
    static const char *const kind[] = { "uniform", "uniform", "hotspot:1", "tornado", "neighbour", "transpose",
                                        "broadcast:binomial", "broadcast:binary,root=all" };
    const uint64_t which = rng_below(rng, 12);

    s->traffic = (struct traffic){ .net = s->net };
    if (which < sizeof kind / sizeof *kind && traffic_open(&s->traffic, s->net, kind[which], &err) == 0)
        return;
    s->traffic = (struct traffic){ .net = s->net };
    if (which % 2) {
        add_streams(s, rng, 2 + rng_below(rng, 2 * (uint64_t)s->net->n));
        if (rng_below(rng, 2))
            scene_groups(s, rng);
    } else {
        uint64_t *which_one = malloc(sizeof *which_one);

        assert_non_null(which_one);
        *which_one = (uint64_t)(check_uniform(rng) * 1e6);
        s->traffic.matrix = true;
        s->traffic.kind = &crooked;
        s->traffic.state = which_one;
    }
}

void scene_random(struct scene *s, struct rng *rng, int most)
{
    static const struct { const char *net; int n; const char *routing[4]; } named[] = {
        { "torus:4x4", 16, { "dor", "dor,tie=split", "dor,order=1+2,tie=down", "minimal" } },
        { "torus:5x4x3", 60, { "dor", "dor,tie=split", "dor,order=2+1+3", "minimal" } },
        { "torus:6x4", 24, { "dor", "dor,tie=split", "dor,order=1+2,tie=split", "minimal" } },
        { "mesh:5x4", 20, { "dor", "dor,order=1+2", "minimal", "auto" } },
        { "mesh:3x4x3", 36, { "dor", "dor,order=3+1+2", "minimal", "auto" } },
        { "ring:8", 8, { "dor", "dor,tie=split", "dor,tie=down", "minimal" } },
        { "hypercube:4", 16, { "dor", "dor,order=2+4+1+3", "minimal", "auto" } },
        { "circulant:12,jumps=1+5", 12, { "dor", "minimal", "auto", "dor" } },
        { "star:7", 7, { "minimal", "auto", "minimal", "auto" } },
    };
    const size_t n = sizeof named / sizeof *named, which = rng_below(rng, 2 * n);
    const char *routing = "minimal";

    *s = (struct scene){ 0 };
    if (which < n && named[which].n <= most) {
        routing = named[which].routing[rng_below(rng, 4)];
        if (net_open(&s->net, named[which].net, &err) < 0)
            fail_msg("%s: %s", named[which].net, err.msg);
    } else {
        const int nodes = 3 + (int)rng_below(rng, (uint64_t)most - 2);

        s->net = nets_random(rng, nodes, (int)rng_below(rng, 2 * (uint64_t)nodes), rng_below(rng, 4) == 0);
    }
    s->terminals = rng_below(rng, 3) == 0;
    random_traffic(s, rng);
    open_routing(s, routing);
    name_scene(s);
}

void scene_cables(struct scene *s, struct rng *rng, int most)
{
    static const char *const routing[] = { "ecmp", "ecmp,per=neighbour", "minimal", "spread", "valiant" };
    const int nodes = 3 + (int)rng_below(rng, (uint64_t)most - 2);

    *s = (struct scene){ 0 };
    s->net = nets_random(rng, nodes, (int)rng_below(rng, (uint64_t)nodes), rng_below(rng, 4) == 0);
    nets_cables(rng, s->net);
    s->terminals = rng_below(rng, 2) == 0;
    random_traffic(s, rng);
    open_routing(s, routing[rng_below(rng, sizeof routing / sizeof *routing)]);
    name_scene(s);
}

void scene_release(struct scene *s)
{
    routing_close(&s->routing);
    traffic_release(&s->traffic);
    net_close(s->net);
    *s = (struct scene){ 0 };
}

void scene_flows(struct flows *f, struct scene *s, bool unfolded)
{
    const struct flows_options o = { .unfolded = unfolded, .terminals = s->terminals };

    if (flows_open(f, &s->traffic, &s->routing, 1, &o, &err) < 0)
        fail_msg("%s: %s", s->name, err.msg);
}

/* ---- solvers ---- */

void solver_open(struct solver *v, struct scene *s, const char *switching, bool unfolded)
{
    struct collide_options o = { .switching = switching_find(switching, &err), .time = 25, .jobs = 1 };

    assert_non_null(o.switching);
    scene_flows(&v->flows, s, unfolded);
    if (collide_open(&v->collide, &v->flows, &o, &err) < 0)
        fail_msg("%s: %s", s->name, err.msg);
}

void solver_release(struct solver *v)
{
    collide_release(&v->collide);
    flows_release(&v->flows);
}

static double mean_latency(const struct solver *v)
{
    double sum = 0;

    for (size_t i = 0; i < v->flows.nsource; i++)
        sum += v->collide.latency[i];
    return sum / (double)v->flows.nsource;
}

double solver_closed(struct solver *v, double interval)
{
    if (collide_closed_solve(&v->collide, &(struct load){ interval, 1 }, &err) < 0)
        fail_msg("%s", err.msg);
    return mean_latency(v);
}

double solver_open_sources(struct solver *v, double interval)
{
    if (collide_open_solve(&v->collide, &(struct load){ interval, 1 }, &err) < 0)
        fail_msg("%s", err.msg);
    return mean_latency(v);
}

double *scene_reals(size_t n)
{
    double *p = calloc(n + 1, sizeof *p);

    assert_non_null(p);
    return p;
}

double scene_seconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double scene_interval(const struct flows *f, double load)
{
    double *link = scene_reals(f->nlink), most = 0;

    assert_int_equal(flows_load(f, NULL, link, NULL, &err), 0);
    for (size_t l = 0; l < f->nlink; l++)
        most = fmax(most, link[l]);
    free(link);
    return 25 * most / load;
}

void scene_own_times(struct scene *s, struct rng *rng)
{
    const struct traffic *t = &s->traffic;

    for (size_t i = 0; !t->matrix && i < traffic_sources(t); i++) {
        const double interval = rng_below(rng, 2) ? scene_between(rng, 100, 1000) : NAN,
            time = rng_below(rng, 2) ? scene_between(rng, 10, 40) : NAN;

        for (size_t k = traffic_first(t, i); k < traffic_first(t, i + 1); k++) {
            t->stream[k].interval = interval;
            t->stream[k].time = time;
        }
    }
}

void scene_folds(struct scene *s, const char *switching, double most)
{
    struct solver one, all;

    solver_open(&one, s, switching, false);
    solver_open(&all, s, switching, true);
    assert_true(one.flows.copies > 1 && all.flows.copies == 1);
    for (double load = 0.05; load < most; load *= 2) {
        const double interval = scene_interval(&one.flows, load);

        scene_near(s->name, solver_closed(&one, interval), solver_closed(&all, interval), 1e-9);
        scene_near(s->name, solver_open_sources(&one, 2 * interval), solver_open_sources(&all, 2 * interval), 1e-9);
    }
    solver_release(&one);
    solver_release(&all);
}
