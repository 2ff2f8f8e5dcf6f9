/* Rows of broadcasts again and again, and what they say of the trees: which carries the most, and which is the quickest
 * at what interval. */
#include "analysis/broadcast/cycles_again.h"
#include "cli/broadcast/bcast.h"

struct every {
    struct bcast_scene *s;
    struct again *again;            /* of the trees asked for, or needed for the best, that are not refused, */
    const struct tree **tree;       /* which these are */
    struct score *score;            /* of each at an interval */
    size_t n;
    double *value;                  /* intervals, or parts of saturation */
    size_t nvalue;
    bool parts;
};

static int every_values(struct every *e, struct err *err)
{
    enum load_parts parts;
    char *plain = NULL;
    int ret = load_percent(&plain, &parts, e->s->q->every, "--every", "intervals", err);

    e->parts = ret == 0 && parts == PARTS_SATURATION;
    if (parts == PARTS_BISECTION && ret == 0)
        ret = err_set(err, ERR_USAGE, "--every '%.60s': %%b is for loads", e->s->q->every);
    if (ret == 0)
        ret = num_reals(&e->value, &e->nvalue, plain, TRAFFIC_LEAST, TRAFFIC_MOST, "--every", err);
    for (size_t i = 0; ret == 0 && e->parts && i < e->nvalue; i++)
        e->value[i] /= 100;
    free(plain);
    return ret;
}

static int every_tree(struct again *out, const struct bcast_scene *s, const struct tree *tree, const struct tick *part,
                      struct err *err)
{
    const struct again_how how = { bcast_how(s), s->q->load.loop == 0, s->q->common.seed,
                                   (double)s->q->draws / 10000 * AGAIN_WORK };
    const struct tick routes = tick_part(part, 0, 0.1), runs = tick_part(part, 0.1, 1);
    struct bcast_run b;
    int ret;

    if (bcast_run_open(&b, s, tree, NULL, &routes, err) < 0)
        return -1;
    ret = again_open(out, &b.ways, &how, &runs, err);
    bcast_run_release(&b);
    return ret;
}

/* ---- rows ---- */

/* What is full at capacity: "process 5", "1.2>1.3", "1.2>1.3:2". */
static void every_limit(char *out, size_t size, const struct bcast_scene *s, const struct cycles_capacity *c)
{
    const struct cycles_links *links = &s->q->links;
    char from[NET_LABEL], to[NET_LABEL], cable[24] = "";

    if (c->process >= 0) {
        snprintf(out, size, "process %d", c->process);
        return;
    }
    if (c->cable)
        snprintf(cable, sizeof cable, ":%d", c->cable);
    snprintf(out, size, "%s>%s%s", net_label(s->net, links->from[c->trunk], from),
             net_label(s->net, links->trunks.csr->to[c->trunk], to), cable);
}

static bool every_units(const struct every *e)
{
    return e->s->j->o->units.rate > 0 && e->s->j->o->units.flit > 0;
}

/* "69", with units "1.413 us". */
static const char *every_time(char out[40], const struct every *e, double cycles)
{
    const struct units *u = &e->s->j->o->units;

    if (every_units(e))
        return units_time(out, u, cycles);
    snprintf(out, 40, cycles >= 1e4 && cycles < 1e9 ? "%.0f" : "%.4g", cycles);
    return out;
}

static int every_refused(const struct every *e, const struct again *a, const char *algorithm, struct err *err)
{
    char least[40], full[40];

    if (a->closed)
        err_set(err, ERR_NETWORK, "%s: roots that pause do not come to saturation", algorithm);
    else
        err_set(err, ERR_NETWORK, "%s: intervals below %s%s are beyond %g of saturation, which is at %s", algorithm,
                every_time(least, e, again_interval(a, AGAIN_MOST)), every_units(e) ? "" : " cycles", AGAIN_MOST,
                every_time(full, e, a->saturation));
    if (!job_passes(e->s->j, e->nvalue > 1 || e->s->q->plan.nalgorithm > 1, err))
        return -1;
    table_note(e->s->j->t, "%s.", err->msg);
    return 0;
}

