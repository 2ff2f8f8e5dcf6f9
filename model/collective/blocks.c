#include "model/collective/blocks.h"
#include "model/collective/exchange.h"

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
    const int m = schedule_power(s->n);

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

/* A message of `count` pieces between twins, from the extra one or to it; the other does `what`. */
static int twin_message(struct action *a, const struct schedule *s, int p, bool from_extra, enum action_what what,
                        int64_t first, int64_t count, struct err *err)
{
    a->what = (position(s, p) < 0) == from_extra ? ACTION_SEND : what;
    a->peer = twin(s, p);
    return action_run(a, first, count, s->npieces, err);
}

static int twin_action(struct action *a, const struct schedule *s, int p, int64_t, struct err *err)
{
    const struct program *of = a->program;
    const int extra = position(s, p) < 0 ? p : twin(s, p);
    const bool fold = of == &blocks_fold || of == &blocks_fold_own;

    if (of == &blocks_fold || of == &blocks_unfold)
        return twin_message(a, s, p, fold, fold ? ACTION_COMBINE : ACTION_RECEIVE, 0, s->npieces, err);
    return of == &blocks_unfold_rest ? twin_message(a, s, p, fold, ACTION_RECEIVE, extra + 1, s->n - 1, err) :
        twin_message(a, s, p, fold, ACTION_RECEIVE, extra, 1, err);
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

    return twin_message(a, s, p, from_extra, i == 2 ? ACTION_RECEIVE : ACTION_COMBINE, from_extra && i < 2 ? 0 : half,
                        half, err);
}

const struct program blocks_fold = { .length = twin_length, .action = twin_action };
const struct program blocks_fold_halves = { .length = halves_length, .action = halves_action };
const struct program blocks_fold_own = { .length = twin_length, .action = twin_action };
const struct program blocks_unfold = { .length = twin_length, .action = twin_action };
const struct program blocks_unfold_rest = { .length = twin_length, .action = twin_action };
const struct program blocks_unfold_own = { .length = twin_length, .action = twin_action };

/* ---- the cube ---- */

static int64_t cube_length(const struct schedule *s, int p)
{
    return position(s, p) < 0 ? 0 : 2 * __builtin_ctz((unsigned)s->state[0]);
}

/* Of halving and doubling, the blocks of the d positions with the high bits of those that have them in the end. */
static int cube_action(struct action *a, const struct schedule *s, int p, int64_t i, struct err *err)
{
    const bool halving = a->program == &blocks_halving, sent = i % 2 == 0;
    const int v = position(s, p), d = halving ? s->state[0] >> (i / 2 + 1) : 1 << i / 2;
    const int from = (sent == halving ? v ^ d : v) & ~(d - 1), twins = s->npieces == s->n ? s->n - s->state[0] : 0;
    const int first = from + (from < twins ? from : twins), end = from + d + (from + d < twins ? from + d : twins);

    a->what = sent ? ACTION_SEND : a->program == &blocks_doubling ? ACTION_RECEIVE : ACTION_COMBINE;
    a->peer = at_position(s, v ^ d);
    return a->program == &blocks_exchange ? action_run(a, 0, s->npieces, 0, err) :
        action_run(a, first, end - first, 0, err);
}

const struct program blocks_exchange = { .length = cube_length, .action = cube_action };
const struct program blocks_halving = { .length = cube_length, .action = cube_action };
const struct program blocks_doubling = { .length = cube_length, .action = cube_action };

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
static int tree_action(struct action *a, const struct schedule *s, int p, int64_t at, struct err *err)
{
    const bool gather = a->program == &blocks_gather;
    const int64_t v = position(s, p), i = gather ? tree_length(s, p) - 1 - at : at;
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

const struct program blocks_scatter = { .length = tree_length, .action = tree_action };
const struct program blocks_gather = { .length = tree_length, .action = tree_action };

/* ---- the ring ---- */

static int ring_action(struct action *a, const struct schedule *s, int p, int64_t i, struct err *err)
{
    exchange_shift(a, s, p, i, 1);
    return action_run(a, exchange_modulo(rank_of(s, exchange_sender(a, p)) - i / 2, s->n), 1, 0, err);
}

const struct program blocks_ring = {
    .length = exchange_with_all, .action = ring_action, .round = exchange_round
};
