#include "cli/catalogue.h"

#include "analysis/claim/claim.h"
#include "analysis/policy/policy.h"
#include "cli/bound/bound.h"
#include "cli/command/cmd.h"
#include "graph/import/import.h"
#include "graph/layout/layout.h"
#include "graph/topology/topo.h"
#include "model/contention/contention.h"
#include "model/routing/route.h"
#include "model/supernode/supernode.h"
#include "model/contention/switching.h"
#include "model/traffic/traffic.h"
#include "model/process/tree.h"
#include "render/chart/chart.h"
#include "render/page/colour.h"
#include "render/figure/regress.h"
#include "render/table/table.h"

const char *const catalogue_kind[] = { "command", "topology", "network-file", "layout", "supernode", "routing",
                                       "policy", "traffic", "switching", "closure", "algorithm", "contention", "claim", "bound",
                                       "table-format", "chart", "plot-format", "palette", "fit", NULL };

typedef int walk(int (*each)(void *, const struct entry *), void *arg);

#define WALK(function, list, ...)                                                   \
    static int function(int (*each)(void *, const struct entry *), void *arg)       \
    {                                                                               \
        for (size_t i = 0; list[i]; i++) {                                          \
            const struct entry e = { __VA_ARGS__ };                                 \
            int ret = each(arg, &e);                                                \
                                                                                    \
            if (ret)                                                                \
                return ret;                                                         \
        }                                                                           \
        return 0;                                                                   \
    }

WALK(commands, cmd_all, .kind = "command", .name = cmd_all[i]->name, .synopsis = cmd_all[i]->synopsis,
     .summary = cmd_all[i]->summary)
WALK(bounds, bound_all, .kind = "bound", .name = bound_all[i]->name, .synopsis = bound_all[i]->synopsis,
     .summary = bound_all[i]->summary, .source = bound_all[i]->source)
WALK(topologies, topo_all, .kind = "topology", .name = topo_all[i]->name, .synopsis = topo_all[i]->synopsis,
     .summary = topo_all[i]->summary, .source = topo_all[i]->source, .notes = topo_all[i]->notes,
     .example = topo_all[i]->example, .keys = topo_all[i]->keys)
WALK(files, import_all, .kind = "network-file", .name = import_all[i]->name, .synopsis = import_all[i]->extensions,
     .summary = import_all[i]->summary, .example = import_all[i]->example)
WALK(layouts, layout_all, .kind = "layout", .name = layout_all[i]->name, .synopsis = layout_all[i]->name,
     .summary = layout_all[i]->summary, .source = layout_all[i]->source, .notes = layout_all[i]->notes)
WALK(supernodes, supernode_all, .kind = "supernode", .name = supernode_all[i]->name,
     .synopsis = supernode_all[i]->synopsis, .summary = supernode_all[i]->summary, .notes = supernode_all[i]->notes,
     .example = supernode_all[i]->example, .keys = supernode_all[i]->keys)
WALK(routings, route_all, .kind = "routing", .name = route_all[i]->name, .synopsis = route_all[i]->synopsis,
     .summary = route_all[i]->summary, .source = route_all[i]->source, .notes = route_all[i]->notes,
     .example = route_all[i]->example, .keys = route_all[i]->keys)
WALK(policies, policy_all, .kind = "policy", .name = policy_all[i]->name, .synopsis = policy_all[i]->synopsis,
     .summary = policy_all[i]->summary, .source = policy_all[i]->source, .notes = policy_all[i]->notes,
     .example = policy_all[i]->example, .keys = policy_all[i]->keys)
WALK(traffics, traffic_all, .kind = "traffic", .name = traffic_all[i]->name, .synopsis = traffic_all[i]->synopsis,
     .summary = traffic_all[i]->summary, .source = traffic_all[i]->source, .notes = traffic_all[i]->notes,
     .example = traffic_all[i]->example, .keys = traffic_all[i]->keys)
