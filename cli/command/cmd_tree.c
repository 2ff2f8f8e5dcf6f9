/* cmd_tree.c -- `metapath tree`: trees of processes where latencies differ (cli/tree/tree.h).
 * 1. options and tables
 * 2. rows      of a tree: its broadcast, its links, what processes out of reach are
 * 3. building  by messages, as often as asked for, and what that took
 * 4. networks  units, wires, and every tree on them
 * 5. figures */
#include "cli/command/cmd.h"
#include "cli/request/arrows.h"
#include "cli/request/look.h"
#include "cli/request/notes.h"
#include "cli/tree/tree.h"
#include "texts/cmd.h"

/* ---- options and tables ---- */

/* 64, 4K, 1MB. */
static int take_bytes(void *about, const char *arg, struct err *err)
{
    double *out = &((struct request *)about)->bytes;
    char text[48];
    bool unit;

    snprintf(text, sizeof text, "%.40s%s", arg, *arg && strchr("KMG", arg[strlen(arg) - 1]) ? "B" : "");
    if (strlen(arg) > 40 || quantity_parse(out, &unit, text, QUANTITY_SIZE, "--bytes", err) < 0)
        return strlen(arg) > 40 ? err_set(err, ERR_USAGE, "--bytes is too long") : -1;
    if (*out < 0)
        return err_set(err, ERR_USAGE, "--bytes is %.40s; it must not be negative", arg);
    return quantity_limit(*out, arg, QUANTITY_SIZE, "--bytes", err);
}

static int take_threshold(void *about, const char *arg, struct err *err)
{
    return option_percent(&((struct request *)about)->threshold, arg, 0, 1e6, "--threshold", err);
}

static const struct option_field tree_options[] = {
    { .help = "Processes:", .group = 0 },
    { CMD_TREE_ROOT, 0, INTO(from) },
    { CMD_TREE_PLACEMENT, 0, INTO(placement) },
    { CMD_TREE_PER_NODE, 0, INTO(per_node), .least = 1, .most = 1 << 16 },
    { CMD_TREE_INSIDE, 0, INTO(text[INSIDE]) },
    { .help = "Trees and messages:", .group = 1 },
    { CMD_TREE_ALGORITHM, 1, INTO(algorithm) },
    { CMD_TREE_BYTES, 1, .take = take_bytes },
    { CMD_TREE_OVERHEAD, 1, INTO(text[OVERHEAD]) },
    { CMD_TREE_SERIAL, 1, INTO(serial) },
    { CMD_TREE_DELAYS, 1, INTO(random), .words = "latencies|random" },
    { CMD_TREE_RUNS, 1, INTO(runs), .least = 1, .most = 100000 },
    { .help = "Latencies that change:", .group = 2 },
    { CMD_TREE_BROADCASTS, 2, INTO(broadcasts), .least = 1, .most = 1 << 20 },
    { CMD_TREE_SCENARIO, 2, INTO(scenario) },
    { CMD_TREE_EVERY, 2, INTO(every) },
    { CMD_TREE_THRESHOLD, 2, .take = take_threshold },
    { CMD_TREE_VALUE, 2, INTO(value) },
    { CMD_TREE_PROBE, 2, INTO(text[PROBE]) },
    { CMD_TREE_CLIQUES, 2, INTO(cliques) },
    { CMD_TREE_CHECK, 2, INTO(text[CHECK]) },
    { CMD_TREE_PAUSE, 2, INTO(text[PAUSE]) }, { 0 }
};

#define KEYS PLAIN("topology"), PLAIN("processes"), PLAIN("links"), PLAIN("delays")
#define R(m) MEMBER(0, struct relay, m)
#define P(m) MEMBER(0, struct played, m)

