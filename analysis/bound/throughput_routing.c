#include <math.h>
#include <stdlib.h>

#include "analysis/load/flows.h"
#include "analysis/bound/throughput_program.h"
#include "graph/distance/distances.h"

/* By link of the network from loads by link of the flows, which stand for a step each where they are folded. */
static int spread(struct throughput *t, struct net *net, const struct flows *f, const double *load,
                  const double *capacity, struct err *err)
{
    const bool folded = f->copies > 1;
    const igraph_t *graph;
    struct csr c = { 0 };
    int ret;

    if (net_graph(net, &graph, err) < 0 || csr_init(&c, graph, false, err) < 0)
        return -1;
    ret = throughput_links(t, c.m, err);
    for (int u = 0; ret == 0 && u < c.n; u++)
        for (size_t l = c.first[u]; l < c.first[u + 1]; l++) {
            const size_t at =
                folded ? csr_link(&c, 0, group_add(net->group, c.to[l], group_negative(net->group, u))) : l;

            t->from[l] = u;
            t->to[l] = c.to[l];
            t->capacity[l] = capacity ? capacity[l] : 1;
            t->load[l] = load[at];
            t->price[l] = NAN;
        }
    csr_release(&c);
    return ret;
}

int throughput_of_routing(struct throughput *out, struct net *net, const struct demand *d, struct routing *routing,
                          const struct throughput_options *o, struct err *err)
{
    const struct flows_options options = { .unfolded = o->unfolded || o->capacity, .tick = o->tick };
    struct throughput t = { .bound = NAN, .gap = NAN, .distance_bound = NAN, .method = THROUGHPUT_ROUTING,
        .lost = { -1, -1 } };
    struct flows f = { 0 };
    double *load = NULL, *rate = NULL, fullest = 0, crossed = 0;
    int ret = -1;

    if (flows_open(&f, d->traffic, routing, 1, &options, err) < 0)
        return -1;
    load = malloc((f.nlink + 1) * sizeof *load);
    rate = malloc((f.nsource + 1) * sizeof *rate);
    if ((!load || !rate) && err_memory(err) < 0)
        goto done;
    flows_offered(rate, &f, (struct traffic_pace){ d->time, d->time });         /* terminals of a matrix ask for 1 */
    if (flows_load(&f, rate, load, NULL, err) < 0 || spread(&t, net, &f, load, o->capacity, err) < 0)
        goto done;
    for (size_t l = 0; l < t.nlink; l++) {
        fullest = fmax(fullest, t.load[l] / t.capacity[l]);
        crossed += t.load[l];
    }
    for (size_t l = 0; l < t.nlink; l++)
        t.load[l] /= t.capacity[l] * fullest;
    t.theta = 1 / fullest;
    t.hops = crossed / demand_total(d);
    t.sources = f.nsource;
    t.links = f.nlink;
    *out = t;
    t = (struct throughput){ 0 };
    ret = 0;
done:
    throughput_close(&t);
    free(load);
    free(rate);
    flows_release(&f);
    return ret;
}
