/* narrowest.c -- the narrowest metapaths with which a network carries its load, or meets a latency (narrowest.h).
 * 1. what is offered   ways by source and offer; of equal offers the first
 * 2. latency           assignments in the order of their width, until one meets the limit
 * 3. the answer        with uniform shares and with the best ones
 * By capacity: narrowest_capacity.c, an integer program. */
#include "analysis/policy/narrowest_search.h"
#include "graph/base/heap.h"

static void search_close(struct narrowest_search *s)
{
    latency_close(&s->study);
    for (size_t i = 0; s->routing && i < s->nrouting; i++)
        routing_close(&s->routing[i]);
    FREE(s->routing, s->width, s->pairs, s->at);
}

/* ---- what is offered ---- */

static int same_way(bool *same, const struct flows *f, size_t a, size_t b, struct route_path path[2], struct err *err)
{
    if (flows_way(&path[0], f, a, err) < 0 || flows_way(&path[1], f, b, err) < 0)
        return -1;
    *same = path[0].n == path[1].n && memcmp(path[0].node, path[1].node, path[0].n * sizeof *path[0].node) == 0 &&
        f->injection_given[a] == f->injection_given[b];
    return 0;
}

/* Whether two offers give a source the same ways one by one; injections of a source come by offer. */
static int same_offer(bool *same, const struct narrowest_search *s, uint32_t a, uint32_t b, int n, struct err *err)
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

static int count_ways(struct narrowest_search *s, size_t source, struct err *err)
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
        err_set(err, ERR_DOMAIN, "%zu sources that choose among %zu metapaths are %zu choices; to be exact %s, %d are "
                "taken: fewer sources or metapaths", sources, offers, sources * offers, capacity ? "about loads" :
                "about latency", most);
}

static int search_open(struct narrowest_search *s, const struct guide_request *q, struct err *err)
{
    const bool capacity = isnan(q->limit);

    if (TAKE("the narrowest metapaths", err, ZEROS(s->routing, s->noffer)) < 0)
        return -1;
    for (; s->nrouting < s->noffer; s->nrouting++)
        if (routing_open(&s->routing[s->nrouting], q->net, q->offer[s->nrouting], err) < 0)
            return -1;
    if (!(q->traffic->invariant && !q->o->unfolded) &&        /* else one may stand for all */
        check_choices(traffic_sources(q->traffic), s->noffer, capacity, err) < 0)
        return -1;
    if (latency_open(&s->study, q->traffic, s->routing, s->noffer, q->o, err) < 0)
        return -1;
    s->f = &s->study.flows;
    s->n = s->f->nsource;
    if (check_choices(s->n, s->noffer, capacity, err) < 0)
        return -1;
    if (TAKE("the narrowest metapaths", err, ZEROS(s->width, s->n * s->noffer + 1), ZEROS(s->pairs, s->n + 1),
             ZEROS(s->at, s->n + 1)) < 0)
        return -1;
    for (size_t i = 0; i < s->n; i++) {
        if (count_ways(s, i, err) < 0)
            return -1;
        s->npair += s->pairs[i];
    }
    return 0;
}

/* ---- latency ---- */

/* An assignment: that of `parent`, with one source a step further in its list of offers by width. Every one has one
 * such parent, which is no wider: itself with the last source that is not at its first one step back. */
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

static bool narrowest_before(const struct queue *q, size_t a, size_t b)
{
    return q->node[a].width != q->node[b].width ? q->node[a].width < q->node[b].width : a < b;
}

HEAP(nodes, const struct queue *, size_t, narrowest_before, HEAP_NOWHERE)

static int narrowest_push(struct queue *q, struct node node, struct err *err)
{
    if (GROW(&q->room, q->n + 1, "a search for the narrowest ways", err, GROWN(q->node), GROWN(q->heap)) < 0)
        return -1;
    q->node[q->n] = node;
    nodes_push(q, q->heap, &q->nheap, q->n++);
    return 0;
}

static int width_at(const struct narrowest_search *s, const struct queue *q, size_t source, int step)
{
    return s->width[source * s->noffer + (size_t)q->order[source * s->noffer + (size_t)step]];
}

