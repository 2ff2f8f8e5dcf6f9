/* Which messages cross which links: states and shares against every path followed by itself, folded against unfolded,
 * known loads. SEED=n repeats the random part. */
#include <string.h>

#include "analysis/bound/even_load.h"
#include "tests/support/check.h"
#include "tests/support/nets.h"
#include "tests/support/paths.h"
#include "tests/support/scene.h"

static struct err err;
static uint64_t seed;

static void near_in(const char *what, double got, double want, const struct scene *s)
{
    if (!(fabs(got - want) <= 1e-11 * (1 + fabs(want))))
        fail_msg("%s: %s %.17g, wanted %.17g", s->name, what, got, want);
}

static void loads(const struct flows *f, const double *rate, double *link, double *port)
{
    if (flows_load(f, rate, link, port, &err) < 0)
        fail_msg("%s", err.msg);
}

/* ---- against paths ---- */

static void check_shape(const struct flows *f, const struct scene *s)
{
    double *sum = scene_reals(f->nsource);
    bool chain = true;

    for (size_t i = 0; i < f->ninjection; i++) {
        sum[f->injection_source[i]] += f->injection_share[i];
        assert_true(f->injection_share[i] == f->injection_given[i]);
        assert_true((size_t)f->injection_state[i] < f->nstate && (size_t)f->injection_port[i] < f->nport);
        assert_true(i == 0 || f->injection_pair[i] == f->injection_pair[i - 1] ||
                    f->injection_pair[i] == f->injection_pair[i - 1] + 1);
    }
    for (size_t i = 0; i < f->nsource; i++) {
        near_in("shares of a source's roots", sum[i], 1, s);
        for (uint32_t k = f->source_first[i]; k < f->source_first[i + 1]; k++) {
            assert_int_equal(f->injection_source[f->source_injection[k]], i);
            assert_true(k == f->source_first[i] || f->source_injection[k - 1] < f->source_injection[k]);
        }
    }
    assert_int_equal(f->source_first[f->nsource], f->ninjection);
    assert_int_equal(f->edge_first[f->nstate], f->nedge);
    for (size_t i = 0; i < f->nstate; i++) {
        double shares = 0;

        for (uint32_t e = f->edge_first[i]; e < f->edge_first[i + 1]; e++) {
            assert_true((size_t)f->edge_child[e] < i);
            shares += f->edge_share[e];
        }
        chain = chain && f->edge_first[i + 1] - f->edge_first[i] <= 1;
        if (f->edge_first[i + 1] > f->edge_first[i])
            near_in("shares of a state's edges", shares, 1, s);
    }
    assert_int_equal(f->chain, chain);
    for (size_t l = 0; l < f->nlink; l++) {
        const size_t n = f->port_first[l + 1] - f->port_first[l];

        assert_int_equal(f->pair_first[l + 1] - f->pair_first[l], n > 1 ? n * n : 0);
    }
    free(sum);
}

/* Blocks are whole: no edge and no root leads out of its own; chunks are made of them. */
static void check_blocks(const struct flows *f)
{
    assert_in_range(f->nchunk, 1, FLOWS_CHUNKS);
    assert_int_equal(f->chunk[0], 0);
    assert_int_equal(f->chunk[f->nchunk], f->nblock);
    for (size_t k = 0; k < f->nchunk; k++)
        assert_true(f->chunk[k] < f->chunk[k + 1]);
    assert_int_equal(f->block[0].state, 0);
    assert_int_equal(f->block[0].injection, 0);
    assert_int_equal(f->block[f->nblock].state, f->nstate);
    assert_int_equal(f->block[f->nblock].injection, f->ninjection);
    for (size_t k = 0; k < f->nblock; k++) {
        const struct flows_block *b = &f->block[k];

        assert_in_range(b[1].state - b[0].state, 1, f->block_most);
        for (size_t i = b[0].injection; i < b[1].injection; i++)
            assert_true((size_t)f->injection_state[i] >= b[0].state && (size_t)f->injection_state[i] < b[1].state);
        for (size_t i = b[0].state; i < b[1].state; i++)
            for (uint32_t e = f->edge_first[i]; e < f->edge_first[i + 1]; e++)
                assert_true((size_t)f->edge_child[e] >= b[0].state);
    }
}

