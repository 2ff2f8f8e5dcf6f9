#include "model/contention/contention.h"
#include "texts/contention.h"

/* The channel served next is a Markov chain of two states. The link goes from 1 to 2 unless 2 computes on through 1's
 * hold and 1 then asks first: p12 = 1 - MI2 / (MI1 + MI2) exp(-TD1 / MI2), written without its subtraction and without
 * the denominator that p12 and p21 share. */
static double passes_on(double mi, double other_mi, double td)
{
    return mi - other_mi * expm1(-td / other_mi);
}

static int contention_exact_wait_of(double wait[2], const struct contender channel[2], struct err *err)
{
    const double mi1 = channel[0].interval, td1 = channel[0].hold, mi2 = channel[1].interval, td2 = channel[1].hold;
    double p12, p21;

    if (contender_check(channel, 2, err) < 0)
        return -1;
    p12 = passes_on(mi1, mi2, td1);
    p21 = passes_on(mi2, mi1, td2);
    wait[0] = p12 / p21 * mi1 * contention_rest(td2 / mi1);
    wait[1] = p21 / p12 * mi2 * contention_rest(td1 / mi2);
    return 0;
}

const struct contention_model contention_exact = {
    CONTENTION_EXACT_ENTRY,
    .exact = true,
    .fair = true,
    .wait = contention_exact_wait_of
};
