/* What is at hand for broadcasts of one network, before any is run (bcast.h).
 * 1. choice     which table, and how messages hold links
 * 2. trees      of the catalogue, as the network and the ports want them
 * 3. runs       all broadcasts asked for, by one tree
 * 4. ahead      trees on several threads
 * 5. compared   trees, the best of them */
#include "cli/broadcast/bcast.h"
#include "graph/base/jobs.h"

#define AHEAD_LEAST 256                 /* processes from which on threads are worth it */

/* ---- choice ---- */

static bool in_cycles(const struct load_request *q)
{
    return !isnan(q->packet) || q->switching || !isnan(q->hop_time) || q->drb;
}

bool bcast_under_load(const struct request *q)
{
    const struct load_request *l = &q->load;

    return l->traffic.n || l->interval || l->rate || l->load || l->scale;
}

int bcast_pick(const void *request)
{
    const struct request *q = request;
    const char *show = q->common.show ? q->common.show : "";

    if (q->every)
        return BCAST_EVERY;
    if (bcast_under_load(q))
        return BCAST_LOAD;
    if (strcmp(show, "messages") == 0)
        return BCAST_MESSAGES;
    if (strcmp(show, "processes") == 0)
        return BCAST_PROCESSES;
    if (strcmp(show, "schedule") == 0)
        return in_cycles(&q->load) ? BCAST_LINKS : BCAST_SCHEDULE;
    return q->validate || in_cycles(&q->load) ? BCAST_CYCLES : BCAST_STEPS;
}

struct cycles_how bcast_how(const struct bcast_scene *s)
{
    const struct load_request *l = &s->q->load;

    return (struct cycles_how){
        .switching = l->switching ? l->switching : &switching_wormhole, .flits = l->packet,
        .hop_time = !isnan(l->hop_time) ? l->hop_time : l->drb ? 0 : 1, .ports = s->how.ports,
        .blocking = s->how.blocking
    };
}

/* ---- trees ---- */

const struct tree_shape *bcast_shape(const struct bcast_scene *s, const struct tree *tree)
{
    size_t i = 0;

    while (tree_all[i] != tree)
        i++;
    return &s->shape[i];
}

bool bcast_asked(const struct plan *p, const struct tree *tree)
{
    for (size_t i = 0; i < p->nalgorithm; i++)
        if (tree ? p->algorithm[i].tree == tree : p->algorithm[i].pattern && p->algorithm[i].pattern->of_trees)
            return true;
    return false;
}

/* What trees that are built go by: in cycles, that a process sends over as many links at once as it has, or ports. */
static struct tree_scene bcast_sight(const struct bcast_scene *s)
{
    const struct cycles_how how = bcast_how(s);
    const struct csr *csr = s->q->links.trunks.csr;
    const int root = plan_root(&s->q->plan);
    struct tree_scene t = { .net = s->net, .where = &s->place->where, .root = root, .hop = 1, .gap = 1,
                            .tick = &s->place->tick };

    if (csr && root < t.where->n) {
        const int at = t.where->node[root];
        const double links = (double)(csr->first[at + 1] - csr->first[at]);

        t.hop = how.hop_time;
        t.length = 1;
        t.size = how.flits;
        t.cut = !how.switching->stores;
        t.gap = how.flits / (how.ports && how.ports < links ? how.ports : fmax(links, 1));
    }
    return t;
}

void bcast_trees_release(struct bcast_scene *s)
{
    for (size_t i = 0; s->shape && tree_all[i]; i++)
        tree_shape_release(&s->shape[i]);
}

/* A tree that does not serve what is at hand is left out, unless it was asked for by its name. */
static int bcast_left_out(struct bcast_scene *s, size_t i, struct err *err)
{
    for (size_t k = 0; k < s->q->algorithm.n; k++)
        if (s->q->plan.algorithm[k].tree == tree_all[i])
            return -1;
    if (err->code != ERR_DOMAIN)
        return -1;
    if (!s->refused[i])
        table_note(s->j->t, "%.150s: %s; it is left out.", s->net->spec, err->msg);
    s->refused[i] = true;
    return 0;
}

