/* import.h -- a harness for a network in a file called FILE_NAME. What is read is what import.h promises of all. */
#include "graph/import/import.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    net_setup();
    return 0;
}

static void is_whole(const struct import *in)
{
    must(in->n > 0, "there is a node", NULL);
    for (size_t e = 0; e < in->nedge; e++) {
        const int from = in->end[2 * e], to = in->end[2 * e + 1];

        must(from >= 0 && from < in->n && to >= 0 && to < in->n && from != to, "an edge joins two nodes", NULL);
        must(in->directed || from < to, "the lower end is first", NULL);
        must(!in->weight || (isfinite(in->weight[e]) && in->weight[e] >= 0), "a weight is a number", NULL);
        for (size_t i = 2 * e; i < 2 * e + 2; i++) {
            must(!in->bandwidth || (in->bandwidth[i] > 0 && isfinite(in->bandwidth[i])), "a link has bandwidth", NULL);
            must(!in->length || (in->length[i] >= 0 && isfinite(in->length[i])), "a link has a length", NULL);
            must(!in->port || in->port[i], "ports are known, or empty", NULL);
        }
    }
    for (int i = 0; in->name && i < in->n; i++) {
        must(*in->name[i] != '\0', "a name", NULL);
        for (const char *c = in->name[i]; *c; c += utf8_length(c))
            must(utf8_length(c) > 0 && !utf8_control(c), "a name that can be shown", in->name[i]);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = text_of(data, size);

    for (int direction = IMPORT_UNSAID; direction <= IMPORT_DIRECTED; direction++) {
        struct err err = { 0 };
        struct import in = { 0 };

        if (import_parse(&in, text, size, FILE_NAME, NULL, (enum import_direction)direction, &err) == 0) {
            is_whole(&in);
            import_release(&in);
        } else {
            message_is_fit(&err);
            must(!in.end && !in.name, "nothing is left of what is refused", NULL);
        }
    }
    free(text);
    return 0;
}
