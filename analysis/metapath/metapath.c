#include "analysis/metapath/metapath.h"

const char *const link_use_name[] = { "", "minimal", "low", "medium", "high" };

void metapath_finish(struct metapath_stats *s, const struct moments *m, const double *denominator,
                     const double *intermediate, size_t nclass, double static_mean)
{
    struct moments_result r;
    double width = 0, nodes = 0;

    moments_result(&r, m, denominator, nclass);
    for (size_t i = 0; i < nclass; i++) {
        width += (double)m[i].n * denominator[i];
        nodes += (double)m[i].n * intermediate[i];
    }
    s->pairs = (double)r.n;
    s->mean_hops = r.mean;
    s->sd_hops = r.sd;
    s->least_hops = r.least;
    s->greatest_hops = r.greatest;
    s->width = r.n ? width / (double)r.n : denominator[0];
    s->intermediate = r.n ? nodes / (double)r.n : intermediate[0];
    s->lengthening = (r.mean / static_mean - 1) * 100;
    s->extra_width_per_hop = r.mean > static_mean * (1 + 1e-12) ? (s->width - 1) / (r.mean - static_mean) : NAN;
}

void metapath_stats_release(struct metapath_stats *s)
{
    FREE(s->bin, s->bin_error);
    *s = (struct metapath_stats){ 0 };
}
