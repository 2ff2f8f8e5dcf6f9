/* Logs and what is fitted to them: published logs, whose pieces and errors are known; logs written from models that are
 * known, with noise; and text that is no log. */
#include <string.h>

#include "analysis/collective/fitted.h"
#include "analysis/fit/machine.h"
#include "graph/base/quantity.h"
#include "tests/support/check.h"

static void fit(struct machine *m, struct log *l, const struct machine_how *how)
{
    struct err err = { 0 };

    if (machine_fit(m, l, how, &err) < 0)
        fail_msg("%s", err.msg);
}

static const struct machine_how usual = { .overhead = NAN, .cable = NAN, .seed = 1 };

/* ---- published --------------------------------------------------------------------------------------- */

/* By another program (sums of squares over all cuts, in Python): pieces, their greatest error, and that of one line. */
static const struct published {
    const char *path;
    size_t rows, pieces;
    double error, one;                  /* % */
    double megabyte;
} published[] = {
    { "examples/logs/osu-5.3.2-latency-ucx.txt", 24, 6, 1.48, 47.33, 1e6 },
    { "examples/logs/osu-5.4.3-latency-ib.txt", 24, 6, 6.62, 58.74, 1e6 },
    { "examples/logs/osu-7.5-latency-cxi.txt", 23, 4, 1.41, 40.38, 1e6 },
    { "examples/logs/imb-4.0-pingpong.txt", 24, 5, 4.03, 38.20, 1048576 },
    { "examples/logs/imb-2018-pingpong-alltoall.txt", 27, 3, 6.70, 43.55, 1e6 },
    { "examples/logs/osu-5.4.3-latency-tcp.txt", 24, 4, 12.17, 57.57, 1e6 }
};

static void published_logs_have_their_pieces(void **state)
{
    (void)state;
    EACH_ROW(i, published) {
        struct log l = { 0 };
        struct machine m;
        struct err err = { 0 };

        assert_int_equal(log_read(&l, published[i].path, &err), 0);
        fit(&m, &l, &usual);
        assert_int_equal(m.near.n, published[i].rows);
        assert_int_equal(m.npiece, published[i].pieces);
        check_near(100 * machine_worst(&m), published[i].error, 0.01);
        check_near(100 * m.worst[MACHINE_HOCKNEY], published[i].one, 0.01);
        check_near(l.block[0].megabyte, published[i].megabyte, 0);
        machine_release(&m);
        log_release(&l);
    }
}

/* cxi's second and third piece: 4,277 ns + m/6,325 MB/s and 7,458 ns + m/15,445 meet at 34 KB. */
static void a_threshold_is_where_lines_meet(void **state)
{
    struct log l = { 0 };
    struct machine m;
    struct threshold t;
    struct err err = { 0 };

    (void)state;
    assert_int_equal(log_read(&l, "examples/logs/osu-7.5-latency-cxi.txt", &err), 0);
    assert_int_equal(log_read(&l, "examples/logs/osu-7.5-bw-cxi.txt", &err), 0);
    fit(&m, &l, &usual);
    assert_int_equal(m.near.n, 23);
    assert_int_equal(m.flow.n, 23);
    check_near(m.piece[1].piece.a, 4277e-9, 0.5e-9);
    check_near(m.piece[1].rate.value, 6325e6, 1e6);
    machine_threshold(&t, &m, 1);
    check_near(t.changes, 8192, 0);
    check_near(t.cross, 34073, 10);
    check_near(t.measured, 7.92e-6, 1e-15);
    check_near(t.other, 5.57e-6, 0.005e-6);
    assert_true(t.advised);
    machine_threshold(&t, &m, 2);
    assert_false(t.advised);
    check_near(m.g.value, 8 / 6.90e6, 1e-15);       /* of 8 bytes at 6.90 MB/s */
    machine_release(&m);
    log_release(&l);
}

/* ---- from known models ------------------------------------------------------------------------------- */

struct truth {
    double from, a, rate;               /* of a piece; us, MB/s */
};
static const struct truth eager[] = { { 0, 1.5, 2000 }, { 16384, 12, 10000 } };
static const struct truth single[] = { { 0, 5.494, 1e3 / 6 } };

static double normal(struct rng *rng)
{
    return sqrt(-2 * log(1 - check_uniform(rng))) * cos(6.283185307179586 * check_uniform(rng));
}

/* Sizes from 1 by a factor, `times` rows of each. */
static void write_log(char *out, size_t room, const struct truth *t, size_t n, double factor, int times, double noise,
                      struct rng *rng)
{
    size_t len = (size_t)snprintf(out, room, "# OSU MPI Latency Test v7.0\n# Size          Latency (us)\n");
    double last = -1;

