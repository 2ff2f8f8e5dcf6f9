/* The sets S(s) and T(t) of every terminal, by search or by coordinates. */
#include "analysis/metapath/metapath_any.h"

#include <stdlib.h>
#include <string.h>

#include "graph/base/mem.h"

/* Terminals within the radius of v along `c`, appended; hops are summed. Returns how many. */
static int ball(const struct csr *c, int v, int radius, const uint8_t *terminal, int *hops, int *queue, int *member,
                uint64_t *base)
{
    int head = 0, tail = 0, n = 0;

    *base = 0;
    hops[v] = 0;
    queue[tail++] = v;
    while (head < tail) {
        int u = queue[head++];

        if (terminal[u]) {
            if (member)
                member[n] = u;
            n++;
            *base += (uint64_t)hops[u];
        }
        if (hops[u] == radius)
            continue;
        for (size_t i = c->first[u]; i < c->first[u + 1]; i++)
            if (hops[c->to[i]] < 0) {
                hops[c->to[i]] = hops[u] + 1;
                queue[tail++] = c->to[i];
            }
    }
    for (int i = 0; i < tail; i++)
        hops[queue[i]] = -1;
    return n;
}

static int by_size(const void *a, const void *b)
{
    const int x = *(const int *)a, y = *(const int *)b;

    return (x > y) - (x < y);
}

/* The different sizes, ascending, and each set's index among them. */
static int classify(struct any_sets *set, const struct net *net, struct err *err)
{
    size_t n = 0;

    set->size = malloc((size_t)net->nterminal * sizeof *set->size);
    set->class_of = calloc((size_t)net->n, sizeof *set->class_of);
    if (!set->size || !set->class_of)
        return err_memory(err);
    for (int k = 0; k < net->nterminal; k++) {
        int v = net_terminal(net, k);

        set->size[k] = (int)(set->first[v + 1] - set->first[v]);
    }
    qsort(set->size, (size_t)net->nterminal, sizeof *set->size, by_size);
    for (int k = 0; k < net->nterminal; k++)
        if (n == 0 || set->size[k] != set->size[n - 1])
            set->size[n++] = set->size[k];
    set->nclass = n;
    set->largest = set->size[n - 1];
    for (int k = 0; k < net->nterminal; k++) {
        int v = net_terminal(net, k), size = (int)(set->first[v + 1] - set->first[v]);
        const int *at = bsearch(&size, set->size, n, sizeof size, by_size);

        set->class_of[v] = at ? (int)(at - set->size) : 0;
    }
    return 0;
}

/* Hops between two members of a box: by coordinates on grids, by the group's distances D on circulants. */
static uint64_t box_hops(const struct net *net, const uint32_t *D, int from, int to)
{
    int a[32], b[32];
    uint64_t hops = 0;

    if (D)
        return D[group_add(net->group, to, group_negative(net->group, from))];
    net_coordinates(net, from, a);
    net_coordinates(net, to, b);
    for (int d = 0; d < net->ndim; d++) {
        int up = b[d] - a[d], k = net->size[d], way = abs(up);

        if (net->directed)
            way = up < 0 ? up + k : up;
        else if (net->wrap[d] && k - way < way)
            way = k - way;
        hops += (uint64_t)way;
    }
    return hops;
}

static int open_set(const struct any *a, struct any_sets *set, const struct csr *c, const struct supernode *sn,
                    struct err *err)
{
    const struct net *net = a->net;
    int *hops = malloc((size_t)net->n * sizeof *hops), *queue = malloc((size_t)net->n * sizeof *queue), ret = -1;
    uint8_t *terminal = calloc((size_t)net->n, 1);
    uint32_t *D = NULL;
    uint64_t scrap;

    set->first = calloc((size_t)net->n + 1, sizeof *set->first);
    set->base = calloc((size_t)net->n, sizeof *set->base);
    if (!hops || !queue || !terminal || !set->first || !set->base) {
        err_memory(err);
        goto done;
    }
    if (sn->shape == SHAPE_BOX && net->ndim == 0) {
        D = malloc((size_t)net->n * sizeof *D);
        if (!D) {
            err_memory(err);
            goto done;
        }
        if (group_distances(net->group, D, err) < 0)
            goto done;
    }
    memset(hops, 0xff, (size_t)net->n * sizeof *hops);
    for (int k = 0; k < net->nterminal; k++)
        terminal[net_terminal(net, k)] = 1;
    for (int v = 0; v < net->n; v++) {
        size_t n = 0;

        if (terminal[v])
            n = sn->shape == SHAPE_BOX ? (size_t)supernode_box_size(sn)
                                       : (size_t)ball(c, v, sn->radius, terminal, hops, queue, NULL, &scrap);
        set->first[v + 1] = set->first[v] + n;
        if (v % 4096 == 0 && tick(&a->o->tick, 0)) {
            err_stopped(err);
            goto done;
        }
    }
    if (mem_need((double)set->first[net->n] * sizeof *set->member, sn->spec, err) < 0)
        goto done;
    set->member = malloc((set->first[net->n] + 1) * sizeof *set->member);
    if (!set->member) {
        err_memory(err);
        goto done;
    }
    for (int v = 0; v < net->n; v++) {
        int *member = set->member + set->first[v];

        if (!terminal[v])
            continue;
        if (sn->shape == SHAPE_BALL) {
            ball(c, v, sn->radius, terminal, hops, queue, member, &set->base[v]);
            continue;
        }
        supernode_box(sn, net, v, member);
        for (size_t i = 0; i < set->first[v + 1] - set->first[v]; i++)
            set->base[v] += box_hops(net, D, v, member[i]);
    }
    ret = classify(set, net, err);
done:
    free(D);
    free(terminal);
    free(hops);
    free(queue);
    return ret;
}

int any_sets_open(struct any *a, struct err *err)
{
    a->set = calloc(a->n, sizeof *a->set);
    a->reverse = calloc(a->n, sizeof *a->reverse);
    if (!a->set || !a->reverse)
        return err_memory(err);
    for (size_t i = 0; i < a->n; i++) {
        const struct supernode *sn = &a->sn[i];

        if (sn->shape == SHAPE_POINT || sn->shape == SHAPE_ALL)
            continue;
        if (open_set(a, &a->set[i], &a->forward, sn, err) < 0)
            return -1;
        if (sn->both && a->net->directed && open_set(a, &a->reverse[i], &a->backward, sn, err) < 0)
            return -1;
    }
    return 0;
}
