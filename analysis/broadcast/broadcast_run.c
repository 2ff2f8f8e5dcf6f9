/* The makespan, unit by unit; matching.c says which messages go in each. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/broadcast/broadcast_all.h"
#include "analysis/broadcast/matching.h"
#include "graph/base/mem.h"

#define NONE (-1)
#define AHEAD 8                     /* messages whose node is fetched before they wait there */

struct message {                    /* by order of trial: see first */
    int *path;                      /* nodes; NULL before the message is its sender's next, and after arrival */
    int hops, at;                   /* hops of the path; where the message is along it */
    int to;                         /* rank of the receiver */
};
struct process {
    int64_t received;
    int first;                      /* its children's messages: those of processes before it, by (unit, rank), first */
    int served;                     /* children sent to */
    int waiting;                    /* messages on their way */
};
struct crossing {
    int message;                    /* that goes on */
    int end[2];                     /* of its next link, noted while its path is at hand */
};
struct run {
    const struct tree_shape *tree;
    const struct placement *where;
    int root;
    struct routing *routing;
    struct broadcast_how how;
    const struct broadcast_watch *watch;
    struct message *message;
    struct process *process;        /* by rank */
    struct crossing *crossed;       /* in this unit */
    int ncrossed;
    int *reached, nreached;         /* ranks that have theirs since this unit */
    struct csr links;               /* of a network with switches; else empty */
    int *room;                      /* messages a unit of terminals, then of links; NULL: 1 each */
    int nreceived, nmessage;        /* processes that have the message; the messages that are theirs to send */
    double hops;
    struct matching matching;
    struct route_path path;
};

static int node_of(const struct run *r, int rank)
{
    return r->where->node[tree_process(rank, r->root, r->tree->n)];
}

/* The message to the next child to serve, NONE when all are. */
static int next_message(const struct run *r, int s)
{
    const struct process *p = &r->process[s];

    return p->served < tree_nchild(r->tree, s) ? p->first + p->served : NONE;
}

/* Gives the next message of s a path. */
static int broadcast_run_prepare(struct run *r, int s, struct err *err)
{
    const struct process *p = &r->process[s];
    struct message *m = &r->message[p->first + p->served];

    if (m->path)
        return 0;
    m->to = r->tree->child[r->tree->first[s] + p->served];
    if (route_path(&r->path, r->routing, node_of(r, s), node_of(r, m->to), err) < 0)
        return -1;
    if (TAKE("a broadcast", err, ARRAY(m->path, r->path.n)) < 0)
        return -1;
    memcpy(m->path, r->path.node, r->path.n * sizeof *m->path);
    m->hops = (int)r->path.n - 1;
    m->at = 0;
    return 0;
}

/* What the next hop of a message keeps busy at each end: a terminal as a whole, of a switch the link alone, which is
 * one more node of the matching. */
static void next_ends(int end[2], const struct run *r, const struct message *m)
{
    const int *hop = m->path + m->at;

    memcpy(end, hop, 2 * sizeof *hop);
    for (int i = 0; i < 2 && r->links.first; i++)
        if (net_terminal_index(r->routing->net, hop[i]) < 0)
            end[i] = r->routing->net->n + (int)csr_link(&r->links, hop[0], hop[1]);
}

/* The next child of s, if there is one, waits for its message to start. */
static int pend(struct run *r, int s, struct err *err)
{
    int v = next_message(r, s), end[2];

    if (v == NONE)
        return 0;
    if (broadcast_run_prepare(r, s, err) < 0)
        return -1;
    next_ends(end, r, &r->message[v]);
    matching_wait(&r->matching, v, end[0], end[1]);
    return 0;
}

static int tell(const struct run *r, int v, struct err *err)
{
    const struct message *m = &r->message[v];
    const int n = r->tree->n;
    const struct broadcast_step step = {
        .unit = r->matching.unit,
        .kind = m->at ? BROADCAST_FORWARD : BROADCAST_SEND,
        .from = tree_process(r->tree->parent[m->to], r->root, n),
        .to = tree_process(m->to, r->root, n),
        .link_from = m->path[m->at],
        .link_to = m->path[m->at + 1],
        .message = m->to,
        .delivers = m->at + 1 == m->hops
    };

    return r->watch ? r->watch->step(r->watch->arg, &step, err) : 0;
}

