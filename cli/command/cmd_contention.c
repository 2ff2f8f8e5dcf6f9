#include "cli/command/cmd.h"
#include "cli/request/look.h"
#include "model/contention/contend.h"
#include "texts/cmd.h"

struct request {
    struct options common;
    struct strings variant;
    const char *interval_list, *packet_list;
    int64_t alike;                  /* --channels; 0: the channels are listed */
    /* that, read */
    double *interval, *packet;
    size_t ninterval, npacket;
    const struct contention_model **model;
    size_t nmodel;
};

static int contention_take_argument(void *, const char *arg, struct err *err)
{
    return err_set(err, ERR_USAGE, "contention takes options only, and '%.40s' is none (write lists without spaces)",
                   arg);
}

static const struct option_field contention_options[] = {
    { .take = contention_take_argument },
    { .help = "Load:", .group = 1 },
    { CMD_CONTENTION_INTERVAL, 1, INTO(interval_list), .quantity = QUANTITY_TIME },
    { CMD_CONTENTION_PACKET, 1, INTO(packet_list), .quantity = QUANTITY_SIZE },
    { CMD_CONTENTION_CHANNELS, 1, INTO(alike), .least = 1, .most = CONTEND_ALIKE },
    { .help = "Model:", .group = 2 },
    { CMD_CONTENTION_VARIANT, 2, INTO(variant) }, { 0 }
};

static const struct column contention_columns[] = {
    PLAIN("channels"), PLAIN("channel"), PLAIN("variant"),
    { "interval_cycles", "Interval", "cycles", -1, LOOSE },
    { "packet_flits", "Packet", "flits", -1, LOOSE },
    { "wait_cycles", "Wait", "cycles", -1, LOOSE },
    { "latency_cycles", "Latency", "cycles", 3, LOOSE },
    { "utilisation", NULL, NULL, 4, LOOSE }, ASIDE("quality")
};

static const struct frame_table contention_tables[] = {
    { NULL, "Contention at one link (closed sources)", COLUMNS(contention_columns) }, { 0 }
};

/* ---- the request read ---- */

static int contention_choose_models(struct request *q, size_t channels, struct err *err)
{
    q->nmodel = q->variant.n ? q->variant.n : 1;
    if (TAKE("the table", err, ZEROS(q->model, q->nmodel)) < 0)
        return -1;
    for (size_t i = 0; i < q->nmodel; i++) {
        q->model[i] = contention_find(q->variant.n ? q->variant.item[i] : "exact", err);
        if (!q->model[i])
            return -1;
        if (!q->model[i]->exact && channels != 2)
            return err_set(err, ERR_USAGE, "--variant %s is a formula for two channels, but there %s %zu; exact takes "
                "any number", q->model[i]->name, channels == 1 ? "is" : "are", channels);
    }
    return 0;
}

/* How many channels the lists name. */
static int contention_count_listed(size_t *n, const struct request *q, struct err *err)
{
    *n = q->ninterval > q->npacket ? q->ninterval : q->npacket;
    if (q->ninterval != q->npacket && q->ninterval != 1 && q->npacket != 1)
        return err_set(err, ERR_USAGE, "--interval lists %zu channels and --packet %zu; give one packet length for "
            "all, or one for each", q->ninterval, q->npacket);
    if (*n < 2)
        return err_set(err, ERR_USAGE, "one channel alone never waits: list two or more, as in --interval 100,250, or "
            "give the number of equal ones by --channels");
    return 0;
}

static int contention_check(struct job *j, struct err *err)
{
    struct request *q = j->request;
    char channels[24];
    size_t n = (size_t)q->alike;

    if (!q->interval_list)
        return err_set(err, ERR_USAGE,
                       "contention needs --interval, as in `metapath contention --interval 100,250 --packet 25`");
    if (num_reals(&q->interval, &q->ninterval, q->interval_list, CONTENDER_LEAST, CONTENDER_MOST, "--interval",
                  err) < 0 ||
        num_reals(&q->packet, &q->npacket, q->packet_list, CONTENDER_LEAST, CONTENDER_MOST, "--packet", err) < 0)
        return -1;
    if (q->alike && q->npacket > 1)
        return err_set(err, ERR_USAGE, "--packet lists %zu values; with --channels all are equal: give one",
                       q->npacket);
    if ((!q->alike && contention_count_listed(&n, q, err) < 0) || contention_choose_models(q, n, err) < 0)
        return -1;
    table_request(j->t, "interval", q->interval_list);
    table_request(j->t, "packet", q->packet_list);
    for (size_t m = 0; m < q->nmodel; m++)
        table_request(j->t, "variant", q->model[m]->name);
    if (q->alike) {
        snprintf(channels, sizeof channels, "%lld", (long long)q->alike);
        table_request(j->t, "channels", channels);
    }
    return 0;
}

/* ---- rows ---- */

