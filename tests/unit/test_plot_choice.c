/* What `plot` draws of a table where little is said: kinds, columns and panels that a person would choose; means
 * against numbers by hand, dates against those of date(1), commas; and any table at all. SEED=n repeats the random part. */
#include <math.h>
#include <string.h>

#include "graph/base/mem.h"
#include "graph/numeric/rng.h"
#include "render/chart/from_table.h"
#include "render/figure/axis_time.h"
#include "render/page/plot.h"
#include "render/table/dates.h"
#include "render/table/from_csv.h"
#include "tests/support/check.h"

static int open_text(struct csv_table *d, const char *text, struct err *err)
{
    *d = (struct csv_table){ .path = "a.csv" };
    return csv_parse(&d->csv, text, strlen(text), "a.csv", err) < 0 ? -1 : csv_table_take(d, err);
}

/* The chart of a table where nothing is said; 1: there is nothing to draw. */
static int chart_of(struct chart *c, struct csv_table *d, struct chart_choice *choice, struct err *err)
{
    struct chart_columns columns = { .means = true };
    const struct chart_kind *kind;
    int at;

    chart_choose(choice, &d->table, &columns, NULL);
    if (!choice->kind)
        return 1;
    kind = chart_find(choice->kind, NULL);
    assert_non_null(kind);
    columns.x = choice->x;
    columns.y = choice->y;
    columns.ny = (kind->needs & ROLE_Y) ? choice->ny : 0;
    columns.panel = choice->npanel > 1 ? choice->panel : NULL;
    columns.z = (kind->needs & ROLE_Z) || kind->pairs ? choice->z : NULL;
    columns.group = choice->group;
    columns.ngroup = choice->ngroup;
    columns.label = choice->label;
    columns.lo = choice->lo;
    columns.hi = choice->hi;
    columns.means = !choice->spread;
    at = table_find(&d->table, choice->x);
    if (!kind->x_categories && table_has_dates(&d->table, (size_t)at))
        table_take_dates(&d->table, d->columns, (size_t)at);
    c->kind = choice->kind;
    return chart_from_table(c, &d->table, &columns, err);
}

/* ---- what a person would choose ---------------------------------------------------------------------- */

