/* fidelity.h -- latencies that simulators measured (tests/fidelity, whose README says how) and what the model says of
 * the same: for the bench that judges it by all of them, and for the unit test that takes a few.
 * Units   flits, cycles; rates in flits per node and cycle, messages to the sender itself among them.
 * Errors  of files: ERR_FORMAT and what csv_read says. A load that the model refuses is no error. */
#pragma once

#include "analysis/simulate/judge.h"

enum fidelity_mode {
    FIDELITY_HOLDS,             /* as wormhole: one channel, messages longer than the buffers of their way */
    FIDELITY_ONE,               /* one channel (of each class) that has a buffer */
    FIDELITY_SEVERAL,           /* several channels of each class */
    FIDELITY_MESSAGES,          /* whole messages, first come first served, buffers without limit */
    FIDELITY_MODES
};
extern const char *const fidelity_mode_name[FIDELITY_MODES];

/* One network, traffic and router. Names point into the files. */
struct fidelity_case {
    const char *name, *network, *traffic, *routing;
    double packet;
    struct router router;
    bool terminals;             /* messages take a link into the network and one out of it */
    bool plain;                 /* no setting that the model lacks */
    enum fidelity_mode mode;
    double own;                 /* part of the messages that senders send to themselves */
    double travels;             /* part of the rate at which ours send: those of a permutation all or nothing */
    double saturation, zero;    /* simulated: where packet latency is four times that at no load; NAN: not known */
    double model_saturation, model_four;    /* the model's own; where its packet latency is four times as long */
};
/* A load of one. Of messages, `part` is the busiest link's part of its time. */
struct fidelity_run {
    size_t of;                  /* the case */
    double part, rate;          /* of the simulated saturation; NAN: not known */
    double nlat, plat, routers; /* simulated: from a message's first flit on; from its birth; routers on its way */
    double model_nlat, model_plat, model_part, busy;    /* latencies NAN where refused; part of its own saturation; the
                                                         * busiest link's part of its time */
    bool valid;
    const char *validity;       /* the program's word */
};
struct fidelity {
    struct csv runs, saturations;
    struct fidelity_case *at;
    struct fidelity_run *run;
    size_t ncase, nrun;
};
/* `saturations` NULL: there is no such file. As `wormhole`: only the runs of which that may be said, with the model of
 * that switching. */
int fidelity_open(struct fidelity *f, const char *runs, const char *saturations, bool wormhole, struct err *err);
void fidelity_close(struct fidelity *f);
/* Fills what the model says of a case's runs, but of those with a larger part than `most` (of no known part: too).
 * `whole`: of its saturation as well, without which no run is valid. */
int fidelity_solve(struct fidelity *f, size_t at, double most, bool whole, struct err *err);
/* In parts; NAN where the model refuses. */
static inline double fidelity_error(double model, double simulated)
{
    return model / simulated - 1;
}
