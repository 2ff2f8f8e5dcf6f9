/* parts.h -- what part of each pair's messages crosses a link, for all links: sparse matrices of sources by targets.
 * Folded (flows.h), a link is a step, and terminals are seen from where it begins. */
#ifndef ANALYSIS_BOUND_PARTS_H
#define ANALYSIS_BOUND_PARTS_H

#include "analysis/load/flows_spread.h"

/* Of the messages from row to column, by terminal, that crosses a link; twice is twice. */
struct part {
    int row, column;
    double part;
};
struct parts {
    struct net *net;
    const struct flows *f;
    bool folded;
    int n;                      /* terminals */
    size_t nlink;
    size_t *first;              /* nlink + 1, into entry */
    struct part *entry;

    /* one pair's messages on their way, while the parts are found */
    int *state_link;
    struct flows_spread spread;
    double *on;                 /* by link, folded: link * n + where it begins */
    size_t *touched, ntouched;
};
struct pair {
    size_t from, to;            /* injections */
    double all;                 /* sum of their shares */
    int source, target;         /* terminals */
};

int parts_open(struct parts *p, struct net *net, const struct flows *f, const struct tick *tick, struct err *err);
void parts_close(struct parts *p);
/* The pair that begins with an injection. */
struct pair parts_pair(const struct parts *p, size_t injection);

#endif
