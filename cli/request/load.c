/* What commands under load share (load.h).
 *   options   the arrays of the groups: traffic and load, the model, sources, switching, closures, routers
 *   traffics  one after the other; those found by a bound (worst, farthest), and the load that none can exceed
 *   notes     uneven traffic, deadlock, what the network or the traffic asks to be careful with
 *   points    loads, rates and intervals, percentages of capacity, bisection or saturation, as factors of the traffic
 *   settings  switching, router and loop of a study; what is said of them is in load_say.c */
#include "cli/request/load.h"
#include "cli/request/look.h"
#include "analysis/bound/capacity.h"
#include "analysis/bound/even_load.h"
#include "analysis/bound/own_link.h"
#include "analysis/latency/latency_domain.h"
#include "analysis/network/topo_report.h"
#include "model/routing/classes.h"
#include "texts/option.h"

#define ABOUT(member) INTO_OF(struct load_request, member)

static int take_switching(void *about, const char *arg, struct err *err)
{
    const struct switching *s = switching_find(strcmp(arg, "wormhole-pipelined") == 0 ? "wormhole" : arg, err);

    ((struct load_request *)about)->switching = s;
    return s ? 0 : -1;
}

/* What begins with a letter is a scheme. */
static int take_classes(void *about, const char *arg, struct err *err)
{
    struct load_request *q = about;
    const bool scheme = (*arg >= 'a' && *arg <= 'z') || (*arg >= 'A' && *arg <= 'Z');
    struct spec spec;
    int64_t n = 0;

    if (!scheme && num_int(&n, arg, 1, 1000, "--classes", err) < 0)
        return -1;
    if (scheme && !kind_spec(&spec, &kind_classes, arg, err))
        return -1;
    if (scheme)
        spec_release(&spec);
    q->router.classes = (int)n;
    q->router.scheme = scheme ? arg : NULL;
    return 0;
}

#define LOAD_LINES(traffic_, traffics, loads, load_, interval_)                                                      \
    { .help = "Load:", .group = 1 },                                                                                \
    { "traffic", 0, traffics, "sources and destinations, as in " traffic_ " (default: uniform; `metapath list traffic`)",\
      1, ABOUT(traffic) },                                                                                          \
    { "load", 0, loads, "what sources offer, in flits per node and cycle, as in " load_, 1, ABOUT(load),             \
      .quantity = QUANTITY_RATE },                                                                                  \
    { "rate", 0, loads, "the same in messages per node and cycle", 1, ABOUT(rate) },                                \
    { "interval", 0, loads, "mean cycles that a source computes between messages, as in " interval_ ": closed "     \
      "sources", 1, ABOUT(interval), .quantity = QUANTITY_TIME },                                                   \
    { "scale", 0, loads, "factors for the rates of channels that have intervals of their own (default: 1)", 1,      \
      ABOUT(scale) }, { 0 }
const struct option_field load_options_any[] = {
    LOAD_LINES("uniform,transpose,file:channels.csv", "LIST", "LIST",
               "0.05..0.3..0.05; with %, of the model's own saturation, as in 10%..90%..20%; with %b, of what the "
               "bisection lets uniform traffic have (`metapath help load`), as in 40%b", "10..1000..x1.5")
};
const struct option_field load_options_equal[] = {
    LOAD_LINES("uniform,transpose,file:channels.csv", "LIST", "LIST", "0.05..0.3..0.05", "10..1000..x1.5")
};
const struct option_field load_options_one[] = {
    LOAD_LINES("transpose", "TRAFFIC", "NUMBER", "0.2; with %, of each network's own saturation, as in 50%", "100")
};
const struct option_field load_options_model[] = {
    { .help = "Model:", .group = 2 },
    { OPTION_LOAD_PACKET, 2, ABOUT(packet), .from = TRAFFIC_LEAST, .to = TRAFFIC_MOST, .quantity = QUANTITY_SIZE },
    { 0 }
};
const struct option_field load_options_loop[] = {
    { OPTION_LOAD_LOOP, 2, ABOUT(loop) }, { 0 }
};
const struct option_field load_options_switching[] = {
    { OPTION_LOAD_SWITCHING, 2, .take = take_switching },
    { OPTION_LOAD_HOP_TIME, 2, ABOUT(hop_time), .to = TRAFFIC_MOST, .quantity = QUANTITY_TIME },
    { OPTION_LOAD_TERMINALS, 2, ABOUT(terminals) },
    { OPTION_LOAD_MODEL, 2, ABOUT(drb) }, { 0 }
};
const struct option_field load_options_closure[] = {
    { OPTION_LOAD_CLOSURE, 2, ABOUT(closure), .kind = &kind_closure },
    { OPTION_LOAD_SYMMETRY, 2, ABOUT(unfolded) }, { 0 }
};

