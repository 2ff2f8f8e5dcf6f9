/* 1. failures        parts named anew, until they look for links as fragments do
 * 2. recoveries      the privilege, and what its owner does
 * 3. a check         what has changed since, and the run */
#include "model/protocol/adapt.h"

#include <float.h>

struct adapt_process {
    bool fails, told;                   /* next to a failure; knows of one */
    int waits, renamed;                 /* children to say that they are quiet; to say how deep they are */
    int depth;
    size_t over, via;                   /* half-links: recovered, at the privilege; where Replace goes next */
    size_t from;                        /* the privilege came over it */
};
struct adapt {
    struct ghs g;                       /* first: ghs.c works on it */
    struct adapt_process *process;
    uint32_t *now;                      /* by rank of the wiring, which goes by what counts while failures are mended:
                                         * the rank by latencies of now */
    bool *recovered, *waiting;          /* by half-link: it did; something waits behind it */
};

static int say(struct protocol *r, enum adapt_type type, int64_t link, int level, uint32_t value, struct err *err)
{
    return protocol_send(r, (struct message){ (int)type, level, value, (uint32_t)link }, err);
}

static int children(const struct protocol *r, int v)
{
    const struct ghs *g = r->state;
    int count = 0;

    for (size_t h = r->w->first[v]; h < r->w->first[v + 1]; h++)
        count += g->link[h] == GHS_BRANCH && (int64_t)h != g->process[v].in;
    return count;
}

static int spread(struct protocol *r, int v, enum adapt_type type, int64_t but, int level, uint32_t value,
                  struct err *err)
{
    return ghs_spread(r, v, (int)type, but, level, value, err) < 0 ? -1 : 0;
}

/* ---- failures ---- */

static int quiet(struct protocol *r, int v, struct err *err)
{
    const struct adapt *a = r->state;

    return a->g.process[v].in < 0 ? a->g.end(r, v, err) :
        say(r, ADAPT_NOT_FAIL_ACK, a->g.process[v].in, 0, 0, err);
}

static int rename_part(struct protocol *r, int v, int depth, uint32_t fragment, struct err *err)
{
    struct adapt *a = r->state;
    struct ghs_process *g = &a->g.process[v];
    struct adapt_process *p = &a->process[v];

    p->told = true;
    p->depth = depth;
    g->fragment = fragment;
    p->renamed = children(r, v);
    return p->renamed ? spread(r, v, ADAPT_REIDEN, g->in, depth + 1, fragment, err) :
        say(r, ADAPT_REIDEN_ACK, g->in, depth, 0, err);
}

/* Parts are named after their tops, beyond all ranks. */
static int failure(struct protocol *r, int v, struct err *err)
{
    struct adapt *a = r->state;
    const int64_t in = a->g.process[v].in;

    if (a->process[v].told)
        return 0;
    a->process[v].told = true;
    return in < 0 ? rename_part(r, v, 0, (uint32_t)(r->w->m + (size_t)v), err) : say(r, ADAPT_FAILURE, in, 0, 0, err);
}

static int adapt_wake(struct protocol *r, int v, struct err *err)
{
    struct adapt *a = r->state;
    struct ghs_process *g = &a->g.process[v];
    struct adapt_process *p = &a->process[v];
    const size_t least = r->w->first[v];
    const bool alone = g->in < 0 && children(r, v) == 0;

    p->waits = children(r, v);
    if (alone && (!p->fails || least == r->w->first[v + 1]))
        return a->g.end(r, v, err);
    if (!p->fails)
        return spread(r, v, ADAPT_NOT_FAIL, -1, 1, 0, err);
    if (!alone)
        return failure(r, v, err);
    p->told = true;
    g->level = 0;
    a->g.link[least] = GHS_BRANCH;
    return say(r, (enum adapt_type)GHS_CONNECT, (int64_t)least, 0, 0, err);
}

static int on_depth(struct protocol *r, int v, int depth, struct err *err)
{
    struct adapt *a = r->state;
    struct ghs_process *g = &a->g.process[v];
    struct adapt_process *p = &a->process[v];

    p->depth = depth > p->depth ? depth : p->depth;
    if (--p->renamed)
        return 0;
    return g->in >= 0 ? say(r, ADAPT_REIDEN_ACK, g->in, p->depth, 0, err) :
        ghs_find(r, v, ADAPT_FINDMOE, -1, p->depth, g->fragment, GHS_FIND, err);
}

/* ---- recoveries ---- */

