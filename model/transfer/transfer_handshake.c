#include "model/transfer/transfer.h"
#include "texts/transfer.h"

const struct transfer transfer_handshake = {
    .name = "handshake",
    TRANSFER_HANDSHAKE_TEXT,
    .request = true, .ack = true
};
