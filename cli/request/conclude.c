/* 1. rows       which compete, whose they are, in which case
 * 2. winners    of each case, and those that they leave behind
 * 3. sentences  saturation; the winner; the family against the rest; what was refused */
#include "cli/request/conclude.h"
#include "render/table/cells.h"

/* ---- rows ---- */

struct entrant {                        /* a row that competes */
    size_t row;
    double score, half;                 /* of its interval, or 0 */
    size_t name, scope;                 /* the first entrants of the same name, and of the same case */
    size_t wins;                        /* cases that its name wins alone, of the first of a name */
    bool family;
};
struct contest {
    struct table *t;
    const struct conclusion *c;
    int score, half, valid, saturation, where, named, validity, quality;        /* columns; -1: none */
    int contender[CONCLUDE_KEYS], scope[CONCLUDE_KEYS];       /* those that differ between rows; ended by -1 */
    struct entrant *entrant;
    size_t n, nrefused, nscope;
    FILE *out;
};

static int column_of(const struct table *t, const char *name)
{
    return name ? table_find(t, name) : -1;
}

/* "" where there is none. */
static const char *word_at(const struct contest *x, size_t row, int column)
{
    const struct cell *cell = column < 0 ? NULL : table_at(x->t, row, (size_t)column);

    return cell && cell->type == CELL_TEXT ? cell->u.text : "";
}

static bool verdict_is(const struct contest *x, size_t row, const char *word)
{
    return strcmp(word_at(x, row, x->validity), word) == 0 || strcmp(word_at(x, row, x->quality), word) == 0;
}

static bool alike(double a, double b)
{
    return fabs(a - b) <= CONCLUDE_TIE * fmax(fabs(a), fabs(b));
}

/* Neither counts as less than the other. */
static bool as_good(const struct entrant *a, const struct entrant *b)
{
    return alike(a->score, b->score) || fabs(a->score - b->score) <= a->half + b->half;
}

/* Of `names`, the columns whose cells differ between rows, of those that have any if `filled`. */
static void conclude_keys(int out[CONCLUDE_KEYS], const struct contest *x, const char *const *names, bool filled)
{
    size_t n = 0;

    for (size_t i = 0; i + 1 < CONCLUDE_KEYS && names[i]; i++) {
        const int column = table_find(x->t, names[i]);
        const struct cell *one = NULL;
        bool differ = false;

        for (size_t r = 0; column >= 0 && r < table_rows(x->t); r++) {
            const struct cell *cell = table_at(x->t, r, (size_t)column);

            if (filled && cell->type == CELL_NONE)
                continue;
            one = one ? one : cell;
            differ = differ || !cell_same(cell, one);
        }
        if (differ)
            out[n++] = column;
    }
    out[n] = -1;
}

static bool keys_same(const struct contest *x, const int *key, size_t a, size_t b)
{
    for (; *key >= 0; key++)
        if (!cell_same(table_at(x->t, a, (size_t)*key), table_at(x->t, b, (size_t)*key)))
            return false;
    return true;
}

static bool no_contender(const struct contest *x, size_t row)
{
    return x->c->but && strcmp(word_at(x, row, x->named), x->c->but) == 0;
}

static void conclude_enter(struct contest *x)
{
    for (size_t r = 0; r < table_rows(x->t); r++) {
        struct entrant *e = &x->entrant[x->n];

        if (verdict_is(x, r, "refused")) {
            x->nrefused++;
            continue;
        }
        *e = (struct entrant){ .row = r, .score = cell_value(table_at(x->t, r, (size_t)x->score)) };
        if (!isfinite(e->score) || no_contender(x, r) || (x->valid >= 0 && strcmp(word_at(x, r, x->valid), "no") == 0))
            continue;
        if (x->half >= 0 && isfinite(cell_value(table_at(x->t, r, (size_t)x->half))))
            e->half = cell_value(table_at(x->t, r, (size_t)x->half));
        e->family = x->c->family && strncmp(word_at(x, r, x->named), x->c->family, strlen(x->c->family)) == 0;
        while (!keys_same(x, x->contender, x->entrant[e->name].row, r))       /* at the latest its own */
            e->name++;
        while (!keys_same(x, x->scope, x->entrant[e->scope].row, r))
            e->scope++;
        x->nscope += e->scope == x->n++;
    }
}

