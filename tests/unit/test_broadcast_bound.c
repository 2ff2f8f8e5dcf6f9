/* Bounds of broadcasts: closed forms, every process tree, every schedule and every cut of small networks, and no
 * pattern that is simulated below any bound. */
#include <igraph.h>
#include <string.h>

#include "analysis/broadcast/broadcast_bound.h"
#include "analysis/broadcast/broadcast_rate.h"
#include "tests/support/check.h"
#include "tests/support/measure.h"
#include "tests/support/nets.h"
#include "tests/support/scene.h"
#include "tests/support/trial.h"

static struct err err;

/* ---- known answers ---- */

static const struct row {
    const char *name, *spec;
    int processes, root, ports;             /* processes 0: all */
    bool blocking;
    double steps, hops, broadcast, all;     /* all: NAN, not known */
    double all_steps, combined;
} rows[] = {
    { "complete network, one port: log2 n", "complete:16", 0, 0, 1, true, 4, 15, 1, 1. / 15, 15, 4 },
    { "complete network, two ports: log3 n", "complete:27", 0, 5, 2, false, 3, 26, 2, 2. / 26, 13, 3 },
    { "complete network, one more than 3^3", "complete:28", 0, 0, 2, false, 4, 27, 2, 2. / 27, 14, 4 },
    { "complete network, all ports: at once", "complete:20", 0, 0, 0, false, 1, 19, 19, 1, 1, 1 },
    { "hypercube, one port: its dimension", "hypercube:6", 0, 3, 1, true, 6, 63, 1, 1. / 63, 63, 6 },
    { "hypercube, all ports: edge connectivity", "hypercube:5", 0, 0, 0, false, 5, 31, 5, 5. / 31, 7, 5 },
    { "ring, either way", "ring:11", 0, 0, 0, false, 5, 10, 2, 2. / 10, 5, 5 },
    { "ring one way", "ring:9,directed=yes", 0, 0, 0, false, 8, 8, 1, 1. / 8, 8, 8 },
    { "torus of two dimensions", "torus:5x4", 0, 0, 0, false, 4, 19, 4, 4. / 19, 5, 4 },
    { "mesh from a corner", "mesh:5x4", 0, 0, 0, false, 7, 19, 2, 2. / 19, 10, 7 },
    { "mesh from within: the corner hears over two", "mesh:5x4", 0, 6, 0, false, 5, 19, 2, 2. / 19, 10, 7 },
    { "star from its hub, all ports", "star:16", 0, 0, 0, false, 1, 15, 1, 1. / 15, 15, 2 },
    { "star from its hub, one port: one message a step", "star:16", 0, 0, 1, true, 15, 15, 1, 1. / 15, 15, 4 },
    { "star from a leaf", "star:16", 0, 4, 0, false, 2, 15, 1, 1. / 15, 15, 2 },
    { "hosts of a fat tree: two links apart at least", "fattree:4", 0, 0, 1, false, 7, 50, 1, 1. / 15, 15, 6 },
    { "the same, a sender waits", "fattree:4", 0, 0, 1, true, 8, 50, 1, 1. / 15, 15, 6 },
    { "a row of a mesh", "mesh:4x4", 4, 0, 1, true, 3, 3, 1, 1. / 3, 3, 3 },
    { "two processes", "ring:2", 0, 0, 0, false, 1, 1, 1, 1, 1, 1 },
    { "one process", "mesh:4x4", 1, 0, 1, true, 0, 0, INFINITY, INFINITY, 0, 0 },
};

struct sight {                      /* all bounds of one placement */
    struct net *net;
    struct placement where;
    struct broadcast_reach reach;
    struct broadcast_bound bound;
    struct broadcast_rate rate;
};

static void look(struct sight *s, int root, struct broadcast_how how, bool flows)
{
    if (broadcast_reach(&s->reach, s->net, &s->where, root, &err) < 0 ||
        broadcast_bound(&s->bound, &s->reach, how, &err) < 0 ||
        (flows ? broadcast_rate_by_flows : broadcast_rate)(&s->rate, s->net, &s->where, root, how.ports, 1, NULL,
        &err) < 0) fail_msg("%s: %s", s->net->spec, err.msg);
}

static void sight_open(struct sight *s, const char *spec, int processes)
{
    assert_int_equal(net_open(&s->net, spec, &err), 0);
    assert_int_equal(placement_init(&s->where, s->net, NULL, processes, 1, 1, &err), 0);
}

static void sight_close(struct sight *s)
{
    broadcast_reach_release(&s->reach);
    placement_release(&s->where);
    net_close(s->net);
}

