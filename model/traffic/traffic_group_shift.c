#include "model/traffic/traffic.h"
#include "texts/traffic.h"

static int group_of(const struct net *net, int index)
{
    return net_group(net, net_terminal(net, index));
}

/* Terminals of each group; 0 where they differ. Their numbers go group by group. */
static int shift_each(const struct net *net)
{
    int each = 1;

    while (each < net->nterminal && group_of(net, each) == group_of(net, 0))
        each++;
    for (int i = 1; i < net->nterminal; i++)
        if ((group_of(net, i) == group_of(net, i - 1)) != (i % each > 0))
            return 0;
    return net->nterminal % each ? 0 : each;
}

static int group_shift_open(struct traffic *t, const struct spec *spec, struct net *net, struct err *err)
{
    const int n = net->nterminal, each = net_grouped(net) ? shift_each(net) : 0;
    int64_t by = 1;
    int *to, ret;

    if (!each)
        return err_set(err, ERR_DOMAIN, "group-shift needs groups of as many terminals each, as those of a dragonfly, "
                       "which %.200s has not", net->spec);
    if ((*spec->params && spec_int(&by, spec, 1, INT32_MAX, "groups further", err) < 0) ||
        spec_append(&t->spec, err, by == 1 ? "group-shift" : "group-shift:%d", (int)by) < 0)
        return -1;
    if (by * each % n == 0)
        return err_set(err, ERR_DOMAIN, "group-shift:%d comes back to the group it began in: %.200s has %d", (int)by,
                       net->spec, n / each);
    if (TAKE("the destinations", err, ARRAY(to, n)) < 0)
        return -1;
    for (int i = 0; i < n; i++)
        to[i] = (int)((i + by * each) % n);
    ret = traffic_permutation(t, to, err);
    FREE(to);
    return ret;
}

const struct traffic_kind traffic_group_shift = {
    TRAFFIC_GROUP_SHIFT_ENTRY,
    .open = group_shift_open
};
