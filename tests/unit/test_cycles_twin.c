/* The simulation of broadcasts in cycles that others are judged by, itself judged: by known numbers and closed forms. */
#include <string.h>

#include "tests/support/check.h"
#include "tests/support/stage.h"

#define FLITS 25

/* ---- one broadcast, nothing else ---- */

static double idle(const char *spec, const char *tree, enum twin_switching how, int ports, bool blocking)
{
    const struct twin_root root = { .rounds = 1 };
    struct trial c;
    struct stage g;
    struct twin_result r;
    double complete;

    trial_open(&c, spec, tree, 0, ports, blocking);
    stage_open(&g, &c, how, FLITS, 0);
    stage_run_idle(&r, &g, &root, 1);
    assert_false(r.deadlock);
    assert_int_equal(r.n, 1);
    complete = r.broadcast[0].complete;
    twin_release(&r);
    stage_release(&g);
    trial_release(&c);
    return complete;
}

static const struct idle_row {
    const char *name, *spec;
    enum twin_switching how;
    int ports;
    bool blocking;
    double td[4];               /* sequential, binary, binomial, chain; NAN: not known */
} idle_rows[] = {
    { "wormhole, star", "star:16", TWIN_WORMHOLE, 1, true, { 15, 6, 4, 15 } },
    { "wormhole, mesh", "mesh:4x4", TWIN_WORMHOLE, 1, true, { 15, 7, 4, 15 } },
    { "wormhole, hypercube", "hypercube:4", TWIN_WORMHOLE, 1, true, { 15, 6, 4, 15 } },
    { "wormhole, larger mesh", "mesh:8x8", TWIN_WORMHOLE, 1, true, { 63, 18, 6, 63 } },
    { "cut-through, larger mesh", "mesh:8x8", TWIN_CUT_THROUGH, 1, true, { 63, 15, 6, 63 } },
    { "cut-through, torus", "torus:8x8", TWIN_CUT_THROUGH, 1, true, { 63, 16, 6, 63 } },
    { "store-and-forward, star", "star:16", TWIN_STORE_AND_FORWARD, 1, true, { 15, 10, 7, 29 } },
    { "store-and-forward, mesh", "mesh:4x4", TWIN_STORE_AND_FORWARD, 1, true, { 48, 12, 6, 24 } },
    { "store-and-forward, torus", "torus:4x4", TWIN_STORE_AND_FORWARD, 1, true, { 32, 12, 6, 18 } },
    { "store-and-forward, hypercube", "hypercube:4", TWIN_STORE_AND_FORWARD, 1, true, { 32, 10, 4, 26 } },
    { "all ports, not blocking, star", "star:16", TWIN_WORMHOLE, 0, false, { 1, 5, 4, 15 } },
    { "all ports, not blocking, mesh", "mesh:4x4", TWIN_WORMHOLE, 0, false, { 12, 6, 4, 15 } },
    { "all ports, not blocking, hypercube", "hypercube:4", TWIN_WORMHOLE, 0, false, { 8, 4, 4, 15 } },
};
static const char *const trees[] = { "sequential", "binary", "binomial", "chain" };

static void idle_row_holds(void **state)
{
    const struct idle_row *row = *state;

    for (size_t i = 0; i < COUNT(trees); i++) {
        const double got = idle(row->spec, trees[i], row->how, row->ports, row->blocking) / FLITS;

        if (!isnan(row->td[i]) && got != row->td[i])
            fail_msg("%s: %g, wanted %g", trees[i], got, row->td[i]);
    }
}

int main(void)
{
    struct CMUnitTest tests[64] = { { 0 } };
    size_t n = 0;
    int failed;

    net_setup();
    for (size_t i = 0; i < COUNT(idle_rows); i++)
        tests[n++] = (struct CMUnitTest){ .name = idle_rows[i].name, .test_func = idle_row_holds,
                                          .initial_state = (void *)(uintptr_t)&idle_rows[i] };
    failed = _cmocka_run_group_tests("the twin of broadcasts in cycles", tests, n, NULL, NULL);
    net_teardown();
    return failed;
}
