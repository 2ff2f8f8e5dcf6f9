#include <igraph.h>

#include "graph/import/imported.h"
#include "graph/topology/topo.h"
#include "texts/topo.h"

/* Edges of the file, in its order: net->weight[i] belongs to edge i. */
struct params {
    size_t nedge;
    int end[];                  /* 2 per edge */
};
enum weight_meaning { WEIGHT_UNSAID, WEIGHT_LENGTH, WEIGHT_BANDWIDTH };     /* in the order of weight_choice */
struct request {
    enum import_direction direction;
    enum weight_meaning meaning;
    int terminals;              /* index in terminal_choice */
    int64_t each;
    int unit;                   /* index in unit_choice */
    struct import_wanted wanted;
};

static const char *const direction_choice[] = { "", "no", "yes", NULL };    /* in the order of import_direction */
static const char *const weight_choice[] = { "", "latency", "capacity", NULL };
static const char *const unit_choice[] = { "", "ns", "us", "ms", "s", NULL };
static const char *const terminal_choice[] = { "", "all", "leaves", NULL };

/* Index of a key's value in `choices`, whose first stands for a key that is not given. */
static int topo_file_choose(int *out, const struct spec *spec, const char *key, const char *const *choices,
                            struct err *err)
{
    *out = 0;
    if (!spec_get(spec, key))
        return 0;
    if (spec_choice(out, spec, key, choices + 1, err) < 0)
        return -1;
    ++*out;
    return 0;
}

static int read_request(struct request *r, const struct spec *spec, struct err *err)
{
    static const char *const no_yes[] = { "no", "yes", NULL };
    int direction, weight, aggregation;

    if (!*spec->params)
        return err_set(err, ERR_USAGE, "'%.80s' lacks its path: write file:PATH", spec->text);
    if (spec_key_int(&r->each, spec, "sites", 1, 1 << 16, 0, err) < 0 ||
        topo_file_choose(&direction, spec, "directed", direction_choice, err) < 0 ||
        topo_file_choose(&weight, spec, "weight", weight_choice, err) < 0 ||
        topo_file_choose(&r->unit, spec, "unit", unit_choice, err) < 0 ||
        spec_choice(&aggregation, spec, "aggregation", no_yes, err) < 0 ||
        topo_file_choose(&r->terminals, spec, "terminals", terminal_choice, err) < 0)
        return -1;
    r->direction = (enum import_direction)direction;
    r->meaning = (enum weight_meaning)weight;
    r->wanted = (struct import_wanted){ spec_get(spec, "hca"), aggregation };
    return 0;
}

/* kind[v] = 1 for nodes with exactly one neighbour. */
static int *leaves(const struct import *in, struct err *err)
{
    int *near = NULL;  /* the neighbour, -1: none yet, -2: several */

    if (TAKE("the network", err, ARRAY(near, in->n)) < 0)
        return NULL;
    for (int v = 0; v < in->n; v++)
        near[v] = -1;
    for (size_t i = 0; i < 2 * in->nedge; i++) {
        int v = in->end[i], other = in->end[i ^ 1];

        near[v] = near[v] == -1 || near[v] == other ? other : -2;
    }
    for (int v = 0; v < in->n; v++)
        near[v] = near[v] >= 0;
    return near;
}

static int take_terminals(struct net *net, const struct import *in, const struct request *r, const struct spec *spec,
                          struct err *err)
{
    int *kind = r->terminals == 2 ? leaves(in, err) : in->kind, count = 0;

    if (r->terminals == 2 && !kind)
        return -1;
    if (r->terminals == 1 || !kind)
        return 0;               /* every node */
    net->terminal = malloc((size_t)in->n * sizeof *net->terminal);
    for (int v = 0; v < in->n && net->terminal; v++)
        if (kind[v])
            net->terminal[count++] = v;
    if (kind != in->kind)
        free(kind);
    if (!net->terminal)
        return err_memory(err);
    net->nterminal = count;
    if (count == 0 && r->terminals == 2)
        return err_set(err, ERR_NETWORK, "'%.200s': no node has exactly one neighbour, so there are no leaves to be "
                       "terminals; use terminals=all", spec->text);
    if (count == 0)
        return err_set(err, ERR_NETWORK, "'%.200s': every node is a switch; mark the terminals, or use terminals=all",
                       spec->text);
    if (count == in->n) {
        free(net->terminal);
        net->terminal = NULL;
        net->nterminal = 0;
    }
    return 0;
}

static int topo_file_take_edges(struct net *net, const struct import *in, struct err *err)
{
    size_t size = 2 * in->nedge * sizeof *in->end;
    struct params *p = malloc(sizeof *p + size);

    if (!p)
        return err_memory(err);
    p->nedge = in->nedge;
    if (size > 0)
        memcpy(p->end, in->end, size);
    net->param = p;
    return 0;
}