static int every_row(const struct every *e, const struct again *a, const struct again_at *at, double interval,
                     const char *algorithm, const char *winner, struct err *err)
{
    static const char *const validity[] = { "valid", "near saturation", "refused" };
    const struct bcast_scene *s = e->s;
    char limit[2 * NET_LABEL + 30];

    every_limit(limit, sizeof limit, s, &a->capacity);
    return job_row(s->j, ROW(
        MEMBERS(a, at), BCAST_KEYS(s, algorithm, true), cell_text("root", s->q->asked.root),
        cell_real("interval_cycles", interval), cell_real("slowdown", at->completion / a->idle),
        cell_text("capacity_by", limit), cell_none("makespan_steps"), cell_text("winner", winner),
        cell_text("validity", validity[at->validity]),
        cell_text("valid", at->validity == AGAIN_VALID ? "yes" : "no"),
        cell_text("quality", at->validity == AGAIN_SATURATED ? "refused" : at->validity == AGAIN_VALID ? "model" :
                  "outside the model's validity")), err);
}

static int every_rows(const struct every *e, size_t i, struct err *err)
{
    const struct again *a = &e->again[i];

    for (size_t k = 0; k < e->nvalue; k++) {
        const double interval = e->parts ? again_interval(a, e->value[k]) : e->value[k];
        const struct again_at at = isnan(interval) ? (struct again_at){ NAN, e->value[k], NAN, AGAIN_SATURATED } :
            again_at(a, interval);

        if ((at.validity == AGAIN_SATURATED && every_refused(e, a, e->tree[i]->name, err) < 0) ||
            every_row(e, a, &at, interval, e->tree[i]->name, "", err) < 0)
            return -1;
    }
    return 0;
}

/* The tree that is through first at an interval, and in `names`, NULL, all that are alike; e->n: all are beyond their
 * saturation. */
static size_t every_quickest(char names[BEST_NAMES], const struct every *e, double interval)
{
    for (size_t i = 0; i < e->n; i++)
        e->score[i] = (struct score){ e->tree[i]->name, again_at(&e->again[i], interval).completion, 0 };
    return best_of(names, e->score, e->n, CONCLUDE_TIE);
}

/* At each interval the tree that is through first, and all that are alike. Parts of saturation are of each
 * tree's own: there is no best at them. */
static int every_best(const struct every *e, struct err *err)
{
    for (size_t k = 0; !e->parts && k < e->nvalue; k++) {
        char names[BEST_NAMES];
        const size_t best = every_quickest(names, e, e->value[k]);
        struct again_at at;

        if (best == e->n)               /* each row says so */
            continue;
        at = again_at(&e->again[best], e->value[k]);
        if (every_row(e, &e->again[best], &at, e->value[k], "best", names, err) < 0)
            return -1;
    }
    return 0;
}

/* ---- notes ---- */

/* "mesh:4x4, 16 processes, 1 port: " where rows are of more than one. */
static void every_where(FILE *out, const struct every *e)
{
    const struct bcast_scene *s = e->s;
    const struct plan *p = &s->q->plan;
    const bool networks = s->j->o->spec.n > 1, processes = p->nprocesses > 1, ports = p->nports > 1;

    if (networks)
        fprintf(out, "%s%s", s->net->spec, processes || ports ? ", " : ": ");
    if (processes)
        fprintf(out, "%d processes%s", s->place->where.n, ports ? ", " : ": ");
    if (ports)
        fprintf(out, "%s port%s: ", s->ports, s->how.ports == 1 ? "" : "s");
}

/* Who carries how much, the most first. */
static void every_carried(FILE *out, const struct every *e, const size_t *order)
{
    const struct again *first = &e->again[order[0]];
    char time[40];

    every_where(out, e);
    fprintf(out, "%s carries the most: %s every %s%s", e->tree[order[0]]->name,
            first->nroot == 1 ? "a broadcast" : "a broadcast of each root", every_time(time, e, first->saturation),
            every_units(e) ? "" : " cycles");
    for (size_t i = 1; i < e->n; i++)
        fprintf(out, "%s %s %s", i == 1 ? ";" : ",", e->tree[order[i]]->name,
                every_time(time, e, e->again[order[i]].saturation));
    fprintf(out, ".");
}

