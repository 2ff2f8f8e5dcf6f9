/* Algorithms in which all exchange with all, held to closed forms: how many messages and bytes (Thakur et al. 2005,
 * Chan et al. 2007, Bruck et al. 1997, Hensgen et al. 1988), who meets whom, and rounds where sends wait. */
#include "model/collective/collective.h"
#include "tests/support/check.h"

#define BYTES 1001

static const struct {
    const char *name;
    enum operation operation;
} rows[] = {
    { "pairwise", ALLGATHER }, { "pairwise", REDUCE_SCATTER }, { "pairwise", ALLTOALL }, { "bruck", ALLGATHER },
    { "bruck", ALLTOALL }, { "matrix", ALLTOALL }, { "colouring", ALLTOALL }, { "dissemination", BARRIER }
};
enum { PAIRWISE_REDUCE = 1, BRUCK_GATHER = 3, BRUCK_EXCHANGE, MATRIX, COLOURING, DISSEMINATION };

static void row_open(struct schedule *s, size_t row, int n)
{
    struct err err = { 0 };

    if (schedule_open(s, &(struct schedule){ .algorithm = collective_find(rows[row].name, NULL),
                                             .operation = rows[row].operation, .n = n, .root = n / 2,
                                             .bytes = BYTES }, &err) < 0)
        fail_msg("%s", err.msg);
}

/* ceil(log2 n), by doubling. */
static int doublings(int n)
{
    int k = 0;

    for (int64_t reached = 1; reached < n; reached *= 2)
        k++;
    return k;
}

/* What each process sends, in bytes. */
static int64_t bytes_published(const struct schedule *s, size_t row, int p)
{
    int64_t hops = 0;

    if (row == DISSEMINATION)
        return 0;
    if (row == PAIRWISE_REDUCE)                 /* all but its own block; blocks differ by a byte */
        return BYTES - schedule_piece(s, p);
    if (row != BRUCK_EXCHANGE)
        return (s->n - 1) * (int64_t)BYTES;
    if ((s->n & (s->n - 1)) == 0)               /* (n / 2) log2 n blocks */
        return s->n / 2 * (int64_t)doublings(s->n) * BYTES;
    for (int d = 1; d < s->n; d++)              /* a hop for each bit of the distance */
        for (int b = d; b; b /= 2)
            hops += b % 2;
    return hops * BYTES;
}

static void messages_and_bytes_are_those_published(void **state)
{
    struct action a = { 0 };
    struct err err = { 0 };

    (void)state;
    EACH_ROW(row, rows)
        for (int n = 1; n <= 40; n++) {
            const bool doubles = row == BRUCK_GATHER || row == BRUCK_EXCHANGE || row == DISSEMINATION;
            struct schedule s;

            row_open(&s, row, n);
            for (int p = 0; p < n; p++) {
                int64_t sends = 0, receives = 0, bytes = 0;

                for (int64_t i = 0; i < schedule_length(&s, p); i++) {
                    assert_int_equal(schedule_action(&a, &s, p, i, &err), 0);
                    assert_true(a.nrun > 0);
                    sends += a.what == ACTION_SEND;
                    receives += a.what != ACTION_SEND;
                    bytes += a.what == ACTION_SEND ? schedule_bytes(&s, &a) : 0;
                }
                assert_int_equal(sends, doubles ? doublings(n) : n - 1);
                assert_int_equal(receives, sends);
                assert_int_equal(bytes, bytes_published(&s, row, p));
            }
            schedule_close(&s);
        }
    free(a.run);
}

/* The messages of Bruck's allgather double, but for the last one; those of its all-to-all are all of n / 2 blocks where
 * n is a power of two, and never more. */
static void messages_of_bruck_are_as_large_as_published(void **state)
{
    struct action a = { 0 };
    struct err err = { 0 };

    (void)state;
    for (int n = 2; n <= 70; n++)
        for (int k = 0; k < doublings(n); k++) {
            struct schedule s;

            row_open(&s, BRUCK_GATHER, n);
            assert_int_equal(schedule_action(&a, &s, n - 1, 2 * k, &err), 0);
            assert_int_equal(schedule_bytes(&s, &a), BYTES * (k + 1 < doublings(n) ? 1 << k : n - (1 << k)));
            schedule_close(&s);
            row_open(&s, BRUCK_EXCHANGE, n);
            assert_int_equal(schedule_action(&a, &s, n - 1, 2 * k, &err), 0);
            if ((n & (n - 1)) == 0)
                assert_int_equal(schedule_bytes(&s, &a), BYTES * n / 2);
            assert_true(schedule_bytes(&s, &a) <= BYTES * (int64_t)n / 2);
            schedule_close(&s);
        }
    free(a.run);
}

