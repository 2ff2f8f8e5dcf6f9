/* Palettes against what eyes need: contrast on white (WCAG 2.1), colours apart by CIEDE2000 (Sharma, Wu and Dalal 2005)
 * under simulated colour blindness (Machado, Oliveira and Fernandes 2009, full severity), series apart in grey prints,
 * ramps whose lightness only falls. */
#include <string.h>

#include "render/page/canvas.h"
#include "render/page/palette.h"
#include "tests/support/check.h"

static double linear(double v)
{
    return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
}

static double curve(double t)
{
    return t > 0.008856 ? cbrt(t) : 7.787 * t + 16.0 / 116;
}

/* CIE 1976 L*a*b* of what an eye of that matrix sees, D65. */
static void lab(double out[3], unsigned hex, const double eye[3][3])
{
    const struct rgb c = rgb_of(hex);
    const double in[3] = { linear(c.r), linear(c.g), linear(c.b) };
    double l[3], x, y, z;

    for (int i = 0; i < 3; i++)
        l[i] = fmin(fmax(eye[i][0] * in[0] + eye[i][1] * in[1] + eye[i][2] * in[2], 0), 1);
    x = (0.4124 * l[0] + 0.3576 * l[1] + 0.1805 * l[2]) / 0.9505;
    y = 0.2126 * l[0] + 0.7152 * l[1] + 0.0722 * l[2];
    z = (0.0193 * l[0] + 0.1192 * l[1] + 0.9505 * l[2]) / 1.089;
    out[0] = 116 * curve(y) - 16;
    out[1] = 500 * (curve(x) - curve(y));
    out[2] = 200 * (curve(y) - curve(z));
}

static const double eyes[][3][3] = {
    { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } },
    { { 0.152286, 1.052583, -0.204868 }, { 0.114503, 0.786281, 0.099216 }, { -0.003882, -0.048116, 1.051998 } },
    { { 0.367322, 0.860646, -0.227968 }, { 0.280085, 0.672501, 0.047413 }, { -0.011820, 0.042940, 0.968881 } },
    { { 1.255528, -0.076749, -0.178779 }, { -0.078411, 0.930809, 0.147602 }, { 0.004733, 0.691367, 0.303900 } },
};

/* ---- differences ------------------------------------------------------------------------------------- */

static double angle(double a, double b)         /* degrees, 0..360; of no colour 0 */
{
    const double h = a == 0 && b == 0 ? 0 : atan2(b, a) * 180 / M_PI;

    return h < 0 ? h + 360 : h;
}

static double cosine(double degrees)
{
    return cos(degrees * M_PI / 180);
}

static double seventh(double c)
{
    return sqrt(pow(c, 7) / (pow(c, 7) + pow(25, 7)));
}

/* CIEDE2000, its three weights 1, of two colours L*a*b*. */
static double ciede2000(const double p[3], const double q[3])
{
    const double stretch = 1 + 0.5 * (1 - seventh((hypot(p[1], p[2]) + hypot(q[1], q[2])) / 2));
    const double cp = hypot(stretch * p[1], p[2]), cq = hypot(stretch * q[1], q[2]), l = (p[0] + q[0]) / 2 - 50;
    const double hp = angle(stretch * p[1], p[2]), hq = angle(stretch * q[1], q[2]), c = (cp + cq) / 2;
    const double turn = cp * cq == 0 ? 0 : hq - hp > 180 ? hq - hp - 360 : hq - hp < -180 ? hq - hp + 360 : hq - hp;
    const double h = cp * cq == 0 ? hp + hq : fabs(hp - hq) <= 180 ? (hp + hq) / 2 : (hp + hq) / 2 +
        (hp + hq < 360 ? 180 : -180);
    const double t = 1 - 0.17 * cosine(h - 30) + 0.24 * cosine(2 * h) + 0.32 * cosine(3 * h + 6) -
        0.20 * cosine(4 * h - 63);
    const double dl = (q[0] - p[0]) / (1 + 0.015 * l * l / sqrt(20 + l * l)), dc = (cq - cp) / (1 + 0.045 * c);
    const double dh = 2 * sqrt(cp * cq) * sin(turn / 2 * M_PI / 180) / (1 + 0.015 * c * t);
    const double blue = -sin(60 * exp(-pow((h - 275) / 25, 2)) * M_PI / 180) * 2 * seventh(c);

    return sqrt(dl * dl + dc * dc + dh * dh + blue * dc * dh);
}

