#include "analysis/broadcast/cycles_ways.h"
#include "analysis/broadcast/broadcast.h"

int cycles_links_open(struct cycles_links *l, struct net *net, struct err *err)
{
    struct cycles_links links = { 0 };
    const struct csr *csr;

    if (trunks_open_net(&links.trunks, net, false, err) < 0)
        return -1;
    csr = links.trunks.csr;
    if (links.trunks.nlink > INT_MAX) {
        err_set(err, ERR_DOMAIN, "%.200s has more links than broadcasts can tell apart", net->spec);
        goto failed;
    }
    if (TAKE(net->spec, err, ARRAY(links.from, csr->m + 1),
             ARRAY_IF(links.trunks.kind, links.slowness, links.trunks.nlink + 1),
             ARRAY_IF(links.trunks.kind, links.length, links.trunks.nlink + 1)) < 0)
        goto failed;
    for (int v = 0; v < csr->n; v++)
        for (size_t k = csr->first[v]; k < csr->first[v + 1]; k++)
            links.from[k] = v;
    for (size_t k = 0; links.trunks.kind && k < links.trunks.nlink; k++) {
        const struct link_kind kind = trunks_kind(&links.trunks, k);

        links.slowness[k] = 1 / kind.bandwidth;
        links.length[k] = kind.length;
    }
    *l = links;
    return 0;
failed:
    cycles_links_release(&links);
    return -1;
}

void cycles_links_release(struct cycles_links *l)
{
    trunks_release(&l->trunks);
    FREE(l->from, l->slowness, l->length);
    *l = (struct cycles_links){ 0 };
}

/* Adds the links of `path` to the ways. */
static int ways_path(struct cycles_ways *w, size_t *room, size_t at, const struct route_path *path, struct err *err)
{
    const struct csr *csr = w->links->trunks.csr;
    const bool parallel = w->links->trunks.first;

    if (GROW(room, at + path->n, "links of messages", err, GROWN(w->trunk), GROWN_IF(parallel, w->cable)) < 0)
        return -1;
    for (size_t k = 1; k < path->n; k++) {
        w->trunk[at + k - 1] = (int)csr_link(csr, path->node[k - 1], path->node[k]);
        if (parallel)
            w->cable[at + k - 1] = path->cable[k];
    }
    return 0;
}

int cycles_ways_add(struct cycles_ways *w, const struct route_path *path, size_t *room, size_t *room_first,
                    struct err *err)
{
    const size_t way = (size_t)w->nroot;

    if (GROW(room_first, way + 2, "links of messages", err, GROWN(w->first)) < 0)
        return -1;
    w->first[0] = 0;
    if (ways_path(w, room, w->first[way], path, err) < 0)
        return -1;
    w->first[way + 1] = w->first[way] + path->n - 1;
    w->nroot++;
    return 0;
}

int cycles_ways_open(struct cycles_ways *out, const struct cycles_links *links, const struct cycles_trees *trees,
                     const struct tick *t, struct err *err)
{
    const struct tree_shape *tree = trees->tree;
    const int *node = trees->where->node, nroot = trees->nroot;
    const size_t n = (size_t)tree->n, all = n * (size_t)nroot;
    struct cycles_ways w = { .links = links, .tree = tree, .n = tree->n, .nroot = nroot };
    struct route_path path = { 0 };
    size_t room = 0, at = 0;
    int ret = -1;

    if (TAKE("ways of broadcasts", err, ARRAY(w.root, (size_t)nroot + 1), ARRAY(w.first, all + 1)) < 0)
        goto done;
    for (int i = 0; i < nroot; i++) {
        const int root = trees->root[i];

        if (broadcast_root(root, tree->n, trees->where, err) < 0)
            goto done;
        w.root[i] = root;
        for (int v = 0; v < tree->n; v++) {
            w.first[(size_t)i * n + (size_t)v] = at;
            if (v % 1024 == 0 && tick_check(t, ((double)i + (double)v / tree->n) / nroot, err) < 0)
                goto done;
            if (v == 0)
                continue;
            if (route_path(&path, trees->routing, node[tree_process(tree->parent[v], root, tree->n)],
                           node[tree_process(v, root, tree->n)], err) < 0 ||
                ways_path(&w, &room, at, &path, err) < 0)
                goto done;
            at += path.n - 1;
        }
    }
    w.first[all] = at;
    *out = w;
    w = (struct cycles_ways){ 0 };
    ret = 0;
done:
    cycles_ways_release(&w);
    route_path_release(&path);
    return ret;
}

void cycles_ways_release(struct cycles_ways *w)
{
    FREE(w->root, w->first, w->trunk, w->cable);
    *w = (struct cycles_ways){ 0 };
}
