/* trees.h -- collectives over process trees.
 * Segment by segment a process receives from its parent and sends to its children, in the order of the tree. Towards
 * the root all is the same backwards: what was sent first (the largest subtree) comes last. There may be two trees,
 * with half the vector each, that share the root alone, which serves the first tree first. Ranks are relative to the
 * root, which is rank 0. */
#pragma once

#include "model/collective/collective.h"
#include "model/process/tree.h"

/* `open` over the tree of the algorithm; where it has none, the binomial one. */
int trees_open(struct schedule *s, struct err *err);
/* For an `open` of its own: the pieces, and room for one tree or two and, from child + n of the last on, for `more`
 * numbers a rank. Then the parents (-1, until filled in: the rank is not in this tree) go into trees_shape, and
 * tree_shape_children makes the rest. */
int trees_take(struct schedule *s, int trees, int more, struct err *err);
struct tree_shape trees_shape(const struct schedule *s, int tree);

/* The tree of a broadcast that sends the whole once to each, the schedule's own; false: it is another. */
bool trees_alone(struct tree_shape *out, const struct schedule *s);

/* From the root and towards it. Of gather and scatter, a message is the blocks of a subtree, whose ranks must follow
 * each other. */
extern const struct program trees_down, trees_up;
/* `parts` of whole operations. */
extern const struct program *const trees_from_root[], *const trees_to_root[];
/* Operations over the tree of trees_open; a scatter goes as a broadcast does, a gather as a reduce. */
extern const struct program trees_broadcast, trees_reduce, trees_both;
/* What an algorithm over a tree of the catalogue does; NULL: it does not serve that. */
const struct program *trees_program(const struct tree *tree, enum operation operation);
/* Over the tree s->shape, which the caller has laid out: no entry of the catalogue. A rank with parent -1 has no part
 * in it but as the root of its own subtree. */
extern const struct collective trees_given;
