#include "graph/topology/topo.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graph/base/num.h"

#include "registry/topo.inc"

KIND(topo, topo, struct topo, .name = "topology", .rank = 2)

void topo_facts(struct topo_facts *facts, const struct net *net)
{
    *facts = (struct topo_facts){ NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NULL };
    if (net->topo->facts)
        net->topo->facts(net, facts);
}

int topo_sizes(const char *text, int **size, int *ndim, struct err *err)
{
    int buf[NET_DIMENSIONS], n = 0;
    const char *p = text;
    int64_t v, times = 1;

    if (!*text)
        return err_set(err, ERR_USAGE, "its sizes are missing: write them as 8x8 or 8^2");
    for (;;) {
        size_t len = strcspn(p, "x^");

        if (n == NET_DIMENSIONS)
            return err_set(err, ERR_USAGE, "'%.60s' has more than %d dimensions", text, NET_DIMENSIONS);
        if (num_int_part(&v, p, len, 2, INT32_MAX, "size", err) < 0)
            return -1;
        buf[n++] = (int)v;
        p += len;
        if (*p == '^' && n == 1) {
            if (num_int(&times, p + 1, 1, NET_DIMENSIONS, "number of dimensions", err) < 0)
                return -1;
            break;
        }
        if (!*p)
            break;
        if (*p == '^')
            return err_set(err, ERR_USAGE, "'%.60s' mixes 'x' and '^'", text);
        p++;
    }
    *ndim = n * (int)times;
    *size = malloc((size_t)*ndim * sizeof **size);
    if (!*size)
        return err_memory(err);
    for (int d = 0; d < *ndim; d++)
        (*size)[d] = buf[times > 1 ? 0 : d];
    return 0;
}

char *topo_sizes_text(const int *size, int ndim)
{
    char *text = malloc(12 * (size_t)ndim + 1), *at = text;

    for (int d = 0; text && d < ndim; d++)
        at += sprintf(at, "%s%d", d ? "x" : "", size[d]);
    return text;
}

int topo_count(const int *size, int ndim, int *n, struct err *err)
{
    int count = 1;

    for (int d = 0; d < ndim; d++)
        if (__builtin_mul_overflow(count, size[d], &count))
            return err_set(err, ERR_USAGE, "it would have more than %d nodes", INT32_MAX);
    *n = count;
    return 0;
}

int topo_spec(struct net *net, struct err *err, const char *fmt, ...)
{
    va_list args;
    int len;

    va_start(args, fmt);
    len = vasprintf(&net->spec, fmt, args);
    va_end(args);
    if (len < 0) {
        net->spec = NULL;
        return err_memory(err);
    }
    return 0;
}

int topo_from_edges(igraph_t *graph, const igraph_integer_t *end, size_t nends, const struct net *net, struct err *err)
{
    igraph_vector_int_t edges = { 0 };

    igraph_vector_int_view(&edges, end, (igraph_integer_t)nends);
    return net_status(igraph_create(graph, &edges, net->n, net->directed), net->spec, err);
}
