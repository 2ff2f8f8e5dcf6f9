/* sweep_kernel.h -- one level of a sweep, for one instruction set; sweep.c includes it once for each, having set
 * KERNEL(name), TARGET, WIDTH (bytes of a vector) and ANY(v) (whether a vector has a bit set).
 * Where vectors are shorter than 512 bits a node is visited lane by lane: its words are in the cache by then. */
#define LANES (64 / WIDTH)

typedef uint64_t KERNEL(vec) __attribute__((vector_size(WIDTH), may_alias));
typedef uint64_t KERNEL(loose) __attribute__((vector_size(WIDTH), may_alias, aligned(1)));

/* Adds a and b to the bits of weight 1 in *low; the carries, of weight 2, are returned in *carry. */
#define ADD(carry, low, a, b) do { \
        const KERNEL(vec) x_ = (low) ^ (a), b_ = (b); \
        (carry) = ((low) & (a)) | (x_ & b_); \
        (low) = x_ ^ b_; \
    } while (0)

static TARGET uint64_t KERNEL(weigh)(const struct sweep *s, const uint64_t *word)
{
    uint64_t sum = 0;

    for (unsigned k = 0; k < s->nmask; k++) {
        uint64_t count = 0;

        for (int i = 0; i < SWEEP_WORDS; i++)
            count += (uint64_t)__builtin_popcountll(word[i] & s->mask[k][i]);
        sum += count << k;
    }
    return sum;
}

/* Carry-save addition of the 16 slots (Harley and Seal): one word in sixteen has its bits counted. */
static TARGET void KERNEL(flush)(struct sweep *s)
{
    alignas(64) uint64_t sixteens[SWEEP_WORDS];

    for (size_t l = 0; l < LANES; l++) {
        const KERNEL(vec) *slot = (const void *)s->slot;
        KERNEL(vec) *bits = (void *)s->bits;
        KERNEL(vec) one = bits[l], two = bits[LANES + l], four = bits[2 * LANES + l], eight = bits[3 * LANES + l];
        KERNEL(vec) c2a, c2b, c4a, c4b, c8a = { 0 }, c8b = { 0 }, c16;

        for (int half = 0; half < 2; half++) {
            const KERNEL(vec) *in = slot + 8 * LANES * half + l;

            ADD(c2a, one, in[0], in[LANES]);
            ADD(c2b, one, in[2 * LANES], in[3 * LANES]);
            ADD(c4a, two, c2a, c2b);
            ADD(c2a, one, in[4 * LANES], in[5 * LANES]);
            ADD(c2b, one, in[6 * LANES], in[7 * LANES]);
            ADD(c4b, two, c2a, c2b);
            c8a = c8b;
            ADD(c8b, four, c4a, c4b);
        }
        ADD(c16, eight, c8a, c8b);
        bits[l] = one;
        bits[LANES + l] = two;
        bits[2 * LANES + l] = four;
        bits[3 * LANES + l] = eight;
        ((KERNEL(vec) *)(void *)sixteens)[l] = c16;
    }
    s->sum += KERNEL(weigh)(s, sixteens) << 4;
}

/* Counts the slots that were not enough for a flush, and what waits in the bits. */
static TARGET void KERNEL(finish)(struct sweep *s, unsigned nslot)
{
    memset(s->slot[nslot], 0, (SWEEP_SLOTS - nslot) * sizeof s->slot[0]);
    KERNEL(flush)(s);
    for (int k = 0; k < 4; k++)
        s->sum += KERNEL(weigh)(s, s->bits[k]) << k;
    memset(s->bits, 0, sizeof s->bits);
}

/* Keeps level s->level for the sources in `word` at node v, as a binary number across the planes. */
static TARGET inline void KERNEL(keep)(const struct sweep *s, int v, const uint64_t *word)
{
    uint8_t *plane = s->plane + (size_t)v * DIST_BLOCK;

    for (int bits = s->level; bits; bits >>= 1, plane += DIST_BLOCK / 8)
        if (bits & 1)
            for (size_t l = 0; l < LANES; l++)
                ((KERNEL(loose) *)(void *)plane)[l] |= ((const KERNEL(vec) *)(const void *)word)[l];
}

