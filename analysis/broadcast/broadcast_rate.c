/* broadcast_rate.c -- how fast long messages can be broadcast (broadcast_rate.h has the rules and sources).
 * 1. arcs                   the network for maximum flows: the source to each process, links, and for nodes whose ports
 *                           bind a capacity of their own (the node split in two)
 * 2. cuts round one node    what enters a process, what leaves the root
 * 3. all cuts               maximum flows from the root to each process, and from all processes
 * 4. all of it              in closed form where nodes are all alike; broadcast_all.c has the steps of all-to-all */
#include "analysis/broadcast/broadcast_rate.h"

#include <igraph.h>

#include "analysis/broadcast/broadcast_all.h"
#include "graph/igraph_bytes.h"

/* ---- arcs ---- */

struct side {                       /* links of a node one way; those of one trunk are one */
    double sum, widest, limit;      /* limit: the least of sum and what ports let through */
    double messages, most;          /* the first two of whole messages a step */
};
struct arcs {
    struct trunks trunks;
    igraph_t graph;
    igraph_vector_t given;          /* capacity of every arc; 0 of those from the source */
    igraph_vector_t capacity;       /* as scaled for the flow at hand */
    igraph_vector_int_t far;        /* nodes behind the last cut */
    struct side *in, *out;          /* by node */
    int *enter, *leave;             /* by node: where its links end and begin in `graph` */
    unsigned char *behind;          /* by node of `graph` */
    int n, nprocess, source;
    double narrowest;
    bool made, whole;               /* capacities are whole numbers */
    bool even;                      /* the same both ways */
};

static void arcs_release(struct arcs *a)
{
    if (a->made)
        igraph_destroy(&a->graph);
    trunks_release(&a->trunks);
    igraph_vector_destroy(&a->given);
    igraph_vector_destroy(&a->capacity);
    igraph_vector_int_destroy(&a->far);
    FREE(a->in, a->out, a->enter, a->leave, a->behind);
}

static void broadcast_rate_widen(struct side *s, double capacity, int messages)
{
    s->sum += capacity;
    s->widest = fmax(s->widest, capacity);
    s->messages += messages;
    s->most = fmax(s->most, messages);
}

static void measure_sides(struct arcs *a, const struct broadcast_request *q)
{
    const struct csr *links = a->trunks.csr;

    for (int u = 0; u < links->n; u++)
        for (size_t k = links->first[u]; k < links->first[u + 1]; k++) {
            const double c = trunks_bandwidth(&a->trunks, k);
            const int messages = broadcast_messages(&a->trunks, k);

            a->whole = a->whole && c == floor(c);
            a->even = a->even && (cables_alike(&q->net->cables) ||
                                  c == trunks_bandwidth(&a->trunks, csr_link(links, links->to[k], u)));
            a->narrowest = fmin(a->narrowest, c);
            broadcast_rate_widen(&a->out[u], c, messages);
            broadcast_rate_widen(&a->in[links->to[k]], c, messages);
        }
    for (int v = 0; v < q->net->n; v++) {
        a->in[v].limit = a->in[v].sum;
        a->out[v].limit = a->out[v].sum;
    }
    for (int p = 0; q->ports && p < q->where->n; p++) {
        struct side *in = &a->in[q->where->node[p]], *out = &a->out[q->where->node[p]];

        in->limit = fmin(in->sum, q->ports * in->widest);
        in->messages = fmin(in->messages, q->ports * in->most);
        out->limit = fmin(out->sum, q->ports * out->widest);
    }
}

static void add_arc(igraph_vector_int_t *end, igraph_vector_t *given, igraph_integer_t *at, int from, int to,
                    double capacity)
{
    VECTOR(*end)[2 * *at] = from;
    VECTOR(*end)[2 * *at + 1] = to;
    VECTOR(*given)[(*at)++] = capacity;
}

