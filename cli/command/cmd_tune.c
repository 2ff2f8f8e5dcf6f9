/* 1. tables     the best of each cell (a topology, model of cost, number of processes and size); all of them
 * 2. fixed      the one configuration that does best on the whole
 * 3. rows
 * 4. figure     a map of the winners */
#include "cli/command/cmd.h"
#include "cli/command/tune_rules.h"
#include "cli/request/collective_request.h"
#include "cli/request/look.h"
#include "texts/cmd.h"

struct request {
    struct collective_request any;      /* with the options that all have: the first member */
    const char *switching;
    double switch_time;                 /* seconds */
    struct tune_rules rules;
};
static const struct option_field tune_options[] = {
    { CMD_TUNE_SEGMENT, 0, INTO(any.segment) },
    { CMD_TUNE_RADIX, 0, INTO(any.radix) },
    { CMD_TUNE_SWITCHING, 0, INTO(switching) },
    { .help = "Rules for libraries:", .group = 2 },
    { CMD_TUNE_RULES, 2, INTO(rules.to), .writes = true },
    { CMD_TUNE_LOSS, 2, INTO(rules.loss) }, { CMD_TUNE_EXACT_BOUNDS, 2, INTO(rules.exact) },
    { CMD_TUNE_ONTO, 2, INTO(rules.onto) },
    { CMD_TUNE_PROTOCOL, 2, INTO(rules.protocol) }, { 0 }
};

/* ---- tables ------------------------------------------------------------------------------------------ */

static const struct column best_columns[] = {
    COLLECTIVE_KEYS, PLAIN("configuration"), ASIDE("algorithm"), COLLECTIVE_TIMES(-1), ASIDE("runner_up"),
    { "wins_percent", "Wins", "%", IF_FILLED(0), LOOSE },
    { "margin_percent", "Margin", "%", 1, LOOSE }, COLLECTIVE_BOUNDS,
    { "loss_percent", "Loss if fixed", "%", 1, LOOSE }, { "pays_after", "Pays after", "calls", IF_FILLED(0), LOOSE }
};
static const struct column all_columns[] = {
    COLLECTIVE_KEYS, PLAIN("configuration"), ASIDE("algorithm"), { "segment_bytes", NULL, "B", COLUMN_ASIDE, LOOSE },
    ASIDE("radix"), COLLECTIVE_TIMES(4), { "over_least", "Over least", "times", 2, LOOSE }, COLLECTIVE_BOUNDS,
    ASIDE("winner")
};
static const struct conclusion all_conclusion = {
    .score = "time_us", .noun = "time", .marks = true, .contender = { "configuration" },
    .scope = { "topology", "operation", "processes", "cost", "bytes" }
};
static const struct pivot tune_matrix = COLLECTIVE_PIVOT("configuration", "Configurations in time, by bytes");
enum { TUNE_BEST, TUNE_ALL, TUNE_MATRIX };
static const struct frame_table tune_tables[] = {
    [TUNE_BEST] = { NULL, "Best configurations", COLUMNS(best_columns) },
    [TUNE_ALL] = { "all", "Configurations", COLUMNS(all_columns), .conclusion = &all_conclusion },
    [TUNE_MATRIX] = { "matrix", "Configurations", COLUMNS(all_columns), .pivot = &tune_matrix,
                      .conclusion = &all_conclusion }, { 0 }
};

/* ---- fixed ------------------------------------------------------------------------------------------- */

struct fixed {                          /* a setting for all cells of one model of cost */
    size_t setting, n;                  /* n of the runs: there is none; cells */
    bool beyond;                        /* it was given up somewhere: at least so much */
    double mean, worst;                 /* its time in parts of the best's */
    const struct collective_cell *where;        /* worst */
};

static struct fixed fixed_of(const struct collective_runs *r, const char *cost, size_t k)
{
    struct fixed f = { .setting = k };

    for (const struct collective_cell *c = r->cell; c < r->cell + r->ncell; c++)
        if (c->cost == cost) {
            const struct outcome *o = collective_outcome(r, c, k);
            const double time = o->runs ? o->x.time : o->beyond > 0 ? o->beyond : NAN,
                over = c->processes > 1 ? time / c->outcome[c->best].x.time : 1;

            f.where = over > f.worst ? c : f.where;
            f.worst = fmax(f.worst, over);
            f.mean += (over - f.mean) / (double)++f.n;
            f.beyond |= !o->runs && o->beyond > 0;
        }
    return f;
}

