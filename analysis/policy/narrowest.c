/* The narrowest metapaths that do (narrowest.h).
 *   offers    what each source may choose among, without those that are the same
 *   capacity  an integer program chooses; what it takes for whole is tried, and cut off where it does not carry
 *   latency   assignments in the order of their width, each once, until one is fast enough
 *   answer    what was chosen, and its latency */
#include "analysis/policy/narrowest.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/bound/lp.h"
#include "analysis/policy/split.h"
#include "graph/base/grow.h"
#include "graph/base/heap.h"

#define FULL (1 + 1e-7)         /* times all the time: links that are full but for rounding */

struct search {
    struct routing *routing;
    size_t nrouting, noffer;
    struct latency_study study;
    const struct flows *f;
    const struct load *load;
    size_t n, npair;            /* sources; pairs of one routing */
    int *width;                 /* [source * noffer + offer]: ways; 0 where an offer before has the same */
    size_t *pairs;              /* by source */
    int *at;
};

static void search_close(struct search *s)
{
    latency_close(&s->study);
    for (size_t i = 0; s->routing && i < s->nrouting; i++)
        routing_close(&s->routing[i]);
    free(s->routing);
    free(s->width);
    free(s->pairs);
    free(s->at);
}

/* ---- what is offered ------------------------------------------------------------------------------------------ */

static int same_way(bool *same, const struct flows *f, size_t a, size_t b, struct route_path path[2], struct err *err)
{
    if (flows_way(&path[0], f, a, err) < 0 || flows_way(&path[1], f, b, err) < 0)
        return -1;
    *same = path[0].n == path[1].n && memcmp(path[0].node, path[1].node, path[0].n * sizeof *path[0].node) == 0 &&
        f->injection_given[a] == f->injection_given[b];
    return 0;
}

/* Whether two offers give a source the same ways one by one; injections of a source come by offer. */
static int same_offer(bool *same, const struct search *s, uint32_t a, uint32_t b, int n, struct err *err)
{
    struct route_path path[2] = { 0 };
    int ret = 0;

    *same = true;
    for (int i = 0; ret == 0 && *same && i < n; i++)
        ret = same_way(same, s->f, s->f->source_injection[a + (uint32_t)i], s->f->source_injection[b + (uint32_t)i],
                       path, err);
    route_path_release(&path[0]);
    route_path_release(&path[1]);
    return ret;
}

static int count_ways(struct search *s, size_t source, struct err *err)
{
    const struct flows *f = s->f;
    int *width = s->width + source * s->noffer, last = -1;
    uint32_t *first = calloc(s->noffer, sizeof *first);
    int ret = first ? 0 : err_memory(err);

    for (uint32_t k = f->source_first[source]; ret == 0 && k < f->source_first[source + 1]; k++) {
        const size_t injection = f->source_injection[k];
        const int offer = f->injection_option[injection];

        if (width[offer]++ == 0)
            first[offer] = k;
        if (offer == 0)
            s->pairs[source] += f->injection_pair[injection] != last;
        last = f->injection_pair[injection];
    }
    for (size_t k = 0; ret == 0 && k < s->noffer; k++)
        for (size_t before = 0; ret == 0 && width[k] && before < k; before++) {
            bool same = false;

            if (width[before] == width[k])
                ret = same_offer(&same, s, first[before], first[k], width[k], err);
            if (same)
                width[k] = 0;
        }
    free(first);
    return ret;
}

static int check_choices(size_t sources, size_t offers, bool capacity, struct err *err)
{
    const int most = capacity ? NARROWEST_BINARIES : NARROWEST_CHOICES;

    return sources * offers <= (size_t)most ? 0 :
        err_set(err, ERR_DOMAIN, "%zu sources that choose among %zu metapaths are %zu choices; to be exact %s, %d are taken: fewer sources or "
                "metapaths", sources, offers, sources * offers, capacity ? "about loads" : "about latency", most);
}

