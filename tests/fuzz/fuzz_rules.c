/* Files of rules, of any format: ranges in order, algorithms of their operation, and at the begin of each rule it is
 * chosen, or one before it. */
#include "analysis/rules/rules.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct err err = { 0 };
    struct rules r = { 0 };
    char *text = text_of(data, size);

    if (rules_parse(&r, text, size, "a.conf", &err) < 0)
        message_is_fit(&err);
    else
        for (struct rules_rule *u = r.rule; u < r.rule + r.n; u++) {
            const struct rules_rule *got;

            must(u->processes[0] >= 0 && u->bytes[0] >= 0 && u->total[0] >= 0 && u->segment >= 0, "numbers", NULL);
            must(!u->name || u->name->operation == u->operation, "an algorithm of the operation", NULL);
            must(u->line > 0, "a line", NULL);
            if (u->total[0] == 0 && u->processes[0] <= u->processes[1] && u->bytes[0] <= u->bytes[1] && !u->two &&
                u->processes[0] <= INT_MAX && u->bytes[0] <= INT_MAX && u->bytes[0] * u->processes[0] <= u->total[1]) {
                got = rules_choose(&r, u->operation, (int)u->processes[0], u->bytes[0]);
                must(got && got <= u, "chosen", NULL);
            }
        }
    rules_release(&r);
    free(text);
    return 0;
}