static int bcast_trees(struct bcast_scene *s, struct err *err)
{
    const struct plan *p = &s->q->plan;
    const struct tree_scene scene = bcast_sight(s);
    const bool all = bcast_asked(p, NULL);

    if (scene.gap == s->gap)
        return 0;
    if (broadcast_root(scene.root, scene.where->n, scene.where, err) < 0)
        return -1;
    bcast_trees_release(s);
    for (size_t i = 0; tree_all[i]; i++) {
        if (!((all && !tree_all[i]->asked) || bcast_asked(p, tree_all[i])) || (p->nroot != 1 && tree_all[i]->build))
            continue;
        if (tree_shape_init(&s->shape[i], tree_all[i], scene.where->n, &scene, err) < 0 &&
                bcast_left_out(s, i, err) < 0)
            return -1;
    }
    s->gap = scene.gap;
    return 0;
}

int bcast_ports(struct bcast_scene *s, size_t i, struct err *err)
{
    s->how = plan_how(&s->q->plan, i, s->q->asked.blocking);
    s->first_ports = i == 0;
    plan_ports_text(s->ports, s->how.ports);
    return bcast_trees(s, err);
}

/* ---- runs ---- */

void bcast_run_release(struct bcast_run *b)
{
    cycles_run_release(&b->run);
    cycles_ways_release(&b->ways);
    free(b->start);
    *b = (struct bcast_run){ 0 };
}

int bcast_run_open(struct bcast_run *b, const struct bcast_scene *s, const struct tree *tree,
                   const struct cycles_how *how, const struct tick *tick, struct err *err)
{
    const struct plan *p = &s->q->plan;
    const struct placement *where = &s->place->where;
    const size_t n = p->nroot ? p->nroot : (size_t)where->n;
    int *root, ret;

    *b = (struct bcast_run){ .nstart = n, .tree = bcast_shape(s, tree) };
    if (TAKE("the starts of broadcasts", err, ARRAY(root, n), ARRAY(b->start, n)) < 0)
        return -1;
    for (size_t i = 0; i < n; i++) {
        root[i] = p->nroot ? p->root[i].process : (int)i;
        b->start[i] = (struct cycles_start){ (int)i, p->nroot ? p->root[i].at : 0 };
    }
    ret = cycles_ways_open(&b->ways, &s->q->links, &(struct cycles_trees){ b->tree, where, root, (int)n, s->routing },
                           tick, err);
    if (ret == 0 && how)
        ret = cycles_run_open(&b->run, &b->ways, how, b->start, n, err);
    if (ret < 0)
        bcast_run_release(b);
    free(root);
    return ret;
}

/* The first of the trees that look as the i-th does. */
static size_t same_tree(const struct bcast_scene *s, size_t i)
{
    const struct tree_shape *tree = &s->shape[i];
    const size_t n = (size_t)tree->n * sizeof *tree->parent;
    size_t k = 0;

    while (k < i && (s->shape[k].n != tree->n || memcmp(s->shape[k].parent, tree->parent, n) != 0 ||
                     memcmp(s->shape[k].child, tree->child, n - sizeof *tree->child) != 0))
        k++;
    return k;
}

/* ---- ahead ---- */

struct ahead {
    const struct bcast_scene *s;
    const struct bcast_compared *c;
    struct bcast_result *tree;
    struct routing *routing;            /* by thread */
    int n;
};

/* What fails, or is stuck, is left to be computed again in its turn, and said then. */
static int ahead_tree(void *arg, int thread, size_t i, const struct tick *tick, struct err *err)
{
    const struct ahead *a = arg;
    struct bcast_scene s = *a->s;
    struct plan_place place = *a->s->place;
    struct bcast_result r = { .known = true };

    if (s.shape[i].n == 0 || same_tree(&s, i) < i)
        return 0;
    place.tick = *tick;
    s.place = &place;
    s.routing = &a->routing[thread];
    s.ahead = true;
    if (a->c->one(&r, tree_all[i], &s, err) < 0)
        return err->code == ERR_STOPPED ? -1 : 0;
    if (!r.stuck)
        a->tree[i] = r;
    return 0;
}

