/* metapath_any_open.c -- the state of a run over all sources (metapath_any.h). Sets and link bits are opened elsewhere.
 * 1. graph      both copies, and a bound on distances, which decides whether they fit a byte
 * 2. targets    in an order that keeps neighbours together; one for each orbit of nodes with equal results
 * 3. threads    a check that sums fit their words; as many threads as memory has room for
 * 4. open and close
 * 5. results    thread sums merged, classes of sizes */
#include "analysis/metapath/metapath_any.h"

#include <omp.h>

#include "graph/topology/grid.h"
#include "graph/symmetry.h"

#define FOLD_FROM 2048          /* terminals: fewer take no time */

/* ---- graph ---- */

static int farthest(const int *hops, int n)
{
    int far = 0;

    for (int v = 1; v < n; v++)
        far = hops[v] > hops[far] ? v : far;
    return far;
}

/* A bound on the distances of a connected undirected network, closer than twice the eccentricity of any node: twice
 * that of one half way between two far ends. hops holds the distances from anywhere on entry. */
static int bound_distances(const struct csr *c, int *hops, int *queue, uint32_t *longest, struct err *err)
{
    int end = farthest(hops, c->n), other, middle = end, *back = malloc((size_t)c->n * sizeof *back);

    if (!back)
        return err_memory(err);
    csr_bfs(c, end, hops, queue);
    other = farthest(hops, c->n);
    csr_bfs(c, other, back, queue);
    for (int v = 0; v < c->n; v++) {
        int off = abs(hops[v] - back[v]) + hops[v] + back[v];

        if (hops[v] >= 0 && off < abs(hops[middle] - back[middle]) + hops[middle] + back[middle])
            middle = v;
    }
    csr_bfs(c, middle, hops, queue);
    *longest = 2 * (uint32_t)hops[farthest(hops, c->n)];
    free(back);
    return 0;
}

/* Both compressed copies, a bound on distances, and the refusal of networks that are not connected. */
int any_graph_open(struct any *a, struct err *err)
{
    const igraph_t *graph;
    int *hops = NULL, *queue = NULL, ret = -1, from = net_terminal(a->net, 0);
    char name[2][96];

    if (net_graph(a->net, &graph, err) < 0 || csr_init(&a->forward, graph, false, err) < 0 ||
        csr_init(&a->backward, graph, true, err) < 0)
        return -1;
    if (TAKE("metapaths", err, ARRAY(hops, a->net->n), ARRAY(queue, a->net->n)) < 0)
        goto done;
    a->longest = 0;
    for (int way = 0; way < 2; way++) {
        int most = 0;

        csr_bfs(way ? &a->backward : &a->forward, from, hops, queue);
        for (int k = 0; k < a->nterminal; k++) {
            int t = net_terminal(a->net, k);

            if (hops[t] < 0) {
                err_set(err, ERR_NETWORK, "%.80s is not connected: there is no path from %s to %s", a->net->spec,
                        net_label(a->net, way ? t : from, name[0]), net_label(a->net, way ? from : t, name[1]));
                goto done;
            }
        }
        for (int v = 0; v < a->net->n; v++)
            most = hops[v] > most ? hops[v] : most;
        a->longest += (uint32_t)most;
    }
    ret = a->net->directed ? 0 : bound_distances(&a->forward, hops, queue, &a->longest, err);
    if (ret == 0 && a->net->lines == LINES_GRID) {
        struct topo_facts f;

        grid_facts(a->net, &f);
        a->longest = (uint32_t)f.diameter;
    }
    a->narrow = a->longest <= 254;
done:
    FREE(hops, queue);
    return ret;
}

/* ---- targets ---- */

/* Whether one target may stand for its orbit: results must be the same for all of it. With rows, dimension order or
 * one-way links they are not. */
static bool may_fold(const struct any *a)
{
    if (a->o->no_symmetry || a->net->directed || a->net->lines == LINES_GRID || a->nterminal < FOLD_FROM)
        return false;
    for (size_t i = 0; i < a->n; i++)
        if (any_listed(&a->sn[i]) && a->sn[i].shape != SHAPE_BALL)
            return false;
    return true;
}

/* Targets in clustered order: every terminal, or one of each orbit with its size as weight. */
static int take_targets(struct any *a, const int *order, const struct orbits *orbits, struct err *err)
{
    int *place;

    if (TAKE("metapaths", err, ARRAY(place, a->net->n), ZEROS_IF(orbits, a->weight, a->nterminal)) < 0)
        return -1;
    for (int i = 0; i < a->net->n; i++) {
        int v = order[i];

        if (net_terminal_index(a->net, v) < 0 || (orbits && orbits->of[v] != v))
            continue;
        place[v] = a->ntarget;
        a->target[a->ntarget++] = v;
    }
    for (int k = 0; k < a->nterminal; k++) {
        int v = net_terminal(a->net, k);

        a->target_of[k] = place[orbits ? orbits->of[v] : v];
        if (orbits)
            a->weight[a->target_of[k]]++;
    }
    free(place);
    return 0;
}

