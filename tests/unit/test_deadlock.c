/* Dependencies between channels: known verdicts, cycles followed link by link, orders that prove that there is none.
 * test_deadlock_twin walks messages one by one. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/deadlock/dependencies.h"
#include "tests/support/check.h"
#include "tests/support/measure.h"
#include "tests/support/nets.h"

static struct err err;

/* Dally and Seitz 1987; Dally and Towles 2004, chapter 14; Schroeder et al. 1991; rings of 3 are too short for routes
 * of two links, those of 4 are closed by ties however they are broken. */
static const struct known {
    const char *net, *routing, *classes;
    enum deadlock_holds holds;
    bool all;                       /* switches send and receive too */
    int cycle;                      /* links of the shortest; 0: none; -1: some */
    int channels;                   /* as few as classes can share; 0: not asked */
} known[] = {
    { "mesh:4x4", "dor", NULL, HOLDS_LINKS, false, 0, 1 },
    { "mesh:5x4x3", "dor", NULL, HOLDS_LINKS, false, 0, 1 },
    { "hypercube:4", "dor", NULL, HOLDS_LINKS, false, 0, 1 },
    { "torus:3x3", "dor", NULL, HOLDS_LINKS, false, 0, 1 },
    { "torus:2x2x2", "dor", NULL, HOLDS_LINKS, false, 0, 1 },
    { "torus:4x4", "dor", NULL, HOLDS_LINKS, false, 4, 0 },
    { "torus:5x4x3", "dor", NULL, HOLDS_LINKS, false, 4, 0 },
    { "torus:8x8", "dor", NULL, HOLDS_LINKS, false, 8, 0 },
    { "torus:4x4", "dor", "dateline", HOLDS_LINKS, false, 0, 2 },
    { "torus:5x4x3", "dor", "dateline", HOLDS_LINKS, false, 0, 2 },
    { "torus:5x4", "dor,tie=split", "dateline", HOLDS_LINKS, false, 0, 2 },
    { "ring:7,directed=yes", "dor", NULL, HOLDS_LINKS, false, 7, 0 },
    { "ring:7,directed=yes", "dor", "dateline", HOLDS_LINKS, false, 0, 2 },
    { "ring:4", "dor,tie=up", NULL, HOLDS_LINKS, false, 4, 0 },
    { "ring:4", "dor,tie=down", NULL, HOLDS_LINKS, false, 4, 0 },
    { "ring:4", "dor,tie=split", NULL, HOLDS_LINKS, false, 4, 0 },
    { "ring:5", "minimal", NULL, HOLDS_LINKS, false, 5, 0 },
    { "ring:5", "dor", NULL, HOLDS_LINKS, false, 5, 0 },
    { "ring:9", "ecmp", NULL, HOLDS_LINKS, false, 9, 0 },
    { "hypercube:4", "valiant", NULL, HOLDS_LINKS, false, 2, 0 },
    { "hypercube:4", "valiant", "phases", HOLDS_LINKS, false, 0, 2 },
    { "torus:5x5", "valiant", "phases", HOLDS_LINKS, false, 0, 4 },
    { "mesh:4x4", "metapath:sga:1", "phases", HOLDS_LINKS, false, 0, 2 },
    { "mesh:4x4", "metapath:dga:1", NULL, HOLDS_LINKS, false, 2, 0 },
    { "mesh:4x4", "metapath:dga:1", "phases", HOLDS_LINKS, false, 0, 3 },
    { "hypercube:4", "metapath:dga:1", "phases", HOLDS_LINKS, false, 0, 3 },
    { "torus:8x8", "metapath:dga:1", "phases", HOLDS_LINKS, false, 0, 4 },
    { "torus:8x8", "metapath:dga:1", "phases,within=none", HOLDS_LINKS, false, 8, 0 },
    { "random:20,degree=3", "updown", NULL, HOLDS_LINKS, false, 0, 1 },
    { "torus:5x4", "updown", NULL, HOLDS_LINKS, false, 0, 1 },
    { "random:20,degree=3,seed=3", "ecmp", "updown", HOLDS_LINKS, false, 0, 0 },
    { "torus:5x5", "ecmp", "hops", HOLDS_LINKS, false, 0, 0 },
    { "torus:5x5", "dor", "layers", HOLDS_LINKS, false, 0, 0 },
    { "mesh:4x4", "valiant", "layers", HOLDS_LINKS, false, 0, 2 },
    { "random:40,degree=4", "minimal", "layers", HOLDS_LINKS, false, 0, 0 },
    { "fattree:4", "ecmp", NULL, HOLDS_LINKS, false, 0, 1 },
    { "fattree:4", "minimal", NULL, HOLDS_LINKS, false, 0, 1 },
    { "fattree:4", "minimal", NULL, HOLDS_LINKS, true, 8, 0 },
    { "fattree:4", "ecmp", NULL, HOLDS_LINKS, true, 4, 0 },
    { "dragonfly,a=4,p=2,h=1", "minimal", NULL, HOLDS_LINKS, false, 6, 0 },
    { "dragonfly,a=4,p=2,h=1", "minimal", "dateline", HOLDS_LINKS, false, 0, 2 },
    { "dragonfly,a=4,p=2,h=2", "minimal", "dateline", HOLDS_LINKS, false, 0, 2 },
    { "dragonfly,a=4,p=2,h=2", "minimal", "layers", HOLDS_LINKS, false, 0, 2 },
    { "mesh:3x3", "valiant", NULL, HOLDS_CABLES, false, 1, 0 },
    { "mesh:4", "dor", NULL, HOLDS_CABLES, false, 2, 0 },
    { "star:6", "valiant", NULL, HOLDS_LINKS, false, 4, 0 },
    { "mesh:4x4", "dor", NULL, HOLDS_BUFFERS, false, 2, 0 },
    { "mesh:5x4", "dor", "hops", HOLDS_BUFFERS, false, 0, 0 },
    { "torus:8x8", "dor", "hops", HOLDS_BUFFERS, false, 0, 9 },
    /* paths of a file: routes 1-5-6, 5-6-2, 6-2-1 and 2-1-5 of a grid numbered by rows among those of dimension order,
     * and a ring of 4 some of whose ties go each way */
    { "mesh:4x4", "square", NULL, HOLDS_LINKS, false, 4, 0 },
    { "ring:4", "ties", NULL, HOLDS_LINKS, false, 0, 1 },
    /* those of dimension order alone: that a file names every node makes none of them a stop */
    { "torus:4x4", "all", NULL, HOLDS_LINKS, false, 4, 0 },
    { "torus:4x4", "all", "dateline", HOLDS_LINKS, false, 0, 2 },
    { "torus:5x4", "all", "phases", HOLDS_LINKS, false, 0, 2 },
};

