/* collective_messages.h -- the messages of a collective one by one: from where to where, and when. */
#pragma once

#include "cli/request/collective_request.h"

#define COLLECTIVE_MESSAGES_MOST 1000000
#define COLLECTIVE_MESSAGE_COLUMNS                                                                                  \
    PLAIN("topology"), PLAIN("operation"), PLAIN("processes"), PLAIN("cost"), PLAIN("bytes"),                          \
    PLAIN("algorithm"), PLAIN("from_process"), PLAIN("to_process"), { "message_bytes", "Message", "B", 0, LOOSE },  \
    { "sent_us", "Sent at", "us", 3, LOOSE }, { "arrived_us", "There at", "us", 3, LOOSE }

struct collective_told {                /* what messages are of */
    struct job *j;
    const char *cost;
    int processes;
    int64_t bytes;
    const struct setting *how;
};
/* A cost's `seen`, its argument is the struct: a row. Of too many the table says so. */
void collective_messages_see(void *arg, const struct cost_message *m);
/* By when they were sent, case by case. */
int collective_messages_sort(struct table *t, struct err *err);
int collective_messages_figure(struct picture *f, const struct table *t, struct err *err);
