/* Contour lines against closed forms and against a twin that looks at every cell by itself; levels; places for labels;
 * boundaries of maps. */
#include <string.h>

#include "graph/numeric/rng.h"
#include "render/map/contour.h"
#include "tests/support/check.h"

static void seeded(struct rng *rng)
{
    rng_seed(rng, check_seed());
}

static struct contour lines_of(const double *x, size_t nx, const double *y, size_t ny, const double *z, double level)
{
    struct err err = { 0 };
    struct contour c;

    assert_int_equal(contour_lines(&c, x, nx, y, ny, z, level, &err), 0);
    return c;
}

static double length_of(const struct contour *c, size_t l)
{
    const struct contour_line *line = &c->line[l];
    const struct xy *p = c->point + line->first;
    double sum = 0;

    for (size_t i = 0; i + !line->closed < line->n; i++)
        sum += hypot(p[(i + 1) % line->n].x - p[i].x, p[(i + 1) % line->n].y - p[i].y);
    return sum;
}

/* ---- closed forms ------------------------------------------------------------------------------------ */

static void a_plane_is_straight(void **state)
{
    const double x[] = { -1, 0, 0.5, 2, 2.25 }, y[] = { 3, 2, 0.5, 0 };     /* uneven; y falls */
    double z[20];
    struct contour c;

    (void)state;
    for (size_t j = 0; j < 4; j++)
        for (size_t i = 0; i < 5; i++)
            z[j * 5 + i] = x[i] + 2 * y[j];
    c = lines_of(x, 5, y, 4, z, 3.1);
    assert_int_equal(c.nline, 1);
    assert_false(c.line[0].closed);
    for (size_t i = 0; i < c.npoint; i++)
        check_near(c.point[i].x + 2 * c.point[i].y, 3.1, 1e-12);
    /* from x = -1, y = 2.05 to x = 2.25, y = 0.425 */
    check_near(length_of(&c, 0), hypot(3.25, 1.625), 1e-12);
    contour_release(&c);
}

/* Interpolating x^2 + y^2 over a step h reads at most h^2 / 4 too much: crossings lie that little within the circle. */
static void a_bowl_has_circles(void **state)
{
    enum { N = 101 };
    double x[N], *z = malloc(sizeof(double) * N * N), h = 4.0 / (N - 1), area = 0;
    struct contour c;

    (void)state;
    for (size_t i = 0; i < N; i++)
        x[i] = -2 + h * (double)i + 0.001;
    for (size_t k = 0; k < N * N; k++)
        z[k] = x[k % N] * x[k % N] + x[k / N] * x[k / N];
    c = lines_of(x, N, x, N, z, 1);
    assert_int_equal(c.nline, 1);
    assert_true(c.line[0].closed);
    for (size_t i = 0; i < c.npoint; i++) {
        struct xy p = c.point[i], q = c.point[(i + 1) % c.npoint];

        assert_true(p.x * p.x + p.y * p.y < 1 + 1e-12 && p.x * p.x + p.y * p.y > 1 - h * h / 4 - 1e-12);
        area += (p.x * q.y - q.x * p.y) / 2;
    }
    check_near(length_of(&c, 0), 2 * M_PI, 2 * M_PI * h * h / 2);
    check_near(area, -M_PI, M_PI * h * h);         /* inside, more than the level, is left: outside */
    contour_release(&c);
    free(z);
}

/* ---- examples ---------------------------------------------------------------------------------------- */

