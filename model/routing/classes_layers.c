/* Layers: each way from a source to a target keeps to one class, the first whose dependency graph stays acyclic with
 * its dependencies added. A dependency that closes a cycle with those of earlier ways in a layer is never tried there
 * again, so that ways cost little once a layer is full. */
#include "model/routing/classes.h"
#include "graph/numeric/order.h"
#include "model/routing/lanes.h"
#include "texts/classes.h"

#define LAYERS_MOST 64

enum known { NOT_TRIED, WITHIN, CLOSES_CYCLE };

struct layer {
    struct order order;             /* of links */
    unsigned char *known;           /* by turn */
};
struct dependency {
    int in, out;
    size_t turn;
    bool added;                     /* to the layer at hand, for this way */
};
struct layers {
    int n;                          /* nodes */
    size_t *first;                  /* of ways: by source and target, into `of`; NULL: a pair's ways have one */
    unsigned char *of;              /* layer of a way */
    size_t nway, room;
    /* while they are made */
    struct follow *follow;
    size_t *turn;                   /* by link: where the numbers of its turns begin */
    struct layer layer[LAYERS_MOST];
    int nlayer;
    struct dependency *wait;        /* of the way at hand */
    size_t nwait, wait_room;
    int way;
};

static size_t first_link(const struct follow *f, int node)
{
    return trunks_first(&f->trunks, f->links.first[node]);
}

/* ---- one way ---- */

/* Adds the way to a layer unless that closes a cycle; whether it was added. */
static int layer_take(bool *fits, struct layer *l, struct dependency *wait, size_t n, struct err *err)
{
    bool cyclic = false;
    size_t i;

    *fits = false;
    for (i = 0; i < n; i++)
        if (l->known[wait[i].turn] == CLOSES_CYCLE)
            return 0;
    for (i = 0; i < n && !cyclic; i++) {
        wait[i].added = l->known[wait[i].turn] == NOT_TRIED;
        if (!wait[i].added)
            continue;
        if (order_add(&cyclic, &l->order, wait[i].in, wait[i].out, err) < 0)
            return -1;
        wait[i].added = !cyclic;
        l->known[wait[i].turn] = cyclic ? NOT_TRIED : WITHIN;
    }
    *fits = !cyclic;
    if (!cyclic)
        return 0;
    n = i - 1;                      /* wait[n] closes a cycle, perhaps with those of the same way alone */
    for (i = 0; i < n; i++)
        if (wait[i].added) {
            order_undo(&l->order);
            l->known[wait[i].turn] = NOT_TRIED;
        }
    if (order_add(&cyclic, &l->order, wait[n].in, wait[n].out, err) < 0)
        return -1;
    if (cyclic)
        l->known[wait[n].turn] = CLOSES_CYCLE;
    else
        order_undo(&l->order);
    return 0;
}

static int layer_open(struct layers *s, struct err *err)
{
    struct layer *l = &s->layer[s->nlayer];
    const struct follow *f = s->follow;

    if (s->nlayer == LAYERS_MOST)
        return err_set(err, ERR_DOMAIN, "%.200s needs more than %d layers", f->net->spec, LAYERS_MOST);
    if (order_open(&l->order, f->cables, err) < 0)
        return -1;
    s->nlayer++;
    return TAKE("layers", err, ZEROS(l->known, s->turn[f->cables] + 1));
}

/* Adds the way at hand to the first layer in which no cycle closes. */
static int layers_put(struct layers *s, struct err *err)
{
    bool fits = false;
    int at = 0;

    for (; !fits; at++) {
        const bool empty = at == s->nlayer;

        if ((empty && layer_open(s, err) < 0) || layer_take(&fits, &s->layer[at], s->wait, s->nwait, err) < 0)
            return -1;
        if (!fits && empty)
            return err_set(err, ERR_DOMAIN, "layers do not help on %.200s: there is a way that waits for itself",
                           s->follow->net->spec);
    }
    if (GROW(&s->room, s->nway + 1, "layers", err, GROWN(s->of)) < 0)
        return -1;
    s->of[s->nway++] = (unsigned char)(at - 1);
    s->nwait = 0;
    return 0;
}

