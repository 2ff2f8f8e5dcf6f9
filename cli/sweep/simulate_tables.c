/* The seven tables of `metapath simulate`: their columns; the rows of a run, one function each: the whole (main), links,
 * sources, windows of time, the messages of a deadlock, what balancing takes, saturation; what could not be simulated; notes; and
 * figures. */
#include "cli/sweep/simulate_tables.h"
#include "cli/sweep/latency_tables.h"
#include "cli/sweep/network_cells.h"
#include "cli/request/latency_lines.h"
#include "cli/request/link_panels.h"
#include "cli/request/load.h"
#include "cli/request/look.h"
#include "cli/request/notes.h"

/* What rows are made of, in this order: the request, the run, or a part of it, and what a part of it is about. */
#define Q(m) MEMBER(0, struct simulate_request, m)
#define R(m) MEMBER(1, struct simulate_result, m)
#define R_WHOLE(m) WHOLE(1, struct simulate_result, m)
#define L(m) MEMBER(1, struct simulate_link, m)
#define B(m) MEMBER(2, struct simulate_balanced, m)
#define O(m) MEMBER(3, struct simulate_order, m)
#define W(m) MEMBER(2, struct simulate_wait, m)

#define SIMULATED                                                                                               \
    PLAIN("topology"), { "traffic", NULL, NULL, 0, Q(traffic) }, { "routing", NULL, NULL, 0, Q(routing) },      \
    { "interval_cycles", "Interval", "cycles", COLUMN_ASIDE, Q(interval) }, { "load", "Load", NULL, 4, Q(load) }
