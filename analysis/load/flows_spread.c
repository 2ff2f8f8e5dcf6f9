#include "analysis/load/flows_spread.h"

#include <stdlib.h>

#include "graph/base/heap.h"

/* Parents have larger numbers than children: a state on top has all its mass. */
#define LARGER(context, a, b) ((void)(context), (a) > (b))
HEAP(states, const void *, int, LARGER, HEAP_NOWHERE)

double flows_spread_bytes(const struct flows *f)
{
    return f->chain ? 0 : (double)(sizeof(double) + sizeof(int)) * (double)f->nstate;
}

int flows_spread_open(struct flows_spread *out, const struct flows *f, struct err *err)
{
    const size_t n = f->chain ? 1 : f->nstate + 1;
    struct flows_spread w = { .f = f, .mass = calloc(n, sizeof *w.mass), .heap = malloc(n * sizeof *w.heap) };

    if (!w.mass || !w.heap) {
        flows_spread_close(&w);
        return err_memory(err);
    }
    *out = w;
    return 0;
}

void flows_spread_close(struct flows_spread *w)
{
    free(w->mass);
    free(w->heap);
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