static void row_holds(void **state)
{
    const struct row *row = *state;
    struct sight s = { 0 };

    sight_open(&s, row->spec, row->processes);
    for (int flows = 0; flows < 2; flows++) {
        look(&s, row->root, (struct broadcast_how){ row->ports, row->blocking }, flows);
        if (s.bound.steps != row->steps || s.bound.hops != row->hops || s.rate.rate != row->broadcast ||
            s.rate.all_rate != row->all || s.rate.all_steps != row->all_steps ||
            s.rate.all_combined_steps != row->combined) fail_msg("%d: steps %g (%g %g %g), hops %g, rate %g, all %g in "
                     "%g or %g steps", flows, s.bound.steps, s.bound.distance, s.bound.growth, s.bound.work,
                     s.bound.hops, s.rate.rate, s.rate.all_rate, s.rate.all_steps, s.rate.all_combined_steps);
        broadcast_reach_release(&s.reach);
    }
    sight_close(&s);
}

/* The binomial tree reaches the bound on complete networks and hypercubes; so does `sequential` out of a hub. */
static void bounds_are_reached(void **state)
{
    static const struct { const char *spec, *tree; int ports; } reached[] = {
        { "complete:37", "binomial", 1 }, { "complete:64", "binomial", 1 }, { "hypercube:7", "binomial", 1 },
        { "complete:37", "sequential", 0 }, { "star:16", "sequential", 1 }, { "star:16", "sequential", 0 },
        { "ring:12,directed=yes", "chain", 1 }
    };

    (void)state;
    EACH_ROW(i, reached) {
        struct trial c;
        struct broadcast b;
        struct broadcast_reach reach;
        struct broadcast_bound bound;

        trial_open(&c, reached[i].spec, reached[i].tree, 0, reached[i].ports, true);
        assert_int_equal(steps_broadcast(&b, &c.tree, 0, &(struct steps){ &c.where, &c.routing, c.how, NULL }, NULL,
                                         &err), 0);
        assert_int_equal(broadcast_reach(&reach, c.net, &c.where, 0, &err), 0);
        assert_int_equal(broadcast_bound(&bound, &reach, c.how, &err), 0);
        if (b.makespan_steps != bound.steps || b.serial_hops != bound.hops)
            fail_msg("%s %s: %g steps over %g, %g hops over %g", reached[i].spec, reached[i].tree, b.makespan_steps,
                     bound.steps, b.serial_hops, bound.hops);
        broadcast_release(&b);
        broadcast_reach_release(&reach);
        trial_release(&c);
    }
}

/* Hosts round a switch that only passes on: every pair is two links apart and nothing is in the way, so the binomial
 * tree takes 2 ceil(log2 n) steps, and none takes fewer; round a hub that is a process one message goes at a time. */
static void switches_pass_on_all_at_once(void **state)
{
    (void)state;
    for (int n = 2; n <= 40; n++) {
        int end[80];
        struct trial c = { .how = { 1, true } };
        struct broadcast_reach reach;
        struct broadcast_bound bound;
        struct broadcast b;

        for (int v = 0; v < n; v++) {
            end[2 * v] = v;
            end[2 * v + 1] = n;
        }
        c.net = nets_from_edges(n + 1, end, n, false);
        c.net->nterminal = n;
        c.net->terminal = malloc((size_t)n * sizeof *c.net->terminal);
        assert_non_null(c.net->terminal);
        for (int v = 0; v < n; v++)
            c.net->terminal[v] = v;
        assert_int_equal(routing_open(&c.routing, c.net, "spread", &err), 0);
        assert_int_equal(placement_init(&c.where, c.net, NULL, n, 1, 1, &err), 0);
        assert_int_equal(tree_shape_init(&c.tree, tree_find("binomial", &err), n, NULL, &err), 0);
        trial_check(&c);
        assert_int_equal(broadcast_reach(&reach, c.net, &c.where, 0, &err), 0);
        assert_int_equal(broadcast_bound(&bound, &reach, c.how, &err), 0);
        assert_int_equal(steps_broadcast(&b, &c.tree, 0, &(struct steps){ &c.where, &c.routing, c.how, NULL }, NULL,
                                         &err), 0);
        if (b.makespan_steps != 2 * ceil(log2(n)) || bound.steps != b.makespan_steps)
            fail_msg("%d hosts: %g steps, at least %g", n, b.makespan_steps, bound.steps);
        broadcast_release(&b);
        broadcast_reach_release(&reach);
        trial_release(&c);
    }
}

