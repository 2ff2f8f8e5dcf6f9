/* One class for all. */
#include "model/routing/classes.h"
#include "texts/classes.h"

static int none_cross(const struct classes *, int, int, int)
{
    return 0;
}

static int none_class(const struct classes *c, int mark, int link)
{
    return none_cross(c, mark, -1, link);
}

const struct classes_kind classes_none = {
    CLASSES_NONE_ENTRY,
    .channels = true,
    .buffers = true,
    .begin = classes_begin_0,
    .cross = none_cross,
    .class = none_class,
    .buffer = none_class
};
