/* Times of a program that exchanges all of its data: T_p = T_1/p + V (p-1)/p^2, if asked for with s (1 - 1/p) of what
 * is not divided and L (p-1) for messages: least squares of relative errors over p > 1. Amdahl's law is T_1/p and s. */
#include "cli/protocol/protocol.h"

enum { TERMS = 3, ROWS = 64, ROUNDS = 10000 };
struct times {
    size_t n;
    double one, p[ROWS], time[ROWS];    /* one: T_1 */
};

static double term(int k, double p)
{
    return k == 0 ? (p - 1) / (p * p) : k == 1 ? 1 - 1 / p : p - 1;
}

/* By how much the model is above what was measured, relative. */
static double error_of(const struct times *t, const double c[TERMS], size_t i)
{
    double time = t->one / t->p[i];

    for (int k = 0; k < TERMS; k++)
        time += c[k] * term(k, t->p[i]);
    return time / t->time[i] - 1;
}

/* The terms that are used, one after the other until they stay; returns the greatest error in percent. */
static double speedup_fit(double c[TERMS], const struct times *t, const bool used[TERMS])
{
    double worst = 0;

    for (int k = 0; k < TERMS * ROUNDS; k++) {
        double up = 0, down = 0;

        for (size_t i = 0; i < t->n; i++) {
            const double f = term(k % TERMS, t->p[i]) / t->time[i];

            up -= f * error_of(t, c, i);
            down += f * f;
        }
        c[k % TERMS] += used[k % TERMS] ? up / down : 0;
    }
    for (size_t i = 0; i < t->n; i++)
        worst = fmax(worst, fabs(100 * error_of(t, c, i)));
    return worst;
}

/* A column: seconds, or speedups where the row's note says so. */
static int speedup_read(struct times *t, const struct csv *csv, int column, int nodes, struct err *err)
{
    const int note = csv_column(csv, "note");
    double p, value;

    *t = (struct times){ .one = NAN };
    for (size_t r = 0; r < csv->nrow && t->n < ROWS; r++) {
        if (!*csv_at(csv, r, column))
            continue;
        if (num_real(&p, csv_at(csv, r, nodes), "processes", err) < 0 ||
            num_real(&value, csv_at(csv, r, column), csv->heading[column], err) < 0)
            return err_at(err, "line %zu", csv->line[r]);
        if (!(p >= 1 && value > 0) || (p > 1 && isnan(t->one)))
            return err_set(err, ERR_FORMAT, "line %zu: times must be positive, the first of one process", csv->line[r]);
        t->one = p == 1 ? value : t->one;
        t->p[t->n] = p;
        t->time[t->n] = note >= 0 && strcmp(csv_at(csv, r, note), "speedup") == 0 ? t->one / value : value;
        t->n += p > 1;
    }
    return 0;
}

static void speedup_rows(struct job *j, const struct times *t, const char *name)
{
    const struct request *q = j->request;
    double c[TERMS] = { 0 }, amdahl[TERMS] = { 0 };
    const double worst = speedup_fit(c, t, (const bool[]){ true, q->serial, q->messages });
    const double law = speedup_fit(amdahl, t, (const bool[]){ false, true, false });

    for (size_t i = 0; i < t->n; i++) {
        const double error = error_of(t, c, i);

        table_add(j->t, ROW(cell_text("program", name), cell_real("processes", t->p[i]),
            cell_real("time_s", t->time[i]), cell_real("model_s", (1 + error) * t->time[i]),
            cell_real("error_percent", 100 * error), cell_real("amdahl_percent", 100 * error_of(t, amdahl, i)),
            cell_real("exchange_s", c[0]), cell_real("serial_s", c[1]), cell_real("message_s", c[2])));
    }
    table_note(j->t, "%s: V = %.1f s, within %.1f %%; by Amdahl's law alone, %.1f %% serial, within %.1f %%.", name,
               c[0], worst, 100 * amdahl[1] / t->one, law);
}

/* A program is a column behind `nodes`. */
int protocol_speedup_read(struct job *j, struct err *err)
{
    struct request *q = j->request;
    int nodes;

    if (!q->times)
        return err_set(err, ERR_USAGE, "--show speedup needs --times FILE: a column nodes, after it times by program");
    if (csv_read(&q->measured, q->times, err) < 0)
        return -1;
    nodes = csv_column(&q->measured, "nodes");
    j->walk.turns[0] = q->measured.ncol - (size_t)(nodes + 1);
    return nodes < 0 ? err_set(err, ERR_FORMAT, "%.200s: there is no column nodes", q->times) : 0;
}

int protocol_speedup(struct job *j, struct err *err)
{
    const struct request *q = j->request;
    const struct csv *csv = &q->measured;
    const int nodes = csv_column(csv, "nodes"), note = csv_column(csv, "note");
    struct times t;
    int ret = 0;

    for (int k = nodes + 1; ret == 0 && k < (int)csv->ncol; k++) {
        if (k == note || !job_turn(j, 0, (size_t)(k - nodes - 1)))
            continue;
        ret = speedup_read(&t, csv, k, nodes, err);
        if (ret == 0 && t.n)
            speedup_rows(j, &t, csv->heading[k]);
    }
    if (ret < 0)
        err->code = ERR_FORMAT;         /* the file's fault, not the request's */
    return ret < 0 ? err_at(err, "%.200s", q->times) : 0;
}
