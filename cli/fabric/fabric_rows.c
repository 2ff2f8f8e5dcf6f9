/* Rows of `metapath fabric`: its parts, cables that break the pattern, loads of links, deadlock. */
#include "analysis/deadlock/dependencies.h"
#include "cli/fabric/fabric.h"

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
    for (size_t i = 0; i < net->devices.nfault; i++) {
        const struct device_fault *f = &net->devices.fault[i];
        char from[NET_LABEL + 16], to[NET_LABEL + 16], line[40];

        snprintf(from, sizeof from, "%s:%d", net_label(net, f->node, a), f->port);
        snprintf(to, sizeof to, "%s:%d", net_label(net, f->to, b), f->to_port);
        snprintf(line, sizeof line, "line %zu", f->line);
        table_add_some(s->j->t, ROW(
            cell_text("topology", net->spec), cell_text("fault", f->node == f->to ? "loop" : "half-seen"),
            cell_text("from", from), cell_text("to", to), cell_text("of", line)));
    }
    if (s->q->design)
        table_note(s->j->t, "Held against %s, nodes matched by name: %zu of its nodes are not there.", s->q->design,
                   s->unknown);
    else
        table_note(s->j->t, "Held against what more than half of the same levels have: %zu pairs differ.", s->nflaw);
    return 0;
}

/* ---- load ---- */

const struct column fabric_load_columns[] = {
    ASIDE("topology"), ASIDE("routing"), PLAIN("from"), PLAIN("to"),
    { "load", "Load, hosts sending all they can", "of the link", 4, LOOSE }
};

int fabric_loads(struct flows *f, double **load, struct fabric_scene *s, const struct tick *tick, struct err *err)
{
    const struct flows_options o = { .unfolded = true, .tick = tick, .apart = true };

    if (flows_open(f, &s->traffic, &s->r, 1, &o, err) < 0)
        return -1;
    return TAKE("loads of links", err, ARRAY(*load, f->nlink + 1)) < 0 ? -1 : flows_load(f, NULL, *load, NULL, err);
}

int fabric_load_rows(struct fabric_scene *s, const struct tick *tick, struct err *err)
{
    struct flows f = { 0 };
    double *load = NULL;
    char from[NET_LABEL], to[NET_LABEL];
    int ret = fabric_loads(&f, &load, s, tick, err);

    for (size_t l = 0; ret == 0 && l < f.nlink; l++)
        table_add(s->j->t, ROW(
            cell_text("topology", s->c.net->spec), cell_text("routing", s->r.spec),
            cell_text("from", net_label(s->c.net, f.link_from[l], from)),
            load_link_end("to", &f, l, f.link_to[l], to), cell_real("load", load[l] / flows_bandwidth(&f, l))));
    free(load);
    flows_release(&f);
    return ret;
}

/* ---- deadlock ---- */

const struct column fabric_deadlock_columns[] = {
    ASIDE("topology"), PLAIN("routing"), PLAIN("classes"), PLAIN("verdict"), { "cycle_length", "Cycle", NULL, 0, LOOSE },
    { "channels", "Lanes needed", NULL, 0, LOOSE }, { "channels_by", "by", NULL, 0, LOOSE }
};

int fabric_deadlock_rows(struct fabric_scene *s, const struct tick *tick, struct err *err)
{
    const struct deadlock_options o = { .classes = s->q->classes, .jobs = s->q->common.jobs, .tick = tick };
    struct deadlock_advice advice = { 0 };
    struct deadlock_need need = { 0 };
    struct deadlock d = { 0 };
    int ret = deadlock_open(&d, s->c.net, &s->r, 1, &o, err);

    if (ret == 0)
        ret = d.cyclic ? deadlock_advise(&advice, s->c.net, &s->r, 1, &o, err) : deadlock_need(&need, &d, err);
    if (ret == 0)
        table_add(s->j->t, ROW(
            cell_text("topology", s->c.net->spec), cell_text("routing", s->r.spec),
            cell_text("classes", d.classes.spec), cell_text("verdict", d.cyclic ? "may deadlock" : "no deadlock"),
            d.cyclic ? cell_int("cycle_length", (int64_t)d.ncycle) : cell_none("cycle_length"),
            cell_count("channels", !d.cyclic ? need.channels : advice.scheme ? advice.channels : (double)NAN),
            cell_text("channels_by", d.cyclic ? advice.scheme : d.classes.spec)));
    if (ret == 0 && d.cyclic) {
        char *text = deadlock_cycle_text(&d);

        ret = text ? 0 : err_memory(err);
        if (text)
            table_note(s->j->t, "%s.", text);
        free(text);
    }
    deadlock_need_release(&need);
    free(advice.scheme);
    deadlock_close(&d);
    return ret;
}
