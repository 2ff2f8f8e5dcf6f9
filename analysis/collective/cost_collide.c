/* Messages that take links one after the other and wait for each other there: the event run of broadcasts in cycles
 * (analysis/broadcast/cycles.h) for any algorithm. A cycle is what a flit takes over a unit link; a cable's time is the
 * hop time. Processes work for nothing: neither sending nor receiving takes `overhead`. */
#include <math.h>
#include <stdlib.h>

#include "analysis/broadcast/cycles.h"
#include "analysis/collective/cost.h"
#include "graph/base/grow.h"
#include "graph/base/map.h"
#include "graph/base/mem.h"
#include "graph/base/spec.h"

struct collide {
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
};

static void collide_close(struct cost *c)
{
    struct collide *x = c->state;

    if (!x)
        return;
    cycles_run_release(&x->run);
    cycles_ways_release(&x->ways);
    cycles_links_release(&x->links);
    routing_close(&x->routing);
    route_path_release(&x->path);
    map_release(&x->way);
    FREE(x->bytes, x);
    c->state = NULL;
}

static void collide_got(void *arg, const struct cycles_run *r, const struct cycles_grant *g)
{
    struct cost *c = arg;

    (void)r;
    c->carried[g->link] += ((const struct collide *)c->state)->bytes[g->message];
    c->hops++;
}

static int collide_open(struct cost *c, const struct spec *spec, const struct cost_network *w, struct err *err)
{
    static const char *const switching[] = { "wormhole", "cut-through", "store-and-forward", "circuit", NULL };
    struct collide *x = c->state = calloc(1, sizeof *x);
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

static int collide_begin(struct cost *c, struct err *err)
{
    struct collide *x = c->state;

    (void)err;
    x->hooks = (struct cycles_hooks){ .got = collide_got, .arg = c };
    x->now = x->seconds = 0;
    cycles_begin(&x->run, &x->hooks);
    return 0;
}

static double collide_flits(const struct collide *x, double bytes)
{
    return x->packet > 0 ? x->packet : fmax(1, ceil(bytes / x->flit));
}

static int collide_start(struct cost *c, size_t letter, int from, int to, double bytes, double *time, struct err *err)
{
    struct collide *x = c->state;
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
    return cycles_send(&x->run, letter, (size_t)way, collide_flits(x, bytes), tree_process(from, c->n - c->root, c->n),
                       x->now, err);
}

static double collide_next(const struct cost *c)
{
    const struct collide *x = c->state;

    return fmax(x->seconds, cycles_next(&x->run) * x->cycle);
}

static int collide_pass(struct cost *c, size_t *letter, struct err *err)
{
    struct collide *x = c->state;

    x->seconds = collide_next(c);
    x->now = cycles_next(&x->run);
    if (cycles_step(&x->run, err) < 0)
        return -1;
    *letter = x->run.there;
    return 0;
}

static double collide_alone(const struct cost *c, double bytes)
{
    const struct collide *x = c->state;

    return c->b * (x->packet > 0 ? x->packet : fmax(1, bytes / x->flit));
}

static double collide_gap(const struct cost *c, double bytes)
{
    return c->ports == 1 ? c->b * collide_flits(c->state, bytes) : 0;
}

static const struct spec_key keys[] = {
    { "switching", "wormhole|cut-through|store-and-forward|circuit", "how messages hold links (default: wormhole)" },
    { "flit", "BYTES", "of a flit (default: 32); a message has as many as its bytes fill, one at least" },
    { "packet", "FLITS", "of every message, whatever its bytes (default: by its bytes)" },
    { "ports", "K|all", "messages that a process sends at once (default: 1)" },
    { "blocking", "yes|no", "whether a send keeps its port until it is delivered (default: yes with one port)" },
    { NULL, NULL, NULL }
};

const struct cost_kind cost_collide = {
    .name = "collide",
    .synopsis = "collide[,switching=SWITCHING][,flit=BYTES|,packet=FLITS][,ports=K|all][,blocking=yes|no]",
    .summary = "messages take the network's links one after the other, flit by flit, and wait where another has one",
    .source = "Dally and Towles 2004, chapters 12 and 13",
    .notes = "As `metapath bcast --packet`, for any algorithm: a unit link passes a flit in what --line-rate takes for "
        "it, and a hop takes --cable-time, lengths of links besides. Processes do not work (--overhead). Messages that "
        "hold links may block each other for good, which is said. Other traffic (`metapath bcast --load`) is left out.",
    .network = true,
    .example = "collide",
    .keys = keys,
    .open = collide_open,
    .close = collide_close,
    .begin = collide_begin,
    .start = collide_start,
    .next = collide_next,
    .pass = collide_pass,
    .alone = collide_alone,
    .gap = collide_gap
};
