#include "analysis/broadcast/pattern.h"

const struct pattern pattern_flooding = {
    .name = "flooding",
    .summary = "every node sends to all its neighbours when it first hears the message",
    .source = "Segall 1983"
};