    for (double m = 1; m <= 4 << 20; m *= factor) {
        const double bytes = floor(m);
        size_t k = n - 1;

        while (k > 0 && t[k].from > bytes)
            k--;
        for (int i = 0; bytes > last && i < times; i++)
            len += (size_t)snprintf(out + len, room - len, "%.0f %.9f\n", bytes, (t[k].a + bytes / t[k].rate) *
                                    (1 + noise * normal(rng)));
        last = bytes;
    }
    assert_true(len < room);
}

static void text_fit(struct machine *m, struct log *l, const char *text, const struct machine_how *how)
{
    struct err err = { 0 };

    *l = (struct log){ 0 };
    if (log_parse(l, text, strlen(text), "a.txt", &err) < 0)
        fail_msg("%s", err.msg);
    fit(m, l, how);
}

static char text[4 << 20];

static void exact_times_give_the_model_back(void **state)
{
    struct log l;
    struct machine m;
    struct rng rng;

    (void)state;
    rng_seed(&rng, 1);
    write_log(text, sizeof text, eager, COUNT(eager), 2, 1, 0, &rng);
    text_fit(&m, &l, text, &usual);
    assert_int_equal(m.npiece, 2);
    for (size_t i = 0; i < 2; i++) {
        check_near(m.near.bytes[m.piece[i].piece.from], i ? eager[i].from : 1, 0);
        check_near(m.piece[i].a.value * 1e6, eager[i].a, 1e-6);
        check_near(m.piece[i].rate.value * 1e-6, eager[i].rate, 1e-3);
    }
    machine_release(&m);
    log_release(&l);
}

/* How often intervals hold what is true, of logs whose number of pieces is found. */
static const struct coverage {
    const char *what;
    double factor, noise;
    int times;
    double least, most;
    const char *by;
} coverage[] = {
    { "a size a factor of 2, 1 %", 2, 0.01, 1, 0.93, 0.97, "residuals" },
    { "3 %", 2, 0.03, 1, 0.93, 0.97, "residuals" }, { "more sizes, 5 %", 1.2, 0.05, 1, 0.93, 0.97, "residuals" },
    { "five repetitions, 5 %", 2, 0.05, 5, 0.93, 0.97, "repetitions" },
    { "five and three rows, 1 %", 8, 0.01, 1, 0.85, 1, "few rows" },
    { "five and three rows, 3 %", 8, 0.03, 1, 0.85, 1, "few rows" },
    { "five and three rows, 5 %", 8, 0.05, 1, 0.85, 1, "few rows" }
};

static void intervals_hold_the_truth(void **state)
{
    struct rng rng;

    (void)state;
    rng_seed(&rng, check_seed());
    EACH_ROW(c, coverage) {
        size_t held = 0, asked = 0, near = 0;
        double play;

        for (int draw = 0; draw < 1000; draw++) {
            struct machine_how how = usual;
            struct machine m;
            struct log l;

            how.seed = (uint64_t)draw;
            write_log(text, sizeof text, eager, COUNT(eager), coverage[c].factor, coverage[c].times,
                      coverage[c].noise, &rng);
            text_fit(&m, &l, text, &how);
            for (size_t k = 0; m.npiece == 2 && k < 2; k++) {
                const struct number *a = &m.piece[k].a, *rate = &m.piece[k].rate;

                held += a->lo <= 1e-6 * eager[k].a && 1e-6 * eager[k].a <= a->hi;
                held += rate->lo <= 1e6 * eager[k].rate && 1e6 * eager[k].rate <= rate->hi;
                asked += 2;
                if (strcmp(a->by, coverage[c].by) != 0)
                    fail_msg("%s: by %s, of %zu sizes", coverage[c].what, a->by, m.near.n);
                near += k == 1 && fabs(log(m.near.bytes[m.piece[1].piece.from] / eager[1].from)) <=
                    log(coverage[c].factor) + 1e-3;
            }
            machine_release(&m);
            log_release(&l);
        }
        print_message("%s: %.3f of %zu, breaks %.3f\n", coverage[c].what, (double)held / (double)asked, asked,
                      4 * (double)near / (double)asked);
        assert_true(asked > 2000);
        /* but for two standard errors of the share itself: the seed is drawn */
        play = 2 * sqrt(coverage[c].least * (1 - coverage[c].least) / (double)asked);
        assert_true((double)held >= (coverage[c].least - play) * (double)asked);
        assert_true((double)held <= (coverage[c].most + play) * (double)asked);
        assert_true((double)near >= 0.97 * (double)asked / 4);
    }
}

