/* Numberings of nodes (numbering.h).
 *   judging  the most inversions from each state on: with its children's, one more where the direction changes
 *   search   orders to begin with, moves; all orders of a few nodes */
#include "model/routing/numbering.h"
#include "graph/numeric/rng.h"
#include "model/routing/routes.h"

#define WORK 2e9                /* states and steps looked at in one search */
#define MOVES 200000            /* at most */

/* ---- judging ---- */

static bool cheaper(const struct numbering_cost *a, const struct numbering_cost *b)
{
    return a->inversions != b->inversions ? a->inversions < b->inversions : a->routes < b->routes;
}

struct judge {
    struct routes routes;
    size_t *end;                    /* by target: of its states */
    size_t ntarget, target_room, room;
    int *direction, *most;          /* by state: 1 up, -1 down, 0 not known; inversions from there on */
    double *count;                  /* ways on that have as many */
    size_t at;                      /* target that said no last */
    double work;
};

static void judge_close(struct judge *j)
{
    routes_release(&j->routes);
    FREE(j->end, j->direction, j->most, j->count);
}

/* Adds one target's routes to a cost; nodes of the same number have none yet, and inversions there are not counted. */
static void judge_target(struct numbering_cost *cost, struct judge *j, size_t begin, size_t end, const int *number)
{
    const struct routes *s = &j->routes;

    for (size_t i = begin; i < end; i++) {
        const int a = number[s->from[i]], b = number[s->to[i]], direction = (b > a) - (b < a);
        int most = 0;
        double count = s->first[i] == s->first[i + 1];

        for (size_t e = s->first[i]; e < s->first[i + 1]; e++) {
            const int to = s->next[e], turns = j->most[to] + (direction * j->direction[to] < 0);

            if (turns > most) {
                most = turns;
                count = j->count[to];
            } else if (turns == most)
                count += j->count[to];
        }
        j->direction[i] = direction;
        j->most[i] = most;
        j->count[i] = count;
        most += direction < 0;
        if (s->begins[i] && most > cost->inversions)
            *cost = (struct numbering_cost){ most, count };
        else if (s->begins[i] && most == cost->inversions)
            cost->routes += count;
    }
    j->work += (double)(end - begin) + (double)(s->first[end] - s->first[begin]);
}

/* Begins with the target that exceeded the limit the last time, and stops where it is exceeded. */
static struct numbering_cost judge(struct judge *j, const int *number, const struct numbering_cost *limit)
{
    struct numbering_cost cost = { 0, 0 };

    for (size_t k = 0; k < j->ntarget; k++) {
        const size_t at = (j->at + k) % j->ntarget;

        judge_target(&cost, j, at ? j->end[at - 1] : 0, j->end[at], number);
        if (limit && cheaper(limit, &cost)) {
            j->at = at;
            break;
        }
    }
    return cost;
}

/* All routes; with a cost those to each target are judged at once and not kept. */
static int judge_open(struct judge *j, struct numbering_cost *cost, const int *number, struct follow *f,
                      struct routing *r, size_t nrouting, struct err *err)
{
    struct routes *s = &j->routes;

    for (size_t i = 0; i < nrouting; i++)
        for (int t = 0; t < f->nend; t++) {
            if (routes_add(s, f, &r[i], follow_end(f, t), err) < 0 ||
                GROW(&j->room, s->n, "routes", err, GROWN(j->direction), GROWN(j->most), GROWN(j->count)) < 0 ||
                GROW(&j->target_room, j->ntarget + 1, "routes", err, GROWN(j->end)) < 0)
                return -1;
            if (cost) {
                judge_target(cost, j, 0, s->n, number);
                routes_clear(s);
            } else
                j->end[j->ntarget++] = s->n;
        }
    return 0;
}

int numbering_judge(struct numbering_cost *out, const int *number, struct follow *f, struct routing *r,
                    size_t nrouting, struct err *err)
{
    struct numbering_cost cost = { 0, 0 };
    struct judge j = { 0 };
    const int ret = judge_open(&j, &cost, number, f, r, nrouting, err);

    judge_close(&j);
    if (ret == 0)
        *out = cost;
    return ret;
}

/* ---- search ---- */

struct numbering {
    struct judge judge;
    const struct tick *tick;
    unsigned ticks;
    int n, *number, *order;         /* order[number[v]] = v */
    int *best;
    struct numbering_cost cost;     /* of the best */
};

static int number_tick(struct numbering *s, struct err *err)
{
    return ++s->ticks % 64 ? 0 : tick_check(s->tick, s->judge.work < WORK ? s->judge.work / WORK : 1, err);
}

static void keep(struct numbering *s, const struct numbering_cost *cost)
{
    s->cost = *cost;
    memcpy(s->best, s->number, (size_t)s->n * sizeof *s->best);
}

