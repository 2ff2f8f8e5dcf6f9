/* Palettes against what eyes need: contrast on white (WCAG 2.1), colours apart under simulated colour blindness
 * (Machado, Oliveira and Fernandes 2009, full severity), ramps whose lightness only falls. */
#include <string.h>

#include "render/page/colour.h"
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

/* A difference of 15 is several times what can be told side by side. */
static void series_are_told_apart(void **state)
{
    (void)state;
    for (size_t k = 0; palette_all[k]; k++)
        for (size_t e = 0; e < sizeof eyes / sizeof *eyes && !palette_all[k]->grey; e++)
            for (int i = 0; i < PALETTE_SERIES; i++)
                for (int j = 0; j < i; j++) {
                    double a[3], b[3];

                    lab(a, palette_all[k]->series[i], eyes[e]);
                    lab(b, palette_all[k]->series[j], eyes[e]);
                    assert_true(hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]) > 15);
                }
}

/* 3 is what WCAG asks of graphics; the first four series have it, the last ones, which also have marks, more than 2. */
static void series_stand_out_from_paper(void **state)
{
    (void)state;
    for (size_t k = 0; palette_all[k]; k++)
        for (int i = 0; i < PALETTE_SERIES; i++)
            assert_true(1.05 / (rgb_luminance(rgb_of(palette_all[k]->series[i])) + 0.05) > (i < 4 &&
                        !palette_all[k]->grey ? 3 : 2));
}

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
        cmocka_unit_test(series_are_told_apart), cmocka_unit_test(series_stand_out_from_paper),
        cmocka_unit_test(ramps_fall), cmocka_unit_test(diverging_ramps_are_even), cmocka_unit_test(grey_is_grey),
        cmocka_unit_test(luminance_by_hand) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
