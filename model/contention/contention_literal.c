#include "model/contention/min_mutka.h"
#include "texts/contention.h"

/* The round of channel 1 as printed is that of the wrong case: E[T1 | T1 >= TD2] where T1 < TD2. */
static double messages(const struct met *a, const struct met *b)
{
    return (b->td + b->late) / (a->td + a->late);
}

/* As printed: the two exchanged, the first conditioned on the wrong case, the second with half of the wrong hold. */
static void apart(double wait[2], const struct met m[2])
{
    wait[0] = m[0].td / (m[0].td + m[0].early) * m[0].td / 2;
    wait[1] = m[0].td / (m[0].td + m[0].late) * m[1].td / 2;
}

static int contention_literal_wait_of(double wait[2], const struct contender channel[2], struct err *err)
{
    return min_mutka(wait, channel, &(struct min_mutka){ messages, apart }, err);
}

const struct contention_model contention_literal = {
    CONTENTION_LITERAL_ENTRY,
    .wait = contention_literal_wait_of
};
