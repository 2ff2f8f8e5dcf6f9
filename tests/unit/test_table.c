/* One awkward table through every format, judged from outside; then what each format alone promises. */
#include <inttypes.h>
#include <jansson.h>
#include <string.h>

#include "graph/base/csv.h"
#include "graph/base/file.h"
#include "render/page/plot.h"
#include "render/table/filter.h"
#include "render/table/grid.h"
#include "render/table/pivot.h"
#include "render/table/table.h"
#include "graph/base/utf8.h"
#include "tests/support/check.h"

static const struct column columns[] = {
    { "name", NULL, NULL, -1, LOOSE }, { "mean_length_hops", NULL, "hops", -1, LOOSE },
    { "wait_us", "Mean wait", "µs", 2, LOOSE }, { "share_percent", "Share & rest_", "%", 1, LOOSE },
    { "count", NULL, NULL, -1, LOOSE },
};
static const struct {
    const char *text;
    double real;
    int64_t integer;
} cells[] = {
    { "plain", 1.0 / 3, 0 },
    { "say \"it\", twice", 0.1, -1 },
    { "two\nlines\r\nand a tab\t", 1e300, INT64_MAX },
    { "a|b & 5% of $3_{x}^2 ~\\#*<i>`c`", -1e-300, INT64_MIN },
    { "naïve 中文 שלום", 16777217, 7 },
    { "", NAN, 1 },
    { " blanks ", INFINITY, 2 },
    { "# no comment", -INFINITY, 3 },
    { "[1] first", -0.0, 4 },
    { "bad \xff\xc3 bytes \xed\xa0\x80 \x1b[31m", 4.9e-324, 5 },
    { NULL, 123456.789, 6 },
};

static void awkward(struct table *t)
{
    table_init(t, "Awkward \"title\" 100% | _x_", columns, COUNT(columns));
    EACH_ROW(i, cells)
        table_add(t, ROW(cell_text("name", cells[i].text), cell_real("mean_length_hops", cells[i].real),
                         cell_real("wait_us", cells[i].real), cell_real("share_percent", cells[i].real),
                         cell_int("count", cells[i].integer)));
    table_note(t, "%d notes,\none of them long", 1);
    table_request(t, "topology", "torus:4x4");
    table_request(t, "supernode", "sga:1");
    table_request(t, "supernode", "sga:2");
    table_request(t, "supernode", "dga:\"1\"");
}

/* Five whole numbers. */
static void plain_row(struct table *t, int64_t n)
{
    table_add(t, ROW(cell_int("name", n), cell_int("mean_length_hops", n), cell_int("wait_us", n),
                     cell_int("share_percent", n), cell_int("count", n)));
}

/* The bytes, and a NUL behind them. */
static char *written_as(const struct table *t, const char *format, const struct table_view *view, size_t *size)
{
    struct err err = { ERR_NONE, "" };
    char *text = NULL;
    FILE *f = open_memstream(&text, size);

    assert_non_null(f);
    assert_non_null(table_format_find(format, NULL));
    assert_int_equal(table_write(t, table_format_find(format, NULL), f, view, &err), 0);
    assert_int_equal(fclose(f), 0);
    return text;
}

static char *written(const struct table *t, const char *format)
{
    size_t size = 0;
    char *text = written_as(t, format, NULL, &size);

    assert_int_equal(strlen(text), size);
    return text;
}

/* A page, of which few rows fill the most there can be. */
static bool is_drawn(const struct table_format *f)
{
    return plot_find(f->name, NULL) != NULL;
}

static size_t count(const char *text, const char *what)
{
    size_t n = 0;

    for (const char *p = text; (p = strstr(p, what)) != NULL; p += strlen(what))
        n++;
    return n;
}

/* ---- facts about one format each --------------------------------------------------------------------- */

static void csv_reads_back(const char *text)
{
    struct err err = { ERR_NONE, "" };
    struct csv csv;

    assert_int_equal(csv_parse(&csv, text, strlen(text), "awkward", &err), 0);
    assert_int_equal(csv.nrow, COUNT(cells));
    assert_int_equal(csv.ncol, COUNT(columns));
    EACH_ROW(i, columns)
        assert_string_equal(csv.heading[i], columns[i].name);
    EACH_ROW(r, cells) {
        const char *real = csv_at(&csv, r, 1);
        double back = strtod(real, NULL);

        assert_string_equal(csv_at(&csv, r, 0), cells[r].text ? cells[r].text : "");
        if (isnan(cells[r].real))
            assert_string_equal(real, "");
        else
            assert_memory_equal(&back, &cells[r].real, sizeof back);
        assert_true(strtoll(csv_at(&csv, r, 4), NULL, 10) == cells[r].integer);
    }
    assert_string_equal(csv_at(&csv, 1, 1), "0.1");
    csv_release(&csv);
}

