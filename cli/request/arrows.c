#include "cli/request/arrows.h"
#include "cli/request/look.h"
#include "render/drawing/netplot.h"

enum { PANELS_MOST = 12 };

/* Rows of one panel from `first` on; how many. 0 with err. */
static size_t arrows_of(struct highlight *h, struct net *net, const struct table *t, size_t first, const char *by,
                        struct err *err)
{
    size_t r = first;

    for (; r < table_rows(t) && look_same(t, r, first, by) && look_same(t, r, first, "topology"); r++) {
        int *link = h->link[h->nlink];

        if (!*look_text(t, r, "from_node"))       /* what was refused */
            continue;
        if (net_node(net, look_text(t, r, "from_node"), &link[0], err) < 0 ||
            net_node(net, look_text(t, r, "to_node"), &link[1], err) < 0)
            return 0;
        link[2] = -1;
        if (h->nnode == 0) {                    /* rows begin at the root */
            h->node[0] = link[0];
            h->nnode = 1;
        }
        h->nlink += link[0] != link[1];
    }
    return r - first;
}

int arrows_draw(struct picture *f, const struct table *t, const char *by, struct err *err)
{
    struct net_drawing drawing[PANELS_MOST] = { { .title = NULL } };
    struct highlight h[PANELS_MOST] = { { .name = NULL } };
    char title[PANELS_MOST][200];
    struct netplot plot = { .drawing = drawing };
    const bool several = look_varies(t, "topology");
    bool rows_left = false;
    int ret = 0;

    if (t->why.code != ERR_NONE) {          /* some name is lacking */
        *err = t->why;
        return -1;
    }
    f->drawn = true;
    for (size_t r = 0, rows = 0; ret == 0 && r < table_rows(t) && plot.n < PANELS_MOST; r += rows) {
        const size_t k = plot.n++;

        snprintf(title[k], sizeof title[k], "%.80s%s%.100s", look_text(t, r, by), several ? ", " : "",
                 several ? look_text(t, r, "topology") : "");
        drawing[k] = (struct net_drawing){ .title = title[k], .highlight = &h[k], .nhighlight = 1 };
        h[k].name = strdup("messages, from the filled node on");
        ret = !h[k].name ? err_memory(err) : net_open(&drawing[k].what.net, look_text(t, r, "topology"), err) < 0 ||
            TAKE("the figure", err, ARRAY(h[k].link, table_rows(t)), ARRAY(h[k].node, 1)) < 0 ? -1 : 0;
        rows = ret < 0 ? 1 : arrows_of(&h[k], drawing[k].what.net, t, r, by, err);
        ret = ret < 0 || rows == 0 ? -1 : 0;
        rows_left = r + rows < table_rows(t);
    }
    if (plot.n == PANELS_MOST && rows_left)
        plot.note = "More networks and trees than have room here are left out.";
    if (ret == 0 && plot.n)
        ret = netplot_write(&plot, &f->o->page, f->o->plot, err);
    for (size_t k = 0; k < plot.n; k++) {
        net_close(drawing[k].what.net);
        FREE(h[k].name, h[k].link, h[k].node);
    }
    return ret;
}
