#include <igraph.h>

#include "graph/igraph_bytes.h"
#include "graph/numeric/rng.h"
#include "graph/topology/topo.h"
#include "texts/topo.h"

/* Regular graphs by pairing n*d half-edges at random and swapping away loops and repeated edges. Dense ones are
 * complements of sparse ones; degree 2 is one random cycle. A graph that falls apart is drawn again. */
struct params {
    int degree;
    uint64_t seed;
};
struct drawing {
    int n, d, nedge;
    int *end;                   /* 2 per edge */
    int *near;                  /* n x d neighbours, -1 where none yet */
};

#define TRIES 1000

static int open_random(struct net *net, const struct spec *spec, struct err *err)
{
    struct params *p = malloc(sizeof *p);
    int64_t n, degree, seed;

    if (!p)
        return err_memory(err);
    net->param = p;
    if (spec_int(&n, spec, 2, INT32_MAX, "number of nodes", err) < 0 ||
        spec_key_int(&degree, spec, "degree", 1, n - 1, n > 3 ? 3 : n - 1, err) < 0 ||
        spec_key_int(&seed, spec, "seed", 0, INT64_MAX, 1, err) < 0)
        return -1;
    if (n * degree % 2)
        return err_set(err, ERR_USAGE, "'%.80s': number of nodes times degree (%lld) must be even", spec->text,
                       (long long)degree);
    if (degree == 1 && n > 2)
        return err_set(err, ERR_USAGE, "'%.80s': with degree 1 no more than 2 nodes are connected", spec->text);
    if (n * degree > INT32_MAX)
        return err_set(err, ERR_USAGE, "'%.80s' would have more than %d ends of cables", spec->text, INT32_MAX);
    net->n = (int)n;
    p->degree = (int)degree;
    p->seed = (uint64_t)seed;
    return spec_append(&net->spec, err, "random:%d,degree=%d,seed=%lld", net->n, p->degree, (long long)seed);
}

static bool joined(const struct drawing *g, int u, int v)
{
    const int *near = g->near + (size_t)u * (size_t)g->d;

    for (int i = 0; i < g->d; i++)
        if (near[i] == v)
            return true;
    return false;
}

static void change(struct drawing *g, int u, int from, int to)
{
    int *near = g->near + (size_t)u * (size_t)g->d, i = 0;

    while (near[i] != from)
        i++;
    near[i] = to;
}

static void join(struct drawing *g, int e, int u, int v)
{
    g->end[2 * e] = u;
    g->end[2 * e + 1] = v;
    change(g, u, -1, v);
    change(g, v, -1, u);
}

static void part(struct drawing *g, int e)
{
    change(g, g->end[2 * e], g->end[2 * e + 1], -1);
    change(g, g->end[2 * e + 1], g->end[2 * e], -1);
}

/* Pairs the shuffled half-edges. A bad pair (u,v) trades ends with a placed edge until both are good. */
static bool pair_up(struct drawing *g, int *half, struct rng *rng)
{
    int placed = 0, nbad = 0;

    for (int i = 0; i < 2 * g->nedge; i += 2) {     /* bad pairs gather at the front of `half` */
        int u = half[i], v = half[i + 1];

        if (u != v && !joined(g, u, v)) {
            join(g, placed++, u, v);
        } else {
            half[2 * nbad] = u;
            half[2 * nbad++ + 1] = v;
        }
    }
    for (long tries = 0; nbad > 0; tries++) {
        int u = half[2 * nbad - 2], v = half[2 * nbad - 1], e, x, y;

        if (placed == 0 || tries > 1000L * g->nedge + 100000)
            return false;
        e = (int)rng_below(rng, (uint64_t)placed);
        x = g->end[2 * e];
        y = g->end[2 * e + 1];
        if (rng_next(rng) & 1) {
            int swap = x;

            x = y;
            y = swap;
        }
        if (u == x || v == y || joined(g, u, x) || joined(g, v, y) || (u == y && v == x))
            continue;
        if ((u == v && x == y) || u == y || v == x)     /* keeps the bookkeeping of `near` simple */
            continue;
        part(g, e);
        join(g, e, u, x);
        join(g, placed++, v, y);
        nbad--;
    }
    return true;
}

