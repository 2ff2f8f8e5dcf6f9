/* Steps of one unit (steps.h has the rules), whatever the size of messages. A process never waits to send: its messages
 * go in the order in which they are begun, when they can.
 * 1. open      processes, links, and how many messages a unit each takes
 * 2. crossing  the next link of a message, and the next message of its sender (matching.h says which go in a unit)
 * 3. unit      all that cross a link in one, and those delivered, by rank of the receiver
 * 4. execution messages begun, units passed, deliveries told one by one */
#include "analysis/collective/steps.h"
#include "analysis/collective/matching.h"
#include "graph/base/order.h"
#include "graph/distance/trunks.h"
#include "texts/cost.h"

extern const struct cost_kind cost_hops;

#define NONE (-1)
#define AHEAD 8                     /* messages: the node of each is fetched before they wait there */

struct hops_message {               /* by order of trial */
    int *path;                      /* nodes; NULL before the message is its sender's next, and after arrival */
    int hops, at;                   /* hops of the path; where the message is along it */
    int from, to;                   /* ranks */
    int next;                       /* of its sender's; NONE */
    int letter;
};
struct hops_process {
    int first, last;                /* own messages that it has not begun to send; first NONE: none */
    int waiting;                    /* on their way */
};
struct hops_crossing {
    int message;                    /* that goes on */
    int end[2];                     /* of its next link, noted while its path is at hand */
};
struct hops_reached {
    int rank, message;
};
struct hops {
    const struct placement *where;
    struct routing *routing, own;   /* own: opened by the spec of a cost */
    const struct steps_watch *watch;
    double *received;               /* by process; NULL */
    struct trunks links;            /* of a network with switches, or where bytes are counted; else empty */
    int *width;                     /* messages a unit of terminals, then of links; NULL: 1 each */
    struct matching matching;       /* has the unit */
    struct hops_process *process;   /* by rank */
    struct hops_message *message;
    double *bytes;                  /* by message, where they are counted */
    int nmessage, under_way;        /* under way: not told as delivered */
    size_t room;
    struct hops_crossing *crossed;  /* in this unit */
    struct hops_reached *reached;   /* in this unit, by rank */
    int ncrossed, nreached, told;   /* told: of those reached */
    struct route_path path;
};

/* ---- open ---- */

static void hops_drop(struct hops *h)
{
    for (int v = 0; v < h->nmessage; v++)
        free(h->message[v].path);
    matching_release(&h->matching);
    h->nmessage = h->under_way = h->nreached = h->told = 0;
}

static void hops_close(struct cost *c)
{
    struct hops *h = c->state;

    hops_drop(h);
    FREE(h->message, h->bytes, h->process, h->crossed, h->reached, h->width);
    trunks_release(&h->links);
    route_path_release(&h->path);
    routing_close(&h->own);
}

/* Where links are unlike, how many messages a unit they take: of switches. */
static int hops_widths(struct hops *h, const struct net *net, struct err *err)
{
    const size_t n = (size_t)net->n, nlink = h->links.csr->m;

    if (nlink > (size_t)INT_MAX - n)
        return err_set(err, ERR_DOMAIN, "%.200s has more links than a broadcast over switches can tell apart",
                       net->spec);
    if (TAKE(net->spec, err, ARRAY_IF(net->cables.parallel || net->cables.kind, h->width, n + nlink)) < 0)
        return -1;
    for (size_t k = 0; h->width && k < n + nlink; k++)
        h->width[k] = k < n ? 1 : broadcast_messages(&h->links, k - n);
    return 0;
}

static int hops_set(struct cost *c, bool counted, struct err *err)
{
    struct hops *h = c->state;
    struct net *net = h->routing->net;

    c->a = 1;
    c->o = c->ports == 1;
    if (c->ports < 0)
        return err_set(err, ERR_DOMAIN, "%d ports: at least one, or all", c->ports);
    if (broadcast_whole(net, err) < 0 ||
        ((counted || net->terminal) && trunks_open_net(&h->links, net, false, err) < 0) ||
        (net->terminal && hops_widths(h, net, err) < 0) ||
        TAKE(net->spec, err, ARRAY(h->process, c->n), ARRAY(h->message, c->n), ARRAY_IF(counted, h->bytes, c->n),
             ARRAY(h->crossed, c->n), ARRAY(h->reached, c->n)) < 0)
        return -1;
    h->room = (size_t)c->n;
    return counted ? cost_room(c, 0, h->links.csr->m, err) : 0;
}

