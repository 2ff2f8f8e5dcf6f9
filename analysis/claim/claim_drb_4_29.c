/* The worked example of Franco's thesis, section 4.7.3: six channels on an 8x8 torus (tables 4-6 and 4-7). Figure 4-29
 * shows their latencies without numbers; statements are what the text says of them. Letters are columns, digits rows;
 * messages take the dimension of the digits first. */
#include "analysis/claim/claim.h"
#include "analysis/latency/latency.h"
#include "model/routing/drb_rule.h"
#include "texts/claim.h"

enum { CHANNELS = 6, MOST_WAYS = 3, INTERVALS = 9, COLLIDING = 4 };
static const double interval[INTERVALS] = { 10, 25, 50, 100, 150, 200, 250, 500, 1000 };
static const double TIME = 25;

struct example {
    struct stream stream[CHANNELS];
    int via[CHANNELS][MOST_WAYS];       /* intermediate node; -1: none */
    int nway[CHANNELS];
};
/* The six streams under one routing, at each interval. */
struct curve {
    double latency[INTERVALS][CHANNELS];
    double capacity, saturation;        /* intervals */
};

/* "D2" -> column 3, row 1. */
static int read_node(int *node, const char *text, size_t len, struct err *err)
{
    if (len != 2 || text[0] < 'A' || text[0] > 'H' || text[1] < '1' || text[1] > '8')
        return err_set(err, ERR_FORMAT, "drb_example_channels.csv: '%.*s' is no node of the 8x8 torus", (int)len, text);
    *node = (text[1] - '1') * 8 + (text[0] - 'A');
    return 0;
}

/* "D2-H3 D2-A2-H3": the stops between the ends. */
static int read_ways(struct example *e, int c, const char *text, struct err *err)
{
    for (e->nway[c] = 0; *text; e->nway[c]++) {
        const size_t len = strcspn(text, " ");
        int *via = &e->via[c][e->nway[c]];

        if (e->nway[c] == MOST_WAYS || (len != 5 && len != 8))
            return err_set(err, ERR_FORMAT, "drb_example_channels.csv: '%.80s' is not up to three multistep paths",
                           text);
        *via = -1;
        if (len == 8 && read_node(via, text + 3, 2, err) < 0)
            return -1;
        text += len;
        text += *text == ' ';
    }
    return 0;
}

static int read_example(struct example *e, const struct csv *csv, struct err *err)
{
    int source, target, paths;

    if (claim_columns((int *const[]){ &source, &target, &paths }, csv, "source,destination,multistep_paths", err) < 0)
        return -1;
    if (csv->nrow != CHANNELS)
        return err_set(err, ERR_FORMAT, "drb_example_channels.csv has %zu channels, not 6", csv->nrow);
    for (size_t c = 0; c < CHANNELS; c++) {
        struct stream *to = &e->stream[c];

        *to = (struct stream){ .interval = NAN, .time = NAN, .share = 1 };
        if (read_node(&to->source, csv_at(csv, c, source), 2, err) < 0 ||
            read_node(&to->target, csv_at(csv, c, target), 2, err) < 0 ||
            read_ways(e, (int)c, csv_at(csv, c, paths), err) < 0) return -1;
    }
    return 0;
}

/* A routing with the multistep paths of the example. */
static int example_ways(struct ways *w, struct routing *r, const char *, int source, int target, struct err *err)
{
    const struct example *e = r->state;

    for (int c = 0; c < CHANNELS; c++)
        for (int k = 0; e->stream[c].source == source && e->stream[c].target == target && k < e->nway[c]; k++) {
            const int via = e->via[c][k], stop[] = { via, target };

            if (ways_add(w, via < 0 ? &target : stop, via < 0 ? 1 : 2, 1.0 / e->nway[c], err) < 0)
                return -1;
        }
    return 0;
}

static const struct route example_route = { .name = "table 4-7", .ways = example_ways };

