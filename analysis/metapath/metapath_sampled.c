/* Pairs from a sample of sources to all terminals (metapath.h): sums over the members of each source's supernode by
 * sums.h, what they say of it, and how far it may be off. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/metapath/metapath_any.h"
#include "graph/base/grow.h"
#include "graph/distance/sums.h"
#include "model/supernode/members.h"

/* Of one source or of several: sums over the pairs that are kept. */
struct kept {
    double pairs, hops, squares, width, nodes;
    double static_hops;         /* to all terminals */
};
struct sampled {
    struct any *any;            /* the network; of areas on both sides, those of the targets */
    const struct supernode *sn;
    const struct metapath_options *o;
    int *source;                /* o->sources of them */
    size_t *first, room;        /* by source: itself, and then the members of its supernode */
    int *member;
    struct kept *kept;          /* by source */
    double least, greatest;
    struct sample_bins *bins;   /* by source; NULL unless asked for */
};

/* Which terminals are no destinations of a source: those in its supernode, or on its line. */
static void leave_out(unsigned char *out, const struct sampled *a, int k)
{
    const struct net *net = a->any->net;
    const int s = a->source[k];

    for (size_t i = a->first[k]; i < a->first[k + 1]; i++)
        out[a->member[i]] = 1;
    if (a->sn->exclude_line) {
        const int d = a->sn->side[0].dim, stride = net_unit(net, d);
        int c[NET_DIMENSIONS];

        net_coordinates(net, s, c);
        for (int x = 0; x < net->size[d]; x++)
            out[s + (x - c[d]) * stride] = 1;
    }
}

/* The metapath to t: `hops` over `paths` of them, by so many nodes. */
static void keep_pair(struct kept *kept, struct sample_bins *bins, const struct metapath_options *o, double *least,
                      double *greatest, uint64_t hops, double paths, double nodes)
{
    const double length = (double)hops / paths;

    kept->pairs++;
    kept->hops += length;
    kept->squares += length * length;
    kept->width += paths;
    kept->nodes += nodes;
    *least = fmin(*least, length);
    *greatest = fmax(*greatest, length);
    if (bins) {
        bins->n++;
        bins->bin[hops * (uint64_t)o->bins_per_hop / (uint64_t)paths]++;
    }
}

static int visit_source(void *about, int k, const uint32_t *from, const uint32_t *sum)
{
    struct sampled *a = about;
    const struct supernode *sn = a->sn;
    const struct net *net = a->any->net;
    const struct any_sets *T = !sn->both ? NULL : a->any->reverse->first ? a->any->reverse : a->any->set;
    const size_t ns = a->first[k + 1] - a->first[k] - 1;
    const uint32_t within = sn->shape != SHAPE_BALL ? 0 : sn->both ? 2 * (uint32_t)sn->radius - 1 : (uint32_t)sn->radius;
    unsigned char *out = calloc((size_t)net->n, 1);
    struct sample_bins *bins = a->bins ? &a->bins[k] : NULL;
    double least = INFINITY, greatest = -INFINITY;
    struct kept kept = { 0 };
    uint64_t base = 0;

    if (bins) {
        bins->nbin = (size_t)(3 * a->any->longest + 1) * (size_t)a->o->bins_per_hop;
        bins->bin = calloc(bins->nbin, sizeof *bins->bin);
    }
    if (!out || (bins && !bins->bin)) {
        free(out);
        return -1;
    }
    for (size_t i = 0; i < ns; i++)
        base += from[a->member[a->first[k] + 1 + i]];
    if (sn->shape != SHAPE_BALL)
        leave_out(out, a, k);
    for (int i = 0; i < net->nterminal; i++) {
        const int t = net_terminal(net, i);
        uint64_t hops = 0;
        size_t nt = 1;

        kept.static_hops += from[t];
        if (sn->shape == SHAPE_ALL || from[t] <= within || out[t])
            continue;
        if (T) {
            nt = T->first[t + 1] - T->first[t];
            for (size_t j = T->first[t]; j < T->first[t + 1]; j++)
                hops += sum[T->member[j]];
            hops += base * nt + T->base[t] * ns;
        } else {
            hops = ns ? base + sum[t] : from[t];
        }
        keep_pair(&kept, bins, a->o, &least, &greatest, hops, (double)(ns ? ns : 1) * (double)nt,
                  (double)ns + (T ? (double)nt : 0));
    }
    free(out);
    if (sn->shape == SHAPE_ALL) {       /* in the mean over all, as far from the source to all as from all to it */
        const double n = net->nterminal;

        kept = (struct kept){ n - 1, 2 * kept.static_hops * (n - 1) / n, NAN, n * (n - 1), n * (n - 1),
                              kept.static_hops };
    }
    a->kept[k] = kept;
#pragma omp critical(metapath_extremes)
    {
        a->least = fmin(a->least, least);
        a->greatest = fmax(a->greatest, greatest);
    }
    return 0;
}

/* What those sums say, of so many sources. */
static void sampled_means(struct metapath_stats *s, const struct kept *k, double sources, double terminals)
{
    const double fixed = k->static_hops / (sources * (terminals - 1));

    s->mean_hops = k->hops / k->pairs;
    s->lengthening = (s->mean_hops / fixed - 1) * 100;
    s->width = k->width / k->pairs;
    s->intermediate = k->nodes / k->pairs;
    s->extra_width_per_hop = s->mean_hops > fixed * (1 + 1e-12) ? (s->width - 1) / (s->mean_hops - fixed) : NAN;
}

