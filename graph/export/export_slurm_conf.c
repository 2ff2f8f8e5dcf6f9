#include <igraph.h>

#include "graph/export/export.h"
#include "graph/numeric/union_find.h"
#include "texts/export.h"

extern const struct export_format export_slurm_conf;

static const char *const slurm_escape[] = { " ", "", ",", "", "[", "", "]", "", "=", "", "#", "", "\"", "", NULL };

/* The end of a cable that is not `node`. */
static int slurm_other(const struct export *x, int64_t edge, int node)
{
    int end[2];

    net_ends(end, x->net, edge);
    return end[end[0] == node];
}

/* Slurm's trees have one way between any two, and every host is at one switch. */
static int slurm_tree(const struct export *x, int *part, struct err *err)
{
    char name[2][NET_LABEL];

    union_find_alone(part, (size_t)x->net->n);
    for (igraph_integer_t e = 0; e < igraph_ecount(&x->net->graph); e++) {
        int end[2];

        net_ends(end, x->net, e);
        if (!union_find_join(part, end[0], end[1]))
            return err_set(err, ERR_DOMAIN, "%.200s is no tree: the cable between %s and %s closes a loop, which "
                           "slurm-conf cannot say", x->net->spec, net_label(x->net, end[0], name[0]),
                           net_label(x->net, end[1], name[1]));
    }
    return 0;
}

/* level[v]: cables to the nearest adapter. Of every part the first switch of the highest level is the root. */
static void slurm_levels(const struct export *x, int *level, int *queue)
{
    const int n = x->net->n;
    int first = 0, last = 0;

    for (int v = 0; v < n; v++) {
        level[v] = x->address.adapter[v] != 0 ? 0 : n;
        if (level[v] == 0)
            queue[last++] = v;
    }
    while (first < last) {
        const int v = queue[first++];

        for (int64_t i = x->first[v]; i < x->first[v + 1]; i++) {
            const int w = slurm_other(x, x->edge[i], v);

            if (level[w] == n) {
                level[w] = level[v] + 1;
                queue[last++] = w;
            }
        }
    }
}

static int slurm_switch(const struct export *x, int v, const int *parent, struct err *err)
{
    const struct export_format *format = &export_slurm_conf;
    static const char *const key[] = { " Switches=", " Nodes=" };
    char label[NET_LABEL];
    bool own = x->address.adapter[v] > 0;
    int ret = 0;

    fputs("SwitchName=", x->f);
    ret = export_text(x, format, net_label(x->net, v, label));
    for (int hosts = 0; hosts < 2; hosts++) {
        const char *before = key[hosts];

        for (int64_t i = x->first[v]; i < x->first[v + 1] && ret == 0; i++) {
            const int w = slurm_other(x, x->edge[i], v);

            if (parent[w] != v || (x->address.adapter[w] < 0) != hosts)
                continue;
            fputs(before, x->f);
            before = ",";
            ret = export_text(x, format, net_label(x->net, w, label));
        }
        if (hosts && own && ret == 0) {
            fputs(before, x->f);
            ret = export_text(x, format, net_label(x->net, v, label));
            fputs("-host", x->f);
        }
    }
    fputc('\n', x->f);
    return ret == 0 ? 0 : err_set(err, ERR_DOMAIN, "%.200s: the name '%.60s' holds what slurm-conf cannot say",
                                  x->net->spec, label);
}

static int slurm_write(struct export *x, struct err *err)
{
    const int n = x->net->n;
    int *part, *level, *queue, *parent, *root, ret;

    if (TAKE("a tree", err, ARRAY(part, n), ARRAY(level, n), ARRAY(queue, n), ARRAY(parent, n), ARRAY(root, n)) < 0)
        return -1;
    ret = slurm_tree(x, part, err);
    slurm_levels(x, level, queue);
    for (int v = 0; v < n; v++)
        root[v] = parent[v] = -1;
    for (int v = 0; v < n && ret == 0; v++) {           /* of every part the first switch that is farthest from adapters */
        int *of = &root[union_find_root(part, v)];

        if (x->address.adapter[v] >= 0 && (*of < 0 || level[v] > level[*of]))
            *of = v;
    }
    for (int v = 0, last = 0; v < n && ret == 0; v++) {
        if (root[v] < 0)
            continue;
        parent[queue[last++] = root[v]] = n;
        for (int first = 0; first < last; first++)
            for (int64_t i = x->first[queue[first]]; i < x->first[queue[first] + 1]; i++) {
                const int w = slurm_other(x, x->edge[i], queue[first]);

                if (parent[w] == -1) {
                    parent[w] = queue[first];
                    queue[last++] = w;
                }
            }
        last = 0;
    }
    for (int v = 0; v < n && ret == 0; v++)
        if (x->address.adapter[v] >= 0)
            ret = slurm_switch(x, v, parent, err);
    FREE(part, level, queue, parent, root);
    return ret;
}

const struct export_format export_slurm_conf = {
    EXPORT_SLURM_CONF_ENTRY,
    .says = SAYS(NAMES) | SAYS(KINDS),
    .own = { "" },
    .escape = slurm_escape,
    .write = slurm_write };
