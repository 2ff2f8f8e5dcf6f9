/* primitive.h -- what a communication processor does for its host, as a machine (protocol.h) with its closed form
 * beside it: messages sent on over several hops, told to neighbours, spread over a tree or in a flood, gathered up a
 * tree. One file primitive_NAME.c each. After a thesis on communication processors (cvp), chapter III.1.
 *
 * Nodes are all vertices of the network, switches too. N nodes, E cables, d hops from the origin to the target, e the
 * origin's eccentricity, deg its degree:
 *   send                 d messages, the target has it at d
 *   neighbours           deg, at 1;                   neighbours-confirmed  2 deg, the origin knows at 2
 *   tree                 N - 1, at the tree's depth;  converge  N - 1, the origin knows at its deepest leaf's depth
 *   flood                2E: every node sends to all neighbours, back too, as the source does; 2E - (N - 1) where it
 *                        does not send back; all have it at e
 *   flood-confirmed      2E, all have it at e; the origin knows at 2e, or at 2e + 1 where two nodes at distance e are
 *                        joined (each takes the other's message for a confirmation, one time later than a leaf's)
 *   circuit              d requests and d confirmations, then flits: 3d;  tree-circuit  N - 1 of either: 3 depths
 * Times are those of channels that take 1 and of decisions that take none. With decisions of r, channels of w + m/B,
 * and n messages to a node d hops away:
 *   stored       T_s = (d+1) r + d (w + m/B) + (n-1)(r + m/B + 2w + ack/B), each sent when the last one's
 *                acknowledgement is here
 *   circuit      T_c = (d+1) r + d (w + q/B)  request  +  d (r + w + c/B)  confirmation
 *                      + (d+1) r + d w + (d-1) f/B + m/B  flits  +  (n-1)(r + m/B)
 *   crossover    the m at which these are level: f + B (request + confirmation)/(d-1) for n = 1; none for d = 1
 *
 * Instructions may be repeated, and be under way together: every node must deliver each message once, in order. Texts:
 *   published   as printed. Figure III.9 counts up the channel that the message came by, too, so that some of many
 *               convergecasts are not completed; III.11 likewise, so that nodes miss floods; III.14 compares before it
 *               decrements, so that the origin may be told before all have the message, and never wraps `first`; III.18
 *               stores no way back at leaves, so that no circuit over a tree is confirmed.
 *   counted     these three mended, messages still told apart by counters alone. A confirmed flood is then right while it
 *               is the only one: of several, a message of a later one may pass for a confirmation of an earlier one. A
 *               flood that does not send back is right while it is the only one, too.
 *   mended      these two carry their number, and nodes judge which message comes, not how many came.
 * Runs that break the printed ones are in tests/unit/test_primitive.c.
 * Units   protocol.h; lengths in times of a link of bandwidth 1.
 * Errors  ERR_DOMAIN for a tree that does not span (with a node that is missing) and a target that is not reached; those of
 *         protocol.h. */
#pragma once

#include "graph/base/entry.h"
#include "model/protocol/protocol.h"

enum primitive_text { TEXT_MENDED, TEXT_COUNTED, TEXT_PUBLISHED };
extern const char *const primitive_text_name[];     /* ended by NULL */

/* From where, over what. Everything is the caller's. */
struct primitive_scene {
    const struct wiring *w;
    int origin, target;
    int *hops;                          /* by node, from the origin; -1: not reached */
    int64_t *up;                        /* by node: its half-link towards the origin in the tree; -1: the origin */
    double depth;                       /* of the tree */
    int64_t *near;                      /* as `up`, over the shortest ways; `up` itself where they are the tree */
    int64_t *way;                       /* by node: the half-link towards the target; -1 off the way */
};
struct primitive_how {
    struct protocol_service service;    /* `length` is set from the next two */
    double message, confirm, request, flit;     /* lengths */
    int repeat;                         /* instructions, at least 1, */
    double every;                       /* so far apart */
    enum primitive_text text;
    int floods;                         /* columns of `pending` in the printed text; 0: as many as instructions */
    bool back;                          /* floods send back over the link by which they came */
    uint64_t seed;                      /* as of protocol_open */
    const struct protocol_watch *watch; /* NULL: none */
    const struct tick *tick;
};
struct primitive_outcome {
    double messages, control, flits;    /* sent: that carry the message, or ask for a circuit; confirmations; heads */
    double time;                        /* when the last node that should had all; NAN: never */
    double known;                       /* when the origin was told of the last; NAN: it is told nothing, or never */
    double told, first_told;            /* instructions that the origin was told of; when first */
    double most;                        /* messages handled by one node */
    double lost, twice, late;           /* deliveries that lack, came again, or came after one of a later number */
    double early;                       /* instructions of which the origin was told before all had the message */
    bool endless;                       /* messages that pass for others went on and on; the run was cut off */
};
/* HEAD, TAIL: the first flit of a message over a circuit, and over its last channel all of it. */
enum { PRIMITIVE_MESSAGE, PRIMITIVE_CONFIRM, PRIMITIVE_REQUEST, PRIMITIVE_HEAD, PRIMITIVE_TAIL, PRIMITIVE_TYPES };

