/* Turns into bits (gather.h).
 *   places     links, cables or buffers, and classes of channels there
 *   turns      a bit for each pair that may follow each other
 *   targets    one of each orbit, or all; shared out to threads
 *   orbits     what one of them has, all have */
#include "analysis/deadlock/gather.h"
#include "analysis/deadlock/escape.h"
#include "analysis/load/flows_alike.h"
#include "graph/base/jobs.h"

/* ---- places ---- */

int gather_class(const struct deadlock *d, int mark, int link)
{
    if (d->holds != HOLDS_BUFFERS && d->classes.kind->class == classes_mark)
        return mark;
    return d->holds == HOLDS_BUFFERS ? d->classes.kind->buffer(&d->classes, mark, link) :
        d->classes.kind->class(&d->classes, mark, link);
}

int gather_moved(const struct follow *f, int link, int by)
{
    const struct group *group = f->net->group;

    return (int)csr_link(&f->links, group_add(group, f->tail[link], by), group_add(group, f->head[link], by));
}

int gather_link(const struct gather *g, int link)
{
    const struct follow *f = &g->d->follow;

    return !g->folded ? link : gather_moved(f, link, group_negative(f->net->group, f->tail[link]));
}

int gather_out(const struct gather *g, int in, int out)
{
    const struct follow *f = &g->d->follow;

    return !g->folded || !g->far ? gather_link(g, out) :
        gather_moved(f, out, group_negative(f->net->group, f->tail[in]));
}

static size_t first_link(const struct follow *f, int node)
{
    return trunks_first(&f->trunks, f->links.first[node]);
}

int gather_place(const struct deadlock *d, int link, bool folded)
{
    const struct follow *f = &d->follow;

    if (d->holds == HOLDS_BUFFERS)
        return folded ? 0 : f->head[link];
    if (d->holds == HOLDS_CABLES && !d->net->directed) {        /* one-way cables have no other direction */
        const size_t there = csr_link(&f->links, f->tail[link], f->head[link]);
        const size_t back = csr_link(&f->links, f->head[link], f->tail[link]);

        if (back < f->links.m) {
            const int other = (int)(trunks_first(&f->trunks, back) + (size_t)link - trunks_first(&f->trunks, there));

            return other < link ? other : link;
        }
    }
    return link;
}

/* ---- turns ---- */

static void gather_use(const struct gather *g, size_t place, int class)
{
    if (class >= 0)
        __atomic_store_n(&g->d->used[place * g->classes + (size_t)class], 1, __ATOMIC_RELAXED);
}

static bool gather_has(const struct gather *g, size_t bit)
{
    return __atomic_load_n(&g->bit[bit / 64], __ATOMIC_RELAXED) >> bit % 64 & 1;
}

static void gather_set(const struct gather *g, size_t bit)
{
    __atomic_fetch_or(&g->bit[bit / 64], (uint64_t)1 << bit % 64, __ATOMIC_RELAXED);
}

static int gather_turn(void *arg, const struct turn *turn, struct err *err)
{
    struct gather *g = arg;
    const struct deadlock *d = g->d;
    const struct follow *f = &d->follow;
    const bool buffers = d->holds == HOLDS_BUFFERS, entry = turn->in < 0 && !buffers;
    const int after = gather_class(d, turn->out_mark, turn->out);
    const int before = entry ? -1 : gather_class(d, turn->in_mark, turn->in), out = gather_link(g, turn->out);
    size_t at;

    if (after >= (int)g->classes || before >= (int)g->classes)
        return err_set(err, ERR_INTERNAL, "scheme '%s' gives class %d of %zu", d->classes.spec,
                       after > before ? after : before, g->classes);
    if (after < 0 || before < 0) {
        gather_use(g, (size_t)gather_place(d, out, g->folded), after);
        if (buffers)
            gather_use(g, g->folded ? 0 : (size_t)f->tail[turn->out], before);
        return 0;
    }
    at = buffers ? (size_t)out : g->far ?
        g->base[gather_link(g, turn->in)] + (size_t)gather_out(g, turn->in, turn->out) :
        g->folded ? (size_t)gather_link(g, turn->in) * f->links.first[1] + (size_t)out :
        g->base[turn->in] + (size_t)out;
    at = (at * g->classes + (size_t)before) * g->classes + (size_t)after;
    if (gather_has(g, at))
        return 0;
    gather_set(g, at);
    gather_use(g, (size_t)gather_place(d, out, g->folded), after);
    if (buffers)
        gather_use(g, g->folded ? 0 : (size_t)f->tail[turn->out], before);
    return 0;
}

