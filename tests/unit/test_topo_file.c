/* The family file:PATH: what its options do, and that weights belong to the edges of the graph. */
#include <igraph.h>
#include <string.h>
#include <unistd.h>

#include "graph/base/num.h"
#include "graph/net.h"
#include "tests/support/check.h"
#include "tests/support/nets.h"

#define KINDS "graph [ node [ id 5 kind \"host\" ] node [ id 6 kind \"switch\" ] node [ id 7 kind \"host\" ] " \
              "edge [ source 6 target 5 weight 2 ] edge [ source 7 target 6 weight 3 ] ]\n"

/* '%' stands for the path of a file with the text. */
static const struct row { const char *what, *extension, *text, *spec, *want; } rows[] = {
    { "a list", ".edges", "2 0\n1 2\n", "file:%", "file:% n=3 undirected 0-2 1-2 | 3 terminals 0 1 2" },
    { "a bare path", ".edges", "0 1\n", "%", "file:% n=2 undirected 0-1 | 2 terminals 0 1" },
    { "one-way", ".edges", "1 0\n1 2\n", "file:%,directed=yes", "file:%,directed=yes n=3 directed 1-0 1-2 | 3 "
      "terminals 0 1 2" },
    { "options in the catalogue's order", ".txt", "0 1 2.5\n2 1 3\n",
      "file:%,terminals=leaves,weight=latency,directed=no,format=edges",
      "file:%,format=edges,directed=no,weight=latency,terminals=leaves n=3 undirected 0-1=1+2.5 1-2=1+3 | 2 "
      "terminals 0 2" },
    { "weights that are not said to mean anything", ".edges", "0 1 2\n", "file:%",
      "file:% n=2 undirected 0-1=2 | 2 terminals 0 1" },
    { "capacity", ".edges", "0 1 2\n", "file:%,weight=capacity",
      "file:%,weight=capacity n=2 undirected 0-1=2+0 | 2 terminals 0 1" },
    { "kinds", ".gml", KINDS, "file:%", "file:% n=3 undirected 5-6=2 6-7=3 | 2 terminals 5 7" },
    { "all, whatever the kinds", ".gml", KINDS, "file:%,terminals=all",
      "file:%,terminals=all n=3 undirected 5-6=2 6-7=3 | 3 terminals 5 6 7" },
    { "leaves with links both ways", ".edges", "a s\ns a\nb s\ns b\n", "file:%,directed=yes,terminals=leaves",
      "file:%,directed=yes,terminals=leaves n=3 directed a-s s-a b-s s-b | 2 terminals a b" },
    { "no edges", ".gml", "graph [ node [ id 0 ] ]", "file:%", "file:% n=1 undirected | 1 terminals 0" },

    { "no leaves", ".edges", "0 1\n1 2\n2 0\n", "file:%,terminals=leaves", "!no leaves" },
    { "no terminals", ".gml", "graph [ node [ id 0 kind \"switch\" ] ]", "file:%", "!every node is a switch" },
    { "a meaning without weights", ".edges", "0 1\n", "file:%,weight=latency", "!the file gives no weights" },
    { "a meaning that a column has", ".csv", "source,target,bandwidth,weight\n0,1,2,3\n", "file:%,weight=capacity",
      "!leave out weight=" },
    { "a capacity of nothing", ".edges", "0 1 1\n1 2 0\n", "file:%,weight=capacity",
      "!:2: the edge 1-2 has weight 0; as a capacity it must be from 1e-06 to 1e+06" },
    { "a long way", ".edges", "0 1 1e13\n", "file:%,weight=latency",
      "!:1: the edge 0-1 has weight 10000000000000; as a latency" },
    { "a direction that the file says", ".gml", KINDS, "file:%,directed=no", "!leave out directed=" },
    { "no path", "", "", "file", "!lacks its path" },
    { "a bad choice", ".edges", "0 1\n", "file:%,directed=maybe", "!it may be no, yes" },
    { "a bad format", ".edges", "0 1\n", "file:%,format=gmll", "!did you mean 'gml'?" },
    { "a bad file", ".edges", "0 1\n2\n", "file:%", "!:2 has only '2'" },
};

/* igraph turns undirected edges round as it likes. */
static void show_edge(FILE *f, const struct net *net, const igraph_t *graph, igraph_integer_t e)
{
    int from = (int)IGRAPH_FROM(graph, e), to = (int)IGRAPH_TO(graph, e);
    bool turn = !net->directed && from > to;
    char label[96], number[32];

    fprintf(f, " %s", net_label(net, turn ? to : from, label));
    fprintf(f, "-%s", net_label(net, turn ? from : to, label));
    if (net->weight)
        fprintf(f, "=%s", num_shortest(number, net->weight[e]));
    if (net->cables.kind) {
        const struct link_kind k = net->cables.kind[net->cables.of ? net->cables.of[2 * e] : 0];

        fprintf(f, "=%s", num_shortest(number, k.bandwidth));
        fprintf(f, "+%s", num_shortest(number, k.length));
    }
}

static char *show(struct net *net)
{
    const igraph_t *graph;
    struct err err;
    char *out = NULL, label[96];
    size_t len;
    FILE *f = open_memstream(&out, &len);

    assert_non_null(f);
    assert_int_equal(net_graph(net, &graph, &err), 0);
    assert_int_equal(igraph_vcount(graph), net->n);
    fprintf(f, "%s n=%d %sdirected", net->spec, net->n, net->directed ? "" : "un");
    for (igraph_integer_t e = 0; e < igraph_ecount(graph); e++)
        show_edge(f, net, graph, e);
    fprintf(f, " | %d terminals", net->nterminal);
    for (int i = 0; i < net->nterminal; i++)
        fprintf(f, " %s", net_label(net, net_terminal(net, i), label));
    assert_int_equal(fclose(f), 0);
    return out;
}

static void check(const char *spec, const char *want)
{
    struct net *net = NULL;
    struct err err = { ERR_NONE, "" };
    char *shown;

    if (*want == '!') {
        assert_int_equal(net_open(&net, spec, &err), -1);
        if (!strstr(err.msg, want + 1))
            fail_msg("'%s' lacks '%s'", err.msg, want + 1);
        return;
    }
    if (net_open(&net, spec, &err) < 0)
        fail_msg("%s", err.msg);
    shown = show(net);
    assert_string_equal(shown, want);
    free(shown);
    net_close(net);
}

static void row_holds(void **state)
{
    const struct row *row = *state;
    char path[64], *spec, *want, *canonical;
    int fd;

    snprintf(path, sizeof path, "/tmp/netXXXXXX%s", row->extension);
    fd = mkstemps(path, (int)strlen(row->extension));
    assert_true(fd >= 0);
    assert_int_equal(write(fd, row->text, strlen(row->text)), strlen(row->text));
    assert_int_equal(close(fd), 0);
    spec = nets_spec(row->spec, path);
    want = nets_spec(row->want, path);
    check(spec, want);
    canonical = strndup(want, strcspn(want, " "));      /* parses to itself */
    assert_non_null(canonical);
    if (*want != '!')
        check(canonical, want);
    assert_int_equal(unlink(path), 0);
    free(canonical);
    free(spec);
    free(want);
}

int main(void)
{
    static struct CMUnitTest tests[COUNT(rows)];
    int failed;

    EACH_ROW(i, rows)
        tests[i] = (struct CMUnitTest){ .name = rows[i].what, .test_func = row_holds,
            .initial_state = (void *)&rows[i] };
    net_setup();
    failed = cmocka_run_group_tests_name("file:PATH", tests, NULL, NULL);
    net_teardown();
    return failed;
}
