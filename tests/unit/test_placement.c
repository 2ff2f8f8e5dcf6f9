/* Placements: processes on distinct terminals, and what is said of lists that are wrong. */
#include <string.h>
#include <unistd.h>

#include "model/process/placement.h"
#include "tests/support/check.h"

static struct err err;

static const struct row {
    const char *name, *spec, *list;     /* list: content of a file, NULL for row-major */
    int processes;
    const char *want;                   /* nodes, or part of the message */
} rows[] = {
    { "in order", "mesh:2x3", NULL, 4, "0 1 2 3" },
    { "all terminals", "mesh:2x3", NULL, 0, "0 1 2 3 4 5" },
    { "too many", "mesh:2x3", NULL, 7, "7 processes do not fit mesh:2x3: it has 6 terminals" },
    { "a negative number", "mesh:2x3", NULL, -1, "at least one" },
    { "a list, by number and coordinates", "mesh:2x3", "# places\n5\n\n1.0\r\n 0.1 \n", 0, "5 3 1" },
    { "the beginning of a list", "mesh:2x3", "5\n4\nnonsense\n", 2, "5 4" },
    { "a list too short", "mesh:2x3", "5\n4", 3, "has nodes for 2 processes; 3 must be placed" },
    { "an empty list", "mesh:2x3", "# none\n", 0, "has nodes for 0 processes; 1 must be placed" },
    { "a node twice", "mesh:2x3", "5\n4\n5\n", 0, "processes 0 and 2 are both on node 1.2" },
    { "a node that is not there", "mesh:2x3", "5\n6\n", 0, ", line 2: " },
    { "a table", "mesh:2x3", "process,node\n1,0.0\n2,4\n0,1.2\n", 0, "5 0 4" },
    { "a table with semicolons, its beginning", "mesh:2x3", "node;process\n0.0;1\n4;2\n1.2;0\n", 2, "5 0" },
    { "a table too short", "mesh:2x3", "process,node\n0,5\n", 2, "has nodes for 1 processes; 2 must be placed" },
    { "a table with a process twice", "mesh:2x3", "process,node\n1,5\n1,4\n", 0, ", line 3 has process 1 a second" },
    { "a table without a process", "mesh:2x3", "process,node\n0,5\n2,4\n", 0, ", line 3: process is 2" },
    { "a table without that node", "mesh:2x3", "process,node\n0,6\n", 0, ", line 2: " },
    { "a table too long", "ring:3", "process,node\n0,0\n1,1\n2,0\n3,2\n", 0, "4 processes; ring:3 has 3 terminals" },
    { "a switch", "fattree:4", "0\n35\n", 0, "is a switch" },
};

static const char *show(const struct placement *p, char text[200])
{
    size_t len = 0;

    text[0] = '\0';
    for (int i = 0; i < p->n && len < 180; i++)
        len += (size_t)snprintf(text + len, 200 - len, "%s%d", i ? " " : "", p->node[i]);
    return text;
}

static void row_holds(void **state)
{
    const struct row *row = *state;
    struct net *net;
    struct placement p;
    char file[40] = "/tmp/placement.XXXXXX", spec[64], text[200];
    int fd;

    assert_int_equal(net_open(&net, row->spec, &err), 0);
    if (row->list) {
        fd = mkstemp(file);
        assert_true(fd >= 0);
        assert_int_equal(write(fd, row->list, strlen(row->list)), strlen(row->list));
        close(fd);
        snprintf(spec, sizeof spec, "file:%s", file);
    }
    if (placement_init(&p, net, row->list ? spec : NULL, row->processes, 1, &err) == 0) {
        assert_string_equal(show(&p, text), row->want);
        placement_release(&p);
    } else if (!strstr(err.msg, row->want)) {
        fail_msg("message: %s", err.msg);
    }
    if (row->list)
        unlink(file);
    net_close(net);
}

static void random_places_depend_on_the_seed_alone(void **state)
{
    struct net *net;
    struct placement a, b, c;
    int seen[48] = { 0 };

    (void)state;
    assert_int_equal(net_open(&net, "fattree:4", &err), 0);
    assert_int_equal(placement_init(&a, net, "random", 0, 7, &err), 0);
    assert_int_equal(placement_init(&b, net, "random", 5, 7, &err), 0);
    assert_int_equal(placement_init(&c, net, "random", 0, 8, &err), 0);
    assert_int_equal(a.n, net->nterminal);
    assert_memory_equal(a.node, b.node, 5 * sizeof *a.node);
    assert_memory_not_equal(a.node, c.node, (size_t)a.n * sizeof *a.node);
    for (int i = 0; i < a.n; i++) {
        assert_true(net_terminal_index(net, a.node[i]) >= 0);
        assert_int_equal(seen[a.node[i]]++, 0);
    }
    placement_release(&a);
    placement_release(&b);
    placement_release(&c);
    assert_int_equal(placement_init(&a, net, "rowmajor", 0, 8, &err), -1);
    assert_int_equal(err.code, ERR_USAGE);
    assert_int_equal(placement_init(&a, net, "file:/nowhere/at/all", 0, 8, &err), -1);
    assert_int_equal(err.code, ERR_IO);
    net_close(net);
}

int main(void)
{
    struct CMUnitTest tests[COUNT(rows) + 1] = { { .name = "random places depend on the seed alone",
                                                   .test_func = random_places_depend_on_the_seed_alone } };
    int failed;

    net_setup();
    for (size_t i = 0; i < COUNT(rows); i++)
        tests[i + 1] = (struct CMUnitTest){ .name = rows[i].name, .test_func = row_holds,
                                            .initial_state = (void *)(uintptr_t)&rows[i] };
    failed = _cmocka_run_group_tests("placements", tests, COUNT(tests), NULL, NULL);
    net_teardown();
    return failed;
}
