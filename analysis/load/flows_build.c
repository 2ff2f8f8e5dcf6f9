/* From traffic and routing to states, ports and roots (flows.h). Targets are taken one after the other: what leads to
 * one target is a block of states of its own. */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/load/flows.h"
#include "graph/base/map.h"
#include "graph/base/mem.h"
#include "graph/distance/distances.h"

struct block_end {
    size_t state, root;
};
struct builder {
    struct flows *f;
    const struct traffic *traffic;
    struct net *net;
    struct csr links;
    size_t cables;                  /* links of the network: the ejection links come after */
    int *tail;                      /* of every link */
    int *step;                      /* folded: the link's class, by the step it takes; else NULL */
    bool ejection;
    size_t state_room, edge_room, root_room;

    struct map port;                /* (link, in) to number, in the order they were met */
    uint64_t *port_key;
    size_t nport, port_room;

    /* the block being built: states by temporary numbers */
    int *mark, *local;              /* by link: block it was last seen in, and its state there */
    int block;
    int *link;                      /* by state */
    uint32_t *first;                /* by state: its edges */
    int *to, *over;                 /* by edge: state, port */
    double *share;
    size_t n, nlocal_edge, state_cap, edge_cap;
    int *order, *place, *stack;
    uint32_t *at;
    size_t order_cap;
    struct map way;                 /* of ways: (state that follows, link) to state */

    struct hop *hop;
    struct route_path path;
    struct ways ways;
    struct block_end *end;
    size_t nend, end_room;
    int npair;

    struct tick tick;               /* of the routing at hand */
    double done;                    /* targets of it, as a part of all */
    unsigned steps;
};

/* Within one target, now and then. */
static int go_on(struct builder *b, struct err *err)
{
    return ++b->steps % 256 == 0 && tick(&b->tick, b->done) ? err_stopped(err) : 0;
}

/* Room for `need` things in arrays that grow together. */
static int room(void *array[], const size_t *size, size_t narray, size_t *have, size_t need, const char *what,
                struct err *err)
{
    size_t more = *have ? *have : 64;
    double bytes = 0;

    if (need <= *have)
        return 0;
    while (more < need)
        more += more / 2;
    for (size_t i = 0; i < narray; i++)
        bytes += (double)size[i] * (double)more;
    if (more > INT_MAX)
        return err_set(err, ERR_MEMORY, "more than 2^31 %s", what);
    if (bytes > 1e7 && mem_need(bytes, what, err) < 0)
        return -1;
    for (size_t i = 0; i < narray; i++) {
        void **a = array[i];
        void *grown = realloc(*a, more * size[i]);

        if (!grown)
            return err_memory(err);
        *a = grown;
    }
    *have = more;
    return 0;
}

static int room_states(struct builder *b, size_t need, struct err *err)
{
    struct flows *f = b->f;
    void *array[] = { &f->edge_first, &f->state_node };

    return room(array, (const size_t[]){ sizeof(uint32_t), sizeof(int) }, b->step ? 2 : 1, &b->state_room, need + 1,
                "states of messages", err);
}

static int room_edges(struct builder *b, size_t need, struct err *err)
{
    struct flows *f = b->f;
    void *array[] = { &f->edge_child, &f->edge_port, &f->edge_share };

    return room(array, (const size_t[]){ sizeof(int), sizeof(int), sizeof(double) }, 3, &b->edge_room, need,
                "steps of messages", err);
}

static int room_roots(struct builder *b, size_t need, struct err *err)
{
    struct flows *f = b->f;
    void *array[] = { &f->root_source, &f->root_state, &f->root_port, &f->root_share, &f->root_pair, &f->root_option,
                      &f->root_node };

    return room(array, (const size_t[]){ sizeof(int), sizeof(int), sizeof(int), sizeof(double), sizeof(int), sizeof(int),
                                         sizeof(int) }, b->step ? 7 : 6, &b->root_room, need, "ways of messages", err);
}

/* ---- links and ports ---- */