/* ---- words ---- */

static void say_keys(const struct contest *x, const int *key, size_t row, const char *between)
{
    for (size_t i = 0; key[i] >= 0; i++) {
        const struct cell *cell = table_at(x->t, row, (size_t)key[i]);
        char number[32];

        if (cell->type == CELL_NONE)
            continue;
        fprintf(x->out, "%s%s", i ? between : "", cell->type == CELL_TEXT ? cell->u.text :
                num_shortest(number, cell_value(cell)));
    }
}

#define TIED_NAMED 3            /* at most; of the others, how many there are */

/* The k-th of n names that tie: "a, b and c". */
static void say_tied(const struct contest *x, size_t row, size_t k, size_t n)
{
    if (k < TIED_NAMED) {
        fprintf(x->out, "%s", k == 0 ? "" : k + 1 == n ? " and " : ", ");
        say_keys(x, x->contender, row, ", ");
    } else if (k == TIED_NAMED) {
        fprintf(x->out, " and %zu more", n - k);
    }
}

/* "throughput under its worst traffic"; of several, under theirs. */
static void say_noun(const struct contest *x, size_t n)
{
    const char *its = n > 1 ? strstr(x->c->noun, " its ") : NULL;

    fprintf(x->out, "%s ", x->c->most ? "highest" : "lowest");
    if (its)
        fprintf(x->out, "%.*s their %s", (int)(its - x->c->noun), x->c->noun, its + strlen(" its "));
    else
        fprintf(x->out, "%s", x->c->noun);
}

/* " on torus:8x8 (ports 1, blocking yes)", of what differs between cases. */
static void say_case(const struct contest *x, size_t row)
{
    const char *before = " (";

    for (const int *key = x->scope; *key >= 0; key++) {
        const char *name = x->t->column[*key].name;
        const int one[] = { *key, -1 };

        if (table_at(x->t, row, (size_t)*key)->type == CELL_NONE)
            continue;
        if (strcmp(name, "topology") == 0) {
            fprintf(x->out, " on ");
        } else {
            fprintf(x->out, "%s%s ", before, name);
            before = ", ";
        }
        if (table_at(x->t, row, (size_t)*key)->type == CELL_REAL)
            fprintf(x->out, "%.6g", cell_value(table_at(x->t, row, (size_t)*key)));
        else
            say_keys(x, one, row, "");
    }
    fprintf(x->out, "%s", *before == ',' ? ")" : "");
}

static void say_value(const struct contest *x, int column, double value)
{
    const char *unit = x->t->column[column].unit;
    const int digits = x->t->column[column].decimals % YIELDS(0);
    char number[CELL_DIGITS];

    if (digits > DIGITS(0) && digits < DIGITS(10)) {
        fprintf(x->out, "%s%s%s", cell_number(number, &(struct cell){ .type = CELL_REAL, .u.real = value }, digits),
                unit && *unit ? " " : "", unit ? unit : "");
        return;
    }

    /* as tables write great numbers */
    fprintf(x->out, fabs(value) >= 1e4 && fabs(value) < 1e9 ? "%.0f%s%s" : "%.4g%s%s", value,
            unit && *unit ? " " : "", unit ? unit : "");
}

/* ---- winners ---- */

static bool beats(const struct contest *x, double a, double b)
{
    return x->c->most ? a > b : a < b;
}

/* Best of a case, of those in the family (1), outside (0), or all (-1); n: none. `but` (or n) is passed over with all
 * that are as good. */
static size_t best_of(const struct contest *x, size_t scope, int family, size_t but)
{
    size_t best = x->n;

    for (size_t i = 0; i < x->n; i++) {
        const struct entrant *e = &x->entrant[i];

        if (e->scope != scope || (but < x->n && as_good(e, &x->entrant[but])))
            continue;
        if (family >= 0 && e->family != family)
            continue;
        if (best == x->n || beats(x, e->score, x->entrant[best].score))
            best = i;
    }
    return best;
}

