#include "model/traffic/traffic.h"
#include "texts/traffic.h"

static bool transpose_square(const struct net *net)
{
    return net->ndim == 2 && net->size[0] == net->size[1] && net->nterminal == net->n;
}

static int transpose_needs(const struct traffic *t, struct err *err)
{
    const int n = t->net->nterminal;

    if (!transpose_square(t->net) && (n < 1 || (n & (n - 1)) != 0 || traffic_bits(t->net) % 2 != 0))
        return err_set(err, ERR_DOMAIN, "transpose needs a square grid or 4^m terminals; %.200s has %d terminals",
                       t->net->spec, n);
    return 0;
}

/* Of square grids, by coordinates; else the halves of the digits, which is the same on 2^b x 2^b nodes. */
static int transpose_to(const struct net *net, int index)
{
    const int half = traffic_bits(net) / 2, k = transpose_square(net) ? net->size[0] : 1 << half;

    return index % k * k + index / k;
}

const struct traffic_kind traffic_transpose = {
    TRAFFIC_TRANSPOSE_ENTRY,
    .needs = transpose_needs,
    .to = transpose_to,
    .open = traffic_permute
};