static int find_link(int *link, const struct builder *b, int from, int to, struct err *err)
{
    size_t lo = b->links.first[from], hi = b->links.first[from + 1];

    while (lo < hi) {
        size_t mid = (lo + hi) / 2;

        if (b->links.to[mid] == to) {
            *link = (int)mid;
            return 0;
        }
        if (b->links.to[mid] < to)
            lo = mid + 1;
        else
            hi = mid;
    }
    return err_set(err, ERR_INTERNAL, "a routing of %.200s goes from node %d to node %d, where there is no link", b->net->spec,
                   from, to);
}

static int head(const struct builder *b, int link)
{
    return (size_t)link < b->cables ? b->links.to[link] : -1;
}

static int class_of(const struct builder *b, int link)
{
    return b->step ? b->step[link] : link;
}

/* The port at `link` over which messages come in: from an upstream link, or from source -1 - in. */
static int find_port(int *port, struct builder *b, int link, int in, struct err *err)
{
    void *array[] = { &b->port_key };
    const int class = class_of(b, link), from = in < 0 ? in : class_of(b, in);
    const uint64_t key = (uint64_t)(uint32_t)class << 32 | (uint32_t)from;

    if (room(array, (const size_t[]){ sizeof(uint64_t) }, 1, &b->port_room, b->nport + 1, "ports of links", err) < 0)
        return -1;
    *port = map_put(&b->port, key, (int)b->nport, err);
    if (*port < 0)
        return -1;
    if ((size_t)*port == b->nport)
        b->port_key[b->nport++] = key;
    return 0;
}

/* ---- hop by hop ---- */

static int local_state(int *state, struct builder *b, int link, struct err *err)
{
    void *array[] = { &b->link, &b->first };

    if (b->mark[link] == b->block) {
        *state = b->local[link];
        return 0;
    }
    if (room(array, (const size_t[]){ sizeof(int), sizeof(uint32_t) }, 2, &b->state_cap, b->n + 2, "states of messages",
             err) < 0)
        return -1;
    b->mark[link] = b->block;
    *state = b->local[link] = (int)b->n;
    b->link[b->n++] = link;
    return 0;
}

static int local_edge(struct builder *b, int from_link, int to_link, double share, struct err *err)
{
    void *array[] = { &b->to, &b->over, &b->share };
    int state, port;

    if (room(array, (const size_t[]){ sizeof(int), sizeof(int), sizeof(double) }, 3, &b->edge_cap, b->nlocal_edge + 1,
             "steps of messages", err) < 0 ||
        local_state(&state, b, to_link, err) < 0 || find_port(&port, b, to_link, from_link, err) < 0)
        return -1;
    b->to[b->nlocal_edge] = state;
    b->over[b->nlocal_edge] = port;
    b->share[b->nlocal_edge++] = share;
    return 0;
}

/* What may follow on each link that is reached, until nothing new is. */
static int explore(struct builder *b, struct routing *r, int target, struct err *err)
{
    for (size_t s = 0; s < b->n; s++) {
        const int link = b->link[s], node = head(b, link);
        size_t nhop = 0;

        b->first[s] = (uint32_t)b->nlocal_edge;
        if (node < 0)
            continue;
        if (go_on(b, err) < 0)
            return -1;
        if (node == target) {
            if (b->ejection && local_edge(b, link, (int)b->cables + target, 1, err) < 0)
                return -1;
            continue;
        }
        if (r->route->next(b->hop, &nhop, r, node, b->tail[link], target, err) < 0)
            return -1;
        for (size_t i = 0; i < nhop; i++) {
            int next;

            if (find_link(&next, b, node, b->hop[i].node, err) < 0 || local_edge(b, link, next, b->hop[i].share, err) < 0)
                return -1;
        }
    }
    b->first[b->n] = (uint32_t)b->nlocal_edge;
    return 0;
}

