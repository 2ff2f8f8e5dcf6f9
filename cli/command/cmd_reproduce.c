/* cmd_reproduce.c -- `metapath reproduce`: published tables, computed anew.
 * 1. the command line    claims by name or prefix
 * 2. one claim           its cells as rows, each compared with the documented verdict
 * 3. summaries           a row or a note a claim
 * 4. all claims          the chosen ones, or their list */
#include <unistd.h>

#include "analysis/claim/claim.h"
#include "analysis/claim/verdicts.h"
#include "cli/command/cmd.h"
#include "cli/request/look.h"
#include "cli/request/progress.h"
#include "cli/request/published.h"
#include "texts/cmd.h"

#define MOST_NOTES 20           /* of cells of a claim that are not as documented */

struct request {
    struct options common;
    struct strings id;
    bool list, check;
    int total[CLAIM_VERDICTS];          /* of all claims */
    bool differs;                       /* some cells are not as documented */
};

/* ---- the command line -------------------------------------------------------------------------------- */

/* `id` is the claim or a prefix of it: drb of drb:5-2, drb:5 too. */
static bool id_covers(const char *id, const char *claim)
{
    const size_t n = strlen(id);

    return n > 0 && strncmp(claim, id, n) == 0 &&
           (!isalnum((unsigned char)claim[n]) || !isalnum((unsigned char)id[n - 1]));
}

static int id_unknown(const char *arg, struct err *err)
{
    enum { MOST = 64 };
    const char *known[2 * MOST];
    char group[MOST][24], hint[80];
    size_t n = 0;

    for (size_t i = 0; i < MOST && claim_all[i]; i++) {
        snprintf(group[i], sizeof group[i], "%.*s", (int)strcspn(claim_all[i]->name, ":"), claim_all[i]->name);
        known[n++] = claim_all[i]->name;
        known[n++] = group[i];
    }
    return err_set(err, ERR_USAGE, "no published table is called '%.40s'%s; `metapath reproduce --list` names them",
                   arg, text_suggest(hint, arg, known, n));
}

static int take_id(void *about, const char *arg, struct err *err)
{
    for (size_t i = 0; claim_all[i]; i++)
        if (id_covers(arg, claim_all[i]->name))
            return strings_add(&((struct request *)about)->id, arg, err);
    return id_unknown(arg, err);
}

static const struct option_field reproduce_options[] = {
    { .help = "Question:", .group = 0 },
    { INTO(id), .take = take_id },
    { CMD_REPRODUCE_LIST, 0, INTO(list) },
    { CMD_REPRODUCE_CHECK, 0, INTO(check) }, { 0 }
};

static const struct column cell_columns[] = {
    PLAIN("claim"), PLAIN("cell"), { "quantity", NULL, NULL, YIELDS(0), LOOSE },
    { "published", NULL, NULL, -1, LOOSE },
    { "computed", NULL, NULL, 4, LOOSE }, { "difference", NULL, NULL, YIELDS(4), LOOSE }, PLAIN("verdict"),
    { "reading", "Scan", NULL, YIELDS(0), LOOSE },
    PLAIN("reason")
};
static const struct column summary_columns[] = {
    PLAIN("claim"), ASIDE("title"), PLAIN("cells"), ASIDE("reproduced"), ASIDE("truncated"), ASIDE("explained"),
    ASIDE("shifted"), ASIDE("unexplained"), ASIDE("holds"), ASIDE("holds_if"), ASIDE("order_only"),
    ASIDE("other_opponent"), ASIDE("does_not_hold"), PLAIN("verdicts"),
    PLAIN("as_documented")
};

static const struct column list_columns[] = {
    PLAIN("claim"), PLAIN("title"), { "source", NULL, NULL, YIELDS(0), LOOSE }, { "data", NULL, NULL, YIELDS(0), LOOSE }
};
enum { REPRODUCE_SUMMARY, REPRODUCE_CELLS, REPRODUCE_DIFFERENCES, REPRODUCE_LIST };
static const struct frame_table reproduce_tables[] = {
    [REPRODUCE_SUMMARY] = { "summary", "Published tables", COLUMNS(summary_columns) },
    [REPRODUCE_CELLS] = { "cells", "Published beside computed", COLUMNS(cell_columns), .words = "cell,published" },
    [REPRODUCE_DIFFERENCES] = { "differences", "Published beside computed", COLUMNS(cell_columns),
                                .words = "cell,published" },
    [REPRODUCE_LIST] = { NULL, "Published tables and claims", COLUMNS(list_columns) }, { 0 }
};