static void kept_add(struct kept *sum, const struct kept *k, double factor)
{
    sum->pairs += factor * k->pairs;
    sum->hops += factor * k->hops;
    sum->squares += factor * k->squares;
    sum->width += factor * k->width;
    sum->nodes += factor * k->nodes;
    sum->static_hops += factor * k->static_hops;
}

static int sampled_finish(struct metapath_stats *s, const struct sampled *a, struct err *err)
{
    const size_t n = (size_t)a->o->sources;
    const double terminals = a->any->nterminal;
    double *without = malloc(METAPATH_ESTIMATES * n * sizeof *without);
    struct kept all = { 0 };
    size_t nbin = 0;

    if (!without)
        return err_memory(err);
    for (size_t i = 0; i < n; i++)
        kept_add(&all, &a->kept[i], 1);
    for (size_t i = 0; i < n; i++) {
        struct kept less = all;
        struct metapath_stats m;

        kept_add(&less, &a->kept[i], -1);
        sampled_means(&m, &less, (double)n - 1, terminals);
        without[i] = m.mean_hops;
        without[n + i] = m.lengthening;
        without[2 * n + i] = m.width;
        without[3 * n + i] = m.intermediate;
        without[4 * n + i] = m.extra_width_per_hop;
    }
    for (size_t e = 0; e < METAPATH_ESTIMATES; e++)
        s->error[e] = sample_error(without + e * n, n, terminals);
    free(without);
    sampled_means(s, &all, (double)n, terminals);
    s->sources = (int)n;
    s->pairs = all.pairs * terminals / (double)n;
    s->sd_hops = all.squares / all.pairs - s->mean_hops * s->mean_hops;
    s->sd_hops = s->sd_hops < 0 ? 0 : sqrt(s->sd_hops);         /* NaN stays */
    s->least_hops = isfinite(a->least) ? a->least : NAN;
    s->greatest_hops = isfinite(a->greatest) ? a->greatest : NAN;
    if (!a->bins)
        return 0;
    if (sample_fractions(&s->bin_error, &nbin, a->bins, n, terminals, err) < 0)
        return -1;
    s->nbin = nbin;
    s->bin = calloc(nbin + 1, sizeof *s->bin);
    if (!s->bin)
        return err_memory(err);
    for (size_t i = 0; i < n; i++)
        for (size_t b = 0; b < a->bins[i].nbin; b++)
            s->bin[b] += a->bins[i].bin[b];
    return 0;
}

/* Each source and its members. */
static int sampled_sets(struct sampled *a, struct err *err)
{
    struct members members = { 0 };
    size_t n = 0, largest = 1;
    int ret = -1;

    a->first = calloc((size_t)a->o->sources + 1, sizeof *a->first);
    if (!a->first)
        return err_memory(err);
    if (any_listed(a->sn) && members_open(&members, a->any->net, a->sn, err) < 0)
        return -1;
    for (int k = 0; k < a->o->sources; k++) {
        if (GROW(&a->room, n + (size_t)a->any->net->n + 1, a->sn->spec, err, GROWN(a->member)) < 0)
            goto done;
        a->member[n++] = a->source[k];
        if (any_listed(a->sn))
            n += (size_t)members_of(&members, a->source[k], false, a->member + n);
        a->first[k + 1] = n;
        largest = n - a->first[k] > largest ? n - a->first[k] : largest;
    }
    ret = (double)largest * a->any->longest < SUMS_NONE ? 0 :
        err_set(err, ERR_MEMORY, "%s on %.80s: supernodes of %zu nodes are too large for exact sums", a->sn->spec,
                a->any->net->spec, largest - 1);
done:
    if (any_listed(a->sn))
        members_close(&members);
    return ret;
}

static int one_supernode(struct metapath_stats *out, struct any *any, const struct supernode *sn, int *source,
                         const struct metapath_options *o, struct err *err)
{
    const size_t n = (size_t)o->sources;
    struct sampled a = { .any = any, .sn = sn, .o = o, .source = source, .least = INFINITY, .greatest = -INFINITY };
    int ret = -1;

    any->sn = sn;
    a.kept = calloc(n, sizeof *a.kept);
    a.bins = o->bins_per_hop && sn->shape != SHAPE_ALL ? calloc(n, sizeof *a.bins) : NULL;
    if (!a.kept || (!a.bins && o->bins_per_hop && sn->shape != SHAPE_ALL))
        err_memory(err);
    else if (sampled_sets(&a, err) == 0 && (!sn->both || any_sets_open(any, err) == 0) &&
             sums_each(&any->forward, &(struct sums){ o->sources, a.first, a.member, visit_source, &a }, o->jobs,
                       &o->tick, err) == 0)
        ret = sampled_finish(out, &a, err);
    any_sets_close(any);
    sample_bins_release(a.bins, n);
    free(a.kept);
    free(a.first);
    free(a.member);
    return ret;
}

int metapath_sampled(struct metapath_stats *out, struct net *net, const struct supernode *sn, size_t n,
                     const struct metapath_options *o, struct err *err)
{
    struct any any = { .net = net, .n = 1, .o = o, .nterminal = net->nterminal };
    int *source = NULL, ret = -1;

    if (sample_draw(&source, o->sources, net->nterminal, o->seed, err) < 0)
        return -1;
    for (int k = 0; k < o->sources; k++)
        source[k] = net_terminal(net, source[k]);
    ret = any_graph_open(&any, err);
    for (size_t i = 0; ret == 0 && i < n; i++) {
        struct metapath_options part = *o;

        part.tick = tick_step(&o->tick, i, n);
        ret = one_supernode(&out[i], &any, &sn[i], source, &part, err);
    }
    free(source);
    any_close(&any);
    return ret;
}
