/* Surfaces: data that break charts, where texts stand, whether the projection and the order of painting are right. */
#include <string.h>

#include "graph/numeric/rng.h"
#include "render/page/canvas.h"
#include "render/chart/chart.h"
#include "render/map/relief.h"
#include "render/map/scene_relief.h"
#include "tests/support/check.h"
#include "tests/support/boxes.h"

static void add(struct chart *c, const char *series, double x, double y, double z)
{
    const struct datum d = { .x = x, .y = y, .z = z, .lo = NAN, .hi = NAN };

    assert_int_equal(chart_datum(c, chart_series(c, series, 0), d), 0);
}

static void seed(struct rng *rng)
{
    rng_seed(rng, check_seed());
}

/* ---- awkward data ------------------------------------------------------------------------------------ */

static void no_series(struct chart *c)
{
    (void)c;
}

static void no_points(struct chart *c)
{
    assert_int_equal(chart_series(c, "empty", 0), 0);
    assert_int_equal(chart_series(c, NULL, 0), 1);
}

static void one_point(struct chart *c)
{
    add(c, "", 3, 4, 5);
}

static void no_heights(struct chart *c)
{
    for (int s = 0; s < 3; s++)
        for (int i = 0; i < 5; i++)
            add(c, s ? s == 1 ? "a" : "b" : "", i, s, NAN);
}

static void all_equal(struct chart *c)
{
    for (int i = 0; i < 5; i++)
        add(c, "same", 7, 7, 7);
}

static void level_plane(struct chart *c)
{
    for (int i = 0; i < 25; i++)
        add(c, "", i % 5, i / 5, 0);
}

static void only_nan(struct chart *c)
{
    add(c, "a", NAN, 1, 1);
    add(c, "a", 1, NAN, 1);
    add(c, "a", 1, 1, NAN);
    add(c, "a", INFINITY, -INFINITY, 1);
}

static void with_gaps(struct chart *c)
{
    for (int i = 0; i < 72; i++)
        add(c, "a", i % 9, i / 9, i % 5 == 2 ? (double)NAN : i % 11 == 7 ? (double)INFINITY : i % 7);
}

static void negative_on_log(struct chart *c)
{
    c->x.scale = c->y.scale = c->z.scale = SCALE_LOG;
    for (int i = 0; i < 81; i++)
        add(c, "a", i % 9 - 2, i / 9 - 2, pow(i % 9 - 3, 3));
}

static void nothing_on_log(struct chart *c)
{
    c->z.scale = SCALE_LOG;
    add(c, "a", 1, 1, -1);
}

static void extremes(struct chart *c)
{
    static const double v[] = { -1.7e308, -1e300, -1, 4.9e-324, 1e-300, 1, 1e300, 1.7e308 };

    for (size_t i = 0; i < COUNT(v); i++)
        for (size_t j = 0; j < COUNT(v); j++)
            add(c, "a", v[i], v[j], v[(3 * i + j) % COUNT(v)]);
    add(c, "a", 1, 1, 1.7e308);
    add(c, "a", 1, 1, 1.7e308);
}

static void decades(struct chart *c)
{
    c->x.scale = c->z.scale = SCALE_LOG;
    for (int i = 0; i < 36; i++)
        add(c, "a", pow(10, 100 * (i % 6) - 250), i / 6 * 1e-300, pow(10, (i * 7 % 36) * 16.0 - 290));
}

static void narrow_ranges(struct chart *c)
{
    c->x.from = 2.5;
    c->x.to = 6.25;
    c->y.from = -3;
    c->y.to = 100;
    c->z.from = 0.25;
    c->z.to = 0.5;
    for (int i = 0; i < 100; i++)
        add(c, "a", i % 10, i / 10, i == 37 ? 1.7e308 : sin(i % 10) * cos(i / 10));
}

static void one_row(struct chart *c)
{
    for (int i = 0; i < 10; i++)
        add(c, "a", i, 3, i * i);
}

static void one_column(struct chart *c)
{
    for (int i = 0; i < 1000; i++)
        add(c, "a", -1, i, i % 17);
}

static void scattered(struct chart *c)
{
    for (int i = 0; i < 20000; i++)
        add(c, "a", sin(i * 1.1), cos(i * 2.3), i % 91);
}

