/* Protocols of one message: every formula against its legs as messages on a queue of events, packet by packet; the
 * thresholds against the roots; LogGP's one message; via's own numbers; rules and files that are refused. */
#include <string.h>

#include "analysis/collective/cost.h"
#include "graph/base/csv.h"
#include "model/process/events.h"
#include "model/transfer/transfer.h"
#include "tests/support/check.h"

enum { DRAWN = 1000 };
static struct err err;
static struct rng rng;

/* ---- a run of legs ---- */

/* What happens next; the number of a packet is added to those of packets. */
enum { POSTED, REQUESTED, ANSWERED, REFUSED, NOTICED, CREDITED, PACKET = 1 << 20, COPIED_OUT = 2 << 20,
       ARRIVED = 3 << 20, COPIED_IN = 4 << 20 };
struct play {
    struct events q;
    const struct transfer *p;
    const struct transfer_how *how;
    unsigned copies;
    double bytes, packet, now;
    int n;                              /* packets */
    double link, in;                    /* when the link, and the receiver's processor for copies, are free */
    int out, taken, credits, owed, copied;      /* packets that left, arrived; to be given back */
    int given, room;                    /* packets whose buffers were given back; buffers that were in use at most */
    bool posted, asked, answered;
    double free, time, done, messages;  /* results; free: of the sender */
    bool refused;
};

static void at(struct play *s, double time, size_t what)
{
    assert_int_equal(events_push(&s->q, (struct event){ time, what, what }, &err), 0);
}

static double size_of(const struct play *s, int i)
{
    return i + 1 < s->n ? s->packet : s->bytes - (s->n - 1) * s->packet;
}

static struct transfer_leg leg_of(const struct play *s)
{
    return s->p->data == TRANSFER_WRITE ? s->how->write : s->p->data == TRANSFER_READ ? s->how->read : s->how->send;
}

/* Packets that are ready leave one after the other, each for a credit. */
static void leave(struct play *s, int ready)
{
    const struct transfer_leg leg = leg_of(s);

    while (s->out < ready && s->credits) {
        const double begin = fmax(s->now, s->link);

        s->link = begin + size_of(s, s->out) * leg.byte;
        s->credits--;
        s->room = s->room > s->out + 1 - s->given ? s->room : s->out + 1 - s->given;
        at(s, s->link + leg.a, ARRIVED + (size_t)s->out++);
    }
}

static void data(struct play *s)
{
    double busy = s->now;

    s->link = s->now;
    if (!(s->copies & AT_SENDER)) {
        leave(s, s->n);
        return;
    }
    for (int i = 0; i < s->n; i++) {
        busy += size_of(s, i) * s->how->copy;
        at(s, busy, COPIED_OUT + (size_t)i);
    }
    s->free = busy;
}

static void finish(struct play *s)
{
    s->time = s->done = s->now;
    if (s->p->notice)
        at(s, s->now + s->how->notice.a, NOTICED);
}

static void take_in(struct play *s, int i)
{
    s->in = fmax(s->in, s->now) + size_of(s, i) * s->how->copy;
    at(s, s->in, COPIED_IN + (size_t)i);
}

static void arrived(struct play *s, int i)
{
    const struct transfer_leg leg = leg_of(s);

    s->taken++;
    if (++s->owed == (int)s->how->returned && s->p->window) {
        s->owed = 0;
        s->given = s->taken;
        at(s, s->now + leg.a, CREDITED);
    }
    if (s->copies & AT_RECEIVER) {
        if (s->posted)
            take_in(s, i);
    } else if (s->taken == s->n && (s->posted || s->p->request)) {
        finish(s);
    }
}

static double registering(const struct play *s)
{
    return s->p->request ? s->how->registration * (1 - s->how->reuse) : 0;
}

/* The receiver has the request and is there: it registers its buffer and answers, or refuses. */
static void answer(struct play *s)
{
    if (!s->asked || !s->posted || s->answered)
        return;
    s->answered = true;
    if (s->bytes > s->how->buffer) {
        s->messages++;
        at(s, s->now + s->how->ack.a, REFUSED);
    } else if (s->p->ack) {
        s->messages++;
        at(s, s->now + registering(s) + s->how->ack.a, ANSWERED);
    } else {
        at(s, s->now + registering(s) + s->how->read.a, ANSWERED);     /* the read arrives at the sender */
    }
}

