/* scene.h -- a network with traffic and a routing, for tests of messages: by name, by hand, or at random. Failures are
 * cmocka's. */
#pragma once

#include "analysis/latency/collide.h"
#include "graph/numeric/rng.h"

#define SCENE_NAME 200

struct scene {
    char name[SCENE_NAME];
    struct net *net;
    struct traffic traffic;
    struct routing routing;
    bool terminals;
};
void scene_open(struct scene *s, const char *net, const char *traffic, const char *routing);
/* A list of `n` channels on a network that the scene closes; time and interval as the request says. */
void scene_list(struct scene *s, struct net *net, const char *routing, const int (*stream)[2], size_t n);
/* n streams between random different nodes. */
void scene_streams(struct scene *s, struct rng *rng, const char *net, const char *routing, size_t n);
/* Streams of a node become groups at random, each one source with any shares. */
void scene_groups(struct scene *s, struct rng *rng);
/* Up to `most` nodes: graphs, meshes and tori; matrices even, crooked and with holes, permutations, channels
 * and groups of them, broadcasts. */
void scene_random(struct scene *s, struct rng *rng, int most);
/* The same on up to `most` nodes joined by up to three cables each, links of any bandwidth and length each way. */
void scene_cables(struct scene *s, struct rng *rng, int most);
void scene_release(struct scene *s);

void scene_flows(struct flows *f, struct scene *s, bool unfolded);

/* One flows and its working place. */
struct solver {
    struct flows flows;
    struct collide collide;
};
/* Transmission time 25 where the sources have none of their own; one job. */
void solver_open(struct solver *v, struct scene *s, const char *switching, bool unfolded);
void solver_release(struct solver *v);
/* The mean latency over sources, by number; fails the test when there is no solution. */
double solver_closed(struct solver *v, double interval);
double solver_open_sources(struct solver *v, double interval);

/* Where the heaviest link is asked for `load` of the time by messages of time 25 that wait for nothing. */
double scene_interval(const struct flows *f, double load);
/* Fails unless one node that stands for all has the latencies of all, closed and open, at loads up to `most`. */
void scene_folds(struct scene *s, const char *switching, double most);
/* Some sources of lists have intervals and times of their own. */
void scene_own_times(struct scene *s, struct rng *rng);

double *scene_reals(size_t n);                                  /* zeroed; free */
double scene_seconds(void);                                     /* of work, whatever else the machine does */
double scene_between(struct rng *rng, double lo, double hi);    /* even in the logarithm */
/* Fails unless |got - want| <= relative |want|. */
void scene_near(const char *what, double got, double want, double relative);
