/* Table 6-4: systematic patterns on toruses and hypercubes of 16 and 64 nodes (6.6.1, figures 6-11 to 6-14, whose
 * curves are not in the text). */
#include "analysis/claim/drb_trial.h"
#include "texts/claim.h"

#define CASE(net, traffic) { net, traffic, 0, 0, NULL }
#define CASES(net) CASE(net, "butterfly"), CASE(net, "bit-reversal"), CASE(net, "perfect-shuffle"), \
    CASE(net, "transpose")
enum { BUTTERFLY = 1, REVERSAL = 2, SHUFFLE = 4, TRANSPOSE = 8, ALL = 15 };
enum { T16 = 0, T64 = 4, H16 = 8, H64 = 12 };   /* shifts */

static const struct trial_group groups[] = {
    CASES("torus:4x4"), CASES("torus:8x8"), CASES("hypercube:4"), CASES("hypercube:6")
};
#define ROWS(of, by, than) TRIAL_##of, TRIAL_##by, TRIAL_##than, 0, 0
#define TURNS(by) TRIAL_RATE, TRIAL_##by, TRIAL_##by, 0, 1, 0, 0
enum { TORUSES = ALL << T16 | ALL << T64, CUBES = ALL << H16 | ALL << H64 };
static const struct trial_claim claims[] = {
    { TORUSES, "as by the others at low load", ROWS(MEAN, DRB, STATIC), 5, 5, 0.9, 1.1 },
    { TORUSES, "as by the others at low load", ROWS(MEAN, DRB, ADAPTIVE), 5, 5, 0.9, 1.1 },
    { TORUSES, "much lower at intermediate load", ROWS(MEAN, DRB, STATIC), 3, 4, 0, 0.95 },
    { TORUSES, "much lower at intermediate load", ROWS(MEAN, DRB, ADAPTIVE), 3, 4, 0, 0.95 },
    { TORUSES, "lower at high load", ROWS(MEAN, DRB, STATIC), 0, 2, 0, 0.98 },
    { TORUSES, "lower at high load", ROWS(MEAN, DRB, ADAPTIVE), 0, 2, 0, 0.98 },
    { TORUSES, "smaller by DRB", ROWS(DEVIATION, DRB, STATIC), 0, 4, 0, 0.99 },
    { TORUSES, "smaller by DRB", ROWS(DEVIATION, DRB, ADAPTIVE), 0, 4, 0, 0.99 },
    { TORUSES, "more by DRB", ROWS(PERCENT, DRB, STATIC), 0, 0, 1.01, INFINITY },
    { TORUSES, "more by DRB", ROWS(PERCENT, DRB, ADAPTIVE), 0, 0, 1.01, INFINITY },
    { TORUSES, "gains more with the load", TRIAL_GAIN, TRIAL_DRB, TRIAL_STATIC, 0, 1, 0, 4, 0, 0.99 },
    { ALL << T64, "gains more than on 4x4", TRIAL_GAIN, TRIAL_DRB, TRIAL_ADAPTIVE, -4, 0, 0, 1, 0, 0.99 },
    { ALL << H64, "gains more than on 16 nodes", TRIAL_GAIN, TRIAL_DRB, TRIAL_ADAPTIVE, -4, 0, 0, 1, 0, 0.99 },
    { TORUSES, "gains more than on hypercubes", TRIAL_GAIN, TRIAL_DRB, TRIAL_ADAPTIVE, 8, 0, 0, 1, 0, 0.99 },
    { (BUTTERFLY | REVERSAL | TRANSPOSE) << T16, "half", ROWS(MEAN, DRB, STATIC), 0, 0, 0, 0.55 },
    { (BUTTERFLY | REVERSAL | TRANSPOSE) << T16, "half", ROWS(MEAN, DRB, ADAPTIVE), 0, 0, 0, 0.55 },
    { REVERSAL << T64, "a quarter", ROWS(MEAN, DRB, STATIC), 0, 0, 0, 0.3 },
    { REVERSAL << T64, "a quarter", ROWS(MEAN, DRB, ADAPTIVE), 0, 0, 0, 0.3 },
    { SHUFFLE << T64, "worse by adaptive", ROWS(MEAN, ADAPTIVE, STATIC), 0, 0, 1.02, INFINITY },
    { ALL << T64, "turns back", TURNS(STATIC), 0, 0.99 },
    { ALL << T64, "turns back", TURNS(ADAPTIVE), 0, 0.99 },
    { (BUTTERFLY | SHUFFLE) << T64, "constant", TURNS(DRB), 0.97, 1.1 },
    { (REVERSAL | TRANSPOSE) << T64, "somewhat more", TURNS(DRB), 1, 1.3 },
    { CUBES, "lower than by static at high load", ROWS(MEAN, DRB, STATIC), 0, 1, 0, 0.98 },
    { BUTTERFLY << H16, "as by adaptive", ROWS(MEAN, DRB, ADAPTIVE), 0, 5, 0.9, 1.1 },
    { REVERSAL << H16, "as by adaptive", ROWS(MEAN, DRB, ADAPTIVE), 1, 5, 0.9, 1.1 },
    { SHUFFLE << H16, "as by adaptive", ROWS(MEAN, DRB, ADAPTIVE), 2, 5, 0.9, 1.1 },
    { BUTTERFLY << H64, "somewhat better by adaptive", ROWS(MEAN, DRB, ADAPTIVE), 2, 5, 1.005, 1.1 },
    { (REVERSAL | SHUFFLE | TRANSPOSE) << H16, "similar, rather smaller", ROWS(DEVIATION, DRB, ADAPTIVE), 0, 5, 0,
      1.1 },
    { REVERSAL << H16, "lower at the last point", ROWS(MEAN, DRB, ADAPTIVE), 0, 0, 0, 0.98 },
    { SHUFFLE << H16, "lower at the last two points", ROWS(MEAN, DRB, ADAPTIVE), 0, 1, 0, 0.98 },
    { TRANSPOSE << H16, "slightly more than by adaptive", ROWS(MEAN, DRB, ADAPTIVE), 1, 5, 1, 1.15 },
    { TRANSPOSE << H16, "lower at the last point", ROWS(MEAN, DRB, ADAPTIVE), 0, 0, 0, 0.98 },
    { (REVERSAL | TRANSPOSE) << H64, "as by adaptive but for two points", ROWS(MEAN, DRB, ADAPTIVE), 2, 5, 0.9, 1.1 },
    { (REVERSAL | TRANSPOSE) << H64, "much lower at the last two points", ROWS(MEAN, DRB, ADAPTIVE), 0, 1, 0, 0.8 },
    { SHUFFLE << H64, "lower by DRB", ROWS(MEAN, DRB, ADAPTIVE), 0, 5, 0, 0.99 },
    { SHUFFLE << H64, "worse by adaptive", ROWS(MEAN, ADAPTIVE, STATIC), 0, 5, 1.01, INFINITY },
    { (REVERSAL | SHUFFLE | TRANSPOSE) << H64, "shoots up by adaptive", ROWS(DEVIATION, ADAPTIVE, DRB), 0, 0, 1.5,
      INFINITY }
};

const struct claim claim_drb_6_4 = {
    CLAIM_DRB_6_4_ENTRY,
    .simulated = true,
    .table = &(const struct trial_table)TRIAL_TABLE(groups, claims, 7),
    .run = trial_state_all
};
