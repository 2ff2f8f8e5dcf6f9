/* Collectives in time: closed forms where nothing is contended for, a message alone under each model, and what the
 * paper on reconfigurable MPI collectives has on its bus and switch. */
#include <math.h>
#include <string.h>

#include "analysis/collective/bound.h"
#include "analysis/collective/execute.h"
#include "graph/net.h"
#include "tests/support/check.h"
#include "tests/support/hosts.h"

static struct err err;

static struct execution run(const char *algorithm, enum operation operation, int n, int64_t bytes, int64_t segment,
                            const char *model)
{
    const struct collective *a = collective_find(algorithm, &err);
    struct hosts hosts;
    struct schedule s;
    struct cost c;
    struct execution x = { 0 };

    hosts_open(&hosts, n);
    if (!a || schedule_open(&s, &(struct schedule){ .algorithm = a, .operation = operation, .n = n, .bytes = bytes,
                                                    .segment = segment, .radix = 4, .scene = &hosts.scene },
                            &err) < 0 ||
        cost_open(&c, model, n, NULL, &err) < 0 || execute(&x, &s, &c, 0, NULL, &err) < 0)
        fail_msg("%s", err.msg);
    schedule_close(&s);
    cost_close(&c);
    hosts_release(&hosts);
    return x;
}

static int log2_up(int n)
{
    int k = 0;

    while ((1 << k) < n)
        k++;
    return k;
}

/* a = 5 us, b = 0.8 ns a byte; powers of two and sizes that n divides. Thakur and others 2005, sections 4 to 6; Chan
 * and others 2007. */
static void hockney_closed_forms(void **state)
{
    const double a = 5e-6, b = 8e-10;

    (void)state;
    for (int n = 2; n <= 64; n *= 2) {
        const int64_t m = 1 << 14;
        const double k = log2_up(n), part = (n - 1.) / n;
        const struct { const char *algorithm; enum operation operation; double want; } rows[] = {
            { "binomial", BROADCAST, k * (a + (double)m * b) },
            { "binomial", REDUCE, k * (a + (double)m * b) },
            { "sequential", BROADCAST, (n - 1) * (a + (double)m * b) },
            { "chain", BROADCAST, (n - 1) * (a + (double)m * b) },
            { "binomial", SCATTER, k * a + (n - 1) * (double)m * b },
            { "binomial", GATHER, k * a + (n - 1) * (double)m * b },
            { "ring", ALLGATHER, (n - 1) * (a + (double)m * b) },
            { "recursive-doubling", ALLGATHER, k * a + (n - 1) * (double)m * b },
            { "bruck", ALLGATHER, k * a + (n - 1) * (double)m * b },
            { "recursive-doubling", ALLREDUCE, k * (a + (double)m * b) },
            { "ring", ALLREDUCE, 2 * (n - 1) * a + 2 * part * (double)m * b },
            { "rabenseifner", ALLREDUCE, 2 * k * a + 2 * part * (double)m * b },
            { "recursive-halving", REDUCE_SCATTER, k * a + part * (double)m * b },
            { "pairwise", REDUCE_SCATTER, (n - 1) * a + part * (double)m * b },
            { "pairwise", ALLTOALL, (n - 1) * (a + (double)m * b) },
            { "ring", ALLTOALL, (n - 1) * (a + (double)m * b) },
            { "bruck", ALLTOALL, k * (a + n / 2. * (double)m * b) },
            { "scatter-ring", BROADCAST, (k + n - 1) * a + 2 * part * (double)m * b },
            { "scatter-doubling", BROADCAST, 2 * k * a + 2 * part * (double)m * b },
            { "dissemination", BARRIER, k * a }
        };

        EACH_ROW(i, rows) {
            const struct execution x = run(rows[i].algorithm, rows[i].operation, n, m, 0, "hockney,a=5us,rate=10Gb/s");

            if (!(fabs(x.time / rows[i].want - 1) < 1e-12))
                fail_msg("%s by %s, %d processes: %.12g us, the closed form has %.12g",
                         operation_name[rows[i].operation], rows[i].algorithm, n, 1e6 * x.time, 1e6 * rows[i].want);
        }
    }
}

/* Other counts and odd sizes, between the bound and what is published: with ceil(log2 n) steps or all n - 1; where some
 * processes are folded into others first, the power of two below, and what folds and unfolds them. Processes that fold
 * nothing begin at once, and a message that is early may hold a port that the fold, or a later step, needs. */
