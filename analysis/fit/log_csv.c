/* CSV: bytes,time_us[,processes,operation,algorithm,repetition]; the unit stands in the name of the column. */
#include "analysis/fit/log.h"
#include "texts/log.h"

const struct log_kind log_csv = {
    LOG_CSV_ENTRY,
    .commas = true
};
