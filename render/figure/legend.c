/* legend.c -- right of the data when names are short and few, else below them in columns; never over the data. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "graph/base/grow.h"
#include "render/figure/frame.h"

#define GAP 5.0
#define BETWEEN 14.0            /* columns */
#define LEAST_NAME 60.0
#define NARROW 300.0            /* a page this narrow needs its width for the data */
#define SWATCH_LINE 22.0        /* widths of samples */
#define SWATCH_SMALL 11.0

int legend_add(struct legend *l, struct legend_entry entry, struct err *err)
{
    if (GROW(&l->room, l->n + 1, "a legend", err, GROWN(l->entry)) < 0)
        return -1;
    l->entry[l->n++] = entry;
    return 0;
}

int legend_add_once(struct legend *l, struct legend_entry entry, struct err *err)
{
    for (size_t i = 0; i < l->n; i++)
        if (l->entry[i].sample == entry.sample && strcmp(l->entry[i].text, entry.text) == 0)
            return 0;
    return legend_add(l, entry, err);
}

static struct text name_text(const struct legend_entry *e, double width)
{
    return (struct text){ .text = *e->text ? e->text : "(unnamed)", .size = SIZE_TICK, .width = width, .middle = true,
                          .markup = e->markup };
}

static double widest(const struct legend *l, struct canvas *canvas)
{
    double most = 0;

    for (size_t i = 0; i < l->n; i++) {
        struct text t = name_text(&l->entry[i], 0);

        most = fmax(most, text_width(canvas, &t));
    }
    return ceil(most) + 1;
}

static bool is_line(enum sample s)
{
    return s == SAMPLE_LINE || s == SAMPLE_RULE || s == SAMPLE_PLAIN || s == SAMPLE_WIDTH || s == SAMPLE_DASH ||
        s == SAMPLE_OUTSIDE;
}

/* Columns below the data: as many as fit with full names; when rows run out, with names cut shorter and shorter;
 * at last with fewer names. */
static void size_below(struct legend *l, double name, double width, double height, size_t n)
{
    size_t most = (size_t)fmax(1, floor(height / l->row));

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

void legend_size(struct legend *l, struct canvas *canvas, bool never_right)
{
    const double below = 0.33 * (l->squeeze > 0 ? l->squeeze : 1) * canvas->height;
    double name;

    l->nshown = l->n;
    l->swatch = SWATCH_SMALL;
    l->row = 1.28 * text_height(canvas, SIZE_TICK);
    for (size_t i = 0; i < l->n; i++)
        if (is_line(l->entry[i].sample))
            l->swatch = SWATCH_LINE;
    if (l->n == 0)
        return;
    name = widest(l, canvas);
    l->right = !never_right && name + l->swatch <= 0.28 * canvas->width && (double)l->n * l->row <= canvas->height - 75;
    if (canvas->width < NARROW) {
        size_below(l, name, canvas->width - 24, below, l->n);
        l->right = l->right && l->rows > 2;
    }
    if (l->right) {
        l->columns = 1;
        l->rows = l->nshown = l->n;
        l->name_width = name;
        l->column_width = l->swatch + GAP + name + BETWEEN;
    } else {
        size_below(l, name, canvas->width - 24, below, l->n);
    }
    l->w = (double)l->columns * l->column_width - BETWEEN;
    l->h = (double)l->rows * l->row;
}

static void draw_line(struct canvas *c, const struct legend_entry *e, const struct rect *box)
{
    const double y = box->y + box->h / 2;
    const struct pen pen = e->sample == SAMPLE_WIDTH ? pen_grey(e->width, PALE) :
        e->sample == SAMPLE_DASH || e->sample == SAMPLE_OUTSIDE ? pen_failed(0.8) :
        e->sample == SAMPLE_RULE ? frame_rule_pen(c, e->look) : series_pen(c, e->look, 1.4);

    canvas_segment(c, box->x, y, box->x + box->w, y);
    canvas_stroke(c, &pen);
}

static void draw_sample(struct canvas *c, const struct legend_entry *e, const struct rect *box)
{
    const double side = fmin(SWATCH_SMALL, box->w), x = box->x + box->w / 2, y = box->y + box->h / 2;
    const struct rect small = { x - side / 2, y - 4, side, 8 };
    const struct pen rim = pen_grey(0.5, INK), thin = pen_grey(0.5, PALE);

    if (is_line(e->sample))
        draw_line(c, e, box);
    switch (e->sample) {
    case SAMPLE_OUTSIDE:
        canvas_circle(c, x, y, 2.2);
        canvas_paint(c, pen_grey(1, 1).colour, 1, &thin);
        break;
    case SAMPLE_PLAIN:
    case SAMPLE_WIDTH:
    case SAMPLE_DASH:
    case SAMPLE_RULE: break;
    case SAMPLE_CROSS: canvas_crossed(c, x, y, 4); break;
    case SAMPLE_LINE:
    case SAMPLE_MARK: series_mark(c, e->look, x, y, false); break;
    case SAMPLE_RING: series_mark(c, e->look, x, y, true); break;
    case SAMPLE_BAR: series_fill(c, e->look, &small); break;
    case SAMPLE_CELL:
        canvas_rect(c, &small);
        canvas_paint(c, e->colour, 1, &rim);
        break;
    case SAMPLE_TILE:
        series_tile(c, e->look, &small, 1);
        canvas_rect(c, &small);
        canvas_stroke(c, &rim);
        break;
    case SAMPLE_DOT:
        canvas_circle(c, x, y, 1.9);
        canvas_fill(c, e->colour, 1);
        break;
    case SAMPLE_HOLLOW:
        canvas_rect(c, &(struct rect){ box->x, y - 1.4, box->w, 2.8 });
        canvas_paint(c, grey(1), 1, &(struct pen){ .colour = grey(INK), .width = 0.8 });
        break;
    case SAMPLE_HATCH:
        canvas_hatch(c, &small, 3, true, &thin);
        canvas_rect(c, &small);
        canvas_stroke(c, &thin);
        break;
    }
}

void legend_draw(const struct legend *l, struct canvas *canvas)
{
    char more[60];

    for (size_t i = 0; i <= l->nshown && i < l->n; i++) {
        double x = l->x + (double)(i / l->rows) * l->column_width, y = l->y + (double)(i % l->rows) * l->row;
        struct text t = name_text(&l->entry[i], l->name_width);
        struct rect box = { x, y, l->swatch, l->row };

        if (i == l->nshown) {
            snprintf(more, sizeof more, "\xe2\x80\xa6 and %zu more", l->n - i);
            t.text = more;
            t.grey = PALE;
            t.width += l->swatch + GAP;
            text_put(canvas, &t, x, y + l->row / 2, 0, 0.5, 0);
            return;
        }
        draw_sample(canvas, &l->entry[i], &box);
        text_put(canvas, &t, x + l->swatch + GAP, y + l->row / 2, 0, 0.5, 0);
    }
}
