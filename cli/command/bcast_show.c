/* One broadcast looked at closely: its messages, its processes, the links that messages take; and messages drawn in
 * space and time, of steps too. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command/bcast.h"
#include "cli/request/look.h"
#include "graph/base/mem.h"

/* "B", and of several cables which: "B:2". */
static struct named_cell link_end(const char *column, const struct cycles_links *l, const struct net *net, int trunk,
                                  int link, char label[NET_LABEL])
{
    const size_t first = trunks_first(&l->trunks, (size_t)trunk);
    char *text;

    net_label(net, l->trunks.csr->to[trunk], label);
    if (link < 0 || trunks_cables(&l->trunks, (size_t)trunk) == 1)
        return cell_text(column, label);
    return cell_take(column, asprintf(&text, "%s:%zu", label, (size_t)link - first + 1) < 0 ? NULL : text);
}

static int root_of(const struct cycles_run *r, size_t m)
{
    return r->ways->root[r->start[cycles_broadcast(r, m)].root];
}

#define SHOW_KEYS(s, r, m) BCAST_OF(s, (s)->algorithm, true), cell_int("root", root_of(r, m))

/* ---- messages ---- */

static int message_row(const struct bcast_scene *s, const struct cycles_run *r, size_t m, struct err *err)
{
    const struct cycles_message *msg = &r->message[m];
    const size_t first = r->ways->first[cycles_way(r, m)], end = r->ways->first[cycles_way(r, m) + 1];
    const size_t stuck = cycles_waits_for(r, m), before = stuck != SIZE_MAX ? stuck : msg->before;
    const int hop = stuck != SIZE_MAX ? msg->hop : msg->longest_hop;        /* for good, or longest */
    const int trunk = hop < 0 ? -1 : r->ways->trunk[first + (size_t)hop];
    const struct cycles_links *l = r->ways->links;
    char from[NET_LABEL], to[NET_LABEL], behind[40] = "";

    if (before != SIZE_MAX)
        snprintf(behind, sizeof behind, "%d->%d", cycles_from(r, before), cycles_to(r, before));
    return job_row(s->j, ROW(
        SHOW_KEYS(s, r, m), cell_int("from_process", cycles_from(r, m)), cell_int("to_process", cycles_to(r, m)),
        cell_count("hops", (double)(end - first)), cell_real("started_cycles", msg->started),
        cell_real("delivered_cycles", msg->delivered),
        cell_real("waited_cycles", stuck != SIZE_MAX ? NAN : msg->waited), cell_int("collisions", msg->collisions),
        cell_text("link_from", trunk < 0 ? "" : net_label(s->net, l->from[trunk], from)),
        trunk < 0 ? cell_text("link_to", "") : link_end("link_to", l, s->net, trunk, -1, to),
        cell_text("behind", behind)), err);
}

/* ---- processes ---- */

static int process_row(const struct bcast_scene *s, const struct cycles_run *r, size_t m, struct err *err)
{
    const struct tree_shape *t = r->ways->tree;
    const int rank = cycles_rank(r, m), p = cycles_to(r, m);
    char node[NET_LABEL];
    double sent = NAN;

    for (int c = t->first[rank]; c < t->first[rank + 1]; c++)
        sent = fmax(sent, r->message[m - (size_t)rank + (size_t)t->child[c]].started);
    return job_row(s->j, ROW(
        SHOW_KEYS(s, r, m), cell_int("process", p), cell_text("node", net_label(s->net, s->place->where.node[p], node)),
        cell_real("received_cycles", r->message[m].delivered), cell_real("sent_cycles", sent)), err);
}

/* ---- links ---- */

struct crossing {
    double asked, got, free;
    size_t message, hop;
    int link;
};

static void crossing_got(void *arg, const struct cycles_run *r, const struct cycles_grant *g)
{
    struct crossing *c = arg;

    (void)r;
    c[g->hop] = (struct crossing){ g->asked, g->now, NAN, g->message, g->hop, g->link };
}

static void crossing_away(void *arg, const struct cycles_run *r, size_t message, size_t hop, int link, double at)
{
    (void)r;
    (void)message;
    (void)link;
    ((struct crossing *)arg)[hop].free = at;
}

static int crossing_earlier(const void *a, const void *b)
{
    const struct crossing *x = a, *y = b;

    if (x->asked != y->asked)
        return x->asked < y->asked ? -1 : 1;
    if (x->message != y->message)
        return x->message < y->message ? -1 : 1;
    return x->hop < y->hop ? -1 : x->hop > y->hop;
}

static int link_row(const struct bcast_scene *s, const struct cycles_run *r, const struct crossing *c, struct err *err)
{
    const int trunk = r->ways->trunk[c->hop];
    char from[NET_LABEL], to[NET_LABEL];

    return job_row(s->j, ROW(
        SHOW_KEYS(s, r, c->message), cell_int("from_process", cycles_from(r, c->message)),
        cell_int("to_process", cycles_to(r, c->message)),
        cell_text("link_from", net_label(s->net, r->ways->links->from[trunk], from)),
        link_end("link_to", r->ways->links, s->net, trunk, c->link, to), cell_real("asked_cycles", c->asked),
        cell_real("got_cycles", c->got), cell_real("free_cycles", c->free)), err);
}

