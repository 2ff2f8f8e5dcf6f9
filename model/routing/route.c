#include "model/routing/route.h"

#include "registry/route.inc"

KIND(route, route, struct route, .name = "routing", .rank = 6)

bool route_fits_any(const struct net *)
{
    return true;
}

static int route_open_spec(struct routing *out, struct net *net, const struct route *route, const struct spec *spec,
                     struct err *err)
{
    struct routing r = { .net = net, .most = 1, .route = route, .symmetric = route->symmetric };

    if (!r.route->fits(net))
        return err_set(err, ERR_DOMAIN, "routing '%s' needs %s, which %.200s has not; `metapath list routing` has "
                       "others", r.route->name, r.route->needs, net->spec);
    r.state = route->state ? calloc(1, route->state) : NULL;
    if (route->state && !r.state)
        return err_memory(err);
    if (r.route->open(&r, spec, err) < 0 || (!r.spec && spec_append(&r.spec, err, "%s", r.route->name) < 0)) {
        routing_close(&r);
        return -1;
    }
    *out = r;
    return 0;
}

bool routing_orders(const struct net *net)
{
    return route_dor.fits(net);
}

const char *routing_usual(const char *text, const struct net *net, enum routing_use use)
{
    if (text && strcmp(text, "auto") != 0)
        return text;
    return routing_orders(net) ? "dor" : use == ROUTING_FOR_STOPS ? "minimal" : use == ROUTING_FOR_LOAD ? "ecmp" :
        route_dmodk.fits(net) ? "dmodk" : "spread";
}

int routing_open(struct routing *out, struct net *net, const char *text, struct err *err)
{
    struct spec spec;
    const struct entry *entry;
    int ret;

    entry = kind_spec(&spec, &kind_route, routing_usual(text, net, ROUTING_FOR_STOPS), err);
    if (!entry)
        return -1;
    ret = route_open_spec(out, net, (const struct route *)entry, &spec, err);
    spec_release(&spec);
    return ret;
}

void routing_close(struct routing *r)
{
    if (r->state && r->route->close)
        r->route->close(r->state);
    free(r->state);
    if (r->base) {
        routing_close(r->base);
        free(r->base);
    }
    free(r->spec);
    *r = (struct routing){ 0 };
}

int routing_no_path(const struct routing *r, int node, int target, struct err *err)
{
    char name[2][96];

    return err_set(err, ERR_NETWORK, "%.200s is not connected: there is no path from %s to %s", r->net->spec,
                   net_label(r->net, node, name[0]), net_label(r->net, target, name[1]));
}

static const char *const base_key[] = { "base", "order", "tie" };

const char *routing_base_spec(const struct spec *spec, char out[160])
{
    size_t len = 0;

    out[0] = '\0';
    for (size_t i = 0; i < sizeof base_key / sizeof *base_key; i++)
        if (spec_get(spec, base_key[i]) && len < 160)
            len += (size_t)snprintf(out + len, 160 - len, ",%s=%s", base_key[i], spec_get(spec, base_key[i]));
    return out;
}

int routing_base(struct routing *r, const struct spec *spec, const char *usual, struct err *err)
{
    const char *given = spec_get(spec, "base"), *base = routing_usual(given ? given : usual, r->net, ROUTING_FOR_STOPS);
    const char *order = spec_get(spec, "order"), *tie = spec_get(spec, "tie");
    char text[300];

    snprintf(text, sizeof text, "%.60s%s%.100s%s%.60s", base, order ? ",order=" : "", order ? order : "",
             tie ? ",tie=" : "", tie ? tie : "");
    r->base = calloc(1, sizeof *r->base);
    if (!r->base)
        return err_memory(err);
    if (routing_open(r->base, r->net, text, err) < 0) {
        free(r->base);
        r->base = NULL;
        return -1;
    }
    if (!r->base->route->next || r->base->most > 1)
        return err_set(err, ERR_USAGE, "routing '%s' cannot use '%s' from stop to stop, because that spreads messages "
            "over several paths", r->route->name, r->base->spec);
    return 0;
}

int ways_add(struct ways *w, const int *stop, size_t nstop, double share, struct err *err)
{
    return ways_add_cables(w, stop, NULL, nstop, share, err);
}