static void json_reads_back(const char *text)
{
    json_error_t at;
    json_t *doc = json_loads(text, JSON_REJECT_DUPLICATES, &at), *rows, *request;

    assert_non_null(doc);
    assert_string_equal(json_string_value(json_object_get(doc, "version")), VERSION);
    assert_string_equal(json_string_value(json_object_get(doc, "title")), "Awkward \"title\" 100% | _x_");
    request = json_object_get(doc, "request");
    assert_string_equal(json_string_value(json_object_get(request, "topology")), "torus:4x4");
    assert_int_equal(json_array_size(json_object_get(request, "supernode")), 3);
    assert_string_equal(json_string_value(json_array_get(json_object_get(request, "supernode"), 2)), "dga:\"1\"");
    assert_int_equal(json_array_size(json_object_get(doc, "columns")), COUNT(columns));
    rows = json_object_get(doc, "rows");
    assert_int_equal(json_array_size(rows), COUNT(cells));
    EACH_ROW(r, cells) {
        const json_t *row = json_array_get(rows, r), *name = json_object_get(row, "name");
        const json_t *real = json_object_get(row, "mean_length_hops");

        assert_true(json_integer_value(json_object_get(row, "count")) == cells[r].integer);
        if (!isfinite(cells[r].real))
            assert_true(json_is_null(real));
        else
            assert_true(json_real_value(real) == cells[r].real);
        if (!cells[r].text)
            assert_true(json_is_null(name));
        else if (strchr(cells[r].text, '\xff'))
            assert_string_equal(json_string_value(name), "bad \ufffd\ufffd bytes \ufffd\ufffd\ufffd \x1b[31m");
        else
            assert_string_equal(json_string_value(name), cells[r].text);
    }
    assert_int_equal(json_array_size(json_object_get(doc, "notes")), 1);
    json_decref(doc);
}

static void markdown_holds(const char *text)
{
    char *copy = strdup(text), *save = NULL;
    size_t lines = 0;

    for (char *l = strtok_r(copy, "\n", &save); l; l = strtok_r(NULL, "\n", &save))
        if (l[0] == '|') {
            size_t bars = 0;

            for (char *p = l; *p; p++)
                bars += *p == '|' && p[-(p > l)] != '\\';
            assert_int_equal(bars, COUNT(columns) + 1);
            lines++;
        }
    assert_int_equal(lines, COUNT(cells) + 2);
    assert_non_null(strstr(text, "|:---|---:|---:|---:|---:|\n"));
    assert_non_null(strstr(text, "| Name | Mean length [hops] | Mean wait [µs] | Share \\& rest\\_ [%] | Count |\n"));
    assert_non_null(strstr(text, "a\\|b \\& 5% of $3\\_{x}^2 \\~\\\\#\\*\\<i>\\`c\\`"));
    free(copy);
}

static void latex_holds(const char *text)
{
    assert_non_null(strstr(text, "\\caption{Awkward {''}title{''} 100\\% \\textbar{} \\_x\\_}\n"
                                 "\\label{tab:awkward-title-100-x-torus-4x4}\n"
                                 "\\small\\setlength{\\tabcolsep}{6pt}\n\\begin{tabular}{lrrrr}\n\\toprule\n"));
    assert_non_null(strstr(text, " &  &  & Share &  \\\\\n & Mean length & Mean wait & \\& rest\\_ &  \\\\\n"
                                 "Name & {[}hops{]} & {[}µs{]} & {[}\\%{]} & Count \\\\\n\\midrule\n"));
    assert_non_null(strstr(text, "\n1 notes, one of them long\n\\end{sidewaystable}\n"));
    assert_non_null(strstr(text, "\na\\textbar{}b \\& 5\\% of \\$3\\_\\{x\\}\\textasciicircum{}2 \\textasciitilde{}"
                                 "\\textbackslash{}\\#{*}\\textless{}i\\textgreater{}`c` & "
                                 "$-1\\times10^{-300}$ & 0.00 & 0.0 & $-9223372036854775808$ \\\\\n"));
    assert_non_null(strstr(text, "\n{[}1{]} first & "));
    assert_int_equal(count(text, "\\infty$"), 6);
    assert_int_equal(count(text, " \\\\\n"), COUNT(cells) + 3);
    assert_non_null(strstr(text, "\\bottomrule\n\\end{tabular}\n\\par"));
}

static void text_holds(const char *text)
{
    assert_non_null(strstr(text, "Awkward \"title\" 100% | _x_\n\n        "));
    assert_non_null(strstr(text, "    Share\n     "));
    assert_non_null(strstr(text, " Mean length    Mean wait     & rest_\n"));
    assert_non_null(strstr(text, "      [hops]         [µs]         [%] "));
    assert_null(strstr(text, " \n"));
    assert_null(strstr(text, "\x1b"));
    assert_null(strstr(text, "\\x"));
    assert_null(strstr(text, "nan"));
    assert_null(strstr(text, "-0.0 "));
    assert_non_null(strstr(text, "naïve 中文 שלום"));
    assert_non_null(strstr(text, "two lines  and a tab "));
    assert_non_null(strstr(text, "1e+300"));
    assert_non_null(strstr(text, "\nplain                                 0.3333         0.33         0.3  "));
    assert_non_null(strstr(text, "\n\n1 notes, one of them long\n"));
}

