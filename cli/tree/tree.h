/* tree.h -- what the files of `metapath tree` share: cmd_tree.c has options, tables and trees as they are, tree_asked.c
 * which trees these are, tree_play.c plays scenarios. */
#pragma once

#include "analysis/collective/scenario.h"
#include "cli/request/frame.h"
#include "model/process/placement.h"

enum { INSIDE, OVERHEAD, CHECK, PROBE, PAUSE, TIMES };
struct request {
    struct options common;
    struct strings algorithm;
    const char *from, *placement, *scenario, *every, *value;
    const char *text[TIMES];            /* of times, as they are given; NULL: not */
    int per_node, root;                 /* root: what `from` is on the network at hand */
    double bytes, threshold, time[TIMES];
    bool unit[TIMES];                   /* they have one */
    bool serial, cliques, seconds;      /* seconds: the times of the network at hand */
    int random;                         /* delays */
    int64_t runs;
    int broadcasts;                     /* 0: none are played */
};
static inline bool tree_plays(const struct request *q)
{
    return q->scenario || q->broadcasts || (q->common.show && strcmp(q->common.show, "course") == 0);
}
enum { TREE, BUILDING, TYPES, LINKS, MESSAGES, PLAYED, COURSE, PLAYED_TYPES };

struct tree_job {
    struct job *j;
    const struct request *q;
    struct placement where;
    struct wire *wire;
    size_t m;
    struct spanning span;               /* as the last run built it, */
    double built;                       /* when that was done */
    struct relay_how how;
    double time[TIMES];                 /* in the unit of the latencies */
    double inside;                      /* what a message takes between processes of one node */
    double began;                       /* when the protocol at hand did */
    double sum[ADAPT_TYPES + 1], least[ADAPT_TYPES + 1], most[ADAPT_TYPES + 1];    /* messages; the last: all */
};
/* The root asked for: a process by number, or the first on a node by its name or coordinates. */
int tree_root(int *root, const struct tree_job *s, struct err *err);
/* The i-th algorithm asked for, or of the usual ones; NULL: no more. */
const char *tree_name(const struct tree_job *s, size_t i);
/* One of several algorithms does not serve this network. */
static inline bool tree_passes(const struct tree_job *s, const struct err *err)
{
    return s->q->algorithm.n != 1 && (err->code == ERR_DOMAIN || err->code == ERR_NETWORK);
}
enum { TREE_STAYS, TREE_SPANS, TREE_ADAPTS };
/* What it is; ERR_USAGE for no name. */
int tree_what(const char *name, const struct tree **tree, struct err *err);
/* Laid out for the network, not those that span or adapt. */
int tree_lay(struct tree_shape *shape, const struct tree_job *s, const struct tree *tree, struct err *err);

/* A row of every message, for a struct tree_job. */
int tree_message(void *arg, const struct protocol *r, const struct message *m, int from, int to, int what,
                 struct err *err);

int tree_play(struct tree_job *s, struct err *err);
/* Settings of what is played. */
int tree_play_check(const struct request *q, struct err *err);
/* Time is what goes up. */
int tree_chart(struct picture *f, const struct table *t, const struct natural *figure, struct err *err);
int tree_played_figure(struct picture *f, const struct table *t, int which, struct err *err);
