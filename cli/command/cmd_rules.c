/* `metapath rules`: what a file of rules chooses (analysis/rules), and what that costs.
 * 1. asked      sizes at which the file's rules change, and the settings that it names
 * 2. rows       of each cell what is chosen, beside the best
 * 3. cliffs     where times fall as sizes grow, or jump from one byte to the next */
#include "analysis/rules/rules.h"
#include "cli/command/cmd.h"
#include "cli/request/collective_request.h"
#include "graph/base/spec.h"
#include "texts/cmd.h"

#define SIZES_MOST (1ll << 30)          /* bounds of rules beyond are not looked at */

struct request {
    struct collective_request any;
    const char *file;
    struct rules rules;
    size_t n, left;                     /* cells; those that the library decides */
    double mean, most;                  /* what is chosen in parts of the best's time, less 1 */
    double cliff;                       /* the worst, in parts */
    char where[160];
};

static int take_file(void *about, const char *arg, struct err *err)
{
    struct request *q = about;

    if (q->file)
        return collective_take_argument(&q->any, arg, err);
    q->file = arg;
    return 0;
}

static const struct option_field rules_options[] = { { .take = take_file }, { 0 } };
static const struct column rules_columns[] = {
    COLLECTIVE_KEYS, { "line", NULL, NULL, IF_FILLED(0), LOOSE }, PLAIN("choice"), COLLECTIVE_TIMES(-1),
    PLAIN("best"), { "loss_percent", "Loss", "%", 1, LOOSE }
};
static const struct frame_table rules_tables[] = { { NULL, "What rules choose", COLUMNS(rules_columns) }, { 0 } };

/* ---- asked ------------------------------------------------------------------------------------------- */

/* The usual sizes, and those on either side of where a rule begins or ends, for `processes`. */
static int sizes_add(char **sizes, const struct rules *r, int operation, int64_t processes, struct err *err)
{
    for (const struct rules_rule *u = r->rule; u < r->rule + r->n; u++)
        for (int i = 0; i < 4; i++) {
            const int64_t *range = i < 2 ? u->bytes : u->total, each = i < 2 ? 1 : processes,
                          from = i % 2 && range[1] < SIZES_MOST ? range[1] + 1 : i % 2 ? 0 : range[0],
                          first = (from + each - 1) / each;

            if ((int)u->operation == operation && processes >= u->processes[0] && processes <= u->processes[1] &&
                first > 1 && first <= SIZES_MOST &&
                spec_append(sizes, err, ",%lld,%lld", (long long)first - 1, (long long)first) < 0)
                return -1;
        }
    return 0;
}

/* In order, each once. */
static int sizes_sort(char **sizes, struct err *err)
{
    int64_t *x = NULL;
    char *sorted = NULL;
    size_t n = 0;
    int ret = collective_sizes(&x, &n, *sizes, "sizes", err);

    for (size_t i = 1; i < n; i++)
        for (size_t k = i; k > 0 && x[k - 1] > x[k]; k--) {
            const int64_t y = x[k];

            x[k] = x[k - 1];
            x[k - 1] = y;
        }
    for (size_t i = 0; ret == 0 && i < n; i++)
        if (!i || x[i] != x[i - 1])
            ret = spec_append(&sorted, err, i ? ",%lld" : "%lld", (long long)x[i]);
    FREE(x, *sizes);
    *sizes = sorted;
    return ret;
}

static int sizes_asked(char **sizes, const struct request *q, int operation, int terminals, struct err *err)
{
    int64_t *processes = NULL;
    size_t n = 1;
    int ret = spec_append(sizes, err, "8,1K,64K,1M");

    if (ret == 0 && q->any.processes)
        ret = num_range(&processes, &n, q->any.processes, 1, 1 << 24, "--processes", err);
    for (size_t i = 0; ret == 0 && i < n; i++)
        ret = sizes_add(sizes, &q->rules, operation, processes ? processes[i] : terminals, err);
    free(processes);
    return ret < 0 ? -1 : sizes_sort(sizes, err);
}

/* Segments that rules name, beside the usual ones. */
static int segments_asked(char **segments, const struct rules *r, struct err *err)
{
    int ret = spec_append(segments, err, "0,4K,64K");

    for (const struct rules_rule *u = r->rule; ret == 0 && u < r->rule + r->n; u++)
        if (u->segment)
            ret = spec_append(segments, err, ",%lld", (long long)u->segment);
    return ret < 0 ? -1 : sizes_sort(segments, err);
}

/* ---- rows -------------------------------------------------------------------------------------------- */

/* The setting of a rule; r->n: there is none here. */
static size_t setting_of(const struct collective_runs *r, const struct rules_rule *u)
{
    size_t k = 0;

    while (k < r->n && (!u || !u->name || r->setting[k].algorithm != u->name->algorithm ||
                        (r->setting[k].algorithm->segments && r->setting[k].segment != u->segment) ||
                        (r->setting[k].algorithm->radix && u->name->radix && r->setting[k].radix != u->name->radix)))
        k++;
    return k;
}

static const struct rules_rule *rule_at(const struct request *q, const struct collective_cell *c)
{
    return rules_choose(&q->rules, (enum operation)q->any.operation, c->processes, c->bytes);
}

/* What is chosen and was given up is run to its end. */
static size_t rules_wanted(const struct job *j, bool *wanted, const struct collective_runs *r)
{
    size_t n = 0;

    for (const struct collective_cell *c = r->cell; c < r->cell + r->ncell; c++) {
        const size_t k = setting_of(r, rule_at(j->request, c));

        if (k < r->n && !wanted[k] && c->outcome[k].beyond > 0) {
            wanted[k] = true;
            n++;
        }
    }
    return n;
}

