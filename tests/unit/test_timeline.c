/* Timelines: lanes and intervals of tables, and where on the page arrows, bars and waits stand, by a device that keeps
 * what is drawn. */
#include <pango/pango.h>
#include <string.h>

#include "graph/base/csv.h"
#include "graph/numeric/rng.h"
#include "render/chart/from_table.h"
#include "render/page/canvas.h"
#include "render/table/from_csv.h"
#include "tests/support/boxes.h"
#include "tests/support/check.h"

/* ---- a device that keeps paths and words --------------------------------------------------------------- */

#define MOST 4000
struct quad {
    double x[4], y[4];
};
struct kept {
    struct rect panel[8];       /* what the data are clipped to */
    size_t npanel, nhead, nbox, nline, nword;
    struct quad head[MOST], box[MOST], line[MOST];      /* filled triangles; white quadrangles with a rim; segments */
    char word[400][24];
};

static void keep(struct quad *to, const double *at, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        to->x[i] = at[2 * i];
        to->y[i] = at[2 * i + 1];
    }
}

/* Each of its closed outlines, or segments. */
static void keep_path(struct canvas *c, const struct path *p, const struct rgb *fill, double opacity,
                      const struct pen *pen)
{
    struct kept *k = c->own;
    const double *at = p->at;

    (void)opacity;
    for (size_t i = 0, n = 0; k->npanel && i < p->nop; i++) {
        if (p->op[i] == PATH_MOVE)
            n = 0;
        if (p->op[i] == PATH_CIRCLE)
            at += 4;
        else if (p->op[i] != PATH_CLOSE)
            at += 2, n++;
        if (p->op[i] == PATH_CLOSE && n == 3 && fill && !pen && k->nhead < MOST)
            keep(&k->head[k->nhead++], at - 6, 3);
        if (p->op[i] == PATH_CLOSE && n == 4 && fill && fill->r == 1 && pen && k->nbox < MOST)
            keep(&k->box[k->nbox++], at - 8, 4);
        if (p->op[i] == PATH_LINE && n == 2 && !fill && pen->colour.r != pen->colour.b && k->nline < MOST)
            keep(&k->line[k->nline++], at - 4, 2);
    }
}

static void keep_text(struct canvas *c, double ox, double oy, double angle, double x, double y, const struct rgb *ink,
                      double halo)
{
    struct kept *k = c->own;

    (void)ox, (void)oy, (void)angle, (void)x, (void)y, (void)ink, (void)halo;
    if (k->nword < COUNT(k->word))
        snprintf(k->word[k->nword++], sizeof *k->word, "%s", pango_layout_get_text(c->layout));
}

static void keep_panel(struct canvas *c, const struct rect *r)
{
    struct kept *k = c->own;

    if (k->npanel < COUNT(k->panel))
        k->panel[k->npanel++] = *r;
}

static void unclip(struct canvas *c)
{
    (void)c;
}

static void draw(struct kept *k, const struct chart *c, double width, double height)
{
    static const struct device device = { .path = keep_path, .text = keep_text, .clip = keep_panel, .unclip = unclip };
    const struct page page = { .width_mm = width, .height_mm = height };
    struct canvas canvas;
    struct err err = { 0 };

    *k = (struct kept){ 0 };
    assert_int_equal(canvas_open(&canvas, &page, &err), 0);
    canvas.device = &device;
    canvas.own = k;
    if (chart_find(c->kind, NULL)->draw(&canvas, c, &err) < 0)
        fail_msg("%s", err.msg);
    boxes_check("timeline", &canvas);
    canvas_close(&canvas);
}

static bool says(const struct kept *k, const char *word)
{
    for (size_t i = 0; i < k->nword; i++)
        if (strcmp(k->word[i], word) == 0)
            return true;
    return false;
}

/* ---- where things stand ------------------------------------------------------------------------------ */

/* Time from 0 to 100, as the range says, fills the panel; lanes share its height, of which five points to each side are
 * for marks on the edge. */
