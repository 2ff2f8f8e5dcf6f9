#include "model/supernode/ball.h"
#include "model/supernode/members.h"

int ball_bind(struct supernode *s, const struct net *, const struct spec *spec, struct err *err)
{
    int64_t radius;

    s->both = s->kind->both;
    if (spec_int(&radius, spec, 1, INT32_MAX / 2, "radius", err) < 0)
        return -1;
    s->radius = (int)radius;
    return spec_append(&s->spec, err, "%s:%d", spec->name, s->radius);
}

static double ball_choose(int n, int k)
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

    if (net->lines != LINES_GRID || !net->group || net->directed)
        return NAN;
    for (int d = 0; d < net->ndim; d++) {
        cube = cube && net->size[d] == 2;
        wide = wide && net->size[d] > 2 * s->radius;
    }
    if (!cube && !wide)
        return NAN;
    for (int i = 0; i <= s->radius && i <= net->ndim; i++)
        size += ball_choose(net->ndim, i) * (cube ? 1 : exp2(i) * ball_choose(s->radius, i));
    return size;
}

/* Terminals within the radius: where there is a group, translates of the ball at 0. */
int ball_members(struct members *m, int node, bool into, int *member)
{
    const struct group *group = m->net->group;
    struct search *s = &m->search;
    int n = 0, nodes = m->nball;

    if (!group) {
        search_begin(s, node, into);
        for (int i = s->hops[s->queue[s->tail - 1]]; i < m->sn->radius && search_level(s); i++)
            ;
        nodes = s->tail;
    }
    for (int i = 0; i < nodes; i++) {
        const int by = !group ? 0 : into ? group_negative(group, m->ball[i]) : m->ball[i];
        const int v = group ? group_add(group, node, by) : s->queue[i];

        if (net_terminal_index(m->net, v) >= 0)
            member[n++] = v;
    }
    return n;
}
