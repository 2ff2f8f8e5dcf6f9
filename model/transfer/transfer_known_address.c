#include "model/transfer/transfer.h"
#include "texts/transfer.h"

const struct transfer transfer_known_address = {
    .name = "known-address",
    TRANSFER_KNOWN_ADDRESS_TEXT,
    .source = "via, 4.3 (LAM/MPI)",
    .data = TRANSFER_WRITE,
    .copies = AT_SENDER
};
