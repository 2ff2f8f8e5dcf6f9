/* parts.h -- what part of each pair's messages crosses a link, one link at a time: followed back from the link to their
 * sources, so that no more is kept than the flows, their steps backwards and one link's parts.
 * Folded (flows.h), a link is a step, and terminals are seen from where it begins. */
#pragma once

#include "analysis/load/flows.h"

struct parts {
    struct net *net;
    const struct flows *f;
    bool folded;
    int n;                      /* terminals */
    size_t nlink;
    size_t *first;              /* nlink + 1, into state: those on each link, by column */
    int *state, *column;        /* column, by state: the terminal where its messages end */
    size_t *back_first;         /* nstate + 1: what leads to a state ... */
    int *back;
    double *back_share;         /* NULL where f->chain: 1 */
    size_t *enter_first;        /* nstate + 1: ... and sources that enter there, with their part of a pair's messages */
    int *enter_row;
    double *enter_part;
    size_t span;                /* no state comes from one this much higher, over however many steps */
};
/* Of the messages from row to column, by terminal, that crosses a link; twice is twice. */
struct part {
    int row, column;
    double part;
};
/* One link's, column by column. One thread each. */
struct parts_of {
    const struct parts *p;
    size_t n, room;
    struct part *part;
    uint64_t *bit;              /* by distance from the state on the link: messages come by there */
    double *mass;               /* and how many; where states branch */
    double *on;                 /* by row */
    int *row, nrow;
};
struct pair {
    size_t from, to;            /* injections */
    double all;                 /* sum of their shares */
    int source, target;         /* terminals */
};

int parts_open(struct parts *p, struct net *net, const struct flows *f, struct err *err);
void parts_close(struct parts *p);
/* The pair that begins with an injection. */
struct pair parts_pair(const struct parts *p, size_t injection);

int parts_of_open(struct parts_of *w, const struct parts *p, struct err *err);
void parts_of_close(struct parts_of *w);
int parts_of_link(struct parts_of *w, size_t link, struct err *err);
