#include "analysis/rules/rules.h"

#include <strings.h>

#include "graph/base/file.h"
#include "registry/rules.inc"

#define RULES_MOST ((size_t)1 << 24)    /* bytes of a file */

KIND(rules, rules, struct rules_format, .name = "rules", .what = "format of rules", .rank = 13, .apart = true)

const struct rules_format *rules_chosen(const char **path, const char *text)
{
    const char *colon = strchr(text, ':');

    *path = text;
    for (size_t i = 0; colon && rules_all[i]; i++)
        if (strlen(rules_all[i]->name) == (size_t)(colon - text) &&
            strncmp(rules_all[i]->name, text, (size_t)(colon - text)) == 0) {
            *path = colon + 1;
            return rules_all[i];
        }
    return NULL;
}

/* ---- names ------------------------------------------------------------------------------------------- */

static int name_parse(struct rules_name *n, const char *text, struct err *err)
{
    char operation[20], algorithm[40], more[2][80] = { "", "" };
    int op;

    if (sscanf(text, "%19s %39s %79s %79s %79s", operation, algorithm, n->called, more[0], more[1]) < 3)
        return err_set(err, ERR_INTERNAL, "'%s' names no algorithm", text);
    op = operation_find(operation, err);
    if (op < 0)
        return -1;
    n->operation = (enum operation)op;
    n->algorithm = *algorithm == '-' ? NULL : collective_find(algorithm, err);
    for (int i = 0; i < 2; i++) {
        n->segments |= strcmp(more[i], "segments") == 0;
        n->later |= strcmp(more[i], "later") == 0;
        sscanf(more[i], "radix=%d", &n->radix);
    }
    return *algorithm == '-' || n->algorithm ? 0 : -1;
}

int rules_begin(struct rules *r, const struct rules_format *format, struct err *err)
{
    r->format = format;
    while (format->names[r->nname])
        r->nname++;
    if (TAKE("names", err, ZEROS(r->name, r->nname)) < 0)
        return -1;
    for (size_t i = 0; i < r->nname; i++)
        if (name_parse(&r->name[i], format->names[i], err) < 0)
            return -1;
    return 0;
}

void rules_release(struct rules *r)
{
    FREE(r->name, r->rule);
}

const struct rules_name *rules_name(const struct rules *r, enum operation operation, const struct setting *s)
{
    for (const struct rules_name *n = r->name; n < r->name + r->nname; n++)
        if (n->operation == operation && n->algorithm == s->algorithm && !n->later &&
            (!s->algorithm->segments || !s->segment || n->segments) &&
            (!s->algorithm->radix || !n->radix || n->radix == s->radix))
            return n;
    return NULL;
}

const struct rules_name *rules_called(const struct rules *r, enum operation operation, const char *word, size_t len)
{
    for (const struct rules_name *n = r->name; n < r->name + r->nname; n++)
        if (n->operation == operation && strlen(n->called) == len && strncasecmp(n->called, word, len) == 0)
            return n;
    return NULL;
}

int rules_operation(const struct rules_format *f, const char *word, size_t len)
{
    for (int i = 0; i < OPERATIONS; i++)
        if (f->operation[i] && strlen(f->operation[i]) == len && strncmp(f->operation[i], word, len) == 0)
            return i;
    return -1;
}

/* ---- rules ------------------------------------------------------------------------------------------- */

struct rules_rule rule_of(enum operation operation, size_t line)
{
    return (struct rules_rule){ .operation = operation, .processes = { 0, RULES_ALL }, .bytes = { 0, RULES_ALL },
                          .total = { 0, RULES_ALL }, .line = line };
}

int rules_add(struct rules *r, const struct rules_rule *rule, struct err *err)
{
    if (GROW_BY(r->n, 1, "rules", err, GROWN(r->rule)) < 0)
        return -1;
    r->rule[r->n++] = *rule;
    return 0;
}

int64_t *rule_sizes(const struct rules *r, struct rules_rule *rule)
{
    return r->format->totals >> rule->operation & 1 ? rule->total : rule->bytes;
}

static bool within(const int64_t range[2], int64_t x)
{
    return x >= range[0] && x <= range[1];
}

const struct rules_rule *rules_choose(const struct rules *r, enum operation operation, int processes, int64_t bytes)
{
    for (const struct rules_rule *u = r->rule; u < r->rule + r->n; u++)
        if (u->operation == operation && within(u->processes, processes) && within(u->bytes, bytes) &&
            within(u->total, bytes * processes))
            return u;
    return NULL;
}

size_t rules_run(const struct rules *r, size_t first, bool counts)
{
    const struct rules_rule *u = r->rule + first;
    size_t end = first;

    while (end < r->n && r->rule[end].operation == u->operation &&
           (!counts || r->rule[end].processes[0] == u->processes[0]))
        end++;
    return end;
}

size_t rules_runs(const struct rules *r, size_t first, size_t end, bool counts)
{
    size_t n = 0;

    for (; first < end; first = rules_run(r, first, counts))
        n++;
    return n;
}

/* ---- files ------------------------------------------------------------------------------------------- */

void rules_comment(FILE *f, const struct rules *r, const char *mark)
{
    for (const char *line = r->title; line && *line; line += strcspn(line, "\n"), line += *line == '\n')
        fprintf(f, "%s%.*s\n", mark, (int)strcspn(line, "\n"), line);
}

int rules_read(struct rules *r, const char *from, struct err *err)
{
    const char *path;
    const struct rules_format *format = rules_chosen(&path, from), *is = NULL;
    char *text;
    size_t len;
    int ret = 0;

    if (file_read(&text, &len, path, RULES_MOST, 8, err) < 0)
        return -1;
    for (size_t i = 0; strlen(text) == len && rules_all[i] && !is; i++)
        is = rules_all[i]->sniff(text) ? rules_all[i] : NULL;
    if (!is)
        ret = err_set(err, ERR_FORMAT, "%s is no file of rules that is known here; `metapath list rules` has the "
                      "formats", path);
    else if (format && format != is)
        ret = err_set(err, ERR_FORMAT, "%s is a file of %s, not of %s; write %s:%s, or leave the format out", path,
                      is->name, format->name, is->name, path);
    if (ret == 0)
        ret = rules_begin(r, is, err) < 0 ? -1 : is->read(r, text, path, err);
    free(text);
    return ret;
}
