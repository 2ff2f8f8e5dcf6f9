#include "graph/topology/about.h"
#include "graph/numeric/galois.h"

#define FACTOR 4

/* The step-th size, larger with every step; false: there is none, or its switches have more ports. */
typedef bool about_size(struct about *a, int dims, int step, int radix);

/* Hosts of switches with k cables: as many as usual, or what is left of `radix` ports; 0 where that is not half as
 * many. */
static int hosts_left(struct about *a, double switches, int k, int usual, int radix)
{
    const int left = radix && k + usual > radix ? radix - k : usual, hosts = 2 * left < usual ? 0 : left;

    a->switches = switches;
    a->terminals = switches * hosts;
    a->ports = k + hosts;
    return hosts;
}

static bool direct(struct about *a, double switches, int k, int radix)
{
    const size_t len = strlen(a->spec);
    const int hosts = hosts_left(a, switches, k, (k + 1) / 2, radix);

    snprintf(a->spec + len, sizeof a->spec - len, ",hosts=%d", hosts);
    return hosts > 0;
}

/* Sides that differ by one at most, longest first; of a HyperX every two of a line are joined. */
static bool grid(struct about *a, const char *name, bool full, int dims, int step, int radix)
{
    size_t len = (size_t)snprintf(a->spec, sizeof a->spec, "%s:", name);
    double switches = 1;
    int k = 0;

    for (int d = 0; d < dims; d++) {
        const int side = 2 + step / dims + (d < step % dims);

        switches *= side;
        k += full ? side - 1 : side > 2 ? 2 : 1;
        len += (size_t)snprintf(a->spec + len, sizeof a->spec - len, "%s%d", d ? "x" : "", side);
    }
    return direct(a, switches, k, radix);
}

static bool size_torus(struct about *a, int dims, int step, int radix)
{
    return grid(a, "torus", false, dims, step, radix);
}

static bool size_hyperx(struct about *a, int dims, int step, int radix)
{
    return grid(a, "hyperx", true, dims, step, radix);
}

static bool size_fattree(struct about *a, int, int step, int radix)
{
    const double k = 2 + 2 * step;

    *a = (struct about){ .terminals = k * k * k / 4, .switches = 5 * k * k / 4, .ports = (int)k };
    snprintf(a->spec, sizeof a->spec, "fattree:%d", a->ports);
    return !radix || a->ports <= radix;
}

static bool size_dragonfly(struct about *a, int, int step, int radix)
{
    const int h = step + 1, p = hosts_left(a, 2.0 * h * (2.0 * h * h + 1), 3 * h - 1, h, radix);

    snprintf(a->spec, sizeof a->spec, "dragonfly,a=%d,p=%d,h=%d", 2 * h, p, h);
    return p > 0;
}

static bool size_megafly(struct about *a, int, int step, int radix)
{
    const double n = step + 1, groups = n * n + 1;
    const int l = step + 1;

    *a = (struct about){ .terminals = groups * n * n, .switches = groups * 2 * n, .ports = 2 * l };
    snprintf(a->spec, sizeof a->spec, "megafly,l=%d,s=%d,h=%d,hosts=%d", l, l, l, l);
    return !radix || a->ports <= radix;
}

static bool size_slimfly(struct about *a, int, int step, int radix)
{
    const int q = step + 3, d = q % 4 == 3 ? -1 : q % 4;
    int p;

    a->switches = 2.0 * q * q;
    snprintf(a->spec, sizeof a->spec, "slimfly:%d", q);
    return direct(a, a->switches, (3 * q - d) / 2, radix) && q % 4 != 2 && galois_order(q, &p);
}

static bool size_polarfly(struct about *a, int, int step, int radix)
{
    const int q = step + 2;
    int p;

    snprintf(a->spec, sizeof a->spec, "polarfly:%d", q);
    return direct(a, (double)q * q + q + 1, q + 1, radix) && galois_order(q, &p);
}

static const struct {
    const char *family;
    int least, most;            /* dimensions */
    about_size *size;
} rows[] = {
    { "torus", 2, 2, size_torus }, { "torus", 3, 3, size_torus }, { "hyperx", 2, 3, size_hyperx },
    { "fattree", 1, 1, size_fattree }, { "dragonfly", 1, 1, size_dragonfly }, { "megafly", 1, 1, size_megafly },
    { "slimfly", 1, 1, size_slimfly }, { "polarfly", 1, 1, size_polarfly }, { "random", 1, 1, NULL }
};
enum { FATTREE = 3, ROWS = sizeof rows / sizeof *rows };

const char *about_family(int row)
{
    return row < ROWS ? rows[row].family : NULL;
}

static void write_random(struct about *a, double switches, int ports, int hosts)
{
    const int degree = ports - hosts - (fmod(switches, 2) > 0 && (ports - hosts) % 2);

    *a = (struct about){ .terminals = switches * hosts, .switches = switches, .ports = degree + hosts };
    snprintf(a->spec, sizeof a->spec, "random:%.0f,degree=%d,hosts=%d", switches, degree, hosts);
}

bool about_random(struct about *out, const struct about *as)
{
    const double hosts = fmax(1, round(as->terminals / as->switches));

    write_random(out, as->switches, as->ports, (int)hosts);
    return (out->ports - hosts) * out->switches >= 2 * (out->switches - 1);
}

int about_find(struct about *out, int row, double terminals, int radix, struct err *err)
{
    const int of = rows[row].size ? row : FATTREE;
    struct about best = { .terminals = NAN };
    double least = INFINITY;

    for (int dims = rows[of].least; dims <= rows[of].most; dims++)
        for (int step = 0;; step++) {
            struct about a = { .terminals = 0 };
            const bool is = rows[of].size(&a, dims, step, radix);
            const double off = fabs(log(a.terminals / terminals));

            if (is && (off < least - 1e-12 || (off < least + 1e-12 && a.switches < best.switches))) {
                best = a;
                least = off;
            }
            if (a.switches > 8 * FACTOR * terminals + 100)
                break;
        }
    if (!rows[row].size && isfinite(least)) {
        const int ports = best.ports < 4 ? 4 : best.ports, hosts = ports - 2 * ports / 3;

        write_random(&best, fmax(ports - hosts + 1, round(terminals / hosts)), ports, hosts);
        least = fabs(log(best.terminals / terminals));
    }
    if (!isfinite(least))
        return err_set(err, ERR_NETWORK, "%s has no size whose switches have %d ports or fewer", rows[row].family,
                       radix);
    if (least > log(FACTOR))
        return err_set(err, ERR_NETWORK, "%s has no size within a factor of %d of %.0f terminals; the nearest, %s, has "
                       "%.0f", rows[row].family, FACTOR, terminals, best.spec, best.terminals);
    *out = best;
    return 0;
}
