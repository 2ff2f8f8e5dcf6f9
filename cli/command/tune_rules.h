/* tune_rules.h -- `tune --rules`: the best choices as a file that a library reads (analysis/rules). */
#pragma once

#include "analysis/rules/join.h"
#include "cli/request/collective_request.h"

struct tune_rules {
    const char *to, *loss, *onto, *protocol;    /* as asked; to NULL: no rules */
    const char *path;
    double allowed;                     /* the loss */
    struct rules rules;
    struct join_loss lost;
    char title[120];                    /* of the table, with what the rules lose */
};
int tune_rules_check(struct tune_rules *t, const struct collective_request *q, struct err *err);
/* Settings that the library has: their times must be known. */
size_t tune_rules_wanted(const struct tune_rules *t, const struct collective_request *q, bool *wanted,
                         const struct collective_runs *r);
/* An operation's; what fails is left in j->t->why. */
void tune_rules_add(struct tune_rules *t, struct job *j, const struct collective_runs *r);
int tune_rules_write(struct tune_rules *t, struct job *j, struct err *err);
