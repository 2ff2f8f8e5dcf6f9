/* A schedule run without time: every process has, of every piece, the set of processes that contributed to it. */
#include "tests/support/schedule_check.h"

#include <stdlib.h>
#include <string.h>

#include "graph/base/grow.h"
#include "graph/base/mem.h"

#define MOST 64                         /* processes: a bit each */

struct parcel {                         /* a message under way: pieces, and the processes that contributed */
    size_t next;                        /* of its pair, from 1; 0: none */
    size_t first, n;                    /* in `piece` */
};
struct check {
    const struct schedule *s;
    uint64_t *has;                      /* by process and piece */
    int64_t *at;                        /* by process: the action that is next */
    size_t *head, *tail;                /* by pair: parcels, from 1 */
    struct parcel *parcel;
    size_t nparcel, parcel_room;
    int64_t *piece;
    uint64_t *from;                     /* by piece: the processes that have contributed to it */
    size_t npiece, piece_room;
    struct action a;
};

static uint64_t all_of(const struct schedule *s)
{
    return s->n == 64 ? ~0ull : (1ull << s->n) - 1;
}

/* What process p begins with. */
static uint64_t begins(const struct schedule *s, int p, int64_t piece)
{
    const uint64_t own = 1ull << p;

    switch (s->operation) {
    case BROADCAST:
    case SCATTER: return p == s->root ? own : 0;
    case GATHER:
    case ALLGATHER: return piece == p ? own : 0;
    case ALLTOALL: return piece / s->n == p ? own : 0;
    default: return own;
    }
}

/* What it must end with; 0: anything. */
static uint64_t ends(const struct schedule *s, int p, int64_t piece)
{
    switch (s->operation) {
    case BROADCAST: return 1ull << s->root;
    case REDUCE: return p == s->root ? all_of(s) : 0;
    case GATHER: return p == s->root ? 1ull << piece : 0;
    case SCATTER: return piece == p ? 1ull << s->root : 0;
    case ALLGATHER: return 1ull << piece;
    case REDUCE_SCATTER: return piece == p ? all_of(s) : 0;
    case ALLTOALL: return piece % s->n == p ? 1ull << piece / s->n : 0;
    default: return all_of(s);
    }
}

static int wrong(const struct check *c, int p, const char *what, int64_t piece, struct err *err)
{
    return err_set(err, ERR_INTERNAL, "%s by %s, %d processes, root %d, %lld bytes in segments of %lld: action %lld of "
                   "process %d %s (piece %lld)", operation_name[c->s->operation], c->s->algorithm->name, c->s->n,
                   c->s->root, (long long)c->s->bytes, (long long)c->s->segment, (long long)c->at[p], p, what,
                   (long long)piece);
}

static int check_send(struct check *c, int p, int peer, struct err *err)
{
    const struct schedule *s = c->s;
    const size_t pair = (size_t)p * (size_t)s->n + (size_t)peer;
    struct parcel *m;

    if (GROW_BY(c->nparcel, 1, "messages", err, GROWN(c->parcel)) < 0)
        return -1;
    m = &c->parcel[c->nparcel++];
    *m = (struct parcel){ 0, c->npiece, 0 };
    for (size_t r = 0; r < c->a.nrun; r++)
        for (int64_t k = c->a.run[r].first; k < c->a.run[r].first + c->a.run[r].count; k++) {
            if (k < 0 || k >= s->npieces)
                return wrong(c, p, "sends a piece that there is not", k, err);
            if (!c->has[(size_t)p * (size_t)s->npieces + (size_t)k])
                return wrong(c, p, "sends what it does not have", k, err);
            if (GROW(&c->piece_room, c->npiece + 1, "pieces", err, GROWN(c->piece), GROWN(c->from)) < 0)
                return -1;
            c->piece[c->npiece] = k;
            c->from[c->npiece++] = c->has[(size_t)p * (size_t)s->npieces + (size_t)k];
            m->n++;
        }
    if (c->tail[pair])
        c->parcel[c->tail[pair] - 1].next = c->nparcel;
    else
        c->head[pair] = c->nparcel;
    c->tail[pair] = c->nparcel;
    return 0;
}

