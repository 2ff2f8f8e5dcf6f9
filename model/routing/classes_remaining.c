/* By hops still to go: a message waits in a buffer of the class that counts the nodes between this one and its target,
 * and is consumed on arrival. A mark is the number of links still to cross, known for every route beforehand: a length
 * for each pair (where network and routing are translation-invariant, for each difference of two nodes), or for each
 * way of a pair, computed once over all routes, as the longest is. */
#include "model/routing/classes.h"
#include "model/routing/routes.h"
#include "texts/classes.h"

struct remaining {
    const struct group *group;      /* by difference; else NULL */
    size_t *first;                  /* with ways: by pair, where its lengths begin; else NULL */
    int *links;                     /* by pair, or by pair and way; 0: not known yet */
    size_t n, room;                 /* with ways */
    int longest;
};

static void remaining_close(void *state)
{
    struct remaining *q = state;

    FREE(q->first, q->links);
}

static size_t remaining_pair(const struct remaining *q, const struct net *net, int source, int target)
{
    return q->group ? (size_t)group_add(q->group, source, group_negative(q->group, target)) :
        (size_t)target * (size_t)net->n + (size_t)source;
}

/* The lengths of all routes to a target; `left`, by state, has room for all of them. */
static int remaining_target(struct remaining *q, const struct routes *s, int *left, const struct net *net, int target,
                            struct err *err)
{
    int before = -1;                /* the pair of the last ways */

    for (size_t i = 0; i < s->n; i++) {             /* -1: more than one length */
        const int source = s->from[i];
        size_t at = remaining_pair(q, net, source, target);
        char name[2][NET_LABEL];

        left[i] = 1;
        for (size_t e = s->first[i]; e < s->first[i + 1]; e++) {
            const int on = left[s->next[e]] < 0 ? -1 : left[s->next[e]] + 1;

            left[i] = e == s->first[i] || on == left[i] ? on : -1;
        }
        if (!s->begins[i])
            continue;
        if (q->first) {
            if (GROW(&q->room, q->n + 1, "lengths of routes", err, GROWN(q->links)) < 0)
                return -1;
            if (source != before)
                q->first[at] = q->n;
            before = source;
            at = q->n++;
            q->links[at] = 0;
        }
        if (left[i] < 0 || (q->links[at] && q->links[at] != left[i]))
            return err_set(err, ERR_DOMAIN, "scheme 'remaining' counts the nodes that a message has still to pass, and "
                           "from %s to %s of %.200s routes of different lengths are possible; take 'hops' or "
                           "'inversions'", net_label(net, source, name[0]), net_label(net, target, name[1]), net->spec);
        q->links[at] = left[i];
        q->longest = left[i] > q->longest ? left[i] : q->longest;
    }
    return 0;
}

static int remaining_open(struct classes *c, const struct spec *, struct follow *f, struct routing *r, size_t nrouting,
                          struct err *err)
{
    struct remaining *q = c->state;
    const size_t n = (size_t)f->net->n;
    struct routes s = { 0 };
    size_t room = 0;
    int *left = NULL, ret = -1;

    q->group = f->net->group;
    for (size_t i = 0; i < nrouting; i++) {
        if (r[i].route->ways && nrouting > 1)
            return err_set(err, ERR_DOMAIN, "scheme 'remaining' counts the nodes that a message has still to pass, "
                           "which with '%s' beside another routing are not known; take 'hops' or 'inversions'",
                           r[i].spec);
        if (r[i].route->ways || !r[i].invariant)
            q->group = NULL;
    }
    if (TAKE("lengths of routes", err, ZEROS_IF(r->route->ways, q->first, n * n),
             ZEROS_IF(!r->route->ways, q->links, q->group ? n : n * n)) < 0)
        return -1;
    for (size_t i = 0; i < nrouting; i++)
        for (int t = 0; t < (q->group ? 1 : f->nend); t++) {
            routes_clear(&s);
            if (routes_add(&s, f, &r[i], follow_end(f, t), err) < 0 ||
                GROW(&room, s.n, "lengths of routes", err, GROWN(left)) < 0 ||
                remaining_target(q, &s, left, f->net, follow_end(f, t), err) < 0)
                goto done;
        }
    c->most = q->longest > 0 ? q->longest : 1;
    c->marks = q->longest + 1;
    c->free = true;
    ret = 0;
done:
    routes_release(&s);
    free(left);
    return ret;
}

static int remaining_begin(const struct classes *c, const struct classes_way *at, int mark)
{
    const struct remaining *q = c->state;
    const size_t pair = remaining_pair(q, c->follow->net, at->source, at->target);

    return at->leg ? mark : q->links[q->first ? q->first[pair] + at->way : pair];
}

static int remaining_cross(const struct classes *, int mark, int, int)
{
    return mark - 1;
}

static int remaining_buffer(const struct classes *c, int mark, int link)
{
    return remaining_cross(c, mark, -1, link);
}

static void remaining_say(const struct classes *, int class, char out[80])
{
    snprintf(out, 80, "%d node%s still to pass", class, class == 1 ? "" : "s");
}

const struct classes_kind classes_remaining = {
    CLASSES_REMAINING_ENTRY,
    .buffers = true,
    .rank = 7,
    .state = sizeof(struct remaining),
    .open = remaining_open,
    .close = remaining_close,
    .begin = remaining_begin,
    .cross = remaining_cross,
    .buffer = remaining_buffer,
    .say = remaining_say
};
