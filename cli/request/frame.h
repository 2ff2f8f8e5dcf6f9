/* frame.h -- the frame of a command that yields a table: options read, networks opened, rows computed (of a sweep
 * those that can be), the figure, the table. A command fills in struct frame: its options, its tables and what it
 * computes. */
#pragma once

#include "cli/request/conclude.h"
#include "cli/request/options.h"
#include "cli/request/task.h"
#include "graph/net.h"
#include "render/table/pivot.h"

struct frame_table {
    const char *show;           /* as --show names it; NULL: the usual one, and those that only `pick` chooses */
    const char *title;
    const struct column *column;
    size_t ncolumn;
    bool upright, always;       /* for people: properties down; of many rows too */
    const struct conclusion *conclusion;        /* NULL: none */
    const char *words;          /* "from,to": its columns of words that may look like numbers; NULL: none does */
    const struct pivot *pivot;  /* NULL, or how it is written, with the conclusion's scores, where --show is given;
                                 * else for people where what becomes columns varies, and no option is about columns
                                 * or rows */
    bool apart;                 /* its figure needs what its rows lack: of a file `plot` refuses it */
    bool streamed;              /* may be long: rows are written as they come, by job_row, and nothing is passed over */
};
#define COLUMNS(array) .column = (array), .ncolumn = sizeof(array) / sizeof *(array)
/* Columns headed by their names: words and whole numbers; those that stand aside. */
#define PLAIN(name) { (name), NULL, NULL, 0, LOOSE }
#define ASIDE(name) { (name), NULL, NULL, COLUMN_ASIDE, LOOSE }

struct job_stream;
/* A command under way. */
struct job {
    const struct frame *frame;
    void *request;              /* the command's own; its first member is */
    struct options *o;
    int which;                  /* of the tables */
    struct table *t;
    struct column *column;      /* of t, to be set aside or shown as the request wants */
    struct net *net;            /* at hand, the `at`-th of those asked for */
    struct net *first;          /* opened before the others, to know its line rate; or why it was not */
    struct err why_first;
    bool timed;                 /* lengths of links matter */
    size_t at;
    struct tick tick;           /* its part of the work; of a command about no networks, all */
    bool sweep;                 /* networks that cannot be opened are passed over; at first: there are several */
    size_t nrefused;            /* rows that could not be computed: the command then fails for the first reason */
    struct err first_refused;
    size_t nunnamed;            /* networks that their specs do not name, of those in ranges */
    const char *assumed;        /* settings that nobody asked for: the last note; NULL: none */
    int status;                 /* to exit with */
    struct job_stream *stream;  /* of a streamed table, or NULL */
    struct walk walk;
};

struct frame {
    const char *arguments, *doc;                /* as argp has them */
    struct example example[EXAMPLES];
    const struct option_field *option;  /* about the request; ended by an empty one */
    const struct option_part *shared;   /* those that other commands have too; ended by an empty one. NULL: none */
    const void *initial;        /* the request before options are read, `size` bytes */
    size_t size;
    const char *lacking;        /* what is said when there is no topology; NULL: the command does without */
    const struct frame_table *table;    /* the first is the usual one; ended by one without columns. NULL: no table */
    bool plots, draws;          /* it has --plot; it is about a figure alone */
    const char *own;            /* as in struct options */
    bool counts;                /* notes are counts, each of its own: those alike are not put together */
    bool whole;                 /* there is nothing to divide into tasks */
    bool ahead;                 /* all networks are opened before any work, so that rows may be written at once */
    /* All of these may be NULL. Which table; the usual choice is by --show. */
    int (*pick)(const void *request);
    int (*ask)(void *request, struct err *err);         /* may change which networks the options ask for */
    int (*check)(struct job *j, struct err *err);       /* the request as a whole, and into how many turns of which loops
                                                         * its work may be divided (walk.turns) */
    /* Rows of one network after the other, or (without a network, where both are there) of everything at once;
     * job_refuse passes over those that fail. */
    int (*network)(struct job *j, struct err *err);
    int (*compute)(struct job *j, struct err *err);
    double (*forecast)(const struct job *j);            /* CPU seconds of a point on the network at hand, at most */
    int (*fact)(struct job *j, const char *text, struct err *err);      /* of job_fact */
    /* job_refuse for a network that cannot be opened; NULL: a row with its name alone, and a note of the reason behind
     * that name */
    int (*unopened)(struct job *j, const char *spec, struct err *err);
    int (*finish)(struct job *j, struct err *err);  /* notes, columns aside, before the table is written */
    /* What a table is drawn as, of --plot and of such a table in a file (`metapath plot`): of its rows alone where
     * figure->request is NULL. */
    int (*figure)(struct picture *f, const struct table *t, int which, struct err *err);
    void (*release)(void *request);                     /* what its options alone do not hold */
};
#define FRAME_REQUEST(type_, ...) .initial = &(const type_){ __VA_ARGS__ }, .size = sizeof(type_)
/* Every line of the command's --help, as options_each. */
int frame_each_option(const struct frame *f, void (*each)(void *arg, const struct option_field *field), void *arg,
                      struct err *err);
int frame_run(const struct frame *f, int argc, char **argv, struct err *err);

/* The i-th network asked for, with its links as the request has them; to be closed. A size in a range that the family
 * lacks is a fault of that network alone (ERR_NETWORK), which may be passed over. */
int job_open(struct net **out, struct job *j, size_t i, struct err *err);
/* A row of any table; of a streamed one the only way. */
int job_row(struct job *j, const struct named_cell *row, struct err *err);

/* Whether the failure in `err` may be passed over: in a sweep, and no fault of the request as a whole. Counts it. */
bool job_passes(struct job *j, bool sweep, struct err *err);
/* The row of what was refused: cells that are known (those that the table has columns for), "refused" for validity,
 * quality and state, none for the rest. */
void job_refused_row(struct job *j, const struct named_cell *known);
/* Both, and the reason as a note (which names the place, and err->msg). -1 where it may not be passed over. */
int job_refuse(struct job *j, bool sweep, const struct named_cell *known, struct err *err, const char *note, ...)
    __attribute__((format(printf, 5, 6)));
/* The same for all of a network: its name in the row, and in the note where the reason lacks it. */
int job_refuse_network(struct job *j, const char *spec, struct err *err);
