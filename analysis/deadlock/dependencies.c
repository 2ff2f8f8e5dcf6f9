/* What waits for what (dependencies.h).
 *   gathering  turns into bits, one for each pair of resources that may follow each other; folded, of one node
 *   graph      bits into lists, folded ones for all nodes where a cycle is to be shown
 *   causes     a route for each dependency of the cycle */
#include "analysis/deadlock/cycles.h"
#include "analysis/deadlock/escape.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graph/base/grow.h"
#include "graph/base/mem.h"

/* ---- gathering ---- */

struct gather {
    struct deadlock *d;
    bool folded;
    bool far;                   /* of an escape: any link may wait for any, folded those of node 0 */
    size_t classes, bits;
    size_t *base;               /* by link: where its followers begin, less the number of the first of them, modulo
                                 * 2^64; NULL where it is folded and not far, or of buffers */
    uint64_t *bit;
};

static int link_class(const struct deadlock *d, int mark, int link)
{
    if (d->holds != HOLDS_BUFFERS && d->classes.kind->class == classes_mark)
        return mark;
    return d->holds == HOLDS_BUFFERS ? d->classes.kind->buffer(&d->classes, mark, link) :
        d->classes.kind->class(&d->classes, mark, link);
}

/* A link as seen from a node further. */
static int moved_link(const struct follow *f, int link, int by)
{
    const struct group *group = f->net->group;

    return (int)csr_link(&f->links, group_add(group, f->tail[link], by), group_add(group, f->head[link], by));
}

/* Folded: the link that leaves node 0 the same way. */
static int gather_link(const struct gather *g, int link)
{
    const struct follow *f = &g->d->follow;

    return !g->folded ? link : moved_link(f, link, group_negative(f->net->group, f->tail[link]));
}

/* What a message waits for that holds `in`, which folded leaves node 0. */
static int gather_out(const struct gather *g, int in, int out)
{
    const struct follow *f = &g->d->follow;

    return !g->folded || !g->far ? gather_link(g, out) :
        moved_link(f, out, group_negative(f->net->group, f->tail[in]));
}

static size_t first_link(const struct follow *f, int node)
{
    return trunks_first(&f->trunks, f->links.first[node]);
}

/* Of two that are one channel, the smaller number. */
static int place_of(const struct deadlock *d, int link, bool folded)
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

static void gather_use(const struct gather *g, size_t place, int class)
{
    if (class >= 0)
        g->d->used[place * g->classes + (size_t)class] = 1;
}

static int gather_turn(void *arg, const struct turn *turn, struct err *err)
{
    struct gather *g = arg;
    const struct deadlock *d = g->d;
    const struct follow *f = &d->follow;
    const bool buffers = d->holds == HOLDS_BUFFERS, entry = turn->in < 0 && !buffers;
    const int after = link_class(d, turn->out_mark, turn->out);
    const int before = entry ? -1 : link_class(d, turn->in_mark, turn->in), out = gather_link(g, turn->out);
    size_t at;

    if (after >= (int)g->classes || before >= (int)g->classes)
        return err_set(err, ERR_INTERNAL, "scheme '%s' gives class %d of %zu", d->classes.spec,
                       after > before ? after : before, g->classes);
    if (after < 0 || before < 0) {
        gather_use(g, (size_t)place_of(d, out, g->folded), after);
        if (buffers)
            gather_use(g, g->folded ? 0 : (size_t)f->tail[turn->out], before);
        return 0;
    }
    at = buffers ? (size_t)out : g->far ?
        g->base[gather_link(g, turn->in)] + (size_t)gather_out(g, turn->in, turn->out) :
        g->folded ? (size_t)gather_link(g, turn->in) * f->links.first[1] + (size_t)out :
        g->base[turn->in] + (size_t)out;
    at = (at * g->classes + (size_t)before) * g->classes + (size_t)after;
    if (g->bit[at / 64] >> at % 64 & 1)
        return 0;
    g->bit[at / 64] |= (uint64_t)1 << at % 64;
    gather_use(g, (size_t)place_of(d, out, g->folded), after);
    if (buffers)
        gather_use(g, g->folded ? 0 : (size_t)f->tail[turn->out], before);
    return 0;
}

/* Room for the bits, and the bits. */
static int gather_open(struct gather *g, struct deadlock *d, bool folded, double most, struct err *err)
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
        return err_set(err, ERR_DOMAIN, "%.200s with %zu classes has too many dependencies", d->net->spec, g->classes);
    return TAKE("dependencies", err, ZEROS(g->bit, g->bits / 64 + 1), ZEROS(d->used, d->resource));
}

static void gather_close(struct gather *g)
{
    FREE(g->base, g->bit);
}

