/* Traffic: every kind of the catalogue says whole rows or proper streams, closed forms, the shared link of the hot
 * spot walked hop by hop, and files that are wrong. SEED=n repeats a run. */
#include <string.h>
#include <unistd.h>

#include "cli/request/load.h"
#include "graph/numeric/rng.h"
#include "model/process/tree.h"
#include "model/traffic/traffic.h"
#include "graph/distance/distances.h"
#include "tests/support/check.h"
#include "tests/support/measure.h"

static struct err err;
static struct rng rng;

static void open_on(struct traffic *t, struct net *net, const char *spec)
{
    if (load_traffic(t, net, spec, NULL, &(struct worst_options){ 0 }, &err) < 0)
        fail_msg("%s on %s: %s", spec, net->spec, err.msg);
}

/* Where a node's one stream leads: itself where it is silent, -2 where it has several. */
static int target_of(const struct traffic *t, int source)
{
    int target = source;

    for (size_t i = 0; i < t->nstream; i++)
        if (t->stream[i].source == source)
            target = target == source ? t->stream[i].target : -2;
    return target;
}

/* ---- what every kind keeps -------------------------------------------------------------------------------- */

/* Ends the test with the entry, its network, what it is about, and both numbers. */
static void differ(const struct traffic *t, const char *what, double got, double wanted)
{
    fail_msg("traffic %s (%s) on %s: %s %.17g, not %.17g", t->kind ? t->kind->name : "without a kind", t->spec,
             t->net->spec, what, got, wanted);
}

static void check_count(const struct traffic *t, const char *what, int64_t got, int64_t wanted)
{
    if (got != wanted)
        differ(t, what, (double)got, (double)wanted);
}

static void check_rows(const struct traffic *t)
{
    const struct net *net = t->net;
    char what[300], label[2][96];

    check_count(t, "has channels beside its rows:", (int64_t)t->nstream, 0);
    assert_null(t->stream);
    for (int i = 0; i < net->nterminal; i++) {
        const int source = net_terminal(net, i);
        double sum = 0;

        for (int j = 0; j < net->nterminal; j++) {
            const double share = t->kind->share(t, source, net_terminal(net, j)), even = i == j ? 0 :
                1 / (net->nterminal - 1.0);

            snprintf(what, sizeof what, "the share from %s to %s is", net_label(net, source, label[0]),
                     net_label(net, net_terminal(net, j), label[1]));
            if (!(share >= 0) || (i == j && share > 0))
                differ(t, what, share, 0);
            if (share > 1)
                differ(t, what, share, 1);
            if (t->kind->even && fabs(share - even) > 1e-15)
                differ(t, what, share, even);
            sum += share;
        }
        snprintf(what, sizeof what, "the shares of %s sum to", net_label(net, source, label[0]));
        if (!(fabs(sum - 1) < 1e-12))
            differ(t, what, sum, 1);
    }
}

/* One sender, which sends in one way, to each its share. */
static void check_source(const struct traffic *t, size_t i)
{
    const size_t from = traffic_first(t, i), to = traffic_first(t, i + 1);
    const struct stream *c = &t->stream[from];
    double sum = 0;

    assert_true(from < to && to <= t->nstream);
    for (size_t k = from; k < to; k++) {
        const struct stream *d = &t->stream[k];

        assert_true(d->share > 0 && d->source == c->source);
        assert_true(memcmp(&d->interval, &c->interval, sizeof c->interval) == 0);
        assert_true(memcmp(&d->time, &c->time, sizeof c->time) == 0);
        assert_true(!d->group == !c->group && (!c->group || strcmp(d->group, c->group) == 0));
        sum += d->share;
    }
    if (!(fabs(sum - 1) < 1e-12))
        differ(t, "the shares of a source sum to", sum, 1);
    assert_true((traffic_only(t, i) == c) == (to == from + 1));
}

static void check_streams(const struct traffic *t)
{
    const struct net *net = t->net;
    int *targeted = calloc((size_t)net->n, sizeof *targeted);
    bool permutation = traffic_sources(t) == t->nstream &&
        t->nstream + (size_t)t->silent == (size_t)net->nterminal;

    assert_non_null(targeted);
    assert_null(t->kind->share);
    if (t->nstream == 0)
        differ(t, "number of channels", 0, 1);
    for (size_t i = 0; i < t->nstream; i++) {
        const struct stream *c = &t->stream[i];
        char what[120];

        snprintf(what, sizeof what, "channel %zu: index of its source among terminals", i);
        if (c->source < 0 || c->source >= net->n || net_terminal_index(net, c->source) < 0)
            differ(t, what, -1, 0);
        snprintf(what, sizeof what, "channel %zu: index of its target among terminals", i);
        if (c->target < 0 || c->target >= net->n || net_terminal_index(net, c->target) < 0)
            differ(t, what, -1, 0);
        snprintf(what, sizeof what, "channel %zu leads from node %d to itself, node", i, c->source);
        if (c->source == c->target)
            differ(t, what, c->target, -1);
        snprintf(what, sizeof what, "channel %zu of a permutation: messages that its target gets from others before",
                 i);
        if (permutation)
            check_count(t, what, targeted[c->target]++, 0);
        assert_true(isnan(c->interval) || (c->interval > 0 && isfinite(c->interval)));
        assert_true(isnan(c->time) || (c->time > 0 && isfinite(c->time)));
        assert_true(!permutation || i == 0 || t->stream[i - 1].source < c->source);
    }
    free(targeted);
    check_count(t, "the first source begins at channel", (int64_t)traffic_first(t, 0), 0);
    check_count(t, "the last source ends at channel", (int64_t)traffic_first(t, traffic_sources(t)),
                (int64_t)t->nstream);
    for (size_t i = 0; i < traffic_sources(t); i++)
        check_source(t, i);
}

/* What is said to be the same from every node is; of sources that send to several it need not be said. */
static void check_grouped_invariance(const struct traffic *t)
{
    const int n = t->net->n;
    double *row = calloc((size_t)n * (size_t)n, sizeof *row);
    bool same = true;

    assert_non_null(row);
    for (size_t k = 0; k < t->nstream; k++)
        row[t->stream[k].source * n + t->stream[k].target] += t->stream[k].share;
    for (int s = 0; t->invariant && s < n; s++)
        for (int d = 0; d < n; d++)
            same = same && fabs(row[s * n + group_add(t->net->group, s, d)] - row[d]) < 1e-12;
    free(row);
    assert_true(same);
}

/* The group moves what is sent from node 0 to every other node. */
static void check_invariance(const struct traffic *t)
{
    const struct net *net = t->net;
    const struct group *g = net->group;
    bool same = g && net->nterminal == net->n;

    if (traffic_sources(t) != t->nstream && !t->matrix) {
        check_grouped_invariance(t);
        return;
    }

    for (int s = 0; same && s < net->n; s++)
        if (t->matrix)
            for (int d = 0; d < net->n; d++)
                same = same && t->kind->share(t, s, group_add(g, s, d)) == t->kind->share(t, 0, d);
        else
            same = target_of(t, s) >= 0 && target_of(t, s) == group_add(g, s, target_of(t, 0));
    check_count(t, "it is the same from every node (1) or not (0); it says", t->invariant, same);
}

