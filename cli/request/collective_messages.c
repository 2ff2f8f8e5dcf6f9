#include "cli/request/collective_messages.h"
#include "cli/request/look.h"
#include "render/table/filter.h"

void collective_messages_see(void *arg, const struct cost_message *m)
{
    const struct collective_told *of = arg;
    const struct collective_request *q = of->j->request;
    struct table *t = of->j->t;

    if (table_rows(t) == COLLECTIVE_MESSAGES_MOST && t->why.code == ERR_NONE)
        err_set(&t->why, ERR_DOMAIN, "--show messages has rows for %d messages, and here are more: take fewer "
                "processes or longer segments", COLLECTIVE_MESSAGES_MOST);
    else if (t->why.code == ERR_NONE)
        table_add(t, ROW(cell_text("topology", of->j->net->spec),
            cell_text("operation", operation_name[q->operation]), cell_int("processes", of->processes),
            cell_text("cost", of->cost), cell_int("bytes", of->bytes), cell_text("algorithm", of->how->algorithm->name),
            cell_int("from_process", m->from), cell_int("to_process", m->to), cell_real("message_bytes", m->bytes),
            cell_real("sent_us", 1e6 * m->sent), cell_real("arrived_us", 1e6 * m->arrival)));
}

int collective_messages_sort(struct table *t, struct err *err)
{
    static const char *const by[] = { "to_process", "from_process", "arrived_us", "sent_us", "algorithm", "bytes",
                                      "cost", "processes", "operation", "topology" };

    for (size_t i = 0; i < sizeof by / sizeof *by; i++)
        if (table_sort(t, by[i], err) < 0)
            return -1;
    return 0;
}

int collective_messages_figure(struct picture *f, const struct table *t, struct err *err)
{
    static const char *const lanes[] = { "from_process", "to_process" },
                      *const may[] = { "operation", "bytes", "algorithm", "processes", "cost", "topology" };
    const char *panel[6];
    struct natural figure = { .kind = "timeline", .x = "sent_us", .x_end = "arrived_us", .y = lanes, .ny = 2,
                              .facet = panel };

    figure.nfacet = look_varying(panel, t, may, 6);
    return table_rows(t) ? options_figure(f, t, &figure, err) : 0;
}
