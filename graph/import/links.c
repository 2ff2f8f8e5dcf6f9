#include "graph/import/links.h"

#define LINKS_CABLES 1024       /* that one row may stand for */
#define SHOWN(len) ((int)((len) > 60 ? 60 : (len)))

const char *const link_attribute[] = { "weight", "bandwidth", "latency", "cables", "source_port", "target_port" };

static int links_weigh(double *out, const struct link *link, const char *path, struct err *err)
{
    char *end;

    *out = strtod(link->weight, &end);
    if (link->weight_len == 0 || end != link->weight + link->weight_len || !isfinite(*out))
        return err_set(err, ERR_FORMAT, "%s:%zu: weight '%.*s' is not a finite number", path, link->line,
                       SHOWN(link->weight_len), link->weight);
    return 0;
}

/* The number of cables; 1 where the list gives none. */
static int links_count(int *out, const struct link *link, const char *path, struct err *err)
{
    const char *cables = link->said[LINK_CABLES], *const *port = &link->said[LINK_PORT];
    int64_t n = 1;

    if (cables && *cables && num_int(&n, cables, 1, LINKS_CABLES, "cables", err) < 0)
        return err_at(err, "%s:%zu", path, link->line), err->code = ERR_FORMAT, -1;
    if (n > 1 && port[0] && (*port[0] || *port[1]))
        return err_set(err, ERR_FORMAT, "%s:%zu: one port is named for %d cables; give each cable a row of its own, or "
                       "no ports", path, link->line, (int)n);
    *out = (int)n;
    return 0;
}

/* A bandwidth (b 0) or a length (b 1); all links give it as plain numbers, or all as quantities. */
static int links_value(double *out, struct links *links, const char *text, int b, const char *path, size_t line,
                       struct err *err)
{
    struct links_said *said = &links->said[b];
    bool unit = false;

    *out = b ? 0 : 1;
    if (*text && cables_value(out, &unit, text, b, err) < 0)
        return err_at(err, "%s:%zu", path, line), err->code = ERR_FORMAT, -1;
    if (b && *out == 0)
        return 0;                       /* of whatever unit */
    if (said->line && said->unit != unit)
        return err_set(err, ERR_FORMAT, "%s:%zu: %s is '%.40s', but line %zu has %s unit; write one behind all (as in "
                       "%s) or behind none", path, line, b ? "latency" : "bandwidth", text, said->line,
                       said->unit ? "a" : "no", b ? "100ns" : "200Gb/s");
    *said = (struct links_said){ line, unit };
    return 0;
}

int links_add_between(struct links *links, int from, int to, const double *weight, const struct link *link,
                      const char *path, struct err *err)
{
    const char *const *said = link->said, *const *port = &said[LINK_PORT];
    double bandwidth = 1, length = 0;
    int cables = 1;

    if (links_count(&cables, link, path, err) < 0 ||
        (said[LINK_BANDWIDTH] && links_value(&bandwidth, links, said[LINK_BANDWIDTH], 0, path, link->line, err) < 0) ||
        (said[LINK_LATENCY] && links_value(&length, links, said[LINK_LATENCY], 1, path, link->line, err) < 0))
        return -1;
    for (; cables > 0; cables--) {
        const size_t n = links->n;

        if (GROW_BY(n, 1, "links of a file", err, GROWN_OF(links->end, 2), GROWN(links->line),
                    GROWN_IF(weight, links->weight), GROWN_OF_IF(said[LINK_BANDWIDTH], links->bandwidth, 2),
                    GROWN_OF_IF(said[LINK_LATENCY], links->length, 2), GROWN_OF_IF(port[0], links->port, 2)) < 0)
            return -1;
        links->end[2 * n] = from;
        links->end[2 * n + 1] = to;
        links->line[n] = link->line;
        if (weight)
            links->weight[n] = *weight;
        if (said[LINK_BANDWIDTH])
            links->bandwidth[2 * n] = links->bandwidth[2 * n + 1] = bandwidth;
        if (said[LINK_LATENCY])
            links->length[2 * n] = links->length[2 * n + 1] = length;
        if (port[0])
            links->port[2 * n] = links->port[2 * n + 1] = NULL;
        links->n++;
        for (size_t i = 0; i < 2 && port[0]; i++) {
            links->port[2 * n + i] = text_copy(port[i], strlen(port[i]));
            if (!links->port[2 * n + i])
                return err_memory(err);
        }
    }
    return 0;
}

int links_add(struct links *links, const struct link *link, const char *path, struct err *err)
{
    const bool weighted = link->weight != NULL;
    double weight;
    int from, to;

    if (links->n > 0 && weighted != (links->weight != NULL))
        return err_set(err, ERR_FORMAT, "%s:%zu has %s weight while line %zu has %s; give every edge a weight or none",
                       path, link->line, weighted ? "a" : "no", links->line[0], weighted ? "none" : "one");
    if (link->from_len == 0 || link->to_len == 0)
        return err_set(err, ERR_FORMAT, "%s:%zu has an empty node name", path, link->line);
    from = names_add(&links->names, link->from, link->from_len, err);
    to = from < 0 ? -1 : names_add(&links->names, link->to, link->to_len, err);
    if (to < 0 || (weighted && links_weigh(&weight, link, path, err) < 0))
        return -1;
    return links_add_between(links, from, to, weighted ? &weight : NULL, link, path, err);
}

