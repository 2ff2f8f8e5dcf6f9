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

/* ---- options that there are not ---- */

#define MOST_OPTIONS 200
struct options_sought {
    const char *word;           /* up to `len`, which `begun` options begin with */
    size_t len, n, begun;
    const char *known[MOST_OPTIONS];
};

static void seek_option(void *arg, const struct option_field *field)
{
    struct options_sought *s = arg;

    if (!field->name)
        return;
    if (s->n < MOST_OPTIONS)
        s->known[s->n++] = field->name;
    s->begun += strncmp(field->name, s->word, s->len) == 0;
}

/* Which commands have it, " (an option of collective and tune)"; "" where none has. */
static void name_owners(char out[160], const struct cmd *const *all, const char *word, size_t len, struct err *err)
{
    const char *owner[MOST_OPTIONS];
    char names[120];
    struct command c;
    size_t n = 0;

    for (size_t i = 0; command_at(&c, all, i); i++) {
        struct options_sought s = { .word = word, .len = len };

        if (!c.cmd->frame || c.above || frame_each_option(c.cmd->frame, seek_option, &s, err) < 0)
            continue;
        for (size_t k = 0; k < s.n; k++)
            if (n < MOST_OPTIONS && strncmp(s.known[k], word, len) == 0 && !s.known[k][len])
                owner[n++] = c.cmd->name;
    }
    out[0] = '\0';
    if (n)
        snprintf(out, 160, ", but of %s", text_list(names, sizeof names, owner, n, " and "));
}

int command_options(const struct command *c, const struct cmd *const *all, int argc, char **argv, struct err *err)
{
    for (int i = 1; c->cmd->frame && i < argc && strcmp(argv[i], "--") != 0; i++) {
        struct options_sought s = { .word = argv[i] + 2, .len = strcspn(argv[i], "=") - 2 };
        char word[60], name[COMMAND_NAME], hint[80], owners[160];

        if (strncmp(argv[i], "--", 2) != 0)
            continue;
        if (frame_each_option(c->cmd->frame, seek_option, &s, err) < 0)
            return -1;
        for (const struct option_field *f = c->cmd->frame->option; f && (f->name || f->help || f->take); f++)
            if (f->hidden)
                seek_option(&s, f);
        if (s.begun)
            continue;
        snprintf(word, sizeof word, "%.*s", (int)s.len, s.word);
        name_owners(owners, all, s.word, s.len, err);
        return err_set(err, ERR_USAGE, "--%s is no option of %s%s%s; `metapath %s --help` names them", word,
                       command_name(name, c, ' '), owners, *owners ? "" : text_suggest(hint, word, s.known, s.n), name);
    }
    return 0;
}
