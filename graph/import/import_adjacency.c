#include "graph/base/csv.h"
#include "graph/import/links.h"
#include "texts/import.h"

/* A square matrix in CSV: cell (i,j) is the weight of the edge i->j, 0 where there is none. With names above, or
 * above and at the left. A matrix that equals its mirror image is an undirected network. */

struct matrix {
    struct csv csv;             /* its heading is the first row of the file, whatever is in it */
    size_t first_line;
    size_t top, left;           /* rows and columns of names: 0 or 1 */
    size_t n;
    double *cell;               /* n x n */
};

static const char *at(const struct matrix *m, size_t row, size_t col)
{
    return row == 0 ? m->csv.heading[col] : csv_at(&m->csv, row - 1, (int)col);
}

static size_t line_of(const struct matrix *m, size_t row)
{
    return row == 0 ? m->first_line : m->csv.line[row - 1];
}

static bool adjacency_number(const char *text, double *out)
{
    char *end;

    *out = strtod(text, &end);
    return end != text && end[strspn(end, " \t")] == '\0';
}

static bool all_numbers(char *const *row, size_t n)
{
    double v;

    for (size_t i = 0; i < n; i++)
        if (!adjacency_number(row[i], &v))
            return false;
    return true;
}

/* Where the names are: a first row that is not all numbers, or that makes one too many, is one of names; the first
 * column is names when there are as many columns as rows with such a heading. */
static int adjacency_measure(struct matrix *m, const char *path, struct err *err)
{
    size_t rows = m->csv.nrow + 1, cols = m->csv.ncol;

    m->top = all_numbers(m->csv.heading, cols) && rows != cols + 1 ? 0 : 1;
    m->left = m->top && cols == rows ? 1 : 0;
    m->n = rows - m->top;
    if (m->n == 0 || cols - m->left != m->n)
        return err_set(err, ERR_FORMAT, "%s is not square: it has %zu rows and %zu columns of numbers", path, m->n,
                       cols - m->left);
    return 0;
}

static int wrong_cell(const struct matrix *m, size_t i, size_t j, const char *path, const char *what, struct err *err)
{
    return err_set(err, ERR_FORMAT, "%s:%zu: '%.40s' in column %zu %s", path, line_of(m, i + m->top),
                   at(m, i + m->top, j + m->left), j + m->left + 1, what);
}

static int read_cells(struct matrix *m, const char *path, struct err *err)
{
    if (TAKE("the network", err, ARRAY(m->cell, m->n * m->n)) < 0)
        return -1;
    for (size_t i = 0; i < m->n; i++)
        for (size_t j = 0; j < m->n; j++) {
            double *v = &m->cell[i * m->n + j];

            if (!adjacency_number(at(m, i + m->top, j + m->left), v) || !isfinite(*v) || *v < 0)
                return wrong_cell(m, i, j, path, "is not a weight; write a number, 0 where there is no edge", err);
            if (i == j && *v != 0)
                return wrong_cell(m, i, j, path, "is on the diagonal, which must be 0: a node has no link to itself",
                                  err);
        }
    return 0;
}

static int read_names(const struct matrix *m, struct import *in, const char *path, struct err *err)
{
    if (TAKE("the network", err, ZEROS(in->name, m->n)) < 0)
        return -1;
    for (size_t i = 0; i < m->n; i++) {
        const char *name = at(m, 0, i + m->left);

        if (m->left && strcmp(name, at(m, i + 1, 0)) != 0)
            return err_set(err, ERR_FORMAT, "%s:%zu begins with '%.40s', but the name above column %zu is '%.40s'; "
                           "rows and columns come in the same order", path, line_of(m, i + 1), at(m, i + 1, 0),
                           i + m->left + 1, name);
        in->name[i] = text_copy(name, strlen(name));
        if (!in->name[i])
            return err_memory(err);
    }
    return 0;
}

