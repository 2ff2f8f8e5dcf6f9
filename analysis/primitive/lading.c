#include "analysis/primitive/lading.h"

#include <stdlib.h>

#include "graph/base/bisect.h"
#include "graph/base/grow.h"
#include "graph/base/map.h"
#include "graph/base/mem.h"
#include "model/routing/classes.h"

struct lading_pair {
    int source, target, part, hops;
    size_t way;
};
struct loader {
    struct lading l;
    const struct wiring *w;
    const struct traffic *t;
    const struct lading_how *how;
    struct follow follow;
    struct classes classes;
    const struct classes *scheme;       /* NULL: none */
    struct map known;
    struct lading_pair *pair;
    size_t npair, room, hop_room;
    struct route_path path;
    double *share;                      /* of the source at hand, added up */
    struct rng rng;
};

/* ---- destinations ---- */

/* The shares of a source's terminals, or streams, added up; *n of them. */
static void shares_of(struct loader *a, size_t source, size_t *n)
{
    const struct traffic *t = a->t;
    const size_t first = t->matrix ? 0 : traffic_first(t, source);
    const int from = t->matrix ? net_terminal(t->net, (int)source) : -1;
    double sum = 0;

    *n = t->matrix ? (size_t)t->net->nterminal : traffic_first(t, source + 1) - first;
    for (size_t i = 0; i < *n && !(t->matrix && t->kind->even); i++) {
        const int to = t->matrix ? net_terminal(t->net, (int)i) : -1;

        a->share[i] = sum += !t->matrix ? t->stream[first + i].share : to == from ? 0 : t->kind->share(t, from, to);
    }
}

static void draw(struct loader *a, int *from, int *to, size_t source, size_t n)
{
    const struct traffic *t = a->t;
    size_t at;

    if (t->matrix && t->kind->even) {
        at = rng_below(&a->rng, n - 1);
        at += at >= source;
    } else {
        const double u = rng_uniform(&a->rng) * a->share[n - 1];

        BISECT(at, 0, n - 1, i, a->share[i] <= u);
    }
    *from = t->matrix ? net_terminal(t->net, (int)source) : t->stream[traffic_first(t, source)].source;
    *to = t->matrix ? net_terminal(t->net, (int)at) : t->stream[traffic_first(t, source) + at].target;
}

/* ---- ways ---- */

int lading_way(uint32_t *way, const struct wiring *w, const struct route_path *path, struct err *err)
{
    for (size_t i = 0; i + 1 < path->n; i++) {
        size_t h = w->first[path->node[i]];

        while (h < w->first[path->node[i] + 1] && w->to[h] != path->node[i + 1])
            h++;
        if (h == w->first[path->node[i] + 1])
            return err_set(err, ERR_INTERNAL, "no cable joins nodes %d and %d", path->node[i], path->node[i + 1]);
        way[i] = (uint32_t)h;
    }
    return 0;
}

static int classes_along(struct loader *a, struct lading_pair *p, struct err *err)
{
    const struct route_path *path = &a->path;
    int mark = classes_begin(a->scheme, p->source, p->target, 0, 0, 0), in = -1, link, n;

    p->part = a->scheme ? a->scheme->kind->buffer(a->scheme, mark, -1) : 0;
    for (size_t i = 0; i + 1 < path->n; i++) {
        struct processors_hop *hop = &a->l.hop[p->way + i];

        hop->part = i + 2 < path->n;
        if (!a->scheme)
            continue;
        if (follow_links(&link, &n, &a->follow, a->how->routing, path->node[i],
                         &(struct hop){ path->node[i + 1], 1, path->cable[i + 1] }, err) < 0)
            return -1;
        mark = classes_cross(a->scheme, mark, in, link);
        in = link;
        hop->part = i + 2 < path->n ? a->scheme->kind->buffer(a->scheme, mark, link) : 0;
        if (hop->part < 0 || p->part < 0)
            return err_set(err, ERR_DOMAIN, "scheme '%s' keeps no buffer at a node on the way", a->scheme->spec);
    }
    return 0;
}

static int by_target(const void *a, const void *b)
{
    const struct lading_pair *const *x = a, *const *y = b;

    return (*x)->target != (*y)->target ? ((*x)->target > (*y)->target) - ((*x)->target < (*y)->target) :
        ((*x)->source > (*y)->source) - ((*x)->source < (*y)->source);
}

