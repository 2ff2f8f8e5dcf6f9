
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

/* The command line of DIR/request (the version, the command, and a line a word), with what else is said here behind it. */
static int join_call(const struct request *q, char *text, size_t len, int *status, struct err *err)
{
    const struct task_request *own = &q->common.task;
    const char *version = strsep(&text, "\n");
    char **argv, *folder, *title = strsep(&text, "\n"), *said = strchr(own->words, '\n') + 1, name[COMMAND_NAME];
    struct command c = { NULL, NULL };
    int argc = 0;

    for (size_t i = 0; text && command_at(&c, cmd_all, i); i++)
        if (c.cmd->frame && strncmp(title, "metapath ", 9) == 0 && strcmp(command_name(name, &c, ' '), title + 9) == 0)
            break;
    if (!c.cmd)
        return err_set(err, ERR_FORMAT, "%.200s/request is not what --tasks wrote", q->folder);
    if (strcmp(version, VERSION) != 0)
        return err_set(err, ERR_FORMAT, "%.200s is of version %.60s, and this is version " VERSION, q->folder, version);
    if (asprintf(&folder, "--join=%s", q->folder) < 0)
        return err_memory(err);
    *status = TAKE("the command line", err, ARRAY(argv, len + own->size + 4));
    if (*status == 0) {
        argv[argc++] = title;
        while (text && *text)
            argv[argc++] = strsep(&text, "\n");
        argv[argc++] = folder;
        for (char *word; (word = strsep(&said, "\n")) && *word;)
            if (strcmp(word, q->folder) != 0)
                argv[argc++] = word;
        argv[argc] = NULL;
        *status = frame_run(c.cmd->frame, argc, argv, err);
        free(argv);
    }
    free(folder);
    return *status < 0 ? -1 : 0;
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