static void fine(struct chart *c)
{
    for (int i = 0; i < 256 * 256; i++)
        add(c, "", i % 256, i / 256, sin(hypot(i % 256 - 99, i / 256 - 128) / 8));
}

static void long_words(struct chart *c)
{
    char word[201];

    memset(word, 'w', 200);
    word[200] = '\0';
    c->title = strdup(word);
    assert_int_equal(chart_axis(&c->x, word, word), 0);
    assert_int_equal(chart_axis(&c->y, word, word), 0);
    assert_int_equal(chart_axis(&c->z, word, word), 0);
    for (int i = 0; i < 12; i++) {
        word[0] = (char)('a' + i);
        for (int j = 0; j < 3; j++)
            add(c, "", chart_category(&c->x, word), j, i * j);
    }
}

static void strange_words(struct chart *c)
{
    static const char *const word[] = { "تווית ארוכה מאוד שאין לה מקום", "",
                                        "e\xcc\x81\xf0\x9f\x98\x80", "\xff\n\x1b[1m" };

    c->title = strdup("<b>&amp; שלום \xff\n\x1b[1m");
    assert_int_equal(chart_axis(&c->x, "العربية & <i>", "</span>"), 0);
    assert_int_equal(chart_axis(&c->y, "", "\xc3"), 0);
    assert_int_equal(chart_axis(&c->z, "\xe4\xb8\xad\xe6\x96\x87", ""), 0);
    for (size_t i = 0; i < 16; i++)
        add(c, "<\"surface12\">", chart_category(&c->x, word[i % 4]), chart_category(&c->y, word[i / 4]),
            (double)(i * i % 7));
    add(c, "<\"surface12\">", 99, 1, 1);
    add(c, "<\"surface12\">", 0.5, -1, 1);
}

static const struct data {
    const char *name;
    void (*fill)(struct chart *c);
} awkward[] = {
    { "no series", no_series }, { "no points", no_points }, { "one point", one_point }, { "no heights", no_heights },
    { "all equal", all_equal }, { "a level plane at 0", level_plane }, { "only NaN and infinities", only_nan },
    { "gaps", with_gaps }, { "negative on logarithmic axes", negative_on_log },
    { "nothing on a logarithmic axis", nothing_on_log }, { "extremes", extremes }, { "decades", decades },
    { "narrow ranges", narrow_ranges }, { "one row", one_row }, { "one column", one_column },
    { "20000 points on no grid", scattered }, { "256 x 256 points", fine },
    { "labels of 200 characters", long_words }, { "markup, other scripts, bad bytes", strange_words },
};

static void drawn(struct sink *s, const struct chart *c, const struct plot_format *f)
{
    struct err err = { ERR_NONE, "" };

    if (chart_draw(s, c, NULL, f, &err) < 0)
        fail_msg("%s", err.msg);
    assert_true(s->n > 500);
}

static void awkward_surface(void **state)
{
    const struct data *d = *state;

    for (size_t f = 0; plot_all[f]; f++) {
        struct sink once, again;
        struct chart c;

        chart_init(&c, "surface");
        d->fill(&c);
        drawn(&once, &c, plot_all[f]);
        drawn(&again, &c, plot_all[f]);
        assert_int_equal(once.n, again.n);
        assert_memory_equal(once.bytes, again.bytes, once.n);
        if (strcmp(plot_all[f]->name, "svg") == 0) {
            assert_null(memmem(once.bytes, once.n, "nan", 3));
            assert_null(memmem(once.bytes, once.n, "\"inf", 4));
        }
        free(once.bytes);
        free(again.bytes);
        chart_release(&c);
    }
}

static void refuses_two_surfaces(void **state)
{
    struct err err = { ERR_NONE, "" };
    struct chart c;
    struct sink s;

    (void)state;
    chart_init(&c, "surface");
    for (int i = 0; i < 200; i++) {
        char name[20];

        snprintf(name, sizeof name, "series %d", i);
        add(&c, name, i, i, i);
    }
    assert_int_equal(chart_draw(&s, &c, NULL, plot_all[0], &err), -1);
    assert_int_equal(err.code, ERR_USAGE);
    assert_non_null(strstr(err.msg, "--facet"));
    chart_release(&c);
}

