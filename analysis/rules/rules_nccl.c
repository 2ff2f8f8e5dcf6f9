#include "analysis/rules/rules.h"
#include "texts/rules.h"

/* NCCL's tuner plugin (plugins/tuner/example): coll,min,max,algo,proto,channels,nNodes,nRanks. */

enum { COLL, MIN, MAX, ALGO, PROTO, CHANNELS, NODES, RANKS, FIELDS, FIELDS_MOST = FIELDS + 2 };
#define NCCL_COUNTS 4096                /* lines for counts of a rule: a line has one count, or all */
#define NCCL_BYTES "4294967295"
static const char *const protocol[] = { "simple", "ll", "ll128", NULL };

static bool nccl_sniff(const char *text)
{
    while (*text == '#' || isspace((unsigned char)*text))
        text += *text == '#' ? strcspn(text, "\n") : 1;
    return isalpha((unsigned char)*text) && text[strcspn(text, ",=\n")] == ',';
}

static int nccl_line(struct rules *r, struct rules_line *l, struct err *err)
{
    char *word[FIELDS_MOST];
    const size_t n = rules_words(word, FIELDS_MOST, l->text, ',');
    const int operation = rules_operation(r->format, word[COLL], strlen(word[COLL]));
    struct rules_rule u = rule_of(operation < 0 ? BROADCAST : (enum operation)operation, l->number);
    int64_t *size = rule_sizes(r, &u), unused;
    bool is = false;

    if (n < FIELDS || n > FIELDS_MOST)
        return err_set(err, ERR_FORMAT, "%s:%zu: there are %zu fields; NCCL's are coll, min, max, algo, proto, channels, "
                       "nNodes, nRanks", l->path, l->number, n);
    if (operation < 0)
        return err_set(err, ERR_FORMAT, "%s:%zu: '%.40s' is no collective of NCCL, which takes it for allreduce; a heading "
                       "is to be a comment (#)", l->path, l->number, word[COLL]);
    for (size_t i = 0; protocol[i]; i++)
        is |= strcmp(word[PROTO], protocol[i]) == 0;
    if (!is)
        return err_set(err, ERR_FORMAT, "%s:%zu: '%.40s' is no protocol of NCCL; ll, ll128 and simple are", l->path,
                       l->number, word[PROTO]);
    if (rules_number(&size[0], word[MIN], 0, "", "min", l, err) < 0 ||
        rules_number(&size[1], word[MAX], 0, NCCL_BYTES, "max", l, err) < 0 ||
        rules_range(size, "sizes", l->path, l->number, err) < 0 || rules_algorithm(&u, r, word[ALGO], l->path, err) < 0 ||
        rules_number(&unused, word[CHANNELS], -1, "", "channels", l, err) < 0 ||
        rules_number(&unused, word[NODES], -1, "", "nNodes", l, err) < 0 ||
        rules_number(&u.processes[1], word[RANKS], 0, "-1", "nRanks", l, err) < 0)
        return -1;
    u.processes[0] = u.processes[1] < RULES_ALL ? u.processes[1] : 0;
    return rules_add(r, &u, err);
}

static int nccl_read(struct rules *r, const char *text, const char *path, struct err *err)
{
    return rules_lines(r, text, path, nccl_line, err);
}

/* The first line that fits counts: counts of their own come before -1, which stands for those beyond. */
static int nccl_write(FILE *f, const struct rules *r, struct err *err)
{
    rules_comment(f, r, "# ");
    fputs("# NCCL_TUNER_PLUGIN with NCCL_TUNER_CONFIG_FILE. coll,min,max,algo,proto,channels,nNodes,nRanks\n", f);
    for (struct rules_rule *u = r->rule; u < r->rule + r->n; u++) {
        const bool all = u->processes[1] == RULES_ALL;
        const int64_t *size = rule_sizes(r, u), to = all ? u->processes[0] : u->processes[1];

        if (to - u->processes[0] > NCCL_COUNTS)
            return err_set(err, ERR_DOMAIN, "NCCL's rules are of one count each, and %lld to %lld are more than %d; try "
                           "counts that are nearer to each other", (long long)u->processes[0], (long long)to, NCCL_COUNTS);
        for (int64_t n = u->processes[0] > 2 || all ? u->processes[0] : 2; n <= to; n++) {
            fprintf(f, "%s,%lld,", r->format->operation[u->operation], (long long)size[0]);
            fprintf(f, size[1] == RULES_ALL ? NCCL_BYTES : "%lld", (long long)size[1]);
            fprintf(f, ",%s,%s,-1,-1,%lld\n", u->name->called, r->protocol ? r->protocol : *protocol,
                    all ? -1 : (long long)n);
        }
    }
    return 0;
}

const struct rules_format rules_nccl = {
    RULES_NCCL_ENTRY, .names = (const char *const[]){ RULES_NCCL_NAMES, NULL },
    .operation = (const char *const[OPERATIONS]){ RULES_NCCL_OPERATIONS, NULL, NULL, RULES_NCCL_MORE }, .totals = 1u << ALLGATHER, .protocol = protocol,
    .sniff = nccl_sniff, .read = nccl_read, .write = nccl_write };
