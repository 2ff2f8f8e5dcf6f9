#include "model/transfer/transfer.h"
#include "texts/transfer.h"

const struct transfer transfer_credits = {
    TRANSFER_CREDITS_ENTRY,
    .window = true
};
