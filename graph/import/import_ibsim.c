#include "graph/import/fabric.h"
#include "texts/import.h"

static int ibsim_sniff(const char *text, size_t, struct err *)
{
    bool dump;

    return fabric_first(text, &dump) && !dump;
}

const struct import_format import_ibsim = {
    .name = "ibsim",
    IMPORT_IBSIM_TEXT,
    .synopsis = ".ibsim .net",
    .source = "ibsim, ibsim/sim_net.c",
    .example = "Switch 4 \"s\"\n[1] \"a\"[1]\n[2] \"b\"[1] w=2\n\nHca 1 \"a\"\n[1] \"s\"[1]\n\n"
               "Hca 1 \"b\"\n[1] \"s\"[2]\n",
    .states_direction = true, .fabric = true, .sniff = ibsim_sniff, .read = fabric_read };
