/* netplot.c -- networks drawn side by side, with what their colours and widths mean (netplot.h).
 * 1. values     of nodes and links of all networks, and the scales they share
 * 2. legend     widths, highlights, categories
 * 3. the page   columns that let networks be largest, coarsened where nodes would be too near
 * 4. names      how nodes are named, and what the foot says of it; then the drawing
 * netplot_panel.c draws one network, netplot_file.c makes pages in the shape of what is drawn. */
#include "render/drawing/netplot.h"
#include "render/figure/colour_bar.h"
#include "render/figure/frame.h"
#include "render/page/palette.h"
#include "render/drawing/netplot_parts.h"

#define PANEL_TITLE 600         /* bytes */
#define TINY 2.4                /* points between nodes: nearer ones are merged */
#define FINE_GRID 7.0           /* points between nodes: of nearer ones links to the next and round a ring look alike */
#define CROWDED 12.0            /* points between nodes: less has no room for names, and equal hosts are drawn once */
#define SQUARE 8.0              /* points of a square, the nodes in which are merged */
#define GREYS 5                 /* of nodes, which eyes can tell apart */
#define SIDE_BY_SIDE 4          /* parallel cables drawn each for itself, up to */
#define CABLE_GAP 4.5           /* points between them at most */
#define CABLE_GAP_LEAST 1.5     /* where there is less room they are one line */
#define CABLE_PART 0.14         /* else, of the distance between nodes */

/* Sentences one after the other. Without memory the canvas has failed. */
static void say(const struct sheet *s, char **text, const char *format, ...)
{
    char *more = NULL, *both = NULL;
    va_list args;

    va_start(args, format);
    if (vasprintf(&more, format, args) < 0)
        more = NULL;
    va_end(args);
    if (more && asprintf(&both, "%s%s%s", *text ? *text : "", *text ? " " : "", more) >= 0) {
        free(*text);
        *text = both;
    } else {
        s->canvas->failed = true;
    }
    free(more);
}

/* ---- values ------------------------------------------------------------------------------------------ */

/* Values of all panels one behind the other. */
static int netplot_collect(double **out, size_t *n, const struct sheet *s, int which, struct err *err)
{
    size_t all = 0, k = 0;

    for (size_t i = 0; i < s->plot->n; i++)
        all += which == 0 ? s->sketch[i].n : 2 * s->sketch[i].nlink;
    *out = malloc((all + 1) * sizeof **out);
    if (!*out)
        return err_memory(err);
    for (size_t i = 0; i < s->plot->n; i++) {
        const struct sketch *k_of = &s->sketch[i];

        for (size_t v = 0; which == 0 && v < k_of->n; v++)
            (*out)[k++] = k_of->node[v].value;
        for (size_t v = 0; which != 0 && v < k_of->nlink; v++) {
            const double *both = which == 1 ? k_of->link[v].value : k_of->link[v].width;

            (*out)[k++] = both[0];
            if (isfinite(both[1]) && both[1] != both[0])
                (*out)[k++] = both[1];
        }
    }
    *n = k;
    return 0;
}

static bool any_finite(const double *v, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (isfinite(v[i]))
            return true;
    return false;
}

/* Light grey means no load: colours of links begin at zero, unless the values are all much alike or of many
 * sizes. */
static double link_zero(const struct axis *a, const double *v, size_t n)
{
    double least = INFINITY, most = -INFINITY;

    for (size_t i = 0; i < n; i++)
        if (isfinite(v[i])) {
            least = fmin(least, v[i]);
            most = fmax(most, v[i]);
        }
    return isnan(a->from) && a->scale != SCALE_LOG && least >= 0 && (least <= 0.75 * most || least == most) &&
        (least == 0 || most < 50 * least) ? 0 : a->from;
}

