/* balance.c -- shares that make what is in use cost the same (balance.h).
 * 1. alternatives   which there are, and their shares
 * 2. costs          of hops: waits; of detours: hops times queues
 * 3. steps          towards equal costs, at one load
 * 4. loads          step by step from below */
#include "analysis/policy/balance.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graph/base/mem.h"

#define GAP 1e-4                /* settled */
#define GAP_BELOW 1e-2          /* on the way there */
#define NEARER 0.7              /* of what is left to saturation */
#define NO_NEARER 1e-3          /* of the load: saturated */
#define ROUGHLY 1e-6            /* of waits, in parts of a transmission time */
enum { ROUNDS = 400, ROUNDS_BELOW = 40, ROUNDS_CLOSED = 1500, HALVINGS = 8 };


struct alternative {
    double share, kept, given;  /* kept: of the last shares that had a solution; given: to begin with */
    double below;               /* of the last load that was settled */
    double cost, slope;         /* slope: of the cost by the share, where all shares move alike */
    double hops;                /* detours: links between switches, mean */
};
struct balance {
    enum balance_rule rule;
    bool found;                 /* what follows */
    size_t nchoice, *first;     /* nchoice + 1, into `item` */
    size_t *from;               /* hops: by choice, the state, or the first of the pair's injections */
    struct alternative *item;
    size_t *way, *way_first;    /* by alternative, and one more. Hops: one, an edge or nedge + an injection; detours:
                                 * injections */
    double *weight;             /* by choice: messages per cycle */
    double *mass;               /* by state: messages per cycle */
    double *busy, *wait;        /* by link: part of the time that it transmits; mean wait of those who want it */
    struct queue {
        double flits, slope;
    } *queue, *credits, *ahead; /* by link: what waits for it, and what its credits show; by state: on all links to come */
    double damp;
};

int balance_open(struct policy *p, enum balance_rule rule, struct err *err)
{
    struct balance *b = p->state = calloc(1, sizeof *b);

    if (!b)
        return err_memory(err);
    b->rule = rule;
    return 0;
}

void balance_close(struct policy *p)
{
    struct balance *b = p->state;

    if (b)
        FREE(b->first, b->from, b->item, b->way, b->way_first, b->weight, b->mass, b->busy, b->wait, b->queue, b->credits, b->ahead);
    free(b);
    p->state = NULL;
}

/* ---- alternatives ---- */

static void add_hop(struct balance *b, size_t *n, size_t way, double given)
{
    if (b->item) {
        b->item[*n].given = given;
        b->way[*n] = way;
    }
    ++*n;
}

static void add_choice(struct balance *b, size_t n, size_t from)
{
    if (b->first) {
        b->first[b->nchoice + 1] = n;
        b->from[b->nchoice] = from;
    }
    b->nchoice++;
}

/* How many there are; lists them where there is room. */
static size_t list_hops(struct balance *b, const struct flows *f)
{
    size_t n = 0;

    b->nchoice = 0;
    for (size_t s = 0; s < f->nstate; s++) {
        if (f->edge_first[s + 1] - f->edge_first[s] < 2)
            continue;
        for (uint32_t e = f->edge_first[s]; e < f->edge_first[s + 1]; e++)
            add_hop(b, &n, e, f->edge_share[e]);
        add_choice(b, n, s);
    }
    for (size_t i = 0, end; i < f->ninjection; i = end) {
        double sum = 0;

        for (end = i; end < f->ninjection && f->injection_pair[end] == f->injection_pair[i]; end++)
            sum += f->injection_given[end];
        if (end - i < 2)
            continue;
        for (size_t k = i; k < end; k++)
            add_hop(b, &n, f->nedge + k, f->injection_given[k] / sum);
        add_choice(b, n, i);
    }
    return n;
}

/* Whether a link joins a terminal to its switch. */
static bool at_host(const struct flows *f, size_t link)
{
    const int from = f->link_from[link], to = f->link_to[link];

    return from < 0 || to < 0 || (net_terminal_index(f->net, from) < 0) != (net_terminal_index(f->net, to) < 0);
}

/* Links of an injection's way between switches. */
static double switch_hops(const struct flows *f, size_t injection)
{
    size_t link = (size_t)f->port_link[f->injection_port[injection]], s = (size_t)f->injection_state[injection];
    double hops = f->injection_links[injection] - at_host(f, link);

    if (f->edge_first[s] == f->edge_first[s + 1])
        return hops;
    for (; f->edge_first[s] < f->edge_first[s + 1]; s = (size_t)f->edge_child[f->edge_first[s]])
        link = (size_t)f->port_link[f->edge_port[f->edge_first[s]]];
    return hops - at_host(f, link);
}

