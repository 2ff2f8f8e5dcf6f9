/* latency_results.c -- what a solution says (latency.h).
 * 1. ways      moments of what messages wait and take, from the ends of ways on, block by block
 * 2. streams   the ways of each source added up, and the queue before the network
 * 3. links     rates and waits by link and by node; folded ones unfolded
 * 4. summary   means over sources, the fullest link, whether the model is to be believed */
#include "analysis/latency/latency_domain.h"

const char *const validity_name[] = { "valid", "near saturation", "saturated", "outside",
                                      "sources saturated", "unknown", "untested", "may deadlock",
                                      "implausible" };

/* ---- ways ---- */

/* By state and slowness: of the waits and times of links still to come, over the ways on which the slowest link to
 * come is that slow (the end counts as the fastest). Mean and square are times their part of all ways. `most` stands
 * apart: it is below 0 where there are no such ways, and is all that sums ask for. */
struct moments {
    double mean, square, least;
};

/* Adds a share of those that take `w` and then go on as the rest, which is that part of all; m NULL: most alone. Of
 * what they take `first` before that, least and most alone are told. */
static inline void add_moments(double *most, struct moments *m, double share, double first, double w, double rest_most,
                               const struct moments *rest, double part)
{
    if (rest_most < 0)
        return;
    if (first + w + rest_most > *most)
        *most = first + w + rest_most;
    if (!m)
        return;
    m->mean += share * (w * part + rest->mean);
    m->square += share * (w * w * part + 2 * w * rest->mean + rest->square);
    m->least = fmin(m->least, first + w + rest->least);
}

/* What a link takes of a message's time, its wait and hop time apart: its length, and where messages are stored what it
 * is slower than the fastest. */
static double link_time(const struct latency_study *s, size_t link, double time)
{
    const struct switching *how = s->collide.o.switching;

    return switching_lengths(how) * flows_length(&s->flows, link) +
        (how->stores ? time * (flows_slow(&s->flows, link) - 1) : 0);
}

/* The place of a link's slowness, where how slow the slowest of a way is counts. */
static int link_slow(const struct latency_study *s, size_t link)
{
    return s->flows.link_slow && !s->collide.o.switching->stores ? s->flows.link_slow[link] : 0;
}

/* Which part of the ways from a state on have links to come of which the slowest is slow[k]. */
static double part_of(const struct flows *f, int n, size_t state, int k)
{
    const double *no_slower = n > 1 ? f->state_slow + state * (size_t)n : NULL;

    return n == 1 ? 1 : no_slower[k] - (k > 0 ? no_slower[k - 1] : 0);
}

/* Ways, put together by source. What a link more takes is the same for all sources but where messages are stored and
 * forwarded: their times may differ. */
struct way_sum {
    struct moments all;
    double most, ways;
    double held;                /* what it holds its first links, its waits apart */
    double stall, vary;         /* what more while it waits, as far as channels tell; its variance */
};
/* An M/G/1 queue before the network; its service is the time that a message holds its first link: to be transmitted
 * and, where it holds it while it waits for others, its waits in the network. */
static double source_wait(const struct latency_study *s, size_t i, const struct way_sum *sum, double waits)
{
    const struct collide *c = &s->collide;
    const double service = sum->held + (c->o.switching->hold ? waits : sum->stall), rate = 1 / c->mi[i];
    const double spread = c->o.switching->hold ? waits * waits : sum->vary;

    if (!s->o.open)
        return 0;
    if (!(service * rate < 1))
        return INFINITY;
    return rate * (service * service + spread) / (2 * (1 - service * rate));
}

struct walk {
    const struct latency_study *s;
    struct moments *m;          /* by state of a block and slowness; NULL: not asked for */
    double *most;               /* likewise; never without it where m is */
    double *cost;               /* by port: what a link takes that is reached over it */
    struct way_sum *sum;        /* by source */
    int n;                      /* slownesses that m tells apart */
};

static void walk_close(struct walk *w)
{
    FREE(w->m, w->most, w->cost, w->sum);
}

