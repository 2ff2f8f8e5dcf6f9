/* Local, global, local: over as few links between groups as can be, of such paths the shortest, of these by the
 * smallest next node. A search from the target, against the links, by links between groups first and hops second: what
 * is nearest is either reached within a group or over a link between two, and each of these queues ascends. The last
 * searches are kept, since ways over intermediate nodes ask for one target after the other. */
#include <stdint.h>
#include <string.h>

#include "graph/base/mem.h"
#include "graph/distance/distances.h"
#include "graph/topology/topo.h"
#include "model/routing/route.h"

#define LGL_KEPT 64e6               /* bytes of searches */

struct lgl {
    struct csr back;                /* links turned round */
    int64_t *left;                  /* by node, of the search at hand: links between groups times n, and hops */
    int *queue[2];                  /* reached within a group, and between two */
    int *next;                      /* of the searches that are kept, by node: the next; -1: there is no path */
    int nkept, oldest;
    int *target;                    /* of each; -1: none */
    int *kept;                      /* by target: which; -1: it is not */
};

static void lgl_close(void *state)
{
    struct lgl *l = state;

    csr_release(&l->back);
    FREE(l->left, l->queue[0], l->queue[1], l->next, l->target, l->kept);
}

static int lgl_open(struct routing *r, const struct spec *spec, struct err *err)
{
    struct lgl *l = r->state;
    const size_t n = (size_t)r->net->n, most = (size_t)(LGL_KEPT / sizeof(int)) / n;
    const igraph_t *graph;

    l->nkept = (int)(most > n ? n : most ? most : 1);
    if (spec_no_params(spec, err) < 0 || net_graph(r->net, &graph, err) < 0 ||
        csr_init(&l->back, graph, true, err) < 0 ||
        TAKE("paths by groups", err, ARRAY(l->left, n), ARRAY(l->queue[0], n), ARRAY(l->queue[1], n),
             ARRAY(l->next, n * (size_t)l->nkept), ARRAY(l->target, l->nkept), ARRAY(l->kept, n)) < 0)
        return -1;
    memset(l->target, -1, (size_t)l->nkept * sizeof *l->target);
    memset(l->kept, -1, n * sizeof *l->kept);
    r->symmetric = r->net->topo->by_groups && !r->net->cables.failed;
    r->by_group = true;
    return 0;
}

/* From every node to the target. */
static void lgl_search(struct lgl *l, int *next, const struct net *net, int target)
{
    int head[2] = { 0, 0 }, tail[2] = { 1, 0 };

    for (int v = 0; v < net->n; v++) {
        l->left[v] = INT64_MAX;
        next[v] = -1;
    }
    l->left[target] = 0;
    l->queue[0][0] = target;
    while (head[0] < tail[0] || head[1] < tail[1]) {
        const bool between = head[0] == tail[0] ||
            (head[1] < tail[1] && l->left[l->queue[1][head[1]]] < l->left[l->queue[0][head[0]]]);
        const int v = l->queue[between][head[between]++], group = net_group(net, v);

        for (size_t i = l->back.first[v]; i < l->back.first[v + 1]; i++) {
            const int u = l->back.to[i];
            const bool crosses = net_group(net, u) != group;
            const int64_t left = l->left[v] + 1 + (crosses ? net->n : 0);

            if (left < l->left[u]) {
                l->left[u] = left;
                next[u] = v;
                l->queue[crosses][tail[crosses]++] = u;
            } else if (left == l->left[u] && v < next[u]) {
                next[u] = v;
            }
        }
    }
}

static int lgl_next(struct hop *hop, size_t *n, struct routing *r, int node, int in, int target, struct err *err)
{
    struct lgl *l = r->state;
    int kept = l->kept[target];

    (void)in;
    if (kept < 0) {
        kept = l->oldest;
        l->oldest = (kept + 1) % l->nkept;
        if (l->target[kept] >= 0)
            l->kept[l->target[kept]] = -1;
        l->target[kept] = target;
        l->kept[target] = kept;
        lgl_search(l, l->next + (size_t)kept * (size_t)r->net->n, r->net, target);
    }
    *n = 1;
    *hop = (struct hop){ l->next[(size_t)kept * (size_t)r->net->n + (size_t)node], 1, 0 };
    return hop->node < 0 ? routing_no_path(r, node, target, err) : 0;
}

const struct route route_lgl = {
    .name = "lgl",
    .summary = "local, global, local: over as few links between groups as can be, then by as few hops",
    .notes = "A single path: of several as good, at each node to the next node with the smallest number. Dragonflies "
        "call this minimal: a path over a third group may have as few hops, or fewer, and takes a second link between "
        "groups. Where links have failed, more of these may be needed. Cables side by side share equally.",
    .source = "Kim, Dally, Scott and Abts 2008, minimal routing of dragonflies",
    .example = "lgl",
    .example_net = "dragonfly,a=3,p=2,h=1",
    .fits = net_grouped,
    .needs = "groups",
    .state = sizeof(struct lgl),
    .open = lgl_open,
    .close = lgl_close,
    .next = lgl_next
};