const struct option_field load_options_router[] = {
    { .help = "Routers:", .group = 3 },
    { OPTION_LOAD_VCS, 3, ABOUT(router.vcs), .least = 1, .most = 1000 },
    { OPTION_LOAD_BUFFER, 3, ABOUT(router.buffer), .from = 1, .to = TRAFFIC_MOST, .quantity = QUANTITY_SIZE },
    { OPTION_LOAD_CREDIT_LOOP, 3, ABOUT(router.credit_loop), .to = TRAFFIC_MOST, .quantity = QUANTITY_TIME },
    { OPTION_LOAD_ROUTER_TIME, 3, ABOUT(router.time), .to = TRAFFIC_MOST, .quantity = QUANTITY_TIME },
    { OPTION_LOAD_CLASSES, 3, .take = take_classes },
    { OPTION_LOAD_CROSSBAR, 3, ABOUT(router.crossbar) },
    { OPTION_LOAD_INTERLEAVE, 3, ABOUT(router.interleave) }, { 0 }
};

int load_each_traffic(struct job *j, const struct load_request *q, int (*each)(struct job *j, const char *traffic,
                      const struct tick *part, struct err *err), struct err *err)
{
    const size_t n = q->traffic.n ? q->traffic.n : 1;
    int ret = 0;

    for (size_t i = 0; ret == 0 && i < n; i++) {
        const struct tick part = tick_step(&j->tick, i, n);

        if (job_turn(j, 1, i))
            ret = each(j, q->traffic.n ? q->traffic.item[i] : "uniform", &part, err);
    }
    job_at(j, 1, 1 + n);
    return ret;
}

int load_traffic(struct traffic *out, struct net *net, const char *text, const double *capacity,
                 const struct worst_options *how, struct err *err)
{
    const struct traffic_kind *kind = traffic_named(text);
    const char *routing;

    if (!kind || kind->open)
        return traffic_open(out, net, text, err);
    routing = text + strlen(kind->name);
    if (*routing != ':' || !routing[1])
        return err_set(err, ERR_USAGE, "'%.80s' lacks its routing: write %s, as in %s", text, kind->synopsis,
                       kind->example);
    return worst_traffic(out, net, routing + 1, capacity, how, err);
}

int load_even(double *out, struct net *net, const struct traffic *t, double time, const struct tick *tick,
              struct err *err)
{
    struct demand d = { 0 };
    double *capacity = NULL;
    int ret = 0;

    *out = NAN;
    if (traffic_own(t) == OWN_SOME)
        return 0;
    if (demand_open(&d, t, time, tick, err) < 0 || capacity_open(&capacity, net, NULL, err) < 0 ||
        even_load_busiest(out, net, &d, capacity, tick, err) < 0)
        ret = -1;
    else if (d.unit != DEMAND_GIVEN)
        *out *= time;
    demand_close(&d);
    free(capacity);
    return ret;
}

void load_note_uneven(struct table *t, const struct net *net, const struct traffic *traffic, const char *routing,
                      double busiest, double even)
{
    if (busiest > 1.5 * even && table_shows(t, "saturation_load,capacity_load,busy,capacity_interval_cycles"))
        table_note(t, "%s, %s, %s: its busiest link has %.3g times the load of that of ecmp.", net->spec, traffic->spec,
                   routing, busiest / even);
}

void load_note_deadlock(struct table *t, const struct net *net, const char *routing, const struct latency_study *s)
{
    if (latency_lacks_classes(s) && !latency_may_deadlock(s) && table_shows(t, "validity"))
        table_note(t, "%s, %s: may deadlock %s classes of channels (`metapath deadlock`); the model ignores that.",
                   net->spec, routing, s->o.classes ? "even with these" : "without");
}

