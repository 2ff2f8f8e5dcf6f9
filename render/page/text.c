/* text.c -- text on a canvas: measured before it is put, and remembered where it stands. Pango lays out a text in some
 * 20 us, and labels are measured again and again until they have a place: what is known of a text is kept. */
#include <pango/pango.h>

#include "render/page/canvas.h"
#include "graph/base/utf8.h"

#define OFF_PAGE 0.5            /* points that text may stand off the page, */
#define ON_TEXT 0.05            /* or on other text, for rounding */
#define KEPT 256                /* bytes of a text and how it is laid out: longer ones are measured each time */

char *line_of(struct canvas *c, const char *text)
{
    char *line = utf8_line(text);

    c->failed = c->failed || !line;
    return line;
}

char *markup_of(struct canvas *c, const char *text)
{
    char *line = line_of(c, text), *markup = line ? g_markup_escape_text(line, -1) : NULL;

    free(line);
    return markup;
}

double text_height(const struct canvas *c, double size)
{
    return size * c->scale * (c->ascent + c->descent);
}

static void set_font(struct canvas *c, const struct text *t)
{
    PangoFontDescription *font = pango_font_description_copy(pango_layout_get_font_description(c->layout));

    pango_font_description_set_absolute_size(font, t->size * c->scale * PANGO_SCALE);
    pango_font_description_set_weight(font, t->bold ? PANGO_WEIGHT_BOLD : PANGO_WEIGHT_NORMAL);
    pango_layout_set_font_description(c->layout, font);
    pango_font_description_free(font);
}

static void lay_out(struct canvas *c, const struct text *t)
{
    char *line;

    set_font(c, t);
    pango_layout_set_width(c->layout, t->width > 0 ? (int)(t->width * PANGO_SCALE) : -1);
    pango_layout_set_height(c->layout, t->width > 0 && t->lines > 1 ? -t->lines : -1);
    pango_layout_set_wrap(c->layout, PANGO_WRAP_WORD_CHAR);
    pango_layout_set_alignment(c->layout, t->centre ? PANGO_ALIGN_CENTER : PANGO_ALIGN_LEFT);
    pango_layout_set_ellipsize(c->layout, t->width <= 0 ? PANGO_ELLIPSIZE_NONE :
                               t->middle ? PANGO_ELLIPSIZE_MIDDLE : PANGO_ELLIPSIZE_END);
    pango_layout_set_single_paragraph_mode(c->layout, TRUE);
    if (t->markup) {
        pango_layout_set_markup(c->layout, t->text, -1);
        return;
    }
    line = line_of(c, t->text);
    pango_layout_set_attributes(c->layout, NULL);
    pango_layout_set_text(c->layout, line ? line : "", -1);
    free(line);
}

/* What is known of the text as it is to be laid out, with w < 0 if it is new; NULL: nothing is kept of it. */
static struct text_extent *kept(struct canvas *c, const struct text *t)
{
    const struct { double size, width; int lines, how; } look = {
        t->size, t->width, t->lines, t->bold | t->markup << 1 | t->middle << 2 | t->centre << 3
    };
    const size_t len = sizeof look + strlen(t->text);
    const int n = c->texts.n;
    char key[KEPT], *own;
    struct err ignored;
    int at;

    if (len > sizeof key || GROW(&c->extent_room, (size_t)n + 1, "texts", &ignored, GROWN(c->extent)) < 0)
        return NULL;
    memcpy(key, &look, sizeof look);
    memcpy(key + sizeof look, t->text, len - sizeof look);
    at = names_add(&c->texts, key, len, &ignored);
    if (at < n)
        return at < 0 ? NULL : &c->extent[at];
    own = malloc(len);
    if (!own) {
        c->texts.n--;
        canvas_forget(c);
        return NULL;
    }
    c->texts.name[at].text = memcpy(own, key, len);
    c->extent[at] = (struct text_extent){ .w = -1, .number = at };
    return &c->extent[at];
}

