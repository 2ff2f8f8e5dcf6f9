#include "model/transfer/transfer.h"
#include "texts/transfer.h"

const struct transfer transfer_write_and_notify = {
    TRANSFER_WRITE_AND_NOTIFY_ENTRY,
    .data = TRANSFER_WRITE,
    .follows = true
};