void load_note_base(struct table *t, const struct net *net, const struct load_request *q)
{
    const char *base = routing_usual(NULL, net, ROUTING_FOR_STOPS);

    if (!q->routing.n && !routing_orders(net))
        table_note(t, "%s: without dimensions, multistep paths go from stop to stop by %s.", net->spec, base);
}

int load_note_own(struct table *t, struct net *net, const struct traffic *traffic, const struct latency_options *o,
                  const struct load *load, struct err *err)
{
    const struct traffic_pace pace = { load->interval, o->collide.time };
    const struct err why = *err;
    char name[NET_LABEL], advice[300];
    struct own_link own;

    if (own_link_most(&own, traffic, net, pace, load->factor, !o->open, o->terminals, err) < 0)
        return -1;
    if (own.asked <= 1 + 1e-9)
        return 0;
    snprintf(advice, sizeof advice, "terminal %s wants %.3g of its own link to %s: no path can help; place its process "
             "elsewhere or divide it", net_label(net, own.node, name), own.asked, own.receives ? "receive" : "send");
    if (t)
        table_note(t, "%s, %s: %s.", net->spec, traffic->spec, advice);
    else
        err_set(err, why.code, "%s; %s", why.msg, advice);
    return 0;
}

void load_note_caution(struct table *t, const struct traffic *traffic)
{
    if (traffic->kind && traffic->kind->caution)
        table_note(t, "%s: %s.", traffic->spec, traffic->kind->caution);
}

int load_percent(char **plain, enum load_parts *parts, const char *text, const char *what, const char *noun,
                 struct err *err)
{
    size_t items = 0, marked = 0, marks = 0, bisection = 0;
    char *to;

    for (const char *at = text;; at++) {
        const size_t len = strcspn(at, ",");

        items++;
        marked += memchr(at, '%', len) != NULL;
        for (size_t i = 0; i < len; i++) {
            marks += at[i] == '%';
            bisection += at[i] == '%' && at[i + 1] == 'b';
        }
        at += len;
        if (!*at)
            break;
    }
    *parts = bisection ? PARTS_BISECTION : marks ? PARTS_SATURATION : PARTS_NONE;
    if (bisection > 0 && bisection < marks)
        return err_set(err, ERR_USAGE, "%s '%.60s' has %s with %% and with %%b; write one of them for all", what, text,
                       noun);
    if (marked > 0 && marked < items)
        return err_set(err, ERR_USAGE, "%s '%.60s' has %s with %% and without; write %% for all or for none", what,
                       text, noun);
    *plain = to = malloc(strlen(text) + 1);
    if (!to)
        return err_memory(err);
    for (; *text; text++)
        if (*text != '%')
            *to++ = *text;
        else if (bisection)
            text++;
    *to = '\0';
    return 0;
}

int load_count(struct job *j, int loop, const struct load_request *q, struct err *err)
{
    const struct task_request *task = &j->o->task;
    const char *list = q->scale ? q->scale : q->interval ? q->interval : q->rate ? q->rate : q->load;
    enum load_parts parts;
    double *value = NULL;
    char *plain = NULL;
    int ret = 0;

    if (list && (task->folder || task->from || task->join))
        ret = load_percent(&plain, &parts, list, "--load", "loads", err) < 0 ? -1 :
            num_reals(&value, &j->walk.turns[loop], plain, TRAFFIC_LEAST, TRAFFIC_MOST, "loads", err);
    FREE(plain, value);
    return ret;
}

bool load_of_saturation(const struct load_request *q)
{
    return q->load && strchr(q->load, '%') && !strstr(q->load, "%b");
}

/* What every terminal sends where uniform traffic fills the bisection, as `metapath topo` knows it. */
static int load_bisection(double *out, struct net *net, const char *text, const struct tick *tick, struct err *err)
{
    const struct topo_report_options o = { .tick = tick_part(tick, 0, 1), .bisection = true };
    const double each = (net->directed ? 2. : 4.) / net->nterminal;       /* of a cable: two links */
    struct topo_report r;
    double least, most;

    if (topo_report(&r, net, &o, err) < 0)
        return -1;
    least = each * r.bandwidth_lower;
    most = each * r.bandwidth_upper;
    topo_report_release(&r);
    if (!(least > 0 && least >= most))
        return err_set(err, ERR_NETWORK, "--load %.60s: of the bisection of %.200s bounds alone are known, 100%%b are "
                       "%.4g to %.4g flits per node and cycle; write a load without %%b", text, net->spec, least, most);
    *out = least;
    return 0;
}