/* Its spec names the same traffic: the same pairs with the same shares. */
static void check_reopens(const struct traffic *t, struct net *net)
{
    struct traffic again;
    char what[200];

    if (load_traffic(&again, net, t->spec, NULL, &(struct worst_options){ 0 }, &err) < 0)
        fail_msg("traffic %s on %s: its spec '%s' does not open again: %s", t->kind->name, net->spec, t->spec, err.msg);
    if (strcmp(again.spec, t->spec) != 0 || again.kind != t->kind)
        fail_msg("traffic %s on %s: its spec '%s' opens as '%s' (%s)", t->kind->name, net->spec, t->spec, again.spec,
                 again.kind->name);
    snprintf(what, sizeof what, "opened again from its spec '%.120s', number of channels", t->spec);
    check_count(t, what, (int64_t)again.nstream, (int64_t)t->nstream);
    for (size_t i = 0; i < t->nstream; i++) {
        snprintf(what, sizeof what, "opened again from its spec '%.120s', channel %zu has source", t->spec, i);
        check_count(t, what, again.stream[i].source, t->stream[i].source);
        snprintf(what, sizeof what, "opened again from its spec '%.120s', channel %zu has target", t->spec, i);
        check_count(t, what, again.stream[i].target, t->stream[i].target);
    }
    for (int i = 0; t->matrix && i < net->nterminal; i++)
        for (int j = 0; j < net->nterminal; j++) {
            const int from = net_terminal(net, i), to = net_terminal(net, j);
            const double share[] = { again.kind->share(&again, from, to), t->kind->share(t, from, to) };

            snprintf(what, sizeof what, "opened again from its spec '%.120s', the share from node %d to %d is", t->spec,
                     from, to);
            if (share[0] != share[1])
                differ(t, what, share[0], share[1]);
        }
    traffic_release(&again);
}

static void check(const struct traffic *t, struct net *net)
{
    assert_ptr_equal(t->net, net);
    (t->matrix ? check_rows : check_streams)(t);
    check_invariance(t);
    check_reopens(t, net);
}

static void entry_holds(void **state)
{
    const struct traffic_kind *kind = *state;
    static const char *const others[] = { "torus:8x8", "hypercube:4", "mesh:4x4", "ring:16", "circulant:16,jumps=1+5",
                                          "fattree:4", "star:16", "ring:16,directed=yes", "complete:16",
                                          "dragonfly,a=3,p=2,h=1" };
    struct net *net = measure_open(kind->example_net);
    struct traffic t;
    size_t opened = 0;

    assert_non_null(kind->summary);
    open_on(&t, net, kind->example);
    assert_ptr_equal(t.kind, kind);
    check(&t, net);
    if (strcmp(t.spec, kind->example) != 0)
        fail_msg("traffic %s on %s: its example '%s' opens as '%s'", kind->name, net->spec, kind->example, t.spec);
    traffic_release(&t);
    assert_null(t.stream);
    net_close(net);
    EACH_ROW(i, others) {
        const char *spec = strcmp(kind->name, "hotspot") == 0 ? "hotspot:5" : kind->example;

        net = measure_open(others[i]);
        if (load_traffic(&t, net, spec, NULL, &(struct worst_options){ 0 }, &err) == 0) {
            check(&t, net);
            traffic_release(&t);
            opened++;
        } else if (err.code != ERR_FORMAT) {        /* the file's channels are those of a torus */
            assert_int_equal(err.code, ERR_DOMAIN);
            if (!strstr(err.msg, kind->open ? kind->name : "routing") || !strstr(err.msg, net->spec))
                fail_msg("traffic %s on %s is refused without its name or the network's: %s", spec, net->spec, err.msg);
        }
        net_close(net);
    }
    assert_true(opened > 0);
}

/* ---- where permutations lead ------------------------------------------------------------------------------ */

static const struct leads {
    const char *name, *spec, *net;
    int silent;
    bool invariant;
    int at[8];                          /* source, destination, ... */
} leads[] = {
    { "bit-reversal: 000001 to 100000, 000110 to 011000, 101100 to 001101", "bit-reversal", "hypercube:6", 8, false,
      { 1, 32, 6, 24, 44, 13, 33, 33 } },
    { "bit-reversal of 16 hosts: 0001 to 1000, 0011 to 1100", "bit-reversal", "fattree:4", 4, false,
      { 1, 8, 3, 12, 6, 6, 15, 15 } },
    { "butterfly: 000001 to 100000, 100110 to 000111", "butterfly", "torus:8x8", 32, false, { 1, 32, 38, 7, 33, 33, 30,
      30 } },
    { "perfect-shuffle: 100000 to 000001, 100001 to 000011", "perfect-shuffle", "mesh:4x16", 2, false,
      { 32, 1, 33, 3, 1, 2, 63, 63 } },
    { "transpose by coordinates: 0.3 to 3.0, 6.1 to 1.6", "transpose", "torus:8x8", 8, false, { 3, 24, 49, 14, 9, 9, 54,
      54 } },
    { "transpose of a square that is no power of two: 0.1 to 1.0", "transpose", "mesh:5x5", 5, false,
      { 1, 5, 5, 1, 13, 17, 12, 12 } },
    { "transpose by digits where the grid is no square: 0010 to 1000", "transpose", "mesh:2x8", 4, false,
      { 2, 8, 7, 13, 5, 5, 10, 10 } },
    { "complement: 0.1 to 4.1, the middle is silent", "complement", "torus:5x3", 1, false, { 1, 13, 0, 14, 3, 11, 7,
      7 } },
    { "complement on a hypercube is a translation", "complement", "hypercube:4", 0, true, { 0, 15, 5, 10, 3, 12, 8,
      7 } },
    { "tornado on a ring of 8: 0 to 3, 6 to 1", "tornado", "ring:8", 0, true, { 0, 3, 6, 1, 4, 7, 5, 0 } },
    { "tornado on a ring of 7: 0 to 3, 4 to 0", "tornado", "ring:7", 0, true, { 0, 3, 4, 0, 6, 2, 3, 6 } },
    { "tornado in three dimensions: 0.0.0 to 2.1.1, 4.3.2 to 1.0.0", "tornado", "torus:5x4x3", 0, true,
      { 0, 28, 59, 12, 1, 29, 12, 40 } },
    { "tornado in a mesh", "tornado", "mesh:5x2", 0, false, { 0, 4, 1, 5, 6, 0, 9, 3 } },
    { "farthest on an even torus: across", "farthest", "torus:4x6", 0, true, { 0, 15, 15, 0, 1, 16, 23, 8 } },
    { "farthest on a hypercube: the complement", "farthest", "hypercube:4", 0, true, { 0, 15, 5, 10, 3, 12, 8, 7 } },
    { "neighbour: 0.0 to 1.1, 4.3 to 0.0", "neighbour", "torus:5x4", 0, true, { 0, 5, 19, 0, 3, 4, 16, 1 } },
    { "group-shift: 3 hosts a group, 4 groups: 0 to 3, 11 to 2", "group-shift", "dragonfly,a=3,p=1,h=1", 0, false,
      { 0, 3, 4, 7, 8, 11, 11, 2 } },
    { "group-shift by two: 1 to 13, 23 to 11", "group-shift:2", "dragonfly,a=3,p=2,h=1", 0, false,
      { 1, 13, 23, 11, 11, 23, 12, 0 } },
    { "group-shift by five of four groups", "group-shift:5", "dragonfly,a=3,p=1,h=1", 0, false,
      { 0, 3, 4, 7, 8, 11, 11, 2 } },
    { "neighbour on a ring one way", "neighbour", "ring:5,directed=yes", 0, true, { 0, 1, 4, 0, 2, 3, 3, 4 } },
};

static void permutation_leads(void **state)
{
    const struct leads *row = *state;
    struct net *net = measure_open(row->net);
    struct traffic t;

    open_on(&t, net, row->spec);
    for (size_t i = 0; i < COUNT(row->at); i += 2)
        assert_int_equal(target_of(&t, row->at[i]), row->at[i + 1]);
    assert_int_equal(t.silent, row->silent);
    assert_int_equal(t.nstream, net->nterminal - row->silent);
    assert_int_equal(t.invariant, row->invariant);
    check(&t, net);
    traffic_release(&t);
    net_close(net);
}

