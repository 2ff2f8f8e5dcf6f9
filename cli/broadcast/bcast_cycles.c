/* Broadcasts in cycles: on an idle network what an event run gives, exactly. */
#include "analysis/broadcast/cycles_flood.h"
#include "cli/broadcast/bcast.h"

int bcast_cycles_check(struct job *j, struct err *err)
{
    struct request *q = j->request;
    char hop[60] = "", time[40];
    struct bcast_scene s = { .q = q };
    struct cycles_how how;

    if (isnan(q->load.packet))
        q->load.packet = 10;
    if (q->validate && bcast_validate_check(j, err) < 0)
        return -1;
    how = bcast_how(&s);
    if (how.hop_time != 1)
        snprintf(hop, sizeof hop, ", hop time %s", units_time(time, &j->o->units, how.hop_time));
    if (j->which != BCAST_LOAD) {
        snprintf(q->title, sizeof q->title, "%s (%s%s, messages of %.6g flits, %s)", j->t->title, how.switching->name,
                 hop, how.flits, !q->every ? "idle network" : q->load.loop == 0 ? "each root pauses after its last" :
                 "started at random");
        j->t->title = q->title;
    }
    if ((j->which == BCAST_LOAD || j->which == BCAST_EVERY) && q->common.show)
        return err_set(err, ERR_USAGE, "--show %s is of an idle network", q->common.show);
    if (q->every && bcast_under_load(q))
        return err_set(err, ERR_USAGE, "--every with a background is not modelled: leave out %s",
                       q->load.traffic.n ? "--traffic" : "the load");
    for (size_t i = 0; q->every && i < q->algorithm.n; i++)
        if (q->plan.algorithm[i].pattern && !q->plan.algorithm[i].pattern->of_trees)
            return err_set(err, ERR_USAGE, "--every is about process trees: leave out %s", q->algorithm.item[i]);
    for (size_t i = 0; q->every && i < q->plan.nroot; i++)
        if (q->plan.root[i].at > 0)
            return err_set(err, ERR_USAGE, "--every says when roots start: --root %s is without @", q->asked.root);
    return j->which != BCAST_LOAD ? 0 : plan_one_root(&q->plan, "broadcasts under load are", false, err);
}

/* ---- deadlocks ---- */

enum { CIRCLE_SHOWN = 6 };              /* messages of a circle that are named */

/* "3->5", and of several broadcasts the root. */
static void put_message(FILE *f, const struct cycles_run *r, size_t m)
{
    fprintf(f, "%d->%d", cycles_from(r, m), cycles_to(r, m));
    if (r->nstart > 1)
        fprintf(f, " (root %d)", cycles_root(r, m));
}

/* The cycle of messages that wait for each other, as a note; the command fails for it at last. */
static int say_deadlock(const struct bcast_scene *s, const char *algorithm, const struct cycles_run *r, struct err *err)
{
    const struct cycles_links *links = r->ways->links;
    char from[NET_LABEL], to[NET_LABEL], text[sizeof err->msg];
    const size_t first = cycles_deadlocked(r);
    size_t n = 0, m = first;
    FILE *f;

    if (first == SIZE_MAX)
        return err_set(err, ERR_INTERNAL, "messages are stuck, but not for each other");
    f = fmemopen(text, sizeof text, "w");
    if (!f)
        return err_memory(err);
    fprintf(f, "%.150s, %d processes, %s, ports %s, blocking %s: deadlock: ", s->net->spec, s->place->where.n,
            algorithm, s->ports, s->how.blocking ? "yes" : "no");
    put_message(f, r, first);
    do {
        m = cycles_waits_for(r, m);
        n++;
    } while (m != first);
    for (size_t k = 0; k < n; k++) {
        const int trunk = r->ways->trunk[r->ways->first[cycles_way(r, m)] + (size_t)r->message[m].hop];

        if (k == CIRCLE_SHOWN && n > CIRCLE_SHOWN + 1) {
            fprintf(f, " and so on, %zu messages in a circle", n);
            break;
        }
        fprintf(f, "%s waits for link %s>%s, which ", k ? ", which" : "", net_label(s->net, links->from[trunk], from),
                net_label(s->net, links->trunks.csr->to[trunk], to));
        put_message(f, r, m = cycles_waits_for(r, m));
        fprintf(f, " holds");
    }
    fclose(f);
    err_set(err, ERR_NETWORK, "%s", text);
    if (!job_passes(s->j, true, err))
        return -1;
    table_note(s->j->t, "%s.", text);
    table_note(s->j->t, "With --switching cut-through messages that wait keep no links, and none deadlocks.");
    return 0;
}

/* ---- rows ---- */

static int idle_row(const char *algorithm, const struct bcast_best *best, const struct bcast_result *r, void *arg,
                    struct err *err)
{
    static const struct bcast_result none = { .stuck = true, .completion = { NAN, NAN }, .collisions = NAN,
                                              .simulated = { NAN, NAN },
                                              .waited = NAN, .steps = NAN, .hops = NAN };
    const struct bcast_scene *s = arg;
    const struct bcast_result *i = r ? r : &none;

