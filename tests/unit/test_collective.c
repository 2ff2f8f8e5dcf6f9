/* Every algorithm of collectives, for every operation it serves: run without time it leaves each process with what the
 * operation promises. That the check would say so else: programs broken in one way each. Sizes of pieces; refusals. */
#include <string.h>

#include "model/collective/collective.h"
#include "tests/support/check.h"
#include "tests/support/hosts.h"
#include "tests/support/schedule_check.h"

static void every_algorithm_keeps_its_promise(void **state)
{
    static const int64_t sizes[] = { 0, 1, 7, 1000, 65537 }, segments[] = { 0, 1, 3, 1000 };
    struct err err = { 0 };
    size_t checked = 0;

    (void)state;
    for (int n = 1; n <= 33; n++) {
        struct hosts hosts;

        hosts_open(&hosts, n);
        for (size_t k = 0; collective_all[k]; k++)
            for (enum operation op = 0; op < OPERATIONS; op++)
                for (size_t c = 0; collective_program(collective_all[k], op) && c < COUNT(sizes) * COUNT(segments); c++) {
                    const int64_t bytes = sizes[c % COUNT(sizes)], segment = segments[c / COUNT(sizes)];
                    const int root = (int)((size_t)n * c / (COUNT(sizes) * COUNT(segments)));
                    struct schedule s;

                    if (segment > bytes || (segment && (!collective_all[k]->segments || bytes / segment > 100)))
                        continue;
                    hosts.scene.root = root;
                    if (schedule_open(&s, &(struct schedule){ .algorithm = collective_all[k],
                                                              .operation = (enum operation)op, .n = n, .root = root,
                                                              .bytes = bytes, .segment = segment, .radix = 2 + n % 3,
                                                              .scene = &hosts.scene }, &err) < 0) {
                        assert_true(err.code == ERR_DOMAIN && (collective_all[k]->two || collective_all[k]->even));
                        err = (struct err){ 0 };
                        continue;
                    }
                    if (schedule_check(&s, &err) < 0)
                        fail_msg("%s", err.msg);
                    checked++;
                    schedule_close(&s);
                }
        hosts_release(&hosts);
    }
    print_message("%zu schedules\n", checked);
    assert_true(checked > 0);
}

/* Between groups, those of leaf switches, an allreduce has as many messages as recursive doubling of so many, and the
 * others inside, one up and one down for each who does not lead. */
static void two_levels_are_two(void **state)
{
    static const int hosts[][5] = { { 0, 2, 4, 6, -1 }, { 0, 1, 2, 3, 5 }, { 9, 8, 15, 3, 2 } };    /* of fattree:4 */

    (void)state;
    EACH_ROW(row, hosts)
        for (int more = 0; more < 3; more++) {
            struct err err = { 0 };
            struct action a = { 0 };
            struct net *net;
            struct placement where;
            struct schedule s;
            int node[8], n = 0, groups = 0, core = 1, steps = 0, cross = 0, inside = 0;
            bool leaf[8] = { false };

            for (int i = 0; i < 5; i++)
                if (hosts[row][i] >= 0)
                    node[n++] = hosts[row][i];
            for (int i = 0; i < more; i++)
                node[n++] = 10 + i;
            for (int p = 0; p < n; p++) {
                groups += !leaf[node[p] / 2];
                leaf[node[p] / 2] = true;
            }
            for (; 2 * core <= groups; core *= 2)
                steps++;
            assert_int_equal(net_open(&net, "fattree:4", &err), 0);
            assert_int_equal(placement_from(&where, net, node, n, &err), 0);
            if (schedule_open(&s, &(struct schedule){ .algorithm = collective_find("two-level", &err),
                    .operation = ALLREDUCE, .n = n, .root = n / 2, .bytes = 100, .segment = 7,
                    .scene = &(struct tree_scene){ .net = net, .where = &where, .root = n / 2, .hop = 1 } },
                              &err) < 0 ||
                schedule_check(&s, &err) < 0)
                fail_msg("%s", err.msg);
            for (int p = 0; p < n; p++)
                for (int64_t i = 0; i < schedule_length(&s, p); i++) {
                    assert_int_equal(schedule_action(&a, &s, p, i, &err), 0);
                    if (a.what == ACTION_SEND)
                        node[p] / 2 == node[a.peer] / 2 ? inside++ : cross++;
                }
            if (groups > 1 && groups < n) {
                assert_int_equal(cross, core * steps + 2 * (groups - core));
                assert_int_equal(inside, 2 * (n - groups) * s.npieces);
            }
            free(a.run);
            schedule_close(&s);
            placement_release(&where);
            net_close(net);
        }
}

