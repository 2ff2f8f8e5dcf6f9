/* lfts.c -- forwarding tables of a fabric (lfts.h).
 * 1. nodes    switches and destinations by guid
 * 2. lines    which port each switch has for each destination; lines are many, and those of a lid are alike
 * 3. links    where ports lead, and whether the tables join all terminals
 * 4. answers */
#include "model/routing/lfts.h"
#include "graph/addresses.h"
#include "graph/base/file.h"
#include "graph/base/order.h"

#define LIDS 65536
#define PORTS 256
#define ELSE (-2)               /* a destination that is none of ours, and no unknown one */
#define SHOWN 10                /* of what is missing, at most */
#define MOST_BYTES ((size_t)8 << 30)

struct exit {                   /* where a port leads: -1: nowhere */
    int node, cable;
};
struct lid {
    const char *says;           /* what stood behind it first */
    size_t len;
    int node, switch_seen;      /* -1: none; the last switch that has a line of it */
};
struct by_guid {
    uint64_t guid;
    int node;
};
struct lfts {
    struct exit *exit;          /* PORTS by switch */
    uint8_t *out;               /* n by switch: port; 0: none */
    int *row;                   /* n: number of a switch, -1: an adapter */
    int nswitch;
    struct exit *up;            /* n: of an adapter the switch that it is at */
};
struct reading {
    struct lfts *t;
    struct net *net;
    struct addresses a;
    struct by_guid *of_switch, *of_port;    /* ascending */
    size_t nswitch, nport, m;               /* m: cables */
    struct lid *lid;
    const char *path;
    size_t line;
    size_t unknown;             /* destinations and switches that the network does not have */
    char names[300];            /* the first of them */
};

/* ---- nodes ---- */

ORDER(lfts_by_guid, struct by_guid, UP(guid))

static int lfts_node(const struct by_guid *list, size_t n, uint64_t guid)
{
    const struct by_guid key = { guid, 0 }, *at = n ? bsearch(&key, list, n, sizeof key, lfts_by_guid) : NULL;

    return at ? at->node : -1;
}

/* A terminal that is its own switch is what its adapter's guid leads to, ELSE by its own. `counted`: as simulated
 * fabrics count. */
static void lfts_destinations(struct reading *r, bool counted)
{
    r->nport = 0;
    for (int v = 0; v < r->net->n; v++) {
        if (r->a.adapter[v] >= 0)
            r->of_port[r->nport++] = (struct by_guid){ r->a.guid[v], r->a.adapter[v] ? ELSE : v };
        if (r->a.adapter[v] != 0)
            r->of_port[r->nport++] = (struct by_guid){ r->a.port_guid[v], v };
    }
    if (counted)
        for (size_t e = 0; e < 2 * r->m; e++) {
            int end[2];

            net_ends(end, r->net, (int64_t)e / 2);
            if (r->a.adapter[end[e % 2]] < 0)
                r->of_port[r->nport++] = (struct by_guid){ r->a.guid[end[e % 2]] + (uint64_t)r->a.port[e], end[e % 2] };
        }
    qsort(r->of_port, r->nport, sizeof *r->of_port, lfts_by_guid);
}

static int lfts_nodes(struct reading *r, struct err *err)
{
    struct lfts *t = r->t;
    const size_t n = (size_t)r->net->n;

    if (addresses_open(&r->a, r->net, err) < 0)
        return -1;
    r->m = (size_t)net_edges(r->net, err);
    for (size_t v = 0; v < n; v++)
        t->nswitch += r->a.adapter[v] >= 0;
    if (TAKE("forwarding tables", err, ARRAY(t->exit, (size_t)t->nswitch * PORTS), ZEROS(t->out, (size_t)t->nswitch * n),
             ARRAY(t->row, n), ARRAY(t->up, n), ARRAY(r->of_switch, n),
             ARRAY(r->of_port, 2 * n + 2 * r->m), ARRAY(r->lid, LIDS)) < 0)
        return -1;
    for (size_t v = 0; v < n; v++) {
        t->row[v] = r->a.adapter[v] >= 0 ? (int)r->nswitch : -1;
        if (r->a.adapter[v] >= 0)
            r->of_switch[r->nswitch++] = (struct by_guid){ r->a.guid[v], (int)v };
    }
    qsort(r->of_switch, r->nswitch, sizeof *r->of_switch, lfts_by_guid);
    return 0;
}

/* ---- lines ---- */

