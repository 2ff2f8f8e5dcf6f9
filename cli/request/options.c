/* Options as tables. The lines of all parts become one array of argp's, with the places of the lines (or their letters)
 * as keys; argp hands back a key, and option_take (option.c) puts the value where the line says. Then what every
 * command understands (common, page_ and so on). What becomes of table and figure is in options_out.c. */
#include "cli/request/options.h"
#include "graph/topology/topo.h"

#include <argp.h>

#include "cli/request/apart.h"
#include "graph/base/file.h"
#include "graph/base/sweep.h"
#include "render/page/palette.h"
#include "texts/option.h"

/* ---- what all commands understand ---------------------------------------------------------------------- */

static int take_output(void *about, const char *path, struct err *err)
{
    struct options *o = about;

    o->output = path;
    if (!*path)
        return err_set(err, ERR_USAGE, "-o lacks the name of a file");
    return o->draws ? figure_check_path(path, err) : 0;
}

static int take_plot(void *about, const char *path, struct err *err)
{
    ((struct options *)about)->plot = path;
    return figure_check_path(path, err);
}

static int take_size(void *about, const char *arg, struct err *err)
{
    return page_size(&((struct options *)about)->page, arg, err);
}

static int take_show(void *about, const char *name, struct err *err)
{
    struct options *o = about;
    char hint[80], all[200];
    size_t n = 0;

    for (; o->shows[n]; n++)
        if (strcmp(o->shows[n], name) == 0) {
            o->show = o->shows[n];
            return 0;
        }
    return err_set(err, ERR_USAGE, "there is no table '%.40s'%s; --show may name %s", name,
                   text_suggest(hint, name, o->shows, n), text_list(all, sizeof all, o->shows, n, ", "));
}

#define ABOUT(member) INTO_OF(struct options, member)
/* A list of specs, each of which may stand for several. */
int options_take_network(void *about, const char *arg, struct err *err)
{
    struct options *o = about;
    char **item, **swept;
    size_t n, m;
    int ret = 0;

    if (spec_list(&item, &n, arg, err) < 0)
        return -1;
    for (size_t i = 0; ret == 0 && i < n; i++) {
        ret = sweep_spec(&swept, &m, item[i], &kind_topo, err);
        if (ret < 0)
            break;
        for (size_t k = 0; ret == 0 && k < m; k++)
            ret = strings_add(&o->spec, swept[k], err) < 0 || (m > 1 && strings_add(&o->swept, swept[k], err) < 0) ?
                -1 : 0;
        mem_free_list(swept, m);
    }
    mem_free_list(item, n);
    return ret;
}

static const struct option_field network_options[] = { { ABOUT(spec), .take = options_take_network }, { 0 } };

static const struct option_field table_options[] = {
    { .help = "Table:", .group = 10 },
    { OPTION_COMMON_FORMAT, 10, ABOUT(format), .kind = &kind_table },
    { OPTION_COMMON_OUTPUT, 10, .take = take_output, .writes = true },
    { OPTION_COMMON_COLUMNS, 10, ABOUT(columns) },
    { OPTION_COMMON_WIDE, 10, ABOUT(wide) },
    { OPTION_COMMON_CAPTION, 10, ABOUT(paper.caption) },
    { OPTION_COMMON_LABEL, 10, ABOUT(paper.label) },
    { OPTION_COMMON_WIDTH, 10, ABOUT(paper.column), .words = "text|column" },
    { OPTION_COMMON_LATEX, 10, ABOUT(paper.siunitx), .words = "plain|siunitx" }, { 0 }
};
static const struct option_field row_options[] = {
    { OPTION_COMMON_SORT, 10, ABOUT(sort) },
    { OPTION_COMMON_TOP, 10, ABOUT(top), .least = 1, .most = INT64_MAX }, { 0 }
};
static const struct option_field figure_options[] = {
    { "output", 'o', "FILE", "the figure: FILE.svg, .pdf or .png (required)", 9, .take = take_output,
      .writes = true }, { 0 }
};
static const struct option_field common_options[] = {
    { .help = "Run:", .group = 11 },
    { OPTION_COMMON_JOBS, 11, ABOUT(jobs), .least = 1, .most = 4096 },
    { OPTION_COMMON_SEED, 11, ABOUT(seed), .most = INT64_MAX },
    { OPTION_COMMON_PROGRESS, 11, ABOUT(progress), .words = "auto|always|never" },
    { OPTION_COMMON_QUIET, 11, ABOUT(quiet) }, { 0 }
};
/* In place of argp's own, which know no -h; options_key sees to them. */
static const struct option_field help_options[] = {
    { "help", .key = 'h', .help = "show this help (also -?)", .group = -1 },
    { "?", .key = '?', .group = -1, .hidden = true },
    { "usage", .help = "show a short usage message", .group = -1 },
    { "version", .key = 'V', .help = "show the program's version", .group = -1 }, { 0 }
};
static const struct option_field plot_options[] = {
    { OPTION_COMMON_PLOT, 9, .take = take_plot, .writes = true }, { 0 }
};
static const struct option_field page_options[] = {
    { .help = "Figure:", .group = 9 },
    { OPTION_COMMON_SIZE, 9, .take = take_size },
    { OPTION_COMMON_FONT, 9, ABOUT(page.font) },
    { OPTION_COMMON_FONT_SIZE, 9, ABOUT(page.font_size), .from = 3, .to = 72 },
    { OPTION_COMMON_PALETTE, 9, ABOUT(page.palette), .kind = &kind_palette },
    { OPTION_COMMON_DPI, 9, ABOUT(page.dpi), .from = 10, .to = 4800 },
    { OPTION_COMMON_LEGEND, 9, ABOUT(page.legend), .words = LEGEND_WORDS }, { 0 }
};

