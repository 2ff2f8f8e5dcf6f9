/* Memory that runs out: commands in a child, in each run of which one allocation fails that our own code makes. The
 * linker puts a __wrap function in the place of everything by which our objects take memory (Makefile: WRAP); what
 * the libraries take for themselves is beyond its reach. Whichever it is that fails, the command gives what it gives
 * undisturbed, or it ends with status 1 and says that memory ran out, leaves the file that it was to replace as it
 * was, no temporary one beside it, and nothing unreleased. */
#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "graph/numeric/rng.h"
#include "tests/support/check.h"
#include "tests/support/child.h"

#define OLD "the file as it was\n"
#define EACH 200                /* the first so many allocations fail one by one, */
#define STRIDE 50               /* then one of so many, another one by another seed */
#define SECONDS 60

/* ---- what fails ---------------------------------------------------------------------------------------------- */

static long *calls;             /* so far, of a child that is armed; shared with it */
static long fatal;              /* the one that fails; 0: none */
static bool armed;

static bool spent(void)
{
    if (!armed || __atomic_add_fetch(calls, 1, __ATOMIC_RELAXED) != fatal)
        return false;
    if (getenv("TRAP"))         /* under a debugger: who asked */
        __builtin_trap();
    errno = ENOMEM;
    return true;
}

#define WRAP(type, name, parameters, arguments, failed)     \
    type __real_##name parameters;                          \
    type __wrap_##name parameters;                          \
    type __wrap_##name parameters { return spent() ? (failed) : __real_##name arguments; }

WRAP(void *, malloc, (size_t size), (size), NULL)
WRAP(void *, calloc, (size_t n, size_t size), (n, size), NULL)
WRAP(void *, realloc, (void *old, size_t size), (old, size), NULL)
WRAP(void *, aligned_alloc, (size_t align, size_t size), (align, size), NULL)
WRAP(void *, fftw_malloc, (size_t size), (size), NULL)
WRAP(char *, strdup, (const char *text), (text), NULL)
WRAP(char *, realpath, (const char *path, char *out), (path, out), NULL)
WRAP(FILE *, fopen, (const char *path, const char *mode), (path, mode), NULL)
WRAP(FILE *, fdopen, (int fd, const char *mode), (fd, mode), NULL)
WRAP(FILE *, open_memstream, (char **text, size_t *len), (text, len), NULL)
WRAP(int, vasprintf, (char **out, const char *format, va_list args), (out, format, args), -1)

int __wrap_asprintf(char **out, const char *format, ...) __attribute__((format(printf, 2, 3)));
int __wrap_asprintf(char **out, const char *format, ...)
{
    va_list args;
    int len;

    va_start(args, format);
    len = __wrap_vasprintf(out, format, args);
    va_end(args);
    return len;
}

static void arm(void *arg)
{
    (void)arg;
    *calls = 0;
    armed = true;
}

/* ---- what is run --------------------------------------------------------------------------------------------- */