static void hockney_between_bounds(void **state)
{
    const double a = 5e-6, b = 8e-10;

    (void)state;
    for (int n = 2; n <= 33; n++) {
        const int64_t m = 12345;
        const double up = log2_up(n), down = floor(log2(n)), whole = a + (double)m * b, block = ceil(12345. / n) * b,
            all = n * block;
        const bool folds = n & (n - 1);
        const struct { const char *algorithm; enum operation operation; double most; } rows[] = {
            { "binomial", BROADCAST, up * whole }, { "binomial", REDUCE, up * whole },
            { "chain", BROADCAST, (n - 1) * whole }, { "sequential", REDUCE, (n - 1) * whole },
            { "binomial", SCATTER, up * a + (n - 1) * (double)m * b },
            { "ring", ALLGATHER, (n - 1) * whole }, { "bruck", ALLGATHER, up * a + (n - 1) * (double)m * b },
            { "pairwise", ALLTOALL, (n - 1) * whole }, { "dissemination", BARRIER, up * a },
            { "bruck", ALLTOALL, up * (a + ceil(n / 2.) * (double)m * b) },
            { "ring", ALLREDUCE, 2 * (n - 1) * (a + block) },
            { "pairwise", REDUCE_SCATTER, (n - 1) * (a + block) },
            { "recursive-doubling", ALLREDUCE, (down + folds * (2 + down)) * whole },
            { "rabenseifner", ALLREDUCE, 2 * down * a + 2 * all + folds * (3 * a + 2 * all + down * (a + all / 2)) },
            { "scatter-ring", BROADCAST, (up + n - 1) * a + 2 * all }
        };

        EACH_ROW(i, rows) {
            const double t = run(rows[i].algorithm, rows[i].operation, n, m, 0, "hockney,a=5us,rate=10Gb/s").time;
            struct collective_bound least;
            struct cost c;

            assert_int_equal(cost_open(&c, "hockney,a=5us,rate=10Gb/s", n, NULL, &err), 0);
            assert_int_equal(collective_bound(&least, rows[i].operation, m, &c, NULL, &err), 0);
            if (!(t >= least.time * (1 - 1e-12) && t <= rows[i].most * (1 + 1e-12)))
                fail_msg("%s by %s, %d processes: %.12g us, not from %.12g to %.12g", operation_name[rows[i].operation],
                         rows[i].algorithm, n, 1e6 * t, 1e6 * least.time, 1e6 * rows[i].most);
            cost_close(&c);
        }
    }
}

/* A pipelined chain: the last of s segments leaves after s - 1 and crosses n - 1. */
static void a_pipelined_chain(void **state)
{
    (void)state;
    for (int n = 2; n <= 17; n++)
        for (int64_t s = 1; s <= 64; s *= 4) {
            const double want = (double)(n - 1 + s - 1) * (5e-6 + 65536. / (double)s * 8e-10);

            check_near(run("chain", BROADCAST, n, 65536, 65536 / s, "hockney,a=5us,rate=10Gb/s").time / want, 1, 1e-12);
        }
}

static void a_message_alone(void **state)
{
    (void)state;
    check_near(run("binomial", BROADCAST, 2, 1001, 0, "hockney,a=5us,rate=10Gb/s").time, 5e-6 + 1001 * 8e-10, 1e-15);
    /* L + 2 o + (m - 1) G */
    check_near(run("binomial", BROADCAST, 2, 1001, 0, "loggp,l=5us,o=1us,g=2us,rate=10Gb/s").time,
               7e-6 + 1000 * 8e-10, 1e-15);
    check_near(run("binomial", BROADCAST, 2, 1001, 0, "loggp,l=5us,o=1us").time, 7e-6, 1e-15);
    /* two messages of one sender: max(g, o) + (m - 1) G apart */
    check_near(run("sequential", BROADCAST, 3, 1001, 0, "loggp,l=5us,o=1us,g=2us,rate=10Gb/s").time,
               7e-6 + 1000 * 8e-10 + 2e-6 + 1000 * 8e-10, 1e-15);
    check_near(run("binomial", BROADCAST, 2, 3000, 0, "bus,a=1ms,rate=8Mb/s,frame=1460,header=58").time,
               1e-3 + (3000 + 3 * 58) * 1e-6, 1e-15);
}

/* 262,144 bytes in 180 packets of 1460 + 58 at 11.0516 MB/s are 24.6647 ms, and 15 of them 369.97: with the latency of
 * 179 us beside the bus 370.149 ms, and a chain, where each waits for the one before, 372.655; with it inside all take
 * that. */
