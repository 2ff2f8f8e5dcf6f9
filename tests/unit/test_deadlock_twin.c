/* Dependencies between channels, buffers and cables against messages walked one by one: each pair's routes hop by hop,
 * carrying the class as the scheme's definition reads; cycles by transitive closure, the shortest by searches from all
 * resources. Every scheme of the catalogue; those whose definition is not read here are taken at their word.
 *   links     of the network as igraph has them, and their numbers in what is judged
 *   schemes   which class a message takes, read once more
 *   walks     recursion over what the routing answers
 *   verdicts  closure, shortest cycle, channels shared
 *   networks  of families and drawn at random: parallel cables, one-way rings, failures, switches. SEED=n repeats */
#include <stdio.h>
#include <string.h>

#include "analysis/deadlock/dependencies.h"
#include "graph/topology/topo.h"
#include "tests/support/check.h"
#include "tests/support/measure.h"
#include "tests/support/nets.h"

enum { LINKS = 200, NODES = 40, CABLES = 8, MARKS = 64, STEPS = 4 };

static struct err err;

struct twin {
    struct net *net;
    const struct deadlock *d;
    /* links */
    int nlink, tail[LINKS], head[LINKS], judged[LINKS];     /* judged: its number there */
    int between[NODES][NODES], cables[NODES][NODES];        /* the first of them, and how many */
    /* schemes */
    const struct reading *reading;
    int level[NODES];                                       /* of a breadth-first tree */
    int steps;                                              /* the most of any way */
    /* the message at hand */
    struct routing *hops;                                   /* which answers from stop to stop */
    int source, target, way, nstop;
    const int *stop, *stop_cable;
    bool seen[STEPS][LINKS][MARKS];
    /* what was found */
    size_t n;                                               /* resources */
    bool *used, *waits;                                     /* [n], [n * n] */
};

/* ---- links ---- */

static void twin_links(struct twin *t)
{
    for (int a = 0; a < t->net->n; a++)
        for (int b = 0; b < t->net->n; b++) {
            struct link_kind kind[CABLES];
            int seen = 0;

            t->between[a][b] = t->nlink;
            t->cables[a][b] = a == b ? 0 : nets_between(kind, CABLES, t->net, a, b);
            for (size_t l = 0; l < t->d->follow.cables; l++)
                if (t->d->follow.tail[l] == a && t->d->follow.head[l] == b) {
                    assert_true(t->nlink < LINKS);
                    t->tail[t->nlink] = a;
                    t->head[t->nlink] = b;
                    t->judged[t->nlink++] = (int)l;
                    seen++;
                }
            if (seen != t->cables[a][b])
                fail_msg("%s: %d links from %d to %d, not %d", t->net->spec, seen, a, b, t->cables[a][b]);
        }
}

/* A cable whose two directions are one channel goes by the smaller of their numbers; one-way cables have one. */
static int twin_place(const struct twin *t, int link)
{
    const int a = t->tail[link], b = t->head[link];
    int other;

    if (t->d->holds == HOLDS_BUFFERS)
        return b;
    if (t->d->holds == HOLDS_LINKS || t->net->directed)
        return t->judged[link];
    other = t->judged[t->between[b][a] + link - t->between[a][b]];
    return other < t->judged[link] ? other : t->judged[link];
}

/* ---- schemes ---- */

/* What a message carries after a link, from what it carried before (at the beginning of a step 0, unless it is carried
 * on), and which class that is. */
struct reading {
    const char *name;
    bool carries;                   /* over stops */
    int (*cross)(const struct twin *t, int carried, int in, int link);
    int (*class)(const struct twin *t, int carried, int step);
};

static int none_cross(const struct twin *t, int carried, int in, int link)
{
    (void)t;
    (void)carried;
    (void)in;
    (void)link;
    return 0;
}

static int as_carried(const struct twin *t, int carried, int step)
{
    (void)t;
    (void)step;
    return carried;
}

