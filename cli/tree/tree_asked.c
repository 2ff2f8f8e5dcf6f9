#include "cli/tree/tree.h"

static const char adaptive[] = "adaptive";      /* a word of the command: no entry is called so */

const char *tree_name(const struct tree_job *s, size_t i)
{
    static const char *const usual[] = { "binomial", "magpie", "multilevel", "shortest-path", "minimum-spanning",
                                         "max-bandwidth", adaptive };
    const struct strings *asked = &s->q->algorithm;
    const struct cables *c = &s->j->net->cables;
    const bool played = tree_plays(s->q),
        unlike = c->kind && cables_least(c).bandwidth < cables_most(c).bandwidth;
    size_t k = 0;

    if (asked->n)
        return i >= asked->n ? NULL : strcmp(asked->item[i], "mst") == 0 ? "minimum-spanning" : asked->item[i];
    for (size_t at = 0; at < sizeof usual / sizeof *usual; at++)
        if ((at != 2 || s->where.nlevel) && (at != 5 || unlike) && (at != 6 || played) &&
                k++ == i)
            return usual[at];
    return NULL;
}

int tree_root(int *root, const struct tree_job *s, struct err *err)
{
    const char *text = s->q->from ? s->q->from : "0";
    const bool number = strspn(text, "0123456789") == strlen(text);
    int64_t process = 0;
    int node;

    if (number ? num_int(&process, text, 0, 1 << 30, "--root", err) < 0 :
        net_node(s->j->net, text, &node, err) < 0)
        return number ? -1 : err_at(err, "--root %.80s", text);
    while (!number && process < s->where.n && s->where.node[process] != node)
        process++;
    *root = (int)process;
    return process < s->where.n ? 0 : !number ? err_set(err, ERR_USAGE, "--root: no process is on %.80s", text) :
        err_set(err, ERR_USAGE, "there is no process %d for a root: they are 0 to %d", *root, s->where.n - 1);
}

int tree_what(const char *name, const struct tree **tree, struct err *err)
{
    *tree = NULL;
    if (strcmp(name, adaptive) == 0)
        return TREE_ADAPTS;
    *tree = tree_find(name, err);
    return !*tree ? -1 : (*tree)->spans ? TREE_SPANS : TREE_STAYS;
}

int tree_lay(struct tree_shape *shape, const struct tree_job *s, const struct tree *tree, struct err *err)
{
    const double hold = s->how.overhead + s->how.size;
    const struct tree_scene scene = { .net = s->j->net, .where = &s->where, .root = s->q->root,
                                      .hop = wires_hop(s->j->net), .length = 1, .size = s->how.size,
                                      .start = s->how.overhead, .gap = s->how.serial ? hold : 0, .inside = s->inside,
                                      .cut = s->j->net->nterminal < s->j->net->n,
                                      .tick = &s->j->tick };

    if (tree->quickest) {               /* of links of processes, as all messages here take */
        struct sight_join *join;
        struct wiring w = { 0 };
        int ret;

        if (TAKE("a process tree", err, ARRAY(join, s->where.n)) < 0)
            return -1;
        ret = wiring_open(&w, s->where.n, s->wire, s->m, err) < 0 ||
            relay_shortest(join, &w, s->q->root, &s->j->tick, err) < 0 ||
            joins_shape(shape, join, &s->where, s->q->root, &s->how, err) < 0 ? -1 : 0;
        wiring_release(&w);
        free(join);
        return ret;
    }
    return tree_shape_init(shape, tree, s->where.n, &scene, err);
}

int tree_message(void *arg, const struct protocol *r, const struct message *m, int from, int to, int what,
                 struct err *err)
{
    static const char *const event[] = { "sent", "taken", "put aside" };
    const struct tree_job *s = arg;
    const bool level = m->type == GHS_CONNECT || m->type == GHS_INITIATE || m->type == GHS_TEST,
        about = m->type == GHS_INITIATE || m->type == GHS_TEST || m->type == GHS_REPORT;

    return job_row(s->j, ROW(
        cell_text("topology", s->j->net->spec), cell_int("processes", r->w->n),
        cell_text("delays", s->q->random ? "random" : "latencies"), cell_real("time", s->began + r->now),
        cell_text("event", event[what]),
        cell_text("message", adapt_machine.type[m->type]), cell_int("from_process", from), cell_int("to_process", to),
        level ? cell_int("level", m->type == GHS_INITIATE ? m->level / 2 : m->level) : cell_none("level"),
        cell_real("about", about && m->value < r->w->m ? r->w->latency[r->w->half[m->value]] : NAN)), err);
}

int tree_chart(struct picture *f, const struct table *t, const struct natural *figure, struct err *err)
{
    const struct request *q = f->request;

    if (options_figure(f, t, figure, err) < 0)
        return -1;
    return figure->x_end || !f->chart.kind ? 0 :
        chart_axis(&f->chart.y, "Time", q && q->seconds ? "s" : NULL) < 0 ? err_memory(err) : 0;
}
