/* The drawing of a network (drawing.h).
 *   values                       of links, from a table, and the selection and roles of nodes
 *   communities, and the matrix  nodes by group; a network as the matrix of its links
 *   the figure                   networks side by side, or one in panels by a column */
#include "cli/request/drawing.h"
#include "analysis/network/selection.h"
#include "cli/request/link_values.h"
#include "graph/community.h"
#include "graph/topology/topo.h"
#include "render/table/from_csv.h"
#include "texts/option.h"

#define DOTS_MOST 2000          /* nodes of an irregular network that are drawn, unless a layout is asked for */

#define ABOUT(member) INTO_OF(struct drawing_request, member)
const struct option_field drawing_options[] = {
    { .help = "Drawing of a network (with --plot):", .group = 1 },
    { "highlight", 0, "WHAT", "what to highlight: nodes:A,B  path:A-B-C  cycle:A-B-C  route:A-B  supernode:sga:1:A  "
      "metapath:sga:1:A-B  tree:binomial:A; may be repeated", 1, ABOUT(highlight), .whole = true },
    { OPTION_DRAWING_NODES, 1, ABOUT(nodes) },
    { OPTION_DRAWING_NODE_COLOUR, 1, ABOUT(node_colour) },
    { OPTION_DRAWING_LINKS, 1, ABOUT(links) },
    { OPTION_DRAWING_LINK_COLOUR, 1, ABOUT(link_colour) },
    { OPTION_DRAWING_LINK_WIDTH, 1, ABOUT(link_width) },
    { OPTION_DRAWING_LAYOUT, 1, ABOUT(layout) },
    { OPTION_DRAWING_LABELS, 1, ABOUT(no_labels) }, { 0 }
};

bool drawing_asked(const struct drawing_request *r)
{
    return r->layout || r->nodes || r->links || r->node_colour || r->link_colour || r->link_width || r->highlight.n ||
           r->no_labels;
}

/* ---- values ------------------------------------------------------------------------------------------ */

static int find(size_t *at, const struct csv_table *f, const char *name, struct err *err)
{
    int i = table_find(&f->table, name);

    *at = i < 0 ? 0 : (size_t)i;
    if (i >= 0)
        return 0;
    table_unknown(&f->table, name, err);
    return err_at(err, "%s", f->path);
}

/* The node that a cell of a row names. */
static int node_in(int *node, const struct net *net, const struct csv_table *f, size_t row, size_t column,
                   struct err *err)
{
    if (net_node(net, f->csv.field[row * f->csv.ncol + column], node, err) == 0)
        return 0;
    return err_at(err, "%s, line %zu", f->path, f->csv.line[row]);
}

static int number_in(double *v, const struct csv_table *f, size_t row, size_t column, struct err *err)
{
    const struct cell cell = csv_cell(f->csv.field[row * f->csv.ncol + column]);

    *v = cell_value(&cell);
    if (cell.type != CELL_TEXT)
        return 0;
    return err_set(err, ERR_FORMAT, "%s, line %zu: column '%.60s' has '%.60s', which is no number", f->path,
                   f->csv.line[row], f->table.column[column].name, cell.u.text);
}

static double *all_unknown(size_t n, struct err *err)
{
    double *v = malloc((n + 1) * sizeof *v);

    for (size_t i = 0; v && i < n; i++)
        v[i] = NAN;
    if (!v)
        err_memory(err);
    return v;
}

/* "Load" and "%" of a column's name. */
static int name_axis(struct axis *a, const struct csv_table *f, size_t column, struct err *err)
{
    const struct column *c = &f->table.column[column];

    return chart_axis(a, c->heading, c->unit) < 0 ? err_memory(err) : 0;
}

/* A column without a number has words; one word among numbers is a mistake. */
static bool all_words(const struct csv_table *f, size_t column)
{
    size_t n = 0;

    for (size_t r = 0; r < f->csv.nrow; r++) {
        char *field = f->csv.field[r * f->csv.ncol + column];

        if (*field && csv_cell(field).type != CELL_TEXT)
            return false;
        n += *field != '\0';
    }
    return n > 0;
}

/* Numbers, or words as categories of the axis. */
static int node_values(double **out, struct axis *a, const struct net *net, const struct csv_table *f, const char *name,
                       struct err *err)
{
    size_t node_column, column;
    bool words;