/* Part of source i's messages that go to a node. */
static double traffic_to(const struct traffic *t, int i, int target)
{
    double sum = 0;

    for (size_t k = traffic_first(t, (size_t)i); !t->matrix && k < traffic_first(t, (size_t)i + 1); k++)
        sum += t->stream[k].target == target ? t->stream[k].share : 0;
    if (!t->matrix)
        return sum;
    return net_terminal_index(t->net, target) < 0 || net_terminal(t->net, i) == target ? 0 :
        t->kind->share(t, net_terminal(t->net, i), target);
}

/* Sources send at different rates, so that one cannot stand for another. */
static void check_loads(const struct flows *f, const struct paths *p, const int *same, const struct scene *s,
                        struct rng *rng)
{
    double *rate = scene_reals(f->nsource), *link = scene_reals(f->nlink), *port = scene_reals(f->nport),
        *want = scene_reals(p->nport);
    double *want_link = scene_reals(p->nlink), *hops = scene_reals(f->nsource),
        *injection_hops = scene_reals(f->nsource), *bare = scene_reals(f->nlink), *links = scene_reals(f->nsource),
        *injection_links = scene_reals(f->nsource);

    for (size_t i = 0; i < f->nsource; i++)
        rate[i] = scene_between(rng, 0.1, 10);
    loads(f, rate, link, port);
    loads(f, rate, bare, NULL);
    for (size_t i = 0; i < p->npath; i++) {
        const struct path *path = &p->path[i];

        links[path->source] += path->share * path->n;
        for (int k = 0; k < path->n; k++) {
            const int *ends = p->link[p->port_link[path->port[k]]];

            hops[path->source] += path->share * (ends[0] >= 0 && ends[1] >= 0);
            want[path->port[k]] += path->share * rate[path->source];
            want_link[p->port_link[path->port[k]]] += path->share * rate[path->source];
        }
    }
    assert_int_equal(f->nport, p->nport);
    for (size_t l = 0; l < f->nlink; l++) {
        double twin = 0;

        assert_true(link[l] == bare[l]);
        for (size_t g = f->port_first[l]; g < f->port_first[l + 1]; g++) {
            near_in("a port's load", port[g], want[same[g]], s);
            twin = want_link[p->port_link[same[g]]];
        }
        near_in("a link's load", link[l], twin, s);
    }
    for (size_t i = 0; i < f->ninjection; i++) {
        injection_hops[f->injection_source[i]] += f->injection_share[i] * f->injection_hops[i];
        injection_links[f->injection_source[i]] += f->injection_share[i] * f->injection_links[i];
    }
    for (size_t i = 0; i < f->nsource; i++) {
        near_in("the mean path of a source", injection_hops[i], hops[i], s);
        near_in("the mean links of a source", injection_links[i], links[i], s);
    }
    loads(f, NULL, link, NULL);
    for (size_t l = p->own ? f->nlink - 2 * (size_t)s->net->n : f->nlink; l < f->nlink; l++) {
        const int in = f->link_to[l], out = f->link_from[l], node = in < 0 ? out : in;
        double sum = 0;

        assert_true((in < 0) != (out < 0));
        for (int i = 0; i < p->nsource && p->own[node]; i++)
            sum += in < 0 ? traffic_to(&s->traffic, i, out) : f->source[i].node == in;
        near_in("the load of a way into or out of the network", link[l], sum, s);
    }
    free(rate);
    free(link);
    free(port);
    free(want);
    free(want_link);
    free(hops);
    free(injection_hops);
    free(bare);
    free(links);
    free(injection_links);
}

static double all_overlaps(const struct flows *f)
{
    double sum = 0;

    for (size_t i = 0; f->noverlap && i < f->overlap_first[f->noverlap]; i++)
        sum += f->overlap_product[i];
    return sum;
}

/* The product of source i's masses at two ports as flows says: 0 where it says nothing. */
static double overlap(const struct flows *f, size_t pair, size_t source)
{
    for (size_t i = 0; i < f->noverlap; i++)
        for (size_t k = f->overlap_first[i]; f->overlap_pair[i] == pair && k < f->overlap_first[i + 1]; k++)
            if (f->overlap_source[k] == (int)source)
                return f->overlap_product[k];
    return 0;
}

