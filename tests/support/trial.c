#include "tests/support/trial.h"

#include <igraph.h>
#include <string.h>

#include "tests/support/nets.h"
#include "tests/support/check.h"

static struct err err;

void trial_release(struct trial *c)
{
    tree_shape_release(&c->tree);
    placement_release(&c->where);
    routing_close(&c->routing);
    net_close(c->net);
}

void trial_open(struct trial *c, const char *spec, const char *tree, int processes, int ports, bool blocking)
{
    *c = (struct trial){ .how = { ports, blocking } };
    assert_int_equal(net_open(&c->net, spec, &err), 0);
    assert_int_equal(routing_open(&c->routing, c->net, NULL, &err), 0);
    assert_int_equal(placement_init(&c->where, c->net, NULL, processes, 1, 1, &err), 0);
    trial_tree(&c->tree, tree_find(tree, &err), c->net, &c->where, 0);
}

void trial_tree(struct tree_shape *shape, const struct tree *tree, struct net *net, const struct placement *where,
                int root)
{
    const struct tree_scene scene = { .net = net, .where = where, .root = root, .hop = 1, .gap = 1 };

    if (tree_shape_init(shape, tree, where->n, &scene, &err) < 0 &&
            (err.code != ERR_DOMAIN ||
             tree_shape_init(shape, tree_find("binomial", &err), where->n, &scene, &err) < 0))
        fail_msg("%s", err.msg);
}

static int node_of(const struct trial *c, int rank)
{
    return c->where.node[(rank + c->root) % c->where.n];
}

/* ---- the slow twin: every pending operation, in order, every unit ---- */
struct slow_message {
    int *path, hops, at;            /* at -1: not started */
};
struct slow {
    int64_t received[TRIAL_MOST], delivered[TRIAL_MOST];    /* by rank, -1: not yet */
    int served[TRIAL_MOST];
    struct slow_message message[TRIAL_MOST];
    bool busy[TRIAL_MOST_NODES];                /* terminals */
    int crossed[TRIAL_MOST][2], ncrossed;       /* links in this unit */
};
struct operation {
    int64_t time;
    int sender, index, rank;        /* rank: receiver */
};

static int by_order(const void *a, const void *b)
{
    const struct operation *x = a, *y = b;

    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    return x->sender != y->sender ? x->sender - y->sender : x->index - y->index;
}

/* Messages that the cables from one node to another pass in a unit, one by one. */
static int trial_wide(struct net *net, int from, int to)
{
    const struct cables *c = &net->cables;
    const igraph_t *graph;
    int sum = 0;

    assert_int_equal(net_graph(net, &graph, &err), 0);
    for (igraph_integer_t e = 0; e < igraph_ecount(graph); e++) {
        const int a = (int)IGRAPH_FROM(graph, e), b = (int)IGRAPH_TO(graph, e);

        if ((a == from && b == to) || (!net->directed && a == to && b == from))
            sum += c->kind ? (int)c->kind[c->of ? c->of[2 * e + (!net->directed && from > to)] : 0].bandwidth : 1;
    }
    return sum;
}

static bool is_switch(const struct trial *c, int node)
{
    return net_terminal_index(c->net, node) < 0;
}

/* Whether the link of `path` at `at` and the terminal it leads to are free. */
static bool slow_free(const struct slow *s, const struct trial *c, const int *path, int at)
{
    int crossed = 0;

    for (int i = 0; i < s->ncrossed; i++)
        crossed += s->crossed[i][0] == path[at] && s->crossed[i][1] == path[at + 1];
    if (crossed >= trial_wide(c->net, path[at], path[at + 1]))
        return false;
    return is_switch(c, path[at + 1]) || !s->busy[path[at + 1]];
}

static void slow_hop(struct slow *s, int v, int64_t unit)
{
    struct slow_message *m = &s->message[v];

    s->busy[m->path[m->at + 1]] = true;
    s->crossed[s->ncrossed][0] = m->path[m->at];
    s->crossed[s->ncrossed++][1] = m->path[m->at + 1];
    if (++m->at == m->hops)
        s->delivered[v] = unit;
}