static void happens(struct play *s, size_t what)
{
    const int i = (int)(what % PACKET);

    switch (what - (what >= PACKET ? (size_t)i : 0)) {
    case POSTED:
        s->posted = true;
        answer(s);
        for (int k = 0; k < s->taken && (s->copies & AT_RECEIVER); k++)
            take_in(s, k);
        if (!s->p->request && !(s->copies & AT_RECEIVER) && s->taken == s->n)
            finish(s);
        break;
    case REQUESTED:
        s->asked = true;
        answer(s);
        break;
    case ANSWERED:
        data(s);
        break;
    case REFUSED:
        s->refused = true;
        s->time = s->now;
        break;
    case NOTICED:
        s->done = s->now;
        break;
    case CREDITED:
        s->credits += (int)s->how->returned;
        leave(s, s->n);
        break;
    case COPIED_OUT:
        leave(s, i + 1);
        break;
    case ARRIVED:
        arrived(s, i);
        break;
    case COPIED_IN:
        if (++s->copied == s->n)
            finish(s);
        break;
    default:
        fail();
    }
}

static struct play play(const struct transfer *p, const struct transfer_how *how, double bytes)
{
    const bool cut = isfinite(how->packet) && (transfer_copies(p, how) || p->window);
    struct play s = { .p = p, .how = how, .bytes = bytes, .copies = transfer_copies(p, how), .refused = false,
                      .packet = cut ? how->packet : bytes, .n = cut ? (int)fmax(1, ceil(bytes / how->packet)) : 1,
                      .credits = p->window && isfinite(how->credits) ? (int)how->credits : 1 << 30 };

    at(&s, how->late, POSTED);
    if (p->request) {
        if (bytes <= how->buffer)       /* one that is refused has registered nothing */
            s.now = registering(&s);
        s.messages++;
        at(&s, s.now + how->request.a, REQUESTED);
    } else {
        data(&s);
    }
    while (events_next(&s.q)) {
        const struct event e = events_pop(&s.q);

        s.now = e.at;
        happens(&s, e.what);
    }
    events_release(&s.q);
    if (s.free == 0)
        s.free = p->data == TRANSFER_READ ? s.done : s.link + leg_of(&s).work;
    return s;
}

static struct transfer_leg drawn_leg(void)
{
    const double a = 1e-6 * (1 + 40 * check_uniform(&rng));

    return (struct transfer_leg){ a, 1e-9 * (0.02 + 5 * check_uniform(&rng)), a / 2 * check_uniform(&rng) };
}

/* Of everything but limits of buffers; packets divide messages, or are larger. */
static struct transfer_how drawn(double *bytes)
{
    struct transfer_how how;

    transfer_plain(&how, 0, 0, 0);
    how.request = drawn_leg();
    how.ack = drawn_leg();
    how.send = drawn_leg();
    how.write = drawn_leg();
    how.read = drawn_leg();
    how.notice = drawn_leg();
    how.copy = 1e-9 * (0.02 + 5 * check_uniform(&rng));
    how.copies = (unsigned)rng_below(&rng, 4);
    how.registration = rng_below(&rng, 2) ? 30e-6 * check_uniform(&rng) : 0;
    how.reuse = check_uniform(&rng);
    how.packet = rng_below(&rng, 3) ? (double)(1 + rng_below(&rng, 10000)) : INFINITY;
    *bytes = isinf(how.packet) || rng_below(&rng, 4) == 0 ? check_uniform(&rng) * fmin(how.packet, 1e6) :
        how.packet * (double)(1 + rng_below(&rng, 30));
    return how;
}

