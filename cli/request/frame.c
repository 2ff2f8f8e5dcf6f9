/* The frame that runs a command (frame.h).
 *   rows that were refused        a row that says why, and one sentence at the end
 *   rows written as they come     a table that keeps no rows
 *   the work                      networks opened one after the other, each given to the command
 *   the frame                     options read, columns begun, units settled; the figure drawn, the table written */
#include "cli/request/frame.h"

#include <malloc.h>
#include <omp.h>
#include <sys/resource.h>

#include "cli/request/look.h"
#include "cli/request/notes.h"
#include "cli/request/winners.h"
#include "graph/base/file.h"

#define STACK 9e6                       /* bytes of a thread's stack */

/* ---- rows that were refused ---------------------------------------------------------------------------- */

bool job_passes(struct job *j, bool sweep, struct err *err)
{
    if (!sweep || err->code == ERR_USAGE || err->code == ERR_STOPPED || err->code == ERR_INTERNAL)
        return false;
    if (j->nrefused++ == 0)
        j->first_refused = *err;
    if (j->walk.log)
        fprintf(j->walk.log, "x%d %s\n", (int)err->code, err->msg);
    return true;
}

void job_refused_row(struct job *j, const struct named_cell *known)
{
    static const char *const verdict[] = { "validity", "quality", "state" };
    struct named_cell *row = calloc(j->t->ncolumn + 1, sizeof *row);
    size_t n = 0;

    if (!row) {
        err_memory(&j->t->why);
        return;
    }
    for (; known->column && n < j->t->ncolumn; known++)
        if (table_find(j->t, known->column) >= 0)
            row[n++] = *known;
        else if (known->cell.type == CELL_TAKEN)
            free(known->cell.u.text);
    for (size_t i = 0; i < 3 && n < j->t->ncolumn; i++)
        if (table_find(j->t, verdict[i]) >= 0)
            row[n++] = cell_text(verdict[i], "refused");
    table_add_some(j->t, row);
    free(row);
}

int job_refuse(struct job *j, bool sweep, const struct named_cell *known, struct err *err, const char *note, ...)
{
    char *text = NULL;
    va_list args;
    int len;

    if (!job_passes(j, sweep, err))
        return -1;
    job_refused_row(j, known);
    va_start(args, note);
    len = vasprintf(&text, note, args);
    va_end(args);
    if (len < 0)
        return err_memory(err);
    table_note(j->t, "%s", text);
    free(text);
    return 0;
}

int job_refuse_network(struct job *j, const char *spec, struct err *err)
{
    if (!job_passes(j, j->sweep, err))
        return -1;
    job_refused_row(j, ROW(cell_text("topology", spec)));
    notes_refused(j->t, spec, err->msg);
    return 0;
}

/* ---- rows written as they come ------------------------------------------------------------------------- */

/* The table begins with its first row: what is refused before leaves nothing behind. */
struct job_stream {
    struct table_writer writer;
    struct table_view view;
    struct output out;
    bool begun;
};

static int stream_begin(struct job *j, struct err *err)
{
    struct job_stream *s = j->stream;

    if (s->begun)
        return 0;
    s->begun = true;
    s->view = options_view(j->o);
    return table_begin(&s->writer, j->o->format, s->out.stream, j->t, &s->view, err);
}

int job_row(struct job *j, const struct named_cell *row, struct err *err)
{
    if (j->stream && stream_begin(j, err) == 0)
        return table_pass(&j->stream->writer, j->t, row, err);
    table_add(j->t, row);               /* also where nothing can be written: the table frees its cells */
    return j->stream ? -1 : 0;
}

static int stream_end(struct job *j, int ret, struct err *err)
{
    struct job_stream *s = j->stream;
    struct err ignored;

    if (ret == 0)
        ret = stream_begin(j, err);
    if (j->assumed)
        table_note(j->t, "%s", j->assumed);
    if (s->begun && table_end(&s->writer, ret == 0 ? err : &ignored) < 0)
        ret = -1;
    if (ret == 0)
        return output_commit(&s->out, err);
    output_abort(&s->out);
    return -1;
}

/* ---- the work ------------------------------------------------------------------------------------------ */

static int refuse_network(const struct frame *f, struct job *j, const char *spec, struct err *err)
{
    return f->unopened ? f->unopened(j, spec, err) : job_refuse_network(j, spec, err);
}

