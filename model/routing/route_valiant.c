/* Over an intermediate node that is any terminal with the same probability, or over a group that is any with the same.
 * Over the source or the target itself, or the group of one of them, means straight there. */
#include "model/routing/route.h"
#include "texts/route.h"

struct valiant {                    /* all NULL by terminals */
    int *first, ngroup;             /* of each group that has terminals: its first one */
    int *entry;                     /* by node and group: where messages from there enter it */
    bool *known;                    /* by node: its entries are */
    struct route_path path;
};

static const char *const by_choices[] = { "terminal", "group", NULL };

static void valiant_close(void *state)
{
    struct valiant *q = state;

    route_path_release(&q->path);
    FREE(q->first, q->entry, q->known);
}

static int valiant_groups(struct valiant *q, const struct net *net, struct err *err)
{
    bool *seen;

    if (!net_grouped(net))
        return err_set(err, ERR_DOMAIN, "'valiant,by=group' needs groups, which %.200s has not", net->spec);
    if (TAKE("groups of nodes", err, ZEROS(seen, net->n), ARRAY(q->first, net->nterminal), ZEROS(q->known, net->n)) < 0)
        return -1;
    for (int i = 0; i < net->nterminal; i++) {
        const int node = net_terminal(net, i), group = net_group(net, node);

        if (!seen[group])
            q->first[q->ngroup++] = node;
        seen[group] = true;
    }
    FREE(seen);
    return TAKE("groups of nodes", err, ARRAY(q->entry, (size_t)net->n * (size_t)q->ngroup));
}

static int route_valiant_open(struct routing *r, const struct spec *spec, struct err *err)
{
    struct valiant *q = r->state;
    char base[160];
    int group;

    if (spec_no_params(spec, err) < 0 || spec_choice(&group, spec, "by", by_choices, err) < 0 ||
        (group && valiant_groups(q, r->net, err) < 0) || routing_base(r, spec, group ? "lgl" : NULL, err) < 0)
        return -1;
    r->legs = 2;
    r->over_any = !group;
    r->invariant = !group && r->base->invariant && r->net->group && r->net->nterminal == r->net->n;
    r->symmetric = r->base->symmetric;
    r->by_group = group || r->base->by_group;
    return spec_append(&r->spec, err, "valiant%s%s", group ? ",by=group" : "", routing_base_spec(spec, base));
}

/* Where messages from a node enter each group: at the first node of it on the path to its first terminal. */
static int valiant_entries(struct routing *r, int source, struct err *err)
{
    struct valiant *q = r->state;

    for (int i = 0; i < q->ngroup; i++) {
        const int aim = q->first[i], group = net_group(r->net, aim);
        size_t at = 0;

        if (route_path(&q->path, r->base, source, aim, err) < 0)
            return -1;
        while (net_group(r->net, q->path.node[at]) != group)
            at++;
        q->entry[(size_t)source * (size_t)q->ngroup + (size_t)i] = q->path.node[at];
    }
    q->known[source] = true;
    return 0;
}

static int route_valiant_ways(struct ways *w, struct routing *r, const char *, int source, int target, struct err *err)
{
    struct valiant *q = r->state;
    const int n = q->ngroup ? q->ngroup : r->net->nterminal;
    const int from = q->ngroup ? net_group(r->net, source) : -1, to = q->ngroup ? net_group(r->net, target) : -1;
    int straight = 0;

    if (q->ngroup && !q->known[source] && valiant_entries(r, source, err) < 0)
        return -1;
    for (int i = 0; i < n; i++) {
        const int stop[2] = { q->ngroup ? q->entry[(size_t)source * (size_t)n + (size_t)i] : net_terminal(r->net, i),
                              target };
        const int group = q->ngroup ? net_group(r->net, q->first[i]) : -2;

        if (stop[0] == source || stop[0] == target || group == from || group == to)
            straight++;
        else if (ways_add(w, stop, 2, 1.0 / n, err) < 0)
            return -1;
    }
    return straight ? ways_add(w, &target, 1, straight * (1.0 / n), err) : 0;
}

const struct route route_valiant = {
    ROUTE_VALIANT_ENTRY,
    .fits = route_fits_any,
    .state = sizeof(struct valiant),
    .open = route_valiant_open,
    .close = valiant_close,
    .ways = route_valiant_ways
};