/* One of v's own, those to processes of greater number; -1: none. */
static int64_t mine(const struct protocol *r, int v)
{
    const struct adapt *a = r->state;

    for (size_t h = r->w->first[v]; h < r->w->first[v + 1]; h++)
        if (a->recovered[h] && r->w->to[h] > v)
            return (int64_t)h;
    return -1;
}

/* A link behind which something waits, last that over which the privilege came: it goes round all of a part before it
 * goes back. */
static int64_t behind(const struct protocol *r, int v)
{
    const struct adapt *a = r->state;
    const size_t from = a->process[v].from;

    for (size_t h = r->w->first[v]; h < r->w->first[v + 1]; h++)
        if (a->waiting[h] && h != from)
            return (int64_t)h;
    return r->w->first[v] <= from && from < r->w->first[v + 1] && a->waiting[from] ? (int64_t)from : -1;
}

static bool something(const struct protocol *r, int v)
{
    return mine(r, v) >= 0 || behind(r, v) >= 0;
}

/* v has it. */
static int privilege(struct protocol *r, int v, struct err *err)
{
    struct adapt *a = r->state;
    int64_t h = mine(r, v);

    if (h >= 0) {
        a->recovered[h] = false;
        a->process[v].over = (size_t)h;
        return say(r, ADAPT_ID_CHECK, h, 0, 0, err);
    }
    h = behind(r, v);
    if (h < 0)
        return ghs_sleep(r, v, ADAPT_GOSLEEP_REC, -1, v, err);
    a->waiting[h] = false;
    a->g.process[v].in = h;
    return say(r, ADAPT_PRIVILEGE, h, 0, behind(r, v) >= 0, err);
}

static int settled(struct protocol *r, int v, struct err *err)
{
    const struct adapt *a = r->state;
    const int64_t in = a->g.process[v].in;

    return in < 0 ? privilege(r, v, err) : say(r, ADAPT_NOT_REC_ACK, in, 0, something(r, v), err);
}

/* Failures are mended, as v knows now. */
static int recover(struct protocol *r, int v, int64_t from, int root, struct err *err)
{
    struct adapt *a = r->state;
    bool next_to = false;

    if (ghs_sleep(r, v, ADAPT_GOSLEEP_FAL, from, root, err) < 0)
        return -1;
    for (size_t h = r->w->first[v]; h < r->w->first[v + 1]; h++) {
        a->recovered[h] = a->recovered[h] && a->g.link[h] != GHS_BRANCH;
        next_to = next_to || a->recovered[h];
    }
    if (!next_to && spread(r, v, ADAPT_NOT_REC, -1, 1, 0, err) < 0)
        return -1;
    a->process[v].waits = children(r, v);
    return a->process[v].waits ? 0 : settled(r, v, err);
}

static int adapt_end(struct protocol *r, int root, struct err *err)
{
    return recover(r, root, -1, root, err);
}

static uint32_t weight(const struct protocol *r, int64_t half)
{
    return ((const struct adapt *)r->state)->now[r->w->rank[half]];
}

/* The worst link on the way from the other end to here. */
static int on_recovery(struct protocol *r, int v, const struct message *m, struct err *err)
{
    struct adapt *a = r->state;
    const int64_t in = a->g.process[v].in;
    struct adapt_process *p = &a->process[v];

    p->via = m->link;
    if (in >= 0)
        return say(r, ADAPT_RECOVERY, in, 0, weight(r, in) > m->value ? weight(r, in) : m->value, err);
    if (m->value < weight(r, (int64_t)p->over))
        return privilege(r, v, err);
    if (weight(r, m->link) == m->value) {
        a->g.link[m->link] = GHS_REJECTED;
        a->waiting[m->link] = false;
    }
    return say(r, ADAPT_REPLACE, m->link, 0, m->value, err);
}

/* Round the cycle, away from the privilege: level has two bits, whether the worst link is passed, and whether something
 * waits at or behind the sender. */
static int on_replace(struct protocol *r, int v, const struct message *m, struct err *err)
{
    struct adapt *a = r->state;
    struct ghs_process *g = &a->g.process[v];
    const size_t via = a->process[v].via;
    bool cut = m->level & 1;

    if (g->in < 0) {                    /* home, over the link that recovered */
        a->g.link[m->link] = GHS_BRANCH;
        a->waiting[m->link] = m->level & 2;
        return privilege(r, v, err);
    }
    if (cut)
        a->waiting[m->link] = m->level & 2;
    else if (weight(r, m->link) == m->value) {
        a->g.link[m->link] = GHS_REJECTED;
        cut = true;
    }
    if (cut) {
        g->in = (int64_t)via;
        a->waiting[via] = false;
        a->g.link[via] = GHS_BRANCH;            /* where v is the other end it was not */
    } else if (weight(r, (int64_t)via) == m->value) {
        a->g.link[via] = GHS_REJECTED;
        a->waiting[via] = false;
    }
    return say(r, ADAPT_REPLACE, (int64_t)via, cut | (cut && something(r, v)) << 1, m->value, err);
}

