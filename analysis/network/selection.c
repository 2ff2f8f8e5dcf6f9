/* selection.c -- nodes and links that a phrase selects (selection.h).
 * 1. building     lists that grow; in the end each node and link once
 * 2. phrases      nodes, walks and routes
 * 3. supernodes   their members, and metapaths
 * 4. trees        of processes, edge by edge along its route */
#include "analysis/network/selection.h"
#include "model/supernode/members.h"
#include "model/routing/route.h"
#include "model/process/placement.h"
#include "model/process/tree.h"

#define PATHS_MOST 1e6

/* ---- building ---------------------------------------------------------------------------------------- */

static int add_node(struct selection *s, int node, struct err *err)
{
    if (GROW_BY(s->nnode, 1, "a selection", err, GROWN(s->node)) < 0)
        return -1;
    s->node[s->nnode++] = node;
    return 0;
}

static int add_all(struct selection *s, const int *node, size_t n, struct err *err)
{
    for (size_t i = 0; i < n; i++)
        if (add_node(s, node[i], err) < 0)
            return -1;
    return 0;
}

static int add_link(struct selection *s, int from, int to, int64_t edge, struct err *err)
{
    if (GROW_BY(s->nlink, 1, "a selection", err, GROWN(s->link)) < 0)
        return -1;
    s->link[s->nlink][0] = from;
    s->link[s->nlink][1] = to;
    s->link[s->nlink++][2] = (int)edge;
    return 0;
}

static int selection_by_ends(const void *a, const void *b)
{
    const int *p = a, *q = b;

    return p[0] != q[0] ? (p[0] > q[0]) - (p[0] < q[0]) : (p[1] > q[1]) - (p[1] < q[1]);
}

/* Links named more than once stay once. */
static void unite(struct selection *s)
{
    size_t k = 0;

    if (s->nlink == 0)
        return;
    qsort(s->link, s->nlink, sizeof *s->link, selection_by_ends);
    for (size_t i = 0; i < s->nlink; i++)
        if (k == 0 || selection_by_ends(s->link[i], s->link[k - 1]) != 0)
            memmove(s->link[k++], s->link[i], sizeof *s->link);
    s->nlink = k;
}

void selection_release(struct selection *s)
{
    FREE(s->node, s->link);
    *s = (struct selection){ 0 };
}

/* ---- phrases ----------------------------------------------------------------------------------------- */

/* "A-B", where names may hold hyphens themselves: the first cut that leaves a node on each side. */
static int two_nodes(const struct net *net, const char *text, int *a, int *b, struct err *err)
{
    struct err first = { 0 };

    for (const char *dash = strchr(text, '-'); dash; dash = strchr(dash + 1, '-')) {
        char *left = text_copy(text, (size_t)(dash - text));
        struct err e = { 0 };
        int ret = left ? net_node(net, left, a, &e) : err_memory(&e);

        free(left);
        if (ret == 0 && net_node(net, dash + 1, b, &e) == 0)
            return 0;
        if (e.code == ERR_MEMORY) {
            *err = e;
            return -1;
        }
        if (first.code == ERR_NONE)
            first = e;
    }
    if (first.code == ERR_NONE)
        return err_set(err, ERR_USAGE, "'%.60s' names no two nodes; write A-B", text);
    return err_set(err, ERR_USAGE, "%s", first.msg);
}

/* One more node, and where the nodes are a walk the link to it. */
static int add_piece(struct selection *s, struct net *net, const char *name, bool walk, struct err *err)
{
    const int from = walk && s->nnode ? s->node[s->nnode - 1] : -1;
    int node, cable = 0;
    int64_t edge = -1;

    if ((from < 0 ? net_node(net, name, &node, err) : net_cable(&edge, &cable, net, from, &node, name, err)) < 0 ||
        (from >= 0 && add_link(s, from, node, cable ? edge : -1, err) < 0))
        return -1;
    return add_node(s, node, err);
}

/* A list of nodes with `mark` between. */
static int add_nodes(struct selection *s, struct net *net, const char *text, char mark, struct err *err)
{
    for (const char *at = text; at;) {
        const char *end = strchr(at, mark);
        char *name = text_copy(at, end ? (size_t)(end - at) : strlen(at));
        const int ret = name ? add_piece(s, net, name, mark == '-', err) : err_memory(err);

        free(name);
        if (ret < 0)
            return -1;
        at = end ? end + 1 : NULL;
    }
    return 0;
}

