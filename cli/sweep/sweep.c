/* One walk for all that is swept. Schemes; loads; rows; the whole. */
#include "cli/sweep/sweep.h"

/* ---- schemes ----------------------------------------------------------------------------------------- */

const char *scheme_spec(const struct scheme *c)
{
    return c->policy.spec ? c->policy.spec : c->routing.spec ? c->routing.spec :
        c->run ? simulate_routing(c->run) : c->asked;
}

static void scheme_close_study(struct scheme *c)
{
    c->study = NULL;
    policy_close(&c->policy);
    latency_close(&c->own);
    routing_close(&c->routing);
    c->policy = (struct policy){ 0 };
    c->own = (struct latency_study){ 0 };
    c->routing = (struct routing){ 0 };
}

static int scheme_open_study(struct scheme *c, struct sweep *s, struct err *err)
{
    if (c->is_policy) {
        if (policy_open(&c->policy, c->asked, s->net, &s->traffic, &s->model, err) < 0)
            return -1;
        c->study = &c->policy.study;
    } else {
        if (routing_open(&c->routing, s->net, c->asked, err) < 0 ||
            latency_open(&c->own, &s->traffic, &c->routing, 1, &s->model, err) < 0 ||
            latency_saturation(&c->own, err) < 0)
            return -1;
        c->study = &c->own;
    }
    c->saturation = c->study->saturation_factor;
    return 0;
}

/* Of the model nothing but the saturation, which loads are parts of. */
static int scheme_saturation(struct scheme *c, struct sweep *s, struct err *err)
{
    const int ret = scheme_open_study(c, s, err);

    scheme_close_study(c);
    return ret == 0 && !isfinite(c->saturation) ?
        err_set(err, ERR_NETWORK, "the model of latency has no saturation for it: say --load, --rate or --interval") :
        ret;
}

static int scheme_open(struct scheme *c, struct sweep *s, struct err *err)
{
    int ret = 0;

    c->is_policy = policy_is(c->asked);
    c->saturation = c->simulated = NAN;
    if (s->way->models)
        ret = scheme_open_study(c, s, err);
    else if (!isnan(s->point[0].part))
        ret = scheme_saturation(c, s, err);
    return ret == 0 && (!s->way->simulates || s->way->simulates(s, c)) ?
        simulate_open(&c->run, s->net, &s->traffic, scheme_spec(c), &s->simulated, err) : ret;
}

int scheme_refuse(struct scheme *c, struct sweep *s, struct err *err)
{
    if (!job_passes(s->j, s->j->sweep, err))
        return -1;
    c->why = *err;
    *err = (struct err){ 0 };
    return 0;
}

/* Rows of a study may ask whether others can be opened at all. */
static bool schemes_none(const struct sweep *s)
{
    bool none = s->way->models;

    for (size_t i = 0; i < s->n; i++)
        none = none && scheme_refused(&s->scheme[i]);
    return none;
}

static int schemes_open(struct sweep *s, const struct tick *whole, struct err *err)
{
    const struct strings *asked = &s->load->routing;

    s->n = asked->n ? asked->n : 1;
    if (TAKE("the table", err, ZEROS(s->scheme, s->n)) < 0)
        return -1;
    for (size_t k = 0; k < 2 * s->n; k++) {
        const size_t i = k % s->n;
        struct scheme *c = &s->scheme[i];

        s->tick = tick_step(whole, i, s->n);
        c->asked = routing_usual(asked->n ? asked->item[i] : NULL, s->net, ROUTING_FOR_LOAD);
        if (k < s->n)
            c->skipped = !job_wants(s->j, LOOP_SCHEME, i);
        if (k < s->n ? c->skipped : !c->skipped || !schemes_none(s))
            continue;
        c->skipped = false;
        job_at(s->j, PLACE_SCHEME, i);
        if (scheme_open(c, s, err) < 0 && scheme_refuse(c, s, err) < 0)
            return -1;
    }
    return 0;
}

static void schemes_close(struct sweep *s)
{
    for (size_t i = 0; s->scheme && i < s->n; i++) {
        simulate_close(s->scheme[i].run);
        scheme_close_study(&s->scheme[i]);
    }
    FREE(s->scheme, s->point);
    s->scheme = NULL;
    s->point = NULL;
}

/* ---- loads ------------------------------------------------------------------------------------------- */

int sweep_options(struct sweep *s, struct err *err)
{
    if (load_options(&s->model, s->load, &s->traffic, s->j->o, &s->tick, err) < 0)
        return -1;
    s->model.orbits = true;
    return 0;
}

