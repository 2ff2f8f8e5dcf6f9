#include "analysis/broadcast/cycles_flood.h"
#include "model/process/events.h"

/* What the quickest cable of a trunk takes for a whole message. */
static double quickest(const struct cycles_links *l, size_t trunk, double flits)
{
    const size_t first = trunks_first(&l->trunks, trunk), n = trunks_cables(&l->trunks, trunk);
    double least = INFINITY;

    for (size_t k = first; k < first + n; k++)
        least = fmin(least, l->slowness ? flits * l->slowness[k] + l->length[k] : flits);
    return least;
}

int cycles_flood(double *out, const struct cycles_links *links, const struct net *net, int node, double flits,
                 const struct tick *t, struct err *err)
{
    const struct csr *csr = links->trunks.csr;
    double *heard = malloc((size_t)csr->n * sizeof *heard), most = 0;
    struct events next = { 0 };
    char from[NET_LABEL], to[NET_LABEL];
    size_t count = 0;
    int ret = heard ? 0 : err_memory(err);

    for (int v = 0; ret == 0 && v < csr->n; v++)
        heard[v] = INFINITY;
    if (ret == 0) {
        heard[node] = 0;
        ret = events_push(&next, (struct event){ 0, 0, (size_t)node }, err);
    }
    while (ret == 0 && events_next(&next)) {             /* Dijkstra */
        const struct event e = events_pop(&next);

        if (e.at > heard[e.what])
            continue;
        if (++count % 4096 == 0 && tick(t, 0))
            ret = err_stopped(err);
        for (size_t k = csr->first[e.what]; ret == 0 && k < csr->first[e.what + 1]; k++) {
            const double at = e.at + quickest(links, k, flits);
            double *best = &heard[csr->to[k]];

            if (at < *best) {
                *best = at;
                ret = events_push(&next, (struct event){ at, (uint64_t)csr->to[k], (size_t)csr->to[k] }, err);
            }
        }
    }
    for (int i = 0; ret == 0 && i < net->nterminal; i++) {
        const int v = net_terminal(net, i);

        if (!isfinite(heard[v]))
            ret = err_set(err, ERR_NETWORK, "%.200s is not connected: there is no path from %s to %s", net->spec,
                          net_label(net, node, from), net_label(net, v, to));
        else
            most = fmax(most, heard[v]);
    }
    if (ret == 0)
        *out = most;
    events_release(&next);
    free(heard);
    return ret;
}
