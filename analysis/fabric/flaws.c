/* flaws.c -- cables that break the pattern of the others, or differ from a design (cluster.h). */
#include "analysis/fabric/cluster.h"

struct flaws {
    struct cluster_flaw *flaw;
    size_t n;
    struct err *err;
};
/* More than half of what is counted, if anything is (Boyer and Moore 1981: others are struck out one for one). */
struct majority {
    double value, lead, votes, all;
};

static int flaws_add(struct flaws *f, enum cluster_fault fault, int a, int b, double have, double usual)
{
    if (GROW_BY(f->n, 1, "flaws of a fabric", f->err, GROWN(f->flaw)) < 0)
        return -1;
    f->flaw[f->n++] = (struct cluster_flaw){ fault, a, b, have, usual };
    return 0;
}

static double flaws_slowest(const struct cluster *c, size_t trunk)
{
    double least = INFINITY;

    for (size_t l = trunks_first(&c->trunks, trunk); l < trunks_first(&c->trunks, trunk + 1); l++)
        least = fmin(least, trunks_kind(&c->trunks, l).bandwidth);
    return least;
}

/* A trunk is looked at from its lower level, of two nodes of one level from the lower number. */
static bool flaws_upward(const struct cluster *c, int a, int b)
{
    return c->at[a].level != c->at[b].level ? c->at[a].level < c->at[b].level : a < b;
}

static void majority_vote(struct majority *m, double value, bool again)
{
    if (again) {
        m->votes += value == m->value;
        m->all++;
    } else if (m->lead == 0) {
        *m = (struct majority){ value, 1, 0, 0 };
    } else {
        m->lead += value == m->value ? 1 : -1;
    }
}

/* What trunks of one pair of levels have, cables and bandwidth: voted twice, then held against it. */
static int flaws_pairs(struct flaws *f, const struct cluster *c, struct majority (*usual)[2])
{
    const struct csr *g = c->trunks.csr;
    int ret = 0;

    for (int round = 0; round < 3; round++)
        for (size_t k = 0; k < g->m && ret == 0; k++) {
            const int v = c->tail[trunks_first(&c->trunks, k)], w = g->to[k];
            const int levels = 2 * (c->at[v].level + 1) + (c->at[w].level == c->at[v].level);
            const double have[2] = { (double)trunks_cables(&c->trunks, k), flaws_slowest(c, k) };

            for (int i = 0; i < 2 && flaws_upward(c, v, w) && ret == 0; i++) {
                struct majority *m = &usual[levels][i];

                if (round < 2)
                    majority_vote(m, have[i], round == 1);
                else if (2 * m->votes > m->all && have[i] < m->value)
                    ret = flaws_add(f, i ? FAULT_SLOW : FAULT_FEWER, v, w, have[i], m->value);
            }
        }
    return ret;
}

/* Of switch a: others of its level that share more than half of its switches above, and how many of these have each. */
static int flaws_missing(struct flaws *f, const struct cluster *c, int a, int *shared, int *reach)
{
    const struct csr *g = c->trunks.csr;
    const int above = c->at[a].level + 1;
    int ups = 0, peers = 0, ret = 0;

    for (int v = 0; v < g->n; v++)
        shared[v] = reach[v] = 0;
    for (size_t k = g->first[a]; k < g->first[a + 1]; k++) {
        const int s = g->to[k];

        ups += c->at[s].level == above;
        for (size_t i = g->first[s]; c->at[s].level == above && i < g->first[s + 1]; i++)
            shared[g->to[i]]++;
    }
    for (int v = 0; v < g->n; v++) {
        const bool peer = v != a && c->at[v].level == c->at[a].level && 2 * shared[v] > ups;

        peers += peer;
        for (size_t k = g->first[v]; peer && k < g->first[v + 1]; k++)
            reach[g->to[k]]++;
    }
    for (int s = 0; s < g->n && ret == 0; s++)
        if (c->at[s].level == above && peers > 1 && reach[s] == peers && csr_link(g, a, s) == g->m)
            ret = flaws_add(f, FAULT_MISSING, a, s, 0, 1);
    return ret;
}

int cluster_flaws(struct cluster_flaw **out, size_t *n, const struct cluster *c, struct err *err)
{
    struct flaws f = { .err = err };
    struct majority (*usual)[2];
    int *shared, *reach, ret = 0;

    if (TAKE("flaws of a fabric", err, ARRAY(shared, c->net->n), ARRAY(reach, c->net->n),
             ZEROS(usual, 2 * c->levels + 4)) < 0)
        return -1;
    for (int v = 0; v < c->net->n && ret == 0; v++)
        if (c->at[v].level > 0 && c->at[v].level < c->levels)
            ret = flaws_missing(&f, c, v, shared, reach);
    if (ret == 0)
        ret = flaws_pairs(&f, c, usual);
    FREE(shared, reach, usual);
    *out = f.flaw;
    *n = f.n;
    return ret;
}

int cluster_design(struct cluster_flaw **out, size_t *n, size_t *unknown, const struct cluster *c,
                   const struct cluster *design, struct err *err)
{
    const struct csr *g = design->trunks.csr;
    const double rate[2] = { c->net->cables.rate, design->net->cables.rate };
    const double scale = rate[0] > 0 && rate[1] > 0 ? rate[1] / rate[0] : 1;    /* rates, if known */
    struct flaws f = { .err = err };
    char label[NET_LABEL];
    struct err none;
    int *twin, ret = 0;

    if (TAKE("a design", err, ARRAY(twin, g->n)) < 0)
        return -1;
    *unknown = 0;
    for (int v = 0; v < g->n; v++)
        if (net_node(c->net, net_label(design->net, v, label), &twin[v], &none) < 0) {
            twin[v] = -1;
            ++*unknown;
        }
    for (size_t k = 0; k < g->m && ret == 0; k++) {
        const size_t link = trunks_first(&design->trunks, k);
        const int a = twin[design->tail[link]], b = twin[design->head[link]];
        const double meant = (double)trunks_cables(&design->trunks, k), wide = flaws_slowest(design, k) * scale;
        const size_t here = a < 0 || b < 0 ? c->trunks.csr->m : csr_link(c->trunks.csr, a, b);
        const double have = here == c->trunks.csr->m ? 0 : (double)trunks_cables(&c->trunks, here);

        if (a < 0 || b < 0 || !flaws_upward(c, a, b))
            continue;
        if (have != meant)
            ret = flaws_add(&f, have == 0 ? FAULT_MISSING : have < meant ? FAULT_FEWER : FAULT_MORE, a, b, have, meant);
        if (ret == 0 && have > 0 && flaws_slowest(c, here) < wide * (1 - 1e-9))
            ret = flaws_add(&f, FAULT_SLOW, a, b, flaws_slowest(c, here), wide);
    }
    FREE(twin);
    *out = f.flaw;
    *n = f.n;
    return ret;
}