/* Message v crosses its next link. */
static int broadcast_run_cross(struct run *r, int v, struct err *err)
{
    struct message *m = &r->message[v];

    if (r->watch && tell(r, v, err))
        return -1;
    r->hops++;
    if (++m->at < m->hops) {
        r->crossed[r->ncrossed].message = v;
        next_ends(r->crossed[r->ncrossed++].end, r, m);
        return 0;
    }
    free(m->path);
    m->path = NULL;
    r->reached[r->nreached++] = m->to;
    return 0;
}

/* The operation by which rank s sends its own message, to its next child and as many more as its ports and
 * idle neighbours allow. */
static int send_own(struct run *r, int s, struct err *err)
{
    struct process *p = &r->process[s];
    int v = next_message(r, s), ports = 0, end[2];

    for (;;) {
        if (broadcast_run_cross(r, v, err) < 0)
            return -1;
        p->served++;
        p->waiting++;
        ports++;
        v = next_message(r, s);
        if (v == NONE || ports == r->how.ports)
            break;
        if (broadcast_run_prepare(r, s, err) < 0)
            return -1;
        next_ends(end, r, &r->message[v]);
        if (!matching_idle(&r->matching, end[1]))
            break;
        matching_occupy(&r->matching, end[1]);
    }
    return r->how.blocking ? 0 : pend(r, s, err);
}

