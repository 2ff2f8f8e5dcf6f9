/* configuration.c -- the configurations among which a policy chooses (configuration.h).
 * 1. a part of a routing's ways   the first so many, or as many as are disjoint, as a routing
 * 2. specs                        "1,2,4" or a list of routings, and the canonical spec of what they come to */
#include "analysis/policy/configuration.h"
#include "model/supernode/supernode.h"

struct way {                        /* of those to be tried in turn, when they must be disjoint */
    size_t at, links, nstop;
    const int *stop;
    const struct group *group;
    int source;
};
struct part {                       /* of the ways of another routing */
    struct routing *inner;          /* belongs to the configurations */
    size_t most;                    /* the first so many; 0: all */
    bool disjoint, sort;
    struct ways got;
    struct route_path path;
    struct way *way;
    size_t room;
    int *mark, stamp;               /* by node: the last answer in which a kept way went through it */
};

/* ---- a part of a routing's ways ------------------------------------------------------------------------- */

static size_t first_stop(const struct ways *w, size_t i)
{
    return i ? w->end[i - 1] : 0;
}

/* Straight, then short, then over few stops; among alike by where the stops lie from the source, so that it looks the
 * same from everywhere. */
static int by_length(const void *a, const void *b)
{
    const struct way *x = a, *y = b;

    if ((x->nstop == 1) != (y->nstop == 1))
        return x->nstop == 1 ? -1 : 1;
    if (x->links != y->links)
        return x->links < y->links ? -1 : 1;
    if (x->nstop != y->nstop)
        return x->nstop < y->nstop ? -1 : 1;
    for (size_t i = 0; i < x->nstop; i++) {
        const struct group *g = x->group;
        const int minus = g ? group_negative(g, x->source) : 0;
        const int p = g ? group_add(g, x->stop[i], minus) : x->stop[i], q = g ? group_add(g, y->stop[i], minus) :
            y->stop[i];

        if (p != q)
            return p < q ? -1 : 1;
    }
    return 0;
}

static int list_ways(struct part *p, size_t n, int source, struct err *err)
{
    if (GROW(&p->room, n, "multistep paths", err, GROWN(p->way)) < 0)
        return -1;
    for (size_t i = 0; i < n; i++) {
        const size_t from = first_stop(&p->got, i);

        p->way[i] = (struct way){ i, 0, p->got.end[i] - from, p->got.stop + from, p->inner->net->group, source };
        if (p->sort) {
            if (route_way(&p->path, p->inner, &p->got, i, source, err) < 0)
                return -1;
            p->way[i].links = p->path.n - 1;
        }
    }
    if (p->sort)
        qsort(p->way, n, sizeof *p->way, by_length);
    return 0;
}

/* Whether the path at hand meets none that was kept; if so its nodes are marked. */
static bool configuration_keep(struct part *p)
{
    const int *node = p->path.node, source = node[0], target = node[p->path.n - 1];

    for (size_t i = 1; i + 1 < p->path.n; i++)
        if (node[i] != source && node[i] != target && p->mark[node[i]] == p->stamp)
            return false;
    for (size_t i = 1; i + 1 < p->path.n; i++)
        p->mark[node[i]] = p->stamp;
    return true;
}

static int configuration_ways(struct ways *w, struct routing *r, const char *stream, int source, int target,
                              struct err *err)
{
    struct part *p = r->state;
    const size_t before = w->n;
    size_t n;

    ways_clear(&p->got);
    if (p->inner->route->ways(&p->got, p->inner, stream, source, target, err) < 0)
        return -1;
    n = p->most && p->most < p->got.n ? p->most : p->got.n;
    if (p->disjoint && list_ways(p, n, source, err) < 0)
        return -1;
    p->stamp++;
    for (size_t i = 0; i < n; i++) {
        const size_t at = p->disjoint ? p->way[i].at : i, from = first_stop(&p->got, at);

        if (p->disjoint && route_way(&p->path, p->inner, &p->got, at, source, err) < 0)
            return -1;
        if ((!p->disjoint || configuration_keep(p)) &&
            ways_add_cables(w, p->got.stop + from, p->got.cable + from, p->got.end[at] - from, 1, err) < 0)
            return -1;
    }
    for (size_t i = before; i < w->n; i++)
        w->share[i] = 1 / (double)(w->n - before);
    return 0;
}

static const struct route part_of_ways = { .name = "configuration", .ways = configuration_ways };

static int configuration_tell(struct routing *r, const struct routing_demand *pair, size_t n, const struct tick *tick,
                              struct err *err)
{
    struct routing *inner = ((struct part *)r->state)->inner;
    const int ret = inner->tell(inner, pair, n, tick, err);

    r->invariant = inner->invariant;
    return ret;
}

static int add_part(struct configurations *c, struct routing *inner, size_t most, bool disjoint, bool sort,
                    struct err *err)
{
    struct part *p, part = { .inner = inner, .most = most, .disjoint = disjoint, .sort = disjoint && sort };

