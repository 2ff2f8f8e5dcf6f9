/* Latency of routers against BookSim2 (tests/fidelity), every run: network latency to half of the simulated saturation
 * within 5 %, to 0.7 of it within 10 %; packet latency within 10 %. `make fidelity` says more, of more. */
#include "tests/support/check.h"
#include "tests/support/fidelity.h"

static struct err err;

static void booksim(void **state)
{
    struct fidelity f;
    int half = 0, most = 0;

    (void)state;
    if (fidelity_open(&f, "examples/published/booksim.csv", NULL, false, &err) < 0)
        fail_msg("%s", err.msg);
    for (size_t i = 0; i < f.ncase; i++)
        if (fidelity_solve(&f, i, 0.7, false, &err) < 0)
            fail_msg("%s: %s", f.at[i].name, err.msg);
    for (size_t i = 0; i < f.nrun; i++) {
        const struct fidelity_run *r = &f.run[i];
        const double nlat = fidelity_error(r->model_nlat, r->nlat), plat = fidelity_error(r->model_plat, r->plat);

        if (!(r->part <= 0.7))
            continue;
        half += r->part <= 0.5;
        most++;
        if (!(fabs(nlat) <= (r->part <= 0.5 ? 0.05 : 0.1) && fabs(plat) <= 0.1))
            fail_msg("%s at %g of saturation: network latency %.4g, simulated %.4g; packet latency %.4g, simulated "
                     "%.4g", f.at[r->of].name, r->part, r->model_nlat, r->nlat, r->model_plat, r->plat);
    }
    assert_int_equal(half, 30);             /* ten cases at 0.1, 0.3, 0.5; one at 0.6 besides */
    assert_int_equal(most, 41);
    fidelity_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(booksim) };
    int failed;

    net_setup();
    failed = cmocka_run_group_tests(tests, NULL, NULL);
    net_teardown();
    return failed;
}
