/* Metapaths chosen for a traffic (best.h).
 *   offers   the paths a pair may choose from; on vertex-transitive networks those of node 0, translated
 *   links    the same as lists of links, one list a pair, or where these are many one a target as seen from node 0
 *   choice   loads of links, and passes over the pairs
 *   routing  specs; ways of a pair, all or those that were chosen */
#include "model/routing/best.h"
#include "graph/base/bisect.h"
#include "model/routing/follow.h"

#define BEST_OF "sga:1+dga:1"
#define EQUAL 1e-9              /* loads that differ by less are equal: sums are rounded */
#define FAR (INT_MAX / 2)       /* hops where there is no path */

struct best {
    int k, slack;               /* slack -1: over supernodes */
    struct routing *from;       /* metapath:SUPERNODE, nfrom */
    size_t nfrom;
    bool alike;                 /* ways of all nodes are those of node 0, moved */
    int *hops;                  /* by the base, [u * n + v], of node 0 alone where alike; NULL: not known yet */
    struct ways all, got;       /* offered to a pair; by one supernode */
    struct route_path path;
    struct routing_demand *pair;        /* npair; NULL: not told */
    size_t npair;
    bool folded;                /* lists of links are node 0's, by target, and not the pairs' own */
    int *pick;                  /* [pair * (k - 1) + i]: numbers of ways beside way 0 */
};

/* ---- offers ---- */

static size_t ways_first(const struct ways *w, size_t i)
{
    return i ? w->end[i - 1] : 0;
}

static int seen_from(const struct best *b, const struct net *net, int node, int from)
{
    return b->alike ? group_add(net->group, node, group_negative(net->group, from)) : node;
}

static int know_hops(struct best *b, struct routing *r, const struct tick *tick, struct err *err)
{
    const size_t n = (size_t)r->net->n, sources = b->alike ? 1 : n;
    int *hops, ret = 0;

    if (b->hops || b->slack < 0)
        return 0;
    if (TAKE("hops", err, ARRAY(hops, sources * n)) < 0)
        return -1;
    for (size_t v = 0; ret == 0 && v < n; v++) {
        ret = tick_check(tick, (double)v / (double)n, err);
        for (size_t u = 0; ret == 0 && u < sources; u++) {
            ret = route_path(&b->path, r->base, (int)u, (int)v, err);
            hops[u * n + v] = ret < 0 ? FAR : (int)b->path.n - 1;
            if (ret < 0 && err->code == ERR_NETWORK) {
                *err = (struct err){ 0 };
                ret = 0;
            }
        }
    }
    if (ret == 0)
        b->hops = hops;
    else
        free(hops);
    return ret;
}

static int hops_between(const struct best *b, const struct net *net, int u, int v)
{
    return b->hops[b->alike ? (size_t)seen_from(b, net, v, u) : (size_t)u * (size_t)net->n + (size_t)v];
}

/* Adds those of b->got that are not there yet. */
static int add_new(struct best *b, struct err *err)
{
    const size_t before = b->all.n;

    for (size_t k = 0; k < b->got.n; k++) {
        const int *stop = b->got.stop + ways_first(&b->got, k);
        const size_t n = b->got.end[k] - ways_first(&b->got, k);
        size_t i = 0;

        while (i < before && (b->all.end[i] - ways_first(&b->all, i) != n ||
                              memcmp(b->all.stop + ways_first(&b->all, i), stop, n * sizeof *stop) != 0))
            i++;
        if (i == before && ways_add(&b->all, stop, n, 1, err) < 0)
            return -1;
    }
    return 0;
}

static int add_detours(struct best *b, const struct net *net, int source, int target, struct err *err)
{
    const int most = hops_between(b, net, source, target) + b->slack;
    int ret = 0;

    for (int k = 0; ret == 0 && k < net->nterminal; k++) {
        const int stop[2] = { net_terminal(net, k), target };

        if (*stop != source && *stop != target &&
            hops_between(b, net, source, *stop) + hops_between(b, net, *stop, target) <= most)
            ret = ways_add(&b->all, stop, 2, 1, err);
    }
    return ret;
}

/* Into b->all. */
static int offer(struct best *b, struct routing *r, int source, int target, struct err *err)
{
    const int s = b->alike ? 0 : source, t = seen_from(b, r->net, target, source);

    ways_clear(&b->all);
    if (ways_add(&b->all, &t, 1, 1, err) < 0 || know_hops(b, r, NULL, err) < 0 ||
        (b->k > 1 && b->slack >= 0 && add_detours(b, r->net, s, t, err) < 0))
        return -1;
    for (size_t i = 0; b->k > 1 && i < b->nfrom; i++) {
        ways_clear(&b->got);
        if (b->from[i].route->ways(&b->got, &b->from[i], NULL, s, t, err) < 0 || add_new(b, err) < 0)
            return -1;
    }
    for (size_t i = 0; b->alike && i < b->all.nstop; i++)
        b->all.stop[i] = group_add(r->net->group, b->all.stop[i], source);
    return 0;
}

