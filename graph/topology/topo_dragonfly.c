#include "graph/topology/groups.h"
#include "texts/topo.h"

static int open_dragonfly(struct net *net, const struct spec *spec, struct err *err)
{
    struct groups *d = malloc(sizeof *d);
    int64_t a, p, h;

    if (!d)
        return err_memory(err);
    net->param = d;
    if (spec_no_params(spec, err) < 0)
        return -1;
    if (!spec_get(spec, "a") || !spec_get(spec, "p") || !spec_get(spec, "h"))
        return err_set(err, ERR_USAGE, "'%.80s': a dragonfly needs a=, p= and h=, as in dragonfly,a=4,p=2,h=2",
                       spec->text);
    if (spec_key_int(&a, spec, "a", 1, 10000, 0, err) < 0 || spec_key_int(&p, spec, "p", 1, 10000, 0, err) < 0 ||
        spec_key_int(&h, spec, "h", 1, 10000, 0, err) < 0)
        return -1;
    *d = (struct groups){ .leaves = (int)a, .spines = (int)a, .same = true, .p = (int)p, .h = (int)h };
    return spec_append(&net->spec, err, "dragonfly,a=%d,p=%d,h=%d", d->leaves, d->p, d->h) < 0 ? -1 :
        groups_open(net, spec, d, err);
}

static bool one_way(const struct net *net)
{
    return ((const struct groups *)net->param)->links == 1;
}

const struct topo topo_dragonfly = {
    TOPO_DRAGONFLY_ENTRY, .layout = "groups", .open = open_dragonfly, .build = groups_build,
    .cable_class = groups_classes, .class_of = groups_class, .radix = groups_radix, .group = groups_of,
    .by_groups = one_way, .facts = groups_facts
};
