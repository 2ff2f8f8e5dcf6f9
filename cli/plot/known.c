#include "cli/plot/known.h"

/* The place of each column of the command in the file (SIZE_MAX: none), and its name and unit there. */
static bool known_columns(struct column *column, size_t *at, const struct frame_table *f, const struct table *t)
{
    size_t found = 0;

    for (size_t i = 0; i < f->ncolumn; i++) {
        at[i] = SIZE_MAX;
        column[i] = f->column[i];
        for (size_t k = 0; k < t->ncolumn && at[i] == SIZE_MAX; k++)
            if (units_named(&column[i], t->column[k].name))
                at[i] = k;
        if (at[i] == SIZE_MAX && f->column[i].decimals < IF_FILLED(COLUMN_ASIDE))
            return false;
        found += at[i] != SIZE_MAX;
    }
    return found == t->ncolumn;
}

/* "ports" among "channel,ports" */
static bool known_words(const char *words, const char *name)
{
    const size_t len = strlen(name);

    for (const char *at = words; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
        if (strncmp(at, name, len) == 0 && (at[len] == ',' || !at[len]))
            return true;
    return false;
}

/* The field as text: a number may be a name, as the node 0.10. */
static char *known_field(const struct csv_table *d, size_t row, size_t column)
{
    size_t lo = 0, hi = d->csv.nrow;

    while (lo + 1 < hi) {
        const size_t middle = lo + (hi - lo) / 2;

        if (d->csv.line[middle] <= d->table.line[row])
            lo = middle;
        else
            hi = middle;
    }
    return d->csv.field[lo * d->csv.ncol + column];
}

static struct cell known_cell(const struct csv_table *d, size_t row, size_t column, bool words)
{
    const struct cell *cell = table_at(&d->table, row, column);

    if (cell->type == CELL_NONE)
        return *cell;
    if (words)
        return (struct cell){ CELL_TEXT, false, { .text = known_field(d, row, column) } };
    return cell->type == CELL_TEXT ? csv_cell(cell->u.text) : *cell;
}

static int known_fill(struct known *k, const struct frame_table *f, const size_t *at, const struct csv_table *d,
                      struct err *err)
{
    static const struct cell none = { .type = CELL_NONE };

    for (size_t i = 0; i < f->ncolumn; i++)
        k->asked[i] = (struct column_asked){ f->column[i].name, 1 };
    table_init(&k->table, f->title, k->column, f->ncolumn);
    k->table.asked = k->asked;
    for (size_t r = 0; r < table_rows(&d->table); r++)
        for (size_t i = 0; i < f->ncolumn; i++) {
            const struct cell cell = at[i] == SIZE_MAX ? none :
                known_cell(d, r, at[i], known_words(f->words, f->column[i].name));

            table_cell(&k->table, &cell);
        }
    if (k->table.why.code == ERR_NONE)
        return 0;
    *err = k->table.why;
    return -1;
}

/* Whether it is the i-th table of the command. */
static int known_as(struct known *k, const struct frame *frame, int i, const char *name, const struct csv_table *d,
                    struct err *err)
{
    const struct frame_table *f = &frame->table[i];
    size_t *at;
    int ret = 0;

    if (TAKE("a table", err, ARRAY(at, f->ncolumn), ARRAY(k->column, f->ncolumn), ARRAY(k->asked, f->ncolumn)) < 0)
        return -1;
    if (known_columns(k->column, at, f, &d->table)) {
        k->frame = frame;
        k->which = i;
        snprintf(k->name, sizeof k->name, "metapath %s%s%s", name, f->show ? " --show " : "", f->show ? f->show : "");
        ret = known_fill(k, f, at, d, err);
    } else {
        FREE(k->column, k->asked);
        k->column = NULL;
        k->asked = NULL;
    }
    free(at);
    return ret;
}

/* Whether it is the table turned: keys, and columns of the values that rows had, as time_8_us of time_us. */
static bool known_turned(const struct frame_table *f, const struct table *t)
{
    const char *score = f->pivot ? f->conclusion->score : "";
    const size_t stem = strcspn(score, "_") + 1;
    size_t keys = 0, values = 0;

    for (size_t i = 0; f->pivot && i < t->ncolumn; i++) {
        const char *name = t->column[i].name;
        bool key = false;

        for (int p = 0; f->pivot->key[p]; p++)
            key = key || strcmp(name, f->pivot->key[p]) == 0;
        keys += key;
        values += !key && strncmp(name, score, stem) == 0;
    }
    return keys > 1 && values > 0 && keys + values == t->ncolumn;
}

int known_open(struct known *k, const struct cmd *const *all, const struct csv_table *d, struct err *err)
{
    struct command c;
    int ret = 0;

    *k = (struct known){ .frame = NULL };
    for (size_t n = 0; ret == 0 && command_at(&c, all, n); n++) {
        const struct frame *frame = c.cmd->frame;
        char name[COMMAND_NAME];

        command_name(name, &c, ' ');
        for (int i = 0; ret == 0 && !k->frame && frame && frame->figure && frame->table[i].column; i++)
            ret = known_as(k, frame, i, name, d, err);
        for (int i = 0; ret == 0 && !k->frame && !k->turned && frame && frame->figure && frame->table[i].column; i++)
            if ((k->turned = known_turned(&frame->table[i], &d->table)))
                snprintf(k->name, sizeof k->name, "metapath %s --show matrix", name);
    }
    k->turned = k->turned && !k->frame;
    return ret;
}

void known_release(struct known *k)
{
    table_release(&k->table);
    FREE(k->column, k->asked);
}
