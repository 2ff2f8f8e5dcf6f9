/* What a reader sees: commands on terminals of 80, 100, 120 and 200 columns. No line is longer than the screen, nor in a
 * file than 100, and every name that the same command's CSV has in a column that is shown stands there whole. */
#include <fcntl.h>
#include <pty.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "graph/base/csv.h"
#include "render/table/grid.h"
#include "tests/support/check.h"

#define MOST_WORDS 24

struct bytes {
    char *text;
    size_t n;
    int status;
};

/* The program's standard output, on a screen of so many columns, or with that as standard error alone (piped); 0: in a
 * file. */
static struct bytes run_to(const char *command, const char *more, unsigned short columns, bool piped)
{
    const struct winsize size = { .ws_row = 24, .ws_col = columns };
    struct bytes b = { NULL, 0, -1 };
    char line[300], *word[MOST_WORDS] = { (char *)(uintptr_t)"metapath" }, *save = NULL, block[4096];
    int master, slave = -1, screen = -1, ends[2], n = 1;
    ssize_t got;
    FILE *f = open_memstream(&b.text, &b.n);
    pid_t pid;

    snprintf(line, sizeof line, "%s %s", command, more);
    for (char *w = strtok_r(line, " ", &save); w && n < MOST_WORDS - 1; w = strtok_r(NULL, " ", &save))
        word[n++] = w;
    if (columns)
        assert_int_equal(openpty(&master, &slave, NULL, NULL, &size), 0);
    if (!columns || piped) {
        assert_int_equal(pipe(ends), 0);
        screen = slave;
        slave = ends[1];
    }
    fflush(NULL);
    pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        dup2(slave, STDOUT_FILENO);
        dup2(screen >= 0 ? screen : open("/dev/null", O_RDWR), STDERR_FILENO);
        setenv("TERM", "dumb", 1);
        unsetenv("NO_COLOR");
        execv("out/metapath", word);
        _exit(127);
    }
    close(slave);
    if (screen >= 0) {                  /* what it says there is not read */
        close(screen);
        close(master);
    }
    if (!columns || piped)
        master = ends[0];
    /* A terminal ends with EIO, which may overtake the last lines where both are on their way: read again when nobody
     * writes any more. */
    for (int ended = 0; ended < 2; ended++) {
        while ((got = read(master, block, sizeof block)) > 0)
            for (ssize_t i = 0; i < got; i++)
                if (block[i] != '\r')
                    putc(block[i], f);
        if (!ended)
            waitpid(pid, &b.status, 0);
    }
    close(master);
    assert_int_equal(fclose(f), 0);
    b.status = WIFEXITED(b.status) ? WEXITSTATUS(b.status) : -1;
    return b;
}

static struct bytes run(const char *command, const char *more, unsigned short columns)
{
    return run_to(command, more, columns, false);
}

static void check_lines(const char *what, const char *text, size_t width)
{
    char *copy = strdup(text), *save = NULL;

    for (char *l = strtok_r(copy, "\n", &save); l; l = strtok_r(NULL, "\n", &save))
        if (grid_width(l) > width && strchr(l, ' '))        /* a single word is not cut */
            fail_msg("%s: a line of %zu columns on a screen of %zu:\n%s", what, grid_width(l), width, l);
    free(copy);
}

/* Whole, or cut behind marks, one part after the other, as names go on in the next rows. */
static bool stands(const char *text, const char *name)
{
    while (*name && text) {
        size_t n = strlen(name);
        const char *at = strstr(text, name);

        while (!at && n > 0) {
            char part[200];

            do
                n--;
            while (n > 0 && !strchr(",:-+/> ", name[n - 1]));
            snprintf(part, sizeof part, "%.*s", (int)n, name);
            at = n > 0 ? strstr(text, part) : NULL;
        }
        text = at ? at + n : NULL;
        name += n + strspn(name + n, " ");
    }
    return text != NULL;
}

