/* Many messages through communication processors with finite buffers: against a second implementation on random small
 * cases; formulas of single channels; what a circuit may not do; where the dependencies close no cycle nothing blocks. */
#include <string.h>

#include "analysis/deadlock/dependencies.h"
#include "analysis/primitive/lading.h"
#include "model/protocol/dispatch.h"
#include "model/protocol/primitive.h"
#include "tests/support/check.h"
#include "tests/support/processors_twin.h"

static struct err err;
static struct rng rng;

/* ---- drawn cases ---- */

enum { NODES = 8, MESSAGES = 48 };
struct scenario {
    struct wiring w;
    struct processors_hop hop[MESSAGES * NODES];
    struct processors_message message[MESSAGES];
    int room[4];
    struct processors_plan p;
};

static int below(int n)
{
    return (int)rng_below(&rng, (uint64_t)n);
}

static void scenario_graph(struct scenario *s, int n, int more)
{
    struct wire wire[NODES * NODES];
    bool joined[NODES][NODES] = { { false } };
    size_t m = 0;

    for (int k = 1; k < n + more; k++) {
        const int a = k < n ? k : below(n), b = below(k < n ? k : n);

        if (a == b || joined[a][b])
            continue;
        joined[a][b] = joined[b][a] = true;
        wire[m++] = (struct wire){ .a = a, .b = b, .latency = 0.1 + check_uniform(&rng),
                                   .bandwidth = 0.5 + check_uniform(&rng) };
    }
    assert_int_equal(wiring_open(&s->w, n, wire, m, &err), 0);
}

/* A way from a node that comes to no node again, of random length. */
static int scenario_way(struct scenario *s, size_t *nhop, int from, int parts)
{
    bool seen[NODES] = { false };
    int hops = 0;

    seen[from] = true;
    for (int tries = 0; tries < 6; tries++) {
        const size_t h = s->w.first[from] + rng_below(&rng, s->w.first[from + 1] - s->w.first[from]);

        if (seen[s->w.to[h]])
            continue;
        from = s->w.to[h];
        seen[from] = true;
        s->hop[(*nhop)++] = (struct processors_hop){ (uint32_t)h, parts == 0 ? 1 : below(parts) };
        hops++;
    }
    return hops;
}

/* parts 0: CVP I. Times are drawn so that few things happen at once. */
static void scenario_draw(struct scenario *s, int parts)
{
    const int n = 2 + below(NODES - 1), each = 1 + below(MESSAGES / n), how = below(3);
    size_t nhop = 0;

    scenario_graph(s, n, below(2 * n));
    s->p = (struct processors_plan){
        .w = &s->w, .hop = s->hop, .message = s->message, .hosts = n, .room = s->room, .parts = parts ? parts : 2,
        .classes = parts > 0, .chain = 1 + below(3), .decide = 0.05 + check_uniform(&rng),
        .length = 5 * check_uniform(&rng), .ack = check_uniform(&rng), .confirm = check_uniform(&rng),
        .request = check_uniform(&rng)
    };
    s->p.flit = fmin(check_uniform(&rng), s->p.length);
    for (int part = 0; part < s->p.parts; part++)
        s->room[part] = below(8) ? s->p.chain + below(4) : PROCESSORS_ENDLESS;
    for (int host = 0; host < n; host++)
        for (int i = 0; i < each; i++) {
            struct processors_message *m = &s->message[s->p.n++];

            *m = (struct processors_message){ .way = nhop, .part = parts ? below(parts) : 0, .host = host,
                                              .due = 0.7 * i + check_uniform(&rng), .circuit = !parts && (how == 1 || (how == 2 && below(2))) };
            do
                m->hops = scenario_way(s, &nhop, host, parts);
            while (m->hops == 0);
        }
}

