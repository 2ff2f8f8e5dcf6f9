/* frame_room.c -- free room among the data (frame_parts.h): names of series beside their lines, a legend in a panel.
 * 1. data     does a rectangle overlap any?
 * 2. names    at the ends of lines in the right margin, moved where they would touch; or above, below or behind a
 *             line, the nearer to its end the better
 * 3. legend   corners first */
#include "render/figure/frame_parts.h"

#define MARK 3.0                /* radius of a mark with some air */
#define POINTS_LOOKED_AT 20000  /* of more, nothing keeps off */
#define NAMES_MOST 6            /* series named beside their lines */
#define NAME_SIZE 7.5
#define NAME_GAP 4.0            /* between the end of a line and its name */
#define LEADER 9.0              /* width of the leaders, where names had to be moved */
#define AIR 2.5                 /* above and below a line */
#define END_PART 0.85           /* of the panel's width: lines that end beyond are named in the margin */
#define PLACES 40               /* along a line that are tried */
#define INSET 4.0               /* of a legend in a panel */

/* ---- data -------------------------------------------------------------------------------------------- */

static bool overlap(const struct rect *a, double x0, double x1, double y0, double y1)
{
    return fmin(x0, x1) < a->x + a->w && fmax(x0, x1) > a->x && fmin(y0, y1) < a->y + a->h && fmax(y0, y1) > a->y;
}

/* Bars fill their place from the foot of the axis; of a histogram, all below its outline. */
static bool on_bar(const struct frame *f, const struct rect *r, const struct rect *at, const struct rect *last, bool on)
{
    const double foot_y = f->data.y + f->data.h, foot_x = f->data.x;

    if (f->want.sample != SAMPLE_BAR)
        return on && overlap(r, last->x, at->x, fmin(last->y, at->y), foot_y);
    if (f->chart->y.ncategory) {
        const double half = f->data.h / (double)f->chart->y.ncategory / 2;

        return overlap(r, foot_x, at->x, at->y - half, at->y + half);
    } else {
        const double half = f->data.w / (double)(f->chart->x.ncategory ? f->chart->x.ncategory : 1) / 2;

        return overlap(r, at->x - half, at->x + half, at->y, foot_y);
    }
}

static bool on_series(const struct frame *f, const struct series *s, const struct rect *r)
{
    const struct rect wide = { r->x - MARK, r->y - MARK, r->w + 2 * MARK, r->h + 2 * MARK };
    const bool lines = (f->want.sample == SAMPLE_LINE || f->want.sample == SAMPLE_UNMARKED) && !s->over,
        band = lines && f->chart->spread == SPREAD_BAND;
    struct rect at, last = { 0 };
    double lo = NAN, hi = NAN;
    bool on = false;

    for (size_t i = 0; i < s->n; i++) {
        const struct datum *d = &s->at[i];

        if (!frame_point(f, d->x, d->y, &at)) {
            on = false;
            lo = NAN;
            continue;
        }
        if (overlap(&wide, at.x, at.x, at.y, at.y) || (lines && on && segment_crosses(r, last.x, last.y, at.x, at.y)) ||
            (f->want.bars && !s->over && on_bar(f, r, &at, &last, on)))
            return true;
        if (isfinite(d->lo) && isfinite(d->hi)) {
            const double below = frame_end(f, d->lo), above = frame_end(f, d->hi);

            if (overlap(r, at.x - 1, at.x + 1, below, above) ||
                (band && on && isfinite(lo) && overlap(r, last.x, at.x, fmax(lo, below), fmin(hi, above))))
                return true;
            lo = below;
            hi = above;
        } else {
            lo = NAN;
        }
        last = at;
        on = true;
    }
    return f->want.sample == SAMPLE_UNMARKED && !f->want.bars && on &&         /* steps go on to the end */
        overlap(r, last.x, f->data.x + f->data.w, last.y, last.y);
}