/* On a non-blocking fat tree a round of the binomial tree takes as long as its longest way, six hops, unless two of its
 * messages happen to go up or down the same link: wherever the processes are, at most a few steps more. */
static void a_fat_tree_hardly_makes_messages_wait(void **state)
{
    struct rng rng;

    (void)state;
    rng_seed(&rng, check_seed());
    for (int i = 0; i < 30; i++) {
        struct trial c;
        struct broadcast b;

        trial_open(&c, "fattree:8", "binomial", 48, 1, true);
        placement_release(&c.where);
        routing_close(&c.routing);
        assert_int_equal(routing_open(&c.routing, c.net, "dmodk", &err), 0);
        assert_int_equal(placement_init(&c.where, c.net, "random", 48, 1, rng_next(&rng), &err), 0);
        assert_int_equal(steps_broadcast(&b, &c.tree, 0, &(struct steps){ &c.where, &c.routing, c.how, NULL }, NULL,
                                         &err), 0);
        if (b.makespan_steps > 6 * 6 + 4)
            fail_msg("placement %d: %g steps for six rounds", i, b.makespan_steps);
        broadcast_release(&b);
        trial_release(&c);
    }
}

/* ---- no pattern is below a bound ---- */

static struct net *random_net(struct rng *rng)
{
    static const char *const specs[] = { "mesh:5x4", "torus:5x4x3", "mesh:4x4,wrap=2", "ring:9,directed=yes",
                                         "hypercube:5", "star:20", "complete:12", "midimew:25", "fattree:4",
                                         "dragonfly,a=3,p=2,h=1", "circulant:21,jumps=3+7+8", "star:9" };
    const size_t pick = (size_t)rng_below(rng, COUNT(specs) + 6);
    struct net *net;

    if (pick >= COUNT(specs)) {
        net = nets_random(rng, 2 + (int)rng_below(rng, 40), (int)rng_below(rng, 30), pick % 2);
        if (rng_below(rng, 2))
            nets_switch(rng, net);
        return net;
    }
    assert_int_equal(net_open(&net, specs[pick], &err), 0);
    return net;
}

static void random_tree(struct trial *c, struct rng *rng, int n)
{
    int parent[TRIAL_MOST] = { 0 };

    if (rng_below(rng, 3)) {
        size_t trees = 0;

        while (tree_all[trees])
            trees++;
        trial_tree(&c->tree, tree_all[rng_below(rng, trees)], c->net, &c->where, c->root);
        return;
    }
    for (int v = 1; v < n; v++)
        parent[v] = (int)rng_below(rng, (uint64_t)(v < 4 ? v : 1 + (int)rng_below(rng, (uint64_t)v)));
    assert_int_equal(tree_shape_from(&c->tree, parent, n, rng_below(rng, 2), &err), 0);
}

static void no_pattern_is_below(void **state)
{
    struct rng rng;

    (void)state;
    rng_seed(&rng, check_seed());
    for (int i = 0; i < 600; i++) {
        struct trial c = { .net = random_net(&rng) };
        struct broadcast_reach reach;
        struct broadcast_bound bound, flood;
        struct broadcast b;
        int n = c.net->nterminal < TRIAL_MOST ? c.net->nterminal : TRIAL_MOST;

        n = 1 + (int)rng_below(&rng, (uint64_t)n);
        c.root = (int)rng_below(&rng, (uint64_t)n);
        c.how = (struct broadcast_how){ (int)rng_below(&rng, 4), rng_below(&rng, 2) };
        assert_int_equal(routing_open(&c.routing, c.net, rng_below(&rng, 2) ? "minimal" :
                                      routing_usual(NULL, c.net, ROUTING_FOR_TREES), &err), 0);
        assert_int_equal(placement_init(&c.where, c.net, "random", n, 1, rng_next(&rng), &err), 0);
        random_tree(&c, &rng, n);
        assert_int_equal(broadcast_reach(&reach, c.net, &c.where, c.root, &err), 0);
        assert_int_equal(broadcast_bound(&bound, &reach, c.how, &err), 0);
        broadcast_bound_flood(&flood, &reach);
        assert_int_equal(steps_broadcast(&b, &c.tree, c.root, &(struct steps){ &c.where, &c.routing, c.how, NULL },
                                         NULL, &err), 0);
        if (b.makespan_steps < bound.steps || b.serial_hops < bound.hops)
            fail_msg("trial %d, %s, %d processes, root %d, ports %d, blocking %d: %g steps, at least %g (%g %g %g); %g "
                     "hops, at least %g", i, c.net->spec, n, c.root, c.how.ports, c.how.blocking, b.makespan_steps,
                     bound.steps, bound.distance, bound.growth, bound.work, b.serial_hops, bound.hops);
        broadcast_release(&b);
        assert_int_equal(broadcast_flood(&b, c.net, &c.where, c.root, &err), 0);
        assert_true(b.makespan_steps == flood.steps && b.serial_hops >= flood.hops);
        broadcast_release(&b);
        broadcast_reach_release(&reach);
        trial_release(&c);
    }
}

