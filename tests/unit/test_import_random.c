/* Networks from files, at random: damaged files give a network or one line of complaint, and what igraph writes is
 * read as igraph itself reads it. SEED=n repeats a run. */
#include <igraph.h>
#include <string.h>

#include "graph/numeric/rng.h"
#include "graph/import/import.h"
#include "tests/support/check.h"

#define ROUNDS 3000
#define ROOM 8192

static struct rng rng;
static uint64_t seed;

static size_t below(size_t n)
{
    return (size_t)rng_below(&rng, n);
}

/* ---- damaged files ---------------------------------------------------------------------------------------- */

/* Bytes that mean something to some format. */
static const char sharp[] = "\0\n\r\t ,;\"'<>[]{}=/&#%-+.0129eExnian\x80\xc3\xff";

/* text[from..from+n) once more, at `to`. */
static size_t repeat(char *text, size_t len, size_t from, size_t n, size_t to)
{
    char *copy = malloc(n + 1);

    assert_non_null(copy);
    if (len + n >= ROOM)
        n = 0;
    memcpy(copy, text + from, n);
    memmove(text + to + n, text + to, len - to);
    memcpy(text + to, copy, n);
    free(copy);
    return len + n;
}

static size_t line_start(const char *text, size_t at)
{
    while (at > 0 && text[at - 1] != '\n')
        at--;
    return at;
}

static size_t line_end(const char *text, size_t len, size_t at)
{
    while (at < len && text[at] != '\n')
        at++;
    return at < len ? at + 1 : at;
}

static size_t damage(char *text, size_t len)
{
    size_t at, n;

    if (len == 0)
        return 0;
    at = below(len);
    n = below(len - at) + 1;
    switch (below(8)) {
    case 0:
        text[at] = (char)(text[at] ^ (1 << below(8)));
        return len;
    case 1:
    case 2:
        text[at] = sharp[below(sizeof sharp - 1)];
        return len;
    case 3:
        return at;
    case 4:                         /* a line twice */
        at = line_start(text, at);
        return repeat(text, len, at, line_end(text, len, at) - at, at);
    case 5:                         /* a piece somewhere else */
        return repeat(text, len, at, n > 40 ? 40 : n, below(len));
    case 6:                         /* a piece gone */
        n = n > 20 ? 20 : n;
        memmove(text + at, text + at + n, len - at - n);
        return len - n;
    default:                        /* a digit more */
        return repeat(text, len, at, 1, at);
    }
}

/* What every network must keep, whoever wrote it. */
static void sound(const struct import *in)
{
    assert_true(in->n >= 1);
    for (size_t e = 0; e < in->nedge; e++) {
        assert_in_range(in->end[2 * e], 0, in->n - 1);
        assert_in_range(in->end[2 * e + 1], 0, in->n - 1);
        assert_int_not_equal(in->end[2 * e], in->end[2 * e + 1]);
        assert_true(in->directed || in->end[2 * e] < in->end[2 * e + 1]);
        assert_true(!in->weight || (in->weight[e] >= 0 && isfinite(in->weight[e])));
    }
    for (int v = 0; in->name && v < in->n; v++)
        assert_true(in->name[v] && *in->name[v]);
}

static void survives(void **state)
{
    const struct import_format *format = *state;
    size_t read = 0;

    for (int i = 0; i < ROUNDS; i++) {
        char room[ROOM], *text;
        size_t len = strlen(format->example);
        struct import in = { 0 };
        struct err err = { ERR_NONE, "" };

        memcpy(room, format->example, len);
        for (size_t times = below(4) + 1; times > 0; times--)
            len = damage(room, len);
        text = malloc(len + 1);     /* its own allocation: reading past it is seen by the sanitizer */
        assert_non_null(text);
        memcpy(text, room, len);
        text[len] = '\0';
        if (import_parse(&in, text, len, "damaged", below(8) ? format->name : NULL,
                         format->states_direction ? IMPORT_UNSAID : (enum import_direction)below(3), &err) == 0) {
            sound(&in);
            read++;
        } else {
            assert_true(err.code == ERR_FORMAT || err.code == ERR_USAGE);
            assert_true(*err.msg && !strchr(err.msg, '\n'));
            assert_null(in.end);
        }
        import_release(&in);
        free(text);
    }
    assert_true(read > 0 && read < ROUNDS);     /* else the damage proves nothing */
}

/* ---- beside igraph's own readers -------------------------------------------------------------------------- */

