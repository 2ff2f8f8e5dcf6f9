/* Memory that runs out: commands in a child, in each run of which one allocation fails, of those that our own code
 * makes, or igraph or GLPK. The linker puts a __wrap function in the place of everything by which our objects take
 * memory (Makefile: WRAP); those libraries get theirs from the malloc of this program, which knows them by where they
 * stand (not under sanitizers, which bring a malloc). GLib, below pango and cairo, ends the program by design when it
 * gets no memory: it is left in peace. Whichever it is that fails, the command gives what it gives
 * undisturbed, or it ends with status 1 and says that memory ran out, leaves the file that it was to replace as it
 * was, no temporary one beside it, and nothing unreleased. */
#include <errno.h>
#include <link.h>
#include <stdarg.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "graph/base/mem.h"
#include "graph/net.h"
#include "graph/numeric/rng.h"
#include "tests/support/check.h"
#include "tests/support/child.h"

#define OLD "the file as it was\n"
#define EACH 200                /* of the first so many allocations one in THIN fails, */
#define STRIDE 50               /* then one in so many times that, others by another seed; with THIN=1 in the */
#define THIN 8                  /* environment, every one of the first and one in STRIDE of the others */
#define SECONDS 60

/* ---- what fails of ours ----------------------------------------------------------------------------------- */

static long *calls;             /* so far, of a child that is armed; shared with it */
static long fatal;              /* the one that fails; 0: none */
static bool armed, libraries;   /* libraries: theirs fail, not ours */

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
    type __wrap_##name parameters { return !libraries && spent() ? (failed) : __real_##name arguments; }

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

/* ---- what fails of libraries --------------------------------------------------------------------------------- */

#if CHILD_ASAN
static bool find_libraries(void) { return false; }
#else
static struct span {            /* of their code */
    uintptr_t from, to;
} span[8];
static size_t nspan;

static int add_library(struct dl_phdr_info *info, size_t size, void *arg)
{
    (void)size;
    (void)arg;
    if (!strstr(info->dlpi_name, "libigraph") && !strstr(info->dlpi_name, "libglpk"))
        return 0;
    for (int i = 0; i < info->dlpi_phnum && nspan < COUNT(span); i++)
        if (info->dlpi_phdr[i].p_type == PT_LOAD && info->dlpi_phdr[i].p_flags & PF_X)
            span[nspan++] = (struct span){ info->dlpi_addr + info->dlpi_phdr[i].p_vaddr,
                                           info->dlpi_addr + info->dlpi_phdr[i].p_vaddr + info->dlpi_phdr[i].p_memsz };
    return 0;
}

static bool find_libraries(void)
{
    dl_iterate_phdr(add_library, NULL);
    return nspan >= 2;
}

static bool library_spent(const void *caller)
{
    bool theirs = false;

    if (!armed || !libraries)
        return false;
    for (size_t i = 0; i < nspan; i++)
        theirs = theirs || ((uintptr_t)caller >= span[i].from && (uintptr_t)caller < span[i].to);
    return theirs && spent();
}

