#include "analysis/collective/matching.h"

#define NONE (-1)

/* Words of all levels, and where each level begins: one word more than its bits need, so that what comes after the
 * last can be looked up. */
static size_t matching_words(size_t begin[MATCHING_LEVELS], size_t nmessage)
{
    size_t words = 0;

    for (int l = 0; l < MATCHING_LEVELS; l++) {
        begin[l] = words;
        nmessage = nmessage / 64 + 1;
        words += nmessage;
    }
    return words;
}

int matching_init(struct matching *out, int nmessage, int nnode, const int *room, struct err *err)
{
    struct matching t = { .nnode = nnode, .room = room };

    if (TAKE("a broadcast", err, ZEROS(t.node, nnode)) < 0)
        return -1;
    for (int v = 0; v < nnode; v++)
        t.node[v].first = NONE;
    if (matching_grow(&t, nmessage, err) < 0) {
        matching_release(&t);
        return -1;
    }
    *out = t;
    return 0;
}

void matching_release(struct matching *t)
{
    FREE(t->message, t->node, t->level[0]);
    *t = (struct matching){ 0 };
}

/* ---- the first messages of guards, and some that were ---- */
static void matching_put(struct matching *t, int v)
{
    size_t k = (size_t)v;

    if (k >= t->tried && (v < t->soon || t->soon == NONE))
        t->soon = v;
    for (int l = 0; l < MATCHING_LEVELS; l++, k /= 64) {
        uint64_t *word = &t->level[l][k / 64], before = *word;

        *word |= UINT64_C(1) << k % 64;
        if (before)
            break;
    }
}

static void matching_drop(struct matching *t, int v)
{
    size_t k = (size_t)v;

    for (int l = 0; l < MATCHING_LEVELS; l++, k /= 64)
        if (t->level[l][k / 64] &= ~(UINT64_C(1) << k % 64))
            break;
}

/* The least of them that is not tried, NONE when all are. */
static int matching_next(const struct matching *t)
{
    size_t k = t->tried;

    for (int l = 0; l < MATCHING_LEVELS; l++, k = k / 64 + 1) {
        const uint64_t rest = t->level[l][k / 64] >> k % 64;

        if (!rest)
            continue;
        k += (size_t)__builtin_ctzll(rest);
        while (l-- > 0)
            k = 64 * k + (size_t)__builtin_ctzll(t->level[l][k]);
        return (int)k;
    }
    return NONE;
}

/* ---- a guard's messages: a pairing heap ---- */
static int matching_meld(struct matching_message *m, int a, int b)
{
    if (a == NONE || b == NONE)
        return a == NONE ? b : a;
    if (b < a) {
        int swap = a;

        a = b;
        b = swap;
    }
    m[b].sibling = m[a].child;
    m[a].child = b;
    return a;
}

static void matching_push(struct matching *t, int node, int v)
{
    t->message[v].child = t->message[v].sibling = NONE;
    t->node[node].first = matching_meld(t->message, t->node[node].first, v);
    if (t->node[node].first == v)
        matching_put(t, v);
}

static void matching_pop(struct matching *t, int node)
{
    struct matching_message *m = t->message;
    int rest = m[t->node[node].first].child, pairs = NONE, top = NONE;

    while (rest != NONE) {              /* meld in pairs, then the pairs from the last to the first */
        int a = rest, b = m[a].sibling, pair;

        rest = b == NONE ? NONE : m[b].sibling;
        m[a].sibling = NONE;
        if (b != NONE)
            m[b].sibling = NONE;
        pair = matching_meld(m, a, b);
        m[pair].sibling = pairs;
        pairs = pair;
    }
    while (pairs != NONE) {
        int next = m[pairs].sibling;

        m[pairs].sibling = NONE;
        top = matching_meld(m, top, pairs);
        pairs = next;
    }
    t->node[node].first = top;
    if (top != NONE)
        matching_put(t, top);
}

int matching_grow(struct matching *t, int nmessage, struct err *err)
{
    struct matching_message *message;
    uint64_t *level;
    size_t begin[MATCHING_LEVELS];

    if (TAKE("a broadcast", err, ZEROS(message, nmessage), ZEROS(level, matching_words(begin, (size_t)nmessage))) < 0)
        return -1;
    if (t->nmessage)
        memcpy(message, t->message, (size_t)t->nmessage * sizeof *message);
    FREE(t->message, t->level[0]);
    t->message = message;
    t->nmessage = nmessage;
    for (int l = 0; l < MATCHING_LEVELS; l++)
        t->level[l] = level + begin[l];
    for (int v = 0; v < t->nnode; v++)
        if (t->node[v].first != NONE)
            matching_put(t, t->node[v].first);
    return 0;
}

void matching_wait(struct matching *t, int v, int a, int b)
{
    t->message[v].a = a;
    t->message[v].b = b;
    matching_push(t, a, v);
}

void matching_next_unit(struct matching *t)
{
    t->unit++;
    t->tried = 0;
    t->soon = matching_next(t);
}

int matching_take(struct matching *t)
{
    for (int v; (v = t->soon) != NONE;) {
        struct matching_message *m = &t->message[v];
        int swap = m->a;

        t->tried = (size_t)v + 1;
        t->soon = matching_next(t);
        if (t->soon != NONE) {
            __builtin_prefetch(&t->node[t->message[t->soon].a]);
            __builtin_prefetch(&t->node[t->message[t->soon].b]);
        }
        if (t->node[m->a].first != v) {
            matching_drop(t, v);
            continue;
        }
        if (!matching_idle(t, m->a))
            continue;
        matching_pop(t, m->a);
        if (matching_idle(t, m->b)) {
            matching_occupy(t, m->a);
            if (m->a != m->b)
                matching_occupy(t, m->b);
            return v;
        }
        m->a = m->b;                    /* its guard from now on */
        m->b = swap;
        matching_push(t, m->a, v);
    }
    return NONE;
}