static int gather_all(struct gather *g, const struct tick *tick, struct err *err)
{
    struct deadlock *d = g->d;
    struct follow *f = &d->follow;

    for (size_t i = 0; i < d->nrouting; i++) {
        f->tick = tick_step(tick, i, d->nrouting);
        if ((g->far ? escape_turns : follow_turns)(f, &d->routing[i], g->folded ? 0 : -1, gather_turn, g, err) < 0)
            return -1;
    }
    return 0;
}

/* ---- graph ---- */

/* Calls `each` for every dependency; not all need differ where cables are one channel. */
static int gather_each(const struct gather *g, int (*each)(void *arg, int from, int to), void *arg)
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
            if (!(g->bit[at / 64] >> at % 64 & 1))
                continue;
            from = (size_t)place_of(d, (int)l, g->folded);
            to = d->holds == HOLDS_BUFFERS ? from : (size_t)place_of(d, gather_link(g, (int)out), g->folded);
            if (d->holds == HOLDS_BUFFERS)
                from = g->folded ? 0 : (size_t)f->tail[l];
            ret = each(arg, (int)(from * c + before), (int)(to * c + after));
        }
    }
    return ret;
}

static int graph_count(void *arg, int from, int to)
{
    struct deadlock *d = arg;

    (void)to;
    d->first[from + 1]++;
    return 0;
}

static int graph_put(void *arg, int from, int to)
{
    struct deadlock *d = arg;

    d->to[d->first[from]++] = to;
    return 0;
}

static int by_number(const void *a, const void *b)
{
    const int x = *(const int *)a, y = *(const int *)b;

    return (x > y) - (x < y);
}

/* From counts in first[v + 1] to where lists begin. */
static size_t graph_sum(size_t *first, size_t n)
{
    for (size_t v = 0; v < n; v++)
        first[v + 1] += first[v];
    return first[n];
}

/* Lists begin where `put` left the one before; those alike are one. */
static void graph_finish(struct deadlock *d)
{
    size_t n = 0, begin = 0;

    for (size_t v = 0; v < d->resource; v++) {
        const size_t end = d->first[v];
        int *list = d->to + begin;

        if (end - begin > 1)
            qsort(list, end - begin, sizeof *list, by_number);
        d->first[v] = n;
        for (size_t i = begin; i < end; i++)
            if (i == begin || d->to[i] != d->to[i - 1])
                d->to[n++] = d->to[i];
        begin = end;
    }
    d->first[d->resource] = d->n = n;
}

/* Whoever goes on with it, unless for a verdict, holds as much again for each scheme that is tried, and lists of both
 * ends of dependencies, with what looks for cycles among them. */
static int graph_open(struct gather *g, bool verdict, struct err *err)
{
    enum { LISTS = 5 };
    struct deadlock *d = g->d;
    double bytes;

    if (TAKE("dependencies", err, ZEROS(d->first, d->resource + 1)) < 0)
        return -1;
    gather_each(g, graph_count, d);
    bytes = (double)graph_sum(d->first, d->resource) * sizeof *d->to;
    if ((!verdict && mem_need(LISTS * bytes, "dependencies and what is tried on them", err) < 0) ||
        TAKE("dependencies", err, ARRAY(d->to, d->first[d->resource] + 1)) < 0)
        return -1;
    gather_each(g, graph_put, d);
    graph_finish(d);
    for (size_t v = 0; v < d->resource; v++)
        d->nused += d->used[v];
    if (d->folded)              /* to buffers, or links, of several nodes, of which one stands for all */
        for (size_t i = 0; i <= g->bits / 64; i++)
            d->dependencies += d->copies * __builtin_popcountll(g->bit[i]);
    else
        d->dependencies = (double)d->n;
    return 0;
}

