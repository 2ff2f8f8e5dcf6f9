/* Bounds of collectives: published trees, the postal model by its recursion, algorithms that are known to be optimal,
 * and that no algorithm under any model of cost is below its bound. */
#include <string.h>

#include "analysis/collective/bound.h"
#include "analysis/collective/execute.h"
#include "graph/net.h"
#include "model/process/tree.h"
#include "tests/support/check.h"

static struct err err;

static double bound_of(enum operation operation, int n, int64_t bytes, const char *model)
{
    struct collective_bound b;
    struct cost c;

    if (cost_open(&c, model, n, NULL, &err) < 0 || collective_bound(&b, operation, bytes, &c, NULL, &err) < 0)
        fail_msg("%s", err.msg);
    cost_close(&c);
    return b.time;
}

/* Culler and others 1993, figure 3: the last of 8 has it at 24. */
static void the_published_tree_of_logp(void **state)
{
    (void)state;
    check_near(1e6 * bound_of(BROADCAST, 8, 0, "loggp,l=6us,o=2us,g=4us"), 24, 1e-9);
    check_near(1e6 * bound_of(REDUCE, 8, 1, "loggp,l=6us,o=2us,g=4us"), 24, 1e-9);
}

/* Bar-Noy and Kipnis 1994: N(t) = 1 below lambda, then N(t - 1) + N(t - lambda). */
static void the_postal_model(void **state)
{
    (void)state;
    for (int lambda = 2; lambda <= 9; lambda++)
        for (int n = 2; n <= 200; n++) {
            double heard[400];
            char model[60];
            int t = 0;

            for (heard[0] = 1; heard[t] < n;) {
                t++;
                heard[t] = t < lambda ? 1 : heard[t - 1] + heard[t - lambda];
            }
            snprintf(model, sizeof model, "loggp,l=%dus,o=1us,g=1us", lambda - 2);
            check_near(1e6 * bound_of(BARRIER, n, 0, model), t, 1e-9);
        }
}

static double time_of(const struct collective *a, enum operation operation, int n, int64_t bytes, struct cost *c)
{
    struct schedule s;
    struct execution x;

    if (schedule_open(&s, &(struct schedule){ .algorithm = a, .operation = operation, .n = n, .bytes = bytes,
                                              .radix = 4 }, &err) < 0 || execute(&x, &s, c, 0, NULL, &err) < 0)
        fail_msg("%s", err.msg);
    schedule_close(&s);
    return x.time;
}

/* Without a start, who sends all the time is done first; of a byte and with starts alone, who doubles. */
static void what_is_optimal_is_at_its_bound(void **state)
{
    static const struct {
        const char *algorithm;
        enum operation operation;
        const char *model;
        int64_t bytes;
    } rows[] = {
        { "ring", ALLGATHER, "hockney,a=0us,rate=10Gb/s", 4096 },
        { "ring", ALLREDUCE, "hockney,a=0us,rate=10Gb/s", 4096 },
        { "sequential", SCATTER, "hockney,a=0us,rate=10Gb/s", 99 },
        { "rabenseifner", ALLREDUCE, "hockney,a=0us,rate=10Gb/s", 4096 },
        { "sequential", GATHER, "hockney,a=0us,rate=10Gb/s", 99 },
        { "pairwise", REDUCE_SCATTER, "hockney,a=0us,rate=10Gb/s", 4096 },
        { "pairwise", ALLTOALL, "hockney,a=0us,rate=10Gb/s", 99 },
        { "binomial", BROADCAST, "hockney,a=5us,rate=10Gb/s", 1 },
        { "binomial", REDUCE, "hockney,a=5us,rate=10Gb/s", 1 },
        { "dissemination", BARRIER, "hockney,a=5us,rate=10Gb/s", 0 },
        { "binomial", BROADCAST, "loggp,l=2us,o=1us,g=4us", 0 }, { "binomial", REDUCE, "loggp,l=2us,o=1us,g=4us", 0 }
    };

    (void)state;
    EACH_ROW(i, rows)
        for (int n = 2; n <= 64; n *= 2) {
            struct cost c;
            double got, least;

            assert_int_equal(cost_open(&c, rows[i].model, n, NULL, &err), 0);
            got = time_of(collective_find(rows[i].algorithm, &err), rows[i].operation, n, rows[i].bytes, &c);
            least = bound_of(rows[i].operation, n, rows[i].bytes, rows[i].model);
            if (!(fabs(got / least - 1) < 1e-12))
                fail_msg("%s by %s, %d processes: %.15g us, bound %.15g", operation_name[rows[i].operation],
                         rows[i].algorithm, n, 1e6 * got, 1e6 * least);
            cost_close(&c);
        }
}

