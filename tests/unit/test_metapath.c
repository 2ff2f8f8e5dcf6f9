/* Metapath statistics against brute force from their definition, both ways of computing them, on networks of every
 * kind; supernode sizes; what is refused; the published tables. */
#include <igraph.h>
#include <string.h>

#include "analysis/claim/claim.h"
#include "analysis/metapath/metapath.h"
#include "analysis/metapath/metapath_any.h"
#include "graph/base/mem.h"
#include "graph/base/text.h"
#include "graph/topology/topo.h"
#include "tests/support/check.h"
#include "tests/support/brute.h"
#include "tests/support/measure.h"
#include "tests/support/nets.h"

#define MOST 40

static struct err err;

/* ---- supernodes bound to one network ---- */

struct bound {
    char **text;
    size_t n;
    struct supernode sn[MOST];
};

static void bind_all(struct bound *b, const struct net *net, const char *list)
{
    if (spec_list(&b->text, &b->n, list, &err) < 0)
        fail_msg("%s", err.msg);
    assert_true(b->n <= MOST);
    for (size_t i = 0; i < b->n; i++)
        if (supernode_open(&b->sn[i], b->text[i], net, &err) < 0)
            fail_msg("%s on %s: %s", b->text[i], net->spec, err.msg);
}

static void unbind(struct bound *b)
{
    for (size_t i = 0; i < b->n; i++)
        supernode_release(&b->sn[i]);
    mem_free_list(b->text, b->n);
}

/* ---- comparing ---- */

static void close_to(double got, double want, const char *what, const char *supernode)
{
    if (isnan(got) != isnan(want) || fabs(got - want) > 1e-11 * fmax(1, fabs(want)))
        fail_msg("%s: %s is %.17g, should be %.17g", supernode, what, got, want);
}

static uint64_t bin_at(const uint64_t *bin, size_t nbin, size_t i)
{
    return i < nbin ? bin[i] : 0;
}

static void same_stats(const struct metapath_stats *s, const struct brute *b, const char *supernode)
{
    close_to(s->pairs, b->pairs, "the number of pairs", supernode);
    for (size_t i = 0; i < s->nbin || i < b->nbin; i++)
        if (bin_at(s->bin, s->nbin, i) != bin_at(b->bin, b->nbin, i))
            fail_msg("%s: bin %zu has %llu pairs, should have %llu", supernode, i,
                     (unsigned long long)bin_at(s->bin, s->nbin, i), (unsigned long long)bin_at(b->bin, b->nbin, i));
    if (b->pairs == 0) {
        assert_true(isnan(s->mean_hops) && isnan(s->sd_hops) && isnan(s->least_hops) && isnan(s->greatest_hops));
        assert_true(isnan(s->lengthening) && isnan(s->extra_width_per_hop));
        assert_true(isnan(s->source_links) && isnan(s->destination_links) && s->use == LINKS_UNKNOWN);
        return;
    }
    close_to(s->mean_hops, b->mean, "mean", supernode);
    close_to(s->sd_hops, b->sd, "deviation", supernode);
    close_to(s->least_hops, b->least, "least", supernode);
    close_to(s->greatest_hops, b->greatest, "greatest", supernode);
    close_to(s->lengthening, b->lengthening, "lengthening", supernode);
    close_to(s->width, b->width, "width", supernode);
    close_to(s->intermediate, b->intermediate, "intermediate nodes", supernode);
    if (b->lengthening > 1e-9)
        close_to(s->extra_width_per_hop, (b->width - 1) / (b->mean - b->mean / (1 + b->lengthening / 100)), "extra "
                 "width", supernode);
    else
        assert_true(isnan(s->extra_width_per_hop));
}

static void same_links(const struct metapath_stats *s, const struct brute *b, const char *supernode)
{
    close_to(s->source_links, b->source_links, "share of outgoing links", supernode);
    close_to(s->destination_links, b->destination_links, "share of incoming links", supernode);
    if (s->use != b->use)
        fail_msg("%s: link use is %s, should be %s", supernode, link_use_name[s->use], link_use_name[b->use]);
}

/* By the group, or on grids both ways of whose dimensions are there. */
static bool links_known(const struct net *net, const struct supernode *sn, bool any)
{
    if (sn->shape == SHAPE_BETWEEN)
        return false;
    return (net->group && !any) || (net->lines == LINES_GRID && !net->directed);
}

/* Both ways of computing a network's row of supernodes, links looked at where they are known. */
static void check_net(struct net *net, const char *supernodes, bool walk)
{
    int *hops = measure_hops(net), bins = 3;
    struct bound b;
    struct metapath_stats s[MOST];

    bind_all(&b, net, supernodes);
    for (int any = 0; any < 2; any++) {
        const struct metapath_options o = { .bins_per_hop = bins, .jobs = 2, .no_symmetry = any };

        if (metapath_stats(s, net, b.sn, b.n, &o, &err) < 0)
            fail_msg("%s", err.msg);
        for (size_t i = 0; i < b.n; i++) {
            struct brute truth;
            char label[200];

            snprintf(label, sizeof label, "%s on %s", b.text[i], net->spec);
            brute_stats(&truth, net, hops, b.text[i], bins, walk);
            same_stats(&s[i], &truth, label);
            if (walk && links_known(net, &b.sn[i], any))
                same_links(&s[i], &truth, label);
            if (walk && net->ndim == 0 && !net->group)
                assert_true(isnan(s[i].source_links) && s[i].use == LINKS_UNKNOWN);
            free(truth.bin);
            metapath_stats_release(&s[i]);
        }
    }
    unbind(&b);
    free(hops);
}