/* A folded graph for all nodes: of links that leave node 0, or of the buffers of one, to those of all. */
static int graph_unfold(struct deadlock *d, const struct gather *g, struct err *err)
{
    const struct follow *f = &d->follow;
    const struct group *group = f->net->group;
    const size_t c = (size_t)d->classes.most, degree = f->links.first[1], n = (size_t)d->net->n;
    const bool buffers = d->holds == HOLDS_BUFFERS;
    const size_t place = buffers ? n : f->cables;
    const size_t total = g->far ? (size_t)d->dependencies : (buffers ? d->n * degree : d->n) * n;
    struct deadlock out = { .resource = place * c };
    int *link = NULL;           /* by node and way to leave it */
    int ret = -1;

    if (place * c > INT_MAX)
        return err_set(err, ERR_MEMORY, "%.200s with %zu classes has more than 2^31 channels", d->net->spec, c);
    if (TAKE("dependencies", err, ZEROS(out.first, place * c + 1), ARRAY(out.to, total + 1),
             ZEROS(out.used, place * c), ARRAY_IF(!buffers, link, n * degree)) < 0)
        goto done;
    for (size_t v = 0; !buffers && v < n; v++)
        for (size_t k = 0; k < degree; k++)
            link[v * degree + k] = (int)csr_link(&f->links, (int)v, group_add(group, (int)v, f->head[k]));
    for (int pass = 0; pass < 2; pass++) {
        for (size_t v = 0; v < n; v++)
            for (size_t from = 0; from < d->resource; from++)
                for (size_t e = d->first[from]; e < d->first[from + 1]; e++) {
                    const size_t to = (size_t)d->to[e];
                    size_t a, b;

                    if (buffers || g->far)
                        break;
                    a = (size_t)link[v * degree + from / c] * c + from % c;
                    b = (size_t)link[(size_t)f->head[link[v * degree + from / c]] * degree + to / c] * c + to % c;
                    pass ? graph_put(&out, (int)a, (int)b) : graph_count(&out, (int)a, (int)b);
                }
        for (size_t at = 0; buffers && at < degree * c * c; at++)       /* by way to leave, before and after */
            for (size_t v = 0; v < n && (g->bit[at / 64] >> at % 64 & 1); v++) {
                const size_t w = (size_t)group_add(group, (int)v, f->head[at / (c * c)]);
                const int a = (int)(v * c + at / c % c), b = (int)(w * c + at % c);

                pass ? graph_put(&out, a, b) : graph_count(&out, a, b);
            }
        for (size_t at = 0; g->far && at < g->bits; at++)       /* by link, link, before and after */
            for (size_t v = 0; v < n && (g->bit[at / 64] >> at % 64 & 1); v++) {
                const size_t from = at / (c * c) / f->cables, to = at / (c * c) % f->cables;
                const int a = moved_link(f, (int)from, (int)v) * (int)c + (int)(at / c % c);
                const int b = moved_link(f, (int)to, (int)v) * (int)c + (int)(at % c);

                pass ? graph_put(&out, a, b) : graph_count(&out, a, b);
            }
        if (!pass)
            graph_sum(out.first, out.resource);
    }
    graph_finish(&out);
    for (size_t v = 0; v < place; v++)
        for (size_t k = 0; k < c; k++)
            out.used[v * c + k] = d->used[(buffers ? 0 : (size_t)gather_link(g, (int)v)) * c + k];
    FREE(d->first, d->to, d->used);
    d->first = out.first;
    d->to = out.to;
    d->used = out.used;
    d->n = out.n;
    d->nused *= n;
    d->place = place;
    d->resource = out.resource;
    d->copies = 1;
    out = (struct deadlock){ 0 };
    ret = 0;
done:
    FREE(out.first, out.to, out.used, link);
    return ret;
}

/* ---- the whole ---- */

int deadlock_open(struct deadlock *out, struct net *net, struct routing *routing, size_t nrouting,
                  const struct deadlock_options *o, struct err *err)
{
    struct deadlock d = { .net = net, .routing = routing, .nrouting = nrouting, .holds = o->holds };
    const struct tick first = tick_part(o->tick, 0, 0.1), rest = tick_part(o->tick, 0.1, 1);
    struct gather g = { 0 };
    bool folded = net->group && o->holds != HOLDS_CABLES && !o->unfolded;
    int *part = NULL, ret = -1;

    if (routing->escape && o->holds != HOLDS_LINKS)
        return err_set(err, ERR_DOMAIN, "an escape is of channels of links, not of %s: leave out %s", o->holds ==
                       HOLDS_BUFFERS ? "buffers" : "cables that are one channel", o->holds == HOLDS_BUFFERS ?
                       "--buffer-classes" : "--duplex half");
    if (follow_open(&d.follow, net, false, err) < 0 || (o->all && follow_all(&d.follow, err) < 0))
        goto fail;
    d.follow.tick = first;
    if (classes_open(&d.classes, o->classes, o->holds == HOLDS_BUFFERS, &d.follow, routing, nrouting, err) < 0 ||
        follow_classes(&d.follow, &d.classes, err) < 0)
        goto fail;
    folded = folded && d.classes.invariant && !d.follow.trunks.first;
    for (size_t i = 0; i < nrouting; i++)
        folded = folded && routing[i].invariant;
    if (gather_open(&g, &d, folded, o->most, err) < 0 || gather_all(&g, &rest, err) < 0 || graph_open(&g, o->verdict, err) < 0 ||
        TAKE("cycles", err, ARRAY(part, d.resource)) < 0 || cycles_parts(part, &d.cyclic, &d, err) < 0)
        goto fail;
    if (d.cyclic && !o->verdict) {
        if (folded) {
            FREE(part);
            part = NULL;
            if (graph_unfold(&d, &g, err) < 0 || TAKE("cycles", err, ARRAY(part, d.resource)) < 0 ||
                cycles_parts(part, &d.cyclic, &d, err) < 0)
                goto fail;
        }
        if (cycles_find(&d, part, folded, err) < 0)
            goto fail;
    }
    *out = d;
    out->classes.follow = &out->follow;             /* where they live now */
    out->follow.classes = &out->classes;
    out->follow.trunks.csr = &out->follow.links;
    ret = 0;
fail:
    if (ret < 0)
        deadlock_close(&d);
    gather_close(&g);
    FREE(part);
    return ret;
}

