/* Translation-invariant networks: source 0 stands for all, D[v] is every distance. */
#include "analysis/metapath/metapath.h"
#include "analysis/metapath/metapath_links.h"
#include "analysis/metapath/rows.h"
#include "graph/base/clones.h"
#include "graph/distance/conv.h"
#include "model/supernode/members.h"

struct job {
    struct net *net;
    const struct group *g;
    const uint32_t *D;
    double sum;                 /* of D */
    uint32_t longest;
    double *at;                 /* by distance: how many are there */
    struct conv *conv;
};

/* Members of a box at the source 0, by number. */
static int *box_members(const struct job *job, const struct supernode *sn, int *count, struct err *err)
{
    int n = (int)supernode_box_size(sn, job->net), *member;
    struct members m = { .net = job->net, .sn = sn };

    if (TAKE(sn->spec, err, ARRAY(member, n)) < 0)
        return NULL;
    *count = members_of(&m, 0, false, member);
    return member;
}

/* Destinations the row leaves out become NaN. */
static void leave_out(const struct job *job, const struct supernode *sn, const int *member, int n, double *value)
{
    for (int i = 0; i < n; i++)
        value[member[i]] = NAN;
    if (sn->exclude_line) {
        const int unit = net_unit(job->net, sn->side[0].dim);
        int v = 0;

        do {
            value[v] = NAN;
            v = group_add(job->g, v, unit);
        } while (v != 0);
    }
}

/* Those of a row of targets that count, and their values. */
SIMD_CLONES static void keep_row(uint32_t *x, uint8_t *keep, const uint32_t *D, const double *value, uint32_t within)
{
    for (int b = 0; b < DIST_BLOCK; b++) {
        keep[b] = D[b] > within && !isnan(value[b]);
        x[b] = keep[b] ? (uint32_t)(int32_t)value[b] : 0;
    }
}

/* As many of the first targets as rows hold, where squares over a row fit 64 bits; how many. */
static int add_rows(const struct job *job, const double *value, double base, uint32_t within, struct moments *m)
{
    struct rows_total total;
    uint32_t x[DIST_BLOCK];
    uint8_t keep[DIST_BLOCK];
    int t = 0;

    for (; t + DIST_BLOCK <= job->g->n; t += DIST_BLOCK) {
        keep_row(x, keep, job->D + t, value + t, within);
        rows_total(&total, x, (uint32_t)base, keep);
        rows_add(m, &total);
    }
    return t;
}

/* Adds (base + value[t]) of the targets with D[t] > within, value[t] not NaN, to m and the distribution. */
static void add_targets(const struct job *job, const double *value, double base, uint32_t within, double denominator,
                        const struct metapath_options *o, struct metapath_stats *s, struct moments *m)
{
    const bool rows = !s->bin && 3.0 * job->longest * denominator < 1u << 27;

    for (int t = rows ? add_rows(job, value, base, within, m) : 0; t < job->g->n; t++) {
        int64_t x;

        if (job->D[t] <= within || isnan(value[t]))
            continue;
        x = (int64_t)(base + value[t]);
        metapath_count(m, x, 1);
        if (s->bin)
            s->bin[(size_t)((wide_int)x * o->bins_per_hop / (wide_int)denominator)]++;
    }
}

static int result_begin(const struct job *job, const struct metapath_options *o, struct metapath_stats *s,
                        struct moments *m, struct err *err)
{
    moments_init(m);
    s->nbin = o->bins_per_hop ? (size_t)(3.0 * job->longest * o->bins_per_hop) + 1 : 0;
    return TAKE("the distribution", err, ZEROS_IF(s->nbin, s->bin, s->nbin));
}

/* One result from per-target sums. within: the largest distance that is left out. */
static int result(const struct job *job, const double *value, double base, uint32_t within, double denominator,
                  double intermediate, const struct metapath_options *o, struct metapath_stats *s, struct err *err)
{
    struct moments m;

    if (result_begin(job, o, s, &m, err) < 0)
        return -1;
    add_targets(job, value, base, within, denominator, o, s, &m);
    metapath_finish(s, &m, &denominator, &intermediate, 1, job->sum / (job->g->n - 1));
    return 0;
}

static int by_window(const struct job *job, const struct supernode *sn, const struct metapath_options *o,
                     struct metapath_stats *s, struct err *err)
{
    int n, longest = 1, *member = box_members(job, sn, &n, err), ret = -1;
    double *value = NULL, *line = NULL, base = 0;

