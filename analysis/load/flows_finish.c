#include "analysis/load/flows_builder.h"

/* Ports in the order of their links; within a link, as they were met. */
static int number_ports(struct builder *b, struct err *err)
{
    struct flows *f = b->f;
    size_t *at;
    int *renamed;

    f->nport = b->nport;
    if ((f->orbits && TAKE("ports of links", err, ARRAY(f->orbits->port_many, f->nport)) < 0) ||
        TAKE("ports of links", err, ZEROS(f->port_first, f->nlink + 1), ZEROS(f->pair_first, f->nlink + 1),
             ARRAY(f->port_in, f->nport), ARRAY(f->port_link, f->nport), ARRAY(at, f->nlink),
             ARRAY(renamed, f->nport)) < 0)
        return -1;
    for (size_t g = 0; g < f->nport; g++)
        f->port_first[(b->port_key[g] >> 32) + 1]++;
    for (size_t l = 0; l < f->nlink; l++) {
        const size_t n = f->port_first[l + 1];

        f->pair_first[l + 1] = f->pair_first[l] + (n > 1 ? n * n : 0);
        f->port_first[l + 1] += f->port_first[l];
        at[l] = f->port_first[l];
    }
    for (size_t g = 0; g < f->nport; g++) {
        renamed[g] = (int)at[b->port_key[g] >> 32]++;
        f->port_in[renamed[g]] = b->port_in[g];
        if (f->orbits)
            f->orbits->port_many[renamed[g]] = b->port_many[g];
        f->port_link[renamed[g]] = (int)(b->port_key[g] >> 32);
    }
    for (size_t e = 0; e < f->nedge; e++)
        f->edge_port[e] = renamed[f->edge_port[e]];
    for (size_t i = 0; i < f->ninjection; i++)
        f->injection_port[i] = renamed[f->injection_port[i]];
    FREE(renamed, at);
    return 0;
}

static int name_links(struct builder *b, struct err *err)
{
    struct flows *f = b->f;
    const size_t cables = b->follow.cables, n = (size_t)b->net->n;

    f->nlink = b->first ? b->nclass : cables + 2 * n * b->follow.arrivals;
    if (TAKE("the links of messages", err, ARRAY(f->link_from, f->nlink), ARRAY(f->link_to, f->nlink)) < 0)
        return -1;
    for (size_t k = 0; k < f->nlink; k++) {
        const size_t l = builder_link(b, k);

        f->link_from[k] = l < cables ? b->follow.tail[l] : l < cables + n ? (int)(l - cables) : -1;
        f->link_to[k] = l < cables ? b->follow.head[l] : l < cables + n ? -1 : (int)(l - cables - n);
    }
    return 0;
}

/* Which cable a link is, where it is one of several. */
static int number_cables(struct builder *b, struct err *err)
{
    struct flows *f = b->f;
    const struct trunks *t = &b->follow.trunks;
    const size_t n = b->follow.cables + 2 * (size_t)b->net->n;

    if (!t->first)
        return 0;
    if (TAKE("the links of messages", err, ZEROS(f->link_cable, n), ZEROS(f->link_edge, n)) < 0)
        return -1;
    for (size_t k = 0; k < t->csr->m; k++)
        for (size_t l = t->first[k]; l < t->first[k + 1]; l++) {
            f->link_cable[l] = trunks_cables(t, k) > 1 ? (int)(l - t->first[k]) + 1 : 0;
            f->link_edge[l] = t->edge[l];
        }
    return 0;
}

/* Injections by source, links left to go, and whether every state has one edge at most. */
static int finish_injections(struct builder *b, struct err *err)
{
    struct flows *f = b->f;
    double *hops, *links;           /* by state of a block, its own not among them */
    uint32_t *at;
    const double size = (double)(f->nstate + f->ninjection), chunk = fmax(size / FLOWS_CHUNKS, 32768);

    if (builder_state_room(b, f->nstate + 1, err) < 0 ||
        TAKE("injections of messages", err, ARRAY(hops, f->block_most), ARRAY(links, f->block_most),
             ARRAY(at, f->nsource), ARRAY(f->injection_hops, f->ninjection), ARRAY(f->injection_links, f->ninjection),
             ARRAY(f->injection_given, f->ninjection), ZEROS(f->source_first, f->nsource + 1),
             ARRAY(f->source_injection, f->ninjection)) < 0)
        return -1;
    f->edge_first[f->nstate] = (uint32_t)f->nedge;
    f->chain = true;
    for (size_t i = 0; i < f->nblock; i++) {
        const struct flows_block *k = &f->block[i];

        for (size_t s = 0; s < k[1].state - k[0].state; s++) {
            const uint32_t from = f->edge_first[k[0].state + s], to = f->edge_first[k[0].state + s + 1];

            hops[s] = links[s] = 0;
            f->chain = f->chain && to - from <= 1;
            for (uint32_t e = from; e < to; e++) {
                const bool hop = f->link_to[f->port_link[f->edge_port[e]]] >= 0;
                const size_t child = (size_t)f->edge_child[e] - k[0].state;

                hops[s] += f->edge_share[e] * (hop + hops[child]);
                links[s] += f->edge_share[e] * (1 + links[child]);
            }
        }
        for (size_t r = k[0].injection; r < k[1].injection; r++) {
            const size_t s = (size_t)f->injection_state[r] - k[0].state;

            f->injection_hops[r] = (f->link_from[f->port_link[f->injection_port[r]]] >= 0) + hops[s];
            f->injection_links[r] = 1 + links[s];
            f->source_first[f->injection_source[r] + 1]++;
        }
    }
    for (size_t c = 0; c < f->nsource; c++) {
        f->source_first[c + 1] += f->source_first[c];
        at[c] = f->source_first[c];
    }
    for (size_t i = 0; i < f->ninjection; i++)
        f->source_injection[at[f->injection_source[i]]++] = (uint32_t)i;
    for (size_t k = 1; k <= f->nblock; k++)     /* whole targets, until a chunk has its part */
        if (k == f->nblock || (double)(f->block[k].state + f->block[k].injection) >= chunk * (double)(f->nchunk + 1))
            f->chunk[++f->nchunk] = k;
    FREE(hops, links, at);
    return 0;
}

/* What can follow what among these messages. Where folded, a cycle of classes is one of links, since the group is
 * finite. */
int builder_finish(struct builder *b, struct err *err)
{
    struct flows *f = b->f;

    return name_links(b, err) < 0 || number_cables(b, err) < 0 || builder_measure_links(b, err) < 0 ||
        number_ports(b, err) < 0 ||
        follow_cyclic(&f->cyclic, f->nlink, f->nport, f->port_in, f->port_link, err) < 0 ||
        finish_injections(b, err) < 0 ? -1 : flows_measure_ways(f, err);
}
