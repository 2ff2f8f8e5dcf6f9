/* throughput_arcs.c -- all of the program at once.
 * 1. the program    columns: theta, and for every source what flows over each step of its walks; rows: every class of
 *                   links, every state but the root
 * 2. the basis      to begin with: a tree of shortest walks for every source
 * 3. the solution   circular flow taken off; flow and prices handed to throughput.c, which says what they prove */
#include "analysis/bound/lp.h"
#include "analysis/bound/throughput_program.h"

/* Of the simplex method, many times what it takes: where numbers are very unlike it may go round in circles. */
#define STEPS(size) (5000 + 20 * (size))

/* ---- the program ---- */

struct arcs {
    struct program *p;
    struct lp *lp;
    double unit;                /* capacities are multiplied by it, so that theta is about 1 */
    double demand;              /* and demands by this */
    const char *theta;          /* what it is called */
    bool named;
    int *row;                   /* by source: the row of its state 0; the root has none */
    int *column;                /* by source: its first column */
    double *length;             /* 1 by class */
};

static bool arcs_taken(const struct walks *w, size_t step)
{
    return w->to[step] != w->root;
}

void arcs_size(double *rows, double *columns, const struct program *p)
{
    *rows = (double)p->fold.nclass;
    *columns = 1;
    for (size_t i = 0; i < p->fold.nsource; i++) {
        const struct walks *w = &p->walks[i];

        *rows += w->n - 1;
        *columns += (double)w->first[w->n];
    }
}

static int row_of(const struct arcs *a, size_t i, int state)
{
    return a->row[i] + state - (state > a->p->walks[i].root);
}

/* A node's label without what formats of linear programs do not take in names, and so short that three fit one; a
 * number makes up for what is lost. */
static const char *arcs_word(char out[120], const struct program *p, int node)
{
    enum { CUT = 60 };
    char text[NET_LABEL];
    bool lost = snprintf(out, CUT, "%s", net_label(p->fold.net, node, text)) >= CUT;

    for (char *c = out; *c; c++) {
        lost = lost || (unsigned char)*c >= 128;
        if ((unsigned char)*c >= 128 || (!isalnum((unsigned char)*c) && *c != '.'))
            *c = '_';
    }
    if (lost)
        snprintf(out + strlen(out), 20, "#%d", node);
    return out;
}

static const char *arcs_label(const struct program *p, size_t i, int state, char out[120])
{
    const struct walks *w = &p->walks[i];
    const struct quotient *q = fold_view(&p->fold, i);
    int node = state / w->per;
    size_t len;

    for (int v = 0; q->of && v < p->fold.net->n; v++)
        if (q->of[v] == state / w->per) {           /* the first of those that are alike */
            node = v;
            break;
        }
    len = strlen(arcs_word(out, p, node));
    if (w->per > 1 && len < 100)
        snprintf(out + len, 120 - len, "_plus%d", state % w->per);
    return out;
}

/* After its first link. */
static void name_class(char out[400], const struct program *p, size_t class)
{
    char from[120], to[120];
    size_t l = 0;

    while (fold_class(&p->fold, l) != class)
        l++;
    snprintf(out, 400, "link_%s_%s", arcs_word(from, p, p->fold.link_from[l]), arcs_word(to, p, p->fold.link_to[l]));
}

static int throughput_arcs_add_rows(struct arcs *a, struct err *err)
{
    const struct program *p = a->p;
    const bool named = a->named;
    char name[400], from[120], to[120];

    for (size_t c = 0; c < p->fold.nclass; c++) {
        if (named)
            name_class(name, p, c);
        if (lp_row(a->lp, -INFINITY, p->fold.class_capacity[c] / p->fold.class_size[c] * a->unit, named ? name : NULL,
                   err) < 0)
            return -1;
    }
    for (size_t i = 0; i < p->fold.nsource; i++) {
        const struct walks *w = &p->walks[i];

        a->row[i] = (int)lp_rows(a->lp);
        for (int x = 0; x < w->n; x++) {
            if (x == w->root)
                continue;
            if (named)
                snprintf(name, sizeof name, "node_%s_%s", arcs_label(p, i, w->root, from), arcs_label(p, i, x, to));
            if (lp_row(a->lp, 0, 0, named ? name : NULL, err) < 0)
                return -1;
        }
    }
    return 0;
}