static const struct column main_columns[] = {
    PLAIN("topology"), { "traffic", NULL, NULL, 0, Q(traffic) }, { "routing", NULL, NULL, 0, Q(routing) },
    ASIDE("switching"), { "loop", NULL, NULL, COLUMN_ASIDE, Q(loop) },
    HOW_COLUMNS(2), ASIDE("allocator"),
    { "interval_cycles", "Interval", "cycles", COLUMN_ASIDE, Q(interval) },
    { "rate_per_cycle", "Rate", "messages per cycle", COLUMN_ASIDE, LOOSE },
    { "load", "Load", NULL, 4, Q(load) },
    { "accepted_load", "Accepted load", NULL, 4, R(accepted) },
    { "accepted_load_confidence", "+-", NULL, COLUMN_ASIDE, R(accepted_half) },
    { "packet_latency_cycles", "Packet latency", "cycles", 2, R(mean) },
    { "packet_latency_confidence_cycles", "+-", "cycles", 2, R(mean_half) },
    { "network_latency_cycles", "Network latency", "cycles", COLUMN_ASIDE, R(network) },
    { "network_latency_confidence_cycles", "+-", "cycles", COLUMN_ASIDE, R(network_half) },
    { "sd_network_latency_cycles", "Network deviation", "cycles", COLUMN_ASIDE, R(all.network.deviation) },
    { "median_network_latency_cycles", "Network median", "cycles", COLUMN_ASIDE, R(all.network.median) },
    { "p95_network_latency_cycles", "Network 95 %", "cycles", COLUMN_ASIDE, R(all.network.p95) },
    { "p99_network_latency_cycles", "Network 99 %", "cycles", COLUMN_ASIDE, R(all.network.p99) },
    { "max_network_latency_cycles", "Network maximum", "cycles", COLUMN_ASIDE, R(all.network.most) },
    { "source_wait_cycles", "Source wait", "cycles", COLUMN_ASIDE, LOOSE },
    { "source_latency_cycles", "Latency, mean over sources", "cycles", COLUMN_ASIDE, R(by_source) },
    { "sd_latency_cycles", "Deviation", "cycles", COLUMN_ASIDE, R(all.packet.deviation) },
    { "median_latency_cycles", "Median", "cycles", COLUMN_ASIDE, R(all.packet.median) },
    { "p95_latency_cycles", "95 % within", "cycles", COLUMN_ASIDE, R(all.packet.p95) },
    { "p99_latency_cycles", "99 % within", "cycles", YIELDS(1), R(all.packet.p99) },
    { "max_latency_cycles", "Max", "cycles", COLUMN_ASIDE, R(all.packet.most) },
    { "mean_hops", NULL, "hops", COLUMN_ASIDE, R(hops) },
    { "messages", NULL, NULL, COLUMN_ASIDE, R_WHOLE(delivered) },
    { "rejected", NULL, NULL, COLUMN_ASIDE, R_WHOLE(rejected) },
    { "drained", NULL, NULL, COLUMN_ASIDE, R_WHOLE(drained) },
    { "deadlocks", NULL, NULL, COLUMN_ASIDE, R_WHOLE(deadlocks) },
    { "left", NULL, NULL, COLUMN_ASIDE, R_WHOLE(left) },
    { "deadlock_at_cycles", "Deadlock at", "cycles", COLUMN_ASIDE, R(deadlock_at) },
    { "end_cycles", "End", "cycles", COLUMN_ASIDE, R(ended) },
    { "warmup_cycles", "Warm-up", "cycles", COLUMN_ASIDE, R(warmup) },
    { "counted_cycles", "Counted", "cycles", COLUMN_ASIDE, R(cycles) },
    { "replications", NULL, NULL, COLUMN_ASIDE, R(replications) }, PLAIN("state"), ASIDE("valid"), ASIDE("quality")
};
static const struct conclusion main_conclusion = {
    .score = "packet_latency_cycles", .noun = "packet latency", .contender = { "routing" },
    .scope = { "topology", "traffic", "load" }, .valid = "valid", .half = "packet_latency_confidence_cycles",
    .family = "metapath:", .family_noun = "metapath"
};
static const struct column link_columns[] = {
    SIMULATED, PLAIN("from"), PLAIN("to"),
    { "rate_per_cycle", "Rate", "messages per cycle", 5, L(rate) },
    { "busy", NULL, NULL, 4, L(busy) },
    { "wait_cycles", "Wait", "cycles", 3, L(wait) }, ASIDE("state"), ASIDE("quality")
};
static const struct column source_columns[] = {
    SIMULATED, PLAIN("channel"), PLAIN("source"), PLAIN("messages"),
    { "latency_cycles", "Latency", "cycles", 2, LOOSE }, ASIDE("state"), ASIDE("quality")
};
static const struct column window_columns[] = {
    SIMULATED, { "start_cycles", "From", "cycles", 0, LOOSE }, { "end_cycles", "To", "cycles", 0, LOOSE },
    { "offered_load", "Offered", NULL, 4, LOOSE },
    { "accepted_load", "Accepted", NULL, 4, LOOSE }, PLAIN("messages"),
    { "latency_cycles", "Latency", "cycles", 2, LOOSE },
    { "sd_latency_cycles", "Deviation", "cycles", COLUMN_ASIDE, LOOSE },
    { "network_latency_cycles", "Network latency", "cycles", COLUMN_ASIDE, LOOSE },
    { "ways", "Ways open", NULL, COLUMN_ASIDE, LOOSE }, PLAIN("counted"), ASIDE("state"),
    ASIDE("quality")
};
static const struct column deadlock_columns[] = {
    SIMULATED, { "deadlock_at_cycles", "At", "cycles", 0, R(deadlock_at) }, PLAIN("message"), PLAIN("source"),
    PLAIN("target"),
    { "holds", "Holds link", NULL, 0, LOOSE }, { "wants", "Wants link", NULL, 0, LOOSE },
    { "channel", NULL, NULL, 0, W(channel) }, ASIDE("quality")
};

