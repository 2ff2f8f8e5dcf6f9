/* What cables are like: kinds by keys and from files, rates and times, and failures. A new case is a new row. */
#include <igraph.h>
#include <string.h>
#include <unistd.h>

#include "graph/base/num.h"
#include "graph/net.h"
#include "tests/support/check.h"
#include "tests/support/nets.h"

#define CSV "source,target,"
/* Names with the signs that failures are written with. */
#define SIGNS CSV "source_port,target_port\na-b,c:1,p1,1\na-b,c:1,p2,2\nc:1,d,3,x\nd,a-b,1,p3\n"
#define THREE CSV "cables\n0,1,3\n1,2,1\n2,0,1\n"
#define BOTH CSV "bandwidth\n0,1,1\n1,0,2\n1,2,3\n2,1,4\n2,0,5\n0,2,6\n"
#define HOSTS CSV "bandwidth\nh0,l0,100Gb/s\nh1,l1,200Gb/s\nl0,l1,50Gb/s\n"

/* '%' stands for the path of a file with the text. `want` is what show() tells, or "!" and a part of the message. */
static const struct row { const char *what, *text, *spec, *want; } rows[] = {
    { "one bandwidth for all", NULL, "ring:3,bandwidth=2", "0-1*2 1-2*2 0-2*2" },
    { "per dimension", NULL, "mesh:2x2,bandwidth=4+0.5,latency=3",
      "0.0-1.0*4+3 0.0-0.1*0.5+3 0.1-1.1*4+3 1.0-1.1*0.5+3" },
    { "classes", NULL, "dragonfly,a=1,p=1,h=1,global-bandwidth=2,host-latency=5,latency=7", "0-2*1+5 1-3*1+5 2-3*2+7" },
    { "the keys in their order", NULL, "ring:4,fail=0-1,latency=2,bandwidth=3",
      "ring:4,bandwidth=3,latency=2,fail=0-1: 1-2*3+2 2-3*3+2 0-3*3+2" },
    { "a key for a file", BOTH, "%,latency=7", "0-1*1/2+7 1-2*3/4+7 0-2*6/5+7" },
    { "a key in place of the file's", BOTH, "%,bandwidth=7", "0-1*7 1-2*7 0-2*7" },
    { "too many values", NULL, "mesh:2x2,bandwidth=1+2+3", "!it must be one value, or 2 joined by +" },
    { "no bandwidth", NULL, "ring:3,bandwidth=0", "!bandwidth is 0; it must be from 1e-6 to 1e6 unit links" },
    { "a negative latency", NULL, "ring:3,latency=-1", "!latency is -1; it must be from 0 to 1e12 cycles" },
    { "bandwidth in words", NULL, "ring:3,bandwidth=fast", "!bandwidth is 'fast'; it must be a finite number" },

    { "rates", NULL, "ring:3,bandwidth=200Gb/s", "0-1*1 1-2*1 0-2*1 @200000000000" },
    { "the slowest of rates", NULL, "mesh:2x2,bandwidth=25GB/s+100Gb/s", "0.0-1.0*2 0.0-0.1*1 0.1-1.1*2 1.0-1.1*1 "
      "@100000000000" },
    { "the slowest at a terminal", HOSTS, "%,terminals=leaves", "h0-l0*1 h1-l1*2 l0-l1*0.5 @100000000000" },
    { "the slowest where all are terminals", HOSTS, "%", "h0-l0*2 h1-l1*4 l0-l1*1 @50000000000" },
    { "a rate beside a number", NULL, "mesh:2x2,bandwidth=25GB/s+1", "!bandwidth is 1, beside one with a unit" },
    { "a number beside a time", NULL, "dragonfly,a=1,p=1,h=1,latency=1,host-latency=5ns", "!latency is 5ns, beside one "
      "without unit" },
    { "a rate for some", NULL, "dragonfly,a=1,p=1,h=1,global-bandwidth=1Gb/s", "!host links have no bandwidth" },
    { "a time for a rate", NULL, "ring:3,bandwidth=5ns", "!'ns' is no unit of a rate" },
    { "rates too far apart", NULL, "mesh:2x2,bandwidth=1b/s+1Tb/s",
      "!a link of 1e+12 b/s is 1e+12 times the unit link" },

    { "a cable, by coordinates", NULL, "mesh:2x2,fail=0.0-0.1", "0.0-1.0 0.1-1.1 1.0-1.1" },
    { "a cable from its other end", NULL, "mesh:2x2,fail=0.1-0.0", "0.0-1.0 0.1-1.1 1.0-1.1" },
    { "cables", NULL, "complete:4,fail=0-1+2-3", "0-2 1-2 1-3 0-3" },
    { "a node", NULL, "complete:4,fail=switch:2", "0-1 1-3 0-3 [0 1 3]" },
    { "a node and its cable", NULL, "complete:4,fail=switch:2+0-1", "1-3 0-3 [0 1 3]" },
    { "all cables of a pair", SIGNS, "%,fail=a-b-c:1", "c:1-d{3,x} a-b-d{p3,1}" },
    { "one by its port", SIGNS, "%,fail=a-b-c:1:p2", "a-b-c:1{p1,1} c:1-d{3,x} a-b-d{p3,1}" },
    { "one by its port at the other end", SIGNS, "%,fail=c:1-a-b:1", "a-b-c:1{p2,2} c:1-d{3,x} a-b-d{p3,1}" },
    { "one by its number", THREE, "%,fail=0-1:2", "0-1 0-1 1-2 0-2" },
    { "two by number", THREE, "%,fail=0-1:2+1-0:3", "0-1 1-2 0-2" },
    { "ports that are not named are numbers", CSV "source_port,target_port\n0,1,,\n0,1,,\n1,2,a,\n2,0,,\n",
      "%,fail=0-1:2",
      "0-1{,} 1-2{a,} 0-2{,}" },
    { "what is known of the others stays theirs", BOTH, "%,fail=1-2", "0-1*1/2 0-2*6/5" },
    { "a cable of a directed network is both its links", BOTH, "%,directed=yes,fail=0-1", "1-2*3 2-1*4 2-0*5 0-2*6" },
    { "weights stay with their edges", CSV "weight\n0,1,5\n1,2,6\n2,0,7\n", "%,fail=0-1", "1-2=6 0-2=7" },
    { "no such cable", NULL, "mesh:2x2,fail=0.0-1.1", "!fail=0.0-1.1: there is no cable between them" },
    { "no such node", NULL, "ring:4,fail=0-9", "!fail=0-9: write A-B with two nodes of ring:4" },
    { "no such switch", NULL, "ring:4,fail=switch:9", "!fail=switch:9" },
    { "no cable at all", NULL, "ring:4,fail=", "!fail=: write A-B" },
    { "a cable said twice", NULL, "complete:4,fail=0-1+1-0", "!fail=1-0 is said twice" },
    { "one of several said twice", THREE, "%,fail=0-1:2+0-1:2", "!fail=0-1:2 is said twice" },
    { "no such number", THREE, "%,fail=0-1:4", "!fail=0-1:4: of the 3 cables between them none has that number" },
    { "no such port", SIGNS, "%,fail=a-b-c:1:p9",
      "!fail=a-b-c:1:p9: of the 2 cables between them none is at that port" },
    { "a network parted", NULL, "mesh:2x3,fail=0.1-0.2+1.1-1.2",
      "!parts mesh:2x3: of its 6 terminals that are up, 2 are "
      "cut off from the others (0.2 and more)" },
    { "one node parted", CSV "weight\na,b,1\nb,c,1\n", "%,fail=b-c",
      "!3 terminals that are up, 1 is cut off from the others "
      "(c)" },
    { "a directed network parted", NULL, "ring:4,directed=yes,fail=0-1", "!cut off from the others" },
    { "no terminal left", CSV "bandwidth\nh0,s,1\nh1,s,1\n", "%,terminals=leaves,fail=switch:h0+switch:h1",
      "!no terminal is "
      "left" },
    { "a network that was in parts may fail", CSV "weight\n0,1,1\n1,2,1\n2,0,1\n3,4,1\n", "%,fail=0-1",
      "1-2=1 0-2=1 3-4=1" },
    { "no number of cables", NULL, "complete:4,fail=random:0:1", "!the number of cables is 0; it must be from 1" },
    { "no seed", NULL, "complete:4,fail=random:1", "!write random:K:SEED" },
    { "more cables than there are", NULL, "complete:4,fail=random:7:1", "!complete:4 has 6 cables that may fail" },
    { "cables of hosts do not fail at random", NULL, "dragonfly,a=1,p=1,h=1,fail=random:2:1",
      "!has 1 cables that may fail" },
};