/* ---- the command line ---------------------------------------------------------------------------------- */

#define MOST_OPTIONS 100
#define KEY_FIRST 0x1000        /* of options without a letter */

const struct option_field *const *options_shared(void)
{
    static const struct option_field *const all[] = { network_options, table_options, figure_options, common_options,
                                                      task_options, plot_options, page_options, help_options, NULL };

    return all;
}

struct lines {
    struct options *o;
    struct err *err;
    struct argp_option option[MOST_OPTIONS + 1];
    const struct option_field *field[MOST_OPTIONS];     /* of each of them, and the struct it is about */
    void *about[MOST_OPTIONS];
    size_t n;
    const struct option_field *argument;
    void *argument_about;
    bool several;               /* SPEC... */
    const char **word[2];       /* values as they come: of options that write a file; all others, and arguments */
    size_t nword[2];
    FILE *said;                 /* into the words of tasks */
    char tables[120];           /* of --show: its line is made from the tables */
    struct option_field show[2];
};

/* Not the empty one that ends an array. */
static bool option_is(const struct option_field *f)
{
    return f->name || f->help || f->take || f->type != OPTION_NONE;
}

/* Whether a number that it takes has limits. */
static bool option_limited(const struct option_field *f)
{
    const bool whole = f->type == OPTION_INT || f->type == OPTION_INT64;

    return f->take || f->kind || !f->values || f->words || strchr(f->values, '|') ||
        !(whole || f->type == OPTION_REAL) || (whole ? f->least < f->most : f->from < f->to);
}

static void add_lines(struct lines *l, const struct option_field *f, size_t at)
{
    void *about = (char *)l->o + at;

    for (; option_is(f); f++) {
        if (!f->name && !f->help) {
            if (!l->argument) {         /* the command's own comes first */
                l->argument = f;
                l->argument_about = about;
            }
            continue;
        }
        if (!option_limited(f)) {
            err_set(l->err, ERR_INTERNAL, "--%s has no limits: its number may be anything", f->name);
            return;
        }
        if (l->n == MOST_OPTIONS) {
            err_set(l->err, ERR_INTERNAL, "a command has more than %d options", MOST_OPTIONS);
            return;
        }
        l->field[l->n] = f;
        l->about[l->n] = about;
        l->option[l->n] = (struct argp_option){ f->name, !f->name ? 0 : f->key ? f->key : KEY_FIRST + (int)l->n,
                                                f->values, f->hidden ? OPTION_HIDDEN : 0, f->help,
                                                f->group + (f->group >= 0) };   /* argp keeps 0 for no heading */
        l->n++;
    }
}

void options_version(void)
{
    puts("metapath " VERSION "\nwith " LIBRARIES);
}

