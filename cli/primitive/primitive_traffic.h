/* primitive_traffic.h -- `metapath primitive --traffic`: messages of many sources (analysis/primitive). */
#pragma once

#include "analysis/primitive/lading.h"
#include "cli/request/frame.h"

struct primitive_traffic {              /* what is asked */
    struct strings traffic, classes;
    const char *buffers, *routing;
    double each;                        /* bytes of a buffer; 0: as large as a message */
    int messages, mode;
    int64_t *buffer;                    /* buffers, read */
    size_t nbuffer;
};
/* About a struct primitive_traffic. */
extern const struct option_field primitive_traffic_options[];
extern const struct column primitive_traffic_columns[19];

int primitive_traffic_read(struct primitive_traffic *q, struct err *err);
/* Rows of all traffics, schemes, buffers and modes for messages of a size, of which a byte takes `byte`; the plan has
 * their times. */
int primitive_traffic_rows(struct job *j, const struct primitive_traffic *q, const struct processors_plan *plan,
                           int64_t bytes, double byte, double every, struct err *err);
int primitive_traffic_figure(struct picture *f, const struct table *t, struct err *err);
/* A rule where times of circuits and stored messages (`names` in that column) cross; of one network. */
int primitive_mark_crossing(struct chart *c, const struct table *t, const char *column,
                            const char *const names[2], const char *time, struct err *err);