static int layers_turn(void *arg, const struct turn *turn, struct err *err)
{
    struct layers *s = arg;
    const struct follow *f = s->follow;

    if (turn->way != s->way) {
        s->way = turn->way;
        if (layers_put(s, err) < 0)
            return -1;
    }
    if (turn->in < 0)
        return 0;
    if (GROW(&s->wait_room, s->nwait + 1, "layers", err, GROWN(s->wait)) < 0)
        return -1;
    s->wait[s->nwait++] = (struct dependency){
        turn->in, turn->out, s->turn[turn->in] + (size_t)turn->out - first_link(f, f->head[turn->in]), false };
    return 0;
}

/* ---- all ways ---- */

static void layers_close(void *state)
{
    struct layers *s = state;

    for (int i = 0; i < s->nlayer; i++) {
        order_close(&s->layer[i].order);
        FREE(s->layer[i].known);
    }
    s->nlayer = 0;
    FREE(s->first, s->of, s->turn, s->wait);
}

static int layers_all(struct layers *s, struct routing *r, struct err *err)
{
    struct follow *f = s->follow;
    const size_t n = (size_t)f->net->n;

    for (int b = 0; b < f->nend; b++)           /* routings search once a target */
        for (int a = 0; a < f->nend; a++) {
            const size_t pair = (size_t)follow_end(f, a) * n + (size_t)follow_end(f, b);

            f->done = (double)b / f->nend;
            s->first[pair] = s->nway;
            s->way = 0;
            if (a != b && (follow_tick(f, err) < 0 || follow_pair(f, r, a, b, layers_turn, s, err) < 0 ||
                           layers_put(s, err) < 0))
                return -1;
        }
    return 0;
}

/* As a file says it of each pair. */
static int layers_given(struct classes *c, const char *path, struct net *net, struct err *err)
{
    struct layers *s = c->state;

    if (TAKE("layers", err, ARRAY(s->of, (size_t)net->n * (size_t)net->n)) < 0 ||
        lanes_read(s->of, &c->most, net, path, err) < 0)
        return -1;
    c->marks = c->most;
    c->invariant = false;
    return spec_append(&c->spec, err, "layers,lanes=%s", path);
}

static int layers_open(struct classes *c, const struct spec *spec, struct follow *f, struct routing *r, size_t nrouting,
                       struct err *err)
{
    struct layers *s = c->state;
    const size_t n = (size_t)f->net->n;
    int ret = -1;

    if (nrouting > 1)
        return err_set(err, ERR_DOMAIN, "layers are for one routing, and here messages take any of %zu", nrouting);
    s->n = f->net->n;
    if (spec_get(spec, "lanes"))
        return layers_given(c, spec_get(spec, "lanes"), f->net, err);
    s->follow = f;
    if (TAKE("layers", err, ARRAY(s->first, n * n), ARRAY(s->turn, f->cables + 1)) < 0)
        return -1;
    s->turn[0] = 0;
    for (size_t l = 0; l < f->cables; l++)
        s->turn[l + 1] = s->turn[l] + first_link(f, f->head[l] + 1) - first_link(f, f->head[l]);
    ret = layers_all(s, r, err);
    c->marks = c->most = s->nlayer > 0 ? s->nlayer : 1;
    for (int i = 0; i < s->nlayer; i++) {
        order_close(&s->layer[i].order);
        FREE(s->layer[i].known);
    }
    s->nlayer = 0;
    FREE(s->turn, s->wait);
    s->turn = NULL;
    s->wait = NULL;
    c->invariant = false;
    c->free = true;
    return ret;
}

static int layers_begin(const struct classes *c, const struct classes_way *at, int)
{
    const struct layers *s = c->state;

    const size_t pair = (size_t)at->source * (size_t)s->n + (size_t)at->target;

    return s->of[s->first ? s->first[pair] + at->way : pair];
}

static int layers_cross(const struct classes *, int mark, int, int)
{
    return mark;
}

const struct classes_kind classes_layers = {
    CLASSES_LAYERS_ENTRY,
    .channels = true,
    .rank = 3,
    .by_pair = true,
    .state = sizeof(struct layers),
    .open = layers_open,
    .close = layers_close,
    .begin = layers_begin,
    .cross = layers_cross,
    .class = classes_mark
};
