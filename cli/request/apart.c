#include "cli/request/apart.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static bool same_place(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* The folder that a file not there yet would stand in, and its name there. */
static const char *apart_folder(struct stat *folder, const char *path)
{
    const char *slash = strrchr(path, '/');
    char name[PATH_MAX];
    const int len = slash ? (int)(slash - path) : 0;

    snprintf(name, sizeof name, "%.*s/", slash ? len : 1, slash ? path : ".");
    return stat(name, folder) == 0 ? (slash ? slash + 1 : path) : NULL;
}

static bool same_file(const char *a, const char *b)
{
    struct stat x, y;
    const char *in_x, *in_y;

    if (strcmp(a, "-") == 0 || strcmp(b, "-") == 0)
        return false;
    if (stat(a, &x) == 0)
        return S_ISREG(x.st_mode) && stat(b, &y) == 0 && same_place(&x, &y);
    in_x = apart_folder(&x, a);
    in_y = apart_folder(&y, b);
    return in_x && in_y && strcmp(in_x, in_y) == 0 && same_place(&x, &y);
}

/* Whether `word`, or a piece of it that looks like a path (`ring:8` names no file 8), names the file. */
static bool names_file(const char *word, const char *file)
{
    char piece[PATH_MAX];

    if (same_file(file, word))
        return true;
    for (const char *at = word, *sign; at; at = sign ? sign + 1 : NULL) {
        const size_t len = strcspn(at, ",");

        sign = strpbrk(at, ":=,");
        if (strpbrk(at, "./") && same_file(file, at))
            return true;
        if (len >= sizeof piece)
            continue;
        memcpy(piece, at, len);
        piece[len] = '\0';
        if (strpbrk(piece, "./") && same_file(file, piece))
            return true;
    }
    return false;
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
