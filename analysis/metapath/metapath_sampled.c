/* Pairs from a sample of sources to all terminals (metapath.h): searches from the members of each source's supernode;
 * their sums for each destination; and the errors of means over the sample. One thread: another would take
 * as much memory again. */
#include "analysis/metapath/metapath_any.h"
#include "model/supernode/members.h"

#define TURNED 64               /* columns: a line of memory */

/* Of one source or of several: sums over the pairs that are kept, and hops to all terminals. */
enum { PAIRS, HOPS, SQUARES, WIDTH, NODES, STATIC, SUMS };
struct sampled {
    struct any *any;            /* the network; of areas on both sides, those of the targets */
    const struct supernode *sn;
    const struct metapath_options *o;
    const int *source;          /* o->sources of them */
    size_t *first, room;        /* by source: itself, and then the members of its supernode */
    int *member;
    uint32_t *from, *sum;       /* by node: hops from the source at hand, and from its members */
    unsigned char *out;         /* no destinations of it */
    double (*kept)[SUMS], *without;
    uint64_t *bin;              /* by source, nbin each; NULL unless asked for */
    size_t nbin;
    double least, greatest;
};

/* Each source and its members. */
static int sampled_sets(struct sampled *a, struct err *err)
{
    struct net *net = a->any->net;
    struct members members = { 0 };
    size_t n = 0, most = 0;
    int ret = -1;

    if (members_open(&members, net, a->sn, err) < 0)
        return -1;
    for (int k = 0; k < a->o->sources; k++) {
        if (GROW(&a->room, n + (size_t)net->n + 1, a->sn->spec, err, GROWN(a->member)) < 0)
            goto done;
        a->member[n++] = a->source[k];
        if (any_listed(a->sn))
            n += (size_t)members_of(&members, a->source[k], false, a->member + n);
        a->first[k + 1] = n;
        most = n - a->first[k] > most ? n - a->first[k] : most;
    }
    ret = (double)most * a->any->longest <= UINT32_MAX ? 0 :
        err_set(err, ERR_MEMORY, "%s on %.80s: supernodes of %zu nodes are too large for exact sums", a->sn->spec,
                net->spec, most);
done:
    members_close(&members);
    return ret;
}

/* Marks the terminals that are not destinations of source k: members of its supernode (but of areas, which leave out by
 * distance), and those on its line. */
static void leave_out(const struct sampled *a, int k)
{
    const struct net *net = a->any->net;
    int c[NET_DIMENSIONS];

    memset(a->out, 0, (size_t)net->n);
    for (size_t i = a->first[k]; a->sn->shape != SHAPE_BALL && i < a->first[k + 1]; i++)
        a->out[a->member[i]] = 1;
    if (a->sn->exclude_line) {
        const int d = a->sn->side[0].dim;

        net_coordinates(net, a->source[k], c);
        for (int x = 0; x < net->size[d]; x++)
            a->out[a->source[k] + (x - c[d]) * net_unit(net, d)] = 1;
    }
}

/* A metapath over so many paths. */
static void keep_pair(struct sampled *a, int k, uint64_t hops, uint64_t paths, double nodes)
{
    const double length = (double)hops / (double)paths, of[] = { 1, length, length * length, (double)paths, nodes };

    for (int i = 0; i < STATIC; i++)
        a->kept[k][i] += of[i];
    a->least = length < a->least ? length : a->least;
    a->greatest = length > a->greatest ? length : a->greatest;
    if (a->bin)
        a->bin[(size_t)k * a->nbin + hops * (uint64_t)a->o->bins_per_hop / paths]++;
}

