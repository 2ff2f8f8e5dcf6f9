/* Orders of blocking calls: what is known of rings and matrices, every interleaving of small ones, and messages in the
 * order of what must end before them. SEED=n repeats. */
#include <string.h>

#include "analysis/deadlock/orders.h"
#include "tests/support/check.h"

static struct err err;
static uint64_t seed;

static char *text;              /* of a file that is put together here */
static size_t len;
static FILE *stream;

static void begin(void)
{
    stream = open_memstream(&text, &len);
    assert_non_null(stream);
    fputs("process,op,peer,tag\n", stream);
}

static void end(void)
{
    fclose(stream);
}

static int open_text(struct orders *o, const char *csv_text, size_t n)
{
    struct csv csv = { 0 };
    int ret = -1;

    err = (struct err){ ERR_NONE, "" };
    if (csv_parse(&csv, csv_text, n, "a.csv", &err) == 0)
        ret = orders_from(o, &csv, "a.csv", &err);
    csv_release(&csv);
    return ret;
}

static void open_made(struct orders *o)
{
    end();
    if (open_text(o, text, len) < 0)
        fail_msg("%s\n%s", err.msg, text);
    free(text);
}

/* ---- files by hand ---- */

static const struct {
    const char *name, *rows;    /* below the heading process,op,peer,tag */
    size_t done;
    int rounds, waiting, circles;
    const char *circle;
} cases[] = {
    { "both send first", "0,send,1,\n0,recv,1,\n1,send,0,\n1,recv,0,\n", 0, 0, 2, 1, "0 1" },
    { "both receive first", "1,recv,0,\n1,send,0,\n0,recv,1,\n0,send,1,\n", 0, 0, 2, 1, "0 1" },
    { "one sends, one receives first", "0,send,1,\n0,recv,1,\n1,recv,0,\n1,send,0,\n", 4, 2, 0, 0, "" },
    { "tags taken in the order they are sent", "0,send,1,a\n0,send,1,b\n1,recv,0,a\n1,recv,0,b\n", 4, 2, 0, 0, "" },
    { "tags in another order", "0,send,1,a\n0,send,1,b\n1,recv,0,b\n1,recv,0,a\n", 0, 0, 2, 1, "0 1" },
    { "no tag is a tag of its own", "0,send,1,\n0,send,1,b\n1,recv,0,b\n1,recv,0,\n", 0, 0, 2, 1, "0 1" },
    { "one waits behind a circle", "c,send,a,\na,send,b,\na,recv,b,\nb,send,a,\nb,recv,a,\na,recv,c,\n", 0, 0, 3, 1,
      "a b" },
    { "two circles, the first process in none",
      "0,send,9,\n9,send,8,\n8,send,9,\n8,recv,9,\n9,recv,8,\n9,recv,0,\n"
      "10,recv,2,\n2,recv,10,\n2,send,10,\n10,send,2,\n",
      0, 0, 5, 2, "2 10" },
    { "a circle after what ends",
      "0,send,1,\n1,recv,0,\n0,recv,2,\n1,recv,0,\n2,recv,1,\n0,send,1,\n1,send,2,\n2,send,0,\n",
      2, 1, 3, 1, "0 2 1" },
    { "names that are numbers, of any size",
      "99999999999999999999999,send,012,\n012,send,99999999999999999999999,\n99999999999999999999999,recv,012,\n"
      "012,recv,99999999999999999999999,\n", 0, 0, 2, 1, "012 99999999999999999999999" },
    { "numbers before words, words as they come",
      "z,send,y,\ny,send,z,\ny,recv,z,\nz,recv,y,\nx,send,5,\n5,send,x,\n5,recv,x,\nx,recv,5,\n", 0, 0, 4, 2, "5 x" },
    { "blanks around what is said", " a , send ,b, t \nb,recv ,  a,t\n", 2, 1, 0, 0, "" },
};