static size_t points_of(const struct frame *f, size_t panel)
{
    size_t n = 0;

    for (size_t i = 0; i < f->chart->nseries; i++)
        n += f->chart->series[i].panel == panel ? f->chart->series[i].n : 0;
    return n;
}

bool frame_on_data(const struct frame *f, size_t panel, const struct rect *r)
{
    if (points_of(f, panel) > POINTS_LOOKED_AT)
        return false;
    for (size_t i = 0; i < f->chart->nseries; i++)
        if (f->chart->series[i].panel == panel && on_series(f, &f->chart->series[i], r))
            return true;
    return false;
}

static bool on_a_rule(const struct frame *f, size_t panel, const struct rect *r)
{
    for (size_t i = 0; i < f->chart->nrule; i++) {
        const double x = frame_rule_at(f, panel, i);

        if (x > r->x - 1 && x < r->x + r->w + 1)
            return true;
    }
    return false;
}

/* ---- names ------------------------------------------------------------------------------------------- */

static struct text name_text(const struct frame *f, size_t series)
{
    return (struct text){ .text = f->chart->series[series].name, .size = NAME_SIZE, .halo = true, .inked = true,
                          .ink = series_ink(f->canvas, f->chart->series[series].look) };
}

static struct rect name_at(const struct frame *f, const struct name_place *p)
{
    const struct text t = name_text(f, p->series);

    return text_spot_box(f->canvas, &t, &p->at);
}

/* The entry of the legend that stands for the line of a series. */
static struct legend_entry *entry_of(struct frame *f, const struct series *s)
{
    for (size_t i = 0; i < f->legend.n; i++)
        if (f->legend.entry[i].sample == f->want.sample && f->legend.entry[i].look == s->look &&
            strcmp(f->legend.entry[i].text, s->name) == 0)
            return &f->legend.entry[i];
    return NULL;
}

size_t frame_names_tell(struct frame *f, bool tell)
{
    const size_t most = f->canvas->page && f->canvas->page->legend == LEGEND_DIRECT ? 2 * NAMES_MOST : NAMES_MOST;
    size_t n = 0;

    f->nname = 0;
    for (size_t i = 0; i < f->legend.n; i++)
        f->legend.entry[i].told = false;
    if (!tell || !f->want.direct || f->npanel > 1 || points_of(f, 0) > POINTS_LOOKED_AT)
        return 0;
    for (size_t i = 0; i < f->chart->nseries; i++)
        n += !f->chart->series[i].over && *f->chart->series[i].name;
    if (n == 0 || n > most)
        return 0;
    if (!f->name && !(f->name = calloc(n, sizeof *f->name))) {
        f->canvas->failed = true;
        return 0;
    }
    for (size_t i = 0; i < f->chart->nseries; i++) {
        const struct series *s = &f->chart->series[i];
        struct legend_entry *e = s->over ? NULL : entry_of(f, s);

        if (e) {
            e->told = true;
            f->name[f->nname++] = (struct name_place){ .series = i };
        }
    }
    return f->nname;
}

double frame_names_width(const struct frame *f)
{
    double most = 0;

    for (size_t i = 0; i < f->nname; i++) {
        const struct text t = name_text(f, f->name[i].series);

        most = fmax(most, text_width(f->canvas, &t));
    }
    return NAME_GAP + most + LEADER;
}

/* The last point of a series that is seen; false: there is none. */
static bool end_of(const struct frame *f, const struct series *s, struct rect *at)
{
    struct rect p;
    bool any = false;

    for (size_t i = 0; i < s->n; i++)
        if (frame_point(f, s->at[i].x, s->at[i].y, &p) && frame_inside(f, &p)) {
            *at = p;
            any = true;
        }
    if (any && f->want.sample == SAMPLE_UNMARKED)      /* steps go on to the end */
        at->x = f->data.x + f->data.w;
    return any;
}

