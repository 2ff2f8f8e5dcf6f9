/* finder.c -- where a message goes next (finder.h); which way it takes: finder_choose.c.
 * 1. routings  a routing, or a policy that chooses among several
 * 2. answers   what a routing says hop by hop, kept by node and target
 * 3. ways      what it says of a pair, kept by pair
 * 4. steps     both, with marks of classes */
#include "analysis/simulate/finder.h"
#include "analysis/load/demand.h"

enum { UNASKED = -1, SEVERAL = -2 };

/* ---- routings ---- */

static int finder_routings(struct finder *c, struct net *net, const struct traffic *traffic, const char *text,
                           struct err *err)
{
    static const char *const taken[] = { "adaptive", "ugal", "drb" };
    struct routing r = { 0 };
    bool known = false;

    if (!text || !policy_is(text)) {
        if (configurations_begin(&c->options, err) < 0)
            return -1;
        if (routing_open(&r, net, text ? text : routing_usual(NULL, net, ROUTING_FOR_LOAD), err) < 0 ||
            configurations_add(&c->options, &r, "", err) < 0 ||
            spec_append(&c->spec, err, "%s", c->options.routing[0].spec) < 0) {
            routing_close(&r);
            return -1;
        }
        return 0;
    }
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++) {
        const size_t len = strlen(taken[i]);

        known = known || (strncmp(text, taken[i], len) == 0 &&
                          (text[len] == '\0' || text[len] == ',' || text[len] == ':'));
    }
    if (!known)
        return err_set(err, ERR_DOMAIN, "'%.80s' decides from mean latencies and is not simulated: routings are "
                       "(`metapath list routing`), and of policies adaptive, ugal and drb", text);
    c->balances = *text == 'd';
    if (c->balances)
        return policy_drb_open(&c->rule, &c->options, text, net, traffic, err) < 0 ? -1 :
            spec_append(&c->spec, err, "drb%s", c->options.spec);
    c->ugal = *text == 'u';
    c->first = strstr(text, "select=first") != NULL;
    c->global = c->ugal && strstr(text, "queue=global") != NULL;
    if (policy_routings(&c->options, text, net, traffic, err) < 0)
        return -1;
    return spec_append(&c->spec, err, "%s%s", c->ugal ? "ugal" : "adaptive", c->options.spec);
}

int finder_open(struct finder *c, struct net *net, const struct traffic *traffic, const char *routing, double flits,
                const struct tick *tick, struct err *err)
{
    size_t most = 1;

    *c = (struct finder){ .traffic = traffic };
    if (finder_routings(c, net, traffic, routing, err) < 0 ||
        demand_tell(c->options.routing, c->options.n, traffic, flits, tick, err) < 0)
        goto fail;
    for (size_t i = 0; i < c->options.n; i++) {
        const struct routing *r = &c->options.routing[i];

        most = r->most > most ? r->most : most;
        most = r->base && r->base->most > most ? r->base->most : most;
    }
    if (TAKE("next hops", err, ARRAY(c->asked, most), ZEROS(c->answer, (c->options.n + 1) * (size_t)net->n)) < 0)
        goto fail;
    return 0;
fail:
    finder_close(c);
    return -1;
}

void finder_begin(struct finder *c, const struct fabric *f, int (*used)(const void *arg, int link), const void *arg,
                  uint64_t seed)
{
    c->f = f;
    c->used = used;
    c->arg = arg;
    rng_seed(&c->rng, seed);
}

void finder_close(struct finder *c)
{
    for (size_t i = 0; c->answer && i < (c->options.n + 1) * (size_t)c->options.routing[0].net->n; i++)
        free(c->answer[i]);
    for (size_t i = 0; i < c->nways; i++) {
        ways_release(&c->ways[i].ways);
        free(c->ways[i].sum);
    }
    ways_release(&c->own.ways);
    FREE(c->answer, c->row, c->latest, c->over, c->hop, c->ways, c->own.sum, c->asked, c->spec);
    map_release(&c->pair);
    configurations_release(&c->options);
    *c = (struct finder){ 0 };
}

/* ---- answers ---- */

/* All links that may follow, with shares added up, behind c->hop[0..nhop); *first is where. */
static int finder_ask(size_t *first, struct finder *c, struct routing *r, int node, int in, int target,
                      struct err *err)
{
    const struct follow *f = &c->f->d.follow;
    double sum = 0;
    size_t n;

    *first = c->nhop;
    if (r->route->next(c->asked, &n, r, node, in < 0 ? -1 : f->tail[in], target, err) < 0)
        return -1;
    for (size_t i = 0; i < n; i++) {
        int link, many;

        if (follow_links(&link, &many, f, r, node, &c->asked[i], err) < 0 ||
            GROW(&c->hop_room, c->nhop + (size_t)many, "next hops", err, GROWN(c->hop)) < 0)
            return -1;
        for (int k = 0; k < many; k++) {
            sum += c->asked[i].share / many;
            c->hop[c->nhop++] = (struct answer_hop){ link + k, 0, sum };
        }
    }
    c->hop[*first].n = (int)(c->nhop - *first);
    return 0;
}

