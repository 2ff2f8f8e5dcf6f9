#include "graph/community.h"

#include <igraph.h>

#include "graph/igraph_bytes.h"
#include "graph/net.h"

#define TRIES 10                /* each takes the nodes in another order */
#define LARGE 20000             /* links: of graphs with more, two tries */

struct found {
    igraph_t graph;
    igraph_vector_int_t end, now, best;
    igraph_vector_t weight;
    double modularity;
};

/* The links that count. */
static igraph_error_t collect(struct found *f, size_t m, const int *end, const double *weight)
{
    for (size_t e = 0; e < m; e++) {
        const double w = weight ? weight[e] : 1;

        if (isfinite(w) && w > 0 && end[2 * e] != end[2 * e + 1]) {
            IGRAPH_CHECK(igraph_vector_int_push_back(&f->end, end[2 * e]));
            IGRAPH_CHECK(igraph_vector_int_push_back(&f->end, end[2 * e + 1]));
            IGRAPH_CHECK(igraph_vector_push_back(&f->weight, w));
        }
    }
    return IGRAPH_SUCCESS;
}

static igraph_error_t search(struct found *f)
{
    for (int i = 0; i < (igraph_ecount(&f->graph) > LARGE ? 2 : TRIES); i++) {
        double modularity;

        IGRAPH_CHECK(igraph_rng_seed(igraph_rng_default(), (igraph_uint_t)i + 1));
        IGRAPH_CHECK(igraph_community_multilevel(&f->graph, &f->weight, 1, &f->now, NULL, NULL));
        IGRAPH_CHECK(igraph_modularity(&f->graph, &f->now, &f->weight, 1, false, &modularity));
        if (modularity > f->modularity + 1e-12) {
            f->modularity = modularity;
            IGRAPH_CHECK(igraph_vector_int_update(&f->best, &f->now));
        }
    }
    return IGRAPH_SUCCESS;
}

/* Numbers them anew, the largest first, of equal ones that with the least node; how many. */
static int community_rank(int *of, int n, struct err *err)
{
    int *size, *number, *place, count = 0;      /* a counting sort by size: how many are larger, or as large and came
                                                 * before */

    if (TAKE("communities", err, ZEROS(size, n), ZEROS(number, n), ZEROS(place, (size_t)n + 2)) < 0)
        return -1;
    for (int v = 0; v < n; v++) {
        if (number[of[v]] == 0)
            number[of[v]] = ++count;
        of[v] = number[of[v]] - 1;
        size[of[v]]++;
    }
    for (int c = 0; c < count; c++)
        place[size[c] - 1]++;
    for (int s = n - 1; s >= 0; s--)
        place[s] += place[s + 1];
    for (int c = 0; c < count; c++)
        number[c] = place[size[c]]++;
    for (int v = 0; v < n; v++)
        of[v] = number[of[v]];
    FREE(size, number, place);
    return count;
}

int community_find(int *of, double *modularity, int n, size_t m, const int *end, const double *weight,
                   struct err *err)
{
    static const char what[] = "communities";
    struct found f = { .modularity = -1 };
    bool graph = false;
    int ret = -1;

    if (mem_need(3 * igraph_bytes_create(n, (double)m), what, err) < 0 ||
        net_status(igraph_vector_int_init(&f.end, 0), what, err) < 0)
        return -1;
    if (net_status(igraph_vector_int_init(&f.now, 0), what, err) < 0)
        goto no_now;
    if (net_status(igraph_vector_int_init(&f.best, 0), what, err) < 0)
        goto no_best;
    if (net_status(igraph_vector_init(&f.weight, 0), what, err) < 0)
        goto no_weight;
    if (net_status(collect(&f, m, end, weight), what, err) < 0 ||
        net_status(igraph_create(&f.graph, &f.end, n, false), what, err) < 0)
        goto done;
    graph = true;
    if (igraph_ecount(&f.graph) > 0 && net_status(search(&f), what, err) < 0)
        goto done;
    for (int v = 0; v < n; v++)
        of[v] = igraph_ecount(&f.graph) > 0 ? (int)VECTOR(f.best)[v] : v;
    *modularity = igraph_ecount(&f.graph) > 0 ? f.modularity : 0;
    ret = community_rank(of, n, err);
done:
    if (graph)
        igraph_destroy(&f.graph);
    igraph_vector_destroy(&f.weight);
no_weight:
    igraph_vector_int_destroy(&f.best);
no_best:
    igraph_vector_int_destroy(&f.now);
no_now:
    igraph_vector_int_destroy(&f.end);
    return ret;
}
