#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/broadcast/broadcast_bound.h"
#include "cli/request/bcast_plan.h"
#include "cli/command/cmd.h"
#include "cli/request/options.h"
#include "graph/base/file.h"
#include "graph/base/num.h"
#include "graph/base/text.h"

struct request {
    struct options common;
    struct strings spec, algorithm;
    struct plan_request plan;
    const char *routing;
};
enum { KEY_ALGORITHM = 'a', KEY_ROUTING = 0x100 };

static const struct argp_option option[] = {
    PLAN_OPTIONS("messages a process may send at once"),
    { "algorithm", KEY_ALGORITHM, "LIST", 0,
      "of sequential, binary, binomial, chain, flooding, best (default: all); best names the process tree that wins", 0 },
    { "routing", KEY_ROUTING, "ROUTING", 0, "one with a single path: dor, minimal or updown (default: dor where there are "
      "dimensions, else minimal)", 0 },
    { 0 }
};

static int parse(int key, char *arg, void *own, struct err *err)
{
    struct request *q = own;

    switch (key) {
    case OPTION_ARGUMENT: return strings_add_list(&q->spec, arg, err);
    case KEY_ALGORITHM: return strings_add_list(&q->algorithm, arg, err);
    case KEY_ROUTING: q->routing = arg; return 0;
    default: return plan_option(&q->plan, key, arg, err);
    }
}

/* ---- the table ---- */

static const struct column columns[] = {
    { "topology", NULL, NULL, 0 },
    { "processes", NULL, NULL, 0 },
    { "root", NULL, NULL, 0 },
    { "placement", NULL, NULL, 0 },
    { "routing", NULL, NULL, 0 },
    { "algorithm", NULL, NULL, 0 },
    { "ports", NULL, NULL, 0 },
    { "blocking", NULL, NULL, 0 },
    { "makespan_steps", "Makespan", "steps", 0 },
    { "steps_bound", "At least", "steps", 0 },
    { "steps_over_bound", "Over that", "times", 2 },
    { "steps_bound_reason", NULL, NULL, COLUMN_ASIDE },
    { "serial_hops", "Serialised", "hops", 0 },
    { "hops_bound", "At least", "hops", 0 },
    { "hops_over_bound", NULL, "times", COLUMN_ASIDE },
    { "winner", "Fewest steps by", NULL, 0 },
    { "serial_winner", "Fewest hops by", NULL, 0 },
    { "quality", NULL, NULL, COLUMN_ASIDE }
};
static const struct column schedule[] = {
    { "topology", NULL, NULL, 0 },
    { "processes", NULL, NULL, 0 },
    { "algorithm", NULL, NULL, 0 },
    { "ports", NULL, NULL, 0 },
    { "blocking", NULL, NULL, 0 },
    { "step", NULL, NULL, 0 },
    { "operation", NULL, NULL, 0 },
    { "from_process", "From process", NULL, 0 },
    { "to_process", "To process", NULL, 0 },
    { "link_from", "Over the link from", NULL, 0 },
    { "link_to", "To", NULL, 0 },
    { "delivered", NULL, NULL, 0 }
};

/* A table written row by row. It begins with its first row: what is refused before leaves nothing behind. */
struct stream {
    struct table_writer writer;
    const struct table_format *format;
    const struct table *table;
    FILE *file;
    bool terminal, begun;
};

static int stream_begin(struct stream *s, struct err *err)
{
    if (s->begun)
        return 0;
    s->begun = true;
    return table_begin(&s->writer, s->format, s->file, s->table, s->terminal, err);
}

/* One network, one number of processes, one number of ports. */
struct scene {
    const struct request *q;
    const struct plan *plan;
    struct net *net;
    struct placement where;
    struct routing routing;
    struct broadcast_reach reach;       /* not for schedules */
    struct broadcast_how how;
    struct broadcast_bound bound;       /* of process trees */
    struct table *t;
    struct stream *stream;              /* of the schedule, else NULL */
    const struct tick *tick;
    const char *algorithm;              /* being scheduled */
    char ports[24];
};

