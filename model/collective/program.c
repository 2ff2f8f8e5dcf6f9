/* What programs of collectives have in common (collective.h). */
#include "model/collective/collective.h"

#define PIECES_MOST (1ll << 31)

int schedule_segments(struct schedule *s, struct err *err)
{
    s->npieces = s->segment > 0 && s->bytes > 0 ? (s->bytes + s->segment - 1) / s->segment : 1;
    return s->npieces <= PIECES_MOST ? 0 :
        err_set(err, ERR_DOMAIN, "%lld bytes in segments of %lld are %lld, more than 2^31", (long long)s->bytes,
                (long long)s->segment, (long long)s->npieces);
}

int action_run(struct action *a, int64_t first, int64_t count, int64_t all, struct err *err)
{
    const int64_t over = all > 0 && first + count > all ? first + count - all : 0;

    if (count <= 0)
        return 0;
    if (all > 0 && first >= all)
        return action_run(a, first - all, count, all, err);
    if (GROW(&a->room, a->nrun + 2, "pieces of a message", err, GROWN(a->run)) < 0)
        return -1;
    if (over < count)
        a->run[a->nrun++] = (struct piece_run){ first, count - over };
    if (over)
        a->run[a->nrun++] = (struct piece_run){ 0, over };
    return 0;
}