static int list_arcs(struct arcs *a, igraph_vector_int_t *end, const struct broadcast_request *q, struct err *err)
{
    const struct csr *links = a->trunks.csr;
    igraph_integer_t at = 0, narc = a->nprocess + (igraph_integer_t)links->m;

    a->n = a->source + 1;
    for (int v = 0; v < q->net->n; v++) {       /* node splitting: ports that bind are an arc's capacity */
        a->enter[v] = a->in[v].limit < a->in[v].sum ? a->n++ : v;
        a->leave[v] = a->out[v].limit < a->out[v].sum ? a->n++ : v;
        narc += (a->enter[v] != v) + (a->leave[v] != v);
    }
    if (net_status(igraph_vector_int_resize(end, 2 * narc), "flows", err) < 0 ||
        net_status(igraph_vector_resize(&a->given, narc), "flows", err) < 0 ||
        net_status(igraph_vector_resize(&a->capacity, narc), "flows", err) < 0)
        return -1;
    for (int p = 0; p < a->nprocess; p++)
        add_arc(end, &a->given, &at, a->source, q->where->node[p], 0);
    for (int u = 0; u < links->n; u++)
        for (size_t k = links->first[u]; k < links->first[u + 1]; k++)
            add_arc(end, &a->given, &at, a->leave[u], a->enter[links->to[k]], trunks_bandwidth(&a->trunks, k));
    for (int v = 0; v < q->net->n; v++) {
        if (a->enter[v] != v)
            add_arc(end, &a->given, &at, a->enter[v], v, a->in[v].limit);
        if (a->leave[v] != v)
            add_arc(end, &a->given, &at, v, a->leave[v], a->out[v].limit);
    }
    return 0;
}

/* Splitting a node both ways adds two nodes and two arcs. */
static double arcs_bytes(const struct arcs *a, const struct broadcast_request *q, const igraph_t *graph)
{
    const double links = (double)igraph_ecount(graph) * (q->net->directed ? 1 : 2), processes = q->where->n;
    const double split = q->ports ? 2 * processes : 0, nodes = q->net->n + 1 + split, arcs = links + processes + split;

    return igraph_bytes_create(nodes, arcs) +
        (processes * arcs <= BROADCAST_FLOWS ? igraph_bytes_flow(nodes, arcs) : 0) + 2 * sizeof(igraph_real_t) * arcs +
        csr_init_bytes(graph) +
        q->net->n * (double)(sizeof *a->in + sizeof *a->out + sizeof *a->enter + sizeof *a->leave +
                             3 * sizeof *a->behind);
}

static int arcs_open(struct arcs *a, const struct broadcast_request *q, struct err *err)
{
    const size_t n = (size_t)q->net->n;
    igraph_vector_int_t end = { 0 };
    const igraph_t *graph;
    int ret = -1;

    a->nprocess = q->where->n;
    a->source = q->net->n;
    a->whole = true;
    a->even = !q->net->directed;
    a->narrowest = INFINITY;
    if (net_graph(q->net, &graph, err) < 0 || mem_need(arcs_bytes(a, q, graph), q->net->spec, err) < 0 ||
        trunks_open_net(&a->trunks, q->net, false, err) < 0)
        return -1;
    if (TAKE(q->net->spec, err, ZEROS(a->in, n), ZEROS(a->out, n), ARRAY(a->enter, n), ARRAY(a->leave, n),
             ZEROS(a->behind, 3 * n + 1)) < 0)
        return -1;
    measure_sides(a, q);
    if (net_status(igraph_vector_int_init(&end, 0), "flows", err) == 0 &&
        net_status(igraph_vector_init(&a->given, 0), "flows", err) == 0 &&
        net_status(igraph_vector_init(&a->capacity, 0), "flows", err) == 0 &&
        net_status(igraph_vector_int_init(&a->far, 0), "flows", err) == 0 &&
        list_arcs(a, &end, q, err) == 0 &&
        net_status(igraph_create(&a->graph, &end, a->n, IGRAPH_DIRECTED), "flows", err) == 0) {
        a->made = true;
        ret = 0;
    }
    igraph_vector_int_destroy(&end);
    return ret;
}

