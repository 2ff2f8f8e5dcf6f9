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
    *path = (struct path){ source, share, hops, calloc((size_t)hops, sizeof(int)) };
    assert_non_null(path->port);
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
    p->mass = reals((size_t)p->nsource * p->nport);
    for (size_t i = 0; i < p->npath; i++)
        for (int k = 0; k < p->path[i].n; k++)
            p->mass[(size_t)p->path[i].source * p->nport + (size_t)p->path[i].port[k]] += p->path[i].share;
    free(node);
}

void paths_release(struct paths *p)
{
    for (size_t i = 0; i < p->npath; i++)
        free(p->path[i].port);
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

/* ---- the models ---- */

struct model {
    const struct paths *p;
    const struct switching *how;
    double *time, *rate, *wait, *x, *h, *sum;
    double *common;             /* [g * nport + j], of ports of one link: product of rates of sources at both */
};

static void model_open(struct model *m, const struct paths *p, double interval, double time,
                       const struct switching *how)
{
    *m = (struct model){ p, how, reals((size_t)p->nsource), reals((size_t)p->nsource), reals(p->nport), reals(p->nport),
                         reals(p->nport), reals(p->nport), NULL };
    for (int s = 0; s < p->nsource; s++) {
        m->time[s] = isnan(p->time[s]) ? time : p->time[s];
        m->rate[s] = 1 / (isnan(p->interval[s]) ? interval : p->interval[s]);
    }
}

static void model_release(struct model *m)
{
    free(m->time);
    free(m->rate);
    free(m->wait);
    free(m->x);
    free(m->h);
    free(m->sum);
    free(m->common);
}

/* The time of F flits over a link, and over the slowest of a path. */
static double over_link(const struct model *m, size_t path, int k)
{
    const struct path *p = &m->p->path[path];

    return m->time[p->source] / m->p->kind[m->p->port_link[p->port[k]]].bandwidth;
}

static double over_slowest(const struct model *m, size_t path)
{
    double most = 0;

    for (int k = 0; k < m->p->path[path].n; k++)
        most = fmax(most, over_link(m, path, k));
    return most;
}

static void latencies(const struct model *m, double *latency)
{
    const struct paths *p = m->p;

    for (int s = 0; s < p->nsource; s++)
        latency[s] = 0;
    for (size_t i = 0; i < p->npath; i++) {
        const struct path *path = &p->path[i];
        double all = m->how->stores ? 0 : over_slowest(m, i);

        for (int k = 0; k < path->n; k++)
            all += m->wait[path->port[k]] + (m->how->stores ? over_link(m, i, k) : 0) +
                p->kind[p->port_link[path->port[k]]].length * (m->how->sets_up ? 3 : 1);
        latency[path->source] += path->share * all;
    }
}

/* Rates and mean holds of ports: from the end of each path back. */
static void flow(struct model *m)
{
    const struct paths *p = m->p;

    for (size_t g = 0; g < p->nport; g++)
        m->x[g] = m->h[g] = 0;
    for (size_t i = 0; i < p->npath; i++) {
        const struct path *path = &p->path[i];
        const double x = path->share * m->rate[path->source];
        double ahead = 0;

        for (int k = path->n; k-- > 0;) {
            m->x[path->port[k]] += x;
            m->h[path->port[k]] += x * (m->how->hold ? over_slowest(m, i) + ahead : over_link(m, i, k));
            ahead += m->wait[path->port[k]];
        }
    }
    for (size_t g = 0; g < p->nport; g++)
        m->h[g] /= m->x[g];
}

static double pair_wait(const struct model *m, const double *c, size_t g, size_t j, double least)
{
    const size_t n = m->p->nport;
    const double tg = fmax(1e-9 * least, 1 / m->x[g] - m->h[g] - m->wait[g]);
    const double e = fmax(0, m->wait[j] - c[j * n + g]), p = fmin(1, c[j * n + g] / m->h[g]);
    const double a = e > 0 ? (1 - p) * e / (tg + e) + p * (e / 2) / (tg + e / 2) : 0;
    double common = 0;

    for (int s = 0; s < m->p->nsource; s++)
        common += m->p->mass[(size_t)s * n + g] * m->p->mass[(size_t)s * n + j] * m->rate[s] * m->rate[s];
    return fmin(m->h[j], fmax(0, (m->x[j] - common / m->x[g]) / m->x[g]) *
                             (m->h[j] + (1 - a) * tg * expm1(-m->h[j] / tg)));
}

bool paths_closed(const struct paths *p, double interval, double time, const struct switching *how, double *latency)
{
    const size_t n = p->nport;
    double *c = reals(n * n), least = INFINITY, change = INFINITY;
    struct model m;

    model_open(&m, p, interval, time, how);
    for (int s = 0; s < p->nsource; s++)
        least = fmin(least, m.time[s]);
    for (int round = 0; round < 20000 && !(change < 1e-11 * least); round++) {
        double *after = reals(n * n);

        for (size_t g = 0; g < n; g++) {
            m.wait[g] = 0;
            for (size_t j = 0; j < n; j++)
                m.wait[g] += c[g * n + j];
        }
        latencies(&m, latency);
        for (int s = 0; s < p->nsource; s++)
            m.rate[s] = 1 / ((isnan(p->interval[s]) ? interval : p->interval[s]) + latency[s]);
        flow(&m);
        change = 0;
        for (size_t g = 0; g < n; g++)
            for (size_t j = 0; j < n; j++)
                if (g != j && p->port_link[g] == p->port_link[j]) {
                    after[g * n + j] = pair_wait(&m, c, g, j, least);
                    change = fmax(change, fabs(after[g * n + j] - c[g * n + j]));
                }
        for (size_t i = 0; i < n * n; i++)
            c[i] += 0.4 * (after[i] - c[i]);
        free(after);
    }
    free(c);
    model_release(&m);
    for (int i = 0; i < p->nsource; i++)            /* waits that grow without end end as no numbers, which do not
                                                     * change */
        if (!isfinite(latency[i]))
            return false;
    return change < 1e-11 * least;
}

bool paths_open_sources(const struct paths *p, double interval, double time, const struct switching *how,
                        double *latency)
{
    double *x = reals(p->nlink), *h = reals(p->nlink), *t = reals(p->nlink), change = INFINITY;
    bool fits = true;
    struct model m;

    model_open(&m, p, interval, time, how);
    for (int round = 0; round < 100000 && fits && !(change < 1e-11 * time); round++) {
        flow(&m);
        memset(x, 0, p->nlink * sizeof *x);
        memset(h, 0, p->nlink * sizeof *h);
        memset(t, 0, p->nlink * sizeof *t);
        for (size_t i = 0; i < p->npath; i++)
            for (int k = 0; k < p->path[i].n; k++)
                t[p->port_link[p->path[i].port[k]]] += p->path[i].share * m.rate[p->path[i].source] *
                    (how->hold ? over_slowest(&m, i) : over_link(&m, i, k));
        for (size_t g = 0; g < p->nport; g++) {
            x[p->port_link[g]] += m.x[g];
            h[p->port_link[g]] += m.x[g] * m.h[g];
        }
        change = 0;
        for (size_t g = 0; g < p->nport; g++) {
            const int l = p->port_link[g];
            const double mean = h[l] / x[l], spread = mean - t[l] / x[l];
            const double wait = (1 - m.x[g] / x[l]) * x[l] * (mean * mean + spread * spread) / (2 * (1 - x[l] * mean));

            fits = fits && h[l] < 1;
            change = fmax(change, fabs(wait - m.wait[g]));
            m.wait[g] = wait;
        }
    }
    latencies(&m, latency);
    free(x);
    free(h);
    free(t);
    model_release(&m);
    return fits && change < 1e-11 * time;
}
