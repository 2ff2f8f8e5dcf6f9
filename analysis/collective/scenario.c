/* scenario.c -- latencies that change while processes broadcast.
 * 1. table  rows of a file: which links change, and when
 * 2. seen   what processes measure and believe of links
 * 3. trees  that stay, or are built and kept least by messages
 * 4. play   one broadcast after the other, over the latencies of then */
#include "analysis/collective/scenario.h"

#include <float.h>
#include <unistd.h>

#include "graph/base/quantity.h"
#include "graph/numeric/forecast.h"
#include "graph/numeric/union_find.h"

#define NONE SIZE_MAX
enum { CLIQUES_MOST = 4096 };

/* ---- table ---- */

/* A process, or, by its name, all on a node. */
static int row_end(bool *is, const struct scenario *s, const char *text, struct err *err)
{
    int64_t process;
    int node;

    for (int p = 0; p < s->where->n; p++)
        is[p] = false;
    if (s->net && s->net->name && strspn(text, "0123456789") != strlen(text)) {
        if (net_node(s->net, text, &node, err) < 0)
            return -1;
        for (int p = 0; p < s->where->n; p++)
            is[p] = s->where->node[p] == node;
        return 0;
    }
    if (num_int(&process, text, 0, s->where->n - 1, "a process", err) < 0)
        return -1;
    is[process] = true;
    return 0;
}

/* is: room for twice as many as there are processes. first: by process, where its wires to greater ones begin. */
static int scenario_row(struct scenario *s, const struct csv *csv, const int col[4], size_t row, bool *is,
                        const size_t *first, struct err *err)
{
    const char *text = csv_at(csv, row, col[3]);
    const size_t before_it = s->n;
    bool *to = is + s->where->n, unit = false;
    double latency = INFINITY;
    int64_t before;

    if (num_int(&before, csv_at(csv, row, col[0]), 0, s->broadcasts, "before (a broadcast)", err) < 0 ||
        row_end(is, s, csv_at(csv, row, col[1]), err) < 0 || row_end(to, s, csv_at(csv, row, col[2]), err) < 0 ||
        (strcmp(text, "down") != 0 &&
         quantity_parse(&latency, &unit, text, QUANTITY_TIME, "latency (or down)", err) < 0))
        return -1;
    if (!(latency >= 0) || (latency > CABLES_LONGEST && !isinf(latency)))
        return err_set(err, ERR_FORMAT, "the latency is %.40s: it must be a number from 0 to 1e12, or `down`", text);
    if (unit && !(s->net && s->net->cables.times))
        return err_set(err, ERR_FORMAT, "the latency is %.40s, those of the network are numbers without a unit", text);
    if (!unit && s->net && s->net->cables.unit > 0)
        latency *= s->net->cables.unit;
    if (s->n > 0 && s->change[s->n - 1].before > before)
        return err_set(err, ERR_FORMAT, "broadcast %d comes after broadcast %d: rows come in the order of time",
                       (int)before, s->change[s->n - 1].before);
    for (int a = 0; a < s->where->n; a++)
        for (size_t k = first[a]; (is[a] || to[a]) && k < first[a + 1]; k++) {
            const int b = s->wire[k].b;

            if (!(is[a] && to[b]) && !(is[b] && to[a]))
                continue;
            if (GROW_BY(s->n, 1, "the scenario", err, GROWN(s->change)) < 0)
                return -1;
            s->change[s->n++] = (struct scenario_change){ (int)before, k, latency };
        }
    return s->n > before_it ? 0 : err_set(err, ERR_FORMAT, "no link joins processes %s and %s",
                                          csv_at(csv, row, col[1]), csv_at(csv, row, col[2]));
}

