#include "analysis/bound/capacity.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "graph/base/csv.h"
#include "graph/base/num.h"
#include "graph/distance/distances.h"

#define LEAST 1e-100
#define MOST 1e100

static int from_weights(double *capacity, struct net *net, const igraph_t *graph, const struct csr *c, struct err *err)
{
    for (igraph_integer_t e = 0; e < igraph_ecount(graph); e++) {
        const int a = (int)IGRAPH_FROM(graph, e), b = (int)IGRAPH_TO(graph, e);
        char from[96], to[96];

        if (!(net->weight[e] >= LEAST && net->weight[e] <= MOST))
            return err_set(err, ERR_NETWORK, "the link %s-%s of %.200s has the weight %g; capacities are above 0, from "
                           "%g to %g (leave out a link that has none)", net_label(net, a, from), net_label(net, b, to),
                           net->spec, net->weight[e], LEAST, MOST);
        capacity[csr_link(c, a, b)] = net->weight[e];
        if (!net->directed)
            capacity[csr_link(c, b, a)] = net->weight[e];
    }
    return 0;
}

static int node_of(int *node, const struct csv *csv, size_t row, int column, const struct net *net, const char *path,
                   struct err *err)
{
    if (net_node(net, csv_at(csv, row, column), node, err) == 0)
        return 0;
    if (err->code == ERR_USAGE)
        err->code = ERR_FORMAT;
    return err_at(err, "%.200s:%zu: %s", path, csv->line[row], csv->heading[column]);
}

/* said[l]: the row that is about link l itself, 0 for none. */
static int from_rows(double *capacity, size_t *said, const struct csv *csv, const struct net *net, const struct csr *c,
                     const char *path, struct err *err)
{
    const int value = csv_column(csv, "capacity");
    int pair[2];

    if (csv_pair(pair, csv, path, err) < 0)
        return -1;
    if (value < 0)
        return err_set(err, ERR_FORMAT, "%.200s has no column 'capacity'; its first line must be from,to,capacity",
                       path);
    for (size_t r = 0; r < csv->nrow; r++) {
        struct err ignored;
        size_t link, back;
        double amount;
        int a, b;

        if (node_of(&a, csv, r, pair[0], net, path, err) < 0 || node_of(&b, csv, r, pair[1], net, path, err) < 0)
            return -1;
        link = csr_link(c, a, b);
        if (link == c->m)
            return err_set(err, ERR_FORMAT, "%.200s:%zu: there is no link from '%.60s' to '%.60s' in %.200s", path,
                           csv->line[r], csv_at(csv, r, pair[0]), csv_at(csv, r, pair[1]), net->spec);
        if (said[link])
            return err_set(err, ERR_FORMAT, "%.200s:%zu: line %zu has the capacity of that link already", path,
                           csv->line[r], csv->line[said[link] - 1]);
        if (num_real(&amount, csv_at(csv, r, value), "", &ignored) < 0 || !(amount >= LEAST && amount <= MOST))
            return err_set(err, ERR_FORMAT, "%.200s:%zu: the capacity is '%.60s'; a number above 0 is wanted, from %g "
                           "to %g (a link without capacity is none: leave it out of the network)", path, csv->line[r],
                           csv_at(csv, r, value), LEAST, MOST);
        said[link] = r + 1;
        capacity[link] = amount;
        back = net->directed ? c->m : csr_link(c, b, a);
        if (back < c->m && !said[back])
            capacity[back] = amount;
    }
    return 0;
}

static int from_file(double *capacity, const struct net *net, const struct csr *c, const char *path, struct err *err)
{
    size_t *said = calloc(c->m + 1, sizeof *said);
    struct csv csv = { 0 };
    int ret = -1;

    if (!said)
        return err_memory(err);
    if (csv_read(&csv, path, err) == 0)
        ret = from_rows(capacity, said, &csv, net, c, path, err);
    csv_release(&csv);
    free(said);
    return ret;
}

int capacity_open(double **out, struct net *net, const char *text, struct err *err)
{
    const bool is_auto = !text || strcmp(text, "auto") == 0, unit = text && strcmp(text, "unit") == 0,
               weights = text && strcmp(text, "weights") == 0;
    const size_t len = text ? strlen(text) : 0;
    const igraph_t *graph;
    struct csr c = { 0 };
    double *capacity;
    int ret;

    *out = NULL;
    if (unit || (is_auto && !(net->weight && net->weight_meaning == WEIGHT_CAPACITY)))
        return 0;
    if (weights && !net->weight)
        return err_set(err, ERR_USAGE, "%.200s has no weights that could be capacities", net->spec);
    if (!is_auto && !weights && (len < 5 || strcmp(text + len - 4, ".csv") != 0))
        return err_set(err, ERR_USAGE, "--capacity '%.60s' is none of auto, unit, weights and a FILE.csv with "
                       "from,to,capacity", text);
    if (net_graph(net, &graph, err) < 0 || csr_init(&c, graph, false, err) < 0)
        return -1;
    capacity = malloc((c.m + 1) * sizeof *capacity);
    if (!capacity) {
        csr_release(&c);
        return err_memory(err);
    }
    for (size_t l = 0; l < c.m; l++)
        capacity[l] = 1;
    ret = is_auto || weights ? from_weights(capacity, net, graph, &c, err) : from_file(capacity, net, &c, text, err);
    csr_release(&c);
    if (ret < 0)
        free(capacity);
    else
        *out = capacity;
    return ret;
}
