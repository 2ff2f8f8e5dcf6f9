#include "cli/request/progress.h"

#include <signal.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define WAIT 1.0                /* seconds before a bar appears */
#define EVERY 0.1               /* seconds between two drawings */
#define CELLS 22                /* with what is said within 80 columns */
#define PATIENCE 700000         /* microseconds between being asked to stop and ending at once */

static volatile sig_atomic_t stop;

/* Only what may be called in a handler. Nothing is left behind: see graph/base/file.h. */
static void stop_at_once(int)
{
    static const char said[] = "metapath: interrupted\n";
    const ssize_t written = write(STDERR_FILENO, said, sizeof said - 1);

    (void)written;
    _exit(STOPPED);
}

/* A library may not look up for minutes: then the clock ends what the flag could not. setitimer is a plain system call
 * on Linux. */
static void ask_to_stop(int)
{
    const struct itimerval patience = { .it_value = { .tv_usec = PATIENCE } };
    const int before = errno;

    stop = 1;
    setitimer(ITIMER_REAL, &patience, NULL);
    errno = before;
}

void stop_on_signal(void)
{
    struct sigaction ask = { .sa_handler = ask_to_stop, .sa_flags = (int)SA_RESETHAND },
        end = { .sa_handler = stop_at_once };
    static const int asking[] = { SIGINT, SIGTERM, SIGHUP };
    struct sigaction now;

    sigemptyset(&ask.sa_mask);
    sigemptyset(&end.sa_mask);
    sigaction(SIGALRM, &end, NULL);
    for (size_t i = 0; i < sizeof asking / sizeof *asking; i++)
        if (sigaction(asking[i], NULL, &now) == 0 && now.sa_handler != SIG_IGN)         /* nohup, a shell's & */
            sigaction(asking[i], &ask, NULL);
    signal(SIGXFSZ, SIG_IGN);           /* writing then fails, and says so */
}

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

bool terminal_shows(int file)
{
    const char *term = getenv("TERM");

    return isatty(file) && !(term && strcmp(term, "dumb") == 0);
}

void progress_begin(struct progress *p, enum progress_mode mode)
{
    *p = (struct progress){ .on = mode == PROGRESS_ALWAYS || (mode == PROGRESS_AUTO && terminal_shows(STDERR_FILENO)) };
    p->begun = now();
}

static void progress_draw(struct progress *p, double done, double spent)
{
    char bar[CELLS + 1], left[32] = "";
    double rest = done > 0 ? spent * (1 - done) / done : 0;

    for (int i = 0; i < CELLS; i++)
        bar[i] = i < (int)(done * CELLS) ? '#' : '.';
    bar[CELLS] = '\0';
    if (done > 0 && rest < 360000 && !p->said[0])
        snprintf(left, sizeof left, "%d:%02d left", (int)rest / 60, (int)rest % 60);
    fprintf(stderr, "\r[%s] %3.0f%% %-*s", bar, 100 * done, (int)sizeof p->said, p->said[0] ? p->said : left);
    fflush(stderr);
    p->shown = true;
}

static int on_tick(void *arg, double done)
{
    struct progress *p = arg;
    double t;

    if (stop)
        return 1;
    if (!p->on)
        return 0;
    t = now();
    if (t - p->begun >= WAIT && t - p->drawn >= EVERY) {
        progress_draw(p, done, t - p->begun);
        p->drawn = t;
    }
    return 0;
}

static void on_say(void *arg, const char *text)
{
    struct progress *p = arg;

    snprintf(p->said, sizeof p->said, "%s", text);
}

struct tick progress_tick(struct progress *p)
{
    return (struct tick){ on_tick, p, 0, 1, on_say };
}

void progress_end(struct progress *p)
{
    if (p->shown)
        fprintf(stderr, "\r%*s\r", CELLS + 8 + (int)sizeof p->said, "");
    p->shown = false;
}
