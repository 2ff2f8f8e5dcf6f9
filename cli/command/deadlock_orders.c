#include "cli/command/deadlock_orders.h"
#include "analysis/deadlock/orders.h"

const struct column deadlock_orders_columns[DEADLOCK_ORDERS_COLUMNS] = {
    PLAIN("process"), PLAIN("line"), PLAIN("op"), PLAIN("peer"), { "tag", "Tag", NULL, YIELDS(0), LOOSE },
    PLAIN("circle")
};

/* `place` in the circle, from 1; 0: it is not in it. */
static void orders_row(struct table *t, const struct orders *o, int p, int place)
{
    const struct orders_call *c = orders_waits(o, p);

    table_add(t, ROW(
        cell_text("process", o->name[p]), cell_int("line", (int64_t)c->line),
        cell_text("op", c->send ? "send" : "recv"),
        cell_text("peer", o->name[c->peer]), cell_text("tag", *c->tag ? c->tag : NULL),
        place ? cell_int("circle", place) : cell_none("circle")));
}

/* "1 sends to 2, 2 sends to 1" */
static char *orders_circle(const struct orders *o)
{
    enum { SHOWN = 6 };
    struct err memory;
    char *text = NULL;
    int ret = 0;

    for (int i = 0; ret == 0 && i < o->ncircle && i < SHOWN; i++) {
        const struct orders_call *c = orders_waits(o, o->circle[i]);

        ret = spec_append(&text, &memory, "%s%.40s waits to %s %.40s", i ? ", " : "", o->name[o->circle[i]],
                          c->send ? "send to" : "receive from", o->name[c->peer]);
    }
    if (ret < 0 || (o->ncircle > SHOWN && spec_append(&text, &memory, ", ... (%d processes)", o->ncircle) < 0)) {
        free(text);
        return NULL;
    }
    return text;
}

int deadlock_orders_rows(bool *stuck, struct job *j, const char *path, struct err *err)
{
    struct orders o = { 0 };
    char *circle = NULL;
    int *place, ret = 0;

    if (orders_open(&o, path, err) < 0)
        return -1;
    if (TAKE("orders of calls", err, ZEROS(place, o.n)) < 0) {
        orders_close(&o);
        return -1;
    }
    for (int i = 0; i < o.ncircle; i++)
        place[o.circle[i]] = i + 1;
    table_request(j->t, "order", path);
    *stuck = o.waiting > 0;
    for (int p = 0; p < o.n; p++)
        if (orders_waits(&o, p))
            orders_row(j->t, &o, p, place[p]);
    if (o.waiting && !(circle = orders_circle(&o)))
        ret = err_memory(err);
    else if (!o.waiting)
        table_note(j->t, "%s: no deadlock: all %zu calls of %d processes end, in %d round%s.", path, o.ncall, o.n,
                   o.rounds, o.rounds == 1 ? "" : "s");
    else
        table_note(j->t, "%s: deadlock: %d of %d processes never end, after %zu of %zu calls: %s.", path, o.waiting,
                   o.n, o.done, o.ncall, circle);
    FREE(circle, place);
    orders_close(&o);
    return ret;
}
