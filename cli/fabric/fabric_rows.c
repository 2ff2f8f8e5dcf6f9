/* Rows of `metapath fabric`: its parts, cables that break the pattern, loads of links, failures. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/bound/capacity.h"
#include "analysis/fabric/lfts.h"
#include "cli/fabric/fabric.h"
#include "graph/base/mem.h"

/* ---- parts ---- */

#define P(m) MEMBER(0, struct cluster_switch, m)

const struct column fabric_part_columns[] = {
    ASIDE("topology"), { "part", NULL, NULL, IF_FILLED(0), LOOSE }, PLAIN("role"), { "switches", NULL, NULL, 0, LOOSE },
    { "first", "As in", NULL, 0, LOOSE }, { "hosts", NULL, NULL, 0, P(hosts) }, { "ports", NULL, NULL, 0, P(ports) },
    { "free", NULL, NULL, IF_FILLED(0), LOOSE }, { "down", NULL, "links", -1, P(down) },
    { "up", NULL, "links", -1, P(up) }, { "limit_per_node", "Limit", "of a port", -1, P(limit) }
};

static int part_order(const void *a, const void *b, void *cluster)
{
    const struct cluster_switch *at = ((struct cluster *)cluster)->at, *p = &at[*(const int *)a],
        *q = &at[*(const int *)b];
    const double x[] = { p->part, p->level, p->hosts, p->down, p->up, p->ports };
    const double y[] = { q->part, q->level, q->hosts, q->down, q->up, q->ports };

    for (size_t i = 0; i < sizeof x / sizeof *x; i++)
        if (x[i] != y[i])
            return x[i] < y[i] ? -1 : 1;
    return 0;
}

int fabric_part_rows(struct fabric_scene *s, struct err *err)
{
    struct cluster *c = &s->c;
    char role[24], label[NET_LABEL];
    int *part, n = 0;

    if (TAKE("the parts of a fabric", err, ARRAY(part, c->net->n)) < 0)
        return -1;
    for (int v = 0; v < c->net->n; v++)
        if (c->at[v].level != 0)
            part[n++] = v;
    qsort_r(part, (size_t)n, sizeof *part, part_order, c);
    for (int from = 0, to; from < n; from = to) {
        const struct cluster_switch *at = &c->at[part[from]];
        const int radix = net_radix(c->net, part[from]);

        for (to = from + 1; to < n && part_order(&part[from], &part[to], c) == 0;)
            to++;
        snprintf(role, sizeof role, at->level < 0 ? "without hosts" : at->level == 1 ? "leaf" :
                 at->level == c->levels ? "spine" : "level %d", at->level);
        table_add(s->j->t, ROW(
            MEMBERS(at), cell_text("topology", c->net->spec),
            cell_count("part", c->parts > 1 ? at->part + 1.0 : (double)NAN), cell_text("role", role),
            cell_int("switches", to - from), cell_text("first", net_label(c->net, part[from], label)),
            cell_count("free", radix ? radix - at->ports : (double)NAN)));
    }
    free(part);
    for (int k = 0; k < c->net->cables.nkind && c->net->cables.rate > 0; k++) {
        size_t links = 0;

        for (size_t l = 0; l < c->trunks.nlink; l++)
            links += (c->trunks.of ? c->trunks.of[l] : 0) == k;
        table_note(s->j->t, "%zu cables of %s.", links / 2,
                   quantity_text(label, c->net->cables.kind[k].bandwidth * c->net->cables.rate, QUANTITY_RATE));
    }
    return 0;
}

/* ---- cables ---- */

const struct column fabric_cable_columns[] = {
    ASIDE("topology"), PLAIN("fault"), PLAIN("from"), PLAIN("to"), { "have", "Has", NULL, -1, LOOSE },
    { "usual", "Should have", NULL, -1, LOOSE }, PLAIN("of")
};

int fabric_cable_rows(struct fabric_scene *s)
{
    static const char *const fault[] = { "missing", "fewer", "slow", "more" };
    const struct net *net = s->c.net;
    char a[NET_LABEL], b[NET_LABEL];

    for (size_t i = 0; i < s->nflaw; i++) {
        const struct cluster_flaw *f = &s->flaw[i];
        const double unit = f->fault == FAULT_SLOW && net->cables.rate > 0 ? net->cables.rate / 1e9 : 1;

        table_add(s->j->t, ROW(
            cell_text("topology", net->spec), cell_text("fault", fault[f->fault]),
            cell_text("from", net_label(net, f->a, a)), cell_text("to", net_label(net, f->b, b)),
            cell_real("have", f->have * unit), cell_real("usual", f->usual * unit),
            cell_text("of", f->fault != FAULT_SLOW ? "cables" : net->cables.rate > 0 ? "Gb/s" : "unit links")));
    }
    if (s->q->design)
        table_note(s->j->t, "Held against %s, nodes matched by name: %zu have no partner.", s->q->design, s->unknown);
    else
        table_note(s->j->t, "Held against what more than half of the same levels have: %zu pairs differ.", s->nflaw);
    return 0;
}

