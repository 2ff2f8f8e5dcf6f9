/* 1. links and places        what links weigh, which process is where
 * 2. searches                shortest ways from one or from all
 * 3. the order of children   the longest first
 * 4. the tree of shortest ways, switches standing for processes
 * 5. the least tree of ways
 * 6. groups */
#include "model/process/sight.h"
#include "graph/base/order.h"
#include "graph/distance/trunks.h"
#include "graph/numeric/union_find.h"

/* ---- links and places ---- */

static double sight_weigh(const struct tree_scene *scene, struct link_kind kind)
{
    const double size = scene->size / kind.bandwidth;
    const double weight = scene->hop + scene->length * kind.length + (scene->cut ? fmax(size - scene->size, 0) : size);

    return weight > 0 ? weight : fmax(1e-9 * (scene->start + scene->size + scene->gap), 1e-30);
}

static int sight_weights(struct sight *s, struct err *err)
{
    const struct cables *c = &s->scene->net->cables;
    struct trunks t = { 0 };

    s->alike = sight_weigh(s->scene, c->kind ? c->kind[0] : (struct link_kind){ 1, 0 });
    if (cables_alike(c))
        return 0;
    if (TAKE("the links", err, ARRAY(s->weight, s->links.m + 1)) < 0 ||
        trunks_open(&t, s->scene->net, &s->links, false, err) < 0)
        return -1;
    for (size_t k = 0; k < s->links.m; k++) {
        s->weight[k] = INFINITY;
        for (size_t l = trunks_first(&t, k); l < trunks_first(&t, k + 1); l++)
            s->weight[k] = fmin(s->weight[k], sight_weigh(s->scene, trunks_kind(&t, l)));
    }
    trunks_release(&t);
    return 0;
}

int sight_open(struct sight *out, const struct tree_scene *scene, struct err *err)
{
    struct sight s = { .scene = scene, .n = scene->where->n };
    const size_t n = (size_t)scene->net->n;
    const struct csr *links;

    if (csr_kept(&links, scene->net, err) < 0)
        return -1;
    s.links = *links;
    if (sight_weights(&s, err) < 0 ||
        TAKE("a process tree", err, ARRAY(s.here, n), ARRAY(s.next, s.n), ARRAY(s.away, n), ARRAY(s.from, n),
             ARRAY(s.owner, n), ARRAY(s.last, n), ARRAY(s.order, n), ARRAY(s.left, n)) < 0) {
        sight_close(&s);
        return -1;
    }
    for (size_t v = 0; v < n; v++)
        s.here[v] = -1;
    for (int r = s.n - 1; r >= 0; r--) {
        const int v = sight_node(&s, r);

        s.next[r] = s.here[v];
        s.here[v] = r;
    }
    *out = s;
    return 0;
}

void sight_close(struct sight *s)
{
    events_release(&s->queue);
    FREE(s->weight, s->here, s->next, s->away, s->from, s->owner, s->last, s->order, s->left);
    *s = (struct sight){ 0 };
}

/* ---- searches ---- */

/* Node v is reached over a link of weight `last` from node `from` (-1: it is a source), or nearer than before. */
static int sight_reach(struct sight *s, bool levels, int v, double away, int owner, int from, double last,
                       struct err *err)
{
    if (!(away < s->away[v] || (away == s->away[v] && owner < s->owner[v])))
        return 0;
    s->away[v] = away;
    s->owner[v] = owner;
    s->from[v] = from;
    s->last[v] = last;
    if (!levels)
        return events_push(&s->queue, (struct event){ away, s->found++, (size_t)v }, err);
    s->order[s->reached++] = v;
    return 0;
}

/* Follows the links of v. By levels a link is a hop. */
static int sight_leave(struct sight *s, bool levels, int v, struct err *err)
{
    for (size_t e = s->links.first[v]; e < s->links.first[v + 1]; e++) {
        const double w = sight_weight(s, e);

        if (sight_reach(s, levels, s->links.to[e], s->away[v] + (levels ? 1 : w), s->owner[v], v, w, err) < 0)
            return -1;
    }
    return 0;
}

/* Level by level nodes are reached once, in the order of their distances and, at one distance, of their owners. */
static int sight_spread(struct sight *s, bool levels, struct err *err)
{
    for (int i = 0; levels && i < s->reached; i++)
        if (sight_leave(s, true, s->order[i], err) < 0)
            return -1;
    while (!levels && events_next(&s->queue)) {
        const struct event e = events_pop(&s->queue);
        const int v = (int)e.what;

        if (e.at > s->away[v])
            continue;
        if (!s->left[v])
            s->order[s->reached++] = v;
        s->left[v] = 1;
        if (sight_leave(s, false, v, err) < 0)
            return -1;
    }
    return 0;
}

