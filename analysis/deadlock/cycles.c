#include "analysis/deadlock/cycles.h"

#define ALL_STARTS 1e9          /* resources x dependencies up to which every resource is a start */

int cycles_parts(int *part, bool *cyclic, const struct deadlock *d, struct err *err)
{
    const size_t n = d->resource;
    int *low, *number, *stack, *path, count = 0;
    size_t *at, depth = 0, held = 0;

    if (TAKE("cycles", err, ARRAY(low, n), ZEROS(number, n), ARRAY(stack, n), ARRAY(path, n), ARRAY(at, n)) < 0)
        return -1;
    *cyclic = false;
    for (size_t v = 0; v < n; v++)
        part[v] = INT_MAX;              /* on the stack, or not reached */
    for (size_t root = 0; root < n; root++) {
        if (number[root])
            continue;
        path[depth++] = (int)root;
        while (depth) {
            const int v = path[depth - 1];

            if (!number[v]) {
                number[v] = low[v] = ++count;
                at[v] = d->first[v];
                stack[held++] = v;
            }
            if (at[v] < d->first[v + 1]) {
                const int w = d->to[at[v]++];

                if (!number[w])
                    path[depth++] = w;
                else if (part[w] == INT_MAX && number[w] < low[v])
                    low[v] = number[w];
                continue;
            }
            if (low[v] == number[v]) {
                bool more = stack[held - 1] != v;

                for (size_t e = d->first[v]; e < d->first[v + 1]; e++)
                    more = more || d->to[e] == v;
                *cyclic = *cyclic || more;
                do
                    part[stack[--held]] = more ? v : -1;
                while (stack[held] != v);
            }
            depth--;
            if (depth && low[v] < low[path[depth - 1]])
                low[path[depth - 1]] = low[v];
        }
    }
    FREE(low, number, stack, path, at);
    return 0;
}

struct round {
    int *before, *seen, *queue, block;
};

/* The shortest cycle through `start`, if it has less than `most` resources; *n 0: none. */
static void round_through(size_t *n, struct round *r, const struct deadlock *d, const int *part, int start, size_t most)
{
    size_t head = 0, tail = 0, level = 1, end = 1;

    r->block++;
    *n = 0;
    r->queue[tail++] = start;
    for (; head < tail && level < most; head++) {
        const int v = r->queue[head];

        if (head == end) {
            level++;
            end = tail;
            if (level >= most)
                return;
        }
        for (size_t e = d->first[v]; e < d->first[v + 1]; e++) {
            const int w = d->to[e];

            if (w == start) {
                *n = level;
                r->before[start] = v;
                return;
            }
            if (part[w] == part[start] && r->seen[w] != r->block) {
                r->seen[w] = r->block;
                r->before[w] = v;
                r->queue[tail++] = w;
            }
        }
    }
}

int cycles_find(struct deadlock *d, const int *part, bool folded, struct err *err)
{
    const bool all = (double)d->resource * (double)d->n <= ALL_STARTS;
    const size_t ways = d->holds == HOLDS_BUFFERS ? 1 : d->follow.links.first[1];
    const size_t starts = folded ? (size_t)d->classes.most * ways : d->resource;
    struct round r = { 0 };
    size_t best = SIZE_MAX, n;
    int ret = -1;

    if (TAKE("cycles", err, ARRAY(r.before, d->resource), ZEROS(r.seen, d->resource),
             ARRAY(r.queue, d->resource + 1)) < 0)
        return -1;
    d->shortest = all || folded;
    for (size_t v = 0; v < starts; v++) {
        if (part[v] < 0)
            continue;
        if (tick_check(&d->follow.tick, 1, err) < 0)
            goto done;
        round_through(&n, &r, d, part, (int)v, best);
        if (n == 0)
            continue;
        free(d->cycle);
        d->cycle = NULL;
        if (TAKE("a cycle", err, ARRAY(d->cycle, n)) < 0)
            goto done;
        best = d->ncycle = n;
        for (int at = (int)v; n > 0; at = r.before[at])
            d->cycle[n-- % d->ncycle] = at;
        if (!d->shortest)
            break;
    }
    ret = 0;
done:
    FREE(r.before, r.seen, r.queue);
    return ret;
}
