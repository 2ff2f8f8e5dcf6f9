#include "cli/primitive/primitive_show.h"
#include "cli/request/look.h"
#include "cli/request/published.h"
#include "graph/base/csv.h"

enum { MESSAGES_MOST = 1000000 };

const struct column primitive_message_columns[11] = {
    PLAIN("topology"), PLAIN("primitive"), { "bytes", NULL, "B", IF_FILLED(0), LOOSE }, PLAIN("message"),
    { "instruction", NULL, NULL, YIELDS(0), LOOSE }, PLAIN("from_node"), PLAIN("to_node"),
    { "sent_us", "Sent", "us", IF_FILLED(DIGITS(4)), LOOSE },
    { "handled_us", "Handled", "us", IF_FILLED(DIGITS(4)), LOOSE },
    { "sent_channels", "Sent", "channels", IF_FILLED(-1), LOOSE },
    { "handled_channels", "Handled", "channels", IF_FILLED(-1), LOOSE }
};
const struct column primitive_table_columns[8] = {
    PLAIN("topology"), PLAIN("table"), { "rows", NULL, NULL, 0, LOOSE }, { "columns", NULL, NULL, 0, LOOSE },
    { "entries", NULL, NULL, 0, LOOSE }, { "bytes", NULL, "B", 0, LOOSE }, PLAIN("what"),
    { "circuit_only", "CVP I alone", NULL, COLUMN_ASIDE, LOOSE }
};

/* ---- messages ---- */

int primitive_told(void *arg, const struct protocol *r, const struct message *m, int from, int to, int what,
                   struct err *err)
{
    const struct primitive_told *of = arg;
    const bool unit = of->bytes < 0;
    const double us = unit ? NAN : 1e6, channels = unit ? 1 : NAN;
    char label[2][NET_LABEL];

    if (what != WATCH_TAKEN)
        return 0;
    if (table_rows(of->j->t) == MESSAGES_MOST)
        return err_set(err, ERR_DOMAIN, "--show messages has rows for %d messages, and here are more", MESSAGES_MOST);
    return job_row(of->j, ROW(
        cell_text("topology", of->j->net->spec), cell_text("primitive", of->primitive),
        unit ? cell_none("bytes") : cell_int("bytes", of->bytes), cell_text("message", r->machine->type[m->type]),
        cell_int("instruction", m->value), cell_text("from_node", net_label(of->j->net, from, label[0])),
        cell_text("to_node", net_label(of->j->net, to, label[1])), cell_real("sent_us", us * r->since),
        cell_real("handled_us", us * r->now), cell_real("sent_channels", channels * r->since),
        cell_real("handled_channels", channels * r->now)), err);
}

int primitive_messages_figure(struct picture *f, const struct table *t, struct err *err)
{
    static const char *const lanes[] = { "from_node", "to_node" },
                      *const may[] = { "primitive", "bytes", "topology" };
    const char *panel[3];
    struct natural figure = { .kind = "timeline", .x = "sent_us", .x_end = "handled_us", .y = lanes, .ny = 2,
                              .facet = panel };

    if (table_rows(t) == 0)
        return 0;
    if (isnan(look_real(t, 0, "sent_us"))) {
        figure.x = "sent_channels";
        figure.x_end = "handled_channels";
    }
    figure.nfacet = look_varying(panel, t, may, 3);
    return options_figure(f, t, &figure, err);
}

/* ---- tables ---- */

/* What the published words stand for here. */
static double table_size(const char *word, const struct primitive_scene *s, int repeat)
{
    double chans = 0, classes = 1;

    for (int v = 0; v < s->w->n; v++) {
        chans = fmax(chans, (double)(s->w->first[v + 1] - s->w->first[v]));
        classes = fmax(classes, s->hops[v] + 1);
    }
    return strcmp(word, "nodes") == 0 ? s->w->n : strcmp(word, "chans") == 0 ? chans :
        strcmp(word, "trees") == 0 ? 1 : strcmp(word, "floodsfb") == 0 ? repeat :
        strcmp(word, "num.buf.class") == 0 ? classes : *word - '0';
}

int primitive_table_rows(struct job *j, const struct primitive_scene *s, int repeat, struct err *err)
{
    enum { TABLE, ROWS, COLUMNS, WHAT, CIRCUIT, HEADINGS };
    static const char *const heading[HEADINGS] = { "table", "rows", "columns", "what", "circuit_only" };
    const double n = s->w->n;
    char path[4096];
    struct csv csv = { 0 };
    int at[HEADINGS], ret = published_path(path, "cvp_tables.csv", err) < 0 ? -1 : csv_read(&csv, path, err);

    for (int k = 0; ret == 0 && k < HEADINGS; k++)
        if ((at[k] = csv_column(&csv, heading[k])) < 0)
            ret = err_set(err, ERR_FORMAT, "%.200s has no column '%s'", path, heading[k]);
    for (size_t r = 0; ret == 0 && r < csv.nrow; r++) {
        const double rows = table_size(csv_at(&csv, r, at[ROWS]), s, repeat),
            columns = table_size(csv_at(&csv, r, at[COLUMNS]), s, repeat),
            values = fmax(table_size("chans", s, repeat), repeat), each = values < 256 ? 1 : values < 65536 ? 2 : 4;

        ret = job_row(j, ROW(
            cell_text("topology", j->net->spec), cell_text("table", csv_at(&csv, r, at[TABLE])),
            cell_count("rows", rows), cell_count("columns", columns), cell_count("entries", rows * columns),
            cell_count("bytes", rows * columns * each), cell_text("what", csv_at(&csv, r, at[WHAT])),
            cell_text("circuit_only", csv_at(&csv, r, at[CIRCUIT]))), err);
    }
    csv_release(&csv);
    if (ret == 0)
        table_note(j->t, "%.150s: in.chan has %.0f entries at every node, one for each source and destination; if "
                   "confirmations go back by the tree of ways to their source, the %.0f of route do.", j->net->spec,
                   n * n, n);
    return ret;
}