/* Room for the bits, and the bits. */
int gather_open(struct gather *g, struct deadlock *d, bool folded, double most, struct err *err)
{
    const struct follow *f = &d->follow;
    const size_t links = folded ? f->links.first[1] : f->cables;
    size_t pairs = links;

    *g = (struct gather){ .d = d, .folded = folded, .far = d->routing->escape, .classes = (size_t)d->classes.most };
    if (d->holds != HOLDS_BUFFERS && folded)
        pairs = links * links;
    if (d->holds != HOLDS_BUFFERS && (!folded || g->far)) {
        if (TAKE("dependencies", err, ARRAY(g->base, links + 1)) < 0)
            return -1;
        pairs = g->far ? links * f->cables : 0;
        for (size_t l = 0; l < links; l++) {
            g->base[l] = l * f->cables;
            if (g->far)
                continue;
            g->base[l] = pairs - first_link(f, f->head[l]);
            pairs += first_link(f, f->head[l] + 1) - first_link(f, f->head[l]);
        }
    }
    d->place = d->holds == HOLDS_BUFFERS ? (folded ? 1 : (size_t)f->net->n) : links;
    d->resource = d->place * g->classes;
    d->folded = folded;
    d->copies = folded ? f->net->n : 1;
    g->bits = pairs * g->classes * g->classes;
    if (d->resource > INT_MAX)
        return err_set(err, ERR_MEMORY, "%.200s with %zu classes has more than 2^31 channels", d->net->spec,
                       g->classes);
    if (most > 0 && (double)g->bits / 8 > most)
        return err_set(err, ERR_NETWORK, "%.200s with %zu classes has too many dependencies", d->net->spec, g->classes);
    return TAKE("dependencies", err, ZEROS(g->bit, g->bits / 64 + 1), ZEROS(d->used, d->resource));
}

void gather_close(struct gather *g)
{
    FREE(g->base, g->bit);
}

/* ---- targets ---- */

enum { PART = 64 };             /* targets of a part of the work */
#define WORTH 2e6               /* links looked at for all targets, from which on orbits and threads are worth it */

struct worker {                 /* a thread's own */
    struct follow own, *follow;
    struct routing opened, *routing;
};
struct crew {
    struct gather *g;
    int *target;
    size_t ntarget;
    struct worker *worker;
    int n;
};

static int gather_part(void *arg, int thread, size_t part, const struct tick *tick, struct err *err)
{
    const struct crew *c = arg;
    const struct worker *w = &c->worker[thread];
    const size_t from = part * PART, left = c->ntarget - from;

    w->follow->tick = *tick;
    return follow_turns_joined(w->follow, w->routing, c->target + from, left < PART ? left : PART, gather_turn, c->g,
                               err);
}

static void crew_leave(struct crew *c)
{
    for (int i = 1; i < c->n; i++) {
        follow_close(&c->worker[i].own);
        routing_close(&c->worker[i].opened);
    }
    free(c->worker);
    c->worker = NULL;
    c->n = 0;
}

/* A routing opened anew for each thread but the first, where that is cheap and gives the same. */
static int crew_open(struct crew *c, struct routing *r, int threads, bool all, struct err *err)
{
    struct deadlock *d = c->g->d;

    c->n = r->tell || r->route->takes_path ? 1 : threads;
    if (TAKE("the threads' routings", err, ZEROS(c->worker, c->n)) < 0)
        return -1;
    c->worker[0] = (struct worker){ .follow = &d->follow, .routing = r };
    follow_forget_legs(&d->follow, r);
    for (int i = 1; i < c->n; i++) {
        struct worker *w = &c->worker[i];

        if (routing_open(&w->opened, d->net, r->spec, err) < 0 || follow_open(&w->own, d->net, false, err) < 0 ||
            (all && follow_all(&w->own, err) < 0) || follow_classes(&w->own, &d->classes, err) < 0)
            return -1;
        w->own.trunks.csr = &w->own.links;
        w->follow = &w->own;
        w->routing = &w->opened;
    }
    return 0;
}

/* Of each orbit the first, or (a->node NULL) all. */
static int crew_targets(struct crew *c, const struct alike *a, struct err *err)
{
    const struct follow *f = &c->g->d->follow;
    unsigned char *seen;

    if (TAKE("targets", err, ARRAY(c->target, f->nend), ZEROS(seen, f->net->n)) < 0)
        return -1;
    for (int i = 0; i < f->nend; i++) {
        const int node = follow_end(f, i), like = a->node ? a->node[node] : node;

        if (c->g->folded ? node == 0 : !seen[like])
            c->target[c->ntarget++] = node;
        seen[like] = 1;
    }
    free(seen);
    return 0;
}

/* ---- orbits ---- */

/* Where symmetries keep which messages wait for which: one class, and routings that are symmetric. */
static int gather_alike(struct alike *a, const struct gather *g, const struct tick *tick, struct err *err)
{
    const struct deadlock *d = g->d;
    bool symmetric = !g->folded && g->classes == 1 && d->classes.marks == 1 && !d->follow.trunks.first;
    bool by_group = false;

    for (size_t i = 0; i < d->nrouting; i++) {
        symmetric = symmetric && d->routing[i].symmetric;
        by_group = by_group || d->routing[i].by_group;
    }
    return symmetric ? alike_open(a, &d->follow, NULL, by_group, false, tick, err) : 0;
}