static const struct row {
    const char *net, *supernodes;
} rows[] = {
    { "torus:5x4",
                   "static,random,row:2,row:3,origin=centre,row:4,row:1,row:2,exclude=line,row:3,dim=1,row:4,dim=1,"
                   "origin=centre,exclude=line,row:5,dim=1,plane:2x3,plane:3x2,origin=centre,plane:3x4,plane:5x4,"
                   "plane:2x3,dim=2+1,sga:1,"
                   "sga:2,sga:3,sga:9,dga:1,dga:2,dga:3" },
    { "torus:5x4x3",
                     "static,random,row:2,row:3,origin=centre,row:3,dim=2,row:4,dim=1,exclude=line,plane:2x3,"
                     "plane:2x3,dim=1+3,plane:4x2,dim=2+3,origin=centre,sga:1,sga:2,dga:1" },
    { "torus:4x2x3",
                     "static,random,row:2,dim=2,row:2,origin=centre,row:2,dim=2,origin=centre,plane:3x2,dim=1+2,sga:1,"
                     "sga:2,dga:1" },
    { "torus:3x2x2", "static,subcube:0,subcube:1,subcube:2,row:3,dim=1,sga:1,dga:1,random" },
    { "torus:6x6", "row:3,row:4,origin=centre,row:6,plane:2x5,sga:2,dga:1" },
    { "torus:7", "static,random,row:3,row:4,origin=centre,row:2,exclude=line,sga:2,dga:1,dga:2" },
    { "torus:2", "static,random,row:2,sga:1,dga:1" },
    { "hypercube:4",
                     "static,random,subcube:0,subcube:1,subcube:2,subcube:3,subcube:4,row:2,dim=1,row:2,origin=centre,"
                     "plane:2x2,sga:1,sga:2,sga:3,dga:1,dga:2" },
    { "hypercube:5", "static,random,subcube:2,row:2,dim=3,exclude=line,plane:2x2,dim=1+4,sga:1,sga:2,dga:1" },
    { "hypercube:1", "static,random,subcube:1,sga:1" },
    { "mesh:4x5",
                  "static,random,row:2,row:3,origin=centre,row:5,row:3,dim=1,row:4,dim=1,origin=centre,exclude=line,"
                  "row:3,exclude=line,plane:2x3,plane:3x2,plane:4x5,plane:2x2,dim=2+1,sga:1,sga:2,sga:20,dga:1,dga:2,"
                  "dga:3" },
    { "mesh:3x2x4",
                    "static,random,row:2,dim=2,row:3,origin=centre,row:3,dim=1,exclude=line,plane:2x3,plane:2x3,"
                    "dim=1+3,sga:1,sga:2,dga:1" },
    { "mesh:3x5,wrap=2",
                         "static,random,row:3,row:2,origin=centre,row:2,dim=1,row:3,dim=1,origin=centre,plane:2x2,"
                         "plane:3x4,sga:1,sga:2,dga:1,dga:2" },
    { "mesh:5x4,wrap=1",
      "static,random,row:3,row:4,dim=1,origin=centre,row:4,dim=1,exclude=line,plane:3x3,sga:1,dga:1" },
    { "mesh:2x5,wrap=1", "static,random,row:3,row:2,dim=1,origin=centre,row:2,dim=1,plane:2x2,sga:1,sga:2,dga:1" },
    { "mesh:4x4,wrap=1+2", "static,row:3,plane:3x2,plane:2x3,origin=centre,sga:1,dga:1" },
    { "mesh:5x2x2", "static,subcube:1,subcube:2,row:2,plane:2x2,sga:1" },
    { "mesh:9", "static,random,row:4,row:4,origin=centre,row:9,sga:2,dga:2" },
    { "mesh:2x2x2x3x2", "static,random,row:2,dim=1,row:3,dim=4,origin=centre,plane:2x2,dim=1+5,sga:1,sga:2" },
    { "ring:9", "static,random,row:3,row:5,origin=centre,row:4,exclude=line,sga:1,sga:3,dga:1,dga:2" },
    { "ring:8", "static,random,row:3,row:5,origin=centre,row:8,sga:1,sga:3,sga:4,dga:1,dga:2" },
    { "ring:2", "static,random,row:1,sga:1,dga:1" },
    { "ring:7,directed=yes",
      "static,random,row:3,row:1,row:4,origin=centre,row:7,origin=centre,sga:1,sga:2,sga:4,dga:1,dga:2,dga:3" },
    { "ring:6,directed=yes", "static,random,row:2,row:3,origin=centre,row:2,exclude=line,sga:1,sga:2,dga:1,dga:2" },
    { "ring:2,directed=yes", "static,random,row:2,sga:1" },
    { "circulant:23,jumps=3+5",
                                "static,random,row:3,row:4,origin=centre,row:3,dim=2,row:5,dim=2,origin=centre,row:23,"
                                "sga:1,sga:2,dga:1,dga:2" },
    { "circulant:20,jumps=2+5+10",
                                   "static,random,row:3,row:10,row:4,dim=2,row:3,dim=2,origin=centre,row:2,dim=3,"
                                   "row:2,dim=3,origin=centre,sga:1,sga:2,dga:1" },
    { "circulant:12,jumps=3+4", "static,random,row:3,row:4,row:3,dim=2,row:2,dim=2,origin=centre,sga:1,dga:1" },
    { "circulant:16,jumps=1+8", "static,random,row:5,row:2,dim=2,sga:1,dga:1" },
    { "midimew:23", "static,random,row:3,row:3,origin=centre,row:4,dim=2,sga:1,sga:2,dga:1" },
    { "midimew:5", "static,random,row:2,sga:1,dga:1" },
    { "midimew:6", "static,random,row:2,row:2,dim=2,row:3,dim=2,dga:1" },
    { "midimew:32", "static,random,row:5,row:6,origin=centre,row:3,dim=2,sga:1,sga:2,sga:3,dga:1,dga:2" },
    { "complete:6", "static,random,sga:1,dga:1" },
    { "complete:2", "static,random" },
    { "complete:7", "static,random" },
    { "star:7", "static,random,sga:1,sga:2,dga:1" },
    { "star:2", "static,random" },
    { "fattree:2", "static,random,sga:1,sga:5,dga:1" },
    { "fattree:4", "static,random,sga:1,sga:2,sga:4,sga:6,dga:1,dga:2,dga:3" },
    { "dragonfly,a=2,p=2,h=1", "static,random,sga:1,sga:2,sga:3,sga:4,dga:1,dga:2" },
    { "dragonfly,a=3,p=1,h=1,arrangement=absolute", "static,random,sga:3,sga:4,dga:2" },
    { "dragonfly,a=3,p=2,h=1", "static,random,group,sga:2" },
    { "dragonfly,a=2,p=2,h=2,arrangement=absolute", "group,dga:1,group" },
    { "hyperx:5x4x3", "static,random,row:2,row:3,origin=centre,row:2,exclude=line,row:3,dim=2,row:4,dim=1,"
                      "exclude=line,plane:2x3,"
                      "plane:2x3,dim=1+3,plane:4x2,dim=2+3,origin=centre,sga:1,sga:2,dga:1" },
    { "hyperx:2x4", "static,random,subcube:0,row:3,row:2,dim=1,plane:2x3,sga:1,dga:1" },
    { "hyperx:2x2x2", "static,random,subcube:2,row:2,dim=3,plane:2x2,sga:1,sga:2,dga:1" },
    { "hyperx:3x3", "static,random,row:2,row:3,dim=1,plane:2x3,sga:1,dga:1" },
    { "hyperx:4x3,fail=switch:5+0-1", "static,random,row:2,row:3,origin=centre,row:4,dim=1,plane:2x3,sga:1,dga:1" },
    { "torus:4x4,fail=switch:5", "static,random,row:2,row:4,row:3,dim=1,row:2,exclude=line,plane:2x2,plane:4x4,sga:1" },
    { "mesh:4x3,fail=4-5+switch:11", "static,random,row:2,row:3,dim=1,plane:2x2,sga:1,dga:1" },
    { "hypercube:4,fail=switch:3+0-1", "static,random,subcube:1,subcube:2,subcube:4,sga:1,sga:2,dga:1" },
    { "dragonfly,a=3,p=1,h=1,fail=random:1:1", "static,random,group,sga:2,sga:3,dga:1" },
    { "fattree:4,fail=random:3:1+switch:0", "static,random,sga:1,sga:2,sga:4,dga:1,dga:2" },
    { "hyperx:7", "static,random,row:3,row:4,origin=centre,sga:1,dga:1" },
    { "random:20,degree=3,seed=4", "static,random,sga:1,sga:2,sga:3,dga:1,dga:2" },
    { "random:17,degree=4,seed=2", "static,random,sga:1,sga:2,dga:1" },
    { "torus:5x3x3", "bisector:0,bisector:1,bisector:2,static,bisector:3,bisector:30" },
    { "torus:6x5", "bisector:0,bisector:2,bisector:4" },
    { "mesh:5x4", "bisector:0,bisector" },
    { "midimew:23", "bisector:0,bisector:1,bisector:2" },
    { "ring:7,directed=yes", "bisector:0,bisector:1,bisector:7" },
    { "random:21,degree=4,seed=4", "bisector:0,bisector:1,bisector:2,bisector:3" },
    { "dragonfly,a=3,p=2,h=1", "bisector:0,bisector:1,bisector:4" },
    { "fattree:4", "bisector:0,bisector:2,bisector:4,bisector:6" },
    { "hyperx:4x3,fail=switch:5+0-1", "bisector:0,bisector:1" },
};

