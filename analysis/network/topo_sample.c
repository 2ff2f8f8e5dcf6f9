#include "analysis/network/topo_sample.h"

#include <math.h>
#include <stdlib.h>

#include "graph/distance/sums.h"

struct counting {
    const struct net *net;
    struct sample_bins *seen;   /* by source: targets at each distance */
    unsigned char *target;
};

static int count_source(void *about, int k, const uint32_t *from, const uint32_t *sum)
{
    const struct counting *a = about;
    struct sample_bins *b = &a->seen[k];
    uint32_t longest = 0;

    (void)sum;
    for (int v = 0; v < a->net->n; v++)
        longest = a->target[v] && from[v] != SUMS_NONE && from[v] > longest ? from[v] : longest;
    b->nbin = (size_t)longest + 1;
    b->bin = calloc(b->nbin, sizeof *b->bin);
    if (!b->bin)
        return -1;
    b->n = (uint64_t)a->net->nterminal - 1;
    for (int v = 0; v < a->net->n; v++)
        if (a->target[v] && from[v] != SUMS_NONE)
            b->bin[from[v]]++;
    b->bin[0] = 0;              /* itself */
    return 0;
}

/* Pairs by distance, bounds of the diameter, and how far the mean may be off. */
static int sample_summary(struct topo_report *r, const struct counting *a, struct err *err)
{
    const size_t n = (size_t)r->sources;
    double *without = malloc(n * sizeof *without), sum = 0;
    size_t nbin = 0;

    if (!without)
        return err_memory(err);
    r->diameter_upper = a->net->directed ? NAN : INFINITY;
    for (size_t i = 0; i < n; i++) {
        const struct sample_bins *b = &a->seen[i];

        nbin = b->nbin > nbin ? b->nbin : nbin;
        r->diameter_upper = fmin(r->diameter_upper, 2 * ((double)b->nbin - 1));
        without[i] = 0;
        for (size_t d = 0; d < b->nbin; d++)
            without[i] += (double)d * (double)b->bin[d];
        sum += without[i];
    }
    for (size_t i = 0; i < n; i++)
        without[i] = (sum - without[i]) / ((double)(n - 1) * (r->terminals - 1));
    r->mean_error = sample_error(without, n, r->terminals);
    free(without);
    r->pairs = (struct dist_count){ calloc(nbin, sizeof *r->pairs.pairs), (int)nbin - 1,
                                    (uint64_t)n * ((uint64_t)r->terminals - 1), { -1, -1 } };
    if (!r->pairs.pairs)
        return err_memory(err);
    for (size_t i = 0; i < n; i++)
        for (size_t d = 0; d < a->seen[i].nbin; d++) {
            r->pairs.pairs[d] += a->seen[i].bin[d];
            r->pairs.unreachable -= a->seen[i].bin[d];
        }
    return sample_fractions(&r->fraction, &nbin, a->seen, n, r->terminals, err);
}

int topo_sample(struct topo_report *r, struct net *net, const struct topo_report_options *o, const struct tick *t,
                struct err *err)
{
    struct counting a = { .net = net };
    const igraph_t *graph;
    struct csr c = { 0 };
    size_t *first = NULL;
    int *source = NULL, ret = -1;

    if (net_graph(net, &graph, err) < 0 || csr_init(&c, graph, false, err) < 0 ||
        sample_draw(&source, o->sources, net->nterminal, o->seed, err) < 0)
        goto done;
    first = malloc(((size_t)o->sources + 1) * sizeof *first);
    a.seen = calloc((size_t)o->sources, sizeof *a.seen);
    a.target = calloc((size_t)net->n, 1);
    if ((!first || !a.seen || !a.target) && err_memory(err) < 0)
        goto done;
    for (int k = 0; k < net->nterminal; k++)
        a.target[net_terminal(net, k)] = 1;
    for (int i = 0; i <= o->sources; i++)
        first[i] = (size_t)i;
    for (int i = 0; i < o->sources; i++)
        source[i] = net_terminal(net, source[i]);
    r->sources = o->sources;
    if (sums_each(&c, &(struct sums){ o->sources, first, source, count_source, &a }, o->jobs, t, err) == 0)
        ret = sample_summary(r, &a, err);
done:
    sample_bins_release(a.seen, (size_t)o->sources);
    free(a.target);
    free(first);
    free(source);
    csr_release(&c);
    return ret;
}