/* ---- hops: every labelled tree of processes (Pruefer 1918), turned away from the root ---- */

static double tree_hops(const int *code, int n, int root, const int *hops, const int *node, int nodes)
{
    int degree[8] = { 0 }, end[8][2], nend = 0, parent[8], queue[8], reached = 0;
    double sum = 0;

    for (int v = 0; v < n; v++)
        degree[v] = 1;
    for (int i = 0; i < n - 2; i++)
        degree[code[i]]++;
    for (int i = 0; i < n - 2; i++)
        for (int v = 0; v < n; v++)
            if (degree[v] == 1) {
                end[nend][0] = v;
                end[nend++][1] = code[i];
                degree[v]--;
                degree[code[i]]--;
                break;
            }
    for (int v = 0, k = 0; v < n; v++)
        if (degree[v] == 1)
            end[nend][k++] = v;
    nend++;
    for (int v = 0; v < n; v++)
        parent[v] = -1;
    parent[root] = root;
    queue[reached++] = root;
    for (int i = 0; i < reached; i++)
        for (int e = 0; e < nend; e++)
            for (int k = 0; k < 2; k++)
                if (end[e][k] == queue[i] && parent[end[e][!k]] < 0) {
                    const int h = hops[node[queue[i]] * nodes + node[end[e][!k]]];

                    parent[end[e][!k]] = queue[i];
                    sum += h < 0 ? INFINITY : (double)h;
                    queue[reached++] = end[e][!k];
                }
    return sum;
}

static void hops_are_the_least_tree(void **state)
{
    struct rng rng;

    (void)state;
    rng_seed(&rng, check_seed());
    for (int i = 0; i < 60; i++) {
        const bool directed = i % 2;
        struct net *net = nets_random(&rng, 3 + (int)rng_below(&rng, 18), (int)rng_below(&rng, 12), directed);
        const int most = net->n < 7 ? net->n : 7, n = 2 + (int)rng_below(&rng, (uint64_t)most - 1);
        const int root = (int)rng_below(&rng, (uint64_t)n);
        int *hops = measure_hops(net), code[8] = { 0 };
        struct placement where;
        struct broadcast_reach reach;
        double least = INFINITY, nearest = INFINITY, total = pow(n, n - 2);

        assert_int_equal(placement_init(&where, net, "random", n, 1, rng_next(&rng), &err), 0);
        for (double k = 0; k < total; k++) {
            least = fmin(least, tree_hops(code, n, root, hops, where.node, net->n));
            for (int d = 0; d < n - 2 && ++code[d] == n; d++)
                code[d] = 0;
        }
        for (int u = 0; u < n; u++)
            for (int v = 0; v < n; v++)
                if (u != v && hops[where.node[u] * net->n + where.node[v]] >= 0)
                    nearest = fmin(nearest, hops[where.node[u] * net->n + where.node[v]]);
        assert_int_equal(broadcast_reach(&reach, net, &where, root, &err), 0);
        if (reach.hops != least || reach.nearest != nearest)
            fail_msg("trial %d: %g hops for %g, nearest %d for %g", i, reach.hops, least, reach.nearest, nearest);
        broadcast_reach_release(&reach);
        placement_release(&where);
        free(hops);
        net_close(net);
    }
}

/* ---- steps: every schedule of every pattern, breadth first over what can be at the end of a step ----
 * A message to process d is not yet sent (0), delivered (1) or at node x (2 + x). Where nothing waits for delivery, the
 * least is no more than with blocking; to see what blocking costs, messages on their way say who sent them as well
 * (2 + x + nodes times sender). */

#define TINY 5

struct search {
    struct net *net;
    int n, ports, links[TINY], *node;           /* n processes; links: bit masks of neighbours */
    int switches;                               /* bit mask */
    int wide[TINY][TINY], used[TINY][TINY];     /* by link: messages that it passes in a step, and did */
    bool blocking;
    int base, size;
    unsigned char *seen;
    int *next, nnext;
};

