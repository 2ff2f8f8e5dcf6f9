/* Turns, the channel dependencies of messages (follow.h).
 *   turns   hop by hop, all that an exploration finds; of ways, their paths walked leg by leg, each leg once
 *   joined  of 64 targets at a time, by the links that messages to each take
 *   routes  one route that takes a given turn */
#include "model/routing/follow.h"
#include "model/routing/classes.h"

/* ---- turns ---- */

struct visitor {
    struct follow *f;
    int (*visit)(void *arg, const struct turn *turn, struct err *err);
    void *arg;
};

/* From sources first to end (as numbered by follow_end) to a target. */
static int follow_turns_by_hops(const struct visitor *v, struct routing *r, int first, int end, int target,
                                struct err *err)
{
    struct follow *f = v->f;
    int ret = follow_begin(f, r, target, err);

    for (int i = first; ret == 0 && i < end; i++) {
        const int source = follow_end(f, i);

        ret = source == target ? 0 : follow_inject(f, r, source, err);
        for (size_t k = 0; ret == 0 && source != target && k < f->nentry; k++)
            ret = v->visit(v->arg, &(struct turn){ -1, f->link[f->entry[k]], target, source, f->entry_mark,
                                                   f->mark[f->entry[k]], 0 }, err);
    }
    for (size_t s = 0; ret == 0 && s < f->n; s++) {
        ret = follow_from(f, r, s, err);
        for (size_t k = 0; ret == 0 && k < f->nentry; k++)
            ret = v->visit(v->arg, &(struct turn){ f->link[s], f->link[f->entry[k]], target, -1, f->mark[s],
                                                   f->mark[f->entry[k]], 0 }, err);
    }
    return ret;
}

/* A message on its way: the links side by side that it may be on (in -1: none yet). */
struct walker {
    const struct visitor *v;
    int source, target, way, in, nin, mark;
};

/* From each of its links to each of `nout`. */
static int walker_turn(struct walker *w, int out, int nout, int mark, struct err *err)
{
    int ret = 0;

    for (int i = 0; ret == 0 && i < w->nin * nout; i++)
        ret = w->v->visit(w->v->arg, &(struct turn){ w->in + i / nout, out + i % nout, w->target, w->source, w->mark,
                                                     mark, w->way }, err);
    w->in = out;
    w->nin = nout;
    w->mark = mark;
    return ret;
}

/* Walks hop by hop to `stop`, the last hop over `cable`, as of a hop. It starts with a mark, or (-1) keeps its own. */
static int walker_leg(struct walker *w, struct routing *base, int from, int stop, int cable, int mark,
                      struct err *err)
{
    struct follow *f = w->v->f;
    const size_t n = (size_t)f->net->n;
    struct follow_leg *leg =
        f->leg && mark >= 0 ? &f->leg[((size_t)mark * n + (size_t)from) * n + (size_t)stop] : NULL;
    bool first = mark >= 0;
    int ret;

    if (leg && leg->known) {
        ret = walker_turn(w, leg->first, 1, leg->first_mark, err);
        w->in = leg->last;
        w->mark = leg->last_mark;
        return ret;
    }
    ret = route_path(&f->path, base, from, stop, err);
    for (size_t at = 1; ret == 0 && at < f->path.n; at++, first = false) {
        struct hop hop = { f->path.node[at], 1, f->path.cable[at] };
        int out, nout, next;

        if (cable && at == f->path.n - 1)
            hop.cable = cable;
        if (follow_links(&out, &nout, f, base, f->path.node[at - 1], &hop, err) < 0)
            return -1;
        next = first ? classes_cross(f->classes, mark, -1, out) : classes_cross(f->classes, w->mark, w->in, out);
        ret = walker_turn(w, out, nout, next, err);
        if (first && leg)
            *leg = (struct follow_leg){ .first = out, .first_mark = next };
    }
    if (leg && ret == 0 && !first) {
        leg->last = w->in;
        leg->last_mark = w->mark;
        leg->known = true;
    }
    return ret;
}

