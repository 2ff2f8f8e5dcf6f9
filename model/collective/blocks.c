#include "model/collective/blocks.h"

#include "graph/base/mem.h"

/* ---- the core ---- */

/* state: m; the processes of m positions; the positions of n processes, -1 of extra ones. */

static int rank_of(const struct schedule *s, int p)
{
    return s->operation == BROADCAST || s->operation == REDUCE ? schedule_rank(s, p) : p;
}

static int process_of(const struct schedule *s, int rank)
{
    return s->operation == BROADCAST || s->operation == REDUCE ? schedule_process(s, rank) : rank;
}

int blocks_core(struct schedule *s, int stays, bool reversed, struct err *err)
{
    int m = 1;

    while (m <= s->n / 2)
        m *= 2;
    if (TAKE("the core of a collective", err, ARRAY(s->state, (size_t)m + (size_t)s->n + 1)) < 0)
        return -1;
    s->state[0] = m;
    for (int rank = 0; rank < s->n; rank++) {
        const int extra = s->n - m, c = rank < 2 * extra ? rank / 2 : rank - extra, p = process_of(s, rank);
        const bool in = rank >= 2 * extra || rank % 2 == stays;
        int v = reversed ? 0 : c;

        for (int bit = 1; reversed && bit < m; bit *= 2)
            v = 2 * v + ((c & bit) != 0);
        s->state[(size_t)m + (size_t)p + 1] = in ? v : -1;
        if (in)
            s->state[1 + v] = p;
    }
    return m;
}

static int position(const struct schedule *s, int p)    /* -1: extra */
{
    return s->state ? s->state[(size_t)s->state[0] + (size_t)p + 1] : rank_of(s, p);
}

static int at_position(const struct schedule *s, int v)
{
    return s->state ? s->state[1 + v] : process_of(s, v);
}

/* ---- twins ---- */

static int64_t twin_length(const struct schedule *s, int p)
{
    return rank_of(s, p) < 2 * (s->n - s->state[0]);
}

static int twin(const struct schedule *s, int p)
{
    return process_of(s, rank_of(s, p) ^ 1);
}

/* Of the two, whose block it is. */
static int extra_of(const struct schedule *s, int p)
{
    return position(s, p) < 0 ? p : twin(s, p);
}

/* One message between twins, from the extra one or to it; the other does `what`. */
static int twin_action(struct action *a, const struct schedule *s, int p, bool from_extra, enum action_what what,
                       const int64_t run[2], struct err *err)
{
    a->what = (position(s, p) < 0) == from_extra ? ACTION_SEND : what;
    a->peer = twin(s, p);
    return action_run(a, run[0], run[1], s->npieces, err);
}

static int fold_action(struct action *a, const struct schedule *s, int p, int64_t i, struct err *err)
{
    (void)i;
    return twin_action(a, s, p, true, ACTION_COMBINE, (const int64_t[]){ 0, s->npieces }, err);
}

static int unfold_action(struct action *a, const struct schedule *s, int p, int64_t i, struct err *err)
{
    (void)i;
    return twin_action(a, s, p, false, ACTION_RECEIVE, (const int64_t[]){ 0, s->npieces }, err);
}

static int fold_own_action(struct action *a, const struct schedule *s, int p, int64_t i, struct err *err)
{
    (void)i;
    return twin_action(a, s, p, true, ACTION_RECEIVE, (const int64_t[]){ extra_of(s, p), 1 }, err);
}

static int unfold_own_action(struct action *a, const struct schedule *s, int p, int64_t i, struct err *err)
{
    (void)i;
    return twin_action(a, s, p, false, ACTION_RECEIVE, (const int64_t[]){ extra_of(s, p), 1 }, err);
}

static int unfold_rest_action(struct action *a, const struct schedule *s, int p, int64_t i, struct err *err)
{
    (void)i;
    return twin_action(a, s, p, false, ACTION_RECEIVE, (const int64_t[]){ extra_of(s, p) + 1, s->n - 1 }, err);
}

static int64_t halves_length(const struct schedule *s, int p)
{
    return 3 * twin_length(s, p);
}

/* Halves are exchanged, so that both add; then the extra one gives away what it added, the upper half. */
static int halves_action(struct action *a, const struct schedule *s, int p, int64_t i, struct err *err)
{
    const int64_t half = s->npieces / 2;
    const bool from_extra = i == 2 || (position(s, p) < 0) == (i == 0);

    return twin_action(a, s, p, from_extra, i == 2 ? ACTION_RECEIVE : ACTION_COMBINE,
                       (const int64_t[]){ from_extra && i < 2 ? 0 : half, half }, err);
}

const struct program blocks_fold = { .length = twin_length, .action = fold_action };
const struct program blocks_fold_halves = { .length = halves_length, .action = halves_action };
const struct program blocks_fold_own = { .length = twin_length, .action = fold_own_action };
const struct program blocks_unfold = { .length = twin_length, .action = unfold_action };
const struct program blocks_unfold_rest = { .length = twin_length, .action = unfold_rest_action };
const struct program blocks_unfold_own = { .length = twin_length, .action = unfold_own_action };

