#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/collective/execute.h"
#include "cli/command/cmd.h"
#include "cli/request/frame.h"
#include "cli/request/look.h"
#include "graph/base/mem.h"
#include "graph/base/num.h"
#include "graph/base/quantity.h"
#include "graph/base/spec.h"
#include "graph/base/text.h"
#include "model/process/tree.h"

#define BYTES_MOST (1ll << 40)
#define SIZES_MOST 4096                 /* rows of a range */

struct request {
    struct options common;
    int operation;                      /* -1: not said */
    struct strings algorithm, cost;
    const char *processes, *bytes, *segment, *placement, *routing, *line_rate, *cable_time, *overhead, *combine;
    int root, radix, per_node;          /* per_node 0: not said */
};

/* ---- options ----------------------------------------------------------------------------------------- */

/* The operation, and then topologies. */
static int take_argument(void *about, const char *arg, struct err *err)
{
    struct request *q = about;
    char hint[80], all[160];

    if (q->operation >= 0)
        return options_take_network(&q->common, arg, err);
    for (int i = 0; i < OPERATIONS; i++)
        if (strcmp(arg, operation_name[i]) == 0) {
            q->operation = i;
            return 0;
        }
    return err_set(err, ERR_USAGE, "no operation is called '%.40s'%s; they are %s", arg,
                   text_suggest(hint, arg, operation_name, OPERATIONS),
                   text_list(all, sizeof all, operation_name, OPERATIONS, ", "));
}

static const struct option_field collective_options[] = {
    { .help = "Operation:", .group = 0 },
    { .take = take_argument },
    { "algorithm", 'a', "LIST", "as in binomial,chain (default: all that serve the operation; `metapath list "
      "collective`)", 0, INTO(algorithm) },
    { "processes", 'p', "LIST", "how many, as in 4,8,16 or 2..64..x2 (default: as many as there are terminals)", 0,
      INTO(processes) },
    { "bytes", 'b', "LIST", "of the vector; of gather, scatter, allgather and all-to-all of each block: 4K, 1..4M..x4; "
      "K, M, G are powers of 1024 (default: 8,1K,64K,1M)", 0, INTO(bytes) },
    { "segment", 0, "BYTES", "messages of trees are cut into segments of so many, which follow each other (default: "
      "they are not)", 0, INTO(segment) },
    { "root", 'r', "PROCESS", "of broadcast, reduce, gather and scatter (default: 0)", 0, INTO(root), .most = 1 << 30 },
    { "radix", 0, "K", "of k-nomial trees (default: 4)", 0, INTO(radix), .least = 2, .most = 1024 },
    { "placement", 0, "PLACES", "row-major, random or file:PATH, as of bcast, or a host file of MPI with slots "
      "(default: row-major)", 0, INTO(placement) },
    { "per-node", 0, "N", "processes on each node, filled one after the other (default: 1, or what a host file says)",
      0, INTO(per_node), .least = 1, .most = 1 << 20 },
    { .help = "Cost:", .group = 1 },
    { "cost", 0, "LIST", "what messages cost, as in links or hockney,a=5us,rate=10Gb/s (default: links; `metapath list "
      "cost`)", 1, INTO(cost) },
    { "routing", 0, "ROUTING", "of links: one with a single path (default: dor where there are dimensions, dmodk on "
      "fat trees, else spread)", 1, INTO(routing) },
    { "line-rate", 0, "RATE", "of links: of a unit link (default: 200Gb/s)", 1, INTO(line_rate) },
    { "cable-time", 0, "TIME", "of links: of a message over each (default: 100ns)", 1, INTO(cable_time) },
    { "overhead", 0, "TIME", "of links: that a process works for each message that it sends or takes (default: 1us)", 1,
      INTO(overhead) },
    { "combine", 0, "RATE", "at which a process reduces (default: at no cost)", 1, INTO(combine) },
    { 0 }
};

/* ---- tables ------------------------------------------------------------------------------------------ */