static void formulas_are_runs_of_their_legs(void **state)
{
    (void)state;
    rng_seed(&rng, check_seed());
    for (int k = 0; k < DRAWN; k++) {
        double bytes;
        struct transfer_how how = drawn(&bytes);

        if (k % 2)
            how.late = 200e-6 * check_uniform(&rng);
        if (k % 5 == 0)
            how.buffer = fmax(1, bytes * 2 * check_uniform(&rng));
        for (size_t i = 0; transfer_all[i]; i++) {
            const struct transfer *p = transfer_all[i];
            const struct play s = play(p, &how, bytes);
            struct transfer_outcome o;

            transfer_run(&o, p, &how, bytes);
            if (fabs(o.time / s.time - 1) > 1e-9)
                fail_msg("%s of %g bytes, packets of %g, copies %u: %g s, its run %g", p->name, bytes, how.packet,
                         how.copies, o.time, s.time);
            assert_int_equal(o.state == TRANSFER_REFUSED, s.refused);
            assert_int_equal(o.control - p->follows, s.messages);
            if (s.refused)
                continue;
            check_near(o.done, s.done, 1e-9 * s.done);
            assert_int_equal(o.state == TRANSFER_BROKEN, bytes > how.buffer);
            if (!(transfer_copies(p, &how) & AT_SENDER))
                check_near(o.busy + o.wait, fmax(s.free, o.busy), 1e-9 * s.free);
        }
    }
}

/* A last packet that is not whole: above the run by what one packet takes at most, and never below. */
static void a_packet_that_is_not_whole_is_bounded(void **state)
{
    (void)state;
    rng_seed(&rng, check_seed());
    for (int k = 0; k < DRAWN; k++) {
        double bytes;
        struct transfer_how how = drawn(&bytes);

        how.packet = 1 + (double)rng_below(&rng, 5000);
        bytes = how.packet * 20 * check_uniform(&rng);
        for (size_t i = 0; transfer_all[i]; i++) {
            const struct play s = play(transfer_all[i], &how, bytes);
            const double got = transfer_time(transfer_all[i], &how, bytes);

            assert_true(got > s.time * (1 - 1e-12));
            assert_true(got < s.time + how.packet * (how.copy + fmax(how.write.byte, how.send.byte)));
        }
    }
}

/* With so many buffers, given back one by one and several at a time. */
static void credits_are_buffers(void **state)
{
    const struct transfer *p = transfer_find("credits", &err);

    (void)state;
    rng_seed(&rng, check_seed());
    for (int k = 0; k < DRAWN; k++) {
        struct transfer_how how;
        double bytes, want;

        transfer_plain(&how, 1e-6 * (1 + 40 * check_uniform(&rng)), 1e-9 * (0.02 + 5 * check_uniform(&rng)), 0);
        how.packet = 1 + (double)rng_below(&rng, 8192);
        how.returned = 1 + (double)rng_below(&rng, 4);
        how.credits = how.returned * (double)(1 + rng_below(&rng, 6));
        bytes = how.packet * (1 + (double)rng_below(&rng, 300));
        assert_int_equal(transfer_check(p, &how, &err), 0);
        check_near(transfer_time(p, &how, bytes), play(p, &how, bytes).time, 1e-9 * play(p, &how, bytes).time);
        bytes = how.packet * how.credits * 1000;
        want = fmin(1 / how.send.byte, how.credits * how.packet /
                    (how.returned * how.packet * how.send.byte + 2 * how.send.a));
        check_near(bytes / play(p, &how, bytes).time, want, 5e-3 * want);
        check_near(bytes / transfer_time(p, &how, bytes), want, 5e-3 * want);
    }
}

/* Without credits for all of it an eager message is a handshake's, to the last digit. */
static void eager_without_credits_falls_back(void **state)
{
    const struct transfer *eager = transfer_find("eager", &err), *handshake = transfer_find("handshake", &err);
    struct transfer_how how;
    struct transfer_outcome o;

    (void)state;
    transfer_plain(&how, 2e-6, 4e-11, 1e-6);
    how.packet = 1000;
    how.credits = 8;
    transfer_run(&o, eager, &how, 8000);
    assert_int_equal(o.state, TRANSFER_DONE);
    transfer_run(&o, eager, &how, 8001);
    assert_int_equal(o.state, TRANSFER_FELL_BACK);
    check_near(o.time, transfer_time(handshake, &how, 8001), 0);
    check_near(o.control, 2, 0);
}

/* Table 3.1, as data: at each level, what a send gets that finds no buffer, or too small a one. Where loss is not
 * detected nobody learns of it, where it is the sender is told, and where a send is done at the receiver it may be
 * tried again. With credits no level sees one, and a refusal is a message of its own: at all of them the sender learns
 * it, has sent no data, and may try again. */
