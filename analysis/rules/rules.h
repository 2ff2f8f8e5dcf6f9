/* rules.h -- files by which communication libraries choose algorithms of collectives. One file rules_NAME.c a format;
 * its section of rules.text has the library's names of algorithms, a line each: the operation, the algorithm here (-:
 * there is none), the library's name, and
 *     segments        it may be told a segment       radix=K   it takes that radix alone
 *     segment=N       it cuts messages so by itself  later     a newer version has it: it is read, and not written
 *     two             it takes powers of two of processes alone
 *     set=NAME=VALUE  a variable that goes with it (ucc)
 *     guard=A,B,OTHER of mpich: written where condition A holds, and OTHER where B does
 * Units   bytes; of rules: `bytes` as struct schedule has them, `total` these times the number of processes.
 * Errors  ERR_FORMAT "PATH:LINE: ...", or PATH and the place in it where lines are not known; ERR_DOMAIN for rules that
 *         a format cannot say; ERR_USAGE for a format that there is not. */
#pragma once

#include "model/collective/collective.h"

struct rules_name {
    enum operation operation;
    const struct collective *algorithm; /* NULL: there is none here */
    char called[80];
    bool segments, later, two;
    int radix;                          /* 0: any */
    int64_t segment;                    /* 0: any */
    const char *text;                   /* its line */
};
struct rules_rule {
    enum operation operation;
    int64_t processes[2], bytes[2], total[2];   /* from, to: those with both ends; RULES_ALL: no end */
    const struct rules_name *name;      /* NULL: left to the library */
    int64_t segment;
    bool two;                           /* of powers of two of processes alone */
    size_t line;                        /* 0: not known */
};
#define RULES_ALL INT64_MAX
struct rules_format;
struct rules {                          /* the first that fits counts */
    const struct rules_format *format;
    struct rules_name *name;
    struct rules_rule *rule;
    size_t nname, n, passed;            /* passed: rules read over, of operations that there are not here */
    /* Of what is written: the caller's. */
    const char *title;                  /* NULL: none; lines of the comment begin behind each \n */
    const char *onto, *protocol;        /* a file in which branches are replaced (mpich); a word (nccl), NULL: the first */
    int per_node;                       /* processes, 0: not said (ompi-json) */
};
struct rules_format {
    ENTRY;
    const char *const *names;           /* NULL-terminated */
    const char *const *operation;       /* OPERATIONS words or numbers, NULL: it has none */
    unsigned totals;                    /* bit of an operation: its sizes are of all processes together */
    bool onto;                          /* it is written with one */
    const char *const *protocol;        /* words that it may be written with, to NULL */
    bool (*sniff)(const char *text);    /* whether a file is of this format */
    int (*read)(struct rules *r, const char *text, const char *path, struct err *err);
    int (*write)(FILE *f, const struct rules *r, struct err *err);
};
KIND_HEADER(rules, rules, struct rules_format);

/* The format of "FORMAT:FILE", NULL without err where there is none before a colon; *path is where the file begins. */
const struct rules_format *rules_chosen(const char **path, const char *text);
/* A zeroed struct becomes empty rules; to be released, after a failure too. */
int rules_begin(struct rules *r, const struct rules_format *format, struct err *err);
/* "FILE" or "FORMAT:FILE"; text that came from such. */
int rules_read(struct rules *r, const char *from, struct err *err);
int rules_parse(struct rules *r, const char *text, size_t len, const char *from, struct err *err);
void rules_release(struct rules *r);
/* NULL: none fits, and the library decides. */
const struct rules_rule *rules_choose(const struct rules *r, enum operation operation, int processes, int64_t bytes);
/* What the library calls a setting that it has; NULL: it lacks it, or this version does. */
const struct rules_name *rules_name(const struct rules *r, enum operation operation, const struct setting *s);
/* Whether what it calls so serves a number of processes. */
static inline bool rules_takes(const struct rules_name *n, int processes)
{
    return n && !(n->two && processes & (processes - 1));
}

/* ---- for the formats ---- */

/* A rule over everything of its operation. */
struct rules_rule rule_of(enum operation operation, size_t line);
int rules_add(struct rules *r, const struct rules_rule *rule, struct err *err);
/* Sizes of a rule in the measure that the format has for its operation. */
int64_t *rule_sizes(const struct rules *r, struct rules_rule *rule);
int rules_operation(const struct rules_format *f, const char *word, size_t len);     /* -1: none */
const struct rules_name *rules_called(const struct rules *r, enum operation operation, const char *word, size_t len);
/* The end of the rules from `first` on that have its operation, and with `counts` its processes too. */
size_t rules_run(const struct rules *r, size_t first, bool counts);
/* How many such runs there are from first to `end`. */
size_t rules_runs(const struct rules *r, size_t first, size_t end, bool counts);
/* The title, each line behind a `mark` and no longer than some libraries read. */
void rules_comment(FILE *f, const struct rules *r, const char *mark);
/* A line of a file, and what its format keeps from line to line. */
struct rules_line {
    char *text;
    const char *path;
    size_t number;
    int64_t processes[2];
};
/* Each line but empty ones and comments (#), without blanks around it. */
int rules_lines(struct rules *r, const char *text, const char *path,
                int (*line)(struct rules *r, struct rules_line *l, struct err *err), struct err *err);
/* Cuts text at a separator into words; how many, of which the first `most` are set. */
size_t rules_words(char **word, size_t most, char *text, char separator);
/* A number of a line, at least `least`; `all` is RULES_ALL, as the format writes that. */
int rules_number(int64_t *out, const char *word, int64_t least, const char *all, const char *what,
                 const struct rules_line *l, struct err *err);
/* A range in order, or an error with its place. */
int rules_range(const int64_t range[2], const char *what, const char *path, size_t line, struct err *err);
/* What a library calls an algorithm, looked up for a rule that is read. */
int rules_algorithm(struct rules_rule *u, const struct rules *r, const char *word, const char *path, struct err *err);
