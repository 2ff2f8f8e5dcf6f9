/* collective.h -- collective operations as programs: what each process sends and receives, one action after the other,
 * made as it is asked for and never stored. One file collective_NAME.c per algorithm.
 *
 * Data  The vector of an operation is cut into `npieces` pieces, numbered 0.., as even as whole bytes allow. Broadcast,
 *       reduce, allreduce and reduce-scatter: `bytes` in all, in pieces as the algorithm asks (segments, or a block for
 *       each process). Gather, scatter and allgather: a block of `bytes` for each process. All-to-all: a block of
 *       `bytes` for each pair, number source * n + target. Barrier: one piece of no bytes.
 * Program  Of process p, actions i = 0, 1, ... to ACTION_END. A send is begun, and the program goes on; what it sends
 *       is what the process has then. A receive or combine waits for the next message that its peer sends to it:
 *       messages of a pair keep their order. Receive puts pieces where they belong; combine adds them to its own.
 * Errors ERR_DOMAIN for what an algorithm does not serve; ERR_MEMORY.
 * Source R. Thakur, R. Rabenseifner and W. Gropp, "Optimization of collective communication operations in MPICH",
 *       International Journal of High Performance Computing Applications 19(1), 2005; E. Chan, M. Heimlich, A.
 *       Purkayastha and R. van de Geijn, "Collective communication: theory, practice, and experience", Concurrency and
 *       Computation 19(13), 2007. */
#pragma once

#include "graph/base/entry.h"

enum operation {
    BROADCAST, REDUCE, ALLREDUCE, GATHER, SCATTER, ALLGATHER, REDUCE_SCATTER, ALLTOALL, BARRIER, OPERATIONS
};
extern const char *const operation_name[OPERATIONS];    /* "reduce-scatter", "all-to-all" */
/* By its name, as MPI and others write it too: Bcast, MPI_Alltoall, reduce_scatter_block. -1: ERR_USAGE, which names the
 * operation nearest to those that there are not (Allgatherv). */
int operation_find(const char *text, struct err *err);
static inline bool operation_rooted(enum operation o)
{
    return o == BROADCAST || o == REDUCE || o == GATHER || o == SCATTER;
}

struct piece_run {                      /* pieces first .. first + count - 1 */
    int64_t first, count;
};
enum action_what { ACTION_END, ACTION_SEND, ACTION_RECEIVE, ACTION_COMBINE };
enum { EVERYONE = -1 };                 /* peer of a send: all others get a copy, made by the network */
struct schedule;
struct program;
struct action {
    const struct program *program;      /* that it belongs to: several may share a function */
    enum action_what what;
    int peer;
    struct piece_run *run;              /* its pieces; belongs to the maker, and stays until the next action is made */
    size_t nrun, room;
};

struct tree;
struct tree_scene;
struct tree_shape;
enum { ROUNDS_RAGGED = 64 };
struct program {
    /* Sets npieces, and what `state` needs; checks n, root and sizes. NULL: one piece for each process (all-to-all: for
     * each pair), which `segment` cuts no further. */
    int (*open)(struct schedule *s, struct err *err);
    /* How many actions process p has, without the end. */
    int64_t (*length)(const struct schedule *s, int p);
    /* Action i of process p, 0 <= i < length: what, peer, and its pieces by action_run. */
    int (*action)(struct action *a, const struct schedule *s, int p, int64_t i, struct err *err);
    /* Actions of process p that are repeated: of action i and i + round, kind, peer and number of pieces are the same, but
     * for the first and the last ROUNDS_RAGGED rounds; in these all peers are met. NULL: none is. */
    int64_t (*round)(const struct schedule *s, int p);
    bool posted;                        /* all receives are posted before the first send, and no send blocks */
    /* Instead of length and action: one program after the other, NULL-terminated, over the same pieces. */
    const struct program *const *parts;
};
struct collective {
    ENTRY;
    const struct program *serves[OPERATIONS];   /* NULL: it does not, or goes over its tree (collective_program) */
    const struct tree *tree;            /* NULL */
    bool network;                       /* it needs the scene */
    bool two;                           /* it takes a power of two of processes */
    bool even;                          /* an even number of them */
    bool segments;                      /* --segment says something to it */
    bool radix;                         /* --radix does */
    bool copies;                        /* it sends to EVERYONE */
};
KIND_HEADER(collective, collective, struct collective);
/* How it does an operation; NULL: it does not serve it. */
const struct program *collective_program(const struct collective *a, enum operation operation);
/* It needs the scene, of itself or for its tree. */
bool collective_follows(const struct collective *a);
/* As of struct tree. */
bool collective_asked(const struct collective *a);

/* An algorithm and what it is told. */
struct setting {
    const struct collective *algorithm;
    int64_t segment;                    /* 0: the whole; nothing to those that take none */
    int radix;                          /* likewise */
};

struct schedule {
    const struct collective *algorithm;
    enum operation operation;
    int n, root;                        /* processes, at least 1; 0..n-1 */
    int64_t bytes, segment;             /* segment 0: the whole */
    int radix;                          /* of k-nomial trees; less than 2: 2 */
    const struct tree_scene *scene;     /* of trees that see the network, root and processes as above; NULL: there is
                                         * none, and ERR_DOMAIN for those */
    const struct tree_shape *shape;     /* of trees_given */
    const struct program *program;      /* set by schedule_open, as what follows */
    int64_t npieces;
    bool posted;                        /* as of struct program; broadcasts over trees of one level too */
    int *state;                         /* the program's own, one block; freed by schedule_close */
};
/* As `ask` has algorithm to scene. ERR_DOMAIN, "the ring does not gather", for operations it does not serve and counts
 * it does not take. */
int schedule_open(struct schedule *s, const struct schedule *ask, struct err *err);
void schedule_close(struct schedule *s);
int64_t schedule_length(const struct schedule *s, int p);
/* a->run and a->room are kept from call to call; free(a->run) in the end. ACTION_END from i = length on. */
int schedule_action(struct action *a, const struct schedule *s, int p, int64_t i, struct err *err);
/* Bytes of a piece; of an action. */
int64_t schedule_piece(const struct schedule *s, int64_t piece);
int64_t schedule_bytes(const struct schedule *s, const struct action *a);

/* ---- for programs ---- */

/* Adds pieces first .. first + count - 1, of `all` that go round (0: none do); count 0: nothing. */
int action_run(struct action *a, int64_t first, int64_t count, int64_t all, struct err *err);
static inline int schedule_rank(const struct schedule *s, int p)        /* relative to the root */
{
    return p >= s->root ? p - s->root : p - s->root + s->n;
}
static inline int schedule_process(const struct schedule *s, int rank)
{
    return rank < s->n - s->root ? rank + s->root : rank - (s->n - s->root);
}
/* The largest power of two up to n, n at least 1. */
static inline int schedule_power(int n)
{
    return 1 << (31 - __builtin_clz((unsigned)n));
}
/* `open` of programs with pieces of s->segment bytes. */
int schedule_segments(struct schedule *s, struct err *err);
