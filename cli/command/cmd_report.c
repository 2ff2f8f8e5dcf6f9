/* cmd_report.c -- one page about networks, to send: each chapter (chapter.text) is a command of this program; its
 * table and figure are put between the lines of report.html.
 * 1. options     chapters that there are, and where the page goes
 * 2. writing     text, and files that commands have left
 * 3. commands    the words of a chapter's command, run as if they were typed
 * 4. the page    chapters one after the other */
#include <unistd.h>

#include "cli/command/cmd.h"
#include "graph/base/file.h"
#include "render/table/cells.h"
#include "texts/chapter.h"
#include "texts/cmd.h"

#define MOST_PROCESSES 64               /* of collectives, which then take seconds, not minutes */
#define PROCESSES "64"
#define MOST_BYTES ((size_t)1 << 28)    /* of a figure */

struct request {
    struct options common;
    unsigned wanted;                    /* chapters, a bit each; 0: all */
    const char *title, *routing, *traffic;
};
struct chapter {
    ENTRY;
    const char *command, *figure, *compared;    /* figure, compared NULL: none */
};
#define CHAPTER(...) { __VA_ARGS__ },
static const struct chapter chapter[] = { CHAPTER_TEXTS(CHAPTER) };
enum { CHAPTERS = sizeof chapter / sizeof *chapter };

static const char *const page[] = {
#include "texts/report.h"
};

/* A page under way. */
struct report {
    struct job *job;
    FILE *out;
    int *terminals;                             /* of each network */
    char folder[300], table[320], figure[320];  /* where commands leave what they make */
};

/* ---- options ------------------------------------------------------------------------------------------- */

static int take_chapters(void *about, const char *arg, struct err *err)
{
    struct request *q = about;
    const char *known[CHAPTERS];
    char all[200];

    for (size_t i = 0; i < CHAPTERS; i++)
        known[i] = chapter[i].name;
    for (size_t n; *arg; arg += n + (arg[n] == ',')) {
        size_t i = 0;

        n = strcspn(arg, ",");
        while (i < CHAPTERS && (strncmp(known[i], arg, n) != 0 || known[i][n]))
            i++;
        if (i == CHAPTERS)
            return err_set(err, ERR_USAGE, "there is no chapter '%.*s'; there are %s", (int)n, arg,
                           text_list(all, sizeof all, known, CHAPTERS, ", "));
        q->wanted |= 1u << i;
    }
    return 0;
}

static int take_output(void *about, const char *path, struct err *err)
{
    const char *dot = strrchr(path, '.');

    ((struct request *)about)->common.output = path;
    return strcmp(path, "-") == 0 || (dot && (strcmp(dot, ".html") == 0 || strcmp(dot, ".htm") == 0)) ? 0 :
        err_set(err, ERR_USAGE, "-o is '%.200s'; a report is a page, FILE.html", path);
}

static const struct option_field report_options[] = {
    { .help = "Report:", .group = 1 },
    { CMD_REPORT_OUTPUT, 1, .take = take_output, .writes = true },
    { CMD_REPORT_CHAPTERS, 1, .take = take_chapters },
    { CMD_REPORT_TITLE, 1, INTO(title) },
    { CMD_REPORT_ROUTING, 1, INTO(routing) },
    { CMD_REPORT_TRAFFIC, 1, INTO(traffic) }, { 0 }
};

static int report_check(struct job *j, struct err *err)
{
    if (!j->o->output && isatty(STDOUT_FILENO))
        return err_set(err, ERR_USAGE, "report needs -o FILE.html, or standard output to be a file");
    return 0;
}

/* ---- writing ------------------------------------------------------------------------------------------- */

static void put(const struct report *r, const char *open, const char *text, const char *close)
{
    fputs(open, r->out);
    cells_letters(r->out, text, html_letter);
    fputs(close, r->out);
}

/* What a command left, from `from` on (NULL: its beginning), and the file is gone; false: it left nothing. */
static bool put_file(const struct report *r, const char *path, const char *from, const char *open, const char *close,
                     struct err *err)
{
    char *bytes;
    size_t n;

    if (access(path, R_OK) < 0 || file_read(&bytes, &n, path, MOST_BYTES, 0, err) < 0)
        return false;
    unlink(path);
    fprintf(r->out, "%s%s%s", open, from && strstr(bytes, from) ? strstr(bytes, from) : bytes, close);
    free(bytes);
    return true;
}