static int finder_rows(struct finder *c, struct err *err)
{
    const struct csr *links = &c->f->d.follow.links;

    if (TAKE("next hops", err, ARRAY(c->row, links->n), ARRAY(c->latest, links->n), ARRAY(c->over, links->n)) < 0)
        return -1;
    memset(c->latest, -1, (size_t)links->n * sizeof *c->latest);
    for (int v = 0; v < links->n; v++) {
        const bool leaf = links->first[v + 1] - links->first[v] == 1;

        c->row[v] = leaf ? -1 : c->nrow++;
        c->over[v] = leaf && !c->f->net->directed ? links->to[links->first[v]] : v;
    }
    return 0;
}

/* Where the answer at a node is kept, UNASKED at first; *kept NULL: nowhere. */
static int finder_place(int **kept, struct finder *c, size_t option, const struct routing *r, int node, int target,
                        struct err *err)
{
    int **column = &c->answer[option * (size_t)r->net->n + (size_t)target];
    double bytes;

    *kept = NULL;
    bytes = (double)c->nrow * sizeof **column;
    if (r->route->looks_back || c->row[node] < 0 || (!*column && !(c->bytes + bytes < FINDER_BYTES)))
        return 0;
    if (!*column) {
        if (TAKE("next hops", err, ARRAY(*column, c->nrow)) < 0)
            return -1;
        memset(*column, -1, (size_t)c->nrow * sizeof **column);
        c->bytes += bytes;
    }
    *kept = &(*column)[c->row[node]];
    return 0;
}

/* Several hops that are those kept last at the node, as on the ways up a tree, are these; else they are kept. */
static size_t finder_keep(struct finder *c, int row, size_t first)
{
    const size_t n = c->nhop - first;
    const int latest = c->latest[row];

    if (latest >= 0 && c->hop[latest].n == (int)n &&
        memcmp(&c->hop[latest], &c->hop[first], n * sizeof *c->hop) == 0) {
        c->nhop = first;
        return (size_t)latest;
    }
    c->latest[row] = (int)first;
    return first;
}

/* The same, kept: a link, or SEVERAL - the place in c->hop. Where it is not kept, `*first` was asked for. */
static int finder_answer(int *answer, struct finder *c, size_t option, struct routing *r, int node, int in, int target,
                         struct err *err)
{
    int *kept;
    size_t first;

    if (!c->row && finder_rows(c, err) < 0)
        return -1;
    if (r->route->nearer && node != c->over[target])    /* what is nearer to a host is nearer to its switch */
        target = c->over[target];
    if (finder_place(&kept, c, option, r, node, target, err) < 0)
        return -1;
    if (kept && *kept != UNASKED) {
        *answer = *kept;
        return 0;
    }
    if (finder_ask(&first, c, r, node, in, target, err) < 0)
        return -1;
    if (first > INT_MAX / 2)
        return err_set(err, ERR_MEMORY, "next hops of %.200s are more than 2^30", r->net->spec);
    if (c->hop[first].n == 1 || !kept)          /* what is not kept is overwritten by what is asked for next */
        c->nhop = first;
    else
        first = finder_keep(c, c->row[node], first);
    *answer = c->hop[first].n == 1 ? c->hop[first].link : SEVERAL - (int)first;
    if (kept)
        *kept = *answer;
    return 0;
}

static const struct answer_hop *finder_draw(struct finder *c, const struct answer_hop *hop)
{
    const double u = rng_uniform(&c->rng) * hop[hop->n - 1].sum;
    const int n = hop->n;
    int k = 0;

    while (k < n - 1 && hop[k].sum <= u)
        k++;
    return &hop[k];
}

/* ---- ways ---- */

static int finder_add_up(struct pair_ways *w, struct err *err)
{
    double sum = 0;

    free(w->sum);
    if (TAKE("shares of ways", err, ARRAY(w->sum, w->ways.n)) < 0)
        return -1;
    for (size_t i = 0; i < w->ways.n; i++)
        w->sum[i] = sum += w->ways.share[i];
    return 0;
}

