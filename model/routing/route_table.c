/* Ways from a file: CSV, a row per way or several multistep paths in a cell. Rows are put together by channel: by its
 * name where they have one, else by source and target. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graph/base/csv.h"
#include "graph/base/grow.h"
#include "graph/base/num.h"
#include "graph/base/text.h"
#include "model/routing/route.h"

struct given {                      /* a way of the file */
    const char *name;               /* of its channel; NULL: none */
    int source, target;
    size_t way, line;
    double share;
};
struct channel {
    const char *name;
    int source, target;
    size_t first, n;                /* in `given`, which is sorted by channel */
};
struct table {
    struct csv csv;
    char *path;
    struct ways all;                /* in the order of the file */
    struct given *given;
    struct channel *channel, **by_pair;
    size_t nchannel;
    int64_t most;                   /* ways of a channel that are used */
};
struct columns {
    int channel, source, target, path, share;
    bool msp;                       /* `path` holds multistep paths */
};

static const struct spec_key keys[] = {
    { "shares", "uniform|bandwidth",
      "how a message is spread: by the table, or in proportion to 1/latency of the ways (default: uniform)" },
    { "first", "N", "only the first N ways of each channel (default: all)" },
    ROUTING_BASE_KEYS,
    { NULL, NULL, NULL }
};

static void release(struct routing *r)
{
    struct table *t = r->state;

    if (t) {
        csv_release(&t->csv);
        ways_release(&t->all);
        free(t->path);
        free(t->given);
        free(t->channel);
        free(t->by_pair);
        free(t);
    }
    r->state = NULL;
}

/* ---- reading ----------------------------------------------------------------------------------------- */

static int column(const struct csv *csv, const char *const *names)
{
    for (; *names; names++)
        if (csv_column(csv, *names) >= 0)
            return csv_column(csv, *names);
    return -1;
}

static int find_columns(struct columns *c, const struct table *t, struct err *err)
{
    static const char *const target[] = { "target", "destination", NULL };
    static const char *const msp[] = { "msp", "multistep_path", "multistep_paths", NULL };
    int paths = csv_column(&t->csv, "path"), steps = column(&t->csv, msp);

    *c = (struct columns){ .channel = csv_column(&t->csv, "channel"), .source = csv_column(&t->csv, "source"),
                           .target = column(&t->csv, target), .path = paths >= 0 ? paths : steps,
                           .share = csv_column(&t->csv, "share"), .msp = paths < 0 };
    if ((paths >= 0) == (steps >= 0))
        return err_set(err, ERR_FORMAT, "%.200s has %s; a table of paths has one of them: path for all nodes of a path, msp "
                       "for the stops of a multistep path", t->path, paths < 0 ? "no column 'path' or 'msp'"
                                                                               : "the columns 'path' and 'msp'");
    if ((c->source < 0) != (c->target < 0) || (c->channel < 0 && c->source < 0))
        return err_set(err, ERR_FORMAT, "%.200s lacks %s; each row is for a channel by name (column 'channel') or for a "
                       "pair of nodes (columns 'source' and 'target')", t->path,
                       c->source >= 0 ? "a column 'target'" : c->target >= 0 ? "a column 'source'" : "these columns");
    return 0;
}

/* What is written at text[0..len), without spaces around it, as a node. */
static int read_node(int *node, const struct net *net, const char *text, size_t len, struct err *err)
{
    char *piece;
    int ret;

    while (len && isspace((unsigned char)*text)) {
        text++;
        len--;
    }
    while (len && isspace((unsigned char)text[len - 1]))
        len--;
    piece = text_copy(text, len);
    if (!piece)
        return err_memory(err);
    ret = net_node(net, piece, node, err);
    if (ret < 0 && len == 0)
        err_set(err, ERR_FORMAT, "a node is missing");
    else if (ret < 0)
        err_set(err, ERR_FORMAT, "'%.60s' is no node of %.80s", piece, net->spec);
    free(piece);
    return ret;
}

/* text[0..len) into the nodes of a walk; `cut` holds what may stand between them. */
static int read_walk(struct ways *out, const struct net *net, const char *text, size_t len, const char *cut, struct err *err)
{
    size_t from = 0;

    ways_clear(out);
    while (from <= len) {
        size_t to = from;
        int node;

        while (to < len && !strchr(cut, text[to]))
            to++;
        if (*cut == ' ' && to == from) {            /* of several spaces one counts */
            from++;
            continue;
        }
        if (read_node(&node, net, text + from, to - from, err) < 0)
            return err_at(err, "in the path %.80s%s", text,
                          *cut == '-' ? " (where names of nodes hold '-', write '>')" : "");
        if (out->n && out->stop[out->n - 1] == node)
            return err_set(err, ERR_FORMAT, "the path %.100s names '%.*s' twice running", text, (int)(to - from),
                           text + from);
        if (ways_add(out, &node, 1, 1, err) < 0)
            return -1;
        from = to + 1;
    }
    if (out->n < 2)
        return err_set(err, ERR_FORMAT, "the path %.100s has fewer than two nodes", text);
    return 0;
}

