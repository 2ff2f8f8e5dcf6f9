/* Max-min fair rates, where they change (share.h).
 * 1. flows      begin and end; a flow alone on its links has its rate at once
 * 2. the part   what is found anew: flows that began, and those that a link bound which others have left
 * 3. filling    the link that has least for each of its open flows gives all of them that, and so on; links wait in a
 *               heap by what they had when they were put there, which can only have become more
 * 4. beyond     flows outside that now have too much on a link, or that their bottleneck binds no more, join the part */
#include "analysis/collective/share.h"
#include "graph/base/heap.h"

#define EPS 1e-11                       /* rates that differ by less are the same */
#define LAG (1. / 64)
#define NOWHERE SIZE_MAX
enum { OUTSIDE, FILLED, OPEN };         /* of a flow: not in the part; in it, with a rate, and without */

#define ENDS_BEFORE(s, a, b) ((void)(s), (a).end < (b).end || ((a).end == (b).end && (a).flow < (b).flow))
#define ENDS_PLACE(s, x, i) ((s)->flow[(x).flow].place = (uint32_t)(i))
HEAP(ends, struct share *, struct share_last, ENDS_BEFORE, ENDS_PLACE)
#define LEVEL_BEFORE(s, a, b)                                                                                       \
    ((void)(s), (a).share < (b).share || ((a).share == (b).share && (a).link < (b).link))
HEAP(levels, struct share *, struct share_level, LEVEL_BEFORE, HEAP_NOWHERE)

/* ---- flows ---- */

int share_open(struct share *s, size_t nlink, struct err *err)
{
    *s = (struct share){ .nlink = nlink, .due = INFINITY };
    return TAKE("shared links", err, ZEROS(s->link, nlink + 1), ARRAY(s->met, nlink + 1), ARRAY(s->bound, nlink + 1));
}

void share_close(struct share *s)
{
    for (size_t k = 0; s->link && k < s->nlink; k++)
        free(s->link[k].entry);
    for (size_t k = 0; k < s->nflow; k++)
        free(s->flow[k].hop);
    FREE(s->link, s->flow, s->state, s->first, s->begun, s->bound, s->part, s->met, s->level);
    *s = (struct share){ 0 };
}

void share_clear(struct share *s)
{
    for (size_t k = 0; k < s->nlink; k++)
        s->link[k].n = s->link[k].in = 0;
    for (size_t k = 0; k < s->nflow; k++) {
        s->flow[k].live = false;
        s->state[k] = OUTSIDE;
    }
    s->live = s->nfirst = s->nbegun = s->nbound = s->npart = s->nmet = 0;
    s->due = INFINITY;
}

static int share_room(struct share *s, size_t flow, size_t nhop, struct err *err)
{
    if (flow >= s->nflow) {
        if (GROW(&s->room_flow, flow + 1, "messages under way", err, GROWN(s->flow), GROWN(s->state), GROWN(s->first),
                 GROWN(s->begun), GROWN(s->part)) < 0)
            return -1;
        for (; s->nflow <= flow; s->nflow++) {
            s->flow[s->nflow] = (struct share_flow){ 0 };
            s->state[s->nflow] = OUTSIDE;
        }
    }
    return GROW(&s->flow[flow].room, nhop, "links of a message", err, GROWN(s->flow[flow].hop));
}

/* Rates are to be found, at the latest a part of `life` from now. */
static void share_wake(struct share *s, double now, double life)
{
    s->due = fmin(s->due, now + fmax(life * (s->live > SHARE_MANY ? LAG : 1e-13), 1e-15 * now));
}

/* It has its rate since now. */
static double flow_end(struct share_flow *f)
{
    f->end = f->rate > 0 ? f->since + f->left / f->rate : INFINITY;
    return f->end;
}

int share_begin(struct share *s, size_t flow, const uint32_t *link, size_t nlink, double bytes, double now,
                struct err *err)
{
    struct share_flow *f;
    double least = INFINITY, most = 0;
    bool alone = true;