/* Of a file of several scenarios, the rows of that name. */
static int scenario_names(const struct csv *csv, int named, const char *only, const char *name, struct err *err)
{
    char all[300] = "";

    if (named < 0 && !only)
        return 0;
    for (size_t r = 0; named >= 0 && only && r < csv->nrow; r++)
        if (strcmp(csv_at(csv, r, named), only) == 0)
            return 0;
    for (size_t r = 0; named >= 0 && r < csv->nrow; r++)
        if (r == 0 || strcmp(csv_at(csv, r, named), csv_at(csv, r - 1, named)) != 0)
            snprintf(all + strlen(all), sizeof all - strlen(all), " %s", csv_at(csv, r, named));
    return named < 0 ? err_set(err, ERR_FORMAT, "%.200s has one scenario, and no column `scenario` for '%.60s'", name,
                               only) :
        err_set(err, ERR_FORMAT, "%.200s has scenarios by name: FILE:%s is one of%s", name,
                csv->nrow ? csv_at(csv, 0, named) : "NAME", all);
}

int scenario_from(struct scenario *s, const struct csv *csv, const char *only, const char *name, struct err *err)
{
    static const char *const heading[] = { "before", "a", "b", "latency" };
    const size_t n = (size_t)s->where->n;
    bool *is;
    size_t *first;
    const int named = csv_column(csv, "scenario");
    int col[4], ret = 0;

    for (int k = 0; k < 4; k++) {
        col[k] = csv_column(csv, heading[k]);
        if (col[k] < 0)
            return err_set(err, ERR_FORMAT, "%.200s, line %zu: there is no column '%s': before,a,b,latency", name,
                           csv->heading_line, heading[k]);
    }
    if (scenario_names(csv, named, only, name, err) < 0 ||
        TAKE("the scenario", err, ARRAY(is, 2 * n), ZEROS(first, n + 1)) < 0)
        return -1;
    for (size_t k = 0; k < s->m; k++)
        first[s->wire[k].a + 1]++;
    for (size_t a = 0; a < n; a++)
        first[a + 1] += first[a];
    for (size_t r = 0; ret == 0 && r < csv->nrow; r++) {
        if (named >= 0 && strcmp(csv_at(csv, r, named), only) != 0)
            continue;
        ret = scenario_row(s, csv, col, r, is, first, err);
        if (ret < 0 && err->code != ERR_MEMORY) {
            err->code = ERR_FORMAT;
            err_at(err, "%.200s, line %zu", name, csv->line[r]);
        }
    }
    FREE(is, first);
    if (ret < 0)
        scenario_release(s);
    return ret;
}

int scenario_read(struct scenario *s, const char *path, struct err *err)
{
    const char *colon = path ? strrchr(path, ':') : NULL;
    struct csv csv = { 0 };
    char *file;
    int ret;

    if (!path)
        return 0;
    colon = colon && access(path, R_OK) < 0 ? colon : NULL;
    file = colon ? strndup(path, (size_t)(colon - path)) : strdup(path);
    if (!file)
        return err_memory(err);
    ret = csv_read(&csv, file, err) < 0 ||
        scenario_from(s, &csv, colon ? colon + 1 : NULL, file, err) < 0 ? -1 : 0;
    csv_release(&csv);
    free(file);
    return ret;
}

void scenario_release(struct scenario *s)
{
    free(s->change);
    *s = (struct scenario){ 0 };
}

/* ---- seen ---- */

struct play {
    const struct scenario *s;
    const struct strategy *by;
    struct played *out;
    double *now, *believed;             /* by link */
    double *when;                       /* by change: when it happened; those of 0: -1 */
    size_t done;                        /* changes */
    size_t *latest, *before;            /* by link, the change that it has had last; by change, the one before; NONE */
    size_t *measured;                   /* by link: which one stands for it */
    double *asked;                      /* when: to build the tree, and by check */
    size_t nasked;
    struct wire *wire;                  /* room */
    double clock, measures;             /* measures: links, in one round */
    struct spanning spanning;
    struct tree_shape own;
    struct relay relay;
    bool fresh;                         /* the relay is of now */
};

static double latency_at(const struct play *p, size_t link, double time)
{
    size_t k = p->latest[link];

    while (k != NONE && p->when[k] > time)
        k = p->before[k];
    return k == NONE ? p->s->wire[link].latency : p->s->change[k].latency;
}