#define H NAN
static const struct example {
    const char *name;
    size_t nx, ny;
    double z[25], level;
    size_t open, closed;        /* lines */
    double length;              /* of all, on a grid of unit squares */
} examples[] = {
    { "saddle whose mean is the level is joined", 2, 2, { 1, 0, 0, 1 }, 0.5, 2, 0, 2 * M_SQRT1_2 },
    { "saddle with a high middle is joined", 2, 2, { 1, 0.4, 0.4, 1 }, 0.6, 2, 0, 2 * M_SQRT2 / 3 },
    { "saddle with a low middle is parted", 2, 2, { 1, 0, 0, 1 }, 0.75, 2, 0, 2 * M_SQRT2 / 4 },
    { "peak", 3, 3, { 0, 0, 0, 0, 2, 0, 0, 0, 0 }, 1, 0, 1, 4 * M_SQRT1_2 },
    { "peak as high as the level", 3, 3, { 0, 0, 0, 0, 1, 0, 0, 0, 0 }, 1, 0, 0, 0 },
    { "pit as deep as the level", 3, 3, { 1, 1, 1, 1, 0, 1, 1, 1, 1 }, 0, 0, 0, 0 },
    { "all at the level", 3, 3, { 1, 1, 1, 1, 1, 1, 1, 1, 1 }, 1, 0, 0, 0 },
    { "step up to the level", 3, 2, { 0, 1, 1, 0, 1, 1 }, 1, 1, 0, 1 },
    { "plateau at the level", 4, 4, { 0, 0, 0, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 0, 0, 0 }, 1, 0, 1, 4 },
    { "ridge at the level", 3, 4, { 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0 }, 1, 1, 0, 3 },
    { "ridge that ends at the level", 4, 3, { 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0 }, 1, 1, 0, 1 },
    { "ring at the level", 5, 5, { 0, 0, 0, 0, 0, 0, 1, 1, 1, 0, 0, 1, 0, 1, 0, 0, 1, 1, 1, 0, 0, 0, 0, 0, 0 }, 1,
      0, 2, 8 + 4 * M_SQRT2 },      /* cells inside are cut off at their one low corner */
    { "hill with a tail at the level", 5, 3, { 0, 0, 0, 0, 0, 0, 0, 2, 1, 1, 0, 0, 0, 0, 0 }, 1,
      1, 0, 1 + 2 * 1.1180339887498949 + 2 * M_SQRT1_2 },
    { "hole", 4, 3, { 0, 0, H, 0, 1, 1, 1, 1, 2, 2, 2, 2 }, 0.5, 1, 0, 1 },
    { "hole in the middle", 4, 4, { 0, 0, 0, 0, 1, H, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2 }, 0.5, 1, 0, 1 },
    { "infinities are holes", 3, 3, { 0, 0, 0, 1, 1, 1, 2, 2, INFINITY }, 0.5, 1, 0, 2 },
    { "infinity beside the line", 3, 2, { 0, 0, -INFINITY, 1, 1, 1 }, 0.5, 1, 0, 1 },
    { "nothing but holes", 2, 2, { H, H, H, H }, 0, 0, 0, 0 },
    { "level is not a number", 2, 2, { 0, 1, 0, 1 }, NAN, 0, 0, 0 },
    { "one row", 4, 1, { 0, 1, 0, 1 }, 0.5, 0, 0, 0 },
    { "one column", 1, 4, { 0, 1, 0, 1 }, 0.5, 0, 0, 0 },
    { "no grid", 0, 0, { 0 }, 0.5, 0, 0, 0 },
    { "wider than a double", 2, 2, { -1.7e308, 1.7e308, -1.7e308, 1.7e308 }, 0, 1, 0, 1 },
};

static void example_holds(void **state)
{
    static const double at[] = { 0, 1, 2, 3, 4 };
    const struct example *e = *state;
    struct contour c = lines_of(at, e->nx, at, e->ny, e->z, e->level);
    size_t closed = 0;
    double length = 0;

    for (size_t l = 0; l < c.nline; l++) {
        closed += c.line[l].closed;
        length += length_of(&c, l);
    }
    assert_int_equal(closed, e->closed);
    assert_int_equal(c.nline - closed, e->open);
    check_near(length, e->length, 1e-12);
    contour_release(&c);
}

/* ---- the twin ---------------------------------------------------------------------------------------- */

#define SIDE 13
struct map {
    size_t nx, ny;
    double x[SIDE], y[SIDE], z[SIDE * SIDE], level;
};
/* Lines as pairs of edges; edge 2v leads from node v to the right, 2v + 1 up. A crossing at a node is the edge
 * EDGES + v, whichever edge it was found on. */
#define EDGES (2 * SIDE * SIDE)
struct pair {
    size_t a, b;
};

static bool inside(const struct map *m, size_t v)
{
    return m->z[v] >= m->level;
}

static size_t other_end(const struct map *m, size_t edge)
{
    return edge % 2 ? edge / 2 + m->nx : edge / 2 + 1;
}

