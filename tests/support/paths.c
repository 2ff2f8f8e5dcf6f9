#include "tests/support/paths.h"

#include <string.h>

#include "tests/support/check.h"
#include "tests/support/nets.h"

static void *more(void *old, size_t n, size_t size)
{
    void *p = (n & (n - 1)) == 0 ? realloc(old, 2 * (n ? n : 1) * size) : old;     /* doubles at powers of two */

    assert_non_null(p);
    return p;
}

static double *reals(size_t n)
{
    double *p = calloc(n + 1, sizeof *p);

    assert_non_null(p);
    return p;
}

/* ---- following ---- */

/* One of the links of the model is as fast as the widest cables together that lead on from there, or lead there. */
static struct link_kind kind_of(struct net *net, int from, int to, int cable)
{
    struct link_kind kind[8], best = { 0, 0 };

    if (from >= 0 && to >= 0) {
        assert_true(nets_between(kind, 8, net, from, to) >= cable);
        return kind[cable - 1];
    }
    for (int v = 0; v < net->n; v++) {
        double sum = 0;

        for (int n = nets_between(kind, 8, net, from < 0 ? to : v, from < 0 ? v : from); n-- > 0;)
            sum += kind[n].bandwidth;
        best.bandwidth = fmax(best.bandwidth, sum);
    }
    return best;
}

static int link_number(struct paths *p, struct net *net, int from, int to, int cable)
{
    for (size_t l = 0; l < p->nlink; l++)
        if (p->link[l][0] == from && p->link[l][1] == to && p->link[l][2] == cable)
            return (int)l;
    p->link = more(p->link, p->nlink, sizeof *p->link);
    p->kind = more(p->kind, p->nlink, sizeof *p->kind);
    p->link[p->nlink][0] = from;
    p->link[p->nlink][1] = to;
    p->link[p->nlink][2] = cable;
    p->kind[p->nlink] = kind_of(net, from, to, cable);
    return (int)p->nlink++;
}

static int port_number(struct paths *p, int link, int in)
{
    for (size_t g = 0; g < p->nport; g++)
        if (p->port_link[g] == link && p->port_in[g] == in)
            return (int)g;
    p->port_link = more(p->port_link, p->nport, sizeof(int));
    p->port_in = more(p->port_in, p->nport, sizeof(int));
    p->port_link[p->nport] = link;
    p->port_in[p->nport] = in;
    return (int)p->nport++;
}

/* Nodes node[0..n), each but the first reached over the cable of that number, 0 for each of them in equal shares: from
 * number `at` on they are written out. */
static void add_path(struct paths *p, struct net *net, int source, double share, const int *node, int *cable, int n,
                     int at)
{
    const int into = p->own && p->own[node[0]], out = p->own && p->own[node[n - 1]], hops = n - 1 + into + out;
    struct link_kind kind[8];
    struct path *path;
    int in = -1 - source;

    while (at < n && cable[at] > 0)
        at++;
    if (at < n) {
        const int cables = nets_between(kind, 8, net, node[at - 1], node[at]);

        assert_true(cables > 0);
        for (cable[at] = 1; cable[at] <= cables; cable[at]++)
            add_path(p, net, source, share / cables, node, cable, n, at + 1);
        cable[at] = 0;
        return;
    }
    p->path = more(p->path, p->npath, sizeof *p->path);
    path = &p->path[p->npath++];
    *path = (struct path){ source, share, hops, p->nway, calloc((size_t)hops, sizeof(int)),
                           calloc((size_t)hops, sizeof(int)) };
    assert_true(path->port && path->state);
    for (int i = 0; i < hops; i++) {
        const int from = i - into;      /* -1: on the way in */
        const int link = link_number(p, net, from < 0 ? -1 : node[from], from + 1 < n ? node[from + 1] : -1,
                                     from < 0 || from + 1 == n ? 0 : cable[from + 1]);

        path->port[i] = port_number(p, link, in);
        in = link;
    }
}

static void follow(struct paths *p, struct routing *r, int source, int target, double share, int *node, int *cable,
                   int n)
{
    struct hop *hop;
    struct err err;
    size_t nhop = 0;

    if (node[n - 1] == target) {
        add_path(p, r->net, source, share, node, cable, n, 1);
        return;
    }
    assert_true(n <= 4 * r->net->n);
    hop = calloc(r->most, sizeof *hop);
    assert_non_null(hop);
    assert_int_equal(r->route->next(hop, &nhop, r, node[n - 1], n > 1 ? node[n - 2] : -1, target, &err), 0);
    for (size_t i = 0; i < nhop; i++) {
        node[n] = hop[i].node;
        cable[n] = hop[i].cable;
        follow(p, r, source, target, share * hop[i].share, node, cable, n + 1);
    }
    free(hop);
}

