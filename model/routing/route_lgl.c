/* Local, global, local: over as few links between groups as can be, of such paths the shortest, of these by the
 * smallest next node. A search from the target, against the links, by links between groups first and hops second: what
 * is nearest is either reached within a group or over a link between two, and each of these queues ascends. What was
 * found is kept, of a terminal with one link with its switch, as far as LGL_BYTES go. */
#include "graph/distance/distances.h"
#include "graph/topology/topo.h"
#include "model/routing/route.h"
#include "texts/route.h"

#define LGL_BYTES 4e8

struct lgl {
    struct csr back;                /* links turned round */
    int *aim;                       /* by target: itself, or the only node of its group that leads there */
    int **row;                      /* by aim: the next nodes that are kept, by node; -1: there is no path */
    double bytes;                   /* of them */
    int last;                       /* aim of the last search that is not; -1: none yet */
    int *next;                      /* of that */
    int64_t *left;                  /* by node: links between groups times n, and hops */
    int *queue[2];                  /* reached within a group, and between two */
    int *group;                     /* by node */
};

static void lgl_close(void *state)
{
    struct lgl *l = state;

    for (int v = 0; l->row && v < l->back.n; v++)
        free(l->row[v]);
    csr_release(&l->back);
    FREE(l->aim, l->row, l->left, l->queue[0], l->queue[1], l->next, l->group);
}

static int lgl_open(struct routing *r, const struct spec *spec, struct err *err)
{
    struct lgl *l = r->state;
    const size_t n = (size_t)r->net->n;
    const igraph_t *graph;

    l->last = -1;
    if (spec_no_params(spec, err) < 0 || net_graph(r->net, &graph, err) < 0 ||
        csr_init(&l->back, graph, true, err) < 0 ||
        TAKE("paths by groups", err, ARRAY(l->left, n), ARRAY(l->queue[0], n), ARRAY(l->queue[1], n),
             ARRAY(l->next, n), ARRAY(l->group, n), ARRAY(l->aim, n), ZEROS(l->row, n)) < 0)
        return -1;
    for (int v = 0; v < r->net->n; v++)
        l->group[v] = net_group(r->net, v);
    for (int v = 0; v < r->net->n; v++) {
        const size_t first = l->back.first[v], many = l->back.first[v + 1] - first;

        l->aim[v] = many == 1 && l->group[l->back.to[first]] == l->group[v] ? l->back.to[first] : v;
    }
    r->symmetric = r->net->topo->by_groups && r->net->topo->by_groups(r->net) && !r->net->cables.failed;
    r->by_group = true;
    return 0;
}

/* From every node to the target. */
static void lgl_search(int *next, struct lgl *l, const struct net *net, int target)
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
        const int v = l->queue[between][head[between]++], group = l->group[v];

        for (size_t i = l->back.first[v]; i < l->back.first[v + 1]; i++) {
            const int u = l->back.to[i];
            const bool crosses = l->group[u] != group;
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

static int lgl_row(int **row, struct lgl *l, const struct net *net, int aim, struct err *err)
{
    const double bytes = (double)net->n * sizeof **row;

    if (!l->row[aim] && l->bytes + bytes > LGL_BYTES) {
        if (l->last != aim)
            lgl_search(l->next, l, net, aim);
        l->last = aim;
        *row = l->next;
        return 0;
    }
    if (!l->row[aim]) {
        if (TAKE("paths by groups", err, ARRAY(l->row[aim], net->n)) < 0)
            return -1;
        l->bytes += bytes;
        lgl_search(l->row[aim], l, net, aim);
    }
    *row = l->row[aim];
    return 0;
}

static int lgl_next(struct hop *hop, size_t *n, struct routing *r, int node, int, int target, struct err *err)
{
    struct lgl *l = r->state;
    const int aim = l->aim[target];
    int *row;

    if (lgl_row(&row, l, r->net, aim, err) < 0)
        return -1;
    *n = 1;
    *hop = (struct hop){ node == aim && aim != target ? target : row[node], 1, 0 };
    return hop->node < 0 ? routing_no_path(r, node, target, err) : 0;
}

const struct route route_lgl = {
    ROUTE_LGL_ENTRY,
    .fits = net_grouped,
    .state = sizeof(struct lgl),
    .open = lgl_open,
    .close = lgl_close,
    .next = lgl_next
};
