/* fabric.c -- dumps of fabrics (fabric.h has the grammar's source).
 * 1. lines    devices with their guids, and the ports of each: where they lead, and how fast
 * 2. match    both ends of every cable; what one end alone tells is given its other end
 * 3. choose   aggregation nodes and adapters that are not wanted, and what is joined to none of those that are
 * 4. nodes    a switch, or a port of an adapter in use: names, guids, hosts
 * 5. cables   once each, with port numbers and rates; what was odd is told */
#include "graph/import/fabric.h"

#include <fnmatch.h>

#include "graph/base/order.h"
#include "graph/import/links.h"
#include "graph/import/scan.h"
#include "graph/numeric/union_find.h"

#define MOST_PORTS 254
#define AGGREGATION "Mellanox Technologies Aggregation Node"

struct device {
    struct name id, says;       /* as quoted; its description, else the id */
    uint64_t guid;
    size_t line;                /* 0: only mentioned */
    int nport, node, nodes;     /* node: the first of `nodes`; -1: left out */
    bool terminal, alone;       /* alone: no other has its description */
};
struct port {
    int device, number, to, to_number;
    uint64_t guid;              /* 0: the file gives none */
    double rate;                /* NaN: not known */
    size_t line;
    bool half;                  /* the other end alone tells of it, on that line */
    int node;
};
struct fabric {
    struct scan scan;
    struct names ids;           /* of devices, as numbered */
    struct device *device;
    struct port *port;
    size_t nport;
    uint64_t next[3];           /* guid that the next device has: by ibsim's count of switches and adapters; as the line
                                 * before it says, 0: none */
    double slowest;             /* rate, NaN: none is known */
    size_t unknown, left;       /* cables of unknown rate; aggregation nodes that are left out */
};

/* ---- lines ---- */

static int fabric_device_of(struct fabric *f, const char *text, size_t len, struct err *err)
{
    const int before = f->ids.n, at = names_add(&f->ids, text, len, err);

    if (at < before)
        return at;
    if (GROW_BY((size_t)at, 1, "devices of a fabric", err, GROWN(f->device)) < 0)
        return -1;
    f->device[at] = (struct device){ .id = { text, len }, .says = { text, len } };
    return at;
}

static int fabric_closed(struct fabric *f, struct err *err)
{
    if (f->scan.kind != SCAN_QUOTED)
        return scan_wrong(&f->scan, err, "a device's name in quotes is missing; is the file cut off?");
    return !f->scan.open ? 0 : scan_wrong(&f->scan, err, "the quoted text '%.*s' never ends; is the file cut off?",
                                          SCAN_SHOWN(&f->scan));
}

/* Switch 36 "S-..." # "description" ..., without the first word. */
static int fabric_block(struct fabric *f, int *current, bool terminal, struct err *err)
{
    struct scan *s = &f->scan;
    struct device *d;
    uint64_t nport;

    scan_next(s);
    if (s->kind != SCAN_WORD || *s->text < '0' || *s->text > '9')
        return 0;                               /* a line of something else */
    if (scan_number(&nport, s, 10, 1, MOST_PORTS, "number of ports", err) < 0)
        return -1;
    scan_next(s);
    if (fabric_closed(f, err) < 0 || (*current = fabric_device_of(f, s->text, s->len, err)) < 0)
        return -1;
    d = &f->device[*current];
    if (d->line)
        return scan_wrong(s, err, "the device '%.*s' stands on line %zu already; two have one guid, or dumps were "
                          "joined", SCAN_SHOWN(s), d->line);
    d->line = s->line;
    d->nport = (int)nport;
    d->terminal = terminal;
    d->guid = f->next[2] ? f->next[2] : f->next[terminal];
    f->next[terminal] = d->guid + (terminal ? nport + 1 : 1);
    f->next[2] = 0;
    while (scan_next(s) != SCAN_LINE && s->kind != SCAN_END && s->kind != SCAN_QUOTED)
        ;
    if (s->kind == SCAN_QUOTED && fabric_closed(f, err) < 0)
        return -1;
    if (s->kind == SCAN_QUOTED && s->len > 0)
        d->says = (struct name){ s->text, s->len };
    return 0;
}

