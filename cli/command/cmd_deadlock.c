/* `metapath deadlock`: whether messages may block each other for good.
 * 1. options   and what of them goes together
 * 2. tables
 * 3. rows      of one routing and scheme: verdict, cycle, dependencies, classes
 * 4. work      networks, routings or policies, schemes
 * 5. figure    the cycle in the network */
#include "analysis/deadlock/dependencies.h"
#include "analysis/policy/policy.h"
#include "cli/command/cmd.h"
#include "cli/command/deadlock_orders.h"
#include "cli/request/drawing.h"
#include "cli/request/load.h"
#include "texts/cmd.h"

struct request {
    struct options common;
    struct drawing_request drawing;
    struct strings routing, classes, buffers;
    int duplex, destinations;
    const char *order;
    bool check, unfolded;
    struct highlight cycle;             /* of the first row that has one */
    char *where;                        /* its network */
    int ncycle;                         /* rows that have one */
};

/* ---- options ---- */

static const struct option_field deadlock_options_own[] = {
    { .help = "Messages:", .group = 0 },
    { CMD_DEADLOCK_ROUTING, 0, INTO(routing) },
    { CMD_DEADLOCK_CLASSES, 0, INTO(classes) },
    { CMD_DEADLOCK_BUFFER_CLASSES, 0, INTO(buffers) },
    { CMD_DEADLOCK_DUPLEX, 0, INTO(duplex) },
    { CMD_DEADLOCK_DESTINATIONS, 0, INTO(destinations) },
    { CMD_DEADLOCK_SYMMETRY, 0, INTO(unfolded) },
    { CMD_DEADLOCK_ORDER, 0, INTO(order) },
    { CMD_DEADLOCK_CHECK, 0, INTO(check) }, { 0 }
};

/* ---- tables ---- */

static const struct column verdict_columns[] = {
    PLAIN("topology"), PLAIN("routing"), ASIDE("held"), PLAIN("classes"), PLAIN("verdict"),
    { "cycle_length", "Cycle", NULL, 0, LOOSE },
    { "channels", "Enough", NULL, 0, LOOSE }, { "channels_by", "by", NULL, 0, LOOSE }, ASIDE("classes_used"),
    { "resources", "Channels in use", NULL, COLUMN_ASIDE, LOOSE },
    { "dependencies", "Dependencies", NULL, COLUMN_ASIDE, LOOSE }, ASIDE("quality")
};
static const struct column dependency_columns[] = {
    PLAIN("topology"), PLAIN("routing"), PLAIN("classes"),
    { "holds", "Holds", NULL, 0, LOOSE }, { "holds_class", "Class held", NULL, 0, LOOSE },
    { "waits_for", "Waits for", NULL, 0, LOOSE }, { "waits_class", "Class awaited", NULL, 0, LOOSE }
};
static const struct column cycle_columns[] = {
    PLAIN("topology"), PLAIN("routing"), PLAIN("classes"),
    { "holds", "Holds", NULL, 0, LOOSE }, { "holds_class", "Class held", NULL, 0, LOOSE },
    { "waits_for", "Waits for", NULL, 0, LOOSE }, { "waits_class", "Class awaited", NULL, 0, LOOSE }, PLAIN("route")
};
static const struct column class_columns[] = {
    PLAIN("topology"), PLAIN("routing"), PLAIN("classes"), { "links", "Links", NULL, 0, LOOSE }, PLAIN("class"),
    PLAIN("meaning"), { "used_on", "Used on", NULL, 0, LOOSE }, { "channel", "Channel", NULL, 0, LOOSE }
};
enum { SHOW_VERDICT, SHOW_DEPENDENCIES, SHOW_CYCLE, SHOW_CLASSES, SHOW_ORDER };
static const struct frame_table deadlock_tables[] = {
    [SHOW_VERDICT] = { NULL, "Deadlock", COLUMNS(verdict_columns), .apart = true },
    [SHOW_DEPENDENCIES] = { "dependencies", "What may wait for what", COLUMNS(dependency_columns), .streamed = true,
                            .apart = true },
    [SHOW_CYCLE] = { "cycle", "Cycles, with a route for each dependency", COLUMNS(cycle_columns), .apart = true },
    [SHOW_CLASSES] = { "classes", "Classes, and the channels that they can share", COLUMNS(class_columns),
                       .apart = true },
    [SHOW_ORDER] = { NULL, DEADLOCK_ORDERS_TITLE, COLUMNS(deadlock_orders_columns) }, { 0 }
};

