#include "graph/topology/topo.h"

#include <igraph.h>

#include "graph/igraph_bytes.h"

#include "registry/topo.inc"

KIND(topo, topo, struct topo, .name = "topology", .rank = 2, .keys = cables_keys)

/* Of pairs in closed form. */
static void topo_mean(struct topo_facts *f, const struct net *net)
{
    uint64_t pairs[TOPO_HOPS];
    const int longest = topo_pairs(pairs, net);
    double sum = 0, n = 0;

    for (int d = 1; d <= longest; d++) {
        f->diameter = pairs[d] ? d : f->diameter;
        sum += (double)d * (double)pairs[d];
        n += (double)pairs[d];
    }
    f->mean_hops = n > 0 ? sum / n : f->mean_hops;
}

void topo_facts(struct topo_facts *facts, const struct net *net)
{
    *facts = (struct topo_facts){ NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NULL };
    if (net->topo->facts && !net->cables.failed)
        net->topo->facts(net, facts);
    topo_mean(facts, net);
}

int topo_alike(const struct net *net, int node)
{
    return net->cables.failed ? -1 : net->topo->alike ? net->topo->alike(net, node) :
        net->group || net->topo->vertex_transitive ? 0 : -1;
}

int topo_pairs(uint64_t pairs[TOPO_HOPS], const struct net *net)
{
    return net->topo->pairs && !net->cables.failed ? net->topo->pairs(pairs, net) : -1;
}

int topo_numbers(int *out, int *n, int most, const char *text, int lo, int hi, const char *what, struct err *err)
{
    const char *p = text;

    for (*n = 0;; p++) {
        const size_t len = strcspn(p, "+");
        int64_t v;

        if (*n == most)
            return err_set(err, ERR_USAGE, "'%.60s' has more than %d numbers", text, most);
        if (num_int_part(&v, p, len, lo, hi, what, err) < 0)
            return -1;
        out[(*n)++] = (int)v;
        p += len;
        if (!*p)
            return 0;
    }
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

int topo_sizes_spec(struct net *net, struct err *err)
{
    for (int d = 0; d < net->ndim; d++)
        if (spec_append(&net->spec, err, "%s%s%d", d ? "" : net->topo->name, d ? "x" : ":", net->size[d]) < 0)
            return -1;
    return 0;
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

int topo_first_terminals(struct net *net, double edges, const char *spec, struct err *err)
{
    if (mem_need((double)net->nterminal * sizeof *net->terminal + igraph_bytes_create(net->n, edges), spec, err) < 0)
        return -1;
    if (TAKE(spec, err, ARRAY(net->terminal, net->nterminal)) < 0)
        return -1;
    for (int i = 0; i < net->nterminal; i++)
        net->terminal[i] = i;
    return 0;
}

igraph_integer_t *topo_ends(double edges, const struct net *net, struct err *err)
{
    igraph_integer_t *end = NULL;

    if (mem_need(igraph_bytes_create(net->n, edges), net->spec, err) < 0)
        return NULL;
    end = malloc((2 * (size_t)edges + 1) * sizeof *end);
    if (!end)
        err_memory(err);
    return end;
}

int topo_from_edges(igraph_t *graph, igraph_integer_t *end, size_t nends, const struct net *net, struct err *err)
{
    igraph_vector_int_t edges = { 0 };
    igraph_error_t status;

    igraph_vector_int_view(&edges, end, (igraph_integer_t)nends);
    status = igraph_create(graph, &edges, net->n, net->directed);
    free(end);
    return net_status(status, net->spec, err);
}