static const struct column tree_columns[] = {
    PLAIN("topology"), PLAIN("processes"), PLAIN("root"), PLAIN("algorithm"),
    { "broadcast", NULL, NULL, -1, R(broadcast) }, { "reduce", NULL, NULL, -1, R(reduce) },
    { "barrier", NULL, NULL, -1, R(barrier) },
    { "path", "Last by", NULL, 0, LOOSE }, { "build_messages", "Messages to build", NULL, YIELDS(0), LOOSE },
    { "build_time", "Time to build", NULL, YIELDS(-1), LOOSE }, ASIDE("last_process"),
    { "tree_latency", "Latency of the tree", NULL, COLUMN_ASIDE, LOOSE }, { "lost", NULL, NULL, COLUMN_ASIDE, R(lost) }
};
static const struct column building_columns[] = {
    KEYS, { "tree_latency", "Latency of the tree", NULL, -1, LOOSE }, { "root", "Root", NULL, 0, LOOSE },
    { "messages", NULL, NULL, 0, LOOSE }, { "messages_bound", "At most", "messages", 0, LOOSE },
    { "build_time", "Done after", NULL, -1, LOOSE }, PLAIN("levels"),
    { "queue", "Under way at once", "messages", YIELDS(0), LOOSE },
    ASIDE("quality")
};
static const struct column types_columns[] = {
    KEYS, PLAIN("message"), { "count", "Mean", NULL, 1, LOOSE }, { "least", NULL, NULL, IF_FILLED(0), LOOSE },
    { "greatest", NULL, NULL, IF_FILLED(0), LOOSE }
};
static const struct column link_columns[] = {
    PLAIN("topology"), PLAIN("processes"), PLAIN("root"), PLAIN("algorithm"), PLAIN("from_process"),
    PLAIN("to_process"), { "latency", NULL, NULL, -1, LOOSE }, { "sent", NULL, NULL, -1, LOOSE },
    { "arrives", NULL, NULL, -1, LOOSE },
    { "from_node", "From node", NULL, 0, LOOSE }, { "to_node", "To node", NULL, 0, LOOSE }
};
static const struct column message_columns[] = {
    PLAIN("topology"), PLAIN("processes"), PLAIN("delays"), { "time", NULL, NULL, -1, LOOSE }, PLAIN("event"),
    PLAIN("message"), PLAIN("from_process"), PLAIN("to_process"), PLAIN("level"),
    { "about", "About a latency of", NULL, -1, LOOSE }
};
#define PLAYED_KEYS PLAIN("topology"), PLAIN("processes"), PLAIN("root"), PLAIN("strategy")
static const struct column played_columns[] = {
    PLAYED_KEYS, PLAIN("broadcasts"), { "building", NULL, NULL, -1, P(building) },
    { "adapting", NULL, NULL, -1, P(adapting) },
    { "broadcasting", NULL, NULL, -1, P(broadcasting) }, { "total", NULL, NULL, -1, LOOSE },
    { "messages", NULL, NULL, 0, LOOSE },
    { "break_even", "Pays from", NULL, 0, LOOSE }, { "checks", NULL, NULL, COLUMN_ASIDE, P(checks) },
    { "changed", NULL, NULL, COLUMN_ASIDE, P(changed) }, { "probes", NULL, NULL, COLUMN_ASIDE, P(probes) }
};
static const struct column course_columns[] = { PLAYED_KEYS, PLAIN("broadcast"), { "total", NULL, NULL, -1, LOOSE } };
static const struct column played_types_columns[] = { PLAYED_KEYS, PLAIN("message"), PLAIN("count") };
static const struct conclusion soonest = { .score = "broadcast", .noun = "broadcast time", .contender = { "algorithm" },
                                           .scope = { "topology" } },
    least = { .score = "total", .noun = "total time", .contender = { "strategy" }, .scope = { "topology" } };
static const struct frame_table tree_tables[] = {
    [TREE] = { NULL, "Trees of processes", COLUMNS(tree_columns), .conclusion = &soonest },
    [BUILDING] = { "building", "Trees that processes build", COLUMNS(building_columns) },
    [TYPES] = { "types", "Messages by type", COLUMNS(types_columns) },
    [LINKS] = { "links", "Links of the trees, from the root on", COLUMNS(link_columns), .apart = true },
    [MESSAGES] = { "messages", "Messages", COLUMNS(message_columns), .streamed = true },
    [PLAYED] = { NULL, "Broadcasts while latencies change", COLUMNS(played_columns), .conclusion = &least },
    [COURSE] = { "course", "Time after each broadcast", COLUMNS(course_columns) },
    [PLAYED_TYPES] = { NULL, "Messages by type", COLUMNS(played_types_columns) }, { 0 }
};

static int tree_pick(const void *request)
{
    const struct request *q = request;
    const char *show = q->common.show;

    if (!show)
        return tree_plays(q) ? PLAYED : TREE;
    for (int i = 0; tree_tables[i].column; i++)
        if (tree_tables[i].show && strcmp(tree_tables[i].show, show) == 0)
            return i == TYPES && tree_plays(q) ? PLAYED_TYPES : i;
    return TREE;
}

