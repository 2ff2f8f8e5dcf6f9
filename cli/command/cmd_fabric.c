/* `metapath fabric`: what is wrong with a cluster's network, what it costs, what to do.
 * 1. options   and tables
 * 2. page      findings in the order of what they cost
 * 3. work      what each table needs, opened once
 * 4. figure    the levels with their loads */
#include "analysis/bound/capacity.h"
#include "analysis/deadlock/dependencies.h"
#include "analysis/policy/policy.h"
#include "cli/command/cmd.h"
#include "cli/fabric/fabric.h"
#include "cli/request/link_panels.h"
#include "texts/cmd.h"

/* ---- options ---- */

static const struct option_field fabric_options[] = {
    { .help = "Question:", .group = 0 },
    { CMD_FABRIC_ROUTING, 0, INTO(routing) },
    { CMD_FABRIC_CLASSES, 0, INTO(classes) },
    { CMD_FABRIC_TRAFFIC, 0, INTO(traffic) },
    { CMD_FABRIC_DESIGN, 0, INTO(design) },
    { CMD_FABRIC_IMPROVE, 0, INTO(improve) },
    { CMD_FABRIC_ROUNDS, 0, INTO(rounds), .least = 0, .most = 1000 },
    { CMD_FABRIC_LOSSES, 0, INTO(losses), .least = 1, .most = 1000000 }, { 0 }
};

static const struct column finding_columns[] = {
    ASIDE("topology"), { "costs_percent", "Costs", "%", 2, LOOSE }, PLAIN("finding"), PLAIN("where"),
    { "remedy", "What to do", NULL, 0, LOOSE }
};
enum { SHOW_FINDINGS, SHOW_PARTS, SHOW_CABLES, SHOW_LOAD, SHOW_LOSSES, SHOW_DEADLOCK };
static const struct frame_table fabric_tables[] = {
    [SHOW_FINDINGS] = { NULL, "What this fabric loses, and by what", COLUMNS(finding_columns) },
    [SHOW_PARTS] = { "parts", "What the fabric is made of", COLUMNS(fabric_part_columns) },
    [SHOW_CABLES] = { "cables", "Cables that differ from the others", COLUMNS(fabric_cable_columns),
                      .words = "from,to" },
    [SHOW_LOAD] = { "load", "Links, the fullest first", COLUMNS(fabric_load_columns), .words = "from,to" },
    [SHOW_LOSSES] = { "losses", "What failures leave", COLUMNS(fabric_loss_columns) },
    [SHOW_DEADLOCK] = { "deadlock", "Whether messages may block one another for good", COLUMNS(fabric_deadlock_columns) },
    { 0 }
};

/* -o FILE.lfts is where better tables go, not the table. */
static int fabric_check(struct job *j, struct err *err)
{
    struct request *q = j->request;
    const char *dot = q->common.output ? strrchr(q->common.output, '.') : NULL;
    const bool lfts = dot && strcmp(dot, ".lfts") == 0;

    if (lfts && !q->improve)
        return err_set(err, ERR_USAGE, "-o %.200s is for tables: add --improve", q->common.output);
    if (q->improve && j->which != SHOW_FINDINGS)
        return err_set(err, ERR_USAGE, "--improve belongs to the first table: leave out --show");
    if (q->losses && j->which != SHOW_LOSSES)
        return err_set(err, ERR_USAGE, "--losses belongs to --show losses");
    if (q->traffic && j->which == SHOW_LOSSES)
        return err_set(err, ERR_USAGE, "--show losses is of uniform traffic: leave out --traffic");
    if (j->o->plot && j->which != SHOW_LOAD)
        return err_set(err, ERR_USAGE, "--plot is of --show load");
    if (lfts) {
        q->lfts = q->common.output;
        q->common.output = NULL;
    }
    q->traffic = q->traffic ? q->traffic : "uniform";
    return j->which == SHOW_LOAD && !j->o->sort.n ? strings_add(&j->o->sort, "-load", err) : 0;
}

/* ---- page ---- */