static void row_holds(void **state)
{
    const struct row *row = *state;
    struct net *net = measure_open(row->net);

    check_net(net, row->supernodes, true);
    net_close(net);
}

/* Distances beyond a byte, more than one block of targets; links would take long to walk here. */
static const struct row wide[] = {
    { "ring:600", "static,row:5,row:4,origin=centre,sga:3,dga:2" },
    { "ring:600,directed=yes", "static,row:5,sga:3,dga:2" },
    { "mesh:2x300", "static,row:5,row:6,origin=centre,plane:2x7,sga:3,dga:2" },
    { "mesh:255", "static,row:5,sga:3" },
    { "mesh:256", "static,row:5,sga:3,dga:1" },
    { "star:600", "static,sga:1,dga:1" },
    { "dragonfly,a=6,p=3,h=5", "static,sga:2,sga:3" },
    { "mesh:23x23", "static,row:5,sga:2" },
    { "mesh:23x24", "static,row:5,plane:4x5,sga:2,dga:1" },
};

static void wide_row_holds(void **state)
{
    const struct row *row = *state;
    struct net *net = measure_open(row->net);

    check_net(net, row->supernodes, false);
    net_close(net);
}

/* ---- networks without any family ---- */

static void made_networks_hold(void **state)
{
    struct rng rng;

    (void)state;
    rng_seed(&rng, 42);
    for (int i = 0; i < 40; i++) {
        int n = 3 + (int)rng_below(&rng, 18);
        struct net *net = nets_random(&rng, n, (int)rng_below(&rng, (uint64_t)(2 * n)), i % 2);

        if (i % 4 >= 2) {                       /* some of the nodes are switches */
            net->terminal = malloc((size_t)n * sizeof *net->terminal);
            assert_non_null(net->terminal);
            net->nterminal = 0;
            for (int v = 0; v < n; v++)
                if (v < 2 || rng_below(&rng, 2))
                    net->terminal[net->nterminal++] = v;
        }
        check_net(net, "static,random,sga:1,sga:2,sga:3,dga:1,dga:2,dga:40,bisector:0,bisector,bisector:1,sga:1,"
                       "bisector:90", true);
        net_close(net);
    }
}

