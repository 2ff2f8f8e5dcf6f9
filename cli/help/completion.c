/* bash and zsh read the same `case` of what may follow, between a beginning and an end of their own (completion.text);
 * fish has a line for each option. Names of catalogues are variables, set once, and so is what may stand in a spec. */
#include "cli/help/completion.h"
#include "cli/help/catalogue.h"
#include "model/collective/collective.h"
#include "texts/completion.h"

enum shell { BASH, ZSH, FISH, SHELLS };

struct completion {
    FILE *f;
    enum shell shell;
    const struct cmd *cmd;
    char of[COMMAND_NAME];              /* "bcast", "bound worst" */
    bool values;                        /* they come first */
};

/* ---- values ---- */

/* "$_metapath_network_file" */
static void put_variable(struct completion *c, const char *kind, const char *lead)
{
    fprintf(c->f, "%s_metapath_", lead);
    for (const char *s = kind; *s; s++)
        putc(*s == '-' ? '_' : *s, c->f);
}

/* Names of the columns of all tables, each once. */
static void put_columns(struct completion *c, const struct frame_table *table)
{
    for (const struct frame_table *t = table; t && t->column; t++)
        for (size_t k = 0; k < t->ncolumn; k++) {
            const struct frame_table *first = table;
            size_t at = 0;

            while (strcmp(first->column[at].name, t->column[k].name) != 0)
                if (++at == first->ncolumn) {
                    first++;
                    at = 0;
                }
            if (&first->column[at] == &t->column[k])
                fprintf(c->f, "%s ", t->column[k].name);
        }
}

/* Words for the value of an option, which is often called after a kind. */
static void put_values(struct completion *c, const struct option_field *o)
{
    const struct frame_table *t = c->cmd->frame->table;
    const char *called = o->kind ? o->kind->name : o->of ? o->of->name : o->name;
    const struct kind *kind;

    if (strcmp(o->name, "show") == 0) {
        for (; t->column; t++)
            if (t->show)
                fprintf(c->f, "%s ", t->show);
    } else if (strcmp(o->name, "columns") == 0 || strcmp(o->name, "sort") == 0) {
        put_columns(c, t);
    } else if (o->words) {
        for (const char *s = o->words; *s; s++)
            putc(*s == '|' ? ' ' : *s, c->f);
    } else {
        for (size_t i = 0; (kind = catalogue_kind(i)); i++)
            if (strcmp(kind->name, called) == 0) {
                put_variable(c, called, "$");
                break;
            }
    }
}

/* What arguments there are: operations, topologies, names. */
static void put_arguments(struct completion *c)
{
    const struct frame *f = c->cmd->frame;
    const char *arguments = f && f->arguments ? f->arguments : "";

    if (strstr(arguments, "OPERATION"))
        for (int op = 0; op < OPERATIONS; op++)
            fprintf(c->f, "%s ", operation_name[op]);
    if (strstr(arguments, "SPEC"))
        put_variable(c, "topology", "$");
    else if (strstr(arguments, "ID"))
        put_variable(c, "claim", "$");
    else if (strstr(arguments, "KIND"))
        put_variable(c, "kinds", "$");
    else if (!f)
        put_variable(c, c->cmd->below ? c->cmd->name : "names", "$");
}

/* ---- bash and zsh ---- */

static void put_case(void *arg, const struct option_field *o)
{
    struct completion *c = arg;

    if (!o->name || !o->values)
        return;
    fprintf(c->f, "    *\" %s --%s\"", c->of, o->name);
    if (o->key)
        fprintf(c->f, "|*\" %s -%c\"", c->of, o->key);
    fputs(o->writes ? ") files=only" : ") offer=\"", c->f);
    if (!o->writes) {
        put_values(c, o);
        putc('"', c->f);
    }
    fputs(" ;;\n", c->f);
}

static void put_name(void *arg, const struct option_field *o)
{
    struct completion *c = arg;

    if (o->name && strlen(o->name) > 1)
        fprintf(c->f, "--%s ", o->name);
}

/* ---- fish ---- */

/* Up to a bracket, without what would end the quotes. */
static void put_description(struct completion *c, const char *text)
{
    fputs(" -d '", c->f);
    for (; *text && *text != '('; text++)
        if (*text != '\'' && *text != '\\' && *text != '\n')
            putc(*text, c->f);
    fputs("'\n", c->f);
}

static void put_fish(void *arg, const struct option_field *o)
{
    struct completion *c = arg;

    if (!o->name || strlen(o->name) < 2)
        return;
    fprintf(c->f, "complete -c metapath -n '_metapath_is \"%s\"' -l %s", c->of, o->name);
    if (o->key)
        fprintf(c->f, " -s %c", o->key);
    fputs(!o->values ? " -f" : o->writes ? " -r" : " -x -a '(_metapath_offer ", c->f);
    if (o->values && !o->writes) {
        put_values(c, o);
        fputs(")'", c->f);
    }
    put_description(c, o->help ? o->help : "");
}

/* ---- all ---- */

/* In the order of enum shell; what two have in common is last. */
static const struct shell_text {
    const char *name, *summary, *notes, *beginning, *ending;
} text[] = { { COMPLETION_BASH_ENTRY }, { COMPLETION_ZSH_ENTRY }, { COMPLETION_FISH_ENTRY }, { COMPLETION_BOTH_ENTRY } };

/* What may follow an entry's name: "mesh,wrap=", "metapath,shares=bandwidth", and where it takes another entry, as in
 * "metapath:SUPERNODE", "metapath:sga". */