/* The one of the least mean of those that are known. */
static struct fixed fixed_best(const struct collective_runs *r, const char *cost)
{
    struct fixed best = { .setting = r->n, .mean = INFINITY };

    for (size_t k = 0; k < r->n; k++) {
        const struct fixed f = fixed_of(r, cost, k);

        best = !f.beyond && f.mean < best.mean ? f : best;
    }
    return best;
}

/* Settings that were given up somewhere, and may yet be that one. */
static size_t tune_wanted(const struct job *j, bool *wanted, const struct collective_runs *r)
{
    const struct request *q = j->request;
    size_t n = 0;

    for (size_t i = 0; i < r->ncell; i++) {
        const char *cost = r->cell[i].cost;
        const double best = i == 0 || cost != r->cell[i - 1].cost ? fixed_best(r, cost).mean : NAN;

        for (size_t k = 0; k < r->n && !isnan(best); k++) {
            const struct fixed f = fixed_of(r, cost, k);
            const bool may = f.beyond && f.mean <= best;

            n += may && !wanted[k];
            wanted[k] |= may;
        }
    }
    return q->rules.to ? n + tune_rules_wanted(&q->rules, &q->any, wanted, r) : n;
}

/* ---- rows -------------------------------------------------------------------------------------------- */

static void row_best(const struct job *j, const struct collective_runs *r, const struct collective_cell *c,
                     size_t fixed)
{
    const struct request *q = j->request;
    const struct outcome *o = &c->outcome[c->best];
    const double lost = fixed < r->n ? collective_outcome(r, c, fixed)->x.time - o->x.time : NAN;
    size_t second = r->n;               /* the best of another algorithm */
    char name[COLLECTIVE_NAME], other[COLLECTIVE_NAME];

    for (size_t k = 0; k < r->n; k++)
        if (c->outcome[k].runs && r->setting[k].algorithm != r->setting[c->best].algorithm &&
            (second == r->n || c->outcome[k].x.time < c->outcome[second].x.time))
            second = k;
    table_add(j->t, ROW(COLLECTIVE_KEY_CELLS(j, &q->any, c),
        cell_text("configuration", collective_setting(name, &r->setting[c->best])),
        cell_text("algorithm", r->setting[c->best].algorithm->name), COLLECTIVE_TIME_CELLS(c, o),
        cell_text("runner_up", second < r->n ? collective_setting(other, &r->setting[second]) : NULL),
        cell_real("margin_percent", second < r->n ? 100 * (c->outcome[second].x.time / o->x.time - 1) : NAN),
        o->share > 0 ? cell_real("wins_percent", o->share) : cell_none("wins_percent"),
        COLLECTIVE_BOUND_CELLS(c, o), cell_real("loss_percent", 100 * lost / o->x.time),
        cell_count("pays_after", !c->steps && q->switch_time > 0 && lost > 0 ?
                   ceil((1 - 1e-12) * q->switch_time / lost) : NAN)));
}

static void rows_all(const struct job *j, const struct collective_runs *r, const struct collective_cell *c)
{
    const struct request *q = j->request;
    char name[COLLECTIVE_NAME], winner[COLLECTIVE_NAME];

    collective_setting(winner, &r->setting[c->best]);
    for (size_t i = 0, n = collective_order(r, c); i < n; i++) {
        const struct setting *how = &r->setting[r->order[i]];
        const struct outcome *o = &c->outcome[r->order[i]];

        table_add(j->t, ROW(COLLECTIVE_KEY_CELLS(j, &q->any, c),
            cell_text("configuration", collective_setting(name, how)), cell_text("algorithm", how->algorithm->name),
            how->algorithm->segments && how->segment ? cell_int("segment_bytes", how->segment) :
            cell_none("segment_bytes"), how->algorithm->radix ? cell_int("radix", how->radix) : cell_none("radix"),
            COLLECTIVE_TIME_CELLS(c, o), cell_real("over_least", o->x.time / c->outcome[c->best].x.time),
            COLLECTIVE_BOUND_CELLS(c, o), cell_text("winner", winner)));
    }
}

