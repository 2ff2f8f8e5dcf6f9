#include "model/traffic/traffic.h"
#include "texts/traffic.h"

static int uniform_open(struct traffic *t, const struct spec *spec, struct net *net, struct err *err)
{
    if (spec_no_params(spec, err) < 0 || traffic_need_two(t, err) < 0)
        return -1;
    t->matrix = true;
    t->invariant = net->group && net->nterminal == net->n;
    return spec_append(&t->spec, err, "uniform");
}

static double uniform_share(const struct traffic *t, int source, int target)
{
    return source == target ? 0 : 1 / (t->net->nterminal - 1.0);
}

const struct traffic_kind traffic_uniform = {
    TRAFFIC_UNIFORM_ENTRY,
    .even = true,
    .open = uniform_open,
    .share = uniform_share
};
