#include "model/routing/routes.h"
#include "graph/symmetry.h"

#define ORBITS_WORTH 1e6        /* links looked at for all targets, from which on */

void routes_release(struct routes *s)
{
    FREE(s->from, s->to, s->begins, s->first, s->next);
    *s = (struct routes){ 0 };
}

/* With room for so many steps, which are added behind. */
static int routes_state(struct routes *s, int from, int to, bool begins, size_t steps, struct err *err)
{
    if (s->n >= INT_MAX - 1)
        return err_set(err, ERR_MEMORY, "routes have more than 2^31 states");
    if (GROW(&s->room, s->n + 2, "routes", err, GROWN(s->from), GROWN(s->to), GROWN(s->begins), GROWN(s->first)) < 0 ||
        GROW(&s->step_room, s->nstep + steps, "routes", err, GROWN(s->next)) < 0)
        return -1;
    s->from[s->n] = from;
    s->to[s->n] = to;
    s->begins[s->n] = begins;
    s->first[s->n++] = s->nstep;
    s->first[s->n] = s->nstep + steps;
    return 0;
}

static int routes_by_hops(struct routes *s, struct follow *f, struct routing *r, int target, struct err *err)
{
    const size_t base = s->n;
    size_t entered;

    if (follow_begin(f, r, target, err) < 0)
        return -1;
    for (int i = 0; i < f->nend; i++)
        if (follow_end(f, i) != target && follow_inject(f, r, follow_end(f, i), err) < 0)
            return -1;
    entered = f->n;                 /* the first states are those that messages begin with */
    if (follow_explore(f, r, err) < 0 || follow_sort(f, r, err) < 0)
        return -1;
    for (size_t i = 0; i < f->n; i++) {
        const int state = f->order[i], link = f->link[state];

        if (routes_state(s, f->tail[link], f->head[link], (size_t)state < entered,
                         f->first[state + 1] - f->first[state], err) < 0)
            return -1;
        for (uint32_t e = f->first[state]; e < f->first[state + 1]; e++)
            s->next[s->nstep++] = (int)base + f->place[f->to[e]];
    }
    return 0;
}

/* All ways to a target: their states (s NULL: none), and the most links of any. */
static int routes_by_ways(struct routes *s, int *longest, struct follow *f, struct routing *r, int target,
                          struct err *err)
{
    const struct route_path *path = &f->path;

    for (int i = 0; i < f->nend; i++) {
        const int source = follow_end(f, i);

        ways_clear(&f->ways);
        if (source != target && r->route->ways(&f->ways, r, NULL, source, target, err) < 0)
            return -1;
        for (size_t k = 0; k < f->ways.n; k++) {
            if (follow_tick(f, err) < 0 || route_way(&f->path, r, &f->ways, k, source, err) < 0)
                return -1;
            *longest = (int)path->n - 1 > *longest ? (int)path->n - 1 : *longest;
            for (size_t at = path->n - 1; s && at > 0; at--) {
                const bool last = at == path->n - 1;

                if (routes_state(s, path->node[at - 1], path->node[at], at == 1, !last, err) < 0)
                    return -1;
                if (!last)
                    s->next[s->nstep++] = (int)s->n - 2;
            }
        }
    }
    return 0;
}

int routes_add(struct routes *s, struct follow *f, struct routing *r, int target, struct err *err)
{
    int longest = 0;

    return r->route->next ? routes_by_hops(s, f, r, target, err) : routes_by_ways(s, &longest, f, r, target, err);
}

static int longest_by_hops(int *longest, struct routes *s, struct follow *f, struct routing *r, int target,
                           struct err *err)
{
    int *left;

    routes_clear(s);
    if (routes_by_hops(s, f, r, target, err) < 0 || TAKE("routes", err, ARRAY(left, s->n)) < 0)
        return -1;
    for (size_t i = 0; i < s->n; i++) {
        left[i] = 1;
        for (size_t e = s->first[i]; e < s->first[i + 1]; e++)
            left[i] = left[s->next[e]] >= left[i] ? left[s->next[e]] + 1 : left[i];
        *longest = left[i] > *longest ? left[i] : *longest;
    }
    free(left);
    return 0;
}

/* Symmetries take ways to ways: to one target of each orbit there are ways of all lengths. */
static int longest_orbits(struct orbits *o, const struct follow *f, const struct routing *r, struct err *err)
{
    const double links = (double)f->cables;

    return r->invariant || !r->symmetric || r->by_group || links > SYMMETRY_LINKS || links * f->nend < ORBITS_WORTH ?
        0 : orbits_find(o, f->net, &f->tick, err);
}

int routes_longest(int *hops, struct follow *f, struct routing *r, struct err *err)
{
    struct routes s = { 0 };
    struct orbits o = { 0 };
    int ret = longest_orbits(&o, f, r, err);

    *hops = 0;
    for (int t = 0; ret == 0 && t < (r->invariant ? 1 : f->nend); t++)
        if (!o.of || o.of[follow_end(f, t)] == follow_end(f, t))
            ret = r->route->next ? longest_by_hops(hops, &s, f, r, follow_end(f, t), err) :
                routes_by_ways(NULL, hops, f, r, follow_end(f, t), err);
    orbits_release(&o);
    routes_release(&s);
    return ret;
}
