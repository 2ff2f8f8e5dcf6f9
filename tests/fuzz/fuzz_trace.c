/* A trace of messages on a network with coordinates and on one with names and switches. */
#include "analysis/simulate/trace.h"
#include "tests/fuzz/fuzz.h"

static struct net *net[2];

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    net_setup();
    net[0] = net_of("torus:4x4");
    net[1] = net_of("fattree:4");
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *path = path_of(data, size);

    for (int i = 0; i < 2; i++) {
        struct simulate_message *m = NULL;
        struct err err = { 0 };
        size_t n = 0;

        if (trace_read(&m, &n, net[i], path, &err) < 0) {
            message_is_fit(&err);
            must(!m && n == 0, "nothing comes of a refusal", NULL);
            continue;
        }
        must(n > 0, "there is a message", NULL);
        for (size_t k = 0; k < n; k++) {
            must(m[k].source != m[k].target && net_terminal_index(net[i], m[k].source) >= 0 &&
                 net_terminal_index(net[i], m[k].target) >= 0, "a message joins terminals", NULL);
            must(m[k].flits >= 1 && m[k].flits <= TRACE_FLITS && m[k].flits == floor(m[k].flits), "flits", NULL);
            must(m[k].time >= 0 && isfinite(m[k].time) && (k == 0 || m[k].time >= m[k - 1].time), "a time", NULL);
        }
        free(m);
    }
    return 0;
}
