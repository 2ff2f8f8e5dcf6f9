/* load.h -- what commands about load understand alike: traffic, routing, how often messages are sent, how they hold links. */
#ifndef CLI_REQUEST_LOAD_H
#define CLI_REQUEST_LOAD_H

#include "analysis/bound/worst.h"
#include "analysis/latency/latency.h"
#include "cli/request/options.h"

struct load_request {
    struct strings traffic, routing;
    const char *interval, *rate, *load, *scale;         /* lists as given; at most one of them */
    double packet, hop_time;
    const struct switching *switching;
    const struct closure *closure;
    bool open, ejection, unfolded;
};
enum { KEY_TRAFFIC = 0x3000, KEY_ROUTING, KEY_INTERVAL, KEY_RATE, KEY_LOAD, KEY_SCALE, KEY_PACKET, KEY_HOP_TIME, KEY_SWITCHING,
       KEY_CLOSURE, KEY_LOOP, KEY_EJECTION, KEY_SYMMETRY };

/* Rows of an array of struct argp_option. */
#define LOAD_TRAFFIC_OPTIONS                                                                                              \
    { "traffic", KEY_TRAFFIC, "LIST", 0, "who sends to whom, as in uniform,transpose,file:channels.csv (default: uniform; " \
      "`metapath list traffic`)", 1 },                                                                                      \
    { "interval", KEY_INTERVAL, "LIST", 0, "mean cycles between messages of a source, as in 10..1000..x1.5", 1 },           \
    { "rate", KEY_RATE, "LIST", 0, "or messages per cycle of a source", 1 },                                                \
    { "load", KEY_LOAD, "LIST", 0, "or what a source offers in units of a link, as in 0.05..0.3..0.05; with %, of the "      \
      "model's own saturation, as in 10%..90%..20%", 1 },                                                                   \
    { "scale", KEY_SCALE, "LIST", 0, "factors for the rates of channels that have intervals of their own (default: 1)", 1 }
#define LOAD_MODEL_OPTIONS                                                                                                 \
    { "packet", KEY_PACKET, "FLITS", 0, "length of messages: their transmission time in cycles (default: 10)", 2 },         \
    { "loop", KEY_LOOP, "closed|open", 0, "closed: a source has one message under way and then waits an interval; open: it "  \
      "sends at random whatever the network does (default: closed)", 2 },                                                   \
    { "switching", KEY_SWITCHING, "NAME", 0, "wormhole, wormhole-pipelined, cut-through or circuit (default: wormhole; "      \
      "`metapath list switching`)", 2 },                                                                                    \
    { "hop-time", KEY_HOP_TIME, "CYCLES", 0, "of wormhole-pipelined, for every link after the first (default: 1)", 2 },       \
    { "closure", KEY_CLOSURE, "pairwise|resistor", 0, "of closed sources: how waits for several others add up (default: "     \
      "pairwise)", 2 },                                                                                                     \
    { "ejection", KEY_EJECTION, NULL, 0, "messages collide on their way out of the network too", 2 },                        \
    { "symmetry", KEY_SYMMETRY, "auto|none", 0, "none: solve for every source, even where all are alike (default: auto)", 2 }

void load_init(struct load_request *q);
void load_release(struct load_request *q);
/* 0, -1 with err, 1: not one of these. */
int load_option(struct load_request *q, int key, char *arg, struct err *err);

/* Any traffic by its spec: the door of all commands. Those that an analysis finds (worst:ROUTING) are solved here, for
 * links of these capacities (NULL: 1 each); `how` is read for no other. */
int load_traffic(struct traffic *out, struct net *net, const char *text, const double *capacity,
                 const struct worst_options *how, struct err *err);

struct load_point {
    double interval;            /* of sources without one of their own; 1 where none was said */
    double factor;
    double part;                /* of the model's own saturation; NAN: absolute */
};
extern const struct load_point load_as_it_is;       /* nothing said */
/* The loads asked for, fresh. Where none were: one, as they are, for a traffic whose channels all have intervals of
 * their own; else *n is 0 (also where t is NULL). */
int load_points(struct load_point **out, size_t *n, const struct load_request *q, const struct traffic *t,
                struct err *err);
/* Whether the points suit a traffic whose channels have, or lack, intervals of their own. */
int load_suits(const struct load_request *q, const struct traffic *t, struct err *err);
/* The interval that all sources have at a load; NAN where channels have their own. */
double load_interval(const struct load *load, const struct traffic *t);
/* For a study with that saturation factor. */
struct load load_at(const struct load_point *p, double saturation_factor);
/* The one --routing that leads from stop to stop, as keys of a metapath: "dor,order=1+2" -> ",base=dor,order=1+2"; "" where none
 * was given. */
int load_base_keys(char *out, size_t size, const struct load_request *q, const char *command, struct err *err);
void load_options(struct latency_options *out, const struct load_request *q, const struct options *common,
                  const struct tick *tick);

#endif