/* ---- what is drawn ----------------------------------------------------------------------------------- */

/* A device that keeps what is drawn within one group. */
struct recorder {
    const char *group;
    bool on;
    double *at;                 /* x, y of all points there */
    size_t n, room;
};

static void record_path(struct canvas *c, const struct path *p, const struct rgb *fill, double opacity,
                        const struct pen *pen)
{
    struct recorder *r = c->own;

    (void)fill, (void)opacity, (void)pen;
    if (!r->on)
        return;
    for (size_t i = 0, k = 0; i < p->nop; i++) {
        if (r->n + 2 > r->room) {
            r->room = 2 * r->room + 64;
            r->at = realloc(r->at, r->room * sizeof *r->at);
            assert_non_null(r->at);
        }
        if (p->op[i] == PATH_CLOSE)
            continue;
        r->at[r->n++] = p->at[k];
        r->at[r->n++] = p->at[k + 1];
        k += p->op[i] == PATH_CIRCLE ? 4 : 2;
    }
}

static void record_text(struct canvas *c, double ox, double oy, double angle, double x, double y, const struct rgb *ink,
                        double halo)
{
    (void)c, (void)ox, (void)oy, (void)angle, (void)x, (void)y, (void)ink, (void)halo;
}

static void record_image(struct canvas *c, const struct rect *r, int w, int h, const uint32_t *pixel)
{
    (void)c, (void)r, (void)w, (void)h, (void)pixel;
}

static void record_clip(struct canvas *c, const struct rect *r)
{
    (void)c, (void)r;
}

static void record_unclip(struct canvas *c)
{
    (void)c;
}

static void record_begin(struct canvas *c, const char *name, const char *tip, const struct rect *at)
{
    struct recorder *r = c->own;

    (void)tip, (void)at;
    r->on = strcmp(name, r->group) == 0;
}

static void record_end(struct canvas *c)
{
    ((struct recorder *)c->own)->on = false;
}

static const struct device recording = { .path = record_path, .text = record_text, .image = record_image,
                                         .clip = record_clip, .unclip = record_unclip, .begin = record_begin,
                                         .end = record_end };

static double turn(const double *a, const double *b, const double *c)
{
    return (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0]);
}

static void any_scene(struct scene *s, struct rng *rng)
{
    const struct rect room = { 100 * check_uniform(rng), 100 * check_uniform(rng), 20 + 500 * check_uniform(rng),
                               20 + 500 * check_uniform(rng) };

    *s = (struct scene){ 0 };
    scene_look(s, (int)rng_below(rng, SCENE_VIEWS));
    scene_fit(s, &room);
}

/* Contour lines lie within the floor's outline, whatever of the grid lies beyond it. */
static void contours_on_floor(void **state)
{
    struct rng rng;

    (void)state;
    seed(&rng);
    for (int n = 0; n < 100; n++) {
        const struct level level[] = { { .at = 0.2 }, { .at = 0.5 }, { .at = 0.8 } };
        const double part = n % 2 ? 1 : 1.4;
        struct relief_point point[400];
        struct err err = { ERR_NONE, "" };
        struct recorder got = { .group = "", .on = true };
        struct spot corner[4];
        double page[4][2];
        struct scene_relief d;
        struct canvas canvas;
        struct relief r;
        struct scene s;

        any_scene(&s, &rng);
        for (int i = 0; i < 400; i++)
            point[i] = (struct relief_point){ (i % 20 / 19.0 - 0.5) * part + 0.5, (i / 20 / 19.0 - 0.5) * part + 0.5,
                                              rng_below(&rng, 30) ? check_uniform(&rng) : (double)NAN };
        assert_int_equal(canvas_open(&canvas, NULL, &err), 0);
        canvas.device = &recording;
        canvas.own = &got;
        assert_int_equal(relief_of(&r, point, 400, &err), 0);
        assert_int_equal(scene_relief_begin(&d, &canvas, &s, &r, &err), 0);
        assert_int_equal(scene_relief_contours(&d, &r, level, COUNT(level), &err), 0);
        scene_corners(&s, corner);
        for (int i = 0; i < 4; i++) {
            page[i][0] = scene_at(&s, corner[i]).x;
            page[i][1] = scene_at(&s, corner[i]).y;
        }
        assert_true(page[0][0] < page[1][0] && page[1][0] < page[2][0] && page[1][1] > page[3][1]);
        assert_true(got.n > 100);
        for (size_t i = 0; i < got.n; i += 2)
            for (int k = 0; k < 4; k++)         /* left, nearest, right, farthest: against the clock */
                assert_true(turn(page[k], page[(k + 1) % 4], &got.at[i]) < 1e-6 * s.size * s.size);
        scene_relief_release(&d);
        relief_release(&r);
        canvas_close(&canvas);
        free(got.at);
    }
}

