/* orders.c -- orders of blocking calls (orders.h has the model).
 * 1. rows     what a row says, and whether it can be said
 * 2. kinds    as many receives as sends of every kind of message
 * 3. order    processes numbered, calls put together by process
 * 4. run      calls that meet end; a list of processes that have come to a new call
 * 5. circle   the one with the smallest process among those that are left */
#include "analysis/deadlock/orders.h"

#include <strings.h>

#include "graph/base/map.h"
#include "graph/base/names.h"
#include "graph/base/utf8.h"

#define BLANKS " \t"

enum { PROCESS, OP, PEER, TAG, COLUMNS };
static const char *const headings[COLUMNS] = { "process", "op", "peer", "tag" };

struct reader {
    struct orders o;
    const char *path;
    int column[COLUMNS];            /* -1: not there */
    struct names process, tag;      /* processes have these numbers until they are put in order */
    struct map pair, kind;          /* of sender and receiver; of that and a tag */
};

/* ---- rows ---- */

/* Without the blanks at both ends, which are cut off in its place. */
static char *orders_trim(char *text)
{
    size_t len;

    text += strspn(text, BLANKS);
    len = strlen(text);
    while (len > 0 && strchr(BLANKS, text[len - 1]))
        len--;
    text[len] = '\0';
    return text;
}

static int orders_columns(struct reader *r, struct err *err)
{
    struct csv *csv = &r->o.csv;

    for (size_t i = 0; i < csv->ncol; i++)
        csv->heading[i] = orders_trim(csv->heading[i]);
    for (int i = 0; i < COLUMNS; i++) {
        r->column[i] = csv_column(csv, headings[i]);
        if (r->column[i] < 0 && i != TAG)
            return err_set(err, ERR_FORMAT, "%.200s has no column '%s'; a heading process,op,peer or "
                           "process,op,peer,tag is wanted", r->path, headings[i]);
    }
    return csv->nrow ? 0 : err_set(err, ERR_FORMAT, "%.200s has a heading and no calls", r->path);
}

static bool is_wildcard(const char *text)
{
    static const char *const words[] = { "*", "any", "any_source", "any_tag", "mpi_any_source", "mpi_any_tag" };

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcasecmp(text, words[i]) == 0)
            return true;
    return false;
}

/* The cells of a row, each fit to be what it is. */
static int orders_cells(const char *cell[COLUMNS], const struct reader *r, size_t row, struct err *err)
{
    const size_t line = r->o.csv.line[row];

    for (int i = 0; i < COLUMNS; i++) {
        const char *c = cell[i] =
            r->column[i] < 0 ? "" : orders_trim(r->o.csv.field[row * r->o.csv.ncol + (size_t)r->column[i]]);

        if (!*c && i != TAG)
            return err_set(err, ERR_FORMAT, "%.200s:%zu: %s is empty", r->path, line, headings[i]);
        while (*c && utf8_length(c) > 0 && !utf8_control(c))
            c += utf8_length(c);
        if (*c)
            return err_set(err, ERR_FORMAT, "%.200s:%zu: %s is '%.60s', with a character that is a control character "
                           "or not UTF-8", r->path, line, headings[i], cell[i]);
    }
    if (strcmp(cell[OP], "send") != 0 && strcmp(cell[OP], "recv") != 0)
        return err_set(err, ERR_FORMAT, "%.200s:%zu: op is '%.60s'; it must be send or recv", r->path, line, cell[OP]);
    for (int i = PEER; i <= TAG; i++)
        if (is_wildcard(cell[i]))
            return err_set(err, ERR_FORMAT, "%.200s:%zu: %s is '%.60s'; what such a call is matched with depends on "
                           "which is faster, so that the file does not determine what happens: name the %s", r->path,
                           line, headings[i], cell[i], headings[i]);
    if (strcmp(cell[PROCESS], cell[PEER]) == 0)
        return err_set(err, ERR_FORMAT, "%.200s:%zu: process %.60s %s itself, for which it would wait for ever",
                       r->path, line, cell[PROCESS], *cell[OP] == 's' ? "sends to" : "receives from");
    return 0;
}

static int orders_row(struct reader *r, size_t row, struct err *err)
{
    struct orders_call *call = &r->o.call[row];
    const char *cell[COLUMNS];
    int process, peer, tag, pair, kind;
    bool send;

    if (orders_cells(cell, r, row, err) < 0)
        return -1;
    send = *cell[OP] == 's';
    process = names_add(&r->process, cell[PROCESS], strlen(cell[PROCESS]), err);
    peer = process < 0 ? -1 : names_add(&r->process, cell[PEER], strlen(cell[PEER]), err);
    tag = peer < 0 ? -1 : names_add(&r->tag, cell[TAG], strlen(cell[TAG]), err);
    if (tag < 0)
        return -1;
    pair = map_put(&r->pair, (uint64_t)(send ? process : peer) << 32 | (uint64_t)(send ? peer : process),
                   (int)r->pair.n, err);
    kind = pair < 0 ? -1 : map_put(&r->kind, (uint64_t)pair << 32 | (uint64_t)tag, (int)r->kind.n, err);
    if (kind < 0)
        return -1;
    *call = (struct orders_call){ .process = process, .peer = peer, .tag = cell[TAG], .line = r->o.csv.line[row],
                                  .kind = kind, .send = send };
    return 0;
}

