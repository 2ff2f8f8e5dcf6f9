/* Every multistep path of a metapath, source to i to j to target for i in S(source) and j in T(target), with the same
 * share. Stops where the message is already, or ends anyway, are left out; multistep paths that become the same are one
 * way with their shares added. At most one stop before the target is left of those, so they are counted by it. */
#include "model/routing/best.h"
#include "model/supernode/members.h"
#include "texts/route.h"

#define MANY 1000000            /* ways, from where on their memory is forecast */

struct metapath {
    struct supernode sn;
    struct members members;
    int source, target;             /* the nodes of the members at hand; -1: none yet */
    int *from, nfrom, *to, nto;     /* S(source), T(target) */
    int *over;                      /* multistep paths over one stop, by stop; all 0 between calls */
    struct best *best;              /* metapath:best:K, which needs nothing of the above; else NULL */
};

extern const struct route route_metapath;

static bool is_own(const char *key)
{
    const struct spec_key *k = route_metapath.keys;

    while (k->name && strcmp(k->name, key) != 0)
        k++;
    return k->name;
}

/* The supernode's spec: what is left without the routing's keys. */
static char *inner_spec(const struct spec *spec)
{
    size_t len = strlen(spec->params);
    char *text = malloc(strlen(spec->text) + 1);

    if (!text)
        return NULL;
    memcpy(text, spec->params, len + 1);
    for (size_t i = 0; i < spec->noption; i++)
        if (!is_own(spec->option[i].key))
            len += (size_t)sprintf(text + len, ",%s=%s", spec->option[i].key, spec->option[i].value);
    return text;
}

/* The routing's keys, of which none may stand twice; the supernode looks after its own. */
static int check_keys(const struct spec *spec, struct err *err)
{
    for (size_t i = 0; i < spec->noption; i++)
        for (size_t k = 0; k < i; k++)
            if (is_own(spec->option[i].key) && strcmp(spec->option[i].key, spec->option[k].key) == 0)
                return err_set(err, ERR_USAGE, "'%.80s' gives %s twice", spec->text, spec->option[i].key);
    return 0;
}

/* Says so where a key that the supernode has not was to be one of the routing's. */
static int open_supernode(struct supernode *out, const struct net *net, const struct spec *spec, struct err *err)
{
    char *text = inner_spec(spec), hint[80];
    const char *known[8];
    size_t n = 0;
    int ret = !text ? err_memory(err) : check_keys(spec, err) < 0 ? -1 : supernode_open(out, text, net, err);

    free(text);
    if (ret == 0 || err->code != ERR_USAGE)
        return ret;
    for (const struct spec_key *k = route_metapath.keys; k->name; k++)
        known[n++] = k->name;
    for (size_t i = 0; i < spec->noption; i++) {
        const char *key = spec->option[i].key;

        if (!is_own(key) && text_nearest(key, known, n))
            return err_set(err, ERR_USAGE, "'%.80s': %s has no option '%.40s'%s", spec->text, spec->name, key,
                           text_suggest(hint, key, known, n));
    }
    return ret;
}

static void route_metapath_release(void *state)
{
    struct metapath *m = state;

    best_close(m->best);
    members_close(&m->members);
    supernode_release(&m->sn);
    FREE(m->from, m->to, m->over);
}

static int route_metapath_tell(struct routing *r, const struct routing_demand *pair, size_t n, const struct tick *tick,
                               struct err *err)
{
    return best_tell(((struct metapath *)r->state)->best, r, pair, n, tick, err);
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
    if (spec_choice(&shares, spec, "shares", choices, err) < 0)
        return -1;
    r->by_bandwidth = shares == 1;
    if (best_is(spec)) {
        if (spec_check(spec, route_metapath.keys, NULL, err) < 0 ||
            best_open(&m->best, r, spec, route_metapath_tell, err) < 0)
            return -1;
        return spec_append(&r->spec, err, "%s%s", r->by_bandwidth ? ",shares=bandwidth" : "",
                           routing_base_spec(spec, base));
    }
    if (spec_get(spec, "of"))
        return err_set(err, ERR_USAGE, "'%.80s': of= says what metapath:best:K chooses from", spec->text);
    if (open_supernode(&m->sn, net, spec, err) < 0 || routing_base(r, spec, NULL, err) < 0 ||
        TAKE("a metapath", err, ARRAY(m->from, net->n), ARRAY(m->to, net->n), ZEROS(m->over, net->n)) < 0 ||
        members_open(&m->members, r->net, &m->sn, err) < 0)
        return -1;
    r->invariant = r->base->invariant && net->nterminal == net->n && !m->sn.aligned && supernode_invariant(&m->sn, net);
    return spec_append(&r->spec, err, "metapath:%s%s%s", m->sn.spec, r->by_bandwidth ? ",shares=bandwidth" : "",
                        routing_base_spec(spec, base));
}

static int find_members(struct metapath *m, int source, int target, struct err *err)
{
    if (m->source != source || (m->target != target && m->sn.shape == SHAPE_BETWEEN))
        m->nfrom = members_towards(&m->members, source, target, m->from, err);
    m->source = m->nfrom < 0 ? -1 : source;
    if (m->nfrom < 0)
        return -1;
    if (m->target != target)
        m->nto = members_of(&m->members, target, true, m->to);
    if (m->nfrom == 0)              /* a switch far from every terminal */
        m->from[m->nfrom++] = source;
    if (m->nto == 0)
        m->to[m->nto++] = target;
    m->target = target;
    return 0;
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

static int route_metapath_ways(struct ways *w, struct routing *r, const char *, int source, int target,
                               struct err *err)
{
    struct metapath *m = r->state;
    double count, share;
    int stop[3], straight = 0, ret = 0;

    if (m->best)
        return best_ways(w, m->best, r, source, target, err);
    if (find_members(m, source, target, err) < 0)
        return -1;
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
    ROUTE_METAPATH_ENTRY,
    .nested = true,
    .metapaths = true,
    .fits = route_fits_any,
    .state = sizeof(struct metapath),
    .open = route_metapath_open,
    .close = route_metapath_release,
    .ways = route_metapath_ways
};