static int add_walk(struct selection *s, struct net *net, const char *text, bool closed, struct err *err)
{
    int64_t link;

    if (add_nodes(s, net, text, '-', err) < 0)
        return -1;
    if (!closed)
        return 0;
    if (s->nnode < 3)
        return err_set(err, ERR_USAGE, "a cycle has three nodes or more; '%.60s' has %zu", text, s->nnode);
    return net_link(&link, net, s->node[s->nnode - 1], s->node[0], err) < 0 ? -1 :
        add_link(s, s->node[s->nnode - 1], s->node[0], -1, err);
}

static int add_route(struct selection *s, struct routing *r, struct route_path *path, int from, int to, struct err *err)
{
    if (from == to)
        return 0;
    if (route_path(path, r, from, to, err) < 0)
        return -1;
    for (size_t i = 1; i < path->n; i++)
        if (add_link(s, path->node[i - 1], path->node[i], -1, err) < 0)
            return -1;
    return 0;
}

static int add_one_route(struct selection *s, struct net *net, const char *text, struct err *err)
{
    struct routing r = { 0 };
    struct route_path path = { 0 };
    int a, b, ret = two_nodes(net, text, &a, &b, err);

    if (ret == 0 && a == b)
        ret = err_set(err, ERR_USAGE, "the route '%.60s' leads from a node to itself; write two that differ", text);
    if (ret == 0 && (routing_open(&r, net, NULL, err) < 0 || add_route(s, &r, &path, a, b, err) < 0 ||
                     add_all(s, path.node, path.n, err) < 0))
        ret = -1;
    route_path_release(&path);
    routing_close(&r);
    return ret;
}

/* ---- supernodes -------------------------------------------------------------------------------------- */

/* S of a node on the way to a target (-1: none is known); T of that target where there is no node (-1). */
static int add_members(struct selection *s, struct net *net, const struct supernode *sn, int node, int target,
                       struct err *err)
{
    struct members m = { 0 };
    int *member, n, ret;

    if (target < 0 && sn->shape == SHAPE_BETWEEN)
        return err_set(err, ERR_USAGE, "%s has a set for every pair of nodes; write metapath:%s:A-B", sn->kind->name,
                       sn->spec);
    if (TAKE("a selection", err, ARRAY(member, net->n)) < 0)
        return -1;
    n = members_open(&m, net, sn, err) < 0 ? -1 : node < 0 ? members_of(&m, target, true, member) :
        members_towards(&m, node, target, member, err);
    ret = n < 0 ? -1 : add_all(s, member, (size_t)n, err);
    members_close(&m);
    free(member);
    return ret;
}

static int add_paths(struct selection *s, struct net *net, const struct selection *from, const struct selection *to,
                     int a, int b, struct err *err)
{
    struct routing r = { 0 };
    struct route_path path = { 0 };
    int ret = 0;

    if ((double)from->nnode * (double)to->nnode > PATHS_MOST)
        return err_set(err, ERR_DOMAIN, "this metapath has %.0f paths; up to a million can be drawn",
                       (double)from->nnode * (double)to->nnode);
    ret = routing_open(&r, net, NULL, err);
    for (size_t i = 0; ret == 0 && i < from->nnode; i++)
        ret = add_route(s, &r, &path, a, from->node[i], err);
    for (size_t j = 0; ret == 0 && j < to->nnode; j++)
        ret = add_route(s, &r, &path, to->node[j], b, err);
    for (size_t i = 0; ret == 0 && i < from->nnode; i++) {
        for (size_t j = 0; ret == 0 && j < to->nnode; j++)
            ret = add_route(s, &r, &path, from->node[i], to->node[j], err);
        unite(s);
    }
    route_path_release(&path);
    routing_close(&r);
    return ret;
}

static int add_metapath(struct selection *s, struct net *net, const struct supernode *sn, const char *text,
                        struct err *err)
{
    struct selection from = { 0 }, to = { 0 };
    int a, b, ret = two_nodes(net, text, &a, &b, err);

    if (ret == 0 && (add_members(&from, net, sn, a, b, err) < 0 || add_members(&to, net, sn, -1, b, err) < 0 ||
                     add_paths(s, net, &from, &to, a, b, err) < 0 || add_all(s, (const int[]){ a, b }, 2, err) < 0 ||
                     add_all(s, from.node, from.nnode, err) < 0 || add_all(s, to.node, to.nnode, err) < 0))
        ret = -1;
    selection_release(&from);
    selection_release(&to);
    return ret;
}

