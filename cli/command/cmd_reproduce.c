/* cmd_reproduce.c -- `metapath reproduce`: published tables, computed anew.
 * 1. the command line    claims by name or prefix
 * 2. one claim           its cells as rows, each compared with the documented verdict
 * 3. summaries           a row or a note a claim
 * 4. all claims          the chosen ones, or their list */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/claim/claim.h"
#include "analysis/claim/verdicts.h"
#include "cli/command/cmd.h"
#include "cli/request/published.h"
#include "graph/base/text.h"

#define MOST_NOTES 20           /* of cells of a claim that are not as documented */

struct request {
    struct options common;
    struct strings id;
    bool list, check;
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
    { "list", 0, NULL, "the published tables there are, and nothing else", 0, INTO(list) },
    { "check", 0, NULL, "exit with 3 unless every cell is as documented in published/verdicts.csv", 0, INTO(check) },
    { 0 }
};

static const struct column cell_columns[] = {
    PLAIN("claim"), PLAIN("cell"), { "quantity", NULL, NULL, YIELDS(0), LOOSE },
    { "published", NULL, NULL, -1, LOOSE },
    { "computed", NULL, NULL, 4, LOOSE }, { "difference", NULL, NULL, YIELDS(4), LOOSE }, PLAIN("verdict"),
    { "reading", "Scan", NULL, YIELDS(0), LOOSE },
    PLAIN("reason")
};
static const struct column summary_columns[] = {
    PLAIN("claim"), ASIDE("title"), PLAIN("cells"), PLAIN("reproduced"), PLAIN("truncated"), PLAIN("explained"),
    PLAIN("shifted"), PLAIN("unexplained"), PLAIN("holds"), PLAIN("holds_if"), PLAIN("does_not_hold"),
    PLAIN("as_documented")
};