/* The dimension of a ring's or row's link; *end: it joins the last coordinate of a ring to the first. */
static int dimension(const struct twin *t, int link, bool *end)
{
    int a[NET_DIMENSIONS], b[NET_DIMENSIONS], d = 0;

    net_coordinates(t->net, t->tail[link], a);
    net_coordinates(t->net, t->head[link], b);
    while (a[d] == b[d])
        d++;
    *end = t->net->wrap[d] && t->net->size[d] > 2 && ((a[d] == 0 && b[d] == t->net->size[d] - 1) ||
        (b[d] == 0 && a[d] == t->net->size[d] - 1));
    return d;
}

static bool has_rings(const struct net *net)
{
    for (int i = 0; net->lines == LINES_GRID && i < net->ndim; i++)
        if (net->wrap[i] && net->size[i] > 2)
            return true;
    return false;
}

/* Datelines crossed before this link: in the ring it is on, or since the beginning of the step between groups. */
static int dateline_cross(const struct twin *t, int carried, int in, int link)
{
    if (in < 0)
        return 0;
    if (has_rings(t->net)) {
        bool crossed, now;

        return dimension(t, in, &crossed) != dimension(t, link, &now) ? 0 : carried + crossed;
    }
    if (!t->net->topo->group)
        return 0;
    return carried + (t->net->topo->group(t->net, t->tail[in]) != t->net->topo->group(t->net, t->head[in]));
}

static int phases_class(const struct twin *t, int carried, int step)
{
    return step * (t->d->classes.most / t->steps) + carried;
}

static int hops_cross(const struct twin *t, int carried, int in, int link)
{
    (void)t;
    (void)in;
    (void)link;
    return carried + 1;
}

static int hops_class(const struct twin *t, int carried, int step)
{
    (void)step;
    return t->d->holds == HOLDS_BUFFERS ? carried : carried - 1;
}

/* Twice the turns from down to up so far, and one more while it goes down. */
static int updown_cross(const struct twin *t, int carried, int in, int link)
{
    const int from = t->level[t->tail[link]], to = t->level[t->head[link]];
    const bool up = to < from || (to == from && t->head[link] < t->tail[link]), was_down = carried % 2;
    const int turns = carried / 2 + (was_down && up);

    (void)in;
    return 2 * turns + !up;
}

static int updown_class(const struct twin *t, int carried, int step)
{
    (void)t;
    (void)step;
    return carried / 2;
}

static const struct reading readings[] = {
    { "none", false, none_cross, as_carried }, { "dateline", false, dateline_cross, as_carried },
    { "phases", false, dateline_cross, phases_class }, { "hops", true, hops_cross, hops_class },
    { "updown", true, updown_cross, updown_class }
};

static void twin_levels(struct twin *t)
{
    int root = 0, most = 0, n = t->net->n;

    for (int v = 0; v < n; v++) {
        int next = 0;

        for (int w = 0; w < n; w++)
            next += t->cables[v][w] > 0;
        if (next > most) {
            most = next;
            root = v;
        }
        t->level[v] = n;
    }
    t->level[root] = 0;
    for (int round = 1; round < n; round++)
        for (int v = 0; v < n; v++)
            for (int w = 0; w < n; w++)
                if (t->level[v] == round - 1 && t->cables[v][w] && t->level[w] > round)
                    t->level[w] = round;
}

static int scheme_begin(const struct twin *t, int step, int carried)
{
    return !t->reading ? classes_begin(&t->d->classes, t->source, t->target, (size_t)t->way, step, carried) :
        t->reading->carries && step ? carried : 0;
}

static int scheme_cross(const struct twin *t, int carried, int in, int link)
{
    return t->reading ? t->reading->cross(t, carried, in, link) :
        classes_cross(&t->d->classes, carried, in < 0 ? -1 : t->judged[in], t->judged[link]);
}