/* ---- links ---- */

struct lists {
    struct follow f;
    size_t *first;              /* by list, and one more: its ways */
    size_t *end;                /* by way, from 1: the end of its links; they begin where those of the way before end */
    int *hops;                  /* by way, from 1 */
    int *link;                  /* a way's differ */
    double *part;               /* part of its messages that cross the link, twice where its paths cross it twice */
    size_t nway, nlink, way_room, link_room;
    int *moved;                 /* folded: [s * links + link], link of node 0's view as node s has it */
    double *load, *slow;        /* by link; 1/bandwidth */
};

static int add_link(struct lists *l, int link, double part, struct err *err)
{
    size_t i = l->end[l->nway];

    while (i < l->nlink && l->link[i] != link)
        i++;
    if (GROW(&l->link_room, l->nlink + 1, "links of multistep paths", err, GROWN(l->link), GROWN(l->part)) < 0)
        return -1;
    if (i == l->nlink) {
        l->link[l->nlink] = link;
        l->part[l->nlink++] = 0;
    }
    l->part[i] += part;
    return 0;
}

/* The ways in b->all, from their source. */
static int add_list(struct lists *l, struct best *b, struct routing *r, int source, struct err *err)
{
    const struct route_path *path = &b->path;
    int link, n;

    if (GROW(&l->way_room, l->nway + b->all.n + 1, "multistep paths", err, GROWN(l->end), GROWN(l->hops)) < 0)
        return -1;
    l->end[l->nway] = l->nlink;
    for (size_t w = 0; w < b->all.n; w++) {
        if (route_way(&b->path, r, &b->all, w, source, err) < 0)
            return -1;
        for (size_t i = 1; i < path->n; i++) {
            const struct hop hop = { path->node[i], 1, path->cable[i] };

            if (follow_links(&link, &n, &l->f, r, path->node[i - 1], &hop, err) < 0)
                return -1;
            for (int k = 0; k < n; k++)
                if (add_link(l, link + k, 1.0 / n, err) < 0)
                    return -1;
        }
        l->end[++l->nway] = l->nlink;
        l->hops[l->nway] = (int)path->n - 1;
    }
    return 0;
}

static int lists_open(struct lists *l, struct best *b, struct routing *r, const struct tick *tick, struct err *err)
{
    const struct group *g = r->net->group;
    const size_t n = b->folded ? (size_t)r->net->n : b->npair;
    struct follow *f = &l->f;

    if (follow_open(f, r->net, false, err) < 0 ||
        TAKE("loads of links", err, ZEROS(l->first, n + 1), ZEROS(l->load, f->cables), ARRAY(l->slow, f->cables),
             ARRAY_IF(b->folded, l->moved, n * f->cables)) < 0)
        return -1;
    for (size_t k = 0; k < f->cables; k++)
        l->slow[k] = 1 / trunks_kind(&f->trunks, k).bandwidth;
    for (size_t i = 0; i < n; i++) {
        const int source = b->folded ? 0 : b->pair[i].source, target = b->folded ? (int)i : b->pair[i].target;

        if ((source != target && (offer(b, r, source, target, err) < 0 || add_list(l, b, r, source, err) < 0)) ||
            (i % 64 == 0 && tick_check(tick, (double)i / (double)n, err) < 0))
            return -1;
        l->first[i + 1] = l->nway;
        for (size_t k = 0; b->folded && k < f->cables; k++)
            l->moved[i * f->cables + k] = (int)csr_link(&f->links, group_add(g, f->tail[k], (int)i),
                                                        group_add(g, f->head[k], (int)i));
    }
    return 0;
}

/* ---- choice ---- */

/* One pair: its list, and how its links are called at its source (NULL: as they are). */
struct chooser {
    const struct lists *l;
    const int *moved;
    size_t first, n;
    double share;
};

static struct chooser chooser_of(const struct lists *l, const struct best *b, const struct net *net, size_t i)
{
    const struct routing_demand *p = &b->pair[i];
    const size_t list = b->folded ? (size_t)seen_from(b, net, p->target, p->source) : i;

    return (struct chooser){ l, b->folded ? l->moved + (size_t)p->source * l->f.cables : NULL, l->first[list],
                             l->first[list + 1] - l->first[list], p->amount / b->k };
}

static void put(const struct chooser *c, int way, double amount)
{
    const struct lists *l = c->l;
    const size_t w = c->first + (size_t)way;

    for (size_t i = l->end[w]; i < l->end[w + 1]; i++)
        l->load[c->moved ? c->moved[l->link[i]] : l->link[i]] += amount * l->part[i];
}

