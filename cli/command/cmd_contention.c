#include <stdio.h>
#include <stdlib.h>

#include "cli/command/cmd.h"
#include "cli/request/options.h"
#include "graph/base/num.h"
#include "model/contention/contend.h"

struct request {
    struct options common;
    struct strings variant;
    const char *interval, *packet;
    int64_t alike;                  /* --channels; 0: the channels are listed */
};
enum { KEY_INTERVAL = 'i', KEY_PACKET = 'p', KEY_VARIANT = 'v', KEY_CHANNELS = 'n' };

static const struct argp_option option[] = {
    { "interval", KEY_INTERVAL, "LIST", 0,
      "mean cycles between messages: one for each channel, as in 100,250; with --channels a row each, as in 10..1000..x1.5",
      0 },
    { "packet", KEY_PACKET, "LIST", 0,
      "length of messages in flits, which take a cycle each: one for all channels or one for each (default: 10)", 0 },
    { "variant", KEY_VARIANT, "LIST", 0,
      "of exact, corrected, literal: formulas for two channels (default: exact)", 0 },
    { "channels", KEY_CHANNELS, "N", 0, "so many channels, all alike, instead of a list", 0 },
    { 0 }
};

static int parse(int key, char *arg, void *own, struct err *err)
{
    struct request *q = own;

    switch (key) {
    case OPTION_ARGUMENT:
        return err_set(err, ERR_USAGE, "contention takes no arguments; '%.40s' is one (lists are written without spaces)", arg);
    case KEY_INTERVAL: q->interval = arg; return 0;
    case KEY_PACKET: q->packet = arg; return 0;
    case KEY_VARIANT: return strings_add_list(&q->variant, arg, err);
    case KEY_CHANNELS: return num_int(&q->alike, arg, 1, CONTEND_ALIKE, "--channels", err);
    default: return 1;
    }
}

static const struct column columns[] = {
    { "channels", NULL, NULL, 0 },
    { "channel", NULL, NULL, 0 },
    { "variant", NULL, NULL, 0 },
    { "interval_cycles", "Interval", "cycles", -1 },
    { "packet_flits", "Packet", "flits", -1 },
    { "wait_cycles", "Wait", "cycles", -1 },
    { "latency_cycles", "Latency", "cycles", 3 },
    { "utilisation", NULL, NULL, 4 },
    { "quality", NULL, NULL, COLUMN_ASIDE }
};

/* What was asked for, read. */
struct plan {
    double *interval, *packet;
    size_t ninterval, npacket;
    const struct contention_model **model;
    size_t nmodel;
};

static void plan_release(struct plan *p)
{
    free(p->interval);
    free(p->packet);
    free(p->model);
}

static int choose_models(struct plan *p, const struct request *q, size_t channels, struct err *err)
{
    p->nmodel = q->variant.n ? q->variant.n : 1;
    p->model = calloc(p->nmodel, sizeof *p->model);
    if (!p->model)
        return err_memory(err);
    for (size_t i = 0; i < p->nmodel; i++) {
        p->model[i] = contention_find(q->variant.n ? q->variant.item[i] : "exact", err);
        if (!p->model[i])
            return -1;
        if (!p->model[i]->exact && channels != 2)
            return err_set(err, ERR_USAGE, "--variant %s is a formula for two channels, and here %s %zu; exact takes any",
                           p->model[i]->name, channels == 1 ? "is" : "are", channels);
    }
    return 0;
}

/* How many channels the lists name. */
static int count_listed(size_t *n, const struct plan *p, struct err *err)
{
    *n = p->ninterval > p->npacket ? p->ninterval : p->npacket;
    if (p->ninterval != p->npacket && p->ninterval != 1 && p->npacket != 1)
        return err_set(err, ERR_USAGE, "--interval is of %zu channels and --packet of %zu; give one for all, or one for each",
                       p->ninterval, p->npacket);
    if (*n < 2)
        return err_set(err, ERR_USAGE, "one channel collides with nobody: list two or more, as in --interval 100,250, or say "
                       "how many are alike with --channels");
    return 0;
}

static int read_plan(struct plan *p, const struct request *q, struct err *err)
{
    size_t n;

    if (!q->interval)
        return err_set(err, ERR_USAGE,
                       "contention needs --interval, as in `metapath contention --interval 100,250 --packet 25`");
    if (num_reals(&p->interval, &p->ninterval, q->interval, CONTENDER_LEAST, CONTENDER_MOST, "--interval", err) < 0 ||
        num_reals(&p->packet, &p->npacket, q->packet ? q->packet : "10", CONTENDER_LEAST, CONTENDER_MOST, "--packet", err) < 0)
        return -1;
    if (!q->alike)
        return count_listed(&n, p, err) < 0 ? -1 : choose_models(p, q, n, err);
    if (p->npacket > 1)
        return err_set(err, ERR_USAGE, "--packet lists %zu values; with --channels all are alike, and one is wanted",
                       p->npacket);
    return choose_models(p, q, (size_t)q->alike, err);
}

/* `channel` 0: each of those that are alike. */
static void add_row(struct table *t, size_t channels, size_t channel, const struct contention_model *m,
                    const struct contender *c, double wait, double utilisation, bool exact)
{
    table_int(t, (int64_t)channels);
    if (channel)
        table_int(t, (int64_t)channel);
    else
        table_text(t, "each");
    table_text(t, m->exact && !exact ? "pairwise" : m->name);
    table_real(t, c->interval);
    table_real(t, c->hold);
    table_real(t, wait);
    table_real(t, wait + c->hold);
    table_real(t, utilisation);
    table_text(t, exact ? "exact" : "approximate");
}