/* Why the network cannot be opened, if it is of a range of sizes. */
static int job_lacks(struct job *j, const char *spec, struct err *err)
{
    for (size_t k = 0; k < j->o->swept.n && err_is_request(err); k++)
        if (strcmp(j->o->swept.item[k], spec) == 0) {
            err->code = ERR_NETWORK;
            j->nunnamed++;
            if (j->walk.log)
                fputs("u\n", j->walk.log);
        }
    return -1;
}

int job_open(struct net **out, struct job *j, size_t i, struct err *err)
{
    const char *spec = j->o->spec.item[i];
    struct net *net = NULL;

    if (i == 0 && j->why_first.code != ERR_NONE) {
        *err = j->why_first;
        return job_lacks(j, spec, err);
    }
    if (i == 0 && j->first) {
        net = j->first;
        j->first = NULL;
    } else if (net_open(&net, spec, err) < 0) {
        return job_lacks(j, spec, err);
    }
    if (units_measure(&j->o->units, net, j->timed, j->t, err) < 0) {
        net_close(net);
        return -1;
    }
    if (net->unread)
        table_note(j->t, "%s: %s.", net->spec, net->unread);
    *out = net;
    return 0;
}

static int open_network(struct net **net, struct job *j, size_t i, struct err *err)
{
    if (job_open(net, j, i, err) < 0)
        return -1;
    table_request(j->t, "topology", (*net)->spec);
    return 0;
}

static int each_network(const struct frame *f, struct job *j, struct err *err)
{
    const struct tick whole = j->tick;
    const size_t n = j->o->spec.n;
    struct net **net = calloc(n, sizeof *net);
    struct err *why = calloc(n, sizeof *why);
    int ret = net && why ? 0 : err_memory(err);

    for (size_t i = 0; f->ahead && ret == 0 && i < n; i++) {
        job_at(j, 0, i);
        if (job_wants(j, 0, i) && open_network(&net[i], j, i, &why[i]) < 0 &&
            (!j->sweep || why[i].code == ERR_USAGE || why[i].code == ERR_STOPPED)) {
            *err = why[i];
            ret = -1;
        }
    }
    for (size_t i = 0; ret == 0 && i < n; i++) {
        j->tick = tick_step(&whole, i, n);
        if (!job_wants(j, 0, i))
            continue;
        job_at(j, 0, n + i);
        if (!f->ahead)
            open_network(&net[i], j, i, &why[i]);
        j->net = net[i];
        j->at = i;
        if (!net[i])
            *err = why[i];
        ret = net[i] ? f->network(j, err) : refuse_network(f, j, j->o->spec.item[i], err);
        job_at(j, 1, PLACE_LAST);
        if (net[i] && net[i]->told)
            table_note(j->t, "%s: %s.", net[i]->spec, net[i]->told);
        if (ret < 0 && net[i] && n > 1 && !j->stream)       /* what one of several cannot do is not the others' end */
            ret = job_refuse_network(j, net[i]->spec, err);
        net_close(net[i]);
        net[i] = NULL;
    }
    for (size_t i = 0; net && i < n; i++)
        net_close(net[i]);
    FREE(net, why);
    j->net = NULL;
    return ret;
}

/* ---- the frame ----------------------------------------------------------------------------------------- */

static int begin_table(struct job *j, const struct frame *f, struct err *err)
{
    const struct frame_table *chosen;

    if (f->pick)
        j->which = f->pick(j->request);
    else
        for (int i = 0; j->o->show && f->table[i].column; i++)
            if (f->table[i].show && strcmp(f->table[i].show, j->o->show) == 0)
                j->which = i;
    chosen = &f->table[j->which];
    if (TAKE("the request", err, ARRAY(j->column, chosen->ncolumn)) < 0)
        return -1;
    memcpy(j->column, chosen->column, chosen->ncolumn * sizeof *j->column);
    table_init(j->t, chosen->title, j->column, chosen->ncolumn);
    j->t->upright = chosen->upright;
    j->t->always = chosen->always;
    j->t->named = j->o->columns.item;
    j->t->nnamed = j->o->columns.n;
    if (units_columns(&j->o->units, j->t, j->column, err) < 0)
        return -1;
    return chosen->pivot && j->o->show ? 0 : options_check_table(j->o, j->t, err);
}