static void no_level_loses_what_has_credit_or_a_refusal(void **state)
{
    static const char *const want[] = { "lost", "reported", "retried" };
    const struct transfer *credits = transfer_find("credits", &err), *handshake = transfer_find("handshake", &err);
    struct csv csv;

    (void)state;
    assert_int_equal(csv_read(&csv, "examples/published/via_reliability.csv", &err), 0);
    for (int level = 1; level < (int)csv.ncol; level++) {
        const bool limited = level > 1;         /* the last two guarantee what the first does not */
        bool detects = false, at_receiver = false;
        struct transfer_outcome o;
        struct transfer_how how;
        struct play s;

        for (size_t r = 0; r < csv.nrow; r++) {
            const char *property = csv_at(&csv, r, 0), *has = csv_at(&csv, r, level);

            detects |= strcmp(property, "loss of data is detected") == 0 && strcmp(has, "yes") == 0;
            at_receiver |= strstr(property, "descriptor is done") && strstr(has, "receiver");
        }
        assert_string_equal(at_receiver ? "retried" : detects ? "reported" : "lost", want[level - 1]);
        assert_int_equal(detects, limited);
        transfer_plain(&how, 2e-6, 4e-11, 1e-6);
        how.packet = 1000;
        how.credits = 2. * level;
        s = play(credits, &how, 100000);
        assert_int_equal(s.taken, s.n);
        assert_true(s.room <= (int)how.credits);
        how.buffer = 999;
        transfer_run(&o, handshake, &how, 1000);
        assert_int_equal(o.state, TRANSFER_REFUSED);
        check_near(o.control, 2, 0);
        check_near(o.copied, 0, 0);
        check_near(o.time, play(handshake, &how, 1000).time, 1e-15);
        how.buffer = 1000;                      /* again, into a larger one */
        transfer_run(&o, handshake, &how, 1000);
        assert_int_equal(o.state, TRANSFER_DONE);
    }
    csv_release(&csv);
}

/* ---- curves ---- */

static void more_bytes_take_longer(void **state)
{
    (void)state;
    rng_seed(&rng, check_seed());
    for (int k = 0; k < DRAWN; k++) {
        double bytes, last[16] = { 0 };
        struct transfer_how how = drawn(&bytes);

        for (double m = 0; m < 1e7; m = 1 + m * 1.7)
            for (size_t i = 0; transfer_all[i]; i++) {
                const double time = transfer_time(transfer_all[i], &how, m);

                assert_true(time >= last[i]);
                last[i] = time;
            }
    }
}

/* m* where packets are whole messages, and in any case the root of the difference. */
static void thresholds_are_roots(void **state)
{
    const struct transfer *eager = transfer_find("eager", &err), *handshake = transfer_find("handshake", &err);
    int found = 0;

    (void)state;
    rng_seed(&rng, check_seed());
    for (int k = 0; k < DRAWN; k++) {
        double bytes, at;
        struct transfer_how how = drawn(&bytes);

        at = transfer_threshold(eager, handshake, &how, 1, 1e9);
        if (isnan(at))
            continue;
        found++;
        check_near(transfer_time(eager, &how, at), transfer_time(handshake, &how, at),
                   1e-9 * transfer_time(eager, &how, at));
        assert_true(transfer_time(eager, &how, at / 2) < transfer_time(handshake, &how, at / 2));
        if (at < how.packet)
            check_near(at, (how.request.a + how.ack.a + 2 * how.registration * (1 - how.reuse)) /
                       (how.copy * (how.copies == 3 ? 2 : 1)), 1e-6 * at);
    }
    assert_true(found > DRAWN / 10);
}

/* The sizes printed and worked out by hand: legs of 2.1 us and two copies at 10 GB/s; of via. */
static void known_thresholds(void **state)
{
    const struct transfer *eager = transfer_find("eager", &err), *handshake = transfer_find("handshake", &err);
    static const struct {
        const char *spec;
        double registration, want;
    } row[] = { { NULL, 0, 21000 }, { "via,wait=polling", 0, 3542 }, { "via,wait=polling", 7.13e-6, 5590 } };

    (void)state;
    EACH_ROW(i, row) {
        struct transfer_how how;

        transfer_plain(&how, 2.1e-6, 4e-11, 1e-6);
        how.copy = 1e-10;
        how.copies = 3;
        if (row[i].spec) {
            assert_int_equal(transfer_via(&how, row[i].spec, &err), 0);
        }
        how.registration = row[i].registration;
        check_near(transfer_threshold(eager, handshake, &how, 1, 1e9), row[i].want, 0.5);
    }
}

