#include "analysis/rules/rules.h"
#include "texts/rules.h"

/* Open MPI's classic rules (ompi/mca/coll/tuned/coll_tuned_dynamic_file.c of 4.1). */

struct cursor {                         /* at the next number of a file */
    const char *at, *path;
    size_t line;
};

static void skip(struct cursor *c)
{
    for (; isspace((unsigned char)*c->at) || *c->at == '#'; c->at++) {
        if (*c->at == '#')
            c->at += strcspn(c->at, "\n");
        if (!*c->at)
            return;
        c->line += *c->at == '\n';
    }
}

static int next(int64_t *out, struct cursor *c, int64_t least, const char *what, struct err *err)
{
    char *end;

    skip(c);
    *out = strtoll(c->at, &end, 10);
    if (end == c->at || (*end && !isspace((unsigned char)*end) && *end != '#'))
        return err_set(err, ERR_FORMAT, "%s:%zu: %s is expected, not '%.*s'", c->path, c->line, what,
                       *c->at ? (int)strcspn(c->at, " \t\r\n") % 40 : 15, *c->at ? c->at : "the file's end");
    c->at = end;
    return *out >= least ? 0 : err_set(err, ERR_FORMAT, "%s:%zu: %s is %lld; it is %lld at least", c->path, c->line,
                                       what, (long long)*out, (long long)least);
}

/* A rule's line: size, algorithm, fan, segment and, from version 2 on, requests. */
static int rule_read(struct rules_rule *u, struct rules *r, struct cursor *c, const char *id, int version,
                     struct err *err)
{
    int64_t from, algorithm, fan, requests;
    char word[24];

    if (next(&from, c, 0, "a size", err) < 0 || next(&algorithm, c, 0, "an algorithm", err) < 0)
        return -1;
    u->line = c->line;
    rule_sizes(r, u)[0] = from;
    if (next(&fan, c, 0, "a fan", err) < 0 || next(&u->segment, c, 0, "a segment", err) < 0 ||
        (version > 1 && next(&requests, c, 0, "a number of requests", err) < 0))
        return -1;
    snprintf(word, sizeof word, "%lld", (long long)algorithm);
    u->name = id ? rules_called(r, u->operation, word, strlen(word)) : NULL;
    return !id || !algorithm || u->name ? 0 :
        err_set(err, ERR_FORMAT, "%s:%zu: no version of Open MPI has a %s algorithm %lld", c->path, u->line,
                operation_name[u->operation], (long long)algorithm);
}

/* Sizes of one count of processes. */
static int sizes_read(struct rules *r, struct rules_rule *of, struct cursor *c, const char *id, int version,
                      struct err *err)
{
    const size_t first = r->n;
    int64_t n;

    if (next(&n, c, 1, "a number of sizes", err) < 0)
        return -1;
    for (int64_t i = 0; i < n; i++) {
        struct rules_rule u = *of, *before = i ? &r->rule[r->n - 1] : NULL;
        int64_t from, *range;

        if (rule_read(&u, r, c, id, version, err) < 0)
            return -1;
        from = rule_sizes(r, &u)[0];
        range = before ? rule_sizes(r, before) : NULL;
        if (!i && from)
            return err_set(err, ERR_FORMAT, "%s:%zu: the first size is %lld; it must be 0", c->path, u.line,
                           (long long)from);
        if (range && from <= range[0])
            return err_set(err, ERR_FORMAT, "%s:%zu: size %lld comes after %lld; sizes ascend", c->path, u.line,
                           (long long)from, (long long)range[0]);
        if (range)
            range[1] = from - 1;
        if (rules_add(r, &u, err) < 0)
            return -1;
    }
    if (id)
        return 0;
    r->passed += r->n - first;          /* an operation that there is not here */
    r->n = first;
    return 0;
}