#define X(m) MEMBER(1, struct simulate_saturated, m)
static const struct column saturation_columns[] = {
    PLAIN("topology"), { "traffic", NULL, NULL, 0, Q(traffic) }, { "routing", NULL, NULL, 0, Q(routing) },
    { "saturation_load", "Saturation", NULL, 4, LOOSE }, { "sustained_load", "Sustained", NULL, 4, LOOSE },
    { "not_sustained_load", "Not sustained", NULL, 4, LOOSE },
    { "model_saturation_load", "By the model", NULL, IF_FILLED(4), LOOSE },
    { "model_error_percent", "Model's error", "%", IF_FILLED(1), LOOSE },
    { "idle_latency_cycles", "Idle latency", "cycles", 2, X(idle) }, { "runs", NULL, NULL, COLUMN_ASIDE, LOOSE },
    ASIDE("quality")
};
static const struct conclusion saturation_conclusion = {
    .score = "saturation_load", .noun = "saturation", .most = true, .contender = { "routing" },
    .scope = { "topology", "traffic" }
};
static const struct column balance_columns[] = {
    SIMULATED, { "packet_latency_cycles", "Packet latency", "cycles", 2, R(mean) },
    { "ways", "Ways open", NULL, 2, B(ways) }, { "changes", "Changes per message", NULL, 4, B(changes) },
    { "ack_cycles", "Ack after", "cycles", 1, B(ack) }, { "acks", "Acks per message", NULL, COLUMN_ASIDE, B(acks) },
    { "early", "Early acks", NULL, COLUMN_ASIDE, B(early) },
    { "wait_1_cycles", "Wait in step 1", "cycles", COLUMN_ASIDE, B(wait[0]) },
    { "wait_2_cycles", "2", "cycles", COLUMN_ASIDE, B(wait[1]) },
    { "wait_3_cycles", "3", "cycles", COLUMN_ASIDE, B(wait[2]) },
    { "wait_4_cycles", "4", "cycles", COLUMN_ASIDE, B(wait[3]) },
    { "wait_5_cycles", "5", "cycles", COLUMN_ASIDE, B(wait[4]) },
    { "wait_6_cycles", "6 on", "cycles", COLUMN_ASIDE, B(wait[5]) },
    { "late", "Out of order", NULL, 4, O(late) }, { "order_wait_cycles", "Wait for order", "cycles", 2, O(wait) },
    { "order_buffer_flits", "Buffer for order", "flits", 0, O(flits) }, ASIDE("state"), ASIDE("quality")
};

const struct frame_table simulate_table[] = {
    [SIMULATE_MAIN] = { NULL, "Simulated latency against load", COLUMNS(main_columns),
                        .conclusion = &main_conclusion },
    [SIMULATE_LINKS] = { "links", "Simulated links", COLUMNS(link_columns), .words = "from,to" },
    [SIMULATE_SOURCES] = { "sources", "Simulated latency of sources", COLUMNS(source_columns),
                           .words = "channel,source" },
    [SIMULATE_WINDOWS] = { "windows", "Simulated latency over time", COLUMNS(window_columns) },
    [SIMULATE_DEADLOCK] = { "deadlock", "Messages that block each other", COLUMNS(deadlock_columns),
                            .words = "source,target" },
    [SIMULATE_BALANCE] = { "balance", "Ways, acknowledgements and order", COLUMNS(balance_columns) },
    [SIMULATE_SATURATION] = { "saturation", "Simulated saturation", COLUMNS(saturation_columns),
                              .conclusion = &saturation_conclusion }, { 0 }
};

/* ---- rows -------------------------------------------------------------------------------------------- */

static bool is_stuck(const struct simulate_request *q, const struct simulate_result *r)
{
    return r->deadlocks > 0 && !q->o->drain;
}

static const char *state_of(const struct simulate_request *q, const struct simulate_result *r)
{
    if (is_stuck(q, r))
        return "deadlock";
    if (q->o->source == SOURCE_TRACE)
        return r->left > 0 ? "unfinished" : "finished";
    if (q->o->nchange)
        return "changing";
    return r->brief ? "too short" : !r->steady ? "no steady state" : !r->precise ? "imprecise" : "steady";
}

#define VERDICT_CELLS(q, r) cell_text("state", state_of(q, r)), cell_text("quality", "simulation")

static const char *allocator_name(char out[40], const struct simulate_options *o)
{
    if (o->allocator == ALLOCATE_ISLIP)
        snprintf(out, 40, "islip:%d", o->iterations);
    return o->allocator == ALLOCATE_ISLIP ? out : o->allocator == ALLOCATE_AGE ? "age" : "channel";
}

