/* What validates: the simulator against a few of BookSim2's runs (`make fidelity` takes all), within 3 % of network
 * latency; that a model and its simulation count the same time where nothing waits, to which both are closed forms; and
 * what is called wrong. */
#include <string.h>

#include "analysis/simulate/judge.h"
#include "tests/support/check.h"

static struct err err;

static void beside_booksim(void **state)
{
    static const struct {
        const char *name;
        double part;
    } run[] = { { "A1", 0.5 }, { "W1", 0.7 }, { "H1", 0.5 }, { "A3", 0.5 } };
    struct simulate_options o = simulate_usual;
    struct booksim_row *row;
    struct csv csv;
    size_t found = 0;

    (void)state;
    o.cycles = 2e4;
    o.warmup = 3000;
    if (csv_read(&csv, "examples/published/booksim.csv", &err) < 0 || booksim_rows(&row, &csv, "booksim.csv", &err) < 0)
        fail_msg("%s", err.msg);
    for (size_t i = 0; i < csv.nrow; i++)
        for (size_t k = 0; k < sizeof run / sizeof *run; k++) {
            struct booksim_run r;

            if (strcmp(row[i].name, run[k].name) != 0 || row[i].part != run[k].part)
                continue;
            if (booksim_run(&r, &row[i], row[i].rate, &o, &err) < 0)
                fail_msg("%s: %s", run[k].name, err.msg);
            if (!r.steady || !(fabs(judge_error(r.nlat, row[i].nlat)) <= 0.03))
                fail_msg("%s at %g: network latency %g, BookSim2 has %g", run[k].name, run[k].part, r.nlat, row[i].nlat);
            found++;
        }
    assert_int_equal(found, sizeof run / sizeof *run);
    free(row);
    csv_release(&csv);
}

static void a_file_that_lacks(void **state)
{
    static const char text[] = "config,network\nA,mesh:2x3\n";
    struct booksim_row *row = NULL;
    struct csv csv;

    (void)state;
    assert_int_equal(csv_parse(&csv, text, sizeof text - 1, "text", &err), 0);
    assert_int_equal(booksim_rows(&row, &csv, "runs.csv", &err), -1);
    assert_string_equal(err.msg, "runs.csv has no column traffic");
    csv_release(&csv);
}

/* ---- where nothing waits: 7 flits, a hop of 3 cycles, terminals with links ---- */

static const struct idle_row {
    const char *name, *switching;
    bool open, terminals;
} idle[] = {
    { "virtual-channel", "virtual-channel", true, true }, { "wormhole, closed", "wormhole", false, true },
    { "cut-through", "cut-through", true, true }, { "store-and-forward", "store-and-forward", true, true },
    { "store-and-forward, terminals free", "store-and-forward", true, false },
    { "cut-through, terminals free", "cut-through", true, false }
};

static void where_nothing_waits(void **state)
{
    const struct idle_row *row = *state;
    const struct load load = { 7 / 0.002, 1 };
    struct latency_options model = { .collide = { .closure = &closure_pairwise, .time = 7, .hop_time = 3, .jobs = 2 },
                                     .open = row->open, .terminals = row->terminals };
    const struct switching *s = model.collide.switching = switching_find(row->switching, &err);
    struct simulate_options o;
    struct simulation *run = NULL;
    struct simulate_result r = { 0 };
    struct traffic traffic = { 0 };
    struct judge judge = { .latency = NAN };
    struct net *net = NULL;
    double want;

    model.collide.router = *s->router;
    o = judge_options(&model);
    if (net_open(&net, "mesh:5x4", &err) < 0 || traffic_open(&traffic, net, "uniform", &err) < 0 ||
        simulate_open(&run, net, &traffic, "dor", &o, &err) < 0 || simulate_run(&r, run, &load, &err) < 0 ||
        judge_run(&judge, run, &o, &traffic, &load, &err) < 0)
        fail_msg("%s", err.msg);
    want = switching_time(s, 7, r.hops + 2 * row->terminals, 3);
    if (!(fabs(judge.latency / want - 1) < 0.005))
        fail_msg("%s: simulated %g, where nothing waits %g", row->name, judge.latency, want);
    assert_string_equal(judge.state, "steady");
    simulate_result_release(&r);
    simulate_close(run);
    traffic_release(&traffic);
    net_close(net);
}

static void what_is_wrong(void **state)
{
    static const struct {
        double model, latency, half;
        bool steady, wrong;
    } row[] = {
        { 110, 100, 0, true, false }, { 111, 100, 0, true, true }, { 89, 100, 0, true, true },
        { 111, 100, 2, true, false }, { 113, 100, 2, true, true },  /* 10 % of what was simulated, and what chance does */
        { 200, 100, 0, false, false }, { 120, 100, NAN, true, true }
    };

    (void)state;
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const struct judge judge = { row[i].latency, row[i].half, row[i].steady, "" };

        if (judge_wrong(row[i].model, &judge) != row[i].wrong)
            fail_msg("%g beside %g +- %g", row[i].model, row[i].latency, row[i].half);
    }
}

int main(void)
{
    enum { IDLE = sizeof idle / sizeof *idle };
    struct CMUnitTest tests[IDLE + 3] = {
        cmocka_unit_test(beside_booksim), cmocka_unit_test(a_file_that_lacks), cmocka_unit_test(what_is_wrong)
    };
    int failed;

    for (size_t i = 0; i < IDLE; i++)
        tests[3 + i] = (struct CMUnitTest){ idle[i].name, where_nothing_waits, NULL, NULL, (void *)&idle[i] };
    net_setup();
    failed = cmocka_run_group_tests(tests, NULL, NULL);
    net_teardown();
    return failed;
}