/* argp prints the help; the program ends with it. */
static void options_help(const struct option_field *f, struct argp_state *state)
{
    struct err err;

    if (f->key == 'V')
        options_version();
    else
        argp_state_help(state, stdout, !f->key ? ARGP_HELP_USAGE :
                        ARGP_HELP_STD_HELP & ~(unsigned)ARGP_HELP_EXIT_OK);
    if (output_printed(&err) == 0)
        exit(EXIT_SUCCESS);
    fprintf(stderr, "metapath: %s\n", err.msg);
    exit(EXIT_FAILURE);
}

/* What --help says before the options: what the command is about, and its examples; what it says last; and no word
 * about arguments of options with a letter and a name, which argp would add. */
static char *options_text(int key, const char *text, void *input)
{
    const struct lines *l = input;
    char *out = NULL;
    size_t size;
    FILE *f;

    if (key == ARGP_KEY_HELP_DUP_ARGS_NOTE)
        return NULL;
    if (key == ARGP_KEY_HELP_EXTRA && l->several)
        return strdup("A SPEC with a range stands for several networks: torus:8..64..x2^2 for four. A size that its "
                      "family lacks is a row marked refused, and the exit status 1.");
    if (key != ARGP_KEY_HELP_PRE_DOC || !l->o->example || !(f = open_memstream(&out, &size)))
        return (char *)(uintptr_t)text;
    fprintf(f, "%s\n\nExamples:\n", text);
    for (size_t i = 0; i < EXAMPLES; i++)
        fprintf(f, "  # %s\n  %s\n", l->o->example[i].question, l->o->example[i].command);
    fclose(f);
    return out;
}

/* argp stops at the first error of a value by EINVAL, without a message of its own. */
static error_t options_key(int key, char *arg, struct argp_state *state)
{
    struct lines *l = state->input;

    const struct option_field *f = key == ARGP_KEY_ARG ? l->argument : NULL;
    void *about = l->argument_about;

    for (size_t i = 0; key != ARGP_KEY_ARG && i < l->n; i++)
        if (l->field[i]->name && l->option[i].key == key) {
            f = l->field[i];
            about = l->about[i];
        }
    if (!f)
        return ARGP_ERR_UNKNOWN;
    if (f->group < 0)
        options_help(f, state);
    if (f->group != TASK_GROUP && (!f->name || (!l->o->task.from && !l->o->task.join)))
        fprintf(l->said, "%s%s%s%s\n", f->name ? "--" : "", f->name ? f->name : "", f->name && arg ? "=" : "",
                arg ? arg : "");
    l->o->task.lines |= arg && strpbrk(arg, "\n\f");
    l->o->task.writes |= f->writes && f->take != take_output && f->take != take_plot;
    if (arg)
        l->word[!f->writes][l->nword[!f->writes]++] = arg;
    return (f->quantity && quantity_in(arg) ? units_defer(&l->o->units, f, about, arg, l->err) :
            option_take(f, about, arg, l->err)) < 0 ? EINVAL : 0;
}

/* A name without extension is text; one with another than a table can have is a mistake. */
static int settle_format(struct options *o, struct err *err)
{
    const char *slash = o->output ? strrchr(o->output, '/') : NULL, *name = slash ? slash + 1 : o->output;
    const char *dot = name && *name ? strrchr(name + 1, '.') : NULL, *known[32];
    char all[200], near[80];
    size_t n = 0;

    if (!o->format && dot && !o->draws)
        o->format = table_format_for_path(name);
    if (!o->format && (!dot || o->draws || (o->own && strcmp(dot, o->own) == 0)))
        o->format = table_format_find("text", NULL);
    if (o->format && !o->format->typeset && (o->paper.caption || o->paper.label || o->paper.column || o->paper.siunitx))
        return err_set(err, ERR_USAGE, "--caption, --label, --width and --latex are of -f latex, or -o FILE.tex");
    if (o->format)
        return 0;
    for (size_t i = 0; table_format_all[i] && n < 32; i++)
        if (table_format_all[i]->extension)
            known[n++] = table_format_all[i]->extension;
    return err_set(err, ERR_USAGE, "-o %.200s does not say what table to write%s; its name may end in %s, or add -f",
                   o->output, text_suggest(near, dot, known, n), text_list(all, sizeof all, known, n, ", "));
}