static void lfts_unknown(struct reading *r, const char *text, size_t len)
{
    const size_t at = strlen(r->names);

    if (r->unknown++ < SHOWN)
        snprintf(r->names + at, sizeof r->names - at, "%s%.*s", at ? ", " : "", (int)(len > 60 ? 60 : len), text);
}

/* "0x0007 003 # Channel Adapter portguid 0x...: 'name'" of a switch, without its end. */
static int lfts_row(struct reading *r, const char *p, const char *end, int at, bool *known, struct err *err)
{
    unsigned lid = 0, port = 0;
    const char *digit = p + 2, *says, *guid;
    struct lid *l;

    for (; lid < LIDS && isxdigit((unsigned char)*digit); digit++)      /* strtoul would go on to the next line */
        lid = 16 * lid + (unsigned)(*digit <= '9' ? *digit - '0' : (*digit | 32) - 'a' + 10);
    digit += *digit == ' ';
    for (says = digit; port < PORTS && *says >= '0' && *says <= '9'; says++)
        port = 10 * port + (unsigned)(*says - '0');
    if (says == digit || lid >= LIDS || port >= PORTS)
        return err_set(err, ERR_FORMAT, "%s:%zu is no line of a table, which is a lid (0x0007) and a port from 0 to 254",
                       r->path, r->line);
    l = &r->lid[lid];
    if (!l->says || l->len != (size_t)(end - says) || memcmp(l->says, says, l->len) != 0) {
        guid = memmem(says, (size_t)(end - says), "portguid 0x", 11);
        l->node = guid ? lfts_node(r->of_port, r->nport, strtoull(guid + 11, NULL, 16)) : -1;
        if (l->node == -1 && !l->says) {
            const char *name = memchr(says, '\'', (size_t)(end - says));

            lfts_unknown(r, name ? name : p, (size_t)(end - (name ? name : p)));
        }
        l->says = says;
        l->len = (size_t)(end - says);
    }
    if (at >= 0 && l->switch_seen == at)
        return err_set(err, ERR_FORMAT, "%s:%zu: this switch has a line for lid 0x%04x already", r->path, r->line, lid);
    l->switch_seen = at;
    if (at < 0 || l->node < 0)
        return 0;
    *known = *known || r->a.adapter[l->node] != 0;
    if (port > 0 && !r->t->out[(size_t)at * (size_t)r->net->n + (size_t)l->node])      /* of several lids the first */
        r->t->out[(size_t)at * (size_t)r->net->n + (size_t)l->node] = (uint8_t)port;
    return 0;
}

/* "Unicast lids [0-32] of switch Lid 2 guid 0x... ('name'):" */
static int lfts_switch(struct reading *r, const char *p, const char *end, int *at, bool *seen, struct err *err)
{
    const char *guid = memmem(p, (size_t)(end - p), " guid 0x", 8), *name = memchr(p, '(', (size_t)(end - p));
    const int node = guid ? lfts_node(r->of_switch, r->nswitch, strtoull(guid + 8, NULL, 16)) : -1;

    *at = node < 0 ? -1 : r->t->row[node];
    if (!guid)
        return err_set(err, ERR_FORMAT, "%s:%zu names a switch without its guid", r->path, r->line);
    if (node < 0)
        lfts_unknown(r, name ? name + 1 : guid, (size_t)(end - (name ? name + 3 : guid)));
    else if (seen[*at])
        return err_set(err, ERR_FORMAT, "%s:%zu: the table of this switch is there already", r->path, r->line);
    else
        seen[*at] = true;
    return 0;
}

/* All lines; *known: some terminal was a destination. */
static int lfts_lines(struct reading *r, const char *text, size_t len, bool *known, struct err *err)
{
    int at = -1, ret = 0;
    bool any = false, *seen;

    if (TAKE("forwarding tables", err, ZEROS(seen, r->t->nswitch)) < 0)
        return -1;
    for (size_t i = 0; i < LIDS; i++)
        r->lid[i] = (struct lid){ NULL, 0, -1, -1 };
    memset(r->t->out, 0, (size_t)r->t->nswitch * (size_t)r->net->n);
    r->line = 0;
    r->unknown = 0;
    *r->names = '\0';
    for (const char *p = text, *end; p < text + len && ret == 0; p = end + 1) {
        end = memchr(p, '\n', (size_t)(text + len - p));
        end = end ? end : text + len;
        r->line++;
        if (p[0] == '0' && p[1] == 'x' && any)
            ret = lfts_row(r, p, end, at, known, err);
        else if (strncmp(p, "Unicast lids ", 13) == 0)
            ret = lfts_switch(r, p, end, &at, seen, err);
        else if (strncmp(p, "Multicast mlids ", 16) == 0)
            ret = err_set(err, ERR_FORMAT, "%s:%zu: these are tables of multicast; take opensm-lfts.dump", r->path,
                          r->line);
        any = any || strncmp(p, "Unicast lids ", 13) == 0;
    }
    free(seen);
    return ret;
}

