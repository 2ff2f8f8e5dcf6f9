/* alternatives.c -- next hops, or minimal ways and Valiant's (alternatives.h).
 * 1. which there are, and their shares
 * 2. costs   waits before hops; of ways, hops times queues */
#include "analysis/policy/alternatives.h"

/* ---- which there are ---- */

static int add_part(struct balance *b, size_t at, double whole, struct err *err)
{
    if (GROW(&b->part_room, b->npart + 1, "alternatives of messages", err, GROWN(b->part)) < 0)
        return -1;
    b->part[b->npart++] = (struct part){ at, whole };
    return 0;
}

/* Its parts come after it. */
static int add_alternative(struct balance *b, double given, struct err *err)
{
    if (GROW(&b->item_room, b->nitem + 1, "alternatives of messages", err, GROWN(b->item)) < 0)
        return -1;
    b->item[b->nitem++] = (struct alternative){ .first = b->npart, .given = given };
    return 0;
}

static int add_choice(struct balance *b, size_t state, struct err *err)
{
    if (GROW(&b->choice_room, b->nchoice + 1, "alternatives of messages", err, GROWN(b->choice)) < 0)
        return -1;
    b->choice[b->nchoice++] = (struct choice){ .first = b->nitem, .state = state };
    return 0;
}

/* Where the injections of a pair end that begin at i. */
static size_t pair_end(const struct flows *f, size_t i)
{
    size_t end = i + 1;

    while (end < f->ninjection && f->injection_pair[end] == f->injection_pair[i])
        end++;
    return end;
}

static double pair_given(const struct flows *f, size_t from, size_t to)
{
    double sum = 0;

    for (size_t i = from; i < to; i++)
        sum += f->injection_given[i];
    return sum;
}

static int list_hops(struct balance *b, const struct flows *f, struct err *err)
{
    for (size_t s = 0; s < f->nstate; s++) {
        const uint32_t from = f->edge_first[s], to = f->edge_first[s + 1];

        if (to - from > 1 && add_choice(b, s, err) < 0)
            return -1;
        for (uint32_t e = from; to - from > 1 && e < to; e++)
            if (add_alternative(b, f->edge_share[e], err) < 0 || add_part(b, e, 1, err) < 0)
                return -1;
    }
    for (size_t i = 0, end; i < f->ninjection; i = end) {
        double sum;

        end = pair_end(f, i);
        sum = pair_given(f, i, end);
        if (end - i > 1 && add_choice(b, SIZE_MAX, err) < 0)
            return -1;
        for (size_t k = i; end - i > 1 && k < end; k++)
            if (add_alternative(b, f->injection_given[k] / sum, err) < 0 || add_part(b, f->nedge + k, sum, err) < 0)
                return -1;
    }
    return 0;
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
    const size_t first = (size_t)f->port_link[f->injection_port[injection]];
    size_t link = first, s = (size_t)f->injection_state[injection];

    for (; f->edge_first[s] < f->edge_first[s + 1]; s = (size_t)f->edge_child[f->edge_first[s]])
        link = (size_t)f->port_link[f->edge_port[f->edge_first[s]]];
    return f->injection_links[injection] - at_host(f, first) - (link != first && at_host(f, link));
}

static int add_ways(struct balance *b, const struct flows *f, size_t from, size_t to, double given, struct err *err)
{
    double hops = 0;

    if (add_alternative(b, given, err) < 0)
        return -1;
    for (size_t i = from; i < to; i++) {
        hops += f->injection_given[i] * switch_hops(f, i);
        if (add_part(b, f->nedge + i, f->injection_given[i], err) < 0)
            return -1;
    }
    b->item[b->nitem - 1].hops = hops / pair_given(f, from, to);
    return 0;
}

/* Both options have the same pairs, in the same order. */
static int list_ways(struct balance *b, const struct flows *f, struct err *err)
{
    size_t minimal = 0, end, half = 0;

    while (half < f->ninjection && f->injection_option[half] == 0)
        half++;
    for (size_t i = half; i < f->ninjection; i = end, minimal = pair_end(f, minimal)) {
        end = pair_end(f, i);
        if (minimal >= half || f->injection_pair[i] - f->injection_pair[minimal] != f->injection_pair[half] -
            f->injection_pair[0])
            return err_set(err, ERR_INTERNAL, "pair %d has no minimal way", f->injection_pair[i]);
        if (add_choice(b, SIZE_MAX, err) < 0 || add_ways(b, f, minimal, pair_end(f, minimal), 1, err) < 0 ||
            add_ways(b, f, i, end, 0, err) < 0)
            return -1;
    }
    return 0;
}

int alternatives_find(struct balance *b, const struct flows *f, struct err *err)
{
    if (b->choice)
        return 0;
    if ((b->rule == BALANCE_HOPS ? list_hops : list_ways)(b, f, err) < 0 || add_part(b, 0, 0, err) < 0 ||
        add_alternative(b, 0, err) < 0 || add_choice(b, SIZE_MAX, err) < 0)
        return -1;
    b->npart--;
    b->item[--b->nitem].first = b->npart;
    b->choice[--b->nchoice].first = b->nitem;
    return TAKE("costs of alternatives", err, ARRAY(b->mass, f->nstate), ARRAY(b->busy, f->nlink),
                ARRAY(b->wait, f->nlink), ARRAY(b->queue, f->nlink), ARRAY(b->credits, f->nlink),
                ARRAY(b->ahead, f->nstate), ARRAY_IF(b->rule == BALANCE_HOPS, b->chosen, f->nstate + f->ninjection));
}

