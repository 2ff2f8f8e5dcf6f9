/* Rows of distances themselves, one block of sources at a time (distances.h). */
#include "graph/distance/distances.h"
#include "graph/distance/sweep.h"

struct dist_work {
    struct sweep sweep;
    struct csr in;              /* no arrays where links go both ways */
};

double dist_work_bytes(const struct csr *c)
{
    return csr_bytes(c) + sizeof(struct dist_work) + sweep_bytes(c->n);
}

struct dist_work *dist_work_new(const struct csr *c)
{
    struct dist_work *w = aligned_alloc(64, sizeof *w);
    struct err unsaid;

    if (!w)
        return NULL;
    if (csr_reverse(&w->in, c, &unsaid) == 0) {
        if (csr_same(&w->in, c))
            csr_release(&w->in);
        if (sweep_init(&w->sweep, c, w->in.first ? &w->in : c) == 0)
            return w;
        csr_release(&w->in);
    }
    free(w);
    return NULL;
}

void dist_work_free(struct dist_work *w)
{
    if (!w)
        return;
    sweep_release(&w->sweep);
    csr_release(&w->in);
    free(w);
}

/* The caller's graph may have moved since the work was made; its links may not have changed. */
static void distances_use(struct dist_work *w, const struct csr *c)
{
    w->sweep.out = c;
    w->sweep.in = w->in.first ? &w->in : c;
}

/* Levels are kept in binary, one plane of 512 bits for each digit, in the place of the row they become: a level touches
 * 64 bytes of a node for each of its binary ones instead of up to 512, and one pass at the end makes bytes. */
int dist_rows8(uint8_t *row, struct dist_work *w, const struct csr *c, const int *source, int nsource)
{
    struct sweep *s = &w->sweep;
    int planes = 0;

    distances_use(w, c);
    sweep_start(s, source, NULL, nsource);
    s->plane = row;
    do {
        if (s->level + 1 == 1 << planes) {  /* the next level is the first with this digit */
            for (size_t v = 0; v < (size_t)c->n; v++)
                memset(row + v * DIST_BLOCK + (size_t)planes * (DIST_BLOCK / 8), 0, DIST_BLOCK / 8);
            planes++;
        }
    } while (sweep_step(s) && s->level < 255);
    s->plane = NULL;
    if (s->level == 255 && s->nlist > 0)
        return -1;
    s->kernel->spread(s, row, planes);
    return 0;
}

void dist_rows32(uint32_t *row, struct dist_work *w, const struct csr *c, const int *source, int nsource)
{
    struct sweep *s = &w->sweep;

    distances_use(w, c);
    memset(row, 0xff, (size_t)c->n * DIST_BLOCK * sizeof *row);
    for (int i = 0; i < nsource; i++)
        row[(size_t)source[i] * DIST_BLOCK + (size_t)i] = 0;
    sweep_start(s, source, NULL, nsource);
    while (sweep_step(s))
        for (size_t j = 0; j < s->nlist; j++) {
            const int v = s->list[j];

            for (int k = 0; k < SWEEP_WORDS; k++)
                for (uint64_t fresh = s->now[v][k] & ~s->next[v][k]; fresh; fresh &= fresh - 1)
                    row[(size_t)v * DIST_BLOCK + (size_t)(64 * k + __builtin_ctzll(fresh))] = (uint32_t)s->level;
        }
}
