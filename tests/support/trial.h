/* trial.h -- one broadcast with everything it is made of, to be held to a slow, literal twin and to a judge of
 * schedules that knows neither. Failures are cmocka's. */
#pragma once

#include "analysis/collective/steps.h"

#define TRIAL_MOST 150              /* processes the twin takes */
#define TRIAL_MOST_NODES 4096

struct trial {
    struct net *net;
    struct routing routing;
    struct placement where;
    struct tree_shape tree;
    int root;
    struct broadcast_how how;
};

/* Processes in order, root 0. */
void trial_open(struct trial *c, const char *spec, const char *tree, int processes, int ports, bool blocking);
void trial_release(struct trial *c);
/* A tree of the catalogue as steps have it: links weigh 1; binomial where it does not serve the network. */
void trial_tree(struct tree_shape *shape, const struct tree *tree, struct net *net, const struct placement *where,
                int root);
/* The fast simulation against the twin, its schedule before the judge. */
void trial_check(struct trial *c);
