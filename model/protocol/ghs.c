#include "model/protocol/ghs.h"

#define NOTHING UINT32_MAX

static int say(struct protocol *r, enum ghs_type type, int64_t link, int level, uint32_t value, struct err *err)
{
    return protocol_send(r, (struct message){ (int)type, level, value, (uint32_t)link }, err);
}

/* Initiate tells a state too: in the level's least bit. */
static int initiate(struct protocol *r, int64_t link, int level, uint32_t fragment, enum ghs_state state,
                    struct err *err)
{
    return say(r, GHS_INITIATE, link, 2 * level + (state == GHS_FIND), fragment, err);
}

int ghs_spread(struct protocol *r, int v, int type, int64_t but, int level, uint32_t value, struct err *err)
{
    const struct ghs *g = r->state;
    int count = 0;

    for (size_t h = r->w->first[v]; h < r->w->first[v + 1]; h++)
        if (g->link[h] == GHS_BRANCH && (int64_t)h != but) {
            if (say(r, (enum ghs_type)type, (int64_t)h, level, value, err) < 0)
                return -1;
            count++;
        }
    return count;
}

/* A Connect that came over that link may have waited for ours. */
static int change_core(struct protocol *r, struct ghs_process *p, struct err *err)
{
    struct ghs *g = r->state;

    if (g->link[p->best] == GHS_BRANCH)
        return say(r, GHS_CHANGE_CORE, p->best, 0, 0, err);
    g->link[p->best] = GHS_BRANCH;
    return say(r, GHS_CONNECT, p->best, p->level, 0, err) < 0 ? -1 : HANDLED_CHANGED;
}

/* Towards the core; a process that has none there decides itself. */
static int report(struct protocol *r, int v, struct err *err)
{
    struct ghs *g = r->state;
    struct ghs_process *p = &g->process[v];

    if (p->count > 0 || p->test >= 0)
        return 0;
    p->state = GHS_FOUND;
    if (p->in >= 0)
        return say(r, GHS_REPORT, p->in, 0, p->weight, err);
    return p->weight == NOTHING ? g->end(r, v, err) : change_core(r, p, err) < 0 ? -1 : 0;
}

/* Asks over the least half-link that is still basic. */
static int test(struct protocol *r, int v, struct err *err)
{
    struct ghs *g = r->state;
    struct ghs_process *p = &g->process[v];

    while (p->next < r->w->first[v + 1] && g->link[p->next] != GHS_BASIC)
        p->next++;
    p->test = p->next < r->w->first[v + 1] ? (int64_t)p->next : -1;
    return p->test < 0 ? report(r, v, err) : say(r, GHS_TEST, p->test, p->level, p->fragment, err);
}

static int ghs_wake(struct protocol *r, int v, struct err *err)
{
    struct ghs *g = r->state;
    struct ghs_process *p = &g->process[v];
    const size_t least = r->w->first[v];

    *p = (struct ghs_process){ .root = -1, .state = GHS_FOUND, .fragment = NOTHING, .in = -1, .best = -1, .test = -1,
                               .weight = NOTHING, .next = least };
    if (least == r->w->first[v + 1]) {          /* alone */
        p->root = v;
        return 0;
    }
    g->link[least] = GHS_BRANCH;
    return say(r, GHS_CONNECT, (int64_t)least, 0, 0, err);
}

/* ---- messages ---- */

static int on_connect(struct protocol *r, int v, const struct message *m, struct err *err)
{
    struct ghs *g = r->state;
    struct ghs_process *p = &g->process[v];

    if (m->level < p->level) {
        g->link[m->link] = GHS_BRANCH;
        p->count += p->state == GHS_FIND;
        return initiate(r, m->link, p->level, p->fragment, p->state, err);
    }
    return g->link[m->link] == GHS_BASIC ? NOT_YET :
        initiate(r, m->link, p->level + 1, r->w->rank[m->link], GHS_FIND, err);
}

int ghs_find(struct protocol *r, int v, int type, int64_t from, int level, uint32_t fragment, enum ghs_state state,
             struct err *err)
{
    struct ghs *g = r->state;
    struct ghs_process *p = &g->process[v];
    int told;

    p->level = level;
    p->fragment = fragment;
    p->state = state;
    p->in = from;
    p->best = -1;
    p->weight = NOTHING;
    g->levels = level > g->levels ? level : g->levels;
    told = ghs_spread(r, v, type, from, 2 * level + (state == GHS_FIND), fragment, err);
    if (told < 0)
        return -1;
    p->count += state == GHS_FIND ? told : 0;
    return state == GHS_FIND && test(r, v, err) < 0 ? -1 : HANDLED_CHANGED;
}

