/* Tasks, and the parts that they leave (task.h).
 *   options  of tasks, and of the part that one leaves
 *   walk     which points are wanted; what came up where, as lines of a log
 *   part     a table with that log
 *   tasks    a folder of them */
#include "cli/request/task.h"

#include <dirent.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cli/request/frame.h"
#include "graph/base/file.h"
#include "texts/option.h"

/* ---- options ------------------------------------------------------------------------------------------- */

static void swap_outputs(struct options *o)
{
    const struct table_format *format = o->format;
    const char *output = o->output;

    o->format = o->task.format;
    o->output = o->task.output;
    o->task.format = format;
    o->task.output = output;
}

/* "17" or "17..20". What comes behind it is about the part. */
static int take_task(void *about, const char *arg, struct err *err)
{
    struct options *o = about;
    struct task_request *t = &o->task;
    const char *to = strstr(arg, "..");

    if (num_int_part(&t->from, arg, to ? (size_t)(to - arg) : strlen(arg), 1, INT32_MAX, "--task", err) < 0 ||
        (to && num_int(&t->to, to + 2, t->from, INT32_MAX, "--task", err) < 0))
        return -1;
    t->to = to ? t->to : t->from;
    swap_outputs(o);
    return 0;
}

void task_settle(struct options *o)
{
    if (o->task.from)
        swap_outputs(o);
}

#define ABOUT(member) INTO_OF(struct options, task.member)
const struct option_field task_options[] = {
    { .help = "Cluster:", .group = TASK_GROUP },
    { OPTION_TASK_TASKS, TASK_GROUP, ABOUT(folder) },
    { OPTION_TASK_PER_TASK, TASK_GROUP, ABOUT(each), .least = 1, .most = INT32_MAX },
    { OPTION_TASK_TASK_TIME, TASK_GROUP, ABOUT(time) },
    { OPTION_TASK_HERE, TASK_GROUP, ABOUT(here) },
    { OPTION_TASK_OVERWRITE, TASK_GROUP, ABOUT(overwrite) },
    { OPTION_TASK_TASK, TASK_GROUP, .take = take_task },
    { "join", .values = "DIR", .group = TASK_GROUP, .hidden = true, ABOUT(join) },
    { "partial", .group = TASK_GROUP, .hidden = true, ABOUT(partial) },
    { "status", .group = TASK_GROUP, .hidden = true, ABOUT(status) }, { 0 }
};

/* ---- the walk ------------------------------------------------------------------------------------------ */

bool job_wants(struct job *j, int loop, size_t i)
{
    struct walk *w = &j->walk;
    int64_t first = 0, each = 1;

    w->at[loop] = i < w->turns[loop] ? i : w->turns[loop] - 1;
    for (int k = 0; k < WALK_LOOPS; k++) {
        first = first * (int64_t)w->turns[k] + (k <= loop ? (int64_t)w->at[k] : 0);
        each *= k > loop ? (int64_t)w->turns[k] : 1;
    }
    return first < w->to && first + each > w->from;
}

bool job_turn(struct job *j, int loop, size_t i)
{
    const bool wanted = job_wants(j, loop, i);

    if (wanted)
        job_at(j, loop, 1 + i);
    return wanted;
}

/* What came up at the place at hand. JSON has no infinite numbers. */
static void walk_keep(struct job *j)
{
    struct walk *w = &j->walk;
    const struct table *t = j->t;

    for (size_t i = w->row * t->ncolumn; i < t->ncell; i++)
        if (t->cell[i].type == CELL_REAL && isinf(t->cell[i].u.real))
            fprintf(w->log, "i%zu %g\n", i, t->cell[i].u.real);
    if (table_rows(t) > w->row)
        fprintf(w->log, "r%zu %zu\n", w->row, table_rows(t));
    if (t->nnote > w->note)
        fprintf(w->log, "n%zu %zu\n", w->note, t->nnote);
    for (; w->request < t->nrequest; w->request++)
        fprintf(w->log, "q%s\t%s\n", t->request[2 * w->request], t->request[2 * w->request + 1]);
    w->row = table_rows(t);
    w->note = t->nnote;
}

void job_at(struct job *j, int depth, size_t i)
{
    struct walk *w = &j->walk;

    if (!w->log)
        return;
    walk_keep(j);
    w->place[depth] = (int)i;
    memset(&w->place[depth + 1], 0, (size_t)(WALK_DEEP - depth - 1) * sizeof *w->place);
    fputc('@', w->log);
    for (int k = 0; k < WALK_DEEP; k++)
        fprintf(w->log, "%08x", w->place[k]);
    fputc('\n', w->log);
}