static int deadlock_pick(const void *request)
{
    const struct request *q = request;

    if (q->order)
        return SHOW_ORDER;
    for (int i = 0; q->common.show && i < SHOW_ORDER; i++)
        if (deadlock_tables[i].show && strcmp(deadlock_tables[i].show, q->common.show) == 0)
            return i;
    return SHOW_VERDICT;
}

static int deadlock_check(struct job *j, struct err *err)
{
    const struct request *q = j->request;
    const bool networks = q->routing.n || q->classes.n || q->buffers.n || q->duplex || q->destinations ||
        q->common.show;

    if (q->order && (j->o->spec.n || networks || q->unfolded || drawing_asked(&q->drawing)))
        return err_set(err, ERR_USAGE, "--order is about calls, not about a network: give one of the two");
    if (q->order && j->o->plot)
        return err_set(err, ERR_USAGE, "--order has no figure");
    if (j->o->plot && j->which == SHOW_CLASSES)
        return err_set(err, ERR_USAGE, "classes have no figure: leave out --plot, or take --show cycle, which draws "
                       "the network with its cycle");
    if (!q->order && j->o->spec.n == 0)
        return err_set(err, ERR_USAGE, "deadlock needs a topology, as in `metapath deadlock torus:8x8 --routing dor`, "
                       "or --order FILE.csv");
    if (q->buffers.n && q->duplex)
        return err_set(err, ERR_USAGE, "--duplex is of channels; with --buffer-classes messages hold buffers");
    for (size_t i = 0; i < j->t->ncolumn && !q->classes.n && !q->buffers.n; i++)     /* one class: nothing to see */
        if (strstr(j->column[i].name, "_class"))
            j->column[i].decimals = COLUMN_ASIDE;
    j->sweep = j->sweep || q->routing.n > 1 || q->classes.n + q->buffers.n > 1;
    return 0;
}

/* ---- rows ---- */

/* One network, routing and scheme. */
struct scene {
    struct job *j;
    const struct request *q;
    const char *routing;                /* as asked: a policy is one of several routings */
    struct routing *r;
    size_t nrouting;
    struct deadlock_options o;
};

static struct named_cell cell_class(const char *column, const struct deadlock *d, int resource)
{
    return cell_int(column, deadlock_class(d, resource));
}

static int cycle_rows(struct scene *s, struct deadlock *d, struct err *err)
{
    struct route_path path = { 0 };
    int ret = 0;

    for (size_t i = 0; ret == 0 && i < d->ncycle; i++) {
        const int next = d->cycle[(i + 1) % d->ncycle];
        size_t routing;

        ret = deadlock_cause(&path, &routing, d, i, err);
        if (ret == 0)
            table_add(s->j->t, ROW(
                cell_text("topology", d->net->spec), cell_text("routing", s->r[routing].spec),
                cell_text("classes", d->classes.spec), cell_take("holds", deadlock_label(d, d->cycle[i])),
                cell_class("holds_class", d, d->cycle[i]), cell_take("waits_for", deadlock_label(d, next)),
                cell_class("waits_class", d, next), cell_take("route", route_path_text(&path, d->net, "-"))));
    }
    route_path_release(&path);
    return ret;
}

static int dependency_rows(struct scene *s, const struct deadlock *d, struct err *err)
{
    for (size_t v = 0; v < d->resource; v++)
        for (size_t e = d->first[v]; e < d->first[v + 1]; e++)
            if (job_row(s->j, ROW(
                    cell_text("topology", d->net->spec), cell_text("routing", s->routing),
                    cell_text("classes", d->classes.spec), cell_take("holds", deadlock_label(d, (int)v)),
                    cell_class("holds_class", d, (int)v), cell_take("waits_for", deadlock_label(d, d->to[e])),
                    cell_class("waits_class", d, d->to[e])), err) < 0)
                return -1;
    return 0;
}

