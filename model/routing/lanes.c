#include "model/routing/lanes.h"
#include "graph/addresses.h"
#include "graph/base/file.h"
#include "graph/base/order.h"

#define NO_LANE 0xff
#define MOST_BYTES ((size_t)8 << 30)

struct port {
    uint64_t guid;
    int node;
};

ORDER(lanes_by_guid, struct port, UP(guid))

static size_t lanes_ports(struct port *port, const struct addresses *a, const struct net *net)
{
    size_t n = 0;

    for (int i = 0; i < net->nterminal; i++) {
        const int v = net_terminal(net, i);

        port[n++] = (struct port){ a->port_guid[v], v };
        if (a->adapter[v] < 0 && a->guid[v] != a->port_guid[v])
            port[n++] = (struct port){ a->guid[v], v };
    }
    qsort(port, n, sizeof *port, lanes_by_guid);
    return n;
}

static int lanes_line(unsigned char *of, const char *line, const struct port *port, size_t nport, int n,
                      struct err *err)
{
    struct port key[2] = { { 0, 0 }, { 0, 0 } };
    const struct port *at[2];
    unsigned level;
    char more;
    unsigned char *lane;

    if (sscanf(line, "%" SCNx64 " %" SCNx64 " %2u %c", &key[0].guid, &key[1].guid, &level, &more) != 3 ||
        level >= LANES)
        return err_set(err, ERR_FORMAT, "'%.60s' is not the guid of a source, that of a target, and a service level "
                       "from 0 to %d", line, LANES - 1);
    for (int i = 0; i < 2; i++)
        at[i] = bsearch(&key[i], port, nport, sizeof *port, lanes_by_guid);
    if (!at[0] || !at[1])
        return 0;
    lane = &of[(size_t)at[0]->node * (size_t)n + (size_t)at[1]->node];
    if (*lane != NO_LANE && *lane != level)
        return err_set(err, ERR_FORMAT, "this pair has level %d already", *lane);
    *lane = (unsigned char)level;
    return 0;
}

/* Whether every terminal has a lane to every other. */
static int lanes_check(int *lanes, const unsigned char *of, const struct net *net, const char *path, struct err *err)
{
    char name[2][NET_LABEL];

    *lanes = 1;
    for (int i = 0; i < net->nterminal; i++)
        for (int k = 0; k < net->nterminal; k++) {
            const int s = net_terminal(net, i), t = net_terminal(net, k);
            const int lane = of[(size_t)s * (size_t)net->n + (size_t)t];

            if (i != k && lane == NO_LANE)
                return err_set(err, ERR_FORMAT, "%s has no service level from %s to %s", path,
                               net_label(net, s, name[0]), net_label(net, t, name[1]));
            *lanes = i != k && lane >= *lanes ? lane + 1 : *lanes;
        }
    return 0;
}

int lanes_read(unsigned char *of, int *lanes, struct net *net, const char *path, struct err *err)
{
    struct addresses a = { 0 };
    struct port *port = NULL;
    char *text = NULL, *rest, *line;
    size_t len, nport, at = 0;
    int ret = -1;

    memset(of, NO_LANE, (size_t)net->n * (size_t)net->n);
    if (addresses_open(&a, net, err) < 0 || TAKE("service levels", err, ARRAY(port, 2 * (size_t)net->n)) < 0 ||
        file_read(&text, &len, path, MOST_BYTES, 1, err) < 0)
        goto done;
    nport = lanes_ports(port, &a, net);
    ret = 0;
    for (rest = text; ret == 0 && (line = strsep(&rest, "\n"));) {
        at++;
        line[strcspn(line, "#\r")] = '\0';
        if (line[strspn(line, " \t")] && lanes_line(of, line, port, nport, net->n, err) < 0)
            ret = err_at(err, "%.200s:%zu", path, at);
    }
    if (ret == 0)
        ret = lanes_check(lanes, of, net, path, err);
done:
    addresses_release(&a);
    FREE(port, text);
    return ret;
}