static double x_of(const struct rect *panel, double time)
{
    return panel->x + panel->w * time / 100;
}

static double y_of(const struct rect *panel, double lane, double lanes)
{
    return panel->y + 5 + (panel->h - 10) * (lane + 0.5) / lanes;
}

static bool is_near(double x, double y, double to_x, double to_y)
{
    return hypot(x - to_x, y - to_y) < 1e-6;
}

static void message(struct chart *c, double from, double start, double to, double end, double wait)
{
    const int s = chart_series(c, "", 0);

    assert_int_equal(chart_datum(c, s, (struct datum){ .x = start, .y = from, .z = wait, .lo = NAN, .hi = NAN }), 0);
    assert_int_equal(chart_datum(c, s, (struct datum){ .x = end, .y = to, .z = NAN, .lo = NAN, .hi = NAN }), 0);
}

/* Random messages between lanes numbered by threes: each has a head that ends where it arrives, comes from where it
 * leaves, and what it waited is a box of that length along it. */
static void arrows_go_where_data_say(void **state)
{
    struct kept *k = malloc(sizeof *k);
    struct rng rng;

    (void)state;
    assert_non_null(k);
    rng_seed(&rng, check_seed());
    for (int round = 0; round < 40; round++) {
        const uint32_t lanes = 2 + (uint32_t)rng_below(&rng, 63), n = 1 + (uint32_t)rng_below(&rng, 60);
        double from[60], to[60], start[60], end[60], wait[60];
        size_t waits = 0;
        struct chart c;

        chart_init(&c, "timeline");
        c.x.from = 0;
        c.x.to = 100;
        for (uint32_t i = 0; i < lanes; i++)            /* an event on each, so that all have their places */
            message(&c, 3.0 * i, 50, 3.0 * i, 50, NAN);
        for (uint32_t i = 0; i < n; i++) {
            from[i] = (double)rng_below(&rng, lanes);
            to[i] = fmod(from[i] + 1 + (double)rng_below(&rng, lanes - 1), lanes);
            start[i] = 90 * check_uniform(&rng);
            end[i] = start[i] + 1 + (99 - start[i]) * check_uniform(&rng);
            wait[i] = rng_below(&rng, 2) ? (end[i] - start[i]) * check_uniform(&rng) : rng_below(&rng, 2) ? 0 : NAN;
            message(&c, 3 * from[i], start[i], 3 * to[i], end[i], wait[i]);
        }
        draw(k, &c, 85 + 80 * check_uniform(&rng), 60 + 100 * check_uniform(&rng));
        assert_int_equal(k->npanel, 1);
        for (uint32_t i = 0; i < n; i++) {
            const struct rect *p = &k->panel[0];
            const double x0 = x_of(p, start[i]), y0 = y_of(p, from[i], lanes), x1 = x_of(p, end[i]),
                         y1 = y_of(p, to[i], lanes), part = wait[i] > 0 ? wait[i] / (end[i] - start[i]) : 0;
            const double gx = x0 + part * (x1 - x0), gy = y0 + part * (y1 - y0);
            const struct quad *h = k->head, *b = k->box, *l = k->line;
            size_t j;

            while (h < k->head + k->nhead && !is_near(h->x[0], h->y[0], x1, y1))
                h++;
            assert_true(h < k->head + k->nhead);
            /* the middle of the head's foot lies on the way from its sender */
            check_near((h->x[1] + h->x[2] - 2 * x1) * (y1 - y0), (h->y[1] + h->y[2] - 2 * y1) * (x1 - x0), 1e-4);
            for (j = 0; j < k->nline && !is_near(l[j].x[0], l[j].y[0], gx, gy); j++) { }
            assert_true(j < k->nline);
            for (j = 0; part > 0 && j < k->nbox; j++)
                if (is_near((b[j].x[0] + b[j].x[3]) / 2, (b[j].y[0] + b[j].y[3]) / 2, x0, y0) &&
                    is_near((b[j].x[1] + b[j].x[2]) / 2, (b[j].y[1] + b[j].y[2]) / 2, gx, gy))
                    break;
            assert_true(part == 0 || j < k->nbox);
            waits += part > 0;
        }
        assert_int_equal(k->nhead, n);
        assert_int_equal(k->nbox, waits);
        assert_int_equal(says(k, "waiting"), waits > 0);
        chart_release(&c);
    }
    free(k);
}