/* Whether nothing is missing in `word`: then more links cannot add to it. */
#define IS_FULL(l, word) (!ANY((KERNEL(vec))(full[l] & ~(word))))

#define WORD(u) now[(size_t)(u) * LANES + l]

static TARGET void KERNEL(push)(struct sweep *s)
{
    const struct csr *out = s->out;

    for (size_t i = 0; i < s->nlist; i++)
        memcpy(s->next[s->list[i]], s->now[s->list[i]], sizeof *s->now);
    for (size_t i = 0; i < s->nlist; i++) {
        const int v = s->list[i];
        const KERNEL(vec) *now = (const void *)s->now[v];

        for (size_t e = out->first[v]; e < out->first[v + 1]; e++) {
            KERNEL(vec) *next = (void *)s->next[out->to[e]];

            for (size_t l = 0; l < LANES; l++)
                next[l] |= now[l];
        }
    }
}

static TARGET inline __attribute__((always_inline)) size_t KERNEL(visit)(struct sweep *s, size_t nvisit,
                                                                          const bool pushed, const bool far)
{
    const size_t *first = s->in->first;
    const int *to = s->in->to;
    const KERNEL(vec) *now = (const void *)s->now, *full = (const void *)s->full;
    KERNEL(vec) *next = (void *)s->next;
    const unsigned char *counted = s->counted;
    const int *leaves = s->leaves;
    const int *const last = to + (far ? s->in->m - FAR_AHEAD - 4 : 0);
    const bool keep = s->plane;
    unsigned char *state = s->state;
    int *list = s->list;
    size_t ngrew = 0;
    unsigned nslot = 0;

    for (size_t i = 0; i < nvisit; i++) {
        const int v = list[i];
        const size_t at = (size_t)v * LANES;
        const int *const begin = to + first[pushed ? v + 1 : v], *const end = to + first[v + 1];
        KERNEL(vec) *slot = (void *)s->slot[nslot];
        KERNEL(vec) any = { 0 }, lack = { 0 };

        __builtin_prefetch(&now[(size_t)list[i + AHEAD] * LANES]);
        if (state[v] <= FULL) {
            sweep_close(s, v);
            continue;
        }
        for (size_t l = 0; l < LANES; l++) {
            const KERNEL(vec) old = now[at + l];
            KERNEL(vec) word = pushed ? next[at + l] : old, fresh;
            const int *u = begin;

            for (; end - u >= 4; u += 4) {
                for (int k = FAR_AHEAD; far && u <= last && k < FAR_AHEAD + 4; k++)
                    __builtin_prefetch(&WORD(u[k]));
                word |= WORD(u[0]) | WORD(u[1]);
                word |= WORD(u[2]) | WORD(u[3]);
                if (end - u >= 8 && u - begin >= PATIENCE && IS_FULL(l, word))
                    break;
            }
            for (; end - u < 4 && u < end; u++)
                word |= WORD(*u);
            next[at + l] = word;
            fresh = word & ~old;
            any |= fresh;
            lack |= full[l] & ~word;
            slot[l] = fresh;
        }
        if (!ANY(any))
            continue;
        list[ngrew++] = v;
        if (state[v] == VIRGIN)
            sweep_touch(s, v);
        if (!ANY(lack)) {
            state[v] = FULL;
            s->nfull++;
        }
        if (keep)
            KERNEL(keep)(s, v, (const void *)slot);
        if (leaves && leaves[v])
            s->leaf_sum += (uint64_t)leaves[v] * KERNEL(weigh)(s, (const void *)slot);
        if (counted && counted[v] && ++nslot == SWEEP_SLOTS) {
            KERNEL(flush)(s);
            nslot = 0;
        }
    }
    if (counted)
        KERNEL(finish)(s, nslot);
    return ngrew;
}

static TARGET size_t KERNEL(pull)(struct sweep *s, size_t nvisit)
{
    return s->pushed ? KERNEL(visit)(s, nvisit, true, false) :
        s->far ? KERNEL(visit)(s, nvisit, false, true) : KERNEL(visit)(s, nvisit, false, false);
}

#undef WORD
#undef IS_FULL
#undef ADD
#undef LANES
