/* Arrays taken and released together (mem.h). */
#include <sys/mman.h>

#include "graph/base/base.h"

#define PAGE ((uintptr_t)4096)          /* at least: what advice is given by */
#define HUGE 4e6                        /* bytes, from which on it is worth it */
#define LINE 64                         /* of the cache: what fills one begins with it */

/* A pointer of any type, by its address. */
static void *mem_pointer(const void *array)
{
    void *at;

    memcpy(&at, array, sizeof at);
    return at;
}

static void mem_point(void *array, void *at)
{
    memcpy(array, &at, sizeof at);
}

/* Large arrays are gone through at random: in pages of 2 MB, of which the processor remembers all. */
static void mem_advise(void *at, double bytes)
{
    const uintptr_t from = ((uintptr_t)at + PAGE - 1) & ~(PAGE - 1);

    if (at && bytes >= HUGE)            /* where that is refused nothing is lost but time */
        (void)madvise((void *)from, ((size_t)bytes - PAGE) & ~(PAGE - 1), MADV_HUGEPAGE);
}

static void *mem_array(const struct taken *t)
{
    const size_t n = t->n ? t->n : 1;           /* no elements are no failure */
    void *at = NULL;

    if (t->each == 0)
        return NULL;
    if (t->zero)
        at = calloc(n, t->each);
    else if (t->each % LINE > 0 || n > PTRDIFF_MAX / t->each)
        at = reallocarray(NULL, n, t->each);
    else
        at = aligned_alloc(LINE, n * t->each);
    mem_advise(at, (double)n * (double)t->each);
    return at;
}

int mem_take(const struct taken *list, const char *what, struct err *err)
{
    double bytes = 0;

    for (const struct taken *t = list; t->array; t++) {
        bytes += (double)t->n * (double)t->each;
        mem_point(t->array, NULL);
    }
    if (mem_need(bytes, what, err) < 0)
        return -1;
    for (const struct taken *t = list; t->array; t++) {
        void *at = mem_array(t);

        if (t->each && !at)
            goto fail;
        mem_point(t->array, at);
    }
    return 0;
fail:
    for (const struct taken *t = list; t->array; t++) {
        free(mem_pointer(t->array));
        mem_point(t->array, NULL);
    }
    return err_memory(err);
}

void mem_free(void *const *array, size_t n)
{
    for (size_t i = 0; i < n; i++)
        free(array[i]);
}

void mem_free_list(void *list, size_t n)
{
    for (size_t i = 0; list && i < n; i++)
        free(mem_pointer((char *)list + i * sizeof list));
    free(list);
}
