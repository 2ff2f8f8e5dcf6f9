/* frame_own.c -- the y axes of a frame: one, or panels of different quantities, each with its own (frame_parts.h). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graph/base/mem.h"
#include "render/figure/frame_parts.h"

const struct axis *frame_own_axis(const struct frame *f, size_t panel)
{
    return f->own ? &f->chart->panel_y[panel] : &f->chart->y;
}

/* "(a)", "(b)", ... "(aa)" */
static void name_panel(struct frame_y *o, size_t i, const char *title, const struct axis *a)
{
    const bool told = a->title && strcmp(a->title, title) == 0;
    char letters[4] = "";

    if (i >= 26)
        letters[0] = (char)('a' + (i / 26 - 1) % 26);
    letters[strlen(letters)] = (char)('a' + i % 26);
    snprintf(o->tag, sizeof o->tag, "(%s)%s%.120s", letters, told || !*title ? "" : " ", told ? "" : title);
}

int frame_own_open(struct frame *f, struct err *err)
{
    const struct chart *c = f->chart;
    const size_t all = chart_points(c);

    f->own = c->panel_y && c->npanel > 0;
    if (TAKE("the figure", err, ZEROS(f->side, f->own ? c->npanel : 1)) < 0)
        return -1;
    f->up = f->side;
    f->nside = f->own ? c->npanel : 1;
    if (!f->own)
        return TAKE("the figure", err, ZEROS(f->side->label, TICKS_MOST + c->y.ncategory));
    for (size_t p = 0; p < c->npanel; p++) {
        struct frame_y *o = &f->side[p];

        if (TAKE("the figure", err, ZEROS(o->label, TICKS_MOST), ARRAY(o->v, 3 * all + 1)) < 0)
            return -1;
        name_panel(o, p, c->panel[p], &c->panel_y[p]);
        for (size_t i = 0; i < c->nseries; i++)
            for (size_t k = 0; c->series[i].panel == p && k < c->series[i].n; k++) {
                const struct datum *d = &c->series[i].at[k];
                const double v[] = { d->y, d->lo, d->hi };

                for (int j = 0; isfinite(d->x) && isfinite(d->y) && j < 3; j++)
                    if (isfinite(v[j]))
                        o->v[o->n++] = v[j];
            }
    }
    return 0;
}

void frame_own_fit(struct frame *f)
{
    for (size_t p = 0; f->own && p < f->npanel; p++) {
        struct frame_y *o = &f->side[p];
        const struct axis *a = &f->chart->panel_y[p];

        o->how = (struct fit){ .wanted = a->scale, .bars = f->want.bars, .round = true, .axis = a };
        for (size_t i = 0; a->scale == SCALE_LOG && i < o->n; i++)
            f->negative += o->v[i] <= 0;
        o->how.wanted = scale_is_log(o->v, o->n, &o->how) ? SCALE_LOG : SCALE_LINEAR;
    }
}

void frame_own_release(struct frame *f)
{
    for (size_t p = 0; p < f->nside; p++) {
        g_free(f->side[p].name);
        free(f->side[p].label);
        if (f->own)
            free(f->side[p].v);
    }
    free(f->side);
}
