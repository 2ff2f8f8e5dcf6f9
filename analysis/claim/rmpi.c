#include "analysis/claim/rmpi.h"
#include "analysis/collective/steps.h"

#define FOUR 4

/* The patterns that RMBcast chooses among. */
static const char *const four[FOUR] = { "sequential", "binary", "binomial", "chain" };

struct columns {
    int network, n, pattern, degree, hops, reading;
};

static int rmpi_find_columns(struct columns *c, const struct csv *published, struct err *err)
{
    c->reading = csv_column(published, "ocr_confidence");
    return claim_columns((int *const[]){ &c->network, &c->n, &c->pattern, &c->degree, &c->hops }, published,
                         "network,N,pattern,degree,hops", err);
}

static int rmpi_value_of(double *value, const struct tree *tree, struct broadcast_how how, bool serial,
                    const struct placement *where, struct routing *routing, struct err *err)
{
    struct tree_shape shape = { 0 };
    struct broadcast b = { 0 };
    int ret;

    if (tree_shape_init(&shape, tree, where->n, NULL, err) < 0)
        return -1;
    ret = steps_broadcast(&b, &shape, 0, &(struct steps){ where, routing, how, NULL }, NULL, err);
    if (ret == 0)
        *value = serial ? b.serial_hops : b.makespan_steps;
    broadcast_release(&b);
    tree_shape_release(&shape);
    return ret;
}

int rmpi_value(double *value, const char *pattern, const char *degree, bool serial, const struct placement *where,
               struct routing *routing, struct err *err)
{
    const bool first = strcmp(degree, "first") == 0;
    const struct broadcast_how how = { .ports = first ? 1 : 0, .blocking = first };
    const struct tree *tree;
    double least = INFINITY, one;

    if (!first && strcmp(degree, "optimal") != 0)
        return err_set(err, ERR_FORMAT, "degree '%.40s' is neither first nor optimal", degree);
    if (strcmp(pattern, "rmbcast") != 0) {
        tree = tree_find(pattern, err);
        return tree ? rmpi_value_of(value, tree, how, serial, where, routing, err) : -1;
    }
    for (int i = 0; i < FOUR; i++) {
        if (rmpi_value(&one, four[i], degree, serial, where, routing, err) < 0)
            return -1;
        least = fmin(least, one);
    }
    *value = least;
    return 0;
}

double rmpi_printed(const struct rmpi_row *row, int n, const char *pattern)
{
    struct err ignored;
    struct columns c;
    double value;
    char text[16];

    snprintf(text, sizeof text, "%d", n);
    if (rmpi_find_columns(&c, row->published, &ignored) < 0)
        return NAN;
    for (size_t i = 0; i < row->published->nrow; i++)
        if (strcmp(csv_at(row->published, i, c.network), row->table->network) == 0 &&
            strcmp(csv_at(row->published, i, c.n), text) == 0 &&
            strcmp(csv_at(row->published, i, c.pattern), pattern) == 0 &&
            strcmp(csv_at(row->published, i, c.degree), row->degree) == 0)
            return num_real(&value, csv_at(row->published, i, c.hops), "hops", &ignored) < 0 ? NAN : value;
    return NAN;
}

/* On the one-way ring a message takes (child - parent) hops. That column alone gives the parents of processes 8 and
 * above, except for two with exchanged increments; with 7 under 6 the rest follows. */
int rmpi_counted_tree(double *hops, const struct rmpi_row *row, struct err *err)
{
    static const int entered[] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 12, 14, 15 };
    static const int parent[] = { 0, 0, 0, 1, 1, 2, 2, 6, 6, 4, 4, 3, 5, 12, 7, 7 };
    struct route_path path = { 0 };
    int ret = 0;

    *hops = 0;
    for (int i = 1; ret == 0 && i < row->n; i++) {
        ret = route_path(&path, row->routing, parent[entered[i]], entered[i], err);
        *hops += (double)path.n - 1;
    }
    route_path_release(&path);
    return ret;
}

/* RMBcast is the least of its row: it follows the printed columns where they differ from ours. */
static void explain_least(struct claim_cell *cell, const struct rmpi_row *row)
{
    double least = INFINITY;

    for (int i = 0; i < FOUR; i++)
        least = fmin(least, rmpi_printed(row, row->n, four[i]));
    claim_explain(cell, least, "the least of the four printed columns, one of which differs from ours");
}

static int one_cell(const struct rmpi_row *row, const struct columns *c, size_t line, const struct claim_sink *sink,
                    struct err *err)
{
    struct placement where = { 0 };
    struct claim_cell cell;
    double value;
    int ret = -1;

    if (placement_init(&where, row->routing->net, NULL, row->n, 1, 0, err) < 0 ||
        rmpi_value(&value, row->pattern, row->degree, row->table->serial, &where, row->routing, err) < 0 ||
        claim_cell_init(&cell, "hops", csv_at(row->published, line, c->hops), value, err) < 0)
        goto done;
    snprintf(cell.where, sizeof cell.where, "%s N=%d %s %s", row->table->network, row->n, row->pattern, row->degree);
    if (c->reading >= 0)
        snprintf(cell.reading, sizeof cell.reading, "%s", csv_at(row->published, line, c->reading));
    if (strcmp(row->pattern, "rmbcast") == 0)
        explain_least(&cell, row);
    else if (row->table->explain && row->table->explain(&cell, row, err) < 0)
        goto done;
    ret = claim_emit(sink, &cell, err);
done:
    placement_release(&where);
    return ret;
}

static int one_table(const struct rmpi_table *table, const struct columns *c, const struct claim_sink *sink,
                     struct err *err)
{
    const struct csv *published = sink->published;
    struct net *net = NULL;
    struct routing routing = { 0 };
    struct rmpi_row row = { .table = table, .published = published, .routing = &routing };
    int64_t n = 0;
    int ret = -1;

    if (net_open(&net, table->spec, err) < 0)
        return -1;
    if (routing_open(&routing, net, table->routing ? table->routing : "dor", err) < 0)
        goto done;
    for (size_t i = 0; i < published->nrow; i++) {
        if (strcmp(csv_at(published, i, c->network), table->network) != 0)
            continue;
        if ((ret = tick_check(sink->tick, (double)i / (double)published->nrow, err)) < 0)
            goto done;
        row.pattern = csv_at(published, i, c->pattern);
        row.degree = csv_at(published, i, c->degree);
        ret = num_int(&n, csv_at(published, i, c->n), 1, net->nterminal, "N", err);
        row.n = (int)n;
        if (ret == 0)
            ret = one_cell(&row, c, i, sink, err);
        if (ret < 0) {
            err_at(err, "line %zu", published->line[i]);
            goto done;
        }
    }
    ret = 0;
done:
    routing_close(&routing);
    net_close(net);
    return ret;
}

int rmpi_run(const struct claim_sink *sink, struct err *err)
{
    struct columns c;

    if (rmpi_find_columns(&c, sink->published, err) < 0)
        return -1;
    for (const struct rmpi_table *table = sink->claim->table; table->network; table++)
        if (one_table(table, &c, sink, err) < 0)
            return -1;
    return 0;
}
