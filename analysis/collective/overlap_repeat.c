/* What a schedule under way repeats is not played again (overlap.h).
 * 1. picture    all that the rest depends on, relative to the time and to the round of each process: where every process
 *               is, what of messages is left, what waits
 * 2. compare    with a picture kept at rounds 64, 128, 256, ... (Brent 1980): where both are one, what lies between is
 *               a period; two of them are seen, for chains of messages must grow alike too
 *               Of more than SHARE_MANY processes a steady pace is enough
 * 3. skip       as many periods as all processes have left but the last rounds: all is later by so many of them */
#include "analysis/collective/overlap_run.h"

#define SAME 1e-9
#define PACE 3e-3
enum { LOOKS = 128 };                   /* of more processes than that, pictures are taken of fewer rounds */

struct counts {                         /* what is counted, at a picture */
    double *sends, *sent, *count, *bytes;        /* by process; by connection */
    int64_t *step, *had;                /* had: rounds */
};
struct repeat {
    int part;                           /* that is looked at */
    int64_t round, next, looked;        /* of the picture that is kept; when it is to be another; of the last */
    double at, half;                    /* of the picture; of half the rounds until the next */
    int64_t half_round;
    double *kept, *now;
    size_t nkept, nnow, room_kept, room_now;
    struct counts was;
    size_t nconnection, room;
    int64_t *longer, rounds;            /* of chains, by process, in the last period; of that, 0: there was none */
    bool done;                          /* this part has been skipped */
};

int repeat_open(struct run *r, struct err *err)
{
    struct repeat *x;
    bool any = false;

    for (int k = 0; k < r->nparts && k < r->apart; k++)
        for (int p = 0; p < r->s->n && r->part[k]->round; p++) {
            const int64_t n = r->part[k]->round(r->s, p);

            any = any || (n > 0 && r->part[k]->length(r->s, p) / n > 3 * ROUNDS_RAGGED);
        }
    if (!any || r->c->pieces || r->c->seen)
        return 0;
    r->repeat = x = calloc(1, sizeof *x);
    if (!x)
        return err_memory(err);
    x->part = NONE;
    return TAKE("a schedule that repeats", err, ARRAY(x->was.sends, r->s->n), ARRAY(x->was.sent, r->s->n),
                ARRAY(x->was.step, r->s->n), ARRAY(x->was.had, r->s->n), ARRAY(x->longer, r->s->n));
}

void repeat_close(struct run *r)
{
    struct repeat *x = r->repeat;

    if (x)
        FREE(x->kept, x->now, x->was.sends, x->was.sent, x->was.step, x->was.had, x->was.count, x->was.bytes,
             x->longer);
    free(x);
    r->repeat = NULL;
}

/* Actions of a round; 0: the process is not in the part. */
static int64_t rounds_of(const struct run *r, int p)
{
    return r->worker[p].part == r->repeat->part ? r->part[r->repeat->part]->round(r->s, p) : 0;
}

static int64_t rounds_had(const struct run *r, int p)
{
    return (r->worker[p].at - r->worker[p].begin) / rounds_of(r, p);
}

/* Whether all are in the part; the least number of rounds that one has left, and the least that one has had. */
static bool repeat_all_in(const struct run *r, int64_t *left, int64_t *had)
{
    *left = *had = INT64_MAX;
    for (int p = 0; p < r->s->n; p++) {
        const struct worker *w = &r->worker[p];
        const int64_t n = rounds_of(r, p);

        if (n == 0)
            return false;
        *left = (w->end - w->at) / n < *left ? (w->end - w->at) / n : *left;
        *had = rounds_had(r, p) < *had ? rounds_had(r, p) : *had;
    }
    return true;
}

/* ---- picture ---- */

static double ahead(const struct run *r, double at)
{
    return isinf(at) ? at : fmax(0, at - r->now);
}

static int picture_add(struct repeat *x, double value, struct err *err)
{
    if (GROW(&x->room_now, x->nnow + 1, "a schedule that repeats", err, GROWN(x->now)) < 0)
        return -1;
    x->now[x->nnow++] = value;
    return 0;
}

static int picture_queue(const struct run *r, struct repeat *x, const struct queue *q, struct err *err)
{
    for (int m = q->first; m >= 0; m = r->message[m].next) {
        const struct message *l = &r->message[m];
        const bool flows = (size_t)m < r->o->share.nflow && r->o->share.flow[m].live && isinf(l->arrival);
        const double wait = flows ? ahead(r, r->o->share.flow[m].end) : ahead(r, l->arrival);

        if (picture_add(x, ahead(r, l->posted), err) < 0 || picture_add(x, ahead(r, l->flows), err) < 0 ||
            picture_add(x, wait, err) < 0 || picture_add(x, flows ? r->o->share.flow[m].rate : 0, err) < 0)
            return -1;
    }
    return picture_add(x, -1, err);
}

