#include "graph/export/export.h"
#include "texts/export.h"

static const char *const ibsim_escape[] = { "\"", "", "#", "", "@", "", NULL };       /* of names; ibsim's own signs */

const struct export_format export_ibsim = {
    EXPORT_IBSIM_ENTRY,
    .says = SAYS(NAMES) | SAYS(KINDS) | SAYS(BANDWIDTHS) | SAYS(PORTS) | SAYS(ALONE) | SAYS(PARALLEL),
    .node = { "switchguid=%g\nSwitch %p \"%v\"\n", "caguid=%g\nHca %p \"%v\"\n" },
    .cable = { "[%P] \"%b\"[%Q]%w\n" },
    .own = { "[%h] \"%v-host\"[1]\n", "caguid=%G\nHca 1 \"%v-host\"\n[1] \"%v\"[%h]\n\n" },
    .closed = "\n",
    .widths = true,
    .escape = ibsim_escape };
