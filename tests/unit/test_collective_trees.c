/* Collectives over trees: what they cost where a process sends one message at a time, and receives one at a time, and
 * a message of m bytes takes alpha + m beta (Hockney), by the closed forms of Thakur, Rabenseifner and Gropp 2005, Chan
 * et al. 2007, Pjesivac-Grbovic et al. 2007 and, for two trees, Sanders, Speck and Traeff 2009. */
#include <stdlib.h>
#include <string.h>

#include "model/collective/collective.h"
#include "tests/support/check.h"
#include "tests/support/schedule_check.h"

#define ALPHA 1000000                   /* of a beta of 1: more than all bytes of a message here */
#define MOST 64
#define DEEP 512                        /* messages of a pair */

struct cost {
    int64_t time, messages;             /* when the last process ends; all of them */
    int64_t sent[MOST], began[MOST], got[MOST];         /* by process: bytes and messages sent, bytes received */
};
struct run {
    int64_t arrives[MOST][MOST][DEEP];
    int head[MOST][MOST], tail[MOST][MOST];
    int64_t at[MOST], now[MOST], port[MOST], in[MOST];    /* in: when the last message was in */
};

static void advance(bool *moved, struct cost *c, struct run *r, const struct schedule *s, int p, struct action *a)
{
    struct err err = { 0 };

    for (;; r->at[p]++, *moved = true) {
        assert_int_equal(schedule_action(a, s, p, r->at[p], &err), 0);
        if (a->what == ACTION_END)
            return;
        if (a->what == ACTION_SEND) {
            const int64_t bytes = schedule_bytes(s, a);
            int *tail = &r->tail[p][a->peer];

            assert_true(*tail < DEEP);
            r->port[p] = (r->port[p] > r->now[p] ? r->port[p] : r->now[p]) + ALPHA + bytes;
            r->arrives[p][a->peer][(*tail)++] = r->port[p];
            c->sent[p] += bytes;
            c->began[p]++;
            c->messages++;
        } else {
            int *head = &r->head[a->peer][p];

            if (*head == r->tail[a->peer][p])
                return;
            r->in[p] += ALPHA + schedule_bytes(s, a);
            if (r->in[p] < r->arrives[a->peer][p][*head])
                r->in[p] = r->arrives[a->peer][p][*head];
            ++*head;
            r->now[p] = r->in[p];
            c->got[p] += schedule_bytes(s, a);
        }
    }
}

/* Checked and timed. */
static struct cost cost_of(const char *name, enum operation operation, int n, int root, int64_t bytes, int64_t segment,
                           int radix)
{
    struct err err = { 0 };
    struct cost c = { 0 };
    struct run *r = calloc(1, sizeof *r);
    struct action a = { 0 };
    struct schedule s;
    bool moved = true;

    assert_non_null(r);
    assert_true(n <= MOST);
    if (schedule_open(&s, &(struct schedule){ .algorithm = collective_find(name, &err), .operation = operation,
                                              .n = n, .root = root, .bytes = bytes, .segment = segment,
                                              .radix = radix }, &err) < 0 ||
        schedule_check(&s, &err) < 0)
        fail_msg("%s", err.msg);
    while (moved) {
        moved = false;
        for (int p = 0; p < n; p++)
            advance(&moved, &c, r, &s, p, &a);
    }
    for (int p = 0; p < n; p++) {
        c.time = r->now[p] > c.time ? r->now[p] : c.time;
        c.time = r->port[p] > c.time ? r->port[p] : c.time;
    }
    free(a.run);
    free(r);
    schedule_close(&s);
    return c;
}

static int log2_up(int n)
{
    int k = 0;

    while (1 << k < n)
        k++;
    return k;
}

/* lg p (alpha + n beta) to broadcast and to reduce, for any p; twice that for the one after the other. */
static void binomial_takes_a_step_for_each_doubling(void **state)
{
    (void)state;
    for (int n = 1; n <= 33; n++) {
        const int64_t steps = log2_up(n) * (ALPHA + 960), root = n / 3;

        assert_int_equal(cost_of("binomial", BROADCAST, n, (int)root, 960, 0, 2).time, steps);
        assert_int_equal(cost_of("binomial", BROADCAST, n, (int)root, 960, 0, 2).began[root], log2_up(n));
        assert_int_equal(cost_of("binomial", REDUCE, n, (int)root, 960, 0, 2).time, steps);
        assert_int_equal(cost_of("reduce-broadcast", ALLREDUCE, n, 0, 960, 0, 2).time, 2 * steps);
        assert_int_equal(cost_of("binomial", BARRIER, n, (int)root, 960, 0, 2).time, 2 * log2_up(n) * (int64_t)ALPHA);
    }
}

/* lg p alpha + (p - 1) b beta where p is a power of two, b the block of a process: what the root cannot do without. */
static void binomial_scatter_sends_each_block_from_the_root_once(void **state)
{
    (void)state;
    for (int n = 1; n <= 33; n++) {
        const struct cost out = cost_of("binomial", SCATTER, n, n / 2, 70, 0, 2);
        const struct cost in = cost_of("binomial", GATHER, n, n / 2, 70, 0, 2);

        assert_int_equal(out.sent[n / 2], 70 * (n - 1));
        assert_int_equal(in.got[n / 2], 70 * (n - 1));
        assert_int_equal(out.began[n / 2], log2_up(n));
        assert_true(out.messages == n - 1 && in.messages == n - 1);
        if ((n & (n - 1)) == 0) {
            assert_int_equal(out.time, log2_up(n) * (int64_t)ALPHA + 70 * (n - 1));
            assert_int_equal(in.time, out.time);
        }
    }
}

