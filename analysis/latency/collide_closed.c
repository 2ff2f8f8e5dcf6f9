/* Closed sources: the fixed point of waits (collide.h). */
#include "analysis/latency/collide_spread.h"

/* Rates at which common sources come to both ports of a pair. */
static void find_shared(struct collide *c)
{
    const struct flows *f = c->f;

    for (size_t i = 0; i < f->noverlap; i++) {
        double sum = 0;

        for (size_t j = f->overlap_first[i]; j < f->overlap_first[i + 1]; j++)
            sum += f->overlap_product[j] * c->rate[f->overlap_source[j]] * c->rate[f->overlap_source[j]];
        c->shared[i] = sum;
    }
}

/* next: what every port of a link waits for each of the others there. `scratch` has room for the largest link's
 * pairs. */
static void all_links(struct collide *c, struct closure_side *side, double *scratch)
{
    const struct flows *f = c->f;
    size_t at = 0;

    for (size_t l = 0; l < f->nlink; l++) {
        const size_t from = f->pair_first[l], to = f->pair_first[l + 1], first = f->port_first[l],
            n = f->port_first[l + 1] - first;
        const double *shared = NULL;

        if (from == to)
            continue;
        if (at < f->noverlap && f->overlap_pair[at] < to) {
            memset(scratch, 0, (to - from) * sizeof *scratch);
            for (; at < f->noverlap && f->overlap_pair[at] < to; at++)
                scratch[f->overlap_pair[at] - from] = c->shared[at];
            shared = scratch;
        }
        for (size_t g = first; g < first + n; g++)
            side[g - first] = (struct closure_side){ c->x[g], c->hold[g], c->wait[g],
                                                     fmax(1e-9 * c->least_time,
                                                     1 / c->x[g] - c->hold[g] - c->wait[g]),
                                                     c->spread ? c->spread[g] : (struct closure_spread){ 0, 0 } };
        c->o.closure->waits(c->next + from, side, n, c->pair + from, shared);
    }
}

static void add_waits(struct collide *c)
{
    const struct flows *f = c->f;

    for (size_t l = 0; l < f->nlink; l++) {
        const size_t first = f->port_first[l], n = f->port_first[l + 1] - first;

        for (size_t g = 0; g < n; g++) {
            double w = c->others ? c->others[first + g] : 0;

            for (size_t j = 0; n > 1 && j < n; j++)
                w += c->pair[f->pair_first[l] + g * n + j];
            c->wait[first + g] = w;
        }
    }
}

static double largest_change(const struct collide *c)
{
    double most = 0;

    for (size_t i = 0; i < c->f->pair_first[c->f->nlink]; i++) {
        const double change = fabs(c->next[i] - c->pair[i]);

        if (!(change <= most))          /* also where it is no number */
            most = change;
    }
    return most / c->least_time;
}

static void evaluate(struct collide *c, struct closure_side *side, double *scratch)
{
    add_waits(c);
    collide_rests(c);
    collide_latencies(c);
    for (size_t i = 0; i < c->f->nsource; i++)
        c->rate[i] = 1 / (c->mi[i] + c->latency[i]);
    collide_flow(c, false);
    find_shared(c);
    all_links(c, side, scratch);
}

/* Which steps to take. Accelerated ones settle in some ten rounds nearly always. Where they do not, small plain ones
 * from no waits, accelerated again once they come near and now and then: slow in deep saturation, sure where there
 * is a fixed point at all. */
struct pace {
    bool plain, been_plain;
    size_t since;               /* rounds in this way */
    double entry;               /* residual when it began */
    double least, before;       /* least residual of this window of plain rounds, and of the last one */
    double *saved;              /* pair, where an acceleration began after plain rounds */
};
enum { ACCELERATED = 150, WINDOW = 500 };

static void accelerate(struct pace *p, struct collide *c)
{
    memcpy(p->saved, c->pair, c->f->pair_first[c->f->nlink] * sizeof *p->saved);
    mixing_forget(&c->mixing);
    p->plain = false;
    p->since = 0;
    p->entry = c->residual;
}

static void go_plainly(struct pace *p, struct collide *c)
{
    const size_t bytes = c->f->pair_first[c->f->nlink] * sizeof *c->pair;

    if (p->been_plain)
        memcpy(c->pair, p->saved, bytes);
    else
        memset(c->pair, 0, bytes);
    if (!p->been_plain)
        p->least = p->before = INFINITY;
    p->plain = p->been_plain = true;
    p->since = 0;
}

/* Decides on the next step; false: plain rounds do not come nearer either. `moved`: pair is not what was evaluated. */
static bool keep_pace(struct pace *p, struct collide *c, bool *moved)
{
    *moved = false;
    p->since++;
    if (!p->plain) {
        if (isfinite(c->residual) && p->since <= ACCELERATED && !(p->been_plain && c->residual > 30 * p->entry))
            return true;
        go_plainly(p, c);
        *moved = true;
        return true;
    }
    if (c->f->cyclic && c->residual > 1e9)
        return false;
    p->least = fmin(p->least, c->residual);
    if (p->since % WINDOW == 0) {
        if (c->f->cyclic && p->least > 0.97 * p->before && c->residual > 1e-3)
            return false;
        p->before = p->least;
        p->least = INFINITY;
        accelerate(p, c);
    } else if (c->residual < 1e-2 && p->since > 100) {
        accelerate(p, c);
    }
    return true;
}