/* Every two nodes of an explicit path are joined, and base goes straight from one to the other. */
static int check_links(struct routing *r, struct route_path *path, const int *node, size_t n, const char *text,
                       struct err *err)
{
    char label[2][NET_LABEL];
    int64_t link;

    for (size_t i = 0; i + 1 < n; i++) {
        const char *name[2] = { net_label(r->net, node[i], label[0]), net_label(r->net, node[i + 1], label[1]) };

        if (net_link(&link, r->net, node[i], node[i + 1], err) < 0)
            return err->code != ERR_USAGE ? -1 :
                err_set(err, ERR_FORMAT, "no link leads from %s to %s, step %zu of the path %.100s", name[0], name[1], i + 1,
                        text);
        if (r->base->route->minimal)
            continue;
        if (route_path(path, r->base, node[i], node[i + 1], err) < 0)
            return -1;
        if (path->n != 2)
            return err_set(err, ERR_USAGE, "'%s' does not take the link from %s to %s, step %zu of the path %.100s; take "
                           "base=minimal", r->base->spec, name[0], name[1], i + 1, text);
    }
    return 0;
}

static int add_given(struct table *t, const struct given *g, const struct ways *walk, struct err *err)
{
    if (GROW_BY(t->all.n, 1, "paths of a table", err, GROWN(t->given)) < 0)
        return -1;
    t->given[t->all.n] = *g;
    t->given[t->all.n].way = t->all.n;
    t->given[t->all.n].source = walk->stop[0];
    t->given[t->all.n].target = walk->stop[walk->n - 1];
    return ways_add(&t->all, walk->stop + 1, walk->n - 1, 1, err);
}

/* Whether the path begins and ends where the row says. */
static int check_ends(const struct table *t, size_t row, const struct columns *c, const struct net *net,
                      const struct ways *walk, const char *text, struct err *err)
{
    const int at[2] = { c->source, c->target };

    for (int i = 0; i < 2; i++) {
        const char *cell = at[i] < 0 ? "" : csv_at(&t->csv, row, at[i]);
        const int have = walk->stop[i ? walk->n - 1 : 0];
        char name[96];
        int want;

        if (*cell && read_node(&want, net, cell, strlen(cell), err) < 0)
            return -1;
        if (*cell && have != want)
            return err_set(err, ERR_FORMAT, "the path %.100s %s at %s, not at %.60s as its row says", text,
                           i ? "ends" : "begins", net_label(net, have, name), cell);
    }
    return 0;
}

/* Takes spaces away that stand beside a '>' or '-', so that those left stand between multistep paths. */
static void close_up(char *text, char cut)
{
    char *to = text;

    for (const char *p = text; *p; p++) {
        if (isspace((unsigned char)*p)) {
            const char *next = p;

            while (isspace((unsigned char)*next))
                next++;
            if (to == text || to[-1] == cut || *next == cut || !*next)
                continue;
        }
        *to++ = *p;
    }
    *to = '\0';
}

struct reading {
    struct table *t;
    struct routing *r;
    struct columns column;
    struct ways walk;               /* a node a way: room that grows */
    struct route_path path;
};

static int read_one(struct reading *f, size_t row, const char *text, size_t len, const char *cut, const struct given *g,
                    struct err *err)
{
    char *copy = text_copy(text, len);
    int ret = copy ? 0 : err_memory(err);

    if (ret == 0)
        ret = read_walk(&f->walk, f->r->net, copy, len, cut, err);
    if (ret == 0)
        ret = check_ends(f->t, row, &f->column, f->r->net, &f->walk, copy, err);
    if (ret == 0 && !f->column.msp)
        ret = check_links(f->r, &f->path, f->walk.stop, f->walk.n, copy, err);
    if (ret == 0)
        ret = add_given(f->t, g, &f->walk, err);
    free(copy);
    return ret;
}