/* What it brings to a node of its demand, all of it negative there. */
static int add_theta(struct arcs *a, struct err *err)
{
    const struct program *p = a->p;
    const size_t rows = lp_rows(a->lp);
    int *row, ret;
    double *value;
    size_t n = 0;

    if (TAKE("the linear program", err, ARRAY(row, rows + 1), ARRAY(value, rows + 1)) < 0)
        return -1;
    for (size_t i = 0; i < p->fold.nsource; i++)
        for (int x = 0; x < fold_view(&p->fold, i)->n; x++)
            if (p->at[i][x] > 0) {
                row[n] = row_of(a, i, walks_sink(&p->walks[i], x));
                value[n++] = -p->at[i][x] * a->demand;
            }
    ret = lp_column(a->lp, &(struct lp_column){ .up = INFINITY, .cost = 1, .name = a->theta, .n = n, .row = row,
                    .value = value }, err);
    FREE(row, value);
    return ret < 0 ? -1 : 0;
}

static int add_flows(struct arcs *a, struct err *err)
{
    const struct program *p = a->p;
    char name[400], source[120], from[120], to[120];

    for (size_t i = 0; i < p->fold.nsource; i++) {
        const struct walks *w = &p->walks[i];

        a->column[i] = (int)lp_columns(a->lp);
        for (int x = 0; x < w->n; x++)
            for (size_t k = w->first[x]; k < w->first[x + 1]; k++) {
                int row[3], n = 0;
                double value[3];

                if (!arcs_taken(w, k))
                    continue;
                if (w->class[k] >= 0) {
                    row[n] = w->class[k];
                    value[n++] = p->fold.copies[i] / p->fold.class_size[w->class[k]];
                }
                row[n] = row_of(a, i, w->to[k]);
                value[n++] = 1;
                if (x != w->root) {
                    row[n] = row_of(a, i, x);
                    value[n++] = -1;
                }
                if (a->named)
                    snprintf(name, sizeof name, "flow_%s_%s_%s", arcs_label(p, i, w->root, source),
                             arcs_label(p, i, x, from), arcs_label(p, i, w->to[k], to));
                if (lp_column(a->lp, &(struct lp_column){ .up = INFINITY, .name = a->named ? name : NULL,
                              .n = (size_t)n, .row = row, .value = value }, err) < 0)
                    return -1;
            }
    }
    return 0;
}

/* ---- the basis ---- */

/* The column of a step, counted as add_flows made them. */
static int *column_of_steps(const struct arcs *a, size_t i)
{
    const struct walks *w = &a->p->walks[i];
    int *of = malloc((w->first[w->n] + 1) * sizeof *of), column = a->column[i];

    for (size_t k = 0; of && k < w->first[w->n]; k++)
        of[k] = arcs_taken(w, k) ? column++ : -1;
    return of;
}

/* The basis to begin with: a tree of shortest walks for every source, and all links' rows. With theta = 0 nothing
 * flows. */
static int place_trees(struct arcs *a, struct err *err)
{
    struct program *p = a->p;

    for (size_t i = 0; i < p->fold.nsource; i++) {
        const struct walks *w = &p->walks[i];
        int *column = column_of_steps(a, i);
        int ret = 0;

        if (!column)
            return err_memory(err);
        shortest_find(&p->search, w, a->length);
        for (int k = 1; ret == 0 && k < p->search.reached; k++) {
            const int x = p->search.order[k];

            ret = lp_place_row(a->lp, row_of(a, i, x), LP_AT_UPPER, err) < 0 ||
                lp_place_column(a->lp, column[p->search.via[x]], LP_BASIC, err) < 0 ? -1 : 0;
        }
        free(column);
        if (ret < 0)
            return -1;
    }
    return 0;
}

