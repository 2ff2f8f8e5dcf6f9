#include "analysis/load/flows_spread.h"
#include "graph/base/heap.h"

/* Parents have larger numbers than children: a state on top has all its mass. */
#define LARGER(context, a, b) ((void)(context), (a) > (b))
HEAP(states, const void *, int, LARGER, HEAP_NOWHERE)

int flows_spread_open(struct flows_spread *out, const struct flows *f, struct err *err)
{
    const size_t n = f->chain ? 1 : f->nstate + 1;
    struct flows_spread w = { .f = f };

    if (TAKE("how messages spread", err, ZEROS(w.mass, n), ARRAY(w.heap, n)) < 0)
        return -1;
    *out = w;
    return 0;
}

void flows_spread_close(struct flows_spread *w)
{
    FREE(w->mass, w->heap);
    *w = (struct flows_spread){ 0 };
}

void flows_spread_add(struct flows_spread *w, int state, double mass)
{
    double *here = &w->mass[w->f->chain ? 0 : state];

    if (!(mass > 0))
        return;
    if (*here == 0)
        states_push(NULL, w->heap, &w->n, state);
    *here += mass;
}

bool flows_spread_largest(struct flows_spread *w, int *state, double *mass)
{
    const struct flows *f = w->f;

    *state = states_pop(NULL, w->heap, &w->n);
    *mass = w->mass[*state];
    w->mass[*state] = 0;
    for (uint32_t e = f->edge_first[*state]; e < f->edge_first[*state + 1]; e++)
        flows_spread_add(w, f->edge_child[e], *mass * f->edge_share[e]);
    return true;
}
