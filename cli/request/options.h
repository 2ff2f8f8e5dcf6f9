/* options.h -- what every command that yields a table understands, and handing the table over. */
#ifndef CLI_REQUEST_OPTIONS_H
#define CLI_REQUEST_OPTIONS_H

#include <argp.h>
#include <stdint.h>

#include "cli/request/progress.h"
#include "render/chart/chart.h"
#include "render/table/table.h"

struct options {
    const char *command;                /* "metapath topo" */
    const struct table_format *format;  /* NULL until settled: by -f, else by -o's extension, else text */
    const char *output, *plot, *show;
    const char *const *shows;           /* names --show may take, NULL-terminated; NULL: no --show here */
    struct page page;                   /* what the figure looks like */
    bool plots;                         /* --plot is understood here */
    bool draws;                         /* -o names a figure: there is no table */
    int jobs;                           /* 0: as OMP_NUM_THREADS or the number of cores says */
    uint64_t seed;
    enum progress_mode progress;
};

/* Runs argp over a command's own options (its parser may be NULL) and the common ones. `own` is what the command's
 * parser finds in state->input; errors of values are returned, of options ended by argp with status 2. */
struct option_run {
    const struct argp_option *option;
    int (*parse)(int key, char *arg, void *own, struct err *err);       /* 0, -1 error, 1 not mine */
    const char *arguments, *doc;
    void *own;
};
int options_parse(struct options *o, const struct option_run *run, int argc, char **argv, struct err *err);

/* Key for positional arguments in `parse`. */
#define OPTION_ARGUMENT 0x1000001

/* Position of `arg` among the words (NULL-terminated) that option `what` may take; -1 with err. */
int option_choice(const char *what, const char *arg, const char *const *words, struct err *err);

/* A real number in lo..hi. */
int option_real(double *out, const char *arg, double lo, double hi, const char *what, struct err *err);

/* What JSON tells of the request besides what a command adds: command and seed. */
void options_request(const struct options *o, struct table *t);
/* Writes to the place and in the format asked for. */
int options_table(const struct options *o, struct table *t, struct err *err);
/* The figure natural to a table: y columns against x, a series per combination of the group columns' values. */
struct natural {
    const char *kind, *x;
    const char *const *y;
    size_t ny;
    const char *const *group;
    size_t ngroup;
    enum axis_scale y_scale;
    const char *valid, *label;          /* columns, as in struct chart_columns; NULL: none */
    enum axis_scale x_scale;
};
/* An initialised chart of it, to add to (rules, and what struct chart has besides) before it is written; it stays empty when no
 * --plot was asked for. To be released either way. */
int options_chart(const struct options *o, const struct table *t, const struct natural *figure, struct chart *chart,
                  struct err *err);
/* Draws it where --plot says; nothing when it was not asked for. */
int options_write_chart(const struct options *o, const struct chart *chart, struct err *err);
/* Both at once. */
int options_plot(const struct options *o, const struct table *t, const struct natural *figure, struct err *err);

/* Rows of a sweep that could not be computed: the others are printed, these are marked, and the command ends with
 * status 1 and the first reason. */
struct refused {
    size_t n;
    struct err first;
};
/* Whether the failure in `err` may be passed over: in a sweep, and no fault of the command line as a whole. Takes it. */
bool refused_take(struct refused *r, bool sweep, struct err *err);
/* options_table, and the end of a sweep: -1 with the first reason when a row was refused. */
int options_sweep(const struct options *o, struct table *t, const struct refused *r, struct err *err);

/* A list of strings from repeated options and arguments; free with strings_free. */
struct strings {
    char **item;
    size_t n;
};
int strings_add(struct strings *s, const char *item, struct err *err);
int strings_add_list(struct strings *s, const char *list, struct err *err);    /* cut by spec_list */
void strings_free(struct strings *s);

#endif