static int fit_values(struct sheet *s, struct err *err)
{
    bool *const has[] = { &s->has_node, &s->has_link, &s->has_width };
    const struct axis *const axis[] = { &s->plot->node, &s->link_axis };
    struct colour_bar *const bar[] = { &s->node, &s->link };
    double *v = NULL;
    size_t n = 0;

    s->look.widest_value = 0;
    s->link_axis = s->plot->link;
    for (int which = 0; which < 3; which++) {
        int ret = netplot_collect(&v, &n, s, which, err);

        *has[which] = ret == 0 && any_finite(v, n) && !(which == 0 && s->plot->node.ncategory);
        if (ret == 0 && which == 1)
            s->link_axis.from = link_zero(&s->plot->link, v, n);
        if (*has[which] && which < 2)
            ret = colour_bar_fit(bar[which], axis[which], v, n, err);
        for (size_t i = 0; ret == 0 && which == 2 && i < n; i++)
            if (isfinite(v[i]))
                s->look.widest_value = fmax(s->look.widest_value, fabs(v[i]));
        free(v);
        if (ret < 0)
            return -1;
    }
    s->link.ramp = netplot_ramp;
    return 0;
}

/* ---- legend ------------------------------------------------------------------------------------------ */

/* Up to three round values, the largest first. */
static int width_entries(struct sheet *s, struct err *err)
{
    const struct axis *a = &s->plot->width;
    const struct step step = step_nice(0, s->look.widest_value, 3);
    const double most = floor(s->look.widest_value / step_at(step, 1) + 1e-9);

    for (int i = 0; i < 3 && most - i >= 1; i++) {
        const double v = step_at(step, most - i);

        snprintf(s->width_text[i], sizeof s->width_text[i], "%.40s %.6g%s%.12s", a->title ? a->title : "width", v,
                 a->unit ? " " : "", a->unit ? a->unit : "");
        if (legend_add(&s->legend, (struct legend_entry){ .text = s->width_text[i], .sample = SAMPLE_WIDTH,
                                                          .width = netplot_width(&s->look, v) }, err) < 0)
            return -1;
    }
    return 0;
}

/* Highlights by name, once for all panels; what failed; then what widths mean. */
static int make_legend(struct sheet *s, struct err *err)
{
    const struct legend_entry cable = { .text = "failed cable", .sample = SAMPLE_DASH },
                              node = { .text = "failed node", .sample = SAMPLE_CROSS };
    const bool taken = s->has_node || s->plot->node.ncategory;     /* fillings say something else */
    const struct legend_entry source = { .text = "source", .sample = SAMPLE_MARK },
                              target = { .text = taken ? "target: two rings" : "target", .sample = SAMPLE_RING };
    bool gone = false, down = false, way = false;

    for (size_t i = 0; i < s->plot->n; i++)
        for (size_t h = 0; h < s->plot->drawing[i].nhighlight; h++) {
            const struct highlight *hl = &s->plot->drawing[i].highlight[h];

            if (legend_add_once(&s->legend, (struct legend_entry){ .text = hl->name, .look = h,
                                .sample = hl->nlink ? SAMPLE_PLAIN : SAMPLE_BAR }, err) < 0)
                return -1;
            way = way || (hl->way && !s->sketch[i].coarse);
        }
    if ((way && !taken && legend_add(&s->legend, source, err) < 0) ||
        (way && legend_add(&s->legend, target, err) < 0))
        return -1;
    for (size_t i = 0; i < s->plot->n; i++) {
        gone = gone || s->sketch[i].ngone;
        down = down || (!s->sketch[i].coarse && s->plot->drawing[i].what.net->cables.ndown);
    }
    if ((gone && legend_add(&s->legend, cable, err) < 0) || (down && legend_add(&s->legend, node, err) < 0))
        return -1;
    for (size_t k = 0; k < s->plot->node.ncategory; k++)
        if (legend_add(&s->legend, (struct legend_entry){ .text = s->plot->node.category[k], .sample = SAMPLE_CELL,
                       .colour = netplot_category(s->canvas, k, s->plot->node.ncategory) }, err) < 0)
            return -1;
    if (s->canvas->palette->grey && s->plot->node.ncategory > GREYS)
        say(s, &s->notes, "%zu greys are hard to tell apart; other palettes have colours.", s->plot->node.ncategory);
    return s->has_width ? width_entries(s, err) : 0;
}

