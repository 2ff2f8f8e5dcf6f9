/* How few channels do (dependencies.h): classes put together in every way that closes no cycle, the fewest first found
 * again and again improved on. What closes a cycle for some classes does so for any more. */
#include "analysis/deadlock/dependencies.h"
#include "graph/base/order.h"
#include "graph/topology/topo.h"

#define TRIALS_WORK 2e9         /* dependencies looked at in all trials together */

struct label {                  /* a class on links of one kind */
    int kind, class;
};
struct trial {
    const struct deadlock *d;
    int *label_of;              /* by resource: its label, -1: not used */
    struct label *label;
    size_t nlabel;
    int *at, *best;             /* by label: its channel now, and in the best that was found; -1: none yet */
    int nkind;
    int *from, *to;             /* of dependencies, as follow_cyclic has them */
    size_t most, left;          /* trials */
    bool found;
};

int deadlock_kind_of(const struct deadlock *d, int place)
{
    const struct net *net = d->net;

    return d->holds == HOLDS_BUFFERS || !net->topo || !net->topo->cable_class || !net->topo->class_of ? 0 :
        net->topo->class_of(net, d->follow.tail[place], d->follow.head[place]);
}

static int trial_cyclic(bool *cyclic, struct trial *t, size_t nlabel, struct err *err)
{
    const struct deadlock *d = t->d;
    const int classes = d->classes.most;
    size_t n = 0;

    for (size_t v = 0; v < d->resource; v++) {
        const int from = t->label_of[v];

        if (from < 0 || (size_t)from >= nlabel)
            continue;
        for (size_t e = d->first[v]; e < d->first[v + 1]; e++) {
            const int to = t->label_of[d->to[e]];

            if (to < 0 || (size_t)to >= nlabel)
                continue;
            t->from[n] = (int)v / classes * classes + t->at[from];
            t->to[n++] = d->to[e] / classes * classes + t->at[to];
        }
    }
    return follow_cyclic(cyclic, d->resource, n, t->from, t->to, err);
}

/* Channels of all kinds together, and of the kind that has most. */
static int trial_cost(const struct trial *t, const int *at, size_t nlabel)
{
    int most = 0, sum = 0;

    for (int kind = 0; kind < t->nkind; kind++) {
        int n = 0;

        for (size_t i = 0; i < nlabel; i++)
            if (t->label[i].kind == kind && at[i] >= n)
                n = at[i] + 1;
        sum += n;
        most = n > most ? n : most;
    }
    return most * 10000 + sum;
}

/* Labels from `next` on get a channel each in every way that may be better than the best. */
static int trial_search(struct trial *t, size_t next, struct err *err)
{
    int used = 0;

    if (t->found && trial_cost(t, t->at, next) >= trial_cost(t, t->best, t->nlabel))
        return 0;
    if (next == t->nlabel) {
        memcpy(t->best, t->at, t->nlabel * sizeof *t->best);
        t->found = true;
        return 0;
    }
    for (size_t i = 0; i < next; i++)
        if (t->label[i].kind == t->label[next].kind && t->at[i] >= used)
            used = t->at[i] + 1;
    for (int channel = 0; channel <= used; channel++) {
        bool cyclic;

        if (t->left == 0 && channel < used)
            continue;
        t->left -= t->left > 0;
        t->at[next] = channel;
        if (trial_cyclic(&cyclic, t, next + 1, err) < 0 || (!cyclic && trial_search(t, next + 1, err) < 0))
            return -1;
    }
    return 0;
}

ORDER(by_class, struct label, UP(class) UP(kind))

