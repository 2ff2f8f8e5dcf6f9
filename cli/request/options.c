#include "cli/request/options.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "graph/base/file.h"
#include "graph/base/grow.h"
#include "graph/base/num.h"
#include "graph/base/spec.h"
#include "graph/base/text.h"
#include "render/page/palette.h"
#include "render/chart/from_table.h"

enum { KEY_PLOT = 0x2000, KEY_SHOW, KEY_SEED, KEY_PROGRESS, KEY_SIZE, KEY_FONT, KEY_FONT_SIZE, KEY_PALETTE, KEY_DPI };

static const struct argp_option table_option[] = {
    { "format", 'f', "FORMAT", 0, "text, csv, json, markdown or latex (default: by -o's extension, else text)", 10 },
    { "output", 'o', "FILE", 0, "write the table there instead of to standard output", 10 },
    { 0 }
};
static const struct argp_option figure_option[] = {
    { "output", 'o', "FILE", 0, "the figure: FILE.svg, .pdf or .png (required)", 10 }, { 0 }
};
static const struct argp_option common[] = {
    { "jobs", 'j', "N", 0, "threads (default: OMP_NUM_THREADS, else all cores); results do not depend on it", 10 },
    { "seed", KEY_SEED, "N", 0, "of everything random (default: 1)", 10 },
    { "progress", KEY_PROGRESS, "WHEN", 0, "auto, always or never: a bar on standard error (default: auto)", 10 },
    { 0 }
};
static const struct argp_option plot_option[] = {
    { "plot", KEY_PLOT, "FILE", 0, "draw the table's figure too: FILE.svg, .pdf or .png", 9 }, { 0 }
};

static const struct argp_option page_option[] = {
    { "size", KEY_SIZE, "SIZE", 0, "of the figure in mm: WIDTH, WIDTHxHEIGHT, column (84), one-and-half (127) or two-columns "
      "(174) (default: 160x100)", 9 },
    { "font", KEY_FONT, "FAMILY", 0, "of the figure's text (default: DejaVu Sans)", 9 },
    { "font-size", KEY_FONT_SIZE, "POINTS", 0, "of the labels of its axes (default: 8)", 9 },
    { "palette", KEY_PALETTE, "NAME", 0, "viridis, cividis, inferno or grey (default: viridis)", 9 },
    { "dpi", KEY_DPI, "N", 0, "dots per inch of a .png (default: 200)", 9 },
    { 0 }
};

struct context {
    struct options *o;
    const struct option_run *run;
    struct err *err;
    int nchild;                 /* groups of common options; argp's own root_argp counts others too */
};

static int choose_show(struct options *o, const char *name, struct err *err)
{
    size_t n = 0;
    char hint[80], all[200] = "";
    size_t len = 0;

    for (; o->shows[n]; n++) {
        if (strcmp(o->shows[n], name) == 0) {
            o->show = o->shows[n];
            return 0;
        }
        len += (size_t)snprintf(all + len, sizeof all - len, "%s%s", n ? ", " : "", o->shows[n]);
    }
    return err_set(err, ERR_USAGE, "there is no table '%.40s'%s; --show may name %s", name,
                   text_suggest(hint, name, o->shows, n), all);
}

int option_choice(const char *what, const char *arg, const char *const *words, struct err *err)
{
    char all[160] = "";
    size_t len = 0;

    for (int i = 0; words[i]; i++) {
        if (strcmp(words[i], arg) == 0)
            return i;
        len += (size_t)snprintf(all + len, sizeof all - len, "%s%s", i ? ", " : "", words[i]);
    }
    return err_set(err, ERR_USAGE, "%s is '%.40s'; it may be %s", what, arg, all);
}

int option_real(double *out, const char *arg, double lo, double hi, const char *what, struct err *err)
{
    double v;

    if (num_real(&v, arg, what, err) < 0)
        return -1;
    if (!(v >= lo && v <= hi))
        return err_set(err, ERR_USAGE, "%s is '%.40s'; it may be %g to %g", what, arg, lo, hi);
    *out = v;
    return 0;
}