/* `channel` 0: each of those that are alike. */
static void contention_row(struct table *t, size_t channels, size_t channel, const struct contention_model *m,
                           const struct contender *c, double wait, double utilisation, bool exact)
{
    table_add(t, ROW(
        cell_int("channels", (int64_t)channels),
        channel ? cell_int("channel", (int64_t)channel) : cell_text("channel", "each"),
        cell_text("variant", m->exact && !exact ? "pairwise" : m->name), cell_real("interval_cycles", c->interval),
        cell_real("packet_flits", c->hold), cell_real("wait_cycles", wait), cell_real("latency_cycles", wait + c->hold),
        cell_real("utilisation", utilisation), cell_text("quality", exact ? "exact" : "approximate")));
}

/* All channels of one list, or two that are alike but do not wait alike. */
static int contention_add_listed(struct table *t, const struct contention_model *m, const struct contender *channel,
                                 size_t n, const struct tick *tick, struct err *err)
{
    double *wait = malloc(n * sizeof *wait), utilisation;
    int ret;

    if (!wait)
        return err_memory(err);
    ret = n == 2 ? m->wait(wait, channel, err) : contend_waits(wait, channel, n, tick, err);
    if (ret == 0) {
        utilisation = contend_utilisation(wait, channel, n);
        for (size_t i = 0; i < n; i++)
            contention_row(t, n, i + 1, m, &channel[i], wait[i], utilisation, m->exact && contend_exact(channel, n));
        if (m->exact && !contend_exact(channel, n))
            table_note(t, "pairwise: an approximation; latencies of very different channels may be wrong by tens of "
                "percent when the link is busy most of the time.");
    }
    free(wait);
    return ret;
}

static int contention_add_alike(struct table *t, const struct contention_model *m, const struct contender *c, int64_t n,
                                struct err *err)
{
    const struct contender two[2] = { *c, *c };
    double wait[2];

    if (n == 2 && !m->fair)
        return contention_add_listed(t, m, two, 2, NULL, err);
    if ((n == 2 ? m->wait(wait, two, err) : contend_identical(wait, n, c, err)) < 0)
        return -1;
    contention_row(t, (size_t)n, 0, m, c, wait[0], (double)n * contend_utilisation(wait, c, 1), m->exact);
    return 0;
}

static int contention_sweep(struct job *j, struct err *err)
{
    const struct request *q = j->request;

    for (size_t m = 0; m < q->nmodel; m++)
        for (size_t i = 0; i < q->ninterval; i++) {
            const struct contender c = { q->interval[i], q->packet[0] };

            if (tick(&j->tick, ((double)m + (double)i / (double)q->ninterval) / (double)q->nmodel))
                return err_stopped(err);
            if (contention_add_alike(j->t, q->model[m], &c, q->alike, err) < 0)
                return -1;
        }
    return 0;
}

static int contention_listed(struct job *j, struct err *err)
{
    const struct request *q = j->request;
    struct contender *channel;
    size_t n;
    int ret = 0;

    if (contention_count_listed(&n, q, err) < 0)
        return -1;
    if (TAKE("the table", err, ARRAY(channel, n)) < 0)
        return -1;
    for (size_t i = 0; i < n; i++)
        channel[i] = (struct contender){ q->interval[q->ninterval == 1 ? 0 : i], q->packet[q->npacket == 1 ? 0 : i] };
    for (size_t m = 0; ret == 0 && m < q->nmodel; m++)
        ret = contention_add_listed(j->t, q->model[m], channel, n, &j->tick, err);
    free(channel);
    return ret;
}

static int contention_compute(struct job *j, struct err *err)
{
    return ((const struct request *)j->request)->alike ? contention_sweep(j, err) : contention_listed(j, err);
}

/* Whether one channel has several intervals: a sweep, not a list of channels. */
static bool contention_swept(const struct table *t)
{
    for (size_t r = 1; r < table_rows(t); r++)
        if (look_same(t, 0, r, "variant") && look_same(t, 0, r, "channel") && !look_same(t, 0, r, "interval_cycles"))
            return true;
    return false;
}

/* A sweep over intervals: latency against interval. One setting: the latency of every channel. */
static int contention_figure(struct picture *f, const struct table *t, int, struct err *err)
{
    static const char *const latency[] = { "latency_cycles" }, *const group[] = { "variant", "channel" };
    const struct natural line = { .kind = "line", .x = "interval_cycles", .y = latency, .ny = 1, .group = group,
                                  .ngroup = 1 };
    const struct natural bars = { .kind = "bar", .x = "channel", .y = latency, .ny = 1, .group = group, .ngroup = 1,
                                  .y_scale = SCALE_LINEAR };
    struct natural figure = contention_swept(t) ? line : bars;

    if (figure.x == line.x && look_varies(t, "channel"))
        figure.ngroup = 2;
    return options_figure(f, t, &figure, err);
}

static void contention_release(void *request)
{
    struct request *q = request;

    FREE(q->interval, q->packet, q->model);
}

static const struct frame contention_frame = {
    CMD_CONTENTION_FRAME, .option = contention_options,
    .shared = (const struct option_part[]){ { units_options, 0 }, { 0 } },
    FRAME_REQUEST(struct request, .packet_list = "10"), .table = contention_tables, .plots = true,
    .check = contention_check, .compute = contention_compute, .figure = contention_figure,
    .release = contention_release
};

const struct cmd cmd_contention = { CMD_CONTENTION_ENTRY, .frame = &contention_frame };
