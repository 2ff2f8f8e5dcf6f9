/* options.h -- options as tables, what every command that yields a table understands, and handing the table over.
 * An option is a line: what --help says of it and where its value goes. Lines that several commands share (of load, of
 * plans of broadcasts) are an array once, about a struct that stands somewhere in the request of each. */
#pragma once

#include "cli/request/progress.h"
#include "cli/request/task.h"
#include "cli/request/units.h"
#include "render/chart/chart.h"
#include "render/table/table.h"

/* A list of strings from repeated options and arguments; free with strings_free. */
struct strings {
    char **item;
    size_t n;
};
int strings_add(struct strings *s, const char *item, struct err *err);
int strings_add_list(struct strings *s, const char *list, struct err *err);    /* cut by spec_list */
void strings_free(struct strings *s);

enum option_type { OPTION_NONE, OPTION_FLAG, OPTION_INT, OPTION_INT64, OPTION_REAL, OPTION_TEXT, OPTION_LIST };
struct option_field {
    const char *name;           /* without its hyphens; NULL: arguments that are no options, or a heading of --help */
    int key;                    /* its letter; 0: none */
    const char *values, *help;  /* as --help has them; values NULL: it takes none, and sets its member */
    int group;                  /* of --help, under the heading with that number; they come in this order */
    enum option_type type;      /* both by INTO: of the member, and its place in the struct that the lines are about */
    size_t at;
    int64_t least, most;        /* of whole numbers */
    double from, to;            /* of real numbers */
    const char *words;          /* "auto|none": a whole or bool member gets the word's place; NULL: `values` with a | */
    const struct kind *kind;    /* the member points to its entry of that name */
    const struct kind *of;      /* of lists: the kind that items are of, where it is not called as the option */
    bool whole;                 /* of lists: each use gives one item, commas and all */
    bool hidden;
    enum quantity quantity;     /* numbers of it may have units, of this kind */
    bool writes;                /* the value names a file to be written */
    int (*take)(void *about, const char *arg, struct err *err);         /* instead of all that; `about` is the struct */
};
/* Members of other types need `kind` or `take`. */
#define INTO_OF(type_, member)                                                                      \
    .at = offsetof(type_, member), .type = _Generic(((type_ *)0)->member,                           \
        bool: OPTION_FLAG, int: OPTION_INT, int64_t: OPTION_INT64, uint64_t: OPTION_INT64,          \
        double: OPTION_REAL, const char *: OPTION_TEXT, struct strings: OPTION_LIST, default: OPTION_NONE)
#define INTO(member) INTO_OF(struct request, member)        /* of a command's own request */

/* --line-rate and --flit; --cable-time: about a struct options (units.h). */
extern const struct option_field units_options[], units_cable_options[];
/* --tasks and what goes with it (task.h). */
extern const struct option_field task_options[];

/* Lines (ended by an empty one) about the struct that stands at `at` in the request. */
struct option_part {
    const struct option_field *field;
    size_t at;
};

/* What someone may want to know, and the command line that answers it: the first thing that --help shows. */
struct example {
    const char *question, *command;
};
#define EXAMPLES 3              /* of each command */

/* Puts a value where its line says; `about` is the struct that the line is about. */
int option_take(const struct option_field *field, void *about, const char *arg, struct err *err);
/* A real number in lo..hi, for a `take`; the same as a percentage, "1%" or "1" for 0.01. */
/* An argument that is a topology, or a range of them, of a struct options. */
int options_take_network(void *about, const char *arg, struct err *err);
int option_real(double *out, const char *arg, double lo, double hi, const char *what, struct err *err);
int option_percent(double *out, const char *arg, double lo, double hi, const char *what, struct err *err);

/* First member of every request. */
struct options {
    const char *command;                /* "metapath topo" */
    struct strings spec;                /* the arguments, where these are topologies */
    struct strings swept;               /* of these, those that one spec with a range stands for: no single one of them
                                         * was asked for */
    const struct table_format *format;  /* NULL until settled: by -f, else by -o's extension, else text */
    const char *output, *plot, *show;
    const char *own;                    /* ".cost": an extension of -o that the command writes itself; NULL: none */
    const char *const *shows;           /* names --show may take, NULL-terminated; NULL: no --show here */
    struct page page;                   /* what the figure looks like */
    struct paper paper;                 /* and the table where it is typeset */
    struct strings columns, sort;       /* of the table: those named, in that order; keys of table_sort */
    int64_t top;                        /* rows; 0: all */
    bool wide;
    bool plots;                         /* --plot is understood here */
    bool draws;                         /* -o names a figure: there is no table */
    bool writes;                        /* what -o names is an option of the command: there is no table, and no figure */
    bool divides;                       /* --tasks is understood here */
    bool networks;                      /* the arguments are topologies, a list: SPEC... */
    int jobs;                           /* 0: as OMP_NUM_THREADS or the number of cores says */
    uint64_t seed;
    struct units units;                 /* of commands that have units_options */
    int progress;                       /* enum progress_mode */
    bool quiet;                         /* nothing on standard error but errors */
    struct task_request task;
    const struct example *example;      /* EXAMPLES of them */
};

/* Runs argp over a command's own options, those it shares and the common ones; `o` is the first member of the request
 * that they are about. Errors of values are returned, of options ended by argp with status 2. */
int options_parse(struct options *o, const struct option_field *own, const struct option_part *shared,
                  const char *arguments, const char *doc, int argc, char **argv, struct err *err);
/* Every line of --help in its order, headings (no name) too; of `o` only what a command's frame sets matters. */
int options_each(struct options *o, const struct option_field *own, const struct option_part *shared,
                 void (*each)(void *arg, const struct option_field *field), void *arg, struct err *err);
/* The program's version, and those of the libraries that it was built with. */
void options_version(void);
/* The arrays of options that all commands share, ended by NULL: to look over all there are. */
const struct option_field *const *options_shared(void);
/* Frees what the lists among them, and the arguments, have gathered. */
void options_release(struct options *o, const struct option_field *own, const struct option_part *shared);

/* What JSON tells of the request besides what a command adds: command and seed. */
void options_request(const struct options *o, struct table *t);
/* What of a table is shown, and where: the columns asked for, the terminal's width and colour. */
struct table_view options_view(const struct options *o);
/* ERR_USAGE where --columns or --sort name one that the table lacks. */
int options_check_table(const struct options *o, const struct table *t, struct err *err);
/* Rows as --sort and --top want them. */
int options_rows(const struct options *o, struct table *t, struct err *err);
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
    const char *const *half;            /* of each y, likewise, as lo and hi */
    enum axis_scale x_scale;
    const char *x_end, *z;              /* of intervals: where they end, and how long they wait */
    const char *const *facet;           /* a panel for each combination of values */
    size_t nfacet;
};
/* A figure that a command makes of its rows, or `metapath plot` of such rows in a file. */
struct chart_columns;
struct picture {
    const struct options *o;
    const void *request;        /* the command's own; NULL: the rows are all that is known of it */
    struct chart chart;         /* what is to be drawn; no kind: the table has no figure of its own */
    bool drawn;                 /* networks are drawn already, in place of the chart */
    /* NULL, or adds to a chart what else the same columns have. */
    int (*then)(struct picture *f, const struct chart_columns *columns, struct err *err);
    void *arg;
};
/* Its chart of the table, to add to (rules, and what struct chart has besides). */
int options_figure(struct picture *f, const struct table *t, const struct natural *natural, struct err *err);