void deadlock_close(struct deadlock *d)
{
    classes_close(&d->classes);
    follow_close(&d->follow);
    FREE(d->used, d->first, d->to, d->cycle);
    *d = (struct deadlock){ 0 };
}

/* ---- causes ---- */

struct cause {
    const struct gather *g;
    int from, to;               /* resources; folded: links that leave node 0, or classes of buffers */
    int link;                   /* folded, of buffers: the one between them */
    struct turn turn;
};

static int cause_found(void *arg, const struct turn *turn, struct err *err)
{
    struct cause *c = arg;
    const struct deadlock *d = c->g->d;
    const bool folded = c->g->folded, buffers = d->holds == HOLDS_BUFFERS;
    const int classes = d->classes.most;
    int from, out;

    (void)err;
    if (turn->in < 0 && !buffers)
        return 0;
    out = gather_out(c->g, turn->in, turn->out);
    from = !buffers ? place_of(d, gather_link(c->g, turn->in), folded) : folded ? 0 : d->follow.tail[turn->out];
    if (from * classes + link_class(d, turn->in_mark, turn->in) != c->from ||
        place_of(d, out, folded) * classes + link_class(d, turn->out_mark, turn->out) != c->to ||
        (folded && buffers && out != c->link))
        return 0;
    c->turn = *turn;
    return 1;
}

/* Folded: one to node 0, moved to where the dependency is. */
int deadlock_cause(struct route_path *path, size_t *routing, struct deadlock *d, size_t i, struct err *err)
{
    const int from = d->cycle[i], to = d->cycle[(i + 1) % d->ncycle], classes = d->classes.most;
    const struct gather g = { .d = d, .folded = d->folded, .far = d->routing->escape };
    const bool buffers = d->holds == HOLDS_BUFFERS;
    const struct group *group = d->net->group;
    struct follow *f = &d->follow;
    struct cause c = { .g = &g, .from = from, .to = to };
    int found = 0;

    f->tick = (struct tick){ 0 };
    if (d->folded && buffers) {
        c.link = gather_link(&g, (int)csr_link(&f->links, from / classes, to / classes));
        c.from = from % classes;
        c.to = to % classes;
    } else if (d->folded) {
        c.from = gather_link(&g, from / classes) * classes + from % classes;
        c.to = gather_out(&g, from / classes, to / classes) * classes + to % classes;
    }
    for (*routing = 0; !found && *routing < d->nrouting; ++*routing)
        found = (g.far ? escape_turns : follow_turns)(f, &d->routing[*routing], d->folded ? 0 : -1, cause_found, &c,
                                                      err);
    if (found == 0)
        return err_set(err, ERR_INTERNAL, "no route causes a dependency of %.200s", d->net->spec);
    if (found < 0 || (g.far ? escape_cause : follow_cause)(path, f, &d->routing[--*routing], &c.turn, err) < 0)
        return -1;
    if (d->folded) {
        const int here = buffers ? from / classes : f->head[from / classes];
        const int there = buffers ? f->tail[c.turn.out] : f->head[c.turn.in];
        const int move = group_add(group, here, group_negative(group, there));

        for (size_t k = 0; k < path->n; k++)
            path->node[k] = group_add(group, path->node[k], move);
    }
    return 0;
}

int deadlock_classes_used(const struct deadlock *d)
{
    const size_t classes = (size_t)d->classes.most;
    int n = 0;

    for (size_t c = 0; c < classes; c++) {
        size_t place = 0;

        while (place < d->place && !d->used[place * classes + c])
            place++;
        n += place < d->place;
    }
    return n;
}

char *deadlock_label(const struct deadlock *d, int resource)
{
    const struct follow *f = &d->follow;
    const int place = deadlock_place(d, resource);
    char name[NET_LABEL], *text, *numbered = NULL;
    size_t k;

    if (d->holds == HOLDS_BUFFERS)
        return strdup(net_label(d->net, place, name));
    text = net_label_pair(d->net, f->tail[place], d->holds == HOLDS_CABLES ? "-" : ">", f->head[place]);
    k = csr_link(&f->links, f->tail[place], f->head[place]);
    if (!text || trunks_cables(&f->trunks, k) == 1)
        return text;
    if (asprintf(&numbered, "%s:%zu", text, (size_t)place - trunks_first(&f->trunks, k) + 1) < 0)
        numbered = NULL;
    free(text);
    return numbered;
}