/* ---- messages ---- */

static int adapt_on_message(struct protocol *r, int v, const struct message *m, struct err *err)
{
    struct adapt *a = r->state;
    struct ghs_process *g = &a->g.process[v];
    struct adapt_process *p = &a->process[v];

    if (m->type < GHS_TYPES)
        return ghs_on_message(r, v, m, err);
    switch ((enum adapt_type)m->type) {
    case ADAPT_FAILURE: return failure(r, v, err);
    case ADAPT_REIDEN: return rename_part(r, v, m->level, m->value, err);
    case ADAPT_REIDEN_ACK: return on_depth(r, v, m->level, err);
    case ADAPT_FINDMOE: return ghs_find(r, v, ADAPT_FINDMOE, m->link, m->level / 2, m->value, GHS_FIND, err);
    case ADAPT_NOT_FAIL: return m->link == g->in && !p->told && children(r, v) == 0 ? quiet(r, v, err) : 0;
    case ADAPT_NOT_FAIL_ACK: return p->told || --p->waits ? 0 : quiet(r, v, err);
    case ADAPT_GOSLEEP_FAL: return recover(r, v, m->link, (int)m->value, err);
    case ADAPT_NOT_REC: return 0;
    case ADAPT_NOT_REC_ACK:
        a->waiting[m->link] = m->value;
        return --p->waits ? 0 : settled(r, v, err);
    case ADAPT_PRIVILEGE:
        g->in = -1;
        p->from = m->link;
        a->waiting[m->link] = m->value;
        return privilege(r, v, err);
    case ADAPT_ID_CHECK:
        a->recovered[m->link] = false;
        p->via = m->link;
        return say(r, ADAPT_RECOVERY, g->in, 0, weight(r, g->in), err);
    case ADAPT_RECOVERY: return on_recovery(r, v, m, err);
    case ADAPT_REPLACE: return on_replace(r, v, m, err);
    case ADAPT_GOSLEEP_REC: return ghs_sleep(r, v, ADAPT_GOSLEEP_REC, m->link, (int)m->value, err);
    case ADAPT_TYPES: break;
    }
    return err_set(err, ERR_INTERNAL, "process %d has no message of type %d", v, m->type);
}

static const char *const types[] = { "Connect", "Initiate", "Test", "Accept", "Reject", "Report", "Change-core",
                                     "Gosleep", "Failure", "Reiden", "Reiden-ack", "Findmoe", "Id-check", "Recovery",
                                     "Privilege", "Replace", "Not-fail", "Not-fail-ack", "Gosleep-fal", "Not-rec",
                                     "Not-rec-ack", "Gosleep-rec" };
const struct machine adapt_machine = {
    .type = types, .ntype = ADAPT_TYPES, .wake = adapt_wake, .on_message = adapt_on_message
};

/* ---- a check ---- */

static int spanning_run(const struct wiring *w, const struct machine *machine, void *state,
                        const struct protocol_how *how, struct err *err)
{
    struct protocol r;
    int ret;

    if (protocol_open(&r, w, machine, state, how->seed, err) < 0)
        return -1;
    r.watch = how->watch;
    ret = protocol_run(&r, how->tick, err);
    for (int k = 0; ret == 0 && k < machine->ntype; k++)
        how->cost->count[k] += r.count[k];
    how->cost->time += r.now;
    if (ret == 0 && r.kept)
        ret = err_set(err, ERR_INTERNAL, "%zu messages of processes wait for ever", r.kept);
    protocol_release(&r);
    return ret;
}

int spanning_build(struct spanning *out, int n, const struct wire *wire, size_t m, const struct protocol_how *how,
                   struct err *err)
{
    struct spanning s = { .g = { .levels = 0 } };

    if (wiring_open(&s.w, n, wire, m, err) < 0 || ghs_open(&s.g, &s.w, err) < 0 ||
        spanning_run(&s.w, &ghs_machine, &s.g, how, err) < 0) {
        spanning_release(&s);
        return -1;
    }
    *out = s;
    return 0;
}

void spanning_release(struct spanning *s)
{
    ghs_release(&s->g);
    wiring_release(&s->w);
}

/* The links as failures are mended over them: what recovered counts as before, what comes back after all others. */
static int wiring_before(struct wiring *out, const struct wiring *now, const struct spanning *s, const int64_t *old,
                         struct err *err)
{
    struct wire *wire;
    int ret;