/* Children before parents: order[i] is the state in place i. */
static int sort_states(struct builder *b, const struct routing *r, struct err *err)
{
    enum { NEW = -2, OPEN = -1 };
    void *array[] = { &b->order, &b->place, &b->stack, &b->at };
    size_t done = 0, depth = 0;

    if (room(array, (const size_t[]){ sizeof(int), sizeof(int), sizeof(int), sizeof(uint32_t) }, 4, &b->order_cap, b->n,
             "states of messages", err) < 0)
        return -1;
    for (size_t s = 0; s < b->n; s++)
        b->place[s] = NEW;
    for (size_t from = 0; from < b->n; from++) {
        if (b->place[from] != NEW)
            continue;
        b->stack[depth++] = (int)from;
        b->place[from] = OPEN;
        b->at[from] = b->first[from];
        while (depth) {
            const int s = b->stack[depth - 1];

            if (b->at[s] == b->first[s + 1]) {
                b->place[s] = (int)done;
                b->order[done++] = s;
                depth--;
                continue;
            }
            const int child = b->to[b->at[s]++];

            if (b->place[child] == OPEN)
                return err_set(err, ERR_INTERNAL, "routing '%s' sends messages round in circles on %.200s", r->spec,
                               b->net->spec);
            if (b->place[child] == NEW) {
                b->place[child] = OPEN;
                b->at[child] = b->first[child];
                b->stack[depth++] = child;
            }
        }
    }
    return 0;
}

static int add_state(struct builder *b, int link, struct err *err)
{
    struct flows *f = b->f;

    if (room_states(b, f->nstate + 1, err) < 0)
        return -1;
    if (b->step)
        f->state_node[f->nstate] = b->tail[link];
    f->edge_first[f->nstate++] = (uint32_t)f->nedge;
    return 0;
}

static int add_edge(struct builder *b, int child, int port, double share, struct err *err)
{
    struct flows *f = b->f;

    if (room_edges(b, f->nedge + 1, err) < 0)
        return -1;
    f->edge_child[f->nedge] = child;
    f->edge_port[f->nedge] = port;
    f->edge_share[f->nedge++] = share;
    return 0;
}

static int add_root(struct builder *b, int source, int sender, int state, int port, double share, int option,
                    struct err *err)
{
    struct flows *f = b->f;

    if (room_roots(b, f->nroot + 1, err) < 0)
        return -1;
    f->root_source[f->nroot] = source;
    f->root_state[f->nroot] = state;
    f->root_port[f->nroot] = port;
    f->root_share[f->nroot] = share;
    f->root_pair[f->nroot] = b->npair;
    f->root_option[f->nroot] = option;
    if (b->step)
        f->root_node[f->nroot] = sender;
    f->nroot++;
    return 0;
}

struct sender {
    int source, node;               /* number in flows, and where it is */
    const char *name;
    double share;                   /* of its messages that go to this target */
};

/* One target, hop by hop: roots first with temporary states, which then get their places. */
static int block_hops(struct builder *b, struct routing *r, int option, int target, const struct sender *sender, size_t n,
                      struct err *err)
{
    struct flows *f = b->f;
    const size_t base = f->nstate, first_root = f->nroot;

    b->block++;
    b->n = b->nlocal_edge = 0;
    for (size_t i = 0; i < n; i++, b->npair++) {
        size_t nhop = 0;

        if (r->route->next(b->hop, &nhop, r, sender[i].node, -1, target, err) < 0)
            return -1;
        for (size_t k = 0; k < nhop; k++) {
            int link, state, port;

            if (find_link(&link, b, sender[i].node, b->hop[k].node, err) < 0 || local_state(&state, b, link, err) < 0 ||
                find_port(&port, b, link, -1 - sender[i].source, err) < 0 ||
                add_root(b, sender[i].source, sender[i].node, state, port, sender[i].share * b->hop[k].share, option,
                         err) < 0)
                return -1;
        }
    }
    if (explore(b, r, target, err) < 0 || sort_states(b, r, err) < 0)
        return -1;
    for (size_t i = 0; i < b->n; i++) {
        const int s = b->order[i];

        if (add_state(b, b->link[s], err) < 0)
            return -1;
        for (uint32_t e = b->first[s]; e < b->first[s + 1]; e++)
            if (add_edge(b, (int)base + b->place[b->to[e]], b->over[e], b->share[e], err) < 0)
                return -1;
    }
    for (size_t i = first_root; i < f->nroot; i++)
        f->root_state[i] = (int)base + b->place[f->root_state[i]];
    return 0;
}

