#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/claim/claim.h"
#include "cli/command/cmd.h"
#include "cli/request/options.h"

#ifndef SHAREDIR
#define SHAREDIR "/usr/local/share/metapath"
#endif

struct request {
    struct options common;
    struct strings id;
    bool list, check;
};
enum { KEY_LIST = 0x100, KEY_CHECK };

static const struct argp_option option[] = {
    { "list", KEY_LIST, NULL, 0, "the published tables there are, and nothing else", 0 },
    { "check", KEY_CHECK, NULL, 0, "exit with 3 unless every verdict is as documented (`metapath help ID`)", 0 },
    { 0 }
};

static int parse(int key, char *arg, void *own, struct err *err)
{
    struct request *q = own;

    switch (key) {
    case OPTION_ARGUMENT: return claim_find(arg, err) ? strings_add(&q->id, arg, err) : -1;
    case KEY_LIST: q->list = true; return 0;
    case KEY_CHECK: q->check = true; return 0;
    default: return 1;
    }
}

/* Published data: where METAPATH_DATA says, beside a build tree, or where it was installed. */
static int data_path(char out[4096], const char *file, struct err *err)
{
    static const char *const below[] = { "/../../examples/published/", "/../examples/published/",
                                         "/../share/metapath/published/" };
    const char *set = getenv("METAPATH_DATA");
    char self[2048];
    ssize_t n;

    if (set) {
        snprintf(out, 4096, "%.2000s/published/%.200s", set, file);
        return 0;
    }
    n = readlink("/proc/self/exe", self, sizeof self - 1);
    if (n > 0) {
        char *slash;

        self[n] = '\0';
        slash = strrchr(self, '/');
        if (slash)
            *slash = '\0';
        for (size_t i = 0; i < sizeof below / sizeof *below; i++) {
            snprintf(out, 4096, "%s%s%.200s", self, below[i], file);
            if (access(out, R_OK) == 0)
                return 0;
        }
    }
    snprintf(out, 4096, "%s/published/%.200s", SHAREDIR, file);
    if (access(out, R_OK) == 0)
        return 0;
    return err_set(err, ERR_IO, "the published data %s is not found in %s/published; METAPATH_DATA may name the "
                   "directory above it", file, SHAREDIR);
}

static const struct column cells[] = {
    { "claim", NULL, NULL, 0 },
    { "cell", NULL, NULL, 0 },
    { "quantity", NULL, NULL, 0 },
    { "published", NULL, NULL, -1 },
    { "computed", NULL, NULL, 4 },
    { "difference", NULL, NULL, 4 },
    { "verdict", NULL, NULL, 0 },
    { "reading", "Scan", NULL, 0 },
    { "reason", NULL, NULL, 0 }
};
static const struct column summary[] = {
    { "claim", NULL, NULL, 0 },
    { "title", NULL, NULL, 0 },
    { "cells", NULL, NULL, 0 },
    { "reproduced", NULL, NULL, 0 },
    { "truncated", NULL, NULL, 0 },
    { "explained", NULL, NULL, 0 },
    { "unexplained", NULL, NULL, 0 },
    { "holds", NULL, NULL, 0 },
    { "holds_if", NULL, NULL, 0 },
    { "does_not_hold", NULL, NULL, 0 },
    { "as_documented", "As documented", NULL, 0 }
};

struct sink {
    struct table *cells;        /* NULL: only count */
    const char *id;
    bool differing;             /* cells that are reproduced are not listed */
    int count[CLAIM_VERDICTS];
};

static int take(void *arg, const struct claim_cell *c, struct err *err)
{
    struct sink *s = arg;

    (void)err;
    s->count[c->verdict]++;
    if (!s->cells || (s->differing && c->verdict == CLAIM_REPRODUCED))
        return 0;
    table_text(s->cells, s->id);
    table_text(s->cells, c->where);
    table_text(s->cells, c->quantity);
    table_text(s->cells, c->printed);
    table_real(s->cells, c->computed);
    table_real(s->cells, c->computed - c->published);
    table_text(s->cells, claim_verdict_name(c->verdict));
    table_text(s->cells, c->reading);
    table_text(s->cells, c->reason ? c->reason : c->why);
    return 0;
}

static int one_claim(const struct claim *claim, struct sink *s, const struct tick *t, struct err *err)
{
    const struct claim_sink sink = { take, s, t };
    struct csv csv = { 0 };
    char path[4096];
    int ret;

    if (claim->file && (data_path(path, claim->file, err) < 0 || csv_read(&csv, path, err) < 0))
        return -1;
    ret = claim->run(claim, claim->file ? &csv : NULL, &sink, err);
    csv_release(&csv);
    return ret;
}

static int sum(const int count[CLAIM_VERDICTS])
{
    int all = 0;

    for (int v = 0; v < CLAIM_VERDICTS; v++)
        all += count[v];
    return all;
}