/* Data rates of a lane, Gb/s; the bits by which ibsim's s= and e= say them. */
static const struct {
    const char *name;
    double rate;
    char key;
    unsigned bit;
} fabric_speed[] = { { "SDR", 2, 's', 1 }, { "DDR", 4, 's', 2 }, { "QDR", 8, 's', 4 }, { "FDR10", 10, 0, 0 },
                     { "FDR", 13.6, 'e', 1 }, { "EDR", 25, 'e', 2 }, { "HDR", 50, 'e', 4 }, { "NDR", 100, 'e', 8 },
                     { "XDR", 200, 0, 0 } };
#define SPEEDS (sizeof fabric_speed / sizeof *fabric_speed)

/* 4xNDR; other words are passed over. */
static int fabric_rate(double *rate, const struct scan *s, struct err *err)
{
    const size_t digits = strspn(s->text, "0123456789");

    if (digits == 0 || s->len < digits + 2 || s->text[digits] != 'x' || (digits == 1 && *s->text == '0'))
        return 0;
    for (size_t i = 0; i < SPEEDS; i++)
        if (strlen(fabric_speed[i].name) == s->len - digits - 1 &&
            memcmp(fabric_speed[i].name, s->text + digits + 1, s->len - digits - 1) == 0) {
            *rate = strtod(s->text, NULL) * fabric_speed[i].rate;
            return 0;
        }
    if (s->text[digits + 1] == '?')
        return 0;
    return scan_wrong(s, err, "'%.*s' is no known rate; a rate is lanes and speed, as in 4xHDR (SDR, DDR, QDR, FDR10, "
                      "FDR, EDR, HDR, NDR, XDR), or 4x??? where it is not known", SCAN_SHOWN(s));
}

/* ibsim's w=2 (lanes), s=4, e=8 (speed), each the highest of its bits: the token behind '='. */
static int fabric_option(double *rate, const struct scan *s, char key, struct err *err)
{
    static const double lanes[] = { 1, 4, 8, 12 };
    uint64_t bits;

    if (scan_number(&bits, s, 0, 0, 15, "option of a port", err) < 0)
        return -1;
    *rate = isnan(*rate) ? 8 : *rate;
    for (size_t i = 0; key == 'w' && i < 4; i++)
        if (bits >> i & 1)
            *rate = *rate / 4 * lanes[i];
    for (size_t i = 0; i < SPEEDS; i++)
        if (fabric_speed[i].key == key && bits & fabric_speed[i].bit)
            *rate = *rate / 2 * fabric_speed[i].rate;
    return 0;
}

/* One of what may stand behind the number of a port; *told: a '#' was met. */
static int fabric_port_word(struct fabric *f, struct port *p, bool *told, struct err *err)
{
    struct scan *s = &f->scan;
    const char *word = s->text;
    uint64_t number;

    if (s->kind == SCAN_QUOTED && p->to < 0) {
        p->to = fabric_closed(f, err) < 0 ? -1 : fabric_device_of(f, s->text, s->len, err);
        return p->to < 0 ? -1 : 0;
    }
    if (s->kind == SCAN_QUOTED)
        return fabric_closed(f, err);
    if (*told)
        return fabric_rate(&p->rate, s, err);
    if (scan_is(s, "#")) {
        *told = true;
    } else if (scan_is(s, "(")) {
        scan_next(s);
        if (p->to < 0 && scan_number(&p->guid, s, 16, 0, UINT64_MAX, "guid", err) < 0)
            return -1;
    } else if (scan_is(s, "[")) {
        scan_next(s);
        if (!scan_is(s, "ext") && p->to >= 0) {
            if (scan_number(&number, s, 10, 1, MOST_PORTS, "port", err) < 0)
                return -1;
            p->to_number = (int)number;
        }
    } else if (scan_is(s, "w") || scan_is(s, "s") || scan_is(s, "e")) {
        scan_next(s);
        if (scan_is(s, "=")) {
            scan_next(s);
            return fabric_option(&p->rate, s, *word, err);
        }
    }
    return 0;
}

