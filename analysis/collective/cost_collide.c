/* Messages that take links one after the other and wait for each other there: the event run of broadcasts in cycles
 * (analysis/broadcast/cycles.h) for any algorithm. A cycle is what a flit takes over a unit link; a cable's time is the
 * hop time. Processes work for nothing: neither sending nor receiving takes `overhead`.
 * Under load time alone is another: the mean of drawn runs of the whole broadcast among open sources, whose messages
 * are as long as its own, as `metapath bcast --load` has it (analysis/broadcast/cycles_load.h). */
#include "analysis/broadcast/cycles_load.h"
#include "analysis/collective/execute.h"
#include "graph/base/map.h"
#include "graph/base/spec.h"
#include "model/collective/trees.h"
#include "model/traffic/traffic.h"
#include "texts/cost.h"

struct letters {
    struct cycles_run run;
    struct cycles_ways ways;            /* by pair of processes, as they are first asked for */
    struct cycles_links links;
    struct cycles_hooks hooks;
    struct routing routing;
    struct route_path path;
    const struct placement *placement;
    struct map way;
    size_t room_link, room_way, room;
    double *bytes;                      /* by letter */
    double cycle, flit, packet;         /* seconds; bytes; flits of every message, 0: by its bytes */
    double now, seconds;                /* of the last step: in cycles, and what it was told to be */
    double load;                        /* others': flits per node and cycle, or */
    bool part;                          /* of saturation, in % */
    struct traffic traffic;
    double solved;                      /* flits that the background is known for; 0: none yet */
    struct latency_study study;
    struct cycles_background background;
    uint64_t seed;
    int jobs;
    struct tick tick;                   /* of the broadcast at hand */
};

static void background_release(struct letters *x)
{
    cycles_background_release(&x->background);
    latency_close(&x->study);
    x->solved = 0;
}

static void letters_close(struct cost *c)
{
    struct letters *x = c->state;

    if (!x)
        return;
    background_release(x);
    traffic_release(&x->traffic);
    cycles_run_release(&x->run);
    cycles_ways_release(&x->ways);
    cycles_links_release(&x->links);
    routing_close(&x->routing);
    route_path_release(&x->path);
    map_release(&x->way);
    FREE(x->bytes, x);
    c->state = NULL;
}

static void letters_got(void *arg, const struct cycles_run *, const struct cycles_grant *g)
{
    struct cost *c = arg;

    c->carried[g->link] += ((const struct letters *)c->state)->bytes[g->message];
    c->hops++;
}

static int background_read(struct letters *x, const struct spec *spec, const struct cost_network *w, bool stores,
                           struct err *err)
{
    const char *load = spec_get(spec, "load"), *text = spec_get(spec, "traffic");
    const char *traffic = text ? text : "uniform";
    const struct entry *kind = kind_named(&kind_traffic, traffic);
    char *end;

    if (!load)
        return err_set(err, ERR_USAGE, "'%.80s' names a traffic and not its load: write load=10%% too", spec->text);
    x->load = strtod(load, &end);
    x->part = *end == '%';
    if (end[x->part] || !(x->load > 0) || isinf(x->load))
        return err_set(err, ERR_USAGE, "load of collide is '%.40s'; it is as in 10%% (of what saturates), or 0.05 "
                       "(flits per node and cycle)", load);
    if (stores || x->links.trunks.first || (w->length > 0 && cables_most(&w->net->cables).length > 0))
        return err_set(err, ERR_DOMAIN, "%.80s on %.200s: under load %s", spec->text, w->net->spec, stores ? "messages "
                       "are known by wormhole, circuit and cut-through" : x->links.trunks.first ? "nodes are joined by "
                       "one cable, and some here by several" : "lengths are in cycles, and here they are times");
    if (kind && !((const struct traffic_kind *)(const void *)kind)->open)
        return err_set(err, ERR_DOMAIN, "traffic %.80s takes an analysis to find: `metapath bcast` has it", traffic);
    if (placement_single(w->placement, w->net, err) < 0 || traffic_open(&x->traffic, w->net, traffic, err) < 0)
        return -1;
    x->seed = w->seed;
    x->jobs = w->jobs;
    return traffic_own(&x->traffic) == OWN_NONE ? 0 :
        err_set(err, ERR_DOMAIN, "channels of %.80s have intervals of their own: `metapath bcast` has them", traffic);
}

