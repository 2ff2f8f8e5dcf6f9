#include "cli/request/notes.h"
#include "cli/request/look.h"

void notes_refused(struct table *t, const char *spec, const char *reason)
{
    const size_t n = strlen(spec);

    if (*reason == '\'' && strncmp(reason + 1, spec, n) == 0 && strncmp(reason + 1 + n, "': ", 3) == 0)
        table_note(t, "%s: %s.", spec, reason + n + 4);
    else if (strstr(reason, spec))
        table_note(t, "%s.", reason);
    else
        table_note(t, "%s: %s.", spec, reason);
}

bool notes_tell(const struct table *t, const char *reason)
{
    const char *close = *reason == '\'' ? strstr(reason, "': ") : NULL;

    for (size_t i = 0; i < t->nnote; i++)
        if (strstr(t->note[i], close ? close + 3 : reason))
            return true;
    return false;
}

/* Where the text begins, behind "SUBJECT: "; the whole where there is no subject. */
static const char *note_text(const char *note)
{
    const char *colon = strstr(note, ": ");

    return colon ? colon + 2 : note;
}

static void put_subject(FILE *out, const char *note)
{
    fprintf(out, "%.*s", (int)(note_text(note) - note) - 2, note);
}

/* Where subjects are told apart by semicolons: one has a comma and a blank in it, or commas where there are several. */
static bool has_comma(const char *note, bool several)
{
    const char *comma = several ? strchr(note, ',') : strstr(note, ", ");

    return comma && comma < note_text(note);
}

/* The note for all that say the same as note i, from there on; those are marked in `gone`. NULL: no memory. */
static char *joined(const struct table *t, size_t i, bool *gone)
{
    const char *text = note_text(t->note[i]);
    size_t n = 0, said = 0, size;
    bool commas = false;
    char *out = NULL;
    FILE *f;

    for (size_t k = i; k < t->nnote; k++)
        n += !gone[k] && strcmp(note_text(t->note[k]), text) == 0;
    if (n < 2)
        return strdup(t->note[i]);
    for (size_t k = i; k < t->nnote; k++)
        commas = commas || (!gone[k] && strcmp(note_text(t->note[k]), text) == 0 && has_comma(t->note[k], n > 2));
    f = open_memstream(&out, &size);
    if (!f)
        return NULL;
    for (size_t k = i; k < t->nnote; k++)
        if (!gone[k] && strcmp(note_text(t->note[k]), text) == 0) {
            const size_t left = n - said;

            gone[k] = k > i;
            if (said == NOTES_NAMED && left > 1) {
                fprintf(f, " and %zu more", left);
                said = n;
            }
            if (said == n)
                continue;
            fputs(said == 0 ? "" : commas ? "; " : left == 1 ? " and " : ", ", f);
            put_subject(f, t->note[k]);
            said++;
        }
    fprintf(f, ": %s", text);
    if (fclose(f) != EOF)
        return out;
    free(out);
    return NULL;
}

void notes_join(struct table *t)
{
    bool *gone;
    size_t n = 0;

    if (t->nnote > NOTES_MOST)
        return;
    gone = calloc(t->nnote + 1, sizeof *gone);
    for (size_t i = 0; gone && i < t->nnote; i++)
        for (size_t k = i + 1; k < t->nnote && !gone[i]; k++)
            gone[k] = gone[k] || strcmp(t->note[k], t->note[i]) == 0;
    for (size_t i = 0; gone && i < t->nnote; i++) {
        char *note = gone[i] ? NULL : joined(t, i, gone);

        if (!gone[i] && !note) {
            err_memory(&t->why);
            break;
        }
        if (!gone[i]) {
            free(t->note[i]);
            t->note[i] = note;
        }
    }
    for (size_t i = 0; gone && i < t->nnote; i++)
        if (gone[i])
            free(t->note[i]);
        else
            t->note[n++] = t->note[i];
    if (gone)
        t->nnote = n;
    else
        err_memory(&t->why);
    free(gone);
}

void notes_words(struct table *t, const struct note_word *all, size_t n)
{
    for (size_t k = 0; k < n; k++)
        for (size_t r = 0; r < table_rows(t) && table_shows(t, all[k].column); r++)
            if (strcmp(look_text(t, r, all[k].column), all[k].word) == 0) {
                table_note(t, "%s: %s.", all[k].word, all[k].text);
                break;
            }
}

void notes_hosts(struct table *t, const struct net *net, const struct placement *where)
{
    if (where->nhost)
        table_note(t, "%s: hosts of the list stand for its first %d terminals, in the order in which they come.", net->spec,
                   where->nhost);
}
