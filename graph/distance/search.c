#include "graph/distance/search.h"
#include "graph/distance/sweep.h"

int search_open(struct search *s, struct net *net, const char *what, struct err *err)
{
    const struct csr *ahead;

    *s = (struct search){ .from = -1 };
    if (TAKE(what, err, ARRAY(s->hops, net->n), ARRAY(s->queue, net->n)) < 0 || csr_kept(&ahead, net, err) < 0)
        goto failed;
    for (int v = 0; v < net->n; v++)
        s->hops[v] = -1;
    s->directed = net->directed;
    s->ahead = s->behind = *ahead;
    if (!s->directed || csr_reverse(&s->behind, ahead, err) == 0)
        return 0;
failed:
    search_close(s);
    return -1;
}

void search_close(struct search *s)
{
    if (s->directed)
        csr_release(&s->behind);
    FREE(s->hops, s->queue);
    *s = (struct search){ 0 };
}

void search_begin(struct search *s, int from, bool against)
{
    if (s->from == from && s->against == against)
        return;
    while (s->tail > 0)
        s->hops[s->queue[--s->tail]] = -1;
    s->head = 0;
    s->queue[s->tail++] = from;
    s->hops[from] = 0;
    s->from = from;
    s->against = against;
}

bool search_level(struct search *s)
{
    const struct csr *c = s->against ? &s->behind : &s->ahead;
    const int end = s->tail;

    while (s->head < end) {
        int v = s->queue[s->head++];

        for (size_t i = c->first[v]; i < c->first[v + 1]; i++)
            if (s->hops[c->to[i]] < 0) {
                s->hops[c->to[i]] = s->hops[v] + 1;
                s->queue[s->tail++] = c->to[i];
            }
    }
    return s->tail > end;
}