static bool connected(const struct drawing *g, int *queue, char *seen)
{
    int head = 0, tail = 0;

    memset(seen, 0, (size_t)g->n);
    queue[tail++] = 0;
    seen[0] = 1;
    while (head < tail) {
        const int *near = g->near + (size_t)queue[head++] * (size_t)g->d;

        for (int i = 0; i < g->d; i++)
            if (!seen[near[i]]) {
                seen[near[i]] = 1;
                queue[tail++] = near[i];
            }
    }
    return tail == g->n;
}

/* One random cycle through all nodes. */
static void cycle(struct drawing *g, int *half, struct rng *rng)
{
    for (int v = 0; v < g->n; v++)
        half[v] = v;
    rng_shuffle(rng, half, (size_t)g->n);
    for (int v = 0; v < g->n; v++)
        join(g, v, half[v], half[(v + 1) % g->n]);
}

/* A drawing of degree d; connected ones only when asked. */
static bool topo_random_draw(struct drawing *g, int *half, char *seen, bool connect, struct rng *rng)
{
    for (int tries = 0; tries < TRIES; tries++) {
        memset(g->near, 0xff, (size_t)g->n * (size_t)g->d * sizeof *g->near);
        if (g->d == 2 && connect && g->n > 2) {
            cycle(g, half, rng);
            return true;
        }
        for (int i = 0; i < 2 * g->nedge; i++)
            half[i] = i / g->d;
        rng_shuffle(rng, half, 2 * (size_t)g->nedge);
        if (pair_up(g, half, rng) && (!connect || connected(g, half, seen)))
            return true;
    }
    return false;
}

static size_t edges_of(const struct drawing *g, bool complement, igraph_integer_t *end)
{
    size_t n = 0;

    if (!complement) {
        for (int i = 0; i < 2 * g->nedge; i++)
            end[n++] = g->end[i];
        return n;
    }
    for (int u = 0; u < g->n; u++)
        for (int v = u + 1; v < g->n; v++)
            if (!joined(g, u, v)) {
                end[n++] = u;
                end[n++] = v;
            }
    return n;
}

static int topo_random_build(igraph_t *graph, const struct net *net, struct err *err)
{
    const struct params *p = net->param;
    bool complement = p->degree > (net->n - 1) / 2;
    struct drawing g = { .n = net->n, .d = complement ? net->n - 1 - p->degree : p->degree };
    size_t halves = (size_t)g.n * (size_t)g.d, ends = (size_t)net->n * (size_t)p->degree;
    igraph_integer_t *end = NULL;
    int *half = NULL, ret = -1;
    char *seen = NULL;
    struct rng rng;

    g.nedge = (int)(halves / 2);
    if (mem_need((double)halves * (sizeof *g.end + sizeof *g.near + sizeof *half) +
                 igraph_bytes_create(net->n, (double)ends / 2), net->spec, err) < 0)
        return -1;
    if (TAKE(net->spec, err, ARRAY(g.end, halves + 1), ARRAY(g.near, halves + 1), ARRAY(half, halves + (size_t)g.n),
             ARRAY(seen, g.n), ARRAY(end, ends + 1)) < 0)
        return -1;
    rng_seed(&rng, p->seed);
    if (!topo_random_draw(&g, half, seen, !complement, &rng))
        err_set(err, ERR_NETWORK, "%s: no connected graph was found in %d tries; try another seed", net->spec, TRIES);
    else {
        ret = topo_from_edges(graph, end, edges_of(&g, complement, end), net, err);
        end = NULL;
    }
    FREE(end, seen, half, g.near, g.end);
    return ret;
}

static void topo_random_facts(const struct net *net, struct topo_facts *f)
{
    f->nodes = f->terminals = net->n;
    f->degree_min = f->degree_max = ((const struct params *)net->param)->degree;
    f->edges = f->nodes * f->degree_max / 2;
}

const struct topo topo_random = {
    TOPO_RANDOM_ENTRY, .open = open_random, .build = topo_random_build, .facts = topo_random_facts
};
