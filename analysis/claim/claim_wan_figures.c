#include "analysis/claim/wan.h"
#include "texts/claim.h"

/* Ratios of times that the text gives for its figures 4.4 to 4.19; their bars have no numbers. They are rows of claim.text:
 * a part of what a play takes, a tree and how often it adapts and from what per cent on, and of which part of another's;
 * `least` to `most` is accepted as printed, above `sign`, or below -sign, the order. */
enum { WHERE, PRINTED, SCENARIO, BROADCASTS, PLAY, OF, PART, OF_PART, LEAST, MOST, SIGN, OF_SCENARIO };

static double part_of(const struct played *p, const char *part, int broadcasts)
{
    return strcmp(part, "a second") == 0 ? 1e3 : strcmp(part, "each check") == 0 ? p->adapting / p->checks :
        strcmp(part, "building") == 0 ? p->building : strcmp(part, "adapting") == 0 ? p->adapting :
        strcmp(part, "broadcasting") == 0 ? p->broadcasting : p->total[broadcasts];
}

static const char *name_of(char out[60], const struct wan_play *p)
{
    if (strcmp(p->tree, "mst") != 0 || !p->every)
        return strcmp(p->tree, "mst") == 0 ? "the tree that stays" : p->tree;
    snprintf(out, 60, p->threshold > 0 ? "adaptive every %d from %g %%" : "adaptive every %d", p->every, p->threshold);
    return out;
}

static int emit(char *const *row, const struct wan *w, const struct claim_sink *sink, struct err *err)
{
    const int broadcasts = atoi(row[BROADCASTS]);
    double ratio, time[2];
    char what[160], tree[2][20], name[2][60];
    struct wan_play play[2] = { { .tree = tree[0] }, { .tree = tree[1] } };

    for (int k = 0; k < 2; k++) {
        const char *scenario = row[k && *row[OF_SCENARIO] ? OF_SCENARIO : SCENARIO];
        struct played p;

        sscanf(row[PLAY + k], "%19s %d %lf", tree[k], &play[k].every, &play[k].threshold);
        if (wan_play(&p, w, &play[k], sink->published, *scenario ? scenario : NULL, broadcasts, 0, err) < 0)
            return -1;
        time[k] = part_of(&p, row[PART + k], broadcasts) / 1e3;
        played_release(&p);
    }
    ratio = time[0] / time[1];
    snprintf(what, sizeof what, "%s by %s, in parts of %s by %s", row[PART], name_of(name[0], &play[0]),
             row[OF_PART], name_of(name[1], &play[1]));
    return claim_statement(sink, err, ratio, claim_ratio(ratio, atof(row[LEAST]), atof(row[MOST]),
                           atof(row[SIGN])), row[WHERE], what, row[PRINTED],
                           "%.4g against %.4g s, messages taking the latencies alone", time[0], time[1]);
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
    static const char *const text[] = { CLAIM_WAN_FIGURES_ROWS };
    struct wan w;
    int ret = wan_open(&w, err);

    if (ret < 0)
        return -1;
    ret = emit_links(&w, sink, err);
    for (size_t i = 0; ret == 0 && i < sizeof text / sizeof *text; i++) {
        struct csv row = { 0 };         /* a heading and nothing else */

        ret = csv_parse(&row, text[i], strlen(text[i]), "chapter 4", err) < 0 ? -1 : emit(row.heading, &w, sink, err);
        csv_release(&row);
    }
    wan_close(&w);
    return ret;
}

const struct claim claim_wan_figures = {
    CLAIM_WAN_FIGURES_ENTRY,
    .run = claim_wan_figures_run
};