/* Each resource waits for the next by a route that the routing takes, from link to link. */
static void check_cycle(struct deadlock *d, const char *what)
{
    struct route_path path = { 0 };
    const struct follow *f = &d->follow;
    size_t routing;

    for (size_t i = 0; i < d->ncycle; i++) {
        const int from = deadlock_place(d, d->cycle[i]), to = deadlock_place(d, d->cycle[(i + 1) % d->ncycle]);
        bool found = false;

        if (deadlock_cause(&path, &routing, d, i, &err) < 0)
            fail_msg("%s: %s", what, err.msg);
        assert_true(path.n >= 2);
        for (size_t k = 0; k + 1 < path.n; k++)
            assert_true(csr_link(&f->links, path.node[k], path.node[k + 1]) < f->links.m);
        for (size_t k = 0; k + 1 < path.n; k++)
            if (d->holds == HOLDS_BUFFERS)
                found = found || (path.node[k] == from && path.node[k + 1] == to);
            else if (d->holds == HOLDS_LINKS)
                found = found || (k + 2 < path.n && path.node[k] == f->tail[from] &&
                                  path.node[k + 1] == f->head[from] && f->head[from] == f->tail[to] &&
                                  path.node[k + 2] == f->head[to]);
            else
                found = true;
        if (!found)
            fail_msg("%s: a route does not wait where the cycle says", what);
    }
    route_path_release(&path);
}

