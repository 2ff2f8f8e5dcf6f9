#include "model/transfer/transfer.h"
#include "texts/transfer.h"

const struct transfer transfer_write_and_notify = {
    .name = "write-and-notify",
    TRANSFER_WRITE_AND_NOTIFY_TEXT,
    .source = "via, 4.1.3 (AMVIA)",
    .data = TRANSFER_WRITE,
    .follows = true
};