/* Way k of f->ways. */
static int follow_way(const struct visitor *v, struct routing *r, size_t k, int source, int target, struct err *err)
{
    struct follow *f = v->f;
    struct walker w = { v, source, target, (int)k, -1, 1, classes_begin(f->classes, source, target, k, 0, 0) };
    int from = source, mark = w.mark, leg = 0, ret = 0;

    for (size_t i = k ? f->ways.end[k - 1] : 0; ret == 0 && i < f->ways.end[k]; i++, leg++) {
        const int stop = f->ways.stop[i];

        if (leg)
            mark = r->walks ? -1 : classes_begin(f->classes, source, target, k, leg, w.mark);
        ret = stop == from ? 0 : walker_leg(&w, r->base, from, stop, f->ways.cable[i], mark, err);
        from = stop;
    }
    if (ret == 0 && f->arrivals && follow_own_switch(f, target))
        ret = walker_turn(&w, (int)f->cables + target, 1, 0, err);
    return ret;
}

static int follow_turns_by_ways(const struct visitor *v, struct routing *r, int first, int end, int target,
                                struct err *err)
{
    struct follow *f = v->f;
    int ret = 0;

    for (int i = first; ret == 0 && i < end; i++) {
        const int source = follow_end(f, i);

        if (source == target)
            continue;
        ways_clear(&f->ways);
        ret = r->route->ways(&f->ways, r, NULL, source, target, err);
        for (size_t k = 0; ret == 0 && k < f->ways.n; k++)
            ret = follow_tick(f, err) < 0 ? -1 : follow_way(v, r, k, source, target, err);
    }
    return ret;
}

void follow_forget_legs(struct follow *f, const struct routing *r)
{
    const size_t n = (size_t)f->net->n;

    if (f->leg && r->route->ways)
        memset(f->leg, 0, (size_t)f->marks * n * n * sizeof *f->leg);
}

static int follow_turns_to(const struct visitor *v, struct routing *r, int target, struct err *err)
{
    return (r->route->next ? follow_turns_by_hops : follow_turns_by_ways)(v, r, 0, v->f->nend, target, err);
}

int follow_turns(struct follow *f, struct routing *r, int target,
                 int (*visit)(void *arg, const struct turn *turn, struct err *err), void *arg, struct err *err)
{
    const struct visitor v = { f, visit, arg };
    int ret = 0;

    follow_forget_legs(f, r);
    for (int i = 0; ret == 0 && i < f->nend; i++) {
        const int node = follow_end(f, i);

        f->done = (double)i / f->nend;
        if (target < 0 || target == node)
            ret = follow_turns_to(&v, r, node, err);
    }
    return ret;
}

int follow_pair(struct follow *f, struct routing *r, int source, int target,
                int (*visit)(void *arg, const struct turn *turn, struct err *err), void *arg, struct err *err)
{
    const struct visitor v = { f, visit, arg };

    return r->route->next ? follow_turns_by_hops(&v, r, source, source + 1, follow_end(f, target), err) :
        follow_turns_by_ways(&v, r, source, source + 1, follow_end(f, target), err);
}

/* ---- joined ---- */

enum { WORD = 64 };

/* Nodes that are asked but once. */
static size_t joined_reach(struct follow *f, size_t n, int node)
{
    if (f->answer[node].block == f->block)
        return n;
    f->answer[node].block = f->block;
    f->asked[n] = node;
    return n + 1;
}

/* Marks with its bit the links that messages to a target take. */
static int joined_target(struct follow *f, struct routing *r, int target, uint64_t bit, struct err *err)
{
    size_t n = 0;

    if (follow_begin(f, r, target, err) < 0)
        return -1;
    f->answer[target].block = f->block;
    for (int i = 0; i < f->nend; i++)
        n = joined_reach(f, n, follow_end(f, i));
    for (size_t at = 0; at < n; at++) {
        const int node = f->asked[at];
        size_t nhop;

        if (follow_tick(f, err) < 0 || r->route->next(f->hop, &nhop, r, node, -1, target, err) < 0)
            return -1;
        for (size_t i = 0; i < nhop; i++) {
            int link, many;

            if (follow_links(&link, &many, f, r, node, &f->hop[i], err) < 0)
                return -1;
            for (int k = 0; k < many; k++)
                f->taken[link + k] |= bit;
            n = joined_reach(f, n, f->hop[i].node);
        }
    }
    return 0;
}