static void sampled_source(struct sampled *a, int k)
{
    const struct supernode *sn = a->sn;
    const struct net *net = a->any->net;
    const struct any_sets *T = !sn->both ? NULL : a->any->reverse->first ? a->any->reverse : a->any->set;
    const uint32_t within = sn->shape != SHAPE_BALL ? 0 : (uint32_t)(sn->both ? 2 * sn->radius - 1 : sn->radius);
    const size_t ns = a->first[k + 1] - a->first[k] - 1;
    const double n = net->nterminal;
    double *kept = a->kept[k];
    uint64_t base = 0;

    leave_out(a, k);
    for (size_t i = 1; i <= ns; i++)
        base += a->from[a->member[a->first[k] + i]];
    for (int i = 0; i < net->nterminal; i++) {
        const int t = net_terminal(net, i);
        const size_t nt = T ? (size_t)T->many[t] : 1;
        uint64_t hops = ns ? base + a->sum[t] : a->from[t];

        kept[STATIC] += a->from[t];
        if (sn->shape == SHAPE_ALL || a->from[t] <= within || a->out[t])
            continue;
        if (T) {
            hops = base * nt + T->base[t] * ns;
            for (size_t j = T->first[t]; j < T->first[t] + nt; j++)
                hops += a->sum[T->member[j]];
        }
        keep_pair(a, k, hops, (ns ? ns : 1) * nt, (double)(T ? ns + nt : ns));
    }
    if (sn->shape == SHAPE_ALL) {       /* over all pairs, it is as far from all nodes as to all */
        const double all[] = { n - 1, 2 * kept[STATIC] * (n - 1) / n, NAN, n * (n - 1), n * (n - 1) };

        memcpy(kept, all, sizeof all);
    }
}

/* Columns of distances as rows, in tiles: a column alone touches a line of memory for every node. */
static void sampled_turn(uint8_t *out, const uint8_t *row, size_t n)
{
    for (size_t tile = 0; tile < n; tile += TURNED)
        for (size_t c = 0; c < TURNED; c++)
            for (size_t v = tile; v < n && v < tile + TURNED; v++)
                out[c * n + v] = row[v * DIST_BLOCK + c];
}

/* Where distances fit a byte, searches 512 at once; where there are so many levels one after the other is faster, and
 * takes less memory. */
struct searches {
    struct dist_work *work;
    uint8_t *row, *turned;          /* of a block; of TURNED of them by source */
    int *hops, *queue;
};

static int searches_open(struct searches *s, const struct any *any, struct err *err)
{
    const size_t n = (size_t)any->net->n, size = DIST_BLOCK + TURNED;

    if (!any->narrow)
        return TAKE(any->net->spec, err, ARRAY(s->hops, n), ARRAY(s->queue, n));
    if (mem_need(dist_work_bytes(&any->forward) + (double)n * (double)size, any->net->spec, err) < 0)
        return -1;
    s->work = dist_work_new(&any->forward);
    s->row = aligned_alloc(64, n * size);
    if (!s->work || !s->row)
        return err_memory(err);
    s->turned = s->row + n * DIST_BLOCK;
    return 0;
}

static void searches_close(struct searches *s)
{
    dist_work_free(s->work);
    FREE(s->row, s->hops, s->queue);
}

/* Adds distances from member i to all nodes. Members are asked about in order. */
static void searches_add(uint32_t *sum, struct searches *s, const struct sampled *a, size_t i)
{
    const struct any *any = a->any;
    const size_t n = (size_t)any->net->n, column = i % DIST_BLOCK, left = a->first[a->o->sources] - i;

    if (!any->narrow) {
        csr_bfs(&any->forward, a->member[i], s->hops, s->queue);
        for (size_t v = 0; v < n; v++)
            sum[v] += (uint32_t)s->hops[v];
        return;
    }
    if (column == 0)
        dist_rows8(s->row, s->work, &any->forward, a->member + i, left < DIST_BLOCK ? (int)left : DIST_BLOCK);
    if (column % TURNED == 0)
        sampled_turn(s->turned, s->row + column, n);
    for (size_t v = 0; v < n; v++)
        sum[v] += s->turned[column % TURNED * n + v];
}

/* Searches from all members; a source is finished after its last one. */
static int sampled_search(struct sampled *a, struct err *err)
{
    const size_t n = (size_t)a->any->net->n, last = a->first[a->o->sources];
    struct searches s = { 0 };
    int k = 0, ret = searches_open(&s, a->any, err);

    for (size_t i = 0; ret == 0 && i < last; i++) {
        if ((!a->any->narrow || i % DIST_BLOCK == 0) && tick_check(&a->o->tick, (double)i / (double)last, err) < 0) {
            ret = -1;
            break;
        }
        if (i == a->first[k]) {
            memset(a->from, 0, n * sizeof *a->from);
            memset(a->sum, 0, n * sizeof *a->sum);
        }
        searches_add(i == a->first[k] ? a->from : a->sum, &s, a, i);
        if (i + 1 == a->first[k + 1])
            sampled_source(a, k++);
    }
    searches_close(&s);
    return ret;
}

