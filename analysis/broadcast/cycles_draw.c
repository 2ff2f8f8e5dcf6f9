/* 1. background  its solution, once more with the waits that the broadcast adds
 * 2. met         what a broadcast meets at each hop: the same for all draws
 * 3. one draw    hooks of the run: wait for the background, link granted, link released */
#include "analysis/broadcast/cycles_draw.h"
#include "model/routing/follow.h"

/* ---- background ---- */

static int same_links(const struct flows *f, const struct cycles_links *links, struct err *err)
{
    const struct trunks *t = &links->trunks;

    if (t->first)
        return err_set(err, ERR_DOMAIN, "%.200s has cables side by side: broadcasts under load are computed where "
                       "nodes are joined by one cable", f->net->spec);
    if (f->copies > 1 || f->nlink < t->nlink)
        return err_set(err, ERR_INTERNAL, "the background of a broadcast was folded");
    for (size_t k = 0; k < t->nlink; k++)
        if (f->link_from[k] != links->from[k] || f->link_to[k] != t->csr->to[k])
            return err_set(err, ERR_INTERNAL, "link %zu is another for the background", k);
    return 0;
}

/* In place of what is in p: the background's ports where holds vary as they do in `from`, and messages wait `others`
 * more (NULL: no more) at each port. Closed sources are solved again; what open ones send does not change, but their
 * messages hold links longer. */
static int solve_again(struct cycles_ports *p, const struct cycles_ports *from, const struct cycles_background *b,
                       const double *others, struct err *err)
{
    struct collide *c = &b->study->collide;
    const bool open = b->study->o.open;
    const size_t nport = c->f->nport;
    double *wait;
    struct cycles_ports next;
    int ret = TAKE("broadcasts under load", err, ARRAY_IF(open, wait, nport + 1));

    c->spread = from->spread;
    c->others = others;
    if (ret == 0 && !open)
        ret = collide_closed_solve(c, &b->load, err);
    for (size_t g = 0; wait && g < nport; g++) {
        wait[g] = c->wait[g];
        c->wait[g] += others[g];
    }
    if (wait) {
        collide_rests(c);
        collide_flow(c, false);
    }
    if (ret == 0)
        ret = cycles_ports_open(&next, c, open, err);
    c->spread = NULL;
    c->others = NULL;
    if (wait) {
        memcpy(c->wait, wait, nport * sizeof *wait);
        collide_rests(c);
        collide_flow(c, false);
    }
    free(wait);
    if (ret < 0)
        return -1;
    cycles_ports_release(p);
    *p = next;
    return 0;
}

int cycles_background_open(struct cycles_background *out, struct latency_study *study, const struct cycles_links *links,
                           const struct load *load, struct err *err)
{
    struct cycles_background b = { .study = study, .load = *load };
    struct latency_summary summary;

    if (study->o.collide.switching->stores)
        return err_set(err, ERR_DOMAIN, "broadcasts by %s are not computed under load: wormhole, circuit and "
                       "cut-through are", study->o.collide.switching->name);
    if (same_links(&study->flows, links, err) < 0 || latency_solve(study, load, err) < 0 ||
        latency_summary(&summary, study, load, err) < 0 ||
        cycles_ports_open(&b.calm, &study->collide, study->o.open, err) < 0)
        return -1;
    b.near = summary.validity == VALIDITY_NEAR || summary.validity == VALIDITY_UNTESTED;
    b.saturated = summary.validity == VALIDITY_SATURATED || summary.validity == VALIDITY_OUTSIDE ||
        summary.validity == VALIDITY_SOURCES || summary.validity == VALIDITY_IMPLAUSIBLE;
    *out = b;
    return 0;
}

void cycles_background_release(struct cycles_background *b)
{
    cycles_ports_release(&b->calm);
    *b = (struct cycles_background){ 0 };
}

/* ---- met ---- */