static void by_hand(void **state)
{
    (void)state;
    EACH_ROW(i, cases) {
        char circle[100] = "";
        struct orders o;

        begin();
        fputs(cases[i].rows, stream);
        open_made(&o);
        for (int k = 0; k < o.ncircle; k++)
            snprintf(circle + strlen(circle), sizeof circle - strlen(circle), "%s%s", k ? " " : "",
                     o.name[o.circle[k]]);
        if (o.done != cases[i].done || o.rounds != cases[i].rounds || o.waiting != cases[i].waiting ||
            o.circles != cases[i].circles || strcmp(circle, cases[i].circle) != 0)
            fail_msg("%s: %zu calls end in %d rounds, %d wait, %d circles, the first '%s'", cases[i].name, o.done,
                     o.rounds, o.waiting, o.circles, circle);
        orders_close(&o);
    }
}

static void calls_are_told(void **state)
{
    static const char file[] =
        "tag;peer;note;op;process\n# a comment\nt;1;;send;0\n;1;;recv;0\n\n;0;;send;1\nt;0;;recv;1\n";
    const struct orders_call *c;
    struct orders o;

    (void)state;
    assert_int_equal(open_text(&o, file, strlen(file)), 0);
    assert_int_equal(o.n, 2);
    assert_int_equal(o.ncall, 4);
    c = orders_waits(&o, 0);
    assert_true(c && c->process == 0 && c->peer == 1 && c->send && c->line == 3 && strcmp(c->tag, "t") == 0);
    c = orders_waits(&o, 1);
    assert_true(c && c->process == 1 && c->peer == 0 && c->send && c->line == 6 && strcmp(c->tag, "") == 0);
    orders_close(&o);
}

static const struct {
    const char *file, *says;
} faults[] = {
    { "process,op\n0,send\n", "a.csv has no column 'peer'" },
    { "process,peer,tag\n0,1,1\n", "a.csv has no column 'op'" },
    { "Process,op,peer\n0,send,1\n", "a.csv has no column 'process'" },
    { "process,op,peer\n", "a.csv has a heading and no calls" },
    { "", "a.csv is empty" },
    { "process,op,peer\n0,send\n", "a.csv:2 has 2 fields" },
    { "process,op,peer\n0,send,1\n1,retrieve,0\n", "a.csv:3: op is 'retrieve'; it must be send or recv" },
    { "process,op,peer\n0,sendrecv,1\n", "a.csv:2: op is 'sendrecv'" },
    { "process,op,peer\n0,,1\n", "a.csv:2: op is empty" },
    { "process,op,peer\n0,send, \n", "a.csv:2: peer is empty" },
    { "process,op,peer\n,send,1\n", "a.csv:2: process is empty" },
    { "process,op,peer\n0,send,1\n1,recv,0\n2,send,2\n", "a.csv:4: process 2 sends to itself" },
    { "process,op,peer\nb,recv,b\n", "a.csv:2: process b receives from itself" },
    { "process,op,peer\n0,recv,*\n",
      "a.csv:2: peer is '*'; what such a call is matched with depends on which is faster" },
    { "process,op,peer\n0,recv,Any\n", "a.csv:2: peer is 'Any'; what" },
    { "process,op,peer,tag\n0,recv,1,MPI_ANY_TAG\n", "a.csv:2: tag is 'MPI_ANY_TAG'; what" },
    { "process,op,peer\n\"a\nb\",send,1\n", "a.csv:2: process is 'a?b', with a character" },
    { "process,op,peer\n0,send,\xff\n", "a.csv:2: peer is '?', with a character" },
    { "process,op,peer\n2,send,5\n", "a.csv:2: process 2 sends to 5, which makes no calls" },
    { "process,op,peer\n5,send,2\n2,recv,5\n2,send,5\n", "a.csv:4: process 2 sends to 5, which never receives it" },
    { "process,op,peer,tag\n2,send,5,1\n5,recv,2,2\n",
      "a.csv:2: process 2 sends to 5 (tag 1), which never receives it" },
    { "process,op,peer,tag\n5,recv,2,\n2,send,5,1\n",
      "a.csv:2: process 5 receives from 2 (no tag), which never sends it" },
    { "process,op,peer\n0,send,1\n0,send,1\n1,recv,0\n0,send,1\n1,recv,0\n",
      "a.csv:5: process 0 sends to 1, which receives only 2 of 3 such messages" },
    { "process,op,peer\n0,send,1\n1,recv,0\n1,recv,0\n",
      "a.csv:4: process 1 receives from 0, which sends only 1 of 2 such messages" },
};

