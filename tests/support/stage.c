#include "tests/support/stage.h"

#include "tests/support/check.h"
#include "tests/support/nets.h"
#include "tests/support/paths.h"

#define STAGE_CABLES 8              /* of a pair of nodes, at most */

static struct err err;

static void *zeros(int n, size_t size)
{
    void *p = calloc((size_t)n + 1, size);

    assert_non_null(p);
    return p;
}

static void number_links(struct stage *g, struct net *net)
{
    struct link_kind kind[STAGE_CABLES];
    int n = 0;

    g->nnode = net->n;
    g->first = zeros(net->n * net->n, sizeof *g->first);
    g->cables = zeros(net->n * net->n, sizeof *g->cables);
    g->bandwidth = zeros(net->n * net->n * STAGE_CABLES, sizeof *g->bandwidth);
    g->length = zeros(net->n * net->n * STAGE_CABLES, sizeof *g->length);
    for (int from = 0; from < net->n; from++)
        for (int to = 0; to < net->n; to++) {
            const int pair = from * net->n + to;

            g->first[pair] = n;
            g->cables[pair] = from == to ? 0 : nets_between(kind, STAGE_CABLES, net, from, to);
            for (int i = 0; i < g->cables[pair]; i++, n++) {
                g->bandwidth[n] = kind[i].bandwidth;
                g->length[n] = kind[i].length;
            }
        }
    g->scene.nlink = n;
    g->scene.bandwidth = g->bandwidth;
    g->scene.length = g->length;
}

/* `cable` as of a hop: 0 any. */
static void add_step(const struct stage *g, struct twin_way *way, int from, int to, int cable)
{
    const int pair = from * g->nnode + to;

    assert_true(way->n < TWIN_HOPS && g->cables[pair] > 0 && cable <= g->cables[pair]);
    way->step[way->n++] = (struct twin_step){ g->first[pair] + (cable ? cable - 1 : 0), cable ? 1 : g->cables[pair] };
}

void stage_open(struct stage *g, struct trial *c, enum twin_switching how, double flits, double hop_time)
{
    const int n = c->where.n;
    struct route_path path = { 0 };

    *g = (struct stage){ .scene = { .switching = how, .flits = flits, .hop_time = hop_time, .processes = n,
                                    .ports = c->how.ports, .blocking = c->how.blocking, .first = c->tree.first,
                                    .child = c->tree.child } };
    number_links(g, c->net);
    g->way = zeros(n * n, sizeof *g->way);
    for (int from = 0; from < n; from++)
        for (int to = 0; to < n; to++) {
            if (from == to)
                continue;
            if (route_path(&path, &c->routing, c->where.node[from], c->where.node[to], &err) < 0)
                fail_msg("%s", err.msg);
            for (size_t i = 1; i < path.n; i++)
                add_step(g, &g->way[from * n + to], path.node[i - 1], path.node[i], path.cable[i]);
        }
    g->scene.way = g->way;
    route_path_release(&path);
}

void stage_background(struct stage *g, const struct traffic *t, struct routing *r, double interval, bool open)
{
    struct paths p;
    int n = 0;

    paths_open(&p, t, r, false);
    g->source = zeros(p.nsource, sizeof *g->source);
    g->background = zeros((int)p.npath, sizeof *g->background);
    for (int s = 0; s < p.nsource; s++) {
        g->source[s] = (struct twin_source){ open, isnan(p.interval[s]) ? interval : p.interval[s],
                                             isnan(p.time[s]) ? g->scene.flits : p.time[s], 0, &g->background[n] };
        for (size_t i = 0; i < p.npath; i++) {
            if (p.path[i].source != s)
                continue;
            g->background[n].share = p.path[i].share;
            for (int k = 0; k < p.path[i].n; k++) {
                const int *link = p.link[p.port_link[p.path[i].port[k]]];

                add_step(g, &g->background[n], link[0], link[1], link[2]);
            }
            g->source[s].nway++;
            n++;
        }
    }
    g->scene.nsource = p.nsource;
    g->scene.source = g->source;
    paths_release(&p);
}

void stage_traffic(struct stage *g, struct trial *c, const char *traffic, const char *routing, double interval,
                   bool open)
{
    struct traffic t;
    struct routing r;

    if (traffic_open(&t, c->net, traffic, &err) < 0 || routing_open(&r, c->net, routing, &err) < 0)
        fail_msg("%s, %s: %s", traffic, routing ? routing : "usual routing", err.msg);
    stage_background(g, &t, &r, interval, open);
    routing_close(&r);
    traffic_release(&t);
}

void stage_release(struct stage *g)
{
    free(g->first);
    free(g->cables);
    free(g->bandwidth);
    free(g->length);
    free(g->way);
    free(g->background);
    free(g->source);
    *g = (struct stage){ 0 };
}

void stage_run_idle(struct twin_result *r, struct stage *g, const struct twin_root *root, int n)
{
    g->scene.root = root;
    g->scene.nroot = n;
    twin_run(r, &g->scene, (struct twin_how){ .details = true });
}
