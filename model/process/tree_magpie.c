#include "model/process/sight.h"

static int tree_magpie_build(struct tree_shape *t, const struct tree_scene *scene, struct err *err)
{
    return sight_grouped(t, scene, true, err);
}

const struct tree tree_magpie = {
    .name = "magpie",
    .summary = "processes in groups: the root to one process of each, and a binomial tree in each",
    .source = "Kielmann and others 1999 (MagPIe: MPI's collective communication operations for clustered wide area "
        "systems); wide-area collectives, section 4.1",
    .notes = "Groups as two-level has them. No message goes over more than one link between groups, and each such link "
        "has one: where latencies between groups are most of what a broadcast takes, and obey the triangle's "
        "inequality, nothing is sooner done.",
    .build = tree_magpie_build,
    .asked = true
};
