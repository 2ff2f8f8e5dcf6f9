/* What tables of `metapath fabric` reach, and better ones in a file. */
#include "analysis/bound/throughput.h"
#include "analysis/fabric/balanced.h"
#include "cli/fabric/fabric.h"
#include "graph/base/file.h"
#include "model/routing/lfts.h"

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

static int better_write(struct routing *r, const char *path, struct err *err)
{
    struct output out;

    if (output_open(&out, path, err) < 0)
        return -1;
    if (lfts_write(out.stream, r, err) == 0)
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
        ret = better_write(theta[0] >= s->tables * (1 - 1e-9) ? &tables : &s->r, s->q->lfts, err);
    routing_close(&tables);
    return ret;
}