static int walk_open(struct walk *w, const struct latency_study *s, bool most, bool spread, struct err *err)
{
    const int n = s->collide.o.switching->stores ? 1 : s->flows.nslow;
    const size_t states = s->flows.block_most * (size_t)n;

    *w = (struct walk){ .s = s, .n = n };
    return TAKE("latencies of ways", err, ARRAY_IF(spread, w->m, states), ARRAY_IF(most, w->most, states),
                ARRAY(w->cost, s->flows.nport), ARRAY(w->sum, s->flows.nsource));
}

/* What links take beyond a message's time: waits, hop times and what else link_time says. */
static void link_costs(struct walk *walk, double hop, double time)
{
    const struct latency_study *s = walk->s;

    for (size_t g = 0; g < s->flows.nport; g++)
        walk->cost[g] = s->collide.wait[g] + hop + link_time(s, (size_t)s->flows.port_link[g], time);
}

/* The longest ways from the states of a block on, where they are all that is asked for and links are as fast. */
static void longest_ways(struct walk *walk, const struct flows_block *at)
{
    const struct flows *f = &walk->s->flows;

    for (size_t i = at[0].state; i < at[1].state; i++) {
        double most = 0;

        for (uint32_t e = f->edge_first[i]; e < f->edge_first[i + 1]; e++) {
            const double way = walk->cost[f->edge_port[e]] + walk->most[(size_t)f->edge_child[e] - at[0].state];

            most = way > most && f->edge_share[e] > 0 ? way : most;
        }
        walk->most[i - at[0].state] = most;
    }
}

/* All of it, for the states of a block. */
static void way_moments(struct walk *walk, const struct flows_block *at)
{
    const struct flows *f = &walk->s->flows;
    const size_t n = (size_t)walk->n;

    for (size_t i = at[0].state; i < at[1].state; i++) {
        double *most = walk->most + (i - at[0].state) * n;
        struct moments *m = walk->m ? walk->m + (i - at[0].state) * n : NULL;

        for (size_t k = 0; k < n; k++) {
            most[k] = k == 0 && f->edge_first[i] == f->edge_first[i + 1] ? 0 : -1;
            if (m)
                m[k] = (struct moments){ 0, 0, most[k] < 0 ? INFINITY : 0 };
        }
        for (uint32_t e = f->edge_first[i]; e < f->edge_first[i + 1]; e++) {
            const size_t port = (size_t)f->edge_port[e], child = (size_t)f->edge_child[e];
            const size_t own = (size_t)link_slow(walk->s, (size_t)f->port_link[port]);

            for (size_t k = 0; k < n && f->edge_share[e] > 0; k++) {
                const size_t to = k > own ? k : own, from = (child - at[0].state) * n + k;

                add_moments(&most[to], m ? &m[to] : NULL, f->edge_share[e], 0, walk->cost[port], walk->most[from],
                            m ? &walk->m[from] : NULL, part_of(f, (int)n, child, (int)k));
            }
        }
    }
}

static void add_way(struct latency_stream *out, struct walk *walk, const struct flows_block *block, size_t r)
{
    const struct latency_study *s = walk->s;
    const struct flows *f = &s->flows;
    const struct collide *c = &s->collide;
    const size_t i = (size_t)f->injection_source[r], state = (size_t)f->injection_state[r],
        link = (size_t)f->port_link[f->injection_port[r]];
    const double w = collide_first(c, r), q = f->injection_share[r],
        first = switching_time(c->o.switching, c->time[i], 1, c->o.hop_time);
    const int own = link_slow(s, link);
    struct way_sum *sum = &walk->sum[i];

    if (!(q > 0))
        return;
    sum->ways += f->orbits ? f->orbits->injection_ways[r] : 1;
    out[i].wait += q * (w + c->rest[state]);
    for (int j = 0; walk->most && j < walk->n; j++) {
        const double slower = f->link_slow && !c->o.switching->stores ? f->slow[j > own ? j : own] - 1 : 0;
        const size_t at = (state - block->state) * (size_t)walk->n + (size_t)j;

        add_moments(&sum->most, walk->m ? &sum->all : NULL, q, first,
                    w + link_time(s, link, c->time[i]) + c->time[i] * slower + collide_late(c, c->time[i], 1 + slower),
                    walk->most[at],
                    walk->m ? &walk->m[at] : NULL, part_of(f, walk->n, state, j));
    }
    if (!c->o.switching->hold && router_channels(&c->o.router) == 1) {
        sum->stall += q * (c->hold[f->injection_port[r]] - c->time[i] * flows_slow(f, link));
        sum->vary += q * c->vary[f->injection_port[r]];
    }
    if (f->injection_way) {
        out[i].time += q * c->time[i] * f->injection_way[r].slowest;
        sum->held += q * c->time[i] * (c->o.switching->hold ? f->injection_way[r].slowest : flows_slow(f, link) - 1);
    }
}