/* ---- the page ---------------------------------------------------------------------------------------- */

static double panel_width(const struct sheet *s)
{
    return (s->panels.w - (double)(s->columns - 1) * GAP) / (double)s->columns;
}

/* The place of a panel below its title, and what names leave of it. */
static struct rect panel_at(const struct sheet *s, size_t i)
{
    const struct netplot_names *n = &s->names[i];
    const double w = panel_width(s), h = (s->panels.h - (double)(s->rows - 1) * GAP) / (double)s->rows;

    return (struct rect){ s->panels.x + (double)(i % s->columns) * (w + GAP) + n->left,
                          s->panels.y + (double)(i / s->columns) * (h + GAP) + s->strip + n->top,
                          fmax(w - n->left, 1), fmax(h - s->strip - n->top, 1) };
}

/* A title that may be broken behind the marks that specs and paths have, in up to three lines. */
static struct text panel_title(const struct sheet *s, size_t i, char out[PANEL_TITLE])
{
    const char *title = s->plot->drawing[i].title;
    size_t len = 0;

    for (; *title && len + 8 < PANEL_TITLE; title++) {
        out[len++] = *title;
        if (strchr(",/-_.", *title))
            len += (size_t)sprintf(out + len, "\xe2\x80\x8b");
    }
    out[len] = '\0';
    return (struct text){ .text = out, .size = SIZE_TICK, .bold = true, .width = panel_width(s), .lines = 3,
                          .centre = true };
}

static void measure_strip(struct sheet *s)
{
    s->strip = 0;
    for (size_t i = 0; s->plot->n > 1 && i < s->plot->n; i++) {
        char room[PANEL_TITLE];
        struct text t;

        if (!s->plot->drawing[i].title)
            continue;
        t = panel_title(s, i, room);
        s->strip = fmax(s->strip, text_high(s->canvas, &t) + 3);
    }
}

/* Points per layout unit, with room for the nodes at the edge. */
static double scale_of(const struct sheet *s, size_t i)
{
    const struct sketch *k = &s->sketch[i];
    const struct rect at = panel_at(s, i);

    return fmin(at.w / (k->x1 - k->x0 + 0.8 * k->spacing), at.h / (k->y1 - k->y0 + 0.8 * k->spacing));
}

/* The columns that let networks be drawn largest. */
static void netplot_arrange(struct sheet *s)
{
    double best = -1;

    for (size_t c = 1; c <= s->plot->n; c++) {
        double least = INFINITY;

        s->columns = c;
        s->rows = (s->plot->n + c - 1) / c;
        measure_strip(s);
        for (size_t i = 0; i < s->plot->n; i++)
            least = fmin(least, scale_of(s, i));
        if (least > best * (1 + 1e-9)) {
            best = least;
            s->look.columns = c;
        }
    }
    s->columns = s->look.columns;
    s->rows = (s->plot->n + s->columns - 1) / s->columns;
    measure_strip(s);
}

static void netplot_put_title(struct sheet *s)
{
    if (!s->plot->title || !*s->plot->title)
        return;
    s->title = (struct place){ .text = { .text = s->plot->title, .size = SIZE_HEAD, .bold = true, .lines = 2,
                                         .width = s->canvas->width - 2 * FRAME_PAD }, .x = FRAME_PAD, .y = FRAME_PAD };
    text_measure(s->canvas, &s->title.text, &s->title.w, &s->title.h);
}

static struct text foot_text(const struct sheet *s)
{
    return (struct text){ .text = s->foot, .size = SIZE_NOTE, .grey = PALE, .width = s->canvas->width - 2 * FRAME_PAD,
                          .lines = 12 };
}