static const struct example {
    const char *name, *text, *says;     /* kind x y... by group... label left, panels as ; between y */
} examples[] = {
    { "two columns in order", "load,latency\n.1,20\n.2,22\n.3,26\n", "line load latency" },
    { "repeats", "load,seed,latency\n.1,1,20\n.1,2,21\n.1,3,20\n.2,1,22\n.2,2,23\n.2,3,22\n.3,1,26\n.3,2,27\n.3,3,26\n",
      "line load latency" },
    { "too few for a mean", "load,seed,latency\n.1,1,20\n.1,2,21\n.2,1,22\n.2,2,23\n.3,1,26\n.3,2,27\n", "scatter load latency" },
    { "a series for each word", "routing,load,latency\ndor,.1,20\ndor,.2,25\necmp,.1,19\necmp,.2,22\n",
      "line load latency by routing" },
    { "a series for each of few whole numbers", 
      "processes,ports,steps\n4,1,2\n8,1,3\n16,1,4\n4,2,1.3\n8,2,1.9\n16,2,2.5\n",
      "line processes steps by ports" },
    { "columns side by side", "load,DOR,ECMP\n.1,20,19\n.2,25,22\n.3,30,28\n", "line load DOR ECMP" },
    { "two units", "nodes,latency_us,rate_gbit_per_s\n8,3,10\n16,4,20\n32,5,40\n",
      "line nodes latency_us ; rate_gbit_per_s" },
    { "a unit twice, and another", "nodes,mean_us,links,max_us\n8,3,24000,5\n16,4,48000,6\n32,5,96000,7\n",
      "line nodes mean_us ; links max_us" },
    { "a grid", "x,y,height\n0,0,1\n1,0,2\n2,0,1\n0,1,-3\n1,1,0\n2,1,4\n", "heat x y height" },
    { "series of few whole numbers that are repeated",
      "load,ports,seed,t\n.1,1,1,4\n.2,1,1,5\n.1,2,1,2\n.2,2,1,3\n.1,1,2,4\n.2,1,2,6\n.1,2,2,2\n.2,2,2,4\n"
      ".1,1,3,4\n.2,1,3,6\n.1,2,3,2\n.2,2,3,4\n", "line load t by ports" },
    { "a series for few whole numbers, too few for a mean",
      "load,ports,seed,t\n.1,1,1,4\n.2,1,1,5\n.1,2,1,2\n.2,2,1,3\n.1,1,2,4\n.2,1,2,6\n.1,2,2,2\n.2,2,2,4\n",
      "scatter load t by ports" },
    { "a grid of loads and runs is repeats",
      "load,run,t\n.1,1,1\n.1,2,2\n.1,3,3\n.1,4,4\n.2,1,2\n.2,2,3\n.2,3,4\n.2,4,5\n.3,1,1\n.3,2,2\n.3,3,3\n.3,4,4\n"
      ".4,1,2\n.4,2,3\n.4,3,4\n.4,4,5\n", "line load t" },
    { "dates", "seed,date,failures\n1,2026-03-01,4\n1,2026-03-02,5\n1,2026-03-05,1\n", "line date failures" },
    { "names and a quantity", "name,value\na,3\nb,5\nc,1\n", "bar name value" },
    { "names and two quantities", "topology,cost,speed_gbit_per_s\ntorus,3,50\nmesh,1,20\nfat tree,9,80\n",
      "scatter cost speed_gbit_per_s label topology" },
    { "names and two of one unit", "algorithm,min_us,max_us\nbinary,3,5\nchain,9,12\nbinomial,2,4\n",
      "bar algorithm min_us max_us" },
    { "points without order", "a,b\n3.1,2\n1.2,7\n9.4,1\n2.2,4\n", "scatter a b" },
    { "one column", "latency\n3\n4\n5\n3\n", "histogram latency" },
    { "an index is no data", ",load,latency\n0,.1,20\n1,.2,22\n2,.3,26\n", "line load latency" },
    { "one row", "a,b\n1,2\n", "line a b" },
    { "constants", "a,b\n1,2\n1,2\n", "" },
    { "a flat line", "x,y\n1,5\n2,5\n3,5\n", "line x y" },
    { "a flat line of dates", "y,date\n5,2026-01-01\n5,2026-01-02\n", "line date y" },
    { "a sample, and what it was taken with", "latency,nodes\n3,64\n5,64\n4,64\n3,64\n", "histogram latency" },
    { "what came before a sample", "nodes,latency\n64,3\n64,4\n64,5\n", "histogram latency" },
    { "an empty column", "x,y,z\n1,5,nan\n2,6,nan\n3,,nan\n4,9,\n", "line x y left z" },
    { "a mean and a deviation", "x,mean_us,std_us\n1,5,1\n2,6,.5\n3,8,2\n", "line x mean_us about std_us to std_us" },
    { "ends of each of two", "x,a_min,a,a_max,b,b_hi,b_lo\n1,1,2,3,5,6,4\n2,2,3,4,7,8,6\n3,4,5,6,8,9,7\n",
      "line x a b about a_min to a_max about b_lo to b_hi" },
    { "a deviation before the ends", "x,Mean latency,Std latency,Max latency,Min latency\n1,3,1,5,2\n2,4,1,7,3\n",
      "line x Mean latency about Std latency to Std latency" },
    { "an error of bars", "name,lat_us,lat_err_us\na,3,1\nb,5,.5\n", "bar name lat_us about lat_err_us to lat_err_us" },
    { "an end alone is a line", "x,mean_us,max_us\n1,5,7\n2,6,9\n3,8,12\n", "line x mean_us max_us" },
    { "a spread of what is not there", "x,min_us,max_us\n1,5,7\n2,6,9\n3,8,12\n", "line x min_us max_us" },
    { "pairs", "from,to,bytes\n0,1,3\n1,2,5\n2,0,7\n", "matrix to from bytes" },
    { "pairs of names", "link,from,to\nl,a,b\nk,b,c\n", "matrix to from" },
    { "no heading", "1,10\n2,11\n3,15\n", "line column 1 column 2" },
    { "dates without a heading", "2026-01-01,10\n2026-01-02,11\n", "line column 1 column 2" },
    { "a heading of an index and numbers", ",1,2\n0,10,3\n1,11,5\n", "line 1 2" },
    { "percents", "share,latency_us\n10%,20\n20%,22\n30 %,26\n", "line share latency_us" },
    { "words", "a,b\nx,y\nz,w\n", "" },
    { "no rows", "a,b\n", "" },
    { "fourteen, and two too many for one axis",
      "t_s,a_us,b_us,c_us,d_us,e_us,f_us,g_us,h_us,i_us,j_us,k_us,l_us,m_us,n_us,o_us,p_us\n"
      "1,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16\n2,3,4,5,6,7,8,9,10,11,13,14,15,16,17,18,19\n",
      "line t_s a_us b_us c_us d_us e_us f_us g_us h_us i_us j_us k_us l_us m_us n_us left o_us left p_us" }
};

