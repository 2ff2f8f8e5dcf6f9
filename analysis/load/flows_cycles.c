#include <stdlib.h>

#include "analysis/load/flows.h"

/* Links are taken away as long as one is that no other leads on to; what is left goes round. Where folded, a cycle of classes is
 * one of links, since the group is finite. */
int flows_cycles(struct flows *f, struct err *err)
{
    int *behind = calloc(f->nlink + 1, sizeof *behind), *stack = malloc((f->nlink + 1) * sizeof *stack);
    int *next = malloc((f->nport + 1) * sizeof *next), *first = malloc((f->nlink + 1) * sizeof *first);
    int *into = malloc((f->nport + 1) * sizeof *into);
    size_t depth = 0, gone = 0;

    if (!behind || !stack || !next || !first || !into) {
        err_memory(err);
        gone = SIZE_MAX;
        goto done;
    }
    for (size_t l = 0; l < f->nlink; l++)
        first[l] = -1;
    for (size_t l = 0; l < f->nlink; l++)
        for (size_t g = f->port_first[l]; g < f->port_first[l + 1]; g++)
            if (f->port_in[g] >= 0) {           /* from link port_in[g] on to l */
                into[g] = (int)l;
                next[g] = first[f->port_in[g]];
                first[f->port_in[g]] = (int)g;
                behind[l]++;
            }
    for (size_t l = 0; l < f->nlink; l++)
        if (behind[l] == 0)
            stack[depth++] = (int)l;
    for (; depth > 0; gone++)
        for (int g = first[stack[--depth]]; g >= 0;) {
            const int to = into[g];

            g = next[g];
            if (--behind[to] == 0)
                stack[depth++] = to;
        }
    f->cyclic = gone < f->nlink;
done:
    free(behind);
    free(stack);
    free(next);
    free(first);
    free(into);
    return gone == SIZE_MAX ? -1 : 0;
}
