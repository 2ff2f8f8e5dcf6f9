/* GPUs have the first numbers, host by host; then, plane by plane, the leaf of each rail and the spines. Of R ports a
 * leaf has one for each host, and as many for spines, or what is left. They lead to as few spines as take a whole
 * number of cables from each of the G leaves. */
#include <igraph.h>

#include "graph/topology/topo.h"
#include "texts/topo.h"

struct rails {
    int hosts, gpus, radix, planes;
    int spines, trunk;          /* of a plane; cables from each leaf to each of them */
};

static double cables(const struct rails *r)
{
    const double h = r->hosts, g = r->gpus;

    return h * g * (g - 1) / 2 + r->planes * g * (h + (double)r->spines * r->trunk);
}

static int open_rails(struct net *net, const struct spec *spec, struct err *err)
{
    struct rails *r = net->param = malloc(sizeof *r);
    int64_t hosts, gpus, radix, planes;
    int up;

    if (!r)
        return err_memory(err);
    if (spec_no_params(spec, err) < 0)
        return -1;
    if (!spec_get(spec, "hosts") || !spec_get(spec, "gpus") || !spec_get(spec, "radix"))
        return err_set(err, ERR_USAGE, "'%.80s': rails need hosts=, gpus= and radix=, as in "
                       "rails,hosts=3,gpus=4,radix=5", spec->text);
    if (spec_key_int(&hosts, spec, "hosts", 2, 10000, 0, err) < 0 ||
        spec_key_int(&gpus, spec, "gpus", 2, 1000, 0, err) < 0 ||
        spec_key_int(&radix, spec, "radix", 2, 10000, 0, err) < 0 ||
        spec_key_int(&planes, spec, "planes", 1, 1000, 1, err) < 0)
        return -1;
    if (radix < hosts || radix < gpus)
        return err_set(err, ERR_USAGE, "'%.80s': a %s of %lld ports has not one for each of %lld %s", spec->text,
                       radix < hosts ? "leaf" : "spine", (long long)radix, (long long)(radix < hosts ? hosts : gpus),
                       radix < hosts ? "hosts" : "rails");
    *r = (struct rails){ .hosts = (int)hosts, .gpus = (int)gpus, .radix = (int)radix, .planes = (int)planes };
    up = r->radix - r->hosts < r->hosts ? r->radix - r->hosts : r->hosts;
    for (r->trunk = r->radix / r->gpus; up && up % r->trunk; r->trunk--)
        ;
    r->spines = up / r->trunk;
    net->nterminal = r->hosts * r->gpus;
    net->n = net->nterminal + r->planes * (r->gpus + r->spines);
    net->cables.parallel = r->trunk > 1 && up;
    return topo_first_terminals(net, cables(r), spec->text, err) < 0 ? -1 :
        spec_append(&net->spec, err, r->planes > 1 ? "rails,hosts=%d,gpus=%d,radix=%d,planes=%d" :
                    "rails,hosts=%d,gpus=%d,radix=%d", r->hosts, r->gpus, r->radix, r->planes);
}

static int topo_rails_build(igraph_t *graph, const struct net *net, struct err *err)
{
    const struct rails *r = net->param;
    igraph_integer_t *end = topo_ends(cables(r), net, err);
    size_t n = 0;

    if (!end)
        return -1;
    for (int t = 0; t < r->hosts * r->gpus; t++) {
        for (int other = t + 1; other % r->gpus; other++) {
            end[n++] = t;
            end[n++] = other;
        }
        for (int p = 0; p < r->planes; p++) {
            end[n++] = t;
            end[n++] = r->hosts * r->gpus + p * (r->gpus + r->spines) + t % r->gpus;
        }
    }
    for (int p = 0; p < r->planes; p++)
        for (int i = 0; i < r->gpus * r->spines * r->trunk; i++) {
            const int leaf = r->hosts * r->gpus + p * (r->gpus + r->spines);

            end[n++] = leaf + i / r->trunk / r->spines;
            end[n++] = leaf + r->gpus + i / r->trunk % r->spines;
        }
    return topo_from_edges(graph, end, n, net, err);
}

/* 0 a GPU, 1 a leaf, 2 a spine. */
static int level(const struct net *net, int node)
{
    const struct rails *r = net->param;
    const int first = r->hosts * r->gpus;

    return node < first ? 0 : (node - first) % (r->gpus + r->spines) < r->gpus ? 1 : 2;
}

static int radix(const struct net *net, int node)
{
    return level(net, node) ? ((const struct rails *)net->param)->radix : 0;
}

static int alike(const struct net *net, int node)
{
    const struct rails *r = net->param;

    return level(net, node) == 0 ? 0 : r->hosts * r->gpus + (level(net, node) == 1 ? 0 : r->gpus);
}

static const char *const classes[] = { "node", "rail", "spine", NULL };

static int class_of(const struct net *net, int a, int b)
{
    return level(net, a) + level(net, b) == 3 ? 2 : level(net, a) + level(net, b);
}

/* To another rail of another host over the links of a host, then the rail. */
static int pairs(uint64_t count[TOPO_HOPS], const struct net *net)
{
    const struct rails *r = net->param;
    const uint64_t h = (uint64_t)r->hosts, g = (uint64_t)r->gpus;

    count[1] = h * g * (g - 1);
    count[2] = h * g * (h - 1);
    count[3] = h * g * (h - 1) * (g - 1);
    return 3;
}

static void topo_rails_facts(const struct net *net, struct topo_facts *f)
{
    const struct rails *r = net->param;
    const double h = r->hosts, g = r->gpus, gpu = g - 1 + r->planes, leaf = h + (double)r->spines * r->trunk,
        spine = r->spines ? g * r->trunk : leaf;

    f->nodes = net->n;
    f->terminals = h * g;
    f->edges = cables(r);
    f->degree_min = gpu < leaf && gpu < spine ? gpu : leaf < spine ? leaf : spine;
    f->degree_max = gpu > leaf && gpu > spine ? gpu : leaf > spine ? leaf : spine;
}

const struct topo topo_rails = {
    TOPO_RAILS_ENTRY, .layout = "layers", .open = open_rails, .build = topo_rails_build, .cable_class = classes,
    .class_of = class_of, .radix = radix, .alike = alike, .pairs = pairs, .facts = topo_rails_facts
};
