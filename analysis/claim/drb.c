#include "analysis/claim/drb.h"

int drb_stats(struct drb_row *row, const char *table, const char *topology, const char *supernode, struct err *err)
{
    static const char *const prefix[DRB_METHODS] = { "static", "random", "row:", "sga:", "dga:" };
    const bool is_row = strncmp(supernode, "row:", 4) == 0;
    const char *options = !is_row ? "" : strcmp(table, "5-2") == 0 ? ",origin=start,exclude=line" : ",origin=centre";
    const char *size = strpbrk(supernode, "0123456789");
    const struct metapath_options o = { 0 };
    struct supernode sn[2] = { 0 };
    struct metapath_stats s[2] = { 0 };
    struct net *net = NULL;
    char spec[120];
    int ret = -1;

    snprintf(spec, sizeof spec, "%.40s%s", supernode, options);
    if (net_open(&net, topology, err) == 0 && supernode_open(&sn[0], spec, net, err) == 0 &&
        supernode_open(&sn[1], "static", net, err) == 0 && metapath_stats(s, net, sn, 2, &o, err) == 0) {
        *row = (struct drb_row){ .supernode = supernode, .method = DRB_SUBNETWORK, .size = size ? atoi(size) : 0,
                                 .stats = s[0], .static_mean = s[1].mean_hops };
        for (int m = 0; m < DRB_METHODS; m++)
            if (strncmp(supernode, prefix[m], strlen(prefix[m])) == 0)
                row->method = (enum drb_method)m;
        ret = 0;
    }
    metapath_stats_release(&s[0]);
    metapath_stats_release(&s[1]);
    supernode_release(&sn[0]);
    supernode_release(&sn[1]);
    net_close(net);
    return ret;
}

int drb_find(struct drb_found *found, const char *table, const struct csv *csv, const struct tick *t, struct err *err)
{
    int at, topology, supernode;

    found->n = 0;
    if (claim_columns((int *const[]){ &at, &topology, &supernode }, csv, "table,topology,supernode", err) < 0)
        return -1;
    for (size_t r = 0; r < csv->nrow; r++) {
        if (strcmp(csv_at(csv, r, at), table) != 0)
            continue;
        if (found->n == DRB_MOST_ROWS)
            return err_set(err, ERR_FORMAT, "table %s has more than %d rows", table, DRB_MOST_ROWS);
        if (tick(t, (double)r / (double)csv->nrow))
            return err_stopped(err);
        if (drb_stats(&found->row[found->n], table, csv_at(csv, r, topology), csv_at(csv, r, supernode), err) < 0)
            return -1;
        found->row[found->n++].line = r;
    }
    return 0;
}

int drb_run(const struct claim_sink *sink, struct err *err)
{
    static const char *const quantity[] = { "mean_length_hops", "lengthening_percent", "sd_hops" };
    const struct drb_table *table = sink->claim->table;
    const struct csv *csv = sink->published;
    struct drb_found found;
    int printed[3];

    if (claim_columns((int *const[]){ &printed[0], &printed[1], &printed[2] }, csv,
                      "mean_length_hops,lengthening_percent,sd_hops", err) < 0 ||
        drb_find(&found, table->table, csv, sink->tick, err) < 0)
        return -1;
    for (size_t i = 0; i < 3 * found.n; i++) {
        const struct drb_row *row = &found.row[i / 3];
        const double computed[] = { row->stats.mean_hops, row->stats.lengthening, row->stats.sd_hops };
        struct claim_cell cell;

        if (claim_cell_init(&cell, quantity[i % 3], csv_at(csv, row->line, printed[i % 3]), computed[i % 3], err) < 0)
            return -1;
        snprintf(cell.where, sizeof cell.where, "table %s %s", table->table, row->supernode);
        if (i % 3 == 1 && table->explain)
            table->explain(&cell, row);
        if (claim_emit(sink, &cell, err) < 0)
            return -1;
    }
    return 0;
}
