/* Logs of benchmarks: rows are of blocks, sizes and times are numbers of a range, and what has three sizes is fitted by
 * pieces that cover them. */
#include "analysis/fit/machine.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct machine_how how = { .overhead = NAN, .cable = NAN };
    struct err err = { 0 };
    struct log l = { 0 };
    struct machine m;
    char *text = text_of(data, size);

    if (log_parse(&l, text, size, "a.txt", &err) < 0) {
        message_is_fit(&err);
    } else {
        must(l.nblock > 0 && l.nrow > 0, "a block and a row", NULL);
        for (size_t i = 0; i < l.nrow; i++) {
            must(l.row[i].block < l.nblock && l.row[i].line > 0, "a row of a block", NULL);
            must(l.row[i].bytes >= 0 && isfinite(l.row[i].bytes), "a size", NULL);
            must(l.row[i].time > 0 && isfinite(l.row[i].time), "a time", NULL);
        }
        if (machine_fit(&m, &l, &how, &err) < 0) {
            message_is_fit(&err);
        } else {
            must(m.npiece > 0 && m.piece[0].piece.from == 0 && m.piece[m.npiece - 1].piece.to == m.near.n, "all sizes",
                 NULL);
            for (size_t i = 0; i < m.npiece; i++)
                must(m.piece[i].piece.to - m.piece[i].piece.from >= PIECES_LEAST && m.piece[i].piece.b >= 0 &&
                     isfinite(m.piece[i].piece.a), "a piece", NULL);
            machine_release(&m);
        }
    }
    log_release(&l);
    free(text);
    return 0;
}
