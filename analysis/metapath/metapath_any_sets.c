/* The sets S(s) and T(t) of every terminal, as their kind gives them, and the hops to their members. */
#include "analysis/metapath/metapath_any.h"
#include "model/supernode/members.h"

/* Hops from v to its n members along `c`, summed: a search that ends with the last of them. `hops` is all -1 between
 * calls. False where they are not different terminals, or none. */
static bool hops_to(uint64_t *out, const struct csr *c, const struct net *net, int v, const int *member, int n,
                    int *hops, int *queue)
{
    enum { WANTED = -2, UNSEEN = -1 };
    int head = 0, tail = 0, left = n;
    uint64_t sum = 0;

    for (int i = 0; i < n; i++) {
        if (member[i] < 0 || member[i] >= net->n || net_terminal_index(net, member[i]) < 0 || hops[member[i]] != UNSEEN)
            return false;
        hops[member[i]] = WANTED;
    }
    left -= hops[v] == WANTED;
    hops[v] = 0;
    queue[tail++] = v;
    while (left > 0 && head < tail) {
        const int u = queue[head++];

        for (size_t i = c->first[u]; i < c->first[u + 1]; i++) {
            const int w = c->to[i];

            if (hops[w] >= 0)
                continue;
            if (hops[w] == WANTED) {
                left--;
                sum += (uint64_t)hops[u] + 1;
            }
            hops[w] = hops[u] + 1;
            queue[tail++] = w;
        }
    }
    for (int i = 0; i < tail; i++)
        hops[queue[i]] = UNSEEN;
    *out = sum;
    return n > 0;
}

/* The different sizes, ascending, and each set's index among them. */
static int classify(struct any_sets *set, const struct net *net, struct err *err)
{
    size_t n = 0;

    if (TAKE("metapaths", err, ARRAY(set->size, net->nterminal), ZEROS(set->class_of, net->n)) < 0)
        return -1;
    for (int k = 0; k < net->nterminal; k++) {
        int v = net_terminal(net, k);

        set->size[k] = set->many[v];
    }
    qsort(set->size, (size_t)net->nterminal, sizeof *set->size, num_ascending);
    for (int k = 0; k < net->nterminal; k++)
        if (n == 0 || set->size[k] != set->size[n - 1])
            set->size[n++] = set->size[k];
    set->nclass = n;
    set->largest = set->size[n - 1];
    for (int k = 0; k < net->nterminal; k++) {
        int v = net_terminal(net, k), size = set->many[v];
        const int *at = bsearch(&size, set->size, n, sizeof size, num_ascending);

        set->class_of[v] = at ? (int)(at - set->size) : 0;
    }
    return 0;
}

/* S(v) of every terminal, or T(v) for `into`. */
static int list_set(const struct any *a, struct any_sets *set, bool into, const struct supernode *sn, struct err *err)
{
    struct net *net = a->net;
    const struct csr *c = into ? &a->backward : &a->forward;
    int *hops, *queue, *same, ret = -1;         /* same: by neighbour, the leaf whose area is that of all its leaves */
    struct members members = { 0 };
    const bool area = sn->shape == SHAPE_BALL && sn->radius > 1 && !net->directed;
    size_t room = 0, first = 0;

    if (TAKE(sn->spec, err, ARRAY(hops, net->n), ARRAY(queue, net->n), ARRAY(same, net->n), ZEROS(set->first, net->n),
             ZEROS(set->many, net->n), ZEROS(set->base, net->n)) < 0 ||
        members_open(&members, net, sn, err) < 0)
        goto done;
    memset(hops, 0xff, (size_t)net->n * sizeof *hops);
    memset(same, 0xff, (size_t)net->n * sizeof *same);
    for (int v = 0; v < net->n; v++) {
        const bool leaf = area && c->first[v + 1] - c->first[v] == 1;
        int n, *const alike = leaf ? &same[c->to[c->first[v]]] : NULL;

        if (v % 4096 == 0 && tick_check(&a->o->tick, 0, err) < 0)
            goto done;
        if (net_terminal_index(net, v) < 0)
            continue;
        if (leaf && *alike >= 0) {
            set->first[v] = set->first[*alike];
            set->many[v] = set->many[*alike];
            set->base[v] = set->base[*alike];
            continue;
        }
        /* asking for members takes room for all nodes */
        if (GROW(&room, first + (size_t)net->n + 1, sn->spec, err, GROWN(set->member)) < 0)
            goto done;
        n = members_of(&members, v, into, set->member + first);
        if (!hops_to(&set->base[v], c, net, v, set->member + first, n, hops, queue)) {
            err_set(err, ERR_INTERNAL, "supernode %s: the members of node %d of %.80s are not different terminals",
                    sn->spec, v, net->spec);
            goto done;
        }
        set->first[v] = first;
        set->many[v] = n;
        first += (size_t)n;
        if (leaf)
            *alike = v;
    }
    ret = 0;
done:
    members_close(&members);
    FREE(hops, queue, same);
    return ret;
}

void any_sets_release(struct any_sets *set)
{
    FREE(set->first, set->many, set->member, set->base, set->class_of, set->size, set->again_first, set->again);
    *set = (struct any_sets){ 0 };
}

static int open_set(const struct any *a, struct any_sets *set, bool into, const struct supernode *sn, struct err *err)
{
    const int summed = any_balls_open(a, set, sn, err);

    if (summed < 0)
        return -1;
    if (!summed) {
        any_sets_release(set);          /* of balls that were begun */
        if (list_set(a, set, into, sn, err) < 0)
            return -1;
    }
    return classify(set, a->net, err);
}

int any_sets_open(struct any *a, struct err *err)
{
    if (TAKE("metapaths", err, ZEROS(a->set, a->n), ZEROS(a->reverse, a->n)) < 0)
        return -1;
    for (size_t i = 0; i < a->n; i++) {
        const struct supernode *sn = &a->sn[i];

        if (!any_listed(sn))
            continue;
        if (open_set(a, &a->set[i], false, sn, err) < 0 ||
            (sn->both && a->net->directed && open_set(a, &a->reverse[i], true, sn, err) < 0))
            return -1;
    }
    return 0;
}