static int hops_open(struct cost *c, const struct spec *spec, const struct cost_network *w, struct err *err)
{
    struct hops *h = c->state;

    h->where = w->placement;
    h->routing = &h->own;
    return cost_how(c, spec, err) < 0 || placement_single(w->placement, w->net, err) < 0 ||
        routing_open(&h->own, w->net, routing_usual(w->routing, w->net, ROUTING_FOR_TREES), err) < 0 ? -1 :
        hops_set(c, true, err);
}

int steps_cost(struct cost *out, const struct steps *s, double *received, struct err *err)
{
    struct cost c = { .kind = &cost_hops, .n = s->where->n, .ports = s->how.ports, .serial = s->how.blocking,
                      .spec = strdup(cost_hops.name) };
    struct hops *h = c.state = calloc(1, sizeof *h);

    if (!c.spec || !h) {
        cost_close(&c);
        return err_memory(err);
    }
    h->where = s->where;
    h->routing = s->routing;
    h->watch = s->watch;
    h->received = received;
    if (hops_set(&c, false, err) < 0) {
        cost_close(&c);
        return -1;
    }
    *out = c;
    return 0;
}

static int hops_begin(struct cost *c, struct err *err)
{
    struct hops *h = c->state;
    const struct net *net = h->routing->net;

    hops_drop(h);
    for (int p = 0; p < c->n; p++)
        h->process[p] = (struct hops_process){ NONE, NONE, 0 };
    return matching_init(&h->matching, (int)h->room, net->n + (net->terminal ? (int)h->links.csr->m : 0), h->width,
                         err);
}

/* ---- crossing ---- */

static int hops_prepare(const struct cost *c, struct hops_message *m, struct err *err)
{
    struct hops *h = c->state;
    const int *node = h->where->node;

    if (m->path)
        return 0;
    if (route_path(&h->path, h->routing, node[tree_process(m->from, c->root, c->n)],
                   node[tree_process(m->to, c->root, c->n)], err) < 0 ||
        TAKE("a message", err, ARRAY(m->path, h->path.n)) < 0)
        return -1;
    memcpy(m->path, h->path.node, h->path.n * sizeof *m->path);
    m->hops = (int)h->path.n - 1;
    return 0;
}

/* What the next hop of a message keeps busy at each end: a terminal as a whole, of a switch the link alone, which is
 * one more node of the matching. */
static void hops_ends(int end[2], const struct hops *h, const struct hops_message *m)
{
    const struct net *net = h->routing->net;
    const int *hop = m->path + m->at;

    memcpy(end, hop, 2 * sizeof *hop);
    for (int i = 0; i < 2 && net->terminal; i++)
        if (net_terminal_index(net, hop[i]) < 0)
            end[i] = net->n + (int)csr_link(h->links.csr, hop[0], hop[1]);
}

/* The next message of a rank, if there is one, waits to start. */
static int hops_pend(const struct cost *c, int rank, struct err *err)
{
    struct hops *h = c->state;
    const int v = h->process[rank].first;
    int end[2];

    if (v == NONE)
        return 0;
    if (hops_prepare(c, &h->message[v], err) < 0)
        return -1;
    hops_ends(end, h, &h->message[v]);
    matching_wait(&h->matching, v, end[0], end[1]);
    return 0;
}

static int hops_tell(const struct cost *c, int v, struct err *err)
{
    const struct hops *h = c->state;
    const struct hops_message *m = &h->message[v];
    const struct step step = {
        .unit = h->matching.unit,
        .kind = m->at ? STEP_FORWARD : STEP_SEND,
        .from = tree_process(m->from, c->root, c->n),
        .to = tree_process(m->to, c->root, c->n),
        .link_from = m->path[m->at],
        .link_to = m->path[m->at + 1],
        .message = m->to,
        .number = v,
        .delivers = m->at + 1 == m->hops
    };

    return h->watch->step(h->watch->arg, &step, err);
}

/* Message v crosses its next link. */
static int hops_cross(struct cost *c, int v, struct err *err)
{
    struct hops *h = c->state;
    struct hops_message *m = &h->message[v];

    if (h->watch && hops_tell(c, v, err))
        return -1;
    if (c->carried)
        c->carried[csr_link(h->links.csr, m->path[m->at], m->path[m->at + 1])] += h->bytes[v];
    c->hops++;
    if (++m->at < m->hops) {
        h->crossed[h->ncrossed].message = v;
        hops_ends(h->crossed[h->ncrossed++].end, h, m);
        return 0;
    }
    free(m->path);
    m->path = NULL;
    if (h->received)
        h->received[tree_process(m->to, c->root, c->n)] = (double)h->matching.unit;
    h->reached[h->nreached++] = (struct hops_reached){ m->to, v };
    return 0;
}

