#include "analysis/latency/collide.h"

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graph/base/mem.h"

int collide_open(struct collide *out, const struct flows *f, const struct collide_options *o, struct err *err)
{
    struct collide c = { .f = f, .o = *o, .shared_room = f->noverlap };
    const size_t npair = f->pair_first[f->nlink];
    const struct {
        double **at;
        size_t n;
    } array[] = {
        { &c.mi, f->nsource }, { &c.time, f->nsource }, { &c.rate, f->nsource }, { &c.latency, f->nsource },
        { &c.wait, f->nport }, { &c.x, f->nport }, { &c.hold, f->nport }, { &c.pair, npair }, { &c.next, npair },
        { &c.shared, f->noverlap }, { &c.rest, f->nstate }, { &c.mass, f->nstate },
        { &c.mass_time, f->nstate }, { &c.time_sum, f->nport }          /* only where times differ */
    };
    const size_t narray = sizeof array / sizeof *array - (traffic_own_times(f->traffic) ? 0 : 2);
    double bytes = (double)f->nchunk * (double)f->nport * sizeof *c.sum;
    bool missing;

    if (!(c.o.tolerance > 0))
        c.o.tolerance = 1e-9;
    if (!c.o.closure)
        c.o.closure = &closure_pairwise;
    if (c.o.rounds <= 0)
        c.o.rounds = 100000;
    if (c.o.jobs <= 0)
        c.o.jobs = omp_get_max_threads();
    for (size_t i = 0; i < narray; i++)
        bytes += (double)array[i].n * sizeof(double);
    if (mem_need(bytes, "the waits of messages", err) < 0)
        return -1;
    c.sum = calloc(f->nchunk * f->nport + 1, sizeof *c.sum);
    missing = !c.sum;
    for (size_t i = 0; i < narray; i++) {
        *array[i].at = calloc(array[i].n + 1, sizeof(double));
        missing = missing || !*array[i].at;
    }
    if (missing) {
        collide_release(&c);
        return err_memory(err);
    }
    if (mixing_open(&c.mixing, npair, 6, err) < 0) {
        collide_release(&c);
        return -1;
    }
    *out = c;
    return 0;
}

void collide_release(struct collide *c)
{
    void *const own[] = { c->mi, c->time, c->rate, c->latency, c->wait, c->x, c->hold, c->pair, c->next, c->shared,
                          c->rest, c->mass, c->mass_time, c->time_sum, c->sum };

    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        free(own[i]);
    mixing_release(&c->mixing);
    *c = (struct collide){ 0 };
}

const char *load_name(char out[60], const struct flows *f, const struct load *load)
{
    if (traffic_own(f->traffic) != OWN_NONE)
        snprintf(out, 60, "%.6g times their rates", load->factor);
    else
        snprintf(out, 60, "an interval of %.6g cycles", load->interval / load->factor);
    return out;
}

int collide_begin(struct collide *c, const struct load *load, struct err *err)
{
    c->least_time = INFINITY;
    c->full_link = -1;
    for (size_t i = 0; i < c->f->nsource; i++) {
        const struct traffic_pace p = flows_pace(c->f, i, (struct traffic_pace){ load->interval, c->o.time });

        c->mi[i] = p.interval / load->factor;
        c->time[i] = p.time;
        if (!(c->mi[i] > 0 && isfinite(c->mi[i])))
            return err_set(err, ERR_DOMAIN, "an interval between messages is %g cycles; it must be positive", c->mi[i]);
        if (!(c->time[i] > 0 && isfinite(c->time[i])))
            return err_set(err, ERR_DOMAIN, "a transmission time is %g cycles; it must be positive", c->time[i]);
        c->least_time = fmin(c->least_time, c->time[i]);
    }
    return 0;
}

