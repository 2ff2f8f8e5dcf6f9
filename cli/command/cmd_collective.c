#include "cli/command/cmd.h"
#include "cli/request/collective_messages.h"
#include "cli/request/look.h"
#include "texts/cmd.h"

static const struct option_field own_options[] = {
    { CMD_COLLECTIVE_SEGMENT, 0, INTO_OF(struct collective_request, segment) },
    { CMD_COLLECTIVE_RADIX, 0, INTO_OF(struct collective_request, radix) }, { 0 }
};

/* ---- tables ------------------------------------------------------------------------------------------ */

static const struct column collective_columns[] = {
    COLLECTIVE_KEYS, { "segment_bytes", "Segment", "B", YIELDS(0), LOOSE }, PLAIN("algorithm"), COLLECTIVE_TIMES(4),
    { "over_least", "Over least", "times", IF_FILLED(2), LOOSE }, { "messages", NULL, NULL, YIELDS_LAST(0), LOOSE },
    { "sent_bytes", "Sent", "B", COLUMN_ASIDE, LOOSE }, { "most_bytes", "Most by one", "B", COLUMN_ASIDE, LOOSE },
    { "chain", "Longest chain", "messages", COLUMN_ASIDE, LOOSE },
    { "busiest_bytes", "Busiest link", "B", IF_FILLED(YIELDS(0)), LOOSE },
    { "waiting_bytes", "Waiting", "B", IF_FILLED(YIELDS(0)), LOOSE }, COLLECTIVE_BOUNDS, ASIDE("winner")
};
static const struct column message_columns[] = { COLLECTIVE_MESSAGE_COLUMNS };
#define SCOPE .contender = { "algorithm" }, .scope = { "topology", "operation", "processes", "cost", "bytes" }
static const struct conclusion collective_conclusion = { .score = "time_us", .noun = "time", .marks = true, SCOPE },
    steps_conclusion = { .score = "makespan_steps", .noun = "makespan", .marks = true, SCOPE };
static const struct pivot collective_matrix = COLLECTIVE_PIVOT("algorithm", "Collectives in time, by bytes"),
    steps_matrix = COLLECTIVE_PIVOT("algorithm", "Collectives in steps, by bytes");
enum { COLLECTIVE_TIME, COLLECTIVE_STEPS, COLLECTIVE_BEST, COLLECTIVE_MESSAGES, COLLECTIVE_MATRIX };
static const struct frame_table collective_tables[] = {
    [COLLECTIVE_TIME] = { NULL, "Collectives in time", COLUMNS(collective_columns), .pivot = &collective_matrix,
                          .conclusion = &collective_conclusion },
    [COLLECTIVE_STEPS] = { NULL, "Collectives in steps", COLUMNS(collective_columns), .pivot = &steps_matrix,
                           .conclusion = &steps_conclusion },
    [COLLECTIVE_BEST] = { NULL, "The best of collectives", COLUMNS(collective_columns) },
    [COLLECTIVE_MESSAGES] = { "messages", "Messages", COLUMNS(message_columns) },
    [COLLECTIVE_MATRIX] = { "matrix", NULL, COLUMNS(collective_columns) }, { 0 }    /* the first two, turned */
};

/* ---- rows -------------------------------------------------------------------------------------------- */

static void collective_rows(struct job *j, const struct collective_runs *r)
{
    const struct collective_request *q = j->request;

    if (j->which == COLLECTIVE_MESSAGES)        /* they are there already */
        return;
    for (size_t at = 0; at < r->ncell; at++) {
        const struct collective_cell *c = &r->cell[at];
        const size_t n = j->which == COLLECTIVE_BEST ? 1 : collective_order(r, c);

        for (size_t i = 0; i < n; i++) {
            const size_t k = j->which == COLLECTIVE_BEST ? c->best : r->order[i];
            const struct setting *how = &r->setting[k];
            const struct outcome *o = &c->outcome[k];

            table_add(j->t, ROW(COLLECTIVE_KEY_CELLS(j, q, c),
                how->segment ? cell_int("segment_bytes", how->segment) : cell_none("segment_bytes"),
                cell_text("algorithm", how->algorithm->name), COLLECTIVE_TIME_CELLS(c, o),
                j->which == COLLECTIVE_BEST ? cell_none("over_least") :
                cell_real("over_least", o->x.time / c->outcome[c->best].x.time), cell_real("messages", o->x.messages),
                cell_real("sent_bytes", o->x.bytes), cell_real("most_bytes", o->x.most), cell_int("chain", o->x.steps),
                cell_real("busiest_bytes", o->x.busiest), cell_real("waiting_bytes", o->x.waiting),
                COLLECTIVE_BOUND_CELLS(c, o), cell_text("winner", r->setting[c->best].algorithm->name)));
        }
    }
}

static int collective_network(struct job *j, struct err *err)
{
    return collective_each(j, &(struct collective_how){ .segment = "0", .radix = "4", .rows = collective_rows,
                                                       .messages = j->which == COLLECTIVE_MESSAGES }, err);
}

static int collective_pick(const void *request)
{
    const struct collective_request *q = request;

    if (q->common.show && strcmp(q->common.show, "messages") == 0)
        return COLLECTIVE_MESSAGES;
    return q->operation < 0 && !q->common.show ? COLLECTIVE_BEST :
        collective_steps(q) ? COLLECTIVE_STEPS : COLLECTIVE_TIME;
}

static int collective_check(struct job *j, struct err *)
{
    collective_digits(j);
    return 0;
}

/* Counts that are not only those of several networks. */
static bool collective_counts(const struct table *t)
{
    for (size_t r = 1; r < table_rows(t); r++)
        if (look_same(t, r - 1, r, "topology") && !look_same(t, r - 1, r, "processes"))
            return true;
    return false;
}

static int collective_figure(struct picture *f, const struct table *t, int which, struct err *err)
{
    const char *const time[] = { isnan(look_real(t, 0, "time_us")) ? "makespan_steps" : "time_us" },
               *const by[] = { look_varies(t, "operation") ? "operation" : "algorithm" };
    const bool sizes = look_varies(t, "bytes"), many = collective_counts(t);
    const char *panel[3];
    struct natural figure = { .kind = sizes || many ? "line" : "bar", .x = sizes ? "bytes" : many ? "processes" : *by,
                              .y = time, .ny = 1, .group = by, .ngroup = sizes || many,
                              .y_scale = collective_scale(t, time[0]), .facet = panel };

    if (which == COLLECTIVE_MESSAGES)
        return collective_messages_figure(f, t, err);
    if (look_varies(t, "topology"))
        panel[figure.nfacet++] = "topology";
    if (look_varies(t, "cost"))
        panel[figure.nfacet++] = "cost";
    if (sizes && many)
        panel[figure.nfacet++] = "processes";
    return options_figure(f, t, &figure, err);
}

static int collective_finish(struct job *j, struct err *err)
{
    return j->which == COLLECTIVE_MESSAGES ? collective_messages_sort(j->t, err) : 0;
}

static const struct frame collective_frame = {
    CMD_COLLECTIVE_FRAME, .option = own_options,
    .shared = (const struct option_part[]){ { collective_options, 0 }, { 0 } },
    FRAME_REQUEST(struct collective_request, .operation = -1), .table = collective_tables, .plots = true,
    .pick = collective_pick, .check = collective_check, .network = collective_network, .finish = collective_finish,
    .figure = collective_figure
};

const struct cmd cmd_collective = { CMD_COLLECTIVE_ENTRY, .frame = &collective_frame };
