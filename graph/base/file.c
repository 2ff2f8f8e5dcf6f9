#include "graph/base/file.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define BESIDE_TRIES 100        /* names */

/* A call is interrupted only by a signal that asks the program to stop: no other signal is caught. */
static int failed(const char *doing, const char *path, struct err *err)
{
    return errno == EINTR ? err_stopped(err) : err_set(err, ERR_IO, "cannot %s %s: %s", doing, path, strerror(errno));
}

/* ---- a new file beside the old one --------------------------------------------------------------------- */

/* A name of its own in the folder of `target`, however long that is. */
static void beside_name(char *name, size_t size, const char *target, unsigned i)
{
    const char *slash = strrchr(target, '/');

    snprintf(name, size, "%.*s.metapath-%ld-%u.tmp", slash ? (int)(slash + 1 - target) : 0, target, (long)getpid(), i);
}

/* A new file of such a name, or the file `self` under it: 0 or its descriptor. */
static int beside_named(struct output *out, const char *self)
{
    for (unsigned i = 0; i < BESIDE_TRIES; i++) {
        int fd;

        beside_name(out->temporary, out->size, out->target, i);
        fd = self ? linkat(AT_FDCWD, self, AT_FDCWD, out->temporary, AT_SYMLINK_FOLLOW) :
            open(out->temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd >= 0)
            return fd;
        if (errno != EEXIST)
            break;
    }
    out->temporary[0] = '\0';
    return -1;
}

/* A file without a name: the system gives it back by itself, however the program ends. Where folders cannot have such
 * files (O_TMPFILE), one that has lost its name at once; it will have to be copied. */
static int beside_unnamed(struct output *out)
{
    char *folder = strdup(out->target), *slash;
    int fd = -1;

    if (!folder)
        return -1;
    slash = strrchr(folder, '/');
    if (slash)
        slash[slash == folder] = '\0';
    if (access("/proc/self/fd", X_OK) == 0)
        fd = open(slash ? folder : ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);
    free(folder);
    if (fd < 0 && (fd = beside_named(out, NULL)) >= 0) {
        unlink(out->temporary);
        out->temporary[0] = '\0';
    }
    return fd;
}

/* The permissions of what is replaced; those of a group only where the group is the same. */
static int beside_mode(int fd, const struct stat *old)
{
    const bool group = fchown(fd, (uid_t)-1, old->st_gid) == 0;

    return fchmod(fd, old->st_mode & (group ? 0777 : 0707));
}

/* With the mode that a plain open would give (mkstemp would make it private), or that of the file it will replace. */
static int beside_open(struct output *out, const struct stat *old, struct err *err)
{
    int fd;

    out->size = strlen(out->target) + 64;
    out->temporary = calloc(1, out->size);
    if (!out->temporary)
        return err_memory(err);
    fd = beside_unnamed(out);
    if (fd < 0)
        return failed("write", out->path, err);
    if ((old && beside_mode(fd, old) < 0) || !(out->stream = fdopen(fd, "w"))) {
        failed("write", out->path, err);
        close(fd);
        return -1;
    }
    return 0;
}

const char *output_name(char name[OUTPUT_NAME], const struct output *out)
{
    snprintf(name, OUTPUT_NAME, "/proc/self/fd/%d", fileno(out->stream));
    return name;
}

static int beside_copy(struct output *out, int from)
{
    char block[1 << 16];
    struct stat st;
    off_t at = 0;
    int to = fstat(from, &st) < 0 ? -1 : beside_named(out, NULL), ret = to < 0 ? -1 : beside_mode(to, &st);

    while (ret == 0 && at < st.st_size) {
        const ssize_t got = pread(from, block, sizeof block, at), put = got > 0 ? write(to, block, (size_t)got) : -1;

        ret = put > 0 ? 0 : -1;
        at += put;
    }
    if (to >= 0 && close(to) < 0)
        ret = -1;
    return ret;
}

/* A name for what has none. */
static int beside_link(struct output *out)
{
    char self[OUTPUT_NAME];

    return beside_named(out, output_name(self, out)) == 0 ? 0 : beside_copy(out, fileno(out->stream));
}

/* ---- output -------------------------------------------------------------------------------------------- */

