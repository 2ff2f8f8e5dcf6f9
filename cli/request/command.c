#include "cli/request/command.h"

int cmd_run(const struct cmd *cmd, int argc, char **argv, struct err *err)
{
    return cmd->frame ? frame_run(cmd->frame, argc, argv, err) : cmd->run(argc, argv, err);
}

bool command_at(struct command *out, const struct cmd *const *all, size_t i)
{
    *out = (struct command){ 0 };
    for (size_t k = 0; all[k] && !out->cmd; k++)
        if (i-- == 0)
            out->cmd = all[k];
    for (size_t k = 0; all[k] && !out->cmd; k++)
        for (size_t b = 0; all[k]->below && all[k]->below[b] && !out->cmd; b++)
            if (i-- == 0)
                *out = (struct command){ all[k]->below[b], all[k] };
    return out->cmd != NULL;
}

const char *command_name(char out[COMMAND_NAME], const struct command *c, char between)
{
    const char join[] = { c->above ? between : '\0', '\0' };

    snprintf(out, COMMAND_NAME, "%s%s%s", c->above ? c->above->name : "", join, c->cmd->name);
    return out;
}
