/* diversity.c -- shortest and link-disjoint paths of all pairs (diversity.h).
 * 1. pair      augmenting paths over states: a node, and hops more than its distance from the source
 * 2. source    shortest paths counted along the search, then every target
 * 3. whole     which nodes count, which stand for others, and what a sample says */
#include "analysis/network/diversity.h"
#include "graph/base/jobs.h"
#include "graph/distance/trunks.h"
#include "graph/symmetry.h"

#define LATE 3                  /* states of a node: at its distance, and up to two hops later */

struct study {
    const struct csr *out;
    struct csr in;
    size_t *in_link;            /* by entry of `in`: that link in `out` */
    struct trunks trunks;       /* cables of each */
    int *end, *source;          /* nodes; places among them */
    double *copies;             /* by source: how many it stands for */
    int nend, nsource;
    struct diversity *sums;     /* by source, not yet means and shares */
};

/* ---- one pair ---- */

struct pair {
    const struct study *y;
    int s, t, far, most;        /* hops apart; paths, of the cables at either end */
    int *from_s, *to_t, *queue;
    double *paths;              /* shortest ones from s, by node */
    int *flow, *used, *into;    /* by link and hops late; by link; by node it leads to */
    int *prev;                  /* by state: the state before, -1: not reached */
    size_t *via;                /* 2 slot; 2 slot + 1: a flow taken back */
    /* Late hops count; else links at most `late` hops out of the way are passed alike. A link is passed once, at
     * whatever lateness. */
    bool layers, joint;
    int late;
};

static void pair_reach(struct pair *p, int *tail, int state, int prev, size_t via)
{
    if (p->prev[state] >= 0)
        return;
    p->prev[state] = prev;
    p->via[state] = via;
    p->queue[(*tail)++] = state;
}

/* What leads on from a state, over links with room and against flow. */
static void pair_leave(struct pair *p, int *tail, int state)
{
    const struct csr *out = p->y->out, *in = &p->y->in;
    const int v = state / LATE, hops = p->from_s[v] + state % LATE, room = p->late + p->far - hops - 1;

    for (size_t e = out->first[v]; e < out->first[v + 1]; e++) {
        const int w = out->to[e];
        const size_t slot = e * LATE + (size_t)(state % LATE);
        int late, cables;

        if (p->to_t[w] < 0 || p->to_t[w] > room)
            continue;
        late = p->layers && w != p->t ? hops + 1 - p->from_s[w] : 0;
        cables = (int)trunks_cables(&p->y->trunks, e);
        if ((p->joint || w == p->t ? p->used[e] : p->flow[slot]) < cables)
            pair_reach(p, tail, w * LATE + late, state, 2 * slot);
        else if (w == p->t)                     /* in the place of one that comes at another lateness */
            for (size_t i = e * LATE; i < (e + 1) * LATE; i++)
                if (p->flow[i] > 0)
                    pair_reach(p, tail, v * LATE + (int)(i % LATE), state, 2 * i + 1);
    }
    for (size_t i = in->first[v]; p->into[v] && i < in->first[v + 1]; i++) {
        const int u = in->to[i], late = p->layers ? hops - 1 - p->from_s[u] : 0;
        const size_t slot = p->y->in_link[i] * LATE + (size_t)late;

        if (late >= 0 && late < LATE && p->flow[slot] > 0)
            pair_reach(p, tail, u * LATE + late, state, 2 * slot + 1);
    }
}

/* What the cables that leave s, and those that come to t, allow. */
static int pair_most(const struct pair *p)
{
    const struct study *y = p->y;
    size_t out = 0, in = 0;

    for (size_t e = y->out->first[p->s]; e < y->out->first[p->s + 1]; e++)
        out += trunks_cables(&y->trunks, e);
    for (size_t i = y->in.first[p->t]; i < y->in.first[p->t + 1]; i++)
        in += trunks_cables(&y->trunks, y->in_link[i]);
    return (int)(out < in ? out : in);
}

/* Paths beyond `value` of them, each by a breadth-first search; none is sought that the cables of an end forbid. */
static int pair_fill(struct pair *p, int value)
{
    const int start = p->s * LATE, end = p->t * LATE;

    for (; value < p->most; value++) {
        int tail = 0;

        memset(p->prev, -1, (size_t)p->y->out->n * LATE * sizeof *p->prev);
        pair_reach(p, &tail, start, start, 0);
        for (int head = 0; head < tail && p->prev[end] < 0; head++)
            pair_leave(p, &tail, p->queue[head]);
        if (p->prev[end] < 0)
            return value;
        for (int state = end; state != start; state = p->prev[state]) {
            const size_t slot = p->via[state] / 2, link = slot / LATE;
            const bool back = p->via[state] % 2;

            p->flow[slot] += back ? -1 : 1;
            p->used[link] += back ? -1 : 1;
            p->into[p->y->out->to[link]] += back ? -1 : 1;
            if (back && p->y->out->to[link] == p->t) {
                p->flow[link * LATE + (size_t)(p->prev[state] % LATE)]++;
                p->used[link]++;
            }
        }
    }
    return value;
}

