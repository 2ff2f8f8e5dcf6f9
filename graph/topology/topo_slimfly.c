/* Router (s, x, y), s 0 or 1, x and y of GF(q), has number s q^2 + x q + y. Of the same s and x, y and y' are joined
 * where their difference is in X_s; (0, x, y) and (1, m, c) where y = m x + c. With q = 4w + d and g primitive,
 *     d 0, 1   X_0 = even powers of g, X_1 = odd ones, 2w each
 *     d -1     X_0 = g^0, g^2, ..., g^(2w-2), g^(2w-1), g^(2w+1), ..., g^(4w-3);  X_1 = g X_0
 * and in all of these a - b is in X_s with b - a. */
#include <igraph.h>

#include "graph/numeric/galois.h"
#include "graph/topology/topo.h"
#include "texts/topo.h"

#define MOST 1000

struct slimfly {
    int q, w, d;
    struct galois field;
};

static bool fits(int q)
{
    return q > 2 && q % 4 != 2;
}

static int degree(const struct slimfly *s)
{
    return (3 * s->q - s->d) / 2;
}

static int open_slimfly(struct net *net, const struct spec *spec, struct err *err)
{
    struct slimfly *s;
    int64_t q;

    if (spec_int(&q, spec, 2, MOST, "order Q", err) < 0 || TAKE("the network", err, ZEROS(s, 1)) < 0)
        return -1;
    net->param = s;
    s->q = (int)q;
    s->w = (s->q + 1) / 4;
    s->d = s->q - 4 * s->w;
    if (galois_init(&s->field, s->q, fits, err) < 0)
        return err_at(err, "'%.80s': Q must be a prime power, and not 2 (mod 4)", spec->text);
    net->n = 2 * s->q * s->q;
    return spec_append(&net->spec, err, "slimfly:%d", s->q);
}

/* The exponent of element i of X_0, i = 0 .. 2w-1. */
static int exponent(const struct slimfly *s, int i)
{
    return 2 * i - (s->d < 0 && i >= s->w);
}

static int topo_slimfly_build(igraph_t *graph, const struct net *net, struct err *err)
{
    const struct slimfly *s = net->param;
    const struct galois *f = &s->field;
    const int q = s->q;
    igraph_integer_t *end = topo_ends((double)q * q * degree(s), net, err);
    size_t n = 0;

    if (!end)
        return -1;
    for (int column = 0; column < 2 * q; column++)
        for (int y = 0; y < q; y++)
            for (int i = 0; i < 2 * s->w; i++) {
                const int to = galois_add(f, y, f->exp[exponent(s, i) + (column >= q)]);

                if (y < to) {
                    end[n++] = column * q + y;
                    end[n++] = column * q + to;
                }
            }
    for (int x = 0; x < q; x++)
        for (int m = 0; m < q; m++)
            for (int c = 0; c < q; c++) {
                end[n++] = x * q + galois_add(f, galois_times(f, m, x), c);
                end[n++] = q * q + m * q + c;
            }
    return topo_from_edges(graph, end, n, net, err);
}

static int radix(const struct net *net, int)
{
    return degree(net->param) + 1;
}

/* A column: half and x. */
static int group(const struct net *net, int node)
{
    return node / ((const struct slimfly *)net->param)->q;
}

/* y + a x + b with c + b and m + a, and x + a with c - m a, leave all as it is: each half is one class. */
static int alike(const struct net *net, int node)
{
    return node < net->n / 2 ? 0 : net->n / 2;
}

static int pairs(uint64_t count[TOPO_HOPS], const struct net *net)
{
    const uint64_t n = (uint64_t)net->n;

    count[1] = n * (uint64_t)degree(net->param);
    count[2] = n * (n - 1) - count[1];
    return 2;
}

static void topo_slimfly_facts(const struct net *net, struct topo_facts *f)
{
    f->nodes = f->terminals = net->n;
    f->degree_min = f->degree_max = degree(net->param);
    f->edges = f->nodes * f->degree_max / 2;
}

const struct topo topo_slimfly = {
    TOPO_SLIMFLY_ENTRY, .layout = "groups", .open = open_slimfly, .build = topo_slimfly_build, .radix = radix,
    .group = group, .alike = alike, .pairs = pairs, .facts = topo_slimfly_facts
};