static int letters_open(struct cost *c, const struct spec *spec, const struct cost_network *w, struct err *err)
{
    static const char *const switching[] = { "wormhole", "cut-through", "store-and-forward", "circuit", NULL };
    struct letters *x = c->state = calloc(1, sizeof *x);
    int64_t flit, packet;
    int which;

    if (!x)
        return err_memory(err);
    x->placement = w->placement;
    if (cost_how(c, spec, err) < 0 || spec_key_int(&flit, spec, "flit", 1, 1 << 30, 32, err) < 0 ||
        spec_key_int(&packet, spec, "packet", 1, 1 << 30, 0, err) < 0 ||
        spec_choice(&which, spec, "switching", switching, err) < 0 ||
        routing_open(&x->routing, w->net, routing_usual(w->routing, w->net, ROUTING_FOR_TREES), err) < 0 ||
        cycles_links_open(&x->links, w->net, err) < 0)
        return -1;
    c->whole = spec_get(spec, "load") || spec_get(spec, "traffic");
    which = c->whole && !spec_get(spec, "switching") ? 1 : which;
    if (c->whole && background_read(x, spec, w, which == 2, err) < 0)
        return -1;
    x->flit = (double)flit;
    x->packet = (double)packet;
    x->cycle = x->flit / w->rate;
    if (w->length > 0)                  /* else they are in cycles */
        cost_lengths(&x->links, w->length / x->cycle);
    x->ways = (struct cycles_ways){ .links = &x->links, .n = 1 };
    c->b = x->cycle / cost_width(&x->links, w->placement, err);
    return isnan(c->b) || cost_room(c, 0, x->links.trunks.nlink, err) < 0 ? -1 :
        cycles_run_open_single(&x->run, &x->ways, &(struct cycles_how){ switching_find(switching[which], NULL), 1,
                               w->cable / x->cycle, c->ports, c->serial }, c->n, err);
}

static int letters_begin(struct cost *c, struct err *)
{
    struct letters *x = c->state;

    x->hooks = (struct cycles_hooks){ .granted = letters_got, .arg = c };
    x->now = x->seconds = 0;
    cycles_begin(&x->run, &x->hooks);
    return 0;
}

static double letters_flits(const struct letters *x, double bytes)
{
    return x->packet > 0 ? x->packet : fmax(1, ceil(bytes / x->flit));
}

static int letters_start(struct cost *c, size_t letter, int from, int to, double bytes, double *time, struct err *err)
{
    struct letters *x = c->state;
    const int next = x->ways.nroot, way = map_put(&x->way, (uint64_t)from << 32 | (uint64_t)to, next, err);

    if (way < 0 || GROW(&x->room, letter + 1, "messages in cycles", err, GROWN(x->bytes)) < 0 ||
        (way == next && (route_path(&x->path, &x->routing, x->placement->node[from], x->placement->node[to], err) < 0 ||
                         cycles_ways_add(&x->ways, &x->path, &x->room_link, &x->room_way, err) < 0)))
        return -1;
    x->bytes[letter] = bytes;
    if (*time > x->seconds) {
        x->now = fmax(x->now, *time / x->cycle);
        x->seconds = *time;
    }
    return cycles_send(&x->run, letter, (size_t)way, letters_flits(x, bytes), tree_process(from, c->n - c->root, c->n),
                       x->now, err);
}

