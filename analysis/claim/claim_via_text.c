/* Numbers of the dissertation on DECK over VIA, chapters 6 to 8: protocols of one message on what 6.2.4 measured, by
 * the models of model/transfer. */
#include <math.h>

#include "analysis/claim/claim.h"
#include "model/transfer/transfer.h"
#include "texts/claim.h"

#define FOUR_MB 4194304.
#define DECK_US 86.85                   /* 7.2: the least message of DECK/VIA, and of DECK/GM */
#define GM_US 22.99
#define MIB 1048576.
#define PACKET 2048
enum { BUILT = CLAIM_HOLDS, NUMBER = CLAIM_VERDICTS };  /* of a number: it is compared by its digits */

/* A number that the models meet within 10 %, under a condition, or within its own rounding. */
static enum claim_verdict near(double ours, double printed)
{
    return claim_if(fabs(ours / printed - 1) < 1e-3, fabs(ours / printed - 1) < 0.1);
}

/* MB/s behind `us` of start where 4 MB pass at `mbs` on the whole. */
static double behind(double us, double mbs)
{
    return FOUR_MB / (FOUR_MB / mbs - us);
}

/* KB from which so much start leaves 205 MB/s of what has 226 at 4 MB. */
static double reaches(double us)
{
    return us / (1 / 205. - 1 / behind(us, 226)) / 1024;
}

/* Percent that `us` more are of DECK/VIA's message of so many bytes. */
static double more(double us, double bytes)
{
    return 100 * us / (DECK_US + bytes / behind(DECK_US, 205));
}

