#include "cli/request/load.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graph/base/num.h"

#define LEAST 1e-9
#define MOST 1e12
#define ABOUT(member) INTO_OF(struct load_request, member)

static int take_switching(void *about, const char *arg, struct err *err)
{
    const struct switching *s = switching_find(arg, err);

    ((struct load_request *)about)->switching = s;
    if (s && !s->collides)
        return err_set(err, ERR_USAGE, "there is no model of waits for %s here; take wormhole, wormhole-pipelined, "
                       "cut-through or circuit", arg);
    return s ? 0 : -1;
}

const struct option_field load_options_traffic[] = {
    { .help = "Load:", .group = 1 },
    { "traffic", 0, "LIST", "who sends to whom, as in uniform,transpose,file:channels.csv (default: uniform; "
      "`metapath list traffic`)", 1, ABOUT(traffic) },
    { "interval", 0, "LIST", "mean cycles between messages of a source, as in 10..1000..x1.5", 1, ABOUT(interval) },
    { "rate", 0, "LIST", "or messages per cycle of a source", 1, ABOUT(rate) },
    { "load", 0, "LIST", "or what a source offers in units of a link, as in 0.05..0.3..0.05; with %, of the "
      "model's own saturation, as in 10%..90%..20%", 1, ABOUT(load) },
    { "scale", 0, "LIST", "factors for the rates of channels that have intervals of their own (default: 1)", 1,
      ABOUT(scale) }, { 0 }
};
const struct option_field load_options_model[] = {
    { .help = "Model:", .group = 2 },
    { "packet", 0, "FLITS", "length of messages: their transmission time in cycles (default: 10)", 2,
      ABOUT(packet), .from = LEAST, .to = MOST },
    { "loop", 0, "closed|open", "closed: a source has one message under way and then waits an interval; open: it "
      "sends at random whatever the network does (default: closed)", 2, ABOUT(open) },
    { "switching", 0, "NAME", "wormhole, wormhole-pipelined, cut-through or circuit (default: wormhole; "
      "`metapath list switching`)", 2, .take = take_switching },
    { "hop-time", 0, "CYCLES", "of wormhole-pipelined, for every link after the first (default: 1)", 2,
      ABOUT(hop_time), .to = MOST },
    { "closure", 0, "pairwise|resistor", "of closed sources: how waits for several others add up (default: "
      "pairwise)", 2, ABOUT(closure), .kind = &kind_closure },
    { "ejection", 0, NULL, "messages collide on their way out of the network too", 2, ABOUT(ejection) },
    { "symmetry", 0, "auto|none", "none: solve for every source, even where all are alike (default: auto)", 2,
      ABOUT(unfolded) }, { 0 }
};

int load_each_traffic(struct job *j, const struct load_request *q, int (*each)(struct job *j, const char *traffic,
                      const struct tick *part, struct err *err), struct err *err)
{
    const size_t n = q->traffic.n ? q->traffic.n : 1;
    int ret = 0;

    for (size_t i = 0; ret == 0 && i < n; i++) {
        const struct tick part = tick_step(&j->tick, i, n);

        ret = each(j, q->traffic.n ? q->traffic.item[i] : "uniform", &part, err);
    }
    return ret;
}

int load_traffic(struct traffic *out, struct net *net, const char *text, const double *capacity,
                 const struct worst_options *how, struct err *err)
{
    const struct traffic_kind *kind = (const struct traffic_kind *)(const void *)kind_named(&kind_traffic, text);
    const char *routing;

    if (!kind || kind->open)
        return traffic_open(out, net, text, err);
    routing = text + strlen(kind->name);
    if (*routing != ':' || !routing[1])
        return err_set(err, ERR_USAGE, "'%.80s' lacks its routing: write %s, as in %s", text, kind->synopsis,
                       kind->example);
    return worst_traffic(out, net, routing + 1, capacity, how, err);
}

/* Whether loads are percentages, as "10%..90%..20%,95%": all items of the list, or none. */
static int percentages(bool *out, const char *text, struct err *err)
{
    size_t items = 0, marked = 0;

    for (const char *at = text;; at++) {
        const size_t len = strcspn(at, ",");

        items++;
        marked += memchr(at, '%', len) != NULL;
        at += len;
        if (!*at)
            break;
    }
    *out = marked > 0;
    return marked == 0 || marked == items ? 0 :
        err_set(err, ERR_USAGE, "--load '%.60s' has loads with %% and without; write %% for all or for none", text);
}

static char *without_percent(const char *text)
{
    char *out = malloc(strlen(text) + 1), *to = out;

    for (; out && *text; text++)
        if (*text != '%')
            *to++ = *text;
    if (out)
        *to = '\0';
    return out;
}

const struct load_point load_as_it_is = { 1, 1, NAN };

int load_points(struct load_point **out, size_t *n, const struct load_request *q, const struct traffic *t,
                struct err *err)
{
    const struct {
        const char *text, *what;
    } given[] = { { q->interval, "--interval" }, { q->rate, "--rate" }, { q->load, "--load" } };
    const char *text = NULL, *what = NULL, *list;
    char *plain = NULL;
    double *value = NULL, *one = NULL;
    size_t which = 0, many;
    bool parts = false;
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
        if (percentages(&parts, text, err) < 0)
            return -1;
        list = plain = without_percent(text);
        if (!plain)
            return err_memory(err);
    }
    if (num_reals(&value, n, list, LEAST, MOST, q->scale ? "--scale" : what, err) < 0)
        goto done;
    *out = calloc(*n, sizeof **out);
    if (!*out) {
        err_memory(err);
        goto done;
    }
    for (size_t i = 0; i < *n; i++) {
        struct load_point *p = &(*out)[i];

        *p = load_as_it_is;
        if (q->scale)
            p->factor = value[i];
        else if (parts)
            p->part = value[i] / 100;
        else
            p->interval = which == 0 ? value[i] : which == 1 ? 1 / value[i] : q->packet / value[i];
    }
    ret = 0;
    if (q->scale && text) {             /* one interval for the streams that have none */
        ret = num_reals(&one, &many, text, LEAST, MOST, what, err);
        if (ret == 0 && many != 1)
            ret = err_set(err, ERR_USAGE, "with --scale, %s is one value, for the channels without an interval of "
                          "their own", what);
        for (size_t i = 0; ret == 0 && i < *n; i++)
            (*out)[i].interval = which == 0 ? one[0] : which == 1 ? 1 / one[0] : q->packet / one[0];
    }
done:
    free(one);
    free(plain);
    free(value);
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

int load_suits(const struct load_request *q, const struct traffic *t, struct err *err)
{
    const enum traffic_own own = traffic_own(t);
    const char *said = q->interval ? "--interval" : q->rate ? "--rate" : "--load";
    const bool text = q->interval || q->rate || q->load, relative = q->load && strchr(q->load, '%');

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
            command,
                       q->routing.n);
    if (text && (size_t)snprintf(out, size, ",base=%s", text) >= size)
        return err_set(err, ERR_USAGE, "--routing is too long");
    return 0;
}

void load_options(struct latency_options *out, const struct load_request *q, const struct options *common,
                  const struct tick *tick)
{
    *out = (struct latency_options){
        .collide = { .switching = q->switching, .closure = q->closure, .time = q->packet, .hop_time = q->hop_time,
                     .jobs = common->jobs, .tick = tick },
        .open = q->open, .unfolded = q->unfolded, .ejection = q->ejection
    };
}
