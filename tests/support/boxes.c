#include "tests/support/boxes.h"

#include "tests/support/check.h"

/* By how much the projections of both on a unit vector overlap. */
static double overlap_along(const struct text_box *a, const struct text_box *b, double u, double v)
{
    double lo[2] = { INFINITY, INFINITY }, hi[2] = { -INFINITY, -INFINITY };

    for (int i = 0; i < 4; i++) {
        double p[2] = { a->x[i] * u + a->y[i] * v, b->x[i] * u + b->y[i] * v };

        for (int k = 0; k < 2; k++) {
            lo[k] = fmin(lo[k], p[k]);
            hi[k] = fmax(hi[k], p[k]);
        }
    }
    return fmin(hi[0], hi[1]) - fmax(lo[0], lo[1]);
}

double boxes_overlap(const struct text_box *a, const struct text_box *b)
{
    const struct text_box *both[2] = { a, b };
    double least = INFINITY;

    for (int k = 0; k < 2; k++)
        for (int i = 0; i < 2; i++) {
            double dx = both[k]->x[i + 1] - both[k]->x[i], dy = both[k]->y[i + 1] - both[k]->y[i], d = hypot(dx, dy);

            if (d < 1e-9)                   /* no text, no box */
                return 0;
            least = fmin(least, overlap_along(a, b, dx / d, dy / d));
        }
    return least;
}

/* Says in `fault` what is wrong; false where nothing is. */
static bool boxes_fault(char fault[200], const struct canvas *c)
{
    for (size_t i = 0; i < c->nbox; i++) {
        if (!c->box[i].text)
            continue;
        for (int k = 0; k < 4; k++)
            if (!(c->box[i].x[k] >= -0.5 && c->box[i].x[k] <= c->width + 0.5 && c->box[i].y[k] >= -0.5 &&
                  c->box[i].y[k] <= c->height + 0.5)) {
                snprintf(fault, 200, "text %zu has a corner at %.1f, %.1f, off the page of %.1f x %.1f", i,
                         c->box[i].x[k], c->box[i].y[k], c->width, c->height);
                return true;
            }
        for (size_t j = 0; j < i; j++)
            if (c->box[j].text && boxes_overlap(&c->box[i], &c->box[j]) > 0.05) {
                snprintf(fault, 200, "texts %zu at %.1f, %.1f and %zu at %.1f, %.1f overlap on the page of %.1f x %.1f",
                         i, c->box[i].x[0], c->box[i].y[0], j, c->box[j].x[0], c->box[j].y[0], c->width, c->height);
                return true;
            }
    }
    return false;
}

void boxes_check(const char *what, const struct canvas *c)
{
    char fault[200];

    if (boxes_fault(fault, c))
        fail_msg("%s: %s", what, fault);
}

bool boxes_fit(const struct canvas *c)
{
    char fault[200];

    return !boxes_fault(fault, c);
}
