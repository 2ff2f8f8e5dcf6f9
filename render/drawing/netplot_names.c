/* netplot_names.c -- names of nodes (netplot_panel.h), and how many cables a line stands for.
 * 1. texts       a node's name, where it may be broken, and how narrow it then is
 * 2. places      in the node; beside it, on the side where its links leave most room; at the margins of a grid
 * 3. choice      the first way that has room for all, by a rehearsal: naming only some nodes would single them out */
#include "render/drawing/netplot_parts.h"

#define LABELS_MOST 2000        /* nodes: of more, nobody reads labels */
#define LEAST 6.0               /* size of letters, at scale 1 */
#define COUNT_LEAST 4.5         /* the same of numbers of cables, in points */
#define LONGEST 100             /* bytes of a name that is broken into lines */
#define NAME_ROOM (4 * LONGEST + NET_LABEL)
#define BREAK "\xe2\x80\x8b"    /* a zero-width space: a line may end there */
#define IN_CIRCLE 1.7           /* of its radius, how wide a line of text in it may be */

/* ---- texts ------------------------------------------------------------------------------------------- */

const char *netplot_label(const struct net *net, int v, char out[NET_LABEL])
{
    bool two = net->ndim > 1 && !net->name;
    size_t len = 0;

    for (int d = 0; d < net->ndim; d++)
        two = two && net->size[d] == 2;
    if (!two)
        return net_label(net, v, out);
    for (const char *at = net_label(net, v, out); *at; at++)
        if (*at != '.')
            out[len++] = *at;
    out[len] = '\0';
    return out;
}

/* The name with marks where it may be broken, if it is to be. */
static const char *node_text(char out[NAME_ROOM], const struct panel *p, size_t i, const struct netplot_names *n)
{
    const struct net *net = p->d->what.net;
    char label[NET_LABEL];
    const char *name = netplot_label(net, p->s->node[i].node, label);
    size_t len = 0;

    if (p->s->node[i].count > 1) {
        snprintf(out, NAME_ROOM, "x%d", p->s->node[i].count);
        return out;
    }
    if (n->how == NAMES_NUMBERS) {
        snprintf(out, NAME_ROOM, "%zu", i + 1);
        return out;
    }
    if (strlen(name) > LONGEST)
        return name;
    for (const char *at = name; *at; at++) {
        out[len++] = *at;
        if (n->lines > 1 && strchr("-._/:", *at))
            len += (size_t)sprintf(out + len, "%s", BREAK);
    }
    out[len] = '\0';
    return out;
}

/* The least width at which a text takes so many lines. */
static double wrapped_width(struct canvas *c, const char *text, double size, int lines)
{
    double piece[LONGEST], most = 0;
    size_t n = 0;

    for (const char *at = text; *at && n < LONGEST; n++) {
        const char *space = strchr(at, ' '), *mark = strstr(at, BREAK);
        const char *end = !space || (mark && mark < space) ? mark : space;
        const size_t len = end ? (size_t)(end - at) + (end == space) : strlen(at);
        char part[NAME_ROOM];
        const struct text t = { .text = part, .size = size };

        snprintf(part, sizeof part, "%.*s", (int)len, at);
        piece[n] = text_width(c, &t);
        most = fmax(most, piece[n]);
        at += len + (end && end == mark ? strlen(BREAK) : 0);
    }
    for (double width = fmax(most, 1);; width *= 1.05) {
        double line = 0;
        int used = 1;

        for (size_t i = 0; i < n; i++) {
            used += line > 0 && line + piece[i] > width;
            line = line > 0 && line + piece[i] <= width ? line + piece[i] : piece[i];
        }
        if (used <= lines)
            return width + 1;
    }
}

static struct text text_of(const struct panel *p, const char *name, const struct netplot_names *n)
{
    struct text t = { .text = name, .size = n->size };

