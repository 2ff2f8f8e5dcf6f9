#include "model/protocol/primitive.h"
#include "graph/numeric/union_find.h"

#include "registry/primitive.inc"
KIND(primitive, primitive, struct primitive, .name = "primitive", .rank = 14)

const char *const primitive_text_name[] = { "mended", "counted", "published", NULL };

/* ---- ways ---- */

int primitive_breadth_first(int *hops, int64_t *up, const struct wiring *w, const bool *within, int origin,
                            struct err *err)
{
    int *queue, n = 0;

    if (TAKE("a search", err, ARRAY(queue, w->n)) < 0)
        return -1;
    for (int v = 0; v < w->n; v++) {
        hops[v] = -1;
        up[v] = -1;
    }
    hops[origin] = 0;
    queue[n++] = origin;
    for (int i = 0; i < n; i++)
        for (size_t h = w->first[queue[i]]; h < w->first[queue[i] + 1]; h++) {
            const int v = w->to[h];

            if (within && !within[w->rank[h]])
                continue;
            if (hops[v] < 0) {
                hops[v] = hops[queue[i]] + 1;
                queue[n++] = v;
            }
            /* ties by number: half-links stand by rank, so the least parent is looked for */
            if (hops[v] == hops[queue[i]] + 1 && (up[v] < 0 || w->to[up[v]] > queue[i]))
                up[v] = w->twin[h];
        }
    free(queue);
    return 0;
}

void primitive_way(int64_t *way, const struct wiring *w, const int64_t *up, int target)
{
    for (int v = 0; v < w->n; v++)
        way[v] = -1;
    for (int v = target; up[v] >= 0; v = w->to[up[v]])
        way[w->to[up[v]]] = w->twin[up[v]];
}

/* By Kruskal's algorithm: links stand by rank already. */
int primitive_spanning(bool *within, const struct wiring *w, struct err *err)
{
    int *parent;

    if (TAKE("a spanning tree", err, ARRAY(parent, w->n)) < 0)
        return -1;
    union_find_alone(parent, (size_t)w->n);
    for (size_t k = 0; k < w->m; k++)
        within[k] = union_find_join(parent, w->from[w->half[k]], w->to[w->half[k]]);
    free(parent);
    return 0;
}

int primitive_scene_open(struct primitive_scene *s, const struct wiring *w, const bool *within, int origin,
                         struct err *err)
{
    s->w = w;
    s->origin = s->target = origin;
    if (TAKE("the nodes", err, ARRAY(s->hops, w->n), ARRAY(s->up, w->n), ARRAY(s->way, w->n)) < 0 ||
        primitive_breadth_first(s->hops, s->up, w, within, origin, err) < 0)
        return -1;
    for (int v = 0; v < w->n; v++)
        s->depth = fmax(s->depth, s->hops[v]);
    s->near = s->up;
    return !within ? 0 : TAKE("the nodes", err, ARRAY(s->near, w->n)) < 0 ? -1 :
        primitive_breadth_first(s->hops, s->near, w, NULL, origin, err);
}

void primitive_aim(struct primitive_scene *s, int target)
{
    s->target = target;
    primitive_way(s->way, s->w, s->near, target);
}

void primitive_scene_release(struct primitive_scene *s)
{
    if (s->near != s->up)
        free(s->near);
    FREE(s->hops, s->up, s->way);
}

void primitive_facts(struct primitive_facts *f, const struct primitive_scene *s)
{
    const struct wiring *w = s->w;

    *f = (struct primitive_facts){ .nodes = w->n, .cables = (double)w->m, .distance = s->hops[s->target],
                                   .degree = (double)(w->first[s->origin + 1] - w->first[s->origin]) };
    for (int v = 0; v < w->n; v++)
        f->eccentricity = fmax(f->eccentricity, s->hops[v]);
    f->depth = s->depth;
    for (size_t h = 0; h < 2 * w->m; h++)
        f->joined = f->joined || (s->hops[w->from[h]] == f->eccentricity && s->hops[w->to[h]] == f->eccentricity);
}

