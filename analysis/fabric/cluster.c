/* cluster.c -- levels, what leads down and up, and parts (cluster.h). */
#include "analysis/fabric/cluster.h"
#include "graph/numeric/union_find.h"

void cluster_close(struct cluster *c)
{
    trunks_release(&c->trunks);
    FREE(c->tail, c->head, c->back, c->at);
    *c = (struct cluster){ 0 };
}

/* The other direction of a cable is as many links into the trunk back. */
static void cluster_links(struct cluster *c)
{
    const struct csr *g = c->trunks.csr;

    for (int v = 0; v < g->n; v++)
        for (size_t k = g->first[v]; k < g->first[v + 1]; k++) {
            const size_t first = trunks_first(&c->trunks, k);
            const size_t other = trunks_first(&c->trunks, csr_link(g, g->to[k], v));

            for (size_t l = first; l < trunks_first(&c->trunks, k + 1); l++) {
                c->tail[l] = v;
                c->head[l] = g->to[k];
                c->back[l] = (int)(other + l - first);
            }
        }
}

/* Breadth first from all switches that have hosts at once. */
static void cluster_levels(struct cluster *c, int *queue)
{
    const struct csr *g = c->trunks.csr;
    int tail = 0;

    for (int v = 0; v < g->n; v++) {
        bool host = net_terminal_index(c->net, v) >= 0 && g->first[v] < g->first[v + 1];

        for (size_t k = g->first[v]; k < g->first[v + 1]; k++)
            host = host && net_terminal_index(c->net, g->to[k]) < 0;
        c->at[v].level = host ? 0 : -1;
    }
    for (int v = 0; v < g->n; v++) {
        bool leaf = net_terminal_index(c->net, v) >= 0;

        for (size_t k = g->first[v]; k < g->first[v + 1]; k++)
            leaf = leaf || c->at[g->to[k]].level == 0;
        if (c->at[v].level < 0 && leaf) {
            c->at[v].level = 1;
            queue[tail++] = v;
        }
    }
    for (int head = 0; head < tail; head++)
        for (size_t k = g->first[queue[head]]; k < g->first[queue[head] + 1]; k++)
            if (c->at[g->to[k]].level < 0) {
                c->at[g->to[k]].level = c->at[queue[head]].level + 1;
                queue[tail++] = g->to[k];
            }
    c->levels = tail ? c->at[queue[tail - 1]].level : 0;
}

static void cluster_count(struct cluster *c, int v)
{
    struct cluster_switch *s = &c->at[v];
    const struct csr *g = c->trunks.csr;
    const double n = c->net->nterminal;
    bool alone = true;

    s->limit = NAN;
    s->hosts = net_terminal_index(c->net, v) >= 0;
    s->down = s->hosts;
    for (size_t k = g->first[v]; s->level != 0 && k < g->first[v + 1]; k++) {
        const int w = g->to[k];

        s->hosts += c->at[w].level == 0;
        s->ports += (int)trunks_cables(&c->trunks, k);
        alone = alone && (c->at[w].level > 0 || g->first[w + 1] - g->first[w] == 1);
        *(c->at[w].level < s->level ? &s->down : &s->up) += trunks_bandwidth(&c->trunks, k);
    }
    if (s->level > 0 && s->hosts && alone && s->hosts < n)
        s->limit = s->up / (s->hosts * (n - s->hosts) / (n - 1));
}

int cluster_open(struct cluster *c, struct net *net, struct err *err)
{
    int *work = NULL;
    size_t m;

    *c = (struct cluster){ .net = net };
    if (net->directed)
        return err_set(err, ERR_DOMAIN, "a fabric is of cables; %.200s has links of one direction", net->spec);
    if (trunks_open_net(&c->trunks, net, true, err) < 0)
        return -1;
    m = c->trunks.nlink + 1;
    if (TAKE("a fabric", err, ARRAY(c->tail, m), ARRAY(c->head, m), ARRAY(c->back, m), ZEROS(c->at, net->n),
             ARRAY(work, net->n)) < 0) {
        cluster_close(c);
        return -1;
    }
    cluster_links(c);
    cluster_levels(c, work);
    union_find_alone(work, (size_t)net->n);
    for (size_t l = 0; l < c->trunks.nlink; l++)
        union_find_join(work, c->tail[l], c->head[l]);
    c->parts = (int)union_find_number(work, (size_t)net->n);
    for (int v = 0; v < net->n; v++) {
        cluster_count(c, v);
        c->at[v].part = work[v];
    }
    FREE(work);
    return 0;
}
