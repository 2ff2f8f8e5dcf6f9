#include "graph/import/attributed.h"
#include "graph/import/scan.h"
#include "texts/import.h"

/* Slurm's topology.conf (man 5 topology.conf; plugins topology/tree and topology/block): a line a switch or block, with
 * lists of hosts as in node[00-17,20]. Blocks of several sizes are joined by a switch for each larger size. */

#define SLURM_MOST 1000000      /* names in a list */

struct slurm {
    struct attributed a;
    struct scan s;
    size_t *line;               /* by node: where a switch is declared; 0: only mentioned */
    int owner, *block;          /* the switch of the line; blocks as declared */
    bool host;                  /* what is being listed */
    size_t nblock, listed;
    uint64_t size[8];           /* BlockSizes */
    size_t nsize;
};

static int slurm_node(struct slurm *r, const char *text, size_t len, bool host, struct err *err)
{
    const int before = r->a.links.names.n, at = attributed_node(&r->a, text, len, true, err);

    if (at < 0 || (at == before && GROW_BY((size_t)at, 1, "nodes of a file", err, GROWN(r->line)) < 0))
        return -1;
    if (at == before)
        r->line[at] = 0;
    if (r->a.kind[at] == !host)
        return scan_wrong(&r->s, err, "'%.*s' is a switch and a node; give it two names", (int)(len > 60 ? 60 : len), text);
    r->a.kind[at] = host;
    r->a.kinds = true;
    return at;
}

/* One name of a list: joined to the switch of the line. */
static int slurm_take(struct slurm *r, const char *text, size_t len, struct err *err)
{
    attribute_text said[LINK_ATTRIBUTES] = { "" };
    const int at = ++r->listed > SLURM_MOST ? scan_wrong(&r->s, err, "the list has more than %d names", SLURM_MOST) :
        slurm_node(r, text, len, r->host, err);

    return at < 0 ? -1 : attributed_cable(&r->a, r->owner, at, said, r->s.line, err);
}

/* The names of text[0..len), of which text[0..fixed) has no brackets left. */
static int slurm_expand(struct slurm *r, const char *text, size_t len, struct err *err)
{
    const char *open = memchr(text, '[', len), *close = open ? memchr(open, ']', (size_t)(text + len - open)) : NULL;
    char name[256];

    if (!open)
        return len == 0 ? scan_wrong(&r->s, err, "a list has an empty name") : slurm_take(r, text, len, err);
    if (!close || len >= sizeof name)
        return scan_wrong(&r->s, err, "'%.*s' is no list of names, as in node[00-17,20]", (int)(len > 60 ? 60 : len), text);
    for (const char *p = open + 1; p < close; p++) {
        char *end;
        const int width = (int)strspn(p, "0123456789");
        const unsigned long from = strtoul(p, &end, 10);
        unsigned long to = from;

        if (*end == '-' && isdigit((unsigned char)end[1]))
            to = strtoul(end + 1, &end, 10);
        if (width == 0 || width > 9 || to < from || to - from > SLURM_MOST || end > close || (*end != ',' && *end != ']'))
            return scan_wrong(&r->s, err, "'%.*s' is no list of numbers, as in [00-17,20]",
                              (int)(close - open + 1 > 60 ? 60 : close - open + 1), open);
        for (unsigned long i = from; i <= to; i++) {
            const int n = snprintf(name, sizeof name, "%.*s%0*lu%.*s", (int)(open - text), text, width, i,
                                   (int)(text + len - close - 1), close + 1);

            if (n >= (int)sizeof name)
                return scan_wrong(&r->s, err, "a name is longer than %zu characters", sizeof name - 1);
            if (slurm_expand(r, name, (size_t)n, err) < 0)
                return -1;
        }
        p = end;
    }
    return 0;
}

/* A list: names that commas outside of brackets part. */
static int slurm_list(struct slurm *r, bool host, struct err *err)
{
    const char *from = r->s.text, *end = from + r->s.len;
    int depth = 0;

    r->host = host;
    r->listed = 0;
    for (const char *p = from; p <= end; p++) {
        if (p == end || (*p == ',' && depth == 0)) {
            if (slurm_expand(r, from, (size_t)(p - from), err) < 0)
                return -1;
            from = p + 1;
        } else {
            depth += (*p == '[') - (*p == ']');
        }
    }
    return 0;
}

