#include "model/transfer/transfer.h"
#include "texts/transfer.h"

const struct transfer transfer_rdma_read = {
    .name = "rdma-read",
    TRANSFER_RDMA_READ_TEXT,
    .request = true, .data = TRANSFER_READ, .notice = true
};
