#include "graph/topology/circulant.h"
#include "texts/topo.h"

#define MOST_JUMPS 1024

/* "22+23" into ascending, different jumps of at most n/2 (j and n-j are the same jump). */
static int parse_jumps(int *jump, int *njump, const char *text, int n, struct err *err)
{
    if (topo_numbers(jump, njump, MOST_JUMPS, text, 1, n - 1, "jump", err) < 0)
        return -1;
    for (int i = 0; i < *njump; i++)
        jump[i] = jump[i] <= n / 2 ? jump[i] : n - jump[i];
    qsort(jump, (size_t)*njump, sizeof *jump, num_ascending);
    for (int i = 1; i < *njump; i++)
        if (jump[i] == jump[i - 1])
            return err_set(err, ERR_USAGE, "the jump %d is given twice (%d is the same one)", jump[i], n - jump[i]);
    return 0;
}

static int open_circulant(struct net *net, const struct spec *spec, struct err *err)
{
    const char *jumps = spec_get(spec, "jumps");
    int jump[MOST_JUMPS], njump;
    int64_t n;

    if (spec_int(&n, spec, 3, INT32_MAX, "number of nodes", err) < 0)
        return -1;
    if (!jumps)
        return err_set(err, ERR_USAGE, "'%.80s' lacks its jumps: add jumps=1+2, say", spec->text);
    if (parse_jumps(jump, &njump, jumps, (int)n, err) < 0 ||
        circulant_open(net, (int)n, jump, njump, LINES_JUMPS, err) < 0)
        return err_at(err, "'%.80s'", spec->text);
    for (int i = -1; i < njump; i++)
        if ((i < 0 ? spec_append(&net->spec, err, "circulant:%d,jumps=", (int)n) :
                     spec_append(&net->spec, err, "%s%d", i ? "+" : "", jump[i])) < 0)
            return -1;
    return 0;
}

const struct topo topo_circulant = {
    TOPO_CIRCULANT_ENTRY, .vertex_transitive = true, .layout = "circle", .open = open_circulant,
    .facts = circulant_facts
};
