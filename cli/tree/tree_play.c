/* Scenarios: every strategy plays the same changes. */
#include "cli/request/look.h"
#include "cli/tree/tree.h"
#include "graph/numeric/forecast.h"

#define USUAL_BROADCASTS 20

/* "last", "mean:5", "median:5", "best". */
static int value_read(struct strategy *by, const char *text, struct err *err)
{
    static const char *const name[] = { "last", "mean:", "median:", "best" };
    int64_t window = FORECAST_MOST;

    for (int k = VALUE_LAST; k <= VALUE_BEST; k++) {
        const size_t len = strlen(name[k]);
        const bool counts = name[k][len - 1] == ':';

        if (strncmp(text, name[k], len) != 0 || (!counts && text[len]))
            continue;
        if (counts && num_int(&window, text + len, 1, FORECAST_MOST, "--value", err) < 0)
            return -1;
        by->value = (enum seen_value)k;
        by->window = (int)window;
        return 0;
    }
    return err_set(err, ERR_USAGE, "--value %.40s is not one of last, mean:N, median:N, best", text);
}

int tree_play_check(const struct request *q, struct err *err)
{
    struct strategy by;

    if (!tree_plays(q) && (q->every || q->value || q->threshold > 0 || q->cliques || q->text[CHECK] || q->text[PROBE] ||
                           q->text[PAUSE]))
        return err_set(err, ERR_USAGE, "--every, --threshold, --value, --probe, --cliques, --check and --pause are of "
                       "--broadcasts or --scenario");
    if (tree_plays(q) && q->common.show && (strcmp(q->common.show, "building") == 0 ||
                                            strcmp(q->common.show, "links") == 0))
        return err_set(err, ERR_USAGE, "--show %s is of trees as they are, without --broadcasts and --scenario",
                       q->common.show);
    if (tree_plays(q) && q->runs > 1)
        return err_set(err, ERR_USAGE, "--runs are of trees as they are, without --broadcasts and --scenario");
    return value_read(&by, q->value ? q->value : "last", err);
}

#define PLAYED_CELLS(s, name) cell_text("topology", (s)->j->net->spec), cell_int("processes", (s)->where.n), \
    cell_int("root", (s)->q->root), cell_text("strategy", name)

static int gcd(int a, int b)
{
    return b ? gcd(b, a % b) : a;
}

/* over: broadcasts between checks of the first one; 0: it stays. */
static void played_rows(const struct tree_job *s, const char *name, const struct strategy *by, const struct played *p,
                        const struct played *first, int over, int broadcasts)
{
    struct table *t = s->j->t;
    const int round = by->every && over ? by->every * over / gcd(by->every, over) : by->every + over;
    const double even = p == first || p->lost || first->lost ? NAN :
        played_even(p, first, broadcasts, round ? round : 1);

    if (s->j->which == PLAYED)
        table_add(t, ROW(
            MEMBERS(p), PLAYED_CELLS(s, name), cell_int("broadcasts", broadcasts),
            cell_real("total", p->total[broadcasts]), cell_real("messages", p->built + p->adapted + p->broadcast),
            isinf(even) ? cell_text("break_even", "never") : cell_real("break_even", even)));
    for (int b = 0; s->j->which == COURSE && b <= broadcasts; b++)
        table_add(t, ROW(PLAYED_CELLS(s, name), cell_int("broadcast", b), cell_real("total", p->total[b])));
    for (int k = 0; s->j->which == PLAYED_TYPES && k < ADAPT_TYPES; k++) {
        if (p->cost.count[k] > 0)
            table_add(t, ROW(PLAYED_CELLS(s, name), cell_text("message", adapt_machine.type[k]),
                             cell_real("count", p->cost.count[k])));
    }
    if (s->j->which == PLAYED_TYPES) {
        table_add(t, ROW(PLAYED_CELLS(s, name), cell_text("message", "Bcast"),
                         cell_real("count", p->broadcast)));
        table_add(t, ROW(PLAYED_CELLS(s, name), cell_text("message", "all"),
                         cell_real("count", p->built + p->adapted + p->broadcast)));
    }
    if (p->lost)
        table_note(t, "%s: some broadcast does not reach %d of %d processes; the others alone count.", name, p->lost,
                   s->where.n);
    if (isfinite(even) && even > broadcasts)
        table_note(t, "%s, where it pays beyond %d broadcasts: if the last ones are what they all take.", name,
                   broadcasts);
}

/* One strategy; the first one played is what others are held to. */
static int play_one(struct tree_job *s, const struct scenario *c, const char *name, int every,
                    struct played *first, int *over, struct err *err)
{
    const struct request *q = s->q;
    const struct tree *tree;
    const int what = tree_what(name, &tree, err);
    struct strategy by = { .every = every, .threshold = q->threshold, .probe = s->time[PROBE],
                           .check = s->time[CHECK], .pause = s->time[PAUSE],
                           .cliques = q->cliques, .root = q->root, .how = s->how,
                           .seed = q->random ? q->common.seed : 0 };
    const struct protocol_watch watch = { tree_message, s };
    struct tree_shape shape = { 0 };
    struct played p;
    const bool have = first->total;
    char text[80];
    int ret;

