#include "render/chart.h"

#include <stdlib.h>
#include <string.h>

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

void chart_init(struct chart *c, const char *kind)
{
    *c = (struct chart){ .kind = kind };
}

static void axis_release(struct axis *a)
{
    free(a->title);
    free(a->unit);
    for (size_t i = 0; i < a->ncategory; i++)
        free(a->category[i]);
    free(a->category);
}

void chart_release(struct chart *c)
{
    for (size_t i = 0; i < c->nseries; i++) {
        free(c->series[i].name);
        free(c->series[i].x);
        free(c->series[i].y);
    }
    free(c->series);
    free(c->title);
    axis_release(&c->x);
    axis_release(&c->y);
    *c = (struct chart){ 0 };
}

int chart_series(struct chart *c, const char *name)
{
    struct series *more;
    char *copy;

    for (size_t i = 0; i < c->nseries; i++)
        if (strcmp(c->series[i].name ? c->series[i].name : "", name ? name : "") == 0)
            return (int)i;
    more = realloc(c->series, (c->nseries + 1) * sizeof *more);
    if (!more)
        return -1;
    c->series = more;
    copy = text_copy(name ? name : "", name ? strlen(name) : 0);
    if (!copy)
        return -1;
    c->series[c->nseries] = (struct series){ .name = copy, .look = c->nseries };
    return (int)c->nseries++;
}

int chart_point(struct chart *c, int series, double x, double y)
{
    struct series *s;

    if (series < 0 || (size_t)series >= c->nseries)
        return -1;
    s = &c->series[series];
    if (s->n == s->room) {
        size_t room = s->room ? 2 * s->room : 16;
        double *mx = realloc(s->x, room * sizeof *mx), *my;

        s->x = mx ? mx : s->x;
        my = mx ? realloc(s->y, room * sizeof *my) : NULL;
        if (!my)
            return -1;
        s->y = my;
        s->room = room;
    }
    s->x[s->n] = x;
    s->y[s->n++] = y;
    return 0;
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

int chart_category(struct axis *a, const char *name)
{
    char **more;

    for (size_t i = 0; i < a->ncategory; i++)
        if (strcmp(a->category[i], name) == 0)
            return (int)i;
    more = realloc(a->category, (a->ncategory + 1) * sizeof *more);
    if (!more)
        return -1;
    a->category = more;
    more[a->ncategory] = text_copy(name, strlen(name));
    return more[a->ncategory] ? (int)a->ncategory++ : -1;
}