const struct load_point load_as_it_is = { 1, 1, NAN };

static bool load_open(const struct load_request *q, const struct traffic *t)
{
    if (q->loop >= 0)
        return q->loop > 0;
    return !q->drb && !q->interval && (traffic_own(t) == OWN_NONE || t->offered);
}

/* Whether a value of --interval, --rate or --load (0, 1, 2) is more than the `most` flits that a terminal sends in a
 * cycle. Sources that wait for their messages never offer more. */
static int load_fits(const struct load_request *q, const struct traffic *t, size_t which, double value, double most,
                     struct err *err)
{
    static const char *const what[] = { "--interval", "--rate" };
    const bool sends = which == 2 || (t && t->matrix && load_open(q, t));
    const double flits = which == 2 ? value : which == 1 ? value * q->packet : q->packet / value;
    char text[60] = "one flit";

    if (!sends || flits <= (which == 2 ? most : most * (1 + 1e-12)))
        return 0;
    if (most != 1)
        snprintf(text, sizeof text, "%.6g flits", most);
    return which == 2 ? err_set(err, ERR_USAGE, "--load %g: a terminal sends at most %s a cycle; for %g %% of "
                                "saturation write %g%%", value, text, value < 5 ? 50 : fmin(value, 99),
                                value < 5 ? 50 : fmin(value, 99)) :
        err_set(err, ERR_USAGE, "%s %g is a load of %g: a terminal sends at most %s a cycle; for half of saturation "
                "write --load 50%%", what[which], value, flits, text);
}

int load_points(struct load_point **out, size_t *n, const struct load_request *q, struct net *net,
                const struct traffic *t, const struct tick *tick, struct err *err)
{
    const struct {
        const char *text, *what;
    } given[] = { { q->interval, "--interval" }, { q->rate, "--rate" }, { q->load, "--load" } };
    const bool linked = q->terminals < 0 ? !q->drb : q->terminals == 0;
    const char *text = NULL, *what = NULL, *list;
    char *plain = NULL;
    const double most = t ? cables_most(&t->net->cables).bandwidth : 1;      /* flits that a terminal sends per cycle */
    double *value = NULL, *one = NULL;
    enum load_parts parts = PARTS_NONE;
    size_t which = 0, many;
    double whole = 1;                   /* what values are parts of */
    int ret = -1;

    *out = NULL;
    *n = 0;
    for (size_t i = 0; i < 3; i++)
        if (given[i].text) {
            if (text)
                return err_set(err, ERR_USAGE, "%s and %s both say how often messages are sent; give one of them", what,
                               given[i].what);
            text = given[i].text;
            what = given[i].what;
            which = i;
        }
    if (!text && !q->scale) {
        if (!t || traffic_own(t) != OWN_ALL)
            return 0;
        *out = malloc(sizeof **out);
        if (!*out)
            return err_memory(err);
        (*out)[(*n)++] = load_as_it_is;
        return 0;
    }
    list = q->scale ? q->scale : text;
    if (!q->scale && which == 2) {
        if (load_percent(&plain, &parts, text, what, "loads", err) < 0)
            return -1;
        list = plain;
    }
    if (num_reals(&value, n, list, TRAFFIC_LEAST, TRAFFIC_MOST, q->scale ? "--scale" : what, err) < 0)
        goto done;
    if (parts == PARTS_BISECTION && !net)
        err_set(err, ERR_USAGE, "--load %.60s would be another load on each network; write one without %%b", text);
    if (parts == PARTS_BISECTION && (!net || load_bisection(&whole, net, text, tick, err) < 0))
        goto done;
    whole /= parts == PARTS_BISECTION ? 100 : 1;
    if (TAKE("the loads", err, ZEROS(*out, *n)) < 0)
        goto done;
    for (size_t i = 0; i < *n; i++) {
        struct load_point *p = &(*out)[i];

        *p = load_as_it_is;
        if (!q->scale && parts != PARTS_SATURATION && linked &&
            load_fits(q, t, which, value[i] * whole, most, err) < 0)
            goto done;
        if (q->scale)
            p->factor = value[i];
        else if (parts == PARTS_SATURATION)
            p->part = value[i] / 100;
        else
            p->interval = which == 0 ? value[i] : which == 1 ? 1 / value[i] : q->packet / (value[i] * whole);
    }
    ret = 0;
    if (q->scale && text) {             /* one interval for the streams that have none */
        ret = num_reals(&one, &many, text, TRAFFIC_LEAST, TRAFFIC_MOST, what, err);
        if (ret == 0 && many != 1)
            ret = err_set(err, ERR_USAGE, "with --scale, %s is one value, for the channels without an interval of "
                          "their own", what);
        for (size_t i = 0; ret == 0 && i < *n; i++)
            (*out)[i].interval = which == 0 ? one[0] : which == 1 ? 1 / one[0] : q->packet / one[0];
    }
done:
    FREE(one, plain, value);
    if (ret < 0) {
        free(*out);
        *out = NULL;
        *n = 0;
    }
    return ret;
}

