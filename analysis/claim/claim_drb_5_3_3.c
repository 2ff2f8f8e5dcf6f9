/* Section 5.3.3 of Franco's thesis, how metapaths grow with the network. Figures 5-15 to 5-18 print no numbers. */
#include "analysis/claim/drb.h"
#include "graph/base/sweep.h"
#include "texts/claim.h"

/* Specs that are swept (sweep.h) side by side, and the table with the conventions that rows follow. */
static const struct family {
    const char *where, *topology, *supernode, *table;
} families[] = {
    { "figure 5-16, rows of n on n x n torus", "torus:8..256..x2^2", "row:8..256..x2", "5-2" },
    { "figure 5-15, rows of n on midimew of n x n", "midimew:64..65536..x4", "row:8..256..x2", "5-3" },
    { "figure 5-17, rows of n on n x n x n torus", "torus:4..32..x2^3", "row:4..32..x2", "5-2" },
    { "figure 5-17, planes of n x n on n x n x n torus", "torus:4..32..x2^3", "plane:4..32..x2^2", "5-2" },
    { "figure 5-18, subcubes of half the dimensions", "hypercube:6..16..2", "subcube:3..8", "5-4" },
};

struct growth {
    size_t sizes, outside;          /* networks; those where the mean is not between static and random */
    double least, greatest;         /* lengthening, percent */
};

static int growth_table(struct growth *g, const struct family *f, char *const *topology, char *const *supernode, size_t n,
                        const struct tick *t, struct err *err)
{
    *g = (struct growth){ .sizes = n, .least = INFINITY };
    for (size_t i = 0; i < n; i++) {
        struct drb_row row, random;

        if (tick(t, (double)i / (double)n))
            return err_stopped(err);
        if (drb_stats(&row, f->table, topology[i], supernode[i], err) < 0 ||
            drb_stats(&random, f->table, topology[i], "random", err) < 0)
            return -1;
        g->outside += !(row.stats.mean_hops > row.static_mean && row.stats.mean_hops < random.stats.mean_hops);
        g->least = fmin(g->least, row.stats.lengthening);
        g->greatest = fmax(g->greatest, row.stats.lengthening);
    }
    return 0;
}

static int family_statements(const struct family *f, const struct claim_sink *sink, const struct tick *t,
                             struct err *err)
{
    char **topology = NULL, **supernode = NULL;
    size_t n = 0, m = 0;
    struct growth g;
    double ratio;
    int ret = -1;

    if (sweep_spec(&topology, &n, f->topology, NULL, err) < 0 ||
        sweep_spec(&supernode, &m, f->supernode, NULL, err) < 0)
        goto done;
    if (n != m) {
        err_set(err, ERR_INTERNAL, "%s and %s stand for different numbers of specs", f->topology, f->supernode);
        goto done;
    }
    if (growth_table(&g, f, topology, supernode, n, t, err) < 0)
        goto done;
    ratio = (100 + g.greatest) / (100 + g.least);
    if (claim_statement(sink, err, (double)g.outside, g.outside ? CLAIM_FAILS : CLAIM_HOLDS, f->where,
                        CLAIM_DRB_5_3_3_NETWORKS_OUTSIDE, g.sizes, f->topology) == 0)
        ret = claim_statement(sink, err, ratio, ratio < 1.1 ? CLAIM_HOLDS : CLAIM_FAILS, f->where,
                              CLAIM_DRB_5_3_3_LENGTH_OVER, g.least, g.greatest, f->topology);
done:
    mem_free_list(topology, n);
    mem_free_list(supernode, m);
    return ret;
}

static int claim_drb_5_3_3_run(const struct claim_sink *sink, struct err *err)
{
    const size_t n = sizeof families / sizeof *families;

    for (size_t i = 0; i < n; i++) {
        const struct tick part = tick_step(sink->tick, i, n);

        if (family_statements(&families[i], sink, &part, err) < 0)
            return -1;
    }
    return 0;
}

const struct claim claim_drb_5_3_3 = {
    CLAIM_DRB_5_3_3_ENTRY,
    .run = claim_drb_5_3_3_run
};
