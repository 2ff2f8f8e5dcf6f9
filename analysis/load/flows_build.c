/* From traffic and routing to states, ports and injections (flows.h). Targets are taken one after the other: what leads
 * to one target is a block of states of its own.
 *   blocks    hop by hop, what follow.h explores, children first; of ways, each from its end to its beginning
 *   traffic   the senders of each target, of a matrix or of a list
 * flows_fold.c says which links and sources stand for others; flows_finish.c numbers ports in the order of links and
 * says what follows from states and injections. */
#include "analysis/load/flows_builder.h"
#include "graph/base/order.h"

/* States, ports and injections are ints. */
static int flows_build_fits(size_t n, const char *what, struct err *err)
{
    return n < INT_MAX ? 0 : err_set(err, ERR_MEMORY, "more than 2^31 %s", what);
}

/* ---- links and ports ---- */

static int class_of(const struct builder *b, int link)
{
    return b->class ? b->class[link] : link;
}

/* By orbits of turns: what tells ports of links of one orbit apart, and how many of them are alike at one link. */
static uint32_t alike_port(double *many, const struct builder *b, int link, int in)
{
    const struct follow *w = &b->follow;
    const size_t out = (size_t)link;

    *many = 1;
    if (in < 0 || (size_t)in >= w->cables)
        return (uint32_t)(in < 0 ? in : class_of(b, in));
    if (out >= w->cables) {                     /* out of the network: all cables of its orbit that lead there */
        *many = b->f->orbits->link_many[class_of(b, in)] / b->f->orbits->link_many[class_of(b, link)];
        return (uint32_t)class_of(b, in);
    }
    return (uint32_t)b->nclass + (uint32_t)alike_turn(many, &b->alike, w, (size_t)in, out);
}

static int new_port(int *port, struct builder *b, int link, int in, struct err *err)
{
    const int from = in < 0 ? in : class_of(b, in);
    double many = 1;
    const uint32_t apart = b->alike.node ? alike_port(&many, b, link, in) : (uint32_t)from;
    const uint64_t key = (uint64_t)(uint32_t)class_of(b, link) << 32 | apart;

    if (flows_build_fits(b->nport, "ports of links", err) < 0 ||
        GROW(&b->port_room, b->nport + 1, "ports of links", err, GROWN(b->port_key), GROWN(b->port_in),
             GROWN_IF(b->alike.node, b->port_many)) < 0)
        return -1;
    *port = map_put(&b->port, key, (int)b->nport, err);
    if (*port < 0)
        return -1;
    if ((size_t)*port == b->nport) {
        if (b->alike.node)
            b->port_many[b->nport] = many;
        b->port_in[b->nport] = from;
        b->port_key[b->nport++] = key;
    }
    return 0;
}

/* The first link that leaves a node, or a later one. */
static size_t links_of(const struct follow *w, int node)
{
    return trunks_first(&w->trunks, w->links.first[node]);
}

/* Where a link leads: for the ways into the network and out of it, the node they stand at. */
static int end_of(const struct follow *w, size_t link)
{
    return link < w->cables ? w->head[link] : (int)((link - w->cables) % (size_t)w->net->n);
}

#define TURNS_KEPT 1e8          /* of more, ports are looked up each time */

/* Room for the port of every turn from link to link, and of the last source at every link: they are asked for again and
 * again. */
int builder_turns(struct builder *b, struct err *err)
{
    const struct follow *w = &b->follow;
    const size_t links = w->cables + 2 * (size_t)b->net->n;
    double turns = 0;
    size_t at = 0;

    for (size_t l = 0; l < links; l++)
        turns += (double)(links_of(w, end_of(w, l) + 1) - links_of(w, end_of(w, l)));
    if (turns > TURNS_KEPT)
        return 0;
    if (TAKE("ports of turns", err, ARRAY(b->turn_at, links), ARRAY(b->turn_port, (size_t)turns + 2 * links)) < 0)
        return -1;
    memset(b->turn_port, -1, ((size_t)turns + 2 * links) * sizeof *b->turn_port);
    for (size_t l = 0; l < links; l++) {
        const int v = end_of(w, l);

        b->turn_at[l] = at - links_of(w, v);    /* by the number of the link that follows */
        at += links_of(w, v + 1) - links_of(w, v);
    }
    b->sent_port = b->turn_port + at;
    b->exit_port = b->sent_port + links;
    return 0;
}

