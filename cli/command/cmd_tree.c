#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command/cmd.h"
#include "model/process/placement.h"
#include "model/protocol/ghs.h"

struct request {
    struct options common;
    int per_node;
    double inside;
    int random;                         /* delays */
    int64_t runs;
};

/* ---- options and tables ---- */

static const struct option_field tree_options[] = {
    { .help = "Processes:", .group = 0 },
    { "per-node", 0, "N", "processes on each terminal (default: 1)", 0, INTO(per_node), .least = 1, .most = 1 << 16 },
    { "inside", 0, "LATENCY", "between processes of one node, in the unit of the network's lengths (default: 1)", 0,
      INTO(inside), .from = 0, .to = 1e12 },
    { .help = "Messages:", .group = 1 },
    { "delays", 0, "WHAT", "latencies: a message takes its link's latency; random: up to 1, at random (default: "
      "latencies)", 1, INTO(random), .words = "latencies|random" },
    { "runs", 0, "N", "of random delays, with --seed and the seeds after it (default: 1)", 1, INTO(runs), .least = 1,
      .most = 100000 }, { 0 }
};

#define KEYS PLAIN("topology"), PLAIN("processes"), PLAIN("links"), PLAIN("delays")
static const struct column tree_columns[] = {
    KEYS, { "tree_latency", "Latency of the tree", NULL, -1 }, PLAIN("root"), { "messages", NULL, NULL, 0 },
    { "messages_bound", "At most", "messages", 0 }, { "build_time", "Done after", NULL, -1 }, PLAIN("levels"),
    { "queue", "Under way at once", "messages", YIELDS(0) }, ASIDE("quality")
};
static const struct column types_columns[] = {
    KEYS, PLAIN("message"), { "count", "Mean", NULL, 1 }, { "least", NULL, NULL, IF_FILLED(0) },
    { "greatest", NULL, NULL, IF_FILLED(0) }
};
static const struct column link_columns[] = {
    KEYS, PLAIN("process"), PLAIN("towards"), { "latency", NULL, NULL, -1 }, { "from_node", "From node", NULL, 0 },
    { "to_node", "To node", NULL, 0 }
};
static const struct column message_columns[] = {
    PLAIN("topology"), PLAIN("processes"), PLAIN("delays"), { "time", NULL, NULL, -1 }, PLAIN("event"),
    PLAIN("message"), PLAIN("from_process"), PLAIN("to_process"), PLAIN("level"),
    { "about", "About a latency of", NULL, -1 }
};
enum { TREE, TYPES, LINKS, MESSAGES };
static const struct frame_table tree_tables[] = {
    [TREE] = { NULL, "Trees that processes build", COLUMNS(tree_columns) },
    [TYPES] = { "types", "Messages by type", COLUMNS(types_columns) },
    [LINKS] = { "links", "Links of the tree, towards its root", COLUMNS(link_columns) },
    [MESSAGES] = { "messages", "Messages", COLUMNS(message_columns), .streamed = true }, { 0 }
};

/* ---- rows ---- */

struct tree_job {
    struct job *j;
    const struct request *q;
    struct wiring w;
    struct placement where;
    struct ghs g;
    double sum[GHS_TYPES + 1], least[GHS_TYPES + 1], most[GHS_TYPES + 1];      /* messages; the last: all */
};
#define KEY_CELLS(s) cell_text("topology", (s)->j->net->spec), cell_int("processes", (s)->w.n),     \
    cell_int("links", (int64_t)(s)->w.m), cell_text("delays", (s)->q->random ? "random" : "latencies")

static double latency_of(const struct wiring *w, uint32_t rank)
{
    for (size_t h = 0; h < 2 * w->m; h++)
        if (w->rank[h] == rank)
            return w->latency[h];
    return NAN;
}

static int tree_message(void *arg, const struct protocol *r, const struct message *m, int from, int to, int what,
                        struct err *err)
{
    static const char *const event[] = { "sent", "taken", "put aside" };
    const struct tree_job *s = arg;
    const bool level = m->type == GHS_CONNECT || m->type == GHS_INITIATE || m->type == GHS_TEST,
        about = m->type == GHS_INITIATE || m->type == GHS_TEST || m->type == GHS_REPORT;

    return job_row(s->j, ROW(
        cell_text("topology", s->j->net->spec), cell_int("processes", r->w->n),
        cell_text("delays", s->q->random ? "random" : "latencies"), cell_real("time", r->now),
        cell_text("event", event[what]),
        cell_text("message", ghs_machine.type[m->type]), cell_int("from_process", from), cell_int("to_process", to),
        level ? cell_int("level", m->type == GHS_INITIATE ? m->level / 2 : m->level) : cell_none("level"),
        cell_real("about", about ? latency_of(r->w, m->value) : NAN)), err);
}

static void tree_links(const struct tree_job *s)
{
    char from[NET_LABEL], to[NET_LABEL];

    for (int p = 0; p < s->w.n; p++) {
        const int64_t in = s->g.process[p].in;

        if (s->g.process[p].root != p && in >= 0)
            table_add(s->j->t, ROW(KEY_CELLS(s), cell_int("process", p), cell_int("towards", s->w.to[in]),
                cell_real("latency", s->w.latency[in]),
                cell_text("from_node", net_label(s->j->net, s->where.node[p], from)),
                cell_text("to_node", net_label(s->j->net, s->where.node[s->w.to[in]], to))));
    }
}

