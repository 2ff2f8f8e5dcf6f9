#include "cli/primitive/primitive.h"
#include "graph/base/jobs.h"

void place_release(struct place *p)
{
    wiring_release(&p->w);
    primitive_scene_release(&p->s);
    if (p->routed)
        routing_close(&p->routing);
    FREE(p->wire, p->within, p->origin, p->facts);
}

/* Marks the links of a tree that is given as a network: its nodes by their names. */
static int place_tree_file(struct place *p, const char *spec, struct err *err)
{
    struct net *net = p->j->net, *tree = NULL;
    struct wire *wire = NULL;
    char label[NET_LABEL];
    size_t m = 0;
    int node[2], ret = net_open(&tree, spec, err) < 0 ? -1 : wires_nodes(&wire, &m, tree, 0, 0, err);

    for (size_t k = 0; ret == 0 && k < m; k++) {
        uint32_t half;

        for (int end = 0; ret == 0 && end < 2; end++)
            ret = net_node(net, net_label(tree, end ? wire[k].b : wire[k].a, label), &node[end], err);
        if (ret == 0 && lading_half(&half, &p->w, node[0], node[1], err) < 0)
            ret = err_set(err, ERR_DOMAIN, "--tree %.100s joins nodes %s and %s, which no cable of %.100s does", spec,
                          net_label(tree, wire[k].a, label), net_label(tree, wire[k].b, (char[NET_LABEL]){ 0 }),
                          net->spec);
        if (ret == 0)
            p->within[p->w.rank[half]] = true;
    }
    if (ret == 0 && m >= (size_t)net->n)
        ret = err_set(err, ERR_DOMAIN, "--tree %.100s has %zu cables; a tree of %d nodes has %d", spec, m, net->n,
                      net->n - 1);
    free(wire);
    net_close(tree);
    return ret;
}

static int place_tree(struct place *p, struct err *err)
{
    const char *tree = ((const struct request *)p->j->request)->tree;

    if (!tree || strcmp(tree, "breadth-first") == 0)
        return 0;
    return TAKE("the tree", err, ZEROS(p->within, p->w.m + 1)) < 0 ? -1 :
        strcmp(tree, "minimum-spanning") == 0 ? primitive_spanning(p->within, &p->w, err) :
        place_tree_file(p, tree, err);
}

/* The farthest terminal from the origin, the first of them. */
static int place_farthest(const struct primitive_scene *s, const struct net *net)
{
    int far = s->origin;

    for (int i = 0; i < net->nterminal; i++)
        if (s->hops[net_terminal(net, i)] > s->hops[far])
            far = net_terminal(net, i);
    return far;
}

/* Over the way of a routing; else the shortest. */
static int place_way(struct place *p, struct primitive_scene *s, struct primitive_facts *f, struct err *err)
{
    struct route_path path = { 0 };
    uint32_t half;
    int ret = 0;

    if (!p->routed || s->origin == s->target)
        return 0;
    ret = route_path(&path, &p->routing, s->origin, s->target, err);
    for (int v = 0; v < p->w.n; v++)
        s->way[v] = -1;
    for (size_t i = 0; ret == 0 && i + 1 < path.n; i++) {
        ret = lading_half(&half, &p->w, path.node[i], path.node[i + 1], err);
        s->way[path.node[i]] = half;
        f->distance = (double)i + 1;
    }
    route_path_release(&path);
    return ret;
}

int place_scene(struct primitive_scene *s, struct place *p, int at, struct err *err)
{
    const struct request *q = p->j->request;
    struct primitive_facts *f = &p->facts[at];
    int target;

    if (primitive_scene_open(s, &p->w, p->within, p->origin[at], err) < 0)
        return -1;
    target = place_farthest(s, p->j->net);
    if (q->target && net_node(p->j->net, q->target, &target, err) < 0)
        return -1;
    primitive_aim(s, target);
    primitive_facts(f, s);
    f->back = !q->no_back;
    return place_way(p, s, f, err);
}

static int place_facts(void *arg, int, size_t part, const struct tick *tick, struct err *err)
{
    struct place *p = arg;
    const struct request *q = p->j->request;
    struct primitive_scene s = { 0 };
    int ret;

    if (p->j->net->group && !p->within && !p->routed && !q->target) {
        p->facts[part + 1] = p->facts[0];       /* every node sees the same network */
        return 0;
    }
    ret = place_scene(&s, p, (int)part + 1, err);
    primitive_scene_release(&s);
    return ret < 0 ? -1 : tick_check(tick, 1, err);
}

int place_threads(const struct place *p)
{
    return p->routed ? 1 : jobs_threads(p->j->o->jobs, SIZE_MAX);
}

int place_open(struct place *p, struct job *j, struct err *err)
{
    const struct request *q = j->request;
    const struct cables *c = &j->net->cables;
    const bool unit = q->delays != DELAYS_LATENCIES, all = q->origin && strcmp(q->origin, "all") == 0;
    size_t m = 0;

    p->j = j;
    p->rate = c->rate > 0 ? c->rate / 8 : q->rate;
    p->norigin = all ? j->net->nterminal : 1;
    if (TAKE("the origins", err, ARRAY(p->origin, p->norigin), ARRAY(p->facts, p->norigin)) < 0)
        return -1;
    for (int i = 0; i < p->norigin; i++)
        p->origin[i] = net_terminal(j->net, i);
    if ((q->origin && !all && net_node(j->net, q->origin, &p->origin[0], err) < 0) ||
        wires_nodes(&p->wire, &m, j->net, unit ? 1 : q->cable, unit ? 0 : c->times, err) < 0 ||
        wiring_open(&p->w, j->net->n, p->wire, m, err) < 0 || place_tree(p, err) < 0 ||
        (q->many.routing && !q->many.traffic.n && routing_open(&p->routing, j->net, q->many.routing, err) < 0))
        return -1;
    p->routed = q->many.routing && !q->many.traffic.n;
    p->least = INFINITY;
    for (size_t h = 0; h < 2 * p->w.m; h++) {
        p->least = fmin(p->least, p->w.latency[h]);
        p->wide = fmax(p->wide, p->w.bandwidth[h]);
    }
    return place_scene(&p->s, p, 0, err) < 0 || jobs_run((size_t)p->norigin - 1, place_threads(p), place_facts, p,
                                                         &j->tick, err) < 0 ? -1 : 0;
}

struct primitive_how place_how(const struct place *p, const struct job *j, double bytes)
{
    const struct request *q = j->request;
    const bool unit = q->delays != DELAYS_LATENCIES;
    const double byte = unit ? 0 : 1 / p->rate;

    return (struct primitive_how){
        .service = { .decide = unit ? 0 : q->r, .ack = unit ? NAN : q->control * byte }, .message = bytes * byte,
        .confirm = q->control * byte, .request = q->ask * byte, .flit = fmin(bytes, q->flit) * byte,
        .repeat = q->repeat, .every = q->apart, .text = (enum primitive_text)q->text, .back = !q->no_back,
        .seed = q->delays == DELAYS_RANDOM ? j->o->seed | 1 : 0, .tick = &j->tick
    };
}