void job_weighs(struct job *j, double weight)
{
    if (j->walk.log)
        fprintf(j->walk.log, "w%.17g\n", weight);
}

int job_fact(struct job *j, struct err *err, const char *fmt, ...)
{
    char *text;
    va_list args;
    int ret;

    va_start(args, fmt);
    ret = vasprintf(&text, fmt, args);
    va_end(args);
    if (ret < 0)
        return err_memory(err);
    if (j->walk.log) {
        walk_keep(j);                   /* it is about what is there */
        fprintf(j->walk.log, "f%s\n", text);
    }
    ret = j->frame->fact(j, text, err);
    free(text);
    return ret;
}

int task_begin(struct job *j, struct err *err)
{
    const struct task_request *q = &j->o->task;
    struct walk *w = &j->walk;

    if (j->frame->network && j->o->spec.n)
        w->turns[0] = j->o->spec.n;
    w->all = 1;
    for (int k = 0; k < WALK_LOOPS; k++) {
        w->turns[k] = w->turns[k] ? w->turns[k] : 1;
        w->all *= (int64_t)w->turns[k];
    }
    w->to = w->all;
    if (!q->from)
        return 0;
    if (q->to > w->all)
        return err_set(err, ERR_USAGE, "--task %lld: this command line has %lld points", (long long)q->to,
                       (long long)w->all);
    w->from = q->from - 1;
    w->to = q->to;
    w->log = open_memstream(&w->text, &w->size);
    return w->log ? 0 : err_memory(err);
}

void task_release(struct job *j)
{
    if (j->walk.log)
        fclose(j->walk.log);
    free(j->walk.text);
}

/* ---- the part ------------------------------------------------------------------------------------------ */

int task_write(struct job *j, struct err *err)
{
    struct task_request *q = &j->o->task;
    struct walk *w = &j->walk;
    char *text = NULL;
    struct output out;
    int ret = -1;

    walk_keep(j);
    if (fflush(w->log) != 0 ||
        asprintf(&text, TASK_POINTS "\n%.6g %d\n%s\f\n%s", (long long)w->from + 1, (long long)w->to,
                 (double)clock() / CLOCKS_PER_SEC, j->status, q->words, w->text) < 0)
        return err_memory(err);
    j->t->task = text;
    options_request(j->o, j->t);
    if (output_open(&out, q->output, err) == 0) {
        ret = table_write(j->t, q->format ? q->format : table_format_find("json", NULL), out.stream, NULL, err);
        if (ret == 0)
            ret = output_commit(&out, err);
        else
            output_abort(&out);
    }
    free(text);
    return ret;
}

/* ---- tasks -------------------------------------------------------------------------------------------- */

#define PLAIN_LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_/.,:=+@%^-"

/* For sh, as one word. */
static void put_word(FILE *f, const char *word, size_t len)
{
    const bool plain = len && strspn(word, PLAIN_LETTERS) >= len;

    fputs(plain ? "" : "'", f);
    for (size_t i = 0; i < len; i++)
        if (word[i] == '\'')
            fputs("'\\''", f);
        else
            fputc(word[i], f);
    fputs(plain ? " " : "' ", f);
}

/* A new or empty folder, and its whole name. */
static int task_folder(char path[PATH_MAX], const struct task_request *q, struct err *err)
{
    DIR *d;
    int n = 0;

    if ((mkdir(q->folder, 0777) < 0 && access(q->folder, W_OK) < 0) || !realpath(q->folder, path) ||
        !(d = opendir(path)))
        return err_set(err, ERR_IO, "--tasks %.200s is no folder, and cannot be made one", q->folder);
    while (readdir(d))
        n++;
    closedir(d);
    return n > 2 && !q->overwrite ? err_set(err, ERR_USAGE, "--tasks %.200s is not empty: name another folder, or add "
                                            "--overwrite", q->folder) : 0;
}

int task_file(const char *folder, const char *name, char *text, struct err *err)
{
    char path[PATH_MAX];
    struct output out;
    int ret;

    snprintf(path, sizeof path, "%.4000s/%s", folder, name);
    ret = !text ? err_memory(err) : output_open(&out, path, err);
    if (ret == 0) {
        fputs(text, out.stream);
        ret = output_commit(&out, err);
    }
    free(text);
    return ret;
}