static bool is_edge(const struct matrix *m, bool directed, size_t i, size_t j)
{
    return m->cell[i * m->n + j] != 0 && (directed || i < j);
}

/* directed: the matrix differs from its mirror image; weighted: an entry is neither 0 nor 1. */
static size_t survey(const struct matrix *m, bool *directed, bool *weighted)
{
    size_t edges = 0;

    *directed = *weighted = false;
    for (size_t i = 0; i < m->n; i++)
        for (size_t j = 0; j < m->n; j++) {
            double v = m->cell[i * m->n + j];

            *weighted = *weighted || (v != 0 && v != 1);
            *directed = *directed || v != m->cell[j * m->n + i];
            edges += v != 0;
        }
    return *directed ? edges : edges / 2;
}

static int import_adjacency_take_edges(const struct matrix *m, struct import *in, struct err *err)
{
    bool weighted;
    size_t edges = survey(m, &in->directed, &weighted), e = 0;

    if (TAKE("the network", err, ARRAY(in->end, 2 * edges + 1), ARRAY(in->line, edges + 1),
             ARRAY_IF(weighted, in->weight, edges)) < 0)
        return -1;
    for (size_t i = 0; i < m->n; i++)
        for (size_t j = 0; j < m->n; j++) {
            if (!is_edge(m, in->directed, i, j))
                continue;
            in->end[2 * e] = (int)i;
            in->end[2 * e + 1] = (int)j;
            in->line[e] = line_of(m, i + m->top);
            if (weighted)
                in->weight[e] = m->cell[i * m->n + j];
            e++;
        }
    in->nedge = e;
    return 0;
}

/* Line of the first row: csv.h tells it of the rows below only. */
static size_t first_line(const char *text)
{
    size_t line = 1;

    for (; *text == '#' || *text == '\n' || *text == '\r'; text++) {
        text += *text == '#' ? strcspn(text, "\n") : 0;
        line += *text == '\n';
        if (!*text)
            break;
    }
    return line;
}

static int adjacency_read(struct import *in, const char *text, size_t len, const char *path, struct err *err)
{
    struct matrix m = { .first_line = first_line(text) };
    int ret = -1;

    if (csv_parse(&m.csv, text, len, path, err) < 0)
        return -1;
    if (adjacency_measure(&m, path, err) < 0 || read_cells(&m, path, err) < 0)
        goto done;
    in->n = (int)m.n;
    if ((m.top && read_names(&m, in, path, err) < 0) || import_adjacency_take_edges(&m, in, err) < 0)
        goto done;
    ret = 0;
done:
    if (ret < 0 && m.csv.ncol <= 3 && err->code == ERR_FORMAT) {
        const struct err as_matrix = *err;

        err_set(err, ERR_FORMAT, "%.500s (a list of edges begins with a heading, as in source,target)", as_matrix.msg);
    }
    free(m.cell);
    csv_release(&m.csv);
    return ret;
}

/* Commas on the first line, and below it, if there is anything, another row that ends in a number. */
static int adjacency_sniff(const char *text, size_t len, struct err *err)
{
    const char *p = text, *row, *last;
    char *end;
    int links;

    while (*p == '#' || *p == '\n' || *p == '\r')
        p += *p == '#' ? strcspn(p, "\r\n") : 1;
    row = p + strcspn(p, "\r\n");
    if (p >= text + len || *p == '<' || !memchr(p, ',', (size_t)(row - p)))
        return 0;
    links = links_heading(text, len, err);
    if (links != 0)
        return links < 0 ? -1 : 0;
    row += strspn(row, "\r\n");
    last = row + strcspn(row, "\r\n");
    while (last > row && last[-1] != ',')
        last--;
    if (last == row)
        return 0;
    (void)strtod(last, &end);
    return end != last && strchr(" \t\r\n", *end);
}

const struct import_format import_adjacency = {
    IMPORT_ADJACENCY_ENTRY,
    .states_direction = true, .sniff = adjacency_sniff, .read = adjacency_read };