/* " 0-1=weight*bandwidth/back+length{port,port}": what links have but a unit link. */
static void show_cable(FILE *f, const struct net *net, igraph_integer_t e)
{
    const struct cables *c = &net->cables;
    const int from = (int)IGRAPH_FROM(&net->graph, e), to = (int)IGRAPH_TO(&net->graph, e);
    const bool turn = !net->directed && from > to;
    char label[NET_LABEL], number[32];

    fprintf(f, " %s", net_label(net, turn ? to : from, label));
    fprintf(f, "-%s", net_label(net, turn ? from : to, label));
    if (net->weight)
        fprintf(f, "=%s", num_shortest(number, net->weight[e]));
    if (c->kind) {
        const struct link_kind there = c->kind[c->of ? c->of[2 * e] : 0], back = c->kind[c->of ? c->of[2 * e + 1] : 0];

        fprintf(f, "*%s", num_shortest(number, there.bandwidth));
        if (back.bandwidth != there.bandwidth)
            fprintf(f, "/%s", num_shortest(number, back.bandwidth));
        if (there.length > 0)
            fprintf(f, "+%s", num_shortest(number, there.length));
        assert_true(there.length == back.length);
    }
    if (c->port)
        fprintf(f, "{%s,%s}", c->port[2 * e], c->port[2 * e + 1]);
}