static int reproduce_pick(const void *request)
{
    const struct request *q = request;
    int which = q->id.n ? REPRODUCE_CELLS : REPRODUCE_SUMMARY;

    if (q->list)
        return REPRODUCE_LIST;
    for (int i = 0; q->common.show && reproduce_tables[i].show; i++)
        if (strcmp(reproduce_tables[i].show, q->common.show) == 0)
            which = i;
    return which;
}

/* ---- one claim --------------------------------------------------------------------------------------- */

struct shown {
    struct claim_cell c;
    char quantity[160];             /* the cell's own is the claim's, for as long as it emits */
};
struct sink {
    const struct job *j;
    const char *id;
    struct verdicts *documented;    /* NULL: not compared */
    int count[CLAIM_VERDICTS];
    int differing;                  /* cells that are not as documented */
    struct shown *cell;
    size_t ncell;
};

static void reproduce_differs(struct sink *s, const char *cell, const char *quantity, const char *how)
{
    if (((const struct request *)s->j->request)->check && s->differing < MOST_NOTES)
        table_note(s->j->t, "%s, %s, %s: %s.", s->id, cell, quantity, how);
    s->differing++;
}

static void reproduce_hold(struct sink *s, const struct claim_cell *c)
{
    char how[160];

    if (s->documented && !verdicts_hold(s->documented, s->id, c, how))
        reproduce_differs(s, c->where, c->quantity, how);
}

static int reproduce_keep(void *arg, const struct claim_cell *c, struct err *err)
{
    struct sink *s = arg;

    s->count[c->verdict]++;
    reproduce_hold(s, c);
    if (s->j->which == REPRODUCE_SUMMARY || (s->j->which == REPRODUCE_DIFFERENCES && c->verdict == CLAIM_REPRODUCED))
        return 0;
    if (GROW_BY(s->ncell, 1, "the cells of a published table", err, GROWN(s->cell)) < 0)
        return -1;
    s->cell[s->ncell].c = *c;
    snprintf(s->cell[s->ncell++].quantity, sizeof s->cell->quantity, "%s", c->quantity);
    return 0;
}

/* Whether another cell has the same name and the same number in print: people are told the quantity too. */
static bool reproduce_has_twin(const struct sink *s, const struct claim_cell *c)
{
    int alike = 0;

    for (size_t i = 0; i < s->ncell; i++)
        alike += strcmp(s->cell[i].c.where, c->where) == 0 && strcmp(s->cell[i].c.printed, c->printed) == 0;
    return alike > 1;
}

static void reproduce_cell_row(const struct sink *s, const struct shown *shown)
{
    const struct claim_cell *c = &shown->c;
    const bool people = s->j->o->format->people,
        asked = people && (strcmp(c->printed, "yes") == 0 || strcmp(c->printed, "no") == 0);
    char name[300];

    snprintf(name, sizeof name, "%s: %s", c->where, shown->quantity);
    table_add(s->j->t, ROW(
        cell_text("claim", s->id),
        cell_text("cell", people && reproduce_has_twin(s, c) ? name : c->where),
        cell_text("quantity", shown->quantity), cell_text("published", c->printed),
        asked ? cell_text("computed", c->computed > 0 ? "yes" : "no") : cell_real("computed", c->computed),
        cell_real("difference", c->computed - c->published), cell_text("verdict", claim_verdict_name(c->verdict)),
        cell_text("reading", c->reading), cell_text("reason", c->reason ? c->reason : c->why)));
}

static int reproduce_one_claim(const struct claim *claim, struct sink *s, const struct tick *t, struct err *err)
{
    const struct claim_sink sink = { .cell = reproduce_keep, .arg = s, .tick = t };
    struct csv csv = { 0 };
    char path[4096];
    int ret;

    if (claim->file && (published_path(path, claim->file, err) < 0 || csv_read(&csv, path, err) < 0))
        return -1;
    ret = claim_run(claim, claim->file ? &csv : NULL, &sink, err);
    for (size_t i = 0; ret == 0 && i < s->ncell; i++)
        reproduce_cell_row(s, &s->cell[i]);
    free(s->cell);
    csv_release(&csv);
    return ret;
}