static int read_row(struct reading *f, size_t row, struct err *err)
{
    struct table *t = f->t;
    const struct columns *c = &f->column;
    const char *name = c->channel < 0 ? "" : csv_at(&t->csv, row, c->channel);
    struct given g = { .name = *name ? name : NULL, .line = t->csv.line[row], .share = 1 };
    char *text = t->csv.field[row * t->csv.ncol + (size_t)c->path];
    const char *cut = strchr(text, '>') ? ">" : strchr(text, '-') ? "-" : " ";
    const size_t before = t->all.n;

    if (c->share >= 0) {
        if (num_real(&g.share, csv_at(&t->csv, row, c->share), "share", err) < 0) {
            err->code = ERR_FORMAT;
            return -1;
        }
        if (!(g.share > 0))
            return err_set(err, ERR_FORMAT, "share is %s; it must be positive", csv_at(&t->csv, row, c->share));
    }
    if (!text[strspn(text, " \t")])
        return err_set(err, ERR_FORMAT, "the path is missing");
    if (*cut != ' ' || c->msp)
        close_up(text, *cut);
    if (!c->msp)
        return read_one(f, row, text, strlen(text), cut, &g, err);
    if (*cut == ' ')
        return err_set(err, ERR_FORMAT, "the multistep path %.100s has fewer than two nodes", text);
    for (const char *at = text; *at; at += strspn(at, " \t\r\n")) {
        const size_t len = strcspn(at, " \t\r\n");

        if (read_one(f, row, at, len, cut, &g, err) < 0)
            return -1;
        at += len;
    }
    for (size_t i = before; i < t->all.n; i++)      /* the row's share is that of all its paths */
        t->given[i].share /= (double)(t->all.n - before);
    return 0;
}

/* ---- channels ---------------------------------------------------------------------------------------- */

static int by_ends(int s, int t, int u, int v)
{
    return s != u ? (s > u) - (s < u) : (t > v) - (t < v);
}

/* Those with a name first, by it; the others by source and target. */
static int by_key(const char *a, int s, int t, const char *b, int u, int v)
{
    if (a && b)
        return strcmp(a, b);
    return a || b ? (b != NULL) - (a != NULL) : by_ends(s, t, u, v);
}

static int by_channel(const void *a, const void *b)
{
    const struct given *p = a, *q = b;
    const int key = by_key(p->name, p->source, p->target, q->name, q->source, q->target);

    return key ? key : (p->way > q->way) - (p->way < q->way);
}

static int to_channel(const void *key, const void *channel)
{
    const struct channel *p = key, *q = channel;

    return by_key(p->name, p->source, p->target, q->name, q->source, q->target);
}

/* Those without a name before those with one. */
static int by_pair(const void *a, const void *b)
{
    const struct channel *p = *(struct channel *const *)a, *q = *(struct channel *const *)b;
    const int ends = by_ends(p->source, p->target, q->source, q->target);

    if (ends)
        return ends;
    return p->name && q->name ? strcmp(p->name, q->name) : (p->name != NULL) - (q->name != NULL);
}

static const int *stops_of(const struct ways *w, size_t way, size_t *n)
{
    const size_t from = way ? w->end[way - 1] : 0;

    *n = w->end[way] - from;
    return w->stop + from;
}

static bool same_way(const struct ways *w, size_t a, size_t b)
{
    size_t na, nb;
    const int *x = stops_of(w, a, &na), *y = stops_of(w, b, &nb);

    return na == nb && memcmp(x, y, na * sizeof *x) == 0;
}

/* In some order that puts ways which are the same side by side, the earlier first. */
static int by_stops(const void *a, const void *b, void *ways)
{
    const struct given *p = *(const struct given *const *)a, *q = *(const struct given *const *)b;
    size_t np, nq;
    const int *x = stops_of(ways, p->way, &np), *y = stops_of(ways, q->way, &nq);
    const int order = np != nq ? (np > nq) - (np < nq) : memcmp(x, y, np * sizeof *x);

    return order ? order : (p->way > q->way) - (p->way < q->way);
}

/* No way of a channel stands there twice: else the first that does is told. */
static int check_twice(struct table *t, const struct channel *c, const struct net *net, struct err *err)
{
    const struct given **order, *twice = NULL, *before = NULL;
    char name[2][96];

    if (c->n < 2)
        return 0;
    order = malloc(c->n * sizeof *order);
    if (!order)
        return err_memory(err);
    for (size_t i = 0; i < c->n; i++)
        order[i] = &t->given[c->first + i];
    qsort_r(order, c->n, sizeof *order, by_stops, &t->all);
    for (size_t i = 1; i < c->n; i++)
        if (same_way(&t->all, order[i]->way, order[i - 1]->way) && (!twice || order[i]->way < twice->way)) {
            twice = order[i];
            before = order[i - 1];
        }
    free(order);
    return !twice ? 0 : err_set(err, ERR_FORMAT, "%.200s:%zu: this path from %s to %s stands on line %zu already", t->path,
                                twice->line, net_label(net, c->source, name[0]), net_label(net, c->target, name[1]),
                                before->line);
}

