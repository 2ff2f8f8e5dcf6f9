#include "cli/request/progress.h"

#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define WAIT 1.0                /* seconds before a bar appears */
#define EVERY 0.1               /* seconds between two drawings */
#define CELLS 30

static volatile sig_atomic_t stop;

static void ask_to_stop(int signal)
{
    (void)signal;
    stop = 1;
}

void stop_on_signal(void)
{
    struct sigaction action = { .sa_handler = ask_to_stop, .sa_flags = (int)SA_RESETHAND };

    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void progress_begin(struct progress *p, enum progress_mode mode)
{
    *p = (struct progress){ .on = mode == PROGRESS_ALWAYS || (mode == PROGRESS_AUTO && isatty(STDERR_FILENO)) };
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
