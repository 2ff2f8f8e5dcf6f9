/* topo_sample.h -- distances from a sample of the terminals, for topo_report.c. */
#ifndef ANALYSIS_NETWORK_TOPO_SAMPLE_H
#define ANALYSIS_NETWORK_TOPO_SAMPLE_H

#include "analysis/network/topo_report.h"

/* Fills in what topo_report.h says of a sample, and `pairs`: those from the o->sources that are drawn. */
int topo_sample(struct topo_report *r, struct net *net, const struct topo_report_options *o, const struct tick *t,
                struct err *err);

#endif
