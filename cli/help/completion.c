/* bash and zsh read the same `case` of what may follow, between a beginning and an end of their own; fish has a line
 * for each option. Names of catalogues are variables, set once. */
#include "cli/help/completion.h"
#include "cli/help/catalogue.h"
#include "model/collective/collective.h"

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
    fputs(!o->values ? " -f" : o->writes ? " -r" : " -x -a \"", c->f);
    if (o->values && !o->writes) {
        put_values(c, o);
        putc('"', c->f);
    }
    put_description(c, o->help ? o->help : "");
}

/* ---- all ---- */

static const char *const beginning[SHELLS] = {
    "_metapath() {\n    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} of=${COMP_WORDS[1]}\n"
    "    local at=$COMP_CWORD offer='' files=''\n    COMPREPLY=()\n"
    "    [ \"$of\" = bound ] && [ \"$at\" -gt 2 ] && of=\"bound ${COMP_WORDS[2]}\"\n",
    "_metapath() {\n    local cur=${words[CURRENT]} prev=${words[CURRENT-1]} of=${words[2]} at=$((CURRENT - 1))\n"
    "    [ \"$of\" = bound ] && [ \"$at\" -gt 2 ] && of=\"bound ${words[3]}\"\n    local offer='' files=''\n",
    "function _metapath_is\n    set -l words (commandline -opc)\n    set -l of $words[2]\n    if test \"$of\" = "
    "bound; and "
    "set -q words[3]\n        set of \"bound $words[3]\"\n    end\n    test \"$of\" = \"$argv[1]\"\nend\n"
}, *const ending[] = {
    "    [ -z \"$offer\" ] || COMPREPLY=($(compgen -W \"$offer\" -- \"$cur\"))\n"
    "    [ -z \"$files\" ] || COMPREPLY+=($(compgen -f -- \"$cur\"))\n}\n"
    "complete -F _metapath metapath\n",
    "    [ -z \"$offer\" ] || compadd -- ${=offer}\n    [ -z \"$files\" ] || _files\n}\n"
    "compdef _metapath metapath\n"
};

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
        fprintf(c->f, "complete -c metapath -n '_metapath_is \"%s\"' -a \"", c->of);
        put_arguments(c);
        fputs("\"\n", c->f);
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
    static const char *const known[] = { "bash", "zsh", "fish" };
    struct completion c = { .f = f };
    const struct kind *kind;
    char known_all[60];

    while (c.shell < SHELLS && strcmp(known[c.shell], shell ? shell : "") != 0)
        c.shell++;
    if (c.shell == SHELLS)
        return err_set(err, ERR_USAGE, "completion is for %s, not '%.40s'",
                       text_list(known_all, sizeof known_all, known, SHELLS, " or "), shell ? shell : "");
    fprintf(f, c.shell == ZSH ? "#compdef metapath\n" : "# what %s completes after metapath\n", shell);
    for (size_t i = 0; (kind = catalogue_kind(i)); i++)
        put_names(&c, kind->name, false, false);
    put_names(&c, "names", true, false);
    put_names(&c, "kinds", false, true);
    fputs(beginning[c.shell], f);
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
    fprintf(f, "        esac ;;\n    esac\n%s", ending[c.shell]);
    return 0;
}
