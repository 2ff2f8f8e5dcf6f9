/* Section 5.2.1 of Franco's thesis, how supernodes are made: what it says of gravity areas that meet. */
#include <igraph.h>

#include "analysis/claim/claim.h"
#include "graph/distance/distances.h"
#include "graph/net.h"
#include "texts/claim.h"

enum { MOST_BALL = 64 };

struct meeting {
    int n, diameter, radius;
    int shared;                 /* nodes in both areas of that radius around two nodes at the diameter */
    double mean;                /* hops of dga:1; areas that would overlap shrink to a point */
};

/* Mean of d(0,i) + d(i,j) + d(j,t) over i, node 0 and its neighbours (hops from i: row[i]), and j, t and its
 * neighbours. */
static double around(const struct csr *c, int *const *row, int nball, int t)
{
    double sum = 0;
    size_t n = 0;

    for (int i = 0; i < nball; i++) {
        const double out = i > 0;

        sum += out + row[i][t];
        n++;
        for (size_t e = c->first[t]; e < c->first[t + 1]; e++, n++)
            sum += out + row[i][c->to[e]] + 1;
    }
    return sum / (double)n;
}

/* From the distances of node 0 and of its neighbours: the networks are vertex-transitive. */
static int measure(struct meeting *m, const struct csr *c, int *room, struct err *err)
{
    const int degree = (int)(c->first[1] - c->first[0]), n = c->n;
    int *row[MOST_BALL], *far = room + (size_t)(degree + 1) * (size_t)n, *queue = far + n, last = 0;

    if (degree >= MOST_BALL)
        return err_set(err, ERR_INTERNAL, "a node has %d neighbours; there is room for %d", degree, MOST_BALL - 1);
    for (int i = 0; i <= degree; i++) {
        row[i] = room + (size_t)i * (size_t)n;
        csr_bfs(c, i ? c->to[c->first[0] + (size_t)i - 1] : 0, row[i], queue);
    }
    for (int v = 0; v < n; v++)
        if (row[0][v] > row[0][last])
            last = v;
    csr_bfs(c, last, far, queue);
    *m = (struct meeting){ .n = n, .diameter = row[0][last], .radius = row[0][last] / 2 };
    for (int v = 0; v < n; v++)
        m->shared += row[0][v] <= m->radius && far[v] <= m->radius;
    for (int v = 1; v < n; v++)
        m->mean += (row[0][v] <= 2 ? row[0][v] : around(c, row, degree + 1, v)) / (n - 1);
    return 0;
}

static int meet(struct meeting *m, const char *topology, struct err *err)
{
    struct net *net = NULL;
    const struct csr *c;
    int *room = NULL, ret = -1;

    if (net_open(&net, topology, err) < 0 || csr_kept(&c, net, err) < 0)
        goto done;
    room = calloc((c->first[1] - c->first[0] + 3) * (size_t)c->n, sizeof *room);
    ret = room ? measure(m, c, room, err) : err_memory(err);
done:
    free(room);
    net_close(net);
    return ret;
}

static int claim_drb_5_2_1_run(const struct claim_sink *sink, struct err *err)
{
    static const char *const topology[] = { "torus:32x32", "midimew:1024", "hypercube:10" };
    struct meeting m, torus = { 0 };

    for (size_t i = 0; i < sizeof topology / sizeof *topology; i++) {
        if (meet(&m, topology[i], err) < 0 ||
            claim_statement(sink, err, m.shared, m.shared ? CLAIM_FAILS : CLAIM_HOLDS, topology[i],
                            CLAIM_DRB_5_2_1_NODES_BOTH, m.radius, m.diameter, m.shared) < 0)
            return -1;
        torus = i == 0 ? m : torus;
    }
    return claim_statement(sink, err, torus.mean, claim_rounds_to(torus.mean, "17.7") ? CLAIM_HOLDS : CLAIM_FAILS,
                           CLAIM_DRB_5_2_1_MEAN_LENGTH, torus.mean);
}

const struct claim claim_drb_5_2_1 = {
    CLAIM_DRB_5_2_1_ENTRY,
    .run = claim_drb_5_2_1_run
};