static const struct column collective_columns[] = {
    PLAIN("topology"), PLAIN("operation"), PLAIN("processes"), { "root", NULL, NULL, YIELDS_LAST(0) },
    { "placement", NULL, NULL, YIELDS(0) }, PLAIN("cost"), PLAIN("bytes"),
    { "segment_bytes", "Segment", "B", YIELDS(0) },
    PLAIN("algorithm"), { "time_us", "Time", "us", 4 },
    { "over_least", "Over least", "times", 2 }, { "messages", NULL, NULL, 0 },
    { "sent_bytes", "Sent", "B", COLUMN_ASIDE }, { "most_bytes", "Most by one", "B", 0 },
    { "chain", "Longest chain", "messages", YIELDS(0) }, PLAIN("winner")
};
static const struct conclusion collective_conclusion = {
    .score = "time_us", .noun = "time", .who = { "algorithm" }, .scope = { "topology", "processes", "cost", "bytes" }
};
static const struct frame_table collective_tables[] = {
    { NULL, "Collectives in time", COLUMNS(collective_columns), .conclusion = &collective_conclusion }, { 0 }
};

/* ---- what is asked ----------------------------------------------------------------------------------- */

/* "1..4M..x2": K, M and G (and KB, KiB) multiply by powers of 1024, and are written out for num_range. */
static int sizes_read(int64_t **out, size_t *n, const char *text, struct err *err)
{
    enum { DIGITS = 24 };
    char *plain;
    size_t len = 0;
    int ret;

    if (TAKE("sizes", err, ARRAY(plain, DIGITS * strlen(text) + 1)) < 0)
        return -1;
    for (const char *s = text; *s;) {
        char *end = (char *)s;
        const double value = isdigit((unsigned char)*s) ? strtod(s, &end) : 0;
        const char *unit = end > s && *end ? strchr("KMG", toupper((unsigned char)*end)) : NULL;

        if (!unit || !(value <= (double)BYTES_MOST)) {          /* as it is; what is wrong there num_range says */
            plain[len++] = *s++;
            while (end > s && isdigit((unsigned char)*s))
                plain[len++] = *s++;
            continue;
        }
        s = end + 1 + (toupper((unsigned char)end[1]) == 'I');
        s += toupper((unsigned char)*s) == 'B';
        len += (size_t)snprintf(plain + len, DIGITS, "%.0f", value * pow(1024, (double)(unit - "KMG") + 1));
    }
    plain[len] = '\0';
    ret = num_range(out, n, plain, 0, BYTES_MOST, "--bytes", err);
    free(plain);
    return ret;
}

/* Seconds, or bytes a second. */
static int measure_read(double *out, const char *text, const char *usual, enum quantity kind, const char *what,
                        struct err *err)
{
    bool unit;

    if (quantity_parse(out, &unit, text ? text : usual, kind, what, err) < 0)
        return -1;
    if (!unit || *out < 0 || (kind == QUANTITY_RATE && *out == 0))
        return err_set(err, ERR_USAGE, "%s is %s; write it with a unit, as in %s", what, text, usual);
    *out /= kind == QUANTITY_RATE ? 8 : 1;
    return 0;
}

struct scene {
    struct job *j;
    const struct request *q;
    struct cost_network net;
    double combine;                     /* seconds a byte */
    int64_t *bytes, *processes, segment;
    size_t nbytes, nprocesses;
};

static int scene_read(struct scene *s, struct err *err)
{
    const struct request *q = s->q;
    int64_t *segment = NULL;
    size_t n = 0;
    double rate = INFINITY;

    if (sizes_read(&s->bytes, &s->nbytes, q->operation == BARRIER ? "0" : q->bytes ? q->bytes : "8,1K,64K,1M",
                   err) < 0 ||
        (q->processes && num_range(&s->processes, &s->nprocesses, q->processes, 1, 1 << 24, "--processes", err) < 0) ||
        measure_read(&s->net.rate, q->line_rate, "200Gb/s", QUANTITY_RATE, "--line-rate", err) < 0 ||
        measure_read(&s->net.cable, q->cable_time, "100ns", QUANTITY_TIME, "--cable-time", err) < 0 ||
        measure_read(&s->net.overhead, q->overhead, "1us", QUANTITY_TIME, "--overhead", err) < 0 ||
        (q->combine && measure_read(&rate, q->combine, "10GB/s", QUANTITY_RATE, "--combine", err) < 0) ||
        (q->segment && sizes_read(&segment, &n, q->segment, err) < 0))
        return -1;
    s->combine = 1 / rate;
    s->segment = n ? segment[0] : 0;
    free(segment);
    if (q->segment && (n != 1 || s->segment < 1))
        return err_set(err, ERR_USAGE, "--segment is '%.40s'; it must be one size of a byte or more", q->segment);
    return 0;
}