static void class_rows(struct scene *s, const struct deadlock *d, const struct deadlock_need *need)
{
    const size_t classes = (size_t)d->classes.most;

    for (size_t k = 0; k < need->nkind; k++)
        for (size_t c = 0; c < classes; c++) {
            char meaning[80] = "any";

            if (need->links[k * classes + c] == 0)
                continue;
            if (d->classes.kind->say)
                d->classes.kind->say(&d->classes, (int)c, meaning);
            table_add(s->j->t, ROW(
                cell_text("topology", d->net->spec), cell_text("routing", s->routing),
                cell_text("classes", d->classes.spec),
                cell_text("links", d->holds == HOLDS_BUFFERS ? "buffers" : need->kind[k].name ? need->kind[k].name :
                          "all"),
                cell_int("class", (int64_t)c), cell_text("meaning", meaning),
                cell_int("used_on", (int64_t)need->links[k * classes + c]),
                d->cyclic ? cell_none("channel") : cell_int("channel", need->channel[k * classes + c])));
        }
}

/* Of an adaptive routing a channel for any minimal hop, beside those of the escape, which are judged. */
static int more_channels(const struct scene *s)
{
    return s->r->escape ? 1 : 0;
}

/* "2 on local links, 1 on others": where kinds of links differ. */
static int need_note(const struct scene *s, const struct deadlock *d, const struct deadlock_need *need,
                     struct err *err)
{
    char *text = NULL;
    bool differ = false;
    int ret = 0, last = 0;

    for (size_t k = 0; ret == 0 && k < need->nkind; k++) {
        const int channels = need->kind[k].channels;

        if (!channels)              /* there are no such links */
            continue;
        differ = differ || (last && channels != last);
        last = channels;
        ret = spec_append(&text, err, "%s%d on %s links", text ? ", " : "", channels + more_channels(s),
                          need->kind[k].name);
    }
    if (ret == 0 && differ)
        table_note(s->j->t, "%s, %s, %s: channels are %s.", d->net->spec, s->routing, d->classes.spec, text);
    free(text);
    return ret;
}

static int verdict_note(struct scene *s, const struct deadlock *d, const struct deadlock_advice *advice,
                        struct err *err)
{
    const bool buffers = d->holds == HOLDS_BUFFERS;
    char *text = deadlock_cycle_text(d);

    if (!text)
        return err_memory(err);
    table_note(s->j->t, "%s, %s, %s%s: messages may deadlock: %s.%s%s%s%s", d->net->spec, s->routing, d->classes.spec,
               buffers ? ", buffers" : "", text, advice->scheme ? (buffers ? " --buffer-classes " : " --classes ") : "",
               advice->scheme ? advice->scheme : "", advice->scheme ? " prevents it." : "",
               advice->exact ? "" : " Not all schemes and ways to share channels were tried.");
    free(text);
    return 0;
}

static int verdict_row(struct scene *s, const struct deadlock *d, const struct deadlock_need *need, struct err *err)
{
    static const char *const held[] = { "links", "cables", "buffers" };
    struct deadlock_advice advice = { 0 };
    int ret;

    if (d->cyclic && deadlock_advise(&advice, d->net, s->r, s->nrouting, &s->o, err) < 0)
        return -1;
    table_add(s->j->t, ROW(
        cell_text("topology", d->net->spec), cell_text("routing", s->routing), cell_text("held", held[d->holds]),
        cell_text("classes", d->classes.spec), cell_text("verdict", d->cyclic ? "may deadlock" : "no deadlock"),
        d->cyclic ? cell_int("cycle_length", (int64_t)d->ncycle) : cell_none("cycle_length"),
        cell_count("channels", more_channels(s) + (!d->cyclic ? need->channels : advice.scheme ? advice.channels :
                                                   (double)NAN)),
        cell_text("channels_by", d->cyclic ? advice.scheme : d->classes.spec),
        cell_int("classes_used", deadlock_classes_used(d)),
        cell_real("resources", (double)d->nused * d->copies), cell_real("dependencies", d->dependencies),
        cell_text("quality", (d->cyclic ? advice.exact : need->exact) ? "exact" :
                  d->cyclic && !advice.scheme ? "channels not searched" : "channels at most")));
    if (s->r->escape)
        table_note(s->j->t, "%s, %s: enough are one channel for any minimal hop and those of the escape, %s, which are "
                   "judged (Duato 1993).", d->net->spec, s->routing, s->r->escape->spec);
    ret = d->cyclic ? verdict_note(s, d, &advice, err) : need_note(s, d, need, err);
    free(advice.scheme);
    return ret;
}

