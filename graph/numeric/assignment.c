/* assignment.c -- linear assignment (assignment.h has the method and its source).
 * 1. rows that bid for their best column   augmenting row reduction: prices from the two best columns of a row
 * 2. shortest augmenting paths             for the rows that are left, by Dijkstra's search over reduced weights
 * 3. the whole                             prices to begin with; stopped early where the answer is high enough */
#include "graph/numeric/assignment.h"
#include "graph/base/clones.h"

#define PARTS 16                /* augmentations between two checks whether going on is worth it */

/* Columns have prices; a row wants the columns where weight less price is most, and an assignment in which every row
 * has one of those is best. Prices that begin at 0 rise for columns that have a row alone: all others cost 0. */
struct work {
    struct assignment *a;
    const double *weight;
    int *row;                   /* by column: the row it is assigned to, or -1 */
    int *free, nfree;           /* rows without a column */
    double *loss;               /* by column: cost of the cheapest alternating path that ends there */
    double *shut;               /* 0, or INFINITY where the search has been */
    double *before;             /* the row from which the column was reached: as wide as loss, so that loops keep in
                                 * step */
    int *seen;                  /* columns that the search has settled */
};

static const double *row_of(const struct work *w, int i)
{
    return w->weight + (size_t)i * (size_t)w->a->columns;
}

/* ---- rows that bid for their best column ---- */

struct two {
    int first, second;          /* columns; second -1: there is one column */
    double most, next;
};

static struct two best_two(const double *weight, const double *price, int n)
{
    struct two t = { -1, -1, -INFINITY, -INFINITY };

    for (int j = 0; j < n; j++) {
        const double x = weight[j] - price[j];

        if (x <= t.next)
            continue;
        if (x > t.most) {
            t.second = t.first;
            t.next = t.most;
            t.first = j;
            t.most = x;
        } else {
            t.second = j;
            t.next = x;
        }
    }
    return t;
}

/* Augmenting row reduction: one pass over the unassigned rows. Each row takes its best column and raises the price
 * until its second best is as good. A displaced row bids again at once where the price rose, else in the next pass. */
static void bid(struct work *w)
{
    struct assignment *a = w->a;
    int left = 0, patience = 4 * a->rows;

    for (int k = 0; k < w->nfree; k++) {
        int i = w->free[k];

        while (i >= 0) {
            struct two t = best_two(row_of(w, i), a->column_price, a->columns);
            int j = t.first, loser;

            if (t.most == t.next && w->row[j] >= 0)
                j = t.second;
            loser = w->row[j];
            if (t.second >= 0 && j == t.first)
                a->column_price[j] += t.most - t.next;
            w->row[j] = i;
            a->to[i] = j;
            i = -1;
            if (loser < 0)
                break;
            a->to[loser] = -1;
            if (t.most > t.next && patience-- > 0)
                i = loser;
            else
                w->free[left++] = loser;
        }
    }
    w->nfree = left;
}

/* ---- shortest augmenting paths ---- */

/* Relaxes the edges out of row `from`; returns the least open cost. */
SIMD_CLONES static double relax(double *loss, double *before, const double *shut, const double *weight,
                                const double *price, double offset, double from, int n)
{
    enum { LANES = 8 };
    double least[LANES];
    int j = 0;

    for (int k = 0; k < LANES; k++)
        least[k] = INFINITY;
    for (; j + LANES <= n; j += LANES)
        for (int k = 0; k < LANES; k++) {
            const double x = price[j + k] - weight[j + k] - offset + shut[j + k], old = loss[j + k];
            const double now = x < old ? x : old, open = now + shut[j + k];

            before[j + k] = x < old ? from : before[j + k];
            loss[j + k] = now;
            least[k] = open < least[k] ? open : least[k];
        }
    for (; j < n; j++) {
        const double x = price[j] - weight[j] - offset + shut[j];

        if (x < loss[j]) {
            loss[j] = x;
            before[j] = from;
        }
        least[0] = fmin(least[0], loss[j] + shut[j]);
    }
    for (int k = 1; k < LANES; k++)
        least[0] = fmin(least[0], least[k]);
    return least[0];
}

/* An open column of that loss, one without a row if there is. */
static int nearest(const struct work *w, double least)
{
    int found = -1;

    for (int j = 0; j < w->a->columns; j++)
        if (w->loss[j] + w->shut[j] == least) {
            if (w->row[j] < 0)
                return j;
            if (found < 0)
                found = j;
        }
    return found;
}