/* ---- broken programs ---- */

/* An algorithm whose actions are written down, those of each process in their order. */
struct step {
    int process;
    enum action_what what;
    int peer;
    int64_t first, count;
};
struct script {
    struct collective c;                /* the first member: what a schedule knows of it */
    const struct step *step;
    size_t n;
    int longer;                         /* than its actions, it says it is */
};

static int64_t script_length(const struct schedule *s, int p)
{
    const struct script *script = (const struct script *)s->algorithm;
    int64_t n = script->longer;

    for (size_t k = 0; k < script->n; k++)
        n += script->step[k].process == p;
    return n;
}

static int script_action(struct action *a, const struct schedule *s, int p, int64_t i, struct err *err)
{
    const struct script *script = (const struct script *)s->algorithm;

    for (size_t k = 0; k < script->n; k++)
        if (script->step[k].process == p && i-- == 0) {
            a->what = script->step[k].what;
            a->peer = script->step[k].peer;
            return action_run(a, script->step[k].first, script->step[k].count, 0, err);
        }
    return 0;
}

static const struct program scripted = { .length = script_length, .action = script_action };
static const struct program segmented = { .open = schedule_segments, .length = script_length, .action = script_action };

#define SEND ACTION_SEND
#define RECEIVE ACTION_RECEIVE
#define COMBINE ACTION_COMBINE

/* Among n processes, root 0, of a piece for each process (for each pair). `says` NULL: nothing is wrong. The first row
 * of an operation is right: the others differ from it by what is wrong. */