static int claim_via_text_run(const struct claim_sink *sink, struct err *err)
{
    /* table 7.1, 2, 4 and 8 nodes: gigabit, GM, VIA and Fast Ethernet */
    static const double speedup[3][4] = { { 1.708, 1.496, 1.557, 1.372 }, { 3.194, 3.159, 3.128, 2.1 },
                                          { 6.151, 6.334, 5.5, 4.472 } };
    static const char built[] = "by construction: the line through both ends of it";
    const struct transfer *p = transfer_find("handshake", err);
    struct transfer_how poll, block, deck;
    const double half = DECK_US / 2, *eight = speedup[2];
    double us, mbs, cross, ordered = 0;

    if (!p || transfer_via(&poll, "via,wait=polling", err) < 0 ||
        transfer_via(&block, "via,wait=blocking", err) < 0 ||
        transfer_via(&deck, "via,wait=blocking,ack=polling", err) < 0)
        return -1;
    for (int i = 0; i < 3; i++)
        ordered += speedup[i][0] > speedup[i][1] && speedup[i][1] > speedup[i][2] && speedup[i][2] > speedup[i][3];
    us = 1e6 * transfer_time(p, &deck, 0);
    mbs = 1e-6 * FOUR_MB / transfer_time(p, &deck, FOUR_MB);
    cross = (poll.write.a - poll.send.a) / (poll.send.byte - poll.write.byte);

    const struct {
        const char *where, *quantity, *printed;
        double computed;
        unsigned verdict;               /* or NUMBER */
        const char *why;
        double x[6];
    } row[] = {
        { "6.2.4, send, polling", "MB/s after the start", "226.11", 1e-6 / poll.send.byte, BUILT, built, { 0 } },
        { "6.2.4, send, blocking", "MB/s after the start", "198.06", 1e-6 / block.send.byte, BUILT, built, { 0 } },
        { "6.2.4, write, polling", "MB/s after the start", "226.30", 1e-6 / poll.write.byte, BUILT, built, { 0 } },
        { "6.2.4, write, blocking", "MB/s after the start", "226.04", 1e-6 / block.write.byte, BUILT, built, { 0 } },
        { "6.2.4, RDMA write ahead", "bytes at which the lines cross", "beyond 2 KB", cross,
          claim_if(cross <= 2 * PACKET, poll.write.a - poll.send.a < PACKET * (poll.copy + poll.send.byte -
                                                                              poll.write.byte)), "if a "
          "send copies a first packet of 2 KB, at %.0f MB/s; the lines cross at %.2f MiB",
          { 1e-6 / poll.copy, cross / MIB } },
        { "7.2, DECK/VIA", "us of the least message", "86.85", us, near(us, DECK_US), "if request and data block and "
          "the acknowledgement is polled, within %+.1f %%; three polled messages take %.2f us, three blocking "
          "ones %.1f",
          { 100 * (us / DECK_US - 1), 1e6 * transfer_time(p, &poll, 0), 1e6 * transfer_time(p, &block, 0) } },
        { "7.2, DECK/VIA", "MB/s at 4 MB", "205", mbs, near(mbs, 205), "if so, within %+.1f %%",
          { 100 * (mbs / 205 - 1) } },
        { "7.2, DECK/GM", "KB at which 205 MB/s are reached", "128 to 256", reaches(3 * GM_US),
          claim_if(reaches(3 * GM_US) >= 128 && reaches(3 * GM_US) <= 256, false),
          "a handshake of three of its messages; one message alone: %.1f KB", { reaches(GM_US) } },
        { "7.1, threads with 30 interfaces", "% more than with 10", "8 at most", 10. * 20 / 25,
          claim_if(10. * 20 / 25 <= 8, false),
          "linear in interfaces, 10 %% of 35", { 0 } },
        { "7.1, memory of 512 MB", "MB an interface at most", "40 and 42 interfaces do not fit", 512 / 35., BUILT,
          "a bound: 35 fit with threads, and 40 with a queue: %.1f MB", { 512 / 40. } },
        { "7.1, threads against a completion queue", "% more at 64 KB", "50 to 64 B, 15 at 64 KB, 0 at 1 MB",
          more(half, 65536), claim_if(fabs(more(half, 65536) - 15) < 0.5, fabs(more(DECK_US, 65536) - 15) < 0.5),
          "a constant of half of 86.85 us has %.1f, %.1f and %.1f %%; read as halved "
          "%.1f, %.1f and %.1f", { more(half, 64), more(half, 65536), more(half, MIB), more(DECK_US, 64),
                                   more(DECK_US, 65536), more(DECK_US, MIB) } },
        { "8.1, DECK/VIA", "% of 250 MB/s", "82", 100 * 205 / 250., NUMBER, NULL, { 0 } },
        { "8.1, DECK/VIA against DECK/GM", "times the latency", "3.77", DECK_US / GM_US, NUMBER, NULL, { 0 } },
        { "8.4.1, DECK/VIA against VI-GM", "times the latency", "6.9", 86.95 / 12.57, NUMBER, NULL, { 0 } },
        { "8.4.1, a message of three", "times VI-GM's latency", "2.3", 86.95 / 3 / 12.57, NUMBER, NULL, { 0 } },
        { "8.4.1, one message", "% above DECK/GM", "25", 100 * (DECK_US / 3 / GM_US - 1), NUMBER, NULL, { 0 } },
        { "8.1, gigabit, 8 nodes", "% less speedup", "11", 100 * (1 - eight[2] / eight[0]), NUMBER, NULL, { 0 } },
        { "8.1, GM, 8 nodes", "% less speedup", "14", 100 * (1 - eight[2] / eight[1]),
          claim_if(claim_rounds_to(100 * (1 - eight[2] / eight[1]), "14"), false),
          "GM has %.1f %% more", { 100 * (eight[1] / eight[2] - 1) } },
        { "7.3, best speedup of FT", "numbers of nodes with this order, of 3", "gigabit, GM, VIA, Fast Ethernet",
          ordered, claim_if(ordered == 3, ordered > 0), "at 4 nodes; at 8 "
          "GM has %.3f and gigabit %.3f, at 2 VIA is before GM",
          { eight[1], eight[0] } }
    };

    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const double *x = row[i].x;

        if ((row[i].verdict == NUMBER ?
             claim_number(sink, err, row[i].where, row[i].quantity, row[i].printed, row[i].computed) :
             claim_statement(sink, err, row[i].where, row[i].quantity, row[i].printed, row[i].computed,
                             (enum claim_verdict)row[i].verdict, row[i].why, x[0], x[1], x[2], x[3], x[4], x[5])) < 0)
            return -1;
    }
    return 0;
}

const struct claim claim_via_text = {
    CLAIM_VIA_TEXT_ENTRY,
    .run = claim_via_text_run
};
