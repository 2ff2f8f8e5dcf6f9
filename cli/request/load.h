/* load.h -- what commands about load understand alike: traffic, routing, how often messages are sent, how they hold
 * links. */
#pragma once

#include "analysis/bound/worst.h"
#include "analysis/latency/latency.h"
#include "cli/request/frame.h"

struct load_request {
    struct strings traffic, routing;
    const char *interval, *rate, *load, *scale;         /* lists as given; at most one of them */
    double packet, hop_time;            /* hop_time NAN: not said */
    struct {
        int vcs, classes;               /* 0: not said */
        double buffer, credit_loop, time;       /* NAN: not said */
        int crossbar, interleave;       /* places in their lists; -1: not said */
        const char *scheme;             /* of classes, in place of a number; NULL: not said */
    } router;
    const struct switching *switching;  /* NULL: not said */
    const struct switching *usual;      /* of open sources, where none is said; NULL: virtual-channel */
    const struct closure *closure;
    int loop, terminals;                /* closed, open, then other ways to be open; links, free; -1: not said */
    bool drb, unfolded;
    bool finite;                        /* cut-through and store-and-forward may have limited buffers */
    struct load_said {                  /* in the title, or under the table, by load_say */
        bool closed, open, several;     /* several switchings */
        const char *plain;              /* the title without it */
        const char *sources;            /* what they are called, in place of open and closed; NULL: that */
        const struct switching *switching;
        char title[440], assumed[440];
    } said;
};
/* A request that says nothing of load. What it leaves open, load_options settles for the traffic at hand:
 *   sources    open, which --load and --rate are about; closed where intervals are given, by the request or a file
 *   switching  virtual-channel for open sources, wormhole for closed ones
 *   router     what the switching means; of virtual-channel 4 channels of 8 flits, and 2 classes where dimension order
 *              goes round rings (dateline)
 * and --model drb for all: closed, wormhole, no hop time, terminals free. */
#define LOAD_ROUTER { 0, 0, NAN, NAN, NAN, -1, -1, NULL }
#define LOAD_USUAL { .packet = 10, .hop_time = NAN, .loop = -1, .terminals = -1, .closure = &closure_pairwise, \
                     .router = LOAD_ROUTER }
/* About a struct load_request; a command says what its own --routing is (INTO(load.routing)). Which loads it takes:
 * any; equal ones, no parts of saturation, which would differ; or one, of one traffic. */
extern const struct option_field load_options_any[], load_options_equal[], load_options_one[], load_options_model[],
    load_options_loop[], load_options_switching[], load_options_closure[], load_options_router[];
/* What has a model of waits; what has none, and a --loop of its own. */
#define LOAD_OPTIONS(request, which) \
    LOAD_OPTIONS_PLAIN(request, which), { load_options_loop, offsetof(request, load) }, \
        { load_options_closure, offsetof(request, load) }