static void on_the_papers_bus(void **state)
{
    static const char *const beside = "bus,a=179us,rate=88.4128Mb/s,frame=1460,header=58",
        *const inside = "bus,a=179us,rate=88.4128Mb/s,frame=1460,header=58,latency=serial";
    static const char *const trees[] = { "sequential", "binary", "binomial" };

    (void)state;
    EACH_ROW(i, trees) {
        check_near(1e3 * run(trees[i], BROADCAST, 16, 262144, 0, beside).time, 370.149, 0.001);
        check_near(1e3 * run(trees[i], BROADCAST, 16, 262144, 0, inside).time, 372.655, 0.001);
    }
    check_near(1e3 * run("chain", BROADCAST, 16, 262144, 0, beside).time, 372.655, 0.001);
    check_near(1e3 * run("sequential", REDUCE, 16, 262144, 0, beside).time, 370.149, 0.001);
    check_near(1e3 * run("binary", REDUCE, 16, 262144, 0, beside).time, 370.328, 0.001);
    check_near(1e3 * run("binomial", REDUCE, 16, 262144, 0, beside).time, 370.328, 0.001);
    check_near(1e3 * run("ring", ALLGATHER, 16, 262144, 0, inside).time, 5962.5, 0.1);
}

/* A cable has its length besides, where it is said how long that is. */
static void lengths_of_links(void **state)
{
    static const char *const models[] = { "links,sharing=serial", "links", "links,sends=blocking", "links,sharing=fluid" };
    struct net *net = NULL;
    struct placement where;

    (void)state;
    assert_int_equal(net_open(&net, "ring:3,latency=5us", &err), 0);
    assert_int_equal(placement_init(&where, net, NULL, 2, 1, 1, &err), 0);
    for (size_t i = 0; i < 2 * COUNT(models); i++) {
        struct cost_network w = { .net = net, .placement = &where, .rate = 25e9, .cable = 1e-7,
                                        .overhead = 1e-6, .length = (double)(i % 2), .seed = 1 };
        struct cost c;
        struct schedule s;
        struct execution x;

        assert_int_equal(cost_open(&c, models[i / 2], 2, &w, &err), 0);
        assert_int_equal(schedule_open(&s, &(struct schedule){ .algorithm = collective_find("binomial", &err), .n = 2,
                                                               .bytes = 25000 }, &err), 0);
        assert_int_equal(execute(&x, &s, &c, 0, NULL, &err), 0);
        check_near(x.time, 2e-6 + 1e-7 + 1e-6 + (i % 2 ? 5e-6 : 0), 1e-15);
        schedule_close(&s);
        cost_close(&c);
    }
    placement_release(&where);
    net_close(net);
}

/* One message for all: on the paper's bus 24.6647 + 0.179 ms, whatever the number of processes, and n of them for an
 * allgather, one after the other; over switches of a network, one message to the farthest. */
static void copies_by_the_network(void **state)
{
    static const char *const bus = "bus,a=179us,rate=88.4128Mb/s,frame=1460,header=58,multicast=yes",
        *const one = "switch,a=179us,rate=88.4128Mb/s,frame=1460,header=58,multicast=yes";
    struct net *net = NULL;
    struct placement where;
    struct cost c;
    struct schedule s;
    struct execution x;

    (void)state;
    for (int n = 2; n <= 40; n += 19) {
        check_near(1e3 * run("hardware", BROADCAST, n, 262144, 0, bus).time, 24.8437, 0.001);
        check_near(1e3 * run("hardware", BROADCAST, n, 262144, 0, one).time, 24.8437, 0.001);
        check_near(1e3 * run("hardware", ALLGATHER, n, 262144, 0, bus).time, n * 24.6647 + 0.179, 0.01);
        assert_true(run("hardware", BROADCAST, n, 262144, 0, bus).messages == 1);
    }
    assert_int_equal(net_open(&net, "fattree:4", &err), 0);
    assert_int_equal(placement_init(&where, net, NULL, 0, 1, 1, &err), 0);
    for (int copies = 0; copies < 2; copies++) {
        struct cost_network w = { .net = net, .placement = &where, .rate = 25e9, .cable = 1e-7,
                                        .overhead = 1e-6, .seed = 1 };

        assert_int_equal(cost_open(&c, copies ? "links,multicast=yes" : "links", where.n, &w, &err), 0);
        assert_int_equal(schedule_open(&s, &(struct schedule){ .algorithm = collective_find("hardware", &err),
                                                               .n = where.n, .bytes = 1 << 20 }, &err), 0);
        assert_int_equal(execute(&x, &s, &c, 0, NULL, &err), copies - 1);
        if (copies)                         /* work at both ends, six cables, the bytes once */
            check_near(x.time, 2e-6 + 6e-7 + (1 << 20) / 25e9, 1e-15);
        else
            assert_int_equal(err.code, ERR_DOMAIN);
        schedule_close(&s);
        cost_close(&c);
    }
    placement_release(&where);
    net_close(net);
}