static void simulate_main_row(struct job *j, const struct simulate_request *q, const struct simulate_result *r)
{
    const struct simulate_options *o = q->o;
    const bool steady = strcmp(state_of(q, r), "steady") == 0 || strcmp(state_of(q, r), "finished") == 0;
    char allocator[40];

    table_add(j->t, ROW(
        MEMBERS(q, r, &o->router), cell_text("topology", q->net->spec),
        cell_text("switching", o->switching->name),
        HOW_CELLS(o->trace ? NAN : o->flits, o->hop_time, &o->router, o->terminals),
        cell_text("allocator", allocator_name(allocator, o)), cell_real("rate_per_cycle", 1 / q->interval),
        cell_real("source_wait_cycles", r->mean - r->network), cell_text("valid", steady ? "yes" : "no"),
        VERDICT_CELLS(q, r)));
    if (r->rejected > 0)
        column_show(j, 0, (const char *const[]){ "rejected", NULL });
    if (q->o->source == SOURCE_TRACE)
        column_show(j, 0, (const char *const[]){ "messages", "left", "end_cycles", NULL });
    if (r->drained > 0)
        column_show(j, 0, (const char *const[]){ "drained", NULL });
}

static void simulate_link_rows(struct table *t, const struct simulate_request *q, const struct simulate_result *r)
{
    for (size_t i = 0; i < r->nlink; i++) {
        const struct simulate_link *l = &r->link[i];
        char from[NET_LABEL], label[NET_LABEL], *text = NULL;
        const char *to = l->to < 0 ? NULL : net_label(q->net, l->to, label);
        const bool one = l->to < 0 || l->cable == 0;

        table_add(t, ROW(
            MEMBERS(q, l), cell_text("topology", q->net->spec),
            cell_text("from", l->from < 0 ? NULL : net_label(q->net, l->from, from)),
            one ? cell_text("to", to) : cell_take("to", asprintf(&text, "%s:%d", to, l->cable) < 0 ? NULL : text),
            VERDICT_CELLS(q, r)));
    }
}

static void simulate_source_rows(struct table *t, const struct simulate_request *q, const struct simulate_result *r)
{
    for (size_t i = 0; i < r->nsource; i++) {
        const struct traffic *s = q->sent;
        const int node = s->matrix ? net_terminal(q->net, (int)i) : s->stream[traffic_first(s, i)].source;
        char label[NET_LABEL];

        table_add(t, ROW(
            MEMBERS(q), cell_text("topology", q->net->spec),
            cell_take("channel", traffic_source_label(s, i)), cell_text("source", net_label(q->net, node, label)),
            cell_count("messages", r->source_many[i]),
            cell_real("latency_cycles", r->source_many[i] > 0 ? r->source_mean[i] : NAN), VERDICT_CELLS(q, r)));
    }
}

/* Loads are scaled as those of the whole run are. A warm-up that is said is not recorded. */
static void simulate_window_rows(struct job *j, const struct simulate_request *q, const struct simulate_result *r)
{
    struct table *t = j->t;
    const bool found = isnan(q->o->warmup) && !q->o->trace;
    const double length = (double)r->record.length * r->tick, from = found || q->o->trace ? 0 : q->o->warmup,
        runs = r->windows,
        each = r->offered * r->all.cycles / r->all.offered / length / runs;

    for (size_t i = 0; i < record_full(&r->record); i++) {
        const struct record_window *w = &r->record.window[i];
        const double start = from + (double)i * length;

        table_add(t, ROW(
            MEMBERS(q), cell_text("topology", q->net->spec),
            cell_real("start_cycles", start), cell_real("end_cycles", start + length),
            cell_real("offered_load", w->offered * each), cell_real("accepted_load", w->flits * each),
            cell_count("messages", w->messages), cell_real("latency_cycles", w->latency / w->messages),
            cell_real("sd_latency_cycles", record_deviation(w->messages, w->latency, w->squares)),
            cell_real("network_latency_cycles", w->network / w->messages), cell_real("ways", w->ways / w->chosen),
            cell_text("counted", found && (double)i * length < r->warmup ? "no" : "yes"), VERDICT_CELLS(q, r)));
    }
    if (r->balanced.ways > 0)
        column_show(j, 0, (const char *const[]){ "ways", NULL });
    if (r->replications > 1)
        table_note(t, r->windows > 1 ? "Windows are those of %d replications together." :
                   "Windows are those of the first of %d replications.", r->windows > 1 ? r->windows : r->replications);
}

