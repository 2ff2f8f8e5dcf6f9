/* column.h -- what `help` and the pages of reference say of the columns of tables (column.text). */
#pragma once

#include "cli/request/command.h"

/* The sections, by name, ended by NULL. */
extern const struct entry *const column_all[];
/* What is said of the columns of that name, in all tables; NULL: nothing is. */
const char *column_summary(const char *name);
/* Whether people may mean it by `word`: its name in CSV or its heading, with or without the unit, in letters of any
 * case, where blanks, hyphens and underscores are the same. */
bool column_called(const struct column *c, const char *word);
/* Prints what columns of all commands and those below them are called so: name, summary, heading and unit, and the
 * tables that have it. `after`: a line is left empty first. False: there are none. */
bool column_help(const struct cmd *const *all, const char *word, bool after);
