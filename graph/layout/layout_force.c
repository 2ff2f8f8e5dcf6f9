/* For graphs without a form of their own: drawn distances like hop distances (embed.h).
 * 1. one part            turned and scaled: half of its links are longer than the unit
 * 2. nodes in one place  nodes with the same neighbours pushed apart, coincident ones seated in rows
 * 3. all parts           connected components, each longer side across, packed in rows, the largest first */
#include "graph/base/order.h"
#include "graph/layout/embed.h"
#include "graph/layout/layout.h"
#include "texts/layout.h"

#define TWINS 0.4               /* least distance of nodes with the same several neighbours */
#define TWINS_MOST 500          /* nodes: of more, dots are not to be told apart anyway */
#define CELL 0.02               /* nodes nearer to each other than this are set apart */

struct force {
    struct csr out, in;         /* in: directed networks only */
    int *node, *at;             /* nodes part by part; the place of a node in its part */
    double *x, *y;              /* in the order of node */
    int *first;                 /* parts + 1: where in `node` a part begins */
    int parts;
    double *length;             /* of links, while a part is scaled */
};

static int force_reach(struct force *f, const struct csr *c, int v, int tail)
{
    for (size_t e = c->first[v]; e < c->first[v + 1]; e++) {
        const int u = c->to[e];

        if (f->at[u] < 0) {
            f->at[u] = tail - f->first[f->parts];
            f->node[tail++] = u;
        }
    }
    return tail;
}

static void find_parts(struct force *f)
{
    int tail = 0;

    memset(f->at, 0xff, (size_t)f->out.n * sizeof *f->at);
    for (int s = 0; s < f->out.n; s++) {
        int head = tail;

        if (f->at[s] >= 0)
            continue;
        f->first[f->parts] = tail;
        f->at[s] = 0;
        f->node[tail++] = s;
        for (; head < tail; head++) {
            tail = force_reach(f, &f->out, f->node[head], tail);
            if (f->in.n)
                tail = force_reach(f, &f->in, f->node[head], tail);
        }
        f->first[++f->parts] = tail;
    }
}

/* ---- one part ---- */

/* Rotates the part about its centre: its longest extent across, its first node in the upper left quarter. */
static void force_turn(double *x, double *y, int n)
{
    double mx = 0, my = 0, xx = 0, xy = 0, yy = 0, angle, c, s;

    for (int i = 0; i < n; i++) {
        mx += x[i] / n;
        my += y[i] / n;
    }
    for (int i = 0; i < n; i++) {
        xx += (x[i] - mx) * (x[i] - mx);
        xy += (x[i] - mx) * (y[i] - my);
        yy += (y[i] - my) * (y[i] - my);
    }
    angle = atan2(2 * xy, xx - yy) / 2;
    c = cos(angle);
    s = sin(angle);
    for (int i = 0; i < n; i++) {
        const double dx = x[i] - mx, dy = y[i] - my;

        x[i] = c * dx + s * dy;
        y[i] = c * dy - s * dx;
    }
    for (int i = n - 1; i >= 0; i--) {
        x[i] *= x[0] > 0 ? -1 : 1;
        y[i] *= y[0] > 0 ? -1 : 1;
    }
}

/* Scales the part so that half of its links are longer than the unit. */
static void scale(struct force *f, int begin, int end)
{
    size_t n = 0;
    double median;

    for (int i = begin; i < end; i++)
        for (size_t e = f->out.first[f->node[i]]; e < f->out.first[f->node[i] + 1]; e++) {
            const int j = begin + f->at[f->out.to[e]];

            f->length[n++] = hypot(f->x[i] - f->x[j], f->y[i] - f->y[j]);
        }
    if (n == 0)
        return;
    qsort(f->length, n, sizeof *f->length, num_ascending_reals);
    median = f->length[n / 2];
    if (median > 0)
        for (int i = begin; i < end; i++) {
            f->x[i] /= median;
            f->y[i] /= median;
        }
}

/* ---- nodes in one place ---- */

static bool twins(const struct force *f, int u, int v)
{
    const struct csr *c = &f->out;
    const size_t n = c->first[u + 1] - c->first[u];

    return n > 1 && n == c->first[v + 1] - c->first[v] &&
        memcmp(c->to + c->first[u], c->to + c->first[v], n * sizeof *c->to) == 0;
}

/* Nodes with the same several neighbours, such as the spines of a Clos network, are equally far from all others, which
 * hold them in one place: they push each other apart. */
static void part_twins(struct force *f, int begin, int end)
{
    for (int pass = 0; pass < 50; pass++)
        for (int i = begin; i < end; i++)
            for (int j = begin; j < i; j++) {
                const double dx = f->x[i] - f->x[j], dy = f->y[i] - f->y[j], d = hypot(dx, dy);
                const double push = d > 0 ? (TWINS - d) / (2 * d) : 0;

                if (push <= 0 || !twins(f, f->node[i], f->node[j]))
                    continue;
                f->x[i] += push * dx;
                f->y[i] += push * dy;
                f->x[j] -= push * dx;
                f->y[j] -= push * dy;
            }
}

struct seat {
    double x, y;                /* of the cell, in cells */
    int i;
};

ORDER(by_cell, struct seat, UP(x) UP(y) UP(i))