static void agrees_with_its_twin(void **state)
{
    int blocked = 0, stuck = 0, refused = 0, tied = 0;

    (void)state;
    rng_seed(&rng, check_seed());
    for (int k = 0; k < 1000; k++) {
        static struct scenario s;
        struct processors_outcome o;
        struct twin_outcome want;

        scenario_draw(&s, k % 2 ? 1 + below(3) : 0);
        assert_int_equal(processors_run(&o, &s.p, &err), 0);
        processors_twin(&want, &s.p);
        assert_false(want.over);
        tied += want.tied;
        if (want.tied)
            goto next;
        assert_int_equal(o.came, want.came);
        assert_int_equal(o.deadlock, want.came < (int)s.p.n);
        if (!o.deadlock) {
            assert_int_equal(o.refused, want.refused);
            assert_int_equal(o.refused_hosts, want.parked);
        }
        if (o.came > 0) {
            check_near(o.mean, want.sum / want.came, 1e-9 * o.mean);
            check_near(o.latest, want.greatest, 1e-9 * o.latest);
        }
        if (!o.deadlock)
            check_near(o.makespan, want.makespan, 1e-9 * o.makespan);
        else
            assert_true(o.ncircle > 0);
        blocked += o.deadlock;
        stuck += o.deadlock && o.circle[0].half >= 0;
        refused += o.refused > 0;
next:
        processors_release(&o);
        wiring_release(&s.w);
        memset(&s, 0, sizeof s);
    }
    print_message("of 1000: %d refuse, %d block, of these %d on circuits; %d tied\n", refused, blocked, stuck, tied);
    assert_true(refused > 100 && blocked > 20 && stuck > 5 && tied < 450);
}

/* ---- single channels ---- */

/* Messages of host 0 over a path, all but the last node forwarding. */
static void path_open(struct scenario *s, int hops, int messages, bool circuit)
{
    struct wire wire[NODES];

    memset(s, 0, sizeof *s);
    for (int i = 0; i < hops; i++) {
        wire[i] = (struct wire){ .a = i, .b = i + 1, .latency = 1 };
    }
    assert_int_equal(wiring_open(&s->w, hops + 1, wire, (size_t)hops, &err), 0);
    for (int i = 0; i < hops; i++) {
        size_t h = s->w.first[i];

        while (s->w.to[h] != i + 1)
            h++;
        s->hop[i] = (struct processors_hop){ (uint32_t)h, 1 };
    }
    for (int i = 0; i < messages; i++)
        s->message[i] = (struct processors_message){ .hops = hops, .circuit = circuit };
    s->room[0] = s->room[1] = PROCESSORS_ENDLESS;
    s->p = (struct processors_plan){ .w = &s->w, .hop = s->hop, .message = s->message, .n = (size_t)messages, .hosts = 1,
                                     .room = s->room, .parts = 2, .chain = 1, .decide = 0.3, .length = 4, .ack = 0.2,
                                     .confirm = 0.2, .request = 0.5, .flit = 0.5 };
}

static struct processors_outcome path_run(const struct scenario *s)
{
    struct processors_outcome o;

    if (processors_run(&o, &s->p, &err) < 0)
        fail_msg("%s", err.msg);
    free(o.circle);
    o.circle = NULL;
    return o;
}

static void alone_they_take_their_formulas(void **state)
{
    (void)state;
    for (int d = 1; d < NODES; d++)
        for (int n = 1; n < 20; n++) {
            static struct scenario s;
            struct primitive_how how = { .repeat = n, .service = { .decide = 0.3, .ack = 0.2 }, .message = 4,
                                         .confirm = 0.2, .request = 0.5, .flit = 0.5 };

            path_open(&s, d, n, false);
            check_near(path_run(&s).makespan, primitive_stored_time(&how, d, 1), 1e-12 * d * n * 10);
            how.repeat = 1;
            s.message[0].circuit = true;
            s.p.n = 1;
            check_near(path_run(&s).makespan, primitive_circuit_time(&how, d, 1), 1e-12 * d * 10);
            wiring_release(&s.w);
        }
}

static void more_buffers_are_not_slower(void **state)
{
    (void)state;
    for (int chain = 1; chain < 4; chain++) {
        double before = INFINITY;

        for (int buffers = chain; buffers < 12; buffers++) {
            static struct scenario s;
            double now;

            path_open(&s, 1, 20, false);
            s.p.chain = chain;
            s.room[0] = s.room[1] = buffers;
            now = path_run(&s).makespan;
            assert_true(now <= before);
            before = now;
            wiring_release(&s.w);
        }
    }
}

