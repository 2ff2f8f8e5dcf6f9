/* Sizes nearest to a number of terminals, held to enumeration of all sizes by the counts that their papers give. */
#include <math.h>
#include <string.h>

#include "graph/topology/about.h"
#include "graph/topology/topo.h"
#include "tests/support/check.h"

static struct err err;

static bool prime_power(int q)
{
    for (int p = 2; p <= q; p++) {
        bool prime = true;
        int power = p;

        for (int f = 2; f < p; f++)
            prime = prime && p % f;
        while (power < q)
            power *= p;
        if (prime && power == q)
            return true;
    }
    return false;
}

/* The least distance of logarithms, and the switches it takes, of what is offered. */
struct nearest {
    double n, off, switches, terminals;
    int radix;
};

static void offer(struct nearest *b, double switches, double terminals, int ports)
{
    const double off = fabs(log(terminals / b->n));

    if (terminals <= 0 || (b->radix && ports > b->radix) || off > b->off + 1e-12 ||
        (off > b->off - 1e-12 && switches >= b->switches))
        return;
    b->off = off;
    b->switches = switches;
    b->terminals = terminals;
}

static void offer_direct(struct nearest *b, double switches, int k)
{
    for (int hosts = k / 2 + k % 2; 2 * hosts >= k / 2 + k % 2; hosts--)     /* the most that fit */
        if (!b->radix || k + hosts <= b->radix) {
            offer(b, switches, switches * hosts, k + hosts);
            return;
        }
}

static void enumerate(struct nearest *b, const char *family, int dims)
{
    if (strcmp(family, "torus") == 0 || strcmp(family, "hyperx") == 0)
        for (int d = dims ? dims : 2; d <= (dims ? dims : 3); d++)
            for (int side = 2; pow(side, d) <= 64 * b->n + 64; side++)
                for (int longer = 0; longer < d; longer++) {
                    double switches = 1;
                    int k = 0;

                    for (int i = 0; i < d; i++) {
                        const int s = side + (i < longer);

                        switches *= s;
                        k += *family == 'h' ? s - 1 : s == 2 ? 1 : 2;
                    }
                    offer_direct(b, switches, k);
                }
    for (int i = 1; i < 400; i++) {
        const double x = i;

        if (strcmp(family, "fattree") == 0 && i % 2 == 0)
            offer(b, 5 * x * x / 4, x * x * x / 4, i);
        if (strcmp(family, "megafly") == 0)
            offer(b, (x * x + 1) * 2 * x, (x * x + 1) * x * x, 2 * i);
        if (strcmp(family, "slimfly") == 0 && i > 2 && i % 4 != 2 && prime_power(i))
            offer_direct(b, 2 * x * x, i % 4 == 0 ? 3 * i / 2 : i % 4 == 1 ? (3 * i - 1) / 2 : (3 * i + 1) / 2);
        if (strcmp(family, "polarfly") == 0 && prime_power(i))
            offer_direct(b, x * x + x + 1, i + 1);
        if (strcmp(family, "dragonfly") == 0)
            for (int p = i; 2 * p >= i; p--)
                if (!b->radix || p + 2 * i - 1 + i <= b->radix) {
                    offer(b, 2 * x * (2 * x * x + 1), p * 2 * x * (2 * x * x + 1), p + 3 * i - 1);
                    break;
                }
    }
}

static void nearest_are_those_of_enumeration(void **state)
{
    double n = 2.5;

    (void)state;
    for (int k = 0; k < 100; k++, n *= 1.11)
        for (int row = 0; strcmp(about_family(row), "random") != 0; row++)
            for (int radix = 0; radix <= 36; radix += 12) {
                const int dims = row == 0 ? 2 : row == 1 ? 3 : 0;
                struct nearest b = { .n = floor(n), .off = INFINITY, .radix = radix };
                struct about a;
                int ret = about_find(&a, row, b.n, radix, &err);

                enumerate(&b, about_family(row), dims);
                if (ret < 0 ? b.off <= log(4) : a.switches != b.switches || a.terminals != b.terminals)
                    fail_msg("%s about %.0f of radix %d: %s; by enumeration %.0f switches with %.0f hosts",
                             about_family(row), b.n, radix, ret < 0 ? err.msg : a.spec, b.switches, b.terminals);
            }
}

/* What is chosen opens, and has as many terminals, switches and ports as was said; so has the random network below. */
static void what_is_chosen_is_so(void **state)
{
    static const double size[] = { 20, 64, 100, 333, 1000 };

    (void)state;
    EACH_ROW(i, size)
        for (int row = 0; about_family(row); row++)
            for (int random = 0; random < 2; random++) {
                struct about a, b;
                struct net *net;
                const igraph_t *graph;

                if (about_find(&a, row, size[i], 0, &err) < 0)
                    continue;
                about_random(&b, &a);
                a = random ? b : a;
                if (net_open(&net, a.spec, &err) < 0 || net_graph(net, &graph, &err) < 0)
                    fail_msg("%s: %s", a.spec, err.msg);
                if (net->nterminal != a.terminals || net->n - net->nterminal != a.switches)
                    fail_msg("%s: %d terminals and %d switches, not %g and %g", a.spec, net->nterminal,
                             net->n - net->nterminal, a.terminals, a.switches);
                if (!random) {
                    struct topo_facts f;

                    topo_facts(&f, net);
                    if (f.degree_max != a.ports)
                        fail_msg("%s: %g ports, not %d", a.spec, f.degree_max, a.ports);
                }
                net_close(net);
            }
}

static void near_1000(void **state)
{
    static const struct { const char *family, *spec; double switches, terminals; int ports; } row[] = {
        { "slimfly", "slimfly:9,hosts=7", 162, 1134, 20 }, { "polarfly", "polarfly:11,hosts=6", 133, 798, 18 },
        { "dragonfly", "dragonfly,a=8,p=4,h=4", 264, 1056, 15 },
        { "megafly", "megafly,l=6,s=6,h=6,hosts=6", 444, 1332, 12 }, { "fattree", "fattree:16", 320, 1024, 16 },
    };

    (void)state;
    EACH_ROW(i, row)
        for (int r = 0; about_family(r); r++) {
            struct about a;

            if (strcmp(about_family(r), row[i].family) != 0)
                continue;
            assert_int_equal(about_find(&a, r, 1000, 0, &err), 0);
            assert_string_equal(a.spec, row[i].spec);
            assert_true(a.switches == row[i].switches && a.terminals == row[i].terminals && a.ports == row[i].ports);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(nearest_are_those_of_enumeration),
                                        cmocka_unit_test(what_is_chosen_is_so), cmocka_unit_test(near_1000) };
    int failed;

    net_setup();
    failed = cmocka_run_group_tests(tests, NULL, NULL);
    net_teardown();
    return failed;
}
