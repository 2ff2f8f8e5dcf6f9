/* own_link.h -- what a traffic asks of the links that a terminal has of its own: those that all it sends or receives
 * crosses, whatever the routing. Beyond what they carry no path helps; moving or dividing its process does (Franco's
 * thesis, about 2000, section 7.2.2). Closed sources ask for what they would send if nothing waited.
 * Units   parts of what the links carry. */
#pragma once

#include "model/traffic/traffic.h"

struct own_link {
    int node;                   /* the terminal whose links are asked for the most */
    bool receives;              /* by what it receives, else by what it sends */
    double asked;
};

/* Each source sends `factor` times as often as its pace. `links`: a terminal that is its own switch has a link into the
 * network and one out of it (follow.h); else its links are its cables. */
int own_link_most(struct own_link *out, const struct traffic *t, struct net *net, struct traffic_pace request,
                  double factor, bool closed, bool links, struct err *err);
