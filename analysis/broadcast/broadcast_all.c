#include "analysis/broadcast/broadcast_all.h"

#include <math.h>
#include <stdlib.h>

#include "graph/base/mem.h"
#include "graph/distance/distances.h"

int broadcast_all_diameter(struct broadcast_rate *r, const struct broadcast_request *q, int jobs, struct err *err)
{
    const struct tick part = tick_part(q->tick, 0, 0.2);
    const igraph_t *graph;
    struct csr c = { 0 };
    struct dist_count count = { 0 };
    unsigned char *target = calloc((size_t)q->net->n, 1);
    int ret = target ? 0 : err_memory(err);

    for (int p = 0; ret == 0 && p < q->where->n; p++)
        target[q->where->node[p]] = 1;
    if (ret == 0 && (net_graph(q->net, &graph, err) < 0 || csr_init(&c, graph, false, err) < 0 ||
                     mem_need(dist_count_bytes(&c, jobs), q->net->spec, err) < 0))
        ret = -1;
    if (ret == 0)
        ret = dist_count(&count, &c, q->where->node, NULL, q->where->n, target, jobs, &part, err);
    r->diameter = count.unreachable ? NAN : (double)count.longest;
    dist_count_release(&count);
    free(target);
    csr_release(&c);
    return ret;
}

/* Links out of every node, or as many as ports let a process use. */
static int broadcast_all_links(int *link, const struct broadcast_request *q, struct err *err)
{
    igraph_vector_int_t degree = { 0 };
    const igraph_t *graph;
    int ret = -1;

    if (q->net->group) {
        for (int v = 0; v < q->net->n; v++)
            link[v] = group_degree(q->net->group);
        ret = 0;
    } else if (net_graph(q->net, &graph, err) == 0 &&
               net_status(igraph_vector_int_init(&degree, 0), "degrees", err) == 0 &&
               net_status(igraph_degree(graph, &degree, igraph_vss_all(), q->net->directed ? IGRAPH_OUT : IGRAPH_ALL,
                                        IGRAPH_LOOPS), "degrees", err) == 0) {
        for (int v = 0; v < q->net->n; v++)
            link[v] = (int)VECTOR(degree)[v];
        ret = 0;
    }
    igraph_vector_int_destroy(&degree);
    for (int p = 0; ret == 0 && q->ports && p < q->where->n; p++)
        if (link[q->where->node[p]] > q->ports)
            link[q->where->node[p]] = q->ports;
    return ret;
}

/* Who knows a combined message: nodes without a process copy as well, on all their links. */
static int broadcast_all_growth(double *steps, const struct broadcast_request *q, struct err *err)
{
    const struct broadcast_how how = { 0 };
    int *link = malloc((size_t)q->net->n * sizeof *link), ret = -1;

    if (!link)
        return err_memory(err);
    if (broadcast_all_links(link, q, err) == 0) {
        qsort(link, (size_t)q->net->n, sizeof *link, broadcast_descending);
        ret = broadcast_growth(steps, link, q->net->n, q->where->n, 1, how, err);
    }
    free(link);
    return ret;
}

int broadcast_all_steps(struct broadcast_rate *r, const struct broadcast_request *q, int fewest_in, struct err *err)
{
    const int most = q->ports && q->ports < fewest_in ? q->ports : fewest_in, others = q->where->n - 1;
    double growth;

    r->all_steps = r->all_combined_steps = NAN;
    if (isnan(r->diameter))
        return 0;
    if (broadcast_all_growth(&growth, q, err) < 0)
        return -1;
    r->all_combined_steps = fmax(growth, r->diameter);
    r->all_steps = fmax(r->all_combined_steps, ceil((double)others / most));
    if (!broadcast_has_capacities(q->net))    /* processes outside over links in: whole numbers */
        r->all_steps = fmax(r->all_steps, ceil((others + 1 - r->all_cut.processes) / r->all_cut.capacity));
    return 0;
}
