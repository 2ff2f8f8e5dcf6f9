/* What people are told: options, examples, words and sources, over all commands and catalogues. */
#include <ctype.h>
#include <string.h>

#include "cli/command/cmd.h"
#include "cli/help/catalogue.h"
#include "cli/help/column.h"
#include "graph/base/text.h"
#include "render/table/cells.h"
#include "tests/support/check.h"
#include "tests/support/child.h"

/* ---- commands ---- */

struct letters {
    const char *name[256];              /* that each letter stands for, and the command that said so */
    const char *where[256];
};

static void letters_of(struct letters *l, const char *where, const struct option_field *f)
{
    for (; f->name || f->help || f->take || f->type != OPTION_NONE; f++) {
        const int c = f->key;

        if (f->name && !f->help && !f->hidden)
            fail_msg("%s: --help says nothing of --%s", where, f->name);
        if (!f->name || !c)
            continue;
        if (f->hidden && c != '?')
            fail_msg("%s: --%s is not in --help, and has the letter -%c", where, f->name, c);
        if (l->name[c] && strcmp(l->name[c], f->name) != 0)
            fail_msg("-%c is --%s in %s and --%s in %s", c, l->name[c], l->where[c], f->name, where);
        l->name[c] = f->name;
        l->where[c] = where;
    }
}

static void frame_is_told(struct letters *l, const char *command, const struct frame *f)
{
    letters_of(l, command, f->option);
    for (const struct option_part *part = f->shared; part && part->field; part++)
        letters_of(l, command, part->field);
    for (size_t i = 0; i < EXAMPLES; i++) {
        const struct example *e = &f->example[i];
        const size_t len = strlen(command);

        if (!e->question || !e->command)
            fail_msg("%s has fewer than %d examples", command, EXAMPLES);
        if (e->question[strlen(e->question) - 1] != '?')
            fail_msg("%s: '%s' is no question", command, e->question);
        if (!strstr(e->command, command) || !strchr(" ", e->command[(size_t)(strstr(e->command, command) - e->command) +
                                                                    len]))
            fail_msg("'%s' is no example of %s", e->command, command);
        if (strlen(e->command) > 76 || strlen(e->question) > 74)
            fail_msg("'%s' is too long for 80 columns", e->command);
    }
}

static void commands_are_told(void **state)
{
    struct letters l = { .name = { NULL } };
    char command[COMMAND_NAME + 9], name[COMMAND_NAME];
    struct command c;

    (void)state;
    for (size_t i = 0; options_shared()[i]; i++)
        letters_of(&l, "every command", options_shared()[i]);
    for (size_t i = 0; command_at(&c, cmd_all, i); i++)
        if (c.cmd->frame) {
            snprintf(command, sizeof command, "metapath %s", command_name(name, &c, ' '));
            frame_is_told(&l, command, c.cmd->frame);
        }
}

/* ---- words ---- */

struct wanted {
    const char *name;
    size_t len;
    const char *kind;           /* NULL: any */
};

static int is_wanted(void *arg, const struct kind *kind, const struct entry *e)
{
    const struct wanted *w = arg;

    return strlen(e->name) == w->len && strncmp(e->name, w->name, w->len) == 0 &&
           (!w->kind || strcmp(w->kind, kind->name) == 0);
}

static bool there_is(const char *name, size_t len, const char *kind)
{
    struct wanted w = { name, len, kind };

    return catalogue_walk(is_wanted, &w) != 0;
}

/* "See also: a, b." at the end of notes names what `help` explains. */
static void see_also_exists(const struct entry *e)
{
    const char *at = e->notes ? strstr(e->notes, "See also: ") : NULL;

    for (at = at ? at + strlen("See also: ") : ""; *at; at += strspn(at, ", ")) {
        const size_t len = strcspn(at, ",.");

        if (!there_is(at, len, NULL) || strncmp(at, e->name, len) == 0)
            fail_msg("%s: see also '%.*s'?", e->name, (int)len, at);
        if (at[len] == '.') {
            assert_int_equal(at[len + 1], '\0');
            return;
        }
        at += len;
    }
}