/* ---- links ---- */

/* Where ports lead, and by which of the cables between the same nodes. */
static int lfts_exits(struct reading *r, struct err *err)
{
    struct lfts *t = r->t;
    for (size_t i = 0; i < (size_t)t->nswitch * PORTS; i++)
        t->exit[i] = (struct exit){ -1, 0 };
    for (int v = 0; v < r->net->n; v++)
        t->up[v] = (struct exit){ -1, 0 };
    for (size_t e = 0; e < r->m; e++) {
        int end[2], n = 0, cable = 0;
        int64_t *between = NULL;

        net_ends(end, r->net, (int64_t)e);
        if (r->net->cables.parallel) {
            if (net_cables(&between, &n, r->net, end[0], end[1], err) < 0)
                return -1;
            for (int i = 0; i < n; i++)
                cable = n > 1 && between[i] == (int64_t)e ? i + 1 : cable;
            free(between);
        }
        for (int i = 0; i < 2; i++) {
            const struct exit to = { end[1 - i], cable };

            if (t->row[end[i]] >= 0)
                t->exit[t->row[end[i]] * PORTS + r->a.port[2 * e + (size_t)i]] = to;
            else if (t->up[end[i]].node < 0)
                t->up[end[i]] = to;
        }
    }
    return 0;
}

static const struct exit *lfts_exit(const struct lfts *t, int n, int node, int target)
{
    const int row = t->row[node];

    return row < 0 ? &t->up[node] : &t->exit[row * PORTS + t->out[(size_t)row * (size_t)n + (size_t)target]];
}

/* Follows the tables from every switch to one target: mark[v] is the target where they lead there, ~target where not. */
static void lfts_follow(const struct reading *r, int target, int *mark, int *stack)
{
    const struct lfts *t = r->t;
    const int n = r->net->n;

    mark[target] = target;
    for (size_t i = 0; i < r->nswitch; i++) {
        int at = r->of_switch[i].node, depth = 0;

        while (mark[at] != target && mark[at] != ~target && depth <= n) {
            stack[depth++] = at;
            mark[at] = ~target;                 /* a circle comes to what leads nowhere */
            if (lfts_exit(t, n, at, target)->node < 0)
                break;
            at = lfts_exit(t, n, at, target)->node;
        }
        while (mark[at] == target && depth-- > 0)
            mark[stack[depth]] = target;
    }
}

/* The switch at which a terminal enters, -1: none. */
static int lfts_entry(const struct lfts *t, int terminal)
{
    return t->row[terminal] < 0 ? t->up[terminal].node : terminal;
}

/* Switches at which terminals enter, each once; *alone: some terminal has none. */
static int lfts_entries(int *entry, bool *alone, int *mark, const struct reading *r)
{
    int n = 0;

    *alone = false;
    for (int i = 0; i < r->net->nterminal; i++) {
        const int v = lfts_entry(r->t, net_terminal(r->net, i));

        *alone = *alone || v < 0;
        if (v >= 0 && mark[v] != -1) {
            mark[v] = -1;
            entry[n++] = v;
        }
    }
    return n;
}

