/* transfer.c -- protocols of one message (transfer.h).
 * 1. legs      what is done before the data, and the data with their copies
 * 2. run       time, and what the sender does meanwhile
 * 3. several   thresholds, the least envelope, the best two */
#include "model/transfer/transfer.h"

#include <math.h>

#include "registry/transfer.inc"
KIND(transfer, transfer, struct transfer, .name = "transfer", .what = "protocol", .rank = 15)

const char *const transfer_state_name[] = { NULL, "falls back", "refused", "does not fit" };

void transfer_plain(struct transfer_how *how, double a, double byte, double work)
{
    const struct transfer_leg leg = { a, byte, work };

    *how = (struct transfer_how){ .request = leg, .ack = leg, .send = leg, .write = leg, .read = leg, .notice = leg,
                                  .packet = INFINITY, .buffer = INFINITY, .credits = INFINITY, .returned = 1 };
}

/* ---- legs -------------------------------------------------------------------------------------------- */

unsigned transfer_copies(const struct transfer *p, const struct transfer_how *how)
{
    return p->measured && how->npiece ? 0 : p->asked_copies ? how->copies : p->copies;
}

int transfer_check(const struct transfer *p, const struct transfer_how *how, struct err *err)
{
    if (transfer_copies(p, how) && !(how->copy > 0))
        return err_set(err, ERR_USAGE, "the copies of %s have no rate: say it, as in --copy-rate 10GB/s", p->name);
    if (!isfinite(how->credits))
        return 0;
    if (!isfinite(how->packet))
        return err_set(err, ERR_USAGE, "credits are buffers of a packet: say --packet, as in 4K");
    return fmod(how->credits, how->returned) == 0 ? 0 :
        err_set(err, ERR_USAGE, "%.0f credits are not given back %.0f at a time: that must divide them", how->credits,
                how->returned);
}

double transfer_window(const struct transfer_leg *leg, const struct transfer_how *how)
{
    const double batch = how->returned * how->packet * leg->byte + 2 * leg->a;

    return isfinite(how->credits) ? fmin(1 / leg->byte, how->credits * how->packet / batch) : 1 / leg->byte;
}

static struct transfer_leg data_leg(const struct transfer *p, const struct transfer_how *how, double bytes)
{
    size_t k = 0;

    if (p->data != TRANSFER_SEND)
        return p->data == TRANSFER_WRITE ? how->write : how->read;
    while (k + 1 < how->npiece && how->piece[k + 1].from <= bytes)
        k++;
    return p->measured && how->npiece ? how->piece[k].leg : how->send;
}

/* How much later than without limits the last packet leaves. Of q = X/y batches one after the other, each is y packets;
 * batch b leaves when batch b - q was taken and its credits are back. */
static double window_wait(const struct transfer_leg *leg, const struct transfer_how *how, double bytes)
{
    const double batch = how->returned * how->packet, all = how->credits * how->packet;
    const double rounds = bytes > 0 && isfinite(all) ? ceil(bytes / all) - 1 : 0;

    return rounds == 0 ? 0 : rounds * fmax(0, batch * leg->byte + 2 * leg->a - all * leg->byte);
}

static int count_ends(unsigned ends)
{
    return !!(ends & AT_SENDER) + !!(ends & AT_RECEIVER);
}

/* From when the first byte may go to when the last is in place. */
static double data_time(const struct transfer *p, const struct transfer_how *how, const struct transfer_leg *leg,
                        double bytes)
{
    const unsigned ends = transfer_copies(p, how);
    const double first = fmin(bytes, how->packet), rest = bytes - first;
    double time = leg->a * (p->data == TRANSFER_READ ? 2 : 1) + bytes * leg->byte;

    if (ends)                           /* P/c at each end, then what a copy is slower than the leg */
        time += count_ends(ends) * first * how->copy + rest * fmax(0, how->copy - leg->byte);
    return time + (p->window ? window_wait(leg, how, bytes) : 0);
}

/* ---- run --------------------------------------------------------------------------------------------- */

/* When the data may go: a request waits for the receiver, which then registers and answers. */
static double data_start(const struct transfer *p, const struct transfer_how *how)
{
    const double once = p->registers ? how->registration * (1 - how->reuse) : 0;
    const double there = once + (p->request ? how->request.a : 0);

    return (p->request ? fmax(there, how->late) : there) + once + (p->ack ? how->ack.a : 0);
}

/* Request and refusal: whatever would have answered says no. */
static void refuse(struct transfer_outcome *o, const struct transfer_how *how)
{
    o->state = TRANSFER_REFUSED;
    o->control = 2;
    o->time = o->done = fmax(how->request.a, how->late) + how->ack.a;
    o->busy = how->request.work + how->ack.work;
    o->wait = o->time - o->busy;
}

void transfer_run(struct transfer_outcome *o, const struct transfer *p, const struct transfer_how *how, double bytes)
{
    const struct transfer_leg leg = data_leg(p, how, bytes);
    const unsigned ends = transfer_copies(p, how);
    const double start = data_start(p, how), once = p->registers ? how->registration * (1 - how->reuse) : 0;
    double end;

    *o = (struct transfer_outcome){ .state = TRANSFER_DONE };
    if (p->request && bytes > how->buffer) {
        refuse(o, how);
        return;
    }
    if (p->fallback && isfinite(how->credits) && bytes > how->credits * how->packet) {
        transfer_run(o, p->fallback, how, bytes);
        o->state = o->state == TRANSFER_DONE ? TRANSFER_FELL_BACK : o->state;
        return;
    }
    o->time = start + data_time(p, how, &leg, bytes);
    if (!p->request)
        o->time = fmax(o->time, how->late + (ends & AT_RECEIVER ? bytes * how->copy : 0));
    o->done = o->time + (p->notice ? how->notice.a : 0);
    o->control = p->request + p->ack + p->follows;
    o->copied = bytes * count_ends(ends);
    o->busy = once + (p->request ? how->request.work : 0) + (p->ack ? how->ack.work : 0) +
        (p->data == TRANSFER_READ ? 0 : leg.work) + (p->notice || p->follows ? how->notice.work : 0) +
        (ends & AT_SENDER ? bytes * how->copy : 0);
    end = p->data == TRANSFER_READ ? o->done : ends & AT_SENDER ? o->busy : start + leg.work + bytes * leg.byte +
        (p->window ? window_wait(&leg, how, bytes) : 0);
    o->wait = fmax(0, end - o->busy);
    o->rate = o->time > 0 ? bytes / o->time : 0;
    if (bytes > how->buffer) {
        o->state = TRANSFER_BROKEN;
        o->rate = 0;
    }
}