/* link -1: where the message begins. */
static int scheme_class(const struct twin *t, int carried, int step, int link)
{
    const struct classes *c = &t->d->classes;

    if (t->reading)
        return t->reading->class(t, carried, step);
    link = link < 0 ? -1 : t->judged[link];
    return t->d->holds == HOLDS_BUFFERS ? c->kind->buffer(c, carried, link) : c->kind->class(c, carried, link);
}

/* ---- walks ---- */

static int twin_resource(const struct twin *t, int place, int class)
{
    assert_true(class < t->d->classes.most);
    return class < 0 ? -1 : place * t->d->classes.most + class;
}

static void twin_wait(struct twin *t, int holds, int wants)
{
    if (holds >= 0)
        t->used[holds] = true;
    if (wants >= 0)
        t->used[wants] = true;
    if (holds >= 0 && wants >= 0)
        t->waits[(size_t)holds * t->n + (size_t)wants] = true;
}

/* On from `node`, which was entered by link `in` of this step (-1: it begins), with what it carries and holds. */
static void walk(struct twin *t, int step, int node, int in, int carried, int holds)
{
    struct hop *hop;
    size_t n = 0;

    if (node == t->stop[step]) {
        if (step + 1 < t->nstop)
            walk(t, step + 1, node, -1, scheme_begin(t, step + 1, carried), holds);
        return;
    }
    hop = calloc(t->hops->most, sizeof *hop);
    assert_non_null(hop);
    if (t->hops->route->next(hop, &n, t->hops, node, in < 0 ? -1 : t->tail[in], t->stop[step], &err) < 0)
        fail_msg("%s on %s: %s", t->hops->spec, t->net->spec, err.msg);
    for (size_t i = 0; i < n; i++) {
        const int to = hop[i].node, first = t->between[node][to];
        const int cable = to == t->stop[step] && t->stop_cable[step] ? t->stop_cable[step] : hop[i].cable;

        assert_true(t->cables[node][to] > 0);
        for (int k = 0; k < t->cables[node][to]; k++) {
            const int link = first + k, now = scheme_cross(t, carried, in, link);
            int wants;

            if (cable && cable != k + 1)
                continue;
            wants = twin_resource(t, twin_place(t, link), scheme_class(t, now, step, link));
            twin_wait(t, holds, wants);
            assert_true(now < MARKS && step < STEPS);
            if (t->seen[step][link][now])
                continue;
            t->seen[step][link][now] = true;
            walk(t, step, to, link, now, wants);
        }
    }
    free(hop);
}

static void walk_message(struct twin *t, struct routing *r)
{
    static const int no_cable[STEPS];
    struct ways ways = { 0 };
    size_t n = 1;

    if (r->route->ways && r->route->ways(&ways, r, NULL, t->source, t->target, &err) < 0)
        fail_msg("%s on %s: %s", r->spec, t->net->spec, err.msg);
    if (r->route->ways)
        n = ways.n;
    for (size_t k = 0; k < n; k++) {
        const size_t begin = r->route->ways && k ? ways.end[k - 1] : 0;
        int carried, holds = -1;

        t->hops = r->route->ways ? r->base : r;
        t->way = (int)k;
        t->nstop = r->route->ways ? (int)(ways.end[k] - begin) : 1;
        t->stop = r->route->ways ? ways.stop + begin : &t->target;
        t->stop_cable = r->route->ways ? ways.cable + begin : no_cable;
        memset(t->seen, 0, sizeof t->seen);
        carried = scheme_begin(t, 0, 0);
        if (t->d->holds == HOLDS_BUFFERS)
            holds = twin_resource(t, t->source, scheme_class(t, carried, 0, -1));
        walk(t, 0, t->source, -1, carried, holds);
    }
    ways_release(&ways);
}