/* Capacities times `scale`, and nothing yet from the source. More than all of them together, which no least cut
 * holds. */
static double scale_arcs(struct arcs *a, double scale)
{
    const igraph_integer_t narc = igraph_vector_size(&a->given);
    double all = 1;

    for (igraph_integer_t i = a->nprocess; i < narc; i++)
        all += VECTOR(a->capacity)[i] = scale * VECTOR(a->given)[i];
    return all;
}

/* The flow from the source to a process's node, and the cut behind which that lies. */
static int broadcast_rate_flow_to(struct arcs *a, double *flow, struct broadcast_cut *cut,
                                  const struct broadcast_request *q, int node, struct err *err)
{
    if (net_status(igraph_maxflow(&a->graph, flow, NULL, NULL, NULL, &a->far, a->source, node, &a->capacity, NULL),
                   "flows", err) < 0)
        return -1;
    for (int v = 0; v < a->n; v++)
        a->behind[v] = 0;
    for (igraph_integer_t i = 0; i < igraph_vector_int_size(&a->far); i++)
        a->behind[VECTOR(a->far)[i]] = 1;
    *cut = (struct broadcast_cut){ .node = -1 };
    for (int v = 0; v < q->net->n; v++)
        cut->nodes += a->behind[v];
    for (int v = q->net->n - 1; v >= 0; v--)
        if (a->behind[v] == (cut->nodes == 1 || cut->nodes != q->net->n - 1))
            cut->node = v;
    for (int p = 0; p < a->nprocess; p++)
        cut->processes += a->behind[q->where->node[p]];
    for (igraph_integer_t i = a->nprocess; i < igraph_vector_size(&a->given); i++)
        if (!a->behind[IGRAPH_FROM(&a->graph, i)] && a->behind[IGRAPH_TO(&a->graph, i)])
            cut->capacity += VECTOR(a->given)[i];
    return 0;
}

/* ---- cuts round one node ---- */

static struct broadcast_cut round_node(const struct arcs *a, int node)
{
    return (struct broadcast_cut){ a->in[node].limit, 1, 1, node };
}

/* Everything but one node, which has a process. */
static struct broadcast_cut off_node(const struct arcs *a, const struct broadcast_request *q, int node)
{
    return (struct broadcast_cut){ a->out[node].limit, q->net->n - 1, a->nprocess - 1,
                                   q->net->n == 2 ? 1 - node : node };
}

static double all_rate_of(const struct broadcast_cut *c, const struct broadcast_request *q)
{
    return c->capacity / (q->where->n - c->processes);
}

static void least_round_nodes(struct broadcast_rate *r, const struct arcs *a, const struct broadcast_request *q)
{
    for (int p = 0; p < a->nprocess; p++) {
        const struct broadcast_cut round = round_node(a, q->where->node[p]), off = off_node(a, q, q->where->node[p]);

        if (p != q->root && (!r->cut.nodes || round.capacity < r->cut.capacity))
            r->cut = round;
        if (!r->all_cut.nodes || all_rate_of(&round, q) < all_rate_of(&r->all_cut, q))
            r->all_cut = round;
        if (all_rate_of(&off, q) < all_rate_of(&r->all_cut, q))
            r->all_cut = off;
        if (p == q->root && (!r->cut.nodes || off.capacity < r->cut.capacity))
            r->cut = off;
    }
}

/* ---- all cuts ---- */

/* Whether `least` reaches a node from those that have joined the source over one node between, each taken once: then no
 * smaller cut parts them. Where ports bind (nodes are split) it is not looked at. */
static bool flows_near(const struct arcs *a, const struct csr *back, const double *joined, const unsigned char *in,
                       int node, double least)
{
    double flow = 0;

    for (size_t k = back->first[node]; a->n == a->source + 1 && k < back->first[node + 1] && flow < least; k++) {
        const int from = back->to[k];
        const double arc = trunks_bandwidth(&a->trunks, csr_link(a->trunks.csr, from, node));

        flow += in[from] ? arc : fmin(arc, joined[from]);
    }
    return flow >= least;
}

