/* Connections of a pattern are the partners of its schedule executed message by message, for 2 to 64 processes, and the
 * memory is theirs; those of a permutation by its two maps. */
#include <string.h>

#include "analysis/collective/execute.h"
#include "graph/base/csv.h"
#include "tests/support/check.h"
#include "tests/support/child.h"

enum { MOST = 64 };
static struct err err;
static bool met[MOST][MOST];

static void see(void *arg, const struct cost_message *m)
{
    (void)arg;
    met[m->from][m->to] = met[m->to][m->from] = true;
}

static void partners_of_a_run(double *most, double *all, enum operation operation, const char *algorithm, int n)
{
    struct schedule s, ask = { .algorithm = collective_find(algorithm, &err), .operation = operation, .n = n,
                               .bytes = 4096 };
    struct cost_network none = { 0 };
    struct execution x;
    struct cost c;

    memset(met, 0, sizeof met);
    assert_int_equal(cost_open(&c, "loggp,l=5us,o=1us,rate=10Gb/s", n, &none, &err), 0);
    c.seen = see;
    assert_int_equal(schedule_open(&s, &ask, &err), 0);
    assert_int_equal(execute(&x, &s, &c, 0, NULL, &err), 0);
    schedule_close(&s);
    cost_close(&c);
    *most = *all = 0;
    for (int p = 0; p < n; p++) {
        double mine = 0;

        for (int k = 0; k < n; k++)
            mine += met[p][k];
        *most = fmax(*most, mine);
        *all += mine;
    }
}

static double at(const struct csv *csv, size_t row, const char *column)
{
    assert_true(csv_column(csv, column) >= 0);
    return strtod(csv_at(csv, row, csv_column(csv, column)), NULL);
}

static void table_of(struct csv *csv, const char *command)
{
    struct child child;

    child_run(&child, command, 60, NULL, NULL);
    assert_int_equal(child.status, 0);
    assert_int_equal(csv_parse(csv, child.text, child.len, "the table", &err), 0);
    child_release(&child);
}

static void partners_are_those_of_executed_schedules(void **state)
{
    static const struct {
        const char *pattern, *algorithm;
        enum operation operation;
    } row[] = {
        { "allreduce:ring", "ring", ALLREDUCE }, { "allreduce:recursive-doubling", "recursive-doubling", ALLREDUCE },
        { "allreduce:rabenseifner", "rabenseifner", ALLREDUCE }, { "broadcast:binomial", "binomial", BROADCAST },
        { "reduce:chain", "chain", REDUCE }, { "alltoall:pairwise", "pairwise", ALLTOALL },
        { "allgather:bruck", "bruck", ALLGATHER }, { "barrier:dissemination", "dissemination", BARRIER }
    };

    (void)state;
    EACH_ROW(i, row) {
        char command[200];
        struct csv csv;

        snprintf(command, sizeof command, "protocol --show connections -p 2..64 --pattern %s -f csv -q",
                 row[i].pattern);
        table_of(&csv, command);
        assert_int_equal(csv.nrow, 2 * 63);
        for (size_t r = 0; r < csv.nrow; r++) {
            const double n = at(&csv, r, "processes");
            double most = n - 1, all = n * (n - 1);

            if (r % 2)
                partners_of_a_run(&most, &all, row[i].operation, row[i].algorithm, (int)n);
            check_near(at(&csv, r, "partners"), most, 0);
            check_near(at(&csv, r, "connections"), all, 0);
            check_near(at(&csv, r, "memory_bytes"), most * (4096 + 32 * 4096), 0);
            check_near(at(&csv, r, "shared_bytes"), most * 4096 + 1024 * 4096, 0);
            check_near(at(&csv, r, "amvia_bytes"), most * (4096 + (2 * 32 + 2 * 32 + 1) * 4096), 0);
            check_near(at(&csv, r, "unasked_bytes"), most * 1048576, 0);
        }
        csv_release(&csv);
    }
}

/* A ring has 2, recursive doubling log2 n, of a bit reversal each that is not its own mirror 1. */
static void partners_known(void **state)
{
    struct csv csv;

    (void)state;
    table_of(&csv, "protocol --show connections -p 4,16,64 --pattern allreduce:ring,allreduce:recursive-doubling,"
             "bit-reversal,neighbour -f csv -q");
    for (size_t r = 0; r < csv.nrow; r += 5) {
        const double bits = 2 * ((double)r / 5 + 1), n = exp2(bits);

        check_near(at(&csv, r + 1, "partners"), 2, 0);
        check_near(at(&csv, r + 2, "partners"), bits, 0);
        check_near(at(&csv, r + 3, "partners"), 1, 0);
        check_near(at(&csv, r + 3, "connections"), n - exp2(bits / 2), 0);
        check_near(at(&csv, r + 4, "connections"), 2 * n, 0);
    }
    csv_release(&csv);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(partners_are_those_of_executed_schedules),
                                        cmocka_unit_test(partners_known) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
