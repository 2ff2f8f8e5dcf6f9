#include "graph/base/mem.h"
#include "model/traffic/traffic.h"

static int group_of(const struct net *net, int index)
{
    return net_group(net, net_terminal(net, index));
}

/* The terminals' indices, group by group: all of them have `each`, or ERR_DOMAIN. */
static int shift_members(int *each, int *member, const struct net *net, struct err *err)
{
    const int n = net->nterminal;
    int *first, groups = 0, ret = 0;

    for (int i = 0; i < n; i++)
        groups = group_of(net, i) >= groups ? group_of(net, i) + 1 : groups;
    if (TAKE("groups of terminals", err, ZEROS(first, groups + 1)) < 0)
        return -1;
    for (int i = 0; i < n; i++)
        first[group_of(net, i) + 1]++;
    *each = first[group_of(net, 0) + 1];
    for (int g = 0; g < groups; g++) {
        if (first[g + 1] && first[g + 1] != *each)
            ret = err_set(err, ERR_DOMAIN, "group-shift needs as many terminals in every group, and %.200s has %d in "
                          "one and %d in another", net->spec, *each, first[g + 1]);
        first[g + 1] += first[g];
    }
    for (int i = 0; i < n; i++)
        member[first[group_of(net, i)]++] = i;
    FREE(first);
    return ret;
}

static int group_shift_open(struct traffic *t, const struct spec *spec, struct net *net, struct err *err)
{
    const int n = net->nterminal;
    int *member = NULL, *to = NULL, each = 0, ret = -1;
    int64_t by = 1;

    if (!net_grouped(net))
        return err_set(err, ERR_DOMAIN, "group-shift needs a network whose nodes are grouped, such as a dragonfly; "
                       "those of %.80s are not", net->spec);
    if ((*spec->params && spec_int(&by, spec, 1, INT32_MAX, "groups further", err) < 0) ||
        traffic_need_two(t, err) < 0 || spec_append(&t->spec, err, by == 1 ? "group-shift" : "group-shift:%d",
                                                    (int)by) < 0 ||
        TAKE("groups of terminals", err, ARRAY(member, n), ARRAY(to, n)) < 0 ||
        shift_members(&each, member, net, err) < 0)
        goto done;
    if (by * each % n == 0) {
        err_set(err, ERR_DOMAIN, "group-shift:%d comes back to the group it began in: %.200s has %d", (int)by, net->spec,
                n / each);
        goto done;
    }
    for (int i = 0; i < n; i++)
        to[member[i]] = member[((int64_t)i + by * each) % n];
    ret = traffic_permutation(t, to, err);
done:
    FREE(member, to);
    return ret;
}

const struct traffic_kind traffic_group_shift = {
    .name = "group-shift",
    .synopsis = "group-shift[:N]",
    .summary = "every terminal to that of the same place in the next group, or N groups further",
    .source = "Kim, Dally, Scott and Abts 2008: the worst case of minimal routing in dragonflies",
    .notes = "Under lgl all terminals of a group share one global link. N=h of a dragonfly,arrangement=relative is "
        "hard on the local links of Valiant's intermediate groups.",
    .example = "group-shift:2",
    .example_net = "dragonfly,a=3,p=2,h=1",
    .open = group_shift_open
};