/* The claim as a whole: the number of reproduced cells, and no documented cell that was not computed. */
static void reproduce_hold_rest(struct sink *s)
{
    struct verdicts *v = s->documented;
    struct claim_cell total;
    char how[160];
    int row;

    if (!v)
        return;
    verdicts_total(&total, s->count[CLAIM_REPRODUCED]);
    reproduce_hold(s, &total);
    for (size_t at = 0; (row = verdicts_unmet(v, s->id, &at)) >= 0;) {
        snprintf(how, sizeof how, "not among the published cells, documented as %s",
                 csv_at(&v->csv, (size_t)row, v->verdict));
        reproduce_differs(s, csv_at(&v->csv, (size_t)row, v->cell), csv_at(&v->csv, (size_t)row, v->quantity), how);
    }
    if (((const struct request *)s->j->request)->check && s->differing > MOST_NOTES)
        table_note(s->j->t, "%s: %d cells more differ.", s->id, s->differing - MOST_NOTES);
}

/* ---- summaries --------------------------------------------------------------------------------------- */

static int sum(const int count[CLAIM_VERDICTS])
{
    int all = 0;

    for (int v = 0; v < CLAIM_VERDICTS; v++)
        all += count[v];
    return all;
}

/* "24 hold, 18 hold in order only and 9 do not hold". */
static void reproduce_say_verdicts(char text[400], const int count[CLAIM_VERDICTS])
{
    static const char *const says[CLAIM_VERDICTS][2] = {
        [CLAIM_REPRODUCED] = { "is reproduced", "are reproduced" },
        [CLAIM_TRUNCATED] = { "is truncated", "are truncated" }, [CLAIM_EXPLAINED] = { "is explained", "are explained" },
        [CLAIM_SHIFTED] = { "is shifted", "are shifted" },
        [CLAIM_UNEXPLAINED] = { "is unexplained", "are unexplained" }, [CLAIM_HOLDS] = { "holds", "hold" },
        [CLAIM_HOLDS_IF] = { "holds under a condition", "hold under a condition" },
        [CLAIM_ORDER] = { "holds in order only", "hold in order only" },
        [CLAIM_OTHER] = { "holds against a weaker opponent only", "hold against a weaker opponent only" },
        [CLAIM_FAILS] = { "does not hold", "do not hold" }
    };
    int len = 0, left = 0;

    for (int v = 0; v < CLAIM_VERDICTS; v++)
        left += count[v] > 0;
    for (int v = 0; v < CLAIM_VERDICTS; v++)
        if (count[v])
            len += snprintf(text + len, 400 - (size_t)len, "%d %s%s", count[v], says[v][count[v] > 1],
                            --left > 1 ? ", " : left ? " and " : "");
}

/* On standard error, over a bar that may stand there: those that are simulated take minutes. */
static void reproduce_say_done(const char *id, const int count[CLAIM_VERDICTS])
{
    char verdicts[400] = "";

    reproduce_say_verdicts(verdicts, count);
    fprintf(stderr, terminal_shows(STDERR_FILENO) ? "\r%s: %-80s\n" : "%s: %s\n", id, verdicts);
}

static void reproduce_claim_rows(const struct job *j, const char *id, const char *title,
                                 const int count[CLAIM_VERDICTS], bool documented)
{
    char verdicts[400] = "";

    reproduce_say_verdicts(verdicts, count);
    if (j->which != REPRODUCE_SUMMARY)
        table_note(j->t, "%s, %d cells: %s.", title ? id : "In all", sum(count), verdicts);
    else
        table_add(j->t, ROW(
            cell_text("claim", id), cell_text("title", title ? title : ""), cell_int("cells", sum(count)),
            cell_int("reproduced", count[CLAIM_REPRODUCED]), cell_int("truncated", count[CLAIM_TRUNCATED]),
            cell_int("explained", count[CLAIM_EXPLAINED]),
            cell_int("shifted", count[CLAIM_SHIFTED]), cell_int("unexplained", count[CLAIM_UNEXPLAINED]),
            cell_int("holds", count[CLAIM_HOLDS]), cell_int("holds_if", count[CLAIM_HOLDS_IF]),
            cell_int("order_only", count[CLAIM_ORDER]), cell_int("other_opponent", count[CLAIM_OTHER]),
            cell_int("does_not_hold", count[CLAIM_FAILS]), cell_text("verdicts", verdicts),
            cell_text("as_documented", documented ? "yes" : "no")));
}

