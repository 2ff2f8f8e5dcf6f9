#include "graph/distance/trunks.h"

#include <igraph.h>

void trunks_release(struct trunks *t)
{
    FREE(t->first, t->edge, t->of);
    *t = (struct trunks){ 0 };
}

/* The trunk of edge e from its lower end to its higher one (directed: as it leads), else back. */
static size_t trunks_trunk(const struct trunks *t, const struct net *net, igraph_integer_t e, int back)
{
    const int from = (int)IGRAPH_FROM(&net->graph, e), to = (int)IGRAPH_TO(&net->graph, e);
    const bool turn = !net->directed && (from > to) != (back == 1);

    return csr_link(t->csr, turn ? to : from, turn ? from : to);
}

int trunks_open(struct trunks *out, struct net *net, const struct csr *csr, bool edges, struct err *err)
{
    const struct cables *c = &net->cables;
    struct trunks t = { .csr = csr, .nlink = csr->m, .kind = c->kind };
    const int ways = net->directed ? 1 : 2;
    const igraph_t *graph;
    igraph_integer_t nedge;
    size_t *at = NULL;

    if (!c->parallel && cables_alike(c) && !edges) {
        *out = t;
        return 0;
    }
    if (net_graph(net, &graph, err) < 0)
        return -1;
    nedge = igraph_ecount(graph);
    t.nlink = (size_t)nedge * (size_t)ways;
    if (TAKE("links", err, ZEROS(t.first, csr->m + 2), ARRAY(at, csr->m + 1), ARRAY_IF(edges, t.edge, t.nlink + 1),
             ARRAY_IF(!cables_alike(c), t.of, t.nlink + 1)) < 0)
        return -1;
    for (igraph_integer_t e = 0; e < nedge; e++)
        for (int back = 0; back < ways; back++)
            t.first[trunks_trunk(&t, net, e, back) + 1]++;
    for (size_t k = 0; k < csr->m; k++) {
        t.first[k + 1] += t.first[k];
        at[k] = t.first[k];
    }
    for (igraph_integer_t e = 0; e < nedge; e++)
        for (int back = 0; back < ways; back++) {
            const size_t link = at[trunks_trunk(&t, net, e, back)]++;

            if (t.edge)
                t.edge[link] = (int)e;
            if (t.of)
                t.of[link] = c->of[2 * e + back];
        }
    free(at);
    if (!c->parallel) {
        free(t.first);
        t.first = NULL;
    }
    *out = t;
    return 0;
}

int trunks_open_net(struct trunks *out, struct net *net, bool edges, struct err *err)
{
    const struct csr *links;

    return csr_kept(&links, net, err) < 0 ? -1 : trunks_open(out, net, links, edges, err);
}

double trunks_bandwidth(const struct trunks *t, size_t trunk)
{
    double sum = 0;

    for (size_t l = trunks_first(t, trunk); l < trunks_first(t, trunk + 1); l++)
        sum += trunks_kind(t, l).bandwidth;
    return sum;
}