    if (TAKE("the configuration", err, ARRAY(p, 1), ZEROS_IF(disjoint, part.mark, inner->net->n)) < 0)
        return -1;
    *p = part;
    c->routing[c->n++] = (struct routing){ .route = &part_of_ways, .spec = inner->spec, .net = inner->net, .state = p,
                                           .base = inner->base, .invariant = inner->invariant,
                                           .walks = inner->walks, .by_bandwidth = true, .most = inner->most,
                                           .tell = inner->tell ? configuration_tell : NULL };
    return 0;
}

void configurations_release(struct configurations *c)
{
    for (size_t i = 0; i < c->n; i++) {
        struct part *p = c->routing[i].state;

        if (c->routing[i].route != &part_of_ways) {
            routing_close(&c->routing[i]);
            continue;
        }
        ways_release(&p->got);
        route_path_release(&p->path);
        FREE(p->way, p->mark, p);
    }
    for (size_t i = 0; i < c->ninner; i++)
        routing_close(&c->inner[i]);
    mem_free_list(c->name, CONFIGURATIONS);
    FREE(c->routing, c->inner, c->spec);
    *c = (struct configurations){ 0 };
}

/* ---- specs ---- */

int configurations_begin(struct configurations *c, struct err *err)
{
    return TAKE("configurations", err, ZEROS(c->routing, CONFIGURATIONS), ZEROS(c->inner, CONFIGURATIONS),
                ZEROS(c->name, CONFIGURATIONS));
}

static int name_it(struct configurations *c, const char *name, struct err *err)
{
    c->name[c->n] = text_copy(name, strlen(name));
    return c->name[c->n] ? 0 : err_memory(err);
}

int configurations_add(struct configurations *c, struct routing *routing, const char *name, struct err *err)
{
    if (name_it(c, name, err) < 0)
        return -1;
    c->routing[c->n++] = *routing;
    *routing = (struct routing){ 0 };
    return 0;
}

/* The next piece of a list with '+' between, from *at on; its length. */
static size_t piece(const char **at, const char **text)
{
    const size_t len = strcspn(*at, "+");

    *text = *at;
    *at += len + ((*at)[len] == '+');
    return len;
}

/* `of`: of best:K, else NULL. */
static int add_supernode(struct configurations *c, const char *text, const char *of, struct net *net, bool disjoint,
                         const char *base, struct err *err)
{
    const bool best = strncmp(text, "best", 4) == 0;
    struct supernode sn = { 0 };
    char spec[600];
    int ret;

    if (!best && supernode_open(&sn, text, net, err) < 0)
        return -1;
    snprintf(spec, sizeof spec, "metapath:%s%s%.200s%s", best ? text : sn.spec, best && of ? ",of=" : "",
             best && of ? of : "", base);
    ret = routing_open(&c->inner[c->ninner], net, spec, err);
    if (ret == 0) {
        c->ninner++;
        ret = name_it(c, best || strchr(sn.spec, ',') ? text : sn.spec, err);
    }
    if (ret == 0)
        ret = add_part(c, &c->inner[c->ninner - 1], 0, disjoint, true, err);
    supernode_release(&sn);
    return ret;
}

static int open_supernodes(struct configurations *c, const struct spec *spec, struct net *net, bool disjoint,
                           const char *base, struct err *err)
{
    const char *at = *spec->params ? spec->params : "static+sga:1+sga:2", *of = spec_get(spec, "of"), *item;
    bool more = true, best = false;

    while (more) {
        const size_t len = piece(&at, &item);
        char *text;
        int ret;

        more = item[len] == '+';
        if (len == 0)
            return err_set(err, ERR_USAGE, "'%.80s' has an empty configuration; write supernodes with '+' between "
                           "them, as in %s:static+sga:1", spec->text, spec->name);
        if (c->n == CONFIGURATIONS)
            return err_set(err, ERR_USAGE, "'%.80s' has more than %d configurations", spec->text, CONFIGURATIONS);
        text = text_copy(item, len);
        if (!text)
            return err_memory(err);
        best = best || strncmp(text, "best", 4) == 0;
        ret = add_supernode(c, text, of, net, disjoint, base, err);
        free(text);
        if (ret < 0)
            return -1;
    }
    return best || !of ? 0 : err_set(err, ERR_USAGE, "'%.80s': of= says what configurations best:K choose from",
                                     spec->text);
}

/* The most ways that any of the traffic's pairs has. */
static int most_ways(size_t *most, struct routing *r, const struct traffic *t, struct err *err)
{
    const int n = r->net->nterminal;
    struct ways w = { 0 };
    int ret = 0;

    *most = 0;
    for (size_t i = 0; ret == 0 && !t->matrix && i < t->nstream; i++) {
        ways_clear(&w);
        ret = r->route->ways(&w, r, t->stream[i].name, t->stream[i].source, t->stream[i].target, err);
        *most = w.n > *most ? w.n : *most;
    }
    for (size_t i = 0; ret == 0 && t->matrix && i < (size_t)n * (size_t)n; i++) {
        const int u = net_terminal(r->net, (int)(i / (size_t)n)), v = net_terminal(r->net, (int)(i % (size_t)n));

        if (u == v || !(t->kind->share(t, u, v) > 0))
            continue;
        ways_clear(&w);
        ret = r->route->ways(&w, r, NULL, u, v, err);
        *most = w.n > *most ? w.n : *most;
    }
    ways_release(&w);
    return ret;
}

