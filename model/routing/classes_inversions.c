/* By inversions of direction: nodes have numbers, a message begins in class 0 and rising, and takes the next class
 * where it begins to fall, or to rise again. Within a class numbers only rise (even ones) or only fall, and classes
 * only rise, so nothing goes round. */
#include "model/routing/classes.h"
#include "graph/base/csv.h"
#include "model/routing/numbering.h"
#include "texts/classes.h"

struct inversions {
    int *number;                    /* by node */
};

static void inversions_close(void *state)
{
    struct inversions *q = state;

    free(q->number);
}

/* A file with columns node and number; seen: by number. */
static int inversions_read(int *number, bool *seen, const struct net *net, const struct csv *csv, const char *path,
                           struct err *err)
{
    const int node = csv_column(csv, "node"), value = csv_column(csv, "number");
    char label[NET_LABEL];

    if (node < 0 || value < 0)
        return err_set(err, ERR_FORMAT, "%.200s: a numbering of nodes has the columns node and number, and there is no "
                       "'%s'", path, node < 0 ? "node" : "number");
    for (int v = 0; v < net->n; v++)
        number[v] = -1;
    for (size_t row = 0; row < csv->nrow; row++) {
        int64_t k;
        int v;

        if (net_node(net, csv_at(csv, row, node), &v, err) < 0 ||
            num_int(&k, csv_at(csv, row, value), 0, net->n - 1, "number", err) < 0)
            err->code = ERR_FORMAT;
        else if (number[v] >= 0 || seen[k])
            err_set(err, ERR_FORMAT, "%s %.80s is there already; each is given once", seen[k] ? "number" : "node",
                    csv_at(csv, row, seen[k] ? value : node));
        else {
            number[v] = (int)k;
            seen[k] = true;
            continue;
        }
        return err_at(err, "%.200s:%zu", path, csv->line[row]);
    }
    for (int v = 0; v < net->n; v++)
        if (number[v] < 0)
            return err_set(err, ERR_FORMAT, "%.200s:%zu: the file ends, and node %s of %.200s has no number", path,
                           csv->nrow ? csv->line[csv->nrow - 1] : 1, net_label(net, v, label), net->spec);
    return 0;
}

static int inversions_file(int *number, const struct net *net, const char *path, struct err *err)
{
    struct csv csv = { 0 };
    bool *seen = NULL;
    const int ret = csv_read(&csv, path, err) < 0 || TAKE("a numbering", err, ZEROS(seen, net->n)) < 0 ? -1 :
        inversions_read(number, seen, net, &csv, path, err);

    csv_release(&csv);
    free(seen);
    return ret;
}

static int inversions_open(struct classes *c, const struct spec *spec, struct follow *f, struct routing *r,
                           size_t nrouting, struct err *err)
{
    const char *given = spec_get(spec, "numbering"), *seed_given = spec_get(spec, "seed");
    const bool search = given && strcmp(given, "search") == 0, natural = !given || strcmp(given, "natural") == 0;
    struct inversions *q = c->state;
    struct numbering_cost cost;
    int64_t seed;
    bool exact;

    if (seed_given && !search)
        return err_set(err, ERR_USAGE, "'%.80s': seed is for numbering=search", spec->text);
    if (spec_key_int(&seed, spec, "seed", 0, INT64_MAX, 1, err) < 0 ||
        TAKE("a numbering", err, ARRAY(q->number, f->net->n)) < 0)
        return -1;
    for (int v = 0; natural && v < f->net->n; v++)
        q->number[v] = v;
    if (!natural && !search && inversions_file(q->number, f->net, given, err) < 0)
        return -1;
    if ((search ? numbering_search(q->number, &cost, &exact, f, r, nrouting, (uint64_t)seed, err) :
         numbering_judge(&cost, q->number, f, r, nrouting, err)) < 0)
        return -1;
    c->most = c->marks = cost.inversions + 1;
    c->invariant = false;
    c->free = true;
    if (natural)
        return 0;
    return spec_append(&c->spec, err, "inversions,numbering=%s", given) < 0 ? -1 :
        seed_given ? spec_append(&c->spec, err, ",seed=%lld", (long long)seed) : 0;
}

/* Even marks rise. */
static int inversions_cross(const struct classes *c, int mark, int, int link)
{
    const struct inversions *q = c->state;
    const bool rises = q->number[c->follow->head[link]] > q->number[c->follow->tail[link]];

    return mark + (rises == mark % 2);
}

static void inversions_say(const struct classes *, int class, char out[80])
{
    if (class == 0)
        snprintf(out, 80, "numbers have only risen");
    else
        snprintf(out, 80, "%s, after %d inversion%s", class % 2 ? "falling" : "rising", class, class == 1 ? "" : "s");
}

const struct classes_kind classes_inversions = {
    CLASSES_INVERSIONS_ENTRY,
    .buffers = true,
    .rank = 6,
    .state = sizeof(struct inversions),
    .open = inversions_open,
    .close = inversions_close,
    .begin = classes_carry,
    .cross = inversions_cross,
    .buffer = classes_mark,
    .say = inversions_say
};