/* The pairs that Sharma, Wu and Dalal publish for those who write it anew. */
static void differences_are_as_published(void **state)
{
    static const double pair[][7] = {
        { 50, 2.6772, -79.7751, 50, 0, -82.7485, 2.0425 }, { 50, 3.1571, -77.2803, 50, 0, -82.7485, 2.8615 },
        { 50, 2.8361, -74.0200, 50, 0, -82.7485, 3.4412 }, { 50, -1.3802, -84.2814, 50, 0, -82.7485, 1 },
        { 50, -1.1848, -84.8006, 50, 0, -82.7485, 1 }, { 50, -0.9009, -85.5211, 50, 0, -82.7485, 1 },
        { 50, 0, 0, 50, -1, 2, 2.3669 }, { 50, -1, 2, 50, 0, 0, 2.3669 },
        { 50, 2.4900, -0.0010, 50, -2.4900, 0.0009, 7.1792 }, { 50, 2.4900, -0.0010, 50, -2.4900, 0.0010, 7.1792 },
        { 50, 2.4900, -0.0010, 50, -2.4900, 0.0011, 7.2195 }, { 50, 2.4900, -0.0010, 50, -2.4900, 0.0012, 7.2195 },
        { 50, -0.0010, 2.4900, 50, 0.0009, -2.4900, 4.8045 }, { 50, -0.0010, 2.4900, 50, 0.0011, -2.4900, 4.7461 },
        { 50, 2.5, 0, 50, 0, -2.5, 4.3065 }, { 50, 2.5, 0, 73, 25, -18, 27.1492 },
        { 50, 2.5, 0, 61, -5, 29, 22.8977 }, { 50, 2.5, 0, 56, -27, -3, 31.9030 },
        { 50, 2.5, 0, 58, 24, 15, 19.4535 }, { 50, 2.5, 0, 50, 3.1736, 0.5854, 1 },
        { 50, 2.5, 0, 50, 3.2972, 0, 1 }, { 50, 2.5, 0, 50, 1.8634, 0.5757, 1 }, { 50, 2.5, 0, 50, 3.2592, 0.3350, 1 },
        { 60.2574, -34.0099, 36.2677, 60.4626, -34.1751, 39.4387, 1.2644 },
        { 63.0109, -31.0961, -5.8663, 62.8187, -29.7946, -4.0864, 1.2630 },
        { 61.2901, 3.7196, -5.3901, 61.4292, 2.2480, -4.9620, 1.8731 },
        { 35.0831, -44.1164, 3.7933, 35.0232, -40.0716, 1.5901, 1.8645 },
        { 22.7233, 20.0904, -46.6940, 23.0331, 14.9730, -42.5619, 2.0373 },
        { 36.4612, 47.8580, 18.3852, 36.2715, 50.5065, 21.2231, 1.4146 },
        { 90.8027, -2.0831, 1.4410, 91.1528, -1.6435, 0.0447, 1.4441 },
        { 90.9257, -0.5406, -0.9208, 88.6381, -0.8985, -0.7239, 1.5381 },
        { 6.7747, -0.2908, -2.4247, 5.8714, -0.0985, -2.2286, 0.6377 },
        { 2.0776, 0.0795, -1.1350, 0.9033, -0.0636, -0.5514, 0.9082 } };

    (void)state;
    EACH_ROW(i, pair)
        check_near(ciede2000(pair[i], pair[i] + 3), pair[i][6], 5.01e-5);
}

/* ---- series ------------------------------------------------------------------------------------------ */