static void put(char out[400], const char *joint, const char *word)
{
    const size_t len = strlen(out);

    snprintf(out + len, 400 - len, "%s%s%s", len ? " " : "", joint, word);
}

static void example_is_chosen(void **state)
{
    const struct example *e = *state;
    struct err err = { ERR_NONE, "" };
    struct chart_choice choice;
    struct chart chart;
    struct csv_table d;
    char says[400] = "";
    bool z;
    int ret;

    assert_int_equal(open_text(&d, e->text, &err), 0);
    chart_init(&chart, NULL);
    ret = chart_of(&chart, &d, &choice, &err);
    assert_int_equal(ret, *e->says ? 0 : 1);
    if (ret == 0) {
        z = (chart_find(choice.kind, NULL)->needs & ROLE_Z) || chart_find(choice.kind, NULL)->pairs;
        put(says, "", choice.kind);
        put(says, "", choice.x);
        for (size_t i = 0; i < choice.ny; i++)
            put(says, i && choice.panel[i] != choice.panel[i - 1] && choice.panel[i] >= i ? "; " : "", choice.y[i]);
        if (z && choice.z)
            put(says, "", choice.z);
        for (size_t i = 0; i < choice.ngroup; i++)
            put(says, "by ", choice.group[i]);
        if (choice.label)
            put(says, "label ", choice.label);
        for (size_t i = 0; i < choice.ny; i++)
            if (choice.lo[i]) {
                put(says, "about ", choice.lo[i]);
                put(says, "to ", choice.hi[i]);
            }
        for (size_t i = 0; i < choice.nleft; i++)
            put(says, "left ", choice.left[i]);
        if (choice.npanel > 1)
            assert_int_equal(chart.npanel, choice.npanel);
    }
    assert_string_equal(says, e->says);
    chart_release(&chart);
    csv_table_release(&d);
}