    return job_row(s->j, ROW(
        MEMBERS(i, best), BCAST_KEYS(s, algorithm, !i->flooded), cell_text("root", s->q->asked.root),
        BCAST_SIMULATED(s, i), cell_text("quality", i->stuck ? "deadlock" : "exact")), err);
}

int bcast_idle_steps(double *out, const struct bcast_scene *s, const struct bcast_run *b, const struct tick *tick,
                     struct err *err)
{
    struct broadcast steps;

    *out = NAN;
    if (b->nstart > 1)
        return 0;
    if (steps_broadcast(&steps, b->tree, b->ways.root[0], &(struct steps){ &s->place->where, s->routing, s->how,
                        NULL }, tick, err) < 0)
        return err->code == ERR_DOMAIN ? 0 : -1;
    *out = steps.makespan_steps;
    broadcast_release(&steps);
    return 0;
}

static int idle_tree(struct bcast_result *i, const struct tree *tree, void *arg, struct err *err)
{
    const struct bcast_scene *s = arg;
    const struct tick *whole = &s->place->tick;
    const struct tick ways = tick_part(whole, 0, 0.2), run = tick_part(whole, 0.2, 0.6),
                      steps = tick_part(whole, 0.6, 1);
    const struct cycles_how how = bcast_how(s);
    struct bcast_run b;
    int ret;

    if (bcast_run_open(&b, s, tree, &how, &ways, err) < 0)
        return -1;
    ret = cycles_run(&b.run, NULL, &run, err) < 0 ? -1 : bcast_idle_steps(&i->steps, s, &b, &steps, err);
    for (size_t m = 0; ret == 0 && m < b.nstart * (size_t)b.ways.n; m++) {
        i->waited += b.run.message[m].waited;
        i->collisions += b.run.message[m].collisions;
    }
    i->hops = (double)b.ways.first[b.nstart * (size_t)b.ways.n];
    i->stuck = b.run.stuck > 0;
    i->completion.mean = i->stuck ? NAN : b.run.last;
    i->completion.half = 0.5e-12 * i->completion.mean;          /* what rounding makes */
    if (ret == 0 && i->stuck && !s->ahead)
        ret = say_deadlock(s, tree->name, &b.run, err);
    if (ret == 0)
        ret = bcast_validate(i, s, tree, &b, NULL, err);
    bcast_run_release(&b);
    return ret;
}

static int idle_flood(double *completion, const struct bcast_scene *s, struct err *err)
{
    const struct plan_root root = s->q->plan.root[0];
    const struct placement *where = &s->place->where;

    if (broadcast_root(root.process, where->n, where, err) < 0 ||
        cycles_flood(completion, &s->q->links, s->net, where->node[root.process], s->q->load.packet,
                     &s->place->tick, err) < 0)
        return -1;
    *completion += root.at;
    return 0;
}

static int idle_flooding(void *arg, struct err *err)
{
    struct bcast_scene *s = arg;
    struct bcast_result i = { .flooded = true, .simulated = { NAN, NAN }, .collisions = NAN, .waited = NAN,
                              .steps = NAN, .hops = NAN };
    const bool rows = s->j->which == BCAST_CYCLES;
    struct broadcast b;

    if (s->q->plan.nroot != 1 || !rows)
        return s->q->algorithm.n == 0 ? 0 : err_set(err, ERR_USAGE, rows ? "flooding in cycles is of one broadcast: "
                                                    "give --root one process" : "flooding uses every link at once: it "
                                                    "has no rows for --show");
    if (!s->first_ports)                /* ports do not concern flooding: one row */
        return 0;
    if (idle_flood(&i.completion.mean, s, err) < 0)
        return -1;
    if (broadcast_flood(&b, s->net, &s->place->where, s->q->plan.root[0].process, err) == 0) {
        i.steps = b.makespan_steps;
        i.hops = b.serial_hops;
        broadcast_release(&b);
    } else if (err->code != ERR_DOMAIN) {
        return -1;
    }
    return idle_row("flooding", &(const struct bcast_best){ .winner = "" }, &i, s, err);
}

static int idle_show(const struct tree *tree, void *arg, struct err *err)
{
    struct bcast_scene *s = arg;
    const struct cycles_how how = bcast_how(s);
    struct bcast_run b;
    int ret;

    if (bcast_run_open(&b, s, tree, &how, &s->place->tick, err) < 0)
        return -1;
    s->algorithm = tree->name;
    ret = bcast_show(s, &b, err);
    if (ret == 0 && b.run.stuck)
        ret = say_deadlock(s, tree->name, &b.run, err);
    bcast_run_release(&b);
    return ret;
}

int bcast_cycles(struct bcast_scene *s, struct err *err)
{
    const struct bcast_compared compared = { idle_tree, idle_row, s->j->which == BCAST_CYCLES ? NULL : idle_show,
                                             idle_flooding, s, !s->q->validate };

    return s->j->which == BCAST_EVERY ? bcast_every(s, err) : bcast_compare(s, &compared, err);
}
