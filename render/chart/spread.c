#include "render/chart/spread.h"

#include <strings.h>

#define LONGEST 120             /* bytes of a name that is looked at */
#define HALVES 10                /* then pairs of ends */
static const char *const spreads[] = { "std", "sd", "stdev", "stddev", "stderr", "sem", "err", "error", "ci95",
                                       "ci", "min", "max", "lo", "hi", "low", "high", "lower", "upper", "p5", "p95",
                                       "p10", "p90", "p25", "p75", "q1", "q3", NULL },
    *const means[] = { "mean", "avg", "average", "median", NULL };

/* The name but for its first word of the list: which one, from 1; 0: none. */
static size_t without(char out[LONGEST], const char *name, const char *const *list)
{
    size_t which = 0, len, n = 0;

    for (; *name; name += len + (name[len] != '\0')) {
        const bool open = !which || (list == spreads && which == HALVES);       /* "ci" alone, or before "lo" */
        size_t i = 0;

        len = strcspn(name, "_ .-");
        while (open && list[i] && (*list[i] != (*name | 32) || strncasecmp(list[i], name, len) != 0 || list[i][len]))
            i++;
        if (open && list[i]) {
            which = i + 1;
        } else if (n + len + 2 < LONGEST) {
            memcpy(out + n, name, len);
            n += len;
            out[n++] = '_';
        }
    }
    out[n] = '\0';
    return which;
}

bool spread_find(size_t at[2], const struct table *t, size_t of)
{
    size_t column[sizeof spreads / sizeof *spreads] = { 0 };    /* from 1 */
    char mean[LONGEST], name[LONGEST];

    without(mean, t->column[of].name, means);
    for (size_t i = 0; i < t->ncolumn; i++) {
        const size_t which = without(name, t->column[i].name, spreads);

        if (which && i != of && !column[which - 1] && strcasecmp(name, mean) == 0 && !table_has_text(t, i))
            column[which - 1] = i + 1;
    }
    for (size_t k = 0; spreads[k]; k += k < HALVES ? 1 : 2)
        if (column[k] && (k < HALVES || column[k + 1])) {
            at[0] = column[k] - 1;
            at[1] = column[k < HALVES ? k : k + 1] - 1;
            return true;
        }
    return false;
}

bool spread_is(const struct table *t, size_t column)
{
    char mean[LONGEST], name[LONGEST];
    size_t at[2];

    for (size_t i = 0; without(name, t->column[column].name, spreads) && i < t->ncolumn; i++) {
        without(mean, t->column[i].name, means);
        if (i != column && strcasecmp(name, mean) == 0 && !table_has_text(t, i) && spread_find(at, t, i))
            return true;
    }
    return false;
}
