/* progress.h -- a bar on the terminal's standard error for what takes longer than a second, and stopping. */
#pragma once

#include "graph/base/base.h"

enum progress_mode { PROGRESS_AUTO, PROGRESS_ALWAYS, PROGRESS_NEVER };

struct progress {
    bool on, shown;
    double begun, drawn;        /* seconds */
    char said[48];              /* instead of the time left */
};

#define STOPPED 130             /* exit status of a run that was asked to stop */
/* SIGINT (Ctrl-C), SIGTERM and SIGHUP ask the computation to stop at its next tick; a second one ends the program at
 * once, and so does a clock after 0.7 s without a tick. Files stay as they were. */
void stop_on_signal(void);
/* Whether the file is a terminal that understands more than plain lines of text (TERM=dumb does not). */
bool terminal_shows(int file);
void progress_begin(struct progress *p, enum progress_mode mode);
void progress_end(struct progress *p);          /* wipes the bar */
struct tick progress_tick(struct progress *p);