/* glibc's own, under the names that it keeps for programs which bring a malloc. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *old, size_t size);

void *malloc(size_t size)
{
    return library_spent(__builtin_return_address(0)) ? NULL : __libc_malloc(size);
}

void *calloc(size_t n, size_t size)
{
    return library_spent(__builtin_return_address(0)) ? NULL : __libc_calloc(n, size);
}

void *realloc(void *old, size_t size)
{
    return library_spent(__builtin_return_address(0)) ? NULL : __libc_realloc(old, size);
}
#endif

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
    "topo torus:4x3 mesh:3x3,wrap=1 circulant:9,jumps=1+2 fattree:4 dragonfly,a=2,p=1,h=1 "
    "random:8,degree=3,seed=1 -o out",
    "topo midimew:13 hyperx:3x2 hypercube:3 star:5 complete:4 ring:5,directed=yes -f json -o out",
    "topo net.edges --show parts -o out",
    "topo named.csv --show distribution -f markdown -o out",
    "topo matrix.csv -o out",
    "topo net.gml -o out",
    "topo net.graphml -f latex -o out",
    "topo net.edges,terminals=leaves --show distribution -o out",
    "topo cables.csv,fail=a-b:1 cables.edges,fail=0-1:2+switch:1 cables.gml,latency=100ns -o out",
    "topo torus:4x3,bandwidth=2+1,latency=3,fail=0.0-0.1+random:1:3 "
    "dragonfly,a=2,p=1,h=1,bandwidth=1,global-latency=9ns fattree:4,host-bandwidth=1Gb/s,edge-bandwidth=2Gb/s,"
    "core-bandwidth=4Gb/s,fail=switch:34 ring:5,bandwidth=2 -o out",
    "topo torus:4x3 --plot out.svg",
    "topo named.csv --plot out.svg",
    "stats torus:4x3 --supernode static,sga:1,row:2 -o out",
    "stats named.csv --supernode sga:1 --plot out.svg -o out",
    "topo named.csv --sources 3 --show distribution -o out",
    "stats ring:5,directed=yes random:8,degree=3 --sources 3 --supernode dga:1,random --symmetry none -o out",
    "stats random:8,degree=3 --sources 3 --supernode sga:1 --show distribution -o out",
    "bcast torus:4x3 --algorithm binomial,chain,best --ports 1,all -o out",
    "collective allgather torus:4x2 --bytes 1,1K --cost links,switch,a=1us,rate=1Gb/s -o out",
    "collective broadcast torus:4x2 --bytes 1K --segment 256 -o out",
    "collective allreduce fattree:2 --bytes 1K --per-node 2 --algorithm two-level,minimum-spanning -o out",
    "collective all-to-all torus:4x2 --bytes 1K --placement random:3 -o out",
    "tree torus:3x3 --per-node 2 --delays random --runs 2 --show types -o out",
    "tree random:8,degree=3 --show messages -o out",
    "tree torus:3x3 -a binomial,magpie,max-bandwidth,mst --show links --plot out.svg -o out",
    "tree ring:4 -a magpie,adaptive --broadcasts 3 --every 2 --value mean:2 --cliques -o out",
    "tree ring:4,latency=9 -a binomial,mst --broadcasts 4 --show course --plot out.svg -o out",
    "tune broadcast torus:4x2 --processes 4,8 --bytes 1,8K --switching 1us --plot out.svg -o out",
    "tune allgather torus:4x2 --processes 4,8 --bytes 8,1K --rules ompi:out",
    "tune reduce torus:4x2 fattree:4 --bytes 64 --cost links,hockney,a=1us,rate=1Gb/s --show all -o out",
    "collective gather torus:4x2 --bytes 1K --cost links,sharing=fluid,hops,collide,switching=cut-through,"
    "loggops,l=1us,o=1us,cpu=1Gb/s -o out",
    "collective broadcast cables.csv --segment 256 --bytes 1K --cost hops,ports=all,collide,links,sharing=fluid -o out",
    "collective broadcast mesh:2x2 --bytes 64 --cost collide,load=10%,traffic=neighbour --algorithm chain -j1 -o out",
    "collective gather torus:2x2 --bytes 1K --cost plogp,l=1us,file=plogp.csv,errors=1e-6 -o out",
    "bcast torus:4x3 --algorithm binomial --processes 8 --show schedule -o out",
    "bcast torus:4x3 --packet 10 --algorithm binomial,flooding,best --ports 1,all -o out",
    "bcast torus:4x3 --algorithm binomial,flooding --ports 1,all --validate -o out",
    "bcast mesh:2x2 --interval 400 --algorithm chain --ports 1 --draws 10 --validate -o out",
    "bcast torus:4x3 --packet 64B --flit 8B --line-rate 1Gb/s --processes 8 --root 0,3@5 --algorithm best --show messages "
    "--plot out.svg -o out",
    "bcast cables.csv --switching circuit --root all --algorithm chain --show schedule -o out",
    "bcast cables.csv --packet 10 --algorithm shortest-path,earliest-arrival,two-level --ports 1 -o out",
    "latency torus:4x3 --traffic uniform,complement,pairs.csv --routing dor,metapath:sga:1,minimal --interval "
    "50,100 -o out",
    "latency named.csv --traffic named_pairs.csv --routing drb,offline -o out",
    "latency torus:4x3 --traffic uniform,complement --routing metapath:best:3,drb:static+best:2 --interval 90 -o out",
    "latency named.csv --traffic named_pairs.csv --routing metapath:best:2,of=shortest+1 -o out",
    "latency torus:4x3 --loop open --traffic uniform --interval 40,80 --plot out.svg -o out",
    "deadlock torus:4x3 named.csv fattree:2 --routing ecmp,updown --classes none,hops --buffer-classes none -o out",
    "deadlock torus:4x3 --classes dateline,phases,updown --show classes -o out",
    "deadlock torus:4x3 --routing drb:static+sga:1 --plot out.svg -o out",
    "deadlock --order calls.csv -f json -o out",
    "latency torus:4x3 --vcs 2 --buffer 4 --credit-loop 6 --crossbar speedup --load 20% -o out",
    "latency named.csv --vcs 1 --buffer 3 --router-time 2 --load 20% --show links -o out",
    "guide torus:4x3 --loop open --vcs 3 --classes 2 --interleave packets --load 0.05 --latency 60 -o out",
    "contention --interval 20,50 --packet 5 --channels 3 -o out",
    "contention --interval 1us --packet 64B --channels 3 --line-rate 1Gb/s --flit 8B -o out",
    "latency ring:5,bandwidth=1Gb/s --flit 32B --packet 64B --interval 10us,20us --cable-time 5ns -f json -o out",
    "contention --interval 20..100..x2 --channels 2 --plot out.svg",
    "guide torus:4x3 --traffic pairs.csv --interval 30,60 --latency 60 -o out",
    "compare torus:4x3 mesh:4x3 named.csv -o out",
    "bound throughput mesh:3x2 --traffic uniform -o out",
    "bound throughput ring:4 --method columns -o out",
    "bound worst mesh:3x2 --routing dor,valiant -o out",
    "bound split torus:4x3 --traffic complement --supernode sga:1 --interval 50 -o out",
    "bound broadcast ring:6 -o out",
    "reproduce drb:5-4 -o out",
    "help torus",
    "help --man bcast",
    "help --completion fish",
    "list",
    "topo torus:4x3 --plot out.svg --highlight route:0.0-2.1 --highlight metapath:sga:1:0.0-1.2 --layout circle",
    "topo named.csv --plot out.svg --highlight path:alpha-beta-gamma --highlight nodes:alpha,beta --layout force",
    "topo named.csv --plot out.svg --highlight tree:binomial:beta --layout kamada-kawai",
    "topo hosts.graphml --plot out.svg",
    "topo fattree:4 dragonfly,a=2,p=1,h=1 hypercube:3 --plot out.pdf",
    "topo torus:3x3 --plot out.svg --nodes nodes.csv --node-colour v --links links.csv --link-colour w --link-width w",
    "topo torus:4x3 --show distribution -o out",
    "topo ring:5 random:9,degree=4,seed=2 --connectivity exact -o out",
    "stats hypercube:3 --supernode subcube:1,dga:1,random --show distribution -f json -o out",
    "stats torus:4x3 --supernode row:2,plane:2x2 --plot out.svg",
    "stats named.csv --supernode static,dga:1 --symmetry none -o out",
    "bcast fattree:4 --routing updown --processes 4..6 --placement random -o out",
    "bcast named.csv --algorithm flooding,sequential,binary,best --placement file:places.txt -o out",
    "bcast mesh:3x3 --plot out.svg",
    "latency torus:4x4 --traffic hotspot:0,transpose,tornado,farthest,broadcast:binary --routing "
    "o1turn,romm,valiant,ecmp --interval 50 -o out",
    "bcast mesh:2x2 --every 100,1000 --root all --ports 1 --algorithm chain,binomial --draws 10 -o out",
    "bcast named.csv --every 100 --loop closed --root 0,1 --ports 1 --algorithm chain --draws 10 -o out",
    "latency torus:4x4 --traffic drb-hotspot,neighbour --routing drb,semistatic,offline --interval 50,90 -o out",
    "latency torus:4x4 --traffic worst:dor --routing dor,minimal --show links --interval 60 -o out",
    "latency torus:4x3 --traffic pairs.csv --routing table:paths.csv,dor --interval 50 --show channels -o out",
    "latency fattree:4 --routing ecmp,updown --load 10%..50%..20% --loop open -f markdown -o out",
    "latency dragonfly,a=2,p=1,h=1 --traffic uniform,group-shift --routing lgl,valiant,by=group --load 0.1 -o out",
    "latency torus:4x3 --routing adaptive --load 0.1 -o out",
    "latency dragonfly,a=2,p=1,h=1 --traffic group-shift --routing ugal --load 50% --show channels -o out",
    "latency mesh:3x2,bandwidth=2+1 --routing ugal,queue=global --interval 90 -o out",
    "latency random:12,degree=3 --sources 3 --load 0.1 -o out",
    "latency torus:3x3 --load 0.1,0.2 --loop open --closure resistor --plot out.svg -o out",
    "latency torus:4x3 --traffic six.csv --routing drb:static+sga:1 --scale 0.5,1 --switching circuit -o out",
    "latency torus:4x3 --show links --interval 60 --plot out.svg",
    "latency cables.csv --traffic cables_pairs.csv --routing table:cables_paths.csv,spread --switching wormhole "
    "--interval 60 --show links -o out",
    "simulate torus:4x3 --traffic pairs.csv --interval 60 --mix 4:0.5,8:0.5 --cycles 200 --show sources -o out",
    "simulate mesh:3x2 --routing dor,adaptive --load 20%,60% --cycles 200 --replications 2 -o out",
    "simulate mesh:3x2 --routing ugal --load 30% --cycles 200 --plot out.svg -o out",
    "simulate mesh:3x2 --load 40%b --cycles 200 --show windows -o out",
    "simulate mesh:3x2 --routing drb:static+sga:1,threshold=5 --load 0.5 --cycles 200 "
        "--ack in-band,early=5,delay=3,waits=step --header --show balance -o out",
    "simulate mesh:3x2 --trace trace.csv --show links --plot out.svg -o out",
    "simulate ring:5 --vcs 1 --routing ecmp --load 0.9 --cycles 3000 --replications 1 --deadlock drain "
    "--show deadlock -o out",
    "simulate mesh:3x2 --vcs 1 --routing adaptive,select=first --load 0.9 --cycles 400 --deadlock drain:10 -o out",
    "validate mesh:3x2 --traffic uniform --load 20%,95% --cycles 200 --replications 2 -o out",
    "validate mesh:3x2 --switching cut-through --load 20% --cycles 200 --show summary -o out",
    "latency mesh:3x2 --load 0.3 --validate --plot out.svg -o out",
    "contention --interval 20,40 --channels 2 -f json -o out",
    "deadlock cables.edges named.csv --duplex half --show cycle -o out",
    "deadlock torus:4x3 cables.edges --routing adaptive --classes none,updown --show cycle -o out",
    "deadlock ring:4 named.csv --routing minimal --classes layers --show dependencies -f csv -o out",
    "deadlock fattree:2 dragonfly,a=2,p=1,h=1 --routing minimal,valiant --destinations all --symmetry none -o out",
    "guide torus:4x3 --traffic complement --interval 40 --latency 60 --exact --worst -o out",
    "guide torus:4x3 --traffic six.csv --exact --table paths.csv -o out",
    "compare ring:6 --interval 60 --plot out.svg -o out",
    "bound throughput torus:3x3 --traffic uniform,complement --symmetry none --show links -o out",
    "bound throughput mesh:3x2 --write-lp out.lp --capacity links.csv -o out",
    "bound throughput ring:5 --show prices --try 2 -o out",
    "bound throughput torus:4x3 --routing dor,metapath:sga:1 --traffic complement -o out",
    "bound worst torus:3x3 --show permutation --routing dor,minimal -o out",
    "bound worst named.csv --routing minimal --symmetry none --plot out.svg",
    "bound split torus:4x3 --traffic six.csv --table paths.csv -o out",
    "bound split torus:4x3 --traffic complement -s sga:1,static --load 0.2 --policy semistatic -o out",
    "fabric cables.edges --design cables.edges --improve -o out.lfts",
    "fabric fattree:2 --show losses --rounds 1 -o out", "fabric fattree:2 --show load --plot out.svg -o out",
    "fabric named.csv --show parts -o out",
    "bound broadcast torus:3x3 named.csv fattree:4 -o out",
    "reproduce --list",
    "reproduce rmpi:2 drb:4-29 -o out",
    "plot rows.csv -x x -y y --facet g -o out.svg",
    "plot rows.csv -x x -y y -k cumulative --group g -o out.svg",
    "plot rows.csv -x x -y y -k line --rule 2=here -o out.svg",
    "plot rows.csv -x x -y y -k scatter --fit power --residuals --over rows.csv -o out.svg",
    "plot rows.csv -x x -y y --error z --mark g --valid x -o out.svg",
    "plot rows.csv -x x -y y,z -k bar --stack -o out.png",
    "plot grid.csv -x x -y y -z z -k decision --group g -o out.svg",
    "plot grid.csv -x x -y y -z z -k heat --x-title A[b] --x-range 0..1 -o out.pdf",
    "plot grid.csv -x x -y y -z z -k heat --where y<=1 -o out.svg",
    "plot rows.csv -x x -y y,z -k line -o out.svg",
    "plot rows.csv -x x -y y -k bar --group g -o out.svg",
    "plot rows.csv -x x -y z -k histogram --where x>1 -o out.svg",
    "plot rows.csv -x x -y y -k scatter --fit linear -o out.pdf",
    "plot grid.csv -x x -y y -z z -k heat -o out.svg",
};

/* Where igraph or GLPK take much; but for edge connectivity and k shortest paths, in which igraph 0.10 itself crashes
 * when it gets no memory (igraph_inclist_init, igraph_get_k_shortest_paths). */