    if (share_room(s, flow, nlink, err) < 0)
        return -1;
    f = &s->flow[flow];
    f->nhop = nlink;
    for (size_t k = 0; k < nlink; k++) {
        struct share_link *l = &s->link[link[k]];

        if (GROW(&l->room, l->n + 1, "messages on a link", err, GROWN(l->entry)) < 0)
            return -1;
        f->hop[k] = (struct share_hop){ link[k], (uint32_t)l->n };
        l->entry[l->n++] = (struct share_entry){ (uint32_t)flow, (uint32_t)k };
        alone = alone && l->n == 1;
        most = (double)l->n > most * l->capacity ? (double)l->n / l->capacity : most;
        f->neck = l->capacity < least ? link[k] : f->neck;
        least = l->capacity < least ? l->capacity : least;
    }
    f->left = bytes;
    f->begun = f->since = now;
    f->rate = alone ? least : 0;
    f->live = true;
    s->live++;
    if (!alone) {
        s->begun[s->nbegun++] = (uint32_t)flow;
        share_wake(s, now, bytes * most);
    }
    ends_push(s, s->first, &s->nfirst, (struct share_last){ flow_end(f), (uint32_t)flow });
    return 0;
}

size_t share_first(const struct share *s)
{
    return s->nfirst && isfinite(s->first[0].end) ? s->first[0].flow : NOWHERE;
}

void share_end(struct share *s, size_t flow)
{
    struct share_flow *f = &s->flow[flow];
    const size_t place = f->place;
    struct share_last moved;
    bool bound = false;

    for (size_t k = 0; k < f->nhop; k++) {
        struct share_link *l = &s->link[f->hop[k].link];
        const struct share_entry last = l->entry[--l->n];

        l->entry[f->hop[k].at] = last;
        s->flow[last.flow].hop[last.hop].at = f->hop[k].at;
        if (l->n && !l->in) {
            l->in = true;
            s->bound[s->nbound++] = f->hop[k].link;
        }
        bound = bound || l->n;
    }
    f->live = false;
    s->live--;
    moved = s->first[--s->nfirst];
    if (place < s->nfirst) {
        s->first[place] = moved;
        ends_sink(s, s->first, s->nfirst, place);
        ends_rise(s, s->first, s->flow[moved.flow].place);
    }
    if (bound)
        share_wake(s, f->end, f->end - f->begun);
}

void share_shift(struct share *s, double by)
{
    s->due += by;
    for (size_t k = 0; k < s->nfirst; k++) {
        struct share_flow *f = &s->flow[s->first[k].flow];

        s->first[k].end += by;
        f->begun += by;
        f->since += by;
        f->end += by;
    }
}

/* ---- the part ---- */

static void part_add(struct share *s, uint32_t flow, double now)
{
    struct share_flow *f = &s->flow[flow];

    if (s->state[flow] != OUTSIDE)
        return;
    s->state[flow] = FILLED;
    f->left = fmax(0, f->left - f->rate * (now - f->since));
    f->since = now;
    s->part[s->npart++] = flow;
}

static void part_begin(struct share *s, double now)
{
    size_t many = 0;

    s->npart = 0;
    for (size_t i = 0; i < s->nbegun; i++)
        if (s->flow[s->begun[i]].live)
            part_add(s, s->begun[i], now);
    for (size_t i = 0; i < s->nbound; i++)
        many += s->link[s->bound[i]].n;
    for (size_t k = 0; many > s->nfirst && k < s->nfirst; k++)       /* the shorter way to the same flows */
        if (s->link[s->flow[s->first[k].flow].neck].in)
            part_add(s, s->first[k].flow, now);
    for (size_t i = 0; i < s->nbound; i++) {
        struct share_link *l = &s->link[s->bound[i]];

        l->in = false;
        for (size_t k = 0; many <= s->nfirst && k < l->n; k++)
            if (s->flow[l->entry[k].flow].neck == s->bound[i])
                part_add(s, l->entry[k].flow, now);
    }
    s->nbegun = s->nbound = 0;
}

/* ---- filling ---- */

static void fill_meet(struct share *s, uint32_t link, size_t open)
{
    struct share_link *l = &s->link[link];

    if (!l->in) {
        l->in = true;
        l->left = l->capacity;
        l->open = 0;
        s->met[s->nmet++] = link;
    }
    l->open += open;
}