static int open_targets(struct any *a, struct err *err)
{
    int *order, ret = -1;
    const struct tick search = tick_part(&a->o->tick, 0, 0.05);
    struct orbits orbits = { 0 };

    if (TAKE("metapaths", err, ARRAY(order, a->net->n), ARRAY(a->target, a->nterminal),
             ARRAY(a->target_of, a->nterminal), ZEROS(a->in_sum, a->nterminal), ZEROS(a->out_sum, a->nterminal)) < 0)
        return -1;
    if (csr_order(&a->forward, order, err) == 0 &&
             (!may_fold(a) || orbits_find(&orbits, a->net, &search, err) == 0))
        ret = take_targets(a, order, orbits.of && orbits.count < a->nterminal ? &orbits : NULL, err);
    orbits_release(&orbits);
    free(order);
    return ret;
}

/* ---- threads ---- */

/* Sums are 32-bit in a block and 64-bit beyond. */
static int check_sums(struct any *a, struct err *err)
{
    for (size_t i = 0; i < a->n; i++) {
        const struct supernode *sn = &a->sn[i];
        double S = a->set[i].largest, T = a->reverse[i].first ? a->reverse[i].largest : S, most;

        most = sn->both ? S * T : any_listed(sn) ? S : 1;
        if (most * a->longest > UINT32_MAX)
            return err_set(err, ERR_MEMORY, "%s on %.80s: supernodes of %.0f nodes are too large for exact sums",
                           sn->spec, a->net->spec, S);
        if (2 * most * a->longest > (double)a->most_numerator)
            a->most_numerator = (uint64_t)(2 * most * a->longest);
    }
    return 0;
}

static double thread_bytes(const struct any *a, bool both, int balls)
{
    double block = (double)a->net->n * DIST_BLOCK;

    return dist_work_bytes(&a->backward) + block * (a->narrow ? 1 : 4) + block * a->nplane + (both ? block * 4 : 0) +
           (double)a->net->n * (balls > 0 ? 16 + ANY_STRIPE_BYTES : 16) + block * 2 * balls;
}

static size_t most_pairs(const struct any *a)
{
    size_t most = 1;

    for (size_t i = 0; i < a->n; i++)
        if (a->sn[i].both) {
            int largest = a->reverse[i].first ? a->reverse[i].largest : a->set[i].largest;

            most = (size_t)largest * DIST_BLOCK > most ? (size_t)largest * DIST_BLOCK : most;
        }
    return most;
}

static int open_thread(const struct any *a, struct any_thread *w, bool both, struct err *err)
{
    size_t n = (size_t)a->net->n, block = n * DIST_BLOCK;

    w->work = dist_work_new(&a->backward);
    w->row8 = a->narrow ? aligned_alloc(64, block) : NULL;          /* aligned rows are filled faster */
    w->row32 = a->narrow ? NULL : aligned_alloc(64, block * 4);
    if (!w->work || (!w->row8 && !w->row32))
        return err_memory(err);
    if (TAKE(a->net->spec, err, ARRAY_IF(a->nplane, w->last, block * (size_t)a->nplane),
             ARRAY(w->coordinate, (size_t)(a->net->ndim + 1) * DIST_BLOCK), ARRAY(w->place, n),
             ZEROS_IF(a->net->directed, w->out_sum, a->nterminal), ZEROS(w->moments, a->n), ZEROS(w->bin, a->n),
             ZEROS(w->links, a->n), ZEROS(w->ball, a->n), ARRAY(w->summed, a->n), ARRAY(w->sum, a->n * DIST_BLOCK),
             ARRAY_IF(both, w->near, block), ARRAY_IF(both, w->joint, n), ARRAY_IF(both, w->column, n),
             ZEROS_IF(both, w->seen, n), ARRAY_IF(both, w->pair, most_pairs(a))) < 0)
        return -1;
    if (both)
        memset(w->column, 0xff, n * sizeof *w->column);
    for (size_t i = 0; i < a->n; i++) {
        if (TAKE(a->net->spec, err, ARRAY(w->moments[i], a->nmoments[i]), ZEROS_IF(a->nbin, w->bin[i], a->nbin)) < 0)
            return -1;
        for (size_t c = 0; c < a->nmoments[i]; c++)
            moments_init(&w->moments[i][c]);
        if (!a->set[i].again_first)
            continue;
        w->ball[i] = aligned_alloc(64, block * sizeof **w->ball);
        w->stripe = w->stripe ? w->stripe : aligned_alloc(64, n * ANY_STRIPE_BYTES);
        if (!w->ball[i] || !w->stripe)
            return err_memory(err);
    }
    memset(w->place, 0xff, n * sizeof *w->place);
    return 0;
}