static int state_of(const struct search *s, const int *at)
{
    int state = 0;

    for (int d = s->n - 1; d >= 0; d--)
        state = state * s->base + at[d];
    return state;
}

/* The node of a message on its way; -1 for none. */
static int place_of(const struct search *s, int at)
{
    return at < 2 ? -1 : (at - 2) % s->net->n;
}

static void arrive(const struct search *s, int *at, int d, int x, int sender)
{
    at[d] = x == s->node[d] ? 1 : 2 + x + (s->blocking ? sender * s->net->n : 0);
}

static bool may_send(const struct search *s, const int *from, int p)
{
    for (int d = 0; s->blocking && d < s->n; d++)
        if (from[d] >= 2 && (from[d] - 2) / s->net->n == p)
            return false;
    return from[p] == 1;
}

static void operations(struct search *s, const int *from, int *at, int x, int idle);

/* Who is idle after a message went from x to y: a switch is while the link to it is not full. */
static int crossing(struct search *s, int idle, int x, int y)
{
    return ++s->used[x][y] < s->wide[x][y] && s->switches & 1 << y ? idle : idle & ~(1 << y);
}

/* The process p of terminal x sends its message for destinations from d on, over links of `idle`: to idle terminals
 * and, over each link as often as it is wide, to switches. */
static void sends(struct search *s, const int *from, int *at, int x, int p, int idle, int d, int ports)
{
    for (; d < s->n; d++)
        for (int y = 0; from[d] == 0 && at[d] == 0 && ports && y < s->net->n; y++)
            if (s->links[x] & idle & 1 << y) {
                const int still = crossing(s, idle, x, y);

                arrive(s, at, d, y, p);
                sends(s, from, at, x, p, still, d + 1, ports - 1);
                operations(s, from, at, x + 1, still | s->switches);
                at[d] = 0;
                s->used[x][y]--;
            }
}

/* Messages for destinations from d on leave switch x, over each link of `idle` as many as it is wide for. */
static void passes(struct search *s, const int *from, int *at, int x, int idle, int d)
{
    operations(s, from, at, x + 1, idle | s->switches);
    for (; d < s->n; d++)
        for (int y = 0; place_of(s, from[d]) == x && y < s->net->n; y++)
            if (s->links[x] & idle & 1 << y) {
                const int before = at[d], still = crossing(s, idle, x, y);

                arrive(s, at, d, y, (before - 2) / s->net->n);
                passes(s, from, at, x, still, d + 1);
                at[d] = before;
                s->used[x][y]--;
            }
}

/* What nodes x, x + 1, ... may do by themselves, terminals one operation each; of these, who is not idle has taken part
 * already. */
static void operations(struct search *s, const int *from, int *at, int x, int idle)
{
    if (x == s->net->n) {
        const int state = state_of(s, at);

        if (!s->seen[state]) {
            s->seen[state] = 1;
            s->next[s->nnext++] = state;
        }
        return;
    }
    if (s->switches & 1 << x) {
        passes(s, from, at, x, idle, 0);
        return;
    }
    operations(s, from, at, x + 1, idle);
    if (!(idle & 1 << x))
        return;
    idle &= ~(1 << x);
    for (int p = 0; p < s->n; p++)
        if (s->node[p] == x && may_send(s, from, p))
            sends(s, from, at, x, p, idle, 0, s->ports ? s->ports : s->net->n);
    for (int d = 0; d < s->n; d++)
        for (int y = 0; place_of(s, from[d]) == x && y < s->net->n; y++)
            if (s->links[x] & idle & 1 << y) {
                const int before = at[d];

                arrive(s, at, d, y, (before - 2) / s->net->n);
                operations(s, from, at, x + 1, (idle & ~(1 << y)) | s->switches);
                at[d] = before;
            }
}

static int least_steps(struct search *s, int root)
{
    int *now, nnow = 1, at[TINY] = { 0 }, from[TINY], steps = 0, goal;

    s->base = 2 + s->net->n * (s->blocking ? s->n : 1);
    s->size = (int)lround(pow(s->base, s->n));
    s->seen = calloc((size_t)s->size, 1);
    s->next = malloc((size_t)s->size * sizeof *s->next);
    now = malloc((size_t)s->size * sizeof *now);
    assert_true(s->seen && s->next && now);
    at[root] = 1;
    now[0] = state_of(s, at);
    s->seen[now[0]] = 1;
    for (int d = 0; d < s->n; d++)
        at[d] = 1;
    goal = state_of(s, at);
    for (; !s->seen[goal]; steps++) {
        int *swap = now;

        s->nnext = 0;
        for (int i = 0; i < nnow; i++) {
            for (int d = 0, state = now[i]; d < s->n; d++, state /= s->base)
                from[d] = at[d] = state % s->base;
            operations(s, from, at, 0, (1 << s->net->n) - 1);
        }
        now = s->next;
        s->next = swap;
        nnow = s->nnext;
        assert_true(nnow > 0);
    }
    free(s->seen);
    free(s->next);
    free(now);
    return steps;
}

