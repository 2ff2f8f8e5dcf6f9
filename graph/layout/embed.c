/* embed.c -- a part of a network in the plane, so that distances on paper are like those in hops (embed.h).
 * 1. the part                            hops from one of its nodes
 * 2. pivot multidimensional scaling      of hops to some pivots (Brandes and Pich 2007): its two main axes
 * 3. stress                              pairs moved to their distance in random order (Zheng, Pawar and Goodman
 * 2019) */
#include "graph/layout/embed.h"
#include "graph/numeric/rng.h"

#define PIVOTS 50
#define ITERATIONS 100          /* of the power method */
#define FEW 300                 /* nodes for which no time need be saved */
#define VERY_FEW 100            /* for which several starts are tried */
#define STARTS 8

/* ---- the part ---- */

static int see(const struct part *p, const struct csr *c, int v, int *hops, int *queue, int tail, int there)
{
    for (size_t e = c->first[v]; e < c->first[v + 1]; e++) {
        const int u = p->at[c->to[e]];

        if (hops[u] < 0) {
            hops[u] = there;
            queue[tail++] = u;
        }
    }
    return tail;
}

/* Hops from the part's node `source` to its others, directions passed over. */
static void embed_search(const struct part *p, int source, int *hops, int *queue)
{
    int head = 0, tail = 0;

    memset(hops, 0xff, (size_t)p->n * sizeof *hops);
    hops[source] = 0;
    queue[tail++] = source;
    while (head < tail) {
        const int v = queue[head++];

        tail = see(p, p->out, p->node[v], hops, queue, tail, hops[v] + 1);
        if (p->in)
            tail = see(p, p->in, p->node[v], hops, queue, tail, hops[v] + 1);
    }
}

/* ---- pivot multidimensional scaling ---- */

struct pivots {
    int k;
    float *c;                   /* k rows of n: distances, then doubly centred squares of them */
    int *hops, *queue, *nearest;
    double product[PIVOTS][PIVOTS];     /* c c^T */
};

/* The first pivot is as far from some node as can be; each next one is as far as can be from all so far. */
static void choose_pivots(struct pivots *q, const struct part *p, int start)
{
    const int n = p->n;
    int pivot;

    embed_search(p, start, q->hops, q->queue);
    pivot = q->queue[n - 1];
    for (int v = 0; v < n; v++)
        q->nearest[v] = n;
    for (int k = 0; k < q->k; k++) {
        float *row = q->c + (size_t)k * (size_t)n;
        int next = 0;

        embed_search(p, pivot, q->hops, q->queue);
        for (int v = 0; v < n; v++) {
            row[v] = (float)q->hops[v];
            if (q->hops[v] < q->nearest[v])
                q->nearest[v] = q->hops[v];
            if (q->nearest[v] > q->nearest[next])
                next = v;
        }
        pivot = next;
    }
}

static void centre(struct pivots *q, int n, double *column)
{
    double all = 0;

    memset(column, 0, (size_t)n * sizeof *column);
    for (int k = 0; k < q->k; k++) {
        float *row = q->c + (size_t)k * (size_t)n;
        double sum = 0;

        for (int v = 0; v < n; v++) {
            row[v] *= row[v];
            sum += row[v];
            column[v] += row[v];
        }
        all += sum;
        for (int v = 0; v < n; v++)
            row[v] -= (float)(sum / n);
    }
    for (int k = 0; k < q->k; k++) {
        float *row = q->c + (size_t)k * (size_t)n;

        for (int v = 0; v < n; v++)
            row[v] = -0.5f * (row[v] - (float)(column[v] / q->k - all / q->k / n));
    }
}

static void embed_multiply(struct pivots *q, int n)
{
    for (int i = 0; i < q->k; i++)
        for (int j = 0; j <= i; j++) {
            const float *a = q->c + (size_t)i * (size_t)n, *b = q->c + (size_t)j * (size_t)n;
            double sum = 0;

            for (int from = 0; from < n; from += 1024) {
                const int to = from + 1024 < n ? from + 1024 : n;
                float part[8] = { 0 };

                for (int v = from; v < to; v++)
                    part[v & 7] += a[v] * b[v];
                for (int s = 0; s < 8; s++)
                    sum += (double)part[s];
            }
            q->product[i][j] = q->product[j][i] = sum;
        }
}

/* Scales to length 1, after taking away what lies along `other` (NULL: nothing). False: nothing is left. */
static bool normalise(double *v, const double *other, int k)
{
    double along = 0, length = 0;

    for (int i = 0; other && i < k; i++)
        along += v[i] * other[i];
    for (int i = 0; i < k; i++) {
        v[i] -= other ? along * other[i] : 0;
        length += v[i] * v[i];
    }
    if (length < 1e-20)
        return false;
    for (int i = 0; i < k; i++)
        v[i] /= sqrt(length);
    return true;
}

/* The main eigenvector of the product, or the next one when the main one is given. */
static void eigenvector(double *v, const struct pivots *q, const double *other, struct rng *rng)
{
    double next[PIVOTS];

    for (int i = 0; i < q->k; i++)
        v[i] = rng_uniform(rng) - 0.5;
    normalise(v, other, q->k);
    for (int round = 0; round < ITERATIONS; round++) {
        for (int i = 0; i < q->k; i++) {
            next[i] = 0;
            for (int j = 0; j < q->k; j++)
                next[i] += q->product[i][j] * v[j];
        }
        if (!normalise(next, other, q->k))
            return;
        memcpy(v, next, (size_t)q->k * sizeof *v);
    }
}