static int most_hops(const int *hops, int n, int from, unsigned taken)
{
    int most = 0;

    for (int k = 0; from < n && k < n; k++)
        if (!(taken >> k & 1)) {
            const int all = hops[from * n + k] + most_hops(hops, n, from + 1, taken | 1U << k);

            most = all > most ? all : most;
        }
    return most;
}

/* Against every permutation of up to 7 nodes. */
static void farthest_of_all(void **state)
{
    static const char *const nets[] = { "mesh:3x2", "ring:7", "random:7,degree=2", "star:6", "torus:3x2",
        "ring:5,directed=yes" };

    (void)state;
    EACH_ROW(i, nets) {
        struct net *net = measure_open(nets[i]);
        int hops[49], queue[7], sum = 0;
        struct csr c;
        struct traffic t;

        assert_int_equal(csr_init(&c, measure_graph(net), false, &err), 0);
        for (int v = 0; v < net->n; v++) {
            csr_bfs(&c, v, hops + v * net->n, queue);
            for (int w = 0; w < net->n; w++)
                hops[v * net->n + w] = hops[v * net->n + w] < 0 ? 0 : hops[v * net->n + w];
        }
        open_on(&t, net, "farthest");
        for (size_t k = 0; k < t.nstream; k++)
            sum += hops[t.stream[k].source * net->n + t.stream[k].target];
        assert_int_equal(sum, most_hops(hops, net->n, 0, 0));
        traffic_release(&t);
        csr_release(&c);
        net_close(net);
    }
}

/* Applied `times` over, a permutation is the identity, and no sooner for all. */
static void permutations_have_their_order(void **state)
{
    static const struct {
        const char *spec, *net;
        int times;
    } order[] = { { "bit-reversal", "hypercube:6", 2 }, { "butterfly", "hypercube:6", 2 }, { "perfect-shuffle",
        "hypercube:6", 6 },
                  { "perfect-shuffle", "ring:32", 5 }, { "transpose", "hypercube:6", 2 }, { "transpose", "mesh:5x5",
                    2 },
                  { "complement", "mesh:5x3", 2 }, { "tornado", "ring:8", 8 }, { "tornado", "ring:9", 9 },
                  { "neighbour", "torus:5x4x3", 60 } };

    (void)state;
    EACH_ROW(i, order) {
        struct net *net = measure_open(order[i].net);
        struct traffic t;
        int now[64];

        open_on(&t, net, order[i].spec);
        for (int v = 0; v < net->n; v++)
            now[v] = v;
        for (int times = 1; times <= order[i].times; times++) {
            int home = 0;

            for (int v = 0; v < net->n; v++) {
                now[v] = target_of(&t, now[v]);
                home += now[v] == v;
            }
            assert_int_equal(home == net->n, times == order[i].times);
        }
        traffic_release(&t);
        net_close(net);
    }
}

static void transposes_agree(void **state)
{
    struct net *square = measure_open("mesh:8x8"), *cube = measure_open("hypercube:6");
    struct traffic a, b;

    (void)state;
    open_on(&a, square, "transpose");
    open_on(&b, cube, "transpose");
    for (int v = 0; v < 64; v++)
        assert_int_equal(target_of(&a, v), target_of(&b, v));
    traffic_release(&a);
    traffic_release(&b);
    net_close(square);
    net_close(cube);
}

/* ---- terminals that are not the first nodes --------------------------------------------------------------- */

static void write_file(char path[64], const char *suffix, const char *bytes, size_t len)
{
    int fd;

    snprintf(path, 64, "/tmp/traffic.XXXXXX%s", suffix);
    fd = mkstemps(path, (int)strlen(suffix));
    assert_true(fd >= 0);
    assert_int_equal(write(fd, bytes, len), len);
    close(fd);
}

/* 0 and 2 hang from switch 1, 4 and 5 from switch 3. */
static void terminals_among_switches(void **state)
{
    static const char edges[] = "1 0\n1 2\n1 3\n3 4\n3 5\n";
    static const struct {
        const char *spec;
        int at[6];
    } rows[] = { { "complement", { 0, 5, 2, 4, 5, 0 } }, { "bit-reversal", { 2, 4, 4, 2, 0, 0 } },
                 { "perfect-shuffle", { 2, 4, 4, 2, 5, 5 } } };
    char path[64], spec[96];
    struct net *net;
    struct traffic t;

    (void)state;
    write_file(path, ".edges", edges, strlen(edges));
    snprintf(spec, sizeof spec, "%s,terminals=leaves", path);
    net = measure_open(spec);
    unlink(path);
    EACH_ROW(i, rows) {
        open_on(&t, net, rows[i].spec);
        for (size_t j = 0; j < 6; j += 2)
            assert_int_equal(target_of(&t, rows[i].at[j]), rows[i].at[j + 1]);
        check(&t, net);
        traffic_release(&t);
    }
    open_on(&t, net, "uniform");
    assert_true(fabs(t.kind->share(&t, 0, 5) - 1.0 / 3) < 1e-15);
    check(&t, net);
    traffic_release(&t);
    assert_int_equal(traffic_open(&t, net, "hotspot:3", &err), -1);
    assert_non_null(strstr(err.msg, "node 3"));
    net_close(net);
}

/* ---- matrices --------------------------------------------------------------------------------------------- */

/* Twelve nodes; a part h to the hot spot, the rest even over the other eleven. */
static void hot_spots_get_their_share(void **state)
{
    struct net *net = measure_open("mesh:3x4");
    struct traffic t;

    (void)state;
    open_on(&t, net, "hotspot:9,share=0.25");
    assert_string_equal(t.spec, "hotspot:2.1,share=0.25");
    assert_true(fabs(t.kind->share(&t, 0, 9) - (0.25 + 0.75 / 11)) < 1e-15);
    assert_true(fabs(t.kind->share(&t, 0, 5) - 0.75 / 11) < 1e-15);
    assert_true(fabs(t.kind->share(&t, 9, 5) - 1.0 / 11) < 1e-15);
    traffic_release(&t);
    open_on(&t, net, "hotspot:2.1");
    assert_true(fabs(t.kind->share(&t, 0, 9) - (0.1 + 0.9 / 11)) < 1e-15);
    traffic_release(&t);
    open_on(&t, net, "hotspot:2.1,share=.1");
    assert_string_equal(t.spec, "hotspot:2.1");
    traffic_release(&t);
    open_on(&t, net, "hotspot:0.0,share=1");
    assert_true(t.kind->share(&t, 7, 0) == 1);
    assert_true(t.kind->share(&t, 7, 1) == 0);
    check(&t, net);
    traffic_release(&t);
    net_close(net);
    net = measure_open("ring:2");
    open_on(&t, net, "hotspot:1,share=0.3");
    check_rows(&t);                     /* of two nodes it is uniform, and the flag need not say so */
    traffic_release(&t);
    net_close(net);
}

static void awkward_names_stay_as_given(void **state)
{
    static const char links[] = "source,target\n\"big, one\",plain\nplain,a:b\n";
    char path[64];
    struct net *net;
    struct traffic t;

    (void)state;
    write_file(path, ".csv", links, strlen(links));
    net = measure_open(path);
    unlink(path);
    open_on(&t, net, "hotspot:a:b");
    assert_true(t.kind->share(&t, 0, 2) > t.kind->share(&t, 0, 1));
    check(&t, net);
    traffic_release(&t);
    open_on(&t, net, "hotspot:0");
    assert_string_equal(t.spec, "hotspot:0");
    check(&t, net);
    traffic_release(&t);
    open_on(&t, net, "hotspot:1");
    assert_string_equal(t.spec, "hotspot:plain");
    traffic_release(&t);
    net_close(net);
}

