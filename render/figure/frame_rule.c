/* frame_rule.c -- rules on a frame: dashed lines behind the data, and texts beside them where there is room. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graph/base/mem.h"
#include "graph/base/text.h"
#include "render/figure/frame_parts.h"

#define BESIDE 3.0              /* points between a line and its text, and between texts */
#define APART 4.0               /* a text that crosses other lines begins where only one line is that near */
#define TEXTS_TRIED 60          /* in a panel */

struct pen frame_rule_pen(const struct canvas *c, size_t look)
{
    return (struct pen){ .colour = look == RULE_GREY ? grey(PALE) : series_colour(c, look), .width = 0.8,
                         .dash = { 4, 2.5 }, .ndash = 2 };
}

bool frame_rule_inside(const struct frame *f, const struct rule *r)
{
    const double eps = 1e-9, at = f->x.kind == LOGARITHMIC && r->x <= 0 ? -1 : scale_at(&f->x, r->x);

    return at >= -eps && at <= 1 + eps;
}

/* Where the i-th rule stands in the present panel, which is that one; NaN: nowhere. */
double frame_rule_at(const struct frame *f, size_t panel, size_t i)
{
    const struct rule *r = &f->chart->rule[i];

    if (!f->want.rules || !f->drawn || f->chart->x.ncategory || (r->panel != RULE_EVERYWHERE && r->panel != panel) ||
        !frame_rule_inside(f, r))
        return NAN;
    return frame_x(f, fmin(fmax(scale_at(&f->x, r->x), 0), 1));
}

void frame_rules(const struct frame *f, size_t panel)
{
    struct canvas *c = f->canvas;
    char number[32];

    for (size_t i = 0; i < f->chart->nrule; i++) {
        const struct rule *r = &f->chart->rule[i];
        const struct pen pen = frame_rule_pen(c, r->look);
        double x = frame_rule_at(f, panel, i);

        if (isnan(x))
            continue;
        snprintf(number, sizeof number, "%.6g", r->x);
        canvas_begin(c, "rule", *r->text ? r->text : number);
        canvas_segment(c, x, f->data.y + f->data.h, x, f->data.y);
        canvas_stroke(c, &pen);
        canvas_end(c);
    }
}

/* ---- where it stands --------------------------------------------------------------------------------- */

/* Does the box of the text of a rule at x overlap another rule? `near`: does it only begin too near to one? */
static bool on_rules(const struct frame *f, size_t panel, const struct rect *r, double x, bool near)
{
    const bool right = r->x > x;
    const double from = !near ? r->x - 1 : right ? x : x - APART, to = !near ? r->x + r->w + 1 : right ? x + APART : x;

    for (size_t i = 0; i < f->chart->nrule; i++) {
        double other = frame_rule_at(f, panel, i);

        if (other > from && other < to && fabs(other - x) > 0.5)
            return true;
    }
    return false;
}

/* Right or left of the line, level or along it, so many lines of text below the top. */
struct stand {
    bool left, along;
    int line;
};
enum { ON_RULES = 1, ON_DATA = 2 };

static bool stands(const struct frame *f, size_t panel, const struct text *t, double x, struct stand s, int may)
{
    const double top = f->data.y + BESIDE + 0.1;
    double w, h, y;
    struct rect r;

    text_measure(f->canvas, t, &w, &h);
    y = top + s.line * (h + BESIDE + 0.1);
    r = (struct rect){ .y = y, .w = s.along ? h : w, .h = s.along ? w : h };
    r.x = s.left ? x - BESIDE - r.w : x + BESIDE;
    if (on_rules(f, panel, &r, x, may & ON_RULES) || (!(may & ON_DATA) && frame_on_data(f, panel, &r)))
        return false;
    return text_try(f->canvas, t, s.left ? x - BESIDE : x + BESIDE, y, s.along ? 1 : s.left, s.along ? s.left : 0,
                    s.along ? -G_PI / 2 : 0, &f->data, BESIDE - 0.1);
}

/* Within the upper half, first where it lies on nothing. */
static bool frame_rule_put_text(const struct frame *f, size_t panel, const struct rule *r, double x)
{
    const struct text t = { .text = r->text, .size = SIZE_NOTE, .halo = true };
    const int lines = (int)fmax(1, 0.5 * f->data.h / (text_height(f->canvas, SIZE_NOTE) + BESIDE));

    for (int may = 0; may <= (f->canvas->width < PAGE_NARROW ? ON_RULES : ON_RULES | ON_DATA); may++) {
        for (int left = 0; left < 2; left++)
            if (stands(f, panel, &t, x, (struct stand){ left, false, 0 }, may))
                return true;
        for (int left = 0; left < 2; left++)
            if (stands(f, panel, &t, x, (struct stand){ left, true, 0 }, may))
                return true;
        for (int k = 2; k < 2 * lines; k++)
            if (stands(f, panel, &t, x, (struct stand){ k % 2, false, k / 2 }, may))
                return true;
    }
    return false;
}