static void add_row(const struct scene *s, const char *algorithm, bool ported, double makespan, double serial,
                    const char *winner, const char *serial_winner)
{
    struct broadcast_bound bound = s->bound;
    char text[200];
    struct table *t = s->t;

    if (!ported)
        broadcast_bound_flood(&bound, &s->reach);
    table_text(t, s->net->spec);
    table_int(t, s->where.n);
    table_int(t, s->q->plan.root);
    table_text(t, plan_placement(text, s->q->plan.placement, s->q->common.seed));
    table_text(t, s->routing.spec);
    table_text(t, algorithm);
    table_text(t, ported ? s->ports : "all");
    table_text(t, !ported ? "no" : s->how.blocking ? "yes" : "no");
    table_int(t, (int64_t)makespan);
    table_int(t, (int64_t)bound.steps);
    table_real(t, bound.steps > 0 ? makespan / bound.steps : NAN);
    table_text(t, broadcast_bound_reason(text, &bound));
    table_int(t, (int64_t)serial);
    table_int(t, (int64_t)bound.hops);
    table_real(t, bound.hops > 0 ? serial / bound.hops : NAN);
    table_text(t, winner);
    table_text(t, serial_winner);
    table_text(t, "exact");
}

/* "binomial" or "binary+binomial", those that tie. */
static void winners(char *out, size_t size, const struct broadcast_table *b, bool serial)
{
    size_t len = 0;

    out[0] = '\0';
    for (size_t i = 0; i < b->n && len < size; i++)
        if (serial ? b->row[i].fewest_serial : b->row[i].fewest_makespan)
            len += (size_t)snprintf(out + len, size - len, "%s%s", len ? "+" : "", b->row[i].name);
}

static int add_best(struct scene *s, struct err *err)
{
    struct broadcast_table b;
    char fewest[200], fewest_serial[200];

    if (broadcast_compare(&b, tree_all, &s->where, s->q->plan.root, &s->routing, s->how, FLOODING_NONE, s->tick, err) < 0)
        return -1;
    winners(fewest, sizeof fewest, &b, false);
    winners(fewest_serial, sizeof fewest_serial, &b, true);
    add_row(s, "best", true, b.makespan_steps, b.serial_hops, fewest, fewest_serial);
    broadcast_table_release(&b);
    return 0;
}

static int add_flooding(struct scene *s, struct err *err)
{
    struct broadcast b;

    if (broadcast_flood(&b, s->net, &s->where, s->q->plan.root, err) < 0)
        return -1;
    add_row(s, "flooding", false, b.makespan_steps, b.serial_hops, "", "");
    broadcast_release(&b);
    return 0;
}

static struct cell text_cell(char *text)
{
    return (struct cell){ CELL_TEXT, { .text = text } };
}

static struct cell int_cell(int64_t v)
{
    return (struct cell){ CELL_INT, { .integer = v } };
}

static int write_step(void *arg, const struct broadcast_step *step, struct err *err)
{
    struct scene *s = arg;
    char from[96], to[96], algorithm[40];
    const struct cell cell[] = {
        text_cell(s->net->spec), int_cell(s->where.n),
        text_cell(strcpy(algorithm, s->algorithm)), text_cell(s->ports),
        text_cell(s->how.blocking ? (char[]){ "yes" } : (char[]){ "no" }), int_cell(step->unit),
        text_cell(step->kind == BROADCAST_SEND ? (char[]){ "send" } : (char[]){ "forward" }), int_cell(step->from),
        int_cell(step->to), text_cell((char *)(uintptr_t)net_label(s->net, step->link_from, from)),
        text_cell((char *)(uintptr_t)net_label(s->net, step->link_to, to)),
        text_cell(step->delivers ? (char[]){ "yes" } : (char[]){ "" })
    };

    if (stream_begin(s->stream, err) < 0)
        return -1;
    return table_row(&s->stream->writer, cell, err);
}

static int run_tree(struct scene *s, const struct tree *tree, struct err *err)
{
    const struct broadcast_watch watch = { write_step, s };
    struct tree_shape shape;
    struct broadcast b;

    if (tree_shape_init(&shape, tree, s->where.n, err) < 0)
        return -1;
    s->algorithm = tree->name;
    if (broadcast_run(&b, &shape, &s->where, s->q->plan.root, &s->routing, s->how, s->stream ? &watch : NULL, s->tick,
                      err) < 0) {
        tree_shape_release(&shape);
        return -1;
    }
    if (!s->stream)
        add_row(s, tree->name, true, b.makespan_steps, b.serial_hops, "", "");
    broadcast_release(&b);
    tree_shape_release(&shape);
    return 0;
}

/* The schedule of the best tree (the first of those that tie). */
static int run_best(struct scene *s, struct err *err)
{
    struct broadcast_table b;
    const struct tree *tree = NULL;

    if (broadcast_compare(&b, tree_all, &s->where, s->q->plan.root, &s->routing, s->how, FLOODING_NONE, s->tick, err) < 0)
        return -1;
    for (size_t i = 0; i < b.n && !tree; i++)
        if (b.row[i].fewest_makespan)
            tree = tree_find(b.row[i].name, err);
    broadcast_table_release(&b);
    return tree ? run_tree(s, tree, err) : -1;
}