double transfer_time(const struct transfer *p, const struct transfer_how *how, double bytes)
{
    struct transfer_outcome o;

    transfer_run(&o, p, how, bytes);
    return o.state == TRANSFER_REFUSED || o.state == TRANSFER_BROKEN ? INFINITY : o.time;
}

double transfer_half(const struct transfer *p, const struct transfer_how *how)
{
    const double most = 1e15 / transfer_time(p, how, 1e15);
    double lo = 1e-3, hi = 1e15;

    if (!(most > 0) || !(lo / transfer_time(p, how, lo) < most / 2))
        return NAN;
    for (int k = 0; k < 200; k++) {
        const double mid = sqrt(lo * hi);

        *(mid / transfer_time(p, how, mid) < most / 2 ? &lo : &hi) = mid;
    }
    return hi;
}

/* ---- several ----------------------------------------------------------------------------------------- */

#define FINE 1.0443                     /* sizes that are looked at: 16 an octave */
#define ALIKE 1e-12

static bool faster(const struct transfer *p, const struct transfer *q, const struct transfer_how *how, double bytes)
{
    return transfer_time(p, how, bytes) < transfer_time(q, how, bytes) * (1 - ALIKE);
}

/* Between lo, where q is not yet faster than p, and hi. */
static double cross(const struct transfer *p, const struct transfer *q, const struct transfer_how *how, double lo,
                    double hi)
{
    for (int k = 0; k < 100; k++) {
        const double mid = (lo + hi) / 2;

        *(faster(q, p, how, mid) ? &hi : &lo) = mid;
    }
    return hi;
}

double transfer_threshold(const struct transfer *p, const struct transfer *q, const struct transfer_how *how, double lo,
                          double hi)
{
    double last = NAN;

    for (double m = lo; m <= hi; m = m < hi ? fmin(m * FINE, hi) : INFINITY) {
        if (!isnan(last) && faster(q, p, how, m))
            return cross(p, q, how, last, m);
        last = faster(p, q, how, m) ? m : last;
    }
    return NAN;
}

static const struct transfer *least(const struct transfer *const *p, size_t n, const struct transfer_how *how,
                                    double bytes)
{
    const struct transfer *best = p[0];

    for (size_t i = 1; i < n; i++)
        best = faster(p[i], best, how, bytes) ? p[i] : best;
    return best;
}

void transfer_best(struct transfer_rule *out, const struct transfer *const *p, size_t n, const struct transfer_how *how,
                   double lo, double hi)
{
    double last = lo;

    *out = (struct transfer_rule){ .n = 1, .part = { { INFINITY, least(p, n, how, lo), how->copies } } };
    for (double m = lo; m <= hi; m = m < hi ? fmin(m * FINE, hi) : INFINITY) {
        struct transfer_part *part = &out->part[out->n - 1];
        const struct transfer *best = least(p, n, how, m);

        if (faster(best, part->p, how, m) && out->n < TRANSFER_PARTS) {
            part->to = cross(part->p, best, how, last, m);
            out->part[out->n++] = (struct transfer_part){ INFINITY, best, how->copies };
        }
        last = m;
    }
}

/* The greatest loss of p below `at` and q from there. */
static double loss_of(double *where, const struct transfer_loss *rule, const struct transfer *const *p, size_t n,
                      const struct transfer_how *how, double lo, double hi)
{
    double worst = 0;

    for (double m = lo; m <= hi; m = m < hi ? fmin(m * FINE, hi) : INFINITY) {
        const double best = transfer_time(least(p, n, how, m), how, m);
        const double loss = transfer_time(m < rule->at ? rule->below : rule->above, how, m) / best - 1;

        if (loss > worst) {
            worst = loss;
            *where = m;
        }
    }
    return worst;
}

void transfer_two(struct transfer_loss *out, const struct transfer *const *p, size_t n, const struct transfer_how *how,
                  double lo, double hi)
{
    *out = (struct transfer_loss){ p[0], p[0], INFINITY, INFINITY, NAN };
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n; k++) {
            struct transfer_loss rule = { p[i], p[k], i == k ? INFINITY : transfer_threshold(p[i], p[k], how, lo, hi),
                                          0, NAN };

            if (isnan(rule.at))
                continue;
            rule.worst = loss_of(&rule.where, &rule, p, n, how, lo, hi);
            if (rule.worst < out->worst - ALIKE)
                *out = rule;
        }
}

const struct transfer_part *transfer_part(const struct transfer_rule *rule, double bytes)
{
    size_t k = 0;

    while (k + 1 < rule->n && bytes > rule->part[k].to)
        k++;
    return &rule->part[k];
}

struct transfer transfer_as(const struct transfer_part *part)
{
    struct transfer p = *part->p;

    p.asked_copies = false;
    p.copies = part->copies;
    return p;
}