static void simulate_deadlock_rows(struct table *t, const struct simulate_request *q, const struct simulate_result *r)
{
    for (size_t i = 0; i < r->ncycle; i++) {
        const struct simulate_wait *w = &r->cycle[i];
        char from[NET_LABEL], to[NET_LABEL];

        table_add(t, ROW(
            MEMBERS(q, r, w), cell_text("topology", q->net->spec),
            cell_int("message", (int64_t)i + 1), cell_text("source", net_label(q->net, w->source, from)),
            cell_text("target", net_label(q->net, w->target, to)),
            cell_take("holds", simulate_link_label(q->run, w->holds)),
            cell_take("wants", simulate_link_label(q->run, w->wants)), cell_text("quality", "simulation")));
    }
}

static void simulate_balance_row(struct table *t, const struct simulate_request *q, const struct simulate_result *r)
{
    const struct simulate_balanced *b = &r->balanced;
    const struct simulate_order *o = &r->order;

    table_add(t, ROW(
        MEMBERS(q, r, b, o), cell_text("topology", q->net->spec),
        VERDICT_CELLS(q, r)));
}

void simulate_saturation_row(struct job *j, const struct simulate_request *q, const struct simulate_saturated *x,
                             double model)
{
    const double found = sqrt(x->low * x->high);

    table_add(j->t, ROW(
        MEMBERS(q, x), cell_text("topology", q->net->spec), cell_real("saturation_load", q->load * found),
        cell_real("sustained_load", q->load * x->low), cell_real("not_sustained_load", q->load * x->high),
        cell_real("model_saturation_load", q->load * model), cell_real("model_error_percent", 100 * (model / found - 1)),
        cell_int("runs", x->runs), cell_text("quality", "simulation")));
}

/* "0.0-2.1 holds 0.0>1.0 and wants 1.0>2.0; ..." */
static int simulate_say_cycle(struct table *t, const struct simulate_request *q, const struct simulate_result *r,
                              struct err *err)
{
    enum { TOLD = 4 };
    char text[1600] = "";
    size_t len = 0;

    for (size_t i = 0; i < r->ncycle && i < TOLD; i++) {
        const struct simulate_wait *w = &r->cycle[i];
        char from[NET_LABEL], to[NET_LABEL], *holds = simulate_link_label(q->run, w->holds),
            *wants = simulate_link_label(q->run, w->wants);

        if (holds && wants)
            len += (size_t)snprintf(text + len, sizeof text - len, "%s%.90s-%.90s holds %.90s and wants %.90s",
                                    i ? "; " : ": ", net_label(q->net, w->source, from),
                                    net_label(q->net, w->target, to), holds, wants);
        else
            err_memory(err);
        FREE(holds, wants);
    }
    if (r->ncycle > TOLD)
        snprintf(text + len, sizeof text - len, "; and %zu more", r->ncycle - TOLD);
    table_note(t, "%s, %s, %s at load %.4g: from cycle %.9g messages block each other for good%s.", q->net->spec,
               q->traffic, q->routing, q->load, r->deadlock_at, text);
    return err->code == ERR_MEMORY ? -1 : 0;
}

int simulate_rows(struct job *j, const struct simulate_request *q, const struct simulate_result *r, struct err *err)
{
    switch ((enum simulate_table)j->which) {
    case SIMULATE_MAIN: simulate_main_row(j, q, r); break;
    case SIMULATE_LINKS: simulate_link_rows(j->t, q, r); break;
    case SIMULATE_SOURCES: simulate_source_rows(j->t, q, r); break;
    case SIMULATE_WINDOWS: simulate_window_rows(j, q, r); break;
    case SIMULATE_DEADLOCK: simulate_deadlock_rows(j->t, q, r); break;
    case SIMULATE_BALANCE: simulate_balance_row(j->t, q, r); break;
    case SIMULATE_SATURATION: break;            /* by a row of its own */
    }
    if (is_stuck(q, r)) {
        j->status = 1;
        return simulate_say_cycle(j->t, q, r, err);
    }
    if (j->which == SIMULATE_DEADLOCK && r->deadlocks == 0)
        table_note(j->t, "%s, %s, %s at load %.4g: no deadlock in %.6g cycles.", q->net->spec, q->traffic, q->routing,
                   q->load, r->cycles);
    return 0;
}

void simulate_refused(struct job *j, const struct simulate_request *q, const struct err *why)
{
    job_refused_row(j, ROW(cell_text("topology", q->net->spec), cell_text("traffic", q->traffic),
                           cell_text("routing", q->routing), cell_real("interval_cycles", q->interval),
                           cell_real("load", q->load), cell_text("loop", q->loop), cell_text("valid", "no")));
    table_note(j->t, "%s, %s: %s.", q->net->spec, q->routing, why->msg);
}

