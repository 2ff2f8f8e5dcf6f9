/* shorten.c -- names of one figure that have no room: cut where they are alike, so that what is left still tells them
 * apart. Two names part at the first letter in which they differ. Whoever keeps the letters at which a name parts from
 * each of the others, with dots between, has texts that differ; round these, and at both ends, more are kept, as many as
 * have room. */
#include <pango/pango.h>

#include "render/page/canvas.h"

#define DOTS 0x2026

struct letters {
    gunichar *letter;
    glong n;
    int *far;                   /* of each letter, how far it is from one to be kept */
};

static glong parting(const struct letters *a, const struct letters *b)
{
    glong k = 0;

    while (k < a->n && k < b->n && a->letter[k] == b->letter[k])
        k++;
    return k;
}

/* What follows a letter that parts names says more than what goes before it; the beginning and the end come last. */
static void name_weigh(struct letters *name, const struct letters *all, size_t n)
{
    for (glong k = 0; k < name->n; k++)
        name->far[k] = (int)(9 + 2 * (k < name->n - 1 - k ? k : name->n - 1 - k));
    for (size_t i = 0; i < n; i++) {
        const glong at = parting(name, &all[i]);

        for (glong k = 0; k < name->n && at < name->n; k++)
            name->far[k] = (int)fmin(name->far[k], k < at ? 3.0 * (double)(at - k) : (double)(k - at));
    }
}

/* The letters that are no further than `reach`, as UTF-8 to be freed; gaps of one letter are no shorter with dots. */
static char *name_within(const struct letters *name, int reach)
{
    gunichar *out = g_new(gunichar, (gsize)name->n + 1);
    char *text;
    glong n = 0;

    for (glong k = 0; k < name->n; k++) {
        const bool lone = k > 0 && k + 1 < name->n && name->far[k - 1] <= reach && name->far[k + 1] <= reach;

        if (name->far[k] <= reach || lone)
            out[n++] = name->letter[k];
        else if (n == 0 || out[n - 1] != DOTS)
            out[n++] = DOTS;
    }
    text = g_ucs4_to_utf8(out, n, NULL, NULL, NULL);
    g_free(out);
    return text;
}

static bool is_new(const char *text, struct text *const *t, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(t[i]->text, text) == 0)
            return false;
    return true;
}

static bool has_room(struct canvas *c, const struct text *t, const char *text)
{
    struct text tried = *t;

    tried.text = text;
    return !text_cut(c, &tried);
}

/* As much of the name as has room and is no other's; where there is no such part (the same name twice, hardly any room)
 * its number goes before it. */
static void shorten_one(struct canvas *c, struct text *const *t, size_t i, const struct letters *name)
{
    int lo = 0, hi = (int)(2 * name->n + 9);
    char *text = NULL;

    while (lo < hi) {               /* the least reach without room */
        const int reach = (lo + hi) / 2;

        text = name_within(name, reach);
        if (has_room(c, t[i], text))
            lo = reach + 1;
        else
            hi = reach;
        g_free(text);
    }
    for (int reach = lo - 1; reach >= -1 && !t[i]->shortened; reach--) {
        text = reach < 0 ? g_strdup_printf("%zu: %s", i + 1, t[i]->text) : name_within(name, reach);
        if (is_new(text, t, i)) {
            t[i]->text = g_string_chunk_insert_const(c->shorter, text);
            t[i]->shortened = true;
        }
        g_free(text);
    }
}

size_t text_shorten(struct canvas *c, struct text *const *t, size_t n)
{
    struct letters name[SHORTEN_MOST];
    size_t ncut = 0;

    for (size_t i = 0; i < n; i++)
        ncut += !t[i]->markup && text_cut(c, t[i]);
    if (ncut == 0 || n > SHORTEN_MOST)
        return ncut;
    for (size_t i = 0; i < n; i++) {
        char *line = line_of(c, t[i]->text);

        name[i].letter = g_utf8_to_ucs4_fast(line ? line : "", -1, &name[i].n);
        name[i].far = g_new(int, (gsize)name[i].n + 1);
        free(line);
    }
    for (size_t i = 0; i < n; i++)
        if (!t[i]->markup && text_cut(c, t[i])) {
            name_weigh(&name[i], name, n);
            shorten_one(c, t, i, &name[i]);
        }
    for (size_t i = 0; i < n; i++) {
        g_free(name[i].letter);
        g_free(name[i].far);
    }
    return ncut;
}