/* Pairs are counted option by option, in the same order. */
static int list_detours(struct balance *b, const struct flows *f, struct err *err)
{
    for (size_t i = 0; i < f->ninjection; i++) {
        const size_t option = (size_t)f->injection_option[i];
        const size_t k = 2 * ((size_t)f->injection_pair[i] - option * b->nchoice) + option;

        if (k >= 2 * b->nchoice)
            return err_set(err, ERR_INTERNAL, "pair %d has no minimal way", f->injection_pair[i]);
        b->way_first[k + 1]++;
    }
    for (size_t k = 0; k < 2 * b->nchoice; k++)
        b->way_first[k + 1] += b->way_first[k];
    for (size_t i = f->ninjection; i-- > 0;) {
        const size_t option = (size_t)f->injection_option[i];
        const size_t k = 2 * ((size_t)f->injection_pair[i] - option * b->nchoice) + option;

        b->way[--b->way_first[k + 1]] = i;
    }
    memmove(b->way_first, b->way_first + 1, 2 * b->nchoice * sizeof *b->way_first);
    b->way_first[2 * b->nchoice] = f->ninjection;
    for (size_t k = 0; k < 2 * b->nchoice; k++) {
        double hops = 0, sum = 0;

        for (size_t j = b->way_first[k]; j < b->way_first[k + 1]; j++) {
            hops += f->injection_given[b->way[j]] * switch_hops(f, b->way[j]);
            sum += f->injection_given[b->way[j]];
        }
        b->item[k].given = k % 2 == 0;
        b->item[k].hops = hops / sum;
        b->first[k / 2 + 1] = k + 1;
    }
    return 0;
}

static int find_alternatives(struct balance *b, const struct flows *f, struct err *err)
{
    const bool hops = b->rule == BALANCE_HOPS;
    size_t n, nway;

    if (b->found)
        return 0;
    n = hops ? list_hops(b, f) : 0;
    for (size_t i = 0; !hops && i < f->ninjection; i++)
        if (f->injection_option[i] == 0 && (size_t)f->injection_pair[i] >= b->nchoice)
            b->nchoice = (size_t)f->injection_pair[i] + 1;
    n = hops ? n : 2 * b->nchoice;
    nway = hops ? n : f->ninjection;
    if (TAKE("alternatives of messages", err, ZEROS(b->first, b->nchoice + 1), ARRAY(b->from, b->nchoice + 1),
             ZEROS(b->item, n + 1), ARRAY(b->way, nway + 1), ZEROS(b->way_first, n + 2), ARRAY(b->weight, b->nchoice + 1),
             ARRAY(b->mass, f->nstate), ARRAY(b->busy, f->nlink), ARRAY(b->wait, f->nlink), ARRAY(b->queue, f->nlink),
             ARRAY(b->credits, f->nlink), ARRAY(b->ahead, f->nstate)) < 0 ||
        (!hops && list_detours(b, f, err) < 0))
        return -1;
    if (hops)
        list_hops(b, f);
    b->found = true;
    return 0;
}

/* The shares of the alternatives become those of the flows. */
static int put_shares(const struct balance *b, struct policy *p, struct err *err)
{
    struct flows *f = &p->study.flows;

    for (size_t c = 0; c < b->nchoice; c++)
        for (size_t k = b->first[c]; k < b->first[c + 1]; k++)
            for (size_t j = b->way_first[k]; b->rule != BALANCE_HOPS && j < b->way_first[k + 1]; j++)
                f->injection_share[b->way[j]] = f->injection_given[b->way[j]] * b->item[k].share;
    for (size_t k = 0; b->rule == BALANCE_HOPS && k < b->first[b->nchoice]; k++)
        if (b->way[k] < f->nedge)
            f->edge_share[b->way[k]] = b->item[k].share;
    for (size_t c = 0; b->rule == BALANCE_HOPS && c < b->nchoice; c++) {
        double sum = 0;

        for (size_t k = b->first[c]; k < b->first[c + 1] && b->way[k] >= f->nedge; k++)
            sum += f->injection_given[b->way[k] - f->nedge];
        for (size_t k = b->first[c]; k < b->first[c + 1] && b->way[k] >= f->nedge; k++)
            f->injection_share[b->way[k] - f->nedge] = sum * b->item[k].share;
    }
    return flows_measure_ways(f, err) < 0 ? -1 : flows_overlap(f, p->study.o.collide.tick, err);
}

