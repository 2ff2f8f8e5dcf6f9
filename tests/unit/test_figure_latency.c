/* The figure of latency against load, by its chart: where it ends, what rules and note say. */
#include <string.h>

#include "cli/request/latency_lines.h"
#include "tests/support/check.h"

static void add(struct chart *c, const char *series, double x, double y)
{
    assert_int_equal(chart_point(c, chart_series(c, series, 0), x, y), 0);
}

static const struct column columns[] = { { "routing", NULL, NULL, 0, LOOSE }, { "loop", NULL, NULL, 0, LOOSE },
    { "load", NULL, NULL, 0, LOOSE }, { "packet_latency_cycles", NULL, NULL, 0, LOOSE },
    { "zero_load_latency_cycles", NULL, NULL, 0, LOOSE }, { "saturation_load", NULL, NULL, 0, LOOSE } };

/* Two curves, 20 cycles without load, that saturate at 0.25 and 0.5. */
static void dressed(struct chart *c, const char *loop, double highest)
{
    static const char *const by[] = { "routing" };
    static const char *const name[] = { "dor", "ecmp" };
    struct err err = { ERR_NONE, "" };
    struct table t;

    table_init(&t, NULL, columns, COUNT(columns));
    chart_init(c, "line");
    for (int r = 0; r < 2; r++)
        for (int i = 0; i < 2; i++) {
            const double load = (r + 1) * (i ? 0.2 : 0.1), latency = i ? highest : 22;

            table_add(&t, ROW(cell_text("routing", name[r]), cell_text("loop", loop), cell_real("load", load),
                              cell_real("packet_latency_cycles", latency), cell_real("zero_load_latency_cycles", 20),
                              cell_real("saturation_load", 0.25 * (r + 1))));
            add(c, name[r], load, latency);
        }
    assert_int_equal(t.why.code, ERR_NONE);
    assert_int_equal(latency_dress(c, &t, "load", by, 1, &err), 0);
    table_release(&t);
}

static void latency_ends_at_five_times_idle(void **state)
{
    struct chart c;

    (void)state;
    dressed(&c, "open", 5000);
    assert_int_equal(c.nrule, 2);
    assert_string_equal(c.rule[0].text, "dor saturates at 0.25");
    assert_string_equal(c.rule[1].text, "ecmp saturates at 0.5");
    assert_true(c.rule[1].x == 0.5 && c.rule[1].look == c.series[1].look);
    assert_true(c.x.scale == SCALE_LINEAR && c.y.scale == SCALE_LINEAR && c.y.from == 0 && c.y.to == 100);
    assert_string_equal(c.note, "Latencies above 100 cycles, up to 5e+03, are not shown.");
    chart_release(&c);
    dressed(&c, "open", 99);
    assert_true(c.nrule == 2 && isnan(c.y.to) && !c.note);
    chart_release(&c);
    dressed(&c, "closed", 5000);
    assert_true(c.nrule == 0 && isnan(c.y.to) && !c.note);
    chart_release(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(latency_ends_at_five_times_idle) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
