/* Programs of collectives, opened and asked for actions (collective.h). */
#include "model/collective/collective.h"
#include "model/process/tree.h"

#define BYTES_MOST (1ll << 50)          /* of a vector, all processes together */

/* ---- open and close ---- */

/* Blocks of the whole vector, all processes together. */
static double schedule_blocks(const struct schedule *s)
{
    return s->operation == GATHER || s->operation == SCATTER || s->operation == ALLGATHER ? s->n :
        s->operation == ALLTOALL ? (double)s->n * s->n : 1;
}

/* Names those that serve the operation. */
static int schedule_serves_not(const struct schedule *s, struct err *err)
{
    char serve[300] = "";

    for (size_t i = 0; collective_all[i]; i++)
        if (collective_program(collective_all[i], s->operation))
            snprintf(serve + strlen(serve), sizeof serve - strlen(serve), "%s%s", *serve ? ", " : "",
                     collective_all[i]->name);
    return err_set(err, ERR_DOMAIN, "%s does not serve %s; %s do", s->algorithm->name, operation_name[s->operation],
                   serve);
}

static int schedule_suits(const struct schedule *s, struct err *err)
{
    const struct collective *a = s->algorithm;

    if (!collective_program(a, s->operation))
        return schedule_serves_not(s, err);
    if ((a->two && (s->n & (s->n - 1)) != 0) || (a->even && s->n % 2 != 0 && s->n > 1))
        return err_set(err, ERR_DOMAIN, "%s takes %s of processes, not %d", a->name,
                       a->two ? "a power of two" : "an even number", s->n);
    if (collective_follows(a) && !s->scene)
        return err_set(err, ERR_DOMAIN, "%s follows a network, and there is none", a->name);
    if (s->segment > s->bytes)
        return err_set(err, ERR_DOMAIN, "segments of %lld bytes are more than the message of %lld",
                       (long long)s->segment, (long long)s->bytes);
    if ((double)s->bytes * schedule_blocks(s) > (double)BYTES_MOST)
        return err_set(err, ERR_DOMAIN, "%s of %lld bytes among %d processes moves more than 2^50 bytes",
                       operation_name[s->operation], (long long)s->bytes, s->n);
    return 0;
}

int schedule_open(struct schedule *out, const struct schedule *ask, struct err *err)
{
    struct schedule s = *ask;

    s.radix = s.radix > 1 ? s.radix : 2;
    s.state = NULL;
    if (schedule_suits(&s, err) < 0)
        return -1;
    s.program = collective_program(s.algorithm, s.operation);
    s.posted = s.program->posted || (s.operation == BROADCAST && s.algorithm->tree && s.algorithm->tree->flat);
    s.npieces = s.operation == BARRIER ? 1 : s.operation == ALLTOALL ? (int64_t)s.n * s.n : s.n;
    if (s.program->open && s.program->open(&s, err) < 0) {
        schedule_close(&s);
        return -1;
    }
    *out = s;
    return 0;
}

void schedule_close(struct schedule *s)
{
    free(s->state);
    *s = (struct schedule){ 0 };
}

/* ---- actions ---- */

int64_t schedule_length(const struct schedule *s, int p)
{
    int64_t sum = 0;

    if (!s->program->parts)
        return s->program->length(s, p);
    for (size_t k = 0; s->program->parts[k]; k++)
        sum += s->program->parts[k]->length(s, p);
    return sum;
}

int schedule_action(struct action *a, const struct schedule *s, int p, int64_t i, struct err *err)
{
    const struct program *const whole[] = { s->program, NULL };
    const struct program *const *part = s->program->parts ? s->program->parts : whole;

    a->what = ACTION_END;
    a->nrun = 0;
    for (; *part; part++) {
        const int64_t n = (*part)->length(s, p);

        if (i < n) {
            a->program = *part;
            return (*part)->action(a, s, p, i, err);
        }
        i -= n;
    }
    return 0;
}

/* Bytes of the pieces before this one. */
static int64_t schedule_before(const struct schedule *s, int64_t piece)
{
    const bool blocks = s->operation == GATHER || s->operation == SCATTER || s->operation == ALLGATHER ||
        s->operation == ALLTOALL;

    return blocks ? piece * s->bytes : s->operation == BARRIER ? 0 :
        s->bytes / s->npieces * piece + s->bytes % s->npieces * piece / s->npieces;
}

int64_t schedule_piece(const struct schedule *s, int64_t piece)
{
    return schedule_before(s, piece + 1) - schedule_before(s, piece);
}

int64_t schedule_bytes(const struct schedule *s, const struct action *a)
{
    int64_t sum = 0;

    for (size_t k = 0; s->bytes > 0 && k < a->nrun; k++)
        sum += schedule_before(s, a->run[k].first + a->run[k].count) - schedule_before(s, a->run[k].first);
    return sum;
}