/* Of a hundred columns twelve are drawn, and panels of several are called by more than one of them. */
static void hundred_columns_are_counted(void **state)
{
    struct err err = { ERR_NONE, "" };
    struct chart_choice choice;
    struct chart c;
    struct csv_table d;
    char text[4000] = "x", *at = text + 1;

    (void)state;
    for (int i = 1; i < 100; i++)
        at += sprintf(at, ",c%d", i);
    for (int r = 0; r < 3; r++) {
        at += sprintf(at, "\n%d", r);
        for (int i = 1; i < 100; i++)
            at += sprintf(at, ",%d", (i % 2 ? 1 : 10000) * (r * i + 50));
    }
    strcpy(at, "\n");
    assert_int_equal(open_text(&d, text, &err), 0);
    chart_init(&c, NULL);
    assert_int_equal(chart_of(&c, &d, &choice, &err), 0);
    assert_int_equal(choice.ny, 12);
    assert_int_equal(choice.ny + choice.nleft, 99);
    assert_int_equal(c.npanel, 2);
    assert_string_equal(c.panel[0], "c1, c3, ...");
    assert_string_equal(c.panel[1], "c2, c4, ...");
    chart_release(&c);
    csv_table_release(&d);
}

/* ---- means ------------------------------------------------------------------------------------------- */

/* 20, 24, 28: mean 24, and by hand a deviation of sqrt((16 + 0 + 16) / 2) = 4. */
static void means_are_those_by_hand(void **state)
{
    struct err err = { ERR_NONE, "" };
    struct chart_choice choice;
    struct chart c;
    struct csv_table d;

    (void)state;
    assert_int_equal(open_text(&d, "load,seed,latency\n.1,1,28\n.2,1,30\n.1,2,20\n.2,2,\n.1,3,24\n.3,1,7\n.2,3,31\n"
                               ".3,3,9\n.3,2,8\n", &err), 0);
    chart_init(&c, NULL);
    assert_int_equal(chart_of(&c, &d, &choice, &err), 0);
    assert_int_equal(c.nseries, 1);
    assert_int_equal(c.series[0].n, 3);
    assert_true(fabs(c.series[0].at[0].y - 24) < 1e-12 && fabs(c.series[0].at[0].lo - 20) < 1e-12 &&
                fabs(c.series[0].at[0].hi - 28) < 1e-12);
    assert_true(fabs(c.series[0].at[1].y - 30.5) < 1e-12 && fabs(c.series[0].at[1].hi - 30.5 - sqrt(.5)) < 1e-12);
    assert_true(fabs(c.series[0].at[2].y - 8) < 1e-12 && fabs(c.series[0].at[2].lo - 7) < 1e-12);
    assert_int_equal(c.spread, SPREAD_BAND);
    assert_string_equal(c.note, "Mean of 2 to 3, band: 1 standard deviation.");
    chart_release(&c);
    csv_table_release(&d);
}

/* By hand: 1, 1 and 10 have the mean 4 and the deviation sqrt((9 + 9 + 36) / 2) = sqrt(27); but -1 says that there is
 * something below zero. */
static void spread_stays_above_zero(void **state)
{
    static const struct {
        const char *text, *note;
        double lo;
    } row[] = { { "name,t\na,1\na,1\na,10\nb,7\n",
                  "Mean of 1 to 3, bars: 1 standard deviation, not below zero.", 0 },
                { "name,t\na,1\na,1\na,10\nb,-1\n", "Mean of 1 to 3, bars: 1 standard deviation.",
                  4 - 5.19615242270663 } };

    (void)state;
    EACH_ROW(i, row) {
        struct err err = { ERR_NONE, "" };
        struct chart_choice choice;
        struct chart c;
        struct csv_table d;

        assert_int_equal(open_text(&d, row[i].text, &err), 0);
        chart_init(&c, NULL);
        assert_int_equal(chart_of(&c, &d, &choice, &err), 0);
        assert_true(fabs(c.series[0].at[0].lo - row[i].lo) < 1e-12);
        assert_string_equal(c.note, row[i].note);
        chart_release(&c);
        csv_table_release(&d);
    }
}

/* ---- units ------------------------------------------------------------------------------------------- */

