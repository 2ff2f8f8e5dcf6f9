/* Every multistep path of a metapath, source to i to j to target for i in S(source) and j in T(target), with the same
 * share. Stops where the message is already, or ends anyway, are left out; multistep paths that become the same are one
 * way with their shares added. At most one stop before the target is left of those, so they are counted by it. */
#include "graph/base/mem.h"
#include "model/routing/nested.h"
#include "model/routing/route.h"
#include "model/supernode/members.h"

#define MANY 1000000            /* ways, from where on their memory is forecast */

struct metapath {
    struct supernode sn;
    struct members members;
    int source, target;             /* whose members are at hand; -1: none yet */
    int *from, nfrom, *to, nto;     /* S(source), T(target) */
    int *over;                      /* multistep paths over one stop, by stop; all 0 between calls */
};

static const struct spec_key keys[] = {
    { "shares", "uniform|bandwidth",
      "how messages are divided among the paths: equally, or in proportion to 1/latency (default: uniform)" },
    ROUTING_BASE_KEYS,
    { NULL, NULL, NULL }
};

static void route_metapath_release(void *state)
{
    struct metapath *m = state;

    members_close(&m->members);
    supernode_release(&m->sn);
    FREE(m->from, m->to, m->over);
}

static int route_metapath_open(struct routing *r, const struct spec *spec, struct err *err)
{
    static const char *const choices[] = { "uniform", "bandwidth", NULL };
    struct metapath *m = r->state;
    const struct net *net = r->net;
    char base[160];
    int shares;

    m->source = m->target = -1;
    if (!*spec->params)
        return err_set(err, ERR_USAGE, "'%.80s' lacks its supernode: write metapath:SUPERNODE, as in metapath:sga:1 "
                       "(`metapath list supernode`)", spec->text);
    if (spec_choice(&shares, spec, "shares", choices, err) < 0 ||
        nested_supernode(&m->sn, net, spec, spec->params, keys, err) < 0 || routing_base(r, spec, NULL, err) < 0 ||
        TAKE("a metapath", err, ARRAY(m->from, net->n), ARRAY(m->to, net->n), ZEROS(m->over, net->n)) < 0 ||
        members_open(&m->members, r->net, &m->sn, err) < 0)
        return -1;
    r->by_bandwidth = shares == 1;
    r->invariant = r->base->invariant && net->nterminal == net->n && !m->sn.aligned && supernode_invariant(&m->sn, net);
    return spec_append(&r->spec, err, "metapath:%s%s%s", m->sn.spec, r->by_bandwidth ? ",shares=bandwidth" : "",
                        routing_base_spec(spec, base));
}

static void find_members(struct metapath *m, int source, int target)
{
    if (m->source != source)
        m->nfrom = members_of(&m->members, source, false, m->from);
    if (m->target != target)
        m->nto = members_of(&m->members, target, true, m->to);
    if (m->nfrom == 0)              /* a switch far from every terminal */
        m->from[m->nfrom++] = source;
    if (m->nto == 0)
        m->to[m->nto++] = target;
    m->source = source;
    m->target = target;
}

/* The stops of a multistep path that are left, the target among them. */
static size_t stops(int stop[3], int source, int i, int j, int target)
{
    size_t n = 0;
    int at = source;

    if (i != source && i != target)
        stop[n++] = at = i;
    if (j != at && j != target)
        stop[n++] = j;
    stop[n++] = target;
    return n;
}

/* Takes from `over` what is there. */
static int add_single(struct ways *w, int *over, const int *node, int n, int target, double share, struct err *err)
{
    int ret = 0;

    for (int k = 0; k < n; k++) {
        const int stop[2] = { node[k], target };

        if (ret == 0 && over[node[k]])
            ret = ways_add(w, stop, 2, over[node[k]] * share, err);
        over[node[k]] = 0;
    }
    return ret;
}

static int route_metapath_ways(struct ways *w, struct routing *r, const char *stream, int source, int target,
                               struct err *err)
{
    struct metapath *m = r->state;
    double count, share;
    int stop[3], straight = 0, ret = 0;

    (void)stream;
    find_members(m, source, target);
    count = (double)m->nfrom * m->nto;
    share = 1 / count;
    if (count > MANY && mem_need(2 * count * (3 * sizeof *w->stop + sizeof *w->end + sizeof *w->share),
                                 "the ways of a metapath", err) < 0)
        return -1;
    for (int i = 0; ret == 0 && i < m->nfrom; i++)
        for (int j = 0; ret == 0 && j < m->nto; j++)
            switch (stops(stop, source, m->from[i], m->to[j], target)) {
            case 1: straight++; break;
            case 2: m->over[stop[0]]++; break;
            default: ret = ways_add(w, stop, 3, share, err);
            }
    if (ret == 0 && straight)
        ret = ways_add(w, &target, 1, straight * share, err);
    if (add_single(w, m->over, m->from, m->nfrom, target, share, err) < 0 ||
        add_single(w, m->over, m->to, m->nto, target, share, err) < 0)
        ret = -1;
    return ret;
}

const struct route route_metapath = {
    .name = "metapath",
    .synopsis = "metapath:SUPERNODE[,shares=...][,base=...][,order=...][,tie=...]",
    .summary = "over all multistep paths of a metapath, in equal shares or by shares=bandwidth",
    .notes = "SUPERNODE is a spec with keys of its own, as in metapath:row:4,origin=centre,shares=bandwidth "
        "(`metapath list supernode`). Every multistep path of the metapath has the same share of messages unless "
        "shares= says otherwise; paths that visit the same nodes count as one. No destination is left out.",
    .source = "Franco, Garces and Luque 1999 (Distributed Routing Balancing)",
    .example = "metapath:sga:1",
    .keys = keys,
    .nested = true,
    .fits = route_fits_any,
    .state = sizeof(struct metapath),
    .open = route_metapath_open,
    .close = route_metapath_release,
    .ways = route_metapath_ways
};