/* ---- the cube ---- */

static int64_t cube_length(const struct schedule *s, int p)
{
    int64_t steps = 0;

    for (int m = s->state[0]; m > 1; m /= 2)
        steps++;
    return position(s, p) < 0 ? 0 : 2 * steps;
}

static int exchange_action(struct action *a, const struct schedule *s, int p, int64_t i, struct err *err)
{
    a->what = i % 2 ? ACTION_COMBINE : ACTION_SEND;
    a->peer = at_position(s, position(s, p) ^ (1 << i / 2));
    return action_run(a, 0, s->npieces, 0, err);
}

/* The blocks of the d positions with v's high bits. */
static int subcube(struct action *a, const struct schedule *s, int v, int d, struct err *err)
{
    const int from = v & ~(d - 1), twins = s->npieces == s->n ? s->n - s->state[0] : 0;
    const int first = from + (from < twins ? from : twins), end = from + d + (from + d < twins ? from + d : twins);

    return action_run(a, first, end - first, 0, err);
}

static int halving_action(struct action *a, const struct schedule *s, int p, int64_t i, struct err *err)
{
    const int v = position(s, p), d = s->state[0] >> (i / 2 + 1);

    a->what = i % 2 ? ACTION_COMBINE : ACTION_SEND;
    a->peer = at_position(s, v ^ d);
    return subcube(a, s, i % 2 ? v : v ^ d, d, err);
}

static int doubling_action(struct action *a, const struct schedule *s, int p, int64_t i, struct err *err)
{
    const int v = position(s, p), d = 1 << i / 2;

    a->what = i % 2 ? ACTION_RECEIVE : ACTION_SEND;
    a->peer = at_position(s, v ^ d);
    return subcube(a, s, i % 2 ? v ^ d : v, d, err);
}

const struct program blocks_exchange = { .length = cube_length, .action = exchange_action };
const struct program blocks_halving = { .length = cube_length, .action = halving_action };
const struct program blocks_doubling = { .length = cube_length, .action = doubling_action };

/* ---- the binomial tree ---- */

/* Distance to the parent, or where one would be; *largest: to the child furthest away, 0: there is none. */
static int64_t tree_reach(int64_t *largest, const struct schedule *s, int64_t v)
{
    int64_t up = v & -v;

    if (v == 0)
        for (up = 1; up < s->npieces; up *= 2)
            ;
    for (*largest = up / 2; v + *largest >= s->npieces; *largest /= 2)
        ;
    return up;
}

static int64_t tree_length(const struct schedule *s, int p)
{
    const int v = position(s, p);
    int64_t largest = 0, n = v > 0;

    if (v >= 0)
        tree_reach(&largest, s, v);
    for (; largest; largest /= 2)
        n++;
    return n;
}

/* Action i of scatter: from the parent, then to the children, the largest subtree first. A gather is this backwards. */
static int tree_action(struct action *a, const struct schedule *s, int p, int64_t i, bool gather, struct err *err)
{
    const int64_t v = position(s, p);
    const bool up = v > 0 && i == 0;
    int64_t largest, reach = tree_reach(&largest, s, v), from = v;

    if (!up) {
        reach = largest >> (i - (v > 0));
        from = v + reach;
    }
    a->what = up == gather ? ACTION_SEND : ACTION_RECEIVE;
    a->peer = at_position(s, (int)(up ? v - reach : from));
    return action_run(a, from, reach < s->npieces - from ? reach : s->npieces - from, 0, err);
}

static int scatter_action(struct action *a, const struct schedule *s, int p, int64_t i, struct err *err)
{
    return tree_action(a, s, p, i, false, err);
}

static int gather_action(struct action *a, const struct schedule *s, int p, int64_t i, struct err *err)
{
    return tree_action(a, s, p, tree_length(s, p) - 1 - i, true, err);
}

const struct program blocks_scatter = { .length = tree_length, .action = scatter_action };
const struct program blocks_gather = { .length = tree_length, .action = gather_action };

/* ---- the ring ---- */

static int64_t ring_length(const struct schedule *s, int p)
{
    (void)p;
    return 2 * (int64_t)(s->n - 1);
}

static int ring_action(struct action *a, const struct schedule *s, int p, int64_t i, struct err *err)
{
    const int64_t n = s->n, v = position(s, p), received = i % 2;

    a->what = received ? ACTION_RECEIVE : ACTION_SEND;
    a->peer = at_position(s, (int)((v + (received ? n - 1 : 1)) % n));
    return action_run(a, (v - i / 2 - received + n) % n, 1, 0, err);
}

const struct program blocks_ring = { .length = ring_length, .action = ring_action };