static int compute(struct curve *out, const struct example *e, struct routing *routing, struct err *err)
{
    const struct latency_options o = { .collide = { .switching = &switching_wormhole, .time = TIME } };
    const struct traffic traffic = { .stream = (struct stream *)(uintptr_t)e->stream, .nstream = CHANNELS };
    struct latency_study s;
    int ret;

    if (latency_open(&s, &traffic, routing, 1, &o, err) < 0)
        return -1;
    ret = latency_saturation(&s, err);
    for (int i = 0; ret == 0 && i < INTERVALS; i++) {
        ret = latency_solve(&s, &(struct load){ interval[i], 1 }, err);
        for (int c = 0; ret == 0 && c < CHANNELS; c++)
            out->latency[i][c] = s.collide.latency[c];
    }
    out->capacity = 1 / s.capacity_factor;
    out->saturation = 1 / s.saturation_factor;
    latency_close(&s);
    return ret;
}

/* Mean, and deviation, of C1 to C4. */
static double mean_of(const struct curve *k, int i, double *sd)
{
    double mean = 0, square = 0;

    for (int c = 0; c < COLLIDING; c++)
        mean += k->latency[i][c] / COLLIDING;
    for (int c = 0; c < COLLIDING; c++)
        square += (k->latency[i][c] - mean) * (k->latency[i][c] - mean) / COLLIDING;
    if (sd)
        *sd = sqrt(square);
    return mean;
}

struct curves {
    struct curve single, equal, bandwidth;      /* static; three paths in equal shares; by bandwidth */
};

static enum claim_verdict if_true(bool yes)
{
    return yes ? CLAIM_HOLDS : CLAIM_FAILS;
}

static int saturation_statements(const struct curves *k, const struct claim_sink *sink, struct err *err)
{
    const double before = mean_of(&k->single, 0, NULL), equal = before / mean_of(&k->equal, 0, NULL),
                 bandwidth = before / mean_of(&k->bandwidth, 0, NULL);
    const struct curve *a = &k->single, *b = &k->equal;

    if (claim_statement(sink, err, bandwidth, claim_if(equal >= 4 && equal <= 5, bandwidth >= 4 && bandwidth <= 5),
                        CLAIM_DRB_4_29_TIMES_LOWER, equal, mean_of(a, 2, NULL) / mean_of(&k->bandwidth, 2, NULL)) < 0 ||
        claim_statement(sink, err, a->saturation, if_true(a->saturation <= 150.5 && a->capacity >= 99.5),
                        CLAIM_DRB_4_29_INTERVAL_WHERE, a->saturation, a->capacity) < 0)
        return -1;
    return claim_statement(sink, err, b->saturation, if_true(b->saturation <= 50.5 && b->capacity >= 29.5),
                           CLAIM_DRB_4_29_INTERVAL_WHERE_SATURATION, b->saturation, b->capacity);
}

static int shape_statements(const struct curves *k, const struct claim_sink *sink, struct err *err)
{
    double least = INFINITY, at_300 = 0, sd[2], flat = 0;

    for (int i = 0; i < INTERVALS; i++) {
        const double saved = mean_of(&k->single, i, NULL) - mean_of(&k->equal, i, NULL);

        least = fmin(least, saved);
        if (interval[i] == 250)
            at_300 = saved;
        flat = fmax(flat, mean_of(&k->equal, i, NULL) / TIME);
    }
    mean_of(&k->single, 0, &sd[0]);
    mean_of(&k->equal, 0, &sd[1]);
    if (claim_statement(sink, err, least, if_true(least > 0), CLAIM_DRB_4_29_CYCLES_SAVED, mean_of(&k->single, 0, NULL)
                        - mean_of(&k->equal, 0, NULL), at_300, least) < 0 ||
        claim_statement(sink, err, sd[1] / sd[0], if_true(sd[1] < sd[0] / 2), CLAIM_DRB_4_29_DEVIATION_BETWEEN, sd[0],
                        sd[1]) < 0)
        return -1;
    return claim_statement(sink, err, flat, if_true(flat < 1.5), CLAIM_DRB_4_29_LARGEST_MEAN, flat, mean_of(&k->single,
                           0, NULL) / TIME);
}