/* ---- where texts stand ------------------------------------------------------------------------------- */

static void any_words(char out[60], struct rng *rng)
{
    size_t n = 1 + rng_below(rng, 1 + rng_below(rng, 58));

    for (size_t i = 0; i < n; i++)
        out[i] = "abcdefgh ijklmWWW0123456789"[rng_below(rng, 27)];
    out[n] = '\0';
}

static void any_axis(struct axis *a, struct rng *rng, bool words, size_t n)
{
    char text[60];

    any_words(text, rng);
    chart_axis(a, rng_below(rng, 5) ? text : NULL, rng_below(rng, 2) ? "hops" : NULL);
    for (size_t i = 0; words && i < n; i++) {
        any_words(text, rng);
        chart_category(a, text);
    }
    a->scale = (enum axis_scale)rng_below(rng, 3);
}

static void any_chart(struct chart *c, struct page *page, struct rng *rng)
{
    const size_t panels = rng_below(rng, 3) ? 1 : 1 + rng_below(rng, 6);
    const size_t nx = 1 + rng_below(rng, 12), ny = 1 + rng_below(rng, 12);
    const bool xwords = rng_below(rng, 3) == 0, ywords = rng_below(rng, 3) == 0;
    const double large = pow(10, (double)rng_below(rng, 16) - 5), wide = (double)rng_below(rng, 8);
    char text[60];

    chart_init(c, "surface");
    *page = (struct page){ .width_mm = 70 + 200 * check_uniform(rng), .height_mm = 70 + 200 * check_uniform(rng) };
    any_axis(&c->x, rng, xwords, nx);
    any_axis(&c->y, rng, ywords, ny);
    any_axis(&c->z, rng, false, 0);
    any_words(text, rng);
    if (rng_below(rng, 2))
        c->title = strdup(text);
    for (size_t p = 0; p < panels; p++) {
        any_words(text, rng);
        if (panels > 1)
            chart_panel(c, text);
        for (size_t i = 0; i < nx * ny; i++) {
            struct datum d = { .x = (double)(i % nx) * (xwords ? 1 : large),
                               .y = (double)(i / nx) / (ywords ? 1 : large), .lo = NAN, .hi = NAN };

            d.z = large * pow(10, wide * check_uniform(rng)) * (rng_below(rng, 9) ? 1 : -1);
            chart_datum(c, chart_series(c, "", c->npanel ? c->npanel - 1 : 0), d);
        }
    }
}

static void any_page(void **state)
{
    size_t refused = 0;
    struct rng rng;

    (void)state;
    seed(&rng);
    for (int i = 0; i < 300; i++) {
        struct err err = { ERR_NONE, "" };
        struct canvas canvas;
        struct page page;
        struct chart c;

        any_chart(&c, &page, &rng);
        assert_int_equal(canvas_open(&canvas, &page, &err), 0);
        if (chart_find("surface", NULL)->draw(&canvas, &c, &err) < 0) {
            if (err.code != ERR_DOMAIN)
                fail_msg("%s", err.msg);
            assert_true(c.npanel > 1);
            refused++;
        }
        boxes_check("surface", &canvas);
        canvas_close(&canvas);
        chart_release(&c);
    }
    assert_true(refused < 30);
}

