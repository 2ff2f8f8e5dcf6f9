#include "analysis/primitive/lading.h"
#include "graph/base/bisect.h"
#include "model/routing/classes.h"

struct loader {
    struct processors_plan *p;
    const struct traffic *t;
    const struct lading_how *how;
    struct follow follow;
    struct classes classes;
    size_t nhop, hop_room;
    struct route_path path;
    double *share;                      /* of a source's terminals, or streams, added up */
};

int lading_half(uint32_t *half, const struct wiring *w, int u, int v, struct err *err)
{
    for (size_t h = w->first[u]; h < w->first[u + 1]; h++)
        if (w->to[h] == v) {
            *half = (uint32_t)h;
            return 0;
        }
    return err_set(err, ERR_INTERNAL, "no cable joins nodes %d and %d", u, v);
}

/* The way of a message, and the parts of buffers along it. */
static int way(struct loader *a, struct processors_message *m, int source, int target, struct err *err)
{
    const struct route_path *path = &a->path;
    const struct classes *c = a->how->classes ? &a->classes : NULL;
    int mark = classes_begin(c, source, target, 0, 0, 0), in = -1, link, n;

    if (route_path(&a->path, a->how->routing, source, target, err) < 0 ||
        GROW(&a->hop_room, a->nhop + path->n, "ways", err, GROWN(a->p->hop)) < 0)
        return -1;
    m->way = a->nhop;
    m->hops = (int)path->n - 1;
    m->part = c ? c->kind->buffer(c, mark, -1) : 0;
    for (size_t i = 0; i + 1 < path->n; i++) {
        struct processors_hop *hop = &a->p->hop[a->nhop++];

        hop->part = 1;
        if (lading_half(&hop->half, a->p->w, path->node[i], path->node[i + 1], err) < 0 ||
            (c && follow_links(&link, &n, &a->follow, a->how->routing, path->node[i],
                               &(struct hop){ path->node[i + 1], 1, path->cable[i + 1] }, err) < 0))
            return -1;
        if (c) {
            mark = classes_cross(c, mark, in, link);
            hop->part = c->kind->buffer(c, mark, link);
            in = link;
        }
        if (i + 2 < path->n && (hop->part < 0 || m->part < 0))
            return err_set(err, ERR_DOMAIN, "scheme '%s' keeps no buffer at a node on the way", c->spec);
    }
    return 0;
}

/* The messages of a source. */
static int draw(struct loader *a, size_t source, struct rng *rng, struct err *err)
{
    const struct traffic *t = a->t;
    const size_t first = t->matrix ? 0 : traffic_first(t, source);
    const size_t n = t->matrix ? (size_t)t->net->nterminal : traffic_first(t, source + 1) - first;
    const int from = t->matrix ? net_terminal(t->net, (int)source) : t->stream[first].source;
    double sum = 0;
    int before = -1;

    for (size_t i = 0; i < n; i++) {
        const int to = t->matrix ? net_terminal(t->net, (int)i) : -1;

        a->share[i] = sum += !t->matrix ? t->stream[first + i].share : to == from ? 0 : t->kind->share(t, from, to);
    }
    for (int k = 0; k < a->how->messages; k++) {
        struct processors_message *m = &a->p->message[a->p->n++];
        const double u = rng_uniform(rng) * sum;
        size_t at;
        int to;

        BISECT(at, 0, n - 1, i, a->share[i] <= u);
        to = t->matrix ? net_terminal(t->net, (int)at) : t->stream[first + at].target;
        if (to == before)               /* over the same way */
            *m = m[-1];
        else if (way(a, m, from, to, err) < 0)
            return -1;
        before = to;
        m->host = (int)source;
        m->due = k * a->how->every;
        m->circuit = a->how->mode == LADING_CIRCUIT || (a->how->mode == LADING_MIXED && k % 2);
    }
    return 0;
}

static int rooms(const struct loader *a, struct err *err)
{
    const int64_t buffers = a->how->buffers, parts = a->p->parts, more = buffers % parts, chain = a->p->chain;

    for (int64_t part = 0; part < parts; part++)
        a->p->room[part] = buffers == 0 || buffers >= PROCESSORS_ENDLESS ? PROCESSORS_ENDLESS :
            (int)(buffers / parts + (a->how->classes ? part < more : part >= parts - more));
    if (buffers == 0 || buffers / parts >= chain)
        return 0;
    return err_set(err, ERR_DOMAIN, "%lld buffers a node are too few: they have %lld parts (%s), and a message takes "
                   "%lld of one", (long long)buffers, (long long)parts, a->how->classes ? "the classes of the scheme" :
                   "the host's messages, and others", (long long)chain);
}

int lading_open(struct processors_plan *p, const struct traffic *t, const struct lading_how *how, struct err *err)
{
    struct loader a = { .p = p, .t = t, .how = how };
    const size_t sources = traffic_sources(t), all = sources * (size_t)how->messages;
    struct rng rng;
    int ret = -1;

    rng_seed(&rng, how->seed);
    if (how->classes && (follow_open(&a.follow, how->routing->net, false, err) < 0 ||
                         classes_open(&a.classes, how->classes, true, &a.follow, how->routing, 1, err) < 0))
        goto done;
    p->n = 0;
    p->hosts = (int)sources;
    p->classes = how->classes;
    p->parts = how->classes ? a.classes.most : 2;
    if (TAKE("messages", err, ARRAY(p->message, all + 1), ARRAY(p->room, p->parts),
             ARRAY(a.share, (size_t)t->net->nterminal + t->nstream)) < 0)
        goto done;
    ret = rooms(&a, err);
    for (size_t source = 0; ret == 0 && source < sources; source++)
        ret = draw(&a, source, &rng, err);
done:
    if (ret < 0)
        lading_release(p);
    classes_close(&a.classes);
    follow_close(&a.follow);
    route_path_release(&a.path);
    free(a.share);
    return ret;
}

void lading_release(struct processors_plan *p)
{
    FREE(p->hop, p->message, p->room);
    p->hop = NULL;
    p->message = NULL;
    p->room = NULL;
}
