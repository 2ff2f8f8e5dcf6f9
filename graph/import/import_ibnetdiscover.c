#include "graph/import/fabric.h"
#include "texts/import.h"

static int ibnetdiscover_sniff(const char *text, size_t, struct err *)
{
    bool dump;

    return fabric_first(text, &dump) && dump;
}

const struct import_format import_ibnetdiscover = {
    IMPORT_IBNETDISCOVER_ENTRY,
    .states_direction = true, .fabric = true, .sniff = ibnetdiscover_sniff, .read = fabric_read };
