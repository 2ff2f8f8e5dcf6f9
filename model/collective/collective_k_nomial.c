/* The binomial tree in another base: the parent of a rank is the rank with its lowest digit but 0 taken away. */
#include "model/collective/trees.h"
#include "texts/collective.h"

static int k_nomial_open(struct schedule *s, struct err *err)
{
    struct tree_shape shape;

    if (trees_take(s, 1, 0, err) < 0)
        return -1;
    shape = trees_shape(s, 0);
    for (int v = 1; v < s->n; v++) {
        int place = 1;

        while (v / place % s->radix == 0)
            place *= s->radix;
        shape.parent[v] = v - v / place % s->radix * place;
    }
    tree_shape_children(&shape, NULL, true);
    return 0;
}

const struct collective collective_k_nomial = {
    COLLECTIVE_K_NOMIAL_ENTRY,
    .serves = {
        [BROADCAST] = &(const struct program){ .open = k_nomial_open, .parts = trees_from_root },
        [REDUCE] = &(const struct program){ .open = k_nomial_open, .parts = trees_to_root }
    },
    .segments = true,
    .radix = true
};