static void project(double *x, const struct pivots *q, int n, const double *vector)
{
    memset(x, 0, (size_t)n * sizeof *x);
    for (int k = 0; k < q->k; k++)
        for (int v = 0; v < n; v++)
            x[v] += vector[k] * q->c[(size_t)k * (size_t)n + (size_t)v];
}

static int scaling(double *x, double *y, const struct part *p, struct rng *rng, struct err *err)
{
    const size_t n = (size_t)p->n;
    struct pivots q = { .k = p->n < PIVOTS ? p->n : PIVOTS };
    double first[PIVOTS], second[PIVOTS];

    if (TAKE("the layout", err, ARRAY(q.c, (size_t)q.k * n), ARRAY(q.hops, 3 * n)) < 0)
        return -1;
    q.queue = q.hops + n;
    q.nearest = q.queue + n;
    choose_pivots(&q, p, (int)rng_below(rng, n));
    centre(&q, p->n, x);
    embed_multiply(&q, p->n);
    eigenvector(first, &q, NULL, rng);
    eigenvector(second, &q, first, rng);
    project(x, &q, p->n, first);
    project(y, &q, p->n, second);
    FREE(q.c, q.hops);
    return 0;
}

/* ---- stress ---- */

struct pair {
    int u, v;
    float hops;
};

static size_t all_pairs(struct pair *pair, const struct part *p, int *hops)
{
    size_t n = 0;

    for (int u = 1; u < p->n; u++) {
        embed_search(p, u, hops, hops + p->n);
        for (int v = 0; v < u; v++)
            pair[n++] = (struct pair){ u, v, (float)hops[v] };
    }
    return n;
}

/* Every pair in turn moves towards its distance, by a share that falls from all of the way for every pair to a small
 * part of it for neighbours. */
static void descend(double *x, double *y, struct pair *pair, size_t npair, bool quickly, struct rng *rng)
{
    const int rounds = quickly ? 20 : 100;
    const double last = quickly ? 0.1 : 0.002;
    double longest = 1;

    for (size_t i = 0; i < npair; i++)
        longest = fmax(longest, (double)pair[i].hops);
    for (int round = 0; round < rounds; round++) {
        const double eta = longest * longest * pow(last / (longest * longest), (double)round / (rounds - 1));

        for (size_t i = npair; i > 0; i--) {
            const size_t j = (size_t)rng_below(rng, i);
            const struct pair now = pair[j];
            const double hops = (double)now.hops;
            double dx = x[now.u] - x[now.v], dy = y[now.u] - y[now.v];
            const double length = sqrt(dx * dx + dy * dy) + 1e-9;
            const double move = fmin(1, eta / (hops * hops)) * (length - hops) / 2 / length;

            pair[j] = pair[i - 1];
            pair[i - 1] = now;
            x[now.u] -= move * dx;
            y[now.u] -= move * dy;
            x[now.v] += move * dx;
            y[now.v] += move * dy;
        }
    }
}

static double stress(const double *x, const double *y, const struct pair *pair, size_t npair)
{
    double sum = 0;

    for (size_t i = 0; i < npair; i++) {
        const double hops = (double)pair[i].hops;
        const double off = hypot(x[pair[i].u] - x[pair[i].v], y[pair[i].u] - y[pair[i].v]) / hops - 1;

        sum += off * off;
    }
    return sum;
}

/* From x, y and, where there are very few nodes, from some places at random: takes the best that comes out. */
static void descend_from_several(double *x, double *y, int n, struct pair *pair, size_t npair, struct rng *rng)
{
    double tx[VERY_FEW], ty[VERY_FEW], best;

    descend(x, y, pair, npair, n > FEW, rng);
    if (n > VERY_FEW)
        return;
    best = stress(x, y, pair, npair);
    for (int start = 1; start < STARTS; start++) {
        double sum;

        for (int v = 0; v < n; v++) {
            tx[v] = rng_uniform(rng);
            ty[v] = rng_uniform(rng);
        }
        descend(tx, ty, pair, npair, false, rng);
        sum = stress(tx, ty, pair, npair);
        if (sum < best * (1 - 1e-6)) {
            best = sum;
            memcpy(x, tx, (size_t)n * sizeof *x);
            memcpy(y, ty, (size_t)n * sizeof *y);
        }
    }
}

static int lower_stress(double *x, double *y, const struct part *p, struct rng *rng, struct err *err)
{
    const size_t n = (size_t)p->n, npair = n * (n - 1) / 2;
    struct pair *pair;
    int *hops;

    if (TAKE("the layout", err, ARRAY(pair, npair + 1), ARRAY(hops, 2 * n)) < 0)
        return -1;
    descend_from_several(x, y, p->n, pair, all_pairs(pair, p, hops), rng);
    FREE(pair, hops);
    return 0;
}

double embed_bytes(int n)
{
    const double pivots = PIVOTS * sizeof(float) + 3 * sizeof(int), others = n / 2.0 * sizeof(struct pair);

    return n * (n <= EMBED_STRESS && others > pivots ? others : pivots);
}

int embed(double *x, double *y, const struct part *part, uint64_t seed, struct err *err)
{
    struct rng rng;

    rng_seed(&rng, seed);
    x[0] = y[0] = 0;
    if (part->n == 1)
        return 0;
    if (scaling(x, y, part, &rng, err) < 0)
        return -1;
    for (int v = 0; v < part->n; v++) {         /* nodes that the pivots cannot tell apart start in different places */
        x[v] += 0.02 * (rng_uniform(&rng) - 0.5);
        y[v] += 0.02 * (rng_uniform(&rng) - 0.5);
    }
    return part->n <= EMBED_STRESS ? lower_stress(x, y, part, &rng, err) : 0;
}
