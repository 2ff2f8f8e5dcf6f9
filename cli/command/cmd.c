#include "cli/command/cmd.h"

#include <stddef.h>

#define X(name) extern const struct cmd cmd_##name;
#include "registry/cmd.inc"
#undef X

const struct cmd *const cmd_all[] = {
#define X(name) &cmd_##name,
#include "registry/cmd.inc"
#undef X
    NULL
};
