/* Parts read and put together (task.h). */
#include <unistd.h>

#include "cli/request/frame.h"
#include "graph/base/file.h"
#include "render/table/from_json.h"

struct task_part {
    bool there;
    double cpu;
    int status;
    struct table t;
    char *task, *log;           /* as task_write has it; where its lines begin, within it */
};
struct place {                  /* of a log */
    struct task_part *part;
    const char *at, *line;      /* as job_at has it, and the first of what came up there; the next place ends it */
    double weight;
};
#define AT (1 + 8 * WALK_DEEP)  /* letters of a place */

/* ---- a part -------------------------------------------------------------------------------------------- */

enum { BAD_SHOWN = 10 };

static const char *next_line(const char *line)
{
    return line + strcspn(line, "\n") + 1;
}

/* ERR_FORMAT where the part belongs to another request or version, or has other points, which the error names. */
static int part_open(struct task_part *p, const char *path, const char *points, const char *words,
                     const struct table *like, struct err *err)
{
    char *request, has[80];
    int at = 0;

    table_init(&p->t, NULL, like->column, like->ncolumn);
    if (access(path, F_OK) < 0)
        return err_set(err, ERR_IO, "it is not there");
    if (table_from_json(&p->t, &p->task, path, err) < 0)
        return -1;
    sscanf(p->task, "%79[0-9.] %lf %d\n%n", has, &p->cpu, &p->status, &at);
    request = p->task + at;
    p->log = at ? strstr(request, "\f\n") : NULL;
    if (!p->log)
        return err_set(err, ERR_FORMAT, "it is no part that a task wrote");
    *p->log = '\0';
    p->log += 2;
    if (strcmp(request, words) != 0) {
        for (char *c = request; *c; c++)
            *c = *c == '\n' ? ' ' : *c;
        return err_set(err, ERR_FORMAT, "it is of another request: %.300s", request);
    }
    return strcmp(has, points) == 0 ? 0 : err_set(err, ERR_FORMAT, "it has points %s, and should have %s", has, points);
}

static void part_close(struct task_part *p)
{
    table_release(&p->t);
    free(p->task);
    p->task = p->log = NULL;
}

/* ---- places -------------------------------------------------------------------------------------------- */

static int by_place(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    const int order = strncmp(x->at, y->at, AT);

    return order ? order : x->weight != y->weight ? (x->weight > y->weight ? -1 : 1) :
        x->part != y->part ? (x->part < y->part ? -1 : 1) : (x->line > y->line) - (x->line < y->line);
}

/* Those where something came up. */
static int places_of(struct place **all, size_t *n, struct task_part *p, struct err *err)
{
    for (const char *at = p->log, *line; *at; at = line) {
        line = next_line(at);
        if (*at != '@' || !*line || *line == '@')
            continue;
        if (GROW_BY(*n, 1, "the parts", err, GROWN(*all)) < 0)
            return -1;
        (*all)[(*n)++] = (struct place){ p, at, line, *line == 'w' ? strtod(line + 1, NULL) : 0 };
    }
    return 0;
}

/* The ranges are within the part, whatever its log says. */
static int replay_line(struct job *j, struct table *t, char *line, struct err *err)
{
    char *word = line + strcspn(line, "\t "), *rest = word + (*word != '\0');
    const size_t from = strtoul(line + 1, NULL, 10), to = strtoul(rest, NULL, 10);
    int at;

    switch (*line) {
    case 'r':
        for (size_t i = from * t->ncolumn; to <= table_rows(t) && i < to * t->ncolumn; i++)
            table_cell(j->t, &t->cell[i]);
        break;
    case 'n':
        for (size_t i = from; i < to && i < t->nnote; i++)
            table_note(j->t, "%s", t->note[i]);
        break;
    case 'i':
        if (from < t->ncell && t->cell[from].type == CELL_NONE)
            t->cell[from] = cell_real(NULL, strtod(rest, NULL)).cell;
        break;
    case 'q':
        *word = '\0';
        table_request(j->t, line + 1, rest);
        break;
    case 'c':
        *word = '\0';
        at = table_find(j->t, line + 1);
        if (at >= 0)
            j->column[at].decimals = atoi(rest);
        break;
    case 'x':
        if (j->nrefused++ == 0)
            err_set(&j->first_refused, (enum err_code)from, "%s", rest);
        break;
    case 'u': j->nunnamed++; break;
    case 'f': return j->frame->fact ? j->frame->fact(j, line + 1, err) : 0;
    }
    return 0;
}

