/* primitive_traffic.h -- `metapath primitive --traffic`: messages of many sources, stored and over circuits of their own,
 * with finite buffers (analysis/primitive). */
#ifndef CLI_COMMAND_PRIMITIVE_TRAFFIC_H
#define CLI_COMMAND_PRIMITIVE_TRAFFIC_H

#include "cli/request/frame.h"
#include "model/protocol/primitive.h"

struct primitive_traffic {              /* what is asked */
    struct strings traffic, classes;
    const char *buffers, *buffer_bytes;
    int messages, mode;
    /* read: */
    int64_t *buffer;
    size_t nbuffer;
    double each;                        /* bytes of a buffer; 0: as large as a message */
};
/* About a struct primitive_traffic. */
extern const struct option_field primitive_traffic_options[];
extern const struct column primitive_traffic_columns[19];

int primitive_traffic_read(struct primitive_traffic *q, struct err *err);
/* A network as processors, and the times of a message of `bytes` over it. */
struct primitive_place {
    const struct wiring *w;
    const char *routing;
    double byte;                        /* what one takes */
    int64_t bytes;
    struct primitive_how how;
};
/* Rows of all traffics, schemes, buffers and modes for one size. */
int primitive_traffic_rows(struct job *j, const struct primitive_traffic *q, const struct primitive_place *at,
                           struct err *err);
int primitive_traffic_figure(struct picture *f, const struct table *t, struct err *err);
/* A rule where times of circuits and stored messages (`stored` in that column) cross; of one network. */
int primitive_mark_crossing(struct chart *c, const struct table *t, const char *column, const char *stored,
                            const char *time, struct err *err);

#endif
