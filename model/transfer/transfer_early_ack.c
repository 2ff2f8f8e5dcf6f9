#include "model/transfer/transfer.h"
#include "texts/transfer.h"

const struct transfer transfer_early_ack = {
    .name = "early-ack",
    TRANSFER_EARLY_ACK_TEXT,
    .copies = AT_SENDER | AT_RECEIVER
};
