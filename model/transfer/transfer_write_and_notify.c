#include "model/transfer/transfer.h"
#include "texts/transfer.h"

const struct transfer transfer_write_and_notify = {
    .name = "write-and-notify",
    TRANSFER_WRITE_AND_NOTIFY_TEXT,
    .data = TRANSFER_WRITE, .follows = true
};