static size_t named(const struct map *m, size_t edge)
{
    size_t a = edge / 2, b = other_end(m, edge);

    return m->z[a] == m->level ? EDGES + a : m->z[b] == m->level ? EDGES + b : edge;
}

static struct xy crossing(const struct map *m, size_t edge)
{
    size_t a = edge / 2, b = other_end(m, edge);
    double t = (m->level - m->z[a]) / (m->z[b] - m->z[a]);

    if (edge >= EDGES)
        return (struct xy){ m->x[(edge - EDGES) % m->nx], m->y[(edge - EDGES) / m->nx] };
    return (struct xy){ m->x[a % m->nx] + t * (m->x[b % m->nx] - m->x[a % m->nx]),
                        m->y[a / m->nx] + t * (m->y[b / m->nx] - m->y[a / m->nx]) };
}

static int pair_order(const void *p, const void *q)
{
    const struct pair *s = p, *t = q;

    return s->a != t->a ? (s->a > t->a) - (s->a < t->a) : (s->b > t->b) - (s->b < t->b);
}

static size_t sort_unique(struct pair *v, size_t n)
{
    size_t m = 0;

    qsort(v, n, sizeof *v, pair_order);
    for (size_t i = 0; i < n; i++)
        if (m == 0 || pair_order(&v[m - 1], &v[i]) != 0)
            v[m++] = v[i];
    return m;
}

static void pair_add(struct pair *v, size_t *n, const struct map *m, size_t e, size_t f)
{
    size_t a = named(m, e), b = named(m, f);

    if (a != b)
        v[(*n)++] = (struct pair){ a < b ? a : b, a < b ? b : a };
}

/* Every corner that differs from both its neighbours is cut off, except that of two opposite pairs only the one that
 * differs from the middle is; no such corner: the line goes straight through. */
static void cell_pairs(struct pair *v, size_t *n, const struct map *m, size_t i, size_t j)
{
    size_t c = j * m->nx + i, corner[] = { c, c + 1, c + m->nx + 1, c + m->nx };
    size_t edge[] = { 2 * c, 2 * (c + 1) + 1, 2 * (c + m->nx), 2 * c + 1 };         /* edge k from corner k */
    double mean = 0;
    int cut = 0, crossed = 0;
    bool is[4];

    for (int k = 0; k < 4; k++) {
        if (!isfinite(m->z[corner[k]]))
            return;
        is[k] = inside(m, corner[k]);
        mean += m->z[corner[k]];
    }
    for (int k = 0; k < 4; k++)
        crossed += is[k] != is[(k + 1) % 4];
    for (int k = 0; k < 4; k++)
        if (is[k] != is[(k + 1) % 4] && is[k] != is[(k + 3) % 4] && (crossed == 2 || is[k] != (mean / 4 >= m->level))) {
            pair_add(v, n, m, edge[k], edge[(k + 3) % 4]);
            cut++;
        }
    if (crossed == 2 && cut == 0)
        pair_add(v, n, m, is[0] != is[1] ? edge[0] : edge[1], is[0] != is[1] ? edge[2] : edge[3]);
}

/* The edge, or node, that a point of a line lies on. */
static size_t find(const struct map *m, struct xy p)
{
    for (size_t v = 0; v < m->nx * m->ny; v++)
        if (m->z[v] == m->level && m->x[v % m->nx] == p.x && m->y[v / m->nx] == p.y)
            return EDGES + v;
    for (size_t e = 0; e < 2 * m->nx * m->ny; e++) {
        size_t a = e / 2, b = other_end(m, e);
        struct xy q;

        if ((e % 2 ? a / m->nx + 1 >= m->ny : a % m->nx + 1 >= m->nx) || !isfinite(m->z[a]) || !isfinite(m->z[b]) ||
            inside(m, a) == inside(m, b))
            continue;
        q = crossing(m, e);
        if (fabs(q.x - p.x) < 1e-9 && fabs(q.y - p.y) < 1e-9)
            return e;
    }
    fail_msg("a point at %g, %g where no edge is crossed", p.x, p.y);
    return 0;
}

static bool whole_cell(const struct map *m, size_t v)
{
    return isfinite(m->z[v]) && isfinite(m->z[v + 1]) && isfinite(m->z[v + m->nx]) && isfinite(m->z[v + m->nx + 1]);
}

