/* blocks.h -- parts of programs that move blocks of a vector: a cube of processes, what brings the others to it, a tree
 * and a ring.
 *
 * Core  m processes, m the largest power of two up to n. The other n - m, *extra*, fold: ranks 2c and 2c + 1 are twins
 *       for c < n - m, and one of them stays in the core as number c; rank r from 2 (n - m) on is number r - (n - m).
 *       Ranks are relative to the root where there is one.
 * Position  of a core process in the cube: its number, or that with its bits reversed, which makes near what was far.
 * Blocks  of position v: piece v, where there are m pieces; where there are n, those of its number and of its twin,
 *       which stand together. Positions with the same high bits have their blocks in one run.
 * Errors ERR_MEMORY.
 * Source R. Thakur, R. Rabenseifner and W. Gropp 2005 (collective.h). */
#pragma once

#include "model/collective/collective.h"

/* For `open`: the core into s->state. `stays` of twins: the even (0) or the odd (1). Returns m, -1 where it fails. */
int blocks_core(struct schedule *s, int stays, bool reversed, struct err *err);

/* Extra process to its twin, which adds it: all. Extra and twin: a half of the vector each, which the twin then has
 * whole (m pieces). The block of the extra process, which its twin places. */
extern const struct program blocks_fold, blocks_fold_halves, blocks_fold_own;
/* Back: all; what it does not have, all but its own block; its own. */
extern const struct program blocks_unfold, blocks_unfold_rest, blocks_unfold_own;

/* In the cube: each exchanges all with the process at distance 1, 2, 4, ..., and adds it. */
extern const struct program blocks_exchange;
/* Each sends the half it gives up and adds the half it keeps: distance m / 2 first, its own blocks last. And back. */
extern const struct program blocks_halving, blocks_doubling;

/* Binomial tree, subtrees in one message: from position 0 to every position its blocks, and back. Without a core
 * positions are ranks, and there are n. */
extern const struct program blocks_scatter, blocks_gather;
/* Round the ring of positions, each begins with its own block. Without a core. */
extern const struct program blocks_ring;