/* Of two lines a + b m that cross: half of 1/b at a/b. Two protocols and a threshold lose nothing where two are the
 * least; where a third is between them, what it gains there. */
static void half_sizes_and_rules(void **state)
{
    const struct transfer *p[] = { transfer_find("eager", &err), transfer_find("handshake", &err),
                                   transfer_find("known-address", &err) };
    struct transfer_rule best, two;
    struct transfer_how how;
    struct transfer_range r = { p, 2, &how, 1, 1e6 };
    double where;

    (void)state;
    transfer_plain(&how, 1e-6, 1e-10, 0);
    how.copy = 2e-10;
    how.copies = 3;
    check_near(transfer_half(p[0], &how), 1e-6 / 5e-10, 1e-3);
    check_near(transfer_half(p[1], &how), 3e-6 / 1e-10, 1e-2);
    transfer_two(&two, &r);
    check_near(transfer_loss(&where, &two, &r), 0, 1e-12);
    check_near(two.part[0].to, 5000, 1e-6);
    how.write.a = 1.5e-6;               /* 1 + 0.5 m, 1.5 + 0.3 m, 3 + 0.1 m (us, KB): at 2.5 and 7.5 KB */
    r.n = 3;
    transfer_best(&best, &r);
    assert_int_equal(best.n, 3);
    assert_string_equal(best.part[1].p.name, "known-address");
    check_near(best.part[0].to, 2500, 1e-6);
    check_near(best.part[1].to, 7500, 1e-6);
    transfer_two(&two, &r);
    assert_string_equal(two.part[0].p.name, "eager");
    assert_string_equal(two.part[1].p.name, "handshake");
    check_near(transfer_loss(&where, &two, &r), 3.5 / 3 - 1, 2e-2);     /* at 5000 B */
}

/* LogGP's one message, L + 2o + (m - 1) G, as its model of cost plays it, is the eager row without copies. */
static void loggp_is_eager_without_copies(void **state)
{
    struct cost_network none = { 0 };
    struct transfer_how how;
    struct cost c;

    (void)state;
    assert_int_equal(cost_open(&c, "loggp,l=5us,o=1us,g=2us,rate=10Gb/s", 2, &none, &err), 0);
    transfer_plain(&how, 7e-6 - 0.8e-9, 0.8e-9, 1e-6);
    for (double m = 1; m < 1e7; m *= 3) {
        double time = 0, there;

        assert_int_equal(cost_begin(&c, 0, &err), 0);
        there = c.kind->take(&c, 1, m, c.kind->send(&c, 0, 1, m, &time, &err), 0);
        check_near(transfer_time(transfer_find("eager", &err), &how, m), there, 1e-15);
    }
    cost_close(&c);
}

/* ---- the source ---- */

/* What 6.2.4 prints, at no bytes and at 4 MB; the rates that lines through these have. */
static void via_as_printed(void **state)
{
    static const struct {
        const char *spec;
        bool write;
        double us, mbs, line;
    } row[] = {
        { "via,wait=polling", false, 12.33, 226.11, 226.26 }, { "via,wait=blocking", false, 39.98, 198.06, 198.43 },
        { "via,wait=polling", true, 19.46, 226.30, 226.54 }, { "via,wait=blocking", true, 46.21, 226.04, 226.60 }
    };

    (void)state;
    EACH_ROW(i, row) {
        struct transfer_how how;
        const struct transfer_leg *leg = row[i].write ? &how.write : &how.send;

        assert_int_equal(transfer_via(&how, row[i].spec, &err), 0);
        check_near(1e6 * leg->a, row[i].us, 1e-9);
        check_near(1e-6 * 4194304 / (leg->a + 4194304 * leg->byte), row[i].mbs, 1e-9);
        check_near(1e-6 / leg->byte, row[i].line, 5e-3);
        check_near(1e-6 / how.copy, 287.237, 1e-3);
    }
}

