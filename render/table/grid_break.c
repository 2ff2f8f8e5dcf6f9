/* grid_break.c -- names and sentences of a grid go on in further rows, where lines are to be narrower (grid.h). */
#include "render/table/grid.h"

#define MARKS ",:-+/>"

/* Bytes of the shortest beginning that a line may end behind: a word of a sentence with the blanks before it, or a
 * name up to a mark. */
static size_t shortest(const char *text, bool sentence)
{
    const size_t blanks = strspn(text, " ");
    size_t n = blanks + strcspn(text + blanks, sentence ? " " : MARKS);

    return sentence ? n : n + strspn(text + n, MARKS);
}

static size_t places(const char *text, size_t n)
{
    char *part = text_copy(text, n);
    const size_t width = part ? grid_width(part) : n;

    free(part);
    return width;
}

/* Bytes of the line that a text begins with in so many places; its shortest beginning has to have room. */
static size_t line_of(const char *text, size_t width, bool sentence)
{
    size_t n = shortest(text, sentence);

    while (text[n] && places(text, n + shortest(text + n, sentence)) <= width)
        n += shortest(text + n, sentence);
    return n;
}

static bool is_sentence(const char *text)
{
    return strchr(text, ' ') != NULL;
}

/* A sentence is not made narrower than this. */
#define NARROWEST 16

static size_t narrowest(const char *text)
{
    const bool sentence = is_sentence(text);
    size_t most = 0;

    if (sentence && grid_width(text) > NARROWEST)
        return NARROWEST;
    for (size_t n; *text; text += n) {
        const char *from = text + strspn(text, " ");

        n = shortest(text, sentence);
        most = places(from, n - (size_t)(from - text)) > most ? places(from, n - (size_t)(from - text)) : most;
    }
    return most;
}

size_t grid_narrow(size_t *width, const struct grid *g, size_t first, size_t limit)
{
    size_t sum = GAP * (g->ncolumn - 1);

    for (size_t i = 0; i < g->ncolumn; i++)
        sum += width[i];
    while (sum > limit) {
        size_t widest = g->ncolumn, saved = 0;

        for (size_t i = first; i < g->ncolumn; i++) {
            size_t least = 0;

            for (size_t r = 0; g->left[i] && r < g->nhead + g->nrow; r++) {
                const char *text = grid_at(g, r, i)->text;
                const size_t n = r < g->nhead ? grid_width(text) : narrowest(text);

                least = n > least ? n : least;
            }
            if (g->left[i] && least < width[i] && width[i] - least > saved) {
                widest = i;
                saved = width[i] - least;
            }
        }
        if (!saved)
            break;
        saved = saved < sum - limit ? saved : sum - limit;
        width[widest] -= saved;
        sum -= saved;
    }
    return sum;
}

/* What of a cell is still to be written, and its next line. -1: memory. */
static int next_line(char **out, const char **rest, size_t width, bool left)
{
    const char *text = *rest + strspn(*rest, " ");
    const size_t n = !left || grid_width(text) <= width ? strlen(text) : line_of(text, width, is_sentence(text));

    *rest = text + n;
    *out = text_copy(text, n);
    return *out ? 0 : -1;
}

/* One more line of the cells not yet written to their end; returns whether something is left. -1: memory. */
static int add_line(struct grid *out, size_t *room, const struct grid *g, size_t row, const char **rest,
                    const size_t *width, struct err *err)
{
    const size_t at = out->nrow * g->ncolumn;
    int more = 0;

    if (GROW(room, at + g->ncolumn, "the table", err, GROWN(out->cell)) < 0)
        return -1;
    memset(&out->cell[at], 0, g->ncolumn * sizeof *out->cell);
    out->nrow++;
    for (size_t i = 0; i < g->ncolumn; i++) {
        out->cell[at + i].number = grid_at(g, row, i)->number;
        if (next_line(&out->cell[at + i].text, &rest[i], width[i], g->left[i] && row >= g->nhead) < 0)
            return err_memory(err);
        more = more || *rest[i];
    }
    return more;
}

int grid_break(struct grid *out, const struct grid *g, const size_t *width, struct err *err)
{
    const char **rest = NULL;
    size_t room = 0;
    int more = 0;

    *out = (struct grid){ .ncolumn = g->ncolumn };
    if (TAKE("the table", err, ARRAY(rest, g->ncolumn + 1), ARRAY(out->left, g->ncolumn + 1)) < 0)
        return -1;
    memcpy(out->left, g->left, g->ncolumn * sizeof *out->left);
    for (size_t r = 0; more >= 0 && r < g->nhead + g->nrow; r++) {
        for (size_t i = 0; i < g->ncolumn; i++)
            rest[i] = grid_at(g, r, i)->text;
        do
            more = add_line(out, &room, g, r, rest, width, err);
        while (more > 0);
    }
    free(rest);
    out->nhead = more < 0 ? 0 : g->nhead;
    out->nrow -= out->nhead;
    return more < 0 ? -1 : 0;
}
