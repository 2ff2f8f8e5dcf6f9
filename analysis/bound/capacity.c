#include "analysis/bound/capacity.h"

#include <igraph.h>

#include "graph/base/csv.h"

#define LEAST 1e-100
#define MOST 1e100

double capacity_trunk(const struct trunks *t, const double *capacity, size_t trunk)
{
    double sum = 0;

    for (size_t l = trunks_first(t, trunk); l < trunks_first(t, trunk + 1); l++)
        sum += capacity_of(capacity, l);
    return sum;
}

double capacity_narrowest(const struct trunks *t, const double *capacity, size_t trunk)
{
    double least = INFINITY;

    for (size_t l = trunks_first(t, trunk); l < trunks_first(t, trunk + 1); l++)
        least = fmin(least, capacity_of(capacity, l));
    return least;
}

bool capacity_invariant(const struct net *net, const struct trunks *t, const double *capacity)
{
    const struct csr *c = t->csr;

    for (int v = 0; net->group && capacity && v < c->n; v++)
        for (size_t l = c->first[v]; l < c->first[v + 1]; l++)
            if (capacity[l] !=
                capacity[csr_link(c, 0, group_add(net->group, c->to[l], group_negative(net->group, v)))])
                return false;
    return net->group;
}

bool capacity_by_kind(const struct trunks *t, const double *capacity)
{
    bool same = true, own = true;

    for (size_t l = 0; capacity && l < t->nlink; l++) {
        same = same && capacity[l] == capacity[0];
        own = own && capacity[l] == trunks_kind(t, l).bandwidth;
    }
    return same || own;
}

/* Links stand trunk by trunk in the order of their cables: so do weights, which are by cable. */
static int from_weights(double *capacity, struct net *net, const struct trunks *t, struct err *err)
{
    for (size_t l = 0; l < t->nlink; l++) {
        const igraph_integer_t e = t->edge[l];
        char from[96], to[96];

        capacity[l] = net->weight[e];
        if (!(capacity[l] >= LEAST && capacity[l] <= MOST))
            return err_set(err, ERR_NETWORK, "the link %s-%s of %.200s has the weight %g; capacities are above 0, from "
                           "%g to %g (leave out a link that has none)",
                           net_label(net, (int)IGRAPH_FROM(&net->graph, e), from),
                           net_label(net, (int)IGRAPH_TO(&net->graph, e), to), net->spec, capacity[l], LEAST, MOST);
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

static void share_out(double *capacity, const struct trunks *t, size_t trunk, double amount)
{
    for (size_t l = trunks_first(t, trunk); l < trunks_first(t, trunk + 1); l++)
        capacity[l] = amount / (double)trunks_cables(t, trunk);
}

/* said[k]: the row that is about trunk k itself, 0 for none. */
static int from_rows(double *capacity, size_t *said, const struct csv *csv, const struct net *net,
                     const struct trunks *t, const char *path, struct err *err)
{
    const struct csr *c = t->csr;
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
        share_out(capacity, t, link, amount);
        back = net->directed ? c->m : csr_link(c, b, a);
        if (back < c->m && !said[back])
            share_out(capacity, t, back, amount);
    }
    return 0;
}

static int from_file(double *capacity, const struct net *net, const struct trunks *t, const char *path, struct err *err)
{
    size_t *said = calloc(t->csr->m + 1, sizeof *said);
    struct csv csv = { 0 };
    int ret = -1;

    if (!said)
        return err_memory(err);
    if (csv_read(&csv, path, err) == 0)
        ret = from_rows(capacity, said, &csv, net, t, path, err);
    csv_release(&csv);
    free(said);
    return ret;
}

int capacity_open(double **out, struct net *net, const char *text, struct err *err)
{
    const bool is_auto = !text || strcmp(text, "auto") == 0, unit = text && strcmp(text, "unit") == 0,
               weights = text && strcmp(text, "weights") == 0;
    const size_t len = text ? strlen(text) : 0;
    struct trunks t = { 0 };
    double *capacity;
    bool same = is_auto || weights;
    int ret = 0;

    *out = NULL;
    if (unit || (is_auto && !net->cables.kind))
        return 0;
    if (!is_auto && !weights && (len < 5 || strcmp(text + len - 4, ".csv") != 0))
        return err_set(err, ERR_USAGE, "--capacity '%.60s' is none of auto, unit, weights and a FILE.csv with "
                       "from,to,capacity", text);
    if (trunks_open_net(&t, net, weights, err) < 0)
        return -1;
    capacity = malloc((t.nlink + 1) * sizeof *capacity);
    for (size_t l = 0; capacity && l < t.nlink; l++) {
        capacity[l] = trunks_kind(&t, l).bandwidth;
        same = same && capacity[l] == 1;
    }
    if (!capacity)
        ret = err_memory(err);
    else if (weights && net->weight)
        ret = from_weights(capacity, net, &t, err);
    else if (weights && same)                   /* else the file said that its weights are capacities */
        ret = err_set(err, ERR_USAGE, "%.200s has no weights that could be capacities", net->spec);
    else if (!is_auto && !weights)
        ret = from_file(capacity, net, &t, text, err);
    trunks_release(&t);
    if (ret == 0 && !(is_auto && same)) {
        *out = capacity;
        return 0;
    }
    free(capacity);
    return ret;
}
