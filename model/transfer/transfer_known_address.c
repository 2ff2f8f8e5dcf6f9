#include "model/transfer/transfer.h"
#include "texts/transfer.h"

const struct transfer transfer_known_address = {
    TRANSFER_KNOWN_ADDRESS_ENTRY,
    .data = TRANSFER_WRITE,
    .copies = AT_SENDER
};