/* Means from sums over a number of sources. */
static void sampled_means(struct metapath_stats *s, const double *sum, double sources, double terminals)
{
    const double fixed = sum[STATIC] / (sources * (terminals - 1));

    s->mean_hops = sum[HOPS] / sum[PAIRS];
    s->lengthening = (s->mean_hops / fixed - 1) * 100;
    s->width = sum[WIDTH] / sum[PAIRS];
    s->intermediate = sum[NODES] / sum[PAIRS];
    s->extra_width_per_hop = s->mean_hops > fixed * (1 + 1e-12) ? (s->width - 1) / (s->mean_hops - fixed) : NAN;
}

static void sampled_finish(struct metapath_stats *s, const struct sampled *a)
{
    const size_t n = (size_t)a->o->sources;
    const double terminals = a->any->nterminal;
    double all[SUMS] = { 0 }, less[SUMS];
    struct metapath_stats m;

    for (size_t k = 0; k < n; k++)
        for (int i = 0; i < SUMS; i++)
            all[i] += a->kept[k][i];
    for (int e = 0; e < METAPATH_ESTIMATES; e++) {
        for (size_t k = 0; k < n; k++) {
            for (int i = 0; i < SUMS; i++)
                less[i] = all[i] - a->kept[k][i];
            sampled_means(&m, less, (double)n - 1, terminals);
            a->without[k] = ((const double[]){ m.mean_hops, m.lengthening, m.width, m.intermediate,
                                               m.extra_width_per_hop })[e];
        }
        s->error[e] = sample_error(a->without, n, terminals);
    }
    sampled_means(s, all, (double)n, terminals);
    s->sources = (int)n;
    s->pairs = all[PAIRS] * terminals / (double)n;
    s->sd_hops = all[SQUARES] / all[PAIRS] - s->mean_hops * s->mean_hops;
    s->sd_hops = s->sd_hops < 0 ? 0 : sqrt(s->sd_hops);         /* NaN stays */
    s->least_hops = isfinite(a->least) ? a->least : NAN;
    s->greatest_hops = isfinite(a->greatest) ? a->greatest : NAN;
    for (size_t b = 0; b < s->nbin; b++) {
        for (size_t k = 0; k < n; k++)
            s->bin[b] += a->bin[k * a->nbin + b];
        for (size_t k = 0; k < n; k++)
            a->without[k] = (double)(s->bin[b] - a->bin[k * a->nbin + b]) / (all[PAIRS] - a->kept[k][PAIRS]);
        s->bin_error[b] = sample_error(a->without, n, terminals);
    }
}

static int one_supernode(struct metapath_stats *out, struct any *any, const struct supernode *sn, const int *source,
                         const struct metapath_options *o, struct err *err)
{
    const size_t n = (size_t)o->sources, nodes = (size_t)any->net->n,
        nbin = sn->shape == SHAPE_ALL ? 0 : (size_t)(3 * any->longest + 1) * (size_t)o->bins_per_hop;
    struct sampled a = { .any = any, .sn = sn, .o = o, .source = source, .nbin = nbin, .least = INFINITY,
                         .greatest = -INFINITY };
    int ret = -1;

    any->sn = sn;
    if (TAKE("the distribution", err, ZEROS(a.first, n + 1), ZEROS(a.kept, n), ZEROS(a.without, n),
             ZEROS(a.from, nodes), ZEROS(a.sum, nodes), ZEROS(a.out, nodes), ZEROS_IF(nbin, a.bin, n * nbin),
             ZEROS_IF(nbin, out->bin, nbin), ZEROS_IF(nbin, out->bin_error, nbin)) < 0)
        return -1;
    out->nbin = nbin;
    if (sampled_sets(&a, err) == 0 && (!sn->both || any_sets_open(any, err) == 0))
        ret = sampled_search(&a, err);
    if (ret == 0)
        sampled_finish(out, &a);
    any_sets_close(any);
    FREE(a.first, a.member, a.kept, a.without, a.from, a.sum, a.out, a.bin);
    return ret;
}

int metapath_sampled(struct metapath_stats *out, struct net *net, const struct supernode *sn, size_t n,
                     const struct metapath_options *o, struct err *err)
{
    struct any any = { .net = net, .n = 1, .o = o, .nterminal = net->nterminal };
    int *source = NULL, ret;

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
