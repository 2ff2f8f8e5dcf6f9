/* Table 6-1: the cost of acknowledgements that return over the same network (6.3, figures 6-4 to 6-6). */
#include "analysis/claim/drb_trial.h"
#include "texts/claim.h"

#define CASE(net, traffic) { net, traffic, 0, 0, NULL }, { net, traffic, 0, 0, &band }
#define CASES(net) CASE(net, "butterfly"), CASE(net, "bit-reversal"), CASE(net, "perfect-shuffle"), \
    CASE(net, "transpose")
/* Each second group is compared with the one before. */
enum { BUTTERFLY = 2, REVERSAL = 8, SHUFFLE = 32, TRANSPOSE = 128, ALL = 170 };
enum { TORUS = 0, CUBE = 8, HOT = 17 };         /* shifts */

static const struct simulate_balance band = { .ack = ACK_BAND, .flits = 1, .early = NAN };
static const struct trial_group groups[] = {
    CASES("torus:4x4"), CASES("hypercube:4"), CASE("torus:8x8", "drb-hotspot")
};
#define AGAINST(value) TRIAL_##value, TRIAL_DRB, TRIAL_DRB, -1, 0
static const struct trial_claim claims[] = {
    { BUTTERFLY << TORUS, "least, but at high load", AGAINST(MEAN), 2, 5, 0.98, 1.05 },
    { BUTTERFLY << TORUS, "more at high load", AGAINST(MEAN), 0, 0, 1.02, 1.5 },
    { BUTTERFLY << TORUS, "somewhat more", AGAINST(DEVIATION), 0, 5, 0.98, 1.3 },
    { (REVERSAL | TRANSPOSE) << TORUS, "30 % or less", AGAINST(MEAN), 0, 5, 0.98, 1.3 },
    { (REVERSAL | TRANSPOSE) << TORUS, "constant loss, so at low load too", AGAINST(MEAN), 5, 5, 1.02, 1.3 },
    { (REVERSAL | TRANSPOSE) << TORUS, "more at high load", AGAINST(DEVIATION), 0, 0, 1, 2 },
    { SHUFFLE << TORUS | ALL << CUBE | 1 << HOT, "none", AGAINST(MEAN), 0, 5, 0, 1.05 },
    { SHUFFLE << TORUS | ALL << CUBE, "none", AGAINST(DEVIATION), 0, 5, 0, 1.1 },
    { 1 << HOT, "none but at the last point", AGAINST(DEVIATION), 1, 5, 0.9, 1.1 },
    { 1 << HOT, "less with acknowledgements", AGAINST(DEVIATION), 0, 0, 0, 0.99 }
};

const struct claim claim_drb_6_1 = {
    CLAIM_DRB_6_1_ENTRY,
    .simulated = true,
    .table = &(const struct trial_table)TRIAL_TABLE(groups, claims, 1 << TRIAL_DRB),
    .run = trial_state_all
};
