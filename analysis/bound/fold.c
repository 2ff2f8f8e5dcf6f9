/* fold.c -- what the symmetries of network, capacities and demand make alike (fold.h).
 * 1. the links    with their capacities, as classes
 * 2. symmetries   generators by BLISS, and translations; orbits of links and sources by union-find
 * 3. together     folded, unfolded, or by the steps of a group; quotient.c has the network as each source sees it */
#include "analysis/bound/fold.h"
#include "analysis/bound/capacity.h"
#include "analysis/bound/quotient.h"
#include "graph/numeric/union_find.h"
#include "graph/distance/distances.h"

#define KINDS 1000              /* of capacities that symmetries are looked for among */

/* ---- the links ---- */

static int add_links(struct fold *f, const struct trunks *t, const double *capacity, struct err *err)
{
    const struct csr *c = t->csr;
    const bool differ = capacity || t->nlink > c->m;

    f->nlink = c->m;
    f->invariant = capacity_invariant(f->net, t, capacity);
    if (TAKE("the symmetries", err, ARRAY(f->link_from, c->m + 1), ARRAY(f->link_to, c->m + 1),
             ARRAY_IF(differ, f->capacity, c->m + 1)) < 0)
        return -1;
    for (int u = 0; u < c->n; u++)
        for (size_t l = c->first[u]; l < c->first[u + 1]; l++) {
            f->link_from[l] = u;
            f->link_to[l] = c->to[l];
            if (differ)
                f->capacity[l] = capacity_trunk(t, capacity, l);
        }
    return 0;
}

/* Classes of links, numbered by class_of, or each link its own. */
static int add_classes(struct fold *f, struct err *err)
{
    if (TAKE("the symmetries", err, ZEROS(f->class_capacity, f->nclass + 1), ZEROS(f->class_size, f->nclass + 1)) < 0)
        return -1;
    for (size_t l = 0; l < f->nlink; l++) {
        f->class_capacity[fold_class(f, l)] += fold_capacity(f, l);
        f->class_size[fold_class(f, l)]++;
    }
    return 0;
}

static int fold_unfolded(struct fold *f, const struct csr *c, const struct demand *d, struct err *err)
{
    struct quotient *q;

    f->nsource = d->nsource;
    f->nclass = f->nlink;
    if (TAKE("the network", err, ARRAY(f->source, f->nsource + 1), ARRAY(f->copies, f->nsource + 1),
             ZEROS(f->view, 1)) < 0)
        return -1;
    for (size_t i = 0; i < f->nsource; i++) {
        f->source[i] = i;
        f->copies[i] = 1;
    }
    q = f->view;
    *q = (struct quotient){ .n = c->n, .root = -1 };
    if (TAKE("the network", err, ARRAY(q->first, (size_t)c->n + 1), ARRAY(q->to, c->m + 1),
             ARRAY(q->class, c->m + 1)) < 0)
        return -1;
    memcpy(q->first, c->first, ((size_t)c->n + 1) * sizeof *q->first);
    if (c->m)
        memcpy(q->to, c->to, c->m * sizeof *q->to);
    for (size_t l = 0; l < c->m; l++)
        q->class[l] = (int)l;
    return add_classes(f, err);
}

/* ---- symmetries ---- */

/* One pair per link for each capacity, coloured by it after the colours of the demand; none where all are the same. */
static int mark_capacities(struct marks *m, const struct fold *f, struct err *err)
{
    const size_t n = m->n + f->nlink;
    size_t kinds = 0, room = m->n;
    double kind[KINDS];
    int colours = 0;

    if (GROW(&room, n + 1, "marked pairs of nodes", err, GROWN(m->from), GROWN(m->to), GROWN(m->colour)) < 0)
        return -1;
    for (size_t i = 0; i < m->n; i++)
        colours = m->colour[i] >= colours ? m->colour[i] + 1 : colours;
    for (size_t l = 0; l < f->nlink; l++) {
        size_t k = 0;

        while (k < kinds && kind[k] != f->capacity[l])
            k++;
        if (k == KINDS) {                       /* hardly a symmetric network: no link is like another */
            m->n = SIZE_MAX;
            return 0;
        }
        if (k == kinds)
            kind[kinds++] = f->capacity[l];
        m->from[m->n + l] = f->link_from[l];
        m->to[m->n + l] = f->link_to[l];
        m->colour[m->n + l] = colours + (int)k;
    }
    if (kinds > 1)
        m->n = n;
    return 0;
}