static int by_height(const void *a, const void *b)
{
    const struct name_place *p = a, *q = b;

    return p->from_y != q->from_y ? (p->from_y > q->from_y) - (p->from_y < q->from_y) :
        (p->series > q->series) - (p->series < q->series);
}

/* In the margin, as near the ends of the lines as names may stand to each other. */
static bool place_beside(struct frame *f)
{
    const double row = text_height(f->canvas, NAME_SIZE), right = f->data.x + f->data.w;
    const double top = f->data.y, bottom = f->data.y + f->data.h;
    struct rect at;
    bool moved = false;

    if ((double)f->nname * row > f->data.h + row)
        return false;
    for (size_t i = 0; i < f->nname; i++) {
        if (!end_of(f, &f->chart->series[f->name[i].series], &at) || at.x < f->data.x + END_PART * f->data.w)
            return false;
        f->name[i] = (struct name_place){ .series = f->name[i].series, .from_x = fmin(at.x, right), .from_y = at.y,
                                          .at = { .across = 0.5 } };
    }
    qsort(f->name, f->nname, sizeof *f->name, by_height);
    for (size_t i = 0; i < f->nname; i++)
        f->name[i].at.y = f->name[i].from_y;
    for (int pass = 0; pass < 200; pass++)          /* those that would touch push each other away */
        for (size_t i = 1; i < f->nname; i++) {
            const double lack = row - (f->name[i].at.y - f->name[i - 1].at.y);

            if (lack > 0) {
                f->name[i - 1].at.y -= lack / 2;
                f->name[i].at.y += lack / 2;
            }
        }
    for (size_t i = 0; i < f->nname; i++)
        f->name[i].at.y = fmax(f->name[i].at.y, i ? f->name[i - 1].at.y + row : top);
    for (size_t i = f->nname; i-- > 0;) {           /* none below the panel */
        const double most = i + 1 == f->nname ? bottom : f->name[i + 1].at.y - row;

        f->name[i].at.y = fmin(f->name[i].at.y, most);
        f->name[i].leader = fabs(f->name[i].at.y - f->name[i].from_y) > 2 || f->name[i].from_x < right - 15;
        moved = moved || f->name[i].leader;
    }
    for (size_t i = 0; i < f->nname; i++)
        f->name[i].at.x = right + NAME_GAP + (moved ? LEADER : 0);
    return true;
}

static bool is_name_blocked(const void *arg, const struct text *t, const struct text_spot *s)
{
    const struct frame *f = arg;
    const struct rect r = text_spot_box(f->canvas, t, s);

    return frame_on_data(f, 0, &(struct rect){ r.x - 0.5, r.y + 1, r.w + 1, r.h - 2 }) || on_a_rule(f, 0, &r);
}

/* Behind the end of the line; else above or below it, the nearer to its end the better. */
static bool place_among(struct frame *f, struct name_place *p)
{
    const struct series *s = &f->chart->series[p->series];
    const struct text t = name_text(f, p->series);
    struct text_spot spot[1 + 6 * (PLACES + 1)];
    struct rect end, at;
    size_t n = 0, k;

    p->leader = false;
    if (!end_of(f, s, &end))
        return false;
    spot[n++] = (struct text_spot){ .x = end.x + NAME_GAP, .y = end.y, .across = 0.5 };
    for (size_t place = 0; place <= PLACES; place++) {
        const size_t i = s->n - 1 - place * (s->n - 1) / PLACES;

        if (!frame_point(f, s->at[i].x, s->at[i].y, &at) || !frame_inside(f, &at))
            continue;
        for (int side = 0; side < 6; side++) {
            const double along = side / 2 == 0 ? 1 : side / 2 == 1 ? 0.5 : 0;

            spot[n++] = (struct text_spot){ at.x + (1 - 2 * along) * AIR, at.y + (side % 2 ? AIR : -AIR), along,
                                            !(side % 2), 0, (double)place };
        }
    }
    k = text_place(f->canvas, &t, spot, n, &(struct text_placer){ &f->data, 0.5, is_name_blocked, f });
    if (k < n)
        p->at = spot[k];
    return k < n;
}

