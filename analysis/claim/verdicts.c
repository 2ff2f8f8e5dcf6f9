#include "analysis/claim/verdicts.h"

static bool is_verdict(const char *name)
{
    for (int v = 0; v < CLAIM_VERDICTS; v++)
        if (strcmp(claim_verdict_name((enum claim_verdict)v), name) == 0)
            return true;
    return false;
}

int verdicts_read(struct verdicts *out, const char *path, struct err *err)
{
    struct verdicts v = { 0 };

    if (csv_read(&v.csv, path, err) < 0)
        return -1;
    if (claim_columns((int *const[]){ &v.claim, &v.cell, &v.quantity, &v.published, &v.verdict }, &v.csv,
                      "claim,cell,quantity,published,verdict", err) < 0) {
        err_at(err, "%s", path);
        goto fail;
    }
    for (size_t i = 0; i < v.csv.nrow; i++) {
        const char *verdict = csv_at(&v.csv, i, v.verdict);

        if (!claim_find(csv_at(&v.csv, i, v.claim), err)) {
            err_at(err, "%s:%zu", path, v.csv.line[i]);
            goto fail;
        }
        if (!is_verdict(verdict)) {
            err_set(err, ERR_FORMAT, "%s:%zu: there is no verdict '%.40s'", path, v.csv.line[i], verdict);
            goto fail;
        }
    }
    if (TAKE("a published table", err, ZEROS(v.met, v.csv.nrow + 1)) < 0)
        goto fail;
    *out = v;
    return 0;
fail:
    verdicts_release(&v);
    return -1;
}

void verdicts_release(struct verdicts *v)
{
    csv_release(&v->csv);
    free(v->met);
    *v = (struct verdicts){ 0 };
}

/* Row of a cell; -1: none, so the cell is documented as reproduced. */
static int verdicts_row(const struct verdicts *v, const char *claim, const struct claim_cell *cell)
{
    for (size_t i = 0; i < v->csv.nrow; i++)
        if (strcmp(csv_at(&v->csv, i, v->claim), claim) == 0 &&
            strcmp(csv_at(&v->csv, i, v->cell), cell->where) == 0 &&
            strcmp(csv_at(&v->csv, i, v->quantity), cell->quantity) == 0)
            return (int)i;
    return -1;
}

bool verdicts_hold(struct verdicts *v, const char *claim, const struct claim_cell *cell, char how[160])
{
    const char *verdict = claim_verdict_name(cell->verdict), *documented = claim_verdict_name(CLAIM_REPRODUCED);
    const int row = verdicts_row(v, claim, cell);

    if (row >= 0) {
        const char *published = csv_at(&v->csv, (size_t)row, v->published);

        v->met[row] = true;
        documented = csv_at(&v->csv, (size_t)row, v->verdict);
        if (strcmp(published, cell->printed) != 0) {
            snprintf(how, 160, "is %.40s, documented as %.40s", cell->printed, published);
            return false;
        }
    }
    snprintf(how, 160, "%s, documented as %.40s", verdict, documented);
    return strcmp(verdict, documented) == 0;
}

/* Its verdict is not the default of a cell without a row, so that a missing row is reported. */
void verdicts_total(struct claim_cell *cell, int reproduced)
{
    *cell = (struct claim_cell){ .where = "all", .quantity = "cells reproduced", .verdict = CLAIM_HOLDS };
    snprintf(cell->printed, sizeof cell->printed, "%d", reproduced);
}

int verdicts_unmet(const struct verdicts *v, const char *claim, size_t *at)
{
    while (*at < v->csv.nrow) {
        const size_t i = (*at)++;

        if (!v->met[i] && strcmp(csv_at(&v->csv, i, v->claim), claim) == 0)
            return (int)i;
    }
    return -1;
}
