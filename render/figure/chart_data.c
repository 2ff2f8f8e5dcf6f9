#include "render/figure/chart_data.h"

#include <stdlib.h>
#include <string.h>

#include "graph/base/text.h"

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