    if (find(&node_column, f, "node", err) < 0 || find(&column, f, name, err) < 0 ||
        !(*out = all_unknown((size_t)net->n, err)))
        return -1;
    words = all_words(f, column);
    for (size_t r = 0; r < f->csv.nrow; r++) {
        const char *field = csv_at(&f->csv, r, (int)column);
        double v = NAN;
        int node;

        if (node_in(&node, net, f, r, node_column, err) < 0 || (!words && number_in(&v, f, r, column, err) < 0))
            return -1;
        if (words && *field && (v = chart_category(a, field)) < 0)
            return err_memory(err);
        (*out)[node] = v;
    }
    return name_axis(a, f, column, err);
}

static int link_rows(double *v, struct net *net, const struct csv_table *f, const int pair[2], size_t column,
                     struct err *err)
{
    for (size_t r = 0; r < f->csv.nrow; r++) {
        double value;

        if (!*csv_at(&f->csv, r, pair[1]))      /* a link out of the network */
            continue;
        if (number_in(&value, f, r, column, err) < 0)
            return -1;
        if (link_values_put(v, net, csv_at(&f->csv, r, pair[0]), csv_at(&f->csv, r, pair[1]), value, err) < 0)
            return err_at(err, "%s, line %zu", f->path, f->csv.line[r]);
    }
    link_values_settle(v, (int64_t)net_edges(net, err));
    return 0;
}

/* Of a column of the file, or what the network itself says of its links (no file). */
static int values_of_links(double **out, struct axis *a, struct net *net, const struct csv_table *f, const char *name,
                           struct err *err)
{
    const bool bandwidth = strcmp(name, "bandwidth") == 0;
    size_t column;
    int pair[2];

    if (!f->path) {
        if (!(*out = link_values_own(net, bandwidth, err)))
            return -1;
        return chart_axis(a, bandwidth ? "Bandwidth" : "Latency", bandwidth ? "unit links" : "cycles") < 0 ?
            err_memory(err) : 0;
    }
    if (csv_pair(pair, &f->csv, f->path, err) < 0 || find(&column, f, name, err) < 0 ||
        !(*out = link_values_open(net, err)))
        return -1;
    return link_rows(*out, net, f, pair, column, err) < 0 ? -1 : name_axis(a, f, column, err);
}

/* A file's own name is enough over its drawing. */
static const char *title_of(const struct net *net)
{
    const char *mark = net->topo->takes_path ? strpbrk(net->spec, "/:") : NULL;
    const char *slash = memrchr(net->spec, '/', strcspn(net->spec, ","));

    return !mark ? net->spec : slash ? slash + 1 : mark + 1;
}

/* ---- communities, and the matrix --------------------------------------------------------------------- */

static bool by_community(const struct drawing_request *r)
{
    return r->node_colour && !r->nodes;
}

/* Of every node its community, as categories of the axis. */
static int node_communities(double **out, struct axis *a, char note[120], struct net *net, struct err *err)
{
    const igraph_t *graph;
    int *end = NULL, *of = NULL, count, ret = -1;
    size_t m;
    double q;

    if (net_graph(net, &graph, err) < 0)
        return -1;
    m = (size_t)net_edges(net, err);
    if (TAKE("communities", err, ARRAY(end, 2 * m + 1), ARRAY(of, net->n), ARRAY(*out, net->n)) < 0)
        return -1;
    for (size_t e = 0; e < m; e++)
        net_ends(end + 2 * e, net, (int64_t)e);
    count = community_find(of, &q, net->n, m, end, NULL, err);
    for (int c = 0; c < count; c++) {
        char name[32];

        snprintf(name, sizeof name, "community %d", c + 1);
        if (chart_category(a, name) < 0) {
            err_memory(err);
            goto done;
        }
    }
    for (int v = 0; v < net->n && count > 0; v++)
        (*out)[v] = of[v];
    snprintf(note, 120, count == 1 ? "All nodes are one community." : "Colours are the %d communities of modularity "
             "%.3f.", count, q);
    ret = count < 0 ? -1 : 0;
done:
    FREE(end, of);
    return ret;
}

/* The chart of pairs that --layout names in place of a layout; NULL: it names none. */
static const struct chart_kind *matrix_asked(const struct drawing_request *r)
{
    const struct chart_kind *kind = r->layout ? chart_find(r->layout, NULL) : NULL;

    return kind && kind->pairs ? kind : NULL;
}

