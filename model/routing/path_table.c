#include "model/routing/path_table.h"
#include "graph/base/bisect.h"

/* ---- streams ---------------------------------------------------------------------------------------- */

static int path_table_by_ends(int s, int t, int u, int v)
{
    return s != u ? (s > u) - (s < u) : (t > v) - (t < v);
}

/* Those with a name first, by it; the others by source and target. */
static int by_key(const char *a, int s, int t, const char *b, int u, int v)
{
    if (a && b)
        return strcmp(a, b);
    return a || b ? (b != NULL) - (a != NULL) : path_table_by_ends(s, t, u, v);
}

static int by_stream(const void *a, const void *b)
{
    const struct given *p = a, *q = b;
    const int key = by_key(p->name, p->source, p->target, q->name, q->source, q->target);

    return key ? key : (p->way > q->way) - (p->way < q->way);
}

static int to_stream(const void *key, const void *stream)
{
    const struct path_stream *p = key, *q = stream;

    return by_key(p->name, p->source, p->target, q->name, q->source, q->target);
}

/* Those without a name before those with one. */
static int by_pair(const void *a, const void *b)
{
    const struct path_stream *p = *(struct path_stream *const *)a, *q = *(struct path_stream *const *)b;
    const int ends = path_table_by_ends(p->source, p->target, q->source, q->target);

    if (ends)
        return ends;
    return p->name && q->name ? strcmp(p->name, q->name) : (p->name != NULL) - (q->name != NULL);
}

const int *path_table_stops(const struct ways *w, size_t way, size_t *n)
{
    const size_t from = way ? w->end[way - 1] : 0;

    *n = w->end[way] - from;
    return w->stop + from;
}

/* A total order of paths; 0 where two are the same. */
static int path_table_differ(const struct ways *w, size_t a, size_t b)
{
    size_t na, nb;
    const int *x = path_table_stops(w, a, &na), *y = path_table_stops(w, b, &nb);
    const int order = na != nb ? (na > nb) - (na < nb) : memcmp(x, y, na * sizeof *x);

    return order ? order : memcmp(w->cable + (x - w->stop), w->cable + (y - w->stop), na * sizeof *x);
}

/* An order that places equal paths side by side, the earlier first. */
static int by_stops(const void *a, const void *b, void *ways)
{
    const struct given *p = *(const struct given *const *)a, *q = *(const struct given *const *)b;
    const int order = path_table_differ(ways, p->way, q->way);

    return order ? order : (p->way > q->way) - (p->way < q->way);
}

/* Refuses a stream that lists a path twice, naming the first that does. */
static int check_twice(struct path_table *t, const struct path_stream *c, const struct net *net, struct err *err)
{
    const struct given **order, *twice = NULL, *before = NULL;
    char name[2][96];

    if (c->n < 2)
        return 0;
    if (TAKE("paths of a table", err, ARRAY(order, c->n)) < 0)
        return -1;
    for (size_t i = 0; i < c->n; i++)
        order[i] = &t->given[c->first + i];
    qsort_r(order, c->n, sizeof *order, by_stops, &t->all);
    for (size_t i = 1; i < c->n; i++)
        if (path_table_differ(&t->all, order[i]->way, order[i - 1]->way) == 0 &&
            (!twice || order[i]->way < twice->way)) {
            twice = order[i];
            before = order[i - 1];
        }
    free(order);
    return !twice ? 0 : err_set(err, ERR_FORMAT, "%.200s:%zu: this path from %s to %s stands on line %zu already",
                                t->path, twice->line, net_label(net, c->source, name[0]), net_label(net, c->target,
                                name[1]), before->line);
}

