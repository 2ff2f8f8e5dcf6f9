#include "cli/command/tune_rules.h"
#include "graph/base/file.h"

int tune_rules_check(struct tune_rules *t, const struct collective_request *q, struct err *err)
{
    const struct rules_format *format = t->to ? rules_chosen(&t->path, t->to) : NULL;
    size_t protocol = 0;

    if (!t->to)
        return !t->loss && !t->onto && !t->protocol ? 0 :
            err_set(err, ERR_USAGE, "--%s is of --rules; add that", t->loss ? "loss" : t->onto ? "onto" : "protocol");
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
    const struct collective_request *q = j->request;
    struct join_cell *cell;
    double *time;

    if (TAKE("rules", &j->t->why, ARRAY(cell, r->ncell + 1), ARRAY(time, r->ncell * r->n + 1)) < 0)
        return;
    for (size_t i = 0; i < r->ncell; i++) {
        const struct collective_cell *c = &r->cell[i];

        cell[i] = (struct join_cell){ c->processes, c->bytes, time + i * r->n, c->best };
        for (size_t k = 0; k < r->n; k++) {
            const struct outcome *o = collective_outcome(r, c, k);

            time[i * r->n + k] = o->runs ? o->x.time : NAN;
        }
    }
    rules_join(&t->rules, &t->lost, (enum operation)q->operation, cell, r->ncell, r->setting, r->n, t->allowed,
               &j->t->why);
    FREE(cell, time);
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
