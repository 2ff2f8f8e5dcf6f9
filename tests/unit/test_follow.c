/* What can follow what: for every routing the turns that are visited against all paths walked node by node; and which
 * routings close cycles of links where that is known. */
#include <string.h>

#include "graph/base/grow.h"
#include "model/routing/follow.h"
#include "tests/support/check.h"
#include "tests/support/measure.h"
#include "tests/support/nets.h"

static struct err err;

/* Turns as three nodes, before, at and after, by target; n stands for the world outside. */
struct turns {
    int n;
    unsigned char *times;           /* [((target * (n + 1) + before) * (n + 1) + at) * (n + 1) + after] */
    const struct follow *follow;
    const bool *out;                /* by node: messages leave the network over a link of its own */
    size_t count;
};

static void turns_open(struct turns *t, int n)
{
    const size_t m = (size_t)n + 1;

    *t = (struct turns){ .n = n, .times = calloc(m * m * m * m, 1) };
    assert_non_null(t->times);
}

static unsigned char *turns_at(const struct turns *t, int target, int before, int at, int after)
{
    const size_t m = (size_t)t->n + 1;

    return &t->times[(((size_t)target * m + (size_t)before) * m + (size_t)at) * m + (size_t)after];
}

static int count_turn(void *arg, const struct turn *turn, struct err *e)
{
    struct turns *t = arg;
    const struct follow *f = t->follow;
    const bool arrives = (size_t)turn->out >= f->cables;

    (void)e;
    if (turn->in >= 0 && f->head[turn->in] != f->tail[turn->out])
        fail_msg("link %d ends at %d, %d begins at %d", turn->in, f->head[turn->in], turn->out, f->tail[turn->out]);
    ++*turns_at(t, turn->target, turn->in < 0 ? t->n : f->tail[turn->in], f->tail[turn->out],
                arrives ? t->n : f->head[turn->out]);
    t->count++;
    return 0;
}

static void walk_hops(struct turns *t, struct routing *r, int before, int node, int target)
{
    struct hop *hop = calloc(r->most, sizeof *hop);
    size_t n = 0;

    assert_non_null(hop);
    if (node == target) {
        *turns_at(t, target, before, node, t->n) = t->out[target];
        free(hop);
        return;
    }
    assert_int_equal(r->route->next(hop, &n, r, node, before == t->n ? -1 : before, target, &err), 0);
    for (size_t i = 0; i < n; i++) {
        unsigned char *seen = turns_at(t, target, before, node, hop[i].node);

        if (!*seen) {
            *seen = 1;
            walk_hops(t, r, node, hop[i].node, target);
        }
    }
    free(hop);
}

/* Leg by leg, by the answers of the base. */
static void walk_ways(struct turns *t, struct routing *r, int source, int target)
{
    struct ways ways = { 0 };

    assert_int_equal(r->route->ways(&ways, r, NULL, source, target, &err), 0);
    for (size_t i = 0; i < ways.n; i++) {
        int before = t->n, node = source;

        for (size_t k = i ? ways.end[i - 1] : 0; k < ways.end[i]; k++)
            for (int in = -1; node != ways.stop[k];) {
                struct hop hop;
                size_t n;

                assert_int_equal(r->base->route->next(&hop, &n, r->base, node, in, ways.stop[k], &err), 0);
                *turns_at(t, target, before, node, hop.node) = 1;
                before = in = node;
                node = hop.node;
            }
        *turns_at(t, target, before, node, t->n) = t->out[target];
    }
    ways_release(&ways);
}

struct joined {
    const struct turns *one;        /* visited target by target */
    struct turns seen;              /* whatever the target: under 0 */
};

static int join_turn(void *arg, const struct turn *turn, struct err *e)
{
    struct joined *j = arg;
    const struct follow *f = j->one->follow;
    const int before = turn->in < 0 ? j->one->n : f->tail[turn->in];

    (void)e;
    if (!*turns_at(j->one, turn->target, before, f->tail[turn->out], f->head[turn->out]))
        fail_msg("from %d over %d to %d is no turn of messages to %d", before, f->tail[turn->out], f->head[turn->out],
                 turn->target);
    *turns_at(&j->seen, 0, before, f->tail[turn->out], f->head[turn->out]) = 1;
    return 0;
}

/* All turns that some target has, and no others. */
static void check_joined(struct net *net, struct routing *r)
{
    struct turns one;
    struct joined joined = { .one = &one };
    struct follow f;
    int *target = malloc((size_t)net->nterminal * sizeof *target);
    const int n = net->n;

    assert_non_null(target);
    turns_open(&one, n);
    turns_open(&joined.seen, n);
    assert_int_equal(follow_open(&f, net, false, &err), 0);
    one.follow = &f;
    for (int i = 0; i < net->nterminal; i++)
        target[i] = net_terminal(net, i);
    assert_int_equal(follow_turns(&f, r, -1, count_turn, &one, &err), 0);
    follow_forget_legs(&f, r);
    if (follow_turns_joined(&f, r, target, (size_t)net->nterminal, join_turn, &joined, &err) < 0)
        fail_msg("%s on %s: %s", r->spec, net->spec, err.msg);
    for (int a = 0; a <= n; a++)
        for (int b = 0; b < n; b++)
            for (int c = 0; c < n; c++) {
                bool any = false;

                for (int t = 0; t < n; t++)
                    any = any || *turns_at(&one, t, a, b, c);
                if (any != *turns_at(&joined.seen, 0, a, b, c))
                    fail_msg("%s on %s: from %d over %d to %d is %s", r->spec, net->spec, a, b, c, any ? "left out" :
                             "no turn");
            }
    follow_close(&f);
    free(target);
    free(one.times);
    free(joined.seen.times);
}

