/* Classes of buffers: what they are along routes walked one by one, that they close no cycle, and numberings against
 * all permutations. */
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "analysis/deadlock/dependencies.h"
#include "graph/base/mem.h"
#include "model/routing/numbering.h"
#include "tests/support/check.h"
#include "tests/support/measure.h"

static struct err err;

/* Calls `each` for every route of a routing, spread ones too: its nodes, and where legs end. */
struct walk {
    struct routing *r;
    int source, target;
    int *node;
    size_t n, room;
    size_t way;
    const bool *stop;               /* by place on the route; NULL: none */
    void (*each)(void *arg, const struct walk *w);
    void *arg;
};

static void walk_on(struct walk *w)
{
    const int at = w->node[w->n - 1];
    struct hop *hop;
    size_t n = 0;

    if (at == w->target) {
        w->each(w->arg, w);
        return;
    }
    assert_true(w->n < w->room);
    hop = calloc(w->r->most, sizeof *hop);
    assert_non_null(hop);
    if (w->r->route->next(hop, &n, w->r, at, w->n > 1 ? w->node[w->n - 2] : -1, w->target, &err) < 0)
        fail_msg("%s", err.msg);
    for (size_t i = 0; i < n; i++) {
        w->node[w->n++] = hop[i].node;
        walk_on(w);
        w->n--;
    }
    free(hop);
}

static void walk_ways(struct walk *w)
{
    struct ways ways = { 0 };
    struct route_path path = { 0 };

    assert_int_equal(w->r->route->ways(&ways, w->r, NULL, w->source, w->target, &err), 0);
    for (size_t k = 0; k < ways.n; k++) {
        struct route_path leg = { 0 };
        bool *stop;
        size_t at = 0;
        int from = w->source;

        assert_int_equal(route_way(&path, w->r, &ways, k, w->source, &err), 0);
        stop = calloc(path.n, sizeof *stop);
        assert_non_null(stop);
        for (size_t i = k ? ways.end[k - 1] : 0; i < ways.end[k]; i++) {
            assert_int_equal(route_path(&leg, w->r->base, from, ways.stop[i], &err), 0);
            at += leg.n - 1;
            stop[at] = true;
            from = ways.stop[i];
        }
        assert_int_equal(at, path.n - 1);
        w->way = k;
        w->stop = stop;
        for (w->n = 0; w->n < path.n; w->n++)
            w->node[w->n] = path.node[w->n];
        w->each(w->arg, w);
        free(stop);
        route_path_release(&leg);
    }
    w->stop = NULL;
    route_path_release(&path);
    ways_release(&ways);
}

static void walk_all(struct routing *r, void (*each)(void *arg, const struct walk *w), void *arg)
{
    struct walk w = { .r = r, .room = 4 * (size_t)r->net->n, .each = each, .arg = arg };

    w.node = calloc(w.room + 1, sizeof *w.node);
    assert_non_null(w.node);
    for (int s = 0; s < r->net->nterminal; s++)
        for (int t = 0; t < r->net->nterminal; t++) {
            w.source = net_terminal(r->net, s);
            w.target = net_terminal(r->net, t);
            w.n = 1;
            w.way = 0;
            w.node[0] = w.source;
            if (s != t && r->route->next)
                walk_on(&w);
            else if (s != t)
                walk_ways(&w);
        }
    free(w.node);
}

/* Inversions up to place i of a route: nodes before it that are above or below both neighbours, where what is before
 * the first counts as below. */
static int inversions_at(const int *node, size_t i, const int *number)
{
    int n = 0;

    for (size_t k = 0; k < i; k++) {
        const int here = number[node[k]], before = k ? number[node[k - 1]] : INT_MIN, after = number[node[k + 1]];

        n += (here > before) == (here > after);
    }
    return n;
}

/* ---- classes along routes ---- */

struct along {
    const struct deadlock *d;
    bool remaining;
    const int *number;
    int longest, most;
};