static const struct {
    const char *name;
    enum operation operation;
    int n, longer;
    struct step step[9];                /* to the first of ACTION_END */
    const char *says;
} scripts[] = {
    { "broadcast", BROADCAST, 2, 0, { { 0, SEND, 1, 0, 2 }, { 1, RECEIVE, 0, 0, 2 } }, NULL },
    { "nothing done", BROADCAST, 2, 0, { { 0 } }, "process 1 has not what it should in the end (piece 0)" },
    { "a piece left out", BROADCAST, 2, 0, { { 0, SEND, 1, 0, 1 }, { 1, RECEIVE, 0, 0, 1 } },
      "process 1 has not what it should in the end (piece 1)" },
    { "a wrong peer is waited for", BROADCAST, 3, 0, { { 0, SEND, 1, 0, 3 }, { 0, SEND, 2, 0, 3 },
      { 1, RECEIVE, 0, 0, 3 }, { 2, RECEIVE, 1, 0, 3 } }, "process 0 sent what no process takes (piece 2)" },
    { "a wrong peer is sent to", BROADCAST, 3, 0, { { 0, SEND, 1, 0, 3 }, { 0, SEND, 1, 0, 3 },
      { 1, RECEIVE, 0, 0, 3 }, { 2, RECEIVE, 0, 0, 3 } }, "process 0 sent what no process takes (piece 1)" },
    { "nobody sends", BROADCAST, 2, 0, { { 1, RECEIVE, 0, 0, 2 } }, "action 0 of process 1 waits for ever" },
    { "a peer beyond the last", BROADCAST, 2, 0, { { 0, SEND, 2, 0, 2 } }, "process 0 has no such peer (piece 2)" },
    { "a peer before the first", BROADCAST, 2, 0, { { 1, RECEIVE, -1, 0, 2 } }, "process 1 has no such peer" },
    { "itself", BROADCAST, 2, 0, { { 0, SEND, 0, 0, 2 } }, "action 0 of process 0 has no such peer" },
    { "sent before it is there", BROADCAST, 3, 0, { { 0, SEND, 1, 0, 3 }, { 1, SEND, 2, 0, 3 }, { 1, RECEIVE, 0, 0, 3 },
      { 2, RECEIVE, 1, 0, 3 } }, "action 0 of process 1 sends what it does not have (piece 0)" },
    { "one of the pieces is not there", BROADCAST, 3, 0, { { 0, SEND, 1, 0, 2 }, { 1, RECEIVE, 0, 0, 2 },
      { 1, SEND, 2, 0, 3 } }, "action 1 of process 1 sends what it does not have (piece 2)" },
    { "no such piece", BROADCAST, 2, 0, { { 0, SEND, 1, 1, 2 } }, "sends a piece that there is not (piece 2)" },
    { "a piece before the first", BROADCAST, 2, 0, { { 0, SEND, 1, -1, 2 } },
      "sends a piece that there is not (piece -1)" },
    { "a message nobody takes", BROADCAST, 2, 0, { { 0, SEND, 1, 0, 2 }, { 0, SEND, 1, 0, 2 },
      { 1, RECEIVE, 0, 0, 2 } },
      "process 0 sent what no process takes" },
    { "an empty one", BROADCAST, 2, 0, { { 0, SEND, 1, 0, 2 }, { 0, SEND, 1, 0, 0 }, { 1, RECEIVE, 0, 0, 2 } },
      "process 0 sent what no process takes" },
    { "other pieces announced", BROADCAST, 3, 0, { { 0, SEND, 1, 0, 2 }, { 1, RECEIVE, 0, 1, 2 } },
      "action 0 of process 1 takes other pieces than were sent (piece 1)" },
    { "more announced", BROADCAST, 2, 0, { { 0, SEND, 1, 0, 1 }, { 1, RECEIVE, 0, 0, 2 } },
      "takes other pieces than were sent (piece 1)" },
    { "fewer announced", BROADCAST, 2, 0, { { 0, SEND, 1, 0, 2 }, { 1, RECEIVE, 0, 0, 1 } },
      "takes fewer pieces than were sent" },
    { "taken in another order", BROADCAST, 2, 0, { { 0, SEND, 1, 0, 1 }, { 0, SEND, 1, 1, 1 }, { 1, RECEIVE, 0, 1, 1 },
      { 1, RECEIVE, 0, 0, 1 } }, "action 0 of process 1 takes other pieces than were sent (piece 1)" },
    { "a length too long", BROADCAST, 2, 1, { { 0, SEND, 1, 0, 2 }, { 1, RECEIVE, 0, 0, 2 } },
      "action 1 of process 0 ends before its length" },
    { "reduce", REDUCE, 3, 0, { { 2, SEND, 1, 0, 3 }, { 1, COMBINE, 2, 0, 3 }, { 1, SEND, 0, 0, 3 },
      { 0, COMBINE, 1, 0, 3 } }, NULL },
    { "combined twice", REDUCE, 3, 0, { { 2, SEND, 1, 0, 3 }, { 2, SEND, 0, 0, 3 }, { 1, COMBINE, 2, 0, 3 },
      { 1, SEND, 0, 0, 3 }, { 0, COMBINE, 1, 0, 3 }, { 0, COMBINE, 2, 0, 3 } },
      "action 1 of process 0 combines a contribution twice (piece 0)" },
    { "passed on too early", REDUCE, 3, 0, { { 2, SEND, 1, 0, 3 }, { 1, SEND, 0, 0, 3 }, { 1, COMBINE, 2, 0, 3 },
      { 0, COMBINE, 1, 0, 3 } }, "process 0 has not what it should in the end (piece 0)" },
    { "received, not combined", REDUCE, 2, 0, { { 1, SEND, 0, 0, 2 }, { 0, RECEIVE, 1, 0, 2 } },
      "process 0 has not what it should in the end (piece 0)" },
    { "reduced at the wrong process", REDUCE, 2, 0, { { 0, SEND, 1, 0, 2 }, { 1, COMBINE, 0, 0, 2 } },
      "process 0 has not what it should" },
    { "allreduce", ALLREDUCE, 2, 0, { { 0, SEND, 1, 0, 2 }, { 0, COMBINE, 1, 0, 2 }, { 1, SEND, 0, 0, 2 },
      { 1, COMBINE, 0, 0, 2 } }, NULL },
    { "exchanged after adding", ALLREDUCE, 2, 0, { { 0, SEND, 1, 0, 2 }, { 0, COMBINE, 1, 0, 2 },
      { 1, COMBINE, 0, 0, 2 }, { 1, SEND, 0, 0, 2 } }, "action 1 of process 0 combines a contribution twice" },
    { "one without the sum", ALLREDUCE, 2, 0, { { 0, SEND, 1, 0, 2 }, { 1, COMBINE, 0, 0, 2 } },
      "process 0 has not what it should in the end (piece 0)" },
    { "reduce-scatter", REDUCE_SCATTER, 2, 0, { { 0, SEND, 1, 1, 1 }, { 0, COMBINE, 1, 0, 1 }, { 1, SEND, 0, 0, 1 },
      { 1, COMBINE, 0, 1, 1 } }, NULL },
    { "the other's block", REDUCE_SCATTER, 2, 0, { { 0, SEND, 1, 0, 1 }, { 0, COMBINE, 1, 1, 1 },
      { 1, SEND, 0, 1, 1 }, { 1, COMBINE, 0, 0, 1 } }, "process 0 has not what it should in the end (piece 0)" },
    { "gather", GATHER, 2, 0, { { 1, SEND, 0, 1, 1 }, { 0, RECEIVE, 1, 1, 1 } }, NULL },
    { "the block of another", GATHER, 2, 0, { { 1, SEND, 0, 0, 1 } },
      "process 1 sends what it does not have (piece 0)" },
    { "gathered at the wrong process", GATHER, 2, 0, { { 0, SEND, 1, 0, 1 }, { 1, RECEIVE, 0, 0, 1 } },
      "process 0 has not what it should in the end (piece 1)" },
    { "scatter", SCATTER, 2, 0, { { 0, SEND, 1, 1, 1 }, { 1, RECEIVE, 0, 1, 1 } }, NULL },
    { "the root's own block", SCATTER, 2, 0, { { 0, SEND, 1, 0, 1 }, { 1, RECEIVE, 0, 0, 1 } },
      "process 1 has not what it should in the end (piece 1)" },
    { "allgather", ALLGATHER, 2, 0, { { 0, SEND, 1, 0, 1 }, { 0, RECEIVE, 1, 1, 1 }, { 1, SEND, 0, 1, 1 },
      { 1, RECEIVE, 0, 0, 1 } }, NULL },
    { "both wait first", ALLGATHER, 2, 0, { { 0, RECEIVE, 1, 1, 1 }, { 0, SEND, 1, 0, 1 }, { 1, RECEIVE, 0, 0, 1 },
      { 1, SEND, 0, 1, 1 } }, "action 0 of process 0 waits for ever" },
    { "all-to-all", ALLTOALL, 2, 0, { { 0, SEND, 1, 1, 1 }, { 0, RECEIVE, 1, 2, 1 }, { 1, SEND, 0, 2, 1 },
      { 1, RECEIVE, 0, 1, 1 } }, NULL },
    { "blocks for oneself", ALLTOALL, 2, 0, { { 0, SEND, 1, 0, 1 }, { 0, RECEIVE, 1, 3, 1 }, { 1, SEND, 0, 3, 1 },
      { 1, RECEIVE, 0, 0, 1 } }, "process 0 has not what it should in the end (piece 2)" },
    { "barrier", BARRIER, 2, 0, { { 0, SEND, 1, 0, 1 }, { 0, COMBINE, 1, 0, 1 }, { 1, SEND, 0, 0, 1 },
      { 1, COMBINE, 0, 0, 1 } }, NULL },
    { "one not waited for", BARRIER, 3, 0, { { 0, SEND, 1, 0, 1 }, { 1, COMBINE, 0, 0, 1 }, { 1, SEND, 2, 0, 1 },
      { 2, COMBINE, 1, 0, 1 }, { 2, SEND, 0, 0, 1 }, { 0, COMBINE, 2, 0, 1 } },
      "process 1 has not what it should in the end (piece 0)" }
};

