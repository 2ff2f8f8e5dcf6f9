/* Table 6-7: packets of 10, 20 and 64 flits on a torus of 16 nodes (6.7, figures 6-19 to 6-22). Of butterfly the
 * section says that DRB gains with the length, its conclusion and that of 6.9 that the length hardly matters. */
#include "analysis/claim/drb_trial.h"
#include "texts/claim.h"

#define CASE(traffic) { "torus:4x4", traffic, 10, 0, NULL }, { "torus:4x4", traffic, 20, 0, NULL }, \
    { "torus:4x4", traffic, 64, 0, NULL }
enum { BUTTERFLY = 0, REVERSAL = 3, SHUFFLE = 6, TRANSPOSE = 9 };       /* shifts */
enum { TEN = 1, TWENTY = 2, LONG = 4, ALL = 7 };

static const struct trial_group groups[] = {
    CASE("butterfly"), CASE("bit-reversal"), CASE("perfect-shuffle"), CASE("transpose")
};
#define DRB_BY(other) TRIAL_MEAN, TRIAL_DRB, TRIAL_##other, 0, 0
#define EVERY(length) ((length) << BUTTERFLY | (length) << REVERSAL | (length) << SHUFFLE | (length) << TRANSPOSE)
static const struct trial_claim claims[] = {
    { TWENTY << BUTTERFLY, "DRB gains more", TRIAL_GAIN, TRIAL_DRB, TRIAL_STATIC, -1, 0, 0, 3, 0, 0.99 },
    { LONG << BUTTERFLY, "DRB gains more", TRIAL_GAIN, TRIAL_DRB, TRIAL_STATIC, -2, 0, 0, 3, 0, 0.99 },
    { TWENTY << BUTTERFLY | TWENTY << SHUFFLE, "DRB gains more", TRIAL_GAIN, TRIAL_DRB, TRIAL_ADAPTIVE, -1, 0, 0, 3, 0,
      0.99 },
    { LONG << BUTTERFLY | LONG << SHUFFLE, "DRB gains more", TRIAL_GAIN, TRIAL_DRB, TRIAL_ADAPTIVE, -2, 0, 0, 3, 0,
      0.99 },
    { LONG << BUTTERFLY, "the same (6.7, 6.9)", TRIAL_GAIN, TRIAL_DRB, TRIAL_ADAPTIVE, -2, 0, 0, 5, 0.9, 1.1 },
    { (TWENTY | LONG) << REVERSAL | (TWENTY | LONG) << TRANSPOSE, "no better than adaptive", DRB_BY(ADAPTIVE), 0, 5,
      0.98, INFINITY },
    { ALL << REVERSAL | ALL << TRANSPOSE, "lower than static", DRB_BY(STATIC), 0, 3, 0, 0.98 },
    { (TWENTY | LONG) << SHUFFLE, "lower than the others", DRB_BY(STATIC), 0, 3, 0, 0.98 },
    { (TWENTY | LONG) << SHUFFLE, "lower than the others", DRB_BY(ADAPTIVE), 0, 3, 0, 0.98 },
    { TEN << SHUFFLE, "alike, but at very high load", DRB_BY(ADAPTIVE), 2, 5, 0.95, 1.05 },
    { TEN << SHUFFLE, "alike, but at very high load", DRB_BY(STATIC), 2, 5, 0.95, 1.05 },
    { TEN << SHUFFLE, "better at very high load", DRB_BY(ADAPTIVE), 0, 0, 0, 0.98 },
    { EVERY(LONG), "more with the length", TRIAL_MEAN, TRIAL_DRB, TRIAL_DRB, -2, 0, 0, 5, 1.05, INFINITY },
    { EVERY(TWENTY), "more with the length", TRIAL_MEAN, TRIAL_STATIC, TRIAL_STATIC, -1, 0, 0, 5, 1.05, INFINITY },
    { EVERY(TWENTY), "more with the length", TRIAL_MEAN, TRIAL_DRB, TRIAL_DRB, -1, 0, 0, 5, 1.05, INFINITY }
};

const struct claim claim_drb_6_7 = {
    CLAIM_DRB_6_7_ENTRY,
    .simulated = true,
    .table = &(const struct trial_table)TRIAL_TABLE(groups, claims, 7),
    .run = trial_state_all
};
