/* A network folded by its symmetries (fold.h).
 *   links       in the order of csr_init, or as the capacities say
 *   symmetries  generators from igraph and the group; orbits of links and of sources under them
 *   stabiliser  which nodes the symmetries that keep a source take to each other: Schreier's lemma, random products
 *   together    for each source that stands for others, the quotient graph as it sees it */
#include "analysis/bound/fold.h"

#include <stdlib.h>
#include <string.h>

#include "graph/base/grow.h"
#include "graph/base/mem.h"
#include "graph/numeric/rng.h"
#include "graph/numeric/sets.h"
#include "graph/distance/distances.h"

#define POOL 10                 /* products at hand that random symmetries are made of */
#define MIX 60                  /* products made before one is used */
#define IDLE 25                 /* random symmetries in a row that join nothing: enough */
#define MOST_LINKS 6e5          /* of a network that symmetries are searched for, which cannot be stopped at once; those of its group are known */

/* Numbers the sets 0, 1, ... by their smallest member; returns how many. */
static size_t number(int *parent, size_t n)
{
    size_t count = 0;

    for (size_t i = 0; i < n; i++)              /* all point to their smallest member ... */
        parent[i] = sets_root(parent, (int)i);
    for (size_t i = 0; i < n; i++)              /* ... which comes first, and has its number when the others ask */
        parent[i] = parent[i] == (int)i ? (int)count++ : parent[parent[i]];
    return count;
}

/* ---- the links ---- */

static int add_links(struct fold *f, const struct csr *c, const double *capacity, struct err *err)
{
    f->nlink = c->m;
    f->link_from = malloc((c->m + 1) * sizeof *f->link_from);
    f->link_to = malloc((c->m + 1) * sizeof *f->link_to);
    f->capacity = capacity ? malloc((c->m + 1) * sizeof *f->capacity) : NULL;
    if (!f->link_from || !f->link_to || (capacity && !f->capacity))
        return err_memory(err);
    for (int u = 0; u < c->n; u++)
        for (size_t l = c->first[u]; l < c->first[u + 1]; l++) {
            f->link_from[l] = u;
            f->link_to[l] = c->to[l];
        }
    if (capacity)
        memcpy(f->capacity, capacity, c->m * sizeof *capacity);
    return 0;
}

/* Classes of links, numbered by class_of, or each link its own. */
static int add_classes(struct fold *f, struct err *err)
{
    f->class_capacity = calloc(f->nclass + 1, sizeof *f->class_capacity);
    f->class_size = calloc(f->nclass + 1, sizeof *f->class_size);
    if (!f->class_capacity || !f->class_size)
        return err_memory(err);
    for (size_t l = 0; l < f->nlink; l++) {
        f->class_capacity[fold_class(f, l)] += fold_capacity(f, l);
        f->class_size[fold_class(f, l)]++;
    }
    return 0;
}

static int unfolded(struct fold *f, const struct csr *c, const struct demand *d, struct err *err)
{
    struct quotient *q;

    f->nsource = d->nsource;
    f->nclass = f->nlink;
    f->source = malloc((f->nsource + 1) * sizeof *f->source);
    f->copies = malloc((f->nsource + 1) * sizeof *f->copies);
    f->view = q = calloc(1, sizeof *f->view);
    if (!f->source || !f->copies || !q)
        return err_memory(err);
    for (size_t i = 0; i < f->nsource; i++) {
        f->source[i] = i;
        f->copies[i] = 1;
    }
    *q = (struct quotient){ .n = c->n, .root = -1, .first = malloc(((size_t)c->n + 1) * sizeof *q->first),
                            .to = malloc((c->m + 1) * sizeof *q->to), .class = malloc((c->m + 1) * sizeof *q->class) };
    if (!q->first || !q->to || !q->class)
        return err_memory(err);
    memcpy(q->first, c->first, ((size_t)c->n + 1) * sizeof *q->first);
    if (c->m)
        memcpy(q->to, c->to, c->m * sizeof *q->to);
    for (size_t l = 0; l < c->m; l++)
        q->class[l] = (int)l;
    return add_classes(f, err);
}

/* ---- symmetries ---- */

struct maps {                   /* generators and what is made of them */
    const struct group *group;  /* where its translations are among them, else NULL */
    int n;
    size_t count;
    int *map, *inverse;         /* count * n each */
};

static void invert(int *inverse, const int *map, int n)
{
    for (int v = 0; v < n; v++)
        inverse[map[v]] = v;
}