static void what_is_wrong_is_said(void **state)
{
    (void)state;
    EACH_ROW(row, scripts) {
        struct script script = { .c = { .name = "a script" }, .step = scripts[row].step,
                                 .longer = scripts[row].longer };
        struct err err = { 0 };
        struct schedule s;
        int ret;

        while (script.n < COUNT(scripts[row].step) && script.step[script.n].what != ACTION_END)
            script.n++;
        script.c.serves[scripts[row].operation] = &scripted;
        assert_int_equal(schedule_open(&s, &(struct schedule){ .algorithm = &script.c,
                                                               .operation = scripts[row].operation,
                                                               .n = scripts[row].n, .bytes = 7 }, &err), 0);
        ret = schedule_check(&s, &err);
        if (scripts[row].says ? ret != -1 || err.code != ERR_INTERNAL || !strstr(err.msg, scripts[row].says) : ret != 0)
            fail_msg("%s: %s", scripts[row].name, ret ? err.msg : "nothing is found wrong");
        schedule_close(&s);
    }
}

/* Two programs over the same pieces are checked, and counted, as one after the other. */
static void parts_follow_each_other(void **state)
{
    static const struct step steps[] = { { 0, SEND, 1, 0, 2 }, { 1, COMBINE, 0, 0, 2 } };
    static const struct program *const once[] = { &scripted, NULL }, *const twice[] = { &scripted, &scripted, NULL };
    const struct program programs[] = { { .parts = once }, { .parts = twice } };
    struct action a = { 0 };
    struct err err = { 0 };

    (void)state;
    for (int64_t k = 0; k < 2; k++) {
        const struct script script = { .c = { .name = "a script", .serves = { [REDUCE] = &programs[k] } },
                                       .step = steps, .n = COUNT(steps) };
        struct schedule s;

        assert_int_equal(schedule_open(&s, &(struct schedule){ .algorithm = &script.c, .operation = REDUCE, .n = 2,
                                                               .root = 1, .bytes = 7 }, &err), 0);
        assert_int_equal(schedule_length(&s, 0), k + 1);
        for (int64_t i = 0; i <= k + 1; i++) {
            assert_int_equal(schedule_action(&a, &s, 0, i, &err), 0);
            assert_int_equal(a.what, i <= k ? ACTION_SEND : ACTION_END);
        }
        assert_int_equal(schedule_check(&s, &err), k ? -1 : 0);
        schedule_close(&s);
    }
    assert_non_null(strstr(err.msg, "action 1 of process 1 combines a contribution twice"));
    free(a.run);
}

