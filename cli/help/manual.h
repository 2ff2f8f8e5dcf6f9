/* manual.h -- pages of reference, made of what the program says of itself: of a command its help, options, columns with
 * units and examples; of a catalogue every entry. For `man` in the macros of man(7), for documents in Markdown.
 * Errors  ERR_IO where `f` fails is the caller's to see; ERR_MEMORY. */
#ifndef CLI_HELP_MANUAL_H
#define CLI_HELP_MANUAL_H

#include <stdio.h>

#include "cli/command/cmd.h"

enum manual_form { MANUAL_MAN, MANUAL_MARKDOWN };

/* A command, or a bound: "bcast", "bound-worst". */
struct manual_subject {
    char name[80];
    const char *summary, *synopsis;             /* synopsis NULL: that of its frame */
    const struct frame *frame;                  /* NULL: none */
};
/* The i-th of all; false: there are fewer. */
bool manual_subject(struct manual_subject *s, size_t i);
/* metapath-NAME(1). */
int manual_command(FILE *f, enum manual_form form, const struct manual_subject *subject, struct err *err);
/* metapath(1): the commands by group, specs in a few words, exit statuses. */
void manual_program(FILE *f, enum manual_form form);
/* metapath(7): spec strings, and every entry of every kind but commands, words and published tables. */
void manual_specs(FILE *f, enum manual_form form);
/* Of one kind alone: a chapter. */
void manual_kind(FILE *f, enum manual_form form, const struct kind *kind);

#endif
