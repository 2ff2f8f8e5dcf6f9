#include "graph/topology/groups.h"
#include "texts/topo.h"

static int open_megafly(struct net *net, const struct spec *spec, struct err *err)
{
    static const char *const key[] = { "l", "s", "h", "hosts" };
    struct groups *d = malloc(sizeof *d);
    int64_t v[4];

    if (!d)
        return err_memory(err);
    net->param = d;
    if (spec_no_params(spec, err) < 0)
        return -1;
    for (int i = 0; i < 4; i++)
        if (!spec_get(spec, key[i]))
            return err_set(err, ERR_USAGE, "'%.80s': a megafly needs l=, s=, h= and hosts=, as in "
                           "megafly,l=2,s=2,h=2,hosts=2", spec->text);
        else if (spec_key_int(&v[i], spec, key[i], 1, 10000, 0, err) < 0)
            return -1;
    *d = (struct groups){ .leaves = (int)v[0], .spines = (int)v[1], .h = (int)v[2], .p = (int)v[3] };
    return spec_append(&net->spec, err, "megafly,l=%d,s=%d,h=%d,hosts=%d", d->leaves, d->spines, d->h, d->p) < 0 ? -1 :
        groups_open(net, spec, d, err);
}

/* The leaves of a group are alike, and groups turned round the circle. */
static int alike(const struct net *net, int node)
{
    const struct groups *d = net->param;
    const int place = groups_place(net, node);

    return d->arrangement == ABSOLUTE ? -1 : node < groups_hosts(d) ? 0 :
        groups_hosts(d) + (place < d->leaves ? 0 : place);
}

/* Over a spine of the own group, or two spines and the cable between their groups. */
static int pairs(uint64_t count[TOPO_HOPS], const struct net *net)
{
    const struct groups *d = net->param;
    const uint64_t n = (uint64_t)net->nterminal, p = (uint64_t)d->p, l = (uint64_t)d->leaves;

    count[1] = count[3] = 0;
    count[2] = n * (p - 1);
    count[4] = n * (l - 1) * p;
    count[5] = n * ((uint64_t)d->g - 1) * l * p;
    return 5;
}

const struct topo topo_megafly = {
    TOPO_MEGAFLY_ENTRY, .layout = "groups", .open = open_megafly, .build = groups_build, .cable_class = groups_classes,
    .class_of = groups_class, .radix = groups_radix, .group = groups_of, .facts = groups_facts, .alike = alike,
    .pairs = pairs
};