/* [1] "S-..."[2] # ..., without the first bracket. */
static int fabric_port(struct fabric *f, int device, struct err *err)
{
    struct scan *s = &f->scan;
    struct port p = { .device = device, .to = -1, .to_number = 1, .rate = NAN, .line = s->line };
    bool told = false;
    uint64_t number;

    if (device < 0)
        return scan_wrong(s, err, "a port stands before any device; is the beginning of the file missing?");
    scan_next(s);
    if (scan_number(&number, s, 10, 1, (uint64_t)f->device[device].nport, "port", err) < 0)
        return -1;
    p.number = (int)number;
    while (scan_next(s) != SCAN_LINE && s->kind != SCAN_END)
        if (fabric_port_word(f, &p, &told, err) < 0)
            return -1;
    if (p.to < 0)
        return err_set(err, ERR_FORMAT, "%s:%zu: port %d leads nowhere; is the line cut off?", s->path, p.line,
                       p.number);
    f->slowest = isnan(p.rate) ? f->slowest : fmin(f->slowest, p.rate);     /* of NaN and a number the number */
    if (GROW_BY(f->nport, 1, "ports of a fabric", err, GROWN(f->port)) < 0)
        return -1;
    f->port[f->nport++] = p;
    return 0;
}

static int fabric_line(struct fabric *f, int *current, struct err *err)
{
    static const char *const guid[] = { "switchguid", "caguid", "rtguid", "hcaguids" };
    static const char *const kind[] = { "switch", "ca", "hca", "rt" };
    struct scan *s = &f->scan;

    if (scan_is(s, "["))
        return fabric_port(f, *current, err);
    for (size_t i = 0; i < 4; i++) {
        if (scan_is(s, kind[i]))
            return fabric_block(f, current, i > 0, err);
        if (scan_is(s, guid[i]) && scan_next(s) == SCAN_SIGN) {
            scan_next(s);
            return scan_number(&f->next[2], s, 0, 1, UINT64_MAX, "guid", err);
        }
    }
    return 0;
}

static int fabric_lines(struct fabric *f, struct err *err)
{
    int current = -1;

    while (scan_next(&f->scan) != SCAN_END) {
        if (fabric_line(f, &current, err) < 0)
            return -1;
        scan_skip_line(&f->scan);
    }
    return f->ids.n > 0 ? 0 : err_set(err, ERR_FORMAT, "%s holds no device; a device is a line as in Switch 36 \"S-...\"",
                                      f->scan.path);
}

/* ---- match ---- */

ORDER(fabric_by_port, struct port, UP(device) UP(number))

static struct port *fabric_other(const struct fabric *f, const struct port *p, size_t n)
{
    const struct port key = { .device = p->to, .number = p->to_number };

    return bsearch(&key, f->port, n, sizeof key, fabric_by_port);
}

static int fabric_order(struct fabric *f, struct err *err)
{
    const char *path = f->scan.path;

    if (f->nport > 0)
        qsort(f->port, f->nport, sizeof *f->port, fabric_by_port);
    for (size_t i = 1; i < f->nport; i++)
        if (fabric_by_port(&f->port[i - 1], &f->port[i]) == 0) {
            const size_t a = f->port[i - 1].line, b = f->port[i].line;
            const struct name *d = &f->device[f->port[i].device].id;

            return err_set(err, ERR_FORMAT, "%s:%zu: port %d of '%.*s' has a cable already, on line %zu; a port has one",
                           path, a > b ? a : b, f->port[i].number, (int)(d->len > 60 ? 60 : d->len), d->text,
                           a > b ? b : a);
        }
    return 0;
}

/* Refuses ends that contradict each other; one that the file does not tell of is added. */
static int fabric_match(struct fabric *f, struct err *err)
{
    const size_t told = f->nport;
    const char *path = f->scan.path;

    if (fabric_order(f, err) < 0)
        return -1;
    for (size_t i = 0; i < told; i++) {
        const struct port p = f->port[i], *q = fabric_other(f, &p, told);
        const struct device *to = &f->device[p.to];
        const int shown = (int)(to->id.len > 60 ? 60 : to->id.len);

        if (to->line == 0)
            return err_set(err, ERR_FORMAT, "%s:%zu: the cable leads to '%.*s', which the file does not describe; is it "
                           "cut off?", path, p.line, shown, to->id.text);
        if (p.to_number > to->nport)
            return err_set(err, ERR_FORMAT, "%s:%zu: the cable leads to port %d of '%.*s', which has %d ports (line "
                           "%zu)", path, p.line, p.to_number, shown, to->id.text, to->nport, to->line);
        if (q && (q->to != p.device || q->to_number != p.number))
            return err_set(err, ERR_FORMAT, "%s:%zu: the cable leads to port %d of '%.*s', and line %zu says that "
                           "another one ends there; make the file anew", path, p.line, p.to_number, shown, to->id.text,
                           q->line);
        if (q)
            continue;
        if (GROW_BY(f->nport, 1, "ports of a fabric", err, GROWN(f->port)) < 0)
            return -1;
        f->port[f->nport++] = (struct port){ .device = p.to, .number = p.to_number, .to = p.device,
                                             .to_number = p.number, .rate = p.rate, .line = p.line,
                                             .half = true };
    }
    return fabric_order(f, err);        /* two lines that lead to one port are told so */
}