/* What cycles and flits are, by the request or by its first network; then the values that waited for it. */
static int settle_units(const struct frame *f, struct job *j, struct err *err)
{
    struct units *u = &j->o->units;

    for (const struct option_part *part = f->shared; part && part->field; part++)
        j->timed = j->timed || part->field == units_cable_options;
    if (units_want_rate(u) && j->o->spec.n) {
        if (net_open(&j->first, j->o->spec.item[0], &j->why_first) < 0 && (u->ndeferred || j->o->spec.n == 1)) {
            *err = j->why_first;
            return -1;
        }
        u->rate = j->first ? j->first->cables.rate : 0;
    }
    return units_settle(u, err);
}

static int work(const struct frame *f, struct job *j, struct job_stream *stream, struct err *err)
{
    int ret;

    if (f->table && f->table[j->which].streamed) {
        j->sweep = false;
        if (j->o->sort.n == 0 && !j->o->top && !j->o->plot) {       /* else every row is to be seen first */
            options_request(j->o, j->t);
            if (output_open(&stream->out, j->o->output, err) < 0)
                return -1;
            j->stream = stream;
        }
    }
    job_at(j, 0, 0);
    ret = j->o->task.join ? 0 : f->network && (j->o->spec.n || !f->compute) ? each_network(f, j, err) :
        f->compute(j, err);
    if (ret == 0 && !j->walk.log && j->nunnamed && j->nunnamed == j->o->spec.n)
        ret = err_set(err, ERR_USAGE, "%s", j->first_refused.msg);      /* no size at all: the spec is wrong */
    if ((ret == 0 ? !j->o->draws : err->code == ERR_IO) && tick(&j->tick, 1))
        ret = err_stopped(err);         /* asked at the very end, but nothing is written yet; or while it wrote */
    if (ret == 0 && !j->stream && !j->walk.log && f->table && f->table[j->which].conclusion)
        conclude(j->t, f->table[j->which].conclusion);
    return j->stream ? stream_end(j, ret, err) : ret;
}

static int draw(const struct frame *f, const struct job *j, struct err *err)
{
    struct picture figure = { .o = j->o, .request = j->request };
    int ret;

    if (!f->figure || !j->o->plot)
        return 0;
    chart_init(&figure.chart, NULL);
    ret = f->figure(&figure, j->t, j->which, err);
    if (ret == 0 && !figure.drawn && figure.chart.kind)
        ret = chart_write(&figure.chart, &j->o->page, j->o->plot, err);
    chart_release(&figure.chart);
    return ret;
}

/* Turned where --show asks for it; else for people who did not ask for columns or rows. */
static int write_table(const struct frame_table *f, const struct job *j, struct err *err)
{
    const struct options *o = j->o;
    const struct seen seen = { o->columns.item, o->columns.n, o->wide };
    const bool marks = f->conclusion && f->conclusion->marks && o->format->people &&
        winners_mark(j->t, f->conclusion, &seen);
    struct pivoted p = { .name = NULL };
    int ret;

    if (j->assumed)
        table_note(j->t, "%s", j->assumed);
    if (marks)
        table_note(j->t, "* the %s %s.", f->conclusion->most ? "highest" : "lowest", f->conclusion->noun);
    if (!f->pivot || (!o->show && (!o->format->people || o->columns.n || o->sort.n || o->top || o->wide ||
                                   !look_varies(j->t, f->pivot->by))))
        return options_table(o, j->t, err);
    table_note(j->t, "--wide has a row for each number, with all columns.");
    ret = pivot_make(&p, j->t, f->pivot, f->conclusion->score, err) < 0 ? -1 : options_table(o, &p.t, err);
    pivot_release(&p);
    return ret;
}

/* The rows that could be had are printed first. */
static int write_out(const struct frame *f, struct job *j, struct err *err)
{
    if (f->table && !j->stream) {
        if (!f->counts)
            notes_join(j->t);
        if (write_table(&f->table[j->which], j, err) < 0)
            return -1;
    }
    if (j->nrefused == 0 || j->status == 3)      /* a definite no, whatever else could not be had */
        return j->status;
    /* Said once where the table is seen and has notes. */
    if (!j->o->output && !j->o->format->bare && j->first_refused.code != ERR_MEMORY &&
        notes_tell(j->t, j->first_refused.msg))
        return err_set(err, ERR_NETWORK, "%zu row%s could not be computed; notes of the table say why", j->nrefused,
                       j->nrefused == 1 ? "" : "s");
    err_set(err, ERR_NETWORK, "%s", j->first_refused.msg);
    return j->nrefused == 1 ? -1 : err_at(err, "%zu rows could not be computed; the first", j->nrefused);
}

