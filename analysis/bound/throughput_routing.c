#include "analysis/bound/capacity.h"
#include "analysis/bound/throughput_program.h"
#include "analysis/load/flows.h"

/* By joined pair of the network from loads by link of the flows, which stand for a step each where they are folded:
 * what goes over all its cables, and how full the fullest is. */
static int spread(struct throughput *t, const struct net *net, const struct trunks *trunks, const struct flows *f,
                  const double *load, const double *capacity, struct err *err)
{
    const struct csr *c = trunks->csr;

    if (throughput_links(t, c->m, err) < 0)
        return -1;
    for (int u = 0; u < c->n; u++)
        for (size_t k = c->first[u]; k < c->first[u + 1]; k++) {
            t->from[k] = u;
            t->to[k] = c->to[k];
            t->capacity[k] = capacity_trunk(trunks, capacity, k);
            t->load[k] = 0;
            t->price[k] = NAN;
            for (size_t l = trunks_first(trunks, k); l < trunks_first(trunks, k + 1); l++) {
                const size_t at = f->orbits ? (size_t)f->orbits->link_of[l] : f->copies == 1 ? l :
                    csr_link(c, 0, group_add(net->group, c->to[k], group_negative(net->group, u)));

                t->load[k] = fmax(t->load[k], load[at] / capacity_of(capacity, l));
                t->hops += load[at];
            }
        }
    return 0;
}

int throughput_of_routing(struct throughput *out, struct net *net, const struct demand *d, struct routing *routing,
                          const struct throughput_options *o, struct err *err)
{
    struct flows_options options = { .unfolded = o->unfolded, .tick = o->tick, .time = d->time, .apart = true };
    struct throughput t = { .bound = NAN, .gap = NAN, .distance_bound = NAN, .method = THROUGHPUT_ROUTING,
        .shortest = true, .lost = { -1, -1 } };
    struct flows f = { 0 };
    struct trunks trunks;
    double *load = NULL, *rate = NULL, fullest = 0;
    int ret = -1;

    if (trunks_open_net(&trunks, net, false, err) < 0)
        return -1;
    options.unfolded = options.unfolded || (net->group && !capacity_invariant(net, &trunks, o->capacity));
    options.orbits = capacity_by_kind(&trunks, o->capacity);
    if (flows_open(&f, d->traffic, routing, 1, &options, err) < 0)
        goto done;
    if (TAKE("loads of links", err, ARRAY(load, f.nlink + 1), ARRAY(rate, f.nsource + 1)) < 0)
        goto done;
    flows_offered(rate, &f, (struct traffic_pace){ d->time, d->time });         /* terminals of a matrix ask for 1 */
    if (flows_load(&f, rate, load, NULL, err) < 0 || spread(&t, net, &trunks, &f, load, o->capacity, err) < 0)
        goto done;
    for (size_t l = 0; l < t.nlink; l++)
        fullest = fmax(fullest, t.load[l]);
    for (size_t l = 0; l < t.nlink; l++)
        t.load[l] /= fullest;
    t.theta = 1 / fullest;
    t.hops /= demand_total(d);
    t.sources = f.nsource;
    t.links = f.nlink;
    *out = t;
    t = (struct throughput){ 0 };
    ret = 0;
done:
    throughput_close(&t);
    FREE(load, rate);
    flows_release(&f);
    trunks_release(&trunks);
    return ret;
}