/* Two that lie side by side are told apart from about 1 on, small marks far from each other from about 10 on. */
static void series_are_told_apart(void **state)
{
    (void)state;
    for (size_t k = 0; palette_all[k]; k++)
        for (size_t e = 0; e < COUNT(eyes) && !palette_all[k]->grey; e++)
            for (int i = 0; i < PALETTE_SERIES; i++)
                for (int j = 0; j < i; j++) {
                    double a[3], b[3];

                    lab(a, palette_all[k]->series[i], eyes[e]);
                    lab(b, palette_all[k]->series[j], eyes[e]);
                    if (!(ciede2000(a, b) >= 14))
                        fail_msg("%s: series %d and %d, eye %zu: %.1f", palette_all[k]->name, j, i, e,
                                 ciede2000(a, b));
                }
}

static double on_paper(struct rgb c)
{
    return 1.05 / (rgb_luminance(c) + 0.05);
}

/* 3 is what WCAG asks of graphics; the palest colour, and greys, which dashes help, have 2.5. */
static void series_stand_out_from_paper(void **state)
{
    (void)state;
    for (size_t k = 0; palette_all[k]; k++) {
        int pale = 0;

        for (int i = 0; i < PALETTE_SERIES; i++) {
            pale += on_paper(rgb_of(palette_all[k]->series[i])) < 3;
            assert_true(on_paper(rgb_of(palette_all[k]->series[i])) >= 2.5);
        }
        assert_true(pale <= 1 || palette_all[k]->grey);
    }
}

/* Printers and copiers make grey of lightness, or of sRGB's values as television does (ITU-R BT.601, BT.709): the first
 * four series stay apart by all three. */
static void four_series_are_told_apart_in_grey(void **state)
{
    static const double weight[][3] = { { 0.299, 0.587, 0.114 }, { 0.2126, 0.7152, 0.0722 } };

    (void)state;
    for (size_t k = 0; palette_all[k]; k++)
        for (int way = 0; way < 3; way++)
            for (int i = 0; i < 4; i++)
                for (int j = 0; j < i; j++) {
                    double light[2];

                    for (int s = 0; s < 2; s++) {
                        const unsigned hex = palette_all[k]->series[s ? j : i];
                        const struct rgb c = rgb_of(hex);
                        const double *w = weight[way ? way - 1 : 0], v = w[0] * c.r + w[1] * c.g + w[2] * c.b;
                        double of[3];

                        lab(of, way ? rgb_hex(grey(v)) : hex, eyes[0]);
                        light[s] = of[0];
                    }
                    if (!(fabs(light[0] - light[1]) >= (way ? 8 : 10)))
                        fail_msg("%s: series %d and %d have lightness %.1f and %.1f", palette_all[k]->name, j, i,
                                 light[1], light[0]);
                }
}

/* Contrast of at least 4.5 for text, 3 for lines (WCAG 2.1, 1.4.3 and 1.4.11); grids need none. */
static void text_is_read_on_paper(void **state)
{
    (void)state;
    assert_true(on_paper(grey(INK)) >= 4.5 && on_paper(grey(PALE)) >= 4.5);
    for (size_t k = 0; palette_all[k]; k++)
        assert_true(on_paper(pen_failed(&(struct canvas){ .palette = palette_all[k] }, 1).colour) >= 3);
    assert_true(on_paper(pen_dashed(1).colour) >= 3);
}

/* On any grey. Black on white is 21 : 1; where white is 4.5 : 1 black is 4.67 : 1. */
static void text_is_read_on_colours(void **state)
{
    (void)state;
    for (int i = 0; i <= 255; i++) {
        const double ground = rgb_luminance(grey(i / 255.0)) + 0.05;
        struct text t = { .text = "7" };
        double ink;

        text_on(&t, grey(i / 255.0));
        ink = rgb_luminance(grey(t.white ? 1 : t.grey)) + 0.05;
        assert_true(fmax(ink, ground) / fmin(ink, ground) >= 4.5);
    }
}

static bool same_dashes(const struct pen *a, const struct pen *b)
{
    return a->ndash == b->ndash && memcmp(a->dash, b->dash, sizeof a->dash) == 0;
}