static int search_open(struct search *s, const char *const *offer, const struct traffic *traffic, struct net *net, bool capacity,
                       const struct latency_options *o, struct err *err)
{

    s->routing = calloc(s->noffer, sizeof *s->routing);
    if (!s->routing)
        return err_memory(err);
    for (; s->nrouting < s->noffer; s->nrouting++)
        if (routing_open(&s->routing[s->nrouting], net, offer[s->nrouting], err) < 0)
            return -1;
    if (!(traffic->invariant && !o->unfolded) &&        /* else one may stand for all */
        check_choices(traffic->matrix ? (size_t)net->nterminal : traffic->nchannel, s->noffer, capacity, err) < 0)
        return -1;
    if (latency_open(&s->study, traffic, s->routing, s->noffer, o, err) < 0)
        return -1;
    s->f = &s->study.flows;
    s->n = s->f->nsource;
    if (check_choices(s->n, s->noffer, capacity, err) < 0)
        return -1;
    s->width = calloc(s->n * s->noffer + 1, sizeof *s->width);
    s->pairs = calloc(s->n + 1, sizeof *s->pairs);
    s->at = calloc(s->n + 1, sizeof *s->at);
    if (!s->width || !s->pairs || !s->at)
        return err_memory(err);
    for (size_t i = 0; i < s->n; i++) {
        if (count_ways(s, i, err) < 0)
            return -1;
        s->npair += s->pairs[i];
    }
    return 0;
}

static double mean_ways(const struct search *s, const int *at)
{
    double sum = 0;

    for (size_t i = 0; i < s->n; i++)
        sum += s->width[i * s->noffer + (size_t)at[i]];
    return sum / (double)s->npair;
}

/* What the fullest link transmits of the time, with the shares at hand. */
static double busiest(const struct search *s)
{
    return s->load->factor / s->load->interval / s->study.capacity_factor;
}

/* ---- capacity: the integer program ---------------------------------------------------------------------------- */

struct cuts {                   /* assignments that will not do, n integers each */
    int *at;
    size_t n;
};
/* Rows: choices of a source; pairs of each offer; links; cuts. Columns: choices, then shares. */
struct rows {
    int pair, link, cut, end;
};

/* Shares of a pair in an offer sum to its part where that is chosen; injections of one pair have one offer. */
static int add_rows(struct rows *r, struct lp *lp, const struct search *s, const struct cuts *cuts, struct err *err)
{
    const int pairs = s->f->injection_pair[s->f->ninjection - 1] + 1;

    r->pair = (int)s->n;
    r->link = r->pair + pairs;
    r->cut = r->link + (int)s->f->nlink;
    r->end = r->cut + (int)cuts->n;
    for (int i = 0; i < r->end; i++) {
        const double lo = i < r->pair ? 1 : i < r->link ? 0 : -INFINITY,
                     up = i < r->pair || (i >= r->link && i < r->cut) ? 1 : i < r->link ? 0 : (double)s->n - 1;

        if (lp_row(lp, lo, up, NULL, err) < 0)
            return -1;
    }
    return 0;
}

static int add_choices(struct lp *lp, const struct search *s, const struct rows *r, const struct cuts *cuts, struct err *err)
{
    const struct flows *f = s->f;
    int *row = malloc(((size_t)r->end + 1) * sizeof *row);
    double *value = malloc(((size_t)r->end + 1) * sizeof *value);
    bool ok = row && value;

    if (!ok)
        err_memory(err);
    for (size_t i = 0; ok && i < s->n * s->noffer; i++) {
        const size_t source = i / s->noffer, offer = i % s->noffer;
        size_t n = 1;
        int last = -1;

        row[0] = (int)source;
        value[0] = 1;
        for (uint32_t k = f->source_first[source]; k < f->source_first[source + 1]; k++) {
            const size_t injection = f->source_injection[k];

            if ((size_t)f->injection_option[injection] != offer)
                continue;
            if (f->injection_pair[injection] != last) {
                last = f->injection_pair[injection];
                row[n] = r->pair + last;
                value[n++] = 0;
            }
            value[n - 1] -= f->injection_given[injection];
        }
        for (size_t c = 0; c < cuts->n; c++)
            if ((size_t)cuts->at[c * s->n + source] == offer) {
                row[n] = r->cut + (int)c;
                value[n++] = 1;
            }
        ok = lp_column(lp, 0, s->width[i] ? 1 : 0, s->width[i], NULL, n, row, value, err) >= 0 && lp_integer(lp, (int)i, err) == 0;
    }
    free(row);
    free(value);
    return ok ? 0 : -1;
}

/* Links of a way, how often each; 0 after it: the last injection's are forgotten. */
struct crossing {
    int *row;
    double *value;
    int *place;                 /* by link, -1 */
};