/* Offers of each source from narrow to wide, of equals the first; and the narrowest assignment. */
static int narrowest_begin(struct queue *q, const struct narrowest_search *s, struct err *err)
{
    int64_t sum = 0;

    if (TAKE("the narrowest metapaths", err, ZEROS(q->order, s->n * s->noffer + 1), ZEROS(q->norder, s->n + 1),
             ZEROS(q->step, s->n + 1)) < 0)
        return -1;
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
    return narrowest_push(q, (struct node){ sum, 0, -1 }, err);
}

/* The assignment of a node into s->at, and its successors into the queue. */
static int narrowest_expand(struct queue *q, struct narrowest_search *s, size_t node, struct err *err)
{
    memset(q->step, 0, s->n * sizeof *q->step);
    for (size_t k = node; q->node[k].source >= 0; k = q->node[k].parent)
        q->step[q->node[k].source]++;
    for (size_t i = 0; i < s->n; i++)
        s->at[i] = q->order[i * s->noffer + (size_t)q->step[i]];
    for (size_t i = q->node[node].source < 0 ? 0 : (size_t)q->node[node].source; i < s->n; i++)
        if (q->step[i] + 1 < q->norder[i]) {
            const int64_t width = q->node[node].width + width_at(s, q, i, q->step[i] + 1) - width_at(s, q, i,
                q->step[i]);

            if (narrowest_push(q, (struct node){ width, node, (int)i }, err) < 0)
                return -1;
        }
    return 0;
}

/* From no waits: the same whatever was tried before. No solution is no answer. */
static int narrowest_try(bool *meets, struct narrowest_search *s, double limit, bool worst, struct err *err)
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

static int by_latency(struct narrowest *out, struct narrowest_search *s, double limit, bool worst, struct err *err)
{
    const struct tick *whole = s->study.o.collide.tick;
    struct queue q = { 0 };
    int ret = narrowest_begin(&q, s, err);

    while (ret == 0 && !out->found && q.nheap && out->tries < NARROWEST_TRIES) {
        const size_t node = nodes_pop(&q, q.heap, &q.nheap);

        out->ways = (double)q.node[node].width / (double)s->npair;
        ret = tick(whole, (double)out->tries++ / NARROWEST_TRIES) ? err_stopped(err) : narrowest_expand(&q, s, node,
            err);
        if (ret == 0)
            ret = narrowest_try(&out->found, s, limit, worst, err);
    }
    out->every = q.nheap == 0;
    if (!out->found && q.nheap)
        out->ways = (double)q.node[q.heap[0]].width / (double)s->npair;
    FREE(q.node, q.heap, q.order, q.norder, q.step);
    return ret;
}

/* ---- the answer ---- */

/* With the shares that the routing begins with, or the best ones, as `carries` set them; finds the saturation, too. */
static int narrowest_latencies(struct narrowest *out, struct narrowest_search *s, bool best, struct err *err)
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

static int narrowest_describe(struct narrowest *out, struct narrowest_search *s, struct err *err)
{
    const struct flows *f = s->f;

    out->busy = narrowest_busiest(s);
    out->capacity_interval = latency_capacity_interval(&s->study);
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
        latency_streams(&out->stream, &out->nstream, &s->study, err);
}

int narrowest_open(struct narrowest *out, const struct guide_request *q, struct err *err)
{
    struct narrowest_search s = { .noffer = q->noffer, .load = q->load };
    struct narrowest y = { .noffer = q->noffer };
    const bool capacity = isnan(q->limit);
    int ret = search_open(&s, q, err);

    if (ret == 0) {
        y.nsource = s.n;
        ret = TAKE("the narrowest metapaths", err, ZEROS(y.at, s.n), ZEROS(y.width, s.n),
                   ZEROS(y.count, q->noffer)) < 0 ? -1 :
            capacity ? narrowest_by_capacity(&y, &s, err) : by_latency(&y, &s, q->limit, q->worst, err);
    }
    if (ret == 0 && y.found)
        ret = narrowest_latencies(&y, &s, capacity, err);
    if (ret == 0 && y.found)
        ret = narrowest_describe(&y, &s, err);
    search_close(&s);
    if (ret < 0)
        narrowest_close(&y);
    else
        *out = y;
    return ret;
}

void narrowest_close(struct narrowest *p)
{
    FREE(p->at, p->width, p->count, p->stream);
    *p = (struct narrowest){ 0 };
}