/* Returns how many there are. */
static size_t check_overlaps(const struct flows *f, const struct paths *p, const int *same, const struct scene *s)
{
    size_t n = 0;

    for (size_t i = 0; i + 1 < f->noverlap; i++)
        assert_true(f->overlap_pair[i] < f->overlap_pair[i + 1]);
    for (size_t l = 0; l < f->nlink; l++)
        for (size_t a = f->port_first[l]; a < f->port_first[l + 1]; a++)
            for (size_t b = a + 1; b < f->port_first[l + 1]; b++)
                for (size_t i = 0; i < f->nsource; i++) {
                    const double *mass = p->mass + i * p->nport, want = mass[same[a]] * mass[same[b]];
                    const size_t ports = f->port_first[l + 1] - f->port_first[l], first = f->port_first[l];

                    if (want > 0) {
                        near_in("an overlap", overlap(f, f->pair_first[l] + (a - first) * ports + (b - first), i), want,
                                s);
                        n++;
                    }
                }
    assert_int_equal(f->noverlap ? f->overlap_first[f->noverlap] : 0, n);
    return n;
}

static size_t check_scene(struct scene *s, struct rng *rng)
{
    struct flows f;
    struct paths p;
    size_t n;
    int *same;

    scene_flows(&f, s, true);
    paths_open(&p, &s->traffic, &s->routing, s->terminals);
    assert_true(f.copies == 1 && !f.state_node && !f.injection_node);
    assert_int_equal(f.nsource, p.nsource);
    same = calloc(f.nport + 1, sizeof *same);
    assert_non_null(same);
    for (size_t g = 0; g < f.nport; g++) {
        same[g] = paths_port(&p, &f, g);
        assert_true(same[g] >= 0);
    }
    check_shape(&f, s);
    check_blocks(&f);
    check_loads(&f, &p, same, s, rng);
    n = check_overlaps(&f, &p, same, s);
    free(same);
    paths_release(&p);
    flows_release(&f);
    return n;
}

static void random_scenes(void **state)
{
    struct rng rng;

    (void)state;
    rng_seed(&rng, seed);
    for (int trial = 0; trial < 60; trial++) {
        struct scene s;

        scene_random(&s, &rng, 30);
        check_scene(&s, &rng);
        scene_release(&s);
    }
}

static const struct { const char *net, *traffic, *routing; bool overlaps; } given[] = {
    { "torus:4x6", "uniform", "dor,tie=split", true },
    { "torus:5x4x3", "uniform", "dor,order=2+1+3,tie=split", true },
    { "torus:5x4x3", "hotspot:7", "dor,tie=split", true },
    { "torus:5x5", "uniform", "dor,tie=split", false },
    { "torus:4x6", "tornado", "dor,tie=split", false },
    { "hypercube:5", "uniform", "dor", false },
    { "fattree:4", "uniform", "minimal", false },
    { "mesh:4x4", "transpose", "dor,order=1+2", false },
    { "fattree:4", "uniform", "ecmp", true }, { "dragonfly,a=2,p=2,h=1", "uniform", "minimal", false },
    { "fattree:4", "transpose", "updown", false },
};

static void given_scenes(void **state)
{
    struct rng rng;

    (void)state;
    rng_seed(&rng, seed + 1);
    EACH_ROW(i, given)
        for (int terminals = 0; terminals < 2; terminals++) {
            struct scene s;

            scene_open(&s, given[i].net, given[i].traffic, given[i].routing);
            s.terminals = terminals;
            if ((check_scene(&s, &rng) > 0) != given[i].overlaps)
                fail_msg("%s: overlaps", s.name);
            scene_release(&s);
        }
}

/* Part of source i's messages over a port of flows when routing k has part[k] of them. */
static double mixed(const struct paths p[2], const int at[2], int i, const double part[2])
{
    double mass = 0;

    for (int k = 0; k < 2; k++)
        if (at[k] >= 0)
            mass += part[k] * p[k].mass[(size_t)i * p[k].nport + (size_t)at[k]];
    return mass;
}

static void check_mixed(const struct flows *f, const struct paths p[2], const double part[2], const struct scene *s)
{
    int (*at)[2] = calloc(f->nport, sizeof *at);
    double *port = scene_reals(f->nport), overlaps = 0;

    assert_non_null(at);
    loads(f, NULL, NULL, port);
    for (size_t g = 0; g < f->nport; g++) {
        double want = 0;

        for (int k = 0; k < 2; k++)
            at[g][k] = paths_port(&p[k], f, g);
        for (int i = 0; i < p[0].nsource; i++)
            want += mixed(p, at[g], i, part);
        near_in("a port's load", port[g], want, s);
    }
    for (size_t l = 0; l < f->nlink; l++)
        for (size_t a = f->port_first[l]; a < f->port_first[l + 1]; a++)
            for (size_t b = a + 1; b < f->port_first[l + 1]; b++)
                for (int i = 0; i < p[0].nsource; i++)
                    overlaps += mixed(p, at[a], i, part) * mixed(p, at[b], i, part);
    near_in("overlaps", all_overlaps(f), overlaps, s);
    assert_int_equal(overlaps > 0, part[1] > 0);
    free(port);
    free(at);
}