/* ---- ways ---- */

static int way_state(int *state, struct builder *b, int link, int child, int child_link, struct err *err)
{
    const uint64_t key = (uint64_t)(uint32_t)(child + 1) << 32 | (uint32_t)link;
    int port;

    *state = map_put(&b->way, key, (int)b->f->nstate, err);
    if (*state < 0)
        return -1;
    if ((size_t)*state < b->f->nstate)
        return 0;
    if (add_state(b, link, err) < 0)
        return -1;
    if (child < 0)
        return 0;
    return find_port(&port, b, child_link, link, err) < 0 || add_edge(b, child, port, 1, err) < 0 ? -1 : 0;
}

/* From the end of a path to its beginning: what is left to go from there is one state, whoever comes by. */
static int add_path(struct builder *b, const struct sender *s, double share, int option, struct err *err)
{
    const int *node = b->path.node;
    int child = -1, child_link = -1, port;

    if (b->ejection) {
        int out = (int)b->cables + node[b->path.n - 1];

        if (way_state(&child, b, out, -1, -1, err) < 0)
            return -1;
        child_link = out;
    }
    for (size_t i = b->path.n - 1; i > 0; i--) {
        int link, state;

        if (find_link(&link, b, node[i - 1], node[i], err) < 0 || way_state(&state, b, link, child, child_link, err) < 0)
            return -1;
        child = state;
        child_link = link;
    }
    return find_port(&port, b, child_link, -1 - s->source, err) < 0 ? -1 :
        add_root(b, s->source, s->node, child, port, share, option, err);
}

static int block_ways(struct builder *b, struct routing *r, int option, int target, const struct sender *sender, size_t n,
                      struct err *err)
{
    map_clear(&b->way);
    for (size_t i = 0; i < n; i++, b->npair++) {
        ways_clear(&b->ways);
        if (r->route->ways(&b->ways, r, sender[i].name, sender[i].node, target, err) < 0)
            return -1;
        for (size_t k = 0; k < b->ways.n; k++)
            if (go_on(b, err) < 0 || route_way(&b->path, r, &b->ways, k, sender[i].node, err) < 0 ||
                add_path(b, &sender[i], sender[i].share * b->ways.share[k], option, err) < 0)
                return -1;
    }
    return 0;
}

static int block(struct builder *b, struct routing *r, int option, int target, const struct sender *sender, size_t n,
                 struct err *err)
{
    void *array[] = { &b->end };

    if (n == 0)
        return 0;
    if ((r->route->next ? block_hops : block_ways)(b, r, option, target, sender, n, err) < 0 ||
        room(array, (const size_t[]){ sizeof *b->end }, 1, &b->end_room, b->nend + 1, "targets", err) < 0)
        return -1;
    b->end[b->nend++] = (struct block_end){ b->f->nstate, b->f->nroot };
    return 0;
}

/* ---- traffic ---- */

static int matrix_blocks(struct builder *b, struct routing *r, int option, struct err *err)
{
    const int n = b->net->nterminal, targets = b->step ? 1 : n;
    struct sender *sender = malloc((size_t)n * sizeof *sender);
    int ret = sender ? 0 : err_memory(err);

    for (int k = 0; ret == 0 && k < targets; k++) {
        const int target = net_terminal(b->net, k);
        size_t m = 0;

        for (int i = 0; i < n; i++) {
            const int node = net_terminal(b->net, i);
            double share = node == target ? 0 : b->traffic->kind->share(b->traffic, node, target);

            if (share > 0)
                sender[m++] = (struct sender){ b->step ? 0 : i, node, NULL, share };
        }
        ret = block(b, r, option, target, sender, m, err);
        b->done = (double)(k + 1) / targets;
        if (ret == 0 && tick(&b->tick, b->done))
            ret = err_stopped(err);
    }
    free(sender);
    return ret;
}

