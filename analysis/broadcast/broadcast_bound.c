#include "analysis/broadcast/broadcast_bound.h"

static double broadcast_bound_ported(int links, int ports)
{
    return ports && ports < links ? ports : links;
}

/* What the first `have` send in a step; asked for ever more of them. */
struct senders {
    const int *link;
    int n, ports, counted;
    double sum;
};
static double broadcast_bound_sent(struct senders *s, double have)
{
    while (s->counted < s->n && s->counted < have)
        s->sum += broadcast_bound_ported(s->link[s->counted++], s->ports);
    return s->sum;
}

int broadcast_growth(double *steps, const int *link, int n, int wanted, int nearest, struct broadcast_how how,
                     struct err *err)
{
    const int wait = how.blocking ? 1 : nearest;        /* turns between sending and having; blocking: of `nearest` */
    struct senders s = { .link = link, .n = n, .ports = how.ports };
    double *have = calloc((size_t)wait, sizeof *have), now = 1;         /* [t % wait]: how many had it after turn t */
    int64_t t = 0;

    if (!have)
        return err_memory(err);
    have[0] = 1;
    while (now < wanted) {
        if (++t >= wait) {
            const double more = broadcast_bound_sent(&s, have[t % wait]);

            if (more <= 0) {
                free(have);
                return err_set(err, ERR_NETWORK, "the root has no link to send on");
            }
            now += more;
        }
        have[t % wait] = now;
    }
    free(have);
    *steps = (double)t * (how.blocking ? nearest : 1);
    return 0;
}

/* Most hops in a step. */
static double hops_a_step(const struct broadcast_reach *r, int ports)
{
    double touching = (double)r->through, widest = 1;

    for (int i = 0; i < r->n; i++) {
        const double links = fmax(1, broadcast_bound_ported(r->links[i], ports));

        widest = fmax(widest, links);
        if (r->directed || r->switched || r->links[i] > 1)
            touching += links;
    }
    return fmax(1, r->switched ? touching : fmin(touching, floor(r->nodes * widest / (widest + 1))));
}

int broadcast_bound(struct broadcast_bound *out, const struct broadcast_reach *reach, struct broadcast_how how,
                    struct err *err)
{
    struct broadcast_bound b = { .distance = reach->eccentricity, .hops = reach->hops };

    if (how.ports < 0)
        return err_set(err, ERR_DOMAIN, "%d ports: at least one, or all", how.ports);
    if (reach->narrow) {
        b.distance = b.growth = b.work = b.steps = NAN;
        *out = b;
        return 0;
    }
    if (broadcast_growth(&b.growth, reach->links, reach->n, reach->n, reach->nearest, how, err) < 0)
        return -1;
    b.work = ceil(b.hops / hops_a_step(reach, how.ports));
    b.steps = fmax(fmax(b.distance, b.growth), b.work);
    *out = b;
    return 0;
}

void broadcast_bound_flood(struct broadcast_bound *out, const struct broadcast_reach *reach)
{
    *out = (struct broadcast_bound){
        .distance = reach->farthest, .growth = NAN, .work = NAN,
        .steps = reach->farthest, .hops = fmax(reach->terminals - 1, reach->farthest)
    };
}

const char *broadcast_bound_reason(char out[40], const struct broadcast_bound *b)
{
    const char *const name[] = { "distance", "growth", "work" };
    const double value[] = { b->distance, b->growth, b->work };

    out[0] = '\0';
    for (int i = 0; i < 3; i++)
        if (value[i] >= b->steps) {
            strcat(out, *out ? "+" : "");
            strcat(out, name[i]);
        }
    return out;
}
