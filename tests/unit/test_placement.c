/* Placements: processes on terminals, one each or several, and what is said of lists that are wrong. */
#include <string.h>
#include <unistd.h>

#include "model/process/placement.h"
#include "tests/support/check.h"

static struct err err;

static const struct row {
    const char *name, *spec, *list;     /* list: content of a file, NULL for row-major */
    int processes;
    const char *want;                   /* nodes, or part of the message */
    int more;                           /* processes a node: 0: one; -1: as the list says */
} rows[] = {
    { "in order", "mesh:2x3", NULL, 4, "0 1 2 3", 0 },
    { "all terminals", "mesh:2x3", NULL, 0, "0 1 2 3 4 5", 0 },
    { "too many", "mesh:2x3", NULL, 7, "7 processes do not fit mesh:2x3: it has 6 terminals", 0 },
    { "a negative number", "mesh:2x3", NULL, -1, "at least one", 0 },
    { "a list, by number and coordinates", "mesh:2x3", "# places\n5\n\n1.0\r\n 0.1 \n", 0, "5 3 1", 0 },
    { "the beginning of a list", "mesh:2x3", "5\n4\nnonsense\n", 2, "5 4", 0 },
    { "a list too short", "mesh:2x3", "5\n4", 3, "has nodes for 2 processes; 3 must be placed", 0 },
    { "an empty list", "mesh:2x3", "# none\n", 0, "has nodes for 0 processes; 1 must be placed", 0 },
    { "a node twice", "mesh:2x3", "5\n4\n5\n", 0, "processes 0 and 2 are both on node 1.2", 0 },
    { "a node that is not there", "mesh:2x3", "5\n6\n", 0, ", line 2: ", 0 },
    { "a table", "mesh:2x3", "process,node\n1,0.0\n2,4\n0,1.2\n", 0, "5 0 4", 0 },
    { "a table with semicolons, its beginning", "mesh:2x3", "node;process\n0.0;1\n4;2\n1.2;0\n", 2, "5 0", 0 },
    { "a table too short", "mesh:2x3", "process,node\n0,5\n", 2, "has nodes for 1 processes; 2 must be placed", 0 },
    { "a table with a process twice", "mesh:2x3", "process,node\n1,5\n1,4\n", 0, ", line 3 has process 1 a second", 0 },
    { "a table without a process", "mesh:2x3", "process,node\n0,5\n2,4\n", 0, ", line 3: process is 2", 0 },
    { "a table without that node", "mesh:2x3", "process,node\n0,6\n", 0, ", line 2: ", 0 },
    { "a table too long", "ring:3", "process,node\n0,0\n1,1\n2,0\n3,2\n", 0, "4 processes; ring:3 has 3 terminals", 0 },
    { "a switch", "fattree:4", "0\n35\n", 0, "is a switch", 0 },
    { "two a node", "mesh:2x3", NULL, 0, "0 0 1 1 2 2 3 3 4 4 5 5", 2 },
    { "three a node, not all full", "mesh:2x3", NULL, 7, "0 0 0 1 1 1 2", 3 },
    { "more than so many a node", "mesh:2x3", NULL, 13, "13 processes do not fit mesh:2x3: it has 6 terminals, 2", 2 },
    { "four on each of two", "complete:2", NULL, 0, "0 0 0 0 1 1 1 1", 4 },
    { "one each where a list may say more", "mesh:2x3", NULL, 0, "0 1 2 3 4 5", -1 },
    { "slots", "mesh:2x3", "5 slots=2\n0.1\tslots=3 \n2\n", 0, "5 5 1 1 1 2", -1 },
    { "slots, and what else host files say", "mesh:2x3", "5 slots=2 max_slots=4\n3 max-slots=9\n", 0, "5 5 3", -1 },
    { "a node listed twice takes two", "mesh:2x3", "5\n4\n5\n", 0, "5 4 5", -1 },
    { "and twice its slots", "mesh:2x3", "5 slots=2\n4\n5 slots=2", 0, "5 5 4 5 5", -1 },
    { "the beginning of slots", "mesh:2x3", "5 slots=4\n4\n", 3, "5 5 5", -1 },
    { "more processes than slots", "mesh:2x3", "5 slots=4\n4\n", 6, "has nodes for 5 processes; 6 must be placed", -1 },
    { "lines without slots take as many a node", "mesh:2x3", "5\n4 slots=1\n", 0, "5 5 4", 2 },
    { "a table with a node twice", "mesh:2x3", "process,node\n0,5\n1,5\n2,4\n", 0, "5 5 4", -1 },
    { "more processes than nodes", "complete:2", "0 slots=3\n", 0, "0 0 0", -1 },
    { "slots where a node takes one", "mesh:2x3", "5 slots=2\n", 0, "0 and 1 are both on node 1.2; a node", 0 },
    { "no slots", "mesh:2x3", "5 slots=0\n", 0, ", line 1: slots is 0", -1 },
    { "slots that are no number", "mesh:2x3", "4\n5 slots=many\n", 0, ", line 2: slots", -1 },
    { "slots without a node", "mesh:2x3", "slots=2\n", 0, ", line 1: ", -1 },
    { "slots on a switch", "fattree:4", "35 slots=2\n", 0, "is a switch", -1 },
    { "hosts of MPI, in the order in which they come", "mesh:2x3", "node7 slots=2\nnode0 slots=1\n# off\nnode7\n", 0,
      "0 0 1 0", -1 },
    { "hosts on a tree", "fattree:4", "gpu-a.site.org slots=2\ngpu-b.site.org\n", 0, "0 0 1", -1 },
    { "one a node", "fattree:4", "a\nb\nc\n", 2, "0 1", 0 },
    { "more hosts than terminals", "ring:3", "a\nb\nc\nb\nd\n", 0, ", line 5: 'd' is one more host than ring:3 has", -1 },
    { "hosts, then a node", "ring:3", "a\n2\n", 0, ", line 2: '2' is a node", -1 },
    { "a node, then a host", "ring:3", "2\na\n", 0, ", line 2: ", -1 },
    { "hosts, then nonsense", "ring:3", "a\n!\n", 0, ", line 2: '!' is no name", -1 },
    { "a host twice where a node takes one", "ring:3", "a\na\n", 0, "0 and 1 are both on node 0; a node", 0 },
    { "far too many a node", "mesh:4x4", NULL, 0, "16 terminals of 1000000000 processes each are more", 1000000000 },
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
    if (placement_init(&p, net, row->list ? spec : NULL, row->processes,
                       row->more < 0 ? 0 : row->more ? row->more : 1, 1, &err) == 0) {
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
    assert_int_equal(placement_init(&a, net, "random", 0, 1, 7, &err), 0);
    assert_int_equal(placement_init(&b, net, "random", 5, 1, 7, &err), 0);
    assert_int_equal(placement_init(&c, net, "random", 0, 1, 8, &err), 0);
    assert_int_equal(a.n, net->nterminal);
    assert_memory_equal(a.node, b.node, 5 * sizeof *a.node);
    assert_memory_not_equal(a.node, c.node, (size_t)a.n * sizeof *a.node);
    for (int i = 0; i < a.n; i++) {
        assert_true(net_terminal_index(net, a.node[i]) >= 0);
        assert_int_equal(seen[a.node[i]]++, 0);
    }
    placement_release(&b);
    assert_int_equal(placement_init(&b, net, "random", 0, 3, 7, &err), 0);      /* the same terminals, each filled */
    assert_int_equal(b.n, 3 * a.n);
    for (int i = 0; i < b.n; i++)
        assert_int_equal(b.node[i], a.node[i / 3]);
    placement_release(&a);
    placement_release(&b);
    placement_release(&c);
    assert_int_equal(placement_init(&a, net, "rowmajor", 0, 1, 8, &err), -1);
    assert_int_equal(err.code, ERR_USAGE);
    assert_int_equal(placement_init(&a, net, "file:/nowhere/at/all", 0, 1, 8, &err), -1);
    assert_int_equal(err.code, ERR_IO);
    net_close(net);
}

int main(void)
{
    struct CMUnitTest tests[COUNT(rows) + 1] = { { .name = "random places depend on the seed alone",
                                                   .test_func = random_places_depend_on_the_seed_alone } };
    int failed;

    net_setup();
    EACH_ROW(i, rows)
        tests[i + 1] = (struct CMUnitTest){ .name = rows[i].name, .test_func = row_holds,
                                            .initial_state = (void *)(uintptr_t)&rows[i] };
    failed = _cmocka_run_group_tests("placements", tests, COUNT(tests), NULL, NULL);
    net_teardown();
    return failed;
}
