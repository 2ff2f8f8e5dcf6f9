#include "graph/topology/groups.h"

#include <igraph.h>

static const char *const arrangements[] = { "relative", "absolute", "palmtree", "circulant", NULL };
const char *const groups_classes[] = { "host", "local", "global", NULL };

static int routers(const struct groups *d)
{
    return d->same ? d->leaves : d->leaves + d->spines;
}

int groups_hosts(const struct groups *d)
{
    return d->p * d->leaves * d->g;
}

static double cables(const struct net *net)
{
    const struct groups *d = net->param;
    const double g = d->g, a = d->leaves;

    return net->nterminal + (d->same ? g * a * (a - 1) / 2 : g * a * d->spines) + g * (g - 1) / 2 * d->links;
}

int groups_open(struct net *net, const struct spec *spec, struct groups *d, struct err *err)
{
    const int64_t ports = (int64_t)d->spines * d->h;
    int64_t g, links, all, terminals;

    if (spec_key_int(&g, spec, "groups", 2, ports + 1, 0, err) < 0 ||
        spec_key_int(&links, spec, "links", 1, ports, g ? ports / (g - 1) : 1, err) < 0 ||
        spec_choice(&d->arrangement, spec, "arrangement", arrangements, err) < 0)
        return -1;
    g = g ? g : ports / links + 1;
    if ((g - 1) * links > ports)
        return err_set(err, ERR_USAGE, "'%.80s': a group has %lld global cables, and needs %lld for %lld of each of "
                       "the %lld others", spec->text, (long long)ports, (long long)((g - 1) * links), (long long)links,
                       (long long)(g - 1));
    d->g = (int)g;
    d->links = (int)links;
    terminals = (int64_t)d->leaves * d->g * d->p;
    all = terminals + (int64_t)routers(d) * d->g;
    if (all > INT32_MAX)
        return err_set(err, ERR_USAGE, "'%.80s' would have more than %d nodes", spec->text, INT32_MAX);
    net->n = (int)all;
    net->nterminal = (int)terminals;
    if (topo_first_terminals(net, cables(net), spec->text, err) < 0)
        return -1;
    if ((g != ports + 1 || links != 1) &&
        spec_append(&net->spec, err, ",groups=%d,links=%d", d->g, d->links) < 0)
        return -1;
    return d->arrangement ? spec_append(&net->spec, err, ",arrangement=%s", arrangements[d->arrangement]) : 0;
}

/* The group at the other end of global port j of group i, and that cable's port there. */
static int across(const struct groups *d, int i, int j, int *there)
{
    const int others = d->g - 1, o = j % others;
    int to = (i + o + 1) % d->g, back = others - 1 - o;

    if (d->arrangement == ABSOLUTE) {
        to = o < i ? o : o + 1;
        back = i < to ? i : i - 1;
    } else if (d->arrangement == PALMTREE) {
        to = (i - o - 1 + d->g) % d->g;
    } else if (d->arrangement == CIRCULANT) {
        to = (i + (o % 2 ? -1 : 1) * (o / 2 + 1) + d->g) % d->g;
        back = (o ^ 1) < others ? o ^ 1 : o;
    }
    *there = j - o + back;
    return to;
}

int groups_build(igraph_t *graph, const struct net *net, struct err *err)
{
    const struct groups *d = net->param;
    const int lower = d->same ? 0 : d->leaves;              /* the first router with global cables */
    igraph_integer_t *end = topo_ends(cables(net), net, err);
    size_t n = 0;

    if (!end)
        return -1;
    for (int t = 0; t < net->nterminal; t++) {
        const int leaf = t / d->p;

        end[n++] = t;
        end[n++] = net->nterminal + leaf / d->leaves * routers(d) + leaf % d->leaves;
    }
    for (int i = 0; i < d->g; i++) {
        const int first = net->nterminal + i * routers(d);

        for (int r = 0; r < d->leaves; r++)
            for (int q = d->same ? r + 1 : d->leaves; q < routers(d); q++) {
                end[n++] = first + r;
                end[n++] = first + q;
            }
        for (int j = 0; j < (d->g - 1) * d->links; j++) {
            int there, to = across(d, i, j, &there);

            if (to > i) {
                end[n++] = first + lower + j / d->h;
                end[n++] = net->nterminal + to * routers(d) + lower + there / d->h;
            }
        }
    }
    return topo_from_edges(graph, end, n, net, err);
}

int groups_of(const struct net *net, int node)
{
    const struct groups *d = net->param;

    return node < groups_hosts(d) ? node / d->p / d->leaves : (node - groups_hosts(d)) / routers(d);
}

int groups_place(const struct net *net, int node)
{
    const struct groups *d = net->param;

    return node < groups_hosts(d) ? node / d->p % d->leaves : (node - groups_hosts(d)) % routers(d);
}

int groups_radix(const struct net *net, int node)
{
    const struct groups *d = net->param;

    return node < groups_hosts(d) ? 0 : d->same ? d->p + d->leaves - 1 + d->h :
        groups_place(net, node) < d->leaves ? d->p + d->spines : d->leaves + d->h;
}

void groups_facts(const struct net *net, struct topo_facts *f)
{
    const struct groups *d = net->param;
    const int used = (d->g - 1) * d->links, global = used < d->h ? used : d->h, spine = d->leaves + global,
        leaf = d->p + d->spines;

    f->nodes = net->n;
    f->terminals = net->nterminal;
    f->edges = cables(net);
    f->degree_min = 1;
    f->degree_max = d->same ? d->p + d->leaves - 1 + global : leaf > spine ? leaf : spine;
}

int groups_class(const struct net *net, int a, int b)
{
    const int hosts = groups_hosts(net->param);

    return a < hosts || b < hosts ? 0 : groups_of(net, a) == groups_of(net, b) ? 1 : 2;
}
