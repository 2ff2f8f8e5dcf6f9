/* collide_flow.c -- what the solvers of collide.h share: passes over flows, by chunks in parallel, added up in order.
 * 1. loads      their names and sources; errors beyond saturation
 * 2. waits      from ports to the ends of ways (rest), and latencies
 * 3. rates      from injections over states to ports: rates, times, the slowest links before
 * 4. holds      both at once where messages hold their links while they wait */
#include "analysis/latency/collide.h"

/* ---- loads ---- */

const char *load_name(char out[60], const struct flows *f, const struct load *load)
{
    if (traffic_own(f->traffic) != OWN_NONE)
        snprintf(out, 60, "%.6g times their rates", load->factor);
    else
        snprintf(out, 60, "an interval of %.6g cycles", load->interval / load->factor);
    return out;
}

const char *collide_load_name(char out[60], const struct collide *c, const struct load *load)
{
    if (traffic_own(c->f->traffic) != OWN_NONE)
        return load_name(out, c->f, load);
    snprintf(out, 60, "a load of %.5g", c->o.time * load->factor / load->interval);
    return out;
}

int collide_beyond(struct collide *c, const struct load *load, int64_t at, struct err *err)
{
    const struct flows *f = c->f;
    char name[2][96], where[60], number[24];
    const size_t link = at < 0 ? 0 : (size_t)at;
    const char *port = flows_cable_name(f, flows_link_at(f, link), number);

    c->full_link = at;
    if (at < 0 || f->copies > 1 || f->link_to[link] < 0 || f->link_from[link] < 0)
        return err_set(err, ERR_NETWORK, "%s is beyond saturation", collide_load_name(where, c, load));
    return err_set(err, ERR_NETWORK, "%s is beyond saturation: the link from %s to %s%s%s does not keep up",
                   collide_load_name(where, c, load), net_label(f->net, f->link_from[link], name[0]),
                   net_label(f->net, f->link_to[link], name[1]), *port ? ":" : "", port);
}

int collide_begin(struct collide *c, const struct load *load, struct err *err)
{
    c->least_time = INFINITY;
    c->full_link = -1;
    for (size_t i = 0; i < c->f->nsource; i++) {
        const struct traffic_pace p = flows_pace(c->f, i, (struct traffic_pace){ load->interval, c->o.time });

        c->mi[i] = p.interval / load->factor;
        c->time[i] = p.time * c->f->flit_time;
        if (!(c->mi[i] > 0 && isfinite(c->mi[i])))
            return err_set(err, ERR_DOMAIN, "an interval between messages is %g cycles; it must be positive", c->mi[i]);
        if (!(c->time[i] > 0 && isfinite(c->time[i])))
            return err_set(err, ERR_DOMAIN, "a transmission time is %g cycles; it must be positive", c->time[i]);
        c->least_time = fmin(c->least_time, c->time[i]);
    }
    return 0;
}

/* ---- waits ---- */

/* The states of a chunk, and its injections. */
static const struct flows_block *chunk_first(const struct flows *f, size_t k)
{
    return &f->block[f->chunk[k]];
}

/* What messages in a state wait less than the mean of its hops, since they choose. */
static double chosen_less(const struct collide *c, size_t s)
{
    double mean = 0;

    for (uint32_t e = c->f->edge_first[s]; c->part && c->part[s] < 1 && e < c->f->edge_first[s + 1]; e++)
        mean += c->f->edge_share[e] * c->wait[c->f->edge_port[e]];
    return mean > 0 ? (1 - c->part[s]) * mean : 0;
}

static void chunk_rests(struct collide *c, size_t k)
{
    const struct flows *f = c->f;

    for (size_t s = chunk_first(f, k)->state; s < chunk_first(f, k + 1)->state; s++) {
        double rest = 0;

        for (uint32_t e = f->edge_first[s]; e < f->edge_first[s + 1]; e++)
            rest += f->edge_share[e] * (c->wait[f->edge_port[e]] + c->rest[f->edge_child[e]]);
        c->rest[s] = rest - chosen_less(c, s);
    }
}

void collide_rests(struct collide *c)
{
    const size_t n = c->f->nchunk;

#pragma omp parallel for schedule(dynamic) num_threads(c->o.jobs) if (n > 1)
    for (size_t k = 0; k < n; k++)
        chunk_rests(c, k);
}

double collide_late(const struct collide *c, double time, double slow)
{
    return router_late(&c->o.router, time / c->f->flit_time, c->f->flit_time * slow);
}

