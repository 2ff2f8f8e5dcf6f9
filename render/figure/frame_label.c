/* frame_label.c -- labels beside points: on no text, mark or line that text keeps off, and nearer to no other point,
 * unless a line leads to its own.
 * 1. places   eight beside the point, then twice as many ever farther off, at the end of a thin line
 * 2. points   of a panel that have a label */
#include "render/figure/frame.h"

#define LABELS_TRIED 400        /* in a panel: more have no room, and looking for it takes its time */
#define NEAR 5.0                /* points from a mark to the label beside it */
#define BESIDE 6.0              /* so near to a mark a label seems to be its own */
#define UNSURE 1.0              /* of the edges of a text: glyphs do not fill its box (less where points are as close) */
#define FEW_LABELS 60           /* of which those that had no room are put first, in other */
#define ROUNDS 8
#define SIDES 16
#define FARTHER 1.25            /* from one distance to the next */
#define DISTANCES 12            /* of them, up to LABEL_REACH */
#define LABEL_REACH 120.0       /* points from a point to its label */
#define MARK 2.5                /* half the side of a mark, which labels and their lines keep off */

/* ---- places ------------------------------------------------------------------------------------------ */

struct labelled {
    const struct frame *f;
    size_t panel;
    struct rect at;             /* of the point */
    double beside;              /* so near no other point may be to a label that is led */
    bool led;                   /* a line leads to the label: other points may be nearer, but not beside it */
};

static double distance(const struct rect *r, const struct rect *at)
{
    return hypot(fmax(fmax(r->x - at->x, at->x - r->x - r->w), 0), fmax(fmax(r->y - at->y, at->y - r->y - r->h), 0));
}

/* The line from a point to its label: from the rim of the mark to the spot. */
static struct rect label_line(const struct labelled *l, const struct text_spot *s)
{
    const double dx = s->x - l->at.x, dy = s->y - l->at.y, part = fmin(NEAR / 2 / fmax(hypot(dx, dy), NEAR / 2), 1);

    return (struct rect){ l->at.x + part * dx, l->at.y + part * dy, (1 - part) * dx, (1 - part) * dy };
}

static bool has_line(const struct labelled *l, const struct text_spot *s)
{
    return hypot(s->x - l->at.x, s->y - l->at.y) > 1.6 * NEAR;
}

/* Is another point as near to the label, or on its line? */
static bool is_misread(const void *arg, const struct text *t, const struct text_spot *s)
{
    const struct labelled *l = arg;
    const struct rect box = text_spot_box(l->f->canvas, t, s), line = label_line(l, s);
    const double own = l->led ? l->beside : distance(&box, &l->at);

    if (l->led && !has_line(l, s))
        return true;
    for (size_t i = 0; i < l->f->chart->nseries; i++) {
        const struct series *other = &l->f->chart->series[i];
        struct rect p;

        for (size_t k = 0; other->panel == l->panel && k < other->n; k++) {
            if (!frame_point(l->f, other->at[k].x, other->at[k].y, &p) || (p.x == l->at.x && p.y == l->at.y))
                continue;
            if (distance(&box, &p) <= own + (l->led ? 0 : fmin(UNSURE, hypot(p.x - l->at.x, p.y - l->at.y) / 2)) ||
                (has_line(l, s) && segment_crosses(&(struct rect){ p.x - MARK, p.y - MARK, 2 * MARK, 2 * MARK }, line.x,
                                                   line.y, line.x + line.w, line.y + line.h)))
                return true;
        }
    }
    return has_line(l, s) && text_under(l->f->canvas, line.x, line.y, line.x + line.w, line.y + line.h);
}

enum { SPOTS = 8 + 2 * SIDES * DISTANCES };

/* All places of a label, the nearer the cheaper; last those where it leans to the other side, as near an edge it must. */
static size_t label_spots(struct text_spot spot[SPOTS], const struct rect *at)
{
    static const double side[8][4] = { { 1, -1, 0, 1 }, { -1, -1, 1, 1 }, { 1, 1, 0, 0 }, { -1, 1, 1, 0 },
                                       { 0, -1.2, 0.5, 1 }, { 0, 1.2, 0.5, 0 }, { 1.3, 0, 0, 0.5 },
                                       { -1.3, 0, 1, 0.5 } };
    size_t n = 0;

    for (; n < 8; n++)
        spot[n] = (struct text_spot){ .x = at->x + NEAR * side[n][0], .y = at->y + NEAR * side[n][1],
                                      .along = side[n][2], .across = side[n][3] };
    for (int leans = 0; leans < 2; leans++)
        for (double far = 2 * NEAR; far <= LABEL_REACH; far *= FARTHER)
            for (int k = 0; k < SIDES; k++) {
                const double turn = 2 * M_PI * (k + 0.5) / SIDES, x = cos(turn), y = sin(turn);

                spot[n++] = (struct text_spot){ at->x + far * x, at->y + far * y,
                                                fmin(fmax(0.5 + (leans ? x : -x), 0), 1),
                                                fabs(y) < 0.4 ? 0.5 : y > 0 ? 0 : 1, 0, far + leans * LABEL_REACH };
            }
    return n;
}