/* All of it waits where more is said than it took; what is missing or infinite draws nothing. */
static void odd_intervals(void **state)
{
    struct kept *k = malloc(sizeof *k);
    struct chart c;

    (void)state;
    assert_non_null(k);
    chart_init(&c, "timeline");
    c.x.from = 0;
    c.x.to = 100;
    message(&c, 0, 10, 1, 30, 1e9);
    message(&c, 0, 20, 1, NAN, 0);
    message(&c, 0, 20, 1, INFINITY, 0);
    message(&c, NAN, 20, 1, 40, 0);
    message(&c, 0, 150, 1, 1e300, 0);           /* beyond the axis */
    message(&c, 1, 60, 0, 1e300, 0);            /* leaves it */
    draw(k, &c, 85, 60);
    assert_int_equal(k->nbox, 1);
    check_near((k->box[0].x[1] + k->box[0].x[2]) / 2, x_of(&k->panel[0], 30), 1e-6);
    assert_true(says(k, "Points not shown: 1 inf"));
    assert_int_equal(k->nhead, 2);
    for (size_t i = 0; i < k->nhead; i++)
        for (int corner = 0; corner < 3; corner++)
            assert_true(fabs(k->head[i].x[corner]) < 1000 && fabs(k->head[i].y[corner]) < 1000);
    chart_release(&c);
    free(k);
}

/* From few lanes to very many, at the widths of journals and the height that the kind asks for: every lane has its label
 * while there are few, then every second, fourth, fifth ...; no label lies on another (draw asks). */
static void lanes_are_labelled(void **state)
{
    const struct chart_kind *kind = chart_find("timeline", NULL);
    static const struct {
        int lanes;
        double width;
        int every;
    } rows[] = { { 1, 85, 1 }, { 4, 85, 1 }, { 8, 85, 1 }, { 12, 85, 1 }, { 16, 160, 1 }, { 64, 85, 4 },
                 { 64, 160, 2 }, { 200, 85, 8 }, { 1000, 160, 20 }, { 3000, 85, 128 } };
    struct kept *k = malloc(sizeof *k);
    double last = 0;

    (void)state;
    assert_non_null(k);
    EACH_ROW(i, rows) {
        struct chart c;
        double height;

        chart_init(&c, "timeline");
        for (int p = 0; p < rows[i].lanes; p++)
            message(&c, p / 2, p, p, p + 7, 1);
        height = kind->height(&c, rows[i].width);
        assert_true(height >= 0.4 * rows[i].width && height <= 1.35 * rows[i].width);
        assert_true(rows[i].width != 85 || height >= last);
        last = rows[i].width == 85 ? height : last;
        draw(k, &c, rows[i].width, height);
        for (int p = 0; p < rows[i].lanes; p++) {
            char word[24];

            snprintf(word, sizeof word, "%d", p);
            if (p % rows[i].every == 0)
                assert_true(says(k, word));
        }
        chart_release(&c);
    }
    free(k);
}

/* ---- from tables ------------------------------------------------------------------------------------- */

static void fill(struct chart *c, const char *text, const char *const *y, size_t ny, enum err_code wanted,
                 const char *tells)
{
    static const char *const facet[] = { "tree" };
    struct chart_columns columns = { .x = "started_cycles", .x_end = "delivered_cycles", .y = y, .ny = ny,
                                     .z = "wait_cycles", .facet = facet, .nfacet = 1 };
    struct column *column;
    struct table t;
    struct csv csv;
    struct err err = { 0 };

    assert_int_equal(csv_parse(&csv, text, strlen(text), "a.csv", &err), 0);
    assert_int_equal(table_from_csv(&t, &column, &csv, &err), 0);
    csv_release(&csv);
    chart_init(c, "timeline");
    if (chart_from_table(c, &t, &columns, &err) < 0 && wanted == ERR_NONE)
        fail_msg("%s", err.msg);
    assert_int_equal(err.code, wanted);
    if (wanted != ERR_NONE && !strstr(err.msg, tells))
        fail_msg("'%s' does not say '%s'", err.msg, tells);
    table_release(&t);
    free(column);
}

