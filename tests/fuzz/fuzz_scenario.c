/* A table of latencies that change: rows of links that there are, in the order of time; what is taken can be played. */
#include <math.h>

#include "analysis/collective/scenario.h"
#include "tests/fuzz/fuzz.h"

static struct net *net;
static struct placement where;
static struct wire *wire;
static size_t m;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    struct err err = { 0 };

    (void)argc;
    (void)argv;
    net_setup();
    net = net_of("complete:4");
    must(placement_init(&where, net, NULL, 0, 1, 1, &err) == 0 && wires_net(&wire, &m, net, &where, 1, &err) == 0,
         "the processes are there", err.msg);
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct strategy adapts = { .every = 1 };
    struct err err = { 0 };
    struct scenario s = { .net = net, .where = &where, .wire = wire, .m = m, .broadcasts = 3 };
    struct played p;

    if (scenario_read(&s, path_of(data, size), &err) < 0) {
        message_is_fit(&err);
        return 0;
    }
    for (size_t k = 0; k < s.n; k++)
        must(s.change[k].link < m && s.change[k].latency >= 0 && s.change[k].before <= 3 &&
             (k == 0 || s.change[k - 1].before <= s.change[k].before), "rows are in order", NULL);
    must(scenario_play(&p, &s, &adapts, NULL, &err) == 0, "it can be played", err.msg);
    must(isfinite(p.total[3]), "it ends", NULL);
    played_release(&p);
    scenario_release(&s);
    return 0;
}
