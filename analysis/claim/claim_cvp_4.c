/* Chapter IV of Drummond's dissertation: deadlock of store-and-forward messages, and of circuits. Each statement is
 * judged by the dependency graph (analysis/deadlock). */
#include "analysis/claim/claim.h"
#include "analysis/deadlock/dependencies.h"
#include "texts/claim.h"

struct subject {
    const char *net, *routing;
};
struct study {
    struct net *net;
    struct routing routing;
    struct deadlock d;
};

static void study_close(struct study *s)
{
    deadlock_close(&s->d);
    routing_close(&s->routing);
    net_close(s->net);
}

static int study_open(struct study *s, const struct subject *of, const char *classes, enum deadlock_holds holds,
                      const struct tick *t, struct err *err)
{
    const struct deadlock_options o = { .classes = classes, .holds = holds, .tick = t };

    *s = (struct study){ 0 };
    if (net_open(&s->net, of->net, err) == 0 && routing_open(&s->routing, s->net, of->routing, err) == 0 &&
        deadlock_open(&s->d, s->net, &s->routing, 1, &o, err) == 0)
        return 0;
    study_close(s);
    return -1;
}

/* Resources of the shortest cycle (0: there is none), and classes of the scheme. */
static int find_cycle(int *cycle, int *classes, const struct subject *of, const char *scheme,
                      enum deadlock_holds holds, const struct claim_sink *sink, struct err *err)
{
    struct study s;

    if (study_open(&s, of, scheme, holds, sink->tick, err) < 0)
        return -1;
    *cycle = (int)s.d.ncycle;
    *classes = s.d.classes.most;
    study_close(&s);
    return 0;
}

static const struct subject subjects[] = {
    { "mesh:4x4", "dor" }, { "mesh:3x3x3", "dor" }, { "torus:4x4", "dor" }, { "torus:5x5", "dor" },
    { "ring:16", "dor" }, { "hypercube:4", "dor" }, { "random:16,degree=3", "minimal" },
    { "random:16,degree=3", "updown" }
};
enum { SUBJECTS = sizeof subjects / sizeof *subjects };

static int cvp_buffers(const struct claim_sink *sink, struct err *err)
{
    static const struct subject round = { "ring:4,directed=yes", "dor" };
    static const char *const scheme[] = { "hops", "remaining", "inversions", "inversions,numbering=search" };
    int cycle, classes[4], closed = 0, more = 0, own = 0, searched = 0;

    if (find_cycle(&cycle, classes, &round, NULL, HOLDS_BUFFERS, sink, err) < 0 ||
        claim_statement(sink, err, cycle, cycle == 4 ? CLAIM_HOLDS : CLAIM_FAILS, CLAIM_CVP_4_BUFFERS_FULL) < 0)
        return -1;
    for (int i = 0; i < SUBJECTS; i++) {
        for (int k = 0; k < 4; k++) {
            if (find_cycle(&cycle, &classes[k], &subjects[i], scheme[k], HOLDS_BUFFERS, sink, err) < 0)
                return -1;
            closed += cycle > 0;
        }
        more += classes[1] > classes[0] - 1;        /* the scheme hops has a class at the destination too */
        own += classes[2] < classes[1];
        searched += classes[3] < classes[1];
    }
    if (claim_statement(sink, err, more, more ? CLAIM_FAILS : CLAIM_HOLDS, CLAIM_CVP_4_MORE_CLASSES) < 0 ||
        claim_statement(sink, err, closed, closed ? CLAIM_FAILS : CLAIM_HOLDS, CLAIM_CVP_4_CYCLE_LEFT) < 0)
        return -1;
    return claim_statement(sink, err, 2 * own > SUBJECTS ? own : searched, claim_if(2 * own > SUBJECTS, 2 * searched >
                           SUBJECTS), CLAIM_CVP_4_FEWER_CLASSES, own);
}