/* The most steps of a way of any pair. */
static int twin_steps(const struct twin *t, struct routing *r, size_t nrouting, bool all)
{
    size_t most = 1;

    for (size_t i = 0; i < nrouting; i++)
        for (int a = 0; r[i].route->ways && a < t->net->n; a++)
            for (int b = 0; b < t->net->n; b++) {
                struct ways ways = { 0 };

                if (a == b || (!all && (net_terminal_index(t->net, a) < 0 || net_terminal_index(t->net, b) < 0)))
                    continue;
                assert_int_equal(r[i].route->ways(&ways, &r[i], NULL, a, b, &err), 0);
                for (size_t k = 0; k < ways.n; k++)
                    if (ways.end[k] - (k ? ways.end[k - 1] : 0) > most)
                        most = ways.end[k] - (k ? ways.end[k - 1] : 0);
                ways_release(&ways);
            }
    return (int)most;
}

static void twin_open(struct twin *t, const struct deadlock *d, struct net *net, struct routing *r, size_t nrouting,
                      bool all)
{
    *t = (struct twin){ .net = net, .d = d };
    assert_true(net->n <= NODES);
    twin_links(t);
    twin_levels(t);
    t->steps = twin_steps(t, r, nrouting, all);
    EACH_ROW(i, readings)
        if (strcmp(readings[i].name, d->classes.kind->name) == 0)
            t->reading = &readings[i];
    t->n = (d->holds == HOLDS_BUFFERS ? (size_t)net->n : (size_t)t->nlink) * (size_t)d->classes.most;
    t->used = calloc(t->n, sizeof *t->used);
    t->waits = calloc(t->n * t->n, sizeof *t->waits);
    assert_true(t->used && t->waits);
    for (size_t i = 0; i < nrouting; i++)
        for (int a = 0; a < net->n; a++)
            for (int b = 0; b < net->n; b++) {
                if (a == b || (!all && (net_terminal_index(net, a) < 0 || net_terminal_index(net, b) < 0)))
                    continue;
                t->source = a;
                t->target = b;
                walk_message(t, &r[i]);
            }
}

static void twin_close(struct twin *t)
{
    free(t->used);
    free(t->waits);
}

/* ---- verdicts ---- */

/* Warshall: whether anything reaches itself. waits[n * n] is left alone. */
static bool closes_cycle(const bool *waits, size_t n)
{
    const size_t words = (n + 63) / 64;
    uint64_t *reach = calloc(n * words + 1, sizeof *reach);
    bool cyclic = false;

    assert_non_null(reach);
    for (size_t a = 0; a < n; a++)
        for (size_t b = 0; b < n; b++)
            reach[a * words + b / 64] |= (uint64_t)waits[a * n + b] << b % 64;
    for (size_t k = 0; k < n; k++)
        for (size_t a = 0; a < n; a++)
            for (size_t w = 0; reach[a * words + k / 64] >> k % 64 & 1 && w < words; w++)
                reach[a * words + w] |= reach[k * words + w];
    for (size_t a = 0; a < n; a++)
        cyclic = cyclic || (reach[a * words + a / 64] >> a % 64 & 1);
    free(reach);
    return cyclic;
}

/* By a search from every resource; 0: there is no cycle. */
static size_t shortest_cycle(const bool *waits, size_t n)
{
    size_t *depth = calloc(n, sizeof *depth), *queue = calloc(n + 1, sizeof *queue), best = 0;

    assert_true(depth && queue);
    for (size_t start = 0; start < n; start++) {
        size_t head = 0, tail = 0;

        memset(depth, 0, n * sizeof *depth);
        for (queue[tail++] = start; head < tail; head++)
            for (size_t v = queue[head], w = 0; w < n; w++) {
                if (waits[v * n + w] && w == start && (best == 0 || depth[v] + 1 < best))
                    best = depth[v] + 1;
                if (waits[v * n + w] && w != start && !depth[w]) {
                    depth[w] = depth[v] + 1;
                    queue[tail++] = w;
                }
            }
    }
    free(depth);
    free(queue);
    return best;
}

