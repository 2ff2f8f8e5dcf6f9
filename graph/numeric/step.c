#include "graph/numeric/step.h"
#include "graph/base/base.h"

struct step step_nice(double lo, double hi, int most)
{
    double times = isfinite(hi - lo) ? 1 : 2;       /* what the wanted step is divided by, to be in range */
    double raw = (hi / times - lo / times) / most, unit;
    struct step s = { 1, 0 };

    if (!(raw > 0))
        return s;
    s.k = (int)floor(log10(raw) + log10(times));
    unit = raw / pow(10, s.k) * times;      /* 1..10 but for rounding */
    if (unit > 5 * (1 + 1e-9))
        s.k++;
    else
        s.m = unit > 2 * (1 + 1e-9) ? 5 : unit > 1 + 1e-9 ? 2 : 1;
    return s;
}

double step_value(double count, int k)
{
    char text[40];

    snprintf(text, sizeof text, "%.0fe%d", count, k);
    return strtod(text, NULL);
}

double step_at(struct step s, double count)
{
    return step_value(count * s.m, s.k);
}
