/* protocol.h -- what the files of `metapath protocol` share: cmd_protocol.c has options and figures, protocol_machine.c
 * legs, protocol_rows.c times, protocol_memory.c connections, protocol_speedup.c programs that exchange their data.
 * Units   seconds, bytes, seconds a byte. */
#pragma once

#include "analysis/collective/fitted.h"
#include "cli/request/frame.h"
#include "graph/base/csv.h"
#include "model/transfer/transfer.h"

struct request {
    struct options common;
    struct strings name, library, pattern;
    const char *bytes, *cost, *line_rate, *cable_time, *overhead;
    const char *copy_rate, *packet, *registration, *late, *buffer;
    const char *processes, *connection, *memory, *times;
    int copies;                         /* of enum transfer_end; -1: as the cost has it */
    double reuse;
    int64_t credits, returned;          /* credits 0: any number */
    double queue;                       /* buffers of a shared queue */
    bool serial, messages;              /* terms of a speedup */
    /* that, read */
    struct transfer_how how;
    struct transfer_range r;            /* what is compared, over the sizes; the first `nshown` have their own rows */
    size_t nshown;
    struct transfer_rule *rule;         /* of libraries */
    int64_t *size;
    size_t nsize;
    double state, limit;                /* bytes of a connection beside its buffers; of memory */
    struct csv measured;                /* what `times` names */
    struct fitted log;                  /* legs are of a log; */
    size_t jump;                        /* from this piece of it on messages are not eager; 0: it has no such piece */
};

enum { PROTOCOL_ROWS, PROTOCOL_CONNECTIONS, PROTOCOL_SPEEDUP };
/* q->how, without what options say of copies and limits. */
int protocol_machine(struct request *q, struct err *err);
int protocol_rows(struct job *j, struct err *err);
int protocol_connections(struct job *j, struct err *err);
int protocol_speedup_read(struct job *j, struct err *err);
int protocol_speedup(struct job *j, struct err *err);