/* What is to be expected of one instruction; of the message's time and the origin's, channels take 1. NAN: none. */
struct primitive_closed {
    double messages, control, time, known;
};
struct primitive_facts {                /* what the closed forms are made of */
    double nodes, cables, degree, distance, eccentricity, depth;
    bool joined;                        /* two nodes at distance e are */
    bool back;                          /* floods send back, as the caller says */
};

struct primitive_run;
struct primitive {
    ENTRY;
    enum primitive_expects { EXPECT_ALL, EXPECT_TARGET, EXPECT_NEIGHBOURS, EXPECT_ORIGIN } expects;     /* deliveries */
    bool from_leaves;                   /* instructions begin at the leaves of the tree, not at the origin */
    bool circuit, over_tree;            /* its instructions share one, which the first asks for: over the tree, or the
                                         * way */
    bool spans;                         /* needs the tree to span; floods need all to be reached */
    bool counts, pends;                 /* keeps counters by half-link; what is to be answered, by instruction */
    int (*on_message)(struct primitive_run *x, int v, const struct message *m, struct err *err);
    void (*closed)(struct primitive_closed *out, const struct primitive_facts *f);
};
KIND_HEADER(primitive, primitive, struct primitive);

/* hops, up and way of a scene, over shortest ways with ties by number, into arrays of n that the caller frees; over
 * the links marked in `within`, by rank (NULL: over all). */
int primitive_breadth_first(int *hops, int64_t *up, const struct wiring *w, const bool *within, int origin,
                            struct err *err);
void primitive_way(int64_t *way, const struct wiring *w, const int64_t *up, int target);
/* Marks the links of the minimum spanning tree (of each part), by rank, into an array of m. */
int primitive_spanning(bool *within, const struct wiring *w, struct err *err);
/* A scene with arrays of its own, whose tree is by breadth over the links marked (NULL: all), and whose target is the
 * origin, until primitive_aim; to be released either way, if it was zeroed. */
int primitive_scene_open(struct primitive_scene *s, const struct wiring *w, const bool *within, int origin,
                         struct err *err);
void primitive_aim(struct primitive_scene *s, int target);
void primitive_scene_release(struct primitive_scene *s);
/* The facts of a scene. */
void primitive_facts(struct primitive_facts *f, const struct primitive_scene *s);
/* T_s and T_c over channels that are alike (latency w, bandwidth 1). */
double primitive_stored_time(const struct primitive_how *how, double hops, double latency);
double primitive_circuit_time(const struct primitive_how *how, double hops, double latency);
/* The message at which both are level, in the unit of lengths; NAN: there is none. */
double primitive_crossover(const struct primitive_how *how, double hops, double latency);
int primitive_execute(struct primitive_outcome *out, const struct primitive *p, const struct primitive_scene *s,
                      const struct primitive_how *how, struct err *err);

/* ---- for entries ---- */

struct primitive_run {                  /* on_message's; the number of an instruction is a message's `value` */
    const struct primitive *p;
    double most;                        /* messages, after which the run is cut off */
    struct protocol *r;
    const struct primitive_scene *s;
    const struct primitive_how *how;
    int *count;                         /* by half-link */
    int64_t *answer;                    /* by instruction and node: where the confirmation goes; -1 */
    int *open;                          /* likewise: confirmations to come */
    int *first, *last;                  /* by node: of `answer` as a ring of instructions (texts that count) */
    /* its own */
    uint8_t *got;                       /* by instruction and node */
    int *next, *handled;                /* by node: the number that comes next; messages */
    size_t *has;                        /* by instruction: nodes that have the message */
    size_t expected;                    /* deliveries of an instruction */
    struct primitive_outcome o;
};
/* Whether half-link h leads away from the origin in the tree. */
static inline bool primitive_branch(const struct primitive_scene *s, size_t h)
{
    return s->up[s->w->to[h]] == (int64_t)s->w->twin[h];
}
/* Numbers that are kept of instruction k at node v. */
static inline size_t primitive_at(const struct primitive_run *x, uint32_t number, int v)
{
    return (size_t)number * (size_t)x->s->w->n + (size_t)v;
}
static inline bool primitive_has(const struct primitive_run *x, uint32_t number, int v)
{
    return x->got[primitive_at(x, number, v)] > 0;
}
/* v's host gets the message. */
void primitive_deliver(struct primitive_run *x, int v, uint32_t number);
/* The origin's host hears that the instruction is done. */
void primitive_tell(struct primitive_run *x, uint32_t number);
int primitive_put(struct primitive_run *x, size_t half, int type, uint32_t number, struct err *err);
int circuits_on_message(struct primitive_run *x, int v, const struct message *m, struct err *err);
/* Over all half-links of v but `but` (PROTOCOL_HOST: all). */
int primitive_spread(struct primitive_run *x, int v, uint32_t but, uint32_t number, struct err *err);
/* Whether no half-link of v has more counted messages to come than `half`. */
bool primitive_level(const struct primitive_run *x, int v, size_t half);
