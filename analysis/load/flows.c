#include "analysis/load/flows.h"

double flows_injection_bytes(void)
{
    const struct flows *f = NULL;

    return sizeof *f->injection_source + sizeof *f->injection_state + sizeof *f->injection_port +
        sizeof *f->injection_share + sizeof *f->injection_pair + sizeof *f->injection_option +
        sizeof *f->injection_node + sizeof *f->injection_given + sizeof *f->injection_hops +
        sizeof *f->injection_links + sizeof *f->source_injection;
}

static void flows_orbits_release(struct flows_orbits *o)
{
    if (o)
        FREE(o->source_of, o->link_of, o->from, o->to, o->source_first, o->link_first, o->source_many, o->link_many,
             o->port_many, o->injection_ways, o);
}

void flows_release(struct flows *f)
{
    FREE(f->source, f->link_from, f->link_to, f->link_cable, f->link_edge, f->slow, f->link_slow, f->link_length,
         f->state_slow, f->injection_way, f->port_first, f->port_in, f->port_link, f->pair_first, f->edge_first,
         f->edge_child, f->edge_port, f->edge_share, f->injection_source, f->injection_state, f->injection_port,
         f->injection_share, f->injection_given, f->injection_hops, f->injection_links, f->injection_pair,
         f->injection_option, f->state_node, f->injection_node, f->source_first, f->source_injection,
         f->overlap_pair, f->overlap_first, f->overlap_source, f->overlap_product, f->block);
    flows_orbits_release(f->orbits);
    *f = (struct flows){ 0 };
}

/* Whether all that may follow a state leads to one node. */
static bool flows_straight(const struct flows *f, int state)
{
    const uint32_t from = f->edge_first[state];

    for (uint32_t e = from + 1; e < f->edge_first[state + 1]; e++)
        if (f->link_to[f->port_link[f->edge_port[e]]] != f->link_to[f->port_link[f->edge_port[from]]])
            return false;
    return true;
}

int flows_way(struct route_path *path, const struct flows *f, size_t injection, struct err *err)
{
    int state = f->injection_state[injection], port = f->injection_port[injection], node;

    path->n = 0;
    node = f->injection_node ? f->injection_node[injection] : f->source[f->injection_source[injection]].node;
    if (route_path_add(path, node, 0, err) < 0)
        return -1;
    for (;;) {
        const size_t link = (size_t)f->port_link[port];
        const uint32_t e = f->edge_first[state];

        if (f->link_to[link] < 0)       /* out of the network */
            return 0;
        node = f->copies > 1 ? group_add(f->net->group, node, f->link_to[link]) : f->link_to[link];
        if (f->link_from[link] >= 0 && route_path_add(path, node, 0, err) < 0)
            return -1;
        if (f->edge_first[state + 1] == e)
            return 0;
        if (!flows_straight(f, state))
            return err_set(err, ERR_USAGE, "the way branches: it has no single sequence of nodes");
        state = f->edge_child[e];
        port = f->edge_port[e];
    }
}

const char *flows_cable_name(const struct flows *f, size_t link, char out[24])
{
    const char *name;

    out[0] = '\0';
    if (!f->link_cable || f->link_cable[link] == 0)
        return out;
    name = net_port(f->net, f->link_edge[link], f->orbits ? f->orbits->from[link] : f->link_from[link]);
    snprintf(out, 24, "%d", f->link_cable[link]);
    return name ? name : out;
}

char *flows_link_label(const struct flows *f, size_t link)
{
    const int from = f->link_from[link], to = f->link_to[link];
    char name[2][NET_LABEL], number[24], *text = NULL;
    const char *port = flows_cable_name(f, flows_link_at(f, link), number);
    int len;

    if (from >= 0 && to >= 0)
        len = asprintf(&text, "%s>%s%s%s", net_label(f->net, from, name[0]), net_label(f->net, to, name[1]),
                       *port ? ":" : "", port);
    else
        len = asprintf(&text, "%s %s", from < 0 ? "into" : "out of", net_label(f->net, from < 0 ? to : from, name[0]));
    return len < 0 ? NULL : text;
}

void flows_offered(double *out, const struct flows *f, struct traffic_pace request)
{
    for (size_t i = 0; i < f->nsource; i++) {
        const struct traffic_pace p = flows_pace(f, i, request);

        out[i] = p.time / p.interval;
    }
}

static double injection_load(const struct flows *f, size_t injection, const double *rate)
{
    const size_t source = (size_t)f->injection_source[injection];

    return f->injection_share[injection] * (rate ? rate[source] : 1) * flows_sources(f, source);
}

int flows_load(const struct flows *f, const double *rate, double *link, double *port, struct err *err)
{
    double *y, *own, *sum;

    if (TAKE("loads of links", err, ARRAY(y, f->block_most), ARRAY_IF(!port, own, f->nport)) < 0)
        return -1;
    sum = port ? port : own;
    memset(sum, 0, f->nport * sizeof *sum);
    for (size_t i = 0; i < f->ninjection; i++)
        sum[f->injection_port[i]] += injection_load(f, i, rate);
    for (size_t k = f->nblock; k-- > 0;) {
        const size_t from = f->block[k].state, n = f->block[k + 1].state - from;

        memset(y, 0, n * sizeof *y);
        for (size_t i = f->block[k].injection; i < f->block[k + 1].injection; i++)
            y[(size_t)f->injection_state[i] - from] += injection_load(f, i, rate);
        for (size_t s = n; s-- > 0;)
            for (uint32_t e = f->edge_first[from + s]; e < f->edge_first[from + s + 1]; e++) {
                const double x = y[s] * f->edge_share[e];

                y[(size_t)f->edge_child[e] - from] += x;
                sum[f->edge_port[e]] += x;
            }
    }
    for (size_t g = 0; f->orbits && g < f->nport; g++)
        sum[g] /= flows_divided(f, g);
    for (size_t l = 0; link && l < f->nlink; l++) {
        link[l] = 0;
        for (size_t g = f->port_first[l]; g < f->port_first[l + 1]; g++)
            link[l] += flows_ports(f, g) * sum[g];
    }
    FREE(y, own);
    return 0;
}
