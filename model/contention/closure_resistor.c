#include "model/contention/closure.h"
#include "texts/closure.h"

/* One equivalent opponent: rates of being idle add, holds are averaged by rate. The exact wait of two channels, all of
 * it on the diagonal. */
static void waits(double *out, const struct closure_side *side, size_t n, const double *, const double *)
{
    memset(out, 0, n * n * sizeof *out);
    for (size_t g = 0; g < n; g++) {
        double rate = 0, x = 0, h = 0;

        for (size_t j = 0; j < n; j++)
            if (j != g && side[j].rate > 0) {
                rate += 1 / side[j].idle;
                x += side[j].rate;
                h += side[j].rate * side[j].hold;
            }
        if (x > 0 && side[g].rate > 0) {
            const double mi1 = side[g].idle, mi2 = 1 / rate, td1 = side[g].hold, td2 = h / x;
            const double p12 = 1 - mi2 / (mi1 + mi2) * exp(-td1 / mi2), p21 = 1 - mi1 / (mi1 + mi2) * exp(-td2 / mi1);

            out[g * n + g] = p12 / p21 * mi1 * contention_rest(td2 / mi1);
        }
    }
}

const struct closure closure_resistor = {
    CLOSURE_RESISTOR_ENTRY,
    .waits = waits
};