/* ---- costs ---- */

static double rates(struct balance *b, const struct latency_study *s)
{
    const struct flows *f = &s->flows;
    const struct collide *c = &s->collide;
    double sum = 0;

    for (size_t l = 0; l < f->nlink; l++) {
        double x = 0, wait = 0;

        b->busy[l] = 0;
        for (size_t g = f->port_first[l]; g < f->port_first[l + 1]; g++) {
            const double many = flows_ports(f, g);

            b->busy[l] += many * collide_busy(c, g);
            x += many * c->x[g];
            wait += many * c->x[g] * c->wait[g];
        }
        b->wait[l] = x > 0 ? wait / x : 0;
        sum += b->busy[l];
    }
    memset(b->mass, 0, f->nstate * sizeof *b->mass);
    for (size_t i = 0; i < f->ninjection; i++)
        b->mass[f->injection_state[i]] += flows_sources(f, (size_t)f->injection_source[i]) *
            c->rate[f->injection_source[i]] * f->injection_share[i];
    for (size_t t = f->nstate; t-- > 0;)
        for (uint32_t e = f->edge_first[t]; e < f->edge_first[t + 1]; e++)
            b->mass[f->edge_child[e]] += b->mass[t] * f->edge_share[e];
    return sum / (double)f->nlink;
}

static double idle(const struct balance *b, size_t link)
{
    return fmax(0.01, 1 - b->busy[link]);
}

static void hop_costs(struct balance *b, const struct latency_study *s)
{
    const struct flows *f = &s->flows;
    const double mean = rates(b, s);

    for (size_t c = 0; c < b->nchoice; c++) {
        const bool edges = b->way[b->first[c]] < f->nedge;

        b->weight[c] = edges ? b->mass[b->from[c]] : 0;
        for (size_t k = b->first[c]; k < b->first[c + 1]; k++) {
            const size_t i = b->way[k] - f->nedge;
            const size_t g = (size_t)(edges ? f->edge_port[b->way[k]] : f->injection_port[i]);
            const size_t l = (size_t)f->port_link[g];

            b->item[k].cost = b->wait[l];
            b->item[k].slope = 2 * b->wait[l] / idle(b, l) + s->collide.least_time * (b->busy[l] + mean) / 2;
            if (!edges)
                b->weight[c] += s->collide.rate[f->injection_source[i]] * f->injection_share[i];
        }
    }
}

static void add_queue(struct queue *to, const struct queue *q, double part)
{
    to->flits += part * q->flits;
    to->slope += part * q->slope;
}

/* What waits for each link, and what its credits show. */
static void queues(struct balance *b, const struct latency_study *s, double mean)
{
    const struct flows *f = &s->flows;
    const struct collide *c = &s->collide;
    const struct router *r = &c->o.router;
    const double room = r->vcs * r->buffer, flits = c->o.time;

    memset(b->credits, 0, f->nlink * sizeof *b->credits);
    for (size_t l = 0; l < f->nlink; l++) {
        const double both = b->busy[l] + mean;

        b->queue[l] = (struct queue){ 0, flits * both * both / 4 };
        for (size_t g = f->port_first[l]; g < f->port_first[l + 1]; g++) {
            const double waiting = flows_ports(f, g) * c->x[g] * c->wait[g] * flits;
            const struct queue q = { waiting, 2 * waiting / idle(b, l) };

            add_queue(&b->queue[l], &q, 1);
            if (f->port_in[g] >= 0)
                add_queue(&b->credits[f->port_in[g]], &q, flows_links(f, l) / flows_links(f, (size_t)f->port_in[g]));
        }
    }
    for (size_t l = 0; l < f->nlink; l++) {
        b->credits[l].flits = fmin(b->credits[l].flits, room);
        add_queue(&b->credits[l], &b->queue[l], 1);
    }
}

