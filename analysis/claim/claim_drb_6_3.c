/* Table 6-3: acknowledgements that come late (6.5, figures 6-9 and 6-10). */
#include "analysis/claim/drb_trial.h"
#include "texts/claim.h"

enum { DELAYS = 4 };
#define LATE(cycles) { .ack = ACK_IDEAL, .flits = 1, .early = NAN, .delay = cycles }
static const struct simulate_balance late[DELAYS] = { LATE(5), LATE(10), LATE(15), LATE(20) };
#define HOT(balance) { "torus:8x8", "drb-hotspot", 0, 0, balance }
static const struct trial_group groups[] = { HOT(NULL), HOT(&late[0]), HOT(&late[1]), HOT(&late[2]), HOT(&late[3]) };
#define SAME(i) { 1 << i, "one curve over the other", TRIAL_MEAN, TRIAL_DRB, TRIAL_DRB, -i, 0, 0, 5, 0.95, 1.05 }, \
    { 1 << i, "one curve over the other", TRIAL_DEVIATION, TRIAL_DRB, TRIAL_DRB, -i, 0, 0, 5, 0.9, 1.1 }
static const struct trial_claim claims[] = { SAME(1), SAME(2), SAME(3), SAME(4) };

static int claim_drb_6_3_run(const struct claim_sink *sink, struct err *err)
{
    struct trial_start start[2];

    return trial_begin(&start[0], &groups[0], sink->tick, err) < 0 ||
        trial_begin(&start[1], &groups[DELAYS], sink->tick, err) < 0 ||
        trial_compare(&start[0], &start[1], "torus:8x8 drb-hotspot, delay 0 against 20, interval 10", "somewhat lower",
                      false, sink, err) < 0 ? -1 : trial_state_all(sink, err);
}

const struct claim claim_drb_6_3 = {
    CLAIM_DRB_6_3_ENTRY,
    .simulated = true,
    .table = &(const struct trial_table)TRIAL_TABLE(groups, claims, 1 << TRIAL_DRB),
    .run = claim_drb_6_3_run
};