static int picture_take(const struct run *r, struct repeat *x, int64_t round, struct err *err)
{
    const size_t ports = (size_t)r->o->ports;

    x->nnow = 0;
    for (int p = 0; p < r->s->n; p++) {
        const struct worker *w = &r->worker[p];
        const double value[] = {
            (double)(rounds_had(r, p) - round), (double)((w->at - w->begin) % rounds_of(r, p)), (double)(w->ask - w->at),
            (double)w->asking, (double)w->coming, w->stall, w->stall == GOES ? 0 : w->on, ahead(r, w->clock),
            ahead(r, w->ready), ahead(r, w->free)
        };

        for (size_t k = 0; k < sizeof value / sizeof *value; k++)
            if (picture_add(x, value[k], err) < 0)
                return -1;
        for (size_t k = 0; k < ports; k++)
            if (picture_add(x, ahead(r, r->slot[(size_t)p * ports + k]), err) < 0 ||
                picture_add(x, ahead(r, r->clear[(size_t)p * ports + k]), err) < 0)
                return -1;
    }
    for (size_t k = 0; k < r->o->nconnection; k++) {
        const struct connection *c = &r->o->connection[k];

        if (c->run == r->o->runs &&
            (picture_add(x, c->waiting, err) < 0 || picture_add(x, r->unasked ? 0 : c->wanted, err) < 0 ||
             picture_add(x, c->wanted ? ahead(r, c->asked) : 0, err) < 0 ||
             picture_queue(r, x, &c->posted, err) < 0 || picture_queue(r, x, &c->come, err) < 0))
            return -1;
    }
    return picture_add(x, ahead(r, r->o->share.due), err);
}

/* ---- compare ---- */

static int repeat_keep(struct run *r, int64_t round, struct err *err)
{
    struct repeat *x = r->repeat;
    double *const spare = x->kept;
    const size_t room = x->room_kept;

    x->kept = x->now;
    x->nkept = x->nnow;
    x->room_kept = x->room_now;
    x->now = spare;
    x->room_now = room;
    x->round = round;
    x->next = 2 * round;
    x->at = r->now;
    x->half_round = 0;
    x->nconnection = r->o->nconnection;
    if (GROW(&x->room, x->nconnection, "a schedule that repeats", err, GROWN(x->was.count), GROWN(x->was.bytes)) < 0)
        return -1;
    for (int p = 0; p < r->s->n; p++) {
        x->was.sends[p] = r->worker[p].sends;
        x->was.sent[p] = r->worker[p].sent;
        x->was.step[p] = r->worker[p].step;
        x->was.had[p] = rounds_had(r, p);
    }
    for (size_t k = 0; k < x->nconnection; k++) {
        x->was.count[k] = r->o->connection[k].count;
        x->was.bytes[k] = r->o->connection[k].bytes;
    }
    return 0;
}

static bool repeat_same(const struct run *r)
{
    const struct repeat *x = r->repeat;

    if (x->nkept != x->nnow || x->nconnection != r->o->nconnection)
        return false;
    for (size_t k = 0; k < x->nkept; k++)
        if (x->kept[k] != x->now[k] &&
            !(fabs(x->kept[k] - x->now[k]) <= SAME * (fabs(x->kept[k]) + (r->now - x->at))))
            return false;
    return true;
}

/* Whether chains grow by as much as in the period before; they are no part of pictures. */
static bool repeat_grows(struct run *r, int64_t rounds)
{
    struct repeat *x = r->repeat;
    bool same = x->rounds == rounds;

    for (int p = 0; p < r->s->n; p++) {
        const int64_t longer = r->worker[p].step - x->was.step[p];

        same = same && x->longer[p] == longer;
        x->longer[p] = longer;
    }
    x->rounds = rounds;
    return same;
}

/* ---- skip ---- */

static void repeat_later(double *at, double by)
{
    *at += isinf(*at) ? 0 : by;
}

