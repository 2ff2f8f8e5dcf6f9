#include "analysis/bound/capacity.h"
#include "analysis/bound/throughput.h"
#include "graph/base/bisect.h"
#include "graph/base/order.h"

struct cable {
    size_t link, back;          /* back: the other direction, or link itself */
    double price;
};

ORDER(dearest_first, struct cable, DOWN(price) UP(link))

/* Links are in the order of csr_init: by their beginning, and then by their end. */
static size_t link_between(const struct throughput *t, int from, int to)
{
    size_t at;

    BISECT(at, 0, t->nlink, i, t->from[i] < from || (t->from[i] == from && t->to[i] < to));
    return at < t->nlink && t->from[at] == from && t->to[at] == to ? at : t->nlink;
}

/* Into `cable`, the dearest first; returns how many. */
static size_t list_cables(struct cable *cable, const struct throughput *t, bool directed)
{
    size_t n = 0;

    for (size_t l = 0; l < t->nlink; l++) {
        const size_t other = directed ? t->nlink : link_between(t, t->to[l], t->from[l]), back = other < t->nlink ?
            other : l;

        if (back >= l)
            cable[n++] = (struct cable){ l, back, t->price[l] + (back > l ? t->price[back] : 0) };
    }
    qsort(cable, n, sizeof *cable, dearest_first);
    return n;
}

/* By link, with one more as wide as those of trunk `at` in the mean. */
static void throughput_gain_widen(double *capacity, const struct trunks *t, size_t at)
{
    const double n = (double)trunks_cables(t, at);

    for (size_t l = trunks_first(t, at); l < trunks_first(t, at + 1); l++)
        capacity[l] *= (n + 1) / n;
}

int throughput_gain(double *gain, const struct throughput *t, struct net *net, const struct demand *d,
                    const struct throughput_options *o, size_t most, struct err *err)
{
    struct trunks trunks = { 0 };
    struct cable *cable = NULL;
    double *capacity = NULL;
    size_t n;
    int ret = -1;

    if (trunks_open_net(&trunks, net, false, err) < 0 ||
        TAKE("cables", err, ARRAY(capacity, trunks.nlink + 1), ARRAY(cable, t->nlink + 1)) < 0)
        goto done;
    n = list_cables(cable, t, net->directed);
    for (size_t l = 0; l < t->nlink; l++)
        gain[l] = NAN;
    for (size_t i = 0; i < n && i < most; i++) {
        const struct tick part = tick_step(o->tick, i, most);
        struct throughput_options with = { .paths = o->paths, .extra = o->extra, .ways = o->ways, .capacity = capacity,
                                           .gap = 0, .tick = &part };
        struct throughput more;

        for (size_t l = 0; l < trunks.nlink; l++)
            capacity[l] = capacity_of(o->capacity, l);
        throughput_gain_widen(capacity, &trunks, cable[i].link);
        if (cable[i].back != cable[i].link)
            throughput_gain_widen(capacity, &trunks, cable[i].back);
        if (throughput_open(&more, net, d, &with, err) < 0)
            goto done;
        /* what is less than either answer is known to is nothing */
        gain[cable[i].link] = gain[cable[i].back] = more.theta - t->theta > t->theta * (1e-9 + 2 * t->gap) ?
            more.theta - t->theta : 0;
        throughput_close(&more);
    }
    ret = 0;
done:
    trunks_release(&trunks);
    FREE(capacity, cable);
    return ret;
}
