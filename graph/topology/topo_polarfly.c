/* Switches are the points of the projective plane over GF(q), joined where their product (a,b,c).(x,y,z) = ax+by+cz is
 * 0; the q+1 quadrics, whose product with themselves is 0, have one cable less. A point is written with its first
 * coordinate that is not 0 as 1: (1,y,z) has number y q + z, (0,1,z) q^2 + z, and (0,0,1) q^2 + q.
 * Groups (Lakhotia et al. 2022): the quadrics; and, for each neighbour of the first of them, that and its own
 * neighbours that are no quadrics. */
#include <igraph.h>

#include "graph/numeric/galois.h"
#include "graph/topology/topo.h"
#include "texts/topo.h"

#define MOST 1000

struct polarfly {
    int q;
    int first[3];               /* of each class of alike points */
    int *group;                 /* by node; it is behind the struct */
    struct galois field;
};
struct point {
    int x, y, z;
};

static struct point point(int q, int number)
{
    return number < q * q ? (struct point){ 1, number / q, number % q } :
        number < q * q + q ? (struct point){ 0, 1, number - q * q } : (struct point){ 0, 0, 1 };
}

/* What isometries of the product tell apart (Witt 1937): quadrics; of odd q, whether the product with itself is a
 * square; of even q, (1,1,1), which is joined to all quadrics. */
static int class_of(const struct galois *f, struct point v)
{
    const int product = galois_add(f, galois_add(f, galois_times(f, v.x, v.x), galois_times(f, v.y, v.y)),
                                   galois_times(f, v.z, v.z));

    return product == 0 ? 0 : f->p > 2 ? 1 + f->log[product] % 2 : 1 + (v.x == 1 && v.y == 1 && v.z == 1);
}

/* The q + 1 points of the line ax + by + cz = 0. */
static void line(int *to, const struct galois *f, struct point p)
{
    const int q = f->q;

    for (int i = 0; i < q; i++) {
        const int by = galois_negative(f, galois_add(f, p.x, galois_times(f, p.y, i)));

        to[i] = p.z ? i * q + galois_over(f, by, p.z) :
            p.y ? galois_over(f, galois_negative(f, p.x), p.y) * q + i : q * q + i;
    }
    to[q] = p.z ? q * q + galois_over(f, galois_negative(f, p.y), p.z) : q * q + q;
}

static void find_groups(struct polarfly *p, int *near, int *next)
{
    const struct galois *f = &p->field;
    const int n = p->q * p->q + p->q + 1;
    int count = 1;

    for (int v = n - 1; v >= 0; v--) {
        const int class = class_of(f, point(p->q, v));

        p->group[v] = class ? -1 : 0;
        p->first[class] = v;
    }
    line(near, f, point(p->q, p->first[0]));
    for (int i = 0; i <= p->q; i++) {
        if (p->group[near[i]] == 0)
            continue;
        p->group[near[i]] = count;
        line(next, f, point(p->q, near[i]));
        for (int k = 0; k <= p->q; k++)
            if (p->group[next[k]] < 0)
                p->group[next[k]] = count;
        count++;
    }
}

static int open_polarfly(struct net *net, const struct spec *spec, struct err *err)
{
    struct polarfly *p;
    int64_t q;
    int *near, *next;

    if (spec_int(&q, spec, 2, MOST, "order Q", err) < 0)
        return -1;
    net->n = (int)(q * q + q + 1);
    if (!(p = net->param = calloc(1, sizeof *p + (size_t)net->n * sizeof(int))))
        return err_memory(err);
    p->q = (int)q;
    p->group = (int *)(p + 1);
    if (galois_init(&p->field, p->q, NULL, err) < 0)
        return err_at(err, "'%.80s': Q must be a prime power", spec->text);
    if (TAKE("the network", err, ARRAY(near, q + 1), ARRAY(next, q + 1)) < 0)
        return -1;
    find_groups(p, near, next);
    FREE(near, next);
    return spec_append(&net->spec, err, "polarfly:%d", p->q);
}

static int topo_polarfly_build(igraph_t *graph, const struct net *net, struct err *err)
{
    const struct polarfly *p = net->param;
    const double q = p->q;
    igraph_integer_t *end = topo_ends(q * (q + 1) * (q + 1) / 2, net, err);
    int *near;
    size_t n = 0;

    if (!end)
        return -1;
    if (TAKE("the network", err, ARRAY(near, p->q + 1)) < 0) {
        free(end);
        return -1;
    }
    for (int v = 0; v < net->n; v++) {
        line(near, &p->field, point(p->q, v));
        for (int i = 0; i <= p->q; i++)
            if (v < near[i]) {
                end[n++] = v;
                end[n++] = near[i];
            }
    }
    free(near);
    return topo_from_edges(graph, end, n, net, err);
}

static int radix(const struct net *net, int)
{
    return ((const struct polarfly *)net->param)->q + 2;
}

static int group(const struct net *net, int node)
{
    return ((const struct polarfly *)net->param)->group[node];
}

static int alike(const struct net *net, int node)
{
    const struct polarfly *p = net->param;

    return p->first[class_of(&p->field, point(p->q, node))];
}

static int pairs(uint64_t count[TOPO_HOPS], const struct net *net)
{
    const uint64_t n = (uint64_t)net->n, q = (uint64_t)((const struct polarfly *)net->param)->q;

    count[1] = q * (q + 1) * (q + 1);
    count[2] = n * (n - 1) - count[1];
    return 2;
}

static void topo_polarfly_facts(const struct net *net, struct topo_facts *f)
{
    const double q = ((const struct polarfly *)net->param)->q;

    f->nodes = f->terminals = net->n;
    f->edges = q * (q + 1) * (q + 1) / 2;
    f->degree_min = q;
    f->degree_max = q + 1;
}

const struct topo topo_polarfly = {
    TOPO_POLARFLY_ENTRY, .layout = "groups", .open = open_polarfly, .build = topo_polarfly_build, .radix = radix,
    .group = group, .alike = alike, .pairs = pairs, .facts = topo_polarfly_facts
};