/* Terminals that can reach each other, and a long way of switches leading in: hops beyond a byte that no pair has. */
static void far_switches_do_no_harm(void **state)
{
    enum { N = 320 };
    int end[2 * (N + 4)], n = 0;
    struct net *net;

    (void)state;
    for (int v = N - 1; v >= 4; v--) {
        end[n++] = v;
        end[n++] = v - 1;
    }
    for (int v = 0; v < 4; v++) {
        end[n++] = v;
        end[n++] = (v + 1) % 4;
    }
    net = nets_from_edges(N, end, n / 2, true);
    net->terminal = malloc(4 * sizeof *net->terminal);
    assert_non_null(net->terminal);
    net->nterminal = 4;
    for (int v = 0; v < 4; v++)
        net->terminal[v] = v;
    check_net(net, "static,random,sga:1,dga:1", false);
    net_close(net);
}

/* Brackets around a name that a message must begin or end with. */
static void unconnected_networks_are_refused(void **state)
{
    static const int pieces[] = { 0, 1, 1, 2, 3, 4 }, one_way[] = { 0, 1, 1, 0, 1, 2, 2, 3, 3, 2 };
    struct net *net[2];

    (void)state;
    net[0] = nets_from_edges(5, pieces, 3, false);
    net[1] = nets_from_edges(4, one_way, 5, true);
    for (int i = 0; i < 2; i++) {
        struct supernode sn;
        struct metapath_stats s;
        int from, to, *hops = measure_hops(net[i]);
        const char *at;

        assert_int_equal(supernode_open(&sn, "sga:1", net[i], &err), 0);
        assert_int_equal(metapath_stats(&s, net[i], &sn, 1, &(struct metapath_options){ .jobs = 1 }, &err), -1);
        assert_int_equal(err.code, ERR_NETWORK);
        at = strstr(err.msg, "no path from ");
        assert_non_null(at);
        assert_int_equal(sscanf(at, "no path from %d to %d", &from, &to), 2);
        assert_int_equal(hops[from * net[i]->n + to], -1);
        supernode_release(&sn);
        free(hops);
        net_close(net[i]);
    }
}

/* ---- sets between the two, by closed forms ---- */

static double choose(int n, int k)
{
    double c = 1;

    for (int i = 1; i <= k; i++)
        c = c * (n - k + i) / i;
    return c;
}

/* Points of a box of a by b whose coordinates sum to m. */
static int points(int a, int b, int m)
{
    const int most = m < a ? m : a, least = m > b ? m - b : 0;

    return most >= least ? most - least + 1 : 0;
}

struct closed {                 /* sums over the targets of one source that are more than a hop away */
    double pairs, width, length;
};

static void closed_add(struct closed *c, double pairs, double width, double length)
{
    c->pairs += pairs;
    c->width += pairs * width;
    c->length += pairs * length;
}

static void closed_is(const struct closed *c, const char *spec, const char *supernode)
{
    struct net *net = measure_open(spec);
    struct metapath_stats s;
    struct bound b;

    bind_all(&b, net, supernode);
    assert_int_equal(metapath_stats(&s, net, b.sn, 1, &(struct metapath_options){ .jobs = 1 }, &err), 0);
    close_to(s.pairs, c->pairs * net->n, "the number of pairs", supernode);
    close_to(s.width, c->width / c->pairs, "width", supernode);
    close_to(s.mean_hops, c->length / c->pairs, "mean", supernode);
    unbind(&b);
    net_close(net);
}

/* On a torus of odd sides shortest paths fill one box, whose diagonal is the middle: one, or two where the distance is odd. */
static void bisectors_of_toruses(void **state)
{
    struct closed c = { 0 };

    (void)state;
    for (int x = -4; x <= 4; x++)
        for (int y = -3; y <= 3; y++) {
            const int a = abs(x), b = abs(y), d = a + b;

            if (d > 1)
                closed_add(&c, 1, points(a, b, d / 2) + (d % 2 ? points(a, b, d / 2 + 1) : 0), d);
        }
    closed_is(&c, "torus:9x7", "bisector:0");
}

/* On a ring of odd length one way round has one node in the middle, the other two. */
static void bisectors_of_rings(void **state)
{
    enum { N = 11 };
    struct closed c = { 0 };

    (void)state;
    for (int d = 2; d <= N / 2; d++)
        closed_add(&c, 2, 3, (d % 2 ? 2.0 * d + (N - d) : d + 2.0 * (N - d)) / 3);
    closed_is(&c, "ring:11", "bisector:50");
}

/* In a hypercube half of the d dimensions that differ, and for two hops more one of the others too. */
static void bisectors_of_hypercubes(void **state)
{
    enum { N = 7 };

    (void)state;
    for (int extra = 0; extra <= 2; extra += 2) {
        struct closed c = { 0 };

        for (int d = 2; d <= N; d++) {
            const double middle = choose(N, d), of_middle = (d % 2 ? 2 : 1) * choose(d, d / 2);
            const int more = extra ? N - d : 0;

            closed_add(&c, middle, of_middle * (1 + more), d + 2.0 * more / (1 + more));
        }
        closed_is(&c, "hypercube:7", extra ? "bisector" : "bisector:0");
    }
}

/* ---- the same answers however they are computed ---- */