static void faults_are_named(void **state)
{
    (void)state;
    EACH_ROW(i, faults) {
        struct orders o;

        assert_int_equal(open_text(&o, faults[i].file, strlen(faults[i].file)), -1);
        if (err.code != ERR_FORMAT || strncmp(err.msg, faults[i].says, strlen(faults[i].says)) != 0)
            fail_msg("code %d, '%s', not '%s'", err.code, err.msg, faults[i].says);
    }
}

/* ---- orders whose end is known ---- */

static void put(int process, bool send, int peer)
{
    fprintf(stream, "%d,%s,%d,\n", process, send ? "send" : "recv", peer);
}

/* All send to the right and then receive from the left: a circle of all. One that receives first breaks it, and the
 * message goes round behind it, one hop a round. Odd ones that receive first: two rounds, three where an odd number of
 * processes puts two even ones side by side. */
static void rings(void **state)
{
    (void)state;
    for (int n = 2; n <= 40; n++)
        for (int way = 0; way < 3; way++) {
            struct orders o;

            begin();
            for (int i = n - 1; i >= 0; i--) {
                const bool send = way == 0 ? true : way == 1 ? i != 0 : i % 2 == 0;

                put(i, send, send ? (i + 1) % n : (i + n - 1) % n);
                put(i, !send, !send ? (i + 1) % n : (i + n - 1) % n);
            }
            open_made(&o);
            assert_int_equal(o.n, n);
            if (way == 0) {
                assert_int_equal(o.done, 0);
                assert_int_equal(o.waiting, n);
                assert_int_equal(o.circles, 1);
                assert_int_equal(o.ncircle, n);
                for (int i = 0; i < n; i++)
                    assert_int_equal(o.circle[i], i);
            } else {
                assert_int_equal(o.done, 2 * n);
                assert_int_equal(o.waiting + o.circles + o.ncircle, 0);
                assert_int_equal(o.rounds, way == 1 ? n : n % 2 ? 3 : 2);
            }
            orders_close(&o);
        }
}

/* Process i walks row i of an N x N matrix, then column i; above the diagonal it sends to the other index, below it
 * receives from it. By induction over rows and columns the message from i to c > i ends in round i + c, that from c to
 * i in round N + i + c (of N > 2): both of its ends come from a call that ended one round before, or earlier. */
static void matrix_walks(void **state)
{
    (void)state;
    for (int n = 2; n <= 64; n++) {
        static int sent[64][64];
        struct orders o;

        memset(sent, 0, sizeof sent);
        begin();
        for (int i = 0; i < n; i++)
            for (int k = 0; k < 2 * n; k++)
                if (k % n != i)
                    put(i, k < n ? k > i : k - n < i, k % n);
        open_made(&o);
        assert_int_equal(o.ncall, 2 * n * (n - 1));
        assert_int_equal(o.done, o.ncall);
        assert_int_equal(o.waiting + o.circles, 0);
        for (size_t i = 0; i < o.ncall; i++)
            sent[o.call[i].process][o.call[i].peer] += o.call[i].send && o.call[i].round > 0;
        for (size_t i = 0; i < o.ncall; i++) {
            const int p = o.call[i].process, q = o.call[i].peer, up = o.call[i].send == (p < q);

            assert_int_equal(o.call[i].round, up ? p + q : n > 2 ? n + p + q : 2);
        }
        for (int i = 0; i < n; i++)
            for (int k = 0; k < n; k++)
                assert_int_equal(sent[i][k], i != k);
        orders_close(&o);
    }
}

/* ---- twins ---- */

/* Who comes back to itself by following those waited for, one by one, is in a circle. */
static void check_circles(const struct orders *o)
{
    int circles = 0, waiting = 0, first = -1;

    for (int p = 0; p < o->n; p++) {
        int v = p, steps = 0, least = p;

        if (!orders_waits(o, p))
            continue;
        waiting++;
        do {
            v = orders_waits(o, v)->peer;
            assert_non_null(orders_waits(o, v));
            least = v < least ? v : least;
        } while (v != p && ++steps <= o->n);
        if (v == p && least == p) {
            circles++;
            first = first < 0 ? p : first;
            if (p == first)
                assert_int_equal(o->ncircle, steps + 1);
        }
    }
    assert_int_equal(o->waiting, waiting);
    assert_int_equal(o->circles, circles);
    assert_int_equal(o->ncircle > 0 ? o->circle[0] : -1, first);
    for (int i = 0; i < o->ncircle; i++)
        assert_int_equal(orders_waits(o, o->circle[i])->peer, o->circle[(i + 1) % o->ncircle]);
}