/* "SUPERNODE:REST": the supernode's own spec may hold colons, the rest follows the last. */
static int with_supernode(struct selection *s, struct net *net, const char *text, bool metapath, struct err *err)
{
    const char *colon = strrchr(text, ':');
    struct supernode sn = { 0 };
    char *spec;
    int node, ret;

    if (!colon)
        return err_set(err, ERR_USAGE, "'%.60s' lacks %s; write %s", text, metapath ? "a pair of nodes" : "a node",
                       metapath ? "metapath:sga:1:A-B" : "supernode:sga:1:A");
    spec = text_copy(text, (size_t)(colon - text));
    ret = spec ? supernode_open(&sn, spec, net, err) : err_memory(err);
    free(spec);
    if (ret == 0 && metapath)
        ret = add_metapath(s, net, &sn, colon + 1, err);
    else if (ret == 0)
        ret = net_node(net, colon + 1, &node, err) < 0 ? -1 : add_members(s, net, &sn, node, -1, err);
    supernode_release(&sn);
    return ret;
}

/* ---- trees ------------------------------------------------------------------------------------------- */

static int add_tree(struct selection *s, struct net *net, const char *text, struct err *err)
{
    const char *colon = strchr(text, ':');
    char *name = text_copy(text, colon ? (size_t)(colon - text) : strlen(text));
    const struct tree *tree = name ? tree_find(name, err) : NULL;
    struct tree_scene scene = { .net = net, .hop = 1, .gap = 1 };
    struct placement where = { 0 };
    struct tree_shape shape = { 0 };
    int root = net_terminal(net, 0), at, n = net->nterminal, ret;

    if (!name)
        return err_memory(err);
    free(name);
    if (!tree || (colon && net_node(net, colon + 1, &root, err) < 0))
        return -1;
    at = net_terminal_index(net, root);
    if (at < 0)
        return err_set(err, ERR_USAGE, "%.60s is a switch; no process runs there", colon + 1);
    scene.where = &where;
    scene.root = at;
    ret = add_node(s, root, err) < 0 || placement_init(&where, net, NULL, 0, 1, 1, err) < 0 ||
        tree_shape_init(&shape, tree, n, &scene, err) < 0 ? -1 : 0;
    for (int v = 1; ret == 0 && v < n; v++)
        ret = add_link(s, net_terminal(net, tree_process(shape.parent[v], at, n)),
                       net_terminal(net, tree_process(v, at, n)), -1, err);
    tree_shape_release(&shape);
    placement_release(&where);
    return ret;
}

/* Marks a selection as a way from its first node to its last; a metapath begins with its pair. */
static int add_way(struct selection *s, int ret, bool pair)
{
    if (ret == 0 && s->nnode > 1) {
        s->way = true;
        s->from = s->node[0];
        s->to = s->node[pair ? 1 : s->nnode - 1];
    }
    return ret;
}

int selection_open(struct selection *out, struct net *net, const char *phrase, struct err *err)
{
    static const char *const kind[] = { "nodes", "path", "cycle", "route", "supernode", "metapath", "tree" };
    const char *colon = strchr(phrase, ':');
    size_t len = colon ? (size_t)(colon - phrase) : strlen(phrase), which = 0;
    char nearest[80], word[40];

    *out = (struct selection){ 0 };
    while (which < 7 && !(strlen(kind[which]) == len && strncmp(kind[which], phrase, len) == 0))
        which++;
    snprintf(word, sizeof word, "%.*s", (int)(len < 39 ? len : 39), phrase);
    if (which == 7)
        return err_set(err, ERR_USAGE, "there is nothing called '%s' to highlight%s; there are nodes, path, cycle, "
                       "route, supernode, metapath and tree", word, text_suggest(nearest, word, kind, 7));
    if (!colon || !colon[1])
        return err_set(err, ERR_USAGE, "'%.60s' lacks what follows the colon, as in route:0-5", phrase);
    switch (which) {
    case 0: return add_nodes(out, net, colon + 1, ',', err);
    case 1: return add_way(out, add_walk(out, net, colon + 1, false, err), false);
    case 2: return add_walk(out, net, colon + 1, true, err);
    case 3: return add_way(out, add_one_route(out, net, colon + 1, err), false);
    case 4: return with_supernode(out, net, colon + 1, false, err);
    case 5: return add_way(out, with_supernode(out, net, colon + 1, true, err), true);
    default: return add_tree(out, net, colon + 1, err);
    }
}
