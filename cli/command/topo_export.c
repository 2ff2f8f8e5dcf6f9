#include "cli/command/topo_export.h"
#include "graph/base/file.h"
#include "graph/export/export.h"
#include "model/routing/lfts.h"

static int topo_export_tables(FILE *f, struct net *net, const char *routing, struct err *err)
{
    struct routing r = { 0 };
    int ret = routing_open(&r, net, routing, err) < 0 ? -1 : lfts_write(f, &r, err);

    routing_close(&r);
    return ret;
}

int topo_export(struct job *j, const char *to, const char *routing, struct err *err)
{
    const char *path;
    const struct export_format *format = export_choose(&path, to, err);
    struct output out = { 0 };
    char *lost = NULL;
    int ret;

    if (!format)
        return -1;
    if (format->routed != (routing != NULL))
        return err_set(err, ERR_USAGE, format->routed ? "%s is the tables of a routing; say whose with --routing" :
                       "%s is a network, without routing; leave out --routing, or write opensm:FILE", format->name);
    if (output_open(&out, path, err) < 0)
        return -1;
    ret = routing ? topo_export_tables(out.stream, j->net, routing, err)
                  : export_write(out.stream, format, j->net, &lost, err);
    if (ret == 0)
        ret = output_commit(&out, err);
    else
        output_abort(&out);
    if (ret == 0 && lost)
        table_note(j->t, "%s: as %s it does not say %s.", path, format->name, lost);
    free(lost);
    return ret;
}
