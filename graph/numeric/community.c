#include "graph/numeric/community.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "graph/base/mem.h"

#define ROUNDS 50

/* A graph whose nodes are communities of another: links both ways, by node, and the weight within each node. */
struct level {
    int n;
    size_t *first;              /* n + 1 */
    int *to;
    double *weight;
    double *degree;             /* n: weight of links, those within twice */
    double all;                 /* sum of degrees */
};
/* What moving nodes needs. */
struct moves {
    double *total, *to;         /* n: degrees of a community; weight of a node's links to it */
    int *seen;
};

static void level_release(struct level *l)
{
    FREE(l->first, l->to, l->weight, l->degree);
    *l = (struct level){ 0 };
}

static double weight_of(const double *weight, const int *end, size_t e)
{
    const double w = weight ? weight[e] : 1;

    return isfinite(w) && w > 0 && end[2 * e] != end[2 * e + 1] ? w : 0;
}

/* Links by node, from ends and weights (`of`: of a graph whose nodes are merged so). */
static int level_make(struct level *l, int n, size_t m, const int *end, const double *weight, struct err *err)
{
    const size_t room = (size_t)n + 1;

    *l = (struct level){ .n = n };
    if (TAKE("communities", err, ZEROS(l->first, room + 1), ARRAY(l->to, 2 * m + 1), ARRAY(l->weight, 2 * m + 1),
             ZEROS(l->degree, room)) < 0)
        return -1;
    for (size_t e = 0; e < m; e++)
        for (int back = 0; back < 2; back++)
            if (weight_of(weight, end, e) > 0)
                l->first[end[2 * e + (size_t)back] + 2]++;
    for (int v = 2; v <= n; v++)
        l->first[v] += l->first[v - 1];
    for (size_t e = 0; e < m; e++)
        for (int back = 0; back < 2; back++) {
            const int from = end[2 * e + (size_t)back], to = end[2 * e + !back];
            const double w = weight_of(weight, end, e);

            if (w > 0) {
                const size_t at = l->first[from + 1]++;

                l->to[at] = to;
                l->weight[at] = w;
                l->degree[from] += w;
                l->all += w;
            }
        }
    return 0;
}

/* Moves single nodes while modularity grows; whether any moved. */
static bool move_nodes(const struct level *l, int *of, const struct moves *m)
{
    bool any = false, more = true;

    memset(m->total, 0, (size_t)l->n * sizeof *m->total);
    memset(m->to, 0, (size_t)l->n * sizeof *m->to);
    for (int v = 0; v < l->n; v++)
        m->total[of[v]] += l->degree[v];
    for (int round = 0; more && round < ROUNDS; round++) {
        more = false;
        for (int v = 0; v < l->n; v++) {
            const int was = of[v];
            int best = was, nseen = 0;
            double most;

            m->total[was] -= l->degree[v];
            for (size_t e = l->first[v]; e < l->first[v + 1]; e++) {
                const int c = of[l->to[e]];

                if (m->to[c] == 0)
                    m->seen[nseen++] = c;
                m->to[c] += l->weight[e];
            }
            most = m->to[was] - l->degree[v] * m->total[was] / l->all + 1e-9 * l->degree[v];
            for (int i = 0; i < nseen; i++) {
                const int c = m->seen[i];
                const double gain = m->to[c] - l->degree[v] * m->total[c] / l->all;

                if (gain > most) {
                    most = gain;
                    best = c;
                }
            }
            for (int i = 0; i < nseen; i++)
                m->to[m->seen[i]] = 0;
            m->total[best] += l->degree[v];
            of[v] = best;
            more = more || best != was;
        }
        any = any || more;
    }
    return any;
}

/* Numbers communities from 0 by the first node in each; how many. */
static int renumber(int *of, int n, int *number)
{
    int count = 0;

    for (int v = 0; v < n; v++)
        number[v] = -1;
    for (int v = 0; v < n; v++) {
        if (number[of[v]] < 0)
            number[of[v]] = count++;
        of[v] = number[of[v]];
    }
    return count;
}

/* The graph whose nodes are the communities: links between the same two become one. `end` and `weight` have room for
 * the links of l. */
