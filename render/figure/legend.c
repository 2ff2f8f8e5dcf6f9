/* legend.c -- names of series and samples of them: right of the data when names are short and few, else below them in
 * columns, or packed into rows where that takes fewer; in a free place among the data where the frame has found one. */
#include "render/figure/frame.h"

#define GAP 5.0
#define BETWEEN 14.0            /* columns */
#define BETWEEN_PACKED 9.0      /* names that follow each other */
#define LEAST_NAME 50.0
#define SWATCH_LINE 22.0        /* widths of samples */
#define SWATCH_SMALL 11.0
#define SWATCH_NARROW 16.0      /* of lines, on a narrow page */

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

static double letters(const struct canvas *c)
{
    return c->width < PAGE_NARROW ? SIZE_NOTE : SIZE_TICK;
}

/* Smaller letters before a name is cut. */
static struct text name_text(const struct canvas *c, const struct legend_entry *e, double width, int lines)
{
    const double most = letters(c),
        size = width > 0 && width < e->full ? fmin(most, fmax(SIZE_LEAST, 0.99 * most * width * (lines > 1 ? 1.6 : 1) / e->full)) : most;

    return (struct text){ .text = e->shorter && width > 0 ? e->shorter : *e->text ? e->text : "(unnamed)", .size = size,
                          .width = width, .lines = width > 0 ? lines : 0, .middle = lines < 2, .markup = e->markup, .shortened = e->shorter && width > 0 };
}

static bool is_line(enum sample s)
{
    return s == SAMPLE_LINE || s == SAMPLE_RULE || s == SAMPLE_LEVEL || s == SAMPLE_PLAIN || s == SAMPLE_UNMARKED ||
        s == SAMPLE_WIDTH || s == SAMPLE_DASH || s == SAMPLE_OUTSIDE || s == SAMPLE_BEYOND;
}

size_t legend_names(const struct legend *l)
{
    size_t n = 0;

    for (size_t i = 0; i < l->n; i++)
        n += !l->entry[i].told;
    return n;
}

/* Measures names and samples: the widest name. */
static double measure(struct legend *l, struct canvas *canvas)
{
    double most = 0;

    l->swatch = SWATCH_SMALL;
    l->lines = 1;
    l->shortened = 0;
    l->row = 1.28 * text_height(canvas, letters(canvas));
    for (size_t i = 0; i < l->n; i++) {
        struct legend_entry *e = &l->entry[i];
        struct text t = name_text(canvas, e, 0, 1);

        if (e->told)
            continue;
        e->shorter = NULL;
        e->w = e->full = ceil(text_width(canvas, &t)) + 1;
        most = fmax(most, e->w);
        if (is_line(e->sample))
            l->swatch = canvas->width < PAGE_NARROW ? SWATCH_NARROW : SWATCH_LINE;
    }
    return most;
}

/* Names that would be cut to that width take two lines, where `rows` of such have room in `most` rows of one. */
static void wrap(struct legend *l, const struct canvas *canvas, double width, size_t rows, size_t most)
{
    const double second = text_height(canvas, letters(canvas));

    for (size_t i = 0; i < l->n && l->lines == 1; i++)
        if (!l->entry[i].told && SIZE_LEAST / letters(canvas) * l->entry[i].full > width &&
            (double)rows * (l->row + second) <= (double)most * l->row)
            l->lines = 2;
    l->row += l->lines == 2 ? second : 0;
}

/* Columns: as many as fit with full names; when rows run out, with names cut shorter and shorter; at last with fewer
 * names. */
static void size_columns(struct legend *l, const struct canvas *canvas, double name, double width, size_t most, size_t n)
{
    size_t columns, rows, k = 0;
    double each, cut;

    for (;; name = fmax(LEAST_NAME, 0.9 * fmin(name, width))) {
        cut = fmin(name, width - l->swatch - GAP);
        each = l->swatch + GAP + cut + BETWEEN;
        columns = (size_t)fmax(1, floor((width + BETWEEN) / each));
        rows = (n + columns - 1) / columns;
        if (rows <= most || name <= LEAST_NAME)
            break;
    }
    wrap(l, canvas, cut, rows, most);
    l->rows = rows <= most ? rows : most;
    l->nshown = rows <= most ? n : most * columns - 1;      /* the last place says how many more there are */
    columns = rows <= most ? (n + rows - 1) / rows : columns;       /* even ones */
    for (size_t i = 0; i < l->n; i++)
        if (!l->entry[i].told) {
            l->entry[i].x = (double)(k / l->rows) * each;
            l->entry[i].y = (double)(k % l->rows) * l->row;
            l->entry[i].w = fmin(l->entry[i].w, cut);
            k++;
        }
    l->w = (double)columns * each - BETWEEN;
    l->h = (double)l->rows * l->row;
}

/* One after the other, as words in a line. How many rows that takes. */
static size_t pack(struct legend *l, double width, bool keep)
{
    double x = 0, widest = 0;
    size_t rows = 1;

    for (size_t i = 0; i < l->n; i++) {
        const double w = l->swatch + GAP + fmin(l->entry[i].w, width - l->swatch - GAP);

        if (l->entry[i].told)
            continue;
        if (x > 0 && x + w > width) {
            rows++;
            x = 0;
        }
        if (keep) {
            l->entry[i].x = x;
            l->entry[i].y = (double)(rows - 1) * l->row;
            l->entry[i].w = w - l->swatch - GAP;
        }
        widest = fmax(widest, x + w);
        x += w + BETWEEN_PACKED;
    }
    if (keep) {
        l->rows = rows;
        l->w = widest;
        l->h = (double)rows * l->row;
    }
    return rows;
}