/* Links of 1 to `most` messages a step, and parts that are too little for one. */
static void widen(struct search *s, struct rng *rng, struct net *net, int most)
{
    const igraph_t *graph = measure_graph(net);
    double bandwidth[100];

    assert_true(2 * (size_t)igraph_ecount(graph) <= COUNT(bandwidth));
    for (igraph_integer_t e = 0; e < igraph_ecount(graph); e++) {
        const int a = (int)IGRAPH_FROM(graph, e), b = (int)IGRAPH_TO(graph, e);
        const int w = 1 + (int)rng_below(rng, (uint64_t)most);

        bandwidth[2 * e] = bandwidth[2 * e + 1] = most > 1 ? w + 0.5 * (double)rng_below(rng, 2) : w;
        s->wide[a][b] = s->wide[b][a] = w;
    }
    if (most > 1)
        assert_int_equal(cables_values(&net->cables, (size_t)igraph_ecount(graph), bandwidth, NULL, &err), 0);
}

static void no_schedule_is_below(void **state)
{
    struct rng rng;
    int reached = 0;

    (void)state;
    rng_seed(&rng, check_seed());
    for (int i = 0; i < 120; i++) {
        struct sight s = { .net = nets_random(&rng, 2 + (int)rng_below(&rng, TINY - 1), (int)rng_below(&rng, 6),
            i % 3 == 2) };
        const bool switched = i % 4 < 2, blocking = i % 5 < 2;
        struct broadcast_how how = { (int)rng_below(&rng, 3), blocking };
        struct search search = { .net = s.net, .ports = how.ports, .blocking = blocking };
        int least, most, n, root;

        if (switched)
            nets_switch(&rng, s.net);
        widen(&search, &rng, s.net, i % 8 < 3 ? 3 : 1);
        for (int v = 0; v < s.net->n; v++)
            search.switches |= net_terminal_index(s.net, v) < 0 ? 1 << v : 0;
        most = blocking && s.net->nterminal > 4 ? 4 : s.net->nterminal;
        search.n = n = 2 + (int)rng_below(&rng, (uint64_t)most - 1);
        root = (int)rng_below(&rng, (uint64_t)n);
        assert_int_equal(placement_init(&s.where, s.net, "random", n, 1, rng_next(&rng), &err), 0);
        for (int u = 0; u < s.net->n; u++)
            for (int v = 0; v < s.net->n; v++)
                search.links[u] |= u != v && nets_linked(s.net, u, v) ? 1 << v : 0;
        search.node = s.where.node;
        look(&s, root, how, false);
        least = least_steps(&search, root);
        if (s.bound.steps > least)
            fail_msg("trial %d: %d nodes (switches %x), %d processes, %d ports, blocking %d: %d steps are enough, at "
                     "least %g (%g %g %g)", i, s.net->n, (unsigned)search.switches, n, how.ports, blocking, least,
                     s.bound.steps, s.bound.distance, s.bound.growth, s.bound.work);
        reached += s.bound.steps == least;
        sight_close(&s);
    }
    assert_true(reached >= 40);     /* a bound that is never met says little */
}

/* ---- rates: every cut ---- */

/* The least that comes into side X: who sends out of it does so over single links or through its door, who receives
 * likewise. */
static double into(const struct sight *s, const double *capacity, int ports, int X)
{
    const int n = s->net->n;
    double limit_in[12], limit_out[12], least = INFINITY;
    int has = 0;

    for (int p = 0; p < s->where.n; p++)
        has |= 1 << s->where.node[p];
    for (int v = 0; v < n; v++) {
        double in = 0, out = 0;

        for (int u = 0; u < n; u++) {
            in = fmax(in, capacity[u * n + v]);
            out = fmax(out, capacity[v * n + u]);
        }
        limit_in[v] = ports && has >> v & 1 ? ports * in : INFINITY;
        limit_out[v] = ports && has >> v & 1 ? ports * out : INFINITY;
    }
    for (int doors = 0; doors < 1 << n; doors++) {      /* who of the others is cut off at the door */
        double sum = 0;

        if (doors & X || (!ports && doors))
            continue;
        for (int v = 0; v < n; v++) {
            double in = 0;

            if (doors >> v & 1)
                sum += limit_out[v];
            for (int u = 0; X >> v & 1 && u < n; u++)
                if (!(X >> u & 1) && !(doors >> u & 1))
                    in += capacity[u * n + v];
            sum += fmin(in, limit_in[v]);
        }
        least = fmin(least, sum);
    }
    return least;
}

