#include "graph/numeric/galois.h"

bool galois_order(int q, int *p)
{
    int f = 2;

    while (f * f <= q && q % f)
        f++;
    *p = f * f <= q ? f : q;
    while (q > 1 && q % *p == 0)
        q /= *p;
    return q == 1 && *p > 1;
}

/* a + sign b, digit by digit. */
static int galois_sum(const struct galois *f, int a, int b, int sign)
{
    int sum = 0;

    for (int digit = 1; a || b; digit *= f->p) {
        sum += digit * ((a % f->p + sign * (b % f->p) + f->p) % f->p);
        a /= f->p;
        b /= f->p;
    }
    return sum;
}

int galois_add(const struct galois *f, int a, int b)
{
    return f->p == f->q ? (a + b) % f->q : f->p == 2 ? a ^ b : galois_sum(f, a, b, 1);
}

int galois_negative(const struct galois *f, int a)
{
    return galois_sum(f, 0, a, -1);
}

/* Powers of x, where x^m is `low`; whether they are all elements but 0. */
static bool galois_powers(struct galois *f, int low)
{
    const int top = f->q / f->p;
    int e = 1;

    for (int i = 0; i < f->q - 1; i++) {
        const int times = e / top;          /* its leading digit is x^m times this */

        if (i && e == 1)
            return false;
        f->exp[i] = f->exp[i + f->q - 1] = e;
        f->log[e] = i;
        e = e % top * f->p;
        for (int k = 0; k < times; k++)
            e = galois_add(f, e, low);
    }
    return e == 1;
}

int galois_init(struct galois *f, int q, bool (*fits)(int q), struct err *err)
{
    int low = 1, below = q - 1, above = q + 1, p;

    if (!galois_order(q, &f->p) || (fits && !fits(q))) {
        while (below > 1 && (!galois_order(below, &p) || (fits && !fits(below))))
            below--;
        while (!galois_order(above, &p) || (fits && !fits(above)))
            above++;
        return below > 1 ? err_set(err, ERR_USAGE, "no such network has Q = %d; the nearest have %d and %d", q, below,
                                   above) :
            err_set(err, ERR_USAGE, "no such network has Q = %d; the nearest has %d", q, above);
    }
    f->q = q;
    while (!galois_powers(f, low))
        low++;
    return 0;
}