/* ---- time ---- */

double primitive_stored_time(const struct primitive_how *how, double d, double w)
{
    const double r = how->service.decide, again = r + how->message + 2 * w + how->service.ack;

    return (d + 1) * r + d * (w + how->message) + (how->repeat - 1) * again;
}

double primitive_circuit_time(const struct primitive_how *how, double d, double w)
{
    const double r = how->service.decide, request = (d + 1) * r + d * (w + how->request),
        confirmation = d * (r + w + how->confirm), flits = (d + 1) * r + d * w + (d - 1) * how->flit + how->message;

    return request + confirmation + flits + (how->repeat - 1) * (r + how->message);
}

double primitive_crossover(const struct primitive_how *how, double d, double w)
{
    struct primitive_how none = *how;

    if (d < 2)
        return NAN;
    none.message = 0;                   /* both are linear: by d + n - 1 and by n messages more */
    return fmax(0, (primitive_circuit_time(&none, d, w) - primitive_stored_time(&none, d, w)) / (d - 1));
}

/* ---- for entries ---- */

void primitive_deliver(struct primitive_run *x, int v, uint32_t number)
{
    uint8_t *got = &x->got[primitive_at(x, number, v)];

    if (*got) {
        x->o.twice++;
        return;
    }
    *got = 1;
    x->has[number]++;
    x->o.late += (int)number < x->next[v];
    x->next[v] = (int)number + 1;
    x->o.time = fmax(x->o.time, x->r->now);
}

void primitive_tell(struct primitive_run *x, uint32_t number)
{
    if (x->o.told++ == 0)
        x->o.first_told = x->r->now;
    x->o.early += x->has[number] < x->expected;
    x->o.known = fmax(x->o.known, x->r->now);
}

int primitive_put(struct primitive_run *x, size_t half, int type, uint32_t number, struct err *err)
{
    const struct message m = { .type = type, .value = number, .link = (uint32_t)half };

    return protocol_send(x->r, m, err);
}

int primitive_spread(struct primitive_run *x, int v, uint32_t but, uint32_t number, struct err *err)
{
    const struct wiring *w = x->s->w;

    for (size_t h = w->first[v]; h < w->first[v + 1]; h++)
        if (h != but && primitive_put(x, h, PRIMITIVE_MESSAGE, number, err) < 0)
            return -1;
    return 0;
}

bool primitive_level(const struct primitive_run *x, int v, size_t half)
{
    const struct wiring *w = x->s->w;

    for (size_t h = w->first[v]; h < w->first[v + 1]; h++)
        if (x->count[h] > x->count[half])
            return false;
    return true;
}

/* ---- a run ---- */

static int primitive_wake(struct protocol *r, int v, struct err *err)
{
    const struct primitive_run *x = r->state;
    const struct primitive_scene *s = x->s;
    bool leaf = v != s->origin;

    for (size_t h = s->w->first[v]; x->p->from_leaves && h < s->w->first[v + 1]; h++)
        leaf = leaf && !primitive_branch(s, h);
    if (x->p->from_leaves ? !leaf : v != s->origin)
        return 0;
    for (int k = 0; k < (x->p->circuit ? 1 : x->how->repeat); k++)
        if (protocol_post(r, v, (struct message){ .type = PRIMITIVE_MESSAGE, .value = (uint32_t)k },
                          k * x->how->every, err) < 0)
            return -1;
    return 0;
}

static int primitive_on_message(struct protocol *r, int v, const struct message *m, struct err *err)
{
    struct primitive_run *x = r->state;

    /* one that passes for another may set off a flood again */
    x->o.endless = x->o.endless || protocol_messages(r) > x->most;
    if (x->o.endless)
        return HANDLED;
    x->handled[v]++;
    return x->p->on_message(x, v, m, err) < 0 ? -1 : HANDLED;
}

static const char *const primitive_type[] = { "message", "confirmation", "request", "head", "tail" };
static const struct machine primitive_machine = {
    .type = primitive_type, .ntype = PRIMITIVE_TYPES, .wake = primitive_wake, .on_message = primitive_on_message
};