static const struct format {
    const char *name, *path;
    void (*holds)(const char *text);
    bool raw;                   /* bytes of texts as they came: they must read back */
} formats[] = {
    { "csv", "x.csv", csv_reads_back, true },
    { "json", "x.JSON", json_reads_back, false },
    { "latex", "dir.csv/x.tex", latex_holds, false },
    { "markdown", "x.md", markdown_holds, false },
    { "text", "x.txt", text_holds, false },
};

static void awkward_table(void **state)
{
    const struct format *f = *state;
    struct table t;
    char *once, *twice;

    awkward(&t);
    once = written(&t, f->name);
    twice = written(&t, f->name);
    assert_string_equal(once, twice);
    for (const char *p = once; *p && !f->raw; p += utf8_length(p))
        assert_true(utf8_length(p) > 0);
    f->holds(once);
    assert_ptr_equal(table_format_for_path(f->path), table_format_find(f->name, NULL));
    free(once);
    free(twice);
    table_release(&t);
}

/* ---- what every format keeps, also one that has no row above ------------------------------------------ */

static void full_disk(void **state)
{
    (void)state;
    for (size_t i = 0; table_format_all[i]; i++) {
        struct err err = { ERR_NONE, "" };
        struct output out;
        struct table t;

        awkward(&t);
        for (int n = 0; n < (is_drawn(table_format_all[i]) ? 300 : 3000); n++)
            plain_row(&t, n);
        assert_int_equal(output_open(&out, "/dev/full", &err), 0);
        if (table_write(&t, table_format_all[i], out.stream, NULL, &err) == 0)
            assert_int_equal(output_commit(&out, &err), -1);
        output_abort(&out);
        assert_int_equal(err.code, ERR_IO);
        assert_non_null(strstr(err.msg, "No space left"));
        table_release(&t);
    }
}

static void no_rows_no_columns(void **state)
{
    (void)state;
    for (size_t i = 0; table_format_all[i]; i++) {
        struct table t;
        size_t size = 0;

        table_init(&t, NULL, columns, COUNT(columns));
        free(written_as(&t, table_format_all[i]->name, NULL, &size));
        assert_true(size > 0);
        table_release(&t);
        table_init(&t, NULL, NULL, 0);
        free(written_as(&t, table_format_all[i]->name, NULL, &size));
        table_release(&t);
    }
}

/* Rows kept or written one by one: the same bytes. */
static void row_by_row(void **state)
{
    (void)state;
    for (size_t i = 0; table_format_all[i]; i++) {
        struct err err = { ERR_NONE, "" };
        struct table_writer w;
        struct table t, empty;
        char *text = NULL, *whole;
        size_t len, size;
        FILE *f = open_memstream(&text, &len);

        awkward(&t);
        whole = written_as(&t, table_format_all[i]->name, NULL, &size);
        awkward(&empty);
        assert_int_equal(table_begin(&w, table_format_all[i], f, &empty, NULL, &err), 0);
        for (size_t r = 0; r < table_rows(&t); r++)
            assert_int_equal(table_row(&w, table_at(&t, r, 0), &err), 0);
        assert_int_equal(table_end(&w, &err), 0);
        assert_int_equal(fclose(f), 0);
        assert_int_equal(len, size);
        assert_memory_equal(text, whole, size);
        free(text);
        free(whole);
        table_release(&t);
        table_release(&empty);
    }
}

/* Every line of a table longer than one block is there, below its heading. */
static void long_table(void **state)
{
    static const struct column two[] = { { "n", NULL, NULL, -1, LOOSE }, { "square_bytes", NULL, "bytes", -1, LOOSE } };
    struct table t;

    (void)state;
    table_init(&t, NULL, two, 2);
    for (int64_t i = 0; i < 25000; i++)
        table_add(&t, ROW(cell_int("n", i % 7), cell_int("square_bytes", i + 100000)));
    for (size_t i = 0; table_format_all[i]; i++) {
        struct err err = { ERR_NONE, "" };
        char *text;

        if (is_drawn(table_format_all[i])) {
            assert_int_equal(table_write(&t, table_format_all[i], stdout, NULL, &err), -1);
            assert_int_equal(err.code, ERR_DOMAIN);
            assert_non_null(strstr(err.msg, "--top"));
            continue;
        }
        text = written(&t, table_format_all[i]->name);
        assert_int_equal(count(text, "124999"), 1);
        assert_int_equal(count(text, "110000"), 1);
        if (strcmp(table_format_all[i]->name, "text") == 0) {
            assert_int_equal(count(text, "Square"), 1);
            assert_non_null(strstr(text, "    Square\nN  [bytes]\n0   100000\n"));
            assert_non_null(strstr(text, "\n1   120000\n"));       /* blocks keep the widths */
        }
        free(text);
    }
    table_release(&t);
}