/* On a page of usual size nothing is left out: all of these are there. */
static void all_texts_are_there(void **state)
{
    struct err err = { ERR_NONE, "" };
    struct canvas canvas;
    struct chart c;

    (void)state;
    chart_init(&c, "surface");
    c.title = strdup("Latency");
    chart_axis(&c.x, "Column", NULL);
    chart_axis(&c.y, "Row", NULL);
    chart_axis(&c.z, "Mean latency", "µs");
    for (int i = 0; i < 25; i++)
        add(&c, "", i % 5, i / 5, 0);           /* level: no contour lines, 0..1 upwards */
    c.z.from = 0;
    c.z.to = 1;
    c.z.scale = SCALE_LINEAR;
    assert_int_equal(canvas_open(&canvas, NULL, &err), 0);
    assert_int_equal(chart_find("surface", NULL)->draw(&canvas, &c, &err), 0);
    boxes_check("surface", &canvas);
    assert_true(canvas.nbox >= 1 + 3 + 5 + 5 + 3);      /* title, names, 0..4 along both, upwards */
    canvas_close(&canvas);
    chart_release(&c);
}

/* ---- projection -------------------------------------------------------------------------------------- */

static struct spot any_spot(struct rng *rng)
{
    return (struct spot){ { check_uniform(rng), check_uniform(rng), check_uniform(rng) } };
}

static void near(double a, double b)
{
    assert_true(fabs(a - b) < 1e-6);
}

/* Grows towards the eye. */
static double scene_near(const struct scene *s, struct spot p)
{
    return (s->eye[0] * p.at[0] + s->eye[1] * p.at[1]) * s->flat + s->high * p.at[2] * s->rise;
}

/* Midpoints stay midpoints, parallels parallel and of one length; and the box fills its room one way, and is within it
 * the other. */
static void projection_is_affine(void **state)
{
    struct rng rng;

    (void)state;
    seed(&rng);
    for (int n = 0; n < 1000; n++) {
        const struct rect room = { 10, 20, 20 + 500 * check_uniform(&rng), 20 + 500 * check_uniform(&rng) };
        struct spot a = any_spot(&rng), b = any_spot(&rng), by = any_spot(&rng), m, a2, b2;
        struct rect bounds;
        struct scene s;
        struct xy p, q;

        any_scene(&s, &rng);
        for (int k = 0; k < 3; k++) {
            m.at[k] = (a.at[k] + b.at[k]) / 2;
            a2.at[k] = a.at[k] + by.at[k];
            b2.at[k] = b.at[k] + by.at[k];
        }
        p = scene_at(&s, a);
        q = scene_at(&s, b);
        near(scene_at(&s, m).x, (p.x + q.x) / 2);
        near(scene_at(&s, m).y, (p.y + q.y) / 2);
        near(scene_at(&s, b2).x - scene_at(&s, a2).x, q.x - p.x);
        near(scene_at(&s, b2).y - scene_at(&s, a2).y, q.y - p.y);
        near(scene_near(&s, m), (scene_near(&s, a) + scene_near(&s, b)) / 2);
        scene_fit(&s, &room);
        bounds = scene_bounds(&s);
        assert_true(bounds.x > room.x - 1e-6 && bounds.x + bounds.w < room.x + room.w + 1e-6);
        assert_true(bounds.y > room.y - 1e-6 && bounds.y + bounds.h < room.y + room.h + 1e-6);
        assert_true(fabs(bounds.w - room.w) < 1e-3 || fabs(bounds.h - room.h) < 1e-3);
        p = scene_at(&s, a);
        assert_true(p.x >= bounds.x && p.x <= bounds.x + bounds.w && p.y >= bounds.y && p.y <= bounds.y + bounds.h);
    }
}

static void projection_is_orthographic(void **state)
{
    struct rng rng;

    (void)state;
    seed(&rng);
    for (int n = 0; n < 100; n++) {
        struct scene s;
        struct spot o = { { 0, 0, 0 } }, u = { { 1, 0, 0 } }, v = { { 0, 1, 0 } }, w = { { 0, 0, 1 } };
        struct xy p[4];
        double xx, yy, xy;

        any_scene(&s, &rng);
        p[0] = scene_at(&s, o);
        p[1] = scene_at(&s, u);
        p[2] = scene_at(&s, v);
        p[3] = scene_at(&s, w);
        /* Gauss: the rows of the projection of three equal perpendicular edges are perpendicular and of one length. */
        xx = pow(p[1].x - p[0].x, 2) + pow(p[2].x - p[0].x, 2) + pow((p[3].x - p[0].x) / s.high, 2);
        yy = pow(p[1].y - p[0].y, 2) + pow(p[2].y - p[0].y, 2) + pow((p[3].y - p[0].y) / s.high, 2);
        xy = (p[1].x - p[0].x) * (p[1].y - p[0].y) + (p[2].x - p[0].x) * (p[2].y - p[0].y) +
             (p[3].x - p[0].x) * (p[3].y - p[0].y) / s.high / s.high;
        assert_true(fabs(xx - yy) < 1e-6 * xx && fabs(xy) < 1e-6 * xx);
        assert_true(p[3].x == p[0].x && p[3].y < p[0].y);
    }
}

