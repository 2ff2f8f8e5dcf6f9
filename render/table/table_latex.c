#include <ctype.h>
#include <stdlib.h>
#include <string.h>

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

static int put_line(FILE *f, const struct grid *g, size_t line, struct err *err)
{
    for (size_t i = 0; i < g->ncolumn; i++) {
        const struct grid_cell *cell = grid_at(g, line, i);

        fputs(i ? " & " : "", f);
        if (cell->number)
            put_number(f, cell->text);
        else if (cells_letters(f, cell->text, put_letter, err) < 0)
            return -1;
    }
    fputs(" \\\\\n", f);
    return 0;
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

/* The largest letters, and gaps between columns, with which it fits the 345 points of an article's text, as far as can
 * be told: of 9 points a letter is some 5.1 wide. */
static int put_size(FILE *f, const struct grid *g, struct err *err)
{
    static const struct {
        const char *letters;
        double wide, gap;
    } size[] = { { "small", 5.1, 6 }, { "footnotesize", 4.6, 4 }, { "scriptsize", 4.0, 3 } };
    size_t *width = calloc(g->ncolumn + 1, sizeof *width), i = 0, sum;

    if (!width)
        return err_memory(err);
    sum = grid_measure(width, g, 0);
    free(width);
    while (i < 2 && (double)sum * size[i].wide + 2 * size[i].gap * (double)g->ncolumn > 345)
        i++;
    fprintf(f, "\\%s\\setlength{\\tabcolsep}{%gpt}\n", size[i].letters, size[i].gap);
    return 0;
}

static int put_caption(struct table_writer *w, const struct grid *g, struct err *err)
{
    const struct grid_plan *plan = &((struct cells *)w->own)->plan;
    FILE *f = w->stream;

    fputs("% \\usepackage{booktabs}\n\\begin{table}[tb]\n\\centering\\sloppy\n", f);
    if (plan->title) {
        fputs("\\caption{", f);
        if (cells_letters(f, plan->title, put_letter, err) < 0)
            return -1;
        fputs(plan->common ? ". " : "", f);
        if (plan->common && cells_letters(f, plan->common, put_letter, err) < 0)
            return -1;
        fputs("}\n", f);
        put_label(f, w->given, w->table->title ? w->table->title : plan->title);
    }
    return put_size(f, g, err);
}

static int table_latex_block(struct table_writer *w, const struct grid *g, bool first, struct err *err)
{
    if (first) {
        if (put_caption(w, g, err) < 0)
            return -1;
        fputs("\\begin{tabular}{", w->stream);
        for (size_t i = 0; i < g->ncolumn; i++)
            putc(g->left[i] ? 'l' : 'r', w->stream);
        fputs("}\n\\toprule\n", w->stream);
    }
    for (size_t r = first ? 0 : g->nhead; r < g->nhead + g->nrow; r++) {
        fputs(r == g->nhead && first ? "\\midrule\n" : "", w->stream);
        if (put_line(w->stream, g, r, err) < 0)
            return -1;
    }
    return 0;
}

static int table_latex_begin(struct table_writer *w, struct err *err)
{
    return cells_begin(w, sizeof(struct cells), table_latex_block, err);
}

static int table_latex_end(struct table_writer *w, struct err *err)
{
    if (cells_flush(w, err) < 0)
        return -1;
    fputs("\\bottomrule\n\\end{tabular}\n", w->stream);
    for (size_t i = 0; i < w->table->nnote; i++) {
        fputs(i ? "\\par\n" : "\\par\\medskip\n\\raggedright\\footnotesize\n", w->stream);
        if (cells_letters(w->stream, w->table->note[i], put_letter, err) < 0)
            return -1;
        putc('\n', w->stream);
    }
    fputs("\\end{table}\n", w->stream);
    return 0;
}

const struct table_format table_format_latex = {
    .name = "latex", .people = true,
    .summary = "a table with booktabs rules, caption and label", .extension = ".tex",
    .begin = table_latex_begin, .row = cells_row, .end = table_latex_end, .release = cells_release };
