#include "model/process/sight.h"
#include "texts/tree.h"

static int tree_minimum_spanning_build(struct tree_shape *t, const struct tree_scene *scene, struct err *err)
{
    struct tree_scene flat = *scene;        /* ranks are processes: the tree is the same for all roots */
    struct sight s = { 0 };
    struct sight_join *list = NULL;
    int ret = -1;

    flat.root = 0;
    if (sight_open(&s, &flat, err) < 0)
        return -1;
    if (sight_even(&s, "minimum-spanning", err) == 0 && sight_spanning(&list, &s, err) == 0)
        ret = sight_hang(t, list, scene, err);
    free(list);
    sight_close(&s);
    return ret;
}

const struct tree tree_minimum_spanning = {
    TREE_MINIMUM_SPANNING_ENTRY,
    .source = "Kruskal 1956; without all pairs: Mehlhorn 1988",
    .build = tree_minimum_spanning_build,
    .spans = true
};