/* Where the triangle is met by the line of sight through a point of the page: how near to the eye; NaN: it is not. */
static double met(const struct scene *s, const struct spot t[3], double x, double y)
{
    const double p[2] = { x, y };
    double page[3][2], area, weight[3], depth = 0;

    for (int i = 0; i < 3; i++) {
        struct xy at = scene_at(s, t[i]);

        page[i][0] = at.x;
        page[i][1] = at.y;
    }
    area = turn(page[0], page[1], page[2]);
    if (fabs(area) < 1e-6)
        return NAN;
    for (int i = 0; i < 3; i++) {
        weight[i] = turn(page[(i + 1) % 3], page[(i + 2) % 3], p) / area;
        if (weight[i] < 1e-6)
            return NAN;
        depth += weight[i] * scene_near(s, t[i]);
    }
    return depth;
}

/* Of any two faces that lie on each other on the page, the one painted later is the nearer one. */
static void painted_back_to_front(void **state)
{
    enum { N = 6 };
    size_t pairs = 0;
    struct rng rng;

    (void)state;
    seed(&rng);
    for (int n = 0; n < 40; n++) {
        struct spot face[2 * N * N][3];
        size_t nface = 0;
        double w[N + 1][N + 1];
        struct scene s;

        any_scene(&s, &rng);
        for (int i = 0; i <= N; i++)
            for (int j = 0; j <= N; j++)
                w[i][j] = check_uniform(&rng);
        for (size_t b = 0; b <= N; b++)
            for (size_t a = 0; a <= N; a++) {
                size_t i = scene_order(&s, 0, a, N + 1), j = scene_order(&s, 1, b, N + 1);
                size_t k = i + (s.eye[0] > 0 ? (size_t)-1 : 1), l = j + (s.eye[1] > 0 ? (size_t)-1 : 1);
                struct spot c[4];

                if (k > N || l > N)
                    continue;
                c[0] = (struct spot){ { (double)i / N, (double)j / N, w[i][j] } };
                c[1] = (struct spot){ { (double)k / N, (double)j / N, w[k][j] } };
                c[2] = (struct spot){ { (double)k / N, (double)l / N, w[k][l] } };
                c[3] = (struct spot){ { (double)i / N, (double)l / N, w[i][l] } };
                for (int half = 0; half < 2; half++, nface++) {
                    face[nface][0] = c[1];
                    face[nface][1] = half ? c[0] : c[2];
                    face[nface][2] = c[3];
                }
            }
        for (int shot = 0; shot < 300; shot++) {
            struct rect r = scene_bounds(&s);
            double x = r.x + r.w * check_uniform(&rng), y = r.y + r.h * check_uniform(&rng), last = -INFINITY;

            for (size_t i = 0; i < nface; i++) {
                double depth = met(&s, face[i], x, y);

                if (isnan(depth))
                    continue;
                assert_true(depth > last - 1e-9);
                pairs += last > -INFINITY;
                last = depth;
            }
        }
    }
    assert_true(pairs > 1000);
}

static void clipping(void **state)
{
    struct rng rng;

    (void)state;
    seed(&rng);
    for (int n = 0; n < 2000; n++) {
        struct spot c[SCENE_CORNERS], from, to;
        size_t m;

        for (int i = 0; i < 4; i++)
            for (int k = 0; k < 3; k++)
                c[i].at[k] = (n & 1 ? 3 : 1e6) * (check_uniform(&rng) - 0.5) + 0.5;
        from = c[0];
        to = c[2];
        m = scene_clip(c, 4);
        for (size_t i = 0; i < m; i++)
            for (int k = 0; k < 3; k++)
                assert_true(c[i].at[k] > -1e-6 && c[i].at[k] < 1 + 1e-6);
        if (scene_clip_line(&from, &to))
            for (int k = 0; k < 3; k++)
                assert_true(fmin(from.at[k], to.at[k]) > -1e-6 && fmax(from.at[k], to.at[k]) < 1 + 1e-6);
    }
}

