/* Broadcasts in cycles: on an idle network what an event run gives, exactly.
 * 1. choice     which table; what the request must keep
 * 2. runs       all broadcasts asked for, by one tree
 * 3. deadlocks  the circle named
 * 4. compared   trees, the best of them
 * 5. rows       on an idle network */
#include "analysis/broadcast/cycles_flood.h"
#include "cli/broadcast/bcast.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "graph/base/mem.h"

/* ---- choice ---- */

static bool in_cycles(const struct load_request *q)
{
    return !isnan(q->packet) || q->switching || !isnan(q->hop_time) || q->drb;
}

static bool under_load(const struct load_request *q)
{
    return q->traffic.n || q->interval || q->rate || q->load || q->scale;
}

int bcast_pick(const void *request)
{
    const struct request *q = request;
    const char *show = q->common.show ? q->common.show : "";

    if (q->every)
        return BCAST_EVERY;
    if (under_load(&q->load))
        return BCAST_LOAD;
    if (strcmp(show, "messages") == 0)
        return BCAST_MESSAGES;
    if (strcmp(show, "processes") == 0)
        return BCAST_PROCESSES;
    if (strcmp(show, "schedule") == 0)
        return in_cycles(&q->load) ? BCAST_LINKS : BCAST_SCHEDULE;
    return q->validate || in_cycles(&q->load) ? BCAST_CYCLES : BCAST_STEPS;
}

struct cycles_how bcast_how(const struct bcast_scene *s)
{
    const struct load_request *l = &s->q->load;

    return (struct cycles_how){
        .switching = l->switching ? l->switching : &switching_wormhole, .flits = l->packet,
        .hop_time = !isnan(l->hop_time) ? l->hop_time : l->drb ? 0 : 1, .ports = s->how.ports,
        .blocking = s->how.blocking
    };
}

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
    if (q->every && under_load(&q->load))
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

/* ---- runs ---- */

void bcast_run_release(struct bcast_run *b)
{
    cycles_run_release(&b->run);
    cycles_ways_release(&b->ways);
    free(b->start);
    *b = (struct bcast_run){ 0 };
}

int bcast_run_open(struct bcast_run *b, const struct bcast_scene *s, const struct tree *tree,
                   const struct cycles_how *how, const struct tick *tick, struct err *err)
{
    const struct plan *p = &s->q->plan;
    const struct placement *where = &s->place->where;
    const size_t n = p->nroot ? p->nroot : (size_t)where->n;
    int *root, ret;

    *b = (struct bcast_run){ .nstart = n, .tree = bcast_shape(s, tree) };
    if (TAKE("the starts of broadcasts", err, ARRAY(root, n), ARRAY(b->start, n)) < 0)
        return -1;
    for (size_t i = 0; i < n; i++) {
        root[i] = p->nroot ? p->root[i].process : (int)i;
        b->start[i] = (struct cycles_start){ (int)i, p->nroot ? p->root[i].at : 0 };
    }
    ret = cycles_ways_open(&b->ways, &s->q->links, b->tree, where, root, (int)n, s->routing, tick, err);
    if (ret == 0 && how)
        ret = cycles_run_open(&b->run, &b->ways, how, b->start, n, err);
    if (ret < 0)
        bcast_run_release(b);
    free(root);
    return ret;
}

/* ---- deadlocks ---- */

enum { CIRCLE_SHOWN = 6 };              /* messages of a circle that are named */

/* "3->5", and of several broadcasts whose. */
static void put_message(FILE *f, const struct cycles_run *r, size_t m)
{
    fprintf(f, "%d->%d", cycles_from(r, m), cycles_to(r, m));
    if (r->nstart > 1)
        fprintf(f, " (root %d)", cycles_root(r, m));
}

/* Who waits for whom, as a note; the command fails for it at last. */
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

/* ---- compared ---- */

static struct cycles_mean compared_by(const struct bcast_result *r, bool hops)
{
    return hops ? (struct cycles_mean){ r->hops, 0 } : r->completion;
}

/* The first of the trees of the least mean, or of the fewest hops, and in `names` all that are alike:
 * "binary+binomial". -1: all are stuck. */
static int compared_least(char names[200], const struct bcast_result *tree, bool hops)
{
    struct cycles_mean least = { INFINITY, 0 };
    size_t len = 0;
    int best = -1;

    for (int i = 0; tree_all[i]; i++)
        if (tree[i].known && compared_by(&tree[i], hops).mean < least.mean * (1 - 1e-12)) {
            least = compared_by(&tree[i], hops);
            best = i;
        }
    names[0] = '\0';
    for (int i = 0; best >= 0 && tree_all[i]; i++) {
        const struct cycles_mean is = compared_by(&tree[i], hops);

        if (i == best || (len < 200 && tree[i].known && is.mean - is.half <= least.mean + least.half))
            len += (size_t)snprintf(names + len, 200 - len, "%s%s", len ? "+" : "", tree_all[i]->name);
    }
    return best;
}