static void detour_costs(struct balance *b, const struct latency_study *s)
{
    const struct flows *f = &s->flows;
    const bool global = b->rule == BALANCE_GLOBAL;

    queues(b, s, rates(b, s));
    for (size_t t = 0; t < f->nstate; t++) {
        b->ahead[t] = (struct queue){ 0, 0 };
        for (uint32_t e = f->edge_first[t]; e < f->edge_first[t + 1]; e++) {
            add_queue(&b->ahead[t], &(global ? b->queue : b->credits)[f->port_link[f->edge_port[e]]],
                      f->edge_share[e]);
            if (global)
                add_queue(&b->ahead[t], &b->ahead[f->edge_child[e]], f->edge_share[e]);
        }
    }
    for (size_t k = 0; k < 2 * b->nchoice; k++) {
        struct queue q = { 0, 0 };
        double sum = 0;

        for (size_t j = b->way_first[k]; j < b->way_first[k + 1]; j++) {
            const size_t i = b->way[j], l = (size_t)f->port_link[f->injection_port[i]];
            const double part = f->injection_given[i];

            if (at_host(f, l) || global)
                add_queue(&q, &b->ahead[f->injection_state[i]], part);
            if (!at_host(f, l))
                add_queue(&q, &(global ? b->queue : b->credits)[l], part);
            sum += part;
            if (k % 2 == 0 && j == b->way_first[k])
                b->weight[k / 2] = 0;
            b->weight[k / 2] += s->collide.rate[f->injection_source[i]] * f->injection_share[i];
        }
        b->item[k].cost = (global ? 1 : b->item[k].hops) * q.flits / sum;
        b->item[k].slope = (global ? 1 : b->item[k].hops) * q.slope / sum;
    }
}

/* What is lost against the cheapest alternatives, in parts of all costs. */
static double costs(struct balance *b, const struct latency_study *s)
{
    double lost = 0, all = 0;

    (b->rule == BALANCE_HOPS ? hop_costs : detour_costs)(b, s);
    for (size_t c = 0; c < b->nchoice; c++) {
        double mean = 0, least = INFINITY;

        for (size_t k = b->first[c]; k < b->first[c + 1]; k++) {
            mean += b->item[k].share * b->item[k].cost;
            least = fmin(least, b->item[k].cost);
        }
        lost += b->weight[c] * (mean - least);
        all += b->weight[c] * mean;
    }
    return all > 0 ? lost / all : 0;
}

/* ---- steps ---- */

/* The shares of a choice whose costs would be equal were cost + slope (share - now) what they are; those of the others
 * become 0. */
static void step_choice(struct alternative *item, size_t n, double damp)
{
    bool all;

    for (size_t k = 0; k < n; k++)
        item[k].kept = item[k].share;
    do {
        double sum = 1, ease = 0, level;

        for (size_t k = 0; k < n; k++) {
            const double slope = damp * item[k].slope;

            if (!(item[k].share >= 0))
                continue;
            sum += item[k].cost / slope - item[k].kept;
            ease += 1 / slope;
        }
        level = sum / ease;
        all = true;
        for (size_t k = 0; k < n; k++) {
            const double next = item[k].kept + (level - item[k].cost) / (damp * item[k].slope);

            if (!(item[k].share >= 0))
                continue;
            item[k].share = next;
            all = all && next >= 0;
        }
    } while (!all);
    for (size_t k = 0; k < n; k++)
        item[k].share = fmax(0, item[k].share);
}

/* Closed sources: no closer than steps need, and not for long where waits settle slowly. */
static int balance_try(bool *solved, struct balance *b, struct policy *p, const struct load *load, struct err *err)
{
    struct collide_options *o = &p->study.collide.o;
    const struct collide_options given = *o;

    if (!p->study.o.open) {
        o->tolerance = fmax(o->tolerance, ROUGHLY);
        o->rounds = ROUNDS_CLOSED;
    }
    *solved = put_shares(b, p, err) == 0 && latency_solve(&p->study, load, err) == 0;
    *o = given;
    if (*solved || err->code != ERR_NETWORK)
        return *solved ? 0 : -1;
    *err = (struct err){ 0 };
    return 0;
}