static void draw(igraph_t *graph, bool directed, bool weighted)
{
    igraph_integer_t n = (igraph_integer_t)below(40) + 2, m = (igraph_integer_t)below((size_t)(n * (n - 1) / 2)) + 1;

    assert_int_equal(igraph_erdos_renyi_game_gnm(graph, n, m, directed, false), IGRAPH_SUCCESS);
    /* node 0 has a link: an edge list without it would count from its first number on */
    if (IGRAPH_FROM(graph, 0) != 0 && IGRAPH_TO(graph, 0) != 0) {
        igraph_integer_t zero;

        if (igraph_get_eid(graph, &zero, 0, 1, directed, false) != IGRAPH_SUCCESS || zero < 0) {
            assert_int_equal(igraph_add_edge(graph, 0, 1), IGRAPH_SUCCESS);
            m++;
        }
    }
    for (igraph_integer_t e = 0; weighted && e < m; e++)
        assert_int_equal(SETEAN(graph, "weight", e, (double)below(1000) / 8), IGRAPH_SUCCESS);
}

static void write_edges(const igraph_t *graph, FILE *f)
{
    for (igraph_integer_t e = 0; e < igraph_ecount(graph); e++) {
        fprintf(f, "%d %d", (int)IGRAPH_FROM(graph, e), (int)IGRAPH_TO(graph, e));
        if (igraph_cattribute_has_attr(graph, IGRAPH_ATTRIBUTE_EDGE, "weight"))
            fprintf(f, " %.17g", EAN(graph, "weight", e));
        fputc('\n', f);
    }
}

static void compare(const struct import *in, const igraph_t *graph)
{
    bool weighted = igraph_cattribute_has_attr(graph, IGRAPH_ATTRIBUTE_EDGE, "weight");

    assert_int_equal(in->directed, igraph_is_directed(graph));
    assert_int_equal(in->nedge, igraph_ecount(graph));
    assert_int_equal(in->weight != NULL, weighted);
    for (size_t e = 0; e < in->nedge; e++) {
        igraph_integer_t a = IGRAPH_FROM(graph, (igraph_integer_t)e), b = IGRAPH_TO(graph, (igraph_integer_t)e);

        assert_int_equal(in->end[2 * e], in->directed || a < b ? a : b);
        assert_int_equal(in->end[2 * e + 1], in->directed || a < b ? b : a);
        if (weighted)
            assert_true(in->weight[e] == EAN(graph, "weight", (igraph_integer_t)e));
    }
}

/* Writes a random graph, reads it back both ways. */
static void round_trip(const char *format, bool directed, bool weighted)
{
    igraph_t drawn, again;
    struct import in;
    struct err err = { ERR_NONE, "" };
    char *text = NULL;
    size_t len;
    FILE *f = open_memstream(&text, &len);

    assert_non_null(f);
    draw(&drawn, directed, weighted);
    if (*format == 'e')
        write_edges(&drawn, f);
    else if (strcmp(format, "gml") == 0)
        assert_int_equal(igraph_write_graph_gml(&drawn, f, IGRAPH_WRITE_GML_DEFAULT_SW, NULL, "test"), IGRAPH_SUCCESS);
    else
        assert_int_equal(igraph_write_graph_graphml(&drawn, f, true), IGRAPH_SUCCESS);
    assert_int_equal(fclose(f), 0);
    if (import_parse(&in, text, len, "written", NULL, *format == 'e' &&
                     directed ? IMPORT_DIRECTED : IMPORT_UNSAID, &err) < 0)
        fail_msg("%s of\n%s", err.msg, text);
    compare(&in, &drawn);
    if (*format != 'e') {
        f = fmemopen(text, len, "r");
        assert_non_null(f);
        assert_int_equal(*format == 'g' && format[1] == 'm' ? igraph_read_graph_gml(&again, f) :
                                                              igraph_read_graph_graphml(&again, f, 0), IGRAPH_SUCCESS);
        assert_int_equal(fclose(f), 0);
        compare(&in, &again);
        assert_int_equal(in.n, igraph_vcount(&again));
        igraph_destroy(&again);
    }
    import_release(&in);
    igraph_destroy(&drawn);
    free(text);
}

static void as_igraph(void **state)
{
    static const char *const format[] = { "graphml", "gml", "edges" };

    (void)state;
    for (int i = 0; i < 300; i++)
        round_trip(format[i % 3], i / 3 % 2, i / 6 % 2);
}

int main(void)
{
    struct CMUnitTest tests[16];
    char name[16][40];
    size_t n = 0;
    int failed;

    seed = check_seed();
    rng_seed(&rng, seed);
    net_setup();
    igraph_rng_seed(igraph_rng_default(), seed & 0xffff);
    for (; import_all[n] && n < 15; n++) {
        snprintf(name[n], sizeof name[n], "damaged %s", import_all[n]->name);
        tests[n] = (struct CMUnitTest){ .name = name[n], .test_func = survives,
            .initial_state = (void *)import_all[n] };
    }
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(as_igraph);
    failed = _cmocka_run_group_tests("import at random", tests, n, NULL, NULL);
    net_teardown();
    return failed;
}