/* The rules of libraries beside the table of the source, row by row. */
static void libraries_as_in_their_table(void **state)
{
    static const char *const name[][2] = {
        { "amvia", "amvia" }, { "sovia", "sovia" }, { "lam", "lam" }, { "mvich-write", "mvich eager" },
        { "mvich", "mvich r3" }, { "mvich-write", "mvich rdma write" }, { "mvich-read", "mvich rdma read" },
        { "deck-via", "deck/via" }
    };
    static const char *const copies[] = { "", "s", "r", "s+r" };
    struct csv csv;

    (void)state;
    assert_int_equal(csv_read(&csv, "examples/published/via_libraries.csv", &err), 0);
    for (size_t r = 0; r < csv.nrow; r++)
        EACH_ROW(i, name) {
            const double to = *csv_at(&csv, r, 1) ? strtod(csv_at(&csv, r, 1), NULL) : INFINITY;
            const struct transfer *p;
            struct transfer_how how;
            struct transfer_rule rule;

            if (strcmp(csv_at(&csv, r, 0), name[i][1]) != 0)
                continue;
            transfer_plain(&how, 1e-6, 1e-9, 0);
            how.copy = 1e-9;
            assert_int_equal(transfer_read(&rule, name[i][0], &how, &err), 0);
            p = transfer_at(&rule, fmin(to, 1e15));
            if (isfinite(to))
                assert_ptr_not_equal(transfer_at(&rule, to + 1), p);
            assert_string_equal(copies[p->copies], csv_at(&csv, r, 3));
            /* an early acknowledgement is out of sight, and counted in the table */
            check_near(p->request + p->ack + p->follows,
                       strtod(csv_at(&csv, r, 4), NULL) - (strcmp(p->name, "early-ack") == 0), 0);
            assert_int_equal(p->data == TRANSFER_WRITE, strncmp(csv_at(&csv, r, 2), "rdma write", 10) == 0);
            assert_int_equal(p->data == TRANSFER_READ, strncmp(csv_at(&csv, r, 2), "rdma read", 9) == 0);
        }
    csv_release(&csv);
}

/* The numbers that `reproduce via` prints as published, and those of the table of claims. */
static void claims_as_in_their_table(void **state)
{
    static const struct {
        const char *section, *subject, *value;
    } row[] = {
        { "8.1", "deck/via", "82" }, { "8.1", "deck/via against deck/gm", "3.77" },
        { "8.4.1", "deck/via against vi-gm (86.95 and 12.57 us)", "6.9" },
        { "8.4.1", "deck/via against vi-gm", "2.3" }, { "8.4.1", "the same against deck/gm", "25" },
        { "8.1", "tcp gigabit against deck/via", "11" }, { "8.1", "deck/gm against deck/via", "14" }
    };
    struct csv csv;

    (void)state;
    assert_int_equal(csv_read(&csv, "examples/published/via_claims.csv", &err), 0);
    EACH_ROW(i, row) {
        size_t r = 0;

        while (r < csv.nrow && (strcmp(csv_at(&csv, r, 0), row[i].section) != 0 ||
                                strcmp(csv_at(&csv, r, 2), row[i].subject) != 0))
            r++;
        assert_true(r < csv.nrow);
        assert_string_equal(csv_at(&csv, r, 6), row[i].value);
    }
    csv_release(&csv);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formulas_are_runs_of_their_legs), cmocka_unit_test(a_packet_that_is_not_whole_is_bounded),
        cmocka_unit_test(credits_are_buffers), cmocka_unit_test(eager_without_credits_falls_back),
        cmocka_unit_test(no_level_loses_what_has_credit_or_a_refusal),
        cmocka_unit_test(more_bytes_take_longer), cmocka_unit_test(thresholds_are_roots),
        cmocka_unit_test(known_thresholds), cmocka_unit_test(half_sizes_and_rules),
        cmocka_unit_test(loggp_is_eager_without_copies), cmocka_unit_test(via_as_printed),
        cmocka_unit_test(libraries_as_in_their_table), cmocka_unit_test(claims_as_in_their_table)
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