/* ---- streams that share a link --------------------------------------------------------------------------- */

#define MOST_HOPS 64

struct strip {
    int node[MOST_HOPS + 1], hops;
};

/* Dimension by dimension, `last` after all others and those from the last to the first; half-way round goes up. */
static void walk(struct strip *w, const struct net *net, int source, int target, int last)
{
    int c[32], goal[32];

    net_coordinates(net, source, c);
    net_coordinates(net, target, goal);
    w->node[0] = source;
    w->hops = 0;
    for (int i = net->ndim; i >= 0; i--) {
        int d = i == 0 ? last : i - 1, k = net->size[d];

        if (i > 0 && d == last)
            continue;
        while (c[d] != goal[d]) {
            int up = (goal[d] - c[d] + k) % k, node = 0;

            c[d] = (c[d] + (2 * up <= k ? 1 : k - 1)) % k;
            for (int e = 0; e < net->ndim; e++)
                node = node * net->size[e] + c[e];
            assert_in_range(w->hops, 0, MOST_HOPS - 1);
            w->node[++w->hops] = node;
        }
    }
    assert_int_equal(w->node[w->hops], target);
}

static bool crosses(const struct strip *w, int from, int to)
{
    for (int i = 0; i < w->hops; i++)
        if (w->node[i] == from && w->node[i + 1] == to)
            return true;
    return false;
}

static bool meet(const struct strip *a, const struct strip *b)
{
    for (int i = 0; i < a->hops; i++)
        if (crosses(b, a->node[i], a->node[i + 1]))
            return true;
    return false;
}

static const struct shared {
    const char *name, *spec, *net;
    int last;                           /* dimension routed last, from 0 */
    const char *from, *to, *streams;    /* the link, and the streams as they print */
    size_t sharing;                     /* of them, from the first, cross it */
} shared[] = {
    { "table 4-6 of the thesis", "drb-hotspot,dim=2", "torus:8x8", 1, "2.3", "2.4", "1.3-2.7 3.2-2.6 0.1-2.5 4.0-2.4 ",
      4 },
    { "the same turned, under dimension order", "drb-hotspot", "torus:8x8", 0, "3.2", "4.2",
      "3.1-7.2 2.3-6.2 1.0-5.2 0.4-4.2 ", 4 },
    { "table 4-6, all six", "drb-hotspot,dim=2,lone=yes", "torus:8x8", 1, "2.3", "2.4",
      "1.3-2.7 3.2-2.6 0.1-2.5 4.0-2.4 0.2-1.4 4.2-3.4 ", 4 },
    { "the file of the examples", "examples/traffic/six_channels.csv", "torus:8x8", 1, "2.3", "2.4", "C1 C2 C3 C4 C5 "
      "C6 ", 4 },
    { "a larger torus", "drb-hotspot,dim=2", "torus:16x16", 1, "4.7", "4.8", "2.7-4.15 6.5-4.13 0.3-4.11 8.1-4.9 ", 4 },
    { "three dimensions", "drb-hotspot", "torus:8x8x8", 0, "3.2.2", "4.2.2",
      "3.1.2-7.2.2 2.3.2-6.2.2 1.0.2-5.2.2 0.4.2-4.2.2 3.2.1-7.2.2 2.2.3-6.2.2 1.2.0-5.2.2 0.2.4-4.2.2 ", 8 },
    { "a small torus", "drb-hotspot", "torus:4x4", 0, "1.1", "2.1", "1.0-3.1 1.2-3.1 0.0-2.1 0.2-2.1 ", 4 },
    { "a hypercube of 5 dimensions", "drb-hotspot", "hypercube:5", 0, "0.0.0.0.0", "0.0.1.0.0",
      "0.0.0.0.0-0.0.1.0.0 0.0.0.0.1-0.1.1.0.0 0.0.0.1.0-1.0.1.0.0 0.0.0.1.1-1.1.1.0.0 ", 4 },
};

static void link_is_shared(void **state)
{
    const struct shared *row = *state;
    struct net *net = measure_open(row->net);
    struct traffic t;
    char text[800] = "", *label;
    int from, to;

    assert_int_equal(net_node(net, row->from, &from, &err), 0);
    assert_int_equal(net_node(net, row->to, &to, &err), 0);
    open_on(&t, net, row->spec);
    for (size_t i = 0; i < t.nstream; i++) {
        struct strip w;

        label = traffic_stream_label(&t, i);
        assert_non_null(label);
        strcat(strcat(text, label), " ");
        free(label);
        walk(&w, net, t.stream[i].source, t.stream[i].target, row->last);
        assert_int_equal(crosses(&w, from, to), i < row->sharing);
    }
    assert_string_equal(text, row->streams);
    traffic_release(&t);
    net_close(net);
}

/* On every torus that is not refused all streams cross the line's middle link, each has a source of its own, and the
 * lone ones meet nobody. */
static void check_torus(const char *spec, int dim)
{
    struct net *net = measure_open(spec);
    struct traffic t, with_lone;
    char text[48];
    int from = 0, to = 0, k = net->size[dim];
    static struct strip w[40];

    snprintf(text, sizeof text, "drb-hotspot,dim=%d", dim + 1);
    if (traffic_open(&t, net, text, &err) < 0) {
        assert_true(k <= 3);
        assert_non_null(strstr(err.msg, "longer lines"));
        net_close(net);
        return;
    }
    for (int d = 0; d < net->ndim; d++) {
        from = from * net->size[d] + (d == dim ? k / 2 - 1 : net->size[d] / 4);
        to = to * net->size[d] + (d == dim ? k / 2 : net->size[d] / 4);
    }
    assert_true(t.nstream >= 2 && (k < 8 || net->ndim > 2 || t.nstream == 4));
    snprintf(text, sizeof text, "drb-hotspot,dim=%d,lone=yes", dim + 1);
    open_on(&with_lone, net, text);
    check(&with_lone, net);
    for (size_t i = 0; i < with_lone.nstream; i++) {
        walk(&w[i], net, with_lone.stream[i].source, with_lone.stream[i].target, dim);
        assert_int_equal(crosses(&w[i], from, to), i < t.nstream);
        for (size_t j = 0; j < i; j++) {
            assert_int_not_equal(with_lone.stream[i].source, with_lone.stream[j].source);
            if (i >= t.nstream && meet(&w[i], &w[j]))
                fail_msg("%s on %s: channels %zu and %zu meet", text, spec, i, j);
            if (k >= 8 && net->ndim == 2)
                assert_int_not_equal(with_lone.stream[i].target, with_lone.stream[j].target);
        }
    }
    traffic_release(&t);
    traffic_release(&with_lone);
    net_close(net);
}

static void toruses_share_their_middle_link(void **state)
{
    static const char *const more[] = { "torus:2x2x3", "torus:3x2x5", "torus:9x6x5", "torus:8x4x16", "torus:5x5x5x5",
                                        "mesh:8x8,wrap=1+2" };
    char spec[40];

    (void)state;
    for (int a = 2; a <= 20; a++)
        for (int b = a == 2 ? 3 : 2; b <= 20; b++) {
            snprintf(spec, sizeof spec, "torus:%dx%d", a, b);
            check_torus(spec, 0);
            check_torus(spec, 1);
        }
    EACH_ROW(i, more)
        for (int d = 0; d < 2; d++)
            check_torus(more[i], d);
}

