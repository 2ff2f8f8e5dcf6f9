/* What `metapath simulate` reads: traces of messages, and loads in parts of the bisection, which others take too. */
#include <string.h>
#include <unistd.h>

#include "analysis/simulate/trace.h"
#include "cli/request/load.h"
#include "tests/support/check.h"

static struct err err;

/* ---- traces ---- */

#define HEAD "time,source,destination,flits\n"
#define LEAVES "examples/networks/leaf-spine.csv,terminals=leaves"
static const struct trace_row {
    const char *name, *spec, *text, *want;      /* messages as "time source>target flits", or part of what is said */
} traces[] = {
    { "in order", "mesh:2x3", HEAD "0,0,5,4\n2.5,1.0,0.1,1\n", "0 0>5 4 2.5 3>1 1" },
    { "sorted, those of a time as they stand", "mesh:2x3", HEAD "7,0,1,3\n5,2,1,9\n7,0,4,2\n5,2,0,8\n",
      "5 2>1 9 5 2>0 8 7 0>1 3 7 0>4 2" },
    { "other headings, order, separators", "mesh:2x3", "# a run\nflits;what;to;from;time_cycles\r\n2;x;3;0.2;1e3\r\n",
      "1000 2>3 2" },
    { "names", LEAVES, HEAD "1,h0,h7,64\n", "1 h0>h7 64" },
    { "no file", "mesh:2x3", NULL, "absent.csv" },
    { "nothing", "mesh:2x3", "", "is empty" },
    { "no messages", "mesh:2x3", HEAD, "trace.csv has a heading and no messages" },
    { "no time", "mesh:2x3", "source,destination,flits\n0,1,1\n", "trace.csv has no column time;" },
    { "no flits", "mesh:2x3", "time,source,destination\n0,0,1\n", "trace.csv has no column flits;" },
    { "no destination", "mesh:2x3", "time,source,flits\n0,0,1\n", "destination" },
    { "a cell too few", "mesh:2x3", HEAD "0,0,1,1\n1,0,1\n", "trace.csv:3 has 3 fields" },
    { "a time before all", "mesh:2x3", HEAD "-1,0,1,1\n", "trace.csv:2: time is '-1'; it must be from 0 to" },
    { "no number", "mesh:2x3", HEAD "nan,0,1,1\n", "trace.csv:2: time is 'nan'" },
    { "a time without end", "mesh:2x3", HEAD "1e300,0,1,1\n", "trace.csv:2: time is '1e300'" },
    { "an empty time", "mesh:2x3", HEAD ",0,1,1\n", "trace.csv:2: time is ''" },
    { "part of a flit", "mesh:2x3", HEAD "0,0,1,1.5\n", "flits is '1.5'; it must be a whole number from 1" },
    { "no flits at all", "mesh:2x3", HEAD "# none\n0,0,1,0\n", "trace.csv:3: flits is '0'" },
    { "too many flits", "mesh:2x3", HEAD "0,0,1,1e10\n", "trace.csv:2: flits is '1e10'" },
    { "to itself", "mesh:2x3", HEAD "0,0,1,1\n0,4,1.1,1\n", "trace.csv:3: the message from '4' goes to itself" },
    { "a node that is not there", "mesh:2x3", HEAD "0,0,6,1\n", "trace.csv:2: destination: " },
    { "a switch", "fattree:4", HEAD "0,0,35,1\n", "trace.csv:2: destination 35 is a switch of fattree:4" },
    { "a control character", "mesh:2x3", HEAD "0,\"0\n.\033[2J\",1,1\n", "trace.csv:2: source: " },
};

static void show_trace(char *out, size_t size, const struct net *net, const struct simulate_message *m, size_t n)
{
    char from[NET_LABEL], to[NET_LABEL];
    size_t len = 0;

    for (size_t i = 0; i < n; i++) {
        snprintf(from, sizeof from, "%d", m[i].source);
        snprintf(to, sizeof to, "%d", m[i].target);
        len += (size_t)snprintf(out + len, size - len, "%s%g %s>%s %g", i ? " " : "", m[i].time,
                                net->name ? net_label(net, m[i].source, from) : from,
                                net->name ? net_label(net, m[i].target, to) : to, m[i].flits);
    }
}