struct finding {
    double cost;                /* percent of the throughput; INFINITY: may be all of it; NAN: not known */
    const char *what, *remedy;
    char where[160];
};
struct findings {
    struct finding row[10];
    size_t n;
};

static void finding(struct findings *p, double cost, const char *what, const char *remedy, const char *where, ...)
    __attribute__((format(printf, 5, 6)));
static void finding(struct findings *p, double cost, const char *what, const char *remedy, const char *where, ...)
{
    struct finding *f = &p->row[p->n++];
    va_list ap;

    *f = (struct finding){ cost, what, remedy, "" };
    va_start(ap, where);
    vsnprintf(f->where, sizeof f->where, where, ap);
    va_end(ap);
}

static int dearest_first(const void *a, const void *b)
{
    const double x = ((const struct finding *)a)->cost, y = ((const struct finding *)b)->cost;

    return isnan(x) || isnan(y) ? isnan(x) - isnan(y) : (x < y) - (x > y);
}

/* Pairs that differ, against what any routing would reach if those that are joined were as the others. */
static int page_cables(struct findings *p, struct fabric_scene *s, const struct tick *tick, struct err *err)
{
    const struct trunks *t = &s->c.trunks;
    double *capacity, theta[2] = { NAN, NAN };
    size_t n[4] = { 0 };
    int ret = 0;

    if (TAKE("links", err, ARRAY(capacity, t->nlink + 1)) < 0)
        return -1;
    for (size_t l = 0; l < t->nlink; l++)
        capacity[l] = trunks_kind(t, l).bandwidth;
    for (size_t i = 0; i < s->nflaw; i++) {
        const struct cluster_flaw *f = &s->flaw[i];
        const size_t k = csr_link(t->csr, f->a, f->b);

        n[f->fault]++;
        for (size_t l = trunks_first(t, k); f->fault != FAULT_MISSING && l < trunks_first(t, k + 1); l++)
            capacity[l] = capacity[s->c.back[l]] = f->fault == FAULT_SLOW ? fmax(capacity[l], f->usual) :
                f->fault == FAULT_FEWER ? capacity[l] * f->usual / f->have : capacity[l];
    }
    if (n[FAULT_FEWER] + n[FAULT_SLOW] && s->any > 0)
        ret = fabric_theta(theta, s, s->c.net, NULL, capacity, tick, err);
    if (ret == 0 && s->nflaw)
        finding(p, 100 * (1 - s->any / theta[0]), "pairs unlike the others", "--show cables",
                "%zu missing, %zu fewer, %zu slow", n[FAULT_MISSING], n[FAULT_FEWER], n[FAULT_SLOW]);
    if (ret == 0 && s->c.net->devices.nfault)
        finding(p, NAN, "loops, half-seen cables", "--show cables", "%zu", s->c.net->devices.nfault);
    free(capacity);
    return ret;
}

/* What no tables mend: the leaf that lets its hosts send least, or what is above. */
static void page_limits(struct findings *p, const struct fabric_scene *s)
{
    const struct cluster_switch *at = s->c.at;
    char label[NET_LABEL];
    int least = -1;

    for (int v = 0; v < s->c.net->n; v++)
        if (at[v].level > 0 && !isnan(at[v].limit) && (least < 0 || at[v].limit < at[least].limit))
            least = v;
    if (s->bound >= 1 - 1e-9)
        return;
    if (least >= 0 && s->traffic.kind->even && s->any > 0.99 * at[least].limit)
        finding(p, 100 * (1 - s->any), "fewer cables up than down", "cables up", "%.30s: %d hosts, %g up",
                net_label(s->c.net, least, label), at[least].hosts, at[least].up);
    else
        finding(p, 100 * (1 - s->any), "too few cables", "--show parts", "any routing %.4g", s->any);
}

