#include "analysis/rules/json.h"
#include "texts/rules.h"

/* Open MPI's rules from version 6 on (docs/tuning-apps/collectives/tuned.rst): JSON, version 3. */

static bool ompi_json_sniff(const char *text)
{
    return text[strspn(text, " \t\r\n")] == '{' && (strstr(text, "\"collectives\"") || strstr(text, "\"rule_file_version\""));
}

/* Where a number of a set of rules (inner: of one of them) goes; NULL: there is no such number. */
static int64_t *member(const struct rules *r, struct rules_rule *u, const char *key, bool inner, int64_t *unused)
{
    static const char *const name[] = { "comm_size_min", "comm_size_max", "msg_size_min", "msg_size_max", "seg_size",
                                        "faninout", "reqs" };
    int64_t *size = rule_sizes(r, u), *const to[] = { &u->processes[0], &u->processes[1], &size[0], &size[1], &u->segment,
                                                      unused, unused };

    for (size_t i = inner ? 2 : 0; i < (inner ? sizeof to / sizeof *to : 2); i++)
        if (strcmp(name[i], key) == 0)
            return to[i];
    return NULL;
}

static int algorithm(struct rules_rule *u, const struct rules *r, const json_t *value, const struct json_place *p,
                     struct err *err)
{
    const int64_t segment = u->segment;
    char number[24];
    int ret;

    u->line = p->line;
    snprintf(number, sizeof number, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
    ret = rules_algorithm(u, r, json_is_string(value) ? json_string_value(value) : number, p->path, err);
    u->segment = segment;
    return ret;
}

/* A set of rules for some counts of processes, or (inner) one of its rules. */
static int set_read(struct rules *r, struct json_place *p, const struct rules_rule *of, json_t *set, bool inner,
                    struct err *err)
{
    struct rules_rule u = *of;
    struct json_place behind = *p;
    json_t *rules = inner ? NULL : json_object_get(set, "rules"), *value, *rule;
    const size_t first = r->n;
    bool passed = false;
    const char *key;
    int64_t unused;
    size_t i;

    json_object_foreach(set, key, value) {
        int64_t *to = member(r, &u, key, inner, &unused);

        json_key(p, key);
        if (to ? json_number(to, value, p, key, err) < 0 : inner && strcmp(key, "alg") == 0 &&
            algorithm(&u, r, value, p, err) < 0)
            return -1;
        if (value == rules) {
            behind = *p;
        } else if (!inner && strcmp(key, "comm_rank_distribution") == 0) {
            passed = json_is_string(value) && strcmp(json_string_value(value), "single-node") == 0;
        } else if (!to && !(inner && strcmp(key, "alg") == 0)) {
            return err_set(err, ERR_FORMAT, "%s:%zu: Open MPI's rules have no '%.40s' here", p->path, p->line, key);
        }
    }
    if (rules_range(u.processes, "counts of processes", p->path, p->line, err) < 0 ||
        rules_range(rule_sizes(r, &u), "sizes", p->path, p->line, err) < 0)
        return -1;
    if (inner)
        return u.line ? rules_add(r, &u, err) :
            err_set(err, ERR_FORMAT, "%s:%zu: this rule, or one below, names no alg", p->path, p->line);
    if (!json_is_array(rules))
        return err_set(err, ERR_FORMAT, "%s:%zu: \"rules\" is no list", p->path, p->line);
    json_array_foreach(rules, i, rule)
        if (set_read(r, &behind, &u, rule, true, err) < 0)
            return -1;
    *p = behind.at > p->at ? behind : *p;
    r->passed += passed ? r->n - first : 0;
    r->n = passed ? first : r->n;
    return 0;
}

static int ompi_json_read(struct rules *r, const char *text, const char *path, struct err *err)
{
    struct json_place p;
    json_t *root = json_opened(&p, text, path, err), *list, *set;
    const char *key;
    size_t i;
    int ret = root ? 0 : -1;

    if (root && json_integer_value(json_object_get(root, "rule_file_version")) != 3)
        ret = err_set(err, ERR_FORMAT, "%s:1: \"rule_file_version\" is to be 3", path);
    if (ret == 0 && !json_is_object(json_object_get(root, "collectives")))
        ret = err_set(err, ERR_FORMAT, "%s:1: \"collectives\" is to be an object", path);
    if (ret == 0)
        json_key(&p, "collectives");
    json_object_foreach(json_object_get(root, "collectives"), key, list) {
        const int operation = rules_operation(r->format, key, strlen(key));
        const struct rules_rule of = rule_of(operation < 0 ? BROADCAST : (enum operation)operation, 0);

        if (ret == 0)
            json_key(&p, key);
        if (operation < 0)
            r->passed += json_array_size(list);
        json_array_foreach(list, i, set)
            if (ret == 0 && operation >= 0)
                ret = set_read(r, &p, &of, set, false, err);
    }
    json_decref(root);
    return ret;
}

static json_t *bound(int64_t x)
{
    return x < RULES_ALL ? json_integer(x) : json_string("inf");
}

static json_t *word(const char *called)
{
    return isdigit((unsigned char)*called) ? json_integer(atoi(called)) : json_string(called);
}

static int ompi_json_write(FILE *f, const struct rules *r, struct err *err)
{
    json_t *root = json_pack("{s:i, s:s, s:{}}", "rule_file_version", 3, "module", "tuned", "collectives");
    int bad = !root;

    for (size_t i = 0, end; i < r->n && !bad; i = end) {
        struct rules_rule *first = r->rule + i;
        json_t *all = json_object_get(root, "collectives"), *rules = json_array();
        const char *operation = r->format->operation[first->operation];

        end = rules_run(r, i, true);
        for (struct rules_rule *u = first; u < r->rule + end; u++)
            bad |= json_array_append_new(rules, json_pack("{s:I, s:o, s:o, s:I}", "msg_size_min",
                (json_int_t)rule_sizes(r, u)[0], "msg_size_max", bound(rule_sizes(r, u)[1]), "alg", word(u->name->called),
                "seg_size", (json_int_t)u->segment));
        if (!json_object_get(all, operation))
            bad |= json_object_set_new(all, operation, json_array());
        bad |= json_array_append_new(json_object_get(all, operation), json_pack("{s:I, s:o, s:s, s:o}", "comm_size_min",
            (json_int_t)first->processes[0], "comm_size_max", bound(first->processes[1]), "comm_rank_distribution",
            r->per_node == 1 ? "one-per-node" : "any", "rules", rules));
    }
    bad = bad || json_dumpf(root, f, JSON_INDENT(1)) < 0 || fputc('\n', f) < 0;
    json_decref(root);
    return bad ? err_memory(err) : 0;
}

const struct rules_format rules_ompi_json = {
    RULES_OMPI_JSON_ENTRY, .names = (const char *const[]){ RULES_OMPI_JSON_NAMES, RULES_OMPI_NAMES, NULL },
    .operation = (const char *const[OPERATIONS]){ RULES_OMPI_JSON_OPERATIONS },
    .totals = 1u << GATHER | 1u << SCATTER | 1u << ALLGATHER | 1u << ALLTOALL,
    .sniff = ompi_json_sniff, .read = ompi_json_read, .write = ompi_json_write };