static void tree_row(const struct tree_job *s, const struct protocol *r)
{
    const double n = s->w.n;
    double sum = 0;
    int roots = 0;

    for (int p = 0; p < s->w.n; p++) {
        const int64_t in = s->g.process[p].in;

        roots += s->g.process[p].root == p;
        sum += s->g.process[p].root != p && in >= 0 ? s->w.latency[in] : 0;
    }
    table_add(s->j->t, ROW(KEY_CELLS(s), cell_real("tree_latency", sum), cell_int("root", s->g.process[0].root),
        cell_real("messages", s->sum[GHS_TYPES] / (double)s->q->runs),
        cell_real("messages_bound", floor(5 * n * log2(n) + 2 * (double)s->w.m + n - 1)),
        cell_real("build_time", r->now), cell_int("levels", s->g.levels), cell_int("queue", (int64_t)r->peak),
        cell_text("quality", "exact")));
    if (roots > 1)
        table_note(s->j->t, "%.150s is not connected: a tree for each of %d parts, the first one's root is shown.",
                   s->j->net->spec, roots);
}

static void tree_types(const struct tree_job *s)
{
    for (int k = 0; k <= GHS_TYPES; k++)
        table_add(s->j->t, ROW(KEY_CELLS(s), cell_text("message", k < GHS_TYPES ? ghs_machine.type[k] : "all"),
            cell_real("count", s->sum[k] / (double)s->q->runs), cell_real("least", s->q->runs > 1 ? s->least[k] : NAN),
            cell_real("greatest", s->q->runs > 1 ? s->most[k] : NAN)));
}

static void tree_count(struct tree_job *s, const struct protocol *r, bool first)
{
    for (int k = 0; k <= GHS_TYPES; k++) {
        const double count = k < GHS_TYPES ? r->count[k] : protocol_messages(r);

        s->sum[k] += count;
        s->least[k] = first ? count : fmin(s->least[k], count);
        s->most[k] = first ? count : fmax(s->most[k], count);
    }
}

static int tree_runs(struct tree_job *s, struct err *err)
{
    const struct protocol_watch watch = { tree_message, s };
    struct protocol r = { 0 };
    int ret = 0;

    for (int64_t k = 0; ret == 0 && k < s->q->runs; k++) {
        const struct tick part = tick_step(&s->j->tick, (size_t)k, (size_t)s->q->runs);

        protocol_release(&r);
        ghs_release(&s->g);
        ret = ghs_open(&s->g, &s->w, err) < 0 ||
            protocol_open(&r, &s->w, &ghs_machine, &s->g, s->q->random ? s->q->common.seed + (uint64_t)k : 0,
                          err) < 0 ? -1 : 0;
        r.watch = s->j->which == MESSAGES ? &watch : NULL;
        ret = ret < 0 ? -1 : protocol_run(&r, &part, err);
        if (ret == 0)
            tree_count(s, &r, k == 0);
    }
    if (ret == 0 && s->j->which == TREE)
        tree_row(s, &r);
    if (ret == 0 && s->j->which == TYPES)
        tree_types(s);
    if (ret == 0 && s->j->which == LINKS)
        tree_links(s);
    protocol_release(&r);
    return ret;
}

static int tree_network(struct job *j, struct err *err)
{
    struct tree_job s = { .j = j, .q = j->request };
    const int ret = placement_init(&s.where, j->net, NULL, 0, s.q->per_node, 1, err) < 0 ||
        wiring_net(&s.w, j->net, &s.where, s.q->inside, err) < 0 || tree_runs(&s, err) < 0 ? -1 : 0;

    ghs_release(&s.g);
    wiring_release(&s.w);
    placement_release(&s.where);
    return ret;
}

static int tree_check(struct job *j, struct err *err)
{
    const struct request *q = j->request;

    j->timed = false;
    return q->random || q->runs == 1 ? 0 :
        err_set(err, ERR_USAGE, "--runs are of --delays random: by latencies all are alike");
}

static const struct frame tree_frame = {
    .arguments = "SPEC...", .option = tree_options,
    FRAME_REQUEST(struct request, .per_node = 1, .inside = 1, .runs = 1), .table = tree_tables,
    .check = tree_check, .network = tree_network,
    .lacking = "tree needs a topology or a matrix of latencies, as in `metapath tree torus:8x8`",
    .example = {
        { "What does it cost processes to build a spanning tree themselves?",
          "metapath tree torus:8x8 hypercube:6" },
        { "How many messages of which type, if delays are random?",
          "metapath tree torus:8x8 --delays random --runs 20 --show types" },
        { "Who says what to whom?",
          "metapath tree ring:4 --show messages" }
    },
    .doc = "Minimum spanning trees that processes build themselves, message by message.\vEvery process knows the "
        "latencies of its own links alone. By the algorithm of Gallager, Humblet and Spira (1983) fragments of "
        "the tree join over the link of least latency that leaves them, of equal ones that between the processes "
        "of least number, until none is left. Latencies are the lengths of links (`latency=` of a topology, a "
        "file with `weight=latency`, a matrix), 1 where there are none; with --per-node several processes run on "
        "each node, all joined to those of the nodes beside. `At most` is the algorithm's bound, 5 n log2 n + 2 "
        "m, and n - 1 for who is told at last. All processes begin at 0."
};

const struct cmd cmd_tree = {
    .name = "tree", .group = "Collectives", .frame = &tree_frame,
    .synopsis = "metapath tree SPEC... [--per-node N] [--inside LATENCY] [--delays latencies|random]",
    .summary = "spanning trees that processes build by messages: what it costs them"
};
