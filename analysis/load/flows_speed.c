/* How fast and how long links are (flows.h), and what that makes of ways. */
#include "analysis/load/flows_builder.h"

static int slow_find(const struct flows *f, double bandwidth)
{
    const double slow = 1 / bandwidth;

    return (int)((double *)bsearch(&slow, f->slow, (size_t)f->nslow, sizeof slow, num_ascending_reals) - f->slow);
}

/* The slownesses there are, and which each link has: those of the network, then those that stand at nodes. */
static int slow_links(struct builder *b, struct err *err)
{
    const size_t cables = b->follow.cables;
    struct flows *f = b->f;
    const struct cables *c = &b->net->cables;
    const size_t nodes = (size_t)b->net->n;
    double *wide;
    size_t n = 0;

    if (TAKE("how fast links are", err, ARRAY(wide, 2 * nodes), ARRAY(f->slow, (size_t)c->nkind + 2 * nodes + 1),
             ARRAY(f->link_slow, f->nlink)) < 0)
        return -1;
    for (size_t v = 0; !b->follow.arrivals && v < 2 * nodes; v++)
        wide[v] = 0;
    if (b->follow.arrivals)
        follow_widest(wide, &b->follow);
    for (int k = 0; k < c->nkind; k++)
        f->slow[n++] = 1 / c->kind[k].bandwidth;
    if (!c->kind)
        f->slow[n++] = 1;
    for (size_t v = 0; v < 2 * nodes; v++)
        if (wide[v] > 0)
            f->slow[n++] = 1 / wide[v];
    qsort(f->slow, n, sizeof *f->slow, num_ascending_reals);
    f->nslow = 1;
    for (size_t k = 1; k < n; k++)
        if (f->slow[k] > f->slow[f->nslow - 1])
            f->slow[f->nslow++] = f->slow[k];
    for (size_t k = 0; k < f->nlink; k++) {
        const size_t l = builder_link(b, k);
        const double end = l < cables ? 0 : f->link_from[k] < 0 ? wide[nodes + (size_t)f->link_to[k]] :
            wide[f->link_from[k]];

        f->link_slow[k] = l < cables ? slow_find(f, trunks_kind(&b->follow.trunks, l).bandwidth) :
            end > 0 ? slow_find(f, end) : 0;
    }
    free(wide);
    f->flit_time = f->slow[0];
    for (int k = 0; k < f->nslow; k++)
        f->slow[k] /= f->flit_time;
    f->slow[0] = 1;
    if (f->nslow == 1) {
        free(f->link_slow);
        f->link_slow = NULL;
    }
    return 0;
}

/* What links are like: slownesses and lengths. */
int builder_measure_links(struct builder *b, struct err *err)
{
    struct flows *f = b->f;
    const struct cables *c = &b->net->cables;

    f->flit_time = f->nslow = 1;
    if (!c->kind && !c->parallel)
        return 0;
    if (c->kind && cables_most(c).length > 0) {
        if (TAKE("how long links are", err, ZEROS(f->link_length, f->nlink)) < 0)
            return -1;
        for (size_t k = 0; k < f->nlink; k++)
            if (builder_link(b, k) < b->follow.cables)
                f->link_length[k] = trunks_kind(&b->follow.trunks, builder_link(b, k)).length;
    }
    return slow_links(b, err);
}

/* Mean slowness of the slowest of a link and those that follow a state on it. */
static double slowest_of(const struct flows *f, size_t link, int state)
{
    const double *no_slower = f->link_slow ? f->state_slow + (size_t)state * (size_t)f->nslow : NULL;
    double sum = 0, before = 0;

    if (!f->link_slow)
        return 1;
    for (int k = f->link_slow[link]; k < f->nslow; k++) {
        sum += f->slow[k] * (no_slower[k] - before);
        before = no_slower[k];
    }
    return sum;
}

/* What the ways of injections are like where links differ: from the end on, the slowest link as a distribution, sums as
 * means. */
int flows_measure_ways(struct flows *f, struct err *err)
{
    const size_t n = (size_t)f->nslow;
    double *slow, *length;                  /* by state, its own link not among them */

    if (!f->link_slow && !f->link_length)
        return 0;
    if ((!f->injection_way && TAKE("how fast the links of ways are", err, ZEROS(f->injection_way, f->ninjection),
                                   ARRAY_IF(f->link_slow, f->state_slow, f->nstate * n)) < 0) ||
        TAKE("how fast the links of ways are", err, ZEROS(slow, f->nstate), ZEROS(length, f->nstate)) < 0)
        return -1;
    for (size_t s = 0; s < f->nstate; s++) {
        const uint32_t from = f->edge_first[s], to = f->edge_first[s + 1];

        for (size_t k = 0; f->link_slow && k < n; k++)
            f->state_slow[s * n + k] = from == to;
        for (uint32_t e = from; e < to; e++) {
            const size_t child = (size_t)f->edge_child[e], link = (size_t)f->port_link[f->edge_port[e]];

            for (size_t k = f->link_slow ? (size_t)f->link_slow[link] : n; k < n; k++)
                f->state_slow[s * n + k] += f->edge_share[e] * f->state_slow[child * n + k];
            slow[s] += f->edge_share[e] * (flows_slow(f, link) - 1 + slow[child]);
            length[s] += f->edge_share[e] * (flows_length(f, link) + length[child]);
        }
        if (f->link_slow)
            f->state_slow[s * n + n - 1] = 1;           /* not but for rounding */
    }
    for (size_t i = 0; i < f->ninjection; i++) {
        const size_t s = (size_t)f->injection_state[i], link = (size_t)f->port_link[f->injection_port[i]];

        f->injection_way[i] = (struct flow_way){
            .slowest = slowest_of(f, link, (int)s) - 1, .slow = flows_slow(f, link) - 1 + slow[s],
            .length = flows_length(f, link) + length[s]
        };
    }
    FREE(slow, length);
    return 0;
}
