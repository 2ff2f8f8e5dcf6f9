#include "model/traffic/traffic.h"

/* Of square grids, by coordinates. On 2^b x 2^b nodes these are the halves of the digits. */
static int transpose_by_coordinates(const struct net *net, int index)
{
    int k = net->size[0];

    return index % k * k + index / k;
}

static int transpose_by_digits(const struct net *net, int index)
{
    int half = traffic_bits(net) / 2, low = index & ((1 << half) - 1);

    return low << half | index >> half;
}

static int transpose_open(struct traffic *t, const struct spec *spec, struct net *net, struct err *err)
{
    int n = net->nterminal;

    if (net->ndim == 2 && net->size[0] == net->size[1] && n == net->n)
        return traffic_permute(t, spec, transpose_by_coordinates, err);
    if (n < 1 || (n & (n - 1)) != 0 || traffic_bits(net) % 2 != 0)
        return err_set(err, ERR_USAGE, "transpose needs a square grid or 4^m terminals; %.200s has %d terminals", net->spec, n);
    return traffic_permute(t, spec, transpose_by_digits, err);
}

const struct traffic_kind traffic_transpose = {
    .name = "transpose",
    .synopsis = "transpose",
    .summary = "in square grids from row.column to column.row; else the halves of the binary digits exchanged",
    .source = "Dally and Towles 2004, table 3.1; thesis on Distributed Routing Balancing (D. Franco), section 6.2.3",
    .notes = "Needs a grid of two equal dimensions, or 4^m terminals, whose positions among the terminals are then what is "
             "permuted. Those on the diagonal do not send.",
    .example = "transpose",
    .example_net = "mesh:5x5",
    .open = transpose_open
};
