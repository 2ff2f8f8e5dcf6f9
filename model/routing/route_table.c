/* route_table.c -- paths from a file: CSV, a row per path or several multistep paths in a cell. Rows are put together
 * by stream (path_table.h): by its name where they have one, else by source and target.
 * 1. reading     columns; a path's nodes, or the stops of a multistep path between which the base routing leads
 * 2. answering   the first so many paths of a stream, their shares made to sum to 1 */
#include "graph/base/csv.h"
#include "model/routing/lfts.h"
#include "model/routing/path_table.h"
#include "texts/route.h"

struct columns {
    int stream, source, target, path, share;
    bool msp;                       /* `path` holds multistep paths */
    bool optimal;                   /* shares as `bound split` writes them: 0 for paths that are not used */
};

static void route_table_release(void *state)
{
    struct path_table *t = state;

    csv_release(&t->csv);
    ways_release(&t->all);
    FREE(t->path, t->given, t->stream, t->by_pair);
}

/* ---- reading ----------------------------------------------------------------------------------------- */

static int route_table_find_columns(struct columns *c, const struct path_table *t, struct err *err)
{
    static const char *const share[] = { "share", "share_optimal", NULL };
    static const char *const msp[] = { "msp", "multistep_path", "multistep_paths", NULL };
    int paths = csv_column(&t->csv, "path"), steps = csv_first(&t->csv, msp);

    int pair[2], paired = csv_pair(pair, &t->csv, t->path, err);

    *c = (struct columns){ .stream = csv_column(&t->csv, "channel"), .source = pair[0], .target = pair[1],
                           .path = paths >= 0 ? paths : steps,
                           .share = csv_first(&t->csv, share), .msp = paths < 0 };
    c->optimal = c->share >= 0 && csv_column(&t->csv, "share") < 0;
    if ((paths >= 0) == (steps >= 0))
        return err_set(err, ERR_FORMAT, "%.200s has %s; a table of paths has one of them: path for all nodes of a "
                       "path, msp for the stops of a multistep path", t->path, paths < 0 ? "no column 'path' or 'msp'"
                                                                               : "the columns 'path' and 'msp'");
    if (paired < 0 && c->source < 0 && c->target < 0)
        return c->stream >= 0 ? 0 : err_set(err, ERR_FORMAT, "%.200s lacks these columns; each row is for a channel by "
                                            "name (column 'channel') or for a pair of nodes (columns 'source' and "
                                            "'target')", t->path);
    return paired;
}

/* What is written at text[0..len), without spaces around it, as a node; after node `from`, if that is not below 0, with
 * the port of the cable that leads there. */
static int read_node(int *node, int *cable, struct net *net, int from, const char *text, size_t len, struct err *err)
{
    struct err none;
    int64_t edge;
    char *piece;
    int ret;

    *cable = 0;

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
    if (ret < 0 && from >= 0 && strchr(piece, ':') && net_cable(&edge, cable, net, from, node, piece, &none) == 0)
        ret = 0;
    else if (ret < 0 && from >= 0 && strchr(piece, ':'))
        err_set(err, none.code == ERR_USAGE ? ERR_FORMAT : none.code, "%s", none.msg);
    else if (ret < 0 && len == 0)
        err_set(err, ERR_FORMAT, "a node is missing");
    else if (ret < 0 && err->code == ERR_USAGE)
        err_set(err, ERR_FORMAT, "'%.60s' is no node of %.80s", piece, net->spec);
    free(piece);
    return ret;
}

/* text[0..len) into the nodes of a walk; `cut` holds what may stand between them. */
static int read_walk(struct ways *out, struct net *net, const char *text, size_t len, const char *cut, bool ports,
                     struct err *err)
{
    size_t from = 0;
    char label[NET_LABEL];

    ways_clear(out);
    while (from <= len) {
        size_t to = from;
        int node, cable;

        while (to < len && !strchr(cut, text[to]))
            to++;
        if (*cut == ' ' && to == from) {            /* of several spaces one counts */
            from++;
            continue;
        }
        if (read_node(&node, &cable, net, ports && out->n ? out->stop[out->n - 1] : -1, text + from, to - from,
                      err) < 0)
            return err_at(err, "in the path %.80s%s", text,
                          *cut == '-' ? " (where names of nodes hold '-', write '>')" : "");
        if (out->n && out->stop[out->n - 1] == node)
            return err_set(err, ERR_FORMAT, "the path %.100s names '%.*s' twice running", text, (int)(to - from),
                           text + from);
        if (ways_add_cables(out, &node, &cable, 1, 1, err) < 0)
            return -1;
        from = to + 1;
    }
    if (out->n < 2)
        return err_set(err, ERR_FORMAT, "the path %.100s has fewer than two nodes", text);
    for (size_t i = 0; i < out->n; i++)
        if ((i > 0 && out->stop[i] == out->stop[0]) || (i + 1 < out->n && out->stop[i] == out->stop[out->n - 1]))
            return err_set(err, ERR_FORMAT, "the path %.100s comes to %s again: it begins at its source once, and ends "
                           "where it comes to its target", text, net_label(net, out->stop[i], label));
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
                err_set(err, ERR_FORMAT, "no link leads from %s to %s, step %zu of the path %.100s", name[0], name[1],
                        i + 1, text);
        if (r->base->route->minimal)
            continue;
        if (route_path(path, r->base, node[i], node[i + 1], err) < 0)
            return -1;
        if (path->n != 2)
            return err_set(err, ERR_USAGE, "'%s' does not take the link from %s to %s, step %zu of the path %.100s; "
                           "take base=minimal", r->base->spec, name[0], name[1], i + 1, text);
    }
    return 0;
}