/* All channels of one list, or two that are alike but do not wait alike. */
static int add_listed(struct table *t, const struct contention_model *m, const struct contender *channel, size_t n,
                      const struct tick *tick, struct err *err)
{
    double *wait = malloc(n * sizeof *wait), utilisation;
    int ret;

    if (!wait)
        return err_memory(err);
    ret = n == 2 ? m->wait(wait, channel, err) : contend_waits(wait, channel, n, tick, err);
    if (ret == 0) {
        utilisation = contend_utilisation(wait, channel, n);
        for (size_t i = 0; i < n; i++)
            add_row(t, n, i + 1, m, &channel[i], wait[i], utilisation, m->exact && contend_exact(channel, n));
        if (m->exact && !contend_exact(channel, n))
            table_note(t, "pairwise: approximate; latencies of channels that differ much may be off by tens of percent where the link is "
                       "busy most of the time.");
    }
    free(wait);
    return ret;
}

static int add_alike(struct table *t, const struct contention_model *m, const struct contender *c, int64_t n, struct err *err)
{
    const struct contender two[2] = { *c, *c };
    double wait[2];

    if (n == 2 && !m->fair)
        return add_listed(t, m, two, 2, NULL, err);
    if ((n == 2 ? m->wait(wait, two, err) : contend_identical(wait, n, c, err)) < 0)
        return -1;
    add_row(t, (size_t)n, 0, m, c, wait[0], (double)n * contend_utilisation(wait, c, 1), m->exact);
    return 0;
}

static int sweep(struct table *t, const struct request *q, const struct plan *p, const struct tick *progress, struct err *err)
{
    for (size_t m = 0; m < p->nmodel; m++)
        for (size_t i = 0; i < p->ninterval; i++) {
            const struct contender c = { p->interval[i], p->packet[0] };

            if (tick(progress, ((double)m + (double)i / (double)p->ninterval) / (double)p->nmodel))
                return err_stopped(err);
            if (add_alike(t, p->model[m], &c, q->alike, err) < 0)
                return -1;
        }
    return 0;
}

static int listed(struct table *t, const struct plan *p, const struct tick *tick, struct err *err)
{
    struct contender *channel;
    size_t n;
    int ret = 0;

    if (count_listed(&n, p, err) < 0)
        return -1;
    channel = malloc(n * sizeof *channel);
    if (!channel)
        return err_memory(err);
    for (size_t i = 0; i < n; i++)
        channel[i] = (struct contender){ p->interval[p->ninterval == 1 ? 0 : i], p->packet[p->npacket == 1 ? 0 : i] };
    for (size_t m = 0; ret == 0 && m < p->nmodel; m++)
        ret = add_listed(t, p->model[m], channel, n, tick, err);
    free(channel);
    return ret;
}

/* A sweep over intervals: latency against interval. One setting: the latency of every channel. */
static int plot(const struct request *q, const struct plan *p, const struct table *t, struct err *err)
{
    static const char *const latency[] = { "latency_cycles" }, *const group[] = { "variant", "channel" };
    const struct natural line = { .kind = "line", .x = "interval_cycles", .y = latency, .ny = 1, .group = group, .ngroup = 1 };
    const struct natural bars = { .kind = "bar", .x = "channel", .y = latency, .ny = 1, .group = group, .ngroup = 1,
                                  .y_scale = SCALE_LINEAR };
    struct natural figure = q->alike && p->ninterval > 1 ? line : bars;

    for (size_t m = 0; q->alike && m < p->nmodel; m++)
        if (!p->model[m]->fair && p->ninterval > 1)
            figure.ngroup = 2;
    return options_plot(&q->common, t, &figure, err);
}

static int run(int argc, char **argv, struct err *err)
{
    struct request q = { .common = { .plots = true } };
    const struct option_run r = { option, parse, NULL,
        "Contention: the mean waits of channels that collide at one link.\vThe source of a channel computes for an exponential "
        "time, the interval, then holds the link for the length of its packet, first come, first served, and computes again. "
        "Latency is wait and packet. Exact for two to six channels, and for any number that are alike; more that differ are "
        "approximated by pairs. `metapath list contention` tells of the variants.", &q };
    struct plan p = { 0 };
    struct table t = { 0 };
    struct progress bar;
    struct tick whole;
    int ret = -1;

    if (options_parse(&q.common, &r, argc, argv, err) < 0 || read_plan(&p, &q, err) < 0)
        goto done;
    table_init(&t, "Contention at one link", columns, sizeof columns / sizeof *columns);
    table_request(&t, "interval", q.interval);
    table_request(&t, "packet", q.packet ? q.packet : "10");
    for (size_t m = 0; m < p.nmodel; m++)
        table_request(&t, "variant", p.model[m]->name);
    if (q.alike) {
        char channels[24];

        snprintf(channels, sizeof channels, "%lld", (long long)q.alike);
        table_request(&t, "channels", channels);
    }
    progress_begin(&bar, q.common.progress);
    whole = progress_tick(&bar);
    ret = q.alike ? sweep(&t, &q, &p, &whole, err) : listed(&t, &p, &whole, err);
    progress_end(&bar);
    if (ret == 0)
        ret = plot(&q, &p, &t, err);
    if (ret == 0)
        ret = options_table(&q.common, &t, err);
done:
    table_release(&t);
    plan_release(&p);
    strings_free(&q.variant);
    return ret;
}

const struct cmd cmd_contention = {
    .name = "contention",
    .group = "Load",
    .synopsis = "metapath contention --interval LIST [--packet LIST] [--channels N]",
    .summary = "mean waits of channels that collide at one link",
    .run = run
};