/* Of links: 1 us of work at either end, 150 ns a cable, 10,000 MB/s; pairs 2 and 6 cables apart. */
static const struct truth close[] = { { 0, 2.3, 10000 } }, apart[] = { { 0, 2.9, 10000 } };

static void far_pairs_give_the_time_of_a_cable(void **state)
{
    size_t cable = 0, overhead = 0, asked = 0;
    struct rng rng;

    (void)state;
    rng_seed(&rng, check_seed());
    for (int draw = 0; draw <= 1000; draw++) {              /* the first without noise */
        const struct machine_how how = { .overhead = NAN, .cable = NAN, .seed = (uint64_t)draw };
        struct log l = { .hops = 2 }, alone = { 0 };
        struct machine m, far;
        struct err err = { 0 };

        write_log(text, sizeof text, close, 1, 2, 1, draw ? 0.03 : 0, &rng);
        assert_int_equal(log_parse(&l, text, strlen(text), "near.txt", &err), 0);
        l.hops = 6;
        write_log(text, sizeof text, apart, 1, 2, 1, draw ? 0.03 : 0, &rng);
        assert_int_equal(log_parse(&l, text, strlen(text), "far.txt", &err), 0);
        fit(&m, &l, &how);
        text_fit(&far, &alone, text, &usual);
        if (!draw) {
            check_near(m.cable.value, 150e-9, 1e-12);
            check_near(m.overhead.value, 1e-6, 1e-12);
            check_near(m.rate.value, 1e10, 1e3);
        } else if (m.npiece == 1 && far.npiece == 1) {
            asked++;
            cable += m.cable.lo <= 150e-9 && 150e-9 <= m.cable.hi;
            overhead += m.overhead.lo <= 1e-6 && 1e-6 <= m.overhead.hi;
        }
        machine_release(&m);
        machine_release(&far);
        log_release(&l);
        log_release(&alone);
    }
    print_message("the time of a cable: %zu, the overhead: %zu of %zu\n", cable, overhead, asked);
    check_near((double)cable, 0.95 * (double)asked, 0.02 * (double)asked + 10);         /* 10: two deviations */
    check_near((double)overhead, 0.95 * (double)asked, 0.02 * (double)asked + 10);
}

/* Any order of logs, and of their rows. */
static void the_order_of_logs_is_nothing(void **state)
{
    static const char *const path[] = { "examples/logs/osu-5.4.3-latency-ib.txt", "examples/logs/osu-7.5-latency-cxi.txt",
                                        "examples/logs/osu-5.4.3-bw-ib.txt" };
    struct machine m[2];
    struct log l[2] = { { 0 } };
    struct err err = { 0 };

    (void)state;
    for (size_t k = 0; k < 2; k++) {
        for (size_t i = 0; i < 3; i++)
            assert_int_equal(log_read(&l[k], path[k ? 2 - i : i], &err), 0);
        fit(&m[k], &l[k], &usual);
    }
    assert_int_equal(m[0].npiece, m[1].npiece);
    for (size_t i = 0; i < m[0].npiece; i++) {
        assert_true(m[0].piece[i].a.lo == m[1].piece[i].a.lo && m[0].piece[i].a.hi == m[1].piece[i].a.hi);
        assert_true(m[0].piece[i].piece.b == m[1].piece[i].piece.b);
    }
    for (size_t k = 0; k < 2; k++) {
        machine_release(&m[k]);
        log_release(&l[k]);
    }
}

/* One time in a piece that is off by half moves nothing much; among five repetitions one of ten times hardly shows. */
static void outliers_count_little(void **state)
{
    struct rng rng;
    struct machine m;
    struct log l;
    size_t len;

    (void)state;
    rng_seed(&rng, 3);
    write_log(text, sizeof text, single, 1, 2, 5, 0.002, &rng);
    len = strlen(text);
    snprintf(text + len, sizeof text - len, "1024 116.3\n");
    text_fit(&m, &l, text, &usual);
    assert_int_equal(m.npiece, 1);
    assert_true(m.near.repeated);
    check_near(m.piece[0].a.value * 1e6, 5.494, 0.02);
    check_near(m.piece[0].rate.value * 1e-6, 166.67, 0.5);
    machine_release(&m);
    log_release(&l);
    write_log(text, sizeof text, single, 1, 2, 1, 0.002, &rng);
    assert_non_null(strstr(text, "\n16 5."));
    strstr(text, "\n16 5.")[4] = '7';        /* 5.59 us become 7.59 */
    text_fit(&m, &l, text, &usual);
    assert_int_equal(m.npiece, 1);
    check_near(m.piece[0].a.value * 1e6, 5.494, 0.05);
    machine_release(&m);
    log_release(&l);
}