static int pair_ways(struct pair *p, bool layers, bool joint, int late, int value)
{
    const size_t m = p->y->out->m;

    if (value == p->most)
        return value;
    if (value == 0) {
        memset(p->flow, 0, LATE * m * sizeof *p->flow);
        memset(p->used, 0, m * sizeof *p->used);
        memset(p->into, 0, (size_t)p->y->out->n * sizeof *p->into);
    }
    for (size_t e = 0; !layers && e < m; e++) {                 /* hops late no longer matter */
        p->flow[e * LATE] = p->used[e];
        p->flow[e * LATE + 1] = p->flow[e * LATE + 2] = 0;
    }
    p->layers = layers;
    p->joint = joint;
    p->late = late;
    return pair_fill(p, value);
}

/* Disjoint paths found, and the most there can be, at most 0, 1, 2 hops longer than the shortest and of any length. */
static void pair_count(struct pair *p, int found[LATE + 1], int bound[LATE + 1])
{
    for (int late = 0; late < LATE; late++)
        found[late] = pair_ways(p, true, true, late, late ? found[late - 1] : 0);
    found[LATE] = pair_ways(p, false, true, INT32_MAX / 2, found[LATE - 1]);
    for (int late = 0; late <= LATE; late++) {
        bound[late] = late && p->far + late > 3 ? found[LATE] : found[late];
        for (int layers = 0; layers < 2 && bound[late] > found[late]; layers++) {
            const int flow = pair_ways(p, layers, !layers, late, 0);

            bound[late] = flow < bound[late] ? flow : bound[late];
        }
    }
}

/* ---- from one source ---- */

/* Distances from s, and shortest paths along the search that finds them. */
static void pair_from(struct pair *p, int s)
{
    const struct csr *out = p->y->out;
    int reached = 0;

    p->s = s;
    p->paths[s] = 1;
    csr_bfs(out, s, p->from_s, p->queue);
    for (int v = 0; v < out->n; v++)
        reached += p->from_s[v] >= 0;
    for (int i = 0; i < reached; i++) {
        const int v = p->queue[i];

        for (size_t e = out->first[v]; e < out->first[v + 1]; e++)
            if (p->from_s[out->to[e]] == p->from_s[v] + 1)
                p->paths[out->to[e]] += p->paths[v] * (double)trunks_cables(&p->y->trunks, e);
    }
}

static void sums_add(struct diversity *d, int what, double value, double bound)
{
    d->of[what][DIVERSITY_MEAN] += value;
    d->of[what][DIVERSITY_BOUND] += bound;
    d->of[what][DIVERSITY_NONE + (int)fmin(value, 3)]++;
    d->least[what] = fmin(d->least[what], value);
}

static int study_source(void *arg, int, size_t part, const struct tick *t, struct err *err)
{
    const struct study *y = arg;
    const size_t n = (size_t)y->out->n, m = y->out->m;
    struct diversity *s = &y->sums[part];
    struct pair p = { .y = y };
    int ret = -1;

    if (TAKE("disjoint paths", err, ARRAY(p.from_s, n), ARRAY(p.to_t, n), ARRAY(p.queue, LATE * n), ZEROS(p.paths, n),
             ARRAY(p.flow, LATE * m), ARRAY(p.used, m), ARRAY(p.into, n), ARRAY(p.prev, LATE * n),
             ARRAY(p.via, LATE * n)) < 0)
        return -1;
    pair_from(&p, y->end[y->source[part]]);
    for (int w = 0; w < DIVERSITY_WHATS; w++)
        s->least[w] = INFINITY;
    for (int k = 0; k < y->nend; k++) {
        int found[LATE + 1] = { 0 }, bound[LATE + 1] = { 0 };

        p.t = y->end[k];
        if (p.t == p.s)
            continue;
        if (tick_check(t, (double)k / y->nend, err) < 0)
            goto done;
        p.far = p.from_s[p.t];
        p.most = pair_most(&p);
        csr_bfs(&y->in, p.t, p.to_t, p.queue);
        if (p.far > 0)
            pair_count(&p, found, bound);
        sums_add(s, DIVERSITY_PATHS, p.paths[p.t], p.paths[p.t]);
        for (int w = 0; w <= LATE; w++)
            sums_add(s, DIVERSITY_SHORTEST + w, found[w], bound[w]);
    }
    ret = 0;
done:
    FREE(p.from_s, p.to_t, p.queue, p.paths, p.flow, p.used, p.into, p.prev, p.via);
    return ret;
}

/* ---- the whole ---- */