bool frame_names_place(struct frame *f)
{
    const struct device *device = f->canvas->device;
    const size_t nbox = f->canvas->nbox;
    bool all = true;

    if (f->nname == 0)
        return true;
    frame_enter(f, 0);
    if (f->beside)
        return place_beside(f);
    f->canvas->device = NULL;               /* a rehearsal */
    for (size_t i = 0; all && i < f->nname; i++)
        all = place_among(f, &f->name[i]);
    f->canvas->device = device;
    f->canvas->nbox = nbox;
    return all;
}

void frame_names_draw(const struct frame *f)
{
    struct canvas *c = f->canvas;

    for (size_t i = 0; i < f->nname; i++) {
        const struct name_place *p = &f->name[i];
        const struct text t = name_text(f, p->series);

        if (p->leader) {
            const struct pen pen = { .colour = series_colour(c, f->chart->series[p->series].look), .width = 0.5 };

            canvas_segment(c, p->from_x + 2.5, p->from_y, p->at.x - 1.5, p->at.y);
            canvas_stroke(c, &pen);
        }
        text_put(c, &t, p->at.x, p->at.y, p->at.along, p->at.across, 0);
    }
}

/* ---- legend ------------------------------------------------------------------------------------------ */

static bool stands_free(const struct frame *f, size_t panel, const struct rect *r)
{
    const double down = f->data.y - f->first.y, right = f->data.x - f->first.x;

    for (size_t i = 0; f->above && i < f->up->nlabel; i++) {
        const struct place *p = &f->up->label[i];

        if (overlap(r, p->x + right, p->x + right + p->w, p->y + down, p->y + down + p->h))
            return false;
    }
    for (size_t i = 0; i < f->nname && !f->beside; i++) {
        const struct rect at = name_at(f, &f->name[i]);

        if (overlap(r, at.x, at.x + at.w, at.y, at.y + at.h))
            return false;
    }
    return !frame_on_data(f, panel, r) && !on_a_rule(f, panel, r);
}

bool frame_legend_inside(struct frame *f)
{
    static const double part[] = { 1, 0, 0.5, 0.75, 0.25 };     /* from the left; from the top */
    static const int n = sizeof part / sizeof *part;
    struct legend *l = &f->legend;

    if (l->nshown == 0)
        return true;
    for (size_t panel = 0; panel < f->npanel; panel++) {
        double w, h;

        frame_enter(f, panel);
        w = f->data.w - l->w - 2 * INSET;
        h = f->data.h - l->h - 2 * INSET;
        for (int k = 0; w >= 0 && h >= 0 && points_of(f, panel) <= POINTS_LOOKED_AT && k < n * n; k++) {
            const double down = part[k / n] == 1 ? 0 : part[k / n] == 0 ? 1 : part[k / n];
            const struct rect r = { f->data.x + INSET + part[k % n] * w, f->data.y + INSET + down * h, l->w, l->h };

            if (stands_free(f, panel, &(struct rect){ r.x - 2, r.y - 2, r.w + 4, r.h + 4 })) {
                l->x = r.x;
                l->y = r.y;
                frame_enter(f, 0);
                return true;
            }
        }
    }
    frame_enter(f, 0);
    return false;
}

void frame_names_keep_off(const struct frame *f)
{
    const struct legend *l = &f->legend;

    for (size_t i = 0; i < f->nname; i++) {
        const struct rect at = name_at(f, &f->name[i]);

        text_keep_off(f->canvas, &at);
    }
    if (l->place == LEGEND_INSIDE && l->nshown)
        text_keep_off(f->canvas, &(struct rect){ l->x - 2, l->y - 2, l->w + 4, l->h + 4 });
}
