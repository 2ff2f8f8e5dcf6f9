/* How far the models of open sources are from simulators (tests/fidelity): every run; by mode and load; saturation; and
 * up to where all runs of a mode are within 10 %. Fails where a row that the program calls valid is further off.
 * usage: fidelity [runs|csv|simulator|collectives]   runs: every one of them as well; csv: nothing but these; simulator:
 * where `metapath simulate` saturates, beside BookSim2 (`metapath validate --show booksim` has latencies), some minutes;
 * collectives: the costs of messages over shared links beside SimGrid's SMPI and a real machine, alone */
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "tests/support/fidelity.h"
#include "tests/support/measured.h"

#define BELIEVED 0.1            /* what a row called valid may be off by */
#define SAME 1e-3               /* parts that are no further apart are the same */

static const struct source {
    const char *name, *runs, *saturations;
    bool wormhole;
} source[] = {
    { "BookSim2", "examples/published/booksim.csv", "tests/fidelity/booksim_saturation.csv", false },
    { "flit level", "tests/fidelity/flit.csv", "tests/fidelity/flit_saturation.csv", false },
    { "BookSim2 as wormhole", "examples/published/booksim.csv", "tests/fidelity/booksim_saturation.csv", true },
    { "flit level as wormhole", "tests/fidelity/flit.csv", "tests/fidelity/flit_saturation.csv", true },
    { "message level", "tests/fidelity/message.csv", NULL, false }
};
enum { SOURCES = sizeof source / sizeof *source };

static const double bin[] = { 0.5, 0.7, 0.9, 1 };
enum { BINS = sizeof bin / sizeof *bin };

struct tally {
    int n, five, ten;           /* runs; within 5 and 10 % */
    double worst;               /* INFINITY: refused */
    const char *name;           /* of the case that is the worst */
};
struct limit {                  /* of a mode */
    double part, busy;          /* the least at which a run is off by more than BELIEVED; INFINITY: none is */
    double part_of, busy_of;    /* the largest below it, at which one is not */
};

static void add(struct tally *t, double error, const char *name)
{
    const double off = isnan(error) ? INFINITY : fabs(error);

    t->n++;
    t->five += off <= 0.05;
    t->ten += off <= 0.1;
    if (t->n == 1 || off > fabs(t->worst)) {
        t->worst = isnan(error) ? INFINITY : error;
        t->name = name;
    }
}

static double worse(const struct fidelity_run *r)
{
    const double n = fidelity_error(r->model_nlat, r->nlat), p = fidelity_error(r->model_plat, r->plat);

    return isnan(n) || isnan(p) ? INFINITY : fmax(fabs(n), fabs(p));
}

static const char *percent(char out[16], double error)
{
    if (isnan(error) || isinf(error))
        snprintf(out, 16, "%7s", "-");
    else
        snprintf(out, 16, "%+7.1f", 100 * error);
    return out;
}

static void print_case(const struct fidelity *f, size_t at, const char *where)
{
    const struct fidelity_case *c = &f->at[at];
    char buffers[64], a[16], b[16];

    snprintf(buffers, sizeof buffers, "%g channels of %g flits", c->router.vcs, c->router.buffer);
    printf("\n%s %s: %s, %s, %s, packet %g, %s%s%s (%s)\n", where, c->name, c->network, c->traffic, c->routing,
           c->packet, isinf(c->router.vcs) ? "whole messages" : buffers,
           c->router.speedup && c->router.credit_loop > 0 ? ", speedup" : "",
           c->router.packets && c->router.credit_loop > 0 ? ", packets" : "", fidelity_mode_name[c->mode]);
    printf("%6s %9s %9s %9s %7s %9s %7s %9s %6s  %s\n", "part", "rate", "nlat", "model", "[%]", "plat", "[%]",
           "own part", "busy", "validity");
    for (size_t i = 0; i < f->nrun; i++) {
        const struct fidelity_run *r = &f->run[i];

        if (r->of == at)
            printf("%6.2f %9.5f %9.2f %9.2f %s %9.2f %s %9.3f %6.3f  %s\n", r->part, r->rate, r->nlat, r->model_nlat,
                   percent(a, fidelity_error(r->model_nlat, r->nlat)), r->plat,
                   percent(b, fidelity_error(r->model_plat, r->plat)), r->model_part, r->busy, r->validity);
    }
}

