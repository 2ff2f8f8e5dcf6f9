/* judge.h -- a model of latency beside a simulation of the same, and the simulator beside the runs of BookSim2 in a
 * file.
 * Units   cycles, flits; errors in parts.
 * Source  BookSim2: N. Jiang et al., "A detailed and flexible cycle-accurate network-on-chip simulator", ISPASS 2013.
 * Errors  those of simulate.h; ERR_FORMAT of files. */
#pragma once

#include "analysis/latency/latency.h"
#include "analysis/simulate/simulate.h"
#include "graph/base/csv.h"

#define JUDGE_BELIEVED 0.1              /* what a row called valid may be off by */

/* What simulates a study of these options (before a study divides its channels). */
struct simulate_options judge_options(const struct latency_options *model);

struct judge {
    double latency, half;               /* packet latency, a mean as latency_summary has it; of its interval of 95 % */
    bool steady;
    const char *state;                  /* "steady", "no steady state", "deadlock" */
};
int judge_run(struct judge *out, struct simulation *s, const struct simulate_options *o, const struct traffic *traffic,
              const struct load *load, struct err *err);
static inline double judge_error(double model, double simulated)
{
    return model / simulated - 1;
}
/* Whether the model is off by more than JUDGE_BELIEVED wherever in its interval the simulated latency may be. */
bool judge_wrong(double model, const struct judge *simulated);

/* ---- BookSim2 (tests/fidelity/README.md says how its runs were made) ---- */

/* Of its router: cycles until a sent flit's place is free again; cycles beyond the link's own; and how much later than
 * ours its last flit arrives where nothing waits. */
#define BOOKSIM_LOOP 5
#define BOOKSIM_TIME 2
#define BOOKSIM_LATER 1
struct booksim_row {
    const char *name, *network, *traffic, *routing;     /* pointing into the file */
    double packet;
    struct router router;
    bool terminals;                     /* messages take a link into the network and one out of it */
    bool plain;                         /* no setting that ours lacks */
    double part, rate;                  /* of its saturation; flits per node and cycle, also to the sender itself */
    double nlat, plat, routers;         /* from a message's first flit on; from its birth; routers on its way */
};
/* What it calls a traffic or routing, in our words. */
const char *booksim_ours(const char *theirs);
/* Fresh, a row for each of the file; ERR_FORMAT where a column lacks. */
int booksim_rows(struct booksim_row **out, const struct csv *csv, const char *path, struct err *err);
/* Part of the messages that senders send to themselves. */
double booksim_own(const struct traffic *t);
/* Of what a sender of ours sends: of a matrix all do both, of a list of streams either, and those that travel are as
 * fast as those that do not. */
double booksim_interval(const struct traffic *t, double packet, double rate);
struct booksim_run {
    double nlat, half, plat;            /* simulated, as BookSim2 counts them */
    bool steady;
};
/* The same simulated here, at `rate`: Bernoulli sources, islip:1; seeds, cycles, jobs and tick are those of `o`. */
int booksim_run(struct booksim_run *out, const struct booksim_row *row, double rate, const struct simulate_options *o,
                struct err *err);
