/* equilibrium.c -- ways of equal price (equilibrium.h).
 * 1. ways          a list for each block of demands that go together: a pair's; where these would be too many, all of
 *                  a source's, which go along trees
 * 2. prices        exponential in the load since the last round, from the price that a link had then
 * 3. a block       moves flow to its cheapest way
 * 4. a round       all blocks several times, then shortest paths: what prices prove, ways that are missing
 * 5. until when    the gap is met, or a linear program is quicker */
#include "analysis/bound/equilibrium.h"

#define MOST_ENTRIES 2e7        /* links on ways, above which ways are of sources ... */
#define DEEP 8                  /* ... or where they are so many times those of trees */
#define WAYS 2                  /* that a block has, about */
#define STEEP 2.0               /* exponent that a load of the congestion adds in a round: to begin with and at least */
#define STEEPEST 16.0
#define STEEPER 1.3             /* from a round to the next where the gap became less than PROGRESS of itself */
#define FLATTER 0.7
#define PROGRESS 0.9
#define MOST_SWEEPS 20          /* over all blocks between two rounds of shortest paths; as many as take as long ... */
#define FEWEST_SWEEPS 2
#define FARTHEST 1.5            /* that one step may change an exponent */
#define LOW -40.0               /* the smallest logarithm of a price, so that ways are not longer for nothing; the
                                 * largest is 0 but while flows move */
#define HIGH 50.0
#define MOST_LENGTH 1e200       /* so that all is in reach, whatever capacities */
#define IDLE 5                 /* rounds after which a way without flow is forgotten */
#define LOOK 20                 /* rounds before the pace is looked at, then twice as many each time */
#define QUICK 0.05              /* cubed rows of a program that take as long as to look at one link ... */
#define CLOSE 1e-3              /* ... if it begins as near as that */
#define MOST_ROUNDS 20000
#define ROUNDING 1e-14

struct part {                   /* of a class's capacity that a way takes */
    int class;
    double part;
};
struct way {
    size_t first, n;            /* parts */
    size_t block, next;         /* next of the block; SIZE_MAX: the last */
    double share;               /* of the block's demand; they sum to 1 */
    int idle;
};
struct demanded {
    int at;                     /* sink, or pair of the lists */
    double amount;              /* all copies together */
};
struct equilibrium {
    struct program *p;
    struct found *f;
    size_t nclass, nsource;
    bool whole;                 /* a block is a source */
    size_t *first;              /* by source, nsource + 1: its demands */
    struct demanded *demand;
    size_t *head;               /* by block: its first way */
    size_t nway, ways_room, npart, parts_room;
    struct way *way;
    struct part *part;
    double *relative;           /* by class, load over capacity: the first of six arrays in one */
    double *base;               /* logarithm of the price before this round's load */
    double *price;              /* of a class's whole capacity */
    double *length;             /* of a unit of load */
    double *load;
    double *mark;               /* scratch, 0 between uses */
    struct part *differ;        /* scratch: a way less another */
    int *touched;
    double steep, fullest;      /* exponent by relative load, counted from the fullest class */
    double steps;               /* that shortest paths look at, all sources together */
    double work;                /* links looked at in the last round */
};

/* ---- ways ---- */

/* The first block of source i. */
static size_t block_of(const struct equilibrium *e, size_t i)
{
    return e->whole ? i : e->first[i];
}

static size_t touch(struct equilibrium *e, size_t n, int class, double amount)
{
    if (class < 0)              /* standing still */
        return n;
    if (e->mark[class] == 0)
        e->touched[n++] = class;
    e->mark[class] += amount;
    return n;
}

/* What demands from..to-1 of source i put on classes by the ways just found, in mark; *cost. Returns how many of
 * them, in touched. */
static size_t equilibrium_trace(struct equilibrium *e, double *cost, size_t i, size_t from, size_t to)
{
    const struct program *p = e->p;
    size_t n = 0;

    *cost = 0;
    for (size_t k = from; k < to; k++) {
        const struct demanded d = e->demand[k];
        double least;

        if (p->listed) {
            const size_t path = path_lists_cheapest(&least, &p->lists, (size_t)d.at, e->length);

            for (size_t x = p->lists.path[path]; x < p->lists.path[path + 1]; x++)
                n = touch(e, n, p->lists.link[x], d.amount);
        } else {
            const struct walks *w = &p->walks[i];

            least = p->search.distance[d.at];
            for (int x = d.at; x != w->root; x = p->search.via_state[x])
                n = touch(e, n, w->class[p->search.via[x]], d.amount);
        }
        *cost += d.amount * least;
    }
    return n;
}

