/* What --help offers is taken: every form of a value that it shows (its words, "as in FORM", the entries of its
 * catalogue, the tables of --show) is tried on a command line that is right without it. The command may fail to find a
 * file that the form names; it must not say that the request is wrong. */
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/bound/bound.h"
#include "cli/command/cmd.h"
#include "graph/base/entry.h"
#include "tests/support/check.h"
#include "tests/support/child.h"

/* A command line of each command; `load` where it must have one, and none of the options of load is tried. */
static const struct line {
    const char *command, *rest, *load;
} lines[] = {
    { "topo", "ring:8 --plot options.svg", "" }, { "stats", "ring:8", "" },
    { "bcast", "torus:4x4 --algorithm binomial", "" }, { "collective", "broadcast torus:4x4 --bytes 1K", "" },
    { "tree", "torus:4x4 --delays random", "" },
    { "primitive", "torus:4x4", "" }, { "protocol", "--copy-rate 10GB/s --packet 4K", "" },
    { "tune", "broadcast torus:4x4 --bytes 8K", "" }, { "rules", "examples/rules/old.conf broadcast torus:4x4", "" },
    { "fit", "examples/logs/osu-7.5-latency-cxi.txt", "" },
    { "fabric", "fattree:4", "" }, { "contention", "-i 100,250", "" }, { "deadlock", "torus:4x4", "" }, { "compare", "ring:4 ring:16", "" },
    { "join", "out", "" }, { "latency", "torus:4x4", "" },
    { "simulate", "mesh:4x4 --cycles 500 --warmup 100", "--load 0.1" },
    { "validate", "--cycles 300 --traffic uniform", "--load 20%" },
    { "guide", "torus:4x4 --latency 100 -s static", "--load 0.1" }, { "bound throughput", "torus:4x4", "" },
    { "bound worst", "torus:4x4 --routing dor", "" }, { "bound broadcast", "ring:8", "" },
    { "bound split", "torus:4x4 --supernode static --traffic transpose", "--load 0.1" },
    { "plot", "options.csv -x a -y b -o options.svg", "" }, { "reproduce", "drb:5-4", "" },
    { "report", "ring:8 -o options.html", "" }, { "list", "topology", "" }
};
/* Forms that go with other options, as --help says beside them. */
static const struct with {
    const char *command, *option, *form, *more;         /* form NULL: all of them */
} with[] = {
    { "bcast", "root", NULL, "--packet 10" },
    { "contention", "interval", "10..1000..x1.5", "-n 2" }, { "contention", "variant", NULL, "-i 100,250" },
    { "fit", "collective", NULL, "tests/fidelity/fugaku.csv torus:2x2x2" },
    { "fit", "cost", NULL, "--collective tests/fidelity/fugaku.csv torus:2x2x2" },
    { "fit", "calibrate", NULL, "--on 2x2x2 --collective tests/fidelity/fugaku.csv torus:2x2x2 torus:4x4x4" },
    { "fit", "on", NULL, "--calibrate --collective tests/fidelity/fugaku.csv torus:2x2x2 torus:4x4x4" },
    { "guide", "show", "sources", "--exact" }, { "latency", "show", "costs", "--routing metapath:sga:1" },
    { "simulate", "max-cycles", NULL, "--until-precision 5%" }, { "simulate", "ack", NULL, "--routing drb:static+sga:1" },
    { "topo", "width", "column", "-f latex" }, { "topo", "latex", "siunitx", "-f latex" },
    { "fabric", "losses", NULL, "--show losses" }, { "primitive", "mode", NULL, "--traffic uniform" },
    { "tune", "loss", NULL, "--rules ompi:options.conf" },
    { "protocol", "show", "speedup", "--times examples/published/via_ft_speedup.csv" },
    { "plot", "best", NULL, "-k decision -z c -g n" }, { "plot", "kind", "bar", "-g c" },
    { "plot", "kind", "heat", "-z c" },
    { "plot", "kind", "decision", "-z c -g n" }, { "plot", "fit", NULL, "-k scatter" }
};
static size_t tried, wrong;

static void child_takes(const struct line *line, const char *option, const char *form, size_t len)
{
    static const char *const of_load[] = { "load", "rate", "interval", "scale" };
    const char *load = line->load, *more = "";
    char command[400], value[120];
    struct child child;

    snprintf(value, sizeof value, "%.*s", (int)len, form);
    EACH_ROW(i, of_load)
        if (strcmp(option, of_load[i]) == 0)
            load = "";
    EACH_ROW(i, with)
        if (strcmp(with[i].command, line->command) == 0 && strcmp(with[i].option, option) == 0 &&
            (!with[i].form || strcmp(with[i].form, value) == 0))
            more = with[i].more;
    snprintf(command, sizeof command, "%s %s%s%s%s%s --%s=%s", line->command, line->rest, *load ? " " : "", load,
             *more ? " " : "", more, option, value);
    child_run(&child, command, 60, NULL, NULL);
    if (child.status == 2 || child.faulty || child.late) {
        print_error("metapath %s: %.300s\n", command, child.text);
        wrong++;
    }
    tried++;
    child_release(&child);
}