    if (n->lines > 1) {
        t.width = wrapped_width(p->c, name, n->size, n->lines);
        t.lines = n->lines;
        t.centre = true;
    }
    return t;
}

/* ---- places ------------------------------------------------------------------------------------------ */

static bool put_inside(const struct panel *p, size_t i, struct text *t)
{
    const struct sketch_node *n = &p->s->node[i];
    const struct rect page = { 0, 0, p->c->width, p->c->height };
    double w, h;

    text_measure(p->c, t, &w, &h);
    if (w > IN_CIRCLE * p->radius + 0.5 || h > 2 * p->radius ||
        (t->lines > 1 && n->terminal && hypot(w, 0.85 * h) > 2 * p->radius))
        return false;
    t->halo = n->down;
    t->white = p->fill && rgb_luminance(p->fill[i]) < 0.3;
    return text_try(p->c, t, px(p, n->x), py(p, n->y), 0.5, 0.5, 0, &page, -0.02);
}

/* How far the direction (dx, dy) is turned from the nearest link of a node, as a cosine: 1 along it. */
static double along_links(const struct panel *p, size_t i, double dx, double dy)
{
    double most = -1;

    for (size_t e = 0; e < p->s->nlink; e++) {
        const struct sketch_link *l = &p->s->link[e];
        const struct sketch_node *from = &p->s->node[i], *to;
        double d;

        if ((size_t)l->a != i && (size_t)l->b != i)
            continue;
        to = &p->s->node[(size_t)l->a == i ? l->b : l->a];
        d = hypot(to->x - from->x, to->y - from->y);
        if (d > 0)
            most = fmax(most, (dx * (to->x - from->x) + dy * (to->y - from->y)) / d / hypot(dx, dy));
    }
    return most;
}

struct named_node {
    const struct panel *p;
    size_t node;
};

/* Is a name there nearer to another node than to its own? */
static bool is_nearer_to_another(const void *arg, const struct text *t, const struct text_spot *s)
{
    const struct named_node *named = arg;
    const struct panel *p = named->p;
    const struct rect box = text_spot_box(p->c, t, s);
    double own = INFINITY, other = INFINITY;

    for (size_t k = 0; k < p->s->n; k++) {
        const double in_x = px(p, p->s->node[k].x) - box.x, in_y = py(p, p->s->node[k].y) - box.y;
        const double dx = fmax(fmax(-in_x, in_x - box.w), 0), dy = fmax(fmax(-in_y, in_y - box.h), 0);
        double *least = k == named->node ? &own : &other;

        *least = fmin(hypot(dx, dy), *least);
    }
    return other < own + 1;
}

/* Beside its node, on the side farthest from links where no other text stands. */
static bool put_beside(const struct panel *p, size_t i, struct text *t)
{
    static const double side[8][4] = { { 0, 1, 0.5, 0 }, { 0, -1, 0.5, 1 }, { 1, 0, 0, 0.5 }, { -1, 0, 1, 0.5 },
        { 0.75, -0.75, 0, 1 }, { 0.75, 0.75, 0, 0 }, { -0.75, -0.75, 1, 1 }, { -0.75, 0.75, 1, 0 } };
    const double x = px(p, p->s->node[i].x), y = py(p, p->s->node[i].y), r = p->radius + 1;
    const struct rect page = { p->at.x - 5, p->at.y - 1, p->at.w + 10, p->at.h + 6 };
    const struct named_node named = { p, i };
    struct text_spot spot[8];

    t->halo = true;
    for (int k = 0; k < 8; k++)         /* those in front are preferred where much the same is free */
        spot[k] = (struct text_spot){ x + r * side[k][0], y + r * side[k][1], side[k][2], side[k][3], 0,
                                      round(4 * along_links(p, i, side[k][0], side[k][1])) + 0.1 * k };
    return text_place(p->c, t, spot, 8, &(struct text_placer){ &page, 0.3, is_nearer_to_another, &named }) < 8;
}