static void size_below(struct legend *l, const struct canvas *canvas, double name, size_t n)
{
    const bool narrow = canvas->width < PAGE_NARROW;
    const double width = canvas->width - (narrow ? 8 : 24);
    const double height = 0.33 * (l->squeeze > 0 ? l->squeeze : 1) * canvas->height;
    const bool fitted = canvas->page && canvas->page->fitted;
    const size_t most = fitted && narrow ? 2 * n : (size_t)fmax(1, floor(height / l->row)), packed = pack(l, width, false);

    if (narrow && packed <= most && packed < (n + l->columns - 1) / l->columns) {
        wrap(l, canvas, width - l->swatch - GAP, packed, most);
        pack(l, width, true);
    } else {
        size_columns(l, canvas, name, width, most, n);
    }
}

static void shorten(struct legend *l, struct canvas *canvas)
{
    struct text name[SHORTEN_MOST], *at[SHORTEN_MOST] = { 0 };
    size_t n = 0;

    for (size_t i = 0; i < l->n && n < l->nshown && n < SHORTEN_MOST; i++)
        if (!l->entry[i].told) {
            name[n] = name_text(canvas, &l->entry[i], l->entry[i].w, l->lines);
            at[n] = &name[n];
            n++;
        }
    l->shortened = text_shorten(canvas, at, n);
    for (size_t i = 0, k = 0; k < n; i++)
        if (!l->entry[i].told) {
            l->entry[i].shorter = name[k].shortened ? name[k].text : NULL;
            k++;
        }
}

void legend_size(struct legend *l, struct canvas *canvas, bool never_right)
{
    const size_t n = legend_names(l);
    const double name = measure(l, canvas),
        right = l->wanted == LEGEND_INSIDE ? name : fmin(name, 0.5 * canvas->width);
    const size_t high = (size_t)fmax(1, floor((canvas->height - 75) / l->row));

    l->nshown = n;
    l->w = l->h = 0;
    l->place = LEGEND_NONE;
    if (n == 0)
        return;
    l->columns = (size_t)fmax(1, floor((canvas->width - 8 + BETWEEN) / (l->swatch + GAP + name + BETWEEN)));
    l->place = l->wanted;
    if (l->wanted == LEGEND_AUTO)
        l->place = !never_right && canvas->width >= PAGE_NARROW && name + l->swatch <= 0.28 * canvas->width &&
            (double)n * l->row <= canvas->height - 75 ? LEGEND_RIGHT : LEGEND_BELOW;
    if (l->place == LEGEND_BELOW)
        size_below(l, canvas, name, n);
    else
        size_columns(l, canvas, right, l->swatch + GAP + right, l->place == LEGEND_INSIDE || high > n ? n : high, n);
    shorten(l, canvas);
}

static void draw_line(struct canvas *c, const struct legend_entry *e, const struct rect *box)
{
    const double y = box->y + box->h / 2;
    const struct pen pen = e->sample == SAMPLE_WIDTH ? pen_grey(e->width, PALE) :
        e->sample == SAMPLE_DASH ? pen_failed(c, 0.8) :
        e->sample == SAMPLE_OUTSIDE || e->sample == SAMPLE_BEYOND ? pen_dashed(0.8) :
        e->sample == SAMPLE_RULE || e->sample == SAMPLE_LEVEL ? frame_rule_pen(c, e->look) :
        (e->sample == SAMPLE_UNMARKED ? series_pen_unmarked : series_pen)(c, e->look, 1.4);

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
    case SAMPLE_UNMARKED:
    case SAMPLE_WIDTH:
    case SAMPLE_LEVEL:
    case SAMPLE_BEYOND:
    case SAMPLE_RULE: break;
    case SAMPLE_DASH: canvas_cross(c, x, y, 2.2, 0.9); break;
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

void legend_clear(const struct legend *l, struct canvas *canvas)
{
    canvas_rect(canvas, &(struct rect){ l->x - 2, l->y, l->w + 4, l->h });
    canvas_fill(canvas, grey(1), 1);
}

void legend_draw(const struct legend *l, struct canvas *canvas)
{
    char more[60];
    size_t shown = 0;

    for (size_t i = 0; i < l->n; i++) {
        const struct legend_entry *e = &l->entry[i];
        const double x = l->x + e->x, y = l->y + e->y + l->row / 2;
        struct text t = name_text(canvas, e, e->w, l->lines);

        if (e->told)
            continue;
        if (shown == l->nshown) {
            snprintf(more, sizeof more, "\xe2\x80\xa6 and %zu more", legend_names(l) - l->nshown);
            t = (struct text){ .text = more, .size = letters(canvas), .grey = PALE,
                               .width = fmax(e->w, LEAST_NAME) + l->swatch };
            text_put(canvas, &t, x, y, 0, 0.5, 0);
            return;
        }
        shown++;
        draw_sample(canvas, e, &(struct rect){ x, y - l->row / 2, l->swatch, l->row });
        text_put(canvas, &t, x + l->swatch + GAP, y, 0, 0.5, 0);
    }
}