/* ---- forms ------------------------------------------------------------------------------------------- */

static const struct form {
    const char *what, *text;
    size_t rows, skipped;               /* rows of the last block that has some */
    enum log_what kind;
    int operation, processes;           /* of it */
    double bytes, time;                 /* of the last row */
    const char *refused;                /* NULL: it is read */
    const char *said;                   /* the operation of tables that do not say it */
} forms[] = {
    { "OSU, quoted, with a prompt and a fence", "$ mpirun -n 2 osu_latency\n```\n> # OSU MPI Latency Test v5.6\n> # Size   "
      "       Latency (us)\n> 0   1.5\n> 8   2.5\n```\nWARNING: 3 things\n", 2, 4, LOG_LATENCY, -1, 0, 8, 2.5e-6, NULL, NULL },
    { "OSU, ranks in front", "[1,0]<stdout>:# OSU MPI Latency Test v5.6\n[1,0]<stdout>:# Size  Latency (us)\n"
      "[1,0]<stdout>:4  2\n0: 8 3\n", 2, 0, LOG_LATENCY, -1, 0, 8, 3e-6, NULL, NULL },
    { "OSU collective, the greatest latency", "# OSU MPI Allreduce Latency Test v7.0\n# Datatype: MPI_INT.\n# Size   "
      "Avg Latency(us)   Min Latency(us)   Max Latency(us)  Iterations\n4  2.0  1.0  3.0  1000\n", 1, 0, LOG_COLLECTIVE,
      2, 0, 4, 3e-6, NULL, NULL },
    { "OSU all-to-all", "# OSU MPI All-to-All Personalized Exchange Latency Test v5.6\n# Size   Avg Latency(us)\n4  2.0\n",
      1, 0, LOG_COLLECTIVE, 7, 0, 4, 2e-6, NULL, NULL },
    { "OSU both ways", "# OSU MPI Bi-Directional Bandwidth Test v5.6\n# Size   Bandwidth (MB/s)\n8  16.0\n", 1, 0,
      LOG_BANDWIDTH, -1, 0, 8, 1e-6, NULL, NULL },
    { "OSU several pairs", "# OSU MPI Multiple Bandwidth / Message Rate Test v5.6\n# [ pairs: 4 ] [ window size: 64 ]\n"
      "# Size    MB/s    Messages/s\n8  32.0  4000000\n", 1, 0, LOG_BANDWIDTH, -1, 0, 8, 1e-6, NULL, NULL },
    { "OSU, blanks lost", "# OSU MPI Latency Test v5.6\n# Size Latency (us)\n4 2.5\n", 1, 0, LOG_LATENCY, -1, 0, 4, 2.5e-6,
      NULL, NULL },
    { "OSU barrier", "# OSU MPI Barrier Latency Test v5.9\n# Avg Latency(us)   Min Latency(us)   Max Latency(us)\n3.5 3 4\n",
      1, 0, LOG_COLLECTIVE, 8, 0, 0, 4e-6, NULL, NULL },
    { "IMB, five columns", "# Benchmarking PingPong\n# #processes = 2\n#bytes #repetitions t[usec] Mbytes/sec defects\n"
      "65536 640 10.00 6553.60 0.00\n", 1, 0, LOG_LATENCY, -1, 2, 65536, 1e-5, NULL, NULL },
    { "IMB collective, t_max", "# Benchmarking Allreduce\n# #processes = 16\n#bytes #repetitions  t_min[usec]  "
      "t_max[usec]  t_avg[usec]\n4 1000 1.0 3.0 2.0\n", 1, 0, LOG_COLLECTIVE, 2, 16, 4, 3e-6, NULL, NULL },
    { "CSV", "bytes,time_ms,processes,operation\n8,0.5,4,ping-pong\n8,2,16,bcast\n", 1, 0, LOG_COLLECTIVE, 0, 16, 8, 2e-3,
      NULL, NULL },
    { "CSV, buffers of all together", "operation,processes,buffer_bytes,algorithm,median_us\nall-to-all,8,64,bruck,2\n", 1,
      0, LOG_COLLECTIVE, 7, 8, 8, 2e-6, NULL, NULL },
    { "CSV, of an operation that is said", "bytes,time_us,processes,algorithm\n8,5,16,ring\n", 1, 0, LOG_COLLECTIVE, 2, 16, 8,
      5e-6, NULL, "Allreduce" },
    { "CSV, which says its operation", "buffer_bytes,time_us,processes,operation\n64,5,16,gather\n", 1, 0, LOG_COLLECTIVE, 3,
      16, 4, 5e-6, NULL, "allreduce" },
    { "no log", "hello\n", 0, 0, 0, 0, 0, 0, 0, "a.txt has no block that is known", NULL },
    { "negative", "# OSU MPI Latency Test v5\n# Size  Latency (us)\n0 1\n8 -2\n", 0, 0, 0, 0, 0, 0, 0,
      "a.txt:4: the time is -2; it must not be negative", NULL },
    { "units that contradict", "# Benchmarking PingPong\n#bytes #repetitions t[usec] Mbytes/sec\n65536 1000 10.00 "
      "9000.00\n", 0, 0, 0, 0, 0, 0, 0, "a.txt:3: 65536 bytes in 10 us are 6554 MB/s", NULL },
    { "two units", "bytes,time_us,time_ms\n8,1,1\n", 0, 0, 0, 0, 0, 0, 0, "a.txt:1: two columns have times", NULL },
    { "two units in two blocks", "bytes,time_us\n8,1\nbytes,time_ns\n8,1000\n", 0, 0, 0, 0, 0, 0, 0,
      "a.txt:3: times in units of 1e-09 s, and from line 1 in units of 1e-06 s", NULL },
    { "no number", "bytes,time_us\n8,fast\n", 0, 0, 0, 0, 0, 0, 0, "a.txt:2: 'fast' is no number", NULL },
    { "nothing of use", "# OSU MPI_Put Latency Test v5\n# Size  Latency (us)\n0 1\n", 0, 0, 0, 0, 0, 0, 0,
      "a.txt:1: the block 'Latency' has no row of a size and a time that is used here", NULL }
};

