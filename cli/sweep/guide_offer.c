#include "cli/sweep/guide_offer.h"

void guide_offer_release(struct guide_offer *offer)
{
    strings_free(&offer->spec);
    strings_free(&offer->label);
}

int guide_offer_table(struct guide_offer *offer, const char *table, const char *shares, const char *base,
                      struct net *net, const struct traffic *traffic, struct err *err)
{
    struct ways ways = { 0 };
    struct routing r = { 0 };
    size_t most = 0;
    char text[1000];
    int ret = -1;

    snprintf(text, sizeof text, "table:%.600s%s", table, base);
    if (traffic->matrix)
        return err_set(err, ERR_USAGE, "--table needs a traffic of channels; %s is a matrix", traffic->spec);
    if (routing_open(&r, net, text, err) < 0)
        return -1;
    for (size_t i = 0; i < traffic->nstream; i++) {
        const struct stream *c = &traffic->stream[i];

        ways_clear(&ways);
        if (r.route->ways(&ways, &r, c->name, c->source, c->target, err) < 0)
            goto done;
        most = ways.n > most ? ways.n : most;
    }
    for (size_t k = 1; k <= most; k++) {
        snprintf(text, sizeof text, "table:%.600s,first=%zu%s%s", table, k, shares, base);
        if (strings_add(&offer->spec, text, err) < 0)
            goto done;
        snprintf(text, sizeof text, "%zu path%s", k, k > 1 ? "s" : "");
        if (strings_add(&offer->label, text, err) < 0)
            goto done;
    }
    ret = 0;
done:
    ways_release(&ways);
    routing_close(&r);
    return ret;
}

int guide_offer_supernodes(struct guide_offer *offer, const struct strings *supernode, const char *shares,
                           const char *base, struct err *err)
{
    static const char *const usual[] = { "static", "sga:1", "dga:1", "sga:2", "dga:2" };
    const size_t n = supernode->n ? supernode->n : sizeof usual / sizeof *usual;
    char text[1000];

    for (size_t i = 0; i < n; i++) {
        const char *const name = supernode->n ? supernode->item[i] : usual[i];

        snprintf(text, sizeof text, "metapath:%.600s%s%s", name, shares, base);
        if (strings_add(&offer->spec, text, err) < 0 || strings_add(&offer->label, name, err) < 0)
            return -1;
    }
    return 0;
}
