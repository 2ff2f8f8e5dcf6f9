/* loggp.h -- what LogGP and LogGOPS have in common; `cpu` is 0 in the former. */
#pragma once

#include "analysis/collective/cost.h"

int loggp_open(struct cost *c, const struct spec *spec, const struct cost_network *w, struct err *err);
double loggp_send(struct cost *c, int from, int to, double bytes, double *time, struct err *err);
double loggp_take(struct cost *c, int to, double bytes, double arrival, double time);
double loggp_alone(const struct cost *c, double bytes);
double loggp_gap(const struct cost *c, double bytes);
