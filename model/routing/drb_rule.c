#include "model/routing/drb_rule.h"

void drb_rule_band(double *threshold, double *tolerance, const struct drb_rule *r, double idle)
{
    *threshold = isnan(r->threshold) ? idle : r->threshold;
    *tolerance = isnan(r->tolerance) ? *threshold / 2 : r->tolerance;
}

int drb_rule_side(const struct drb_rule *r, double latency, double idle)
{
    double threshold, tolerance;

    drb_rule_band(&threshold, &tolerance, r, idle);
    return (latency > threshold + tolerance) - (latency < threshold - tolerance);
}

/* Bandwidth that n steps stand for, in parts of that of the idle static path. */
static double drb_rule_worth(const struct drb_rule *r, int n)
{
    return r->step * n * (n + 1) / 2;
}

int drb_rule_next(const struct drb_rule *r, int at, int n, double latency, double idle)
{
    const double ratio = idle / latency;            /* B / Bc */
    const int side = drb_rule_side(r, latency, idle), room = side > 0 ? n - 1 - at : side < 0 ? at : 0;
    int by = 0;

    if (side > 0)
        for (by = room > 0; !r->one && by < room && !(ratio + drb_rule_worth(r, by) > 1); by++)
            ;
    else
        while (by < (r->one ? 1 : room) && by < room && ratio - drb_rule_worth(r, by + 1) > 1)
            by++;
    return at + side * by;
}

int drb_rule_recall(struct drb_past *p, const struct drb_rule *r, int at, int next, double latency, double idle)
{
    const size_t room = (size_t)r->history, known = p->n < room ? p->n : room;
    const int side = drb_rule_side(r, latency, idle);
    double threshold, tolerance;

    drb_rule_band(&threshold, &tolerance, r, idle);
    if (side > 0 && !p->away) {
        size_t k = 1;

        while (k <= known && fabs(p->served[(p->n - k) % room].rose - latency) > tolerance)
            k++;
        if (k <= known && p->served[(p->n - k) % room].at > next)
            next = p->served[(p->n - k) % room].at;
        p->away = true;
        p->rose = latency;
    } else if (next < at && p->away) {
        p->served[p->n % room].rose = p->rose;
        p->served[p->n++ % room].at = p->held ? at : next;
        p->away = false;
    }
    p->held = next == at && (p->held || side == 0);
    return next;
}

double drb_rule_shares(double *share, const double *latency, size_t n, double all)
{
    double bandwidth = 0;

    for (size_t i = 0; i < n; i++)
        bandwidth += 1 / latency[i];
    for (size_t i = 0; i < n; i++)
        share[i] = all / latency[i] / bandwidth;
    return 1 / bandwidth;
}
