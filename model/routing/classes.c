#include "model/routing/classes.h"
#include "model/routing/routes.h"
#include "registry/classes.inc"

KIND(classes, classes, struct classes_kind, .name = "classes", .what = "scheme of classes", .rank = 7)

int classes_open(struct classes *out, const char *text, bool buffers, struct follow *f, struct routing *r,
                 size_t nrouting, struct err *err)
{
    struct classes c = { .follow = f, .marks = 1, .most = 1, .invariant = true,
                         .buffers = buffers };
    struct spec spec;
    int ret;

    c.kind = (const struct classes_kind *)(const void *)kind_spec(&spec, &kind_classes, text ? text : "none", err);
    if (!c.kind)
        return -1;
    ret = spec_no_params(&spec, err);
    if (ret == 0 && !(buffers ? c.kind->buffers : c.kind->channels))
        ret = err_set(err, ERR_USAGE, "'%s' is a scheme for %s, not for %s (`metapath list classes`)", c.kind->name,
                      buffers ? "channels" : "buffers", buffers ? "buffers" : "channels");
    if (ret == 0 && c.kind->state && !(c.state = calloc(1, c.kind->state)))
        ret = err_memory(err);
    if (ret == 0 && c.kind->open)
        ret = c.kind->open(&c, &spec, f, r, nrouting, err);
    if (ret == 0 && !c.spec)
        ret = spec_append(&c.spec, err, "%s", c.kind->name);
    spec_release(&spec);
    if (ret < 0)
        classes_close(&c);
    else
        *out = c;
    return ret;
}

void classes_close(struct classes *c)
{
    if (c->state && c->kind->close)
        c->kind->close(c->state);
    FREE(c->state, c->spec);
    *c = (struct classes){ 0 };
}

int classes_begin_0(const struct classes *, const struct classes_way *, int)
{
    return 0;
}

int classes_carry(const struct classes *, const struct classes_way *at, int mark)
{
    return at->leg ? mark : 0;
}

int classes_mark(const struct classes *, int mark, int)
{
    return mark;
}

int classes_longest(int *hops, struct follow *f, struct routing *r, size_t nrouting, struct err *err)
{
    *hops = 0;
    for (size_t i = 0; i < nrouting; i++) {
        int longest;

        if (routes_longest(&longest, f, &r[i], err) < 0)
            return -1;
        if (longest > *hops)
            *hops = longest;
    }
    return 0;
}

bool classes_by_dor(const struct routing *r, size_t nrouting)
{
    const struct routing *first = r->base ? r->base : r->escape ? r->escape : r;

    for (size_t i = 1; i < nrouting; i++)
        if (strcmp((r[i].base ? r[i].base : &r[i])->spec, first->spec) != 0)
            return false;
    return first->route->ordered;
}

/* ---- datelines ---- */

/* Of the link between two nodes of a grid: the dimension in which they differ, from 1, and whether it closes the
 * ring. */
static int datelines_ring(bool *across, const struct net *net, int from, int to)
{
    int a[NET_DIMENSIONS], b[NET_DIMENSIONS];

    net_coordinates(net, from, a);
    net_coordinates(net, to, b);
    for (int d = 0; d < net->ndim; d++)
        if (a[d] != b[d]) {
            *across = net->wrap[d] && net->size[d] > 2 && abs(a[d] - b[d]) == net->size[d] - 1;
            return d + 1;
        }
    return 0;
}

bool datelines_rings(const struct net *net)
{
    bool rings = false;

    for (int d = 0; net->lines == LINES_GRID && d < net->ndim; d++)
        rings = rings || (net->wrap[d] && net->size[d] > 2);
    return rings;
}

void datelines_close(struct datelines *d)
{
    FREE(d->ring, d->across);
}

int datelines_open(struct datelines *out, struct follow *f, struct routing *r, size_t nrouting, struct err *err)
{
    struct net *net = f->net;
    struct datelines d = { .groups = net_grouped(net) };

    d.rings = datelines_rings(net);
    if (!d.rings && !d.groups)
        return err_set(err, ERR_DOMAIN, "datelines are for rings of a grid and for groups, as those of a dragonfly, "
                       "and %.200s has neither", net->spec);
    d.most = 1;
    if (!d.rings && classes_longest(&d.most, f, r, nrouting, err) < 0)
        return -1;
    if (TAKE("datelines", err, ZEROS(d.ring, f->cables), ZEROS(d.across, f->cables)) < 0)
        return -1;
    for (size_t l = 0; l < f->cables; l++) {
        bool across = false;

        if (d.rings)
            d.ring[l] = (unsigned char)datelines_ring(&across, net, f->tail[l], f->head[l]);
        else
            across = net_group(net, f->tail[l]) != net_group(net, f->head[l]);
        d.across[l] = across;
    }
    *out = d;
    return 0;
}

void datelines_say(const struct datelines *d, int crossings, char *out, size_t size)
{
    if (crossings < 2)
        snprintf(out, size, "%s %s", crossings ? "after" : "before", d->rings ? "a ring's dateline" :
                 "a cable to another group");
    else
        snprintf(out, size, "after %d cables to other groups", crossings);
}
