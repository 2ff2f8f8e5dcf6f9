/* Connections of processes all to all, or to the partners that a pattern has, and what they pin: C connections of k
 * bytes and X buffers of P take C (k + X P), with a shared receive queue of S buffers C k + S P. Of patterns with too
 * many messages every so many-th process is looked at, and the row says so. */
#include "cli/protocol/protocol.h"
#include "cli/request/load.h"
#include "model/collective/collective.h"

#define LOOKED 2e7                      /* messages */
struct partners {
    double most, sum;                   /* of a process; of those that were looked at, */
    int n, looked, step;                /* of n every so many-th */
    int *seen, mine;                    /* by process, 1 + the one that met it last; met by the one at hand */
};

static void meet(struct partners *c, int p, int peer)
{
    c->mine += peer != p && c->seen[peer] != p + 1;
    c->seen[peer] = p + 1;
}

static void met(struct partners *c)
{
    c->most = fmax(c->most, c->mine);
    c->sum += c->mine;
    c->looked++;
    c->mine = 0;
}

static int partners_schedule(struct partners *c, const struct schedule *s, struct err *err)
{
    struct action a = { 0 };
    int ret = 0;

    c->step = (int)fmax(1, ceil((double)schedule_length(s, s->n - 1) * s->n / LOOKED));
    for (int p = 0; ret == 0 && p < s->n; p += c->step) {
        for (int64_t i = schedule_length(s, p); ret == 0 && i > 0; i--) {
            ret = schedule_action(&a, s, p, i - 1, err);
            for (int peer = a.peer == EVERYONE ? 0 : a.peer; peer < (a.peer == EVERYONE ? s->n : a.peer + 1); peer++)
                meet(c, p, peer);
        }
        met(c);
    }
    free(a.run);
    return ret;
}

/* Of a matrix those with a share either way, of a list both ends of its streams. */
static int partners_traffic(struct partners *c, const struct traffic *t, struct err *err)
{
    const bool alike = t->matrix && t->invariant;
    int *before, *last;                 /* of each end of a stream the one before of its node; by node the last, 1 + */

    c->step = t->matrix && !alike ? (int)fmax(1, ceil((double)c->n * c->n / LOOKED)) : 1;
    if (TAKE("streams", err, ARRAY(before, 2 * t->nstream + 1), ZEROS(last, c->n)) < 0)
        return -1;
    for (size_t i = 0; i < 2 * t->nstream; i++) {
        int *at = &last[i % 2 ? t->stream[i / 2].target : t->stream[i / 2].source];

        before[i] = *at;
        *at = (int)i + 1;
    }
    for (int p = 0; p < (alike ? 1 : c->n); p += c->step) {
        for (int k = 0; t->matrix && k < c->n; k++)
            if (k != p && (t->kind->share(t, p, k) > 0 || t->kind->share(t, k, p) > 0))
                meet(c, p, k);
        for (int i = last[p]; i; i = before[i - 1])
            meet(c, p, i % 2 ? t->stream[i / 2].target : t->stream[i / 2 - 1].source);
        met(c);
    }
    FREE(before, last);
    return 0;
}

/* OPERATION:ALGORITHM, or a traffic among n terminals. */
static int partners_of(struct partners *c, const char *pattern, int n, struct err *err)
{
    const char *algorithm = strchr(pattern, ':');
    struct schedule s = { 0 }, ask = { .n = n, .bytes = 64,
                                       .algorithm = algorithm ? collective_named(algorithm + 1) : NULL };
    struct traffic t = { 0 };
    struct net *net = NULL;
    char name[64];
    int operation, ret;

    *c = (struct partners){ .n = n, .step = 1 };
    if (TAKE("partners", err, ZEROS(c->seen, n)) < 0)
        return -1;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(pattern, ":"), pattern);
    operation = ask.algorithm ? operation_find(name, err) : -1;
    if (operation >= 0) {
        ask.operation = (enum operation)operation;
        ret = schedule_open(&s, &ask, err) < 0 ? -1 : partners_schedule(c, &s, err);
    } else {
        snprintf(name, sizeof name, n < 3 ? "complete:%d" : "ring:%d", n);
        ret = net_open(&net, name, err);
        if (ret == 0)
            ret = load_traffic(&t, net, pattern, NULL, &(struct worst_options){ 0 }, err);
        if (ret == 0)
            ret = partners_traffic(c, &t, err);
    }
    schedule_close(&s);
    traffic_release(&t);
    net_close(net);
    free(c->seen);
    return ret < 0 ? err_at(err, "--pattern %.60s of %d processes", pattern, n) : 0;
}

static void add_row(struct job *j, const char *pattern, const struct partners *c)
{
    const struct request *q = j->request;
    const double packet = q->how.packet, x = q->how.credits;

    table_add(j->t, ROW(cell_int("processes", c->n), cell_text("pattern", pattern), cell_count("partners", c->most),
        cell_count("connections", round(c->sum / c->looked * c->n)),
        cell_count("memory_bytes", c->most * (q->state + x * packet)),
        cell_count("shared_bytes", c->most * q->state + q->queue * packet),
        cell_count("amvia_bytes", c->most * (q->state + (4 * x + 1) * packet)),
        cell_count("unasked_bytes", c->most * q->r.hi),
        cell_text("quality", c->step > 1 ? "sampled" : "exact")));
}

int protocol_connections(struct job *j, struct err *err)
{
    const struct request *q = j->request;
    const double each = q->state + q->how.credits * q->how.packet, left = q->limit - q->queue * q->how.packet;
    char one[32], all[32];
    int64_t *processes;
    size_t n;
    int ret = 0;

    if (num_range(&processes, &n, q->processes ? q->processes : "64,512,4096", 2, 1 << 24, "--processes", err) < 0)
        return -1;
    for (size_t i = 0; ret == 0 && i < n; i++) {
        const int many = (int)processes[i];

        for (size_t k = 0; ret == 0 && k < 1 + q->pattern.n; k++) {
            struct partners c = { many - 1, many - 1, many, 1, 1, NULL, 0 };

            if (!job_wants(j, 0, k))
                continue;
            job_at(j, 0, 1 + i * (1 + q->pattern.n) + k);
            ret = k == 0 ? 0 : partners_of(&c, q->pattern.item[k - 1], many, err);
            if (ret == 0)
                add_row(j, k == 0 ? "all to all" : q->pattern.item[k - 1], &c);
        }
    }
    free(processes);
    job_at(j, 0, PLACE_LAST);
    table_note(j->t, "A connection of %s and %.0f buffers of %.0f B: %s are spent by %.0f of them, with a shared queue "
               "of %.0f buffers by %.0f; not fitted to any machine.", text_bytes(one, q->state), q->how.credits,
               q->how.packet, text_bytes(all, q->limit), floor(q->limit / each) + 1, q->queue,
               floor(fmax(0, left) / q->state) + 1);
    return ret;
}