static const char *const with_libraries[] = {
    "topo star:5 complete:4 torus:3x3 -o out",
    "topo net.edges --show parts -o out",
    "stats named.csv --supernode sga:1 -o out",
    "stats random:8,degree=3,seed=1 --supernode dga:1 -o out",
    "bcast mesh:3x3 -o out",
    "bound throughput random:8,degree=3,seed=1 --symmetry none -o out",
    "bound throughput ring:4 --method columns -o out",
    "bound throughput mesh:3x2 --write-lp out.lp -o out",
    "bound split torus:4x3 --traffic complement --supernode sga:1 -o out",
    "bound broadcast mesh:3x3 named.csv -o out",
    "guide torus:4x3 --traffic complement --interval 40 --latency 60 --exact -o out",
    "latency fattree:4 --routing updown --interval 50 -o out",
};

static const struct { const char *name, *text; } inputs[] = {
    { "net.edges", "0 1 2\n1 2 1\n2 3 1\n3 0 1\n3 4 2\n" },
    { "named.csv", "source,target,weight\nalpha,beta,1\nbeta,gamma,2\ngamma,delta,1\ndelta,alpha,1\nalpha,gamma,3\n" },
    { "matrix.csv", ",a,b,c\na,0,1,2\nb,1,0,1\nc,2,1,0\n" },
    { "net.gml", "graph [ node [ id 0 label \"a\" kind \"host\" ] node [ id 1 label \"b\" kind \"switch\" ] "
      "node [ id 2 label \"c\" kind \"host\" ] edge [ source 0 target 1 weight 2 ] "
      "edge [ source 1 target 2 weight 1 ] ]\n" },
    { "net.graphml", "<?xml version=\"1.0\"?>\n<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">"
      "<key id=\"k\" for=\"node\" attr.name=\"kind\" attr.type=\"string\"/>"
      "<key id=\"w\" for=\"edge\" attr.name=\"weight\" attr.type=\"double\"/>"
      "<graph edgedefault=\"undirected\"><node id=\"a\"><data key=\"k\">host</data></node>"
      "<node id=\"b\"><data key=\"k\">switch</data></node><node id=\"c\"><data key=\"k\">host</data></node>"
      "<edge source=\"a\" target=\"b\"><data key=\"w\">2</data></edge><edge source=\"b\" target=\"c\">"
      "<data key=\"w\">1</data></edge>"
      "</graph></graphml>\n" },
    { "plogp.csv", "bytes,g_us,os_us,or_us\n1,2,1,1\n1024,3,1,2\n" },
    { "cables.csv", "source,target,bandwidth,latency,cables,source_port,target_port\na,b,1Gb/s,5ns,1,1,1\n"
      "b,a,2Gb/s,5ns,1,1,1\nb,c,1Gb/s,,1,2,1\nc,b,1Gb/s,,1,1,2\nc,a,1Gb/s,,1,2,2\na,c,1Gb/s,,1,2,2\n" },
    { "cables.edges", "0 1 {'bandwidth': 4, 'cables': 2}\n1 2 {'latency': '3'}\n0 2\n" },
    { "cables.gml", "graph [ node [ id 0 ] node [ id 1 ] edge [ source 0 target 1 cables 2 bandwidth 4 ] ]\n" },
    { "pairs.csv", "source,target,interval,packet,channel\n0.0,2.1,50,5,first\n1.0,3.2,,,second\n0.1,2.2,70,,\n" },
    { "named_pairs.csv", "source,destination,source_group,demand\nalpha,gamma,g,0.1\nbeta,delta,,0.2\n"
      "alpha,delta,g,0.1\n" },
    { "rows.csv", "x,y,z,g\n1,2,5,a\n2,3,4,a\n3,5,4.5,b\n4,4,1,b\n5,7,2,a\n" },
    { "grid.csv", "x,y,z,g\n0,0,1,a\n1,0,2,a\n2,0,3,b\n0,1,2,b\n1,1,4,a\n2,1,3,b\n0,2,1,a\n1,2,2,b\n2,2,5,a\n" },
    { "hosts.graphml", "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">"
      "<key id=\"k\" for=\"node\" attr.name=\"kind\" attr.type=\"string\"/>"
      "<key id=\"l\" for=\"node\" attr.name=\"label\" attr.type=\"string\"/>"
      "<graph edgedefault=\"undirected\"><node id=\"a\"><data key=\"k\">host</data><data key=\"l\">A</data></node>"
      "<node id=\"b\"><data key=\"k\">switch</data><data key=\"l\">B</data></node>"
      "<node id=\"c\"><data key=\"k\">host</data><data key=\"l\">C</data></node>"
      "<edge source=\"a\" target=\"b\"/><edge source=\"b\" target=\"c\"/></graph></graphml>\n" },
    { "calls.csv", "process,op,peer,tag\na,send,b,x\nb,send,a,x\na,recv,b,x\nb,recv,a,x\nc,send,a,\na,recv,c,\n" },
    { "nodes.csv", "node,v\n0.0,1\n0.1,2\n1.1,3\n" },
    { "links.csv", "from,to,w,capacity\n0.0,0.1,1,2\n0.1,1.1,2,1\n" },
    { "trace.csv", "time,source,destination,flits\n3,0.0,1.1,4\n0,1,2,8\n" },
    { "places.txt", "alpha\ngamma\nbeta\ndelta\n" },
    { "cables.csv", "source,target,bandwidth,latency,cables\nh,a,1,0,1\na,b,4,3,2\nb,k,2,0,1\n" },
    { "cables_pairs.csv", "source,target\nh,k\n" },
    { "cables_paths.csv", "source,target,path\nh,k,h>a>b:2>k\nh,k,h>a>b>k\n" },
    { "paths.csv", "source,target,path\n0.0,2.1,0.0-1.0-2.0-2.1\n0.0,2.1,0.0-0.1-1.1-2.1\n"
      "1.0,3.2,1.0-2.0-3.0-3.2\n0.1,2.2,0.1-1.1-2.1-2.2\n0.1,2.2,0.1-0.2-1.2-2.2\n" },
    { "six.csv", "source,target,interval\n0.0,2.1,50\n1.0,3.2,60\n0.1,2.2,70\n" },
};