/* The operation by which a rank sends its own next message, and as many more as its ports and idle neighbours allow. */
static int hops_send_own(struct cost *c, int rank, struct err *err)
{
    struct hops *h = c->state;
    struct hops_process *p = &h->process[rank];
    int ports = 0, end[2];

    for (;;) {
        const int v = p->first;

        p->first = h->message[v].next;
        if (hops_cross(c, v, err) < 0)
            return -1;
        p->waiting++;
        ports++;
        if (p->first == NONE || ports == c->ports)
            break;
        if (hops_prepare(c, &h->message[p->first], err) < 0)
            return -1;
        hops_ends(end, h, &h->message[p->first]);
        if (!matching_idle(&h->matching, end[1]))
            break;
        matching_occupy(&h->matching, end[1]);
    }
    return c->serial ? 0 : hops_pend(c, rank, err);
}

/* ---- unit ---- */

ORDER(hops_by_rank, struct hops_reached, UP(rank))

/* Messages on their way may go on, and a blocked sender once its last ones have arrived. */
static int hops_end_unit(struct cost *c, struct err *err)
{
    struct hops *h = c->state;

    for (int i = 0; i < h->ncrossed; i++) {
        const struct hops_crossing *x = &h->crossed[i];

        __builtin_prefetch(&h->matching.node[x[i + AHEAD < h->ncrossed ? AHEAD : 0].end[0]]);
        matching_wait(&h->matching, x->message, x->end[0], x->end[1]);
    }
    qsort(h->reached, (size_t)h->nreached, sizeof *h->reached, hops_by_rank);
    for (int i = 0; i < h->nreached; i++) {
        const int rank = h->message[h->reached[i].message].from;

        if (--h->process[rank].waiting == 0 && c->serial && hops_pend(c, rank, err) < 0)
            return -1;
    }
    return 0;
}

static int hops_unit(struct cost *c, struct err *err)
{
    struct hops *h = c->state;
    int v;

    h->ncrossed = h->nreached = h->told = 0;
    matching_next_unit(&h->matching);
    while ((v = matching_take(&h->matching)) != NONE)
        if ((h->message[v].at ? hops_cross(c, v, err) : hops_send_own(c, h->message[v].from, err)) < 0)
            return -1;
    return hops_end_unit(c, err);
}

/* ---- execution ---- */

static int hops_start(struct cost *c, size_t letter, int from, int to, double bytes, double *, struct err *err)
{
    struct hops *h = c->state;
    const int v = h->nmessage, rank = tree_rank(from, c->root, c->n);
    struct hops_process *p = &h->process[rank];

    if ((size_t)v == h->room) {
        if (v > INT_MAX / 4)
            return err_set(err, ERR_DOMAIN, "%d messages are more than steps can tell apart", v);
        if (GROW(&h->room, h->room + 1, "messages in steps", err, GROWN(h->message), GROWN(h->crossed),
                 GROWN(h->reached), GROWN_IF(c->carried, h->bytes)) < 0 ||
            matching_grow(&h->matching, (int)h->room, err) < 0)
            return -1;
    }
    h->message[h->nmessage++] = (struct hops_message){ .from = rank, .to = tree_rank(to, c->root, c->n), .next = NONE,
                                                       .letter = (int)letter };
    if (c->carried)
        h->bytes[v] = bytes;
    h->under_way++;
    if (p->first != NONE) {
        h->message[p->last].next = v;
        p->last = v;
        return 0;
    }
    p->first = p->last = v;
    return c->serial && p->waiting ? 0 : hops_pend(c, rank, err);
}

static double hops_next(const struct cost *c)
{
    const struct hops *h = c->state;

    return h->under_way ? (double)(h->matching.unit + (h->told == h->nreached)) : INFINITY;
}

static int hops_pass(struct cost *c, size_t *letter, struct err *err)
{
    struct hops *h = c->state;

    if (h->told == h->nreached && hops_unit(c, err) < 0)
        return -1;
    if (h->told < h->nreached) {
        *letter = (size_t)h->message[h->reached[h->told++].message].letter;
        h->under_way--;
    }
    return 0;
}

const struct cost_kind cost_hops = {
    COST_HOPS_ENTRY,
    .network = true,
    .steps = true,
    .room = sizeof(struct hops),
    .open = hops_open,
    .close = hops_close,
    .begin = hops_begin,
    .start = hops_start,
    .next = hops_next,
    .pass = hops_pass,
    .alone = cost_alone,
    .gap = cost_work
};