static double seen(const struct play *p, size_t link)
{
    const struct strategy *by = p->by;
    const double last = by->probe > 0 ? floor(p->clock / by->probe) * by->probe : p->clock;
    double value[FORECAST_MOST], *newest = value + FORECAST_MOST;
    int n = 0;

    if (p->latest[link] == NONE)
        return p->s->wire[link].latency;
    if (by->value == VALUE_LAST)
        return by->probe > 0 ? latency_at(p, link, last) : p->now[link];
    for (int k = 0; k < by->window && n < FORECAST_MOST; k++) {
        const double time = by->probe > 0 ? last - k * by->probe : k == 0 ? p->clock :
            (size_t)k <= p->nasked ? p->asked[p->nasked - (size_t)k] : -1;
        const double was = time < 0 ? 0 : latency_at(p, link, time);

        if (time < 0)
            break;
        if (by->value != VALUE_BEST || !isinf(was))     /* a link that is gone has no value to forecast from */
            newest[-++n] = was;
    }
    return by->value == VALUE_BEST ? forecast_next(newest - n, n) :
        forecast_middle(newest - n, n, n, by->value == VALUE_MEDIAN);
}

/* What messages take and processes go by: links that are there. */
static size_t links_now(const struct play *p)
{
    size_t n = 0;

    for (size_t k = 0; k < p->s->m; k++)
        if (!isinf(p->now[k]) && !isinf(p->believed[k])) {
            p->wire[n] = p->s->wire[k];
            p->wire[n].latency = p->now[k];
            p->wire[n++].order = fmax(p->believed[k], DBL_MIN);
        }
    return n;
}

/* Whether what processes believe has changed. */
static bool look(struct play *p, bool first)
{
    bool other = false;

    p->out->probes += p->by->tree ? 0 : 2 * p->measures;
    for (size_t k = 0; k < p->s->m; k++) {
        const double is = isinf(p->now[k]) ? INFINITY : seen(p, p->measured[k]), was = p->believed[k];

        if (first || isinf(is) != isinf(was) || fabs(is - was) > p->by->threshold * was) {
            p->believed[k] = is;
            other = true;
        }
    }
    p->asked[p->nasked++] = p->clock;
    return other;
}

/* Between nodes their least processes measure for all: those of node a and node b over the wire between[a * nodes + b].
 */
static int measured(struct play *p, struct err *err)
{
    const struct scenario *s = p->s;
    const struct placement *where = s->where;
    int *leads = NULL, *number = NULL, most = 0;
    size_t *between = NULL, nodes = 0;

    p->measures = (double)s->m;
    for (size_t k = 0; k < s->m; k++)
        p->measured[k] = k;
    for (int v = 0; v < where->n; v++)
        most = where->node[v] > most ? where->node[v] : most;
    if (!p->by->cliques)
        return 0;
    if (TAKE("the links", err, ARRAY(leads, most + 1), ARRAY(number, most + 1)) < 0)
        return -1;
    for (int v = 0; v <= most; v++)
        leads[v] = -1;
    for (int v = 0; v < where->n; v++)
        if (leads[where->node[v]] < 0) {
            number[where->node[v]] = (int)nodes++;
            leads[where->node[v]] = v;
        }
    if (nodes > CLIQUES_MOST || TAKE("the links", err, ARRAY(between, nodes * nodes)) < 0) {
        FREE(leads, number);
        return nodes > CLIQUES_MOST ? err_set(err, ERR_DOMAIN, "cliques are of %d nodes at most, not %zu", CLIQUES_MOST,
                                              nodes) : -1;
    }
    for (size_t i = 0; i < nodes * nodes; i++)
        between[i] = SIZE_MAX;
    for (int pass = 0; pass < 2; pass++)
        for (size_t k = 0; k < s->m; k++) {
            const int a = where->node[s->wire[k].a], b = where->node[s->wire[k].b];
            size_t *at = &between[(size_t)number[a] * nodes + (size_t)number[b]],
                *back = &between[(size_t)number[b] * nodes + (size_t)number[a]];

            if (pass == 0 && leads[a] == s->wire[k].a && leads[b] == s->wire[k].b)
                *at = *back = k;
            else if (pass == 1 && a != b && *at != SIZE_MAX) {
                p->measures -= *at != k;
                p->measured[k] = *at;
            }
        }
    FREE(leads, number, between);
    return 0;
}

/* ---- trees ---- */