/* Keeps the first cycle for the figure: its network and name, then its links. */
static int deadlock_fact(struct job *j, const char *text, struct err *err)
{
    struct request *q = j->request;
    struct highlight *h = &q->cycle;
    int from, to;

    if (sscanf(text, "%d %d", &from, &to) != 2) {
        const char *name = strrchr(text, '\t');

        if (name && q->ncycle++ == 0 && (!(h->name = strdup(name + 1)) ||
                                         !(q->where = strndup(text, (size_t)(name - text)))))
            return err_memory(err);
    } else if (q->ncycle == 1) {
        if (GROW_BY(h->nlink, 1, "a cycle", err, GROWN(h->link), GROWN(h->node)) < 0)
            return -1;
        h->node[h->nlink] = h->link[h->nlink][0] = from;
        h->link[h->nlink][1] = to;
        h->link[h->nlink++][2] = -1;
        h->nnode = strstr(h->name, "nodes") ? h->nlink : 0;
    }
    return 0;
}

static int tell_cycle(struct job *j, const struct deadlock *d, struct err *err)
{
    const bool buffers = d->holds == HOLDS_BUFFERS;
    int ret = !d->cyclic ? 0 : job_fact(j, err, "%s\tcycle of %zu %s", d->net->spec, d->ncycle, buffers ? "nodes" : "links");

    for (size_t i = 0; d->cyclic && ret == 0 && i < d->ncycle; i++) {
        const int place = deadlock_place(d, d->cycle[i]), next = deadlock_place(d, d->cycle[(i + 1) % d->ncycle]);

        ret = job_fact(j, err, "%d %d", buffers ? place : d->follow.tail[place], buffers ? next : d->follow.head[place]);
    }
    return ret;
}

/* ---- work ---- */

static void scheme_note(struct table *t, const struct classes_kind *k)
{
    table_note(t, "%s %s.", k->name, k->terms);
}

static int scene_rows(struct scene *s, const struct tick *part, struct err *err)
{
    struct deadlock d = { 0 };
    struct deadlock_need need = { 0 };
    int ret = -1;

    s->o.tick = part;
    s->o.unfolded = s->q->unfolded || s->j->which == SHOW_DEPENDENCIES;
    if (deadlock_open(&d, s->j->net, s->r, s->nrouting, &s->o, err) < 0)
        return -1;
    if (d.cyclic && s->q->check)
        s->j->status = 3;
    if ((s->j->which == SHOW_CLASSES || (s->j->which == SHOW_VERDICT && !d.cyclic)) &&
        deadlock_need(&need, &d, err) < 0)
        goto done;
    ret = tell_cycle(s->j, &d, err);
    if (ret < 0)
        goto done;
    switch (s->j->which) {
    case SHOW_VERDICT: ret = verdict_row(s, &d, &need, err); break;
    case SHOW_DEPENDENCIES: ret = dependency_rows(s, &d, err); break;
    case SHOW_CYCLE:
        if (!d.cyclic)
            table_note(s->j->t, "%s, %s, %s: there is no cycle.", d.net->spec, s->routing, d.classes.spec);
        ret = cycle_rows(s, &d, err);
        break;
    default:
        class_rows(s, &d, &need);
        scheme_note(s->j->t, d.classes.kind);
    }
done:
    deadlock_need_release(&need);
    deadlock_close(&d);
    return ret;
}

