/* By turns from down to up, as in up-down routing: within a class messages go up and then down a tree, and where a
 * route goes up again it takes the next class. */
#include "model/routing/classes.h"
#include "texts/classes.h"

struct updown_classes {
    int *level;                     /* by node: hops from the root */
};

static void updown_close(void *state)
{
    struct updown_classes *u = state;

    free(u->level);
}

static int updown_open(struct classes *c, const struct spec *spec, struct follow *f, struct routing *r,
                       size_t nrouting, struct err *err)
{
    const char *name = spec_get(spec, "root");
    struct updown_classes *u = c->state;
    int root = 0, longest, *queue = NULL;

    if (name && net_node(f->net, name, &root, err) < 0)
        return err_at(err, "root=%.60s", name);
    for (int v = 1; !name && v < f->net->n; v++)
        if (f->links.first[v + 1] - f->links.first[v] > f->links.first[root + 1] - f->links.first[root])
            root = v;
    if (classes_longest(&longest, f, r, nrouting, err) < 0 ||
        TAKE("levels of a tree", err, ARRAY(u->level, f->net->n), ARRAY(queue, f->net->n)) < 0)
        return -1;
    csr_bfs(&f->links, root, u->level, queue);
    free(queue);
    c->most = longest / 2 + 1;
    c->marks = 2 * c->most + 1;
    c->invariant = false;
    c->free = true;
    return name ? spec_append(&c->spec, err, "updown,root=%s", name) : 0;
}

/* Twice the class, and 1 more after a link down. */
static int updown_cross(const struct classes *c, int mark, int, int link)
{
    const struct updown_classes *u = c->state;
    const int a = c->follow->tail[link], b = c->follow->head[link];
    const bool up = u->level[b] != u->level[a] ? u->level[b] < u->level[a] : b < a;

    return up ? (mark + 1) / 2 * 2 : mark | 1;
}

static int updown_class(const struct classes *, int mark, int)
{
    return mark / 2;
}

static void updown_say(const struct classes *, int class, char out[80])
{
    snprintf(out, 80, class ? "after %d turn%s from down to up" : "until a turn from down to up", class,
             class == 1 ? "" : "s");
}

const struct classes_kind classes_updown = {
    CLASSES_UPDOWN_ENTRY,
    .channels = true,
    .rank = 4,
    .state = sizeof(struct updown_classes),
    .open = updown_open,
    .close = updown_close,
    .begin = classes_carry,
    .cross = updown_cross,
    .class = updown_class,
    .say = updown_say
};
