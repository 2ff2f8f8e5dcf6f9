#include "cli/help/column.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/help/prose.h"
#include "graph/base/mem.h"
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

struct place {
    const struct column *column;
    char *title;
    char table[COMMAND_NAME + 40];      /* "simulate --show messages" */
};

struct places {
    struct place *at;                   /* NULL: they are counted */
    size_t n;
};

static int places_add(struct places *p, const struct command *c, const struct frame_table *t, const char *word,
                      struct err *err)
{
    char name[COMMAND_NAME];

    for (size_t i = 0; i < t->ncolumn; i++) {
        if (!column_called(&t->column[i], word))
            continue;
        if (p->at) {
            struct place *at = &p->at[p->n];

            at->column = &t->column[i];
            if (!(at->title = column_title(at->column)))
                return err_memory(err);
            snprintf(at->table, sizeof at->table, "%s%s%s", command_name(name, c, ' '), t->show ? " --show " : "",
                     t->show ? t->show : "");
        }
        p->n++;
    }
    return 0;
}

static int places_fill(struct places *p, const struct cmd *const *all, const char *word, struct err *err)
{
    struct command c;
    int ret = 0;

    p->n = 0;
    for (size_t i = 0; ret == 0 && command_at(&c, all, i); i++)
        for (const struct frame_table *t = c.cmd->frame ? c.cmd->frame->table : NULL; ret == 0 && t && t->column; t++)
            ret = places_add(p, &c, t, word, err);
    return ret;
}

/* Tables with the i-th place's name and title, if it is the first of these. */
static int put_tables(const struct places *p, size_t i, struct err *err)
{
    const struct place *here = &p->at[i];
    const char *last = "";
    char *text = NULL;
    size_t size;
    FILE *f;

    for (size_t k = 0; k < i; k++)
        if (strcmp(p->at[k].column->name, here->column->name) == 0 && strcmp(p->at[k].title, here->title) == 0)
            return 0;
    if (!(f = open_memstream(&text, &size)))
        return err_memory(err);
    fprintf(f, "%s:", here->title);
    for (size_t k = i; k < p->n; k++)
        if (strcmp(p->at[k].column->name, here->column->name) == 0 && strcmp(p->at[k].title, here->title) == 0 &&
            strcmp(p->at[k].table, last) != 0) {
            fprintf(f, "%s %s", *last ? "," : "", p->at[k].table);
            last = p->at[k].table;
        }
    if (fclose(f) != 0)
        return err_memory(err);
    prose_fill("   ", 4, text);
    free(text);
    return 0;
}

static int put_places(const struct places *p, bool after, struct err *err)
{
    int n = 0, ret = 0;

    for (size_t i = 0; i < p->n; i++) {
        const char *name = p->at[i].column->name, *summary = column_summary(name);
        bool first = true;
        char lead[120];

        for (size_t k = 0; k < i; k++)
            first = first && strcmp(p->at[k].column->name, name) != 0;
        if (!first)
            continue;
        snprintf(lead, sizeof lead, "%s%.80s (column)%s", after || n ? "\n" : "", name, summary ? ":" : "");
        if (summary)
            prose_fill(lead, 0, summary);
        else
            puts(lead);
        for (size_t k = i; ret == 0 && k < p->n; k++)
            if (strcmp(p->at[k].column->name, name) == 0)
                ret = put_tables(p, k, err);
        n++;
    }
    return ret < 0 ? ret : n;
}

int column_help(const struct cmd *const *all, const char *word, bool after, struct err *err)
{
    struct places p = { NULL, 0 };
    int ret = places_fill(&p, all, word, err);

    if (ret < 0 || p.n == 0)
        return ret;
    ret = TAKE("the columns of tables", err, ZEROS(p.at, p.n));
    if (ret == 0)
        ret = places_fill(&p, all, word, err);
    if (ret == 0)
        ret = put_places(&p, after, err);
    for (size_t i = 0; p.at && i < p.n; i++)
        free(p.at[i].title);
    free(p.at);
    return ret;
}
