#include "model/collective/trees.h"

#include <stdio.h>

#include "graph/base/text.h"
#include "texts/collective.h"
#include "texts/collective_trees.h"
#include "texts/tree.h"

#include "registry/collective.inc"

static void collective_tell(char out[KIND_TELL], const struct entry *e);

KIND(collective, collective, struct collective, .name = "collective", .what = "algorithm of collectives", .rank = 12,
     .tell = collective_tell)

#define OVER_TREE(id, called, ...)                                                                                  \
    extern const struct tree tree_##id;                                                                             \
    const struct collective collective_##id = { .name = called, __VA_ARGS__, .tree = &tree_##id, .segments = true };
COLLECTIVE_TREES(OVER_TREE)

const char *const operation_name[OPERATIONS] = { "broadcast", "reduce", "allreduce", "gather", "scatter", "allgather",
                                                 "reduce-scatter", "all-to-all", "barrier" };

static void collective_tell(char out[KIND_TELL], const struct entry *e)
{
    const struct collective *c = (const struct collective *)(const void *)e;
    const char *serves[OPERATIONS];
    char names[KIND_TELL - 60];
    size_t n = 0;

    for (int op = 0; op < OPERATIONS; op++)
        if (collective_program(c, (enum operation)op))
            serves[n++] = operation_name[op];
    snprintf(out, KIND_TELL, "serves %s%s", text_list(names, sizeof names, serves, n, " and "),
             c->two ? "; a power of two of processes" : c->even ? "; an even number of processes" : "");
}

const struct program *collective_program(const struct collective *a, enum operation operation)
{
    return a->serves[operation] || !a->tree ? a->serves[operation] : trees_program(a->tree, operation);
}

bool collective_follows(const struct collective *a)
{
    return a->network || (a->tree && a->tree->build);
}

bool collective_asked(const struct collective *a)
{
    return a->tree && a->tree->asked;
}