/* Whether the channels that classes share close no cycle, all links being of one kind. */
static bool shares_freely(const struct twin *t, const int *channel, size_t most)
{
    const size_t c = (size_t)t->d->classes.most, places = t->n / c, n = places * most;
    bool *waits = calloc(n * n, 1), cyclic;

    assert_non_null(waits);
    for (size_t a = 0; a < t->n; a++)
        for (size_t b = 0; b < t->n; b++)
            if (t->waits[a * t->n + b])
                waits[(a / c * most + (size_t)channel[a % c]) * n + b / c * most + (size_t)channel[b % c]] = true;
    cyclic = closes_cycle(waits, n);
    free(waits);
    return !cyclic;
}

/* Every way to put the classes from `class` on into at most `most` channels, `begun` of which hold one. */
static bool some_share(const struct twin *t, int *channel, size_t class, size_t begun, size_t most)
{
    if (class == (size_t)t->d->classes.most)
        return shares_freely(t, channel, most);
    for (size_t k = 0; k < most && k <= begun; k++) {
        channel[class] = (int)k;
        if (some_share(t, channel, class + 1, begun + (k == begun), most))
            return true;
    }
    return false;
}

static void check_need(const struct twin *t, const char *what)
{
    enum { TRIED = 5 };
    const size_t c = (size_t)t->d->classes.most;
    struct deadlock_need need = { 0 };
    int channel[MARKS];

    if (deadlock_need(&need, t->d, &err) < 0)
        fail_msg("%s: %s", what, err.msg);
    assert_true(need.channels >= 1 && need.channels <= t->d->classes.most);
    assert_true(c < MARKS);
    if (need.nkind == 1) {
        for (size_t k = 0; k < c; k++)
            channel[k] = need.channel[k] < 0 ? 0 : need.channel[k];
        if (!shares_freely(t, channel, (size_t)need.channels))
            fail_msg("%s: the %d channels that classes are to share close a cycle", what, need.channels);
        if (c <= TRIED && need.exact && need.channels > 1 && some_share(t, channel, 0, 0, (size_t)need.channels - 1))
            fail_msg("%s: fewer than %d channels do", what, need.channels);
    }
    deadlock_need_release(&need);
}

static size_t compared, cycles;

/* One network, routings, scheme and what is held; folded and not. */
static void check(struct net *net, struct routing *r, size_t nrouting, const struct classes_kind *kind,
                  enum deadlock_holds holds, bool all)
{
    static const char *const held[] = { "links", "cables", "buffers" };
    char what[400];