/* Commands in backticks and examples: "metapath COMMAND ...", "metapath list KIND". */
static void commands_exist(const struct entry *e, const char *text)
{
    for (const char *at = text; at && (at = strstr(at, "metapath ")); at++) {
        const char *name = at + strlen("metapath "), *kind;
        const size_t len = strcspn(name, " `");

        if ((at > text && at[-1] != '`') || isupper((unsigned char)*name))
            continue;
        if (!there_is(name, len, "command"))
            fail_msg("%s: there is no command 'metapath %.*s'", e->name, (int)len, name);
        if (strncmp(name, "list ", 5) != 0 || isupper((unsigned char)name[5]))
            continue;
        for (size_t k = 0; (kind = catalogue_kind(k) ? catalogue_kind(k)->name : NULL) &&
             (strncmp(kind, name + 5, strlen(kind)) != 0 || isalpha((unsigned char)name[5 + strlen(kind)])); k++)
            ;
        if (!kind)
            fail_msg("%s: there is no catalogue in '%s'", e->name, name);
    }
}

static void words_lead_on(void **state)
{
    (void)state;
    for (size_t i = 0; kind_term.entry[i]; i++) {
        const struct entry *e = kind_term.entry[i];
        const char end = e->summary[strlen(e->summary) - 1];

        if (i > 0 && strcmp(kind_term.entry[i - 1]->name, e->name) >= 0)
            fail_msg("%s is not in its place", e->name);
        if (end == '.' || !e->example == (strcmp(e->name, "cycle") != 0))
            fail_msg("%s: '%s' ends in a full stop, or no command shows it", e->name, e->summary);
        see_also_exists(e);
        commands_exist(e, e->example);
        commands_exist(e, e->notes);
    }
}

/* Words of the field that a newcomer meets in the tables, and misspelt ones with what should be offered. */
static void words_are_found(void **state)
{
    static const char *const word[] = {
        "saturation", "metapath", "supernode", "multistep-path", "zero-load-latency", "interval", "load", "rate",
        "packet", "flit", "hop", "wormhole", "cut-through", "store-and-forward", "circuit", "open-sources",
        "closed-sources", "blocking", "ports", "steps", "bisection", "throughput", "gap", "price", "dimension-order",
        "ecmp", "valiant", "fat-tree", "terminal", "contention", "closure", "diameter", "makespan", "switch", "link"
    };
    static const char *const misspelt[][2] = {
        { "satturation", "saturation" }, { "blockin", "blocking" }, { "fattre", "fattree" }, { "wormhol", "wormhole" },
        { "terminals", "terminal" }, { "troughput", "throughput" }, { "binominal", "binomial" }
    };
    const char *known[512];
    size_t n = 0;

    (void)state;
    for (size_t i = 0; i < sizeof word / sizeof *word; i++)
        if (!there_is(word[i], strlen(word[i]), "term"))
            fail_msg("%s is not explained", word[i]);
    for (size_t k = 0; catalogue_kind(k); k++)
        for (size_t i = 0; catalogue_kind(k)->entry[i] && n < 512; i++)
            known[n++] = catalogue_kind(k)->entry[i]->name;
    for (size_t i = 0; i < sizeof misspelt / sizeof *misspelt; i++) {
        const char *nearest = text_nearest(misspelt[i][0], known, n);

        if (!nearest || strcmp(nearest, misspelt[i][1]) != 0)
            fail_msg("for '%s' '%s' is offered", misspelt[i][0], nearest ? nearest : "nothing");
    }
}

/* ---- columns ---- */

static bool some_table_has(const char *name)
{
    struct command c;

    for (size_t i = 0; command_at(&c, cmd_all, i); i++)
        for (const struct frame_table *t = c.cmd->frame ? c.cmd->frame->table : NULL; t && t->column; t++)
            for (size_t k = 0; k < t->ncolumn; k++)
                if (strcmp(t->column[k].name, name) == 0)
                    return true;
    return false;
}