/* What flows outside leave of the links of the part. */
static int fill_open(struct share *s, struct err *err)
{
    const bool whole = s->npart == s->nfirst;

    s->nmet = s->nlevel = 0;
    for (size_t i = 0; i < s->npart; i++) {
        const struct share_flow *f = &s->flow[s->part[i]];

        s->state[s->part[i]] = OPEN;
        for (size_t k = 0; !whole && k < f->nhop; k++)
            fill_meet(s, f->hop[k].link, 1);
    }
    for (size_t k = 0; whole && k < s->nlink; k++)
        if (s->link[k].n)
            fill_meet(s, (uint32_t)k, s->link[k].n);
    if (GROW(&s->room_level, s->nmet, "links of a part", err, GROWN(s->level)) < 0)
        return -1;
    for (size_t i = 0; i < s->nmet; i++) {
        struct share_link *l = &s->link[s->met[i]];

        for (size_t k = 0; l->open < l->n && k < l->n; k++) {
            const uint32_t flow = l->entry[k].flow;

            l->left -= s->state[flow] != OUTSIDE ? 0 : s->flow[flow].rate;
        }
        l->left = fmax(l->left, 0);
        levels_push(s, s->level, &s->nlevel, (struct share_level){ l->left / (double)l->open, s->met[i] });
    }
    return 0;
}

static void fill(struct share *s)
{
    while (s->nlevel) {
        const struct share_level top = levels_pop(s, s->level, &s->nlevel);
        struct share_link *l = &s->link[top.link];
        double share;

        if (!l->open)
            continue;
        share = fmax(0, l->left / (double)l->open);
        if (share > top.share * (1 + EPS)) {
            levels_push(s, s->level, &s->nlevel, (struct share_level){ share, top.link });
            continue;
        }
        for (size_t k = 0; k < l->n; k++) {
            const uint32_t flow = l->entry[k].flow;
            struct share_flow *f = &s->flow[flow];

            if (s->state[flow] != OPEN)
                continue;
            s->state[flow] = FILLED;
            f->neck = top.link;
            f->rate = share;
            for (size_t h = 0; h < f->nhop; h++) {
                s->link[f->hop[h].link].left -= share;
                s->link[f->hop[h].link].open--;
            }
        }
    }
}

/* ---- beyond ---- */

/* The flows outside that have no bottleneck any more, or take from a flow of the part what it should have. */
static bool beyond(struct share *s, double now)
{
    const size_t before = s->npart;

    for (size_t i = 0; i < s->nmet; i++)
        s->link[s->met[i]].in = false;
    for (size_t i = 0; before < s->nfirst && i < s->nmet; i++) {
        const uint32_t at = s->met[i];
        struct share_link *l = &s->link[at];
        double most = 0, least = INFINITY;
        size_t inside = 0;

        for (size_t k = 0; k < l->n; k++) {
            struct share_flow *f = &s->flow[l->entry[k].flow];

            if (s->state[l->entry[k].flow] == OUTSIDE)
                continue;
            inside++;
            most = f->rate > most ? f->rate : most;
            least = f->neck == at && f->rate < least ? f->rate : least;
        }
        for (size_t k = 0; inside < l->n && k < l->n; k++) {
            const struct share_flow *f = &s->flow[l->entry[k].flow];

            if (s->state[l->entry[k].flow] == OUTSIDE &&
                (f->rate > least * (1 + 1e-9) ||
                 (f->neck == at && (l->left > 1e-9 * l->capacity || most > f->rate * (1 + 1e-9)))))
                part_add(s, l->entry[k].flow, now);
        }
    }
    return s->npart > before;
}

int share_find(struct share *s, double now, struct err *err)
{
    bool many;

    part_begin(s, now);
    s->due = INFINITY;
    do {
        if (fill_open(s, err) < 0)
            return -1;
        fill(s);
    } while (beyond(s, now));
    many = s->npart > s->nfirst / 8;
    for (size_t i = 0; i < s->npart; i++) {
        struct share_flow *f = &s->flow[s->part[i]];

        s->state[s->part[i]] = OUTSIDE;
        s->first[f->place].end = flow_end(f);
        if (!many) {
            ends_sink(s, s->first, s->nfirst, f->place);
            ends_rise(s, s->first, f->place);
        }
    }
    for (size_t i = s->nfirst / 2; many && i-- > 0;)
        ends_sink(s, s->first, s->nfirst, i);
    return 0;
}
