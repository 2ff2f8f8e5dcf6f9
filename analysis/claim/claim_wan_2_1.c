#include "analysis/claim/wan.h"
#include "texts/claim.h"

/* The five nodes of table 2.1: the names of fragments by level, and the tree. */
struct named {
    double core[4][2];              /* by level: least and greatest latency of a core that is sent */
};

static int hear(void *arg, const struct protocol *r, const struct message *m, int, int, int what, struct err *)
{
    struct named *n = arg;
    const int level = m->level / 2;
    double core;

    if (m->type != GHS_INITIATE || what != WATCH_SENT || level > 3)
        return 0;
    core = r->w->latency[r->w->half[m->value]];
    if (n->core[level][0] == 0 || core < n->core[level][0])
        n->core[level][0] = core;
    if (core > n->core[level][1])
        n->core[level][1] = core;
    return 0;
}

static int claim_wan_2_1_run(const struct claim_sink *sink, struct err *err)
{
    static const struct wire wire[] = {
        { 0, 1, 10, 0, 0 }, { 0, 2, 80, 0, 0 }, { 0, 3, 70, 0, 0 }, { 0, 4, 40, 0, 0 }, { 1, 2, 50, 0, 0 },
        { 1, 3, 20, 0, 0 }, { 1, 4, 60, 0, 0 }, { 2, 3, 5, 0, 0 }, { 2, 4, 90, 0, 0 }, { 3, 4, 35, 0, 0 }
    };
    static const struct { int a, b; const char *latency; } tree[] = { { 2, 3, "5" }, { 0, 1, "10" }, { 1, 3, "20" },
                                                                      { 3, 4, "35" } };
    struct named named = { { { 0, 0 } } };
    const struct protocol_watch watch = { hear, &named };
    struct protocol_cost cost = { .time = 0 };
    struct spanning s;
    int ret = 0;

    if (spanning_build(&s, 5, wire, sizeof wire / sizeof *wire, &(struct protocol_how){ 0, &watch, &cost, sink->tick },
                       err) < 0)
        return -1;
    for (size_t k = 0; ret == 0 && k < sizeof tree / sizeof *tree; k++) {
        double in = 0;
        char where[40];

        for (size_t h = 0; h < 2 * s.w.m; h++)
            if (s.w.from[h] == tree[k].a && s.w.to[h] == tree[k].b && spanning_has(&s, h))
                in = s.w.latency[h];
        snprintf(where, sizeof where, "the tree, %d-%d", tree[k].a, tree[k].b);
        ret = claim_number(sink, err, where, "latency", tree[k].latency, in);
    }
    spanning_release(&s);
    return ret < 0 || claim_number(sink, err, "first fragment of two", "its name", "5", named.core[1][0]) < 0 ||
        claim_number(sink, err, "second fragment of two", "its name", "10", named.core[1][1]) < 0 ||
        claim_number(sink, err, "the fragment of all", "its name", "20", named.core[2][0]) < 0 ? -1 : 0;
}

const struct claim claim_wan_2_1 = {
    CLAIM_WAN_2_1_ENTRY,
    .run = claim_wan_2_1_run
};