static int sight_reaches_all(const struct sight *s, int rank, struct err *err)
{
    const struct net *net = s->scene->net;
    char from[NET_LABEL], to[NET_LABEL];

    for (int r = 0; r < s->n; r++)
        if (isinf(s->away[sight_node(s, r)]))
            return err_set(err, ERR_NETWORK, "%.200s is not connected: there is no path from %s to %s", net->spec,
                           net_label(net, sight_node(s, rank), from), net_label(net, sight_node(s, r), to));
    return 0;
}

int sight_search(struct sight *s, int rank, bool hops, struct err *err)
{
    const bool levels = hops || !s->weight;
    int ret = 0;

    s->reached = 0;
    for (int v = 0; v < s->links.n; v++) {
        s->away[v] = INFINITY;
        s->left[v] = 0;
    }
    for (int r = rank < 0 ? 0 : rank; ret == 0 && r < (rank < 0 ? s->n : rank + 1); r++)
        ret = sight_reach(s, levels, sight_node(s, r), 0, r, -1, 0, err);
    if (ret < 0 || sight_spread(s, levels, err) < 0)
        return -1;
    for (int v = 0; levels && !hops && v < s->links.n; v++)
        s->away[v] = isinf(s->away[v]) ? INFINITY : s->away[v] * s->alike;
    return rank < 0 ? 0 : sight_reaches_all(s, rank, err);
}

/* ---- the order of children ---- */

int sight_earlier(const void *a, const void *b)
{
    const struct sight_time *x = a, *y = b;

    return x->time != y->time ? (x->time < y->time ? -1 : 1) : x->rank - y->rank;
}

int sight_serve(struct tree_shape *t, const double *way, const struct tree_scene *scene, struct err *err)
{
    struct sight_time *child;       /* time: less what it takes */
    double *height;
    int *order, n = 1;

    if (TAKE("a process tree", err, ARRAY(child, t->n), ZEROS(height, t->n), ARRAY(order, t->n)) < 0)
        return -1;
    tree_shape_children(t, NULL, false);
    order[0] = 0;
    for (int i = 0; i < n; i++)         /* parents before children */
        for (int k = t->first[order[i]]; k < t->first[order[i] + 1]; k++)
            order[n++] = t->child[k];
    for (int i = n - 1; i >= 0; i--) {
        const int v = order[i], first = t->first[v], m = tree_nchild(t, v);

        for (int k = 0; k < m; k++) {
            const int c = t->child[first + k];

            child[k] = (struct sight_time){ -sight_message(scene, way[c]) - height[c], c };
        }
        qsort(child, (size_t)m, sizeof *child, sight_earlier);
        for (int k = 0; k < m; k++) {
            t->child[first + k] = child[k].rank;
            height[v] = fmax(height[v], k * scene->gap - child[k].time);
        }
    }
    FREE(child, height, order);
    return 0;
}

/* ---- the tree of shortest ways ---- */

/* By node without a process: the rank it stands for, and how far that is, if `to` is a candidate over a link of the
 * tree. */
static void sight_nearer(const struct sight *s, double *near, int *stands, int v, int to, double link)
{
    const double far = near[to] + link;

    if (s->here[v] < 0 && (far < near[v] || (far == near[v] && stands[to] < stands[v]))) {
        near[v] = far;
        stands[v] = stands[to];
    }
}

static void sight_stand(const struct sight *s, double *near, int *stands)
{
    for (int i = 0; i < s->reached; i++) {
        const int v = s->order[i];

        stands[v] = s->here[v];
        near[v] = stands[v] < 0 ? INFINITY : 0;
    }
    for (int i = s->reached - 1; i > 0; i--)
        sight_nearer(s, near, stands, s->from[s->order[i]], s->order[i], s->last[s->order[i]]);
    for (int i = 1; i < s->reached; i++)
        sight_nearer(s, near, stands, s->order[i], s->from[s->order[i]], s->last[s->order[i]]);
}

