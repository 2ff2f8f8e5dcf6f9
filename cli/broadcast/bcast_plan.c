#include "cli/broadcast/bcast_plan.h"
#include "cli/request/look.h"
#include "cli/request/notes.h"
#include "texts/option.h"

const struct option_field plan_options[] = {
    { OPTION_PLAN_PROCESSES, 0, INTO_OF(struct plan_request, processes) },
    { OPTION_PLAN_BLOCKING, 0, INTO_OF(struct plan_request, blocking), .words = "no|yes" },
    { OPTION_PLAN_PLACEMENT, 0, INTO_OF(struct plan_request, placement) }, { 0 }
};

/* A tree or a pattern of that name there is not. */
static int unknown(const char *name, struct err *err)
{
    const char *known[64];
    size_t n = 0;
    char hint[80];

    for (size_t i = 0; tree_all[i] && n < 32; i++)
        known[n++] = tree_all[i]->name;
    for (size_t i = 0; pattern_all[i] && n < 64; i++)
        known[n++] = pattern_all[i]->name;
    return err_set(err, ERR_USAGE, "no broadcast algorithm is called '%.60s'%s; `metapath list algorithm` names them",
                   name, text_suggest(hint, name, known, n));
}

int plan_algorithms(struct plan *p, const struct strings *names, bool schedule, struct err *err)
{
    const size_t trees = kind_count(&kind_tree), patterns = kind_count(&kind_pattern);

    p->nalgorithm = names->n;
    if (TAKE("the request", err, ZEROS(p->algorithm, names->n + trees + patterns)) < 0)
        return -1;
    for (size_t i = 0; i < names->n; i++) {
        struct algorithm *a = &p->algorithm[i];

        *a = (struct algorithm){ tree_find(names->item[i], NULL), pattern_find(names->item[i], NULL) };
        if (!a->tree && !a->pattern)
            return unknown(names->item[i], err);
    }
    for (size_t i = 0; names->n == 0 && i < trees; i++)
        if (!tree_all[i]->asked)
            p->algorithm[p->nalgorithm++].tree = tree_all[i];
    /* a schedule of `best` would only repeat one of the others */
    for (size_t i = patterns; names->n == 0 && !schedule && i-- > 0;)
        p->algorithm[p->nalgorithm++].pattern = pattern_all[i];
    return 0;
}

static int plan_ports(struct plan *p, const char *text, struct err *err)
{
    struct strings item = { 0 };
    int ret = -1;

    if (strings_add_list(&item, text, err) < 0)
        goto done;
    if (TAKE("the request", err, ARRAY(p->ports, item.n)) < 0)
        goto done;
    for (; p->nports < item.n; p->nports++) {
        p->ports[p->nports] = 0;
        if (strcmp(item.item[p->nports], "all") != 0 &&
            num_int(&p->ports[p->nports], item.item[p->nports], 1, INT32_MAX, "--ports", err) < 0)
            goto done;
    }
    ret = 0;
done:
    strings_free(&item);
    return ret;
}

#define LATEST 1e12                     /* cycles */

/* "5" or "5@20". */
static int plan_read_root(struct plan_root *out, const char *text, struct err *err)
{
    const size_t len = strcspn(text, "@");
    int64_t process;

    *out = (struct plan_root){ 0 };
    if (num_int_part(&process, text, len, 0, INT32_MAX, "--root", err) < 0 ||
        (text[len] && num_real(&out->at, text + len + 1, "the start (in cycles) of --root", err) < 0))
        return -1;
    if (!(out->at >= 0 && out->at <= LATEST))
        return err_set(err, ERR_USAGE, "--root %.60s: a broadcast starts at 0 to %g cycles", text, LATEST);
    out->process = (int)process;
    return 0;
}

static int plan_roots(struct plan *p, const char *text, struct err *err)
{
    struct strings item = { 0 };
    int ret = strcmp(text, "all") == 0 ? 0 : strings_add_list(&item, text, err);

    p->root = item.n ? calloc(item.n, sizeof *p->root) : NULL;
    if (ret == 0 && item.n && !p->root)
        ret = err_memory(err);
    for (; ret == 0 && p->nroot < item.n; p->nroot++)
        ret = plan_read_root(&p->root[p->nroot], item.item[p->nroot], err);
    strings_free(&item);
    return ret;
}

int plan_one_root(const struct plan *p, const char *what, bool cycles, struct err *err)
{
    if (p->nroot != 1 || p->root[0].at > 0)
        return err_set(err, ERR_USAGE, "%s of one broadcast from the beginning: give --root one process%s", what,
                       cycles ? ", or --packet for broadcasts in cycles" : "");
    return 0;
}

