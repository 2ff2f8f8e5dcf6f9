/* Forwarding tables in the form of lfts.h: where every switch sends what goes to a node, as the routing's paths say. */
#include "graph/addresses.h"
#include "model/routing/lfts.h"

struct writing {
    struct routing *r;
    struct addresses a;
    struct route_path path;
    uint8_t *out;               /* n: the port towards the target at hand; 0: none yet */
    bool *host;                 /* n */
};

/* The port at which `node` sends over that cable of those to `to`; 0: over several. -1: error. */
static int lfts_port(const struct writing *w, int node, int to, int cable, struct err *err)
{
    int64_t *edge = NULL, one;
    int n = 0, end[2];

    if (w->r->net->cables.parallel) {
        if (net_cables(&edge, &n, w->r->net, node, to, err) < 0)
            return -1;
        one = edge[cable > 0 ? cable - 1 : 0];
        free(edge);
    } else if (net_link(&one, w->r->net, node, to, err) < 0) {
        return -1;
    }
    net_ends(end, w->r->net, one);
    return n > 1 && cable == 0 ? 0 : w->a.port[2 * one + (end[1] == node)];
}

/* Puts the path from source to target into the table; `must`: what is there already may not differ. */
static int lfts_walk(struct writing *w, int source, int target, bool must, struct err *err)
{
    const struct net *net = w->r->net;
    char name[3][NET_LABEL];

    if (route_path(&w->path, w->r, source, target, err) < 0)
        return -1;
    for (size_t i = 0; i + 1 < w->path.n; i++) {
        const int node = w->path.node[i], to = w->path.node[i + 1];
        const int port = w->a.adapter[node] < 0 ? 0 : lfts_port(w, node, to, w->path.cable[i + 1], err);

        if (port < 0)
            return -1;
        if (must && w->a.adapter[node] >= 0 && (port == 0 || (w->out[node] && w->out[node] != port)))
            return err_set(err, ERR_DOMAIN, "'%.80s' cannot be written as forwarding tables: %s sends by several ways to "
                           "%s%s%s; tables have one for each switch and destination", w->r->spec,
                           net_label(net, node, name[0]), net_label(net, target, name[1]), port ? ", as from " : "",
                           port ? net_label(net, source, name[2]) : "");
        if (w->out[node] == 0)
            w->out[node] = (uint8_t)port;
    }
    return 0;
}

/* The table's column of a target. */
static int lfts_target(struct writing *w, int target, struct err *err)
{
    const struct net *net = w->r->net;
    const bool back = !w->r->route->next || w->r->route->looks_back;    /* else what a switch sends tells all */
    struct err ignored;

    memset(w->out, 0, (size_t)net->n * sizeof *w->out);
    for (int i = 0; back && w->host[target] && i < net->nterminal; i++)
        if (net_terminal(net, i) != target && lfts_walk(w, net_terminal(net, i), target, true, err) < 0)
            return -1;
    for (int v = 0; v < net->n; v++) {
        if (v == target || w->a.adapter[v] < 0 || w->out[v] || cables_down(&net->cables, v))
            continue;
        if (lfts_walk(w, v, target, !back && w->host[target], &ignored) < 0 && !back && w->host[target]) {
            *err = ignored;
            return -1;
        }
    }
    return 0;
}

static void lfts_row_write(FILE *f, const struct net *net, unsigned lid, unsigned port, bool adapter, uint64_t guid,
                           int node, const char *more)
{
    char name[NET_LABEL];

    fprintf(f, "0x%04x %03u # %s portguid 0x%016llx: '%s%s'\n", lid, port, adapter ? "Channel Adapter" : "Switch",
            (unsigned long long)guid, net_label(net, node, name), more);
}

int lfts_write(FILE *f, struct routing *r, struct err *err)
{
    const struct net *net = r->net;
    struct writing w = { .r = r };
    uint8_t *out = NULL;        /* all columns, n each */
    unsigned last = 0, own = 0;
    char name[NET_LABEL];
    const size_t n = (size_t)net->n;
    int ret = -1;

    if (addresses_open(&w.a, r->net, err) < 0 ||
        TAKE("forwarding tables", err, ARRAY(out, n * n), ZEROS(w.host, n)) < 0)
        goto done;
    for (int i = 0; i < net->nterminal; i++)
        w.host[net_terminal(net, i)] = true;
    for (int v = 0; v < net->n; v++) {
        last += w.a.adapter[v] > 0 ? 2 : 1;
        w.out = out + (size_t)v * n;
        if (lfts_target(&w, v, err) < 0)
            goto done;
    }
    if (last >= 0xc000) {
        err_set(err, ERR_DOMAIN, "%.200s has %u addresses; a fabric has less than %d", net->spec, last, 0xc000);
        goto done;
    }
    for (int v = 0; v < net->n; v++) {
        unsigned lid = 0;

        own += v && w.a.adapter[v - 1] > 0 ? 2 : 1;
        if (w.a.adapter[v] < 0)
            continue;
        fprintf(f, "Unicast lids [0-%u] of switch Lid %u guid 0x%016llx ('%s'):\n", last, own,
                (unsigned long long)w.a.guid[v], net_label(net, v, name));
        for (int t = 0; t < net->n; t++) {
            const unsigned port = out[(size_t)t * n + (size_t)v];

            if (++lid && (port || t == v))
                lfts_row_write(f, net, lid, port, w.a.adapter[t] < 0, w.a.adapter[t] < 0 ? w.a.port_guid[t] :
                               w.a.guid[t], t, "");
            if (w.a.adapter[t] > 0 && ++lid && (port || t == v))
                lfts_row_write(f, net, lid, t == v ? (unsigned)w.a.adapter[v] : port, true, w.a.port_guid[t], t, "-host");
        }
        fprintf(f, "%u lids dumped\n", last);
    }
    ret = 0;
done:
    FREE(out, w.host);
    route_path_release(&w.path);
    addresses_release(&w.a);
    return ret;
}
