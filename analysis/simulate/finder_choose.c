/* Which way a message takes (finder.h): by the shares of its routing, by an agent, or (ugal) the cheaper of two. */
#include "analysis/simulate/agent.h"
#include "graph/base/bisect.h"

int finder_choose(struct finder *c, struct message *m, struct err *err)
{
    struct routing *r = &c->options.routing[m->option];
    const struct net *net = r->net;
    struct pair_ways *w;
    size_t at = 0;

    m->leg = m->mark = m->way = 0;
    if (m->ack >= 0)
        return finder_leg(c, m, err);
    if (c->agent) {
        if (agent_choose(c->agent, m, err) < 0)
            return -1;
    } else if (r->base && r->over_any) {
        const int i = (int)rng_below(&c->rng, (uint64_t)net->nterminal), s = net_terminal_index(net, m->source),
            t = net_terminal_index(net, m->target);

        m->over = i == s || i == t ? -1 : net_terminal(net, i);
        m->way = m->over < 0 ? net->nterminal - 2 : i - (i > s) - (i > t);
    } else if (r->base) {
        if (finder_ways(&w, c, (size_t)m->option, m, err) < 0)
            return -1;
        if (w->ways.n > 1) {
            const double u = rng_uniform(&c->rng) * w->sum[w->ways.n - 1];

            BISECT(at, (size_t)0, w->ways.n - 1, i, w->sum[i] <= u);
        }
        m->way = (int)at;
    }
    return finder_leg(c, m, err);
}

static bool finder_host(const struct fabric *f, int node)
{
    return net_terminal_index(f->net, node) >= 0 && !follow_own_switch(&f->d.follow, node);
}

struct cost {
    const struct finder *c;
    double first, sum;                  /* flits that wait for the first link, -1: there was none; for all */
    int links;
};

static void cost_link(void *arg, int link, int)
{
    struct cost *cost = arg;
    const struct fabric *f = cost->c->f;
    const int used = cost->c->used(cost->c->arg, link);

    if (finder_host(f, f->from[link]) || finder_host(f, f->to[link]))
        return;
    cost->first = cost->first < 0 ? used : cost->first;
    cost->sum += used + 1;
    cost->links++;
}

/* H q of the way that the message has: links between switches times flits that wait, its own first among them; global:
 * summed over all its links. */
static int finder_cost(double *cost, struct finder *c, const struct message *m, struct err *err)
{
    struct cost all = { .c = c, .first = -1 };

    if (finder_walk(c, *m, cost_link, &all, err) < 0)
        return -1;
    *cost = c->global ? all.sum : all.links * (all.first + 1);
    return 0;
}

int finder_next(struct finder_hop *hop, size_t *n, struct finder *c, struct message *m, int node, int in,
                struct err *err)
{
    if (m->way < 0 && finder_choose(c, m, err) < 0)
        return -1;
    if (c->ugal && node == m->source && m->hops == 0 && !m->decided) {
        struct message other = *m;
        double minimal, valiant;

        m->decided = true;
        other.option = 1;
        if (finder_choose(c, &other, err) < 0 || finder_cost(&minimal, c, m, err) < 0 ||
            finder_cost(&valiant, c, &other, err) < 0)
            return -1;
        if (valiant < minimal) {
            other.decided = true;
            *m = other;
        }
    }
    return finder_step(hop, n, c, m, node, in, err);
}