/* Whether a line may end there: fewer than two whole cells at the edge, or a node at the level. */
static bool may_end(const struct map *m, size_t edge)
{
    size_t v = edge / 2, i = v % m->nx, j = v / m->nx;
    int cells = 0;

    if (edge >= EDGES)
        return true;
    cells += i + 1 < m->nx && j + 1 < m->ny && whole_cell(m, v);
    cells += edge % 2 ? i > 0 && whole_cell(m, v - 1) : j > 0 && whole_cell(m, v - m->nx);
    return cells < 2;
}

static void equals_twin(const struct map *m)
{
    static struct pair want[2 * SIDE * SIDE], got[4 * SIDE * SIDE];
    static int seen[EDGES];
    size_t nwant = 0, ngot = 0;
    struct contour c = lines_of(m->x, m->nx, m->y, m->ny, m->z, m->level);

    memset(seen, 0, sizeof seen);
    for (size_t j = 0; j + 1 < m->ny; j++)
        for (size_t i = 0; i + 1 < m->nx; i++)
            cell_pairs(want, &nwant, m, i, j);
    nwant = sort_unique(want, nwant);
    for (size_t l = 0; l < c.nline; l++) {
        const struct contour_line *line = &c.line[l];

        assert_true(line->n >= (line->closed ? 3 : 2));
        for (size_t k = 0; k < line->n; k++) {
            size_t a = find(m, c.point[line->first + k]), b = find(m, c.point[line->first + (k + 1) % line->n]);

            if (a < EDGES)
                assert_int_equal(++seen[a], 1);             /* crossed once */
            if (!line->closed && (k == 0 || k + 1 == line->n))
                assert_true(may_end(m, a));
            if (line->closed || k + 1 < line->n)
                got[ngot++] = (struct pair){ a < b ? a : b, a < b ? b : a };
        }
    }
    assert_int_equal(ngot, nwant);
    assert_int_equal(sort_unique(got, ngot), nwant);        /* none twice */
    assert_memory_equal(got, want, nwant * sizeof *got);
    contour_release(&c);
}

static void any_grid(void **state)
{
    struct rng rng;

    (void)state;
    seeded(&rng);
    for (int trial = 0; trial < 1500; trial++) {
        struct map m = { .nx = 2 + rng_below(&rng, SIDE - 1), .ny = 2 + rng_below(&rng, SIDE - 1) };
        uint64_t kinds = 2 + rng_below(&rng, 4), holes = rng_below(&rng, 3);
        bool whole = rng_below(&rng, 2);        /* few values, many of them at the level */

        for (size_t i = 0; i < SIDE; i++) {
            m.x[i] = (i ? m.x[i - 1] : -3) + 0.1 + check_uniform(&rng);
            m.y[i] = (i ? m.y[i - 1] : 8) - 0.1 - check_uniform(&rng);
        }
        for (size_t v = 0; v < m.nx * m.ny; v++)
            m.z[v] = rng_below(&rng, 12) < holes ? NAN : whole ? (double)rng_below(&rng, kinds) : check_uniform(&rng);
        m.level = whole ? (double)rng_below(&rng, kinds) : check_uniform(&rng);
        equals_twin(&m);
    }
}

/* ---- levels ------------------------------------------------------------------------------------------ */

static const struct level_example {
    const char *name;
    double lo, hi;
    size_t most;
    bool logarithmic;
    const char *levels;
} level_examples[] = {
    { "levels are round", 0, 10, 5, false, "2 4 6 8" },
    { "levels through zero", -1.1, 1.2, 5, false, "-1 -0.5 0 0.5 1" },
    { "levels far from zero", 1e9, 1e9 + 1, 4, false, "1000000000.5" },
    { "one level", 0, 10, 1, false, "" },
    { "one level in all doubles", -1.7e308, 1.7e308, 1, false, "0" },
    { "no range", 3, 3, 5, false, "" },
    { "backwards", 4, 3, 5, false, "" },
    { "to infinity", 0, INFINITY, 5, false, "" },
    { "no levels wanted", 0, 1, 0, false, "" },
    { "1, 2, 5", 1.5, 170, 10, true, "2 5 10 20 50 100" },
    { "decades", 1, 1e6, 8, true, "10 100 1000 10000 100000" },
    { "every second decade", 0.5, 2e6, 4, true, "1 100 10000 1000000" },
    { "all decades", 1e-300, 1e300, 8, true, "1e-200 1e-100 1 1e+100 1e+200" },
    { "less than two powers", 31, 49, 5, true, "35 40 45" },
    { "not positive", 0, 10, 5, true, "2 4 6 8" },
};