int ways_add_cables(struct ways *w, const int *stop, const int *cable, size_t nstop, double share, struct err *err)
{
    if (GROW(&w->room, w->n + 1, "multistep paths", err, GROWN(w->end), GROWN(w->share)) < 0 ||
        GROW(&w->stop_room, w->nstop + nstop, "multistep paths", err, GROWN(w->stop), GROWN(w->cable)) < 0)
        return -1;
    memcpy(w->stop + w->nstop, stop, nstop * sizeof *stop);
    for (size_t i = 0; i < nstop; i++)
        w->cable[w->nstop + i] = cable ? cable[i] : 0;
    w->nstop += nstop;
    w->end[w->n] = w->nstop;
    w->share[w->n++] = share;
    return 0;
}

void ways_release(struct ways *w)
{
    FREE(w->stop, w->cable, w->end, w->share);
    *w = (struct ways){ 0 };
}

int route_path_add(struct route_path *path, int node, int cable, struct err *err)
{
    if (GROW(&path->cap, path->n + 1, "a path", err, GROWN(path->node), GROWN(path->cable)) < 0)
        return -1;
    path->node[path->n] = node;
    path->cable[path->n++] = cable;
    return 0;
}

/* Goes on from the path's last node. */
static int extend(struct route_path *path, struct routing *r, int target, struct err *err)
{
    const size_t longest = path->n + 4 * (size_t)r->net->n + 4;     /* no routing visits a node again and again */
    int node = path->node[path->n - 1], in = -1;
    size_t n;

    if (GROW(&path->most, r->most, "next hops", err, GROWN(path->hop)) < 0)
        return -1;
    while (node != target) {
        if (path->n > longest)
            return err_set(err, ERR_INTERNAL, "routing '%s' does not arrive from node %d at node %d of %.200s",
                           r->route->name, path->node[0], target, r->net->spec);
        if (r->route->next(path->hop, &n, r, node, in, target, err) < 0)
            return -1;
        if (n != 1)
            return err_set(err, ERR_USAGE, "routing '%s' spreads messages over several paths: this needs one with "
                           "a single path", r->spec);
        in = node;
        node = path->hop[0].node;
        if (route_path_add(path, node, path->hop[0].cable, err) < 0)
            return -1;
    }
    return 0;
}

static int route_begin(struct route_path *path, int source, struct err *err)
{
    path->n = 0;
    return route_path_add(path, source, 0, err);
}

int route_path(struct route_path *path, struct routing *r, int source, int target, struct err *err)
{
    struct ways w = { 0 };
    int ret;

    if (r->route->next)
        return route_begin(path, source, err) < 0 ? -1 : extend(path, r, target, err);
    ret = r->route->ways(&w, r, NULL, source, target, err);
    if (ret == 0 && w.n != 1)
        ret = err_set(err, ERR_USAGE, "routing '%s' spreads messages over several paths: this needs one with a single "
                      "path", r->spec);
    ret = ret < 0 ? -1 : route_way(path, r, &w, 0, source, err);
    ways_release(&w);
    return ret;
}

int route_way(struct route_path *path, struct routing *r, const struct ways *w, size_t i, int source, struct err *err)
{
    if (route_begin(path, source, err) < 0)
        return -1;
    for (size_t k = i ? w->end[i - 1] : 0; k < w->end[i]; k++) {
        if (extend(path, r->base, w->stop[k], err) < 0)
            return -1;
        if (w->cable[k])
            path->cable[path->n - 1] = w->cable[k];
    }
    return 0;
}

char *route_path_text(const struct route_path *path, const struct net *net, const char *between)
{
    char *text = NULL, label[NET_LABEL];
    struct err memory;
    int ret = spec_append(&text, &memory, "%s", "");

    for (size_t i = 0; ret == 0 && i < path->n; i++)
        ret = spec_append(&text, &memory, "%s%s", i ? between : "", net_label(net, path->node[i], label));
    if (ret < 0)
        FREE(text);
    return ret < 0 ? NULL : text;
}

void route_path_release(struct route_path *path)
{
    FREE(path->node, path->cable, path->hop);
    *path = (struct route_path){ 0 };
}
