#include "graph/import/imported.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct repeats {
    size_t *by_node, *start;    /* edges by their first (undirected: lower) end, in the order of the file */
    size_t *last;               /* per node: 1 + the edge that last led to it from the node being looked at */
    unsigned char *state;       /* per edge: how often it was met the other way round */
    size_t pairs;               /* edges met once more, the other way round */
    size_t second, first;       /* the earliest edge of the file that repeats, and what it repeats */
    bool again;                 /* it repeats in the same direction, or a third time */
};

static int lower(const struct import *in, size_t e)
{
    int from = in->end[2 * e], to = in->end[2 * e + 1];

    return in->directed || from < to ? from : to;
}

static void bucket(struct repeats *r, const struct import *in)
{
    for (size_t e = 0; e < in->nedge; e++)
        r->start[lower(in, e) + 1]++;
    for (int v = 0; v < in->n; v++)
        r->start[v + 1] += r->start[v];
    for (size_t e = 0; e < in->nedge; e++)
        r->by_node[r->start[lower(in, e)]++] = e;       /* start[v] ends where v's edges end */
}

/* Edges are met node by node; among them, those that repeat an earlier one. */
static void find_repeats(struct repeats *r, const struct import *in)
{
    size_t i = 0;

    for (int v = 0; v < in->n; v++)
        for (; i < r->start[v]; i++) {
            size_t e = r->by_node[i];
            int other = in->end[2 * e] + in->end[2 * e + 1] - v;
            size_t before = r->last[other];
            bool again;

            r->last[other] = e + 1;
            /* a mark left by another node names an edge that does not start here */
            if (before == 0 || lower(in, before - 1) != v)
                continue;
            again = in->end[2 * e] == in->end[2 * (before - 1)] || r->state[before - 1] > 0;
            r->state[e] = 1;
            r->pairs += !again;
            if ((again && !r->again) || (again == r->again && e < r->second)) {
                r->second = e;
                r->first = before - 1;
                r->again = again;
            }
        }
}

static int refuse_repeat(const struct repeats *r, const struct import *in, const char *path, struct err *err)
{
    char what[240], line[48] = "an earlier edge";

    if (in->line)
        snprintf(line, sizeof line, "line %zu", in->line[r->first]);
    snprintf(what, sizeof what, "repeats %s; %s", line,
             in->directed ? "give each link once" : r->again ? "give each edge once" :
             "give each edge once, or every edge both ways, or say directed=yes if they are one-way links");
    return imported_wrong(in, r->second, path, what, err);
}

/* Every edge both ways: the second of each pair goes. */
static int halve(struct repeats *r, struct import *in, const char *path, struct err *err)
{
    size_t *partner = r->last;  /* per node again, of the node being looked at */
    size_t kept = 0, i = 0;

    for (int v = 0; v < in->n && in->weight; v++)
        for (; i < r->start[v]; i++) {
            size_t e = r->by_node[i];
            int other = in->end[2 * e] + in->end[2 * e + 1] - v;

            if (r->state[e] && in->weight[e] != in->weight[partner[other]])
                return imported_wrong(in, e, path, "has another weight than the same edge the other way round; an "
                                  "undirected edge has one weight, or say directed=yes", err);
            partner[other] = e;
        }
    for (size_t e = 0; e < in->nedge; e++) {
        if (r->state[e])
            continue;
        in->end[2 * kept] = in->end[2 * e];
        in->end[2 * kept + 1] = in->end[2 * e + 1];
        if (in->weight)
            in->weight[kept] = in->weight[e];
        if (in->line)
            in->line[kept] = in->line[e];
        kept++;
    }
    in->nedge = kept;
    return 0;
}

int imported_repeats(struct import *in, const char *path, struct err *err)
{
    struct repeats r = { .by_node = malloc((in->nedge + 1) * sizeof *r.by_node),
                         .start = calloc((size_t)in->n + 1, sizeof *r.start),
                         .last = calloc((size_t)in->n, sizeof *r.last),
                         .state = calloc(in->nedge + 1, 1), .second = SIZE_MAX };
    int ret = 0;

    if (!r.by_node || !r.start || !r.last || !r.state) {
        ret = err_memory(err);
    } else {
        bucket(&r, in);
        find_repeats(&r, in);
        if (r.second != SIZE_MAX)
            ret = !r.again && !in->directed && 2 * r.pairs == in->nedge ? halve(&r, in, path, err) :
                                                                          refuse_repeat(&r, in, path, err);
    }
    free(r.by_node);
    free(r.start);
    free(r.last);
    free(r.state);
    return ret;
}
