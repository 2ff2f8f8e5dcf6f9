/* units.h -- seconds and bytes for commands that speak of cycles and flits.
 * A cycle is what a unit link takes for a flit: --flit over --line-rate, which a network may know itself (cables.h).
 * With them options take quantities (quantity.h), and tables have columns in ns, bytes and Gb/s in place of those in
 * cycles, flits and parts of a link; which unit of time depends on the length of a cycle alone, so that the names of
 * columns do not change with what is computed. What a command computes, and how it calls its columns, stays. */
#pragma once

#include "graph/base/quantity.h"
#include "graph/net.h"
#include "render/table/table.h"

struct option_field;
struct options;

#define UNITS_DEFERRED 12       /* options with quantities, at most */

struct units {
    double rate, flit;          /* bits per second, bytes; 0: not known */
    bool given;                 /* the rate is --line-rate's */
    double cable;               /* cycles, of every link */
    struct {                    /* values of options that wait for the two */
        const struct option_field *field;
        void *about;
        const char *arg;
        char *plain;            /* without units */
    } deferred[UNITS_DEFERRED];
    size_t ndeferred;
    struct column_asked *asked; /* of the table's columns */
    char **name;                /* of those that are made */
    size_t nname;
};

/* Puts a value with units aside until it is known what they are; its unit is looked at now. */
int units_defer(struct units *u, const struct option_field *field, void *about, const char *arg, struct err *err);
/* Whether the rate of the networks is asked for. */
bool units_want_rate(const struct units *u);
/* Values put aside go where their options say. */
int units_settle(struct units *u, struct err *err);
/* Columns in the units that are known, and what was said of them as the request of `t`. */
int units_columns(struct units *u, struct table *t, struct column *column, struct err *err);
/* Whether a column may be called that, in some unit: it then has that name and unit. `name` must outlive it. */
bool units_named(struct column *column, const char *name);
/* A network as the request has it: links of the rate, lengths in cycles. `timed`: lengths matter. Notes what its unit
 * link is where it says that itself. */
int units_measure(const struct units *u, struct net *net, bool timed, struct table *t, struct err *err);
/* "100 ns", else "5": a time in cycles. */
const char *units_time(char out[40], const struct units *u, double cycles);
void units_release(struct units *u);