    snprintf(what, sizeof what, "%.160s%s on %.160s (%d nodes), %s, %s", r->spec, nrouting > 1 ? " or another" : "",
             net->spec, net->n, kind->name, held[holds]);
    for (int unfolded = 0; unfolded < 2; unfolded++) {
        const struct deadlock_options o = { .classes = kind->name, .holds = holds, .all = all, .unfolded = unfolded };
        struct deadlock d = { 0 };
        struct twin t;
        size_t used = 0, waits = 0;
        bool whole;

        if (deadlock_open(&d, net, r, nrouting, &o, &err) < 0) {
            if (err.code == ERR_DOMAIN && *err.msg)         /* it does not fit, and says why */
                return;
            fail_msg("%s: %s", what, err.msg);
        }
        twin_open(&t, &d, net, r, nrouting, all);
        whole = d.copies < 2;
        assert_true(!whole || d.resource == t.n);
        for (size_t v = 0; v < t.n; v++) {
            used += t.used[v];
            if (whole && t.used[v] != (d.used[v] != 0))
                fail_msg("%s: place %zu, class %zu is%s used", what, v / (size_t)d.classes.most,
                         v % (size_t)d.classes.most, t.used[v] ? "" : " not");
            for (size_t w = 0; w < t.n; w++)
                waits += t.waits[v * t.n + w];
        }
        for (size_t v = 0; whole && v < t.n; v++)
            for (size_t e = d.first[v]; e < d.first[v + 1]; e++)
                if (!t.waits[v * t.n + (size_t)d.to[e]])
                    fail_msg("%s%s: no message holds %s (class %d) and waits for %s (class %d)", what,
                             unfolded ? "" : ", folded", deadlock_label(&d, (int)v), deadlock_class(&d, (int)v),
                             deadlock_label(&d, d.to[e]), deadlock_class(&d, d.to[e]));
        if ((double)d.nused * d.copies != (double)used)
            fail_msg("%s%s: %zu resources are used, not %.0f", what, unfolded ? "" : ", folded", used,
                     (double)d.nused * d.copies);
        if (d.dependencies != (double)waits)
            fail_msg("%s%s: there are %zu dependencies, not %.0f", what, unfolded ? "" : ", folded", waits,
                     d.dependencies);
        if (d.cyclic != closes_cycle(t.waits, t.n))
            fail_msg("%s%s: it is%s cyclic", what, unfolded ? "" : ", folded", d.cyclic ? " not" : "");
        if (d.cyclic && (!d.shortest || d.ncycle != shortest_cycle(t.waits, t.n)))
            fail_msg("%s%s: the shortest cycle has %zu, not %zu", what, unfolded ? "" : ", folded",
                     shortest_cycle(t.waits, t.n), d.ncycle);
        for (size_t i = 0; i < d.ncycle; i++)
            assert_true(t.waits[(size_t)d.cycle[i] * t.n + (size_t)d.cycle[(i + 1) % d.ncycle]]);
        if (d.classes.free && holds != HOLDS_CABLES && d.cyclic)
            fail_msg("%s: the scheme promises that no cycle can close", what);
        if (!d.cyclic && whole && holds == HOLDS_LINKS)
            check_need(&t, what);
        cycles += d.cyclic;
        compared++;
        twin_close(&t);
        deadlock_close(&d);
    }
}

/* ---- networks ---- */

static const char *const routings[] = { "dor", "ecmp", "minimal", "updown", "valiant", "metapath:dga:1",
                                        "metapath:sga:1", "o1turn", "romm", "spread", "dmodk", "lgl",
                                        "valiant,by=group" };

/* All schemes on one network by all routings that fit. */
static void check_net(struct net *net, bool all)
{
    EACH_ROW(i, routings) {
        struct routing r = { 0 };

        if (routing_open(&r, net, routings[i], &err) < 0) {
            assert_true(err.code == ERR_DOMAIN || err.code == ERR_USAGE);
            continue;
        }
        for (size_t k = 0; classes_all[k]; k++)
            for (int holds = HOLDS_LINKS; holds <= HOLDS_BUFFERS; holds++)
                if (holds == HOLDS_BUFFERS ? classes_all[k]->buffers : classes_all[k]->channels)
                    check(net, &r, 1, classes_all[k], (enum deadlock_holds)holds, all);
        routing_close(&r);
    }
}

static const struct { const char *spec; bool all; } families[] = {
    { "mesh:3x4", false }, { "torus:4x3", false }, { "torus:5x2", false }, { "ring:6", false },
    { "hypercube:3", false }, { "ring:5,directed=yes", false }, { "star:5", false }, { "star:5", true },
    { "complete:5", false }, { "circulant:9,jumps=1+3", false }, { "dragonfly,a=2,p=1,h=1", false }, { "dragonfly,a=2,p=1,h=1", true },
    { "fattree:2", true }, { "hyperx:3x3", false }, { "torus:4x3,fail=0.0-0.1", false },
    { "mesh:3x3,fail=random:2:7", false }, { "random:10,degree=3,seed=4,fail=random:1:3", false }
};