static int open_threads(struct any *a, struct err *err)
{
    int blocks = (a->ntarget + DIST_BLOCK - 1) / DIST_BLOCK;
    bool both = false;
    int balls = 0;
    double each;

    if (TAKE("metapaths", err, ARRAY(a->nmoments, a->n)) < 0)
        return -1;
    for (size_t i = 0; i < a->n; i++) {
        size_t T = a->reverse[i].first ? a->reverse[i].nclass : a->set[i].nclass;

        both = both || a->sn[i].both;
        balls += a->set[i].again_first != NULL;
        a->nmoments[i] = a->set[i].first ? a->set[i].nclass * (a->sn[i].both ? T : 1) : 1;
    }
    if (a->o->bins_per_hop)
        a->nbin = (size_t)(3 * a->longest + 1) * (size_t)a->o->bins_per_hop;
    each = thread_bytes(a, both, balls);
    a->nthread = a->o->jobs ? a->o->jobs : omp_get_max_threads();
    a->nthread = a->nthread < blocks ? a->nthread : blocks;
    while (a->nthread > 1 && each * a->nthread > mem_available())
        a->nthread--;
    if (mem_need(each * a->nthread, a->net->spec, err) < 0)
        return -1;
    if (TAKE(a->net->spec, err, ZEROS(a->thread, a->nthread)) < 0)
        return -1;
    for (int t = 0; t < a->nthread; t++)
        if (open_thread(a, &a->thread[t], both, err) < 0)
            return -1;
    return 0;
}

/* ---- open and close ---- */

int any_open(struct any *a, struct err *err)
{
    a->nterminal = a->net->nterminal;
    return any_graph_open(a, err) < 0 || open_targets(a, err) < 0 || any_sets_open(a, err) < 0 ||
        check_sums(a, err) < 0 || any_links_open(a, err) < 0 ? -1 : open_threads(a, err);
}

static void close_sets(struct any_sets *set, size_t n)
{
    for (size_t i = 0; set && i < n; i++)
        any_sets_release(&set[i]);
    free(set);
}

static void close_thread(const struct any *a, struct any_thread *w)
{
    dist_work_free(w->work);
    mem_free_list(w->moments, a->n);
    mem_free_list(w->bin, a->n);
    mem_free_list(w->ball, a->n);
    FREE(w->row8, w->row32, w->last, w->coordinate, w->near, w->joint, w->column, w->seen, w->pair, w->place,
         w->out_sum, w->links, w->stripe, w->sum, w->summed);
}

void any_sets_close(struct any *a)
{
    close_sets(a->set, a->n);
    close_sets(a->reverse, a->n);
    a->set = a->reverse = NULL;
}

void any_close(struct any *a)
{
    for (int t = 0; a->thread && t < a->nthread; t++)
        close_thread(a, &a->thread[t]);
    any_sets_close(a);
    mem_free_list(a->fixed, a->n);
    csr_release(&a->forward);
    csr_release(&a->backward);
    FREE(a->target, a->target_of, a->weight, a->degree, a->in_sum, a->out_sum, a->nmoments, a->denominator,
         a->intermediate, a->thread);
}

/* ---- results ---- */

void any_merge(const struct any *a, struct any_thread *to, struct any_thread *from)
{
    for (int k = 0; a->net->directed && k < a->nterminal; k++)
        to->out_sum[k] += from->out_sum[k];
    for (size_t i = 0; i < a->n; i++) {
        for (size_t c = 0; c < a->nmoments[i]; c++)
            moments_merge(&to->moments[i][c], &from->moments[i][c]);
        for (size_t b = 0; b < a->nbin; b++)
            to->bin[i][b] += from->bin[i][b];
        for (int d = 0; d <= ANY_DEGREES; d++) {
            to->links[i].out_pairs[d] += from->links[i].out_pairs[d];
            to->links[i].out_used[d] += from->links[i].out_used[d];
            to->links[i].in_pairs[d] += from->links[i].in_pairs[d];
            to->links[i].in_used[d] += from->links[i].in_used[d];
        }
    }
}

int any_classes(struct any *a, size_t i, struct err *err)
{
    const struct supernode *sn = &a->sn[i];
    const struct any_sets *S = &a->set[i], *T = a->reverse[i].first ? &a->reverse[i] : S;
    size_t n = a->nmoments[i];

    FREE(a->denominator, a->intermediate);
    if (TAKE("metapaths", err, ARRAY(a->denominator, n), ARRAY(a->intermediate, n)) < 0)
        return -1;
    for (size_t c = 0; c < n; c++) {
        double s = sn->shape == SHAPE_POINT ? 1 : sn->shape == SHAPE_ALL ? a->nterminal
                                                                         : S->size[sn->both ? c / T->nclass : c];
        double t = sn->both ? T->size[c % T->nclass] : 1;

        a->denominator[c] = s * t;
        a->intermediate[c] = sn->shape == SHAPE_POINT ? 0 : sn->both ? s + t : s;
    }
    return 0;
}
