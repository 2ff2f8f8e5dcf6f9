#include "render/chart/equation.h"
#include "render/figure/axis.h"

#define MINUS "\xe2\x88\x92"
#define TIMES "\xc3\x97"
#define NOTHING 1e-10           /* of the largest y: a term as small as that is rounding */

struct text {
    char *out;
    size_t n;
};

static void equation_put(struct text *t, const char *s)
{
    for (; *s && t->n + 1 < EQUATION_TEXT; s++)
        t->out[t->n++] = *s;
    t->out[t->n] = '\0';
}

/* 2.1, or 2.1 x 10^6 where %g turns to powers; without sign. */
static void equation_put_number(struct text *t, double v, int digits)
{
    char number[64], power[32], *e;

    snprintf(number, sizeof number, "%.*g", digits, fabs(v));
    e = strchr(number, 'e');
    if (!e) {
        equation_put(t, number);
        return;
    }
    *e = '\0';
    snprintf(power, sizeof power, "%s%d", e[1] == '-' ? MINUS : "", abs(atoi(e + 1)));
    if (strcmp(number, "1") != 0) {
        equation_put(t, number);
        equation_put(t, TIMES);
    }
    equation_put(t, "10" RAISED);
    equation_put(t, power);
    equation_put(t, RAISED_END);
}

/* v, or " + v" after another term; a factor of 1 before `of` is left out. */
static void put_term(struct text *t, double v, const char *of, bool first, int digits)
{
    char number[64];
    bool one;

    snprintf(number, sizeof number, "%.*g", digits, fabs(v));
    one = *of && strcmp(number, "1") == 0;
    equation_put(t, first ? v < 0 ? MINUS : "" : v < 0 ? " " MINUS " " : " + ");
    if (!one)
        equation_put_number(t, v, digits);
    equation_put(t, *of && !one ? " " : "");
    equation_put(t, of);
}

/* The largest |x|, or |ln x|, that b was multiplied by. */
static double equation_reach(const struct regress *r)
{
    return r->kind->log_x ? fmax(fabs(log(r->lo)), fabs(log(r->hi))) : fmax(fabs(r->lo), fabs(r->hi));
}

/* Of a + b u + c u^2. */
static void put_sum(struct text *t, const struct regress *r, int digits)
{
    double most = equation_reach(r), least = NOTHING * r->size;
    const struct {
        double factor, most;
        const char *of;
    } term[] = {
        { r->a, 1, "" },
        { r->b, most, r->kind->log_x ? "ln x" : "x" },
        { r->c, most * most, "x" RAISED "2" RAISED_END },
    };
    bool first = true;

    for (size_t i = 0; i < sizeof term / sizeof *term; i++)
        if (term[i].factor != 0 && fabs(term[i].factor) * term[i].most > least) {
            put_term(t, term[i].factor, term[i].of, first, digits);
            first = false;
        }
    if (first)
        equation_put(t, "0");
}

const char *equation_text(char out[EQUATION_TEXT], const struct regress *r, int digits)
{
    struct text t = { out, 0 };

    digits = digits < 1 ? 1 : digits > 17 ? 17 : digits;
    equation_put(&t, "y = ");
    if (!r->kind->log_y) {
        put_sum(&t, r, digits);
        return out;
    }
    if (fabs(r->b) * equation_reach(r) <= NOTHING) {
        put_term(&t, r->a, "", true, digits);
    } else if (r->kind->log_x) {
        put_term(&t, r->a, "x" RAISED, true, digits);
        put_term(&t, r->b, "", true, digits);
        equation_put(&t, RAISED_END);
    } else {
        put_term(&t, r->a, "e" RAISED, true, digits);
        put_term(&t, r->b, "x" RAISED_END, true, digits);
    }
    return out;
}