/* False: there is no room. */
static bool put_label(const struct frame *f, size_t panel, const struct point_label *l)
{
    struct canvas *c = f->canvas;
    const struct text t = { .text = l->text, .size = SIZE_NOTE, .halo = true, .grey = l->ink };
    struct text_spot spot[SPOTS];
    struct labelled what = { .f = f, .panel = panel };
    size_t n, k;

    if (!frame_point(f, l->at->x, l->at->y, &what.at) || !frame_inside(f, &what.at))
        return true;
    n = label_spots(spot, &what.at);
    k = text_place(c, &t, spot, n, &(struct text_placer){ &f->data, 0.5, is_misread, &what });
    what.led = k == n;
    for (what.beside = BESIDE; k == n && what.beside > BESIDE / 3; what.beside /= 1.5)
        k = text_place(c, &t, spot, n, &(struct text_placer){ &f->data, 0.5, is_misread, &what });
    if (k < n && has_line(&what, &spot[k])) {
        const struct rect line = label_line(&what, &spot[k]);

        canvas_begin(c, "leader", l->text);
        canvas_segment(c, line.x, line.y, line.x + line.w, line.y + line.h);
        canvas_stroke_grey(c, 0.5, PALE);
        canvas_end(c);
        for (double part = 0; part < 1; part += 2 * MARK / hypot(line.w, line.h))
            text_keep_off(c, &(struct rect){ line.x + part * line.w - 1, line.y + part * line.h - 1, 2, 2 });
    }
    return k < n;
}

/* ---- points ------------------------------------------------------------------------------------------ */

static void keep_off_marks(const struct frame *f, size_t panel)
{
    struct rect at;

    for (size_t i = 0; i < f->chart->nseries; i++)
        for (size_t p = 0; f->chart->series[i].panel == panel && p < f->chart->series[i].n; p++)
            if (f->canvas->nbox < 5000 &&
                frame_point(f, f->chart->series[i].at[p].x, f->chart->series[i].at[p].y, &at))
                text_keep_off(f->canvas, &(struct rect){ at.x - MARK, at.y - MARK, 2 * MARK, 2 * MARK });
}

/* A rehearsal: how many have no room. These come first in the next. */
static size_t rehearse(const struct frame *f, size_t panel, struct point_label *l, size_t n)
{
    const struct device *device = f->canvas->device;
    const size_t nbox = f->canvas->nbox;
    size_t failed = 0;

    f->canvas->device = NULL;
    for (size_t i = 0; i < n; i++)
        if (!put_label(f, panel, &l[i])) {
            const struct point_label first = l[i];

            memmove(l + failed + 1, l + failed, (i - failed) * sizeof *l);
            l[failed++] = first;
        }
    f->canvas->device = device;
    f->canvas->nbox = nbox;
    return failed;
}

void frame_labels(const struct frame *f, size_t panel, struct point_label *l, size_t n)
{
    const size_t tried = n < LABELS_TRIED ? n : LABELS_TRIED;
    struct point_label best[FEW_LABELS];
    size_t least = SIZE_MAX, failed;

    keep_off_marks(f, panel);
    for (int round = 0; round < ROUNDS && tried <= FEW_LABELS && least > 0; round++) {
        struct point_label before[FEW_LABELS];

        memcpy(before, l, tried * sizeof *l);
        failed = rehearse(f, panel, l, tried);
        if (failed < least)
            memcpy(best, before, tried * sizeof *l);
        least = failed < least ? failed : least;
    }
    if (least < SIZE_MAX)
        memcpy(l, best, tried * sizeof *l);
    for (size_t i = 0; i < n; i++)
        f->canvas->nameless += i >= tried || !put_label(f, panel, &l[i]);
}

/* Whether labels pick out some of all points. */
static bool labels_some(const struct chart *c)
{
    for (size_t i = 0; i < c->nseries; i++)
        for (size_t p = 0; p < c->series[i].n; p++)
            if (!c->series[i].at[p].label)
                return true;
    return false;
}

/* A ring around what is picked out. */
static void ring_point(const struct frame *f, const struct datum *d)
{
    struct rect at;

    if (!frame_point(f, d->x, d->y, &at) || !frame_inside(f, &at))
        return;
    canvas_circle(f->canvas, at.x, at.y, 4.6);
    canvas_stroke_grey(f->canvas, 1, INK);
}

void frame_mark_points(const struct frame *f, size_t panel)
{
    struct point_label *l = f->chart->nword ? calloc(chart_points(f->chart) + 1, sizeof *l) : NULL;
    const bool ring = labels_some(f->chart);
    size_t n = 0;

    f->canvas->failed = f->canvas->failed || (f->chart->nword && !l);
    for (size_t i = 0; l && i < f->chart->nseries; i++)
        for (size_t p = 0; f->chart->series[i].panel == panel && p < f->chart->series[i].n; p++) {
            const struct datum *d = &f->chart->series[i].at[p];

            if (d->label)
                l[n++] = (struct point_label){ d, d->label, 0 };
            if (d->label && ring)
                ring_point(f, d);
        }
    if (n)
        frame_labels(f, panel, l, n);
    free(l);
}
