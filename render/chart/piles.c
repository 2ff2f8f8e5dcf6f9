#include "render/chart/piles.h"

struct place {
    double x, y;
};

static int piles_order(const void *a, const void *b)
{
    const struct place *p = a, *q = b;

    return p->x != q->x ? (p->x > q->x) - (p->x < q->x) : (p->y > q->y) - (p->y < q->y);
}

int piles_make(struct piles *out, const struct chart *c, struct err *err)
{
    const size_t all = chart_points(c);
    struct place *at = NULL;
    size_t done = 0;

    *out = (struct piles){ 0 };
    if (TAKE("the chart", err, ARRAY(out->pile, all + 1), ARRAY(out->v, all + 1), ARRAY(at, all + 1)) < 0)
        return -1;
    for (size_t i = 0; i < c->nseries; i++) {
        const struct series *s = &c->series[i];
        size_t n = 0;

        for (size_t p = 0; !s->over && p < s->n; p++)
            if (isfinite(s->at[p].x) && isfinite(s->at[p].y))
                at[n++] = (struct place){ s->at[p].x, s->at[p].y };
            else
                out->infinite += !isnan(s->at[p].x) && !isnan(s->at[p].y);
        qsort(at, n, sizeof *at, piles_order);
        for (size_t p = 0; p < n; p++) {
            if (p == 0 || at[p].x != at[p - 1].x)
                out->pile[out->n++] = (struct pile){ i, at[p].x, out->v + done, 0 };
            out->pile[out->n - 1].n++;
            out->v[done++] = at[p].y;
        }
    }
    free(at);
    return 0;
}

void piles_release(struct piles *p)
{
    FREE(p->pile, p->v);
}
