/* Times of messages by protocol and size, thresholds, and what is said of them.
 * 1. rows        each protocol, or each library, for each size
 * 2. sentences   which to which size, half sizes, one threshold, the jumps of libraries
 * 3. thresholds  pairs that change places */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/protocol/protocol.h"
#include "cli/request/scores.h"
#include "graph/base/text.h"

/* ---- rows -------------------------------------------------------------------------------------------- */

/* A library's part as a protocol with the copies that it has there. */
static void part_run(struct transfer_outcome *o, const struct transfer_part *part, const struct request *q, double bytes)
{
    const struct transfer p = transfer_as(part);

    transfer_run(o, &p, &q->how, bytes);
}

/* The least of a rule's own protocols, whichever it takes. */
static double least_part(const struct transfer_rule *rule, const struct request *q, double bytes)
{
    struct transfer_outcome o;
    double least = INFINITY;

    for (size_t k = 0; k < rule->n; k++) {
        part_run(&o, &rule->part[k], q, bytes);
        least = o.rate > 0 || bytes == 0 ? fmin(least, o.time) : least;
    }
    return least;
}

/* Of what is compared: protocols, unless only libraries are asked for, and what these have. */
static double least_time(const struct request *q, double bytes)
{
    double least = INFINITY;

    for (size_t i = 0; i < q->np && (q->library.n == 0 || q->name.n); i++)
        least = fmin(least, transfer_time(q->p[i], &q->how, bytes));
    for (size_t i = 0; i < q->library.n; i++)
        least = fmin(least, least_part(&q->rule[i], q, bytes));
    return least;
}

static void add_row(struct job *j, const char *library, const char *protocol, const struct transfer_outcome *o,
                    int64_t bytes)
{
    const struct request *q = j->request;
    const bool came = o->state == TRANSFER_DONE || o->state == TRANSFER_FELL_BACK;

    table_add(j->t, ROW(
        cell_int("bytes", bytes), cell_text("library", library), cell_text("protocol", protocol),
        cell_real("time_us", 1e6 * o->time), cell_real("rate_mbs", came ? 1e-6 * o->rate : NAN),
        cell_count("control", o->control), cell_count("copied_bytes", o->copied),
        cell_real("sender_us", 1e6 * o->busy), cell_real("waits_us", 1e6 * o->wait),
        cell_real("done_us", 1e6 * o->done),
        cell_real("over_least", came ? o->time / least_time(q, (double)bytes) : NAN),
        cell_text("state", transfer_state_name[o->state])));
}

/* ---- sentences --------------------------------------------------------------------------------------- */

/* "handshake, rdma-write or rdma-read": all that take as little as p from lo to hi. */
static void alike_names(char out[BEST_NAMES], const struct request *q, const struct transfer *p, double lo, double hi)
{
    const char *name[TRANSFER_PARTS];
    size_t n = 0;

    for (size_t i = 0; i < q->np && n < TRANSFER_PARTS; i++) {
        bool alike = true;

        for (int k = 0; k <= 8; k++) {
            const double m = fmin(lo * pow(hi / lo, k / 8.), hi), least = transfer_time(p, &q->how, m);

            alike = alike && fabs(transfer_time(q->p[i], &q->how, m) - least) <= 1e-9 * least;
        }
        if (alike)
            name[n++] = q->p[i]->name;
    }
    text_list(out, BEST_NAMES, name, n, " or ");
}

static void best_note(struct job *j)
{
    const struct request *q = j->request;
    struct transfer_rule best;
    char text[900] = "", size[40];
    double from = q->lo;

    transfer_best(&best, q->p, q->np, &q->how, q->lo, q->hi);
    for (size_t k = 0; k < best.n; k++) {
        const struct transfer_part *part = &best.part[k];
        char names[BEST_NAMES];

        alike_names(names, q, part->p, fmin(from * (1 + 1e-9), q->hi), fmin(part->to, q->hi));
        snprintf(size, sizeof size, k + 1 < best.n ? " up to %.0f B" : best.n > 1 ? " beyond" : " at all sizes",
                 part->to);
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s%s", k ? ", " : "Least time: ", names, size);
        from = part->to;
    }
    table_note(j->t, "%s.", text);
}

static void half_note(struct job *j)
{
    const struct request *q = j->request;
    struct transfer_how how = q->how;
    char text[900] = "";

    how.buffer = INFINITY;
    for (size_t i = 0; i < q->np; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s %.0f B", i ? ", " : "", q->p[i]->name,
                 round(transfer_half(q->p[i], &how)));
    table_note(j->t, "Half of the greatest rate (n_1/2): %s.", text);
}

static void two_note(struct job *j)
{
    const struct request *q = j->request;
    struct transfer_loss two;
    char rule[200];

    if (q->np < 2)
        return;
    transfer_two(&two, q->p, q->np, &q->how, q->lo, q->hi);
    snprintf(rule, sizeof rule, two.below == two.above ? "No threshold: %s alone" :
             "With one threshold: %s up to %.0f B, then %s,", two.below->name, two.at, two.above->name);
    if (two.worst < 5e-5)
        table_note(j->t, "%s loses nothing against the least of all.", rule);
    else
        table_note(j->t, "%s loses %.3g %% at most (at %.0f B) against the least of all.", rule, 100 * two.worst,
                   two.where);
}