/* ---- heights ----------------------------------------------------------------------------------------- */

static void points_become_grid(void **state)
{
    static const struct relief_point point[] = {
        { 1, 0, 5 }, { 0, 0, 1 }, { 0.3, 0, 2 }, { 0.1 + 0.2, 1, 7 }, { 0, 1, NAN }, { 0, 0, 4 }, { 0, 0, 1 } };
    struct err err = { ERR_NONE, "" };
    struct relief r, t;

    (void)state;
    assert_int_equal(relief_of(&r, point, COUNT(point), &err), 0);
    assert_int_equal(r.nu, 3);                  /* 0.1 + 0.2 is 0.3 */
    assert_int_equal(r.nv, 2);
    assert_true(fabs(r.z[0] - 2) < 1e-12 && r.z[1] == 2 && r.z[2] == 5);
    assert_true(isnan(r.z[3]) && r.z[4] == 7 && isnan(r.z[5]));
    assert_int_equal(r.shared, 2);
    assert_false(r.loose);
    assert_int_equal(relief_thin(&t, &r, 9, 9, &err), 0);
    assert_memory_equal(t.u, r.u, 3 * sizeof *r.u);
    assert_memory_equal(t.z, r.z, 3 * sizeof *r.z);     /* (NaN is not equal to itself, but has its bits) */
    relief_release(&t);
    relief_release(&r);
}

/* Fewer lines of a slope are a slope, from border to border, but for the border itself: its means are one-sided. */
static void thinned_slope(void **state)
{
    enum { N = 101 };
    static struct relief_point point[N * N];
    struct err err = { ERR_NONE, "" };
    struct relief r, t;

    (void)state;
    for (int i = 0; i < N * N; i++)
        point[i] = (struct relief_point){ i % N / 100.0, i / N / 100.0, i % N / 100.0 };
    assert_int_equal(relief_of(&r, point, N * N, &err), 0);
    assert_int_equal(relief_thin(&t, &r, 21, 11, &err), 0);
    assert_true(t.nu == 21 && t.nv == 11 && t.u[0] == 0 && t.u[20] == 1 && t.v[0] == 0 && t.v[10] == 1);
    for (size_t i = 1; i < 20; i++)
        for (size_t j = 0; j < 11; j++)
            assert_true(fabs(t.z[j * 21 + i] - (double)i / 20) < 1e-9);
    relief_release(&t);
    relief_release(&r);
}

/* One series per name and panel, in whatever order its points come; one look per name. */
static void series_in_panels(void **state)
{
    struct chart c;

    (void)state;
    chart_init(&c, "surface");
    for (int i = 0; i < 12; i++)
        assert_int_equal(chart_series(&c, i % 2 ? "b" : "a", (size_t)(i % 6) / 2), i % 6);
    assert_int_equal(c.nseries, 6);
    for (size_t i = 0; i < 6; i++)
        assert_int_equal(c.series[i].look, i % 2);
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
    struct CMUnitTest tests[11 + COUNT(awkward)] = {
        cmocka_unit_test(refuses_two_surfaces), cmocka_unit_test(contours_on_floor), cmocka_unit_test(any_page),
        cmocka_unit_test(all_texts_are_there), cmocka_unit_test(projection_is_affine),
        cmocka_unit_test(projection_is_orthographic), cmocka_unit_test(painted_back_to_front),
        cmocka_unit_test(series_in_panels), cmocka_unit_test(clipping),
        cmocka_unit_test(points_become_grid), cmocka_unit_test(thinned_slope) };

    for (size_t i = 0; i < COUNT(awkward); i++)
        tests[11 + i] = (struct CMUnitTest){ .name = awkward[i].name, .test_func = awkward_surface,
                                             .initial_state = (void *)&awkward[i] };
    return cmocka_run_group_tests(tests, NULL, teardown);
}