static int compared_ahead(const struct bcast_scene *s, const struct bcast_compared *c, struct bcast_result *tree,
                          struct err *err)
{
    const size_t ntree = kind_count(&kind_tree);
    struct ahead a = { .s = s, .c = c, .tree = tree, .n = jobs_threads(s->j->o->jobs, ntree) };
    const igraph_t *graph;                      /* threads find it made */
    int ret;

    if (!c->apart || c->show || a.n < 2 || s->place->where.n < AHEAD_LEAST)
        return 0;
    ret = TAKE("the threads' routings", err, ZEROS(a.routing, a.n)) < 0 ? -1 : net_graph(s->net, &graph, err);
    for (int i = 0; ret == 0 && i < a.n; i++)
        ret = routing_open(&a.routing[i], s->net, s->routing->spec, err);
    if (ret == 0)
        ret = jobs_run(ntree, a.n, ahead_tree, &a, &s->place->tick, err);
    for (int i = 0; a.routing && i < a.n; i++)
        routing_close(&a.routing[i]);
    FREE(a.routing);
    return ret;
}

/* ---- compared ---- */

/* Of the trees that are known. score: room for all. */
static int compared_least(char names[BEST_NAMES], struct score *score, const struct bcast_result *tree, bool hops)
{
    const size_t n = kind_count(&kind_tree);
    size_t best;

    for (size_t i = 0; i < n; i++) {
        const struct cycles_mean is = hops ? (struct cycles_mean){ tree[i].hops, 0 } : tree[i].completion;

        score[i] = (struct score){ tree_all[i]->name, tree[i].known ? is.mean : NAN, is.half };
    }
    best = best_of(names, score, n, 0);
    return best < n ? (int)best : -1;
}

static int compared_algorithm(const struct bcast_scene *s, const struct bcast_compared *c, const struct algorithm *a,
                              struct bcast_result *tree, struct score *score, struct err *err)
{
    struct bcast_best best = { .hops = NAN };
    int at = -1;

    if (!a->tree && !a->pattern->of_trees)
        return c->flooding(c->arg, err);
    if (a->tree && bcast_shape(s, a->tree)->n == 0)
        return 0;
    if (a->tree && c->show)
        return c->show(a->tree, c->arg, err);
    for (int i = 0; tree_all[i]; i++) {
        if (s->shape[i].n == 0 || (a->tree && tree_all[i] != a->tree))
            continue;
        if (!tree[i].known && c->apart && tree[same_tree(s, (size_t)i)].known)
            tree[i] = tree[same_tree(s, (size_t)i)];
        if (!tree[i].known && c->one(&tree[i], tree_all[i], c->arg, err) < 0)
            return -1;
        tree[i].known = true;
        at = i;
    }
    if (at >= 0 && !a->tree)
        best.hops = tree[compared_least(best.hops_winner, score, tree, true)].hops;
    else if (at >= 0)
        best.hops = tree[at].hops;
    if (!a->tree)
        at = compared_least(best.winner, score, tree, false);
    if (c->show)
        return at < 0 ? 0 : c->show(tree_all[at], c->arg, err);
    return c->row(a->tree ? a->tree->name : "best", &best, at < 0 ? NULL : &tree[at], c->arg, err);
}

int bcast_compare(const struct bcast_scene *s, const struct bcast_compared *c, struct err *err)
{
    const struct plan *p = &s->q->plan;
    const size_t ntree = kind_count(&kind_tree);
    const struct tick whole = s->place->tick;
    struct bcast_result *tree;
    struct score *score;
    int ret;

    if (TAKE("the table", err, ZEROS(tree, ntree), ARRAY(score, ntree)) < 0)
        return -1;
    ret = compared_ahead(s, c, tree, err);
    for (size_t a = 0; ret == 0 && a < p->nalgorithm; a++) {
        s->place->tick = tick_step(&whole, a, p->nalgorithm);
        ret = compared_algorithm(s, c, &p->algorithm[a], tree, score, err);
    }
    s->place->tick = whole;
    for (size_t i = 0; i < ntree; i++)
        cycles_load_release(&tree[i].load);
    FREE(tree, score);
    return ret;
}
