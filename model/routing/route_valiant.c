/* Over an intermediate node that is any terminal with the same probability, or over a block of nodes that is any with
 * the same: a group, or one of those into which a supernode divides the terminals. Over the source or the target
 * itself, or the block of one of them, means straight there. */
#include <string.h>

#include "graph/base/mem.h"
#include "model/routing/nested.h"
#include "model/routing/route.h"
#include "model/supernode/members.h"

struct valiant {                    /* all NULL by terminals */
    struct supernode sn;
    bool group;
    int *block, nblock;             /* by node: its block; -1: none */
    int *aim, naim;                 /* whom entries are looked for by: of groups the first terminals, else all */
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

    supernode_release(&q->sn);
    route_path_release(&q->path);
    FREE(q->block, q->aim, q->entry, q->known);
}

/* The sets of the supernode, which must be the same from each of their terminals; switches are in their groups. */
static int valiant_blocks(struct valiant *q, struct net *net, struct err *err)
{
    struct members m = { 0 };
    int *member, *size, ret = TAKE("blocks of nodes", err, ARRAY(member, net->n), ARRAY(size, net->nterminal)) < 0 ?
        -1 : members_open(&m, net, &q->sn, err);

    memset(q->block, -1, (size_t)net->n * sizeof *q->block);
    for (int i = 0; ret == 0 && i < net->nterminal; i++) {
        const int node = net_terminal(net, i), was = q->block[node], n = members_of(&m, node, false, member);
        bool same = was < 0 || n == size[was], own = false;

        for (int k = 0; k < n; k++) {
            same = same && q->block[member[k]] == was;
            own = own || member[k] == node;
            if (was < 0)
                q->block[member[k]] = q->nblock;
        }
        if (was < 0)
            size[q->nblock++] = n;
        if (was < 0 || !q->group)
            q->aim[q->naim++] = node;
        if (!same || !own)
            ret = err_set(err, ERR_DOMAIN, "valiant,by=%s needs blocks that share no terminal, and on %.200s some do; "
                          "subcube:K, or planes of a mesh, are such", q->sn.spec, net->spec);
    }
    for (int v = 0; ret == 0 && q->group && v < net->n; v++)
        if (q->block[v] < 0 && members_of(&m, v, false, member) > 0)
            q->block[v] = q->block[member[0]];
    members_close(&m);
    FREE(member, size);
    return ret;
}

static int valiant_open_blocks(struct valiant *q, struct net *net, const struct spec *spec, const char *by,
                               struct err *err)
{
    q->group = strcmp(by, "group") == 0;
    if (q->group && !net_grouped(net))
        return err_set(err, ERR_DOMAIN, "'valiant,by=group' needs groups, which %.200s has not; by=SUPERNODE, as in "
                       "valiant,by=subcube:2, takes blocks of nodes instead", net->spec);
    if (nested_supernode(&q->sn, net, spec, by, keys, err) < 0 ||
        TAKE("blocks of nodes", err, ARRAY(q->block, net->n), ARRAY(q->aim, net->nterminal),
             ZEROS(q->known, net->n)) < 0 || valiant_blocks(q, net, err) < 0)
        return -1;
    return TAKE("blocks of nodes", err, ARRAY(q->entry, (size_t)net->n * (size_t)q->nblock));
}

static int route_valiant_open(struct routing *r, const struct spec *spec, struct err *err)
{
    const char *by = spec_get(spec, "by");
    const bool blocks = by && strcmp(by, "terminal") != 0;
    struct valiant *q = r->state;
    char base[160];

    if (spec_no_params(spec, err) < 0 ||
        (blocks ? valiant_open_blocks(q, r->net, spec, by, err) : spec_check(spec, keys, NULL, err)) < 0 ||
        routing_base(r, spec, q->group ? "lgl" : NULL, err) < 0)
        return -1;
    r->legs = 2;
    r->over_any = !blocks;
    r->invariant = !blocks && r->base->invariant && r->net->group && r->net->nterminal == r->net->n;
    r->symmetric = (!blocks || q->group) && r->base->symmetric;
    r->by_group = q->group || r->base->by_group;
    return spec_append(&r->spec, err, "valiant%s%s%s", blocks ? ",by=" : "", blocks ? q->sn.spec : "",
                       routing_base_spec(spec, base));
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

static int route_valiant_ways(struct ways *w, struct routing *r, const char *stream, int source, int target,
                              struct err *err)
{
    struct valiant *q = r->state;
    const int n = q->nblock ? q->nblock : r->net->nterminal;
    int straight = 0;

    (void)stream;
    if (q->nblock && !q->known[source] && valiant_entries(r, source, err) < 0)
        return -1;
    for (int i = 0; i < n; i++) {
        const int stop[2] = { q->nblock ? q->entry[(size_t)source * (size_t)n + (size_t)i] : net_terminal(r->net, i),
                              target };

        if (stop[0] == source || stop[0] == target ||
            (q->nblock && (i == q->block[source] || i == q->block[target])))
            straight++;
        else if (ways_add(w, stop, 2, 1.0 / n, err) < 0)
            return -1;
    }
    return straight ? ways_add(w, &target, 1, straight * (1.0 / n), err) : 0;
}

const struct route route_valiant = {
    .name = "valiant",
    .synopsis = "valiant[,by=terminal|group|SUPERNODE][,base=...][,order=...][,tie=...]",
    .summary = "over a random node to the destination: any traffic becomes uniform, on twice the links",
    .notes = "Every terminal is the intermediate node of the same share of messages. If it is the source or the "
        "destination itself, the message takes the direct path. by=group draws a group instead: the message goes to "
        "the first node of that group that it meets on the way to its first terminal (base lgl unless given), and on "
        "from there. by=SUPERNODE draws one "
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