static int one_algorithm(struct scene *s, const struct algorithm *a, bool first_ports, struct err *err)
{
    if (a->tree)
        return run_tree(s, a->tree, err);
    if (a->pattern->of_trees)
        return s->stream ? run_best(s, err) : add_best(s, err);
    /* ports do not concern flooding: one row, and no schedule, since every link is used as soon as it can be */
    return s->stream || !first_ports ? 0 : add_flooding(s, err);
}

static int one_placement(struct scene *s, struct err *err)
{
    for (size_t i = 0; i < s->plan->nports; i++) {
        s->how = plan_how(s->plan, i, s->q->plan.blocking);
        plan_ports_text(s->ports, s->how.ports);
        if (!s->stream && broadcast_bound(&s->bound, &s->reach, s->how, err) < 0)
            return -1;
        for (size_t a = 0; a < s->plan->nalgorithm; a++)
            if (one_algorithm(s, &s->plan->algorithm[a], i == 0, err) < 0)
                return -1;
    }
    return 0;
}

static int one_network(const struct request *q, const struct plan *plan, struct net *net, struct table *t,
                       struct stream *stream, struct refused *refused, const struct tick *whole, struct err *err)
{
    struct scene s = { .q = q, .plan = plan, .net = net, .t = t, .stream = stream };
    size_t n = plan->processes ? plan->nprocesses : 1;
    int ret = -1;

    if (routing_open(&s.routing, s.net, q->routing, err) < 0)
        goto done;
    for (size_t i = 0; i < n; i++) {
        const struct tick part = tick_part(whole, (double)i / (double)n, (double)(i + 1) / (double)n);

        s.tick = &part;
        ret = placement_init(&s.where, s.net, q->plan.placement, plan->processes ? (int)plan->processes[i] : 0,
                             q->common.seed, err);
        if (ret == 0) {
            if (!stream)
                ret = broadcast_reach(&s.reach, net, &s.where, q->plan.root, err);
            if (ret == 0)
                ret = one_placement(&s, err);
            broadcast_reach_release(&s.reach);
            placement_release(&s.where);
        }
        if (ret < 0) {
            if (!refused_take(refused, !stream && (q->spec.n > 1 || n > 1), err))
                goto done;
            plan_refused(t, s.net->spec, plan->processes ? (int)plan->processes[i] : 0);
            table_note(t, "%s", err->msg);
        }
    }
    ret = 0;
done:
    routing_close(&s.routing);
    return ret;
}

static int all_networks(const struct request *q, const struct plan *plan, struct table *t, struct stream *stream,
                        struct refused *refused, struct err *err)
{
    struct net **net = calloc(q->spec.n, sizeof *net);
    struct err *why = calloc(q->spec.n, sizeof *why);
    struct progress p;
    int ret = net && why ? 0 : err_memory(err);

    /* all before any work: a slip in the last is told at once, and the request is known when a table begins */
    for (size_t i = 0; ret == 0 && i < q->spec.n; i++) {
        ret = net_open(&net[i], q->spec.item[i], err);
        if (ret == 0) {
            table_request(t, "topology", net[i]->spec);
        } else if (refused_take(refused, !stream && q->spec.n > 1, err)) {
            why[i] = *err;
            ret = 0;
        }
    }
    progress_begin(&p, q->common.progress);
    for (size_t i = 0; ret == 0 && i < q->spec.n; i++) {
        const struct tick whole = progress_tick(&p),
                          part = tick_part(&whole, (double)i / (double)q->spec.n, (double)(i + 1) / (double)q->spec.n);

        if (net[i]) {
            ret = one_network(q, plan, net[i], t, stream, refused, &part, err);
        } else {
            plan_refused(t, q->spec.item[i], 0);
            table_note(t, "%s", why[i].msg);
        }
        net_close(net[i]);
        net[i] = NULL;
    }
    progress_end(&p);
    for (size_t i = 0; net && i < q->spec.n; i++)
        net_close(net[i]);
    free(net);
    free(why);
    return ret;
}

/* Row by row: a schedule may be long. */
static int show_schedule(const struct request *q, const struct plan *plan, struct table *t, struct err *err)
{
    struct output out;
    struct stream s = { .format = q->common.format, .table = t,
                        .terminal = !q->common.output && isatty(STDOUT_FILENO) && !getenv("NO_COLOR") };
    int ret;

    options_request(&q->common, t);
    if (output_open(&out, q->common.output, err) < 0)
        return -1;
    s.file = out.stream;
    ret = all_networks(q, plan, t, &s, NULL, err);
    if (ret == 0) {
        ret = stream_begin(&s, err);
        if (table_end(&s.writer, err) < 0)
            ret = -1;
    } else if (s.begun) {
        struct err ignored;

        table_end(&s.writer, &ignored);
    }
    if (ret < 0) {
        output_abort(&out);
        return -1;
    }
    return output_commit(&out, err);
}