/* All ways in the order they lie in; once for each time that a link more takes of some source's messages. */
static void add_ways(struct latency_stream *out, struct walk *walk)
{
    const struct flows *f = &walk->s->flows;
    const struct collide *c = &walk->s->collide;

    for (size_t i = 0, same = 0; same < f->nsource && i < f->nsource; i++) {
        const double hop = collide_hop(c, c->time[i]);
        size_t first = 0;

        while (collide_hop(c, c->time[first]) != hop)
            first++;
        if (first < i)
            continue;                           /* done with that source */
        for (same = 0; same < f->nsource && collide_hop(c, c->time[same]) == hop;)
            same++;
        link_costs(walk, hop, c->time[i]);
        for (size_t k = 0; k < f->nblock; k++) {
            const struct flows_block *b = &f->block[k];

            if (walk->most)
                (walk->n > 1 || walk->m ? way_moments : longest_ways)(walk, b);
            for (size_t r = b[0].injection; r < b[1].injection; r++)
                if (same == f->nsource || collide_hop(c, c->time[f->injection_source[r]]) == hop)
                    add_way(out, walk, b, r);
        }
    }
}

/* ---- streams ---- */

/* out[i], by source: all but bandwidth_latency; spread and least where they were asked for. */
static void walk_streams(struct latency_stream *out, struct walk *walk)
{
    const struct latency_study *s = walk->s;
    const struct flows *f = &s->flows;
    const struct collide *c = &s->collide;

    for (size_t i = 0; i < f->nsource; i++) {
        out[i] = (struct latency_stream){ .node = f->source[i].node, .source = i, .interval = c->mi[i],
                                          .load = c->time[i] / f->flit_time / c->mi[i], .time = c->time[i],
                                          .accepted_rate = c->rate[i] };
        walk->sum[i] = (struct way_sum){ { 0, 0, INFINITY }, 0, 0, c->time[i], 0, 0 };
    }
    add_ways(out, walk);
    for (size_t i = 0; i < f->nsource; i++) {
        struct latency_stream *y = &out[i];
        const struct way_sum *sum = &walk->sum[i];

        y->ways = (int)lround(sum->ways);
        y->zero = c->idle[i];
        y->source_wait = source_wait(s, i, sum, y->wait);
        y->latency = c->latency[i] + y->source_wait;
        y->least = sum->all.least + y->source_wait;
        y->most = sum->most + y->source_wait;
        y->spread = sqrt(fmax(0, sum->all.square - sum->all.mean * sum->all.mean));
        if (y->spread < 1e-7 * c->latency[i])           /* digits that cancelled */
            y->spread = 0;
    }
}

int latency_streams(struct latency_stream **out, size_t *n, const struct latency_study *s, struct err *err)
{
    const struct flows *f = &s->flows;
    const struct flows_orbits *o = f->orbits;
    const size_t copies = (size_t)f->copies, all = o ? o->nsource : f->nsource * copies;
    struct walk walk;
    struct latency_stream *stream;
    double *metapath;

    if (walk_open(&walk, s, true, true, err) < 0)
        return -1;
    if (TAKE("latencies of streams", err, ARRAY(stream, all), ARRAY(metapath, f->nsource)) < 0) {
        walk_close(&walk);
        return -1;
    }
    latency_metapaths(metapath, s);
    walk_streams(stream, &walk);
    for (size_t i = 0; i < f->nsource; i++)
        stream[i].bandwidth_latency = metapath[i];
    free(metapath);
    for (size_t v = 0; copies > 1 && v < copies; v++) {
        stream[v] = stream[0];
        stream[v].node = (int)v;
        stream[v].source = v;
    }
    for (size_t v = all; o && v-- > 0;) {       /* an orbit's number is not above its first: none is lost */
        stream[v] = stream[o->source_of[v]];
        stream[v].node = net_terminal(f->net, (int)v);
        stream[v].source = v;
    }
    walk_close(&walk);
    *out = stream;
    *n = all;
    return 0;
}

