/* frame_rule.c -- rules on a frame: dashed lines behind the data, and texts beside them where there is room. */
#include "render/figure/frame_parts.h"

#define BESIDE 3.0              /* points between a line and its text, and between texts */
#define APART 4.0               /* a text that crosses other lines begins where only one line is that near */
#define TEXTS_TRIED 60          /* in a panel */

struct pen frame_rule_pen(const struct canvas *c, size_t look)
{
    return (struct pen){ .colour = look == RULE_GREY ? grey(PALE) : series_colour(c, look), .width = 0.8,
                         .dash = { 4, 2.5 }, .ndash = 2 };
}

void frame_levels(const struct frame *f, size_t panel)
{
    const struct pen pen = frame_rule_pen(f->canvas, RULE_GREY), paper = pen_grey(2, 1);
    const bool lies = f->chart->y.ncategory > 0;
    struct rect at;

    for (size_t i = 0; i < f->chart->nseries; i++) {
        const struct series *s = &f->chart->series[i];

        if (!s->level || s->panel != panel || s->n == 0 || !frame_point(f, s->at->x, s->at->y, &at))
            continue;
        canvas_begin(f->canvas, "rule", s->name);
        for (int rim = 1; rim >= 0; rim--) {            /* paper below the dashes, which are seen on bars too */
            canvas_segment(f->canvas, lies ? at.x : f->data.x, lies ? f->data.y : at.y,
                           lies ? at.x : f->data.x + f->data.w, lies ? f->data.y + f->data.h : at.y);
            canvas_stroke(f->canvas, rim ? &paper : &pen);
        }
        canvas_end(f->canvas);
    }
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

enum { ON_RULES = 1, ON_DATA = 2 };
struct rule_text {
    const struct frame *f;
    size_t panel;
    double x;                   /* of the rule */
    int may;                    /* ON_RULES | ON_DATA */
};

static bool is_rule_text_blocked(const void *arg, const struct text *t, const struct text_spot *s)
{
    const struct rule_text *b = arg;
    const struct rect r = text_spot_box(b->f->canvas, t, s);

    return on_rules(b->f, b->panel, &r, b->x, b->may & ON_RULES) ||
        (!(b->may & ON_DATA) && frame_on_data(b->f, b->panel, &r));
}

/* Is it one of several rules that belong to series? */
static bool is_curves_rule(const struct chart *c, const struct rule *r)
{
    size_t n = 0;

    for (size_t i = 0; c->ruled && i < c->nrule; i++)
        n += c->rule[i].look != RULE_GREY;
    return n > 1 && r->look != RULE_GREY;
}

/* Right or left of the line: level, the nearer to the top the better, or in place of the second row along the line;
 * of several that belong to series all along their lines. */
static bool frame_rule_put_text(const struct frame *f, size_t panel, const struct rule *r, double x)
{
    const bool curves = is_curves_rule(f->chart, r);
    const struct text t = { .text = r->text, .size = SIZE_NOTE, .halo = true, .inked = curves,
                            .ink = curves ? series_ink(f->canvas, r->look) : grey(INK) };
    const double row = text_high(f->canvas, &t) + BESIDE + 0.1, top = f->data.y + BESIDE + 0.1;
    const int rows = (int)fmax(1, fmin(TEXTS_TRIED, 0.5 * f->data.h / (text_height(f->canvas, SIZE_NOTE) + BESIDE)));
    struct text_spot spot[2 * TEXTS_TRIED + 2];
    struct rule_text what = { f, panel, x, 0 };
    size_t n = 0;

    for (int left = 0; left < 2; left++) {
        const double at = left ? x - BESIDE : x + BESIDE;

        spot[n++] = (struct text_spot){ at, top, 1, left, -M_PI / 2, 0.5 };
        for (int k = 0; k < rows && !curves; k++)
            spot[n++] = (struct text_spot){ at, top + k * row, left, 0, 0, k };
    }
    for (; what.may <= (curves || f->canvas->width < PAGE_NARROW ? ON_RULES : ON_RULES | ON_DATA); what.may++)
        if (text_place(f->canvas, &t, spot, n,
                       &(struct text_placer){ &f->data, BESIDE - 0.1, is_rule_text_blocked, &what }) < n)
            return true;
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
    if (is_curves_rule(f->chart, r))
        name = text_copy(f->chart->ruled, strlen(f->chart->ruled));
    else if (r->placed || (f->npanel > 1 && r->panel != RULE_EVERYWHERE))
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
        const struct rule *r = &f->chart->rule[i];
        const struct legend_entry e = { .text = f->rule_name[i], .sample = SAMPLE_RULE,
                                        .look = is_curves_rule(f->chart, r) ? RULE_GREY : r->look };

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
    bool *missing, curves = false;
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
    for (size_t i = 0; i < n; i++)
        curves = curves || (missing[i] && is_curves_rule(f->chart, &f->chart->rule[i]));
    for (size_t i = 0; i < n; i++)
        missing[i] = missing[i] || ((all || (curves && is_curves_rule(f->chart, &f->chart->rule[i]))) &&
            *f->chart->rule[i].text && !f->rule_told[i] && frame_rule_inside(f, &f->chart->rule[i]));
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