static void along_route(void *arg, const struct walk *w)
{
    struct along *a = arg;
    const struct classes *c = &a->d->classes;
    int mark = classes_begin(c, w->source, w->target, w->way, 0, 0), in = -1, leg = 0;

    for (size_t i = 0; i < w->n; i++) {
        int want = a->remaining ? (int)(w->n - 1 - i) - 1 : inversions_at(w->node, i, a->number);

        if (i > 0) {
            const int link = (int)trunks_first(&a->d->follow.trunks, csr_link(&a->d->follow.links, w->node[i - 1],
                                                                              w->node[i]));

            mark = classes_cross(c, mark, in, link);
            in = link;
        }
        if (c->kind->buffer(c, mark, in) != want)
            fail_msg("%s by %s: class %d, not %d, at place %zu from %d to %d", a->d->net->spec, w->r->spec,
                     c->kind->buffer(c, mark, in), want, i, w->source, w->target);
        a->most = want > a->most ? want : a->most;
        if (w->stop && w->stop[i] && i + 1 < w->n) {
            mark = classes_begin(c, w->source, w->target, w->way, ++leg, mark);
            in = -1;
        }
    }
    a->longest = (int)w->n - 1 > a->longest ? (int)w->n - 1 : a->longest;
}

static const struct buffers {
    const char *net, *routing;
    int longest;                    /* links of the longest route; 0: no closed form */
    int inversions;                 /* classes by the nodes' own numbers; 0: none known */
} buffers[] = {
    { "mesh:5x4x3", "dor", 9, 0 },
    { "mesh:4x4", "dor", 6, 3 },                /* along a row, then along a column: falls, then rises */
    { "mesh:7", "dor", 6, 2 },
    { "hypercube:4", "dor", 4, 0 },
    { "torus:5x4", "dor", 4, 0 },
    { "torus:5x4", "dor,tie=split", 4, 0 },
    { "ring:7", "minimal", 3, 0 },
    { "ring:8", "ecmp", 4, 0 },
    { "fattree:4", "ecmp", 6, 0 },
    { "fattree:4", "dmodk", 6, 0 },
    { "complete:6", "minimal", 1, 2 },
    { "random:20,degree=3", "updown", 0, 0 },
    { "hypercube:3", "valiant", 5, 0 },
    { "torus:4x4", "metapath:dga:1", 0, 0 },
    { "mesh:4x4", "o1turn", 6, 0 },
    { "dragonfly,a=4,p=2,h=2", "valiant", 0, 0 },
};

static void classes_along_routes(void **state)
{
    (void)state;
    EACH_ROW(i, buffers)
        for (int k = 0; k < 4; k++) {
            const struct buffers *b = &buffers[i];
            const struct deadlock_options o = { .classes = k / 2 ? "inversions" : "remaining", .holds = HOLDS_BUFFERS,
                                                .unfolded = k % 2 };
            struct net *net = measure_open(b->net);
            int *number = calloc((size_t)net->n, sizeof *number);
            struct deadlock d = { 0 };
            struct along a = { &d, k < 2, number, 0, 0 };
            struct routing r;

            assert_non_null(number);
            for (int v = 0; v < net->n; v++)
                number[v] = v;
            if (routing_open(&r, net, b->routing, &err) < 0 || deadlock_open(&d, net, &r, 1, &o, &err) < 0)
                fail_msg("%s, %s, %s: %s", b->net, b->routing, o.classes, err.msg);
            if (d.cyclic || !d.classes.free)
                fail_msg("%s, %s, %s: a cycle", b->net, b->routing, o.classes);
            walk_all(&r, along_route, &a);
            assert_int_equal(d.classes.most, a.most + 1);
            if (b->longest && a.remaining)
                assert_int_equal(d.classes.most, b->longest);
            if (a.remaining)
                assert_int_equal(d.classes.most, a.longest);
            else if (b->inversions)
                assert_int_equal(d.classes.most, b->inversions);
            deadlock_close(&d);
            routing_close(&r);
            free(number);
            net_close(net);
        }
}