static int scene_schemes(struct scene *s, const struct tick *part, struct err *err)
{
    const struct request *q = s->q;
    const bool buffers = q->buffers.n && !q->classes.n;
    const size_t nchannels = q->classes.n ? q->classes.n : !buffers, n = nchannels + q->buffers.n;

    for (size_t i = 0; i < n; i++) {
        const struct tick step = tick_step(part, i, n);
        const char *name = i >= nchannels ? q->buffers.item[i - nchannels] : q->classes.n ? q->classes.item[i] : "none";

        s->o = (struct deadlock_options){
            .classes = name, .all = q->destinations == 1, .jobs = q->common.jobs,
            .holds = i >= nchannels ? HOLDS_BUFFERS : q->duplex == 1 ? HOLDS_CABLES : HOLDS_LINKS
        };
        if (scene_rows(s, &step, err) < 0 &&
            (s->j->stream || job_refuse(s->j, s->j->sweep, ROW(cell_text("topology", s->j->net->spec),
                        cell_text("routing", s->routing), cell_text("classes", name)), err, "%s, %s, %s: %s.",
                        s->j->net->spec, s->routing, name, err->msg) < 0))
            return -1;
    }
    return 0;
}

/* A routing, or all that a policy chooses among. */
static int deadlock_routing(struct job *j, const char *asked, const struct tick *part, struct err *err)
{
    struct scene s = { .j = j, .q = j->request };
    struct traffic traffic = { 0 };
    struct configurations conf = { 0 };
    struct routing r = { 0 };
    int ret = -1;

    if (asked && policy_is(asked)) {
        if (load_traffic(&traffic, j->net, "uniform", NULL, NULL, err) < 0 ||
            policy_routings(&conf, asked, j->net, &traffic, err) < 0)
            goto done;
        s.routing = asked;
        s.r = conf.routing;
        s.nrouting = conf.n;
    } else {
        if (routing_open(&r, j->net, routing_usual(asked, j->net, ROUTING_FOR_LOAD), err) < 0)
            goto done;
        s.routing = r.spec;
        s.r = &r;
        s.nrouting = 1;
    }
    ret = scene_schemes(&s, part, err);
done:
    configurations_release(&conf);
    traffic_release(&traffic);
    routing_close(&r);
    return ret;
}

static int deadlock_network(struct job *j, struct err *err)
{
    const struct request *q = j->request;
    const size_t n = q->routing.n ? q->routing.n : 1;

    for (size_t i = 0; i < n; i++) {
        const struct tick part = tick_step(&j->tick, i, n);
        const char *asked = q->routing.n ? q->routing.item[i] : NULL;

        if (deadlock_routing(j, asked, &part, err) < 0 &&
            (j->stream || job_refuse(j, q->routing.n > 1, ROW(cell_text("topology", j->net->spec),
                                     cell_text("routing", asked)), err, "%s, %s: %s.", j->net->spec,
                                     asked ? asked : "auto", err->msg) < 0))
            return -1;
    }
    return 0;
}

static int deadlock_compute(struct job *j, struct err *err)
{
    const struct request *q = j->request;
    bool stuck;

    if (deadlock_orders_rows(&stuck, j, q->order, err) < 0)
        return -1;
    if (stuck && q->check)
        j->status = 3;
    return 0;
}

/* ---- figure ---- */

static int deadlock_figure(struct picture *f, const struct table *, int, struct err *err)
{
    const struct request *q = f->request;
    struct drawing_request drawing;

    if (!q)
        return 0;
    f->drawn = true;
    drawing = q->drawing;
    drawing.found = q->where ? &q->cycle : NULL;
    drawing.found_in = q->where;
    return drawing_write(&drawing, f->o, &f->o->spec, err);
}

static void deadlock_release(void *request)
{
    struct request *q = request;

    FREE(q->where, q->cycle.name, q->cycle.link, q->cycle.node);
}

static const struct frame deadlock_frame = {
    CMD_DEADLOCK_FRAME, .option = deadlock_options_own,
    .shared = (const struct option_part[]){ { drawing_options, offsetof(struct request, drawing) }, { 0 } },
    FRAME_REQUEST(struct request, .duplex = 0), .table = deadlock_tables, .plots = true, .pick = deadlock_pick,
    .check = deadlock_check, .network = deadlock_network, .compute = deadlock_compute, .fact = deadlock_fact,
    .figure = deadlock_figure, .release = deadlock_release
};

const struct cmd cmd_deadlock = { CMD_DEADLOCK_ENTRY, .frame = &deadlock_frame };