/* Model by model of cost; a note names the best single setting of each. */
static void tune_rows(struct job *j, const struct collective_runs *r)
{
    struct request *all = j->request;
    const struct collective_request *q = &all->any;
    char name[COLLECTIVE_NAME], of[40] = "";

    if (q->several)
        snprintf(of, sizeof of, ", %s", operation_name[q->operation]);
    for (size_t first = 0; first < r->ncell; first++) {
        const char *cost = r->cell[first].cost;
        struct fixed f;
        size_t i = 0;

        while (r->cell[i].cost != cost)
            i++;
        if (i < first)                  /* done */
            continue;
        f = fixed_best(r, cost);
        for (; i < r->ncell; i++)
            if (r->cell[i].cost == cost && j->which == TUNE_BEST)
                row_best(j, r, &r->cell[i], f.setting);
            else if (r->cell[i].cost == cost)
                rows_all(j, r, &r->cell[i]);
        if (f.setting < r->n && f.n > 1 && f.worst <= 1)
            table_note(j->t, "%s%s, cost %s: %s is the best everywhere.", j->net->spec, of, cost,
                       collective_setting(name, &r->setting[f.setting]));
        else if (f.setting < r->n && f.n > 1)
            table_note(j->t, "%s%s, cost %s: the best single configuration is %s: on average it takes %.3g %% longer "
                       "than the best of each row, at worst %.3g %% (%d processes, %lld bytes).", j->net->spec, of,
                       cost, collective_setting(name, &r->setting[f.setting]), 100 * (f.mean - 1), 100 * (f.worst - 1),
                       f.where->processes, (long long)f.where->bytes);
    }
    if (all->rules.to && r->ncell)
        tune_rules_add(&all->rules, j, r);
}

static void between_rows(struct job *j, const struct collective_runs *r)
{
    tune_rules_add(&((struct request *)j->request)->rules, j, r);
}

static size_t between_wanted(const struct job *j, bool *wanted, const struct collective_runs *r)
{
    const struct request *q = j->request;

    return tune_rules_wanted(&q->rules, &q->any, wanted, r);
}

/* The rules of what was tried of one operation; with exact bounds of more sizes too, until bounds are between neighbours. */
static int tune_join(struct job *j, struct collective_how how, struct err *err)
{
    struct request *q = j->request;
    const struct collective_request asked = q->any;
    const enum operation operation = (enum operation)asked.operation;
    char count[20], *sizes = NULL;
    int n = 0, ret = tune_rules_join(&q->rules, operation, err);

    how.rows = between_rows;
    how.wanted = between_wanted;
    q->rules.between = true;
    while (ret == 0 && q->rules.exact && (n = tune_rules_between(&sizes, &q->rules, operation, err)) > 0) {
        snprintf(count, sizeof count, "%d", n);
        q->any.processes = count;
        q->any.bytes = sizes;
        ret = collective_each(j, &how, err) < 0 || j->t->why.code != ERR_NONE ? -1 :
            tune_rules_join(&q->rules, operation, err);
        FREE(sizes);
        sizes = NULL;
    }
    free(sizes);
    q->rules.between = false;
    q->any = asked;
    tune_rules_end(&q->rules);
    return n < 0 ? -1 : ret;
}

/* With rules, of no operation all that the library has. */
static int tune_network(struct job *j, struct err *err)
{
    const struct collective_how how = { .segment = "0,4K,64K", .radix = "4,8", .tune = true, .rows = tune_rows,
                                        .wanted = j->which == TUNE_BEST ? tune_wanted : NULL };
    struct request *q = j->request;
    const int asked = q->any.operation;
    const struct tick whole = j->tick;
    int ret = 0;

    if (!q->rules.to)
        return collective_each(j, &how, err);
    if (asked >= 0 && !q->rules.rules.format->operation[asked])
        return err_set(err, ERR_USAGE, "rules of %s have no %s", q->rules.rules.format->name, operation_name[asked]);
    q->any.several = asked < 0;
    for (int op = 0; ret == 0 && op < OPERATIONS; op++)
        if (asked < 0 ? q->rules.rules.format->operation[op] != NULL : op == asked) {
            q->any.operation = op;
            j->tick = asked < 0 ? tick_step(&whole, (size_t)op, OPERATIONS) : whole;
            ret = collective_each(j, &how, err);
            if (ret == 0 && j->t->why.code == ERR_NONE && q->rules.ncell)
                ret = tune_join(j, how, err);
        }
    q->any.operation = asked;
    j->tick = whole;
    return ret < 0 || j->t->why.code != ERR_NONE ? ret : tune_rules_write(&q->rules, j, err);
}

/* ---- figure ------------------------------------------------------------------------------------------ */

