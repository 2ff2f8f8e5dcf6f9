#include "tests/support/fidelity.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const fidelity_mode_name[] = { "holds", "one buffered channel", "several channels", "message level" };

/* ---- files ---- */

static double number(const struct csv *csv, size_t row, int column)
{
    const char *text = csv_at(csv, row, column);

    return *text ? strtod(text, NULL) : NAN;
}

static struct fidelity_case read_case(const struct booksim_row *r)
{
    const double classes = strncmp(r->network, "torus:", 6) == 0 && r->router.vcs > 1 ? 2 : 1;

    return (struct fidelity_case){
        .name = r->name, .network = r->network, .traffic = r->traffic, .routing = r->routing, .packet = r->packet,
        .router = r->router, .terminals = r->terminals, .plain = r->plain, .saturation = NAN, .zero = NAN,
        .mode = isinf(r->router.vcs) ? FIDELITY_MESSAGES : r->router.vcs == classes ? FIDELITY_ONE : FIDELITY_SEVERAL,
        .model_saturation = NAN, .model_four = NAN
    };
}

static int read_saturations(struct fidelity *f, const char *path, struct err *err)
{
    int name, saturation, zero;

    if (csv_read(&f->saturations, path, err) < 0)
        return -1;
    name = csv_column(&f->saturations, "config");
    saturation = csv_column(&f->saturations, "saturation");
    zero = csv_column(&f->saturations, "zero_load_nlat");
    if (name < 0 || saturation < 0 || zero < 0)
        return err_set(err, ERR_FORMAT, "%s lacks one of the columns config, saturation and zero_load_nlat", path);
    for (size_t r = 0; r < f->saturations.nrow; r++)
        for (size_t i = 0; i < f->ncase; i++)
            if (strcmp(f->at[i].name, csv_at(&f->saturations, r, name)) == 0) {
                f->at[i].saturation = number(&f->saturations, r, saturation);
                f->at[i].zero = number(&f->saturations, r, zero);
            }
    return 0;
}

int fidelity_open(struct fidelity *out, const char *path, const char *saturations, bool wormhole, struct err *err)
{
    struct fidelity f = { 0 };
    struct booksim_row *row = NULL;

    if (csv_read(&f.runs, path, err) < 0)
        return -1;
    f.at = calloc(f.runs.nrow + 1, sizeof *f.at);
    f.run = calloc(f.runs.nrow + 1, sizeof *f.run);
    if (((!f.at || !f.run) && err_memory(err) < 0) || booksim_rows(&row, &f.runs, path, err) < 0)
        goto failed;
    for (size_t r = 0; r < f.runs.nrow; r++) {
        struct fidelity_run *run = &f.run[f.nrun];
        struct fidelity_case c = read_case(&row[r]);

        if (wormhole && !(c.mode == FIDELITY_ONE && c.router.buffer >= c.router.credit_loop &&
                          c.packet >= c.router.buffer * (row[r].routers - 1)))
            continue;
        if (wormhole)
            c.mode = FIDELITY_HOLDS;
        run->of = 0;
        while (run->of < f.ncase && strcmp(f.at[run->of].name, c.name) != 0)
            run->of++;
        if (run->of == f.ncase)
            f.at[f.ncase++] = c;
        run->part = row[r].part;
        run->rate = row[r].rate;
        run->nlat = row[r].nlat;
        run->plat = row[r].plat;
        run->routers = row[r].routers;
        f.nrun++;
    }
    if (saturations && read_saturations(&f, saturations, err) < 0)
        goto failed;
    free(row);
    *out = f;
    return 0;
failed:
    free(row);
    fidelity_close(&f);
    return -1;
}

void fidelity_close(struct fidelity *f)
{
    csv_release(&f->runs);
    csv_release(&f->saturations);
    free(f->at);
    free(f->run);
    *f = (struct fidelity){ 0 };
}

/* ---- the model ---- */

/* Messages to their senders cross one router and wait for nothing. */
static double own_messages(const struct fidelity_case *c, const struct traffic *t)
{
    return c->mode == FIDELITY_MESSAGES ? 0 : booksim_own(t);
}

