#include "model/transfer/transfer.h"
#include "texts/transfer.h"

extern const struct transfer transfer_handshake;

const struct transfer transfer_eager = {
    TRANSFER_EAGER_ENTRY,
    .asked_copies = true,
    .measured = true,
    .fallback = &transfer_handshake
};