/* DIR/request: the version, the command, and a line a word, with the points in a task; DIR/tasks. */
static int write_tasks(const struct job *j, const char *folder, int64_t each, struct err *err)
{
    const char *words = j->o->task.words;
    char *text = NULL, path[PATH_MAX];
    size_t size;
    FILE *f;

    if (asprintf(&text, VERSION "\n%s--per-task=%lld\n", words, (long long)each) < 0)
        return err_memory(err);
    if (task_file(folder, "request", text, err) < 0 || !(f = open_memstream(&text, &size)))
        return -1;
    for (int64_t from = 0; from < j->walk.all; from += each) {
        const int64_t to = from + each < j->walk.all ? from + each : j->walk.all;

        if (j->o->task.here && getcwd(path, sizeof path)) {
            fputs("cd ", f);
            put_word(f, path, strlen(path));
            fputs("&& ", f);
        }
        fprintf(f, "%s ", j->o->command);
        for (const char *word = strchr(words, '\n') + 1; *word; word += strcspn(word, "\n") + 1)
            put_word(f, word, strcspn(word, "\n"));
        fprintf(f, "--task " TASK_POINTS "%s -f json -o ", (long long)from + 1, (long long)to, j->o->jobs ? "" : " -j 1");
        snprintf(path, sizeof path, TASK_PART, folder, (long long)(from / each) + 1);
        put_word(f, path, strlen(path));
        fputc('\n', f);
    }
    return fclose(f) == 0 ? task_file(folder, "tasks", text, err) : err_memory(err);
}

/* CPU seconds of all points, and of the longest, where the command has a forecast; else NAN. */
static int task_forecast(double *all, double *longest, struct job *j, struct err *err)
{
    const size_t n = j->o->spec.n;

    *all = *longest = j->frame->forecast ? 0 : (double)NAN;
    for (size_t i = 0; j->frame->forecast && i < n; i++) {
        double point;

        if (net_open(&j->net, j->o->spec.item[i], err) < 0 && !err_is_request(err))
            return -1;
        if (!j->net)
            continue;
        point = j->frame->forecast(j);
        *all += point * (double)j->walk.all / (double)n;
        *longest = fmax(*longest, point);
        net_close(j->net);
        j->net = NULL;
    }
    return 0;
}

int task_cut(struct job *j, struct err *err)
{
    const struct options *o = j->o;
    const struct task_request *q = &o->task;
    char folder[PATH_MAX], forecast[60] = "", text[40];
    int64_t each = q->each, n;
    double time = 600, all, longest;
    bool unit;

    if (q->lines)
        return err_set(err, ERR_USAGE, "--tasks: tasks are lines, and a word of the command line has several");
    if (q->writes || (o->own && o->output && strstr(o->output, o->own)))
        return err_set(err, ERR_USAGE, "--tasks are of a table: leave out the file that is written beside it");
    if (j->frame->table[j->which].streamed)
        return err_set(err, ERR_USAGE, "--tasks: rows of --show %s are written as they come, and no points of a sweep: "
                       "leave one of the two out", o->show ? o->show : "this table");
    if ((q->time && quantity_parse(&time, &unit, q->time, QUANTITY_TIME, "--task-time", err) < 0) ||
        task_forecast(&all, &longest, j, err) < 0)
        return -1;
    if (!each)
        each = longest > 0 && !isnan(all) ? (int64_t)fmin(fmax(1, time / longest), (double)j->walk.all) : 1;
    n = (j->walk.all + each - 1) / each;
    if (n > 99999)
        return err_set(err, ERR_USAGE, "--tasks: there would be %lld: add --per-task %lld", (long long)n,
                       (long long)(each * (n / 10000 + 1)));
    if (task_folder(folder, q, err) < 0 || write_tasks(j, folder, each, err) < 0)
        return -1;
    if (!isnan(all))
        snprintf(forecast, sizeof forecast, ", at most %s of CPU time", quantity_text(text, all, QUANTITY_TIME));
    return printf(OPTION_TASK_SAID, (long long)n, n == 1 ? "" : "s", (long long)each, each == 1 ? "" : "s", forecast,
                  q->folder, (long long)n, q->folder, q->folder, q->folder, q->folder, q->folder) < 0;
}
