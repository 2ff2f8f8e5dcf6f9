#include "analysis/claim/wan.h"
#include "texts/claim.h"

/* Ratios of times that the text gives for its figures 4.4 to 4.19; their bars have no numbers. */
enum part { BUILDING, ADAPTING, BROADCASTING, TOTAL, CHECK, SECOND };
#define MAGPIE { "magpie", 0, 0 }
#define TREE_STAYS { "mst", 0, 0 }
#define ADAPTS { "mst", 1, 0 }
#define ADAPTS_4 { "mst", 4, 0 }
static const struct {
    const char *where, *printed, *scenario;
    int broadcasts;
    struct wan_play play, of;
    enum part part, of_part;
    double least, most, sign;       /* range accepted as printed; order: above `sign`, or below -sign */
    const char *of_scenario;        /* NULL: the same */
} statements[] = {
    { "figure 4.4, 4 broadcasts", "0.90", NULL, 4, TREE_STAYS, TREE_STAYS, BUILDING, TOTAL, 0.85, 0.95, 0.5, NULL },
    { "figure 4.4, 8 broadcasts", "0.82", NULL, 8, TREE_STAYS, TREE_STAYS, BUILDING, TOTAL, 0.77, 0.87, 0.5, NULL },
    { "figure 4.4, 16 broadcasts", "0.73", NULL, 16, TREE_STAYS, TREE_STAYS, BUILDING, TOTAL, 0.68, 0.78, 0.5, NULL },
    { "figure 4.4, 4 broadcasts", "0.41", NULL, 4, MAGPIE, MAGPIE, BUILDING, TOTAL, 0.36, 0.46, 0, NULL },
    { "figure 4.4, 16 broadcasts", "0.22", NULL, 16, MAGPIE, MAGPIE, BUILDING, TOTAL, 0.17, 0.27, 0, NULL },
    { "figure 4.4, 16 broadcasts", "magpie is faster", NULL, 16, TREE_STAYS, MAGPIE, TOTAL, TOTAL, 1, INFINITY, 1,
      NULL },
    { "figure 4.4, 4 broadcasts", "1.13", NULL, 4, MAGPIE, TREE_STAYS, BROADCASTING, BROADCASTING, 1.1, 1.16, 1, NULL },
    { "figure 4.4, 8 broadcasts", "1.28", NULL, 8, MAGPIE, TREE_STAYS, BROADCASTING, BROADCASTING, 1.2, 1.4, 1, NULL },
    { "figure 4.4, 16 broadcasts", "1.15", NULL, 16, MAGPIE, TREE_STAYS, BROADCASTING, BROADCASTING, 1.1, 1.2, 1,
      NULL },
    { "figure 4.5", "the tree is worse than magpie", "4.5", 16, TREE_STAYS, MAGPIE, BROADCASTING, BROADCASTING, 1,
      INFINITY, 1, NULL },
    { "figure 4.5", "about 6", "4.5", 16, TREE_STAYS, ADAPTS, BROADCASTING, BROADCASTING, 4, 8, 1, NULL },
    { "figure 4.7", "above 20", "4.7", 16, MAGPIE, ADAPTS, BROADCASTING, BROADCASTING, 20, INFINITY, 1, NULL },
    { "figure 4.7", "about 30", "4.7", 16, TREE_STAYS, ADAPTS, BROADCASTING, BROADCASTING, 24, 36, 1, NULL },
    { "figure 4.7, 4 broadcasts", "not yet below magpie", "4.7", 4, ADAPTS, MAGPIE, TOTAL, TOTAL, 1, INFINITY, 1,
      NULL },
    { "figure 4.7, 8 broadcasts", "not yet below magpie", "4.7", 8, ADAPTS, MAGPIE, TOTAL, TOTAL, 1, INFINITY, 1,
      NULL },
    { "figure 4.7, 16 broadcasts", "below magpie", "4.7", 16, ADAPTS, MAGPIE, TOTAL, TOTAL, 0, 1, -1, NULL },
    { "figure 4.7, 4 broadcasts", "0.20", "4.7", 4, ADAPTS, ADAPTS, ADAPTING, TOTAL, 0.15, 0.25, -0.5, NULL },
    { "figure 4.7, 8 broadcasts", "0.23", "4.7", 8, ADAPTS, ADAPTS, ADAPTING, TOTAL, 0.18, 0.28, -0.5, NULL },
    { "figure 4.7, 16 broadcasts", "0.26", "4.7", 16, ADAPTS, ADAPTS, ADAPTING, TOTAL, 0.21, 0.31, -0.5, NULL },
    { "section 4.3, nothing to find", "0.57 s", NULL, 16, ADAPTS, ADAPTS, CHECK, SECOND, 0.52, 0.62, -1, NULL },
    { "figure 4.9, one failure", "18 to 70", "4.9-one", 8, TREE_STAYS, ADAPTS, BROADCASTING, BROADCASTING, 18, 70, 1,
      NULL },
    { "figure 4.9, three failures", "18 to 70", "4.9-three", 8, TREE_STAYS, ADAPTS, BROADCASTING, BROADCASTING, 18, 70,
      1, NULL },
    { "figure 4.9, four failures", "18 to 70", "4.9-four", 8, TREE_STAYS, ADAPTS, BROADCASTING, BROADCASTING, 18, 70,
      1, NULL },
    { "figure 4.9, four failures", "18 to 70", "4.9-four", 8, MAGPIE, ADAPTS, BROADCASTING, BROADCASTING, 18, 70, 1,
      NULL },
    { "figure 4.9, three failures", "checks every 4 take much less", "4.9-three", 8, ADAPTS_4, ADAPTS, ADAPTING,
      ADAPTING, 0, 0.6, -1, NULL },
    { "figure 4.9, three failures of one", "about 2; 1.23 too", "4.9-three", 8, MAGPIE, MAGPIE, TOTAL, TOTAL, 1.6,
      2.4, 1,
      "4.9-one" },
    { "figure 4.9, three failures of one", "1.16", "4.9-three", 8, ADAPTS, ADAPTS, TOTAL, TOTAL, 1.1, 1.22, 1,
      "4.9-one" },
    { "figure 4.9, three failures of one", "1.21", "4.9-three", 8, TREE_STAYS, TREE_STAYS, TOTAL, TOTAL, 1.15, 1.27, 1,
      "4.9-one" },
    { "figure 4.9, three failures of one", "1.06", "4.9-three", 8, ADAPTS_4, ADAPTS_4, TOTAL, TOTAL, 1.03, 1.09, 1,
      "4.9-one" },
    { "figure 4.10, three failures of one", "1.40", "4.9-three", 16, TREE_STAYS, TREE_STAYS, TOTAL, TOTAL, 1.3, 1.5, 1,
      "4.9-one" },
    { "figure 4.10, three failures of one", "1.04", "4.9-three", 16, ADAPTS_4, ADAPTS_4, TOTAL, TOTAL, 1.02, 1.06, 1,
      "4.9-one" },
    { "figure 4.10, three failures of one", "1.40", "4.9-three", 16, MAGPIE, MAGPIE, TOTAL, TOTAL, 1.3, 1.5, 1,
      "4.9-one" },
    { "figure 4.10, three failures of one", "1.14", "4.9-three", 16, ADAPTS, ADAPTS, TOTAL, TOTAL, 1.1, 1.2, 1,
      "4.9-one" },
    { "figure 4.11, one recovery", "magpie takes least", "4.11-one", 8, ADAPTS_4, MAGPIE, TOTAL, TOTAL, 1, INFINITY,
      1, NULL },
    { "figure 4.11, four recoveries", "magpie takes least", "4.11-four", 8, ADAPTS_4, MAGPIE, TOTAL, TOTAL, 1, INFINITY,
      1, NULL },
    { "figure 4.11, four recoveries", "adapted broadcasts take less", "4.11-four", 8, ADAPTS, TREE_STAYS, BROADCASTING,
      BROADCASTING, 0, 1, -1, NULL },
    { "figure 4.12", "the trees broadcast faster than magpie", "4.12", 20, MAGPIE, TREE_STAYS, BROADCASTING,
      BROADCASTING, 1, INFINITY, 1, NULL },
    { "figure 4.12", "in all somewhat more than magpie", "4.12", 20, ADAPTS, MAGPIE, TOTAL, TOTAL, 1, 1.5, 1, NULL },
    { "figure 4.14", "about 21", "4.14", 16, TREE_STAYS, { "mst", 1, 10 }, BROADCASTING, BROADCASTING, 17, 25, 1,
      NULL },
    { "figure 4.14", "about 85", "4.14", 16, MAGPIE, { "mst", 1, 10 }, BROADCASTING, BROADCASTING, 70, 100, 1, NULL },
    { "figure 4.15", "adapting takes less than with 10 %", "4.14", 16, { "mst", 1, 70 }, { "mst", 1, 10 }, ADAPTING,
      ADAPTING, 0, 1, -1, NULL },
    { "figure 4.16", "adapting takes less with 50 % than with 0", "4.16", 40, { "mst", 4, 50 }, ADAPTS_4, ADAPTING,
      ADAPTING, 0, 1, -1, NULL },
    { "figure 4.17, failures", "at least 40", "4.17-failures", 20, MAGPIE, ADAPTS, BROADCASTING, BROADCASTING, 40,
      INFINITY, 1, NULL },
    { "figure 4.17, failures", "1.33", "4.17-failures", 20, TREE_STAYS, MAGPIE, BROADCASTING, BROADCASTING, 1.28, 1.38,
      1, NULL },
    { "figure 4.17, failures", "about half of the trees that stay", "4.17-failures", 20, ADAPTS, MAGPIE, TOTAL, TOTAL,
      0.4, 0.6, -1, NULL },
    { "figure 4.17, failures", "adapting about half with checks every 4", "4.17-failures", 20, ADAPTS_4, ADAPTS,
      ADAPTING, ADAPTING, 0.4, 0.6, -1, NULL },
    { "figure 4.17, recoveries", "the tree broadcasts much faster than magpie", "4.17-recoveries", 20, MAGPIE,
      TREE_STAYS, BROADCASTING, BROADCASTING, 2, INFINITY, 1, NULL },
    { "figure 4.18, failures", "good over the tree that adapts", "4.18-failures", 100, ADAPTS, TREE_STAYS,
      BROADCASTING, BROADCASTING, 0, 1, -1, NULL },
    { "figure 4.18, recoveries", "good over the tree that adapts", "4.18-recoveries", 100, ADAPTS,
      TREE_STAYS, BROADCASTING, BROADCASTING, 0, 1, -1, NULL },
    { "figure 4.19", "about 20", "4.19", 100, MAGPIE, ADAPTS, BROADCASTING, BROADCASTING, 16, 24, 1, NULL },
    { "figure 4.19", "about 20", "4.19", 100, TREE_STAYS, ADAPTS, BROADCASTING, BROADCASTING, 16, 24, 1, NULL },
    { "figure 4.19", "0.67", "4.19", 100, ADAPTS, ADAPTS, ADAPTING, TOTAL, 0.62, 0.72, 0.5, NULL },
    { "figure 4.19", "less than magpie in all", "4.19", 100, ADAPTS, MAGPIE, TOTAL, TOTAL, 0, 1, -1, NULL },
    { "figure 4.19", "less than the tree that stays in all", "4.19", 100, ADAPTS, TREE_STAYS, TOTAL, TOTAL, 0, 1, -1,
      NULL }
};
static const char *const part_name[] = { "building", "adapting", "broadcasting", "all", "each check", "a second" };

