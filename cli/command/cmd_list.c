#include "cli/command/cmd.h"
#include "cli/help/catalogue.h"
#include "texts/cmd.h"

struct request {
    struct options common;
    const char *kind;           /* NULL: all */
};

static int take_kind(void *about, const char *arg, struct err *err)
{
    struct request *q = about;
    const char *known[64];
    size_t n = 0;
    char hint[80];

    if (q->kind)
        return err_set(err, ERR_USAGE, "list takes one kind; '%.40s' is a second one", arg);
    for (const struct kind *kind; n < 64 && (kind = catalogue_kind(n)); n++) {
        known[n] = kind->name;
        if (strcmp(kind->name, arg) == 0) {
            q->kind = kind->name;
            return 0;
        }
    }
    return err_set(err, ERR_USAGE, "there is no kind '%.40s'%s; `metapath list` shows all", arg,
                   text_suggest(hint, arg, known, n));
}

static const struct option_field list_options[] = { { .take = take_kind }, { 0 } };

static const struct column list_columns[] = {
    PLAIN("kind"), PLAIN("name"), ASIDE("synopsis"), { "example", NULL, NULL, IF_FILLED(0), LOOSE }, PLAIN("summary"),
    { "what_it_does", "What it does", NULL, IF_FILLED(0), LOOSE }
};
static const struct frame_table list_tables[] = { { NULL, NULL, COLUMNS(list_columns) }, { 0 } };

static int list_row(void *arg, const struct kind *kind, const struct entry *e)
{
    const struct job *j = arg;
    const struct request *q = j->request;
    char tells[KIND_TELL] = "";

    if (kind->tell)
        kind->tell(tells, e);
    if (!q->kind || strcmp(q->kind, kind->name) == 0)
        table_add(j->t, ROW(cell_text("kind", kind->name), cell_text("name", e->name),
                            cell_text("synopsis", e->synopsis ? e->synopsis : e->name),
                            cell_text("example", q->kind && kind->keys ? e->example : NULL),
                            cell_text("summary", e->summary), cell_text("what_it_does", q->kind ? tells : "")));
    return 0;
}

static int list_compute(struct job *j, struct err *)
{
    const struct request *q = j->request;
    const struct kind *kind;

    for (size_t i = 0; (kind = catalogue_kind(i)); i++)
        if (kind->keys && q->kind && strcmp(q->kind, kind->name) == 0) {
            j->column[table_find(j->t, "synopsis")].decimals = 0;
            table_note(j->t, "Every %s has the keys that `metapath help %s` explains.", kind->name, kind->name);
        }
    return catalogue_walk(list_row, j);
}

static const struct frame list_frame = {
    CMD_LIST_FRAME, .option = list_options, FRAME_REQUEST(struct request, .common = { 0 }), .table = list_tables,
    .compute = list_compute, .whole = true
};

const struct cmd cmd_list = { CMD_LIST_ENTRY, .frame = &list_frame };