/* The port at `link` over which messages come in: from an upstream link, or from source -1 - in. */
static int find_port(int *port, struct builder *b, int link, int in, struct err *err)
{
    int *const known = !b->turn_at ? NULL : in < 0 ? &b->sent_port[link] :
        (size_t)link < b->follow.cables ? &b->turn_port[b->turn_at[in] + (size_t)link] : &b->exit_port[in];

    if (known && *known >= 0 && (in >= 0 || b->port_in[*known] == in)) {
        *port = *known;
        return 0;
    }
    if (new_port(port, b, link, in, err) < 0)
        return -1;
    if (known)
        *known = *port;
    return 0;
}

/* ---- blocks ---- */

static int add_state(struct builder *b, int link, struct err *err)
{
    struct flows *f = b->f;

    if (flows_build_fits(f->nstate, "states of messages", err) < 0 || builder_state_room(b, f->nstate + 2, err) < 0)
        return -1;
    if (b->by_steps)
        f->state_node[f->nstate] = link < (int)b->follow.nlink ? b->follow.tail[link] : link - (int)b->follow.nlink;
    f->edge_first[f->nstate++] = (uint32_t)f->nedge;
    return 0;
}

static int add_edge(struct builder *b, int child, int port, double share, struct err *err)
{
    struct flows *f = b->f;

    if (flows_build_fits(f->nedge, "steps of messages", err) < 0 ||
        GROW(&b->edge_room, f->nedge + 1, "steps of messages", err, GROWN(f->edge_child), GROWN(f->edge_port),
             GROWN(f->edge_share)) < 0)
        return -1;
    f->edge_child[f->nedge] = child;
    f->edge_port[f->nedge] = port;
    f->edge_share[f->nedge++] = share;
    return 0;
}

/* The way into the network at `node`, where messages go on to `link`: a link of its own, or that one. */
static int entry_link(const struct builder *b, int node, int link)
{
    return b->follow.arrivals && follow_own_switch(&b->follow, node) ? (int)b->follow.nlink + node : link;
}

/* A share of a sender's messages enters `state`, on `link`. */
static int add_injection(struct builder *b, const struct sender *s, int link, int state, double share, int option,
                         struct err *err)
{
    struct flows *f = b->f;

    if (flows_build_fits(f->ninjection, "ways of messages", err) < 0 ||
        GROW(&b->injection_room, f->ninjection + 1, "ways of messages", err, GROWN(f->injection_source),
             GROWN(f->injection_state), GROWN(f->injection_port), GROWN(f->injection_share), GROWN(f->injection_pair),
             GROWN(f->injection_option), GROWN_IF(b->by_steps, f->injection_node),
             GROWN_IF(f->orbits, f->orbits->injection_ways)) < 0 ||
        find_port(&f->injection_port[f->ninjection], b, link, -1 - s->source, err) < 0)
        return -1;
    f->injection_source[f->ninjection] = s->source;
    f->injection_state[f->ninjection] = state;
    f->injection_share[f->ninjection] = s->share * share;
    f->injection_pair[f->ninjection] = b->npair;
    f->injection_option[f->ninjection] = option;
    if (b->by_steps)
        f->injection_node[f->ninjection] = s->node;
    if (f->orbits)
        f->orbits->injection_ways[f->ninjection] = s->part;
    f->ninjection++;
    return 0;
}

/* From the last link to a target, where that is not the end. */
static int go_on(struct builder *b, int link, struct err *err)
{
    int port;

    if (b->ntail && find_port(&port, b, b->out, link, err) < 0)
        return -1;
    for (size_t i = 0; i < b->ntail; i++)
        if (add_edge(b, b->tail_state[i], port, b->tail_share[i], err) < 0)
            return -1;
    return 0;
}

