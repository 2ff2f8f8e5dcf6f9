/* Orders of blocking calls: what ends, who is left and why hang together. */
#include "analysis/deadlock/orders.h"
#include "tests/fuzz/fuzz.h"

static void check_process(const struct orders *o, int p)
{
    const struct orders_call *c = orders_waits(o, p);

    must(*o->name[p] != '\0' && o->first[p] < o->first[p + 1], "a name and a call", NULL);
    for (size_t i = o->first[p]; i < o->first[p + 1]; i++) {
        const struct orders_call *at = &o->call[i];

        must(at->process == p && at->peer >= 0 && at->peer < o->n && at->peer != p, "a peer", o->name[p]);
        must(i == o->first[p] || at->line > at[-1].line, "calls in order", o->name[p]);
        must((at->round > 0) == (i < o->next[p]) && at->round <= o->rounds, "a round where it ends", o->name[p]);
    }
    must(!c || orders_waits(o, c->peer), "who waits, waits for one that waits", o->name[p]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct orders o = { 0 };
    struct err err = { 0 };
    int waiting = 0;

    if (orders_open(&o, path_of(data, size), &err) < 0) {
        message_is_fit(&err);
        must(!o.csv.bytes && !o.call, "nothing comes of a refusal", NULL);
        return 0;
    }
    for (int p = 0; p < o.n; p++) {
        check_process(&o, p);
        waiting += orders_waits(&o, p) != NULL;
    }
    must(waiting == o.waiting && waiting != 1, "those who wait, of whom there are several", NULL);
    must((waiting > 0) == (o.done < o.ncall) && o.done % 2 == 0 && o.ncall % 2 == 0, "ends in pairs", NULL);
    must((waiting > 0) == (o.circles > 0) && (o.ncircle >= 2) == (waiting > 0), "a circle where some wait", NULL);
    for (int i = 0; i < o.ncircle; i++) {
        must(orders_waits(&o, o.circle[i])->peer == o.circle[(i + 1) % o.ncircle], "a circle", NULL);
        must(o.circle[i] >= o.circle[0], "from its smallest", NULL);
    }
    orders_close(&o);
    return 0;
}
