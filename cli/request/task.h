/* task.h -- a command line cut into tasks for other machines (--tasks), and their parts put together (metapath join).
 * The work of a command is a walk through nested loops (networks, traffics, schemes, loads); a task is a range of the
 * points that the loops come to. What it computes is recorded by the place where it came up; a join replays that into
 * the table, in the order of the walk, and the frame then goes on as ever: what is concluded, set aside, drawn and
 * written comes from the same code. Hence a command keeps from one point to another only what it says as a fact. */
#pragma once

#include "graph/base/base.h"

struct job;
struct options;
struct table_format;

enum { TASK_GROUP = 12 };       /* of options: those about tasks, which tasks do not repeat */
/* In struct options. */
struct task_request {
    const char *folder;         /* the work is not done, but cut; NULL: it is */
    int64_t each;               /* points in a task; 0: as many as take so long */
    const char *time;
    bool here, overwrite;       /* tasks begin in this folder, where names of files hold */
    int64_t from, to;           /* points that are a task, from 1 on; from 0: all */
    const struct table_format *format;  /* of its part, and where that goes */
    const char *output;
    const char *join;           /* the folder; NULL: no */
    bool partial, status;
    bool writes;                /* a file beside table and figure */
    bool lines;                 /* a word has several */
    char *words;                /* of the command line, without those about tasks: the command, and a line a word */
    size_t size;
};

/* A job's. */
enum { WALK_LOOPS = 5, WALK_DEEP = 6 };
struct walk {
    size_t turns[WALK_LOOPS], at[WALK_LOOPS];   /* of each loop, the first being that of networks; 0: it is not divided */
    int64_t from, to, all;                      /* points that are computed here, of so many */
    FILE *log;                                  /* what came up, into `text`; NULL: that is not recorded */
    char *text;
    size_t size;
    int place[WALK_DEEP];                       /* at hand */
    size_t row, note, request;                  /* the first there of each */
};

/* Whether the i-th turn of a loop is to be taken, the outermost loop being 0. */
bool job_wants(struct job *j, int loop, size_t i);
/* The same; if so the walk comes to its place, 1 + i at the loop's depth. */
bool job_turn(struct job *j, int loop, size_t i);
/* The walk comes to a place: deeper ones begin anew. What tasks have in common comes up at a place of its own. */
void job_at(struct job *j, int depth, size_t i);
#define PLACE_LAST ((size_t)1 << 30)    /* behind all others at that depth */
/* Where several tasks come to a place, what the greatest says there holds; 0 where none says it. */
void job_weighs(struct job *j, double weight);
/* One line: given to the frame's function at once, and again by a join. */
int job_fact(struct job *j, struct err *err, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* Once options are read: format and output are those asked for, and not the part's. */
void task_settle(struct options *o);
/* Once the request is checked. */
int task_begin(struct job *j, struct err *err);
int task_cut(struct job *j, struct err *err);
#define TASK_PART "%.4000s/%05lld.json"         /* the folder, and the task's number, from 1 on */
#define TASK_POINTS "%lld..%lld"                /* the first and the last, from 1 on */
/* Writes FOLDER/NAME whole: the text, and frees that. */
int task_file(const char *folder, const char *name, char *text, struct err *err);
int task_write(struct job *j, struct err *err);
/* 1: the rows are there; 0: nothing more is to be done. */
int task_join(struct job *j, struct err *err);
void task_release(struct job *j);
