#include "model/transfer/transfer.h"
#include "texts/transfer.h"

const struct transfer transfer_rdma_write = {
    TRANSFER_RDMA_WRITE_ENTRY,
    .request = true,
    .ack = true,
    .data = TRANSFER_WRITE,
    .notice = true
};
