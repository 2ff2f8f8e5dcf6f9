#include "analysis/simulate/record.h"

#define SETTLE_LEAST 20

/* A double's exponent and the first 7 bits of its fraction, rounded to nearest, count bins from 0 on; 1 is this one. */
#define BITS 45
#define BIN_ONE (UINT64_C(1023) * RECORD_PARTS)
_Static_assert(RECORD_PARTS == 1 << (52 - BITS), "parts of a doubling are bits of a fraction");

static size_t bin_of(double latency)
{
    uint64_t bits;

    memcpy(&bits, &latency, sizeof bits);
    bits = ((bits + (UINT64_C(1) << (BITS - 1))) >> BITS) - BIN_ONE;
    return bits < RECORD_BINS ? bits : latency >= 1 ? RECORD_BINS - 1 : 0;
}

static double bin_middle(size_t bin)
{
    const uint64_t bits = (bin + BIN_ONE) << BITS;
    double latency;

    memcpy(&latency, &bits, sizeof latency);
    return latency;
}

/* Of packet latency, then of network latency. */
static uint32_t *bins_of(const struct record *r, size_t window)
{
    return r->bin + window * 2 * RECORD_BINS;
}

int record_open(struct record *r, int64_t length, struct err *err)
{
    uint32_t *bin;

    if (TAKE("latencies by windows of time", err, ZEROS(bin, RECORD_WINDOWS * 2 * RECORD_BINS)) < 0)
        return -1;
    *r = (struct record){ .length = length, .end = length, .bin = bin };
    return 0;
}

void record_release(struct record *r)
{
    FREE(r->bin, r->packed);
    *r = (struct record){ 0 };
}

int record_pack(struct record *r, struct err *err)
{
    const uint32_t end = (uint32_t)((r->at + 1) * 2 * RECORD_BINS);
    size_t n = 0;

    for (uint32_t i = 0; i < end; i++)
        n += r->bin[i] > 0;
    if (n * sizeof *r->packed >= end * sizeof *r->bin)
        return 0;                       /* no gain */
    if (TAKE("latencies of a run", err, ARRAY(r->packed, n + 1)) < 0)
        return -1;
    for (uint32_t i = 0; i < end; i++)
        if (r->bin[i] > 0)
            r->packed[r->npacked++] = (struct record_count){ i, r->bin[i] };
    FREE(r->bin);
    r->bin = NULL;
    return 0;
}

static void window_add(struct record_window *to, const struct record_window *w)
{
    to->messages += w->messages;
    to->flits += w->flits;
    to->offered += w->offered;
    to->latency += w->latency;
    to->squares += w->squares;
    to->network += w->network;
    to->network_squares += w->network_squares;
    to->chosen += w->chosen;
    to->ways += w->ways;
    to->most = fmax(to->most, w->most);
    to->network_most = fmax(to->network_most, w->network_most);
}

static void fold(struct record *r)
{
    const size_t half = RECORD_WINDOWS / 2;

    for (size_t i = 0; i < half; i++) {
        const uint32_t *two = bins_of(r, 2 * i);
        uint32_t *one = bins_of(r, i);

        r->window[i] = r->window[2 * i];
        window_add(&r->window[i], &r->window[2 * i + 1]);
        for (size_t k = 0; k < 2 * RECORD_BINS; k++)
            one[k] = two[k] + two[k + 2 * RECORD_BINS];
    }
    memset(&r->window[half], 0, half * sizeof *r->window);
    memset(bins_of(r, half), 0, half * 2 * RECORD_BINS * sizeof *r->bin);
    r->length *= 2;
}

void record_join(struct record *r, const struct record *other)
{
    for (size_t i = 0; i < r->at; i++)
        window_add(&r->window[i], &other->window[i]);
}

void record_pass(struct record *r, int64_t now)
{
    r->now = now;
    if (now < r->end)
        return;
    while (now / r->length >= RECORD_WINDOWS)
        fold(r);
    r->at = (size_t)(now / r->length);
    r->end = ((int64_t)r->at + 1) * r->length;
}

