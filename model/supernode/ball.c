#include "model/supernode/ball.h"

#include <math.h>

int ball_bind(struct supernode *s, const struct spec *spec, bool both, struct err *err)
{
    int64_t radius;

    s->shape = SHAPE_BALL;
    s->both = both;
    if (spec_int(&radius, spec, 1, INT32_MAX / 2, "radius", err) < 0)
        return -1;
    s->radius = (int)radius;
    return supernode_spec(s, err, "%s:%d", spec->name, s->radius);
}

static double choose(int n, int k)
{
    double c = 1;

    for (int i = 1; i <= k; i++)
        c = c * (n - k + i) / i;
    return round(c);
}

double ball_size(const struct supernode *s, const struct net *net)
{
    bool cube = true, wide = true;
    double size = 0;

    if (!net->group || !net->group->unit || net->ndim == 0 || net->directed)
        return NAN;
    for (int d = 0; d < net->ndim; d++) {
        cube = cube && net->size[d] == 2;
        wide = wide && net->size[d] > 2 * s->radius;
    }
    if (!cube && !wide)
        return NAN;
    for (int i = 0; i <= s->radius && i <= net->ndim; i++)
        size += choose(net->ndim, i) * (cube ? 1 : exp2(i) * choose(s->radius, i));
    return size;
}