static size_t number_alike(const struct contest *x, size_t best)
{
    size_t n = 0;

    for (size_t i = 0; i < x->n; i++)
        n += x->entrant[i].scope == x->entrant[best].scope && as_good(&x->entrant[i], &x->entrant[best]);
    return n;
}

/* Whether entrant i is the first of a case that has more than one name in it. */
static bool contested_case(const struct contest *x, size_t i)
{
    if (x->entrant[i].scope != i)
        return false;
    for (size_t k = 0; k < x->n; k++)
        if (x->entrant[k].scope == i && x->entrant[k].name != x->entrant[i].name)
            return true;
    return false;
}

/* ---- sentences ---- */

#define CASES_NAMED 3           /* at most; of more, which wins how many */

/* Whether a row is the first of its name; of those that saturate at `at` alone, unless it is NaN. */
static bool first_of_name(const struct contest *x, size_t row, double at)
{
    if (no_contender(x, row) || !(isnan(at) || alike(cell_value(table_at(x->t, row, (size_t)x->saturation)), at)))
        return false;
    for (size_t k = 0; k < row; k++)
        if (keys_same(x, x->contender, k, row) &&
            (isnan(at) || alike(cell_value(table_at(x->t, k, (size_t)x->saturation)), at)))
            return false;
    return true;
}

/* What all rows that saturate at `at` have in the column, or the first of each name alone; "" where they differ, or
 * have none. */
static const char *word_of_all(const struct contest *x, int column, double at, bool first_alone)
{
    const char *word = NULL;

    for (size_t r = 0; r < table_rows(x->t); r++) {
        if (no_contender(x, r) || !alike(cell_value(table_at(x->t, r, (size_t)x->saturation)), at) ||
            (first_alone && !first_of_name(x, r, at)))
            continue;
        if (word && strcmp(word, word_at(x, r, column)) != 0)
            return "";
        word = word_at(x, r, column);
    }
    return word ? word : "";
}

/* " on torus:8x8 under transpose", of those of the two that differ between rows. False: on several networks. */
static bool say_where_of_all(const struct contest *x, double at)
{
    bool one = true;

    for (const int *key = x->scope; *key >= 0; key++) {
        const char *name = x->t->column[*key].name, *word = word_of_all(x, *key, at, false);

        if (*word && strcmp(name, "traffic") == 0)
            fprintf(x->out, " under %s", word);
        if (strcmp(name, "topology") != 0)
            continue;
        one = *word;
        if (one)
            fprintf(x->out, " on %s", word);
    }
    return one;
}

/* "link a>b", or "the link out of a" of a terminal that is its own switch. */
static void say_link(const struct contest *x, const char *link)
{
    const bool own = strncmp(link, "out of ", strlen("out of ")) == 0 || strncmp(link, "into ", strlen("into ")) == 0;

    if (*link)
        fprintf(x->out, ", on %slink %s", own ? "the " : "", link);
}

/* Of all rows, those beyond it or refused for it too. That nothing saturates is said where every row is valid. */
static void say_saturation(const struct contest *x)
{
    const size_t n = table_rows(x->t);
    size_t names = 0, tied = 0, named = 0;
    double least = INFINITY;
    bool valid = n > 0, first = false, one = true;

    for (size_t r = 0; r < n; r++) {
        const double at = cell_value(table_at(x->t, r, (size_t)x->saturation));

        valid = valid && (verdict_is(x, r, "valid") || verdict_is(x, r, "refused"));
        if (!no_contender(x, r) && at < least * (1 - CONCLUDE_TIE))
            least = at;
    }
    if (!isfinite(least)) {
        if (valid && x->n)
            fprintf(x->out, "Nothing saturates. ");
        return;
    }
    for (size_t r = 0; r < n; r++)
        first = first || (!no_contender(x, r) && cell_value(table_at(x->t, r, (size_t)x->saturation)) > least &&
                          !alike(cell_value(table_at(x->t, r, (size_t)x->saturation)), least));
    for (size_t r = 0; x->contender[0] >= 0 && r < n; r++) {
        names += first_of_name(x, r, NAN);
        tied += first_of_name(x, r, least);
    }
    for (size_t r = 0; tied && r < n; r++)
        if (first_of_name(x, r, least))
            say_tied(x, r, named++, tied);
    fprintf(x->out, named == 0 ? first ? "Saturation comes first" : "Saturation is" : named == 1 ? " saturates first" :
            tied < names ? " saturate first" : " saturate alike");
    if (named || first)
        one = say_where_of_all(x, least);
    fprintf(x->out, "%s at a load of ", named || first ? "," : "");
    say_value(x, x->saturation, least);
    if (one)
        say_link(x, word_of_all(x, x->where, least, true));     /* of links as busy, rows name one or another */
    fprintf(x->out, ". ");
}