/* ---- all claims -------------------------------------------------------------------------------------- */

/* Whether the claim is covered by what is asked; `closely`: by more than the name of its work. */
static bool reproduce_covers(const struct request *q, const struct claim *claim, bool closely)
{
    for (size_t k = 0; k < q->id.n; k++)
        if (id_covers(q->id.item[k], claim->name) && (!closely || strpbrk(q->id.item[k], ":-.")))
            return true;
    return q->id.n == 0 && !closely;
}

/* Notes the claims that were covered and left out. */
static void reproduce_left_note(struct table *t, const struct request *q)
{
    char text[200] = "";
    size_t left = 0;

    for (size_t i = 0; claim_all[i]; i++) {
        const struct claim *claim = claim_all[i];

        if (!claim->simulated || !reproduce_covers(q, claim, false) || reproduce_covers(q, claim, true))
            continue;
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", left++ ? ", " : "", claim->name);
    }
    if (left)
        table_note(t, "Left out, since they are simulated and take minutes: %s; name one, or `metapath reproduce "
                   "drb:6`.", text);
}

/* So many cells of a claim have a verdict, or differ from what is documented. */
static int reproduce_fact(struct job *j, const char *text, struct err *)
{
    struct request *q = j->request;
    int verdict, count;

    if (sscanf(text, "%d %d", &verdict, &count) == 2 && verdict >= 0 && verdict < CLAIM_VERDICTS)
        q->total[verdict] += count;
    else
        q->differs = true;
    return 0;
}

static int reproduce_check(struct job *j, struct err *)
{
    const struct request *q = j->request;

    for (size_t i = 0; !q->list && claim_all[i]; i++)
        j->walk.turns[0] += reproduce_covers(q, claim_all[i], claim_all[i]->simulated);
    return 0;
}

/* The chosen claims (all, when none is named). */
static int reproduce_run_claims(struct job *j, struct verdicts *known, struct err *err)
{
    const struct request *q = j->request;
    size_t at = 0;

    for (size_t i = 0; claim_all[i]; i++) {
        const struct claim *claim = claim_all[i];
        const struct tick part = tick_step(&j->tick, at, j->walk.turns[0]);
        struct sink s = { .j = j, .id = claim->name, .documented = known };

        if (!reproduce_covers(q, claim, claim->simulated) || !job_turn(j, 0, at++))
            continue;
        if (reproduce_one_claim(claim, &s, &part, err) < 0)
            return -1;
        reproduce_hold_rest(&s);
        reproduce_claim_rows(j, claim->name, claim->summary, s.count, s.differing == 0);
        if (claim->simulated && !q->common.quiet)
            reproduce_say_done(claim->name, s.count);
        for (int v = 0; v < CLAIM_VERDICTS; v++)
            if (job_fact(j, err, "%d %d", v, s.count[v]) < 0)
                return -1;
        if (s.differing && job_fact(j, err, "differs") < 0)
            return -1;
    }
    return 0;
}

static int reproduce_finish(struct job *j, struct err *)
{
    const struct request *q = j->request;

    if (q->list)
        return 0;
    if (j->walk.turns[0] > 1 || j->which == REPRODUCE_SUMMARY)
        reproduce_claim_rows(j, "all", NULL, q->total, !q->differs);
    reproduce_left_note(j->t, q);
    if (q->check && q->differs)
        j->status = 3;
    return 0;
}

static int reproduce_list_claims(struct job *j)
{
    for (size_t i = 0; claim_all[i]; i++)
        table_add(j->t, ROW(cell_text("claim", claim_all[i]->name), cell_text("title", claim_all[i]->summary),
                            cell_text("source", claim_all[i]->source),
                            cell_text("data", claim_all[i]->file ? claim_all[i]->file : "")));
    return 0;
}

static int reproduce_compute(struct job *j, struct err *err)
{
    const struct request *q = j->request;
    struct verdicts documented = { 0 };
    const bool asked = j->which == REPRODUCE_SUMMARY || q->check;
    char path[4096];
    int ret;

    if (j->which == REPRODUCE_LIST)
        return reproduce_list_claims(j);
    if (asked && (published_path(path, "verdicts.csv", err) < 0 || verdicts_read(&documented, path, err) < 0))
        return -1;
    ret = reproduce_run_claims(j, asked ? &documented : NULL, err);
    verdicts_release(&documented);
    return ret;
}

