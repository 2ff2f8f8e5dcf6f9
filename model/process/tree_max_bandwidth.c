#include "graph/base/order.h"
#include "model/process/sight.h"
#include "graph/distance/trunks.h"
#include "graph/numeric/union_find.h"
#include "texts/tree.h"

struct wide {                       /* a link of the network */
    double bandwidth, weight;
    int u, v;
};

ORDER(wider, struct wide, DOWN(bandwidth) UP(weight) UP(u) UP(v))

static int wide_links(struct wide *list, size_t *n, const struct sight *s, struct err *err)
{
    struct trunks t = { 0 };

    if (trunks_open(&t, s->scene->net, &s->links, false, err) < 0)
        return -1;
    for (int v = 0; v < s->links.n; v++)
        for (size_t k = s->links.first[v]; k < s->links.first[v + 1]; k++) {
            struct wide w = { 0, sight_weight(s, k), v, s->links.to[k] };

            for (size_t c = trunks_first(&t, k); c < trunks_first(&t, k + 1); c++)
                w.bandwidth = trunks_kind(&t, c).bandwidth > w.bandwidth ? trunks_kind(&t, c).bandwidth : w.bandwidth;
            if (v < s->links.to[k])
                list[(*n)++] = w;
        }
    trunks_release(&t);
    qsort(list, *n, sizeof *list, wider);
    return 0;
}

/* Kruskal over the links of the network, the widest first: parts that are joined by one so are joined by no wider way.
 * Of each part that end's nearest process takes part, or its least. `stand`: by root of a part, a process or -1. */
static void wide_join(struct sight_join *join, const struct sight *s, const struct wide *list, size_t n, int *part,
                      int *stand)
{
    union_find_alone(part, (size_t)s->links.n);
    for (int v = 0; v < s->links.n; v++)
        stand[v] = s->here[v];
    for (size_t k = 0; k < n; k++) {
        const int u = list[k].u, v = list[k].v, a = union_find_root(part, u), b = union_find_root(part, v);
        const int near[2] = { s->owner[u], s->owner[v] };
        int end[2] = { stand[a], stand[b] };

        if (a == b)
            continue;
        for (int i = 0; i < 2; i++)
            if (end[i] >= 0 && union_find_root(part, sight_node(s, near[i])) == (i ? b : a))
                end[i] = near[i];
        union_find_join(part, u, v);
        stand[union_find_root(part, u)] = stand[a] < 0 ? stand[b] : stand[b] < 0 || stand[a] < stand[b] ? stand[a] :
            stand[b];
        if (end[0] >= 0 && end[1] >= 0)
            *join++ = (struct sight_join){ s->away[u] + list[k].weight + s->away[v], end[0] < end[1] ? end[0] : end[1],
                                           end[0] < end[1] ? end[1] : end[0] };
    }
    for (int v = 0; v < s->links.n; v++)            /* the others of a node */
        for (int r = s->here[v] < 0 ? -1 : s->next[s->here[v]]; r >= 0; r = s->next[r])
            *join++ = (struct sight_join){ 0, s->here[v], r };
}

static int tree_max_bandwidth_build(struct tree_shape *t, const struct tree_scene *scene, struct err *err)
{
    struct tree_scene flat = *scene;        /* ranks are processes */
    struct sight s = { 0 };
    struct wide *list = NULL;
    struct sight_join *join = NULL;
    int *part = NULL, *stand = NULL, ret = -1;
    size_t n = 0;

    flat.root = 0;
    if (sight_open(&s, &flat, err) < 0 || sight_even(&s, "max-bandwidth", err) < 0 ||
        sight_search(&s, 0, true, err) < 0 || sight_search(&s, -1, false, err) < 0 ||
        TAKE("a process tree", err, ARRAY(list, s.links.m + 1), ARRAY(join, s.n), ARRAY(part, s.links.n),
             ARRAY(stand, s.links.n)) < 0 || wide_links(list, &n, &s, err) < 0)
        goto done;
    wide_join(join, &s, list, n, part, stand);
    ret = sight_hang(t, join, scene, err);
done:
    FREE(list, join, part, stand);
    sight_close(&s);
    return ret;
}

const struct tree tree_max_bandwidth = {
    TREE_MAX_BANDWIDTH_ENTRY,
    .source = "the maximum spanning tree by bandwidth: Kruskal 1956, Hu 1961; asked for by wide-area collectives, "
        "chapter 5",
    .build = tree_max_bandwidth_build,
    .asked = true
};