/* One target, hop by hop: injections first with temporary states, which then get their places. */
static int block_hops(struct builder *b, struct routing *r, int option, int target, const struct sender *sender,
                      size_t n, struct err *err)
{
    struct flows *f = b->f;
    struct follow *w = &b->follow;
    const size_t base = f->nstate, first_edge = f->nedge, first_injection = f->ninjection;

    if (follow_begin(w, r, target, err) < 0)
        return -1;
    for (size_t i = 0; i < n; i++, b->npair++) {
        if (follow_inject(w, r, sender[i].node, err) < 0)
            return -1;
        for (size_t k = 0; k < w->nentry; k++)
            if (add_injection(b, &sender[i], entry_link(b, sender[i].node, w->link[w->entry[k]]), w->entry[k],
                              w->entry_share[k], option, err) < 0)
                return -1;
    }
    if (follow_explore(w, r, err) < 0 || follow_sort(w, r, err) < 0 ||
        GROW(&b->over_room, w->nedge, "steps of messages", err, GROWN(b->over)) < 0)
        return -1;
    for (size_t s = 0; s < w->n; s++)
        for (uint32_t e = w->first[s]; e < w->first[s + 1]; e++)
            if (find_port(&b->over[e], b, w->link[w->to[e]], w->link[s], err) < 0)
                return -1;
    for (size_t i = 0; i < w->n; i++) {
        const int s = w->order[i];

        if (add_state(b, w->link[s], err) < 0)
            return -1;
        for (uint32_t e = w->first[s]; e < w->first[s + 1]; e++)
            if (add_edge(b, (int)base + w->place[w->to[e]], b->over[e], w->share[e], err) < 0)
                return -1;
        if (w->first[s] == w->first[s + 1] && go_on(b, w->link[s], err) < 0)
            return -1;
    }
    for (size_t i = first_injection; i < f->ninjection; i++) {
        const int link = w->link[f->injection_state[i]], entry = entry_link(b, w->tail[link], link);
        const int state = (int)base + w->place[f->injection_state[i]];
        int port;

        f->injection_state[i] = entry == link ? state : (int)f->nstate;
        if (entry != link && (find_port(&port, b, link, entry, err) < 0 || add_state(b, entry, err) < 0 ||
                              add_edge(b, state, port, 1, err) < 0))
            return -1;
    }
    return f->orbits ? builder_merge(b, base, first_edge, first_injection, err) : 0;
}

/* One way from there on: a state on each of n links side by side, numbered one after the other as the links are. */
struct rest {
    int state, link, n;
};

/* Puts the links of `at` before `rest` (n 0: at the end), and finds its states. */
static int way_states(struct rest *at, struct builder *b, const struct rest *rest, struct err *err)
{
    /* a link alone is another matter than all from it on */
    const uint32_t links = at->n > 1 ? (uint32_t)at->link + (uint32_t)b->follow.nlink + (uint32_t)b->net->n :
        (uint32_t)at->link;
    int port;

    at->state = map_put(&b->way, (uint64_t)(uint32_t)(rest->n ? rest->state + 1 : 0) << 32 | links, (int)b->f->nstate,
                        err);
    if (at->state < 0)
        return -1;
    if ((size_t)at->state < b->f->nstate)
        return 0;
    for (int i = 0; i < at->n; i++) {
        if (add_state(b, at->link + i, err) < 0)
            return -1;
        for (int k = 0; k < rest->n; k++)
            if (find_port(&port, b, rest->link + k, at->link + i, err) < 0 ||
                add_edge(b, rest->state + k, port, 1.0 / rest->n, err) < 0)
                return -1;
    }
    return 0;
}

/* From the end of a path to its beginning: what is left to go from there is one state, whoever comes by. */
static int add_path(struct builder *b, const struct routing *r, const struct sender *s, double share, int option,
                    struct err *err)
{
    const struct follow *w = &b->follow;
    const int *node = w->path.node;
    struct rest rest = { 0 }, at = { .n = 1 };
    char name[NET_LABEL];

    if (w->arrivals && follow_own_switch(w, node[w->path.n - 1])) {
        at.link = (int)w->cables + node[w->path.n - 1];
        if (way_states(&at, b, &rest, err) < 0)
            return -1;
        rest = at;
    }
    for (size_t i = w->path.n - 1; i > 0; i--, rest = at) {
        const struct hop hop = { node[i], 1, w->path.cable[i] };

        if (follow_links(&at.link, &at.n, w, r, node[i - 1], &hop, err) < 0 || way_states(&at, b, &rest, err) < 0)
            return -1;
    }
    at = (struct rest){ .link = entry_link(b, s->node, rest.link), .n = 1 };
    if (at.link != rest.link) {
        if (way_states(&at, b, &rest, err) < 0)
            return -1;
        rest = at;
    }
    if (rest.n > 1 && r->by_bandwidth)
        return err_set(err, ERR_USAGE, "'%s' weighs whole ways by their latency, and does not know yet how ways begin "
                       "on parallel cables, as at %s of %.200s", r->spec, net_label(b->net, s->node, name),
                       b->net->spec);
    for (int i = 0; i < rest.n; i++)
        if (add_injection(b, s, rest.link + i, rest.state + i, share / rest.n, option, err) < 0)
            return -1;
    return 0;
}

