#include "render/chart.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graph/base/num.h"
#include "graph/base/text.h"

#define X(name) extern const struct chart_kind chart_##name;
#include "registry/chart.inc"
#undef X
const struct chart_kind *const chart_all[] = {
#define X(name) &chart_##name,
#include "registry/chart.inc"
#undef X
    NULL };

const struct chart_kind *chart_kind_by_name(const char *name)
{
    for (size_t i = 0; chart_all[i]; i++)
        if (strcmp(chart_all[i]->name, name) == 0)
            return chart_all[i];
    return NULL;
}

/* ---- building ---------------------------------------------------------------------------------------- */

void chart_init(struct chart *c, const char *kind)
{
    *c = (struct chart){ .kind = kind };
    c->x.from = c->x.to = c->y.from = c->y.to = c->z.from = c->z.to = NAN;
}

static void words_release(char **word, size_t n)
{
    for (size_t i = 0; i < n; i++)
        free(word[i]);
    free(word);
}

static void axis_release(struct axis *a)
{
    free(a->title);
    free(a->unit);
    words_release(a->category, a->ncategory);
}

void chart_release(struct chart *c)
{
    for (size_t i = 0; i < c->nseries; i++) {
        free(c->series[i].name);
        free(c->series[i].at);
    }
    free(c->series);
    free(c->title);
    words_release(c->panel, c->npanel);
    words_release(c->word, c->nword);
    axis_release(&c->x);
    axis_release(&c->y);
    axis_release(&c->z);
    *c = (struct chart){ 0 };
}

/* A copy of the word at the end of a list; NULL: memory. */
static char *words_add(char ***list, size_t *n, const char *word)
{
    char **more = realloc(*list, (*n + 1) * sizeof *more);

    if (!more)
        return NULL;
    *list = more;
    more[*n] = text_copy(word, strlen(word));
    return more[*n] ? more[(*n)++] : NULL;
}

static int words_find(char **list, size_t n, const char *word)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(list[i], word) == 0)
            return (int)i;
    return -1;
}

int chart_series(struct chart *c, const char *name, size_t panel)
{
    struct series *more;
    size_t look = 0;
    bool known = false;         /* in another panel */
    char *copy;

    for (size_t i = 0; i < c->nseries; i++) {
        bool same = strcmp(c->series[i].name, name ? name : "") == 0;

        if (same && c->series[i].panel == panel)
            return (int)i;
        if (same && !known)
            look = c->series[i].look;
        else if (!known && look <= c->series[i].look)
            look = c->series[i].look + 1;
        known = known || same;
    }
    more = realloc(c->series, (c->nseries + 1) * sizeof *more);
    if (!more)
        return -1;
    c->series = more;
    copy = text_copy(name ? name : "", name ? strlen(name) : 0);
    if (!copy)
        return -1;
    c->series[c->nseries] = (struct series){ .name = copy, .look = look, .panel = panel };
    return (int)c->nseries++;
}

int chart_datum(struct chart *c, int series, struct datum d)
{
    struct series *s;

    if (series < 0 || (size_t)series >= c->nseries)
        return -1;
    s = &c->series[series];
    if (s->n == s->room) {
        size_t room = s->room ? 2 * s->room : 16;
        struct datum *more = realloc(s->at, room * sizeof *more);

        if (!more)
            return -1;
        s->at = more;
        s->room = room;
    }
    s->at[s->n++] = d;
    return 0;
}

int chart_panel(struct chart *c, const char *title)
{
    int at = words_find(c->panel, c->npanel, title);

    return at >= 0 ? at : words_add(&c->panel, &c->npanel, title) ? (int)c->npanel - 1 : -1;
}

const char *chart_word(struct chart *c, const char *word)
{
    int at = words_find(c->word, c->nword, word);

    return at >= 0 ? c->word[at] : words_add(&c->word, &c->nword, word);
}

int chart_category(struct axis *a, const char *name)
{
    int at = words_find(a->category, a->ncategory, name);

    return at >= 0 ? at : words_add(&a->category, &a->ncategory, name) ? (int)a->ncategory - 1 : -1;
}

int chart_axis(struct axis *a, const char *title, const char *unit)
{
    char *t = title ? text_copy(title, strlen(title)) : NULL, *u = unit ? text_copy(unit, strlen(unit)) : NULL;

    if ((title && !t) || (unit && !u)) {
        free(t);
        free(u);
        return -1;
    }
    free(a->title);
    free(a->unit);
    a->title = t;
    a->unit = u;
    return 0;
}