static double way_cost(const struct equilibrium *e, const struct way *w)
{
    double sum = 0;

    for (size_t x = w->first; x < w->first + w->n; x++)
        sum += e->part[x].part * e->price[e->part[x].class];
    return sum;
}

/* Adds the way that stands in mark, unless `keep` is false; mark is 0 again. */
static int equilibrium_keep(struct equilibrium *e, size_t b, size_t n, bool keep, struct err *err)
{
    struct way w = { .first = e->npart, .block = b, .next = keep ? e->head[b] : SIZE_MAX };

    if (keep && (GROW(&e->ways_room, e->nway + 1, "ways of all demands", err, GROWN(e->way)) < 0 ||
                 GROW(&e->parts_room, e->npart + n, "ways of all demands", err, GROWN(e->part)) < 0))
        return -1;
    for (size_t t = 0; t < n; t++) {
        const int k = e->touched[t];

        if (keep)
            e->part[w.first + w.n++] = (struct part){ k, e->mark[k] / e->p->fold.class_capacity[k] };
        e->mark[k] = 0;
    }
    if (keep) {
        e->npart += n;
        e->way[e->nway] = w;
        e->head[b] = e->nway++;
    }
    return 0;
}

/* Forgets ways that have carried nothing for long; those that stay keep their order. */
static void equilibrium_forget(struct equilibrium *e)
{
    size_t kept = 0, parts = 0;

    memset(e->head, 0xff, block_of(e, e->nsource) * sizeof *e->head);
    for (size_t j = 0; j < e->nway; j++) {
        struct way w = e->way[j];

        w.idle = w.share > 0 ? 0 : w.idle + 1;
        if (w.idle > IDLE)
            continue;
        memmove(e->part + parts, e->part + w.first, w.n * sizeof *e->part);
        w.first = parts;
        parts += w.n;
        w.next = e->head[w.block];
        e->head[w.block] = kept;
        e->way[kept++] = w;
    }
    e->nway = kept;
    e->npart = parts;
}

/* ---- prices ---- */

static void set_price(struct equilibrium *e, size_t k)
{
    e->price[k] = exp(fmin(e->base[k] + e->steep * (e->relative[k] - e->fullest), HIGH));
}

/* Loads added up anew from shares that are made to sum to 1; what the flow proves. */
static void equilibrium_measure(struct equilibrium *e)
{
    for (size_t b = 0; b < block_of(e, e->nsource); b++) {
        double all = 0;

        for (size_t j = e->head[b]; j != SIZE_MAX; j = e->way[j].next)
            all += e->way[j].share;
        for (size_t j = e->head[b]; j != SIZE_MAX; j = e->way[j].next)
            e->way[j].share /= all;
    }
    memset(e->relative, 0, e->nclass * sizeof *e->relative);
    for (size_t i = 0; i < e->nsource; i++)
        equilibrium_column(e->relative, e, i, 0);
    e->fullest = 0;
    for (size_t k = 0; k < e->nclass; k++) {
        e->load[k] = e->relative[k] * e->p->fold.class_capacity[k];
        e->fullest = fmax(e->fullest, e->relative[k]);
    }
    found_flow(e->f, e->p, e->load);
}

/* The prices at hand are those that the next round begins from. */
static void equilibrium_settle(struct equilibrium *e)
{
    double most = -INFINITY;

    for (size_t k = 0; k < e->nclass; k++) {
        e->base[k] += e->steep * (e->relative[k] - e->fullest);
        most = fmax(most, e->base[k]);
    }
    for (size_t k = 0; k < e->nclass; k++) {
        e->base[k] = fmax(e->base[k] - most, LOW);
        e->price[k] = exp(e->base[k]);
    }
}

static void equilibrium_shift(struct equilibrium *e, const struct part *part, size_t n, double share)
{
    for (size_t x = 0; x < n; x++) {
        e->relative[part[x].class] += share * part[x].part;
        set_price(e, (size_t)part[x].class);
    }
}

/* ---- a block ---- */

/* Way a less way b, class by class. */
static size_t ways_differ(struct equilibrium *e, const struct way *a, const struct way *b)
{
    size_t n = 0;

    for (size_t x = b->first; x < b->first + b->n; x++)
        e->mark[e->part[x].class] = -e->part[x].part;
    for (size_t x = a->first; x < a->first + a->n; x++) {
        const int k = e->part[x].class;
        const double by = e->part[x].part + e->mark[k];

        if (by != 0)
            e->differ[n++] = (struct part){ k, by };
        e->mark[k] = 0;
    }
    for (size_t x = b->first; x < b->first + b->n; x++) {
        const int k = e->part[x].class;

        if (e->mark[k] != 0)
            e->differ[n++] = (struct part){ k, e->mark[k] };
        e->mark[k] = 0;
    }
    return n;
}

