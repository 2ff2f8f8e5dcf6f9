/* LogGP: the sender's processor works for o; its interface takes (m - 1) G and leaves max(g, o) between messages; L on
 * the way; the receiver's processor works for o. Without a rate LogP. */
#include "analysis/collective/loggp.h"
#include "texts/cost.h"

int loggp_open(struct cost *c, const struct spec *spec, const struct cost_network *, struct err *err)
{
    if (cost_time(&c->a, c, spec, "l", NAN, err) < 0 || cost_time(&c->o, c, spec, "o", NAN, err) < 0 ||
        cost_time(&c->g, c, spec, "g", 0, err) < 0 || cost_rate(&c->b, c, spec, "rate", INFINITY, err) < 0)
        return -1;
    c->g = fmax(c->g, c->o);
    return cost_room(c, 2 * (size_t)c->n, 0, err);
}

double loggp_send(struct cost *c, int from, int, double bytes, double *time, struct err *)
{
    double *nic = &c->free[from];
    const double start = fmax(*time, *nic), rest = c->b * fmax(bytes - 1, 0), work = c->cpu * fmax(bytes - 1, 0);

    *nic = start + rest + c->g;
    *time = start + c->o + work;
    return start + c->o + fmax(rest, work) + c->a;
}

double loggp_take(struct cost *c, int to, double bytes, double arrival, double time)
{
    double *last = &c->free[c->n + to];         /* when the one before was begun to be taken */
    const double start = fmax(fmax(time, arrival), *last);

    *last = start + c->g;
    return start + c->o + c->cpu * fmax(bytes - 1, 0);
}

/* What `bytes` take at the least beyond a message of one, in however many, sent by one process, or to one by several at
 * once. One process: k messages are (k - 1) gap + (bytes - k) byte at the least. To one, in time t: the i-th from the
 * last is there by t - i gap, and has 1 + (t - i gap)/byte bytes at most; the sum over i is at most y + 1/2 +
 * y^2 gap/(2 byte) with y = t/gap + 1/2. */
static double loggp_gaps(double byte, double gap, double bytes)
{
    const double sent = fmax(bytes - 1, 0) * fmin(byte, gap);
    const double taken = byte * (sqrt(1 + 2 * gap / byte * fmax(bytes - 0.5, 0)) - 1) - gap / 2;

    return byte > 0 ? fmax(0, fmin(sent, taken)) : 0;
}

double loggp_alone(const struct cost *c, double bytes)
{
    return c->a + 2 * c->o + fmax(loggp_gaps(c->b, c->g, bytes), fmin(c->cpu, c->o) * fmax(bytes - 1, 0));
}

double loggp_gap(const struct cost *c, double bytes)
{
    return fmax(c->g + c->b * fmax(bytes - 1, 0), c->o + c->cpu * fmax(bytes - 1, 0));
}

const struct cost_kind cost_loggp = {
    COST_LOGGP_ENTRY,
    .apart = true,
    .open = loggp_open,
    .send = loggp_send,
    .take = loggp_take,
    .alone = loggp_alone,
    .gap = loggp_gap
};