/* What one of an orbit has, all have. */
static int gather_spread(const struct gather *g, const struct alike *a, struct err *err)
{
    const struct deadlock *d = g->d;
    const struct follow *f = &d->follow;
    const bool buffers = d->holds == HOLDS_BUFFERS;
    const size_t nturn = a->at[a->back.m], nplace = buffers ? (size_t)f->net->n : f->cables;
    unsigned char *turn, *used;

    if (TAKE("the turns of messages", err, ZEROS(turn, nturn > f->cables ? nturn : f->cables),
             ZEROS(used, nplace)) < 0)
        return -1;
    for (int pass = 0; pass < 2; pass++) {
        for (size_t l = 0; l < f->cables; l++) {
            const size_t at = a->at[csr_link(&a->back, f->head[l], f->tail[l])], first = first_link(f, f->head[l]);
            const size_t n = buffers ? 1 : first_link(f, f->head[l] + 1) - first;

            for (size_t k = 0; k < n; k++) {
                const size_t bit = buffers ? l : g->base[l] + first + k;
                unsigned char *has = &turn[buffers ? a->trunk[l] : a->turn[at + k]];

                if (pass == 0)
                    *has |= gather_has(g, bit);
                else if (*has)
                    gather_set(g, bit);
            }
        }
        for (size_t i = 0; i < nplace; i++) {
            unsigned char *of = &d->used[buffers ? i : (size_t)gather_place(d, (int)i, false)];
            unsigned char *has = &used[buffers ? a->node[i] : a->trunk[i]];

            *has |= *of;
            *of |= pass ? *has : 0;
        }
    }
    FREE(turn, used);
    return 0;
}

int gather_all(struct gather *g, const struct deadlock_options *o, const struct tick *tick, struct err *err)
{
    struct deadlock *d = g->d;
    struct alike a = { 0 };
    struct crew c = { .g = g };
    const bool worth = (double)d->follow.nend * (double)d->follow.cables > WORTH;
    int ret = -1;

    for (size_t i = 0; g->far && i < d->nrouting; i++) {
        d->follow.tick = tick_step(tick, i, d->nrouting);
        if (escape_turns(&d->follow, &d->routing[i], g->folded ? 0 : -1, gather_turn, g, err) < 0)
            return -1;
    }
    if (g->far)
        return 0;
    if ((worth && !o->unfolded && gather_alike(&a, g, tick, err) < 0) || crew_targets(&c, &a, err) < 0)
        goto done;
    for (size_t i = 0; i < d->nrouting; i++) {
        const size_t parts = (c.ntarget + PART - 1) / PART;
        const struct tick step = tick_step(tick, i, d->nrouting);

        if (crew_open(&c, &d->routing[i], worth ? jobs_threads(o->jobs, parts) : 1, o->all, err) < 0 ||
            jobs_run(parts, c.n, gather_part, &c, &step, err) < 0)
            goto done;
        crew_leave(&c);
    }
    ret = a.node ? gather_spread(g, &a, err) : 0;
done:
    d->follow.tick = *tick;
    crew_leave(&c);
    FREE(c.target);
    alike_close(&a);
    return ret;
}

/* ---- dependencies ---- */

int gather_each(const struct gather *g, int (*each)(void *arg, int from, int to), void *arg)
{
    const struct deadlock *d = g->d;
    const struct follow *f = &d->follow;
    const size_t c = g->classes, degree = f->links.first[1];
    int ret = 0;

    for (size_t l = 0; ret == 0 && l < (g->folded ? degree : f->cables); l++) {
        const size_t begin = g->folded || g->far ? 0 : first_link(f, f->head[l]);
        const size_t first = d->holds == HOLDS_BUFFERS ? l : g->far ? g->base[l] : g->folded ? l * degree :
            g->base[l] + begin;
        const size_t n = d->holds == HOLDS_BUFFERS ? 1 : g->far ? f->cables : g->folded ? degree :
            first_link(f, f->head[l] + 1) - begin;

        for (size_t at = first * c * c; ret == 0 && at < (first + n) * c * c; at++) {
            const size_t out = begin + at / (c * c) - first, before = at / c % c, after = at % c;
            size_t from, to;

            if (g->bit[at / 64] == 0) {         /* none of these 64 */
                at |= 63;
                continue;
            }
            if (!gather_has(g, at))
                continue;
            from = (size_t)gather_place(d, (int)l, g->folded);
            to = d->holds == HOLDS_BUFFERS ? from : (size_t)gather_place(d, gather_link(g, (int)out), g->folded);
            if (d->holds == HOLDS_BUFFERS)
                from = g->folded ? 0 : (size_t)f->tail[l];
            ret = each(arg, (int)(from * c + before), (int)(to * c + after));
        }
    }
    return ret;
}

