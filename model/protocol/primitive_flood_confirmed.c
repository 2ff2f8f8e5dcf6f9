#include "model/protocol/primitive.h"
#include "texts/primitive.h"

/* v has no more confirmations to wait for. Texts that count may come here with nothing to be answered: what stands in
 * the table then is its first channel. */
static int flood_answer(struct primitive_run *x, int v, int64_t to, uint32_t number, struct err *err)
{
    if (v != x->s->origin)
        return primitive_put(x, to < 0 ? x->s->w->first[v] : (size_t)to, PRIMITIVE_MESSAGE, number, err);
    primitive_tell(x, number);
    return 0;
}

/* Each message says which instruction it is of: what waits is counted by instruction. */
static int flood_numbered(struct primitive_run *x, int v, const struct message *m, struct err *err)
{
    const struct wiring *w = x->s->w;
    const size_t at = primitive_at(x, m->value, v);
    const bool first = m->link == PROTOCOL_HOST || (v != x->s->origin && x->answer[at] < 0);

    if (first) {
        x->answer[at] = m->link;
        x->open[at] = (int)(w->first[v + 1] - w->first[v]) - (m->link != PROTOCOL_HOST);
        if (m->link != PROTOCOL_HOST)
            primitive_deliver(x, v, m->value);
        if (primitive_spread(x, v, m->link, m->value, err) < 0)
            return -1;
    } else {
        x->open[at]--;
    }
    return x->open[at] > 0 ? 0 : flood_answer(x, v, x->answer[at], m->value, err);
}

/* By counters: channels that are to be answered stand in a ring, as many as there are instructions. */
static int flood_counted(struct primitive_run *x, int v, const struct message *m, struct err *err)
{
    const struct wiring *w = x->s->w;
    const bool origin = v == x->s->origin, published = x->how->text == TEXT_PUBLISHED;
    bool last;

    if (m->link == PROTOCOL_HOST || (!origin && x->count[m->link] == 0)) {
        if (m->link != PROTOCOL_HOST)
            primitive_deliver(x, v, m->value);
        if (!origin && w->first[v + 1] - w->first[v] == 1)
            return flood_answer(x, v, m->link, m->value, err);
        if (!origin)
            x->answer[primitive_at(x, (uint32_t)(x->last[v]++ % x->how->repeat), v)] = m->link;
        for (size_t h = w->first[v]; h < w->first[v + 1]; h++)
            x->count[h] += h != m->link;
        return primitive_spread(x, v, m->link, m->value, err);
    }
    last = !origin && published && primitive_level(x, v, m->link);
    x->count[m->link]--;
    if (origin || !published)
        last = primitive_level(x, v, m->link);
    if (!last)
        return 0;
    if (published && !origin && x->how->floods > 0 && x->first[v] >= x->how->floods)
        return 0;                       /* III.14 never wraps `first`: it points beyond the table */
    return flood_answer(x, v, origin ? 0 : x->answer[primitive_at(x, (uint32_t)(x->first[v]++ % x->how->repeat), v)],
                        m->value, err);
}

static int flood_confirmed_on_message(struct primitive_run *x, int v, const struct message *m, struct err *err)
{
    return x->how->text == TEXT_MENDED ? flood_numbered(x, v, m, err) : flood_counted(x, v, m, err);
}

static void flood_confirmed_closed(struct primitive_closed *out, const struct primitive_facts *f)
{
    out->messages = 2 * f->cables;
    out->time = f->eccentricity;
    out->known = 2 * f->eccentricity + f->joined;
}

const struct primitive primitive_flood_confirmed = {
    PRIMITIVE_FLOOD_CONFIRMED_ENTRY,
    .expects = EXPECT_ALL,
    .spans = true,
    .counts = true,
    .pends = true,
    .on_message = flood_confirmed_on_message,
    .closed = flood_confirmed_closed
};