static int study_open(struct study *y, struct net *net, struct err *err)
{
    const igraph_t *graph;

    if (net_graph(net, &graph, err) < 0 || csr_kept(&y->out, net, err) < 0 ||
        trunks_open_net(&y->trunks, net, false, err) < 0 || csr_init(&y->in, graph, true, err) < 0 ||
        TAKE("disjoint paths", err, ARRAY(y->in_link, y->in.m), ARRAY(y->end, net->n), ARRAY(y->source, net->n),
             ARRAY(y->copies, net->n)) < 0)
        return -1;
    for (int v = 0; v < net->n; v++)
        for (size_t i = y->in.first[v]; i < y->in.first[v + 1]; i++)
            y->in_link[i] = csr_link(y->out, y->in.to[i], v);
    return 0;
}

/* Nodes that terminals are or hang at, and which of them stand for which, by `of`, orbits; NULL: each for itself. */
static int find_ends(struct study *y, const struct net *net, const int *of, struct err *err)
{
    const struct csr *c = y->out;
    int *terminal, *stands;

    if (TAKE("disjoint paths", err, ARRAY(terminal, net->n), ARRAY(stands, net->n)) < 0)
        return -1;
    memset(terminal, -1, (size_t)net->n * sizeof *terminal);
    memset(stands, -1, (size_t)net->n * sizeof *stands);
    for (int k = net->nterminal - 1; k >= 0; k--) {
        const int v = net_terminal(net, k), one = c->first[v + 1] - c->first[v] == 1 ? c->to[c->first[v]] : v;

        terminal[net_terminal_index(net, one) < 0 ? one : v] = v;
    }
    for (int v = 0; v < net->n; v++) {
        const int class = terminal[v] < 0 ? -1 : of ? of[terminal[v]] : v;

        if (class < 0)
            continue;
        if (stands[class] < 0) {
            y->source[stands[class] = y->nsource++] = y->nend;
            y->copies[stands[class]] = 0;
        }
        y->copies[stands[class]]++;
        y->end[y->nend++] = v;
    }
    FREE(terminal, stands);
    return 0;
}

/* Means of all; where sources were drawn, how far off they may be. */
static int study_means(struct diversity *out, const struct study *y, struct err *err)
{
    const size_t n = (size_t)y->nsource;
    double *without, pairs = 0;

    if (TAKE("disjoint paths", err, ARRAY(without, n)) < 0)
        return -1;
    for (size_t i = 0; i < n; i++)
        pairs += y->copies[i] * (y->nend - 1);
    for (int k = 0; k < DIVERSITY_WHATS * DIVERSITY_NUMBERS; k++) {
        const int w = k / DIVERSITY_NUMBERS, x = k % DIVERSITY_NUMBERS;
        double sum = 0;

        out->least[w] = pairs > 0 ? INFINITY : NAN;
        for (size_t i = 0; i < n; i++) {
            sum += y->copies[i] * y->sums[i].of[w][x];
            out->least[w] = fmin(out->least[w], y->sums[i].least[w]);
        }
        out->of[w][x] = sum / pairs;
        for (size_t i = 0; i < n; i++)
            without[i] = (sum - y->sums[i].of[w][x]) / (pairs - (y->nend - 1));
        if (out->sources)
            out->error[w][x] = sample_error(without, n, y->nend);
    }
    free(without);
    return 0;
}

int diversity(struct diversity *out, struct net *net, const struct diversity_options *o, struct err *err)
{
    struct orbits orbits = { 0 };
    struct study y = { 0 };
    int *drawn = NULL, most, ret = -1;

    *out = (struct diversity){ 0 };
    if (study_open(&y, net, err) < 0 ||
        (!o->no_symmetry && (double)y.out->m <= SYMMETRY_LINKS && orbits_find(&orbits, net, &o->tick, err) < 0) ||
        find_ends(&y, net, orbits.of, err) < 0)
        goto done;
    most = o->sources ? o->sources : y.nend;
    if (o->work > 0)
        most = (int)fmin(most, fmax(2, o->work / ((double)y.out->m * y.nend)));
    if (most < y.nsource) {
        if (sample_draw(&drawn, most, y.nend, o->seed, err) < 0)
            goto done;
        out->sources = y.nsource = most;
        for (int i = 0; i < most; i++) {
            y.source[i] = drawn[i];
            y.copies[i] = 1;
        }
    }
    if (TAKE("disjoint paths", err, ZEROS(y.sums, y.nsource)) == 0 &&
        jobs_run((size_t)y.nsource, jobs_threads(o->jobs, (size_t)y.nsource), study_source, &y, &o->tick, err) == 0)
        ret = study_means(out, &y, err);
done:
    orbits_release(&orbits);
    trunks_release(&y.trunks);
    csr_release(&y.in);
    FREE(y.in_link, y.end, y.source, y.copies, y.sums, drawn);
    return ret;
}
