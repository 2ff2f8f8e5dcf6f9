/* frame_axis.c -- labels along the axes of a frame. */
#include <glib.h>

#include "render/figure/frame_parts.h"

void frame_measure(struct frame *f, struct place *p)
{
    text_measure(f->canvas, &p->text, &p->w, &p->h);
}

static double label_width(void *canvas, const char *markup)
{
    struct text t = { .text = markup, .size = SIZE_TICK, .markup = true };

    return text_width(canvas, &t);
}

static double label_height(void *canvas, const char *)
{
    return text_height(canvas, SIZE_TICK);
}

/* ---- numbers ----------------------------------------------------------------------------------------- */

/* Labels of ticks where these have one: below the panel, or left of it. */
static size_t put_numbers(struct frame *f, struct place *label, const struct ticks *t, bool up)
{
    const double below = f->first.y + f->first.h + f->tick + f->gap;
    size_t n = 0;

    for (size_t i = 0; i < t->n; i++) {
        struct place *p = &label[n];

        if (!t->major[i].label[0])
            continue;
        *p = (struct place){ .text = { .text = t->major[i].label, .size = SIZE_TICK, .markup = true } };
        p->x = up ? f->first.x - f->tick - f->gap : f->first.x + t->major[i].at * f->first.w;
        p->y = up ? f->first.y + (1 - t->major[i].at) * f->first.h : below;
        p->along = up ? 1 : 0.5;
        p->across = up ? 0.5 : 0;
        frame_measure(f, p);
        n++;
    }
    return n;
}

static void y_numbers(struct frame *f)
{
    struct ruler r = { f->first.h, 5, 26 * f->canvas->scale, label_height, f->canvas };

    if (!f->settled) {                  /* the height, and with it the step of the ticks, is not settled yet */
        f->up->how.most = ticks_wanted(&r);
        scale_fit(&f->up->scale, f->up->v, f->up->n, &f->up->how);
    }
    if (!f->drawn)
        return;
    ticks_choose(&f->up->tick, &f->up->scale, &r);
    f->up->nlabel = put_numbers(f, f->up->label, &f->up->tick, true);
}

static void x_numbers(struct frame *f)
{
    struct ruler r = { f->first.w, 7, 36 * f->canvas->scale, label_width, f->canvas };

    ticks_choose(&f->xtick, &f->x, &r);
    f->nxlabel = put_numbers(f, f->xlabel, &f->xtick, false);
}

/* ---- categories -------------------------------------------------------------------------------------- */

/* Do names begin with digits? Then those between can be told from their neighbours, and are better left out than
 * turned. */
static bool are_numbers(const struct axis *a)
{
    for (size_t i = 0; i < a->ncategory; i++) {
        char *end;

        strtod(a->category[i], &end);
        if (end == a->category[i])
            return false;
    }
    return true;
}

static void shorten(struct frame *f, struct place *label, size_t n)
{
    struct text *at[SHORTEN_MOST] = { 0 };

    for (size_t i = 0; i < n && n <= SHORTEN_MOST; i++)
        at[i] = &label[i].text;
    f->shortened += n <= SHORTEN_MOST ? text_shorten(f->canvas, at, n) : 0;
    for (size_t i = 0; i < n; i++)
        frame_measure(f, &label[i]);
}

/* Every `stride`-th category, turned by `angle`. */
static void put_categories(struct frame *f, size_t stride, double angle, double width, int lines)
{
    double each = f->first.w / (double)f->chart->x.ncategory;

    for (size_t i = 0; i < f->chart->x.ncategory; i += stride) {
        struct place *p = &f->xlabel[f->nxlabel++];

        *p = (struct place){ .text = { .text = f->chart->x.category[i], .size = SIZE_TICK, .width = width,
                                       .middle = lines < 2, .lines = lines },
                             .x = f->first.x + ((double)i + 0.5) * each,
                             .y = f->first.y + f->first.h + f->tick + f->gap, .angle = angle };
        p->along = angle < 0 ? 1 : 0.5;         /* turned ones end at their tick */
        p->across = angle < 0 ? 0.5 : 0;
        if (angle < 0)
            p->y += 0.35 * SIZE_TICK * f->canvas->scale * sin(M_PI / 2 + angle);
    }
    shorten(f, f->xlabel, f->nxlabel);
}

static double widest_category(struct frame *f, const struct axis *a, size_t stride)
{
    double most = 0;

    for (size_t i = 0; i < a->ncategory; i += stride) {
        struct text t = { .text = a->category[i], .size = SIZE_TICK };

        most = fmax(most, text_width(f->canvas, &t));
    }
    return most;
}

/* Level where there is room; else numbers thinned out, and names turned: by half a right angle, by a whole one,
 * and then thinned out too. Those turned by half reach as far to the left as down: on a page that is higher than wide
 * they would leave no width to the data. */