/* A point for every link, with its value. */
static int matrix_write(const struct chart_kind *kind, struct net *net, const double *value, const struct axis *link,
                        const struct options *o, struct err *err)
{
    const igraph_t *graph;
    struct chart c;
    int series, ret = -1;

    chart_init(&c, kind->name);
    if (net_graph(net, &graph, err) < 0)
        goto done;
    c.title = strdup(title_of(net));
    series = c.title && chart_axis(&c.x, "To", NULL) == 0 && chart_axis(&c.y, "From", NULL) == 0 &&
        chart_axis(&c.z, link->title, link->unit) == 0 ? chart_series(&c, "", 0) : -1;
    for (int v = 0; series >= 0 && v < net->n; v++) {
        char label[NET_LABEL];

        if (chart_category(&c.x, netplot_label(net, v, label)) < 0 ||
            chart_category(&c.y, netplot_label(net, v, label)) < 0)
            series = -1;
    }
    for (int64_t e = 0; series >= 0 && e < (int64_t)net_edges(net, err); e++)
        for (int back = 0; back < 2 - net->directed; back++) {
            int end[2], from, to;

            net_ends(end, net, e);
            from = end[back];
            to = end[!back];
            if (series >= 0 && chart_datum(&c, series, (struct datum){ .x = to, .y = from, .z = !value ? (double)NAN :
                                           value[2 * e + (from > to)], .lo = NAN, .hi = NAN }) < 0)
                series = -1;
        }
    ret = series < 0 ? err_memory(err) : chart_write(&c, &o->page, o->plot, err);
done:
    chart_release(&c);
    return ret;
}

/* ---- the figure -------------------------------------------------------------------------------------- */

struct figure_data {
    struct net **net;
    struct net_drawing *drawing;
    struct highlight *highlight;
    struct selection *selection;
    double *node_value, *link_value, *link_width;
    struct netplot plot;
    char note[120];
    struct csv_table nodes, links;
};

static int values(struct figure_data *d, const struct drawing_request *r, struct err *err)
{
    struct net *net = d->net[0];

    if (by_community(r)) {
        if (node_communities(&d->node_value, &d->plot.node, d->note, net, err) < 0)
            return -1;
        d->plot.note = d->note;
    } else if (r->node_colour && (csv_table_open(&d->nodes, r->nodes, err) < 0 ||
                           node_values(&d->node_value, &d->plot.node, net, &d->nodes, r->node_colour, err) < 0))
        return -1;
    if (r->links && csv_table_open(&d->links, r->links, err) < 0)
        return -1;
    if (r->link_colour && values_of_links(&d->link_value, &d->plot.link, net, &d->links, r->link_colour, err) < 0)
        return -1;
    return r->link_width ? values_of_links(&d->link_width, &d->plot.width, net, &d->links, r->link_width, err) : 0;
}

static int highlights(struct figure_data *d, const struct drawing_request *r, struct err *err)
{
    const struct strings *phrase = &r->highlight;

    if (TAKE("the request", err, ZEROS(d->highlight, phrase->n + 2), ZEROS(d->selection, phrase->n + 1)) < 0)
        return -1;
    for (size_t i = 0; i < phrase->n; i++) {
        struct selection *s = &d->selection[i];

        if (selection_open(s, d->net[0], phrase->item[i], err) < 0)
            return err_at(err, "--highlight %s", phrase->item[i]);
        d->highlight[i] = (struct highlight){ phrase->item[i], s->node, s->nnode, s->link, s->nlink, s->way,
                                              s->from, s->to };
    }
    return 0;
}

static int open_networks(struct figure_data *d, const struct drawing_request *r, const struct options *o,
                         const struct strings *spec, struct err *err)
{
    if (TAKE("the request", err, ZEROS(d->net, spec->n + 1), ZEROS(d->drawing, spec->n + 1)) < 0)
        return -1;
    for (size_t i = 0; i < spec->n; i++) {
        if (net_open(&d->net[i], spec->item[i], err) < 0)
            return -1;
        d->drawing[i] = (struct net_drawing){ .what = { .net = d->net[i], .layout = r->layout, .seed = o->seed },
                                              .title = title_of(d->net[i]) };
    }
    return 0;
}