int sight_tree(struct tree_shape *t, const struct tree_scene *scene, bool hops, struct err *err)
{
    struct sight s = { 0 };
    double *near = NULL, *way = NULL;
    int *stands = NULL, ret = -1;

    if (sight_open(&s, scene, err) < 0 || sight_search(&s, 0, hops, err) < 0 ||
        TAKE("a process tree", err, ARRAY(near, s.links.n), ARRAY(stands, s.links.n), ZEROS(way, s.n)) < 0)
        goto done;
    sight_stand(&s, near, stands);
    for (int i = 0; i < s.reached; i++) {
        const int v = s.order[i], u = s.from[v];

        if (i > 0 && stands[v] != stands[u]) {
            t->parent[stands[v]] = stands[u];
            way[stands[v]] = near[v] + s.last[v] + near[u];
        }
        for (int r = s.here[v] < 0 ? -1 : s.next[s.here[v]]; r >= 0; r = s.next[r])
            t->parent[r] = s.here[v];
    }
    ret = sight_serve(t, way, scene, err);
done:
    FREE(near, way, stands);
    sight_close(&s);
    return ret;
}

/* ---- the least tree of ways ---- */

ORDER(join_order, struct sight_join, UP(way) UP(a) UP(b))

static int join_add(struct sight_join **list, size_t *n, size_t *room, double way, int a, int b, struct err *err)
{
    if (GROW(room, *n + 1, "the least tree of processes", err, GROWN(*list)) < 0)
        return -1;
    (*list)[(*n)++] = (struct sight_join){ way, a < b ? a : b, a < b ? b : a };
    return 0;
}

/* Each node is of the rank nearest to it, of several the least: whoever the tree joins is joined over a link between
 * what is theirs (Mehlhorn 1988). Ranks of a node are at no distance. */
static int joins_gather(struct sight_join **list, size_t *n, const struct sight *s, struct err *err)
{
    size_t room = 0;

    for (int v = 0; v < s->links.n; v++) {
        for (size_t e = s->links.first[v]; e < s->links.first[v + 1]; e++) {
            const int u = s->links.to[e];

            if (v < u && s->owner[v] != s->owner[u] && !isinf(s->away[v]) &&
                    join_add(list, n, &room, s->away[v] + sight_weight(s, e) + s->away[u], s->owner[v], s->owner[u],
                             err) < 0)
                return -1;
        }
        for (int r = s->here[v] < 0 ? -1 : s->next[s->here[v]]; r >= 0; r = s->next[r])
            if (join_add(list, n, &room, 0, s->here[v], r, err) < 0)
                return -1;
    }
    return 0;
}

/* Kruskal 1956. */
int sight_spanning(struct sight_join **out, struct sight *s, struct err *err)
{
    struct sight_join *list = NULL;
    size_t n = 0, kept = 0;
    int *set;

    if (sight_search(s, -1, false, err) < 0 || TAKE("the least tree of processes", err, ARRAY(set, s->n)) < 0)
        return -1;
    if (joins_gather(&list, &n, s, err) < 0)
        goto failed;
    if (n > 0)
        qsort(list, n, sizeof *list, join_order);
    union_find_alone(set, (size_t)s->n);
    for (size_t i = 0; i < n; i++)
        if (union_find_join(set, list[i].a, list[i].b))
            list[kept++] = list[i];
    if (kept < (size_t)s->n - 1 && sight_search(s, 0, true, err) < 0)       /* which says what is out of reach */
        goto failed;
    free(set);
    *out = list;
    return 0;
failed:
    FREE(list, set);
    return -1;
}

int sight_even(const struct sight *s, const char *name, struct err *err)
{
    const struct net *net = s->scene->net;

    return !net->directed && !cables_uneven(net) ? 0 :
        err_set(err, ERR_DOMAIN, "%s: cables of %.200s are not the same both ways", name, net->spec);
}

/* Arc 2i of join i leads from a to b, 2i + 1 back; `arc` and `next` list a rank's. */
int sight_hang(struct tree_shape *t, const struct sight_join *list, const struct tree_scene *scene, struct err *err)
{
    const int n = t->n, root = scene->root;
    int *arc, *next, *todo, last = 1, ret;
    double *way;

    if (TAKE("a process tree", err, ARRAY(arc, n), ARRAY(next, 2 * n), ARRAY(todo, n), ZEROS(way, n)) < 0)
        return -1;
    for (int v = 0; v < n; v++)
        arc[v] = -1;
    for (int i = 0; i < 2 * (n - 1); i++) {
        const int v = tree_rank(i % 2 ? list[i / 2].b : list[i / 2].a, root, n);

        next[i] = arc[v];
        arc[v] = i;
    }
    todo[0] = 0;
    for (int k = 0; k < last; k++)
        for (int i = arc[todo[k]]; i >= 0; i = next[i]) {
            const int v = tree_rank(i % 2 ? list[i / 2].a : list[i / 2].b, root, n);

            if (v == t->parent[todo[k]])
                continue;
            t->parent[v] = todo[k];
            way[v] = list[i / 2].way;
            todo[last++] = v;
        }
    ret = sight_serve(t, way, scene, err);
    FREE(arc, next, todo, way);
    return ret;
}