/* ---- pieces ---- */

static void pieces_are_the_whole(void **state)
{
    static const int64_t sizes[] = { 0, 1, 2, 7, 1000, 65537, 1000003 }, segments[] = { 0, 1, 2, 3, 7, 999, 65537 };
    struct script script = { .c = { .name = "a script", .segments = true } };
    struct err err = { 0 };

    (void)state;
    for (enum operation op = 0; op < OPERATIONS; op++)
        for (int n = 1; n <= 33; n++)
            for (size_t c = 0; c < COUNT(sizes) * COUNT(segments); c++) {
                const int64_t bytes = sizes[c % COUNT(sizes)], segment = segments[c / COUNT(sizes)];
                const int64_t whole = op == GATHER || op == SCATTER || op == ALLGATHER ? n * bytes :
                    op == ALLTOALL ? n * n * bytes : op == BARRIER ? 0 : bytes;
                const bool cut = op == BROADCAST || op == REDUCE || op == ALLREDUCE;
                int64_t sum = 0, least = INT64_MAX, most = 0;
                struct schedule s;

                if (segment > bytes || (segment && bytes / segment > 100000))
                    continue;
                script.c.serves[op] = cut ? &segmented : &scripted;
                assert_int_equal(schedule_open(&s, &(struct schedule){ .algorithm = &script.c,
                        .operation = (enum operation)op, .n = n, .bytes = bytes, .segment = segment }, &err), 0);
                for (int64_t k = 0; k < s.npieces; k++) {
                    const int64_t piece = schedule_piece(&s, k);

                    sum += piece;
                    least = piece < least ? piece : least;
                    most = piece > most ? piece : most;
                }
                assert_int_equal(sum, whole);
                assert_true(least >= 0 && most - least <= 1 && (!cut || !segment || most <= segment));
                assert_int_equal(s.npieces, cut ? segment ? (bytes + segment - 1) / segment : 1 :
                                 op == BARRIER ? 1 : op == ALLTOALL ? n * n : n);
                schedule_close(&s);
            }
}