/* The port of link l that comes from link `in`; -1: nothing comes that way. */
static int64_t find_port(const struct flows *f, size_t l, int in)
{
    for (size_t g = f->port_first[l]; g < f->port_first[l + 1]; g++)
        if (f->port_in[g] == in)
            return (int64_t)g;
    return -1;
}

static size_t way_of(const struct cycles_met *s, int rank)
{
    return (size_t)s->start.root * (size_t)s->ways->n + (size_t)rank;
}

/* The link over which a rank receives; -1: the root. */
static int link_into(const struct cycles_met *s, int rank)
{
    return rank ? s->ways->trunk[s->ways->first[way_of(s, rank) + 1] - 1] : -1;
}

static void find_occupancy(struct cycles_met *s, int which)
{
    const struct cycles_ports *p = s->ports[which];

    for (size_t k = 0; k < s->nhop; k++) {
        const size_t l = (size_t)s->ways->trunk[s->first + k];

        s->occupancy[which][k].from_port = p->held[l] > 0 ? cycles_ports_held(p, l, s->port[k]) : 0;
        s->occupancy[which][k].from_outside = p->held[l] > 0 ? cycles_ports_held(p, l, -1) : 0;
    }
}

void cycles_met_release(struct cycles_met *s)
{
    cycles_ports_release(&s->disturbed);
    FREE(s->occupancy[0], s->occupancy[1], s->port);
}

/* The turns of the background, and of the messages of the broadcast. */
static int find_blocks(struct cycles_met *s, struct err *err)
{
    const struct cycles_ways *w = s->ways;
    const struct flows *f = &s->b->study->flows;
    const size_t n = f->nport + s->nhop;
    int *in = NULL, *out = NULL, ret;

    if (!s->how.switching->hold)
        return 0;
    if (TAKE("turns of messages", err, ARRAY(in, n + 1), ARRAY(out, n + 1)) < 0)
        return -1;
    memcpy(in, f->port_in, f->nport * sizeof *in);
    memcpy(out, f->port_link, f->nport * sizeof *out);
    for (int v = 0; v < w->n; v++)
        for (size_t way = way_of(s, v), k = w->first[way]; k < w->first[way + 1]; k++) {
            in[f->nport + k - s->first] = k > w->first[way] ? w->trunk[k - 1] : -1;
            out[f->nport + k - s->first] = w->trunk[k];
        }
    ret = follow_cyclic(&s->blocks, f->nlink, n, in, out, err);
    FREE(in, out);
    return ret;
}

int cycles_met_open(struct cycles_met *s, struct err *err)
{
    const struct cycles_ways *w = s->ways;
    const struct flows *f = &s->b->study->flows;

    s->first = w->first[way_of(s, 0)];
    s->nhop = w->first[way_of(s, w->n - 1) + 1] - s->first;
    if (TAKE("broadcasts under load", err, ZEROS(s->occupancy[0], s->nhop + 1), ZEROS(s->occupancy[1], s->nhop + 1),
             ARRAY(s->port, s->nhop + 1)) < 0)
        return -1;
    for (int v = 1; v < w->n; v++) {
        const size_t way = way_of(s, v);

        for (size_t k = w->first[way]; k < w->first[way + 1]; k++) {
            const int before = k > w->first[way] ? w->trunk[k - 1] : link_into(s, w->tree->parent[v]);

            s->port[k - s->first] = before < 0 ? -1 : find_port(f, (size_t)w->trunk[k], before);
        }
    }
    s->ports[0] = s->ports[1] = &s->b->calm;
    find_occupancy(s, 0);
    find_occupancy(s, 1);
    s->memory = INFINITY;
    return find_blocks(s, err);
}

int cycles_met_disturb(struct cycles_met *s, const double *others, struct err *err)
{
    if (solve_again(&s->disturbed, s->ports[1], s->b, others, err) < 0)
        return -1;
    s->ports[1] = &s->disturbed;
    s->memory = s->b->calm.latency / 2;
    find_occupancy(s, 1);
    return 0;
}

/* ---- one draw ---- */

