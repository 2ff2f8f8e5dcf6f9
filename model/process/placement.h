/* placement.h -- which node each process runs on: process p on node[p], a terminal.
 * Errors  ERR_DOMAIN for more processes than there is room for; ERR_FORMAT names file and line of a bad list. */
#pragma once

#include "graph/net.h"

struct placement {
    int n;                          /* processes, at least 1 */
    int *node;
    int nhost;                      /* hosts of a list that are no nodes of the network, and stand for its first
                                     * terminals in the order in which they come; 0: they are nodes */
    int nlevel, *level;             /* groups that a table declares, outermost first: level[process * nlevel + l],
                                     * the least process of the group; each within one of the level above */
};

/* `text` is "row-major" (process p on the p-th terminal; also NULL), "random" (terminals shuffled with
 * `seed`: same seed, same places for any number of processes), or "file:PATH", a list of nodes (names,
 * coordinates or numbers), one a line, '#' beginning a comment line, or a CSV table with columns process and node; its
 * other columns are groups in groups, the outermost first.
 * per_node 1: a node takes one process. More: terminals are filled so, one after the other, and a node of a list takes
 * as many a line, or what the line says in its end, as in the host files of MPI: `node7 slots=2` (max_slots is read
 * over). Where the first line has a name with a letter that is no node's, all are such names, of hosts: each stands for
 * a terminal, in the order in which they come. 0: one each, or as many as the network itself says, but what a list says:
 * a node that stands there twice takes two.
 * processes 0: as many as there is room for. A list of more is used from its beginning. */
int placement_init(struct placement *p, const struct net *net, const char *text, int processes, int per_node,
                   uint64_t seed, struct err *err);
/* From nodes given one by one (copied), one process each. */
int placement_from(struct placement *p, const struct net *net, const int *node, int n, struct err *err);
void placement_release(struct placement *p);
/* For what is about nodes with one process each: ERR_DOMAIN where one has several. */
int placement_single(const struct placement *p, const struct net *net, struct err *err);
