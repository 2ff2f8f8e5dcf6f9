#include "analysis/deadlock/escape.h"

struct escape {                 /* messages to one target */
    size_t n;                   /* states in which they may be on a channel of the escape */
    int *number, *state;        /* by state: which of these it is, -1: none; and back */
    size_t words;
    uint64_t *leads;            /* by state, a bit for each of these: whether it comes later */
};

static void escape_close(struct escape *e)
{
    FREE(e->number, e->state, e->leads);
}

static bool escape_leads(const struct escape *e, int state, int number)
{
    return e->leads[(size_t)state * e->words + (size_t)number / 64] >> number % 64 & 1;
}

/* Numbers the states on links that the escape takes from where it begins. */
static int escape_number(struct escape *e, const struct follow *f, struct routing *escape, struct err *err)
{
    for (size_t s = 0; s < f->n; s++) {
        const int link = f->link[s], from = f->tail[link];
        struct hop hop;
        size_t one;
        int first, n;

        if (escape->route->next(&hop, &one, escape, from, -1, f->target, err) < 0 ||
            follow_links(&first, &n, f, escape, from, &hop, err) < 0)
            return -1;
        e->number[s] = link < first || link >= first + n ? -1 : (int)e->n;
        e->state[e->n] = (int)s;
        e->n += e->number[s] >= 0;
    }
    e->words = e->n / 64 + 1;
    return 0;
}

static int escape_open(struct escape *e, struct follow *f, struct routing *r, int target, struct err *err)
{
    if (follow_begin(f, r, target, err) < 0)
        return -1;
    for (int i = 0; i < f->nend; i++)
        if (follow_end(f, i) != target && follow_inject(f, r, follow_end(f, i), err) < 0)
            return -1;
    if (follow_explore(f, r, err) < 0 || follow_sort(f, r, err) < 0 ||
        TAKE("dependencies", err, ARRAY(e->number, f->n), ARRAY(e->state, f->n)) < 0 ||
        escape_number(e, f, r->escape, err) < 0 || TAKE("dependencies", err, ZEROS(e->leads, f->n * e->words)) < 0)
        return -1;
    for (size_t i = 0; i < f->n; i++) {         /* what follows comes first */
        const size_t s = (size_t)f->order[i];
        uint64_t *mine = e->leads + s * e->words;

        for (uint32_t k = f->first[s]; k < f->first[s + 1]; k++) {
            const int to = f->to[k];

            for (size_t w = 0; w < e->words; w++)
                mine[w] |= e->leads[(size_t)to * e->words + w];
            if (e->number[to] >= 0)
                mine[e->number[to] / 64] |= (uint64_t)1 << e->number[to] % 64;
        }
    }
    return 0;
}

int escape_turns(struct follow *f, struct routing *r, int target,
                 int (*visit)(void *arg, const struct turn *turn, struct err *err), void *arg, struct err *err)
{
    int ret = 0;

    for (int i = 0; ret == 0 && i < f->nend; i++) {
        const int node = follow_end(f, i);
        struct escape e = { 0 };

        if (target >= 0 && target != node)
            continue;
        f->done = (double)i / f->nend;
        ret = escape_open(&e, f, r, node, err);
        for (size_t a = 0; ret == 0 && a < e.n; a++) {
            const int s = e.state[a];

            ret = visit(arg, &(struct turn){ -1, f->link[s], node, -1, 0, f->mark[s], 0 }, err);
            for (int b = 0; ret == 0 && b < (int)e.n; b++)
                if (e.leads[(size_t)s * e.words + (size_t)b / 64] == 0)
                    b |= 63;
                else if (escape_leads(&e, s, b))
                    ret = visit(arg, &(struct turn){ f->link[s], f->link[e.state[b]], node, -1, f->mark[s],
                                                     f->mark[e.state[b]], 0 }, err);
        }
        escape_close(&e);
    }
    return ret;
}

/* The ends of the links after state `at` on a way to one of the escape's; -1: on by the escape to the end. */
static int escape_go(struct route_path *path, const struct follow *f, const struct escape *e, int at, int number,
                     struct err *err)
{
    while (number < 0 ? f->first[at] < f->first[at + 1] : e->number[at] != number) {
        uint32_t k = f->first[at];

        while (number >= 0 && e->number[f->to[k]] != number && !escape_leads(e, f->to[k], number))
            k++;
        at = f->to[k];
        if (route_path_add(path, f->head[f->link[at]], 0, err) < 0)
            return -1;
    }
    return 0;
}

/* States that messages begin with are the first. */
int escape_cause(struct route_path *path, struct follow *f, struct routing *r, const struct turn *turn,
                 struct err *err)
{
    struct escape e = { 0 };
    int begin = 0, in = 0, out = 0, ret = -1;

    path->n = 0;
    if (escape_open(&e, f, r, turn->target, err) == 0) {
        for (int i = 0; i < (int)e.n; i++) {
            const int s = e.state[i];

            in = f->link[s] == turn->in && f->mark[s] == turn->in_mark ? i : in;
            out = f->link[s] == turn->out && f->mark[s] == turn->out_mark ? i : out;
        }
        while (begin != e.state[in] && !escape_leads(&e, begin, in))
            begin++;
        if (route_path_add(path, f->tail[f->link[begin]], 0, err) == 0 &&
            route_path_add(path, f->head[f->link[begin]], 0, err) == 0 &&
            escape_go(path, f, &e, begin, in, err) == 0 && escape_go(path, f, &e, e.state[in], out, err) == 0)
            ret = escape_go(path, f, &e, e.state[out], -1, err);
    }
    escape_close(&e);
    return ret;
}
