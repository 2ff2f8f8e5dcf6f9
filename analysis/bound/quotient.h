/* quotient.h -- a network as each of its sources sees it, by symmetries that keep the source (fold.h says what for). */
#pragma once

#include "analysis/bound/fold.h"

struct maps {                   /* symmetries: generators of them all */
    const struct group *group;  /* where its translations are among them, else NULL */
    int n;
    size_t count;
    int *map, *inverse;         /* count * n each */
};

/* f->view of every f->source, by f->class_of. What a source's stabiliser joins is found by Schreier's lemma from random
 * symmetries, the same ones every time. ERR_MEMORY, ERR_STOPPED. */
int quotients_open(struct fold *f, const struct demand *d, const struct maps *g, const struct tick *t, struct err *err);
