#include "model/process/sight.h"

#include <stdlib.h>

#include "graph/base/mem.h"

/* From the root outwards: arc 2i of join i leads from a to b, 2i + 1 back; `arc` and `next` list a rank's. */
static int joins_hang(struct tree_shape *t, double *way, const struct sight_join *list, int root, struct err *err)
{
    const int n = t->n;
    int *arc, *next, *todo, last = 1;

    if (TAKE("a process tree", err, ARRAY(arc, n), ARRAY(next, 2 * n), ARRAY(todo, n)) < 0)
        return -1;
    for (int v = 0; v < n; v++)
        arc[v] = -1;
    for (int i = 0; i < 2 * (n - 1); i++) {
        const int v = tree_rank(i % 2 ? list[i / 2].b : list[i / 2].a, root, n);

        next[i] = arc[v];
        arc[v] = i;
    }
    todo[0] = 0;
    for (int k = 0; k < last; k++)
        for (int i = arc[todo[k]]; i >= 0; i = next[i]) {
            const int v = tree_rank(i % 2 ? list[i / 2].a : list[i / 2].b, root, n);

            if (v == t->parent[todo[k]])
                continue;
            t->parent[v] = todo[k];
            way[v] = list[i / 2].way;
            todo[last++] = v;
        }
    FREE(arc, next, todo);
    return 0;
}

static int tree_minimum_spanning_build(struct tree_shape *t, const struct tree_scene *scene, struct err *err)
{
    struct net *net = scene->net;
    const int n = scene->where->n;
    struct tree_scene flat = *scene;        /* ranks are processes: the tree is the same for all roots */
    struct sight s = { 0 };
    struct sight_join *list = NULL;
    double *way = NULL;
    int ret = -1;

    flat.root = 0;
    if (sight_open(&s, &flat, err) < 0)
        return -1;
    if (net->directed || (net->has_graph && cables_uneven(&net->cables, (size_t)igraph_ecount(&net->graph)))) {
        err_set(err, ERR_DOMAIN, "minimum-spanning: cables of %.200s are not the same both ways", net->spec);
        goto done;
    }
    if (sight_spanning(&list, &s, err) == 0 && TAKE("a process tree", err, ZEROS(way, n)) == 0 &&
        joins_hang(t, way, list, scene->root, err) == 0)
        ret = sight_serve(t, way, scene, err);
done:
    FREE(list, way);
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
