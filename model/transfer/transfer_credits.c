#include "model/transfer/transfer.h"
#include "texts/transfer.h"

const struct transfer transfer_credits = {
    .name = "credits",
    TRANSFER_CREDITS_TEXT,
    .window = true
};
