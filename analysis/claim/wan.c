#include "analysis/claim/wan.h"

enum { SITES = 6, EACH = 4, ROOT = 12 };

/* ms, table 4.1 */
static const double site[SITES][SITES] = {
    { 0, 485.4, 698.9, 14.9, 332.8, 61.4 }, { 485.4, 0, 364.1, 583.8, 13.5, 490.5 },
    { 698.9, 364.1, 0, 701.2, 371.7, 722.9 }, { 14.9, 583.8, 701.2, 0, 331, 35.1 },
    { 332.8, 13.5, 371.7, 331, 0, 355.9 }, { 61.4, 490.5, 722.9, 35.1, 355.9, 0 }
};

int wan_open(struct wan *out, struct err *err)
{
    struct wan w = { .net = NULL };

    if (net_open(&w.net, "complete:6", err) < 0 || placement_init(&w.where, w.net, NULL, 0, EACH, 1, err) < 0 ||
        TAKE("the links", err, ARRAY(w.wire, SITES * EACH * SITES * EACH / 2)) < 0) {
        wan_close(&w);
        return -1;
    }
    for (int a = 0; a < SITES * EACH; a++)
        for (int b = a + 1; b < SITES * EACH; b++)
            w.wire[w.m++] = (struct wire){ a, b, a / EACH == b / EACH ? 1 : site[a / EACH][b / EACH], 0, 0 };
    *out = w;
    return 0;
}

void wan_close(struct wan *w)
{
    free(w->wire);
    placement_release(&w->where);
    net_close(w->net);
    *w = (struct wan){ .net = NULL };
}

static int wan_shape(struct tree_shape *shape, const struct wan *w, const char *name, struct err *err)
{
    const struct tree *tree = tree_find(name, err);

    return tree ? tree_shape_init(shape, tree, w->where.n, &(struct tree_scene){ .net = w->net, .where = &w->where,
                                  .root = ROOT, .hop = 1 }, err) : -1;
}

int wan_relay(struct relay *r, struct tree_shape *shape, const struct wan *w, const char *tree, struct err *err)
{
    const struct relay_how how = { 0, 0, false };
    struct wiring wiring;
    int ret;

    if (wiring_open(&wiring, w->where.n, w->wire, w->m, err) < 0)
        return -1;
    ret = wan_shape(shape, w, tree, err) < 0 || relay_open(r, &wiring, shape, ROOT, NULL, err) < 0 ||
        relay_run(r, &how, false, err) < 0 ? -1 : 0;
    wiring_release(&wiring);
    return ret;
}

int wan_play(struct played *p, const struct wan *w, const struct wan_play *play, const struct csv *scenarios,
             const char *scenario, int broadcasts, uint64_t seed, struct err *err)
{
    const bool spans = strcmp(play->tree, "mst") == 0;
    struct scenario s = { .where = &w->where, .wire = w->wire, .m = w->m, .broadcasts = broadcasts };
    struct tree_shape shape = { 0 };
    struct strategy by = { .tree = spans ? NULL : &shape, .every = play->every, .threshold = play->threshold / 100,
                           .root = ROOT, .seed = seed };
    const int ret = (scenario && scenario_from(&s, scenarios, scenario, "the published scenarios", err) < 0) ||
        (!spans && wan_shape(&shape, w, play->tree, err) < 0) || scenario_play(p, &s, &by, NULL, err) < 0 ? -1 : 0;

    tree_shape_release(&shape);
    scenario_release(&s);
    return ret;
}

/* Tables 4.3 and 4.4: messages by type. The machines stood in one room, without the latencies of table 4.1: runs have
 * random delays. A count that is the same in all runs is a cell; one that varies is a statement, which holds where its
 * range contains what is printed. */
static int wan_count(const struct claim_sink *sink, const char *where, const char *printed, const double *counts, int n,
              const char *reason, struct err *err)
{
    const bool rounds = claim_rounds_to(counts[0], printed);
    double sum = 0, least = INFINITY, most = 0, value = strtod(printed, NULL);

    for (int k = 0; k < n; k++) {
        sum += counts[k];
        least = fmin(least, counts[k]);
        most = fmax(most, counts[k]);
    }
    if (least < most) {
        const bool holds = value >= least && value <= most;

        return claim_statement(sink, err, sum / n, holds ? CLAIM_HOLDS : CLAIM_FAILS, where, "messages", printed,
                               "%g to %g in %d runs with delays uniform from 0 to 1%s%s", least, most, n, holds ? "" :
                               "; ", holds ? "" : reason);
    }
    return rounds || !*reason ? claim_number(sink, err, where, "messages", printed, sum / n) :
        claim_statement(sink, err, sum / n, CLAIM_FAILS, where, "messages", printed, "%s", reason);
}