static int show_links(const struct bcast_scene *s, struct bcast_run *b, struct err *err)
{
    const size_t n = b->ways.first[b->nstart * (size_t)b->ways.n];
    struct cycles_hooks hooks = { .got = crossing_got, .away = crossing_away };
    struct crossing *c;
    int ret;

    if (TAKE("schedule", err, ARRAY(c, n)) < 0)
        return -1;
    hooks.arg = c;
    for (size_t k = 0; k < n; k++)
        c[k] = (struct crossing){ INFINITY, INFINITY, INFINITY, 0, k, -1 };
    ret = cycles_run(&b->run, &hooks, &s->place->tick, err);
    qsort(c, n, sizeof *c, crossing_earlier);
    for (size_t k = 0; ret == 0 && k < n && c[k].link >= 0; k++)
        ret = link_row(s, &b->run, &c[k], err);
    free(c);
    return ret;
}

/* ---- the whole ---- */

int bcast_show(struct bcast_scene *s, struct bcast_run *b, struct err *err)
{
    const struct cycles_run *r = &b->run;
    int ret = s->j->which == BCAST_LINKS ? show_links(s, b, err) : cycles_run(&b->run, NULL, &s->place->tick, err);

    for (size_t m = 0; ret == 0 && m < b->nstart * (size_t)b->ways.n; m++) {
        if (s->j->which == BCAST_PROCESSES)
            ret = process_row(s, r, m, err);
        else if (cycles_rank(r, m) && s->j->which == BCAST_MESSAGES)
            ret = message_row(s, r, m, err);
        if (ret == 0 && cycles_rank(r, m))
            ret = bcast_arrow(s, root_of(r, m), cycles_from(r, m), cycles_to(r, m), r->message[m].started,
                              r->message[m].delivered, r->message[m].waited, err);
    }
    return ret;
}

/* ---- the figure ---- */

static const struct column arrow_columns[] = {
    PLAIN("topology"), PLAIN("processes"), PLAIN("algorithm"), PLAIN("ports"), PLAIN("root"),
    PLAIN("from_process"), PLAIN("to_process"), PLAIN("started"), PLAIN("delivered"), PLAIN("waited")
};
enum { ARROW_COLUMNS = sizeof arrow_columns / sizeof *arrow_columns };

/* The column of the table at hand whose unit times of arrows have. */
static int arrow_time(const struct job *j)
{
    return table_find(j->t, j->which == BCAST_MESSAGES ? "started_cycles" : "asked_cycles");
}

int bcast_arrow(const struct bcast_scene *s, int root, int from, int to, double started, double delivered,
                double waited, struct err *err)
{
    struct request *q = s->q;
    const int at = arrow_time(s->j);
    const double one = at >= 0 && s->j->t->asked ? s->j->t->asked[at].factor : 1;

    if (!q->common.plot || s->j->which == BCAST_PROCESSES)
        return 0;
    if (!q->arrow_column) {
        q->arrow_column = malloc(sizeof arrow_columns);
        if (!q->arrow_column)
            return err_memory(err);
        for (int i = 0; i < ARROW_COLUMNS; i++) {
            q->arrow_column[i] = arrow_columns[i];
            if (strcmp(arrow_columns[i].name, "delivered") == 0)
                q->arrow_column[i].unit = at < 0 ? "steps" : s->j->column[at].unit;
        }
        table_init(&q->arrow, NULL, q->arrow_column, ARROW_COLUMNS);
    }
    table_add(&q->arrow, ROW(
        cell_text("topology", s->net->spec), cell_int("processes", s->place->where.n),
        cell_text("algorithm", s->algorithm), cell_text("ports", s->ports), cell_int("root", root),
        cell_int("from_process", from), cell_int("to_process", to), cell_real("started", one * started),
        cell_real("delivered", one * delivered), cell_real("waited", one * waited)));
    if (q->arrow.why.code != ERR_NONE) {
        *err = q->arrow.why;
        return -1;
    }
    return 0;
}

int bcast_arrows_plot(struct job *j, struct err *err)
{
    static const char *const lanes[] = { "from_process", "to_process" },
                      *const panel[] = { "algorithm", "ports", "processes", "topology" }, *const root[] = { "root" };
    const struct request *q = j->request;
    const char *by[4];
    struct natural figure = { .kind = "timeline", .x = "started", .x_end = "delivered", .y = lanes, .ny = 2,
                              .z = j->which == BCAST_SCHEDULE ? NULL : "waited", .facet = by };

    if (!q->common.plot || !q->arrow_column)
        return 0;
    figure.nfacet = look_varying(by, &q->arrow, panel, 4);
    if (look_varies(&q->arrow, "root")) {
        figure.group = root;
        figure.ngroup = 1;
    }
    return plan_plot(&q->common, &q->arrow, &figure, err);
}
