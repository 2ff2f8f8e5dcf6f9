#include "cli/command/compare_prices.h"
#include "graph/base/csv.h"

static const char *const class_name[] = { "switch", "host", "group", "global" };
#define CLASSES 4

/* One line of the file; what stands above it are rows already. */
static int price_line(struct price *row, size_t above, const struct csv *csv, const int column[4], struct err *err)
{
    const char *what = csv_at(csv, above, column[0]), *class = csv_at(csv, above, column[1]);
    struct price *p = &row[above];
    int64_t radix = 0;

    *p = (struct price){ 0 };
    if (strcmp(what, class_name[0]) == 0) {
        if (num_int(&radix, class, 1, 1000000, "radix", err) < 0)
            return -1;
    } else if (strcmp(what, "cable") == 0) {
        for (int k = 1; k < CLASSES; k++)
            radix = strcmp(class, class_name[k]) == 0 ? -k : radix;
    }
    if (radix == 0)
        return err_set(err, ERR_FORMAT, "'%.40s,%.40s': it is switch and a radix, or cable and host, group or global", what,
                       class);
    p->radix = (int)radix;
    for (size_t i = 0; i < above; i++)
        if (row[i].radix == p->radix)
            return err_set(err, ERR_FORMAT, "%.40s %.40s has a price on line %zu already", what, class, csv->line[i]);
    if (num_real(&p->price, csv_at(csv, above, column[2]), "price", err) < 0 ||
        num_real(&p->watt, csv_at(csv, above, column[3]), "watt", err) < 0)
        return -1;
    return p->price >= 0 && p->watt >= 0 ? 0 : err_set(err, ERR_FORMAT, "prices and watts are not negative");
}

int prices_read(struct price **out, size_t *n, const char *path, struct err *err)
{
    static const char *const heading[] = { "what", "class_or_radix", "price", "watt" };
    struct csv csv;
    int column[4], ret;

    if (csv_read(&csv, path, err) < 0)
        return -1;
    ret = TAKE(path, err, ARRAY(*out, csv.nrow + 1));
    for (int i = 0; ret == 0 && i < 4; i++) {
        column[i] = csv_named(&csv, heading[i]);
        if (column[i] < 0)
            ret = err_set(err, ERR_FORMAT, "%s:%zu: it has %s column '%s'; prices have what,class_or_radix,price,watt",
                          path, csv.heading_line, column[i] < -1 ? "more than one" : "no", heading[i]);
    }
    for (*n = 0; ret == 0 && *n < csv.nrow; ++*n)
        if (price_line(*out, *n, &csv, column, err) < 0)
            ret = err_at(err, "%s:%zu", path, csv.line[*n]);
    csv_release(&csv);
    return ret;
}

int prices_of(struct price *out, const struct price *row, size_t n, const struct topo_report *r, struct err *err)
{
    const double many[CLASSES] = { r->switches, r->host_cables, r->within, r->edges - r->host_cables - r->within };

    *out = (struct price){ 0 };
    for (int k = 0; k < CLASSES; k++) {
        const struct price *best = NULL;

        for (size_t i = 0; i < n; i++)
            if (k ? row[i].radix == -k : row[i].radix >= r->switch_ports && (!best || row[i].radix < best->radix))
                best = &row[i];
        if (many[k] == 0)
            continue;
        if (!best)
            return k ? err_set(err, ERR_DOMAIN, "the file has no price of a %s cable", class_name[k]) :
                err_set(err, ERR_DOMAIN, "the file has no price of a switch with %.0f ports or more", r->switch_ports);
        out->price += many[k] * best->price;
        out->watt += many[k] * best->watt;
    }
    return 0;
}