static void put_spec(struct completion *c, const struct kind *own, const struct entry *e)
{
    const struct spec_key *const keys[] = { e->keys, own->keys };
    const char *at = e->synopsis ? strchr(e->synopsis, ':') : NULL;
    const struct kind *kind;

    for (int i = 0; i < 2; i++)
        for (const struct spec_key *k = keys[i]; k && k->name; k++) {
            fprintf(c->f, "%s,%s= ", e->name, k->name);
            for (const char *v = strchr(k->values, '|') && islower((unsigned char)*k->values) ? k->values : ""; *v;
                 v += strcspn(v, "|"), v += *v == '|')
                if (islower((unsigned char)*v))
                    fprintf(c->f, "%s,%s=%.*s ", e->name, k->name, (int)strcspn(v, "|"), v);
        }
    for (size_t i = 0; at && (kind = catalogue_kind(i)); i++)
        if (strncasecmp(kind->name, at + 1, strlen(kind->name)) == 0 && isupper((unsigned char)at[1]))
            for (size_t k = 0; kind->entry[k]; k++)
                fprintf(c->f, "%s:%s ", e->name, kind->entry[k]->name);
}

static void put_specs(struct completion *c)
{
    const struct kind *kind;

    put_variable(c, "spec", c->shell == FISH ? "set -g " : "");
    fputs(c->shell == FISH ? " " : "='", c->f);
    for (size_t i = 0; (kind = catalogue_kind(i)); i++)
        for (size_t k = 0; !kind->apart && kind->entry[k]; k++)
            put_spec(c, kind, kind->entry[k]);
    fputs(c->shell == FISH ? "\n" : "'\n", c->f);
}

/* NAME='words', or as fish has it. Of names: those of all kinds so called (there are two of algorithms); of any kind;
 * the kinds. */
static void put_names(struct completion *c, const char *name, bool all, bool kinds)
{
    const struct kind *kind;

    put_variable(c, name, c->shell == FISH ? "set -g " : "");
    fputs(c->shell == FISH ? " " : "='", c->f);
    for (size_t i = 0; (kind = catalogue_kind(i)); i++) {
        if (kinds)
            fprintf(c->f, "%s ", kind->name);
        for (size_t k = 0; (all || strcmp(kind->name, name) == 0) && kind->entry[k]; k++)
            fprintf(c->f, "%s ", kind->entry[k]->name);
    }
    fputs(c->shell == FISH ? "\n" : "'\n", c->f);
}

static int put_command(struct completion *c, const struct command *s, struct err *err)
{
    const struct frame *frame = s->cmd->frame;

    c->cmd = s->cmd;
    command_name(c->of, s, ' ');
    if (c->shell == FISH) {
        if (!s->above) {
            fprintf(c->f, "complete -c metapath -n __fish_use_subcommand -f -a %s", c->of);
            put_description(c, s->cmd->summary);
        }
        fprintf(c->f, "complete -c metapath -n '_metapath_is \"%s\"' -a '(_metapath_offer ", c->of);
        put_arguments(c);
        fputs(")'\n", c->f);
        return frame ? frame_each_option(frame, put_fish, c, err) : 0;
    }
    if (c->values)
        return frame ? frame_each_option(frame, put_case, c, err) : 0;
    fprintf(c->f, "        \"%s -\"*) offer=\"", c->of);
    if (frame && frame_each_option(frame, put_name, c, err) < 0)
        return -1;
    fprintf(c->f, "\" ;;\n        \"%s \"*) files=more offer=\"", c->of);
    put_arguments(c);
    fputs("\" ;;\n", c->f);
    return 0;
}

/* Values by option, and where the word before is none that takes one, options and arguments. */
static int put_commands(struct completion *c, const struct cmd *const *all, struct err *err)
{
    struct command s;
    size_t n = 0;

    while (command_at(&s, all, n))
        n++;
    while (n-- > 0)                     /* "bound worst" before "bound" */
        if (command_at(&s, all, n) && put_command(c, &s, err) < 0)
            return -1;
    return 0;
}

int completion_write(FILE *f, const struct cmd *const *all, const char *shell, struct err *err)
{
    struct completion c = { .f = f };
    const struct kind *kind;

    while (c.shell < SHELLS && strcmp(text[c.shell].name, shell ? shell : "") != 0)
        c.shell++;
    if (c.shell == SHELLS)
        return err_set(err, ERR_USAGE, "completion is for bash, zsh or fish, not '%.40s'", shell ? shell : "");
    fprintf(f, c.shell == ZSH ? "#compdef metapath\n" : "# what %s completes after metapath\n", shell);
    for (size_t i = 0; (kind = catalogue_kind(i)); i++)
        put_names(&c, kind->name, false, false);
    put_names(&c, "names", true, false);
    put_names(&c, "kinds", false, true);
    put_specs(&c);
    fprintf(f, "%s%s", c.shell == FISH ? "" : text[SHELLS].beginning, text[c.shell].beginning);
    if (c.shell == FISH)
        return put_commands(&c, all, err);
    c.values = true;
    fputs("    case \"$at $of $prev\" in\n    1*) offer=$_metapath_command ;;\n", f);
    if (put_commands(&c, all, err) < 0)
        return -1;
    c.values = false;
    fputs("    *)\n        case \"$of $cur\" in\n", f);
    if (put_commands(&c, all, err) < 0)
        return -1;
    fprintf(f, "        esac ;;\n    esac\n%s", text[c.shell].ending);
    return 0;
}
