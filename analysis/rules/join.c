#include "analysis/rules/join.h"

#define LEVEL 1e-9                      /* times that differ by less are the same */

struct piece {                          /* sizes from a bound on, in the format's measure */
    int64_t from;
    size_t setting;
};
struct joining {
    struct rules *r;
    enum operation operation;
    const struct setting *setting;
    size_t nsetting;
    double loss;
    struct join_cell *cell;             /* by count, then size */
    double *least;                      /* of each, among what the library has */
    struct piece *piece;                /* of the rows that are being joined */
    size_t npiece, first;               /* their first rule */
    const struct rules_name **name;     /* of each setting */
};

int join_cells_order(const void *a, const void *b)
{
    const struct join_cell *x = a, *y = b;

    return x->processes != y->processes ? (x->processes > y->processes) - (x->processes < y->processes) :
        (x->bytes > y->bytes) - (x->bytes < y->bytes);
}

static int64_t half_way(int64_t a, int64_t b)
{
    const int64_t bound = (int64_t)ceil(sqrt((double)a) * sqrt((double)b) - LEVEL);

    return bound > a ? bound : a + 1;
}

static int64_t measure(const struct joining *j, const struct join_cell *c)
{
    return j->r->format->totals >> j->operation & 1 ? c->bytes * c->processes : c->bytes;
}

static bool serves(const struct joining *j, size_t cell, size_t setting)
{
    const struct join_cell *c = &j->cell[cell];

    return rules_takes(j->name[setting], c->processes) && c->time[setting] <= (1 + j->loss + LEVEL) * j->least[cell];
}

/* Of cells first..end - 1, the setting that serves most from the first on, and of those alike the fastest; *to is where
 * it ends. */
static size_t longest(size_t *to, const struct joining *j, size_t first, size_t end)
{
    size_t best = 0;
    double least = INFINITY;

    *to = first;
    for (size_t k = 0; k < j->nsetting; k++) {
        size_t at = first;
        double sum = 0;

        for (; at < end && serves(j, at, k); at++)
            sum += j->cell[at].time[k] / j->least[at];
        if (at > *to || (at == *to && at > first && sum < least - LEVEL)) {
            best = k;
            least = sum;
            *to = at;
        }
    }
    return best;
}

static size_t piece_at(const struct joining *j, int64_t size)
{
    size_t i = j->npiece - 1;

    while (j->piece[i].from > size)
        i--;
    return j->piece[i].setting;
}

/* The rules of the rows joined so far, which hold for processes below `end`. */
static int close_rows(struct joining *j, int64_t from, int64_t end, struct err *err)
{
    for (size_t i = 0; i < j->npiece; i++) {
        struct rules_rule u = rule_of(j->operation, 0);
        const size_t k = j->piece[i].setting;
        int64_t *range = rule_sizes(j->r, &u);

        u.processes[0] = from;
        u.processes[1] = end - (end < RULES_ALL);
        range[0] = j->piece[i].from;
        range[1] = i + 1 < j->npiece ? j->piece[i + 1].from - 1 : RULES_ALL;
        u.name = j->name[k];
        u.segment = j->setting[k].algorithm->segments ? j->setting[k].segment : 0;
        if (rules_add(j->r, &u, err) < 0)
            return -1;
    }
    return 0;
}

static int open_rows(struct joining *j, size_t first, size_t end, struct err *err)
{
    j->npiece = 0;
    for (size_t to; first < end; first = to) {
        const struct join_cell *c = &j->cell[first];
        const size_t k = longest(&to, j, first, end);

        if (to == first)
            return err_set(err, ERR_DOMAIN, "%s has none of the algorithms for %s of %lld bytes among %d processes",
                           j->r->format->name, operation_name[j->operation], (long long)c->bytes, c->processes);
        j->piece[j->npiece] = (struct piece){ j->npiece ? half_way(measure(j, c - 1), measure(j, c)) : 0, k };
        j->npiece++;
    }
    return 0;
}

static void lose(struct joining *j, struct join_loss *lost, size_t first, size_t end)
{
    for (size_t i = first; i < end; i++) {
        const struct join_cell *c = &j->cell[i];
        const double lack = fmax(0, j->least[i] / c->time[c->best] - 1),
            join = fmax(0, c->time[piece_at(j, measure(j, c))] / j->least[i] - 1);

        if (c->between)
            continue;
        lost->n++;
        lost->lack += (lack - lost->lack) / (double)lost->n;
        lost->join += (join - lost->join) / (double)lost->n;
        lost->lack_most = fmax(lost->lack_most, lack);
        lost->join_most = fmax(lost->join_most, join);
    }
}

static int join_rows(struct joining *j, struct join_loss *lost, size_t n, struct err *err)
{
    int64_t from = 0;

    for (size_t i = 0, end; i < n; i = end) {
        bool joins = j->npiece > 0;

        for (end = i; end < n && j->cell[end].processes == j->cell[i].processes; end++)
            joins = joins && serves(j, end, piece_at(j, measure(j, &j->cell[end])));
        if (!joins) {
            const int64_t bound = i ? half_way(j->cell[i - 1].processes, j->cell[i].processes) : 0;

            if (close_rows(j, from, bound, err) < 0 || open_rows(j, i, end, err) < 0)
                return -1;
            from = bound;
        }
        lose(j, lost, i, end);
    }
    return close_rows(j, from, RULES_ALL, err);
}

int rules_join(struct rules *r, struct join_loss *lost, enum operation operation, const struct join_cell *cell,
               size_t n, const struct setting *setting, size_t nsetting, double loss, struct err *err)
{
    struct joining j = { .r = r, .operation = operation, .setting = setting, .nsetting = nsetting, .loss = loss };
    size_t kept = 0;
    int ret = TAKE("rules", err, ARRAY(j.cell, n + 1), ARRAY(j.least, n + 1), ARRAY(j.piece, n + 1),
                   ARRAY(j.name, nsetting + 1));

    for (size_t i = 0; ret == 0 && i < n; i++)
        if (cell[i].processes > 1)
            j.cell[kept++] = cell[i];
    if (ret == 0)
        qsort(j.cell, kept, sizeof *j.cell, join_cells_order);
    for (size_t k = 0; ret == 0 && k < nsetting; k++)
        j.name[k] = rules_name(r, operation, &setting[k]);
    for (size_t i = 0; ret == 0 && i < kept; i++) {
        const struct join_cell *c = &j.cell[i];

        j.least[i] = INFINITY;
        for (size_t k = 0; k < nsetting; k++)
            if (rules_takes(j.name[k], c->processes))
                j.least[i] = fmin(j.least[i], c->time[k]);
    }
    if (ret == 0 && kept)
        ret = join_rows(&j, lost, kept, err);
    FREE(j.cell, j.least, j.piece, j.name);
    return ret;
}