int joins_shape(struct tree_shape *shape, const struct sight_join *join, const struct placement *where, int root,
                const struct relay_how *how, struct err *err)
{
    const int n = where->n;
    const struct tree_scene scene = { .where = where, .root = root, .start = how->overhead, .size = how->size,
                                      .gap = how->serial ? how->overhead + how->size : 0, .cut = true };
    struct tree_shape t = { .n = n };

    if (TAKE("a process tree", err, ARRAY(t.parent, n), ZEROS(t.first, n + 2), ARRAY(t.child, n)) < 0)
        return -1;
    t.parent[0] = -1;
    if (sight_hang(&t, join, &scene, err) < 0) {
        tree_shape_release(&t);
        return -1;
    }
    *shape = t;
    return 0;
}

int spanning_shape(struct tree_shape *shape, const struct spanning *s, const struct placement *where, int root,
                   const struct relay_how *how, struct err *err)
{
    const int n = s->w.n;
    struct sight_join *join;
    int *part, k = 0, ret;

    if (TAKE("a process tree", err, ARRAY(join, n), ARRAY(part, n)) < 0)
        return -1;
    union_find_alone(part, (size_t)n);
    for (size_t h = 0; h < 2 * s->w.m; h++)
        if (spanning_has(s, h) && s->w.from[h] < s->w.to[h] && union_find_join(part, s->w.from[h], s->w.to[h]))
            join[k++] = (struct sight_join){ s->w.latency[h], s->w.from[h], s->w.to[h] };
    for (int v = 0; v < n; v++)
        if (union_find_join(part, root, v))
            join[k++] = (struct sight_join){ 0, root < v ? root : v, root < v ? v : root };
    ret = joins_shape(shape, join, where, root, how, err);
    FREE(join, part);
    return ret;
}

static int own_shape(struct play *p, struct err *err)
{
    tree_shape_release(&p->own);
    p->fresh = false;
    return spanning_shape(&p->own, &p->spanning, p->s->where, p->by->root, &p->by->how, err);
}

static double messages(const struct protocol_cost *cost)
{
    double all = 0;

    for (int k = 0; k < ADAPT_TYPES; k++)
        all += cost->count[k];
    return all;
}

static int play_build(struct play *p, const struct tick *t, struct err *err)
{
    struct played *out = p->out;

    look(p, true);
    if (p->by->tree)
        return 0;
    if (spanning_build(&p->spanning, p->s->where->n, p->wire, links_now(p),
                       &(struct protocol_how){ p->by->seed, p->by->watch, &out->cost, t }, err) < 0)
        return -1;
    out->building = p->clock = out->cost.time;
    out->built = messages(&out->cost);
    return own_shape(p, err);
}

static int play_check(struct play *p, const struct tick *t, struct err *err)
{
    struct played *out = p->out;
    struct protocol_cost *cost = &out->cost;
    const double time = cost->time;
    const size_t found = cost->failed + cost->recovered;
    struct protocol_how how = { p->by->seed, p->by->watch, cost, t };
    bool other;

    p->clock += p->by->check;
    other = look(p, false);
    out->checks++;
    if (p->by->began)
        *p->by->began = p->clock;
    how.seed = how.seed ? how.seed + (uint64_t)out->checks : 0;
    if (spanning_adapt(&p->spanning, p->wire, links_now(p), &how, err) < 0)
        return -1;
    p->clock += cost->time - time;
    out->adapting += cost->time - time + p->by->check;
    out->changed += cost->failed + cost->recovered > found;
    return other ? own_shape(p, err) : 0;
}

/* ---- play ---- */

static void play_changes(struct play *p, int before)
{
    const struct scenario *s = p->s;

    for (; p->done < s->n && s->change[p->done].before <= before; p->done++) {
        p->when[p->done] = before ? p->clock : -1;
        p->before[p->done] = p->latest[s->change[p->done].link];
        p->latest[s->change[p->done].link] = p->done;
        p->now[s->change[p->done].link] = s->change[p->done].latency;
        p->fresh = false;
    }
}

