#include "cli/request/bcast_plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graph/base/num.h"
#include "graph/base/text.h"

int plan_option(struct plan_request *q, int key, char *arg, struct err *err)
{
    static const char *const noyes[] = { "no", "yes", NULL };
    int64_t v;

    switch (key) {
    case KEY_PROCESSES: q->processes = arg; return 0;
    case KEY_PORTS: q->ports = arg; return 0;
    case KEY_PLACEMENT: q->placement = arg; return 0;
    case KEY_BLOCKING:
        q->blocking = option_choice("--blocking", arg, noyes, err);
        return q->blocking < 0 ? -1 : 0;
    case KEY_ROOT:
        if (num_int(&v, arg, 0, INT32_MAX, "--root", err) < 0)
            return -1;
        q->root = (int)v;
        return 0;
    default: return 1;
    }
}

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
    return err_set(err, ERR_USAGE, "no broadcast algorithm is called '%.60s'%s; `metapath list algorithm` names them", name,
                   text_suggest(hint, name, known, n));
}

int plan_algorithms(struct plan *p, const struct strings *names, bool schedule, struct err *err)
{
    size_t trees = 0, patterns = 0;

    while (tree_all[trees])
        trees++;
    while (pattern_all[patterns])
        patterns++;
    p->nalgorithm = names->n;
    p->algorithm = calloc(names->n + trees + patterns, sizeof *p->algorithm);
    if (!p->algorithm)
        return err_memory(err);
    for (size_t i = 0; i < names->n; i++) {
        struct algorithm *a = &p->algorithm[i];

        *a = (struct algorithm){ tree_find(names->item[i], NULL), pattern_find(names->item[i], NULL) };
        if (!a->tree && !a->pattern)
            return unknown(names->item[i], err);
    }
    for (size_t i = 0; names->n == 0 && i < trees; i++)
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
    p->ports = malloc(item.n * sizeof *p->ports);
    if (!p->ports) {
        err_memory(err);
        goto done;
    }
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

int plan_ranges(struct plan *p, const struct plan_request *q, struct err *err)
{
    if (plan_ports(p, q->ports, err) < 0)
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

void plan_say_ports(struct cell *row, const struct table *t)
{
    static char one[] = "1 port", all[] = "all ports";
    struct cell *ports = &row[table_find(t, "ports")];

    if (ports->type != CELL_TEXT)
        return;
    if (strcmp(ports->u.text, "1") == 0)
        ports->u.text = one;
    else if (strcmp(ports->u.text, "all") == 0)
        ports->u.text = all;
}

void plan_refused(struct table *t, const char *topology, int processes)
{
    table_text(t, topology);
    if (processes)
        table_int(t, processes);
    else
        table_none(t);
    for (size_t i = 3; i < t->ncolumn; i++)
        table_none(t);
    table_text(t, "refused");
}

void plan_release(struct plan *p)
{
    free(p->algorithm);
    free(p->processes);
    free(p->ports);
}