/* ---- rows ---- */

#define KEY_CELLS(s) cell_text("topology", (s)->j->net->spec), cell_int("processes", (s)->where.n), \
    cell_int("links", (int64_t)(s)->m), cell_text("delays", (s)->q->random ? "random" : "latencies")

/* "12>20>0": the way to the last process; of a long one both ends. */
static const char *tree_path(char out[120], const struct relay *r)
{
    int steps = 0, at = 0;
    char one[16];

    for (int v = r->last; v > 0; v = r->tree->parent[v])
        steps++;
    *out = '\0';
    for (int k = 0; k <= steps; k++) {          /* k steps from the root */
        if (steps > 5 && k > 1 && k < steps - 1) {
            k = steps - 2;
            strcat(out, ">...");
            continue;
        }
        at = r->last;
        for (int back = steps - k; back > 0; back--)
            at = r->tree->parent[at];
        snprintf(one, sizeof one, "%s%d", k ? ">" : "", tree_process(at, r->root, r->tree->n));
        strcat(out, one);
    }
    return out;
}

static void tree_row(const struct tree_job *s, const char *name, const struct relay *r, bool built)
{
    char path[120];
    double sum = 0;

    for (int v = 1; v < r->tree->n; v++)
        sum += isinf(r->way[v]) ? 0 : r->way[v];
    table_add(s->j->t, ROW(
        MEMBERS(r), cell_text("topology", s->j->net->spec), cell_int("processes", s->where.n),
        cell_int("root", s->q->root), cell_text("algorithm", name), cell_real("tree_latency", sum),
        cell_int("last_process", tree_process(r->last, r->root, r->tree->n)), cell_text("path", tree_path(path, r)),
        cell_real("build_messages", built ? s->sum[ADAPT_TYPES] / (double)s->q->runs : 0),
        cell_real("build_time", built ? s->built : 0)));
}

static void tree_links(const struct tree_job *s, const char *name, const struct relay *r)
{
    char from[NET_LABEL], to[NET_LABEL];

    for (int i = 1; i < r->tree->n; i++) {
        const int v = r->order[i], a = tree_process(r->tree->parent[v], r->root, r->tree->n),
            b = tree_process(v, r->root, r->tree->n);

        if (!isinf(r->at[v]))
            table_add(s->j->t, ROW(
                cell_text("topology", s->j->net->spec), cell_int("processes", s->where.n), cell_int("root", s->q->root),
                cell_text("algorithm", name), cell_int("from_process", a), cell_int("to_process", b),
                cell_real("latency", r->way[v]), cell_real("sent", r->sent[v]), cell_real("arrives", r->at[v]),
                cell_text("from_node", net_label(s->j->net, s->where.node[a], from)),
                cell_text("to_node", net_label(s->j->net, s->where.node[b], to))));
    }
}

/* Who is out of reach, of many the first. */
static void tree_lost(const struct tree_job *s, const char *name, const struct relay *r)
{
    enum { NAMED = 8 };
    char lost[12 * NAMED + 1] = "";
    int n = 0;

    for (int p = 0; p < r->tree->n && n < NAMED; p++)
        if (isinf(r->at[tree_rank(p, r->root, r->tree->n)]))
            sprintf(lost + strlen(lost), "%s%d", n++ ? ", " : "", p);
    table_note(s->j->t, "%s: %d of %d processes are cut off from process %d: %s%s; the others alone count.", name,
               r->lost, r->tree->n, r->root, lost, r->lost > NAMED ? " and others" : "");
}

static int tree_one(const struct tree_job *s, const struct wiring *w, const char *name, struct err *err)
{
    const struct tree *tree;
    const int what = tree_what(name, &tree, err);
    struct tree_shape shape = { 0 };
    struct relay r = { 0 };
    int ret = what < 0 || (what == TREE_STAYS ? tree_lay(&shape, s, tree, err) :
                           spanning_shape(&shape, &s->span, &s->where, s->q->root, &s->how, err)) < 0 ||
        relay_open(&r, w, &shape, s->q->root, &s->j->tick, err) < 0 || relay_run(&r, &s->how, false, err) < 0 ? -1 : 0;

    if (ret == 0 && s->j->which == LINKS)
        tree_links(s, name, &r);
    else if (ret == 0)
        tree_row(s, name, &r, what == TREE_SPANS);
    if (ret == 0 && r.lost)
        tree_lost(s, name, &r);
    relay_close(&r);
    tree_shape_release(&shape);
    return ret;
}

