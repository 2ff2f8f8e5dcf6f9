/* colour.h -- colours: sRGB, its luminance, mixtures. */
#pragma once

struct rgb {
    double r, g, b;             /* sRGB, 0..1 */
};
static inline struct rgb rgb_of(unsigned hex)
{
    return (struct rgb){ (hex >> 16 & 255) / 255.0, (hex >> 8 & 255) / 255.0, (hex & 255) / 255.0 };
}
static inline unsigned rgb_hex(struct rgb c)
{
    return (unsigned)(c.r * 255 + 0.5) << 16 | (unsigned)(c.g * 255 + 0.5) << 8 | (unsigned)(c.b * 255 + 0.5);
}
/* Relative luminance, 0 black to 1 white (WCAG 2.1); contrast of two is (brighter + 0.05) / (darker + 0.05). */
double rgb_luminance(struct rgb c);
struct rgb rgb_mix(struct rgb a, struct rgb b, double t);