/* Nodes 0 and 1 both send over 2 > 3: what comes to that channel first goes first, a stored message between two requests
 * before the second of them. */
static void channels_serve_in_order_of_arrival(void **state)
{
    static const struct wire wire[] = { { .a = 0, .b = 2, .latency = 1 }, { .a = 1, .b = 2, .latency = 1 },
                                        { .a = 4, .b = 2, .latency = 1 }, { .a = 2, .b = 3, .latency = 1 } };
    static const int from[] = { 0, 1, 4 };

    (void)state;
    rng_seed(&rng, check_seed());
    for (int k = 0; k < 200; k++) {
        struct processors_hop hop[6];
        struct processors_message message[3];
        double due[3], when[3];
        struct wiring w;
        struct processors_plan p = {
            .w = &w, .hop = hop, .message = message, .n = 3, .hosts = 3,
            .room = (int[]){ PROCESSORS_ENDLESS, PROCESSORS_ENDLESS }, .parts = 2, .chain = 1, .decide = 0.01,
            .length = 50, .ack = 0.1, .confirm = 0.1, .request = 0.5, .flit = 0.1, .when = when
        };
        struct processors_outcome o;

        assert_int_equal(wiring_open(&w, 5, wire, 4, &err), 0);
        due[0] = check_uniform(&rng);                   /* a circuit, a stored message, and a circuit behind it */
        due[1] = due[0] + 0.1 + check_uniform(&rng);
        due[2] = due[1] + p.length + 0.1 + check_uniform(&rng);
        for (int i = 0; i < 3; i++) {
            for (size_t h = 0; h < 2 * w.m; h++) {
                if (w.from[h] == from[i] && w.to[h] == 2)
                    hop[2 * i].half = (uint32_t)h;
                if (w.from[h] == 2 && w.to[h] == 3)
                    hop[2 * i + 1].half = (uint32_t)h;
            }
            hop[2 * i].part = 1;
            message[i] = (struct processors_message){ .way = 2 * (size_t)i, .hops = 2, .host = i, .due = due[i],
                                                      .circuit = i != 1 };
        }
        assert_int_equal(processors_run(&o, &p, &err), 0);
        assert_true(o.came == 3 && when[0] < when[1] && when[1] < when[2]);
        wiring_release(&w);
    }
}

/* ---- deadlock ---- */