/* Every dependency leads to a later place in an order. */
static void check_order(const struct deadlock *d, const char *what)
{
    int *behind = calloc(d->resource + 1, sizeof *behind), *stack = calloc(d->resource + 1, sizeof *stack);
    size_t depth = 0, done = 0;

    assert_non_null(behind);
    assert_non_null(stack);
    for (size_t e = 0; e < d->n; e++)
        behind[d->to[e]]++;
    for (size_t v = 0; v < d->resource; v++)
        if (behind[v] == 0)
            stack[depth++] = (int)v;
    for (; depth; done++) {
        const int v = stack[--depth];

        for (size_t e = d->first[v]; e < d->first[v + 1]; e++)
            if (--behind[d->to[e]] == 0)
                stack[depth++] = d->to[e];
    }
    if (done != d->resource)
        fail_msg("%s: said to be acyclic", what);
    free(behind);
    free(stack);
}

/* ---- paths of a file ---- */

static const int square[][3] = { { 1, 5, 6 }, { 5, 6, 2 }, { 6, 2, 1 }, { 2, 1, 5 } };
static const int ties[][3] = { { 0, 1, 2 }, { 2, 1, 0 }, { 1, 0, 3 }, { 3, 0, 1 } };

/* Paths of three nodes as they are given, all others by dimension order. */
static void write_paths(const char *file, struct net *net, const int (*given)[3], size_t n)
{
    FILE *f = fopen(file, "w");
    struct routing r;

    assert_non_null(f);
    assert_int_equal(routing_open(&r, net, "dor", &err), 0);
    fprintf(f, "source,target,path\n");
    for (int s = 0; s < net->n; s++)
        for (int t = 0; t < net->n; t++) {
            struct route_path path = { 0 };
            size_t k = 0;

            while (k < n && (given[k][0] != s || given[k][2] != t))
                k++;
            if (s == t)
                continue;
            if (k < n)
                fprintf(f, "%d,%d,%d-%d-%d\n", s, t, s, given[k][1], t);
            else {
                assert_int_equal(route_path(&path, &r, s, t, &err), 0);
                fprintf(f, "%d,%d,", s, t);
                for (size_t i = 0; i < path.n; i++)
                    fprintf(f, "%s%d", i ? "-" : "", path.node[i]);
                fprintf(f, "\n");
                route_path_release(&path);
            }
        }
    routing_close(&r);
    assert_int_equal(fclose(f), 0);
}

static int open_routing(struct routing *r, struct net *net, const char *name)
{
    const bool is_square = strcmp(name, "square") == 0;
    char file[] = "/tmp/metapath-deadlock-XXXXXX", spec[80];
    int fd, ret;

    if (!is_square && strcmp(name, "ties") != 0 && strcmp(name, "all") != 0)
        return routing_open(r, net, name, &err);
    fd = mkstemp(file);
    assert_true(fd >= 0);
    close(fd);
    write_paths(file, net, is_square ? square : ties, strcmp(name, "all") == 0 ? 0 : 4);
    snprintf(spec, sizeof spec, "table:%s", file);
    ret = routing_open(r, net, spec, &err);
    unlink(file);
    return ret;
}

/* ---- verdicts ---- */

static void check_known(const struct known *k, bool unfolded)
{
    const struct deadlock_options o = { .classes = k->classes, .holds = k->holds, .all = k->all, .unfolded = unfolded };
    struct net *net = measure_open(k->net);
    struct deadlock_need need = { 0 };
    struct deadlock d = { 0 };
    struct routing r;
    char what[200];

    snprintf(what, sizeof what, "%s on %s, %s", k->routing, k->net, k->classes ? k->classes : "none");
    if (open_routing(&r, net, k->routing) < 0 || deadlock_open(&d, net, &r, 1, &o, &err) < 0)
        fail_msg("%s: %s", what, err.msg);
    if (d.cyclic != (k->cycle != 0) || (k->cycle > 0 && d.ncycle != (size_t)k->cycle))
        fail_msg("%s: a cycle of %zu, not %d", what, d.ncycle, k->cycle);
    if (d.cyclic) {
        assert_true(d.shortest);
        check_cycle(&d, what);
    } else
        check_order(&d, what);
    if (k->channels) {
        if (deadlock_need(&need, &d, &err) < 0)
            fail_msg("%s: %s", what, err.msg);
        if (need.channels != k->channels || !need.exact)
            fail_msg("%s: %d channels, not %d", what, need.channels, k->channels);
    }
    deadlock_need_release(&need);
    deadlock_close(&d);
    routing_close(&r);
    net_close(net);
}

