#include "model/traffic/traffic.h"
#include "texts/traffic.h"

#define SHARE 0.1

struct hotspot {
    int node;
    double share;               /* part of every terminal's messages that goes there beside its uniform part */
};

static int hotspot_read_share(double *share, const struct spec *spec, struct err *err)
{
    const char *text = spec_get(spec, "share");

    *share = SHARE;
    if (text && num_real(share, text, "share", err) < 0)
        return err_at(err, "'%.80s'", spec->text);
    if (!(*share > 0 && *share <= 1))
        return err_set(err, ERR_USAGE, "'%.80s': share is %.40s; it must be above 0 and at most 1", spec->text, text);
    return 0;
}

/* The node as it prints, but as it was given where that would not parse. */
static const char *hotspot_node_text(const struct net *net, int node, const char *given, char label[96])
{
    const char *text = net->name ? net->name[node] : net_label(net, node, label);

    return strpbrk(text, ",=") ? given : text;
}

static int hotspot_open(struct traffic *t, const struct spec *spec, struct net *net, struct err *err)
{
    struct hotspot *h = t->state = calloc(1, sizeof *h);
    char label[96], number[32], share[48] = "";

    if (!h)
        return err_memory(err);
    if (!*spec->params)
        return err_set(err, ERR_USAGE, "'%.80s' lacks its node: write hotspot:NODE", spec->text);
    if (hotspot_read_share(&h->share, spec, err) < 0 || traffic_need_two(t, err) < 0)
        return -1;
    if (net_node(net, spec->params, &h->node, err) < 0)
        return err_at(err, "'%.80s'", spec->text);
    if (net_terminal_index(net, h->node) < 0)
        return err_set(err, ERR_USAGE, "'%.80s': hotspot needs a terminal; node %s of %.200s is a switch", spec->text,
                       net_label(net, h->node, label), net->spec);
    t->matrix = true;
    if (h->share < SHARE || h->share > SHARE)
        snprintf(share, sizeof share, ",share=%s", num_shortest(number, h->share));
    return spec_append(&t->spec, err, "hotspot:%s%s", hotspot_node_text(net, h->node, spec->params, label), share);
}

static double hotspot_share(const struct traffic *t, int source, int target)
{
    const struct hotspot *h = t->state;
    double even = 1 / (t->net->nterminal - 1.0);

    if (source == target)
        return 0;
    if (source == h->node)
        return even;
    return (target == h->node ? h->share : 0) + (1 - h->share) * even;
}

const struct traffic_kind traffic_hotspot = {
    TRAFFIC_HOTSPOT_ENTRY,
    .open = hotspot_open,
    .share = hotspot_share
};