static int primitive_check(const struct primitive *p, const struct primitive_scene *s, struct err *err)
{
    int missing = 0, least = -1;

    for (int v = 0; v < s->w->n; v++)
        if (s->hops[v] < 0 || (v != s->origin && s->up[v] < 0)) {
            missing++;
            least = least < 0 ? v : least;
        }
    if (p->spans && missing)
        return err_set(err, ERR_DOMAIN, "%s does not reach %d of %d nodes from node %d, as node %d", p->name, missing,
                       s->w->n, s->origin, least);
    if (p->expects == EXPECT_TARGET && s->hops[s->target] < 0)
        return err_set(err, ERR_DOMAIN, "there is no way from node %d to node %d", s->origin, s->target);
    return 0;
}

static size_t primitive_expected(const struct primitive *p, const struct primitive_scene *s)
{
    switch (p->expects) {
    case EXPECT_ALL:
        return (size_t)s->w->n - 1;
    case EXPECT_NEIGHBOURS:
        return s->w->first[s->origin + 1] - s->w->first[s->origin];
    default:
        return 1;
    }
}

static int primitive_open(struct primitive_run *x, struct err *err)
{
    const size_t n = (size_t)x->s->w->n, all = n * (size_t)x->how->repeat, links = 2 * x->s->w->m + 1;

    if (TAKE("the messages of all nodes", err, ZEROS(x->got, all), ZEROS(x->next, n), ZEROS(x->handled, n),
             ZEROS(x->has, x->how->repeat), ZEROS_IF(x->p->counts, x->count, links),
             ARRAY_IF(x->p->pends, x->answer, all), ZEROS_IF(x->p->pends, x->open, all),
             ZEROS_IF(x->p->pends, x->first, n), ZEROS_IF(x->p->pends, x->last, n)) < 0)
        return -1;
    if (x->p->pends)
        memset(x->answer, 0xff, all * sizeof *x->answer);
    x->expected = primitive_expected(x->p, x->s);
    return 0;
}

int primitive_execute(struct primitive_outcome *out, const struct primitive *p, const struct primitive_scene *s,
                      const struct primitive_how *how, struct err *err)
{
    const double length[PRIMITIVE_TYPES] = { how->message, how->confirm, how->request, how->flit, how->message };
    struct protocol_service service = how->service;
    struct primitive_run x = { .p = p, .s = s, .how = how,
                               .most = 16. * how->repeat * (2. * (double)s->w->m + s->w->n) };
    struct protocol r = { 0 };
    int ret = -1;

    service.length = length;
    service.unheld = 1u << PRIMITIVE_HEAD | 1u << PRIMITIVE_TAIL;
    if (primitive_check(p, s, err) < 0 || primitive_open(&x, err) < 0 ||
        protocol_open(&r, s->w, &primitive_machine, &x, how->seed, err) < 0)
        goto done;
    x.r = &r;
    r.watch = how->watch;
    if (protocol_serve(&r, &service, err) < 0 || protocol_run(&r, how->tick, err) < 0)
        goto done;
    x.o.messages = r.count[PRIMITIVE_MESSAGE] + r.count[PRIMITIVE_REQUEST];
    x.o.control = r.count[PRIMITIVE_CONFIRM];
    x.o.flits = r.count[PRIMITIVE_HEAD] + r.count[PRIMITIVE_TAIL];
    for (int v = 0; v < s->w->n; v++)
        x.o.most = fmax(x.o.most, x.handled[v]);
    for (int k = 0; k < how->repeat; k++)
        x.o.lost += (double)(x.expected - x.has[k]);
    x.o.time = x.o.lost > 0 ? NAN : x.o.time;
    x.o.known = x.o.told < how->repeat ? NAN : x.o.known;
    *out = x.o;
    ret = 0;
done:
    protocol_release(&r);
    FREE(x.got, x.next, x.handled, x.has, x.count, x.answer, x.open, x.first, x.last);
    return ret;
}