/* Marks in `missing` (may be NULL) the texts that have no room. */
static void put_texts(const struct frame *f, size_t panel, bool *missing)
{
    size_t tried = 0;

    for (size_t i = 0; f->want.rule_texts && i < f->chart->nrule; i++) {
        const struct rule *r = &f->chart->rule[i];
        double x = frame_rule_at(f, panel, i);

        if (isnan(x) || !*r->text || (f->rule_told && f->rule_told[i]))
            continue;
        if ((tried++ >= TEXTS_TRIED || !frame_rule_put_text(f, panel, r, x)) && missing)
            missing[i] = true;
    }
}

void frame_rule_texts(const struct frame *f, size_t panel)
{
    put_texts(f, panel, NULL);
}

/* ---- in the legend ----------------------------------------------------------------------------------- */

/* The name includes the place of the rule, which tells grey lines apart; rules that panels have at places of their own
 * are named once. */
static int name_rule(struct frame *f, size_t i, struct err *err)
{
    const struct rule *r = &f->chart->rule[i];
    char number[32];
    char *name = NULL;

    snprintf(number, sizeof number, "%.6g", r->x);
    if (r->placed || (f->npanel > 1 && r->panel != RULE_EVERYWHERE))
        name = text_copy(r->text, strlen(r->text));
    else if (asprintf(&name, "%s (%s)", r->text, number) < 0)
        name = NULL;
    if (!name)
        return err_memory(err);
    f->rule_name[i] = name;
    f->rule_told[i] = true;
    return 0;
}

static bool in_legend(const struct legend *l, const char *name, size_t look)
{
    for (size_t i = 0; i < l->n; i++)
        if (l->entry[i].sample == SAMPLE_RULE && l->entry[i].look == look && strcmp(l->entry[i].text, name) == 0)
            return true;
    return false;
}

/* Behind the other entries, which were there first, in the chart's order. */
static int fill_legend(struct frame *f, struct err *err)
{
    while (f->legend.n && f->legend.entry[f->legend.n - 1].sample == SAMPLE_RULE)
        f->legend.n--;
    for (size_t i = 0; i < f->chart->nrule; i++) {
        const struct legend_entry e =
            { .text = f->rule_name[i], .sample = SAMPLE_RULE, .look = f->chart->rule[i].look };

        if (f->rule_told[i] && !in_legend(&f->legend, e.text, e.look) && legend_add(&f->legend, e, err) < 0)
            return -1;
    }
    return 0;
}

/* Tries all panels on the canvas without its device. */
static void try_all(struct frame *f, bool *missing)
{
    const struct device *device = f->canvas->device;
    const size_t nbox = f->canvas->nbox;

    f->canvas->device = NULL;
    frame_names_keep_off(f);
    for (size_t p = 0; p < f->npanel; p++) {
        frame_panel(f, p);
        put_texts(f, p, missing);
        frame_panel_end(f);
    }
    f->canvas->device = device;
    f->canvas->nbox = nbox;
}

int frame_rules_tell(struct frame *f, bool all, struct err *err)
{
    const size_t n = f->chart->nrule;
    bool *missing;
    int told = 0;

    if (!n || !f->want.rule_texts)
        return 0;
    f->rule_told = f->rule_told ? f->rule_told : calloc(n, sizeof *f->rule_told);
    f->rule_name = f->rule_name ? f->rule_name : calloc(n, sizeof *f->rule_name);
    missing = calloc(n, sizeof *missing);
    if (!missing || !f->rule_told || !f->rule_name) {
        free(missing);
        return err_memory(err);
    }
    try_all(f, missing);
    for (size_t i = 0; all && i < n; i++)
        missing[i] = missing[i] ||
            (*f->chart->rule[i].text && !f->rule_told[i] && frame_rule_inside(f, &f->chart->rule[i]));
    for (size_t i = 0; told >= 0 && i < n; i++)
        if (missing[i])
            told = name_rule(f, i, err) < 0 ? -1 : told + 1;
    free(missing);
    if (told > 0 && fill_legend(f, err) < 0)
        return -1;
    return told;
}

void frame_rules_forget(struct frame *f)
{
    mem_free_list(f->rule_name, f->rule_name ? f->chart->nrule : 0);
    free(f->rule_told);
    f->rule_name = NULL;
    f->rule_told = NULL;
    while (f->legend.n && f->legend.entry[f->legend.n - 1].sample == SAMPLE_RULE)
        f->legend.n--;
}
