#include "model/collective/trees.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

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

#define OPERATION_ROOM 40

/* Letters alone, small ones, without what MPI begins with. */
static void operation_letters(char out[OPERATION_ROOM], const char *text)
{
    size_t n = 0;

    text += strncasecmp(text, "mpi_", 4) == 0 ? 4 : 0;
    for (; *text && n + 1 < OPERATION_ROOM; text++)
        if (!strchr("-_ ", *text))
            out[n++] = (char)tolower((unsigned char)*text);
    out[n] = '\0';
}

static int operation_called(const char *letters)
{
    static const struct {
        const char *called;
        enum operation is;
    } other[] = { { "bcast", BROADCAST }, { "reducescatterblock", REDUCE_SCATTER } };
    char name[OPERATION_ROOM];

    for (size_t i = 0; i < sizeof other / sizeof *other; i++)
        if (strcmp(letters, other[i].called) == 0)
            return (int)other[i].is;
    for (int op = 0; op < OPERATIONS; op++) {
        operation_letters(name, operation_name[op]);
        if (strcmp(letters, name) == 0)
            return op;
    }
    return -1;
}

int operation_find(const char *text, struct err *err)
{
    char letters[OPERATION_ROOM], hint[80], all[160];
    size_t n;
    int op;

    operation_letters(letters, text);
    n = strlen(letters);
    op = operation_called(letters);
    if (op >= 0)
        return op;
    if (n > 1 && strchr("vw", letters[n - 1])) {
        letters[n - 1] = '\0';
        op = operation_called(letters);
    }
    if (op >= 0)
        return err_set(err, ERR_USAGE, "'%.40s' has blocks of different sizes; here all are alike, as of %s", text,
                       operation_name[op]);
    return err_set(err, ERR_USAGE, "no operation is called '%.40s'%s; they are %s", text,
                   text_suggest(hint, text, operation_name, OPERATIONS),
                   text_list(all, sizeof all, operation_name, OPERATIONS, ", "));
}

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