static void of_families(void **state)
{
    (void)state;
    EACH_ROW(i, families) {
        struct net *net = measure_open(families[i].spec);

        check_net(net, families[i].all);
        net_close(net);
    }
    print_message("%zu compared, %zu cyclic\n", compared, cycles);
}

static void at_random(void **state)
{
    struct rng rng;
    int draws = 12;

    (void)state;
    rng_seed(&rng, check_seed());
    while (draws--) {
        const bool directed = rng_below(&rng, 4) == 0;
        const int n = 4 + (int)rng_below(&rng, 6);
        struct net *net = nets_random(&rng, n, (int)rng_below(&rng, 8), directed);

        if (rng_below(&rng, 2))
            nets_cables(&rng, net);
        if (rng_below(&rng, 3) == 0)
            nets_switch(&rng, net);
        check_net(net, rng_below(&rng, 3) == 0);
        net_close(net);
    }
    print_message("%zu compared, %zu cyclic\n", compared, cycles);
}

/* Messages that take either of two routings. */
static void by_two(void **state)
{
    static const char *const nets[] = { "mesh:3x3", "torus:4x3", "hypercube:3" };

    (void)state;
    EACH_ROW(i, nets) {
        struct net *net = measure_open(nets[i]);
        struct routing r[2] = { 0 };

        assert_int_equal(routing_open(&r[0], net, "dor", &err), 0);
        assert_int_equal(routing_open(&r[1], net, "metapath:sga:1", &err), 0);
        for (size_t k = 0; classes_all[k]; k++)
            if (classes_all[k]->channels)
                check(net, r, 2, classes_all[k], HOLDS_LINKS, false);
        routing_close(&r[0]);
        routing_close(&r[1]);
        net_close(net);
    }
}

/* What every scheme must keep: its spec reopens, it says what it needs and promises in the sentence of the command. */
static void every_scheme(void **state)
{
    struct net *net = measure_open("torus:4x3");
    struct routing r = { 0 };

    (void)state;
    assert_int_equal(routing_open(&r, net, "dor", &err), 0);
    for (size_t k = 0; classes_all[k]; k++) {
        const struct classes_kind *kind = classes_all[k];

        assert_true(kind->channels || kind->buffers);
        assert_true(kind->begin && kind->cross && (kind->class || !kind->channels) && (kind->buffer || !kind->buffers));
        assert_true(kind->terms && strstr(kind->terms, "needs ") == kind->terms &&
                    strstr(kind->terms, ", and promises ") && kind->source);
        for (size_t other = 0; other < k; other++)
            assert_true(!kind->rank || classes_all[other]->rank != kind->rank);
        for (int buffers = 0; buffers < 2; buffers++) {
            struct classes c = { 0 }, again = { 0 };
            struct follow f = { 0 };
            const bool fits = buffers ? kind->buffers : kind->channels;

            assert_int_equal(follow_open(&f, net, false, &err), 0);
            if (classes_open(&c, kind->name, buffers, &f, &r, 1, &err) < 0) {
                if (fits || err.code != ERR_USAGE || !strstr(err.msg, kind->name))
                    fail_msg("%s: %s", kind->name, err.msg);
            } else {
                assert_true(fits && c.most >= 1 && c.marks >= 1);
                if (classes_open(&again, c.spec, buffers, &f, &r, 1, &err) < 0)
                    fail_msg("%s does not open again: %s", c.spec, err.msg);
                assert_string_equal(again.spec, c.spec);
                for (int class = 0; kind->say && class < c.most; class++) {
                    char meaning[80] = "";

                    kind->say(&c, class, meaning);
                    assert_true(*meaning);
                }
            }
            classes_close(&again);
            classes_close(&c);
            follow_close(&f);
        }
    }
    routing_close(&r);
    net_close(net);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(every_scheme), cmocka_unit_test(of_families),
                                        cmocka_unit_test(by_two), cmocka_unit_test(at_random) };

    net_setup();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