static struct text_extent measured(struct canvas *c, const struct text *t)
{
    PangoRectangle logical;
    struct text_extent e;
    double baseline;

    lay_out(c, t);
    baseline = pango_units_to_double(pango_layout_get_baseline(c->layout));
    pango_layout_get_extents(c->layout, NULL, &logical);
    e.w = pango_units_to_double(logical.width);
    e.left = pango_units_to_double(logical.x);
    e.single = pango_layout_get_line_count(c->layout) == 1;
    e.h = e.single ? text_height(c, t->size) : pango_units_to_double(logical.height);
    e.baseline = e.single ? t->size * c->scale * c->ascent : baseline - pango_units_to_double(logical.y);
    e.top = baseline - e.baseline;
    e.cut = pango_layout_is_ellipsized(c->layout);
    return e;
}

static struct text_extent extent_of(struct canvas *c, const struct text *t)
{
    struct text_extent *known = kept(c, t), e;

    if (known && known->w >= 0)
        return *known;
    e = measured(c, t);
    e.number = c->laid = known ? known->number : -1;
    if (known)
        *known = e;
    return e;
}

void text_measure(struct canvas *c, const struct text *t, double *width, double *height)
{
    const struct text_extent e = extent_of(c, t);

    *width = e.w;
    *height = e.h;
}

double text_width(struct canvas *c, const struct text *t)
{
    return extent_of(c, t).w;
}

double text_high(struct canvas *c, const struct text *t)
{
    return extent_of(c, t).h;
}

bool text_cut(struct canvas *c, const struct text *t)
{
    return extent_of(c, t).cut;
}

/* ---- where text stands ------------------------------------------------------------------------------- */

/* Top left of the box relative to the point it is put at. */
static void offset(const struct canvas *c, const struct text *t, const struct text_extent *e, double along, double across,
                   double *dx, double *dy)
{
    *dx = -along * e->w;
    *dy = across == 0.5 && e->single ? t->size * c->scale * c->capital / 2 - e->baseline : -across * e->h;
}

static struct text_box box_at(double x, double y, double angle, double dx, double dy, double w, double h)
{
    const double px[4] = { dx, dx + w, dx + w, dx }, py[4] = { dy, dy, dy + h, dy + h };
    struct text_box b = { .text = false };

    for (int i = 0; i < 4; i++) {
        b.x[i] = x + cos(angle) * px[i] - sin(angle) * py[i];
        b.y[i] = y + sin(angle) * px[i] + cos(angle) * py[i];
    }
    return b;
}

static void remember(struct canvas *c, const struct text_box *b)
{
    struct err ignored;

    if (GROW(&c->box_room, c->nbox + 1, "texts on the page", &ignored, GROWN(c->box)) < 0)
        c->failed = true;
    else
        c->box[c->nbox++] = *b;
}

void text_keep_off(struct canvas *c, const struct rect *r)
{
    const struct text_box b = box_at(r->x, r->y, 0, 0, 0, r->w, r->h);

    remember(c, &b);
}

/* Projections of both boxes on the direction (u, v) leave a gap between them, or overlap by no more than `play`? */
static bool parted(const struct text_box *a, const struct text_box *b, double u, double v, double play)
{
    double lo[2] = { INFINITY, INFINITY }, hi[2] = { -INFINITY, -INFINITY };

    for (int i = 0; i < 4; i++) {
        double p = a->x[i] * u + a->y[i] * v, q = b->x[i] * u + b->y[i] * v;

        lo[0] = fmin(lo[0], p);
        hi[0] = fmax(hi[0], p);
        lo[1] = fmin(lo[1], q);
        hi[1] = fmax(hi[1], q);
    }
    play *= hypot(u, v);
    return hi[0] <= lo[1] + play || hi[1] <= lo[0] + play;
}