double load_interval(const struct load *load, const struct traffic *t)
{
    return traffic_own(t) == OWN_NONE ? load->interval / load->factor : NAN;
}

struct named_cell load_link_end(const char *column, const struct flows *f, size_t link, int node,
                                char label[NET_LABEL])
{
    char number[24], *text;
    const char *port = flows_cable_name(f, link, number);

    if (node < 0 || !*port)
        return cell_text(column, node < 0 ? NULL : net_label(f->net, node, label));
    return cell_take(column, asprintf(&text, "%s:%s", net_label(f->net, node, label), port) < 0 ? NULL : text);
}

int load_suits(const struct load_request *q, const struct traffic *t, struct err *err)
{
    const enum traffic_own own = traffic_own(t);
    const char *said = q->interval ? "--interval" : q->rate ? "--rate" : "--load";
    const bool text = q->interval || q->rate || q->load, relative = load_of_saturation(q);

    if (own == OWN_ALL && text && !relative)
        return err_set(err, ERR_USAGE, "all channels of %.200s have intervals (or demands) of their own: leave out %s; "
                       "--scale multiplies their rates", t->spec, said);
    if (own == OWN_NONE && q->scale)
        return err_set(err, ERR_USAGE, "--scale is for channels that have intervals of their own, and %.200s has none",
                       t->spec);
    if (own == OWN_SOME && (!text || relative))
        return err_set(err, ERR_USAGE, "some channels of %.200s have no interval: give it by --interval", t->spec);
    return 0;
}

struct load load_at(const struct load_point *p, double saturation_factor)
{
    return (struct load){ p->interval, isnan(p->part) ? p->factor : p->part * saturation_factor };
}

int load_base_keys(char *out, size_t size, const struct load_request *q, const char *command, struct err *err)
{
    const char *text = q->routing.n ? q->routing.item[0] : NULL;

    out[0] = '\0';
    if (q->routing.n > 1)
        return err_set(err, ERR_USAGE, "%s takes one --routing, for the steps of multistep paths; there are %zu",
            command, q->routing.n);
    if (text && (size_t)snprintf(out, size, ",base=%s", text) >= size)
        return err_set(err, ERR_USAGE, "--routing is too long");
    return 0;
}

/* What is said of routers, on top of what the switching means: but for their time, virtual-channel alone has a choice.
 * One channel of one flit is wormhole. */
static int load_router(struct router *out, const struct switching **how, const struct load_request *q,
                       struct err *err)
{
    const struct router *usual = q->switching ? q->switching->router : &router_usual;
    struct router r = *usual;
    const bool scheme = q->router.scheme != NULL;
    bool other;

