#include <igraph.h>
#include <stdlib.h>

#include "graph/topology/topo.h"
#include "texts/topo.h"

/* Groups of a routers, p terminals and h global cables a router; every pair of the a*h+1 groups has one. */
struct dragonfly {
    int a, p, h, g, arrangement;
};
static const char *const arrangements[] = { "relative", "absolute", NULL };

/* Not net->nterminal: some may have failed. */
static int hosts(const struct dragonfly *d)
{
    return d->p * d->a * d->g;
}

static double cables(const struct net *net)
{
    const struct dragonfly *d = net->param;
    const double g = d->g, a = d->a;

    return net->nterminal + g * a * (a - 1) / 2 + g * (g - 1) / 2;
}

static int open_dragonfly(struct net *net, const struct spec *spec, struct err *err)
{
    struct dragonfly *d = malloc(sizeof *d);
    int64_t a, p, h, terminals, routers;

    if (!d)
        return err_memory(err);
    net->param = d;
    if (spec_no_params(spec, err) < 0)
        return -1;
    if (!spec_get(spec, "a") || !spec_get(spec, "p") || !spec_get(spec, "h"))
        return err_set(err, ERR_USAGE, "'%.80s': a dragonfly needs a=, p= and h=, as in dragonfly,a=4,p=2,h=2",
                       spec->text);
    if (spec_key_int(&a, spec, "a", 1, 10000, 0, err) < 0 || spec_key_int(&p, spec, "p", 1, 10000, 0, err) < 0 ||
        spec_key_int(&h, spec, "h", 1, 10000, 0, err) < 0 ||
        spec_choice(&d->arrangement, spec, "arrangement", arrangements, err) < 0)
        return -1;
    d->a = (int)a;
    d->p = (int)p;
    d->h = (int)h;
    d->g = (int)(a * h + 1);
    routers = a * d->g;
    terminals = routers * p;
    if (terminals + routers > INT32_MAX)
        return err_set(err, ERR_USAGE, "'%.80s' would have more than %d nodes", spec->text, INT32_MAX);
    net->n = (int)(terminals + routers);
    net->nterminal = (int)terminals;
    if (topo_first_terminals(net, cables(net), spec->text, err) < 0)
        return -1;
    return spec_append(&net->spec, err, "dragonfly,a=%d,p=%d,h=%d%s", d->a, d->p, d->h,
                     d->arrangement ? ",arrangement=absolute" : "");
}

/* The group at the other end of global cable j of group i, and that cable's number there. */
static int across(const struct dragonfly *d, int i, int j, int *there)
{
    int to = d->arrangement ? (j < i ? j : j + 1) : (i + j + 1) % d->g;

    *there = d->arrangement ? (i < to ? i : i - 1) : d->a * d->h - 1 - j;
    return to;
}

static int topo_dragonfly_build(igraph_t *graph, const struct net *net, struct err *err)
{
    const struct dragonfly *d = net->param;
    igraph_integer_t *end = topo_ends(cables(net), net, err);
    size_t n = 0;

    if (!end)
        return -1;
    for (int t = 0; t < net->nterminal; t++) {
        end[n++] = t;
        end[n++] = net->nterminal + t / d->p;
    }
    for (int i = 0; i < d->g; i++) {
        int first = net->nterminal + i * d->a;

        for (int r = 0; r < d->a; r++)
            for (int q = r + 1; q < d->a; q++) {
                end[n++] = first + r;
                end[n++] = first + q;
            }
        for (int j = 0; j < d->a * d->h; j++) {
            int there, to = across(d, i, j, &there);

            if (to > i) {
                end[n++] = first + j / d->h;
                end[n++] = net->nterminal + to * d->a + there / d->h;
            }
        }
    }
    return topo_from_edges(graph, end, n, net, err);
}

static int group(const struct net *net, int node)
{
    const struct dragonfly *d = net->param;

    return (node < hosts(d) ? node / d->p : node - hosts(d)) / d->a;
}

static int radix(const struct net *net, int node)
{
    const struct dragonfly *d = net->param;

    return node < hosts(d) ? 0 : d->p + d->a - 1 + d->h;
}

static void topo_dragonfly_facts(const struct net *net, struct topo_facts *f)
{
    const struct dragonfly *d = net->param;

    f->nodes = net->n;
    f->terminals = net->nterminal;
    f->edges = cables(net);
    f->degree_min = 1;
    f->degree_max = d->p + d->a - 1 + d->h;
}

static const char *const classes[] = { "host", "local", "global", NULL };

static int class_of(const struct net *net, int a, int b)
{
    return a < hosts(net->param) || b < hosts(net->param) ? 0 : group(net, a) == group(net, b) ? 1 : 2;
}

static const struct spec_key keys[] = {
    { "a", "N", "routers in a group (required)" },
    { "p", "N", "terminals at a router (required)" },
    { "h", "N", "global cables of a router (required)" },
    { "arrangement", "relative|absolute",
      "which groups the global cables 0..ah-1 of group i lead to: relative: i+1, i+2, ... round the circle; "
      "absolute: 0, 1, ... leaving out i; relative by default" },
    TOPO_CLASS_KEYS("host", "to hosts"), TOPO_CLASS_KEYS("local", "within a group"),
    TOPO_CLASS_KEYS("global", "between groups"),
    { NULL, NULL, NULL }
};

const struct topo topo_dragonfly = {
    .name = "dragonfly",
    .synopsis = "dragonfly,a=A,p=P,h=H[,arrangement=relative|absolute][,...]",
    TOPO_DRAGONFLY_TEXT,
    .example = "dragonfly,a=4,p=2,h=2",
    .source = "Kim, Dally, Scott and Abts 2008; arrangements: Hastings et al. 2015",
    .keys = keys,
    .layout = "groups",
    .open = open_dragonfly,
    .build = topo_dragonfly_build,
    .cable_class = classes,
    .class_of = class_of,
    .radix = radix,
    .group = group,
    .by_groups = true,
    .facts = topo_dragonfly_facts
};