static void upright(void **state)
{
    struct table t;
    char *text;

    (void)state;
    table_init(&t, NULL, columns, COUNT(columns));
    t.upright = true;
    table_add_some(&t, ROW(cell_int("count", 16), cell_real("mean_length_hops", 2.5), cell_real("wait_us", 2),
                           cell_text("name", "torus:4x4")));
    text = written(&t, "text");
    assert_string_equal(text, "Name                torus:4x4\nMean length [hops]  2.5\nMean wait [µs]      2.00\n"
                              "Share & rest_ [%]   -\nCount               16\n");
    free(text);
    for (int i = 0; i < 60; i++)
        plain_row(&t, i);
    text = written(&t, "text");
    assert_int_equal(count(text, "\n"), 61 + 3);    /* below three lines of headings: too many to stand side by side */
    free(text);
    table_release(&t);
}

/* ---- what people read ---------------------------------------------------------------------------------- */

static const struct column runs[] = {
    { "network", NULL, NULL, 0, LOOSE }, { "routing", NULL, NULL, 0, LOOSE }, { "ports", NULL, NULL, 0, LOOSE },
    { "wait_cycles", NULL, "cycles", 1, LOOSE }, { "bound_hops", "Bound", "hops", 0, LOOSE }, { "winner", NULL, NULL, 0, LOOSE },
    { "quality", NULL, NULL, COLUMN_ASIDE, LOOSE },
};
static void runs_table(struct table *t, int rows)
{
    table_init(t, "Runs", runs, COUNT(runs));
    for (int i = 0; i < rows; i++)
        table_add(t, ROW(cell_text("network", "torus:32x16"), cell_text("routing", i % 2 ? "dor" : "ecmp"),
                         cell_int("ports", 2), cell_real("wait_cycles", 7 - i), cell_int("bound_hops", 9),
                         cell_none("winner"), cell_text("quality", "exact")));
}

/* Identifiers that never change go into the title, results only from four rows on, what is never known nowhere; a
 * single row keeps all. */
static void said_once(void **state)
{
    static const char *const want[] = {
        [1] = "Runs\n\n                                 Wait   Bound\n"
              "Network      Routing  Ports  [cycles]  [hops]  Winner\n"
              "torus:32x16  ecmp         2       7.0       9       -\n",
        [2] = "Runs: torus:32x16, ports 2\n\n             Wait   Bound\nRouting  [cycles]  [hops]\n"
              "ecmp          7.0       9\ndor           6.0       9\n",
        [4] = "Runs: torus:32x16, ports 2\nIn every row: bound 9 hops\n\n             Wait\nRouting  [cycles]\n"
              "ecmp          7.0\ndor           6.0\necmp          5.0\ndor           4.0\n",
    };
    struct table t;
    char *text;

    (void)state;
    for (int rows = 1; rows < (int)COUNT(want); rows++)
        if (want[rows]) {
            runs_table(&t, rows);
            text = written(&t, "text");
            assert_string_equal(text, want[rows]);
            free(text);
            table_release(&t);
        }
}

/* Exactly the columns named, in every format; what is not shown but leads the table is said in the title. */
static void columns_named(void **state)
{
    static const char *const name[] = { "quality", "routing" }, *const bad[] = { "routing", "qualty" },
                      *const twice[] = { "routing", "routing" };
    const struct table_view view = { .column = name, .ncolumn = 2 }, wide = { .wide = true };
    struct err err = { ERR_NONE, "" };
    struct table t;
    size_t size;
    char *text;

    (void)state;
    runs_table(&t, 2);
    text = written_as(&t, "csv", &view, &size);
    assert_string_equal(text, "quality,routing\nexact,ecmp\nexact,dor\n");
    free(text);
    text = written_as(&t, "text", &view, &size);
    assert_string_equal(text, "Runs: torus:32x16, ports 2\n\nQuality  Routing\nexact    ecmp\nexact    dor\n");
    free(text);
    text = written_as(&t, "json", &view, &size);
    assert_null(strstr(text, "torus"));
    assert_non_null(strstr(text, "{\"quality\": \"exact\", \"routing\": \"dor\"}"));
    free(text);
    text = written_as(&t, "csv", &wide, &size);
    assert_int_equal(count(text, "exact"), 2);
    free(text);
    table_add(&t, ROW(cell_text("network", "x"), cell_none("routing"), cell_none("ports"), cell_none("wait_cycles"),
                      cell_none("bound_hops"), cell_none("winner"), cell_text("quality", "refused")));
    text = written_as(&t, "text", &wide, &size);
    assert_int_equal(count(text, "exact") + count(text, "refused"), 3);
    free(text);
    assert_int_equal(table_view_check(&t, &(const struct table_view){ .column = bad, .ncolumn = 2 }, &err), -1);
    assert_non_null(strstr(err.msg, "'qualty' (did you mean 'quality'?)"));
    assert_int_equal(table_view_check(&t, &(const struct table_view){ .column = twice, .ncolumn = 2 }, &err), -1);
    assert_int_equal(err.code, ERR_USAGE);
    table_release(&t);
}

