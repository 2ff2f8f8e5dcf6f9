/* tune_rules.h -- `tune --rules`: the best choices as a file that a library reads (analysis/rules). */
#pragma once

#include "analysis/rules/join.h"
#include "cli/request/collective_request.h"

struct tune_rules {
    const char *to, *loss, *onto, *protocol;    /* as asked; to NULL: no rules */
    const char *path;
    bool exact, between;                /* bounds by bisection; cells that are added are for that */
    double allowed;                     /* the loss */
    struct rules rules;
    struct join_loss lost, before;      /* of all operations; of those before the one at hand */
    size_t first;                       /* of its rules */
    struct join_cell *cell;             /* of the operation at hand, and what they point to */
    double **time;
    struct setting *setting;
    size_t ncell, ntime, nsetting;
    char title[120];                    /* of the table, with what the rules lose */
};
int tune_rules_check(struct tune_rules *t, const struct collective_request *q, struct err *err);
/* Settings that the library has: their times must be known. */
size_t tune_rules_wanted(const struct tune_rules *t, const struct collective_request *q, bool *wanted,
                         const struct collective_runs *r);
/* Cells of the operation at hand; what fails is left in j->t->why. */
void tune_rules_add(struct tune_rules *t, struct job *j, const struct collective_runs *r);
/* Their rules, in place of those joined before of this operation. */
int tune_rules_join(struct tune_rules *t, enum operation operation, struct err *err);
/* Sizes half-way between neighbours for which the rules differ, of the first number of processes that has such; that,
 * or 0: every bound is between a size and the next. *sizes is to be freed. */
int tune_rules_between(char **sizes, const struct tune_rules *t, enum operation operation, struct err *err);
/* On to the next operation. */
void tune_rules_end(struct tune_rules *t);
int tune_rules_write(struct tune_rules *t, struct job *j, struct err *err);
