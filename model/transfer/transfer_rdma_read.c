#include "model/transfer/transfer.h"
#include "texts/transfer.h"

const struct transfer transfer_rdma_read = {
    TRANSFER_RDMA_READ_ENTRY,
    .request = true,
    .data = TRANSFER_READ,
    .notice = true
};