    if (!member)
        return -1;
    for (int i = 0; i < sn->nside; i++) {
        int length = net_line(job->net, sn->side[i].dim);

        longest = length > longest ? length : longest;
    }
    if (TAKE("metapaths", err, ARRAY(value, job->g->n), ARRAY(line, (size_t)longest * 2)) < 0)
        goto done;
    for (int v = 0; v < job->g->n; v++)
        value[v] = job->D[v];
    for (int i = 0; i < sn->nside; i++) {
        const struct side *side = &sn->side[i];
        const int start = supernode_offset(sn, side->length, 0, net_line(job->net, side->dim), true);

        conv_window(job->g, net_unit(job->net, side->dim), start, side->length, value, line);
    }
    for (int i = 0; i < n; i++)
        base += job->D[member[i]];
    leave_out(job, sn, member, n, value);
    if (result(job, value, base, 0, n, n, o, s, err) < 0)
        goto done;
    ret = link_use_box(s, job->net, job->D, sn, member, n, value, err);
done:
    FREE(line, value, member);
    return ret;
}

static int by_ball(struct job *job, const struct supernode *sn, const struct metapath_options *o,
                   struct metapath_stats *s, struct err *err)
{
    const uint32_t r = (uint32_t)sn->radius;
    double size = 0, base = 0;
    const double *value;

    for (uint32_t d = 0; d <= r && d <= job->longest; d++) {
        size += job->at[d];
        base += d * job->at[d];
    }
    if (!job->conv && conv_open(&job->conv, job->g, job->D, err) < 0)
        return -1;
    if (conv_ball(job->conv, r, sn->both, &value, err) < 0)
        return -1;
    if (sn->both)
        return result(job, value, 2 * base * size, 2 * r - 1, size * size, 2 * size, o, s, err);
    return result(job, value, base, r, size, size, o, s, err);
}

/* Every target alike: the distance itself, or twice the sum of all. */
static int by_definition(const struct job *job, const struct supernode *sn, const struct metapath_options *o,
                         struct metapath_stats *s, struct err *err)
{
    const bool all = sn->shape == SHAPE_ALL;
    const double denominator = all ? job->g->n : 1, intermediate = all ? job->g->n : 0;
    struct moments m;

    if (result_begin(job, o, s, &m, err) < 0)
        return -1;
    for (uint32_t d = 1; d <= job->longest; d++) {
        const int64_t x = all ? (int64_t)(2 * job->sum) : d, many = (int64_t)job->at[d];

        if (many == 0)
            continue;
        metapath_count(&m, x, many);
        if (s->bin)
            s->bin[(size_t)((wide_int)x * o->bins_per_hop / (wide_int)denominator)] += (uint64_t)many;
    }
    metapath_finish(s, &m, &denominator, &intermediate, 1, job->sum / (job->g->n - 1));
    return 0;
}

int metapath_group(struct metapath_stats *out, struct net *net, const struct supernode *sn, size_t n,
                   const struct metapath_options *o, struct err *err)
{
    struct job job = { .net = net, .g = net->group };
    uint32_t *D = NULL;
    int ret = -1;

    if (mem_need((double)net->n * sizeof *D + conv_bytes(net->group), net->spec, err) < 0 ||
        TAKE(net->spec, err, ARRAY(D, net->n)) < 0 || group_distances(net->group, D, err) < 0)
        goto done;
    job.D = D;
    for (int v = 0; v < net->n; v++) {
        job.sum += D[v];
        job.longest = D[v] > job.longest ? D[v] : job.longest;
    }
    if (TAKE(net->spec, err, ZEROS(job.at, (size_t)job.longest + 1)) < 0)
        goto done;
    for (int v = 0; v < net->n; v++)
        job.at[D[v]]++;
    /* Boxes first: their buffer is released before the transforms take theirs. */
    for (int balls = 0; balls < 2; balls++)
        for (size_t i = 0; i < n; i++) {
            if ((sn[i].shape == SHAPE_BALL) != balls)
                continue;
            if (tick_check(&o->tick, ((double)i + (balls ? (double)n : 0)) / (2 * (double)n), err) < 0)
                goto done;
            if ((balls ? by_ball(&job, &sn[i], o, &out[i], err) :
                 sn[i].shape == SHAPE_BOX ? by_window(&job, &sn[i], o, &out[i], err) :
                 by_definition(&job, &sn[i], o, &out[i], err)) < 0)
                goto done;
        }
    conv_close(job.conv);
    job.conv = NULL;
    ret = link_use_areas(out, net, D, sn, n, err);
    for (size_t i = 0; i < n; i++) {            /* from one source to all */
        out[i].pairs *= net->n;
        for (size_t b = 0; b < out[i].nbin; b++)
            out[i].bin[b] *= (uint64_t)net->n;
    }
done:
    conv_close(job.conv);
    FREE(D, job.at);
    return ret;
}
