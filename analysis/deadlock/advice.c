#include "analysis/deadlock/dependencies.h"

#define ADVICE_BYTES 5e8        /* for the dependencies of one scheme */
#define PAIR_WORK 100           /* what a scheme that looks at every pair costs more */

/* Links to be looked at by an exploration of all targets. */
static double advice_work(const struct routing *r, size_t nrouting, const struct follow *f)
{
    bool ways = false;

    for (size_t i = 0; i < nrouting; i++)
        ways = ways || r[i].route->ways;
    return ways ? 8.0 * f->nend * f->nend * f->nend : (double)f->nend * (double)f->cables;
}

/* Where all targets are too many: whether a scheme may be tried, since one of them stands for all; or (*channels) its
 * source proves it. */
static int advice_cheap(bool *cheap, int *channels, const struct classes_kind *kind, struct net *net,
                        struct routing *r, size_t nrouting, const struct deadlock_options *o, struct err *err)
{
    struct classes c = { 0 };
    struct follow f = { 0 };
    bool alike = net->group != NULL, ways = false;
    int ret;

    *cheap = false;
    for (size_t i = 0; i < nrouting; i++) {
        alike = alike && r[i].invariant;
        ways = ways || r[i].route->ways;
    }
    if (kind->by_pair || ((!alike || ways) && !kind->by_rule))
        return 0;
    if (follow_open(&f, net, false, err) < 0)
        return -1;
    ret = classes_open(&c, kind->name, o->holds == HOLDS_BUFFERS, &f, r, nrouting, err);
    *cheap = ret == 0 && alike && c.invariant;
    if (ret == 0 && !*cheap && c.free && o->holds != HOLDS_CABLES)
        *channels = c.most;
    classes_close(&c);
    follow_close(&f);
    return ret < 0 && err->code != ERR_DOMAIN ? -1 : 0;
}

/* How few channels a scheme does with; 0: it does not fit, does not prevent deadlock, or costs too much. Clears *exact
 * where fewer may do. */
static int advice_try(int *channels, bool *exact, const struct classes_kind *kind, struct net *net,
                      struct routing *routing, size_t nrouting, const struct deadlock_options *o, double work,
                       struct err *err)
{
    struct deadlock_options with = *o;
    struct deadlock d = { 0 };
    struct deadlock_need need = { 0 };
    bool cheap = true;
    int ret = 0;

    *channels = 0;
    with.classes = kind->name;
    with.verdict = true;
    with.most = ADVICE_BYTES;
    if (work > ADVICE_WORK && advice_cheap(&cheap, channels, kind, net, routing, nrouting, o, err) < 0)
        return -1;
    *exact = *exact && cheap;
    if (!cheap)
        return 0;
    if (deadlock_open(&d, net, routing, nrouting, &with, err) < 0) {
        ret = err->code == ERR_DOMAIN || err->code == ERR_NETWORK ? 0 : -1;
        *exact = *exact && err->code == ERR_DOMAIN;
    } else if (!d.cyclic && (ret = deadlock_need(&need, &d, err)) == 0) {
        *channels = need.channels;
        *exact = *exact && need.exact;
    }
    deadlock_need_release(&need);
    deadlock_close(&d);
    return ret;
}

int deadlock_advise(struct deadlock_advice *out, struct net *net, struct routing *routing, size_t nrouting,
                    const struct deadlock_options *o, struct err *err)
{
    const bool buffers = o->holds == HOLDS_BUFFERS;
    const struct classes_kind *best = NULL;
    struct follow f = { 0 };
    double work;
    const int least = buffers ? 1 : 2;          /* where arrivals need no buffer, one class may do */
    int fewest = INT_MAX, last = 0;

    *out = (struct deadlock_advice){ .exact = true };
    if (follow_open(&f, net, false, err) < 0 || (o->all && follow_all(&f, err) < 0))
        return -1;
    work = advice_work(routing, nrouting, &f);
    follow_close(&f);
    for (const struct classes_kind *next; fewest > least; last = next->rank) {
        int channels;

        next = NULL;
        for (size_t i = 0; classes_all[i]; i++)
            if ((buffers ? classes_all[i]->buffers : classes_all[i]->channels) && classes_all[i]->rank > last &&
                (!next || classes_all[i]->rank < next->rank))
                next = classes_all[i];
        if (!next)
            break;
        if (advice_try(&channels, &out->exact, next, net, routing, nrouting, o,
                       next->by_pair ? work * PAIR_WORK : work, err) < 0)
            return -1;
        if (channels && channels < fewest) {
            fewest = channels;
            best = next;
        }
    }
    out->exact = out->exact || fewest <= least;
    if (!best)
        return 0;
    out->scheme = strdup(best->name);
    out->channels = fewest;
    return out->scheme ? 0 : err_memory(err);
}