/* ---- kinds ---- */

/* A call that nobody answers: `here` of its kind are made, `there` answer. */
static int orders_unanswered(const struct reader *r, const struct orders_call *c, int here, int there, struct err *err)
{
    const char *const verb = c->send ? "sends to" : "receives from", *const answers = c->send ? "receives" : "sends";
    char tag[80] = "", why[80];
    bool calls = false;

    if (r->column[TAG] >= 0)
        snprintf(tag, sizeof tag, " (%s%.60s)", *c->tag ? "tag " : "no tag", c->tag);
    for (size_t i = 0; i < r->o.ncall; i++)
        calls = calls || r->o.call[i].process == c->peer;
    if (!calls)
        snprintf(why, sizeof why, "makes no calls");
    else if (there == 0)
        snprintf(why, sizeof why, "never %s it", answers);
    else
        snprintf(why, sizeof why, "%s only %d of %d such messages", answers, there, here);
    return err_set(err, ERR_FORMAT, "%.200s:%zu: process %.60s %s %.60s%s, which %s", r->path, c->line,
                   r->process.name[c->process].text, verb, r->process.name[c->peer].text, tag, why);
}

static int orders_kinds(const struct reader *r, struct err *err)
{
    int (*all)[2], (*yet)[2], ret = 0;          /* receives and sends of a kind; those so far */

    if (TAKE("orders of calls", err, ZEROS(all, r->kind.n), ZEROS(yet, r->kind.n)) < 0)
        return -1;
    for (size_t i = 0; i < r->o.ncall; i++)
        all[r->o.call[i].kind][r->o.call[i].send]++;
    for (size_t i = 0; i < r->o.ncall && ret == 0; i++) {
        const struct orders_call *c = &r->o.call[i];

        if (++yet[c->kind][c->send] > all[c->kind][!c->send])
            ret = orders_unanswered(r, c, all[c->kind][c->send], all[c->kind][!c->send], err);
    }
    FREE(all, yet);
    return ret;
}

/* ---- order ---- */

struct ranked {
    const char *name;
    int number, turn;           /* as first seen in any row; in a row of its own */
};

static bool is_number(const char *text)
{
    return text[strspn(text, "0123456789")] == '\0';
}

static int by_rank(const void *a, const void *b)
{
    const struct ranked *p = a, *q = b;
    const bool number = is_number(p->name);

    if (number != is_number(q->name))
        return number ? -1 : 1;
    if (number) {               /* of any size */
        const char *x = p->name + strspn(p->name, "0"), *y = q->name + strspn(q->name, "0");
        const size_t m = strlen(x), n = strlen(y);
        const int differ = m != n ? (m > n) - (m < n) : strcmp(x, y);

        if (differ)
            return differ;
    }
    return (p->turn > q->turn) - (p->turn < q->turn);
}

/* rank: by number, 0 at first; every process has a row of its own. */
static void orders_rank(const struct reader *r, struct ranked *list, int *rank)
{
    int n = 0;

    for (size_t i = 0; i < r->o.ncall; i++) {
        const int p = r->o.call[i].process;

        if (rank[p])
            continue;
        rank[p] = 1;
        list[n] = (struct ranked){ r->process.name[p].text, p, n };
        n++;
    }
    qsort(list, (size_t)n, sizeof *list, by_rank);
    for (int i = 0; i < n; i++) {
        rank[list[i].number] = i;
        r->o.name[i] = list[i].name;
    }
}

static int orders_sort(struct reader *r, struct err *err)
{
    struct orders *o = &r->o;
    const size_t n = (size_t)r->process.n;
    struct orders_call *sorted = NULL;
    struct ranked *list = NULL;
    int *rank = NULL;

    if (TAKE("orders of calls", err, ARRAY(sorted, o->ncall), ARRAY(list, n), ZEROS(rank, n), ARRAY(o->name, n),
             ZEROS(o->first, n + 1), ARRAY(o->next, n), ARRAY(o->circle, n)) < 0)
        return -1;
    o->n = (int)n;
    orders_rank(r, list, rank);
    for (size_t i = 0; i < o->ncall; i++)
        o->first[rank[o->call[i].process] + 1]++;
    for (size_t p = 0; p < n; p++) {
        o->first[p + 1] += o->first[p];
        o->next[p] = o->first[p];
    }
    for (size_t i = 0; i < o->ncall; i++) {
        struct orders_call c = o->call[i];

        c.process = rank[c.process];
        c.peer = rank[c.peer];
        sorted[o->next[c.process]++] = c;
    }
    for (size_t p = 0; p < n; p++)
        o->next[p] = o->first[p];
    FREE(o->call, list, rank);
    o->call = sorted;
    return 0;
}