/* So many rounds, each as those since the picture were on average. */
static void repeat_skip(struct run *r, int64_t rounds, int64_t since)
{
    const struct repeat *x = r->repeat;
    const double by = (double)rounds * ((r->now - x->at) / (double)since);
    const size_t ports = (size_t)r->o->ports;

    for (size_t k = 0; k < x->nconnection; k++) {
        struct connection *c = &r->o->connection[k];
        const int64_t had = rounds_had(r, c->from) - x->was.had[c->from];
        const double more = c->run == r->o->runs && had > 0 ?
            (double)rounds * round((c->count - x->was.count[k]) / (double)had) : 0;

        c->asked += by;
        if (more == 0)
            continue;
        c->bytes += (c->bytes - x->was.bytes[k]) / (c->count - x->was.count[k]) * more;
        c->count += more;
        r->x.messages += more;
    }
    for (int p = 0; p < r->s->n; p++) {
        struct worker *w = &r->worker[p];
        const int64_t had = rounds_had(r, p) - x->was.had[p], own = had ? rounds * rounds_of(r, p) : 0;
        const double more = had ? (double)rounds * round((w->sends - x->was.sends[p]) / (double)had) : 0;

        x->longer[p] = had ? llround((double)rounds / (double)had * (double)(w->step - x->was.step[p])) : 0;
        w->step += x->longer[p];
        w->sent += more > 0 ? (w->sent - x->was.sent[p]) / (w->sends - x->was.sends[p]) * more : 0;
        w->sends += more;
        w->at += own;
        w->ask += own;
        r->done += (double)own;
        w->clock += by;
        w->ready += by;
        w->free += by;
        for (size_t k = 0; k < ports; k++) {
            repeat_later(&r->slot[(size_t)p * ports + k], by);
            repeat_later(&r->clear[(size_t)p * ports + k], by);
        }
    }
    for (size_t m = 0; m < r->nmessage; m++) {
        struct message *l = &r->message[m];

        repeat_later(&l->posted, by);
        repeat_later(&l->arrival, by);
        repeat_later(&l->flows, by);
        repeat_later(&l->sent, by);
        l->step += x->longer[r->o->connection[l->connection].from];
    }
    for (size_t k = 0; k < r->queue.nheap; k++)
        r->queue.heap[k].at += by;
    r->queue.newest.at += by;
    share_shift(&r->o->share, by);
    r->now += by;
}

/* Of so many processes a pace is enough that stays the same from one half of the rounds to the other: on irregular
 * networks nothing ever comes back. */
static bool repeat_paces(const struct run *r, int64_t round)
{
    const struct repeat *x = r->repeat;
    const double first = (x->half - x->at) / (double)(x->half_round - x->round),
        other = (r->now - x->half) / (double)(round - x->half_round);

    return r->s->n > SHARE_MANY && x->round > ROUNDS_RAGGED && x->half_round > 0 && round >= x->next &&
        fabs(first / other - 1) < PACE;
}

int repeat_look(struct run *r, int p, struct err *err)
{
    struct repeat *x = r->repeat;
    const struct worker *w = &r->worker[p];
    int64_t left, had, round;

    if (w->part != x->part && r->part[w->part]->round) {        /* a part begins */
        x->part = w->part;
        r->counting = p;
        x->done = false;
        x->next = x->looked = x->rounds = 0;
    }
    if (p != r->counting || x->done || r->off || w->part != x->part || !r->part[w->part]->round ||
        (w->at - w->begin) % rounds_of(r, p) != 0)
        return 0;
    round = (w->at - w->begin) / rounds_of(r, p);
    if (round == x->looked || round < ROUNDS_RAGGED || round % (1 + r->s->n / LOOKS) != 0 ||
        !repeat_all_in(r, &left, &had) || had < ROUNDS_RAGGED)
        return 0;
    x->looked = round;
    x->done = left <= ROUNDS_RAGGED + 1;
    if (x->done)
        return 0;
    if (picture_take(r, x, round, err) < 0)
        return -1;
    if (x->next > 0 && round > x->round && repeat_same(r)) {
        const int64_t rounds = round - x->round, periods = (left - ROUNDS_RAGGED - 1) / rounds;

        x->done = periods < 1 || repeat_grows(r, rounds);
        if (x->done && periods > 0)
            repeat_skip(r, periods * rounds, rounds);
        return x->done ? 0 : repeat_keep(r, round, err);
    }
    if (x->next > 0 && x->half_round == 0 && 2 * round >= x->round + x->next) {
        x->half_round = round;
        x->half = r->now;
    }
    if (x->next > 0 && repeat_paces(r, round)) {
        x->done = true;
        repeat_skip(r, left - ROUNDS_RAGGED - 1, round - x->round);
        return 0;
    }
    return x->next == 0 || round >= x->next ? repeat_keep(r, round, err) : 0;
}