static void rates_are_the_least_cuts(void **state)
{
    struct rng rng;

    (void)state;
    rng_seed(&rng, check_seed());
    for (int i = 0; i < 120; i++) {
        const int ports = i % 3, most = ports ? 7 : 10;
        struct sight s = { .net = nets_random(&rng, 2 + (int)rng_below(&rng, (uint64_t)most - 1), (int)rng_below(&rng,
            14), i % 2) };
        const int n = s.net->n, P = 2 + (int)rng_below(&rng, (uint64_t)n - 1), root = (int)rng_below(&rng, (uint64_t)P);
        const igraph_t *graph = measure_graph(s.net);
        double *capacity = scene_reals((size_t)(n * n)), broadcast = INFINITY, all = INFINITY;
        const bool weighted = rng_below(&rng, 2);

        assert_int_equal(placement_init(&s.where, s.net, "random", P, 1, rng_next(&rng), &err), 0);
        double *bandwidth = scene_reals(2 * (size_t)igraph_ecount(graph) + 1);

        for (igraph_integer_t e = 0; e < igraph_ecount(graph); e++) {
            const int u = (int)IGRAPH_FROM(graph, e), v = (int)IGRAPH_TO(graph, e);

            bandwidth[2 * e] = i % 4 < 2 ? 1 + (double)rng_below(&rng, 4) : 1e-3 + check_uniform(&rng);
            bandwidth[2 * e + 1] = s.net->directed ? bandwidth[2 * e] : 1 + (double)rng_below(&rng, 4);
            capacity[u * n + v] = weighted ? bandwidth[2 * e + (!s.net->directed && u > v)] : 1;
            if (!s.net->directed)
                capacity[v * n + u] = weighted ? bandwidth[2 * e + (u < v)] : 1;
        }
        if (weighted)
            assert_int_equal(cables_values(&s.net->cables, (size_t)igraph_ecount(graph), bandwidth, NULL, &err), 0);
        free(bandwidth);
        for (int X = 1; X < 1 << n; X++) {
            int inside = 0;
            double in;

            for (int p = 0; p < P; p++)
                inside += X >> s.where.node[p] & 1;
            if (inside == 0 || inside == P)
                continue;
            in = into(&s, capacity, ports, X);
            all = fmin(all, in / (P - inside));
            if (!(X >> s.where.node[root] & 1))
                broadcast = fmin(broadcast, in);
        }
        for (int flows = 0; flows < 2; flows++) {       /* sums of real capacities round */
            look(&s, root, (struct broadcast_how){ ports, false }, flows);
            if (fabs(s.rate.rate - broadcast) > 1e-9 * broadcast || fabs(s.rate.all_rate - all) > 1e-9 * all)
                fail_msg("trial %d, flows %d: broadcast %.15g for %.15g, all to all %.15g for %.15g", i, flows,
                         s.rate.rate, broadcast, s.rate.all_rate, all);
            broadcast_reach_release(&s.reach);
        }
        free(capacity);
        sight_close(&s);
    }
}

/* Closed form and shortcuts against flows alone. */
static void shortcuts_equal_flows(void **state)
{
    static const char *const specs[] = { "torus:5x4x3", "hypercube:4", "ring:7,directed=yes", "circulant:15,jumps=1+4",
                                         "midimew:18", "complete:9", "mesh:6x3", "star:9", "fattree:4",
                                         "mesh:4x4,wrap=2", "torus:2x5", "random:20,degree=3,seed=4",
                                         "dragonfly,a=4,p=2,h=2" };

    (void)state;
    EACH_ROW(i, specs)
        for (int ports = 0; ports < 4; ports++) {
            struct sight s = { 0 };
            struct broadcast_rate slow;

            sight_open(&s, specs[i], 0);
            look(&s, 1, (struct broadcast_how){ ports, false }, false);
            assert_int_equal(broadcast_rate_by_flows(&slow, s.net, &s.where, 1, ports, 1, NULL, &err), 0);
            if (s.rate.rate != slow.rate || s.rate.all_rate != slow.all_rate || s.rate.all_steps != slow.all_steps ||
                s.rate.all_combined_steps != slow.all_combined_steps || s.rate.diameter != slow.diameter)
                fail_msg("%s, %d ports: broadcast %g for %g, all to all %g for %g", specs[i], ports, s.rate.rate,
                         slow.rate, s.rate.all_rate, slow.all_rate);
            sight_close(&s);
        }
}