/* ---- building ---- */

static void tree_building(const struct tree_job *s, const struct protocol *r)
{
    const struct spanning *t = &s->span;
    const double n = s->where.n;
    double sum = 0;
    int roots = 0;

    for (int p = 0; p < s->where.n; p++) {
        const int64_t in = t->g.process[p].in;

        roots += in < 0;
        sum += in >= 0 ? t->w.latency[in] : 0;
    }
    table_add(s->j->t, ROW(KEY_CELLS(s), cell_real("tree_latency", sum), cell_int("root", t->g.process[0].root),
        cell_real("messages", s->sum[ADAPT_TYPES] / (double)s->q->runs),
        cell_real("messages_bound", floor(5 * n * log2(n) + 2 * (double)s->m + n - 1)),
        cell_real("build_time", s->built), cell_int("levels", t->g.levels), cell_int("queue", (int64_t)r->peak),
        cell_text("quality", "exact")));
    if (roots > 1)
        table_note(s->j->t, "%.150s is not connected: a tree for each of %d parts, the first one's root is shown.",
                   s->j->net->spec, roots);
}

static void tree_types(const struct tree_job *s)
{
    for (int k = 0; k <= GHS_TYPES; k++) {
        const int at = k < GHS_TYPES ? k : ADAPT_TYPES;

        table_add(s->j->t, ROW(KEY_CELLS(s), cell_text("message", k < GHS_TYPES ? ghs_machine.type[k] : "all"),
            cell_real("count", s->sum[at] / (double)s->q->runs),
            cell_real("least", s->q->runs > 1 ? s->least[at] : NAN),
            cell_real("greatest", s->q->runs > 1 ? s->most[at] : NAN)));
    }
}

static void tree_count(struct tree_job *s, const struct protocol *r, bool first)
{
    for (int k = 0; k <= ADAPT_TYPES; k++) {
        const double count = k < ADAPT_TYPES ? r->count[k] : protocol_messages(r);

        s->sum[k] += count;
        s->least[k] = first ? count : fmin(s->least[k], count);
        s->most[k] = first ? count : fmax(s->most[k], count);
    }
}

/* The tree is built, as often as asked for. */
static int tree_runs(struct tree_job *s, struct err *err)
{
    const struct protocol_watch watch = { tree_message, s };
    struct protocol r = { 0 };
    int ret = 0;

    for (int64_t k = 0; ret == 0 && k < s->q->runs; k++) {
        const struct tick part = tick_step(&s->j->tick, (size_t)k, (size_t)s->q->runs);

        protocol_release(&r);
        ghs_release(&s->span.g);
        ret = ghs_open(&s->span.g, &s->span.w, err) < 0 ||
            protocol_open(&r, &s->span.w, &ghs_machine, &s->span.g,
                          s->q->random ? s->q->common.seed + (uint64_t)k : 0, err) < 0 ? -1 : 0;
        r.watch = s->j->which == MESSAGES ? &watch : NULL;
        ret = ret < 0 || protocol_run(&r, &part, err) < 0 ? -1 : r.kept == 0 ? 0 :
            err_set(err, ERR_INTERNAL, "%zu messages of processes wait for ever", r.kept);
        if (ret == 0)
            tree_count(s, &r, k == 0);
        s->built += r.now;
    }
    s->built /= (double)s->q->runs;
    if (ret == 0 && s->j->which == BUILDING)
        tree_building(s, &r);
    if (ret == 0 && s->j->which == TYPES)
        tree_types(s);
    protocol_release(&r);
    return ret;
}

/* ---- networks ---- */

/* What one algorithm cannot is said, and leaves the others. */
static int tree_compare(struct tree_job *s, struct err *err)
{
    const char *name;
    bool spans = false;

    for (size_t i = 0; (name = tree_name(s, i)); i++) {
        const struct tree *tree;
        const int what = tree_what(name, &tree, err);

        if (what < 0)
            return -1;
        if (what == TREE_ADAPTS)
            return err_set(err, ERR_USAGE, "a tree that adapts needs something that changes: --scenario or "
                           "--broadcasts");
        spans = spans || what == TREE_SPANS;
    }
    if (spans && tree_runs(s, err) < 0)
        return -1;
    for (size_t i = 0; (name = tree_name(s, i)); i++)
        if (tree_one(s, &s->span.w, name, err) < 0 &&
                job_refuse(s->j, tree_passes(s, err), ROW(cell_text("topology", s->j->net->spec),
                                                             cell_text("algorithm", name)), err, "%s, %s: %s.",
                           s->j->net->spec, name, err->msg) < 0)
            return -1;
    return 0;
}