/* A node joins the source: what reaches others from those that have. */
static void flows_join(struct arcs *a, double *joined, unsigned char *in, int node)
{
    const struct csr *links = a->trunks.csr;

    in[node] = 1;
    for (size_t k = links->first[node]; k < links->first[node + 1]; k++)
        joined[links->to[k]] += trunks_bandwidth(&a->trunks, k);
}

/* Who is known to lie behind no smaller cut joins the source: no cut parts them any more. */
static int flows_from_root(struct broadcast_rate *r, struct arcs *a, const struct broadcast_request *q,
                           const struct tick *t, struct err *err)
{
    const double endless = scale_arcs(a, 1);
    struct csr back = { 0 };
    double *joined = NULL;              /* by node */
    unsigned char *in = NULL;
    const igraph_t *graph;
    int ret = -1;

    if (net_graph(q->net, &graph, err) < 0 || csr_init(&back, graph, true, err) < 0 ||
        TAKE("flows", err, ZEROS(joined, q->net->n), ZEROS(in, q->net->n)) < 0)
        goto done;
    for (int p = 0; p < a->nprocess; p++)
        VECTOR(a->capacity)[p] = p == q->root ? endless : 0;
    flows_join(a, joined, in, q->where->node[q->root]);
    for (int p = 0; p < a->nprocess; p++) {
        const int node = q->where->node[p];
        struct broadcast_cut cut;
        double flow;

        if (p == q->root)
            continue;
        if (tick(t, (double)p / a->nprocess)) {
            err_stopped(err);
            goto done;
        }
        if (!flows_near(a, &back, joined, in, node, r->cut.capacity)) {
            if (broadcast_rate_flow_to(a, &flow, &cut, q, node, err) < 0)
                goto done;
            if (cut.capacity < r->cut.capacity)
                r->cut = cut;
        }
        VECTOR(a->capacity)[p] = endless;
        flows_join(a, joined, in, node);
    }
    ret = 0;
done:
    csr_release(&back);
    FREE(joined, in);
    return ret;
}

/* Each process fed at the best rate so far, capacity / outside; capacities times `outside`, so that all numbers stay
 * whole. */
static double broadcast_rate_feed(struct arcs *a, const struct broadcast_rate *r, int verified)
{
    const double outside = a->nprocess - r->all_cut.processes,
        endless = scale_arcs(a, outside) + r->all_cut.capacity * a->nprocess;

    for (int p = 0; p < a->nprocess; p++)
        VECTOR(a->capacity)[p] = p < verified ? endless : r->all_cut.capacity;
    return endless;
}

static int flows_from_all(struct broadcast_rate *r, struct arcs *a, const struct broadcast_request *q,
                          const struct tick *t, struct err *err)
{
    double endless = broadcast_rate_feed(a, r, 0);

    for (int p = 0; p < a->nprocess && r->all_cut.capacity > 0;) {
        struct broadcast_cut cut;
        double flow;

        if (tick(t, (double)p / a->nprocess))
            return err_stopped(err);
        if (broadcast_rate_flow_to(a, &flow, &cut, q, q->where->node[p], err) < 0)
            return -1;
        if (cut.processes < a->nprocess &&
            all_rate_of(&cut, q) < all_rate_of(&r->all_cut, q) * (a->whole ? 1 : 1 - 1e-12)) {
            r->all_cut = cut;
            endless = broadcast_rate_feed(a, r, p);
        } else {
            VECTOR(a->capacity)[p++] = endless;
        }
    }
    return 0;
}