static const char *const commands[] = {
    "help sga",
    "list command",
    "list traffic",
    "topo torus:4x3 mesh:3x3,wrap=1 circulant:9,jumps=1+2 fattree:4 dragonfly,a=2,p=1,h=1 random:8,degree=3,seed=1 -o out",
    "topo midimew:13 hyperx:3x2 hypercube:3 star:5 complete:4 ring:5,directed=yes -f json -o out",
    "topo net.edges --show parts -f csv -o out",
    "topo named.csv --show distribution -f markdown -o out",
    "topo matrix.csv -o out",
    "topo net.gml -o out",
    "topo net.graphml -f latex -o out",
    "topo net.edges,terminals=leaves --show distribution -o out",
    "topo torus:4x3 --plot out.svg",
    "topo named.csv --plot out.svg",
    "stats torus:4x3 --supernode static,sga:1,row:2 -o out",
    "stats named.csv --supernode sga:1 --plot out.svg -o out",
    "bcast torus:4x3 --algorithm binomial,chain,best --ports 1,all -o out",
    "bcast torus:4x3 --algorithm binomial --processes 8 --show schedule -o out",
    "latency torus:4x3 --traffic uniform,complement,pairs.csv --routing dor,metapath:sga:1,minimal --interval 50,100 -o out",
    "latency named.csv --traffic named_pairs.csv --routing drb,offline -o out",
    "latency torus:4x3 --loop open --traffic uniform --interval 40,80 --plot out.svg -o out",
    "contention --interval 20,50 --packet 5 --channels 3 -o out",
    "contention --interval 20..100..x2 --channels 2 --plot out.svg",
    "guide torus:4x3 --traffic pairs.csv --interval 30,60 --latency 60 -o out",
    "compare torus:4x3 mesh:4x3 named.csv -o out",
    "bound throughput mesh:3x2 --traffic uniform -o out",
    "bound throughput ring:4 --method columns -o out",
    "bound worst mesh:3x2 --routing dor,valiant -o out",
    "bound split torus:4x3 --traffic complement --supernode sga:1 --interval 50 -o out",
    "bound broadcast ring:6 -o out",
    "reproduce drb:5-4 -o out",
    "plot rows.csv -x x -y y,z -k line -o out.svg",
    "plot rows.csv -x x -y y -k bar --group g -o out.svg",
    "plot rows.csv -x x -y z -k histogram --where x>1 -o out.svg",
    "plot rows.csv -x x -y y -k scatter --fit linear -o out.pdf",
    "plot grid.csv -x x -y y -z z -k heat -o out.svg",
    "plot grid.csv -x x -y y -z z -k surface -o out.png",
};

static const struct { const char *name, *text; } inputs[] = {
    { "net.edges", "0 1 2\n1 2 1\n2 3 1\n3 0 1\n3 4 2\n" },
    { "named.csv", "source,target,weight\nalpha,beta,1\nbeta,gamma,2\ngamma,delta,1\ndelta,alpha,1\nalpha,gamma,3\n" },
    { "matrix.csv", ",a,b,c\na,0,1,2\nb,1,0,1\nc,2,1,0\n" },
    { "net.gml", "graph [ node [ id 0 label \"a\" kind \"host\" ] node [ id 1 label \"b\" kind \"switch\" ] node [ id 2 "
      "label \"c\" kind \"host\" ] edge [ source 0 target 1 weight 2 ] edge [ source 1 target 2 weight 1 ] ]\n" },
    { "net.graphml", "<?xml version=\"1.0\"?>\n<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">"
      "<key id=\"k\" for=\"node\" attr.name=\"kind\" attr.type=\"string\"/>"
      "<key id=\"w\" for=\"edge\" attr.name=\"weight\" attr.type=\"double\"/>"
      "<graph edgedefault=\"undirected\"><node id=\"a\"><data key=\"k\">host</data></node>"
      "<node id=\"b\"><data key=\"k\">switch</data></node><node id=\"c\"><data key=\"k\">host</data></node>"
      "<edge source=\"a\" target=\"b\"><data key=\"w\">2</data></edge><edge source=\"b\" target=\"c\"><data key=\"w\">1</data></edge>"
      "</graph></graphml>\n" },
    { "pairs.csv", "source,target,interval,packet,channel\n0.0,2.1,50,5,first\n1.0,3.2,,,second\n0.1,2.2,70,,\n" },
    { "named_pairs.csv", "source,destination,demand\nalpha,gamma,0.1\nbeta,delta,0.2\n" },
    { "rows.csv", "x,y,z,g\n1,2,5,a\n2,3,4,a\n3,5,4.5,b\n4,4,1,b\n5,7,2,a\n" },
    { "grid.csv", "x,y,z\n0,0,1\n1,0,2\n2,0,3\n0,1,2\n1,1,4\n2,1,3\n0,2,1\n1,2,2\n2,2,5\n" },
};

/* ---- what must hold ------------------------------------------------------------------------------------------ */

static const char *const outputs[] = { "out", "out.svg", "out.pdf", "out.png" };

struct result {
    struct child child;
    char *file[COUNT(outputs)];
    size_t len[COUNT(outputs)];
};

static void run(struct result *r, const char *words, long k)
{
    const bool computes = strncmp(words, "help", 4) != 0 && strncmp(words, "list", 4) != 0;
    char command[400];

    fatal = k;
    snprintf(command, sizeof command, "%s%s", words, computes ? " --jobs 1" : "");   /* the k-th is the same again */
    for (size_t i = 0; i < COUNT(outputs); i++)
        child_write(outputs[i], OLD);
    child_run(&r->child, command, SECONDS, arm, NULL);
    for (size_t i = 0; i < COUNT(outputs); i++)
        r->file[i] = child_file(outputs[i], &r->len[i]);
}

