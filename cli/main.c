#include <locale.h>
#include <unistd.h>

#include "cli/command/cmd.h"
#include "cli/request/progress.h"
#include "graph/base/file.h"
#include "graph/net.h"

#define LIBRARIES ((size_t)3 << 20)                   /* bytes that they take as they begin */

static int dispatch(int argc, char **argv, struct err *err)
{
    const char *name = argc > 1 ? argv[1] : "help";
    struct command c, asked = { 0 };
    const struct cmd *cmd;
    char title[80];

    if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0) {
        options_version();
        return 0;
    }
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "-?") == 0)
        name = "help";
    cmd = cmd_find(name, err);
    for (size_t i = 0; command_at(&c, cmd_all, i); i++)
        if (!cmd && strcmp(c.cmd->name, name) == 0)
            return err_set(err, ERR_USAGE, "no command is called '%s': write `metapath %s %s`", name, c.above->name, name);
        else if (c.cmd == cmd || (cmd && c.above == cmd && argc > 2 && strcmp(c.cmd->name, argv[2]) == 0))
            asked = c;
    if (!cmd)
        return -1;
    if (argc < 2)
        return cmd_run(cmd, argc, argv, err);
    if (command_options(&asked, cmd_all, argc - 1, argv + 1, err) < 0)
        return -1;
    snprintf(title, sizeof title, "metapath %s", name);
    argv[1] = title;
    return cmd_run(cmd, argc - 1, argv + 1, err);
}

/* Before the libraries begin: some take milliseconds, some end the program where there is no memory for them. */
static void begin(void)
{
    static const char said[] = "metapath: out of memory\n";
    void *volatile room = malloc(LIBRARIES);    /* else compilers leave it out */

    stop_on_signal();
    if (!room) {
        (void)!write(STDERR_FILENO, said, sizeof said - 1);
        _exit(EXIT_FAILURE);
    }
    free(room);
}
__attribute__((section(".preinit_array"), used)) static void (*const before_libraries)(void) = begin;

int main(int argc, char **argv)
{
    struct err err = { ERR_NONE, "" };
    int status;

    setlocale(LC_CTYPE, "");            /* widths of names in tables; never LC_NUMERIC */
    stop_on_signal();                   /* again: a library may have set handlers of its own */
    net_setup();
    status = dispatch(argc, argv, &err);
    if (status >= 0 && output_printed(&err) < 0)
        status = -1;
    net_teardown();
    figure_teardown();
    if (status >= 0)
        return status;
    fprintf(stderr, "metapath: %s\n", err.msg);
    return err.code == ERR_STOPPED ? STOPPED : err_is_request(&err) ? 2 : EXIT_FAILURE;
}