static int add_given(struct path_table *t, const struct given *g, const struct ways *walk, struct err *err)
{
    if (GROW_BY(t->all.n, 1, "paths of a table", err, GROWN(t->given)) < 0)
        return -1;
    t->given[t->all.n] = *g;
    t->given[t->all.n].way = t->all.n;
    t->given[t->all.n].source = walk->stop[0];
    t->given[t->all.n].target = walk->stop[walk->n - 1];
    return ways_add_cables(&t->all, walk->stop + 1, walk->cable + 1, walk->n - 1, 1, err);
}

/* Whether the path begins and ends where the row says. */
static int check_ends(const struct path_table *t, size_t row, const struct columns *c, struct net *net,
                      const struct ways *walk, const char *text, struct err *err)
{
    const int at[2] = { c->source, c->target };

    for (int i = 0; i < 2; i++) {
        const char *cell = at[i] < 0 ? "" : csv_at(&t->csv, row, at[i]);
        const int have = walk->stop[i ? walk->n - 1 : 0];
        char name[96];
        int want, cable;

        if (*cell && read_node(&want, &cable, net, -1, cell, strlen(cell), err) < 0)
            return -1;
        if (*cell && have != want)
            return err_set(err, ERR_FORMAT, "the path %.100s %s at %s, not at %.60s as its row says", text,
                           i ? "ends" : "begins", net_label(net, have, name), cell);
    }
    return 0;
}

/* Removes spaces beside a '>' or '-', so that the others separate multistep paths. */
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
    struct path_table *t;
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
        ret = read_walk(&f->walk, f->r->net, copy, len, cut, !f->column.msp, err);
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
    struct path_table *t = f->t;
    const struct columns *c = &f->column;
    const char *name = c->stream < 0 ? "" : csv_at(&t->csv, row, c->stream);
    struct given g = { .name = *name ? name : NULL, .line = t->csv.line[row], .share = 1 };
    char *text = t->csv.field[row * t->csv.ncol + (size_t)c->path];
    const char *cut = strchr(text, '>') ? ">" : strchr(text, '-') ? "-" : " ";
    const size_t before = t->all.n;

    if (c->share >= 0) {
        if (num_real(&g.share, csv_at(&t->csv, row, c->share), "share", err) < 0) {
            err->code = ERR_FORMAT;
            return -1;
        }
        if (c->optimal && g.share == 0)
            return 0;
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

static int read_table(struct path_table *t, struct routing *r, struct err *err)
{
    struct reading f = { .t = t, .r = r };
    int ret = csv_read(&t->csv, t->path, err) < 0 ? -1 : route_table_find_columns(&f.column, t, err);

    for (size_t row = 0; ret == 0 && row < t->csv.nrow; row++) {
        ret = read_row(&f, row, err);
        if (ret < 0 && (err->code == ERR_FORMAT || err->code == ERR_USAGE))
            err_at(err, "%.200s:%zu", t->path, t->csv.line[row]);
    }
    if (ret == 0)
        ret = t->all.n ? path_table_gather(t, r->net, err) : err_set(err, ERR_FORMAT, "%.200s holds no path", t->path);
    r->walks = !f.column.msp;
    ways_release(&f.walk);
    route_path_release(&f.path);
    return ret;
}

static int route_table_open(struct routing *r, const struct spec *spec, struct err *err)
{
    static const char *const choices[] = { "uniform", "bandwidth", NULL };
    struct path_table *t = r->state;
    char base[160], first[40] = "";
    int64_t most;
    int shares;

    if (!*spec->params)
        return err_set(err, ERR_USAGE, "'%.80s' lacks its file: write table:FILE", spec->text);
    if (lfts_is(spec->params))
        return lfts_open(r, spec, err);
    if (spec_choice(&shares, spec, "shares", choices, err) < 0 ||
        spec_key_int(&most, spec, "first", 1, INT32_MAX, INT32_MAX, err) < 0 || routing_base(r, spec, NULL, err) < 0)
        return -1;
    r->by_bandwidth = shares == 1;
    t->most = most;
    if (most < INT32_MAX)
        snprintf(first, sizeof first, ",first=%lld", (long long)most);
    t->path = text_copy(spec->params, strlen(spec->params));
    if (!t->path)
        return err_memory(err);
    return read_table(t, r, err) < 0 ? -1 :
        spec_append(&r->spec, err, "table:%s%s%s%s", t->path, r->by_bandwidth ? ",shares=bandwidth" : "", first,
                    routing_base_spec(spec, base));
}

/* ---- answering --------------------------------------------------------------------------------------- */

static int route_table_ways(struct ways *w, struct routing *r, const char *stream, int source, int target,
                            struct err *err)
{
    const struct path_table *t = r->state;
    const struct path_stream *c = path_table_find(t, r->net, stream, source, target, err);
    const size_t many = !c ? 0 : c->n < (size_t)t->most ? c->n : (size_t)t->most;
    double share = 0;

    for (size_t i = 0; i < many; i++)
        share += t->given[c->first + i].share;
    for (size_t i = 0; i < many; i++) {
        const struct given *g = &t->given[c->first + i];
        size_t n;
        const int *stop = path_table_stops(&t->all, g->way, &n);

        if (ways_add_cables(w, stop, t->all.cable + (stop - t->all.stop), n,
                            many < c->n ? g->share / share : g->share, err) < 0)
            return -1;
    }
    return c ? 0 : -1;
}

const struct route route_table = {
    ROUTE_TABLE_ENTRY,
    .takes_path = true,
    .example_net = "mesh:2x2",
    .fits = route_fits_any,
    .state = sizeof(struct path_table),
    .open = route_table_open,
    .close = route_table_release,
    .ways = route_table_ways
};