static void forms_are_read(void **state)
{
    (void)state;
    EACH_ROW(i, forms) {
        const struct form *f = &forms[i];
        struct log l = { .operation = f->said };
        struct err err = { 0 };
        const int ret = log_parse(&l, f->text, strlen(f->text), "a.txt", &err);

        assert_int_equal(ret, f->refused ? -1 : 0);
        if (f->refused) {
            if (strncmp(err.msg, f->refused, strlen(f->refused)) != 0)
                fail_msg("%s: %s", f->what, err.msg);
        } else {
            const struct log_row *row = &l.row[l.nrow - 1];
            const struct log_block *b = &l.block[row->block];

            assert_int_equal(b->nrow, f->rows);
            assert_int_equal(l.skipped, f->skipped);
            assert_int_equal(b->what, f->kind);
            assert_int_equal(b->operation, f->operation);
            assert_int_equal(b->processes, f->processes);
            check_near(row->bytes, f->bytes, 0);
            check_near(row->time, f->time, 1e-18);
        }
        log_release(&l);
    }
}

/* ---- drawn models ------------------------------------------------------------------------------------ */

static void drawn_parameters_lie_in_their_intervals(void **state)
{
    static const char file[] = "tests/support/fitted.cost";
    struct fitted f = { 0 };
    struct err err = { 0 };
    struct rng rng;
    int below = 0, above = 0;

    (void)state;
    rng_seed(&rng, check_seed());
    assert_int_equal(fitted_read(&f, file, &err), 0);
    assert_string_equal(f.spec, "hockney,a=2us,rate=100MB/s,ports=2");
    assert_int_equal(f.n, 1);
    for (int i = 0; i < 10000; i++) {
        char *spec = NULL;
        double a;
        bool unit;

        assert_int_equal(fitted_draw(&spec, &f, &rng, &err), 0);
        assert_non_null(strstr(spec, ",rate=100MB/s,ports=2"));
        assert_int_equal(strncmp(spec, "hockney,a=", 10), 0);
        *strchr(spec + 10, ',') = '\0';
        assert_int_equal(quantity_parse(&a, &unit, spec + 10, QUANTITY_TIME, "a", &err), 0);
        below += a < 1.9e-6;
        above += a > 3e-6;
        free(spec);
    }
    check_near(below, 250, 60);         /* 2.5 % on either side, to four deviations */
    check_near(above, 250, 60);
    fitted_release(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published_logs_have_their_pieces), cmocka_unit_test(a_threshold_is_where_lines_meet),
        cmocka_unit_test(exact_times_give_the_model_back), cmocka_unit_test(intervals_hold_the_truth),
        cmocka_unit_test(far_pairs_give_the_time_of_a_cable),
        cmocka_unit_test(the_order_of_logs_is_nothing), cmocka_unit_test(outliers_count_little),
        cmocka_unit_test(forms_are_read), cmocka_unit_test(drawn_parameters_lie_in_their_intervals)
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
