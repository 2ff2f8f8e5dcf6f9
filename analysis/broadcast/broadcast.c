#include "analysis/broadcast/broadcast.h"

int broadcast_root(int root, int ranks, const struct placement *where, struct err *err)
{
    if (ranks != where->n)
        return err_set(err, ERR_DOMAIN, "a tree of %d ranks does not fit %d processes", ranks, where->n);
    if (root < 0 || root >= where->n)
        return err_set(err, ERR_DOMAIN, "root %d is not among processes 0 to %d", root, where->n - 1);
    return 0;
}

int broadcast_messages(const struct trunks *t, size_t trunk)
{
    double sum = 0;

    for (size_t l = trunks_first(t, trunk); l < trunks_first(t, trunk + 1); l++)
        sum += floor(trunks_kind(t, l).bandwidth);
    return (int)fmin(sum, INT_MAX);
}

bool broadcast_narrow(const struct net *net)
{
    return cables_least(&net->cables).bandwidth < 1;
}

int broadcast_whole(const struct net *net, struct err *err)
{
    if (!broadcast_narrow(net))
        return 0;
    return err_set(err, ERR_DOMAIN, "%.200s has links of a bandwidth below 1: steps are of whole messages (`metapath "
                   "bound broadcast` has rates)", net->spec);
}

void broadcast_release(struct broadcast *b)
{
    free(b->received);
    *b = (struct broadcast){ 0 };
}

/* ---- flooding ---- */

/* Hops from `source` to every node; -1 out of reach. `sent`: messages in all. */
static int flood(int *hops, double *sent, struct net *net, int source, struct err *err)
{
    const struct csr *c;
    int *heard;                         /* the search's queue; then from which neighbour */

    if (csr_kept(&c, net, err) < 0 || TAKE(net->spec, err, ARRAY(heard, c->n)) < 0)
        return -1;
    csr_bfs(c, source, hops, heard);
    for (int v = 0; v < c->n; v++)
        heard[v] = -1;
    for (int v = c->n - 1; v >= 0; v--)
        for (size_t e = c->first[v]; e < c->first[v + 1]; e++)
            if (hops[v] >= 0 && hops[c->to[e]] == hops[v] + 1)
                heard[c->to[e]] = v;
    *sent = 0;
    for (int v = 0; v < c->n; v++)
        for (size_t e = c->first[v]; e < c->first[v + 1]; e++)
            *sent += hops[v] >= 0 && c->to[e] != heard[v];
    free(heard);
    return 0;
}

static int farthest(double *most, const struct net *net, const int *hops, int source, struct err *err)
{
    char from[96], to[96];

    *most = 0;
    for (int i = 0; i < net->nterminal; i++) {
        int v = net_terminal(net, i);

        if (hops[v] < 0)
            return err_set(err, ERR_NETWORK, "%.200s is not connected: there is no path from %s to %s", net->spec,
                           net_label(net, source, from), net_label(net, v, to));
        *most = fmax(*most, hops[v]);
    }
    return 0;
}

/* An undirected group needs no graph: its nodes all have the same neighbours, relative to themselves. */
static int flood_group(int *hops, double *sent, const struct group *g, int source, struct err *err)
{
    const int back = group_negative(g, source);
    uint32_t *D = malloc((size_t)g->n * sizeof *D);
    double reached = 0;
    int ret = D ? group_distances(g, D, err) : err_memory(err);

    for (int v = 0; ret == 0 && v < g->n; v++) {
        uint32_t away = D[group_add(g, v, back)];

        hops[v] = away == UINT32_MAX ? -1 : (int)away;
        reached += away != UINT32_MAX;
    }
    *sent = reached * group_degree(g) - (reached - 1);
    free(D);
    return ret;
}

int broadcast_flood(struct broadcast *out, struct net *net, const struct placement *where, int root, struct err *err)
{
    struct broadcast b = { .n = where->n };
    int *hops = NULL, ret = -1, source;

    if (broadcast_root(root, where->n, where, err) < 0 || broadcast_whole(net, err) < 0)
        return -1;
    source = where->node[root];
    if (TAKE(net->spec, err, ARRAY(hops, net->n), ARRAY(b.received, where->n)) < 0 ||
        (net->group && !net->directed ? flood_group(hops, &b.messages, net->group, source, err) :
                                        flood(hops, &b.messages, net, source, err)) < 0 ||
        farthest(&b.makespan_steps, net, hops, source, err) < 0)
        goto done;
    for (int p = 0; p < where->n; p++)
        b.received[p] = hops[where->node[p]];
    b.serial_hops = b.messages;
    *out = b;
    ret = 0;
done:
    if (ret < 0)
        broadcast_release(&b);
    free(hops);
    return ret;
}