static int choose_output(struct options *o, const char *path, struct err *err)
{
    struct err ignored = { 0 };

    o->output = path;
    if (!*path)
        return err_set(err, ERR_USAGE, "-o lacks the name of a file");
    if (o->draws)
        return figure_check_path(path, err);
    if (figure_check_path(path, &ignored) < 0)
        return 0;
    return err_set(err, ERR_USAGE, "-o takes a table, and %.200s is the name of a figure%s", path,
                   o->plots ? ": write --plot for -o" : "");
}

static int common_option(struct options *o, int key, const char *arg, struct err *err)
{
    static const char *const modes[] = { "auto", "always", "never", NULL };
    int64_t v;
    int choice;

    switch (key) {
    case 'f':
        o->format = table_format_find(arg, err);
        return o->format ? 0 : -1;
    case 'o': return choose_output(o, arg, err);
    case KEY_PLOT: o->plot = arg; return figure_check_path(arg, err);
    case KEY_SIZE: return page_size(&o->page, arg, err);
    case KEY_FONT: o->page.font = arg; return 0;
    case KEY_PALETTE:
        o->page.palette = palette_find(arg, err);
        return o->page.palette ? 0 : -1;
    case KEY_FONT_SIZE: return option_real(&o->page.font_size, arg, 3, 72, "--font-size", err);
    case KEY_DPI: return option_real(&o->page.dpi, arg, 10, 4800, "--dpi", err);
    case KEY_SHOW: return choose_show(o, arg, err);
    case KEY_PROGRESS:
        choice = option_choice("--progress", arg, modes, err);
        o->progress = choice < 0 ? PROGRESS_AUTO : (enum progress_mode)choice;
        return choice < 0 ? -1 : 0;
    case 'j':
        if (num_int(&v, arg, 1, 4096, "--jobs", err) < 0)
            return -1;
        o->jobs = (int)v;
        return 0;
    case KEY_SEED:
        if (num_int(&v, arg, 0, INT64_MAX, "--seed", err) < 0)
            return -1;
        o->seed = (uint64_t)v;
        return 0;
    default: return 1;
    }
}

/* What --help says of --show. */
static void describe_shows(char *out, size_t size, const struct options *o)
{
    size_t len = (size_t)snprintf(out, size, "another of this command's tables:");

    for (size_t i = 0; o->shows && o->shows[i] && len < size; i++)
        len += (size_t)snprintf(out + len, size - len, "%s %s", !i ? "" : o->shows[i + 1] ? "," : " or", o->shows[i]);
}

/* argp stops at the first error of a value by EINVAL, without a message of its own. */
static error_t parse_common(int key, char *arg, struct argp_state *state)
{
    struct context *c = state->input;
    int ret = common_option(c->o, key, arg, c->err);

    return ret == 1 ? ARGP_ERR_UNKNOWN : ret < 0 ? EINVAL : 0;
}

static error_t parse_own(int key, char *arg, struct argp_state *state)
{
    struct context *c = state->input;
    int ret;

    if (key == ARGP_KEY_INIT) {
        for (int i = 0; i < c->nchild; i++)
            state->child_inputs[i] = c;
        return 0;
    }
    if (!c->run->parse || (key != ARGP_KEY_ARG && (key < 32 || key > 0xffffff)))
        return ARGP_ERR_UNKNOWN;
    ret = c->run->parse(key == ARGP_KEY_ARG ? OPTION_ARGUMENT : key, arg, c->run->own, c->err);
    return ret == 1 ? ARGP_ERR_UNKNOWN : ret < 0 ? EINVAL : 0;
}