/* Processes that hold nothing of each other's come out the same, whether they go on by themselves or in order. */
static void apart_or_in_order(void **state)
{
    struct hosts hosts;

    (void)state;
    hosts_open(&hosts, 16);
    hosts.scene.root = 3;
    for (size_t k = 0; collective_all[k]; k++)
        for (enum operation op = 0; op < OPERATIONS; op++) {
            static const char *const models[] = { "loggp,l=5us,o=1us,g=2us,rate=10Gb/s",
                "loggops,l=5us,o=1us,g=2us,rate=10Gb/s,cpu=40Gb/s", "plogp,l=5us,file=examples/costs/plogp.csv" };
            const char *model = models[(k + (size_t)op) % COUNT(models)];
            struct schedule s;
            struct execution x[2];

            if (!collective_program(collective_all[k], op) || collective_all[k]->copies || collective_follows(collective_all[k]))
                continue;
            assert_int_equal(schedule_open(&s, &(struct schedule){ .algorithm = collective_all[k],
                    .operation = op, .n = 16, .root = 3, .bytes = 5000, .radix = 3,
                    .scene = &hosts.scene }, &err), 0);
            for (int slow = 0; slow < 2; slow++) {
                struct cost c;
                struct cost_kind kind;

                assert_int_equal(cost_open(&c, model, 16, NULL, &err), 0);
                kind = *c.kind;
                assert_true(kind.apart);
                kind.apart = !slow;
                c.kind = &kind;
                assert_int_equal(execute(&x[slow], &s, &c, 1e-10, NULL, &err), 0);
                cost_close(&c);
            }
            if (x[0].time != x[1].time || x[0].messages != x[1].messages || x[0].steps != x[1].steps ||
                x[0].waiting != x[1].waiting)
                fail_msg("%s by %s, %s: %.17g, in order of time %.17g", operation_name[op], collective_all[k]->name,
                         model, x[0].time, x[1].time);
            schedule_close(&s);
        }
    hosts_release(&hosts);
}

/* Over links a message alone takes the work at both ends, its cables and its bytes; inside a node the work alone. */
static void inside_a_node_there_is_no_link(void **state)
{
    static const struct { int root, other; double want; } rows[] = {
        { 0, 1, 2e-6 }, { 1, 0, 2e-6 }, { 1, 2, 2e-6 + 1e-7 + 1e-6 }, { 0, 3, 2e-6 + 1e-7 + 1e-6 },
        { 0, 4, 2e-6 + 2e-7 + 1e-6 }
    };
    struct net *net;

    (void)state;
    assert_int_equal(net_open(&net, "mesh:3", &err), 0);
    EACH_ROW(i, rows) {
        struct placement all, two = { .n = 2, .node = (int[2]){ 0 } };
        struct cost_network w = { .net = net, .placement = &two, .rate = 1e9, .cable = 1e-7, .overhead = 1e-6 };
        struct schedule s;
        struct execution x;
        struct cost c;

        assert_int_equal(placement_init(&all, net, NULL, 0, 2, 1, &err), 0);
        two.node[0] = all.node[rows[i].root];
        two.node[1] = all.node[rows[i].other];
        if (schedule_open(&s, &(struct schedule){ .algorithm = collective_find("binomial", &err),
                                                  .operation = BROADCAST, .n = 2, .bytes = 1000 }, &err) < 0 ||
            cost_open(&c, "links", 2, &w, &err) < 0 || execute(&x, &s, &c, 0, NULL, &err) < 0)
            fail_msg("%s", err.msg);
        check_near(x.time, rows[i].want, 1e-15);
        cost_close(&c);
        schedule_close(&s);
        placement_release(&all);
    }
    net_close(net);
}

