#include "model/transfer/transfer.h"
#include "texts/transfer.h"

const struct transfer transfer_rdma_read = {
    .name = "rdma-read",
    TRANSFER_RDMA_READ_TEXT,
    .source = "via, 4.4.2 (RPUT there, RGET in its table 4.1)",
    .request = true,
    .registers = true,
    .data = TRANSFER_READ,
    .notice = NOTICE_SENDER
};