double collide_way(const struct collide *c, size_t injection)
{
    const double time = c->time[c->f->injection_source[injection]];
    const double way = switching_time(c->o.switching, time, c->f->injection_links[injection], c->o.hop_time) - time;
    const struct flow_way *than = c->f->injection_way ? &c->f->injection_way[injection] : NULL;

    return way + collide_late(c, time, than ? 1 + than->slowest : 1) + (!than ? 0 :
        time * (c->o.switching->stores ? than->slow : than->slowest) +
        switching_lengths(c->o.switching) * than->length);
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
        c->latency[i] = c->idle[i] = c->time[i];
    for (size_t i = 0; i < f->ninjection; i++) {
        const double share = f->injection_share[i], way = collide_way(c, i);
        const int source = f->injection_source[i];

        c->idle[source] += share * way;
        c->latency[source] += share * (collide_first(c, i) + c->rest[f->injection_state[i]] + way);
    }
}

/* ---- rates ---- */

/* Of messages that come over no slower links than slow[k] at a rate of come[k], times their times: rate times mean time
 * over the slowest link when they go on over `link` to a state. What goes on over no slower ones is added to `go`. */
static double slow_go(const struct flows *f, double *go, const double *come, double share, size_t link, size_t state)
{
    const double *no_slower = f->state_slow + state * (size_t)f->nslow;
    double sum = 0, before = 0;

    for (int k = f->link_slow[link]; k < f->nslow; k++) {
        const double y = share * (come ? come[k] : 1), both = y * no_slower[k];

        go[k] += y;
        sum += f->slow[k] * (both - before);
        before = both;
    }
    return sum;
}

static void chunk_slow(struct collide *c, size_t k)
{
    const struct flows *f = c->f;
    const size_t from = chunk_first(f, k)->state, to = chunk_first(f, k + 1)->state, n = (size_t)f->nslow;
    double *sum = c->slow + k * f->nport, *z = c->mass_slow;

    memset(sum, 0, f->nport * sizeof *sum);
    memset(z + from * n, 0, (to - from) * n * sizeof *z);
    for (size_t i = chunk_first(f, k)->injection; i < chunk_first(f, k + 1)->injection; i++) {
        const int source = f->injection_source[i], g = f->injection_port[i];
        const size_t s = (size_t)f->injection_state[i];
        const double share = f->injection_share[i] * flows_sources(f, (size_t)source);

        sum[g] += slow_go(f, z + s * n, NULL, share * c->rate[source] * c->time[source],
                          (size_t)f->port_link[g], s);
    }
    for (size_t s = to; s-- > from;)
        for (uint32_t e = f->edge_first[s]; e < f->edge_first[s + 1]; e++) {
            const size_t child = (size_t)f->edge_child[e];
            const int g = f->edge_port[e];

            sum[g] += slow_go(f, z + child * n, z + s * n, f->edge_share[e], (size_t)f->port_link[g], child);
        }
}

static inline double injection_rate(const struct collide *c, size_t injection)
{
    const size_t source = (size_t)c->f->injection_source[injection];

    return c->f->injection_share[injection] * flows_sources(c->f, source) * c->rate[source];
}

/* Adds what messages of block `at` put on ports of links they turn to, to the sums of chunk k; h NULL: without waits.
 * y, z: masses of the block's states, and masses times times (NULL: not asked for). */
static void block_flow(struct collide *c, size_t k, const struct flows_block *at, double *h, double *y, double *z)
{
    const struct flows *f = c->f;
    const size_t from = at[0].state;
    double *sum = c->sum + k * f->nport, *t = z ? c->times + k * f->nport : NULL;

    memset(y, 0, (at[1].state - from) * sizeof *y);
    if (z)
        memset(z, 0, (at[1].state - from) * sizeof *z);
    for (size_t i = at[0].injection; i < at[1].injection; i++) {
        const size_t s = (size_t)f->injection_state[i] - from;

        y[s] += injection_rate(c, i);
        if (z)
            z[s] += injection_rate(c, i) * c->time[f->injection_source[i]];
    }
    for (size_t s = at[1].state - from; s-- > 0;)
        for (uint32_t e = f->edge_first[from + s]; e < f->edge_first[from + s + 1]; e++) {
            const double x = y[s] * f->edge_share[e];
            const size_t child = (size_t)f->edge_child[e];
            const int g = f->edge_port[e];

            y[child - from] += x;
            sum[g] += x;
            if (h)
                h[g] += x * c->rest[child];
            if (z) {
                z[child - from] += z[s] * f->edge_share[e];
                t[g] += z[s] * f->edge_share[e];
            }
        }
}

