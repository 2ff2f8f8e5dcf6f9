#include "analysis/policy/narrowest_search.h"
#include "analysis/bound/lp.h"
#include "analysis/policy/split.h"

#define FULL (1 + 1e-7)         /* times all the time: links that are full but for rounding */

struct cuts {                   /* assignments that will not do, n integers each */
    int *at;
    size_t n;
};
/* Rows: choices of a source; pairs of each offer; links; cuts. Columns: choices, then shares. */
struct rows {
    int pair, link, cut, end;
};

/* Shares of a pair in an offer sum to its part where that is chosen; injections of one pair have one offer. */
static int narrowest_capacity_add_rows(struct rows *r, struct lp *lp, const struct narrowest_search *s,
                    const struct cuts *cuts, struct err *err)
{
    const int pairs = s->f->injection_pair[s->f->ninjection - 1] + 1;

    r->pair = (int)s->n;
    r->link = r->pair + pairs;
    r->cut = r->link + (int)s->f->nlink;
    r->end = r->cut + (int)cuts->n;
    for (int i = 0; i < r->end; i++) {
        const double lo = i < r->pair ? 1 : i < r->link ? 0 : -INFINITY,
                     up = i < r->pair || (i >= r->link && i < r->cut) ? 1 : i < r->link ? 0 : (double)s->n - 1;

        if (lp_row(lp, lo, up, NULL, err) < 0)
            return -1;
    }
    return 0;
}

static int add_choices(struct lp *lp, const struct narrowest_search *s, const struct rows *r, const struct cuts *cuts,
                       struct err *err)
{
    const struct flows *f = s->f;
    int *row;
    double *value;
    bool ok = TAKE("the narrowest metapaths", err, ARRAY(row, r->end), ARRAY(value, r->end)) == 0;

    for (size_t i = 0; ok && i < s->n * s->noffer; i++) {
        const size_t source = i / s->noffer, offer = i % s->noffer;
        size_t n = 1;
        int last = -1;

        row[0] = (int)source;
        value[0] = 1;
        for (uint32_t k = f->source_first[source]; k < f->source_first[source + 1]; k++) {
            const size_t injection = f->source_injection[k];

            if ((size_t)f->injection_option[injection] != offer)
                continue;
            if (f->injection_pair[injection] != last) {
                last = f->injection_pair[injection];
                row[n] = r->pair + last;
                value[n++] = 0;
            }
            value[n - 1] -= f->injection_given[injection];
        }
        for (size_t c = 0; c < cuts->n; c++)
            if ((size_t)cuts->at[c * s->n + source] == offer) {
                row[n] = r->cut + (int)c;
                value[n++] = 1;
            }
        ok = lp_column(lp, &(struct lp_column){ .up = s->width[i] ? 1 : 0, .cost = s->width[i], .n = n, .row = row,
                       .value = value }, err) >= 0 &&
            lp_integer(lp, (int)i, err) == 0;
    }
    FREE(row, value);
    return ok ? 0 : -1;
}

/* Links of a way, how often each; 0 after it: the last injection's are forgotten. */
struct crossing {
    int *row;
    double *value;
    int *place;                 /* by link, -1 */
};

static int narrowest_capacity_cross(struct crossing *c, const struct narrowest_search *s, size_t injection,
                                    const struct rows *r, double demand, size_t *n, struct err *err)
{
    const struct flows *f = s->f;
    int state = f->injection_state[injection], port = f->injection_port[injection];

    c->row[0] = r->pair + f->injection_pair[injection];
    c->value[0] = 1;
    for (*n = 1;;) {
        const size_t link = (size_t)f->port_link[port];
        const uint32_t e = f->edge_first[state];

        if (c->place[link] < 0) {
            c->place[link] = (int)*n;
            c->row[*n] = r->link + (int)link;
            c->value[(*n)++] = 0;
        }
        c->value[c->place[link]] += demand / flows_bandwidth(f, link);
        if (f->edge_first[state + 1] == e)
            break;
        if (f->edge_first[state + 1] > e + 1)
            return err_set(err, ERR_USAGE, "ways that branch cannot be chosen exactly");
        port = f->edge_port[e];
        state = f->edge_child[e];
    }
    for (size_t i = 1; i < *n; i++)
        c->place[c->row[i] - r->link] = -1;
    return 0;
}