/* Cables; the terminals, where not all nodes of a network that failed are; "@" and the rate of a unit link. */
static char *show(struct net *net)
{
    const igraph_t *graph;
    char *out = NULL, number[32];
    size_t len;
    FILE *f = open_memstream(&out, &len);
    struct err err = { 0 };

    assert_non_null(f);
    assert_int_equal(net_graph(net, &graph, &err), 0);
    for (igraph_integer_t e = 0; e < igraph_ecount(graph); e++)
        show_cable(f, net, e);
    for (int i = 0; net->cables.ndown && i < net->nterminal; i++)
        fprintf(f, "%s%d%s", i ? " " : " [", net_terminal(net, i), i + 1 < net->nterminal ? "" : "]");
    if (net->cables.rate > 0)
        fprintf(f, " @%s", num_shortest(number, net->cables.rate));
    assert_int_equal(fclose(f), 0);
    return out;
}

static void is_told(void **state)
{
    const struct row *row = *state;
    char path[] = "/tmp/metapath-cables-XXXXXX.csv", *spec, *got, *again;
    const char *want = row->want, *colon = strstr(want, ": ");
    const int file = mkstemps(path, 4);
    struct net *net = NULL, *second = NULL;
    struct err err = { 0 };

    assert_true(file >= 0);
    if (row->text)
        assert_int_equal(write(file, row->text, strlen(row->text)), (ssize_t)strlen(row->text));
    close(file);
    spec = nets_spec(row->spec, path);
    if (net_open(&net, spec, &err) < 0) {
        if (*want != '!' || !strstr(err.msg, want + 1))
            fail_msg("%s: '%s'", row->what, err.msg);
        assert_true(err.code == ERR_USAGE || err.code == ERR_NETWORK);
        goto done;
    }
    if (*want == '!')
        fail_msg("%s: opened", row->what);
    if (colon && !row->text) {
        assert_int_equal(strncmp(net->spec, want, (size_t)(colon - want)), 0);
        want = colon + 2;
    }
    got = show(net);
    assert_string_equal(got + 1, want);
    assert_int_equal(net_open(&second, net->spec, &err), 0);
    again = show(second);
    assert_string_equal(got, again);
    assert_string_equal(net->spec, second->spec);
    assert_true(net->cables.failed == second->cables.failed);
    free(got);
    free(again);
    net_close(second);
done:
    net_close(net);
    free(spec);
    unlink(path);
}

