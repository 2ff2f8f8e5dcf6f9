/* A table of paths: what is read of it leads from source to target, in shares that sum to 1. */
#include "model/routing/route.h"
#include "tests/fuzz/fuzz.h"

static struct net *net[2];

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    net_setup();
    net[0] = net_of("mesh:3x3");
    net[1] = net_of("ring:6");
    return 0;
}

static void leads(struct routing *r, int source, int target)
{
    struct route_path path = { 0 };
    struct ways ways = { 0 };
    struct err err = { 0 };
    double share = 0;

    if (r->route->ways(&ways, r, NULL, source, target, &err) < 0)
        message_is_fit(&err);
    for (size_t i = 0; i < ways.n; i++) {
        share += ways.share[i];
        must(route_way(&path, r, &ways, i, source, &err) == 0, "a way that can be gone", err.msg);
        must(path.node[0] == source && path.node[path.n - 1] == target, "from source to target", r->spec);
    }
    must(ways.n == 0 || fabs(share - 1) < 1e-9, "shares of 1 in all", r->spec);
    ways_release(&ways);
    route_path_release(&path);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char spec[60];

    snprintf(spec, sizeof spec, "table:%s", path_of(data, size));
    for (int i = 0; i < 2; i++) {
        struct routing r = { 0 };
        struct err err = { 0 };

        if (routing_open(&r, net[i], spec, &err) < 0) {
            message_is_fit(&err);
            continue;
        }
        for (int target = 1; target < net[i]->n; target++)
            leads(&r, 0, target);
        routing_close(&r);
    }
    return 0;
}
