#include <stdlib.h>
#include <string.h>

#include "render/table/cells.h"
#include "graph/base/utf8.h"

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
static void put_number(FILE *f, const struct cell *cell, int decimals)
{
    char digits[CELL_DIGITS], *e;

    cell_number(digits, cell, decimals);
    e = strchr(digits, 'e');
    if (strcmp(digits, "-") == 0)
        fputs("--", f);
    else if (strstr(digits, "inf"))
        fputs(digits[0] == '-' ? "$-\\infty$" : "$\\infty$", f);
    else if (e)
        fprintf(f, "$%.*s\\times10^{%d}$", (int)(e - digits), digits, atoi(e + 1));
    else
        fprintf(f, digits[0] == '-' ? "$%s$" : "%s", digits);
}

static int put_comment(FILE *f, const char *text, struct err *err)
{
    char *line = utf8_line(text);

    if (!line)
        return err_memory(err);
    fprintf(f, "%% %s\n", line);
    free(line);
    return 0;
}

static void put_rule(FILE *f, const bool *text, size_t ncolumn, bool above)
{
    fputs(above ? "\\begin{tabular}{" : "\\midrule\n", f);
    for (size_t i = 0; above && i < ncolumn; i++)
        putc(text[i] ? 'l' : 'r', f);
    fputs(above ? "}\n\\toprule\n" : "", f);
}

static int table_latex_begin(struct table_writer *w, struct err *err)
{
    struct cells *c;

    if (cells_begin(w, sizeof *c, err) < 0)
        return -1;
    c = w->own;
    c->first = "";
    c->between = " & ";
    c->last = " \\\\\n";
    c->letter = put_letter;
    c->number = put_number;
    c->rule = put_rule;
    if (w->table->title && put_comment(w->stream, w->table->title, err) < 0)
        return -1;
    fputs("% \\usepackage{booktabs}\n", w->stream);
    return 0;
}

static int table_latex_end(struct table_writer *w, struct err *err)
{
    if (cells_flush(w, err) < 0)
        return -1;
    fputs("\\bottomrule\n\\end{tabular}\n", w->stream);
    for (size_t i = 0; i < w->table->nnote; i++)
        if (put_comment(w->stream, w->table->note[i], err) < 0)
            return -1;
    return 0;
}

const struct table_format table_format_latex = {
    .name = "latex", .people = true,
    .summary = "a tabular with booktabs rules", .extension = ".tex",
    .begin = table_latex_begin, .row = cells_row, .end = table_latex_end, .release = cells_release };
