/* Which sources reach a link over two of its ports. A source's messages are followed from its injections, all masses of
 * one source at once; where folded, one stands for all, and what counts is where it stands relative to the link. */
#include "analysis/load/flows_spread.h"
#include "graph/base/order.h"

struct found {                  /* overlaps as they come: sorted by pair at the end */
    size_t *pair;
    int *source;
    double *product;
    size_t n, room;
};
struct walk {
    const struct flows *f;
    double *mass;               /* by port; folded: by port and place */
    struct flows_spread spread;
    int *touched;               /* ports of this source */
    size_t ntouched;
    int *next, *head;           /* touched ports of each link, chained */
    struct found *found;
    const struct tick *tick;
    unsigned steps;
};

/* `done` of all sources; looks up now and then. */
static int overlap_go_on(struct walk *w, size_t done, size_t all, struct err *err)
{
    return ++w->steps % 256 == 0 ? tick_check(w->tick, (double)done / (double)all, err) : 0;
}

static int overlap_add(struct found *o, size_t pair, int source, double product, struct err *err)
{
    if (GROW(&o->room, o->n + 1, "sources that meet themselves", err, GROWN(o->pair), GROWN(o->source),
             GROWN(o->product)) < 0)
        return -1;
    o->pair[o->n] = pair;
    o->source[o->n] = source;
    o->product[o->n++] = product;
    return 0;
}

/* Place of a state's link relative to the sender of an injection, 0 where not folded. */
static size_t overlap_place(const struct flows *f, int state, int sender)
{
    const struct group *g = f->net->group;

    return f->state_node ? (size_t)group_add(g, f->state_node[state], group_negative(g, sender)) : 0;
}

static void overlap_put(struct walk *w, int port, size_t at, double mass)
{
    double *m = w->mass + at * w->f->nport + (size_t)port;

    if (!(mass > 0))                /* a way that nobody takes now */
        return;
    if (*m == 0 && !w->f->state_node)
        w->touched[w->ntouched++] = port;
    *m += mass;
}

static void overlap_follow(struct walk *w, size_t injection)
{
    const struct flows *f = w->f;
    const int sender = f->injection_node ? f->injection_node[injection] : 0;
    double mass = f->injection_share[injection];
    int s = f->injection_state[injection];

    if (mass == 0)
        return;
    overlap_put(w, f->injection_port[injection], overlap_place(f, s, sender), mass);
    flows_spread_add(&w->spread, s, mass);
    while (flows_spread_next(&w->spread, &s, &mass))
        for (uint32_t e = f->edge_first[s]; e < f->edge_first[s + 1]; e++)
            overlap_put(w, f->edge_port[e], overlap_place(f, f->edge_child[e], sender), mass * f->edge_share[e]);
}

static size_t overlap_pair_of(const struct flows *f, size_t link, size_t a, size_t b)
{
    const size_t first = f->port_first[link], n = f->port_first[link + 1] - first;

    return f->pair_first[link] + (a < b ? (a - first) * n + (b - first) : (b - first) * n + (a - first));
}

static int overlap_one_source(struct walk *w, size_t source, struct err *err)
{
    const struct flows *f = w->f;
    int ret = 0;

    w->ntouched = 0;
    for (uint32_t i = f->source_first[source]; ret == 0 && i < f->source_first[source + 1]; i++) {
        overlap_follow(w, f->source_injection[i]);
        ret = overlap_go_on(w, source, f->nsource, err);
    }
    for (size_t i = 0; ret == 0 && i < w->ntouched; i++) {
        int port = w->touched[i], l = f->port_link[port];

        for (int other = w->head[l]; ret == 0 && other >= 0; other = w->next[other])
            ret = overlap_add(w->found, overlap_pair_of(f, (size_t)l, (size_t)port, (size_t)other), (int)source,
                            w->mass[port] * w->mass[other], err);
        w->next[port] = w->head[l];
        w->head[l] = port;
    }
    for (size_t i = 0; i < w->ntouched; i++) {
        w->head[f->port_link[w->touched[i]]] = -1;
        w->mass[w->touched[i]] = 0;
    }
    return ret;
}

/* One source stands for all: those that reach a link over two ports are it, at every place. */
static int overlap_folded(struct walk *w, struct err *err)
{
    const struct flows *f = w->f;

    for (size_t i = 0; i < f->ninjection; i++) {
        overlap_follow(w, i);
        if (overlap_go_on(w, i, f->ninjection, err) < 0)
            return -1;
    }
    for (size_t l = 0; l < f->nlink; l++)
        for (size_t a = f->port_first[l]; a < f->port_first[l + 1]; a++)
            for (size_t b = a + 1; b < f->port_first[l + 1]; b++) {
                double sum = 0;

                if (overlap_go_on(w, 1, 1, err) < 0)
                    return -1;
                for (size_t at = 0; at < (size_t)f->net->n; at++)
                    sum += w->mass[at * f->nport + a] * w->mass[at * f->nport + b];
                if (sum > 0 && overlap_add(w->found, overlap_pair_of(f, l, a, b), 0, sum, err) < 0)
                    return -1;
            }
    return 0;
}

struct item {
    size_t pair, at;
};

ORDER(by_pair, struct item, UP(pair) UP(at))

static int overlap_take(struct flows *f, const struct found *o, struct err *err)
{
    struct item *item;
    size_t *pair, *first, n = 0;
    int *source;
    double *product;

    if (TAKE("sources that meet themselves", err, ARRAY(item, o->n), ARRAY(pair, o->n + 1), ARRAY(first, o->n + 1),
             ARRAY(source, o->n), ARRAY(product, o->n)) < 0)
        return -1;
    for (size_t i = 0; i < o->n; i++)
        item[i] = (struct item){ o->pair[i], i };
    qsort(item, o->n, sizeof *item, by_pair);
    for (size_t i = 0; i < o->n; i++) {
        if (n == 0 || pair[n - 1] != item[i].pair) {
            pair[n] = item[i].pair;
            first[n++] = i;
        }
        source[i] = o->source[item[i].at];
        product[i] = o->product[item[i].at];
    }
    first[n] = o->n;
    FREE(item, f->overlap_pair, f->overlap_first, f->overlap_source, f->overlap_product);
    f->overlap_pair = pair;
    f->overlap_first = first;
    f->overlap_source = source;
    f->overlap_product = product;
    f->noverlap = n;
    return 0;
}

int flows_overlap(struct flows *f, const struct tick *tick, struct err *err)
{
    const size_t places = f->state_node ? (size_t)f->net->n : 1;
    struct found o = { 0 };
    struct walk w = { .f = f, .found = &o, .tick = tick };
    int ret = -1;

    if (f->apart)
        return 0;
    if (flows_spread_open(&w.spread, f, err) < 0 ||
        TAKE("sources that meet themselves", err, ZEROS(w.mass, places * f->nport), ARRAY(w.touched, f->nport),
             ARRAY(w.next, f->nport), ARRAY(w.head, f->nlink)) < 0)
        goto done;
    memset(w.head, -1, f->nlink * sizeof *w.head);
    ret = f->state_node ? overlap_folded(&w, err) : 0;
    for (size_t c = 0; !f->state_node && ret == 0 && c < f->nsource; c++)
        ret = overlap_one_source(&w, c, err);
    if (ret == 0)
        ret = overlap_take(f, &o, err);
done:
    flows_spread_close(&w.spread);
    FREE(w.mass, w.touched, w.next, w.head, o.pair, o.source, o.product);
    return ret;
}
