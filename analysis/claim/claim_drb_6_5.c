/* Table 6-5: the hot spot (6.6.2, figures 6-15 to 6-18). */
#include "analysis/claim/drb_trial.h"
#include "texts/claim.h"

static const struct trial_group groups[] = { { "torus:8x8", "drb-hotspot", 0, 0, NULL } };
static const struct trial_claim claims[] = {
    { 1, "lower by DRB", TRIAL_MEAN, TRIAL_DRB, TRIAL_STATIC, 0, 0, 0, 4, 0, 0.99 },
    { 1, "lower by DRB", TRIAL_MEAN, TRIAL_DRB, TRIAL_ADAPTIVE, 0, 0, 0, 4, 0, 0.99 },
    { 1, "a third, 20 of 60 cycles", TRIAL_MEAN, TRIAL_DRB, TRIAL_ADAPTIVE, 0, 0, 0, 0, 0, 0.4 },
    { 1, "twice, 20 and 40 cycles a message", TRIAL_RATE, TRIAL_DRB, TRIAL_ADAPTIVE, 0, 0, 0, 0, 1.75, INFINITY },
    { 1, "smaller by DRB", TRIAL_DEVIATION, TRIAL_DRB, TRIAL_STATIC, 0, 0, 1, 4, 0, 1.02 },
    { 1, "smaller by DRB", TRIAL_DEVIATION, TRIAL_DRB, TRIAL_ADAPTIVE, 0, 0, 1, 4, 0, 1.02 },
    { 1, "decreases to the last point", TRIAL_DEVIATION, TRIAL_STATIC, TRIAL_STATIC, 0, 1, 0, 0, 0, 0.99 },
    { 1, "decreases to the last point", TRIAL_DEVIATION, TRIAL_ADAPTIVE, TRIAL_ADAPTIVE, 0, 1, 0, 0, 0, 0.99 },
    { 1, "no peaks are left", TRIAL_WAIT, TRIAL_DRB, TRIAL_STATIC, 0, 0, 0, 0, 0, 0.5 },
    { 1, "peaks are left", TRIAL_WAIT, TRIAL_ADAPTIVE, TRIAL_STATIC, 0, 0, 0, 0, 0.5, INFINITY }
};

const struct claim claim_drb_6_5 = {
    CLAIM_DRB_6_5_ENTRY,
    .simulated = true,
    .table = &(const struct trial_table)TRIAL_TABLE(groups, claims, 7),
    .run = trial_state_all
};
