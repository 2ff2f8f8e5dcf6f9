#include "cli/bcast_plan.h"

#include <stdlib.h>
#include <string.h>

#include "graph/base/num.h"
#include "graph/base/text.h"

int plan_algorithms(struct plan *p, const struct strings *names, bool schedule, struct err *err)
{
    size_t trees = 0, n = 0;
    const char *known[40];
    char hint[80];

    for (; tree_all[trees] && trees < 32; trees++)
        known[trees] = tree_all[trees]->name;
    known[trees] = "flooding";
    known[trees + 1] = "best";
    /* a schedule of `best` would only repeat one of the others */
    p->nalgorithm = names->n ? names->n : schedule ? trees : trees + 2;
    p->algorithm = calloc(p->nalgorithm, sizeof *p->algorithm);
    if (!p->algorithm)
        return err_memory(err);
    for (; n < p->nalgorithm; n++) {
        const char *name = names->n ? names->item[n] : known[n];
        size_t k = 0;

        while (k < trees + 2 && strcmp(known[k], name) != 0)
            k++;
        if (k == trees + 2)
            return err_set(err, ERR_USAGE, "no broadcast algorithm is called '%.60s'%s; `metapath list algorithm` names "
                           "them", name, text_suggest(hint, name, known, trees + 2));
        p->algorithm[n] = (struct algorithm){ known[k], k < trees ? tree_all[k] : NULL };
    }
    return 0;
}

int plan_ports(struct plan *p, const char *text, struct err *err)
{
    struct strings item = { 0 };
    int ret = -1;

    if (strings_add_list(&item, text, err) < 0)
        goto done;
    p->ports = malloc(item.n * sizeof *p->ports);
    if (!p->ports) {
        err_memory(err);
        goto done;
    }
    for (; p->nports < item.n; p->nports++) {
        p->ports[p->nports] = 0;
        if (strcmp(item.item[p->nports], "all") != 0 &&
            num_int(&p->ports[p->nports], item.item[p->nports], 1, INT32_MAX, "--ports", err) < 0)
            goto done;
    }
    ret = 0;
done:
    strings_free(&item);
    return ret;
}

void plan_release(struct plan *p)
{
    free(p->algorithm);
    free(p->processes);
    free(p->ports);
}