static void level_example_holds(void **state)
{
    const struct level_example *e = *state;
    double level[16];
    size_t n = e->logarithmic ? contour_levels_log(level, e->most, e->lo, e->hi) :
                                contour_levels(level, e->most, e->lo, e->hi);
    char got[300] = "";

    for (size_t i = 0; i < n; i++)
        snprintf(got + strlen(got), sizeof got - strlen(got), "%s%.12g", i ? " " : "", level[i]);
    assert_string_equal(got, e->levels);
}

static void any_levels(void **state)
{
    struct rng rng;

    (void)state;
    seeded(&rng);
    for (int trial = 0; trial < 20000; trial++) {
        double level[20], lo = (check_uniform(&rng) - 0.5) * pow(10, 600 * check_uniform(&rng) - 300);
        double hi = rng_below(&rng, 2) ? lo + fabs(lo) * pow(10, -20 * check_uniform(&rng)) :
                                         (check_uniform(&rng) - 0.5) * pow(10, 600 * check_uniform(&rng) - 300);
        size_t most = rng_below(&rng, 20), n = rng_below(&rng, 2) ? contour_levels(level, most, lo, hi) :
                                                                    contour_levels_log(level, most, lo, hi);

        assert_true(n <= most);
        for (size_t i = 0; i < n; i++)
            assert_true(level[i] > (i ? level[i - 1] : lo) && level[i] < hi);
        if (most >= 4 && hi / 2 - lo / 2 > 1e-6 * fabs(lo))
            assert_true(n >= 1);
    }
}

/* ---- labels ------------------------------------------------------------------------------------------ */

static const struct place_example {
    const char *name;
    struct xy p[6];
    size_t n;
    bool closed;
    double length, margin;
    bool found;
    struct xy at;
    double angle;
} place_examples[] = {
    { "middle of a straight line", { { 0, 1 }, { 3, 1 }, { 10, 1 } }, 3, false, 4, 1, true, { 5, 1 }, 0 },
    { "backwards reads forwards", { { 10, 1 }, { 0, 1 } }, 2, false, 4, 1, true, { 5, 1 }, 0 },
    { "upright", { { 2, 0 }, { 2, 10 } }, 2, false, 4, 1, true, { 2, 5 }, 90 },
    { "slanting", { { 0, 0 }, { -8, -8 } }, 2, false, 4, 1, true, { -4, -4 }, 45 },
    { "falling", { { 0, 0 }, { 8, -8 } }, 2, false, 4, 1, true, { 4, -4 }, -45 },
    { "as long as may be", { { 0, 0 }, { 6, 0 } }, 2, false, 4, 1, true, { 3, 0 }, 0 },
    { "too short", { { 0, 0 }, { 5.99, 0 } }, 2, false, 4, 1, false, { 0, 0 }, 0 },
    { "the one straight arm", { { 0, 0 }, { 1, 1 }, { 2, 0 }, { 3, 1 }, { 9, 1 } }, 5, false, 5, 0.5, true, { 5.5, 1 },
      0 },
    { "sharp turns only", { { 0, 0 }, { 1, 3 }, { 2, 0 }, { 3, 3 }, { 4, 0 } }, 5, false, 5, 0, false, { 0, 0 }, 0 },
    { "side of a box", { { 0, 0 }, { 2, 0 }, { 2, 6 }, { 0, 6 } }, 4, true, 6, 0, true, { 2, 3 }, 90 },
    { "side of a box from last to first", { { 2, 6 }, { 0, 6 }, { 0, 5 }, { 4, 3 }, { 9, 5 }, { 9, 6 } }, 6, true, 7, 0,
      true, { 5.5, 6 }, 0 },
    { "all points the same", { { 1, 1 }, { 1, 1 }, { 1, 1 } }, 3, true, 1, 0, false, { 0, 0 }, 0 },
    { "one point", { { 1, 1 } }, 1, false, 1, 0, false, { 0, 0 }, 0 },
};

