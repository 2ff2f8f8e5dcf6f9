#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/bound/bound.h"
#include "cli/command/cmd.h"

static int bound_overview(void)
{
    puts("usage: metapath bound WHAT SPEC... [OPTION...]\n"
         "\n"
         "What no routing and no broadcast can beat: how far from the best?\n");
    for (size_t i = 0; bound_all[i]; i++)
        printf("  %-11s %s\n", bound_all[i]->name, bound_all[i]->summary);
    puts("\n`metapath bound WHAT --help` tells the options of each.");
    return EXIT_SUCCESS;
}

static int bound_run(int argc, char **argv, struct err *err)
{
    const struct bound *bound;
    char title[80];

    if (argc < 2)
        return err_set(err, ERR_USAGE, "bound needs to know what: `metapath bound --help` names them, as in `metapath "
                       "bound throughput torus:8x8`");
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-?") == 0 || strcmp(argv[1], "-h") == 0)
        return bound_overview();
    bound = bound_find(argv[1], err);
    if (!bound)
        return -1;
    snprintf(title, sizeof title, "metapath bound %s", bound->name);
    argv[1] = title;
    return frame_run(bound->frame, argc - 1, argv + 1, err);
}

const struct cmd cmd_bound = {
    .name = "bound", .group = "Load", .run = bound_run,
    .synopsis = "metapath bound WHAT SPEC... [--traffic LIST]",
    .summary = "what no routing and no broadcast can beat: how far from the best"
};