/* Rings and toruses have their cuts round a node, hosts of a fat tree one link; a ring's distances add up to n^3 / 4,
 * over 2 n links. r = 1 GB/s, no cables, no work: all that counts is bytes over links. */
static void cuts_of_known_networks(void **state)
{
    static const struct {
        const char *net;
        enum operation operation;
        double links;                   /* that the bytes go through */
        double blocks;                  /* of m, that must pass */
    } rows[] = {
        { "ring:16", BROADCAST, 2, 1 }, { "ring:16", REDUCE, 2, 1 }, { "ring:16", SCATTER, 2, 15 },
        { "ring:16", GATHER, 2, 15 }, { "ring:16", ALLGATHER, 2, 15 }, { "ring:16", ALLREDUCE, 16 * 2, 2 * 15 },
        { "ring:16", REDUCE_SCATTER, 16 * 2, 15 }, { "ring:16", ALLTOALL, 2 * 16, 16 * 16 * 16 / 4 },
        { "torus:4x4", ALLGATHER, 4, 15 }, { "fattree:4", BROADCAST, 1, 1 }, { "fattree:4", ALLGATHER, 1, 15 },
        { "fattree:4", ALLREDUCE, 16, 2 * 15 }, { "fattree:4", ALLTOALL, 1, 15 },
        { "mesh:4,bandwidth=2", SCATTER, 2, 3 },      /* process 0 is at an end */
        { "hypercube:4", ALLTOALL, 8, 64 }              /* n / 2 links join the halves: n^2 / 4 blocks either way */
    };
    const int64_t m = 1 << 20;

    (void)state;
    EACH_ROW(i, rows) {
        struct placement place;
        struct cost_network w = { .placement = &place, .rate = 1e9 };
        struct collective_cuts cuts;
        struct collective_bound b;
        struct cost c;

        if (net_open(&w.net, rows[i].net, &err) < 0 || placement_init(&place, w.net, NULL, 0, 0, 0, &err) < 0 ||
            cost_open(&c, "links", place.n, &w, &err) < 0 ||
            collective_cuts(&cuts, rows[i].operation, 0, &c, &w, NULL, &err) < 0 ||
            collective_bound(&b, rows[i].operation, m, &c, &cuts, &err) < 0)
            fail_msg("%s", err.msg);
        if (!(fabs(b.time * 1e9 / (double)m / (rows[i].blocks / rows[i].links) - 1) < 1e-12))
            fail_msg("%s on %s: %.12g vectors over a link, by %s", operation_name[rows[i].operation], rows[i].net,
                     b.time * 1e9 / (double)m, b.reason);
        cost_close(&c);
        placement_release(&place);
        net_close(w.net);
    }
}

static size_t judged, known;

static void nobody_is_below(enum operation op, int n, int root, int64_t bytes, const char *model,
                            struct cost_network *w)
{
    struct collective_bound b;
    struct collective_cuts cuts;
    struct cost c;

    if (cost_open(&c, model, n, w, &err) < 0 ||
        (c.kind->network && collective_cuts(&cuts, op, root, &c, w, NULL, &err) < 0) ||
        collective_bound(&b, op, bytes, &c, c.kind->network ? &cuts : NULL, &err) < 0)
        fail_msg("%s: %s", model, err.msg);
    for (size_t k = 0; collective_all[k]; k++)
        for (int segment = 0; collective_program(collective_all[k], op) && segment <= collective_all[k]->segments; segment++) {
            const struct collective *a = collective_all[k];
            const struct tree_scene scene = { .net = w ? w->net : NULL, .where = w ? w->placement : NULL, .root = root,
                                              .hop = 1, .size = 1, .gap = 1 };
            struct schedule s;
            struct execution x;

            if ((a->two && (n & (n - 1))) || (a->even && n % 2 && n > 1) || (collective_follows(a) && !w) || (a->copies && !c.copies) ||
                (segment && bytes < 3))
                continue;
            if (schedule_open(&s, &(struct schedule){ .algorithm = a, .operation = op, .n = n, .root = root,
                                  .bytes = bytes, .segment = segment ? bytes / 3 : 0, .radix = 3,
                                  .scene = w ? &scene : NULL }, &err) < 0 ||
                execute(&x, &s, &c, 0, NULL, &err) < 0) {
                if (collective_follows(a) && err.code == ERR_DOMAIN)       /* it does not serve the network */
                    continue;
                fail_msg("%s by %s: %s", operation_name[op], a->name, err.msg);
            }
            judged++;
            known += b.time > 0;
            if (x.time < b.time * (1 - 1e-12))
                fail_msg("%s by %s, %d processes, root %d, %lld bytes, %s on %s: %.12g is below %s, %.12g",
                         operation_name[op], a->name, n, root, (long long)bytes, model, w ? w->net->spec : "no network",
                         x.time, b.reason, b.time);
            schedule_close(&s);
        }
    cost_close(&c);
}