enum { RUNS = 200, BCAST = ADAPT_TYPES, ALL, COUNTED };
struct counted {
    double at[COUNTED][RUNS];
};

static int count_runs(struct counted *c, const struct wan *w, const struct wan_play *play, const struct csv *scenarios,
                      const char *scenario, int broadcasts, struct err *err)
{
    for (int run = 0; run < RUNS; run++) {
        struct played p;

        if (wan_play(&p, w, play, scenarios, scenario, broadcasts, 1 + (uint64_t)run * 1000, err) < 0)
            return -1;
        for (int k = 0; k < ADAPT_TYPES; k++)
            c->at[k][run] = p.cost.count[k];
        c->at[BCAST][run] = p.broadcast;
        c->at[ALL][run] = p.built + p.adapted + p.broadcast;
        played_release(&p);
    }
    return 0;
}

/* Types with other counts than printed, and why. */
static const struct { const char *type, *reason; } differs[] = {
    { "Change-root", "one core more moves here, where failures are mended" },
    { "Test", "tests that cross on a link answer each other: with delays that vary otherwise there are more" },
    { "Reject", "tests that cross on a link answer each other: with delays that vary otherwise there are fewer" },
    { "Report", "the process cut off alone is joined while the others still look, and reports too" },
    { "Id-Check", "one a recovery here, asked by one end; there by both" },
    { "Recovery", "here the process with the privilege looks for the worst link, there recoveries climb to the root" },
    { "Privilege", "here it goes to where recoveries wait, and stays; there from the root and back, each time" },
    { "Failure", "as many as links from the failures to the root, which is another one here" },
    { "Not-fail-ack", "in the checks with failures acknowledgements stop where somebody knows" },
    { "Not-rec", "here said once a check; there again after each recovery" },
    { "Not-rec-ack", "here to the one above alone; there to all neighbours" },
    { "Gosleep-fal", "20 checks of 23 messages; two more are printed" },
    { "Total", "as types that differ have it; 7583 is 2 more than the rows printed" }
};

static int type_of(const char *name)
{
    if (strcmp(name, "Bcast") == 0 || strcmp(name, "Total") == 0)
        return *name == 'B' ? BCAST : ALL;
    if (strcmp(name, "Change-root") == 0)
        return GHS_CHANGE_CORE;
    for (int k = 0; k < ADAPT_TYPES; k++)
        if (strcasecmp(adapt_machine.type[k], name) == 0)
            return k;
    return -1;
}

int wan_counts(const char *table, const struct csv *scenarios, const char *scenario, const struct claim_sink *sink,
               struct err *err)
{
    const struct csv *t = sink->published;
    static const struct wan_play play[] = { { "mst", 0, 0 }, { "mst", 1, 0 }, { "magpie", 0, 0 } };
    static const char *const name[] = { "mst", "mst-adaptive", "magpie" };
    int in, broadcasts, algorithm, message, count, ret = 0, last[3] = { 0, 0, 0 };
    struct counted *c;
    struct wan w;

    if (TAKE("messages of runs", err, ARRAY(c, 3)) < 0 || wan_open(&w, err) < 0) {
        free(c);
        return -1;
    }
    ret = claim_columns((int *const[]){ &in, &broadcasts, &algorithm, &message, &count }, t,
                        "table,broadcasts,algorithm,message,count", err);
    for (size_t r = 0; ret == 0 && r < t->nrow; r++) {
        const int b = atoi(csv_at(t, r, broadcasts)), type = type_of(csv_at(t, r, message));
        const char *reason = "";
        char where[120];
        int k = 0;

        if (strcmp(csv_at(t, r, in), table) != 0)
            continue;
        while (k < 3 && strcmp(csv_at(t, r, algorithm), name[k]) != 0)
            k++;
        if (k == 3 || type < 0) {
            ret = err_set(err, ERR_FORMAT, "no such messages: %.40s of %.40s", csv_at(t, r, message),
                          csv_at(t, r, algorithm));
            break;
        }
        if (b != last[k])
            ret = count_runs(&c[k], &w, &play[k], scenarios, scenario, b, err);
        last[k] = b;
        for (size_t d = 0; d < sizeof differs / sizeof *differs; d++)
            if (strcmp(differs[d].type, csv_at(t, r, message)) == 0)
                reason = differs[d].reason;
        snprintf(where, sizeof where, "%d broadcasts, %s, %s", b, name[k], csv_at(t, r, message));
        ret = ret < 0 ? -1 : wan_count(sink, where, csv_at(t, r, count), c[k].at[type], RUNS, reason, err);
    }
    wan_close(&w);
    free(c);
    return ret;
}