/* On a screen that is too narrow rows stand side by side, as many as there is room for; sentences go on at blanks, and
 * a name that is wider than the screen stands whole on a line of its own. */
static void records(void **state)
{
    const struct table_view view = { .width = 30 };
    struct table t;
    size_t size;
    char *text;

    (void)state;
    runs_table(&t, 3);
    table_add(&t, ROW(cell_text("network", "mesh:4x4"), cell_text("routing", "metapath:sga:1,shares=bandwidth"),
                      cell_int("ports", 2), cell_real("wait_cycles", 1), cell_int("bound_hops", 9),
                      cell_text("winner", "none of them by any measure"), cell_none("quality")));
    table_note(&t, "A sentence longer than the screen goes on below.");
    text = written_as(&t, "text", &view, &size);
    assert_string_equal(text, "Runs: ports 2\nIn every row: bound 9 hops\n\n"
        "Network        torus:32x16\nRouting        ecmp\nWait [cycles]  7.0\nWinner         -\n\n"
        "Network        torus:32x16\nRouting        dor\nWait [cycles]  6.0\nWinner         -\n\n"
        "Network        torus:32x16\nRouting        ecmp\nWait [cycles]  5.0\nWinner         -\n\n"
        "Network        mesh:4x4\nRouting        \nmetapath:sga:1,shares=bandwidth\nWait [cycles]  1.0\n"
        "Winner         none of them by\n               any measure\n\n"
        "A sentence longer than the\n  screen goes on below.\n");
    free(text);
    table_release(&t);
}

/* Columns that yield leave from the right until 100 columns hold the table, those that yield last after them; asked for
 * by name or all, they are there. A file has the same columns, on one line a row. */
static void yielding(void **state)
{
    static const struct column wide[] = {
        { "name", NULL, NULL, 0, LOOSE }, { "late", NULL, NULL, YIELDS_LAST(0), LOOSE }, { "first", NULL, NULL, YIELDS(0), LOOSE },
        { "second", NULL, NULL, YIELDS(0), LOOSE }, { "stays", NULL, NULL, 0, LOOSE } };
    static const struct {
        int width;              /* of the cells in the columns that yield */
        const char *head, *said;
    } expected[] = { { 20, "Late First Second Stays", NULL }, { 30, "Late First Stays", "(--wide also shows Second)" },
                     { 44, "Late Stays", "(--wide also shows First, Second)" },
                     { 92, "Stays", "(--wide also shows Late, First, Second)" } };
    const struct table_view all = { .wide = true }, narrow = { .width = 30 };

    (void)state;
    EACH_ROW(i, expected)
        for (int shows = 0; shows < 2; shows++) {
            char cell[100], head[200], *text, *word, *save = NULL;
            struct table t;
            size_t size;

            snprintf(cell, sizeof cell, "%0*d", expected[i].width, 7);
            table_init(&t, NULL, wide, COUNT(wide));
            for (int r = 0; r < 2; r++)
                table_add(&t, ROW(cell_text("name", r ? "b" : "a"), cell_text("late", cell + r),
                                  cell_text("first", cell + r), cell_text("second", cell + r),
                                  cell_text("stays", r ? "y" : "x")));
            text = written_as(&t, "text", shows ? &all : NULL, &size);
            if (!shows && expected[i].said)
                assert_non_null(strstr(text, expected[i].said));
            else
                assert_null(strstr(text, "--wide"));
            *strchr(text, '\n') = '\0';
            head[0] = '\0';
            strtok_r(text, " ", &save);
            while ((word = strtok_r(NULL, " ", &save)) != NULL)
                strcat(strcat(head, *head ? " " : ""), word);
            assert_string_equal(head, shows ? expected[0].head : expected[i].head);
            free(text);
            text = written_as(&t, "text", &narrow, &size);
            if (expected[i].width < 92) {                   /* records have room for all */
                assert_non_null(strstr(text, "\nFirst "));
                assert_null(strstr(text, "--wide"));
            }
            free(text);
            table_release(&t);
        }
}