/* Names beside nodes keep off other nodes. */
static void keep_off_nodes(const struct panel *p)
{
    const double r = 0.9 * p->radius;

    for (size_t i = 0; i < p->s->n; i++)
        text_keep_off(p->c, &(struct rect){ px(p, p->s->node[i].x) - r, py(p, p->s->node[i].y) - r, 2 * r, 2 * r });
}

/* Puts names until one has no room, and is false then; with `all` false it passes over that one and goes on. */
static bool put_names(const struct panel *p, const struct netplot_names *n, bool all)
{
    bool whole = true;

    if (!n->inside)
        keep_off_nodes(p);
    for (size_t i = 0; i < p->s->n && (whole || !all); i++) {
        char room[NAME_ROOM];
        struct text t = text_of(p, node_text(room, p, i, n), n);

        whole = (n->inside ? put_inside(p, i, &t) : put_beside(p, i, &t)) && whole;
    }
    return whole;
}

/* Grids: nodes of the first row above, those of the first column at the left; every so many. */
static void put_margins(const struct panel *p, const struct netplot_names *n)
{
    const struct rect page = { 0, 0, p->c->width, p->c->height };
    const double r = p->radius + 2;

    for (size_t i = 0; i < p->s->n; i++) {
        const int row = (int)i / p->d->what.net->size[1], column = (int)i % p->d->what.net->size[1];
        const double x = px(p, p->s->node[i].x), y = py(p, p->s->node[i].y);
        char room[NAME_ROOM];
        const struct text t = text_of(p, node_text(room, p, i, n), n);

        if (column == 0 && row > 0 && row % n->every[0] == 0)
            text_try(p->c, &t, x - r, y, 1, 0.5, 0, &page, 0);
        else if (row == 0 && column % n->every[1] == 0)
            text_try(p->c, &t, x, y - r, 0.5, 1, 0, &page, 0);
    }
}

/* ---- choice ------------------------------------------------------------------------------------------ */

static double widest_name(const struct panel *p, const struct netplot_names *n)
{
    double most = 1;

    for (size_t i = 0; i < p->s->n; i++) {
        char room[NAME_ROOM];
        const struct text t = text_of(p, node_text(room, p, i, n), n);

        most = fmax(most, text_width(p->c, &t));
    }
    return most;
}

static bool fits(const struct panel *p, const struct netplot_names *n)
{
    const struct device *device = p->c->device;
    const size_t nbox = p->c->nbox;
    struct panel smaller = *p;
    bool all;

    if (n->radius > 0)
        smaller.radius = fmin(p->radius, n->radius);
    p->c->device = NULL;                /* a rehearsal */
    all = put_names(&smaller, n, true);
    p->c->device = device;
    p->c->nbox = nbox;
    return all;
}

/* Whether the first row and column of a grid can stand for the others. */
static bool has_margins(const struct panel *p)
{
    const struct net *net = p->d->what.net;

    return net->ndim == 2 && net->lines == LINES_GRID && !net->name && net->size[0] > 1 && net->size[1] > 1 &&
        p->s->layout.kind->rows;
}

/* In nodes as large as has room, beside them as large as has room. */
static bool try_sizes(const struct panel *p, struct netplot_names *n)
{
    static const struct {
        double size, radius;
    } beside[] = { { SIZE_NOTE, 5 }, { 6.5, 4 }, { LEAST, 4 }, { LEAST, 3 } };
    const double room = p->s->spacing * p->scale;

    for (n->lines = 1; n->lines <= (n->how == NAMES_FULL && p->d->what.net->name ? 3 : 1); n->lines++) {
        n->inside = true;
        n->radius = 0;
        n->size = SIZE_TICK;
        if (n->lines == 1)
            n->size = fmin(n->size, n->size * IN_CIRCLE * p->radius / widest_name(p, n));
        else
            n->size = LEAST;
        n->size = fmin(n->size, 0.85 * room / text_height(p->c, 1));
        if (n->size >= LEAST && fits(p, n))
            return true;
        n->inside = false;
        for (int k = 0; k < 4 && !has_margins(p); k++) {
            n->size = beside[k].size;
            n->radius = beside[k].radius * fmax(1, p->c->scale);
            if (n->size <= 0.85 * room / text_height(p->c, 1) && fits(p, n))
                return true;
        }
    }
    return false;
}

