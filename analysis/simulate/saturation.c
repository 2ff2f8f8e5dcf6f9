#include "analysis/simulate/saturation.h"

#define IDLE 0.02                       /* of the guess */
#define LATER 4                         /* times the idle latency */
#define BEHIND 0.98                     /* of what is offered */
#define APART 1.02
#define STEP 1.2                        /* from the guess on, until both sides are known */
enum { RUNS_MOST = 60 };

static int at_factor(struct simulate_result *r, struct simulation *s, const struct load *load, double factor,
                     struct simulate_saturated *x, struct err *err)
{
    x->runs++;
    return simulate_run(r, s, &(struct load){ load->interval, factor * load->factor }, err);
}

static int sustains(bool *yes, struct simulate_saturated *x, struct simulation *s, const struct load *load,
                    double factor, struct err *err)
{
    struct simulate_result r;

    if (at_factor(&r, s, load, factor, x, err) < 0)
        return -1;
    *yes = r.steady && r.deadlocks == 0 && r.mean <= LATER * x->idle && r.accepted >= BEHIND * r.offered;
    simulate_result_release(&r);
    return 0;
}

int simulate_saturation(struct simulate_saturated *out, struct simulation *s, const struct load *load, double guess,
                        double most, struct err *err)
{
    struct simulate_saturated x = { .high = INFINITY };
    struct simulate_result r;
    double factor = fmin(guess, most);

    if (at_factor(&r, s, load, IDLE * guess, &x, err) < 0)
        return -1;
    x.idle = r.mean;
    simulate_result_release(&r);
    while (x.runs < RUNS_MOST && !(x.high <= APART * x.low)) {
        bool yes;

        if (sustains(&yes, &x, s, load, factor, err) < 0)
            return -1;
        if (yes && factor >= most)
            return err_set(err, ERR_DOMAIN, "it sustains all that sources can send");
        if (yes)
            x.low = factor;
        else
            x.high = factor;
        factor = isinf(x.high) ? fmin(STEP * x.low, most) : x.low > 0 ? sqrt(x.low * x.high) : x.high / STEP;
    }
    if (!(x.low > 0) || isinf(x.high))
        return err_set(err, ERR_DOMAIN, "no load between a fiftieth of %g and it is sustained", guess);
    *out = x;
    return 0;
}
