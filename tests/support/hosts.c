#include "tests/support/hosts.h"

#include "tests/support/check.h"
#include "tests/support/nets.h"

void hosts_open(struct hosts *h, int n)
{
    struct err err = { 0 };
    struct rng rng;

    rng_seed(&rng, (uint64_t)n);
    *h = (struct hosts){ .net = nets_random(&rng, 2 * n + 3, n, false) };
    nets_switch(&rng, h->net);
    while (h->net->nterminal < n) {
        net_close(h->net);
        h->net = nets_random(&rng, 2 * n + 3, n, false);
        nets_switch(&rng, h->net);
    }
    if (placement_init(&h->where, h->net, "random", n, n % 3 ? 1 : 2, 1, &err) < 0)
        fail_msg("%s", err.msg);
    h->scene = (struct tree_scene){ .net = h->net, .where = &h->where, .hop = 1, .size = 2, .gap = 2 };
}

void hosts_release(struct hosts *h)
{
    placement_release(&h->where);
    net_close(h->net);
}