static double foot_height(const struct sheet *s)
{
    const struct text t = foot_text(s);

    return s->foot ? text_high(s->canvas, &t) + 4 : 0;
}

/* Bars share the height when there are two. */
static void netplot_lay(struct sheet *s)
{
    struct canvas *c = s->canvas;
    const double foot = foot_height(s);
    double bars = 0, height;

    legend_size(&s->legend, c, true);
    s->panels = (struct rect){ FRAME_PAD, FRAME_PAD + (s->title.h > 0 ? s->title.h + 6 : 0), 0, 0 };
    s->panels.h = c->height - s->panels.y - FRAME_PAD - foot - (s->legend.n ? s->legend.h + 8 : 0);
    s->panels.h = fmax(s->panels.h, 20);
    height = s->has_node && s->has_link ? (s->panels.h - 2 * GAP) / 2 : s->panels.h - GAP;
    if (s->has_node) {
        colour_bar_lay(&s->node, c, fmax(height, 10), false);
        bars = fmax(bars, s->node.w);
    }
    if (s->has_link) {
        colour_bar_lay(&s->link, c, fmax(height, 10), false);
        bars = fmax(bars, s->link.w);
    }
    s->panels.w = fmax(c->width - 2 * FRAME_PAD - (bars > 0 ? bars + GAP : 0), 20);
    s->legend.x = fmax(FRAME_PAD, FRAME_PAD + (s->panels.w - s->legend.w) / 2);
    s->legend.y = c->height - FRAME_PAD - foot - s->legend.h;
}

/* Parallel cables stand as far apart as there is room for, which bounds the width of lines; without room they are one
 * line. */
static int bundle(struct sheet *s, size_t i, double scale, struct err *err)
{
    const struct net *net = s->plot->drawing[i].what.net;
    const double gap = fmin(CABLE_PART * s->sketch[i].spacing * scale, CABLE_GAP);
    const int most = gap < CABLE_GAP_LEAST ? 1 : SIDE_BY_SIDE;

    if (net->cables.parallel && most > 1)
        s->look.widest = fmin(s->look.widest, 0.8 * gap);
    return sketch_bundle(&s->sketch[i], net, gap / scale, most, err);
}

static bool too_fine(const struct sketch *k, double scale)
{
    return (k->spacing * scale < TINY || k->nlink > 60000) && k->n > 1;
}

/* Equal hosts as one, where nothing tells them apart; as they were where that is not enough. */
static int gather(struct sheet *s, size_t i, double scale, struct err *err)
{
    const struct net_drawing *d = &s->plot->drawing[i];
    struct sketch *k = &s->sketch[i];

    if (k->n <= NUMBERS_MOST || k->spacing * scale >= CROWDED || d->nhighlight || d->what.node_value)
        return 0;
    if (sketch_gather(k, d->what.net, err) < 0)
        return -1;
    if (!k->gathered || !too_fine(k, scale))
        return 0;
    sketch_release(k);
    return sketch_make(k, &d->what, err);
}

