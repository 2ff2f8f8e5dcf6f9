#include "graph/topology/tree.h"

#include <igraph.h>

const char *const tree_classes[] = { "host", "edge", "core", NULL };

/* Of a level and the next. */
static double cables(const struct tree *t, int level)
{
    return (double)(t->first[level + 1] - t->first[level]) * t->w[level] * t->cables[level];
}

static double all_cables(const struct tree *t)
{
    double sum = 0;

    for (int i = 0; i < t->h; i++)
        sum += cables(t, i);
    return sum;
}

int tree_open(struct net *net, const struct tree *given, const struct spec *spec, struct err *err)
{
    struct tree *t = net->param = malloc(sizeof *t);
    double nodes = 0;

    if (!t)
        return err_memory(err);
    *t = *given;
    for (int i = 0; i <= t->h; i++) {
        double level = 1;

        for (int k = 0; k < t->h; k++)
            level *= k < i ? t->w[k] : t->m[k];
        nodes += level;
        if (nodes > INT32_MAX)
            return err_set(err, ERR_USAGE, "'%.80s' would have more than %d nodes", spec->text, INT32_MAX);
        t->roots[i] = i ? t->roots[i - 1] * t->w[i - 1] : 1;
        t->first[i + 1] = (int)nodes;
    }
    if (all_cables(t) > INT32_MAX)
        return err_set(err, ERR_USAGE, "'%.80s' would have more than %d cables", spec->text, INT32_MAX);
    net->n = (int)nodes;
    net->nterminal = t->first[1];
    for (int i = 0; i < t->h; i++)
        net->cables.parallel = net->cables.parallel || t->cables[i] > 1;
    return topo_first_terminals(net, all_cables(t), spec->text, err);
}

/* Cable i of every level in turn. */
int tree_build(igraph_t *graph, const struct net *net, struct err *err)
{
    const struct tree *t = net->param;
    igraph_integer_t *end = topo_ends(all_cables(t), net, err);
    const igraph_integer_t *last = end + 2 * (size_t)all_cables(t);
    size_t n = 0;

    if (!end)
        return -1;
    for (int i = 0; end + n < last; i++)
        for (int level = 0; level < t->h; level++) {
            const int w = t->w[level], each = w * t->cables[level], node = i / each, port = i % each / t->cables[level],
                subtree = node / t->roots[level] / t->m[level];

            if (i >= cables(t, level))
                continue;
            end[n++] = t->first[level] + node;
            end[n++] = t->first[level + 1] + subtree * t->roots[level + 1] + node % t->roots[level] * w + port;
        }
    return topo_from_edges(graph, end, n, net, err);
}

int tree_level(const struct tree *t, int node)
{
    int level = 0;

    while (node >= t->first[level + 1])
        level++;
    return level;
}

static int ports(const struct tree *t, int level)
{
    return (level ? t->m[level - 1] * t->cables[level - 1] : 0) + (level < t->h ? t->w[level] * t->cables[level] : 0);
}

int tree_radix(const struct net *net, int node)
{
    const int level = tree_level(net->param, node);

    return level ? ports(net->param, level) : 0;
}

/* The permutations of children, and of roots, leave one class a level. */
int tree_alike(const struct net *net, int node)
{
    const struct tree *t = net->param;

    return t->first[tree_level(t, node)];
}

int tree_class(const struct net *net, int a, int b)
{
    const struct tree *t = net->param;
    const int level = tree_level(t, a > b ? a : b);

    return level == 1 ? 0 : level < t->h ? 1 : 2;
}

int tree_pairs(uint64_t pairs[TOPO_HOPS], const struct net *net)
{
    const struct tree *t = net->param;
    uint64_t below = 1;

    memset(pairs, 0, TOPO_HOPS * sizeof *pairs);
    for (int i = 0; i < t->h; i++) {
        pairs[2 * i + 2] = (uint64_t)t->first[1] * below * (uint64_t)(t->m[i] - 1);
        below *= (uint64_t)t->m[i];
    }
    return 2 * t->h;
}

void tree_facts(const struct net *net, struct topo_facts *f)
{
    const struct tree *t = net->param;
    const double hosts = t->first[1];
    bool full = t->w[0] * t->cables[0] == 1;

    f->nodes = net->n;
    f->terminals = hosts;
    f->edges = all_cables(t);
    f->degree_min = INFINITY;
    f->degree_max = 0;
    for (int i = 0; i <= t->h; i++) {
        f->degree_min = fmin(f->degree_min, ports(t, i));
        f->degree_max = fmax(f->degree_max, ports(t, i));
        full = full && (i == 0 || i == t->h || t->w[i] * t->cables[i] >= t->m[i - 1] * t->cables[i - 1]);
    }
    if (full) {
        f->bisection = floor(hosts / 2);
        f->bisection_source = "rearrangeably non-blocking: half of the hosts can send at full rate to the others";
    }
}

static const struct tree *tree_of(const struct net *net)
{
    return net->topo->build == tree_build ? net->param : NULL;
}

int topo_tree_levels(const struct net *net)
{
    const struct tree *t = tree_of(net);

    return t ? t->h : 0;
}

double topo_tree_cables(const struct net *net, int level)
{
    return cables(tree_of(net), level);
}

int topo_tree_up(struct topo_up *up, const struct net *net, int node, int host)
{
    const struct tree *t = tree_of(net);
    const int level = tree_level(t, node);
    int below = 1, root;

    *up = (struct topo_up){ .roots = t->roots[level < t->h || net->cables.parallel ? level : t->h - 1] };
    if (level == t->h)
        return 0;
    for (int i = 0; i < level; i++)
        below *= t->m[i];
    up->cables = t->cables[level];
    root = node - t->first[level];
    if (host >= t->first[1] || host / below == root / t->roots[level])
        return 0;
    up->first = t->first[level + 1] + root / t->roots[level] / t->m[level] * t->roots[level + 1] +
        root % t->roots[level] * t->w[level];
    return up->n = t->w[level];
}
