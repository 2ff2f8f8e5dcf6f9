/* What a page has room for: letters shrink rather than lie on each other, or the page is refused with one that will do;
 * names that have no place where they were asked for, and names left out, are told. Read back from the SVG. */
#include <string.h>
#include <unistd.h>

#include "graph/numeric/rng.h"
#include "render/chart/chart.h"
#include "tests/support/boxes.h"
#include "tests/support/check.h"
#include "tests/support/svg.h"

#define PLAY 0.4                /* points: SVG has its numbers rounded */

static void datum(struct chart *c, const char *series, struct datum d)
{
    assert_int_equal(chart_datum(c, chart_series(c, series, 0), d), 0);
}

/* Three named lines over words or numbers, as every kind can draw them. */
static void some_chart(struct chart *c, const struct chart_kind *kind)
{
    static const char *const name[] = { "minimal", "valiant", "metapath:sga:1" };

    chart_init(c, kind->name);
    assert_int_equal(chart_axis(&c->x, "Load", "flits per node and cycle"), 0);
    assert_int_equal(chart_axis(&c->y, "Packet latency", "cycles"), 0);
    assert_int_equal(chart_axis(&c->z, kind->needs & ROLE_Z ? "Waiting" : NULL, NULL), 0);
    for (int i = 0; i < 5; i++) {
        char word[20];

        snprintf(word, sizeof word, "torus:%dx%d", i + 4, i + 4);
        for (int s = 0; s < (kind->needs & ROLE_GROUP || !(kind->needs & ROLE_Z) ? 3 : 1); s++)
            datum(c, name[s], (struct datum){ .x = kind->x_categories ? chart_category(&c->x, word) : 0.1 * i,
                  .y = kind->intervals ? i / 2 : 20 + 7 * i * (s + 1), .z = kind->needs & ROLE_Z ? s + i : (double)NAN,
                  .lo = NAN, .hi = NAN });
    }
}

/* Draws to a file and reads that; -1: refused. */
static int draw(struct svg *s, const struct chart *c, const struct page *page, struct err *err)
{
    char path[] = "/tmp/room-XXXXXX.svg";
    int fd = mkstemps(path, 4), ret;

    assert_true(fd >= 0);
    close(fd);
    ret = chart_write(c, page, path, err);
    if (ret == 0)
        svg_read(s, path);
    unlink(path);
    return ret;
}

static void check_apart(const struct svg *s, const char *what)
{
    for (size_t i = 0; i < s->nitem; i++) {
        const struct text_box *b = &s->item[i].box;

        for (int k = 0; s->item[i].text && k < 4; k++)
            if (b->x[k] < -1 || b->x[k] > s->width + 1 || b->y[k] < -1 || b->y[k] > s->height + 1)
                fail_msg("%s: '%s' is not all on the page", what, s->item[i].text);
        for (size_t k = 0; s->item[i].text && k < i; k++)
            if (s->item[k].text && boxes_overlap(b, &s->item[k].box) > PLAY)
                fail_msg("%s: '%s' lies on '%s'", what, s->item[i].text, s->item[k].text);
    }
}

static void letters_have_room(void **state)
{
    static const double size[][2] = { { 40, 0 }, { 84, 52 } }, letters[] = { 0, 20 };
    int shrunk = 0;

    (void)state;
    for (size_t k = 0; chart_all[k]; k++) {
        struct chart c;

        some_chart(&c, chart_all[k]);
        for (size_t i = 0; i < COUNT(size) * COUNT(letters); i++) {
            char told[PAGE_TOLD] = "", what[100];
            struct page page = { .width_mm = size[i / COUNT(letters)][0], .height_mm = size[i / COUNT(letters)][1],
                                 .font_size = letters[i % COUNT(letters)], .told = told };
            struct err err = { ERR_NONE, "" };
            struct svg s;

            snprintf(what, sizeof what, "%s of %gx%g, letters of %g", chart_all[k]->name, page.width_mm, page.height_mm,
                     page.font_size);
            if (draw(&s, &c, &page, &err) < 0)
                fail_msg("%s: %s", what, err.msg);
            shrunk += strstr(told, "Letters are of") != NULL;
            check_apart(&s, what);
            svg_release(&s);
        }
        chart_release(&c);
    }
    assert_true(shrunk > 15);
}

