/* Repeated pairs of nodes in a list. In one direction they are parallel cables. In both directions, every pair as often
 * one way as the other, the list gives every cable from both ends, and the second entry of each is dropped; a list in
 * which only some pairs are like that is ambiguous, and refused. */
#include "graph/import/imported.h"

struct repeats {
    size_t *by_node;            /* edges by their first (undirected: lower) end; then by the other, as given, turned */
    size_t *partner;            /* by edge: the entry of the same cable from its other end, SIZE_MAX: none */
    bool parallel;              /* some pair has several cables */
    bool both, odd;             /* some pair is given both ways; some is not as often one way as the other */
    size_t second, first;       /* the earliest edge that comes the other way round, and one before */
};

static bool repeats_turned(const struct import *in, size_t e)
{
    return !in->directed && in->end[2 * e] > in->end[2 * e + 1];
}

static int repeats_order(const void *a, const void *b, void *arg)
{
    const struct import *in = arg;
    const size_t e = *(const size_t *)a, g = *(const size_t *)b;
    const bool x = repeats_turned(in, e), y = repeats_turned(in, g);
    const int v = in->end[2 * e + x], w = in->end[2 * g + y], to = in->end[2 * e + !x], there = in->end[2 * g + !y];

    return v != w ? (v > w) - (v < w) : to != there ? (to > there) - (to < there) : x != y ? x - y : (e > g) - (e < g);
}

/* Whether two entries of one cable, from its two ends, name the same ports. */
static bool repeats_meet(const struct import *in, size_t e, size_t g)
{
    return !in->port || (strcmp(in->port[2 * e], in->port[2 * g + 1]) == 0 &&
                         strcmp(in->port[2 * e + 1], in->port[2 * g]) == 0);
}

/* The edges edge[0..n) join the same nodes, those as given before those turned. */
static void repeats_pair(struct repeats *r, const struct import *in, const size_t *edge, size_t n)
{
    size_t given = 0;

    while (given < n && !repeats_turned(in, edge[given]))
        given++;
    r->parallel = r->parallel || given > 1 || n - given > 1;
    r->odd = r->odd || 2 * given != n;
    if (given == 0 || given == n)
        return;
    r->both = true;
    const size_t later = edge[0] > edge[given] ? edge[0] : edge[given];

    if (later < r->second) {
        r->second = later;
        r->first = edge[0] + edge[given] - later;
    }
    for (size_t i = 0; i < given; i++)
        for (size_t k = given; k < n && r->partner[edge[i]] == SIZE_MAX; k++)
            if (r->partner[edge[k]] == SIZE_MAX && repeats_meet(in, edge[i], edge[k])) {
                r->partner[edge[i]] = edge[k];
                r->partner[edge[k]] = edge[i];
            }
}

static void repeats_find(struct repeats *r, const struct import *in)
{
    for (size_t i = 0, to; i < in->nedge; i = to) {
        const size_t e = r->by_node[i];
        const int v = in->end[2 * e], w = in->end[2 * e + 1];

        for (to = i + 1; to < in->nedge; to++) {
            const size_t g = r->by_node[to];

            if ((in->end[2 * g] != v || in->end[2 * g + 1] != w) &&
                (in->directed || in->end[2 * g] != w || in->end[2 * g + 1] != v))
                break;
        }
        repeats_pair(r, in, r->by_node + i, to - i);
    }
}

static int repeats_refuse(const struct repeats *r, const struct import *in, const char *path, struct err *err)
{
    char what[300], line[48] = "an earlier edge";

    if (in->line)
        snprintf(line, sizeof line, "line %zu", in->line[r->first]);
    snprintf(what, sizeof what, "repeats %s the other way round; give every edge both ways, or each once (cables in "
             "parallel in one direction), or say directed=yes if they are one-way links", line);
    return imported_wrong(in, r->second, path, what, err);
}

/* Edge e is edge k from now on, of the same cable as `partner` from the other end. */
static void repeats_keep(struct import *in, size_t k, size_t e, size_t partner)
{
    double *const value[] = { in->bandwidth, in->length };

    in->end[2 * k] = in->end[2 * e];
    in->end[2 * k + 1] = in->end[2 * e + 1];
    for (int i = 0; i < 2; i++)
        if (value[i]) {
            const double there = value[i][2 * e], back = value[i][2 * partner];

            value[i][2 * k] = there;
            value[i][2 * k + 1] = back;
        }
    if (in->port)
        for (size_t i = 0; i < 2; i++) {
            char *mine = in->port[2 * e + i];

            in->port[2 * e + i] = in->port[2 * k + i];      /* dropped names move behind those kept */
            in->port[2 * k + i] = mine;
        }
    if (in->weight)
        in->weight[k] = in->weight[e];
    if (in->line)
        in->line[k] = in->line[e];
}

/* Every cable is given from both ends: the second entry of each is dropped. */
static int repeats_halve(const struct repeats *r, struct import *in, const char *path, struct err *err)
{
    const size_t all = in->nedge;
    size_t kept = 0;

    for (size_t e = 0; e < all; e++) {
        const size_t g = r->partner[e];

        if (g == SIZE_MAX)
            return imported_wrong(in, e, path, "is at other ports from its other end; name the same two ports both "
                                  "times", err);
        if (in->weight && in->weight[e] != in->weight[g] && g < e)
            return imported_wrong(in, e, path, "has another weight than the same edge the other way round; an "
                                  "undirected edge has one weight, or say directed=yes", err);
    }
    for (size_t e = 0; e < all; e++)
        if (r->partner[e] > e)
            repeats_keep(in, kept++, e, r->partner[e]);
    for (size_t i = 2 * kept; in->port && i < 2 * all; i++) {
        free(in->port[i]);
        in->port[i] = NULL;
    }
    in->nedge = kept;
    return 0;
}

int imported_repeats(struct import *in, const char *path, struct err *err)
{
    struct repeats r = { .second = SIZE_MAX };
    int ret = 0;

    if (TAKE(path, err, ARRAY(r.by_node, in->nedge + 1), ARRAY(r.partner, in->nedge + 1)) < 0)
        return -1;
    memset(r.partner, 0xff, in->nedge * sizeof *r.partner);
    for (size_t e = 0; e < in->nedge; e++)
        r.by_node[e] = e;
    qsort_r(r.by_node, in->nedge, sizeof *r.by_node, repeats_order, in);
    repeats_find(&r, in);
    in->parallel = r.parallel;
    if (r.both)
        ret = r.odd ? repeats_refuse(&r, in, path, err) : repeats_halve(&r, in, path, err);
    FREE(r.by_node, r.partner);
    return ret;
}