/* What the tables lose against any routing, whether they may deadlock, and what others reach. */
static int page_tables(struct findings *p, struct fabric_scene *s, const struct tick *tick, struct err *err)
{
    const struct deadlock_options o = { .classes = s->q->classes, .jobs = s->q->common.jobs, .tick = tick };
    struct deadlock d;
    double better;

    if (deadlock_open(&d, s->c.net, &s->r, 1, &o, err) < 0)
        return -1;
    if (d.cyclic)
        finding(p, INFINITY, "tables may deadlock", "--show deadlock", "a cycle of %zu links", d.ncycle);
    deadlock_close(&d);
    if (s->tables < s->any * (1 - 1e-6))
        finding(p, 100 * (1 - s->tables / s->any), "tables fill a link early", s->q->improve ? "see below" :
                "--improve", "%.4g, any routing %.4g", s->tables, s->any);
    if (!s->q->improve)
        return 0;
    if (fabric_improve(&better, s, tick, err) < 0)
        return -1;
    if (better > s->tables)
        table_note(s->j->t, "Better tables reach %.4g of a port, %.3g %% of what any routing does, up and then down, "
                   "on one lane%s%s.", better, 100 * better / s->any, s->q->lfts ? ": --routing table:" : "",
                   s->q->lfts ? s->q->lfts : "");
    else
        table_note(s->j->t, "No better tables were found.");
    return 0;
}

#define WORST_MOST 3e10          /* links times pairs of hosts: some seconds */

static int fabric_note(struct fabric_scene *s, const struct tick *tick, struct err *err)
{
    const double n = s->c.net->nterminal;
    const struct worst_options o = { .jobs = s->q->common.jobs, .tick = tick };
    const bool looked = (double)s->c.trunks.nlink * n * n <= WORST_MOST;
    struct routing ecmp = { 0 };
    struct worst worst = { 0 };
    double theta[2];
    char rate[40] = "", perm[60] = "";
    int ret = routing_open(&ecmp, s->c.net, "ecmp", err);

    if (ret == 0)
        ret = fabric_theta(theta, s, s->c.net, &ecmp, s->capacity, tick, err);
    if (ret == 0 && looked && (ret = worst_open(&worst, s->c.net, &s->r, s->capacity, &o, err)) == 0)
        snprintf(perm, sizeof perm, " (in its worst permutation %.4g)", worst.theta);
    if (s->c.net->cables.rate > 0)
        quantity_text(rate, s->c.net->cables.rate, QUANTITY_RATE);
    if (ret == 0)
        table_note(s->j->t, "A host sends, of a port%s%s: by %s %.4g%s; by ecmp %.4g; by any routing %.4g (proved: at "
                   "most %.4g).", *rate ? " of " : "", rate, s->r.spec, s->tables, perm, theta[0], s->any, s->bound);
    worst_close(&worst);
    routing_close(&ecmp);
    return ret;
}

static int page_rows(struct fabric_scene *s, const struct tick *tick, struct err *err)
{
    struct findings p = { .n = 0 };

    if (page_cables(&p, s, tick, err) < 0)
        return -1;
    if (s->any > 0)
        page_limits(&p, s);
    else
        finding(&p, 100, "hosts that are not joined", "--show parts", "%d parts", s->c.parts);
    if (s->any > 0 && (page_tables(&p, s, tick, err) < 0 || fabric_note(s, tick, err) < 0))
        return -1;
    qsort(p.row, p.n, sizeof *p.row, dearest_first);
    for (size_t i = 0; i < p.n; i++)
        table_add(s->j->t, ROW(
            cell_text("topology", s->c.net->spec),
            cell_real("costs_percent", isfinite(p.row[i].cost) ? fmax(p.row[i].cost, 0) : NAN),
            cell_text("finding", p.row[i].what), cell_text("where", p.row[i].where),
            cell_text("remedy", p.row[i].remedy)));
    if (p.n == 0)
        table_note(s->j->t, "Nothing is lost: cables are alike, and the tables reach what any routing does.");
    return 0;
}

/* ---- work ---- */

static int fabric_flaws(struct fabric_scene *s, struct err *err)
{
    struct cluster design = { 0 };
    struct net *net = NULL;
    int ret;

    if (!s->q->design)
        return cluster_flaws(&s->flaw, &s->nflaw, &s->c, err);
    ret = net_open(&net, s->q->design, err) < 0 || cluster_open(&design, net, err) < 0 ? -1 :
        cluster_design(&s->flaw, &s->nflaw, &s->unknown, &s->c, &design, err);
    cluster_close(&design);
    net_close(net);
    return ret;
}

