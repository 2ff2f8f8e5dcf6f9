/* flows_alike.h -- orbits of what messages cross: nodes, trunks and turns from trunk to trunk that the symmetries of a
 * network take to each other, links as they are and traffic kept. Symmetric routings (route.h) send messages alike over
 * what is in one orbit.
 * Found by the search of symmetry.h: what it has not found folds less, and as rightly.
 * Errors  ERR_MEMORY, ERR_STOPPED. */
#pragma once

#include "model/routing/follow.h"
#include "model/traffic/traffic.h"

struct alike {
    int *node;                  /* by node the first of its orbit; NULL: there is nothing to fold */
    int *trunk;                 /* by trunk, as of follow.links: the first of its orbit */
    struct csr back;            /* where trunks come from */
    int *turn;                  /* by turn, likewise: at[trunk in, as of back] + place of the trunk out at its node */
    size_t *at;
    int *turns, *trunks;        /* by the first of an orbit: its members */
    int nkind;
    int *kind;                  /* of cables, by that of the network: the first like it */
};

/* Of `hosts` alone: those that hang on one switch by a cable of one kind each; for routings to which hosts of a switch
 * are the same. Else: `traffic` NULL: none needs be kept. Leaves a->node NULL unless at least half of the terminals are like others;
 * `by_group`, where links within a group are like links between two. */
int alike_open(struct alike *a, const struct follow *f, const struct traffic *traffic, bool by_group, bool hosts,
               const struct tick *tick, struct err *err);
void alike_close(struct alike *a);              /* a zeroed struct is fine */

/* Kind of a link of the network. */
int alike_kind(const struct alike *a, const struct follow *f, size_t link);
/* Its trunk. */
static inline size_t alike_trunk(const struct follow *f, size_t link)
{
    return f->trunks.first ? csr_link(&f->links, f->tail[link], f->head[link]) : link;
}
/* From one link of the network on to another: the orbit of such turns, and how many of them lead to one link. */
int alike_turn(double *many, const struct alike *a, const struct follow *f, size_t in, size_t out);
