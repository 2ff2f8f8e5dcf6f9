/* verdicts.h -- the documented verdict of every cell, which `reproduce --check` compares. A file of them has the
 * columns claim, cell, quantity, published, verdict as `reproduce --show differences` has them: a row for each cell
 * that is not simply reproduced, and a row per claim with the number of those that are. */
#ifndef ANALYSIS_CLAIM_VERDICTS_H
#define ANALYSIS_CLAIM_VERDICTS_H

#include "analysis/claim/claim.h"

struct verdicts {
    struct csv csv;
    int claim, cell, quantity, published, verdict;      /* columns */
    bool *met;                      /* rows that a cell has answered to */
};

/* ERR_FORMAT names a column that is missing, or a row whose claim or verdict there is not. */
int verdicts_read(struct verdicts *v, const char *path, struct err *err);
void verdicts_release(struct verdicts *v);
/* Whether the cell is as documented; else `how` says how it is not: "reproduced, documented as unexplained". */
bool verdicts_hold(struct verdicts *v, const char *claim, const struct claim_cell *cell, char how[160]);
/* The number of reproduced cells as a cell of its own. */
void verdicts_total(struct claim_cell *cell, int reproduced);
/* Row, from *at on, of the claim that no cell has answered to; *at is left behind it. -1: none. */
int verdicts_unmet(const struct verdicts *v, const char *claim, size_t *at);

#endif