static void chunk_flow(struct collide *c, size_t k, bool waits)
{
    const struct flows *f = c->f;
    const struct flows_block *const first = chunk_first(f, k);
    double *sum = c->sum + k * f->nport, *h = waits ? c->held + k * f->nport : NULL;
    double *t = c->times ? c->times + k * f->nport : NULL;

    memset(sum, 0, f->nport * sizeof *sum);
    if (h)
        memset(h, 0, f->nport * sizeof *h);
    if (t)
        memset(t, 0, f->nport * sizeof *t);
    for (size_t i = first->injection; i < chunk_first(f, k + 1)->injection; i++) {
        const int g = f->injection_port[i];
        const double x = injection_rate(c, i);

        sum[g] += x;
        if (h)
            h[g] += x * c->rest[f->injection_state[i]];
        if (t)
            t[g] += x * c->time[f->injection_source[i]];
    }
    for (size_t b = f->chunk[k + 1]; b-- > f->chunk[k];) {
        const size_t at = c->o.switching->hold ? f->block[b].state : k * f->block_most;

        block_flow(c, k, &f->block[b], h, c->mass + at, t ? c->mass_time + at : NULL);
    }
    if (c->slow_sum)
        chunk_slow(c, k);
}

/* ---- holds ---- */

/* What chunks have added up for a port, in order: the same whatever the threads did. */
static double chunks_sum(const struct collide *c, const double *sum, size_t g)
{
    double all = sum[g];

    for (size_t k = 1; k < c->f->nchunk; k++)
        all += sum[k * c->f->nport + g];
    return all;
}

/* `waits`: those beyond the port, times the rate. */
static void set_hold(struct collide *c, size_t g, double waits)
{
    const double x = c->x[g], slow = flows_slow(c->f, (size_t)c->f->port_link[g]);
    const double time = c->slow_sum ? c->slow_sum[g] / x : (c->time_sum ? c->time_sum[g] / x : c->least_time) * slow;

    c->hold[g] = x > 0 ? time + (c->o.switching->hold ? waits / x : 0) : 0;
}

void collide_flow(struct collide *c, bool calm)
{
    const struct flows *f = c->f;
    const size_t n = f->nchunk;
    const bool waits = c->o.switching->hold && !calm;

#pragma omp parallel for schedule(dynamic) num_threads(c->o.jobs) if (n > 1)
    for (size_t k = 0; k < n; k++)
        chunk_flow(c, k, waits);
    for (size_t g = 0; g < f->nport; g++) {
        const double among = flows_divided(f, g);

        c->x[g] = chunks_sum(c, c->sum, g) / among;
        if (c->time_sum)
            c->time_sum[g] = chunks_sum(c, c->times, g) / among;
        if (c->slow_sum)
            c->slow_sum[g] = chunks_sum(c, c->slow, g) / among;
        set_hold(c, g, waits ? chunks_sum(c, c->held, g) / among : 0);
    }
}

/* As chunk_rests, and on the way what messages hold ports for: x and masses are as collide_flow left them. */
static void chunk_holds(struct collide *c, size_t k)
{
    const struct flows *f = c->f;
    double *sum = c->held + k * f->nport;

    memset(sum, 0, f->nport * sizeof *sum);
    for (size_t s = chunk_first(f, k)->state; s < chunk_first(f, k + 1)->state; s++) {
        const double mass = c->mass[s];
        double rest = 0;

        for (uint32_t e = f->edge_first[s]; e < f->edge_first[s + 1]; e++) {
            const int g = f->edge_port[e];
            const double share = f->edge_share[e], ahead = c->rest[f->edge_child[e]];

            rest += share * (c->wait[g] + ahead);
            sum[g] += mass * share * ahead;
        }
        c->rest[s] = rest - chosen_less(c, s);
    }
    for (size_t i = chunk_first(f, k)->injection; i < chunk_first(f, k + 1)->injection; i++)
        sum[f->injection_port[i]] += f->injection_share[i] * flows_sources(f, (size_t)f->injection_source[i]) *
            c->rate[f->injection_source[i]] * c->rest[f->injection_state[i]];
}

void collide_holds(struct collide *c)
{
    const struct flows *f = c->f;
    const size_t n = f->nchunk;

    if (!c->o.switching->hold) {
        collide_rests(c);
        return;
    }
#pragma omp parallel for schedule(dynamic) num_threads(c->o.jobs) if (n > 1)
    for (size_t k = 0; k < n; k++)
        chunk_holds(c, k);
    for (size_t g = 0; g < f->nport; g++)
        set_hold(c, g, chunks_sum(c, c->held, g) / flows_divided(f, g));
}
