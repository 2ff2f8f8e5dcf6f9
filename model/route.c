#include "model/route.h"

#include <stdlib.h>
#include <string.h>

#include "graph/base/catalogue.h"

#define X(name) extern const struct route route_##name;
#include "registry/route.inc"
#undef X

const struct route *const route_all[] = {
#define X(name) &route_##name,
#include "registry/route.inc"
#undef X
    NULL
};

CATALOGUE_FIND(route_find, struct route, route_all, name, "routing", "metapath list routing")

int routing_open(struct routing *out, struct net *net, const char *name, struct err *err)
{
    struct routing r = { .net = net, .most = 1 };

    if (name && strcmp(name, "auto") != 0)
        r.route = route_find(name, err);
    else
        r.route = route_find(net->ndim > 0 || net->group ? "dor" : "minimal", err);
    if (!r.route)
        return -1;
    if (!r.route->fits(net))
        return err_set(err, ERR_USAGE, "routing '%s' needs %s, which %.200s has not; take --routing minimal",
                       r.route->name, r.route->needs, net->spec);
    if (r.route->open(&r, err) < 0)
        return -1;
    *out = r;
    return 0;
}

void routing_close(struct routing *r)
{
    if (r->route)
        r->route->close(r);
    *r = (struct routing){ 0 };
}

static int room(struct route_path *path, size_t nodes, size_t hops, struct err *err)
{
    if (nodes > path->cap) {
        size_t cap = path->cap ? 2 * path->cap : 16;
        int *node = realloc(path->node, cap * sizeof *node);

        if (!node)
            return err_memory(err);
        path->node = node;
        path->cap = cap;
    }
    if (hops > path->most) {
        struct hop *hop = realloc(path->hop, hops * sizeof *hop);

        if (!hop)
            return err_memory(err);
        path->hop = hop;
        path->most = hops;
    }
    return 0;
}

int route_path(struct route_path *path, struct routing *r, int source, int target, struct err *err)
{
    const size_t longest = 4 * (size_t)r->net->n + 4;   /* no routing visits a node again and again */
    int node = source, in = -1;
    size_t n;

    path->n = 0;
    for (;;) {
        if (room(path, path->n + 1, r->most, err) < 0)
            return -1;
        path->node[path->n++] = node;
        if (node == target)
            return 0;
        if (path->n > longest)
            return err_set(err, ERR_INTERNAL, "routing '%s' does not arrive from node %d at node %d of %.200s",
                           r->route->name, source, target, r->net->spec);
        if (r->route->next(path->hop, &n, r, node, in, target, err) < 0)
            return -1;
        if (n != 1)
            return err_set(err, ERR_USAGE, "routing '%s' spreads messages over several paths: this needs one with "
                           "a single path", r->route->name);
        in = node;
        node = path->hop[0].node;
    }
}

void route_path_release(struct route_path *path)
{
    free(path->node);
    free(path->hop);
    *path = (struct route_path){ 0 };
}