static int on_test(struct protocol *r, int v, const struct message *m, struct err *err)
{
    struct ghs *g = r->state;
    struct ghs_process *p = &g->process[v];

    if (m->level > p->level)
        return NOT_YET;
    if (m->value != p->fragment || p->fragment == NOTHING)
        return say(r, GHS_ACCEPT, m->link, 0, 0, err);
    if (g->link[m->link] == GHS_BASIC)
        g->link[m->link] = GHS_REJECTED;
    return p->test == m->link ? test(r, v, err) : say(r, GHS_REJECT, m->link, 0, 0, err);
}

/* Both ends of the core know the best of their sides. */
static int on_core(struct protocol *r, int v, uint32_t weight, struct err *err)
{
    struct ghs *g = r->state;
    struct ghs_process *p = &g->process[v];

    if (p->state == GHS_FIND)
        return NOT_YET;
    if (weight > p->weight)
        return change_core(r, p, err);
    return weight == NOTHING && p->weight == NOTHING && v < r->w->to[p->in] ? g->end(r, v, err) : 0;
}

int ghs_sleep(struct protocol *r, int v, int type, int64_t from, int root, struct err *err)
{
    struct ghs *g = r->state;

    g->process[v].root = root;
    g->process[v].in = from;
    return ghs_spread(r, v, type, from, 0, (uint32_t)root, err) < 0 ? -1 : 0;
}

static int ghs_end(struct protocol *r, int root, struct err *err)
{
    return ghs_sleep(r, root, GHS_GOSLEEP, -1, root, err);
}

/* Something became quiet: a report over the core may have waited for that. */
static int changed(int ret, bool was, const struct ghs_process *p)
{
    return ret < 0 ? -1 : was && p->state != GHS_FIND ? HANDLED_CHANGED : HANDLED;
}

int ghs_on_message(struct protocol *r, int v, const struct message *m, struct err *err)
{
    struct ghs *g = r->state;
    struct ghs_process *p = &g->process[v];
    const bool finds = p->state == GHS_FIND;

    switch ((enum ghs_type)m->type) {
    case GHS_CONNECT: return on_connect(r, v, m, err);
    case GHS_INITIATE:
        return ghs_find(r, v, GHS_INITIATE, m->link, m->level / 2, m->value, m->level % 2 ? GHS_FIND : GHS_FOUND, err);
    case GHS_TEST: {
        const int ret = on_test(r, v, m, err);

        return ret == NOT_YET ? NOT_YET : changed(ret, finds, p);
    }
    case GHS_ACCEPT:
        p->test = -1;
        if (r->w->rank[m->link] < p->weight) {
            p->weight = r->w->rank[m->link];
            p->best = m->link;
        }
        return changed(report(r, v, err), finds, p);
    case GHS_REJECT:
        if (g->link[m->link] == GHS_BASIC)
            g->link[m->link] = GHS_REJECTED;
        return changed(test(r, v, err), finds, p);
    case GHS_REPORT:
        if (m->link == p->in)
            return on_core(r, v, m->value, err);
        p->count--;
        if (m->value < p->weight) {
            p->weight = m->value;
            p->best = m->link;
        }
        return changed(report(r, v, err), finds, p);
    case GHS_CHANGE_CORE: return change_core(r, p, err);
    case GHS_GOSLEEP: return ghs_sleep(r, v, GHS_GOSLEEP, m->link, (int)m->value, err);
    case GHS_TYPES: break;
    }
    return err_set(err, ERR_INTERNAL, "process %d has no message of type %d", v, m->type);
}

static const char *const types[] = { "Connect", "Initiate", "Test", "Accept", "Reject", "Report", "Change-core",
                                     "Gosleep" };
const struct machine ghs_machine = {
    .type = types, .ntype = GHS_TYPES, .wake = ghs_wake, .on_message = ghs_on_message
};

int ghs_open(struct ghs *out, const struct wiring *w, struct err *err)
{
    struct ghs g = { .end = ghs_end };

    if (TAKE("the processes", err, ZEROS(g.process, w->n), ZEROS(g.link, 2 * w->m + 1)) < 0)
        return -1;
    *out = g;
    return 0;
}

void ghs_release(struct ghs *g)
{
    FREE(g->process, g->link);
    *g = (struct ghs){ 0 };
}