/* More than six rows stay a table: no heading begins a second block of lines. */
static void check_table(const char *what, const char *text, const struct bytes *b)
{
    static const char *const heading[] = { "\nTopology  ", "\nTraffic  ", "\nRouting  ", "\nAlgorithm  ", "\nLoad  ",
                                           "\nMetapath  ", "\nSwitching  ", "\nClaim  ", "\nCell  ", "\nKind  " };
    struct err err = { ERR_NONE, "" };
    struct csv csv;

    assert_int_equal(csv_parse(&csv, b->text, b->n, what, &err), 0);
    EACH_ROW(i, heading)
        for (const char *at = csv.nrow > 6 ? strstr(text, heading[i]) : NULL; at;) {
            at = strstr(at + 1, heading[i]);
            if (at)
                fail_msg("%s: %zu rows are no table:\n%s", what, csv.nrow, text);
        }
    csv_release(&csv);
}

/* Names have no blanks, and no screen is too narrow for them here. Topologies are shown always, others where a file has
 * them. */
static void check_names(const char *what, const char *text, const char *file, const struct bytes *b)
{
    static const char *const name[] = { "topology", "traffic", "routing", "supernode", "metapath", "algorithm", "name",
                                        "kind", "claim", "bottleneck", "from", "to", "channel", "node" };
    const char *left = strstr(text, "(--wide also shows");      /* columns of detail, by name */
    struct err err = { ERR_NONE, "" };
    struct csv csv;

    assert_int_equal(csv_parse(&csv, b->text, b->n, what, &err), 0);
    EACH_ROW(i, name)
        for (size_t r = 0; csv_column(&csv, name[i]) >= 0 && r < csv.nrow; r++)
            if (!stands(text, csv_at(&csv, r, csv_column(&csv, name[i]))) &&
                !(left && strcasestr(left, name[i])) &&
                (i == 0 || strstr(file, csv_at(&csv, r, csv_column(&csv, name[i])))))
                fail_msg("%s: %s '%s' is cut in\n%s", what, name[i], csv_at(&csv, r, csv_column(&csv, name[i])), text);
    csv_release(&csv);
}

static const char *const commands[] = {
    "latency NET --columns topology,load,network_wait_cycles,packet_latency_cycles,saturation_load,validity,mean_hops",
    "collective allreduce NET", "bcast NET --load 20% --processes 8 --draws 64",
    "validate NET --all --load 20% --cycles 500",
    "topo NET", "topo NET --show distribution", "stats NET", "stats NET --wide --supernode static,sga:1", "latency NET",
    "latency NET --routing ecmp,minimal", "latency NET --interval 400 --show channels",
    "latency NET --interval 400 --show nodes", "latency NET --interval 400 --show links", "compare NET hypercube:5",
    "simulate NET --load 0.1,0.2 --cycles 1000", "simulate NET --load 0.1 --cycles 1000 --show links",
    "validate NET --load 20% --cycles 1000", "latency NET --load 20% --validate",
    "bcast NET --processes 8,16", "collective allreduce NET --processes 8,16",
    "tree torus:4x4 --show types", "tree torus:4x4 hypercube:3", "tree mesh:3x3 --show links",
    "tune allreduce NET --processes 4,8", "tune broadcast NET --processes 8 --bytes 64K --show all",
    "bcast NET --processes 8 --show schedule", "bound throughput NET", "bound worst NET", "bound broadcast NET",
    "bound split NET --supernode sga:1 --interval 400", "guide NET --traffic uniform --interval 400 --latency 90",
    "list",
    "list command", "list topology", "latency NET --routing ecmp,minimal --interval 400,200",
    "topo NET torus:4x4 hypercube:5", "bcast NET torus:4x4 --processes 8,10 --ports 1,all",
    "bound throughput NET torus:4x4 --traffic uniform,complement", "bound broadcast NET torus:4x4",
    "reproduce drb:5.3.1.1", "reproduce rmpi:1",
    "reproduce --list", "contention --interval 100,200", "deadlock NET torus:4x4 --routing minimal,valiant",
    "deadlock NET --show cycle --routing valiant", "deadlock NET --routing valiant --classes phases --show classes",
    "reproduce rmpi:text",
    "stats NET torus:16x8 --supernode static,row:4 --sort -mean_length_hops --top 3",
};
static const char *const networks[] = { "torus:8x8", "fattree:4", "dragonfly,a=4,p=2,h=1",
                                        "examples/networks/campus.graphml", "examples/networks/petersen.edges" };

