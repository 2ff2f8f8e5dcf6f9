/* hosts.h -- processes at random on a small network, switches in it: what algorithms that follow networks are given. */
#pragma once

#include "model/process/placement.h"
#include "model/process/tree.h"

struct hosts {
    struct net *net;
    struct placement where;
    struct tree_scene scene;            /* root 0 */
};
/* The same for a number of processes every time; of 3, 6, ... some share a node. */
void hosts_open(struct hosts *h, int n);
void hosts_release(struct hosts *h);
