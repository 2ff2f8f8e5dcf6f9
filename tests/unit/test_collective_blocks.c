/* Algorithms that move blocks, held to closed forms: rounds, messages, bytes as Thakur, Rabenseifner and Gropp (2005)
 * count them, with what a fold of the processes beyond a power of two adds; never below the lower bounds of Chan et al.
 * (2007). What they deliver, test_collective proves. */
#include "graph/base/mem.h"
#include "model/collective/collective.h"
#include "tests/support/check.h"

#define MOST 40

struct count {
    int64_t rounds, messages;
    int64_t bytes, least, most;         /* sent by all; by one process */
};

/* Rounds with one send and one receive at a time, each of one round: what follows a receive comes in a later one. */
static void count_of(struct count *c, const struct schedule *s)
{
    static int64_t stamp[MOST][MOST][2 * MOST];
    size_t put[MOST][MOST] = { { 0 } }, taken[MOST][MOST] = { { 0 } };
    int64_t at[MOST] = { 0 }, sent[MOST] = { 0 }, send[MOST] = { 0 }, receive[MOST] = { 0 };
    struct action a = { 0 };
    struct err err = { 0 };
    bool moved = true;

    *c = (struct count){ .least = INT64_MAX };
    while (moved) {
        moved = false;
        for (int p = 0; p < s->n; p++) {
            int64_t *last;

            for (;; at[p]++, moved = true) {
                assert_int_equal(schedule_action(&a, s, p, at[p], &err), 0);
                last = a.what == ACTION_SEND ? &send[p] : &receive[p];
                if (a.what == ACTION_END || (a.what != ACTION_SEND && taken[a.peer][p] == put[a.peer][p]))
                    break;
                assert_true(a.nrun > 0);
                if (a.what == ACTION_SEND) {
                    *last = (send[p] > receive[p] ? send[p] : receive[p]) + 1;
                    assert_true(put[p][a.peer] < 2 * MOST);
                    stamp[p][a.peer][put[p][a.peer]++] = *last;
                    sent[p] += schedule_bytes(s, &a);
                    c->messages++;
                } else {
                    const int64_t come = stamp[a.peer][p][taken[a.peer][p]++];

                    *last = *last + 1 > come ? *last + 1 : come;
                }
                c->rounds = *last > c->rounds ? *last : c->rounds;
            }
        }
    }
    for (int p = 0; p < s->n; p++) {
        c->bytes += sent[p];
        c->least = sent[p] < c->least ? sent[p] : c->least;
        c->most = sent[p] > c->most ? sent[p] : c->most;
    }
    FREE(a.run);
}

struct form {
    const char *name;
    enum operation operation;
    int64_t rounds, messages;
    double bytes;                       /* by all, of the vector (of a block, where each process has one) */
    double each;                        /* by every process alike; 0: not alike */
};

static void form_holds(const struct form *f, int n)
{
    const bool blocks = f->operation == ALLGATHER || f->operation == ALLTOALL;
    struct err err = { 0 };
    struct schedule s;
    struct count c;
    int m = 1;

    while (m <= n / 2)
        m *= 2;
    for (int root = 0; root < n; root += n > 3 ? n / 3 : 1) {
        const int64_t bytes = blocks ? 12 : f->operation == BARRIER ? 0 : 12ll * n * m;

        if (schedule_open(&s, &(struct schedule){ .algorithm = collective_find(f->name, &err),
                                                  .operation = f->operation, .n = n, .root = root, .bytes = bytes,
                                                  .radix = 2 }, &err) < 0)
            fail_msg("%s", err.msg);
        count_of(&c, &s);
        schedule_close(&s);
        if (c.rounds != f->rounds || c.messages != f->messages)
            fail_msg("%s, %s, %d processes, root %d: %lld rounds (%lld), %lld messages (%lld)", f->name,
                     operation_name[f->operation], n, root, (long long)c.rounds, (long long)f->rounds,
                     (long long)c.messages, (long long)f->messages);
        check_near((double)c.bytes, f->bytes * (double)bytes, 1e-6);
        if (f->each > 0) {
            check_near((double)c.least, f->each * (double)bytes, 1e-6);
            check_near((double)c.most, f->each * (double)bytes, 1e-6);
        }
        /* Who has one block and ends with n must get n - 1; who adds n vectors and ends with a part, that of n - 1. */
        if (f->operation == ALLGATHER)
            assert_int_equal(c.bytes, (int64_t)n * (n - 1) * bytes);
        if (f->operation == REDUCE_SCATTER)
            assert_true(c.bytes >= (n - 1) * bytes);
        if (f->operation == ALLREDUCE)
            assert_true(c.bytes >= 2 * (n - 1) * bytes);
    }
}

