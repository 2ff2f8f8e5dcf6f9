#include "analysis/claim/wan.h"
#include "texts/claim.h"

/* Section 4.4.1.4, as in wan_scenarios.csv. */
static int claim_wan_4_4_run(const struct claim_sink *sink, struct err *err)
{
    static const char rows[] = "scenario,before,a,b,latency\n4.12,0,0,2,12001.02\n4.12,0,12,16,35120.12\n"
        "4.12,4,4,6,6001\n4.12,8,0,2,1\n4.12,12,12,20,29669.16\n4.12,16,12,16,331\n";
    struct csv scenarios;
    int ret;

    if (csv_parse(&scenarios, rows, sizeof rows - 1, "section 4.4.1.4", err) < 0)
        return -1;
    ret = wan_counts("4.4", &scenarios, "4.12", sink, err);
    csv_release(&scenarios);
    return ret;
}

const struct claim claim_wan_4_4 = {
    CLAIM_WAN_4_4_ENTRY,
    .run = claim_wan_4_4_run
};
