/* Table 6-2: acknowledgements as soon as a message has waited longer than the band of DRB allows (6.4, figures 6-7 and
 * 6-8). The wait is not printed: 8 cycles here, with which the idle paths of 15 and 16 cycles leave the band. */
#include "analysis/claim/drb_trial.h"
#include "texts/claim.h"

static const struct simulate_balance early = { .ack = ACK_IDEAL, .flits = 1, .early = 8 };
static const struct trial_group groups[] = {
    { "torus:8x8", "drb-hotspot", 0, 0, NULL }, { "torus:8x8", "drb-hotspot", 0, 0, &early }
};
static const struct trial_claim claims[] = {
    { 2, "one curve over the other", TRIAL_MEAN, TRIAL_DRB, TRIAL_DRB, -1, 0, 0, 5, 0.95, 1.05 },
    { 2, "one curve over the other", TRIAL_DEVIATION, TRIAL_DRB, TRIAL_DRB, -1, 0, 0, 5, 0.9, 1.1 }
};

static int claim_drb_6_2_run(const struct claim_sink *sink, struct err *err)
{
    struct trial_start usual, soon;

    return trial_begin(&usual, &groups[0], sink->tick, err) < 0 ||
        trial_begin(&soon, &groups[1], sink->tick, err) < 0 ||
        trial_compare(&soon, &usual, "torus:8x8 drb-hotspot, early, interval 10", "somewhat lower", true, sink,
                      err) < 0 ?
        -1 : trial_state_all(sink, err);
}

const struct claim claim_drb_6_2 = {
    CLAIM_DRB_6_2_ENTRY,
    .simulated = true,
    .table = &(const struct trial_table)TRIAL_TABLE(groups, claims, 1 << TRIAL_DRB),
    .run = claim_drb_6_2_run
};
