/* Over an intermediate node that is any terminal with the same probability, or over a block of nodes that is any with
 * the same: a group, or one of those into which a supernode divides the terminals. Over the source or the target
 * itself, or the block of one of them, means straight there. */
#include <string.h>

#include "graph/base/mem.h"
#include "model/routing/nested.h"
#include "model/routing/route.h"
#include "model/supernode/members.h"

struct valiant {                    /* all NULL by terminals */
    int *block, nblock;             /* by node: its block; -1: none */
    int *aim, naim;                 /* what entries are looked for by: of groups the first terminals, else all */
    bool group;
    int *entry;                     /* by node and block: where messages from there enter it */
    bool *known;                    /* by node: its entries are */
    struct route_path path;
};

static const struct spec_key keys[] = {
    { "by", "terminal|group|SUPERNODE", "what is drawn: terminals; the network's groups; blocks into which a supernode "
      "divides the terminals, as by=subcube:2 (default: terminal)" },
    ROUTING_BASE_KEYS, { NULL, NULL, NULL }
};

static void valiant_close(void *state)
{
    struct valiant *q = state;

    route_path_release(&q->path);
    FREE(q->block, q->aim, q->entry, q->known);
}

/* Groups that have terminals, in the order of these. */
static int valiant_groups(struct valiant *q, const struct net *net, struct err *err)
{
    int *number, most = 0;

    for (int v = 0; v < net->n; v++)
        most = net_group(net, v) > most ? net_group(net, v) : most;
    if (TAKE("blocks of nodes", err, ARRAY(number, most + 1)) < 0)
        return -1;
    memset(number, -1, ((size_t)most + 1) * sizeof *number);
    for (int i = 0; i < net->nterminal; i++) {
        int *of = &number[net_group(net, net_terminal(net, i))];

        if (*of < 0) {
            *of = q->nblock++;
            q->aim[q->naim++] = net_terminal(net, i);
        }
    }
    for (int v = 0; v < net->n; v++)
        q->block[v] = net_group(net, v) < 0 ? -1 : number[net_group(net, v)];
    FREE(number);
    return 0;
}

/* The sets of a supernode, which must be the same from each of their terminals. */
static int valiant_blocks(struct valiant *q, struct net *net, const struct supernode *sn, struct err *err)
{
    struct members m = { 0 };
    int *member, ret = TAKE("blocks of nodes", err, ARRAY(member, net->n)) < 0 ? -1 : members_open(&m, net, sn, err);

    memset(q->block, -1, (size_t)net->n * sizeof *q->block);
    for (int i = 0; ret == 0 && i < net->nterminal; i++) {
        const int node = q->aim[q->naim++] = net_terminal(net, i), was = q->block[node], first = was < 0 ? -1 : was;
        const int n = members_of(&m, node, false, member);
        bool same = n > 0, own = false;

        for (int k = 0; k < n; k++) {
            same = same && q->block[member[k]] == first;
            own = own || member[k] == node;
            if (first < 0)
                q->block[member[k]] = q->nblock;
        }
        q->nblock += first < 0;
        if (!same || !own)
            ret = err_set(err, ERR_DOMAIN, "valiant,by=%s needs blocks that share no terminal, and on %.200s some do; "
                          "subcube:K, or planes of a mesh, are such", sn->spec, net->spec);
    }
    members_close(&m);
    FREE(member);
    return ret;
}

static int valiant_by(struct routing *r, const struct spec *spec, const char *by, struct err *err)
{
    struct valiant *q = r->state;
    struct supernode sn = { 0 };
    char base[160];
    int ret;

    q->group = strcmp(by, "group") == 0;
    if (q->group ? spec_check(spec, keys, NULL, err) < 0 : nested_supernode(&sn, r->net, spec, by, keys, err) < 0)
        return -1;
    if (q->group && !net_grouped(r->net))
        return err_set(err, ERR_DOMAIN, "'valiant,by=group' needs groups, which %.200s has not; by=SUPERNODE, as in "
                       "valiant,by=subcube:2, takes blocks of nodes instead", r->net->spec);
    ret = TAKE("blocks of nodes", err, ARRAY(q->block, r->net->n), ARRAY(q->aim, r->net->nterminal),
               ZEROS(q->known, r->net->n)) < 0 ||
        (q->group ? valiant_groups(q, r->net, err) : valiant_blocks(q, r->net, &sn, err)) < 0 ||
        TAKE("blocks of nodes", err, ARRAY(q->entry, (size_t)r->net->n * (size_t)q->nblock)) < 0 ||
        routing_base(r, spec, q->group ? "lgl" : NULL, err) < 0 ||
        spec_append(&r->spec, err, "valiant,by=%s%s", q->group ? by : sn.spec, routing_base_spec(spec, base)) < 0 ?
        -1 : 0;
    supernode_release(&sn);
    r->symmetric = ret == 0 && q->group && r->base->symmetric;
    r->by_group = q->group;
    return ret;
}

