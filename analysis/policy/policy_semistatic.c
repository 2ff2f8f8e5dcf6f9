/* As offline, but for each load of its own: a sequence of assignments, each of which holds while the load does. */
#include "analysis/policy/policy.h"
#include "texts/policy.h"

static int semistatic_solve(struct policy *p, const struct load *load, struct policy_outcome *out, struct err *err)
{
    return policy_assign(p, p->at, &out->rounds, load, 1, err) < 0 ? -1 : policy_apply(p, p->at, load, err);
}

static const struct spec_key keys[] = { CONFIGURATION_KEYS, { NULL, NULL, NULL } };

const struct policy_kind policy_semistatic = {
    POLICY_SEMISTATIC_ENTRY,
    .keys = keys,
    .solve = semistatic_solve
};
