#include "cli/command/cmd.h"
#include "cli/help/column.h"
#include "cli/help/completion.h"
#include "cli/help/manual.h"
#include "cli/help/catalogue.h"
#include "cli/help/prose.h"
#include "graph/base/spec.h"
#include "texts/cmd.h"

static const char *const group[] = { "Network", "Load", "Collectives", "Safety", "Output", NULL };

/* One screen: what it is for, five users' questions, the names of commands. */
static int help_overview(void)
{
    char lead[40], names[400];

    prose_fill("", 0, "metapath models interconnection networks: how long their paths are, how latency grows with load, "
               "how long a collective takes, and how far that is from the best possible.");
    puts("\nusage: metapath COMMAND [ARGUMENT...] [OPTION...]\n\n"
         "  # An architect: which network connects 1,000 hosts?\n"
         "  metapath compare --about 1000\n"
         "  # A cluster engineer: which allreduce for which size?\n"
         "  metapath tune allreduce fattree:8\n"
         "  # An operator: what does my fabric lose, and by what?\n"
         "  metapath fabric examples/networks/fabric.csv\n"
         "  # A researcher: at what load does a network saturate, under which routing?\n"
         "  metapath latency torus:8x8 --routing dor,ecmp\n"
         "  # A student: how long are the paths of a torus?\n"
         "  metapath topo torus:8x8\n");
    for (size_t g = 0; group[g]; g++) {
        size_t len = 0;

        for (size_t i = 0; cmd_all[i] && len < sizeof names; i++)
            if (strcmp(cmd_all[i]->group, group[g]) == 0)
                len += (size_t)snprintf(names + len, sizeof names - len, "%s%s", len ? ", " : "", cmd_all[i]->name);
        snprintf(lead, sizeof lead, "  %s", group[g]);
        prose_fill(lead, 15, names);
    }
    puts("\n`metapath COMMAND --help` has options and examples, `metapath list command` a line\n"
         "for each; `metapath list` names every topology, routing, traffic, ..., and\n"
         "`metapath help NAME` explains one, or a word: `metapath help saturation`.");
    return 0;
}

#define FOUND 8                 /* entries of one name */
struct search {
    const char *name;
    struct {
        const struct kind *kind;
        const struct entry *entry;
    } found[FOUND];
    size_t nfound;
    const char *known[512];
    size_t nknown;
};

static void help_summary(const struct kind *kind, const struct entry *e)
{
    char lead[80];

    snprintf(lead, sizeof lead, "%.40s (%.30s):", e->name, kind->name);
    prose_fill(lead, 0, e->summary);
}

static void help_describe(const struct kind *kind, const struct entry *e)
{
    char tells[KIND_TELL] = "";

    help_summary(kind, e);
    if (e->synopsis) {
        puts("");
        prose_fill("", 4, e->synopsis);
    }
    if (e->keys || kind->keys)
        puts("");
    for (const struct spec_key *k = e->keys; k && k->name; k++) {
        printf("    %s=%s\n", k->name, k->values);
        prose_fill("", 8, k->summary);
    }
    if (kind->keys) {
        printf("    ");
        for (const struct spec_key *k = kind->keys; k->name; k++)
            if (!strchr(k->name, '-'))
                printf("%s=%s", k->name, k[1].name ? ", " : "");
        printf(": as every %s (`metapath help %s`)\n", kind->name, kind->name);
    }
    if (e->notes) {
        puts("");
        prose_fill("", 0, e->notes);
    }
    if (kind->tell)
        kind->tell(tells, e);
    if (e->terms || kind->tell) {
        char terms[300];

        puts("");
        snprintf(terms, sizeof terms, "It %.280s.", e->terms ? e->terms : tells);
        prose_fill("", 0, terms);
    }
    if (e->example)
        printf("\nExample: %s%s\n", strchr(e->example, '\n') || strlen(e->example) > 69 ? "\n" : "", e->example);
    if (e->source) {
        puts("");
        prose_fill("Source:", 0, e->source);
    }
}

static void help_found(struct search *s, const struct kind *kind, const struct entry *e)
{
    if (s->nfound == FOUND)
        return;
    s->found[s->nfound].kind = kind;
    s->found[s->nfound++].entry = e;
}

static int help_visit(void *arg, const struct kind *kind, const struct entry *e)
{
    struct search *s = arg;

    if (s->nknown < sizeof s->known / sizeof *s->known)
        s->known[s->nknown++] = e->name;
    if (strcmp(e->name, s->name) == 0 && kind != &kind_cmd)
        help_found(s, kind, e);
    return 0;
}