static const struct suffixed {
    const char *name, *unit, *heading;          /* of numbers of that name; NULL: none */
} suffixes[] = {
    { "power_kw", "kW", "Power" }, { "power_KW", "kW", "Power" }, { "power_mW", "mW", "Power" },
    { "power_MW", "MW", "Power" }, { "power_mw", NULL, "Power mw" }, { "size_B", "B", "Size" },
    { "size_b", NULL, "Size b" }, { "cost_keur", "kEUR", "Cost" }, { "cost_kEUR", "kEUR", "Cost" },
    { "clock_ghz", "GHz", "Clock" }, { "Latency_Cycles", "cycles", "Latency" }, { "rate_Mb", NULL, "Rate Mb" },
    { "sales_US", NULL, "Sales US" }, { "wait_us", "µs", "Wait" }, { "rate_Gbps", "Gb/s", "Rate" },
    { "energy_pj", "pJ", "Energy" }, { "energy_mj", NULL, "Energy mj" }
};

static void suffix_is_unit(void **state)
{
    const struct suffixed *s = *state;
    struct err err = { ERR_NONE, "" };
    struct csv_table d;
    char text[60];

    snprintf(text, sizeof text, "%s\n1\n2\n", s->name);
    assert_int_equal(open_text(&d, text, &err), 0);
    assert_string_equal(d.columns[0].heading, s->heading);
    assert_string_equal(d.columns[0].unit ? d.columns[0].unit : "none", s->unit ? s->unit : "none");
    csv_table_release(&d);
}

/* ---- dates ------------------------------------------------------------------------------------------- */

static const struct instant {
    const char *name;
    double seconds;             /* date -u -d ... +%s; NAN: no date */
} instants[] = {
    { "1970-01-01", 0 }, { "2026-11-22", 1795305600 }, { "2024-02-29", 1709164800 }, { "2000-02-29T12:00", 951825600 },
    { "1999-12-31T23:59:59Z", 946684799 }, { "2026-11-22 10:00", 1795341600 },
    { "2026-11-22T10:00:00+01:00", 1795338000 },
    { "2026-11-22T10:00:00+05:30", 1795321800 },
    { "2026-11-22T10:00:00.5-0330", 1795354200.5 }, { "1900-03-01", -2203891200 }, { "0001-01-01", -62135596800 },
    { "9999-12-31", 253402214400 }, { "2023-02-29", NAN }, { "1900-02-29", NAN }, { "2026-13-01", NAN },
    { "2026-11-31", NAN }, { "2026-11-22T25:00", NAN }, { "2026-11-22T10", NAN }, { "2026-11-22x", NAN },
    { "20261122", NAN }, { "2026-1-2", NAN }, { "", NAN }, { "2026-11-22T10:00:00+15:00", NAN }
};

static void instant_is_read(void **state)
{
    const struct instant *i = *state;
    double seconds = NAN;
    const bool is = date_parse(&seconds, i->name);

    assert_int_equal(is, !isnan(i->seconds));
    if (is)
        assert_true(fabs(seconds - i->seconds) < 1e-6);
}

static double char_width(void *arg, const char *markup)
{
    (void)arg;
    return 5.0 * (double)strlen(markup);
}

static const struct span {
    const char *name, *from, *to, *labels, *unit;
} spans[] = {
    { "seconds", "2026-11-22T10:00:00", "2026-11-22T10:00:20", "10:00:00 10:00:05 10:00:10 10:00:15 10:00:20",
      "22 Nov 2026" },
    { "an hour", "2026-11-22T10:00", "2026-11-22T11:00", "10:00 10:10 10:20 10:30 10:40 10:50 11:00", "22 Nov 2026" },
    { "two days", "2026-11-22", "2026-11-24", "22 Nov 06:00 12:00 18:00 23 Nov 06:00 12:00 18:00 24 Nov", "2026" },
    { "a fortnight of a new year", "2025-12-24", "2026-01-08", "25 Dec 2025 1 Jan 2026 8 Jan", "" },
    { "a year", "2026-01-01", "2027-01-01", "Jan 2026 Mar May Jul Sep Nov Jan 2027", "" },
    { "within a year", "2026-03-01", "2026-08-01", "Mar Apr May Jun Jul Aug", "2026" },
    { "decades", "1990-01-01", "2026-01-01", "1990 1995 2000 2005 2010 2015 2020 2025", "" },
    { "a century that is no leap year", "2100-02-20", "2100-03-10", "25 Feb 4 Mar", "2100" }
};