static int block_ways(struct builder *b, struct routing *r, int option, int target, const struct sender *sender,
                      size_t n, struct err *err)
{
    struct follow *w = &b->follow;
    const size_t base = b->f->nstate, first_edge = b->f->nedge, first_injection = b->f->ninjection;

    map_clear(&b->way);
    for (size_t i = 0; i < n; i++, b->npair++) {
        ways_clear(&w->ways);
        if (r->route->ways(&w->ways, r, sender[i].name, sender[i].node, target, err) < 0)
            return -1;
        for (size_t k = 0; k < w->ways.n; k++)
            if (follow_tick(w, err) < 0 || route_way(&w->path, r, &w->ways, k, sender[i].node, err) < 0 ||
                add_path(b, r, &sender[i], w->ways.share[k], option, err) < 0)
                return -1;
    }
    return b->f->orbits ? builder_merge(b, base, first_edge, first_injection, err) : 0;
}

/* Of all targets, that part is done with this one. */
int builder_block(struct builder *b, struct routing *r, int option, int target, const struct sender *sender, size_t n,
                  double done, struct err *err)
{
    struct flows *f = b->f;
    const struct flows_block begin = { f->nstate, f->ninjection };

    if (n == 0)
        return 0;
    if ((r->route->next ? block_hops : block_ways)(b, r, option, target, sender, n, err) < 0 ||
        GROW(&b->block_room, f->nblock + 2, "targets", err, GROWN(f->block)) < 0)
        return -1;
    f->block[f->nblock++] = begin;
    f->block[f->nblock] = (struct flows_block){ f->nstate, f->ninjection };
    if (f->nstate - begin.state > f->block_most)
        f->block_most = f->nstate - begin.state;
    b->follow.done = done;
    return tick_check(&b->follow.tick, done, err);
}

/* ---- traffic ---- */

int builder_matrix(struct builder *b, struct routing *r, int option, struct err *err)
{
    const int n = b->net->nterminal, targets = b->by_steps ? 1 : n;
    const struct flows_orbits *o = b->f->orbits;
    struct sender *sender;
    int ret = TAKE("the senders", err, ARRAY(sender, n));

    for (int k = 0; ret == 0 && k < targets; k++) {
        const int target = net_terminal(b->net, k);
        size_t m = 0;

        if (o && o->source_first[o->source_of[k]] != k)
            continue;                           /* those like it stand for it */
        for (int i = 0; i < n; i++) {
            const int node = net_terminal(b->net, i), source = b->by_steps ? 0 : o ? o->source_of[i] : i;
            const double part = !o ? 1 : builder_senders(b, i, k) * o->source_many[o->source_of[k]] /
                o->source_many[source];
            const double share = node == target || part == 0 ? 0 : b->traffic->kind->share(b->traffic, node, target);

            if (share > 0)
                sender[m++] = (struct sender){ source, node, NULL, share * part, part };
        }
        ret = builder_block(b, r, option, target, sender, m, (double)(k + 1) / targets, err);
    }
    free(sender);
    return ret;
}

struct by_target {
    int target, stream, source;
};

ORDER(compare_target, struct by_target, UP(target) UP(stream))

int builder_list(struct builder *b, struct routing *r, int option, struct err *err)
{
    const size_t sources = b->by_steps ? 1 : traffic_sources(b->traffic), n = traffic_first(b->traffic, sources);
    struct by_target *order;
    struct sender *sender;
    int ret = TAKE("the senders", err, ARRAY(order, n), ARRAY(sender, n));
    size_t from = 0;

    for (size_t i = 0; ret == 0 && i < sources; i++)
        for (size_t k = traffic_first(b->traffic, i); k < traffic_first(b->traffic, i + 1); k++)
            order[k] = (struct by_target){ b->traffic->stream[k].target, (int)k, (int)i };
    if (ret == 0)
        qsort(order, n, sizeof *order, compare_target);
    while (ret == 0 && from < n) {
        size_t m = 0;
        const int target = order[from].target;

        for (; from < n && order[from].target == target; from++) {
            const struct stream *c = &b->traffic->stream[order[from].stream];

            sender[m++] = (struct sender){ order[from].source, c->source, c->name, c->share, 1 };
        }
        ret = builder_block(b, r, option, target, sender, m, (double)from / (double)n, err);
    }
    FREE(order, sender);
    return ret;
}