/* The same of a routing by all nodes that are nearer, from wherever a message might be. */
static int joined_nearer(struct follow *f, struct routing *r, int target, uint64_t bit, struct err *err)
{
    struct towards *t = &f->towards;
    const struct csr *c = &f->links;
    int *hops = f->asked;
    size_t nhop;

    if (follow_begin(f, r, target, err) < 0 || towards_begin(t, target, err) < 0 ||
        tick_check(&f->tick, f->done, err) < 0)
        return -1;
    for (int v = 0; v < c->n; v++)
        hops[v] = towards_hops(t, v);
    for (int i = 0; i < f->nend; i++)
        if (hops[follow_end(f, i)] < 0)
            return r->route->next(f->hop, &nhop, r, follow_end(f, i), -1, target, err);
    for (int v = 0; v < c->n; v++)
        for (size_t k = c->first[v]; hops[v] > 0 && k < c->first[v + 1]; k++) {
            const uint64_t nearer = hops[c->to[k]] == hops[v] - 1 ? bit : 0;

            for (size_t link = trunks_first(&f->trunks, k); link < trunks_first(&f->trunks, k + 1); link++)
                f->taken[link] |= nearer;
        }
    return 0;
}

/* Leaves of the marks those of links that messages come to. */
static void joined_come(struct follow *f)
{
    bool more = true;

    for (int v = 0; v < f->net->n; v++)
        f->came[v] = 0;
    for (int i = 0; i < f->nend; i++)
        f->came[follow_end(f, i)] = UINT64_MAX;
    while (more) {
        more = false;
        for (size_t l = 0; l < f->cables; l++) {
            const uint64_t on = f->taken[l] & f->came[f->tail[l]] & ~f->came[f->head[l]];

            f->came[f->head[l]] |= on;
            more = more || on;
        }
    }
    for (size_t l = 0; l < f->cables; l++)
        f->taken[l] &= f->came[f->tail[l]];
}

/* The turns of those targets. */
static int joined_visit(const struct visitor *v, const int *target, struct err *err)
{
    const struct follow *f = v->f;
    int ret = 0;

    for (int i = 0; i < f->nend; i++) {
        const int node = follow_end(f, i);
        const size_t end = trunks_first(&f->trunks, f->links.first[node + 1]);

        for (size_t out = trunks_first(&f->trunks, f->links.first[node]); ret == 0 && out < end; out++)
            if (f->taken[out])
                ret = v->visit(v->arg, &(struct turn){ -1, (int)out, target[__builtin_ctzll(f->taken[out])], node,
                                                       0, 0, 0 }, err);
    }
    for (size_t in = 0; ret == 0 && in < f->cables; in++) {
        const uint64_t came = f->taken[in];
        const size_t end = trunks_first(&f->trunks, f->links.first[f->head[in] + 1]);

        for (size_t out = trunks_first(&f->trunks, f->links.first[f->head[in]]); came && ret == 0 && out < end; out++) {
            const uint64_t both = came & f->taken[out];

            if (both)
                ret = v->visit(v->arg, &(struct turn){ (int)in, (int)out, target[__builtin_ctzll(both)], -1, 0, 0, 0 },
                               err);
        }
    }
    return ret;
}

