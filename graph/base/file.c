#include "graph/base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "graph/base/grow.h"
#include "graph/base/mem.h"
#include "graph/base/num.h"
#include "graph/base/text.h"

static int failed(const char *doing, const char *path, struct err *err)
{
    return err_set(err, ERR_IO, "cannot %s %s: %s", doing, path, strerror(errno));
}

/* A new file beside `target`, with the mode that a plain open would give (mkstemp would make it private). */
static int open_beside(struct output *out, struct err *err)
{
    size_t size = strlen(out->target) + 32;

    out->temporary = malloc(size);
    if (!out->temporary)
        return err_memory(err);
    for (unsigned i = 0; i < 100; i++) {
        int fd;

        snprintf(out->temporary, size, "%s.%ld-%u.tmp", out->target, (long)getpid(), i);
        fd = open(out->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd >= 0) {
            out->stream = fdopen(fd, "w");
            return out->stream ? 0 : failed("write", out->path, err);
        }
        if (errno != EEXIST)
            break;
    }
    free(out->temporary);
    out->temporary = NULL;
    return failed("write", out->path, err);
}

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
    else if (open_beside(out, err) == 0)
        return 0;
fail:
    output_abort(out);
    return -1;
}

int output_commit(struct output *out, struct err *err)
{
    int ret = 0;

    if (fflush(out->stream) == EOF || ferror(out->stream))
        ret = failed("write", out->path, err);
    if (out->stream != stdout && fclose(out->stream) == EOF && ret == 0)
        ret = failed("write", out->path, err);
    out->stream = NULL;
    if (ret == 0 && out->temporary) {
        if (rename(out->temporary, out->target) < 0) {
            ret = failed("write", out->path, err);
        } else {
            free(out->temporary);
            out->temporary = NULL;
        }
    }
    output_abort(out);
    return ret;
}

void output_abort(struct output *out)
{
    if (out->stream && out->stream != stdout)
        fclose(out->stream);
    if (out->temporary)
        unlink(out->temporary);
    free(out->temporary);
    free(out->target);
    free(out->path);
    *out = (struct output){ 0 };
}

int file_read(char **bytes, size_t *len, const char *path, size_t most, size_t each, struct err *err)
{
    bool standard = strcmp(path, "-") == 0;
    int fd = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
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
            err_set(err, ERR_IO, "cannot read %s: it is larger than %s", path, num_bytes(limit, (double)most));
            goto fail;
        }
        if (size > room && mem_need((double)size * (double)each, "reading the file", err) < 0) {
            err_at(err, "%.200s", path);
            goto fail;
        }
        if (GROW(&room, size, path, err, GROWN(buf)) < 0)
            goto fail;
        got = read(fd, buf + n, room - n - 1);
        if (got < 0 && errno == EINTR)
            continue;
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
    if (!standard)
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