/* May sender s start its next message at the beginning of a unit? */
static bool may_send(const struct slow *s, const struct trial *c, int sender)
{
    const int *child = c->tree.child + c->tree.first[sender];

    if (s->received[sender] < 0 || s->served[sender] == tree_nchild(&c->tree, sender))
        return false;
    for (int i = 0; c->how.blocking && i < s->served[sender]; i++)
        if (s->received[child[i]] < 0)
            return false;
    return true;
}

static size_t slow_pending(struct operation *op, const struct slow *s, const struct trial *c)
{
    size_t n = 0;

    for (int v = 0; v < c->tree.n; v++) {
        const int *child = c->tree.child + c->tree.first[v];

        for (int i = 0; i < s->served[v]; i++)
            if (s->delivered[child[i]] < 0)
                op[n++] = (struct operation){ s->received[v], v, i, child[i] };
        if (may_send(s, c, v))
            op[n++] = (struct operation){ s->received[v], v, s->served[v], child[s->served[v]] };
    }
    qsort(op, n, sizeof *op, by_order);
    return n;
}

static void slow_try(struct slow *s, const struct trial *c, const struct operation *op, int64_t unit)
{
    struct slow_message *m = &s->message[op->rank];
    int ports = 0, from;

    if (m->at >= 0) {
        from = m->path[m->at];
        if ((s->busy[from] && !is_switch(c, from)) || !slow_free(s, c, m->path, m->at))
            return;
        s->busy[from] = true;
        slow_hop(s, op->rank, unit);
        return;
    }
    from = m->path[0];
    if (s->busy[from])
        return;
    for (int i = op->index; i < tree_nchild(&c->tree, op->sender); i++) {
        int v = c->tree.child[c->tree.first[op->sender] + i];

        if (!slow_free(s, c, s->message[v].path, 0) || (c->how.ports && ports == c->how.ports))
            break;
        s->message[v].at = 0;
        slow_hop(s, v, unit);
        s->served[op->sender]++;
        ports++;
    }
    s->busy[from] = s->busy[from] || ports > 0;
}

static int64_t slow_run(struct slow *s, struct trial *c)
{
    struct operation op[TRIAL_MOST * 2];
    struct route_path path = { 0 };
    int64_t unit = 0;
    int left = c->tree.n - 1;

    memset(s, 0, sizeof *s);
    for (int v = 0; v < c->tree.n; v++) {
        s->received[v] = s->delivered[v] = v ? -1 : 0;
        s->message[v].at = -1;
        if (v == 0)
            continue;
        assert_int_equal(route_path(&path, &c->routing, node_of(c, c->tree.parent[v]), node_of(c, v), &err), 0);
        s->message[v].hops = (int)path.n - 1;
        s->message[v].path = calloc(path.n, sizeof(int));
        assert_non_null(s->message[v].path);
        memcpy(s->message[v].path, path.node, path.n * sizeof(int));
    }
    while (left > 0) {
        size_t n = slow_pending(op, s, c);

        unit++;
        memset(s->busy, 0, sizeof s->busy);
        s->ncrossed = 0;
        for (size_t i = 0; i < n; i++)
            slow_try(s, c, &op[i], unit);
        for (int v = 1; v < c->tree.n; v++)
            if (s->delivered[v] == unit) {
                s->received[v] = unit;
                left--;
            }
    }
    for (int v = 1; v < c->tree.n; v++)
        free(s->message[v].path);
    route_path_release(&path);
    return unit;
}

/* ---- the judge: is a schedule legal? ---- */
struct schedule {
    struct step *step;
    size_t n, cap;
};

static int record(void *arg, const struct step *step, struct err *e)
{
    struct schedule *s = arg;

    (void)e;
    if (s->n == s->cap) {
        s->cap = s->cap ? 2 * s->cap : 64;
        s->step = realloc(s->step, s->cap * sizeof *s->step);
        assert_non_null(s->step);
    }
    s->step[s->n++] = *step;
    return 0;
}

/* Each terminal does at most one operation a unit, each link of a switch carries at most the messages it is wide for;
 * sends on several ports leave one process together. */
