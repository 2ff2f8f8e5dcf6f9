#include "cli/command/tune_rules.h"
#include "graph/base/file.h"
#include "graph/base/spec.h"

int tune_rules_check(struct tune_rules *t, const struct collective_request *q, struct err *err)
{
    const struct rules_format *format = t->to ? rules_chosen(&t->path, t->to) : NULL;
    size_t protocol = 0;

    if (!t->to)
        return !t->loss && !t->onto && !t->protocol && !t->exact ? 0 :
            err_set(err, ERR_USAGE, "--%s is of --rules; add that",
                    t->loss ? "loss" : t->onto ? "onto" : t->exact ? "exact-bounds" : "protocol");
    if (!format)
        return err_set(err, ERR_USAGE, "--rules is '%.60s'; write FORMAT:FILE, as in ompi:rules.conf (`metapath list "
                       "rules` has the formats)", t->to);
    if (q->common.spec.n > 1 || q->cost.n > 1)
        return err_set(err, ERR_USAGE, "--rules are of one network and one model of cost, but there are %zu",
                       q->common.spec.n > 1 ? q->common.spec.n : q->cost.n);
    if (format->onto != (t->onto != NULL))
        return err_set(err, ERR_USAGE, format->onto ? "rules of %s are put into a whole selection: add --onto BASE.json" :
                       "--onto is of mpich; rules of %s are a whole file", format->name);
    if (t->protocol && !format->protocol)
        return err_set(err, ERR_USAGE, "--protocol is of nccl, not of %s", format->name);
    while (t->protocol && format->protocol[protocol] && strcmp(t->protocol, format->protocol[protocol]) != 0)
        protocol++;
    if (t->protocol && !format->protocol[protocol])
        return err_set(err, ERR_USAGE, "--protocol is '%.40s'; it may be simple, ll or ll128", t->protocol);
    t->rules.onto = t->onto;
    t->rules.protocol = t->protocol;
    t->rules.per_node = q->per_node;
    if (t->loss && option_percent(&t->allowed, t->loss, 0, 100, "--loss", err) < 0)
        return -1;
    return rules_begin(&t->rules, format, err);
}

size_t tune_rules_wanted(const struct tune_rules *t, const struct collective_request *q, bool *wanted,
                         const struct collective_runs *r)
{
    const enum operation operation = (enum operation)q->operation;
    size_t n = 0;

    for (const struct collective_cell *c = r->cell; c < r->cell + r->ncell; c++) {
        double least = INFINITY;

        for (size_t k = 0; k < r->n; k++)
            if (rules_takes(rules_name(&t->rules, operation, &r->setting[k]), c->processes) &&
                collective_outcome(r, c, k)->runs)
                least = fmin(least, collective_outcome(r, c, k)->x.time);
        for (size_t k = 0; k < r->n; k++) {
            const struct outcome *o = collective_outcome(r, c, k);
            bool *want = &wanted[o - c->outcome];       /* with a segment as long as the message: the whole's */

            if (!*want && o->beyond > 0 && o->beyond <= (1 + t->allowed) * least &&
                rules_takes(rules_name(&t->rules, operation, &r->setting[k]), c->processes)) {
                *want = true;
                n++;
            }
        }
    }
    return n;
}

void tune_rules_add(struct tune_rules *t, struct job *j, const struct collective_runs *r)
{
    struct err *err = &j->t->why;
    const bool begun = t->setting != NULL;
    double *time = NULL;

    if (!begun && TAKE("rules", err, ARRAY(t->setting, r->n + 1)) < 0)
        return;
    if (!begun) {
        t->nsetting = r->n;
        memcpy(t->setting, r->setting, r->n * sizeof *r->setting);
    }
    if (GROW_BY(t->ncell, r->ncell, "rules", err, GROWN(t->cell)) < 0 ||
        GROW_BY(t->ntime, 1, "rules", err, GROWN(t->time)) < 0 ||
        TAKE("rules", err, ARRAY(time, r->ncell * r->n + 1)) < 0)
        return;
    t->time[t->ntime++] = time;
    for (const struct collective_cell *c = r->cell; c < r->cell + r->ncell; c++, time += r->n) {
        t->cell[t->ncell++] = (struct join_cell){ c->processes, c->bytes, time, c->best, t->between };
        for (size_t k = 0; k < r->n; k++) {
            const struct outcome *o = collective_outcome(r, c, k);

            time[k] = o->runs ? o->x.time : NAN;
        }
    }
}