/* The paths of a stream join one pair of nodes, differ, and have shares that sum to 1. */
static int check_stream(struct path_table *t, const struct path_stream *c, const struct net *net, struct err *err)
{
    struct given *g = t->given + c->first;
    char name[4][96];
    double sum = 0;

    for (size_t i = 0; i < c->n; i++) {
        if (path_table_by_ends(g[i].source, g[i].target, g->source, g->target) != 0)
            return err_set(err, ERR_FORMAT, "%.200s:%zu: channel %.60s leads from %s to %s here, from %s to %s on line "
                           "%zu", t->path, g[i].line, c->name, net_label(net, g[i].source, name[0]),
                           net_label(net, g[i].target, name[1]), net_label(net, g->source, name[2]),
                           net_label(net, g->target, name[3]), g->line);
        sum += g[i].share;
    }
    if (check_twice(t, c, net, err) < 0)
        return -1;
    if (!isfinite(sum))
        return err_set(err, ERR_FORMAT, "%.200s:%zu: the shares of the paths from %s to %s are too large to be added "
                       "up", t->path, g->line, net_label(net, g->source, name[0]), net_label(net, g->target, name[1]));
    for (size_t i = 0; i < c->n; i++)
        g[i].share /= sum;
    return 0;
}

int path_table_gather(struct path_table *t, const struct net *net, struct err *err)
{
    const size_t n = t->all.n;

    qsort(t->given, n, sizeof *t->given, by_stream);
    if (TAKE("paths of a table", err, ARRAY(t->stream, n), ARRAY(t->by_pair, n)) < 0)
        return -1;
    for (size_t i = 0; i < n; i++) {
        const struct given *g = &t->given[i];
        struct path_stream *c = t->stream + t->nstream;

        if (i > 0 && by_key(g->name, g->source, g->target, g[-1].name, g[-1].source, g[-1].target) == 0) {
            c[-1].n++;
            continue;
        }
        *c = (struct path_stream){ g->name, g->source, g->target, i, 1 };
        t->by_pair[t->nstream++] = c;
    }
    qsort(t->by_pair, t->nstream, sizeof *t->by_pair, by_pair);
    for (size_t i = 0; i < t->nstream; i++)
        if (check_stream(t, &t->stream[i], net, err) < 0)
            return -1;
    return 0;
}

/* ---- looking up -------------------------------------------------------------------------------------- */

/* The first stream in by_pair of the pair's; n: how many. */
static struct path_stream *const *of_pair(const struct path_table *t, int source, int target, size_t *n)
{
    size_t at;

    BISECT(at, 0, t->nstream, i,
           path_table_by_ends(t->by_pair[i]->source, t->by_pair[i]->target, source, target) < 0);
    for (*n = 0; at + *n < t->nstream; ++*n)
        if (path_table_by_ends(t->by_pair[at + *n]->source, t->by_pair[at + *n]->target, source, target) != 0)
            break;
    return t->by_pair + at;
}

const struct path_stream *path_table_find(const struct path_table *t, const struct net *net, const char *name,
                                      int source, int target, struct err *err)
{
    const struct path_stream key = { .name = name }, *c = NULL;
    struct path_stream *const *pair;
    char label[4][NET_LABEL], channel[80] = "";
    const char *from = net_label(net, source, label[0]), *to = net_label(net, target, label[1]);
    size_t n;

    if (name) {
        snprintf(channel, sizeof channel, "%.60s", name);
        c = bsearch(&key, t->stream, t->nstream, sizeof *c, to_stream);
    }
    if (c && path_table_by_ends(c->source, c->target, source, target) != 0) {
        err_set(err, ERR_DOMAIN, "table %.200s leads channel %s from %s to %s; it is asked for from %s to %s", t->path,
                channel, net_label(net, c->source, label[2]), net_label(net, c->target, label[3]), from, to);
        return NULL;
    }
    if (c)
        return c;
    pair = of_pair(t, source, target, &n);
    if (n == 1 || (n && !pair[0]->name))
        return pair[0];
    if (n)
        err_set(err, ERR_DOMAIN, "table %.200s has %zu channels from %s to %s, among them %.60s and %.60s, and none is "
                "%s", t->path, n, from, to, pair[0]->name, pair[1]->name, name ? channel : "without a name");
    else if (name)
        err_set(err, ERR_DOMAIN, "table %.200s has no path for channel %s (%s to %s)", t->path, channel, from, to);
    else
        err_set(err, ERR_DOMAIN, "table %.200s has no path from %s to %s", t->path, from, to);
    return NULL;
}
