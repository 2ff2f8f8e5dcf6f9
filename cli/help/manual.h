/* manual.h -- pages of reference, made of what the program says of itself: of a command its help, options, columns with
 * units and examples; of a catalogue every entry. For `man` in the macros of man(7), for documents in Markdown.
 * Errors  ERR_IO where `f` fails is the caller's to see; ERR_MEMORY. */
#pragma once

#include "cli/request/command.h"

enum manual_form { MANUAL_MAN, MANUAL_MARKDOWN };

/* metapath-NAME(1), NAME with a hyphen: "bcast", "bound-worst". */
int manual_command(FILE *f, enum manual_form form, const struct command *c, struct err *err);
/* metapath(1): all commands, specs in a few words, exit statuses. */
void manual_program(FILE *f, enum manual_form form, const struct cmd *const *all);
/* metapath(7): spec strings, and every entry of every kind but commands, words and published tables. */
void manual_specs(FILE *f, enum manual_form form);
/* Of one kind alone: a chapter. */
void manual_kind(FILE *f, enum manual_form form, const struct kind *kind);
