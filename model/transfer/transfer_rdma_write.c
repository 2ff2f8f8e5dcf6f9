#include "model/transfer/transfer.h"
#include "texts/transfer.h"

const struct transfer transfer_rdma_write = {
    .name = "rdma-write",
    TRANSFER_RDMA_WRITE_TEXT,
    .source = "via, 4.4.2 (RGET there, RPUT in its table 4.1)",
    .request = true,
    .ack = true,
    .registers = true,
    .data = TRANSFER_WRITE,
    .notice = NOTICE_RECEIVER
};
