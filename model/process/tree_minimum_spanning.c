#include "model/process/sight.h"

#include <stdlib.h>

#include "graph/base/grow.h"
#include "graph/base/mem.h"
#include "graph/numeric/union_find.h"

struct border {
    double weight;
    int a, b;                       /* processes, a < b */
};

static int border_order(const void *x, const void *y)
{
    const struct border *p = x, *q = y;

    return p->weight != q->weight ? (p->weight < q->weight ? -1 : 1) : p->a != q->a ? p->a - q->a : p->b - q->b;
}

static int border_add(struct border **list, size_t *n, size_t *room, double weight, int a, int b, struct err *err)
{
    if (GROW(room, *n + 1, "borders", err, GROWN(*list)) < 0)
        return -1;
    (*list)[(*n)++] = (struct border){ weight, a < b ? a : b, a < b ? b : a };
    return 0;
}

/* Each node is of the process nearest to it, of several the least; whoever is joined by a shortest way of the tree is
 * joined over a link between what is theirs. Processes of a node are at no distance. */
static int borders_gather(struct border **list, size_t *n, const struct sight *s, struct err *err)
{
    size_t room = 0;

    for (int v = 0; v < s->links.n; v++) {
        for (size_t e = s->links.first[v]; e < s->links.first[v + 1]; e++) {
            const int u = s->links.to[e];

            if (v < u && s->owner[v] != s->owner[u] && border_add(list, n, &room, s->away[v] + sight_weight(s, e) +
                                                                  s->away[u], s->owner[v], s->owner[u], err) < 0)
                return -1;
        }
        for (int p = s->here[v] < 0 ? -1 : s->next[s->here[v]]; p >= 0; p = s->next[p])
            if (border_add(list, n, &room, 0, s->here[v], p, err) < 0)
                return -1;
    }
    return 0;
}

/* Kruskal 1956: those of the list that stay come to its beginning. */
static size_t borders_least(struct border *list, size_t n, int *set, int processes)
{
    size_t kept = 0;

    if (n > 0)
        qsort(list, n, sizeof *list, border_order);
    union_find_alone(set, (size_t)processes);
    for (size_t i = 0; i < n; i++)
        if (union_find_join(set, list[i].a, list[i].b))
            list[kept++] = list[i];
    return kept;
}

/* From the root outwards: arc 2i of border i leads from a to b, 2i + 1 back; `arc` and `next` list a process's. */
static int borders_hang(struct tree_shape *t, double *way, const struct border *list, int root, struct err *err)
{
    const int n = t->n;
    int *arc, *next, *todo, last = 1;

    if (TAKE("a process tree", err, ARRAY(arc, n), ARRAY(next, 2 * n), ARRAY(todo, n)) < 0)
        return -1;
    for (int p = 0; p < n; p++)
        arc[p] = -1;
    for (int i = 0; i < 2 * (n - 1); i++) {
        const int p = i % 2 ? list[i / 2].b : list[i / 2].a;

        next[i] = arc[p];
        arc[p] = i;
    }
    t->parent[0] = -1;
    todo[0] = root;
    for (int k = 0; k < last; k++)
        for (int i = arc[todo[k]]; i >= 0; i = next[i]) {
            const int to = i % 2 ? list[i / 2].a : list[i / 2].b, v = tree_rank(to, root, n);
            const int u = tree_rank(todo[k], root, n);

            if (t->parent[u] >= 0 && tree_process(t->parent[u], root, n) == to)
                continue;
            t->parent[v] = u;
            way[v] = list[i / 2].weight;
            todo[last++] = to;
        }
    FREE(arc, next, todo);
    return 0;
}

static int tree_minimum_spanning_build(struct tree_shape *out, const struct tree_scene *scene, struct err *err)
{
    struct net *net = scene->net;
    const int n = scene->where->n;
    struct tree_scene flat = *scene;        /* ranks are processes: the tree is the same for all roots */
    struct tree_shape t = { 0 };
    struct sight s = { 0 };
    struct border *list = NULL;
    size_t borders = 0;
    double *way = NULL;
    int *set = NULL, ret = -1;

    flat.root = 0;
    if (sight_open(&s, &flat, err) < 0)
        return -1;
    if (net->directed || (net->has_graph && cables_uneven(&net->cables, (size_t)igraph_ecount(&net->graph)))) {
        err_set(err, ERR_DOMAIN, "minimum-spanning: cables of %.200s are not the same both ways", net->spec);
        goto done;
    }
    if (sight_search(&s, 0, false, err) < 0 || sight_search(&s, -1, false, err) < 0 ||
        borders_gather(&list, &borders, &s, err) < 0 ||
        TAKE("a process tree", err, ZEROS(way, n), ARRAY(set, n)) < 0 || tree_shape_take(&t, n, err) < 0)
        goto done;
    if (borders_least(list, borders, set, n) != (size_t)n - 1) {
        err_set(err, ERR_INTERNAL, "%.200s: %zu borders join no %d processes", net->spec, borders, n);
        goto done;
    }
    if (borders_hang(&t, way, list, scene->root, err) < 0 || sight_serve(&t, way, scene, err) < 0)
        goto done;
    *out = t;
    t = (struct tree_shape){ 0 };
    ret = 0;
done:
    FREE(list, way, set);
    tree_shape_release(&t);
    sight_close(&s);
    return ret;
}

const struct tree tree_minimum_spanning = {
    .name = "minimum-spanning",
    .summary = "the tree of the least sum of distances between processes, from the root on",
    .source = "Kruskal 1956; without all pairs: Mehlhorn 1988",
    .notes = "Distances are of the quickest ways, each link with its hop time, its length and what the message takes "
        "to pass it (where it cuts through: longer than a unit link); in steps they are hops. Of distances that are "
        "alike that of the lesser processes comes first, so that there is one tree. A process serves the child first "
        "whose subtree takes longest. It is of networks whose cables are the same both ways.",
    .build = tree_minimum_spanning_build
};
