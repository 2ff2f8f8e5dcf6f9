#include "graph/import/fabric.h"
#include "texts/import.h"

static int ibsim_sniff(const char *text, size_t, struct err *)
{
    bool dump;

    return fabric_first(text, &dump) && !dump;
}

const struct import_format import_ibsim = {
    IMPORT_IBSIM_ENTRY,
    .states_direction = true, .fabric = true, .sniff = ibsim_sniff, .read = fabric_read };