/* Where nodes would be nearer than dots can be told apart, they are merged; else parallel cables bundled. */
static int coarsen(struct sheet *s, struct err *err)
{
    double left_out = 0;
    int most = 1;
    int equal = 1, least = INT_MAX;
    bool joined = false, halves = false, rings = false;

    if (s->plot->note)
        say(s, &s->notes, "%s", s->plot->note);
    for (size_t i = 0; i < s->plot->n; i++) {
        double scale = scale_of(s, i);

        if (gather(s, i, scale, err) < 0)
            return -1;
        scale = scale_of(s, i);
        if ((too_fine(&s->sketch[i], scale) ?
             sketch_coarsen(&s->sketch[i], &s->plot->drawing[i].what, SQUARE / scale, err) :
             bundle(s, i, scale, err)) < 0)
            return -1;
        for (size_t k = 0; !s->sketch[i].coarse && k < s->sketch[i].nlink; k++) {
            joined = joined || s->sketch[i].link[k].count > netplot_equal_hosts(&s->sketch[i], k);
            halves = halves || netplot_halves(&s->sketch[i].link[k]);
            rings = rings || (s->sketch[i].link[k].bend != 0 && s->sketch[i].spacing * scale < FINE_GRID &&
                              s->sketch[i].layout.kind->rows);
        }
        for (size_t v = 0; s->sketch[i].gathered && v < s->sketch[i].n; v++)
            if (s->sketch[i].node[v].terminal) {
                equal = s->sketch[i].node[v].count > equal ? s->sketch[i].node[v].count : equal;
                least = s->sketch[i].node[v].count < least ? s->sketch[i].node[v].count : least;
            }
        most = s->sketch[i].most > most ? s->sketch[i].most : most;
        left_out += s->sketch[i].left_out;
    }
    if (most > 1)
        say(s, &s->notes, "Too large to show every node: a dot stands for up to %d nodes that lie together, "
            "a line for the links between two dots.", most);
    if (equal > 1)
        say(s, &s->notes, "A circle stands for %s%d equal hosts of a switch.", least < equal ? "up to " : "", equal);
    if (joined)
        say(s, &s->notes, "Parallel cables without room side by side are one line, which says how many (x5) where that "
            "fits.");
    if (rings)
        say(s, &s->notes, "Lines beside rows and columns join their ends.");
    if (halves)
        say(s, &s->notes, "Each half of a line is the link that leaves the node there.");
    if (left_out > 0)
        say(s, &s->notes, "%.0f links, those of the thinnest lines, are left out.", left_out);
    return 0;
}

/* ---- names ------------------------------------------------------------------------------------------- */

/* "1 Lisbon, 2 Oslo", for panels that show numbers in place of names. */
static void say_key(struct sheet *s, size_t panel)
{
    const struct net_drawing *d = &s->plot->drawing[panel];
    const struct sketch *k = &s->sketch[panel];
    const bool titled = s->plot->n > 1 && d->title;
    char *key = NULL, label[NET_LABEL];
    size_t len;
    FILE *f = open_memstream(&key, &len);

    if (!f) {
        s->canvas->failed = true;
        return;
    }
    for (size_t i = 0; i < k->n; i++) {
        fprintf(f, "%s%zu\xc2\xa0", i ? ", " : "", i + 1);
        for (const char *at = net_label(d->what.net, k->node[i].node, label); *at; at++)
            fprintf(f, *at == ' ' ? "\xc2\xa0" : *at == '-' ? "-\xe2\x81\xa0" : "%c", *at);   /* names stay whole */
    }
    if (fclose(f) == 0)
        say(s, &s->foot, "%s%s%s.", titled ? d->title : "", titled ? ": " : "", key);
    else
        s->canvas->failed = true;
    free(key);
}

/* How nodes are named, panel by panel, and what the foot says of it. A longer foot takes room from the panels, which
 * then name fewer nodes: after a round for each way of naming nothing changes any more. */
static void name_nodes(struct sheet *s)
{
    for (int round = 0; round <= NAMES_NONE; round++) {
        bool none = false;

        free(s->foot);
        s->foot = NULL;
        if (s->notes)
            say(s, &s->foot, "%s", s->notes);
        for (size_t i = 0; i < s->plot->n; i++) {
            const struct net_drawing *d = &s->plot->drawing[i];
            const enum netplot_naming from = s->plot->no_labels ? NAMES_NONE : s->names[i].how;
            struct rect at;
            struct panel p;

            s->names[i] = (struct netplot_names){ .how = from };
            at = panel_at(s, i);
            p = netplot_panel_open(s->canvas, &s->look, d, &s->sketch[i], &at, scale_of(s, i));
            s->names[i] = netplot_names_choose(&p, from);
            if (s->names[i].how == NAMES_NUMBERS)
                say_key(s, i);
            none = none || (s->names[i].how == NAMES_NONE && !s->sketch[i].coarse);
        }
        if (none && !s->plot->no_labels)
            say(s, &s->foot, "Names of nodes are left out where they have no room.");
        netplot_lay(s);
        netplot_arrange(s);
    }
}

