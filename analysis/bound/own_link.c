#include "analysis/bound/own_link.h"
#include "model/routing/follow.h"

/* By node what its own links carry: first of what it receives, then of what it sends. */
static int open_room(double *room, struct net *net, bool links, struct err *err)
{
    const size_t n = (size_t)net->n;
    struct follow f;

    if (follow_open(&f, net, links, err) < 0)
        return -1;
    if (links)
        follow_widest(room, &f);
    for (size_t v = 0; v < n; v++)
        for (size_t k = f.links.first[v]; k < f.links.first[v + 1]; k++) {
            const int to = f.links.to[k];

            room[to] += links && follow_own_switch(&f, to) ? 0 : trunks_bandwidth(&f.trunks, k);
            room[n + v] += links && follow_own_switch(&f, (int)v) ? 0 : trunks_bandwidth(&f.trunks, k);
        }
    follow_close(&f);
    return 0;
}

/* Adds what source i asks for; even matrices let each terminal receive as much as it sends. */
static void add_source(double *asked, const struct traffic *t, size_t i, double much)
{
    const struct net *net = t->net;
    const int from = t->matrix ? net_terminal(net, (int)i) : t->stream[traffic_first(t, i)].source;

    asked[net->n + from] += much;
    if (t->matrix && t->kind->even)
        asked[from] += much;
    for (int k = 0; t->matrix && !t->kind->even && k < net->nterminal; k++)
        if (net_terminal(net, k) != from)
            asked[net_terminal(net, k)] += much * t->kind->share(t, from, net_terminal(net, k));
    for (size_t k = t->matrix ? 0 : traffic_first(t, i); !t->matrix && k < traffic_first(t, i + 1); k++)
        asked[t->stream[k].target] += much * t->stream[k].share;
}

int own_link_most(struct own_link *out, const struct traffic *t, struct net *net, struct traffic_pace request,
                  double factor, bool closed, bool links, struct err *err)
{
    const size_t n = (size_t)net->n;
    double *asked = NULL, *room = NULL;
    int ret = -1;

    *out = (struct own_link){ .node = -1 };
    if (TAKE("what terminals ask for", err, ZEROS(asked, 2 * n), ZEROS(room, 2 * n)) < 0 ||
        open_room(room, net, links, err) < 0)
        goto done;
    for (size_t i = 0; i < traffic_sources(t); i++) {
        const struct traffic_pace p = traffic_pace(t, t->matrix ? -1 : (int)traffic_first(t, i), request);

        add_source(asked, t, i, p.time / (p.interval / factor + (closed ? p.time : 0)));
    }
    for (size_t v = 0; v < n; v++) {
        const double in = asked[v] > 0 ? asked[v] / room[v] : 0,
            sent = asked[n + v] > 0 ? asked[n + v] / room[n + v] : 0;

        if (in > out->asked || sent > out->asked)
            *out = (struct own_link){ (int)v, in >= sent, in >= sent ? in : sent };
    }
    ret = 0;
done:
    FREE(asked, room);
    return ret;
}