static int cross(struct crossing *c, const struct search *s, size_t injection, const struct rows *r, double demand,
                 size_t *n, struct err *err)
{
    const struct flows *f = s->f;
    int state = f->injection_state[injection], port = f->injection_port[injection];

    c->row[0] = r->pair + f->injection_pair[injection];
    c->value[0] = 1;
    for (*n = 1;;) {
        const size_t link = (size_t)f->port_link[port];
        const uint32_t e = f->edge_first[state];

        if (c->place[link] < 0) {
            c->place[link] = (int)*n;
            c->row[*n] = r->link + (int)link;
            c->value[(*n)++] = 0;
        }
        c->value[c->place[link]] += demand;
        if (f->edge_first[state + 1] == e)
            break;
        if (f->edge_first[state + 1] > e + 1)
            return err_set(err, ERR_USAGE, "ways that branch cannot be chosen exactly");
        port = f->edge_port[e];
        state = f->edge_child[e];
    }
    for (size_t i = 1; i < *n; i++)
        c->place[c->row[i] - r->link] = -1;
    return 0;
}

static int add_shares(struct lp *lp, const struct search *s, const struct rows *r, struct err *err)
{
    const struct flows *f = s->f;
    struct crossing c = { malloc((f->nlink + 1) * sizeof *c.row), malloc((f->nlink + 1) * sizeof *c.value),
                          malloc((f->nlink + 1) * sizeof *c.place) };
    int ret = c.row && c.value && c.place ? 0 : err_memory(err);

    for (size_t l = 0; ret == 0 && l < f->nlink; l++)
        c.place[l] = -1;
    for (size_t i = 0; ret == 0 && i < f->ninjection; i++) {
        const struct flow_source *from = &f->source[f->injection_source[i]];
        const double time = isnan(from->time) ? s->study.o.collide.time : from->time,
                     interval = isnan(from->interval) ? s->load->interval : from->interval;
        size_t n;

        ret = cross(&c, s, i, r, time / interval * s->load->factor, &n, err);
        if (ret == 0 && lp_column(lp, 0, INFINITY, 0, NULL, n, c.row, c.value, err) < 0)
            ret = -1;
    }
    free(c.row);
    free(c.value);
    free(c.place);
    return ret;
}

/* The narrowest that no cut forbids, into s->at. */
static int choose(bool *found, struct search *s, const struct cuts *cuts, struct err *err)
{
    struct lp *lp = NULL;
    struct rows r;
    enum lp_end end;
    int ret = -1;

    if (lp_open(&lp, "narrowest", false, err) < 0)
        return -1;
    if (add_rows(&r, lp, s, cuts, err) == 0 && add_choices(lp, s, &r, cuts, err) == 0 && add_shares(lp, s, &r, err) == 0 &&
        lp_solve_integer(lp, &end, s->study.o.collide.tick, err) == 0) {
        *found = end == LP_OPTIMAL;
        for (size_t i = 0; *found && i < s->n; i++)
            for (size_t k = 0; k < s->noffer; k++)
                if (lp_value(lp, (int)(i * s->noffer + k)) > 0.5)
                    s->at[i] = (int)k;
        ret = 0;
    }
    lp_close(lp);
    return ret;
}

/* The best shares of the assignment at hand; whether no link has more than it can carry. A solver takes a choice for whole that
 * is so within its tolerance only. */
static int carries(bool *yes, struct search *s, struct err *err)
{
    const struct split_options o = { .tick = s->study.o.collide.tick };
    struct split split;
    int ret;

    if (latency_choose(&s->study, s->at, false, err) < 0 || split_open(&split, &s->study, &o, err) < 0)
        return -1;
    ret = split_apply(&s->study, &split, err);
    *yes = busiest(s) <= FULL;
    split_release(&split);
    return ret;
}