static void judge_nodes(const struct schedule *s, const struct trial *c)
{
    for (size_t i = 0; i < s->n; i++) {
        const struct step *a = &s->step[i];
        int ports = 1, same = 1;

        assert_true(i == 0 || a->unit >= s->step[i - 1].unit);
        assert_true(nets_linked(c->net, a->link_from, a->link_to));
        for (size_t j = i + 1; j < s->n && s->step[j].unit == a->unit; j++) {
            const struct step *b = &s->step[j];

            assert_true(a->link_to != b->link_to || is_switch(c, a->link_to));
            same += a->link_from == b->link_from && a->link_to == b->link_to;
            assert_true(a->link_to != b->link_from || is_switch(c, a->link_to));
            assert_true(a->link_from != b->link_to || is_switch(c, a->link_from));
            if (a->link_from == b->link_from && !is_switch(c, a->link_from)) {
                assert_true(a->kind == STEP_SEND && b->kind == STEP_SEND && a->from == b->from);
                ports++;
            }
        }
        assert_true(c->how.ports == 0 || ports <= c->how.ports);
        assert_true(same <= trial_wide(c->net, a->link_from, a->link_to));
    }
}

/* Each message goes from its sender's node to its receiver's, hop by hop, after the sender had it. */
static void judge_messages(const struct schedule *s, const struct trial *c, const struct broadcast *b, int64_t *sent)
{
    for (int v = 1; v < c->tree.n; v++) {
        int at = node_of(c, c->tree.parent[v]), from = (c->tree.parent[v] + c->root) % c->tree.n;
        int64_t last = (int64_t)b->received[from];
        bool delivered = false;

        sent[v] = 0;
        for (size_t i = 0; i < s->n; i++) {
            const struct step *a = &s->step[i];

            if (a->message != v)
                continue;
            assert_false(delivered);
            assert_int_equal(a->from, from);
            assert_int_equal(a->to, (v + c->root) % c->tree.n);
            assert_int_equal(a->link_from, at);
            assert_int_equal(a->kind, sent[v] ? STEP_FORWARD : STEP_SEND);
            assert_true(a->unit > last);
            sent[v] = sent[v] ? sent[v] : a->unit;
            last = a->unit;
            at = a->link_to;
            delivered = a->delivers;
        }
        assert_true(delivered);
        assert_int_equal(at, node_of(c, v));
        assert_true(b->received[(v + c->root) % c->tree.n] == (double)last);
    }
}

/* Children are served in order, and a blocked sender waits for what it sent before. */
static void judge_order(const struct trial *c, const struct broadcast *b, const int64_t *sent)
{
    for (int v = 0; v < c->tree.n; v++)
        for (int i = c->tree.first[v] + 1; i < c->tree.first[v + 1]; i++)
            for (int j = c->tree.first[v]; j < i; j++) {
                int64_t earlier = sent[c->tree.child[j]], later = sent[c->tree.child[i]];
                int process = (c->tree.child[j] + c->root) % c->tree.n;

                assert_true(earlier <= later);
                if (c->how.blocking && earlier < later)
                    assert_true((double)later > b->received[process]);
            }
}

static void judge(const struct schedule *s, const struct trial *c, const struct broadcast *b)
{
    int64_t *sent = calloc((size_t)c->tree.n, sizeof *sent);
    double last = 0;

    assert_non_null(sent);
    assert_true(b->serial_hops == (double)s->n);
    assert_int_equal(b->n, c->tree.n);
    assert_true(b->messages == c->tree.n - 1);
    judge_nodes(s, c);
    judge_messages(s, c, b, sent);
    judge_order(c, b, sent);
    assert_true(b->received[c->root] == 0);
    for (int p = 0; p < b->n; p++)
        last = fmax(last, b->received[p]);
    assert_true(b->makespan_steps == last);
    free(sent);
}

/* ---- both, on one case ---- */
void trial_check(struct trial *c)
{
    struct schedule schedule = { 0 };
    struct steps_watch watch = { record, &schedule };
    struct broadcast b;
    struct slow slow;

    assert_int_equal(steps_broadcast(&b, &c->tree, c->root, &(struct steps){ &c->where, &c->routing, c->how, &watch },
                                     NULL, &err), 0);
    judge(&schedule, c, &b);
    assert_true(b.makespan_steps == (double)slow_run(&slow, c));
    for (int v = 0; v < c->tree.n; v++)
        assert_true(b.received[(v + c->root) % c->tree.n] == (double)slow.received[v]);
    broadcast_release(&b);
    free(schedule.step);
}