static void chunk_rests(struct collide *c, size_t k)
{
    const struct flows *f = c->f;

    for (size_t s = f->chunk_state[k]; s < f->chunk_state[k + 1]; s++) {
        double rest = 0;

        for (uint32_t e = f->edge_first[s]; e < f->edge_first[s + 1]; e++)
            rest += f->edge_share[e] * (c->wait[f->edge_port[e]] + c->rest[f->edge_child[e]]);
        c->rest[s] = rest;
    }
}

void collide_rests(struct collide *c)
{
    const size_t n = c->f->nchunk;

#pragma omp parallel for schedule(dynamic) num_threads(c->o.jobs) if (n > 1)
    for (size_t k = 0; k < n; k++)
        chunk_rests(c, k);
}

double collide_way(const struct collide *c, size_t injection)
{
    const double time = c->time[c->f->injection_source[injection]];

    return switching_time(c->o.switching, time, c->f->injection_links[injection], c->o.hop_time) - time;
}

double collide_hop(const struct collide *c, double time)
{
    return switching_time(c->o.switching, time, 2, c->o.hop_time) -
        switching_time(c->o.switching, time, 1, c->o.hop_time);
}

void collide_latencies(struct collide *c)
{
    const struct flows *f = c->f;

    for (size_t i = 0; i < f->nsource; i++)
        c->latency[i] = c->time[i];
    for (size_t i = 0; i < f->ninjection; i++)
        c->latency[f->injection_source[i]] +=
            f->injection_share[i] * (c->wait[f->injection_port[i]] + c->rest[f->injection_state[i]] +
                                     collide_way(c, i));
}

static void chunk_flow(struct collide *c, size_t k)
{
    const struct flows *f = c->f;
    struct port_sum *sum = c->sum + k * f->nport;
    double *y = c->mass, *z = c->mass_time;
    const size_t from = f->chunk_state[k], to = f->chunk_state[k + 1];

    memset(sum, 0, f->nport * sizeof *sum);
    memset(y + from, 0, (to - from) * sizeof *y);
    if (z)
        memset(z + from, 0, (to - from) * sizeof *z);
    for (size_t i = f->chunk_injection[k]; i < f->chunk_injection[k + 1]; i++) {
        const double x = f->injection_share[i] * c->rate[f->injection_source[i]];
        const int s = f->injection_state[i];
        struct port_sum *p = &sum[f->injection_port[i]];

        y[s] += x;
        p->x += x;
        p->h += x * c->rest[s];
        if (z) {
            z[s] += x * c->time[f->injection_source[i]];
            p->t += x * c->time[f->injection_source[i]];
        }
    }
    for (size_t s = to; s-- > from;)
        for (uint32_t e = f->edge_first[s]; e < f->edge_first[s + 1]; e++) {
            const double x = y[s] * f->edge_share[e];
            const int child = f->edge_child[e];
            struct port_sum *p = &sum[f->edge_port[e]];

            y[child] += x;
            p->x += x;
            p->h += x * c->rest[child];
            if (z) {
                z[child] += z[s] * f->edge_share[e];
                p->t += z[s] * f->edge_share[e];
            }
        }
}

void collide_flow(struct collide *c)
{
    const struct flows *f = c->f;
    const size_t n = f->nchunk;

#pragma omp parallel for schedule(dynamic) num_threads(c->o.jobs) if (n > 1)
    for (size_t k = 0; k < n; k++)
        chunk_flow(c, k);
    for (size_t g = 0; g < f->nport; g++) {
        struct port_sum p = c->sum[g];

        for (size_t k = 1; k < n; k++) {        /* in order: the same whatever the threads did */
            p.x += c->sum[k * f->nport + g].x;
            p.h += c->sum[k * f->nport + g].h;
            p.t += c->sum[k * f->nport + g].t;
        }
        c->x[g] = p.x;
        if (c->time_sum)
            c->time_sum[g] = p.t;
        c->hold[g] = p.x > 0 ? (c->mass_time ? p.t / p.x : c->least_time) + (c->o.switching->hold ? p.h / p.x : 0) : 0;
    }
}
