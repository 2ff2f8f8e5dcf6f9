/* Connections of processes: their links, found once; and whether those of the rest of a schedule share none. */
#include "analysis/collective/overlap_run.h"

#define ANY (1u << 31)                  /* of a trunk's cables, not of a link */

void overlap_close(struct overlap *o)
{
    share_close(&o->share);
    map_release(&o->of);
    route_path_release(&o->path);
    FREE(o->connection, o->hop, o->taken);
}

static int connection_route(struct overlap *o, struct connection *c, struct err *err)
{
    struct route_path *path = &o->path;

    if (route_path(path, o->routing, o->placement->node[c->from], o->placement->node[c->to], err) < 0 ||
        GROW_BY(o->nhop, path->n + 1, "links of messages", err, GROWN(o->hop)) < 0)
        return -1;
    c->hop = o->nhop;
    c->nhop = path->n - 1;
    c->far = o->cable * (double)c->nhop;
    for (size_t k = 1; k < path->n; k++) {
        const size_t trunk = csr_link(o->links->trunks.csr, path->node[k - 1], path->node[k]);
        const size_t link = trunks_first(&o->links->trunks, trunk) +
            (path->cable[k] > 0 ? (size_t)path->cable[k] - 1 : 0);

        o->hop[o->nhop++] = o->links->trunks.first && path->cable[k] <= 0 ? ANY | (uint32_t)trunk : (uint32_t)link;
        c->far += o->links->length ? o->links->length[link] : 0;
        c->slow = fmax(c->slow, 1 / o->share.link[link].capacity);
    }
    c->nshared = c->nhop;
    if (o->injects && c->nhop > 0) {
        const size_t own = o->links->trunks.nlink + (size_t)c->from;

        o->hop[o->nhop++] = (uint32_t)own;
        c->slow = fmax(c->slow, 1 / o->share.link[own].capacity);
        c->nshared++;
    }
    return GROW(&o->room_taken, c->nshared, "links of a message", err, GROWN(o->taken));
}

int overlap_connection(struct run *r, int from, int to, struct err *err)
{
    struct overlap *o = r->o;
    const int next = (int)o->nconnection;
    const int at = map_put(&o->of, (uint64_t)from << 32 | (uint64_t)to, next, err);
    struct connection *c;

    if (at < 0)
        return -1;
    if (at == next) {
        if (GROW_BY(o->nconnection, 1, "pairs of processes", err, GROWN(o->connection)) < 0)
            return -1;
        o->connection[at] = (struct connection){ .from = from, .to = to };
        if (connection_route(o, &o->connection[at], err) < 0)
            return -1;
        o->nconnection++;
    }
    c = &o->connection[at];
    if (c->run != o->runs) {
        c->run = o->runs;
        c->posted = c->come = (struct queue){ NONE, NONE };
        c->waiting = 0;
        c->wanted = r->unasked ? INT32_MAX : 0;
        c->asked = c->count = c->bytes = 0;
    }
    return at;
}

const uint32_t *overlap_links(struct run *r, const struct connection *c, double bytes)
{
    const struct trunks *t = &r->o->links->trunks;
    const uint32_t *hop = r->o->hop + c->hop;

    for (size_t i = 0; t->first && i < c->nshared; i++) {
        const size_t first = hop[i] & ANY ? trunks_first(t, hop[i] & ~ANY) : hop[i];
        const size_t n = hop[i] & ANY ? trunks_cables(t, hop[i] & ~ANY) : 1;
        size_t best = first;

        for (size_t k = first + 1; k < first + n; k++)
            best = r->o->share.link[k].n < r->o->share.link[best].n ? k : best;
        r->o->taken[i] = (uint32_t)best;
        if (i < c->nhop)
            r->c->carried[best] += bytes;
    }
    return t->first ? r->o->taken : hop;
}

/* Whether the connections of part k share no link with those of the parts after it. user: by link, 1 + connection. */
static int part_apart(struct run *r, int k, int *user, struct err *err)
{
    const struct program *part = r->part[k];

    for (int p = 0; p < r->s->n; p++) {
        const int64_t all = part->length(r->s, p), n = part->round ? ROUNDS_RAGGED * part->round(r->s, p) : all;

        for (int64_t i = 0; i < n && i < all; i++) {
            int c;

            r->a.nrun = 0;
            r->a.program = part;
            if (part->action(&r->a, r->s, p, i, err) < 0)
                return -1;
            if (r->a.what != ACTION_SEND)
                continue;
            c = overlap_connection(r, p, r->a.peer, err);
            if (c < 0)
                return -1;
            for (size_t h = 0; h < r->o->connection[c].nshared; h++) {
                int *by = &user[r->o->hop[r->o->connection[c].hop + h]];

                if (*by != 0 && *by != c + 1)
                    return 0;
                *by = c + 1;
            }
        }
    }
    return 1;
}

int overlap_apart(struct run *r, struct err *err)
{
    int *user, ret = 1;

    r->apart = r->nparts;
    /* of the messages of a connection more than one may be under way, and they share its links, too */
    if (r->o->links->trunks.first || r->o->ports > 1 || (r->unasked && !r->blocking))
        return 0;
    if (TAKE("links of a schedule", err, ZEROS(user, r->o->share.nlink + 1)) < 0)
        return -1;
    for (int k = r->nparts - 1; ret > 0 && k >= 0; k--) {
        const struct program *part = r->part[k];
        const int64_t n = part->round ? part->round(r->s, 0) : 0;

        ret = n > 0 && part->length(r->s, 0) / n > 4 * (int64_t)r->s->n + 64 ? 0 : part_apart(r, k, user, err);
        r->apart = ret > 0 ? k : r->apart;
    }
    free(user);
    return ret < 0 ? -1 : 0;
}

static int by_ends(const void *a, const void *b, void *connection)
{
    const struct connection *x = (const struct connection *)connection + *(const size_t *)a,
                            *y = (const struct connection *)connection + *(const size_t *)b;

    return x->from != y->from ? (x->from < y->from ? -1 : 1) : x->to < y->to ? -1 : x->to > y->to;
}

int overlap_carried(struct run *r, struct err *err)
{
    const bool apart = !r->o->links->trunks.first;      /* else they are counted already (overlap_links) */
    size_t *used, n = 0;

    if (TAKE("links", err, ARRAY(used, r->o->nconnection + 1)) < 0)
        return -1;
    for (size_t k = 0; k < r->o->nconnection; k++)
        if (r->o->connection[k].run == r->o->runs)
            used[n++] = k;
    qsort_r(used, n, sizeof *used, by_ends, r->o->connection);
    for (size_t k = 0; k < n; k++) {
        const struct connection *c = &r->o->connection[used[k]];

        for (size_t i = 0; i < c->nhop && apart; i++)
            r->c->carried[r->o->hop[c->hop + i]] += c->bytes;
        r->c->hops += c->count * (double)c->nhop;
    }
    r->x.hops = r->c->hops;
    r->x.waiting = NAN;
    r->x.busiest = 0;
    for (size_t k = 0; k < r->c->ncarried; k++)
        r->x.busiest = fmax(r->x.busiest, r->c->carried[k]);
    free(used);
    return 0;
}