/* Separating axes: two convex quadrangles are apart when a line along one of their sides parts them. */
static bool touch(const struct text_box *a, const struct text_box *b, double play)
{
    const struct text_box *both[2] = { a, b };

    for (int k = 0; k < 2; k++)
        for (int i = 0; i < 2; i++) {
            double dx = both[k]->x[i + 1] - both[k]->x[i], dy = both[k]->y[i + 1] - both[k]->y[i];

            if (parted(a, b, -dy, dx, play))
                return false;
        }
    return true;
}

static bool text_within(const struct text_box *b, const struct rect *r)
{
    for (int i = 0; i < 4; i++)
        if (b->x[i] < r->x || b->x[i] > r->x + r->w || b->y[i] < r->y || b->y[i] > r->y + r->h)
            return false;
    return true;
}

static double top_of(const struct text_box *b)
{
    return fmin(fmin(b->y[0], b->y[1]), fmin(b->y[2], b->y[3]));
}

static int by_top(const void *a, const void *b)
{
    return (top_of(a) > top_of(b)) - (top_of(a) < top_of(b));
}

/* A sweep from the top down: each text is compared with those that begin above its bottom. */
bool text_crowded(struct canvas *c)
{
    const struct rect page = { -OFF_PAGE, -OFF_PAGE, c->width + 2 * OFF_PAGE, c->height + 2 * OFF_PAGE };

    if (c->nbox)
        qsort(c->box, c->nbox, sizeof *c->box, by_top);
    for (size_t i = 0; i < c->nbox; i++) {
        const struct text_box *b = &c->box[i];
        const double bottom = fmax(fmax(b->y[0], b->y[1]), fmax(b->y[2], b->y[3]));

        if (b->text && !text_within(b, &page))
            return true;
        for (size_t k = i + 1; b->text && k < c->nbox && top_of(&c->box[k]) < bottom; k++)
            if (c->box[k].text && touch(b, &c->box[k], ON_TEXT))
                return true;
    }
    return false;
}

static void put(struct canvas *c, const struct text *t, const struct text_extent *e, double x, double y, double dx,
                double dy, double angle)
{
    struct text_box b = box_at(x, y, angle, dx, dy, e->w, e->h);
    const struct rgb ink = t->inked ? t->ink : t->white ? grey(1) : grey(t->grey > 0 ? t->grey : INK);

    b.text = true;
    c->cut += e->cut || t->shortened;
    if (t->shortened)
        canvas_tell(c, "Names are shortened.");
    remember(c, &b);
    if (!canvas_draws(c) || !(e->w > 0))
        return;
    if (e->number < 0 || e->number != c->laid)
        lay_out(c, t);
    c->laid = e->number;
    c->device->text(c, x, y, angle, x + dx - e->left, y + dy - e->top, &ink, t->halo ? 2 * c->scale : 0);
}

void text_on(struct text *t, struct rgb ground)
{
    const double least = 4.5, light = rgb_luminance(ground) + 0.05;

    t->white = 1.05 / light >= least;
    t->grey = light / (rgb_luminance(grey(INK)) + 0.05) >= least ? INK : 1e-3;
}

void text_put(struct canvas *c, const struct text *t, double x, double y, double along, double across, double angle)
{
    const struct text_extent e = extent_of(c, t);
    double dx, dy;

    offset(c, t, &e, along, across, &dx, &dy);
    put(c, t, &e, x, y, dx, dy, angle);
}

bool text_try(struct canvas *c, const struct text *t, double x, double y, double along, double across, double angle,
              const struct rect *bounds, double gap)
{
    struct text_box b;
    const struct text_extent e = extent_of(c, t);
    double dx, dy;

    offset(c, t, &e, along, across, &dx, &dy);
    b = box_at(x, y, angle, dx - gap, dy - gap, e.w + 2 * gap, e.h + 2 * gap);
    if (!text_within(&b, bounds))
        return false;
    for (size_t i = 0; i < c->nbox; i++)
        if (touch(&b, &c->box[i], 0))
            return false;
    put(c, t, &e, x, y, dx, dy, angle);
    return true;
}
