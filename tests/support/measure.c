#include "tests/support/measure.h"

#include <igraph.h>
#include <string.h>

#include "tests/support/check.h"

struct net *measure_open(const char *spec)
{
    struct err err = { 0 };
    struct net *net = NULL;

    if (net_open(&net, spec, &err) < 0)
        fail_msg("%s: %s", spec, err.msg);
    return net;
}

const igraph_t *measure_graph(struct net *net)
{
    const igraph_t *graph = NULL;
    struct err err = { 0 };

    if (net_graph(net, &graph, &err) < 0)
        fail_msg("%s: %s", net->spec, err.msg);
    return graph;
}

int *measure_hops(struct net *net)
{
    const igraph_t *graph = measure_graph(net);
    int *hops = malloc((size_t)net->n * (size_t)net->n * sizeof *hops);
    igraph_matrix_t d;

    assert_non_null(hops);
    assert_int_equal(igraph_matrix_init(&d, 0, 0), 0);
    assert_int_equal(igraph_distances(graph, &d, igraph_vss_all(), igraph_vss_all(), IGRAPH_OUT), 0);
    for (int u = 0; u < net->n; u++)
        for (int v = 0; v < net->n; v++)
            hops[u * net->n + v] = isinf(MATRIX(d, u, v)) ? -1 : (int)MATRIX(d, u, v);
    igraph_matrix_destroy(&d);
    return hops;
}

static void measure_degrees(struct measured *m, struct net *net)
{
    igraph_vector_int_t degree;

    assert_int_equal(igraph_vector_int_init(&degree, 0), 0);
    assert_int_equal(igraph_degree(measure_graph(net), &degree, igraph_vss_all(), net->directed ? IGRAPH_OUT :
                                   IGRAPH_ALL, IGRAPH_LOOPS), 0);
    m->degree_min = (double)igraph_vector_int_min(&degree);
    m->degree_max = (double)igraph_vector_int_max(&degree);
    igraph_vector_int_destroy(&degree);
}

void measure(struct measured *m, struct net *net)
{
    const igraph_t *graph = measure_graph(net);
    int *hops = measure_hops(net);
    double sum = 0, n = 0;

    *m = (struct measured){ .nodes = (double)igraph_vcount(graph), .edges = (double)igraph_ecount(graph) };
    measure_degrees(m, net);
    for (int i = 0; i < net->nterminal; i++)
        for (int j = 0; j < net->nterminal; j++) {
            int h = hops[net_terminal(net, i) * net->n + net_terminal(net, j)];

            if (i == j)
                continue;
            if (h < 0) {
                m->diameter = NAN;
                continue;
            }
            assert_true((size_t)h < sizeof m->pairs / sizeof *m->pairs);
            m->pairs[h]++;
            m->diameter = h > m->diameter ? h : m->diameter;
            sum += h;
            n++;
        }
    m->mean_hops = isnan(m->diameter) ? NAN : sum / n;
    free(hops);
}

int measure_orbits(struct net *net)
{
    igraph_vector_int_list_t maps;
    igraph_vector_int_t colour;
    int *of = malloc((size_t)net->n * sizeof *of), orbits = 0;

    assert_non_null(of);
    assert_int_equal(igraph_vector_int_list_init(&maps, 0), 0);
    assert_int_equal(igraph_vector_int_init(&colour, net->n), 0);
    for (int v = 0; v < net->n; v++) {
        of[v] = v;
        VECTOR(colour)[v] = net_terminal_index(net, v) >= 0;
    }
    assert_int_equal(igraph_automorphism_group(measure_graph(net), &colour, &maps, IGRAPH_BLISS_FL, NULL), 0);
    for (bool changed = true; changed;) {           /* the smallest node that maps lead to, until none is smaller */
        changed = false;
        for (igraph_integer_t i = 0; i < igraph_vector_int_list_size(&maps); i++)
            for (int v = 0; v < net->n; v++) {
                int w = (int)VECTOR(*igraph_vector_int_list_get_ptr(&maps, i))[v];

                if (of[w] != of[v]) {
                    of[v] = of[w] = of[v] < of[w] ? of[v] : of[w];
                    changed = true;
                }
            }
    }
    for (int v = 0; v < net->n; v++)
        orbits += of[v] == v;
    igraph_vector_int_destroy(&colour);
    igraph_vector_int_list_destroy(&maps);
    free(of);
    return orbits;
}
