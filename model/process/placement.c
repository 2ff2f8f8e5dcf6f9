/* placement.c -- where processes run (placement.h).
 * 1. terminals  all of them, in order or shuffled, and what a placement must keep
 * 2. tables     rows process,node and groups in groups
 * 3. lists      a node a line, or names with slots
 * 4. placements opened and released */
#include "model/process/placement.h"
#include "graph/base/csv.h"
#include "graph/base/file.h"
#include "graph/base/names.h"
#include "graph/numeric/rng.h"

#define MOST_BYTES ((size_t)1 << 30)
#define MOST_SLOTS (1 << 20)

/* ---- terminals ---- */

/* All terminals, in order or shuffled; each so many times, one after the other. */
static int all_terminals(struct placement *p, const struct net *net, bool shuffle, uint64_t seed, int each,
                         struct err *err)
{
    struct rng rng;

    if (TAKE("the placement", err, ARRAY(p->node, (size_t)net->nterminal * (size_t)each)) < 0)
        return -1;
    p->n = net->nterminal * each;
    for (int i = 0; i < net->nterminal; i++)
        p->node[i] = net_terminal(net, i);
    rng_seed(&rng, seed);
    if (shuffle)
        rng_shuffle(&rng, p->node, (size_t)net->nterminal);
    for (int i = p->n; each > 1 && i-- > 0;)
        p->node[i] = p->node[i / each];
    return 0;
}

/* Terminals only; `single`: none twice. */
static int placement_check(const struct placement *p, const struct net *net, bool single, struct err *err)
{
    int *taken = calloc((size_t)net->n, sizeof *taken);     /* by process taken[v] - 1 */
    char label[NET_LABEL];
    int ret = taken ? 0 : err_memory(err);

    for (int i = 0; ret == 0 && i < p->n; i++) {
        const int v = p->node[i];

        if (v < 0 || v >= net->n)
            ret = err_set(err, ERR_DOMAIN, "process %d is on node %d: %.200s has nodes 0 to %d", i, v, net->spec,
                          net->n - 1);
        else if (net_terminal_index(net, v) < 0)
            ret = err_set(err, ERR_DOMAIN, "process %d is on node %s, which is a switch", i, net_label(net, v, label));
        else if (single && taken[v])
            ret = err_set(err, ERR_DOMAIN, "processes %d and %d are both on node %s; a node takes one process",
                          taken[v] - 1, i, net_label(net, v, label));
        else
            taken[v] = i + 1;
    }
    free(taken);
    return ret;
}

/* ---- tables ---- */

/* Cuts the blanks off both ends; returns the beginning. */
static char *trim(char *text)
{
    size_t len;

    while (isspace((unsigned char)*text))
        text++;
    len = strlen(text);
    while (len > 0 && isspace((unsigned char)text[len - 1]))
        text[--len] = '\0';
    return text;
}

/* Groups from the other columns; `row` by process. A group goes by the one that it is in, and its name. */
static int read_levels(struct placement *p, const struct csv *csv, int process, int node, const size_t *row,
                       struct err *err)
{
    const int nlevel = (int)csv->ncol - 2;
    struct names names = { 0 };
    char **key = NULL;
    int *first = NULL, l = 0, ret = -1;
    const size_t most = (size_t)p->n * (size_t)nlevel;

    if (TAKE("the placement", err, ARRAY(p->level, most + 1), ZEROS(key, most + 1), ARRAY(first, most + 1)) < 0)
        goto done;
    for (int c = 0; c < (int)csv->ncol; c++) {
        if (c == process || c == node)
            continue;
        for (int i = 0; i < p->n; i++) {
            int *level = p->level + (size_t)i * (size_t)nlevel + l, k;
            const size_t at = (size_t)names.n;

            if (asprintf(&key[at], "%d\t%d\t%s", l, l ? level[-1] : 0, csv_at(csv, row[i], c)) < 0) {
                key[at] = NULL;
                err_memory(err);
                goto done;
            }
            k = names_add(&names, key[at], strlen(key[at]), err);
            if (k < 0)
                goto done;
            if ((size_t)k < at) {
                free(key[at]);
                key[at] = NULL;
            } else {
                first[k] = i;
            }
            *level = first[k];
        }
        l++;
    }
    p->nlevel = nlevel;
    ret = 0;
done:
    names_release(&names);
    mem_free_list(key, most + 1);
    free(first);
    return ret;
}