/* Runs that go round are cut in two, and are as large as their pieces. */
static void runs_go_round(void **state)
{
    const struct script script = { .c = { .name = "a script", .serves = { [REDUCE_SCATTER] = &scripted } } };
    struct action a = { 0 };
    struct err err = { 0 };
    struct schedule s;

    (void)state;
    assert_int_equal(schedule_open(&s, &(struct schedule){ .algorithm = &script.c, .operation = REDUCE_SCATTER,
                                                           .n = 7, .bytes = 12345 }, &err), 0);
    for (int64_t first = 0; first < 14; first++)
        for (int64_t count = 0; count <= 7; count++) {
            int64_t bytes = 0, want = first, got = 0;

            a.nrun = 0;
            assert_int_equal(action_run(&a, first, count, 7, &err), 0);
            assert_true(a.nrun <= 2);
            for (size_t r = 0; r < a.nrun; r++)
                for (int64_t k = a.run[r].first; k < a.run[r].first + a.run[r].count; k++, want++, got++) {
                    assert_int_equal(k, want % 7);
                    bytes += schedule_piece(&s, k);
                }
            assert_int_equal(got, count);
            assert_int_equal(schedule_bytes(&s, &a), bytes);
        }
    schedule_close(&s);
    free(a.run);
}

/* ---- refusals ---- */