/* One pair per link for each capacity, coloured by it after the colours of the demand. */
static int mark_capacities(struct marks *m, const struct fold *f, struct err *err)
{
    const size_t n = m->n + f->nlink;
    size_t kinds = 0, room = m->n;
    double *kind;
    int colours = 0;

    if (GROW(&room, n + 1, "marked pairs of nodes", err, GROWN(m->from), GROWN(m->to), GROWN(m->colour)) < 0)
        return -1;
    kind = malloc((f->nlink + 1) * sizeof *kind);
    if (!kind)
        return err_memory(err);
    for (size_t i = 0; i < m->n; i++)
        colours = m->colour[i] >= colours ? m->colour[i] + 1 : colours;
    for (size_t l = 0; l < f->nlink; l++) {
        size_t k = 0;

        while (k < kinds && kind[k] != f->capacity[l] && k < 1000)
            k++;
        if (k == kinds)
            kind[kinds++] = f->capacity[l];
        if (k == 1000) {                        /* hardly a symmetric network: no link is like another */
            m->n = SIZE_MAX;
            break;
        }
        m->from[m->n + l] = f->link_from[l];
        m->to[m->n + l] = f->link_to[l];
        m->colour[m->n + l] = colours + (int)k;
    }
    free(kind);
    if (m->n != SIZE_MAX)
        m->n = n;
    return 0;
}

/* What leaves network, demand and capacities as they are: BLISS's generators, and the translations of a group. */
static int generators(struct maps *out, struct net *net, const struct fold *f, const struct demand *d, const struct tick *tick,
                      struct err *err)
{
    const bool translations = net->group && (d->uniform || d->traffic->invariant) && !f->capacity;
    const size_t steps = translations ? (size_t)net->group->ndim : 0;
    struct symmetries s = { 0 };
    struct marks marks = { 0 };
    int ret = -1, stride = net->n;

    if (demand_marks(&marks, d, err) < 0 || (f->capacity && marks.n != SIZE_MAX && mark_capacities(&marks, f, err) < 0))
        goto done;
    if (marks.n != SIZE_MAX && (double)f->nlink <= MOST_LINKS && symmetries_find(&s, net, marks.n ? &marks : NULL, tick, err) < 0)
        goto done;
    *out = (struct maps){ .group = translations ? net->group : NULL, .n = net->n, .count = s.count + steps };
    out->map = malloc((out->count * (size_t)net->n + 1) * sizeof *out->map);
    out->inverse = malloc((out->count * (size_t)net->n + 1) * sizeof *out->inverse);
    if (!out->map || !out->inverse) {
        err_memory(err);
        goto done;
    }
    if (s.count)
        memcpy(out->map, s.map, s.count * (size_t)net->n * sizeof *out->map);
    for (size_t k = 0; k < steps; k++) {
        int *map = out->map + (s.count + k) * (size_t)net->n;

        stride /= net->group->order[k];
        for (int v = 0; v < net->n; v++)
            map[v] = group_add(net->group, v, stride);
    }
    for (size_t k = 0; k < out->count; k++)
        invert(out->inverse + k * (size_t)net->n, out->map + k * (size_t)net->n, net->n);
    ret = 0;
done:
    symmetries_release(&s);
    marks_release(&marks);
    return ret;
}

static void maps_release(struct maps *m)
{
    free(m->map);
    free(m->inverse);
    *m = (struct maps){ 0 };
}

/* Nodes and links that the generators take to each other. */
static int orbits(int *node, struct fold *f, const struct csr *c, const struct maps *g, const struct tick *t, struct err *err)
{
    f->class_of = malloc((f->nlink + 1) * sizeof *f->class_of);
    if (!f->class_of)
        return err_memory(err);
    sets_alone(node, (size_t)g->n);
    sets_alone(f->class_of, f->nlink);
    for (size_t k = 0; k < g->count; k++) {
        const int *map = g->map + k * (size_t)g->n;

        if (tick(t, 0))
            return err_stopped(err);
        for (int v = 0; v < g->n; v++)
            sets_join(node, v, map[v]);
        for (size_t l = 0; l < f->nlink; l++)
            sets_join(f->class_of, (int)l, (int)csr_link(c, map[f->link_from[l]], map[f->link_to[l]]));
    }
    for (int v = 0; v < g->n; v++)
        node[v] = sets_root(node, v);
    f->nclass = number(f->class_of, f->nlink);
    return add_classes(f, err);
}