/* Rows process, node in any order: every process from 0 on, once. */
static int read_rows(struct placement *p, const struct net *net, const struct csv *csv, int process, int node,
                     int per_node, const char *path, struct err *err)
{
    size_t *row = NULL;
    int ret = -1;

    if (per_node == 1 ? csv->nrow > (size_t)net->nterminal : csv->nrow > INT32_MAX)
        return err_set(err, ERR_FORMAT, "%.200s has %zu processes; %.200s has %d terminals", path, csv->nrow, net->spec,
                       net->nterminal);
    if (TAKE("the placement", err, ARRAY(p->node, csv->nrow + 1), ARRAY(row, csv->nrow + 1)) < 0)
        return -1;
    p->n = (int)csv->nrow;
    for (int i = 0; i < p->n; i++)
        p->node[i] = -1;
    for (size_t r = 0; r < csv->nrow; r++) {
        int64_t i = 0;
        int at;

        if (num_int(&i, csv_at(csv, r, process), 0, p->n - 1, "process", err) < 0 ||
            net_node(net, csv_at(csv, r, node), &at, err) < 0) {
            err->code = ERR_FORMAT;
            err_at(err, "%.200s, line %zu", path, csv->line[r]);
            goto done;
        }
        if (p->node[i] >= 0) {
            err_set(err, ERR_FORMAT, "%.200s, line %zu has process %d a second time", path, csv->line[r], (int)i);
            goto done;
        }
        p->node[i] = at;
        row[i] = r;
    }
    ret = csv->ncol > 2 && p->n > 0 ? read_levels(p, csv, process, node, row, err) : 0;
done:
    free(row);
    return ret;
}

/* ---- lists ---- */

/* Cuts "slots=2" and "max_slots=4" off a line's end. */
static int line_slots(int64_t *slots, char *text, struct err *err)
{
    static const char *const key[] = { "slots=", "max_slots=", "max-slots=" };

    for (char *word; (word = strrchr(text, ' ')) || (word = strrchr(text, '\t'));) {
        size_t k = 0;

        while (k < 3 && strncmp(word + 1, key[k], strlen(key[k])) != 0)
            k++;
        if (k == 3 || (k == 0 && num_int(slots, word + 1 + strlen(key[0]), 1, MOST_SLOTS, "slots", err) < 0))
            return k == 3 ? 0 : -1;
        *word = '\0';
        trim(text);
    }
    return 0;
}

static bool is_host(const char *text)
{
    while (*text && !isalpha((unsigned char)*text))
        text++;
    return *text && !strchr(text, '=') && !strpbrk(text, " \t");
}

/* The node of a line: where the first line names a host that is none, the terminal that stands for the host. */
static int line_node(int *node, struct placement *p, const struct net *net, struct names *hosts, const char *text,
                     struct err *err)
{
    const bool known = net_node(net, text, node, err) == 0;
    int at;

    if (hosts->n == 0 && (known || p->n || !is_host(text)))
        return known ? 0 : -1;
    if (known || !is_host(text))
        return err_set(err, ERR_FORMAT, "'%.80s' is %s, where lines before name hosts that %.200s does not know", text,
                       known ? "a node" : "no name", net->spec);
    at = names_add(hosts, text, strlen(text), err);
    if (at < 0)
        return -1;
    if (at >= net->nterminal)
        return err_set(err, ERR_FORMAT, "'%.80s' is one more host than %.200s has terminals, %d", text, net->spec,
                       net->nterminal);
    p->nhost = hosts->n;
    *node = net_terminal(net, at);
    return 0;
}

static int read_lines(struct placement *p, const struct net *net, struct names *hosts, const char *path, char *rest,
                      int processes, int per_node, struct err *err)
{
    int64_t slots;
    int line = 0, node;

    for (char *text; (processes == 0 || p->n < processes) && (text = strsep(&rest, "\n"));) {
        line++;
        text = trim(text);
        if (!*text || *text == '#')
            continue;
        slots = per_node ? per_node : 1;
        if (line_slots(&slots, text, err) < 0 || line_node(&node, p, net, hosts, text, err) < 0) {
            err->code = err->code == ERR_MEMORY ? ERR_MEMORY : ERR_FORMAT;
            return err_at(err, "%.200s, line %d", path, line);
        }
        if (per_node == 1 && p->n >= net->nterminal)
            return err_set(err, ERR_FORMAT, "%.200s, line %d: more processes than the %d terminals of %.200s", path,
                           line, net->nterminal, net->spec);
        if (slots > INT32_MAX - p->n)
            return err_set(err, ERR_FORMAT, "%.200s, line %d: more than 2^31 processes", path, line);
        for (; slots > 0; slots--) {
            if (GROW_BY((size_t)p->n, 1, "a placement", err, GROWN(p->node)) < 0)
                return -1;
            p->node[p->n++] = node;
        }
    }
    return 0;
}

