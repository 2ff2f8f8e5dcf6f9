#include "analysis/claim/wan.h"
#include "texts/claim.h"

/* All messages of the tree, in parts of MagPIe's. */
static int claim_ratios(const struct claim_sink *sink, struct err *err)
{
    static const struct { int broadcasts; const char *printed; } row[] = { { 4, "10" }, { 8, "5" }, { 16, "3" } };
    struct wan w;
    int ret = 0;

    if (wan_open(&w, err) < 0)
        return -1;
    for (size_t k = 0; ret == 0 && k < sizeof row / sizeof *row; k++) {
        struct played p;
        char where[60];
        double all = 0;

        ret = wan_play(&p, &w, &(struct wan_play){ "mst", 0, 0 }, NULL, NULL, row[k].broadcasts, 1, err);
        if (ret < 0)
            break;
        all = (p.built + p.broadcast) / p.broadcast;
        played_release(&p);
        snprintf(where, sizeof where, "%d broadcasts, all messages", row[k].broadcasts);
        ret = claim_statement(sink, err, all, all > strtod(row[k].printed, NULL) - 0.6 && all < strtod(row[k].printed,
                              NULL) + 0.6 ? CLAIM_HOLDS : CLAIM_FAILS, where, "of the tree, in parts of magpie's",
                              row[k].printed, "about so many, with delays at random");
    }
    wan_close(&w);
    return ret;
}

static int claim_wan_4_3_run(const struct claim_sink *sink, struct err *err)
{
    return wan_counts("4.3", NULL, NULL, sink, err) < 0 || claim_ratios(sink, err) < 0 ? -1 : 0;
}

const struct claim claim_wan_4_3 = {
    CLAIM_WAN_4_3_ENTRY,
    .run = claim_wan_4_3_run
};