static int replay(struct job *j, const struct place *p, struct err *err)
{
    int ret = 0;

    for (const char *at = p->line; ret == 0 && *at && *at != '@'; at = next_line(at)) {
        char *line = strndup(at, strcspn(at, "\n"));

        ret = line ? replay_line(j, &p->part->t, line, err) : err_memory(err);
        free(line);
    }
    return ret;
}

/* What several parts have at one place is one of them's. */
static int replay_all(struct job *j, struct task_part *part, size_t n, struct err *err)
{
    struct place *place = NULL;
    size_t nplace = 0, first = 0;
    int ret = 0;

    for (size_t i = 0; ret == 0 && i < n; i++)
        if (part[i].there) {
            ret = places_of(&place, &nplace, &part[i], err);
            j->status = part[i].status > j->status ? part[i].status : j->status;
        }
    if (nplace)
        qsort(place, nplace, sizeof *place, by_place);
    for (size_t i = 0; ret == 0 && i < nplace; i++) {
        first = strncmp(place[i].at, place[first].at, AT) == 0 ? first : i;
        if (place[i].part == place[first].part)
            ret = replay(j, &place[i], err);
    }
    free(place);
    return ret;
}

/* ---- the whole ----------------------------------------------------------------------------------------- */

/* The lines of tasks without their parts. */
static int write_again(const struct task_part *part, size_t n, const char *folder, struct err *err)
{
    char path[PATH_MAX], *text, *to;
    size_t len;

    snprintf(path, sizeof path, "%.4000s/tasks", folder);
    if (file_read(&text, &len, path, 1 << 30, 1, err) < 0)
        return -1;
    to = text;
    for (char *line = text; n-- > 0 && strchr(line, '\n'); part++) {
        const size_t size = (size_t)(next_line(line) - line);

        if (!part->there) {
            memmove(to, line, size);
            to += size;
        }
        line += size;
    }
    *to = '\0';
    return task_file(folder, "again", text, err);
}

/* Those that are there and right; the first others are named. */
static int parts_open(struct task_part *part, size_t n, const struct job *j)
{
    const struct task_request *q = &j->o->task;
    char path[PATH_MAX], points[80];
    int bad = 0;

    for (size_t i = 0; i < n; i++) {
        const long long from = (long long)i * q->each, all = j->walk.all;
        struct err why;

        snprintf(path, sizeof path, TASK_PART, q->join, (long long)i + 1);
        snprintf(points, sizeof points, TASK_POINTS, from + 1, from + q->each < all ? from + q->each : all);
        part[i].there = part_open(&part[i], path, points, q->words, j->t, &why) == 0;
        if (part[i].there)
            continue;
        if (bad++ < BAD_SHOWN && !q->status)
            fprintf(stderr, "metapath: %s: %s\n", path, why.msg);
        part_close(&part[i]);
    }
    return bad;
}

int task_join(struct job *j, struct err *err)
{
    const struct task_request *q = &j->o->task;
    const size_t n = (size_t)((j->walk.all + q->each - 1) / q->each);
    struct task_part *part;
    char path[PATH_MAX];
    double cpu = 0;
    int ret = 0, bad, there;

    if (TAKE("the parts", err, ZEROS(part, n)) < 0)
        return -1;
    bad = parts_open(part, n, j);
    there = (int)n - bad;
    for (size_t i = 0; i < n; i++)
        cpu += part[i].there ? part[i].cpu : 0;
    snprintf(path, sizeof path, "%.4000s/again", q->join);
    if (q->status) {
        printf("%d of %zu parts are there; they took %.3g s of CPU time", there, n, cpu);
        if (there && bad)
            printf(", and at that rate the others will take %.3g s", cpu / there * bad);
        puts(".");
    } else if (bad) {
        ret = write_again(part, n, q->join, err) < 0 ? -1 : q->partial ? 0 :
            err_set(err, ERR_IO, "%d of %zu parts are missing or not whole: %.200s has the lines that compute them", bad,
                    n, path);
        j->status = 1;
    } else {
        unlink(path);
    }
    if (ret == 0 && !q->status)
        ret = replay_all(j, part, n, err) < 0 ? -1 : 1;
    for (size_t i = 0; i < n; i++)
        part_close(&part[i]);
    free(part);
    return ret;
}