/* ---- load ---- */

const struct column fabric_load_columns[] = {
    ASIDE("topology"), ASIDE("routing"), PLAIN("from"), PLAIN("to"),
    { "load", "Load, hosts sending all they can", "of the link", 4, LOOSE }
};

/* What hosts that send all they can put on each link, in unit links. */
static int loads_open(struct flows *f, double **load, struct fabric_scene *s, const struct tick *tick, struct err *err)
{
    const struct flows_options o = { .unfolded = true, .tick = tick, .apart = true };
    double *rate = NULL;
    int ret;

    if (flows_open(f, &s->traffic, &s->r, 1, &o, err) < 0)
        return -1;
    ret = TAKE("loads of links", err, ARRAY(*load, f->nlink + 1), ARRAY(rate, f->nsource + 1));
    if (ret == 0) {
        flows_offered(rate, f, (struct traffic_pace){ 1, 1 });
        ret = flows_load(f, rate, *load, NULL, err);
    }
    FREE(rate);
    return ret;
}

struct carried {
    size_t link;
    double load;
};

static int fullest_first(const void *a, const void *b)
{
    const struct carried *p = a, *q = b;

    return p->load != q->load ? (p->load < q->load) - (p->load > q->load) : (p->link > q->link) - (p->link < q->link);
}

int fabric_load_rows(struct fabric_scene *s, const struct tick *tick, struct err *err)
{
    struct flows f = { 0 };
    struct carried *link = NULL;
    double *load = NULL;
    char from[NET_LABEL], to[NET_LABEL];
    int ret = loads_open(&f, &load, s, tick, err);

    if (ret == 0)
        ret = TAKE("loads of links", err, ARRAY(link, f.nlink + 1));
    for (size_t l = 0; ret == 0 && l < f.nlink; l++)
        link[l] = (struct carried){ l, load[l] / flows_bandwidth(&f, l) };
    if (ret == 0)
        qsort(link, f.nlink, sizeof *link, fullest_first);
    for (size_t i = 0; ret == 0 && i < f.nlink; i++)
        table_add(s->j->t, ROW(
            cell_text("topology", s->c.net->spec), cell_text("routing", s->r.spec),
            cell_text("from", net_label(s->c.net, f.link_from[link[i].link], from)),
            load_link_end("to", &f, link[i].link, f.link_to[link[i].link], to), cell_real("load", link[i].load)));
    FREE(load, link);
    flows_release(&f);
    return ret;
}

/* ---- losses ---- */

const struct column fabric_loss_columns[] = {
    ASIDE("topology"), ASIDE("routing"), PLAIN("fails"), { "pairs_cut", "Pairs cut", NULL, 0, LOOSE },
    { "any_per_node", "Any routing", "of a port", -1, LOOSE },
    { "better_per_node", "New tables", "of a port", -1, LOOSE }, { "costs_percent", "Costs", "%", 2, LOOSE }
};
#define LOSSES_SHOWN 10

struct loss {
    char *fail;                 /* what follows "fail=" */
    double cut, any;            /* pairs whose way crosses it; theta without it, 0: it parts the hosts */
};

static int costliest_first(const void *a, const void *b)
{
    const struct loss *p = a, *q = b;

    return fabs(p->any - q->any) > 1e-9 ? (p->any > q->any) - (p->any < q->any) :
        p->cut != q->cut ? (p->cut < q->cut) - (p->cut > q->cut) : strcmp(p->fail, q->fail);
}