/* By targets, for a routing searches for one at a time. */
static int ways(struct loader *a, struct err *err)
{
    struct lading_pair **sorted;
    uint32_t *way = NULL;
    size_t room = 0;
    int ret = 0;

    if (TAKE("ways", err, ARRAY(sorted, a->npair + 1)) < 0)
        return -1;
    for (size_t i = 0; i < a->npair; i++)
        sorted[i] = &a->pair[i];
    qsort(sorted, a->npair, sizeof *sorted, by_target);
    for (size_t i = 0; ret == 0 && i < a->npair; i++) {
        struct lading_pair *p = sorted[i];

        if (route_path(&a->path, a->how->routing, p->source, p->target, err) < 0 ||
            GROW(&room, a->path.n, "a way", err, GROWN(way)) < 0 ||
            GROW(&a->hop_room, a->l.nhop + a->path.n, "ways", err, GROWN(a->l.hop)) < 0 ||
            lading_way(way, a->w, &a->path, err) < 0) {
            ret = -1;
            break;
        }
        p->way = a->l.nhop;
        p->hops = (int)a->path.n - 1;
        a->l.most = p->hops > a->l.most ? p->hops : a->l.most;
        for (int k = 0; k < p->hops; k++)
            a->l.hop[a->l.nhop++].half = way[k];
        ret = classes_along(a, p, err);
    }
    FREE(sorted, way);
    return ret;
}

/* ---- messages ---- */

static int messages(struct loader *a, struct err *err)
{
    const struct lading_how *how = a->how;
    size_t n;

    for (int host = 0; host < a->l.hosts; host++) {
        shares_of(a, (size_t)host, &n);
        for (int i = 0; i < how->messages; i++) {
            struct processors_message *m = &a->l.message[a->l.n++];
            int from, to, k;

            draw(a, &from, &to, (size_t)host, n);
            k = map_put(&a->known, (uint64_t)from * (uint64_t)a->w->n + (uint64_t)to, (int)a->npair, err);
            if (k < 0 || GROW(&a->room, a->npair + 1, "pairs", err, GROWN(a->pair)) < 0)
                return -1;
            if (k == (int)a->npair)
                a->pair[a->npair++] = (struct lading_pair){ .source = from, .target = to };
            *m = (struct processors_message){ .way = (size_t)k, .host = host, .due = i * how->every,
                                              .circuit = how->mode == LADING_CIRCUIT ||
                                                  (how->mode == LADING_MIXED && i % 2) };
        }
    }
    if (ways(a, err) < 0)
        return -1;
    for (size_t k = 0; k < a->l.n; k++) {
        struct processors_message *m = &a->l.message[k];
        const struct lading_pair *p = &a->pair[m->way];

        m->way = p->way;
        m->hops = p->hops;
        m->part = p->part;
        a->l.hops += p->hops;
    }
    return 0;
}

static int rooms(struct loader *a, struct err *err)
{
    const int parts = a->l.parts;
    const int64_t buffers = a->how->buffers;

    for (int part = 0; part < parts; part++)
        a->l.room[part] = buffers == 0 ? PROCESSORS_ENDLESS :
            (int)(buffers / parts + (a->scheme ? part < buffers % parts : part == 1 && buffers % parts));
    if (buffers == 0 || buffers >= parts)
        return 0;
    if (a->scheme)
        return err_set(err, ERR_DOMAIN, "%lld buffers a node are too few for the %d classes of scheme '%s' on these "
                       "ways: one each at least", (long long)buffers, parts, a->scheme->spec);
    return err_set(err, ERR_DOMAIN, "%lld buffers a node are too few: the host's messages and those of other nodes take "
                   "one each at least, so 2", (long long)buffers);
}

int lading_open(struct lading *out, const struct wiring *w, const struct traffic *t, const struct lading_how *how,
                struct err *err)
{
    struct loader a = { .w = w, .t = t, .how = how };
    const size_t widest = (size_t)t->net->nterminal + t->nstream;
    int ret = -1;

    a.l.hosts = (int)traffic_sources(t);
    a.l.parts = 2;
    rng_seed(&a.rng, how->seed);
    if (how->classes) {
        if (follow_open(&a.follow, how->routing->net, false, err) < 0 ||
            classes_open(&a.classes, how->classes, true, &a.follow, how->routing, 1, err) < 0)
            goto done;
        a.scheme = &a.classes;
        a.l.parts = a.classes.most;
    }
    if (TAKE("messages", err, ARRAY(a.l.message, (size_t)a.l.hosts * (size_t)how->messages + 1),
             ARRAY(a.l.room, a.l.parts), ARRAY(a.share, widest)) < 0 ||
        rooms(&a, err) < 0 || messages(&a, err) < 0)
        goto done;
    *out = a.l;
    a.l = (struct lading){ 0 };
    ret = 0;
done:
    lading_release(&a.l);
    classes_close(&a.classes);
    follow_close(&a.follow);
    map_release(&a.known);
    route_path_release(&a.path);
    FREE(a.pair, a.share);
    return ret;
}

void lading_release(struct lading *l)
{
    FREE(l->hop, l->message, l->room);
    *l = (struct lading){ 0 };
}