static int every(double needs, double has)
{
    static const int steps[] = { 1, 2, 4, 5, 8, 10, 16, 20, 32, 50, 64, 100 };
    int k = 0;

    while (k < 11 && needs > steps[k] * has)
        k++;
    return steps[k];
}

static bool try_margins(const struct panel *p, struct netplot_names *n)
{
    const double room = p->s->spacing * p->scale;

    if (!has_margins(p))
        return false;
    n->lines = 1;
    n->size = SIZE_NOTE;
    n->inside = false;
    n->radius = 0;
    n->every[0] = every(text_height(p->c, n->size), room);
    n->every[1] = every(widest_name(p, n) + 4, room);
    n->left = widest_name(p, n);
    n->top = text_height(p->c, n->size);
    return true;
}

struct netplot_names netplot_names_choose(const struct panel *p, enum netplot_naming from)
{
    struct netplot_names n = { .how = from };

    if (p->s->coarse || (p->s->n > LABELS_MOST && from < NAMES_MARGINS))
        n.how = NAMES_NONE;
    for (; n.how < NAMES_NONE; n.how++) {
        if (n.how == NAMES_MARGINS ? try_margins(p, &n) :
            (n.how == NAMES_FULL || (p->d->what.net->name && p->s->n <= NUMBERS_MOST)) && try_sizes(p, &n))
            break;
    }
    return n;
}

void netplot_names_draw(const struct panel *p, const struct netplot_names *n)
{
    if (n->how == NAMES_MARGINS)
        put_margins(p, n);
    else if (n->how != NAMES_NONE)
        put_names(p, n, false);
}

int netplot_equal_hosts(const struct sketch *s, size_t link)
{
    const int a = s->node[s->link[link].a].count, b = s->node[s->link[link].b].count;

    return a > b ? a : b;
}

void netplot_names_counts(const struct panel *p, const struct netplot_names *names)
{
    static const double along[] = { 0.5, 0.35, 0.65 };
    const double size = fmin(SIZE_NOTE, 0.3 * p->s->spacing * p->scale);
    const struct rect page = { 0, 0, p->c->width, p->c->height };

    if (p->s->coarse || size * p->c->scale < COUNT_LEAST)
        return;
    for (size_t i = 0; i < p->s->nlink; i++) {
        const struct sketch_link *l = &p->s->link[i];
        double x[LAYOUT_CURVE] = { p->s->node[l->a].x, p->s->node[l->b].x };
        double y[LAYOUT_CURVE] = { p->s->node[l->a].y, p->s->node[l->b].y };
        const int named = names->how == NAMES_NONE ? 1 : netplot_equal_hosts(p->s, i);
        const int n = l->count > named ? layout_bow(x, y, l->bend) : 0, from = n == 2 ? 0 : 3, to = n == 2 ? 1 : 6;
        char count[16];
        const struct text t = { .text = count, .size = size, .halo = true };
        struct text_spot spot[3];

        snprintf(count, sizeof count, "x%d", l->count);
        for (int k = 0; k < 3; k++)
            spot[k] = (struct text_spot){ px(p, x[from] + along[k] * (x[to] - x[from])),
                                          py(p, y[from] + along[k] * (y[to] - y[from])), 0.5, 0.5, 0, 0 };
        text_place(p->c, &t, spot, n ? 3 : 0, &(struct text_placer){ &page, 0.3, NULL, NULL });
    }
}