static void a_trace(void **state)
{
    const struct trace_row *row = *state;
    struct simulate_message *m = NULL;
    struct net *net;
    char got[1200] = "";
    size_t n = 0;

    unlink("absent.csv");
    if (row->text) {
        FILE *f = fopen("trace.csv", "w");

        assert_non_null(f);
        fputs(row->text, f);
        fclose(f);
    }
    assert_int_equal(net_open(&net, row->spec, &err), 0);
    if (trace_read(&m, &n, net, row->text ? "trace.csv" : "absent.csv", &err) == 0)
        show_trace(got, sizeof got, net, m, n);
    else
        snprintf(got, sizeof got, "%s", err.msg);
    if (m ? strcmp(got, row->want) != 0 : !strstr(got, row->want) || strchr(got, '\n') || strchr(got, '\033'))
        fail_msg("%s: '%s'", row->name, got);
    unlink("trace.csv");
    free(m);
    net_close(net);
}

/* ---- parts of the bisection ---- */

/* 2B/N: meshes 4/k and tori 8/k of the longest dimension, both counted in flits per node and cycle; full bisections of
 * N/2 cables 2 of a link's. NAN: refused. */
static const struct part_row {
    const char *spec, *load;
    double want;
} parts[] = {
    { "mesh:8x8", "100%b", 0.5 }, { "mesh:6x4", "100%b", 4.0 / 6 }, { "mesh:4x6x2", "50%b", 2.0 / 6 },
    { "torus:8x8", "100%b", 1 }, { "torus:8x6x4", "40%b", 0.4 }, { "ring:16", "100%b", 0.5 },
    { "hypercube:6", "30%b", 0.6 }, { "fattree:4", "40%b", 0.8 }, { "fattree:6", "10%b", 0.2 },
    { "torus:8x8,bandwidth=2", "100%b", 2 }, { "mesh:8x8,bandwidth=3", "20%b", 0.3 },
    { "random:64,degree=4", "10%b", NAN }, { "mesh:8x8", "10%b,50%", NAN }, { "mesh:8x8", "10%b,0.5", NAN },
    { "mesh:8x8", "0.1%b..0.2", NAN }, { "fattree:4", "60%b", NAN }, { "mesh:8x8", "b", NAN },
    { "mesh:8x8", "%b", NAN }, { "mesh:8x8", "40b%", NAN }, { "mesh:8x8", "0%b", NAN }
};

static void a_part(void **state)
{
    const struct part_row *row = *state;
    struct load_request q = LOAD_USUAL;
    struct load_point *point = NULL;
    struct traffic t = { 0 };
    struct net *net;
    size_t n = 0;

    q.load = row->load;
    q.packet = 12;
    assert_int_equal(net_open(&net, row->spec, &err), 0);
    assert_int_equal(load_traffic(&t, net, "uniform", NULL, NULL, &err), 0);
    if (load_points(&point, &n, &q, net, &t, NULL, &err) < 0) {
        if (!isnan(row->want) || strchr(err.msg, '\n'))
            fail_msg("%s --load %s: %s", row->spec, row->load, err.msg);
    } else {
        assert_int_equal(n, 1);
        assert_true(isnan(point->part) && point->factor == 1);
        check_near(q.packet / point->interval, row->want, 1e-12);
    }
    free(point);
    traffic_release(&t);
    net_close(net);
}

/* A range of them is one of loads. */
static void a_range_of_parts(void **state)
{
    struct load_request q = LOAD_USUAL;
    struct load_point *point;
    struct traffic t = { 0 };
    struct net *net;
    size_t n;

    (void)state;
    q.load = "20%b..80%b..20%b";
    assert_int_equal(net_open(&net, "mesh:8x8", &err), 0);
    assert_int_equal(load_traffic(&t, net, "transpose", NULL, NULL, &err), 0);
    assert_int_equal(load_points(&point, &n, &q, net, &t, NULL, &err), 0);
    assert_int_equal(n, 4);
    for (size_t i = 0; i < n; i++)
        check_near(q.packet / point[i].interval, 0.1 * (double)(i + 1), 1e-12);
    free(point);
    traffic_release(&t);
    net_close(net);
}

int main(void)
{
    static struct CMUnitTest test[COUNT(traces) + COUNT(parts) + 1];
    size_t n = 0;
    int failed;

    net_setup();
    EACH_ROW(i, traces)
        test[n++] = (struct CMUnitTest){ traces[i].name, a_trace, NULL, NULL, (void *)(uintptr_t)&traces[i] };
    EACH_ROW(i, parts)
        test[n++] = (struct CMUnitTest){ parts[i].spec, a_part, NULL, NULL, (void *)(uintptr_t)&parts[i] };
    test[n++] = (struct CMUnitTest)cmocka_unit_test(a_range_of_parts);
    failed = cmocka_run_group_tests(test, NULL, NULL);
    net_teardown();
    return failed;
}