/* The largest load along a path with the share added; loads above `limit` are not told apart. */
static double along(const struct chooser *c, size_t w, double limit)
{
    const struct lists *l = c->l;
    double most = 0;

    for (size_t i = l->end[w]; i < l->end[w + 1] && most <= limit; i++) {
        const int link = c->moved ? c->moved[l->link[i]] : l->link[i];
        const double load = (l->load[link] + c->share * l->part[i]) * l->slow[link];

        most = load > most ? load : most;
    }
    return most;
}

static int choose(const struct chooser *c)
{
    const int *hops = c->l->hops + c->first + 1;
    double least = INFINITY;
    size_t best = 0;

    for (size_t i = 0; i < c->n; i++) {
        const double most = along(c, c->first + i, least * (1 + EQUAL));

        if (most < least * (1 - EQUAL) || (most <= least * (1 + EQUAL) && hops[i] < hops[best]))
            best = i;
        least = fmin(least, most);
    }
    return (int)best;
}

static int pass(bool *changed, struct lists *l, struct best *b, const struct net *net, const size_t *order,
                const struct tick *tick, struct err *err)
{
    *changed = false;
    for (size_t i = 0; i < b->npair; i++) {
        const struct chooser c = chooser_of(l, b, net, order[i]);
        int *pick = b->pick + order[i] * (size_t)(b->k - 1);

        for (int k = 0; k < b->k - 1; k++)
            put(&c, pick[k], -c.share);
        for (int k = 0; k < b->k - 1; k++) {
            const int way = choose(&c);

            put(&c, way, c.share);
            *changed = *changed || way != pick[k];
            pick[k] = way;
        }
        if (i % 64 == 0 && tick_check(tick, (double)i / (double)b->npair, err) < 0)
            return -1;
    }
    return 0;
}

static double largest(const struct lists *l)
{
    double most = 0;

    for (size_t k = 0; k < l->f.cables; k++)
        most = fmax(most, l->load[k] * l->slow[k]);
    return most;
}

static int by_amount(const void *a, const void *b, void *pair)
{
    const struct routing_demand *p = (struct routing_demand *)pair + *(const size_t *)a,
                                *q = (struct routing_demand *)pair + *(const size_t *)b;

    return p->amount != q->amount ? (p->amount < q->amount ? 1 : -1) : (p > q) - (p < q);
}

/* b->pick, from the pairs. */
static int choose_all(struct best *b, struct routing *r, const struct tick *whole, struct err *err)
{
    const struct tick measuring = tick_part(whole, 0, 0.2), listing = tick_part(whole, 0.2, 0.4),
                      choosing = tick_part(whole, 0.4, 1);
    const size_t npick = b->npair * (size_t)(b->k - 1);
    struct lists l = { 0 };
    size_t *order = NULL;
    int *kept = NULL, ret = -1;
    bool changed = true;
    double least;

    if (TAKE("the metapaths", err, ARRAY(order, b->npair), ZEROS(kept, npick), ZEROS(b->pick, npick)) < 0 ||
        know_hops(b, r, &measuring, err) < 0 || lists_open(&l, b, r, &listing, err) < 0)
        goto done;
    for (size_t i = 0; i < b->npair; i++) {
        const struct chooser c = chooser_of(&l, b, r->net, i);

        order[i] = i;
        put(&c, 0, b->pair[i].amount);
    }
    qsort_r(order, b->npair, sizeof *order, by_amount, b->pair);
    least = largest(&l);
    for (size_t i = 0; i < BEST_PASSES && changed; i++) {
        const struct tick part = tick_step(&choosing, i, BEST_PASSES);

        if (pass(&changed, &l, b, r->net, order, &part, err) < 0)
            goto done;
        if (largest(&l) <= least * (1 + 1e-12)) {
            least = fmin(least, largest(&l));
            memcpy(kept, b->pick, npick * sizeof *kept);
        }
    }
    memcpy(b->pick, kept, npick * sizeof *kept);
    ret = 0;
done:
    follow_close(&l.f);
    FREE(l.first, l.end, l.hops, l.link, l.part, l.moved, l.load, l.slow, order, kept);
    return ret;
}

static void forget(struct best *b)
{
    FREE(b->pair, b->pick);
    b->pair = NULL;
    b->pick = NULL;
}

int best_tell(struct best *b, struct routing *r, const struct routing_demand *pair, size_t n, const struct tick *tick,
              struct err *err)
{
    forget(b);
    r->invariant = b->alike;
    if (TAKE("the pairs", err, ARRAY(b->pair, n)) < 0)
        return -1;
    memcpy(b->pair, pair, n * sizeof *pair);
    b->npair = n;
    b->folded = b->alike && 8 * (double)n > (double)r->net->n * r->net->n;
    if (choose_all(b, r, tick, err) < 0) {
        forget(b);
        return -1;
    }
    r->invariant = false;
    return 0;
}