static const char *const lanes[] = { "from_process", "to_process", "tree" };
#define HEAD "tree,from_process,to_process,started_cycles,delivered_cycles,wait_cycles\n"

static void table_becomes_intervals(void **state)
{
    struct kept *k = malloc(sizeof *k);
    struct chart c;

    (void)state;
    assert_non_null(k);
    fill(&c, HEAD "binomial,0,10,5,17,\nchain,10,9,3,4,1\nbinomial,9,,1,2,0\nbinomial,0,9,,2,0\n", lanes, 2,
         ERR_NONE, "");
    assert_int_equal(c.npanel, 2);
    assert_int_equal(c.nseries, 2);
    assert_string_equal(c.x.title, "Time");
    assert_string_equal(c.x.unit, "cycles");
    assert_string_equal(c.y.title, "Process");
    assert_int_equal(c.series[0].n, 4);         /* in the order of the rows; the one without a start is not there */
    assert_true(c.series[0].at[0].x == 5 && c.series[0].at[1].x == 17 && isnan(c.series[0].at[0].z));
    assert_true(c.series[0].at[0].y == 0 && c.series[0].at[1].y == 10);
    assert_true(c.series[0].at[2].y == 9 && c.series[0].at[3].y == 9);          /* stays */
    assert_true(c.series[1].at[0].z == 1);
    draw(k, &c, 85, 80);
    assert_int_equal(k->npanel, 2);             /* below each other, of one width: time is read across both */
    assert_true(k->panel[0].x == k->panel[1].x && k->panel[0].w == k->panel[1].w && k->panel[0].y < k->panel[1].y);
    chart_release(&c);

    fill(&c, HEAD "a,root,left,0,1,\na,left,right,1,2,\na,root,12,1,2,\n", lanes, 2, ERR_NONE, "");
    assert_int_equal(c.y.ncategory, 4);         /* words, by first appearance in either column */
    assert_string_equal(c.y.category[1], "left");
    assert_string_equal(c.y.category[2], "right");
    assert_string_equal(c.y.category[3], "12");
    chart_release(&c);
    free(k);
}

static void what_is_no_interval_is_refused(void **state)
{
    struct chart c;

    (void)state;
    fill(&c, HEAD "a,0,1,soon,2,0\n", lanes, 2, ERR_FORMAT, "column 'started_cycles', has 'soon'");
    chart_release(&c);
    fill(&c, HEAD "a,0,1,1,later,0\n", lanes, 2, ERR_FORMAT, "column 'delivered_cycles', has 'later'");
    chart_release(&c);
    fill(&c, HEAD "a,0,1,1,2,some\n", lanes, 2, ERR_FORMAT, "column 'wait_cycles', has 'some'");
    chart_release(&c);
    fill(&c, HEAD "a,0,1,1,2,0\n", lanes, 3, ERR_USAGE, "--y FROM,TO");
    chart_release(&c);
    fill(&c, "tree,from_process,started_cycles\na,0,1\n", lanes, 1, ERR_USAGE, "delivered_cycles");
    chart_release(&c);
}

static int teardown(void **state)
{
    (void)state;
    figure_teardown();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrows_go_where_data_say), cmocka_unit_test(odd_intervals),
        cmocka_unit_test(lanes_are_labelled), cmocka_unit_test(table_becomes_intervals),
        cmocka_unit_test(what_is_no_interval_is_refused) };

    return cmocka_run_group_tests(tests, NULL, teardown);
}