/* Augments along the shortest path from row `root`: each row of the path moves to the next column. */
static void augment(struct work *w, int root)
{
    struct assignment *a = w->a;
    double least;
    int nseen = 0, j;

    for (j = 0; j < a->columns; j++) {
        w->loss[j] = INFINITY;
        w->shut[j] = 0;
    }
    least = relax(w->loss, w->before, w->shut, row_of(w, root), a->column_price, 0, root, a->columns);
    while (w->row[j = nearest(w, least)] >= 0) {
        const int i = w->row[j];

        w->seen[nseen++] = j;
        w->shut[j] = INFINITY;
        least = relax(w->loss, w->before, w->shut, row_of(w, i), a->column_price,
                      a->column_price[j] - row_of(w, i)[j] - least, i, a->columns);
    }
    for (int k = 0; k < nseen; k++)
        a->column_price[w->seen[k]] += fmax(0, least - w->loss[w->seen[k]]);
    for (int i = -1; i != root;) {
        int next;

        i = (int)w->before[j];
        w->row[j] = i;
        next = a->to[i];
        a->to[i] = j;
        j = next;
    }
}

/* ---- the whole ---- */

SIMD_CLONES static double best_of(const double *weight, const double *price, int n)
{
    enum { LANES = 8 };
    double best[LANES];
    int j = 0;

    for (int k = 0; k < LANES; k++)
        best[k] = -INFINITY;
    for (; j + LANES <= n; j += LANES)
        for (int k = 0; k < LANES; k++) {
            const double x = weight[j + k] - price[j + k];

            best[k] = x > best[k] ? x : best[k];
        }
    for (; j < n; j++)
        best[0] = fmax(best[0], weight[j] - price[j]);
    for (int k = 1; k < LANES; k++)
        best[0] = fmax(best[0], best[k]);
    return best[0];
}

/* The least prices of rows that go with those of the columns, whether all rows have one or not. */
static void price_rows(struct work *w)
{
    struct assignment *a = w->a;

    a->bound = 0;
    for (int j = 0; j < a->columns; j++)
        a->bound += a->column_price[j];
    for (int i = 0; i < a->rows; i++) {
        a->row_price[i] = best_of(row_of(w, i), a->column_price, a->columns);
        a->bound += a->row_price[i];
    }
}

/* Where every column will have a row, prices may begin anywhere: at what the column is worth to the row that wants it
 * most. Weights that are a sum of what row and column are worth need nothing else. */
static void first_prices(struct assignment *a, const double *weight)
{
    for (int j = 0; j < a->columns; j++)
        a->column_price[j] = a->rows == a->columns ? -INFINITY : 0;
    for (int i = 0; a->rows == a->columns && i < a->rows; i++, weight += a->columns)
        for (int j = 0; j < a->columns; j++)
            a->column_price[j] = fmax(a->column_price[j], weight[j]);
}

static int assignment_solve(struct work *w, double enough, const struct tick *stop, struct err *err)
{
    struct assignment *a = w->a;

    first_prices(a, w->weight);
    for (int j = 0; j < a->columns; j++)
        w->row[j] = -1;
    for (int i = 0; i < a->rows; i++) {
        a->to[i] = -1;
        w->free[w->nfree++] = i;
    }
    for (int pass = 0; pass < 2; pass++)
        bid(w);
    for (int k = 0; k < w->nfree; k++) {
        if (tick(stop, (double)k / w->nfree))
            return err_stopped(err);
        if (enough > -INFINITY && k % (a->rows / PARTS + 1) == 0) {
            price_rows(w);
            if (a->bound <= enough) {
                a->given_up = true;
                return 0;
            }
        }
        augment(w, w->free[k]);
    }
    price_rows(w);
    for (int i = 0; i < a->rows; i++)
        a->value += row_of(w, i)[a->to[i]];
    return 0;
}

int assignment_open(struct assignment *out, const double *weight, int rows, int columns, double enough,
                    const struct tick *tick, struct err *err)
{
    const size_t n = (size_t)rows, m = (size_t)columns;
    struct assignment a = { .rows = rows, .columns = columns };
    struct work w = { .a = &a, .weight = weight };
    int ret;

    if (rows > columns)
        return err_set(err, ERR_INTERNAL,
                       "an assignment of %d rows to %d columns; there must be a column for every row", rows, columns);
    for (size_t k = 0; k < n * m; k++)
        if (!isfinite(weight[k]))
            return err_set(err, ERR_DOMAIN, "the weight of row %zu and column %zu of an assignment is not finite",
                           k / m, k % m);
    if (TAKE("an assignment", err, ARRAY(a.to, n + 1), ZEROS(a.row_price, n + 1), ZEROS(a.column_price, m + 1),
             ARRAY(w.row, m + 1), ARRAY(w.free, n + 1), ARRAY(w.loss, m + 1), ARRAY(w.shut, m + 1),
             ARRAY(w.before, m + 1), ARRAY(w.seen, m + 1)) < 0)
        return -1;
    ret = assignment_solve(&w, enough, tick, err);
    FREE(w.row, w.free, w.loss, w.shut, w.before, w.seen);
    if (ret < 0)
        assignment_close(&a);
    else
        *out = a;
    return ret;
}

void assignment_close(struct assignment *a)
{
    FREE(a->to, a->row_price, a->column_price);
    *a = (struct assignment){ 0 };
}