/* ---- in words ---------------------------------------------------------------------------------------- */

static void print_range(FILE *f, const char *which, const struct axis *a, double lo, double hi)
{
    char from[32], to[32];

    if (a->ncategory) {
        fprintf(f, " %s: %s; %zu categories from %s to %s.", which, a->title ? a->title : "", a->ncategory,
                a->category[0], a->category[a->ncategory - 1]);
        return;
    }
    if (!(lo <= hi))
        return;
    snprintf(from, sizeof from, "%.6g", lo);
    snprintf(to, sizeof to, "%.6g", hi);
    fprintf(f, " %s: %s%s%s%s%sfrom %s to %s.", which, a->title ? a->title : "", a->title ? " " : "", a->unit ? "[" : "",
            a->unit ? a->unit : "", a->unit ? "] " : "", from, to);
}

char *chart_describe(const struct chart *c)
{
    const struct chart_kind *kind = chart_kind_by_name(c->kind);
    double lo[3] = { INFINITY, INFINITY, INFINITY }, hi[3] = { -INFINITY, -INFINITY, -INFINITY };
    char *text = NULL;
    size_t len, points = 0;
    FILE *f = open_memstream(&text, &len);

    if (!f)
        return NULL;
    for (size_t i = 0; i < c->nseries; i++)
        for (size_t p = 0; p < c->series[i].n; p++) {
            const struct datum *d = &c->series[i].at[p];
            const double v[3] = { d->x, d->y, d->z };

            points++;
            for (int k = 0; k < 3; k++)
                if (isfinite(v[k])) {
                    lo[k] = fmin(lo[k], v[k]);
                    hi[k] = fmax(hi[k], v[k]);
                }
        }
    fprintf(f, "%s: %s. %zu points.", c->kind, kind ? kind->summary : "", points);
    print_range(f, "Across", &c->x, lo[0], hi[0]);
    print_range(f, "Up", &c->y, lo[1], hi[1]);
    print_range(f, "Value", &c->z, lo[2], hi[2]);
    for (size_t i = 0; i < c->nseries && i < 20; i++)
        if (*c->series[i].name)
            fprintf(f, "%s%s", i == 0 ? " Series: " : ", ", c->series[i].name);
    if (c->nseries > 20)
        fprintf(f, " and %zu more", c->nseries - 20);
    if (fclose(f) != 0) {
        free(text);
        return NULL;
    }
    return text;
}

/* ---- drawing ----------------------------------------------------------------------------------------- */

static int draw(struct canvas *canvas, const void *data, struct err *err)
{
    const struct chart *c = data;
    const struct chart_kind *kind = chart_kind_by_name(c->kind);

    if (!kind)
        return err_set(err, ERR_USAGE, "there is no kind of chart '%.60s'", c->kind);
    return kind->draw(canvas, c, err);
}

/* "Mean length against nodes" where there is no title. */
static char *name_of(const struct chart *c)
{
    char *text = NULL;
    size_t len;
    FILE *f;

    if (c->title && *c->title)
        return text_copy(c->title, strlen(c->title));
    f = open_memstream(&text, &len);
    if (!f)
        return NULL;
    if (c->z.title)
        fprintf(f, "%s against %s and %s", c->z.title, c->x.title ? c->x.title : "x", c->y.title ? c->y.title : "y");
    else
        fprintf(f, "%s against %s", c->y.title ? c->y.title : "Values", c->x.title ? c->x.title : "x");
    if (fclose(f) != 0) {
        free(text);
        return NULL;
    }
    return text;
}

int chart_draw(struct sink *sink, const struct chart *c, const struct page *page, const struct plot_format *format,
               struct err *err)
{
    struct figure f = { .draw = draw, .data = c, .title = name_of(c), .description = chart_describe(c) };
    int ret = f.title && f.description ? figure_draw(sink, &f, page, format, err) : err_memory(err);

    free(f.title);
    free(f.description);
    return ret;
}

int chart_write(const struct chart *c, const struct page *page, const char *path, struct err *err)
{
    struct figure f = { .draw = draw, .data = c, .title = name_of(c), .description = chart_describe(c) };
    int ret = f.title && f.description ? figure_write(&f, page, path, err) : err_memory(err);

    free(f.title);
    free(f.description);
    return ret;
}
