#include "model/contention/min_mutka.h"

static struct met meet(const struct contender *own, const struct contender *other)
{
    const double mi = own->interval, x = other->hold / mi;
    struct met m = { .td = own->hold, .within = -expm1(-x), .beyond = exp(-x), .late = other->hold + mi };

    /* MI - TD / (exp(TD / MI) - 1) */
    m.early = x < 1 ? mi * exp(-x) * contention_rest(-x) / m.within : mi - other->hold * m.beyond / m.within;
    return m;
}

/* a asks within b's hold and b does not within a's: adds what a waits to a_wait, what b waits to b_wait. */
static void one_sided(double *a_wait, double *b_wait, const struct met *a, const struct met *b,
                      const struct min_mutka *how)
{
    const double free = a->early / (a->td + a->early), held = a->td / (a->td + a->early);  /* as b finds the link */
    const double probability = a->within * b->beyond, n = ceil(how->messages(a, b));

    *a_wait += probability * (free * (b->td - a->early / 2) + held * (b->td - a->early)) / n;
    *b_wait += probability * held * a->td / 2;
}

int min_mutka(double wait[2], const struct contender channel[2], const struct min_mutka *how, struct err *err)
{
    double both, neither, apart[2];
    struct met m[2];

    if (contender_check(channel, 2, err) < 0)
        return -1;
    m[0] = meet(&channel[0], &channel[1]);
    m[1] = meet(&channel[1], &channel[0]);
    both = m[0].within * m[1].within;
    neither = m[0].beyond * m[1].beyond;
    how->apart(apart, m);
    for (int k = 0; k < 2; k++)
        wait[k] = both * (m[1 - k].td - m[k].early) + neither * apart[k];
    one_sided(&wait[0], &wait[1], &m[0], &m[1], how);
    one_sided(&wait[1], &wait[0], &m[1], &m[0], how);
    return 0;
}
