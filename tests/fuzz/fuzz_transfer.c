/* A rule of protocols by size, and a model of cost with the pieces of a log: what is taken has sizes that rise, and
 * every message has a time. */
#include <math.h>

#include "analysis/collective/fitted.h"
#include "model/transfer/transfer.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *path = path_of(data, size);
    struct err err = { 0 };
    struct fitted f = { 0 };
    struct transfer_rule rule;
    struct transfer_how how;

    transfer_plain(&how, 2e-6, 4e-11, 1e-6);
    how.copy = 1e-10;
    if (transfer_read(&rule, path, &how, &err) < 0) {
        message_is_fit(&err);
    } else {
        must(rule.n > 0 && rule.n <= TRANSFER_PARTS, "a rule has rows", NULL);
        for (double m = 0; m < 1e12; m = 1 + 3 * m)
            must(transfer_time(transfer_at(&rule, m), &how, m) > 0, "a message takes time", NULL);
    }
    err = (struct err){ 0 };
    if (fitted_read(&f, path, &err) < 0)
        message_is_fit(&err);
    for (size_t k = 0; k < f.npiece; k++)
        must(f.piece[k].a > 0 && isfinite(f.piece[k].a) && f.piece[k].byte >= 0 && isfinite(f.piece[k].byte) &&
             (k == 0 || f.piece[k].from > f.piece[k - 1].from), "pieces are lines, by size", NULL);
    fitted_release(&f);
    return 0;
}
