#include "model/traffic/traffic.h"
#include "texts/traffic.h"

#define EACH 4                  /* streams that join the line from one dimension */

/* What a torus's channels have in common: a line along `dim` through the middle of the others, and its link from `link`
 * to link + 1. */
struct line {
    const struct net *net;
    int dim, k, link;
};

static int at_least_one(int x)
{
    return x > 1 ? x : 1;
}

/* The node `beside` steps along dimension e off the line, at the line's coordinate `along`. */
static int node_at(const struct line *l, int along, int e, int beside)
{
    int node = 0;

    for (int d = 0; d < l->net->ndim; d++) {
        int k = l->net->size[d], c = d == l->dim ? along : k / 4 + (d == e ? beside : 0);

        node = node * k + (c + k) % k;
    }
    return node;
}

/* Unless its source sends already, as happens in small dimensions. */
static void drb_hotspot_add_new(struct traffic *t, int source, int target)
{
    for (size_t i = 0; i < t->nstream; i++)
        if (t->stream[i].source == source)
            return;
    traffic_add(t, source, target);
}

/* Four that join the line one after another, go half-way along it and so share its middle link. */
static void drb_hotspot_add_joining(struct traffic *t, const struct line *l, int e)
{
    for (int i = 0; i < EACH; i++) {
        int k = l->net->size[e], beside = at_least_one(i < 2 ? k / 8 : k / 4), back = (int)((int64_t)i * l->k / 8);
        int along = l->link - (back < l->link ? back : l->link);

        drb_hotspot_add_new(t, node_at(l, along, e, i % 2 ? beside : -beside), node_at(l, along + l->k / 2, e, 0));
    }
}

/* Two that run beside the line and meet no other stream. */
static void drb_hotspot_add_lone(struct traffic *t, const struct line *l, int e)
{
    int k = l->net->size[e], far = at_least_one(k / 4), near = at_least_one(k / 8);

    for (int sign = -1; sign <= 1; sign += 2)
        drb_hotspot_add_new(t, node_at(l, l->k / 4, e, sign * far), node_at(l, l->k / 2, e, sign * near));
}

static int drb_hotspot_open_torus(struct traffic *t, int dim, bool lone, struct err *err)
{
    const struct net *net = t->net;
    struct line line = { net, dim, net->size[dim], net->size[dim] / 2 - 1 };

    if (traffic_room(t, (size_t)(EACH + 2) * (size_t)net->ndim, err) < 0)
        return -1;
    for (int e = 0; e < net->ndim; e++)
        if (e != dim)
            drb_hotspot_add_joining(t, &line, e);
    if (t->nstream < 2)
        return err_set(err, ERR_DOMAIN, "drb-hotspot needs longer lines than those of %.200s along dimension %d: two "
                       "channels do not find room", net->spec, dim + 1);
    for (int e = 0; lone && e < net->ndim; e++)
        if (e != dim)
            drb_hotspot_add_lone(t, &line, e);
    return 0;
}

/* Node 0 to the one that differs from it in dimension m is the link that all cross when dimensions are corrected
 * from the last to the first: sources differ from node 0 in dimensions behind m only, destinations in m and those
 * before it. */
static int drb_hotspot_open_hypercube(struct traffic *t, struct err *err)
{
    int n = t->net->ndim, m = (n + 1) / 2, behind = n - m, before = m - 1;
    int room = 1 << (behind < before ? behind : before), streams = room < n ? room : n;

    if (traffic_room(t, (size_t)streams, err) < 0)
        return -1;
    for (int i = 0; i < streams; i++)
        traffic_add(t, i, 1 << behind | i << (behind + 1));
    return 0;
}

static bool is_torus(const struct net *net)
{
    return net->lines == LINES_GRID && net->ndim >= 2 && !net->directed && net_rings(net);
}

static bool is_hypercube(const struct net *net)
{
    for (int d = 0; d < net->ndim; d++)
        if (net->size[d] != 2)
            return false;
    return true;
}

static int drb_hotspot_open(struct traffic *t, const struct spec *spec, struct net *net, struct err *err)
{
    static const char *const yesno[] = { "no", "yes", NULL };
    char along[24] = "";
    int64_t dim;
    int lone;

    if (spec_no_params(spec, err) < 0 || spec_choice(&lone, spec, "lone", yesno, err) < 0)
        return -1;
    if (!is_torus(net) || (is_hypercube(net) && net->ndim < 3))
        return err_set(err, ERR_DOMAIN, "drb-hotspot needs a torus of two or more dimensions or a hypercube of three "
                       "or more; %.200s is neither", net->spec);
    if (is_hypercube(net)) {
        if (spec->noption)
            return err_set(err, ERR_DOMAIN, "'%.80s': drb-hotspot takes %.20s on toruses only, and %.200s is a "
                           "hypercube", spec->text, spec->option[0].key, net->spec);
        return drb_hotspot_open_hypercube(t, err) < 0 ? -1 : spec_append(&t->spec, err, "drb-hotspot");
    }
    if (spec_key_int(&dim, spec, "dim", 1, net->ndim, 1, err) < 0 ||
        drb_hotspot_open_torus(t, (int)dim - 1, lone, err) < 0)
        return -1;
    if (dim != 1)
        snprintf(along, sizeof along, ",dim=%d", (int)dim);
    return spec_append(&t->spec, err, "drb-hotspot%s%s", along, lone ? ",lone=yes" : "");
}

const struct traffic_kind traffic_drb_hotspot = {
    TRAFFIC_DRB_HOTSPOT_ENTRY,
    .open = drb_hotspot_open
};
