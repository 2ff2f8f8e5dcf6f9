#include "model/transfer/transfer.h"
#include "texts/transfer.h"

const struct transfer transfer_rdma_write = {
    .name = "rdma-write",
    TRANSFER_RDMA_WRITE_TEXT,
    .request = true, .ack = true, .data = TRANSFER_WRITE, .notice = true
};