static void hypercubes_share_a_link(void **state)
{
    (void)state;
    for (int n = 3; n <= 12; n++) {
        int m = (n + 1) / 2, room = 1 << ((n - 1) / 2);         /* the dimension, from 1 the most significant digit */
        char spec[40];
        struct net *net;
        struct traffic t;

        snprintf(spec, sizeof spec, "hypercube:%d", n);
        net = measure_open(spec);
        open_on(&t, net, "drb-hotspot");
        assert_int_equal(t.nstream, room < n ? room : n);
        for (size_t i = 0; i < t.nstream; i++) {
            struct strip w;

            walk(&w, net, t.stream[i].source, t.stream[i].target, 0);
            assert_true(crosses(&w, 0, 1 << (n - m)));
            for (size_t j = 0; j < i; j++) {
                assert_int_not_equal(t.stream[i].source, t.stream[j].source);
                assert_int_not_equal(t.stream[i].target, t.stream[j].target);
            }
        }
        traffic_release(&t);
        net_close(net);
    }
}

/* ---- how sources send -------------------------------------------------------------------------------------- */

/* A file says some numbers, the request the others; a terminal of a matrix has nothing but the request's. */
static void files_or_requests_set_the_pace(void **state)
{
    static const struct {
        const char *text;
        enum traffic_own own;
        bool times;
        struct traffic_pace pace[2];            /* where the request says 70 and 11 */
    } rows[] = {
        { "source,destination\n0,1\n1,2\n", OWN_NONE, false, { { 70, 11 }, { 70, 11 } } },
        { "source,destination,interval\n0,1,100\n1,2,\n", OWN_SOME, false, { { 100, 11 }, { 70, 11 } } },
        { "source,destination,interval,time\n0,1,100,4\n1,2,30,\n", OWN_ALL, true, { { 100, 4 }, { 30, 11 } } },
        { "source,destination,time\n0,1,\n1,2,5\n", OWN_NONE, true, { { 70, 11 }, { 70, 5 } } },
        { "source,destination,demand\n0,1,0.25\n1,2,0.5\n", OWN_ALL, false, { { 44, 11 }, { 22, 11 } } },
        { "source,destination,demand,time\n0,1,0.25,1\n1,2,0.5,\n", OWN_ALL, true, { { 4, 1 }, { 22, 11 } } },
    };
    const struct traffic_pace request = { 70, 11 };
    struct net *net = measure_open("ring:8");
    struct traffic t;
    char path[64];

    (void)state;
    EACH_ROW(i, rows) {
        write_file(path, ".csv", rows[i].text, strlen(rows[i].text));
        open_on(&t, net, path);
        unlink(path);
        check_count(&t, "channels with intervals (none, some, all):", traffic_own(&t), rows[i].own);
        check_count(&t, "has times of its own:", traffic_own_times(&t), rows[i].times);
        for (int k = 0; k < 2; k++) {
            const struct traffic_pace p = traffic_pace(&t, k, request);

            if (p.interval != rows[i].pace[k].interval)
                differ(&t, "the interval of a channel is", p.interval, rows[i].pace[k].interval);
            if (p.time != rows[i].pace[k].time)
                differ(&t, "the time of a channel is", p.time, rows[i].pace[k].time);
        }
        traffic_release(&t);
    }
    open_on(&t, net, "uniform");
    check_count(&t, "channels with intervals (none, some, all):", traffic_own(&t), OWN_NONE);
    assert_true(traffic_pace(&t, -1, request).interval == 70 && traffic_pace(&t, -1, request).time == 11);
    traffic_release(&t);
    net_close(net);
}

/* ---- broadcasts -------------------------------------------------------------------------------------------- */

/* By hand, of trees drawn on paper: "source>target share ...". */
static void broadcasts_send_to_children(void **state)
{
    static const struct {
        const char *spec, *net, *want;
        bool invariant;
    } rows[] = {
        { "broadcast:binary", "ring:4", "0>1 1/2, 0>2 1/2, 1>3 1/1, ", false },
        { "broadcast:binomial", "mesh:2x4", "0>4 1/3, 0>2 1/3, 0>1 1/3, 2>3 1/1, 4>6 1/2, 4>5 1/2, 6>7 1/1, ", false },
        { "broadcast:binomial,root=3", "ring:8",
          "1>2 1/1, 3>7 1/3, 3>5 1/3, 3>4 1/3, 5>6 1/1, 7>1 1/2, 7>0 1/2, ", false },
        { "broadcast:sequential,root=2", "ring:4", "2>3 1/3, 2>0 1/3, 2>1 1/3, ", false },
        { "broadcast:chain,root=all", "ring:5", "0>1 1/1, 1>2 1/1, 2>3 1/1, 3>4 1/1, 4>0 1/1, ", true },
        { "broadcast:chain,root=all", "mesh:5", "0>1 1/1, 1>2 1/1, 2>3 1/1, 3>4 1/1, 4>0 1/1, ", false },
        /* 0 to 1 and 2, 1 to 3: one beyond once, two beyond twice */
        { "broadcast:binary,root=all", "ring:4",
          "0>1 1/3, 0>2 2/3, 1>2 1/3, 1>3 2/3, 2>3 1/3, 2>0 2/3, 3>0 1/3, 3>1 2/3, ", true },
        { "broadcast:binary,root=all", "hypercube:2",
          "0>1 1/3, 0>2 2/3, 1>2 1/3, 1>3 2/3, 2>3 1/3, 2>0 2/3, 3>0 1/3, 3>1 2/3, ", false },
        { "broadcast:binomial,root=0", "star:3", "0>2 1/2, 0>1 1/2, ", false },
    };

    (void)state;
    EACH_ROW(i, rows) {
        struct net *net = measure_open(rows[i].net);
        const char *at = rows[i].want;
        struct traffic t;

        open_on(&t, net, rows[i].spec);
        check(&t, net);
        for (size_t k = 0; k < t.nstream; k++) {
            int source, target, part, of, n = 0;

            if (sscanf(at, "%d>%d %d/%d, %n", &source, &target, &part, &of, &n) != 4 || n == 0)
                fail_msg("%s on %s has more channels than %s", rows[i].spec, net->spec, rows[i].want);
            check_count(&t, "the source of a channel is", t.stream[k].source, source);
            check_count(&t, "the target of a channel is", t.stream[k].target, target);
            if (fabs(t.stream[k].share - (double)part / of) > 1e-15)
                differ(&t, "the share of a channel is", t.stream[k].share, (double)part / of);
            at += n;
        }
        assert_string_equal(at, "");
        check_count(&t, "is it invariant", t.invariant, rows[i].invariant);
        traffic_release(&t);
        net_close(net);
    }
}

/* Every tree from every root, edge by edge: how often each process sends to each other. */
static void broadcasts_from_all_roots_are_counted(void **state)
{
    static const char *const nets[] = { "mesh:3x5", "fattree:4", "ring:9", "star:7", "complete:2" };

    (void)state;
    EACH_ROW(i, nets)
        for (size_t k = 0; tree_all[k]; k++) {
            struct net *net;
            double *often;
            struct traffic t;
            char spec[60];
            int n;

            if (tree_all[k]->build)             /* they have one root */
                continue;
            net = measure_open(nets[i]);
            n = net->nterminal;
            often = calloc((size_t)net->n * (size_t)net->n, sizeof *often);
            assert_non_null(often);
            snprintf(spec, sizeof spec, "broadcast:%s,root=all", tree_all[k]->name);
            open_on(&t, net, spec);
            check(&t, net);
            for (int root = 0; root < n; root++)
                for (int v = 1; v < n; v++)
                    often[net_terminal(net, (tree_all[k]->parent(v, n) + root) % n) * net->n +
                          net_terminal(net, (v + root) % n)]++;
            for (size_t c = 0; c < t.nstream; c++) {
                double *of = &often[t.stream[c].source * net->n + t.stream[c].target];

                if (fabs(t.stream[c].share * (n - 1) - *of) > 1e-9)
                    differ(&t, "a share times all children is", t.stream[c].share * (n - 1), *of);
                *of = 0;
            }
            for (int v = 0; v < net->n * net->n; v++)
                assert_true(often[v] == 0);
            free(often);
            traffic_release(&t);
            net_close(net);
        }
}

