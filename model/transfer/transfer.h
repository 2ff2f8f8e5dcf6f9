/* transfer.h -- the protocol of one message between two processes: what libraries send before, with and after its
 * bytes, as legs. transfer.text has the formulas, a file transfer_NAME.c for each protocol its legs.
 * A leg of m bytes takes a + m/B, of which either processor works for `work`. Copies are made at the sender, the
 * receiver or both, packet by packet: exact for whole packets, else an upper bound within one. Buffers are registered
 * at either end, but for the share that is reused. A late receiver lets requests wait, and copies what is there then.
 * Not to be believed where other messages are under way or processes are scheduled away: legs are of an idle machine.
 * Units     seconds, bytes, seconds a byte.
 * Source    L. de Paula e Silva, dissertation on DECK over VIA, UFRGS 2005, chapters 4 and 6. */
#pragma once

#include "graph/base/entry.h"

struct transfer_leg {
    double a, byte, work;
};
enum { TRANSFER_PIECES = 12, TRANSFER_PARTS = 16 };
enum transfer_end { AT_SENDER = 1, AT_RECEIVER = 2 };
struct transfer_how {
    struct transfer_leg request, ack, send, write, read, notice;
    struct transfer_leg piece[TRANSFER_PIECES];     /* eager messages of from[k] bytes and more as measured, copied, */
    double from[TRANSFER_PIECES];                   /* in place of `send`; npiece 0: none */
    size_t npiece;
    double copy;                        /* of one copy */
    unsigned copies;                    /* ends at which eager messages are copied */
    double packet, buffer, credits;     /* INFINITY: the whole message; the receiver takes any; any number, */
    double returned;                    /* and so many come back at a time */
    double registration, reuse, late;
};
/* No credits: it went by the fallback. The buffer is too small: request and refusal, no data; or, where nobody asked,
 * the message does not fit. */
enum transfer_state { TRANSFER_DONE, TRANSFER_FELL_BACK, TRANSFER_REFUSED, TRANSFER_BROKEN };
extern const char *const transfer_state_name[];         /* NULL of TRANSFER_DONE */
struct transfer_outcome {
    double time, done;                  /* the receiver has the message, or its sender the refusal; with the notice */
    double busy, wait;                  /* of the sender, until it may go on */
    double control, copied;             /* messages besides the data; bytes */
    enum transfer_state state;
};

struct transfer {
    ENTRY;
    bool request, ack;                  /* legs before the data; what asks registers both buffers */
    enum transfer_data { TRANSFER_SEND, TRANSFER_WRITE, TRANSFER_READ } data;   /* a read asks for its data: twice a */
    bool notice;                        /* a message tells the end that does not know: the peer of a read or write */
    bool follows;                       /* a message behind the data tells the receiver, and comes with their end */
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
/* The ends at which p copies; pieces have their copies in them. */
unsigned transfer_copies(const struct transfer *p, const struct transfer_how *how);
void transfer_run(struct transfer_outcome *o, const struct transfer *p, const struct transfer_how *how, double bytes);
/* INFINITY of a message that does not come. */
double transfer_time(const struct transfer *p, const struct transfer_how *how, double bytes);
/* The size whose rate is half of what the largest messages reach; NAN: there is none. */
double transfer_half(const struct transfer *p, const struct transfer_how *how);
/* The first size in lo..hi from which q takes less than p, which took less before; NAN: there is none. */
double transfer_threshold(const struct transfer *p, const struct transfer *q, const struct transfer_how *how, double lo,
                          double hi);

/* A protocol by size: messages up to `to` bytes go by p. */
struct transfer_rule {
    size_t n;
    struct transfer_part {
        double to;                      /* INFINITY: all */
        struct transfer p;
    } part[TRANSFER_PARTS];
};
const struct transfer *transfer_at(const struct transfer_rule *rule, double bytes);
struct transfer_range {                 /* protocols that are compared, for messages of lo to hi bytes, lo > 0 */
    const struct transfer **p;
    size_t n;
    const struct transfer_how *how;
    double lo, hi;
};
/* Which takes least up to which size; of several that take the same the first. */
void transfer_best(struct transfer_rule *out, const struct transfer_range *r);
/* What a rule loses at most against the least, relative, and at which size. */
double transfer_loss(double *where, const struct transfer_rule *rule, const struct transfer_range *r);
/* The rule of one or two protocols, with one threshold, that loses least. */
void transfer_two(struct transfer_rule *out, const struct transfer_range *r);

/* "via,wait=polling|blocking|completion-queue|threads", and request=, ack= and data= for what these legs are finished
 * by: what the source measured (6.2.4), on VI-GM over Myrinet. */
int transfer_via(struct transfer_how *how, const char *text, struct err *err);
/* A library by its name, or a CSV file with columns to_bytes and protocol, and perhaps copies (s, r, s+r): to_bytes
 * rises; where it is empty the next overtakes, and the last takes all. */
int transfer_read(struct transfer_rule *out, const char *name, const struct transfer_how *how, struct err *err);
