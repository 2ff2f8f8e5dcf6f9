#include "graph/base/base.h"

#define LONGEST 64

static size_t min3(size_t a, size_t b, size_t c)
{
    size_t m = a < b ? a : b;

    return m < c ? m : c;
}

/* Optimal string alignment distance. */
static size_t edits(const char *a, const char *b)
{
    size_t la = strlen(a), lb = strlen(b), d[LONGEST + 1][LONGEST + 1];

    if (la > LONGEST || lb > LONGEST)
        return LONGEST;
    for (size_t i = 0; i <= la; i++)
        d[i][0] = i;
    for (size_t j = 0; j <= lb; j++)
        d[0][j] = j;
    for (size_t i = 1; i <= la; i++)
        for (size_t j = 1; j <= lb; j++) {
            d[i][j] = min3(d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] && d[i - 2][j - 2] + 1 < d[i][j])
                d[i][j] = d[i - 2][j - 2] + 1;
        }
    return d[la][lb];
}

/* Letters that both begin with. */
static size_t common(const char *a, const char *b)
{
    size_t n = 0;

    while (a[n] && a[n] == b[n])
        n++;
    return n;
}

/* The nearest in letters; or that of which it is a beginning ("topo"), or another ending ("topologies"). */
#define BEGINNING 3

const char *text_nearest(const char *name, const char *const *list, size_t n)
{
    const char *best = NULL;
    size_t least = LONGEST;

    for (size_t i = 0; i < n; i++) {
        size_t e = edits(name, list[i]), len = strlen(list[i]);

        if (e < least && e <= (len < 3 ? 1 : len / 3)) {
            least = e;
            best = list[i];
        }
    }
    for (size_t i = 0, most = BEGINNING - 1; i < n && least == LONGEST; i++) {
        const size_t same = common(name, list[i]);

        if (same > most && (!name[same] || same + 1 >= strlen(list[i]))) {
            most = same;
            best = list[i];
        }
    }
    return best;
}

const char *text_suggest(char out[80], const char *name, const char *const *list, size_t n)
{
    const char *near = text_nearest(name, list, n);

    out[0] = '\0';
    if (near)
        snprintf(out, 80, " (did you mean '%.40s'?)", near);
    return out;
}

const char *text_list(char *out, size_t size, const char *const *name, size_t n, const char *last)
{
    size_t len = 0;

    out[0] = '\0';
    for (size_t i = 0; i < n && len < size; i++)
        len += (size_t)snprintf(out + len, size - len, "%s%s", i == 0 ? "" : i + 1 < n ? ", " : last, name[i]);
    return out;
}

char *text_copy(const char *text, size_t len)
{
    char *copy = malloc(len + 1);

    if (copy) {
        memcpy(copy, text, len);
        copy[len] = '\0';
    }
    return copy;
}

const char *text_bytes(char out[32], double bytes)
{
    static const char *const unit[] = { "bytes", "KB", "MB", "GB", "TB", "PB", "EB" };
    size_t u = 0;

    while (bytes >= 1000 && u + 1 < sizeof unit / sizeof *unit) {
        bytes /= 1024;
        u++;
    }
    snprintf(out, 32, "%.3g %s", bytes, unit[u]);
    return out;
}

const char *text_size(char out[32], int64_t bytes)
{
    static const char *const unit[] = { "", "K", "M", "G", "T" };
    int k = 0;

    for (; k < 4 && bytes && bytes % 1024 == 0; k++)
        bytes /= 1024;
    snprintf(out, 32, "%lld%s", (long long)bytes, unit[k]);
    return out;
}
