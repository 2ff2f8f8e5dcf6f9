/* verdicts.h -- the documented verdict of every cell, which `reproduce --check` compares. A file of them has the
 * columns claim, cell, quantity, published, verdict as `reproduce --show differences` has them: a row for each cell
 * that is not simply reproduced, and a row per claim with the number of those that are. */
#pragma once

#include "analysis/claim/claim.h"

struct verdicts {
    struct csv csv;
    int claim, cell, quantity, published, verdict;      /* columns */
    bool *met;                      /* rows that a computed cell has matched */
};

/* ERR_FORMAT names a missing column, or a row with an unknown claim or verdict. */
int verdicts_read(struct verdicts *v, const char *path, struct err *err);
void verdicts_release(struct verdicts *v);
/* Whether the cell is as documented; else `how` has the difference: "reproduced, documented as unexplained". */
bool verdicts_hold(struct verdicts *v, const char *claim, const struct claim_cell *cell, char how[160]);
/* The number of reproduced cells as a cell of its own. */
void verdicts_total(struct claim_cell *cell, int reproduced);
/* Next row of the claim, from *at on, that no computed cell has matched; *at moves past it. -1: none. */
int verdicts_unmet(const struct verdicts *v, const char *claim, size_t *at);
