/* Flows from the beginning: what is folded, then states and injections, then numbers (flows_builder.h). */
#include "analysis/load/demand.h"
#include "analysis/load/flows_builder.h"

static int add_sources(struct builder *b, struct err *err)
{
    struct flows *f = b->f;
    const struct traffic *t = b->traffic;

    if (!f->orbits)
        f->nsource = b->by_steps ? 1 : traffic_sources(t);
    if (TAKE("the senders", err, ZEROS(f->source, f->nsource)) < 0)
        return -1;
    for (size_t i = 0; i < f->nsource; i++) {
        const int stream = t->matrix ? -1 : (int)traffic_first(t, i), first = f->orbits ? f->orbits->source_first[i] :
            (int)i;

        f->source[i] = (struct flow_source){ b->by_steps ? -1 : t->matrix ? net_terminal(b->net, first) :
                                             t->stream[stream].source, stream };
    }
    return 0;
}

static void builder_release(struct builder *b)
{
    follow_close(&b->follow);
    alike_close(&b->alike);
    if (b->by_steps)            /* else they are of flows.orbits */
        FREE(b->class, b->first);
    map_release(&b->port);
    FREE(b->port_key, b->port_in, b->port_many, b->turn_at, b->turn_port, b->over);
    map_release(&b->way);
}

int flows_open(struct flows *out, const struct traffic *traffic, struct routing *routing, size_t nrouting,
               const struct flows_options *options, struct err *err)
{
    struct flows f = { .net = routing[0].net, .traffic = traffic, .copies = 1 };
    struct builder b = { .f = &f, .traffic = traffic, .net = f.net };
    const double told = routing[nrouting - 1].tell ? 0.3 : 0;           /* of policies, the last is the widest */
    const struct tick telling = tick_part(options->tick, 0, told), building = tick_part(options->tick, told, 0.7),
                      meeting = tick_part(options->tick, 0.7, 1);
    bool folded = traffic->invariant && !options->unfolded;
    bool orbits = options->orbits && !options->unfolded && traffic->matrix, by_group = false, legs;
    int ret = -1;

    if (demand_tell(routing, nrouting, traffic, options->time > 0 ? options->time : 1, &telling, err) < 0)
        return -1;
    b.pairs = nrouting > 1;
    for (size_t i = 0; i < nrouting; i++) {
        folded = folded && routing[i].invariant;
        orbits = orbits && routing[i].symmetric;
        by_group = by_group || routing[i].by_group;
        b.pairs = b.pairs || routing[i].route->ways || routing[i].escape;
    }
    if (follow_open(&b.follow, f.net, options->terminals, err) < 0 || (folded && builder_steps(&b, err) < 0))
        goto done;
    legs = nrouting == 1 && !folded && options->orbits && !options->unfolded &&
        builder_over_any(&b, routing, options->legs);
    b.hosts = legs && !orbits;
    if ((!folded && (orbits || b.hosts) &&
         (alike_open(&b.alike, &b.follow, traffic, by_group, b.hosts, &building, err) < 0 ||
          (b.alike.node && builder_orbits(&b, err) < 0))) || add_sources(&b, err) < 0 || builder_turns(&b, err) < 0)
        goto done;
    legs = legs && b.alike.node;
    b.pairs = b.pairs && !legs;
    if (folded)
        f.copies = f.net->n;
    for (size_t i = 0; i < nrouting; i++) {
        b.follow.tick = tick_step(&building, i, nrouting);
        b.follow.done = 0;
        if ((legs ? builder_legs(&b, &routing[i], err) :
             (traffic->matrix ? builder_matrix : builder_list)(&b, &routing[i], (int)i, err)) < 0)
            goto done;
    }
    if (builder_finish(&b, err) < 0)
        goto done;
    memcpy(f.injection_given, f.injection_share, f.ninjection * sizeof *f.injection_share);
    for (size_t i = 0; i < f.ninjection; i++)
        if (f.injection_option[i] > 0)
            f.injection_share[i] = 0;
    f.apart = options->apart || f.orbits;
    ret = flows_overlap(&f, &meeting, err);
done:
    builder_release(&b);
    if (ret < 0)
        flows_release(&f);
    else
        *out = f;
    return ret;
}