static double *idle_instants(struct cycles_sampler *d, size_t l)
{
    const struct flows *f = d->met->ports[0]->f;

    if (d->drawn[l] != d->draw) {
        d->drawn[l] = d->draw;
        for (size_t g = f->port_first[l]; g < f->port_first[l + 1]; g++)
            d->idle_since[g] = -INFINITY;
    }
    return d->idle_since;
}

/* Whether a message of the background that waited for a link of the path over which a process received precedes what
 * the process sends over a port at t: it takes all links that are released at once. The path is searched from its last
 * link back for the first one that was waited for. */
static bool overtaken(struct cycles_sampler *d, const struct cycles_ports *p, int receiver, int64_t port, double t)
{
    const struct cycles_met *s = d->met;
    const struct flows *f = p->f;
    const size_t way = way_of(s, receiver);
    const double *length = s->ways->links->length;
    double part = 1;            /* of the messages on the link at hand: those that go on as far as the port */

    for (size_t k = s->ways->first[way + 1]; k-- > s->ways->first[way] && port >= 0; port = s->port[k - s->first]) {
        const size_t l = (size_t)s->ways->trunk[k];
        const double *since = idle_instants(d, l);
        double sum = 0;

        if (s->how.hop_time > 0 || (length && length[l] > 0))
            return false;       /* it comes too late */
        for (size_t g = f->port_first[l]; g < f->port_first[l + 1]; g++)
            sum += t > since[g] ? (t - since[g]) / p->port[g].idle : 0;
        part *= p->port[port].x / p->rate[l];
        if (sum > 0 && cycles_uniform(&d->rng) <= -expm1(-sum))
            return cycles_uniform(&d->rng) <= part;
    }
    return false;
}

#define FORGOTTEN 2             /* mean holds after which a link is as if the broadcast had not used it */

static double background_wait(void *arg, const struct cycles_run *r, const struct cycles_grant *g)
{
    struct cycles_sampler *d = arg;
    const struct cycles_met *s = d->met;
    const size_t k = g->hop - s->first, l = (size_t)g->link;
    const int rank = cycles_rank(r, g->message), parent = r->ways->tree->parent[rank];
    const bool first = g->hop == r->ways->first[way_of(s, rank)];
    const bool handed = first && parent > 0 && r->message[parent].delivered == g->asked;
    const double t = g->asked;
    const struct cycles_ports *p;
    int64_t port = s->port[k];
    bool queued;
    double at;

    if (first)
        d->disturbed[rank] = t > 0 && cycles_uniform(&d->rng) > exp(-t / s->memory);
    p = s->ports[d->disturbed[rank]];
    queued = !first && port >= 0 && d->was_queued[rank] &&
        cycles_uniform(&d->rng) * p->rate[r->ways->trunk[g->hop - 1]] <= p->port[port].x;
    d->was_queued[rank] = false;
    if (!(p->held[l] > 0))
        return 0;
    idle_instants(d, l);
    if (first && !handed)
        port = -1;
    if (queued) {               /* the message that it waited for releases both links at once */
        const double since = t - cycles_port_hold(p, (size_t)port, false, &d->rng);

        for (size_t j = p->f->port_first[l]; j < p->f->port_first[l + 1]; j++)
            d->idle_since[j] = fmax(d->idle_since[j], since);
        at = cycles_ports_since(p, l, port, t, t, d->idle_since, d->arrival_at, &d->rng);
    } else if (!isfinite(g->released) || t - g->released > FORGOTTEN * p->hold[l]) {
        const struct cycles_occupancy *o = &s->occupancy[d->disturbed[rank]][k];

        at = cycles_ports_steady(p, l, port, port < 0 ? o->from_outside : o->from_port, t, d->idle_since, &d->rng);
    } else {
        at = cycles_ports_since(p, l, port, g->released, t, d->idle_since, d->arrival_at, &d->rng);
    }
    at = fmax(at, g->now);
    if (handed && port >= 0 && overtaken(d, p, parent, port, t))
        d->idle_since[port] = at += cycles_port_hold(p, (size_t)port, false, &d->rng);
    d->was_queued[rank] = at > g->now;
    d->tally->wait[l] += at - g->now;
    return at - g->now;
}

