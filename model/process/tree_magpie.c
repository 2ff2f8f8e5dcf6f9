#include "model/process/sight.h"
#include "texts/tree.h"

static int tree_magpie_build(struct tree_shape *t, const struct tree_scene *scene, struct err *err)
{
    return sight_grouped(t, scene, true, err);
}

const struct tree tree_magpie = {
    TREE_MAGPIE_ENTRY,
    .source = "Kielmann and others 1999 (MagPIe: MPI's collective communication operations for clustered wide area "
        "systems); wide-area collectives, section 4.1",
    .build = tree_magpie_build,
    .asked = true
};