static struct net *opened(const char *spec)
{
    struct net *net = NULL;
    struct err err = { 0 };

    if (net_open(&net, spec, &err) < 0)
        fail_msg("%s", err.msg);
    return net;
}

/* Of 60 cables of a mesh, K of any seed are other ones; the same seed draws the same. */
static void random_failures_are_drawn(void **state)
{
    char *first = NULL;
    int differ = 0;

    (void)state;
    for (int seed = 0; seed < 20; seed++) {
        char spec[60], *text, *again;
        struct net *net, *second;

        snprintf(spec, sizeof spec, "mesh:6x6,fail=random:2:%d", seed);
        net = opened(spec);
        second = opened(spec);
        text = show(net);
        again = show(second);
        assert_string_equal(text, again);
        assert_int_equal(igraph_ecount(&net->graph), 58);
        assert_null(net->group);
        differ += first && strcmp(first, text) != 0;
        free(again);
        if (first)
            free(text);
        else
            first = text;
        net_close(net);
        net_close(second);
    }
    assert_true(differ >= 18);
    free(first);
}

/* What a cycle is, by hand: 32 B over 200 Gb/s take 1.28 ns, so that 128 ns are 100 cycles. */
static void lengths_are_measured(void **state)
{
    const double cycle = 32 * 8 / 200e9;
    struct net *net = opened("mesh:2x2,bandwidth=400Gb/s+100Gb/s,latency=128ns");
    struct err err = { 0 };

    (void)state;
    assert_true(net->cables.times);
    assert_int_equal(cables_measure(net, 200e9, cycle, 5, &err), 0);
    assert_false(net->cables.times);
    check_near(net->cables.kind[0].bandwidth, 2, 1e-12);
    check_near(net->cables.kind[1].bandwidth, 0.5, 1e-12);
    check_near(net->cables.kind[0].length, 105, 1e-9);
    check_near(net->cables.rate, 200e9, 0);
    net_close(net);
    net = opened("ring:5");
    assert_int_equal(cables_measure(net, 200e9, cycle, 0, &err), 0);
    assert_null(net->cables.kind);              /* a plain network stays one */
    assert_int_equal(cables_measure(net, 200e9, cycle, 7, &err), 0);
    check_near(net->cables.kind[0].bandwidth, 1, 0);
    check_near(net->cables.kind[0].length, 7, 0);
    net_close(net);
    net = opened("ring:5,bandwidth=3,latency=2");
    assert_int_equal(cables_measure(net, 200e9, cycle, 0, &err), 0);
    check_near(net->cables.kind[0].bandwidth, 3, 0);
    check_near(net->cables.kind[0].length, 2, 0);
    net_close(net);
}

int main(void)
{
    struct CMUnitTest tests[COUNT(rows) + 2], *t = tests;
    int failed;

    net_setup();
    EACH_ROW(i, rows)
        *t++ = (struct CMUnitTest){ rows[i].what, is_told, NULL, NULL, (void *)(uintptr_t)&rows[i] };
    *t++ = (struct CMUnitTest)cmocka_unit_test(random_failures_are_drawn);
    *t++ = (struct CMUnitTest)cmocka_unit_test(lengths_are_measured);
    failed = _cmocka_run_group_tests("cables", tests, COUNT(tests), NULL, NULL);
    net_teardown();
    return failed != 0;
}