static void place_example_holds(void **state)
{
    const struct place_example *e = *state;
    struct contour_place at;

    assert_int_equal(contour_place(&at, e->p, e->n, e->closed, e->length, e->margin), e->found);
    if (!e->found)
        return;
    check_near(at.angle, e->angle, 1e-9);
    check_near(at.to - at.from, e->length, 1e-12);
    check_near(at.at.y, e->at.y, 1e-9);
    check_near(at.at.x, e->at.x, 1e-9);
}

static void circles_hold_labels_that_bend_little(void **state)
{
    struct xy p[400];
    struct contour_place at;

    (void)state;
    EACH_ROW(i, p)
        p[i] = (struct xy){ 10 * cos(2 * M_PI * (double)i / COUNT(p)), 10 * sin(2 * M_PI * (double)i / COUNT(p)) };
    assert_true(contour_place(&at, p, COUNT(p), true, 10.5, 2));
    check_near(hypot(at.at.x, at.at.y), 10, 0.01);
    /* along the tangent */
    check_near(cos(at.angle * M_PI / 180) * at.at.x + sin(at.angle * M_PI / 180) * at.at.y, 0, 0.1);
    assert_false(contour_place(&at, p, COUNT(p), true, 11.8, 2));
}

static struct xy point_at(const struct xy *p, size_t n, bool closed, double from)
{
    for (size_t i = 0;; i++) {
        struct xy a = p[i % n], b = p[(i + 1) % n];
        double d = hypot(b.x - a.x, b.y - a.y);

        if (from <= d || (!closed && i + 2 >= n))
            return (struct xy){ a.x + from / d * (b.x - a.x), a.y + from / d * (b.y - a.y) };
        from -= d;
    }
}

static double chord_at(const struct xy *p, size_t n, bool closed, double from, double length)
{
    struct xy a = point_at(p, n, closed, from), b = point_at(p, n, closed, from + length);

    return hypot(b.x - a.x, b.y - a.y);
}

/* No stretch among many tried is straighter than the one chosen. */
static void any_line_has_its_straightest_stretch(void **state)
{
    struct rng rng;

    (void)state;
    seeded(&rng);
    for (int trial = 0; trial < 2000; trial++) {
        struct xy p[12];
        size_t n = 2 + rng_below(&rng, 11);
        bool closed = n > 2 && rng_below(&rng, 2), found;
        double total = 0, length, margin, best = 0, to;
        struct contour_place at;

        for (size_t i = 0; i < n; i++)
            p[i] = (struct xy){ 3 * check_uniform(&rng) + 2 * (double)i, 3 * check_uniform(&rng) };
        for (size_t i = 0; i + !closed < n; i++)
            total += hypot(p[(i + 1) % n].x - p[i].x, p[(i + 1) % n].y - p[i].y);
        length = total * check_uniform(&rng) / 2;
        margin = total * check_uniform(&rng) / 4;
        to = closed ? total : total - margin - length;
        for (int i = 0; i <= 500; i++)
            best = fmax(best, chord_at(p, n, closed, closed ? to * i / 500 : margin + (to - margin) * i / 500, length));
        found = contour_place(&at, p, n, closed, length, margin);
        if (!found) {
            assert_true(best < 0.95 * length + 1e-9);
            continue;
        }
        assert_true(chord_at(p, n, closed, at.from, length) >= best - 1e-6);
        assert_true(at.angle >= -90 && at.angle <= 90);
        assert_true(at.from >= (closed ? 0 : margin) - 1e-9 && at.from <= to + 1e-9);
    }
}

/* ---- maps -------------------------------------------------------------------------------------------- */

static const struct map_example {
    const char *name;
    size_t nx, ny;
    int cell[16];
    size_t open, closed, points;
} map_examples[] = {
    { "one category", 2, 2, { 1, 1, 1, 1 }, 0, 0, 0 },
    { "two halves", 2, 3, { 1, 2, 1, 2, 1, 2 }, 1, 0, 2 },
    { "corner", 2, 2, { 1, 2, 2, 2 }, 1, 0, 3 },
    { "chequered", 2, 2, { 1, 2, 2, 1 }, 4, 0, 8 },
    { "three meet", 2, 2, { 1, 2, 3, 3 }, 3, 0, 6 },
    { "island", 3, 3, { 0, 0, 0, 0, -7, 0, 0, 0, 0 }, 0, 1, 4 },
    { "island of two halves", 4, 3, { 0, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 0 }, 3, 0, 4 + 4 + 2 },
    { "islands that touch", 4, 4, { 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0 }, 2, 0, 10 },
    { "no cells", 0, 0, { 0 }, 0, 0, 0 },
};

