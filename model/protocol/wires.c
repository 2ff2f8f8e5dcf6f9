/* What joins the processes of a network, and how late messages are. */
#include <math.h>
#include <stdlib.h>

#include "graph/base/grow.h"
#include "graph/base/mem.h"
#include "graph/distance/trunks.h"
#include "model/protocol/protocol.h"

static int wires_add(struct wire **wire, size_t *n, int a, int b, double latency, struct err *err)
{
    if (GROW_BY(*n, 1, "links of processes", err, GROWN(*wire)) < 0)
        return -1;
    (*wire)[(*n)++] = (struct wire){ a, b, latency, 0 };
    return 0;
}

static int wires_of(struct wire **wire, size_t *n, struct net *net, const struct placement *where, double inside,
                    struct err *err)
{
    struct trunks t = { 0 };
    int *first = NULL, *next = NULL, ret = -1;              /* processes by node; -1 */

    if (net->directed)
        return err_set(err, ERR_DOMAIN, "%.200s has links of one way: processes answer over the link that asked",
                       net->spec);
    if (net->nterminal < net->n)
        return err_set(err, ERR_DOMAIN, "%.200s has switches: a tree of processes is built over links between them; "
                       "give their latencies, as a matrix", net->spec);
    if (trunks_open_net(&t, net, false, err) < 0 ||
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
            if (wires_add(wire, n, p, o, inside, err) < 0)
                goto done;
        for (size_t k = t.csr->first[v]; k < t.csr->first[v + 1]; k++) {
            double least = INFINITY;

            for (size_t c = trunks_first(&t, k); c < trunks_first(&t, k) + trunks_cables(&t, k); c++)
                least = fmin(least, trunks_kind(&t, c).length);
            for (int o = first[t.csr->to[k]]; o >= 0; o = next[o])
                if (o > p && wires_add(wire, n, p, o, net->cables.kind ? least : 1, err) < 0)
                    goto done;
        }
    }
    ret = 0;
done:
    trunks_release(&t);
    FREE(first, next);
    return ret;
}

int wiring_net(struct wiring *w, struct net *net, const struct placement *where, double inside, struct err *err)
{
    struct wire *wire = NULL;
    size_t n = 0;
    const int ret = wires_of(&wire, &n, net, where, inside, err) < 0 ? -1 : wiring_open(w, where->n, wire, n, err);

    free(wire);
    return ret;
}