#define LOAD_OPTIONS_PLAIN(request, which) \
    { load_options_##which, offsetof(request, load) }, { load_options_model, offsetof(request, load) }, \
        { load_options_switching, offsetof(request, load) }, { units_options, 0 }, { units_cable_options, 0 }
#define LOAD_ROUTER_OPTIONS(request) { load_options_router, offsetof(request, load) }

/* Calls `each` for every traffic asked for (uniform where none is), on the network at hand. */
int load_each_traffic(struct job *j, const struct load_request *q, int (*each)(struct job *j, const char *traffic,
                      const struct tick *part, struct err *err), struct err *err);

/* Any traffic by its spec: the door of all commands. Those that an analysis finds (worst:ROUTING) are solved here, for
 * links of these capacities (NULL: 1 each); `how` is read for no other. */
int load_traffic(struct traffic *out, struct net *net, const char *text, const double *capacity,
                 const struct worst_options *how, struct err *err);

/* What ecmp puts on its busiest link (even_load.h) at rates of one, as 1 / capacity_factor of a study is; NAN: not
 * known. */
int load_even(double *out, struct net *net, const struct traffic *t, double time, const struct tick *tick,
              struct err *err);
/* A note where a routing's busiest link carries more than 1.5 times what ecmp puts on its busiest (`even`), both for
 * the same demand. */
void load_note_uneven(struct table *t, const struct net *net, const struct traffic *traffic, const char *routing,
                      double busiest, double even);

/* A note where messages in several channels may block each other for good (`may deadlock` is said of one channel). */
void load_note_deadlock(struct table *t, const struct net *net, const char *routing, const struct latency_study *s);

/* A note that names what leads from stop to stop of metapaths where the network has no dimensions and --routing names
 * none. */
void load_note_base(struct table *t, const struct net *net, const struct load_request *q);

/* A note where a terminal's own links are asked for more than they carry (own_link.h); t NULL: added to the error. */
int load_note_own(struct table *t, struct net *net, const struct traffic *traffic, const struct latency_options *o,
                  const struct load *load, struct err *err);

/* A note of what the traffic's latency must not be taken for, where there is something. */
void load_note_caution(struct table *t, const struct traffic *traffic);

struct load_point {
    double interval;            /* of sources without one of their own; 1 where none was said */
    double factor;
    double part;                /* of the model's own saturation; NAN: absolute */
};
extern const struct load_point load_as_it_is;       /* nothing said */
/* A list without its % (%b: of the bisection), fresh, and which it had: all items ("loads", of --load) the same. */
enum load_parts { PARTS_NONE, PARTS_SATURATION, PARTS_BISECTION };
int load_percent(char **plain, enum load_parts *parts, const char *text, const char *what, const char *noun,
                 struct err *err);
/* The loads asked for, fresh. Where none were: one, as they are, for a traffic whose streams all have intervals of
 * their own; else *n is 0 (also where t is NULL). Parts of the bisection are absolute: 100%b are 2B/N flits per node
 * and cycle, B the bandwidth of all links between the halves, both ways, N terminals (Dally and Towles 2004, section
 * 3.3), where uniform traffic fills them. ERR_NETWORK where `metapath topo` has only bounds of it. */
int load_points(struct load_point **out, size_t *n, const struct load_request *q, struct net *net,
                const struct traffic *t, const struct tick *tick, struct err *err);
/* The turns of a loop are the loads that the request lists, where it lists some and is divided. */
int load_count(struct job *j, int loop, const struct load_request *q, struct err *err);
/* Whether --load is in parts of the model's saturation. */
bool load_of_saturation(const struct load_request *q);
/* Where a link of flows ends, at `node` (below 0: nowhere): "B", or "B:PORT" of one of several cables. */
struct named_cell load_link_end(const char *column, const struct flows *f, size_t link, int node,
                                char label[NET_LABEL]);
/* Whether the points suit a traffic whose streams have, or lack, intervals of their own. */
int load_suits(const struct load_request *q, const struct traffic *t, struct err *err);
/* The interval that all sources have at a load; NAN where streams have their own. */
double load_interval(const struct load *load, const struct traffic *t);
/* For a study with that saturation factor. */
struct load load_at(const struct load_point *p, double saturation_factor);
/* The one --routing that leads from stop to stop, as keys of a metapath: "dor,order=1+2" -> ",base=dor,order=1+2"; ""
 * where none was given. */
int load_base_keys(char *out, size_t size, const struct load_request *q, const char *command, struct err *err);
/* ERR_USAGE where what is said of switching and routers contradicts itself. */
int load_options(struct latency_options *out, const struct load_request *q, const struct traffic *t,
                 const struct options *common, const struct tick *tick, struct err *err);
/* Says what sources and switching are, in the title of the table where the user set them, else under it, and shows the
 * columns that suit them: intervals or loads. Each time rows with other options may follow. */
int load_say(struct job *j, const struct latency_options *o, struct err *err);
/* A frame's function for what load_say says of the table, and so of a command that has it. */
int load_fact(struct job *j, const char *text, struct err *err);
/* The column that figures draw latency against. */
const char *load_axis(const struct load_request *q, const struct table *t);
