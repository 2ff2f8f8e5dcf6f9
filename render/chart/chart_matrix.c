/* chart_matrix.c -- pairs as a matrix, both its sides in the same order: communities one after the other, the largest
 * first, so that pairs within a community make blocks along the diagonal.
 * 1. names       what stands along x or y, each once
 * 2. order       by communities of all panels together; weights are the sizes of z
 * 3. cells       means of z, or where z is open, whether there is a pair; of large matrices several a cell
 * 4. drawing     by frame; blocks are framed */
#include "graph/community.h"
#include "render/chart/chart.h"
#include "render/figure/frame.h"

#define CELLS_MOST 480          /* along a side */
#define FEW_CELLS 64            /* each a rectangle, else all of them one image */

struct matrix {
    const struct chart *chart;
    struct names names;         /* of nodes */
    char **text;                /* 2 a point: numbers written as names, or NULL */
    int n, side;                /* nodes; cells along a side */
    int *end;                   /* 2 a point: the numbers of its names; -1: it has none */
    double *weight;
    size_t npoint;
    int *of, *rank, *node;      /* community; place in order; node of a place */
    int count;
    double modularity;
    bool pairs;                 /* no z: what is shown is whether there is a pair, or how many of them there are */
    double **value;             /* by panel: side * side, NaN: no pair */
    struct chart view;
    struct frame frame;
    char note[240];
};

/* ---- names ------------------------------------------------------------------------------------------- */

/* The number of what stands at a place of an axis, which *own keeps where the axis has no words; -1: nothing does;
 * -2: memory. */
static int node_at(struct matrix *m, char **own, const struct axis *a, double v, struct err *err)
{
    char number[32];
    const char *name = number;
    int at;

    if (!(fabs(v) < INFINITY) || (a->ncategory > 0 && !(v >= 0 && v < (double)a->ncategory)))
        return -1;
    if (a->ncategory > 0) {
        name = a->category[(size_t)v];
    } else if (!(name = *own = strdup(num_shortest(number, v)))) {
        err_memory(err);
        return -2;
    }
    at = names_add(&m->names, name, strlen(name), err);
    return at < 0 ? -2 : at;
}

static int find_nodes(struct matrix *m, struct err *err)
{
    const struct chart *c = m->chart;
    const size_t n = chart_points(c);
    size_t k = 0;

    if (TAKE("the chart", err, ZEROS(m->text, 2 * n + 1), ARRAY(m->end, 2 * n + 1), ARRAY(m->weight, n + 1)) < 0)
        return -1;
    m->npoint = n;
    m->pairs = true;
    for (size_t v = 0; c->ordered && v < c->y.ncategory; v++)
        if (names_add(&m->names, c->y.category[v], strlen(c->y.category[v]), err) < 0)
            return -1;
    for (size_t i = 0; i < c->nseries; i++)
        for (size_t p = 0; p < c->series[i].n; p++, k++) {
            const struct datum *d = &c->series[i].at[p];
            const double at[] = { d->x, d->y };

            m->weight[k] = isnan(d->z) ? 0 : fabs(d->z);
            m->pairs = m->pairs && isnan(d->z);
            for (size_t e = 0; e < 2; e++) {
                m->end[2 * k + e] = node_at(m, &m->text[2 * k + e], e ? &c->y : &c->x, at[e], err);
                if (m->end[2 * k + e] == -2)
                    return -1;
            }
        }
    m->n = m->names.n;
    return 0;
}

/* ---- order ------------------------------------------------------------------------------------------- */

/* Community by community, in each as the data have them. */
static int find_order(struct matrix *m, struct err *err)
{
    const size_t n = (size_t)m->n + 1;
    int *end = NULL, *first = NULL, ret = -1;
    double *weight = NULL;
    size_t k = 0;

    if (TAKE("the chart", err, ZEROS(m->of, n), ARRAY(m->rank, n), ARRAY(m->node, n), ZEROS(first, n + 1),
             ARRAY(end, 2 * m->npoint + 1), ARRAY(weight, m->npoint + 1)) < 0)
        goto done;
    for (size_t p = 0; p < m->npoint; p++)
        if (m->end[2 * p] >= 0 && m->end[2 * p + 1] >= 0) {
            memcpy(end + 2 * k, m->end + 2 * p, 2 * sizeof *end);
            weight[k++] = m->pairs ? 1 : m->weight[p];
        }
    m->count = 1;
    if (m->n > 0 && !m->chart->ordered && (m->count = community_find(m->of, &m->modularity, m->n, k, end, weight, err)) < 0)
        goto done;
    for (int v = 0; v < m->n; v++)
        first[m->of[v] + 1]++;
    for (int c = 0; c < m->count; c++)
        first[c + 1] += first[c];
    for (int v = 0; v < m->n; v++) {
        m->rank[v] = first[m->of[v]]++;
        m->node[m->rank[v]] = v;
    }
    ret = 0;
done:
    FREE(first, end, weight);
    return ret;
}

