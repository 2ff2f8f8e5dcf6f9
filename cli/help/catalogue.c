#include "cli/help/catalogue.h"

#include "registry/kinds.inc"

#define EXTERN(id) extern const struct kind kind_##id;
#define ADDRESS(id) &kind_##id,
KINDS(EXTERN)
static const struct kind *const all[] = { KINDS(ADDRESS) &kind_term };
#define NALL (sizeof all / sizeof *all)

/* As many kinds stand before the i-th as have a lesser rank, or the same and an earlier place. */
const struct kind *catalogue_kind(size_t i)
{
    for (size_t k = 0; k < NALL; k++) {
        size_t before = 0;

        for (size_t j = 0; j < NALL; j++)
            before += all[j]->rank < all[k]->rank || (all[j]->rank == all[k]->rank && j < k);
        if (before == i)
            return all[k];
    }
    return NULL;
}

int catalogue_walk(int (*each)(void *arg, const struct kind *kind, const struct entry *entry), void *arg)
{
    const struct kind *kind;
    int ret = 0;

    for (size_t k = 0; ret == 0 && (kind = catalogue_kind(k)); k++)
        for (size_t i = 0; ret == 0 && kind->entry[i]; i++)
            ret = each(arg, kind, kind->entry[i]);
    return ret;
}