static int play_broadcast(struct play *p, const struct tick *t, struct err *err)
{
    const struct tree_shape *tree = p->by->tree ? p->by->tree : &p->own;
    struct wiring w;
    int ret;

    if (!p->fresh) {
        size_t n = 0;

        for (size_t k = 0; k < p->s->m; k++)
            if (!isinf(p->now[k]) && (p->by->tree || !isinf(p->believed[k]))) {
                p->wire[n] = p->s->wire[k];
                p->wire[n++].latency = p->now[k];
            }
        if (wiring_open(&w, p->s->where->n, p->wire, n, err) < 0)
            return -1;
        relay_close(&p->relay);
        ret = relay_open(&p->relay, &w, tree, p->by->root, t, err) < 0 ||
            relay_run(&p->relay, &p->by->how, true, err) < 0;
        wiring_release(&w);
        if (ret)
            return -1;
        p->fresh = true;
    }
    p->clock += p->relay.broadcast + p->by->pause;
    p->out->broadcasting += p->relay.broadcast;
    p->out->broadcast += tree->n - 1 - p->relay.lost;
    p->out->lost = p->relay.lost > p->out->lost ? p->relay.lost : p->out->lost;
    return 0;
}

static int play(struct play *p, const struct tick *t, struct err *err)
{
    const struct scenario *s = p->s;
    const size_t checks = p->by->every ? (size_t)((s->broadcasts - 1) / p->by->every) + 1 : 0;

    if (TAKE("the scenario", err, ARRAY(p->now, s->m + 1), ARRAY(p->believed, s->m + 1), ARRAY(p->when, s->n + 1),
             ARRAY(p->latest, s->m + 1), ARRAY(p->before, s->n + 1), ARRAY(p->measured, s->m + 1),
             ARRAY(p->asked, checks + 2), ARRAY(p->wire, s->m + 1),
             ARRAY(p->out->total, (size_t)s->broadcasts + 1)) < 0 || measured(p, err) < 0)
        return -1;
    for (size_t k = 0; k < s->m; k++) {
        p->now[k] = s->wire[k].latency;
        p->latest[k] = NONE;
    }
    play_changes(p, 0);
    if (play_build(p, t, err) < 0)
        return -1;
    p->out->total[0] = p->clock;
    for (int b = 1; b <= s->broadcasts; b++) {
        const struct tick part = tick_step(t, (size_t)b, (size_t)s->broadcasts + 1);

        play_changes(p, b);
        if ((p->by->every && (b - 1) % p->by->every == 0 && play_check(p, &part, err) < 0) ||
            play_broadcast(p, &part, err) < 0 || tick_check(&part, 0, err) < 0)
            return -1;
        p->out->total[b] = p->clock - b * p->by->pause;
    }
    if (p->by->probe > 0 && p->by->every)
        p->out->probes = 2 * p->measures * (floor(p->clock / p->by->probe) + 1);
    p->out->adapted = messages(&p->out->cost) - p->out->built;
    return 0;
}

int scenario_play(struct played *out, const struct scenario *s, const struct strategy *by, const struct tick *t,
                  struct err *err)
{
    struct play p = { .s = s, .by = by, .out = out };
    int ret;

    *out = (struct played){ .building = 0 };
    ret = play(&p, t, err);
    spanning_release(&p.spanning);
    tree_shape_release(&p.own);
    relay_close(&p.relay);
    FREE(p.now, p.believed, p.when, p.latest, p.before, p.measured, p.asked, p.wire);
    if (ret < 0)
        played_release(out);
    return ret;
}

void played_release(struct played *p)
{
    free(p->total);
    *p = (struct played){ .building = 0 };
}

double played_even(const struct played *p, const struct played *other, int broadcasts, int over)
{
    const double behind = p->total[broadcasts] - other->total[broadcasts];
    double gain;
    int b = broadcasts;

    if (behind >= 0) {
        if (over < 1 || over > broadcasts)
            return NAN;
        gain = other->total[broadcasts] - other->total[broadcasts - over] -
            (p->total[broadcasts] - p->total[broadcasts - over]);
        return gain > 0 ? broadcasts + floor(behind * over / gain) + 1 : INFINITY;
    }
    while (b > 0 && p->total[b - 1] < other->total[b - 1])
        b--;
    return b;
}