/* Where a library changes its protocol and where it should, and what it loses against the best of its own. */
static void library_notes(struct job *j, const struct transfer_rule *rule, const char *name)
{
    const struct request *q = j->request;
    double worst = 0, where = q->lo;
    struct transfer_outcome o, next;
    char cross[60];

    for (size_t k = 0; k + 1 < rule->n; k++) {
        const struct transfer_part *part = &rule->part[k];
        const struct transfer below = transfer_as(part), beyond = transfer_as(part + 1);
        const double to = part->to, at = transfer_threshold(&below, &beyond, &q->how, 1, 1e12);
        const bool same = part[0].p == part[1].p;

        if (same && part[0].copies == part[1].copies)
            continue;
        part_run(&o, part, q, to);
        part_run(&next, part + 1, q, to + 1);
        snprintf(cross, sizeof cross, isnan(at) ? "they do not cross" : "they cross at %.0f B", at);
        table_note(j->t, "%s: %s takes %.4g us at %.0f B, a byte more by %s %.4g us; %s.", name, part[0].p->name,
                   1e6 * o.time, to, same ? "fewer copies" : part[1].p->name, 1e6 * next.time, cross);
    }
    for (double m = q->lo; rule->n > 1 && m <= q->hi; m *= 1.0443) {
        const double least = least_part(rule, q, m);

        part_run(&o, transfer_part(rule, m), q, m);
        where = o.time / least - 1 > worst ? m : where;
        worst = fmax(worst, o.time / least - 1);
    }
    if (worst > 5e-5)
        table_note(j->t, "%s: takes %.3g %% more at most (at %.0f B) than the least of its own protocols.", name,
                   100 * worst, where);
}

static void machine_note(struct job *j)
{
    static const char *const ends[] = { "no copies", "copies at the sender", "copies at the receiver",
                                        "copies at both ends" };
    const struct request *q = j->request;
    char rate[40] = "";

    if (q->how.copies)
        snprintf(rate, sizeof rate, "%.6g MB/s", 1e-6 / q->how.copy);
    table_note(j->t, "%s; %s%s%s%s.", q->machine, q->how.npiece ? "eager messages as measured, copies among it" :
               q->library.n && !q->name.n ? "copies" : ends[q->how.copies], *rate ? " at " : "", rate, !*rate || isinf(q->how.packet) ? "" :
               ", packet by packet");
    if (isfinite(q->how.credits))
        table_note(j->t, "With %.0f credits eager messages go up to %.0f B, longer ones by a handshake; packets reach "
                   "%.4g MB/s.", q->how.credits, q->how.credits * q->how.packet,
                   1e-6 * transfer_window(&q->how.send, &q->how));
}

int protocol_rows(struct job *j, struct err *err)
{
    struct request *q = j->request;
    struct transfer_outcome o;

    (void)err;
    for (size_t s = 0; s < q->nsize; s++) {
        for (size_t i = 0; i < q->library.n; i++) {
            const struct transfer_part *part = transfer_part(&q->rule[i], (double)q->size[s]);

            part_run(&o, part, q, (double)q->size[s]);
            add_row(j, q->library.item[i], part->p->name, &o, q->size[s]);
        }
        for (size_t i = 0; i < q->np && (q->library.n == 0 || q->name.n); i++) {
            transfer_run(&o, q->p[i], &q->how, (double)q->size[s]);
            add_row(j, NULL, q->p[i]->name, &o, q->size[s]);
        }
    }
    if (q->library.n == 0 || q->name.n) {
        best_note(j);
        half_note(j);
        two_note(j);
    }
    for (size_t i = 0; i < q->library.n; i++)
        library_notes(j, &q->rule[i], q->library.item[i]);
    machine_note(j);
    return 0;
}

/* ---- thresholds -------------------------------------------------------------------------------------- */

/* What the log itself has: where it changes, and where the lines on both sides cross. */
static void log_rows(struct job *j)
{
    const struct request *q = j->request;

    for (size_t k = 1; k < q->log.npiece; k++) {
        const struct fitted_piece *p = &q->log.piece[k];
        const double cross = (p[0].a - p[-1].a) / (p[-1].byte - p[0].byte);
        char below[60], beyond[60];

        snprintf(below, sizeof below, "piece %zu of the log", k);
        snprintf(beyond, sizeof beyond, "piece %zu%s", k + 1, k == q->jump ? ", no longer eager" : "");
        table_add(j->t, ROW(cell_text("below", below), cell_text("beyond", beyond),
            cell_real("threshold_bytes", cross > 0 ? cross : NAN),
            cell_real("time_us", cross > 0 ? 1e6 * (p->a + p->byte * cross) : NAN),
            cell_real("changes_bytes", p->from)));
    }
}

int protocol_thresholds(struct job *j, struct err *err)
{
    const struct request *q = j->request;

    (void)err;
    for (size_t i = 0; i < q->np; i++)
        for (size_t k = 0; k < q->np; k++) {
            const double at = i == k ? NAN : transfer_threshold(q->p[i], q->p[k], &q->how, 1, q->hi);

            if (!isnan(at))
                table_add(j->t, ROW(cell_text("below", q->p[i]->name), cell_text("beyond", q->p[k]->name),
                    cell_real("threshold_bytes", at), cell_real("time_us", 1e6 * transfer_time(q->p[i], &q->how, at)),
                    cell_none("changes_bytes")));
        }
    if (!table_rows(j->t))
        table_note(j->t, "None of the protocols overtakes another up to %.0f B.", q->hi);
    log_rows(j);
    machine_note(j);
    return 0;
}
