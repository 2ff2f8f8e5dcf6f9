#include "model/contention/switching.h"

const struct switching switching_store_and_forward = {
    .name = "store-and-forward",
    .summary = "a message is received as a whole before it goes on: a step a link, as broadcasts are counted "
               "(there is no model of its waits)",
    .source = "Dally and Towles 2004, chapter 13"
};