/* Two routings to choose from: the second has no messages to begin with. */
static void two_options(void **state)
{
    struct routing both[2];
    struct paths p[2];
    struct scene s;
    struct flows f;

    (void)state;
    scene_open(&s, "mesh:3x4x3", "uniform", "dor,order=1+3+2");
    both[0] = s.routing;
    assert_int_equal(routing_open(&both[1], s.net, "dor,order=3+1+2", &err), 0);
    for (int k = 0; k < 2; k++)
        paths_open(&p[k], &s.traffic, &both[k], false);
    assert_int_equal(flows_open(&f, &s.traffic, both, 2, &(struct flows_options){ 0 }, &err), 0);
    check_blocks(&f);
    check_mixed(&f, p, (const double[]){ 1, 0 }, &s);
    for (size_t i = 0; i < f.ninjection; i++) {
        assert_true(f.injection_share[i] == (f.injection_option[i] ? 0 : f.injection_given[i]));
        f.injection_share[i] = f.injection_given[i] * (f.injection_option[i] ? 0.25 : 0.75);
    }
    assert_int_equal(flows_overlap(&f, NULL, &err), 0);
    check_mixed(&f, p, (const double[]){ 0.75, 0.25 }, &s);
    for (int k = 0; k < 2; k++)
        paths_release(&p[k]);
    flows_release(&f);
    routing_close(&both[1]);
    scene_release(&s);
}

/* Enough for several chunks. */
static void large_scene(void **state)
{
    struct scene s;
    struct flows f;

    (void)state;
    scene_open(&s, "torus:17x15", "uniform", "dor");
    scene_flows(&f, &s, true);
    assert_true(f.nchunk > 1);
    check_shape(&f, &s);
    check_blocks(&f);
    flows_release(&f);
    scene_release(&s);
}

/* ---- folded ---- */

static const struct { const char *net, *routing; } alike[] = {
    { "torus:5x4", "dor" }, { "torus:4x6", "dor,tie=split" }, { "torus:3x4x5", "dor,order=2+3+1,tie=down" },
    { "hypercube:4", "dor" }, { "ring:9", "dor" }, { "ring:8", "dor,tie=split" }, { "circulant:13,jumps=1+5", "dor" },
    { "midimew:12", "dor" }, { "complete:6", "dor" },
};

/* The class of an unfolded link: the folded link that takes the same step. */
static size_t class_of(const struct flows *folded, const struct group *g, int from, int to)
{
    const int step = to < 0 ? -1 : from < 0 ? 0 : group_add(g, to, group_negative(g, from));

    for (size_t l = 0; l < folded->nlink; l++)
        if (folded->link_to[l] == step && (folded->link_from[l] < 0) == (from < 0))
            return l;
    fail_msg("no class for the link from %d to %d", from, to);
    return 0;
}

static void check_folded(struct scene *s)
{
    struct flows folded, whole;
    double *link, *class, hops[2] = { 0, 0 };

    scene_flows(&folded, s, false);
    scene_flows(&whole, s, true);
    check_shape(&folded, s);
    assert_true(folded.copies == s->net->n && whole.copies == 1);
    assert_int_equal(folded.nsource, 1);
    assert_int_equal(folded.nlink * (size_t)s->net->n, whole.nlink);
    class = scene_reals(folded.nlink);
    link = scene_reals(whole.nlink);
    loads(&folded, NULL, class, NULL);
    loads(&whole, NULL, link, NULL);
    for (size_t l = 0; l < whole.nlink; l++) {
        const size_t k = class_of(&folded, s->net->group, whole.link_from[l], whole.link_to[l]);

        near_in("the load of a link of a class", link[l], class[k], s);
        assert_int_equal(whole.port_first[l + 1] - whole.port_first[l],
                         folded.port_first[k + 1] - folded.port_first[k]);
    }
    near_in("overlaps", all_overlaps(&whole), all_overlaps(&folded) * s->net->n, s);
    for (size_t i = 0; i < folded.ninjection; i++)
        hops[0] += folded.injection_share[i] * folded.injection_hops[i];
    for (size_t i = 0; i < whole.ninjection; i++)
        hops[1] += whole.injection_share[i] * whole.injection_hops[i] / (double)whole.nsource;
    near_in("mean path", hops[0], hops[1], s);
    free(link);
    free(class);
    flows_release(&whole);
    flows_release(&folded);
}

