#include "analysis/rules/rules.h"

#include <inttypes.h>
#include <strings.h>

#include "graph/base/file.h"
#include "registry/rules.inc"

#define RULES_MOST ((size_t)1 << 24)    /* bytes of a file */
#define COMMENT 100                     /* characters of a line */

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

    n->text = text;
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
        n->two |= strcmp(more[i], "two") == 0;
        sscanf(more[i], "radix=%d", &n->radix);
        sscanf(more[i], "segment=%" SCNd64, &n->segment);
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
            (!s->algorithm->segments || n->segments || s->segment == n->segment) &&
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
            within(u->total, bytes * processes) && !(u->two && processes & (processes - 1)))
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
    for (const char *line = r->title; line && *line; line += *line == '\n' || *line == ' ') {
        int len = (int)strcspn(line, "\n");

        for (int at = len; len > COMMENT && at > 0; at--)
            if (line[at] == ' ' && at <= COMMENT)
                len = at;
        fprintf(f, "%s%.*s\n", mark, len, line);
        line += len;
    }
}

int rules_lines(struct rules *r, const char *text, const char *path,
                int (*line)(struct rules *r, struct rules_line *l, struct err *err), struct err *err)
{
    struct rules_line l = { .path = path, .processes = { 0, RULES_ALL } };
    int ret = 0;

    while (*text && ret == 0) {
        size_t len = strcspn(text, "\n"), end = len;

        l.number++;
        while (end > 0 && isspace((unsigned char)text[end - 1]))
            end--;
        for (; end > 0 && isspace((unsigned char)*text); end--, len--)
            text++;
        if (end > 0 && *text != '#') {
            l.text = text_copy(text, end);
            ret = l.text ? line(r, &l, err) : err_memory(err);
            free(l.text);
        }
        text += len + (text[len] == '\n');
    }
    return ret;
}

size_t rules_words(char **word, size_t most, char *text, char separator)
{
    size_t n = 0;

    for (char *next; text; text = next) {
        next = strchr(text, separator);
        if (next)
            *next++ = '\0';
        if (n < most)
            word[n] = text;
        n++;
    }
    return n;
}

int rules_number(int64_t *out, const char *word, int64_t least, const char *all, const char *what,
                 const struct rules_line *l, struct err *err)
{
    *out = RULES_ALL;
    if (strcmp(word, all) == 0 || num_int(out, word, least, RULES_ALL, what, err) == 0)
        return 0;
    err->code = ERR_FORMAT;
    return err_at(err, "%s:%zu", l->path, l->number);
}

int rules_range(const int64_t range[2], const char *what, const char *path, size_t line, struct err *err)
{
    return range[0] <= range[1] ? 0 :
        err_set(err, ERR_FORMAT, "%s:%zu: %s from %lld to %lld descend, and so hold for none; exchange them", path, line,
                what, (long long)range[0], (long long)range[1]);
}

int rules_algorithm(struct rules_rule *u, const struct rules *r, const char *word, const char *path, struct err *err)
{
    u->name = rules_called(r, u->operation, word, strlen(word));
    u->segment = u->name ? u->name->segment : 0;
    return u->name ? 0 : err_set(err, ERR_FORMAT, "%s:%zu: %s has no %s that it calls '%.60s'", path, u->line,
                                 r->format->name, operation_name[u->operation], word);
}

int rules_parse(struct rules *r, const char *text, size_t len, const char *from, struct err *err)
{
    const char *path;
    const struct rules_format *format = rules_chosen(&path, from), *is = NULL;

    for (size_t i = 0; strlen(text) == len && rules_all[i] && !is; i++)
        is = rules_all[i]->sniff(text) ? rules_all[i] : NULL;
    if (!is)
        return err_set(err, ERR_FORMAT, "%s is no file of rules that is known here; `metapath list rules` has the "
                       "formats", path);
    if (format && format != is)
        return err_set(err, ERR_FORMAT, "%s is a file of %s, not of %s; write %s:%s, or leave the format out", path,
                       is->name, format->name, is->name, path);
    return rules_begin(r, is, err) < 0 ? -1 : is->read(r, text, path, err);
}

int rules_read(struct rules *r, const char *from, struct err *err)
{
    const char *path;
    char *text;
    size_t len;
    int ret;

    rules_chosen(&path, from);
    if (file_read(&text, &len, path, RULES_MOST, 8, err) < 0)
        return -1;
    ret = rules_parse(r, text, len, from, err);
    free(text);
    return ret;
}