/* ---- rows -------------------------------------------------------------------------------------------- */

struct outcome {
    const struct collective *algorithm;
    struct execution x;
    bool done;
};

static void collective_rows(const struct scene *s, const struct placement *place, const struct cost *cost,
                            int64_t bytes, const struct outcome *o, size_t n)
{
    const bool rooted = s->q->operation == BROADCAST || s->q->operation == REDUCE || s->q->operation == GATHER ||
        s->q->operation == SCATTER;
    const char *placed = s->q->placement ? s->q->placement : "row-major";
    char where[240];
    size_t best = n;

    snprintf(where, sizeof where, "%.200s, %d a node", placed, s->q->per_node);
    for (size_t i = 0; i < n; i++)
        best = o[i].done && (best == n || o[i].x.time < o[best].x.time) ? i : best;
    for (size_t i = 0; i < n; i++)
        if (o[i].done)
            table_add(s->j->t, ROW(
                cell_text("topology", s->j->net->spec), cell_text("operation", operation_name[s->q->operation]),
                cell_int("processes", place->n), rooted ? cell_int("root", s->q->root) : cell_none("root"),
                cell_text("placement", s->q->per_node > 1 ? where : placed), cell_text("cost", cost->spec),
                cell_int("bytes", bytes), s->segment ? cell_int("segment_bytes", s->segment) :
                cell_none("segment_bytes"), cell_text("algorithm", o[i].algorithm->name),
                cell_real("time_us", 1e6 * o[i].x.time), cell_real("over_least", o[i].x.time / o[best].x.time),
                cell_real("messages", o[i].x.messages), cell_real("sent_bytes", o[i].x.bytes),
                cell_real("most_bytes", o[i].x.most), cell_int("chain", o[i].x.steps),
                cell_text("winner", o[best].algorithm->name)));
}

/* All algorithms for one number of processes, size and model. */
static int collective_size(const struct scene *s, const struct placement *place, struct cost *cost, int64_t bytes,
                           const struct tick *t, struct err *err)
{
    const struct strings *asked = &s->q->algorithm;
    const double size = (double)(s->segment ? s->segment : bytes) / s->net.rate;
    const struct tree_scene tree = { .net = s->j->net, .where = place, .root = s->q->root, .hop = s->net.cable,
                                     .size = size, .cut = true, .start = 2 * s->net.overhead,
                                     .gap = fmax(s->net.overhead, size), .tick = t };
    struct outcome *o;
    size_t n = 0, all = 0;
    int ret = 0;

    while (collective_all[all])
        all++;
    if (TAKE("the table", err, ZEROS(o, all + asked->n)) < 0)
        return -1;
    for (size_t i = 0; ret == 0 && i < (asked->n ? asked->n : all); i++) {
        const struct collective *a = asked->n ? collective_find(asked->item[i], err) : collective_all[i];
        struct schedule schedule;

        if (!a) {
            ret = -1;
        } else if (!asked->n && (!a->serves[s->q->operation] || (a->two && (place->n & (place->n - 1))) ||
                                 (a->even && place->n % 2 && place->n > 1))) {
            continue;
        } else if (schedule_open(&schedule, &(struct schedule){ .algorithm = a,
                .operation = (enum operation)s->q->operation, .n = place->n, .root = s->q->root, .bytes = bytes,
                .segment = a->segments ? s->segment : 0, .radix = s->q->radix ? s->q->radix : 4, .scene = &tree },
                                 err) < 0) {
            if (asked->n || !a->network || err->code != ERR_DOMAIN)
                ret = -1;
            else if (bytes == s->bytes[0])      /* it does not serve this network */
                table_note(s->j->t, "%.150s: %s; it is left out.", s->j->net->spec, err->msg);
        } else {
            o[n].algorithm = a;
            ret = execute(&o[n].x, &schedule, cost, s->combine, t, err);
            o[n++].done = ret == 0;
            schedule_close(&schedule);
        }
    }
    if (ret == 0)
        collective_rows(s, place, cost, bytes, o, n);
    free(o);
    return ret;
}