/* 1 KB at 200 Gb/s beside 100 ns of a cable: in latencies of links that say none. */
#define USUAL_SEND (1024 / 25e9 / 100e-9)

/* Times and sizes in the unit of the latencies. times: these are in seconds. */
static int tree_units(struct tree_job *s, bool times, struct err *err)
{
    const struct cables *c = &s->j->net->cables;
    const bool rates = c->rate > 0;
    const double bytes = s->q->bytes;

    for (int k = 0; k < TIMES; k++) {
        if (s->q->unit[k] && !times)
            return err_set(err, ERR_USAGE, "%.200s has latencies that are numbers, without a unit: times of options "
                           "are too", s->j->net->spec);
        s->time[k] = s->q->time[k] * (c->unit > 0 && !s->q->unit[k] ? c->unit : 1);
    }
    if (!s->q->text[INSIDE])
        s->time[INSIDE] = times ? 1e-3 : 1;
    if (bytes > 0 && rates != times)
        return err_set(err, ERR_USAGE, "%.200s has %s: --bytes needs both as quantities (10ms, 1Gb/s), or both as "
                       "numbers", s->j->net->spec, rates ? "bandwidths that are rates, and latencies that are numbers" :
                       "latencies that are times, and bandwidths that are numbers");
    s->how = (struct relay_how){ rates ? 8 * bytes / c->rate : bytes, s->time[OVERHEAD], s->q->serial };
    if (!isnan(bytes) || s->q->text[OVERHEAD] || s->q->serial || tree_plays(s->q) || c->kind)
        s->how.size = isnan(s->how.size) ? 0 : s->how.size;
    else
        s->how = (struct relay_how){ USUAL_SEND, 0, true };
    s->inside = s->time[INSIDE] + s->how.size / cables_most(c).bandwidth;
    return 0;
}

static int tree_network(struct job *j, struct err *err);

/* A file that does not say what its weights are: latencies, here. */
static int tree_weights(struct job *j, struct err *err)
{
    struct net *given = j->net;
    char *spec;
    int ret;

    if (asprintf(&spec, "%s,weight=latency", given->spec) < 0)
        return err_memory(err);
    ret = net_open(&j->net, spec, err);
    free(spec);
    if (ret == 0) {
        table_note(j->t, "%.150s: its weights are taken for latencies.", given->spec);
        ret = tree_network(j, err);
        net_close(j->net);
    }
    j->net = given;
    return ret;
}

static int tree_network(struct job *j, struct err *err)
{
    struct request *q = j->request;
    struct tree_job s = { .j = j, .q = q };
    const struct cables *c = &j->net->cables;
    const bool times = c->times || (c->rate > 0 && cables_most(c).length == 0);
    int ret = -1;

    if (j->net->weight && cables_alike(c) && !c->kind)
        return tree_weights(j, err);
    if (tree_units(&s, times, err) < 0)
        return -1;
    if (placement_init(&s.where, j->net, s.q->placement, 0, s.q->per_node, s.q->common.seed, err) < 0)
        return -1;
    notes_hosts(j->t, j->net, &s.where);
    if (job_fact(j, err, times ? "seconds" : "numbers") < 0)
        goto done;
    if (tree_root(&q->root, &s, err) == 0 && wires_net(&s.wire, &s.m, j->net, &s.where, s.time[INSIDE], err) == 0 &&
        (tree_plays(s.q) || wiring_open(&s.span.w, s.where.n, s.wire, s.m, err) == 0))
        ret = tree_plays(s.q) ? tree_play(&s, err) :
            j->which == TREE || j->which == LINKS ? tree_compare(&s, err) : tree_runs(&s, err);
    if (ret == 0 && j->net->directed)
        table_note(j->t, "%.150s: messages take half of what there and back take together, as a round trip measures "
                   "it.", j->net->spec);
    if (ret == 0 && j->net->nterminal < j->net->n)
        table_note(j->t, "%.150s has switches: links here are the quickest ways between processes.", j->net->spec);
    if (ret == 0 && (j->which == TREE || j->which == LINKS) && isnan(q->bytes) && s.how.size > 0)
        table_note(j->t, "A link takes 1, and a process sends one message after the other, each for %.2f (1 KB at 200 Gb/s "
                   "beside 100 ns a cable); --bytes 0 leaves that out.", s.how.size);
    else if (ret == 0 && (j->which == TREE || j->which >= PLAYED) && s.how.size + s.how.overhead == 0)
        table_note(j->t, "Sending costs no time; --bytes, --overhead and --serial change that.");
    if (ret == 0 && s.where.n > j->net->nterminal && !s.q->text[INSIDE])
        table_note(j->t, "Processes of one node are taken to be %s apart; --inside says otherwise.",
                   times ? "1 ms" : "1");
    if (ret == 0 && times)
        table_note(j->t, "%.150s: all times are in seconds.", j->net->spec);
done:
    spanning_release(&s.span);
    free(s.wire);
    placement_release(&s.where);
    return ret;
}