/* ---- the figure -------------------------------------------------------------------------------------- */

struct beside {
    double printed, computed;       /* NaN: one of them is no number */
    const char *verdict;
};

static struct beside reproduce_beside(const struct table *t, size_t row)
{
    const char *text = look_text(t, row, "published");
    char *end;
    struct beside b = { strtod(text, &end), look_real(t, row, "computed"), look_text(t, row, "verdict") };

    if (end == text || *end || !isfinite(b.printed) || !isfinite(b.computed))
        b.printed = b.computed = NAN;
    return b;
}

/* A point in both panels: computed, and by how much of what is printed it differs. */
static int reproduce_point(struct chart *c, const struct beside *b)
{
    const double off = b->computed == b->printed ? 0 : 100 * (b->computed - b->printed) / fabs(b->printed);

    for (size_t panel = 0; panel < 2; panel++) {
        const int s = chart_series(c, b->verdict, panel);

        if (s < 0 || chart_point(c, s, b->printed, panel ? off : b->computed) < 0)
            return -1;
        c->series[s].over = true;
    }
    return 0;
}

/* Computed against printed with the line of equality, a mark a verdict, and the differences below. */
static int reproduce_figure(struct picture *f, const struct table *t, int which, struct err *err)
{
    struct chart *c = &f->chart;
    double least = INFINITY, most = -INFINITY;
    bool positive = true;
    int equal, zero;

    if (which != REPRODUCE_CELLS && which != REPRODUCE_DIFFERENCES)
        return err_set(err, ERR_USAGE, "the figure is of cells: name published tables, as in `metapath reproduce "
                       "drb:5-2 --plot FILE`, or add --show cells");
    for (size_t r = 0; r < table_rows(t); r++) {
        const struct beside b = reproduce_beside(t, r);

        least = fmin(least, b.printed);
        most = fmax(most, b.printed);
        positive = positive && !(b.printed <= 0 || b.computed <= 0);
    }
    if (least > most)
        return err_set(err, ERR_USAGE, "no cell has two numbers, printed and computed, to draw");
    c->kind = "line";
    c->x.scale = positive && most > 50 * least ? SCALE_LOG : SCALE_LINEAR;
    c->panel_y = calloc(2, sizeof *c->panel_y);
    if (!c->panel_y || chart_axis(&c->x, "Printed", NULL) < 0 || chart_panel(c, "Computed") < 0 ||
        chart_panel(c, "Difference") < 0)
        return err_memory(err);
    c->panel_y[0] = (struct axis){ .scale = c->x.scale, .from = NAN, .to = NAN };
    c->panel_y[1] = (struct axis){ .scale = SCALE_LINEAR, .from = NAN, .to = NAN };
    equal = chart_series(c, "equal", 0);
    zero = chart_series(c, "equal", 1);
    if (chart_axis(&c->panel_y[0], "Computed", NULL) < 0 || chart_axis(&c->panel_y[1], "Difference", "%") < 0 ||
        equal < 0 || zero < 0 || chart_point(c, equal, least, least) < 0 || chart_point(c, equal, most, most) < 0 ||
        chart_point(c, zero, least, 0) < 0 || chart_point(c, zero, most, 0) < 0)
        return err_memory(err);
    for (size_t r = 0; r < table_rows(t); r++) {
        const struct beside b = reproduce_beside(t, r);

        if (!isnan(b.printed) && reproduce_point(c, &b) < 0)
            return err_memory(err);
    }
    return 0;
}

static const struct frame reproduce_frame = {
    CMD_REPRODUCE_FRAME, .option = reproduce_options, FRAME_REQUEST(struct request, .common = { 0 }),
    .table = reproduce_tables, .pick = reproduce_pick, .check = reproduce_check, .compute = reproduce_compute,
    .fact = reproduce_fact, .finish = reproduce_finish, .counts = true, .plots = true, .figure = reproduce_figure
};

const struct cmd cmd_reproduce = { CMD_REPRODUCE_ENTRY, .frame = &reproduce_frame };