/* The message at the pair's head is taken. What is announced must be what comes. */
static int check_take(struct check *c, int p, struct err *err)
{
    const struct schedule *s = c->s;
    const size_t pair = (size_t)c->a.peer * (size_t)s->n + (size_t)p;
    const struct parcel *m = &c->parcel[c->head[pair] - 1];
    size_t at = m->first;

    for (size_t r = 0; r < c->a.nrun; r++)
        for (int64_t k = c->a.run[r].first; k < c->a.run[r].first + c->a.run[r].count; k++, at++) {
            uint64_t *has;

            if (at >= m->first + m->n || c->piece[at] != k)
                return wrong(c, p, "takes other pieces than were sent", k, err);
            has = &c->has[(size_t)p * (size_t)s->npieces + (size_t)k];
            if (c->a.what == ACTION_COMBINE && s->operation != BARRIER && (*has & c->from[at]))
                return wrong(c, p, "combines a contribution twice", k, err);
            *has = c->a.what == ACTION_COMBINE ? *has | c->from[at] : c->from[at];
        }
    if (at != m->first + m->n)
        return wrong(c, p, "takes fewer pieces than were sent", -1, err);
    c->head[pair] = m->next;
    if (!m->next)
        c->tail[pair] = 0;
    return 0;
}

/* All that process p can do now; *moved is set where it did something. */
static int check_advance(bool *moved, struct check *c, int p, struct err *err)
{
    const struct schedule *s = c->s;
    bool all;

    for (;;) {
        if (schedule_action(&c->a, s, p, c->at[p], err) < 0)
            return -1;
        if (c->a.what == ACTION_END)
            return c->at[p] == schedule_length(s, p) ? 0 : wrong(c, p, "ends before its length", -1, err);
        all = c->a.what == ACTION_SEND && c->a.peer == EVERYONE && s->algorithm->copies;
        if (!all && (c->a.peer < 0 || c->a.peer >= s->n || c->a.peer == p))
            return wrong(c, p, "has no such peer", c->a.peer, err);
        if (c->a.what == ACTION_SEND) {
            for (int q = all ? 0 : c->a.peer; q < (all ? s->n : c->a.peer + 1); q++)
                if (q != p && check_send(c, p, q, err) < 0)
                    return -1;
        } else if (!c->head[(size_t)c->a.peer * (size_t)s->n + (size_t)p]) {
            return 0;                   /* it waits */
        } else if (check_take(c, p, err) < 0) {
            return -1;
        }
        c->at[p]++;
        *moved = true;
    }
}

static int check_ends(const struct check *c, struct err *err)
{
    const struct schedule *s = c->s;

    for (int p = 0; p < s->n; p++) {
        if (c->at[p] != schedule_length(s, p))
            return wrong(c, p, "waits for ever", -1, err);
        for (int64_t k = 0; k < s->npieces; k++) {
            const uint64_t want = ends(s, p, k);

            if (want && c->has[(size_t)p * (size_t)s->npieces + (size_t)k] != want)
                return wrong(c, p, "has not what it should in the end", k, err);
        }
        for (int q = 0; q < s->n; q++)
            if (c->head[(size_t)p * (size_t)s->n + (size_t)q])
                return wrong(c, p, "sent what no process takes", q, err);
    }
    return 0;
}

int schedule_check(const struct schedule *s, struct err *err)
{
    struct check c = { .s = s };
    const size_t n = (size_t)s->n, pieces = (size_t)s->npieces;
    bool moved = true;
    int ret = -1;

    if (s->n > MOST)
        return err_set(err, ERR_DOMAIN, "schedules of %d processes are not checked; up to %d are", s->n, MOST);
    if (TAKE("the check", err, ARRAY(c.has, n * pieces), ZEROS(c.at, n), ZEROS(c.head, n * n),
             ZEROS(c.tail, n * n)) < 0)
        goto done;
    for (int p = 0; p < s->n; p++)
        for (int64_t k = 0; k < s->npieces; k++)
            c.has[(size_t)p * pieces + (size_t)k] = begins(s, p, k);
    while (moved) {
        moved = false;
        for (int p = 0; p < s->n; p++)
            if (check_advance(&moved, &c, p, err) < 0)
                goto done;
    }
    ret = check_ends(&c, err);
done:
    FREE(c.has, c.at, c.head, c.tail, c.parcel, c.piece, c.from, c.a.run);
    return ret;
}
