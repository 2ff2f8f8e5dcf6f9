/* Times of messages by protocol and size, and what is said of them. */
#include "cli/protocol/protocol.h"

static double least_time(const struct request *q, double bytes)
{
    double least = INFINITY;

    for (size_t i = 0; i < q->r.n; i++)
        least = fmin(least, transfer_time(q->r.p[i], &q->how, bytes));
    return least;
}

static void add_row(struct job *j, const char *library, const struct transfer *p, int64_t bytes)
{
    const struct request *q = j->request;
    const double m = (double)bytes;
    const bool came = isfinite(transfer_time(p, &q->how, m));
    struct transfer_outcome o;

    transfer_run(&o, p, &q->how, m);
    table_add(j->t, ROW(
        cell_int("bytes", bytes), cell_text("library", library), cell_text("protocol", p->name),
        cell_real("time_us", 1e6 * o.time), cell_real("speed_mbs", came ? 1e-6 * m / o.time : NAN),
        cell_count("control", o.control), cell_count("copied_bytes", o.copied), cell_real("sender_us", 1e6 * o.busy),
        cell_real("waits_us", 1e6 * o.wait), cell_real("done_us", 1e6 * o.done),
        cell_real("over_least", came ? o.time / least_time(q, m) : NAN),
        cell_text("state", transfer_state_name[o.state])));
}

/* "9000 B" or "eager up to 9000 B, " at the end of what is there. */
static void append(char text[900], const char *name, const char *how, double size)
{
    snprintf(text + strlen(text), 900 - strlen(text), "%s%s", *text ? ", " : "", name);
    snprintf(text + strlen(text), 900 - strlen(text), how, size);
}

/* Which to which size, half sizes, and what one threshold loses. */
static void best_notes(struct job *j)
{
    const struct request *q = j->request;
    struct transfer_how any = q->how;
    struct transfer_rule best, two;
    char text[900] = "", half[900] = "", lost[80] = "nothing";
    double where, loss;

    any.buffer = INFINITY;
    transfer_best(&best, &q->r);
    transfer_two(&two, &q->r);
    loss = transfer_loss(&where, &two, &q->r);
    for (size_t k = 0; k < best.n; k++)
        append(text, best.part[k].p.name, k + 1 < best.n ? " up to %.0f B" : k ? " beyond" : " at all sizes",
               best.part[k].to);
    for (size_t i = 0; i < q->r.n; i++)
        append(half, q->r.p[i]->name, " %.0f B", transfer_half(q->r.p[i], &any));
    table_note(j->t, "Least time: %s. Half of the greatest rate (n_1/2): %s.", text, half);
    if (loss > 5e-5)
        snprintf(lost, sizeof lost, "%.3g %% at most, at %.0f B,", 100 * loss, where);
    *text = '\0';
    for (size_t k = 0; k < two.n; k++)
        append(text, two.part[k].p.name, k + 1 < two.n ? " up to %.0f B" : k ? " beyond" : " alone", two.part[k].to);
    table_note(j->t, "The best rule of one threshold, %s, loses %s against the least of all.", text, lost);
}

/* Where a library changes its protocol and where it should, and what it loses against the best of its own. */
static void library_notes(struct job *j, const struct transfer_rule *rule, const char *name)
{
    const struct request *q = j->request;
    const struct transfer *own[TRANSFER_PARTS] = { &rule->part[0].p };
    const struct transfer_range r = { own, rule->n, &q->how, q->r.lo, q->r.hi };
    double where, loss;

    for (size_t k = 1; k < rule->n; k++) {
        const struct transfer *p = own[k - 1], *next = own[k] = &rule->part[k].p;
        const double to = rule->part[k - 1].to;
        const double below = transfer_time(p, &q->how, to), above = transfer_time(next, &q->how, to);
        char cross[40];

        snprintf(cross, sizeof cross, "at %.0f B", transfer_threshold(p, next, &q->how, 1, 1e12));
        if (below != above)
            table_note(j->t, "%s: %s takes %.4g us at %.0f B, beyond it %s %.4g us; they cross %s.", name, p->name,
                       1e6 * below, to, next->name, 1e6 * above, strstr(cross, "nan") ? "nowhere" : cross);
    }
    loss = transfer_loss(&where, rule, &r);
    if (loss > 5e-5)
        table_note(j->t, "%s: takes %.3g %% more at most (at %.0f B) than the least of its own protocols.", name,
                   100 * loss, where);
}

/* What the times are made of. */
static void machine_note(struct job *j)
{
    static const char *const ends[] = { "", " at the sender", " at the receiver", " at both ends" };
    const struct request *q = j->request;
    char a[40], copies[120] = "no copies", text[900] = "";

    if (q->how.npiece)
        snprintf(copies, sizeof copies, "eager messages as measured, with their copies");
    else if (q->how.copy > 0)
        snprintf(copies, sizeof copies, "copies%s at %.6g MB/s%s", q->library.n ? "" : ends[q->how.copies],
                 1e-6 / q->how.copy, isinf(q->how.packet) ? "" : ", packet by packet");
    table_note(j->t, "Legs of %s at %.6g MB/s, %.150s; %s.", quantity_text(a, q->how.send.a, QUANTITY_TIME),
               1e-6 / q->how.send.byte, q->cost ? q->cost : "not fitted to any machine", copies);
    for (size_t k = 1; k < q->log.npiece; k++) {        /* where it changes; where the lines on both sides cross */
        const struct fitted_piece *p = &q->log.piece[k];
        const double cross = (p[0].a - p[-1].a) / (p[-1].byte - p[0].byte);

        append(text, k == q->jump ? "no longer eager from" : "from", " %.0f B on", p->from);
        if (cross > 0)
            append(text, "where lines cross at", " %.0f B", cross);
    }
    if (*text)
        table_note(j->t, "The log's own pieces: %s.", text);
    if (isfinite(q->how.credits))
        table_note(j->t, "With %.0f credits eager messages go up to %.0f B, longer ones by a handshake.",
                   q->how.credits, q->how.credits * q->how.packet);
}

int protocol_rows(struct job *j, struct err *)
{
    const struct request *q = j->request;

    for (size_t s = 0; s < q->nsize; s++) {
        if (!job_turn(j, 0, s))
            continue;
        for (size_t i = 0; i < q->library.n; i++)
            add_row(j, q->library.item[i], transfer_at(&q->rule[i], (double)q->size[s]), q->size[s]);
        for (size_t i = 0; i < q->nshown; i++)
            add_row(j, NULL, q->r.p[i], q->size[s]);
    }
    job_at(j, 0, 1 + q->nsize);
    if (q->nshown)
        best_notes(j);
    for (size_t i = 0; i < q->library.n; i++)
        library_notes(j, &q->rule[i], q->library.item[i]);
    machine_note(j);
    return 0;
}
