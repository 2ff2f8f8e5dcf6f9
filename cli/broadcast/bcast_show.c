/* One broadcast looked at closely: its messages, its processes, the links that messages take; and messages drawn in
 * space and time, of steps too. */
#include "cli/broadcast/bcast.h"
#include "cli/request/look.h"
#include "graph/base/order.h"

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

#define SHOW_KEYS(s, r, m) BCAST_OF(s, (s)->algorithm, true), cell_int("root", cycles_root(r, m))

/* ---- messages ---- */

static int message_row(const struct bcast_scene *s, const struct cycles_run *r, size_t m, struct err *err)
{
    const struct cycles_message *msg = &r->message[m];
    const size_t first = r->ways->first[cycles_way(r, m)], end = r->ways->first[cycles_way(r, m) + 1];
    const size_t stuck = cycles_waits_for(r, m), before = stuck != SIZE_MAX ? stuck : msg->longest_holder;
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

static void crossing_got(void *arg, const struct cycles_run *, const struct cycles_grant *g)
{
    struct crossing *c = arg;

    c[g->hop] = (struct crossing){ g->asked, g->now, NAN, g->message, g->hop, g->link };
}

static void crossing_away(void *arg, const struct cycles_run *, size_t, size_t hop, int, double at)
{
    ((struct crossing *)arg)[hop].free = at;
}

ORDER(crossing_earlier, struct crossing, UP(asked) UP(message) UP(hop))

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
    struct cycles_hooks hooks = { .granted = crossing_got, .released = crossing_away };
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
    }
    return ret;
}

/* ---- the figure ---- */

/* A message of the rows: a row each, or one for each link that it took. */
struct arrow {
    size_t row;                 /* the first of it */
    double started, delivered, waited;
    bool stuck;
};

static void arrow_take(struct arrow *a, const struct table *t, size_t r, int which)
{
    const bool links = which == BCAST_LINKS, sends = strcmp(look_text(t, r, "operation"), "send") == 0,
        arrives = strcmp(look_text(t, r, "delivered"), "yes") == 0;
    const double step = look_real(t, r, "step"), asked = look_real(t, r, "asked_cycles"),
        started = which == BCAST_SCHEDULE ? sends ? step - 1 : NAN : links ? asked : look_real(t, r, "started_cycles"),
        delivered = which == BCAST_SCHEDULE ? arrives ? step : NAN :
            look_real(t, r, links ? "free_cycles" : "delivered_cycles");

    a->started = fmin(a->started, started);
    a->delivered = fmax(a->delivered, delivered);
    a->stuck = a->stuck || (which != BCAST_SCHEDULE && isnan(delivered));
    a->waited += links ? look_real(t, r, "got_cycles") - asked : look_real(t, r, "waited_cycles");
}

/* Messages in the order of their first rows. */
static int arrows_gather(struct arrow *arrow, size_t *n, const struct table *t, int which, struct err *err)
{
    struct names names = { 0 };
    char **key;
    int ret = 0, at;

    if (TAKE("schedule", err, ZEROS(key, table_rows(t) + 1)) < 0)
        return -1;
    for (size_t r = 0; ret == 0 && r < table_rows(t); r++) {
        if (asprintf(&key[*n], "%s\t%g\t%s\t%s\t%g\t%g\t%g", look_text(t, r, "topology"),
                     look_real(t, r, "processes"), look_text(t, r, "algorithm"), look_text(t, r, "ports"),
                     look_real(t, r, "root"), look_real(t, r, "from_process"), look_real(t, r, "to_process")) < 0) {
            key[*n] = NULL;
            ret = err_memory(err);
            break;
        }
        at = names_add(&names, key[*n], strlen(key[*n]), err);
        if (at < 0) {
            ret = -1;
        } else if ((size_t)at == *n) {
            arrow[(*n)++] = (struct arrow){ .row = r, .started = NAN, .delivered = NAN };
        } else {
            free(key[*n]);
            key[*n] = NULL;
        }
        if (ret == 0)
            arrow_take(&arrow[at], t, r, which);
    }
    names_release(&names);
    mem_free_list(key, table_rows(t) + 1);
    return ret;
}

static int arrows_draw(struct picture *f, const struct table *t, int which, struct err *err)
{
    static const char *const lanes[] = { "from_process", "to_process" },
                      *const panel[] = { "algorithm", "ports", "processes", "topology" }, *const root[] = { "root" };
    const char *by[4];
    struct natural figure = { .kind = "timeline", .x = "started", .x_end = "delivered", .y = lanes, .ny = 2,
                              .z = which == BCAST_SCHEDULE ? NULL : "waited", .facet = by };

    if (table_rows(t) == 0)
        return 0;
    figure.nfacet = look_varying(by, t, panel, 4);
    if (look_varies(t, "root")) {
        figure.group = root;
        figure.ngroup = 1;
    }
    return plan_figure(f, t, &figure, err);
}

int bcast_arrows_figure(struct picture *f, const struct table *t, int which, struct err *err)
{
    const int time = table_find(t, which == BCAST_MESSAGES ? "started_cycles" : "asked_cycles");
    const struct column column[] = {
        PLAIN("topology"), PLAIN("processes"), PLAIN("algorithm"), PLAIN("ports"), PLAIN("root"),
        PLAIN("from_process"), PLAIN("to_process"), PLAIN("started"),
        { "delivered", NULL, time < 0 ? "steps" : t->column[time].unit, 0, LOOSE }, PLAIN("waited")
    };
    struct arrow *arrow;
    struct table shown;
    size_t n = 0;
    int ret;

    if (TAKE("schedule", err, ARRAY(arrow, table_rows(t) + 1)) < 0)
        return -1;
    table_init(&shown, NULL, column, sizeof column / sizeof *column);
    ret = arrows_gather(arrow, &n, t, which, err);
    for (size_t i = 0; ret == 0 && i < n; i++) {
        const struct arrow *a = &arrow[i];
        const size_t r = a->row;

        if (which == BCAST_SCHEDULE && isnan(a->delivered))
            continue;
        table_add(&shown, ROW(
            cell_text("topology", look_text(t, r, "topology")), cell_count("processes", look_real(t, r, "processes")),
            cell_text("algorithm", look_text(t, r, "algorithm")), cell_text("ports", look_text(t, r, "ports")),
            cell_count("root", look_real(t, r, "root")), cell_count("from_process", look_real(t, r, "from_process")),
            cell_count("to_process", look_real(t, r, "to_process")), cell_real("started", a->started),
            cell_real("delivered", a->stuck ? NAN : a->delivered), cell_real("waited", a->waited)));
    }
    if (ret == 0)
        ret = arrows_draw(f, &shown, which, err);
    table_release(&shown);
    free(arrow);
    return ret;
}
