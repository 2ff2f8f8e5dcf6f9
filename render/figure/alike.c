#include "render/figure/alike.h"

static bool same_number(double a, double b)
{
    return a == b || (isnan(a) && isnan(b)) || fabs(a - b) <= 1e-12 * fabs(a);
}

static bool same_points(const struct series *a, const struct series *b)
{
    if (a->n != b->n)
        return false;
    for (size_t i = 0; i < a->n; i++) {
        const struct datum *p = &a->at[i], *q = &b->at[i];

        if (!same_number(p->x, q->x) || !same_number(p->y, q->y) || !same_number(p->lo, q->lo) ||
            !same_number(p->hi, q->hi) || p->outside != q->outside || p->label || q->label)
            return false;
    }
    return true;
}

static const struct series *in_panel(const struct chart *c, const char *name, size_t panel)
{
    for (size_t i = 0; i < c->nseries; i++)
        if (c->series[i].panel == panel && !c->series[i].over && strcmp(c->series[i].name, name) == 0)
            return &c->series[i];
    return NULL;
}

/* In every panel that either is in? */
static bool are_alike(const struct chart *c, const struct series *a, const struct series *b)
{
    bool any = false;

    if (a->over || b->over || !*a->name || !*b->name || strcmp(a->name, b->name) == 0)
        return false;
    for (size_t panel = 0; panel < (c->npanel ? c->npanel : 1); panel++) {
        const struct series *p = in_panel(c, a->name, panel), *q = in_panel(c, b->name, panel);

        if (!p != !q || (p && !same_points(p, q)))
            return false;
        any = any || (p && p->n > 0);
    }
    return any;
}

/* Every other name that the series stands for, behind its own. */
static char *joint_name(const struct chart *c, size_t i)
{
    char *name = text_copy(c->series[i].name, strlen(c->series[i].name)), *longer;

    for (size_t k = 0; name && k < c->nseries; k++) {
        if (in_panel(c, c->series[k].name, c->series[k].panel) != &c->series[k] ||
            c->series[k].panel != c->series[i].panel || !are_alike(c, &c->series[i], &c->series[k]))
            continue;
        if (asprintf(&longer, "%s = %s", name, c->series[k].name) < 0)
            longer = NULL;
        free(name);
        name = longer;
    }
    return name;
}

int alike_join(struct chart *view, const struct chart *c, struct err *err)
{
    *view = *c;
    view->series = NULL;
    view->rule = NULL;
    view->nseries = 0;
    if (TAKE("the chart", err, ZEROS(view->series, c->nseries + 1), ARRAY(view->rule, c->nrule + 1)) < 0)
        return -1;
    for (size_t r = 0; r < c->nrule; r++)
        view->rule[r] = c->rule[r];
    for (size_t i = 0; i < c->nseries; i++) {
        size_t k = 0;

        while (k < i && !are_alike(c, &c->series[k], &c->series[i]))
            k++;
        for (size_t r = 0; k < i && r < c->nrule; r++)
            if (c->rule[r].look == c->series[i].look)
                view->rule[r].look = c->series[k].look;
        view->joined = view->joined || k < i;
        if (k < i)
            continue;
        view->series[view->nseries] = c->series[i];
        if (!(view->series[view->nseries++].name = joint_name(c, i)))
            return err_memory(err);
    }
    return 0;
}

void alike_release(struct chart *view)
{
    for (size_t i = 0; i < view->nseries; i++)
        free(view->series[i].name);
    FREE(view->series, view->rule);
}