/* ---- choose ---- */

static int fabric_wanted(struct fabric *f, const struct import_wanted *wanted, struct err *err)
{
    char pattern[300], says[300];
    int *part, taken = 0;
    bool *has;                  /* by part: such an adapter */

    if (wanted && wanted->hca && snprintf(pattern, sizeof pattern, "*%s*", wanted->hca) >= (int)sizeof pattern)
        return err_set(err, ERR_USAGE, "%s: hca=%.60s... is too long", f->scan.path, wanted->hca);
    for (int v = 0; v < f->ids.n; v++) {
        struct device *d = &f->device[v];
        const bool reduces = d->terminal && d->says.len >= strlen(AGGREGATION) &&
                             memcmp(d->says.text, AGGREGATION, strlen(AGGREGATION)) == 0;

        snprintf(says, sizeof says, "%.*s", (int)(d->says.len < sizeof says ? d->says.len : sizeof says - 1),
                 d->says.text);
        d->node = reduces && !(wanted && wanted->aggregation) ? -1 : 0;
        f->left += d->node < 0;
        if (d->node == 0 && d->terminal && wanted && wanted->hca && fnmatch(pattern, says, 0) != 0)
            d->node = -1;
        taken += d->node == 0 && d->terminal;
    }
    if (!wanted || !wanted->hca)
        return 0;
    if (taken == 0)
        return err_set(err, ERR_NETWORK, "%s: no adapter's description holds '%.60s'; leave out hca=, or give a part of "
                       "one", f->scan.path, wanted->hca);
    if (TAKE("the network", err, ARRAY(part, f->ids.n), ZEROS(has, f->ids.n)) < 0)
        return -1;
    union_find_alone(part, (size_t)f->ids.n);
    for (size_t i = 0; i < f->nport; i++)
        if (f->device[f->port[i].device].node == 0 && f->device[f->port[i].to].node == 0)
            union_find_join(part, f->port[i].device, f->port[i].to);
    for (int v = 0; v < f->ids.n; v++)
        if (f->device[v].terminal && f->device[v].node == 0)
            has[union_find_root(part, v)] = true;
    for (int v = 0; v < f->ids.n; v++)
        if (!has[union_find_root(part, v)])
            f->device[v].node = -1;
    FREE(part, has);
    return 0;
}

/* ---- nodes ---- */

static bool fabric_kept(const struct fabric *f, const struct port *p)
{
    return f->device[p->device].node >= 0 && f->device[p->to].node >= 0;
}

/* Numbers nodes in the order of devices; returns how many. */
static int fabric_number(struct fabric *f)
{
    size_t i = 0;
    int n = 0;

    for (int v = 0; v < f->ids.n; v++) {
        struct device *d = &f->device[v];
        int used = 0;

        for (; i < f->nport && f->port[i].device == v; i++)
            if (fabric_kept(f, &f->port[i]))
                f->port[i].node = n + (d->terminal ? used++ : 0);
        if (d->node < 0)
            continue;
        d->node = n;
        d->nodes = used > 1 ? used : 1;
        n += d->nodes;
    }
    return n;
}