/* Numbers as numbers, digits within words too, the unknown last both ways, and equals as they stood. */
static void sorted(void **state)
{
    static const struct column two[] = { { "key", NULL, NULL, 0, LOOSE }, { "place", NULL, NULL, 0, LOOSE } };
    static const char *const both[] = { "key", "-key" };
    struct rng rng;
    struct err err = { ERR_NONE, "" };
    struct table t;
    char *text;

    (void)state;
    table_init(&t, NULL, two, 2);
    table_add(&t, ROW(cell_none("key"), cell_int("place", 0)));
    table_add(&t, ROW(cell_text("key", "torus:16x16"), cell_int("place", 1)));
    table_add(&t, ROW(cell_text("key", "torus:8x8"), cell_int("place", 2)));
    table_add(&t, ROW(cell_int("key", 10), cell_int("place", 3)));
    table_add(&t, ROW(cell_real("key", 9.5), cell_int("place", 4)));
    table_add(&t, ROW(cell_int("key", 10), cell_int("place", 5)));
    assert_int_equal(table_sort(&t, "key", &err), 0);
    text = written(&t, "csv");
    assert_string_equal(text, "key,place\n9.5,4\n10,3\n10,5\ntorus:8x8,2\ntorus:16x16,1\n,0\n");
    free(text);
    assert_int_equal(table_sort(&t, "-key", &err), 0);
    table_top(&t, 4);
    text = written(&t, "csv");
    assert_string_equal(text, "key,place\ntorus:16x16,1\ntorus:8x8,2\n10,3\n10,5\n");
    free(text);
    assert_int_equal(table_sort(&t, "-kez", &err), -1);
    assert_non_null(strstr(err.msg, "'kez' (did you mean 'key'?)"));
    table_release(&t);
    EACH_ROW(i, both) {              /* neighbours that a double does not tell apart */
        table_init(&t, NULL, two, 2);
        table_add(&t, ROW(cell_int("key", 9007199254740993), cell_int("place", 3)));
        table_add(&t, ROW(cell_int("key", 9007199254740992), cell_int("place", 2)));
        assert_int_equal(table_sort(&t, both[i], &err), 0);
        assert_int_equal(table_at(&t, 0, 1)->u.integer, i == 0 ? 2 : 3);
        table_release(&t);
    }
    rng_seed(&rng, check_seed());
    table_init(&t, NULL, two, 2);
    for (int i = 0; i < 500; i++)
        table_add(&t, ROW(cell_int("key", (int64_t)(rng_next(&rng) % 20)), cell_int("place", i)));
    assert_int_equal(table_sort(&t, "-key", &err), 0);
    for (size_t r = 1; r < 500; r++) {
        const int64_t a = table_at(&t, r - 1, 0)->u.integer, b = table_at(&t, r, 0)->u.integer;

        assert_true(a > b || (a == b && table_at(&t, r - 1, 1)->u.integer < table_at(&t, r, 1)->u.integer));
    }
    table_release(&t);
}

/* Of a text element of an SVG: where it begins, how long it is, its baseline. */
struct piece {
    double x, y, length;
};

/* Everything that is drawn lies on the page, and nothing lies on what stands on the same line. */
static void drawn_apart(void **state)
{
    struct piece piece[400];
    struct table t;
    size_t size, n = 0;
    double width, height;
    char *text;

    (void)state;
    awkward(&t);
    table_note(&t, "A note that is far longer than the table is wide, so that it has to go on and on and on and on and "
               "on and on and on and on and on and on and on and on and on and on and on and on and on in lines.");
    table_note(&t, "file:a-path-%0200d.graphml", 7);
    text = written_as(&t, "svg", NULL, &size);
    assert_int_equal(sscanf(strstr(text, "viewBox="), "viewBox=\"0 0 %lf %lf\"", &width, &height), 2);
    for (const char *p = text; (p = strstr(p, "textLength=\"")) != NULL; p++) {
        const char *element = p;

        while (strncmp(element, " x=\"", 4) != 0)
            element--;
        assert_true(n < COUNT(piece));
        assert_int_equal(sscanf(element, " x=\"%lf\" y=\"%lf\"", &piece[n].x, &piece[n].y), 2);
        assert_int_equal(sscanf(p, "textLength=\"%lf\"", &piece[n].length), 1);
        n++;
    }
    assert_true(n >= 5 * COUNT(cells));
    for (size_t i = 0; i < n; i++) {
        assert_true(piece[i].x >= 0 && piece[i].x + piece[i].length <= width && piece[i].y >= 5 && piece[i].y < height);
        for (size_t k = 0; k < i; k++)
            if (piece[k].y == piece[i].y && piece[k].x < piece[i].x + piece[i].length - 0.05 &&
                piece[i].x < piece[k].x + piece[k].length - 0.05)
                fail_msg("texts at %g and %g overlap at height %g", piece[k].x, piece[i].x, piece[i].y);
    }
    free(text);
    table_release(&t);
}

#define NAMED(column) { column, { CELL_NONE, false, { 0 } } }