/* Judges an order, and keeps what it finds if that is the cheapest so far. */
static struct numbering_cost judge_order(struct numbering *s, const struct numbering_cost *limit)
{
    struct numbering_cost cost;

    for (int i = 0; i < s->n; i++)
        s->number[s->order[i]] = i;
    s->judge.work += s->n;
    cost = judge(&s->judge, s->number, limit);
    if (cheaper(&cost, &s->cost))
        keep(s, &cost);
    return cost;
}

/* By hops from the node of most links, then by number, and from there back; nodes out of reach last. */
static void order_by_breadth(int *order, const struct follow *f, int *level)
{
    const int n = f->net->n;
    int root = 0, reached = 0;

    for (int v = 1; v < n; v++)
        if (f->links.first[v + 1] - f->links.first[v] > f->links.first[root + 1] - f->links.first[root])
            root = v;
    csr_bfs(&f->links, root, level, order);
    for (int v = 0; v < n; v++)
        reached += level[v] >= 0;
    for (int begin = 0, end; begin < reached; begin = end) {
        for (end = begin; end < reached && level[order[end]] == level[order[begin]]; end++)
            ;
        qsort(order + begin, (size_t)(end - begin), sizeof *order, num_ascending);
    }
    for (int v = 0; v < n; v++)
        if (level[v] < 0)
            order[reached++] = v;
}

/* The node with number i gets number k, those between move up. */
static void shift(int *order, int i, int k)
{
    const int node = order[i];

    if (i < k)
        memmove(order + i, order + i + 1, (size_t)(k - i) * sizeof *order);
    else
        memmove(order + k + 1, order + k, (size_t)(i - k) * sizeof *order);
    order[k] = node;
}

static int search_moves(struct numbering *s, double budget, uint64_t seed, struct err *err)
{
    struct numbering_cost here = s->cost;
    struct rng rng;

    rng_seed(&rng, seed);
    for (int v = 0; v < s->n; v++)
        s->order[s->best[v]] = v;
    for (int move = 0; move < MOVES && s->judge.work < budget; move++) {
        const int i = (int)rng_below(&rng, (uint64_t)s->n), k = (int)rng_below(&rng, (uint64_t)s->n);
        struct numbering_cost cost;

        shift(s->order, i, k);
        cost = judge_order(s, &here);
        if (cheaper(&here, &cost))
            shift(s->order, k, i);
        else
            here = cost;
        if (number_tick(s, err) < 0)
            return -1;
    }
    return 0;
}

/* Numbers 0 to depth - 1 are given; all others are as if they had the number n. */
static int search_all(struct numbering *s, int depth, struct err *err)
{
    for (int v = 0; v < s->n; v++) {
        struct numbering_cost cost;

        if (s->number[v] < s->n)
            continue;
        s->number[v] = depth;
        if (number_tick(s, err) < 0)
            return -1;
        cost = judge(&s->judge, s->number, &s->cost);
        if (s->judge.work < WORK && cheaper(&cost, &s->cost)) {
            if (depth + 1 == s->n)
                keep(s, &cost);
            else if (search_all(s, depth + 1, err) < 0)
                return -1;
        }
        s->number[v] = s->n;
    }
    return 0;
}

int numbering_search(int *number, struct numbering_cost *cost, bool *exact, struct follow *f, struct routing *r,
                     size_t nrouting, uint64_t seed, struct err *err)
{
    const int n = f->net->n;
    struct numbering s = { .n = n, .tick = &f->tick, .cost = { INT_MAX, 0 } };
    int *level = NULL, ret = -1;

    if (judge_open(&s.judge, NULL, NULL, f, r, nrouting, err) < 0 ||
        TAKE("a numbering", err, ARRAY(s.number, n), ARRAY(s.order, n), ARRAY(s.best, n), ARRAY(level, n)) < 0)
        goto done;
    for (int v = 0; v < n; v++)
        s.order[v] = v;
    for (int how = 0; how < 4; how++) {             /* their own numbers, by breadth; each from above as well */
        if (how == 2)
            order_by_breadth(s.order, f, level);
        for (int i = 0; how % 2 && i < n / 2; i++) {
            const int node = s.order[i];

            s.order[i] = s.order[n - 1 - i];
            s.order[n - 1 - i] = node;
        }
        judge_order(&s, NULL);
    }
    if (search_moves(&s, n > NUMBERING_EXACT ? WORK : WORK / 100, seed, err) < 0)
        goto done;
    if (n <= NUMBERING_EXACT) {
        for (int v = 0; v < n; v++)
            s.number[v] = n;
        if (search_all(&s, 0, err) < 0)
            goto done;
    }
    memcpy(number, s.best, (size_t)n * sizeof *number);
    *cost = s.cost;
    *exact = n <= NUMBERING_EXACT && s.judge.work < WORK;
    ret = 0;
done:
    FREE(s.number, s.order, s.best, level);
    judge_close(&s.judge);
    return ret;
}