/* Rows without those of `best`, which would hide the algorithm it names; ports said in full. */
static void for_figure(struct table *out, const struct table *t)
{
    size_t at = (size_t)table_find(t, "algorithm");

    *out = *t;
    out->cell = malloc((t->ncell + 1) * sizeof *out->cell);
    out->ncell = 0;
    for (size_t r = 0; out->cell && r < table_rows(t); r++)
        if (t->cell[r * t->ncolumn + at].type == CELL_TEXT && strcmp(t->cell[r * t->ncolumn + at].u.text, "best") != 0) {
            struct cell *row = out->cell + out->ncell;

            memcpy(row, t->cell + r * t->ncolumn, t->ncolumn * sizeof *t->cell);
            out->ncell += t->ncolumn;
            plan_say_ports(row, t);
        }
}

/* Steps against processes, or bars by algorithm; a series a number of ports. */
static int plot(const struct request *q, const struct plan *plan, const struct table *t, struct err *err)
{
    static const char *const y[] = { "makespan_steps" };
    bool ports = plan->nports > 1, several = plan->nprocesses > 1;
    const char *by[3];
    struct natural figure = { .kind = several ? "line" : "bar", .x = several ? "processes" : "algorithm", .y = y, .ny = 1, .group = by };
    struct table shown;
    int ret;

    if (!q->common.plot)
        return 0;
    if (several)
        by[figure.ngroup++] = "algorithm";
    if (!several && q->spec.n > 1)
        by[figure.ngroup++] = "topology";
    if (ports)
        by[figure.ngroup++] = "ports";
    if (several && q->spec.n > 1)
        by[figure.ngroup++] = "topology";
    for_figure(&shown, t);
    if (!shown.cell)
        return err_memory(err);
    ret = options_plot(&q->common, shown.ncell ? &shown : t, &figure, err);
    free(shown.cell);
    return ret;
}

static int run(int argc, char **argv, struct err *err)
{
    static const char *const shows[] = { "schedule", NULL };
    struct request q = { .common = { .shows = shows, .plots = true }, .plan = { .ports = "1,all", .blocking = -1 } };
    const struct option_run r = { option, parse, "SPEC...",
        "Broadcasts compared by hops.\vMakespan: steps until the last process has the message, store and forward, a step "
        "a link; in a step a node receives one message, forwards one, or sends its own. Serialised: hops of all "
        "messages, one after the other. Flooding counts steps to the farthest terminal, and the messages sent. A row of "
        "`best` is the process tree that takes the fewest. `At least` is what no process tree stays below "
        "(`metapath bound broadcast`).", &q };
    struct refused refused = { 0 };
    struct plan plan = { 0 };
    struct table t = { 0 };
    int ret = -1;

    if (options_parse(&q.common, &r, argc, argv, err) < 0)
        goto done;
    if (q.spec.n == 0) {
        err_set(err, ERR_USAGE, "bcast needs a topology, as in `metapath bcast mesh:4x4 --processes 8..16`");
        goto done;
    }
    if (plan_algorithms(&plan, &q.algorithm, q.common.show != NULL, err) < 0 || plan_ranges(&plan, &q.plan, err) < 0)
        goto done;
    if (q.common.show) {
        if (q.common.plot) {
            err_set(err, ERR_USAGE, "a schedule has no figure; leave out --plot or --show");
            goto done;
        }
        table_init(&t, "Schedule", schedule, sizeof schedule / sizeof *schedule);
        ret = show_schedule(&q, &plan, &t, err);
        goto done;
    }
    table_init(&t, "Broadcasts", columns, sizeof columns / sizeof *columns);
    ret = all_networks(&q, &plan, &t, NULL, &refused, err);
    if (ret == 0)
        ret = plot(&q, &plan, &t, err);
    if (ret == 0)
        ret = options_sweep(&q.common, &t, &refused, err);
done:
    plan_release(&plan);
    table_release(&t);
    strings_free(&q.spec);
    strings_free(&q.algorithm);
    return ret;
}

const struct cmd cmd_bcast = {
    .name = "bcast",
    .group = "Collectives",
    .synopsis = "metapath bcast SPEC... [--processes RANGE] [--algorithm LIST] [--ports LIST]",
    .summary = "broadcast patterns compared: steps and hops, schedules, the best",
    .run = run
};