/* Names at the left and a colour bar at the right that 40 mm have no room for, however small their letters. */
static void refused_with_a_size_that_does(void **state)
{
    static const char *const name[] = { "perfect-shuffle", "bit-reversal", "complement" };
    char told[PAGE_TOLD] = "";
    struct page page = { .width_mm = 40, .height_mm = 40, .told = told };
    struct err err = { ERR_NONE, "" };
    const char *better;
    struct chart c;
    struct svg s;

    (void)state;
    chart_init(&c, "heat");
    assert_int_equal(chart_axis(&c.x, "Load", NULL), 0);
    assert_int_equal(chart_axis(&c.y, "Traffic", NULL), 0);
    assert_int_equal(chart_axis(&c.z, "Latency added", "%"), 0);
    for (int i = 0; i < 9; i++)
        datum(&c, "", (struct datum){ .x = 0.02 * (i / 3 + 1), .y = chart_category(&c.y, name[i % 3]),
              .z = 11.5 * i - 47.2, .lo = NAN, .hi = NAN });
    assert_int_equal(draw(&s, &c, &page, &err), -1);
    assert_int_equal(err.code, ERR_DOMAIN);
    better = strstr(err.msg, "have on --size ");
    if (!better)
        fail_msg("%s", err.msg);
    assert_int_equal(page_size(&page, better + strlen("have on --size "), &err), 0);
    assert_int_equal(draw(&s, &c, &page, &err), 0);
    assert_string_equal(told, "");
    check_apart(&s, "the size that does");
    svg_release(&s);
    chart_release(&c);
}

/* A legend that was asked for where it has no room stands elsewhere, and that is told; where it has, nothing is. */
static void legend_elsewhere_is_told(void **state)
{
    static const struct {
        int place;
        double width, height;
        const char *told;
    } row[] = {
        { LEGEND_RIGHT, 160, 0, "" },
        { LEGEND_RIGHT, 60, 0, "--legend right has no room: names stand below the data." },
        { LEGEND_INSIDE, 160, 0, "" },
        { LEGEND_INSIDE, 60, 40, "--legend inside has no room: names stand below the data." },
        { LEGEND_DIRECT, 84, 0, "" },
        { LEGEND_BELOW, 60, 0, "" },
    };

    (void)state;
    EACH_ROW(i, row) {
        char told[PAGE_TOLD] = "";
        const struct page page = { .width_mm = row[i].width, .height_mm = row[i].height, .legend = row[i].place,
                                   .told = told };
        struct err err = { ERR_NONE, "" };
        struct chart c;
        struct svg s;

        some_chart(&c, chart_find("line", NULL));
        assert_int_equal(draw(&s, &c, &page, &err), 0);
        assert_string_equal(told, row[i].told);
        for (size_t g = 0; g < s.ngroup; g++)           /* the data have their share of the width */
            if (strcmp(s.group[g].name, "panel") == 0)
                assert_true(s.group[g].at.w > 0.4 * s.width);
        svg_release(&s);
        chart_release(&c);
    }
}

/* Names that are there and those said to be left out are all; those of the front are there first. */
static void names_are_counted(void **state)
{
    enum { POINTS = 60 };
    static const char *const kind[] = { "scatter", "pareto", "line" };

    (void)state;
    EACH_ROW(k, kind)
        for (int width = 60; width <= 160; width += 50) {
            const struct page page = { .width_mm = width };
            struct err err = { ERR_NONE, "" };
            size_t there = 0, left_out = 0;
            struct chart c;
            struct svg s;

            chart_init(&c, kind[k]);
            for (int i = 0; i < POINTS; i++) {
                char word[20];

                snprintf(word, sizeof word, "point%d", i);
                datum(&c, "", (struct datum){ .x = i % 8, .y = 1 + i / 8 + 0.1 * (i % 3), .z = NAN, .lo = NAN,
                      .hi = NAN, .label = chart_word(&c, word) });
            }
            assert_int_equal(draw(&s, &c, &page, &err), 0);
            for (size_t i = 0; i < s.nitem; i++) {
                const char *text = s.item[i].text;

                there += text && strncmp(text, "point", 5) == 0;
                if (text && strstr(text, "left out: no room."))
                    left_out = strtoul(text, NULL, 10);
            }
            assert_true(width > 60 || left_out > 0);
            assert_int_equal(there + left_out, POINTS);
            svg_release(&s);
            chart_release(&c);
        }
}