/* Messages of two routings, which need not agree on lengths; a walk back and forth is its own. */
static void lengths_must_be_known(void **state)
{
    static const struct {
        const char *net, *first, *second, *want;        /* want NULL: fine */
    } c[] = {
        { "mesh:4x4", "dor", "dor,order=1+2", NULL },
        { "ring:8", "dor", "updown", "different lengths" },
        { "mesh:4x4", "dor", "valiant", "'valiant'" },
        { "mesh:4x4", "valiant", "valiant", "'valiant'" },
    };

    (void)state;
    EACH_ROW(i, c) {
        const struct deadlock_options o = { .classes = "remaining", .holds = HOLDS_BUFFERS };
        struct net *net = measure_open(c[i].net);
        struct deadlock d = { 0 };
        struct routing r[2];
        int ret;

        assert_int_equal(routing_open(&r[0], net, c[i].first, &err), 0);
        assert_int_equal(routing_open(&r[1], net, c[i].second, &err), 0);
        ret = deadlock_open(&d, net, r, 2, &o, &err);
        if (ret != (c[i].want ? -1 : 0) || (ret < 0 && (err.code != ERR_DOMAIN || !strstr(err.msg, c[i].want))))
            fail_msg("%s, %s and %s: %s", c[i].net, c[i].first, c[i].second, ret < 0 ? err.msg : "taken");
        deadlock_close(&d);
        routing_close(&r[0]);
        routing_close(&r[1]);
        net_close(net);
    }
}

/* ---- numberings ---- */

/* All routes, as pieces of one list. */
struct list {
    int *node;
    size_t n, *end, nroute;
};

static void list_add(void *arg, const struct walk *w)
{
    struct list *l = arg;

    l->node = realloc(l->node, (l->n + w->n) * sizeof *l->node);
    l->end = realloc(l->end, (l->nroute + 1) * sizeof *l->end);
    assert_true(l->node && l->end);
    memcpy(l->node + l->n, w->node, w->n * sizeof *w->node);
    l->n += w->n;
    l->end[l->nroute++] = l->n;
}

static struct numbering_cost list_cost(const struct list *l, const int *number)
{
    struct numbering_cost cost = { 0, 0 };
    size_t at = 0;

    for (size_t k = 0; k < l->nroute; at = l->end[k++]) {
        const int n = inversions_at(l->node + at, l->end[k] - at - 1, number);

        if (n > cost.inversions)
            cost = (struct numbering_cost){ n, 0 };
        cost.routes += n == cost.inversions;
    }
    return cost;
}

/* Heap's algorithm; answers how many there are. */
static int permute(int *v, int n, const struct list *l, struct numbering_cost *best)
{
    int count = 0;

    if (n == 1) {
        const struct numbering_cost c = list_cost(l, v);

        if (c.inversions < best->inversions || (c.inversions == best->inversions && c.routes < best->routes))
            *best = c;
        return 1;
    }
    for (int i = 0; i < n; i++) {
        const int k = n % 2 ? 0 : i, last = v[n - 1];

        count += permute(v, n - 1, l, best);
        if (i + 1 < n) {
            v[n - 1] = v[k];
            v[k] = last;
        }
    }
    return count;
}

