/* The placer of text (render/page/place.h): the cheapest candidate that no obstacle bars. */
#include "tests/support/check.h"

#include "render/page/place.h"

static bool is_left(const void *arg, const struct text *t, const struct text_spot *s)
{
    return text_spot_box(*(struct canvas *const *)arg, t, s).x < 40;
}

static void the_cheapest_free_one(void **state)
{
    static const struct text t = { .text = "name", .size = 8 };
    static const struct text_spot spot[] = { { .x = 20, .y = 20, .cost = 2 }, { .x = 60, .y = 20, .cost = 1 },
                                             { .x = 60, .y = 60, .cost = 1 }, { .x = 20, .y = 60, .cost = 0 } };
    struct canvas c, *const canvas = &c;
    struct err err;
    double w, h;

    (void)state;
    assert_int_equal(canvas_open(&c, NULL, &err), 0);
    {
        const struct rect page = { 0, 0, c.width, c.height }, narrow = { 0, 0, 30, 30 };
        const struct text_placer free = { &page, 0, NULL, NULL }, right = { &page, 0, is_left, &canvas },
            nowhere = { &narrow, 0, NULL, NULL };

        assert_int_equal(text_place(&c, &t, spot, 4, &nowhere), 4);
        assert_int_equal(text_place(&c, &t, spot, 0, &free), 0);
        assert_int_equal(text_place(&c, &t, spot, 4, &right), 1);       /* of equal costs the first, */
        assert_int_equal(text_place(&c, &t, spot, 4, &right), 2);       /* where no text stands yet; */
        assert_int_equal(text_place(&c, &t, spot, 4, &right), 4);
        assert_int_equal(text_place(&c, &t, spot, 4, &free), 3);        /* without obstacles the cheapest */
        text_keep_off(&c, &(struct rect){ 21, 21, 1, 1 });
        assert_int_equal(text_place(&c, &t, spot, 4, &free), 4);
    }
    text_measure(&c, &t, &w, &h);
    {
        const struct rect level = text_spot_box(&c, &t, &(struct text_spot){ 50, 70, 1, 0.5, 0, 0 }),
            up = text_spot_box(&c, &t, &(struct text_spot){ 50, 70, 1, 1, -M_PI / 2, 0 });

        check_near(level.x, 50 - w, 1e-12);
        check_near(level.y, 70 - h / 2, 1e-12);
        check_near(level.w, w, 1e-12);
        check_near(up.x, 50 - h, 1e-12);        /* its end is on top, its foot on the right */
        check_near(up.y, 70, 1e-12);
        check_near(up.h, w, 1e-12);
    }
    canvas_close(&c);
}

static void segments_cross_or_pass(void **state)
{
    static const struct rect r = { 10, 10, 20, 10 };
    static const struct {
        double x0, y0, x1, y1;
        bool crosses;
    } rows[] = { { 0, 15, 40, 15, true }, { 15, 12, 25, 18, true }, { 20, 0, 20, 40, true }, { 0, 15, 9, 15, false },
                 { 20, 0, 20, 9, false }, { 0, 22, 40, 22, false }, { 5, 18, 15, 28, false }, { 5, 8, 15, 18, true },
                 { 12, 12, 12, 12, true }, { 40, 12, 40, 12, false } };

    (void)state;
    EACH_ROW(i, rows) {
        assert_int_equal(segment_crosses(&r, rows[i].x0, rows[i].y0, rows[i].x1, rows[i].y1), rows[i].crosses);
        assert_int_equal(segment_crosses(&r, rows[i].x1, rows[i].y1, rows[i].x0, rows[i].y0), rows[i].crosses);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(the_cheapest_free_one),
                                        cmocka_unit_test(segments_cross_or_pass) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