/* A row that is not what the columns say is no row, and the table tells which column of which table is to blame. */
static void rows_by_name(void **state)
{
    static const struct column three[] = {
        { "a", NULL, NULL, 0, LOOSE }, { "b", NULL, NULL, 0, LOOSE }, { "c", NULL, NULL, 0, LOOSE }
    };
    static const struct {
        const char *why, *word;
        struct named_cell row[5];
    } bad[] = {
        { "one is lacking", "lacks column 'b'", { NAMED("a"), NAMED("c") } },
        { "none at all", "lacks column 'a'", { { NULL, { CELL_NONE, false, { 0 } } } } },
        { "one is unknown", "unknown column 'd'", { NAMED("a"), NAMED("d") } },
        { "one comes twice", "twice the column 'a'", { NAMED("a"), NAMED("b"), NAMED("a") } },
    };
    struct table t;
    char *text;

    (void)state;
    EACH_ROW(i, bad) {
        struct err err = { ERR_NONE, "" };
        FILE *out = tmpfile();

        assert_non_null(out);
        table_init(&t, "Letters", three, 3);
        table_add(&t, bad[i].row);
        table_add(&t, ROW(cell_int("a", 1), cell_text("b", "kept?"), cell_real("c", 3)));
        if (table_rows(&t) != 0)
            fail_msg("%s: there are %zu rows", bad[i].why, table_rows(&t));
        if (table_write(&t, table_format_all[0], out, NULL, &err) == 0 || err.code != ERR_INTERNAL ||
            !strstr(err.msg, bad[i].word) ||
            !strstr(err.msg, "'Letters'"))
            fail_msg("%s: '%s' does not say \"%s\" of 'Letters'", bad[i].why, err.msg, bad[i].word);
        fclose(out);
        table_release(&t);
    }
    table_init(&t, NULL, three, 3);
    table_add(&t, ROW(cell_text("c", "3"), cell_count("b", NAN), cell_count("a", 1)));
    table_add_some(&t, ROW(cell_real("b", 2.5)));
    text = written(&t, "csv");
    assert_string_equal(text, "a,b,c\n1,,3\n,2.5,\n");
    free(text);
    table_release(&t);
}

static const struct number {
    const char *name;
    double value;
    int decimals;
    const char *want;
} numbers[] = {
    { "four digits", 3.14159, -1, "3.142" },        { "four digits, whole", 16, -1, "16" },
    { "in full", 65535.6, -1, "65536" },            { "too long", 12345678, -1, "1.235e+07" },
    { "tiny", 0.000012345, -1, "1.234e-05" },       { "two decimals", 3.14159, 2, "3.14" },
    { "no decimals", 99.5, 0, "100" },              { "decimals of the very large", 1e300, 2, "1e+300" },
    { "no minus zero", -0.001, 2, "0.00" },         { "zero", 0, -1, "0" },
    { "infinity", INFINITY, 2, "inf" },             { "rounds up to five digits", 9999.7, -1, "10000" },
    { "three digits", 13.04, DIGITS(3), "13.0" },   { "three digits, one small", 0.0123456, DIGITS(3), "0.0123" },
    { "three digits, large", 1344.7, DIGITS(3), "1340" }, { "three digits, up", 999.6, DIGITS(3), "1000" },
    { "three digits, no point", 141.3, DIGITS(3), "141" }, { "no digits of zero", 0, DIGITS(3), "0" },
    { "three digits, too long", 2.3456e7, DIGITS(3), "2.35e+07" }, { "below zero", -2775.4, DIGITS(3), "-2780" },
};

static void number_for_people(void **state)
{
    static const struct column one[] = { { "x", NULL, NULL, -1, LOOSE } };
    const struct number *n = *state;
    struct column column = one[0];
    char want[64];
    struct table t;
    char *text;

    column.decimals = n->decimals;
    table_init(&t, NULL, &column, 1);
    table_add(&t, ROW(cell_real("x", n->value)));
    text = written(&t, "markdown");
    snprintf(want, sizeof want, "| %s |\n", n->want);
    assert_non_null(strstr(text, want));
    free(text);
    table_release(&t);
}

/* Every type of member, written by hand as cells; a struct that is not there; a unit of the column's own; and what a row
 * may not do beside its members. */
struct measured {
    int links;
    double wait, most, flits;
    bool steady;
};
struct named {
    const char *label;
    char *own;
    size_t many;
    int64_t far;
};

