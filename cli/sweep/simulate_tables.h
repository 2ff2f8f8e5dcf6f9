/* simulate_tables.h -- the tables and figures of `metapath simulate`: a row per load and routing, or per link, source
 * or window of time of it, or per message of its deadlock. */
#pragma once

#include "analysis/simulate/saturation.h"
#include "cli/request/frame.h"

enum simulate_table { SIMULATE_MAIN, SIMULATE_LINKS, SIMULATE_SOURCES, SIMULATE_WINDOWS, SIMULATE_DEADLOCK,
                      SIMULATE_BALANCE, SIMULATE_SATURATION };

struct simulate_request {       /* what a row is about */
    const struct net *net;
    const char *traffic, *routing, *loop;       /* canonical */
    const struct traffic *sent;
    const struct simulate_options *o;
    const struct simulation *run;       /* NULL: could not be opened */
    double interval, load;              /* NAN: of their own */
};
extern const struct frame_table simulate_table[];

/* Rows of a run; what is said of its deadlock is a note, and sets the status. ERR_MEMORY. */
int simulate_rows(struct job *j, const struct simulate_request *q, const struct simulate_result *r, struct err *err);
/* The row of a saturation that was found from the model's (`load` of the request; NAN: it has none). */
void simulate_saturation_row(struct job *j, const struct simulate_request *q, const struct simulate_saturated *x,
                             double model);
/* Of one that could not be: what is known of it, and why, as a note. */
void simulate_refused(struct job *j, const struct simulate_request *q, const struct err *why);
/* Notes on the states that rows have. */
void simulate_notes(struct table *t);

/* Loads: latency with its interval of confidence against load, dashed where there is no steady state. Links: the
 * network, coloured by how busy they are. Sources: bars. Windows: latency over time. */
int simulate_figure(struct picture *f, const struct table *t, enum simulate_table which, const char *axis,
                    struct err *err);
