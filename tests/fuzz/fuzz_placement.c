/* A list of nodes that processes run on: terminals, each once, or as often as the list has them. */
#include "model/process/placement.h"
#include "tests/fuzz/fuzz.h"

static struct net *net[2];

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    net_setup();
    net[0] = net_of("mesh:4x4");
    net[1] = net_of("fattree:4");
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char text[60];

    snprintf(text, sizeof text, "file:%s", path_of(data, size));
    for (int i = 0; i < 4; i++) {
        struct placement p = { 0 };
        struct err err = { 0 };
        bool taken[64] = { false };

        if (placement_init(&p, net[i % 2], text, 0, i < 2, 1, &err) < 0) {
            message_is_fit(&err);
            continue;
        }
        must(p.n > 0, "there is a process", NULL);
        for (int k = 0; k < p.n; k++) {
            must(net_terminal_index(net[i % 2], p.node[k]) >= 0 && (i >= 2 || !taken[p.node[k]]),
                 "a terminal of its own", NULL);
            taken[p.node[k]] = true;
        }
        placement_release(&p);
    }
    return 0;
}
