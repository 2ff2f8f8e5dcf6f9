/* processors_twin.h -- what analysis/primitive/processors.h computes, another way: letters in one list that is searched
 * for the earliest, inboxes in which a decision unit works on one letter at a time, buffers as records that are counted,
 * queues as arrays. What does not change any more for a long time is stuck. */
#pragma once

#include "analysis/primitive/processors.h"

struct twin_outcome {
    int came, refused, parked;
    double makespan, sum, greatest;     /* of latencies */
    bool over;                          /* of two circuits on one channel */
    bool tied;                          /* two things happened at once: which is first is nobody's to say */
};
void processors_twin(struct twin_outcome *out, const struct processors_plan *p);
