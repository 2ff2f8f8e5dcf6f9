#include "render/table/cells.h"

/* What TeX would not set as itself. A bracket or a star at the start of a row would belong to the \\ before. */
static const char *escaped(char c, char next)
{
    switch (c) {
    case '\\': return "\\textbackslash{}";
    case '~': return "\\textasciitilde{}";
    case '^': return "\\textasciicircum{}";
    case '<': return "\\textless{}";
    case '>': return "\\textgreater{}";
    case '|': return "\\textbar{}";
    case '&': return "\\&";
    case '%': return "\\%";
    case '$': return "\\$";
    case '#': return "\\#";
    case '_': return "\\_";
    case '{': return "\\{";
    case '}': return "\\}";
    case '[': return "{[}";
    case ']': return "{]}";
    case '*': return "{*}";
    case '"': return "{''}";                            /* \textquotedbl wants T1 fonts */
    case '-': return next == '-' ? "-{}" : NULL;        /* no dash made of two hyphens */
    default: return NULL;
    }
}

static void put_letter(FILE *f, char c, char next)
{
    const char *e = escaped(c, next);

    if (e)
        fputs(e, f);
    else
        putc(c, f);
}

/* "1.5e+20" in mathematics, with a true minus. */
static void put_number(FILE *f, const char *digits)
{
    const char *e = strchr(digits, 'e');

    if (strcmp(digits, "-") == 0)
        fputs("--", f);
    else if (strstr(digits, "inf"))
        fputs(digits[0] == '-' ? "$-\\infty$" : "$\\infty$", f);
    else if (e)
        fprintf(f, "$%.*s\\times10^{%d}$", (int)(e - digits), digits, atoi(e + 1));
    else
        fprintf(f, digits[0] == '-' ? "$%s$" : "%s", digits);
}

/* A plain number, which siunitx may align at its point. */
static bool plain(const struct grid_cell *cell)
{
    return cell->number && cell->text[strspn(cell->text, "-0123456789.")] == '\0' && strcmp(cell->text, "-") != 0;
}

static void put_line(FILE *f, const struct grid *g, size_t line, bool aligned)
{
    for (size_t i = 0; i < g->ncolumn; i++) {
        const struct grid_cell *cell = grid_at(g, line, i);
        const bool braces = aligned && !g->left[i] && !plain(cell);

        fputs(i ? " & " : "", f);
        fputs(braces ? "{" : "", f);
        if (aligned && !g->left[i] && plain(cell))
            fputs(cell->text, f);
        else if (cell->number)
            put_number(f, cell->text);
        else
            cells_letters(f, cell->text, put_letter);
        fputs(braces ? "}" : "", f);
    }
    fputs(" \\\\\n", f);
}

/* "S[table-format=-3.2]": room for the most digits on either side of the point. */
static void put_format(FILE *f, const struct grid *g, size_t column)
{
    size_t whole = 1, part = 0;
    bool minus = false;

    for (size_t r = g->nhead; r < g->nhead + g->nrow; r++) {
        const struct grid_cell *cell = grid_at(g, r, column);
        const char *digits = cell->text + (cell->text[0] == '-'), *point = strchr(digits, '.');
        const size_t before = strspn(digits, "0123456789"), behind = point ? strlen(point + 1) : 0;

        if (!plain(cell))
            continue;
        minus = minus || digits > cell->text;
        whole = before > whole ? before : whole;
        part = behind > part ? behind : part;
    }
    fprintf(f, "S[table-format=%s%zu.%zu]", minus ? "-" : "", whole, part);
}

/* Letters and digits, with one hyphen for all that is between them; what stands in brackets is left out. */
static void put_words(FILE *f, const char *text)
{
    bool gap = false;
    int depth = 0;

    for (; *text; text++) {
        depth += *text == '(';
        if (depth == 0 && isalnum((unsigned char)*text)) {
            fprintf(f, "%s%c", gap ? "-" : "", tolower((unsigned char)*text));
            gap = false;
        } else {
            gap = true;
        }
        depth -= *text == ')' && depth > 0;
    }
}

/* "tab:metapath-statistics-torus-8x8": the title, and the network where the request has one. */
static void put_label(FILE *f, const struct table *t, const char *title)
{
    const char *network = NULL;
    size_t n = 0;

    for (size_t i = 0; i < t->nrequest; i++)
        if (strcmp(t->request[2 * i], "topology") == 0) {
            network = t->request[2 * i + 1];
            n++;
        }
    fputs("\\label{tab:", f);
    put_words(f, title);
    if (n == 1) {
        putc('-', f);
        put_words(f, network);
    }
    fputs("}\n", f);
}

struct latex {
    struct cells cells;         /* must be first */
    bool sideways, scaled;      /* turned, on a page of its own; and drawn as narrow as that */
};

