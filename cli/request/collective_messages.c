#include "cli/request/collective_messages.h"

#include <stdlib.h>

#include "cli/request/look.h"
#include "graph/base/grow.h"
#include "graph/base/mem.h"

void collective_messages_see(void *arg, const struct cost_message *m)
{
    struct collective_messages *list = arg;

    if (list->why.code == ERR_NONE && list->n == COLLECTIVE_MESSAGES_MOST)
        err_set(&list->why, ERR_DOMAIN, "--show messages has rows for %d messages, and here are more: take fewer "
                "processes or longer segments", COLLECTIVE_MESSAGES_MOST);
    if (list->why.code == ERR_NONE &&
        GROW(&list->room, list->n + 1, "messages", &list->why, GROWN(list->item)) == 0)
        list->item[list->n++] = *m;
}

static int earlier(const void *a, const void *b)
{
    const struct cost_message *x = a, *y = b;

    if (x->sent != y->sent)
        return x->sent < y->sent ? -1 : 1;
    if (x->arrival != y->arrival)
        return x->arrival < y->arrival ? -1 : 1;
    return x->from != y->from ? (x->from < y->from ? -1 : 1) : x->to < y->to ? -1 : x->to > y->to;
}

int collective_messages_rows(struct job *j, struct collective_messages *list, const char *cost, int processes,
                             int64_t bytes, const struct setting *how, struct err *err)
{
    const struct collective_request *q = j->request;

    if (list->n)
        qsort(list->item, list->n, sizeof *list->item, earlier);
    for (const struct cost_message *m = list->item; m < list->item + list->n; m++)
        table_add(j->t, ROW(cell_text("topology", j->net->spec),
            cell_text("operation", operation_name[q->operation]), cell_int("processes", processes),
            cell_text("cost", cost), cell_int("bytes", bytes), cell_text("algorithm", how->algorithm->name),
            cell_int("from_process", m->from), cell_int("to_process", m->to), cell_real("message_bytes", m->bytes),
            cell_real("sent_us", 1e6 * m->sent), cell_real("arrived_us", 1e6 * m->arrival)));
    if (list->why.code != ERR_NONE)
        *err = list->why;
    free(list->item);
    list->item = NULL;
    list->n = list->room = 0;
    return list->why.code == ERR_NONE ? 0 : -1;
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