static void no_algorithm_is_below(void **state)
{
    static const char *const models[] = { "hockney,a=5us,rate=10Gb/s", "hockney,a=0us,rate=10Gb/s",
        "loggp,l=5us,o=1us,g=2us,rate=10Gb/s", "loggp,l=5us,o=0us,g=1ns,rate=10Mb/s", "loggp,l=3us,o=2us",
        "bus,a=1ms,rate=8Mb/s", "bus,a=1ms,rate=8Mb/s,frame=1460,header=58,latency=serial", "switch,a=1ms,rate=8Mb/s",
        "switch,a=1us,rate=8Mb/s,ways=one,frame=100,header=9", "switch,a=1ms,rate=8Mb/s,latency=serial",
        "bus,a=1us,rate=8Mb/s,multicast=yes", "switch,a=1us,rate=8Mb/s,ports=2,multicast=yes",
        "hockney,a=5us,rate=10Gb/s,ports=3", "loggops,l=5us,o=1us,g=2us,rate=10Gb/s,cpu=40Gb/s" };
    static const char *const nets[] = { "torus:5x4", "fattree:4", "dragonfly,a=4,p=2,h=1", "ring:9,directed=yes",
        "star:7", "random:20,degree=3", "mesh:4x3,bandwidth=2+1", "examples/networks/leaf-spine.csv,terminals=leaves" };
    static const int64_t sizes[] = { 0, 1, 7, 1000, 65537 };
    struct rng rng;

    (void)state;
    rng_seed(&rng, check_seed());
    for (int op = 0; op < OPERATIONS; op++) {
        for (int n = 1; n <= 20; n++)
            for (size_t i = 0; i < COUNT(sizes) * COUNT(models); i++)
                nobody_is_below((enum operation)op, n, (int)(rng_next(&rng) % (uint64_t)n), sizes[i % COUNT(sizes)],
                                models[i / COUNT(sizes)], NULL);
        for (size_t k = 0; cost_all[k]; k++)            /* whoever is new */
            for (int n = 1; !cost_all[k]->network && n <= 20; n++)
                nobody_is_below((enum operation)op, n, n / 2, sizes[n % (int)COUNT(sizes)], cost_all[k]->example, NULL);
        EACH_ROW(i, nets) {
            struct net *net;

            if (net_open(&net, nets[i], &err) < 0)
                fail_msg("%s", err.msg);
            for (size_t k = 0; cost_all[k]; k++)
                for (int draw = 0; cost_all[k]->network && draw < 12; draw++) {
                    const int each = cost_all[k]->steps ? 1 : 1 + draw / 8, n = 1 + (int)(rng_next(&rng) % (uint64_t)(each * net->nterminal));
                    struct placement place;
                    struct cost_network w = { .net = net, .placement = &place, .rate = 1e9, .cable = 1e-7 * (draw % 3),
                                              .overhead = 1e-6 * (draw % 2) };

                    assert_int_equal(placement_init(&place, net, "random", n, each, rng_next(&rng), &err), 0);
                    nobody_is_below((enum operation)op, n, (int)(rng_next(&rng) % (uint64_t)n),
                                    sizes[rng_next(&rng) % COUNT(sizes)], draw % 4 == 3 &&
                                    strcmp(cost_all[k]->name, "links") == 0 ? draw == 3 ? "links,multicast=yes" :
                                    draw == 7 ? "links,sharing=fluid" : op % 2 ? "links,ports=3" : "links,receives=at-once" : draw % 4 == 2 &&
                                    strcmp(cost_all[k]->name, "links") == 0 ? "links,sharing=serial" : strcmp(cost_all[k]->name, "collide") == 0 ?
                                    "collide,switching=cut-through" : cost_all[k]->example, &w);
                    placement_release(&place);
                }
            net_close(net);
        }
    }
    print_message("%zu runs, %zu with a bound\n", judged, known);
    assert_true(known > judged / 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_published_tree_of_logp), cmocka_unit_test(the_postal_model),
        cmocka_unit_test(what_is_optimal_is_at_its_bound),
        cmocka_unit_test(cuts_of_known_networks), cmocka_unit_test(no_algorithm_is_below)
    };
    int failed;

    net_setup();
    failed = cmocka_run_group_tests(tests, NULL, NULL);
    net_teardown();
    return failed;
}