int plan_ranges(struct plan *p, const struct plan_request *q, struct err *err)
{
    if (plan_ports(p, q->ports, err) < 0 || plan_roots(p, q->root, err) < 0)
        return -1;
    return q->processes ? num_range(&p->processes, &p->nprocesses, q->processes, 1, INT32_MAX, "--processes", err) : 0;
}

struct broadcast_how plan_how(const struct plan *p, size_t i, int blocking)
{
    return (struct broadcast_how){ (int)p->ports[i], blocking < 0 ? p->ports[i] == 1 : blocking };
}

const char *plan_ports_text(char out[24], int ports)
{
    if (ports)
        snprintf(out, 24, "%d", ports);
    else
        strcpy(out, "all");
    return out;
}

const char *plan_placement(char out[200], const char *given, uint64_t seed)
{
    if (given && strcmp(given, "random") == 0)
        snprintf(out, 200, "random (seed %llu)", (unsigned long long)seed);
    else
        snprintf(out, 200, "%s", given ? given : "row-major");
    return out;
}

void plan_release(struct plan *p)
{
    FREE(p->algorithm, p->processes, p->ports, p->root);
}

static int place_one(struct job *j, const struct plan *p, const struct plan_request *q, int processes, bool reach,
                     struct plan_place *place, int (*each)(struct job *j, struct plan_place *place, struct err *err),
                     struct err *err)
{
    int ret = placement_init(&place->where, j->net, q->placement, processes, 1, j->o->seed, err);

    if (ret < 0)
        return -1;
    notes_hosts(j->t, j->net, &place->where);
    if (reach)
        ret = broadcast_reach(&place->reach, j->net, &place->where, plan_root(p), err);
    if (ret == 0)
        ret = each(j, place, err);
    broadcast_reach_release(&place->reach);
    placement_release(&place->where);
    return ret;
}

void plan_lengths(struct job *j)
{
    if (cables_most(&j->net->cables).length > 0)
        table_note(j->t, "%s: the lengths of links are left out; a step crosses any link.", j->net->spec);
}

int plan_each(struct job *j, const struct plan *p, const struct plan_request *q, bool reach,
              int (*each)(struct job *j, struct plan_place *place, struct err *err), struct err *err)
{
    const size_t n = p->processes ? p->nprocesses : 1;
    const bool sweep = !j->stream && (j->o->spec.n > 1 || n > 1);

    for (size_t i = 0; i < n; i++) {
        const int processes = p->processes ? (int)p->processes[i] : 0;
        struct plan_place place = { .tick = tick_step(&j->tick, i, n) };

        if (place_one(j, p, q, processes, reach, &place, each, err) == 0)
            continue;
        if (!job_passes(j, sweep, err))
            return -1;
        job_refused_row(j, ROW(cell_text("topology", j->net->spec),
                               cell_count("processes", processes ? (double)processes : NAN)));
        notes_refused(j->t, j->net->spec, err->msg);
    }
    return 0;
}

/* "1" becomes "1 port", "all" "all ports". */
static void say_ports(struct cell *ports)
{
    static char one[] = "1 port", all[] = "all ports";

    if (ports->type == CELL_TEXT && strcmp(ports->u.text, "1") == 0)
        ports->u.text = one;
    else if (ports->type == CELL_TEXT && strcmp(ports->u.text, "all") == 0)
        ports->u.text = all;
}

bool plan_ports_vary(const struct table *t)
{
    const size_t rows = table_rows(t);
    const bool named = table_find(t, "algorithm") >= 0;
    const char *first = NULL;

    for (size_t r = 0; r < rows; r++) {
        const char *ports = look_text(t, r, "ports");
        const struct pattern *pattern = named ? pattern_find(look_text(t, r, "algorithm"), NULL) : NULL;

        if (!*ports || (pattern && !pattern->of_trees))
            continue;
        if (first && strcmp(ports, first) != 0)
            return true;
        first = ports;
    }
    return false;
}

int plan_figure(struct picture *f, const struct table *t, const struct natural *natural, struct err *err)
{
    const int algorithm = table_find(t, "algorithm"), ports = table_find(t, "ports");
    struct table shown = *t;
    int ret;

    if (TAKE("the request", err, ARRAY(shown.cell, t->ncell + 1)) < 0)
        return -1;
    shown.ncell = 0;
    for (size_t r = 0; r < table_rows(t); r++) {
        struct cell *row = shown.cell + shown.ncell;
        const char *name = algorithm < 0 ? "any" : look_text(t, r, "algorithm");

        if (!*name || strcmp(name, "best") == 0)
            continue;
        memcpy(row, table_at(t, r, 0), t->ncolumn * sizeof *row);
        say_ports(&row[ports]);
        shown.ncell += t->ncolumn;
    }
    ret = options_figure(f, shown.ncell ? &shown : t, natural, err);
    free(shown.cell);
    return ret;
}
