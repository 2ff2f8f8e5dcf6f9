#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cmd.h"
#include "cli/progress.h"
#include "graph/base/text.h"
#include "graph/net.h"
#include "render/chart.h"

static int unknown(const char *name, struct err *err)
{
    const char *known[64];
    size_t n = 0;
    char hint[80];

    for (; cmd_all[n] && n < 64; n++)
        known[n] = cmd_all[n]->name;
    return err_set(err, ERR_USAGE, "no command is called '%.60s'%s; `metapath help` lists them", name,
                   text_suggest(hint, name, known, n));
}

static int dispatch(int argc, char **argv, struct err *err)
{
    const char *name = argc > 1 ? argv[1] : "help";
    char title[80];

    if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0) {
        puts("metapath " VERSION);
        return 0;
    }
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "-?") == 0)
        name = "help";
    for (size_t i = 0; cmd_all[i]; i++)
        if (strcmp(cmd_all[i]->name, name) == 0) {
            if (argc < 2)
                return cmd_all[i]->run(argc, argv, err);
            snprintf(title, sizeof title, "metapath %s", name);
            argv[1] = title;
            return cmd_all[i]->run(argc - 1, argv + 1, err);
        }
    return unknown(name, err);
}

int main(int argc, char **argv)
{
    struct err err = { ERR_NONE, "" };
    int status;

    setlocale(LC_CTYPE, "");            /* widths of names in tables; never LC_NUMERIC */
    stop_on_signal();
    net_setup();
    status = dispatch(argc, argv, &err);
    if (status >= 0 && fflush(stdout) == EOF)
        status = err_set(&err, ERR_IO, "cannot write to standard output");
    net_teardown();
    chart_teardown();
    if (status >= 0)
        return status;
    fprintf(stderr, "metapath: %s\n", err.msg);
    return err.code == ERR_STOPPED ? 130 : err_is_request(&err) ? 2 : EXIT_FAILURE;
}