static void span_has_ticks(void **state)
{
    const struct span *s = *state;
    struct axis axis = { .time = true, .from = NAN, .to = NAN };
    const struct fit how = { .exact = true, .axis = &axis };
    const struct ruler r = { 320, 5, 40, char_width, NULL };
    char labels[300] = "", unit[40];
    struct scale scale;
    struct ticks t;
    double v[2];

    assert_true(date_parse(&v[0], s->from) && date_parse(&v[1], s->to));
    axis_time_unit(unit, v[0], v[1]);
    axis.unit = *unit ? unit : NULL;
    scale_fit(&scale, v, 2, &how);
    ticks_choose(&t, &scale, &r);
    for (size_t i = 0; i < t.n; i++) {
        if (i)
            strcat(labels, " ");
        strcat(labels, t.major[i].label);
    }
    assert_string_equal(labels, s->labels);
    assert_string_equal(unit, s->unit);
}

/* ---- commas ------------------------------------------------------------------------------------------ */

static const struct written {
    const char *name, *text;
    double value;               /* of the second column, first row; NAN: words, or refused */
    const char *says;           /* of what is refused */
} writings[] = {
    { "thousands in quotes", "a,b\n1,\"1,200\"\n2,\"13,000\"\n", 1200, NULL },
    { "thousands behind a tab", "a\tb\n1\t1,200.5\n2\t7\n", 1200.5, NULL },
    { "decimals", "a;b\n1;3,5\n2;4,25\n", 3.5, NULL },
    { "points of thousands, decimals", "a;b\n1;1.234,5\n2;4,25\n", 1234.5, NULL },
    { "either, but another column says decimals", "a;b\n0,5;1,200\n2,5;1,300\n", 1.2, NULL },
    { "either, but a point says thousands", "a;b\n0.5;1,200\n2.5;1,300\n", 1200, NULL },
    { "millions", "a;b\n1;1,200,300\n2;1,300\n", 1200300, NULL },
    { "either", "a;b\n1;1,200\n2;1,300\n", NAN, "a.csv:2: '1,200' in column 'b' may be thousands or a decimal comma" },
    { "a label is none", "a;b\n1;1,2,3\n2;4,5\n", NAN, NULL },
    { "a decimal comma among commas", "a,b\n1,\"3,5\"\n2,\"4,25\"\n", NAN, NULL },
    { "no groups of three", "a\tb\n1\t12,34\n", NAN, NULL },
    { "a zero before thousands", "a\tb\n1\t0,123\n", NAN, NULL },
    { "percents", "a,b\n1,12.5%\n2,\n3,-7 %\n", 12.5, NULL },
    { "percents with decimal commas", "a;b\n1;12,5%\n2;3,25%\n", 12.5, NULL },
    { "percents and a number", "a,b\n1,12%\n2,7\n", NAN, NULL },
    { "a sign alone", "a,b\n1,%\n2,7%\n", NAN, NULL },
    { "the first row is a row", "1,10\n2,11\n", 10, NULL },
    { "one name twice", "x,y,y\n1,2,3\n", NAN, "columns 2 and 3 are both called 'y'" },
    { "no names", "x,,y,\n1,2,3,4\n", NAN, "columns 2 and 4 have no names" }
};