/* For figures: errors in percent, empty where the model refuses. */
static void print_csv(const struct fidelity *f, size_t s)
{
    for (size_t i = 0; i < f->nrun; i++) {
        const struct fidelity_run *r = &f->run[i];
        const struct fidelity_case *c = &f->at[r->of];

        const char *path = strrchr(c->network, '/'), *network = path ? path + 1 : c->network;

        printf("%s,%s %.*s %s,%s,%.4g,%.5g,%.5g,", source[s].name, c->name, (int)strcspn(network, "."), network,
               c->traffic, fidelity_mode_name[c->mode], r->part, r->rate, r->nlat);
        if (!isnan(r->model_nlat))
            printf("%.5g,%.3g,", r->model_nlat, 100 * fidelity_error(r->model_nlat, r->nlat));
        else
            printf(",,");
        printf("%s\n", r->validity);
    }
}

/* Of one mode, or (FIDELITY_MODES) of both kinds of channels. */
static void count(struct tally tally[2][BINS], const struct fidelity *f, enum fidelity_mode mode)
{
    for (size_t i = 0; i < f->nrun; i++) {
        const struct fidelity_run *r = &f->run[i];
        const struct fidelity_case *c = &f->at[r->of];
        const bool channels = c->mode == FIDELITY_ONE || c->mode == FIDELITY_SEVERAL,
            of = mode == FIDELITY_MODES ? channels : c->mode == mode;

        for (int k = 0; k < BINS && of && c->plain; k++)
            if (r->part <= bin[k] + 1e-9) {
                add(&tally[0][k], fidelity_error(r->model_nlat, r->nlat), c->name);
                add(&tally[1][k], fidelity_error(r->model_plat, r->plat), c->name);
            }
    }
}

/* The runs of every source, as a table in Markdown. */
static void print_summary(const struct fidelity *f)
{
    printf("\nBy kind and load (part of the simulated saturation, message level: of the busiest link's time)\n\n"
           "| | load to | runs | network latency within 5 %% | 10 %% | the worst [%%] | packet latency within 5 %% | "
           "10 %% | the worst [%%] |\n|---|---|---|---|---|---|---|---|---|\n");
    for (enum fidelity_mode mode = 0; mode <= FIDELITY_MODES; mode++) {
        struct tally tally[2][BINS] = { 0 };

        for (size_t s = 0; s < SOURCES; s++)
            count(tally, &f[s], mode);
        for (int k = 0; k < BINS && tally[0][BINS - 1].n; k++) {
            printf("| %s | %.1f | %d ", k ? "" : mode == FIDELITY_MODES ? "all channels" : fidelity_mode_name[mode],
                   bin[k], tally[0][k].n);
            for (int j = 0; j < 2; j++) {
                const struct tally *t = &tally[j][k];

                printf("| %.0f %% | %.0f %% | ", 100.0 * t->five / t->n, 100.0 * t->ten / t->n);
                if (isinf(t->worst))
                    printf("refused, %s ", t->name);
                else
                    printf("%+.1f, %s ", 100 * t->worst, t->name);
            }
            printf("|\n");
        }
    }
}

static void print_saturation(const struct fidelity *f)
{
    char four[16], own[16];

    printf("\nSaturation, flits per node and cycle: where packet latency is four times that at no load\n"
           "%-24s %-5s %9s %9s %7s %10s %7s\n", "", "", "simulated", "model", "[%]", "model ends", "[%]");
    for (size_t s = 0; s < SOURCES; s++)
        for (size_t i = 0; i < f[s].ncase; i++) {
            const struct fidelity_case *c = &f[s].at[i];

            if (!isnan(c->saturation))
                printf("%-24s %-5s %9.4f %9.4f %s %10.4f %s\n", i ? "" : source[s].name, c->name, c->saturation,
                       c->model_four, percent(four, fidelity_error(c->model_four, c->saturation)), c->model_saturation,
                       percent(own, fidelity_error(c->model_saturation, c->saturation)));
        }
}

/* The largest part of the model's own saturation, and of the busiest link's time, up to which no run is off by more. */
static void print_domains(const struct fidelity *f)
{
    printf("\nUp to where every run is within %g %%\n%-22s %12s %12s\n", 100 * BELIEVED, "", "own part", "busy");
    for (enum fidelity_mode mode = 0; mode < FIDELITY_MODES; mode++) {
        struct limit l = { INFINITY, INFINITY, 0, 0 };

        for (int pass = 0; pass < 2; pass++)
            for (size_t s = 0; s < SOURCES; s++)
                for (size_t i = 0; i < f[s].nrun; i++) {
                    const struct fidelity_run *r = &f[s].run[i];

                    if (f[s].at[r->of].mode != mode || !f[s].at[r->of].plain)
                        continue;
                    if (pass == 0 && !(worse(r) <= BELIEVED)) {
                        l.part = fmin(l.part, r->model_part);
                        l.busy = fmin(l.busy, r->busy);
                    }
                    if (pass == 1 && r->model_part < l.part - SAME)
                        l.part_of = fmax(l.part_of, r->model_part);
                    if (pass == 1 && r->busy < l.busy - SAME)
                        l.busy_of = fmax(l.busy_of, r->busy);
                }
        printf("%-22s %12.3f %12.3f\n", fidelity_mode_name[mode], l.part_of, l.busy_of);
    }
}