    r.vcs = q->router.vcs ? q->router.vcs : r.vcs;
    r.buffer = !isnan(q->router.buffer) ? q->router.buffer : r.buffer;
    r.credit_loop = !isnan(q->router.credit_loop) ? q->router.credit_loop : r.credit_loop;
    r.speedup = q->router.crossbar >= 0 ? q->router.crossbar == 0 : r.speedup;
    r.packets = q->router.interleave >= 0 ? q->router.interleave == 1 : r.packets;
    r.classes = q->router.classes ? q->router.classes : r.classes;
    other = r.vcs != usual->vcs || r.buffer != usual->buffer || r.credit_loop != usual->credit_loop ||
        r.speedup != usual->speedup || r.packets != usual->packets || r.classes != usual->classes;
    if (q->finite && other && q->switching && isinf(usual->vcs)) {      /* what is not said: room for a message */
        r.vcs = q->router.vcs ? q->router.vcs : router_usual.vcs;
        r.buffer = !isnan(q->router.buffer) ? q->router.buffer : fmax(router_usual.buffer, q->packet);
        r.speedup = q->router.crossbar == 0;
        r.packets = q->router.interleave == 1;
        r.time = !isnan(q->router.time) ? q->router.time : 0;
        *out = r;
        return 0;
    }
    if (q->switching && q->switching != &switching_virtual_channel &&
        (other || (scheme && isinf(usual->vcs))))       /* of one channel a scheme may be that needs no more */
        return err_set(err, ERR_USAGE, "--switching %s is %s: leave out what else is said of routers, or name "
                       "virtual-channel", q->switching->name, isinf(usual->vcs) ? "channels and buffers without limit, "
                       "messages that are not interleaved and a crossbar with speedup" : "one channel of one flit");
    if (q->usual && q->switching == &switching_virtual_channel)
        return err_set(err, ERR_USAGE, "--switching virtual-channel is not for broadcasts: wormhole, circuit, "
                       "cut-through and store-and-forward are");
    if (r.classes > r.vcs)
        return err_set(err, ERR_USAGE, "--classes %d need %d virtual channels or more, and there %s %g: write --vcs %d",
                       r.classes, r.classes, r.vcs == 1 ? "is" : "are", r.vcs, r.classes);
    if (!q->switching && (other || scheme))
        *how = &switching_virtual_channel;
    if (*how == &switching_virtual_channel && r.vcs == 1 && r.buffer == 1 && !(r.credit_loop > 1))
        *how = &switching_wormhole;
    if (*how != &switching_virtual_channel)
        r = *(*how)->router;
    r.time = !isnan(q->router.time) ? q->router.time : 0;
    *out = r;
    return 0;
}

int load_options(struct latency_options *out, const struct load_request *q, const struct traffic *t,
                 const struct options *common, const struct tick *tick, struct err *err)
{
    const bool open = load_open(q, t);
    const struct switching *how = q->switching ? q->switching : !open || q->drb ? &switching_wormhole :
        q->usual ? q->usual : &switching_virtual_channel;
    struct router router;

    if (load_router(&router, &how, q, err) < 0)
        return -1;
    *out = (struct latency_options){
        .collide = { .switching = how, .router = router,
                     .closure = q->closure, .time = q->packet,
                     .hop_time = !isnan(q->hop_time) ? q->hop_time : q->drb ? 0 : 1, .jobs = common->jobs,
                     .tick = tick },
        .open = open, .unfolded = q->unfolded, .terminals = q->terminals < 0 ? !q->drb : q->terminals == 0,
        .classes = q->router.scheme
    };
    return 0;
}

/* Whether a row goes on with what the one before is of. */
static bool load_goes_on(const struct table *t, size_t r)
{
    static const char *const names[] = { "topology", "traffic", "routing" };

    for (size_t i = 0; r && i < sizeof names / sizeof *names; i++)
        if (table_find(t, names[i]) >= 0 && strcmp(look_text(t, r, names[i]), look_text(t, r - 1, names[i])) != 0)
            return false;
    return r > 0;
}

const char *load_axis(const struct load_request *q, const struct table *t)
{
    const bool said = table_find(t, "loop") >= 0;
    bool open = false, closed = false;

    if (q)
        return q->said.open && !q->said.closed ? "load" : "interval_cycles";
    for (size_t r = 0; r < table_rows(t); r++) {
        const double before = load_goes_on(t, r) ? look_real(t, r - 1, "interval_cycles") : (double)NAN;

        open = open || (said ? *look_text(t, r, "loop") && strcmp(look_text(t, r, "loop"), "closed") != 0 :
                        look_real(t, r, "interval_cycles") < before);
        closed = closed || (said ? strcmp(look_text(t, r, "loop"), "closed") == 0 :
                            !open && look_real(t, r, "interval_cycles") > before);
    }
    if (!open && !closed)               /* each at one load: as most say it */
        return table_find(t, "load") >= 0 && !isnan(look_real(t, 0, "load")) ? "load" : "interval_cycles";
    return open && !closed ? "load" : "interval_cycles";
}