static int by_arcs(struct broadcast_rate *r, const struct broadcast_request *q, double *fewest_in, struct err *err)
{
    const struct tick first = tick_part(q->tick, 0.2, 0.6), second = tick_part(q->tick, 0.6, 1);
    struct arcs a = { 0 };
    double work, least;             /* least: what every cut holds, where it is known */
    int ret = -1;

    if (arcs_open(&a, q, err) < 0)
        goto done;
    for (int p = 0; p < a.nprocess; p++)
        *fewest_in = fmin(*fewest_in, a.in[q->where->node[p]].messages);
    least_round_nodes(r, &a, q);
    work = (double)a.nprocess * (double)igraph_vector_size(&a.given);
    least = q->shortcuts && !isnan(r->diameter) ? a.narrowest : 0;
    if (r->cut.capacity > least) {
        r->all_cuts = work <= BROADCAST_FLOWS;
        if (r->all_cuts && flows_from_root(r, &a, q, &first, err) < 0)
            goto done;
        if (r->all_cuts && q->shortcuts && a.even)                  /* no cut between processes is smaller */
            least = r->cut.capacity;
    }
    /* no cut has more processes outside than all but one */
    if (least / (a.nprocess - 1) < all_rate_of(&r->all_cut, q)) {
        r->all_cuts = work <= BROADCAST_FLOWS;
        if (r->all_cuts && flows_from_all(r, &a, q, &second, err) < 0)
            goto done;
    }
    ret = 0;
done:
    arcs_release(&a);
    return ret;
}

/* ---- all of it ---- */

/* Nodes and links all alike, a process on each, all within reach. */
static int by_symmetry(struct broadcast_rate *r, const struct broadcast_request *q, double *fewest_in, struct err *err)
{
    const int n = q->net->n, degree = group_degree(q->net->group), ported = q->ports && q->ports < degree ? q->ports :
        degree;
    const double bandwidth = q->net->cables.kind ? q->net->cables.kind->bandwidth : 1;
    uint32_t *D = malloc((size_t)n * sizeof *D);
    int ret = D ? group_distances(q->net->group, D, err) : err_memory(err);

    r->diameter = 0;
    for (int v = 0; ret == 0 && v < n && !isnan(r->diameter); v++) {
        r->diameter = D[v] == UINT32_MAX ? NAN : fmax(r->diameter, (double)D[v]);
        r->hops += (double)n * D[v];
    }
    free(D);
    *fewest_in = ported * floor(bandwidth);
    r->cut = r->all_cut = (struct broadcast_cut){ isnan(r->diameter) ? 0 : ported * bandwidth, 1, 1, q->root == 0 };
    r->all_cuts = true;
    return ret;
}

static int broadcast_rate_find(struct broadcast_rate *out, const struct broadcast_request *q, int jobs, struct err *err)
{
    struct broadcast_rate r = { .rate = INFINITY, .all_rate = INFINITY, .all_cuts = true };
    const bool alike = q->shortcuts && q->net->group && cables_alike(&q->net->cables) && q->where->n == q->net->n;
    double fewest_in = INFINITY;

    if (broadcast_root(q->root, q->where->n, q->where, err) < 0)
        return -1;
    if (q->ports < 0)
        return err_set(err, ERR_DOMAIN, "%d ports: at least one, or all", q->ports);
    if (q->where->n > 1) {
        if (alike ? by_symmetry(&r, q, &fewest_in, err) < 0 :
                    broadcast_all_diameter(&r, q, jobs, err) < 0 || by_arcs(&r, q, &fewest_in, err) < 0)
            return -1;
        r.rate = r.cut.capacity;
        r.all_rate = all_rate_of(&r.all_cut, q);
        if (broadcast_all_steps(&r, q, fewest_in, err) < 0)
            return -1;
    }
    *out = r;
    return 0;
}

int broadcast_rate(struct broadcast_rate *out, struct net *net, const struct placement *where, int root, int ports,
                   int jobs, const struct tick *t, struct err *err)
{
    return broadcast_rate_find(out, &(struct broadcast_request){ net, where, root, ports, true, t }, jobs, err);
}

int broadcast_rate_by_flows(struct broadcast_rate *out, struct net *net, const struct placement *where, int root,
                            int ports, int jobs, const struct tick *t, struct err *err)
{
    return broadcast_rate_find(out, &(struct broadcast_request){ net, where, root, ports, false, t }, jobs, err);
}
