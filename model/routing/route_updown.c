/* Up-down routing (up*, down* of its authors). Links point up towards the root of a breadth-first tree: to the end
 * nearer to the root, of two as near to the smaller number. A legal path goes up any number of links and then down
 * any number, so no circle of links can wait for one another. Taken is the shortest legal path; among the next nodes
 * of such paths, the smallest. Shortest legal distances to the target, before and after the first link down, are
 * kept until another target is asked for. */

#include "model/routing/route.h"
#include "graph/distance/search.h"
#include "texts/route.h"

enum phase { MAY_GO_UP, DOWN_ONLY };

struct updown {
    struct search search;           /* from the root: hops are levels */
    int target;                     /* -1: none yet */
    int *left;                      /* left[2 v + phase]: links to the target on a legal path, -1 for none */
    int *queue;                     /* 2 n */
};

static bool route_updown_fits(const struct net *net)
{
    return !net->directed;
}

static void route_updown_release(void *state)
{
    struct updown *u = state;

    search_close(&u->search);
    FREE(u->left, u->queue);
}

static int busiest(const struct csr *c)
{
    int best = 0;

    for (int v = 1; v < c->n; v++)
        if (c->first[v + 1] - c->first[v] > c->first[best + 1] - c->first[best])
            best = v;
    return best;
}

static int route_updown_open(struct routing *r, const struct spec *spec, struct err *err)
{
    const char *root = spec_get(spec, "root");
    struct updown *u = r->state;
    const size_t n = (size_t)r->net->n;
    struct search *s = &u->search;
    char name[96];
    bool away = false;
    int from;

    u->target = -1;
    if (spec_no_params(spec, err) < 0)
        return -1;
    if (root && net_node(r->net, root, &from, err) < 0)
        return err_at(err, "root=%.60s", root);
    if (TAKE("up and down paths", err, ARRAY(u->left, 2 * n), ARRAY(u->queue, 2 * n)) < 0 ||
        search_open(s, r->net, "up and down paths", err) < 0)
        return -1;
    search_begin(s, root ? from : busiest(&s->ahead), false);
    while (search_level(s))
        ;
    for (int i = 0; i < r->net->nterminal; i++)
        away = away || s->hops[net_terminal(r->net, i)] < 0;
    if (away)
        return err_set(err, ERR_NETWORK, "%.200s is not connected: updown's tree from %s reaches %d of its %d nodes",
                       r->net->spec, net_label(r->net, s->from, name), s->tail, r->net->n);
    return root ? spec_append(&r->spec, err, "updown,root=%s", root) : 0;
}

/* Whether the link from a to b goes up. */
static bool goes_up(const struct search *s, int a, int b)
{
    return s->hops[b] != s->hops[a] ? s->hops[b] < s->hops[a] : b < a;
}

/* Backwards from the target, over nodes in both phases. What goes up to w comes in before the first link down; what
 * goes down to w is down for good from there on, whatever it was before. */
static void retarget(struct updown *u, int target)
{
    const struct csr *c = &u->search.ahead;
    int head = 0, tail = 0;

    for (int i = 0; i < 2 * c->n; i++)
        u->left[i] = -1;
    for (int phase = MAY_GO_UP; phase <= DOWN_ONLY; phase++) {
        u->left[2 * target + phase] = 0;
        u->queue[tail++] = 2 * target + phase;
    }
    while (head < tail) {
        const int at = u->queue[head++], w = at / 2;

        for (size_t i = c->first[w]; i < c->first[w + 1]; i++) {
            const int v = c->to[i];
            const bool up = goes_up(&u->search, v, w);

            if (up != (at % 2 == MAY_GO_UP))
                continue;
            for (int phase = MAY_GO_UP; phase <= (up ? MAY_GO_UP : DOWN_ONLY); phase++)
                if (u->left[2 * v + phase] < 0) {
                    u->left[2 * v + phase] = u->left[at] + 1;
                    u->queue[tail++] = 2 * v + phase;
                }
        }
    }
    u->target = target;
}

static int route_updown_next(struct hop *hop, size_t *n, struct routing *r, int node, int in, int target,
                             struct err *err)
{
    struct updown *u = r->state;
    const struct csr *c = &u->search.ahead;
    const bool down = in >= 0 && !goes_up(&u->search, in, node);
    char name[3][96];
    int left;

    if (u->target != target)
        retarget(u, target);
    left = u->left[2 * node + (down ? DOWN_ONLY : MAY_GO_UP)];
    *n = 1;
    *hop = (struct hop){ -1, 1, 0 };
    for (size_t i = c->first[node]; left > 0 && i < c->first[node + 1]; i++) {      /* `to` ascends */
        const int w = c->to[i];
        const bool up = goes_up(&u->search, node, w);

        if (down && up)
            continue;
        hop->node = w;
        if (u->left[2 * w + (up ? MAY_GO_UP : DOWN_ONLY)] == left - 1)
            return 0;
    }
    return err_set(err, ERR_USAGE, "updown takes no path to %s over %s that has come down from %s",
                   net_label(r->net, target, name[0]), net_label(r->net, node, name[1]),
                   net_label(r->net, in < 0 ? node : in, name[2]));
}

const struct route route_updown = {
    ROUTE_UPDOWN_ENTRY,
    .looks_back = true,
    .fits = route_updown_fits,
    .state = sizeof(struct updown),
    .open = route_updown_open,
    .close = route_updown_release,
    .next = route_updown_next
};