static int by_rank(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

/* Rank s has the message, and its own may go. */
static int broadcast_run_receive(struct run *r, int s, struct err *err)
{
    r->process[s].received = r->matching.unit;
    r->process[s].first = r->nmessage;
    r->nmessage += tree_nchild(r->tree, s);
    r->nreceived++;
    return pend(r, s, err);
}

/* Messages on their way may go on, who received in this unit may send from the next, and a blocked sender too. */
static int end_unit(struct run *r, struct err *err)
{
    for (int i = 0; i < r->ncrossed; i++) {
        const struct crossing *c = &r->crossed[i];

        __builtin_prefetch(&r->matching.node[c[i + AHEAD < r->ncrossed ? AHEAD : 0].end[0]]);
        matching_wait(&r->matching, c->message, c->end[0], c->end[1]);
    }
    qsort(r->reached, (size_t)r->nreached, sizeof *r->reached, by_rank);
    for (int i = 0; i < r->nreached; i++) {
        int v = r->reached[i], s = r->tree->parent[v];

        if (broadcast_run_receive(r, v, err) < 0)
            return -1;
        if (--r->process[s].waiting == 0 && r->how.blocking && pend(r, s, err) < 0)
            return -1;
    }
    r->ncrossed = r->nreached = 0;
    return 0;
}

static int one_unit(struct run *r, struct err *err)
{
    int v;

    matching_next_unit(&r->matching);
    while ((v = matching_take(&r->matching)) != NONE)
        if ((r->message[v].at ? broadcast_run_cross(r, v, err) :
                                   send_own(r, r->tree->parent[r->message[v].to], err)) < 0)
            return -1;
    return end_unit(r, err);
}

static int broadcast_run_run(struct run *r, const struct tick *t, struct err *err)
{
    if (broadcast_run_receive(r, 0, err) < 0)
        return -1;
    while (r->nreceived < r->tree->n) {
        if (r->matching.unit % 1024 == 0 && tick(t, (double)r->nreceived / r->tree->n))
            return err_stopped(err);
        if (one_unit(r, err) < 0)
            return -1;
    }
    return 0;
}

static int broadcast_run_room(struct run *r, struct err *err)
{
    const size_t n = (size_t)r->routing->net->n;
    struct trunks t;

    if (TAKE(r->routing->net->spec, err, ARRAY(r->room, n + r->links.m)) < 0 ||
        trunks_open(&t, r->routing->net, &r->links, false, err) < 0)
        return -1;
    for (size_t v = 0; v < n; v++)
        r->room[v] = 1;
    for (size_t k = 0; k < r->links.m; k++)
        r->room[n + k] = broadcast_messages(&t, k);
    trunks_release(&t);
    return 0;
}

/* Links, for switches. */
static int broadcast_run_links(struct run *r, struct err *err)
{
    struct net *net = r->routing->net;
    const igraph_t *graph;

    if (!net->terminal)
        return 0;
    if (net_graph(net, &graph, err) < 0 || mem_need(csr_init_bytes(graph), net->spec, err) < 0 ||
        csr_init(&r->links, graph, false, err) < 0)
        return -1;
    if (r->links.m > (size_t)(INT_MAX - net->n))
        return err_set(err, ERR_DOMAIN, "%.200s has more links than a broadcast over switches can tell apart",
                       net->spec);
    return net->cables.parallel || net->cables.kind ? broadcast_run_room(r, err) : 0;
}

static int broadcast_run_init(struct run *r, struct err *err)
{
    const size_t n = (size_t)r->tree->n;
    const size_t a_process = sizeof *r->message + sizeof *r->process + sizeof *r->crossed + sizeof *r->reached +
        sizeof(double);
    const double a_path = 64;           /* few are longer */
    int leaves = 0, places;

    if (broadcast_whole(r->routing->net, err) < 0 || broadcast_run_links(r, err) < 0)
        return -1;
    places = r->routing->net->n + (int)r->links.m;
    /* Below a message on its way nobody has received: those with a path at a time have no descendant in common, and
     * as many leaves. */
    for (int v = 0; v < r->tree->n; v++)
        leaves += tree_nchild(r->tree, v) == 0;
    if (mem_need((double)n * (double)a_process + leaves * a_path + matching_bytes(r->tree->n, places),
                 r->routing->net->spec, err) < 0)
        return -1;
    if (TAKE(r->routing->net->spec, err, ZEROS(r->message, n), ZEROS(r->process, n), ARRAY(r->crossed, n),
             ARRAY(r->reached, n)) < 0)
        return -1;
    return matching_init(&r->matching, r->tree->n, places, r->room, err);
}

static void broadcast_run_release(struct run *r)
{
    for (int v = 0; r->message && v < r->tree->n; v++)
        free(r->message[v].path);
    FREE(r->message, r->process, r->crossed, r->reached, r->room);
    csr_release(&r->links);
    matching_release(&r->matching);
    route_path_release(&r->path);
}

static int broadcast_run_report(struct broadcast *out, const struct run *r, struct err *err)
{
    const int n = r->tree->n;
    double *received = malloc((size_t)n * sizeof *received);

    if (!received)
        return err_memory(err);
    for (int v = 0; v < n; v++)
        received[tree_process(v, r->root, n)] = (double)r->process[v].received;
    *out = (struct broadcast){
        .serial_hops = r->hops,
        .makespan_steps = (double)r->matching.unit,
        .messages = n - 1.0,
        .n = n,
        .received = received
    };
    return 0;
}

int broadcast_run(struct broadcast *out, const struct tree_shape *tree, const struct placement *where, int root,
                  struct routing *routing, struct broadcast_how how, const struct broadcast_watch *watch,
                  const struct tick *t, struct err *err)
{
    struct run r = { .tree = tree, .where = where, .root = root, .routing = routing, .how = how, .watch = watch };
    int ret = -1;

    if (broadcast_root(root, tree->n, where, err) < 0)
        return -1;
    if (how.ports < 0)
        return err_set(err, ERR_DOMAIN, "%d ports: at least one, or all", how.ports);
    if (broadcast_run_init(&r, err) == 0 && broadcast_run_run(&r, t, err) == 0)
        ret = broadcast_run_report(out, &r, err);
    broadcast_run_release(&r);
    return ret;
}