static int route_valiant_open(struct routing *r, const struct spec *spec, struct err *err)
{
    const char *by = spec_get(spec, "by");
    char base[160];

    r->legs = 2;
    if (spec_no_params(spec, err) < 0)
        return -1;
    if (by && strcmp(by, "terminal") != 0)
        return valiant_by(r, spec, by, err);
    if (spec_check(spec, keys, NULL, err) < 0 || routing_base(r, spec, NULL, err) < 0)
        return -1;
    r->over_any = true;
    r->invariant = r->base->invariant && r->net->group && r->net->nterminal == r->net->n;
    r->symmetric = r->base->symmetric;
    r->by_group = r->base->by_group;
    return spec_append(&r->spec, err, "valiant%s", routing_base_spec(spec, base));
}

/* Where messages from a node enter each block: a group at the first node of it on the path to its first terminal, other
 * blocks at their nearest terminal. */
static int valiant_entries(struct routing *r, int source, struct err *err)
{
    struct valiant *q = r->state;
    int *entry = q->entry + (size_t)source * (size_t)q->nblock;
    size_t *hops;
    int ret = TAKE("blocks of nodes", err, ARRAY(hops, q->nblock));

    memset(entry, -1, (size_t)q->nblock * sizeof *entry);
    for (int i = 0; ret == 0 && i < q->naim; i++) {
        const int b = q->block[q->aim[i]];
        size_t at = 0;

        ret = route_path(&q->path, r->base, source, q->aim[i], err);
        while (ret == 0 && q->path.node[at] != q->aim[i] && !(q->group && q->block[q->path.node[at]] == b))
            at++;
        if (ret == 0 && (entry[b] < 0 || at < hops[b])) {
            entry[b] = q->path.node[at];
            hops[b] = at;
        }
    }
    FREE(hops);
    q->known[source] = ret == 0;
    return ret;
}

static int valiant_by_terminal(struct ways *w, const struct net *net, int source, int target, struct err *err)
{
    const double share = 1.0 / net->nterminal;
    int straight = 0;

    for (int i = 0; i < net->nterminal; i++) {
        const int stop[2] = { net_terminal(net, i), target };

        if (stop[0] == source || stop[0] == target)
            straight++;
        else if (ways_add(w, stop, 2, share, err) < 0)
            return -1;
    }
    return straight ? ways_add(w, &target, 1, straight * share, err) : 0;
}

static int route_valiant_ways(struct ways *w, struct routing *r, const char *stream, int source, int target,
                              struct err *err)
{
    struct valiant *q = r->state;
    int straight = 0;

    (void)stream;
    if (!q->nblock)
        return valiant_by_terminal(w, r->net, source, target, err);
    if (!q->known[source] && valiant_entries(r, source, err) < 0)
        return -1;
    for (int b = 0; b < q->nblock; b++) {
        const int stop[2] = { q->entry[(size_t)source * (size_t)q->nblock + (size_t)b], target };

        if (b == q->block[source] || b == q->block[target] || stop[0] == source || stop[0] == target)
            straight++;
        else if (ways_add(w, stop, 2, 1.0 / q->nblock, err) < 0)
            return -1;
    }
    return straight ? ways_add(w, &target, 1, (double)straight / q->nblock, err) : 0;
}

const struct route route_valiant = {
    .name = "valiant",
    .synopsis = "valiant[,by=terminal|group|SUPERNODE][,base=...][,order=...][,tie=...]",
    .summary = "over a random node to the destination: any traffic becomes uniform, on twice the links",
    .notes = "Every terminal is the intermediate node of the same share of messages. If it is the source or the "
        "destination itself, the message takes the direct path. by=group draws a group instead: the message goes to "
        "the first node of that group that it meets (base lgl unless given) and on from there. by=SUPERNODE draws one "
        "of the blocks into which a supernode divides the terminals, and goes to its terminal nearest to the source, "
        "of several the one with the smallest number; keys of the supernode stand behind it. Over the block of the "
        "source or of the destination means straight there.",
    .source = "Valiant 1982; Dally and Towles 2004, section 9.1; by group: Kim, Dally, Scott and Abts 2008",
    .keys = keys,
    .nested = true,
    .fits = route_fits_any,
    .state = sizeof(struct valiant),
    .open = route_valiant_open,
    .close = valiant_close,
    .ways = route_valiant_ways
};
