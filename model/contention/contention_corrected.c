#include "model/contention/min_mutka.h"
#include "texts/contention.h"

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
    CONTENTION_CORRECTED_ENTRY,
    .fair = true,
    .wait = contention_corrected_wait_of
};