/* ---- cliffs ------------------------------------------------------------------------------------------ */

/* From a cell to the next of the same count and cost: what is gained by a larger message, or lost by one byte. */
static void cliff(struct request *q, const struct collective_cell *c, double before, double now)
{
    const double fall = before / now, jump = c->bytes == c[-1].bytes + 1 ? now / before : 0;

    if (!(fall > 1.05 || jump >= 2) || fmax(fall, jump) <= q->cliff)
        return;
    q->cliff = fmax(fall, jump);
    snprintf(q->where, sizeof q->where, "%s of %d processes %s %.3g times from %lld to %lld bytes",
             operation_name[q->any.operation], c->processes, fall > jump ? "falls" : "jumps", q->cliff,
             (long long)c[-1].bytes, (long long)c->bytes);
}

static void rules_rows(struct job *j, const struct collective_runs *r)
{
    static const struct outcome none = { .x = { .time = NAN, .hops = NAN }, .least = NAN, .greatest = NAN };
    struct request *q = j->request;
    char name[COLLECTIVE_NAME], best[COLLECTIVE_NAME];
    double before = NAN;

    for (const struct collective_cell *c = r->cell; c < r->cell + r->ncell; c++) {
        const struct rules_rule *u = rule_at(q, c);
        const size_t k = setting_of(r, u);
        const struct outcome *ran = k < r->n ? collective_outcome(r, c, k) : &none, *o = ran->runs ? ran : &none;
        const double loss = o->x.time / c->outcome[c->best].x.time - 1;

        if (k < r->n)
            collective_setting(name, &r->setting[k]);
        else
            snprintf(name, sizeof name, "the library's %s", u && u->name ? u->name->called : "own");
        table_add(j->t, ROW(COLLECTIVE_KEY_CELLS(j, &q->any, c), u && u->line ? cell_int("line", (int64_t)u->line) :
            cell_none("line"), cell_text("choice", name), COLLECTIVE_TIME_CELLS(c, o),
            cell_text("best", collective_setting(best, &r->setting[c->best])), cell_real("loss_percent", 100 * loss)));
        q->left += isnan(loss) && !(u && u->name);
        if (!isnan(loss)) {
            q->mean += (loss - q->mean) / (double)++q->n;
            q->most = fmax(q->most, loss);
        }
        if (c > r->cell && c[-1].processes == c->processes && c[-1].cost == c->cost)
            cliff(q, c, before, o->x.time);
        before = o->x.time;
    }
}

static int rules_operation_run(struct job *j, int operation, struct err *err)
{
    struct request *q = j->request;
    const char *given = q->any.bytes;
    char *sizes = NULL, *segments = NULL;
    int ret = sizes_asked(&sizes, q, operation, j->net->nterminal, err) < 0 ||
        segments_asked(&segments, &q->rules, err) < 0 ? -1 : 0;

    q->any.operation = operation;
    q->any.bytes = given ? given : sizes;
    ret = ret < 0 ? -1 : collective_each(j, &(struct collective_how){ .segment = segments, .radix = "4,8", .tune = true,
                                                                     .rows = rules_rows, .wanted = rules_wanted }, err);
    q->any.bytes = given;
    FREE(sizes, segments);
    return ret;
}

static int rules_network(struct job *j, struct err *err)
{
    struct request *q = j->request;
    const int asked = q->any.operation;
    const struct tick whole = j->tick;
    int ret = 0;

    q->any.several = asked < 0;
    for (int op = 0; ret == 0 && op < OPERATIONS; op++) {
        bool has = false;

        for (const struct rules_rule *u = q->rules.rule; u < q->rules.rule + q->rules.n; u++)
            has |= (int)u->operation == op;
        if (asked < 0 ? has : op == asked) {
            j->tick = asked < 0 ? tick_step(&whole, (size_t)op, OPERATIONS) : whole;
            ret = rules_operation_run(j, op, err);
        }
    }
    q->any.operation = asked;
    j->tick = whole;
    return ret;
}

static int rules_check(struct job *j, struct err *err)
{
    struct request *q = j->request;

    if (rules_read(&q->rules, q->file, err) < 0)
        return -1;
    collective_digits(j);
    return q->rules.n ? 0 : err_set(err, ERR_DOMAIN, "%s has no rules for operations that are known here", q->file);
}

static int rules_finish(struct job *j, struct err *)
{
    const struct request *q = j->request;

    if (q->n)
        table_note(j->t, "The rules, of %s, take %.3g %% longer than the best on average, at most %.3g %%.",
                   q->rules.format->name, 100 * q->mean, 100 * q->most);
    if (q->left)
        table_note(j->t, "%zu of the rows are left to the library.", q->left);
    if (q->rules.passed)
        table_note(j->t, "%zu rules are of operations that are not known here.", q->rules.passed);
    if (q->cliff > 0)
        table_note(j->t, "The worst cliff: %s.", q->where);
    else if (q->n)
        table_note(j->t, "There is no cliff: no time falls by more than 5 %% as sizes grow, or doubles from one "
                   "byte to the next.");
    return 0;
}

static void rules_leave(void *request)
{
    rules_release(&((struct request *)request)->rules);
}

static const struct frame rules_frame = {
    CMD_RULES_FRAME, .option = rules_options,
    .shared = (const struct option_part[]){ { collective_options, 0 }, { 0 } },
    FRAME_REQUEST(struct request, .any = { .operation = -1 }), .table = rules_tables, .check = rules_check,
    .network = rules_network, .finish = rules_finish, .release = rules_leave
};

const struct cmd cmd_rules = { CMD_RULES_ENTRY, .frame = &rules_frame };