static int sweep_points(struct sweep *s, struct err *err)
{
    if (load_points(&s->point, &s->npoint, s->load, s->net, &s->traffic, &s->tick, err) < 0)
        return -1;
    if (s->npoint)
        return 0;
    s->by_scheme = true;
    s->npoint = s->nparts ? s->nparts : 1;
    if (TAKE("the loads", err, ARRAY(s->point, s->npoint)) < 0)
        return -1;
    s->point[0] = load_as_it_is;
    for (size_t i = 0; i < s->nparts; i++)
        s->point[i] = (struct load_point){ 1, 1, s->part[i] };
    return 0;
}

/* ---- rows -------------------------------------------------------------------------------------------- */

static int sweep_one(struct sweep *s, struct scheme *c, const struct load_point *point, struct err *err)
{
    if (scheme_refused(c))
        *err = c->why;
    else if (s->way->row(s, c, point, err) == 0)
        return 0;
    else if (!job_passes(s->j, s->j->sweep || s->npoint > 1, err))
        return -1;
    if (s->way->refused(s, c, point, err) < 0)
        return -1;
    *err = (struct err){ 0 };
    return 0;
}

static int sweep_rows(struct sweep *s, const struct tick *whole, struct err *err)
{
    const size_t all = s->npoint * s->n;

    for (size_t at = 0; at < all; at++) {
        const size_t i = s->by_scheme ? at / s->npoint : at % s->n, k = s->by_scheme ? at % s->npoint : at / s->n;

        if (!job_wants(s->j, LOOP_SCHEME, i) || !job_wants(s->j, LOOP_LOAD, k))
            continue;
        job_at(s->j, PLACE_SCHEME, at);
        s->tick = tick_step(whole, at, all);
        if (tick_check(&s->tick, 0, err) < 0 || sweep_one(s, &s->scheme[i], &s->point[k], err) < 0)
            return -1;
    }
    return 0;
}

/* ---- the whole --------------------------------------------------------------------------------------- */

/* In the request of the table. */
static void sweep_named(const struct sweep *s)
{
    table_request(s->j->t, "traffic", s->name ? s->name : s->traffic.spec);
    for (size_t i = 0; i < s->n; i++) {
        job_at(s->j, PLACE_SCHEME, 1 + i);
        if (!s->scheme[i].skipped)
            table_request(s->j->t, "routing", scheme_spec(&s->scheme[i]));
    }
}

static int sweep_setting(struct sweep *s, const struct tick *whole, double opened, struct err *err)
{
    const struct tick open = tick_part(whole, 0, opened), rows = tick_part(whole, opened, 1);
    int ret = -1;

    s->tick = open;
    if (s->way->settle(s, err) < 0 || sweep_points(s, err) < 0)
        goto done;
    job_at(s->j, PLACE_STAGE, STAGE_OPEN);
    if (schemes_open(s, &open, err) < 0)
        goto done;
    job_at(s->j, PLACE_STAGE, STAGE_NAMED);
    s->tick = tick_part(&rows, 0, 0);
    if (s->setting == 0)
        sweep_named(s);
    job_at(s->j, PLACE_STAGE, STAGE_PLANNED);
    if (s->way->planned && s->way->planned(s, err) < 0)
        goto done;
    job_at(s->j, PLACE_STAGE, STAGE_ROWS);
    if (sweep_rows(s, &rows, err) < 0)
        goto done;
    job_at(s->j, PLACE_STAGE, STAGE_FINISH);
    s->tick = tick_part(&rows, 1, 1);
    ret = s->way->finish ? s->way->finish(s, err) : 0;
done:
    schemes_close(s);
    return ret;
}

int sweep_run(struct sweep *s, const char *text, const struct tick *whole, double opened, struct err *err)
{
    const struct tick open = tick_part(whole, 0, opened);
    const struct worst_options worst = { .jobs = s->j->o->jobs, .tick = &open };
    int ret;

    s->net = s->j->net;
    s->tick = open;
    ret = s->way->traffic ? s->way->traffic(s, text, &worst, err) :
        load_traffic(&s->traffic, s->net, text, NULL, &worst, err) < 0 ? -1 : load_suits(s->load, &s->traffic, err);
    for (s->setting = 0; ret == 0 && s->setting < s->settings; s->setting++) {
        const struct tick part = tick_step(whole, s->setting, s->settings);

        if (job_turn(s->j, LOOP_SETTING, s->setting))
            ret = sweep_setting(s, &part, opened, err);
    }
    traffic_release(&s->traffic);
    return ret;
}

void sweep_divide(struct job *j, const struct load_request *q, size_t settings)
{
    j->walk.turns[LOOP_TRAFFIC] = q->traffic.n;
    j->walk.turns[LOOP_SETTING] = settings;
    j->walk.turns[LOOP_SCHEME] = q->routing.n;
}
