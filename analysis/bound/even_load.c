#include "analysis/bound/even_load.h"
#include "analysis/bound/capacity.h"
#include "graph/distance/search.h"

struct even_load {
    const struct demand *d;
    struct search search;
    struct trunks trunks;
    double *here, *load;            /* by node: what it has for the target at hand; by trunk: of each of its links */
    size_t *first, *by;             /* by target: entries of d->target in the order of targets; where not uniform */
    int *source;                    /* of each entry */
    bool folded;                    /* target 0 stands for all, the links of node 0 for those that are translations */
};

static int even_load_open(struct even_load *s, struct net *net, struct err *err)
{
    const struct demand *d = s->d;
    const size_t n = (size_t)net->n, entries = d->uniform ? 0 : d->first[d->nsource];
    size_t at = 0;

    if (search_open(&s->search, net, "equal-cost paths", err) < 0 ||
        trunks_open(&s->trunks, net, &s->search.ahead, false, err) < 0 ||
        TAKE("loads by equal-cost paths", err, ZEROS(s->here, n), ZEROS(s->load, s->search.ahead.m + 1),
             ZEROS(s->first, n + 2), ARRAY(s->by, entries + 1), ARRAY(s->source, entries + 1)) < 0)
        return -1;
    for (size_t k = 0; k < entries; k++)        /* sorted by counting */
        s->first[d->target[k] + 2]++;
    for (size_t v = 2; v < n + 2; v++)
        s->first[v] += s->first[v - 1];
    for (size_t i = 0; i < d->nsource && entries; i++)
        for (; at < d->first[i + 1]; at++) {
            s->source[at] = d->source[i];
            s->by[s->first[d->target[at] + 1]++] = at;
        }
    return 0;
}

static void even_load_close(struct even_load *s)
{
    trunks_release(&s->trunks);
    search_close(&s->search);
    FREE(s->here, s->load, s->first, s->by, s->source);
}

/* What sources have for a target; false where one cannot reach it. */
static bool even_load_ask(struct even_load *s, const struct net *net, int target)
{
    bool reached = true;

    for (int i = 0; s->d->uniform && i < net->nterminal; i++) {
        const int v = net_terminal(net, i);

        s->here[v] = v == target ? 0 : 1 / (net->nterminal - 1.0);
        reached = reached && s->search.hops[v] >= 0;
    }
    for (size_t k = s->first[target]; k < s->first[target + 1]; k++) {
        s->here[s->source[s->by[k]]] += s->d->amount[s->by[k]];
        reached = reached && s->search.hops[s->source[s->by[k]]] >= 0;
    }
    return reached;
}

static bool even_load_target(struct even_load *s, const struct net *net, int target)
{
    const struct csr *c = &s->search.ahead;
    const int *hops = s->search.hops;

    search_begin(&s->search, target, true);
    while (search_level(&s->search))
        ;
    if (!even_load_ask(s, net, target))
        return false;
    for (int i = s->search.tail - 1; i > 0; i--) {      /* the farthest first; the target itself is queue[0] */
        const int v = s->search.queue[i];
        double share = s->here[v];
        size_t forks = 0;

        for (size_t l = c->first[v]; share > 0 && l < c->first[v + 1]; l++)
            forks += hops[c->to[l]] == hops[v] - 1 ? trunks_cables(&s->trunks, l) : 0;
        share /= forks ? (double)forks : 1;
        for (size_t l = c->first[v]; share > 0 && l < c->first[v + 1]; l++)
            if (hops[c->to[l]] == hops[v] - 1) {
                s->load[s->folded ? csr_link(c, 0, group_add(net->group, c->to[l], group_negative(net->group, v))) :
                        l] += share;
                s->here[c->to[l]] += share * (double)trunks_cables(&s->trunks, l);
            }
        s->here[v] = 0;
    }
    s->here[target] = 0;
    return true;
}

int even_load_busiest(double *out, struct net *net, const struct demand *d, const double *capacity,
                      const struct tick *t, struct err *err)
{
    struct even_load s = { .d = d };
    const double links = net_edges(net, err) * (net->directed ? 1 : 2);
    double targets = 0, most = 0;
    int ret = -1;

    *out = NAN;
    if (links < 0)
        return -1;
    if (links > EVEN_LOAD_MOST)
        return 0;
    if (even_load_open(&s, net, err) < 0)
        goto done;
    s.folded = d->uniform && capacity_invariant(net, &s.trunks, capacity);
    for (int v = 0; v < net->n; v++)
        targets += s.first[v + 1] > s.first[v];
    if (d->uniform)
        targets = s.folded ? 1 : net->nterminal;
    ret = 0;
    if (targets * links > EVEN_LOAD_MOST)
        goto done;
    for (int i = 0; i < (d->uniform ? (int)targets : net->n); i++) {
        const int target = d->uniform ? net_terminal(net, i) : i;

        if (i % 64 == 0 && (ret = tick_check(t, (double)i / net->n, err)) < 0)
            goto done;
        if ((d->uniform || s.first[i + 1] > s.first[i]) && !even_load_target(&s, net, target))
            goto done;
    }
    for (size_t l = 0; l < (s.folded ? s.search.ahead.first[1] : s.search.ahead.m); l++)
        most = fmax(most, s.load[l] / capacity_narrowest(&s.trunks, capacity, l));
    *out = most;
done:
    even_load_close(&s);
    return ret;
}