struct by_target {
    int target, channel;
};

static int compare_target(const void *a, const void *b)
{
    const struct by_target *x = a, *y = b;

    return x->target != y->target ? (x->target > y->target) - (x->target < y->target) :
        (x->channel > y->channel) - (x->channel < y->channel);
}

static int list_blocks(struct builder *b, struct routing *r, int option, struct err *err)
{
    const size_t n = b->step ? 1 : b->traffic->nchannel;
    struct by_target *order = malloc(n * sizeof *order);
    struct sender *sender = malloc(n * sizeof *sender);
    int ret = order && sender ? 0 : err_memory(err);
    size_t from = 0;

    for (size_t i = 0; ret == 0 && i < n; i++)
        order[i] = (struct by_target){ b->traffic->channel[i].target, (int)i };
    if (ret == 0)
        qsort(order, n, sizeof *order, compare_target);
    while (ret == 0 && from < n) {
        size_t m = 0;
        const int target = order[from].target;

        for (; from < n && order[from].target == target; from++) {
            const struct channel *c = &b->traffic->channel[order[from].channel];

            sender[m++] = (struct sender){ order[from].channel, c->source, c->name, 1 };
        }
        ret = block(b, r, option, target, sender, m, err);
        b->done = (double)from / (double)n;
        if (ret == 0 && tick(&b->tick, b->done))
            ret = err_stopped(err);
    }
    free(order);
    free(sender);
    return ret;
}

static int add_sources(struct builder *b, struct err *err)
{
    struct flows *f = b->f;
    const struct traffic *t = b->traffic;

    f->nsource = b->step ? 1 : t->matrix ? (size_t)b->net->nterminal : t->nchannel;
    f->source = calloc(f->nsource, sizeof *f->source);
    if (!f->source)
        return err_memory(err);
    for (size_t i = 0; i < f->nsource; i++) {
        const struct channel *c = t->matrix ? NULL : &t->channel[i];

        f->source[i] = (struct flow_source){ b->step ? -1 : c ? c->source : net_terminal(b->net, (int)i),
                                             c ? (int)i : -1, c ? c->interval : NAN, c ? c->time : NAN };
        f->own_times = f->own_times || (c && !isnan(c->time));
        f->own_intervals = f->own_intervals || (c && !isnan(c->interval));
        f->mixed_intervals = f->mixed_intervals || (c && isnan(c->interval) != isnan(t->channel[0].interval));
    }
    return 0;
}

/* ---- finishing ---- */

/* Ports in the order of their links; within a link, as they were met. */
static int number_ports(struct builder *b, struct err *err)
{
    struct flows *f = b->f;
    size_t *at = NULL;
    int *renamed = malloc((b->nport ? b->nport : 1) * sizeof *renamed), ret = -1;

    f->nport = b->nport;
    f->port_first = calloc(f->nlink + 1, sizeof *f->port_first);
    f->pair_first = calloc(f->nlink + 1, sizeof *f->pair_first);
    f->port_in = malloc((f->nport ? f->nport : 1) * sizeof *f->port_in);
    f->port_link = malloc((f->nport ? f->nport : 1) * sizeof *f->port_link);
    at = malloc((f->nlink ? f->nlink : 1) * sizeof *at);
    if (!renamed || !f->port_first || !f->pair_first || !f->port_in || !f->port_link || !at) {
        err_memory(err);
        goto done;
    }
    for (size_t g = 0; g < f->nport; g++)
        f->port_first[(b->port_key[g] >> 32) + 1]++;
    for (size_t l = 0; l < f->nlink; l++) {
        const size_t n = f->port_first[l + 1];

        f->pair_first[l + 1] = f->pair_first[l] + (n > 1 ? n * n : 0);
        f->port_first[l + 1] += f->port_first[l];
        at[l] = f->port_first[l];
    }
    for (size_t g = 0; g < f->nport; g++) {
        renamed[g] = (int)at[b->port_key[g] >> 32]++;
        f->port_in[renamed[g]] = (int)(uint32_t)b->port_key[g];
        f->port_link[renamed[g]] = (int)(b->port_key[g] >> 32);
    }
    for (size_t e = 0; e < f->nedge; e++)
        f->edge_port[e] = renamed[f->edge_port[e]];
    for (size_t i = 0; i < f->nroot; i++)
        f->root_port[i] = renamed[f->root_port[i]];
    ret = 0;
done:
    free(renamed);
    free(at);
    return ret;
}