/* Two rings of five joined by one link: all five of the other side come over it. */
static void narrow_places_are_found(void **state)
{
    int end[22], nedge = 0;
    struct sight s;

    (void)state;
    for (int v = 0; v < 10; v++) {
        end[2 * nedge] = v;
        end[2 * nedge++ + 1] = v % 5 == 4 ? v - 4 : v + 1;
    }
    end[20] = 2;
    end[21] = 7;
    s = (struct sight){ .net = nets_from_edges(10, end, 11, false) };
    assert_int_equal(placement_init(&s.where, s.net, NULL, 0, 1, 1, &err), 0);
    look(&s, 0, (struct broadcast_how){ 0, false }, false);
    assert_true(s.rate.rate == 1 && s.rate.cut.nodes == 5 && s.rate.cut.node == 5 && s.rate.cut.processes == 5);
    assert_true(s.rate.all_rate == 0.2 && s.rate.all_cut.nodes == 5 && s.rate.all_cut.capacity == 1 &&
                s.rate.all_steps == 5);
    sight_close(&s);
}

static void wrong_requests_are_refused(void **state)
{
    const int apart[] = { 0, 1, 2, 3 };
    struct sight s = { .net = nets_from_edges(4, apart, 2, false) };
    struct broadcast_bound bound;
    struct broadcast_rate rate;

    (void)state;
    assert_int_equal(placement_init(&s.where, s.net, NULL, 0, 1, 1, &err), 0);
    assert_int_equal(broadcast_reach(&s.reach, s.net, &s.where, 0, &err), -1);
    assert_int_equal(err.code, ERR_NETWORK);
    assert_int_equal(broadcast_reach(&s.reach, s.net, &s.where, 4, &err), -1);
    assert_int_equal(err.code, ERR_DOMAIN);
    assert_int_equal(broadcast_rate(&rate, s.net, &s.where, 0, -1, 1, NULL, &err), -1);
    assert_int_equal(err.code, ERR_DOMAIN);
    assert_int_equal(broadcast_rate(&rate, s.net, &s.where, 0, 0, 1, NULL, &err), 0);
    assert_true(rate.rate == 0 && rate.all_rate == 0 && isnan(rate.diameter) && isnan(rate.all_steps));
    sight_close(&s);
    sight_open(&s, "ring:5", 0);
    assert_int_equal(broadcast_reach(&s.reach, s.net, &s.where, 0, &err), 0);
    assert_int_equal(broadcast_bound(&bound, &s.reach, (struct broadcast_how){ -1, false }, &err), -1);
    assert_int_equal(err.code, ERR_DOMAIN);
    sight_close(&s);
}

static int setup(void **state)
{
    (void)state;
    net_setup();
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
    struct CMUnitTest test[COUNT(rows) + 12];
    size_t n = 0;

    EACH_ROW(i, rows)
        test[n++] = (struct CMUnitTest){ rows[i].name, row_holds, NULL, NULL, (void *)(uintptr_t)&rows[i] };
    test[n++] = (struct CMUnitTest)cmocka_unit_test(bounds_are_reached);
    test[n++] = (struct CMUnitTest)cmocka_unit_test(switches_pass_on_all_at_once);
    test[n++] = (struct CMUnitTest)cmocka_unit_test(a_fat_tree_hardly_makes_messages_wait);
    test[n++] = (struct CMUnitTest)cmocka_unit_test(no_pattern_is_below);
    test[n++] = (struct CMUnitTest)cmocka_unit_test(hops_are_the_least_tree);
    test[n++] = (struct CMUnitTest)cmocka_unit_test(no_schedule_is_below);
    test[n++] = (struct CMUnitTest)cmocka_unit_test(rates_are_the_least_cuts);
    test[n++] = (struct CMUnitTest)cmocka_unit_test(shortcuts_equal_flows);
    test[n++] = (struct CMUnitTest)cmocka_unit_test(narrow_places_are_found);
    test[n++] = (struct CMUnitTest)cmocka_unit_test(wrong_requests_are_refused);
    return _cmocka_run_group_tests("broadcast bounds", test, n, setup, teardown);
}