int alternatives_put(const struct balance *b, struct policy *p, struct err *err)
{
    struct flows *f = &p->study.flows;

    for (size_t k = 0; k < b->nitem; k++)
        for (size_t j = b->item[k].first; j < b->item[k + 1].first; j++) {
            const struct part *x = &b->part[j];

            *(x->at < f->nedge ? &f->edge_share[x->at] : &f->injection_share[x->at - f->nedge]) =
                x->whole * b->item[k].share;
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
        struct choice *x = &b->choice[c];

        x->weight = x->state == SIZE_MAX ? 0 : b->mass[x->state];
        for (size_t k = x[0].first; k < x[1].first; k++) {
            const size_t at = b->part[b->item[k].first].at, i = at - f->nedge;
            const size_t l = (size_t)f->port_link[at < f->nedge ? f->edge_port[at] : f->injection_port[i]];

            b->item[k].cost = b->wait[l];
            b->item[k].slope = 2 * b->wait[l] / idle(b, l) + s->collide.least_time * (b->busy[l] + mean) / 2;
            if (at >= f->nedge)
                x->weight += s->collide.rate[f->injection_source[i]] * f->injection_share[i];
        }
    }
}

void alternatives_choose(struct balance *b, const struct latency_study *s)
{
    const struct flows *f = &s->flows;
    const struct collide *c = &s->collide;

    for (size_t i = 0; i < f->nstate + f->ninjection; i++)
        b->chosen[i] = 1;
    for (const struct choice *x = b->choice; x < b->choice + b->nchoice; x++) {
        double all = 1, ease = 0, mean = 0;

        for (size_t k = x[0].first; k < x[1].first; k++) {
            const size_t at = b->part[b->item[k].first].at;
            const size_t g = (size_t)(at < f->nedge ? f->edge_port[at] : f->injection_port[at - f->nedge]);
            const double waits = fmin(1, fmax(1e-9, b->busy[f->port_link[g]] - collide_busy(c, g)));

            if (!(b->item[k].share > 0))
                continue;
            all *= waits;
            ease += waits / c->wait[g];
            mean += b->item[k].share * c->wait[g];
        }
        for (size_t k = x[0].first; mean > 0 && k < x[1].first; k++) {
            const size_t at = b->part[b->item[k].first].at;

            b->chosen[at < f->nedge ? x->state : f->nstate + at - f->nedge] = fmin(1, all / ease / mean);
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

static void way_costs(struct balance *b, const struct latency_study *s)
{
    const struct flows *f = &s->flows;
    const bool global = b->rule == BALANCE_GLOBAL;
    const struct queue *at;

    queues(b, s, rates(b, s));
    at = global ? b->queue : b->credits;
    for (size_t t = 0; t < f->nstate; t++) {
        b->ahead[t] = (struct queue){ 0, 0 };
        for (uint32_t e = f->edge_first[t]; e < f->edge_first[t + 1]; e++) {
            add_queue(&b->ahead[t], &at[f->port_link[f->edge_port[e]]], f->edge_share[e]);
            if (global)
                add_queue(&b->ahead[t], &b->ahead[f->edge_child[e]], f->edge_share[e]);
        }
    }
    for (size_t k = 0; k < b->nitem; k++) {
        struct alternative *x = &b->item[k];
        struct choice *pair = &b->choice[k / 2];
        struct queue q = { 0, 0 };
        double sum = 0, rate = 0;

        for (size_t j = x[0].first; j < x[1].first; j++) {
            const size_t i = b->part[j].at - f->nedge, l = (size_t)f->port_link[f->injection_port[i]];
            const bool host = at_host(f, l);

            if (host || global)
                add_queue(&q, &b->ahead[f->injection_state[i]], b->part[j].whole);
            if (!host)
                add_queue(&q, &at[l], b->part[j].whole);
            sum += b->part[j].whole;
            rate += s->collide.rate[f->injection_source[i]] * f->injection_share[i];
        }
        pair->weight = (k % 2 ? pair->weight : 0) + rate;
        x->cost = (global ? 1 : x->hops) * q.flits / sum + x->hops;
        x->slope = (global ? 1 : x->hops) * q.slope / sum + 1e-9;       /* on one switch there is nothing to cost */
    }
}

double alternatives_cost(struct balance *b, const struct latency_study *s)
{
    double lost = 0, all = 0;

    (b->rule == BALANCE_HOPS ? hop_costs : way_costs)(b, s);
    for (const struct choice *c = b->choice; c < b->choice + b->nchoice; c++) {
        double mean = 0, least = INFINITY;

        for (size_t k = c[0].first; k < c[1].first; k++) {
            mean += b->item[k].share * b->item[k].cost;
            least = fmin(least, b->item[k].cost);
        }
        lost += c->weight * (mean - least);
        all += c->weight * mean;
    }
    return all > 0 ? lost / all : 0;
}
