/* Section 5.3.1.1 of Franco's thesis: what it reads from tables 5-2 to 5-4, each statement from our statistics of the
 * same rows. A supernode's extra bandwidth is, there, the number of its nodes. */
#include "analysis/claim/drb.h"
#include "texts/claim.h"

enum { TORUS, MIDIMEW, HYPERCUBE };
static const char *const where[DRB_TABLES] = { "table 5-2", "table 5-3", "table 5-4" };
#define NAME_AT 6               /* within these */

struct chapter {
    struct drb_found table[DRB_TABLES];
    const struct claim_sink *sink;
};

static bool is_area(const struct drb_row *row)
{
    return row->method == DRB_SINGLE || row->method == DRB_DOUBLE;
}

/* Whether the next row has the next smaller supernode of the same method. */
static bool has_smaller(const struct drb_found *f, size_t i)
{
    return i + 1 < f->n && f->row[i].method >= DRB_SUBNETWORK && f->row[i].method == f->row[i + 1].method;
}

static double nodes_per_hop(const struct drb_row *row)
{
    return (row->stats.intermediate - 1) / (row->stats.mean_hops - row->static_mean);
}

static const struct drb_row *row_of(const struct drb_found *f, const char *supernode)
{
    for (size_t i = 0; i < f->n; i++)
        if (strcmp(f->row[i].supernode, supernode) == 0)
            return &f->row[i];
    return NULL;
}

/* The row with the most intermediate nodes among those with a smaller lengthening, random excluded. */
static const struct drb_row *widest(const struct drb_found *f, double lengthening)
{
    static const struct drb_row none = { .supernode = "none" };
    const struct drb_row *most = &none;

    for (size_t i = 0; i < f->n; i++)
        if (f->row[i].method != DRB_RANDOM && f->row[i].stats.lengthening < lengthening &&
            f->row[i].stats.intermediate > most->stats.intermediate)
            most = &f->row[i];
    return most;
}

/* ---- of each table ------------------------------------------------------------------------------------- */

/* Within each method, the steps from a supernode to the next smaller one: length and nodes should fall, and the
 * deviation rise. */
static int growth_statements(struct chapter *c, int t, struct err *err)
{
    const struct drb_found *f = &c->table[t];
    int steps = 0, shorter = 0, uniform = 0, pairs = 0, crossed = 0;

    for (size_t i = 0; i < f->n; i++) {
        const struct metapath_stats *a = &f->row[i].stats, *b = &f->row[i + 1 < f->n ? i + 1 : i].stats;

        if (has_smaller(f, i)) {
            steps++;
            shorter += !(b->mean_hops < a->mean_hops && b->intermediate < a->intermediate);
            uniform += !(b->sd_hops > a->sd_hops);
        }
        for (size_t k = 0; k < i; k++, pairs++)
            crossed += (f->row[k].stats.mean_hops - a->mean_hops) * (f->row[k].stats.sd_hops - a->sd_hops) > 0;
    }
    if (claim_statement(c->sink, err, shorter, shorter ? CLAIM_FAILS : CLAIM_HOLDS, where[t],
                        CLAIM_DRB_5_3_1_1_STEPS_LENGTH, steps) < 0)
        return -1;
    return claim_statement(c->sink, err, uniform, claim_if(!uniform && !crossed, !uniform), where[t],
                           CLAIM_DRB_5_3_1_1_STEPS_DEVIATION, steps, crossed, pairs);
}

/* The sub-network nearest in length to an area. */
static const struct drb_row *nearest(const struct drb_found *f, const struct drb_row *area)
{
    const struct drb_row *best = NULL;

    for (size_t i = 0; i < f->n; i++)
        if (f->row[i].method == DRB_SUBNETWORK &&
            (!best || fabs(f->row[i].stats.mean_hops - area->stats.mean_hops) <
                      fabs(best->stats.mean_hops - area->stats.mean_hops)))
            best = &f->row[i];
    return best;
}

