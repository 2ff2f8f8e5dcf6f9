/* What points of a figure say of themselves where a viewer shows titles: names, values, units. */
#include <string.h>

#include "render/chart/chart.h"
#include "render/page/canvas.h"
#include "tests/support/check.h"

static struct err err;

static char *svg_of(const struct chart *c)
{
    struct sink s = { 0 };

    if (chart_draw(&s, c, NULL, plot_find("svg", &err), &err) < 0)
        fail_msg("%s", err.msg);
    sink_put(&s, "", 1);
    return (char *)s.bytes;
}

static int count(const char *text, const char *word)
{
    int n = 0;

    for (; (text = strstr(text, word)) != NULL; text++)
        n++;
    return n;
}

/* That the chart's SVG has just these tips, in this order; and that no other format has any. Releases the chart. */
static void check_tips(struct chart *c, const char *const *tip, size_t n)
{
    char *svg = svg_of(c), *at = svg, want[400];
    struct sink pdf = { 0 };

    assert_int_equal(count(svg, "<g class=\"point\">"), n);
    for (size_t i = 0; i < n; i++) {
        snprintf(want, sizeof want, "<g class=\"point\"><title>%s</title>", tip[i]);
        at = strstr(at, want);
        if (!at)
            fail_msg("%s: there is no '%s' behind the one before", c->kind, tip[i]);
    }
    assert_int_equal(count(svg, "<g "), count(svg, "</g>"));
    assert_int_equal(chart_draw(&pdf, c, NULL, plot_find("pdf", &err), &err), 0);
    free(pdf.bytes);
    free(svg);
    chart_release(c);
}

static void add(struct chart *c, const char *series, double x, double y)
{
    assert_int_equal(chart_point(c, chart_series(c, series, 0), x, y), 0);
}

static void points_of_lines(void **state)
{
    static const char *const tip[] = { "dor: load 0.12 flits per node and cycle, latency 27.3 cycles",
        "&lt;a&amp;b&gt;: load 0.5 flits per node and cycle, latency 1e+06 cycles" };
    static const char *const bare[] = { "1, 2.5" };

    (void)state;
    for (int scatter = 0; scatter < 2; scatter++) {
        struct chart c;

        chart_init(&c, scatter ? "scatter" : "line");
        assert_int_equal(chart_axis(&c.x, "Load", "flits per node and cycle"), 0);
        assert_int_equal(chart_axis(&c.y, "Latency", "cycles"), 0);
        add(&c, "dor", 0.12, 27.3);
        add(&c, "dor", NAN, 27.3);
        add(&c, "<a&b>", 0.5, 1e6);
        check_tips(&c, tip, 2);
        chart_init(&c, scatter ? "scatter" : "line");
        add(&c, "", 1, 2.5);
        check_tips(&c, bare, 1);
    }
}

static void words_errors_and_times(void **state)
{
    static const char *const word[] = { "MPI calls bcast, time 3 s (2.5 to 4)" };
    static const char *const day[] = { "day 2026-11-22 21:15:00, 7" };
    struct chart c;

    (void)state;
    chart_init(&c, "line");
    assert_int_equal(chart_axis(&c.x, "MPI calls", NULL), 0);
    assert_int_equal(chart_axis(&c.y, "Time", "s"), 0);
    assert_int_equal(chart_datum(&c, chart_series(&c, "", 0), (struct datum){ .x = chart_category(&c.x, "bcast"),
                     .y = 3, .z = NAN, .lo = 2.5, .hi = 4 }), 0);
    check_tips(&c, word, 1);
    chart_init(&c, "line");
    assert_int_equal(chart_axis(&c.x, "Day", NULL), 0);
    c.x.time = true;
    add(&c, "", 1795382100, 7);         /* date -u -d '2026-11-22 21:15:00' +%s */
    check_tips(&c, day, 1);
}

/* A piece of a stack says what it adds. */
static void bars_and_stacks(void **state)
{
    static const char *const tip[] = { "a: n 4, sent 10", "a: n 8, sent -3", "b: n 4, sent 5" };

    (void)state;
    for (int stacked = 0; stacked < 2; stacked++) {
        struct chart c;

        chart_init(&c, "bar");
        c.stacked = stacked;
        assert_int_equal(chart_axis(&c.x, "n", NULL), 0);
        assert_int_equal(chart_axis(&c.y, "Sent", NULL), 0);
        add(&c, "a", 4, 10);
        add(&c, "a", 8, -3);
        add(&c, "b", 4, 5);
        add(&c, "b", 8, NAN);
        check_tips(&c, tip, 3);
    }
}

/* Cells of one colour have their own; from the top of the page, left to right. */
static void cells(void **state)
{
    static const char *const tip[] = { "to x, from v, wait 5 ms", "to y, from v, wait 5 ms",
                                       "to x, from u, wait 2 ms" };
    struct chart c;
    const char *const at[][2] = { { "x", "u" }, { "x", "v" }, { "y", "v" } };
    const double value[] = { 2, 5, 5 };

    (void)state;
    chart_init(&c, "heat");
    assert_int_equal(chart_axis(&c.x, "To", NULL), 0);
    assert_int_equal(chart_axis(&c.y, "From", NULL), 0);
    assert_int_equal(chart_axis(&c.z, "Wait", "ms"), 0);
    assert_int_equal(chart_category(&c.y, "v"), 0);         /* the first category is on top */
    for (int i = 0; i < 3; i++)
        assert_int_equal(chart_datum(&c, chart_series(&c, "", 0), (struct datum){ .x = chart_category(&c.x, at[i][0]),
                         .y = chart_category(&c.y, at[i][1]), .z = value[i], .lo = NAN, .hi = NAN }), 0);
    check_tips(&c, tip, 3);
}

static void messages(void **state)
{
    static const char *const tip[] = { "chain: time 3 to 15 cycles, process 0 to 2, waited 4 cycles" };
    struct chart c;

    (void)state;
    chart_init(&c, "timeline");
    assert_int_equal(chart_axis(&c.x, "Time", "cycles"), 0);
    assert_int_equal(chart_axis(&c.y, "Process", NULL), 0);
    assert_int_equal(chart_axis(&c.z, "Waited", "cycles"), 0);
    assert_int_equal(chart_datum(&c, chart_series(&c, "chain", 0), (struct datum){ .x = 3, .y = 0, .z = 4, .lo = NAN,
                     .hi = NAN }), 0);
    add(&c, "chain", 15, 2);
    check_tips(&c, tip, 1);
}

static void many_points_say_nothing(void **state)
{
    (void)state;
    for (int n = 2000; n <= 2001; n++) {
        struct chart c;
        char *svg;

        chart_init(&c, "scatter");
        for (int i = 0; i < n; i++)
            add(&c, "", i % 97, i / 97);
        svg = svg_of(&c);
        assert_int_equal(count(svg, "class=\"point\""), n == 2000 ? 2000 : 0);
        free(svg);
        chart_release(&c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_of_lines), cmocka_unit_test(words_errors_and_times), cmocka_unit_test(bars_and_stacks),
        cmocka_unit_test(cells), cmocka_unit_test(messages), cmocka_unit_test(many_points_say_nothing) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