/* From shares that have a solution at this load, which they keep; *stuck: the way on leads out of what has one. */
static int settle(bool *stuck, double *gap, size_t *rounds, struct balance *b, struct policy *p,
                  const struct load *load, double goal, size_t most, struct err *err)
{
    const size_t n = b->first[b->nchoice];
    double before = INFINITY;
    bool solved;

    p->study.collide.warm = false;
    if (balance_try(&solved, b, p, load, err) < 0)
        return -1;
    *stuck = !solved;
    for (*rounds = 0; !*stuck && (*gap = costs(b, &p->study)) > goal && *rounds < most; ++*rounds) {
        int halved = 0;

        if (tick_check(p->study.o.collide.tick, 0, err) < 0)
            return -1;
        b->damp = *gap > 1.02 * before ? fmin(1e3, 1.5 * b->damp) : fmax(0.2, 0.95 * b->damp);
        before = *gap;
        for (size_t c = 0; c < b->nchoice; c++)
            step_choice(b->item + b->first[c], b->first[c + 1] - b->first[c], b->damp);
        while (balance_try(&solved, b, p, load, err) == 0 && !solved && halved++ < HALVINGS)
            for (size_t k = 0; k < n; k++)
                b->item[k].share = (b->item[k].share + b->item[k].kept) / 2;
        if (err->code)
            return -1;
        *stuck = !solved;
        b->damp *= halved ? 2 : 1;
    }
    return 0;
}

/* ---- loads ---- */

/* Up to load->factor, or as far as there are solutions: *reached, which is less by NO_NEARER at most than *full. */
static int climb(double *reached, double *full, double *gap, size_t *rounds, struct policy *p, const struct load *load,
                 struct err *err)
{
    struct balance *b = p->state;
    const size_t n = b->first[b->nchoice];
    double end = INFINITY;                              /* nothing settles there */

    b->damp = 1;
    for (size_t k = 0; k < n; k++)
        b->item[k].share = b->item[k].given;
    for (*reached = 0; *reached < load->factor;) {
        struct load at = *load;
        bool stuck, last;

        if (put_shares(b, p, err) < 0 ||
            (p->study.o.open && collide_saturation(full, &p->study.collide, &(struct load){ load->interval, 1 },
                                                   err) < 0))
            return -1;
        if (p->study.o.open) {
            *full = fmin(*full, end);
            if (!(*full - *reached > NO_NEARER * *full))
                return 0;
            at.factor = fmin(load->factor, *reached + NEARER * (*full - *reached));
        }
        last = at.factor >= load->factor;
        for (size_t k = 0; k < n; k++)
            b->item[k].below = b->item[k].share;
        if (settle(&stuck, gap, rounds, b, p, &at, last ? GAP : GAP_BELOW, last ? ROUNDS : ROUNDS_BELOW, err) < 0)
            return -1;
        for (size_t k = 0; stuck && k < n; k++)
            b->item[k].share = b->item[k].below;
        if (stuck && !p->study.o.open)
            return err_set(err, ERR_NETWORK, "the shares of '%s' do not settle", p->spec);
        *(stuck ? &end : reached) = at.factor;
    }
    return 0;
}

/* Which part of all messages goes by each configuration. */
static void tell_parts(struct policy_outcome *out, const struct latency_study *s)
{
    const struct flows *f = &s->flows;
    double all = 0;

    out->shared = true;
    for (size_t i = 0; i < f->ninjection; i++) {
        const size_t source = (size_t)f->injection_source[i];
        const double sent = flows_sources(f, source) * s->collide.rate[source] * f->injection_share[i];

        out->part[f->injection_option[i]] += sent;
        all += sent;
    }
    for (size_t i = 0; i < CONFIGURATIONS; i++)
        out->part[i] /= all;
}

int balance_solve(struct policy *p, const struct load *load, struct policy_outcome *out, struct err *err)
{
    double reached, full, gap;
    size_t rounds = 0;

    if (find_alternatives(p->state, &p->study.flows, err) < 0 || climb(&reached, &full, &gap, &rounds, p, load, err) < 0)
        return -1;
    if (reached < load->factor)
        return collide_beyond(&p->study.collide, load, -1, err);
    if (latency_solve(&p->study, load, err) < 0)
        return -1;
    p->study.untested = true;
    snprintf(p->note, sizeof p->note, "shares of means in a steady state, not held against simulation yet");
    out->rounds = (int)rounds;
    out->end = gap > GAP ? POLICY_LIMIT : POLICY_SETTLED;
    tell_parts(out, &p->study);
    return 0;
}

int balance_saturation(double *factor, struct policy *p, struct err *err)
{
    double reached, full, gap;
    size_t rounds;

    if (find_alternatives(p->state, &p->study.flows, err) < 0 ||
        climb(&reached, &full, &gap, &rounds, p, &(struct load){ 1, INFINITY }, err) < 0)
        return -1;
    *factor = full;
    return 0;
}