static void writing_is_read(void **state)
{
    const struct written *w = *state;
    struct err err = { ERR_NONE, "" };
    struct csv_table d;
    const int ret = open_text(&d, w->text, &err);

    if (w->says) {
        assert_int_equal(ret, -1);
        assert_int_equal(err.code, ERR_FORMAT);
        assert_non_null(strstr(err.msg, w->says));
    } else {
        assert_int_equal(ret, 0);
        assert_int_equal(table_has_text(&d.table, 1), isnan(w->value));
        if (!isnan(w->value))
            assert_true(cell_value(table_at(&d.table, 0, 1)) == w->value);
    }
    csv_table_release(&d);
}

/* ---- any table --------------------------------------------------------------------------------------- */

/* A figure or one sentence, of whatever cells. */
static void any_table_is_drawn_or_refused(void **state)
{
    static const char *const cells[] = { "", "1", "2", "3", "0.5", "-7", "1e300", "-1e-300", "nan", "inf", "x", "yes",
                                         "\"1,200\"", "2026-11-22", "2026-11-22T10:00", "a, b", "\"a \"\"b\"\"\"" },
        *const heads[] = { "x", "y", "seed", "load", "latency_us", "latency_ms", "name", "date", "rate_gbit_per_s",
                         "" };
    struct rng rng;
    int drawn = 0;

    (void)state;
    rng_seed(&rng, check_seed());
    for (int trial = 0; trial < 400; trial++) {
        const size_t columns = 1 + rng_below(&rng, 6), rows = rng_below(&rng, 14);
        struct err err = { ERR_NONE, "" };
        struct chart_choice choice;
        struct chart c;
        struct csv_table d;
        char text[8000] = "", *at = text;
        size_t of[8];
        int ret;

        for (size_t i = 0; i < columns; i++) {
            of[i] = rng_below(&rng, 4);
            at += sprintf(at, "%s%s%zu%s", i ? "," : "", heads[rng_below(&rng, 10)], i,
                          rng_below(&rng, 2) ? "_us" : "");
        }
        at = stpcpy(at, "\n");
        for (size_t r = 0; r < rows; r++)
            for (size_t i = 0; i < columns; i++)
                at += sprintf(at, "%s%s", of[i] == 0 ? cells[1 + rng_below(&rng, 5)] :
                              of[i] == 1 ? cells[13 + rng_below(&rng, 2)] :
                              of[i] == 2 ? cells[10 + rng_below(&rng, 2)] :
                              cells[rng_below(&rng, sizeof cells / sizeof *cells)], i + 1 < columns ? "," : "\n");
        chart_init(&c, NULL);
        ret = open_text(&d, text, &err);
        if (ret == 0)
            ret = chart_of(&c, &d, &choice, &err);
        if (ret == 0) {
            const struct page page = { .width_mm = 84, .height_mm = 60 };

            ret = chart_write(&c, &page, "any_table.svg", &err);
            drawn += ret == 0;
        }
        if (ret < 0 && (!*err.msg || strchr(err.msg, '\n')))
            fail_msg("no sentence for\n%s", text);
        chart_release(&c);
        csv_table_release(&d);
    }
    remove("any_table.svg");
    assert_true(drawn > 100);
}

#define ROWS(rows, test)                                                                                             \
    EACH_ROW(i, rows)                                                                        \
        tests[n++] = (struct CMUnitTest){ .name = (rows)[i].name, .test_func = (test),                                   \
                                          .initial_state = (void *)&(rows)[i] }

int main(void)
{
    struct CMUnitTest tests[COUNT(examples) + COUNT(instants) + COUNT(spans) + COUNT(writings) + COUNT(suffixes) +
                            4] = {
        cmocka_unit_test(hundred_columns_are_counted), cmocka_unit_test(means_are_those_by_hand),
        cmocka_unit_test(spread_stays_above_zero),
        cmocka_unit_test(any_table_is_drawn_or_refused) };
    size_t n = 4;

    ROWS(examples, example_is_chosen);
    ROWS(instants, instant_is_read);
    ROWS(spans, span_has_ticks);
    ROWS(writings, writing_is_read);
    ROWS(suffixes, suffix_is_unit);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
