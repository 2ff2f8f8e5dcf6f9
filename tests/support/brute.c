/* A supernode's spec is read again (parse), membership decided node by node (in_source, in_destination, left_out),
 * lengths summed over every multistep path with distances that igraph measured, and links found by walking each
 * path hop by hop (next_hop). Rows and planes follow the coordinates that define them; distances never do. */
#include "tests/support/brute.h"

#include <string.h>

#include "graph/topology/topo.h"
#include "tests/support/check.h"

enum set_kind { STATIC, RANDOM, ROW, PLANE, SUBCUBE, SGA, DGA, GROUP, BISECTOR };

struct shape {
    enum set_kind kind;
    int a, b;                   /* numbers behind the colon */
    int dim[2];                 /* from 1, 0: the usual one */
    bool centre, line;
};

struct world {
    const struct net *net;
    const int *hops;
    struct shape shape;
    int n;
    int *jump, njump;           /* of a circulant, ascending */
    int group;                  /* terminals in a group of a dragonfly, which come group by group; 0: no groups */
};

static int coordinate(const struct net *net, int v, int d)
{
    for (int e = net->ndim - 1; e > d; e--)
        v /= net->size[e];
    return v % net->size[d];
}

static int stride(const struct net *net, int d)
{
    int s = 1;

    for (int e = d + 1; e < net->ndim; e++)
        s *= net->size[e];
    return s;
}

static int moved(const struct net *net, int v, int d, int to)
{
    return v + (to - coordinate(net, v, d)) * stride(net, d);
}

static void parse(struct shape *s, const char *text)
{
    static const char *const name[] = { "static", "random", "row", "plane", "subcube", "sga", "dga", "group",
                                        "bisector" };
    const char *at;

    *s = (struct shape){ .a = strcmp(text, "bisector") == 0 ? 2 : 0 };
    while (strncmp(text, name[s->kind], strlen(name[s->kind])) != 0)
        if (++s->kind > BISECTOR)
            fail_msg("brute force does not know what %s is", text);
    at = strchr(text, ':');
    if (at)
        assert_true(sscanf(at, ":%dx%d", &s->a, &s->b) >= 1);
    at = strstr(text, "dim=");
    if (at)
        assert_true(sscanf(at, "dim=%d+%d", &s->dim[0], &s->dim[1]) >= 1);
    s->centre = strstr(text, "origin=centre") != NULL;
    s->line = strstr(text, "exclude=line") != NULL;
}

