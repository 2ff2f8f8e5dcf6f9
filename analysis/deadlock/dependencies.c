/* What waits for what (dependencies.h).
 *   graph      bits (gather.h) into lists, folded ones for all nodes where a cycle is to be shown
 *   causes     a route for each dependency of the cycle */
#include "analysis/deadlock/cycles.h"
#include "analysis/deadlock/escape.h"
#include "analysis/deadlock/gather.h"

/* ---- graph ---- */

static int graph_count(void *arg, int from, int)
{
    struct deadlock *d = arg;

    d->first[from + 1]++;
    return 0;
}

static int graph_put(void *arg, int from, int to)
{
    struct deadlock *d = arg;

    d->to[d->first[from]++] = to;
    return 0;
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
            qsort(list, end - begin, sizeof *list, num_ascending);
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
                const int a = gather_moved(f, (int)from, (int)v) * (int)c + (int)(at / c % c);
                const int b = gather_moved(f, (int)to, (int)v) * (int)c + (int)(at % c);

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
    if (gather_open(&g, &d, folded, o->most, err) < 0 || gather_all(&g, o, &rest, err) < 0 ||
        graph_open(&g, o->verdict, err) < 0 ||
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

static int cause_found(void *arg, const struct turn *turn, struct err *)
{
    struct cause *c = arg;
    const struct deadlock *d = c->g->d;
    const bool folded = c->g->folded, buffers = d->holds == HOLDS_BUFFERS;
    const int classes = d->classes.most;
    int from, out;

    if (turn->in < 0 && !buffers)
        return 0;
    out = gather_out(c->g, turn->in, turn->out);
    from = !buffers ? gather_place(d, gather_link(c->g, turn->in), folded) : folded ? 0 : d->follow.tail[turn->out];
    if (from * classes + gather_class(d, turn->in_mark, turn->in) != c->from ||
        gather_place(d, out, folded) * classes + gather_class(d, turn->out_mark, turn->out) != c->to ||
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

enum { CYCLE_SHOWN = 6 };

char *deadlock_cycle_text(const struct deadlock *d)
{
    char *text = NULL, class[40] = "";
    struct err memory;
    int ret = 0;

    for (size_t i = 0; ret == 0 && i < d->ncycle && i < CYCLE_SHOWN; i++) {
        char *label = deadlock_label(d, d->cycle[i]);

        if (d->classes.most > 1)
            snprintf(class, sizeof class, " (class %d)", deadlock_class(d, d->cycle[i]));
        ret = label ? spec_append(&text, &memory, "%s%s%s", i ? ", " : "", label, class) : -1;
        free(label);
    }
    if (ret == 0)
        ret = spec_append(&text, &memory, "%s wait for one another in a cycle of %zu%s",
                          d->ncycle > CYCLE_SHOWN ? " ..." : "", d->ncycle,
                          d->shortest ? ", the shortest there is" : ", the shortest through the first that is in any");
    if (ret == 0)
        return text;
    free(text);
    return NULL;
}
