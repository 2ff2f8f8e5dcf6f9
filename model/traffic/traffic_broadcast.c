#include "model/process/placement.h"
#include "model/process/tree.h"
#include "model/traffic/traffic.h"
#include "texts/traffic.h"

#define ALL (-1)                /* in the place of a root */

/* Process by process, each to its children in the order that the tree serves them. */
static int broadcast_from(struct traffic *t, const struct tree_shape *s, int root, struct err *err)
{
    const struct net *net = t->net;

    if (traffic_room(t, (size_t)s->n - 1, err) < 0)
        return -1;
    for (int p = 0; p < s->n; p++) {
        const int v = tree_process(p, s->n - root, s->n);

        for (int k = s->first[v]; k < s->first[v + 1]; k++) {
            traffic_add(t, net_terminal(net, p), net_terminal(net, tree_process(s->child[k], root, s->n)));
            t->stream[t->nstream - 1].share = 1.0 / tree_nchild(s, v);
        }
    }
    return 0;
}

/* From every root once: a rank's child is as far beyond it whatever the root, so all processes send alike. */
static int broadcast_from_all(struct traffic *t, const struct tree_shape *s, struct err *err)
{
    const struct net *net = t->net;
    int *often = calloc((size_t)s->n, sizeof *often);   /* children that are so many processes beyond their parents */
    size_t targets = 0;
    int ret;

    if (!often)
        return err_memory(err);
    for (int v = 1; v < s->n; v++)
        targets += often[v - s->parent[v]]++ == 0;
    ret = traffic_room(t, (size_t)s->n * targets, err);
    for (int p = 0; ret == 0 && p < s->n; p++)
        for (int d = 1; d < s->n; d++)
            if (often[d] > 0) {
                traffic_add(t, net_terminal(net, p), net_terminal(net, tree_process(d, p, s->n)));
                t->stream[t->nstream - 1].share = often[d] / (s->n - 1.0);
            }
    free(often);
    return ret;
}

static int broadcast_read_root(int *root, const struct spec *spec, int processes, struct err *err)
{
    const char *text = spec_get(spec, "root");
    int64_t r;

    *root = ALL;
    if (text && strcmp(text, "all") == 0)
        return 0;
    if (spec_key_int(&r, spec, "root", 0, processes - 1, 0, err) < 0)
        return -1;
    *root = (int)r;
    return 0;
}

/* Of trees that follow the network, from one root: as steps have them. */
static int broadcast_shape(struct tree_shape *shape, const struct tree *tree, struct net *net, int root,
                           struct err *err)
{
    struct placement where = { 0 };
    const struct tree_scene scene = { .net = net, .where = &where, .root = root, .hop = 1, .gap = 1 };
    int ret;

    if (tree->build && root == ALL)
        return err_set(err, ERR_DOMAIN, "broadcast:%s follows the network from one root: give root=R", tree->name);
    ret = tree->build ? placement_init(&where, net, NULL, 0, 1, 1, err) : 0;
    if (ret == 0)
        ret = tree_shape_init(shape, tree, net->nterminal, &scene, err);
    placement_release(&where);
    return ret;
}

static int broadcast_open(struct traffic *t, const struct spec *spec, struct net *net, struct err *err)
{
    const struct tree *tree;
    struct tree_shape shape;
    char name[24] = "";
    int root, ret;

    if (!*spec->params)
        return err_set(err, ERR_USAGE, "'%.80s' lacks its process tree: write broadcast:TREE, as in broadcast:binomial",
                       spec->text);
    tree = tree_find(spec->params, err);
    if (!tree)
        return err_at(err, "'%.80s'", spec->text);
    if (traffic_need_two(t, err) < 0 || broadcast_read_root(&root, spec, net->nterminal, err) < 0 ||
        broadcast_shape(&shape, tree, net, root, err) < 0)
        return -1;
    ret = root == ALL ? broadcast_from_all(t, &shape, err) : broadcast_from(t, &shape, root, err);
    tree_shape_release(&shape);
    if (ret < 0 || traffic_group_nodes(t, err) < 0)
        return -1;
    traffic_see_invariant(t);
    if (root != 0)
        snprintf(name, sizeof name, root == ALL ? ",root=all" : ",root=%d", root);
    return spec_append(&t->spec, err, "broadcast:%s%s", tree->name, name);
}

const struct traffic_kind traffic_broadcast = {
    TRAFFIC_BROADCAST_ENTRY,
    .open = broadcast_open
};