static int fabric_alone(struct fabric *f, struct err *err)
{
    struct names says = { 0 };
    int *first, ret = 0;        /* device that has a description */

    if (TAKE("the network", err, ARRAY(first, f->ids.n)) < 0)
        return -1;
    for (int v = 0; v < f->ids.n && ret == 0; v++) {
        const int before = says.n;
        const int at = f->device[v].node < 0 ? before : names_add(&says, f->device[v].says.text, f->device[v].says.len,
                                                                  err);

        ret = at < 0 ? -1 : 0;
        f->device[v].alone = at == before;
        if (at >= 0 && at < before)
            f->device[first[at]].alone = false;
        else if (at == before && says.n > before)
            first[at] = v;
    }
    free(first);
    names_release(&says);
    return ret;
}

/* A node's name: the description, where one node has it; else with the guid of the port behind. Its host: adapters whose
 * descriptions differ and begin with the same word are of one. */
static int fabric_says(const struct device *d, struct import *in, int v, struct names *hosts, struct err *err)
{
    const char *blank = memchr(d->says.text, ' ', d->says.len);
    const struct name host = { d->says.text, blank ? (size_t)(blank - d->says.text) : d->says.len };
    const struct name *of = d->alone ? &host : &d->id;

    if (d->alone && d->nodes == 1)
        in->name[v] = text_copy(d->says.text, d->says.len);
    else if (asprintf(&in->name[v], "%.*s 0x%016llx", (int)d->says.len, d->says.text,
                      (unsigned long long)in->devices.port_guid[v]) < 0)
        in->name[v] = NULL;
    if (!in->name[v])
        return err_memory(err);
    in->devices.site[v] = d->terminal ? names_add(hosts, of->text, of->len, err) : -1;
    return d->terminal && in->devices.site[v] < 0 ? -1 : 0;
}

static int fabric_nodes(struct fabric *f, struct import *in, struct err *err)
{
    struct devices *known = &in->devices;
    struct names hosts = { 0 };
    int ret = 0, n = fabric_number(f);

    if (fabric_alone(f, err) < 0 ||
        TAKE("the network", err, ARRAY(in->kind, n), ZEROS(in->name, n), ARRAY(known->guid, n),
             ARRAY(known->port_guid, n), ARRAY(known->nport, n), ARRAY(known->site, n)) < 0)
        return -1;
    in->n = n;
    for (size_t i = 0; i < f->nport; i++) {
        const struct port *p = &f->port[i];
        const struct device *d = &f->device[p->device];

        if (fabric_kept(f, p))
            known->port_guid[p->node] = !d->terminal ? d->guid : p->guid ? p->guid : d->guid + (uint64_t)p->number;
    }
    for (int v = 0; v < f->ids.n; v++)
        for (int k = 0; f->device[v].node >= 0 && k < f->device[v].nodes && ret == 0; k++) {
            const struct device *d = &f->device[v];
            const int node = d->node + k;

            in->kind[node] = d->terminal;
            known->guid[node] = d->guid;
            known->nport[node] = d->nport;
            ret = fabric_says(d, in, node, &hosts, err);
        }
    known->nsite = hosts.n;
    names_release(&hosts);
    return ret;
}

/* ---- cables ---- */

static int fabric_fault(struct import *in, const struct port *p, const struct port *q, struct err *err)
{
    struct devices *d = &in->devices;

    if (GROW_BY(d->nfault, 1, "faults of cables", err, GROWN(d->fault)) < 0)
        return -1;
    d->fault[d->nfault++] = (struct device_fault){ p->node, p->number, q->node, q->number, p->line };
    return 0;
}

static int fabric_cable(struct fabric *f, struct links *links, const struct port *p, const struct port *q,
                        struct err *err)
{
    char rate[40], number[2][12], shortest[32];
    struct link link = { .line = p->line };
    double lower = fmin(p->rate, q->rate);

    if (isnan(lower)) {
        f->unknown++;
        lower = f->slowest;
    }
    snprintf(rate, sizeof rate, "%sGb/s", num_shortest(shortest, lower));
    snprintf(number[0], sizeof *number, "%d", p->number);
    snprintf(number[1], sizeof *number, "%d", q->number);
    link.said[LINK_BANDWIDTH] = isnan(lower) ? NULL : rate;
    link.said[LINK_PORT] = number[0];
    link.said[LINK_OTHER_PORT] = number[1];
    return links_add_between(links, p->node, q->node, NULL, &link, f->scan.path, err);
}

