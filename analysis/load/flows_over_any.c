/* Messages over a terminal that is any with the same probability, to targets that are any (Valiant): not pair by pair,
 * but in two legs, each of even traffic by the base. A message that comes to its intermediate terminal m goes on to any
 * other terminal with the same probability, whatever its source is. That is what all messages over m do together, so
 * loads of links and ports are exact. One source never sends to itself, so that its part differs by 1/n; waits at links
 * by less than 0.2/n.
 *   n terminals; straight 2/n (m is the source or the target); over each other m 1/n, (n - 2)/(n (n - 1)) of a source's
 * messages in all.
 * For hosts on one cable each: where m turns messages round, there is one link in and one out. */
#include "analysis/load/flows_builder.h"

#define PAIR_BY_PAIR 1e8                /* ways, of fewer: exact */

bool builder_over_any(const struct builder *b, const struct routing *r, bool few)
{
    const struct follow *w = &b->follow;
    const double n = b->net->nterminal;
    bool hosts = r->over_any && r->base->route->next && b->traffic->matrix && b->traffic->kind->even &&
        (few || n * n * n > PAIR_BY_PAIR);

    for (int i = 0; hosts && i < b->net->nterminal; i++) {
        const size_t k = w->links.first[net_terminal(b->net, i)];

        hosts = w->links.first[net_terminal(b->net, i) + 1] == k + 1 && trunks_cables(&w->trunks, k) == 1 &&
            !follow_own_switch(w, net_terminal(b->net, i));
    }
    return hosts;
}

/* The injections so far by source: where messages of each are on their way to any target, with what share. */
struct onward {
    size_t *first;
    int *state;
    double *share;
};

static int onward_open(struct onward *o, const struct flows *f, struct err *err)
{
    size_t *at;

    if (TAKE("ways of messages", err, ZEROS(o->first, f->nsource + 2), ARRAY(o->state, f->ninjection),
             ARRAY(o->share, f->ninjection)) < 0)
        return -1;
    at = o->first + 1;                  /* at[i] becomes the end of source i's */
    for (size_t i = 0; i < f->ninjection; i++)
        at[f->injection_source[i] + 1]++;
    for (size_t i = 1; i <= f->nsource; i++)
        at[i] += at[i - 1];
    for (size_t i = 0; i < f->ninjection; i++) {
        const size_t to = at[f->injection_source[i]]++;

        o->state[to] = f->injection_state[i];
        o->share[to] = f->injection_share[i];
    }
    return 0;
}

/* The first legs to the intermediate terminal of number k. */
static int legs_over(struct builder *b, struct routing *base, const struct onward *o, int k, struct sender *sender,
                     struct err *err)
{
    const struct flows_orbits *orbits = b->f->orbits;
    const int n = b->net->nterminal, over = net_terminal(b->net, k), like = orbits->source_of[k];
    size_t m = 0;

    b->out = (int)trunks_first(&b->follow.trunks, b->follow.links.first[over]);
    b->ntail = o->first[like + 1] - o->first[like];
    b->tail_state = o->state + o->first[like];
    b->tail_share = o->share + o->first[like];
    for (int i = 0; i < n; i++) {
        const int source = orbits->source_of[i];
        const double ways = builder_senders(b, i, k) * orbits->source_many[like] / orbits->source_many[source] *
            (n - 2);

        if (i != k && ways > 0)
            sender[m++] = (struct sender){ source, net_terminal(b->net, i), NULL, ways / n / (n - 1), ways };
    }
    return builder_block(b, base, 0, over, sender, m, (1 + (double)k / n) / 2, err);
}

int builder_legs(struct builder *b, struct routing *r, struct err *err)
{
    struct flows *f = b->f;
    const int n = b->net->nterminal;
    struct onward o = { 0 };
    struct sender *sender = NULL;
    size_t straight;
    int ret = builder_matrix(b, r->base, 0, err) < 0 || onward_open(&o, f, err) < 0 ? -1 :
        TAKE("the senders", err, ARRAY(sender, n));

    straight = f->ninjection;
    for (int k = 0; ret == 0 && k < n; k++)
        if (f->orbits->source_first[f->orbits->source_of[k]] == k)
            ret = legs_over(b, r->base, &o, k, sender, err);
    b->ntail = 0;
    for (size_t i = 0; ret == 0 && i < straight; i++)
        f->injection_share[i] *= 2. / n;
    FREE(o.first, o.state, o.share, sender);
    if (ret < 0)
        return -1;
    f->nblock = 1;                      /* second legs are of all blocks */
    f->block[0] = (struct flows_block){ 0, 0 };
    f->block[1] = (struct flows_block){ f->nstate, f->ninjection };
    f->block_most = f->nstate;
    return 0;
}
