/* The rules of steps; matching.c says which messages go in each unit. */
#include "analysis/broadcast/steps.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/broadcast/broadcast_all.h"
#include "graph/base/grow.h"
#include "graph/base/mem.h"

#define NONE (-1)
#define AHEAD 8                     /* messages whose node is fetched before they wait there */

static int node_of(const struct steps *s, int rank)
{
    return s->where->node[tree_process(rank, s->root, s->where->n)];
}

/* Gives a message a path. */
static int steps_prepare(struct steps *s, struct steps_message *m, struct err *err)
{
    if (m->path)
        return 0;
    if (route_path(&s->path, s->routing, node_of(s, m->from), node_of(s, m->to), err) < 0)
        return -1;
    if (TAKE("a broadcast", err, ARRAY(m->path, s->path.n)) < 0)
        return -1;
    memcpy(m->path, s->path.node, s->path.n * sizeof *m->path);
    m->hops = (int)s->path.n - 1;
    return 0;
}

/* What the next hop of a message keeps busy at each end: a terminal as a whole, of a switch the link alone, which is
 * one more node of the matching. */
static void next_ends(int end[2], const struct steps *s, const struct steps_message *m)
{
    const int *hop = m->path + m->at;

    memcpy(end, hop, 2 * sizeof *hop);
    for (int i = 0; i < 2 && s->links.first; i++)
        if (net_terminal_index(s->routing->net, hop[i]) < 0)
            end[i] = s->routing->net->n + (int)csr_link(&s->links, hop[0], hop[1]);
}

/* The next message of a rank, if there is one, waits to start. */
static int pend(struct steps *s, int rank, struct err *err)
{
    const int v = s->process[rank].first;
    int end[2];

    if (v == NONE)
        return 0;
    if (steps_prepare(s, &s->message[v], err) < 0)
        return -1;
    next_ends(end, s, &s->message[v]);
    matching_wait(&s->matching, v, end[0], end[1]);
    return 0;
}

static int tell(const struct steps *s, int v, struct err *err)
{
    const struct steps_message *m = &s->message[v];
    const int n = s->where->n;
    const struct broadcast_step step = {
        .unit = s->matching.unit,
        .kind = m->at ? BROADCAST_FORWARD : BROADCAST_SEND,
        .from = tree_process(m->from, s->root, n),
        .to = tree_process(m->to, s->root, n),
        .link_from = m->path[m->at],
        .link_to = m->path[m->at + 1],
        .message = m->to,
        .number = v,
        .delivers = m->at + 1 == m->hops
    };

    return s->watch->step(s->watch->arg, &step, err);
}

/* Message v crosses its next link. */
static int steps_cross(struct steps *s, int v, struct err *err)
{
    struct steps_message *m = &s->message[v];

    if (s->watch && tell(s, v, err))
        return -1;
    s->hops++;
    if (++m->at < m->hops) {
        s->crossed[s->ncrossed].message = v;
        next_ends(s->crossed[s->ncrossed++].end, s, m);
        return 0;
    }
    free(m->path);
    m->path = NULL;
    s->reached[s->nreached++] = (struct steps_reached){ m->to, v };
    return 0;
}

/* The operation by which a rank sends its own next message, and as many more as its ports and idle neighbours allow. */
static int send_own(struct steps *s, int rank, struct err *err)
{
    struct steps_process *p = &s->process[rank];
    int ports = 0, end[2];

    for (;;) {
        const int v = p->first;

        p->first = s->message[v].next;
        if (steps_cross(s, v, err) < 0)
            return -1;
        p->waiting++;
        ports++;
        if (p->first == NONE || ports == s->how.ports)
            break;
        if (steps_prepare(s, &s->message[p->first], err) < 0)
            return -1;
        next_ends(end, s, &s->message[p->first]);
        if (!matching_idle(&s->matching, end[1]))
            break;
        matching_occupy(&s->matching, end[1]);
    }
    return s->how.blocking ? 0 : pend(s, rank, err);
}