/* ---- what must hold ------------------------------------------------------------------------------------------ */

static const char *const outputs[] = { "out", "out.svg", "out.pdf", "out.png", "out.lp", "out.lfts" };

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
    EACH_ROW(i, outputs)
        child_write(outputs[i], OLD);
    child_run(&r->child, command, SECONDS, arm, NULL);
    EACH_ROW(i, outputs)
        r->file[i] = child_file(outputs[i], &r->len[i]);
}

static void release(struct result *r)
{
    child_release(&r->child);
    EACH_ROW(i, outputs)
        free(r->file[i]);
}

static bool same_file(const struct result *a, const struct result *b, size_t i)
{
    return a->file[i] && a->len[i] == b->len[i] && memcmp(a->file[i], b->file[i], a->len[i]) == 0;
}

/* What is wrong with how it failed, or NULL. A figure may be in its place, whole, when its table fails; and a sweep
 * writes the rows that could be had, with a note of why others could not, and draws these. */
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
    EACH_ROW(i, outputs)
        same = same && same_file(r, whole, i);
    if (same)
        return NULL;
    if (r->child.status != 1)
        return "gives something else";
    if (!strstr(r->child.text, "memory"))
        return "does not say that memory ran out";
    EACH_ROW(i, outputs)
        if (!r->file[i] || (strcmp(r->file[i], OLD) != 0 && !same_file(r, whole, i) && !strstr(r->file[0], "memory")))
            return "changes the file";
    return NULL;
}

