#include "render/table/drawn.h"
#include "graph/base/utf8.h"
#include "render/page/canvas.h"

/* In points at scale 1. */
#define PAD 7.0
#define COLUMN_GAP 12.0
#define ROW_STEP 1.3                   /* in heights of its text */
#define LEAST_WIDTH 260.0           /* that titles and notes may take beside a narrow table */

struct drawing {
    const struct table *table;
    const struct grid *grid;
    const struct grid_plan *plan;
    double *width;                  /* by column, as measured */
    double inner, height;           /* without the margins at the sides; with those above and below */
};

static void draw_rule(struct canvas *c, const struct drawing *d, double y, double pen)
{
    canvas_segment(c, PAD * c->scale, y, PAD * c->scale + d->inner, y);
    canvas_stroke_grey(c, pen * c->scale, INK);
}

static struct text sentence_of(const char *text, double size, double ink)
{
    return (struct text){ .text = text, .size = size, .bold = size > SIZE_TITLE, .grey = ink };
}

/* In lines that end at blanks, so that no name is cut. Returns where it ends. */
static double draw_sentence(struct canvas *c, const struct drawing *d, const char *text, double size, double ink,
                            double y)
{
    char *line = utf8_line(text), *at = line;

    c->failed = c->failed || !line;
    while (at && *at) {
        struct text t = sentence_of(at, size, ink);
        size_t n = 0, next = 0;

        do {
            char after;

            n = next;
            next += strspn(at + next, " ");
            next += strcspn(at + next, " ");
            after = at[next];
            at[next] = '\0';
            if (n == 0 || text_width(c, &t) <= d->inner)
                n = next;
            at[next] = after;
        } while (n == next && at[n]);
        if (at[n])
            at[n++] = '\0';
        text_put(c, &t, PAD * c->scale, y, 0, 0, 0);
        at += n + strspn(at + n, " ");
        y += text_height(c, size);
    }
    free(line);
    return y + 0.3 * text_height(c, size);
}

/* A cell's text with a true minus, or a dash for what is not known. */
static struct text cell_text_of(const struct grid_cell *cell, bool head, char out[CELL_DIGITS + 4])
{
    struct text t = { .text = cell->text, .size = SIZE_TICK, .bold = head };

    if (cell->number && cell->text[0] == '-' && strlen(cell->text) < CELL_DIGITS) {
        snprintf(out, CELL_DIGITS + 4, "%s%s", cell->text[1] ? "−" : "–", cell->text + 1);
        t.text = out;
    }
    return t;
}

static void draw_line(struct canvas *c, const struct drawing *d, size_t line, double y)
{
    const struct grid *g = d->grid;
    double x = PAD * c->scale;

    for (size_t i = 0; i < g->ncolumn; i++) {
        char digits[CELL_DIGITS + 4];
        const struct text t = cell_text_of(grid_at(g, line, i), line < g->nhead, digits);

        if (*t.text)
            text_put(c, &t, g->left[i] ? x : x + d->width[i], y, g->left[i] ? 0 : 1, 0, 0);
        x += d->width[i] + COLUMN_GAP * c->scale;
    }
}

/* On a canvas without device: how high it all is. */
static double draw(struct canvas *c, const struct drawing *d)
{
    const struct grid *g = d->grid;
    const double row = ROW_STEP * text_height(c, SIZE_TICK), gap = 3 * c->scale;
    double y = PAD * c->scale;

    if (d->plan->title)
        y = draw_sentence(c, d, d->plan->title, SIZE_HEAD, INK, y);
    if (d->plan->common)
        y = draw_sentence(c, d, d->plan->common, SIZE_TICK, INK, y);
    y += gap;
    draw_rule(c, d, y, 1.0);
    y += gap;
    for (size_t r = 0; r < g->nhead + g->nrow; r++) {
        draw_line(c, d, r, y);
        y += r + 1 < g->nhead ? text_height(c, SIZE_TICK) : row;
        if (r + 1 == g->nhead) {
            draw_rule(c, d, y, 0.6);
            y += gap;
        }
    }
    draw_rule(c, d, y, 1.0);
    y += 2 * gap;
    for (size_t i = 0; i < d->table->nnote; i++)
        y = draw_sentence(c, d, d->table->note[i], SIZE_NOTE, PALE, y);
    return y + PAD * c->scale;
}

static int draw_on(struct canvas *c, const void *data, struct err *)
{
    draw(c, data);
    return 0;
}

/* For a sentence, within bounds. */
static void widen(struct drawing *d, struct canvas *c, const char *text, double size)
{
    const struct text t = sentence_of(text, size, 0);

    if (text)
        d->inner = fmax(d->inner, fmin(text_width(c, &t), LEAST_WIDTH * c->scale));
}

/* Also the sides of the page, in mm. */
static int lay_out(struct drawing *d, struct page *page, struct err *err)
{
    const struct grid *g = d->grid;
    struct canvas c;

    page->width_mm = page->height_mm = 0;
    if (canvas_open(&c, page, err) < 0)
        return -1;
    for (size_t i = 0; i < g->ncolumn; i++) {
        for (size_t r = 0; r < g->nhead + g->nrow; r++) {
            char digits[CELL_DIGITS + 4];
            const struct text t = cell_text_of(grid_at(g, r, i), r < g->nhead, digits);

            d->width[i] = fmax(d->width[i], text_width(&c, &t));
        }
        d->inner += d->width[i] + (i ? COLUMN_GAP * c.scale : 0);
    }
    widen(d, &c, d->plan->title, SIZE_HEAD);
    widen(d, &c, d->plan->common, SIZE_TICK);
    for (size_t i = 0; i < d->table->nnote; i++)
        widen(d, &c, d->table->note[i], SIZE_NOTE);
    d->height = draw(&c, d);
    for (size_t i = 0; i < c.nbox; i++)             /* a name that is wider than all that */
        d->inner = fmax(d->inner, c.box[i].x[1] - PAD * c.scale);
    page->width_mm = fmax((d->inner + 2 * PAD * c.scale) * 25.4 / 72, PAGE_LEAST);
    page->height_mm = fmax(d->height * 25.4 / 72, PAGE_LEAST);
    canvas_close(&c);
    if (page->width_mm > PAGE_MOST || page->height_mm > PAGE_MOST)
        return err_set(err, ERR_DOMAIN, "drawn, the table is %.0f x %.0f mm, and a page has up to %.0f; choose rows by "
                       "--top or columns by --columns", page->width_mm, page->height_mm, PAGE_MOST);
    return 0;
}

int drawn_block(struct table_writer *w, const struct grid *g, bool first, struct err *err)
{
    struct drawing d = { .table = w->table, .grid = g, .plan = &((struct cells *)w->own)->plan,
                         .width = calloc(g->ncolumn + 1, sizeof *d.width) };
    const struct figure figure = { .draw = draw_on, .data = &d, .title = d.plan->title };
    struct page page = w->view->page ? *w->view->page : (struct page){ 0 };
    struct sink sink = { 0 };
    int ret = -1;

    if (!d.width)
        return err_memory(err);
    if (!first || table_rows(&((struct cells *)w->own)->held) >= CELLS_HELD)
        err_set(err, ERR_DOMAIN, "a table of %d rows and more is not drawn; choose some by --top", CELLS_HELD);
    else if (lay_out(&d, &page, err) == 0 &&
             figure_draw(&sink, &figure, &page, plot_find(w->format->name, NULL), err) == 0)
        ret = 0;
    if (ret == 0)
        fwrite(sink.bytes, 1, sink.n, w->stream);
    FREE(sink.bytes, d.width);
    return ret;
}
