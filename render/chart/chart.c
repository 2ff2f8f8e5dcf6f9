#include "render/chart/chart.h"

#include <stdint.h>
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
    free(a->index.slot);
}

void chart_release(struct chart *c)
{
    for (size_t i = 0; i < c->nseries; i++) {
        free(c->series[i].name);
        free(c->series[i].at);
    }
    for (size_t i = 0; i < c->nrule; i++)
        free(c->rule[i].text);
    free(c->rule);
    free(c->series);
    free(c->title);
    words_release(c->panel, c->npanel);
    words_release(c->word, c->nword);
    free(c->panel_index.slot);
    free(c->word_index.slot);
    axis_release(&c->x);
    axis_release(&c->y);
    axis_release(&c->z);
    *c = (struct chart){ 0 };
}

/* FNV-1a. */
static size_t hash(const char *word)
{
    uint64_t h = 14695981039346656037u;

    for (; *word; word++)
        h = (h ^ (unsigned char)*word) * 1099511628211u;
    return (size_t)(h ^ h >> 32);
}

/* The slot that holds the word's place + 1, or 0 where the word is to go. There is a free one. */
static size_t *slot_of(const struct word_index *x, char **list, const char *word)
{
    size_t at = hash(word) & (x->n - 1);

    while (x->slot[at] && strcmp(list[x->slot[at] - 1], word) != 0)
        at = (at + 1) & (x->n - 1);
    return &x->slot[at];
}

/* Room for one more of n words, half of the slots free. */
static int index_grow(struct word_index *x, char **list, size_t n)
{
    struct word_index more = { .n = x->n ? 2 * x->n : 64 };

    if (2 * (n + 1) <= x->n)
        return 0;
    more.slot = calloc(more.n, sizeof *more.slot);
    if (!more.slot)
        return -1;
    for (size_t i = 0; i < n; i++)
        *slot_of(&more, list, list[i]) = i + 1;
    free(x->slot);
    *x = more;
    return 0;
}

/* The place of a word, a copy of which is added at the end when it is new; -1: memory. */
static int words_place(struct word_index *x, char ***list, size_t *n, const char *word)
{
    size_t *slot;

    if (index_grow(x, *list, *n) < 0)
        return -1;
    slot = slot_of(x, *list, word);
    if (*slot)
        return (int)(*slot - 1);
    if ((*n & (*n - 1)) == 0) {         /* the room is the power of two that *n has just filled */
        char **more = realloc(*list, (*n ? 2 * *n : 1) * sizeof *more);

        if (!more)
            return -1;
        *list = more;
    }
    (*list)[*n] = text_copy(word, strlen(word));
    if (!(*list)[*n])
        return -1;
    *slot = ++*n;
    return (int)(*n - 1);
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

int chart_rule(struct chart *c, double x, const char *text, size_t look, size_t panel)
{
    struct rule *more;
    char *copy;

    if (!isfinite(x))
        return 0;
    more = realloc(c->rule, (c->nrule + 1) * sizeof *more);
    if (!more)
        return -1;
    c->rule = more;
    copy = text_copy(text ? text : "", text ? strlen(text) : 0);
    if (!copy)
        return -1;
    c->rule[c->nrule++] = (struct rule){ .x = x, .text = copy, .look = look, .panel = panel };
    return 0;
}

int chart_panel(struct chart *c, const char *title)
{
    return words_place(&c->panel_index, &c->panel, &c->npanel, title);
}

const char *chart_word(struct chart *c, const char *word)
{
    int at = words_place(&c->word_index, &c->word, &c->nword, word);

    return at < 0 ? NULL : c->word[at];
}

int chart_category(struct axis *a, const char *name)
{
    return words_place(&a->index, &a->category, &a->ncategory, name);
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

static void print_rules(FILE *f, const struct chart *c)
{
    for (size_t i = 0; i < c->nrule && i < 20; i++)
        fprintf(f, "%s%s%sat %.6g", i == 0 ? " Vertical lines: " : ", ", c->rule[i].text, *c->rule[i].text ? " " : "",
                c->rule[i].x);
    if (c->nrule > 20)
        fprintf(f, " and %zu more", c->nrule - 20);
    if (c->nrule)
        fputs(".", f);
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
    if (kind && kind->rules && !c->x.ncategory)
        print_rules(f, c);
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