    if (TAKE("the links", err, ARRAY(wire, now->m + 1)) < 0)
        return -1;
    for (size_t h = 0; h < 2 * now->m; h++) {
        const bool better = old[h] >= 0 && !spanning_has(s, (size_t)old[h]) && now->order[h] < s->w.order[old[h]];

        wire[now->rank[h]] = (struct wire){ now->from[h], now->to[h], now->latency[h],
            old[h] < 0 ? DBL_MAX : better ? s->w.order[old[h]] : fmax(now->order[h], DBL_MIN),
            now->bandwidth[h] };
    }
    ret = wiring_open(out, now->n, wire, now->m, err);
    free(wire);
    return ret;
}

/* What each process knows of its links. old: by half-link of w, that of s; new: the other way round. */
static void adapt_begin(struct adapt *a, const struct wiring *w, const struct spanning *s, const int64_t *old,
                        const int64_t *new, const int64_t *same, const struct wiring *now, struct protocol_cost *cost)
{
    size_t failed = 0, recovered = 0;

    for (int v = 0; v < w->n; v++)
        a->g.process[v] = (struct ghs_process){ .level = -1, .root = s->g.process[v].root, .in = -1, .best = -1,
                                                .test = -1, .weight = UINT32_MAX, .next = w->first[v] };
    for (size_t h = 0; h < 2 * w->m; h++) {
        const double is = now->order[same[h]];
        const bool tree = old[h] >= 0 && spanning_has(s, (size_t)old[h]);

        a->now[w->rank[h]] = now->rank[same[h]];
        if (tree && is <= s->w.order[old[h]])
            a->g.link[h] = GHS_BRANCH;
        a->recovered[h] = old[h] < 0 || (!tree && is < s->w.order[old[h]]);
        recovered += a->recovered[h];
        a->process[w->from[h]].fails |= old[h] < 0;
    }
    for (size_t h = 0; h < 2 * s->w.m; h++) {
        const int v = s->w.from[h];

        if (!spanning_has(s, h))
            continue;
        if (new[h] < 0 || a->g.link[new[h]] != GHS_BRANCH) {
            a->process[v].fails = true;
            failed++;
        } else if (s->g.process[v].in == (int64_t)h) {
            a->g.process[v].in = new[h];
        }
    }
    cost->failed += failed / 2;
    cost->recovered += recovered / 2;
}

static int adapt_run(struct spanning *s, const struct wiring *now, struct adapt *a, struct wiring *w, int64_t *at[3],
                     const struct protocol_how *how, struct err *err)
{
    if (TAKE("the links", err, ARRAY(at[0], 2 * now->m + 1), ARRAY(at[1], 2 * s->w.m + 1),
             ARRAY(at[2], 2 * now->m + 1)) < 0 || wiring_match(at[0], now, &s->w, err) < 0 ||
        wiring_before(w, now, s, at[0], err) < 0 || wiring_match(at[0], w, &s->w, err) < 0 ||
        wiring_match(at[1], &s->w, w, err) < 0 || wiring_match(at[2], w, now, err) < 0 ||
        ghs_open(&a->g, w, err) < 0 || TAKE("the processes", err, ZEROS(a->process, w->n), ARRAY(a->now, w->m + 1),
                                            ZEROS(a->recovered, 2 * w->m + 1), ZEROS(a->waiting, 2 * w->m + 1)) < 0)
        return -1;
    a->g.end = adapt_end;
    adapt_begin(a, w, s, at[0], at[1], at[2], now, how->cost);
    if (spanning_run(w, &adapt_machine, a, how, err) < 0)
        return -1;
    for (size_t h = 0; h < 2 * w->m; h++)
        w->order[h] = now->order[at[2][h]];
    return 0;
}

int spanning_adapt(struct spanning *s, const struct wire *wire, size_t m, const struct protocol_how *how,
                   struct err *err)
{
    struct wiring now = { 0 }, w = { 0 };
    struct adapt a = { .g = { .levels = 0 } };
    int64_t *at[3] = { NULL, NULL, NULL };
    const int ret = wiring_open(&now, s->w.n, wire, m, err) < 0 ||
        adapt_run(s, &now, &a, &w, at, how, err) < 0 ? -1 : 0;

    if (ret == 0) {
        spanning_release(s);
        *s = (struct spanning){ w, a.g };
    } else {
        ghs_release(&a.g);
        wiring_release(&w);
    }
    wiring_release(&now);
    FREE(at[0], at[1], at[2], a.process, a.now, a.recovered, a.waiting);
    return ret;
}