static void closed_forms_hold(void **state)
{
    (void)state;
    for (int n = 2; n <= MOST; n++) {
        int lg = 0, up, hops = 0;       /* floor and ceiling of log2 n; hops of blocks 0..n-1 along a binomial tree */

        while (2 << lg <= n)
            lg++;
        up = lg + (1 << lg < n);
        for (int v = 1; v < n; v++)
            for (int bits = v; bits; bits &= bits - 1)
                hops++;
        const int m = 1 << lg, x = n - m, any = x > 0;
        const double one = n, all = n - 1, spread = all / one;
        const struct form forms[] = {
            { "ring", ALLGATHER, n - 1, n * (n - 1), one * all, all },
            { "ring", REDUCE_SCATTER, n - 1, n * (n - 1), all, spread },
            { "ring", ALLREDUCE, 2 * (n - 1), 2 * n * (n - 1), 2 * all, 2 * spread },
            { "ring", ALLTOALL, n - 1, n * (n - 1), one * all, all },
            { "circular", ALLGATHER, n - 1, n * (n - 1), one * all, all },
            { "shuffle", ALLGATHER, up, n * up, one * all, all },
            { "sparbit", ALLGATHER, up, n * up, one * all, all },
            { "recursive-doubling", ALLGATHER, lg + 2 * any, m * lg + 2 * x, one * all, any ? 0 : all },
            { "recursive-doubling", ALLREDUCE, lg + 2 * any, m * lg + 2 * x, m * lg + 2 * x, any ? 0 : lg },
            { "recursive-doubling", BARRIER, lg + 2 * any, m * lg + 2 * x, 0, 0 },
            { "recursive-halving", REDUCE_SCATTER, lg + 2 * any, m * lg + 2 * x, all + x / one, any ? 0 : spread },
            { "rabenseifner", ALLREDUCE, 2 * lg + 3 * any, 2 * m * lg + 4 * x, 2 * (m - 1) + 2.5 * x,
              any ? 0 : 2 * spread },
            { "rabenseifner", REDUCE, 2 * lg + 2 * any, m * lg + 3 * x + m - 1, m - 1 + 1.5 * x + lg / 2.0, 0 },
            { "scatter-doubling", BROADCAST, 2 * lg + any, m - 1 + m * lg + x, lg / 2.0 + m - 1 + x, 0 },
            { "scatter-ring", BROADCAST, up + n - 1, n - 1 + n * (n - 1), hops / one + all, 0 },
        };

        EACH_ROW(k, forms)
            form_holds(&forms[k], n);
        if (n % 2 == 0)
            form_holds(&(struct form){ "neighbour-exchange", ALLGATHER, n / 2, n * n / 2, one * all, all }, n);
    }
}

/* Who sends to whom in process 0's first and last step: the order of distances is what tells these apart. */
static void distances_are_those_of_the_papers(void **state)
{
    static const struct {
        const char *name;
        enum operation operation;
        int first, last;                /* peers of process 0 of 16 */
    } rows[] = {
        { "ring", ALLGATHER, 1, 1 },
        { "circular", ALLGATHER, 1, 15 },
        { "shuffle", ALLGATHER, 1, 8 },
        { "sparbit", ALLGATHER, 8, 1 },
        { "recursive-doubling", ALLGATHER, 1, 8 },
        { "recursive-halving", REDUCE_SCATTER, 8, 1 },
        { "rabenseifner", ALLREDUCE, 1, 1 },    /* 1, 2, 4, 8, then back */
        { "scatter-doubling", BROADCAST, 8, 8 },        /* 8, 4, 2, 1, then 1, 2, 4, 8 */
        { "neighbour-exchange", ALLGATHER, 1, 15 },
    };

    (void)state;
    EACH_ROW(k, rows) {
        struct err err = { 0 };
        struct action a = { 0 };
        struct schedule s;
        int first = -1, last = -1;

        assert_int_equal(schedule_open(&s, &(struct schedule){ .algorithm = collective_find(rows[k].name, &err),
                                                               .operation = rows[k].operation, .n = 16,
                                                               .bytes = 1600, .radix = 2 }, &err), 0);
        for (int64_t i = 0; i < schedule_length(&s, 0); i++) {
            assert_int_equal(schedule_action(&a, &s, 0, i, &err), 0);
            if (a.what == ACTION_SEND) {
                first = first < 0 ? a.peer : first;
                last = a.peer;
            }
        }
        schedule_close(&s);
        FREE(a.run);
        if (first != rows[k].first || last != rows[k].last)
            fail_msg("%s: first to %d (%d), last to %d (%d)", rows[k].name, first, rows[k].first, last, rows[k].last);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(closed_forms_hold),
                                        cmocka_unit_test(distances_are_those_of_the_papers) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
