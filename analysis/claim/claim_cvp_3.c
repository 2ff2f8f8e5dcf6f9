/* Chapter III of Drummond's dissertation: how many messages its instructions send, which broadcast sends the fewest and
 * which is the fastest, and what its printed algorithms do, executed on small networks whose channels take 1. */
#include "analysis/claim/claim.h"
#include "model/protocol/primitive.h"
#include "texts/claim.h"

/* A primitive on nodes joined as "0-1 1-2" says, from 0 to the last of them. */
static int cvp_run(struct primitive_outcome *o, struct primitive_facts *f, const struct primitive *p, const char *edges,
                   const struct primitive_how *how, struct err *err)
{
    struct primitive_scene s = { 0 };
    struct wire wire[16] = { { 0 } };
    struct wiring w = { 0 };
    int n = 0, ret;
    size_t m = 0;

    for (char *at = (char *)edges; *at; m++) {
        wire[m] = (struct wire){ .a = (int)strtol(at, &at, 10), .latency = 1 };
        wire[m].b = (int)-strtol(at, &at, 10);
        n = wire[m].b + 1 > n ? wire[m].b + 1 : n;
    }
    ret = wiring_open(&w, n, wire, m, err) < 0 ? -1 : primitive_scene_open(&s, &w, NULL, 0, err);
    if (ret == 0) {
        primitive_aim(&s, n - 1);
        primitive_facts(f, &s);
        ret = primitive_execute(o, p, &s, how, err);
    }
    primitive_scene_release(&s);
    wiring_release(&w);
    return ret;
}

/* What the printed letters stand for there. */
static double cvp_count(const char *printed, const struct primitive_facts *f)
{
    return strncmp(printed, "deg", 3) == 0 ? f->degree : *printed == 'd' ? f->distance :
        *printed == 'N' ? f->nodes - 1 : *printed == '2' ? 2 * f->cables : *printed == '0' ? 0 : NAN;
}

#define NET "0-1 1-2 2-3 3-4 4-5 5-6 6-7 0-3 2-6 1-4"
static const struct primitive_how cvp_plain = { .service = { .ack = (double)NAN }, .repeat = 1, .back = true };

static int cvp_messages(const struct claim_sink *sink, struct err *err)
{
    static const char *const is[] = {   /* in the file's order */
        "send", "neighbours", "neighbours-confirmed", "tree", "converge", "flood", "flood-confirmed", "circuit",
        "tree-circuit", "circuit", "circuit", "tree-circuit", "tree-circuit"
    };
    const struct csv *t = sink->published;
    int name, column[2];

    if (claim_columns((int *const[]){ &name, column, column + 1 }, t, "instruction,messages,confirmations", err) < 0)
        return -1;
    for (size_t r = 0; r < t->nrow && r < sizeof is / sizeof *is; r++) {
        const char *instruction = csv_at(t, r, name);
        const bool asks = !strchr(instruction, '.') || strncmp(instruction, "ASK", 3) == 0;
        struct primitive_outcome o;
        struct primitive_facts f;

        if (cvp_run(&o, &f, primitive_find(is[r], err), NET, &cvp_plain, err) < 0)
            return -1;
        for (int k = 0; k < 2; k++) {
            const double ours = !asks ? (k ? 0 : o.flits) : k ? o.control : o.messages,
                theirs = cvp_count(csv_at(t, r, column[k]), &f);

            if (!isnan(theirs) &&
                claim_statement(sink, err, ours, ours == theirs ? CLAIM_HOLDS : CLAIM_FAILS, instruction, k ?
                                "confirmations" : "messages", csv_at(t, r, column[k]),
                                "on 8 nodes and 10 cables, d %.0f, deg %.0f" "%s", f.distance, f.degree,
                                strncmp(instruction, "FREE", 4) ? "" :
                                "; over the channels that the message takes") < 0)
                return -1;
        }
    }
    return 0;
}