static void folded_is_unfolded(void **state)
{
    static const char *const traffic[] = { "uniform", "tornado", "neighbour", "broadcast:binary,root=all" };
    int broadcasts = 0;

    (void)state;
    EACH_ROW(i, alike)
        EACH_ROW(k, traffic) {
            struct traffic probe;
            struct scene s;

            scene_open(&s, alike[i].net, "uniform", alike[i].routing);
            if (traffic_open(&probe, s.net, traffic[k], &err) == 0) {
                const bool invariant = probe.invariant;

                traffic_release(&probe);
                scene_release(&s);
                scene_open(&s, alike[i].net, traffic[k], alike[i].routing);
                broadcasts += k == 3 && invariant;
                if (k == 3 && !invariant) {
                    scene_release(&s);
                    continue;
                }
                assert_true(invariant);
                s.terminals = k == 1;
                check_folded(&s);
                s.terminals = !s.terminals;
                check_folded(&s);
            }
            scene_release(&s);
        }
    assert_true(broadcasts > 0);        /* on a ring, above all */
}

/* ---- known ---- */

static double heaviest(const char *net, const char *routing)
{
    struct scene s;
    struct flows f;
    double *link, most = 0;

    scene_open(&s, net, "uniform", routing);
    scene_flows(&f, &s, true);
    link = scene_reals(f.nlink);
    loads(&f, NULL, link, NULL);
    for (size_t l = 0; l < f.nlink; l++)
        most = fmax(most, link[l]);
    free(link);
    flows_release(&f);
    scene_release(&s);
    return most;
}

static void known_loads(void **state)
{
    (void)state;
    /* across the middle of a line of 8: 4 x 4 of 64 pairs one way, 8 rows to 64/63 each */
    scene_near("mesh:8x8", heaviest("mesh:8x8", "dor"), 64.0 / 63 * 2, 1e-12);
    /* ring of 8 upwards: distances 1, 2, 3, 4 of the 8 possible */
    scene_near("torus:8x8", heaviest("torus:8x8", "dor"), 64.0 / 63 * 10 / 8, 1e-12);
    scene_near("torus:8x8, split", heaviest("torus:8x8", "dor,tie=split"), 64.0 / 63 * 8 / 8, 1e-12);
    scene_near("ring:7", heaviest("ring:7", "dor"), 6.0 / 6, 1e-12);
    scene_near("star:5", heaviest("star:5", "minimal"), 1, 1e-12);
}

/* ---- refused ---- */

static void no_path(void **state)
{
    static const int end[] = { 0, 1, 2, 3 };
    static const int stream[][2] = { { 1, 0 }, { 0, 3 } };
    struct scene s;
    struct flows f;

    (void)state;
    scene_list(&s, nets_from_edges(4, end, 2, false), "minimal", stream, 2);
    assert_int_equal(flows_open(&f, &s.traffic, &s.routing, 1, &(struct flows_options){ 0 }, &err), -1);
    assert_int_equal(err.code, ERR_NETWORK);
    assert_non_null(strstr(err.msg, "0 to 3"));
    scene_release(&s);
}

static int stop(void *arg, double done)
{
    (void)arg;
    return done > 0.3;
}

static int stop_at_once(void *arg, double done)
{
    *(double *)arg = done;
    return 1;
}

/* In the midst of the only target, and while the sources that meet themselves are looked for. */
static void stopped_early(void **state)
{
    double done = -1;
    const struct tick t = { stop_at_once, &done, 0, 1, NULL };
    struct scene s;
    struct flows f;

    (void)state;
    scene_open(&s, "torus:8x8", "uniform", "metapath:random");
    assert_int_equal(flows_open(&f, &s.traffic, &s.routing, 1, &(struct flows_options){ .tick = &t }, &err), -1);
    assert_int_equal(err.code, ERR_STOPPED);
    assert_true(done == 0);
    scene_flows(&f, &s, true);
    assert_int_equal(flows_overlap(&f, &t, &err), -1);
    assert_int_equal(err.code, ERR_STOPPED);
    flows_release(&f);
    scene_release(&s);
}