int tune_rules_join(struct tune_rules *t, enum operation operation, struct err *err)
{
    t->rules.n = t->first;
    t->lost = t->before;
    qsort(t->cell, t->ncell, sizeof *t->cell, join_cells_order);
    return rules_join(&t->rules, &t->lost, operation, t->cell, t->ncell, t->setting, t->nsetting, t->allowed, err);
}

int tune_rules_between(char **sizes, const struct tune_rules *t, enum operation operation, struct err *err)
{
    int processes = 0;

    for (const struct join_cell *c = t->cell; c + 1 < t->cell + t->ncell; c++) {
        const struct rules_rule *u = rules_choose(&t->rules, operation, c->processes, c->bytes),
                                *v = rules_choose(&t->rules, operation, c->processes, c[1].bytes);

        if (c[1].processes != c->processes || (processes && c->processes != processes) || c[1].bytes <= c->bytes + 1 ||
            !u || !v || (u->name == v->name && u->segment == v->segment))
            continue;
        if (spec_append(sizes, err, processes ? ",%lld" : "%lld", (long long)(c->bytes + (c[1].bytes - c->bytes) / 2)) < 0)
            return -1;
        processes = c->processes;
    }
    return processes;
}

void tune_rules_end(struct tune_rules *t)
{
    for (size_t i = 0; i < t->ntime; i++)
        free(t->time[i]);
    FREE(t->cell, t->time, t->setting);
    t->cell = NULL;
    t->time = NULL;
    t->setting = NULL;
    t->ncell = t->ntime = 0;
    t->first = t->rules.n;
    t->before = t->lost;
}

int tune_rules_write(struct tune_rules *t, struct job *j, struct err *err)
{
    const struct rules_format *format = t->rules.format;
    const struct collective_request *q = j->request;
    const struct join_loss *lost = &t->lost;
    char told[300], *title = NULL;
    struct output out = { 0 };
    int ret;

    if (!t->rules.n)
        return err_set(err, ERR_DOMAIN, "there are no rules: every count is of one process");
    snprintf(told, sizeof told, "%zu rule%s for %zu cells, on average %.3g %% slower than the best that %s has (at most "
             "%.3g %%); that is %.3g %% slower than the best of all (at most %.3g %%)", t->rules.n,
             t->rules.n == 1 ? "" : "s", lost->n, 100 * lost->join, format->name, 100 * lost->join_most,
             100 * lost->lack, 100 * lost->lack_most);
    snprintf(t->title, sizeof t->title, "%s; rules of %s lose at most %.3g %% by joining, %.3g %% by what it lacks",
             j->t->title, format->name, 100 * lost->join_most, 100 * lost->lack_most);
    j->t->title = t->title;
    if (asprintf(&title, "metapath tune --rules: %s, cost %s, placement %s.\n%s.", j->net->spec,
                 q->cost.n ? q->cost.item[0] : "links", q->placement ? q->placement : "row-major", told) < 0)
        return err_memory(err);
    t->rules.title = title;
    ret = output_open(&out, t->path, err) < 0 ? -1 : format->write(out.stream, &t->rules, err);
    if (ret == 0)
        ret = output_commit(&out, err);
    else
        output_abort(&out);
    if (ret == 0)
        table_note(j->t, "%s: %s.", t->path, told);
    free(title);
    return ret;
}
