/* Numbers of the dissertation on DECK over VIA, chapters 6 to 8: protocols of one message on what 6.2.4 measured, by
 * the models of model/transfer. */
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
        double computed;
        unsigned verdict;               /* or NUMBER */
        double x[6];                    /* that `why` has */
        const char *where, *quantity, *printed, *why;
    } row[] = {
        { 1e-6 / poll.send.byte, BUILT, { 0 }, CLAIM_VIA_TEXT_SEND_POLLING, built },
        { 1e-6 / block.send.byte, BUILT, { 0 }, CLAIM_VIA_TEXT_SEND_BLOCKING, built },
        { 1e-6 / poll.write.byte, BUILT, { 0 }, CLAIM_VIA_TEXT_WRITE_POLLING, built },
        { 1e-6 / block.write.byte, BUILT, { 0 }, CLAIM_VIA_TEXT_WRITE_BLOCKING, built },
        { cross, claim_if(cross <= 2 * PACKET, poll.write.a - poll.send.a < PACKET * (poll.copy + poll.send.byte -
                                                                              poll.write.byte)),
          { 1e-6 / poll.copy, cross / MIB }, CLAIM_VIA_TEXT_LINES_CROSS },
        { us, near(us, DECK_US),
          { 100 * (us / DECK_US - 1), 1e6 * transfer_time(p, &poll, 0), 1e6 * transfer_time(p, &block, 0) },
          CLAIM_VIA_TEXT_LEAST_MESSAGE },
        { mbs, near(mbs, 205), { 100 * (mbs / 205 - 1) }, CLAIM_VIA_TEXT_RATE_AT_4_MB },
        { reaches(3 * GM_US), claim_if(reaches(3 * GM_US) >= 128 && reaches(3 * GM_US) <= 256, false),
          { reaches(GM_US) }, CLAIM_VIA_TEXT_REACHES_205 },
        { 10. * 20 / 25, claim_if(10. * 20 / 25 <= 8, false), { 0 }, CLAIM_VIA_TEXT_INTERFACES },
        { 512 / 35., BUILT, { 512 / 40. }, CLAIM_VIA_TEXT_MEMORY },
        { more(half, 65536), claim_if(fabs(more(half, 65536) - 15) < 0.5, fabs(more(DECK_US, 65536) - 15) < 0.5),
          { more(half, 64), more(half, 65536), more(half, MIB), more(DECK_US, 64), more(DECK_US, 65536),
            more(DECK_US, MIB) }, CLAIM_VIA_TEXT_THREADS_OR_QUEUE },
        { 100 * 205 / 250., NUMBER, { 0 }, CLAIM_VIA_TEXT_OF_250, NULL },
        { DECK_US / GM_US, NUMBER, { 0 }, CLAIM_VIA_TEXT_TIMES_GM, NULL },
        { 86.95 / 12.57, NUMBER, { 0 }, CLAIM_VIA_TEXT_TIMES_VI_GM, NULL },
        { 86.95 / 3 / 12.57, NUMBER, { 0 }, CLAIM_VIA_TEXT_MESSAGE_OF_THREE, NULL },
        { 100 * (DECK_US / 3 / GM_US - 1), NUMBER, { 0 }, CLAIM_VIA_TEXT_ONE_MESSAGE, NULL },
        { 100 * (1 - eight[2] / eight[0]), NUMBER, { 0 }, CLAIM_VIA_TEXT_LESS_THAN_GIGABIT, NULL },
        { 100 * (1 - eight[2] / eight[1]), claim_if(claim_rounds_to(100 * (1 - eight[2] / eight[1]), "14"), false),
          { 100 * (eight[1] / eight[2] - 1) }, CLAIM_VIA_TEXT_LESS_THAN_GM },
        { ordered, claim_if(ordered == 3, ordered > 0), { eight[1], eight[0] }, CLAIM_VIA_TEXT_ORDER }
    };

    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const double *x = row[i].x;

        if ((row[i].verdict == NUMBER ?
             claim_number(sink, err, row[i].where, row[i].quantity, row[i].printed, row[i].computed) :
             claim_statement(sink, err, row[i].computed, (enum claim_verdict)row[i].verdict, row[i].where,
                             row[i].quantity, row[i].printed, row[i].why, x[0], x[1], x[2], x[3], x[4], x[5])) < 0)
            return -1;
    }
    return 0;
}

const struct claim claim_via_text = {
    CLAIM_VIA_TEXT_ENTRY,
    .run = claim_via_text_run
};
