#include "render/figure/panels.h"

void panels_arrange(size_t *columns, size_t *rows, const struct chart *chart, double width, double height,
                    double pleasant)
{
    const size_t n = chart->npanel ? chart->npanel : 1;
    double best = INFINITY;

    *columns = !chart->columns ? 1 : chart->columns < n ? chart->columns : n;
    for (size_t c = 1; !chart->columns && c <= n; c++) {
        const size_t r = (n + c - 1) / c;
        const double shape = width / (double)c / (height / (double)r);
        const double cost = fabs(log(shape / pleasant)) + 0.5 * (double)(r * c - n) / (double)n;

        if (cost < best) {
            best = cost;
            *columns = c;
        }
    }
    *rows = (n + *columns - 1) / *columns;
}

int panels_refuse(size_t npanel, const struct canvas *canvas, struct err *err)
{
    return err_set(err, ERR_DOMAIN, "%zu panels do not fit on %.0f x %.0f mm; choose fewer, or a larger --size", npanel,
                   canvas->width * 25.4 / 72, canvas->height * 25.4 / 72);
}

void panels_left_out(char out[160], size_t infinite, size_t negative, bool more)
{
    char first[40] = "", second[80] = "";

    if (infinite)
        snprintf(first, sizeof first, "%zu infinite", infinite);
    if (negative)
        snprintf(second, sizeof second, "%zu not positive, on a logarithmic axis", negative);
    *out = '\0';
    if (infinite || negative)
        snprintf(out, 160, "Points not shown: %s%s%s.%s", first, infinite && negative ? "; " : "", second,
                 more ? " " : "");
}
