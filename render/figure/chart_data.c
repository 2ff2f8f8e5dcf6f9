#include "render/figure/chart_data.h"

void chart_init(struct chart *c, const char *kind)
{
    *c = (struct chart){ .kind = kind };
    c->x.from = c->x.to = c->y.from = c->y.to = c->z.from = c->z.to = NAN;
}

void chart_axis_release(struct axis *a)
{
    FREE(a->title, a->unit);
    mem_free_list(a->category, a->ncategory);
    names_release(&a->index);
}

void chart_release(struct chart *c)
{
    for (size_t i = 0; i < c->nseries; i++)
        FREE(c->series[i].name, c->series[i].at);
    for (size_t i = 0; i < c->nrule; i++)
        free(c->rule[i].text);
    for (size_t i = 0; c->panel_y && i < c->npanel; i++)
        chart_axis_release(&c->panel_y[i]);
    FREE(c->rule, c->series, c->title, c->note, c->panel_y);
    mem_free_list(c->panel, c->npanel);
    mem_free_list(c->word, c->nword);
    names_release(&c->panel_index);
    names_release(&c->word_index);
    chart_axis_release(&c->x);
    chart_axis_release(&c->y);
    chart_axis_release(&c->z);
    *c = (struct chart){ 0 };
}

/* The place of a word, a copy of which is added at the end when it is new; -1: memory. */
static int words_place(struct names *names, char ***list, size_t *nlist, const char *word)
{
    const int n = names->n;
    const size_t len = strlen(word);
    char *copy = text_copy(word, len);
    struct err ignored;
    int at = -1;

    if (copy && GROW_BY((size_t)n, 1, "words of a chart", &ignored, GROWN(*list)) == 0)
        at = names_add(names, copy, len, &ignored);
    if (at == n)
        (*list)[(*nlist)++] = copy;
    else
        free(copy);
    return at;
}

int chart_series(struct chart *c, const char *name, size_t panel)
{
    struct err ignored;
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
    if (GROW_BY(c->nseries, 1, "series", &ignored, GROWN(c->series)) < 0)
        return -1;
    copy = text_copy(name ? name : "", name ? strlen(name) : 0);
    if (!copy)
        return -1;
    c->series[c->nseries] = (struct series){ .name = copy, .look = look, .panel = panel };
    return (int)c->nseries++;
}

int chart_series_like(struct chart *c, const struct series *s)
{
    int k = chart_series(c, s->name, s->panel);

    if (k < 0)
        return -1;
    c->series[k].look = s->look;
    c->series[k].over = s->over;
    c->series[k].level = s->level;
    return k;
}

bool chart_has_points(const struct chart *c)
{
    for (size_t i = 0; i < c->nseries; i++)
        for (size_t p = 0; p < c->series[i].n; p++)
            if (!isnan(c->series[i].at[p].x) && !isnan(c->series[i].at[p].y))
                return true;
    return false;
}

size_t chart_points(const struct chart *c)
{
    size_t n = 0;

    for (size_t i = 0; i < c->nseries; i++)
        n += c->series[i].n;
    return n;
}

int chart_datum(struct chart *c, int series, struct datum d)
{
    struct err ignored;
    struct series *s;

    if (series < 0 || (size_t)series >= c->nseries)
        return -1;
    s = &c->series[series];
    if (GROW_BY(s->n, 1, "points of a chart", &ignored, GROWN(s->at)) < 0)
        return -1;
    s->at[s->n++] = d;
    return 0;
}

int chart_rule(struct chart *c, double x, const char *text, size_t look, size_t panel)
{
    struct err ignored;
    char *copy;

    if (!isfinite(x))
        return 0;
    if (GROW_BY(c->nrule, 1, "rules", &ignored, GROWN(c->rule)) < 0)
        return -1;
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
        FREE(t, u);
        return -1;
    }
    FREE(a->title, a->unit);
    a->title = t;
    a->unit = u;
    return 0;
}

/* Points move along x or y to the places of their numbers in the list. */
static void number_places(const struct chart *c, bool up, const double *v, size_t n)
{
    for (size_t i = 0; i < c->nseries; i++)
        for (size_t p = 0; p < c->series[i].n; p++) {
            double *x = up ? &c->series[i].at[p].y : &c->series[i].at[p].x;
            const double *at = isfinite(*x) ? bsearch(x, v, n, sizeof *v, num_ascending_reals) : NULL;

            *x = at ? (double)(at - v) : *x;
        }
}

static int number_categories(struct chart *c, bool up)
{
    struct axis *a = up ? &c->y : &c->x;
    double *v = malloc((chart_points(c) + 1) * sizeof *v);
    int ret = v ? 0 : -1;
    size_t n = 0;

    for (size_t i = 0; v && i < c->nseries; i++)
        for (size_t p = 0; p < c->series[i].n; p++) {
            double x = up ? c->series[i].at[p].y : c->series[i].at[p].x;

            if (isfinite(x))
                v[n++] = x;
        }
    n = v ? numbers_distinct(v, n, 0) : 0;
    for (size_t i = 0; ret == 0 && i < n; i++) {
        char digits[32];

        ret = chart_category(a, num_shortest(digits, v[i])) < 0 ? -1 : 0;
    }
    if (ret == 0)
        number_places(c, up, v, n);
    free(v);
    return ret;
}

int chart_on_categories(struct chart *to, const struct chart *from, bool up)
{
    const struct axis *a = up ? &from->y : &from->x;

    for (size_t i = 0; i < from->nseries; i++) {
        const struct series *s = &from->series[i];
        int k = chart_series_like(to, s);

        for (size_t p = 0; k >= 0 && p < s->n; p++)
            if (chart_datum(to, k, s->at[p]) < 0)
                return -1;
        if (k < 0)
            return -1;
    }
    for (size_t i = 0; i < a->ncategory; i++)
        if (chart_category(up ? &to->y : &to->x, a->category[i]) < 0)
            return -1;
    return a->ncategory ? 0 : number_categories(to, up);
}

size_t *chart_places(const struct chart *c, size_t *n, struct err *err)
{
    size_t *place;

    *n = 0;
    if (TAKE("the chart", err, ZEROS(place, c->nseries + 1)) < 0)
        return NULL;
    for (size_t i = 0; i < c->nseries; i++) {
        size_t k = 0;

        while (k < i && (c->series[k].over || strcmp(c->series[k].name, c->series[i].name) != 0))
            k++;
        if (!c->series[i].over)
            place[i] = k < i ? place[k] : (*n)++;
    }
    *n += *n == 0;
    return place;
}

size_t numbers_distinct(double *v, size_t n, double same)
{
    size_t m = 0;

    qsort(v, n, sizeof *v, num_ascending_reals);
    for (size_t i = 0; i < n; i++)
        if (m == 0 || v[i] - v[m - 1] > same)
            v[m++] = v[i];
    return m;
}