/* ---- routing ---- */

static int add_from(struct best *b, struct net *net, const char *item, size_t len, char **name, struct err *err)
{
    struct routing *r = &b->from[b->nfrom];
    char text[120];

    if (len == 0 || len > 100 || strncmp(item, "best", 4) == 0)
        return err_set(err, ERR_USAGE, "of= takes supernodes with '+' between them, as in of=sga:1+dga:1, or "
                       "shortest+N, not '%.60s'", item);
    snprintf(text, sizeof text, "metapath:%.*s", (int)len, item);
    if (routing_open(r, net, text, err) < 0)
        return err_at(err, "of=");
    b->alike = b->alike && r->invariant;
    b->nfrom++;
    return spec_append(name, err, "%s%s", *name ? "+" : "", strchr(r->spec, ',') ? text + 9 : r->spec + 9);
}

/* *name: what of= comes to. */
static int open_offers(struct best *b, char **name, struct net *net, const struct spec *spec, struct err *err)
{
    const char *of = spec_get(spec, "of"), *at = of ? of : BEST_OF, *end = at + strlen(at);
    int64_t slack = 0;

    b->slack = -1;
    if (strncmp(at, "shortest", 8) == 0) {
        if (at[8] && (at[8] != '+' || num_int(&slack, at + 9, 0, 1000, "N of of=shortest+N", err) < 0))
            return at[8] == '+' ? -1 : err_set(err, ERR_USAGE, "of=%.60s is not of=shortest+N", at);
        b->slack = (int)slack;
        return spec_append(name, err, "shortest+%d", b->slack);
    }
    if (TAKE("a metapath", err, ZEROS(b->from, strlen(at) + 1)) < 0)
        return -1;
    for (; at <= end; at += strcspn(at, "+") + 1)
        if (add_from(b, net, at, strcspn(at, "+"), name, err) < 0)
            return -1;
    return 0;
}

bool best_is(const struct spec *spec)
{
    return strcmp(spec->params, "best") == 0 || strncmp(spec->params, "best:", 5) == 0;
}

int best_open(struct best **out, struct routing *r, const struct spec *spec, routing_tell *tell, struct err *err)
{
    struct best *b = *out = calloc(1, sizeof *b);
    char *of = NULL;
    int64_t k;
    int ret;

    if (!b)
        return err_memory(err);
    if (!spec->params[4])
        return err_set(err, ERR_USAGE, "'%.80s' lacks its number of paths: write metapath:best:K, as in "
                       "metapath:best:3", spec->text);
    if (num_int(&k, spec->params + 5, 1, BEST_WAYS, "K of metapath:best:K", err) < 0 ||
        routing_base(r, spec, routing_orders(r->net) ? NULL : "spread", err) < 0)
        return -1;
    b->k = (int)k;
    b->alike = r->base->invariant && r->net->nterminal == r->net->n && !r->net->cables.parallel;
    ret = open_offers(b, &of, r->net, spec, err);
    r->invariant = b->alike;
    r->tell = b->k > 1 ? tell : NULL;
    if (ret == 0)
        ret = spec_append(&r->spec, err, "metapath:best:%d%s%s", b->k, strcmp(of, BEST_OF) == 0 ? "" : ",of=",
                          strcmp(of, BEST_OF) == 0 ? "" : of);
    free(of);
    return ret;
}

void best_close(struct best *b)
{
    if (!b)
        return;
    forget(b);
    for (size_t i = 0; i < b->nfrom; i++)
        routing_close(&b->from[i]);
    ways_release(&b->all);
    ways_release(&b->got);
    route_path_release(&b->path);
    FREE(b->from, b->hops, b);
}

int best_ways(struct ways *w, struct best *b, struct routing *r, int source, int target, struct err *err)
{
    int number[BEST_WAYS] = { 0 }, ret = offer(b, r, source, target, err);
    const size_t n = b->pair ? (size_t)b->k : b->all.n;
    size_t at;

    BISECT(at, 0, b->pair ? b->npair : 0, i, b->pair[i].source < source ||
           (b->pair[i].source == source && b->pair[i].target < target));
    if (b->pair && at < b->npair && b->pair[at].source == source && b->pair[at].target == target)
        memcpy(number + 1, b->pick + at * (n - 1), (n - 1) * sizeof *number);
    if (b->pair)
        qsort(number, n, sizeof *number, num_ascending);
    for (size_t i = 0, next; ret == 0 && i < n; i = next) {
        const size_t k = b->pair ? (size_t)number[i] : i, first = ways_first(&b->all, k);

        for (next = i + 1; b->pair && next < n && number[next] == number[i]; next++)
            ;
        ret = ways_add(w, b->all.stop + first, b->all.end[k] - first, (double)(next - i) / (double)n, err);
    }
    return ret;
}
