/* Parts read and put together (task.h). */
#include <unistd.h>

#include "cli/request/frame.h"
#include "graph/base/file.h"
#include "render/table/from_json.h"

struct task_part {
    bool there;
    int64_t from, to;
    double cpu;
    int status;
    struct table t;
    char *task, *log;           /* as task_write has it; where its lines begin, within it */
};
struct place {                  /* of a log */
    struct task_part *part;
    int at[WALK_DEEP];
    double weight;
    const char *line;           /* the first of what came up there; the next place ends it */
};

/* ---- a part -------------------------------------------------------------------------------------------- */

enum { BAD_SHOWN = 10 };

static const char *next_line(const char *line)
{
    return line + strcspn(line, "\n") + 1;
}

/* ERR_FORMAT where the part belongs to another request or version, which the error names. */
static int part_open(struct task_part *p, const char *path, const char *words, const struct table *like,
                     struct err *err)
{
    const int64_t from = p->from, to = p->to;
    char *request;

    table_init(&p->t, NULL, like->column, like->ncolumn);
    if (access(path, F_OK) < 0)
        return err_set(err, ERR_IO, "it is not there");
    if (table_from_json(&p->t, &p->task, path, err) < 0)
        return -1;
    p->log = strstr(p->task, "\f\n");
    request = strchr(p->task, '\n');
    if (!p->log || request > p->log ||
        sscanf(p->task, "%ld %ld %lf %d", &p->from, &p->to, &p->cpu, &p->status) != 4)
        return err_set(err, ERR_FORMAT, "it is no part that a task wrote");
    *p->log = '\0';
    p->log += 2;
    if (strcmp(request + 1, words) != 0) {
        for (char *c = request + 1; *c; c++)
            *c = *c == '\n' ? ' ' : *c;
        return err_set(err, ERR_FORMAT, "it is of another request: %.300s", request + 1);
    }
    if (p->from != from || p->to != to)
        return err_set(err, ERR_FORMAT, "it has points %ld..%ld, and should have %ld..%ld", p->from + 1, p->to,
                       from + 1, to);
    return 0;
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

    for (int k = 0; k < WALK_DEEP; k++)
        if (x->at[k] != y->at[k])
            return x->at[k] < y->at[k] ? -1 : 1;
    if (x->weight != y->weight)
        return x->weight > y->weight ? -1 : 1;
    return x->line < y->line ? -1 : x->line > y->line;
}

/* Those where something came up. */
static int places_of(struct place **all, size_t *n, struct task_part *p, struct err *err)
{
    struct place place = { .part = p };

    for (const char *line = p->log; *line; line = next_line(line)) {
        if (*line != '@')
            continue;
        if (sscanf(line, "@%d %d %d %d %d %d", &place.at[0], &place.at[1], &place.at[2], &place.at[3], &place.at[4],
                   &place.at[5]) != WALK_DEEP)
            return err_set(err, ERR_FORMAT, "points %ld..%ld: their part was changed", p->from + 1, p->to);
        place.line = next_line(line);
        place.weight = *place.line == 'w' ? strtod(place.line + 1, NULL) : 0;
        if (!*place.line || *place.line == '@')
            continue;
        if (GROW_BY(*n, 1, "the parts", err, GROWN(*all)) < 0)
            return -1;
        (*all)[(*n)++] = place;
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
        first = memcmp(place[i].at, place[first].at, sizeof place[i].at) == 0 ? first : i;
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
    char path[PATH_MAX], *text;
    const char *line;
    struct output out;
    size_t len;

    snprintf(path, sizeof path, "%.4000s/tasks", folder);
    if (file_read(&text, &len, path, 1 << 30, 1, err) < 0)
        return -1;
    snprintf(path, sizeof path, "%.4000s/again", folder);
    if (output_open(&out, path, err) < 0) {
        free(text);
        return -1;
    }
    line = text;
    for (size_t i = 0; i < n && strchr(line, '\n'); i++, line = next_line(line))
        if (!part[i].there)
            fprintf(out.stream, "%.*s\n", (int)strcspn(line, "\n"), line);
    free(text);
    return output_commit(&out, err);
}

int task_join(struct job *j, struct err *err)
{
    const struct task_request *q = &j->o->task;
    const size_t n = (size_t)((j->walk.all + q->each - 1) / q->each);
    char *words = task_words(q), path[PATH_MAX];
    struct task_part *part;
    size_t there = 0;
    double cpu = 0;
    int ret = !words ? err_memory(err) : TAKE("the parts", err, ZEROS(part, n));

    for (size_t i = 0; ret == 0 && i < n; i++) {
        struct err why;

        snprintf(path, sizeof path, "%.4000s/%05zu.json", q->join, i + 1);
        part[i].from = (int64_t)i * q->each;
        part[i].to = part[i].from + q->each < j->walk.all ? part[i].from + q->each : j->walk.all;
        part[i].there = part_open(&part[i], path, words, j->t, &why) == 0;
        there += part[i].there;
        cpu += part[i].there ? part[i].cpu : 0;
        if (!part[i].there && i - there < BAD_SHOWN && !q->status)
            fprintf(stderr, "metapath: %s: %s\n", path, why.msg);
        if (!part[i].there)
            part_close(&part[i]);
    }
    snprintf(path, sizeof path, "%.4000s/again", q->join);
    if (ret == 0 && q->status) {
        printf("%zu of %zu parts are there; they took %.3g s of CPU time", there, n, cpu);
        if (there && there < n)
            printf(", and at that rate the others will take %.3g s", cpu / (double)there * (double)(n - there));
        puts(".");
    } else if (ret == 0 && there < n) {
        ret = write_again(part, n, q->join, err) < 0 ? -1 : q->partial ? 0 :
            err_set(err, ERR_IO, "%zu of %zu parts are missing or not whole: %.200s has the lines that compute them",
                    n - there, n, path);
        j->status = 1;
    } else {
        unlink(path);
    }
    if (ret == 0 && !q->status)
        ret = replay_all(j, part, n, err) < 0 ? -1 : 1;
    for (size_t i = 0; ret >= -1 && words && part && i < n; i++)
        part_close(&part[i]);
    FREE(words, part);
    return ret;
}
