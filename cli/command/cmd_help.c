#include <stdio.h>
#include <string.h>

#include "cli/command/cmd.h"
#include "cli/request/catalogue.h"
#include "graph/base/spec.h"
#include "graph/base/text.h"

static const char *const group[] = { "Network", "Load", "Collectives", "Safety", "Output", NULL };

static int help_overview(void)
{
    puts("metapath models interconnection networks: paths and metapaths, latency under load, broadcasts.\n"
         "\n"
         "usage: metapath COMMAND [ARGUMENT...]\n");
    for (size_t g = 0; group[g]; g++) {
        bool any = false;

        for (size_t i = 0; cmd_all[i]; i++)
            if (strcmp(cmd_all[i]->group, group[g]) == 0) {
                printf("  %-12s %-10s %s\n", any ? "" : group[g], cmd_all[i]->name, cmd_all[i]->summary);
                any = true;
            }
    }
    puts("\n"
         "Try:\n"
         "  metapath topo torus:8x8 hypercube:6\n"
         "  metapath stats torus:32x32 --supernode static,row:8,sga:2,dga:2\n"
         "  metapath latency torus:8x8 --traffic transpose --routing dor,ecmp --plot latency.svg\n"
         "  metapath bcast mesh:4x4 --processes 8..16 --plot bcast.svg\n"
         "\n"
         "`metapath COMMAND --help` tells a command's options, `metapath list` every entry of every catalogue,\n"
         "`metapath help NAME` more of one (`metapath help sga`).");
    return 0;
}

struct search {
    const char *name;
    int found;
    const char *known[256];
    size_t nknown;
};

static void help_describe(const struct kind *kind, const struct entry *e)
{
    printf("%s (%s): %s\n\n    %s\n", e->name, kind->name, e->summary, e->synopsis ? e->synopsis : e->name);
    if (e->keys) {
        puts("");
        for (const struct spec_key *k = e->keys; k->name; k++)
            printf("    %s=%s\n        %s\n", k->name, k->values, k->summary);
    }
    if (e->notes)
        printf("\n%s\n", e->notes);
    if (e->example)
        printf("\nExample: %s%s\n", strchr(e->example, '\n') ? "\n" : "", e->example);
    if (e->source)
        printf("\nSource: %s\n", e->source);
}

static int help_visit(void *arg, const struct kind *kind, const struct entry *e)
{
    struct search *s = arg;

    if (s->nknown < sizeof s->known / sizeof *s->known)
        s->known[s->nknown++] = e->name;
    if (strcmp(e->name, s->name) == 0 && kind != &kind_cmd) {
        if (s->found++)
            puts("");
        help_describe(kind, e);
    }
    return 0;
}

static int help_run(int argc, char **argv, struct err *err)
{
    struct search s = { 0 };
    char title[80], help[] = "--help", hint[80];

    if (argc < 2 || strncmp(argv[1], "--", 2) == 0)
        return help_overview();
    if (argc > 2)
        return err_set(err, ERR_USAGE, "help takes one name; '%.40s' is a second", argv[2]);
    for (size_t i = 0; cmd_all[i]; i++)
        if (strcmp(cmd_all[i]->name, argv[1]) == 0) {
            char *args[] = { title, help, NULL };

            if (strcmp(argv[1], "help") == 0)
                return help_overview();
            snprintf(title, sizeof title, "metapath %s", argv[1]);
            return cmd_run(cmd_all[i], 2, args, err);
        }
    s.name = argv[1];
    catalogue_walk(help_visit, &s);
    if (s.found)
        return 0;
    return err_set(err, ERR_USAGE, "nothing is called '%.60s'%s; `metapath list` shows all names", argv[1],
                   text_suggest(hint, argv[1], s.known, s.nknown));
}

const struct cmd cmd_help = {
    .name = "help", .group = "Output", .run = help_run,
    .synopsis = "metapath help [NAME]",
    .summary = "this, or all about a command or an entry of a catalogue"
};
