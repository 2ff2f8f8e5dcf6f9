#include "cli/help/column.h"
#include "cli/help/prose.h"
#include "render/table/cells.h"
#include "texts/column.h"

#define COLUMN(...) &(const struct entry){ __VA_ARGS__ },
const struct entry *const column_all[] = { COLUMN_TEXTS(COLUMN) NULL };

const char *column_summary(const char *name)
{
    for (size_t i = 0; column_all[i]; i++)
        if (strcmp(column_all[i]->name, name) == 0)
            return column_all[i]->summary;
    return NULL;
}

static char plain_letter(char c)
{
    return c == ' ' || c == '_' ? '-' : (char)tolower((unsigned char)c);
}

/* `text`, or what is left of it without a unit at its end: "_cycles", " [cycles]". */
static bool same_word(const char *text, const char *word, const char *unit)
{
    const size_t n = unit ? strlen(unit) : 0;

    for (; *word && plain_letter(*text) == plain_letter(*word); text++)
        word++;
    if (*word)
        return false;
    return !*text || (n && *text == '_' && strcmp(text + 1, unit) == 0) ||
           (n && strncmp(text, " [", 2) == 0 && strncmp(text + 2, unit, n) == 0 && strcmp(text + 2 + n, "]") == 0);
}

bool column_called(const struct column *c, const char *word)
{
    char *title = column_title(c);
    const bool so = same_word(c->name, word, c->unit) || (title && same_word(title, word, c->unit));

    free(title);
    return so;
}

/* ---- where they are ---- */

#define MOST 400
struct place {
    const struct column *column;
    const struct frame_table *table;
    struct command command;
};

static size_t find_places(struct place at[MOST], const struct cmd *const *all, const char *word)
{
    struct command c;
    size_t n = 0;

    for (size_t i = 0; command_at(&c, all, i); i++)
        for (const struct frame_table *t = c.cmd->frame ? c.cmd->frame->table : NULL; t && t->column; t++)
            for (size_t k = 0; k < t->ncolumn; k++)
                if (n < MOST && column_called(&t->column[k], word))
                    at[n++] = (struct place){ &t->column[k], t, c };
    return n;
}

/* Of that name, and under the same heading in the same unit. */
static bool alike(const struct column *c, const struct column *d, bool heading)
{
    return strcmp(c->name, d->name) == 0 && (!heading ||
           (strcmp(c->heading ? c->heading : "", d->heading ? d->heading : "") == 0 &&
            strcmp(c->unit ? c->unit : "", d->unit ? d->unit : "") == 0));
}

/* The first place that is like the i-th. */
static size_t first_like(const struct place *at, size_t i, bool heading)
{
    size_t k = 0;

    while (!alike(at[k].column, at[i].column, heading))
        k++;
    return k;
}

/* The heading of the i-th place, and the tables that have the column under it. */
static void put_tables(const struct place *at, size_t n, size_t i)
{
    char text[4000], one[COMMAND_NAME + 60], last[sizeof one] = "", name[COMMAND_NAME], *title = column_title(at[i].column);
    size_t len = (size_t)snprintf(text, sizeof text, "%.100s:", title ? title : "");

    for (size_t k = i; k < n && len < sizeof text; k++) {
        snprintf(one, sizeof one, "%s%s%s", command_name(name, &at[k].command, ' '), at[k].table->show ? " --show " : "",
                 at[k].table->show ? at[k].table->show : "");
        if (first_like(at, k, true) == i && strcmp(one, last) != 0)
            len += (size_t)snprintf(text + len, sizeof text - len, "%s %s", k > i ? "," : "", strcpy(last, one));
    }
    prose_fill("   ", 4, text);
    free(title);
}

bool column_help(const struct cmd *const *all, const char *word, bool after)
{
    struct place at[MOST];
    const size_t n = find_places(at, all, word);

    for (size_t i = 0; i < n; i++) {
        const char *name = at[i].column->name, *summary = column_summary(name);
        char lead[120];

        if (first_like(at, i, false) < i)
            continue;
        snprintf(lead, sizeof lead, "%s (column)%s", name, summary ? ":" : "");
        if (after || i)
            puts("");
        if (summary)
            prose_fill(lead, 0, summary);
        else
            puts(lead);
        for (size_t k = i; k < n; k++)
            if (alike(at[k].column, at[i].column, false) && first_like(at, k, true) == k)
                put_tables(at, n, k);
    }
    return n > 0;
}