enum { SHOWS = 15 };                    /* tables of a command that --show may name, at most */

/* What a frame says to its options. */
static void frame_options(struct options *o, const char *shows[SHOWS + 1], const struct frame *f)
{
    size_t n = 0;

    for (const struct frame_table *t = f->table; t && t->column; t++)
        if (t->show && n < SHOWS)
            shows[n++] = t->show;
    shows[n] = NULL;
    o->shows = n ? shows : NULL;
    o->example = f->example;
    o->plots = f->plots;
    o->draws = f->draws;
    o->own = f->own;
    o->writes = !f->table && !f->draws && !f->plots;
    o->divides = f->table && !f->whole && !f->draws;
    o->networks = f->network || f->lacking;
}

int frame_each_option(const struct frame *f, void (*each)(void *arg, const struct option_field *field), void *arg,
                      struct err *err)
{
    const char *shows[SHOWS + 1];
    struct options o = { .command = NULL };

    frame_options(&o, shows, f);
    return options_each(&o, f->option, f->shared, each, arg, err);
}

/* Threads are made while there is room for their stacks: where there is none any more, their library ends the program. */
static void frame_threads(struct options *o)
{
    const double have = mem_available();
    int n = o->jobs > 0 ? o->jobs : omp_get_max_threads(), made = 0;
    struct rlimit space;

    if (getrlimit(RLIMIT_AS, &space) < 0 || space.rlim_cur == RLIM_INFINITY)
        return;
    mallopt(M_ARENA_MAX, 1);            /* else each reserves 64 MB */
    n = have < 2 * STACK * n ? (int)fmax(1, have / (2 * STACK)) : n;
    o->jobs = n;
    omp_set_num_threads(n);
#pragma omp parallel num_threads(n)
    {
#pragma omp atomic
        made++;
    }
}

int frame_run(const struct frame *f, int argc, char **argv, struct err *err)
{
    struct table t = { 0 };
    struct job j = { .frame = f, .request = malloc(f->size), .t = &t };
    struct job_stream stream = { .begun = false };
    const char *shows[SHOWS + 1];
    struct progress p = { 0 };
    char told[PAGE_TOLD] = "";
    int ret = -1;

    if (!j.request)
        return err_memory(err);
    memcpy(j.request, f->initial, f->size);
    j.o = j.request;
    frame_options(j.o, shows, f);
    if (options_parse(j.o, f->option, f->shared, f->arguments, f->doc, argc, argv, err) < 0)
        goto done;
    frame_threads(j.o);
    if (f->ask && f->ask(j.request, err) < 0)
        goto done;
    j.sweep = j.o->spec.n > 1;
    if (f->lacking && j.o->spec.n == 0) {
        err_set(err, ERR_USAGE, "%s", f->lacking);
        goto done;
    }
    progress_begin(&p, (enum progress_mode)j.o->progress);
    j.o->page.told = told;
    j.tick = j.o->page.tick = progress_tick(&p);
    if (settle_units(f, &j, err) < 0 || (f->table && begin_table(&j, f, err) < 0) ||
        (f->check && f->check(&j, err) < 0) || task_begin(&j, err) < 0)
        goto done;
    if (j.o->task.folder || j.o->task.join) {
        ret = j.o->task.folder ? task_cut(&j, err) : task_join(&j, err);
        if (ret <= 0)
            goto done;
        ret = -1;
    }
    if (work(f, &j, &stream, err) < 0)
        goto done;
    if (t.why.code != ERR_NONE) {       /* no figure of rows that are not whole */
        *err = t.why;
        goto done;
    }
    if (j.walk.log) {
        progress_end(&p);
        ret = task_write(&j, err);
        goto done;
    }
    if ((f->finish && f->finish(&j, err) < 0) || draw(f, &j, err) < 0)
        goto done;
    progress_end(&p);
    if (*told && !j.o->quiet)
        fprintf(stderr, "metapath: note: %s\n", told);
    ret = write_out(f, &j, err);
done:
    progress_end(&p);
    net_close(j.first);
    if (f->release)
        f->release(j.request);
    task_release(&j);
    options_release(j.o, f->option, f->shared);
    table_release(&t);
    FREE(j.column, j.request);
    return ret;
}
