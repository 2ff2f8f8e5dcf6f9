#include "analysis/broadcast/broadcast_all.h"

int broadcast_all_diameter(struct broadcast_rate *r, const struct broadcast_request *q, int jobs, struct err *err)
{
    const struct tick part = tick_part(q->tick, 0, 0.2);
    const struct csr *c;
    struct dist_count count = { 0 };
    unsigned char *target = calloc((size_t)q->net->n, 1);
    int ret = target ? 0 : err_memory(err);

    for (int p = 0; ret == 0 && p < q->where->n; p++)
        target[q->where->node[p]] = 1;
    if (ret == 0 && (csr_kept(&c, q->net, err) < 0 || mem_need(dist_count_bytes(c, jobs), q->net->spec, err) < 0))
        ret = -1;
    if (ret == 0)
        ret = dist_count(&count, c, &(struct dist_ends){ q->where->n, q->where->node, NULL, target }, jobs, &part,
                         err);
    r->diameter = count.unreachable ? NAN : (double)count.longest;
    for (int d = 1; ret == 0 && d <= count.longest; d++)
        r->hops += (double)d * (double)count.pairs[d];
    dist_count_release(&count);
    free(target);
    return ret;
}

/* Who knows a combined message: nodes without a process copy as well, on all their links; those with one on as many as
 * ports let it reach, since a copy for each is enough. */
static int broadcast_all_growth(double *steps, const struct broadcast_request *q, struct err *err)
{
    const struct broadcast_how how = { 0 };
    const struct net *net = q->net;
    const struct csr *c = NULL;
    int *link, ret = -1;

    if (TAKE(net->spec, err, ARRAY(link, net->n)) < 0)
        return -1;
    if (net->group || csr_kept(&c, q->net, err) == 0) {
        for (int v = 0; v < net->n; v++)
            link[v] = net->group ? group_degree(net->group) : (int)(c->first[v + 1] - c->first[v]);
        for (int p = 0; q->ports && p < q->where->n; p++)
            if (link[q->where->node[p]] > q->ports)
                link[q->where->node[p]] = q->ports;
        qsort(link, (size_t)net->n, sizeof *link, broadcast_descending);
        ret = broadcast_growth(steps, link, net->n, q->where->n, 1, how, err);
    }
    free(link);
    return ret;
}

int broadcast_all_steps(struct broadcast_rate *r, const struct broadcast_request *q, double fewest_in, struct err *err)
{
    const double others = q->where->n - 1.0;
    double growth;

    r->all_steps = r->all_combined_steps = NAN;
    if (isnan(r->diameter) || broadcast_narrow(q->net))
        return 0;
    if (broadcast_all_growth(&growth, q, err) < 0)
        return -1;
    r->all_combined_steps = fmax(growth, r->diameter);
    r->all_steps = fmax(r->all_combined_steps, ceil(others / fewest_in));
    /* processes outside over what goes in, which may be a rounded sum */
    r->all_steps = fmax(r->all_steps, ceil((others + 1 - r->all_cut.processes) / r->all_cut.capacity * (1 - 1e-12)));
    return 0;
}