/* ---- cells ------------------------------------------------------------------------------------------- */

static int nodes_a_cell(const struct matrix *m)
{
    return (m->n + CELLS_MOST - 1) / CELLS_MOST;
}

/* How many nodes the cell of a row or column stands for. */
static double nodes_of(const struct matrix *m, int cell)
{
    const int per = nodes_a_cell(m);

    return cell * per + per <= m->n ? per : m->n - cell * per;
}

static int fill_panel(struct matrix *m, size_t panel, struct err *err)
{
    const struct chart *c = m->chart;
    const int per = nodes_a_cell(m);
    const size_t cells = (size_t)m->side * (size_t)m->side;
    double *sum = NULL, *count = NULL;
    size_t k = 0;
    int series;

    if (TAKE("the chart", err, ZEROS(sum, cells + 1), ZEROS(count, cells + 1)) < 0)
        return -1;
    m->value[panel] = sum;
    for (size_t i = 0; i < c->nseries; i++)
        for (size_t p = 0; p < c->series[i].n; p++, k++) {
            const int *end = m->end + 2 * k;
            size_t at;

            if (c->series[i].panel != panel || end[0] < 0 || end[1] < 0)
                continue;
            at = (size_t)(m->rank[end[1]] / per) * (size_t)m->side + (size_t)(m->rank[end[0]] / per);
            if (m->pairs || isfinite(c->series[i].at[p].z)) {
                sum[at] += m->pairs ? 1 : c->series[i].at[p].z;
                count[at]++;
            }
        }
    series = chart_series(&m->view, "", panel);
    for (size_t at = 0; series >= 0 && at < cells; at++) {
        const int row = (int)(at / (size_t)m->side), column = (int)(at % (size_t)m->side);

        sum[at] = count[at] == 0 ? (double)NAN : !m->pairs ? sum[at] / count[at] :
            per == 1 ? 1 : fmin(count[at] / nodes_of(m, row) / nodes_of(m, column), 1);
        if (!isnan(sum[at]) && chart_datum(&m->view, series, (struct datum){ .x = column, .y = row,
                                           .z = sum[at], .lo = NAN, .hi = NAN }) < 0)
            series = -1;
    }
    free(count);
    return series < 0 ? err_memory(err) : 0;
}

/* Names in order, from the left and from the top: those of the first nodes of cells. */
static int name_axes(struct matrix *m, struct err *err)
{
    for (int i = 0; i < m->side; i++) {
        const struct name *name = &m->names.name[m->node[i * nodes_a_cell(m)]];
        char *text = strndup(name->text, name->len);
        const bool there = text && chart_category(&m->view.x, text) >= 0 && chart_category(&m->view.y, text) >= 0;

        free(text);
        if (!there)
            return err_memory(err);
    }
    return 0;
}

static int matrix_fill(struct matrix *m, struct err *err)
{
    const struct chart *c = m->chart;
    const size_t npanel = c->npanel ? c->npanel : 1;
    const int per = nodes_a_cell(m);
    int len;

    m->side = per ? (m->n + per - 1) / per : 0;
    if (TAKE("the chart", err, ZEROS(m->value, npanel)) < 0)
        return -1;
    for (size_t i = 0; i < c->npanel; i++)
        if (chart_panel(&m->view, c->panel[i]) < 0)
            return err_memory(err);
    m->view.columns = c->columns;
    if ((c->title && !(m->view.title = strdup(c->title))) ||
        chart_axis(&m->view.x, c->x.title ? c->x.title : "Node", NULL) < 0 ||
        chart_axis(&m->view.y, c->y.title ? c->y.title : "Node", NULL) < 0 ||
        chart_axis(&m->view.z, m->pairs ? "Share of pairs linked" : c->z.title, m->pairs ? NULL : c->z.unit) < 0)
        return err_memory(err);
    m->view.z.scale = c->z.scale;
    m->view.z.from = m->pairs ? 0 : c->z.from;
    m->view.z.to = c->z.to;
    if (name_axes(m, err) < 0)
        return -1;
    for (size_t i = 0; i < npanel; i++)
        if (fill_panel(m, i, err) < 0)
            return -1;
    len = c->ordered ? 0 : snprintf(m->note, sizeof m->note, m->count == 1 ? "One community." : "In the order of %d communities, which "
                   "are framed: modularity %.3f.", m->count, m->modularity);
    if (per > 1)
        snprintf(m->note + len, sizeof m->note - (size_t)len, " A point stands for %d x %d pairs%s.", per, per,
                 m->pairs ? "" : ", the mean of those that have a value");
    return 0;
}

/* ---- drawing ----------------------------------------------------------------------------------------- */

/* The place of cells from..to of the columns and of the rows, which go down. */
static struct rect cells_at(const struct matrix *m, int column, int columns, int row, int rows)
{
    const struct frame *f = &m->frame;
    const double side = m->side, x = frame_x(f, column / side), y = frame_y(f, row / side);