/* Steps in which all send and then receive are permutations: who is sent to receives in that same step, what was sent.
 * Also for more processes than a check takes. Partners of pairwise exchange are mutual for powers of two. */
static void steps_meet(void **state)
{
    static const int counts[] = { 2, 3, 6, 13, 16, 100, 1000, 1024 };
    struct action a = { 0 }, b = { 0 };
    struct err err = { 0 };

    (void)state;
    EACH_ROW(row, rows)
        for (size_t c = 0; c < COUNT(counts) && row != MATRIX && row != COLOURING; c++) {
            const int n = counts[c], some = n > 100 ? 97 : 1;
            struct schedule s;

            row_open(&s, row, n);
            for (int p = 0; p < n; p += some)
                for (int64_t i = 0; i < schedule_length(&s, p); i += 2) {
                    assert_int_equal(schedule_action(&a, &s, p, i, &err), 0);
                    assert_int_equal(schedule_action(&b, &s, a.peer, i + 1, &err), 0);
                    assert_true(a.what == ACTION_SEND && b.what != ACTION_SEND && b.peer == p);
                    assert_int_equal(a.nrun, b.nrun);
                    assert_memory_equal(a.run, b.run, a.nrun * sizeof *a.run);
                    if ((row == 0 || row == 2) && (n & (n - 1)) == 0) {
                        assert_int_equal(schedule_action(&b, &s, p, i + 1, &err), 0);
                        assert_int_equal(a.peer, b.peer);
                    }
                }
            schedule_close(&s);
        }
    free(a.run);
    free(b.run);
}

/* Rounds where a send waits for its receiver, and a message takes a round: whoever can begin does. -1: they wait for
 * each other. */
static int rounds_synchronous(const struct schedule *s)
{
    int64_t at[64] = { 0 };
    struct action a = { 0 }, b = { 0 };
    struct err err = { 0 };
    int rounds = 0, begun = 1, left = 1;

    while (begun && left) {
        bool moves[64] = { false };

        begun = left = 0;
        for (int p = 0; p < s->n; p++) {
            assert_int_equal(schedule_action(&a, s, p, at[p], &err), 0);
            left += a.what != ACTION_END;
            if (a.what != ACTION_SEND)
                continue;
            assert_int_equal(schedule_action(&b, s, a.peer, at[a.peer], &err), 0);
            if (b.what == ACTION_RECEIVE && b.peer == p)
                moves[p] = moves[a.peer] = ++begun;
        }
        for (int p = 0; p < s->n; p++)
            at[p] += moves[p];
        rounds += begun > 0;
    }
    free(a.run);
    free(b.run);
    return left ? -1 : rounds;
}

static void rounds_of_synchronous_sends(void **state)
{
    (void)state;
    for (int n = 1; n <= 64; n++)
        for (size_t row = MATRIX; row <= COLOURING; row++) {
            struct schedule s;

            row_open(&s, row, n);
            assert_int_equal(rounds_synchronous(&s), n < 3 ? 2 * (n - 1) : row == MATRIX ? 3 * (n - 1) :
                             n % 2 ? 2 * n : 2 * (n - 1));
            schedule_close(&s);
        }
    for (int n = 2; n <= 16; n++) {             /* where all send first, all wait */
        struct schedule s;

        row_open(&s, 2, n);
        assert_int_equal(rounds_synchronous(&s), -1);
        schedule_close(&s);
    }
}

/* Figure 7.12: what node 0 of 4 does; and by the same rule what the others do. */
static void matrix_is_the_figure(void **state)
{
    static const char *const want[] = { "+1 +2 +3 -1 -2 -3 ", "-0 +2 +3 +0 -2 -3 ", "-0 -1 +3 +0 +1 -3 ",
                                        "-0 -1 -2 +0 +1 +2 " };
    struct action a = { 0 };
    struct err err = { 0 };
    struct schedule s;

    (void)state;
    row_open(&s, MATRIX, 4);
    for (int p = 0; p < 4; p++) {
        char got[32] = "";

        for (int64_t i = 0; i < 6; i++) {
            assert_int_equal(schedule_action(&a, &s, p, i, &err), 0);
            sprintf(got + 3 * i, "%c%d ", a.what == ACTION_SEND ? '+' : '-', a.peer);
        }
        assert_string_equal(got, want[p]);
    }
    schedule_close(&s);
    free(a.run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages_and_bytes_are_those_published),
        cmocka_unit_test(messages_of_bruck_are_as_large_as_published),
        cmocka_unit_test(steps_meet),
        cmocka_unit_test(rounds_of_synchronous_sends),
        cmocka_unit_test(matrix_is_the_figure)
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
