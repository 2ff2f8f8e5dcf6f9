#include "cli/request/link_panels.h"
#include "cli/request/link_values.h"
#include "cli/request/look.h"
#include "render/drawing/netplot.h"

#define MOST_PANELS 36

struct panels {
    struct net *net[MOST_PANELS];
    struct net_drawing drawing[MOST_PANELS];
    double *value[MOST_PANELS];
    char title[MOST_PANELS][400];
    size_t n;
};

static void panels_release(struct panels *p)
{
    for (size_t i = 0; i < p->n; i++) {
        net_close(p->net[i]);
        free(p->value[i]);
    }
}

static bool same_panel(const struct table *t, const struct link_panels *what, size_t a, size_t b)
{
    for (size_t i = 0; i < what->ncolumn; i++)
        if (!look_same(t, a, b, what->column[i].name))
            return false;
    return true;
}

static void name_panel(char title[400], const struct table *t, const struct link_panels *what, size_t value, size_t row)
{
    size_t len = 0;

    title[0] = '\0';
    for (size_t i = 0; i < what->ncolumn && len < 400; i++) {
        const struct panel_column *c = &what->column[i];

        if (!look_varies(t, c->name) && !(c->needed && len == 0))
            continue;
        len += (size_t)snprintf(title + len, 400 - len, "%s", len ? ", " : "");
        if (len < 400 && c->format)
            len += (size_t)snprintf(title + len, 400 - len, c->format, look_real(t, row, c->name),
                                    t->column[table_find(t, c->name)].unit);
        else if (len < 400)
            len += (size_t)snprintf(title + len, 400 - len, "%s", look_text(t, row, c->name));
    }
    if (what->nvalue > 1 && len < 400)
        snprintf(title + len, 400 - len, "%s%s", len ? ", " : "", t->column[table_find(t, what->value[value])].heading);
}

/* The rows from..to of the table are one panel. */
static int add_panel(struct panels *p, const struct options *o, const struct table *t, const struct link_panels *what,
                     size_t which, size_t from, size_t to, struct err *err)
{
    double *value;
    struct net *net;

    if (net_open(&p->net[p->n], look_text(t, from, "topology"), err) < 0)
        return -1;
    net = p->net[p->n++];
    p->value[p->n - 1] = value = link_values_open(net, err);
    if (!value)
        return -1;
    for (size_t r = from; r < to; r++) {
        if (look_cell(t, r, "from")->type == CELL_NONE || look_cell(t, r, "to")->type == CELL_NONE)
            continue;                   /* into the network, or out of it */
        if (link_values_put(value, net, look_text(t, r, "from"), look_text(t, r, "to"),
                            look_real(t, r, what->value[which]), err) < 0)
            return -1;
    }
    link_values_settle(value, (int64_t)net_edges(net, err));
    name_panel(p->title[p->n - 1], t, what, which, from);
    p->drawing[p->n - 1] = (struct net_drawing){ .what = { .net = net, .seed = o->seed, .link_value = value },
                                                 .title = p->title[p->n - 1] };
    return 0;
}

int link_panels_figure(struct picture *f, const struct table *t, const struct link_panels *what, struct err *err)
{
    const struct options *o = f->o;
    const struct axis open = { .from = NAN, .to = NAN };
    struct netplot plot = { .node = open, .link = open, .width = open };
    struct panels p = { 0 };
    int ret = -1;

    f->drawn = true;
    if (chart_axis(&plot.link, what->title, what->unit) < 0) {
        err_memory(err);
        goto done;
    }
    for (size_t from = 0, to; from < table_rows(t); from = to) {
        for (to = from + 1; to < table_rows(t) && same_panel(t, what, from, to);)
            to++;
        if (look_cell(t, from, "from")->type == CELL_NONE)    /* refused */
            continue;
        for (size_t k = 0; k < what->nvalue; k++) {
            if (p.n == MOST_PANELS) {
                err_set(err, ERR_DOMAIN, "up to %d networks fit on one drawing; ask for less at a time", MOST_PANELS);
                goto done;
            }
            if (add_panel(&p, o, t, what, k, from, to, err) < 0)
                goto done;
        }
    }
    plot.link.from = 0;                 /* light grey is what carries nothing */
    if (what->parts)
        plot.link.to = 1;
    plot.drawing = p.drawing;
    plot.n = p.n;
    ret = p.n ? netplot_write(&plot, &o->page, o->plot, err) :
        err_set(err, ERR_DOMAIN, "there is nothing to draw: no row could be computed");
done:
    FREE(plot.link.title, plot.link.unit);
    panels_release(&p);
    return ret;
}