static void what_cannot_be_is_refused(void **state)
{
    static const struct script any = { .c = { .name = "any", .serves = { [BROADCAST] = &segmented,
                                              [ALLGATHER] = &scripted, [ALLTOALL] = &scripted } } },
        two = { .c = { .name = "two", .serves = { [BROADCAST] = &scripted }, .two = true } },
        even = { .c = { .name = "even", .serves = { [BROADCAST] = &scripted }, .even = true } };
    static const struct {
        const struct script *script;
        enum operation operation;
        int n;
        int64_t bytes, segment;
        const char *says;               /* NULL: it is taken */
    } rows[] = {
        { &any, REDUCE, 4, 7, 0, "any does not serve reduce; binary, binomial" },
        { &any, REDUCE_SCATTER, 4, 7, 0, "any does not serve reduce-scatter" },
        { &two, BROADCAST, 3, 7, 0, "two takes a power of two of processes, not 3" },
        { &two, BROADCAST, 48, 7, 0, "not 48" }, { &two, BROADCAST, 1, 7, 0, NULL }, { &two, BROADCAST, 2, 7, 0, NULL },
        { &two, BROADCAST, 1 << 20, 7, 0, NULL },
        { &even, BROADCAST, 7, 7, 0, "even takes an even number of processes, not 7" },
        { &even, BROADCAST, 6, 7, 0, NULL }, { &even, BROADCAST, 1, 7, 0, NULL },
        { &any, BROADCAST, 4, 7, 8, "segments of 8 bytes are more than the message of 7" },
        { &any, BROADCAST, 4, 7, 7, NULL }, { &any, BROADCAST, 4, 0, 1, "segments of 1 bytes" },
        { &any, BROADCAST, 4, 1ll << 50, 0, NULL },
        { &any, BROADCAST, 4, (1ll << 50) + 1, 0, "moves more than 2^50 bytes" },
        { &any, ALLGATHER, 4, 1ll << 48, 0, NULL },
        { &any, ALLGATHER, 4, (1ll << 48) + 1, 0, "moves more than 2^50 bytes" },
        { &any, ALLTOALL, 4, 1ll << 46, 0, NULL },
        { &any, ALLTOALL, 4, (1ll << 46) + 1, 0,
          "all-to-all of 70368744177665 bytes among 4 processes moves more than 2^50 bytes" },
        { &any, ALLTOALL, INT32_MAX, INT64_MAX, 0, "moves more than 2^50 bytes" },
        { &any, BROADCAST, 4, 1ll << 31, 1, NULL },
        { &any, BROADCAST, 4, (1ll << 31) + 1, 1, "more than 2^31" }
    };

    (void)state;
    EACH_ROW(row, rows) {
        struct schedule s = { .n = -5 };
        struct err err = { 0 };
        const int ret = schedule_open(&s, &(struct schedule){ .algorithm = &rows[row].script->c,
                                                              .operation = rows[row].operation, .n = rows[row].n,
                                                              .bytes = rows[row].bytes,
                                                              .segment = rows[row].segment }, &err);

        if (rows[row].says ? ret != -1 || err.code != ERR_DOMAIN || !strstr(err.msg, rows[row].says) : ret != 0)
            fail_msg("row %zu: %s", row, ret ? err.msg : "it is taken");
        assert_int_equal(s.n, ret ? -5 : rows[row].n);      /* nothing is written where it is refused */
        if (ret == 0)
            schedule_close(&s);
    }
}

static void checks_of_many_are_refused(void **state)
{
    struct err err = { 0 };
    struct schedule s;

    (void)state;
    assert_int_equal(schedule_open(&s, &(struct schedule){ .algorithm = collective_find("ring", NULL),
                                                           .operation = ALLGATHER, .n = 64, .bytes = 7 }, &err), 0);
    assert_int_equal(schedule_check(&s, &err), 0);
    schedule_close(&s);
    assert_int_equal(schedule_open(&s, &(struct schedule){ .algorithm = collective_find("ring", NULL),
                                                           .operation = ALLGATHER, .n = 65, .bytes = 7 }, &err), 0);
    assert_int_equal(schedule_check(&s, &err), -1);
    assert_int_equal(err.code, ERR_DOMAIN);
    schedule_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_algorithm_keeps_its_promise),
        cmocka_unit_test(two_levels_are_two),
        cmocka_unit_test(what_is_wrong_is_said),
        cmocka_unit_test(parts_follow_each_other),
        cmocka_unit_test(pieces_are_the_whole),
        cmocka_unit_test(runs_go_round),
        cmocka_unit_test(what_cannot_be_is_refused),
        cmocka_unit_test(checks_of_many_are_refused)
    };

    int failed;

    net_setup();
    failed = cmocka_run_group_tests(tests, NULL, NULL);
    net_teardown();
    return failed;
}
