#include "model/contention/min_mutka.h"

static double messages(const struct met *a, const struct met *b)
{
    return (b->td + b->late) / (a->td + a->early);
}

static void apart(double wait[2], const struct met m[2])
{
    for (int k = 0; k < 2; k++) {
        const struct met *other = &m[1 - k];

        wait[k] = other->td / (other->td + other->late) * other->td / 2;
    }
}

static int contention_corrected_wait_of(double wait[2], const struct contender channel[2], struct err *err)
{
    return min_mutka(wait, channel, &(struct min_mutka){ messages, apart }, err);
}

const struct contention_model contention_corrected = {
    .name = "corrected",
    .summary = "the approximation of Min and Mutka for two channels, with its misprints corrected",
    .notes = "T1, T2 are exponential of means MI1, MI2; m1 = E[T1 | T1 < TD2], l1 = E[T1 | T1 >= TD2] = TD2 + MI1, m2 "
             "and l2\nlikewise. The waits of four cases are weighed by their probabilities.\n  T1 < TD2, T2 < TD1:    "
             "C1 = TD2 - m1,  C2 = TD1 - m2\n  T1 < TD2, T2 >= TD1:   C1 = (a (TD2 - m1/2) + (1-a) (TD2 - m1)) / N,  "
             "C2 = (1-a) TD1/2,\n                         a = m1/(TD1+m1),  N = ceil((TD2+l2) / (TD1+m1))\n  T1 >= "
             "TD2, T2 < TD1:   the same with 1 and 2 exchanged\n  T1 >= TD2, T2 >= TD1:  C1 = TD2/(TD2+l2) TD2/2,  C2 "
             "= TD1/(TD1+l1) TD1/2\nAs intervals grow it tends to 5/6 TD^2/MI, where the wait is 1/2 TD^2/MI.",
    .source = "Min and Mutka 1993, as in appendix A of D. Franco's thesis on Distributed Routing Balancing",
    .fair = true,
    .wait = contention_corrected_wait_of
};