/* The ways of the message's pair under an option; of lists, of its stream, for a table of ways may ask for its name. */
int finder_ways(struct pair_ways **out, struct finder *c, size_t option, const struct message *m, struct err *err)
{
    struct routing *r = &c->options.routing[option];
    const struct stream *stream = m->stream < 0 ? NULL : &c->traffic->stream[m->stream];
    const uint64_t pairs = (uint64_t)r->net->n * (uint64_t)r->net->n;
    const uint64_t key = (2 * option + !stream) * pairs + (stream ? (uint64_t)m->stream :
                                           (uint64_t)m->source * (uint64_t)r->net->n + (uint64_t)m->target);
    struct pair_ways *w = &c->own;
    bool kept = false;

    if (c->bytes < FINDER_BYTES) {
        const int at = map_put(&c->pair, key, (int)c->nways, err);

        if (at < 0 || GROW(&c->ways_room, c->nways + 1, "ways", err, GROWN(c->ways)) < 0)
            return -1;
        if ((size_t)at < c->nways && c->ways[at].sum) {
            *out = &c->ways[at];
            return 0;
        }
        if ((size_t)at == c->nways)
            c->ways[c->nways++] = (struct pair_ways){ 0 };
        w = &c->ways[at];               /* one that could not be asked for before is anew */
        kept = true;
    }
    ways_clear(&w->ways);
    if (r->route->ways(&w->ways, r, stream ? stream->name : NULL, m->source, m->target, err) < 0 ||
        finder_add_up(w, err) < 0)
        return -1;
    if (kept)
        c->bytes += (double)w->ways.room * (2 * sizeof(double) + sizeof(size_t)) +
            (double)w->ways.stop_room * 2 * sizeof(int) + 64;
    *out = w;
    return 0;
}

int finder_leg(struct finder *c, struct message *m, struct err *err)
{
    struct routing *r = &c->options.routing[m->option];

    m->cable = 0;
    if (!r->base || m->ack >= 0) {
        m->stop = m->target;
    } else if (r->over_any) {           /* legs: over m->over, where that is neither of the ends */
        m->stop = m->leg == 0 && m->over >= 0 ? m->over : m->target;
    } else {
        struct pair_ways *w;
        size_t at;

        if (finder_ways(&w, c, (size_t)m->option, m, err) < 0)
            return -1;
        at = (m->way ? w->ways.end[m->way - 1] : 0) + (size_t)m->leg;
        m->stop = w->ways.stop[at];
        m->cable = w->ways.cable ? w->ways.cable[at] : 0;
    }
    if (c->f->classed)
        m->mark = classes_begin(&c->f->d.classes, m->source, m->target, (size_t)m->way, m->leg, m->mark);
    return 0;
}

int finder_legs(int *legs, struct finder *c, const struct message *m, struct err *err)
{
    const struct routing *r = &c->options.routing[m->option];
    struct pair_ways *w;

    *legs = r->base && r->over_any ? 1 + (m->over >= 0) : 1;
    if (!r->base || r->over_any)
        return 0;
    if (finder_ways(&w, c, (size_t)m->option, m, err) < 0)
        return -1;
    *legs = (int)(w->ways.end[m->way] - (m->way ? w->ways.end[m->way - 1] : 0));
    return 0;
}

/* ---- steps ---- */

int finder_step(struct finder_hop *hop, size_t *n, struct finder *c, struct message *m, int node, int in,
                       struct err *err)
{
    struct routing *r = &c->options.routing[m->option], *by = r->base ? r->base : r;
    const struct follow *f = &c->f->d.follow;
    const struct answer_hop *all;
    int answer;

    if (node == m->stop && m->stop != m->target) {
        m->leg++;
        in = -1;
        if (finder_leg(c, m, err) < 0)
            return -1;
    }
    *n = 0;
    if (r->escape && !finder_ends(m, node)) {
        if (finder_answer(&answer, c, 1, r->escape, node, in, m->stop, err) < 0)
            return -1;
        hop[(*n)++].link = answer >= 0 ? answer : finder_draw(c, &c->hop[SEVERAL - answer])->link;
    }
    if (finder_ends(m, node)) {
        hop[(*n)++] = (struct finder_hop){ (int)c->f->cables + node, 0 };
        return 0;
    }
    if (finder_answer(&answer, c, (size_t)m->option, by, node, in, m->stop, err) < 0)
        return -1;
    if (answer >= 0) {
        hop[(*n)++].link = answer;
    } else {
        all = &c->hop[SEVERAL - answer];
        if (!r->escape)
            hop[(*n)++].link = finder_draw(c, all)->link;
        for (int i = 0; r->escape && i < all->n && i < FINDER_HOPS; i++)
            hop[(*n)++].link = all[i].link;
    }
    if (m->cable && f->head[hop->link] == m->stop)
        hop->link = (int)trunks_first(&f->trunks, csr_link(&f->links, node, m->stop)) + m->cable - 1;
    for (size_t i = 0; i < *n; i++)
        hop[i].mark = c->f->classed ? classes_cross(&c->f->d.classes, m->mark, in, hop[i].link) : 0;
    return 0;
}

int finder_walk(struct finder *c, struct message m, void (*link)(void *arg, int link, int leg), void *arg,
                struct err *err)
{
    struct finder_hop hop;
    int in = -1;
    size_t n;

    m.leg = m.mark = 0;
    if (finder_leg(c, &m, err) < 0)
        return -1;
    for (int node = m.source; !finder_ends(&m, node); node = c->f->to[in]) {
        if (finder_step(&hop, &n, c, &m, node, in, err) < 0)
            return -1;
        in = hop.link;
        m.mark = hop.mark;
        link(arg, in, m.leg);
    }
    return 0;
}
