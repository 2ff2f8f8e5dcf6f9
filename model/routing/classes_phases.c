/* A class for each leg of a multistep path, so that a message on one leg never waits for one on an earlier leg; within
 * a leg datelines, where the network has them. */
#include "model/routing/classes.h"
#include "texts/classes.h"

struct phases {
    struct datelines d;             /* within: all zero where there are none */
    int within;                     /* classes of a step */
};

static void phases_close(void *state)
{
    struct phases *p = state;

    datelines_close(&p->d);
}

/* The most steps of a way. */
static int phases_count(int *most, struct follow *f, struct routing *r, struct err *err)
{
    for (int t = 0; t < f->nend; t++)
        for (int s = 0; s < (r->invariant && t ? 0 : f->nend); s++) {
            if (s == t)
                continue;
            ways_clear(&f->ways);
            if (follow_tick(f, err) < 0 ||
                r->route->ways(&f->ways, r, NULL, follow_end(f, s), follow_end(f, t), err) < 0)
                return -1;
            for (size_t k = 0; k < f->ways.n; k++) {
                const int steps = (int)(f->ways.end[k] - (k ? f->ways.end[k - 1] : 0));

                if (steps > *most)
                    *most = steps;
            }
        }
    return 0;
}

static int phases_open(struct classes *c, const struct spec *spec, struct follow *f, struct routing *r, size_t nrouting,
                       struct err *err)
{
    static const char *const choices[] = { "auto", "none", "dateline", NULL };
    struct phases *p = c->state;
    int within, steps = 1;

    if (spec_choice(&within, spec, "within", choices, err) < 0)
        return -1;
    for (size_t i = 0; i < nrouting; i++)
        if (r[i].legs)
            steps = steps > r[i].legs ? steps : r[i].legs;
        else if (r[i].route->ways && !r[i].walks && phases_count(&steps, f, &r[i], err) < 0)
            return -1;
    p->within = 1;
    if (within != 1) {
        if (datelines_open(&p->d, f, r, nrouting, err) == 0)
            p->within = p->d.most + 1;
        else if (within == 2 || err->code != ERR_DOMAIN)
            return -1;
    }
    c->marks = c->most = steps * p->within;
    c->invariant = p->within == 1;
    c->free = !r->escape && f->net->lines == LINES_GRID && classes_by_dor(r, nrouting) &&
        (p->d.rings || !datelines_rings(f->net));
    return within ? spec_append(&c->spec, err, "phases,within=%s", choices[within]) : 0;
}

static int phases_begin(const struct classes *c, const struct classes_way *at, int)
{
    const struct phases *p = c->state;

    return at->leg * p->within;
}

static int phases_cross(const struct classes *c, int mark, int in, int link)
{
    const struct phases *p = c->state;

    return p->within == 1 ? mark :
        mark / p->within * p->within + datelines_cross(&p->d, mark % p->within, in, link);
}

static void phases_say(const struct classes *c, int class, char out[80])
{
    const struct phases *p = c->state;
    int n = snprintf(out, 80, "step %d", class / p->within + 1);

    if (p->within > 1 && n > 0) {
        out[n] = ',';
        out[n + 1] = ' ';
        datelines_say(&p->d, class % p->within, out + n + 2, 78 - (size_t)n);
    }
}

const struct classes_kind classes_phases = {
    CLASSES_PHASES_ENTRY,
    .channels = true,
    .rank = 2,
    .by_rule = true,
    .state = sizeof(struct phases),
    .open = phases_open,
    .close = phases_close,
    .begin = phases_begin,
    .cross = phases_cross,
    .class = classes_mark,
    .say = phases_say
};