/* The ways of a channel lead from one node to one other, differ, and share out 1. */
static int check_channel(struct table *t, const struct channel *c, const struct net *net, struct err *err)
{
    struct given *g = t->given + c->first;
    char name[4][96];
    double sum = 0;

    for (size_t i = 0; i < c->n; i++) {
        if (by_ends(g[i].source, g[i].target, g->source, g->target) != 0)
            return err_set(err, ERR_FORMAT, "%.200s:%zu: channel %.60s leads from %s to %s here, from %s to %s on line %zu",
                           t->path, g[i].line, c->name, net_label(net, g[i].source, name[0]),
                           net_label(net, g[i].target, name[1]), net_label(net, g->source, name[2]),
                           net_label(net, g->target, name[3]), g->line);
        sum += g[i].share;
    }
    if (check_twice(t, c, net, err) < 0)
        return -1;
    if (!isfinite(sum))
        return err_set(err, ERR_FORMAT, "%.200s:%zu: the shares of the paths from %s to %s are too large to be added up",
                       t->path, g->line, net_label(net, g->source, name[0]), net_label(net, g->target, name[1]));
    for (size_t i = 0; i < c->n; i++)
        g[i].share /= sum;
    return 0;
}

static int gather(struct table *t, const struct net *net, struct err *err)
{
    const size_t n = t->all.n;

    qsort(t->given, n, sizeof *t->given, by_channel);
    t->channel = malloc(n * sizeof *t->channel);
    t->by_pair = malloc(n * sizeof *t->by_pair);
    if (!t->channel || !t->by_pair)
        return err_memory(err);
    for (size_t i = 0; i < n; i++) {
        const struct given *g = &t->given[i];
        struct channel *c = t->channel + t->nchannel;

        if (i > 0 && by_key(g->name, g->source, g->target, g[-1].name, g[-1].source, g[-1].target) == 0) {
            c[-1].n++;
            continue;
        }
        *c = (struct channel){ g->name, g->source, g->target, i, 1 };
        t->by_pair[t->nchannel++] = c;
    }
    qsort(t->by_pair, t->nchannel, sizeof *t->by_pair, by_pair);
    for (size_t i = 0; i < t->nchannel; i++)
        if (check_channel(t, &t->channel[i], net, err) < 0)
            return -1;
    return 0;
}

static int read_table(struct table *t, struct routing *r, struct err *err)
{
    struct reading f = { .t = t, .r = r };
    int ret = csv_read(&t->csv, t->path, err) < 0 ? -1 : find_columns(&f.column, t, err);

    for (size_t row = 0; ret == 0 && row < t->csv.nrow; row++) {
        ret = read_row(&f, row, err);
        if (ret < 0 && (err->code == ERR_FORMAT || err->code == ERR_USAGE))
            err_at(err, "%.200s:%zu", t->path, t->csv.line[row]);
    }
    if (ret == 0)
        ret = t->all.n ? gather(t, r->net, err) : err_set(err, ERR_FORMAT, "%.200s holds no path", t->path);
    ways_release(&f.walk);
    route_path_release(&f.path);
    return ret;
}

static int open(struct routing *r, const struct spec *spec, struct err *err)
{
    static const char *const choices[] = { "uniform", "bandwidth", NULL };
    struct table *t;
    char base[160], first[40] = "";
    int64_t most;
    int shares;

    if (!*spec->params)
        return err_set(err, ERR_USAGE, "'%.80s' lacks its file: write table:FILE", spec->text);
    if (spec_choice(&shares, spec, "shares", choices, err) < 0 ||
        spec_key_int(&most, spec, "first", 1, INT32_MAX, INT32_MAX, err) < 0 || routing_base(r, spec, err) < 0)
        return -1;
    r->by_bandwidth = shares == 1;
    r->state = t = calloc(1, sizeof *t);
    if (!t)
        return err_memory(err);
    t->most = most;
    if (most < INT32_MAX)
        snprintf(first, sizeof first, ",first=%lld", (long long)most);
    t->path = text_copy(spec->params, strlen(spec->params));
    if (!t->path)
        err_memory(err);
    if (!t->path || read_table(t, r, err) < 0 ||
        routing_spec(r, err, "table:%s%s%s%s", t->path, r->by_bandwidth ? ",shares=bandwidth" : "", first,
                     routing_base_spec(spec, base)) < 0) {
        release(r);
        return -1;
    }
    return 0;
}