/* Weights whose meaning is said become the bandwidths or lengths of links, both ways. */
static int topo_file_weigh(struct import *in, enum weight_meaning meaning, const char *path, struct err *err)
{
    const bool bandwidth = meaning == WEIGHT_BANDWIDTH;
    const double least = bandwidth ? CABLES_LEAST : 0, most = bandwidth ? CABLES_MOST : CABLES_LONGEST;
    double **value = bandwidth ? &in->bandwidth : &in->length;
    char what[120], number[32];

    if (meaning == WEIGHT_UNSAID)
        return 0;
    if (!in->weight)
        return err_set(err, ERR_USAGE, "'file:%.200s': the file gives no weights, so weight= has nothing to speak of",
                       path);
    if (*value)
        return err_set(err, ERR_USAGE, "'file:%.200s': the file says the %s of its edges beside their weights; leave "
                       "out weight=", path, bandwidth ? "bandwidth" : "latency");
    *value = malloc((2 * in->nedge + 1) * sizeof **value);
    if (!*value)
        return err_memory(err);
    for (size_t e = 0; e < in->nedge; e++) {
        if (!(in->weight[e] >= least && in->weight[e] <= most)) {
            snprintf(what, sizeof what, "has weight %s; as a %s it must be from %g to %g%s",
                     num_shortest(number, in->weight[e]), bandwidth ? "capacity" : "latency", least, most,
                     bandwidth ? " (leave out a link that has none)" : "");
            return imported_wrong(in, e, path, what, err);
        }
        (*value)[2 * e] = (*value)[2 * e + 1] = in->weight[e];
    }
    free(in->weight);
    in->weight = NULL;
    return 0;
}

static int topo_file_unit(struct import *in, double *unit, const struct request *r, const char *path, struct err *err)
{
    static const double second[] = { 0, 1e-9, 1e-6, 1e-3, 1 };

    *unit = second[r->unit];
    if (r->unit == 0)
        return 0;
    if (!in->length || in->times)
        return err_set(err, ERR_USAGE, "%.200s: unit= is of lengths that are numbers; %s", path, in->times ?
                       "its have units" : "it has no lengths (weight=latency says that weights are)");
    for (size_t k = 0; k < 2 * in->nedge; k++)
        in->length[k] *= *unit;
    in->times = true;
    return 0;
}

/* file:PATH and the options given, in the order of the catalogue. */
static int canonical(struct net *net, const struct spec *spec, struct err *err)
{
    static const char *const key[] = { "format", "directed", "weight", "terminals", "sites", "unit", "hca", "aggregation" };
    int ret = spec_append(&net->spec, err, "file:%s", spec->params);

    for (int i = 0; ret == 0 && i < 8; i++)
        if (spec_get(spec, key[i]))
            ret = spec_append(&net->spec, err, ",%s=%s", key[i], spec_get(spec, key[i]));
    return ret;
}

static int open_file(struct net *net, const struct spec *spec, struct err *err)
{
    struct import in = { 0 };
    struct request r = { 0 };
    int ret = -1;

    if (read_request(&r, spec, err) < 0)
        return -1;
    if (import_read(&in, spec->params, spec_get(spec, "format"), r.direction, &r.wanted, err) < 0)
        return -1;
    if (r.unit && r.meaning == WEIGHT_UNSAID && in.weight && !in.length)       /* what else has such a unit */
        r.meaning = WEIGHT_LENGTH;
    net->n = in.n;
    net->directed = in.directed;
    net->each = (int)r.each;
    if (topo_file_weigh(&in, r.meaning, spec->params, err) < 0 || take_terminals(net, &in, &r, spec, err) < 0 ||
        topo_file_unit(&in, &net->cables.unit, &r, spec->params, err) < 0 ||
        topo_file_take_edges(net, &in, err) < 0 || canonical(net, spec, err) < 0)
        goto done;
    if ((in.bandwidth || in.length) &&
        cables_values(&net->cables, in.nedge, in.bandwidth, in.length, err) < 0)
        goto done;
    net->cables.rate = in.rates;
    net->cables.times = in.times;
    net->cables.parallel = in.parallel;
    net->cables.port = in.port;
    net->cables.nport = in.port ? 2 * in.nedge : 0;
    net->name = in.name;
    net->weight = in.weight;
    net->at = in.at;
    net->unread = in.unread;
    net->devices = in.devices;
    in.devices = (struct devices){ 0 };
    in.unread = NULL;
    in.at = NULL;
    in.port = NULL;
    in.name = NULL;
    in.weight = NULL;
    ret = 0;
done:
    import_release(&in);
    return ret;
}

static int topo_file_build(igraph_t *graph, const struct net *net, struct err *err)
{
    const struct params *p = net->param;
    igraph_integer_t *end = topo_ends((double)p->nedge, net, err);

    if (!end)
        return -1;
    for (size_t i = 0; i < 2 * p->nedge; i++)
        end[i] = p->end[i];
    return topo_from_edges(graph, end, 2 * p->nedge, net, err);
}

const struct topo topo_file = {
    TOPO_FILE_ENTRY, .takes_path = true, .open = open_file, .build = topo_file_build
};