/* Buffer classes along a route: the complete network has every sequence of nodes as one. */
static int classes_on(int *class, const int *node, size_t n, const struct claim_sink *sink, struct err *err)
{
    struct study s;
    int mark;

    if (study_open(&s, &(struct subject){ "complete:7", "minimal" }, "inversions", HOLDS_BUFFERS, sink->tick, err) < 0)
        return -1;
    mark = classes_begin(&s.d.classes, node[0], node[n - 1], 0, 0, 0);
    for (size_t i = 0; i < n; i++) {
        const int link = i ? (int)csr_link(&s.d.follow.links, node[i - 1], node[i]) : -1;

        if (i)
            mark = classes_cross(&s.d.classes, mark, -1, link);
        class[i] = s.d.classes.kind->buffer(&s.d.classes, mark, link);
    }
    study_close(&s);
    return 0;
}

static int cvp_route(const struct claim_sink *sink, struct err *err)
{
    static const int route[] = { 5, 6, 1, 2, 3 }, printed[] = { 0, 0, 1, 2, 2 };
    int class[5], same = 0;

    if (classes_on(class, route, 5, sink, err) < 0)
        return -1;
    for (int i = 0; i < 5; i++)
        same += class[i] == printed[i];
    if (claim_statement(sink, err, same, same == 5 ? CLAIM_HOLDS : CLAIM_FAILS, CLAIM_CVP_4_ROUTE) < 0 ||
        classes_on(class, route, 3, sink, err) < 0)
        return -1;
    return claim_statement(sink, err, class[2] + 1, class[2] + 1 > 1 ? CLAIM_FAILS : CLAIM_HOLDS,
                           CLAIM_CVP_4_VALLEYS, class[0], class[1], class[2]);
}

static int cvp_circuits(const struct claim_sink *sink, struct err *err)
{
    static const struct subject torus = { "torus:4x4", "dor" }, any = { "hypercube:4", "valiant" };
    int links, buffers, channels, classes;

    if (find_cycle(&links, &classes, &any, NULL, HOLDS_LINKS, sink, err) < 0 ||
        claim_statement(sink, err, links, links == 2 ? CLAIM_HOLDS : CLAIM_FAILS, CLAIM_CVP_4_CIRCUITS, any.net,
                        any.routing) < 0 ||
        find_cycle(&links, &classes, &torus, NULL, HOLDS_LINKS, sink, err) < 0 ||
        find_cycle(&buffers, &classes, &torus, "inversions", HOLDS_BUFFERS, sink, err) < 0 ||
        find_cycle(&channels, &classes, &torus, "dateline", HOLDS_LINKS, sink, err) < 0)
        return -1;
    return claim_statement(sink, err, links, buffers || !links ? CLAIM_FAILS : claim_if(channels, true),
                           CLAIM_CVP_4_RESTRICTED, torus.net, torus.routing, classes);
}

static int cvp_cube(const struct claim_sink *sink, struct err *err)
{
    static const struct subject cube = { "hypercube:4", "dor" };        /* the last dimension, the lowest bit, first */
    struct route_path path = { 0 };
    struct study s;
    int over, ret = -1;

    if (study_open(&s, &cube, NULL, HOLDS_LINKS, sink->tick, err) < 0)
        return -1;
    if (route_path(&path, &s.routing, 0, 3, err) == 0) {
        over = path.n == 3 ? path.node[1] : -1;
        if (claim_statement(sink, err, over, over == 1 ? CLAIM_HOLDS : CLAIM_FAILS, CLAIM_CVP_4_CUBE_BETWEEN) == 0)
            ret = claim_statement(sink, err, (double)s.d.ncycle, s.d.cyclic ? CLAIM_FAILS : CLAIM_HOLDS,
                                  CLAIM_CVP_4_CUBE);
    }
    route_path_release(&path);
    study_close(&s);
    return ret;
}

static int claim_cvp_4_run(const struct claim_sink *sink, struct err *err)
{
    return cvp_buffers(sink, err) < 0 || cvp_route(sink, err) < 0 || cvp_circuits(sink, err) < 0 ||
        cvp_cube(sink, err) < 0 ? -1 : 0;
}

const struct claim claim_cvp_4 = {
    CLAIM_CVP_4_ENTRY,
    .run = claim_cvp_4_run
};