static void every_command(void **state)
{
    const char *net = *state;
    static const unsigned short width[] = { 80, 100, 120, 200 };
    size_t done = 0, tried = 0;

    EACH_ROW(i, commands) {
        const char *at = strstr(commands[i], "NET");
        char command[200];
        struct bytes csv, file;

        if (!at && net != networks[0])          /* about no network */
            continue;
        snprintf(command, sizeof command, "%.*s%s%s", at ? (int)(at - commands[i]) : (int)strlen(commands[i]),
                 commands[i], at ? net : "", at ? at + 3 : "");
        csv = run(command, "-f csv", 0);
        file = run(command, "", 0);
        tried++;
        if (!strstr(command, "--wide") && at)           /* the others have sentences, each on one line */
            check_lines(command, file.text, 100);
        done += csv.status == 0;
        for (size_t k = 0; csv.n > 0 && k < COUNT(width); k++) {
            struct bytes text = run(command, "", width[k]);
            char what[260];

            snprintf(what, sizeof what, "%s at %d columns", command, width[k]);
            assert_int_equal(text.status, csv.status);
            assert_null(strchr(text.text, '\033'));
            check_lines(what, text.text, width[k]);
            check_names(what, text.text, file.text, &csv);
            if (strncmp(command, "topo", 4) != 0 && strncmp(command, "compare", 7) != 0)    /* properties down */
                check_table(what, text.text, &csv);
            free(text.text);
        }
        free(csv.text);
        free(file.text);
    }
    if (4 * done < 3 * tried)
        fail_msg("%s: only %zu of %zu commands had an answer", net, done, tried);
}

/* Two networks whose names begin alike are told apart. */
static void names_alike(void **state)
{
    (void)state;
    for (unsigned short w = 40; w <= 120; w = (unsigned short)(w + 20)) {
        struct bytes b = run("topo torus:32x32 torus:32x16", "", w);

        assert_int_equal(b.status, 0);
        assert_non_null(strstr(b.text, "torus:32x32"));
        assert_non_null(strstr(b.text, "torus:32x16"));
        free(b.text);
    }
}

/* A pipe is as wide as the terminal beside it, and has no colours. */
static void a_pipe_is_as_wide(void **state)
{
    static const char command[] = "stats torus:8x8 mesh:8x8 --supernode static,sga:1,sga:2,dga:1";

    (void)state;
    for (unsigned short w = 70; w <= 130; w = (unsigned short)(w + 20)) {
        struct bytes piped = run_to(command, "", w, true), shown = run(command, "", w);

        assert_int_equal(piped.status, 0);
        assert_string_equal(piped.text, shown.text);
        free(piped.text);
        free(shown.text);
    }
}

int main(void)
{
    struct CMUnitTest tests[COUNT(networks) + 2];

    EACH_ROW(i, networks)
        tests[i] = (struct CMUnitTest){ .name = networks[i], .test_func = every_command,
                                        .initial_state = (void *)(uintptr_t)networks[i] };
    tests[COUNT(networks)] = (struct CMUnitTest)cmocka_unit_test(names_alike);
    tests[COUNT(networks) + 1] = (struct CMUnitTest)cmocka_unit_test(a_pipe_is_as_wide);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
