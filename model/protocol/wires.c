/* What joins the processes of a network, and how late messages are. */
#include "graph/distance/trunks.h"
#include "model/process/sight.h"
#include "model/protocol/protocol.h"

#define PAIRS_MOST 4096

static int wires_add(struct wire **wire, size_t *n, struct wire w, struct err *err)
{
    if (GROW_BY(*n, 1, "links of processes", err, GROWN(*wire)) < 0)
        return -1;
    (*wire)[(*n)++] = w;
    return 0;
}

/* What a link takes beside its length: 1 where lengths are unknown, 0 where they are none since all is in seconds. */
double wires_hop(const struct net *net)
{
    return cables_most(&net->cables).length > 0 || net->cables.rate > 0 || net->cables.times ? 0 : 1;
}

/* Where there are switches: all pairs, by the quickest ways, as wide as the narrowest link of those. */
static int wires_pairs(struct wire **wire, size_t *n, struct net *net, const struct placement *where, double inside,
                       struct err *err)
{
    const double hop = wires_hop(net), wide_inside = cables_most(&net->cables).bandwidth;
    const struct tree_scene scene = { .net = net, .where = where, .hop = hop, .length = 1 };
    struct sight s = { 0 };
    struct trunks t = { 0 };
    const bool silent = hop == 0 && cables_most(&net->cables).length == 0;      /* sight has next to nothing there */
    double *narrow = NULL;
    int ret = -1;

    if (where->n > PAIRS_MOST)
        return err_set(err, ERR_DOMAIN, "%.200s has switches: its processes are joined in pairs, of %d at most, not %d",
                       net->spec, PAIRS_MOST, where->n);
    if (sight_open(&s, &scene, err) < 0 || trunks_open(&t, net, &s.links, false, err) < 0 ||
        TAKE("links of processes", err, ARRAY(narrow, net->n)) < 0)
        goto done;
    for (int p = 0; p < where->n; p++) {
        if (sight_search(&s, p, false, err) < 0)
            goto done;
        narrow[s.order[0]] = INFINITY;
        for (int i = 1; i < s.reached; i++) {
            const int v = s.order[i];
            const size_t k = csr_link(&s.links, s.from[v], v);
            double wide = 0;

            for (size_t c = trunks_first(&t, k); c < trunks_first(&t, k + 1); c++)
                wide = fmax(wide, trunks_kind(&t, c).bandwidth);
            narrow[v] = fmin(narrow[s.from[v]], wide);
        }
        for (int o = p + 1; o < where->n; o++) {
            const int v = where->node[o];

            if (wires_add(wire, n, v == where->node[p] ? (struct wire){ p, o, inside, 0, wide_inside } :
                          (struct wire){ p, o, silent ? 0 : s.away[v], 0, narrow[v] }, err) < 0)
                goto done;
        }
    }
    ret = 0;
done:
    free(narrow);
    trunks_release(&t);
    sight_close(&s);
    return ret;
}

/* Of each node's processes with each other, and with those of its neighbours; what a wiring of them takes comes too. */
static int wires_forecast(const struct trunks *t, const struct placement *where, int nodes, struct err *err)
{
    double many = 0;
    int *count;

    if (TAKE("processes by node", err, ZEROS(count, nodes)) < 0)
        return -1;
    for (int p = 0; p < where->n; p++)
        count[where->node[p]]++;
    for (int v = 0; v < nodes; v++) {
        many += count[v] * (count[v] - 1.) / 2;
        for (size_t k = t->csr->first[v]; k < t->csr->first[v + 1]; k++)
            many += (double)count[v] * count[t->csr->to[k]] / 2;
    }
    free(count);
    return mem_need(many * sizeof(struct wire) + wiring_bytes(many), "links of processes", err);
}

/* The best of a trunk's cables. */
static struct link_kind wires_kind(const struct trunks *t, size_t k)
{
    struct link_kind kind = { 0, INFINITY };

    for (size_t c = trunks_first(t, k); c < trunks_first(t, k) + trunks_cables(t, k); c++)
        kind = (struct link_kind){ fmax(kind.bandwidth, trunks_kind(t, c).bandwidth),
                                   fmin(kind.length, trunks_kind(t, c).length) };
    return kind;
}

/* csr NULL: both ways must be alike. */
static int wires_two_ways(const struct net *net, const struct csr *csr, struct err *err)
{
    bool both = !net->directed || csr;

    for (int v = 0; net->directed && csr && v < net->n; v++)
        for (size_t k = csr->first[v]; k < csr->first[v + 1]; k++)
            both = both && csr_link(csr, csr->to[k], v) < csr->m;
    return both ? 0 : err_set(err, ERR_DOMAIN, "%.200s has links of one way%s: processes answer over the link that "
                              "asked", net->spec, csr ? "" : ", as a matrix that is not symmetric");
}

int wires_nodes(struct wire **wire, size_t *n, struct net *net, double cable, double length, struct err *err)
{
    struct trunks t = { 0 };
    int ret = wires_two_ways(net, NULL, err) < 0 ? -1 : trunks_open_net(&t, net, false, err);

    if (ret == 0)
        ret = TAKE("the links", err, ARRAY(*wire, t.csr->m / 2 + 1));
    for (int v = 0; ret == 0 && v < net->n; v++)
        for (size_t k = t.csr->first[v]; k < t.csr->first[v + 1]; k++) {
            const struct link_kind kind = wires_kind(&t, k);

            if (t.csr->to[k] > v)
                (*wire)[(*n)++] = (struct wire){ v, t.csr->to[k], cable + length * kind.length, 0, kind.bandwidth };
        }
    trunks_release(&t);
    return ret;
}

int wires_net(struct wire **wire, size_t *n, struct net *net, const struct placement *where, double inside,
              struct err *err)
{
    struct trunks t = { 0 };
    int *first = NULL, *next = NULL, ret = -1;              /* processes by node; -1 */

    if (net->nterminal < net->n)
        return wires_two_ways(net, NULL, err) < 0 ? -1 : wires_pairs(wire, n, net, where, inside, err);
    if (trunks_open_net(&t, net, false, err) < 0 || wires_two_ways(net, t.csr, err) < 0 || wires_forecast(&t, where, net->n, err) < 0 ||
        TAKE("processes by node", err, ARRAY(first, net->n), ARRAY(next, where->n)) < 0)
        goto done;
    for (int v = 0; v < net->n; v++)
        first[v] = -1;
    for (int p = where->n; p-- > 0;) {
        next[p] = first[where->node[p]];
        first[where->node[p]] = p;
    }
    for (int p = 0; p < where->n; p++) {
        const size_t v = (size_t)where->node[p];

        for (int o = next[p]; o >= 0; o = next[o])
            if (wires_add(wire, n, (struct wire){ p, o, inside, 0, cables_most(&net->cables).bandwidth },
                          err) < 0)
                goto done;
        for (size_t k = t.csr->first[v]; k < t.csr->first[v + 1]; k++) {
            const struct link_kind kind = wires_kind(&t, k),
                back = net->directed ? wires_kind(&t, csr_link(t.csr, t.csr->to[k], (int)v)) : kind;

            for (int o = first[t.csr->to[k]]; o >= 0; o = next[o])
                if (o > p && wires_add(wire, n, (struct wire){ p, o, (net->cables.kind ? (kind.length + back.length) / 2
                                                                                   : 0) + wires_hop(net), 0,
                                                               fmin(kind.bandwidth, back.bandwidth) }, err) < 0)
                    goto done;
        }
    }
    ret = 0;
done:
    trunks_release(&t);
    FREE(first, next);
    return ret;
}