/* Under any model no message comes before its bytes could, and nothing is faster with more bytes. */
static void larger_is_not_faster(void **state)
{
    static const char *const models[] = { "hockney,a=5us,rate=10Gb/s", "loggp,l=5us,o=1us,g=2us,rate=10Gb/s",
                                          "bus,a=1ms,rate=8Mb/s,multicast=yes", "switch,a=1ms,rate=8Mb/s,multicast=yes",
                                          "switch,a=1ms,rate=8Mb/s,ways=one,multicast=yes" };

    (void)state;
    for (size_t k = 0; collective_all[k]; k++)
        for (enum operation op = 0; op < OPERATIONS; op++)
            for (size_t c = collective_program(collective_all[k], op) ? collective_all[k]->copies ? 2 : 0 : COUNT(models);
                 c < COUNT(models); c++) {
                double before = 0;

                for (int64_t bytes = 16; bytes <= 1 << 20; bytes *= 8) {
                    const double t = run(collective_all[k]->name, op, 16, bytes, 0, models[c]).time;

                    if (!(t > 0 && t >= before - 1e-15))
                        fail_msg("%s by %s, %s: %g s at %lld bytes, %g before", operation_name[op],
                                 collective_all[k]->name, models[c], t, (long long)bytes, before);
                    before = t;
                }
            }
}

/* Every message is told once: as many, with as many bytes, as were sent; none is there before it was sent, nor after the
 * end. */
struct told {
    double n, bytes, last;
    bool early;
};

static void tell(void *arg, const struct cost_message *m)
{
    struct told *t = arg;

    t->n++;
    t->bytes += m->bytes;
    t->last = fmax(t->last, m->arrival);
    t->early = t->early || m->arrival < m->sent || m->sent < 0 || m->from == m->to;
}

static void messages_are_told(void **state)
{
    static const char *const models[] = { "links", "links,sharing=serial", "links,sharing=fluid",
                                          "hockney,a=5us,rate=10Gb/s", "loggp,l=5us,o=1us,rate=10Gb/s" };
    static const struct {
        const char *algorithm;
        enum operation operation;
        int64_t segment;
    } rows[] = { { "chain", BROADCAST, 512 }, { "ring", ALLREDUCE, 0 }, { "full-fan-out", ALLTOALL, 0 },
                 { "binomial", GATHER, 0 }, { "bruck", ALLGATHER, 0 }, { "dissemination", BARRIER, 0 } };

    (void)state;
    for (size_t k = 0; k < COUNT(models) * COUNT(rows); k++) {
        const size_t i = k % COUNT(rows);
        const struct collective *a = collective_find(rows[i].algorithm, &err);
        struct told told = { .n = 0 };
        struct placement where;
        struct schedule s;
        struct execution x;
        struct cost c;
        struct net *net;

        assert_int_equal(net_open(&net, "torus:4x3", &err), 0);
        assert_int_equal(placement_init(&where, net, NULL, 0, 1, 1, &err), 0);
        assert_int_equal(schedule_open(&s, &(struct schedule){ .algorithm = a, .operation = rows[i].operation, .n = 12,
                                                               .bytes = 4096, .segment = rows[i].segment }, &err), 0);
        assert_int_equal(cost_open(&c, models[k / COUNT(rows)], 12, &(struct cost_network){ .net = net,
                                   .placement = &where, .rate = 1e9, .cable = 1e-7, .overhead = 1e-6 }, &err), 0);
        c.seen = tell;
        c.seen_arg = &told;
        assert_int_equal(execute(&x, &s, &c, 0, NULL, &err), 0);
        if (told.n != x.messages || fabs(told.bytes - x.bytes) > 1e-6 * x.bytes || told.early ||
            told.last > x.time * (1 + 1e-12))
            fail_msg("%s by %s under %s: %g of %g messages, %g of %g bytes, the last at %g of %g%s",
                     operation_name[rows[i].operation], rows[i].algorithm, c.spec, told.n, x.messages, told.bytes,
                     x.bytes, told.last, x.time, told.early ? ", one too early" : "");
        cost_close(&c);
        schedule_close(&s);
        placement_release(&where);
        net_close(net);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages_are_told), cmocka_unit_test(hockney_closed_forms), cmocka_unit_test(hockney_between_bounds),
        cmocka_unit_test(a_pipelined_chain), cmocka_unit_test(a_message_alone),
        cmocka_unit_test(on_the_papers_bus), cmocka_unit_test(copies_by_the_network),
        cmocka_unit_test(lengths_of_links),
        cmocka_unit_test(apart_or_in_order), cmocka_unit_test(larger_is_not_faster),
        cmocka_unit_test(inside_a_node_there_is_no_link)
    };

    int failed;

    net_setup();
    failed = cmocka_run_group_tests(tests, NULL, NULL);
    net_teardown();
    return failed;
}