/* By its name, by its heading, with the unit and in capitals. */
static void column_is_found(const char *command, const struct column *c)
{
    char *word[] = { strdup(c->name), column_heading(c), column_title(c), column_title(c) };

    for (char *p = word[3]; *p; p++)
        *p = (char)toupper((unsigned char)*p);
    for (size_t i = 0; i < COUNT(word); i++) {
        if (!column_called(c, word[i]))
            fail_msg("%s: help '%s' does not find column %s", command, word[i], c->name);
        free(word[i]);
    }
}

/* Every column of every table is explained; and nothing that no table has. */
static void columns_are_explained(void **state)
{
    char name[COMMAND_NAME];
    struct command c;

    (void)state;
    for (size_t i = 0; command_at(&c, cmd_all, i); i++)
        for (const struct frame_table *t = c.cmd->frame ? c.cmd->frame->table : NULL; t && t->column; t++)
            for (size_t k = 0; k < t->ncolumn; k++) {
                const struct column *column = &t->column[k];

                column_is_found(command_name(name, &c, ' '), column);
                if (!column_summary(column->name))
                    fail_msg("%s: nothing explains column %s", command_name(name, &c, ' '), column->name);
            }
    for (size_t i = 0; column_all[i]; i++) {
        if (i > 0 && strcmp(column_all[i - 1]->name, column_all[i]->name) >= 0)
            fail_msg("%s is not in its place", column_all[i]->name);
        if (!some_table_has(column_all[i]->name))
            fail_msg("no table has a column %s", column_all[i]->name);
    }
}

static void a_heading_is_answered(void **state)
{
    static const char *const asked[][2] = {
        { "help Packet latency", "packet_latency_cycles (column): the time from" },
        { "help WORST/uniform", "Worst/uniform: bound worst" }, { "help Busy", "busy (column): the part of the time" },
        { "help 95 %", "p95_latency_cycles (column): the packet latency" },
        { "help mean_distance_hops", "Mean distance [hops]: compare, topo" }
    };

    (void)state;
    for (size_t i = 0; i < COUNT(asked); i++) {
        struct child child;

        child_run(&child, asked[i][0], 10, NULL, NULL);
        if (child.status != 0 || !strstr(child.text, asked[i][1]))
            fail_msg("%s does not say '%s', but:\n%s", asked[i][0], asked[i][1], child.text);
        child_release(&child);
    }
}

/* `help HEADING` names and explains the column, for every heading of every table that a command shows by default. */
static void every_heading_is_answered(void **state)
{
    char command[200], wanted[80];
    struct command c;

    (void)state;
    for (size_t i = 0; command_at(&c, cmd_all, i); i++) {
        const struct frame_table *t = c.cmd->frame ? c.cmd->frame->table : NULL;

        for (size_t k = 0; t && k < t->ncolumn; k++) {
            char *heading = column_heading(&t->column[k]);
            struct child child;

            snprintf(command, sizeof command, "help %s", heading);
            snprintf(wanted, sizeof wanted, "%s (column): ", t->column[k].name);
            child_run(&child, command, 10, NULL, NULL);
            if (child.status != 0 || !strstr(child.text, wanted))
                fail_msg("%s does not explain column %s, but says:\n%s", command, t->column[k].name, child.text);
            child_release(&child);
            free(heading);
        }
    }
}

/* What `help` prints first of several entries of one name: how many, and of which kinds; then a head for each. */
static void is_told_apart(const char *name, const char *const *kind, size_t n)
{
    char command[80], wanted[400];
    size_t len = (size_t)snprintf(wanted, sizeof wanted, "%zu entries are called %s:", n, name);
    struct child child;

    snprintf(command, sizeof command, "help %s", name);
    child_run(&child, command, 10, NULL, NULL);
    if (child.status != 0 || strncmp(child.text, wanted, len) != 0)
        fail_msg("help %s: '%s' is not what it begins with", name, wanted);
    for (size_t i = 0; i < n; i++) {
        const char *line = strstr(child.text, kind[i]);

        snprintf(wanted, sizeof wanted, "\n%s (%s):", name, kind[i]);
        if (!line || line > strchr(child.text, '\n') || !strstr(child.text, wanted))
            fail_msg("help %s: its first line, or a head of its own, does not say '%s'", name, kind[i]);
    }
    child_release(&child);
}

