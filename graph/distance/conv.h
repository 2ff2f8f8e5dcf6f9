/* conv.h -- exact sums of distances over a set and its translates, for every target at once.
 * With D the distances of a group and S a set: once[v] = sum over i in S of D[v-i], twice[v] = sum over i, j in S
 * of D[v-i-j]. Both are convolutions: real transforms over the group's dimensions (FFTW), or sliding sums where S
 * is a window of multiples of a generator. Results are exact integers: what is transformed is centred, the
 * rounding error is bounded from the norms before, and operands are split where the bound would not do. */
#pragma once

#include "graph/group.h"

struct conv;

/* D stays the caller's and must outlive the conv. */
int conv_open(struct conv **out, const struct group *g, const uint32_t *D, struct err *err);
void conv_close(struct conv *c);
/* Greatest rounding error of a sum that is put up with before operands are split, 0.3 unless set: with a little one,
 * small groups take the way of huge ones. */
void conv_tolerate(struct conv *c, double error);
/* Bytes beyond D for a group of n elements. */
double conv_bytes(const struct group *g);

/* S = {v: D[v] <= radius}. *value points to n sums, valid until the next call. */
int conv_ball(struct conv *c, uint32_t radius, bool twice, const double **value, struct err *err);

/* S = {start*step, ..., (start+length-1)*step} summed over in place: value[v] = sum of value[v-i]. A product of
 * windows is one call after the other. `step` is the unit vector of a dimension, or any element of a group with one
 * dimension. `line` has room for twice group_order_of(step) values. */
void conv_window(const struct group *g, int step, int start, int length, double *value, double *line);