static const struct column list_columns[] = {
    PLAIN("claim"), PLAIN("title"), { "source", NULL, NULL, YIELDS(0), LOOSE }, { "data", NULL, NULL, YIELDS(0), LOOSE }
};
enum { REPRODUCE_SUMMARY, REPRODUCE_CELLS, REPRODUCE_DIFFERENCES, REPRODUCE_LIST };
static const struct frame_table reproduce_tables[] = {
    [REPRODUCE_SUMMARY] = { "summary", "Published tables", COLUMNS(summary_columns) },
    [REPRODUCE_CELLS] = { "cells", "Published beside computed", COLUMNS(cell_columns) },
    [REPRODUCE_DIFFERENCES] = { "differences", "Published beside computed", COLUMNS(cell_columns) },
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

struct sink {
    const struct job *j;
    const char *id;
    struct verdicts *documented;    /* NULL: not compared */
    int count[CLAIM_VERDICTS];
    int differing;                  /* cells that are not as documented */
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

static int reproduce_cell_row(void *arg, const struct claim_cell *c, struct err *err)
{
    struct sink *s = arg;

    (void)err;
    s->count[c->verdict]++;
    reproduce_hold(s, c);
    if (s->j->which == REPRODUCE_SUMMARY || (s->j->which == REPRODUCE_DIFFERENCES && c->verdict == CLAIM_REPRODUCED))
        return 0;
    table_add(s->j->t, ROW(
        cell_text("claim", s->id), cell_text("cell", c->where), cell_text("quantity", c->quantity),
        cell_text("published", c->printed), cell_real("computed", c->computed),
        cell_real("difference", c->computed - c->published), cell_text("verdict", claim_verdict_name(c->verdict)),
        cell_text("reading", c->reading), cell_text("reason", c->reason ? c->reason : c->why)));
    return 0;
}

static int reproduce_one_claim(const struct claim *claim, struct sink *s, const struct tick *t, struct err *err)
{
    const struct claim_sink sink = { .cell = reproduce_cell_row, .arg = s, .tick = t };
    struct csv csv = { 0 };
    char path[4096];
    int ret;

    if (claim->file && (published_path(path, claim->file, err) < 0 || csv_read(&csv, path, err) < 0))
        return -1;
    ret = claim_run(claim, claim->file ? &csv : NULL, &sink, err);
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

/* "48 cells: 39 reproduced, 3 truncated, ...", verdicts without cells omitted. */
static void reproduce_claim_note(struct table *t, const char *id, const int count[CLAIM_VERDICTS])
{
    char text[300];
    int len = snprintf(text, sizeof text, "%s: %d cells", id, sum(count));

    for (int v = 0, n = 0; v < CLAIM_VERDICTS; v++)
        if (count[v])
            len += snprintf(text + len, sizeof text - (size_t)len, "%s%d %s", n++ ? ", " : ": ", count[v],
                            claim_verdict_name((enum claim_verdict)v));
    table_note(t, "%s.", text);
}

static void reproduce_claim_rows(const struct job *j, const char *id, const char *title,
                                 const int count[CLAIM_VERDICTS], bool documented)
{
    if (j->which != REPRODUCE_SUMMARY)
        reproduce_claim_note(j->t, title ? id : "In all", count);
    else
        table_add(j->t, ROW(
            cell_text("claim", id), cell_text("title", title ? title : ""), cell_int("cells", sum(count)),
            cell_int("reproduced", count[CLAIM_REPRODUCED]), cell_int("truncated", count[CLAIM_TRUNCATED]),
            cell_int("explained", count[CLAIM_EXPLAINED]),
            cell_int("shifted", count[CLAIM_SHIFTED]), cell_int("unexplained", count[CLAIM_UNEXPLAINED]),
            cell_int("holds", count[CLAIM_HOLDS]), cell_int("holds_if", count[CLAIM_HOLDS_IF]),
            cell_int("does_not_hold", count[CLAIM_FAILS]), cell_text("as_documented", documented ? "yes" : "no")));
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

/* The chosen claims (all, when none is named). */
static int reproduce_run_claims(struct job *j, struct verdicts *known, struct err *err)
{
    const struct request *q = j->request;
    int total[CLAIM_VERDICTS] = { 0 };
    bool documented = true;
    size_t n = 0, at = 0;

    for (size_t i = 0; claim_all[i]; i++)
        n += reproduce_covers(q, claim_all[i], claim_all[i]->simulated);        /* those run only where named closely */
    for (size_t i = 0; claim_all[i]; i++) {
        const struct claim *claim = claim_all[i];
        const struct tick part = tick_step(&j->tick, at, n);
        struct sink s = { .j = j, .id = claim->name, .documented = known };

        if (!reproduce_covers(q, claim, claim->simulated))
            continue;
        at++;
        if (reproduce_one_claim(claim, &s, &part, err) < 0)
            return -1;
        reproduce_hold_rest(&s);
        documented = documented && s.differing == 0;
        reproduce_claim_rows(j, claim->name, claim->summary, s.count, s.differing == 0);
        for (int v = 0; v < CLAIM_VERDICTS; v++)
            total[v] += s.count[v];
    }
    reproduce_claim_rows(j, "all", NULL, total, documented);
    reproduce_left_note(j->t, q);
    j->status = q->check && !documented ? 3 : 0;
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

static const struct frame reproduce_frame = {
    .arguments = "[ID...]", .option = reproduce_options, FRAME_REQUEST(struct request, .common = { 0 }),
    .table = reproduce_tables, .pick = reproduce_pick, .compute = reproduce_compute, .counts = true,
    .example = {
        { "Which published tables are there?",
          "metapath reproduce --list" },
        { "Which cells of one table are reproduced, and why do others differ?",
          "metapath reproduce drb:5-2" },
        { "Is every result still as documented?",
          "metapath reproduce --check" }
    },
    .doc = "Computes published tables anew and compares them cell by cell.\vWithout ID: a line for every table. With "
        "IDs (drb:5-2, or drb for all of them): their cells, published beside computed, and why those differ that do. "
        "A cell is reproduced when our value, rounded to the digits printed, is the printed one."
};

const struct cmd cmd_reproduce = {
    .name = "reproduce", .group = "Output", .frame = &reproduce_frame,
    .synopsis = "metapath reproduce [ID...] [--list] [--check]",
    .summary = "published tables, computed anew and compared cell by cell"
};