static void nothing_blocks_where_dependencies_close_no_cycle(void **state)
{
    static const struct {
        const char *net, *routing, *classes;
    } row[] = {
        { "mesh:4x3", "dor", NULL }, { "torus:4x4", "dor", NULL }, { "torus:4x4", "dor", "inversions" },
        { "torus:4x4", "minimal", "remaining" }, { "ring:7", "minimal", "hops" }, { "ring:7", "minimal", NULL },
        { "fattree:4", "dmodk", NULL }, { "fattree:4", "updown", "inversions" }, { "random:16,degree=3", "updown", NULL },
        { "random:16,degree=3", "minimal", "inversions" }, { "hypercube:4", "dor", NULL },
        { "dragonfly,a=3,p=1,h=1", "minimal", "remaining" }, { "mesh:6", "dor", NULL }, { "mesh:2x2", "dor", NULL }
    };
    int free_of = 0, blocked = 0, circuits = 0;

    (void)state;
    EACH_ROW(i, row)
        for (int circuit = 0; circuit < (row[i].classes ? 1 : 2); circuit++) {
            const struct deadlock_options o = { .classes = row[i].classes,
                                                .holds = circuit ? HOLDS_LINKS : HOLDS_BUFFERS };
            struct processors_outcome out;
            struct routing r = { 0 };
            struct traffic t = { 0 };
            struct deadlock d = { 0 };
            struct wire *wire = NULL;
            struct wiring w;
            struct net *net;
            size_t m = 0;

            if (net_open(&net, row[i].net, &err) < 0 || routing_open(&r, net, row[i].routing, &err) < 0 ||
                traffic_open(&t, net, "uniform", &err) < 0 || deadlock_open(&d, net, &r, 1, &o, &err) < 0 ||
                wires_nodes(&wire, &m, net, 0.1, 0, &err) < 0 || wiring_open(&w, net->n, wire, m, &err) < 0)
                fail_msg("%s", err.msg);
            for (int seed = 1; seed < 6; seed++) {
                const int least = row[i].classes ? d.classes.most : 2;
                const struct lading_how how = { .routing = &r, .classes = row[i].classes, .messages = 30,
                                                .buffers = circuit ? 0 : least + seed / 2, .seed = (uint64_t)seed,
                                                .mode = circuit ? LADING_CIRCUIT : LADING_STORED };
                struct processors_plan p = { .w = &w, .chain = 1, .decide = 1, .length = 3, .ack = 0.1, .confirm = 0.1,
                                             .request = 0.2, .flit = 0.2 };

                assert_int_equal(lading_open(&p, &t, &how, &err), 0);
                assert_int_equal(processors_run(&out, &p, &err), 0);
                if (out.deadlock && !d.cyclic)
                    fail_msg("%s by %s, %s: blocks, and no cycle is possible", row[i].net, row[i].routing,
                             row[i].classes ? row[i].classes : circuit ? "circuits" : "one class");
                free_of += !d.cyclic;
                blocked += out.deadlock;
                circuits += out.deadlock && circuit;
                processors_release(&out);
                lading_release(&p);
            }
            wiring_release(&w);
            free(wire);
            deadlock_close(&d);
            traffic_release(&t);
            routing_close(&r);
            net_close(net);
        }
    print_message("%d runs where none can block, %d of the others block, %d of circuits\n", free_of, blocked, circuits);
    assert_true(free_of > 40 && blocked > 20 && circuits > 4);
}

/* ---- where the printed texts fail ---- */

/* II.7: after B acknowledged one message of A, B never sends to A again. */
static void waits_for_an_acknowledgement_of_its_own(void **state)
{
    static struct scenario s;
    struct processors_outcome o;

    (void)state;
    path_open(&s, 1, 1, false);
    s.hop[1] = (struct processors_hop){ s.w.twin[s.hop[0].half], 1 };
    s.message[1] = (struct processors_message){ .way = 1, .hops = 1, .host = 1, .due = 100 };
    s.p.hosts = 2;
    s.p.n = 2;
    check_near(path_run(&s).came, 2, 0);
    s.p.printed = PRINTED_ACK;
    o = path_run(&s);
    assert_true(o.came == 1 && !o.deadlock);
    wiring_release(&s.w);
}

/* III.16: a request is counted before it is queued, finds the channel counted for, and waits for itself. */
static void a_request_waits_for_itself(void **state)
{
    static struct scenario s;
    struct processors_outcome o;

    (void)state;
    path_open(&s, 2, 1, true);
    check_near(path_run(&s).came, 1, 0);
    s.p.printed = PRINTED_ASK;
    o = path_run(&s);
    assert_true(o.came == 0 && o.deadlock && o.ncircle == 1);
    wiring_release(&s.w);
}

/* III.21: freed beyond the destination, too. A circuit 0-1 frees the channel 1-0, which 1's own circuit holds. */
static void frees_beyond_the_destination(void **state)
{
    static struct scenario s;

    (void)state;
    path_open(&s, 1, 1, true);
    s.hop[1] = (struct processors_hop){ s.w.twin[s.hop[0].half], 1 };
    s.message[1] = (struct processors_message){ .way = 1, .hops = 1, .host = 1, .due = 0.4, .circuit = true };
    s.p.hosts = 2;
    s.p.n = 2;
    check_near(path_run(&s).beyond, 0, 0);
    s.p.printed = PRINTED_FREE;
    check_near(path_run(&s).beyond, 2, 0);
    wiring_release(&s.w);
}

/* Sends items of classes[] from a queue; refuses item `refused` the first time; `late` comes behind the second attempt.
 * The order in which they are accepted, as digits; what is sent at most 40 times. */
