/* Uniform traffic of large networks from a sample of its pairs: terminals in a circle at random, each sends to those at
 * N distances drawn without replacement, the same for all, so that each also hears from N. Links carry nearly what they
 * carry with all pairs, those at terminals exactly. */
#include "graph/numeric/rng.h"
#include "graph/numeric/sample.h"
#include "model/traffic/traffic.h"
#include "texts/traffic.h"

static int sampled_add(struct traffic *t, int size, uint64_t seed, struct err *err)
{
    const int n = t->net->nterminal;
    int *at = NULL, *place = NULL, *distance = NULL, ret = -1;
    struct rng rng;

    if (TAKE("the traffic", err, ARRAY(at, n), ARRAY(place, n)) < 0)
        goto done;
    if (sample_draw(&distance, size, n - 1, seed, err) < 0 || traffic_room(t, (size_t)n * (size_t)size, err) < 0)
        goto done;
    for (int i = 0; i < n; i++)
        at[i] = i;
    rng_seed(&rng, ~seed);
    rng_shuffle(&rng, at, (size_t)n);
    for (int i = 0; i < n; i++)
        place[at[i]] = i;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < size; k++) {
            const int64_t to = ((int64_t)place[i] + 1 + distance[k]) % n;

            traffic_add(t, net_terminal(t->net, i), net_terminal(t->net, at[to]));
            t->stream[t->nstream - 1].share = 1.0 / size;
        }
    ret = 0;
done:
    FREE(at, place, distance);
    return ret;
}

static int sampled_open(struct traffic *t, const struct spec *spec, struct net *net, struct err *err)
{
    int64_t size, seed;

    if (traffic_need_two(t, err) < 0 ||
        spec_int(&size, spec, 1, net->nterminal - 1, "destinations of a terminal", err) < 0 ||
        spec_key_int(&seed, spec, "seed", 0, INT64_MAX, 1, err) < 0 ||
        sampled_add(t, (int)size, (uint64_t)seed, err) < 0 || traffic_group_nodes(t, err) < 0)
        return -1;
    return spec_append(&t->spec, err, "sampled:%d,seed=%lld", (int)size, (long long)seed);
}

const struct traffic_kind traffic_sampled = {
    TRAFFIC_SAMPLED_ENTRY,
    .open = sampled_open
};