static int name_links(struct builder *b, struct err *err)
{
    struct flows *f = b->f;
    const size_t degree = b->step ? b->links.first[1] - b->links.first[0] : b->cables;

    f->nlink = degree + (b->ejection ? b->step ? 1 : (size_t)b->net->n : 0);
    f->link_from = malloc((f->nlink ? f->nlink : 1) * sizeof *f->link_from);
    f->link_to = malloc((f->nlink ? f->nlink : 1) * sizeof *f->link_to);
    if (!f->link_from || !f->link_to)
        return err_memory(err);
    for (size_t l = 0; l < f->nlink; l++) {
        f->link_from[l] = l < degree ? b->tail[l] : (int)(l - degree);
        f->link_to[l] = l < degree ? b->links.to[l] : -1;
    }
    return 0;
}

/* Roots by source, links left to go, and whether every state has one edge at most. */
static int finish(struct builder *b, struct err *err)
{
    struct flows *f = b->f;
    double *hops = malloc((f->nstate ? f->nstate : 1) * sizeof *hops);
    uint32_t *at = malloc((f->nsource + 1) * sizeof *at);
    const double size = (double)(f->nstate + f->nroot), chunk = fmax(size / FLOWS_CHUNKS, 32768);

    f->root_hops = malloc((f->nroot ? f->nroot : 1) * sizeof *f->root_hops);
    f->root_given = malloc((f->nroot ? f->nroot : 1) * sizeof *f->root_given);
    f->source_first = calloc(f->nsource + 1, sizeof *f->source_first);
    f->source_root = malloc((f->nroot ? f->nroot : 1) * sizeof *f->source_root);
    if (!hops || !at || !f->root_hops || !f->root_given || !f->source_first || !f->source_root || room_states(b, f->nstate + 1, err) < 0) {
        free(hops);
        free(at);
        return err_memory(err);
    }
    f->edge_first[f->nstate] = (uint32_t)f->nedge;
    f->chain = true;
    for (size_t s = 0; s < f->nstate; s++) {
        hops[s] = 0;
        f->chain = f->chain && f->edge_first[s + 1] - f->edge_first[s] <= 1;
        for (uint32_t e = f->edge_first[s]; e < f->edge_first[s + 1]; e++)
            hops[s] += f->edge_share[e] * (1 + hops[f->edge_child[e]]);
    }
    for (size_t i = 0; i < f->nroot; i++) {
        f->root_hops[i] = 1 + hops[f->root_state[i]] - (b->ejection ? 1 : 0);
        f->source_first[f->root_source[i] + 1]++;
    }
    for (size_t c = 0; c < f->nsource; c++) {
        f->source_first[c + 1] += f->source_first[c];
        at[c] = f->source_first[c];
    }
    for (size_t i = 0; i < f->nroot; i++)
        f->source_root[at[f->root_source[i]]++] = (uint32_t)i;
    for (size_t i = 0; i < b->nend; i++) {      /* whole targets, until a chunk has its part */
        const struct block_end *end = &b->end[i];

        if (i + 1 < b->nend && (double)(end->state + end->root) < chunk * (double)(f->nchunk + 1))
            continue;
        f->nchunk++;
        f->chunk_state[f->nchunk] = end->state;
        f->chunk_root[f->nchunk] = end->root;
    }
    free(hops);
    free(at);
    return 0;
}

