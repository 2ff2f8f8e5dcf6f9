#include "model/contention/switching.h"

#include "graph/base/catalogue.h"

static const struct switching wormhole = {
    "wormhole", "a message holds its links while it waits for the next; its transmission time is the same on every path", true, false, true
};
static const struct switching pipelined = {
    "wormhole-pipelined", "the same, flit by flit: every link after the first adds the time of a hop", true, true, true
};
static const struct switching cut_through = {
    "cut-through", "a message that waits is taken off its links into a buffer", false, false, true
};
static const struct switching circuit = {
    "circuit", "links are taken one after the other and held until the message has passed: waits as in wormhole", true, false, true
};

static const struct switching store_and_forward = {
    "store-and-forward", "a message is received as a whole before it goes on: a step a link, as broadcasts are counted (there is no model of its waits)", false, false, false
};

const struct switching *const switching_all[] = { &wormhole, &pipelined, &cut_through, &circuit, &store_and_forward, NULL };

CATALOGUE_FIND(switching_find, struct switching, switching_all, name, "switching", "metapath list switching")
