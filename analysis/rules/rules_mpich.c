#include "analysis/rules/json.h"
#include "graph/base/file.h"
#include "texts/rules.h"

/* MPICH's selection (src/mpi/coll/src/csel.c): a tree of objects with conditions for keys, tried in order, and leaves
 * "algorithm=NAME". The file is the whole selection, so rules are written into a base. */

#define MPICH_MOST ((size_t)1 << 24)

static bool mpich_sniff(const char *text)
{
    return text[strspn(text, " \t\r\n")] == '{' && strstr(text, "\"collective=");
}

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* ---- read -------------------------------------------------------------------------------------------- */

struct branch {                         /* what leads to a place of the tree */
    struct rules_rule u;
    int operation;                      /* -1: none, or one that there is not here */
};

/* The range that a key narrows; NULL: it is of something else. */
static int64_t *narrowed(struct branch *b, const char *key)
{
    if (begins(key, "comm_size"))
        return b->u.processes;
    if (begins(key, "avg_msg_size") || (begins(key, "total_msg_size") && b->operation == REDUCE_SCATTER))
        return b->u.bytes;
    return begins(key, "total_msg_size") ? b->u.total : NULL;
}

/* What holds for another message than those that are looked at: plain calls, operators that are built in. */
static bool foreign(const char *key)
{
    static const char *const other[] = { "comm_type=inter", "is_commutative=no", "is_op_built_in=no", "is_block_regular=no",
                                         "is_sendbuf_inplace=yes", "is_multi_threaded=yes", "count<", "comm_avg_ppn<",
                                         "comm_hierarchy=node", "comm_size=node_comm_size" };

    for (size_t i = 0; i < sizeof other / sizeof *other; i++)
        if (begins(key, other[i]))
            return true;
    return false;
}

static int condition(struct branch *b, const char *key, const struct rules *r, const struct json_place *p, struct err *err)
{
    static const char *const known[] = { "comm_", "is_", "avg_msg_size", "total_msg_size", "count", "per_proc_msg_size" };
    const char *by = key + strcspn(key, "<=");
    int64_t *range = narrowed(b, key), to;
    bool is = false;

    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        is |= begins(key, known[i]);
    if (begins(key, "collective=")) {
        b->operation = rules_operation(r->format, by + 1, strlen(by + 1));
        b->u.operation = b->operation < 0 ? BROADCAST : (enum operation)b->operation;
        return 0;
    }
    if (!is || !*by)
        return err_set(err, ERR_FORMAT, "%s:%zu: '%.60s' is no condition of MPICH", p->path, p->line, key);
    b->u.two |= strcmp(by, "=pow2") == 0;
    if (!range || *by != '<')
        return 0;
    if (num_int(&to, by + 1 + (by[1] == '='), 0, INT_MAX, key, err) < 0) {
        err->code = ERR_FORMAT;
        return err_at(err, "%s:%zu", p->path, p->line);
    }
    to -= by[1] != '=';
    range[1] = to < range[1] ? to : range[1];
    return 0;
}

static int leaf(struct rules *r, struct branch *b, const char *key, const struct json_place *p, struct err *err)
{
    const char *called = key + strlen("algorithm=");

    r->passed += b->operation < 0;
    if (b->operation < 0)
        return 0;
    b->u.line = p->line;
    if (begins(key, "algorithm=") && !rules_called(r, b->u.operation, called, strlen(called)) && !begins(called, "MPIR_"))
        return err_set(err, ERR_FORMAT, "%s:%zu: MPICH has no algorithm '%.60s'", p->path, p->line, called);
    b->u.name = begins(key, "algorithm=") ? rules_called(r, b->u.operation, called, strlen(called)) : NULL;
    return rules_add(r, &b->u, err);
}

static int walk(struct rules *r, struct json_place *p, const struct branch *from, json_t *tree, struct err *err)
{
    const char *key;
    json_t *value;

    json_object_foreach(tree, key, value) {
        struct branch b = *from;

        json_key(p, key);
        if (!json_is_object(value))
            return err_set(err, ERR_FORMAT, "%s:%zu: behind '%.60s' an object is expected", p->path, p->line, key);
        if (begins(key, "algorithm=") || begins(key, "composition="))
            return leaf(r, &b, key, p, err);
        if (!foreign(key) && (condition(&b, key, r, p, err) < 0 || walk(r, p, &b, value, err) < 0))
            return -1;
    }
    return 0;
}

static int mpich_read(struct rules *r, const char *text, const char *path, struct err *err)
{
    const struct branch all = { rule_of(BROADCAST, 0), -1 };
    struct json_place p;
    json_t *root = json_opened(&p, text, path, err);
    const int ret = root ? walk(r, &p, &all, root, err) : -1;

    json_decref(root);
    return ret;
}

/* ---- write ------------------------------------------------------------------------------------------- */

/* Puts `value` behind two texts as a key, and has it either way. */
static int put(json_t *object, const char *kind, const char *what, json_t *value)
{
    char key[200];

    snprintf(key, sizeof key, "%s%s", kind, what);
    return json_object_set_new(object, key, value);
}