static void names_of_several_are_told_apart(void **state)
{
    size_t several = 0, commands = 0;

    (void)state;
    for (size_t k = 0; catalogue_kind(k); k++)
        for (size_t i = 0; catalogue_kind(k)->entry[i]; i++) {
            const char *name = catalogue_kind(k)->entry[i]->name, *kind[8];
            size_t n = 0, first = SIZE_MAX;

            for (size_t j = 0; catalogue_kind(j); j++)
                if (kind_find(catalogue_kind(j), name, NULL)) {
                    first = first == SIZE_MAX ? j : first;
                    kind[n++] = catalogue_kind(j)->name;
                    assert_true(n < COUNT(kind));
                }
            if (n < 2 || first < k)                 /* of its first kind alone */
                continue;
            is_told_apart(name, kind, n);
            several++;
            commands += catalogue_kind(k) == &kind_cmd;
        }
    assert_true(several > 30);
    assert_true(commands > 2);
}

/* ---- sources ---- */

static bool has_year(const char *text)
{
    for (; *text; text++)
        if ((strncmp(text, "19", 2) == 0 || strncmp(text, "20", 2) == 0) && isdigit((unsigned char)text[2]) &&
            isdigit((unsigned char)text[3]) && !isdigit((unsigned char)text[4]))
            return true;
    return false;
}

/* Who published what is not this project's own. The two works whose title page is lost go by their names. */
static void literature_is_named(void **state)
{
    static const char *const kinds[] = { "topology", "supernode", "routing", "policy", "traffic", "switching",
                                         "closure", "algorithm", "contention", "claim", "bound" };
    static const char *const works[] = { "thesis on Distributed Routing Balancing",
                                         "paper on reconfigurable MPI collectives", "this project's own" };
    size_t checked = 0;

    (void)state;
    for (size_t k = 0; catalogue_kind(k); k++)
        for (size_t w = 0; w < sizeof kinds / sizeof *kinds; w++)
            for (size_t i = 0; strcmp(catalogue_kind(k)->name, kinds[w]) == 0 && catalogue_kind(k)->entry[i]; i++) {
                const struct entry *e = catalogue_kind(k)->entry[i];
                bool named = e->takes_path || (e->source && has_year(e->source));       /* a file is the user's own */

                for (size_t j = 0; e->source && j < sizeof works / sizeof *works; j++)
                    named = named || strstr(e->source, works[j]);
                if (!named)
                    fail_msg("%s %s: whose is it? '%s'", kinds[w], e->name, e->source ? e->source : "");
                checked++;
            }
    for (size_t i = 0; kind_term.entry[i]; i++)
        if (kind_term.entry[i]->source && !has_year(kind_term.entry[i]->source) &&
            !strstr(kind_term.entry[i]->source, works[1]))
            fail_msg("%s: '%s' has no year", kind_term.entry[i]->name, kind_term.entry[i]->source);
    assert_true(checked > 60);
}

/* Every model of waits and costs says its formula. */
static int has_formula(void *arg, const struct kind *kind, const struct entry *e)
{
    static const char *const models[] = { "switching", "closure", "contention", "cost" };
    int *n = arg;

    EACH_ROW(i, models)
        if (strcmp(kind->name, models[i]) == 0) {
            if (!e->notes || !strchr(e->notes, '='))
                fail_msg("%s %s says no formula", kind->name, e->name);
            ++*n;
        }
    return 0;
}

static void models_have_formulas(void **state)
{
    int n = 0;

    (void)state;
    catalogue_walk(has_formula, &n);
    assert_true(n > 15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(commands_are_told), cmocka_unit_test(words_lead_on), cmocka_unit_test(words_are_found),
        cmocka_unit_test(names_of_several_are_told_apart), cmocka_unit_test(columns_are_explained),
        cmocka_unit_test(a_heading_is_answered), cmocka_unit_test(every_heading_is_answered),
        cmocka_unit_test(literature_is_named), cmocka_unit_test(models_have_formulas)
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