void record_message(struct record *r, int64_t now, double latency, double network, double flits)
{
    struct record_window *w;

    record_pass(r, now);
    w = &r->window[r->at];
    w->messages++;
    w->flits += flits;
    w->latency += latency;
    w->squares += latency * latency;
    w->network += network;
    w->network_squares += network * network;
    w->most = latency > w->most ? latency : w->most;
    w->network_most = network > w->network_most ? network : w->network_most;
    bins_of(r, r->at)[bin_of(latency)]++;
    bins_of(r, r->at)[RECORD_BINS + bin_of(network)]++;
}

void record_offer(struct record *r, int64_t now, double flits)
{
    record_pass(r, now);
    r->window[r->at].offered += flits;
}

void record_choice(struct record *r, int64_t now, double ways)
{
    record_pass(r, now);
    r->window[r->at].chosen++;
    r->window[r->at].ways += ways;
}

bool record_settle(size_t *skip, const struct record *r)
{
    size_t said = 0, n = 0, kept = 0, first = 0;
    double mean = 0, squares = 0, least = INFINITY;

    for (size_t i = 0; i < r->at; i++)
        said += r->window[i].messages > 0;
    for (size_t i = r->at; i-- > 0;) {          /* from the end: what is kept grows window by window */
        const struct record_window *w = &r->window[i];
        double x, off, error;

        if (w->messages == 0)
            continue;
        x = w->latency / w->messages;
        off = x - mean;
        mean += off / (double)++n;
        squares += off * (x - mean);
        error = squares > 1e-20 * mean * mean * (double)n ? squares / (double)(n * n) : 0;      /* else rounding */
        if (4 * n >= said && error <= least) {
            least = error;
            kept = n;
            first = i;
        }
    }
    *skip = said < SETTLE_LEAST ? 0 : r->at / 2;
    if (said < SETTLE_LEAST || 2 * kept < said)
        return false;
    *skip = first;
    return true;
}

/* The least bin at the end of which a part p of them has come (definition 1 of Hyndman and Fan 1996). */
static double quantile(const uint64_t *many, double messages, double most, double p)
{
    double seen = 0;

    for (size_t k = 0; k < RECORD_BINS; k++)
        if ((seen += (double)many[k]) >= p * messages)
            return fmin(bin_middle(k), most);
    return most;
}

double record_deviation(double n, double sum, double squares)
{
    const double mean = sum / n, variance = squares / n - mean * mean;

    return variance < 1e-12 * mean * mean ? 0 : sqrt(variance);         /* else rounding */
}

static struct record_latency latency_of(double messages, double sum, double squares, double most, const uint64_t *many)
{
    if (messages == 0)
        return (struct record_latency){ NAN, NAN, NAN, NAN, NAN, NAN };
    return (struct record_latency){ sum / messages, record_deviation(messages, sum, squares), most,
                                    quantile(many, messages, most, 0.5), quantile(many, messages, most, 0.95),
                                    quantile(many, messages, most, 0.99) };
}

void record_summary(struct record_summary *out, const struct record *const *r, const size_t *from, size_t n)
{
    uint64_t many[2 * RECORD_BINS] = { 0 };
    struct record_window all = { 0 };
    double cycles = 0;

    for (size_t x = 0; x < n; x++) {
        for (size_t i = from[x]; i <= r[x]->at; i++) {
            window_add(&all, &r[x]->window[i]);
            for (size_t k = 0; r[x]->bin && k < 2 * RECORD_BINS; k++)
                many[k] += bins_of(r[x], i)[k];
        }
        for (size_t i = 0; i < r[x]->npacked; i++)
            if (r[x]->packed[i].bin / (2 * RECORD_BINS) >= from[x])
                many[r[x]->packed[i].bin % (2 * RECORD_BINS)] += r[x]->packed[i].many;
        cycles += fmax(0, (double)(r[x]->now - (int64_t)from[x] * r[x]->length));
    }
    *out = (struct record_summary){
        .messages = all.messages, .flits = all.flits, .offered = all.offered, .cycles = cycles,
        .packet = latency_of(all.messages, all.latency, all.squares, all.most, many),
        .network = latency_of(all.messages, all.network, all.network_squares, all.network_most, many + RECORD_BINS)
    };
}