/* Where links are held round a cycle, waits may grow until rounds change nothing in so large a number. */
static bool without_end(const struct collide *c)
{
    double most = 0;

    for (size_t g = 0; g < c->f->nport; g++)
        most = fmax(most, c->wait[g]);
    return c->f->cyclic && most > 1e9 * c->least_time;
}

static int not_settled(const struct collide *c, const struct load *load, struct err *err)
{
    char where[60], how[60] = "grow without end";

    if (c->residual < 100 && !without_end(c))
        snprintf(how, sizeof how, "still change by %.2g of a transmission time", c->residual);
    return err_set(err, ERR_NETWORK, "the waits do not settle at %s: after %zu rounds they %s%s", load_name(where, c->f,
                   load), c->rounds, how, c->o.switching->hold &&
                   c->f->cyclic ? "; where routes close cycles, messages that hold links may block each other for "
                   "good: a longer interval, cut-through or updown may do" : "");
}

static int solve_once(struct collide *c, const struct load *load, struct err *err)
{
    const size_t npair = c->f->pair_first[c->f->nlink];
    struct pace pace = { 0 };
    struct closure_side *side;
    double *scratch;
    size_t most = 1;            /* ports of a link */
    bool moved;
    int ret = -1;

    if (collide_begin(c, load, err) < 0 ||
        GROW(&c->shared_room, c->f->noverlap, "sources that meet themselves", err, GROWN(c->shared)) < 0)
        return -1;
    for (size_t l = 0; l < c->f->nlink; l++)
        if (c->f->port_first[l + 1] - c->f->port_first[l] > most)
            most = c->f->port_first[l + 1] - c->f->port_first[l];
    if (TAKE("the waits of messages", err, ZEROS(scratch, npair), ZEROS(pace.saved, npair), ZEROS(side, most)) < 0)
        return -1;
    if (!c->warm)
        memset(c->pair, 0, npair * sizeof *c->pair);
    c->warm = false;
    mixing_forget(&c->mixing);
    for (c->rounds = 1;; c->rounds++) {
        evaluate(c, side, scratch);
        c->residual = largest_change(c);
        if (!(c->residual <= c->o.tolerance) && tick_check(c->o.tick, 0, err) < 0)
            break;
        if (c->residual <= c->o.tolerance || (c->rounds >= (size_t)c->o.rounds && c->residual <= 1e-6)) {
            c->warm = !without_end(c);
            ret = c->warm ? 0 : not_settled(c, load, err);
            break;
        }
        if (c->rounds >= (size_t)c->o.rounds || (pace.plain && !isfinite(c->residual)) ||
            !keep_pace(&pace, c, &moved)) {
            not_settled(c, load, err);
            break;
        }
        if (moved)
            continue;
        if (pace.plain)
            for (size_t i = 0; i < npair; i++)
                c->pair[i] += 0.4 * (c->next[i] - c->pair[i]);
        else
            mixing_step(&c->mixing, c->pair, c->next, c->rounds < 3 ? 0.5 : pace.been_plain ? 0.4 : 1);
        for (size_t i = 0; i < npair; i++)
            c->pair[i] = fmax(0, c->pair[i]);
    }
    FREE(scratch, pace.saved, side);
    return ret;
}

/* Twice again with holds that vary as the last solution says. Far beyond saturation rounds may circle then: after so
 * many what was found without them stands. */
enum { SPREAD_ROUNDS = 2, CIRCLING = 20000 };

int collide_closed_solve(struct collide *c, const struct load *load, struct err *err)
{
    struct collide_spread v = { 0 };
    const int rounds = c->o.rounds;
    int ret;

    if (!c->o.switching->hold && isfinite(c->o.router.vcs))
        return collide_router_closed(c, load, err);
    ret = solve_once(c, load, err);
    if (ret < 0 || c->spread || !c->o.switching->hold || c->o.closure != &closure_pairwise)
        return ret;
    ret = collide_spread_open(&v, c, err);
    c->o.rounds = rounds < CIRCLING ? rounds : CIRCLING;
    for (int i = 0; ret == 0 && i < SPREAD_ROUNDS; i++) {
        collide_spread_find(&v);
        c->spread = v.hold;
        ret = solve_once(c, load, err);
        c->spread = NULL;
    }
    c->o.rounds = rounds;
    collide_spread_close(&v);
    if (ret == 0 || err->code != ERR_NETWORK)
        return ret;
    *err = (struct err){ 0 };
    c->warm = false;
    return solve_once(c, load, err);
}
