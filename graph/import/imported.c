/* What every network read from a file must keep (imported.h): nodes and their names, edges, weights, ports. */
#include "graph/import/imported.h"
#include "graph/base/names.h"
#include "graph/base/utf8.h"

static int check_edges(const struct import *in, const char *path, struct err *err)
{
    char what[120], number[32];

    for (size_t e = 0; e < in->nedge; e++) {
        int from = in->end[2 * e], to = in->end[2 * e + 1];

        if (from < 0 || from >= in->n || to < 0 || to >= in->n)
            return err_set(err, ERR_FORMAT, "%s: edge %zu has an end that is none of the %d nodes", path, e + 1, in->n);
        if (from == to)
            return imported_wrong(in, e, path, "is a loop; a link joins two different nodes, remove it", err);
        if (in->weight && !isfinite(in->weight[e]))
            return imported_wrong(in, e, path, "has no weight that is a finite number; give every edge one, or none",
                                  err);
        if (in->weight && in->weight[e] < 0) {
            snprintf(what, sizeof what, "has weight %s; weights are not negative", num_shortest(number, in->weight[e]));
            return imported_wrong(in, e, path, what, err);
        }
    }
    return 0;
}

static bool has_control(const char *text)
{
    while (*text && !utf8_control(text))
        text++;
    return *text;
}

static int check_names(const struct import *in, const char *path, struct err *err)
{
    struct names seen = { 0 };
    int ret = 0;

    for (int i = 0; i < in->n && ret == 0; i++) {
        const char *name = in->name[i];
        int at = names_add(&seen, name, strlen(name), err);

        if (at < 0)
            ret = -1;
        else if (!*name)
            ret = err_set(err, ERR_FORMAT, "%s: node %d (counting from 0) has an empty name; name every node or none",
                          path, i);
        else if (has_control(name))
            ret = err_set(err, ERR_FORMAT, "%s: the name '%.60s' of node %d holds a control character", path, name, i);
        else if (at != i)
            ret = err_set(err, ERR_FORMAT, "%s: nodes %d and %d (counting from 0) are both called '%.60s'; names must "
                          "be unique", path, at, i, name);
    }
    names_release(&seen);
    return ret;
}

/* Names "0", "1", ... in order are the numbers themselves. */
static void drop_idle_names(struct import *in)
{
    char number[16];

    for (int i = 0; i < in->n; i++) {
        snprintf(number, sizeof number, "%d", i);
        if (strcmp(in->name[i], number) != 0)
            return;
    }
    mem_free_list(in->name, (size_t)in->n);
    in->name = NULL;
}

/* A place where a cable ends: a named port, and which end (a port of a directed network has one link each way). */
static int ports_order(const void *a, const void *b, void *arg)
{
    const struct import *in = arg;
    const size_t i = *(const size_t *)a, k = *(const size_t *)b;

    if (in->end[i] != in->end[k])
        return in->end[i] < in->end[k] ? -1 : 1;
    if (in->directed && (i ^ k) & 1)
        return i & 1 ? 1 : -1;
    return strcmp(in->port[i], in->port[k]);
}

static int check_ports(const struct import *in, const char *path, struct err *err)
{
    size_t *at, first = SIZE_MAX, second = SIZE_MAX, n = 0;
    char what[200], label[64];

    if (!in->port)
        return 0;
    if (TAKE("the network", err, ARRAY(at, 2 * in->nedge + 1)) < 0)
        return -1;
    for (size_t i = 0; i < 2 * in->nedge; i++)
        if (*in->port[i])
            at[n++] = i;
    qsort_r(at, n, sizeof *at, ports_order, (void *)(uintptr_t)in);
    for (size_t i = 1; i < n; i++)
        if (ports_order(&at[i - 1], &at[i], (void *)(uintptr_t)in) == 0) {
            const size_t a = at[i] < at[i - 1] ? at[i] : at[i - 1], b = at[i] + at[i - 1] - a;

            if (b < second) {
                first = a;
                second = b;
            }
        }
    free(at);
    if (first == SIZE_MAX)
        return 0;
    snprintf(what, sizeof what, "is at port '%.40s' of node %s, as the one of line %zu is; a port has one cable",
             in->port[second], imported_label(in, in->end[second], label), in->line ? in->line[first / 2] : 0);
    return imported_wrong(in, second / 2, path, what, err);
}

static void order_ends(struct import *in)
{
    for (size_t e = 0; e < in->nedge; e++)
        if (in->end[2 * e] > in->end[2 * e + 1]) {
            double *const value[] = { in->bandwidth, in->length };
            const int from = in->end[2 * e];
            char *const port = in->port ? in->port[2 * e] : NULL;

            in->end[2 * e] = in->end[2 * e + 1];
            in->end[2 * e + 1] = from;
            for (int i = 0; i < 2; i++)
                if (value[i]) {
                    const double there = value[i][2 * e];

                    value[i][2 * e] = value[i][2 * e + 1];
                    value[i][2 * e + 1] = there;
                }
            if (port) {
                in->port[2 * e] = in->port[2 * e + 1];
                in->port[2 * e + 1] = port;
            }
        }
}

int imported_check(struct import *in, const char *path, struct err *err)
{
    if (in->n < 1)
        return err_set(err, ERR_FORMAT, "%s has no nodes", path);
    if (in->nedge > INT_MAX)
        return err_set(err, ERR_FORMAT, "%s has %zu edges; at most %d are read", path, in->nedge, INT_MAX);
    if (in->name) {
        if (check_names(in, path, err) < 0)
            return -1;
        drop_idle_names(in);
    }
    if (check_edges(in, path, err) < 0 || imported_repeats(in, path, err) < 0 || check_ports(in, path, err) < 0)
        return -1;
    if (!in->directed)
        order_ends(in);
    return 0;
}