static int sent(const int *class, int n, int refused, int late, enum dispatch_text text)
{
    struct dispatch_queue q = DISPATCH_EMPTY;
    struct dispatch_item item[10];
    int wait[] = { -1, -1, -1 }, order = 0;

    for (int i = 0; i < n; i++) {
        item[i].class = class[i];
        if (i != late)
            dispatch_push(&q, item, i);
    }
    for (int tries = 0; tries < 40; tries++) {
        const int i = dispatch_next(&q, item, wait, text);

        if (tries == 1 && late >= 0)
            dispatch_push(&q, item, late);
        if (i < 0)
            continue;
        if (i == refused) {
            refused = -1;
            dispatch_answered(&q, item, wait, false, text);
            continue;
        }
        dispatch_answered(&q, item, wait, true, text);
        order = 10 * order + i + 1;
    }
    return order;
}

/* II.10 sends nothing while nobody waits, and takes the class of the queue's new head. */
static void the_printed_queue_sends_nothing(void **state)
{
    (void)state;
    assert_int_equal(sent((int[]){ 0, 1, 2 }, 3, -1, -1, DISPATCH_MENDED), 123);
    assert_int_equal(sent((int[]){ 0, 1, 2 }, 3, -1, -1, DISPATCH_PROSE), 123);
    assert_int_equal(sent((int[]){ 0, 1, 2 }, 3, -1, -1, DISPATCH_FIGURE), 0);
}

/* Figure II.11: messages in buffers 2, 4, 5, 1, 6, of which 1 and 2 are of one class, and 2 is refused: 4, 5, 6, 2, 1 by
 * either text. Of one class a, b, c, of which a is refused and d comes then: a, b, d, c by II.3.3. */
static void refused_classes_stay_where_they_are(void **state)
{
    static const int buffer[] = { 2, 4, 5, 1, 6 }, class[] = { 0, 1, 1, 0, 2 };
    int overtakes = 0;

    (void)state;
    rng_seed(&rng, check_seed());
    for (int text = DISPATCH_MENDED; text <= DISPATCH_PROSE; text++) {
        int order = sent(class, 5, 0, -1, (enum dispatch_text)text), buffers = 0;

        for (int unit = 1; order > 0; order /= 10, unit *= 10)
            buffers += unit * buffer[order % 10 - 1];
        assert_int_equal(buffers, 45621);
    }
    assert_int_equal(sent((int[]){ 0, 0, 0, 0 }, 4, 0, 3, DISPATCH_PROSE), 1243);
    assert_int_equal(sent((int[]){ 0, 0, 0, 0 }, 4, 0, 3, DISPATCH_MENDED), 1234);
    for (int k = 0; k < 20000; k++) {
        int of[7], order[2], n = 3 + below(4);
        bool wrong = false;

        for (int i = 0; i < n; i++)
            of[i] = below(2);
        order[0] = sent(of, n, below(n), n - 1, DISPATCH_MENDED);
        order[1] = sent(of, n, below(n), n - 1, DISPATCH_PROSE);
        for (int text = 0; text < 2; text++) {
            int last[] = { 9, 9 };

            wrong = false;
            for (int left = order[text]; left > 0; left /= 10) {       /* from the last accepted */
                const int i = left % 10 - 1;

                wrong = wrong || i > last[of[i]];
                last[of[i]] = i;
            }
            assert_true(text == 1 || (!wrong && order[0] > 0));
        }
        overtakes += wrong;
    }
    print_message("II.3.3 breaks the order in %d of 20,000 courses\n", overtakes);
    assert_true(overtakes > 500);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_its_twin), cmocka_unit_test(alone_they_take_their_formulas),
        cmocka_unit_test(more_buffers_are_not_slower), cmocka_unit_test(channels_serve_in_order_of_arrival),
        cmocka_unit_test(nothing_blocks_where_dependencies_close_no_cycle),
        cmocka_unit_test(waits_for_an_acknowledgement_of_its_own), cmocka_unit_test(a_request_waits_for_itself),
        cmocka_unit_test(frees_beyond_the_destination), cmocka_unit_test(the_printed_queue_sends_nothing),
        cmocka_unit_test(refused_classes_stay_where_they_are)
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
