#include "analysis/bound/quotient.h"
#include "graph/base/order.h"
#include "graph/numeric/rng.h"
#include "graph/numeric/union_find.h"

#define POOL 10                 /* products at hand that random symmetries are made of: as many as generators, */
#define MOST_POOL 64            /* but between these two */
#define MIX(pool) (6 * (pool) * (pool) / 10)    /* products made before one is used */
#define IDLE 25                 /* random symmetries in a row that join nothing: enough */

/* ---- what keeps a source where it is ---- */

struct stabiliser {
    const struct maps *g;
    int *via;                   /* by node of the root's orbit: the generator that reached it; root -1, others -2 */
    int *queue;
    size_t npool;
    int *pool;                  /* npool symmetries */
    int *work;                  /* one more */
    struct rng rng;
};

/* A tree over the orbit of `root`. */
static void stabiliser_grow(struct stabiliser *s, int root)
{
    const int n = s->g->n;
    int head = 0, tail = 0;

    for (int v = 0; v < n; v++)
        s->via[v] = -2;
    s->via[root] = -1;
    s->queue[tail++] = root;
    while (head < tail) {
        const int v = s->queue[head++];

        for (size_t k = 0; k < s->g->count; k++) {
            const int w = s->g->map[k * (size_t)n + (size_t)v];

            if (s->via[w] == -2) {
                s->via[w] = (int)k;
                s->queue[tail++] = w;
            }
        }
    }
}

/* work := pool[a] times a product, by exchange of a member with its product with another (Celler et al. 1995). */
static const int *random_symmetry(struct stabiliser *s)
{
    const size_t n = (size_t)s->g->n;
    const size_t a = rng_below(&s->rng, s->npool), b = (a + 1 + rng_below(&s->rng, s->npool - 1)) % s->npool;
    int *x = s->pool + a * n;
    const int *y = s->pool + b * n;

    for (size_t v = 0; v < n; v++)
        x[v] = y[x[v]];
    return x;
}

/* Schreier's: a symmetry followed by the way back to the root keeps the root. The way is a translation where there are
 * such, else along the tree. */
static void bring_back(struct stabiliser *s, const int *map, int root)
{
    const struct group *group = s->g->group;
    const size_t n = (size_t)s->g->n;
    int at = map[root];

    if (group) {
        const int back = group_add(group, root, group_negative(group, at));

        for (size_t v = 0; v < n; v++)
            s->work[v] = group_add(group, map[v], back);
        return;
    }
    memcpy(s->work, map, n * sizeof *map);
    while (at != root) {
        const int *inverse = s->g->inverse + (size_t)s->via[at] * n;

        for (size_t v = 0; v < n; v++)
            s->work[v] = inverse[s->work[v]];
        at = inverse[at];
    }
}

/* of[v]: nodes that symmetries which keep `root` take to each other. */
static int orbits_around(int *of, struct stabiliser *s, int root, const struct tick *t, struct err *err)
{
    const size_t n = (size_t)s->g->n;

    union_find_alone(of, n);
    if (!s->g->group)
        stabiliser_grow(s, root);
    rng_seed(&s->rng, 1);                       /* what is found is the same every time */
    for (size_t k = 0; k < s->npool; k++)
        memcpy(s->pool + k * n, s->g->map + k % s->g->count * n, n * sizeof *s->pool);
    for (size_t k = s->npool; k < s->g->count; k++)
        for (size_t v = 0; v < n; v++)
            s->pool[k % s->npool * n + v] = s->g->map[k * n + (size_t)s->pool[k % s->npool * n + v]];
    for (size_t k = 0; k < s->g->count; k++) {
        if (tick(t, 0))
            return err_stopped(err);
        bring_back(s, s->g->map + k * n, root);
        for (size_t v = 0; v < n; v++)
            union_find_join(of, (int)v, s->work[v]);
    }
    for (size_t k = 0; k < MIX(s->npool); k++)
        random_symmetry(s);
    for (int idle = 0; idle < IDLE; idle++) {
        if (tick(t, 0))
            return err_stopped(err);
        bring_back(s, random_symmetry(s), root);
        for (size_t v = 0; v < n; v++)
            if (union_find_join(of, (int)v, s->work[v]))
                idle = -1;
    }
    return 0;
}

/* ---- the quotient ---- */

struct arc {
    int from, to, class;
};

ORDER(by_place, struct arc, UP(from) UP(to) UP(class))

/* Links between the same places and of the same class are one arc; those within a place lead nowhere. */
static int quotient_open(struct quotient *q, const struct fold *f, int *of, int root, struct arc *arc, struct err *err)
{
    size_t n = 0, kept = 0;

    q->n = (int)union_find_number(of, (size_t)f->net->n);
    q->root = of[root];
    for (size_t l = 0; l < f->nlink; l++)
        if (of[f->link_from[l]] != of[f->link_to[l]])
            arc[n++] = (struct arc){ of[f->link_from[l]], of[f->link_to[l]], (int)fold_class(f, l) };
    qsort(arc, n, sizeof *arc, by_place);
    for (size_t i = 0; i < n; i++)
        if (kept == 0 || by_place(&arc[kept - 1], &arc[i]) != 0)
            arc[kept++] = arc[i];
    if (TAKE("the folded network", err, ARRAY(q->of, f->net->n), ZEROS(q->first, (size_t)q->n + 1),
             ARRAY(q->to, kept + 1), ARRAY(q->class, kept + 1)) < 0)
        return -1;
    memcpy(q->of, of, (size_t)f->net->n * sizeof *of);
    for (size_t i = 0; i < kept; i++) {
        q->first[arc[i].from + 1]++;
        q->to[i] = arc[i].to;
        q->class[i] = arc[i].class;
    }
    for (int x = 0; x < q->n; x++)
        q->first[x + 1] += q->first[x];
    return 0;
}

static double quotient_bytes(const struct quotient *q, size_t nodes)
{
    return (double)nodes * sizeof *q->of + (double)q->n * sizeof *q->first +
        (double)q->first[q->n] * (sizeof *q->to + sizeof *q->class);
}

int quotients_open(struct fold *f, const struct demand *d, const struct maps *g, const struct tick *t, struct err *err)
{
    const size_t n = (size_t)g->n;
    struct stabiliser s = { .g = g, .npool = g->count < POOL ? POOL : g->count < MOST_POOL ? g->count : MOST_POOL };
    struct arc *arc = NULL;
    int *of = NULL, ret = -1;

    if (TAKE("the network as a source sees it", err, ZEROS(f->view, f->nsource), ARRAY(arc, f->nlink + 1),
             ARRAY(of, n), ARRAY(s.via, n), ARRAY(s.queue, n), ARRAY(s.pool, n * s.npool), ARRAY(s.work, n)) < 0)
        return -1;
    f->folded = true;
    for (size_t i = 0; i < f->nsource; i++) {
        const int root = d->source[f->source[i]];
        tick_say(t, "symmetry, source %zu of %zu", i + 1, f->nsource);
        if (orbits_around(of, &s, root, t, err) < 0 || quotient_open(&f->view[i], f, of, root, arc, err) < 0)
            goto done;
        /* Some sources see more than others: asked again and again, of as many as are still to come. */
        if ((i & (i - 1)) == 0 && mem_need((double)(f->nsource - i) * quotient_bytes(&f->view[i], n),
                                           "the network as each source sees it", err) < 0)
            goto done;
    }
    ret = 0;
done:
    FREE(arc, of, s.via, s.queue, s.pool, s.work);
    return ret;
}
