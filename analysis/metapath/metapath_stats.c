/* Supernodes are computed by the group where one source stands for all, else over all sources or a sample of them. */
#include "analysis/metapath/metapath.h"

/* Supernodes that follow each other and are computed the same way are computed together. */
static int metapath_runs(struct metapath_stats *out, struct net *net, const struct supernode *sn, size_t n,
                         const struct metapath_options *o, struct err *err)
{
    const bool sampled = o->sources && o->sources < net->nterminal;

    for (size_t from = 0, to; from < n; from = to) {
        const bool by_group = !o->no_symmetry && supernode_invariant(&sn[from], net);
        const bool between = sn[from].shape == SHAPE_BETWEEN;
        struct metapath_options part = *o;

        for (to = from + 1; to < n && (!o->no_symmetry && supernode_invariant(&sn[to], net)) == by_group &&
             (sn[to].shape == SHAPE_BETWEEN) == between;)
            to++;
        part.tick = tick_part(&o->tick, (double)from / (double)n, (double)to / (double)n);
        if ((between ? metapath_between : by_group ? metapath_group : sampled ? metapath_sampled : metapath_any)
            (out + from, net, sn + from, to - from, &part, err) < 0)
            return -1;
    }
    return 0;
}

int metapath_stats(struct metapath_stats *out, struct net *net, const struct supernode *sn, size_t n,
                   const struct metapath_options *o, struct err *err)
{
    int ret;

    for (size_t i = 0; i < n; i++)
        out[i] = (struct metapath_stats){ .source_links = NAN, .destination_links = NAN };
    if (net->nterminal < 2)
        return err_set(err, ERR_NETWORK, "%.80s has no two terminals to send between", net->spec);
    ret = metapath_runs(out, net, sn, n, o, err);
    for (size_t i = 0; ret < 0 && i < n; i++)
        metapath_stats_release(&out[i]);
    return ret;
}
