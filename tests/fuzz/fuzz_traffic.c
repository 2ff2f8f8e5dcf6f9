/* A file of channels on a network with coordinates and on one with names. */
#include "model/traffic/traffic.h"
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
    char spec[60];

    snprintf(spec, sizeof spec, "file:%s", path_of(data, size));
    for (int i = 0; i < 2; i++) {
        struct traffic t = { 0 };
        struct err err = { 0 };

        if (traffic_open(&t, net[i], spec, &err) < 0) {
            message_is_fit(&err);
            continue;
        }
        must(t.nstream > 0, "there is a channel", NULL);
        for (size_t c = 0; c < t.nstream; c++) {
            const struct stream *s = &t.stream[c];

            must(s->source != s->target && net_terminal_index(net[i], s->source) >= 0 &&
                 net_terminal_index(net[i], s->target) >= 0, "a channel joins terminals", s->name);
            must(isnan(s->interval) || (s->interval > 0 && isfinite(s->interval)), "an interval", s->name);
            must(isnan(s->time) || (s->time > 0 && isfinite(s->time)), "a time", s->name);
        }
        for (size_t k = 0; k < traffic_sources(&t); k++) {
            double sum = 0;

            for (size_t c = traffic_first(&t, k); c < traffic_first(&t, k + 1); c++) {
                must(t.stream[c].share > 0 && t.stream[c].source == t.stream[traffic_first(&t, k)].source,
                     "a share of one sender", t.stream[c].group);
                sum += t.stream[c].share;
            }
            must(fabs(sum - 1) < 1e-9, "the shares of a source", NULL);
        }
        traffic_release(&t);
    }
    return 0;
}