/* "48 cells: 39 reproduced, 3 truncated, ..." of those there are. */
static void add_note(struct table *t, const char *id, const int count[CLAIM_VERDICTS])
{
    char text[300];
    int len = snprintf(text, sizeof text, "%s: %d cells", id, sum(count));

    for (int v = 0, n = 0; v < CLAIM_VERDICTS; v++)
        if (count[v])
            len += snprintf(text + len, sizeof text - (size_t)len, "%s%d %s", n++ ? ", " : ": ", count[v],
                            claim_verdict_name((enum claim_verdict)v));
    table_note(t, "%s.", text);
}

static void add_summary(struct table *t, const char *id, const char *title, const int count[CLAIM_VERDICTS], const char *documented)
{
    table_text(t, id);
    table_text(t, title);
    table_int(t, sum(count));
    for (int v = 0; v < CLAIM_VERDICTS; v++)
        table_int(t, count[v]);
    table_text(t, documented);
}

static bool as_documented(const struct claim *claim, const int count[CLAIM_VERDICTS])
{
    return memcmp(claim->documented, count, sizeof claim->documented) == 0;
}

/* The chosen claims (all, when none is named), into both tables. */
static int run_claims(const struct request *q, struct table *cell, bool differing, struct table *sum, bool *documented,
                      struct err *err)
{
    struct progress p;
    int total[CLAIM_VERDICTS] = { 0 };
    size_t n = 0;

    *documented = true;
    while (claim_all[n])
        n++;
    progress_begin(&p, q->common.progress);
    for (size_t i = 0; i < n; i++) {
        const struct claim *claim = claim_all[i];
        const struct tick whole = progress_tick(&p), t = tick_part(&whole, (double)i / (double)n, (double)(i + 1) / (double)n);
        struct sink s = { .cells = cell, .id = claim->name, .differing = differing };
        bool wanted = q->id.n == 0;

        for (size_t k = 0; k < q->id.n; k++)
            wanted = wanted || strcmp(q->id.item[k], claim->name) == 0;
        if (!wanted)
            continue;
        if (one_claim(claim, &s, &t, err) < 0) {
            progress_end(&p);
            return -1;
        }
        *documented = *documented && as_documented(claim, s.count);
        add_summary(sum, claim->name, claim->summary, s.count, as_documented(claim, s.count) ? "yes" : "no");
        if (cell)
            add_note(cell, claim->name, s.count);
        for (int v = 0; v < CLAIM_VERDICTS; v++)
            total[v] += s.count[v];
    }
    progress_end(&p);
    add_summary(sum, "all", "", total, *documented ? "yes" : "no");
    if (cell)
        add_note(cell, "In all", total);
    return 0;
}

static int list(const struct request *q, struct err *err)
{
    static const struct column columns[] = {
        { "claim", NULL, NULL, 0 }, { "title", NULL, NULL, 0 }, { "source", NULL, NULL, 0 }, { "data", NULL, NULL, 0 }
    };
    struct table t;
    int ret;

    table_init(&t, "Published tables and claims", columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; claim_all[i]; i++) {
        table_text(&t, claim_all[i]->name);
        table_text(&t, claim_all[i]->summary);
        table_text(&t, claim_all[i]->source);
        table_text(&t, claim_all[i]->file ? claim_all[i]->file : "");
    }
    ret = options_table(&q->common, &t, err);
    table_release(&t);
    return ret;
}

static int run(int argc, char **argv, struct err *err)
{
    static const char *const shows[] = { "summary", "cells", "differences", NULL };
    struct request q = { .common = { .shows = shows } };
    const struct option_run r = { option, parse, "[ID...]",
        "Computes published tables anew and compares them cell by cell.\vWithout ID: a line for every table. With IDs: "
        "their cells, published beside computed, and why those differ that do. A cell is reproduced when our value, "
        "rounded to the digits printed, is the printed one.", &q };
    struct table cell = { 0 }, sum = { 0 };
    const char *show;
    bool documented = true;
    int ret = -1;

    if (options_parse(&q.common, &r, argc, argv, err) < 0)
        goto done;
    if (q.list) {
        ret = list(&q, err);
        goto done;
    }
    show = q.common.show ? q.common.show : q.id.n ? "cells" : "summary";
    table_init(&cell, "Published beside computed", cells, sizeof cells / sizeof *cells);
    table_init(&sum, "Published tables", summary, sizeof summary / sizeof *summary);
    if (run_claims(&q, strcmp(show, "summary") == 0 ? NULL : &cell, strcmp(show, "differences") == 0, &sum, &documented,
                   err) == 0)
        ret = options_table(&q.common, strcmp(show, "summary") == 0 ? &sum : &cell, err);
    if (ret == 0 && q.check && !documented)
        ret = 3;
done:
    table_release(&cell);
    table_release(&sum);
    strings_free(&q.id);
    return ret;
}

const struct cmd cmd_reproduce = {
    .name = "reproduce",
    .group = "Output",
    .synopsis = "metapath reproduce [ID...] [--list] [--check]",
    .summary = "published tables, computed anew and compared cell by cell",
    .run = run
};