/* ---- links ---- */

static void link_of(struct latency_link *out, const struct latency_study *s, size_t l)
{
    const struct link_sum sum = collide_link(&s->collide, l);

    *out = (struct latency_link){ s->flows.link_from[l], s->flows.link_to[l], sum.x, sum.busy, sum.hold,
                                  sum.x > 0 ? sum.wait / sum.x : 0, (int)sum.n, l };
}

int latency_links(struct latency_link **out, size_t *n, const struct latency_study *s, struct err *err)
{
    const struct flows *f = &s->flows;
    const struct flows_orbits *o = f->orbits;
    const size_t copies = (size_t)f->copies, each = o ? o->nlink : f->nlink;
    struct latency_link *link;
    size_t m = 0;

    if (TAKE("the links of the network", err, ARRAY(link, each * copies)) < 0)
        return -1;
    for (size_t v = 0; v < copies; v++)
        for (size_t k = 0; k < each; k++) {
            const size_t l = o ? (size_t)o->link_of[k] : k;
            struct latency_link *to = &link[m];

            if ((f->link_from[l] < 0 || f->link_to[l] < 0) && f->port_first[l] == f->port_first[l + 1])
                continue;               /* nobody enters or leaves there */
            link_of(to, s, l);
            if (copies > 1) {
                to->from = to->from < 0 ? -1 : (int)v;
                to->to = to->to < 0 ? -1 : group_add(f->net->group, (int)v, to->to);
            }
            if (o) {
                to->from = o->from[k];
                to->to = o->to[k];
                to->link = k;
            }
            m++;
        }
    *out = link;
    *n = m;
    return 0;
}

int latency_nodes(struct latency_node **out, size_t *n, const struct latency_study *s, struct err *err)
{
    const size_t nodes = (size_t)s->flows.net->n;
    struct latency_node *node;
    double *rate, *sent;
    struct latency_stream *stream = NULL;
    struct latency_link *link = NULL;
    size_t nstream, nlink;
    int ret = -1;

    if (TAKE("latencies of nodes", err, ZEROS(node, nodes), ZEROS(rate, nodes), ZEROS(sent, nodes)) < 0 ||
        latency_links(&link, &nlink, s, err) < 0 || latency_streams(&stream, &nstream, s, err) < 0)
        goto done;
    for (size_t l = 0; l < nlink; l++)
        if (link[l].to >= 0 && link[l].from >= 0) {
            struct latency_node *v = &node[link[l].from];

            v->wait += link[l].rate * link[l].wait;
            rate[link[l].from] += link[l].rate;
            v->utilisation += link[l].utilisation;
            v->node++;                          /* links, until it is divided by */
        }
    for (size_t i = 0; i < nstream; i++) {
        node[stream[i].node].sent += stream[i].latency;
        sent[stream[i].node]++;
    }
    for (size_t v = 0; v < nodes; v++) {
        node[v].wait = rate[v] > 0 ? node[v].wait / rate[v] : 0;
        node[v].utilisation = node[v].node ? node[v].utilisation / node[v].node : 0;
        node[v].sent = sent[v] > 0 ? node[v].sent / sent[v] : NAN;
        node[v].node = (int)v;
    }
    *out = node;
    *n = nodes;
    node = NULL;
    ret = 0;
done:
    FREE(node, rate, sent, stream, link);
    return ret;
}

/* ---- summary ---- */

#define IMPLAUSIBLE 10

/* Whether waits are far from those of a queue of exponential times, as fully used as the link held the longest, at each
 * link of a way and before it, or saturation is far below capacity. */