static void rows_of_members(void **state)
{
#define A(m) MEMBER(0, struct measured, m)
#define B(m) MEMBER(1, struct named, m)
    static const struct column every[] = {
        { "far", NULL, NULL, 0, B(far) }, { "links", NULL, NULL, 0, A(links) }, { "loose", NULL, NULL, 0, LOOSE },
        { "wait_us", NULL, "us", 1, A(wait) }, { "most", NULL, NULL, 1, FINITE(0, struct measured, most) },
        { "flits", NULL, NULL, 0, WHOLE(0, struct measured, flits) }, { "steady", NULL, NULL, 0, A(steady) },
        { "label", NULL, NULL, 0, B(label) }, { "own", NULL, NULL, 0, B(own) }, { "many", NULL, NULL, 0, B(many) }
    };
    static const struct column_asked asked[] = {
        { "far", 1 }, { "links", 1 }, { "loose", 1 }, { "wait_cycles", 0.5 }, { "most", 1 }, { "flits", 1 },
        { "steady", 1 }, { "label", 1 }, { "own", 1 }, { "many", 1 }
    };
    static const char wanted[] =
        "far,links,loose,wait_us,most,flits,steady,label,own,many\n"
        "-9000000000,7,first,1.25,,12,yes,one,two,3\n"
        ",8,second,,4.5,,no,,,\n";
    char own[] = "two";
    const struct measured full = { 7, 2.5, INFINITY, 12, true }, bare = { 8, NAN, 4.5, INFINITY, false };
    const struct named name = { "one", own, 3, -9000000000 };
    struct err err = { 0 };
    struct table t;
    char *text;
    size_t size;

    (void)state;
    table_init(&t, NULL, every, COUNT(every));
    t.asked = asked;
    table_add(&t, ROW(MEMBERS(&full, &name), cell_text("loose", "first")));
    table_add(&t, ROW(MEMBERS(&bare, NULL), cell_text("loose", "second")));
    text = written_as(&t, "csv", NULL, &size);
    assert_string_equal(text, wanted);
    free(text);
    table_add(&t, ROW(MEMBERS(&full, &name)));
    assert_int_equal(table_rows(&t), 2);
    assert_non_null(strstr(t.why.msg, "lacks column 'loose'"));
    t.why = err;
    table_add(&t, ROW(MEMBERS(&full, &name), cell_text("loose", "x"), cell_int("links", 1)));
    assert_int_equal(table_rows(&t), 2);
    assert_non_null(strstr(t.why.msg, "fills twice the column 'links'"));
    table_release(&t);
#undef A
#undef B
}

static void pivot_heading(char out[PIVOT_HEADING], const struct cell *by)
{
    snprintf(out, PIVOT_HEADING, "%lldB", (long long)by->u.integer);
}

/* Two groups, in each the lesser mean first; marks stay with their cells; what is not there is not invented. */
static void turned(void **state)
{
    static const struct column every[] = {
        { "net", NULL, NULL, 0, LOOSE }, { "bytes", NULL, "B", 0, LOOSE }, { "name", NULL, NULL, 0, LOOSE },
        { "over", NULL, NULL, 2, LOOSE }, { "time_us", "Time", "us", IF_FILLED(DIGITS(3)), LOOSE }
    };
    static const struct {
        const char *net, *name;
        int bytes;
        double time, over;
    } row[] = {
        { "a", "slow", 8, 30, 10 }, { "a", "even", 8, 3, 1 }, { "a", "even", 64, 1100, 1.1 },
        { "a", "slow", 64, 1000, 1 }, { "b", "even", 64, 7, NAN }, { "b", "slow", 64, 7.001, NAN }
    };
    static const struct pivot pivot = { "Turned", "bytes", { "net", "name" }, "over", pivot_heading };
    struct err err = { ERR_NONE, "" };
    struct pivoted p = { .name = NULL };
    struct table t;
    char *text;

    (void)state;
    table_init(&t, "Straight", every, COUNT(every));
    EACH_ROW(i, row)
        table_add_some(&t, ROW(cell_text("net", row[i].net), cell_int("bytes", row[i].bytes),
                               cell_text("name", row[i].name), cell_real("over", row[i].over),
                               cell_real("time_us", row[i].time)));
    t.cell[1 * COUNT(every) + 4].marked = t.cell[3 * COUNT(every) + 4].marked = true;
    table_note(&t, "A note.");
    assert_int_equal(pivot_make(&p, &t, &pivot, "time_us", &err), 0);
    text = written(&p.t, "csv");
    assert_string_equal(text, "net,name,time_8_us,time_64_us\na,even,3,1100\na,slow,30,1000\nb,even,,7\nb,slow,,7.001\n");
    free(text);
    text = written(&p.t, "text");
    assert_string_equal(text, "Turned\n\n              8B    64B\nNet  Name   [us]   [us]\na    even  *3.00   1100\n"
                        "a    slow   30.0  *1000\nb    even      -   7.00\nb    slow      -   7.00\n\nA note.\n");
    free(text);
    pivot_release(&p);
    table_release(&t);
}

int main(void)
{
    struct CMUnitTest tests[COUNT(formats) + COUNT(numbers) + 14] = {
        cmocka_unit_test(full_disk), cmocka_unit_test(no_rows_no_columns), cmocka_unit_test(row_by_row),
        cmocka_unit_test(long_table), cmocka_unit_test(upright), cmocka_unit_test(rows_by_name),
        cmocka_unit_test(said_once), cmocka_unit_test(columns_named), cmocka_unit_test(records),
        cmocka_unit_test(yielding), cmocka_unit_test(sorted), cmocka_unit_test(drawn_apart),
        cmocka_unit_test(rows_of_members), cmocka_unit_test(turned) };
    size_t n = 0;

    while (tests[n].test_func)          /* those listed above */
        n++;

    EACH_ROW(i, formats)
        tests[n++] = (struct CMUnitTest){ .name = formats[i].name, .test_func = awkward_table,
                                          .initial_state = (void *)&formats[i] };
    EACH_ROW(i, numbers)
        tests[n++] = (struct CMUnitTest){ .name = numbers[i].name, .test_func = number_for_people,
                                          .initial_state = (void *)&numbers[i] };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