/* What networks say of their links without a file. */
static bool own_value(const char *name)
{
    return !name || strcmp(name, "bandwidth") == 0 || strcmp(name, "latency") == 0;
}

static int drawing_check(const struct drawing_request *r, const struct strings *spec, struct err *err)
{
    if (matrix_asked(r) &&
        (r->nodes || r->node_colour || r->link_width || r->highlight.n || r->no_labels || spec->n > 1))
        return err_set(err, ERR_USAGE, "a matrix is of one network, and shows nothing but its links (--link-colour)");
    if (spec->n > 1 && (r->nodes || r->node_colour || r->links || r->link_colour || r->link_width || r->highlight.n))
        return err_set(err, ERR_USAGE, "values and highlights are for the drawing of one network; there are %zu",
                       spec->n);
    if (spec->n > 36)
        return err_set(err, ERR_DOMAIN, "a drawing has room for 36 networks; there are %zu", spec->n);
    if (!r->node_colour != !r->nodes && !(r->node_colour && strcmp(r->node_colour, "community") == 0))
        return err_set(err, ERR_USAGE, "--nodes and --node-colour go together: a CSV file and its column (without a "
                       "file: community)");
    if (r->links ? !r->link_colour && !r->link_width : !own_value(r->link_colour) || !own_value(r->link_width))
        return err_set(err, ERR_USAGE, "--links goes with --link-colour or --link-width: a CSV file and its columns "
                       "(without a file: bandwidth or latency)");
    return 0;
}

static void drawing_release(struct figure_data *d, size_t nspec, size_t nphrase)
{
    struct axis *axis[] = { &d->plot.node, &d->plot.link, &d->plot.width };

    for (size_t i = 0; d->net && i < nspec; i++)
        net_close(d->net[i]);
    for (size_t i = 0; d->selection && i < nphrase; i++)
        selection_release(&d->selection[i]);
    for (int i = 0; i < 3; i++)
        chart_axis_release(axis[i]);
    csv_table_release(&d->nodes);
    csv_table_release(&d->links);
    FREE(d->net, d->drawing, d->highlight, d->selection, d->node_value, d->link_value, d->link_width);
}

/* Whether nothing but the links is asked for of one network that is too large and too irregular for dots: the page would
 * show a lattice of merged ones. -1: error. */
static int matrix_better(const struct drawing_request *r, const struct figure_data *d, size_t nspec, struct err *err)
{
    const struct layout_kind *kind;

    if (drawing_asked(r) || r->found || nspec > 1 || d->net[0]->n <= DOTS_MOST)
        return 0;
    kind = layout_natural(d->net[0], err);
    return !kind ? -1 : kind->hops;
}

int drawing_write(const struct drawing_request *r, const struct options *o, const struct strings *spec, struct err *err)
{
    const struct axis open = { .from = NAN, .to = NAN };
    struct figure_data d = { .plot = { .node = open, .link = open, .width = open, .no_labels = r->no_labels } };
    const struct chart_kind *matrix = matrix_asked(r);
    int better = 0, ret = -1;

    if (drawing_check(r, spec, err) < 0 || open_networks(&d, r, o, spec, err) < 0 || values(&d, r, err) < 0 ||
        (better = matrix_better(r, &d, spec->n, err)) < 0)
        goto done;
    if (matrix || better) {
        ret = matrix_write(better ? chart_find("matrix", err) : matrix, d.net[0], d.link_value, &d.plot.link, o, err);
    } else if (highlights(&d, r, err) == 0) {
        d.drawing[0].what.node_value = d.node_value;
        d.drawing[0].what.categories = d.plot.node.ncategory > 0;
        d.drawing[0].what.link_value = d.link_value;
        d.drawing[0].what.link_width = d.link_width;
        d.drawing[0].highlight = d.highlight;
        d.drawing[0].nhighlight = r->highlight.n;
        for (size_t i = 0; r->found && i < spec->n; i++)
            if (strcmp(d.net[i]->spec, r->found_in) == 0) {
                d.highlight[i ? 0 : r->highlight.n] = *r->found;
                d.drawing[i].highlight = d.highlight;
                d.drawing[i].nhighlight += 1;
                break;
            }
        d.plot.drawing = d.drawing;
        d.plot.n = spec->n;
        ret = netplot_write(&d.plot, &o->page, o->plot, err);
    }
done:
    drawing_release(&d, spec->n, r->highlight.n);
    return ret;
}