/* ---- the solution ---- */

struct work {
    double *flow, *need, *balance;
    int *mark, *trail;
    size_t *step;
};
enum { NEW, ON_TRAIL, DONE };

/* The steps from trail[at] to trail[depth] and back make a circle: takes off what flows along all of it. */
static void take_off(struct work *k, int at, int depth)
{
    double least = INFINITY;

    for (int i = at; i <= depth; i++)
        least = fmin(least, k->flow[k->step[i]]);
    for (int i = at; i <= depth; i++)
        k->flow[k->step[i]] -= least;
}

/* Depth first along steps with flow; a step back into the trail closes a circle. Looked at again is then where it
 * began. */
static void arcs_follow(struct work *k, const struct walks *w, int start)
{
    int depth = 0;

    k->trail[0] = start;
    k->step[0] = w->first[start];
    k->mark[start] = ON_TRAIL;
    while (depth >= 0) {
        const int x = k->trail[depth];
        const size_t s = k->step[depth];

        if (s == w->first[x + 1]) {
            k->mark[x] = DONE;
            if (--depth >= 0)
                k->step[depth]++;
        } else if (!(k->flow[s] > 0) || k->mark[w->to[s]] == DONE) {
            k->step[depth]++;
        } else if (k->mark[w->to[s]] == NEW) {
            k->trail[++depth] = w->to[s];
            k->step[depth] = w->first[w->to[s]];
            k->mark[w->to[s]] = ON_TRAIL;
        } else {
            int at = depth;

            while (k->trail[at] != w->to[s])
                at--;
            take_off(k, at, depth);
            for (; depth > at; depth--)
                k->mark[k->trail[depth]] = NEW;
        }
    }
}

/* Takes off what flows in circles, and returns what is missing at states of what they need, all together. */
static double arcs_cleaned(struct work *k, const struct walks *w)
{
    double missing = 0;

    memset(k->mark, 0, (size_t)w->n * sizeof *k->mark);
    for (int x = 0; x < w->n; x++)
        if (k->mark[x] == NEW)
            arcs_follow(k, w, x);
    for (int x = 0; x < w->n; x++)
        k->balance[x] = -k->need[x];
    for (int x = 0; x < w->n; x++)
        for (size_t s = w->first[x]; s < w->first[x + 1]; s++) {
            k->balance[x] -= k->flow[s];
            k->balance[w->to[s]] += k->flow[s];
        }
    for (int x = 0; x < w->n; x++)
        missing += x == w->root ? 0 : fabs(k->balance[x]);
    return missing;
}

static int work_open(struct work *k, const struct program *p, struct err *err)
{
    size_t most = 1, n = (size_t)p->states + 1;

    for (size_t i = 0; i < p->fold.nsource; i++)
        most = p->walks[i].first[p->walks[i].n] > most ? p->walks[i].first[p->walks[i].n] : most;
    return TAKE("the linear program", err, ARRAY(k->flow, most), ARRAY(k->need, n), ARRAY(k->balance, n),
                ARRAY(k->mark, n), ARRAY(k->trail, n), ARRAY(k->step, n));
}

static void work_close(struct work *k)
{
    FREE(k->flow, k->need, k->balance, k->mark, k->trail, k->step);
}

/* The flow for demands of 1. What is missing at a node could be brought there over some path: at most all of it on
 * every link. */
