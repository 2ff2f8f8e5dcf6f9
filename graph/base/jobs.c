#include "graph/base/jobs.h"

#include <omp.h>

struct jobs {
    const struct tick *tick;
    size_t parts, done, bad;        /* the first part that failed */
    bool stop;
};

int jobs_threads(int asked, size_t parts)
{
    const int threads = asked > 0 ? asked : omp_get_max_threads();

    return (size_t)threads > parts ? (int)parts : threads;
}

static int jobs_tick(void *arg, double done)
{
    struct jobs *j = arg;
    int stop;

#pragma omp critical(jobs)
    {
        j->stop = j->stop || tick(j->tick, ((double)j->done + done) / (double)j->parts);
        stop = j->stop;
    }
    return stop;
}

int jobs_run(size_t parts, int threads, jobs_part *one, void *arg, const struct tick *tick, struct err *err)
{
    struct jobs j = { .tick = tick, .parts = parts, .bad = parts };
    const struct tick part_tick = { jobs_tick, &j, 0, 1, NULL };

#pragma omp parallel for schedule(dynamic, 1) num_threads(threads) if (threads > 1)
    for (size_t i = 0; i < parts; i++) {
        struct err why = { 0 };
        size_t bad;

#pragma omp atomic read
        bad = j.bad;
        if (bad < i)
            continue;
        const int ret = one(arg, omp_get_thread_num(), i, &part_tick, &why);

#pragma omp critical(jobs)
        {
            j.done++;
            if (ret < 0 && i < j.bad) {
                *err = why;
#pragma omp atomic write
                j.bad = i;
            }
        }
    }
    return j.bad < parts ? -1 : 0;
}