static int width_statement(struct chapter *c, int t, struct err *err)
{
    const struct drb_found *f = &c->table[t];
    double least = INFINITY, greatest = 0, alike = INFINITY;

    for (size_t i = 0; i < f->n; i++) {
        const struct drb_row *row = &f->row[i];

        if (is_area(row)) {
            least = fmin(least, nodes_per_hop(row));
            alike = fmin(alike, nodes_per_hop(row) / nodes_per_hop(nearest(f, row)));
        } else if (row->method == DRB_SUBNETWORK) {
            greatest = fmax(greatest, nodes_per_hop(row));
        }
    }
    return claim_statement(c->sink, err, alike, claim_if(least > greatest, alike > 1), where[t],
                           CLAIM_DRB_5_3_1_1_NODES_HOP, alike, least, greatest);
}

static int links_statement(struct chapter *c, int t, struct err *err)
{
    const struct csv *published = c->sink->published;
    const struct drb_found *f = &c->table[t];
    int use, other = 0;

    if (claim_columns(&(int *const){ &use }, published, "link_use", err) < 0)
        return -1;
    for (size_t i = 0; i < f->n; i++)
        other += strcmp(link_use_name[f->row[i].stats.use], csv_at(published, f->row[i].line, use)) != 0;
    return claim_statement(c->sink, err, other, other ? CLAIM_FAILS : CLAIM_HOLDS, where[t],
                           CLAIM_DRB_5_3_1_1_ROWS_WHOSE, f->n);
}

/* Lengthening per unit of size, or per node, over all rows of a method or (inner) without its largest and smallest. */
struct slope {
    double least, greatest;
    int low_ends;                   /* of the two excluded rows, those below the least */
};

static struct slope slope_of(const struct drb_found *f, enum drb_method method, bool inner, bool nodes)
{
    struct slope s = { INFINITY, 0, 0 };

    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < f->n; i++) {
            const bool end = inner && (!has_smaller(f, i) || i == 0 || !has_smaller(f, i - 1));
            const double per_unit = f->row[i].stats.lengthening / (nodes ? f->row[i].stats.intermediate :
                                                                   f->row[i].size);

            if (f->row[i].method != method)
                continue;
            if (!end) {
                s.least = fmin(s.least, per_unit);
                s.greatest = fmax(s.greatest, per_unit);
            }
            s.low_ends += pass && end && per_unit < s.least;
        }
    return s;
}

/* The text excepts the ends on torus and midimew; of the hypercube it mentions only the areas. */
static int proportion_statements(struct chapter *c, int t, struct err *err)
{
    const bool inner = t != HYPERCUBE;
    double spread = 1, by_nodes = 1;
    int low = 0;

    for (enum drb_method m = inner ? DRB_SUBNETWORK : DRB_SINGLE; m <= DRB_DOUBLE; m++) {
        const struct slope s = slope_of(&c->table[t], m, inner, false), n = slope_of(&c->table[t], m, inner, true);

        spread = fmax(spread, s.greatest / s.least);
        by_nodes = fmax(by_nodes, n.greatest / n.least);
        low += s.low_ends;
    }
    if (claim_statement(c->sink, err, spread, claim_if(by_nodes < 1.25, spread < 1.25), where[t],
                        CLAIM_DRB_5_3_1_1_LENGTHENING_UNIT, inner ? "largest and smallest apart," : "for the areas,",
                        (spread - 1) * 100, (by_nodes - 1) * 100) < 0)
        return -1;
    return !inner ? 0 : claim_statement(c->sink, err, low, low == 6 ? CLAIM_HOLDS : CLAIM_FAILS, where[t],
                                        CLAIM_DRB_5_3_1_1_ENDS_LENGTHEN, low);
}

/* ---- of several ---------------------------------------------------------------------------------------- */

static int subcube_statement(struct chapter *c, struct err *err)
{
    const struct drb_found *f = &c->table[HYPERCUBE];
    double least = INFINITY, greatest = 0;

    for (size_t i = 0; i < f->n; i++)
        if (f->row[i].method == DRB_SUBNETWORK) {
            const double step = f->row[i].stats.lengthening - (has_smaller(f, i) ? f->row[i + 1].stats.lengthening : 0);

            least = fmin(least, step);
            greatest = fmax(greatest, step);
        }
    return claim_statement(c->sink, err, greatest / least, claim_if(greatest < least * (1 + 1e-9), greatest < 1.1 *
                           least), where[HYPERCUBE], CLAIM_DRB_5_3_1_1_STEP_BETWEEN, 50 / f->row[0].static_mean, least,
                           greatest);
}

