#include "graph/base/sweep.h"
#include "graph/base/entry.h"

/* Length of a whole number at p; 0: there is none. */
static size_t number_length(const char *p)
{
    const size_t n = strspn(p, "0123456789");

    return n && p[n] && strchr("KMG", p[n]) ? n + 1 : n;
}

/* Length of a range at p, as in 8..16, 10..100..10, 1..16..x2; 0: there is none. */
static size_t range_length(const char *p)
{
    size_t len = number_length(p), more;

    if (!len || strncmp(p + len, "..", 2) != 0 || !(more = number_length(p + len + 2)))
        return 0;
    len += 2 + more;
    if (strncmp(p + len, "..", 2) == 0) {
        const size_t by = len + 2 + (p[len + 2] == 'x');

        more = number_length(p + by);
        len = more ? by + more : len;
    }
    return len;
}

/* The first range from `p` on that does not begin within a word or another number; NULL: there is none. */
static const char *find_range(const char *p, size_t *len)
{
    for (char before = ','; *p; before = *p++)
        if ((!isalnum((unsigned char)before) || before == 'x') && before != '.' && (*len = range_length(p)) > 0)
            return p;
    return NULL;
}

static int sweep_one(char ***item, size_t n, const char *text, const char *range, size_t len, const int64_t *value,
                     struct err *err)
{
    char **list = calloc(n, sizeof *list);

    if (!list)
        return err_memory(err);
    for (size_t i = 0; i < n; i++)
        if ((value ? asprintf(&list[i], "%.*s%lld%s", (int)(range - text), text, (long long)value[i], range + len)
                   : asprintf(&list[i], "%s", text)) < 0) {
            mem_free_list(list, i);
            return err_memory(err);
        }
    *item = list;
    return 0;
}

int sweep_spec(char ***item, size_t *n, const char *text, const struct kind *kind, struct err *err)
{
    const struct entry *entry = kind ? kind_named(kind, text) : NULL;
    size_t len = 0, other, nvalue = 1;
    const bool sweeps = !kind || (entry && !entry->takes_path);
    const char *range = sweeps ? find_range(text + strcspn(text, ":,"), &len) : NULL;
    int64_t *value = NULL;
    char *part;
    int ret;

    if (range) {
        if (find_range(range + len, &other))
            return err_set(err, ERR_USAGE, "'%.80s' has two ranges; one number of a spec may be swept", text);
        part = text_copy(range, len);
        ret = part ? num_range(&value, &nvalue, part, 0, INT64_MAX, "the swept number", err) : err_memory(err);
        free(part);
        if (ret < 0)
            return err_at(err, "'%.80s'", text);
        if (nvalue > SWEEP_MOST) {
            free(value);
            return err_set(err, ERR_USAGE, "'%.80s' stands for %zu networks; at most %d are taken", text, nvalue,
                           SWEEP_MOST);
        }
    }
    ret = sweep_one(item, nvalue, text, range, len, value, err);
    free(value);
    if (ret == 0)
        *n = nvalue;
    return ret;
}
