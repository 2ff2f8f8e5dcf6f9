/* Rows of broadcasts in cycles among a background: traffic by traffic, load by load, the same background for all
 * ports and trees. */
#include "cli/broadcast/bcast.h"
#include "cli/request/look.h"

/* What one traffic sends on the network at hand. */
struct sending {
    struct bcast_scene *s;
    struct traffic traffic;
    struct latency_options o;
    struct latency_study study;
    struct load_point *point;
    size_t npoint;
    const struct load *load;    /* at hand */
    struct cycles_background background;
    struct tick tick;           /* of the load */
};

static int load_row(const char *algorithm, const struct bcast_best *best, const struct bcast_result *r, void *arg,
                    struct err *err)
{
    const struct sending *k = arg;
    const struct bcast_scene *s = k->s;
    const struct cycles_load *l = r ? &r->load : NULL;
    const double interval = load_interval(k->load, &k->traffic);
    char *link = NULL;
    int ret;

    if (!l)
        return 0;
    if (l->worst_link >= 0 && !(link = flows_link_label(&k->study.flows, (size_t)l->worst_link)))
        return err_memory(err);
    ret = job_row(s->j, ROW(
        MEMBERS(l, best), BCAST_KEYS(s, algorithm, true), cell_text("root", s->q->asked.root),
        cell_text("traffic", k->traffic.spec), cell_real("interval_cycles", interval),
        cell_real("load", k->o.collide.time / interval), BCAST_SIMULATED(s, r),
        link ? cell_text("hurt_link", link) : cell_none("hurt_link"), cell_count("makespan_steps", r->steps),
        cell_text("validity", validity_name[l->validity]),
        cell_text("valid", l->validity == VALIDITY_GOOD ? "yes" : "no"),
        cell_text("quality", l->deadlocks ? "deadlocks" : "model")), err);
    free(link);
    if (ret == 0 && l->deadlocks)
        table_note(s->j->t, "%.150s, %s, ports %s: %d of %d runs deadlock, and are in no mean.", s->net->spec,
                   algorithm, s->ports, l->deadlocks, l->draws);
    return ret;
}

static int load_tree(struct bcast_result *r, const struct tree *tree, void *arg, struct err *err)
{
    struct sending *k = arg;
    const struct bcast_scene *s = k->s;
    const struct collide_options *c = &k->o.collide;
    const struct cycles_how how = { c->switching, c->time, c->hop_time, s->how.ports, s->how.blocking };
    const struct cycles_load_options o = { .draws = (int)s->q->draws, .seed = s->q->common.seed,
                                           .jobs = s->q->common.jobs, .tick = &k->tick };
    struct bcast_run run;
    int ret;

    if (bcast_run_open(&run, s, tree, NULL, &s->place->tick, err) < 0)
        return -1;
    ret = bcast_idle_steps(&r->steps, s, &run, &s->place->tick, err) < 0 ? -1 :
        cycles_load(&r->load, &k->background, &run.ways, 0, &how, &o, err);
    r->completion = r->load.completion;
    if (ret == 0)
        ret = bcast_validate(r, s, tree, &run, &(struct bcast_among){ &k->traffic, &k->o, k->load }, err);
    bcast_run_release(&run);
    return ret;
}

static int load_flooding(void *arg, struct err *err)
{
    const struct sending *k = arg;

    return k->s->q->algorithm.n == 0 ? 0 : err_set(err, ERR_USAGE, "flooding under load is not modelled: it takes all "
                                                   "links at once, whatever else is sent");
}

/* All rows of one load; what cannot be solved is a row that says so, where there are more. */
static int load_point_rows(struct sending *k, const struct load *load, struct err *err)
{
    const struct bcast_compared compared = { load_tree, load_row, NULL, load_flooding, k, false };
    struct bcast_scene *s = k->s;
    const struct plan *p = &s->q->plan;
    const double interval = load_interval(load, &k->traffic);
    int ret = cycles_background_open(&k->background, &k->study, &s->q->links, load, err);

    k->load = load;
    for (size_t i = 0; ret == 0 && i < p->nports; i++) {
        ret = bcast_ports(s, i, err) < 0 ? -1 : bcast_compare(s, &compared, err);
    }
    cycles_background_release(&k->background);
    if (ret == 0)
        return 0;
    if (!job_passes(s->j, s->j->sweep || k->npoint > 1, err))
        return -1;
    job_refused_row(s->j, ROW(cell_text("topology", s->net->spec), cell_int("processes", s->place->where.n),
                              cell_text("routing", s->routing->spec), cell_text("traffic", k->traffic.spec),
                              cell_real("interval_cycles", interval),
                              cell_real("load", k->o.collide.time / interval)));
    table_note(s->j->t, "%.150s, %s: %s.", s->net->spec, k->traffic.spec, err->msg);
    return 0;
}

/* Where no load is said: fifths of the model's own saturation. */
static int load_read_points(struct sending *k, struct err *err)
{
    enum { PARTS = 4 };
    bool parts = k->o.open;

    if (load_points(&k->point, &k->npoint, &k->s->q->load, k->s->net, &k->traffic, &k->s->j->tick, err) < 0)
        return -1;
    if (k->npoint == 0) {
        if (TAKE("the table", err, ARRAY(k->point, PARTS)) < 0)
            return -1;
        for (int i = 0; i < PARTS; i++)
            k->point[k->npoint++] = (struct load_point){ 1, 1, (i + 1) / (PARTS + 1.) };
    }
    for (size_t i = 0; i < k->npoint; i++)
        parts = parts || !isnan(k->point[i].part);
    return parts ? latency_saturation(&k->study, err) : 0;
}

static int load_sending(struct job *j, const char *text, const struct tick *whole, struct err *err)
{
    struct request *q = j->request;
    struct sending k = { .s = q->scene };
    const struct worst_options worst = { .jobs = q->common.jobs, .tick = whole };
    int ret = -1;

    if (load_traffic(&k.traffic, j->net, text, NULL, &worst, err) < 0 || load_suits(&q->load, &k.traffic, err) < 0)
        goto done;
    if (load_options(&k.o, &q->load, &k.traffic, &q->common, whole, err) < 0)
        goto done;
    k.o.unfolded = true;
    k.o.collide.tolerance = 1e-7;
    if (load_say(j, &k.o, err) < 0)
        return -1;
    table_request(j->t, "traffic", k.traffic.spec);
    if (latency_open(&k.study, &k.traffic, k.s->routing, 1, &k.o, err) < 0 || load_read_points(&k, err) < 0)
        goto done;
    ret = 0;
    for (size_t i = 0; ret == 0 && i < k.npoint; i++) {
        const struct load load = load_at(&k.point[i], k.study.saturation_factor);

        k.tick = tick_step(whole, i, k.npoint);
        ret = load_point_rows(&k, &load, err);
    }
done:
    latency_close(&k.study);
    traffic_release(&k.traffic);
    free(k.point);
    return ret;
}

int bcast_load(struct bcast_scene *s, struct err *err)
{
    s->q->scene = s;
    return load_each_traffic(s->j, &s->q->load, load_sending, err);
}

/* What the reader must know of rows that are not to be believed as they stand. */
void bcast_load_notes(struct table *t)
{
    for (enum validity v = VALIDITY_NEAR; v <= VALIDITY_DEADLOCK; v++)
        for (size_t r = 0; r < table_rows(t); r++)
            if (strcmp(look_text(t, r, "validity"), validity_name[v]) == 0) {
                table_note(t, "%s: %s.", validity_name[v], cycles_load_caution(v));
                break;
            }
}