static const struct numbered {
    const char *net, *routing;
    int inversions;                 /* at most; -1: not known */
} numbered[] = {
    { "mesh:2x3", "dor", -1 },
    { "mesh:2x3", "ecmp", -1 },
    { "mesh:5", "dor", 1 },
    { "ring:5", "dor", -1 },
    { "ring:6", "ecmp", -1 },
    { "ring:7", "minimal", -1 },
    { "complete:6", "minimal", 1 },
    { "random:7,degree=4", "updown", 1 },
    { "random:6,degree=3", "updown", 1 },
    { "star:4", "minimal", 1 },
    { "mesh:2x3", "valiant", -1 },
    { "ring:5", "metapath:sga:1", -1 },
    { "mesh:3x3", "dor", -1 },
    { "mesh:4x4", "dor", -1 },
    { "hypercube:4", "dor", -1 },
    { "hypercube:4", "updown", 1 },
    { "torus:4x4", "updown", 1 },
    { "random:30,degree=4", "updown", 1 },
    { "random:16,degree=3", "ecmp", -1 },
    { "torus:5x4", "ecmp", -1 },
};

static void numberings(void **state)
{
    (void)state;
    EACH_ROW(i, numbered) {
        const struct numbered *t = &numbered[i];
        struct net *net = measure_open(t->net);
        struct list l = { 0 };
        struct follow f = { 0 };
        struct numbering_cost natural, judged, cost, again, best;
        struct routing r;
        int number[64], second[64], seen[64] = { 0 };
        bool exact;

        if (routing_open(&r, net, t->routing, &err) < 0 || follow_open(&f, net, false, &err) < 0)
            fail_msg("%s: %s", t->net, err.msg);
        walk_all(&r, list_add, &l);
        for (int v = 0; v < net->n; v++)
            number[v] = v;
        natural = list_cost(&l, number);
        assert_int_equal(numbering_judge(&judged, number, &f, &r, 1, &err), 0);
        assert_int_equal(judged.inversions, natural.inversions);
        assert_true(judged.routes == natural.routes);
        assert_int_equal(numbering_search(number, &cost, &exact, &f, &r, 1, 7, &err), 0);
        if (net->n <= 16) {
            assert_int_equal(numbering_search(second, &again, &exact, &f, &r, 1, 7, &err), 0);
            assert_memory_equal(number, second, (size_t)net->n * sizeof *number);
        }
        for (int v = 0; v < net->n; v++) {
            assert_in_range(number[v], 0, net->n - 1);
            assert_int_equal(seen[number[v]]++, 0);
        }
        judged = list_cost(&l, number);             /* what the search says is what routes have */
        assert_int_equal(judged.inversions, cost.inversions);
        assert_true(judged.routes == cost.routes);
        assert_true(cost.inversions < natural.inversions ||
                    (cost.inversions == natural.inversions && cost.routes <= natural.routes));
        if (t->inversions >= 0)
            assert_int_equal(cost.inversions, t->inversions);
        if (net->n <= 7) {
            assert_true(exact);
            best = natural;
            for (int v = 0; v < net->n; v++)
                number[v] = v;
            assert_true(fabs(permute(number, net->n, &l, &best) - tgamma(net->n + 1)) < 0.5);
            if (cost.inversions != best.inversions || cost.routes != best.routes)
                fail_msg("%s, %s: %d inversions of %g routes, and %d of %g are possible", t->net, t->routing,
                         cost.inversions, cost.routes, best.inversions, best.routes);
        } else if (net->n <= NUMBERING_EXACT)
            assert_true(exact);
        free(l.node);
        free(l.end);
        follow_close(&f);
        routing_close(&r);
        net_close(net);
    }
}

static int stop(void *arg, double done)
{
    (void)arg;
    assert_true(done >= 0 && done <= 1);
    return 1;
}

static void a_search_stops(void **state)
{
    struct net *net = measure_open("random:16,degree=3");
    struct numbering_cost cost;
    struct follow f = { 0 };
    struct routing r;
    int number[16];
    bool exact;

    (void)state;
    assert_int_equal(routing_open(&r, net, "ecmp", &err), 0);
    assert_int_equal(follow_open(&f, net, false, &err), 0);
    f.tick = (struct tick){ stop, NULL, 0, 1, NULL };
    assert_int_equal(numbering_search(number, &cost, &exact, &f, &r, 1, 1, &err), -1);
    assert_int_equal(err.code, ERR_STOPPED);
    follow_close(&f);
    routing_close(&r);
    net_close(net);
}