static int compared_algorithm(const struct bcast_scene *s, const struct bcast_compared *c, const struct algorithm *a,
                              struct bcast_result *tree, struct err *err)
{
    struct bcast_best best = { .hops = NAN };
    int at = -1;

    if (!a->tree && !a->pattern->of_trees)
        return c->flooding(c->arg, err);
    if (a->tree && bcast_shape(s, a->tree)->n == 0)
        return 0;
    if (a->tree && c->show)
        return c->show(a->tree, c->arg, err);
    for (int i = 0; tree_all[i]; i++) {
        if (s->shape[i].n == 0 || (a->tree && tree_all[i] != a->tree))
            continue;
        if (!tree[i].known && c->one(&tree[i], tree_all[i], c->arg, err) < 0)
            return -1;
        tree[i].known = true;
        at = i;
    }
    if (at >= 0 && !a->tree)
        best.hops = tree[compared_least(best.hops_winner, tree, true)].hops;
    else if (at >= 0)
        best.hops = tree[at].hops;
    if (!a->tree)
        at = compared_least(best.winner, tree, false);
    if (c->show)
        return at < 0 ? 0 : c->show(tree_all[at], c->arg, err);
    return c->row(a->tree ? a->tree->name : "best", &best, at < 0 ? NULL : &tree[at], c->arg, err);
}

int bcast_compare(const struct bcast_scene *s, const struct bcast_compared *c, struct err *err)
{
    const struct plan *p = &s->q->plan;
    struct bcast_result *tree;
    const size_t ntree = kind_count(&kind_tree);
    int ret = 0;

    if (TAKE("the table", err, ZEROS(tree, ntree)) < 0)
        return -1;
    for (size_t a = 0; ret == 0 && a < p->nalgorithm; a++)
        ret = compared_algorithm(s, c, &p->algorithm[a], tree, err);
    for (size_t i = 0; i < ntree; i++)
        cycles_load_release(&tree[i].load);
    free(tree);
    return ret;
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
        BCAST_KEYS(s, algorithm, !i->flooded), cell_text("root", s->q->asked.root),
        cell_real("completion_cycles", i->completion.mean), BCAST_SIMULATED(s, i),
        cell_count("collisions", i->collisions), cell_real("waited_cycles", i->waited),
        cell_count("makespan_steps", i->steps),
        cell_count("serial_hops", i->hops), cell_text("winner", best->winner),
        cell_text("quality", i->stuck ? "deadlock" : "exact")), err);
}

int bcast_idle_steps(double *out, const struct bcast_scene *s, const struct bcast_run *b, struct err *err)
{
    struct broadcast steps;

    *out = NAN;
    if (b->nstart > 1)
        return 0;
    if (steps_broadcast(&steps, b->tree, b->ways.root[0], &(struct steps){ &s->place->where, s->routing, s->how,
                        NULL }, &s->place->tick, err) < 0)
        return err->code == ERR_DOMAIN ? 0 : -1;
    *out = steps.makespan_steps;
    broadcast_release(&steps);
    return 0;
}

static int idle_tree(struct bcast_result *i, const struct tree *tree, void *arg, struct err *err)
{
    const struct bcast_scene *s = arg;
    const struct cycles_how how = bcast_how(s);
    struct bcast_run b;
    int ret;

    if (bcast_run_open(&b, s, tree, &how, &s->place->tick, err) < 0)
        return -1;
    ret = cycles_run(&b.run, NULL, &s->place->tick, err) < 0 ? -1 : bcast_idle_steps(&i->steps, s, &b, err);
    for (size_t m = 0; ret == 0 && m < b.nstart * (size_t)b.ways.n; m++) {
        i->waited += b.run.message[m].waited;
        i->collisions += b.run.message[m].collisions;
    }
    i->hops = (double)b.ways.first[b.nstart * (size_t)b.ways.n];
    i->stuck = b.run.stuck > 0;
    i->completion.mean = i->stuck ? NAN : b.run.last;
    i->completion.half = 0.5e-12 * i->completion.mean;          /* what rounding makes */
    if (ret == 0 && i->stuck)
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
                                             idle_flooding, s };

    return s->j->which == BCAST_EVERY ? bcast_every(s, err) : bcast_compare(s, &compared, err);
}