static int read_list(struct placement *p, const struct net *net, const char *path, int processes, int per_node,
                     struct err *err)
{
    char *bytes = NULL;
    size_t len = 0;
    struct csv csv = { 0 };
    struct names hosts = { 0 };
    struct err no_table;
    int process = -1, node = -1, ret = -1;

    if (file_read(&bytes, &len, path, MOST_BYTES, 1, err) < 0)
        return -1;
    if (memchr(bytes, '\0', len)) {
        err_set(err, ERR_FORMAT, "%.200s holds a zero byte; a list of nodes is text", path);
        goto done;
    }
    if (csv_parse(&csv, bytes, len, path, &no_table) == 0) {
        process = csv_column(&csv, "process");
        node = csv_column(&csv, "node");
    } else if (no_table.code == ERR_MEMORY) {
        *err = no_table;
        goto done;
    }
    if ((process >= 0 && node >= 0 ? read_rows(p, net, &csv, process, node, per_node, path, err)
                                   : read_lines(p, net, &hosts, path, bytes, processes, per_node, err)) < 0)
        goto done;
    if (processes && p->n > processes)
        p->n = processes;
    if (p->n == 0 || p->n < processes)
        err_set(err, ERR_FORMAT, "%.200s has nodes for %d processes; %d must be placed", path, p->n,
                processes ? processes : 1);
    else if (placement_check(p, net, per_node == 1, err) < 0)
        err_at(err, "%.200s", path);
    else
        ret = 0;
done:
    csv_release(&csv);
    names_release(&hosts);
    free(bytes);
    return ret;
}

/* ---- placements ---- */

static int fill(struct placement *p, const struct net *net, const char *text, int processes, int per_node,
                uint64_t seed, struct err *err)
{
    const bool list = text && strncmp(text, "file:", 5) == 0, shuffle = text && strcmp(text, "random") == 0;
    const int each = per_node > 1 ? per_node : per_node == 0 && net->each > 1 ?
        net->each : 1;

    if (list && (per_node != 1 || processes <= net->nterminal))
        return read_list(p, net, text + 5, processes, per_node, err);
    if (processes > (double)net->nterminal * each)
        return err_set(err, ERR_DOMAIN, each > 1 ? "%d processes do not fit %.200s: it has %d terminals, %d processes "
                       "each" : "%d processes do not fit %.200s: it has %d terminals, one process each", processes,
                       net->spec, net->nterminal, each);
    if (text && !shuffle && strcmp(text, "row-major") != 0)
        return err_set(err, ERR_USAGE, "placement '%.60s' is not one of row-major, random, file:PATH (of collectives "
                       "also random:N)", text);
    if ((double)net->nterminal * each > INT32_MAX)
        return err_set(err, ERR_DOMAIN, "%d terminals of %d processes each are more than 2^31", net->nterminal, each);
    if (all_terminals(p, net, shuffle, seed, each, err) < 0)
        return -1;
    if (processes)
        p->n = processes;
    return 0;
}

static int placement_done(struct placement *out, struct placement *p, int ret)
{
    if (ret < 0)
        placement_release(p);
    else
        *out = *p;
    return ret;
}

int placement_init(struct placement *out, const struct net *net, const char *text, int processes, int per_node,
                   uint64_t seed, struct err *err)
{
    struct placement p = { 0 };

    if (processes < 0)
        return err_set(err, ERR_DOMAIN, "%d processes: at least one is needed", processes);
    return placement_done(out, &p, fill(&p, net, text, processes, per_node, seed, err));
}

int placement_from(struct placement *out, const struct net *net, const int *node, int n, struct err *err)
{
    struct placement p = { .n = n };

    if (n < 1)
        return err_set(err, ERR_DOMAIN, "a placement needs at least one process");
    if (TAKE("the placement", err, ARRAY(p.node, n)) < 0)
        return -1;
    memcpy(p.node, node, (size_t)n * sizeof *node);
    return placement_done(out, &p, placement_check(&p, net, true, err));
}

int placement_single(const struct placement *p, const struct net *net, struct err *err)
{
    return placement_check(p, net, true, err);
}

void placement_release(struct placement *p)
{
    FREE(p->node, p->level);
    *p = (struct placement){ 0 };
}
