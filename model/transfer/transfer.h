/* transfer.h -- the protocol of one message between two processes: what libraries send before, with and after its bytes.
 * One file transfer_NAME.c per protocol, which says its legs; transfer.text has the formulas.
 *
 * Leg       a control or data message of m bytes takes a + m/B; within a, either processor works for `work`.
 * Copies    at rate c, in packets of P bytes, at the sender, the receiver or both: the first packet is copied before it
 *           goes on, and of the others what copying is slower than the leg. Exact for whole packets, else an upper bound
 *           within one. The ends copy at the same time, so what is slower counts once.
 * Registers R a buffer at either end, but for the share of buffers that are reused.
 * Late      the receiver posts so long after the sender began: what asks first waits for it; what is buffered there is
 *           copied when it posts.
 * Credits   X buffers of P bytes, y of them given back at a time: rate min(B, X P/(y P/B + 2a)).
 * It is not to be believed where other messages are under way, or processes are scheduled away: legs are of an idle
 * machine.
 * Units     seconds, bytes, seconds a byte.
 * Source    L. de Paula e Silva, dissertation on DECK over VIA, UFRGS 2005, chapters 4 and 6. */
#ifndef MODEL_TRANSFER_TRANSFER_H
#define MODEL_TRANSFER_TRANSFER_H

#include <stdbool.h>
#include <stddef.h>

#include "graph/base/entry.h"

struct transfer_leg {
    double a, byte, work;
};
struct transfer_piece {                 /* of a measured curve: a leg for messages of `from` bytes and more */
    double from;
    struct transfer_leg leg;
};
enum { TRANSFER_PIECES = 12 };
enum transfer_end { AT_SENDER = 1, AT_RECEIVER = 2 };
struct transfer_how {
    struct transfer_leg request, ack, send, write, read, notice;
    struct transfer_piece piece[TRANSFER_PIECES];       /* eager messages as measured, copies and all, in place of */
    size_t npiece;                                      /* `send`; 0: none */
    double copy;                        /* of one copy */
    unsigned copies;                    /* ends at which eager messages are copied */
    double packet;                      /* INFINITY: the whole message */
    double registration, reuse;
    double late;
    double buffer;                      /* of the receiver; INFINITY: it takes any message */
    double credits, returned;           /* credits INFINITY: any number */
};
enum transfer_state {
    TRANSFER_DONE,
    TRANSFER_FELL_BACK,                 /* no credits: it went by the protocol's fallback */
    TRANSFER_REFUSED,                   /* the buffer is too small: request and refusal, no data */
    TRANSFER_BROKEN                     /* it is too small, and nobody asked: the message does not fit */
};
extern const char *const transfer_state_name[];         /* NULL of TRANSFER_DONE */
struct transfer_outcome {
    double time;                        /* the receiver has the message, or its sender the refusal */
    double done;                        /* with the notice: either end knows it */
    double busy, wait;                  /* of the sender, until it may go on */
    double control, copied;             /* messages besides the data; bytes */
    double rate;                        /* of the bytes that came */
    enum transfer_state state;
};

struct transfer {
    ENTRY;
    bool request, ack;                  /* legs before the data */
    enum transfer_data { TRANSFER_SEND, TRANSFER_WRITE, TRANSFER_READ } data;   /* a read asks for its data: twice a */
    enum transfer_notice { NOTICE_NONE, NOTICE_RECEIVER, NOTICE_SENDER } notice;
    bool follows;                       /* a message behind the data tells the receiver, and is there with their end */
    bool registers;                     /* both buffers */
    bool asked_copies;                  /* copies are those of transfer_how, */
    unsigned copies;                    /* else these */
    bool measured;                      /* pieces are its curve */
    bool window;                        /* packets go as credits come back */
    const struct transfer *fallback;    /* where the message needs more credits than there are; NULL: it waits */
};
KIND_HEADER(transfer, transfer, struct transfer);

/* Legs of a, rate and work, without copies, limits and registration. */
void transfer_plain(struct transfer_how *how, double a, double byte, double work);
/* ERR_USAGE where copies of p have no rate, or credits no packets. */
int transfer_check(const struct transfer *p, const struct transfer_how *how, struct err *err);
void transfer_run(struct transfer_outcome *o, const struct transfer *p, const struct transfer_how *how, double bytes);
double transfer_time(const struct transfer *p, const struct transfer_how *how, double bytes);
/* The ends at which p copies; pieces have their copies in them. */
unsigned transfer_copies(const struct transfer *p, const struct transfer_how *how);
/* Bytes a second that packets can have at most, by credits and the leg. */
double transfer_window(const struct transfer_leg *leg, const struct transfer_how *how);
/* The size whose rate is half of what the largest messages reach; NAN: there is none. */
double transfer_half(const struct transfer *p, const struct transfer_how *how);

/* ---- several ---- */

/* Messages up to `to` bytes go by p, with copies at these ends where p has those of transfer_how. */
struct transfer_part {
    double to;                          /* INFINITY: all */
    const struct transfer *p;
    unsigned copies;
};
enum { TRANSFER_PARTS = 16 };
struct transfer_rule {
    size_t n;
    struct transfer_part part[TRANSFER_PARTS];
};
/* The first size in lo..hi from which q takes less than p, which took less before; NAN: there is none. */
double transfer_threshold(const struct transfer *p, const struct transfer *q, const struct transfer_how *how, double lo,
                          double hi);
/* Which takes least up to which size, of lo..hi; of several that take the same the first. */
void transfer_best(struct transfer_rule *out, const struct transfer *const *p, size_t n, const struct transfer_how *how,
                   double lo, double hi);
/* Of two protocols and one threshold those that lose least against the least of all: the greatest relative loss, and at
 * which size. */
struct transfer_loss {
    const struct transfer *below, *above;
    double at, worst, where;
};
void transfer_two(struct transfer_loss *out, const struct transfer *const *p, size_t n, const struct transfer_how *how,
                  double lo, double hi);

/* ---- machines and libraries of the source ---- */

struct spec;
/* "via,wait=polling|blocking|completion-queue|threads", and request=, ack= and data= for what these legs are finished
 * by: what the source measured (6.2.4), on VI-GM over Myrinet. */
extern const char *const transfer_wait_name[];
int transfer_via(struct transfer_how *how, const struct spec *spec, struct err *err);
/* The line through a latency of no bytes and the rate that the source prints for 4 MB. */
struct transfer_leg transfer_line(double latency_us, double rate_mbs);
/* mvich, amvia, ...: the sequence of a library, "mvich|amvia|...". NULL: there is none of that name. */
extern const char *const transfer_libraries;
int transfer_library(struct transfer_rule *out, const char *name, struct err *err);
/* Of rows to_bytes, protocol and, where it is there, copies (s, r, s+r); to_bytes rises, and is empty in the last. */
int transfer_read(struct transfer_rule *out, const char *path, struct err *err);
/* By the rule; and as a protocol with the part's own copies. */
const struct transfer_part *transfer_part(const struct transfer_rule *rule, double bytes);
struct transfer transfer_as(const struct transfer_part *part);

#endif