/* ---- files ---- */

static void numbering_files(void **state)
{
    static const struct {
        const char *text, *want;    /* NULL: fine */
    } c[] = {
        { "node,number\n0,3\n1,2\n2,1\n3,0\n", NULL },
        { "number,node\n0,0.0\n1,0.1\n3,1.1\n2,1.0\n", NULL },
        { "node,number\n0,3\n1,2\n2,1\n", ":4: the file ends, and node 1.1 of mesh:2x2 has no number" },
        { "node,number\n0,3\n1,2\n2,2\n3,0\n", ":4: number 2 is there already" },
        { "node,number\n0,3\n0,2\n2,1\n3,0\n", ":3: node 0 is there already" },
        { "node,number\n0,4\n", ":2: " },
        { "node,number\n7,0\n", ":2: " },
        { "node,rank\n7,0\n", ": a numbering of nodes has the columns node and number, and there is no 'number'" },
        { "", "" },
    };
    char path[] = "/tmp/metapath-numbering-XXXXXX", classes[80];
    const int fd = mkstemp(path);
    struct net *net = measure_open("mesh:2x2");
    struct routing r;

    (void)state;
    assert_true(fd >= 0);
    assert_int_equal(routing_open(&r, net, "dor", &err), 0);
    snprintf(classes, sizeof classes, "inversions,numbering=%s", path);
    EACH_ROW(i, c) {
        const struct deadlock_options o = { .classes = classes, .holds = HOLDS_BUFFERS };
        struct deadlock d = { 0 };
        FILE *f = fopen(path, "w");
        int ret;

        assert_non_null(f);
        fputs(c[i].text, f);
        fclose(f);
        ret = deadlock_open(&d, net, &r, 1, &o, &err);
        if (ret != (c[i].want ? -1 : 0) ||
            (ret < 0 && (strncmp(err.msg, path, strlen(path)) != 0 ||
                         strncmp(err.msg + strlen(path), c[i].want, strlen(c[i].want)) != 0)))
            fail_msg("file %zu: %s", i, ret < 0 ? err.msg : "taken");
        if (ret < 0)
            assert_int_equal(err.code, ERR_FORMAT);
        else
            assert_string_equal(d.classes.spec, classes);
        deadlock_close(&d);
    }
    close(fd);
    unlink(path);
    routing_close(&r);
    net_close(net);
}

/* Guenther's example as Drummond has it: nodes 5, 6, 1, 2, 3 take 0, 0, 1, 2, 2. */
static void route_of_five(void **state)
{
    static const int route[] = { 5, 6, 1, 2, 3 }, want[] = { 0, 0, 1, 2, 2 };
    const struct deadlock_options o = { .classes = "inversions", .holds = HOLDS_BUFFERS };
    struct net *net = measure_open("complete:7");
    struct deadlock d = { 0 };
    struct routing r;
    int mark;

    (void)state;
    assert_int_equal(routing_open(&r, net, "minimal", &err), 0);
    assert_int_equal(deadlock_open(&d, net, &r, 1, &o, &err), 0);
    mark = classes_begin(&d.classes, 5, 3, 0, 0, 0);
    EACH_ROW(i, route) {
        if (i)
            mark = classes_cross(&d.classes, mark, -1, (int)csr_link(&d.follow.links, route[i - 1], route[i]));
        assert_int_equal(d.classes.kind->buffer(&d.classes, mark, 0), want[i]);
    }
    deadlock_close(&d);
    routing_close(&r);
    net_close(net);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(classes_along_routes), cmocka_unit_test(lengths_must_be_known), cmocka_unit_test(numberings),
        cmocka_unit_test(a_search_stops), cmocka_unit_test(numbering_files), cmocka_unit_test(route_of_five)
    };

    net_setup();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