static double part_of(const struct played *p, enum part part, int broadcasts)
{
    if (part == CHECK || part == SECOND)
        return part == SECOND ? 1e3 : p->adapting / p->checks;
    return part == BUILDING ? p->building : part == ADAPTING ? p->adapting : part == BROADCASTING ? p->broadcasting :
        p->total[broadcasts];
}

static const char *name_of(char out[60], const struct wan_play *p)
{
    if (strcmp(p->tree, "mst") != 0 || !p->every)
        return strcmp(p->tree, "mst") == 0 ? "the tree that stays" : p->tree;
    snprintf(out, 60, p->threshold > 0 ? "adaptive every %d from %g %%" : "adaptive every %d", p->every, p->threshold);
    return out;
}

static int emit(size_t i, const struct wan *w, const struct claim_sink *sink, struct err *err)
{
    const struct csv *scenarios = sink->published;
    struct played p, of;
    double ratio, time[2];
    char what[160], name[2][60];
    int ret;

    if (wan_play(&p, w, &statements[i].play, scenarios, statements[i].scenario, statements[i].broadcasts, 0, err) < 0)
        return -1;
    if (wan_play(&of, w, &statements[i].of, scenarios, statements[i].of_scenario ? statements[i].of_scenario :
                 statements[i].scenario, statements[i].broadcasts, 0, err) < 0) {
        played_release(&p);
        return -1;
    }
    time[0] = part_of(&p, statements[i].part, statements[i].broadcasts) / 1e3;
    time[1] = part_of(&of, statements[i].of_part, statements[i].broadcasts) / 1e3;
    ratio = time[0] / time[1];
    snprintf(what, sizeof what, "%s by %s, in parts of %s by %s", part_name[statements[i].part],
             name_of(name[0], &statements[i].play), part_name[statements[i].of_part],
             name_of(name[1], &statements[i].of));
    ret = claim_statement(sink, err, ratio, claim_ratio(ratio, statements[i].least, statements[i].most,
                          statements[i].sign), statements[i].where, what, statements[i].printed,
                          "%.4g against %.4g s, messages taking the latencies alone", time[0], time[1]);
    played_release(&p);
    played_release(&of);
    return ret;
}