/* A pipeline of k segments through p - 1 others; the root one by one; complete trees of two and of r children. */
static void other_trees_take_their_steps(void **state)
{
    (void)state;
    for (int n = 2; n <= 33; n++) {
        assert_int_equal(cost_of("sequential", BROADCAST, n, n - 1, 960, 0, 2).time, (n - 1) * (ALPHA + 960));
        assert_int_equal(cost_of("sequential", SCATTER, n, n - 1, 960, 0, 2).time, (n - 1) * (ALPHA + 960));
        assert_int_equal(cost_of("sequential", BARRIER, n, n - 1, 960, 0, 2).messages, 2 * (n - 1));
        for (int k = 1; k <= 16; k *= 4) {
            assert_int_equal(cost_of("chain", BROADCAST, n, 1, 960, 960 / k, 2).time,
                             (n - 1 + k - 1) * (ALPHA + 960 / k));
            assert_int_equal(cost_of("chain", REDUCE, n, 1, 960, 960 / k, 2).time,
                             (n - 1 + k - 1) * (ALPHA + 960 / k));
        }
    }
    for (int h = 2; h <= 6; h++)
        for (int k = 1; k <= 16; k *= 4)
            assert_int_equal(cost_of("binary", BROADCAST, (1 << h) - 1, 2, 960, 960 / k, 2).time,
                             2 * (h - 1 + k - 1) * (ALPHA + 960 / k));
    for (int r = 2; r <= 6; r++)
        for (int n = r, m = 1; n <= MOST; n *= r, m++)
            assert_int_equal(cost_of("k-nomial", BROADCAST, n, 1, 960, 0, r).time, m * (r - 1) * (ALPHA + 960));
    for (int n = 2; n <= 33; n++)       /* base 2 */
        assert_int_equal(cost_of("k-nomial", BROADCAST, n, 1, 960, 0, 2).time, log2_up(n) * (ALPHA + 960));
}

/* 2 (k + h - 2) segments down a tree of h levels, k for each half; then one message of half the vector. */
static void split_binary_ends_with_halves_exchanged(void **state)
{
    (void)state;
    for (int h = 2; h <= 6; h++)
        for (int k = 1; k <= 16; k *= 2)
            assert_int_equal(cost_of("split-binary", BROADCAST, (1 << h) - 1, 1, 960, 480 / k, 2).time,
                             2 * (k + h - 2) * (ALPHA + 480 / k) + ALPHA + 480);
    for (int n = 2; n <= 33; n++) {     /* all get the vector once; the exchange is a message for each but one */
        const struct cost c = cost_of("split-binary", BROADCAST, n, n / 2, 960, 60, 2);

        assert_int_equal(c.messages, 8 * (n - 1) + n - 1);
        for (int p = 0; p < n; p++)
            assert_int_equal(c.got[p], p == n / 2 ? 0 : 960);
        assert_int_equal(c.sent[n / 2], n % 2 ? 960 : n == 2 ? 960 : 960 + 480);
    }
}

/* No process sends the vector more than once, as inner nodes of one binary tree would twice; and time grows with the
 * segments as fast as one sender can send them: 2 lg p + 2 k steps, each half in k. */
static void two_trees_use_the_whole_bandwidth(void **state)
{
    (void)state;
    for (int n = 2; n <= 64; n++) {
        const struct cost c = cost_of("double-binary", BROADCAST, n, n / 2, 960, 0, 2);
        const struct cost in = cost_of("double-binary", REDUCE, n, n / 2, 960, 0, 2);

        assert_int_equal(c.messages, 2 * (n - 1));
        assert_int_equal(c.sent[n / 2], 960);
        for (int p = 0; p < n; p++) {
            assert_true(c.sent[p] <= 960 && in.got[p] <= 960);
            assert_int_equal(c.got[p], p == n / 2 ? 0 : 960);
        }
        for (int k = 1; k <= 128; k *= 2) {
            const int64_t most = 2 * (log2_up(n) + k) * (int64_t)(ALPHA + 61440 / k);

            assert_true(cost_of("double-binary", BROADCAST, n, n / 2, 122880, 61440 / k, 2).time <= most);
            assert_true(cost_of("double-binary", REDUCE, n, n / 2, 122880, 61440 / k, 2).time <= most);
            assert_true(cost_of("double-binary", ALLREDUCE, n, n / 2, 122880, 61440 / k, 2).time <= 2 * most);
        }
    }
}

static void every_root_will_do(void **state)
{
    static const char *const name[] = { "sequential", "binary", "binomial", "chain", "k-nomial", "split-binary",
                                        "double-binary" };

    (void)state;
    EACH_ROW(k, name)
        for (int n = 1; n <= 20; n++)
            for (int root = 0; root < n; root++)
                assert_int_equal(cost_of(name[k], BROADCAST, n, root, 90, 30, 3).time,
                                 cost_of(name[k], BROADCAST, n, 0, 90, 30, 3).time);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(binomial_takes_a_step_for_each_doubling),
        cmocka_unit_test(binomial_scatter_sends_each_block_from_the_root_once),
        cmocka_unit_test(other_trees_take_their_steps),
        cmocka_unit_test(split_binary_ends_with_halves_exchanged),
        cmocka_unit_test(two_trees_use_the_whole_bandwidth),
        cmocka_unit_test(every_root_will_do)
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
