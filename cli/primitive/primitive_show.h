/* primitive_show.h -- `metapath primitive --show messages` and `--show tables`: every message of a run, and what a
 * processor keeps (cvp, II.2.4 and II.3.4). */
#pragma once

#include "cli/request/frame.h"
#include "model/protocol/primitive.h"

extern const struct column primitive_message_columns[11];
extern const struct column primitive_table_columns[8];

/* What a struct protocol_watch is told about, `message` of which is primitive_told. */
struct primitive_told {
    struct job *j;
    const char *primitive;
    int64_t bytes;                      /* -1: channels take 1 */
};
int primitive_told(void *arg, const struct protocol *r, const struct message *m, int from, int to, int what,
                   struct err *err);
/* A row for each published table, where so many instructions may be under way. */
int primitive_table_rows(struct job *j, const struct primitive_scene *s, int repeat, struct err *err);
int primitive_messages_figure(struct picture *f, const struct table *t, struct err *err);
