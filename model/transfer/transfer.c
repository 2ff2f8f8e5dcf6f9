#include "model/transfer/transfer.h"

#include "registry/transfer.inc"
KIND(transfer, transfer, struct transfer, .name = "transfer", .what = "protocol", .rank = 15)

const char *const transfer_state_name[] = { NULL, "falls back", "refused", "does not fit" };

void transfer_plain(struct transfer_how *how, double a, double byte, double work)
{
    const struct transfer_leg leg = { a, byte, work };

    *how = (struct transfer_how){ .request = leg, .ack = leg, .send = leg, .write = leg, .read = leg, .notice = leg,
                                  .packet = INFINITY, .buffer = INFINITY, .credits = INFINITY, .returned = 1 };
}

unsigned transfer_copies(const struct transfer *p, const struct transfer_how *how)
{
    return p->measured && how->npiece ? 0 : p->asked_copies ? how->copies : p->copies;
}

int transfer_check(const struct transfer *p, const struct transfer_how *how, struct err *err)
{
    if (transfer_copies(p, how) && !(how->copy > 0))
        return err_set(err, ERR_USAGE, "the copies of %s have no rate: say it, as in --copy-rate 10GB/s", p->name);
    return !isfinite(how->credits) || (isfinite(how->packet) && fmod(how->credits, how->returned) == 0) ? 0 :
        err_set(err, ERR_USAGE, "credits are buffers of a packet, so many at a time that it divides them: say --packet "
                "and --returned, as in --credits 8 --returned 2 --packet 4K");
}

static struct transfer_leg data_leg(const struct transfer *p, const struct transfer_how *how, double bytes)
{
    size_t k = 0;

    while (k + 1 < how->npiece && how->from[k + 1] <= bytes)
        k++;
    return p->measured && how->npiece ? how->piece[k] : p->data == TRANSFER_WRITE ? how->write :
        p->data == TRANSFER_READ ? how->read : how->send;
}

/* How much later than without limits the last packet leaves: X/y batches of y packets are under way, and the next one
 * waits until the first was taken and its credits are back. */
static double window_wait(const struct transfer *p, const struct transfer_how *how, double bytes)
{
    const double all = how->credits * how->packet, ahead = all - how->returned * how->packet;

    return p->window && bytes > all ? (ceil(bytes / all) - 1) * fmax(0, 2 * how->send.a - ahead * how->send.byte) : 0;
}

/* From when the first byte may go to when the last is in place. */
static double data_time(const struct transfer *p, const struct transfer_how *how, const struct transfer_leg *leg,
                        double bytes)
{
    const unsigned ends = transfer_copies(p, how);
    const double first = fmin(bytes, how->packet), rest = bytes - first;
    double time = leg->a * (p->data == TRANSFER_READ ? 2 : 1) + bytes * leg->byte;

    if (ends)                           /* P/c at each end, then what a copy is slower than the leg */
        time += (ends == 3 ? 2 : 1) * first * how->copy + rest * fmax(0, how->copy - leg->byte);
    return time + window_wait(p, how, bytes);
}

/* ---- run --------------------------------------------------------------------------------------------- */