/* ---- run ---- */

/* Who stands at the call that answers the one p stands at; -1: nobody does. Two calls of one kind by two processes are
 * a send and a receive. */
static int orders_partner(const struct orders *o, int p)
{
    const struct orders_call *mine = orders_waits(o, p), *other = mine ? orders_waits(o, mine->peer) : NULL;

    return other && other->kind == mine->kind ? mine->peer : -1;
}

static int orders_last_round(const struct orders *o, int p)
{
    return o->next[p] > o->first[p] ? o->call[o->next[p] - 1].round : 0;
}

static int orders_run(struct orders *o, struct err *err)
{
    int *todo, ntodo = 0, q;    /* processes that may stand at a call that can end */
    bool *listed;

    if (TAKE("orders of calls", err, ARRAY(todo, o->n), ARRAY(listed, o->n)) < 0)
        return -1;
    for (int p = 0; p < o->n; p++) {
        todo[ntodo++] = p;
        listed[p] = true;
    }
    while (ntodo > 0) {
        const int p = todo[--ntodo];

        listed[p] = false;
        while ((q = orders_partner(o, p)) >= 0) {
            const int mine = orders_last_round(o, p), other = orders_last_round(o, q);
            const int round = 1 + (mine > other ? mine : other);

            o->call[o->next[p]++].round = o->call[o->next[q]++].round = round;
            o->done += 2;
            o->rounds = round > o->rounds ? round : o->rounds;
            if (!listed[q]) {
                todo[ntodo++] = q;
                listed[q] = true;
            }
        }
    }
    FREE(todo, listed);
    return 0;
}

/* ---- circle ---- */

static int orders_circle(struct orders *o, struct err *err)
{
    int *walk, first = -1;      /* by process: the walk from p that came by, as p + 1 */

    if (TAKE("orders of calls", err, ZEROS(walk, o->n)) < 0)
        return -1;
    for (int p = 0; p < o->n; p++) {
        int v = p, least;

        if (!orders_waits(o, p))
            continue;
        o->waiting++;
        for (; !walk[v]; v = orders_waits(o, v)->peer)
            walk[v] = p + 1;
        if (walk[v] != p + 1)   /* an earlier walk has been there: no new circle */
            continue;
        least = v;
        for (int w = orders_waits(o, v)->peer; w != v; w = orders_waits(o, w)->peer)
            least = w < least ? w : least;
        o->circles++;
        first = first < 0 || least < first ? least : first;
    }
    for (int v = first; v >= 0 && (o->ncircle == 0 || v != first); v = orders_waits(o, v)->peer)
        o->circle[o->ncircle++] = v;
    free(walk);
    return 0;
}

/* ---- the whole ---- */

int orders_from(struct orders *out, struct csv *csv, const char *path, struct err *err)
{
    struct reader r = { .o = { .csv = *csv }, .path = path };
    int ret = -1;

    if (orders_columns(&r, err) < 0 || TAKE("orders of calls", err, ARRAY(r.o.call, csv->nrow)) < 0)
        goto done;
    for (; r.o.ncall < csv->nrow; r.o.ncall++)
        if (orders_row(&r, r.o.ncall, err) < 0)
            goto done;
    if (orders_kinds(&r, err) < 0 || orders_sort(&r, err) < 0 || orders_run(&r.o, err) < 0 ||
        orders_circle(&r.o, err) < 0)
        goto done;
    *out = r.o;
    *csv = (struct csv){ 0 };
    ret = 0;
done:
    names_release(&r.process);
    names_release(&r.tag);
    map_release(&r.pair);
    map_release(&r.kind);
    if (ret < 0) {
        r.o.csv = (struct csv){ 0 };        /* is the caller's */
        orders_close(&r.o);
    }
    return ret;
}

int orders_open(struct orders *out, const char *path, struct err *err)
{
    struct csv csv = { 0 };
    int ret;

    if (csv_read(&csv, path, err) < 0)
        return -1;
    ret = orders_from(out, &csv, path, err);
    csv_release(&csv);
    return ret;
}

void orders_close(struct orders *o)
{
    FREE(o->name, o->call, o->first, o->next, o->circle);
    csv_release(&o->csv);
    *o = (struct orders){ 0 };
}