int follow_turns_joined(struct follow *f, struct routing *r, const int *target, size_t n,
                        int (*visit)(void *arg, const struct turn *turn, struct err *err), void *arg, struct err *err)
{
    const struct visitor v = { f, visit, arg };
    const bool joined = r->route->next && !r->route->looks_back && f->marks == 1 && !f->arrivals;
    int ret = 0;

    if (joined && !f->taken && (TAKE("the links of messages", err, ARRAY(f->taken, f->cables),
                                     ARRAY(f->asked, f->net->n), ARRAY(f->came, f->net->n)) < 0 ||
                                towards_open(&f->towards, f->net, "the links of messages", err) < 0))
        return -1;
    for (size_t from = 0; joined && ret == 0 && from < n; from += WORD) {
        memset(f->taken, 0, f->cables * sizeof *f->taken);
        for (size_t i = from; ret == 0 && i < n && i < from + WORD; i++) {
            f->done = (double)i / (double)n;
            ret = (r->route->nearer ? joined_nearer : joined_target)(f, r, target[i], (uint64_t)1 << (i - from),
                                                                     err);
        }
        if (r->route->nearer && f->nend < f->net->n)
            joined_come(f);
        ret = ret < 0 ? ret : joined_visit(&v, target + from, err);
    }
    for (size_t i = 0; !joined && ret == 0 && i < n; i++) {
        f->done = (double)i / (double)n;
        ret = follow_turns_to(&v, r, target[i], err);
    }
    return ret;
}

/* ---- routes ---- */

/* Backwards from the turn to an initial state, and forward to the end. States are numbered as they are reached, so that
 * a predecessor comes before each that is not initial. */
static int cause_by_hops(struct route_path *path, struct follow *f, struct routing *r, const struct turn *turn,
                         struct err *err)
{
    int at = -1, next = -1;
    size_t entered, depth = 0;

    if (follow_begin(f, r, turn->target, err) < 0)
        return -1;
    for (int i = 0; i < f->nend; i++)
        if (follow_end(f, i) != turn->target && follow_inject(f, r, follow_end(f, i), err) < 0)
            return -1;
    entered = f->n;
    if (follow_explore(f, r, err) < 0 ||
        GROW(&f->order_room, f->n, "states of messages", err, GROWN(f->order), GROWN(f->place), GROWN(f->stack),
             GROWN(f->at)) < 0)
        return -1;
    for (size_t s = 0; s < f->n; s++)           /* place: the state before */
        f->place[s] = -1;
    for (size_t s = 0; s < f->n; s++) {
        const bool is_in = f->link[s] == turn->in && f->mark[s] == turn->in_mark;

        if (turn->in < 0 && f->link[s] == turn->out && f->mark[s] == turn->out_mark)
            next = (int)s;
        for (uint32_t e = f->first[s]; e < f->first[s + 1]; e++) {
            const int to = f->to[e];

            if (f->place[to] < 0 && (size_t)to >= entered)
                f->place[to] = (int)s;
            if (is_in && f->link[to] == turn->out && f->mark[to] == turn->out_mark) {
                at = (int)s;
                next = to;
            }
        }
    }
    if (next < 0)
        return 0;
    for (int s = at; s >= 0; s = f->place[s])
        f->stack[depth++] = s;
    if (route_path_add(path, f->tail[f->link[depth ? f->stack[depth - 1] : next]], 0, err) < 0)
        return -1;
    while (depth)
        if (route_path_add(path, f->head[f->link[f->stack[--depth]]], 0, err) < 0)
            return -1;
    for (int s = next; s >= 0; s = f->first[s] < f->first[s + 1] ? f->to[f->first[s]] : -1)
        if ((size_t)f->link[s] < f->cables && route_path_add(path, f->head[f->link[s]], 0, err) < 0)
            return -1;
    return 0;
}

int follow_cause(struct route_path *path, struct follow *f, struct routing *r, const struct turn *turn,
                 struct err *err)
{
    path->n = 0;
    if (r->route->next)
        return cause_by_hops(path, f, r, turn, err);
    ways_clear(&f->ways);
    return r->route->ways(&f->ways, r, NULL, turn->source, turn->target, err) < 0 ? -1 :
        route_way(path, r, &f->ways, (size_t)turn->way, turn->source, err);
}