void transfer_run(struct transfer_outcome *o, const struct transfer *p, const struct transfer_how *how, double bytes)
{
    const struct transfer_leg leg = data_leg(p, how, bytes);
    const unsigned ends = transfer_copies(p, how);
    const double once = p->request ? how->registration * (1 - how->reuse) : 0;
    double start = once, end;

    if (p->request && bytes > how->buffer) {    /* the receiver says no */
        *o = (struct transfer_outcome){ .state = TRANSFER_REFUSED, .control = 2,
                                        .time = fmax(how->request.a, how->late) + how->ack.a,
                                        .busy = how->request.work + how->ack.work };
        o->done = o->time;
        o->wait = o->time - o->busy;
        return;
    }
    if (p->fallback && bytes > how->credits * how->packet) {
        transfer_run(o, p->fallback, how, bytes);
        o->state = o->state == TRANSFER_DONE ? TRANSFER_FELL_BACK : o->state;
        return;
    }
    *o = (struct transfer_outcome){ .state = bytes > how->buffer ? TRANSFER_BROKEN : TRANSFER_DONE,
                                    .control = p->request + p->ack + p->follows,
                                    .copied = bytes * (ends == 3 ? 2 : ends > 0) };
    if (p->request)                     /* it waits for the receiver, which then registers and answers */
        start = fmax(start + how->request.a, how->late);
    start += once + (p->ack ? how->ack.a : 0);
    o->time = start + data_time(p, how, &leg, bytes);
    if (!p->request)
        o->time = fmax(o->time, how->late + (ends & AT_RECEIVER ? bytes * how->copy : 0));
    o->done = o->time + (p->notice ? how->notice.a : 0);
    o->busy = once + (p->request ? how->request.work : 0) + (p->ack ? how->ack.work : 0) +
        (p->data == TRANSFER_READ ? 0 : leg.work) + (p->notice || p->follows ? how->notice.work : 0) +
        (ends & AT_SENDER ? bytes * how->copy : 0);
    end = p->data == TRANSFER_READ ? o->done : ends & AT_SENDER ? o->busy : start + leg.work + bytes * leg.byte +
        window_wait(p, how, bytes);
    o->wait = fmax(0, end - o->busy);
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

    for (int k = 0; k < 200; k++) {
        const double mid = sqrt(lo * hi);

        *(mid / transfer_time(p, how, mid) < most / 2 ? &lo : &hi) = mid;
    }
    return most > 0 ? hi : NAN;
}

/* ---- several ----------------------------------------------------------------------------------------- */

#define FINE 1.0443                     /* sizes that are looked at: 16 an octave */
#define ALIKE 1e-12

static double next_size(double m, double hi)
{
    return m < hi ? fmin(m * FINE, hi) : INFINITY;
}

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

    for (double m = lo; m <= hi; m = next_size(m, hi)) {
        if (!isnan(last) && faster(q, p, how, m))
            return cross(p, q, how, last, m);
        last = faster(p, q, how, m) ? m : last;
    }
    return NAN;
}

static const struct transfer *least(const struct transfer_range *r, double bytes)
{
    const struct transfer *best = r->p[0];

    for (size_t i = 1; i < r->n; i++)
        best = faster(r->p[i], best, r->how, bytes) ? r->p[i] : best;
    return best;
}

const struct transfer *transfer_at(const struct transfer_rule *rule, double bytes)
{
    size_t k = 0;

    while (k + 1 < rule->n && bytes > rule->part[k].to)
        k++;
    return &rule->part[k].p;
}

void transfer_best(struct transfer_rule *out, const struct transfer_range *r)
{
    double last = r->lo;

    *out = (struct transfer_rule){ .n = 1, .part = { { INFINITY, *least(r, r->lo) } } };
    for (double m = r->lo; m <= r->hi; m = next_size(m, r->hi)) {
        struct transfer_part *part = &out->part[out->n - 1];
        const struct transfer *best = least(r, m);

        if (faster(best, &part->p, r->how, m) && out->n < TRANSFER_PARTS) {
            part->to = cross(&part->p, best, r->how, last, m);
            out->part[out->n++] = (struct transfer_part){ INFINITY, *best };
        }
        last = m;
    }
}

double transfer_loss(double *where, const struct transfer_rule *rule, const struct transfer_range *r)
{
    double worst = 0;

    *where = r->lo;
    for (double m = r->lo; m <= r->hi; m = next_size(m, r->hi)) {
        const double loss = transfer_time(transfer_at(rule, m), r->how, m) / transfer_time(least(r, m), r->how, m) - 1;

        *where = loss > worst ? m : *where;
        worst = fmax(worst, loss);
    }
    return worst < ALIKE ? 0 : worst;
}

void transfer_two(struct transfer_rule *out, const struct transfer_range *r)
{
    double worst = INFINITY, where;

    for (size_t i = 0; i < r->n * r->n; i++) {
        const struct transfer *p = r->p[i / r->n], *q = r->p[i % r->n];
        const double at = p == q ? INFINITY : transfer_threshold(p, q, r->how, r->lo, r->hi);
        const struct transfer_rule rule = { 1 + (p != q), { { at, *p }, { INFINITY, *q } } };
        const double loss = isnan(at) ? INFINITY : transfer_loss(&where, &rule, r);

        if (loss < worst) {
            worst = loss;
            *out = rule;
        }
    }
}
