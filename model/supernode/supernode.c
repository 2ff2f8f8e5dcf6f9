#include "model/supernode/supernode.h"
#include "model/supernode/members.h"

#include "registry/supernode.inc"

KIND(supernode, supernode, struct supernode_kind, .name = "supernode", .rank = 5)

int supernode_open(struct supernode *out, const char *text, const struct net *net, struct err *err)
{
    struct supernode s = { 0 };
    struct spec spec = { 0 };
    int ret;

    s.kind = (const struct supernode_kind *)kind_spec(&spec, &kind_supernode, text, err);
    if (!s.kind)
        return -1;
    s.shape = s.kind->shape;
    ret = s.kind->bind(&s, net, &spec, err);
    spec_release(&spec);
    if (ret < 0) {
        supernode_release(&s);
        return -1;
    }
    *out = s;
    return 0;
}

void supernode_release(struct supernode *s)
{
    if (s->kind && s->kind->close && s->state)
        s->kind->close(s);
    FREE(s->spec, s->side);
    *s = (struct supernode){ 0 };
}

/* Of networks with a group, blocks of a regular tiling are those of hypercubes alone, and cosets. */
bool supernode_invariant(const struct supernode *s, const struct net *net)
{
    return net->group && s->shape != SHAPE_ANY;
}

int supernode_side(struct supernode *s, const struct net *net, int dim, int length, struct err *err)
{
    const int dims = net_dimensions(net);
    int longest;

    if (dims == 0)
        return err_set(err, ERR_DOMAIN, "%s needs a network with coordinates; %.80s has none", s->kind->name,
                       net->spec);
    if (dim < 0 || dim >= dims)
        return err_set(err, ERR_DOMAIN, "%s along dimension %d: %.80s has %d dimension%s", s->kind->name, dim + 1,
                       net->spec, dims, dims == 1 ? "" : "s");
    longest = net_line(net, dim);
    if (length > longest)
        return err_set(err, ERR_DOMAIN, "%s of %d nodes does not fit dimension %d of %.80s, which has %d",
                       s->kind->name, length, dim + 1, net->spec, longest);
    if (GROW_BY((size_t)s->nside, 1, "sides of a supernode", err, GROWN(s->side)) < 0)
        return -1;
    s->side[s->nside++] = (struct side){ dim, length };
    return 0;
}

int supernode_origin(struct supernode *s, const struct spec *spec, struct err *err)
{
    static const char *const origins[] = { "start", "centre", NULL };
    int origin;

    if (spec_choice(&origin, spec, "origin", origins, err) < 0)
        return -1;
    s->centre = origin == 1;
    return 0;
}

int supernode_suffix(struct supernode *s, struct err *err)
{
    return spec_append(&s->spec, err, "%s%s", s->centre ? ",origin=centre" : "",
                       s->exclude_line ? ",exclude=line" : "");
}

int supernode_offset(const struct supernode *s, int length, int c, int k, bool wrap)
{
    int start = s->centre ? c - length / 2 : c;

    if (s->aligned)
        start = c / length * length;
    if (wrap && !s->aligned)
        return start - c;
    if (start > k - length)             /* shifted inside */
        start = k - length;
    return (start < 0 ? 0 : start) - c;
}

/* Along one jump of a circulant. */
static int jump_box(const struct supernode *sn, const struct group *g, int s, int *member)
{
    int gen = g->gen[sn->side[0].dim], length = sn->side[0].length, v = s;

    for (int i = supernode_offset(sn, length, 0, length, true); i < 0; i++)
        v = group_add(g, v, group_negative(g, gen));
    for (int i = 0; i < length; i++, v = group_add(g, v, gen))
        member[i] = v;
    return length;
}

int supernode_box(struct members *m, int s, bool, int *member)
{
    const struct supernode *sn = m->sn;
    const struct net *net = m->net;
    int c[NET_DIMENSIONS], n = 1;

    if (net->lines == LINES_JUMPS)
        return jump_box(sn, net->group, s, member);
    member[0] = s;
    net_coordinates(net, s, c);
    for (int i = 0; i < sn->nside; i++) {
        int d = sn->side[i].dim, length = sn->side[i].length, k = net->size[d], stride = net_unit(net, d);
        int first = supernode_offset(sn, length, c[d], k, net->wrap[d]) + c[d];

        for (int j = length - 1; j >= 0; j--) {         /* copies of the members so far; the first copy last */
            int at = ((first + j) % k + k) % k;

            for (int first_copy = 0; first_copy < n; first_copy++)
                member[j * n + first_copy] = member[first_copy] + (at - c[d]) * stride;
            /* member[0..n) is read for every j and only written when j = 0 */
        }
        n *= length;
    }
    if (net->terminal) {                    /* nodes that failed stand on lines still */
        int kept = 0;

        for (int i = 0; i < n; i++)
            if (net_terminal_index(net, member[i]) >= 0)
                member[kept++] = member[i];
        n = kept;
    }
    return n;
}

double supernode_box_size(const struct supernode *s, const struct net *net)
{
    double size = net->terminal ? NAN : 1;

    for (int i = 0; i < s->nside; i++)
        size *= s->side[i].length;
    return size;
}