static int tree_fact(struct job *j, const char *text, struct err *)
{
    ((struct request *)j->request)->seconds = strcmp(text, "seconds") == 0;
    return 0;
}

static int tree_check(struct job *j, struct err *err)
{
    static const char *const name[TIMES] = { "--inside", "--overhead", "--check", "--probe", "--pause" };
    struct request *q = j->request;

    j->timed = false;
    for (int k = 0; k < TIMES; k++) {
        bool unit = false;

        if (q->text[k] && quantity_parse(&q->time[k], &unit, q->text[k], QUANTITY_TIME, name[k], err) < 0)
            return -1;
        if (!(q->time[k] >= 0 && q->time[k] <= 1e12))
            return err_set(err, ERR_USAGE, "%s is '%.40s'; it may be 0 to 1e+12", name[k], q->text[k]);
        if (q->time[k] > 0 && q->time[k] < 1e-12)
            return err_set(err, ERR_USAGE, "%s is '%.40s'; it may be 0, or 1e-12 to 1e+12", name[k], q->text[k]);
        q->unit[k] = unit;
    }
    if (q->common.plot && q->common.show && strcmp(q->common.show, "messages") == 0)
        return err_set(err, ERR_USAGE, "--show messages has no figure");
    if (!q->random && q->runs > 1)
        return err_set(err, ERR_USAGE, "--runs are of --delays random: by latencies all are alike");
    return tree_play_check(q, err);
}

/* ---- figures ---- */

static int tree_figure(struct picture *f, const struct table *t, int which, struct err *err)
{
    static const char *const times[] = { "broadcast", "reduce", "barrier" }, *const lanes[] = { "from_process",
                                                                                               "to_process" },
                      *const counts[] = { "count" }, *const messages[] = { "messages" },
                      *const of[] = { "topology" }, *const by[] = { "algorithm", "topology" };
    const char *facet[2];
    struct natural figure = { .kind = "bar", .x = "algorithm", .y = times, .ny = 3, .facet = of,
                              .nfacet = look_varies(t, "topology") };

    if (which >= PLAYED)
        return tree_played_figure(f, t, which, err);
    if (which == LINKS && f->request)
        return arrows_draw(f, t, "algorithm", err);
    if (which == LINKS)
        figure = (struct natural){ .kind = "timeline", .x = "sent", .x_end = "arrives", .y = lanes, .ny = 2,
                                   .facet = facet, .nfacet = look_varying(facet, t, by, 2) };
    if (which == BUILDING || which == TYPES)
        figure = (struct natural){ .kind = "bar", .x = which == TYPES ? "message" : "topology", .y = which == TYPES ?
                                   counts : messages, .ny = 1, .facet = of,
                                   .nfacet = which == TYPES && look_varies(t, "topology") };
    if (which == BUILDING || which == TYPES)
        return options_figure(f, t, &figure, err);
    return which == TREE || which == LINKS ? tree_chart(f, t, &figure, err) : 0;
}

static const struct frame tree_frame = {
    CMD_TREE_FRAME, .option = tree_options, FRAME_REQUEST(struct request, .runs = 1, .bytes = NAN), .table = tree_tables,
    .plots = true, .pick = tree_pick, .check = tree_check, .network = tree_network, .fact = tree_fact,
    .figure = tree_figure
};

const struct cmd cmd_tree = { CMD_TREE_ENTRY, .frame = &tree_frame };