/* Without marks 28 lines differ, the first four by dashes alone. */
static void lines_without_marks_differ(void **state)
{
    struct canvas c;
    struct err err = { 0 };

    (void)state;
    assert_int_equal(canvas_open(&c, NULL, &err), 0);
    assert_int_equal(series_pen_unmarked(&c, 0, 1).ndash, 0);
    for (size_t i = 0; i < 28; i++)
        for (size_t j = 0; j < i; j++) {
            const struct pen a = series_pen_unmarked(&c, i, 1), b = series_pen_unmarked(&c, j, 1);

            assert_false(same_dashes(&a, &b) && (i < 4 || rgb_hex(a.colour) == rgb_hex(b.colour)));
        }
    canvas_close(&c);
}

/* ---- ramps and greys --------------------------------------------------------------------------------- */

static void ramps_fall(void **state)
{
    (void)state;
    for (size_t k = 0; palette_all[k]; k++) {
        const struct palette *p = palette_all[k];
        double a[3], b[3];

        for (int i = 1; i < PALETTE_RAMP; i++) {
            lab(a, p->ramp[i - 1], eyes[0]);
            lab(b, p->ramp[i], eyes[0]);
            assert_true(a[0] - b[0] > 2.5);
        }
        lab(a, p->ramp[0], eyes[0]);
        assert_true(a[0] - b[0] > 65);
    }
}

/* To both sides of zero alike, and two colours whatever the eye. */
static void diverging_ramps_are_even(void **state)
{
    enum { ZERO = PALETTE_RAMP / 2 };

    (void)state;
    for (size_t k = 0; palette_all[k]; k++) {
        const unsigned *ramp = palette_all[k]->diverging;
        double at[3], below[3], above[3];

        for (int i = 0; i <= ZERO && !palette_all[k]->grey; i++) {
            lab(at, ramp[ZERO + (i ? i - 1 : 0)], eyes[0]);
            lab(below, ramp[ZERO - i], eyes[0]);
            lab(above, ramp[ZERO + i], eyes[0]);
            assert_true(fabs(above[0] - below[0]) < 0.7);
            assert_true(i == 0 ? at[0] > 93 && hypot(at[1], at[2]) < 1 : at[0] - above[0] > 10);
            for (size_t e = 0; i && e < sizeof eyes / sizeof *eyes; e++) {
                lab(below, ramp[ZERO - i], eyes[e]);
                lab(above, ramp[ZERO + i], eyes[e]);
                assert_true(hypot(hypot(above[0] - below[0], above[1] - below[1]), above[2] - below[2]) > 15);
            }
        }
    }
}

static void grey_is_grey(void **state)
{
    struct err err = { 0 };
    const struct palette *p = palette_find("grey", &err);

    (void)state;
    for (int i = 0; i < PALETTE_SERIES; i++)
        assert_true(p->series[i] % 256 * 0x010101 == p->series[i]);
    for (int i = 0; i < PALETTE_RAMP; i++)
        assert_true(p->ramp[i] % 256 * 0x010101 == p->ramp[i]);
    assert_null(palette_find("gray", &err));
    assert_non_null(strstr(err.msg, "did you mean 'grey'?"));
}

static void luminance_by_hand(void **state)
{
    (void)state;
    assert_true(fabs(rgb_luminance(rgb_of(0xffffff)) - 1) < 1e-12);
    assert_true(rgb_luminance(rgb_of(0)) == 0);
    /* 4.48 : 1 on white, WCAG's known near miss */
    assert_true(fabs(rgb_luminance(rgb_of(0x777777)) - 0.1845) < 5e-5);
    assert_int_equal(rgb_hex(rgb_of(0x12ab9f)), 0x12ab9f);
    assert_int_equal(rgb_hex(rgb_mix(rgb_of(0), rgb_of(0xff8000), 0.5)), 0x804000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(differences_are_as_published), cmocka_unit_test(series_are_told_apart),
        cmocka_unit_test(series_stand_out_from_paper), cmocka_unit_test(four_series_are_told_apart_in_grey),
        cmocka_unit_test(text_is_read_on_paper), cmocka_unit_test(text_is_read_on_colours),
        cmocka_unit_test(lines_without_marks_differ),
        cmocka_unit_test(ramps_fall), cmocka_unit_test(diverging_ramps_are_even), cmocka_unit_test(grey_is_grey),
        cmocka_unit_test(luminance_by_hand) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
