#include "analysis/latency/collide.h"

#include <omp.h>

int collide_open(struct collide *out, const struct flows *f, const struct collide_options *o, struct err *err)
{
    struct collide c = { .f = f, .o = *o, .shared_room = f->noverlap };
    const size_t npair = f->apart ? 0 : f->pair_first[f->nlink];        /* of closed sources alone */
    const size_t masses = o->switching->hold ? f->nstate : f->nchunk * f->block_most;
    const size_t chunks = f->nchunk * f->nport;
    const bool own = traffic_own_times(f->traffic), differ = o->switching->hold && f->link_slow;

    if (!(c.o.router.vcs > 0))
        c.o.router = *o->switching->router;
    if (!c.o.router.classes)
        c.o.router.classes = 1;
    c.o.hop_time += c.o.router.time;
    if (!(c.o.tolerance > 0))
        c.o.tolerance = 1e-9;
    if (!c.o.closure)
        c.o.closure = &closure_pairwise;
    if (c.o.rounds <= 0)
        c.o.rounds = 100000;
    if (c.o.jobs <= 0)
        c.o.jobs = omp_get_max_threads();
    if (TAKE("the waits of messages", err, ZEROS(c.mi, f->nsource), ZEROS(c.time, f->nsource),
             ZEROS(c.rate, f->nsource), ZEROS(c.latency, f->nsource), ZEROS(c.idle, f->nsource),
             ZEROS(c.wait, f->nport), ZEROS(c.x, f->nport), ZEROS(c.hold, f->nport), ZEROS(c.vary, f->nport),
             ZEROS_IF(own, c.time_sum, f->nport), ZEROS_IF(differ, c.slow_sum, f->nport), ZEROS(c.pair, npair),
             ZEROS(c.next, npair), ZEROS(c.shared, f->noverlap + 1), ZEROS(c.rest, f->nstate + 1),
             ZEROS(c.mass, masses), ZEROS_IF(own, c.mass_time, masses),
             ZEROS_IF(differ, c.mass_slow, (size_t)f->nslow * f->nstate), ZEROS(c.sum, chunks),
             ZEROS_IF(o->switching->hold, c.held, chunks), ZEROS_IF(own, c.times, chunks),
             ZEROS_IF(differ, c.slow, chunks)) < 0)
        return -1;
    if (mixing_open(&c.mixing, npair, 6, err) < 0) {
        collide_release(&c);
        return -1;
    }
    *out = c;
    return 0;
}

void collide_release(struct collide *c)
{
    FREE(c->mi, c->time, c->rate, c->latency, c->idle, c->wait, c->x, c->hold, c->vary, c->time_sum, c->slow_sum,
         c->pair, c->next, c->shared, c->rest, c->mass, c->mass_time, c->mass_slow, c->sum, c->held, c->times, c->slow);
    collide_router_release(c);
    mixing_release(&c->mixing);
    *c = (struct collide){ 0 };
}

int collide_open_solve(struct collide *c, const struct load *load, struct err *err)
{
    return (c->o.switching->hold ? collide_mg1_solve : collide_router_solve)(c, load, err);
}

int collide_saturation(double *factor, struct collide *c, const struct load *load, struct err *err)
{
    return (c->o.switching->hold ? collide_mg1_saturation : collide_router_saturation)(factor, c, load, err);
}