int options_parse(struct options *o, const struct option_run *run, int argc, char **argv, struct err *err)
{
    const struct argp argp_common = { .options = common, .parser = parse_common };
    const struct argp argp_out = { .options = o->draws ? figure_option : table_option, .parser = parse_common };
    char tables[120];
    const struct argp_option show_option[] = { { "show", KEY_SHOW, "NAME", 0, tables, 9 }, { 0 } };
    const struct argp argp_show = { .options = show_option, .parser = parse_common };
    const struct argp argp_page = { .options = page_option, .parser = parse_common };
    const struct argp argp_plot = { .options = plot_option, .parser = parse_common };
    struct argp_child children[6] = { { 0 } };
    struct argp argp = { run->option, parse_own, run->arguments, run->doc, children, NULL, NULL };
    struct context c = { o, run, err, 0 };
    int n = 0;
    error_t status;

    describe_shows(tables, sizeof tables, o);
    if (o->shows)
        children[n++].argp = &argp_show;
    if (o->plots)
        children[n++].argp = &argp_plot;
    if (o->plots || o->draws)
        children[n++].argp = &argp_page;
    children[n++].argp = &argp_out;
    children[n++].argp = &argp_common;
    c.nchild = n;
    o->seed = 1;
    o->command = argv[0];
    argp_err_exit_status = 2;
    argp_program_version = "metapath " VERSION;
    status = argp_parse(&argp, argc, argv, 0, NULL, &c);
    if (status == EINVAL && err->code != ERR_NONE)
        return -1;
    if (status)
        return err_set(err, ERR_USAGE, "%s: %s; try `%s --help`", argv[0], strerror(status), argv[0]);
    if (!o->format && o->output)
        o->format = table_format_for_path(o->output);
    if (!o->format)
        o->format = table_format_find("text", NULL);
    return 0;
}

void options_request(const struct options *o, struct table *t)
{
    char seed[24];

    table_request(t, "command", o->command);
    snprintf(seed, sizeof seed, "%llu", (unsigned long long)o->seed);
    table_request(t, "seed", seed);
}

int options_table(const struct options *o, struct table *t, struct err *err)
{
    struct output out;
    bool terminal = !o->output && isatty(STDOUT_FILENO) && !getenv("NO_COLOR");

    options_request(o, t);
    if (output_open(&out, o->output, err) < 0)
        return -1;
    if (table_write(t, o->format, out.stream, terminal, err) < 0) {
        output_abort(&out);
        return -1;
    }
    return output_commit(&out, err);
}

int options_chart(const struct options *o, const struct table *t, const struct natural *f, struct chart *chart, struct err *err)
{
    const struct chart_columns columns = { .x = f->x, .y = f->y, .ny = f->ny, .group = f->group, .ngroup = f->ngroup,
                                           .valid = f->valid, .label = f->label };

    chart->kind = f->kind;
    chart->x.scale = f->x_scale;
    chart->y.scale = f->y_scale;
    return o->plot ? chart_from_table(chart, t, &columns, err) : 0;
}

int options_write_chart(const struct options *o, const struct chart *chart, struct err *err)
{
    return o->plot ? chart_write(chart, &o->page, o->plot, err) : 0;
}

int options_plot(const struct options *o, const struct table *t, const struct natural *f, struct err *err)
{
    struct chart chart;
    int ret;

    chart_init(&chart, f->kind);
    ret = options_chart(o, t, f, &chart, err);
    if (ret == 0)
        ret = options_write_chart(o, &chart, err);
    chart_release(&chart);
    return ret;
}

bool refused_take(struct refused *r, bool sweep, struct err *err)
{
    if (!sweep || err->code == ERR_USAGE || err->code == ERR_STOPPED || err->code == ERR_INTERNAL)
        return false;
    if (r->n++ == 0)
        r->first = *err;
    return true;
}

int options_sweep(const struct options *o, struct table *t, const struct refused *r, struct err *err)
{
    if (options_table(o, t, err) < 0)
        return -1;
    if (r->n == 0)
        return 0;
    err_set(err, ERR_NETWORK, "%s", r->first.msg);
    return r->n == 1 ? -1 : err_at(err, "%zu rows could not be computed; the first", r->n);
}

int strings_add(struct strings *s, const char *item, struct err *err)
{
    if (GROW_BY(s->n, 1, "a list of arguments", err, GROWN(s->item)) < 0)
        return -1;
    s->item[s->n] = text_copy(item, strlen(item));
    return s->item[s->n++] ? 0 : err_memory(err);
}

int strings_add_list(struct strings *s, const char *list, struct err *err)
{
    char **item;
    size_t n;
    int ret = 0;

    if (spec_list(&item, &n, list, err) < 0)
        return -1;
    for (size_t i = 0; ret == 0 && i < n; i++)
        ret = strings_add(s, item[i], err);
    spec_list_free(item, n);
    return ret;
}

void strings_free(struct strings *s)
{
    for (size_t i = 0; i < s->n; i++)
        free(s->item[i]);
    free(s->item);
    *s = (struct strings){ 0 };
}
