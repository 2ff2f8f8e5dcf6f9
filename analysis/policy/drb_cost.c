#include "analysis/policy/drb_cost.h"
#include "analysis/load/demand.h"

struct sum {
    double weight;
    struct ways ways;
};

static void drb_cost_add(struct drb_mean *m, double value, double weight)
{
    m->mean += weight * value;
    m->most = fmax(m->most, value);
}

static int add_pair(struct drb_cost *c, struct sum *s, struct routing *r, const char *stream, int source, int target,
                    double weight, struct err *err)
{
    const double a = c->address_bits, f = c->latency_bits;
    struct ways *w = &s->ways;
    double state = f;

    ways_clear(w);
    if (r->route->ways(w, r, stream, source, target, err) < 0)
        return -1;
    for (size_t i = 0; i < w->n; i++) {
        const double m = (double)(w->end[i] - (i ? w->end[i - 1] : 0)) - 1, part = weight / (double)w->n;

        drb_cost_add(&c->header, (m + 1) * (a + 1), part);
        drb_cost_add(&c->extra, (m + 1) * (a + 1) - a, part);
        drb_cost_add(&c->carried, a + m * a + f, part);
        drb_cost_add(&c->acknowledgement, a + f + m * a, part);
        drb_cost_add(&c->decisions, m, part);
        state += m * a + f;
    }
    drb_cost_add(&c->ways, (double)w->n, 1);
    drb_cost_add(&c->state, state, 1);
    s->weight += weight;
    c->pairs++;
    return 0;
}

static int all_pairs(struct drb_cost *c, struct sum *s, struct routing *r, const struct traffic *t,
                     const struct tick *tk, struct err *err)
{
    const struct net *net = r->net;
    const int sources = r->invariant && (!t || t->invariant) ? 1 : net->nterminal;

    for (int i = 0; i < sources; i++) {
        const int source = net_terminal(net, i);

        for (int j = 0; j < net->nterminal; j++) {
            const int target = net_terminal(net, j);
            const double share = source == target ? 0 : t ? t->kind->share(t, source, target) : 1;

            if (share > 0 && add_pair(c, s, r, NULL, source, target, share, err) < 0)
                return -1;
        }
        if (tick(tk, (double)(i + 1) / sources))
            return err_stopped(err);
    }
    return 0;
}

static int listed_pairs(struct drb_cost *c, struct sum *s, struct routing *r, const struct traffic *t,
                        const struct tick *tk, struct err *err)
{
    for (size_t i = 0; i < t->nstream; i++) {
        if (add_pair(c, s, r, t->stream[i].name, t->stream[i].source, t->stream[i].target,
                     t->stream[i].share, err) < 0)
            return -1;
        if (tick(tk, (double)(i + 1) / (double)t->nstream))
            return err_stopped(err);
    }
    return 0;
}

int drb_cost(struct drb_cost *out, struct routing *r, const struct traffic *traffic, int latency_bits,
             const struct tick *tk, struct err *err)
{
    struct drb_cost c = { .latency_bits = latency_bits > 0 ? latency_bits : DRB_LATENCY_BITS, .acknowledgements = 1,
                          .choices = 1, .configurings = 1 };
    struct drb_mean *by_traffic[] = { &c.header, &c.extra, &c.carried, &c.acknowledgement, &c.decisions };
    struct sum s = { 0 };
    int ret;

    if (!r->route->ways)
        return err_set(err, ERR_USAGE, "routing '%s' goes hop by hop; costs are those of multistep paths, as in "
                       "--routing metapath:sga:1", r->spec);
    while (c.address_bits < 31 && 1 << c.address_bits < r->net->n)
        c.address_bits++;
    if (traffic && demand_tell(r, 1, traffic, 1, tk, err) < 0)
        return -1;
    ret = (traffic && !traffic->matrix ? listed_pairs : all_pairs)(&c, &s, r, traffic, tk, err);
    ways_release(&s.ways);
    if (ret < 0)
        return -1;
    for (size_t i = 0; i < sizeof by_traffic / sizeof *by_traffic; i++)
        by_traffic[i]->mean = c.pairs ? by_traffic[i]->mean / s.weight : NAN;
    c.ways.mean = c.pairs ? c.ways.mean / (double)c.pairs : NAN;
    c.state.mean = c.pairs ? c.state.mean / (double)c.pairs : NAN;
    *out = c;
    return 0;
}
