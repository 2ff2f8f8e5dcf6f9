#include "analysis/broadcast/cycles_capacity.h"

/* How long a message that waits for nothing keeps a port of its sender, and each of its links, hold[0..]. Of several
 * cables that it may take: the fastest. */
static double alone(double *hold, const struct cycles_ways *w, const struct cycles_how *how, size_t way)
{
    const struct trunks *t = &w->links->trunks;
    const size_t first = w->first[way], n = w->first[way + 1] - first;
    double head = 0, tail = 0, slow = 0, left = 0, last = 0, set_up = 0;

    for (size_t k = 0; k < n; k++) {
        const size_t trunk = (size_t)w->trunk[first + k], link = trunks_first(t, trunk);
        const size_t only = w->cable ? (size_t)w->cable[first + k] : 0;
        double time = INFINITY, length = INFINITY;

        for (size_t c = only ? only - 1 : 0; c < (only ? only : trunks_cables(t, trunk)); c++) {
            time = fmin(time, how->flits * (w->links->slowness ? w->links->slowness[link + c] : 1));
            length = fmin(length, w->links->length ? w->links->length[link + c] : 0);
        }
        head += k ? how->hop_time + last : 0;
        tail += k ? how->hop_time + last : 0;
        tail = how->switching->stores ? tail + time : fmax(head + time, tail);
        left = k ? left : time;
        slow = fmax(slow, time);
        set_up += how->hop_time + length;
        hold[k] = time;
        last = length;
    }
    if (!how->switching->hold)
        return how->blocking ? tail + last : left;
    left = slow;
    slow += how->switching->sets_up ? 2 * set_up : 0;
    for (size_t k = 0; k < n; k++)
        hold[k] = slow;
    return how->blocking ? head + slow + last : left;
}

/* Time that one message of every root occupies `trunk`, `link` and `process`; `link`: messages bound to one cable. */
static struct cycles_capacity fullest(const struct cycles_ways *w, int ports, const double *trunk, const double *link,
                                      const double *process)
{
    const struct trunks *t = &w->links->trunks;
    struct cycles_capacity most = { 0, -1, 0, 0 };

    for (size_t k = 0; k < t->csr->m; k++) {
        const size_t n = trunks_cables(t, k);

        if (trunk[k] / (double)n > most.interval)
            most = (struct cycles_capacity){ trunk[k] / (double)n, -1, (int)k, 0 };
        for (size_t c = 0; w->cable && c < n; c++)
            if (link[trunks_first(t, k) + c] > most.interval)
                most = (struct cycles_capacity){ link[trunks_first(t, k) + c], -1, (int)k, (int)c + 1 };
    }
    for (int p = w->n - 1; ports && p >= 0; p--)
        if (process[p] / ports >= most.interval)
            most = (struct cycles_capacity){ process[p] / ports, p, 0, 0 };
    return most;
}

int cycles_capacity(struct cycles_capacity *out, const struct cycles_ways *w, const struct cycles_how *how,
                    struct err *err)
{
    const size_t ntrunk = w->links->trunks.csr->m, nlink = w->links->trunks.nlink, n = (size_t)w->n;
    size_t longest = 0;
    double *trunk, *link, *process, *hold;

    for (size_t i = 0; i < n * (size_t)w->nroot; i++)
        if (w->first[i + 1] - w->first[i] > longest)
            longest = w->first[i + 1] - w->first[i];
    if (TAKE("loads of links", err, ZEROS(trunk, ntrunk + nlink + n + longest + 1)) < 0)
        return -1;
    link = trunk + ntrunk;
    process = link + nlink;
    hold = process + n;
    for (size_t way = 0; way < n * (size_t)w->nroot; way++) {
        const int v = (int)(way % n), root = w->root[way / n];

        if (v == 0)
            continue;
        process[tree_process(w->tree->parent[v], root, w->n)] += alone(hold, w, how, way);
        for (size_t k = w->first[way]; k < w->first[way + 1]; k++) {
            const size_t on = (size_t)w->trunk[k];

            trunk[on] += hold[k - w->first[way]];
            if (w->cable && w->cable[k])
                link[trunks_first(&w->links->trunks, on) + (size_t)w->cable[k] - 1] += hold[k - w->first[way]];
        }
    }
    *out = fullest(w, how->ports, trunk, link, process);
    free(trunk);
    return 0;
}