static int classify(struct builder *b, struct err *err)
{
    const struct group *g = b->net->group;
    const size_t degree = b->links.first[1];

    b->step = malloc((b->cables + (size_t)b->net->n) * sizeof *b->step);
    if (!b->step)
        return err_memory(err);
    for (size_t l = 0; l < b->cables; l++) {
        const int step = group_add(g, b->links.to[l], group_negative(g, b->tail[l]));

        b->step[l] = 0;
        for (size_t k = 0; k < degree; k++)
            if (b->links.to[k] == step)
                b->step[l] = (int)k;
    }
    for (int v = 0; v < b->net->n; v++)
        b->step[b->cables + (size_t)v] = (int)degree;
    return 0;
}

static int prepare(struct builder *b, bool folded, size_t most, struct err *err)
{
    const igraph_t *graph;
    size_t all;

    if (net_graph(b->net, &graph, err) < 0 || csr_init(&b->links, graph, false, err) < 0)
        return -1;
    b->cables = b->links.m;
    all = b->cables + (b->ejection ? (size_t)b->net->n : 0);
    if (all > INT_MAX)
        return err_set(err, ERR_MEMORY, "%.200s has more than 2^31 links", b->net->spec);
    if (mem_need(16.0 * (double)all, "the links of messages", err) < 0)
        return -1;
    b->tail = malloc((all + 1) * sizeof *b->tail);
    b->mark = calloc(all + 1, sizeof *b->mark);
    b->local = malloc((all + 1) * sizeof *b->local);
    b->hop = malloc(most * sizeof *b->hop);
    if (!b->tail || !b->mark || !b->local || !b->hop)
        return err_memory(err);
    for (int v = 0; v < b->net->n; v++)
        for (size_t i = b->links.first[v]; i < b->links.first[v + 1]; i++)
            b->tail[i] = v;
    for (size_t l = b->cables; l < all; l++)
        b->tail[l] = (int)(l - b->cables);
    return folded ? classify(b, err) : 0;
}

static void builder_release(struct builder *b)
{
    csr_release(&b->links);
    free(b->tail);
    free(b->step);
    map_release(&b->port);
    free(b->port_key);
    free(b->mark);
    free(b->local);
    free(b->link);
    free(b->first);
    free(b->to);
    free(b->over);
    free(b->share);
    free(b->order);
    free(b->place);
    free(b->stack);
    free(b->at);
    map_release(&b->way);
    free(b->hop);
    route_path_release(&b->path);
    ways_release(&b->ways);
    free(b->end);
}

int flows_open(struct flows *out, const struct traffic *traffic, struct routing *routing, size_t nrouting,
               const struct flows_options *options, struct err *err)
{
    struct flows f = { .net = routing[0].net, .copies = 1 };
    struct builder b = { .f = &f, .traffic = traffic, .net = f.net, .ejection = options->ejection };
    const struct tick building = tick_part(options->tick, 0, 0.7), meeting = tick_part(options->tick, 0.7, 1);
    bool folded = traffic->invariant && !options->unfolded;
    size_t most = 1;
    int ret = -1;

    for (size_t i = 0; i < nrouting; i++) {
        folded = folded && routing[i].invariant;
        most = routing[i].most > most ? routing[i].most : most;
    }
    if (prepare(&b, folded, most, err) < 0 || add_sources(&b, err) < 0)
        goto done;
    if (folded)
        f.copies = f.net->n;
    for (size_t i = 0; i < nrouting; i++) {
        b.tick = tick_part(&building, (double)i / (double)nrouting, (double)(i + 1) / (double)nrouting);
        b.done = 0;
        if ((traffic->matrix ? matrix_blocks : list_blocks)(&b, &routing[i], (int)i, err) < 0)
            goto done;
    }
    if (name_links(&b, err) < 0 || number_ports(&b, err) < 0 || flows_cycles(&f, err) < 0 || finish(&b, err) < 0)
        goto done;
    memcpy(f.root_given, f.root_share, f.nroot * sizeof *f.root_share);
    for (size_t i = 0; i < f.nroot; i++)
        if (f.root_option[i] > 0)
            f.root_share[i] = 0;
    ret = options->apart ? 0 : flows_overlap(&f, &meeting, err);
done:
    builder_release(&b);
    if (ret < 0)
        flows_release(&f);
    else
        *out = f;
    return ret;
}