static bool same_bits(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

static void jobs_make_no_difference(void **state)
{
    struct net *net = measure_open(*state);
    struct bound b;
    struct metapath_stats s[2][MOST];

    bind_all(&b, net, net->ndim ? "static,random,row:3,sga:2,dga:1" : "static,random,sga:2,dga:1");
    for (int k = 0; k < 2; k++)
        assert_int_equal(metapath_stats(s[k], net, b.sn, b.n, &(struct metapath_options){
            .bins_per_hop = 2, .jobs = k ? 3 : 1, .no_symmetry = true }, &err), 0);
    for (size_t i = 0; i < b.n; i++) {
        const struct metapath_stats *x = &s[0][i], *y = &s[1][i];

        assert_true(same_bits(x->pairs, y->pairs) && same_bits(x->mean_hops, y->mean_hops));
        assert_true(same_bits(x->sd_hops, y->sd_hops) && same_bits(x->least_hops, y->least_hops));
        assert_true(same_bits(x->greatest_hops, y->greatest_hops) && same_bits(x->width, y->width));
        assert_true(same_bits(x->source_links, y->source_links) || isnan(x->source_links));
        assert_true(same_bits(x->destination_links, y->destination_links) || isnan(x->destination_links));
        assert_int_equal(x->use, y->use);
        assert_int_equal(x->nbin, y->nbin);
        assert_memory_equal(x->bin, y->bin, x->nbin * sizeof *x->bin);
        metapath_stats_release(&s[0][i]);
        metapath_stats_release(&s[1][i]);
    }
    unbind(&b);
    net_close(net);
}

static const char *const blocks[] = { "mesh:33x34", "random:1100,degree=3,seed=3", "ring:1100,directed=yes",
    "mesh:2x600" };

static void same_as(const struct metapath_stats *s, const struct metapath_stats *x, const char *supernode, bool links)
{
    struct brute as = { .pairs = x->pairs, .mean = x->mean_hops, .sd = x->sd_hops, .least = x->least_hops,
                        .greatest = x->greatest_hops, .lengthening = x->lengthening, .width = x->width,
                        .intermediate = x->intermediate, .bin = x->bin, .nbin = x->nbin,
                        .source_links = x->source_links, .destination_links = x->destination_links, .use = x->use };

    same_stats(s, &as, supernode);
    if (links)
        same_links(s, &as, supernode);
}

/* By symmetry and by every source, on networks too large for brute force. */
static void both_ways_agree(void **state)
{
    const struct row *row = *state;
    struct net *net = measure_open(row->net);
    struct bound b;
    struct metapath_stats s[2][MOST];

    bind_all(&b, net, row->supernodes);
    for (int any = 0; any < 2; any++)
        assert_int_equal(metapath_stats(s[any], net, b.sn, b.n, &(struct metapath_options){
            .bins_per_hop = 4, .jobs = 2, .no_symmetry = any }, &err), 0);
    for (size_t i = 0; i < b.n; i++) {
        same_as(&s[0][i], &s[1][i], b.text[i], links_known(net, &b.sn[i], true));
        metapath_stats_release(&s[0][i]);
        metapath_stats_release(&s[1][i]);
    }
    unbind(&b);
    net_close(net);
}

/* A grid that does not say it is one: its symmetries are searched, and one target stands for its orbit. */
static void orbits_stand_for_their_targets(void **state)
{
    static const char *const grids[] = { "mesh:46x46", "mesh:13x13x13" };

    (void)state;
    EACH_ROW(g, grids) {
        struct net *grid = measure_open(grids[g]), *made;
        const igraph_t *graph = measure_graph(grid);
        int n = (int)igraph_ecount(graph), *end = malloc(2 * (size_t)n * sizeof *end);
        struct bound b[2];
        struct metapath_stats s[2][MOST];

        assert_non_null(end);
        for (int e = 0; e < n; e++) {
            end[2 * e] = (int)IGRAPH_FROM(graph, e);
            end[2 * e + 1] = (int)IGRAPH_TO(graph, e);
        }
        made = nets_from_edges(grid->n, end, n, false);
        for (int k = 0; k < 2; k++) {
            bind_all(&b[k], k ? made : grid, "static,random,sga:2,sga:7,dga:1");
            assert_int_equal(metapath_stats(s[k], k ? made : grid, b[k].sn, b[k].n, &(struct metapath_options){
                .bins_per_hop = 2, .jobs = 2 }, &err), 0);
        }
        for (size_t i = 0; i < b[0].n; i++) {
            same_as(&s[0][i], &s[1][i], b[0].text[i], false);
            metapath_stats_release(&s[0][i]);
            metapath_stats_release(&s[1][i]);
        }
        unbind(&b[0]);
        unbind(&b[1]);
        free(end);
        net_close(made);
        net_close(grid);
    }
}

/* Coordinates alone make rows and planes sets of nodes: the same network without its group is computed source by
 * source, from hops that nothing but its graph tells, and has no dimension order. */
static void coordinates_are_no_grid(void **state)
{
    const char *const supernodes = "static,row:2,row:3,dim=2,origin=centre,row:2,dim=1,exclude=line,plane:2x2,"
                                   "plane:2x3,dim=1+2";
    struct net *hyperx = measure_open("hyperx:4x3x3"), *made;
    const igraph_t *graph = measure_graph(hyperx);
    const int n = (int)igraph_ecount(graph);
    int *end = malloc(2 * (size_t)n * sizeof *end);
    struct bound b[2];
    struct metapath_stats s[2][MOST];

    (void)state;
    assert_non_null(end);
    for (int e = 0; e < n; e++) {
        end[2 * e] = (int)IGRAPH_FROM(graph, e);
        end[2 * e + 1] = (int)IGRAPH_TO(graph, e);
    }
    made = nets_from_edges(hyperx->n, end, n, false);
    made->size = malloc(3 * sizeof *made->size);
    made->wrap = malloc(3 * sizeof *made->wrap);
    assert_true(made->size && made->wrap);
    made->ndim = 3;
    made->lines = LINES_SETS;
    memcpy(made->size, hyperx->size, 3 * sizeof *made->size);
    memcpy(made->wrap, hyperx->wrap, 3 * sizeof *made->wrap);
    for (int k = 0; k < 2; k++) {
        bind_all(&b[k], k ? made : hyperx, supernodes);
        assert_int_equal(metapath_stats(s[k], k ? made : hyperx, b[k].sn, b[k].n, &(struct metapath_options){
            .bins_per_hop = 2, .jobs = 2 }, &err), 0);
    }
    for (size_t i = 0; i < b[0].n; i++) {
        same_as(&s[0][i], &s[1][i], b[0].text[i], false);
        assert_true(isnan(s[1][i].source_links) && s[1][i].use == LINKS_UNKNOWN);
        metapath_stats_release(&s[0][i]);
        metapath_stats_release(&s[1][i]);
    }
    check_net(made, supernodes, false);
    unbind(&b[0]);
    unbind(&b[1]);
    free(end);
    net_close(made);
    net_close(hyperx);
}

/* Boxes whose shape is not told, so that nobody is quicker: on networks with a group and without. */
static void sets_of_any_shape_are_listed(void **state)
{
    static const struct row boxes[] = {
        { "torus:5x4x3", "row:2,row:3,origin=centre,row:3,dim=1,exclude=line,plane:2x3" },
        { "hypercube:4", "subcube:2,row:2" },
        { "mesh:4x5", "row:3,row:2,dim=1,origin=centre,plane:2x3" },
        { "circulant:23,jumps=3+5", "row:4,row:5,dim=2,origin=centre" },
        { "ring:7,directed=yes", "row:3,row:4,origin=centre" }, { "hyperx:4x3x2", "row:2,row:3,dim=2,plane:2x2" },
    };

    (void)state;
    EACH_ROW(k, boxes) {
        struct net *net = measure_open(boxes[k].net);
        struct bound b;
        struct metapath_stats s[2][MOST];

        bind_all(&b, net, boxes[k].supernodes);
        for (int any = 0; any < 2; any++) {
            for (size_t i = 0; any && i < b.n; i++)
                b.sn[i].shape = SHAPE_ANY;
            assert_int_equal(metapath_stats(s[any], net, b.sn, b.n, &(struct metapath_options){ .bins_per_hop = 3 },
                                            &err), 0);
        }
        for (size_t i = 0; i < b.n; i++) {
            char label[200];

            snprintf(label, sizeof label, "%s on %s, shape untold", b.text[i], net->spec);
            same_as(&s[0][i], &s[1][i], label, links_known(net, &b.sn[i], true));
            metapath_stats_release(&s[0][i]);
            metapath_stats_release(&s[1][i]);
        }
        unbind(&b);
        net_close(net);
    }
}

/* Whether the areas of a network are summed from smaller ones, so that tests know what they test. */
static bool from_smaller(struct net *net, const char *supernode)
{
    const struct metapath_options o = { .jobs = 1 };
    struct supernode sn;
    struct any a = { .net = net, .sn = &sn, .n = 1, .o = &o };
    bool taken;

    assert_int_equal(supernode_open(&sn, supernode, net, &err), 0);
    assert_int_equal(any_open(&a, &err), 0);
    taken = a.set[0].again_first;
    any_close(&a);
    supernode_release(&sn);
    return taken;
}

/* Networks with few ways of the same length, trees with some more cables and switches among them, by brute force. */
static void areas_are_summed_from_smaller_ones(void **state)
{
    static const char *const areas[] = { "sga:2", "sga:3", "sga:4", "sga:5", "sga:7" };
    static const char *const drawn[] = { "random:700,degree=3,seed=5", "random:520,degree=4,seed=2" };
    const uint64_t seed = check_seed();
    struct rng rng;
    int taken = 0;

    (void)state;
    rng_seed(&rng, seed);
    for (size_t i = 0; i < COUNT(drawn) + 6; i++) {
        struct net *net = i < COUNT(drawn) ? measure_open(drawn[i])
                                           : nets_random(&rng, 250 + (int)rng_below(&rng, 200), 2 << i % 6, false);

        if (i % 3 == 2)
            nets_switch(&rng, net);
        check_net(net, "sga:2,sga:3,sga:4,sga:5,sga:7,static,random", false);
        EACH_ROW(k, areas)
            taken += from_smaller(net, areas[k]);
        net_close(net);
    }
    assert_true(taken >= 4);
}

static const struct row large[] = {
    { "torus:32x32", "static,random,row:8,row:5,origin=centre,exclude=line,plane:3x7,sga:1,sga:4,dga:1,dga:4" },
    { "midimew:1024", "static,random,row:8,row:9,dim=2,origin=centre,sga:4,dga:2" },
    { "hypercube:10", "static,random,subcube:4,row:2,sga:2,dga:1" },
    { "torus:9x10x7", "static,random,row:4,dim=2,plane:3x2,dim=3+1,sga:3,dga:2" },
    { "hyperx:9x8x7", "static,random,row:4,dim=2,plane:3x2,dim=3+1,sga:1,sga:2,dga:1" },
    { "fattree:16", "static,random,sga:2,sga:4,dga:2" },
    { "dragonfly,a=8,p=4,h=4", "static,random,sga:3,dga:2" },
};

/* ---- every topology's example, every supernode's ---- */

/* Both ways of computing hold to brute force; where it would take long, to each other. */
static void pair_agrees(struct net *net, const struct supernode *sn)
{
    const bool small = net->n <= 130;
    int *hops = small ? measure_hops(net) : NULL;
    struct metapath_stats s[2];
    char label[200];

    snprintf(label, sizeof label, "%s on %s", sn->spec, net->spec);
    for (int any = 0; any < 2; any++)
        if (metapath_stats(&s[any], net, sn, 1, &(struct metapath_options){ .bins_per_hop = 3, .jobs = 2,
                                                                           .no_symmetry = any },
                           &err) < 0)
            fail_msg("%s: %s", label, err.msg);
    same_as(&s[0], &s[1], label, links_known(net, sn, true));
    for (int any = 0; small && any < 2; any++) {
        struct brute truth;

        brute_stats(&truth, net, hops, sn->spec, 3, true);
        same_stats(&s[any], &truth, label);
        if (links_known(net, sn, any))
            same_links(&s[any], &truth, label);
        free(truth.bin);
    }
    free(hops);
    metapath_stats_release(&s[0]);
    metapath_stats_release(&s[1]);
}

/* As the catalogue has it and without its keys, which some networks refuse. */
static void supernode_goes_with(struct net *net, const struct supernode_kind *kind)
{
    char *bare = text_copy(kind->example, strcspn(kind->example, ","));

    assert_non_null(bare);
    for (int i = 0; i < 2; i++) {
        const char *text = i ? bare : kind->example;
        struct supernode sn;

        if (supernode_open(&sn, text, net, &err) == 0) {
            pair_agrees(net, &sn);
            supernode_release(&sn);
        } else if (err.code != ERR_DOMAIN || !strstr(err.msg, kind->name)) {
            fail_msg("%s on %s is refused by words that do not name it: %s", text, net->spec, err.msg);
        }
        if (!kind->example[strlen(bare)])
            break;
    }
    free(bare);
}

static void topology_goes_with_every_supernode(void **state)
{
    const struct topo *topo = *state;
    struct net *net = measure_open(topo->example);

    for (size_t i = 0; supernode_all[i]; i++)
        supernode_goes_with(net, supernode_all[i]);
    net_close(net);
}

/* ---- sizes and refusals of supernodes ---- */

static void check_size(const char *spec, const char *supernode)
{
    struct net *net = measure_open(spec);
    struct supernode sn;
    int *hops = measure_hops(net), *member = malloc((size_t)net->n * sizeof *member);
    double size;

    assert_non_null(member);
    if (supernode_open(&sn, supernode, net, &err) < 0)
        fail_msg("%s on %s: %s", supernode, spec, err.msg);
    size = sn.kind->size ? sn.kind->size(&sn, net) : NAN;
    for (int k = 0; k < net->nterminal && !isnan(size); k++) {
        int n = brute_members(net, hops, supernode, net_terminal(net, k), member);

        if (n != (int)size)
            fail_msg("%s on %s: S(%d) has %d nodes; its formula says %g", supernode, spec, net_terminal(net, k), n,
                     size);
    }
    supernode_release(&sn);
    free(member);
    free(hops);
    net_close(net);
}

static void supernode_has_its_size(void **state)
{
    const struct supernode_kind *kind = *state;
    struct net *net = measure_open(kind->example_net);
    struct supernode sn, again;

    assert_non_null(kind->summary);
    check_size(kind->example_net, kind->example);
    assert_int_equal(supernode_open(&sn, kind->example, net, &err), 0);
    assert_int_equal(supernode_open(&again, sn.spec, net, &err), 0);
    assert_string_equal(sn.spec, again.spec);
    assert_true(kind->size ? kind->size(&sn, net) >= 1 : kind->between != NULL);
    supernode_release(&sn);
    supernode_release(&again);
    net_close(net);
}

static void balls_have_their_size(void **state)
{
    static const char *const nets[] = { "torus:5x5", "torus:4x5", "torus:7x7x7", "torus:2x5", "hypercube:6", "ring:9",
                                        "ring:4", "ring:7,directed=yes", "mesh:7x7", "mesh:7x7,wrap=1+2", "midimew:23",
                                        "fattree:4" };
    char supernode[16];

    (void)state;
    EACH_ROW(i, nets)
        for (int r = 1; r <= 8; r++) {
            snprintf(supernode, sizeof supernode, "%s:%d", r % 2 ? "sga" : "dga", r);
            check_size(nets[i], supernode);
        }
}

static const char *const refused[][3] = {       /* network, supernode, part of the message */
    { "torus:4x4", "rows:3", "did you mean 'row'" },
    { "torus:4x4", "", "name" },
    { "torus:4x4", "static:1", "nothing after a colon" },
    { "torus:4x4", "random:2", "nothing after a colon" },
    { "torus:4x4", "row", "lacks its length" },
    { "torus:4x4", "row:0", "from 1" },
    { "torus:4x4", "row:-2", "from 1" },
    { "torus:4x4", "row:5", "does not fit dimension 2" },
    { "torus:4x8", "row:5,dim=1", "does not fit dimension 1" },
    { "torus:4x4", "row:2,dim=3", "has 2" },
    { "torus:4x4", "row:2,dim=0", "from 1" },
    { "torus:4x4", "row:2,origin=middle", "start, centre" },
    { "torus:4x4", "row:2,exclude=all", "supernode, line" },
    { "torus:4x4", "row:2,length=3", "no option 'length'" },
    { "torus:4x4", "row:2,orgin=centre", "did you mean 'origin'" },
    { "torus:4x4", "plane:4", "two sizes" },
    { "torus:4x4", "plane:5x2", "does not fit" },
    { "torus:4x4x4", "plane:2x2x2", "two sizes" },
    { "torus:4x4x4", "plane:2x2,dim=1", "two dimensions" },
    { "torus:4x4x4", "plane:2x2,dim=1+1", "twice" },
    { "torus:4x4x4", "plane:2x2,dim=1+4", "from 1 to 3" },
    { "torus:4x4x4", "plane:2x2,dim=1+2+3", "whole number" },
    { "mesh:4x4", "plane:2x2,origin=centre", "in a mesh" },
    { "ring:8", "plane:2x2", "two or more coordinates" },
    { "midimew:23", "plane:2x2", "two or more coordinates" },
    { "midimew:23", "row:3,exclude=line", "lines of a grid" },
    { "midimew:23", "row:24", "does not fit" },
    { "circulant:12,jumps=3+4", "row:5", "does not fit dimension 1" },
    { "midimew:23", "row:3,dim=3", "has 2" },
    { "midimew:23", "subcube:1", "subcube" },
    { "torus:4x4", "subcube:1", "needs a hypercube" },
    { "hypercube:3", "subcube:4", "has 3" },
    { "complete:8", "row:2", "needs a network with coordinates" },
    { "torus:4x4", "bisector:-1", "from 0" },
    { "torus:4x4", "bisector:1.5", "whole number" },
    { "torus:4x4", "bisector,origin=centre", "no option" },
    { "fattree:4", "row:2", "needs a network with coordinates" },
    { "torus:4x4", "group", "torus:4x4 are not" },
    { "fattree:4", "group", "such as a dragonfly" },
    { "dragonfly,a=2,p=2,h=1", "group:2", "nothing after a colon" },
    { "hyperx:5x4x3", "row:4", "does not fit dimension 3" },
    { "hyperx:5x4x3", "subcube:1", "needs a hypercube" },
    { "star:8", "plane:2x2", "coordinates" },
    { "random:8", "subcube:0", "coordinates" },
    { "torus:4x4", "sga", "lacks its radius" },
    { "torus:4x4", "sga:0", "from 1" },
    { "torus:4x4", "dga:-1", "from 1" },
    { "torus:4x4", "dga:1.5", "whole number" },
    { "torus:4x4", "sga:99999999999", "from 1" },
    { "torus:4x4", "sga:1,origin=centre", "no option" },
};

static void supernode_is_refused(void **state)
{
    const char *const *row = *state;
    struct net *net = measure_open(row[0]);
    struct supernode sn = { 0 };

    err = (struct err){ 0 };
    if (supernode_open(&sn, row[1], net, &err) == 0) {
        supernode_release(&sn);
        fail_msg("%s on %s was taken", row[1], row[0]);
    }
    assert_true(err_is_request(&err));
    if (!strstr(err.msg, row[2]))
        fail_msg("'%s' is not in: %s", row[2], err.msg);
    net_close(net);
}

/* ---- the published tables ---- */

static int count(void *arg, const struct claim_cell *cell, struct err *e)
{
    int *verdict = arg;

    (void)e;
    verdict[cell->verdict]++;
    return 0;
}

static const struct table_row {
    const char *id;
    int verdict[CLAIM_VERDICTS];
} tables[] = {
    { "drb:5-2", { 39, 3, 4, 0, 2 } },
    { "drb:5-3", { 46, 5 } },
    { "drb:5-4", { 29, 3, 5, 0, 5 } },
};

static void table_holds(void **state)
{
    const struct table_row *row = *state;
    const struct claim *claim = claim_find(row->id, &err);
    int verdict[CLAIM_VERDICTS] = { 0 };
    struct claim_sink sink = { .cell = count, .arg = verdict };
    struct csv csv = { 0 };

    assert_non_null(claim);
    assert_int_equal(csv_read(&csv, "examples/published/metapath_statistics.csv", &err), 0);
    if (claim_run(claim, &csv, &sink, &err) < 0)
        fail_msg("%s", err.msg);
    for (int v = 0; v < CLAIM_VERDICTS; v++)
        assert_int_equal(verdict[v], row->verdict[v]);
    csv_release(&csv);
}

/* Areas that meet, by closed forms: of the 4 * 16 nodes 16 hops from a node of the 32x32 torus two pairs are one; half
 * of a hypercube's dimensions can be chosen in C(10,5) ways. */
static int meeting(void *arg, const struct claim_cell *cell, struct err *e)
{
    static const double want[] = { 62, 0, 252, 17.59 };
    int *at = arg;

    (void)e;
    assert_in_range(*at, 0, (int)COUNT(want) - 1);
    assert_true(fabs(cell->computed - want[(*at)++]) < 0.005);
    return 0;
}

static void areas_meet(void **state)
{
    const struct claim *claim = claim_find("drb:5.2.1", &err);
    int n = 0;
    struct claim_sink sink = { .cell = meeting, .arg = &n };

    (void)state;
    assert_non_null(claim);
    assert_int_equal(claim_run(claim, NULL, &sink, &err), 0);
    assert_int_equal(n, 4);
}

/* ---- */

static struct CMUnitTest tests[512];
static char names[512][160];
static size_t ntest;

static void add(CMUnitTestFunction f, const void *row, const char *name, const char *of)
{
    snprintf(names[ntest], sizeof names[ntest], "%s%s%s", name, of ? ": " : "", of ? of : "");
    tests[ntest] = (struct CMUnitTest){ .name = names[ntest], .test_func = f, .initial_state = (void *)(uintptr_t)row };
    ntest++;
}

int main(void)
{
    int failed;

    net_setup();
    add(made_networks_hold, NULL, "made networks hold", NULL);
    add(far_switches_do_no_harm, NULL, "far switches do no harm", NULL);
    add(unconnected_networks_are_refused, NULL, "unconnected networks are refused", NULL);
    add(orbits_stand_for_their_targets, NULL, "orbits stand for their targets", NULL);
    add(sets_of_any_shape_are_listed, NULL, "sets of any shape are listed", NULL);
    add(areas_are_summed_from_smaller_ones, NULL, "areas are summed from smaller ones", NULL);
    add(coordinates_are_no_grid, NULL, "coordinates are no grid", NULL);
    add(bisectors_of_toruses, NULL, "bisectors of toruses", NULL);
    add(bisectors_of_rings, NULL, "bisectors of rings", NULL);
    add(bisectors_of_hypercubes, NULL, "bisectors of hypercubes", NULL);
    add(balls_have_their_size, NULL, "balls have their size", NULL);
    EACH_ROW(i, rows)
        add(row_holds, &rows[i], rows[i].net, NULL);
    EACH_ROW(i, wide)
        add(wide_row_holds, &wide[i], "wide", wide[i].net);
    EACH_ROW(i, blocks)
        add(jobs_make_no_difference, blocks[i], "jobs make no difference", blocks[i]);
    EACH_ROW(i, large)
        add(both_ways_agree, &large[i], "both ways agree", large[i].net);
    for (size_t i = 0; topo_all[i]; i++)
        if (topo_all[i]->example)
            add(topology_goes_with_every_supernode, topo_all[i], "every supernode on", topo_all[i]->name);
    for (size_t i = 0; supernode_all[i]; i++)
        add(supernode_has_its_size, supernode_all[i], "size", supernode_all[i]->name);
    EACH_ROW(i, refused)
        add(supernode_is_refused, refused[i], refused[i][0], *refused[i][1] ? refused[i][1] : "(nothing)");
    EACH_ROW(i, tables)
        add(table_holds, &tables[i], "published", tables[i].id);
    add(areas_meet, NULL, "gravity areas that meet", NULL);
    failed = _cmocka_run_group_tests("metapaths", tests, ntest, NULL, NULL);
    net_teardown();
    return failed;
}