static void release(struct result *r)
{
    child_release(&r->child);
    for (size_t i = 0; i < COUNT(outputs); i++)
        free(r->file[i]);
}

static bool same_file(const struct result *a, const struct result *b, size_t i)
{
    return a->file[i] && a->len[i] == b->len[i] && memcmp(a->file[i], b->file[i], a->len[i]) == 0;
}

/* What is wrong with how it failed, or NULL. A figure may be in its place, whole, when its table fails; and a sweep
 * writes the rows that could be had, with a note of why others could not. */
static const char *wrong(const struct result *r, const struct result *whole)
{
    bool same = r->child.status == whole->child.status && strcmp(r->child.text, whole->child.text) == 0;
    char *litter = child_litter();

    if (litter) {
        unlink(litter);
        free(litter);
        return "leaves a temporary file";
    }
    if (r->child.late)
        return "takes too long";
    if (r->child.faulty)
        return "is no orderly end";
    for (size_t i = 0; i < COUNT(outputs); i++)
        same = same && same_file(r, whole, i);
    if (same)
        return NULL;
    if (r->child.status != 1)
        return "gives something else";
    if (!strstr(r->child.text, "memory"))
        return "does not say that memory ran out";
    for (size_t i = 0; i < COUNT(outputs); i++)
        if (!r->file[i] ||
            (strcmp(r->file[i], OLD) != 0 && !same_file(r, whole, i) && (i > 0 || !strstr(r->file[i], "out of memory"))))
            return "changes the file";
    return NULL;
}

static void memory_runs_out(void **state)
{
    const char *command = *state;
    struct rng rng;
    struct result whole, r;
    long n, bad = 0, tried = 0;

    rng_seed(&rng, check_seed());
    run(&whole, command, 0);
    n = *calls;
    if (whole.child.status != 0 || whole.child.faulty)
        fail_msg("metapath %s: status %d, signal %d\n%s", command, whole.child.status, whole.child.signal,
                 whole.child.text);
    for (long k = 1; k <= n; k += k < EACH ? 1 : STRIDE / 2 + (long)rng_below(&rng, STRIDE)) {
        const char *what;

        run(&r, command, k);
        what = wrong(&r, &whole);
        if (what)
            print_error("metapath %s: without allocation %ld %s (status %d, signal %d): %.1500s\n", command, k, what,
                        r.child.status, r.child.signal, r.child.text);
        bad += what ? 1 : 0;
        tried++;
        release(&r);
    }
    release(&whole);
    print_message("%ld of %ld allocations failed\n", tried, n);
    assert_int_equal(bad, 0);
}

int main(int argc, char **argv)
{
    struct CMUnitTest tests[COUNT(commands)];
    char dir[] = "/tmp/metapath-alloc-XXXXXX";
    char data[4096];            /* what is published stands below the tree in which tests run */
    int failed;

    calls = mmap(NULL, sizeof *calls, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (calls == MAP_FAILED || !getcwd(data, sizeof data - 9) || setenv("METAPATH_DATA", strcat(data, "/examples"), 1) != 0 || !mkdtemp(dir) || chdir(dir) != 0)
        return 1;
    for (size_t i = 0; i < COUNT(inputs); i++)
        child_write(inputs[i].name, inputs[i].text);
    for (size_t i = 0; i < COUNT(commands); i++)
        tests[i] = (struct CMUnitTest){ commands[i], memory_runs_out, NULL, NULL, (void *)(uintptr_t)commands[i] };
    if (argc > 1)
        cmocka_set_test_filter(argv[1]);
    failed = _cmocka_run_group_tests("alloc", tests, COUNT(tests), NULL, NULL);
    for (size_t i = 0; i < COUNT(inputs); i++)
        remove(inputs[i].name);
    for (size_t i = 0; i < COUNT(outputs); i++)
        remove(outputs[i]);
    return chdir("/") == 0 && rmdir(dir) == 0 ? failed : 1;
}