static void knowns(void **state)
{
    (void)state;
    EACH_ROW(i, known) {
        check_known(&known[i], false);
        check_known(&known[i], true);
    }
}

/* Of a dragonfly one channel does between groups, where a route crosses to another group once. */
static void kinds_of_links(void **state)
{
    const struct deadlock_options o = { .classes = "dateline" };
    struct net *net = measure_open("dragonfly,a=4,p=2,h=1");
    struct deadlock_need need = { 0 };
    struct deadlock d = { 0 };
    struct routing r;

    (void)state;
    assert_int_equal(routing_open(&r, net, "minimal", &err), 0);
    assert_int_equal(deadlock_open(&d, net, &r, 1, &o, &err), 0);
    assert_int_equal(deadlock_need(&need, &d, &err), 0);
    assert_int_equal(need.nkind, 3);
    for (size_t k = 0; k < 3; k++)
        assert_int_equal(need.kind[k].channels, strcmp(need.kind[k].name, "local") == 0 ? 2 : 1);
    deadlock_need_release(&need);
    deadlock_close(&d);
    routing_close(&r);
    net_close(net);
}

/* The fewest channels: datelines on rings, phases over Valiant's stops, none where one class does. */
static void advice(void **state)
{
    static const struct {
        const char *net, *routing, *scheme;
        int channels;
    } rows[] = {
        { "torus:5x4", "dor", "dateline", 2 },      { "torus:256x256", "dor", "dateline", 2 },
        { "hypercube:4", "valiant", "phases", 2 },  { "torus:8x8", "metapath:sga:1", "phases", 3 },
    };

    (void)state;
    EACH_ROW(i, rows) {
        struct net *net = measure_open(rows[i].net);
        struct deadlock_advice a;
        struct routing r;

        assert_int_equal(routing_open(&r, net, rows[i].routing, &err), 0);
        assert_int_equal(deadlock_advise(&a, net, &r, 1, &(struct deadlock_options){ 0 }, &err), 0);
        assert_string_equal(a.scheme, rows[i].scheme);
        assert_int_equal(a.channels, rows[i].channels);
        assert_true(a.exact || a.channels > 2);         /* one does not do */
        free(a.scheme);
        routing_close(&r);
        net_close(net);
    }
}

/* Switches at random, with hosts of which all of a switch are alike; leaves of leaves too. */
static struct net *hosts_at_random(struct rng *rng)
{
    enum { SWITCHES = 90, HOSTS = 10, N = SWITCHES * (HOSTS + 1) };
    int end[2 * 2 * N], n = 0;
    struct net *net;

    for (int v = 0; v < 3 * SWITCHES; v++) {
        end[2 * n] = v % SWITCHES;
        end[2 * n + 1] = v < SWITCHES ? (v + 1) % SWITCHES : (int)rng_below(rng, SWITCHES);
        n += end[2 * n] != end[2 * n + 1];
    }
    for (int v = SWITCHES; v < N; v++, n++) {
        end[2 * n] = v;
        end[2 * n + 1] = (v - SWITCHES) / HOSTS;
    }
    net = nets_from_edges(N, end, n, false);
    net->terminal = malloc((N - SWITCHES) * sizeof *net->terminal);
    assert_non_null(net->terminal);
    net->nterminal = N - SWITCHES;
    for (int v = SWITCHES; v < N; v++)
        net->terminal[v - SWITCHES] = v;
    return net;
}