/* Links of the tree of figure 4.3 that the text names. */
static int emit_links(const struct wan *w, const struct claim_sink *sink, struct err *err)
{
    static const int link[][2] = { { 4, 6 }, { 0, 2 }, { 0, 1 }, { 8, 9 }, { 12, 16 }, { 12, 20 }, { 13, 14 } };
    struct protocol_cost cost = { .time = 0 };
    struct spanning s;
    int ret = 0;

    if (spanning_build(&s, w->where.n, w->wire, w->m, &(struct protocol_how){ 0, NULL, &cost, sink->tick }, err) < 0)
        return -1;
    for (size_t k = 0; ret == 0 && k < sizeof link / sizeof *link; k++) {
        char where[60];
        bool in = false;

        for (size_t h = 0; h < 2 * s.w.m; h++)
            in = in || (s.w.from[h] == link[k][0] && s.w.to[h] == link[k][1] && spanning_has(&s, h));
        snprintf(where, sizeof where, "figure 4.3, link %d-%d", link[k][0], link[k][1]);
        ret = claim_statement(sink, err, in, in ? CLAIM_HOLDS : CLAIM_FAILS, where, "is in the tree", "yes", in ?
                              "of equal latencies that of the lesser processes comes first" :
                              "of equal latencies on a site that of the lesser processes comes first, 12-14; the "
                              "latencies that were measured are not printed");
    }
    spanning_release(&s);
    return ret;
}

static int claim_wan_figures_run(const struct claim_sink *sink, struct err *err)
{
    struct wan w;
    int ret = wan_open(&w, err);

    if (ret < 0)
        return -1;
    ret = emit_links(&w, sink, err);
    for (size_t i = 0; ret == 0 && i < sizeof statements / sizeof *statements; i++)
        ret = emit(i, &w, sink, err);
    wan_close(&w);
    return ret;
}

const struct claim claim_wan_figures = {
    CLAIM_WAN_FIGURES_ENTRY,
    .run = claim_wan_figures_run
};