static int by_capacity(struct narrowest *out, struct search *s, struct err *err)
{
    struct cuts cuts = { 0 };
    int ret = 0;

    if (s->f->mixed_intervals)
        return err_set(err, ERR_DOMAIN, "some channels have intervals of their own and others have none; give all of them one, or none");
    if (s->f->ninjection > NARROWEST_COLUMNS)
        return err_set(err, ERR_DOMAIN, "an integer program over %zu ways is too large here; %d are taken: offer fewer or narrower metapaths",
                       s->f->ninjection, NARROWEST_COLUMNS);
    out->every = true;
    while (ret == 0 && !out->found) {
        bool any = false;

        ret = choose(&any, s, &cuts, err);
        if (ret < 0 || !any)
            break;
        out->tries++;
        out->ways = mean_ways(s, s->at);
        ret = carries(&out->found, s, err);
        if (ret < 0 || out->found)
            break;
        ret = GROW_BY(cuts.n, 1, "assignments that do not carry", err, GROWN_OF(cuts.at, s->n));
        if (ret < 0)
            break;
        memcpy(cuts.at + cuts.n++ * s->n, s->at, s->n * sizeof *s->at);
    }
    free(cuts.at);
    return ret;
}

/* ---- latency: in the order of width --------------------------------------------------------------------------- */

/* An assignment: that of `parent`, with one source a step further in its list of offers by width. Every one has one such parent,
 * which is no wider: itself with the last source that is not at its first one step back. */
struct node {
    int64_t width;
    size_t parent;
    int source;                 /* that stepped; -1: none has */
};
struct queue {
    struct node *node;          /* in the order they were made, which decides between equals */
    size_t n, room;
    size_t *heap, nheap;
    int *order, *norder;        /* [source * noffer + i]: offers by width; how many */
    int *step;                  /* of the node at hand, by source */
};

static bool before(const struct queue *q, size_t a, size_t b)
{
    return q->node[a].width != q->node[b].width ? q->node[a].width < q->node[b].width : a < b;
}

HEAP(nodes, const struct queue *, size_t, before, HEAP_NOWHERE)

static int push(struct queue *q, struct node node, struct err *err)
{
    if (GROW(&q->room, q->n + 1, "a search for the narrowest ways", err, GROWN(q->node), GROWN(q->heap)) < 0)
        return -1;
    q->node[q->n] = node;
    nodes_push(q, q->heap, &q->nheap, q->n++);
    return 0;
}

static int width_at(const struct search *s, const struct queue *q, size_t source, int step)
{
    return s->width[source * s->noffer + (size_t)q->order[source * s->noffer + (size_t)step]];
}

/* Offers of each source from narrow to wide, of equals the first; and the narrowest assignment. */
static int begin(struct queue *q, const struct search *s, struct err *err)
{
    int64_t sum = 0;

    q->order = calloc(s->n * s->noffer + 1, sizeof *q->order);
    q->norder = calloc(s->n + 1, sizeof *q->norder);
    q->step = calloc(s->n + 1, sizeof *q->step);
    if (!q->order || !q->norder || !q->step)
        return err_memory(err);
    for (size_t i = 0; i < s->n; i++) {
        const int *width = s->width + i * s->noffer;
        int *order = q->order + i * s->noffer;

        for (size_t k = 0; k < s->noffer; k++) {
            int at = q->norder[i];

            if (width[k] == 0)
                continue;
            for (; at && width[order[at - 1]] > width[k]; at--)
                order[at] = order[at - 1];
            order[at] = (int)k;
            q->norder[i]++;
        }
        sum += width_at(s, q, i, 0);
    }
    return push(q, (struct node){ sum, 0, -1 }, err);
}

/* The assignment of a node into s->at, and its successors into the queue. */
static int expand(struct queue *q, struct search *s, size_t node, struct err *err)
{
    memset(q->step, 0, s->n * sizeof *q->step);
    for (size_t k = node; q->node[k].source >= 0; k = q->node[k].parent)
        q->step[q->node[k].source]++;
    for (size_t i = 0; i < s->n; i++)
        s->at[i] = q->order[i * s->noffer + (size_t)q->step[i]];
    for (size_t i = q->node[node].source < 0 ? 0 : (size_t)q->node[node].source; i < s->n; i++)
        if (q->step[i] + 1 < q->norder[i]) {
            const int64_t width = q->node[node].width + width_at(s, q, i, q->step[i] + 1) - width_at(s, q, i, q->step[i]);

            if (push(q, (struct node){ width, node, (int)i }, err) < 0)
                return -1;
        }
    return 0;
}