static void link_granted(void *arg, const struct cycles_run *, const struct cycles_grant *g)
{
    struct cycles_sampler *d = arg;
    const size_t k = g->hop - d->met->first;

    d->got[k] = g->now;
    if (d->tally->hop_waited)
        d->tally->hop_waited[k] += g->now - g->asked;
}

/* While a message holds its link, nothing comes over it to the next one. */
static void link_released(void *arg, const struct cycles_run *r, size_t message, size_t hop, int, double at)
{
    struct cycles_sampler *d = arg;
    const struct cycles_met *s = d->met;
    const size_t k = hop - s->first, way = way_of(s, cycles_rank(r, message));

    if (d->tally->hop_held)
        d->tally->hop_held[k] += at - d->got[k];
    if (hop + 1 < r->ways->first[way + 1] && s->port[k + 1] >= 0) {
        double *since = idle_instants(d, (size_t)r->ways->trunk[hop + 1]);

        since[s->port[k + 1]] = fmax(since[s->port[k + 1]], at);
    }
}

/* Integrals over time of the messages under way, and of their square. */
static void under_way(struct cycles_sampler *d, struct cycles_tally *tally)
{
    const int n = d->run.ways->n;
    double *start = d->times, *end = d->times + n - 1, at = 0;
    int s = 0, e = 0;

    for (int v = 1; v < n; v++) {
        start[v - 1] = d->run.message[v].started;
        end[v - 1] = d->run.message[v].delivered;
    }
    qsort(start, (size_t)n - 1, sizeof *start, num_ascending_reals);
    qsort(end, (size_t)n - 1, sizeof *end, num_ascending_reals);
    while (e < n - 1) {
        const bool starts = s < n - 1 && start[s] <= end[e];
        const double to = starts ? start[s] : end[e];

        tally->in_flight += (s - e) * (to - at);
        tally->squares_in_flight += (double)(s - e) * (s - e) * (to - at);
        at = to;
        s += starts;
        e += !starts;
    }
}

int cycles_draw(double *completion, struct cycles_sampler *d, struct cycles_tally *tally, uint64_t seed,
                const struct tick *tick, struct err *err)
{
    const struct cycles_hooks hooks = { background_wait, link_granted, link_released, NULL, d };
    const int n = d->run.ways->n;

    rng_seed(&d->rng, seed);
    d->tally = tally;
    d->draw++;
    if (cycles_run(&d->run, &hooks, tick, err) < 0)
        return -1;
    *completion = d->run.stuck ? NAN : d->run.completion[0];
    tally->deadlocks += d->run.stuck > 0;
    if (tally->hop_held && !d->run.stuck)
        under_way(d, tally);
    for (int v = 0; v < n && !d->run.stuck; v++) {
        tally->arrival[v] += d->run.message[v].delivered;
        tally->squares[v] += d->run.message[v].delivered * d->run.message[v].delivered;
    }
    return 0;
}

void cycles_sampler_release(struct cycles_sampler *d)
{
    cycles_run_release(&d->run);
    FREE(d->idle_since, d->arrival_at, d->drawn, d->disturbed, d->was_queued, d->got, d->times);
}

int cycles_sampler_open(struct cycles_sampler *d, const struct cycles_met *s, struct err *err)
{
    const struct flows *f = s->ports[0]->f;

    d->met = s;
    if (cycles_run_open(&d->run, s->ways, &s->how, &s->start, 1, err) < 0)
        return -1;
    return TAKE("broadcasts under load", err, ARRAY(d->idle_since, f->nport + 1), ARRAY(d->arrival_at, f->nport + 1),
                ZEROS(d->drawn, f->nlink + 1), ZEROS(d->disturbed, s->ways->n), ZEROS(d->got, s->nhop + 1),
                ZEROS(d->was_queued, s->ways->n), ARRAY(d->times, 2 * (size_t)s->ways->n));
}
