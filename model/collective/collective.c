#include "model/collective/trees.h"

#include <strings.h>

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

/* What stands in a text behind a name, letters alone, in any case; NULL: it does not begin so. */
static const char *behind(const char *text, const char *name)
{
    for (;; text++, name++) {
        text += strspn(text, "-_ ");
        name += strspn(name, "-");
        if (!*name)
            return text;
        if (tolower((unsigned char)*text) != *name)
            return NULL;
    }
}

int operation_find(const char *text, struct err *err)
{
    static const struct {
        const char *name;
        enum operation is;
    } other[] = { { "bcast", BROADCAST }, { "reduce-scatter-block", REDUCE_SCATTER } };
    const char *plain = strncasecmp(text, "mpi_", 4) == 0 ? text + 4 : text;
    char hint[80], all[160];

    for (size_t i = 0; i < OPERATIONS + sizeof other / sizeof *other; i++) {
        const int op = (int)(i < OPERATIONS ? i : other[i - OPERATIONS].is);
        const char *rest = behind(plain, i < OPERATIONS ? operation_name[op] : other[i - OPERATIONS].name);

        if (rest && !*rest)
            return op;
        if (rest && (strcasecmp(rest, "v") == 0 || strcasecmp(rest, "w") == 0))
            return err_set(err, ERR_USAGE, "'%.40s' has blocks of different sizes; here all are alike, as of %s", text,
                           operation_name[op]);
    }
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