static void stopped(void **state)
{
    const struct tick t = { stop, NULL, 0, 1, NULL };
    struct scene s;
    struct flows f;

    (void)state;
    scene_open(&s, "torus:4x4", "uniform", "dor");
    assert_int_equal(flows_open(&f, &s.traffic, &s.routing, 1, &(struct flows_options){ .unfolded = true, .tick = &t },
                     &err), -1);
    assert_int_equal(err.code, ERR_STOPPED);
    scene_release(&s);
}

/* ---- even loads: the busiest link of ecmp, without flows ---- */

static void check_even(struct scene *s, struct rng *rng)
{
    const struct flows_options options = { .unfolded = true, .apart = true };
    struct demand d = { 0 };
    struct flows f = { 0 };
    struct routing ecmp;
    double *rate, *load, *capacity, got;

    assert_int_equal(routing_open(&ecmp, s->net, "ecmp", &err), 0);
    assert_int_equal(demand_open(&d, &s->traffic, 1, NULL, &err), 0);
    assert_int_equal(flows_open(&f, &s->traffic, &ecmp, 1, &options, &err), 0);
    rate = scene_reals(f.nsource);
    load = scene_reals(f.nlink);
    capacity = scene_reals(f.nlink);
    flows_offered(rate, &f, (struct traffic_pace){ 1, 1 });
    loads(&f, rate, load, NULL);
    for (int weighted = 0; weighted < 2; weighted++) {
        double most = 0;

        for (size_t l = 0; l < f.nlink; l++) {
            capacity[l] = weighted ? 1 + (double)rng_below(rng, 9) : 1;
            most = fmax(most, load[l] / capacity[l]);
        }
        assert_int_equal(even_load_busiest(&got, s->net, &d, weighted ? capacity : NULL, NULL, &err), 0);
        near_in("the busiest link", got, most, s);
    }
    free(rate);
    free(load);
    free(capacity);
    flows_release(&f);
    demand_close(&d);
    routing_close(&ecmp);
}

static void even_loads(void **state)
{
    static const char *const nets[] = { "torus:5x4x3", "mesh:5x4", "fattree:4", "dragonfly,a=4,p=2,h=2", "midimew:13",
                                        "ring:7,directed=yes", "star:6" };
    struct scene s;
    struct rng rng;

    (void)state;
    rng_seed(&rng, seed);
    EACH_ROW(i, nets) {
        scene_open(&s, nets[i], "uniform", "ecmp");
        check_even(&s, &rng);
        scene_release(&s);
        scene_streams(&s, &rng, nets[i], "ecmp", 9);
        check_even(&s, &rng);
        scene_release(&s);
    }
    for (int i = 0; i < 60; i++) {
        scene_random(&s, &rng, 30);
        if (traffic_own(&s.traffic) != OWN_SOME)
            check_even(&s, &rng);
        scene_release(&s);
    }
}

/* What it would take too long to find out, and what does not arrive, is not known. */
static void even_loads_not_known(void **state)
{
    struct net *apart = nets_from_edges(4, (const int[]){ 0, 1, 2, 3 }, 2, false);
    struct scene s;
    struct demand d;
    double got = 0;

    (void)state;
    scene_list(&s, apart, "ecmp", (const int[][2]){ { 0, 3 } }, 1);
    assert_int_equal(demand_open(&d, &s.traffic, 1, NULL, &err), 0);
    assert_int_equal(even_load_busiest(&got, s.net, &d, NULL, NULL, &err), 0);
    assert_true(isnan(got));
    demand_close(&d);
    scene_release(&s);
    scene_open(&s, "mesh:128x128", "uniform", "dor");
    assert_int_equal(demand_open(&d, &s.traffic, 1, NULL, &err), 0);
    assert_int_equal(even_load_busiest(&got, s.net, &d, NULL, NULL, &err), 0);
    assert_true(isnan(got));
    demand_close(&d);
    scene_release(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(given_scenes), cmocka_unit_test(random_scenes), cmocka_unit_test(two_options),
        cmocka_unit_test(large_scene), cmocka_unit_test(folded_is_unfolded), cmocka_unit_test(known_loads),
        cmocka_unit_test(no_path), cmocka_unit_test(stopped), cmocka_unit_test(stopped_early),
        cmocka_unit_test(even_loads), cmocka_unit_test(even_loads_not_known),
    };
    int failed;

    net_setup();
    seed = check_seed();
    failed = cmocka_run_group_tests_name("flows", tests, NULL, NULL);
    net_teardown();
    return failed;
}