#define MOST 6                  /* processes */
#define CALLS 8                 /* of one */
#define MESSAGES 200

struct program {
    int n, m;                   /* processes, messages */
    int from[MESSAGES], to[MESSAGES], tag[MESSAGES];
    int ncall[64], call[64][2 * MESSAGES];      /* by process: its messages in order */
};

/* Messages at random; every process has its ends in the order of numbers, some of them then exchanged. */
static void draw(struct program *p, struct rng *rng, int n, int m, int tags, int exchanges)
{
    *p = (struct program){ .n = n, .m = m };
    for (int i = 0; i < m; i++) {
        const int a = (int)rng_below(rng, (uint64_t)n), b = (int)rng_below(rng, (uint64_t)n - 1);

        p->from[i] = a;
        p->to[i] = b + (b >= a);
        p->tag[i] = (int)rng_below(rng, (uint64_t)tags);
        p->call[p->from[i]][p->ncall[p->from[i]]++] = i;
        p->call[p->to[i]][p->ncall[p->to[i]]++] = i;
    }
    for (int k = 0; k < exchanges; k++) {
        const int v = (int)rng_below(rng, (uint64_t)n);

        if (p->ncall[v] > 1) {
            int *x = &p->call[v][rng_below(rng, (uint64_t)p->ncall[v] - 1)], y = *x;

            x[0] = x[1];
            x[1] = y;
        }
    }
}

/* Rows of processes between each other at random. */
static void open_program(struct orders *o, const struct program *p, struct rng *rng)
{
    int at[64] = { 0 };

    begin();
    for (int left = 2 * p->m; left > 0; left--) {
        int v, i;

        do
            v = (int)rng_below(rng, (uint64_t)p->n);
        while (at[v] == p->ncall[v]);
        i = p->call[v][at[v]++];
        fprintf(stream, "%d,%s,%d,%d\n", v, p->from[i] == v ? "send" : "recv", p->from[i] == v ? p->to[i] : p->from[i],
                p->tag[i]);
    }
    open_made(o);
}

/* Every state that any interleaving comes to, each once. */
struct states {
    const struct program *p;
    size_t nseen, nend;
    int seen[200000][MOST], last[MOST];
};

static void explore(struct states *s, const int *at)
{
    bool end = true;

    for (size_t i = 0; i < s->nseen; i++)
        if (memcmp(s->seen[i], at, sizeof s->seen[i]) == 0)
            return;
    assert_true(s->nseen < COUNT(s->seen));
    memcpy(s->seen[s->nseen++], at, sizeof *s->seen);
    for (int a = 0; a < s->p->n; a++)
        for (int b = 0; b < s->p->n; b++) {
            int next[MOST], i, k;

            if (at[a] == s->p->ncall[a] || at[b] == s->p->ncall[b])
                continue;
            i = s->p->call[a][at[a]];
            k = s->p->call[b][at[b]];
            if (s->p->from[i] != a || s->p->to[k] != b || s->p->to[i] != b || s->p->from[k] != a ||
                s->p->tag[i] != s->p->tag[k])
                continue;
            memcpy(next, at, sizeof next);
            next[a]++;
            next[b]++;
            explore(s, next);
            end = false;
        }
    if (end) {
        s->nend++;
        memcpy(s->last, at, sizeof s->last);
    }
}