/* Sources of an orbit of nodes: the first stands for the others. */
static int add_sources(struct fold *f, const struct demand *d, const int *node, struct err *err)
{
    int *place = malloc((size_t)f->net->n * sizeof *place);

    f->source = malloc((d->nsource + 1) * sizeof *f->source);
    f->copies = calloc(d->nsource + 1, sizeof *f->copies);
    if (!place || !f->source || !f->copies) {
        free(place);
        return err_memory(err);
    }
    for (int v = 0; v < f->net->n; v++)
        place[v] = -1;
    for (size_t i = 0; i < d->nsource; i++) {
        int *at = &place[node[d->source[i]]];

        if (*at < 0) {
            *at = (int)f->nsource;
            f->source[f->nsource++] = i;
        }
        f->copies[*at]++;
    }
    free(place);
    return 0;
}

/* ---- what keeps a source where it is ---- */

struct stabiliser {
    const struct maps *g;
    int *via;                   /* by node of the root's orbit: the generator by which it was reached, -1 at the root; else -2 */
    int *queue;
    int *pool;                  /* POOL symmetries */
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

/* work := pool[a] times a product, by exchange of a pool's member with its product with another (Celler et al. 1995). */
static const int *random_symmetry(struct stabiliser *s)
{
    const size_t n = (size_t)s->g->n;
    const size_t a = rng_below(&s->rng, POOL), b = (a + 1 + rng_below(&s->rng, POOL - 1)) % POOL;
    int *x = s->pool + a * n;
    const int *y = s->pool + b * n;

    for (size_t v = 0; v < n; v++)
        x[v] = y[x[v]];
    return x;
}

/* Schreier's: a symmetry followed by the way back to the root keeps the root. The way is a translation where there are such, else
 * along the tree. */
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

    sets_alone(of, n);
    if (!s->g->group)
        stabiliser_grow(s, root);
    rng_seed(&s->rng, 1);                       /* what is found is the same every time */
    for (size_t k = 0; k < POOL; k++)
        memcpy(s->pool + k * n, s->g->map + k % s->g->count * n, n * sizeof *s->pool);
    for (size_t k = 0; k < s->g->count; k++) {
        if (tick(t, 0))
            return err_stopped(err);
        bring_back(s, s->g->map + k * n, root);
        for (size_t v = 0; v < n; v++)
            sets_join(of, (int)v, s->work[v]);
    }
    for (int k = 0; k < MIX; k++)
        random_symmetry(s);
    for (int idle = 0; idle < IDLE; idle++) {
        if (tick(t, 0))
            return err_stopped(err);
        bring_back(s, random_symmetry(s), root);
        for (size_t v = 0; v < n; v++)
            if (sets_join(of, (int)v, s->work[v]))
                idle = -1;
    }
    return 0;
}

struct arc {
    int from, to, class;
};

static int by_place(const void *a, const void *b)
{
    const struct arc *p = a, *q = b;
    const int x[] = { p->from, p->to, p->class }, y[] = { q->from, q->to, q->class };

    for (int i = 0; i < 3; i++)
        if (x[i] != y[i])
            return x[i] < y[i] ? -1 : 1;
    return 0;
}