static void check_turns(struct net *net, struct routing *r)
{
    struct turns walked, visited;
    struct follow f;
    bool *out = calloc((size_t)net->n, sizeof *out);
    size_t one = 0;

    turns_open(&walked, net->n);
    turns_open(&visited, net->n);
    assert_int_equal(follow_open(&f, net, true, &err), 0);
    visited.follow = &f;
    assert_non_null(out);
    for (int v = 0; v < net->n; v++)
        out[v] = nets_own_switch(net, v);
    walked.out = out;
    for (int t = 0; t < net->nterminal; t++)
        for (int s = 0; s < net->nterminal; s++)
            if (s != t) {
                if (r->route->next)
                    walk_hops(&walked, r, net->n, net_terminal(net, s), net_terminal(net, t));
                else
                    walk_ways(&walked, r, net_terminal(net, s), net_terminal(net, t));
            }
    if (follow_turns(&f, r, -1, count_turn, &visited, &err) != 0)
        fail_msg("%s on %s: %s", r->spec, net->spec, err.msg);
    for (int t = 0; t < net->n; t++)
        for (int a = 0; a <= net->n; a++)
            for (int b = 0; b < net->n; b++)
                for (int c = 0; c <= net->n; c++)
                    if (*turns_at(&walked, t, a, b, c) != (r->route->next ? *turns_at(&visited, t, a, b, c) :
                        !!*turns_at(&visited, t, a, b, c)))
                        fail_msg("%s on %s: from %d over %d to %d, bound for %d (%d: outside), is visited %d times, "
                                 "walked %d times", r->spec, net->spec, a, b, c, t, net->n,
                                 *turns_at(&visited, t, a, b, c), *turns_at(&walked, t, a, b, c));
    one = visited.count;
    for (int t = 0; t < net->nterminal; t++)
        assert_int_equal(follow_turns(&f, r, net_terminal(net, t), count_turn, &visited, &err), 0);
    assert_int_equal(visited.count, 2 * one);       /* one target after the other as all at once */
    follow_close(&f);
    free(out);
    free(walked.times);
    free(visited.times);
}

static const char *const nets[] = { "mesh:4x3", "torus:4x4", "torus:3x2x4", "fattree:4", "hypercube:4",
                                    "ring:7,directed=yes", "star:5",
                                    "dragonfly,a=2,p=2,h=1", "circulant:13,jumps=2+3", "random:14,degree=3,seed=5" };

static void entry_turns(void **state)
{
    const struct route *route = *state;
    size_t fitted = 0;

    EACH_ROW(i, nets) {
        struct net *net = measure_open(nets[i]);
        struct routing r;

        if (!route->takes_path && routing_open(&r, net, route->example ? route->example : route->name, &err) == 0) {
            check_turns(net, &r);
            check_joined(net, &r);
            routing_close(&r);
            fitted++;
        }
        net_close(net);
    }
    if (!route->takes_path && !fitted)
        fail_msg("%s: tried on no network", route->name);
}

/* Of drawn networks, of which some nodes are switches that few messages come to, or none. */
static void joined_drawn(void **state)
{
    static const char *const routings[] = { "ecmp", "minimal", "spread", "updown", "ecmp,per=neighbour" };
    struct rng rng;

    (void)state;
    rng_seed(&rng, check_seed());
    for (int k = 0; k < 60; k++) {
        struct net *net = nets_random(&rng, 10 + k % 8, 3 + k % 9, false);
        struct routing r;

        if (k % 3 == 1)
            nets_cables(&rng, net);
        nets_switch(&rng, net);
        assert_int_equal(routing_open(&r, net, routings[(size_t)k % COUNT(routings)], &err), 0);
        check_joined(net, &r);
        routing_close(&r);
        net_close(net);
    }
}

/* ---- cycles ---- */

struct pairs {
    int *in, *out;
    size_t n;
};

static int add_pair(void *arg, const struct turn *turn, struct err *e)
{
    struct pairs *p = arg;

    if (GROW_BY(p->n, 1, "turns", e, GROWN(p->in), GROWN(p->out)) < 0)
        return -1;
    p->in[p->n] = turn->in;
    p->out[p->n++] = turn->out;
    return 0;
}

/* Dally and Seitz 1987: dimension order closes no cycle on a mesh, and does round rings of which it may take more than
 * two links on end. Both orders together, or a second leg after the first, close cycles in a mesh already. Up and down
 * never (Schroeder et al.). */
