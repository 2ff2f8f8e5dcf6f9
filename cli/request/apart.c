#include "cli/request/apart.h"

#include <sys/stat.h>
#include <unistd.h>

#define LINKS_MOST 40           /* that lead to each other, as the system has it */

static bool same_place(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* The folder that a file not there yet would stand in, and its name there, in `at`. A link leads to what it names. */
static const char *apart_folder(struct stat *folder, char at[PATH_MAX], const char *path)
{
    char name[PATH_MAX];
    const char *slash;

    snprintf(at, PATH_MAX, "%s", path);
    for (int links = 0; links < LINKS_MOST; links++) {
        const ssize_t len = readlink(at, name, sizeof name - 1);
        const size_t kept = len <= 0 || *name == '/' || !strrchr(at, '/') ? 0 : (size_t)(strrchr(at, '/') + 1 - at);

        if (len <= 0)
            break;
        snprintf(at + kept, PATH_MAX - kept, "%.*s", (int)len, name);
    }
    slash = strrchr(at, '/');
    snprintf(name, sizeof name, "%.*s/", slash ? (int)(slash - at) : 1, slash ? at : ".");
    return stat(name, folder) == 0 ? (slash ? slash + 1 : at) : NULL;
}

static bool same_file(const char *a, const char *b)
{
    struct stat x, y;
    const char *in_x, *in_y;
    char at_x[PATH_MAX], at_y[PATH_MAX];

    if (strcmp(a, "-") == 0 || strcmp(b, "-") == 0)
        return false;
    if (stat(a, &x) == 0)
        return S_ISREG(x.st_mode) && stat(b, &y) == 0 && same_place(&x, &y);
    in_x = apart_folder(&x, at_x, a);
    in_y = apart_folder(&y, at_y, b);
    return in_x && in_y && strcmp(in_x, in_y) == 0 && same_place(&x, &y);
}

/* Whether the name is that of the file; NULL: of any, by its way from here. */
static bool is_file(const char *file, const char *name)
{
    struct stat st;

    return file ? same_file(file, name) : *name != '/' && stat(name, &st) == 0 && S_ISREG(st.st_mode);
}

/* Whether `word`, or a piece of it that looks like a path (`ring:8` names no file 8), names the file. */
static bool names_file(const char *word, const char *file)
{
    char piece[PATH_MAX];

    if (is_file(file, word))
        return true;
    for (const char *at = word, *sign; at; at = sign ? sign + 1 : NULL) {
        const size_t len = strcspn(at, ",");

        sign = strpbrk(at, ":=,@");
        if (strpbrk(at, "./") && is_file(file, at))
            return true;
        if (len >= sizeof piece)
            continue;
        memcpy(piece, at, len);
        piece[len] = '\0';
        if (strpbrk(piece, "./") && is_file(file, piece))
            return true;
    }
    return false;
}

int files_here(const char *const *word, size_t nword, struct err *err)
{
    for (size_t k = 0; k < nword; k++)
        if (names_file(word[k], NULL))
            return err_set(err, ERR_USAGE, "--tasks: '%.200s' names a file by its way from this folder: write its whole "
                           "name, from / on, or add --here, and tasks begin in this folder", word[k]);
    return 0;
}

int files_apart(const char *const *written, size_t nwritten, const char *const *word, size_t nword, struct err *err)
{
    for (size_t i = 0; i < nwritten; i++) {
        struct stat st;

        for (size_t k = 0; k < i; k++)
            if (same_file(written[i], written[k]))
                return err_set(err, ERR_USAGE, "%.200s is to be written twice; the one would replace the other",
                               written[i]);
        if (stat(written[i], &st) < 0 || !S_ISREG(st.st_mode))
            continue;
        for (size_t k = 0; k < nword; k++)
            if (names_file(word[k], written[i]))
                return err_set(err, ERR_USAGE, "%.200s is read and is to be written by the same command, which would "
                               "replace it; name another file to be written", written[i]);
    }
    return 0;
}

void files_note(const char *const *written, size_t nwritten)
{
    struct stat st;

    for (size_t i = 0; i < nwritten; i++)
        if (stat(written[i], &st) == 0 && S_ISREG(st.st_mode) && st.st_nlink > 1)
            fprintf(stderr, "metapath: note: %s has other names (hard links), which keep what it held before\n",
                    written[i]);
}