static int largest_statement(struct chapter *c, struct err *err)
{
    const struct metapath_stats *most[DRB_TABLES];

    for (int t = 0; t < DRB_TABLES; t++)
        most[t] = &widest(&c->table[t], INFINITY)->stats;
    return claim_statement(c->sink, err, most[HYPERCUBE]->intermediate, most[HYPERCUBE]->intermediate >
                           fmax(most[TORUS]->intermediate, most[MIDIMEW]->intermediate) ? CLAIM_HOLDS : CLAIM_FAILS,
                           CLAIM_DRB_5_3_1_1_MOST_NODES, most[HYPERCUBE]->intermediate, most[HYPERCUBE]->lengthening,
                           most[MIDIMEW]->intermediate, most[MIDIMEW]->lengthening, most[TORUS]->intermediate,
                           most[TORUS]->lengthening);
}

static int midimew_statement(struct chapter *c, struct err *err)
{
    double least = INFINITY, greatest = 0;
    int same = 0, lengthened = 0;

    for (size_t i = 0; i < c->table[TORUS].n; i++) {
        const struct drb_row *a = &c->table[TORUS].row[i], *b = row_of(&c->table[MIDIMEW], a->supernode);
        const double ratio = b ? a->stats.mean_hops / b->stats.mean_hops : NAN;

        least = fmin(least, ratio);
        greatest = fmax(greatest, ratio);
        same += b != NULL;
        lengthened += b && b->stats.lengthening > a->stats.lengthening;
    }
    return claim_statement(c->sink, err, least, least > 1 ? CLAIM_HOLDS : CLAIM_FAILS, CLAIM_DRB_5_3_1_1_LENGTH_TORUS,
                           (least - 1) * 100, (greatest - 1) * 100, same, lengthened);
}

static int half_statement(struct chapter *c, struct err *err)
{
    const struct drb_row *most = widest(&c->table[0], 50), *five = row_of(&c->table[HYPERCUBE], "sga:5");
    int at = 0;

    for (int t = 1; t < DRB_TABLES; t++) {
        const struct drb_row *row = widest(&c->table[t], 50);

        at = row->stats.intermediate > most->stats.intermediate ? t : at;
        most = at == t ? row : most;
    }
    return claim_statement(c->sink, err, most->stats.intermediate, most->stats.intermediate >= 638 ? CLAIM_HOLDS :
                           CLAIM_FAILS, CLAIM_DRB_5_3_1_1_MOST_NODES_SUPERNODE, most->supernode, where[at], five ?
                           five->stats.lengthening : NAN);
}

static int claim_drb_5_3_1_1_run(const struct claim_sink *sink, struct err *err)
{
    struct chapter c = { .sink = sink };

    for (int t = 0; t < DRB_TABLES; t++) {
        const struct tick part = tick_step(sink->tick, (size_t)t, DRB_TABLES);

        if (drb_find(&c.table[t], where[t] + NAME_AT, sink->published, &part, err) < 0)
            return -1;
        if (c.table[t].n == 0)
            return err_set(err, ERR_FORMAT, "%s has no rows of %s", sink->claim->file, where[t]);
    }
    for (int t = 0; t < DRB_TABLES; t++)
        if (growth_statements(&c, t, err) < 0 || width_statement(&c, t, err) < 0 || links_statement(&c, t, err) < 0 ||
            proportion_statements(&c, t, err) < 0)
            return -1;
    return subcube_statement(&c, err) < 0 || largest_statement(&c, err) < 0 || midimew_statement(&c, err) < 0 ||
           half_statement(&c, err) < 0 ? -1 : 0;
}

const struct claim claim_drb_5_3_1_1 = {
    CLAIM_DRB_5_3_1_1_ENTRY,
    .run = claim_drb_5_3_1_1_run
};
