#include "analysis/broadcast/broadcast.h"
#include "analysis/claim/rmpi.h"
#include "texts/claim.h"

/* The numbers that section 5 has in its text only, all for 16 processes. */
static const struct statement {
    const char *where, *printed, *spec, *pattern, *degree;      /* pattern NULL: flooding */
} statements[] = {
    { "section 5, sequential, first degree: N-1", "15", "complete:16", "sequential", "first" },
    { "section 5, sequential, degree N-1", "1", "complete:16", "sequential", "optimal" },
    { "section 5.3, flooding, mesh with wraparound", "4", "torus:4x4", NULL, NULL }
};

static int claim_rmpi_text_value_of(double *value, const struct statement *s, struct net *net, struct err *err)
{
    struct routing routing = { 0 };
    struct placement where = { 0 };
    struct broadcast b = { 0 };
    int ret = -1;

    if (placement_init(&where, net, NULL, 0, 1, 0, err) < 0 || routing_open(&routing, net, "dor", err) < 0)
        goto done;
    if (s->pattern) {
        ret = rmpi_value(value, s->pattern, s->degree, false, &where, &routing, err);
    } else {
        ret = broadcast_flood(&b, net, &where, 0, err);
        *value = b.makespan_steps;
    }
done:
    broadcast_release(&b);
    routing_close(&routing);
    placement_release(&where);
    return ret;
}

static int claim_rmpi_text_run(const struct claim_sink *sink, struct err *err)
{
    for (size_t i = 0; i < sizeof statements / sizeof *statements; i++) {
        const struct statement *s = &statements[i];
        struct net *net = NULL;
        double value = 0;
        char where[120];
        int ret;

        if (net_open(&net, s->spec, err) < 0)
            return -1;
        ret = claim_rmpi_text_value_of(&value, s, net, err);
        net_close(net);
        snprintf(where, sizeof where, "%s (%s)", s->where, s->spec);
        if (ret < 0 || claim_number(sink, err, where, "hops", s->printed, value) < 0)
            return -1;
    }
    return 0;
}

const struct claim claim_rmpi_text = {
    CLAIM_RMPI_TEXT_ENTRY,
    .run = claim_rmpi_text_run
};