/* Seats nodes that share a small square in rows in it; with `all`, also those that are alone in theirs. */
static void set_apart(struct force *f, int n, struct seat *seat, bool all)
{
    for (int i = 0; i < n; i++)
        seat[i] = (struct seat){ floor(f->x[i] / CELL), floor(f->y[i] / CELL), i };
    qsort(seat, (size_t)n, sizeof *seat, by_cell);
    for (int begin = 0, end; begin < n; begin = end) {
        int side = 1;

        for (end = begin; end < n && seat[end].x == seat[begin].x && seat[end].y == seat[begin].y; end++)
            ;
        while (side * side < end - begin)
            side++;
        for (int i = begin; (end - begin > 1 || all) && i < end; i++) {
            f->x[seat[i].i] = (seat[i].x + ((i - begin) / side + 0.5) / side) * CELL;
            f->y[seat[i].i] = (seat[i].y + ((i - begin) % side + 0.5) / side) * CELL;
        }
    }
}

/* ---- all parts ---- */

struct box {
    int part, n;
    double x, y, width, height; /* of its nodes; half a unit around them is kept free */
};

ORDER(larger, struct box, DOWN(n) UP(part))

static void force_measure(struct box *b, const struct force *f, int part)
{
    double right = -INFINITY, bottom = -INFINITY;

    *b = (struct box){ .part = part, .n = f->first[part + 1] - f->first[part], .x = INFINITY, .y = INFINITY };
    for (int i = f->first[part]; i < f->first[part + 1]; i++) {
        b->x = fmin(b->x, f->x[i]);
        b->y = fmin(b->y, f->y[i]);
        right = fmax(right, f->x[i]);
        bottom = fmax(bottom, f->y[i]);
    }
    b->width = right - b->x + 1;
    b->height = bottom - b->y + 1;
}

static void pack(struct force *f, struct box *box)
{
    double area = 0, row = 0, x = 0, y = 0, deep = 0;

    for (int p = 0; p < f->parts; p++) {
        force_measure(&box[p], f, p);
        area += box[p].width * box[p].height;
        row = fmax(row, box[p].width);
    }
    qsort(box, (size_t)f->parts, sizeof *box, larger);
    row = fmax(row, 1.5 * sqrt(area));
    for (int b = 0; b < f->parts; b++) {
        const int part = box[b].part;

        if (x > 0 && x + box[b].width > row) {
            x = 0;
            y += deep;
            deep = 0;
        }
        for (int i = f->first[part]; i < f->first[part + 1]; i++) {
            f->x[i] += x - box[b].x;
            f->y[i] += y - box[b].y;
        }
        x += box[b].width;
        deep = fmax(deep, box[b].height);
    }
}

static int force_arrange(struct force *f, uint64_t seed, struct err *err)
{
    const int n = f->out.n;
    struct seat *seat = NULL;
    struct box *box = NULL;
    int ret = -1;

    if (TAKE("the layout", err, ARRAY(seat, n), ARRAY(box, f->parts)) < 0)
        goto done;
    for (int p = 0; p < f->parts; p++) {
        const int begin = f->first[p], end = f->first[p + 1];
        const struct part part = { &f->out, f->in.n ? &f->in : NULL, f->node + begin, f->at, end - begin };

        if (embed(f->x + begin, f->y + begin, &part, seed, err) < 0)
            goto done;
        force_turn(f->x + begin, f->y + begin, end - begin);
        scale(f, begin, end);
        if (end - begin <= TWINS_MOST)
            part_twins(f, begin, end);
    }
    pack(f, box);
    set_apart(f, n, seat, n > EMBED_STRESS);
    ret = 0;
done:
    FREE(seat, box);
    return ret;
}

static int force_allocate(struct force *f, struct err *err)
{
    const size_t n = (size_t)f->out.n;
    int most = 0;

    if (mem_need((double)n * (3 * sizeof(int) + 2 * sizeof(double) + sizeof(struct seat) + sizeof(struct box)) +
                 (double)f->out.m * sizeof(double), "the layout", err) < 0)
        return -1;
    if (TAKE("the layout", err, ARRAY(f->node, n), ARRAY(f->at, n), ARRAY(f->first, n + 1), ARRAY(f->x, n),
             ARRAY(f->y, n), ARRAY(f->length, f->out.m + 1)) < 0)
        return -1;
    find_parts(f);
    for (int p = 0; p < f->parts; p++)
        if (f->first[p + 1] - f->first[p] > most)
            most = f->first[p + 1] - f->first[p];
    return mem_need(embed_bytes(most), "the layout", err);
}

static int force_place(struct layout *l, struct net *net, uint64_t seed, struct err *err)
{
    struct force f = { .parts = 0 };
    const igraph_t *graph;
    int ret = -1;

    if (net_graph(net, &graph, err) < 0 || csr_init(&f.out, graph, false, err) < 0 ||
        (net->directed && csr_init(&f.in, graph, true, err) < 0) || force_allocate(&f, err) < 0 ||
        force_arrange(&f, seed, err) < 0)
        goto done;
    for (int i = 0; i < l->n; i++) {
        l->x[f.node[i]] = f.x[i];
        l->y[f.node[i]] = f.y[i];
    }
    ret = 0;
done:
    csr_release(&f.out);
    csr_release(&f.in);
    FREE(f.node, f.at, f.first, f.x, f.y, f.length);
    return ret;
}

const struct layout_kind layout_force = {
    LAYOUT_FORCE_ENTRY,
    .hops = true,
    .bends = true,
    .place = force_place
};