static void put_paragraphs(const struct report *r, const char *text)
{
    for (const char *end; text; text = *end ? end + 2 : NULL) {
        end = strstr(text, "\n\n");
        end = end ? end : text + strlen(text);
        fputs("<p>", r->out);
        for (const char *c = text; c < end; c++)
            html_letter(r->out, *c, c[1]);
        fputs("</p>\n", r->out);
    }
}

/* ---- commands ------------------------------------------------------------------------------------------ */

static int add_option(struct strings *words, const char *name, const char *value, struct err *err)
{
    char *text = NULL;
    int ret = 0;

    if (value && asprintf(&text, "--%s=%s", name, value) < 0)
        return err_memory(err);
    if (text)
        ret = strings_add(words, text, err);
    free(text);
    return ret;
}

/* The command as it is typed, about the `at`-th network, or about all. */
static int report_words(struct strings *words, const struct report *r, const char *command, size_t at,
                        struct err *err)
{
    const struct request *q = r->job->request;
    const struct strings *all = &q->common.spec;
    const bool many = r->terminals[at] > MOST_PROCESSES;
    int ret = 0;

    for (size_t n; ret == 0 && *command; command += n + (command[n] == ' ')) {
        char word[80];

        n = strcspn(command, " ");
        snprintf(word, sizeof word, "%.*s", (int)n, command);
        if (strcmp(word, "SPEC") == 0)
            ret = strings_add(words, all->item[at], err);
        else if (strcmp(word, "ROUTING") == 0)
            ret = add_option(words, "routing", q->routing, err);
        else if (strcmp(word, "TRAFFIC") == 0)
            ret = add_option(words, "traffic", q->traffic, err);
        else if (strcmp(word, "PROCESSES") == 0)
            ret = add_option(words, "processes", many ? PROCESSES : NULL, err);
        else if (strcmp(word, "SPEC...") != 0)
            ret = strings_add(words, word, err);
        for (size_t i = 0; ret == 0 && strcmp(word, "SPEC...") == 0 && i < all->n; i++)
            ret = strings_add(words, all->item[i], err);
    }
    return ret;
}

/* Runs the words, with options behind them that nobody is shown. */
static int report_call(const struct report *r, struct strings *words, const char *size, struct err *err)
{
    const struct options *o = r->job->o;
    const struct cmd *cmd = cmd_find(words->item[0], err);
    char name[80], seed[40], jobs[40];
    const char *hidden[] = { "-q", "-f", "html", "-o", r->table, seed, jobs, size ? "--plot" : NULL, r->figure,
                             "--size", size };
    char **argv;
    int ret = -1;

    if (!cmd)
        return -1;
    snprintf(name, sizeof name, "metapath %.60s", words->item[0]);
    snprintf(seed, sizeof seed, "--seed=%llu", (unsigned long long)o->seed);
    snprintf(jobs, sizeof jobs, o->jobs > 0 ? "--jobs=%d" : "-q", o->jobs);
    for (size_t i = 0; i < sizeof hidden / sizeof *hidden && hidden[i]; i++)
        if (strings_add(words, hidden[i], err) < 0)
            return -1;
    argv = calloc(words->n + 1, sizeof *argv);
    if (!argv)
        return err_memory(err);
    memcpy(argv, words->item, words->n * sizeof *argv);
    argv[0] = name;
    ret = cmd_run(cmd, (int)words->n, argv, err);
    free(argv);
    return ret;
}

/* One command with its figure, its table, and what kept it from either. What is wrong with the request ends the
 * report; what a network refuses is said where it would stand. */
static int report_command(const struct report *r, const struct chapter *c, size_t at, struct err *err)
{
    const char *size = c->compared && r->job->o->spec.n > 1 ? c->compared : c->figure;
    struct err why = { ERR_NONE, "" }, *said = &why;
    struct strings words = { 0 };
    size_t shown;
    int ret = report_words(&words, r, c->command, at, err);

    shown = words.n;
    if (ret == 0 && report_call(r, &words, size, said) < 0 &&
        (why.code == ERR_STOPPED || why.code == ERR_MEMORY || why.code == ERR_USAGE || why.code == ERR_INTERNAL)) {
        *err = why;
        ret = -1;
    }
    if (ret == 0) {
        put_file(r, r->figure, "<svg", "<figure>\n", "</figure>\n", said);
        put_file(r, r->table, NULL, "<div class=\"scroll\">\n", "</div>\n", said);
        if (why.code != ERR_NONE)
            put(r, "<p class=\"refused\">", why.msg, "</p>\n");
        put(r, "<p><code>metapath", "", "");
        for (size_t i = 0; i < shown; i++)
            put(r, " ", words.item[i], "");
        put(r, "</code></p>\n", "", "");
    }
    strings_free(&words);
    return ret;
}