static int collective_read(struct rules *r, struct cursor *c, int version, struct err *err)
{
    int64_t id, n, count, before = -1;
    char word[24];
    int operation;
    size_t last = r->n;

    if (next(&id, c, 0, "the number of a collective", err) < 0 ||
        next(&n, c, 1, "how many counts of processes there are", err) < 0)
        return -1;
    snprintf(word, sizeof word, "%lld", (long long)id);
    operation = rules_operation(r->format, word, strlen(word));
    for (int64_t i = 0; i < n; i++) {
        struct rules_rule of = rule_of(operation < 0 ? BROADCAST : (enum operation)operation, 0);

        if (next(&count, c, 0, "a count of processes", err) < 0)
            return -1;
        if (count <= before)
            return err_set(err, ERR_FORMAT, "%s:%zu: count %lld comes after %lld; counts of processes ascend", c->path,
                           c->line, (long long)count, (long long)before);
        for (; i && last < r->n; last++)
            r->rule[last].processes[1] = count - 1;
        of.processes[0] = i ? count : 0;        /* the first holds for fewer too */
        before = count;
        if (sizes_read(r, &of, c, operation < 0 ? NULL : word, version, err) < 0)
            return -1;
    }
    return 0;
}

static int ompi_read(struct rules *r, const char *text, const char *path, struct err *err)
{
    static const char head[] = "rule-file-version-";
    struct cursor c = { text, path, 1 };
    int64_t n, version = 1;

    skip(&c);
    if (strncmp(c.at, head, strlen(head)) == 0) {
        c.at += strlen(head);
        if (next(&version, &c, 1, "a version", err) < 0)
            return -1;
    }
    if (version > 2)
        return err_set(err, ERR_FORMAT, "%s:%zu: classic rules of version %lld are not known; 1 and 2 are", path,
                       c.line, (long long)version);
    if (next(&n, &c, 1, "how many collectives there are", err) < 0)
        return -1;
    for (int64_t i = 0; i < n; i++)
        if (collective_read(r, &c, (int)version, err) < 0)
            return -1;
    skip(&c);
    return !*c.at ? 0 : err_set(err, ERR_FORMAT, "%s:%zu: '%.20s' stands behind the last of %lld collectives; mend the "
                                "counts", path, c.line, c.at, (long long)n);
}

static bool ompi_sniff(const char *text)
{
    struct cursor c = { text, NULL, 1 };

    skip(&c);
    return strncmp(c.at, "rule-file-version-", 18) == 0 || isdigit((unsigned char)*c.at);
}

static int ompi_write(FILE *f, const struct rules *r, struct err *)
{
    rules_comment(f, r, "# ");
    fputs("# Not for Open MPI 6, which reads counts of processes otherwise. Of 5.0 on: --mca coll ^han\n", f);
    fprintf(f, "%zu  # collectives\n", rules_runs(r, 0, r->n, false));
    for (size_t i = 0, all; i < r->n; i = all) {
        all = rules_run(r, i, false);
        fprintf(f, "%s  # %s\n%zu  # counts of processes\n", r->format->operation[r->rule[i].operation],
                operation_name[r->rule[i].operation], rules_runs(r, i, all, true));
        for (size_t k = i, end; k < all; k = end) {
            end = rules_run(r, k, true);
            fprintf(f, "%lld  # processes and more\n%zu  # sizes: from, algorithm, fan, segment\n",
                    (long long)r->rule[k].processes[0], end - k);
            for (struct rules_rule *u = r->rule + k; u < r->rule + end; u++)
                fprintf(f, "%lld %s 0 %lld  # %s\n", (long long)rule_sizes(r, u)[0], u->name->called,
                        (long long)u->segment, u->name->algorithm->name);
        }
    }
    return 0;
}

const struct rules_format rules_ompi = {
    RULES_OMPI_ENTRY, .names = (const char *const[]){ RULES_OMPI_NAMES, NULL },
    .operation = (const char *const[OPERATIONS]){ RULES_OMPI_OPERATIONS },
    .totals = 1u << GATHER | 1u << SCATTER | 1u << ALLGATHER | 1u << ALLTOALL,
    .sniff = ompi_sniff, .read = ompi_read, .write = ompi_write };