/* Where nothing waits, over so many routers: the model's own mean, moved by what a router more takes. */
static double zero_load(const struct fidelity_case *c, const struct latency_summary *y, const struct net *net,
                        double routers)
{
    const double ours = net->terminal ? y->hops - 1 : y->hops + 1;

    return c->mode == FIDELITY_MESSAGES ? y->zero : y->zero + (1 + BOOKSIM_TIME) * (routers - ours) + BOOKSIM_LATER;
}

/* The summary at a rate of all messages; false where the model refuses. */
static bool solve(struct latency_summary *y, struct latency_study *s, const struct fidelity_case *c, double rate)
{
    const struct load load = { c->packet / (rate * c->travels), 1 };
    struct err err;

    return latency_solve(s, &load, &err) == 0 && latency_summary(y, s, &load, &err) == 0;
}

/* Where packet latency is four times `zero`, or the model ends before that. */
static double four_times(struct latency_study *s, const struct fidelity_case *c)
{
    double lo = 0, hi = c->model_saturation;

    while (hi - lo > 1e-3 * hi) {
        const double rate = (lo + hi) / 2;
        struct latency_summary y;

        if (solve(&y, s, c, rate) && c->zero + (1 - c->own) * y.wait + y.source_wait < 4 * c->zero)
            lo = rate;
        else
            hi = rate;
    }
    return hi;
}

static void solve_runs(struct fidelity *f, size_t at, struct latency_study *s, double most)
{
    const struct fidelity_case *c = &f->at[at];

    for (size_t i = 0; i < f->nrun; i++) {
        struct fidelity_run *r = &f->run[i];
        struct latency_summary y;

        if (r->of != at || r->part > most)
            continue;
        r->model_part = r->rate / c->model_saturation;
        r->model_nlat = r->model_plat = r->busy = NAN;
        r->valid = false;
        r->validity = "refused";
        if (!solve(&y, s, c, r->rate))
            continue;
        r->model_nlat = zero_load(c, &y, s->flows.net, r->routers) + (1 - c->own) * y.wait;
        r->model_plat = r->model_nlat + y.source_wait;
        r->busy = y.busy;
        r->valid = y.validity == VALIDITY_GOOD;
        r->validity = validity_name[y.validity];
    }
}

int fidelity_solve(struct fidelity *f, size_t at, double most, bool whole, struct err *err)
{
    struct fidelity_case *c = &f->at[at];
    const bool hold = c->mode == FIDELITY_HOLDS;
    struct latency_options o = {
        .collide = { .switching = switching_find(hold ? "wormhole" : isinf(c->router.vcs) ? "cut-through" :
                                                 "virtual-channel", err),
                     .router = c->router, .time = c->packet, .hop_time = c->mode != FIDELITY_MESSAGES, .jobs = 1 },
        .open = true, .terminals = c->terminals, .orbits = true };
    struct net *net = NULL;
    struct traffic traffic = { 0 };
    struct routing routing = { 0 };
    struct latency_study s = { 0 };
    int ret = -1;

    if (!o.collide.switching)
        return -1;
    if (hold)
        o.collide.router = (struct router){ .vcs = 1, .buffer = 1, .classes = 1, .time = BOOKSIM_TIME,
                                            .speedup = true };
    if (net_open(&net, c->network, err) < 0 || traffic_open(&traffic, net, booksim_ours(c->traffic), err) < 0 ||
        routing_open(&routing, net, booksim_ours(c->routing), err) < 0 ||
        latency_open(&s, &traffic, &routing, 1, &o, err) < 0 || (whole && latency_saturation(&s, err) < 0))
        goto done;
    c->own = own_messages(c, &traffic);
    c->travels = traffic.matrix ? 1 - c->own : 1;
    c->model_saturation = s.saturation_factor * c->packet / c->travels;
    if (whole && !isnan(c->zero))
        c->model_four = four_times(&s, c);
    solve_runs(f, at, &s, most);
    ret = 0;
done:
    latency_close(&s);
    routing_close(&routing);
    traffic_release(&traffic);
    net_close(net);
    return ret;
}
