#include "graph/topology/circulant.h"

static int gcd(int a, int b)
{
    while (b) {
        int r = a % b;

        a = b;
        b = r;
    }
    return a;
}

int circulant_open(struct net *net, int n, const int *jump, int njump, enum net_lines lines, struct err *err)
{
    int common = n;

    for (int i = 0; i < njump; i++)
        common = gcd(common, jump[i]);
    if (common > 1)
        return err_set(err, ERR_USAGE, "its jumps and %d nodes share the factor %d, so it falls into %d parts", n,
                       common, common);
    net->n = n;
    net->lines = lines;
    if (TAKE("the network", err, ZEROS(net->group, 1)) < 0)
        return -1;
    return group_init(net->group, 1, &n, njump, jump, false, err);
}

void circulant_facts(const struct net *net, struct topo_facts *f)
{
    f->nodes = f->terminals = net->n;
    f->degree_min = f->degree_max = group_degree(net->group);
    f->edges = f->nodes * f->degree_max / 2;
}
