/* Sets that depend on the pair: one after the other, from node 0 alone where all nodes are alike. */
#include "analysis/metapath/metapath_any.h"
#include "model/supernode/members.h"

struct pairs {                  /* of one supernode */
    struct members members;
    int *member;
    double *paths, *nodes;      /* by size of the set: multistep paths and intermediate nodes */
    struct moments *moments;
    double direct;              /* hops of shortest paths, summed over all pairs */
    int weight;                 /* sources that each stands for */
};

/* Where there is no set the shortest path is all; targets a hop away are in their own set. */
static int add_pair(struct pairs *p, int s, int t, int bins_per_hop, uint64_t *bin, struct err *err)
{
    const struct supernode *sn = p->members.sn;
    struct between b;
    uint64_t hops;

    if (sn->kind->between(&b, &p->members, s, t, p->member, err) < 0)
        return -1;
    p->direct += b.direct;
    if (b.direct <= 1)
        return 0;
    hops = b.n ? b.hops : (uint64_t)b.direct;
    metapath_count(&p->moments[b.n], (int64_t)hops, p->weight);
    if (bin)
        bin[hops * (uint64_t)bins_per_hop / (uint64_t)p->paths[b.n]] += (uint64_t)p->weight;
    return 0;
}

static int add_sources(struct pairs *p, int sources, const struct metapath_options *o, uint64_t *bin, struct err *err)
{
    const struct net *net = p->members.net;

    for (int a = 0; a < sources; a++)
        for (int c = 0; c < net->nterminal; c++) {
            const double done = (a + (double)c / net->nterminal) / sources;

            if ((c % 64 == 0 && tick_check(&o->tick, done, err) < 0) ||
                (c != a && add_pair(p, net_terminal(net, a), net_terminal(net, c), o->bins_per_hop, bin, err) < 0))
                return -1;
        }
    return 0;
}

static int one_supernode(struct metapath_stats *out, struct any *any, const struct supernode *sn,
                         const struct metapath_options *o, struct err *err)
{
    const size_t n = (size_t)any->net->n + 1;
    const bool alike = !o->no_symmetry && supernode_invariant(sn, any->net);
    const int sources = alike ? 1 : any->nterminal;
    struct pairs p = { .weight = alike ? any->net->n : 1 };
    int ret = -1;

    out->nbin = o->bins_per_hop ? (2 * (size_t)any->longest + 1) * (size_t)o->bins_per_hop : 0;
    if (TAKE("metapaths", err, ARRAY(p.member, n), ARRAY(p.paths, n), ARRAY(p.nodes, n), ARRAY(p.moments, n),
             ZEROS_IF(out->nbin, out->bin, out->nbin)) < 0 || members_open(&p.members, any->net, sn, err) < 0)
        goto done;
    for (size_t k = 0; k < n; k++) {
        moments_init(&p.moments[k]);
        p.nodes[k] = (double)k;
        p.paths[k] = k ? (double)k : 1;
    }
    if (add_sources(&p, sources, o, out->bin, err) < 0)
        goto done;
    metapath_finish(out, p.moments, p.paths, p.nodes, n, p.direct / ((double)sources * (any->nterminal - 1)));
    ret = 0;
done:
    members_close(&p.members);
    FREE(p.member, p.paths, p.nodes, p.moments);
    return ret;
}

int metapath_between(struct metapath_stats *out, struct net *net, const struct supernode *sn, size_t n,
                     const struct metapath_options *o, struct err *err)
{
    struct any any = { .net = net, .n = 1, .o = o, .nterminal = net->nterminal };
    int ret = any_graph_open(&any, err);

    if (ret == 0 && o->sources && o->sources < net->nterminal && !net->group)
        ret = err_set(err, ERR_DOMAIN, "%s on %.80s is counted from all sources; leave out --sources", sn->spec,
                      net->spec);
    for (size_t i = 0; ret == 0 && i < n; i++) {
        struct metapath_options part = *o;

        part.tick = tick_step(&o->tick, i, n);
        ret = one_supernode(&out[i], &any, &sn[i], &part, err);
    }
    any_close(&any);
    return ret;
}
