/* A phrase that picks nodes and links out of a network: they are nodes and links of it. */
#include "analysis/network/selection.h"
#include "tests/fuzz/fuzz.h"

static struct net *net[2];

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    net_setup();
    net[0] = net_of("mesh:4x3");
    net[1] = net_of("fattree:4");
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = text_of(data, size);

    for (int i = 0; i < 2; i++) {
        struct selection s = { 0 };
        struct err err = { 0 };
        int64_t link;

        if (selection_open(&s, net[i], text, &err) < 0)
            message_is_fit(&err);
        else
            must(s.nnode + s.nlink > 0, "something is picked", text);
        for (size_t k = 0; k < s.nnode; k++)
            must(s.node[k] >= 0 && s.node[k] < net[i]->n, "nodes", text);
        for (size_t k = 0; k < s.nlink && strncmp(text, "tree", 4) != 0; k++)
            must(net_link(&link, net[i], s.link[k][0], s.link[k][1], &err) == 0, "links", text);
        selection_release(&s);
    }
    free(text);
    return 0;
}