static int trial_open(struct trial *t, const struct deadlock *d, struct err *err)
{
    const size_t classes = (size_t)d->classes.most;
    const char *const *names = d->net->topo ? d->net->topo->cable_class : NULL;
    size_t n = 0;
    int *number = NULL;

    *t = (struct trial){ .d = d, .nkind = 1 };
    for (; names && d->net->topo->class_of && names[t->nkind]; t->nkind++)
        ;
    if (TAKE("classes that share", err, ARRAY(t->label_of, d->resource), ARRAY(t->from, d->n + 1),
             ARRAY(t->to, d->n + 1), ZEROS(number, (size_t)t->nkind * classes)) < 0)
        return -1;
    for (size_t v = 0; v < d->resource; v++)
        if (d->used[v])
            number[(size_t)deadlock_kind_of(d, (int)(v / classes)) * classes + v % classes] = 1;
    for (size_t i = 0; i < (size_t)t->nkind * classes; i++)
        n += (size_t)number[i];
    if (TAKE("classes that share", err, ARRAY(t->label, n), ARRAY(t->at, n), ARRAY(t->best, n)) < 0) {
        free(number);
        return -1;
    }
    for (size_t i = 0; i < (size_t)t->nkind * classes; i++)
        if (number[i])
            t->label[t->nlabel++] = (struct label){ (int)(i / classes), (int)(i % classes) };
    qsort(t->label, n, sizeof *t->label, by_class);
    for (size_t i = 0; i < n; i++)
        number[(size_t)t->label[i].kind * classes + (size_t)t->label[i].class] = (int)i;
    for (size_t v = 0; v < d->resource; v++)
        t->label_of[v] = !d->used[v] ? -1 :
            number[(size_t)deadlock_kind_of(d, (int)(v / classes)) * classes + v % classes];
    t->most = t->left = (size_t)(TRIALS_WORK / (double)(d->n + d->resource + 1));
    free(number);
    return 0;
}

static void trial_close(struct trial *t)
{
    FREE(t->label_of, t->from, t->to, t->label, t->at, t->best);
}

void deadlock_need_release(struct deadlock_need *n)
{
    FREE(n->kind, n->channel, n->links);
}

int deadlock_need(struct deadlock_need *out, const struct deadlock *d, struct err *err)
{
    const size_t classes = (size_t)d->classes.most;
    const char *const *names = d->net->topo ? d->net->topo->cable_class : NULL;
    struct deadlock_need need = { 0 };
    struct trial t;
    int ret = -1;

    if (trial_open(&t, d, err) < 0 || trial_search(&t, 0, err) < 0 ||
        TAKE("classes that share", err, ZEROS(need.kind, t.nkind), ARRAY(need.channel, (size_t)t.nkind * classes),
             ZEROS(need.links, (size_t)t.nkind * classes)) < 0)
        goto done;
    need.nkind = (size_t)t.nkind;
    need.exact = t.left > 0;
    for (size_t i = 0; i < need.nkind * classes; i++)
        need.channel[i] = -1;
    for (size_t i = 0; i < t.nlabel; i++) {
        struct deadlock_kind *k = &need.kind[t.label[i].kind];

        need.channel[(size_t)t.label[i].kind * classes + (size_t)t.label[i].class] = t.best[i];
        k->classes++;
        if (t.best[i] >= k->channels)
            k->channels = t.best[i] + 1;
        if (k->channels > need.channels)
            need.channels = k->channels;
    }
    for (size_t place = 0; place < d->place; place++) {
        const int kind = deadlock_kind_of(d, (int)place);
        struct deadlock_kind *k = &need.kind[kind];
        int n = 0;

        for (size_t c = 0; c < classes; c++) {
            n += d->used[place * classes + c];
            need.links[(size_t)kind * classes + c] += d->used[place * classes + c] ? (size_t)d->copies : 0;
        }
        k->links += n > 0 ? (size_t)d->copies : 0;
        k->most = n > k->most ? n : k->most;
    }
    for (int k = 0; k < t.nkind; k++)
        need.kind[k].name = t.nkind > 1 ? names[k] : NULL;
    *out = need;
    need = (struct deadlock_need){ 0 };
    ret = 0;
done:
    trial_close(&t);
    deadlock_need_release(&need);
    return ret;
}
