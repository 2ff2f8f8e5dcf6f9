#include "model/collective/exchange.h"

int64_t exchange_with_all(const struct schedule *s, int)
{
    return 2 * ((int64_t)s->n - 1);
}

int64_t exchange_doubling(const struct schedule *s, int)
{
    return s->n > 1 ? 2 * (32 - __builtin_clz((unsigned)s->n - 1)) : 0;
}

int64_t exchange_round(const struct schedule *, int)
{
    return 2;
}

void exchange_shift(struct action *a, const struct schedule *s, int p, int64_t i, int by)
{
    a->what = i % 2 ? ACTION_RECEIVE : ACTION_SEND;
    a->peer = exchange_modulo((int64_t)p + (i % 2 ? -by : by), s->n);
}

int exchange_block(struct action *a, const struct schedule *s, int p, struct err *err)
{
    return action_run(a, (int64_t)exchange_sender(a, p) * s->n + exchange_receiver(a, p), 1, 0, err);
}
