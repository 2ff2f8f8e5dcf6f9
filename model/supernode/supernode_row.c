#include "model/supernode/supernode.h"
#include "texts/supernode.h"

/* In grids along the last dimension unless told, in circulants along the smaller jump. */
static int row_bind(struct supernode *s, const struct net *net, const struct spec *spec, struct err *err)
{
    static const char *const excludes[] = { "supernode", "line", NULL };
    int usual = net->lines == LINES_JUMPS ? 1 : net_dimensions(net), line;
    int64_t length, dim;

    if (spec_int(&length, spec, 1, INT32_MAX, "length", err) < 0 ||
        spec_key_int(&dim, spec, "dim", 1, 1 << 20, usual ? usual : 1, err) < 0 || supernode_origin(s, spec, err) < 0 ||
        spec_choice(&line, spec, "exclude", excludes, err) < 0 ||
        supernode_side(s, net, (int)dim - 1, (int)length, err) < 0)
        return -1;
    s->exclude_line = line == 1;
    if (s->exclude_line && net->lines == LINES_JUMPS)
        return err_set(err, ERR_DOMAIN, "row with exclude=line needs the lines of a grid; those of %.80s run through "
                       "all its nodes", net->spec);
    if (spec_append(&s->spec, err, "row:%d", (int)length) < 0 ||
        (dim != usual && spec_append(&s->spec, err, ",dim=%d", (int)dim) < 0))
        return -1;
    return supernode_suffix(s, err);
}

const struct supernode_kind supernode_row = {
    SUPERNODE_ROW_ENTRY,
    .shape = SHAPE_BOX,
    .bind = row_bind,
    .size = supernode_box_size,
    .members = supernode_box
};
