/* What tables of `metapath fabric` reach, and better ones in a file. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/bound/throughput.h"
#include "analysis/fabric/balanced.h"
#include "cli/fabric/fabric.h"
#include "graph/base/file.h"

int fabric_theta(double theta[2], const struct fabric_scene *s, struct net *net, struct routing *r,
                 const double *capacity, const struct tick *tick, struct err *err)
{
    const struct throughput_options o = { .gap = 0.001, .capacity = capacity, .tick = tick };
    struct throughput t = { 0 };
    struct traffic traffic = { 0 };
    struct demand d = { 0 };
    int ret = -1;

    if (load_traffic(&traffic, net, s->q->traffic, capacity, NULL, err) == 0 &&
        demand_open(&d, &traffic, 1, tick, err) == 0)
        ret = r ? throughput_of_routing(&t, net, &d, r, &o, err) : throughput_open(&t, net, &d, &o, err);
    theta[0] = t.theta;
    theta[1] = t.bound;
    throughput_close(&t);
    demand_close(&d);
    traffic_release(&traffic);
    return ret;
}

/* "source","target","a>leaf>spine:2>b", as tables of paths have it: in quotes, since names may hold commas. */
static int better_pair(FILE *to, const struct cluster *c, const struct route_path *way, struct err *err)
{
    char label[2][NET_LABEL];
    const char *first = net_label(c->net, way->node[0], label[0]);

    fprintf(to, "\"%s\",\"%s\",\"%s", first, net_label(c->net, way->node[way->n - 1], label[1]), first);
    for (size_t h = 1; h < way->n; h++) {
        char *end = cluster_link_end(c, way->node[h - 1], way->node[h], way->cable[h]);

        if (!end)
            return err_memory(err);
        fprintf(to, ">%s", end);
        free(end);
    }
    fputs("\"\n", to);
    return 0;
}

static int better_write(const struct cluster *c, struct routing *r, const char *path, struct err *err)
{
    const struct net *net = c->net;
    struct route_path way = { 0 };
    struct output out;
    char label[NET_LABEL];
    int ret = 0;

    for (int v = 0; v < net->n; v++)
        if (strpbrk(net_label(net, v, label), "\">\n"))
            return err_set(err, ERR_DOMAIN, "a table of paths cannot hold the name %.100s", label);
    if (output_open(&out, path, err) < 0)
        return -1;
    fputs("source,target,path\n", out.stream);
    for (int i = 0; i < net->nterminal; i++)
        for (int k = 0; ret == 0 && k < net->nterminal; k++)
            if (i != k)
                ret = route_path(&way, r, net_terminal(net, i), net_terminal(net, k), err) < 0 ? -1 :
                    better_pair(out.stream, c, &way, err);
    route_path_release(&way);
    if (ret == 0)
        return output_commit(&out, err);
    output_abort(&out);
    return -1;
}

int fabric_improve(double *better, struct fabric_scene *s, const struct tick *tick, struct err *err)
{
    struct routing tables;
    double theta[2];
    int ret;

    if (balanced_open(&tables, s->c.net, (int)s->q->rounds, s->q->common.seed, tick, err) < 0)
        return -1;
    ret = fabric_theta(theta, s, s->c.net, &tables, s->capacity, tick, err);
    *better = fmax(theta[0], s->tables);
    if (ret == 0 && s->q->lfts)
        ret = better_write(&s->c, theta[0] > s->tables ? &tables : &s->r, s->q->lfts, err);
    routing_close(&tables);
    return ret;
}