static int fabric_cables(struct fabric *f, struct import *in, struct err *err)
{
    struct links links = { 0 };
    int ret = 0;

    for (size_t i = 0; i < f->nport && ret == 0; i++) {
        const struct port *p = &f->port[i], *q = fabric_other(f, p, f->nport);

        if (!fabric_kept(f, p) || q < p)
            continue;           /* left out, or told at the other end */
        if (p->node == q->node || p->half || q->half)
            ret = fabric_fault(in, p->half ? q : p, p->half ? p : q, err);
        if (ret == 0 && p->node != q->node)
            ret = fabric_cable(f, &links, p, q, err);
    }
    if (ret == 0)
        links_take(&links, in);
    links_release(&links);
    return ret;
}

/* What is told of the file: cables that it half tells, loops, devices left out, rates that are not known. */
static int fabric_tell(const struct fabric *f, struct import *in, struct err *err)
{
    const struct device_fault *half = NULL, *loop = NULL;
    size_t halves = 0, loops = 0, at = 0;
    char text[600] = "";

    for (size_t i = in->devices.nfault; i-- > 0;) {
        const struct device_fault *x = &in->devices.fault[i];

        *(x->node == x->to ? &loop : &half) = x;
        *(x->node == x->to ? &loops : &halves) += 1;
    }
    const struct {
        size_t n;
        const char *one, *several;
    } said[] = { { halves, "cable is told by one end alone", "cables are told by one end alone" },
                 { loops, "cable is a loop, which is left out", "cables are loops, which are left out" },
                 { f->left, "aggregation node is left out (aggregation=yes keeps it)",
                   "aggregation nodes are left out (aggregation=yes keeps them)" },
                 { isnan(f->slowest) ? 0 : f->unknown, "cable of unknown rate is taken as the slowest",
                   "cables of unknown rate are taken as the slowest" } };

    for (size_t i = 0; i < sizeof said / sizeof *said; i++) {
        const struct device_fault *x = i == 0 ? half : i == 1 ? loop : NULL;

        if (said[i].n)
            at += (size_t)snprintf(text + at, sizeof text - at, "%s%zu %s", at ? "; " : "", said[i].n,
                                   said[i].n > 1 ? said[i].several : said[i].one);
        if (x)
            at += (size_t)snprintf(text + at, sizeof text - at, " (%sline %zu: '%.60s', port %d)",
                                   said[i].n > 1 ? "the first in " : "", x->line, in->name[x->node], x->port);
    }
    in->unread = at ? text_copy(text, at < sizeof text ? at : sizeof text - 1) : NULL;
    return at && !in->unread ? err_memory(err) : 0;
}

int fabric_read(struct import *in, const char *text, size_t, const char *path, struct err *err)
{
    struct fabric f = { .scan = { .at = text, .path = path, .next_line = 1, .signs = "[]()=#@", .lines = true },
                        .next = { 0x200000, 0x100000 }, .slowest = NAN };
    int ret = -1;

    if (fabric_lines(&f, err) == 0 && fabric_match(&f, err) == 0 && fabric_wanted(&f, in->wanted, err) == 0 &&
        fabric_nodes(&f, in, err) == 0 && fabric_cables(&f, in, err) == 0)
        ret = fabric_tell(&f, in, err);
    names_release(&f.ids);
    FREE(f.device, f.port);
    return ret;
}

const char *fabric_first(const char *text, bool *dump)
{
    static const char *const kind[] = { "Switch", "Hca", "Ca", "Rt" };
    bool guid = false;

    for (const char *p = text; *p; p += strcspn(p, "\r\n"), p += strspn(p, "\r\n")) {
        guid = guid || strncmp(p, "switchguid=", 11) == 0 || strncmp(p, "caguid=", 7) == 0 ||
               strncmp(p, "rtguid=", 7) == 0;
        for (size_t i = 0; i < 4; i++) {
            const char *q = p + strlen(kind[i]);

            if (strncmp(p, kind[i], strlen(kind[i])) != 0 || !strchr(" \t", *q) || !*q)
                continue;
            q += strspn(q, " \t");
            q += strspn(q, "0123456789");
            q += strspn(q, " \t");
            if (*q != '"')
                continue;
            *dump = guid;
            return p;
        }
    }
    return NULL;
}