/* Moves flow from way a to the cheaper b: by Newton's step, as far as exponents may change and there is some. */
static void equilibrium_move(struct equilibrium *e, struct way *a, struct way *b)
{
    const size_t n = ways_differ(e, a, b);
    double slope = 0, all = 0, bend = 0, most = 0, share;

    for (size_t x = 0; x < n; x++) {
        const double part = e->differ[x].part, cost = part * e->price[e->differ[x].class];

        slope += cost;
        all += fabs(cost);
        bend += part * cost;
        most = fmax(most, fabs(part));
    }
    if (!(slope > ROUNDING * all))
        return;
    share = fmin(a->share, fmin(slope / (bend * e->steep), FARTHEST / (most * e->steep)));
    a->share -= share;
    b->share += share;
    equilibrium_shift(e, e->differ, n, -share);
}

static void equilibrium_block(struct equilibrium *e, size_t b)
{
    size_t best = e->head[b];
    double least = INFINITY;

    if (e->way[best].next == SIZE_MAX)
        return;
    for (size_t j = e->head[b]; j != SIZE_MAX; j = e->way[j].next) {
        const double cost = way_cost(e, &e->way[j]);

        if (cost < least) {
            least = cost;
            best = j;
        }
    }
    for (size_t j = e->head[b]; j != SIZE_MAX; j = e->way[j].next)
        if (j != best && e->way[j].share > 0)
            equilibrium_move(e, &e->way[j], &e->way[best]);
}

/* ---- a round ---- */

/* Shortest paths at the prices at hand. To begin with every source takes them at once and finds prices as those before
 * have left them: these prove nothing. */
static int equilibrium_look(struct equilibrium *e, bool begin, struct err *err)
{
    double all = 0;

    for (size_t i = 0; i < e->nsource; i++) {
        if (i == 0 || begin)
            for (size_t k = 0; k < e->nclass; k++)
                e->length[k] = fmin(e->price[k] / e->p->fold.class_capacity[k], MOST_LENGTH);
        if (program_search(e->p, i, e->length, err) < 0)
            return -1;
        for (size_t b = block_of(e, i); b < block_of(e, i + 1); b++) {
            double cost, least = INFINITY;
            const size_t n = equilibrium_trace(e, &cost, i, e->whole ? e->first[i] : b,
                                               e->whole ? e->first[i + 1] : b + 1);

            for (size_t j = e->head[b]; j != SIZE_MAX; j = e->way[j].next)
                least = fmin(least, way_cost(e, &e->way[j]));
            if (equilibrium_keep(e, b, n, begin || cost < least * (1 - ROUNDING), err) < 0)
                return -1;
            if (begin) {
                e->way[e->nway - 1].share = 1;
                equilibrium_shift(e, e->part + e->way[e->nway - 1].first, n, 1);
            }
            all += cost;
        }
    }
    e->f->rounds++;
    if (!begin)
        found_prices(e->f, e->p, e->length, all);
    return 0;
}

static int equilibrium_round(struct equilibrium *e, struct err *err)
{
    const double sweeps = fmin(fmax(e->steps / (double)e->npart, FEWEST_SWEEPS), MOST_SWEEPS);

    e->work = e->steps + sweeps * (double)e->npart;
    for (size_t k = 0; k < e->nclass; k++)
        set_price(e, k);
    for (int s = 0; s < (int)sweeps; s++)
        for (size_t i = 0; i < e->nsource; i++) {
            if (tick(e->p->o->tick, e->p->done))
                return err_stopped(err);
            for (size_t b = block_of(e, i); b < block_of(e, i + 1); b++)
                equilibrium_block(e, b);
        }
    equilibrium_forget(e);
    equilibrium_measure(e);
    equilibrium_settle(e);
    return equilibrium_look(e, false, err) < 0 ? -1 : program_report(e->p, e->f, err);
}

/* ---- until when ---- */

/* At the pace of the last `rounds`, in which the gap came from `looked` to `gap`, how many more the goal takes. */
static double rounds_to_go(double gap, double goal, double looked, double rounds)
{
    return gap > goal ? rounds * log(gap / goal) / log(looked / gap) : 0;
}

static int equilibrium_rounds(struct equilibrium *e, struct err *err)
{
    const double rows = (double)(e->nsource + e->nclass), goal = program_corner(e->p) ? CLOSE : found_goal(e->p);
    const double close = fmax(goal, CLOSE);
    double last = found_gap(e->f), looked = last;
    int since = 0, look = LOOK;

    for (int r = 1; r <= MOST_ROUNDS && last > goal; r++) {
        double gap, patience;

        if (equilibrium_round(e, err) < 0)
            return -1;
        gap = found_gap(e->f);
        e->steep *= gap < PROGRESS * last ? STEEPER : FLATTER;
        e->steep = fmin(fmax(e->steep, STEEP / e->f->congestion), STEEPEST / e->f->congestion);
        last = gap;
        if (r < look)
            continue;
        patience = QUICK * rows * rows * rows / e->work;
        if (rounds_to_go(gap, goal, looked, r - since) > patience &&
            (gap <= close || rounds_to_go(gap, close, looked, r - since) > patience))
            break;
        looked = gap;
        since = r;
        look *= 2;
    }
    return 0;
}

