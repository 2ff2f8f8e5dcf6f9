/* legend.c -- right of the data when names are short and few, else below them in columns; never over the data. */
#include <math.h>
#include <stdio.h>

#include "render/frame.h"

#define ROW 12.0
#define GAP 5.0
#define BETWEEN 14.0            /* columns */
#define LEAST_NAME 60.0
#define NARROW 300.0            /* a page this narrow needs its width for the data */

static struct text name_text(const struct chart *chart, size_t i, double width)
{
    const char *name = chart->series[i].name;

    return (struct text){ .text = name && *name ? name : "(unnamed)", .size = SIZE_TICK, .width = width,
                          .middle = true };
}

static double widest(struct canvas *canvas, const struct chart *chart)
{
    double most = 0;

    for (size_t i = 0; i < chart->nseries; i++) {
        struct text t = name_text(chart, i, 0);
        double w, h;

        text_measure(canvas, &t, &w, &h);
        most = fmax(most, w);
    }
    return ceil(most) + 1;
}

/* Columns below the data: as many as fit with full names; when rows run out, with names cut shorter and shorter;
 * at last with fewer names. */
static void size_below(struct legend *l, double name, double width, double height, size_t n)
{
    size_t most = (size_t)fmax(1, floor(0.33 * height / ROW));

    for (;;) {
        l->name_width = fmin(name, width - l->swatch - GAP);
        l->column_width = l->swatch + GAP + l->name_width + BETWEEN;
        l->columns = (size_t)fmax(1, floor((width + BETWEEN) / l->column_width));
        l->rows = (n + l->columns - 1) / l->columns;
        if (l->rows <= most || name <= LEAST_NAME)
            break;
        name = fmax(LEAST_NAME, 0.9 * fmin(name, width));
    }
    if (l->rows > most) {
        l->rows = most;
        l->nshown = l->rows * l->columns - 1;       /* the last place says how many more there are */
        return;
    }
    l->columns = (n + l->rows - 1) / l->rows;       /* even columns */
}

void legend_size(struct legend *l, struct canvas *canvas, const struct chart *chart, double swatch)
{
    size_t n = chart->nseries;
    double name;

    *l = (struct legend){ .nshown = n, .swatch = swatch };
    l->shown = n > 1 || (n == 1 && chart->series[0].name && *chart->series[0].name);
    if (!l->shown)
        return;
    name = widest(canvas, chart);
    l->right = name + swatch <= 0.28 * canvas->width && (double)n * ROW <= canvas->height - 75;
    if (canvas->width < NARROW) {
        size_below(l, name, canvas->width - 24, canvas->height, n);
        l->right = l->right && l->rows > 2;
    }
    if (l->right) {
        l->columns = 1;
        l->rows = n;
        l->name_width = name;
        l->column_width = l->swatch + GAP + name + BETWEEN;
    } else {
        size_below(l, name, canvas->width - 24, canvas->height, n);
    }
    l->w = (double)l->columns * l->column_width - BETWEEN;
    l->h = (double)l->rows * ROW;
}

void legend_draw(const struct legend *l, struct canvas *canvas, const struct chart *chart,
                 void (*swatch)(struct canvas *, size_t look, const struct rect *))
{
    char more[60];

    if (!l->shown)
        return;
    for (size_t i = 0; i <= l->nshown && i < chart->nseries; i++) {
        double x = l->x + (double)(i / l->rows) * l->column_width, y = l->y + (double)(i % l->rows) * ROW;
        struct text t = name_text(chart, i, l->name_width);
        struct rect box = { x, y, l->swatch, ROW };

        if (i == l->nshown) {
            snprintf(more, sizeof more, "\xe2\x80\xa6 and %zu more", chart->nseries - i);
            t.text = more;
            t.grey = PALE;
            t.width += l->swatch + GAP;
            text_put(canvas, &t, x, y + ROW / 2, 0, 0.5, 0);
            return;
        }
        swatch(canvas, chart->series[i].look, &box);
        text_put(canvas, &t, x + l->swatch + GAP, y + ROW / 2, 0, 0.5, 0);
    }
}