int steps_post(struct steps *s, int from, int to, struct err *err)
{
    struct steps_process *p = &s->process[from];
    const int v = s->nmessage;

    if ((size_t)v == s->room) {
        if (v > INT_MAX / 4)
            return err_set(err, ERR_DOMAIN, "%d messages are more than steps can tell apart", v);
        if (GROW(&s->room, s->room + 1, "messages in steps", err, GROWN(s->message), GROWN(s->crossed),
                 GROWN(s->reached)) < 0 || matching_grow(&s->matching, (int)s->room, err) < 0)
            return -1;
    }
    s->message[s->nmessage++] = (struct steps_message){ .from = from, .to = to, .next = NONE };
    if (p->first != NONE) {
        s->message[p->last].next = v;
        p->last = v;
        return 0;
    }
    p->first = p->last = v;
    return s->how.blocking && p->waiting ? 0 : pend(s, from, err);
}

static int by_rank(const void *a, const void *b)
{
    return ((const struct steps_reached *)a)->rank - ((const struct steps_reached *)b)->rank;
}

/* Messages on their way may go on, and a blocked sender whose last ones have arrived. */
static int end_unit(struct steps *s, struct err *err)
{
    for (int i = 0; i < s->ncrossed; i++) {
        const struct steps_crossing *c = &s->crossed[i];

        __builtin_prefetch(&s->matching.node[c[i + AHEAD < s->ncrossed ? AHEAD : 0].end[0]]);
        matching_wait(&s->matching, c->message, c->end[0], c->end[1]);
    }
    qsort(s->reached, (size_t)s->nreached, sizeof *s->reached, by_rank);
    for (int i = 0; i < s->nreached; i++) {
        const int rank = s->message[s->reached[i].message].from;

        if (--s->process[rank].waiting == 0 && s->how.blocking && pend(s, rank, err) < 0)
            return -1;
    }
    return 0;
}

int steps_unit(struct steps *s, struct err *err)
{
    int v;

    s->ncrossed = s->nreached = 0;
    matching_next_unit(&s->matching);
    while ((v = matching_take(&s->matching)) != NONE)
        if ((s->message[v].at ? steps_cross(s, v, err) : send_own(s, s->message[v].from, err)) < 0)
            return -1;
    return end_unit(s, err);
}

static int steps_width(struct steps *s, struct err *err)
{
    const size_t n = (size_t)s->routing->net->n;
    struct trunks t;

    if (TAKE(s->routing->net->spec, err, ARRAY(s->width, n + s->links.m)) < 0 ||
        trunks_open(&t, s->routing->net, &s->links, false, err) < 0)
        return -1;
    for (size_t v = 0; v < n; v++)
        s->width[v] = 1;
    for (size_t k = 0; k < s->links.m; k++)
        s->width[n + k] = broadcast_messages(&t, k);
    trunks_release(&t);
    return 0;
}

/* Links, for switches. */
static int steps_links(struct steps *s, struct err *err)
{
    struct net *net = s->routing->net;
    const igraph_t *graph;

    if (!net->terminal)
        return 0;
    if (net_graph(net, &graph, err) < 0 || mem_need(csr_init_bytes(graph), net->spec, err) < 0 ||
        csr_init(&s->links, graph, false, err) < 0)
        return -1;
    if (s->links.m > (size_t)(INT_MAX - net->n))
        return err_set(err, ERR_DOMAIN, "%.200s has more links than a broadcast over switches can tell apart",
                       net->spec);
    return net->cables.parallel || net->cables.kind ? steps_width(s, err) : 0;
}

int steps_open(struct steps *s, int nmessage, struct err *err)
{
    struct net *net = s->routing->net;

    if (s->how.ports < 0)
        return err_set(err, ERR_DOMAIN, "%d ports: at least one, or all", s->how.ports);
    if (broadcast_whole(net, err) < 0 || steps_links(s, err) < 0 ||
        TAKE(net->spec, err, ARRAY(s->process, s->where->n), ARRAY(s->message, nmessage), ARRAY(s->crossed, nmessage),
             ARRAY(s->reached, nmessage)) < 0)
        return -1;
    s->room = (size_t)nmessage;
    for (int p = 0; p < s->where->n; p++)
        s->process[p] = (struct steps_process){ NONE, NONE, 0 };
    return matching_init(&s->matching, nmessage, net->n + (int)s->links.m, s->width, err);
}

void steps_release(struct steps *s)
{
    for (int v = 0; v < s->nmessage; v++)
        free(s->message[v].path);
    FREE(s->message, s->process, s->crossed, s->reached, s->width);
    csr_release(&s->links);
    matching_release(&s->matching);
    route_path_release(&s->path);
    *s = (struct steps){ 0 };
}