/* From the shortest interval that any takes to where nothing waits: which is through first. */
static void every_crossings(FILE *out, const struct every *e, const size_t *order)
{
    enum { STEPS = 400 };
    const struct again *first = &e->again[order[0]];
    const double from = first->closed ? first->saturation / 100 : again_interval(first, AGAIN_MOST) * (1 + 1e-9);
    const double to = 100 * e->again[order[e->n - 1]].saturation;
    const char *of = first->closed ? " with pauses" : " at intervals";
    size_t now = every_quickest(NULL, e, from);
    double before = from;
    char time[40];

    fprintf(out, " Least completion: %s", e->tree[now]->name);
    for (int i = 1; i <= STEPS; i++) {
        const double at = from * pow(to / from, (double)i / STEPS);
        const size_t best = every_quickest(NULL, e, at);

        if (best != now) {
            double cross = again_crossing(&e->again[now], &e->again[best], before, at);

            if (isnan(cross))           /* the other was refused before */
                cross = again_interval(&e->again[best], AGAIN_MOST);
            fprintf(out, "%s below %s%s, then %s", of, every_time(time, e, cross),
                    every_units(e) ? "" : " cycles", e->tree[best]->name);
            of = "";
        }
        now = best;
        before = at;
    }
    fprintf(out, ".");
}

static int every_notes(const struct every *e, struct err *err)
{
    size_t *order = malloc((e->n + 1) * sizeof *order), size;
    char *text = NULL;
    FILE *out = open_memstream(&text, &size);
    int ret = order && out ? 0 : err_memory(err);

    for (size_t i = 0; ret == 0 && i < e->n; i++) {
        size_t k = i;

        for (; k > 0 && e->again[order[k - 1]].saturation > e->again[i].saturation; k--)
            order[k] = order[k - 1];
        order[k] = i;
    }
    if (ret == 0) {
        every_carried(out, e, order);
        every_crossings(out, e, order);
    }
    if (out && fclose(out) != 0 && ret == 0)
        ret = err_memory(err);
    if (ret == 0)
        table_note(e->s->j->t, "%s", text);
    FREE(text, order);
    return ret;
}

/* One tree: its rows, where they are asked for. */
static int every_one(struct every *e, const struct tree *tree, bool rows, const struct tick *part, struct err *err)
{
    struct bcast_scene *s = e->s;

    if (every_tree(&e->again[e->n], s, tree, part, err) < 0)
        return job_refuse(s->j, s->q->plan.nalgorithm > 1 && err->code == ERR_NETWORK,
                          ROW(BCAST_KEYS(s, tree->name, true), cell_text("root", s->q->asked.root)), err, "%s: %s.",
                          tree->name, err->msg);
    e->tree[e->n++] = tree;
    return rows ? every_rows(e, e->n - 1, err) : 0;
}

int bcast_every(struct bcast_scene *s, struct err *err)
{
    const struct plan *p = &s->q->plan;
    struct every e = { .s = s };
    bool best = bcast_asked(p, NULL);
    const size_t n = kind_count(&kind_tree);
    int ret = TAKE("the trees", err, ZEROS(e.again, n), ZEROS(e.tree, n), ZEROS(e.score, n)) < 0 ? -1 :
        every_values(&e, err);

    for (size_t i = 0; ret == 0 && i < n; i++) {
        const struct tick part = tick_step(&s->place->tick, i, n);
        const bool rows = bcast_asked(p, tree_all[i]);

        if (s->shape[i].n > 0)
            ret = every_one(&e, tree_all[i], rows, &part, err);
    }
    if (ret == 0 && best)
        ret = every_best(&e, err);
    if (ret == 0 && e.n > 1)
        ret = every_notes(&e, err);
    FREE(e.again, e.tree, e.score, e.value);
    return ret;
}