static void x_categories(struct frame *f)
{
    const struct axis *a = &f->chart->x;
    double each = f->first.w / (double)a->ncategory, high = text_height(f->canvas, SIZE_TICK);
    double most = 0.30 * f->squeeze * f->page.h, full;
    const double narrow = 5 + 2 * f->canvas->scale;     /* no label needs less; measuring thousands takes its time */
    size_t stride = 1;

    if (are_numbers(a)) {
        stride = (size_t)fmin(fmax(1, ceil(narrow / each)), (double)a->ncategory);
        while (widest_category(f, a, stride) + 5 > each * (double)stride && stride < a->ncategory)
            stride++;
    }
    if (a->ncategory == 1 || (narrow <= each * (double)stride &&
                              widest_category(f, a, stride) + 5 <= each * (double)stride)) {
        put_categories(f, stride, 0, a->ncategory == 1 ? f->first.w : 0, a->ncategory == 1 ? 2 : 1);
    } else if (each * sin(M_PI / 4) >= high + 1) {
        most = fmin(most, 0.30 * f->page.w) / sin(M_PI / 4);
        full = widest_category(f, a, 1) + 1;
        put_categories(f, 1, -M_PI / 4, fmin(most, full), full > most && each * sin(M_PI / 4) >= 2 * high + 1 ? 2 : 1);
    } else {
        stride = (size_t)fmax(1, ceil((high + 1) / each));
        full = widest_category(f, a, stride) + 1;
        put_categories(f, stride, -M_PI / 2, fmin(most, full), full > most && each >= 2 * high + 1 ? 2 : 1);
    }
}

/* 1, 2, 4, 5 or 8, a power of two, or ten times such a number. */
static bool counts_well(size_t n)
{
    while (n % 10 == 0)
        n /= 10;
    return n == 5 || (n & (n - 1)) == 0;
}

/* The first on top, as in a table. */
static void y_categories(struct frame *f)
{
    const struct axis *a = &f->chart->y;
    const bool narrow = f->canvas->width < PAGE_NARROW;
    const double each = f->first.h / (double)a->ncategory, line = text_height(f->canvas, 1);
    double size = SIZE_TICK, high = line * size, width, most;
    size_t stride;

    if (narrow && each < high + 1 && each >= SIZE_LEAST * line + 1)     /* smaller letters before names are left out */
        size = (each - 1) / line;
    high = line * size;
    stride = (size_t)fmax(1, ceil((high + 1) / each - 1e-9));
    while (f->want.lanes && !counts_well(stride))
        stride++;
    width = widest_category(f, a, stride) * size / SIZE_TICK + 1;
    f->above = !frame_lies(f) || each <= 2 * high || !narrow ? 0 : width > f->first.w - 4 ? 2 : 1;
    f->above_h = f->above * high < 0.67 * each ? f->above * high : fmin(f->above, 1) * high;
    most = f->above ? f->first.w - 4 : (frame_lies(f) || narrow ? 0.35 : 0.25) * f->page.w;
    if (narrow && width > most && each < 2 * high)
        size = fmax(SIZE_LEAST, fmin(size, size * most / width));
    width = fmin(width, most);
    for (size_t i = 0; i < a->ncategory; i += stride) {
        struct place *p = &f->up->label[f->up->nlabel++];

        *p = (struct place){ .text = { .text = a->category[i], .size = size, .width = width,
                                       .middle = each < 2 * high || (f->above && f->above_h < 2 * high),
                                       .lines = each < 2 * high || (f->above && f->above_h < 2 * high) ? 1 : 2 },
                             .x = f->first.x - f->tick - f->gap, .y = f->first.y + ((double)i + 0.5) * each,
                             .along = 1, .across = 0.5 };
        if (f->above) {
            p->x = f->first.x + 3;
            p->y = f->first.y + (double)i * each + 1;
            p->along = p->across = 0;
        }
    }
    shorten(f, f->up->label, f->up->nlabel);
}

void frame_label_x(struct frame *f)
{
    f->nxlabel = 0;
    if (f->want.bare_x)
        f->xtick.n = f->xtick.nminor = 0;
    if (f->want.bare_x && (f->chart->x.ncategory || !f->drawn))
        return;
    if (f->chart->x.ncategory)
        x_categories(f);
    else if (f->drawn)
        x_numbers(f);
    if (f->want.bare_x)                 /* the ticks are wanted, for the grid; their labels stand elsewhere */
        f->nxlabel = 0;
}

void frame_label_y(struct frame *f)
{
    f->up->nlabel = 0;
    if (f->chart->y.ncategory && !f->own)
        y_categories(f);
    else
        y_numbers(f);
}

char *axis_name(struct canvas *c, const struct axis *a, int exponent)
{
    char *title = a->title && *a->title ? markup_of(c, a->title) : NULL;
    char *unit = a->unit && *a->unit ? markup_of(c, a->unit) : NULL;
    const bool whole = unit && !strchr(unit, ' ');      /* else "Gbit/" and "s" could stand on two lines */
    char *factor = NULL, *all = NULL;

    if (exponent)
        factor = g_strdup_printf("10%s%s%d%s", RAISED, exponent < 0 ? "\xe2\x88\x92" : "", abs(exponent), RAISED_END);
    if (unit || factor)
        all = g_strdup_printf("%s%s%s[%s%s%s]%s", title ? title : "", title ? " " : "",
                              whole ? "<span allow_breaks=\"false\">" : "", factor ? factor : "",
                              unit && factor ? " " : "", unit ? unit : "", whole ? "</span>" : "");
    else if (title)
        all = g_strdup(title);
    g_free(title);
    g_free(unit);
    g_free(factor);
    return all;
}