/* "Fat Tree" is fat-tree: names have small letters, and hyphens between words. NULL when memory is out. */
static char *help_name(int n, char **word)
{
    size_t size = 1;
    char *out, *at;

    for (int i = 0; i < n; i++)
        size += strlen(word[i]) + 1;
    at = out = calloc(size, 1);
    for (int i = 0; out && i < n; i++) {
        if (i)
            *at++ = '-';
        for (const char *c = word[i]; *c; c++)
            *at++ = *c == ' ' || *c == '_' ? '-' : (char)tolower((unsigned char)*c);
    }
    return out;
}

/* Everything of that name, columns of tables after entries, what a command says for itself last. Where there are several
 * entries, a line says how many, and of which kinds. */
static int help_of(const char *name, struct err *err)
{
    const struct cmd *cmd = cmd_find(name, NULL);
    struct search s = { .name = name };
    char title[80], help[] = "--help", hint[80], *args[] = { title, help, NULL };
    bool columns;

    if (strcmp(name, "help") == 0)
        return help_overview();
    catalogue_walk(help_visit, &s);
    if (cmd)
        help_found(&s, &kind_cmd, &cmd->entry);
    if (s.nfound == 0 && column_help(cmd_all, name, false))
        return 0;
    if (s.nfound == 0)
        return err_set(err, ERR_USAGE, "nothing is called '%.60s'%s; `metapath list` shows all names", name,
                       text_suggest(hint, name, s.known, s.nknown));
    if (s.nfound > 1)
        printf("%zu entries are called %s:", s.nfound, name);
    for (size_t i = 0; s.nfound > 1 && i < s.nfound; i++)
        printf(" %s%s", s.found[i].kind->name, i + 1 < s.nfound ? "," : ".\n\n");
    for (size_t i = 0; i + (cmd != NULL) < s.nfound; i++) {
        help_describe(s.found[i].kind, s.found[i].entry);
        if (i + 1 + (cmd != NULL) < s.nfound)
            puts("");
    }
    columns = column_help(cmd_all, name, s.nfound > (cmd != NULL));
    if (!cmd)
        return 0;
    if (columns || s.nfound > 1)
        puts("");
    if (s.nfound > 1) {
        help_summary(&kind_cmd, &cmd->entry);
        puts("");
    }
    snprintf(title, sizeof title, "metapath %s", name);
    return cmd_run(cmd, 2, args, err);
}

/* A page of the reference: of the whole (no name), of specs, a command or a kind. */
static int help_page(enum manual_form form, const char *name, struct err *err)
{
    const struct kind *kind;
    char of[COMMAND_NAME];
    struct command c;

    if (!name)
        manual_program(stdout, form, cmd_all);
    else if (strcmp(name, "specs") == 0)
        manual_specs(stdout, form);
    if (!name || strcmp(name, "specs") == 0)
        return 0;
    for (size_t i = 0; command_at(&c, cmd_all, i); i++)
        if (strcmp(command_name(of, &c, '-'), name) == 0)
            return manual_command(stdout, form, &c, err);
    for (size_t i = 0; (kind = catalogue_kind(i)); i++)
        if (strcmp(kind->name, name) == 0) {
            manual_kind(stdout, form, kind);
            return 0;
        }
    return err_set(err, ERR_USAGE, "there is no page of '%.60s': pages are of commands, of bounds (bound-worst), "
        "of the "
                   "kinds that `metapath list` has, and specs", name);
}

/* Names of all pages but that of the whole. */
static int help_pages(void)
{
    char name[COMMAND_NAME];
    struct command c;

    for (size_t i = 0; command_at(&c, cmd_all, i); i++)
        puts(command_name(name, &c, '-'));
    puts("specs");
    return 0;
}

static int help_run(int argc, char **argv, struct err *err)
{
    static const char *const form[] = { "--man", "--markdown" };
    const int most = argc > 1 && strcmp(argv[1], "--pages") == 0 ? 2 : argc > 1 && argv[1][0] == '-' ? 3 : argc;
    char *name;
    int ret;

    if (argc > most)
        return err_set(err, ERR_USAGE, "help %.40s: '%.60s' is one word too many", argv[1], argv[most]);
    if (argc > 1 && strcmp(argv[1], "--pages") == 0)
        return help_pages();
    if (argc > 1 && strcmp(argv[1], "--completion") == 0)
        return completion_write(stdout, cmd_all, argv[2], err);
    for (int k = 0; argc > 1 && k < 2; k++)
        if (strcmp(argv[1], form[k]) == 0)
            return help_page((enum manual_form)k, argv[2], err);
    if (argc < 2 || argv[1][0] == '-')
        return help_overview();
    name = help_name(argc - 1, argv + 1);
    ret = name ? help_of(name, err) : err_memory(err);
    free(name);
    return ret;
}

const struct cmd cmd_help = { CMD_HELP_ENTRY, .run = help_run };
