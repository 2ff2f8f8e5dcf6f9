/* Groups of processes (sight.h): a binomial tree in each; for allreduce and barrier, between their leaders
 * recursive doubling. */
#include "model/collective/trees.h"
#include "model/process/sight.h"
#include "texts/collective.h"

extern const struct tree tree_two_level;

/* Beside the trees inside groups: by rank the group it leads, -1: none; by group its leader; how many groups. */
struct leaders {
    int *of, *rank, *n;
};

static struct leaders two_level_leaders(const struct schedule *s)
{
    int *of = trees_shape(s, 0).child + s->n;

    return (struct leaders){ of, of + s->n, of + 2 * (size_t)s->n };
}

/* The tree of the catalogue without what joins the groups. */
static int two_level_open(struct schedule *s, struct err *err)
{
    struct tree_shape built = { 0 }, inside;
    struct leaders l;
    int *group, ret;

    if (trees_take(s, 1, 3, err) < 0 || TAKE("groups of processes", err, ARRAY(group, s->n)) < 0)
        return -1;
    l = two_level_leaders(s);
    inside = trees_shape(s, 0);
    ret = sight_groups(group, l.n, s->scene, err) < 0 ? -1 :
        tree_shape_init(&built, &tree_two_level, s->n, s->scene, err);
    for (int v = 0; ret == 0 && v < s->n; v++) {
        const bool leads = v == 0 || group[built.parent[v]] != group[v];

        inside.parent[v] = leads ? -1 : built.parent[v];
        l.of[v] = leads ? group[v] : -1;
        if (leads)
            l.rank[group[v]] = v;
    }
    if (ret == 0)
        tree_shape_children(&inside, NULL, true);
    tree_shape_release(&built);
    FREE(group);
    return ret;
}

static int64_t two_level_length(const struct schedule *s, int p)
{
    const struct leaders l = two_level_leaders(s);
    const int g = l.of[schedule_rank(s, p)], m = schedule_power(*l.n);

    return g < 0 ? 0 : g >= m ? 2 : 2 * __builtin_ctz((unsigned)m) + (g + m < *l.n ? 2 : 0);
}

/* Beyond a power of two, m, group g + m gives all it has to g first, and has the result from it when all is done. */
static int two_level_action(struct action *a, const struct schedule *s, int p, int64_t i, struct err *err)
{
    const struct leaders l = two_level_leaders(s);
    const int g = l.of[schedule_rank(s, p)], m = schedule_power(*l.n);
    const bool twin = g < m && g + m < *l.n, outside = g >= m || (twin && (i == 0 || i == two_level_length(s, p) - 1));
    const int64_t step = twin ? i - 1 : i;

    a->peer = schedule_process(s, l.rank[g >= m ? g - m : outside ? g + m : g ^ 1 << step / 2]);
    if (outside)
        a->what = (i == 0) == (g >= m) ? ACTION_SEND : g >= m ? ACTION_RECEIVE : ACTION_COMBINE;
    else
        a->what = step % 2 == 0 ? ACTION_SEND : ACTION_COMBINE;
    return action_run(a, 0, s->npieces, 0, err);
}

static const struct program two_level_among = { .length = two_level_length, .action = two_level_action };
static const struct program two_level_allreduce = {
    .open = two_level_open, .parts = (const struct program *const[]){ &trees_up, &two_level_among, &trees_down, NULL }
};

const struct collective collective_two_level = {
    COLLECTIVE_TWO_LEVEL_ENTRY,
    .serves = { [ALLREDUCE] = &two_level_allreduce, [BARRIER] = &two_level_allreduce },
    .tree = &tree_two_level,
    .network = true,
    .segments = true
};
