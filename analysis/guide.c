#include "analysis/guide.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "graph/base/text.h"

static double count_ways(const struct flows *f)
{
    return f->nroot ? (double)f->nroot / ((double)f->root_pair[f->nroot - 1] + 1) : 0;
}

static int solve(struct guide_row *row, const char *offer, const struct traffic *traffic, struct net *net,
                 const struct load *load, bool worst, const struct latency_options *o, struct err *err)
{
    struct routing routing = { 0 };
    struct latency_study study = { 0 };
    int ret = -1;

    if (routing_open(&routing, net, offer, err) < 0)
        return -1;
    row->routing = text_copy(routing.spec, strlen(routing.spec));
    if (!row->routing)
        err_memory(err);
    else if (latency_open(&study, traffic, &routing, 1, o, err) == 0) {
        row->ways = count_ways(&study.flows);
        if (latency_saturation(&study, err) == 0 && latency_solve(&study, load, err) == 0)
            ret = latency_summary(&row->summary, &study, load, err);
    }
    if (ret == 0)
        row->latency = worst ? row->summary.most : row->summary.mean;
    latency_close(&study);
    routing_close(&routing);
    return ret;
}

static int by_width(const void *a, const void *b)
{
    const struct guide_row *x = a, *y = b;
    const double hops[] = { x->summary.hops, y->summary.hops };

    if (x->ways != y->ways)
        return (x->ways > y->ways) - (x->ways < y->ways);
    if (hops[0] != hops[1])
        return (hops[0] > hops[1]) - (hops[0] < hops[1]);
    return strcmp(x->routing, y->routing);
}

static void choose(struct guide *g)
{
    g->choice = -1;
    for (size_t i = 0; i < g->n; i++) {
        const struct guide_row *r = &g->row[i];

        if (r->why.code != ERR_NONE)
            continue;
        if (r->meets) {
            g->choice = (int64_t)i;
            return;
        }
        if (g->choice < 0 || r->latency < g->row[g->choice].latency)
            g->choice = (int64_t)i;
    }
}

int guide_open(struct guide *out, const char *const *offer, size_t noffer, const struct traffic *traffic, struct net *net,
               const struct load *load, double limit, bool worst, const struct latency_options *o, struct err *err)
{
    struct guide g = { .row = calloc(noffer + 1, sizeof *g.row), .choice = -1 };

    if (!g.row)
        return err_memory(err);
    for (g.n = 0; g.n < noffer; g.n++) {
        const struct tick part = tick_part(o->collide.tick, (double)g.n / (double)noffer, (double)(g.n + 1) / (double)noffer);
        struct guide_row *row = &g.row[g.n];

        row->offer = g.n;        struct latency_options own = *o;

        own.collide.tick = &part;
        if (solve(row, offer[g.n], traffic, net, load, worst, &own, err) < 0) {
            if (err->code != ERR_NETWORK || !row->routing) {
                g.n++;
                guide_close(&g);
                return -1;
            }
            row->why = *err;
            row->latency = INFINITY;
            row->summary.hops = INFINITY;
            *err = (struct err){ 0 };
        }
        row->meets = row->latency <= limit;
    }
    qsort(g.row, g.n, sizeof *g.row, by_width);
    choose(&g);
    *out = g;
    return 0;
}

void guide_close(struct guide *g)
{
    for (size_t i = 0; g->row && i < g->n; i++)
        free(g->row[i].routing);
    free(g->row);
    *g = (struct guide){ 0 };
}