static int add_shares(struct lp *lp, const struct narrowest_search *s, const struct rows *r, struct err *err)
{
    const struct flows *f = s->f;
    struct crossing c;
    int ret = TAKE("the narrowest metapaths", err, ARRAY(c.row, f->nlink + 1), ARRAY(c.value, f->nlink + 1),
                   ARRAY(c.place, f->nlink + 1));

    for (size_t l = 0; ret == 0 && l < f->nlink; l++)
        c.place[l] = -1;
    for (size_t i = 0; ret == 0 && i < f->ninjection; i++) {
        const struct traffic_pace request = { s->load->interval, s->study.o.collide.time },
                                  p = flows_pace(f, (size_t)f->injection_source[i], request);
        size_t n;

        ret = narrowest_capacity_cross(&c, s, i, r, p.time / p.interval * s->load->factor, &n, err);
        if (ret == 0 && lp_column(lp, &(struct lp_column){ .up = INFINITY, .n = n, .row = c.row,
                                  .value = c.value }, err) < 0)
            ret = -1;
    }
    FREE(c.row, c.value, c.place);
    return ret;
}

/* The narrowest that no cut forbids, into s->at. */
static int narrowest_capacity_choose(bool *found, struct narrowest_search *s, const struct cuts *cuts, struct err *err)
{
    struct lp *lp = NULL;
    struct rows r;
    enum lp_end end;
    int ret = -1;

    if (lp_open(&lp, "narrowest", false, err) < 0)
        return -1;
    if (narrowest_capacity_add_rows(&r, lp, s, cuts, err) == 0 && add_choices(lp, s, &r, cuts, err) == 0 &&
        add_shares(lp, s, &r, err) == 0 && lp_solve_integer(lp, &end, s->study.o.collide.tick, err) == 0) {
        *found = end == LP_OPTIMAL;
        for (size_t i = 0; *found && i < s->n; i++)
            for (size_t k = 0; k < s->noffer; k++)
                if (lp_value(lp, (int)(i * s->noffer + k)) > 0.5)
                    s->at[i] = (int)k;
        ret = 0;
    }
    lp_close(lp);
    return ret;
}

/* The best shares of the assignment at hand; whether no link has more than it can carry. A solver takes a choice for
 * whole that is so within its tolerance only. */
static int carries(bool *yes, struct narrowest_search *s, struct err *err)
{
    const struct split_options o = { .tick = s->study.o.collide.tick };
    struct split split;
    int ret;

    if (latency_choose(&s->study, s->at, false, err) < 0 || split_open(&split, &s->study, &o, err) < 0)
        return -1;
    ret = split_apply(&s->study, &split, err);
    *yes = narrowest_busiest(s) <= FULL;
    split_release(&split);
    return ret;
}

/* Ways of a pair in the mean, with the assignment at hand. */
static double mean_ways(const struct narrowest_search *s)
{
    double sum = 0;

    for (size_t i = 0; i < s->n; i++)
        sum += s->width[i * s->noffer + (size_t)s->at[i]];
    return sum / (double)s->npair;
}

int narrowest_by_capacity(struct narrowest *out, struct narrowest_search *s, struct err *err)
{
    struct cuts cuts = { 0 };
    int ret = 0;

    if (traffic_own(s->f->traffic) == OWN_SOME)
        return err_set(err, ERR_DOMAIN, "some channels have intervals of their own and others have none; give all of "
                       "them one, or none");
    if (s->f->ninjection > NARROWEST_COLUMNS)
        return err_set(err, ERR_DOMAIN, "an integer program over %zu ways is too large here; %d are taken: offer fewer "
                       "or narrower metapaths", s->f->ninjection, NARROWEST_COLUMNS);
    out->every = true;
    while (ret == 0 && !out->found) {
        bool any = false;

        ret = narrowest_capacity_choose(&any, s, &cuts, err);
        if (ret < 0 || !any)
            break;
        out->tries++;
        out->ways = mean_ways(s);
        ret = carries(&out->found, s, err);
        if (ret < 0 || out->found)
            break;
        ret = GROW_BY(cuts.n, 1, "assignments that do not carry", err, GROWN_OF(cuts.at, s->n));
        if (ret < 0)
            break;
        memcpy(cuts.at + cuts.n++ * s->n, s->at, s->n * sizeof *s->at);
    }
    free(cuts.at);
    return ret;
}