/* Demands of all sources; whether their ways would be too many, by the hops of the shortest. */
static int equilibrium_demands(struct equilibrium *e, struct err *err)
{
    const struct program *p = e->p;
    size_t n = 0, room = 0;
    double hops = 0, trees = 0;

    for (size_t k = 0; k < e->nclass; k++)
        e->length[k] = 1;
    for (size_t i = 0; i < e->nsource; i++) {
        const size_t from = p->listed ? p->lists.source[i] : 0,
            to = p->listed ? p->lists.source[i + 1] : (size_t)fold_view(&p->fold, i)->n;

        if (GROW(&room, n + to - from + 1, "demands", err, GROWN(e->demand)) < 0 ||
            program_search(e->p, i, e->length, err) < 0)
            return -1;
        e->first[i] = n;
        for (size_t k = from; k < to; k++) {
            const int at = p->listed ? (int)k : walks_sink(&p->walks[i], (int)k);
            const double amount = p->listed ? p->lists.amount[k] / p->mean : p->at[i][k];

            if (!(amount > 0))
                continue;
            e->demand[n++] = (struct demanded){ at, amount * p->fold.copies[i] };
            hops += p->listed ? 0 : p->search.distance[at];
        }
        trees += p->listed ? 0 : p->search.reached;
        e->steps += (double)(p->listed ? p->lists.path[p->lists.pair[to]] - p->lists.path[p->lists.pair[from]] :
            p->walks[i].first[p->walks[i].n]);
    }
    e->first[e->nsource] = n;
    e->whole = WAYS * hops > MOST_ENTRIES || hops > DEEP * trees;
    return 0;
}

int equilibrium_open(struct equilibrium **out, struct found *f, struct program *p, struct err *err)
{
    struct equilibrium *e = calloc(1, sizeof *e);
    const size_t n = p->fold.nclass + 1;

    if (!e)
        return err_memory(err);
    *e = (struct equilibrium){ .p = p, .f = f, .nclass = p->fold.nclass, .nsource = p->fold.nsource };
    if (TAKE("ways of equal price", err, ARRAY(e->first, e->nsource + 1), ZEROS(e->relative, 6 * n),
             ARRAY(e->differ, n), ARRAY(e->touched, n)) < 0)
        goto fail;
    e->base = e->relative + n;
    e->price = e->base + n;
    e->length = e->price + n;
    e->load = e->length + n;
    e->mark = e->load + n;
    if (equilibrium_demands(e, err) < 0)
        goto fail;
    if (TAKE("ways of equal price", err, ARRAY(e->head, block_of(e, e->nsource) + 1)) < 0)
        goto fail;
    memset(e->head, 0xff, block_of(e, e->nsource) * sizeof *e->head);
    e->steep = STEEP / f->least;
    e->fullest = f->least;
    for (size_t k = 0; k < e->nclass; k++) {
        e->base[k] = log(p->fold.class_size[k]);
        set_price(e, k);
    }
    if (equilibrium_look(e, true, err) < 0)
        goto fail;
    equilibrium_measure(e);
    if (equilibrium_rounds(e, err) < 0)
        goto fail;
    *out = e;
    return 0;
fail:
    equilibrium_close(e);
    return -1;
}

void equilibrium_close(struct equilibrium *e)
{
    if (!e)
        return;
    FREE(e->first, e->demand, e->head, e->way, e->part, e->relative, e->differ, e->touched, e);
}

bool equilibrium_column(double *relative, const struct equilibrium *e, size_t i, size_t j)
{
    bool some = j < 2;          /* a source without demands has one way, too */

    for (size_t b = block_of(e, i); b < block_of(e, i + 1); b++) {
        size_t at = e->head[b], n = 1;

        for (; j && n < j && e->way[at].next != SIZE_MAX; n++)
            at = e->way[at].next;
        some = some || n >= j;
        for (size_t way = at; way != SIZE_MAX; way = j ? SIZE_MAX : e->way[way].next)
            for (size_t x = e->way[way].first; x < e->way[way].first + e->way[way].n; x++)
                relative[e->part[x].class] += (j ? 1 : e->way[way].share) * e->part[x].part;
    }
    return some;
}
