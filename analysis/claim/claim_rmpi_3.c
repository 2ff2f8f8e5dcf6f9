#include "analysis/claim/rmpi.h"
#include "texts/claim.h"

enum { FIRST_N = 8 };               /* processes of the tables' first rows */

/* The order in which processes enter a running sum changes only the rows that end between them. */
static const int order[] = { 0, 1, 2, 3, 4, 5, 6, 7, 13, 8, 9, 10, 11, 12, 14, 15 };

/* The row's hops for n processes, placed as `at` says; NULL: in order. */
static int hops_of(double *hops, const struct rmpi_row *row, const int *at, int n, struct err *err)
{
    struct placement where = { 0 };
    int ret = at ? placement_from(&where, row->routing->net, at, n, err) :
        placement_init(&where, row->routing->net, NULL, n, 1, 0, err);

    if (ret == 0)
        ret = rmpi_value(hops, row->pattern, row->degree, true, &where, row->routing, err);
    placement_release(&where);
    return ret;
}

static int explain_order(struct claim_cell *cell, const struct rmpi_row *row, struct err *err)
{
    double hops;

    if (hops_of(&hops, row, order, row->n, err) < 0)
        return -1;
    claim_explain(cell, hops, "the column adds up process by process, and takes process 13 in before process 8");
    return 0;
}

/* The hops of a tree have the same parity on both meshes, so no tree gives both columns. */
static int explain_binary(struct claim_cell *cell, const struct rmpi_row *row, int less, struct err *err)
{
    double hops;

    if (rmpi_counted_tree(&hops, row, err) < 0)
        return -1;
    claim_explain(cell, hops - less, less ? RMPI_COUNTED_TREE ". Its running sum starts one too low: no tree "
                  "gives this column and the plain mesh's" : RMPI_COUNTED_TREE);
    return 0;
}

/* The column's increments, from its first row on, are ours. */
static int explain_binomial(struct claim_cell *cell, const struct rmpi_row *row, struct err *err)
{
    double first;

    if (hops_of(&first, row, NULL, FIRST_N, err) < 0)
        return -1;
    claim_shift(cell, rmpi_printed(row, FIRST_N, "binary") + cell->computed - first, "increments are ours, but the "
                "running sum starts from 11, the number beside it in the binary column at N=8, instead of 9: more hops "
                "than the messages take one after the other, which no schedule needs");
    return 0;
}

static int explain_mesh(struct claim_cell *cell, const struct rmpi_row *row, struct err *err)
{
    if (strcmp(row->pattern, "binary") == 0)
        return explain_binary(cell, row, 0, err);
    if (strcmp(row->pattern, "sequential") == 0)
        return explain_order(cell, row, err);
    return strcmp(row->pattern, "binomial") == 0 ? explain_binomial(cell, row, err) : 0;
}

/* Rank 14 receives from rank 12, two columns away. */
static int explain_wrap(struct claim_cell *cell, const struct rmpi_row *row, struct err *err)
{
    struct route_path path = { 0 };
    int ret = 0;

    if (strcmp(row->pattern, "binary") == 0)
        return explain_binary(cell, row, 1, err);
    if (strcmp(row->pattern, "binomial") == 0 && row->n > 14) {
        ret = route_path(&path, row->routing, 12, 14, err);
        if (ret == 0)
            claim_explain(cell, cell->computed - ((double)path.n - 2), "the two hops from process 12 to process 14 are "
                          "counted as one");
        route_path_release(&path);
    }
    return ret;
}

const struct claim claim_rmpi_3 = {
    CLAIM_RMPI_3_ENTRY,
    .run = rmpi_run,
    .table = (const struct rmpi_table[]){
        { .network = "mesh", .spec = "mesh:4x4", .serial = true, .explain = explain_mesh },
        { .network = "mesh_wrap", .spec = "mesh:4x4,wrap=2", .serial = true, .explain = explain_wrap },
        { 0 }
    }
};