/* Over the stops of each way, by the routing's base from stop to stop. */
static void follow_ways(struct paths *p, struct routing *r, const char *stream, int source, int target, double share,
                        int *node, int *cable)
{
    struct ways ways = { 0 };
    struct err err;

    assert_int_equal(r->route->ways(&ways, r, stream, node[0], target, &err), 0);
    for (size_t i = 0, at = 0; i < ways.n; i++) {
        int n = 1;

        for (; at < ways.end[i]; at++) {
            for (int in = -1; node[n - 1] != ways.stop[at]; n++) {
                struct hop hop;
                size_t nhop = 0;

                assert_true(n <= 4 * r->net->n);
                assert_int_equal(r->base->route->next(&hop, &nhop, r->base, node[n - 1], in, ways.stop[at], &err), 0);
                assert_int_equal(nhop, 1);
                in = node[n - 1];
                node[n] = hop.node;
                cable[n] = hop.cable;
            }
            if (ways.cable[at])
                cable[n - 1] = ways.cable[at];
        }
        add_path(p, r->net, source, share * ways.share[i], node, cable, n, 1);
        p->nway++;
    }
    ways_release(&ways);
}

static void follow_all(struct paths *p, struct routing *r, const char *stream, int source, int target, double share,
                       int *node)
{
    int *cable = node + 4 * r->net->n + 2;

    if (r->route->next)
        follow(p, r, source, target, share, node, cable, 1);
    else
        follow_ways(p, r, stream, source, target, share, node, cable);
    p->nway++;
}

/* Paths of one way that have come over the same links so far are one state: which of them it will be is still open. */
static void number_states(struct paths *p)
{
    for (size_t a = 0, first = 0; a < p->npath; a++) {
        struct path *path = &p->path[a];
        int known = 0;

        if (path->way != p->path[first].way)
            first = a;
        for (size_t b = first; b < a; b++) {
            const struct path *other = &p->path[b];
            int n = 0;

            for (; n < path->n && n < other->n && path->port[n] == other->port[n]; n++)
                path->state[n] = other->state[n];
            known = n > known ? n : known;
        }
        for (; known < path->n; known++)
            path->state[known] = (int)p->nstate++;
    }
}

void paths_open(struct paths *p, const struct traffic *t, struct routing *r, bool terminals)
{
    const struct net *net = r->net;
    int *node = calloc(8 * (size_t)net->n + 4, sizeof *node);

    assert_non_null(node);
    *p = (struct paths){ .nsource = t->matrix ? net->nterminal : (int)traffic_sources(t) };
    if (terminals) {
        p->own = calloc((size_t)net->n, sizeof *p->own);
        assert_non_null(p->own);
        for (int v = 0; v < net->n; v++)
            p->own[v] = nets_own_switch(r->net, v);
    }
    p->interval = reals((size_t)p->nsource);
    p->time = reals((size_t)p->nsource);
    for (int s = 0; s < p->nsource; s++) {
        p->interval[s] = p->time[s] = NAN;
        node[0] = t->matrix ? net_terminal(net, s) : t->stream[traffic_first(t, (size_t)s)].source;
        for (size_t k = 0; !t->matrix && k < t->nstream; k++) {
            const struct stream *c = &t->stream[k];

            if (k < traffic_first(t, (size_t)s) || k >= traffic_first(t, (size_t)s + 1))
                continue;
            p->interval[s] = c->interval;
            p->time[s] = c->time;
            follow_all(p, r, c->name, s, c->target, c->share, node);
        }
        for (int k = 0; t->matrix && k < net->nterminal; k++) {
            const int target = net_terminal(net, k);
            const double share = target == node[0] ? 0 : t->kind->share(t, node[0], target);

            if (share > 0)
                follow_all(p, r, NULL, s, target, share, node);
        }
    }
    number_states(p);
    p->mass = reals((size_t)p->nsource * p->nport);
    for (size_t i = 0; i < p->npath; i++)
        for (int k = 0; k < p->path[i].n; k++)
            p->mass[(size_t)p->path[i].source * p->nport + (size_t)p->path[i].port[k]] += p->path[i].share;
    free(node);
}

void paths_release(struct paths *p)
{
    for (size_t i = 0; i < p->npath; i++) {
        free(p->path[i].port);
        free(p->path[i].state);
    }
    free(p->path);
    free(p->interval);
    free(p->time);
    free(p->link);
    free(p->kind);
    free(p->port_link);
    free(p->port_in);
    free(p->mass);
    free(p->own);
    *p = (struct paths){ 0 };
}

static size_t link_of(const struct flows *f, size_t port)
{
    size_t l = 0;

    while (f->port_first[l + 1] <= port)
        l++;
    return l;
}

static bool same_link(const int *link, const struct flows *f, size_t l)
{
    const bool ends = link[0] == f->link_from[l] && link[1] == f->link_to[l];

    return ends && (!f->link_cable || f->link_cable[l] == 0 || link[2] == f->link_cable[l]);
}

int paths_port(const struct paths *p, const struct flows *f, size_t port)
{
    const size_t l = link_of(f, port);
    const int in = f->port_in[port];

    for (size_t g = 0; g < p->nport; g++) {
        const int *link = p->link[p->port_link[g]], *before = p->port_in[g] < 0 ? NULL : p->link[p->port_in[g]];

        if (same_link(link, f, l) && (in < 0 ? p->port_in[g] == in : before && same_link(before, f, (size_t)in)))
            return (int)g;
    }
    return -1;
}