/* How wide letters and gaps are, as far as can be told, and the room there is: the width of a column, or that of an
 * article's text, or, of a table that is turned, its height. */
static const struct letters {
    const char *name;
    double wide, gap, room;
} letters[] = { { "small", 5.3, 4, 252 }, { "footnotesize", 4.8, 3, 252 }, { "scriptsize", 4.2, 3, 252 },
                { "small", 5.3, 6, 345 }, { "footnotesize", 4.8, 4, 345 }, { "scriptsize", 4.2, 3, 345 },
                { "small", 5.3, 6, 550 }, { "footnotesize", 4.8, 4, 550 }, { "scriptsize", 4.2, 3, 550 } };

#define SIZES 3

/* The largest letters with which it fits; NULL: memory. */
static const struct letters *choose_letters(struct latex *own, const struct grid *g, bool column)
{
    const struct letters *l = column ? letters : letters + SIZES,
        *const last = column ? letters + SIZES - 1 : letters + sizeof letters / sizeof *letters - 1;
    size_t *width = calloc(g->ncolumn + 1, sizeof *width), sum;

    if (!width)
        return NULL;
    sum = grid_measure(width, g, 0);
    free(width);
    while (l < last && (double)sum * l->wide + 2 * l->gap * (double)g->ncolumn > l->room)
        l++;
    own->scaled = (double)sum * l->wide + 2 * l->gap * (double)g->ncolumn > l->room;
    own->sideways = l->room > letters[SIZES].room;
    return l;
}

static int put_caption(struct table_writer *w, const struct grid *g, struct err *err)
{
    struct latex *own = w->own;
    const struct grid_plan *plan = &own->cells.plan;
    const struct paper *paper = &w->view->paper;
    const char *title = paper->caption ? paper->caption : plan->title;
    const struct letters *l = choose_letters(own, g, paper->column);
    FILE *f = w->stream;

    if (!l)
        return err_memory(err);
    fprintf(f, "%% \\usepackage{booktabs%s%s}\n\\begin{%s\n\\centering\\sloppy\n", own->sideways ? ",rotating" :
            own->scaled ? ",graphicx" : "", paper->siunitx ? ",siunitx" : "", own->sideways ? "sidewaystable}" : "table}[tb]");
    if (title) {
        fputs("\\caption{", f);
        cells_letters(f, title, put_letter);
        fputs(plan->common ? ". " : "", f);
        cells_letters(f, plan->common ? plan->common : "", put_letter);
        fputs("}\n", f);
    }
    if (paper->label)
        fprintf(f, "\\label{%s}\n", paper->label);
    else if (plan->title)
        put_label(f, w->given, w->table->title ? w->table->title : plan->title);
    fprintf(f, "\\%s\\setlength{\\tabcolsep}{%gpt}\n%s", l->name, l->gap, own->scaled ?
            "\\resizebox{\\linewidth}{!}{%\n" : "");
    return 0;
}

static int table_latex_block(struct table_writer *w, const struct grid *g, bool first, struct err *err)
{
    const bool aligned = w->view->paper.siunitx;

    if (first) {
        if (put_caption(w, g, err) < 0)
            return -1;
        fputs("\\begin{tabular}{", w->stream);
        for (size_t i = 0; i < g->ncolumn; i++)
            if (aligned && !g->left[i])
                put_format(w->stream, g, i);
            else
                putc(g->left[i] ? 'l' : 'r', w->stream);
        fputs("}\n\\toprule\n", w->stream);
    }
    for (size_t r = first ? 0 : g->nhead; r < g->nhead + g->nrow; r++) {
        fputs(r == g->nhead && first ? "\\midrule\n" : "", w->stream);
        put_line(w->stream, g, r, aligned);
    }
    return 0;
}

static void put_note(struct table_writer *w, size_t i, const char *note)
{
    fputs(i ? "\\par\n" : "\\par\\medskip\n\\raggedright\\footnotesize\n", w->stream);
    cells_letters(w->stream, note, put_letter);
    putc('\n', w->stream);
}

static int table_latex_end(struct table_writer *w, struct err *err)
{
    const struct latex *own = w->own;

    if (cells_flush(w, err) < 0)
        return -1;
    fprintf(w->stream, "\\bottomrule\n\\end{tabular}%s\n", own->scaled ? "}" : "");
    if (cells_notes(w, put_note, err) < 0)
        return -1;
    fprintf(w->stream, "\\end{%stable}\n", own->sideways ? "sideways" : "");
    return 0;
}

const struct table_format table_format_latex = {
    .name = "latex", .sought = "tex", .people = true, .typeset = true,
    .summary = "a table with booktabs rules, caption and label", .extension = ".tex",
    .state = sizeof(struct latex), .block = table_latex_block,
    .begin = cells_begin, .row = cells_row, .end = table_latex_end, .release = cells_release };