/* All lines of a command; its flags stand in l->o. */
static int lines_gather(struct lines *l, const struct option_field *own, const struct option_part *shared)
{
    const struct options *o = l->o;
    char shows[100];
    size_t nshow = 0;

    while (o->shows && o->shows[nshow])
        nshow++;
    snprintf(l->tables, sizeof l->tables, "another table: %s",
             text_list(shows, sizeof shows, o->shows, nshow, " or "));
    l->show[0] = (struct option_field){ "show", 0, "NAME", l->tables, 10, .take = take_show };
    add_lines(l, own, 0);
    for (; shared && shared->field; shared++)
        add_lines(l, shared->field, shared->at);
    if (o->networks)
        add_lines(l, network_options, 0);
    if (o->shows)
        add_lines(l, l->show, 0);
    if (o->plots)
        add_lines(l, plot_options, 0);
    if (o->plots || o->draws)
        add_lines(l, page_options, 0);
    if (!o->writes) {
        add_lines(l, o->draws ? figure_options : table_options, 0);
        add_lines(l, row_options, 0);
    }
    add_lines(l, common_options, 0);
    if (o->divides)
        add_lines(l, task_options, 0);
    add_lines(l, help_options, 0);
    return l->err->code == ERR_INTERNAL ? -1 : 0;
}

int options_each(struct options *o, const struct option_field *own, const struct option_part *shared,
                 void (*each)(void *arg, const struct option_field *field), void *arg, struct err *err)
{
    struct lines l = { .o = o, .err = err };
    int last = 0;

    if (lines_gather(&l, own, shared) < 0)
        return -1;
    for (size_t i = 0; i < l.n; i++)
        last = l.field[i]->group > last ? l.field[i]->group : last;
    for (int k = 0; k < 2 * (last + 2); k++) {          /* of each group its heading first; the help's own last */
        const int group = k / 2 > last ? -1 : k / 2;

        for (size_t i = 0; i < l.n; i++)
            if (l.field[i]->group == group && !l.field[i]->hidden && (l.field[i]->name != NULL) == k % 2)
                each(arg, l.field[i]);
    }
    return 0;
}

int options_parse(struct options *o, const struct option_field *own, const struct option_part *shared,
                  const char *arguments, const char *doc, int argc, char **argv, struct err *err)
{
    struct lines l = { .o = o, .err = err, .several = o->networks && strstr(arguments, "SPEC...") };
    const struct argp argp = { l.option, options_key, arguments, doc, NULL, options_text, NULL };
    error_t status;

    if (lines_gather(&l, own, shared) < 0)
        return -1;
    if (!(l.said = open_memstream(&o->task.words, &o->task.size)))
        return err_memory(err);
    fprintf(l.said, "%s\n", argv[0]);
    o->seed = 1;
    o->command = argv[0];
    argp_err_exit_status = 2;
    for (int i = 0; i < 2; i++)
        if (!(l.word[i] = calloc((size_t)argc + 1, sizeof *l.word[i]))) {
            free(l.word[0]);
            fclose(l.said);
            return err_memory(err);
        }
    status = argp_parse(&argp, argc, argv, ARGP_NO_HELP, NULL, &l);
    if (fclose(l.said) != 0)
        return err_memory(err);
    if (o->quiet)
        o->progress = PROGRESS_NEVER;
    if (!status && o->task.folder && !o->task.here && files_here(l.word[1], l.nword[1], err) < 0)
        status = EINVAL;
    if (!status && files_apart(l.word[0], l.nword[0], l.word[1], l.nword[1], err) < 0)
        status = EINVAL;
    task_settle(o);
    if (!status && !o->quiet)
        files_note(l.word[0], l.nword[0]);
    FREE(l.word[0], l.word[1]);
    if (status == EINVAL && err->code != ERR_NONE)
        return -1;
    if (status)
        return err_set(err, ERR_USAGE, "%s: %s; try `%s --help`", argv[0], strerror(status), argv[0]);
    return settle_format(o, err);
}

static void free_lists(void *about, const struct option_field *f)
{
    for (; option_is(f); f++)
        if (f->type == OPTION_LIST)
            strings_free((void *)((char *)about + f->at));
}

void options_release(struct options *o, const struct option_field *own, const struct option_part *shared)
{
    strings_free(&o->spec);
    strings_free(&o->swept);
    strings_free(&o->columns);
    strings_free(&o->sort);
    units_release(&o->units);
    free(o->task.words);
    free_lists(o, own);
    for (; shared && shared->field; shared++)
        free_lists((char *)o + shared->at, shared->field);
}
