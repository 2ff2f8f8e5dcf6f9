/* Table 6-6: the hot spot at intervals of 10 cycles, cell by cell. */
#include "analysis/claim/drb_trial.h"
#include "texts/claim.h"

enum { ROUTING, INTERVAL, CELLS = 5, COLUMNS = 2 + CELLS, ROWS = 8 };
static const char *const headings =
    "routing,applied_interval_cycles,mean_latency_cycles,sd_cycles,max_latency_cycles,throughput_percent,"
    "accepted_interval_cycles";
static const char *const quantity[CELLS] = { "mean latency [cycles]", "deviation [cycles]", "greatest latency [cycles]",
                                             "accepted [%]", "cycles per accepted message" };
static const char *const routing[TRIAL_METHODS] = { "static", "adaptive", "drb" };
#define MESSAGES 1e5                    /* a run, of which there are five at least */
#define NEAR 0.02                       /* what runs are precise to */

static double of_point(const struct trial_point *p, int cell)
{
    const double of[CELLS] = { p->mean, p->deviation, p->most, p->percent, 1 / p->rate };

    return of[cell];
}

/* The value under each setting that was simulated separately. */
static void say_others(char *to, size_t room, struct trial_point (*p)[TRIAL_LOADS], enum trial_method method,
                       int cell)
{
    size_t len = 0;

    *to = '\0';
    for (int k = 1; k < TRIAL_SETTINGS && len < room; k++)
        if (trial_differs(p[0], 1, method, k))
            len += (size_t)snprintf(to + len, room - len, "%s%s %.4g", len ? ", " : "", trial_setting_name(k),
                                    of_point(p[k], cell));
}

static int emit(const char *printed, struct trial_point (*p)[TRIAL_LOADS], enum trial_method method, int cell,
                const struct claim_sink *sink, struct err *err)
{
    char others[140];
    struct claim_cell c;

    if (claim_cell_init(&c, quantity[cell], printed, of_point(p[0], cell), err) < 0)
        return -1;
    snprintf(c.where, sizeof c.where, "%s", routing[method]);
    say_others(others, sizeof others, p, method, cell);
    if (c.verdict == CLAIM_TRUNCATED)           /* by chance: the numbers are random */
        c.verdict = CLAIM_UNEXPLAINED;
    if (c.verdict == CLAIM_UNEXPLAINED && fabs(c.computed / c.published - 1) <= NEAR) {
        c.verdict = CLAIM_HOLDS;
        snprintf(c.why, sizeof c.why, "within the 2 %% to which runs are precise");
    } else if (c.verdict == CLAIM_UNEXPLAINED && cell == CELLS - 1) {
        snprintf(c.why, sizeof c.why, "the printed part that is accepted is another number%s%s", *others ? "; " : "",
                 others);
    } else if (*others) {
        snprintf(c.why, sizeof c.why, "%s", others);
    }
    return claim_emit(sink, &c, err);
}

static int claim_drb_6_6_run(const struct claim_sink *sink, struct err *err)
{
    const struct trial_group hot = { "torus:8x8", "drb-hotspot", 0, 0, NULL };
    const struct csv *published = sink->published;
    struct trial_point p[ROWS][TRIAL_SETTINGS][TRIAL_LOADS];
    struct trial_run run[ROWS];
    double interval[ROWS];
    int column[COLUMNS], *at[COLUMNS];

    for (int i = 0; i < COLUMNS; i++)
        at[i] = &column[i];
    if (claim_columns(at, published, headings, err) < 0)
        return -1;
    if (published->nrow > ROWS)
        return err_set(err, ERR_FORMAT, "table 6-6 has more than %d rows", ROWS);
    for (size_t row = 0; row < published->nrow; row++) {
        int method = 0;

        while (method < TRIAL_METHODS && strcmp(csv_at(published, row, column[ROUTING]), routing[method]) != 0)
            method++;
        if (method == TRIAL_METHODS)
            return err_set(err, ERR_FORMAT, "no routing of table 6-6 is '%.40s'",
                           csv_at(published, row, column[ROUTING]));
        if (num_real(&interval[row], csv_at(published, row, column[INTERVAL]), "the interval of table 6-6", err) < 0)
            return -1;
        run[row] = (struct trial_run){ &hot, (enum trial_method)method, &interval[row], 1, MESSAGES };
    }
    if (trial_all(p[0][0], run, published->nrow, sink->tick, err) < 0)
        return -1;
    for (size_t i = 0; i < published->nrow * CELLS; i++)
        if (emit(csv_at(published, i / CELLS, column[INTERVAL + 1 + i % CELLS]), p[i / CELLS], run[i / CELLS].method,
                 (int)(i % CELLS), sink, err) < 0)
            return -1;
    return 0;
}

const struct claim claim_drb_6_6 = {
    CLAIM_DRB_6_6_ENTRY,
    .simulated = true,
    .run = claim_drb_6_6_run
};
