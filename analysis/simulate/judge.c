#include "analysis/simulate/judge.h"

struct simulate_options judge_options(const struct latency_options *model)
{
    const struct collide_options *c = &model->collide;
    struct simulate_options o = simulate_usual;

    o.switching = c->switching;
    o.router = c->router;
    o.hop_time = c->hop_time;
    o.flits = c->time;
    o.source = model->open ? SOURCE_OPEN : SOURCE_CLOSED;
    o.classes = model->classes;
    o.terminals = model->terminals;
    o.jobs = c->jobs;
    o.tick = c->tick;
    return o;
}

/* Of open sources of the same rate every message counts alike; else every source. */
int judge_run(struct judge *out, struct simulation *s, const struct simulate_options *o, const struct traffic *traffic,
              const struct load *load, struct err *err)
{
    const bool alike = o->source != SOURCE_CLOSED && traffic_own(traffic) == OWN_NONE;
    struct simulate_result r;
    bool steady;

    if (simulate_run(&r, s, load, err) < 0)
        return -1;
    steady = r.steady && r.deadlocks == 0 && !r.brief;            /* else there is nothing to compare */
    *out = (struct judge){ !steady ? NAN : alike ? r.mean : r.by_source, steady ? r.mean_half : NAN, steady,
                           r.deadlocks > 0 ? "deadlock" : r.brief ? "too short" : steady ? "steady" :
                           "no steady state" };
    simulate_result_release(&r);
    return 0;
}

bool judge_wrong(double model, const struct judge *simulated)
{
    const double off = fabs(model - simulated->latency) - (isnan(simulated->half) ? 0 : simulated->half);

    return simulated->steady && off > JUDGE_BELIEVED * simulated->latency;
}

/* ---- BookSim2 ---- */

static const struct {
    const char *theirs, *ours;
} words[] = {
    { "hotspot", "hotspot:27,share=0.04545454545454545" },      /* 4 of 66 messages that travel go there */
    { "dim_order", "dor,tie=split" }
};

const char *booksim_ours(const char *theirs)
{
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(words[i].theirs, theirs) == 0)
            return words[i].ours;
    return theirs;
}

enum { NAME, NETWORK, TRAFFIC, PACKET, VCS, BUFFER, ROUTING, EXTRA, PART, RATE, NLAT, PLAT, ROUTERS, COLUMNS };

static double number(const struct csv *csv, size_t row, int column)
{
    const char *text = csv_at(csv, row, column);

    return *text ? strtod(text, NULL) : NAN;
}

static struct booksim_row row_of(const struct csv *csv, const int column[COLUMNS], size_t row)
{
    const char *extra = csv_at(csv, row, column[EXTRA]);
    const double vcs = number(csv, row, column[VCS]);
    const bool flits = isfinite(vcs);

    return (struct booksim_row){
        .name = csv_at(csv, row, column[NAME]), .network = csv_at(csv, row, column[NETWORK]),
        .traffic = csv_at(csv, row, column[TRAFFIC]), .routing = csv_at(csv, row, column[ROUTING]),
        .packet = number(csv, row, column[PACKET]),
        .router = { .vcs = vcs, .buffer = number(csv, row, column[BUFFER]), .credit_loop = flits ? BOOKSIM_LOOP : 0,
                    .time = flits ? BOOKSIM_TIME : 0, .speedup = !flits || strstr(extra, "input_speedup"),
                    .packets = !flits || strstr(extra, "hold_switch_for_packet") },
        .terminals = flits || strstr(extra, "ejection"), .plain = !strstr(extra, "allocator"),
        .part = number(csv, row, column[PART]), .rate = number(csv, row, column[RATE]),
        .nlat = number(csv, row, column[NLAT]), .plat = number(csv, row, column[PLAT]),
        .routers = number(csv, row, column[ROUTERS])
    };
}

int booksim_rows(struct booksim_row **out, const struct csv *csv, const char *path, struct err *err)
{
    static const char *const name[] = {
        "config", "network", "traffic", "packet_flits", "vcs", "buffer", "routing", "extra", "fraction_of_saturation",
        "injection_rate_flits_per_node_per_cycle", "nlat", "plat", "router_hops"
    };
    struct booksim_row *row;
    int column[COLUMNS];

    for (int k = 0; k < COLUMNS; k++) {
        column[k] = csv_column(csv, name[k]);
        if (column[k] < 0)
            return err_set(err, ERR_FORMAT, "%s has no column %s", path, name[k]);
    }
    row = calloc(csv->nrow + 1, sizeof *row);
    if (!row)
        return err_memory(err);
    for (size_t r = 0; r < csv->nrow; r++)
        row[r] = row_of(csv, column, r);
    *out = row;
    return 0;
}

double booksim_own(const struct traffic *t)
{
    return (t->matrix ? 1 : t->silent) / (double)t->net->nterminal;
}

double booksim_interval(const struct traffic *t, double packet, double rate)
{
    return packet / (rate * (t->matrix ? 1 - booksim_own(t) : 1));
}

/* A message to its own sender crosses one router and waits for nothing. Ours are moved to the routers that the messages
 * of the run came through. */
static struct booksim_run as_booksim(const struct booksim_row *row, const struct simulate_result *r, double own)
{
    const double routers = (1 - own) * (r->hops + 1) + own, alone = BOOKSIM_TIME + 1 + BOOKSIM_TIME + row->packet - 1,
        moved = (1 + BOOKSIM_TIME) * (row->routers - routers) + (1 - own) * BOOKSIM_LATER + own * alone;

    return (struct booksim_run){ (1 - own) * r->network + moved, (1 - own) * r->network_half,
                                 (1 - own) * r->mean + moved, r->steady && r->deadlocks == 0 };
}

int booksim_run(struct booksim_run *out, const struct booksim_row *row, double rate, const struct simulate_options *o,
                struct err *err)
{
    struct simulate_options how = *o;
    struct net *net = NULL;
    struct traffic traffic = { 0 };
    struct simulation *s = NULL;
    struct simulate_result r;
    struct load load;
    int ret = -1;

    how.switching = &switching_virtual_channel;
    how.router = row->router;
    how.flits = row->packet;
    how.source = SOURCE_BERNOULLI;
    how.iterations = 1;
    how.terminals = row->terminals;
    if (net_open(&net, row->network, err) < 0 || traffic_open(&traffic, net, booksim_ours(row->traffic), err) < 0 ||
        simulate_open(&s, net, &traffic, booksim_ours(row->routing), &how, err) < 0)
        goto done;
    load = (struct load){ booksim_interval(&traffic, row->packet, rate), 1 };
    if (simulate_run(&r, s, &load, err) < 0)
        goto done;
    *out = as_booksim(row, &r, booksim_own(&traffic));
    simulate_result_release(&r);
    ret = 0;
done:
    simulate_close(s);
    traffic_release(&traffic);
    net_close(net);
    return ret;
}