static void memory_runs_out(void **state)
{
    const char *command = *state;
    struct rng rng;
    struct result whole, r;
    const char *given = getenv("THIN");
    const uint64_t thin = given ? strtoull(given, NULL, 10) : THIN;
    long n, bad = 0, tried = 0;

    assert_true(thin > 0);
    rng_seed(&rng, check_seed());
    run(&whole, command, 0);
    n = *calls;
    if (whole.child.status != 0 || whole.child.faulty)
        fail_msg("metapath %s: status %d, signal %d\n%s", command, whole.child.status, whole.child.signal,
                 whole.child.text);
    for (long k = 1 + (long)rng_below(&rng, thin); k <= n;
         k += 1 + (long)rng_below(&rng, (k < EACH ? 1 : STRIDE) * (2 * thin - 1))) {
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

static void memory_runs_out_in_libraries(void **state)
{
    if (CHILD_ASAN)
        skip();
    libraries = true;
    memory_runs_out(state);
    libraries = false;
}

/* Networks of some 10^9 nodes or links, of every family, whose graph is more than most machines hold: refused by
 * forecast, before anything of that size is taken. */
static const char *const large[] = {
    "circulant:1000000000,jumps=1+5", "complete:1000000000", "complete:200000", "dragonfly,a=1000,p=10,h=100",
    "fattree:1000", "fattree:1580", "hypercube:30", "hyperx:1000x1000x1000", "hyperx:30000x30000",
    "mesh:1000x1000x1000", "mesh:1000x1000x1000,wrap=1", "midimew:1000000000", "random:1000000000,degree=2",
    "random:1000000,degree=2000", "ring:1000000000", "ring:1000000000,directed=yes", "star:1000000000", "torus:1000^3",
    "torus:1000^3,fail=0.0.0-0.0.1", "torus:1000x1000x300,latency=1+2+3,fail=random:3:1",
};
#define REFUSED 77

static void open_large(void *spec)
{
    const igraph_t *graph;
    struct net *net;
    struct err err = { 0 };

    net_setup();
    if (net_open(&net, spec, &err) < 0 || net_graph(net, &graph, &err) < 0)
        _exit(err.code == ERR_MEMORY || err.code == ERR_USAGE ? REFUSED : 1);
    _exit(0);
}

static void large_networks_are_refused(void **state)
{
    struct timespec begun, ended;
    struct child child;
    double seconds, base;

    if (mem_available() > 60e9)
        skip();
    child_run(&child, "help", SECONDS, NULL, NULL);
    base = child.peak;
    child_release(&child);
    clock_gettime(CLOCK_MONOTONIC, &begun);
    child_run(&child, "help", SECONDS, open_large, *state);
    clock_gettime(CLOCK_MONOTONIC, &ended);
    seconds = (double)(ended.tv_sec - begun.tv_sec) + 1e-9 * (double)(ended.tv_nsec - begun.tv_nsec);
    if (child.status != REFUSED || child.peak - base > 16e6 || (!CHILD_ASAN && seconds > 1))
        fail_msg("%s: status %d, signal %d, %.3f s, %.1f MB", (const char *)*state, child.status, child.signal,
                 seconds, (child.peak - base) / 1e6);
    child_release(&child);
}

int main(int argc, char **argv)
{
    struct CMUnitTest tests[COUNT(commands) + COUNT(with_libraries) + COUNT(large)], *t = tests;
    char dir[] = "/tmp/metapath-alloc-XXXXXX";
    char data[4096];            /* what is published stands below the tree in which tests run */
    int failed;

    calls = mmap(NULL, sizeof *calls, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (calls == MAP_FAILED || !getcwd(data, sizeof data - 9) ||
            setenv("METAPATH_DATA", strcat(data, "/examples"), 1) != 0 || !mkdtemp(dir) || chdir(dir) != 0)
        return 1;
    EACH_ROW(i, inputs)
        child_write(inputs[i].name, inputs[i].text);
    if (!find_libraries() && !CHILD_ASAN)
        return 1;
    EACH_ROW(i, commands)
        *t++ = (struct CMUnitTest){ commands[i], memory_runs_out, NULL, NULL, (void *)(uintptr_t)commands[i] };
    EACH_ROW(i, with_libraries)
        *t++ = (struct CMUnitTest){ with_libraries[i], memory_runs_out_in_libraries, NULL, NULL,
                                    (void *)(uintptr_t)with_libraries[i] };
    EACH_ROW(i, large)
        *t++ = (struct CMUnitTest){ large[i], large_networks_are_refused, NULL, NULL, (void *)(uintptr_t)large[i] };
    cmocka_set_test_filter(argc > 1 ? argv[1] : NULL);
    failed = _cmocka_run_group_tests("alloc", tests, COUNT(tests), NULL, NULL);
    EACH_ROW(i, inputs)
        remove(inputs[i].name);
    EACH_ROW(i, outputs)
        remove(outputs[i]);
    return chdir("/") == 0 && rmdir(dir) == 0 ? failed : 1;
}
