#include "analysis/policy/guide.h"
#include "analysis/policy/split.h"

static double count_ways(const struct flows *f)
{
    return f->ninjection ? (double)f->ninjection / ((double)f->injection_pair[f->ninjection - 1] + 1) : 0;
}

/* The best shares, and what they make of the fullest link. */
static int best_shares(struct guide_row *row, struct latency_study *s, const struct load *load, struct err *err)
{
    const struct split_options o = { .tick = s->o.collide.tick };
    struct split split;
    int ret;

    if (split_open(&split, s, &o, err) < 0)
        return -1;
    ret = split_apply(s, &split, err);
    row->hops = split.hops;
    row->busy = load->factor / load->interval / s->capacity_factor;
    row->capacity_interval = latency_capacity_interval(s);
    split_release(&split);
    return ret;
}

static int solve(struct guide_row *row, const struct guide_request *q, const struct latency_options *o, struct err *err)
{
    struct routing routing = { 0 };
    struct latency_study study = { 0 };
    int ret = -1;

    if (routing_open(&routing, q->net, q->offer[row->offer], err) < 0)
        return -1;
    row->routing = text_copy(routing.spec, strlen(routing.spec));
    if (!row->routing)
        err_memory(err);
    else if (latency_open(&study, q->traffic, &routing, 1, o, err) == 0) {
        const struct flows *f = &study.flows;

        row->ways = count_ways(f);
        row->capacity_interval = latency_capacity_interval(&study);
        if (f->link_from[study.capacity_link] >= 0 && f->link_to[study.capacity_link] >= 0)
            row->busiest = 1 / study.capacity_factor;
        if ((!isnan(q->limit) || best_shares(row, &study, q->load, err) == 0) && latency_saturation(&study, err) == 0 &&
            latency_solve(&study, q->load, err) == 0)
            ret = latency_summary(&row->summary, &study, q->load, err);
    }
    if (ret == 0) {
        row->latency = q->worst ? row->summary.most : row->summary.mean;
        row->hops = row->summary.hops;
        row->capacity_interval = row->summary.capacity_interval;
    }
    latency_close(&study);
    routing_close(&routing);
    return ret;
}

static int by_width(const void *a, const void *b)
{
    const struct guide_row *x = a, *y = b;
    const double hops[] = { isnan(x->hops) ? INFINITY : x->hops, isnan(y->hops) ? INFINITY : y->hops };

    if (x->ways != y->ways)
        return (x->ways > y->ways) - (x->ways < y->ways);
    if (hops[0] != hops[1])
        return (hops[0] > hops[1]) - (hops[0] < hops[1]);
    return (x->offer > y->offer) - (x->offer < y->offer);
}

/* What is compared where none will do; infinite where nothing is known. */
static double target(const struct guide_row *r, bool best)
{
    return best ? r->busy : r->latency;
}

static void guide_choose(struct guide *g, bool best)
{
    g->choice = -1;
    for (size_t i = 0; i < g->n; i++) {
        const struct guide_row *r = &g->row[i];

        if (isinf(target(r, best)))
            continue;
        if (r->meets) {
            g->choice = (int64_t)i;
            return;
        }
        /* loads are rounded */
        if (g->choice < 0 || target(r, best) < target(&g->row[g->choice], best) * (best ? 1 - 1e-9 : 1))
            g->choice = (int64_t)i;
    }
}

int guide_open(struct guide *out, const struct guide_request *q, struct err *err)
{
    struct guide g = { .row = calloc(q->noffer + 1, sizeof *g.row), .choice = -1 };
    const bool best = isnan(q->limit);

    if (!g.row)
        return err_memory(err);
    for (g.n = 0; g.n < q->noffer; g.n++) {
        const struct tick part = tick_step(q->o->collide.tick, g.n, q->noffer);
        struct guide_row *row = &g.row[g.n];
        struct latency_options own = *q->o;

        own.collide.tick = &part;
        *row = (struct guide_row){ .offer = g.n, .latency = INFINITY, .hops = NAN, .busy = INFINITY,
                                   .capacity_interval = NAN, .busiest = NAN };
        if (solve(row, q, &own, err) < 0) {
            if (err->code != ERR_NETWORK || !row->routing) {
                g.n++;
                guide_close(&g);
                return -1;
            }
            row->why = *err;
            *err = (struct err){ 0 };
        }
        row->meets = best ? row->busy <= 1 + 1e-7 : row->latency <= q->limit;
    }
    qsort(g.row, g.n, sizeof *g.row, by_width);
    guide_choose(&g, best);
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
