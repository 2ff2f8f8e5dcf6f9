#include "analysis/rules/rules.h"
#include "texts/rules.h"

/* UCC's file of settings (contrib/ucc.conf, src/coll_score/ucc_coll_score.c): tokens coll:range:mem:[teams]:score:@alg of
 * UCC_TL_UCP_TUNE, in sections, each for some teams. */

#define UCC_TUNE "UCC_TL_UCP_TUNE="
enum { UCC_FIELDS = 8 };

static bool ucc_sniff(const char *text)
{
    while (*text == '#' || isspace((unsigned char)*text))
        text += *text == '#' ? strcspn(text, "\n") : 1;
    return *text == '[' || strncmp(text, "UCC_", 4) == 0;
}

/* "8", "8-15" or "4K-inf": of sizes the end is none of them. */
static int ucc_range(int64_t range[2], char *text, bool sizes, const struct rules_line *l, struct err *err)
{
    char *end = strchr(text, '-');

    for (char *c = text; *c; c++)
        *c = (char)toupper((unsigned char)*c);
    if (end)
        *end++ = '\0';
    if (rules_number(&range[0], text, 0, "", "a range's begin", l, err) < 0 ||
        rules_number(&range[1], end ? end : text, sizes, "INF", "a range's end", l, err) < 0)
        return -1;
    range[1] -= sizes && range[1] < RULES_ALL;
    return rules_range(range, sizes ? "sizes" : "teams", l->path, l->number, err);
}

static int ucc_token(struct rules *r, char *token, const struct rules_line *l, struct err *err)
{
    char *word[UCC_FIELDS];
    const size_t n = rules_words(word, UCC_FIELDS, token, ':');
    const int operation = rules_operation(r->format, word[0], strlen(word[0]));
    struct rules_rule u = rule_of(operation < 0 ? BROADCAST : (enum operation)operation, l->number);
    bool passed = operation < 0;

    memcpy(u.processes, l->processes, sizeof u.processes);
    if (n > UCC_FIELDS)
        return err_set(err, ERR_FORMAT, "%s:%zu: a token of %zu fields; UCC's are coll:range:mem:[teams]:score:@alg", l->path,
                       l->number, n);
    for (size_t i = 1; i < n; i++) {
        const size_t len = strlen(word[i]);

        if (*word[i] == '@' && !passed && rules_algorithm(&u, r, word[i] + 1, l->path, err) < 0)
            return -1;
        if (*word[i] == '[' && word[i][len - 1] == ']') {
            word[i][len - 1] = '\0';
            if (ucc_range(u.processes, word[i] + 1, false, l, err) < 0)
                return -1;
        } else if (isdigit((unsigned char)*word[i]) && strchr(word[i], '-')) {
            if (ucc_range(rule_sizes(r, &u), word[i], true, l, err) < 0)
                return -1;
        } else {
            passed |= strcmp(word[i], "0") == 0 || strncmp(word[i], "cuda", 4) == 0 || strncmp(word[i], "rocm", 4) == 0;
        }
    }
    r->passed += passed;
    return passed ? 0 : rules_add(r, &u, err);
}

static int ucc_line(struct rules *r, struct rules_line *l, struct err *err)
{
    const bool tune = strncmp(l->text, UCC_TUNE, strlen(UCC_TUNE)) == 0;
    char *rest = l->text + (tune ? strlen(UCC_TUNE) : 0), *token, *team;
    int ret = 0;

    if (*l->text == '[') {
        l->processes[0] = 0;
        l->processes[1] = RULES_ALL;
        team = strstr(l->text, "team_size=");
        if (team)
            team[strcspn(team, " ]")] = '\0';
        return team ? ucc_range(l->processes, team + strlen("team_size="), false, l, err) : 0;
    }
    if (!tune)
        return strncmp(l->text, "UCC_", 4) == 0 && strchr(l->text, '=') ? 0 :
            err_set(err, ERR_FORMAT, "%s:%zu: UCC_NAME=VALUE or [section] is expected, not '%.40s'", l->path, l->number,
                    l->text);
    while (ret == 0 && (token = strsep(&rest, "#")))
        ret = ucc_token(r, token, l, err);
    return ret;
}

static int ucc_read(struct rules *r, const char *text, const char *path, struct err *err)
{
    return rules_lines(r, text, path, ucc_line, err);
}

static void ucc_bound(FILE *f, int64_t bound, const char *behind)
{
    fprintf(f, bound < RULES_ALL ? "%lld" : "inf", (long long)bound);
    fputs(behind, f);
}

static int ucc_write(FILE *f, const struct rules *r, struct err *)
{
    rules_comment(f, r, "# ");
    fputs("# In ucc.conf; UCC before 2025 reads no more than 500 characters of a line: give that as a variable there.\n"
          UCC_TUNE, f);
    for (struct rules_rule *u = r->rule; u < r->rule + r->n; u++) {
        const int64_t *size = rule_sizes(r, u);

        fprintf(f, "%s%s:%lld-", u > r->rule ? "#" : "", r->format->operation[u->operation], (long long)size[0]);
        ucc_bound(f, size[1] + (size[1] < RULES_ALL), ":host:[");
        fprintf(f, "%lld-", (long long)u->processes[0]);
        ucc_bound(f, u->processes[1], "]:inf:@");
        fputs(u->name->called, f);
    }
    fputc('\n', f);
    for (const struct rules_name *n = r->name; n < r->name + r->nname; n++) {
        const char *set = strstr(n->text, "set=");
        bool used = false;

        for (struct rules_rule *u = r->rule; u < r->rule + r->n; u++)
            used |= u->name == n;
        if (used && set)
            fprintf(f, "UCC_TL_UCP_%s\n", set + strlen("set="));
    }
    return 0;
}

const struct rules_format rules_ucc = {
    RULES_UCC_ENTRY, .names = (const char *const[]){ RULES_UCC_NAMES, NULL },
    .operation = (const char *const[OPERATIONS]){ RULES_UCC_OPERATIONS, NULL, RULES_UCC_MORE },
    .totals = 1u << GATHER | 1u << SCATTER | 1u << ALLGATHER | 1u << ALLTOALL,
    .sniff = ucc_sniff, .read = ucc_read, .write = ucc_write };