WALK(switchings, switching_all, .kind = "switching", .name = switching_all[i]->name, .synopsis = switching_all[i]->name,
     .summary = switching_all[i]->summary)
WALK(trees, tree_all, .kind = "algorithm", .name = tree_all[i]->name, .synopsis = tree_all[i]->name,
     .summary = tree_all[i]->summary, .source = tree_all[i]->source)
WALK(contentions, contention_all, .kind = "contention", .name = contention_all[i]->name,
     .synopsis = contention_all[i]->name, .summary = contention_all[i]->summary, .notes = contention_all[i]->formula,
     .source = contention_all[i]->source)
WALK(claims, claim_all, .kind = "claim", .name = claim_all[i]->id, .synopsis = claim_all[i]->id,
     .summary = claim_all[i]->title, .source = claim_all[i]->source)
WALK(tables, table_format_all, .kind = "table-format", .name = table_format_all[i]->name,
     .synopsis = table_format_all[i]->name, .summary = table_format_all[i]->summary)
WALK(charts, chart_all, .kind = "chart", .name = chart_all[i]->name, .synopsis = chart_all[i]->name,
     .summary = chart_all[i]->summary)
WALK(plots, plot_all, .kind = "plot-format", .name = plot_all[i]->name, .synopsis = plot_all[i]->extension,
     .summary = plot_all[i]->summary)

/* Patterns of a broadcast that are no process tree. */
static int patterns(int (*each)(void *, const struct entry *), void *arg)
{
    static const struct entry entry[] = {
        { .kind = "algorithm", .name = "flooding", .synopsis = "flooding",
          .summary = "every node sends to all its neighbours when it first hears the message" },
        { .kind = "algorithm", .name = "best", .synopsis = "best",
          .summary = "whichever process tree takes the fewest: the reconfigurable choice",
          .source = "paper on reconfigurable MPI collectives, section 5 (RMBcast)" }
    };
    int ret = 0;

    for (size_t i = 0; ret == 0 && i < sizeof entry / sizeof *entry; i++)
        ret = each(arg, &entry[i]);
    return ret;
}

/* How waits for several others at one link add up. */
static int closures(int (*each)(void *, const struct entry *), void *arg)
{
    static const struct entry entry[] = {
        { .kind = "closure", .name = "pairwise", .synopsis = "pairwise",
          .summary = "the exact wait of two sources for each pair of ports, less what the other waits for third ones" },
        { .kind = "closure", .name = "resistor", .synopsis = "resistor",
          .summary = "one equivalent opponent whose rate is the sum of the others': a wait is never more than one hold",
          .source = "D. Franco, thesis on Distributed Routing Balancing, chapter 3" }
    };
    int ret = 0;

    for (size_t i = 0; ret == 0 && i < sizeof entry / sizeof *entry; i++)
        ret = each(arg, &entry[i]);
    return ret;
}

static int palettes(int (*each)(void *, const struct entry *), void *arg)
{
    int ret = 0;

    for (const struct palette *p = palette_table; ret == 0 && p->name; p++)
        ret = each(arg, &(struct entry){ .kind = "palette", .name = p->name, .synopsis = p->name, .summary = p->summary });
    return ret;
}

static int fits(int (*each)(void *, const struct entry *), void *arg)
{
    int ret = 0;

    for (const struct regress_kind *k = regress_all; ret == 0 && k->name; k++)
        ret = each(arg, &(struct entry){ .kind = "fit", .name = k->name, .synopsis = k->name, .summary = k->equation });
    return ret;
}

int catalogue_walk(int (*each)(void *arg, const struct entry *entry), void *arg)
{
    static walk *const all[] = { commands, topologies, files, layouts, supernodes, routings, policies, traffics, switchings,
                                 closures, trees, patterns, contentions, claims, bounds, tables, charts, plots, palettes, fits };
    int ret = 0;

    for (size_t i = 0; ret == 0 && i < sizeof all / sizeof *all; i++)
        ret = all[i](each, arg);
    return ret;
}
