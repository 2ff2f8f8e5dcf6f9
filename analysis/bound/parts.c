/* A pair's messages are spread over the links, once to count the links they cross, once to keep what crosses them. */
#include "analysis/bound/parts.h"

#include <stdlib.h>
#include <string.h>

#include "graph/base/grow.h"
#include "graph/base/mem.h"

static void parts_put(struct parts *w, int state, double mass)
{
    const size_t link = (size_t)w->state_link[state],
                 at = w->folded ? link * (size_t)w->n + (size_t)w->f->state_node[state] : link;

    if (w->on[at] == 0)
        w->touched[w->ntouched++] = at;
    w->on[at] += mass;
}

static void parts_flow_on(struct parts *w)
{
    double mass;

    for (int state; flows_spread_next(&w->spread, &state, &mass);)
        parts_put(w, state, mass);
}

static int parts_end_of(const struct parts *w, int state)
{
    const struct flows *f = w->f;
    int to;

    while (f->edge_first[state] < f->edge_first[state + 1])
        state = f->edge_child[f->edge_first[state]];
    to = f->link_to[w->state_link[state]];
    return net_terminal_index(w->net, w->folded ? group_add(w->net->group, f->state_node[state], to) : to);
}

struct pair parts_pair(const struct parts *w, size_t injection)
{
    const struct flows *f = w->f;
    struct pair p = { .from = injection, .to = injection,
                      .source = w->folded ? f->injection_node[injection] : f->injection_source[injection],
                      .target = parts_end_of(w, f->injection_state[injection]) };

    for (; p.to < f->ninjection && f->injection_pair[p.to] == f->injection_pair[injection]; p.to++)
        p.all += f->injection_share[p.to];
    return p;
}

/* Seen from where the link begins, where all nodes are alike. */
static struct part parts_entry_of(const struct parts *w, const struct pair *p, size_t at)
{
    const struct group *g = w->net->group;
    struct part e = { p->source, p->target, w->on[at] };

    if (w->folded) {
        const int back = group_negative(g, (int)(at % (size_t)w->n));

        e.row = group_add(g, p->source, back);
        e.column = group_add(g, p->target, back);
    }
    return e;
}

/* Counts entries, or puts them in. */
static int parts_all_pairs(struct parts *w, size_t *count, size_t *place, const struct tick *go, struct err *err)
{
    const struct flows *f = w->f;
    unsigned steps = 0;

    for (size_t injection = 0; injection < f->ninjection;) {
        const struct pair p = parts_pair(w, injection);

        for (; injection < p.to; injection++) {
            flows_spread_add(&w->spread, f->injection_state[injection], f->injection_share[injection] / p.all);
            if (f->chain)
                parts_flow_on(w);
        }
        parts_flow_on(w);
        for (size_t k = 0; k < w->ntouched; k++) {
            const size_t at = w->touched[k], link = w->folded ? at / (size_t)w->n : at;

            if (count)
                count[link + 1]++;
            else
                w->entry[place[link]++] = parts_entry_of(w, &p, at);
            w->on[at] = 0;
        }
        w->ntouched = 0;
        if (++steps % 256 == 0 && tick(go, (double)injection / (double)f->ninjection))
            return err_stopped(err);
    }
    return 0;
}

static int parts_open_walk(struct parts *w, struct err *err)
{
    const struct flows *f = w->f;
    const size_t places = w->nlink * (w->folded ? (size_t)w->n : 1);

    if (mem_need(flows_spread_bytes(f) + (double)sizeof *w->state_link * (double)f->nstate +
                 (double)(sizeof *w->on + sizeof *w->touched) * (double)places, "messages on their way", err) < 0 ||
        flows_spread_open(&w->spread, f, err) < 0)
        return -1;
    w->on = calloc(places + 1, sizeof *w->on);
    w->touched = malloc((places + 1) * sizeof *w->touched);
    return w->on && w->touched ? 0 : err_memory(err);
}

static void parts_close_walk(struct parts *w)
{
    flows_spread_close(&w->spread);
    free(w->on);
    free(w->touched);
    w->on = NULL;
    w->touched = NULL;
}

/* A state is on the link of the ports that lead to it. */
static int parts_find_links(struct parts *w, struct err *err)
{
    const struct flows *f = w->f;

    w->state_link = malloc((f->nstate + 1) * sizeof *w->state_link);
    if (!w->state_link)
        return err_memory(err);
    for (size_t i = 0; i < f->ninjection; i++)
        w->state_link[f->injection_state[i]] = f->port_link[f->injection_port[i]];
    for (size_t e = 0; e < f->nedge; e++)
        w->state_link[f->edge_child[e]] = f->port_link[f->edge_port[e]];
    return 0;
}

int parts_open(struct parts *out, struct net *net, const struct flows *f, const struct tick *go, struct err *err)
{
    const struct tick counting = tick_part(go, 0, 0.5), filling = tick_part(go, 0.5, 1);
    struct parts w = { .net = net, .f = f, .folded = f->state_node != NULL, .n = net->nterminal, .nlink = f->nlink };
    size_t *place = NULL, room = 0;
    int ret = -1;

    w.first = calloc(w.nlink + 1, sizeof *w.first);
    place = malloc((w.nlink + 1) * sizeof *place);
    if (((!w.first || !place) && err_memory(err) < 0) || parts_open_walk(&w, err) < 0 ||
        parts_find_links(&w, err) < 0 || parts_all_pairs(&w, w.first, NULL, &counting, err) < 0)
        goto done;
    for (size_t l = 0; l < w.nlink; l++)
        w.first[l + 1] += w.first[l];
    if (GROW(&room, w.first[w.nlink] + 1, "the parts of all pairs' messages on all links", err, GROWN(w.entry)) < 0)
        goto done;
    memcpy(place, w.first, w.nlink * sizeof *place);
    ret = parts_all_pairs(&w, NULL, place, &filling, err);
done:
    parts_close_walk(&w);
    free(place);
    if (ret < 0)
        parts_close(&w);
    else
        *out = w;
    return ret;
}

void parts_close(struct parts *w)
{
    free(w->state_link);
    free(w->first);
    free(w->entry);
    *w = (struct parts){ 0 };
}