static struct contour boundaries(const int *cell, size_t nx, size_t ny)
{
    static const double at[] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9 };
    struct err err = { 0 };
    struct contour c;

    assert_int_equal(contour_partition(&c, at, nx, at, ny, cell, &err), 0);
    return c;
}

static void map_example_holds(void **state)
{
    const struct map_example *e = *state;
    struct contour c = boundaries(e->cell, e->nx, e->ny);
    size_t closed = 0;

    for (size_t l = 0; l < c.nline; l++)
        closed += c.line[l].closed;
    assert_int_equal(closed, e->closed);
    assert_int_equal(c.nline - closed, e->open);
    assert_int_equal(c.npoint, e->points);
    contour_release(&c);
}

/* Every wall between different cells is drawn once, and nothing else. */
static void any_map(void **state)
{
    struct rng rng;

    (void)state;
    seeded(&rng);
    for (int trial = 0; trial < 2000; trial++) {
        size_t nx = 1 + rng_below(&rng, 9), ny = 1 + rng_below(&rng, 9);
        uint64_t kinds = 2 + rng_below(&rng, 2);
        int cell[81], up[10][10] = { 0 }, along[10][10] = { 0 };
        struct contour c;

        for (size_t k = 0; k < nx * ny; k++)
            cell[k] = (int)rng_below(&rng, kinds);
        c = boundaries(cell, nx, ny);
        for (size_t l = 0; l < c.nline; l++)
            for (size_t k = 0; k + !c.line[l].closed < c.line[l].n; k++) {
                struct xy a = c.point[c.line[l].first + k], b = c.point[c.line[l].first + (k + 1) % c.line[l].n];

                assert_true((a.x == b.x) != (a.y == b.y));
                for (double v = fmin(a.x, b.x); v < fmax(a.x, b.x); v++)
                    along[(int)a.y][(int)v]++;
                for (double v = fmin(a.y, b.y); v < fmax(a.y, b.y); v++)
                    up[(int)v][(int)a.x]++;
            }
        for (size_t j = 0; j < ny; j++)
            for (size_t i = 0; i < nx; i++) {
                assert_int_equal(up[j][i], i > 0 && cell[j * nx + i] != cell[j * nx + i - 1]);
                assert_int_equal(along[j][i], j > 0 && cell[j * nx + i] != cell[(j - 1) * nx + i]);
            }
        contour_release(&c);
    }
}

int main(void)
{
    struct CMUnitTest tests[100] = {
        cmocka_unit_test(a_plane_is_straight), cmocka_unit_test(a_bowl_has_circles), cmocka_unit_test(any_grid),
        cmocka_unit_test(any_levels), cmocka_unit_test(circles_hold_labels_that_bend_little),
        cmocka_unit_test(any_line_has_its_straightest_stretch), cmocka_unit_test(any_map),
    };
    size_t n = 0;

    while (tests[n].test_func)          /* those listed above */
        n++;

    EACH_ROW(i, examples)
        tests[n++] = (struct CMUnitTest){ .name = examples[i].name, .test_func = example_holds,
                                          .initial_state = (void *)&examples[i] };
    EACH_ROW(i, level_examples)
        tests[n++] = (struct CMUnitTest){ .name = level_examples[i].name, .test_func = level_example_holds,
                                          .initial_state = (void *)&level_examples[i] };
    EACH_ROW(i, place_examples)
        tests[n++] = (struct CMUnitTest){ .name = place_examples[i].name, .test_func = place_example_holds,
                                          .initial_state = (void *)&place_examples[i] };
    EACH_ROW(i, map_examples)
        tests[n++] = (struct CMUnitTest){ .name = map_examples[i].name, .test_func = map_example_holds,
                                          .initial_state = (void *)&map_examples[i] };
    return _cmocka_run_group_tests("contour", tests, n, NULL, NULL);
}