    if (what < 0 || value_read(&by, q->value ? q->value : "last", err) < 0 ||
        (what == TREE_STAYS && tree_lay(&shape, s, tree, err) < 0))
        return -1;
    by.tree = what == TREE_STAYS ? &shape : NULL;
    s->began = 0;
    by.began = &s->began;
    by.watch = s->j->which == MESSAGES ? &watch : NULL;
    ret = scenario_play(&p, c, &by, &s->j->tick, err);
    tree_shape_release(&shape);
    if (ret < 0)
        return -1;
    if (!have) {
        *first = p;
        *over = every;
    }
    snprintf(text, sizeof text, every ? "%s every %d" : "%s", name, every);
    played_rows(s, text, &by, have ? &p : first, first, *over, c->broadcasts);
    if (have)
        played_release(&p);
    return 0;
}

int tree_play(struct tree_job *s, struct err *err)
{
    const struct request *q = s->q;
    struct scenario c = { .net = s->j->net, .where = &s->where, .wire = s->wire, .m = s->m,
                          .broadcasts = q->broadcasts ? q->broadcasts : USUAL_BROADCASTS };
    struct played first = { .total = NULL };
    int64_t *every = NULL;
    size_t nevery = 0;
    bool shown = false;
    const char *name;
    int over = 0;
    int ret = scenario_read(&c, q->scenario, err) < 0 ||
        num_range(&every, &nevery, q->every ? q->every : "1,4", 1, INT32_MAX, "--every", err) < 0 ? -1 : 0;

    for (size_t i = 0; ret == 0 && (name = tree_name(s, i)); i++) {
        const struct tree *tree;
        const int what = tree_what(name, &tree, NULL);
        const bool adapts = what == TREE_ADAPTS, spans = adapts || what == TREE_SPANS;
        const size_t n = s->j->which == MESSAGES ? spans && !shown : adapts ? nevery : 1;

        if (s->j->which == MESSAGES && n)       /* of one, since rows do not name it */
            table_note(s->j->t, adapts ? "Messages of the tree that adapts, every %d." : "Messages of the tree that "
                       "stays.", adapts ? (int)every[0] : 0);
        shown = shown || spans;
        for (size_t k = 0; ret == 0 && k < n; k++)
            if (play_one(s, &c, name, adapts ? (int)every[k] : 0, &first, &over, err) < 0)
                ret = job_refuse(s->j, tree_passes(s, err), ROW(cell_text("topology", s->j->net->spec),
                                                                cell_text("strategy", name)), err, "%s, %s: %s.",
                                 s->j->net->spec, name, err->msg);
    }
    if (ret == 0 && q->random && (s->j->which == PLAYED || s->j->which == COURSE))
        table_note(s->j->t, "Messages that build and adapt take up to 1, at random: their times and those of "
                   "broadcasts are not of one unit.");
    if (ret == 0 && s->j->which == MESSAGES && !shown)
        ret = err_set(err, ERR_USAGE, "none of these trees is built by messages");
    if (ret == 0 && s->j->which == PLAYED && tree_name(s, 1))
        table_note(s->j->t, "Pays from: the broadcast from which on it has taken less in all than %s.",
                   tree_name(s, 0));
    played_release(&first);
    scenario_release(&c);
    free(every);
    return ret;
}

/* ---- figures ---- */

/* From which broadcast on a strategy pays, against the first of its network. */
static int mark_even(struct chart *c, const struct table *t, struct err *err)
{
    size_t first = 0, own = 0, paid = 0;
    bool marked = false;
    char *note;

    for (size_t r = 0; r <= table_rows(t); r++) {
        const bool ends = r == table_rows(t) || (r && (!look_same(t, r, r - 1, "strategy") ||
                                                       !look_same(t, r, r - 1, "topology")));
        char text[120];

        if (ends && own > first && paid > own && paid < r) {
            snprintf(text, sizeof text, "%.80s pays", look_text(t, own, "strategy"));
            marked = true;
            if (chart_rule(c, look_real(t, paid, "broadcast"), text, RULE_GREY, RULE_EVERYWHERE) < 0)
                return err_memory(err);
        }
        if (r == table_rows(t))
            break;
        if (ends || r == 0)
            own = paid = r;
        if (r && !look_same(t, r, r - 1, "topology"))
            first = r;
        if (own > first && look_real(t, r, "total") >= look_real(t, first + r - own, "total"))
            paid = r + 1;
    }
    if (!marked)
        return 0;
    if (asprintf(&note, "Dashed: from where on a tree has taken less in all than %.60s.",
                 look_text(t, 0, "strategy")) < 0)
        return err_memory(err);
    free(c->note);
    c->note = note;
    return 0;
}

int tree_played_figure(struct picture *f, const struct table *t, int which, struct err *err)
{
    static const char *const parts[] = { "building", "adapting", "broadcasting" }, *const total[] = { "total" },
                      *const of[] = { "topology" }, *const by[] = { "strategy" };
    struct natural figure = { .kind = "bar", .x = "strategy", .y = parts, .ny = 3, .facet = of,
                              .nfacet = look_varies(t, "topology") };
    int ret;

    if (which == PLAYED_TYPES)
        return 0;
    if (which == COURSE)
        figure = (struct natural){ .kind = "line", .x = "broadcast", .y = total, .ny = 1, .group = by,
                                   .ngroup = 1, .facet = of,
                                   .nfacet = look_varies(t, "topology") };
    ret = tree_chart(f, t, &figure, err);
    f->chart.stacked = which == PLAYED;
    return ret < 0 || (which == COURSE && !look_varies(t, "topology") && mark_even(&f->chart, t, err) < 0) ? -1 : 0;
}