static void label_is(const struct traffic *t, size_t source, const char *want)
{
    char *label = traffic_source_label(t, source);

    assert_non_null(label);
    assert_string_equal(label, want);
    free(label);
}

static void sources_have_labels(void **state)
{
    static const char text[] = "channel,source,destination,source_group\na,0.1,0.2,g\n,1.1,0.0,\nb,0.1,1.1,g\n"
        "c,1.0,0.0,\n";
    struct net *net = measure_open("mesh:2x3");
    struct traffic t;
    char path[64];

    (void)state;
    write_file(path, ".csv", text, strlen(text));
    open_on(&t, net, path);
    unlink(path);
    assert_int_equal(traffic_sources(&t), 3);
    label_is(&t, 0, "g");
    label_is(&t, 1, "1.1-0.0");
    label_is(&t, 2, "c");
    traffic_release(&t);
    open_on(&t, net, "broadcast:binary");
    label_is(&t, 0, "0.0");
    label_is(&t, 2, "0.2-1.2");
    traffic_release(&t);
    open_on(&t, net, "uniform");
    label_is(&t, 4, "1.1");
    traffic_release(&t);
    net_close(net);
}

/* ---- refusals --------------------------------------------------------------------------------------------- */

static const struct refusal {
    const char *spec, *net, *message;
} refused[] = {
    { "unifrom", "ring:8", "no traffic is called 'unifrom' (did you mean 'uniform'?)" },
    { "uniform:3", "ring:8", "uniform takes nothing after a colon" },
    { "uniform,share=1", "ring:8", "uniform has no option 'share'" },
    { "hotspot", "ring:8", "lacks its node" },
    { "hotspot:8", "ring:8", "must be from 0 to 7" },
    { "hotspot:1,share=0", "ring:8", "share is 0; it must be above 0 and at most 1" },
    { "hotspot:1,share=1.5", "ring:8", "share is 1.5" },
    { "hotspot:1,share=nan", "ring:8", "it must be a finite number" },
    { "hotspot:1,share=half", "ring:8", "it must be a finite number" },
    { "hotspot:35", "fattree:4", "is a switch" },
    { "bit-reversal", "torus:5x4x3",
      "bit-reversal permutes binary digits and needs a power of two of terminals; torus:5x4x3 has 60" },
    { "butterfly", "fattree:6", "fattree:6 has 54" },
    { "perfect-shuffle", "ring:12", "ring:12 has 12" },
    { "bit-reversal:2", "ring:8", "nothing after a colon" },
    { "bit-reversal", "ring:2", "bit-reversal needs a larger network than ring:2" },
    { "transpose", "ring:8", "transpose needs a square grid or 4^m terminals; ring:8 has 8" },
    { "transpose", "mesh:4x6", "mesh:4x6 has 24 terminals" },
    { "tornado", "hypercube:4", "tornado needs a larger network than hypercube:4" },
    { "tornado", "fattree:4", "tornado needs coordinates (torus, mesh, hypercube, ring); fattree:4 has none" },
    { "neighbour", "circulant:16,jumps=1+5", "neighbour needs coordinates" },
    { "drb-hotspot", "ring:16", "drb-hotspot needs a torus of two or more dimensions or a hypercube" },
    { "drb-hotspot", "mesh:8x8", "mesh:8x8 is neither" },
    { "drb-hotspot", "fattree:4", "fattree:4 is neither" },
    { "drb-hotspot", "hypercube:2", "hypercube:2 is neither" },
    { "drb-hotspot", "torus:3x2", "longer lines than those of torus:3x2 along dimension 1" },
    { "drb-hotspot,dim=3", "torus:8x8", "dim is 3; it must be from 1 to 2" },
    { "drb-hotspot,lone=maybe", "torus:8x8", "it may be no, yes" },
    { "drb-hotspot,dim=2", "hypercube:4", "takes dim on toruses only, and hypercube:4 is a hypercube" },
    { "file:", "ring:8", "lacks its path" },
    { "broadcast", "ring:8", "lacks its process tree: write broadcast:TREE" },
    { "broadcast:oak", "ring:8", "no process tree is called 'oak'" },
    { "broadcast:chain,root=8", "ring:8", "root is 8; it must be from 0 to 7" },
    { "broadcast:chain,root=-1", "ring:8", "root is -1" },
    { "broadcast:chain,root=every", "ring:8", "'every'" },
    { "broadcast:chain,ports=2", "ring:8", "broadcast has no option 'ports'" },
    { "broadcast:chain,root=16", "fattree:4", "it must be from 0 to 15" },
};

static void request_is_refused(void **state)
{
    (void)state;
    EACH_ROW(i, refused) {
        struct net *net = measure_open(refused[i].net);
        struct traffic t = { .silent = 77 };

        assert_int_equal(traffic_open(&t, net, refused[i].spec, &err), -1);
        assert_true(err_is_request(&err));
        if (!strstr(err.msg, refused[i].message))
            fail_msg("%s on %s: %s", refused[i].spec, refused[i].net, err.msg);
        assert_int_equal(t.silent, 77);
        net_close(net);
    }
}

/* ---- files ------------------------------------------------------------------------------------------------ */

