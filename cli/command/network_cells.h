/* network_cells.h -- what tables of several commands say of a network: its hardware, and of a supernode that is too
 * small for it. */
#ifndef CLI_COMMAND_NETWORK_CELLS_H
#define CLI_COMMAND_NETWORK_CELLS_H

#include <math.h>
#include <string.h>

#include "analysis/metapath/metapath.h"
#include "analysis/network/topo_report.h"
#include "render/table/table.h"

/* Of a struct topo_report *; cables are not counted where links go one way. */
#define HARDWARE_CELLS(r)                                                                       \
    cell_count("switches", (r)->switches), cell_count("switch_ports", (r)->switch_ports),       \
    cell_count("switch_cables", (r)->directed ? NAN : (r)->edges - (r)->host_cables),           \
    cell_count("host_cables", (r)->directed ? NAN : (r)->host_cables),                          \
    cell_real("cables_per_host", (r)->directed ? NAN : (r)->edges / (r)->terminals)

/* A ball round a host of a fat tree holds no other host below the distance of the nearest two, which is then the least
 * length of its metapaths. */
static inline void supernode_note(struct table *t, const struct net *net, const struct supernode *sn,
                                  const struct metapath_stats *s)
{
    if (sn->shape == SHAPE_BALL && sn->radius > 0 && s->width == 1 && s->pairs > 0)
        table_note(t, "%s on %s: no terminal has another within %d hop%s, so that every metapath is a single path; "
                   "%.*s:%g is the least area that has some.", sn->spec, net->spec, sn->radius,
                   sn->radius == 1 ? "" : "s", (int)strcspn(sn->spec, ":"), sn->spec, s->least_hops);
}

#endif
