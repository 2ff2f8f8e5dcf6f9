#include "model/transfer/transfer.h"
#include "texts/transfer.h"

const struct transfer transfer_handshake = {
    .name = "handshake",
    TRANSFER_HANDSHAKE_TEXT,
    .source = "via, 4.4.2 (R3 of MVICH) and 6.6 (DECK/VIA)",
    .request = true,
    .ack = true,
    .registers = true
};