/* How many rows are called valid and are further off than may be. */
static int print_wrong(const struct fidelity *f)
{
    int valid = 0, wrong = 0;

    for (size_t s = 0; s < SOURCES; s++)
        for (size_t i = 0; i < f[s].nrun; i++) {
            const struct fidelity_run *r = &f[s].run[i];

            valid += r->valid;
            if (r->valid && !(worse(r) <= BELIEVED)) {
                wrong++;
                printf("%s %s, %g: called valid, off by %.1f %%\n", source[s].name, f[s].at[r->of].name, r->part,
                       100 * worse(r));
            }
        }
    printf("\n%d runs are called valid, of which %d are off by more than %g %%  %s\n", valid, wrong, 100 * BELIEVED,
           wrong ? "MISSED" : "ok");
    return wrong;
}

/* ---- the simulator ---- */

/* Where its packet latency is four times `zero`. */
static double simulator_four(const struct booksim_row *row, double zero, double guess)
{
    struct simulate_options o = simulate_usual;
    double lo = guess / 2, hi = guess * 1.3;
    struct booksim_run r;
    struct err err;

    o.warmup = 5e3;
    o.cycles = 4e4;
    o.replications = 2;
    while (hi - lo > 4e-3 * hi) {
        const double rate = (lo + hi) / 2;

        bench_must(booksim_run(&r, row, rate, &o, &err), &err);
        *(r.plat < 4 * zero ? &lo : &hi) = rate;
    }
    return (lo + hi) / 2;
}

static int print_simulator(void)
{
    static const char *const runs = "examples/published/booksim.csv";
    struct fidelity f;
    struct booksim_row *row;
    struct csv csv;
    struct err err;
    int missed = 0;

    bench_must(fidelity_open(&f, runs, "tests/fidelity/booksim_saturation.csv", false, &err), &err);
    bench_must(csv_read(&csv, runs, &err), &err);
    bench_must(booksim_rows(&row, &csv, runs, &err), &err);
    printf("\nSaturation of the simulator beside BookSim2 (within 3 %%)\n");
    for (size_t i = 0; i < f.ncase; i++) {
        const struct fidelity_case *c = &f.at[i];
        size_t r = 0;
        double ours;

        if (isnan(c->saturation) || !c->plain)
            continue;
        while (strcmp(row[r].name, c->name) != 0)
            r++;
        ours = simulator_four(&row[r], c->zero, c->saturation);
        missed |= !(fabs(fidelity_error(ours, c->saturation)) <= 0.03);
        printf("%-5s %9.4f %9.4f %+7.1f\n", c->name, c->saturation, ours, 100 * fidelity_error(ours, c->saturation));
        fflush(stdout);
    }
    printf("%s\n", missed ? "MISSED" : "ok");
    free(row);
    csv_release(&csv);
    fidelity_close(&f);
    return missed;
}

/* ---- collectives ---- */

static bool same_kind(const struct measured_row *a, const struct measured_row *b)
{
    return strcmp(a->where, b->where) == 0 && strcmp(a->operation, b->operation) == 0;
}

/* By network and operation: times, those within the limit by our order, and the worst of these. */
static void print_smpi(const struct measured *m)
{
    printf("\nCollectives beside SimGrid's SMPI (ordered and blocking sends; within 5 %% from 4096 bytes, 15 %% below)\n"
           "%-8s %-10s %6s %6s %6s %8s\n", "network", "operation", "times", "within", "left", "worst %");
    for (size_t i = 0; i < m->n; i++) {
        size_t times = 0, left = 0, first = i;
        double worst = 0;

        for (size_t k = 0; k < m->n; k++)
            for (int w = 0; w < MEASURED_SENDS && same_kind(&m->row[k], &m->row[i]); w++) {
                const double off = m->row[k].model[w] / m->row[k].measured[w] - 1;

                first = k < first ? k : first;
                times++;
                left += m->row[k].left[w];
                worst = !m->row[k].left[w] && fabs(off) > fabs(worst) ? off : worst;
            }
        if (first == i)
            printf("%-8s %-10s %6zu %6zu %6zu %+8.1f\n", m->row[i].where, m->row[i].operation, times, times - left, left,
                   100 * worst);
    }
}

static void print_choice(const char *name, const struct measured *m, const char *where)
{
    const struct measured_choice c = measured_choices(m, 0, where);

    printf("%-22s %5zu %14.1f %9.1f %14.2f\n", name, c.cases, 100 * (double)c.good / (double)c.cases, 100 * c.loss,
           c.ratio);
}