static const struct file {
    const char *name, *net, *text;
    const char *want;                   /* the streams "name source>target interval/time, ", or part of the message */
    size_t len;                         /* of texts with zero bytes */
} files[] = {
    { "by coordinates, numbers, and both", "mesh:3x4", "source,destination\n0.1,2.3\n4,1.1\n",
      "0.1-2.3 1>11 -/-, 1.0-1.1 4>5 -/-, ", 0 },
    { "columns in any order, others ignored", "ring:8", "note,destination,time_cycles,channel,interval_cycles,source\n"
      "x,2,4.5,up,100,1\n\"a,b\",1,,,,2\n", "up 1>2 100/4.5, 2-1 2>1 -/-, ", 0 },
    { "aliases", "ring:8", "source,destination,interval,packet_flits\n0,1,10,5\n", "0-1 0>1 10/5, ", 0 },
    { "more aliases", "ring:8", "source,destination,transmission_time\n0,1,5\n", "0-1 0>1 -/5, ", 0 },
    { "of several the first", "ring:8", "packet,time,source,destination,interval,interval_cycles\n1,2,0,1,3,4\n",
      "0-1 0>1 4/2, ", 0 },
    { "the same ends twice", "ring:8", "source,destination,channel\n0,1,\n0,1,\n0,1,b\n",
      "0-1 0>1 -/-, 0-1 0>1 -/-, b 0>1 -/-, ", 0 },
    { "comments, CRLF, a byte order mark, blank lines", "ring:8",
      "\xef\xbb\xbf# c\r\nsource,destination\r\n\r\n0,1\r\n# d\r\n", "0-1 0>1 -/-, ", 0 },
    { "names in quotes and letters", "ring:8", "channel,source,destination\n\"a, \"\"b\"\" \xc3\xa9\",0,1\n",
      "a, \"b\" \xc3\xa9 0>1 -/-, ", 0 },
    { "hosts of a fat tree", "fattree:4", "source,destination\n0,15\n", "0-15 0>15 -/-, ", 0 },
    { "a group", "ring:8", "source,destination,source_group\n0,1,g\n2,3,\n0,4,g\n5,4,h\n0,2,g\n",
      "0-1 0>1 -/- g 0.333333, 0-4 0>4 -/- g 0.333333, 0-2 0>2 -/- g 0.333333, 2-3 2>3 -/-, 5-4 5>4 -/- h 1, ", 0 },
    { "two groups at a node, and a pair twice", "ring:8", "channel,source,destination,source_group,interval\n"
      "a,0,1,x,50\nb,0,1,y,20\nc,0,1,x,50\n,0,2,y,20.0\n",
      "a 0>1 50/- x 0.5, c 0>1 50/- x 0.5, b 0>1 20/- y 0.5, 0-2 0>2 20/- y 0.5, ", 0 },
    { "shares", "ring:8", "source,destination,source_group,share,time\n0,1,g,3,7\n0,2,g,1,7\n1,2,,9,\n",
      "0-1 0>1 -/7 g 0.75, 0-2 0>2 -/7 g 0.25, 1-2 1>2 -/-, ", 0 },
    { "demands of a group", "ring:8", "source,destination,source_group,demand\n0,1,g,0.1\n0,2,g,0.3\n0,3,g,0\n"
      "0,4,,0.5\n", "0-1 0>1 2.5/- g 0.25, 0-2 0>2 2.5/- g 0.75, 0-4 0>4 2/-, ", 0 },
    { "demands and times of a group", "ring:8", "source,destination,source_group,demand,time\n0,1,g,0.05,20\n"
      "0,2,g,0.15,20\n", "0-1 0>1 100/20 g 0.25, 0-2 0>2 100/20 g 0.75, ", 0 },
    { "shares where there are no groups mean nothing", "ring:8", "source,destination,share\n0,1,half\n",
      "0-1 0>1 -/-, ", 0 },

    { "empty", "ring:8", "", " is empty", 0 },
    { "a heading alone", "ring:8", "source,destination\n", "has a heading and no channels", 0 },
    { "no source", "ring:8", "from,destination\n0,1\n", "has no column 'source'", 0 },
    { "no destination", "ring:8", "source,to\n0,1\n", "has no column 'target'", 0 },
    { "a short row", "ring:8", "source,destination\n0,1\n0\n", ":3 has 1 fields", 0 },
    { "an open quote", "ring:8", "source,destination\n\"0,1\n", "never closed", 0 },
    { "a zero byte", "ring:8", "source,destination\n0,\0001\n", "zero byte", 24 },
    { "Latin-1", "ring:8", "source,destination,channel\n0,1,\xe9\n", ":2 is not UTF-8", 0 },
    { "to itself", "mesh:3x4", "source,destination\n# c\n0.1,1\n", ":3: the channel from '0.1' leads to itself", 0 },
    { "no such node", "ring:8", "source,destination\n0,1\n0,8\n", ":3: destination: node of ring:8: number is 8", 0 },
    { "an empty node", "ring:8", "source,destination\n,1\n", ":2: source: node of ring:8: number is ''", 0 },
    { "no such coordinates", "mesh:3x4", "source,destination\n0.4,1\n", ":2: source: node '0.4'", 0 },
    { "a switch", "fattree:4", "source,destination\n0,35\n", ":2: destination 35 is a switch of fattree:4", 0 },
    { "no interval", "ring:8", "source,destination,interval\n0,1,0\n",
      ":2: interval is '0'; it must be from 1e-09 to 1e+12", 0 },
    { "an interval beyond all", "ring:8", "source,destination,interval\n0,1,1e300\n",
      ":2: interval is '1e300'; it must", 0 },
    { "a time beyond all", "ring:8", "source,destination,time\n0,1,5\n0,2,1e300\n",
      ":3: time is '1e300'; it must", 0 },
    { "next to no interval", "ring:8", "source,destination,interval\n0,1,1e-310\n",
      ":2: interval is '1e-310'; it must", 0 },
    { "next to no demand", "ring:8", "source,destination,demand\n0,1,1e-310\n",
      ":2: demand is '1e-310'; it must be 0 or "
      "from 1e-09 to 1e+12", 0 },
    { "demand beyond all", "ring:8", "source,destination,demand\n0,1,1e300\n",
      ":2: demand is '1e300'; it must", 0 },
    { "a name that turns round", "ring:8", "source,destination,channel\n0,1,a\xe2\x80\xae\n",
      "has a control character", 0 },
    { "a negative interval", "ring:8", "source,destination,interval_cycles\n0,1,-3\n", ":2: interval_cycles is '-3'",
      0 },
    { "an infinite time", "ring:8", "source,destination,time\n0,1,inf\n", ":2: time is 'inf'", 0 },
    { "a time beyond doubles", "ring:8", "source,destination,time\n0,1,1e999\n", ":2: time is '1e999'", 0 },
    { "nan", "ring:8", "source,destination,time\n0,1,nan\n", ":2: time is 'nan'", 0 },
    { "words", "ring:8", "source,destination,packet\n0,1,5 flits\n", ":2: packet is '5 flits'", 0 },
    { "a name twice", "ring:8", "source,destination,channel\n0,1,a\n1,2,\n2,3,a\n",
      ":4: the channel 'a' is on line 2 already", 0 },
    { "a newline in a name", "ring:8", "source,destination,channel\n0,1,\"a\nb\"\n",
      ":2: the channel 'a?b' has a control character", 0 },
    { "a group from two nodes", "ring:8", "source,destination,source_group\n0,1,g\n1,2,h\n3,1,g\n",
      ":4: source is '3', and on line 2 '0'; rows of source_group 'g' are one source, and it must be the same in all",
      0 },
    { "intervals of a group", "ring:8", "source,destination,source_group,interval\n0,1,g,50\n0,2,g,51\n",
      ":3: interval is '51', and on line 2 '50'; rows of source_group 'g'", 0 },
    { "an interval of a part of a group", "ring:8", "source,destination,source_group,interval\n0,1,g,50\n0,2,g,\n",
      ":3: interval is '', and on line 2 '50'", 0 },
    { "times of a group", "ring:8", "source,destination,source_group,packet\n0,1,g,\n0,2,g,8\n",
      ":3: packet is '8', and on line 2 ''", 0 },
    { "times of a group with demands", "ring:8", "source,destination,source_group,time,demand\n0,1,g,2,1\n0,2,g,,1\n",
      ":3: time is '', and on line 2 '2'", 0 },
    { "a share of a part of a group", "ring:8", "source,destination,source_group,share\n0,1,g,\n0,2,g,0.5\n",
      ":3: share is '0.5', and on line 2 ''; give all rows of source_group 'g' a share, or none", 0 },
    { "no share", "ring:8", "source,destination,source_group,share\n0,1,g,0\n", ":2: share is '0'; it must be from",
      0 },
    { "shares and demands", "ring:8", "source,destination,source_group,share,demand\n0,1,g,1,1\n",
      " has columns demand and share", 0 },
    { "a newline in a group", "ring:8", "source,destination,source_group\n0,1,\"a\nb\"\n",
      ":2: the source_group 'a?b' has a control character", 0 },
};

static void show(const struct traffic *t, char text[400])
{
    FILE *f = fmemopen(text, 400, "w");

    assert_non_null(f);
    for (size_t i = 0; i < t->nstream; i++) {
        const struct stream *c = &t->stream[i];

        char *label = traffic_stream_label(t, i);

        assert_non_null(label);
        fprintf(f, "%s %d>%d ", label, c->source, c->target);
        free(label);
        fprintf(f, isnan(c->interval) ? "-/" : "%g/", c->interval);
        fprintf(f, isnan(c->time) ? "-" : "%g", c->time);
        if (c->group)
            fprintf(f, " %s %g", c->group, c->share);
        fputs(", ", f);
    }
    fclose(f);
}