static int lfts_check(const struct reading *r, struct err *err)
{
    const struct net *net = r->net;
    int *mark, *stack, *entry, nentry;
    size_t bad = 0, at = 0;
    bool alone;
    char text[600] = "", name[2][NET_LABEL];

    if (TAKE("forwarding tables", err, ARRAY(mark, net->n), ARRAY(stack, (size_t)net->n + 1),
             ARRAY(entry, net->n)) < 0)
        return -1;
    for (int v = 0; v < net->n; v++)
        mark[v] = INT32_MAX;
    nentry = lfts_entries(entry, &alone, mark, r);
    for (int v = 0; v < net->n; v++)
        mark[v] = INT32_MAX;
    for (int i = 0; i < net->nterminal; i++) {
        const int target = net_terminal(net, i);
        bool whole = !alone;

        lfts_follow(r, target, mark, stack);
        for (int k = 0; k < nentry; k++)
            whole = whole && mark[entry[k]] == target;
        for (int k = 0; k < net->nterminal && !whole; k++) {
            const int source = net_terminal(net, k), from = lfts_entry(r->t, source);

            if (source == target || (from >= 0 && mark[from] == target))
                continue;
            if (bad++ < SHOWN && at < sizeof text)
                at += (size_t)snprintf(text + at, sizeof text - at, "%s%.40s>%.40s", at ? ", " : "",
                                       net_label(net, source, name[0]), net_label(net, target, name[1]));
        }
    }
    FREE(mark, stack, entry);
    return bad == 0 ? 0 : err_set(err, ERR_NETWORK, "%s: the tables do not lead from every terminal of %.100s to every "
                                  "other; %zu pairs lack a way%s: %s", r->path, net->spec, bad, bad > SHOWN ?
                                  ", among them" : "", text);
}

/* ---- answers ---- */

static void lfts_close(void *state)
{
    struct lfts *t = state;

    FREE(t->exit, t->out, t->row, t->up);
}

static int lfts_next(struct hop *hop, size_t *n, struct routing *r, int node, int, int target, struct err *err)
{
    const struct lfts *t = r->state;
    const struct exit *to = lfts_exit(t, r->net->n, node, target);

    if (to->node < 0)
        return routing_no_path(r, node, target, err);
    *hop = (struct hop){ to->node, 1, to->cable };
    *n = 1;
    return 0;
}

static const struct route lfts_route = { .name = "table", .fits = route_fits_any, .state = sizeof(struct lfts),
                                         .close = lfts_close, .next = lfts_next };

bool lfts_is(const char *path)
{
    char line[200] = "";
    FILE *f = fopen(path, "r");
    bool is = false;

    for (int i = 0; f && i < 20 && !is && fgets(line, sizeof line, f); i++)
        is = strncmp(line, "Unicast lids ", 13) == 0;
    if (f)
        fclose(f);
    return is;
}

static int lfts_read(struct reading *r, const char *text, size_t len, struct err *err)
{
    bool known = false;

    if (lfts_nodes(r, err) < 0)
        return -1;
    lfts_destinations(r, false);
    if (lfts_lines(r, text, len, &known, err) < 0)
        return -1;
    if (!known) {
        lfts_destinations(r, true);
        if (lfts_lines(r, text, len, &known, err) < 0)
            return -1;
    }
    if (!known)
        return err_set(err, ERR_FORMAT, "%s: none of its destinations is a terminal of %.100s; these are tables of "
                       "another fabric (%zu of its guids are unknown, as those of %s)", r->path, r->net->spec,
                       r->unknown, r->names);
    if (lfts_exits(r, err) < 0 || lfts_check(r, err) < 0)
        return -1;
    return 0;
}

int lfts_open(struct routing *routing, const struct spec *spec, struct err *err)
{
    const char *path = spec->params;
    struct reading r = { .net = routing->net, .path = path, .t = calloc(1, sizeof *r.t) };
    char *text = NULL, *told = NULL;
    size_t len;
    int ret;

    if (!r.t)
        return err_memory(err);
    if (spec->noption > 0) {
        free(r.t);
        return err_set(err, ERR_USAGE, "'%.80s': %.80s holds forwarding tables, which have one way a pair; leave out %s=",
                       spec->text, path, spec->option[0].key);
    }
    free(routing->state);
    routing->state = r.t;
    routing->route = &lfts_route;
    ret = file_read(&text, &len, path, MOST_BYTES, 1, err);
    if (ret == 0)
        ret = lfts_read(&r, text, len, err);
    if (ret == 0 && r.unknown > 0 &&
        asprintf(&told, "%zu nodes of the tables %s are not in the network: %s%s", r.unknown, path, r.names,
                 r.unknown > SHOWN ? ", ..." : "") < 0)
        ret = err_memory(err);
#pragma omp critical (lfts_told)
    if (told && !r.net->told) {         /* the threads of a command open one routing each */
        r.net->told = told;
        told = NULL;
    }
    addresses_release(&r.a);
    FREE(told, text, r.of_switch, r.of_port, r.lid);
    return ret < 0 ? -1 : spec_append(&routing->spec, err, "table:%s", path);
}
