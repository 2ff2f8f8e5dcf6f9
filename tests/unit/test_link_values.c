/* Values of links from rows that name them, laid where drawings look for them: two per edge, that of the link to the
 * higher node first. By hand. */
#include "cli/request/link_values.h"
#include "tests/support/check.h"
#include "tests/support/nets.h"

static const struct row {
    const char *from, *to;
    double value;
} rows[] = { { "0", "1", 5 }, { "1", "0", 3 }, { "1", "2", 7 }, { "2", "1", 2 }, { "0", "1", 4 } };

/* Edges 0-1 and 2-1: the second is written from its higher end. */
static void check_values(bool unlike, const double want[4])
{
    static const int end[] = { 0, 1, 2, 1 };
    struct net *net = nets_from_edges(3, end, 2, false);
    struct err err;
    double *v;

    if (unlike) {                       /* links up are fast, links down slow */
        struct cables *c = &net->cables;

        c->nkind = 2;
        c->kind = calloc(2, sizeof *c->kind);
        c->of = calloc(4, sizeof *c->of);
        if (!c->kind || !c->of)
            fail_msg("no memory");
        c->kind[0].bandwidth = 2;
        c->kind[1].bandwidth = 1;
        c->of[1] = c->of[3] = 1;
    }
    v = link_values_open(net, &err);
    if (!v)
        fail_msg("%s", err.msg);
    EACH_ROW(i, rows)
        if (link_values_put(v, net, rows[i].from, rows[i].to, rows[i].value, &err) < 0)
            fail_msg("%s", err.msg);
    for (int i = 0; i < 4; i++)
        check_near(v[i], want[i], 0);
    free(v);
    net_close(net);
}

static void each_way_its_own(void **state)
{
    (void)state;
    check_values(true, (const double[]){ 5, 3, 7, 2 });
}

static void each_way_its_own_where_links_are_alike(void **state)
{
    (void)state;
    check_values(false, (const double[]){ 5, 3, 7, 2 });
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_way_its_own), cmocka_unit_test(each_way_its_own_where_links_are_alike)
    };

    net_setup();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