/* What leaves network, demand and capacities as they are: BLISS's generators, and the translations of a group. */
static int fold_generators(struct maps *out, struct net *net, const struct fold *f, const struct demand *d,
                           const struct tick *tick, struct err *err)
{
    const bool translations = net->group && (d->uniform || d->traffic->invariant) && f->invariant;
    const size_t steps = translations ? (size_t)net->group->ndim : 0;
    struct symmetries s = { 0 };
    struct marks marks = { 0 };
    int ret = -1, stride = net->n;

    if (demand_marks(&marks, d, err) < 0 || (f->capacity && marks.n != SIZE_MAX && mark_capacities(&marks, f, err) < 0))
        goto done;
    if (marks.n != SIZE_MAX && (double)f->nlink <= SYMMETRY_LINKS &&
        symmetries_find(&s, net, marks.n ? &marks : NULL, tick, err) < 0)
        goto done;
    *out = (struct maps){ .group = translations ? net->group : NULL, .n = net->n, .count = s.count + steps };
    if (TAKE("the symmetries", err, ARRAY(out->map, out->count * (size_t)net->n + 1),
             ARRAY(out->inverse, out->count * (size_t)net->n + 1)) < 0)
        goto done;
    if (s.count)
        memcpy(out->map, s.map, s.count * (size_t)net->n * sizeof *out->map);
    for (size_t k = 0; k < steps; k++) {
        int *map = out->map + (s.count + k) * (size_t)net->n;

        stride /= net->group->order[k];
        for (int v = 0; v < net->n; v++)
            map[v] = group_add(net->group, v, stride);
    }
    for (size_t k = 0; k < out->count * (size_t)net->n; k += (size_t)net->n)
        for (int v = 0; v < net->n; v++)
            out->inverse[k + (size_t)out->map[k + (size_t)v]] = v;
    ret = 0;
done:
    symmetries_release(&s);
    marks_release(&marks);
    return ret;
}

/* Nodes and links that the generators take to each other. */
static int fold_orbits(int *node, struct fold *f, const struct csr *c, const struct maps *g, const struct tick *t,
                       struct err *err)
{
    if (TAKE("the symmetries", err, ARRAY(f->class_of, f->nlink + 1)) < 0)
        return -1;
    union_find_alone(node, (size_t)g->n);
    union_find_alone(f->class_of, f->nlink);
    for (size_t k = 0; k < g->count; k++) {
        const int *map = g->map + k * (size_t)g->n;

        if (tick(t, 0))
            return err_stopped(err);
        for (int v = 0; v < g->n; v++)
            union_find_join(node, v, map[v]);
        for (size_t l = 0; l < f->nlink; l++)
            union_find_join(f->class_of, (int)l, (int)csr_link(c, map[f->link_from[l]], map[f->link_to[l]]));
    }
    for (int v = 0; v < g->n; v++)
        node[v] = union_find_root(node, v);
    f->nclass = union_find_number(f->class_of, f->nlink);
    return add_classes(f, err);
}

/* Sources of an orbit of nodes: the first stands for the others. */
static int add_sources(struct fold *f, const struct demand *d, const int *node, struct err *err)
{
    int *place;

    if (TAKE("the folded network", err, ARRAY(place, f->net->n), ARRAY(f->source, d->nsource + 1),
             ZEROS(f->copies, d->nsource + 1)) < 0)
        return -1;
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

/* ---- together ---- */

static int folded(struct fold *f, struct net *net, const struct csr *c, const struct demand *d, const struct maps *g,
                  const struct tick *tick, struct err *err)
{
    int *node, ret = -1;

    if (TAKE("the folded network", err, ARRAY(node, net->n)) == 0 && fold_orbits(node, f, c, g, tick, err) == 0 &&
        add_sources(f, d, node, err) == 0)
        ret = quotients_open(f, d, g, tick, err);
    free(node);
    return ret;
}

static int fold_begin(struct fold *f, struct trunks *t, struct net *net, const double *capacity, struct err *err)
{
    *f = (struct fold){ .net = net };
    return trunks_open_net(t, net, false, err) < 0 ? -1 : add_links(f, t, capacity, err);
}

int fold_open(struct fold *f, struct net *net, const struct demand *d, const double *capacity, bool plain,
              const struct tick *tick, struct err *err)
{
    struct maps g = { 0 };
    struct trunks t = { 0 };
    int ret = -1;

    if (fold_begin(f, &t, net, capacity, err) == 0 && (plain || fold_generators(&g, net, f, d, tick, err) == 0))
        ret = g.count ? folded(f, net, t.csr, d, &g, tick, err) : fold_unfolded(f, t.csr, d, err);
    FREE(g.map, g.inverse);
    trunks_release(&t);
    if (ret < 0)
        fold_close(f);
    return ret;
}

int fold_by_steps(struct fold *f, struct net *net, const struct demand *d, const double *capacity, struct err *err)
{
    struct trunks t = { 0 };
    const struct csr *c;
    int ret = -1;

    if (fold_begin(f, &t, net, capacity, err) < 0)
        goto done;
    c = t.csr;
    if (!f->invariant) {
        ret = fold_unfolded(f, c, d, err);
        goto done;
    }
    f->nclass = c->first[1];
    f->nsource = 1;
    if (TAKE("the symmetries", err, ARRAY(f->class_of, c->m + 1), ZEROS(f->source, 1), ARRAY(f->copies, 1)) < 0)
        goto done;
    f->copies[0] = (double)d->nsource;
    for (size_t l = 0; l < c->m; l++)
        f->class_of[l] = (int)csr_link(c, 0, group_add(net->group, f->link_to[l], group_negative(net->group,
                                       f->link_from[l])));
    ret = add_classes(f, err);
done:
    trunks_release(&t);
    if (ret < 0)
        fold_close(f);
    return ret;
}

void fold_close(struct fold *f)
{
    for (size_t i = 0; f->view && i < (f->folded ? f->nsource : 1); i++)
        FREE(f->view[i].of, f->view[i].first, f->view[i].to, f->view[i].class);
    FREE(f->view, f->link_from, f->link_to, f->capacity, f->class_of, f->class_capacity, f->class_size, f->source,
         f->copies);
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
