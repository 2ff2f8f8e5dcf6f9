/* ghs.h -- a minimum spanning tree, built by the processes themselves: the algorithm of Gallager, Humblet and Spira
 * (A distributed algorithm for minimum-weight spanning trees, ACM Transactions on Programming Languages and Systems
 * 5(1), 1983), as in wide-area collectives, section 2.1.
 *
 * Each process begins as a fragment of level 0. A fragment looks for its outgoing link of least rank: processes that
 * know ask over links with an unknown other end (Test, answered by Accept or Reject), and tell what they found towards the
 * core, the link that the fragment is called after (Report). Over the best one the fragment asks to be joined
 * (Change-core, Connect): one of a lower level becomes part of the other, two of one level that ask each other over the
 * same link become a fragment of the next, whose core it is (Initiate). When none goes out, the core's process of
 * lesser number is the root, and tells all (Gosleep): where the graph is not connected there is a tree for each part.
 * All processes are awake at the beginning. Messages: at most 5 n log2 n + 2 m, and n - 1 of Gosleep.
 * Other machines (adapt.h) begin with larger fragments, whose best link is decided on by the one process that has none
 * towards the core, and go on where this one ends. */
#pragma once

#include "model/protocol/protocol.h"

enum ghs_type { GHS_CONNECT, GHS_INITIATE, GHS_TEST, GHS_ACCEPT, GHS_REJECT, GHS_REPORT, GHS_CHANGE_CORE, GHS_GOSLEEP,
                GHS_TYPES };
enum ghs_link { GHS_BASIC, GHS_BRANCH, GHS_REJECTED };
enum ghs_state { GHS_SLEEPING, GHS_FIND, GHS_FOUND };
extern const struct machine ghs_machine;

struct ghs {
    struct ghs_process {
        int level, root;                /* root: known at the end; -1 */
        enum ghs_state state;
        uint32_t fragment;              /* rank of its core; UINT32_MAX: a fragment of one */
        int count;                      /* reports to come */
        int64_t in, best, test;         /* half-links, -1: none: towards the core; the best one's way; asked over */
        uint32_t weight;                /* rank of the best; UINT32_MAX: none */
        size_t next;                    /* no basic half-link before it */
    } *process;
    uint8_t *link;                      /* enum ghs_link, by half-link */
    int levels;                         /* the highest level */
    int (*end)(struct protocol *r, int root, struct err *err);      /* no link goes out of the root's fragment */
};
int ghs_open(struct ghs *g, const struct wiring *w, struct err *err);
void ghs_release(struct ghs *g);

/* For machines with a state that begins with a struct ghs; half-links, -1: none. */
int ghs_on_message(struct protocol *r, int v, const struct message *m, struct err *err);
/* The same message over all links of the tree but one; how many, -1 with err. */
int ghs_spread(struct protocol *r, int v, int type, int64_t but, int level, uint32_t value, struct err *err);
/* v belongs to that fragment, and looks for its best link where it finds; tells all but `from` by messages `type`. */
int ghs_find(struct protocol *r, int v, int type, int64_t from, int level, uint32_t fragment, enum ghs_state state,
             struct err *err);
/* v knows the root, and its link towards it; tells the others by `type`. */
int ghs_sleep(struct protocol *r, int v, int type, int64_t from, int root, struct err *err);