static double letters_next(const struct cost *c)
{
    const struct letters *x = c->state;

    return fmax(x->seconds, cycles_next(&x->run) * x->cycle);
}

static int letters_pass(struct cost *c, size_t *letter, struct err *err)
{
    struct letters *x = c->state;

    x->seconds = letters_next(c);
    x->now = cycles_next(&x->run);
    if (cycles_step(&x->run, err) < 0)
        return -1;
    *letter = x->run.delivered;
    return 0;
}

/* As `metapath bcast` asks for it; kept for the next of as many flits. */
static int background_solve(struct letters *x, const struct cycles_how *how, struct err *err)
{
    const struct latency_options o = {
        .collide = { .switching = how->switching, .time = how->flits, .hop_time = how->hop_time, .tolerance = 1e-7,
                     .jobs = x->jobs, .tick = &x->tick },
        .open = true, .unfolded = true, .terminals = true
    };
    struct load load = { how->flits / x->load, 1 };

    if (x->solved == how->flits)
        return 0;
    background_release(x);
    if (latency_open(&x->study, &x->traffic, &x->routing, 1, &o, err) < 0 || latency_saturation(&x->study, err) < 0)
        return -1;
    if (x->part)
        load = (struct load){ 1, x->load / 100 * x->study.saturation_factor };
    if (cycles_background_open(&x->background, &x->study, &x->links, &load, err) < 0)
        return -1;
    x->solved = how->flits;
    return 0;
}

static int letters_whole(struct execution *out, struct cost *c, const struct schedule *s, const struct tick *t,
                         struct err *err)
{
    struct letters *x = c->state;
    const struct cycles_load_options o = { .seed = x->seed, .jobs = x->jobs, .tick = &x->tick };
    const double wire = cost_sent(c, (double)s->bytes, err);
    struct cycles_how how = x->run.how;
    struct cycles_ways ways = { 0 };
    struct cycles_load l = { 0 };
    struct tree_shape tree;
    int ret;

    if (isnan(wire))
        return -1;
    if (!trees_alone(&tree, s))
        return err_set(err, ERR_DOMAIN, "%s knows broadcasts over process trees, one message to each process; %s by "
                       "%s%s is none", c->spec, operation_name[s->operation], s->algorithm->name,
                       s->npieces > 1 ? " in pieces" : "");
    how.flits = letters_flits(x, wire);
    x->tick = tick_part(t, 0, 1);
    ret = background_solve(x, &how, err) < 0 ||
        cycles_ways_open(&ways, &x->links, &(struct cycles_trees){ &tree, x->placement, &s->root, 1, &x->routing },
                         &x->tick, err) < 0 ? -1 :
        cycles_load(&l, &x->background, &ways, 0, &how, &o, err);
    if (ret == 0 && l.deadlocks)
        ret = err_set(err, ERR_DOMAIN, "%s by %s, %s: in %d of %d runs messages block each other for good (deadlock): "
                      "the routes close circles; another routing or switching may not", operation_name[s->operation],
                      s->algorithm->name, c->spec, l.deadlocks, l.draws);
    out->time = x->cycle * l.completion.mean;
    out->validity = l.validity;
    cycles_load_release(&l);
    cycles_ways_release(&ways);
    return ret;
}

static double letters_alone(const struct cost *c, double bytes)
{
    const struct letters *x = c->state;

    return c->b * (x->packet > 0 ? x->packet : fmax(1, bytes / x->flit));
}

static double letters_gap(const struct cost *c, double bytes)
{
    return c->ports == 1 ? c->b * letters_flits(c->state, bytes) : 0;
}

const struct cost_kind cost_collide = {
    COST_COLLIDE_ENTRY,
    .network = true,
    .open = letters_open,
    .close = letters_close,
    .begin = letters_begin,
    .start = letters_start,
    .next = letters_next,
    .pass = letters_pass,
    .whole = letters_whole,
    .alone = letters_alone,
    .gap = letters_gap
};