/* The winner and its lead over the next; or those that tie. */
static void say_winner(const struct contest *x, size_t best)
{
    const size_t next = best_of(x, x->entrant[best].scope, -1, best), tied = number_alike(x, best);
    size_t said = 0;

    for (size_t i = 0; i < x->n; i++)
        if (x->entrant[i].scope == x->entrant[best].scope && as_good(&x->entrant[i], &x->entrant[best]))
            say_tied(x, x->entrant[i].row, said++, tied);
    fprintf(x->out, " ha%s the ", tied > 1 ? "ve" : "s");
    say_noun(x, tied);
    say_case(x, x->entrant[best].row);
    fprintf(x->out, ": ");
    say_value(x, x->score, x->entrant[best].score);
    if (next < x->n && x->entrant[next].score != 0) {
        fprintf(x->out, ", %.3g %% %s than ", 100 * fabs(x->entrant[best].score / x->entrant[next].score - 1),
                x->entrant[best].score < x->entrant[next].score ? "less" : "more");
        say_keys(x, x->contender, x->entrant[next].row, ", ");
    }
    fprintf(x->out, ". ");
}

/* How many cases each wins alone, from the most on, and how many are ties. */
static void say_wins(const struct contest *x, size_t contested)
{
    const char *before = "";
    size_t ties = 0;

    for (size_t i = 0; i < x->n; i++)
        if (contested_case(x, i)) {
            const size_t best = best_of(x, i, -1, x->n);
            const bool tie = number_alike(x, best) > 1;

            ties += tie;
            x->entrant[x->entrant[best].name].wins += !tie;
        }
    fprintf(x->out, "Of %zu cases, the ", contested);
    say_noun(x, 1);
    fprintf(x->out, " is that of ");
    for (;;) {                          /* names in the order of the rows where they win as many */
        size_t most = x->n;

        for (size_t i = 0; i < x->n; i++)
            if (x->entrant[i].wins && (most == x->n || x->entrant[i].wins > x->entrant[most].wins))
                most = i;
        if (most == x->n)
            break;
        fprintf(x->out, "%s", before);
        say_keys(x, x->contender, x->entrant[most].row, ", ");
        fprintf(x->out, " in %zu", x->entrant[most].wins);
        x->entrant[most].wins = 0;
        before = ", ";
    }
    if (ties)
        fprintf(x->out, "%sseveral alike in %zu", before, ties);
    fprintf(x->out, ". ");
}

/* One name wins every case alone: by how much it leads the next, least and most. */
static bool say_winner_of_all(const struct contest *x, size_t contested)
{
    double least = INFINITY, most = 0;
    size_t name = x->n;

    for (size_t i = 0; i < x->n; i++)
        if (contested_case(x, i)) {
            const size_t best = best_of(x, i, -1, x->n), next = best_of(x, i, -1, best);
            double lead;

            if (number_alike(x, best) > 1 || next == x->n || (name < x->n && x->entrant[best].name != name))
                return false;
            name = x->entrant[best].name;
            lead = 100 * fabs(x->entrant[best].score / x->entrant[next].score - 1);
            least = fmin(least, lead);
            most = fmax(most, lead);
        }
    say_keys(x, x->contender, x->entrant[name].row, ", ");
    fprintf(x->out, " has the ");
    say_noun(x, 1);
    if (contested == 2)
        fprintf(x->out, " in both cases");
    else
        fprintf(x->out, " in all %zu cases", contested);
    if (most - least < 1e-3 * most)
        fprintf(x->out, ", by %.3g %%. ", most);
    else
        fprintf(x->out, ", by %.3g to %.3g %%. ", least, most);
    return true;
}