/* The number a name stands for, UINT64_MAX for 2^63 and more; false when it is no number. "01" is a name:
 * beside "1" it would be a second way to write the same node. */
static bool number_of(const struct name *name, uint64_t *out)
{
    uint64_t v = 0;

    if (name->len > 1 && name->text[0] == '0')
        return false;
    for (size_t i = 0; i < name->len; i++) {
        if (name->text[i] < '0' || name->text[i] > '9')
            return false;
        v = v > INT64_MAX / 10 - 1 ? UINT64_MAX : 10 * v + (uint64_t)(name->text[i] - '0');
    }
    *out = v;
    return true;
}

static bool all_numbers(const struct names *names, uint64_t *least, uint64_t *most, int *largest)
{
    uint64_t v;

    *least = UINT64_MAX;
    *most = 0;
    *largest = 0;
    for (int i = 0; i < names->n; i++) {
        if (!number_of(&names->name[i], &v))
            return false;
        *least = v < *least ? v : *least;
        if (v > *most) {
            *most = v;
            *largest = i;
        }
    }
    return true;
}

/* Every number up to the largest is a node, so a stray large one would make a network of unconnected nodes. */
static int refuse_gaps(const struct links *links, uint64_t most, int largest, const char *path, struct err *err)
{
    const struct name *name = &links->names.name[largest];
    size_t e = 0;

    if (most < 10 * (uint64_t)links->names.n + 1000 && most < INT_MAX)
        return 0;
    while (links->end[2 * e] != largest && links->end[2 * e + 1] != largest)
        e++;
    return err_set(err, ERR_FORMAT, "%s:%zu names node %.*s, and numbers 0 to that would all be nodes, but only %d are "
                   "named; number the nodes from 0 without such gaps, or use names that are not numbers",
                   path, links->line[e], SHOWN(name->len), name->text, links->names.n);
}

/* Lists that count from 1, as many do, have no node 0, or a node without links would come in: their first number
 * is node 0, and the numbers are the nodes' names. */
static int number_nodes(struct links *links, uint64_t least, uint64_t most, struct import *in, struct err *err)
{
    char digits[24];

    in->n = (int)(most - least) + 1;
    for (size_t i = 0; i < 2 * links->n; i++) {
        uint64_t v = 0;

        (void)number_of(&links->names.name[links->end[i]], &v);
        links->end[i] = (int)(v - least);
    }
    if (least == 0)
        return 0;
    if (TAKE("the network", err, ZEROS(in->name, (size_t)(unsigned)in->n)) < 0)
        return -1;
    for (int i = 0; i < in->n; i++) {
        int len = snprintf(digits, sizeof digits, "%llu", (unsigned long long)least + (unsigned long long)i);

        in->name[i] = text_copy(digits, (size_t)len);
        if (!in->name[i])
            return err_memory(err);
    }
    return 0;
}

static int name_nodes(const struct names *names, struct import *in, struct err *err)
{
    in->n = names->n;
    if (TAKE("the network", err, ZEROS(in->name, (size_t)(unsigned)in->n)) < 0)
        return -1;
    for (int i = 0; i < in->n; i++) {
        in->name[i] = text_copy(names->name[i].text, names->name[i].len);
        if (!in->name[i])
            return err_memory(err);
    }
    return 0;
}

void links_take(struct links *links, struct import *in)
{
    in->nedge = links->n;
    in->end = links->end;
    in->weight = links->weight;
    in->bandwidth = links->bandwidth;
    in->length = links->length;
    in->rates = links->said[0].unit;
    in->times = links->said[1].unit;
    in->port = links->port;
    in->line = links->line;
    links->end = NULL;
    links->weight = links->bandwidth = links->length = NULL;
    links->port = NULL;
    links->line = NULL;
}

int links_named(struct links *links, struct import *in, struct err *err)
{
    if (name_nodes(&links->names, in, err) < 0)
        return -1;
    links_take(links, in);
    return 0;
}

int links_finish(struct links *links, struct import *in, const char *path, struct err *err)
{
    struct import made = { 0 };
    uint64_t least, most;
    int largest, ret;

    if (links->n == 0)
        return err_set(err, ERR_FORMAT, "%s names no edge", path);
    if (all_numbers(&links->names, &least, &most, &largest)) {
        if (refuse_gaps(links, most, largest, path, err) < 0)
            return -1;
        ret = number_nodes(links, least, most, &made, err);
    } else {
        ret = name_nodes(&links->names, &made, err);
    }
    if (ret < 0) {
        import_release(&made);
        return -1;
    }
    links_take(links, &made);
    *in = made;
    return 0;
}

void links_release(struct links *links)
{
    names_release(&links->names);
    mem_free_list(links->port, 2 * links->n);
    FREE(links->end, links->bandwidth, links->length, links->weight, links->line);
    *links = (struct links){ 0 };
}