static void draw(const struct sheet *s)
{
    struct canvas *c = s->canvas;

    if (s->title.text.text)
        text_put(c, &s->title.text, s->title.x, s->title.y, 0, 0, 0);
    for (size_t i = 0; i < s->plot->n; i++) {
        const struct rect at = panel_at(s, i);
        const struct net_drawing *d = &s->plot->drawing[i];

        if (s->plot->n > 1 && d->title) {
            const double w = panel_width(s);
            char room[PANEL_TITLE];
            const struct text t = panel_title(s, i, room);

            text_put(c, &t, at.x - s->names[i].left + w / 2, at.y - s->names[i].top - 3, 0.5, 1, 0);
        }
        canvas_begin(c, "network", d->title);
        netplot_panel(c, &s->look, d, &s->sketch[i], &at, scale_of(s, i), &s->names[i]);
        canvas_end(c);
    }
    if (s->has_node)
        colour_bar_draw(&s->node, c, c->width - FRAME_PAD - s->node.w, s->panels.y + GAP / 2);
    if (s->has_link)
        colour_bar_draw(&s->link, c, c->width - FRAME_PAD - s->link.w,
                        s->panels.y + GAP / 2 + (s->has_node ? s->node.height + GAP : 0));
    if (s->legend.n)
        legend_draw(&s->legend, c);
    if (s->foot) {
        const struct text t = foot_text(s);

        text_put(c, &t, FRAME_PAD, c->height - FRAME_PAD + 1, 0, 1, 0);
    }
}

int netplot_sheet(struct sheet *s, struct err *err)
{
    struct rect at;

    if (TAKE("drawing the network", err, ZEROS(s->sketch, s->plot->n + 1),
             ZEROS(s->names, s->plot->n + 1)) < 0)
        return -1;
    for (size_t i = 0; i < s->plot->n; i++)
        if (sketch_make(&s->sketch[i], &s->plot->drawing[i].what, err) < 0)
            return -1;
    for (size_t i = 0; i < s->plot->n; i++)
        for (size_t h = 0; h < s->plot->drawing[i].nhighlight; h++) {
            const struct highlight *hl = &s->plot->drawing[i].highlight[h];

            for (size_t k = 0; k < hl->nlink; k++)
                sketch_include(&s->sketch[i], hl->link[k]);
        }
    netplot_put_title(s);
    netplot_lay(s);
    netplot_arrange(s);
    s->look.widest = 4;
    if (coarsen(s, err) < 0 || fit_values(s, err) < 0)
        return -1;
    s->look.node = s->has_node ? &s->node : NULL;
    s->look.ncategory = s->plot->node.ncategory;
    s->look.link = s->has_link ? &s->link : NULL;
    s->look.by_width = s->has_width;
    if (make_legend(s, err) < 0)
        return -1;
    netplot_lay(s);
    netplot_arrange(s);
    name_nodes(s);
    at = panel_at(s, 0);
    canvas_data(s->canvas, (double)s->columns * at.w, (double)s->rows * at.h);
    return 0;
}

void netplot_sheet_release(struct sheet *s)
{
    for (size_t i = 0; s->sketch && i < s->plot->n; i++)
        sketch_release(&s->sketch[i]);
    FREE(s->sketch, s->names, s->legend.entry, s->notes, s->foot);
    colour_bar_release(&s->node);
    colour_bar_release(&s->link);
}

int netplot_on(struct canvas *c, const struct netplot *p, struct err *err)
{
    struct sheet s = { .canvas = c, .plot = p };
    int ret = netplot_sheet(&s, err);

    if (ret == 0)
        draw(&s);
    netplot_sheet_release(&s);
    return ret;
}
