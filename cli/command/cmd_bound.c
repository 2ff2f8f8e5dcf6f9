#include "cli/bound/bound.h"
#include "cli/help/prose.h"
#include "texts/cmd.h"

static int bound_overview(void)
{
    char lead[40];

    puts("Usage: metapath bound WHAT [OPTION...] SPEC...\n"
         "Bounds: the best that any routing, or any broadcast, could reach.\n\nExamples:");
    for (size_t i = 0; bound_all[i]; i++)
        printf("  # %s\n  %s\n", bound_all[i]->frame->example[0].question, bound_all[i]->frame->example[0].command);
    puts("\nWHAT is one of");
    for (size_t i = 0; bound_all[i]; i++) {
        snprintf(lead, sizeof lead, "  %s", bound_all[i]->name);
        prose_fill(lead, 13, bound_all[i]->summary);
    }
    puts("\n`metapath bound WHAT --help` shows the options of each.");
    return EXIT_SUCCESS;
}

static int bound_run(int argc, char **argv, struct err *err)
{
    const struct cmd *bound;
    char title[80];

    if (argc < 2)
        return err_set(err, ERR_USAGE, "bound lacks the name of a bound, as in `metapath bound throughput torus:8x8`; "
                       "`metapath bound --help` names them");
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-?") == 0 || strcmp(argv[1], "-h") == 0)
        return bound_overview();
    bound = bound_find(argv[1], err);
    if (!bound)
        return -1;
    snprintf(title, sizeof title, "metapath bound %s", bound->name);
    argv[1] = title;
    return cmd_run(bound, argc - 1, argv + 1, err);
}

const struct cmd cmd_bound = { CMD_BOUND_ENTRY, .run = bound_run, .below = bound_all };