static void print_machine(const struct measured *m, const struct measured_set *f)
{
    printf("\nCollectives beside a real machine (links of %g Gb/s, %g as much of a process, %g us of work, %g us of packing, "
           "%g as fast to reduce)\n%-22s %5s %14s %9s %14s\n", f->rate, f->injection,
           f->overhead, f->pack, f->combine, "torus", "cases",
           "in 10 % [%]", "loss [%]", "model/measured");
    print_choice("2x2x2 (fitted on it)", m, "2x2x2");
    print_choice("4x4x4", m, "4x4x4");
    print_choice("both", m, NULL);
}

/* The set of a grid that loses least by its choices on 2x2x2, of several the one whose times are the least off there
 * (mean square of logarithms); rows of 4x4x4 are not run. */
static void print_fit(void)
{
    static const double rate[] = { 40, 44, 48, 51.2, 54.4 }, injection[] = { 0.75, 1, 1.5, 2, 3, 6 },
        combine[] = { 0.5, 1, 2, 4 }, overhead[] = { 0.4, 0.6, 0.8, 1, 1.2, 1.4, 1.6, 2 }, pack[] = { 0, 1, 2, 3, 4, 6, 8 };
    const size_t many[] = { 5, 6, 4, 8, 7 };
    double least = INFINITY, error = INFINITY;

    for (size_t k = 0; k < many[0] * many[1] * many[2] * many[3] * many[4]; k++) {
        const size_t a = k % many[0], b = k / many[0], c = b / many[1], d = c / many[2], e = d / many[3];
        const struct measured_set set = { rate[a], injection[b % many[1]], combine[c % many[2]], overhead[d % many[3]],
                                          pack[e] };
        struct measured_choice choice;
        struct measured m;
        struct err err;
        double off = 0;

        bench_must(measured_machine(&m, &set, "2x2x2", &err), &err);
        choice = measured_choices(&m, 0, NULL);
        for (size_t i = 0; i < m.n; i++)
            off += pow(log(m.row[i].model[0] / m.row[i].measured[0]), 2) / (double)m.n;
        measured_close(&m);
        if (choice.loss > least || (choice.loss == least && off >= error))
            continue;
        least = choice.loss;
        error = off;
        printf("{ %g, %g, %g, %g, %g }: %zu of %zu within 10 %%, loss %.3f %%, model/measured %.3f, off %.3f\n", set.rate,
               set.injection, set.combine, set.overhead, set.pack, choice.good, choice.cases, 100 * choice.loss, choice.ratio,
               sqrt(off));
    }
}

static void print_collectives(void)
{
    const struct measured_set set = MEASURED_FITTED;
    struct measured m;
    struct err err;

    bench_must(measured_smpi(&m, &err), &err);
    print_smpi(&m);
    measured_close(&m);
    bench_must(measured_machine(&m, &set, NULL, &err), &err);
    print_machine(&m, &set);
    measured_close(&m);
}

int main(int argc, char **argv)
{
    const bool runs = argc > 1 && strcmp(argv[1], "runs") == 0, csv = argc > 1 && strcmp(argv[1], "csv") == 0;
    struct fidelity f[SOURCES] = { 0 };
    struct err err;
    int wrong = 0;

    net_setup();
    if (argc > 1 && strcmp(argv[1], "simulator") == 0) {
        wrong = print_simulator();
        net_teardown();
        return wrong;
    }
    if (argc > 1 && strcmp(argv[1], "fit") == 0) {
        print_fit();
        net_teardown();
        return 0;
    }
    if (argc > 1 && strcmp(argv[1], "collectives") == 0) {
        print_collectives();
        net_teardown();
        return 0;
    }
    if (csv)
        printf("source,case,mode,part,load,simulated,model,error_percent,validity\n");
    for (size_t s = 0; s < SOURCES; s++) {
        bench_must(fidelity_open(&f[s], source[s].runs, source[s].saturations, source[s].wormhole, &err), &err);
        for (size_t i = 0; i < f[s].ncase; i++) {
            bench_must(fidelity_solve(&f[s], i, INFINITY, true, &err), &err);
            if (runs)
                print_case(&f[s], i, source[s].name);
        }
        if (csv)
            print_csv(&f[s], s);
    }
    if (!csv) {
        print_summary(f);
        print_saturation(f);
        print_domains(f);
        wrong = print_wrong(f);
        print_collectives();
    }
    for (size_t s = 0; s < SOURCES; s++)
        fidelity_close(&f[s]);
    net_teardown();
    return wrong != 0;
}
