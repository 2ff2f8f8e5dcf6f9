#include "analysis/collective/cost.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graph/base/mem.h"
#include "graph/base/quantity.h"
#include "graph/base/spec.h"

#include "registry/cost.inc"

KIND(cost, cost, struct cost_kind, .name = "cost", .what = "model of cost", .rank = 12)

int cost_open(struct cost *out, const char *text, int n, const struct cost_network *w, struct err *err)
{
    struct spec spec;
    const struct cost_kind *kind = (const struct cost_kind *)(const void *)kind_spec(&spec, &kind_cost, text, err);
    struct cost c = { .kind = kind, .n = n };
    int ret = -1;

    if (!kind)
        return -1;
    if (kind->network && !w)
        err_set(err, ERR_DOMAIN, "%s costs what a network's links take, and there is none", kind->name);
    else
        ret = spec_no_params(&spec, err) < 0 || (!(c.spec = strdup(text)) && err_memory(err) < 0) ? -1 :
            kind->open(&c, &spec, w, err);
    spec_release(&spec);
    if (ret < 0)
        cost_close(&c);
    else
        *out = c;
    return ret;
}

void cost_begin(struct cost *c)
{
    for (size_t i = 0; i < c->nfree; i++)
        c->free[i] = 0;
}

void cost_close(struct cost *c)
{
    if (c->kind && c->kind->close)
        c->kind->close(c);
    FREE(c->spec, c->free);
    *c = (struct cost){ 0 };
}

double cost_wire(const struct cost *c, double bytes)
{
    return c->frame > 0 ? bytes + c->header * fmax(1, ceil(bytes / c->frame)) : bytes + c->header;
}

static int cost_quantity(double *out, const struct cost *c, const struct spec *spec, const char *key,
                         enum quantity kind, double missing, struct err *err)
{
    const char *text = spec_get(spec, key);
    char what[60];
    bool unit;

    *out = missing;
    snprintf(what, sizeof what, "%s of %s", key, c->kind->name);
    if (!text && isnan(missing))
        return err_set(err, ERR_USAGE, "'%.80s' says no %s: write it, as in %s", spec->text, key, c->kind->example);
    if (!text)
        return 0;
    if (quantity_parse(out, &unit, text, kind, what, err) < 0)
        return -1;
    if (!unit && *out != 0)
        return err_set(err, ERR_USAGE, "%s is %s; it needs a unit, as in %s", what, text, c->kind->example);
    return *out >= 0 ? 0 : err_set(err, ERR_USAGE, "%s is %s; it must not be negative", what, text);
}

int cost_time(double *out, const struct cost *c, const struct spec *spec, const char *key, double missing,
              struct err *err)
{
    return cost_quantity(out, c, spec, key, QUANTITY_TIME, missing, err);
}

int cost_rate(double *out, const struct cost *c, const struct spec *spec, const char *key, double missing,
              struct err *err)
{
    double rate;

    if (cost_quantity(&rate, c, spec, key, QUANTITY_RATE, missing, err) < 0)
        return -1;
    if (!(rate > 0))
        return err_set(err, ERR_USAGE, "%s of %s must be positive", key, c->kind->name);
    *out = 8 / rate;                    /* rates are in bits */
    return 0;
}

int cost_frames(struct cost *c, const struct spec *spec, struct err *err)
{
    int64_t frame, header;

    if (spec_key_int(&frame, spec, "frame", 1, 1 << 30, 0, err) < 0 ||
        spec_key_int(&header, spec, "header", 0, 1 << 20, 0, err) < 0)
        return -1;
    c->frame = (double)frame;
    c->header = (double)header;
    return 0;
}

int cost_room(struct cost *c, size_t n, struct err *err)
{
    c->nfree = n;
    return TAKE("what is held", err, ZEROS(c->free, n));
}