static bool implausible(const struct latency_study *s, const struct latency_summary *y)
{
    const struct flows *f = &s->flows;
    double time = 0, slow = 1;

    for (size_t i = 0; i < f->nsource; i++)
        time = fmax(time, s->collide.time[i]);
    for (size_t l = 0; f->link_slow && l < f->nlink; l++)
        slow = fmax(slow, flows_slow(f, l));
    return s->o.open && (s->saturation_factor * IMPLAUSIBLE < s->capacity_factor ||
        (y->wait + y->source_wait) * (1 - y->utilisation) > IMPLAUSIBLE * (y->hops + 2) * y->utilisation * time * slow);
}

int latency_summary(struct latency_summary *out, const struct latency_study *s, const struct load *load,
                    struct err *err)
{
    const struct flows *f = &s->flows;
    const double n = (double)(f->orbits ? f->orbits->nsource : f->nsource);
    struct latency_summary y = { 0 };
    struct walk walk;
    struct latency_stream *stream;
    double squares = 0, per_factor;
    const bool own = traffic_own(f->traffic) != OWN_NONE, own_times = traffic_own_times(f->traffic);

    if (walk_open(&walk, s, !s->o.brief, false, err) < 0)
        return -1;
    if (TAKE("latencies of streams", err, ARRAY(stream, f->nsource)) < 0) {
        walk_close(&walk);
        return -1;
    }
    walk_streams(stream, &walk);
    for (size_t i = 0; i < f->nsource; i++) {
        const double many = flows_sources(f, i);
        const struct latency_stream one = stream[i];

        y.rate += many / one.interval / n;
        y.load += many * one.load / n;
        y.accepted_load += many * (s->collide.time[i] / f->flit_time * one.accepted_rate) / n;
        y.mean += many * one.latency / n;
        y.zero += many * one.zero;
        y.wait += many * one.wait / n;
        y.longest = s->o.brief ? NAN : fmax(y.longest, one.most);
        y.source_wait += many * one.source_wait / n;
        if (one.latency > y.most) {
            y.most = one.latency;
            y.slowest = f->orbits ? (size_t)f->orbits->source_first[i] : i;
        }
    }
    for (size_t i = 0; i < f->nsource; i++)
        squares += flows_sources(f, i) * ((stream[i].latency - y.mean) * (stream[i].latency - y.mean));
    y.zero /= n;
    y.sd = sqrt(squares / n);
    if (y.sd < 1e-9 * y.mean)
        y.sd = 0;
    for (size_t i = 0; i < f->ninjection; i++)
        y.hops += flows_sources(f, (size_t)f->injection_source[i]) * f->injection_share[i] * f->injection_hops[i] / n;
    for (size_t l = 0; l < f->nlink; l++) {
        const struct link_sum sum = collide_link(&s->collide, l);

        y.utilisation = fmax(y.utilisation, sum.hold);
        if (sum.busy > y.busy * (1 + 1e-6)) {       /* of links that are alike, the first */
            y.busy = sum.busy;
            y.bottleneck = l;
        }
    }
    y.interval = own ? 1 / y.rate : load->interval / load->factor;
    y.rate = 1 / y.interval;
    if (!own && !own_times)
        y.load = s->o.collide.time / y.interval;
    y.capacity_interval = latency_capacity_interval(s);
    y.knee_interval = own || own_times ? NAN :
        y.capacity_interval - s->o.collide.time / flows_bandwidth(f, s->capacity_link);
    y.saturation_interval = own ? NAN : 1 / s->saturation_factor;
    per_factor = traffic_own(f->traffic) == OWN_SOME ? NAN : y.load * load->interval / load->factor;
    y.capacity_load = per_factor * s->capacity_factor;
    y.saturation_load = per_factor * s->saturation_factor;
    y.capacity_scale = own ? s->capacity_factor : NAN;
    y.saturation_scale = own ? s->saturation_factor : NAN;
    y.validity = s->o.open && isinf(y.source_wait) ? VALIDITY_SOURCES :
        latency_judge(s, load->factor / load->interval / s->saturation_factor, y.utilisation);
    if (y.validity == VALIDITY_GOOD && implausible(s, &y))
        y.validity = VALIDITY_IMPLAUSIBLE;
    walk_close(&walk);
    free(stream);
    *out = y;
    return 0;
}