static void say_winners(const struct contest *x)
{
    size_t contested = 0;

    for (size_t i = 0; i < x->n; i++)
        contested += contested_case(x, i);
    if (contested > 1 && say_winner_of_all(x, contested))
        return;
    if (contested > CASES_NAMED) {
        say_wins(x, contested);
        return;
    }
    for (size_t i = 0; i < x->n; i++)
        if (contested_case(x, i))
            say_winner(x, best_of(x, i, -1, x->n));
}

/* What spreading bought or cost: the best of the family against the best of the others, where there is one case. */
static void say_family(const struct contest *x)
{
    const size_t in = best_of(x, 0, 1, x->n), out = best_of(x, 0, 0, x->n);

    if (in == x->n || out == x->n || !beats(x, x->entrant[out].score, x->entrant[in].score) ||
        as_good(&x->entrant[in], &x->entrant[out]))
        return;                         /* the family wins, or ties */
    fprintf(x->out, "Every %s is worse than ", x->c->family_noun);
    say_keys(x, x->contender, x->entrant[out].row, ", ");
    fprintf(x->out, ": the best of them, ");
    say_keys(x, x->contender, x->entrant[in].row, ", ");
    fprintf(x->out, ", has ");
    say_value(x, x->score, x->entrant[in].score);
    fprintf(x->out, ". ");
}

static void conclude_say(struct contest *x)
{
    size_t names = 0;

    for (size_t i = 0; i < x->n; i++)
        names += x->entrant[i].name == i;
    if (x->saturation >= 0)
        say_saturation(x);
    if (table_shows(x->t, x->c->score))
        say_winners(x);
    if (table_shows(x->t, x->c->score) && x->nscope == 1 && x->c->family)
        say_family(x);
    if (x->nrefused && names)
        fprintf(x->out, "%zu row%s refused. ", x->nrefused, x->nrefused == 1 ? " was" : "s were");
}

/* Before what the command has noted; where memory is out t->why says so. */
static void conclude_note(struct table *t, const char *text)
{
    table_note(t, "%s", text);
    for (size_t i = t->nnote; t->why.code == ERR_NONE && i-- > 1;) {
        char *moved = t->note[i];

        t->note[i] = t->note[i - 1];
        t->note[i - 1] = moved;
    }
}

void conclude(struct table *t, const struct conclusion *c)
{
    struct contest x = { .t = t, .c = c, .score = column_of(t, c->score), .saturation = column_of(t, c->saturation),
                         .half = column_of(t, c->half), .valid = column_of(t, c->valid),
                         .where = column_of(t, c->where), .named = column_of(t, c->contender[0]),
                         .validity = table_find(t, "validity"), .quality = table_find(t, "quality") };
    char *text = NULL;
    size_t len = 0;

    if (x.score < 0 || table_rows(t) == 0 || table_rows(t) > CONCLUDE_ROWS)
        return;
    if (c->saturation && !table_shows(t, c->saturation))
        x.saturation = -1;
    conclude_keys(x.contender, &x, c->contender, false);
    conclude_keys(x.scope, &x, c->scope, true);         /* a refused row may lack its traffic */
    x.entrant = calloc(table_rows(t) + 1, sizeof *x.entrant);
    x.out = x.entrant ? open_memstream(&text, &len) : NULL;
    if (!x.out) {
        free(x.entrant);
        err_memory(&t->why);
        return;
    }
    conclude_enter(&x);
    conclude_say(&x);
    if (fclose(x.out) == EOF)
        err_memory(&t->why);
    else if (len > 1) {
        text[len - 1] = '\0';           /* the blank behind the last sentence */
        conclude_note(t, text);
    }
    FREE(text, x.entrant);
}
