#include "model/transfer/transfer.h"
#include "texts/transfer.h"

const struct transfer transfer_early_ack = {
    TRANSFER_EARLY_ACK_ENTRY,
    .copies = AT_SENDER | AT_RECEIVER
};