/* Links between the same places and of the same class are one arc; those within a place lead nowhere. */
static int quotient_open(struct quotient *q, const struct fold *f, int *of, int root, struct arc *arc, struct err *err)
{
    size_t n = 0, kept = 0;

    q->n = (int)number(of, (size_t)f->net->n);
    q->root = of[root];
    for (size_t l = 0; l < f->nlink; l++)
        if (of[f->link_from[l]] != of[f->link_to[l]])
            arc[n++] = (struct arc){ of[f->link_from[l]], of[f->link_to[l]], (int)fold_class(f, l) };
    qsort(arc, n, sizeof *arc, by_place);
    for (size_t i = 0; i < n; i++)
        if (kept == 0 || by_place(&arc[kept - 1], &arc[i]) != 0)
            arc[kept++] = arc[i];
    q->of = malloc((size_t)f->net->n * sizeof *q->of);
    q->first = calloc((size_t)q->n + 1, sizeof *q->first);
    q->to = malloc((kept + 1) * sizeof *q->to);
    q->class = malloc((kept + 1) * sizeof *q->class);
    if (!q->of || !q->first || !q->to || !q->class)
        return err_memory(err);
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

static int add_views(struct fold *f, const struct demand *d, const struct maps *g, const struct tick *t, struct err *err)
{
    const size_t n = (size_t)g->n;
    struct stabiliser s = { .g = g };
    struct arc *arc = malloc((f->nlink + 1) * sizeof *arc);
    int *of = malloc(n * sizeof *of), ret = -1;

    s.via = malloc(n * sizeof *s.via);
    s.queue = malloc(n * sizeof *s.queue);
    s.pool = malloc(POOL * n * sizeof *s.pool);
    s.work = malloc(n * sizeof *s.work);
    f->view = calloc(f->nsource, sizeof *f->view);
    if (!arc || !of || !s.via || !s.queue || !s.pool || !s.work || !f->view) {
        err_memory(err);
        goto done;
    }
    f->folded = true;
    for (size_t i = 0; i < f->nsource; i++) {
        const int root = d->source[f->source[i]];
        const struct quotient *q = &f->view[i];

        tick_say(t, "symmetry, source %zu of %zu", i + 1, f->nsource);
        if (orbits_around(of, &s, root, t, err) < 0 || quotient_open(&f->view[i], f, of, root, arc, err) < 0)
            goto done;
        /* Some sources see more than others: asked again and again, of as many as are still to come. */
        if ((i & (i - 1)) == 0 && mem_need((double)(f->nsource - i) * (4.0 * (double)n + 8.0 * q->n + 8.0 * (double)q->first[q->n]),
                                           "the network as each source sees it", err) < 0)
            goto done;
    }
    ret = 0;
done:
    free(arc);
    free(of);
    free(s.via);
    free(s.queue);
    free(s.pool);
    free(s.work);
    return ret;
}

/* ---- together ---- */

static int folded(struct fold *f, struct net *net, const struct csr *c, const struct demand *d, const struct maps *g,
                  const struct tick *tick, struct err *err)
{
    int *node = malloc((size_t)net->n * sizeof *node);
    int ret = -1;

    if (!node)
        err_memory(err);
    else if (orbits(node, f, c, g, tick, err) == 0 && add_sources(f, d, node, err) == 0)
        ret = add_views(f, d, g, tick, err);
    free(node);
    return ret;
}

int fold_open(struct fold *f, struct net *net, const struct demand *d, const double *capacity, bool plain,
              const struct tick *tick, struct err *err)
{
    const igraph_t *graph;
    struct maps g = { 0 };
    struct csr c = { 0 };
    int ret = -1;

    *f = (struct fold){ .net = net };
    if (net_graph(net, &graph, err) < 0 || csr_init(&c, graph, false, err) < 0)
        return -1;
    if (mem_need(60.0 * (double)c.m, "the links of the network", err) < 0 || add_links(f, &c, capacity, err) < 0)
        goto done;
    if (!plain && generators(&g, net, f, d, tick, err) < 0)
        goto done;
    ret = g.count ? folded(f, net, &c, d, &g, tick, err) : unfolded(f, &c, d, err);
done:
    maps_release(&g);
    csr_release(&c);
    if (ret < 0)
        fold_close(f);
    return ret;
}

int fold_by_steps(struct fold *f, struct net *net, const struct demand *d, struct err *err)
{
    const igraph_t *graph;
    struct csr c = { 0 };
    int ret = -1;

    *f = (struct fold){ .net = net };
    if (net_graph(net, &graph, err) < 0 || csr_init(&c, graph, false, err) < 0)
        return -1;
    if (add_links(f, &c, NULL, err) < 0)
        goto done;
    f->nclass = c.first[1];
    f->nsource = 1;
    f->class_of = malloc((c.m + 1) * sizeof *f->class_of);
    f->source = calloc(1, sizeof *f->source);
    f->copies = malloc(sizeof *f->copies);
    if (!f->class_of || !f->source || !f->copies) {
        err_memory(err);
        goto done;
    }
    f->copies[0] = (double)d->nsource;
    for (size_t l = 0; l < c.m; l++)
        f->class_of[l] = (int)csr_link(&c, 0, group_add(net->group, f->link_to[l], group_negative(net->group, f->link_from[l])));
    ret = add_classes(f, err);
done:
    csr_release(&c);
    if (ret < 0)
        fold_close(f);
    return ret;
}

void fold_close(struct fold *f)
{
    for (size_t i = 0; f->view && i < (f->folded ? f->nsource : 1); i++) {
        free(f->view[i].of);
        free(f->view[i].first);
        free(f->view[i].to);
        free(f->view[i].class);
    }
    free(f->view);
    free(f->link_from);
    free(f->link_to);
    free(f->capacity);
    free(f->class_of);
    free(f->class_capacity);
    free(f->class_size);
    free(f->source);
    free(f->copies);
    *f = (struct fold){ 0 };
}

void fold_demand(double *at, double *row, const struct fold *f, const struct demand *d, size_t i)
{
    const struct quotient *q = fold_view(f, i);

    demand_row(d, f->source[i], row);
    memset(at, 0, (size_t)q->n * sizeof *at);
    for (int v = 0; v < f->net->n; v++)
        at[q->of ? q->of[v] : v] += row[v];
}