    return (struct rect){ x, y, frame_x(f, (column + columns) / side) - x, frame_y(f, (row + rows) / side) - y };
}

static struct rgb cell_colour(const struct matrix *m, double v)
{
    return isnan(v) ? grey(1) : m->frame.want.colour_bar ? colour_bar_at(&m->frame.bar, m->frame.canvas, v) :
        series_colour(m->frame.canvas, 0);
}

static void draw_blocks(const struct matrix *m)
{
    const struct pen pen = { .colour = series_colour(m->frame.canvas, 1), .width = 0.9 };
    const int per = nodes_a_cell(m);

    for (int from = 0, to; from < m->n; from = to) {
        struct rect r;

        for (to = from + 1; to < m->n && m->of[m->node[to]] == m->of[m->node[from]]; to++)
            ;
        if (to - from < 2 * per || m->count == 1)
            continue;
        r = cells_at(m, from / per, (to - 1) / per - from / per + 1, from / per, (to - 1) / per - from / per + 1);
        canvas_rect(m->frame.canvas, &r);
    }
    canvas_stroke(m->frame.canvas, &pen);
}

static int matrix_panel(const struct matrix *m, size_t panel, struct err *err)
{
    const double *value = m->value[panel];
    const size_t cells = (size_t)m->side * (size_t)m->side;
    struct canvas *c = m->frame.canvas;
    uint32_t *pixel;

    if (m->side <= FEW_CELLS) {
        for (size_t at = 0; at < cells; at++) {
            const int row = (int)(at / (size_t)m->side), column = (int)(at % (size_t)m->side);
            const struct rect r = cells_at(m, column, 1, row, 1);

            if (isnan(value[at]))
                continue;
            canvas_rect(c, &r);
            canvas_fill(c, cell_colour(m, value[at]), 1);
        }
    } else {
        const struct rect r = cells_at(m, 0, m->side, 0, m->side);

        if (!(pixel = malloc(cells * sizeof *pixel)))
            return err_memory(err);
        for (size_t at = 0; at < cells; at++)
            pixel[at] = rgb_hex(cell_colour(m, value[at]));
        canvas_image(c, &r, m->side, m->side, pixel);
        free(pixel);
    }
    draw_blocks(m);
    return 0;
}

/* Without its lightest part, which a white page would swallow. */
static struct rgb matrix_ramp(const struct canvas *c, double t)
{
    return ramp_colour(c, 0.2 + 0.8 * t);
}

static int matrix_show(struct matrix *m, struct canvas *canvas, struct err *err)
{
    struct frame *f = &m->frame;
    int ret = 0;

    frame_begin(f, canvas, &m->view);
    f->want.colour_bar = m->n > 0 && (!m->pairs || nodes_a_cell(m) > 1);
    f->want.no_legend = f->want.no_grid = f->want.square = f->want.filled = true;
    f->aside = m->n > 0 && *m->note ? m->note : NULL;
    f->bar.ramp = matrix_ramp;
    if (frame_lay(f, err) < 0)
        return -1;
    frame_draw(f);
    for (size_t i = 0; ret == 0 && f->drawn && i < f->npanel; i++) {
        frame_panel(f, i);
        canvas_begin(canvas, "matrix", m->view.npanel ? m->view.panel[i] : NULL);
        ret = matrix_panel(m, i, err);
        canvas_end(canvas);
        frame_panel_end(f);
    }
    return ret;
}

static int matrix_draw(struct canvas *canvas, const struct chart *chart, struct err *err)
{
    struct matrix m = { .chart = chart };
    int ret = -1;

    chart_init(&m.view, chart->kind);
    if (find_nodes(&m, err) == 0 && find_order(&m, err) == 0 && matrix_fill(&m, err) == 0)
        ret = matrix_show(&m, canvas, err);
    frame_release(&m.frame);
    mem_free_list(m.text, 2 * m.npoint);
    for (size_t i = 0; m.value && i < (chart->npanel ? chart->npanel : 1); i++)
        free(m.value[i]);
    FREE(m.end, m.weight, m.of, m.rank, m.node, m.value);
    names_release(&m.names);
    chart_release(&m.view);
    return ret;
}

/* Square, with the names of nodes and a colour bar; a narrow page grows to it. */
static double matrix_height(const struct chart *chart, double width)
{
    return chart->npanel > 1 ? 0 : (width * 72 / 25.4 < PAGE_NARROW ? 0.8 : 0.95) * width;
}

const struct chart_kind chart_matrix = {
    .name = "matrix", .summary = "pairs as a matrix in the order of communities, which are framed",
    .notes = "Names along x and y are of one set; z, if given, is shown by colour, and its size says how much two of "
        "them belong together. Communities are those of a large modularity (Louvain).",
    .needs = ROLE_X | ROLE_Y, .pairs = true, .height = matrix_height, .draw = matrix_draw };
