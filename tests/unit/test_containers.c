/* Heaps, growing arrays and sets of names against sorting, plain copies and search one by one. SEED=n repeats. */
#include <string.h>

#include "graph/base/grow.h"
#include "graph/base/heap.h"
#include "graph/base/mem.h"
#include "graph/base/names.h"
#include "graph/numeric/rng.h"
#include "model/process/events.h"
#include "tests/support/check.h"

static struct err err;
static uint64_t seed;

#define MOST 300

struct keyed {
    int key[MOST], place[MOST];
};
#define SMALLER(c, a, b) ((c)->key[a] < (c)->key[b])
#define STANDS(c, x, i) ((c)->place[x] = (int)(i))
HEAP(keys, struct keyed *, int, SMALLER, STANDS)

static int ascending(const void *a, const void *b)
{
    const int *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

/* Things come out in the order of their keys, also where keys fall while they wait, and each knows its place. */
static void heap_sorts(void **state)
{
    struct rng rng;

    (void)state;
    rng_seed(&rng, seed);
    for (int round = 0; round < 200; round++) {
        const int n = 1 + (int)rng_below(&rng, MOST);
        struct keyed k;
        int heap[MOST], want[MOST];
        size_t size = 0;

        for (int i = 0; i < n; i++) {
            k.key[i] = (int)rng_below(&rng, 100);
            keys_push(&k, heap, &size, i);
        }
        for (int i = 0; i < n; i += 3) {
            k.key[i] -= (int)rng_below(&rng, 50);
            keys_rise(&k, heap, (size_t)k.place[i]);
        }
        for (int i = 0; i < n; i++) {
            assert_int_equal(heap[k.place[i]], i);
            want[i] = k.key[i];
        }
        qsort(want, (size_t)n, sizeof *want, ascending);
        for (int i = 0; i < n; i++) {
            const int got = k.key[keys_pop(&k, heap, &size)];

            if (got != want[i])
                fail_msg("SEED=%llu: thing %d of %d has key %d, sorted %d", (unsigned long long)seed, i, n, got,
                         want[i]);
        }
        assert_int_equal(size, 0);
    }
}

/* Events come in the order of their times, of one time in that of their numbers, whatever lanes they were put in, and
 * though they are put there while others are taken out: against a search through all that wait. */
static void events_come_in_order(void **state)
{
    enum { EVENTS = 4000 };
    struct rng rng;

    (void)state;
    rng_seed(&rng, seed);
    for (int round = 0; round < 20; round++) {
        struct event waits[EVENTS], got;
        struct events q = { 0 };
        size_t n = 0, made = 0;
        double now = 0;

        while (n || made < EVENTS) {
            size_t first = 0;

            for (uint64_t k = rng_below(&rng, 4); k > 0 && made < EVENTS; k--, made++, n++) {
                const int lane = (int)rng_below(&rng, EVENTS_LANES + 1) - 1;
                const double after = rng_below(&rng, 8) ? lane : (double)rng_below(&rng, 5);

                waits[n] = (struct event){ now + after, made, made };
                assert_int_equal(lane < 0 ? events_push(&q, waits[n], &err) :
                                 events_push_lane(&q, lane, waits[n], &err), 0);
            }
            if (n == 0)
                continue;
            for (size_t i = 1; i < n; i++)
                first = event_before(&waits[i], &waits[first]) ? i : first;
            assert_true(events_take(&got, &q));
            check_near((double)got.what, (double)waits[first].what, 0);
            now = got.at;
            waits[first] = waits[--n];
        }
        assert_false(events_take(&got, &q));
        events_release(&q);
    }
}

static void arrays_keep_what_they_hold(void **state)
{
    double *a = NULL;
    char (*b)[3] = NULL, *c = NULL;
    int *d = NULL;
    size_t room = 0, n;

    (void)state;
    for (n = 0; n < 10000; n++) {
        assert_int_equal(GROW(&room, n + 1, "things", &err, GROWN(a), GROWN(b), GROWN_IF(false, c)), 0);
        assert_true(room > n);
        a[n] = (double)n;
        memcpy(b[n], "ab", 3);
    }
    assert_null(c);
    for (n = 0; n < 10000; n++) {
        const size_t more = 1 + n % 7;

        assert_int_equal(GROW_BY(2 * n, 2 * more, "things", &err, GROWN(d)), 0);
        d[2 * n] = (int)n;
        d[2 * n + 1] = -(int)n;
    }
    for (n = 0; n < 10000; n++)
        assert_true(a[n] == (double)n && strcmp(b[n], "ab") == 0 && d[2 * n] == (int)n && d[2 * n + 1] == -(int)n);
    free(a);
    free(b);
    free(d);
}

/* Sizes beyond what memory holds, or size_t counts, are refused, and what was there stays. */
static void arrays_refuse_what_cannot_be(void **state)
{
    static const size_t needs[] = { SIZE_MAX, SIZE_MAX / 2, SIZE_MAX / 8, (size_t)1 << 50 };

    (void)state;
    for (size_t i = 0; i < sizeof needs / sizeof *needs; i++) {
        double *a = NULL;
        size_t room = 0;

        assert_int_equal(GROW(&room, 1, "things", &err, GROWN(a)), 0);
        a[0] = 7;
        assert_int_equal(GROW(&room, needs[i], "things", &err, GROWN(a)), -1);
        assert_int_equal(err.code, ERR_MEMORY);
        assert_int_equal(GROW_BY(1, needs[i], "things", &err, GROWN(a)), -1);
        assert_int_equal(err.code, ERR_MEMORY);
        assert_true(a[0] == 7);
        free(a);
    }
}

/* All of a list or none: what is not wanted is NULL, what has no elements is not, what holds zeros holds them. */
static void arrays_are_taken_together(void **state)
{
    static const size_t beyond[] = { SIZE_MAX, SIZE_MAX / 2, SIZE_MAX / 8 + 1, (size_t)1 << 50 };
    static const char zero[5000];
    char here, **list;

    (void)state;
    for (int n = 0; n < 5000; n += 999) {
        double *a = NULL;
        char (*b)[3] = NULL, *c = &here;
        int *d = NULL;

        assert_int_equal(TAKE("things", &err, ARRAY(a, n), ARRAY(b, n), ARRAY_IF(n < 0, c, n), ZEROS(d, n)), 0);
        assert_true(a && b && d && !c);
        for (int i = 0; i < n; i++) {
            a[i] = i;
            memcpy(b[i], "ab", 3);
        }
        assert_memory_equal(d, zero, (size_t)n);
        for (int i = 0; i < n; i++)
            assert_true(a[i] == i && strcmp(b[i], "ab") == 0);
        FREE(a, b, c, d);
    }
    for (size_t i = 0; i < sizeof beyond / sizeof *beyond; i++) {
        double *a = NULL, *b = NULL;

        err = (struct err){ ERR_NONE, "" };
        assert_int_equal(TAKE("things", &err, ARRAY(a, 1), ZEROS(b, beyond[i])), -1);
        assert_int_equal(err.code, ERR_MEMORY);
        assert_true(strncmp(err.msg, "things: ", 8) == 0 || strcmp(err.msg, "out of memory") == 0);
        assert_true(!a && !b);
    }
    assert_int_equal(TAKE("a list", &err, ZEROS(list, 3)), 0);
    list[1] = strdup("freed with it");
    mem_free_list(list, 3);
    mem_free_list(NULL, 3);
}

static void names_are_numbered_as_they_come(void **state)
{
    enum { N = 4000 };
    static char text[N][12];
    struct names names = { 0 };
    struct rng rng;
    int first[N], known = 0;

    (void)state;
    rng_seed(&rng, seed);
    for (int i = 0; i < N; i++) {
        int at = 0;

        snprintf(text[i], sizeof text[i], "%llu", (unsigned long long)rng_below(&rng, 2000));
        while (at < known && strcmp(text[first[at]], text[i]) != 0)
            at++;
        if (at == known)
            first[known++] = i;
        if (names_add(&names, text[i], strlen(text[i]), &err) != at)
            fail_msg("SEED=%llu: '%s' is not name %d", (unsigned long long)seed, text[i], at);
        assert_int_equal(names.n, known);
    }
    assert_int_equal(names_add(&names, "", 0, &err), known);        /* nothing is a name too */
    assert_int_equal(names_add(&names, text[first[0]], 0, &err), known);
    names_release(&names);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(heap_sorts), cmocka_unit_test(events_come_in_order), cmocka_unit_test(arrays_keep_what_they_hold),
        cmocka_unit_test(arrays_refuse_what_cannot_be), cmocka_unit_test(arrays_are_taken_together),
        cmocka_unit_test(names_are_numbered_as_they_come),
    };

    seed = check_seed();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
