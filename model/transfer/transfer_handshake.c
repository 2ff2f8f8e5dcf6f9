#include "model/transfer/transfer.h"
#include "texts/transfer.h"

const struct transfer transfer_handshake = {
    TRANSFER_HANDSHAKE_ENTRY,
    .request = true,
    .ack = true
};