static const struct known {
    const char *net, *routing;
    bool cyclic;
} known[] = {
    { "mesh:4x4", "dor", false },       { "mesh:4x3x3", "dor", false },     { "hypercube:4", "dor", false },
    { "torus:4x4", "dor", true },       { "torus:3x3", "dor", false },      { "ring:5", "dor", true },
    { "ring:4,directed=yes", "dor", true }, { "mesh:4x4", "o1turn", true },  { "mesh:2x2", "o1turn", true },
    { "mesh:4x4", "romm", true },       { "mesh:4x4", "valiant", true },    { "random:20,degree=3", "updown", false },
    { "torus:4x4", "updown", false },   { "star:6", "valiant", true },     { "fattree:4", "ecmp", false },
    { "complete:6", "dor", false },
};

static void cycles(void **state)
{
    (void)state;
    EACH_ROW(i, known) {
        struct net *net = measure_open(known[i].net);
        struct pairs pairs = { 0 };
        struct routing r;
        struct follow f;
        bool cyclic = false;

        if (routing_open(&r, net, known[i].routing, &err) < 0 || follow_open(&f, net, false, &err) < 0 ||
            follow_turns(&f, &r, -1, add_pair, &pairs, &err) < 0 ||
            follow_cyclic(&cyclic, f.nlink, pairs.n, pairs.in, pairs.out, &err) < 0)
            fail_msg("%s on %s: %s", known[i].routing, known[i].net, err.msg);
        if (cyclic != known[i].cyclic)
            fail_msg("%s on %s: cyclic is %d, not %d", known[i].routing, known[i].net, cyclic, known[i].cyclic);
        free(pairs.in);
        free(pairs.out);
        follow_close(&f);
        routing_close(&r);
        net_close(net);
    }
}

static int refuse(void *arg, const struct turn *turn, struct err *e)
{
    (void)turn;
    (void)e;
    return --*(int *)arg ? 0 : 7;
}

static void stops_where_asked(void **state)
{
    static const char *const routings[] = { "dor", "valiant" };

    (void)state;
    EACH_ROW(i, routings)
        for (int most = 1; most < 40; most += 13) {
            struct net *net = measure_open("mesh:3x3");
            struct routing r;
            struct follow f;
            int left = most;

            assert_int_equal(routing_open(&r, net, routings[i], &err), 0);
            assert_int_equal(follow_open(&f, net, false, &err), 0);
            assert_int_equal(follow_turns(&f, &r, -1, refuse, &left, &err), 7);
            assert_int_equal(left, 0);
            follow_close(&f);
            routing_close(&r);
            net_close(net);
        }
}

static const struct route *asked;
static int times_asked[60 * 60];        /* by target and node */

static int count_next(struct hop *hop, size_t *n, struct routing *r, int node, int in, int target, struct err *e)
{
    times_asked[target * 60 + node]++;
    return asked->next(hop, n, r, node, in, target, e);
}

/* Hop by hop, each node once a target, however many links lead there; who looks back, for each of them. */
static void asks_each_node_once(void **state)
{
    static const struct {
        const char *routing;
        bool once;
    } rows[] = { { "dor", true }, { "ecmp", true }, { "minimal", true }, { "spread", true }, { "updown", false } };

    (void)state;
    EACH_ROW(i, rows) {
        struct net *net = measure_open("mesh:5x4x3");
        struct turns turns;
        struct route counted;
        struct routing r;
        struct follow f;

        assert_int_equal(net->n, 60);
        assert_int_equal(routing_open(&r, net, rows[i].routing, &err), 0);
        assert_int_equal(follow_open(&f, net, false, &err), 0);
        memset(times_asked, 0, sizeof times_asked);
        asked = r.route;
        counted = *asked;
        counted.next = count_next;
        r.route = &counted;
        turns_open(&turns, net->n);
        turns.follow = &f;
        assert_int_equal(follow_turns(&f, &r, -1, count_turn, &turns, &err), 0);
        for (int target = 0; target < 60; target++) {
            int all = 0;

            for (int node = 0; node < 60; node++) {
                assert_true(!rows[i].once || times_asked[target * 60 + node] == (node != target));
                all += times_asked[target * 60 + node];
            }
            assert_true(rows[i].once || all > 59);
        }
        free(turns.times);
        follow_close(&f);
        r.route = asked;
        routing_close(&r);
        net_close(net);
    }
}

int main(void)
{
    struct CMUnitTest tests[40] = { cmocka_unit_test(cycles), cmocka_unit_test(stops_where_asked),
                                    cmocka_unit_test(asks_each_node_once), cmocka_unit_test(joined_drawn) };
    size_t n = 4;
    int failed;

    net_setup();
    for (size_t i = 0; route_all[i] && n < COUNT(tests); i++)
        tests[n++] = (struct CMUnitTest){ .name = route_all[i]->name, .test_func = entry_turns,
                                          .initial_state = (void *)(uintptr_t)route_all[i] };
    failed = _cmocka_run_group_tests("what can follow what", tests, n, NULL, NULL);
    net_teardown();
    return failed;
}