static int level_merge(struct level *out, const struct level *l, const int *of, int count, const struct moves *m,
                       int *end, double *weight, struct err *err)
{
    int *head, *next;
    size_t k = 0;

    if (TAKE("communities", err, ARRAY(head, (size_t)count + 1), ARRAY(next, (size_t)l->n + 1)) < 0)
        return -1;
    for (int c = 0; c < count; c++)
        head[c] = -1;
    for (int v = l->n - 1; v >= 0; v--) {
        next[v] = head[of[v]];
        head[of[v]] = v;
    }
    memset(m->to, 0, (size_t)l->n * sizeof *m->to);
    for (int c = 0; c < count; c++) {
        int nseen = 0;

        for (int v = head[c]; v >= 0; v = next[v])
            for (size_t e = l->first[v]; e < l->first[v + 1]; e++) {
                const int d = of[l->to[e]];

                if (d <= c)
                    continue;
                if (m->to[d] == 0)
                    m->seen[nseen++] = d;
                m->to[d] += l->weight[e];
            }
        for (int i = 0; i < nseen; i++) {
            end[2 * k] = c;
            end[2 * k + 1] = m->seen[i];
            weight[k++] = m->to[m->seen[i]];
            m->to[m->seen[i]] = 0;
        }
    }
    FREE(head, next);
    if (level_make(out, count, k, end, weight, err) < 0)
        return -1;
    memset(out->degree, 0, (size_t)count * sizeof *out->degree);       /* with what lies within */
    for (int v = 0; v < l->n; v++)
        out->degree[of[v]] += l->degree[v];
    out->all = l->all;
    return 0;
}

/* Merges communities while that is better. */
static int merge_up(const struct level *base, int *of, int *number, const struct moves *m, int *end, double *weight,
                    struct err *err)
{
    struct level now = { 0 }, next;
    int *up, ret = -1;

    if (TAKE("communities", err, ARRAY(up, (size_t)base->n + 1)) < 0)
        return -1;
    for (bool more = true; more;) {
        const int count = renumber(of, base->n, number);

        if (level_merge(&next, base, of, count, m, end, weight, err) < 0)
            goto done;
        level_release(&now);
        now = next;
        for (int c = 0; c < count; c++)
            up[c] = c;
        more = move_nodes(&now, up, m);
        for (int v = 0; v < base->n; v++)
            of[v] = up[of[v]];
    }
    ret = 0;
done:
    level_release(&now);
    free(up);
    return ret;
}

/* The largest first. */
static int order_by_size(int *of, int n, int *number, struct err *err)
{
    const int count = renumber(of, n, number);
    int *size, *place;          /* of those of a size: how many are larger, and those of the same that came before */

    if (TAKE("communities", err, ZEROS(size, (size_t)count + 1), ZEROS(place, (size_t)n + 2)) < 0)
        return -1;
    for (int v = 0; v < n; v++)
        size[of[v]]++;
    for (int c = 0; c < count; c++)
        place[size[c] - 1]++;
    for (int s = n - 1; s >= 0; s--)
        place[s] += place[s + 1];
    for (int c = 0; c < count; c++)
        number[c] = place[size[c]]++;
    for (int v = 0; v < n; v++)
        of[v] = number[of[v]];
    FREE(size, place);
    return count;
}

double community_modularity(const int *of, int n, size_t m, const int *end, const double *weight)
{
    double *degree = calloc((size_t)n + 1, sizeof *degree), all = 0, within = 0, q = 0;

    if (!degree)
        return (double)NAN;
    for (size_t e = 0; e < m; e++) {
        const double w = weight_of(weight, end, e);

        degree[of[end[2 * e]]] += w;
        degree[of[end[2 * e + 1]]] += w;
        within += of[end[2 * e]] == of[end[2 * e + 1]] ? w : 0;
        all += w;
    }
    for (int c = 0; all > 0 && c < n; c++)
        q -= degree[c] / (2 * all) * (degree[c] / (2 * all));
    free(degree);
    return all > 0 ? q + within / all : 0;
}

int community_find(int *of, double *modularity, int n, size_t m, const int *end, const double *weight,
                   struct err *err)
{
    struct level base = { 0 };
    struct moves moves = { 0 };
    int *number = NULL, *scratch = NULL, ret = -1;
    double *heavy = NULL;

    if (TAKE("communities", err, ARRAY(moves.total, (size_t)n + 1), ARRAY(moves.to, (size_t)n + 1),
             ARRAY(moves.seen, (size_t)n + 1), ARRAY(number, (size_t)n + 1), ARRAY(scratch, 2 * m + 2),
             ARRAY(heavy, m + 1)) < 0 || level_make(&base, n, m, end, weight, err) < 0)
        goto done;
    for (int v = 0; v < n; v++)
        of[v] = v;
    for (int round = 0; round < ROUNDS && base.all > 0 && move_nodes(&base, of, &moves); round++)
        if (merge_up(&base, of, number, &moves, scratch, heavy, err) < 0)
            goto done;
    ret = order_by_size(of, n, number, err);
    if (modularity)
        *modularity = community_modularity(of, n, m, end, weight);
done:
    level_release(&base);
    FREE(moves.total, moves.to, moves.seen, number, scratch, heavy);
    return ret;
}
