#include "graph/topology/topo.h"
#include "model/supernode/supernode.h"
#include "texts/supernode.h"

/* "1+3" into two dimensions from 0; the last two by default. */
static int parse_dims(int dim[2], const char *text, int dims, struct err *err)
{
    int64_t a, b;
    const char *plus;

    dim[0] = dims - 2;
    dim[1] = dims - 1;
    if (!text)
        return 0;
    plus = strchr(text, '+');
    if (!plus)
        return err_set(err, ERR_USAGE, "dim is '%.40s'; a plane has two dimensions, such as dim=1+2", text);
    if (num_int_part(&a, text, (size_t)(plus - text), 1, dims, "dim", err) < 0 ||
        num_int(&b, plus + 1, 1, dims, "dim", err) < 0)
        return -1;
    if (a == b)
        return err_set(err, ERR_USAGE, "dim names dimension %d twice", (int)a);
    dim[0] = (int)a - 1;
    dim[1] = (int)b - 1;
    return 0;
}

static int plane_bind(struct supernode *s, const struct net *net, const struct spec *spec, struct err *err)
{
    int *size = NULL, n, dim[2], ret = -1, dims = net->lines == LINES_JUMPS ? 0 : net_dimensions(net);

    if (dims < 2)
        return err_set(err, ERR_DOMAIN, "plane needs a network with two or more coordinates; %.80s has %d", net->spec,
                       dims);
    if (topo_sizes(spec->params, &size, &n, err) < 0)
        return err_at(err, "'%.80s'", spec->text);
    if (n != 2) {
        err_set(err, ERR_USAGE, "'%.80s': a plane has two sizes, as in plane:4x4", spec->text);
        goto done;
    }
    if (parse_dims(dim, spec_get(spec, "dim"), dims, err) < 0) {
        err_at(err, "'%.80s'", spec->text);
        goto done;
    }
    if (supernode_origin(s, spec, err) < 0 || supernode_side(s, net, dim[0], size[0], err) < 0 ||
        supernode_side(s, net, dim[1], size[1], err) < 0)
        goto done;
    s->aligned = !net_rings(net);
    if (s->aligned && spec_get(spec, "origin")) {
        err_set(err, ERR_DOMAIN, "'%.80s': in a mesh a plane is the aligned block that holds the source; origin= is "
                "for toruses", spec->text);
        goto done;
    }
    ret = spec_append(&s->spec, err, "plane:%dx%d", size[0], size[1]);
    if (ret == 0 && (dim[0] != dims - 2 || dim[1] != dims - 1))
        ret = spec_append(&s->spec, err, ",dim=%d+%d", dim[0] + 1, dim[1] + 1);
    if (ret == 0)
        ret = supernode_suffix(s, err);
done:
    free(size);
    return ret;
}

const struct supernode_kind supernode_plane = {
    SUPERNODE_PLANE_ENTRY,
    .shape = SHAPE_BOX,
    .bind = plane_bind,
    .size = supernode_box_size,
    .members = supernode_box
};