static int collective_processes(struct scene *s, int processes, const struct tick *t, struct err *err)
{
    const struct strings *asked = &s->q->cost;
    struct placement place = { 0 };
    int ret = placement_init(&place, s->j->net, s->q->placement, processes, s->q->per_node,
                             s->q->common.seed, err);

    s->net.placement = &place;
    if (ret == 0 && s->q->root >= place.n)
        ret = err_set(err, ERR_DOMAIN, "--root %d is no process of %d: they are 0 to %d", s->q->root, place.n,
                      place.n - 1);
    for (size_t c = 0; ret == 0 && c < (asked->n ? asked->n : 1); c++) {
        struct cost cost = { 0 };

        ret = cost_open(&cost, asked->n ? asked->item[c] : "links", place.n, &s->net, err);
        for (size_t i = 0; ret == 0 && i < s->nbytes; i++)
            ret = collective_size(s, &place, &cost, s->bytes[i], t, err);
        cost_close(&cost);
    }
    placement_release(&place);
    return ret;
}

static int collective_network(struct job *j, struct err *err)
{
    struct scene s = { .j = j, .q = j->request };
    char rate[40], cable[40], overhead[40];
    int ret = scene_read(&s, err);

    s.net.net = j->net;
    s.net.routing = s.q->routing;
    for (size_t i = 0; ret == 0 && i < (s.nprocesses ? s.nprocesses : 1); i++) {
        const struct tick part = tick_step(&j->tick, i, s.nprocesses ? s.nprocesses : 1);

        ret = collective_processes(&s, s.nprocesses ? (int)s.processes[i] : 0, &part, err);
    }
    if (ret == 0 && s.q->cost.n == 0)
        table_note(j->t, "Links of %s, %s a cable, %s of work a message at either end; not fitted to any machine.",
                   quantity_text(rate, 8 * s.net.rate, QUANTITY_RATE), quantity_text(cable, s.net.cable, QUANTITY_TIME),
                   quantity_text(overhead, s.net.overhead, QUANTITY_TIME));
    FREE(s.bytes, s.processes);
    return ret;
}

static int collective_check(struct job *j, struct err *err)
{
    const struct request *q = j->request;

    return q->operation >= 0 ? 0 : err_set(err, ERR_USAGE, "collective needs an operation and a topology, as in "
                                           "`metapath collective allreduce torus:4x4`");
}

static int collective_figure(struct picture *f, const struct table *t, int which, struct err *err)
{
    static const char *const time[] = { "time_us" }, *const by[] = { "algorithm" };
    const bool sizes = look_varies(t, "bytes"), many = look_varies(t, "processes");
    const struct natural figure = { .kind = sizes || many ? "line" : "bar", .x = sizes ? "bytes" : many ? "processes" :
                                    "algorithm", .y = time, .ny = 1, .group = by, .ngroup = sizes || many };

    (void)which;
    return options_figure(f, t, &figure, err);
}

static const struct frame collective_frame = {
    .arguments = "OPERATION SPEC...", .option = collective_options,
    FRAME_REQUEST(struct request, .operation = -1),
    .table = collective_tables, .plots = true, .check = collective_check, .network = collective_network,
    .figure = collective_figure,
    .lacking = "collective needs a topology, as in `metapath collective allreduce torus:4x4`",
    .example = {
        { "Which allreduce is the fastest for which size?",
          "metapath collective allreduce torus:4x4" },
        { "Do segments help a chain?",
          "metapath collective broadcast ring:16 --bytes 1M --segment 16K" },
        { "And if all that counts is a start and a rate?",
          "metapath collective allgather torus:4x4 --cost hockney,a=5us,rate=10Gb/s" }
    },
    .doc = "Collective operations in time.\vOPERATION is broadcast, reduce, allreduce, gather, scatter, allgather, "
        "reduce-scatter, all-to-all or barrier. A row for each algorithm, size, number of processes and model of cost. "
        "An algorithm is what every process sends and receives, in order; it is executed under the model of cost, by "
        "default over the links of the network."
};

const struct cmd cmd_collective = {
    .name = "collective", .group = "Collectives", .frame = &collective_frame,
    .synopsis = "metapath collective OPERATION SPEC... [--algorithm LIST] [--bytes LIST] [--cost LIST]",
    .summary = "collective operations by many algorithms, in time, on the network"
};