/* ---- the page ------------------------------------------------------------------------------------------ */

static int report_chapter(const struct report *r, const struct chapter *c, struct err *err)
{
    const struct strings *spec = &r->job->o->spec;
    const bool each = c->command && !strstr(c->command, "SPEC...");
    int ret = 0;

    fprintf(r->out, "<section id=\"%s\">\n<h2>%s</h2>\n", c->name, c->summary);
    put_paragraphs(r, c->notes);
    for (size_t i = 0; ret == 0 && c->command && i < (each ? spec->n : 1); i++) {
        if (each && spec->n > 1)
            put(r, "<h3>", spec->item[i], "</h3>\n");
        ret = report_command(r, c, i, err);
    }
    fputs("</section>\n", r->out);
    return ret;
}

static int report_body(const struct report *r, const char *title, struct err *err)
{
    const struct request *q = r->job->request;
    const unsigned wanted = q->wanted ? q->wanted : ~0u;
    int ret = 0;

    put(r, "<header>\n<h1>", title, "</h1>\n<nav><ol>\n");
    for (size_t i = 0; i < CHAPTERS; i++)
        if (wanted >> i & 1)
            fprintf(r->out, "<li><a href=\"#%s\">%s</a></li>\n", chapter[i].name, chapter[i].summary);
    fputs("</ol></nav>\n</header>\n<main>\n", r->out);
    for (size_t i = 0; ret == 0 && i < CHAPTERS; i++) {
        if (tick(&r->job->tick, (double)i / CHAPTERS))
            ret = err_stopped(err);
        else if (wanted >> i & 1)
            ret = report_chapter(r, &chapter[i], err);
    }
    fputs("</main>\n<footer><p>Computed by metapath " VERSION "; the line under each table computes it anew.</p>"
          "</footer>\n", r->out);
    return ret;
}

static int report_page(struct report *r, const char *title, struct err *err)
{
    int ret = 0;

    for (size_t i = 0; ret == 0 && i < sizeof page / sizeof *page; i++) {
        const char *at = strstr(page[i], "@title");

        if (strcmp(page[i], "@body") == 0) {
            ret = report_body(r, title, err);
        } else if (at) {
            fprintf(r->out, "%.*s", (int)(at - page[i]), page[i]);
            put(r, "", title, at + strlen("@title"));
        } else {
            fprintf(r->out, "%s\n", page[i]);
        }
    }
    return ret;
}

/* Each network is opened once before anything else: a spec that is none ends the report. */
static int report_networks(struct report *r, struct err *err)
{
    struct job *j = r->job;

    for (size_t i = 0; i < j->o->spec.n; i++) {
        struct net *net;

        if (job_open(&net, j, i, err) < 0)
            return -1;
        r->terminals[i] = net->nterminal;
        net_close(net);
    }
    return 0;
}

static int report_compute(struct job *j, struct err *err)
{
    const struct request *q = j->request;
    const char *where = getenv("TMPDIR");
    struct report r = { .job = j };
    struct output out;
    char title[200];
    int ret = -1;

    text_list(title, sizeof title, (const char *const *)j->o->spec.item, j->o->spec.n, ", ");
    if (TAKE("the networks", err, ZEROS(r.terminals, j->o->spec.n)) < 0 || report_networks(&r, err) < 0)
        goto done;
    where = where && *where ? where : "/tmp";
    snprintf(r.folder, sizeof r.folder, "%.200s/metapath-report-XXXXXX", where);
    if (!mkdtemp(r.folder)) {
        err_set(err, ERR_IO, "figures wait for their page in a folder of %.200s, where none can be made", where);
        goto done;
    }
    snprintf(r.table, sizeof r.table, "%s/t.html", r.folder);
    snprintf(r.figure, sizeof r.figure, "%s/f.svg", r.folder);
    ret = output_open(&out, j->o->output, err);
    if (ret == 0) {
        r.out = out.stream;
        ret = report_page(&r, q->title ? q->title : title, err);
        if (ret == 0)
            ret = output_commit(&out, err);
        else
            output_abort(&out);
    }
    unlink(r.table);
    unlink(r.figure);
    rmdir(r.folder);
done:
    free(r.terminals);
    return ret;
}

static const struct frame report_frame = {
    CMD_REPORT_FRAME, .option = report_options, FRAME_REQUEST(struct request, .common = { 0 }),
    .check = report_check, .compute = report_compute
};

const struct cmd cmd_report = { CMD_REPORT_ENTRY, .frame = &report_frame };
