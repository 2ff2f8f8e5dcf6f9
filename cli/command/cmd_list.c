#include <string.h>

#include "cli/command/cmd.h"
#include "cli/request/catalogue.h"
#include "cli/request/options.h"
#include "graph/base/text.h"

struct request {
    struct options common;
    const char *kind;           /* NULL: all */
    struct table *t;
};

static int parse(int key, char *arg, void *own, struct err *err)
{
    struct request *q = own;
    const char *known[64];
    size_t n = 0;
    char hint[80];

    if (key != OPTION_ARGUMENT)
        return 1;
    if (q->kind)
        return err_set(err, ERR_USAGE, "list takes one kind; '%.40s' is a second", arg);
    for (const struct kind *kind; n < 64 && (kind = catalogue_kind(n)); n++) {
        known[n] = kind->name;
        if (strcmp(kind->name, arg) == 0) {
            q->kind = kind->name;
            return 0;
        }
    }
    return err_set(err, ERR_USAGE, "there is no catalogue '%.40s'%s; `metapath list` shows all", arg,
                   text_suggest(hint, arg, known, n));
}

static int add(void *arg, const struct kind *kind, const struct entry *e)
{
    const struct request *q = arg;

    if (q->kind && strcmp(q->kind, kind->name) != 0)
        return 0;
    table_text(q->t, kind->name);
    table_text(q->t, e->name);
    table_text(q->t, e->synopsis ? e->synopsis : e->name);
    table_text(q->t, e->summary);
    return 0;
}

static const struct column columns[] = {
    { "kind", NULL, NULL, 0 }, { "name", NULL, NULL, 0 }, { "synopsis", NULL, NULL, 0 }, { "summary", NULL, NULL, 0 }
};

static int run(int argc, char **argv, struct err *err)
{
    struct table t = { 0 };
    struct request q = { .t = &t };
    const struct option_run r = { NULL, parse, "[KIND]",
        "The entries of every catalogue, or of one kind.\v`metapath help NAME` tells more of an entry.", &q };
    int ret = -1;

    if (options_parse(&q.common, &r, argc, argv, err) == 0) {
        table_init(&t, NULL, columns, sizeof columns / sizeof *columns);
        catalogue_walk(add, &q);
        ret = options_table(&q.common, &t, err);
    }
    table_release(&t);
    return ret;
}

const struct cmd cmd_list = {
    .name = "list",
    .group = "Network",
    .synopsis = "metapath list [KIND]",
    .summary = "what there is: topologies, supernodes, algorithms, formats, published tables",
    .run = run
};