/* Algorithms against each other: of each row the best, and then, so that winners come first, the runners-up. */
static void tune_contest(struct table *to, const struct table *t)
{
    for (int second = 0; second < 2; second++)
        for (size_t r = 0; r < table_rows(t); r++) {
            const char *name = look_text(t, r, second ? "runner_up" : "algorithm");
            const bool steps = isnan(look_real(t, r, "time_us"));
            const double time = look_real(t, r, steps ? "makespan_steps" : "time_us");
            char algorithm[COLLECTIVE_NAME];

            snprintf(algorithm, sizeof algorithm, "%.*s", (int)strcspn(name, ","), name);
            if (*name)
                table_add(to, ROW(cell_text("topology", look_text(t, r, "topology")),
                    cell_text("operation", look_text(t, r, "operation")),
                    cell_text("cost", look_text(t, r, "cost")), cell_real("processes", look_real(t, r, "processes")),
                    cell_real("bytes", look_real(t, r, "bytes")), cell_text("algorithm", algorithm),
                    cell_real("time", second ? time * (1 + look_real(t, r, "margin_percent") / 100) : time)));
        }
}

/* Whether some topology has several, under one model of cost. */
static bool tune_counts(const struct table *t)
{
    for (size_t r = 1; r < table_rows(t); r++)
        if (look_same(t, r, r - 1, "topology") && look_same(t, r, r - 1, "cost") &&
            !look_same(t, r, r - 1, "processes"))
            return true;
    return false;
}

static int tune_figure(struct picture *f, const struct table *t, int which, struct err *err)
{
    const struct column columns[] = {
        PLAIN("topology"), PLAIN("operation"), PLAIN("cost"), PLAIN("processes"),
        { "bytes", "Size", "B", 0, LOOSE }, PLAIN("algorithm"),
        { "time", "Time", isnan(look_real(t, 0, "time_us")) ? "steps" : "us", -1, LOOSE }
    };
    static const char *const time[] = { "time" }, *const by[] = { "algorithm" };
    static const char *const may[] = { "operation", "topology", "cost" };
    const char *varies[3] = { NULL };
    const size_t nvaries = look_varying(varies, t, may, 3);
    const char *const down = tune_counts(t) ? "processes" : look_varies(t, varies[0]) ? varies[0] : NULL;
    const bool sizes = look_varies(t, "bytes"), map = down && sizes;
    const char *facet[3];
    struct natural figure = { .kind = map ? "decision" : "bar", .x = sizes || !down ? "bytes" : down,
                              .y = map ? &down : time, .ny = 1, .z = map ? "time" : NULL, .group = by, .ngroup = 1,
                              .x_scale = map ? SCALE_LOG : SCALE_AUTO,
                              .facet = facet };
    struct table contest;
    int ret;

    if (which != TUNE_BEST)
        return 0;
    for (size_t i = 0; i < nvaries; i++)
        if (down != varies[i] && look_varies(t, varies[i]))
            facet[figure.nfacet++] = varies[i];
    table_init(&contest, t->title, columns, sizeof columns / sizeof *columns);
    tune_contest(&contest, t);
    if (map)
        figure.y_scale = strcmp(down, "processes") == 0 ? SCALE_LOG : SCALE_AUTO;
    else
        figure.y_scale = sizes ? SCALE_LOG : collective_scale(&contest, "time");
    ret = options_figure(f, &contest, &figure, err);
    table_release(&contest);
    return ret;
}

static int tune_check(struct job *j, struct err *err)
{
    struct request *q = j->request;

    if (j->which != TUNE_BEST && j->o->plot)
        return err_set(err, ERR_USAGE, "--plot draws the best of each size and count, not --show %s; `metapath plot` "
                       "draws any table: -o FILE.csv", j->o->show);
    collective_digits(j);
    if (tune_rules_check(&q->rules, &q->any, err) < 0)
        return -1;
    return collective_measure(&q->switch_time, q->switching ? q->switching : "0us", "50us", QUANTITY_TIME,
                              "--switching", err);
}

static void tune_release(void *request)
{
    struct tune_rules *t = &((struct request *)request)->rules;

    tune_rules_end(t);
    rules_release(&t->rules);
}

static const struct frame tune_frame = {
    CMD_TUNE_FRAME, .option = tune_options,
    .shared = (const struct option_part[]){ { collective_options, 0 }, { 0 } },
    FRAME_REQUEST(struct request, .any = { .operation = -1 }), .table = tune_tables, .plots = true,
    .check = tune_check, .network = tune_network, .figure = tune_figure,
    .release = tune_release
};

const struct cmd cmd_tune = { CMD_TUNE_ENTRY, .frame = &tune_frame };