static int read_flow(struct found *f, const struct arcs *a, struct work *k, double *load, struct err *err)
{
    const struct program *p = a->p;
    const double theta = lp_value(a->lp, 0);
    double missing = 0;

    memset(load, 0, p->fold.nclass * sizeof *load);
    for (size_t i = 0; i < p->fold.nsource; i++) {
        const struct walks *w = &p->walks[i];
        int *column = column_of_steps(a, i);

        if (!column)
            return err_memory(err);
        for (size_t s = 0; s < w->first[w->n]; s++)
            k->flow[s] = column[s] < 0 ? 0 : fmax(lp_value(a->lp, column[s]), 0);
        free(column);
        memset(k->need, 0, (size_t)w->n * sizeof *k->need);
        for (int x = 0; x < fold_view(&p->fold, i)->n; x++)
            k->need[walks_sink(w, x)] += theta * p->at[i][x];
        missing += p->fold.copies[i] * arcs_cleaned(k, w);
        for (size_t s = 0; s < w->first[w->n]; s++)
            if (w->class[s] >= 0)
                load[w->class[s]] += p->fold.copies[i] * k->flow[s];
    }
    if (!(theta > 0))
        return 0;
    for (size_t c = 0; c < p->fold.nclass; c++)
        load[c] = (load[c] + missing * p->fold.class_size[c]) / theta;
    found_flow(f, p, load);
    return 0;
}

static int read_prices(struct found *f, struct arcs *a, double *load, struct err *err)
{
    struct program *p = a->p;

    for (size_t c = 0; c < p->fold.nclass; c++)         /* of a unit of flow on one of its links */
        a->length[c] = fmax(lp_price(a->lp, (int)c), 0) / p->fold.class_size[c];
    return program_prove(f, p, load, a->length, err);
}

static int arcs_build(struct arcs *a, struct err *err)
{
    return lp_open(&a->lp, "throughput", true, err) < 0 || throughput_arcs_add_rows(a, err) < 0 ||
        add_theta(a, err) < 0 || add_flows(a, err) < 0 ? -1 : 0;
}

static int write_program(struct arcs *a, const struct found *f, struct err *err)
{
    struct arcs plain = *a;
    struct plain units;
    int ret;

    program_plain(&units, a->p, f);
    plain.unit = units.flow;
    plain.demand = units.demand;
    plain.theta = units.theta;
    plain.named = true;
    ret = arcs_build(&plain, err) < 0 ? -1 : lp_write(plain.lp, a->p->write, err);
    lp_close(plain.lp);
    return ret;
}

int arcs_solve(struct found *f, struct program *p, struct err *err)
{
    struct arcs a = { .p = p, .unit = f->least, .demand = 1, .theta = "theta" };
    double *load;
    struct work k = { 0 };
    enum lp_end end;
    int ret = -1;

    if (TAKE("the linear program", err, ARRAY(load, p->fold.nclass + 1), ARRAY(a.row, p->fold.nsource + 1),
             ARRAY(a.column, p->fold.nsource + 1), ARRAY(a.length, p->fold.nclass + 1)) < 0)
        return -1;
    for (size_t c = 0; c < p->fold.nclass; c++)
        a.length[c] = 1;
    if (work_open(&k, p, err) < 0 || (p->write && write_program(&a, f, err) < 0) || arcs_build(&a, err) < 0 ||
        place_trees(&a, err) < 0 ||
        lp_solve(a.lp, STEPS((int)lp_rows(a.lp) + (int)lp_columns(a.lp)), &end, p->o->tick, err) < 0)
        goto done;
    if (end != LP_OPTIMAL && end != LP_LIMIT) {
        err_set(err, ERR_INTERNAL, "the linear program of throughput has no optimum, which cannot be");
        goto done;
    }
    f->rows = lp_rows(a.lp);
    f->columns = lp_columns(a.lp);
    if (read_flow(f, &a, &k, load, err) == 0)
        ret = read_prices(f, &a, load, err);
done:
    lp_close(a.lp);
    work_close(&k);
    FREE(load, a.row, a.column, a.length);
    return ret;
}