/* Words as in "auto|none"; nothing where there is no bar. */
static void words_are_taken(const struct line *line, const struct option_field *f)
{
    const char *at = f->words ? f->words : f->values && strchr(f->values, '|') ? f->values : "";

    while (*at) {
        const size_t len = strcspn(at, "|");

        child_takes(line, f->name, at, len);
        at += len + (at[len] == '|');
    }
}

static void examples_are_taken(const struct line *line, const struct option_field *f)
{
    for (const char *at = f->help; at && f->values && (at = strstr(at, "as in ")) != NULL;) {
        size_t len;

        at += strlen("as in ");
        len = strcspn(at, " ;)");
        while (len > 0 && strchr(",:", at[len - 1]))
            len--;
        if (strncmp(at, "the ", 4) != 0 && strncmp(at, "CSV", 3) != 0 && *at != '"')
            child_takes(line, f->name, at, len);
    }
}

static void all_are_taken(const struct line *line, const struct option_field *f)
{
    for (; f->name || f->help || f->take || f->type != OPTION_NONE; f++) {
        if (!f->name || f->group < 0)
            continue;
        words_are_taken(line, f);
        examples_are_taken(line, f);
        for (size_t i = 0; f->kind && f->kind->entry[i]; i++)
            child_takes(line, f->name, f->kind->entry[i]->name, strlen(f->kind->entry[i]->name));
    }
}

static const struct frame *frame_of(const char *command)
{
    const struct cmd *cmd = strncmp(command, "bound ", 6) == 0 ? NULL : cmd_find(command, NULL);

    return cmd ? cmd->frame : bound_find(command + 6, NULL)->frame;
}

static void what_help_offers_is_taken(void **state)
{
    size_t commands = 0;

    (void)state;
    child_write("options.csv", "a,b,c,n\n1,1,4,x\n2,1,3,x\n1,2,2,x\n2,2,1,x\n1,1,1,y\n2,1,2,y\n1,2,3,y\n2,2,5,y\n");
    EACH_ROW(i, lines) {
        const struct frame *f = frame_of(lines[i].command);

        all_are_taken(&lines[i], f->option);
        for (const struct option_part *part = f->shared; part && part->field; part++)
            all_are_taken(&lines[i], part->field);
        for (size_t k = 0; f->table && f->table[k].column; k++)
            if (f->table[k].show)
                child_takes(&lines[i], "show", f->table[k].show, strlen(f->table[k].show));
    }
    for (size_t i = 0; options_shared()[i]; i++)
        all_are_taken(&lines[0], options_shared()[i]);
    for (size_t i = 0; cmd_all[i]; i++)
        commands += cmd_all[i]->frame != NULL;
    for (size_t i = 0; bound_all[i]; i++)
        commands++;
    assert_int_equal(commands, COUNT(lines));
    assert_true(tried > 120);
    assert_int_equal(wrong, 0);
    remove("options.csv");
    remove("options.svg");
    remove("options.conf");
    remove("rules.conf");
}

static void no_line(void *arg, const struct option_field *field)
{
    (void)arg;
    (void)field;
}

/* A number without limits is a mistake of the command's, found before any line is read. */
static void numbers_have_limits(void **state)
{
    struct request { struct options common; int whole; double real; };
    static const struct {
        struct option_field line[2];
        bool limited;
    } rows[] = {
        { { { "none", 0, "N", "whole", 1, INTO(whole) } }, false }, { { { "none", 0, "X", "real", 1, INTO(real) } }, false },
        { { { "some", 0, "N", "whole", 1, INTO(whole), .most = 3 } }, true },
        { { { "some", 0, "X", "real", 1, INTO(real), .to = 1 } }, true },
        { { { "word", 0, "a|b", "a word", 1, INTO(whole) } }, true }
    };

    (void)state;
    EACH_ROW(i, rows) {
        struct request q = { .whole = 0 };
        struct err err = { ERR_NONE, "" };

        assert_int_equal(options_each(&q.common, rows[i].line, NULL, no_line, NULL, &err), rows[i].limited ? 0 : -1);
        assert_int_equal(err.code, rows[i].limited ? ERR_NONE : ERR_INTERNAL);
        assert_int_equal(strstr(err.msg, "--none") != NULL, !rows[i].limited);
    }
}

/* In a folder of its own: what commands write is not left in the tree by a run that is killed. */
int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(what_help_offers_is_taken), cmocka_unit_test(numbers_have_limits) };
    char folder[] = "/tmp/metapath-options-XXXXXX", data[PATH_MAX + 20];
    int failed;

    if (!getcwd(data, PATH_MAX) || setenv("METAPATH_DATA", strcat(data, "/examples"), 1) != 0 || !mkdtemp(folder) ||
        chdir(folder) != 0)
        return 1;
    failed = cmocka_run_group_tests(tests, NULL, NULL);
    return chdir("/") == 0 && rmdir(folder) == 0 ? failed : 1;
}