static int by_size(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

/* Jumps of a circulant and sizes of a dragonfly, from its text. */
static void read_net(struct world *w)
{
    const char *at = strstr(w->net->spec, "jumps=");
    int a, p;

    if (sscanf(w->net->spec, "dragonfly,a=%d,p=%d", &a, &p) == 2)
        w->group = a * p;
    else if (sscanf(w->net->spec, "megafly,l=%d,s=%*d,h=%*d,hosts=%d", &a, &p) == 2)
        w->group = a * p;
    else if (sscanf(w->net->spec, "xgft:%d+%d+%*d,", &a, &p) == 2)
        w->group = a * p;
    else if (sscanf(w->net->spec, "slimfly:%d", &a) == 1)
        w->group = a;
    w->jump = calloc((size_t)w->n, sizeof *w->jump);
    assert_non_null(w->jump);
    if (strncmp(w->net->spec, "midimew", 7) == 0) {
        int b = (int)ceil(sqrt(w->n / 2.0) - 1e-9);

        w->jump[w->njump++] = b - 1;
        w->jump[w->njump++] = b;
    } else if (strncmp(w->net->spec, "complete", 8) == 0) {
        for (int j = 1; j <= w->n / 2; j++)
            w->jump[w->njump++] = j;
    } else if (at) {
        for (at += 6; *at; at += *at == '+') {
            char *end;

            w->jump[w->njump++] = (int)strtol(at, &end, 10);
            at = end;
        }
    }
    qsort(w->jump, (size_t)w->njump, sizeof *w->jump, by_size);
}

/* Where a window of `length` that belongs to coordinate c begins: may be negative or reach beyond k in a ring. */
static int window(int c, int length, int k, bool ring, bool centre, bool aligned)
{
    int start = aligned ? c / length * length : centre ? c - length / 2 : c;

    if (ring && !aligned)
        return start;
    if (start + length > k)
        start = k - length;
    return start < 0 ? 0 : start;
}

static bool in_window(const struct world *w, int s, int i, int d, int length, bool aligned)
{
    int k = w->net->size[d], c = coordinate(w->net, i, d);
    int start = window(coordinate(w->net, s, d), length, k, w->net->wrap[d], w->shape.centre, aligned);

    for (int j = 0; j < length; j++)
        if (((start + j) % k + k) % k == c)
            return true;
    return false;
}

/* Differs from s in the dimensions marked only. */
static bool elsewhere_equal(const struct world *w, int s, int i, unsigned dims)
{
    for (int d = 0; d < w->net->ndim; d++)
        if (!(dims >> d & 1) && coordinate(w->net, s, d) != coordinate(w->net, i, d))
            return false;
    return true;
}

static bool all_rings(const struct net *net)
{
    bool rings = true;

    for (int d = 0; d < net->ndim; d++)
        rings = rings && (net->wrap[d] || net->size[d] == 2);
    return rings;
}

static bool in_source(const struct world *w, int s, int i)
{
    const struct shape *p = &w->shape;
    int ndim = w->net->ndim, a, b;

    switch (p->kind) {
    case STATIC:
        return i == s;
    case RANDOM:
        return true;
    case SGA:
    case DGA:
        return w->hops[s * w->n + i] <= p->a;
    case ROW:
        if (ndim == 0) {
            int jump = w->jump[p->dim[0] ? p->dim[0] - 1 : 0], at = (p->centre ? s - p->a / 2 * jump : s) % w->n;

            for (int j = 0; j < p->a; j++, at += jump)
                if (((at % w->n) + w->n) % w->n == i)
                    return true;
            return false;
        }
        a = p->dim[0] ? p->dim[0] - 1 : ndim - 1;
        return elsewhere_equal(w, s, i, 1u << a) && in_window(w, s, i, a, p->a, false);
    case PLANE:
        a = p->dim[0] ? p->dim[0] - 1 : ndim - 2;
        b = p->dim[1] ? p->dim[1] - 1 : ndim - 1;
        return elsewhere_equal(w, s, i, 1u << a | 1u << b) && in_window(w, s, i, a, p->a, !all_rings(w->net)) &&
               in_window(w, s, i, b, p->b, !all_rings(w->net));
    case SUBCUBE:
        return elsewhere_equal(w, s, i, (1u << ndim) - (1u << (ndim - p->a)));
    case GROUP:
        return w->group ? s / w->group == i / w->group : net_group(w->net, s) == net_group(w->net, i);
    case BISECTOR:
        fail_msg("a bisector has two ends");
    }
    return false;
}

/* As far from s as to t, or one hop more or less, on a path of at most so many hops more. */
static bool in_middle(const struct world *w, int s, int t, int i)
{
    const int here = w->hops[s * w->n + i], left = w->hops[i * w->n + t];

    return here >= 0 && left >= 0 && here - left <= 1 && left - here <= 1 &&
           here + left - w->hops[s * w->n + t] <= w->shape.a;
}

static bool in_destination(const struct world *w, int t, int j)
{
    return w->shape.kind == DGA ? w->hops[j * w->n + t] <= w->shape.a : j == t;
}

static bool left_out(const struct world *w, int s, int t)
{
    const struct shape *p = &w->shape;

    switch (p->kind) {
    case STATIC:
    case RANDOM:
        return s == t;
    case DGA:
        return w->hops[s * w->n + t] <= 2 * p->a - 1;
    case BISECTOR:
        return w->hops[s * w->n + t] <= 1;
    default:
        if (p->line)
            return elsewhere_equal(w, s, t, 1u << (p->dim[0] ? p->dim[0] - 1 : w->net->ndim - 1));
        return in_source(w, s, t);
    }
}

/* ---- one hop at a time ---- */

/* The next node from u towards t: last dimension first, + on ties, at once where lines are complete; among jumps the
 * larger first, + first, taken when it lies on a minimal path. */
static int next_hop(const struct world *w, int u, int t)
{
    const struct net *net = w->net;

    for (int d = net->ndim - 1; d >= 0; d--) {
        int k = net->size[d], c = coordinate(net, u, d), up = coordinate(net, t, d) - c;

        if (up == 0)
            continue;
        if (strncmp(net->spec, "hyperx", 6) == 0)
            return moved(net, u, d, c + up);
        if (!net->wrap[d])
            return moved(net, u, d, up > 0 ? c + 1 : c - 1);
        up = (up + k) % k;
        return moved(net, u, d, net->directed || up <= k - up ? (c + 1) % k : (c - 1 + k) % k);
    }
    for (int j = w->njump - 1; j >= 0; j--)
        for (int sign = 1; sign >= -1; sign -= 2) {
            int v = ((u + sign * w->jump[j]) % w->n + w->n) % w->n;

            if (w->hops[v * w->n + t] == w->hops[u * w->n + t] - 1)
                return v;
        }
    fail_msg("no way from %d to %d", u, t);
    return -1;
}

/* Marks the nodes that a minimal path u -> v leaves s for, and those it comes to t from. */
static void walk_path(const struct world *w, int u, int v, int s, int t, char *out, char *in)
{
    int steps = 0;

    while (u != v) {
        int next = next_hop(w, u, v);

        if (u == s)
            out[next] = 1;
        if (next == t)
            in[u] = 1;
        u = next;
        assert_true(steps++ < w->n);
    }
}

static int degree(const struct world *w, int v, bool out)
{
    int degree = 0;

    for (int u = 0; u < w->n; u++)
        degree += (out ? w->hops[v * w->n + u] : w->hops[u * w->n + v]) == 1;
    return degree;
}

struct links {
    double source, destination;
    bool all_out, all_in, one;
};

static void count_links(const struct world *w, struct links *l, int s, int t, const int *S, int ns, const int *T,
                        int nt, char *out)
{
    char *in = out + w->n;
    int nout = 0, nin = 0;

    memset(out, 0, 2 * (size_t)w->n);
    for (int i = 0; i < ns; i++)
        walk_path(w, s, S[i], s, t, out, in);
    for (int j = 0; j < nt; j++)
        walk_path(w, T[j], t, s, t, out, in);
    for (int i = 0; i < ns; i++)
        for (int j = 0; j < nt; j++)
            walk_path(w, S[i], T[j], s, t, out, in);
    for (int v = 0; v < w->n; v++) {
        nout += out[v];
        nin += in[v];
    }
    l->source += (double)nout / degree(w, s, true);
    l->destination += (double)nin / degree(w, t, false);
    l->all_out = l->all_out && nout == degree(w, s, true);
    l->all_in = l->all_in && nin == degree(w, t, false);
    l->one = l->one && nout == 1 && nin == 1;
}

/* ---- all pairs ---- */

int brute_members(const struct net *net, const int *hops, const char *supernode, int s, int *member)
{
    struct world w = { .net = net, .hops = hops, .n = net->n };
    int n = 0;

    parse(&w.shape, supernode);
    read_net(&w);
    for (int k = 0; k < net->nterminal; k++)
        if (in_source(&w, s, net_terminal(net, k)))
            member[n++] = net_terminal(net, k);
    free(w.jump);
    return n;
}

struct lengths {
    double *value;
    size_t n;
};

static double static_mean(const struct world *w)
{
    double sum = 0, n = w->net->nterminal;

    for (int a = 0; a < w->net->nterminal; a++)
        for (int b = 0; b < w->net->nterminal; b++)
            sum += w->hops[net_terminal(w->net, a) * w->n + net_terminal(w->net, b)];
    return sum / (n * (n - 1));
}

static void summarise(struct brute *b, const struct lengths *l, const struct world *w)
{
    long double sum = 0, squares = 0, mean;

    b->pairs = (double)l->n;
    b->least = INFINITY;
    b->greatest = -INFINITY;
    for (size_t i = 0; i < l->n; i++) {
        sum += l->value[i];
        b->least = fmin(b->least, l->value[i]);
        b->greatest = fmax(b->greatest, l->value[i]);
    }
    mean = sum / (long double)l->n;
    for (size_t i = 0; i < l->n; i++)
        squares += (l->value[i] - mean) * (l->value[i] - mean);
    b->mean = (double)mean;
    b->sd = (double)sqrtl(squares / (long double)l->n);
    b->lengthening = (b->mean / static_mean(w) - 1) * 100;
    b->width /= b->pairs;
    b->intermediate /= b->pairs;
}

static bool has_order(const struct world *w)
{
    return w->net->ndim > 0 || w->njump > 0;
}

void brute_stats(struct brute *b, struct net *net, const int *hops, const char *supernode, int bins_per_hop, bool walk)
{
    struct world w = { .net = net, .hops = hops, .n = net->n };
    struct links links = { 0, 0, true, true, true };
    struct lengths l = { 0 };
    size_t n = (size_t)net->n;
    int *S = malloc(n * sizeof *S), *T = malloc(n * n * sizeof *T), *size = calloc(n, sizeof *size);
    char *mark = malloc(2 * n);

    parse(&w.shape, supernode);
    read_net(&w);
    *b = (struct brute){ .nbin = 4 * n * (size_t)bins_per_hop + 1 };
    b->bin = calloc(b->nbin, sizeof *b->bin);
    l.value = malloc(n * n * sizeof *l.value);
    assert_true(S && T && size && mark && b->bin && l.value);
    walk = walk && has_order(&w);
    for (int c = 0; c < net->nterminal; c++)
        for (int k = 0, t = net_terminal(net, c); k < net->nterminal; k++)
            if (in_destination(&w, t, net_terminal(net, k)))
                T[(size_t)t * n + (size_t)size[t]++] = net_terminal(net, k);
    for (int a = 0; a < net->nterminal; a++) {
        int s = net_terminal(net, a), ns = 0;

        for (int k = 0; w.shape.kind != BISECTOR && k < net->nterminal; k++)
            if (in_source(&w, s, net_terminal(net, k)))
                S[ns++] = net_terminal(net, k);
        for (int c = 0; c < net->nterminal; c++) {
            int t = net_terminal(net, c), nt = size[t];
            const int *of_t = T + (size_t)t * n;
            int64_t sum = 0;
            bool straight = false;

            if (left_out(&w, s, t))
                continue;
            if (w.shape.kind == BISECTOR) {
                ns = 0;
                for (int k = 0; k < net->nterminal; k++)
                    if (in_middle(&w, s, t, net_terminal(net, k)))
                        S[ns++] = net_terminal(net, k);
                straight = ns == 0;
                if (straight)
                    S[ns++] = s;
            }
            for (int i = 0; i < ns; i++)
                for (int j = 0; j < nt; j++)
                    sum += hops[s * w.n + S[i]] + hops[S[i] * w.n + of_t[j]] + hops[of_t[j] * w.n + t];
            l.value[l.n++] = (double)sum / ((double)ns * nt);
            b->bin[sum * bins_per_hop / ((int64_t)ns * nt)]++;
            b->width += (double)ns * nt;
            b->intermediate += w.shape.kind == STATIC || straight ? 0 : w.shape.kind == DGA ? ns + nt : ns;
            if (walk)
                count_links(&w, &links, s, t, S, ns, of_t, nt, mark);
        }
    }
    if (l.n)
        summarise(b, &l, &w);
    b->source_links = walk && l.n ? links.source / b->pairs : NAN;
    b->destination_links = walk && l.n ? links.destination / b->pairs : NAN;
    if (walk && l.n)            /* where one link is all there is, "one" is said */
        b->use = links.one ? LINKS_MINIMAL : links.all_out ? (links.all_in ? LINKS_HIGH : LINKS_MEDIUM) : LINKS_LOW;
    free(l.value);
    free(mark);
    free(size);
    free(T);
    free(S);
    free(w.jump);
}