static int add_count(struct configurations *c, size_t count, bool disjoint, struct err *err)
{
    char name[40];

    snprintf(name, sizeof name, "%zu path%s", count, count == 1 ? "" : "s");
    return name_it(c, name, err) < 0 ? -1 : add_part(c, &c->inner[0], count, disjoint, false, err);
}

static int open_table(struct configurations *c, const struct spec *spec, struct net *net, const struct traffic *traffic,
                      bool disjoint, const char *base, struct err *err)
{
    const char *file = spec_get(spec, "table"), *at = spec_get(spec, "counts"), *item;
    const size_t len = strlen(file) + strlen(base) + 40;
    char *text = malloc(len);
    int64_t last = 0, count;
    size_t most;
    int ret;

    if (!text)
        return err_memory(err);
    snprintf(text, len, "table:%s%s", file, base);
    ret = routing_open(&c->inner[0], net, text, err);
    free(text);
    if (ret < 0)
        return -1;
    c->ninner = 1;
    if (!at) {
        if (most_ways(&most, &c->inner[0], traffic, err) < 0)
            return -1;
        if (most > CONFIGURATIONS)
            return err_set(err, ERR_USAGE, "'%.80s': %.200s gives a channel %zu paths; say with counts= which of them "
                           "make the configurations, %d at most", spec->text, file, most, CONFIGURATIONS);
        for (size_t i = 1; ret == 0 && i <= most; i++)
            ret = add_count(c, i, disjoint, err);
        return ret;
    }
    for (bool more = true; more; last = count) {
        const size_t digits = piece(&at, &item);

        more = item[digits] == '+';
        if (num_int_part(&count, item, digits, 1, 1000000, "a number of paths in counts", err) < 0)
            return err_at(err, "'%.80s'", spec->text);
        if (count <= last)
            return err_set(err, ERR_USAGE, "'%.80s': counts must grow", spec->text);
        if (c->n == CONFIGURATIONS)
            return err_set(err, ERR_USAGE, "'%.80s' has more than %d configurations", spec->text, CONFIGURATIONS);
        if (add_count(c, (size_t)count, disjoint, err) < 0)
            return -1;
    }
    return 0;
}

static int write_spec(struct configurations *c, const struct spec *spec, bool disjoint, const char *base,
                      struct err *err)
{
    const char *file = spec_get(spec, "table"), *counts = spec_get(spec, "counts"), *of = spec_get(spec, "of");
    char names[CONFIGURATIONS * 100] = ":";
    size_t len = 1;

    for (size_t i = 0; !file && i < c->n && len < sizeof names; i++)
        len += (size_t)snprintf(names + len, sizeof names - len, "%s%s", i ? "+" : "", c->name[i]);
    if (len >= sizeof names)
        return err_set(err, ERR_USAGE, "'%.80s...' is too long", spec->text);
    if (asprintf(&c->spec, "%s%s%s%s%s%s%s%s", file ? ",table=" : names, file ? file : "", counts ? ",counts=" : "",
                 counts ? counts : "", of ? ",of=" : "", of ? of : "", disjoint ? ",disjoint=yes" : "", base) < 0) {
        c->spec = NULL;
        return err_memory(err);
    }
    return 0;
}

int configurations_open(struct configurations *out, const struct spec *spec, struct net *net,
                        const struct traffic *traffic, struct err *err)
{
    static const char *const choices[] = { "no", "yes", NULL };
    const bool table = spec_get(spec, "table") != NULL;
    struct configurations c = { 0 };
    char base[160];
    int disjoint;

    if (spec_choice(&disjoint, spec, "disjoint", choices, err) < 0)
        return -1;
    if (table && *spec->params)
        return err_set(err, ERR_USAGE, "'%.80s' names supernodes and a table of paths; it takes one of them",
                       spec->text);
    if (table && spec_get(spec, "of"))
        return err_set(err, ERR_USAGE, "'%.80s': of= is for configurations best:K, not for a table", spec->text);
    if (!table && spec_get(spec, "counts"))
        return err_set(err, ERR_USAGE, "'%.80s': counts is for configurations of a table=FILE", spec->text);
    routing_base_spec(spec, base);
    if (configurations_begin(&c, err) < 0 ||
        (table ? open_table(&c, spec, net, traffic, disjoint, base, err)
               : open_supernodes(&c, spec, net, disjoint, base, err)) < 0 ||
        write_spec(&c, spec, disjoint, base, err) < 0) {
        configurations_release(&c);
        return -1;
    }
    *out = c;
    return 0;
}