static void file_holds(void **state)
{
    const struct file *row = *state;
    struct net *net = measure_open(row->net);
    struct traffic t;
    char path[64], text[400];

    write_file(path, ".csv", row->text, row->len ? row->len : strlen(row->text));
    if (traffic_open(&t, net, path, &err) == 0) {
        char spec[80];

        show(&t, text);
        assert_string_equal(text, row->want);
        snprintf(spec, sizeof spec, "file:%s", path);
        assert_string_equal(t.spec, spec);
        check(&t, net);
        traffic_release(&t);
    } else {
        assert_int_equal(err.code, ERR_FORMAT);
        if (!strstr(err.msg, row->want) || strncmp(err.msg, path, strlen(path)) != 0)
            fail_msg("message: %s", err.msg);
    }
    unlink(path);
    net_close(net);
}

static void one_node_has_nobody_to_send_to(void **state)
{
    char path[64];
    struct net *net;
    struct traffic t;

    (void)state;
    write_file(path, ".adj", "0\n", 2);
    net = measure_open(path);
    unlink(path);
    for (size_t i = 0; traffic_all[i]; i++) {
        const char *name = traffic_all[i]->name;

        if (load_traffic(&t, net, strcmp(name, "hotspot") == 0 ? "hotspot:0" : traffic_all[i]->example, NULL,
                         &(struct worst_options){ 0 }, &err) == 0)
            fail_msg("traffic %s opens on one node", name);
        assert_true(strcmp(name, "file") == 0 ? err.code == ERR_FORMAT : err_is_request(&err));
    }
    net_close(net);
}

static void long_names_and_missing_files_are_refused(void **state)
{
    struct net *net = measure_open("ring:8");
    struct traffic t;
    char text[300] = "source,destination,channel\n0,1,", path[64], *label;
    size_t len = strlen(text);

    (void)state;
    memset(text + len, 'x', 200);
    write_file(path, ".csv", text, len + 200);
    assert_int_equal(traffic_open(&t, net, path, &err), -1);
    assert_non_null(strstr(err.msg, "200 bytes; at most 199"));
    unlink(path);
    write_file(path, ".csv", text, len + 199);
    open_on(&t, net, path);
    label = traffic_stream_label(&t, 0);
    assert_non_null(label);
    assert_int_equal(strlen(label), 199);
    free(label);
    traffic_release(&t);
    unlink(path);
    assert_int_equal(traffic_open(&t, net, "/nowhere/at/all.csv", &err), -1);
    assert_int_equal(err.code, ERR_IO);
    net_close(net);
}

static size_t below(size_t n)
{
    return (size_t)rng_below(&rng, n);
}

/* A byte changed, put in or taken out, or the end cut off. */
static size_t damage(char *text, size_t len)
{
    static const char sharp[] = "\0\n\r\t ,;\"'#-+.0129exn\x80\xc3\xff";
    size_t at = below(len);

    switch (below(5)) {
    case 0:
        text[at] = (char)(text[at] ^ (1 << below(8)));
        return len;
    case 1:
        text[at] = sharp[below(sizeof sharp - 1)];
        return len;
    case 2:
        memmove(text + at + 1, text + at, len - at);
        text[at] = sharp[below(sizeof sharp - 1)];
        return len + 1;
    case 3:
        memmove(text + at, text + at + 1, len - at - 1);
        return len > 1 ? len - 1 : len;
    default:
        return below(8) ? len : at + 1;
    }
}

/* Random bytes and damaged files are traffic, or one line of complaint. */
static void damaged_files(void **state)
{
    static const char grouped[] = "source_group,source,destination,interval_cycles,share\ng,1.3,2.7,10,5\nh,3.2,2.6,"
                                "10,\ng,1.3,21,10,2.5\n# four\nh,3.2,2.4,10,\n";
    static const char plain[] =
                                "channel,source,destination,interval_cycles,time_cycles\nC1,1.3,2.7,10,5\nC2,3.2,2.6,"
                                "10,\n\"C 3\",0.1,21,,2.5\n# four\n,4.0,2.4,1e3,7\n";
    struct net *net = measure_open("torus:8x8");
    char path[64], text[400];
    size_t read = 0, rounds = 3000;

    (void)state;
    write_file(path, ".csv", "", 0);
    for (size_t i = 0; i < rounds; i++) {
        const char *whole = i % 2 ? plain : grouped;
        struct traffic t = { .silent = 77 };
        size_t len = strlen(whole);
        FILE *f = fopen(path, "w");

        memcpy(text, whole, len);
        if (i % 10 == 0)
            for (size_t j = len = below(200); j-- > 0;)
                text[j] = (char)rng_next(&rng);
        else
            for (size_t times = below(4) + 1; times > 0; times--)
                len = damage(text, len);
        assert_non_null(f);
        assert_int_equal(fwrite(text, 1, len, f), len);
        assert_int_equal(fclose(f), 0);
        if (traffic_open(&t, net, path, &err) == 0) {
            check_streams(&t);
            traffic_release(&t);
            read++;
        } else {
            assert_int_equal(err.code, ERR_FORMAT);
            assert_true(*err.msg && !strchr(err.msg, '\n'));
            assert_int_equal(t.silent, 77);
        }
    }
    assert_true(read > rounds / 20 && read < rounds * 19 / 20);     /* else the damage proves nothing */
    unlink(path);
    net_close(net);
}

/* ---- all -------------------------------------------------------------------------------------------------- */

static size_t add(struct CMUnitTest *tests, size_t n, const char *name, CMUnitTestFunction function, const void *state)
{
    tests[n] = (struct CMUnitTest){ .name = name, .test_func = function, .initial_state = (void *)(uintptr_t)state };
    return n + 1;
}

int main(void)
{
    static struct CMUnitTest tests[180] = {
        cmocka_unit_test(permutations_have_their_order), cmocka_unit_test(farthest_of_all),
            cmocka_unit_test(transposes_agree),
        cmocka_unit_test(terminals_among_switches), cmocka_unit_test(hot_spots_get_their_share),
        cmocka_unit_test(awkward_names_stay_as_given), cmocka_unit_test(toruses_share_their_middle_link),
        cmocka_unit_test(hypercubes_share_a_link), cmocka_unit_test(request_is_refused),
        cmocka_unit_test(files_or_requests_set_the_pace), cmocka_unit_test(broadcasts_send_to_children),
        cmocka_unit_test(broadcasts_from_all_roots_are_counted), cmocka_unit_test(sources_have_labels),
        cmocka_unit_test(one_node_has_nobody_to_send_to),
        cmocka_unit_test(long_names_and_missing_files_are_refused), cmocka_unit_test(damaged_files)
    };
    uint64_t seed = check_seed();
    size_t n = 0;
    int failed;

    rng_seed(&rng, seed);
    while (tests[n].test_func)          /* those listed above */
        n++;
    for (size_t i = 0; traffic_all[i] && n < 60; i++)
        n = add(tests, n, traffic_all[i]->name, entry_holds, traffic_all[i]);
    EACH_ROW(i, leads)
        n = add(tests, n, leads[i].name, permutation_leads, &leads[i]);
    EACH_ROW(i, shared)
        n = add(tests, n, shared[i].name, link_is_shared, &shared[i]);
    EACH_ROW(i, files)
        n = add(tests, n, files[i].name, file_holds, &files[i]);
    net_setup();
    failed = _cmocka_run_group_tests("traffic", tests, n, NULL, NULL);
    net_teardown();
    return failed;
}
