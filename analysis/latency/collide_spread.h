/* collide_spread.h -- how the holds of a solved collision model vary (collide.h), where messages hold links while they
 * wait.
 * A port holds its link for H = base + G, base what its messages take where they wait for nothing, G gamma distributed
 * with the moments of what is still to be waited for. Of that the mean is the model's; variances add up backwards along
 * ways, with the variance of a wait of port g
 *     V_g = S (W_g/m)^2 - W_g^2,     m = sum x_j (E H_j^2/2 + W_j h_j),     S = sum x_j (E H_j^3/3 + W_j (E H_j^2 +
 *     2 h_j R)),     R = sum x_j E H_j^2/2 / sum x_j h_j      (sums over the ports j != g of the link)
 * m and S are what a message from outside would wait, and the square of it; the same shape is put under the mean of
 * messages of the port's own closed sources.
 * Units   cycles, messages per cycle.
 * Errors  ERR_MEMORY. */
#pragma once

#include "analysis/latency/collide.h"

struct collide_moments {
    double mean, square, cube;
};
struct collide_spread {
    const struct collide *c;
    double *state;              /* variance of what is still to be waited for */
    double *port;               /* variance of a wait */
    struct collide_moments *sum;        /* by port: moments of what is still to be waited for beyond its link */
    struct closure_spread *hold;        /* by port */
};
int collide_spread_open(struct collide_spread *v, const struct collide *c, struct err *err);
void collide_spread_close(struct collide_spread *v);
/* From what c has solved. */
void collide_spread_find(struct collide_spread *v);
/* Of a port's hold: the first three moments, each times the port's rate. */
struct collide_moments collide_spread_hold(const struct collide_spread *v, size_t g);
/* What a port's messages wait for each other, apart from what others cost them. */
double collide_spread_own(const struct collide *c, size_t g);