/* ---- answering --------------------------------------------------------------------------------------- */

/* The first channel in by_pair of the pair's; n: how many. */
static struct channel *const *of_pair(const struct table *t, int source, int target, size_t *n)
{
    size_t lo = 0, hi = t->nchannel;

    while (lo < hi) {
        const size_t mid = lo + (hi - lo) / 2;

        if (by_ends(t->by_pair[mid]->source, t->by_pair[mid]->target, source, target) < 0)
            lo = mid + 1;
        else
            hi = mid;
    }
    for (*n = 0; lo + *n < t->nchannel; ++*n)
        if (by_ends(t->by_pair[lo + *n]->source, t->by_pair[lo + *n]->target, source, target) != 0)
            break;
    return t->by_pair + lo;
}

/* By name, else the one of the pair: that without a name, or the only one. */
static const struct channel *find(const struct table *t, const struct net *net, const char *name, int source, int target,
                                  struct err *err)
{
    const struct channel key = { .name = name }, *c = NULL;
    struct channel *const *pair;
    char label[4][NET_LABEL], who[80] = "";
    const char *from = net_label(net, source, label[0]), *to = net_label(net, target, label[1]);
    size_t n;

    if (name) {
        snprintf(who, sizeof who, "%.60s", name);
        c = bsearch(&key, t->channel, t->nchannel, sizeof *c, to_channel);
    }
    if (c && by_ends(c->source, c->target, source, target) != 0) {
        err_set(err, ERR_DOMAIN, "table %.200s leads channel %s from %s to %s; it is asked for from %s to %s", t->path, who,
                net_label(net, c->source, label[2]), net_label(net, c->target, label[3]), from, to);
        return NULL;
    }
    if (c)
        return c;
    pair = of_pair(t, source, target, &n);
    if (n == 1 || (n && !pair[0]->name))
        return pair[0];
    if (n)
        err_set(err, ERR_DOMAIN, "table %.200s has %zu channels from %s to %s, among them %.60s and %.60s, and none is %s",
                t->path, n, from, to, pair[0]->name, pair[1]->name, name ? who : "without a name");
    else if (name)
        err_set(err, ERR_DOMAIN, "table %.200s has no path for channel %s (%s to %s)", t->path, who, from, to);
    else
        err_set(err, ERR_DOMAIN, "table %.200s has no path from %s to %s", t->path, from, to);
    return NULL;
}

static int ways(struct ways *w, struct routing *r, const char *channel, int source, int target, struct err *err)
{
    const struct table *t = r->state;
    const struct channel *c = find(t, r->net, channel, source, target, err);
    const size_t many = !c ? 0 : c->n < (size_t)t->most ? c->n : (size_t)t->most;
    double share = 0;

    for (size_t i = 0; i < many; i++)
        share += t->given[c->first + i].share;
    for (size_t i = 0; i < many; i++) {
        const struct given *g = &t->given[c->first + i];
        size_t n;
        const int *stop = stops_of(&t->all, g->way, &n);

        if (ways_add(w, stop, n, many < c->n ? g->share / share : g->share, err) < 0)
            return -1;
    }
    return c ? 0 : -1;
}

const struct route route_table = {
    .name = "table",
    .takes_path = true,
    .synopsis = "table:FILE[,shares=...][,first=N][,base=...][,order=...][,tie=...]",
    .summary = "the paths that a CSV file gives each channel or pair of nodes",
    .notes = "Columns: `channel` (a name) or `source` and `target`, or all three; `path`, all nodes of a path from source\n"
             "to target, or `msp`, the stops of multistep paths between which the base routing leads, several with\n"
             "spaces between them; `share`, of all paths in the row (else all paths of a channel have the same). Nodes are\n"
             "separated by '>' or '-', those of a path by spaces too. A channel is looked up by name, then by its nodes.\n"
             "For example\n"
             "\n"
             "    channel,source,target,path,share\n"
             "    C1,0.0,1.1,0.0>0.1>1.1,3\n"
             "    C1,0.0,1.1,0.0>1.0>1.1,1",
    .example = "table:paths.csv",
    .example_net = "mesh:2x2",
    .source = "the user's file",
    .keys = keys,
    .fits = route_fits_any,
    .needs = "",
    .open = open,
    .close = release,
    .ways = ways
};