void simulate_notes(struct table *t)
{
    static const struct note_word all[] = {
        { "state", "no steady state", "latencies grew to the end, or sources fell behind what they offer: beyond "
          "saturation, or too short a run (--cycles); what is shown is of the time that was simulated" },
        { "state", "deadlock", "messages block each other for good (--show deadlock); what is shown is of the time "
          "before. `metapath deadlock SPEC --routing NAME` tells which --classes prevent it, and how many channels "
          "are enough (--vcs)" },
        { "state", "imprecise", "--until-precision was not reached within --max-cycles, or +- is more than a fifth of "
          "the mean: longer runs (--cycles), or more of them" },
        { "state", "too short", "fewer than 100 messages came in the time that counts, or it is less than 20 times as "
          "long as a latency: longer runs (--cycles)" },
        { "state", "changing", "traffic changed within the run: means are over all of it; --show windows has them over "
          "time" },
        { "state", "unfinished", "messages of the trace had not come in the end (column left); what is shown is of "
          "those that had" }
    };

    notes_words(t, all, sizeof all / sizeof *all);
}

/* ---- figures ----------------------------------------------------------------------------------------- */

int simulate_figure(struct picture *f, const struct table *t, enum simulate_table which, const char *axis,
                    struct err *err)
{
    static const char *const mean[] = { "packet_latency_cycles" }, *const latency[] = { "latency_cycles" },
        *const half[] = { "packet_latency_confidence_cycles" }, *const value[] = { "busy" }, *const ways[] = { "ways" },
        *const may[] = { "routing", "traffic", "topology", "load" },
        *const saturation[] = { "saturation_load", "model_saturation_load" };
    static const struct panel_column column[] = { { "topology", NULL, false }, { "traffic", NULL, false },
                                                  { "routing", NULL, true }, { "load", "load %.4g", false } };
    static const struct link_panels panels = { column, 4, value, 1, "Busy", NULL, true };
    const char *by[4];
    const size_t n = look_varying(by, t, may, which == SIMULATE_MAIN || which == SIMULATE_BALANCE ||
                                  which == SIMULATE_SATURATION ? 3 : 4);
    const struct natural natural[] = {
        [SIMULATE_MAIN] = { .kind = "line", .x = axis, .y = mean, .ny = 1, .group = by, .ngroup = n, .valid = "valid",
                            .half = half },
        [SIMULATE_SOURCES] = { .kind = "bar", .x = "channel", .y = latency, .ny = 1, .group = by, .ngroup = n,
                               .y_scale = SCALE_LINEAR },
        [SIMULATE_BALANCE] = { .kind = "line", .x = axis, .y = ways, .ny = 1, .group = by, .ngroup = n },
        [SIMULATE_WINDOWS] = { .kind = "line", .x = "start_cycles", .y = latency, .ny = 1, .group = by, .ngroup = n },
        [SIMULATE_SATURATION] = { .kind = "bar", .x = n ? by[0] : "routing", .y = saturation, .ny = 2, .facet = by + 1,
                                  .nfacet = n > 1 ? n - 1 : 0, .y_scale = SCALE_LINEAR }
    };

    f->chart.outside = "not steady";
    if (which == SIMULATE_WINDOWS && chart_axis(&f->chart.x, "Time", t->column[table_find(t, "start_cycles")].unit) < 0)
        return err_memory(err);
    switch (which) {
    case SIMULATE_MAIN: return latency_figure_lines(f, t, &natural[which], err);
    case SIMULATE_LINKS: return link_panels_figure(f, t, &panels, err);
    case SIMULATE_SATURATION:
        return options_figure(f, t, &natural[which], err) < 0 ? -1 :
            chart_axis(&f->chart.y, "Load at saturation", NULL) < 0 ? err_memory(err) : 0;
    case SIMULATE_SOURCES:
    case SIMULATE_BALANCE:
    case SIMULATE_WINDOWS: return options_figure(f, t, &natural[which], err);
    case SIMULATE_DEADLOCK: break;
    }
    return err_set(err, ERR_USAGE, "messages that block each other have no figure: leave out --plot, or take --show "
                   "links");
}