/* The graph of dependencies by orbits of targets, and by any number of threads, is that of all targets. */
static void targets_joined(void **state)
{
    static const struct {
        const char *net, *routing;      /* NULL: drawn */
        enum deadlock_holds holds;
        bool all;
    } rows[] = {
        { "fattree:16", "ecmp", HOLDS_LINKS, false },       { "fattree:16", "ecmp", HOLDS_CABLES, false },
        { "fattree:16", "ecmp", HOLDS_BUFFERS, false },     { "fattree:12", "ecmp", HOLDS_LINKS, true },
        { "fattree:16", "spread", HOLDS_LINKS, false },
        { "fattree:16,fail=random:20:3", "ecmp", HOLDS_LINKS, false },
        { "dragonfly,a=8,p=4,h=4", "ecmp", HOLDS_LINKS, false }, { "dragonfly,a=8,p=4,h=4", "lgl", HOLDS_LINKS, false },
        { "dragonfly,a=8,p=4,h=4", "ecmp", HOLDS_BUFFERS, true },
        { "random:600,degree=6", "minimal", HOLDS_LINKS, false },
        { NULL, "ecmp", HOLDS_LINKS, false },               { NULL, "ecmp", HOLDS_CABLES, false },
        { NULL, "minimal", HOLDS_LINKS, false },            { NULL, "ecmp", HOLDS_BUFFERS, false }
    };
    struct rng rng;

    (void)state;
    rng_seed(&rng, check_seed());
    EACH_ROW(i, rows) {
        static const int jobs[] = { 1, 1, 2, 7 };
        struct net *net = rows[i].net ? measure_open(rows[i].net) : hosts_at_random(&rng);
        struct deadlock d[COUNT(jobs)] = { { 0 } };
        struct routing r;

        assert_int_equal(routing_open(&r, net, rows[i].routing, &err), 0);
        for (size_t k = 0; k < COUNT(jobs); k++) {
            const struct deadlock_options o = { .holds = rows[i].holds, .all = rows[i].all, .unfolded = k == 0,
                                                .verdict = true, .jobs = jobs[k] };

            if (deadlock_open(&d[k], net, &r, 1, &o, &err) < 0)
                fail_msg("%s on %s: %s", rows[i].routing, net->spec, err.msg);
            assert_int_equal(d[k].resource, d[0].resource);
            assert_int_equal(d[k].n, d[0].n);
            assert_int_equal(d[k].cyclic, d[0].cyclic);
            assert_memory_equal(d[k].used, d[0].used, d[0].resource);
            assert_memory_equal(d[k].first, d[0].first, (d[0].resource + 1) * sizeof *d[0].first);
            assert_memory_equal(d[k].to, d[0].to, d[0].n * sizeof *d[0].to);
        }
        for (size_t k = 0; k < COUNT(jobs); k++)
            deadlock_close(&d[k]);
        routing_close(&r);
        net_close(net);
    }
}

static void refusals(void **state)
{
    static const struct {
        const char *net, *routing, *classes, *says;
        enum deadlock_holds holds;
    } rows[] = {
        { "mesh:4x4", "dor", "dateline", "rings", HOLDS_LINKS },
        { "mesh:4x4", "dor", "phases,within=dateline", "rings", HOLDS_LINKS },
        { "mesh:4x4", "dor", "dateline", "not for buffers", HOLDS_BUFFERS },
        { "mesh:4x4", "dor", "hopps", "did you mean 'hops'", HOLDS_LINKS },
        { "mesh:4x4", "dor", "updown,root=9.9", "root=9.9", HOLDS_LINKS },
    };

    (void)state;
    EACH_ROW(i, rows) {
        const struct deadlock_options o = { .classes = rows[i].classes, .holds = rows[i].holds };
        struct net *net = measure_open(rows[i].net);
        struct deadlock d;
        struct routing r;

        assert_int_equal(routing_open(&r, net, rows[i].routing, &err), 0);
        assert_int_equal(deadlock_open(&d, net, &r, 1, &o, &err), -1);
        if (!strstr(err.msg, rows[i].says))
            fail_msg("%s: %s", rows[i].classes, err.msg);
        routing_close(&r);
        net_close(net);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(knowns), cmocka_unit_test(kinds_of_links), cmocka_unit_test(advice),
        cmocka_unit_test(refusals), cmocka_unit_test(targets_joined),
    };

    net_setup();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
