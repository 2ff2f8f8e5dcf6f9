/* `metapath fabric --show losses`: every cable between switches and every switch fails alone, or cables at random. */
#include "analysis/bound/capacity.h"
#include "analysis/fabric/balanced.h"
#include "cli/fabric/fabric.h"

const struct column fabric_loss_columns[] = {
    ASIDE("topology"), ASIDE("routing"), PLAIN("fails"), { "pairs_cut", "Pairs cut", NULL, 0, LOOSE },
    { "any_per_node", "Any routing", "of a port", -1, LOOSE },
    { "better_per_node", "New tables", "of a port", -1, LOOSE }, { "costs_percent", "Costs", "%", 2, LOOSE }
};
#define LOSSES_SHOWN 10

struct loss {
    char *fail;                 /* what follows "fail=" */
    double cut, any;            /* pairs whose way crosses it; theta without it, 0: it parts the hosts */
    double cost;                /* of what all hosts send together: those taken away send nothing, and what others
                                 * gain by that counts for nothing */
};

static int costliest_first(const void *a, const void *b)
{
    const struct loss *p = a, *q = b;

    return fabs(p->cost - q->cost) > 1e-9 ? (p->cost < q->cost) - (p->cost > q->cost) :
        p->cut != q->cut ? (p->cut < q->cut) - (p->cut > q->cut) : strcmp(p->fail, q->fail);
}

/* A switch, and the hosts that hang on it alone. */
static char *loss_switch(const struct cluster *c, int v)
{
    const struct csr *g = c->trunks.csr;
    char *fail = NULL, label[NET_LABEL];
    struct err memory;
    int ret = spec_append(&fail, &memory, "switch:%s", net_label(c->net, v, label));

    for (size_t k = g->first[v]; ret == 0 && k < g->first[v + 1]; k++)
        if (c->at[g->to[k]].level == 0 && g->first[g->to[k] + 1] - g->first[g->to[k]] == 1)
            ret = spec_append(&fail, &memory, "+switch:%s", net_label(c->net, g->to[k], label));
    if (ret < 0)
        FREE(fail);
    return ret < 0 ? NULL : fail;
}

/* All failures, or those drawn; a `fail` that is NULL: memory ran out. `load`: in pairs. */
static size_t losses_list(struct loss *loss, const struct fabric_scene *s, const struct flows *f, const double *load)
{
    const struct cluster *c = &s->c;
    char from[NET_LABEL], to[NET_LABEL], number[24];
    size_t n = 0;

    for (; s->q->losses && n < LOSSES_SHOWN; n++) {
        loss[n].cut = NAN;
        if (asprintf(&loss[n].fail, "random:%lld:%llu", (long long)s->q->losses,
                     (unsigned long long)s->q->common.seed + n) < 0)
            loss[n].fail = NULL;
    }
    for (size_t l = 0; !s->q->losses && l < c->trunks.nlink; l++) {
        const char *port = flows_cable_name(f, l, number);

        if (c->tail[l] > c->head[l] || !c->at[c->tail[l]].level || !c->at[c->head[l]].level)
            continue;
        loss[n].cut = load[l] + load[c->back[l]];
        if (asprintf(&loss[n++].fail, "%s-%s%s%s", net_label(c->net, c->tail[l], from),
                     net_label(c->net, c->head[l], to), *port ? ":" : "", port) < 0)
            loss[n - 1].fail = NULL;
    }
    for (int v = 0; !s->q->losses && v < c->net->n; v++) {
        if (c->at[v].level == 0)
            continue;
        loss[n].fail = loss_switch(c, v);
        loss[n].cut = net_terminal_index(c->net, v) < 0 ? 0 : c->net->nterminal - 1;
        for (size_t l = 0; l < c->trunks.nlink; l++)
            loss[n].cut += c->head[l] == v ? load[l] : 0;
        n++;
    }
    return n;
}

/* What is reached with a failure: by any routing, or by new tables. 0 where it parts the hosts, or leaves one. `hosts`:
 * how many it leaves. */
static int losses_theta(double *out, int *hosts, const struct fabric_scene *s, const char *fail, bool tables,
                        const struct tick *tick, struct err *err)
{
    struct routing r = { 0 };
    struct net *net = NULL;
    double theta[2] = { 0, 0 }, *capacity = NULL;
    char *spec;
    int ret;

    if (!fail || asprintf(&spec, "%s%s%s", s->c.net->spec, s->c.net->cables.failed ? "+" : ",fail=", fail) < 0)
        return err_memory(err);
    ret = net_open(&net, spec, err);
    free(spec);
    if (ret == 0)
        ret = capacity_open(&capacity, net, NULL, err);
    if (ret == 0 && tables)
        ret = balanced_open(&r, net, (int)s->q->rounds, s->q->common.seed, tick, err);
    if (ret == 0 && net->nterminal > 1)
        ret = fabric_theta(theta, s, net, tables ? &r : NULL, capacity, tick, err);
    *out = theta[0];
    *hosts = net ? net->nterminal : 0;
    routing_close(&r);
    free(capacity);
    net_close(net);
    return ret < 0 && err->code == ERR_NETWORK ? 0 : ret;
}

int fabric_loss_rows(struct fabric_scene *s, const struct tick *tick, struct err *err)
{
    const struct tick all = tick_part(tick, 0, 0.8), rest = tick_part(tick, 0.8, 1);
    struct loss *loss = NULL;
    struct flows f = { 0 };
    double *load = NULL;
    size_t n = 0;
    int hosts, ret = fabric_loads(&f, &load, s, &all, err);

    if (ret == 0)
        ret = TAKE("losses", err, ZEROS(loss, s->c.trunks.nlink + (size_t)s->c.net->n + LOSSES_SHOWN));
    for (size_t l = 0; ret == 0 && l < f.nlink; l++)
        load[l] *= s->c.net->nterminal - 1;
    if (ret == 0)
        n = losses_list(loss, s, &f, load);
    for (size_t i = 0; ret == 0 && i < n; i++) {
        const struct tick part = tick_step(&all, i, n);

        ret = losses_theta(&loss[i].any, &hosts, s, loss[i].fail, false, &part, err);
        loss[i].cost = 100 * (1 - fmin(1, loss[i].any / s->any) * hosts / s->c.net->nterminal);
    }
    if (ret == 0 && n && !s->q->losses)
        qsort(loss, n, sizeof *loss, costliest_first);
    for (size_t i = 0; ret == 0 && i < n && i < LOSSES_SHOWN; i++) {
        const struct tick part = tick_step(&rest, i, LOSSES_SHOWN);
        double better;

        ret = losses_theta(&better, &hosts, s, loss[i].fail, true, &part, err);
        loss[i].fail[strcspn(loss[i].fail, "+")] = '\0';
        if (ret == 0)
            table_add(s->j->t, ROW(
                cell_text("topology", s->c.net->spec), cell_text("routing", s->r.spec),
                cell_text("fails", loss[i].fail), cell_count("pairs_cut", round(loss[i].cut)),
                cell_real("any_per_node", loss[i].any), cell_real("better_per_node", better),
                cell_real("costs_percent", loss[i].cost)));
    }
    if (ret == 0 && !s->q->losses)
        table_note(s->j->t, "The costliest of %zu: every cable between switches, and every switch with its hosts.", n);
    for (size_t i = 0; i < n; i++)
        free(loss[i].fail);
    FREE(loss, load);
    flows_release(&f);
    return ret;
}
