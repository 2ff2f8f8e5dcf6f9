/* Table 6-8: networks of 8, 16 and 64 nodes (6.8, figures 6-23 to 6-26). Loads are in parts of 2B/N, B the links of the
 * bisection: 1 flit a node and cycle on torus:8x8, 2 on all others here, so that its intervals are twice as long. The
 * hot spot on hypercubes is not quite the printed one, which has as many channels as dimensions: with different ends
 * and by dimension order there are 2, 2 and 4 that share a link. */
#include "analysis/claim/drb_trial.h"
#include "texts/claim.h"

#define TORUSES(traffic) { "torus:4x4", traffic, 0, 0, NULL }, { "torus:8x8", traffic, 0, 2, NULL }, \
    { "torus:2x2x2", traffic, 0, 0, NULL }, { "torus:4x4x4", traffic, 0, 0, NULL }
#define CUBES(traffic) { "hypercube:3", traffic, 0, 0, NULL }, { "hypercube:4", traffic, 0, 0, NULL }, \
    { "hypercube:6", traffic, 0, 0, NULL }
enum { HOT = 0, HOT_CUBE = 4, BUTTERFLY = 7, BUTTERFLY_CUBE = 11 };     /* shifts */
enum { T16 = 1, T64 = 2, T8 = 4, T64_3D = 8, ALL_BUT_FIRST = 14, H3 = 1, H4 = 2, H6 = 4 };

static const struct trial_group groups[] = {
    TORUSES("drb-hotspot"), CUBES("drb-hotspot"), TORUSES("butterfly"), CUBES("butterfly")
};
#define BELOW TRIAL_MEAN, TRIAL_DRB, TRIAL_STATIC
static const struct trial_claim claims[] = {
    { 127, "DRB below static", BELOW, 0, 0, 0, 1, 0, 0.98 },
    { 127, "the difference grows with the load", TRIAL_GAIN, TRIAL_DRB, TRIAL_STATIC, 0, 1, 0, 2, 0, 0.99 },
    { ALL_BUT_FIRST << HOT, "static in one zone", TRIAL_MEAN, TRIAL_STATIC, TRIAL_STATIC, -1, 0, 0, 5, 0.7, 1.4 },
    { ALL_BUT_FIRST << HOT, "DRB in one zone", TRIAL_MEAN, TRIAL_DRB, TRIAL_DRB, -1, 0, 0, 5, 0.7, 1.4 },
    { T64 << HOT, "2-D by DRB better than 3-D by static", BELOW, 2, 0, 0, 5, 0, 0.99 },
    { T64 << HOT, "so at equal intervals too", BELOW, 2, 1, 0, 0, 0, 0.99 },
    { H4 << HOT_CUBE, "static alike for all sizes", TRIAL_MEAN, TRIAL_STATIC, TRIAL_STATIC, -1, 0, 0, 5, 0.9, 1.1 },
    { H6 << HOT_CUBE, "static alike for all sizes", TRIAL_MEAN, TRIAL_STATIC, TRIAL_STATIC, -2, 0, 0, 5, 0.9, 1.1 },
    { H4 << HOT_CUBE, "DRB alike for all sizes", TRIAL_MEAN, TRIAL_DRB, TRIAL_DRB, -1, 0, 0, 5, 0.9, 1.1 },
    { H6 << HOT_CUBE, "DRB alike for all sizes", TRIAL_MEAN, TRIAL_DRB, TRIAL_DRB, -2, 0, 0, 5, 0.9, 1.1 },
    { H4 << BUTTERFLY_CUBE, "the same for all sizes", TRIAL_MEAN, TRIAL_STATIC, TRIAL_STATIC, -1, 0, 0, 5, 0.97, 1.03 },
    { H6 << BUTTERFLY_CUBE, "the same for all sizes", TRIAL_MEAN, TRIAL_STATIC, TRIAL_STATIC, -2, 0, 0, 5, 0.97, 1.03 },
    { H4 << BUTTERFLY_CUBE, "the same for all sizes", TRIAL_MEAN, TRIAL_DRB, TRIAL_DRB, -1, 0, 0, 5, 0.97, 1.03 },
    { H6 << BUTTERFLY_CUBE, "the same for all sizes", TRIAL_MEAN, TRIAL_DRB, TRIAL_DRB, -2, 0, 0, 5, 0.97, 1.03 },
    { 15 << BUTTERFLY, "DRB below static", BELOW, 0, 0, 0, 1, 0, 0.98 },
    { T64 << BUTTERFLY, "2-D by DRB better than 3-D by static", BELOW, 2, 0, 0, 1, 0, 0.99 },
    { T64 << BUTTERFLY, "so at equal intervals too", BELOW, 2, 1, 0, 0, 0, 0.99 },
    { ALL_BUT_FIRST << BUTTERFLY, "DRB below any static", BELOW, -1, 0, 0, 1, 0, 1 },
    { (T8 | T64_3D) << BUTTERFLY, "DRB below any static", BELOW, -2, 0, 0, 1, 0, 1 },
    { T64_3D << BUTTERFLY, "DRB below any static", BELOW, -3, 0, 0, 1, 0, 1 },
    { (T16 | T64 | T8) << BUTTERFLY, "DRB below any static", BELOW, 1, 0, 0, 1, 0, 1 },
    { T16 << BUTTERFLY, "DRB below any static", BELOW, 2, 0, 0, 1, 0, 1 },
    { T16 << BUTTERFLY, "DRB below any static", BELOW, 3, 0, 0, 1, 0, 1 }
};

const struct claim claim_drb_6_8 = {
    CLAIM_DRB_6_8_ENTRY,
    .simulated = true,
    .table = &(const struct trial_table)TRIAL_TABLE(groups, claims, 1 << TRIAL_STATIC | 1 << TRIAL_DRB),
    .run = trial_state_all
};