static void every_interleaving(void **state)
{
    static struct states s;
    static struct program p;
    struct rng rng;
    int stuck = 0, whole = 0;

    (void)state;
    rng_seed(&rng, seed);
    for (int round = 0; round < 3000; round++) {
        const int n = 2 + (int)rng_below(&rng, MOST - 1), m = 1 + (int)rng_below(&rng, CALLS + 2);
        struct orders o;
        int none[MOST] = { 0 }, v = 0;

        draw(&p, &rng, n, m, 1 + (int)rng_below(&rng, 2), (int)rng_below(&rng, 6));
        open_program(&o, &p, &rng);
        s.p = &p;
        s.nseen = s.nend = 0;
        explore(&s, none);
        assert_int_equal(s.nend, 1);                    /* they all end alike */
        for (int i = 0; i < n; i++) {                   /* processes without calls are not among the answer's */
            if (p.ncall[i] == 0)
                continue;
            if (o.next[v] - o.first[v] != (size_t)s.last[i])
                fail_msg("SEED=%llu, round %d: process %d comes to call %zu, by interleavings %d",
                         (unsigned long long)seed, round, i, o.next[v] - o.first[v], s.last[i]);
            v++;
        }
        assert_int_equal(v, o.n);
        check_circles(&o);
        *(o.done == o.ncall ? &whole : &stuck) += 1;
        orders_close(&o);
    }
    assert_true(stuck > 100 && whole > 100);
}

/* The k-th send of a kind is the k-th receive of it: one thing, that ends when what stands before it on both sides has.
 * What can end, and in which round, is then a matter of taking things away that have nothing before them. */
static void messages_in_layers(void **state)
{
    static struct program p;
    static int at[64][2 * MESSAGES];                /* by call: the message that it is an end of */
    struct rng rng;
    int stuck = 0, whole = 0, several = 0;

    (void)state;
    rng_seed(&rng, seed + 1);
    for (int round = 0; round < 400; round++) {
        const int n = 2 + (int)rng_below(&rng, 62), m = 1 + (int)rng_below(&rng, MESSAGES);
        int layer[MESSAGES] = { 0 }, rounds = 0, v = 0;
        size_t done = 0;
        struct orders o;

        draw(&p, &rng, n, m, 1 + (int)rng_below(&rng, 3), (int)rng_below(&rng, 1 + (uint64_t)m / 4));
        open_program(&o, &p, &rng);
        for (int a = 0; a < n; a++)                     /* ends by rank within their kind */
            for (int k = 0; k < p.ncall[a]; k++) {
                const int i = p.call[a][k];
                int rank = 0, other = p.from[i] == a ? p.to[i] : p.from[i], j = 0;

                if (p.from[i] == a) {
                    at[a][k] = i;
                    continue;
                }
                for (int q = 0; q < k; q++)
                    rank += p.to[p.call[a][q]] == a && p.from[p.call[a][q]] == other && p.tag[p.call[a][q]] == p.tag[i];
                for (j = 0; j < p.ncall[other]; j++) {
                    const int x = p.call[other][j];

                    if (p.from[x] == other && p.to[x] == a && p.tag[x] == p.tag[i] && rank-- == 0)
                        break;
                }
                assert_true(j < p.ncall[other]);
                at[a][k] = p.call[other][j];
            }
        for (bool more = true; more;) {
            more = false;
            rounds++;
            for (int i = 0; i < m; i++) {
                bool free = layer[i] == 0;

                for (int a = 0; a < n && free; a++)
                    if (a == p.from[i] || a == p.to[i])
                        for (int k = 0; at[a][k] != i; k++)
                            free = free && layer[at[a][k]] > 0 && layer[at[a][k]] < rounds;
                if (free) {
                    layer[i] = rounds;
                    more = true;
                    done += 2;
                }
            }
        }
        if (o.done != done || o.rounds != rounds - 1)
            fail_msg("SEED=%llu, round %d: %zu calls end in %d rounds, by layers %zu in %d", (unsigned long long)seed,
                     round, o.done, o.rounds, done, rounds - 1);
        for (int a = 0; a < n; a++) {
            for (int k = 0; k < p.ncall[a]; k++)
                assert_int_equal(o.call[o.first[v] + (size_t)k].round, layer[at[a][k]]);
            v += p.ncall[a] > 0;
        }
        check_circles(&o);
        *(done == o.ncall ? &whole : &stuck) += 1;
        several += o.circles > 1;
        orders_close(&o);
    }
    assert_true(stuck > 20 && whole > 20 && several > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_hand),
        cmocka_unit_test(calls_are_told),
        cmocka_unit_test(faults_are_named),
        cmocka_unit_test(rings),
        cmocka_unit_test(matrix_walks),
        cmocka_unit_test(every_interleaving),
        cmocka_unit_test(messages_in_layers),
    };

    seed = check_seed();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
