/* ball.h -- what the two gravity areas share. */
#pragma once

#include "model/supernode/supernode.h"

int ball_bind(struct supernode *s, const struct net *net, const struct spec *spec, struct err *err);
/* Nodes within the radius: in m-dimensional grids of rings sum over i of 2^i C(m,i) C(r,i) while no ring is
 * shorter than 2r+1; in hypercubes sum of C(m,i). */
double ball_size(const struct supernode *s, const struct net *net);
int ball_members(struct members *m, int node, bool into, int *member);