/* Before work, but for what hosts that are not joined have no use of. */
static int fabric_tables_open(struct fabric_scene *s, struct err *err)
{
    const char *routing = routing_usual(s->q->routing, s->c.net, ROUTING_FOR_TREES);

    if (policy_plain_routing(&s->r, s->c.net, routing, &s->lack) == 0 ||
        (s->lack.code == ERR_NETWORK && s->j->which == SHOW_FINDINGS))
        return 0;
    *err = s->lack;
    return -1;
}

/* What any routing reaches, and the tables. */
static int fabric_traffic(struct fabric_scene *s, const struct tick *tick, struct err *err)
{
    double theta[2];

    if (load_traffic(&s->traffic, s->c.net, s->q->traffic, s->capacity, NULL, err) < 0 ||
        fabric_theta(theta, s, s->c.net, NULL, s->capacity, tick, err) < 0)
        return -1;
    s->any = theta[0];
    s->bound = theta[1];
    if (!(s->any > 0))
        return s->j->which == SHOW_FINDINGS ? 0 : err_set(err, ERR_NETWORK, "%.200s is not connected: --show parts",
                                                          s->c.net->spec);
    *err = s->lack;
    if (!s->r.route || fabric_theta(theta, s, s->c.net, &s->r, s->capacity, tick, err) < 0)
        return -1;
    s->tables = theta[0];
    return 0;
}

static int fabric_network(struct job *j, struct err *err)
{
    struct fabric_scene s = { .j = j, .q = j->request };
    const struct tick first = tick_part(&j->tick, 0, 0.2), rest = tick_part(&j->tick, 0.2, 1);
    const bool still = j->which == SHOW_PARTS || j->which == SHOW_CABLES;
    int ret = -1;

    if (cluster_open(&s.c, j->net, err) < 0)
        return -1;
    if (fabric_flaws(&s, err) < 0 || capacity_open(&s.capacity, j->net, NULL, err) < 0 ||
        (!still && fabric_tables_open(&s, err) < 0) ||
        (!still && j->which != SHOW_DEADLOCK && fabric_traffic(&s, &first, err) < 0))
        goto done;
    if (!still && !s.q->routing && (s.any > 0 || j->which == SHOW_DEADLOCK))
        table_note(j->t, "%s stands for tables: --routing table:FILE gives them.", s.r.spec);
    switch (j->which) {
    case SHOW_FINDINGS: ret = page_rows(&s, &rest, err); break;
    case SHOW_PARTS: ret = fabric_part_rows(&s, err); break;
    case SHOW_CABLES: ret = fabric_cable_rows(&s); break;
    case SHOW_LOAD: ret = fabric_load_rows(&s, &rest, err) < 0 ? -1 : fabric_note(&s, &rest, err); break;
    case SHOW_DEADLOCK: ret = fabric_deadlock_rows(&s, &rest, err); break;
    default: ret = fabric_loss_rows(&s, &rest, err);
    }
done:
    routing_close(&s.r);
    traffic_release(&s.traffic);
    FREE(s.flaw, s.capacity);
    cluster_close(&s.c);
    return ret;
}

/* ---- figure ---- */

static int fabric_figure(struct picture *f, const struct table *t, int which, struct err *err)
{
    static const struct panel_column panel[] = { { "topology", NULL, false }, { "routing", NULL, true } };
    static const char *const load[] = { "load" };
    const struct link_panels links = { panel, 2, load, 1, "Load", "of the link", false };

    return which == SHOW_LOAD ? link_panels_figure(f, t, &links, err) : 0;
}

static const struct frame fabric_frame = {
    CMD_FABRIC_FRAME, .option = fabric_options, FRAME_REQUEST(struct request, .rounds = 12),
    .table = fabric_tables, .plots = true, .own = ".lfts", .check = fabric_check, .network = fabric_network,
    .figure = fabric_figure
};

const struct cmd cmd_fabric = { CMD_FABRIC_ENTRY, .frame = &fabric_frame };