/* A ring of n nodes: cells are square, and along each side some nodes are named, each by a name that there is. */
static void matrices_are_square(void **state)
{
    (void)state;
    for (int n = 20; n <= 2000; n *= 10)
        for (int width = 60; width <= 160; width += 25) {
            const struct page page = { .width_mm = width };
            struct err err = { ERR_NONE, "" };
            size_t panels = 0, named = 0;
            struct chart c;
            struct svg s;

            chart_init(&c, "matrix");
            for (int i = 0; i < n; i++)
                datum(&c, "", (struct datum){ .x = i, .y = (i + 1) % n, .z = NAN, .lo = NAN, .hi = NAN });
            assert_int_equal(draw(&s, &c, &page, &err), 0);
            for (size_t g = 0; g < s.ngroup; g++)
                if (strcmp(s.group[g].name, "panel") == 0) {
                    check_near(s.group[g].at.w / s.group[g].at.h, 1, 0.01);
                    assert_true(s.group[g].at.w > 0.55 * s.width);
                    panels++;
                }
            for (size_t i = 0; i < s.nitem; i++) {
                char *end = NULL;
                const double v = s.item[i].text ? strtod(s.item[i].text, &end) : -1;

                named += end && end > s.item[i].text && !*end && v == floor(v) && v >= 0 && v < n;
            }
            assert_int_equal(panels, 1);
            assert_true(named >= 12);
            svg_release(&s);
            chart_release(&c);
        }
}

/* ---- legends ----------------------------------------------------------------------------------------- */

/* Lines that come together at their right ends, or the shares up to each value, which all end at 1. */
static void converging(struct chart *c, bool shares, struct rng *rng)
{
    static const char *const name[] = { "static", "sga:1", "sga:2", "dga:1", "dga:2", "random", "valiant", "dor",
                                        "metapath:best:3", "recursive-doubling", "ugal", "rabenseifner" };
    const size_t lines = 2 + rng_below(rng, 7), shift = rng_below(rng, 12), points = 3 + rng_below(rng, 20);
    const double end = pow(10, (double)rng_below(rng, 5) - 1), near = 0.1 * check_uniform(rng);

    chart_init(c, shares ? "cumulative" : "line");
    assert_int_equal(chart_axis(&c->x, shares ? "Latency" : "Nodes", shares ? "cycles" : NULL), 0);
    assert_int_equal(chart_axis(&c->y, "Mean length", "hops"), 0);
    for (size_t s = 0; s < lines; s++) {
        const double from = end * check_uniform(rng), to = end * (1 + near * check_uniform(rng));

        for (size_t i = 1; i <= points; i++) {
            const double t = (double)i / (double)points, y = from + (to - from) * t;
            const double x = shares ? y * (0.5 + check_uniform(rng)) : (double)i;

            datum(c, name[(s + shift) % 12], (struct datum){ .x = x, .y = shares ? 1 : y, .z = NAN, .lo = NAN,
                  .hi = NAN });
        }
    }
}

/* The smallest letters of an SVG, in points; checks that every series is named. */
static double smallest_letters(const struct sink *s, const struct chart *c)
{
    double least = INFINITY;

    for (const char *at = (char *)s->bytes; (at = strstr(at, "font-size=\"")) != NULL; at++)
        least = fmin(least, atof(at + strlen("font-size=\"")));
    for (size_t i = 0; i < c->nseries; i++) {
        char text[40];

        snprintf(text, sizeof text, ">%s</text>", c->series[i].name);
        if (!strstr((char *)s->bytes, text))
            fail_msg("nothing says '%s'", c->series[i].name);
    }
    return least;
}

/* No legend is a reason to refuse a figure, or to make its letters smaller than can be read. */
static void never_refused_for_a_legend(void **state)
{
    static const double width[] = { 60, 84, 88.9, 127 };
    struct rng rng;

    (void)state;
    rng_seed(&rng, check_seed());
    for (int i = 0; i < 200; i++) {
        struct chart c;

        converging(&c, i % 2, &rng);
        EACH_ROW(k, width) {
            const struct page page = { .width_mm = width[k] };
            struct err err = { ERR_NONE, "" };
            struct sink sink;

            if (chart_draw(&sink, &c, &page, plot_find("svg", &err), &err) < 0)
                fail_msg("chart %d of %g mm: %s", i, width[k], err.msg);
            sink_put(&sink, "", 1);
            if (smallest_letters(&sink, &c) < (width[k] < 84 ? 5 : 6))
                fail_msg("chart %d of %g mm: letters of %g points", i, width[k], smallest_letters(&sink, &c));
            free(sink.bytes);
        }
        chart_release(&c);
    }
}

int main(void)
{
    const struct CMUnitTest test[] = { cmocka_unit_test(letters_have_room),
        cmocka_unit_test(refused_with_a_size_that_does), cmocka_unit_test(legend_elsewhere_is_told),
                                       cmocka_unit_test(names_are_counted),
        cmocka_unit_test(matrices_are_square), cmocka_unit_test(never_refused_for_a_legend) };

    return cmocka_run_group_tests_name("room on the page", test, NULL, NULL);
}
