#include "analysis/claim/drb.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct columns {
    int table, topology, supernode, mean, lengthening, sd;
};

static int drb_find_columns(struct columns *c, const struct csv *csv, struct err *err)
{
    return claim_column(&c->table, csv, "table", err) < 0 || claim_column(&c->topology, csv, "topology", err) < 0 ||
           claim_column(&c->supernode, csv, "supernode", err) < 0 ||
           claim_column(&c->mean, csv, "mean_length_hops", err) < 0 ||
           claim_column(&c->lengthening, csv, "lengthening_percent", err) < 0 ||
           claim_column(&c->sd, csv, "sd_hops", err) < 0 ? -1 : 0;
}

static int emit(const struct drb_table *table, const struct drb_row *row, const char *quantity, const char *printed,
                double computed, bool lengthening, const struct claim_sink *sink, struct err *err)
{
    struct claim_cell cell;

    if (claim_cell_init(&cell, quantity, printed, computed, err) < 0)
        return -1;
    snprintf(cell.where, sizeof cell.where, "table %s %s", table->table, row->supernode);
    if (lengthening && table->explain)
        table->explain(&cell, row);
    return claim_emit(sink, &cell, err);
}

/* One published row: our statistics, three cells. */
static int one_row(const struct drb_table *table, const struct columns *c, const struct csv *csv, size_t r,
                   const struct claim_sink *sink, struct err *err)
{
    const char *name = csv_at(csv, r, c->supernode);
    const struct metapath_options o = { 0 };
    struct supernode sn[2] = { 0 };
    struct metapath_stats s[2] = { 0 };
    struct drb_row row = { .supernode = name };
    struct net *net = NULL;
    char spec[120];
    int ret = -1;

    snprintf(spec, sizeof spec, "%.40s%s", name, strncmp(name, "row:", 4) == 0 ? table->row_options : "");
    if (net_open(&net, csv_at(csv, r, c->topology), err) < 0 || supernode_open(&sn[0], spec, net, err) < 0 ||
        supernode_open(&sn[1], "static", net, err) < 0 || metapath_stats(s, net, sn, 2, &o, err) < 0)
        goto done;
    row.sn = &sn[0];
    row.stats = &s[0];
    row.static_mean = s[1].mean_hops;
    if (emit(table, &row, "mean_length_hops", csv_at(csv, r, c->mean), s[0].mean_hops, false, sink, err) == 0 &&
        emit(table, &row, "lengthening_percent", csv_at(csv, r, c->lengthening), s[0].lengthening, true, sink,
             err) == 0)
        ret = emit(table, &row, "sd_hops", csv_at(csv, r, c->sd), s[0].sd_hops, false, sink, err);
done:
    metapath_stats_release(&s[0]);
    metapath_stats_release(&s[1]);
    supernode_release(&sn[0]);
    supernode_release(&sn[1]);
    net_close(net);
    return ret;
}

int drb_run(const struct claim *claim, const struct csv *published, const struct claim_sink *sink, struct err *err)
{
    const struct drb_table *table = claim->table;
    struct columns c;

    if (drb_find_columns(&c, published, err) < 0)
        return -1;
    for (size_t r = 0; r < published->nrow; r++) {
        if (strcmp(csv_at(published, r, c.table), table->table) != 0)
            continue;
        if (tick(sink->tick, (double)r / (double)published->nrow))
            return err_stopped(err);
        if (one_row(table, &c, published, r, sink, err) < 0)
            return -1;
    }
    return 0;
}