/* "KIND<=BOUND", or where there is none "KIND=any". */
static int put_below(json_t *object, const char *kind, int64_t bound, json_t *value)
{
    char below[40];

    snprintf(below, sizeof below, "<=%lld", (long long)(bound < INT_MAX ? bound : INT_MAX));
    return put(object, kind, bound < RULES_ALL ? below : "=any", value);
}

/* An algorithm under its guards (rules.h): of two conditions that which ends with any comes last. */
static json_t *guarded(const char *called, const char *text)
{
    char holds[40], fails[40], other[80];
    const char *guard = strstr(text, "guard=");
    json_t *good = json_object(), *bad = json_object(), *both;
    int failed = 0;

    if (!guard || sscanf(guard, "guard=%39[^,],%39[^,],%79s", holds, fails, other) != 3) {
        json_decref(bad);
        return put(good, "algorithm=", called, json_object()) < 0 ? NULL : good;
    }
    json_decref(good);
    good = guarded(called, guard + 1);
    failed = put(bad, "algorithm=", other, json_object());
    both = json_object();
    if (strstr(holds, "=any"))
        failed |= put(both, fails, "", bad) | put(both, holds, "", good);
    else
        failed |= put(both, holds, "", good) | put(both, fails, "", bad);
    return failed ? NULL : both;
}

/* Rules of one operation from `first` to `end`. */
static json_t *tree_of(const struct rules *r, size_t first, size_t end)
{
    const enum operation operation = r->rule[first].operation;
    const bool total = r->format->totals >> operation & 1 || operation == REDUCE_SCATTER;
    json_t *tree = json_object();
    int failed = 0;

    for (size_t k = first, to; k < end; k = to) {
        json_t *sizes = json_object();

        to = rules_run(r, k, true);
        for (struct rules_rule *u = r->rule + k; u < r->rule + to && to > k + 1; u++)
            failed |= put_below(sizes, total ? "total_msg_size" : "avg_msg_size", rule_sizes(r, u)[1],
                                guarded(u->name->called, u->name->text));
        if (to == k + 1) {              /* a barrier has no sizes */
            json_decref(sizes);
            sizes = guarded(r->rule[k].name->called, r->rule[k].name->text);
        }
        failed |= put_below(tree, "comm_size", r->rule[k].processes[1], sizes);
    }
    if (!failed)
        return tree;
    json_decref(tree);
    return NULL;
}

/* Replaces what is under both collective=WORD and comm_type=intra, in either order; how often. */
static size_t replace(json_t *base, const char *word, json_t *tree, bool collective, bool intra)
{
    size_t n = 0;
    const char *key;
    json_t *value;
    void *next;

    json_object_foreach_safe(base, next, key, value) {
        const bool is = collective || (begins(key, "collective=") && strcmp(strchr(key, '=') + 1, word) == 0),
                   in = intra || strcmp(key, "comm_type=intra") == 0;

        if ((begins(key, "collective=") && !is) || strcmp(key, "comm_type=inter") == 0 || !json_is_object(value))
            continue;
        if (is && in)
            n += json_object_set(base, key, tree) == 0;
        else
            n += replace(value, word, tree, is, in);
    }
    return n;
}

static int mpich_write(FILE *f, const struct rules *r, struct err *err)
{
    struct json_place p;
    char *text;
    size_t len;
    json_t *base;
    int ret = 0;

    if (file_read(&text, &len, r->onto, MPICH_MOST, 8, err) < 0)
        return -1;
    base = json_opened(&p, text, r->onto, err);
    if (!base)
        ret = -1;
    for (size_t i = 0, end; ret == 0 && i < r->n; i = end) {
        const char *word = r->format->operation[r->rule[i].operation];
        json_t *tree;

        end = rules_run(r, i, false);
        tree = tree_of(r, i, end);
        if (!tree)
            ret = err_memory(err);
        else if (!replace(base, word, tree, false, false))
            ret = err_set(err, ERR_DOMAIN, "%s has no branch comm_type=intra of collective=%s to be replaced; MPICH aborts at a "
                          "collective without one: take a whole selection as base", r->onto, word);
        json_decref(tree);
    }
    if (ret == 0 && (json_dumpf(base, f, JSON_INDENT(1)) < 0 || fputc('\n', f) < 0))
        ret = err_set(err, ERR_IO, "cannot write the selection for MPICH");
    json_decref(base);
    free(text);
    return ret;
}

const struct rules_format rules_mpich = {
    RULES_MPICH_ENTRY, .names = (const char *const[]){ RULES_MPICH_NAMES, NULL },
    .operation = (const char *const[OPERATIONS]){ RULES_MPICH_OPERATIONS }, .totals = 1u << GATHER | 1u << SCATTER | 1u << ALLGATHER,
    .onto = true, .sniff = mpich_sniff, .read = mpich_read, .write = mpich_write };