static int slurm_owner(struct slurm *r, bool block, struct err *err)
{
    r->owner = slurm_node(r, r->s.text, r->s.len, false, err);
    if (r->owner < 0)
        return -1;
    if (r->line[r->owner])
        return scan_wrong(&r->s, err, "'%.*s' is declared on line %zu already", SCAN_SHOWN(&r->s), r->line[r->owner]);
    r->line[r->owner] = r->s.line;
    if (!block)
        return 0;
    if (GROW_BY(r->nblock, 1, "blocks of a file", err, GROWN(r->block)) < 0)
        return -1;
    r->block[r->nblock++] = r->owner;
    return 0;
}

static int slurm_sizes(struct slurm *r, struct err *err)
{
    char *p = NULL;

    for (const char *at = r->s.text; at < r->s.text + r->s.len; at = p + 1) {
        r->size[r->nsize] = strtoull(at, &p, 10);
        if (p == at || r->size[r->nsize] == 0 || (r->nsize && r->size[r->nsize] % r->size[r->nsize - 1]) || r->nsize == 7)
            return scan_wrong(&r->s, err, "BlockSizes=%.*s: each is a multiple of the one before", SCAN_SHOWN(&r->s));
        r->nsize++;
    }
    return 0;
}

/* key = value, from the key on. */
static int slurm_pair(struct slurm *r, struct err *err)
{
    static const char *const key[] = { "SwitchName", "BlockName", "Switches", "Nodes", "BlockSizes", "LinkSpeed", NULL };
    struct scan *s = &r->s;
    int k = 0;

    while (key[k] && !scan_is(s, key[k]))
        k++;
    if (!key[k])
        return scan_wrong(s, err, "'%.*s' is not read; a line is SwitchName=, Switches= and Nodes=, or BlockName= and Nodes=",
                          SCAN_SHOWN(s));
    if (scan_next(s) != SCAN_SIGN || scan_next(s) == SCAN_LINE || s->kind == SCAN_END)
        return scan_wrong(s, err, "%s has no value; write %s=...", key[k], key[k]);
    if ((k == 2 || k == 3) && r->owner < 0)
        return scan_wrong(s, err, "%s= stands before the name of its switch", key[k]);
    return k < 2 ? slurm_owner(r, k == 1, err) : k < 4 ? slurm_list(r, k == 3, err) : k == 4 ? slurm_sizes(r, err) : 0;
}

/* Consecutive blocks under a switch for each larger size. */
static int slurm_blocks(struct slurm *r, struct err *err)
{
    for (size_t k = 1; k < r->nsize; k++) {
        const size_t each = (size_t)(r->size[k] / r->size[k - 1]), n = r->nblock;

        r->nblock = 0;
        for (size_t i = 0; i < n; i++) {
            attribute_text said[LINK_ATTRIBUTES] = { "" };
            char name[60];
            int above;

            snprintf(name, sizeof name, "blocks-of-%llu-%zu", (unsigned long long)r->size[k], i / each);
            above = slurm_node(r, name, strlen(name), false, err);
            if (above < 0 || attributed_cable(&r->a, above, r->block[i], said, r->line[r->block[i]], err) < 0)
                return -1;
            r->line[above] = r->line[r->block[i]];
            r->block[i / each] = above;
            r->nblock = i / each + 1;
        }
    }
    return 0;
}

static int slurm_read(struct import *in, const char *text, size_t, const char *path, struct err *err)
{
    struct slurm r = { .a = { .path = path }, .owner = -1, .s = { .at = text, .path = path, .next_line = 1, .signs = "=",
                                                                 .comments = "#", .lines = true } };
    int ret = 0;

    while (ret == 0 && scan_next(&r.s) != SCAN_END) {
        if (r.s.kind == SCAN_LINE)
            r.owner = -1;
        else
            ret = slurm_pair(&r, err);
    }
    if (ret == 0)
        ret = slurm_blocks(&r, err);
    for (int v = 0; ret == 0 && v < r.a.links.names.n; v++)
        if (r.a.kind[v] == 0 && r.line[v] == 0)
            ret = err_set(err, ERR_FORMAT, "%s: the switch '%.60s' is listed, but no line declares it", path,
                          r.a.links.names.name[v].text);
    FREE(r.line, r.block);
    return attributed_finish(&r.a, in, ret, err);
}

static int slurm_sniff(const char *text, size_t, struct err *)
{
    for (; *text; text += strcspn(text, "\n"), text += *text == '\n') {
        text += strspn(text, " \t\r");
        if (strncasecmp(text, "SwitchName=", 11) == 0 || strncasecmp(text, "BlockName=", 10) == 0)
            return true;
        if (*text && !strchr("#\n", *text))
            return false;
    }
    return false;
}

const struct import_format import_slurm_conf = {
    IMPORT_SLURM_CONF_ENTRY,
    .states_direction = true, .sniff = slurm_sniff, .read = slurm_read };