/* Every cable between switches, and every switch with the hosts that hang on it alone, each once. */
static int losses_list(struct loss *loss, size_t *n, const struct fabric_scene *s, const struct flows *f,
                       const double *load)
{
    const struct cluster *c = &s->c;
    const struct csr *g = c->trunks.csr;
    const double pairs = c->net->nterminal - 1;         /* a source sends 1 in all */
    char from[NET_LABEL], to[NET_LABEL], number[24];

    for (size_t l = 0; l < c->trunks.nlink; l++) {
        const int a = c->tail[l], b = c->head[l];
        const char *port = flows_cable_name(f, l, number);

        if (a > b || !c->at[a].level || !c->at[b].level)
            continue;
        loss[*n].cut = pairs * (load[l] + load[c->back[l]]);
        if (asprintf(&loss[(*n)++].fail, "%s-%s%s%s", net_label(c->net, a, from), net_label(c->net, b, to),
                     *port ? ":" : "", port) < 0)
            return -1;
    }
    for (int v = 0; v < g->n; v++) {
        struct loss *at = &loss[*n];
        size_t size;
        FILE *text = c->at[v].level ? open_memstream(&at->fail, &size) : NULL;

        if (c->at[v].level && !text)
            return -1;
        if (!text)
            continue;
        ++*n;
        at->cut = net_terminal_index(c->net, v) < 0 ? 0 : pairs;
        fprintf(text, "switch:%s", net_label(c->net, v, from));
        for (size_t k = g->first[v]; k < g->first[v + 1]; k++)
            if (!c->at[g->to[k]].level && g->first[g->to[k] + 1] - g->first[g->to[k]] == 1)
                fprintf(text, "+switch:%s", net_label(c->net, g->to[k], to));
        for (size_t l = 0; l < c->trunks.nlink; l++)
            at->cut += c->head[l] == v ? pairs * load[l] : 0;
        if (fclose(text) != 0)
            return -1;
    }
    return 0;
}

/* What is reached with a failure: by any routing, or by new tables. 0 where it parts the hosts. */
static int losses_theta(double *out, const struct fabric_scene *s, const char *fail, bool tables,
                        const struct tick *tick, struct err *err)
{
    struct routing r = { 0 };
    struct net *net = NULL;
    double theta[2] = { 0, 0 }, *capacity = NULL;
    char *spec;
    int ret;

    if (asprintf(&spec, "%s%s%s", s->c.net->spec, s->c.net->cables.failed ? "+" : ",fail=", fail) < 0)
        return err_memory(err);
    ret = net_open(&net, spec, err);
    free(spec);
    if (ret < 0 && err->code == ERR_NETWORK) {
        *out = 0;
        return 0;
    }
    if (ret == 0)
        ret = capacity_open(&capacity, net, NULL, err);
    if (ret == 0 && tables)
        ret = lfts_open(&r, net, (int)s->q->rounds, s->q->common.seed, tick, err);
    if (ret == 0)
        ret = fabric_theta(theta, s, net, tables ? &r : NULL, capacity, tick, err);
    *out = theta[0];
    routing_close(&r);
    free(capacity);
    net_close(net);
    return ret;
}

int fabric_loss_rows(struct fabric_scene *s, const struct tick *tick, struct err *err)
{
    const bool drawn = s->q->losses > 0;
    const struct tick all = tick_part(tick, 0, 0.8), rest = tick_part(tick, 0.8, 1);
    struct loss *loss = NULL;
    struct flows f = { 0 };
    double *load = NULL;
    size_t n = 0;
    int ret = loads_open(&f, &load, s, &all, err);

    if (ret == 0)
        ret = TAKE("losses", err, ZEROS(loss, s->c.trunks.nlink + (size_t)s->c.net->n + LOSSES_SHOWN));
    if (ret == 0 && !drawn && losses_list(loss, &n, s, &f, load) < 0)
        ret = err_memory(err);
    for (; ret == 0 && drawn && n < LOSSES_SHOWN; n++) {
        loss[n].cut = NAN;
        if (asprintf(&loss[n].fail, "random:%lld:%llu", (long long)s->q->losses,
                     (unsigned long long)s->q->common.seed + n) < 0)
            ret = err_memory(err);
    }
    for (size_t i = 0; ret == 0 && i < n; i++) {
        const struct tick part = tick_step(&all, i, n);

        ret = losses_theta(&loss[i].any, s, loss[i].fail, false, &part, err);
    }
    if (ret == 0 && n && !drawn)
        qsort(loss, n, sizeof *loss, costliest_first);
    for (size_t i = 0; ret == 0 && i < n && i < LOSSES_SHOWN; i++) {
        const struct tick part = tick_step(&rest, i, LOSSES_SHOWN);
        double better;

        ret = losses_theta(&better, s, loss[i].fail, true, &part, err);
        loss[i].fail[strcspn(loss[i].fail, "+")] = '\0';
        if (ret == 0)
            table_add(s->j->t, ROW(
                cell_text("topology", s->c.net->spec), cell_text("routing", s->r.spec),
                cell_text("fails", loss[i].fail), cell_count("pairs_cut", round(loss[i].cut)),
                cell_real("any_per_node", loss[i].any),
                cell_real("better_per_node", better), cell_real("costs_percent", 100 * (1 - loss[i].any / s->any))));
    }
    if (ret == 0 && !drawn)
        table_note(s->j->t, "The costliest of %zu: every cable between switches, and every switch with its hosts.", n);
    for (size_t i = 0; i < n; i++)
        free(loss[i].fail);
    FREE(loss, load);
    flows_release(&f);
    return ret;
}
