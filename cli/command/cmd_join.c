
#include "cli/command/cmd.h"
#include "graph/base/file.h"
#include "texts/cmd.h"

struct request {
    struct options common;
    const char *folder;
    bool partial, status;       /* read by the command that is joined */
};

static int take_folder(void *about, const char *arg, struct err *err)
{
    struct request *q = about;

    if (q->folder)
        return err_set(err, ERR_USAGE, "join takes one folder of --tasks; '%.200s' is a second one", arg);
    q->folder = arg;
    return 0;
}

static const struct option_field join_options[] = {
    { .take = take_folder },
    { .help = "Parts:", .group = 0 },
    { CMD_JOIN_PARTIAL, 0, INTO(partial) },
    { CMD_JOIN_STATUS, 0, INTO(status) }, { 0 }
};

/* The command line of DIR/request (the version, and a line a word), with what else is said here behind it. */
static int join_call(const struct request *q, char *text, size_t len, int *status, struct err *err)
{
    static char join_option[] = "--join";
    const struct task_request *own = &q->common.task;
    const char *version = strsep(&text, "\n");
    const struct cmd *cmd;
    char title[80];
    char **argv, *word, *folder = strdup(q->folder);
    int argc = 0;

    if (!text || strncmp(text, "metapath ", 9) != 0 || !folder) {
        free(folder);
        return err_set(err, ERR_FORMAT, "%.200s/request is not what --tasks wrote", q->folder);
    }
    if (strcmp(version, VERSION) != 0)
        err_set(err, ERR_FORMAT, "%.200s is of version %.60s, and this is version " VERSION, q->folder, version);
    else if (TAKE("the command line", err, ARRAY(argv, len + (size_t)own->nsaid + 4)) == 0) {
        for (char *name = strsep(&text, "\n"); (word = strsep(&name, " "));)
            argv[argc++] = word;
        while ((word = strsep(&text, "\n")))
            argv[argc++] = word;
        argv[argc - 1] = join_option;           /* in place of what is behind the last line */
        argv[argc++] = folder;
        for (int i = 1; i < own->nsaid; i++)
            if (own->said[i] != q->folder)
                argv[argc++] = own->said[i];
        argv[argc] = NULL;
        snprintf(title, sizeof title, "metapath %s", argv[1]);
        cmd = cmd_find(argv[1], err);
        argv[1] = title;
        *status = cmd ? cmd_run(cmd, argc - 1, argv + 1, err) : -1;
        free(argv);
    }
    free(folder);
    return *status < 0 || err->code != ERR_NONE ? -1 : 0;
}

static int join_compute(struct job *j, struct err *err)
{
    const struct request *q = j->request;
    char path[PATH_MAX], *text;
    size_t len;
    int ret;

    if (!q->folder)
        return err_set(err, ERR_USAGE, "join needs the folder that --tasks wrote, as in `metapath join out`");
    snprintf(path, sizeof path, "%.4000s/request", q->folder);
    if (file_read(&text, &len, path, 1 << 24, 8, err) < 0)
        return -1;
    ret = join_call(q, text, len, &j->status, err);
    free(text);
    return ret;
}

static const struct frame join_frame = {
    CMD_JOIN_FRAME, .option = join_options, FRAME_REQUEST(struct request, .folder = NULL), .plots = true,
    .compute = join_compute
};

const struct cmd cmd_join = { CMD_JOIN_ENTRY, .frame = &join_frame };