/* A stream opens paths once its static latency leaves the band: below that load both curves coincide. */
static int policy_statement(const struct curves *k, const struct claim_sink *sink, struct err *err)
{
    const double band = 32;             /* threshold 20, tolerance 12 */
    double from = NAN, above[INTERVALS];

    for (int i = INTERVALS - 1; i >= 0; i--) {
        above[i] = 0;
        for (int c = 0; c < CHANNELS; c++)
            above[i] = fmax(above[i], k->single.latency[i][c]);
        if (above[i] <= band && (i == INTERVALS - 1 || from == interval[i + 1]))
            from = interval[i];
    }
    return claim_statement(sink, err, from, claim_if(from <= interval[0], !isnan(from)), CLAIM_DRB_4_29_INTERVAL_NO,
                           above[INTERVALS - 4], interval[INTERVALS - 4], above[3]);
}

static int alone_statements(const struct curves *k, const struct claim_sink *sink, struct err *err)
{
    double percent[INTERVALS], from = NAN;
    char where[40];

    for (int c = COLLIDING; c < CHANNELS; c++) {
        snprintf(where, sizeof where, "C%d without metapaths, interval 10", c + 1);
        if (claim_number(sink, err, where, "latency_cycles", "25", k->single.latency[0][c]) < 0)
            return -1;
    }
    for (int i = INTERVALS - 1; i >= 0; i--) {
        percent[i] = 0;
        for (int c = COLLIDING; c < CHANNELS; c++)
            percent[i] = fmax(percent[i], 100 * (k->equal.latency[i][c] / k->single.latency[i][c] - 1));
        if (percent[i] < 10)
            from = interval[i];
    }
    return claim_statement(sink, err, percent[0], claim_if(from <= interval[0], !isnan(from)),
                           CLAIM_DRB_4_29_PERCENT_LONGER, from, percent[3], percent[2], percent[1], percent[0]);
}

/* Figure 4-27: five paths are chosen in proportion to bandwidths 5, 8, 3, 4 and 9. */
static int selection_cells(const struct claim_sink *sink, struct err *err)
{
    static const double latency[] = { 1 / 5., 1 / 8., 1 / 3., 1 / 4., 1 / 9. };
    static const char *const printed[] = { "5", "13", "16", "20", "29" };
    double share[5], sum = 0;
    char where[40];

    drb_rule_shares(share, latency, 5, 29);
    for (int k = 0; k < 5; k++) {
        sum += share[k];
        snprintf(where, sizeof where, "figure 4-27, MSP(1) to MSP(%d)", k + 1);
        if (claim_number(sink, err, where, "share of messages, of 29", printed[k], sum) < 0)
            return -1;
    }
    return 0;
}

static int claim_drb_4_29_run(const struct claim_sink *sink, struct err *err)
{
    struct example e;
    struct curves k;
    struct net *net = NULL;
    struct routing base = { 0 }, ways = { .route = &example_route, .state = &e, .base = &base };
    int ret = -1;

    if (read_example(&e, sink->published, err) < 0 || net_open(&net, "torus:8x8", err) < 0 ||
        routing_open(&base, net, "dor,order=1+2", err) < 0)
        goto done;
    ways.net = net;
    ways.spec = base.spec;              /* for messages; base owns it */
    if (compute(&k.single, &e, &base, err) < 0 || compute(&k.equal, &e, &ways, err) < 0)
        goto done;
    ways.by_bandwidth = true;
    if (selection_cells(sink, err) == 0 && compute(&k.bandwidth, &e, &ways, err) == 0 &&
        alone_statements(&k, sink, err) == 0 && saturation_statements(&k, sink, err) == 0 &&
        shape_statements(&k, sink, err) == 0)
        ret = policy_statement(&k, sink, err);
done:
    routing_close(&base);
    net_close(net);
    return ret;
}

const struct claim claim_drb_4_29 = {
    CLAIM_DRB_4_29_ENTRY,
    .run = claim_drb_4_29_run
};
