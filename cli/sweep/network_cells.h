/* network_cells.h -- what tables of several commands say of a network: its hardware, and of a supernode that is too
 * small for it. */
#pragma once

#include "analysis/metapath/metapath.h"
#include "analysis/network/topo_report.h"
#include "cli/request/frame.h"
#include "render/table/table.h"

/* Of a struct topo_report *, beside columns that are its members; cables are not counted where links go one way. */
#define HARDWARE_CELLS(r)                                                                                       \
    cell_count("switch_cables", (r)->directed ? NAN : (r)->edges - (r)->host_cables),                           \
    cell_count("host_cables", (r)->directed ? NAN : (r)->host_cables),                                          \
    cell_real("cables_per_host", (r)->directed ? NAN : (r)->edges / (r)->terminals),                            \
    cell_real("bandwidth_per_host", (r)->bandwidth / (r)->terminals)

/* Columns that stand aside until some network has something to say there (hardware_show); the report is the of_-th of
 * MEMBERS. */
#define HARDWARE_SOME(of_)                                                                                      \
    { "joined_pairs", "Pairs of nodes that are joined", NULL, COLUMN_ASIDE, HARDWARE_WHOLE(of_, joined_pairs) }, \
    { "bandwidth", "Bandwidth of all cables", "unit links", COLUMN_ASIDE,                                       \
      MEMBER(of_, struct topo_report, bandwidth) },                                                             \
    { "bandwidth_per_host", "Bandwidth per host", "unit links", COLUMN_ASIDE, LOOSE },                          \
    { "ports_used", "Ports used", NULL, COLUMN_ASIDE, HARDWARE_WHOLE(of_, ports_used) },                        \
    { "ports_free", "Ports free", NULL, COLUMN_ASIDE, HARDWARE_WHOLE(of_, ports_free) },                        \
    { "failed_nodes", "Nodes failed", NULL, COLUMN_ASIDE, HARDWARE_WHOLE(of_, failed_nodes) },                  \
    { "failed_cables", "Cables failed", NULL, COLUMN_ASIDE, HARDWARE_WHOLE(of_, failed_cables) }
#define HARDWARE_WHOLE(of_, m) WHOLE(of_, struct topo_report, m)

/* People are shown the columns, `decimals` digits, from now on. */
static inline void column_show(struct job *j, int decimals, const char *const *name)
{
    for (; *name; name++) {
        const int at = table_find(j->t, *name);

        if (at >= 0)
            j->column[at].decimals = decimals;
        if (at >= 0 && j->walk.log)
            fprintf(j->walk.log, "c%s %d\n", *name, decimals);
    }
}

static inline void hardware_show(struct job *j, const struct topo_report *r)
{
    if (r->joined_pairs < r->edges)
        column_show(j, 0, (const char *const[]){ "joined_pairs", NULL });
    if (r->bandwidth != r->edges)
        column_show(j, -1, (const char *const[]){ "bandwidth", "bandwidth_per_host", NULL });
    if (r->ports_free > 0)
        column_show(j, 0, (const char *const[]){ "ports_used", "ports_free", NULL });
    if (r->failed_nodes + r->failed_cables > 0)
        column_show(j, 0, (const char *const[]){ "failed_nodes", "failed_cables", NULL });
}

/* A ball round a host of a fat tree holds no other host below the distance of the nearest two, which is then the least
 * length of its metapaths. */
static inline void supernode_note(struct table *t, const struct net *net, const struct supernode *sn,
                                  const struct metapath_stats *s)
{
    if (sn->shape == SHAPE_BALL && sn->radius > 0 && s->width == 1 && s->pairs > 0)
        table_note(t, "%s on %s: no terminal has another within %d hop%s, so that every metapath is a single path; "
                   "%.*s:%g is the least area that has some.", sn->spec, net->spec, sn->radius,
                   sn->radius == 1 ? "" : "s", (int)strcspn(sn->spec, ":"), sn->spec, s->least_hops);
    if (sn->shape == SHAPE_BETWEEN && s->intermediate == 0 && s->pairs > 0)
        table_note(t, "%s on %s: no terminal lies near the middle of a pair, so that every metapath is a single path.",
                   sn->spec, net->spec);
}

/* ---- samples of sources ---- */

/* About a request with a member `sources`. */
#define SOURCES_OPTION                                                                                              \
    { "sources", 0, "N", "where not all is known from one source: estimates from N of them, drawn by --seed, with "  \
      "their errors (default: all)", 0, INTO(sources), .least = 2, .most = INT32_MAX }
/* Columns beside one that may be estimated: its standard error, and half of its confidence interval; and their cells,
 * of an array of struct estimate, none where it is NULL. */
#define ESTIMATED(name, suffix, unit, decimals)                                                 \
    { name "_error" suffix, "Std. error", unit, IF_FILLED(COLUMN_ASIDE), LOOSE },                      \
    { name "_confidence" suffix, "+-", unit, IF_FILLED(decimals), LOOSE }
#define ESTIMATE_CELLS(name, suffix, estimate, i)                                               \
    cell_real(name "_error" suffix, (estimate) ? (estimate)[i].error : NAN),                    \
    cell_real(name "_confidence" suffix, (estimate) ? (estimate)[i].half : NAN)
#define SOURCES_COLUMN { "sources", "Sources", NULL, IF_FILLED(0), LOOSE }

/* What became of --sources, where it was given: how many were drawn (0: none). */
static inline void sources_note(struct job *j, int asked, int drawn, const char *spec, const char *what)
{
    if (drawn)
        table_note(j->t, "%s: %s from %d sources (seed %llu); +- is half of the 95 %% confidence interval, and 0 where "
                   "all that were drawn are alike, whatever the others may be.",
                   spec, what, drawn, (unsigned long long)j->o->seed);
    else if (asked && asked < j->net->nterminal)
        table_note(j->t, "%s: all sources count: what is known of the network makes a sample needless.", spec);
}