/* ---- groups ---- */

/* The switch that a terminal hangs on, or the node itself. */
static int groups_switch(const struct sight *s, int node)
{
    for (size_t e = s->links.first[node]; e < s->links.first[node + 1]; e++)
        if (net_terminal_index(s->scene->net, s->links.to[e]) < 0)
            return s->links.to[e];
    return node;
}

int sight_groups(int *group, int *ngroup, const struct tree_scene *scene, struct err *err)
{
    const int n = scene->where->n, each = (int)ceil(sqrt(n));
    struct sight s = { 0 };
    int *seen = NULL, count = n, ret = -1;      /* seen: by node, the group of what is there, -1: none yet */

    if (sight_open(&s, scene, err) < 0 || TAKE("groups of processes", err, ARRAY(seen, s.links.n)) < 0)
        goto done;
    for (int hung = 0; hung < 2 && count == n; hung++) {        /* by nodes; then by what they hang on */
        count = 0;
        for (int v = 0; v < s.links.n; v++)
            seen[v] = -1;
        for (int r = 0; r < n; r++) {
            const int v = hung ? groups_switch(&s, sight_node(&s, r)) : sight_node(&s, r);

            if (seen[v] < 0)
                seen[v] = count++;
            group[r] = seen[v];
        }
    }
    *ngroup = count == 1 || count == n ? (n + each - 1) / each : count;
    for (int r = 0; r < n && (count == 1 || count == n); r++)
        group[r] = r / each;
    ret = 0;
done:
    free(seen);
    sight_close(&s);
    return ret;
}

/* Members of one level: leaders of its groups, listed by their own leader. */
static void level_join(struct tree_shape *t, const int *up, const int *here, bool flat, int *first, int *count,
                       int *list)
{
    const int n = t->n;

    for (int v = 0; v <= n; v++)
        first[v] = 0;
    for (int v = 0; v < n; v++) {
        count[v] = 0;
        first[up[v] + 1] += here[v] == v;
    }
    for (int v = 0; v < n; v++)
        first[v + 1] += first[v];
    for (int v = 0; v < n; v++)                 /* the leader comes first: the i-th of its own is at first + i */
        if (here[v] == v) {
            const int u = up[v], i = v == u ? 0 : ++count[u];

            list[first[u] + i] = v;
            t->parent[v] = i == 0 ? t->parent[v] : flat ? u : list[first[u] + (i & (i - 1))];
        }
}

int sight_levels(struct tree_shape *t, const int *group, int nlevel, bool flat, struct err *err)
{
    const int n = t->n;
    int *up, *here, *first, *count, *list, *order, at = 0;

    if (TAKE("a process tree", err, ZEROS(up, n), ARRAY(here, n), ARRAY(first, n + 1), ARRAY(count, n),
             ARRAY(list, n), ARRAY(order, n)) < 0)
        return -1;
    for (int l = 0; l <= nlevel; l++) {
        for (int v = 0; v < n; v++)
            first[v] = -1;
        for (int v = 0; v < n; v++) {
            int *least = &first[l < nlevel ? group[(size_t)l * (size_t)n + (size_t)v] : v];

            *least = *least < 0 ? v : *least;
            here[v] = *least;
        }
        for (int v = n - 1; v > 0; v--)         /* the largest subtree first */
            if (here[v] == v && up[v] != v)
                order[at++] = v;
        level_join(t, up, here, flat && l == 0, first, count, list);
        for (int v = 0; v < n; v++)
            up[v] = here[v];
    }
    tree_shape_children(t, order, false);
    FREE(up, here, first, count, list, order);
    return 0;
}

int sight_grouped(struct tree_shape *t, const struct tree_scene *scene, bool flat, struct err *err)
{
    int *group, ngroup, ret;

    if (TAKE("a process tree", err, ARRAY(group, t->n)) < 0)
        return -1;
    ret = sight_groups(group, &ngroup, scene, err) < 0 ? -1 : sight_levels(t, group, 1, flat, err);
    free(group);
    return ret;
}