static int cvp_broadcasts(const struct claim_sink *sink, struct err *err)
{
    struct primitive_how how = { .service = { .decide = 0.1, .ack = (double)NAN }, .repeat = 1, .back = true };
    struct primitive_outcome tree[2], flood[2];
    struct primitive_facts f;

    for (int k = 0; k < 2; k++, how.repeat = 64)
        if (cvp_run(&tree[k], &f, primitive_find("tree", err), NET, &how, err) < 0 ||
            cvp_run(&flood[k], &f, primitive_find("flood", err), NET, &how, err) < 0)
            return -1;
    return claim_statement(sink, err, tree->messages, tree->messages < flood->messages ? CLAIM_HOLDS : CLAIM_FAILS,
                           CLAIM_CVP_3_MESSAGES_BROADT, flood->messages) < 0 ? -1 :
        claim_statement(sink, err, flood[1].time / tree[1].time, claim_if(flood[1].time <= tree[1].time, flood->time <=
                        tree->time), CLAIM_CVP_3_TIMES_TIME, flood->time, tree->time, flood[1].time, tree[1].time);
}

/* The printed text, run: whether it does what the instruction promises. */
static int cvp_places(const struct claim_sink *sink, struct err *err)
{
    static const struct {
        const char *where, *quantity, *edges, *run, *primitive;
        int repeat;
        enum primitive_text text;
        uint64_t seed;
    } place[] = {
        { "III.9 (CONVT)", "convergecasts of 2 not completed", "1-0 0-2", "a root with two leaves: the channel of the "
          "first message is counted up, too", "converge", 2, TEXT_PUBLISHED, 0 },
        { "III.11 (BROADF)", "deliveries of 8 lost", "0-1 1-2", "four floods on the path 0-1-2: node 1 delivers two, "
          "node 2 one", "flood", 4, TEXT_PUBLISHED, 0 },
        { "III.14 (BROADFF), one flood", "told before all have it", "0-1 1-2 1-3 3-4 4-5 5-6", "a tree of 7: compared "
          "before it is decremented, told at 4 instead of 10", "flood-confirmed", 1, TEXT_PUBLISHED, 0 },
        { "III.14 (BROADFF), several floods", "deliveries lost or twice", "0-1 0-3 1-2 1-3 2-3", "two floods, delays "
          "at random, mended in what it compares: a message of the second passes for a confirmation of the first",
          "flood-confirmed", 2, TEXT_COUNTED, 65 },
        { "III.14 (BROADFF), one after the other", "floods of 2 not confirmed", "0-1 1-2", "the path 0-1-2, floodsfb = "
          "1: first is never wrapped", "flood-confirmed", 2, TEXT_PUBLISHED, 0 },
        { "III.18 (ASK.VIRTUAL.TREE)", "deliveries of 2 lost", "0-1 1-2", "the path 0-1-2: leaves store no way back "
          "for the confirmation", "tree-circuit", 1, TEXT_PUBLISHED, 0 }
    };

    for (size_t i = 0; i < sizeof place / sizeof *place; i++) {
        struct primitive_how how = cvp_plain;
        struct primitive_outcome o;
        struct primitive_facts f;

        how.repeat = place[i].repeat;
        how.every = place[i].seed ? 0 : 100;
        how.text = place[i].text;
        how.seed = place[i].seed;
        how.floods = 1;
        if (cvp_run(&o, &f, primitive_find(place[i].primitive, err), place[i].edges, &how, err) < 0)
            return -1;
        const double bad = o.lost + o.twice + o.early, wrong = bad > 0 ? bad : how.repeat - o.told;

        if (claim_statement(sink, err, wrong, wrong > 0 ? CLAIM_FAILS : CLAIM_HOLDS, place[i].where, place[i].quantity,
                            "none", "%s", place[i].run) < 0)
            return -1;
    }
    return 0;
}

static int claim_cvp_3_run(const struct claim_sink *sink, struct err *err)
{
    return cvp_messages(sink, err) < 0 || cvp_broadcasts(sink, err) < 0 ? -1 : cvp_places(sink, err);
}

const struct claim claim_cvp_3 = {
    CLAIM_CVP_3_ENTRY,
    .run = claim_cvp_3_run
};