int output_open(struct output *out, const char *path, struct err *err)
{
    struct stat st;
    bool is_there;

    *out = (struct output){ 0 };
    if (!path || strcmp(path, "-") == 0) {
        out->path = text_copy("standard output", 15);
        out->stream = stdout;
        return out->path ? 0 : err_memory(err);
    }
    out->path = text_copy(path, strlen(path));
    if (!out->path)
        return err_memory(err);
    is_there = stat(path, &st) == 0;
    if (is_there && S_ISDIR(st.st_mode)) {
        err_set(err, ERR_IO, "cannot write %s: it is a directory", path);
        goto fail;
    }
    /* a link that leads nowhere yet is there too: renaming over it would lose it */
    if (is_there ? !S_ISREG(st.st_mode) : lstat(path, &st) == 0 && S_ISLNK(st.st_mode)) {
        out->stream = fopen(path, "we");
        if (!out->stream) {
            failed("write", path, err);
            goto fail;
        }
        return 0;
    }
    if (!is_there || access(path, W_OK) == 0)
        out->target = is_there ? realpath(path, NULL) : text_copy(path, strlen(path));
    if (!out->target)
        failed("write", path, err);
    else if (beside_open(out, is_there ? &st : NULL, err) == 0)
        return 0;
fail:
    output_abort(out);
    return -1;
}

int output_commit(struct output *out, struct err *err)
{
    const bool beside = out->temporary;
    sigset_t all, before;
    int ret = 0;

    if (fflush(out->stream) == EOF || ferror(out->stream))
        ret = failed("write", out->path, err);
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);          /* while there is a name that would be left behind */
    if (ret == 0 && beside && beside_link(out) < 0)
        ret = failed("write", out->path, err);
    if (out->stream != stdout && fclose(out->stream) == EOF && ret == 0)
        ret = failed("write", out->path, err);
    out->stream = NULL;
    if (ret == 0 && beside && rename(out->temporary, out->target) < 0)
        ret = failed("write", out->path, err);
    else if (ret == 0 && beside)
        out->temporary[0] = '\0';
    output_abort(out);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return ret;
}

void output_abort(struct output *out)
{
    if (out->stream && out->stream != stdout)
        fclose(out->stream);
    if (out->temporary && out->temporary[0])
        unlink(out->temporary);
    FREE(out->temporary, out->target, out->path);
    *out = (struct output){ 0 };
}

int output_printed(struct err *err)
{
    return fflush(stdout) == EOF || ferror(stdout) ? err_set(err, ERR_IO, "cannot write to standard output") : 0;
}

/* Standard input may be asked for again (a network that is drawn is opened twice): a file is put back to where it was,
 * the bytes of a pipe are laid into a file in memory that takes its place. Where that fails the next finds it empty. */
static void keep_input(off_t start, const char *bytes, size_t len)
{
    int fd;

    if (start >= 0) {
        (void)!lseek(STDIN_FILENO, start, SEEK_SET);
        return;
    }
    fd = memfd_create("standard input", MFD_CLOEXEC);
    for (size_t at = 0; fd >= 0 && at < len;) {
        const ssize_t put = write(fd, bytes + at, len - at);

        if (put <= 0)
            break;
        at += (size_t)put;
    }
    if (fd >= 0 && lseek(fd, 0, SEEK_SET) == 0)
        (void)dup2(fd, STDIN_FILENO);
    if (fd >= 0)
        close(fd);
}

int file_read(char **bytes, size_t *len, const char *path, size_t most, size_t each, struct err *err)
{
    bool standard = strcmp(path, "-") == 0;
    int fd = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    const off_t start = standard ? lseek(STDIN_FILENO, 0, SEEK_CUR) : -1;
    size_t size = 1 << 16, room = 0, n = 0, known = 0;      /* size: wanted at least; room: there; known: of the file */
    char *buf = NULL;
    struct stat st;
    char limit[32];

    if (fd < 0)
        return failed("read", path, err);
    if (fstat(fd, &st) < 0) {
        failed("read", path, err);
        goto fail;
    }
    if (S_ISDIR(st.st_mode)) {
        err_set(err, ERR_IO, "cannot read %s: it is a directory", path);
        goto fail;
    }
    if (S_ISREG(st.st_mode) && st.st_size > 0)
        known = (size_t)st.st_size;
    size = known ? known + 2 : size;
    for (;;) {
        ssize_t got;

        if ((n > known ? n : known) > most) {
            err_set(err, ERR_IO, "cannot read %s: it is larger than %s", path, text_bytes(limit, (double)most));
            goto fail;
        }
        if (size > room && mem_need((double)size * (double)each, "reading the file", err) < 0) {
            err_at(err, "%.200s", path);
            goto fail;
        }
        if (GROW(&room, size, path, err, GROWN(buf)) < 0)
            goto fail;
        got = read(fd, buf + n, room - n - 1);
        if (got < 0) {
            failed("read", path, err);
            goto fail;
        }
        n += (size_t)got;
        if (got == 0 || memchr(buf + n - got, '\0', (size_t)got))
            break;
        size = n + 2;               /* room for one more at least */
    }
    buf[n] = '\0';
    if (standard)
        keep_input(start, buf, n);
    else
        close(fd);
    *bytes = buf;
    *len = n;
    return 0;
fail:
    free(buf);
    if (!standard)
        close(fd);
    return -1;
}
