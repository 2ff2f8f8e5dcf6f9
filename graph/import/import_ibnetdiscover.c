#include "graph/import/fabric.h"
#include "texts/import.h"

static int ibnetdiscover_sniff(const char *text, size_t, struct err *)
{
    bool dump;

    return fabric_first(text, &dump) && dump;
}

const struct import_format import_ibnetdiscover = {
    .name = "ibnetdiscover",
    IMPORT_IBNETDISCOVER_TEXT,
    .synopsis = ".ibnetdiscover .ibnet .topo",
    .source = "rdma-core, infiniband-diags/ibnetdiscover.c",
    .example = "switchguid=0x1(1)\nSwitch 2 \"S-0000000000000001\" # \"s\" enhanced port 0 lid 1 lmc 0\n"
               "[1] \"H-0000000000000002\"[1](3) # \"a\" lid 2 4xNDR\n"
               "[2] \"H-0000000000000004\"[1](5) # \"b\" lid 3 4xNDR\n\ncaguid=0x2\n"
               "Ca 1 \"H-0000000000000002\" # \"a\"\n[1](3) \"S-0000000000000001\"[1] # lid 2 lmc 0 \"s\" lid 1 4xNDR\n\n"
               "caguid=0x4\nCa 1 \"H-0000000000000004\" # \"b\"\n"
               "[1](5) \"S-0000000000000001\"[2] # lid 3 lmc 0 \"s\" lid 1 4xNDR\n",
    .states_direction = true, .fabric = true, .sniff = ibnetdiscover_sniff, .read = fabric_read };