/* From no waits: the same whatever was tried before. No solution is no answer. */
static int try(bool *meets, struct search *s, double limit, bool worst, struct err *err)
{
    struct latency_summary y;

    s->study.collide.warm = false;
    if (latency_choose(&s->study, s->at, false, err) < 0)
        return -1;
    if (latency_solve(&s->study, s->load, err) < 0) {
        if (err->code != ERR_NETWORK)
            return -1;
        *err = (struct err){ 0 };
        return 0;
    }
    if (latency_summary(&y, &s->study, s->load, err) < 0)
        return -1;
    *meets = (worst ? y.most : y.mean) <= limit;
    return 0;
}

static int by_latency(struct narrowest *out, struct search *s, double limit, bool worst, struct err *err)
{
    const struct tick *whole = s->study.o.collide.tick;
    struct queue q = { 0 };
    int ret = begin(&q, s, err);

    while (ret == 0 && !out->found && q.nheap && out->tries < NARROWEST_TRIES) {
        const size_t node = nodes_pop(&q, q.heap, &q.nheap);

        out->ways = (double)q.node[node].width / (double)s->npair;
        ret = tick(whole, (double)out->tries++ / NARROWEST_TRIES) ? err_stopped(err) : expand(&q, s, node, err);
        if (ret == 0)
            ret = try(&out->found, s, limit, worst, err);
    }
    out->every = q.nheap == 0;
    if (!out->found && q.nheap)
        out->ways = (double)q.node[q.heap[0]].width / (double)s->npair;
    free(q.node);
    free(q.heap);
    free(q.order);
    free(q.norder);
    free(q.step);
    return ret;
}

/* ---- the answer ----------------------------------------------------------------------------------------------- */

/* With the shares that the routing begins with, or the best ones, which `carries` has set: that finds the saturation, too. */
static int latencies(struct narrowest *out, struct search *s, bool best, struct err *err)
{
    if (!best && (latency_choose(&s->study, s->at, false, err) < 0 || latency_capacity(&s->study, err) < 0))
        return -1;
    if (latency_saturation(&s->study, err) == 0) {
        s->study.collide.warm = false;
        if (latency_solve(&s->study, s->load, err) == 0)
            return 0;
    }
    if (err->code != ERR_NETWORK)
        return -1;
    out->why = *err;
    *err = (struct err){ 0 };
    return 0;
}

static int describe(struct narrowest *out, struct search *s, struct err *err)
{
    const struct flows *f = s->f;

    out->busy = busiest(s);
    out->capacity_interval = f->own_intervals ? NAN : 1 / s->study.capacity_factor;
    for (size_t i = 0; i < f->ninjection; i++)
        out->hops += f->injection_share[i] * f->injection_hops[i] / (double)f->nsource;
    for (size_t i = 0; i < s->n; i++) {
        out->at[i] = s->at[i];
        out->width[i] = s->width[i * s->noffer + (size_t)s->at[i]] / (double)s->pairs[i];
        out->count[s->at[i]] += (size_t)f->copies;
    }
    if (out->why.code != ERR_NONE)
        return 0;
    return latency_summary(&out->summary, &s->study, s->load, err) < 0 ? -1 :
        latency_streams(&out->channel, &out->nchannel, &s->study, err);
}

int narrowest_open(struct narrowest *out, const char *const *offer, size_t noffer, const struct traffic *traffic, struct net *net,
                   const struct load *load, double limit, bool worst, const struct latency_options *o, struct err *err)
{
    struct search s = { .noffer = noffer, .load = load };
    struct narrowest y = { .noffer = noffer };
    int ret = search_open(&s, offer, traffic, net, isnan(limit), o, err);

    if (ret == 0) {
        y.nsource = s.n;
        y.at = calloc(s.n + 1, sizeof *y.at);
        y.width = calloc(s.n + 1, sizeof *y.width);
        y.count = calloc(noffer + 1, sizeof *y.count);
        ret = !y.at || !y.width || !y.count ? err_memory(err) : isnan(limit) ? by_capacity(&y, &s, err) : by_latency(&y, &s, limit, worst, err);
    }
    if (ret == 0 && y.found)
        ret = latencies(&y, &s, isnan(limit), err);
    if (ret == 0 && y.found)
        ret = describe(&y, &s, err);
    search_close(&s);
    if (ret < 0)
        narrowest_close(&y);
    else
        *out = y;
    return ret;
}

void narrowest_close(struct narrowest *p)
{
    free(p->at);
    free(p->width);
    free(p->count);
    free(p->channel);
    *p = (struct narrowest){ 0 };
}
