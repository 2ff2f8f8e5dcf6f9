#include "cli/request/scores.h"

#define ROUNDING 1e-12              /* scores this near are the same, summed in another order: the first is the best */

size_t best_of(char names[BEST_NAMES], const struct score *s, size_t n, double tie)
{
    size_t best = n, len = 0;

    for (size_t i = 0; i < n; i++)
        if (s[i].at < (best == n ? INFINITY : s[best].at * (1 - ROUNDING)))
            best = i;
    if (!names)
        return best;
    names[0] = '\0';
    for (size_t i = 0; best < n && i < n && len < BEST_NAMES; i++)
        if (i == best || s[i].at - s[i].half <= (s[best].at + s[best].half) * (1 + tie))
            len += (size_t)snprintf(names + len, BEST_NAMES - len, "%s%s", len ? "+" : "", s[i].name);
    return best;
}
