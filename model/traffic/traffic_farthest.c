#include "graph/distance/distances.h"
#include "graph/numeric/assignment.h"
#include "model/traffic/traffic.h"
#include "texts/traffic.h"

/* hops[i][k]: between terminals, 0 where there is no path. */
static int farthest_hops_between(double *hops, struct net *net, struct err *err)
{
    const struct csr *c;
    int *distance, *queue;

    if (csr_kept(&c, net, err) < 0 ||
        TAKE("the distances of farthest", err, ARRAY(distance, net->n), ARRAY(queue, net->n)) < 0)
        return -1;
    for (int i = 0; i < net->nterminal; i++) {
        csr_bfs(c, net_terminal(net, i), distance, queue);
        for (int k = 0; k < net->nterminal; k++) {
            const int d = distance[net_terminal(net, k)];

            hops[(size_t)i * (size_t)net->nterminal + (size_t)k] = d < 0 ? 0 : d;
        }
    }
    FREE(distance, queue);
    return 0;
}

static int farthest_open(struct traffic *t, const struct spec *spec, struct net *net, struct err *err)
{
    const size_t n = (size_t)net->nterminal;
    struct assignment a = { 0 };
    double *hops;
    int ret = -1;

    if (spec_no_params(spec, err) < 0 || traffic_need_two(t, err) < 0 || spec_append(&t->spec, err, "farthest") < 0 ||
        TAKE("the distances of farthest", err, ARRAY(hops, n * n)) < 0)
        return -1;
    if (farthest_hops_between(hops, net, err) < 0 ||
        assignment_open(&a, hops, (int)n, (int)n, -INFINITY, NULL, err) < 0)
        goto done;
    for (size_t i = 0; i < n; i++)
        if (!(hops[i * n + (size_t)a.to[i]] > 0))       /* itself, or out of reach */
            a.to[i] = (int)i;
    ret = traffic_permutation(t, a.to, err);
done:
    assignment_close(&a);
    free(hops);
    return ret;
}

const struct traffic_kind traffic_farthest = {
    TRAFFIC_FARTHEST_ENTRY,
    .open = farthest_open
};
