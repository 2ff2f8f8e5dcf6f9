/* What a traffic asks of the links that terminals have of their own: by hand, and by the flows that routings make. */
#include <string.h>
#include <unistd.h>

#include "analysis/bound/own_link.h"
#include "analysis/load/flows.h"
#include "tests/support/check.h"
#include "tests/support/measure.h"

static struct err err;

/* ---- by hand ---- */

static const char channels[] =
    "source,target,interval,time\n0,5,20,10\n1,5,25,10\n2,5,30,10\n8,2,12,10\n8,3,30,10\n";

static const struct row {
    const char *net, *traffic;      /* NULL: the channels above */
    double interval, factor;
    bool closed, links;
    int node;
    bool receives;
    double asked;
} rows[] = {
    /* each of 63 others sends a tenth of its messages there, and of the rest its part */
    { "torus:8x8", "hotspot:29", 10 / 0.19, 1, false, true, 29, true, 63 * 0.19 * (0.1 + 0.9 / 63) },
    { "torus:8x8", "hotspot:29", 10 / 0.19, 1, false, false, 29, true, 63 * 0.19 * (0.1 + 0.9 / 63) / 4 },
    { "torus:8x8,bandwidth=2", "hotspot:29", 10 / 0.19, 1, false, true, 29, true, 63 * 0.19 * (0.1 + 0.9 / 63) / 2 },
    { "fattree:4", "hotspot:3", 20, 2, false, true, 3, true, 15 * (0.1 + 0.9 / 15) },    /* a host has one cable */
    { "fattree:4", "hotspot:3", 20, 2, false, false, 3, true, 15 * (0.1 + 0.9 / 15) },
    { "torus:4x4", "uniform", 40, 1, false, true, 0, true, 0.25 },
    /* 10/20 + 10/25 + 10/30 received, 10/12 + 10/30 sent */
    { "mesh:4x4", NULL, NAN, 1, false, true, 5, true, 0.5 + 0.4 + 1 / 3.0 },
    { "mesh:4x4", NULL, NAN, 0.5, false, true, 5, true, (0.5 + 0.4 + 1 / 3.0) / 2 },
    { "mesh:4x4", NULL, NAN, 1, false, false, 8, false, (10 / 12.0 + 1 / 3.0) / 3 },     /* at the edge: three cables */
    /* sources that wait for their messages: 10/30, 10/35, 10/40; 10/22, 10/40 */
    { "mesh:4x4", NULL, NAN, 1, true, true, 5, true, 1 / 3.0 + 2 / 7.0 + 0.25 },
};

static void open_traffic(struct traffic *t, struct net *net, const char *text)
{
    char path[64], spec[80];
    FILE *f;

    snprintf(path, sizeof path, "/tmp/metapath-own-%d.csv", (int)getpid());
    snprintf(spec, sizeof spec, "file:%s", path);
    f = fopen(path, "w");
    assert_non_null(f);
    fputs(channels, f);
    fclose(f);
    if (traffic_open(t, net, text ? text : spec, &err) < 0)
        fail_msg("%s", err.msg);
    unlink(path);
}

static void asked_by_hand(void **state)
{
    (void)state;
    EACH_ROW(i, rows) {
        const struct row *r = &rows[i];
        struct net *net = measure_open(r->net);
        struct traffic t;
        struct own_link own;

        open_traffic(&t, net, r->traffic);
        assert_int_equal(own_link_most(&own, &t, net, (struct traffic_pace){ r->interval, 10 }, r->factor, r->closed,
                                       r->links, &err), 0);
        if (fabs(own.asked - r->asked) > 1e-12)
            fail_msg("%s, row %zu: %.17g asked, should be %.17g", r->net, i, own.asked, r->asked);
        assert_int_equal(own.node, r->node);
        assert_int_equal(own.receives, r->receives);
        traffic_release(&t);
        net_close(net);
    }
}

/* ---- by flows: what a routing puts on the links out of the network and into it, and on hosts' cables ---- */

static void no_routing_asks_for_less(void **state)
{
    static const char *const nets[] = { "torus:4x4", "mesh:3x5", "fattree:4", "dragonfly,a=3,p=2,h=1", "random:11,degree=4" };
    static const char *const traffics[] = { "uniform", "hotspot:3", "hotspot:7,share=0.4", NULL };
    static const char *const routings[] = { "ecmp", "valiant", "metapath:sga:1" };

    (void)state;
    for (size_t i = 0; i < COUNT(nets) * COUNT(traffics) * COUNT(routings); i++) {
        struct net *net = measure_open(nets[i % COUNT(nets)]);
        const char *text = traffics[i / COUNT(nets) % COUNT(traffics)];
        const struct traffic_pace pace = { 40, 10 };
        struct traffic t;
        struct routing r;
        struct flows f;
        struct own_link own;
        double *load, rate[64], most = 0;

        open_traffic(&t, net, text);
        assert_int_equal(routing_open(&r, net, routings[i / COUNT(nets) / COUNT(traffics)], &err), 0);
        assert_int_equal(flows_open(&f, &t, &r, 1, &(struct flows_options){ .unfolded = true, .terminals = true,
                                                                            .apart = true }, &err), 0);
        load = calloc(f.nlink, sizeof *load);
        assert_non_null(load);
        assert_true(f.nsource <= COUNT(rate));
        flows_offered(rate, &f, pace);
        assert_int_equal(flows_load(&f, rate, load, NULL, &err), 0);
        for (size_t l = 0; l < f.nlink; l++) {
            const int from = f.link_from[l], to = f.link_to[l];
            const bool host = net->nterminal < net->n, own_cable = host && (net_terminal_index(net, from < 0 ? to : from) >= 0 ||
                                                                 net_terminal_index(net, to < 0 ? from : to) >= 0);

            if (from < 0 || to < 0 || own_cable)
                most = fmax(most, load[l]);
        }
        assert_int_equal(own_link_most(&own, &t, net, pace, 1, false, true, &err), 0);
        if (strncmp(r.spec, "ecmp", 4) == 0 || net->nterminal == net->n) {
            if (fabs(own.asked - most) > 1e-12)
                fail_msg("%s, %s, %s: %g asked, %g put there", net->spec, t.spec, r.spec, own.asked, most);
        } else {
            assert_true(most > own.asked - 1e-12);      /* over hosts: these pass on, too */
        }
        free(load);
        flows_release(&f);
        routing_close(&r);
        traffic_release(&t);
        net_close(net);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(asked_by_hand),
        cmocka_unit_test(no_routing_asks_for_less)
    };
    int failed;

    net_setup();
    failed = cmocka_run_group_tests(tests, NULL, NULL);
    net_teardown();
    return failed;
}
